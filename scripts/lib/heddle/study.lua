-- What every study does at its edges: exit statuses, finding its input, and writing what it found.
--
--   return study.main("heddle study reorder", function() ... return result end)
--
-- Status 0: done, and the result is what the script returns; 1: the body returned false (a check failed), or an error,
-- with a traceback; 2: an input or option is wrong, told in one line; 130: interrupted.
local heddle = require "heddle"
local home = require "heddle.home"
local wav = require "heddle.wav"

local study = {}

local refusal = {__tostring = function(e) return e.message end}

-- Ends the study: the input or an option cannot be used.
function study.refuse(message, ...)
    error(setmetatable({kind = "input", message = message:format(...)}, refusal), 0)
end

-- ---- output ----

local mute = false -- standard output belongs to an output file

local function arrived(ok, message)
    if not ok then
        study.refuse("cannot write to standard output: %s", message)
    end
end

-- Text for people. A study prints through these two: what cannot be written ends it with a message.
function study.write(text)
    if not mute then
        arrived(io.stdout:write(text))
    end
end

function study.print(text)
    study.write((text or "") .. "\n")
end

local function shown(path, standard)
    return path == "-" and standard or path
end

local function check_output(option, name, inputs)
    local path = option[name]
    local ok, why = true, nil
    if path ~= "-" then
        ok, why = heddle.writable(path)
    end
    if not ok then
        study.refuse("--%s: %s", name, why)
    end
    for _, input in ipairs(inputs) do
        local file = option[input]
        if type(file) == "string" and heddle.same_file(path, file, true) then
            study.refuse("--%s: %s is the input of --%s; name another file", name, shown(path, "standard output"),
                input)
        end
    end
end

-- Looks at the options that name outputs, before any work: each must be a place where a file can be written, and
-- neither one of the inputs (options, too) nor written twice. "-" sends that file to standard output, and the text for
-- people nowhere. study.outputs(option, {"json", "out"}, {"in"})
function study.outputs(option, names, inputs)
    names = names or {"json", "out"}
    for i, name in ipairs(names) do
        for k = 1, option[name] and i - 1 or 0 do
            local other = option[names[k]]
            if other == "-" and option[name] == "-" then
                study.refuse("--%s and --%s: only one of them can go to standard output", names[k], name)
            elseif other and heddle.same_file(other, option[name]) then
                study.refuse("--%s and --%s: both would be written to %s", names[k], name, option[name])
            end
        end
    end
    local standard = false
    for _, name in ipairs(names) do
        if option[name] then
            check_output(option, name, inputs or {})
            standard = standard or option[name] == "-"
        end
    end
    mute = standard
end

-- Writes the files {{path, bytes, what it is or nil}, ...}, all of them or none, and says so of those with a third
-- entry; "-" is standard output.
function study.output(files)
    local bytes = {}
    for _, file in ipairs(files) do
        bytes[file[1]] = file[2]
    end
    arrived(io.stdout:flush())
    local ok, e = pcall(heddle.write, bytes)
    if not ok then
        local why = type(e) == "table" and e.kind == "input" and e.message:match "^standard output: (.*)"
        arrived(not why, why)
        error(e, 0)
    end
    for _, file in ipairs(files) do
        if file[3] then
            study.print(("\n  wrote %s: %s"):format(file[1], file[3]))
        end
    end
end

-- Text on standard error, behind all that was printed.
function study.complain(text)
    arrived(io.stdout:flush())
    io.stderr:write(text, "\n")
end

-- A line on a terminal that says how far the study is: {show, clear}; nil when standard error is none.
function study.progress_line()
    if not os.execute "test -t 2" then
        return nil
    end
    return {
        show = function(text) io.stderr:write("\r\27[K  ", text) end,
        clear = function() io.stderr:write "\r\27[K" end,
    }
end

-- Runs the body. Output that could not be written is an error even when all else went well.
local function protected(body)
    local result = body()
    arrived(io.stdout:flush())
    return result
end

function study.main(name, body)
    local ok, result = xpcall(protected, function(e)
        if type(e) == "table" and e.kind == "input" then
            return e
        end
        return debug.traceback(tostring(e), 2)
    end, body)
    mute = false
    if ok then
        if not result then
            os.exit(1, true)
        end
        return result
    end
    io.stdout:flush()
    if type(result) == "table" then
        local message = result.message:find("error: ", 1, true) and result.message or "error: " .. result.message
        io.stderr:write(name, ": ", message, "\n")
        os.exit(2, true)
    end
    io.stderr:write(result, "\n")
    os.exit(result:find("^[^\n]*interrupted\n") and 130 or 1, true) -- 130: as shells report Ctrl-C
end

-- A program of heddle's own kernels folder.
function study.load(ctx, name)
    return ctx:load(home.path("kernels/" .. name .. ".hd"))
end

-- ---- input ----

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
    local about = ("%s: %d samples, %.3f s at %d Hz, %d-bit%s%s"):format(label, sound.frames, sound.frames / sound.rate,
        sound.rate, sound.bits, sound.float and " float" or "", which)
    return {rate = sound.rate, path = label, note = sound.note, about = about}
end

local MAGIC = "\x93NUMPY"

local standard_input -- what was read from it: several studies of a script may ask for it

local MOST = 1 << 30 -- bytes that are read of a .wav file, and of what comes through a pipe, at most

