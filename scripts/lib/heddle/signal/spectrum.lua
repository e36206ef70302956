-- The content of a signal, by the spectra of its frames: the strongest frequencies, and a bar chart by octaves.
--
--   local found = spectrum.print(page, ctx, {n = 64, frames = 100, rate = 48000}, "infinities or NaN")
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local spectrum = {}

-- Computes the squared amplitude of each bin, k = 0 .. n/2, averaged over the frames whose spectrum is finite; the
-- strongest bin but the constant one: its frame, bin and square; and the number of those frames.
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

local function level_text(level)
    return ("%.1f dB"):format(level)
end

-- The mean power by octaves, as a bar chart.
local function print_octaves(out, power, n, rate)
    local rows, top, low = {}, -math.huge, 1
    while low <= n // 2 do
        local high = 2 * low - 1 < n // 2 - 1 and 2 * low - 1 or n // 2 -- the last bin has no octave of its own
        local sum, from, to = 0, low / n, math.min((high + 1) / n, 0.5)
        for k = low, high do
            sum = sum + power[k]
        end
        rows[#rows + 1] = {rate and ("%.0f - %.0f Hz"):format(from * rate, to * rate) or
            ("%.4f - %.4f"):format(from, to), decibel(sum)}
        top, low = math.max(top, decibel(sum)), high + 1
    end
    for _, row in ipairs(rows) do
        local level, silent = row[2], row[2] == -math.huge
        row[2], row[3] = silent and "silent" or report.cell(level, level_text),
            report.bar(silent and 0 or 1 + (level - top) / 60, 30)
    end
    out:put({rate and "octave" or "cycles/sample", {"level", key = "level_db"}, ""}, rows, {true, true, "bar"})
end

-- Prints the findings in the buffer "spectrum" and returns them, for JSON. `at` is {n, frames, rate or nil}; `instead`
-- describes spectra that are not finite.
function spectrum.print(out, ctx, at, instead)
    local n, rate = at.n, at.rate
    local power, loudest, finite = survey(ctx, n, at.frames)
    local found = {frames_measured = finite, not_finite = finite < at.frames and instead or nil}
    if finite == 0 then
        study.print("  found: nothing measurable; the spectrum of every frame holds " .. found.not_finite)
        return found
    end
    local where = ""
    if finite < at.frames then
        where = (" in %s of %s"):format(report.count(finite), report.plural(at.frames, "frame"))
        study.print(("  the spectrum of %s, excluded below, holds %s"):format(
            report.plural(at.frames - finite, "frame"), found.not_finite))
    end
    local constant = decibel(power[0])
    local about = ("a constant part at 0 Hz of %.4g (%.1f dB of full scale)"):format(math.sqrt(power[0]), constant)
    found.constant_level_db = power[0] > 0 and constant or nil
    if loudest.power <= 0 then
        study.print("  found: " .. (power[0] > 0 and "only " .. about or "silence") .. where)
        return found
    end
    local mean = 1
    for k = 2, n // 2 do
        mean = power[k] > power[mean] and k or mean
    end
    found.frame, found.bin, found.level_db = loudest.frame, loudest.bin, decibel(loudest.power)
    found.mean_bin, found.mean_level_db = mean, decibel(power[mean])
    found.frequency, found.mean_frequency = rate and loudest.bin * rate / n, rate and mean * rate / n
    local when = rate and ("%.3f s"):format(loudest.frame * n / rate) or
        "sample " .. report.count(loudest.frame * n)
    study.print(("  found: bins are %s wide; the strongest on average%s is at %s (%.1f dB of full scale)"):format(
        hertz(1 / n, rate), where, hertz(mean / n, rate), found.mean_level_db))
    study.print(("         the strongest of all is at %s, %.1f dB, in frame %s at %s"):format(
        hertz(loudest.bin / n, rate), found.level_db, report.count(loudest.frame), when))
    if power[0] > power[mean] then
        study.print("         stronger still is " .. about)
    end
    print_octaves(out, power, n, rate)
    return found
end

return spectrum
