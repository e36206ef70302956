-- Where one method begins or ceases to cost less than another: a crossover over a parameter, and maps over two.
--
--   local found = search.turn {samples = {0.001, 0.01, 0.1, 1}, ratio = function(density) return 1.7 end}
--   search.text(found)          "below 0.57", "from 212 on", "always", "never", "equal"
--   search.map {x = {name = "density", values = {0.01, 0.1}}, y = {name = "channels", values = {4, 16}},
--       cell = function(density, channels) return "unfold" end}
--
-- `ratio` gives the rival's cost for 1 of the method's, or nil where they cannot be compared; it is called once for
-- each value, and costs that differ by no more than `margin` (study.MARGIN) count as equal. A change between two
-- samples is bisected until its bracket is narrower than `tolerance` (3 %), with integer = true by whole numbers,
-- exactly where no tolerance is given. Of several changes between two neighbouring samples one is found. A sample
-- without a ratio is left out, and no bracket is narrowed beyond a value without one.
local heddle = require "heddle"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local search = {TOLERANCE = 0.03}

-- Whether the method wins (1), loses (-1) or neither (0).
local function side(ratio, margin)
    return study.beats(1, ratio, margin) and 1 or study.beats(ratio, 1, margin) and -1 or 0
end

-- Narrows a bracket at whose ends `wins` differs; parameters above 0 are halved by their geometric mean.
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

-- {always = true | false} where nothing changes (`equal`: the costs never differ), else {turns = {{last, first, at,
-- below}, ...}}: up to `last` the method wins (below) or does not, from `first` on the other way round; `at` lies
-- between.
function search.turn(o)
    local margin, known = o.margin or study.MARGIN, {}
    local function side_at(v)
        if known[v] == nil then
            local ratio = o.ratio(v)
            known[v] = ratio and side(ratio, margin) or false
        end
        return known[v]
    end
    local function wins(v)
        if not side_at(v) then
            return nil
        end
        return side_at(v) > 0
    end
    local found, equal, samples = heddle.array {}, true, {}
    for _, v in ipairs(o.samples) do
        samples[#samples + 1] = side_at(v) and v or nil
    end
    for i, v in ipairs(samples) do
        equal = side_at(v) == 0 and equal
        local before = samples[i - 1]
        if before and wins(before) ~= wins(v) then
            local last, first = bisect(before, v,
                {wins = wins, integer = o.integer, tolerance = o.tolerance or o.integer and 0 or search.TOLERANCE})
            found[#found + 1] = {last = last, first = first, below = wins(before),
                at = o.integer and (wins(before) and last or first) or math.sqrt(last * first)}
        end
    end
    if #found == 0 then
        return {always = #samples > 0 and wins(samples[1]), equal = #samples > 0 and equal or nil}
    end
    return {turns = found}
end

-- Where the method wins: "always", "never", "below 0.57", "up to 12" (whole numbers), "0.003 to 0.4". `upto`: where the
-- search ended, short of all.
function search.text(found, upto)
    local function number(v)
        return math.type(v) == "integer" and tostring(v) or report.short(v)
    end
    if not found.turns then
        return found.equal and "equal" or not found.always and "never" or upto and "up to " .. number(upto) or "always"
    end
    local parts, list = {}, found.turns
    for i = list[1].below and 0 or 1, #list, 2 do
        local from, to = list[i], list[i + 1]
        local low, high = from and number(from.at), to and number(to.at)
        local whole = math.type((from or to).at) == "integer"
        parts[#parts + 1] = not low and (whole and "up to " or "below ") .. high or
            not high and (whole and "from %s on" or "above %s"):format(low) or ("%s to %s"):format(low, high)
    end
    return table.concat(parts, ", ")
end

-- Of what turns once: {at, way = "below" or "above" it}; nil of all else.
function search.one(found)
    local turn = found.turns and #found.turns == 1 and found.turns[1]
    return turn and {at = turn.at, way = turn.below and "below" or "above"} or nil
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
