-- Is a folder of lessons as good as those that ship: its kernels are graded alike, and each thing that is wrong in it
-- is named with its place?
local heddle = require "heddle"
local command = require "tests.lib.command"
local expectations = require "heddle.cases.expectations"
local hand_in = require "heddle.lessons.hand_in"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

local EXAMPLE <const> = "docs/lessons/own"
local folder = command.folder .. "/course"
local one = folder .. "/01-twice/"

-- A copy of the example with a change of a file: {file, text, what takes its place}.
local function copied(change)
    command.run(("rm -rf %s && cp -r %s %s"):format(folder, EXAMPLE, folder))
    if change then
        local text = expectations.text(one .. change[1])
        local first, last = text:find(change[2], 1, true)
        heddle.write(one .. change[1], text:sub(1, first - 1) .. change[3] .. text:sub(last + 1))
    end
end

local function says(status, words, expected)
    local got, out, err = command.heddle(("lesson --lessons %s %s"):format(folder, words))
    equal(got, status, out .. err)
    local text = (out .. err):gsub("%s+", " ") -- of lines that are wrapped
    ok(text:find((expected:gsub("%s+", " ")), 1, true), ("no '%s' in: %s"):format(expected, text))
end

case("the example: list, page, question, grade, hand-in, and a test of its solutions", function()
    copied()
    says(0, "", "Lesson 1: twice\n")
    says(0, "1", "Double each element")
    says(0, "1 --predict 100", "100 is right.")
    says(0, "1 --test", "lesson 1: its solutions do what they should\n")
    says(0, "--test", "lesson 1: its solutions do what they should\n")
    says(0, "1 --check " .. one .. "reference.hd", "lesson 1: passed")
    says(0, "1 --start " .. one .. "mine.hd --seed ada", "wrote")
    says(1, "--check " .. one .. "mine.hd", "lesson 1: not passed, at 'loads'")
    local source = expectations.text(one .. "reference.hd")
    heddle.write(folder .. "/form.csv", ("ada,%s\neve,%s\n"):format(hand_in.line {lesson = 1, prediction = "100",
        source = source}, hand_in.line {lesson = 2, source = source}))
    says(1, "-j 2 --csv --check " .. folder .. "/form.csv", "form.csv:1,passed,,,ada,1,100,right,,\n")
    says(1, "--check " .. folder .. "/form.csv", "there is no lesson 2")
    says(2, "2", "there is no lesson '2'; there are 1 to 1")
end)

case("what a folder lacks is named with its place, all at once", function()
    for _, row in ipairs {
        {"lesson.lua", "kernel = ", "kernal = ", "lesson.lua:2: unknown key 'kernal'"},
        {"lesson.lua", "kernel = \"twice\"", "kernel = \"thrice\"", "starter.hd:1: it has no kernel 'thrice'"},
        {"lesson.lua", "drawn = {{", "drawn = {", "lesson.lua:4: <eof> expected"},
        {"lesson.lua", "hints = {results = 1, loads = 2, stores = 3},", "", "lesson.lua:1: 'hints' is no table"},
        {"lesson.lua", "most = 1, each = \"n\", say = \"threads load", "each = \"n\", say = \"threads load",
            "lesson.lua:6: gate 'loads' has no bound"},
        {"lesson.lua", ", of = \"st.global\"}", "}", "lesson.lua:9: a prediction is {run = CASE"},
        {"lesson.lua", "return {", "os.exit() return {", "lesson.lua:1: attempt to index a nil value (global 'os')"},
        {"page.md", "## Predict", "## Guess", "page.md:1: it lacks '## Predict'"},
        {"page.md", "<details><summary>Hint 3", "<details><sum>Hint 3",
            "page.md:15: it has 2 hints, and 3 are needed"},
        {"starter.hd", "add.u32", "addd.u32", "starter.hd:26:9: error: unknown instruction 'addd.u32'"},
        {"starter.hd", ";! run", "; run", "starter.hd:4: 'in' stands before the first 'run'"},
        {"reference.hd", ";! run twice grid=1 block=64\n;! in  x : u32[1] = random 1\n;! out y : u32[1]\n" ..
            ";! arg n=1\n;! expect y = 2 * x[i]\n", "", "reference.hd:1: it has 2 cases"},
    } do
        copied(row)
        says(2, "1", row[4])
    end
    copied {"lesson.lua", "kernel = ", "kernal = "}
    os.remove(one .. "page.md")
    says(2, "1", "page.md:1: it is missing: the page")
    says(2, "1", "lesson.lua:2: unknown key 'kernal'")
    command.run("rm -rf " .. one)
    says(2, "1", folder .. ":1: it has no folder of a lesson")
end)

case("a solution that does what it should not is named with its row", function()
    copied {"solutions.lua", "add.u32       v, v, 1", "add.u32       v, v, v"}
    says(1, "--test", "solutions.lua:3: passed where results, 'elements of y are")
    copied {"reference.hd", "add.u32       v, v, v", "add.u32       v, v, 1"}
    says(1, "--test", "reference.hd:1: the solution is wrong in its cases: 1 of 1 elements of y")
    copied {"starter.hd", "ld.global.b32 w, [at]\n        add.u32       v, v, w", "add.u32       v, v, v"}
    says(1, "--test", "starter.hd:1: it does not fail the grade")
    copied {"solutions.lua", "add.u32       v, v, v", "add.u64       v, v, v"}
    says(1, "--test", "is not there once")
end)

test.finish()
