-- The check of the spectra of heddle study rfft: each frame against a transform in double precision.
--
--   local reference = check.reference(ctx:get "x", n)
--   local found = check.compare(ctx, n, frames, reference)      found.error <= found.bound, unless found.outside > 0
--   check.print("rfft_warp", found)
--
-- The bound on the error: one stage of a radix-2 FFT in fp32, with roots that are rounded once, adds at most
-- (1 + 4 sqrt 2) u to the relative error of the whole vector in the root-mean-square sense, u = 2^-24 (Higham, Accuracy
-- and Stability of Numerical Algorithms, section 24.1). The complex FFT of N/2 points has log2 N - 1 stages; the step
-- from it to the real spectrum counts as one more, and since only half of the spectrum is kept, its norm may be smaller
-- by sqrt 2. The total is 9.5 u log2 N, which is rounded up to 5 eps log2 N, eps = 2u = 2^-23.
local fft = require "heddle.signal.fft"
local lists = require "heddle.kit.lists"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local check = {}

local EPS = 2.0 ^ -23
local FACTOR = 5          -- of the bound, as derived above
local TINY = 2.0 ^ -149   -- the least fp32: the largest error of an operation by underflow
local LARGE = 2.0 ^ 126   -- sums above may overflow fp32

-- The spectra in double precision: a function of the frame number (from 0) that gives re, im, or, when fp32 may not
-- hold them, nil and why: "broken" (samples that are not finite) or "large".
function check.reference(x, n)
    local plan = fft.plan(n)
    return function(frame)
        local samples = x:table(frame * n + 1, frame * n + n)
        local sum = lists.sum(samples, math.abs)
        if sum ~= sum or sum == math.huge then
            return nil, "broken"
        elseif sum >= LARGE then
            return nil, "large"
        end
        return fft.real(samples, plan)
    end
end

local function is_silent(re, im)
    for k = 1, #re do
        if re[k] ~= 0 or im[k] ~= 0 then
            return false
        end
    end
    return true
end

-- The reference against the definition, on the first frame that can be checked and is not silent.
function check.against_definition(x, n, frames, reference)
    for frame = 0, frames - 1 do
        local re, im = reference(frame)
        if re and not is_silent(re, im) then
            local sum_re, sum_im = fft.direct(x:table(frame * n + 1, frame * n + n))
            local off, all = 0, 0
            for k = 1, n // 2 + 1 do
                off = off + (re[k] - sum_re[k]) ^ 2 + (im[k] - sum_im[k]) ^ 2
                all = all + sum_re[k] ^ 2 + sum_im[k] ^ 2
            end
            assert(math.sqrt(off) <= 1e-14 * n * math.sqrt(all), "the two references do not agree")
            return frame, math.sqrt(off / all)
        end
    end
end

-- Compares the buffer "spectrum" with the reference: the largest relative error of a frame (root of the mean square),
-- its place, the largest error of a single value beside its frame's RMS, and the numbers of frames that were compared
-- and that could not be, with the reasons.
function check.compare(ctx, n, frames, reference)
    local bins = n // 2 + 1
    local bytes = ctx:get("spectrum"):bytes()
    local bound = FACTOR * EPS * math.log(n, 2)
    local floor = n * math.log(n, 2) * TINY * math.sqrt(bins)
    local found = {
        bound = bound, error = 0.0, largest = 0.0, frame = 0, outside = 0, compared = 0, broken = 0, large = 0,
    }
    for frame = 0, frames - 1 do
        local re, im = reference(frame)
        if re then
            found.compared = found.compared + 1
            local off, all, worst, at = 0.0, 0.0, 0.0, frame * bins * 8 + 1
            for k = 1, bins do
                local a, b = ("<ff"):unpack(bytes, at + (k - 1) * 8)
                local e = (a - re[k]) ^ 2 + (b - im[k]) ^ 2
                off, all, worst = off + e, all + re[k] * re[k] + im[k] * im[k], math.max(worst, e)
            end
            off, all = math.sqrt(off), math.sqrt(all)
            if off ~= off then -- the kernel gave NaN where it must not
                off, worst = math.huge, math.huge
            end
            if off > bound * all + floor then
                found.outside = found.outside + 1
            end
            if off > floor then
                if off / all > found.error then
                    found.error, found.frame = off / all, frame
                end
                found.largest = math.max(found.largest, math.sqrt(worst) / (all / math.sqrt(bins)))
            end
        else -- im is the reason
            found[im] = found[im] + 1
        end
    end
    return found
end

-- The frames that were not compared, and why.
local function about_skipped(c)
    return table.concat(lists.map({{c.broken, "not finite"}, {c.large, "too large for fp32"}}, function(pair)
        return pair[1] > 0 and ("the samples of %s are %s"):format(report.plural(pair[1], "frame"), pair[2]) or nil
    end), ", ")
end

function check.print(entry, c)
    local skipped = c.broken + c.large
    if c.compared == 0 then
        study.say("%s: nothing to compare: %s", entry, skipped > 0 and about_skipped(c) or "there is no whole frame")
        return
    end
    local verdict = c.outside == 0 and "holds" or "BROKEN in " .. report.plural(c.outside, "frame")
    study.say("%s: error %.3g of a frame's RMS (frame %s), of one value %.3g; bound 5 eps log2 N = %.3g: %s",
        entry, c.error, report.count(c.frame), c.largest, c.bound, verdict)
    if skipped > 0 then
        study.say("%s: %s compared, %s not: %s", entry, report.plural(c.compared, "frame"), report.count(skipped),
            about_skipped(c))
    end
end

-- Why the spectra of some frames are not finite, by the result of the check.
function check.why_not_finite(c)
    if c.broken > 0 then
        return "infinities or NaN, since samples are not finite" .. (c.large > 0 and " or too large for fp32" or "")
    elseif c.large > 0 then
        return "overflow: infinities or NaN, since sums of the samples are too large for fp32"
    end
    return "infinities or NaN"
end

return check
