-- What the convolution study runs on a board: one input by some methods, or its own scans and random occupancies.
--
--   runs.input(bench, c, methods)          {methods = {row, ...}, by = {method = row}}, rows as of heddle.spconv_board
--   runs.workloads(bench, option)          {methods, scans = {...}, sweeps = {...}}
local case = require "heddle.spconv_case"
local crossover = require "heddle.spconv_crossover"
local study = require "heddle.study"
local workload = require "heddle.spconv_workload"

local runs = {}

-- One method, or {skipped = why} when its tensors do not fit, or the board has not what its kernels need.
local function attempt(bench, c, name)
    local why = case.unfit(c.p, c.windows, name, bench:type_of(name) == "f16" and 2 or 4)
    if why then
        return {method = name, skipped = why}
    end
    local ok, row = pcall(bench.run, bench, c, name)
    if ok then
        return row
    elseif type(row) ~= "table" or row.kind ~= "input" then
        error(row, 0)
    end
    return {method = name, skipped = (row.message:gsub("^.*error: ", ""))}
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

-- Ends the study when the method that was asked for by name could run on no scan.
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

-- What unfolding is compared with, by every measure.
local function crossovers(sweep, methods, machine)
    local list = {}
    for _, baseline in ipairs(methods) do
        for _, m in ipairs(crossover.measures) do
            local masked = not baseline:find "^unfold" and crossover.measured(sweep, "unfold", baseline, m.key, false)
            if masked then
                list[#list + 1] = {
                    baseline = baseline, key = m.key, measure = m.name, masked = masked,
                    alone = crossover.dense[baseline] and crossover.measured(sweep, "unfold", baseline, m.key, true),
                    predicted = crossover.predicted(sweep.p, baseline, m.key, machine),
                }
                list[#list].alone = list[#list].alone or nil
            end
        end
    end
    return list
end

local function sweep_of(bench, option, geometry, methods)
    local sweep = {name = geometry.name, points = {}}
    for i, density in ipairs(workload.densities) do
        bench.stage = ("%s, %g %%"):format(geometry.name, 100 * density)
        local c = workload.random(bench.ctx, geometry, density, option.layout)
        local chosen = {}
        for _, name in ipairs(methods) do
            if not crossover.dense[name] or workload.dense_densities[density] then
                chosen[#chosen + 1] = name
            end
        end
        local found = runs.input(bench, c, chosen)
        sweep.p = c.p
        sweep.points[i] = {density = c.density, q = c.q, windows = c.windows, by = found.by}
    end
    sweep.crossovers = crossovers(sweep, methods, bench.machine)
    return sweep
end

-- option: methods (names), layout, positions, scans, brief.
function runs.workloads(bench, option)
    local entry = {methods = option.methods, scans = scans(bench, option, option.methods)}
    if not option.brief then
        entry.sweeps = {}
        for i, geometry in ipairs(workload.geometries(option.positions)) do
            entry.sweeps[i] = sweep_of(bench, option, geometry, option.methods)
        end
    end
    return entry
end

return runs
