-- Verdicts on the claims about the reorder in registers, from measurements: "holds", "holds when", "does not hold".
--
--   for _, claim in ipairs(claims.judge(m, measured, true)) do print(claim.claim, claim.verdict, claim.text) end
--
-- holds           it beats every measured method through shared memory
-- holds when      it beats the naive one, not the strongest; or it is true under the stated condition
-- does not hold   it beats none
--
-- A verdict comes with the value of a board key at the crossover, found by bisection with all other values unchanged.
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local claims = {}

local METHOD = "transit1"               -- as it was published
local OTHER = "shuffle2"                -- without a transit register
local NAIVE = "shared-linear-block"     -- addresses computed for each reorder, a barrier of the block
local FAIR = {"shared-linear", "shared-vector", "shared-scatter"} -- addresses kept, a barrier of the warp

-- The varied keys, and the range in which a crossover is searched.
local ranges = {
    ["latency.xext"] = {1, 500}, ["latency.shfl"] = {1, 500}, ["latency.xpush"] = {1, 500},
    ["lanes.xlane"] = {1, 64}, ["lanes.alu"] = {1, 64}, ["shared.latency"] = {1, 500},
    ["shared.pass_cycles"] = {1, 64}, ["barrier.cycles"] = {0, 1000},
}

-- Cycles of one reorder alone are compared exactly. Those of a full SM depend slightly on the order of warps, those of
-- an FFT a little more: differences up to these shares count as none.
local ALONE, FULL, FFT = 0, study.MARGIN, 0.05

local function less(a, b, margin)
    return a < (1 - margin) * b
end

-- ---- crossovers ----

-- Where `holds`, a function of whole numbers, changes between low and high: {always = answer}, or {last, first, below}:
-- it gives `below` for last and the other answer for first = last + 1. Of several changes one is found.
function claims.bisect(low, high, holds)
    local at_low = holds(low)
    if holds(high) == at_low then
        return {always = at_low}
    end
    while high - low > 1 do
        local middle = (low + high) // 2
        if holds(middle) == at_low then
            low = middle
        else
            high = middle
        end
    end
    return {last = low, first = high, below = at_low}
end

-- The crossover of two costs, functions of the method's name, over a key of the board.
local function crossover(m, key, measure, method, rival)
    local low, high = ranges[key][1], ranges[key][2]
    local found = claims.bisect(low, high, function(value)
        return m:with({[key] = value}, function()
            return less(measure.cost(method), measure.cost(rival), measure.margin)
        end)
    end)
    found.key, found.low, found.high, found.rival, found.method = key, low, high, rival, method
    found.here = m.board.values[key]
    return found
end

-- "with latency.xext up to 31 (here 24)"
local function about(c)
    local span
    if c.always ~= nil then
        return ("with %s %s from %d to %d (here %d)"):format(c.always and "any" or "no", c.key, c.low, c.high, c.here)
    elseif c.below then
        span = "up to " .. c.last
    else
        span = ("from %d on"):format(c.first)
    end
    return ("with %s %s (here %d)"):format(c.key, span, c.here)
end

