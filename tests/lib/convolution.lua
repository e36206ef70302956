-- A second formulation of the sparse convolution, by plain loops over every output, dense, masked afterwards; and
-- tensors as bytes. It uses no module of the study.
local lists = require "heddle.kit.lists"

local convolution = {}

-- Bytes of a list of numbers, or of words given as {bits}.
function convolution.floats(list)
    local out = {}
    for i, v in ipairs(list) do
        out[i] = type(v) == "table" and ("<I4"):pack(v[1]) or ("<f"):pack(v)
    end
    return table.concat(out)
end

function convolution.numbers(bytes)
    return lists.numbers("f", 4, bytes)
end

-- The offset of [n][c][d][h][w] in a tensor of that layout.
local function offset(layout, channels, size, n, c, d, h, w)
    if layout == "nhwc" then
        return (((n * size[1] + d) * size[2] + h) * size[3] + w) * channels + c
    end
    return (((n * channels + c) * size[1] + d) * size[2] + h) * size[3] + w
end

-- Computes every output of a dense convolution of a problem {batch, channels, filters, size, kernel, stride, lo, out,
-- outputs, predetermined, layout} in three dimensions; then those without an active predetermined element become 0.
-- Returns the list of results, the list of active windows, and how many window elements are active in these.
function convolution.every_output(p, bytes, weights, bias)
    local x, bits, out, windows, share = convolution.numbers(bytes), {}, {}, {}, 0
    for i = 1, #x do bits[i] = ("<I4"):unpack(bytes, 4 * i - 3) & 0x7fffffff end
    local function inside(q)
        return q[1] >= 0 and q[1] < p.size[1] and q[2] >= 0 and q[2] < p.size[2] and q[3] >= 0 and q[3] < p.size[3]
    end
    local function active(n, q)
        local any = 0
        for c = 0, inside(q) and p.channels - 1 or -1 do
            any = any | bits[offset(p.layout, p.channels, p.size, n, c, q[1], q[2], q[3]) + 1]
        end
        return any ~= 0
    end
    local function start(o, t)
        return {o[1] * p.stride[1] - p.lo[1] + t[1], o[2] * p.stride[2] - p.lo[2] + t[2],
            o[3] * p.stride[3] - p.lo[3] + t[3]}
    end
    local taps = {}
    for a = 0, p.kernel[1] - 1 do
        for b = 0, p.kernel[2] - 1 do
            for c = 0, p.kernel[3] - 1 do taps[#taps + 1] = {a, b, c} end
        end
    end
    local function one(n, o, co)
        local sum = (bias and bias[co + 1] or 0.0) + 0.0
        for ci = 0, p.channels - 1 do
            for k, t in ipairs(taps) do
                local q = start(o, t)
                if inside(q) then
                    local v = x[offset(p.layout, p.channels, p.size, n, ci, q[1], q[2], q[3]) + 1]
                    sum = sum + weights[(co * p.channels + ci) * #taps + k] * v
                end
            end
        end
        return sum
    end
    for n = 0, p.batch - 1 do
        for index = 0, p.outputs // p.batch - 1 do
            local o = {index // (p.out[2] * p.out[3]), index // p.out[3] % p.out[2], index % p.out[3]}
            local is = false
            for _, e in ipairs(p.predetermined) do
                is = is or active(n, start(o, e))
            end
            if is then
                windows[#windows + 1] = n * (p.outputs // p.batch) + index
                for _, t in ipairs(taps) do
                    share = share + (active(n, start(o, t)) and 1 or 0)
                end
            end
            for co = 0, p.filters - 1 do
                out[offset(p.layout, p.filters, p.out, n, co, o[1], o[2], o[3]) + 1] = is and one(n, o, co) or 0.0
            end
        end
    end
    return out, windows, share
end

return convolution
