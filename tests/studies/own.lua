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
        {"lesson.lua", "of = \"ld.global\"", "of = \"ld.globl\"", "lesson.lua:6: gate 'loads' counts 'ld.globl', "},
        {"lesson.lua", "each = \"n\"", "each = \"n +\"", "lesson.lua:5: gate 'stores' is for each 'n +', which"},
        {"lesson.lua", "load %s elements", "load %d elements, %", "lesson.lua:6: gate 'loads' has no sentence"},
        {"lesson.lua", "{run = 2", "{board = \"none\", run = 2", "lesson.lua:9: there is no board 'none'"},
        {"lesson.lua", "{run = 2", "{run = 4", "reference.hd:1: it has no case 4, of which the prediction asks"},
        {"lesson.lua", "of = \"st.global\"}", "of = \"st.globl\"}", "lesson.lua:9: 'st.globl' is no measure"},
        {"lesson.lua", "{{\"n\"", "{{\"m\"", "reference.hd:1: 'drawn' has rows {NAME, LEAST, MOST, STEP}"},
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
    command.run("rm -rf " .. folder)
    says(2, "1", "error: " .. folder .. ": No such file or directory")
    heddle.write(folder, "")
    says(2, "1", folder .. ": this is no folder")
end)

local function wrong(line, n)
    return ("reference.hd:%d: the solution is wrong in its case with n = %d, warp 8: "):format(line, n)
end

-- `check` and `predict`: the place and the sentence of the error; nil: the command does what it should.
case("what only a run shows is named with its place, and never as a trace of Lua", function()
    local most <const> = "threads load %s elements"
    for _, row in ipairs {
        {"reference.hd", "ld.global.b32 v, [at]", "ld.global.b32 v, [at+4000000]",
            check = wrong(35, 1) .. "fault: out_of_bounds: load",
            predict = "reference.hd:35: fault: out_of_bounds"},
        {"reference.hd", "add.u32       v, v, v", "add.u32       v, v, 3",
            check = wrong(4, 1) .. "1 of 1 elements of y are wrong"},
        {"reference.hd", "grid=(n+63)//64", "grid=(q+63)//64",
            check = wrong(14, 500) .. "attempt to perform arithmetic"},
        {"reference.hd", "y = 2 * x[i]\n;! run twice grid=2", "y = 2 * z[i]\n;! run twice grid=2",
            check = wrong(4, 1) .. "attempt to index a nil value (global 'z')"},
        {"lesson.lua", "each = \"n\", say = \"" .. most, "each = \"m\", say = \"" .. most,
            check = "lesson.lua:6: gate 'loads': 'm' is no number with n = 1, warp 8"},
        {"lesson.lua", "of = \"st.global\"}", "of = function(r) return r.none.here end}",
            predict = "lesson.lua:9: the prediction's 'of' gives no number: attempt to index a nil value"},
    } do
        copied(row)
        local start = one .. "starter.hd"
        command.run(("cd %s && mkdir class && tee class/ada.hd class/eve.hd <01-twice/starter.hd"):format(folder))
        local class = "--check " .. folder .. "/class"
        for words, expected in pairs {["1 --check " .. start] = row.check, [class] = row.check,
            ["-j 2 " .. class] = row.check, ["1 --predict 100"] = row.predict} do
            says(2, words, one .. expected)
            local _, out, err = command.heddle(("lesson --lessons %s %s"):format(folder, words))
            ok(not (out .. err):find "traceback", out .. err)
        end
    end
end)

case("a solution that does what it should not is named with its row", function()
    copied {"solutions.lua", "add.u32       v, v, 1", "add.u32       v, v, v"}
    says(1, "--test", "solutions.lua:3: passed where results, 'elements of y are")
    copied {"reference.hd", "add.u32       v, v, v", "add.u32       v, v, 1"}
    says(1, "--test", wrong(4, 1) .. "1 of 1 elements of y")
    copied {"starter.hd", "ld.global.b32 w, [at]\n        add.u32       v, v, w", "add.u32       v, v, v"}
    says(1, "--test", "starter.hd:1: it does not fail the grade")
    copied {"solutions.lua", "add.u32       v, v, v", "add.u64       v, v, v"}
    says(1, "--test", "is not there once")
end)

test.finish()
