-- Energies by the board's values that they are linear in, and verdicts that rest on what a board assumes.
--
--   local parts = energies.of(result)              {["energy.l1"] = joules, ...}; with +, - and * number
--   energies.ranges(board)                         {["energy.l1"] = {value, low, high, basis}, ...}, of those with one
--   energies.bound(trials, ranges, judged)         where the outcome changes within the ranges; nil: nowhere
--
-- A row of heddle.claims.judge whose metric has `parts` is judged again at other energies than the board's: its cost
-- is the sum of the row's `energies`, each as large as the value is then. Nothing is measured again.
local energies = {}

local parts = {}

local function combine(a, b, sign)
    local out = setmetatable({}, parts)
    for key, v in pairs(type(a) == "table" and a or {}) do
        out[key] = v
    end
    for key, v in pairs(type(b) == "table" and b or {}) do
        out[key] = (out[key] or 0.0) + sign * v
    end
    return out
end

function parts.__add(a, b) return combine(a, b, 1) end
function parts.__sub(a, b) return combine(a, b, -1) end
function parts.__mul(a, factor)
    return combine(nil, type(a) == "table" and a or factor, type(a) == "table" and factor or a)
end

energies.none = setmetatable({}, parts)

-- The dynamic energy of a launch in joules.
function energies.of(result)
    local out = setmetatable({}, parts)
    for key, part in pairs(result.energy) do
        out[key] = key:find "^energy%." and 1e-12 * part.picojoules or nil
    end
    return out
end

-- True if launches of the board have energy of it: DRAM's is of its bursts or of its commands.
local function counts(board, key)
    local commands = board.values["dram.energy"] == "commands"
    return key:find "^energy%." and not (key == "energy.dram" and commands)
        and (commands or not key:find "^energy%.dram_")
end

-- The ranges of the board's energies that have one and are not 0.
function energies.ranges(board)
    local out = {}
    for _, row in ipairs(board.ctx:values()) do
        local key = row.key
        if counts(board, key) and board.low[key] and board.values[key] > 0 then
            out[key] = {value = board.values[key], low = board.low[key], high = board.high[key],
                basis = board.basis[key]}
        end
    end
    return out
end

-- The cost of a row at energies {[key] = times the board's}.
function energies.cost(row, times)
    local sum = 0
    for key, joules in pairs(row.energies) do
        sum = sum + joules * (times[key] or 1)
    end
    return sum
end

-- ---- where an outcome changes ----

local STEPS <const> = 8 -- on the way to an end of a range, before halving

-- True if one of the energies is assumed; nil if none is.
function energies.assumed(ranges)
    for _, range in pairs(ranges) do
        if range.basis == "assumed" then
            return true
        end
    end
    return nil
end

-- Finds the share of the way to {[key] = times} at which outcome(times there) begins to be false; nil if it does not.
local function share_of(outcome, ends)
    local function at(share)
        local times = {}
        for key, to in pairs(ends) do
            times[key] = 1 + share * (to - 1)
        end
        return outcome(times)
    end
    for i = 1, STEPS do
        if not at(i / STEPS) then
            local good, bad = (i - 1) / STEPS, i / STEPS
            while bad - good > 1e-4 do
                local middle = (good + bad) / 2
                if at(middle) then
                    good = middle
                else
                    bad = middle
                end
            end
            return good
        end
    end
    return nil
end

-- The bound (heddle.claims.condition) on the energy whose change by the least factor turns the outcome over; nil where
-- no single one does.
local function alone(outcome, ranges)
    local nearest, least = nil, math.huge
    for key, range in pairs(ranges) do
        for _, to in ipairs {range.low, range.high} do
            local share = share_of(outcome, {[key] = to / range.value})
            local value = share and range.value + share * (to - range.value)
            local far = value and math.abs(math.log(value / range.value))
            if far and (far < least or far == least and key < nearest.param) then
                least = far
                nearest = {param = key, [to > range.value and "most" or "least"] = value, from = range.low,
                    to = range.high, here = range.value, basis = range.basis}
            end
        end
    end
    return nearest
end

-- The ends of the ranges that are worst for the outcome of a trial: at which its method costs most beside its rival if
-- it has won, and least if it has lost.
local function ends_of(trial, result, ranges)
    local won, mine, other, ends = result.won, trial.rows[result.method].energies, trial.rows[result.rival].energies, {}
    for key, range in pairs(ranges) do
        local more = (mine[key] or 0) / result.cost > (other[key] or 0) / result.rival_cost
        ends[key] = (more == won and range.high or range.low) / range.value
    end
    return ends
end

-- Finds where the outcome of trials, true on all or on none, changes within the ranges of the energies: a bound on one
-- of them, or on all at once. trials: {{trial, result}, ...}; judged(trial, times): whether the claim is true there.
function energies.bound(trials, ranges, judged)
    local won, least = trials[1][2].won, nil
    local function outcome(times)
        for _, one in ipairs(trials) do
            if judged(one[1], times) ~= won then
                return false
            end
        end
        return true
    end
    local bound = alone(outcome, ranges)
    for _, one in ipairs(bound and {} or trials) do
        local share = share_of(function(times) return judged(one[1], times) == won end, ends_of(one[1], one[2], ranges))
        least = share and math.min(share, least or share) or least
    end
    local word = energies.assumed(ranges) and "assumed " or ""
    return bound or least and {param = ("all %senergies at once"):format(word), share = true, most = least} or nil
end

return energies
