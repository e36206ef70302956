-- Softmax of masked attention scores, in double precision: the reference of the fused kernels of the mask study.
--
--   softmax.difference(p, y)      nil, or what is wrong with the fp32 numbers in y, in words
--   softmax.largest(p)            the largest score there
--
-- A row of scores x becomes exp(s - max) / sum with s = p.scale * x, or -inf where the mask is true. A row of which all
-- is -inf has no sum and becomes NaN, as the definition says, or 0 where p.masked_row is "zero".
local lists = require "heddle.kit.lists"
local report = require "heddle.kit.report"

local softmax = {}

-- The bound on the relative error, with d = max - s, as kernels/mask/softmax.hd derives it for its order of operations:
-- (2.3 d + 2.3 ln width + t + 5) 2^-24 with t additions in a chain of the sum, at most 20 + width / 128.
local function bound(width, d)
    return (2.3 * d + 2.3 * math.log(width) + 25 + width / 128) * 2.0 ^ -24
end

local LEAST = 2.0 ^ -126 -- below, fp32 has fewer bits

-- A row of scores and its mask bytes behind `first`: the numbers expected, and how far others may be from them.
local function row_of(p, scores, first)
    local s, largest, nan, width = {}, -math.huge, false, p.width
    for c = 1, width do
        s[c] = p.truth:byte(first + c) ~= 0 and -math.huge or p.scale * scores[c]
        largest, nan = math.max(largest, s[c]), nan or s[c] ~= s[c]
    end
    local sum, power = 0, {}
    for c = 1, width do
        power[c] = math.exp(s[c] - largest)
        sum = sum + power[c]
    end
    local want, within = {}, {}
    local zero = p.masked_row == "zero" and largest == -math.huge and not nan
    for c = 1, width do
        local v = zero and 0 or power[c] / sum
        want[c], within[c] = v, s[c] == -math.huge and 0 or bound(width, largest - s[c]) * v + LEAST
    end
    return {want = want, within = within}
end

-- The rows of all images, kept for the next method.
local function rows_of(p)
    p.softmax_rows = p.softmax_rows or {}
    for i = #p.softmax_rows, p.n * p.heads * p.height - 1 do
        local first = i // p.height // p.heads * p.height + i % p.height
        p.softmax_rows[i + 1] = row_of(p, lists.numbers("f", 4, p.x:sub(4 * i * p.width + 1, 4 * (i + 1) * p.width)),
            first * p.width)
    end
    return p.softmax_rows
end

local function wrong_in_row(row, got)
    local want, within, abs = row.want, row.within, math.abs
    for c = 1, #want do
        local off = abs(got[c] - want[c])
        if (off > within[c] or off ~= off) and (want[c] == want[c] or got[c] == got[c]) then
            return c
        end
    end
end

-- A kernel subtracts scale times the largest score of a row, rounded, from scale times each score, exactly. What was
-- rounded off is a factor of a whole row, which cancels as long as it is not beyond the numbers of fp32.
softmax.LIMIT = 2.0 ^ 24

-- The largest of scale times the size of a score, of those that are finite and not masked.
function softmax.largest(p)
    local largest, image = 0, p.height * p.width
    for j = 0, p.n * p.heads - 1 do
        local list = lists.numbers("f", 4, p.x:sub(4 * j * image + 1, 4 * (j + 1) * image))
        local first = j // p.heads * image
        for i, v in ipairs(list) do
            local s = math.abs(p.scale * v)
            if s > largest and math.abs(v) < math.huge and p.truth:byte(first + i) == 0 then
                largest = s
            end
        end
    end
    return largest
end

function softmax.difference(p, y)
    local height, width = p.height, p.width
    if #y ~= 4 * p.elements then
        return ("the result has %s bytes, not %s"):format(report.count(#y), report.count(4 * p.elements))
    end
    for i, row in ipairs(rows_of(p)) do
        local got = lists.numbers("f", 4, y:sub(4 * (i - 1) * width + 1, 4 * i * width))
        local c = wrong_in_row(row, got)
        if c then
            return ("image %d, row %d, column %d is %.9g, not %.9g"):format((i - 1) // height, (i - 1) % height, c - 1,
                got[c], row.want[c])
        end
    end
end

return softmax
