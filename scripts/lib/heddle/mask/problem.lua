-- One masked_fill: its mask, its tensor, its value, and the results expected of every method.
--
--   local p = problem.new {n = 1, heads = 2, height = 64, width = 64, type = input.types.fp16, bits = 32, polarity = 1,
--       truth = bytes, x = bytes, value = "\x00\xfc", about = "..."}
--   p:want()                       masked_fill, from the definition
--   p:words(), p:plain_bits()      the packed mask, and the one that is not rearranged
--
-- `scale` is the factor of the scores in a softmax, an fp32 number (1), and `masked_row` what it gives in a row that is
-- masked as a whole, "nan" (the default) or "zero". The kernels' results, which differ in rounding, are kept in
-- `softmax` by method, and what is expected of them in `softmax_rows`.
--
-- Everything is computed at its first use, and kept.
local mask = require "heddle.mask.definition"
local reference = require "heddle.mask.reference"
local workload = require "heddle.mask.workload"

local problem = {}
problem.__index = problem
problem.scale = 1

-- heads: images of x for each image of the mask; bits and rows: of a word, as mask.layout takes them. `packed`: the
-- words, if they are given instead of made.
function problem.new(fields)
    local p = setmetatable(fields, problem)
    p.softmax = {}
    p.layout, p.size = mask.layout(p.bits, p.rows), p.type.size
    p.pixels = p.n * p.height * p.width  -- elements of the mask
    p.elements = p.pixels * p.heads      -- of x
    return p
end

local function once(make)
    local key = {}
    return function(self)
        if self[key] == nil then
            self[key] = make(self)
        end
        return self[key]
    end
end

problem.want = once(function(p) return reference.fill(p.x, p.truth, p.value, p) end)
problem.words = once(function(p) return p.packed or mask.pack(p.layout, p.truth, p, p.polarity) end)
problem.plain_bits = once(function(p) return mask.bits(p.truth) end)
problem.padded_bits = once(function(p) -- each row to whole 128 bits
    local width = (p.width + 127) // 128 * 128
    return mask.bits((p.truth:gsub(("."):rep(p.width), function(row) return row .. ("\0"):rep(width - p.width) end)))
end)
problem.fragments = once(function(p) return mask.fragments(p.truth, p, 1) or false end)
problem.fragments4 = once(function(p) return mask.fragments(p.truth, p, 4) or false end)
problem.largest_key = once(function(p) return reference.largest_key(p.truth, p) end)
problem.whole_rows = once(function(p) -- of the mask, those that are true as a whole
    local rows, whole = 0, ("\1"):rep(p.width)
    for row in p.truth:gmatch(("."):rep(p.width)) do
        rows = rows + (row == whole and 1 or 0)
    end
    return rows
end)
problem.masked = once(function(p) return mask.density(p.truth) end) -- share of true elements

local SECTOR <const> = 32

-- Share of the sectors of x that have an element which is kept: the others need not be read.
problem.kept = once(function(p)
    local per, image, masked, images = SECTOR // p.size, p.height * p.width, 0, {p.truth}
    for j = 0, p.heads > 1 and p.n * p.heads - 1 or -1 do
        local first = j // p.heads * image
        images[j + 1] = p.truth:sub(first + 1, first + image)
    end
    local truth = table.concat(images)
    local sectors = (#truth + per - 1) // per
    for first, last in truth:gmatch "()\1+()" do -- runs of masked elements: the whole sectors in each
        local after = last > #truth and sectors or (last - 1) // per
        masked = masked + math.max(0, after - (first + per - 2) // per)
    end
    return (sectors - masked) * per / #truth
end)

problem.x_interleaved = once(function(p) return reference.interleave(p.x, p) end)
problem.want_interleaved = once(function(p) return reference.interleave(p:want(), p) end)
problem.largest_score = once(reference.largest_score)

-- Whether exactly the elements above the diagonal are masked.
problem.causal = once(function(p)
    return p.height == p.width and p.truth == workload.kinds.causal(p.n, p.height)
end)

-- Tensors viewed as a few long rows, as many as share a word, so that words are padded at the end of a row
-- alone. A row is made of whole lines of 128 bytes: it begins at one, and with two rows the view ends where an
-- allocation of whole 256 bytes does. false where several images share a mask and are not made of such rows.
local LINE <const> = 128

problem.flat = once(function(p)
    local rows, line = p.layout.rows, LINE // p.size
    local n, pixels = 1, p.pixels
    if p.heads > 1 then
        n, pixels = p.n, p.height * p.width
    end
    local width = (pixels + rows * line - 1) // (rows * line) * line
    local more = rows * width - pixels
    return (p.heads == 1 or more == 0) and problem.new {
        n = n, heads = p.heads, height = rows, width = width, type = p.type, bits = p.bits, rows = rows,
        polarity = p.polarity, value = p.value, truth = p.truth .. ("\0"):rep(more),
        x = p.x .. ("\0"):rep(more * p.size),
    }
end)

-- Bytes of the packed mask for each of its elements.
function problem:share()
    return mask.share(self.layout, self.height, self.width)
end

-- Bytes of the bits that are not rearranged, for each element of the mask; `padded`: of rows of whole 128 bits.
function problem:plain_share(padded)
    return #(padded and self:padded_bits() or self:plain_bits()) / self.pixels
end

return problem