-- All of the file of which `head` was read, but no more than the limit.
local function rest(file, label, head)
    local pieces, total = {head}, #head
    while true do
        local piece, why = file:read(1 << 20)
        if why then
            study.refuse("%s: cannot be read: %s", label, why)
        elseif not piece then
            return table.concat(pieces)
        end
        pieces[#pieces + 1], total = piece, total + #piece
        if total > MOST then
            study.refuse("%s: the file is longer than %d bytes, the most that is read", label, MOST)
        end
    end
end

-- The contents of a .npy or .wav file, and its name in messages; "-" is standard input. Nothing is read of a file that
-- does not begin as one of them.
local function read(path)
    local standard = path == "-"
    local label = standard and "standard input" or path
    if standard and standard_input then
        return standard_input, label
    end
    local file, wrong = io.stdin, nil
    if not standard then
        file, wrong = io.open(path, "rb")
    end
    if not file then
        study.refuse("%s", wrong)
    end
    local bytes, why = file:read(6)
    if why then
        study.refuse("%s: cannot be read: %s", label, why)
    end
    bytes = bytes or ""
    if bytes:sub(1, 4) == "RIFF" or bytes == MAGIC and (standard or not file:seek "end") then
        bytes = rest(file, label, bytes) -- a .npy file that has a name and a length is read by that name
    end
    if not standard then
        file:close()
    end
    standard_input = standard and bytes or standard_input
    return bytes, label
end

-- A buffer from the path of a .npy file or from the bytes of one.
local function npy(ctx, name, source, label)
    local ok, b = pcall(ctx.npy, ctx, name, source)
    if ok then
        return b, label
    elseif type(b) == "table" and b.kind == "input" then
        study.refuse("%s", (b.message:gsub("^%(bytes%)", (label:gsub("%%", "%%%%")))))
    end
    error(b, 0)
end

-- Makes the buffer `name` from a .npy file; "-" is standard input. Returns it and its name in messages. A file is read
-- as far as its header announces, and not when that is more than 4 GiB.
function study.npy(ctx, name, path)
    local label, source = path, path
    if path == "-" then
        source, label = read(path)
        if source:sub(1, #MAGIC) ~= MAGIC then
            study.refuse("%s: it is no .npy file", label)
        end
    end
    return npy(ctx, name, source, label)
end
local function from_npy(ctx, name, source, label)
    local b = npy(ctx, name, source, label)
    local shape, note, long = table.concat(b.shape, ","), nil, 0
    for _, n in ipairs(b.shape) do
        long = long + (n == 1 and 0 or 1)
    end
    if long > 1 then
        note = ("the input, of shape [%s], is taken as one signal of %d values in C order"):format(shape, b.count)
    end
    return {path = label, note = note, about = ("%s: %s[%s]"):format(label, b.type, shape)}
end

-- Makes the buffer `name` from a .npy or .wav file, told by its contents ("-": standard input), or, without a path,
-- from the recording that a sound package installs, or from a generated tone. Returns {about, rate or nil, note or nil,
-- path or nil}.
function study.signal(ctx, name, path, channel)
    channel = channel or 1
    if path then
        local bytes, label = read(path)
        if bytes:sub(1, 4) == "RIFF" then
            return from_wav(ctx, name, label, bytes, channel)
        elseif bytes:sub(1, #MAGIC) == MAGIC then
            return from_npy(ctx, name, #bytes > #MAGIC and bytes or path, label)
        end
        study.refuse("%s: it is neither a .npy file nor a .wav file", label)
    end
    local file = io.open(recording, "rb")
    if file then
        file:close()
        local found = from_wav(ctx, name, recording, (read(recording)), channel)
        found.about = found.about .. " (no --in: the installed recording)"
        return found
    end
    local samples, rate = chirp()
    ctx:buffer(name, "f32", #samples, samples)
    return {rate = rate, about = ("a generated rising tone: %d samples at %d Hz (no --in; %s is not installed)"):format(
        #samples, rate, recording)}
end

-- Makes the buffer `to` of fp32 from the first `count` elements of the buffer `from`, any real type. Returns nil, or
-- what to say about it when values may have been rounded.
function study.to_f32(ctx, from, to, count)
    local input = ctx:get(from)
    if input.type == "f32" then
        ctx:buffer(to, "f32", count, input:bytes():sub(1, 4 * count))
        return nil
    elseif input.type == "c64" then
        study.refuse("the input is complex; real numbers are needed")
    end
    local values = input:table(1, count)
    for i, v in ipairs(values) do
        if type(v) == "boolean" then
            values[i] = v and 1 or 0
        elseif input.type == "u64" and v < 0 then -- above 2^63
            values[i] = (v >> 1 | v & 1) * 2.0
        end
    end
    ctx:buffer(to, "f32", count, values)
    return ("the input is %s; it was rounded to fp32"):format(input.type)
end

-- The option rows that go with study.signal.
study.signal_options = {
    {name = "in", value = "FILE", doc = ".npy or .wav; - is standard input (an installed recording or a tone)"},
    {name = "channel", value = "C", doc = "channel of a .wav: a number from 1, or mix (1)"},
}

-- The value of --channel.
function study.channel(text)
    local n = text and math.tointeger(tonumber(text))
    if text and text ~= "mix" and not (n and n >= 1) then
        study.refuse("--channel: '%s' is neither a number from 1 nor mix", text)
    end
    return text == "mix" and text or n or 1
end

-- Runs a study by name from a script, with its arguments; what it found.
function study.run(name, ...)
    return assert(loadfile(home.path("scripts/studies/" .. name .. ".lua"), "t"))(...)
end

return study
