-- Costs over the density of random occupancy: interpolated between measurements to find where the order turns, and
-- measured there.
--
--   local s = sweep.new(bench, "3x3", p)
--   s:row("unfold", 0.1)                       a row of heddle.spconv.measure at that density, or nil: it does not fit
--   s:turn({"unfold"}, {"implicit"}, cost)     the crossover of the cheapest of each, as heddle.claims.search has it
--   s:search(methods)                          sets s.turns, the crossovers by the claims' ids
--   s.densities                                those to begin with; s.cut: more do not fit
--   s.points                                   {{density, q, windows, by = {method = row}, rows = ...}, ...} in order
--   s.worst                                    the largest deviation of a cost that was interpolated and then measured
local claims = require "heddle.spconv.claims"
local lists = require "heddle.kit.lists"
local measure = require "heddle.spconv.measure"
local pipeline = require "heddle.spconv.pipeline"
local search = require "heddle.claims.search"
local workload = require "heddle.spconv.workload"

local sweep = {}
sweep.__index = sweep

-- Densities no further apart than the tolerance of a crossover, with those to begin with.
local function grid(densities)
    local list = {}
    for i = #densities, 1, -1 do
        local at = densities[i]
        table.insert(list, 1, at)
        while densities[i - 1] and at > (1 + search.TOLERANCE) * densities[i - 1] do
            at = at / (1 + search.TOLERANCE)
            table.insert(list, 1, at)
        end
    end
    return list
end

-- upto: the largest density (1).
function sweep.new(bench, name, p, upto)
    local self = setmetatable({bench = bench, name = name, p = p, upto = upto, points = {}, worst = 0.0}, sweep)
    self.densities, self.cut = workload.densities_of(p, bench.type == "f16" and 2 or 4, upto)
    self.grid = grid(self.densities)
    return self
end

