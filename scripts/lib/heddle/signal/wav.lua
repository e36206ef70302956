-- WAV recordings (RIFF): PCM of 8, 16, 24 and 32 bits and floating point of 32 and 64 bits, also in their "extensible"
-- form. Failing functions return nil and a message.
--
--   local sound, message = wav.decode(bytes, 1)            -- or "mix" for the mean of all channels
--   sound.samples[1], sound.rate, sound.channels, sound.bits, sound.frames, sound.note
local report = require "heddle.kit.report"

local wav = {}

local PCM, FLOAT, EXTENSIBLE = 1, 3, 0xfffe

-- The pack format of samples, and the divisor that scales them to -1 .. 1.
local formats = {
    [PCM] = {
        [8] = {code = "B", offset = 128, scale = 128},
        [16] = {code = "<i2", scale = 2 ^ 15},
        [24] = {code = "<i3", scale = 2 ^ 23},
        [32] = {code = "<i4", scale = 2 ^ 31},
    },
    [FLOAT] = {[32] = {code = "<f", scale = 1}, [64] = {code = "<d", scale = 1}},
}

local function parse_format(body)
    if #body < 16 then
        return nil, "its 'fmt ' chunk is too short"
    end
    local tag, channels, rate, _, align, bits = ("<I2I2I4I4I2I2"):unpack(body)
    if tag == EXTENSIBLE then
        if #body < 26 then
            return nil, "its extensible 'fmt ' chunk is too short"
        end
        tag = ("<I2"):unpack(body, 25)
    end
    local format = formats[tag] and formats[tag][bits]
    if not format then
        return nil, ("its samples have an unsupported format (format %d, %d bits)"):format(tag, bits)
    elseif channels == 0 then
        return nil, "it has no channel"
    elseif rate == 0 then
        return nil, "its sampling rate is 0"
    elseif align ~= channels * bits // 8 then
        return nil, ("its frames are %d bytes long instead of %d"):format(align, channels * bits // 8)
    end
    return {format = format, channels = channels, rate = rate, bits = bits, align = align, float = tag == FLOAT}
end

-- What a recorder writes as the length of the data before it knows it, and leaves where it is stopped or has a pipe.
local UNKNOWN <const> = {[0] = true, [0x7fffffff] = true, [0xffffffff] = true}

local CHUNK <const> = "^" .. ("[\32-\126]"):rep(4) .. "...." -- its name and its size

-- Whether there are whole chunks from byte `at` to the end, perhaps none.
local function is_chunks(bytes, at)
    while at <= #bytes do
        local size = bytes:find(CHUNK, at) and ("<I4"):unpack(bytes, at + 4)
        if not size or at + 7 + size > #bytes then
            return false
        end
        at = at + 8 + size + size % 2
    end
    return true
end

-- The last byte of the data, and a note where their length and the file disagree.
local function end_of_data(bytes, first, size)
    local left = #bytes - first + 1
    if UNKNOWN[size] and left > 0 and not (size == 0 and is_chunks(bytes, first)) then
        return #bytes, ("the length of its data is %s, as of a recording that was not closed; they are read to the " ..
            "end of the file, %s"):format(size == 0 and "0" or "not known", report.plural(left, "byte"))
    elseif size > left then
        return #bytes, ("the file ends before its data do: %s of %s are there"):format(report.count(left),
            report.plural(size, "byte"))
    elseif not is_chunks(bytes, first + size + size % 2) then
        return first + size - 1, ("behind its data of %s are %s more, which are not read"):format(
            report.plural(size, "byte"), report.plural(left - size, "byte"))
    end
    return first + size - 1
end

-- Finds the 'fmt ' and 'data' chunks: the parsed format, and the first and last byte of the data.
local function find_chunks(bytes)
    local at, kind = 13, nil
    while at + 8 <= #bytes + 1 do
        local id, size = ("<c4I4"):unpack(bytes, at)
        local first = at + 8
        if id == "fmt " then
            local wrong
            kind, wrong = parse_format(bytes:sub(first, first + size - 1))
            if not kind then
                return nil, wrong
            end
        elseif id == "data" then
            if not kind then
                return nil, "its 'data' chunk comes before the 'fmt ' chunk"
            end
            local last
            last, kind.note = end_of_data(bytes, first, size)
            local rest = (last - first + 1) % kind.align
            if rest > 0 and not kind.note then
                kind.note = ("its data end within a frame of %s: the last %s are not read"):format(
                    report.plural(kind.align, "byte"), report.plural(rest, "byte"))
            end
            return kind, first, last
        end
        at = first + size + size % 2
    end
    return nil, kind and "it has no 'data' chunk" or "it has no 'fmt ' chunk"
end

local function decode_samples(bytes, kind, first, frames, channel)
    local format, samples = kind.format, {}
    local code, offset, scale = format.code, format.offset or 0, format.scale
    local unpack, size = string.unpack, kind.bits // 8
    local from = channel == "mix" and 1 or channel
    local to = channel == "mix" and kind.channels or channel
    local divisor = scale * (to - from + 1)
    for frame = 1, frames do
        local at = first + (frame - 1) * kind.align
        local sum = 0
        for c = from, to do
            sum = sum + unpack(code, bytes, at + (c - 1) * size) - offset
        end
        samples[frame] = sum / divisor
    end
    return samples
end

-- The recording in a string of bytes; `channel` is a number from 1 (1 if absent) or "mix".
function wav.decode(bytes, channel)
    channel = channel or 1
    if #bytes < 12 or bytes:sub(9, 12) ~= "WAVE" or bytes:sub(1, 4) ~= "RIFF" then
        return nil, "it is no WAV file (RIFF ... WAVE)"
    end
    local kind, first, last = find_chunks(bytes)
    if not kind then
        return nil, first
    elseif channel ~= "mix" and (math.type(channel) ~= "integer" or channel < 1 or channel > kind.channels) then
        return nil, ("it has %d channel%s, none of number %s"):format(kind.channels, kind.channels == 1 and "" or "s",
            channel)
    end
    local frames = (last - first + 1) // kind.align
    if frames == 0 then
        return nil, "it has no sample"
    end
    return {
        samples = decode_samples(bytes, kind, first, frames, channel),
        rate = kind.rate, channels = kind.channels, bits = kind.bits, float = kind.float, frames = frames,
        note = kind.note,
    }
end

return wav
