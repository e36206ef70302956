-- Problems of the mask study for suites: what is not given is the usual.
--
--   masks.problem {n = 2, side = 64, type = "int8", kind = "random"}
--
-- n and heads (1); side, or height and width; type ("fp16"); kind of mask ("causal"), or truth; bits (32), rows,
-- polarity (1) and scale as heddle.mask.problem has them. Elements of fp32 are scores.
local input = require "heddle.mask.input"
local problem = require "heddle.mask.problem"
local workload = require "heddle.mask.workload"

local masks = {}

local TEXT <const> = {lengths = {3, 9, 12, 5, 7, 16, 2}}

function masks.problem(o)
    local t, n, heads = input.types[o.type or "fp16"], o.n or 1, o.heads or 1
    local height, width, kind = o.height or o.side, o.width or o.side, o.kind or "causal"
    local count, side, truth = n * heads * height * width, math.max(height, width), {}
    local whole = not o.truth and workload.kinds[kind](n, side, TEXT)
    for r = 0, whole and n * height - 1 or -1 do
        truth[r + 1] = whole:sub(r * side + 1, r * side + width)
    end
    return problem.new {
        n = n, heads = heads, height = height, width = width, type = t, bits = o.bits or 32, rows = o.rows,
        polarity = o.polarity or 1, scale = o.scale, kind = kind, truth = o.truth or table.concat(truth),
        value = t.name == "fp32" and "\0\0\x80\xff" or ("\x80"):rep(t.size),
        x = t.name == "fp32" and workload.scores(count) or workload.bits(count, t.size),
    }
end

return masks