-- Methods at the densities to begin with.
function sweep:fill(methods)
    local work = self.bench.work
    self.bench.work = work and work / (#self.densities * #methods)
    for _, density in ipairs(self.densities) do
        for _, name in ipairs(methods) do
            self:row(name, density)
        end
    end
    self.bench.work = work
end

-- The point of a density. The tensors of the last one only are kept.
function sweep:point(density)
    local at = 1
    for i, point in ipairs(self.points) do
        if point.asked == density then
            return point
        end
        at = point.asked < density and i + 1 or at
    end
    local c = workload.random(self.bench.ctx, self.p, density)
    local point = {asked = density, density = c.density, q = c.q, windows = c.windows, active = c.active, by = {},
        rows = {}}
    table.insert(self.points, at, point)
    self.last = {point = point, case = c}
    return point
end

-- The points to begin with, not those of a search.
function sweep:begun()
    return lists.map(self.densities, function(density) return self:point(density) end)
end

-- A dense method's row at another density, all but whose mask costs the same here; nil where it has to run as a whole.
function sweep:like(method)
    for _, point in ipairs(pipeline.views[method].dense and not self.bench.warm and self.points or {}) do
        if point.rows[method] then
            return point.rows[method]
        end
    end
    return nil
end

function sweep:row(name, density)
    local point, view = self:point(density), pipeline.views[name]
    local method = view.part and view.method or name
    if point.rows[method] == nil then
        if self.last.point ~= point then
            self.last = {point = point, case = workload.random(self.bench.ctx, self.p, density)}
        end
        self.bench.stage = ("%s, %.3g %%"):format(self.name, 100 * density)
        local row = self.bench:attempt(self.last.case, method, {like = self:like(method)})
        point.by[method], point.rows[method] = not row.skipped and row or nil, false
        measure.view(point.rows, method, point.by[method])
    end
    return point.rows[name] or nil
end

-- Row that is known without measuring: that at a density, or one between the nearest that were measured, or nil.
function sweep:known(name, density)
    local low, high
    for _, point in ipairs(self.points) do
        if point.rows[name] and point.asked <= density then
            low = point
        elseif point.rows[name] and not high then
            high = point
        end
    end
    if low and low.asked == density then
        return low.rows[name]
    end
    return low and high and measure.between(low.rows[name], high.rows[name],
        (density - low.asked) / (high.asked - low.asked)) or nil
end

-- The cost of the cheapest of some methods at a density, as far as it is known; nil without any.
function sweep:least(names, cost, density)
    return select(2, lists.least(names, function(name)
        local row = self:known(name, density)
        return row and cost(row)
    end))
end

local function ratio(mine, other)
    return mine == other and 1.0 or other / mine
end

local CLOSE <const> = 1.05 -- of the cheapest: what may be it when it is measured

-- Measures what was interpolated at the end of a bracket; whether anything was.
function sweep:confirm(density, names, cost)
    local changed, limit = false, CLOSE * (self:least(names, cost, density))
    for _, name in ipairs(names) do
        local guess = self:known(name, density)
        if guess and cost(guess) <= limit and self:point(density).rows[name] == nil and self:row(name, density) then
            changed = true
            self.worst = math.max(self.worst, math.abs(cost(guess) / cost(self:row(name, density)) - 1))
        end
    end
    return changed
end

-- The crossover on the grid, of what is known of the costs.
function sweep:interpolated(methods, rivals, cost)
    local measured = lists.set(lists.map(self.points, function(point) return point.asked end))
    local samples = lists.map(self.grid, function(density, i) return measured[density] and i or nil end)
    local found = search.turn {samples = samples, integer = true, ratio = function(i)
        return ratio(self:least(methods, cost, self.grid[i]), self:least(rivals, cost, self.grid[i]))
    end}
    found.from, found.to = self.grid[found.from], self.grid[found.to]
    for _, turn in ipairs(found.turns or {}) do
        turn.last, turn.first = self.grid[turn.last], self.grid[turn.first]
        turn.at = math.sqrt(turn.last * turn.first)
    end
    return found
end

local NEAR <const> = 1.1

-- Without gains between densities closer than that: of costs that hardly differ.
local function steady(found)
    local turns = found.turns
    for i = turns and #turns - 1 or 0, 1, -1 do
        if turns[i + 1] and not turns[i].below and turns[i + 1].at < NEAR * turns[i].at then
            table.remove(turns, i + 1)
            table.remove(turns, i)
        end
    end
    return turns and #turns == 0 and {always = false, from = found.from, to = found.to} or found
end

-- Costs are interpolated on a grid as fine as the tolerance, of which all claims measure the same few densities: both
-- ends of what seems to be the bracket, again and again, until it is one of measured costs. nil where a side does not
-- fit. `roughly`: nothing is measured, and what was found is marked so.
function sweep:turn(methods, rivals, cost, roughly)
    local first, last = self.densities[1], self.densities[#self.densities]
    for _, density in ipairs {first, last} do
        if not self:least(methods, cost, density) or not self:least(rivals, cost, density) then
            return nil
        end
    end
    local found, changed
    repeat
        found, changed = steady(self:interpolated(methods, rivals, cost)), false
        found.rough = roughly or nil
        for _, turn in ipairs(not roughly and found.turns or {}) do
            for _, density in ipairs {turn.last, turn.first} do
                changed = self:confirm(density, methods, cost) or changed
                changed = self:confirm(density, rivals, cost) or changed
            end
        end
    until not changed
    return found
end

-- The crossovers by the claims' ids, of claims against methods that compute every window, except those that arithmetic
-- decides. Against the others costs cross again and again within a few percent.
function sweep:search(methods)
    local has = {}
    for _, name in ipairs(methods) do
        has[name], has[name .. " unmasked"] = true, true
    end
    local function lacks(name) return not has[name] end
    self.turns = {}
    for _, part in ipairs {false, true} do -- these are interpolated between all that was measured for the others
        for _, row in ipairs(claims.rows) do
            if row.rivals and pipeline.views[row.rivals[1]].dense and row.metric ~= "asked" and
                (row.part or false) == part and not lists.any(row.methods, lacks) and
                not lists.any(row.rivals, lacks) then
                local of = claims.metrics[row.metric].of
                local turn = self:turn(row.methods, row.rivals, type(of) == "function" and of or
                    function(one) return one[of] end, part)
                self.turns[row.id] = turn and {label = "random " .. self.name, param = "density", found = turn}
            end
        end
    end
end

return sweep
