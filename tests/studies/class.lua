-- Is a class graded whole: folders, tables and lines of hand-ins, of all lessons at once, with points, likeness, and
-- files that learning platforms read?
local heddle = require "heddle"
local command = require "tests.lib.command"
local conform = require "heddle.schema.conform"
local expectations = require "heddle.cases.expectations"
local formats = require "heddle.schema.formats"
local grader = require "heddle.lessons.grade"
local hand_in = require "heddle.lessons.hand_in"
local lessons = require "heddle.lessons.lessons"
local lists = require "heddle.kit.lists"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

local folder = command.folder
local function put(name, text)
    local path = folder .. "/" .. name
    command.run("mkdir -p " .. path:match "^.*/")
    heddle.write(path, text)
    return path
end

local function kernel(number, file)
    return expectations.text(lessons.path(lessons.find(number), file))
end

local function grades(words)
    local status, out, err = command.heddle("lesson --check " .. words .. " --json -")
    ok(out ~= "", err)
    local value = heddle.parse(out)
    equal({conform.first(formats.schema "heddle-lesson-1", value)}, {})
    return value.results, status
end

-- ---- lines ----

-- Made by the page for the same (tests/pages/parts.js).
local LINE <const> =
    "heddle-hand-in-1.eyJsZXNzb24iOjEsInNvdXJjZSI6Ii5rZXJuZWwga1xuOyDDvD8-XG4iLCJ2ZXJzaW9uIjoiMC4xLj" ..
    "AiLCJwcmVkaWN0aW9uIjoiMjYiLCJhdHRlbXB0cyI6M30.227eee23"

case("a line holds what was put into it, whatever its length", function()
    for n = 0, 12 do
        local given = {lesson = 3, source = ("\0\255\u{fc}?>~xyz\n"):rep(3):sub(1, n) .. "\u{1f9f5}", attempts = n}
        given.source = utf8.len(given.source) and given.source or ("x"):rep(n)
        equal(hand_in.read(hand_in.line(given)), given)
    end
    equal(hand_in.read(LINE), {lesson = 1, source = ".kernel k\n; \u{fc}?>\n", version = "0.1.0", prediction = "26",
        attempts = 3})
end)

case("mails may wrap a line, and put text around it", function()
    local given = {lesson = 1, source = kernel(1, "starter")}
    local line = hand_in.line(given)
    equal(hand_in.read("> my answer: " .. line:gsub(("."):rep(60), "%0\n") .. " \n-- \nAda"), given)
end)

case("no part of a line can be lost or changed", function()
    local line = hand_in.line {lesson = 1, source = ".kernel k\n"}
    local first = #"heddle-hand-in-1." + 1
    for at = first, #line do
        local other = line:sub(at, at) == "A" and "B" or "A"
        for _, text in ipairs {line:sub(1, at - 1), line:sub(1, at - 1) .. line:sub(at + 1),
            line:sub(1, at - 1) .. other .. line:sub(at + 1)} do
            local found, why = hand_in.read(text)
            ok(not found and why:find "a part of it is missing, or was changed", text)
        end
    end
    equal({hand_in.read "no hand-in"}, {})
    ok(select(2, hand_in.read "heddle-hand-in-2.AAAA.00000000"):find "later version")
end)

case("a line has a lesson and a kernel, of the right types", function()
    for words, given in pairs {["no lesson or no kernel"] = {lesson = 1}, ["'lesson' is no whole number"] =
        {lesson = "1", source = ""}, ["'hints' is no whole number"] = {lesson = 1, source = "", hints = 1.5},
        ["'name' is no text"] = {lesson = 1, source = "", name = {}}} do
        local found, why = hand_in.read(hand_in.line(given))
        ok(not found and why:find(words, 1, true), words .. ": " .. tostring(why))
    end
end)

