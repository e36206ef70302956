-- The claims about the packed mask as rows of heddle.claims.judge: what is claimed, and of which methods.
--
--   local list = claims.judge(entry, option, at)        verdicts on what heddle.mask.measure measured of a board
--   claims.reuse(entry)                                  L x uses of one converted mask: which fill is faster
--
-- `at` is a function of a series (below), a parameter and its value, that measures such a workload, a trial; with it
-- conditions are searched. A fill knows rows as little as images, so that its cost follows from the elements of the
-- tensor; that of a softmax from L. Each side of a comparison is the best of all its forms: of words every order, of
-- booleans and of bits that are not rearranged every width of loads.
local heddle = require "heddle"
local judge = require "heddle.claims.judge"
local lists = require "heddle.kit.lists"
local mask = require "heddle.mask.definition"
local methods = require "heddle.mask.methods"
local search = require "heddle.claims.search"
local workload = require "heddle.mask.workload"

local claims = {}

local BOOL <const> = methods.of {gives = "fill", mask = "bool", shared = false}
local BITS <const> = methods.of {gives = "fill", mask = "bits"}
local WORDS <const> = methods.labels(methods.of {gives = "fill", mask = {"words", "flat"}, shared = false})
local SHARED <const> = lists.append(methods.of {mask = {"words", "flat"}, shared = true}, WORDS)
local SHARED_BOOL <const> = methods.of {mask = "bool", shared = true}
local STORES <const> = methods.of {gives = "store", mask = {"words", "flat"}}
local SOFTMAXES <const> = methods.of {gives = "softmax", mask = "words"}
local FILLS <const> = {"length", "large", "type", "small"}
local IN_PLACE <const> = {"length", "in place"}
local BY <const> = "elements"

-- Cycles of `times` fills after one conversion of the mask, where they need that; nil where it was not measured.
local function used(row, trial, times)
    local needed = methods.by[row.method].converter
    local conversion = not needed and {drained = 0} or trial.rows[needed]
    return conversion and times * row.drained + conversion.drained
end

-- Times include the write-back of what a launch left dirty in L2: a fill that reads less leaves more there, and would
-- look faster than it is. Bytes are counted, so that the smallest difference is one; instructions are those of whole
-- warps.
claims.METRICS = {
    time = {of = "drained", unit = "cycles", better = "faster", worse = "slower", bounded = true},
    once = {of = function(row, trial) return used(row, trial, 1) end, unit = "cycles", better = "faster",
        worse = "slower", bounded = true},
    bytes = {of = "bytes_per_element", unit = "bytes", better = "fewer", worse = "more", margin = 0.001,
        counted = true},
    size = {of = "mask_bytes", unit = "bytes", better = "smaller", worse = "larger", margin = 0},
    instructions = {of = "instructions", unit = "instructions", better = "fewer", worse = "more", margin = 0.01,
        counted = true},
}