-- Searches the crossovers of several keys, unless m.turn is off: adds them to the claim, and to its text a sentence
-- that begins with `start`.
local function add_crossovers(claim, m, start, keys, measure, rival)
    local words = {}
    claim.crossovers = claim.crossovers or {}
    for i, key in ipairs(m.turn and keys or {}) do
        local found = crossover(m, key, measure, claim.method, rival)
        claim.crossovers[#claim.crossovers + 1], words[i] = found, about(found)
    end
    if #words > 0 then
        claim.text = ("%s %s%s beats %s %s."):format(claim.text, start, claim.method, rival, table.concat(words, "; "))
    end
    return claim
end

-- ---- judging ----

local number = report.short

-- Additional cycles of a full SM.
local function extra(cycles, base)
    return math.abs(cycles) > FULL * base and number(cycles) or "nothing that can be measured"
end

-- The cheapest measured method of FAIR.
local function strongest(rows, cost)
    local best
    for _, name in ipairs(FAIR) do
        local is = cost(rows[name])
        if is and (not best or is < cost(rows[best])) then
            best = name
        end
    end
    return best
end

-- One method against the naive and the strongest way through shared memory. `spec`: id, claim, unit, margin, cost and
-- naive (functions of a measured row); cost_now (of a method's name, on the board as it is turned) and keys, if any.
local function against_shared(m, rows, method, spec)
    local fair = strongest(rows, spec.cost)
    local mine, naive, best = spec.cost(rows[method]), spec.naive(rows[NAIVE]), spec.cost(rows[fair])
    local claim = {
        id = spec.id .. "." .. method, claim = spec.claim:format(method), verdict = "does not hold",
        numbers = {method = mine, naive = naive, strongest = best}, method = method, naive = NAIVE, strongest = fair,
    }
    if less(mine, best, spec.margin) and less(mine, naive, spec.margin) then
        claim.verdict = "holds"
    elseif less(mine, naive, spec.margin) then
        claim.verdict, claim.condition = "holds when", "the baseline is the naive one"
    end
    claim.text = ("%s %s %s; %s %s, naive; %s %s, the strongest."):format(method, number(mine), spec.unit, NAIVE,
        number(naive), fair, number(best))
    return add_crossovers(claim, m, "", spec.keys and spec.keys[method] or {},
        {cost = spec.cost_now, margin = spec.margin}, fair)
end

local function latency(m, rows, method)
    return against_shared(m, rows, method, {
        id = "latency", claim = "One reorder by %s takes less time than one through shared memory", unit = "cycles",
        cost = function(row) return row.latency end, naive = function(row) return row.latency_unhoisted end,
        cost_now = function(name) return m:alone(name) end, margin = ALONE,
        keys = {[METHOD] = {"latency.xext", "latency.shfl", "shared.latency"},
            [OTHER] = {"latency.shfl", "shared.latency"}},
    })
end

local function throughput(m, rows, method)
    return against_shared(m, rows, method, {
        id = "throughput", claim = "A full SM does more reorders by %s than through shared memory",
        unit = "cycles for each", margin = FULL,
        cost = function(row) return row.full end, naive = function(row) return row.full_unhoisted end,
        cost_now = function(name) return m:full(name).cycles end,
        keys = {[METHOD] = {"lanes.xlane", "shared.pass_cycles"}, [OTHER] = {"lanes.xlane", "shared.pass_cycles"}},
    })
end

local function end_to_end(m, rows, method)
    local claim = against_shared(m, rows, method, {
        id = "fft", claim = "An FFT with the reorder by %s is faster than one through shared memory",
        unit = "cycles for each FFT", margin = FFT,
        cost = function(row) return row.fft end, naive = function(row) return row.fft end,
    })
    local without = rows["8-byte load"].fft
    claim.numbers.without = without
    claim.text = claim.text .. (" Pairs loaded by 8 bytes, without a reorder, %s."):format(number(without))
    return claim
end

-- Whether computing no addresses saves time depends on how often the other methods compute theirs.
local function addresses(_, rows)
    local fair = strongest(rows, function(row) return row.latency end)
    local mine, other, register = rows[METHOD], rows[fair], rows[OTHER]
    local late, slow = other.latency_unhoisted - other.latency, other.full_unhoisted - other.full
    local saves = mine.address_instructions == 0 and (late > 0 or slow > FULL * other.full)
    return {
        id = "addresses", claim = "The reorder computes no addresses, which saves time",
        verdict = saves and "holds when" or "does not hold",
        condition = saves and "the baseline computes its addresses again for each reorder" or nil,
        numbers = {method = mine.address_instructions, strongest = other.address_instructions, latency_saved = late,
            full_saved = slow},
        method = METHOD, strongest = fair,
        text = ("For addresses, lane numbers and predicates %s has %d instructions, %s %d, %s %d. They add %s " ..
            "cycles to one reorder by %s and %s on a full SM; kept in registers, nothing."):format(METHOD,
            mine.address_instructions, fair, other.address_instructions, OTHER, register.address_instructions,
            number(late), fair, extra(slow, other.full)),
    }
end

-- What the barrier alone costs: the same stores and loads without one, with that of a warp, with that of a block.
local function barrier(m, rows)
    local free, warp, block = rows["shared-vector-nobar"], rows["shared-vector"], rows["shared-vector-block"]
    local late, slow, slow_block = warp.latency - free.latency, warp.full - free.full, block.full - free.full
    local together = {cost = function(name) return m:in_a_row(name, m.warps) end, margin = ALONE}
    local late_block = together.cost "shared-vector-block" - together.cost "shared-vector-nobar"
    local claim = {
        id = "barrier", claim = "The reorder waits for no barrier, which saves time",
        verdict = late > 0 and "holds" or late_block > 0 and "holds when" or "does not hold",
        condition = late <= 0 and late_block > 0 and "the baseline uses the barrier of the block" or nil,
        numbers = {latency_warp = late, full_warp = slow, latency_block = late_block, full_block = slow_block},
        method = METHOD,
        text = ("The barrier of a warp adds %s cycles to one reorder by shared-vector and %s on a full SM; that of " ..
            "a block of %d warps, when they reorder in a row, %s, and %s on a full SM."):format(number(late),
            extra(slow, free.full), m.warps, number(late_block), extra(slow_block, free.full)),
    }
    return add_crossovers(claim, m, "In such a block, alone on the SM, ", {"barrier.cycles"}, together,
        "shared-vector-block")
end

local function bandwidth(m, rows)
    local fair = strongest(rows, function(row) return row.full end)
    local mine, other = rows[METHOD], rows[fair]
    local taken = 100 * other.passes * m.board.values["shared.pass_cycles"] / other.full
    return {
        id = "bandwidth", claim = "The reorder saves bandwidth of shared memory",
        verdict = mine.passes < other.passes and "holds" or "does not hold",
        numbers = {method = mine.passes, strongest = other.passes, naive = rows[NAIVE].passes, taken = taken},
        method = METHOD, strongest = fair, naive = NAIVE,
        text = ("%s takes %s passes, %s %s, %s %s. An SM full of reorders by %s uses %.0f %% of its passes."):format(
            METHOD, number(mine.passes), fair, number(other.passes), NAIVE, number(rows[NAIVE].passes), fair, taken),
    }
end

local function transit_register(m, rows)
    local mine, other = rows[METHOD], rows[OTHER]
    local quick, many = less(mine.latency, other.latency, ALONE), less(mine.full, other.full, FULL)
    local alone = {cost = function(name) return m:alone(name) end, margin = ALONE}
    local full = {cost = function(name) return m:full(name).cycles end, margin = FULL}
    local claim = {
        id = "transit", claim = "It is the transit register that makes the reorder fast",
        verdict = quick and many and "holds" or (quick or many) and "holds when" or "does not hold",
        condition = quick ~= many and (quick and "only latency counts" or "only a full SM counts") or nil,
        numbers = {latency = mine.latency, latency_shuffle2 = other.latency, full = mine.full,
            full_shuffle2 = other.full},
        method = METHOD,
        text = ("%s takes %s cycles alone and %s on a full SM, in %s instructions; %s, without a transit register, " ..
            "%s and %s, in %s."):format(METHOD, number(mine.latency), number(mine.full), number(mine.instructions),
            OTHER, number(other.latency), number(other.full), number(other.instructions)),
    }
    add_crossovers(claim, m, "Alone, ", {"latency.xext", "latency.xpush"}, alone, OTHER)
    return add_crossovers(claim, m, "On a full SM, ", {"lanes.xlane", "lanes.alu"}, full, OTHER)
end

-- All claims; `rows` are the measured methods by name (heddle.reorder.measure). Without `turn` no crossovers are
-- searched.
function claims.judge(m, rows, turn)
    local list = {}
    m.turn = turn
    for _, judge in ipairs {latency, throughput, end_to_end} do
        for _, method in ipairs {METHOD, OTHER} do
            list[#list + 1] = judge(m, rows, method)
        end
    end
    for _, judge in ipairs {addresses, barrier, bandwidth, transit_register} do
        list[#list + 1] = judge(m, rows)
    end
    return list
end

return claims