case("a seed of a table is before that of a line, and both before the command's", function()
    local source, answers = kernel(1, "reference"), {}
    for _, seed in ipairs {"ada", "bob", ""} do
        answers[seed] = tostring(grader.predicted(lessons.find(1), seed ~= "" and seed or nil))
    end
    ok(answers.ada ~= answers.bob and answers.ada ~= answers[""], "drawn alike")
    local function line(answer, seed)
        return hand_in.line {lesson = 1, source = source, prediction = answers[answer], seed = seed}
    end
    put("seeds.csv", ("student,seed,answer\n1,,%s\n2,bob,%s\n3,bob,%s\n4,,%s\n"):format(line("ada", "ada"),
        line("ada", "ada"), line("bob", "ada"), line("", nil)))
    local function told(words)
        local results = grades(folder .. "/seeds.csv" .. words)
        return lists.map(results, function(r) return {r.seed or "none", r.prediction} end)
    end
    equal(told "", {{"ada", "right"}, {"bob", "wrong"}, {"bob", "right"}, {"none", "right"}})
    equal(told " --seed bob -j 2", {{"ada", "right"}, {"bob", "wrong"}, {"bob", "right"}, {"bob", "wrong"}})
    local _, out = command.heddle("lesson --check " .. folder .. "/seeds.csv --csv")
    ok(out:find "^[^\n]*,seed\n[^\n]*,ada\n", out)
    local _, mine = command.heddle(("lesson 1 --seed eve --hand-in %s"):format(put("eve.hd", source)))
    equal(hand_in.read(mine).seed, "eve")
end)

-- ---- who, and which lesson ----

