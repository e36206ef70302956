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
local questions = require "heddle.claims.questions"
local search = require "heddle.claims.search"

local claims = {}

local BOOL <const> = methods.of {gives = "fill", mask = "bool", shared = false}
local BITS <const> = methods.of {gives = "fill", mask = "bits"}
local WORDS <const> = methods.labels(methods.of {gives = "fill", mask = {"words", "flat"}, shared = false})
local SHARED <const> = lists.append(methods.of {mask = {"words", "flat"}, shared = true}, WORDS)
local SHARED_BOOL <const> = methods.of {mask = "bool", shared = true}
local STORES <const> = methods.of {gives = "store", mask = {"words", "flat"}}
local SOFTMAXES <const> = methods.of {gives = "softmax", mask = "words"}
local FRAGMENTS <const> = methods.of {gives = "best", mask = "fragments"}
local FILLS <const> = {"length", "large", "masks", "type", "small"}
local IN_PLACE <const> = {"length", "in place"}
local BY <const> = "elements"

local function launched(row) return row.drained + row.overhead_cycles end

-- Cycles of `times` fills after one conversion of the mask, where they need that; nil where it was not measured.
local function used(row, trial, times)
    local needed = methods.by[row.method].converter
    local conversion = needed and trial.rows[needed]
    return (not needed or conversion) and times * launched(row) + (conversion and launched(conversion) or 0)
end

