-- Searches where one method begins or ceases to cost less than another: a crossover over a parameter, maps over two.
--
--   local found = search.turn {samples = {0.001, 0.01, 0.1, 1}, ratio = function(density) return 1.7 end}
--   search.text(found)          "below 0.57", "from 212 on", "always from 0.001 to 1", "never", "equal"
--   search.map {x = {name = "density", values = {0.01, 0.1}}, y = {name = "channels", values = {4, 16}},
--       cell = function(density, channels) return "unfold" end}
--
-- `ratio` gives the rival's cost for 1 of the method's, or nil where they cannot be compared; it is called once for
-- each value, and costs that differ by no more than `margin` (study.MARGIN) count as equal. A change between two
-- samples is bisected until its bracket is narrower than `tolerance` (3 %), with integer = true by whole numbers, and
-- exactly without a tolerance. Of several changes between two neighbouring samples one is found. A sample without a
-- ratio is left out, and no bracket is narrowed beyond a value without one.
--
-- ragged = true is for ratios that vary by a few percent: neighbouring samples of one outcome are measured between,
-- too, if either is that near to the other outcome, and only the first and the last change count. Between these two the
-- only statement is that the method wins at some values.
local heddle = require "heddle"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local search = {
    TOLERANCE = 0.03,
    RAGGED = 0.05, -- assumed: noise of a ratio between measured values
}

-- Returns whether the method wins (1), loses (-1) or neither (0).
local function side(ratio, margin)
    return study.beats(1, ratio, margin) and 1 or study.beats(ratio, 1, margin) and -1 or 0
end

-- Narrows a bracket with different `wins` at its ends; parameters above 0 are halved by their geometric mean.
local function bisect(low, high, o)
    local at_low = o.wins(low)
    while (not o.integer or high - low > 1) and high > (1 + o.tolerance) * low do
        local middle = low > 0 and math.sqrt(low * high) or (low + high) / 2
        if o.integer then
            middle = o.tolerance > 0 and math.max(math.floor(middle), low + 1) or (low + high) // 2
        end
        local won = o.wins(middle)
        if won == nil then
            break
        elseif won == at_low then
            low = middle
        else
            high = middle
        end
    end
    return low, high
end

-- True if a noisy ratio may have another outcome close by.
function search.near(ratio, margin)
    return math.abs(ratio * (1 - margin) - 1) < search.RAGGED
end

-- The samples that have a ratio, where `o.ragged` with those between. known: ratios by value.
local function samples_of(o, known, margin)
    local samples = {}
    for _, v in ipairs(o.samples) do
        known[v] = o.ratio(v)
        local before = known[v] and samples[#samples]
        if o.ragged and before and side(known[v], margin) == side(known[before], margin) and
            (search.near(known[v], margin) or search.near(known[before], margin)) then
            local between = math.floor(math.sqrt(before * v))
            known[between] = between > before and o.ratio(between) or known[between]
            samples[#samples + 1] = between > before and known[between] and between or nil
        end
        samples[#samples + 1] = known[v] and v or nil
    end
    return samples
end

-- {always = true | false} where nothing changes (`equal`: the costs never differ), else {turns = {{last, first, at,
-- below}, ...}, ragged}; and `from`, `to`, the range that was searched. Up to `last` the method wins (below) or does
-- not, from `first` on the other way round; `at` lies between.
function search.turn(o)
    local margin, known, found, equal = o.margin or study.MARGIN, {}, heddle.array {}, true
    local samples = samples_of(o, known, margin)
    local function wins(v)
        known[v] = known[v] or o.ratio(v)
        return known[v] and side(known[v], margin) > 0
    end
    for i, v in ipairs(samples) do
        equal = side(known[v], margin) == 0 and equal
        if i > 1 and wins(samples[i - 1]) ~= wins(v) then
            found[#found + 1] = {samples[i - 1], v}
        end
    end
    local from, to = samples[1], samples[#samples]
    if #found == 0 then
        return {always = from ~= nil and wins(from), equal = from and equal or nil, from = from, to = to}
    elseif o.ragged and #found > 1 then
        found = heddle.array {found[1], found[#found]}
    end
    for i, ends in ipairs(found) do
        local below = wins(ends[1])
        local last, first = bisect(ends[1], ends[2],
            {wins = wins, integer = o.integer, tolerance = o.tolerance or o.integer and 0 or search.TOLERANCE})
        found[i] = {last = last, first = first, below = below,
            at = o.integer and (below and last or first) or math.sqrt(last * first)}
    end
    return {turns = found, ragged = o.ragged, from = from, to = to}
end

local function number(v)
    return math.type(v) == "integer" and report.count(v) or report.short(v)
end

-- "from 9 on, at some from 7 on", "up to 7, at some up to 9", "at some of 7 to 9", "all but some of 7 to 9", "at 9".
local function ragged_text(one, other)
    local low, high = number(one.at), number(other.at)
    if one.below ~= other.below and low == high then
        return (one.below and "all but " or "at ") .. low
    elseif one.below ~= other.below then
        return ("%s of %s to %s"):format(one.below and "all but some" or "at some", low, high)
    end
    return one.below and ("up to %s, at some up to %s"):format(low, high) or
        ("from %s on, at some from %s on"):format(high, low)
end

-- Describes where the method wins: "always from 1 to 64", the range that was searched, "never", "below 0.57", "up to
-- 12" (whole numbers), "0.003 to 0.4", and for interpolated ends (`rough`) "below about 0.57".
function search.text(found)
    if not found.turns then
        local range = found.from and (" from %s to %s"):format(number(found.from), number(found.to)) or ""
        return found.equal and "equal" or found.always and "always" .. range or "never"
    elseif found.ragged and #found.turns > 1 then
        return ragged_text(found.turns[1], found.turns[2])
    end
    local parts, list, about = {}, found.turns, found.rough and "about " or ""
    for i = list[1].below and 0 or 1, #list, 2 do
        local from, to = list[i], list[i + 1]
        local low, high = from and number(from.at), to and number(to.at)
        local whole = math.type((from or to).at) == "integer"
        parts[#parts + 1] = not low and (whole and "up to " or "below ") .. about .. high or
            not high and (whole and "from %s%s on" or "above %s%s"):format(about, low) or
            ("%s%s to %s"):format(about, low, high)
    end
    return table.concat(parts, ", ")
end

-- A map for heddle.claims.show: a row for each value of y, a column for each of x.
function search.map(o)
    local map = {x = o.x, y = o.y, cells = {}}
    for i, y in ipairs(o.y.values) do
        map.cells[i] = {}
        for k, x in ipairs(o.x.values) do
            map.cells[i][k] = o.cell(x, y)
        end
    end
    return map
end

return search
