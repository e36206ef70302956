-- What the claims about the convolution are judged on, measured on a board: scans and sizes, some of them again with a
-- warm L2 and with appended lists; random occupancies over the density, with the crossovers between.
--
--   trials.measure(bench, option)     {methods, scans, again, trials, and unless brief: sweeps, turns, map}
--
-- option: methods (names), layout, positions, scans, brief, method. scans: inputs with their measurements, as of
-- runs.input, with name and case; again: {name, by} of what was measured another time; trials: of heddle.claims.judge.
local claims = require "heddle.spconv.claims"
local pipeline = require "heddle.spconv.pipeline"
local runs = require "heddle.spconv.runs"
local search = require "heddle.claims.search"
local study = require "heddle.kit.study"
local sweep = require "heddle.spconv.sweep"
local views = require "heddle.spconv.views"
local workload = require "heddle.spconv.workload"

local trials = {WORK = 100} -- of a whole study in its progress

-- What its parts take on a100 by default, as seconds of this computer had it: the inputs, the densities and the search
-- of crossovers there, the map.
local INPUTS <const>, DENSITIES <const>, SEARCH <const>, MAP <const> = 40, 25, 15, 20

-- What the claims compare: the methods, and unfolding in fp16 for the one by the matrix unit, which takes only that.
local function compared(bench, methods)
    local list, has = {table.unpack(methods)}, table.concat(methods, " ")
    list[#list + 1] = bench.type == "f32" and has:find("unfold-mma", 1, true) and "unfold fp16" or nil
    return list
end

local function trial_of(name, kind, p, about, rows)
    return {name = name, kind = kind, active = about.active, windows = about.windows, rows = rows,
        at = {density = about.density, channels = p.channels, stride = p.stride[3], positions = p.positions}}
end

-- ---- inputs ----

-- The same input with L2 as the launch before left it, and with lists by atomic append where a method takes them so.
local function again(bench, entry, found)
    local kinds = {not bench.warm and "warm" or nil}
    kinds[#kinds + 1] = not bench.append and "append" or nil
    for _, kind in ipairs(kinds) do
        local names, how = kind == "append" and {} or entry.methods, {[kind] = true}
        for _, name in ipairs(kind == "append" and entry.methods or {}) do
            names[#names + 1] = pipeline.appended[name] and name or nil
        end
        local more = #names > 0 and runs.input(bench, found.case, compared(bench, names), how) or {by = {}, rows = {}}
        for name, row in pairs(kind == "append" and found.rows or {}) do
            more.rows[name] = more.rows[name] or row
        end
        local name = ("%s, %s"):format(found.name, kind == "append" and "lists appended" or "L2 warm")
        entry.again[#entry.again + 1] = {name = name, by = more.by}
        entry.trials[#entry.trials + 1] = trial_of(name, kind, found.case.p, found.case, more.rows)
    end
end

-- Ends the study when the method requested by name could run on no input.
local function check_ran(list, name)
    local why
    for _, found in ipairs(list) do
        for _, row in ipairs(found.methods) do
            if row.method == name and not row.skipped then
                return
            end
            why = row.method == name and row.skipped or why
        end
    end
    if why then
        study.refuse("%s: %s", name, why)
    end
end

local function inputs(bench, option, entry)
    local rows = workload.inputs(option)
    for _, row in ipairs(rows) do
        local again_too = row.again and not option.brief
        bench.work = (option.brief and trials.WORK or INPUTS) / #rows / (again_too and 3 or 1)
        local c, name = workload.scan(bench.ctx, row, option.layout, option.scans == "made")
        bench.stage = name
        local found = runs.input(bench, c, compared(bench, option.methods))
        found.methods[#option.methods + 1] = nil -- not a method of its own
        found.name, found.case = name, c
        entry.scans[#entry.scans + 1] = found
        entry.trials[#entry.trials + 1] = trial_of(name, row.kind, c.p, c, found.rows)
        if again_too then
            again(bench, entry, found)
        end
    end
    if option.method ~= "all" then
        check_ran(entry.scans, option.method)
    end
end

-- ---- densities ----

-- Claims whose crossovers are searched: those against methods that compute every window, but for what arithmetic says.
-- Against the others costs cross again and again within a few percent.
local function searched(row)
    return row.rivals and views.dense[row.rivals[1]] and row.metric ~= "asked"
end

local function cost_of(metric)
    local of = claims.metrics[metric].of
    return type(of) == "function" and of or function(row) return row[of] end
end

-- The crossover of a claim in a sweep; nil where a side does not fit. Where the first and the last density do not show
-- that there is one, the ends of its brackets are trials.
local function turn(s, row)
    local found = s:turn(row.methods, row.rivals, cost_of(row.metric))
    for _, one in ipairs(found and found.turns and #found.turns % 2 == 0 and found.turns or {}) do
        s:point(one.last).shown, s:point(one.first).shown = true, true
    end
    return found
end

local function densities(bench, option, entry)
    entry.sweeps, entry.turns = {}, {}
    local geometries = workload.geometries(option.positions)
    for i, geometry in ipairs(geometries) do
        bench.work = DENSITIES / #geometries
        local s = sweep.new(bench, geometry.name, workload.problem(geometry, option.layout), workload.densities)
        s:fill(compared(bench, option.methods))
        bench.work = nil
        for _, row in ipairs(option.method == "all" and claims.rows or {}) do
            if bench.line then
                bench.line.step(("%s: crossovers of %s"):format(bench.board.name, s.name),
                    SEARCH / #geometries / #claims.rows)
            end
            local found = searched(row) and turn(s, row)
            if found then
                local list = entry.turns[row.id] or {}
                entry.turns[row.id] = list
                list[#list + 1] = {label = "random " .. s.name, param = "density", found = found, kind = "random"}
            end
        end
        for _, point in ipairs(s:shown()) do
            local name = ("random %s, %.3g %%"):format(s.name, 100 * point.density)
            entry.trials[#entry.trials + 1] = trial_of(name, "random", s.p, point, point.rows)
        end
        entry.sweeps[i] = s
    end
end

-- The crossover density by the number of channels, of the claims that speak of every dense method.
local function map(bench, option, entry)
    local by_claim, of_channels = {names = {}}, {}
    for _, row in ipairs(claims.rows) do
        if row.map then
            by_claim.names[#by_claim.names + 1], by_claim[row.claim] = row.claim, row
        end
    end
    for _, channels in ipairs(workload.MAP.channels) do
        bench.work = MAP / #workload.MAP.channels
        of_channels[channels] = sweep.new(bench, channels .. " channels",
            workload.problem(workload.map(channels), option.layout), workload.MAP.densities)
        of_channels[channels]:fill {"unfold", "unfold-all", "dense-direct", "im2col", "implicit"}
    end
    bench.work = nil
    entry.map = search.map {
        x = {name = "channels", values = workload.MAP.channels}, y = {name = "claim", values = by_claim.names},
        cell = function(channels, claim)
            local found = turn(of_channels[channels], by_claim[claim])
            return found and search.text(found) or ""
        end,
    }
    for _, channels in ipairs(workload.MAP.channels) do
        for _, point in ipairs(of_channels[channels].points) do
            entry.again[#entry.again + 1] = {name = ("%d channels, %g"):format(channels, point.density), by = point.by}
        end
    end
end

function trials.measure(bench, option)
    local entry = {methods = option.methods, scans = {}, again = {}, trials = {}}
    inputs(bench, option, entry)
    if not option.brief then
        densities(bench, option, entry)
        if option.method == "all" then
            map(bench, option, entry)
        end
    end
    return entry
end

return trials