case("a folder: students are its folders, lessons are known by their kernels", function()
    put("group/ada/one.hd", kernel(1, "reference"))
    put("group/ada/both.hd", kernel(2, "reference") .. "\n" .. kernel(4, "starter"))
    put("group/bob.hd", kernel(1, "starter"))
    put("group/cy/in.txt", "Dear teacher,\n\n" .. hand_in.line {lesson = 1, source = kernel(1, "reference"),
        prediction = "26", attempts = 2, hints = 1, version = "0.1.0"} .. "\n")
    put("group/cy/notes.txt", "nothing here\n")
    put("group/form.csv", "eve," .. hand_in.line {lesson = 1, source = kernel(1, "reference")} .. "\n")
    put("group/fay.txt", hand_in.line {lesson = 1, source = kernel(1, "starter")})
    put("group/dan/other.hd", "; none\n.kernel k\n exit\n")
    local results, status = grades(folder .. "/group")
    equal(status, 1)
    equal(lists.map(results, function(r)
        return {r.file:sub(#folder + 8), r.student, r.lesson or 0, r.status}
    end), {{"ada/both.hd", "ada", 2, "passed"}, {"ada/both.hd", "ada", 4, "failed"}, {"ada/one.hd", "ada", 1, "passed"},
        {"bob.hd", "bob", 1, "failed"}, {"dan/other.hd", "dan", 0, "broken"}, {"cy/in.txt:3", "cy", 1, "passed"},
        {"fay.txt:1", "fay", 1, "failed"}, {"form.csv:1", "eve", 1, "passed"}})
    local line = results[6]
    equal({line.prediction, line.attempts, line.hints_opened, line.version}, {"right", 2, 1, "0.1.0"})
    ok(results[5].reason:find "no kernel of a lesson")
    equal(#grades(folder .. "/group/bob.hd"), 1)
    local _, out = command.heddle("lesson 4 --check " .. folder .. "/group --csv")
    ok(not out:find "cy/in.txt", "a hand-in of another lesson is not of this one")
end)

case("a table: the student is the column with such a title, else the first", function()
    local good, bad = kernel(1, "reference"), kernel(1, "starter")
    local line = hand_in.line {lesson = 1, source = good, name = "nobody"}
    put("moodle.csv", ('when,Name,answer\n1,"Lovelace, Ada",%s\n2,Bob,%s\n3,Cy,\n4,Dan,%s.AAAA.00000000\n'):format(line,
        hand_in.line {lesson = 1, source = bad, prediction = "7"}, "heddle-hand-in-1"))
    local results = grades(folder .. "/moodle.csv")
    equal(lists.map(results, function(r) return {r.student, r.status} end),
        {{"Lovelace, Ada", "passed"}, {"Bob", "failed"}, {"Dan", "broken"}})
    equal(results[2].prediction, "wrong")
    put("plain.csv", "ada," .. line .. "\n")
    equal(grades(folder .. "/plain.csv")[1].student, "ada")
    for i, between in ipairs {";", "\t"} do
        local name = ("other%d.csv"):format(i)
        put(name, table.concat(lists.map({{"id", "Name", "answer"}, {"1", "Lovelace, Ada", line},
            {line, '"a' .. between .. 'b"', "x"}}, function(row) return table.concat(row, between) .. "\n" end)))
        local two = grades(folder .. "/" .. name)
        equal({two[1].student, two[2].student}, {"Lovelace, Ada", "a" .. between .. "b"})
    end
    local nameless = hand_in.line {lesson = 1, source = good}
    put("crowd/all.txt", nameless .. "\n" .. nameless .. "\n")
    local crowd = grades(folder .. "/crowd")
    ok(crowd[1].student:find "all.txt:1$" and crowd[2].student:find "all.txt:2$", "nameless lines are not one student")
    put("alone.txt", line .. "\n")
    equal(grades(folder .. "/alone.txt")[1].student, "nobody")
    put("far.txt", hand_in.line {lesson = 99, source = good})
    ok(grades(folder .. "/far.txt")[1].reason:find "there is no lesson 99")
    equal(command.heddle("lesson --check " .. folder .. "/nowhere.hd"), 2)
    put("none.csv", "a,b\n1,2\n")
    local status, _, err = command.heddle("lesson --check " .. folder .. "/none.csv")
    ok(status == 2 and err:find "no line of a hand%-in is in this file", err)
end)

case("a line of a table includes what is in the folder lib beside it, and nothing else", function()
    put("desk/lib/none.hd", "; nothing\n")
    put("desk/other.hd", "; nothing\n")
    local function line(include)
        return hand_in.line {lesson = 1, source = ('.include "%s"\n'):format(include) .. kernel(1, "reference")}
    end
    put("desk/in.csv", "ada," .. line "lib/none.hd" .. "\nbob," .. line "other.hd" .. "\n")
    local results = grades(folder .. "/desk/in.csv")
    equal({results[1].status, results[2].status}, {"passed", "broken"}, results[1].reason)
end)

-- ---- points ----

case("points are the share of the gates that were passed", function()
    local names = grader.names(lessons.find(1))
    local results = grades(folder .. "/group --points 7")
    for _, r in ipairs(results) do
        if r.status == "passed" then
            equal(r.points, 7)
        elseif r.lesson == 1 then
            ok(r.points == math.floor(700 * (#r.gates - 1) / #names) / 100, r.file)
        end
        ok(r.points < 7 or r.status == "passed", "full points for a kernel that has not passed")
    end
    for _, text in ipairs {"0", "-1", "x", "nan", "1e9"} do
        equal(command.heddle("lesson 1 --check " .. folder .. "/group --points " .. text), 2, text)
    end
end)

case("marks: a row for each student, the best of each lesson, and the sum", function()
    put("class/ada/a.hd", kernel(1, "starter"))
    put("class/ada/b.hd", kernel(1, "reference"))
    put("class/bob/c.hd", kernel(2, "reference"))
    command.heddle(("lesson --check %s/class --marks %s/marks.csv"):format(folder, folder))
    equal(command.read(folder .. "/marks.csv"), "student,lesson 1,lesson 2,points\nada,100,0,100\nbob,0,100,100\n")
end)

case("the files of Gradescope and of GitHub Classroom are of one student", function()
    local both = (" --gradescope %s/g.json --classroom %s/c.json"):format(folder, folder)
    local status, _, err = command.heddle(("lesson --check %s/moodle.csv"):format(folder) .. both)
    ok(status == 2 and err:find "one student, and these are of 3: Lovelace, Ada, Bob, ...", err)
    equal(command.heddle(("lesson 1 --check %s/class/ada"):format(folder) .. both), 1)
    local tests = heddle.parse(command.read(folder .. "/g.json")).tests
    equal(lists.map(tests, function(t) return {t.score, t.max_score, t.status} end),
        {{0, 100, "failed"}, {100, 100, "passed"}})
    local result = heddle.parse(command.read(folder .. "/c.json"))
    local gates = #grader.names(lessons.find(1))
    equal({result.version, result.status, result.max_score, #result.tests}, {1, "fail", 200, 2 * gates})
    equal(lists.sum(result.tests, function(t) return t.status == "pass" and 1 or 0 end), gates)
end)

-- ---- several processes ----

case("any number of processes, and all parts together, give the same", function()
    local _, one = command.heddle("lesson --check " .. folder .. "/group --json -")
    for _, jobs in ipairs {2, 3, 99} do
        local _, out = command.heddle(("lesson --check %s/group --json - -j %d"):format(folder, jobs))
        equal(out, one, jobs .. " processes")
    end
    local files = {}
    for part = 1, 4 do
        for _, r in ipairs(grades(("%s/group --part %d/4"):format(folder, part))) do
            files[#files + 1] = r.file
        end
    end
    equal(#files, #heddle.parse(one).results)
    for _, text in ipairs {"0/4", "5/4", "1", "a/b", "1/0"} do
        equal(command.heddle(("lesson --check %s/group --part %s"):format(folder, text)), 2, text)
    end
    equal(command.heddle("lesson --check " .. folder .. "/group -j 0"), 2)
end)

-- ---- likeness ----

case("who has another's instructions is named, who has the lesson's own is not", function()
    local long = kernel(1, "reference"):gsub("mul%.f32", function(op)
        local more = {}
        for i = 1, 8 do
            more[i] = (" xor.b32 r%d, r%d, %d"):format(40 + i, 40 + i, 77 * i)
        end
        return table.concat(more, "\n") .. "\n " .. op
    end, 1)
    put("alike/ada.hd", long)
    put("alike/bob.hd", "; by Bob\n" .. long:gsub(", 616", ", 617"))
    put("alike/cy.hd", kernel(1, "reference"))
    put("alike/dan.hd", kernel(1, "reference"))
    local results = grades(folder .. "/alike")
    equal({results[1].alike.student, results[2].alike.student, results[3].alike, results[4].alike}, {"bob", "ada"})
    ok(results[1].alike.share > 0.8 and results[1].alike.share < 1, tostring(results[1].alike.share))
    local _, out = command.heddle("lesson --check " .. folder .. "/alike")
    ok(out:find "%d+ %% as bob" and out:find "a reason to look, no proof", out)
end)

-- ---- what is wrong ----

case("nothing that is graded is replaced, and no two outputs are one", function()
    local text = command.read(folder .. "/moodle.csv")
    local status, _, err = command.heddle(("lesson --check %s/moodle.csv --marks %s/moodle.csv"):format(folder, folder))
    ok(status == 2 and err:find "is graded; name another file" or err:find "the kernel that is graded", err)
    equal(command.read(folder .. "/moodle.csv"), text)
    equal(command.heddle(("lesson --check %s/group --marks %s/x --json %s/x"):format(folder, folder, folder)), 2)
    ok(not command.read(folder .. "/x"))
    command.run(("mkfifo %s/pipe.hd"):format(folder))
    status, _, err = command.heddle(("lesson --check %s/pipe.hd"):format(folder))
    ok(status == 1 or status == 2 and err:find "no plain file", err)
end)

case("a kernel as a line, from the command line", function()
    local path = put("mine.hd", kernel(1, "starter"))
    local status, out = command.heddle("lesson 1 --hand-in " .. path)
    equal({status, hand_in.read(out).source, hand_in.read(out).lesson}, {0, kernel(1, "starter"), 1})
    equal(command.heddle("lesson 1 --hand-in " .. folder .. "/nothing.hd"), 2)
end)

test.finish()
