-- What is claimed of the reorder in registers, and what the measurements say: "holds", "holds when", "does not hold".
--
--   for _, claim in ipairs(claims.judge(m, measured)) do print(claim.claim, claim.verdict, claim.text) end
--
-- holds           it beats every way through shared memory that was measured
-- holds when      it beats the naive way, not the strongest; or it is true under a condition, which is told
-- does not hold   it beats none
--
-- A difference of cycles that is no more than a hundredth counts as none. Beside the verdict stands the value of a key
-- of the board at which the comparison turns, found by bisection, everything else as the board has it.
local claims = {}

local METHOD = "transit1"               -- as it was published
local OTHER = "shuffle2"                -- without a transit register
local NAIVE = "shared-linear-block"     -- addresses computed for each reorder, a barrier of the block
local FAIR = {"shared-linear", "shared-vector", "shared-scatter"} -- addresses kept, a barrier of the warp

-- The keys that are turned, and the range in which a crossover is looked for.
local ranges = {
    ["latency.xext"] = {1, 500}, ["latency.shfl"] = {1, 500}, ["latency.xpush"] = {1, 500}, ["lanes.xlane"] = {1, 64},
    ["shared.latency"] = {1, 500}, ["shared.pass_cycles"] = {1, 64}, ["barrier.cycles"] = {0, 1000},
}

local function less(a, b)
    return a < 0.99 * b
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

-- The crossover of `cost(name)` of two methods when a key of the board is turned.
local function crossover(m, key, cost, method, rival)
    local range = ranges[key]
    local found = claims.bisect(range[1], range[2], function(value)
        return m:with({[key] = value}, function()
            return {less(cost(method), cost(rival))}
        end)[1]
    end)
    found.key, found.low, found.high, found.rival, found.method = key, range[1], range[2], rival, method
    found.here = m.board.values[key]
    return found
end

-- "up to latency.xext = 31 (here 24)"
local function about(c)
    local here = (" (here %s)"):format(c.here)
    if c.always ~= nil then
        return ("with %s %s in %d to %d"):format(c.always and "any" or "no", c.key .. here, c.low, c.high)
    elseif c.below then
        return ("up to %s = %d%s"):format(c.key, c.last, here)
    end
    return ("from %s = %d on%s"):format(c.key, c.first, here)
end

local function crossovers(m, keys, cost, method, rival)
    local list, words = {}, {}
    for i, key in ipairs(keys) do
        list[i] = crossover(m, key, cost, method, rival)
        words[i] = about(list[i])
    end
    return list, ("%s beats %s %s"):format(method, rival, table.concat(words, "; "))
end

-- ---- judging ----

local function number(v)
    return ("%.4g"):format(v)
end

-- The fair method of shared memory that costs least.
local function strongest(rows, cost)
    local best
    for _, name in ipairs(FAIR) do
        local is = cost(rows[name]) -- nil where it was not measured
        if is and (not best or is < cost(rows[best])) then
            best = name
        end
    end
    return best
end

-- One method against the naive and the strongest way through shared memory. `spec`: id, claim, unit, cost and naive
-- (functions of a measured row), turn (cost of a method by name on the board as it is turned), keys.
local function against_shared(m, rows, method, spec)
    local fair = strongest(rows, spec.cost)
    local mine, naive, best = spec.cost(rows[method]), spec.naive(rows[NAIVE]), spec.cost(rows[fair])
    local verdict, why = "does not hold", "it beats neither"
    if less(mine, best) then
        verdict, why = "holds", "it beats both"
    elseif less(mine, naive) then
        verdict, why = "holds when", "the baseline is the naive one; the strongest is not beaten"
    end
    local claim = {
        id = spec.id .. "." .. method, claim = spec.claim:format(method), verdict = verdict,
        numbers = {method = mine, naive = naive, strongest = best}, method = method, naive = NAIVE, strongest = fair,
    }
    local words = ("%s: %s %s; %s %s (naive), %s %s (strongest)."):format(why, number(mine), spec.unit, NAIVE,
        number(naive), fair, number(best))
    if spec.turn then
        local turned
        claim.crossovers, turned = crossovers(m, spec.keys[method], spec.turn, method, fair)
        words = words .. " " .. turned .. "."
    end
    claim.text = words
    return claim
end

local function latency(m, rows, method)
    return against_shared(m, rows, method, {
        id = "latency", claim = "One reorder by %s takes less time than one through shared memory", unit = "cycles",
        cost = function(row) return row.latency end, naive = function(row) return row.latency_unhoisted end,
        turn = function(name) return m:alone(name) end,
        keys = {[METHOD] = {"latency.xext", "latency.shfl", "shared.latency"},
            [OTHER] = {"latency.shfl", "shared.latency"}},
    })
end

local function throughput(m, rows, method)
    return against_shared(m, rows, method, {
        id = "throughput", claim = "A full SM does more reorders by %s than through shared memory",
        unit = "cycles for each",
        cost = function(row) return row.full end, naive = function(row) return row.full_unhoisted end,
        turn = function(name) return m:full(name).cycles end,
        keys = {[METHOD] = {"lanes.xlane", "shared.pass_cycles"}, [OTHER] = {"lanes.xlane", "shared.pass_cycles"}},
    })
end

