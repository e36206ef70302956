-- Compute the spectra of the frames of a signal, by a real-to-complex FFT that uses the register reorder
--
-- Frames of 2W samples take one warp each and no shared memory; longer ones take a block each. Every frame is compared
-- with a transform in double precision. The bound on the error: one stage of a radix-2 FFT in fp32, with roots that
-- are rounded once, adds at most (1 + 4 sqrt 2) u to the relative error of the whole vector in the root-mean-square
-- sense, u = 2^-24 (Higham, Accuracy and Stability of Numerical Algorithms, section 24.1). The complex FFT of N/2
-- points has log2 N - 1 stages; the step from it to the real spectrum counts as one more, and since only half of the
-- spectrum is kept, its norm may be smaller by sqrt 2. Together 9.5 u log2 N, which is rounded up to 5 eps log2 N,
-- eps = 2u = 2^-23.
local heddle = require "heddle"
local fft = require "heddle.fft"
local json = require "heddle.json"
local options = require "heddle.options"
local report = require "heddle.report"
local study = require "heddle.study"

local NAME = "heddle study rfft"
local BLOCK = 128         -- threads of a block of the one-warp kernels, at most
local LONGEST = 4096      -- samples of a frame
local EPS = 2.0 ^ -23
local FACTOR = 5          -- of the bound, as derived above
local TINY = 2.0 ^ -149   -- the least fp32: what underflow can cost an operation
local LARGE = 2.0 ^ 126   -- sums above may overflow fp32

local option = options.parse {
    name = NAME, args = {...},
    summary = "Cuts a signal into frames of N samples and computes the spectrum of each, N/2 + 1 complex\n" ..
        "values. What is left behind the last whole frame is dropped.",
    rows = {
        study.signal_options[1],
        {name = "out", value = "FILE",
            doc = "write the spectra as .npy: complex64 [frames, N/2+1]; - is standard output"},
        {name = "warp", value = "W", default = "32", choices = {"8", "16", "32", "64"},
            doc = "warp width: 8, 16, 32 or 64"},
        {name = "frame", value = "N", kind = "integer", doc = "samples of a frame: 2W to 4096, a power of two (2W)"},
        study.signal_options[2],
        {name = "rate", value = "HZ", kind = "number", low = 1e-9, doc = "sampling rate, if the file does not say it"},
        {name = "brief", doc = "leave out the table of instructions"},
        {name = "json", value = "FILE", doc = "write what was found as JSON; - is standard output"},
    },
}

local function check_frame(n, width)
    if not fft.is_power_of_two(n) or n < 2 * width or n > LONGEST then
        study.refuse("--frame: %d is no power of two from %d (twice the warp width) to %d", n, 2 * width, LONGEST)
    end
    return n
end

