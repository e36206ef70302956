-- The runs of the convolution study on a board: one input by some methods.
--
--   runs.check(bench, p, name)             ends the study where a method, or none of "all", fits the board
--   runs.attempt(bench, c, "unfold")       a row of heddle.spconv.measure, or {method, skipped = why}
--   runs.input(bench, c, methods)          {methods = {row, ...}, by = {method = row}, rows = of heddle.spconv.views}
--   runs.warning(p, {windows = 9, active = 8, methods = list, boards = 1})   nil, or that this takes long
local case = require "heddle.spconv.case"
local costs = require "heddle.spconv.costs"
local lists = require "heddle.kit.lists"
local measure = require "heddle.spconv.measure"
local pipeline = require "heddle.spconv.pipeline"
local study = require "heddle.kit.study"
local views = require "heddle.spconv.views"

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

-- One method, or {skipped = why} when its tensors or its kernels do not fit the board. "unfold fp16" is a method with x
-- and weights in fp16; how: as of measure:run.
function runs.attempt(bench, c, name, how)
    local method = name:gsub(" fp16$", "")
    if method ~= name then
        how = {type = "f16", warm = how and how.warm, append = how and how.append}
    end
    local why = case.unfit(c.p, c.windows, method, select(2, measure.taken(method, how and how.type or bench.type)))
    if why then
        return {method = method, skipped = why}
    end
    local row, missing = study.attempt(bench.run, bench, c, method, how)
    return row or {method = method, skipped = without_name(missing, method)}
end

local LONG <const> = 1e9 -- multiplications, which take minutes at some ten million a second

-- A warning for long runs, with the approximate number of multiplications: by shape those of each method on each board
-- (also of methods that do not fit), and those of the reference, once. Without those of --crossover.
function runs.warning(p, o)
    local of = costs.macs(p, o.windows, p.volume * o.windows * o.active / p.positions)
    local function all(methods)
        return o.boards * lists.sum(methods, function(name)
            return views.dense[name] and of.dense or name == "rulebook" and of.rulebook or of.unfold
        end) + of.rulebook
    end
    local asked, one = all(o.methods), all {"unfold"}
    if asked < LONG then
        return nil
    end
    return ("up to %.2g multiplications are to be simulated, which may take long%s"):format(asked,
        #o.methods > 1 and ("; with --method unfold %.2g"):format(one) or "")
end

-- The methods on one input; how: as of measure:run. When none can run the study ends.
function runs.input(bench, c, methods, how)
    local found, work = {methods = {}, by = {}, rows = {}}, bench.work
    bench.work = work and work / #methods
    for i, name in ipairs(methods) do
        local row = runs.attempt(bench, c, name, how)
        found.methods[i] = row
        found.by[name] = not row.skipped and row or nil
        views.add(found.rows, name, found.by[name])
    end
    bench.work = work
    if not next(found.by) then
        study.refuse("%s: %s", found.methods[1].method, found.methods[1].skipped)
    end
    return found
end

-- ---- densities ----

-- The machine of predictions; see heddle.spconv.crossover.
function runs.how(bench)
    return {machine = bench.machine, element = bench.type == "f16" and 2 or 4}
end

-- The baselines of unfolding: the other methods of a list, all others when it has unfold alone.
function runs.baselines(methods)
    local list = lists.map(methods, function(name) return not name:find "^unfold" and name or nil end)
    return #methods == 1 and methods[1] == "unfold" and runs.baselines(pipeline.methods) or list
end

return runs
