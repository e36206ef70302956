-- The input of the studies of signals: a .npy or .wav file, a table as text, an installed recording, or a made tone.
--
--   local found = signal.read(ctx, "input", option["in"], signal.channel(option.channel))
--   found.about, found.rate, found.note, found.path
--   signal.heading("heddle study rfft", found, note)
local heddle = require "heddle"
local board = require "heddle.kit.board"
local home = require "heddle.kit.home"
local lists = require "heddle.kit.lists"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"
local wav = require "heddle.signal.wav"

local signal = {}

-- Option rows of a signal.
signal.options = {
    {name = "in", value = "FILE", doc = ".npy, .wav, or a table: .csv, .tsv, .txt or .dat; - is standard input (an " ..
        "installed recording or a tone)"},
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

-- `b`: the buffer that a file became.
local function as_signal(b, label)
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

local TABLES <const> = lists.set {"csv", "tsv", "txt", "dat"}

-- Makes the buffer `name` from a .npy or .wav file, detected by its contents ("-": standard input), a table, by its
-- name, or, without a path, from the recording that a sound package installs, or from a generated tone. Returns {about,
-- rate or nil, note or nil, path or nil}.
function signal.read(ctx, name, path, channel)
    channel = channel or 1
    if path then
        local bytes, label = study.read(path, true)
        if study.is_recording(bytes) then
            return from_wav(ctx, name, label, bytes, channel)
        elseif study.is_npy(bytes) then
            return as_signal(study.npy(ctx, name, path, #bytes > 6 and bytes or nil))
        elseif TABLES[(path:match "%.(%a+)$" or ""):lower()] or path == "-" and bytes:find "^[%g%s]" then
            return as_signal(study.csv(ctx, name, path))
        end
        study.refuse("%s: it is %s", label, wav.other(bytes) or
            "neither a .npy file nor a .wav file, nor named as a table is (.csv, .tsv, .txt, .dat)")
    end
    local installed = home.packaged(recording)
    if heddle.path(installed) then
        local found = from_wav(ctx, name, recording, (study.read(installed)), channel)
        found.about = found.about .. " (no --in: the installed recording)"
        return found
    end
    local samples, rate = chirp()
    ctx:buffer(name, "f32", #samples, samples)
    return {rate = rate, about = ("a generated rising tone: %s at %s Hz (no --in; %s is not installed)"):format(
        report.plural(#samples, "sample"), report.count(rate), recording)}
end

-- ---- on a board ----

-- Prints the board, and what its cycles are: those of a launch, `cycles` continues that.
function signal.board_line(b, cycles)
    study.say("board %s%s: cycles of a launch %s, cold caches, without its overhead of %s", b.name,
        board.changes(b.set), cycles, report.count(b.values["launch.overhead_cycles"]))
end

-- The cycles of a launch with zeros in place of the contents of a buffer.
function signal.on_zeros(ctx, name, launch)
    local b = ctx:get(name)
    local bytes = b:bytes()
    b:set(0)
    local cycles = launch().cycles
    b:set(bytes)
    return cycles
end

-- Says whether cycles depend on the data, by measurements with `cycles` and `cycles_zeros`.
function signal.say_zeros(measured)
    local other = lists.any(measured, function(m) return m.cycles ~= m.cycles_zeros end)
    study.print()
    study.say(other and "with zeros in place of the data, some methods take other cycles" or
        "cycles do not depend on the data: zeros in its place take as many")
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