-- Runs one kernel over all frames; its spectra go to the buffer "spectrum".
local function launch(ctx, entry, width, n, frames)
    ctx:buffer("spectrum", "c64", {frames, n // 2 + 1})
    if frames == 0 then
        return nil
    end
    local grid, block = frames, n // 4
    if entry ~= "rfft_block" then
        local warps = BLOCK // width -- as many as divide the frames, so that no warp is without one
        while frames % warps ~= 0 do
            warps = warps - 1
        end
        grid, block = frames // warps, warps * width
    end
    return ctx:launch(study.load(ctx, "fft/" .. entry), {
        entry = entry, grid = grid, block = block, warp = width,
        args = {x = "x", spectrum = "spectrum", tw = "tw", frames = frames, n = n},
    })
end

-- ---- the check ----

-- The spectra in double precision: a function of the frame number (from 0) that gives re, im, or, when fp32 may not
-- hold them, nil and why: "broken" (samples that are not finite) or "large".
local function make_reference(x, n)
    local plan = fft.plan(n)
    return function(frame)
        local samples = x:table(frame * n + 1, frame * n + n)
        local sum = 0
        for _, v in ipairs(samples) do
            sum = sum + math.abs(v)
        end
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
local function check_reference(x, n, frames, reference)
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
local function compare(ctx, n, frames, reference)
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
        else -- im says why
            found[im] = found[im] + 1
        end
    end
    return found
end

-- ---- what is in the signal ----

-- The square of the amplitude that each bin stands for, k = 0 .. n/2, averaged over the frames whose spectrum is
-- finite; the strongest bin of all but the constant one: its frame, bin and square; and the number of those frames.
local function survey(ctx, n, frames)
    local bins, bytes = n // 2 + 1, ctx:get("spectrum"):bytes()
    local power, loudest, finite = {}, {power = -1}, 0
    for k = 0, bins - 1 do
        power[k] = 0.0
    end
    for frame = 0, frames - 1 do
        local squares, sum = {}, 0.0
        for k = 0, bins - 1 do
            local re, im = ("<ff"):unpack(bytes, (frame * bins + k) * 8 + 1)
            -- A sine has half of its amplitude here and half at the negative frequency, which the ends do not have.
            squares[k] = (re * re + im * im) / (n * n) * ((k == 0 or 2 * k == n) and 1 or 4)
            sum = sum + squares[k]
        end
        if sum == sum and sum < math.huge then
            finite = finite + 1
            for k = 0, bins - 1 do
                power[k] = power[k] + squares[k]
                if k > 0 and squares[k] > loudest.power then
                    loudest = {power = squares[k], frame = frame, bin = k}
                end
            end
        end
    end
    for k = 0, bins - 1 do
        power[k] = power[k] / math.max(finite, 1)
    end
    return power, loudest, finite
end

-- Frequency in words.
local function hertz(cycles, rate)
    return rate and ("%.4g Hz"):format(cycles * rate) or ("%.4g cycles per sample"):format(cycles)
end

-- The square of an amplitude in dB of amplitude 1.
local function decibel(square)
    return square > 0 and 10 * math.log(square, 10) or -math.huge
end

local function strongest_bin(power, n)
    local best = 1
    for k = 2, n // 2 do
        if power[k] > power[best] then
            best = k
        end
    end
    return best
end

-- The mean power by octaves, as a picture.
local function print_octaves(power, n, rate)
    local rows, top, low = {}, -math.huge, 1
    while low <= n // 2 do
        local high = 2 * low - 1
        if high >= n // 2 - 1 then -- the last bin has no octave of its own
            high = n // 2
        end
        local sum = 0
        for k = low, high do
            sum = sum + power[k]
        end
        local level = decibel(sum)
        rows[#rows + 1] = {low, high, level}
        top = math.max(top, level)
        low = high + 1
    end
    for i, row in ipairs(rows) do
        local level = row[3]
        local from, to = row[1] / n, math.min((row[2] + 1) / n, 0.5)
        local span = rate and ("%.0f - %.0f Hz"):format(from * rate, to * rate) or ("%.4f - %.4f"):format(from, to)
        rows[i] = {span, level == -math.huge and "silent" or ("%.1f dB"):format(level),
            report.bar(level == -math.huge and 0 or 1 + (level - top) / 60, 30)}
    end
    study.write(report.table({rate and "octave" or "cycles/sample", "level", ""}, rows, {right = {true, true}}))
end

-- Why the spectra of some frames hold no numbers, from what the check said of them.
local function why_not_finite(check)
    if check.broken > 0 then
        return "infinities or NaN, since samples are not finite" .. (check.large > 0 and " or too large for fp32" or "")
    elseif check.large > 0 then
        return "overflow: infinities or NaN, since sums of the samples are too large for fp32"
    end
    return "infinities or NaN"
end

-- What there is besides tones: a line about the constant part.
local function about_constant(level, square)
    return ("a constant part at 0 Hz of %.4g (%.1f dB of full scale)"):format(math.sqrt(square), level)
end

local function print_findings(ctx, at, check)
    local n, rate = at.n, at.rate
    local power, loudest, finite = survey(ctx, n, at.frames)
    local found = {frames_measured = finite, not_finite = finite < at.frames and why_not_finite(check) or nil}
    if finite == 0 then
        study.print("  found: nothing that can be measured; the spectrum of every frame holds " .. found.not_finite)
        return found
    end
    local where = ""
    if finite < at.frames then
        where = (" in the %s of %d that %s looked at"):format(report.plural(finite, "frame"), at.frames,
            finite == 1 and "was" or "were")
        study.print(("  the spectrum of %s, left out below, holds %s"):format(
            report.plural(at.frames - finite, "frame"), found.not_finite))
    end
    local constant = decibel(power[0])
    found.constant_level_db = power[0] > 0 and constant or nil
    if loudest.power <= 0 then
        local what = power[0] > 0 and "only " .. about_constant(constant, power[0]) or "silence"
        study.print("  found: " .. what .. where)
        return found
    end
    local mean = strongest_bin(power, n)
    found.frame, found.bin, found.level_db = loudest.frame, loudest.bin, decibel(loudest.power)
    found.mean_bin, found.mean_level_db = mean, decibel(power[mean])
    found.frequency, found.mean_frequency = rate and loudest.bin * rate / n, rate and mean * rate / n
    local when = rate and ("%.3f s"):format(loudest.frame * n / rate) or ("sample %d"):format(loudest.frame * n)
    study.print(("  found: bins are %s wide; the strongest on average%s is at %s (%.1f dB of full scale)"):format(
        hertz(1 / n, rate), where, hertz(mean / n, rate), found.mean_level_db))
    study.print(("         the strongest of all is at %s, %.1f dB, in frame %d at %s"):format(
        hertz(loudest.bin / n, rate), found.level_db, loudest.frame, when))
    if power[0] > power[mean] then
        study.print("         stronger still is " .. about_constant(constant, power[0]))
    end
    study.print()
    print_octaves(power, n, rate)
    return found
end

-- ---- counts ----

-- Instructions by class for a frame: one column for each kernel that ran.
local function print_counts(runs, frames)
    local names, seen = {}, {}
    for _, run in ipairs(runs) do
        for class in pairs(run.result.classes) do
            if not seen[class] then
                seen[class], names[#names + 1] = true, class
            end
        end
    end
    table.sort(names)
    local heads, rows = {"class"}, {}
    for c, run in ipairs(runs) do
        heads[c + 1] = run.entry
    end
    for i, class in ipairs(names) do
        rows[i] = {class}
        for c, run in ipairs(runs) do
            rows[i][c + 1] = ("%g"):format((run.result.classes[class] or 0) / frames)
        end
    end
    local total = {"total"}
    for c, run in ipairs(runs) do
        total[c + 1] = ("%g"):format(run.result.warp_instructions / frames)
    end
    rows[#rows + 1] = total
    study.print("\n  warp-instructions for a frame" ..
        (runs[2] and "; rfft_warp_vec is the control: it loads pairs of 8 bytes and needs no reorder" or "") .. "\n")
    study.write(report.table(heads, rows, {right = {false, true, true}}))
end

-- The frames that were not compared, and why.
local function about_skipped(c)
    local parts = {}
    for _, pair in ipairs {{c.broken, "not finite"}, {c.large, "too large for fp32"}} do
        if pair[1] > 0 then
            parts[#parts + 1] = ("the samples of %s are %s"):format(report.plural(pair[1], "frame"), pair[2])
        end
    end
    return table.concat(parts, ", ")
end

local function print_check(entry, c)
    local skipped = c.broken + c.large
    if c.compared == 0 then
        study.print(("  %s: nothing could be compared: %s"):format(entry,
            skipped > 0 and about_skipped(c) or "there is no whole frame"))
        return
    end
    local verdict = c.outside == 0 and "holds" or "BROKEN in " .. report.plural(c.outside, "frame")
    study.print(("  %s: error %.3g of a frame's RMS (frame %d), of one value %.3g; bound 5 eps log2 N = %.3g: %s")
        :format(entry, c.error, c.frame, c.largest, c.bound, verdict))
    if skipped > 0 then
        study.print(("  %s: %s compared, %d not: %s"):format(entry, report.plural(c.compared, "frame"), skipped,
            about_skipped(c)))
    end
end

-- Runs and checks one kernel.
local function measure(ctx, entry, at)
    local run = {entry = entry, result = launch(ctx, entry, at.width, at.n, at.frames)}
    run.check = compare(ctx, at.n, at.frames, at.reference)
    run.good = run.check.outside == 0
    print_check(entry, run.check)
    return run
end

-- What was found, as JSON has it.
local function summary(at, signal, runs, found)
    local kernels = {}
    for i, run in ipairs(runs) do
        local c = run.check
        local kernel = {
            name = run.entry, bound = c.bound, frames_compared = c.compared, frames_not_compared = c.broken + c.large,
            classes = run.result and run.result.classes,
            warp_instructions = run.result and run.result.warp_instructions,
        }
        if c.compared > 0 then -- else there is no error, and nothing that could hold
            kernel.error, kernel.largest, kernel.holds = c.error, c.largest, run.good
        end
        kernels[i] = kernel
    end
    return {
        study = "rfft", version = heddle.version, input = signal.about, rate = at.rate, warp = at.width, frame = at.n,
        frames = at.frames, dropped = at.dropped, kernels = kernels, found = found,
    }
end

-- Runs the kernels for this length of frame; the spectra of the first stay in the buffer.
local function run_kernels(ctx, at)
    if at.n ~= 2 * at.width then
        return {measure(ctx, "rfft_block", at)}
    end
    local control = measure(ctx, "rfft_warp_vec", at)
    local bytes = ctx:get("spectrum"):bytes()
    local run = measure(ctx, "rfft_warp", at)
    if at.frames > 0 then
        study.print("  the two spectra are " .. (ctx:get("spectrum"):bytes() == bytes and "the same, bit for bit" or
            "not the same bits"))
    end
    return {run, control}
end

local function print_head(at, signal, note)
    study.print(NAME .. "\n  input: " .. signal.about)
    for _, text in ipairs {signal.note or false, note or false} do
        if text then
            study.print("  note: " .. text)
        end
    end
    study.print(("  %s of %d samples, %s dropped at the end; W = %d, one %s a frame"):format(
        report.plural(at.frames, "frame"), at.n, report.plural(at.dropped, "sample"), at.width,
        at.n == 2 * at.width and "warp" or "block"))
end

return study.main(NAME, function()
    local width = math.tointeger(option.warp)
    study.outputs(option, {"out", "json"}, {"in"})
    local n = check_frame(option.frame or 2 * width, width)
    local ctx <close> = heddle.new()
    local signal = study.signal(ctx, "input", option["in"], study.channel(option.channel))
    local input = ctx:get "input"
    local frames = input.count // n
    local at = {
        width = width, n = n, frames = frames, dropped = input.count - frames * n, rate = option.rate or signal.rate,
    }
    local note = study.to_f32(ctx, "input", "x", frames * n)
    ctx:buffer("tw", "f32", 2 * n, fft.table(n))
    print_head(at, signal, note)
    at.reference = make_reference(ctx:get "x", n)
    local frame, off = check_reference(ctx:get "x", n, frames, at.reference)
    if frame then
        study.print(("  reference: radix 2 in double precision; it is %.1g off the summed definition (frame %d)")
            :format(off, frame))
    end
    local runs = run_kernels(ctx, at)
    local found, good = nil, true
    if frames > 0 then
        if not option.brief then
            print_counts(runs, frames)
        end
        study.print()
        found = print_findings(ctx, at, runs[1].check)
    end
    for _, run in ipairs(runs) do
        good = good and run.good
    end
    local all = summary(at, signal, runs, found)
    local files = {option.json and {option.json, json.encode(all)}}
    if good and option.out then
        files[#files + 1] = {option.out, ctx:get("spectrum"):npy(), ("complex64[%d,%d]"):format(frames, n // 2 + 1)}
    end
    study.output(files)
    if not good then
        study.complain(NAME .. ": the error is beyond its bound")
    end
    return good and all
end)
