-- The frame of every study: exit statuses, reading the input, writing the results.
--
--   return study.main("heddle study reorder", function() ... return result end)
--
-- Status 0: done, and the result is what the script returns; 1: the body returned false (a check failed), or an error,
-- with a traceback; 2: an input or option is wrong, with a message of one line; 130: interrupted.
local draws = require "heddle.kit.draws"
local heddle = require "heddle"
local home = require "heddle.kit.home"
local lists = require "heddle.kit.lists"
local whole = require "heddle.kit.file"
local progress = require "heddle.kit.progress"
local report = require "heddle.kit.report"

local study = {
    progress = progress.begin,
    MARGIN = 0.02, -- costs that differ by no more of them count as equal: the order of warps alone moves them as much
}

-- True if a cost is less than another one by more than the margin.
function study.beats(cost, other, margin)
    return cost < (1 - (margin or study.MARGIN)) * other
end

local refusal = {__tostring = function(e) return e.message end}

-- Ends the study: the input or an option cannot be used.
function study.refuse(message, ...)
    error(setmetatable({kind = "input", message = message:format(...)}, refusal), 0)
end

-- Returns the results of body(...); if the input or the board is unsuitable, nil, the reason, and the message with its
-- place. Other errors are raised.
function study.attempt(body, ...)
    local good, found = pcall(body, ...)
    if good then
        return found
    elseif type(found) ~= "table" or found.kind ~= "input" then
        error(found, 0)
    end
    return nil, (found.message:gsub("^.*error: ", ""):gsub("\n.*", "")), found.message
end

-- ---- output ----

local shown = "all" -- on standard output; "tables": these alone; "nothing": it belongs to an output file
local quiet = false -- a study that another one runs prints nothing

local function check_written(ok, message)
    if not ok then
        study.refuse("cannot write to standard output: %s", message)
    end
end

local function write(text)
    if not quiet then
        progress.hide()
        check_written(io.stdout:write(text))
    end
end

-- Text for people. A study prints through these, tables by study.data: a write error ends it with a message.
function study.write(text)
    if shown == "all" then
        write(text)
    end
end

function study.data(text)
    if shown ~= "nothing" then
        write(text)
    end
end

function study.print(text)
    study.write((text or "") .. "\n")
end

-- A paragraph at an indent of two that fits the terminal, its further lines at four.
function study.say(text, ...)
    text = select("#", ...) > 0 and text:format(...) or text
    for i, line in ipairs(report.wrap(text, heddle.width() - 4)) do
        study.print((i == 1 and "  " or "    ") .. line)
    end
end