-- True if nothing but sel and shl reads the words of a trial, but for an xor and a mov of each of their registers. The
-- order is the published one.
local function as_they_are(trial)
    local row = trial.rows["words linear"]
    local found = row and row.word_uses
    if not found then
        return nil
    end
    local once, parts, won = found.load * math.max(row.word_bits // 32, 1), {}, true
    local most = {load = found.load, sel = math.huge, shl = math.huge, xor = once, mov = once}
    for kind, n in pairs(found) do
        won = won and n <= (most[kind] or 0)
        parts[#parts + 1] = kind ~= "load" and ("%s %.3g"):format(kind, n) or nil
    end
    table.sort(parts)
    return {won = won, method = "words linear", note = table.concat(parts, ", ") .. " an element"}
end

claims.ROWS = {
    {id = "size", claim = "The mask is smaller", metric = "size", methods = {"words linear", "words-flat linear"},
        rivals = BOOL, on = FILLS,
        says = "The result mask is 1/32 of the mask (claims 1 to 8): of its elements, so 1/8 of its bytes.",
        refuted = "padding to whole tiles that takes more than seven of eight bits"},
    {id = "size.rows", claim = "The mask is smaller, row by row", metric = "size", methods = {"words linear"},
        rivals = BOOL, on = FILLS, says = "As published: each pair of rows has tiles of its own (claims 1 to 8).",
        refuted = "padding of each row to whole tiles that takes more than seven of eight bits"},
    {id = "bytes", claim = "Fewer bytes of the board than booleans", metric = "bytes", methods = WORDS, rivals = BOOL,
        on = FILLS, by = BY, says = "Loading the mask takes less of the board's bandwidth (claims 1 and 9).",
        refuted = "a size at which as many bytes move between chip and board"},
    {id = "time", claim = "Faster than booleans", metric = "time", methods = WORDS, rivals = BOOL, on = FILLS, by = BY,
        says = "The fill is faster, because loading the mask no longer dominates (claim 9).",
        refuted = "an equally fast fill by booleans, however many it loads at once"},
    {id = "as-they-are", claim = "Words are used as they are, by sel and shl", test = as_they_are, on = FILLS,
        says = "Each step selects by the top bit of the word and shifts it (claim 9).",
        refuted = "another instruction that reads a word, but for an xor of each for the polarity"},
    {id = "instructions", claim = "Fewer instructions than booleans", metric = "instructions", methods = WORDS,
        rivals = BOOL, on = FILLS, by = BY, says = "A select and a shift replace loads and comparisons (claim 9).",
        refuted = "a fill by booleans of as many elements a thread with as few instructions"},
    {id = "rearranging.bytes", claim = "Rearranging saves bytes, beside packing", metric = "bytes", methods = WORDS,
        rivals = BITS, on = FILLS, by = BY, says = "What the rearrangement adds to one bit an element.",
        refuted = "bits in the order of the rows that move as few bytes"},
    {id = "rearranging.time", claim = "Rearranging is faster than packing alone", metric = "time", methods = WORDS,
        rivals = BITS, on = FILLS, by = BY, says = "The rearrangement is what lets a warp use the bits (claims 1, 9).",
        refuted = "an equally fast fill by bits in the order of the rows"},
    {id = "conversion", claim = "A mask used once is worth converting", metric = "once", methods = WORDS, rivals = BOOL,
        on = FILLS, by = BY, says = "The conversion runs on the device before the fill (claims 1 and 2).",
        refuted = "a conversion that takes longer than the fill gains"},
    {id = "heads", claim = "Faster when K images share the mask", metric = "time", on = {"heads"},
        methods = SHARED, rivals = lists.append(lists.append({}, BOOL), SHARED_BOOL),
        says = "In attention all heads use one mask.", refuted = "caches that keep the boolean mask as well"},
    {id = "controls", claim = "Fewer bytes than a shared or computed mask", metric = "bytes", on = {"heads"},
        methods = SHARED, rivals = lists.append(SHARED_BOOL, methods.of {mask = "none"}), controls = true,
        says = "Only the packed mask spares the board its bytes (of all that move, x and y included).",
        refuted = "a mask that is loaded once for all heads, or computed from indices"},
    {id = "in-place", claim = "In place faster than booleans", metric = "time", methods = STORES,
        rivals = methods.of {gives = "store", mask = "bool"}, on = IN_PLACE, by = BY,
        says = "Where only masked elements are stored, the mask is most of what is read.",
        refuted = "an equally fast store by booleans"},
    {id = "rearranging.in-place", claim = "In place faster than packing alone", metric = "time",
        methods = STORES, rivals = methods.of {gives = "store", mask = "bits"}, on = IN_PLACE, by = BY,
        says = "What the rearrangement adds in place.", refuted = "an equally fast store by bits in the order of rows"},
    {id = "softmax", claim = "In a softmax faster than booleans", metric = "time", methods = SOFTMAXES,
        rivals = methods.of {gives = "softmax", mask = "bool"}, on = {"softmax"}, by = "L",
        says = "Masks of training a Transformer: scores are masked before their softmax.",
        refuted = "an equally fast softmax with a boolean mask"},
    {id = "rearranging.softmax", claim = "In a softmax faster than packing alone", metric = "time",
        methods = SOFTMAXES, rivals = methods.of {gives = "softmax", mask = "bits"}, on = {"softmax"}, by = "L",
        says = "What the rearrangement adds in a softmax.", refuted = "an equally fast softmax by bits in order"},
}

-- ---- trials ----

-- Measurements of a workload, for the judge.
function claims.trial(entry)
    local rows = {}
    for _, row in ipairs(entry.methods) do
        rows[row.label] = row.timed and row or nil
    end
    return {name = entry.name, kind = entry.trial, rows = rows,
        at = {L = entry.height, W = entry.width, K = entry.heads,
            elements = entry.n * entry.heads * entry.height * entry.width},
        series = entry.series}
end

-- All trials of a board.
function claims.trials(entry)
    local list = {}
    for _, group in ipairs {entry.kinds, entry.others} do
        for _, e in ipairs(group) do
            list[#list + 1] = claims.trial(e)
        end
    end
    return list
end

-- ---- conditions ----

-- From which width on the packed mask is smaller, which follows from its definition.
local function size_turns(option)
    local layout, list = mask.layout(option.bits, option.rows), {}
    local function add(height, label)
        local last = mask.not_smaller(layout, height)
        list[#list + 1] = {param = "W", label = label, found = last == math.huge and {always = false} or
            {turns = {{last = last, first = last + 1, at = last + 1, below = false}}}}
    end
    add(layout.rows, layout.rows > 1 and ("rows by %ds"):format(layout.rows) or "any rows")
    if layout.rows > 1 then
        add(1, "a single row")
    end
    return list
end

-- A series of workloads differs in size alone; here those that a row is judged on, and the trials of each by the
-- parameter of the row. Of several with the same value the one counts that is worst for the claim.
local function series_of(row, trials)
    local names, by_name = {}, {}
    for _, trial in ipairs(trials) do
        local v = trial.series and judge.all({row}, claims.METRICS, {trial})[1]
        if v then
            names[#names + 1] = not by_name[trial.series] and trial.series or nil
            by_name[trial.series] = by_name[trial.series] or {}
            local list, value = by_name[trial.series], trial.at[row.by]
            local worst = list[value] and judge.all({row}, claims.METRICS, {list[value]})[1].ratio_least
            list[value] = worst and worst <= v.ratio_least and list[value] or trial
        end
    end
    return names, by_name
end

local NEAR <const> = 1 + 2 * search.RAGGED -- what is slower by more on both sides of a size is not the best there

-- The row with only those methods and rivals that may be the best at a size between measured ones: of the nearest
-- trials on both sides, what was measured there. Of those that are counted the same on both, as the orders of a walk
-- are by bytes, the first stands for all.
local function contenders(row, measured, size)
    local low, high
    for known in pairs(measured) do
        low = known <= size and math.max(known, low or known) or low
        high = known >= size and math.min(known, high or known) or high
    end
    local function some(names)
        local list, counted = {}, {}
        for _, name in ipairs(names) do
            local near, counts = false, ""
            for _, known in ipairs {low, high} do
                local v = judge.all({{id = "", methods = {name}, rivals = names, metric = row.metric}}, claims.METRICS,
                    {measured[known]})[1]
                near = near or v and v.ratio_least * NEAR >= 1
                counts = ("%s %s"):format(counts, v and v.ratio_least)
            end
            counts = claims.METRICS[row.metric].counted and counts or name
            list[#list + 1] = near and not counted[counts] and name or nil
            counted[counts] = near or counted[counts]
        end
        return list
    end
    return {id = row.id, methods = some(row.methods), rivals = some(row.rivals), metric = row.metric}
end

-- Values of its parameter where a claim turns, for each series; and the trials between, by their outcome.
local function turns_of(row, trials, at)
    local list, tried, names, by_name = {}, {[true] = {}, [false] = {}}, series_of(row, trials)
    for _, name in ipairs(names) do
        local sampled, sizes = by_name[name], {}
        local measured = lists.merge(sampled)
        for size in pairs(sampled) do
            sizes[#sizes + 1] = size
        end
        table.sort(sizes)
        local label = row.on == IN_PLACE and not workload.kinds[name] and "causal" or name
        local found = search.turn {
            samples = sizes, margin = claims.METRICS[row.metric].margin, integer = true, tolerance = search.TOLERANCE,
            ragged = true, ratio = function(size)
                local trial = sampled[size] or at(name, row.by, size)
                local v = judge.all({contenders(row, measured, size)}, claims.METRICS, {trial})[1]
                measured[size] = measured[size] or trial.measured
                if v and not sampled[size] then
                    trial.name, trial.kind = ("%s, %s"):format(label, trial.name), row.on[1]
                    local won = v.won > 0
                    table.insert(tried[won], trial)
                end
                return v and v.ratio_least
            end,
        }
        list[#list + 1] = {param = row.by, label = label, found = found}
    end
    return list, tried
end

-- True if a claim may turn between the trials: it does on them, or nearly does. What is counted follows a formula.
local function may_turn(v)
    local near = v.won > 0 and v.won < v.inputs
    for _, trial in ipairs(claims.METRICS[v.metric].counted and {} or v.trials) do
        near = near or search.near(trial.ratio, v.margin)
    end
    return near
end

-- The verdicts. Conditions are searched; where that finds the first trial of another outcome, it is one more input.
function claims.judge(entry, option, at)
    local trials, turns = claims.trials(entry), {["size.rows"] = size_turns(option)}
    local list, rows = judge.all(claims.ROWS, claims.METRICS, trials, turns), lists.by(claims.ROWS, "id")
    for i, v in ipairs(list) do
        local row = rows[v.id]
        if at and row.by and may_turn(v) then
            local found, tried = turns_of(row, trials, at)
            turns[row.id] = found
            local lost = v.won == 0
            local other = (lost or v.won == v.inputs) and tried[lost][1]
            list[i] = judge.all({row}, claims.METRICS, lists.append({other or nil}, trials), turns)[1]
        end
    end
    return heddle.array(list)
end

-- ---- L x reuse ----

local USES <const> = {1, 2, 4, 8, 16, 32, 64}

-- Finds the faster fill for each number of uses of a converted mask, the best of each and all costs as measured.
function claims.reuse(entry)
    local trials, sides_of = {}, {}
    for _, trial in ipairs(claims.trials(entry)) do
        if (trial.kind == "length" or trial.kind == "large") and trial.rows.convert then
            trials[trial.at.L], sides_of[#sides_of + 1] = trial, trial.at.L
        end
    end
    table.sort(sides_of)
    return search.map {
        x = {name = "L", values = sides_of}, y = {name = "uses", values = USES},
        cell = function(side, uses)
            local v = judge.all({{id = "", methods = WORDS, rivals = BOOL, metric = "spent"}},
                {spent = {of = function(row, trial) return used(row, trial, uses) end}}, {trials[side]})[1]
            local ratio, less = v and v.ratio_least, v and 1 - v.margin
            return not v and "" or ratio * less > 1 and ("words %.2f"):format(ratio) or
                ratio < less and ("bool %.2f"):format(1 / ratio) or "equal"
        end,
    }
end

return claims