-- Times include the overhead of each launch, and the write-back of what a launch left dirty in L2: a fill that reads
-- less leaves more there, and would look faster than it is. Bytes are counted, so that the smallest difference is one;
-- instructions are those of whole warps.
claims.METRICS = {
    time = {of = launched, unit = "cycles with launches", better = "faster", worse = "slower", bounded = true,
        beside = "alone", beside_as = "without launches"},
    alone = {of = "drained", unit = "cycles", better = "faster", worse = "slower"},
    once = {of = function(row, trial) return used(row, trial, 1) end, unit = "cycles with launches", better = "faster",
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
    {id = "fragments", claim = "For accumulators faster than booleans", metric = "time", methods = FRAGMENTS,
        rivals = methods.of {gives = "best", mask = "bool"}, on = {"fragments"},
        says = "In attention scores lie in registers, and a word has the mask of 32 of them.",
        refuted = "booleans that are loaded as fast, in any order of the keys"},
    {id = "rearranging.fragments", claim = "Rearranging for accumulators is faster than packing alone",
        metric = "time", methods = FRAGMENTS, rivals = methods.of {gives = "best", mask = "bits"}, on = {"fragments"},
        says = "What the rearrangement adds where a lane has scores of two rows, two of every eight columns.",
        refuted = "bits in the order of rows, or of permuted keys, that are used as fast"},
}

-- ---- questions ----

local LEFT_OUT <const> = { -- of the first question below, by the ids of claims; the others are as `else`
    fragments = "tiles that a block mask skips, and limits of columns, because they spare K and V, not the mask of " ..
        "the tiles that are left",
    heads = "kernels of shared masks that do not read what is masked, because those that load a mask once are " ..
        "slower than those that leave it to the caches",
    softmax = "a softmax within attention, because it needs the products; its masks are those of accumulators",
    ["in-place"] = "a mask of whole tiles, because it cannot describe every mask",
    ["as-they-are"] = "nothing to compare with, because the claim is about the instructions of the method itself",
    ["else"] = "intervals of columns and masks of whole tiles, because they cannot describe every mask",
}
LEFT_OUT["rearranging.fragments"], LEFT_OUT["rearranging.softmax"] = LEFT_OUT.fragments, LEFT_OUT.softmax
LEFT_OUT["rearranging.in-place"], LEFT_OUT.controls = LEFT_OUT["in-place"], LEFT_OUT.heads

-- The methods of labels, each once.
local function names_of(labels)
    local found, list = {}, {}
    for _, label in ipairs(labels) do
        local name = label:match "^%S+"
        list[#list + 1] = not found[name] and name or nil
        found[name] = true
    end
    return list
end

for _, row in ipairs(claims.ROWS) do
    row.questions = {
        {question = "How would one do this in one launch, without the idea?",
            answer = row.rivals and names_of(row.rivals), left_out = LEFT_OUT[row.id] or LEFT_OUT["else"]},
        {question = "What would the owner of the idea choose?", answer = names_of(row.methods or {"words"})},
    }
end
questions.check("mask", claims.ROWS, methods.names)

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

-- The trials that a row is judged on, of each series, by the parameter of the row: a series differs in size alone. Of
-- several trials with one value the one counts that is worst for the claim. And the outcomes in order, "--+".
local function series_of(row, trials)
    local all = {}
    for _, trial in ipairs(trials) do
        local v = trial.series and judge.all({row}, claims.METRICS, {trial})[1]
        if v then
            local series = all[trial.series] or {name = trial.series, by = {}, sizes = {}}
            local size = trial.at[row.by]
            local known = series.by[size]
            all[#all + 1] = not all[trial.series] and series or nil
            all[trial.series], series.sizes[#series.sizes + 1] = series, not known and size or nil
            if not known or v.ratio_least < known.ratio then
                series.by[size] = {trial = trial, ratio = v.ratio_least, won = v.won > 0}
            end
        end
    end
    for _, series in ipairs(all) do
        table.sort(series.sizes)
        series.outcomes = table.concat(lists.map(series.sizes, function(size)
            return series.by[size].won and "+" or "-"
        end))
    end
    return all
end

-- True if all series turn the same way, once at most: only then has a condition a single end, which is worth a search.
local function have_one_end(all)
    return not lists.any(all, function(series) return not series.outcomes:find "^%-*%++$" end) or
        not lists.any(all, function(series) return not series.outcomes:find "^%++%-*$" end)
end

local NEAR <const> = 1 + 2 * search.RAGGED -- what is slower by more on both sides of a size is not the best there

-- The row with only those methods and rivals that may be the best at a size between measured ones: that are nearly so
-- on one of the nearest trials.
local function contenders(row, measured, size)
    local low, high
    for known in pairs(measured) do
        low = known <= size and math.max(known, low or known) or low
        high = known >= size and math.min(known, high or known) or high
    end
    local function some(names)
        return lists.map(names, function(name)
            return lists.any({low, high}, function(known)
                local v = judge.all({{id = "", methods = {name}, rivals = names, metric = row.metric}}, claims.METRICS,
                    {measured[known]})[1]
                return v and v.ratio_least * NEAR >= 1
            end) and name or nil
        end)
    end
    return {id = row.id, methods = some(row.methods), rivals = some(row.rivals), metric = row.metric}
end

-- Values of its parameter where a claim turns, for each series; `at`: as above, nil if nothing is searched.
local function turns_of(row, trials, at)
    local all = series_of(row, trials)
    local searched = at and have_one_end(all)
    return lists.map(all, function(series)
        local measured = {}
        for size, known in pairs(series.by) do
            measured[size] = known.trial
        end
        local function ratio(size)
            local known = series.by[size]
            local trial = not known and searched and at(series.name, row.by, size)
            local v = trial and judge.all({contenders(row, measured, size)}, claims.METRICS, {trial})[1]
            measured[size] = measured[size] or v and trial.measured
            return known and known.ratio or v and v.ratio_least
        end
        return {param = row.by, label = series.name, found = search.turn {samples = series.sizes, ratio = ratio,
            margin = claims.METRICS[row.metric].margin, integer = true, tolerance = search.TOLERANCE}}
    end)
end

-- The verdicts; conditions are searched where they can have a single end.
function claims.judge(entry, option, at)
    local trials, turns = claims.trials(entry), {["size.rows"] = size_turns(option)}
    for _, row in ipairs(claims.ROWS) do
        turns[row.id] = row.by and turns_of(row, trials, at) or turns[row.id]
    end
    return heddle.array(judge.all(claims.ROWS, claims.METRICS, trials, turns))
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
