-- The input of the studies of signals: a .npy or .wav file, a recording that is installed, or a generated tone.
--
--   local found = signal.read(ctx, "input", option["in"], signal.channel(option.channel))
--   found.about, found.rate, found.note, found.path
--   signal.heading("heddle study rfft", found, note)
local home = require "heddle.kit.home"
local lists = require "heddle.kit.lists"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"
local wav = require "heddle.signal.wav"

local signal = {}

-- Option rows of a signal.
signal.options = {
    {name = "in", value = "FILE", doc = ".npy or .wav; - is standard input (an installed recording or a tone)"},
    {name = "channel", value = "C", offers = {"mix"}, doc = "channel of a .wav: a number from 1, or mix (1)"},
}

-- The value of --channel.
function signal.channel(text)
    local n = text and math.tointeger(tonumber(text))
    if text and text ~= "mix" and not (n and n >= 1) then
        study.refuse("--channel: '%s' is neither a number from 1 nor mix", text)
    end
    return text == "mix" and text or n or 1
end

local recording = "/usr/share/sounds/alsa/Front_Center.wav"

-- A tone that rises from 200 Hz to 8 kHz in a second and a half, with a quieter one at 1 kHz.
local function chirp()
    local rate, samples = 48000, {}
    for i = 1, 72000 do
        local t = (i - 1) / rate
        local phase = 2 * math.pi * (200 * t + (8000 - 200) / (2 * 1.5) * t * t)
        samples[i] = 0.6 * math.sin(phase) + 0.2 * math.sin(2 * math.pi * 1000 * t)
    end
    return samples, rate
end

local function from_wav(ctx, name, label, bytes, channel)
    local sound, message = wav.decode(bytes, channel)
    if not sound then
        study.refuse("%s: %s", label, message)
    end
    local which = sound.channels == 1 and "" or
        (channel == "mix" and ", mean of its channels" or (", channel %d of %d"):format(channel, sound.channels))
    ctx:buffer(name, "f32", #sound.samples, sound.samples)
    local about = ("%s: %s, %.3f s at %s Hz, %d-bit%s%s"):format(label, report.plural(sound.frames, "sample"),
        sound.frames / sound.rate, report.count(sound.rate), sound.bits, sound.coding and " " .. sound.coding or "",
        which)
    return {rate = sound.rate, path = label, note = sound.note, about = about}
end

local function from_npy(ctx, name, path, bytes)
    local b, label = study.npy(ctx, name, path, bytes)
    local shape, note = table.concat(b.shape, ","), nil
    if b.count == 0 then
        study.refuse("%s: there is no sample in it: %s[%s]", label, b.type, shape)
    end
    if #lists.map(b.shape, function(n) return n ~= 1 or nil end) > 1 then
        note = ("the input, of shape [%s], is taken as one signal of %s in C order"):format(shape,
            report.plural(b.count, "value"))
    end
    return {path = label, note = note, about = ("%s: %s[%s]"):format(label, b.type, shape)}
end

-- Makes the buffer `name` from a .npy or .wav file, detected by its contents ("-": standard input), or, without a path,
-- from the recording that a sound package installs, or from a generated tone. Returns {about, rate or nil, note or nil,
-- path or nil}.
function signal.read(ctx, name, path, channel)
    channel = channel or 1
    if path then
        local bytes, label = study.read(path)
        if study.is_recording(bytes) then
            return from_wav(ctx, name, label, bytes, channel)
        elseif study.is_npy(bytes) then
            return from_npy(ctx, name, path, #bytes > 6 and bytes or nil)
        end
        study.refuse("%s: it is %s", label, wav.other(bytes) or "neither a .npy file nor a .wav file")
    end
    local installed = home.packaged(recording)
    local file = io.open(installed, "rb")
    if file then
        file:close()
        local found = from_wav(ctx, name, recording, (study.read(installed)), channel)
        found.about = found.about .. " (no --in: the installed recording)"
        return found
    end
    local samples, rate = chirp()
    ctx:buffer(name, "f32", #samples, samples)
    return {rate = rate, about = ("a generated rising tone: %s at %s Hz (no --in; %s is not installed)"):format(
        report.plural(#samples, "sample"), report.count(rate), recording)}
end

-- Prints the name of the study, the input, and the notes: the file's, and `note`.
function signal.heading(name, found, note)
    study.print(name)
    study.say("input: %s", found.about)
    for _, text in ipairs {found.note or false, note or false} do
        if text then
            study.say("note: %s", text)
        end
    end
end

return signal
