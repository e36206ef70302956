-- Reads the expectations of kernels: the `;!` lines of a .hd file (docs/assembly.md, "Expectations").
--
--   local file = expectations.read("kernels/classic/saxpy.hd")
--   for _, run in ipairs(file.runs) do print(run.entry, run.grid, #run.buffers, #run.expects) end
--
-- Lines that cannot be read are in file.errors; `read` raises them. Expressions stay text; case.lua evaluates them,
-- once for each warp width.

local heddle = require "heddle"
local lists = require "heddle.kit.lists"

local expectations = {}

local INSTRUCTIONS = "50000000" -- warp-instructions of a run that sets no limit

local function words(text) -- the `key=value` of a line; what follows `--` is a remark
    local list = {}
    for word in text:gsub("%s%-%-.*", ""):gmatch("%S+") do
        local key, value = word:match("^([%w_.$]+)=(.+)$")
        if not key then
            error(("'%s' is not of the form key=value"):format(word), 0)
        elseif lists.any(list, function(other) return other.key == key end) then
            error(("'%s' is given twice"):format(key), 0)
        end
        list[#list + 1] = {key = key, value = value}
    end
    return list
end

local RUN_WORDS = {grid = true, block = true, warp = true, board = true, shared = true, rules = true,
                   cooperative = true, name = true, like = true, same = true}

-- The K-th run of that name or kernel; nil where there are fewer.
function expectations.find(runs, word, k)
    return lists.map(runs, function(run) return (run.name == word or run.entry == word) and run or nil end)[k]
end

-- Finds the run whose launch, arguments and buffers another takes over: the first of that name or kernel.
local function find_like(file, word)
    return expectations.find(file.runs, word, 1) or error(("there is no run '%s' above"):format(word), 0)
end

local function new_run(file, entry, sizes, line)
    local run = {entry = entry, line = line, counts = {}, metrics = {}, findings = {}, varies = {},
                 number = #file.runs + 1}
    for _, w in ipairs(sizes) do
        if not RUN_WORDS[w.key] then
            error(("unknown word '%s'"):format(w.key), 0)
        end
        run[w.key] = w.value
    end
    if run.cooperative and run.cooperative ~= "yes" then
        error(("cooperative=yes, or without the word: not '%s'"):format(run.cooperative), 0)
    end
    if run.like and run.same then
        error("'same' is 'like', and its expectations: one of them", 0)
    end
    local like = (run.like or run.same) and find_like(file, run.like or run.same) or
        {grid = "1", block = "1", limit = INSTRUCTIONS, buffers = {}, args = {}}
    for _, key in ipairs {"grid", "block", "warp", "board", "shared", "rules", "cooperative", "limit"} do
        run[key] = run[key] or like[key]
    end
    run.buffers, run.args = {table.unpack(like.buffers)}, {table.unpack(like.args)}
    run.expects = run.same and {table.unpack(like.expects)} or {}
    return run
end

-- Adds a run of each entry; the lines after it belong to all of them.
local function add_runs(file, text, line)
    local entries, rest = text:match("^(%S+)(.*)$")
    file.group = {}
    for entry in (entries or error("expected the name of a kernel", 0)):gmatch("[^,]+") do
        local run = new_run(file, entry, words(rest), line)
        run.text = "run " .. entry .. rest:gsub("%s+%-%-.*", "")
        file.runs[run.number], file.group[#file.group + 1] = run, run
    end
end

-- Adds a row of a run; it replaces one of the same name of the run that this one is like.
local function put(run, rows, row, key)
    local at = #rows + 1
    for _, a in ipairs(rows == run.args and run.buffers or run.args) do
        if (a.key or a.name) == row[key] then
            error(("'%s' is a buffer and an argument"):format(row[key]), 0)
        end
    end
    for i, other in ipairs(rows) do
        if other[key] == row[key] then
            at = other.line < run.line and i or error(("'%s' is given twice"):format(row[key]), 0)
        end
    end
    rows[at] = row
end

local READERS = {}

local function buffer_reader(mode)
    return function(run, text, line)
        local name, type, shape, rest = text:match("^([%w_.$]+)%s*:%s*(%w+)(%b[])%s*(.*)$")
        local fill = rest and rest:match("^=%s*(.*)$")
        if not name or (rest ~= "" and not fill) then
            error("expected NAME : TYPE[SHAPE] = FILL", 0)
        end
        put(run, run.buffers, {mode = mode, name = name, type = type, shape = shape:sub(2, -2),
                               fill = fill or mode ~= "out" and "zeros" or nil, line = line}, "name")
    end
end
READERS["in"] = buffer_reader("in")
READERS["inout"] = buffer_reader("inout")
READERS["out"] = buffer_reader("out")

function READERS.arg(run, text, line)
    for _, w in ipairs(words(text)) do
        w.line = line
        put(run, run.args, w, "key")
    end
end

-- Reads "EXPRESSION", or after "~" "EXPRESSION tolerance T".
local function wanted(relation, want)
    if relation == "=" then
        return want, "0"
    end
    local value, tolerance = want:match("^(.*)%s+tolerance%s+(.*)$")
    if not value then
        error("expected NAME ~ EXPRESSION tolerance T", 0)
    end
    return value, tolerance
end

function READERS.expect(run, text, line)
    local target, relation, want = text:match("^(%S+)%s*([=~])%s*(.*)$")
    if not target then
        error("expected NAME = EXPRESSION", 0)
    end
    local part
    local name, row = target:match("^(.-)%[(%d+)%]$")
    name = name or target
    local base, field = name:match("^(.*)%.(%a+)$")
    if field == "re" or field == "im" then
        name, part = base, field
    end
    local value, tolerance = wanted(relation, want)
    run.expects[#run.expects + 1] = {name = name, part = part, row = math.tointeger(tonumber(row)), target = target,
                                     want = value, tolerance = tolerance, line = line}
end

function READERS.count(run, text, line)
    local class, want = text:match("^(%S+)%s*=%s*(.*)$")
    if not class then
        error("expected CLASS = EXPRESSION", 0)
    end
    run.counts[#run.counts + 1] = {class = class, want = want, line = line}
end

function READERS.metric(run, text, line)
    local name, relation, want = text:match("^(%S+)%s*([=~])%s*(.*)$")
    if not name then
        error("expected METRIC = EXPRESSION", 0)
    end
    local value, tolerance = wanted(relation, want)
    run.metrics[#run.metrics + 1] = {name = name, want = value, tolerance = tolerance, line = line}
end

function READERS.varies(run, text)
    for name in text:gsub("%s%-%-.*", ""):gmatch("%S+") do
        run.varies[name] = true
    end
end

function READERS.fault(run, text, line, beside)
    run.fault = text:match("^%S+") or error("expected the name of a fault", 0)
    run.fault_line = beside and line
end

function READERS.print(run, text, line)
    run.prints = run.prints or {}
    table.insert(run.prints, {text = text, line = line})
end

function READERS.limit(run, text)
    run.limit = text
end

-- Reads `schedule`: every order of the run's warps, up to a number, leaves the same; or some order does not.
function READERS.schedule(run, text, line)
    local word, bound = text:gsub("%s+%-%-.*", ""):match("^(%a+)%s*(%d*)$")
    if word ~= "same" and word ~= "differ" then
        error(("expected 'same' or 'differ', and how many orders, not '%s'"):format(text), 0)
    end
    run.orders = {same = word == "same", bound = bound ~= "" and bound or "100", line = line}
end

-- True if the result of a run depends on the order of its warps: a race, or a declared one.
function expectations.races(run)
    return #run.findings > 0 or run.orders ~= nil and not run.orders.same
end

-- The names of rows, and the rows by name.
local function names(rows)
    local list = {}
    for i, row in ipairs(rows) do
        list[i] = row.name
        list[row.name] = row
    end
    return list
end

local CHECKERS = names(heddle.checkers())

-- Beside an instruction a finding there, else the checkers of the run.
function READERS.check(run, text, line, beside)
    text = text:gsub("%s+%-%-.*", "")
    if not beside then
        for kind in (text .. ","):gmatch("(.-),") do
            if not CHECKERS[kind] and kind ~= "all" then
                error(("there is no checker '%s'"):format(kind), 0)
            end
        end
        run.checkers = text
        return
    end
    local kind, class = text:match("^(%S+)%s+(%S+)$")
    if not CHECKERS[kind] then
        error(("expected KIND CLASS, not '%s'"):format(text), 0)
    end
    local classes = names(CHECKERS[kind].classes)
    if not classes[class] or classes[class].proof then
        error(("'%s' is not a class of %s: %s"):format(class, kind, table.concat(classes, ", ")), 0)
    end
    if not classes[class].standard then
        run.checkers = run.checkers or "all," .. kind
    end
    run.findings[#run.findings + 1] = {kind = kind, class = class, line = line}
end

-- Lua that a run of the file sees: its own, and that of the files it includes; a chunk for each file.
local function add_lua(file, text, line)
    local chunk = file.chunks[#file.chunks]
    chunk.lua = chunk.lua .. ("\n"):rep(line - chunk.line) .. text
    chunk.line = line
end

-- Reads a line after `;!`, `beside` an instruction or alone. Lines of Lua keep their line numbers.
local function read_line(file, key, text, line, beside)
    if key == "run" then
        add_runs(file, text, line)
    elseif key == "lua" then
        add_lua(file, text, line)
    elseif key == "allow" then
        return -- the library reads it, with checkers
    elseif key == "lint" then
        file.lints[line] = beside and text or error("'lint' must follow an instruction", 0)
    elseif not READERS[key] then
        error(("unknown word '%s' after ;!"):format(key), 0)
    elseif #file.group == 0 then
        error(("'%s' stands before the first 'run'"):format(key), 0)
    else
        for _, run in ipairs(file.group) do
            READERS[key](run, text, line, beside)
        end
    end
end

-- The path that a file names beside it, as the assembler finds it.
local function beside(from, name)
    local path = (from:match("^(.*/)") or "") .. name
    local before
    repeat
        before = path
        path = path:gsub("([^/]+)/%.%./", function(folder) return folder ~= ".." and "" or nil end)
    until path == before
    return path
end

-- The text of a plain file: a pipe may have no end.
function expectations.text(path)
    local real, kind = heddle.path(path)
    if real and kind ~= "file" then
        error(("'%s' cannot be read; expected a plain file"):format(path), 0)
    end
    local handle <close>, why = io.open(path, "rb")
    local text
    if handle then
        text, why = handle:read("a")
        why = why and path .. ": " .. why
    end
    return text or error(why, 0)
end

-- The lines of Lua of an included file, and of those that it includes, each once; its other lines are not looked at.
local function read_included(file, path)
    if file.included[path] then
        return
    end
    file.included[path] = true
    local own, number = {path = path, lua = "", line = 1}, 0
    for line in (expectations.text(path) .. "\n"):gmatch("(.-)\r?\n") do
        number = number + 1
        local name = line:match('^%s*%.include%s+"([^"]*)"')
        if name then
            read_included(file, beside(path, name))
        end
        local text = line:match(";!%s*lua%s+(.-)%s*$")
        if text then
            own.lua = own.lua .. ("\n"):rep(number - own.line) .. text
            own.line = number
        end
    end
    table.insert(file.chunks, #file.chunks, own)
end

local function note_error(file, line, ok, why)
    if not ok then
        file.errors[#file.errors + 1] = ("%s:%d: %s"):format(file.path, line, why)
    end
end

function expectations.parse(path, text)
    local file = {path = path, text = text, runs = {}, group = {}, lints = {}, included = {}, errors = {},
                  chunks = {{path = path, lua = "", line = 1}}}
    local number = 0
    for line in (text .. "\n"):gmatch("(.-)\r?\n") do
        number = number + 1
        local name = line:match('^%s*%.include%s+"([^"]*)"')
        if name then
            note_error(file, number, pcall(read_included, file, beside(path, name)))
        end
        local code, notes = line:match("^(.-);!(.*)$")
        for note in (notes and notes .. ";!" or ""):gmatch("(.-);!") do
            local key, rest = note:match("^%s*(%S+)%s*(.-)%s*$")
            if key then
                note_error(file, number, pcall(read_line, file, key, rest, number, code:find("%S") ~= nil))
            end
        end
    end
    return file
end

function expectations.read(path)
    local file = expectations.parse(path, expectations.text(path))
    if #file.errors > 0 then
        error(table.concat(file.errors, "\n"), 0)
    end
    return file
end

-- Reads the runs except those named `big`, which fill a board: for tests that run all of them in many ways.
function expectations.read_small(path)
    local file = expectations.read(path)
    file.runs = lists.map(file.runs, function(run) return run.name ~= "big" and run or nil end)
    return file
end

-- Formats a message "path:line: text" like the assembler: with the line, and a caret below the text after `;!`.
function expectations.show(file, message)
    local number, text = message:sub(#file.path + 1):match("^:(%d+):%s*(.*)$")
    if not number or message:sub(1, #file.path) ~= file.path or text:find "^%d+: error: " then
        return message
    end
    local at = 1
    for _ = 2, math.tointeger(number) do
        at = (file.text:find("\n", at, true) or #file.text) + 1
    end
    local source = file.text:sub(at, (file.text:find("\n", at, true) or #file.text + 1) - 1):gsub("\r$", "")
    local first = source:find(";!", 1, true) or source:find("%S") or 1
    local before = source:sub(1, first - 1):gsub("[^\t]", " ")
    return ("%s:%d:%d: error: %s\n%6d | %s\n       | %s^%s"):format(file.path, number, first, text:gsub("^%d+: ", ""),
        number, source, before, ("~"):rep(#source - first))
end

-- The warp widths that the run names, or else those of its kernel.
function expectations.widths(program, run)
    local widths = {}
    for text in (run.warp or ""):gmatch("%d+") do
        widths[#widths + 1] = tonumber(text)
    end
    local kernel = #widths == 0 and lists.by(program:kernels(), "name")[run.entry]
    return kernel and kernel.widths or widths
end

-- Finds all .hd files under the folders, except in folders "lib", whose files others include, and the files themselves
-- whatever their names, so that the assembler reports them; `special`: also pipes, whose names end in .hd.
function expectations.files(paths, special)
    local list = {}
    for _, path in ipairs(paths) do
        local before = #list
        local quoted = "'" .. path:gsub("^%-", "./-"):gsub("'", "'\\''") .. "'"
        local find = "find %s ! -xtype d %s '(' -name '*.hd' -not -path '*/lib/*' -o -xtype f -samefile %s ')' " ..
            "-print0 2>/dev/null | LC_ALL=C sort -z"
        local pipe = assert(io.popen(find:format(quoted, special and "" or "! -xtype p", quoted)))
        for name in pipe:read "a":gmatch "%Z+" do
            list[#list + 1] = name
        end
        pipe:close()
        if #list == before then
            error(path .. ": there is no .hd file", 0)
        end
    end
    return list
end

return expectations