-- The files that are read, {option, path} each; --board may name several.
local function files_read(option, inputs)
    local list = lists.map(inputs, function(name)
        return type(option[name]) == "string" and {name, option[name]} or nil
    end)
    for file in tostring(option.board or ""):gmatch "[^,]+" do
        list[#list + 1] = {"board", file}
    end
    return list
end

-- Pictures are drawn by the page that holds them.
local function check_plot(path)
    if path ~= "-" and not path:find "%.html?$" then
        study.refuse("--plot: %s: pictures are drawn on a page, FILE.html; opened in a browser it saves each " ..
            "as SVG, and prints as PDF", path)
    end
end

-- Refuses an output that cannot be written, or that would replace an input or another output.
local function check_output(option, name, read, written, inputs)
    local path = option[name]
    local ok, why = path == "-", nil
    if not ok then
        ok, why = heddle.writable(path)
    end
    if not ok then
        study.refuse("--%s: %s", name, why)
    end
    for _, other in ipairs(written) do
        if path == "-" and option[other] == "-" then
            study.refuse("--%s and --%s: only one of them can go to standard output", other, name)
        elseif heddle.same_file(option[other], path) then
            study.refuse("--%s and --%s: both would be written to %s", other, name, path)
        end
    end
    for _, input in ipairs(read) do
        if heddle.same_file(path, input[2], true) then
            study.refuse("--%s: %s is %s; name another file", name, path == "-" and "standard output" or path,
                inputs[input[1]] or "the input of --" .. input[1])
        end
    end
end

-- Checks the options that name outputs, before any work: each must be a place where a file can be written, and neither
-- one of the inputs (options, too) nor written twice. "-" sends that file to standard output, and drops the text for
-- people; beside --csv only tables are printed. study.outputs(option, {"json", "out"}, {"in"}); {"file", file = "the
-- file that is read"} gives an input's name in messages.
function study.outputs(option, names, inputs)
    inputs = inputs or {}
    local read, written = files_read(option, inputs), {}
    if option.csv and option.markdown then
        study.refuse "--csv and --markdown: choose one"
    end
    shown = option.csv and "tables" or "all"
    if option.plot then
        check_plot(option.plot)
    end
    for _, name in ipairs(lists.append({"html", "plot"}, names or {"json"})) do
        if option[name] then
            check_output(option, name, read, written, inputs)
            written[#written + 1] = name
            if option[name] == "-" and option.csv then
                study.refuse("--csv and --%s: only one of them can go to standard output", name)
            end
            shown = option[name] == "-" and "nothing" or shown
        end
    end
end

-- Writes the files {{path, bytes, name or nil}, ...}, all of them or none, and reports those with a third entry; "-" is
-- standard output.
function study.output(files)
    local bytes = {}
    for _, file in ipairs(files) do
        bytes[file[1]] = file[2]
    end
    check_written(io.stdout:flush())
    local ok, e = pcall(heddle.write, bytes)
    if not ok then
        local why = type(e) == "table" and e.kind == "input" and e.message:match "^standard output: (.*)"
        check_written(not why, why)
        error(e, 0)
    end
    for _, file in ipairs(files) do
        if file[3] then
            study.print(("\n  wrote %s: %s"):format(file[1], file[3]))
        end
    end
end

-- Ends the study `name`: writes its result to --json, its pages (heddle.kit.page) to --html and --plot, and, where all
-- checks were passed, `files` as of study.output. Returns the result, or false.
function study.finish(name, option, result, good, files)
    if option.drawing then
        option.drawing.result = result
        return result
    elseif option.drawn then
        result.uncertainty = {draws = #option.drawn, figures = heddle.array(draws.figures(option, result))}
    end
    result.format, result.study, result.heddle = ("heddle-study-%s-2"):format(name), name, heddle.version
    local all = {option.json and {option.json, heddle.json(result, {lossy = true})}}
    all[#all + 1] = option.document and {option.html, option.document:text("heddle study " .. name)} or nil
    all[#all + 1] = option.pictures and {option.plot, option.pictures:text("Pictures of heddle study " .. name)} or nil
    study.output(good and lists.append(all, files) or all)
    return good and result
end

-- Text on standard error, after all that was printed.
function study.complain(text)
    progress.hide()
    check_written(io.stdout:flush())
    io.stderr:write(text, "\n")
end

-- Runs the body on each draw of the board, in silence.
local function run_draws(option, body)
    if not option.board then
        study.refuse "--uncertainty: a clock has a range, so it goes with --board"
    end
    local before = quiet
    local _ <close> = setmetatable({}, {__close = function() quiet = before end})
    quiet = true
    draws.run(option, body)
end

-- Runs the body. Output that could not be written is an error even if all else succeeded.
local function protected(body, option)
    if option and option.uncertainty then
        run_draws(option, body)
    end
    local result = body()
    check_written(io.stdout:flush())
    return result
end

-- Ends a failed study: with a message for errors that the user can mend, else a traceback.
local function outcome(e)
    local text = tostring(e)
    if type(e) == "table" and e.status then -- of a study that this one runs
        return e
    elseif type(e) == "table" and e.kind == "input" then
        return {kind = "input", message = e.message, status = 2}
    elseif text:find "interrupted$" then
        return {message = "interrupted", status = 130} -- as shells report Ctrl-C
    elseif text:find "out of memory" or text:find "not enough memory" then
        return {kind = "input", message = "out of memory; a smaller input needs less", status = 2}
    end
    return {trace = debug.traceback(text, 2), status = 1}
end

-- `option`: of a study that takes --uncertainty.
function study.main(name, body, option)
    local mark, before = progress.mark(), shown
    local ok, result = xpcall(protected, outcome, body, option)
    progress.finish(mark)
    shown = before
    if ok and quiet and not result then
        error({message = "a check failed", status = 1}, 0)
    elseif ok then
        if not result then
            os.exit(1, true)
        end
        return result
    end
    io.stdout:flush()
    if type(result) ~= "table" then -- out of memory: Lua calls no message handler
        result = outcome(result)
    end
    if quiet then
        error(result, 0)
    end
    local message = result.message
    if message and not message:find("error: ", 1, true) then
        message = "error: " .. message
    end
    io.stderr:write(message and name .. ": " .. message or result.trace, "\n")
    os.exit(result.status, true)
end

local programs = {}

-- A program of heddle's own kernels folder, assembled once for all contexts: a tenth of a study's time otherwise.
function study.load(ctx, name)
    programs[name] = programs[name] or ctx:load(home.path("kernels/" .. name .. ".hd"))
    return programs[name]
end

local BLOCK = 128 -- threads of a block, at most

-- Warps of a block for `pieces` pieces of work, one per warp: the largest divisor that the board of ctx takes, so that
-- no warp is idle and counts are exact.
function study.warps_of_a_block(ctx, pieces, width)
    local threads = math.min(BLOCK, (ctx:board_value "max_threads_per_block"))
    local warps = math.max(1, math.min(threads // width, (ctx:board_value "sm.max_warps")))
    while pieces % warps ~= 0 do
        warps = warps - 1
    end
    return warps
end

-- ---- input ----

local MAGIC = "\x93NUMPY"

local standard_input -- its contents, kept for the other studies of a script

local MOST = 1 << 30 -- most bytes read from a .wav file or a pipe

function study.is_npy(bytes)
    return bytes:sub(1, #MAGIC) == MAGIC
end

-- True if the bytes may begin a .wav file: RIFF, its big-endian twin, or those with lengths of 64 bits.
function study.is_recording(bytes)
    return bytes:find "^RIF[FX]" == 1 or bytes:find "^[RB][FW]64" == 1
end

-- The contents of a .npy or .wav file, its name in messages, and whether it can be read only once, as a pipe; "-" is
-- standard input, of which with `tables` a text is read, too. Only the beginning is read of other files, and of
-- seekable .npy files, which context:npy reads by their path.
function study.read(path, tables)
    local standard = path == "-"
    local label = standard and "standard input" or path
    if standard and standard_input then
        return standard_input, label, true
    end
    local file, wrong = whole.open(path)
    if not file then
        study.refuse("%s", wrong)
    end
    local bytes, why = file:read(6)
    if why then
        study.refuse("%s: cannot be read: %s", label, why)
    end
    bytes = bytes or ""
    local recording = study.is_recording(bytes) or standard and tables and bytes:find "^[%g%s]+$"
    local once = standard or not recording and not file:seek "end"
    if recording or bytes == MAGIC and once then
        bytes, why = whole.rest(file, MOST, bytes)
        if not bytes then
            study.refuse("%s: %s", label, why)
        end
    end
    whole.close(file)
    standard_input = standard and bytes or standard_input
    return bytes, label, once
end

-- Makes a buffer by a function that returns it and a note; `label` stands for (mark) in messages. Returns both.
local function buffer_of(label, mark, make)
    local function named(message)
        return (message:gsub("^%(" .. mark .. "%)", (label:gsub("%%", "%%%%"))))
    end
    local b, _, message = study.attempt(function()
        local made, note = make()
        if note then
            progress.hide()
            io.stderr:write(named(note))
        end
        return made
    end)
    return b or study.refuse("%s", named(message)), label
end

-- Makes the buffer `name` from a .npy file; "-" is standard input. Returns it and its name in messages. A file is read
-- as far as its header announces, at most 4 GiB. `bytes`: the contents, if they have been read already.
function study.npy(ctx, name, path, bytes)
    local label, source = path, bytes or path
    if path == "-" then
        source, label = study.read(path)
        if not study.is_npy(source) then
            study.refuse("%s: it is no .npy file", label)
        end
    end
    return buffer_of(label, "bytes", function() return ctx:npy(name, source) end)
end

-- Makes the buffer `name` of fp32 from a table as text. Returns as study.npy.
function study.csv(ctx, name, path)
    local source, label = path, path
    if path == "-" then
        source, label = study.read(path, true)
        source = source:find "\n$" and source or source .. "\n"
    end
    return buffer_of(label, "text", function() return ctx:csv(name, "f32", source) end)
end

-- Makes the buffer `to` of fp32 from the first `count` elements of the buffer `from`, any real type. Returns a note
-- when values may have been rounded, else nil.
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

-- Runs a study by name from a script, with its arguments; returns its results.
function study.run(name, ...)
    return assert(loadfile(home.path("scripts/studies/" .. name .. ".lua"), "t"))(...)
end

-- Runs it without its text; nil and the reason if it refuses its board or its input.
function study.quiet(...)
    local before = quiet
    local _ <close> = setmetatable({}, {__close = function() quiet = before end})
    quiet = true
    return study.attempt(study.run, ...)
end

return study
