-- Lessons of a folder (heddle lesson --lessons), each a folder NN-name below it:
--
--     lesson.lua       its row, as of heddle.lessons.rows, after "return"; `prediction.of` may be a measure's name
--     page.md          the page; starter.hd, reference.hd, solutions.lua as of a lesson that ships
--
--   local rows, faults = own.read "course"       rows in the order of names; what is wrong, as "FILE:LINE: TEXT"
--   own.read("course", {"01-twice"})             where no folder can be listed
--   local faults = own.test(lesson)              what does not hold of one: passes that fail, and the other way round
local heddle = require "heddle"
local boards = require "heddle.kit.board"
local expectations = require "heddle.cases.expectations"
local file = require "heddle.kit.file"
local grader = require "heddle.lessons.grade"
local lessons = require "heddle.lessons.lessons"
local lists = require "heddle.kit.lists"
local measures = require "heddle.lessons.measures"
local solutions = require "heddle.lessons.solutions"

local own = {}

local MOST <const> = 1 << 18 -- bytes of a file
local FILES <const> = {["lesson.lua"] = "the row", ["page.md"] = "the page", ["reference.hd"] = "the solution",
    ["starter.hd"] = "the kernel to begin with", ["solutions.lua"] = "wrong solutions"}
local KEYS <const> = {kernel = "string", gates = "table", hints = "table", drawn = "table", prediction = "table",
    board = false, orders = false, proved = false, payoff = false}
local PARTS <const> = {"^# Lesson", "\n## Predict\n", "--predict", "\n## Hints\n"}

local function read(path)
    local handle <close> = heddle.path(path) and io.open(path, "rb")
    return handle and file.rest(handle, MOST, "")
end

-- The number of the first line with a text; 1 if there is none.
local function line_of(text, words)
    local at = text:find(words, 1, true)
    return at and select(2, text:sub(1, at):gsub("\n", "")) + 1 or 1
end

-- Runs the Lua of a row, which gets no more than what a table needs.
local function run(path, text, add)
    local env = {math = math, string = string, table = table, ipairs = ipairs, pairs = pairs,
        measure = measures.of}
    local f, why = load(text, "=lesson.lua", "t", env) -- of a long path Lua shows the end
    local ok, value = pcall(f or error, why)
    if not ok or type(value) ~= "table" then
        local reason = tostring(value)
        add(nil, path .. (ok and ":1: it returns no table" or reason:match ":%d.*$" or ":1: " .. reason))
        return nil
    end
    return value
end

-- True if the bound is for each of a number that an expression can give.
local function is_each(each)
    return each == nil or type(each) == "string" and load("return " .. each, "=each", "t", {}) ~= nil
end

local function check_gate(gate, add, place)
    if type(gate) ~= "table" or type(gate[1]) ~= "string" or type(gate.of) ~= "string" or not gate.say then
        add("gates", "a gate is {name, of = MEASURE, most, least or times = NUMBER, say = TEXT}")
        return
    end
    local name = ("gate '%s' "):format(gate[1])
    if not (gate.most or gate.least or gate.times) then
        add(gate[1], name .. "has no bound: most, least or times")
    elseif not measures.known(gate.of) then
        add(gate.of, ("%scounts '%s', which is no measure, metric or instruction"):format(name, gate.of))
    elseif not pcall(string.format, gate.say, "1", "1") then
        add(gate[1], name .. "has no sentence: 'say' takes two '%s', and a share is '%%'")
    elseif not is_each(gate.each) then
        add(gate[1], ("%sis for each '%s', which is no expression"):format(name, gate.each))
    end
    gate.at = place(gate[1])
end

-- A board of configs/, if there is one in the table.
local function check_board(holder, add)
    if holder.board and not pcall(boards.read, heddle.new(), holder.board) then
        add(tostring(holder.board), ("there is no board '%s'"):format(holder.board))
    end
end

-- Makes a function of a measure's name or a function, with the place of a failure.
local function measured(of, place)
    local function named(result)
        return measures.of(of, result)
    end
    return function(result)
        local ok, number = pcall(type(of) == "string" and named or of, result)
        if not ok or type(number) ~= "number" then
            error(("%s: the prediction's 'of' gives no number%s"):format(place "prediction",
                ok and "" or ": " .. tostring(number):gsub("^%S-:%d+: ", "")), 0)
        end
        return number
    end
end

-- `place` gives "FILE:LINE" of a text in the row.
local function check_row(row, add, place)
    for key, kind in pairs(KEYS) do
        if kind and type(row[key]) ~= kind then
            add(key, ("'%s' is no %s"):format(key, kind))
        end
    end
    for key in pairs(row) do
        if KEYS[key] == nil then
            add(tostring(key), ("unknown key '%s'"):format(key))
        end
    end
    for _, gate in ipairs(type(row.gates) == "table" and row.gates or {}) do
        check_gate(gate, add, place)
    end
    check_board(row, add)
    local ask = type(row.prediction) == "table" and row.prediction or {}
    check_board(ask, add)
    if not (ask.run and ask.warp and ask.of) then
        add("prediction", "a prediction is {run = CASE, warp = LANES, of = MEASURE}, or with file = 'starter'")
    elseif type(ask.of) == "string" and not measures.known(ask.of) then
        add("prediction", ("'%s' is no measure, metric or instruction"):format(ask.of))
    else
        ask.of = measured(ask.of, place)
    end
end

local function check_page(text, add)
    for _, part in ipairs(PARTS) do
        if not text:find(part) then
            add("", ("it lacks '%s'"):format(part:gsub("[\n^]", "")))
        end
    end
    local _, hints = text:gsub("<summary>", "")
    if hints ~= 3 then
        add("## Hints", ("it has %d hints, and 3 are needed"):format(hints))
    end
