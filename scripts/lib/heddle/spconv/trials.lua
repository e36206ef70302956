-- What the claims about the convolution are judged on, measured on a board: scans and sizes, some of them again with a
-- warm L2 and with appended lists; random occupancies over the density, with the crossovers between.
--
--   trials.measure(bench, option)     {methods, scans, again, trials, and unless brief: sweeps, turns}
--
-- option: methods (names), layout, positions, scans, brief, method. scans: inputs with their measurements, as of
-- runs.input, with name and case; again: {name, by} of what was measured another time; trials: of heddle.claims.judge.
local lists = require "heddle.kit.lists"
local pipeline = require "heddle.spconv.pipeline"
local study = require "heddle.kit.study"
local sweep = require "heddle.spconv.sweep"
local workload = require "heddle.spconv.workload"

local trials = {WORK = 100} -- of a whole study in its progress

-- Of it the inputs, the densities and the search for crossovers: as measured on a100.
local SHARE <const> = {inputs = 35, densities = 42, search = 23}

-- Methods that the claims compare, and in fp16 what stands beside those that take only that.
local function compared(bench, methods)
    return lists.append({table.unpack(methods)}, lists.map(bench.type == "f32" and methods, function(name)
        return pipeline.by[name].beside
    end))
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

local PARTS <const> = 20 -- a small input on a part of the board stands for one this many times as large on all of it

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

-- Those of predicted bytes but an explicit matrix of every window, which moves most anyway: the input is about bytes.
local SMALL_L2 <const> = pipeline.names(function(row)
    return not row.type and row.bytes and row.bytes ~= "explicit"
end)

-- ---- inputs ----

-- The same input another way, unless all of the study has it so: with L2 as the launch before left it, and with lists
-- by atomic append where a method takes them so.
local AGAIN <const> = {{by = "warm", how = "L2 warm"}, {by = "append", how = "lists appended", only = "unordered"}}

local function again(bench, entry, found, kind)
    local names = lists.map(entry.methods, function(name)
        return (not kind.only or pipeline.by[name][kind.only]) and name or nil
    end)
    local more = #names > 0 and bench:input(found.case, compared(bench, names), {[kind.by] = true}) or {}
    local rows, name = lists.merge(kind.only and found.rows, more.rows), ("%s, %s"):format(found.name, kind.how)
    local trial = trial_of(name, kind.by, found.case.p, found.case, rows, bench.board.values)
    trial.again, trial.how = found.name, kind.how
    entry.again[#entry.again + 1], entry.trials[#entry.trials + 1] = {name = name, by = more.by or {}}, trial
end

-- Ends the study when the method requested by name could run on no input.
local function check_ran(scans, name)
    local ran = lists.any(scans, function(found) return found.by[name] end)
    local row = not ran and #scans > 0 and lists.by(scans[#scans].methods, "method")[name]
    if row then
        study.refuse("%s: %s", name, row.skipped)
    end
end

-- The input of a row: what was measured, and the trial.
local function input(bench, option, row)
    local values, c, name = bench.board.values, workload.scan(bench.ctx, row, option.layout, option.scans == "made")
    local small = row.on == "small L2" and option.method == "all"
    local changes = row.on and parts[row.on](values) or {}
    bench.stage = row.on and ("%s, %s"):format(name, row.on) or name
    bench:on(changes)
    local found = bench:input(c, small and SMALL_L2 or compared(bench, option.methods))
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
        local kinds = lists.map(row.again and not option.brief and AGAIN, function(kind)
            return not bench[kind.by] and kind or nil
        end)
        bench.work = (option.brief and trials.WORK or SHARE.inputs) / #rows / (1 + #kinds)
        local found, trial = input(bench, option, row)
        entry.scans[#entry.scans + 1], entry.trials[#entry.trials + 1] = found, trial
        for _, kind in ipairs(kinds) do
            again(bench, entry, found, kind)
        end
    end
    if option.method ~= "all" then
        check_ran(entry.scans, option.method)
    end
end

-- ---- densities ----

local function densities(bench, option, entry)
    entry.sweeps, entry.turns = {}, {}
    local geometries = workload.geometries(option.positions)
    for i, geometry in ipairs(geometries) do
        bench.work = SHARE.densities / #geometries
        local s = sweep.new(bench, geometry.name, workload.problem(geometry, option.layout), geometry.upto)
        entry.sweeps[i] = s
        s:fill(compared(bench, option.methods))
        for _, point in ipairs(s:begun()) do
            local name = ("random %s, %.3g %%"):format(s.name, 100 * point.density)
            entry.trials[#entry.trials + 1] = trial_of(name, "random", s.p, point, point.rows, bench.board.values)
        end
        bench.work = nil
        if bench.line and option.method == "all" then
            bench.line.step(("%s: crossovers of %s"):format(bench.board.name, s.name), SHARE.search / #geometries)
        end
        s:search(option.methods)
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
