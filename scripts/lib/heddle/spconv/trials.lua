-- What the claims about the convolution are judged on, measured on a board: scans and sizes, some of them again with a
-- warm L2 and with appended lists; random occupancies over the density, with the crossovers between.
--
--   trials.measure(bench, option)     {methods, scans, again, trials, and unless brief: sweeps, turns}
--
-- option: methods (names), layout, positions, scans, brief, method. scans: inputs with their measurements, as of
-- runs.input, with name and case; again: {name, by} of what was measured another time; trials: of heddle.claims.judge.
local claims = require "heddle.spconv.claims"
local lists = require "heddle.kit.lists"
local pipeline = require "heddle.spconv.pipeline"
local runs = require "heddle.spconv.runs"
local study = require "heddle.kit.study"
local sweep = require "heddle.spconv.sweep"
local views = require "heddle.spconv.views"
local workload = require "heddle.spconv.workload"

local trials = {WORK = 100} -- of a whole study in its progress

-- Of it the inputs, the densities and the search for crossovers: as measured on a100.
local SHARE <const> = {inputs = 35, densities = 42, search = 23}

-- What the claims compare: the methods, and unfolding in fp16 for the one by the matrix unit, which takes only that.
local function compared(bench, methods)
    local list, has = {table.unpack(methods)}, table.concat(methods, " ")
    list[#list + 1] = bench.type == "f32" and has:find("unfold-mma", 1, true) and "unfold fp16" or nil
    return list
end

-- values: of the board that it ran on. What a method that computes every window multiplies is compared with its SMs by
-- the elements of im2col's matrix.
local function trial_of(name, kind, p, about, rows, values)
    return {name = name, kind = kind, active = about.active, windows = about.windows, rows = rows,
        at = {density = about.density, channels = p.channels, stride = p.stride[3], windows = about.windows,
            ["im2col's elements an SM"] = p.outputs * p.volume * p.channels // values.sms,
            ["input / L2"] = 4 * p.positions * p.channels / values["l2.bytes"]}}
end

-- ---- parts of the board ----

local PARTS <const> = 20 -- a small input on a part of the board is what one so many times as large is on all of it

-- Values of a board with a part of its SMs, slices and channels of DRAM; and those with an L2 that is smaller than the
-- input, as that of the board is for one of hundreds of megabytes.
local function part_of(values)
    local n = PARTS
    while values["l2.slices"] % n > 0 or values["dram.channels"] % n > 0 do
        n = n - 1
    end
    return {sms = math.max(values.sms // n, 1), ["l2.slices"] = values["l2.slices"] // n,
        ["dram.channels"] = values["dram.channels"] // n, ["l2.bytes"] = values["l2.bytes"] // n}
end

local parts = {["part of the board"] = part_of}

local LEAST <const> = 64 << 10 -- bytes of the small L2, about

parts["small L2"] = function(values)
    local changes = part_of(values)
    local unit = 128 * changes["l2.slices"] * values["l2.ways"]
    changes["l2.bytes"] = math.min((LEAST + unit - 1) // unit * unit, changes["l2.bytes"])
    return changes
end

-- All but im2col, which moves most bytes anyway, and the rulebook: the input is about bytes.
local SMALL_L2 <const> = {"unfold", "unfold-all", "dense-direct", "implicit", "indexed-implicit"}

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
        local trial = trial_of(name, kind, found.case.p, found.case, more.rows, bench.board.values)
        trial.again, trial.how = found.name, kind == "append" and "lists appended" or "L2 warm"
        entry.trials[#entry.trials + 1] = trial
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

-- The input of a row: what was measured, and the trial.
local function input(bench, option, row)
    local values, c, name = bench.board.values, workload.scan(bench.ctx, row, option.layout, option.scans == "made")
    local small = row.on == "small L2" and option.method == "all"
    local changes = row.on and parts[row.on](values) or {}
    bench.stage = row.on and ("%s, %s"):format(name, row.on) or name
    bench:on(changes)
    local found = runs.input(bench, c, small and SMALL_L2 or compared(bench, option.methods))
    bench:on {}
    found.methods[#option.methods + 1] = nil -- not a method of its own
    found.name, found.case = bench.stage, c
    local trial = trial_of(found.name, row.kind, c.p, c, found.rows,
        lists.merge({sms = values.sms, ["l2.bytes"] = values["l2.bytes"]}, changes))
    trial.only = small and "bytes" or nil
    return found, trial
end

local function inputs(bench, option, entry)
    local rows = workload.inputs(option)
    for _, row in ipairs(rows) do
        local again_too = row.again and not option.brief
        bench.work = (option.brief and trials.WORK or SHARE.inputs) / #rows / (again_too and 3 or 1)
        local found, trial = input(bench, option, row)
        entry.scans[#entry.scans + 1], entry.trials[#entry.trials + 1] = found, trial
        if again_too then
            again(bench, entry, found)
        end
    end
    if option.method ~= "all" then
        check_ran(entry.scans, option.method)
    end
end

-- ---- densities ----

-- The crossovers of a sweep by the claims' ids, of claims against methods that compute every window, but for what
-- arithmetic says. Against the others costs cross again and again within a few percent.
function trials.turns(s, methods)
    local found, has = {}, {}
    for _, name in ipairs(methods) do
        has[name], has[name .. " unmasked"] = true, true
    end
    local function all(names)
        for _, name in ipairs(names) do
            if not has[name] then
                return false
            end
        end
        return true
    end
    for _, part in ipairs {false, true} do -- these are interpolated between all that was measured for the others
        for _, row in ipairs(claims.rows) do
            if row.rivals and views.dense[row.rivals[1]] and row.metric ~= "asked" and (row.part or false) == part and
                all(row.methods) and all(row.rivals) then
                local of = claims.metrics[row.metric].of
                local turn = s:turn(row.methods, row.rivals, type(of) == "function" and of or function(one)
                    return one[of]
                end, part)
                found[row.id] = turn and {label = "random " .. s.name, param = "density", found = turn,
                    kind = "random", upto = s.upto}
            end
        end
    end
    return found
end

local function densities(bench, option, entry)
    entry.sweeps, entry.turns = {}, {}
    local geometries = workload.geometries(option.positions)
    for i, geometry in ipairs(geometries) do
        bench.work = SHARE.densities / #geometries
        local s = sweep.new(bench, geometry.name, workload.problem(geometry, option.layout),
            geometry.upto)
        entry.sweeps[i] = s
        s:fill(compared(bench, option.methods))
        for _, point in ipairs(s:begun()) do
            local name = ("random %s, %.3g %%"):format(s.name, 100 * point.density)
            entry.trials[#entry.trials + 1] = trial_of(name, "random", s.p, point, point.rows,
                bench.board.values)
        end
        bench.work = nil
        if bench.line and option.method == "all" then
            bench.line.step(("%s: crossovers of %s"):format(bench.board.name, s.name), SHARE.search / #geometries)
        end
        s.turns = trials.turns(s, option.methods)
        for id, turn in pairs(s.turns) do
            entry.turns[id] = entry.turns[id] or {}
            table.insert(entry.turns[id], turn)
        end
    end
end

function trials.measure(bench, option)
    local entry = {methods = option.methods, scans = {}, again = {}, trials = {}}
    inputs(bench, option, entry)
    if not option.brief then
        densities(bench, option, entry)
    end
    return entry
end

return trials