local function end_to_end(m, rows, method)
    local claim = against_shared(m, rows, method, {
        id = "fft", claim = "An FFT with the reorder by %s is faster than one through shared memory",
        unit = "cycles for each FFT",
        cost = function(row) return row.fft end, naive = function(row) return row.fft end,
    })
    local without = rows["8-byte load"].fft
    claim.numbers.without = without
    claim.text = claim.text .. (" Without a reorder, pairs loaded by 8 bytes, it takes %s."):format(number(without))
    return claim
end

-- No addresses: that instructions are saved is a fact; whether time is saved depends on who computes them when.
local function addresses(rows)
    local fair = strongest(rows, function(row) return row.latency end)
    local mine, other = rows[METHOD], rows[fair]
    local late, slow = other.latency_unhoisted - other.latency, other.full_unhoisted - other.full
    local saves = mine.address_instructions == 0 and other.address_instructions > 0
    return {
        id = "addresses", claim = "The reorder computes no addresses, which saves time",
        verdict = not saves and "does not hold" or (late > 0 or slow > 0) and "holds when" or "does not hold",
        numbers = {method = mine.address_instructions, strongest = other.address_instructions, latency_saved = late,
            full_saved = slow},
        method = METHOD, strongest = fair,
        text = ("addresses are computed again for each reorder: %s has %d such instructions, %s %d, %s %d; they " ..
            "cost %s %s cycles of latency and %s cycles of a full SM. Kept in registers they cost nothing."):format(
            METHOD, mine.address_instructions, fair, other.address_instructions, OTHER,
            rows[OTHER].address_instructions, fair, number(late), number(slow)),
    }
end

-- What the barrier alone costs: the same stores and loads without one, with that of a warp, with that of a block.
local function barrier(m, rows)
    local free, warp, block = rows["shared-vector-nobar"], rows["shared-vector"], rows["shared-vector-block"]
    local late, slow = warp.latency - free.latency, warp.full - free.full
    local late_block, slow_block = block.latency_block - free.latency, block.full - free.full
    local turn = function(name) return m:alone(name, false, m.warps) end
    local found, turned = crossovers(m, {"barrier.cycles"}, turn, METHOD, "shared-vector-block")
    local waits = late > 0 or slow > 0.01 * warp.full
    return {
        id = "barrier", claim = "The reorder waits for no barrier, which saves time",
        verdict = waits and "holds" or (late_block > 0 or slow_block > 0) and "holds when" or "does not hold",
        numbers = {latency_warp = late, full_warp = slow, latency_block = late_block, full_block = slow_block},
        method = METHOD, crossovers = found,
        text = ("%sthe barrier of a warp costs shared-vector %s cycles of latency and %s of a full SM; that of a " ..
            "block %s and %s. %s, when a block has the SM for itself."):format(waits and "" or
            "the baseline uses the barrier of the block: ", number(late), number(slow), number(late_block),
            number(slow_block), turned),
    }
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
        text = ("%s takes %s passes, %s %s, %s %s. A full SM that does nothing but reorders through %s takes " ..
            "%.0f %% of the passes there are; the others are free for whoever else wants them."):format(METHOD,
            number(mine.passes), fair, number(other.passes), NAIVE, number(rows[NAIVE].passes), fair, taken),
    }
end

local function transit_register(m, rows)
    local mine, other = rows[METHOD], rows[OTHER]
    local quick, many = less(mine.latency, other.latency), less(mine.full, other.full)
    local function alone(name)
        return m:alone(name)
    end
    local function full(name)
        return m:full(name).cycles
    end
    local late, turned_late = crossovers(m, {"latency.xext", "latency.xpush"}, alone, METHOD, OTHER)
    local slow, turned_slow = crossovers(m, {"lanes.xlane"}, full, METHOD, OTHER)
    local verdict, why = "does not hold", "it is better at neither"
    if quick and many then
        verdict, why = "holds", "it is better at both"
    elseif quick or many then
        verdict, why = "holds when", ("only %s counts"):format(quick and "latency" or "throughput")
    end
    return {
        id = "transit", claim = "It is the transit register that makes the reorder fast", verdict = verdict,
        numbers = {latency = mine.latency, latency_shuffle2 = other.latency, full = mine.full,
            full_shuffle2 = other.full},
        method = METHOD, crossovers = table.move(slow, 1, #slow, #late + 1, late),
        text = ("%s: %s takes %s cycles alone and %s on a full SM, in %s instructions; %s, without a transit " ..
            "register, %s and %s, in %s. Alone: %s. Full: %s."):format(why, METHOD, number(mine.latency),
            number(mine.full), number(mine.instructions), OTHER, number(other.latency), number(other.full),
            number(other.instructions), turned_late, turned_slow),
    }
end

-- All claims; `rows` are the measured methods by name (scripts/studies/reorder.lua).
function claims.judge(m, rows)
    local list = {}
    for _, judge in ipairs {latency, throughput, end_to_end} do
        for _, method in ipairs {METHOD, OTHER} do
            list[#list + 1] = judge(m, rows, method)
        end
    end
    list[#list + 1] = addresses(rows)
    list[#list + 1] = barrier(m, rows)
    list[#list + 1] = bandwidth(m, rows)
    list[#list + 1] = transit_register(m, rows)
    return list
end

return claims