end

-- The cases are those of which the row speaks.
local function check_cases(row, runs, least, part, add)
    local ask, args = type(row.prediction) == "table" and row.prediction or {}, lists.by(runs[#runs].args, "key")
    if #runs < least then
        add("", ("it has %d cases, ';! run', and at least %d are needed"):format(#runs, least))
    elseif ask.run and part == (ask.file or "reference") and not runs[ask.run] then
        add("", ("it has no case %s, of which the prediction asks"):format(ask.run))
    end
    for _, drawn in ipairs(part == "reference" and type(row.drawn) == "table" and row.drawn or {}) do
        if type(drawn) ~= "table" or not args[drawn[1]] or not (drawn[2] and drawn[3] and drawn[4]) then
            add("", "'drawn' has rows {NAME, LEAST, MOST, STEP}, each of an argument of the last case")
        end
    end
end

-- The kernel of the row is in the file, with cases.
local function check_kernel(path, row, least, part, add)
    local context <close> = heddle.new()
    local ok, program = pcall(context.load, context, path)
    if not ok then
        add(nil, (type(program) == "table" and program.message or tostring(program)):gsub("\n$", ""))
        return
    end
    if not lists.by(program:kernels(), "name")[row.kernel] then
        add("", ("it has no kernel '%s'"):format(row.kernel))
    end
    local good, cases = pcall(expectations.read, path)
    if not good then
        add(nil, tostring(cases):gsub("\n$", ""))
    elseif #cases.runs > 0 then
        check_cases(row, cases.runs, least, part, add)
    else
        add("", "it has no case, ';! run'")
    end
end

local function read_one(folder, name, faults)
    local texts = {}
    for part, what in pairs(FILES) do
        local path = ("%s/%s/%s"):format(folder, name, part)
        texts[part] = read(path)
        faults[#faults + 1] = not texts[part] and ("%s:1: it is missing: %s"):format(path, what) or nil
    end
    local path = ("%s/%s/"):format(folder, name)
    local function placer(part)
        return function(words) return ("%s%s:%d"):format(path, part, line_of(texts[part], words)) end
    end
    local function adder(part)
        return function(words, text)
            faults[#faults + 1] = words and ("%s: %s"):format(placer(part)(words), text) or text
        end
    end
    local row = texts["lesson.lua"] and run(path .. "lesson.lua", texts["lesson.lua"], adder "lesson.lua") or nil
    if row then
        check_row(row, adder "lesson.lua", placer "lesson.lua")
        for part, least in pairs {starter = 1, reference = 3} do
            local kernel = part .. ".hd"
            local _ = texts[kernel] and check_kernel(path .. kernel, row, least, part, adder(kernel))
        end
    end
    local _ = texts["page.md"] and check_page(texts["page.md"], adder "page.md")
    return row and lists.merge(row, {name = name, folder = folder .. "/" .. name})
end

-- Grades what a lesson has: the solution passes, the kernel to begin with and the wrong solutions fail as they should.
function own.test(lesson)
    local good, grade = pcall(grader.new, lesson)
    local faults = {not good and tostring(grade) or nil}
    if not good then
        return faults
    end
    local function expect(path, result, gate, words)
        local other = words and result.reason and not result.reason:find(words, 1, true)
        if result.status == "broken" or (result.gate or "passed") ~= gate or other then
            faults[#faults + 1] = ("%s: %s where %s%s is expected: %s"):format(path, result.gate or result.status, gate,
                words and ", '" .. words .. "'," or "", result.reason or "it has passed")
        end
    end
    local reference, start = lessons.path(lesson, "reference"), lessons.path(lesson, "starter")
    expect(reference .. ":1", grade(reference), "passed")
    local begun = grade(start)
    faults[#faults + 1] = begun.status ~= "failed" and start .. ":1: it does not fail the grade" or nil
    local path = solutions.path(lesson)
    local ok, list = pcall(solutions.of, lesson)
    faults[#faults + 1] = not ok and ("%s:1: %s"):format(path, tostring(list):gsub("^.-:%d+: ", "")) or nil
    local lines, number = {}, 0 -- of the rows
    for line in expectations.text(path):gmatch "([^\n]*)\n" do
        number = number + 1
        lines[#lines + 1] = line:find "^%s?%s?%s?%s?{" and number or nil
    end
    for i, s in ipairs(ok and list or {}) do
        expect(("%s:%d"):format(path, lines[i] or 1), grade(reference, nil, nil, s.text), s.gate,
            s.gate ~= "passed" and s.words or nil)
    end
    return faults
end

local function listed(folder)
    local shell = require "heddle.report.shell" -- which a page does not have
    local real, kind = heddle.path(folder)
    if kind ~= "folder" then
        return {}, real and folder .. ": this is no folder" or kind
    end
    local found, names = shell.output("find %s -mindepth 1 -maxdepth 1 -type d -name '[0-9]*-*' -printf '%%f\n' | " ..
        "LC_ALL=C sort", shell.quote(folder)), {}
    for name in found:gmatch "[^\n]+" do
        names[#names + 1] = name
    end
    return names
end

function own.read(folder, names)
    local rows, faults = {}, {}
    local why
    if not names then
        names, why = listed(folder)
    end
    for _, name in ipairs(names) do
        rows[#rows + 1] = read_one(folder, name, faults)
    end
    if #names == 0 then
        faults[1] = why or folder .. ":1: it has no folder of a lesson, such as 01-name"
    end
    table.sort(faults)
    return rows, faults
end

return own
