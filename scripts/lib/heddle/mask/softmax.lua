-- Softmax of masked attention scores, in double precision: the reference of the fused kernels of the mask study.
--
--   softmax.difference(p, y)      nil, or what is wrong with the fp32 numbers in y, in words
--   softmax.largest(p)            the largest score there
--
-- A row of scores x becomes exp(s - max) / sum with s = p.scale * x, or -inf where the mask is true. A row that is
-- masked as a whole has no sum and becomes NaN, as the definition says.
local lists = require "heddle.kit.lists"
local report = require "heddle.kit.report"

local softmax = {}

-- The bound on the relative error, with d = max - s, as kernels/mask/softmax.hd derives it for its order of operations:
-- (2.3 d + 2.3 ln width + t + 5) 2^-24 with t additions in a chain of the sum, at most 20 + width / 128.
local function bound(width, d)
    return (2.3 * d + 2.3 * math.log(width) + 25 + width / 128) * 2.0 ^ -24
end

local LEAST = 2.0 ^ -126 -- below, fp32 has fewer bits

-- One row of problem p: lists of scores and of what came out, mask bytes from `first`.
local function wrong_in_row(p, scores, got, first)
    local s, largest, width = {}, -math.huge, p.width
    for c = 1, width do
        s[c] = p.truth:byte(first + c) ~= 0 and -math.huge or p.scale * scores[c]
        largest = math.max(largest, s[c])
    end
    local sum, power = 0, {}
    for c = 1, width do
        power[c] = math.exp(s[c] - largest)
        sum = sum + power[c]
    end
    for c = 1, width do
        local want = power[c] / sum
        local same = want ~= want and got[c] ~= got[c] or want == 0 and got[c] == 0 or
            math.abs(got[c] - want) <= bound(width, largest - s[c]) * want + LEAST
        if not same then
            return c, want
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
    for j = 0, p.n * p.heads - 1 do
        for r = 0, height - 1 do
            local at = (j * height + r) * width
            local scores = lists.numbers("f", 4, p.x:sub(4 * at + 1, 4 * (at + width)))
            local got = lists.numbers("f", 4, y:sub(4 * at + 1, 4 * (at + width)))
            local c, want = wrong_in_row(p, scores, got, (j // p.heads * height + r) * width)
            if c then
                return ("image %d, row %d, column %d is %.9g, not %.9g"):format(j, r, c - 1, got[c], want)
            end
        end
    end
end

return softmax
