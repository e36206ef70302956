-- References in double precision for the discrete Fourier transform X[k] = sum x[t] exp(-2 pi i k t / n). Lists are
-- counted from 1: X[k] is re[k + 1], im[k + 1].
local fft = {}

local function is_power_of_two(n)
    return n >= 1 and n & (n - 1) == 0
end

-- cos and sin of 2 pi k / n, k = 0 .. n-1. Each is computed from an angle of at most pi/4, where it is most exact.
local function roots(n)
    local cos, sin = {}, {}
    for k = 0, n - 1 do
        local octant = 8 * k // n
        local a = 2 * math.pi * (8 * k - octant * n) / (8 * n) -- angle from the octant's start
        local b = math.pi / 4 - a
        local c, s = math.cos(a), math.sin(a)
        if octant % 2 == 1 then
            c, s = math.sin(b), math.cos(b)
        end
        local quarter = octant // 2
        for _ = 1, quarter do
            c, s = -s, c
        end
        cos[k + 1], sin[k + 1] = c, s
    end
    return cos, sin
end

-- The definition, summed. `x` is real; returns the first n // 2 + 1 values.
function fft.direct(x)
    local n, re, im = #x, {}, {}
    local cos, sin = roots(n)
    for k = 0, n // 2 do
        local sum_re, sum_im = 0.0, 0.0
        for t = 0, n - 1 do
            local r = k * t % n + 1
            sum_re = sum_re + x[t + 1] * cos[r]
            sum_im = sum_im - x[t + 1] * sin[r]
        end
        re[k + 1], im[k + 1] = sum_re, sum_im
    end
    return re, im
end

-- A plan for transforms of n points, n a power of two: plan(re, im) transforms complex lists in place.
function fft.plan(n)
    assert(is_power_of_two(n), "n must be a power of two")
    local cos, sin = roots(n)
    local reversed = {[0] = 0}
    for i = 1, n - 1 do
        reversed[i] = reversed[i >> 1] >> 1 | (i & 1 == 1 and n >> 1 or 0)
    end
    return function(re, im)
        for i = 1, n - 1 do
            local j = reversed[i]
            if i < j then
                re[i + 1], re[j + 1] = re[j + 1], re[i + 1]
                im[i + 1], im[j + 1] = im[j + 1], im[i + 1]
            end
        end
        local half = 1
        while half < n do
            local step = n // (2 * half)
            for k = 0, half - 1 do
                local c, s = cos[k * step + 1], -sin[k * step + 1]
                for a = k + 1, n, 2 * half do
                    local b = a + half
                    local u, v = re[b] * c - im[b] * s, re[b] * s + im[b] * c
                    re[b], im[b] = re[a] - u, im[a] - v
                    re[a], im[a] = re[a] + u, im[a] + v
                end
            end
            half = 2 * half
        end
        return re, im
    end
end

-- Computes fft.direct's values by radix 2, for a power of two; `plan` avoids making one each time.
function fft.real(x, plan)
    local n, im = #x, {}
    for i = 1, n do
        im[i] = 0.0
    end
    local re = table.move(x, 1, n, 1, {})
    return (plan or fft.plan(n))(re, im)
end

-- cos and sin of -2 pi k / n in turns, as kernels read them: 2n numbers.
function fft.table(n)
    local cos, sin = roots(n)
    local out = {}
    for k = 1, n do
        out[2 * k - 1], out[2 * k] = cos[k], -sin[k]
    end
    return out
end

fft.is_power_of_two = is_power_of_two
return fft
