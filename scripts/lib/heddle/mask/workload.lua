-- The generated masks and tensors of the mask study.
--
--   local text = workload.text()                          sentence lengths of an installed text, or generated ones
--   workload.kinds.causal(2, 64, text)                    2 images of 64 x 64: bytes, 1 where an element is masked
--   workload.bits(count, size)                            count elements of `size` bytes, any bit pattern
--
-- Every mask belongs to queries (rows) and keys (columns) of attention: true where a key must not be seen.
local home = require "heddle.kit.home"
local lists = require "heddle.kit.lists"
local random = require "heddle.kit.random"

local workload = {}

-- ---- lengths of real sentences ----

local TEXT = "/usr/share/games/fortunes/fortunes" -- Debian package fortunes-min

-- Words of a sentence: number of sentences of that text (version 1:1.99.1) by number of words. Used without the text.
local MADE = {5, 17, 29, 35, 52, 60, 49, 51, 43, 55, 35, 20, 18, 20, 8, 12, 11, [25] = 1}

-- The sentences of a text whose pieces are separated by lines of '%': words up to a '.', '!' or '?'.
local function sentences(text)
    local lengths = {}
    for piece in (text .. "\n%\n"):gmatch "(.-)\n%%\n" do
        for sentence in (piece .. " "):gmatch "(.-[.!?]+[\"')]*)%s" do
            local _, words = sentence:gsub("%S+", "")
            lengths[#lengths + 1] = words
        end
    end
    return lengths
end

-- As many sentences of each length as the table has, shuffled.
local function made()
    local lengths, r = {}, random.new(1)
    for words, n in pairs(MADE) do
        for _ = 1, n do
            lengths[#lengths + 1] = words
        end
    end
    table.sort(lengths)
    for i = #lengths, 2, -1 do
        local k = r:below(i) + 1
        lengths[i], lengths[k] = lengths[k], lengths[i]
    end
    return lengths
end

-- {lengths, about}: of the file, or nil when it has no sentence or cannot be read; without a path, of the installed
-- text or of generated sentences; "made" always generates them.
function workload.text(path)
    local file = path ~= "made" and io.open(path or home.packaged(TEXT), "rb")
    local bytes = file and file:read "a"
    if file then
        file:close()
    end
    local lengths = bytes and sentences(bytes) or {}
    if #lengths > 0 then
        return {lengths = lengths, about = ("the %d sentences of %s"):format(#lengths, path or TEXT)}
    elseif path and path ~= "made" then
        return nil
    end
    local about = "sentences with the lengths of those in Debian's package fortunes-min, shuffled"
    return {lengths = made(), about = about .. (path and "" or " (the package is not installed)")}
end

-- The first n sentences of at most `longest` words, from the start again when there are too few.
local function pick(text, n, longest)
    local fit, out = lists.map(text.lengths, function(length) return length <= longest and length or nil end), {}
    for i = 1, n do
        out[i] = fit[(i - 1) % #fit + 1] or longest -- no sentence is so short
    end
    return out
end

-- ---- masks ----

local function ones(n)
    return ("\1"):rep(n)
end

local function zeros(n)
    return ("\0"):rep(n)
end

local kinds = {}

-- A query sees no later key.
function kinds.causal(n, side)
    local rows = {}
    for r = 1, side do
        rows[r] = zeros(r) .. ones(side - r)
    end
    return table.concat(rows):rep(n)
end

-- Image i is sentence i: keys after its end are padding.
function kinds.padding(n, side, text)
    return table.concat(lists.map(pick(text, n, side), function(length)
        return (zeros(length) .. ones(side - length)):rep(side)
    end))
end

-- Sentences packed one after the other into a row of tokens: a query sees the keys of its own sentence.
function kinds.blocks(n, side, text)
    local images, at = {}, 1
    for i = 1, n do
        local rows, first = {}, 0
        while first < side do
            local length = math.min(text.lengths[(at - 1) % #text.lengths + 1], side - first)
            rows[#rows + 1] = (ones(first) .. zeros(length) .. ones(side - first - length)):rep(length)
            first, at = first + length, at + 1
        end
        images[i] = table.concat(rows)
    end
    return table.concat(images)
end

local eights = {} -- eight mask bytes by the byte that has their bits
for value = 0, 255 do
    local list = {}
    for bit = 0, 7 do
        list[bit + 1] = string.char(value >> bit & 1)
    end
    eights[value] = table.concat(list)
end

-- Each element by a coin of its own.
function kinds.random(n, side)
    local out, r = {}, random.new(2)
    for i = 0, (n * side * side + 63) // 64 - 1 do
        local v = r:bits()
        for k = 0, 7 do
            out[8 * i + k + 1] = eights[v >> 8 * k & 255]
        end
    end
    return table.concat(out):sub(1, n * side * side)
end

workload.kinds = kinds
workload.names = {"causal", "padding", "blocks", "random"}

-- ---- tensors ----

local POOL <const> = 65537 -- period of a tensor in elements: a prime, so that rows differ

-- Makes a function (count, size) that gives a tensor of random pieces, `width` bytes each, which are drawn once.
local function tensor_of(seed, width, piece)
    local drawn = ""
    return function(count, size)
        local period, bytes = math.min(count, POOL) * (size or width), count * (size or width)
        if #drawn < period then
            local list, r = {}, random.new(seed)
            for i = 1, (period + width - 1) // width do
                list[i] = piece(r:bits())
            end
            drawn = table.concat(list)
        end
        return drawn:sub(1, period):rep((bytes + period - 1) // period):sub(1, bytes)
    end
end

-- Elements of any bit pattern: NaNs with payloads, infinities and -0.0 are among them.
workload.bits = tensor_of(3, 8, function(bits) return ("<i8"):pack(bits) end)

-- Attention scores: fp32 between -8 and 8.
workload.scores = tensor_of(4, 4, function(bits) return ("<f"):pack((bits >> 40) * 2.0 ^ -20 - 8) end)

return workload
