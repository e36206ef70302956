-- The workloads on which the claims about the packed mask are measured.
--
--   for _, o in ipairs(plan.workloads(option)) do print(o.trial, o.name, o.side) end
local input = require "heddle.mask.input"
local methods = require "heddle.mask.methods"

local plan = {LENGTHS = {24, 64, 100, 256, 333, 384, 512, 729, 1001}} -- default sides of the masks

-- Series of softmaxes: rivals load four scores at a time where all rows begin at whole fours, and only there.
plan.FOURS, plan.OTHERS = "L in fours", "other L"

local LARGE <const> = 1536 -- side of one image that DRAM bounds
local KINDS_AT <const> = {[64] = true, [512] = true, [729] = true, [1001] = true} -- of which every kind is in place
local LARGEST <const> = {1263, 1264} -- and at last: runs of an odd side begin at no multiple of what a thread takes
local LENGTH_ALL <const> = 512 -- above, in-place fills are those that have been fastest
local HEADS <const> = {{128, {2, 8}}, {512, {1, 2, 4}}} -- that share a mask, by its side
local MASKS <const> = {"padding", "blocks", "random"} -- beside causal ones
local SCORES <const> = {64, 65, 256, 333, 512, 730} -- sides of the softmaxes: rows of whole fours, and others
local TYPES <const> = {{"int8", {64, 512, 1000}}, {"fp32", {64, 512}}, {"fp64", {64, 512, 640}}}
local SENTENCES <const>, SENTENCE <const> = 16, 24 -- of the small case, and their longest

-- What fills are compared by, without what others are always faster than; and fills in place.
local FILLS <const> = methods.of {gives = {"words", "flat", "fill"}, mask = {"bool", "bits", "words", "flat"},
    control = false, shared = false}
local SHARED <const> = methods.of {gives = "fill", mask = {"bool", "words", "flat", "none"}}
local STORES <const> = methods.of {gives = "store", control = false}

local function is_store(name)
    return methods.by[name].gives == "store"
end

-- Masks of every side: causal ones, and at some sides the other kinds, of which fills in place are timed.
local function of_sides(option, add)
    local heads = option.method ~= "all" and option.heads or 1 -- all methods have a sweep of heads
    local function in_place(kind, side, series)
        add("in place", ("%s, L = %d"):format(kind, side), {side = side, heads = heads, kind = kind,
            series = series or kind, timed = is_store,
            methods = not option.length and (side > LENGTH_ALL and STORES or methods.of {gives = "store"}) or nil})
    end
    for _, side in ipairs(option.lengths) do
        add("length", ("L = %d"):format(side), {side = side, heads = heads, series = option.type.name})
        for _, kind in ipairs(option.method ~= "causal" and (option.length or KINDS_AT[side]) and MASKS or {}) do
            in_place(kind, side)
        end
    end
    if not option.length and not option.brief and option.method == "all" then
        for _, side in ipairs(LARGEST) do
            in_place("causal", side, option.type.name)
        end
        for _, kind in ipairs(MASKS) do
            in_place(kind, LARGEST[1])
        end
    end
end

-- Large tensors, and other types of elements.
local function of_types(option, add)
    add("large", ("L = %d"):format(LARGE), {side = LARGE, n = 1, methods = FILLS, series = option.type.name})
    for _, row in ipairs(TYPES) do
        for _, side in ipairs(row[1] ~= option.type.name and row[2] or {}) do
            add("type", ("%s, L = %d"):format(row[1], side), {side = side, type = input.types[row[1]],
                methods = FILLS, series = row[1]})
        end
    end
end

-- Sentences, heads, softmaxes.
local function of_uses(option, largest, add)
    add("small", ("%d sentences of %d"):format(SENTENCES, SENTENCE), {side = SENTENCE, n = SENTENCES, kind = "padding",
        methods = FILLS})
    for _, row in ipairs(option.length and {{largest, HEADS[#HEADS][2]}} or HEADS) do
        for _, k in ipairs(option.heads and {1, option.heads > 1 and option.heads or nil} or row[2]) do
            add("heads", ("L = %d, K = %d"):format(row[1], k), {side = row[1], n = 1, heads = k, methods = SHARED})
        end
    end
    local softmaxes = {type = input.types.fp32, methods = methods.of {gives = "softmax"}}
    for _, side in ipairs(option.length and {largest} or SCORES) do
        add("softmax", ("%d x %d scores"):format(side, side), {side = side,
            series = side % 4 == 0 and plan.FOURS or plan.OTHERS}, softmaxes)
    end
    local side = math.min(256, largest)
    add("softmax", ("one image of %d x %d"):format(side, side), {side = side, n = 1}, softmaxes)
end

-- The workloads that are generated, in order: {trial (its kind in claims), name, side, kind, ...; `methods`: names (all
-- that fit), `timed`: a function of the name (all)}.
function plan.workloads(option)
    local list, largest = {}, math.min(512, option.lengths[#option.lengths])
    local function add(trial, name, fields, more)
        for key, value in pairs(more or {}) do
            fields[key] = value
        end
        fields.trial, fields.name, fields.kind = trial, name, fields.kind or "causal"
        list[#list + 1] = fields
    end
    of_sides(option, add)
    if option.method == "all" and not option.brief then
        if not option.length then
            of_types(option, add)
        end
        of_uses(option, largest, add)
    end
    return list
end

return plan
