-- WAV recordings: PCM of 8, 16, 24 and 32 bits, floating point of 32 and 64 bits, mu-law and A-law (ITU-T G.711), also
-- in their "extensible" form; RIFF, its big-endian twin RIFX, and RF64 or BW64 with lengths of 64 bits (EBU Tech 3306).
-- Failing functions return nil and a message.
--
--   local sound, message = wav.decode(bytes, 1)            -- or "mix" for the mean of all channels
--   sound.samples[1], sound.rate, sound.channels, sound.bits, sound.frames, sound.note, sound.coding
local report = require "heddle.kit.report"

local wav = {}

local PCM, FLOAT, A_LAW, MU_LAW, EXTENSIBLE = 1, 3, 6, 7, 0xfffe

local function mu_law(byte)
    local v = ~byte & 0xff
    local magnitude = ((v & 15) << 3 | 0x84) << (v >> 4 & 7)
    return v & 0x80 ~= 0 and 0x84 - magnitude or magnitude - 0x84
end

local function a_law(byte)
    local v = byte ~ 0x55
    local exponent, step = v >> 4 & 7, (v & 15) << 4 | 8
    local magnitude = exponent == 0 and step or (step | 0x100) << exponent - 1
    return v & 0x80 ~= 0 and magnitude or -magnitude
end

-- Pack format of samples after the byte order, their meaning, and the divisor that scales them to -1 .. 1.
local formats = {
    [PCM] = {
        [8] = {code = "B", offset = 128, scale = 128},
        [16] = {code = "i2", scale = 2 ^ 15},
        [24] = {code = "i3", scale = 2 ^ 23},
        [32] = {code = "i4", scale = 2 ^ 31},
    },
    [FLOAT] = {[32] = {code = "f", scale = 1}, [64] = {code = "d", scale = 1}},
    [A_LAW] = {[8] = {code = "B", meaning = a_law, scale = 2 ^ 15}},
    [MU_LAW] = {[8] = {code = "B", meaning = mu_law, scale = 2 ^ 15}},
}

local codings = {[FLOAT] = "float", [A_LAW] = "A-law", [MU_LAW] = "mu-law"}
local compressed = {[2] = "Microsoft ADPCM", [0x11] = "IMA ADPCM", [0x31] = "GSM 6.10", [0x50] = "MPEG", [0x55] = "MP3",
                    [0xff] = "AAC", [0xf1ac] = "FLAC", [0x6750] = "Vorbis"}

local CONVERT <const> = "; convert it: ffmpeg -i FILE -c:a pcm_s16le OUT.wav"

-- Other recordings, by their first six bytes.
local others = {
    {"^fLaC", "a FLAC file"}, {"^OggS", "an Ogg file (Vorbis, Opus)"}, {"^ID3", "an MP3 file"},
    {"^\xff[\xe2\xe3\xf2\xf3\xfa\xfb]", "an MP3 file"}, -- layer III; a text of UTF-16 begins with ff fe
    {"^FORM", "an IFF file (AIFF)"}, {"^%.snd", "an AU file (Sun, NeXT)"}, {"^caff", "a CAF file"},
    {"^riff", "a Wave64 file"}, {"^\0\0\0.ft", "an MPEG-4 file"}, {"^\x1aE\xdf\xa3", "a Matroska or WebM file"},
}

-- Names the format of a recording that is no WAV file, and how to convert it; nil for anything else.
function wav.other(bytes)
    for _, row in ipairs(others) do
        if bytes:find(row[1]) then
            return row[2] .. CONVERT
        end
    end
end

