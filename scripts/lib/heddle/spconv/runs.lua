-- The runs of the convolution study on a board: one input by some methods, or its own scans and random occupancies.
--
--   runs.check(bench, p, name)             ends the study where a method, or none of "all", fits the board
--   runs.input(bench, c, methods)          {methods = {row, ...}, by = {method = row}}, rows of heddle.spconv.measure
--   runs.warning(p, {windows = 9, active = 8, methods = list, boards = 1})   nil, or that this takes long
--   runs.points(bench, c, by, methods)     these costs relative to the crossovers of heddle.spconv.crossover
--   runs.work(c, by, methods)              work of a sweep of random occupancies of that shape, as a multiple
--   runs.shape(bench, c.p, methods)        that sweep
--   runs.workloads(bench, option)          {methods, scans = {...}, sweeps = {...}}
local case = require "heddle.spconv.case"
local costs = require "heddle.spconv.costs"
local crossover = require "heddle.spconv.crossover"
local pipeline = require "heddle.spconv.pipeline"
local study = require "heddle.kit.study"
local workload = require "heddle.spconv.workload"

local runs = {}

-- A message without the method's name as its prefix.
local function without_name(text, name)
    local front = name .. ": "
    return text:sub(1, #front) == front and text:sub(#front + 1) or text
end

-- Runs a single window of such channels, filters and kernel sizes, before anything is measured or printed.
function runs.check(bench, p, name)
    local first
    for _, method in ipairs(name == "all" and pipeline.methods or {name}) do
        local why = pipeline.refusal(bench.ctx, method, p, {type = bench:type_of(method), warp = bench.width})
        if not why then
            return
        end
        first = first or ("%s: %s"):format(method, without_name(why, method))
    end
    study.refuse("%s", first)
end

-- One method, or {skipped = why} when its tensors or its kernels do not fit the board.
local function attempt(bench, c, name)
    local why = case.unfit(c.p, c.windows, name, select(2, bench:type_of(name)))
    if why then
        return {method = name, skipped = why}
    end
    local ok, row = pcall(bench.run, bench, c, name)
    if ok then
        return row
    elseif type(row) ~= "table" or row.kind ~= "input" then
        error(row, 0)
    end
    return {method = name, skipped = without_name((row.message:gsub("^.*error: ", "")), name)}
end

local LONG <const> = 1e9 -- multiplications, which take minutes at some ten million a second

-- A warning for long runs, with the approximate number of multiplications: by shape those of each method on each board
-- (also of methods that do not fit), and those of the reference, once. Without those of --crossover.
function runs.warning(p, o)
    local of = costs.macs(p, o.windows, p.volume * o.windows * o.active / p.positions)
    local function all(methods)
        local sum = 0.0
        for _, name in ipairs(methods) do
            sum = sum + (crossover.dense[name] and of.dense or name == "rulebook" and of.rulebook or of.unfold)
        end
        return o.boards * sum + of.rulebook
    end
    local asked, one = all(o.methods), all {"unfold"}
    if asked < LONG then
        return nil
    end
    return ("up to %.2g multiplications are to be simulated, which may take long%s"):format(asked,
        #o.methods > 1 and ("; with --method unfold %.2g"):format(one) or "")
end

-- The methods on one input. When none can run the study ends.
function runs.input(bench, c, methods)
    local found = {methods = {}, by = {}}
    for i, name in ipairs(methods) do
        local row = attempt(bench, c, name)
        found.methods[i] = row
        found.by[name] = not row.skipped and row or nil
    end
    if not next(found.by) then
        study.refuse("%s: %s", found.methods[1].method, found.methods[1].skipped)
    end
    return found
end

-- ---- scans ----

-- Ends the study when the method requested by name could run on no scan.
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

-- The scans whose grids have at most twice as many positions as those of random occupancy; one if brief.
local function scans(bench, option, methods)
    local list = {}
    for _, row in ipairs(workload.scans) do
        local positions = row.cells[1] * row.cells[2] * (row.cells[3] or 1)
        if row.brief == option.brief and (option.brief or positions <= 2 * option.positions) then
            local c, name = workload.scan(bench.ctx, row, option.layout, option.scans == "made")
            bench.stage = name
            local found = runs.input(bench, c, methods)
            found.name, found.case = name, c
            list[#list + 1] = found
        end
    end
    if option.method ~= "all" then
        check_ran(list, option.method)
    end
    return list
end

-- ---- densities ----

-- The machine of predictions; see heddle.spconv.crossover.
function runs.how(bench)
    return {machine = bench.machine, element = bench.type == "f16" and 2 or 4}
end

-- The baselines of unfolding: the other methods of a list, all others when it has unfold alone.
function runs.baselines(methods)
    local list = {}
    for _, name in ipairs(methods) do
        list[#list + 1] = not name:find "^unfold" and name or nil
    end
    return #methods == 1 and methods[1] == "unfold" and runs.baselines(pipeline.methods) or list
end

-- The crossovers of an unfolding method with a baseline: {masked, alone, predicted}; nil when one was not measured.
local function turns(sweep, method, baseline, key, how)
    local masked = crossover.measured(sweep, method, baseline, key, false)
    return masked and {
        masked = masked,
        alone = crossover.dense[baseline] and crossover.measured(sweep, method, baseline, key, true) or nil,
        predicted = crossover.predicted(sweep.p, baseline, key, how),
    }
end

-- The crossovers with all baselines, by every measure; `written`: those of unfold-all.
local function crossovers(sweep, methods, how)
    local list, written = {}, crossover.written(how)
    for _, baseline in ipairs(runs.baselines(methods)) do
        for _, m in ipairs(crossover.measures) do
            local found = turns(sweep, "unfold", baseline, m.key, how)
            if found then
                found.baseline, found.key, found.measure = baseline, m.key, m.name
                found.written = turns(sweep, "unfold-all", baseline, m.key, written)
                list[#list + 1] = found
            end
        end
    end
    return list
end

-- The same at one input: a point for each.
function runs.points(bench, c, by, methods)
    local list, how = {}, runs.how(bench)
    for _, baseline in ipairs(runs.baselines(methods)) do
        for _, m in ipairs(crossover.measures) do
            local point = crossover.point(c, by, baseline, m.key, how)
            if point then
                point.baseline, point.key, point.measure = baseline, m.key, m.name
                point.written = crossover.point(c, by, baseline, m.key, crossover.written(how), "unfold-all")
                list[#list + 1] = point
            end
        end
    end
    return list
end

-- Random occupancies of a problem, in order of density. Methods that compute every window run at both ends only.
local function sweep_of(bench, name, p, densities, methods)
    local sweep = {name = name, p = p, points = {}}
    for i, density in ipairs(densities) do
        bench.stage = ("%s, %g %%"):format(name, 100 * density)
        local c = workload.random(bench.ctx, p, density)
        local chosen = {}
        for _, method in ipairs(methods) do
            if not crossover.dense[method] or i == 1 or i == #densities then
                chosen[#chosen + 1] = method
            end
        end
        local found = runs.input(bench, c, chosen)
        sweep.points[i] = {density = c.density, q = c.q, windows = c.windows, by = found.by}
    end
    sweep.crossovers = crossovers(sweep, methods, runs.how(bench))
    return sweep
end

-- A sweep of the shape of an input; nil when it would not have two points.
function runs.shape(bench, p, methods)
    local densities, cut = workload.densities_of(p, runs.how(bench).element)
    local sweep = #densities > 1 and sweep_of(bench, "this-shape", p, densities, methods) or nil
    if sweep then
        sweep.cut = cut
    end
    return sweep
end

-- The work of such a sweep as a multiple of that of one input, by warp-instructions; nil where that is not known. The
-- work of sparse methods grows with the density. An estimate: some occupancies may not fit.
function runs.work(c, by, methods)
    local once, swept = 0, 0
    for _, name in ipairs(methods) do
        local of = by[name] and by[name].warp_instructions
        if not of or c.windows == 0 then
            return nil
        end
        once = once + of
        for i, density in ipairs(workload.densities) do
            local dense = crossover.dense[name] and (i <= 2 and 1 or 0) -- two runs of the same cost
            swept = swept + of * (dense or math.max(1, density / c.density))
        end
    end
    return swept / once
end

-- option: methods (names), layout, positions, scans, brief.
function runs.workloads(bench, option)
    local entry = {methods = option.methods, scans = scans(bench, option, option.methods)}
    if not option.brief then
        entry.sweeps = {}
        for i, geometry in ipairs(workload.geometries(option.positions)) do
            entry.sweeps[i] = sweep_of(bench, geometry.name, workload.problem(geometry, option.layout),
                workload.densities, option.methods)
        end
    end
    return entry
end

return runs
