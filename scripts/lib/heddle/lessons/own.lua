-- Lessons of a folder (heddle lesson --lessons), each a folder NN-name below it:
--
--     lesson.lua       its row, as of heddle.lessons.rows, after "return"; `prediction.of` may be a measure's name
--     page.md          the page; starter.hd, reference.hd, solutions.lua as of a lesson that ships
--
--   local rows, faults = own.read "course"       rows in the order of names; what is wrong, as "FILE:LINE: TEXT"
--   local faults = own.test(lesson)              what does not hold of one: passes that fail, and the other way round
local heddle = require "heddle"
local expectations = require "heddle.cases.expectations"
local file = require "heddle.kit.file"
local grader = require "heddle.lessons.grade"
local lessons = require "heddle.lessons.lessons"
local lists = require "heddle.kit.lists"
local measures = require "heddle.lessons.measures"
local shell = require "heddle.report.shell"
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

-- Runs the Lua of a row or of solutions, which gets no more than what a table needs.
local function run(path, text, add)
    local env = {math = math, string = string, table = table, ipairs = ipairs, pairs = pairs,
        measure = measures.of}
    local f, why = load(text, "@" .. path, "t", env)
    local ok, value = pcall(f or error, why)
    if not ok or type(value) ~= "table" then
        add(nil, ok and path .. ":1: it returns no table" or tostring(value))
        return nil
    end
    return value
end

local function check_gate(gate, add)
    if type(gate) ~= "table" or type(gate[1]) ~= "string" or not gate.of or not gate.say then
        add("gates", "a gate is {name, of = MEASURE, most, least or times = NUMBER, say = TEXT}")
    elseif not (gate.most or gate.least or gate.times) then
        add(gate[1], ("gate '%s' has no bound: most, least or times"):format(gate[1]))
    end
end

local function check_row(row, add)
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
        check_gate(gate, add)
    end
    local ask = type(row.prediction) == "table" and row.prediction or {}
    if not (ask.run and ask.warp and ask.of) then
        add("prediction", "a prediction is {run = CASE, warp = LANES, of = MEASURE}, or with file = 'starter'")
    elseif type(ask.of) == "string" then
        local name = ask.of
        ask.of = function(result) return measures.of(name, result) end
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

-- The kernel of the row is in the file, with cases.
local function check_kernel(path, row, least, add)
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
    elseif #cases.runs < least then
        add("", ("it has %d cases, ';! run', and at least %d are needed"):format(#cases.runs, least))
    end
end

local function read_one(folder, name, faults)
    local texts = {}
    for part, what in pairs(FILES) do
        local path = ("%s/%s/%s"):format(folder, name, part)
        texts[part] = read(path)
        faults[#faults + 1] = not texts[part] and ("%s:1: it is missing: %s"):format(path, what) or nil
    end
    local function adder(part)
        return function(words, text)
            faults[#faults + 1] = words and ("%s/%s/%s:%d: %s"):format(folder, name, part,
                line_of(texts[part], words), text) or text
        end
    end
    local path = ("%s/%s/"):format(folder, name)
    local row = texts["lesson.lua"] and run(path .. "lesson.lua", texts["lesson.lua"], adder "lesson.lua") or nil
    if row then
        check_row(row, adder "lesson.lua")
        for part, least in pairs {["starter.hd"] = 1, ["reference.hd"] = 3} do
            local _ = texts[part] and check_kernel(path .. part, row, least, adder(part))
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

function own.read(folder)
    local rows, faults, names = {}, {}, {}
    local found = shell.output("find %s -mindepth 1 -maxdepth 1 -type d -name '[0-9]*-*' -printf '%%f\\n' | " ..
        "LC_ALL=C sort", shell.quote(folder))
    for name in found:gmatch "[^\n]+" do
        names[#names + 1] = name
    end
    for _, name in ipairs(names) do
        rows[#rows + 1] = read_one(folder, name, faults)
    end
    if #names == 0 then
        faults[1] = folder .. ":1: it has no folder of a lesson, such as 01-name"
    end
    table.sort(faults)
    return rows, faults
end

return own