local function parse_format(body, order)
    if #body < 16 then
        return nil, "its 'fmt ' chunk is too short"
    end
    local tag, channels, rate, _, align, bits = (order .. "I2I2I4I4I2I2"):unpack(body)
    if tag == EXTENSIBLE then
        if #body < 28 then
            return nil, "its extensible 'fmt ' chunk is too short"
        end
        tag = (order .. "I4"):unpack(body, 25) & 0xffff
    end
    local format = formats[tag] and formats[tag][bits]
    if compressed[tag] then
        return nil, ("its samples are compressed, as %s (format %d)%s"):format(compressed[tag], tag, CONVERT)
    elseif not format then
        return nil, ("its samples have an unsupported format (format %d, %d bits)%s"):format(tag, bits, CONVERT)
    elseif channels == 0 then
        return nil, "it has no channel"
    elseif rate == 0 then
        return nil, "its sampling rate is 0"
    elseif align ~= channels * bits // 8 then
        return nil, ("its frames are %d bytes long instead of %d"):format(align, channels * bits // 8)
    end
    return {format = format, channels = channels, rate = rate, bits = bits, align = align, coding = codings[tag],
            order = order}
end

-- Lengths that a recorder writes before it knows the real one, and leaves if it is stopped or writes to a pipe.
local UNKNOWN <const> = {[0] = true, [0x7fffffff] = true, [0xffffffff] = true}

local CHUNK <const> = "^" .. ("[\32-\126]"):rep(4) .. "...." -- its name and its size

-- The size of a chunk that begins at byte `at`, is whole, and has a name of printable characters; nil if there is none.
local function chunk_size(bytes, at, order)
    local size = bytes:find(CHUNK, at) and (order .. "I4"):unpack(bytes, at + 4)
    return size and at + 7 + size <= #bytes and size or nil
end

-- True if there are whole chunks from byte `at` to the end, perhaps none.
local function is_chunks(bytes, at, order)
    while at <= #bytes do
        local size = chunk_size(bytes, at, order)
        if not size then
            return false
        end
        at = at + 8 + size + size % 2
    end
    return true
end

-- The last byte of the data, and a note where their length and the file disagree.
local function end_of_data(bytes, first, size, order)
    local left = #bytes - first + 1
    if UNKNOWN[size] and left > 0 and not (size == 0 and chunk_size(bytes, first, order)) then
        return #bytes, ("the length of its data is %s, as of a recording that was not closed; they are read to the " ..
            "end of the file, %s"):format(size == 0 and "0" or "not known", report.plural(left, "byte"))
    elseif size > left then
        return #bytes, ("the file ends before its data do: %s of %s are there"):format(report.count(left),
            report.plural(size, "byte"))
    elseif not is_chunks(bytes, first + size + size % 2, order) then
        return first + size - 1, ("after its data of %s are %s more, which are not read"):format(
            report.plural(size, "byte"), report.plural(left - size, "byte"))
    end
    return first + size - 1
end

-- Finds the 'fmt ' and 'data' chunks: the parsed format, and the first and last byte of the data.
local function find_chunks(bytes, order)
    local at, kind, long = 13, nil, nil
    while at + 8 <= #bytes + 1 do
        local id, size = (order .. "c4I4"):unpack(bytes, at)
        local first = at + 8
        if id == "ds64" and size >= 24 and first + 23 <= #bytes then
            long = ("<i8"):unpack(bytes, first + 8)
        end
        if id == "fmt " then
            local wrong
            kind, wrong = parse_format(bytes:sub(first, first + size - 1), order)
            if not kind then
                return nil, wrong
            end
        elseif id == "data" then
            if not kind then
                return nil, "its 'data' chunk comes before the 'fmt ' chunk"
            end
            local last
            size = size == 0xffffffff and long and long >= 0 and long or size
            last, kind.note = end_of_data(bytes, first, size, order)
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
    local code, offset, scale, meaning = kind.order .. format.code, format.offset or 0, format.scale, format.meaning
    local unpack, size = string.unpack, kind.bits // 8
    local from = channel == "mix" and 1 or channel
    local to = channel == "mix" and kind.channels or channel
    local divisor = scale * (to - from + 1)
    for frame = 1, frames do
        local at = first + (frame - 1) * kind.align
        local sum = 0
        for c = from, to do
            local v = unpack(code, bytes, at + (c - 1) * size) - offset
            sum = sum + (meaning and meaning(v) or v)
        end
        samples[frame] = sum / divisor
    end
    return samples
end

-- The recording in a string of bytes; `channel` is a number from 1 (1 if absent) or "mix".
function wav.decode(bytes, channel)
    channel = channel or 1
    local magic = bytes:sub(1, 4)
    local order = magic == "RIFX" and ">" or (magic == "RIFF" or magic == "RF64" or magic == "BW64") and "<"
    if not order or #bytes < 12 or bytes:sub(9, 12) ~= "WAVE" then
        return nil, "it is no WAV file (RIFF ... WAVE)"
    end
    local kind, first, last = find_chunks(bytes, order)
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
        rate = kind.rate, channels = kind.channels, bits = kind.bits, coding = kind.coding, frames = frames,
        note = kind.note,
    }
end

return wav
