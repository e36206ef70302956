-- Do lessons teach what they grade? Of each, the reference and other solutions pass, the kernel to begin with does not,
-- each wrong solution fails at the gate that its row names; and what is no solution at all is refused.
local heddle = require "heddle"
local command = require "tests.lib.command"
local expectations = require "heddle.cases.expectations"
local grader = require "heddle.lessons.grade"
local lessons = require "heddle.lessons.lessons"
local lists = require "heddle.kit.lists"
local measures = require "heddle.lessons.measures"
local payoff = require "heddle.lessons.payoff"
local report = require "heddle.kit.report"
local solutions = require "heddle.lessons.solutions"
local test = require "tests.lib.test"
local trials = require "heddle.lessons.trials"
local variant = require "heddle.lessons.variant"
local case, equal, ok = test.case, test.equal, test.ok

local all = lessons.all()

-- Gates at which starters fail, and the words.
local STARTERS <const> = {
    {"end", "past the end of 'x'"},
    {"results", "elements of c are wrong"},
    {"lanes", "lanes take part in an instruction"},
    {"useful", "of the bytes in the sectors"},
    {"races", "a bar.sync between them, which both warps reach, would order them"},
    {"passes", "lanes meet in a bank"},
    {"occupancy", "of the warps that an SM can hold"},
    {"loads", "where at most"},
    {"barriers", "times threads wait at a barrier"},
    {"shared", "threads access shared memory"},
    {"stores", "stores are enough"},
    {"atomics", "blocks add to memory"},
    {"waits", "how many loads has a warp in flight?"},
    {"instructions", "how many products does a power need?"},
    {"shared", "threads access shared memory"},
    {"loads", "bytes where at most"},
    {"loads", "where at most"},
    {"barriers", "how many steps does a vote need?"},
    {"races", "no fence.gpu stands after line"},
    {"results", "kernel a has no name yet"},
}

local folder = command.folder
local function put(name, text)
    local path = folder .. "/" .. name
    heddle.write(path, text)
    return path
end

local function fails_at(result, gate, words)
    equal({result.status, result.gate}, {"failed", gate}, result.file .. ": " .. tostring(result.reason))
    ok(result.reason:find(words, 1, true), ("%s: no '%s' in: %s"):format(result.file, words, result.reason))
end

-- ---- each lesson ----

for number, lesson in ipairs(all) do
    local grade, seen = grader.new(lesson), {}

    case(lesson.name .. ": the reference passes", function()
        local result = grade(lessons.path(lesson, "reference"))
        equal(result.status, "passed", result.reason)
        equal(lists.map(result.gates, function(gate) return gate.name end), grader.names(lesson))
        for _, gate in ipairs(result.gates) do
            local proof = gate.name == "proof" and gate.text:find "^for all data where " and gate.text
            equal({gate.status, gate.text}, {"passed", proof or nil}, gate.name)
        end
    end)

    case(lesson.name .. ": the kernel to begin with does not, and its own case does", function()
        local result = grade(lessons.path(lesson, "starter"))
        fails_at(result, table.unpack(STARTERS[number]))
        ok(result.hint and result.hint == lesson.hints[result.gate])
        command.good("test " .. lessons.path(lesson, "starter"))
    end)

    for i, solution in ipairs(solutions.of(lesson)) do
        case(("%s: solution %d: '%s'"):format(lesson.name, i, solution.gate), function()
            local result = grade(put("solution.hd", solution.text))
            if solution.gate == "passed" then
                equal(result.status, "passed", result.reason)
            else
                fails_at(result, solution.gate, solution.words)
                seen[solution.gate] = true
            end
        end)
    end

    case(lesson.name .. ": a wrong solution for each gate that counts", function()
        for _, gate in ipairs(lesson.gates) do
            ok(seen[gate[1]], gate[1])
        end
        ok(seen.proof or seen.results)
    end)

    case(lesson.name .. ": a page of 60 to 105 lines, three hints, gates that exist", function()
        local _, lines = expectations.text("docs/lessons/" .. lesson.name .. ".md"):gsub("\n", "")
        ok(lines >= 60 and lines <= 105, lines)
        equal(#lessons.hints(lesson), 3)
        local names = {["end"] = true, results = true, races = true, orders = lesson.orders, proof = true}
        for _, gate in ipairs(lesson.gates) do
            names[gate[1]] = true
        end
        for gate, hint in pairs(lesson.hints) do
            ok(names[gate] and hint >= 1 and hint <= 3, gate)
        end
    end)

    case(lesson.name .. ": the page has all its parts", function()
        local text = expectations.text("docs/lessons/" .. lesson.name .. ".md")
        for _, part in ipairs {"## What runs", "## Predict", "## The picture", "## What is real", "## Hints", "CUDA |",
            "--start mine.hd", "--check mine.hd"} do
            ok(text:find(part, 1, true), part)
        end
        local picture = text:match "## The picture\n(.-)\n## "
        ok(picture:find "```console\n%$ heddle run ", "a picture of a run")
    end)

    case(lesson.name .. ": the page fits the terminal, shows no hint", function()
        for _, width in ipairs {60, 80, 100} do
            local text = lessons.page(lesson, width)
            for line in text:gmatch "[^\n]+" do
                ok(utf8.len(line) <= width, line)
            end
            ok(not text:find("Hint", 1, true) and not text:find "[`*]%*")
            ok(lesson.number > 1 or text:gsub("%s+", " "):find("just past the end of 'x' (4 bytes)", 1, true), text)
        end
    end)

    case(lesson.name .. ": the prediction is a measured number", function()
        local found = grader.predicted(lesson)
        local status, out = command.heddle(("lesson %d --predict %s"):format(number, found))
        equal({status, out}, {0, found .. " is right.\n"})
        local wrong = 2 * found + 1
        status, out = command.heddle(("lesson %d --predict %s"):format(number, wrong))
        equal(status, 1)
        ok(out:find("Once more, with both: --predict " .. wrong, 1, true), out)
        ok(not out:find(report.short(found), 1, true), "the number is given at the first guess")
        status, out = command.heddle(("lesson %d --predict %s,%s"):format(number, wrong, wrong + 1))
        ok(status == 1 and out:find("it is " .. report.short(found), 1, true), out)
        status, out = command.heddle(("lesson %d --predict %s,%s"):format(number, wrong, found))
        equal({status, out}, {0, found .. " is right.\n"})
        local near = lesson.prediction.within and math.floor(found * (1 + 0.9 * lesson.prediction.within))
        ok(not near or command.heddle(("lesson %d --predict %d"):format(number, near)) == 0, near)
        local page = lessons.page(lesson, 80)
        ok(page:find("--predict", 1, true), "the page asks")
    end)
end

-- ---- variants ----

for number, lesson in ipairs(all) do
    case(lesson.name .. ": a seed draws sizes, data and the question", function()
        local seeds, answers, starters, different = {"ada", "bob", "cy", "dan", "eve", "f'ay \u{fc}"}, {}, {}, 0
        for _, seed in ipairs(seeds) do
            local found = grader.predicted(lesson, seed)
            different, answers[found] = different + (answers[found] and 0 or 1), true
            starters[#starters + 1] = variant.starter(lesson, seed)
        end
        local varied = variant.prediction(lesson, "ada") ~= nil
        ok(varied == (different > 1), different)
        equal(grader.variant(lesson, "ada"):find("has other numbers", 1, true) ~= nil, varied)
        equal(starters[1], variant.starter(lesson, "ada"))
        equal(starters[1] ~= starters[2], not lesson.named)
        local plain = variant.starter(lesson)
        for _, text in ipairs(starters) do
            equal(text:sub(1, #plain), plain)
        end
        local path = put("own.hd", starters[6])
        local cases, named = expectations.read(path).runs, lesson.named and 0 or 1
        equal({#cases, cases[#cases].name == "own"}, {#expectations.read(lessons.path(lesson, "starter")).runs + named,
            named == 1})
        local _, out = command.heddle("test " .. path .. " --warp 32")
        local passed = tonumber(out:match "(%d+) passed, ")
        equal(#cases - passed, number <= 2 and 1 or 0, out) -- the first two are wrong, and show it
    end)
end

-- ---- what the ideas are worth ----

for _, lesson in ipairs(lists.map(all, function(lesson) return lesson.payoff and lesson or nil end)) do
    case(lesson.name .. ": the idea pays on three boards, and the report promises about what it gives", function()
        local paying, true_words
        local none = lesson.payoff.exceeds or lesson.payoff.alone
        ok((lesson.payoff.advice or lesson.payoff.ideal) or none, "no promise, and no reason why")
        local function enough(rows)
            paying, true_words = 0, 0
            for _, row in ipairs(rows) do
                local pays, far = row.gain >= payoff.LEAST, row.promised and row.promised / row.gain
                paying = paying + (pays and 1 or 0)
                true_words = true_words + (pays and far and far <= 1.5 and 1 / far <= 1.5 and 1 or 0)
            end
            return paying >= 3 and (true_words >= 3 or none)
        end
        ok(enough(payoff.of(lesson, nil, enough).rows), ("%d boards, as promised on %d"):format(paying, true_words))
        ok(not none or true_words < 3, "the promise holds by now: " .. tostring(none))
    end)
end

-- ---- names of what bounds a kernel ----

for _, lesson in ipairs(lists.map(all, function(lesson) return lesson.named and lesson or nil end)) do
    case(lesson.name .. ": each kernel is bound by another thing, which its report shows above all others", function()
        local context <close> = heddle.new()
        local read = expectations.read(lessons.path(lesson, "starter"))
        local program, seen, named = context:load(read.path), {}, lesson.named
        local solution = expectations.text(lessons.path(lesson, "reference"))
        for name in solution:match "%.const bounds : u32%[5%] = ([%u, ]+)\n":gmatch "%u+" do
            local run = read.runs[#seen + 1]
            local result = trials.try(program, {file = read, run = run, width = named.warp}, {}, named.board).result
            table.sort(named, function(a, b) return result.metrics[a[2]] > result.metrics[b[2]] end)
            equal(named[1][1], name, run.entry)
            ok(result.metrics[named[1][2]] > 80 and not seen[name], run.entry)
            seen[#seen + 1], seen[name] = name, true
        end
        equal(#seen, 5)
    end)
end

-- ---- measures ----

case("instructions are counted by threads, whatever guards them", function()
    local context <close> = heddle.new()
    local program = context:load([[
.kernel k
.param y : u32[]
.reg t, p:2
.pred odd
        s2r t, %tid.x
        ld.param.b64 p, [y]
        setp.ge.u32 odd, t, 5
@odd    st.global.b32 [p], t
@!odd   st.global.u8 [p], t
        exit
]], "k.hd")
    local result = context:launch(program, {block = 8, warp = 8, args = {y = context:buffer("y", "u32", 1)}})
    equal(measures.of("st.global", result), 8)
    equal(measures.of("st", result), 8)
    equal(measures.of("st.glob", result), 0)
    equal(measures.of("instructions", result), 6)
    equal(measures.of("efficiency", result), 100 * 40 / 48)
end)

-- ---- the command ----

local function says(status, arguments, words)
    local got, out, err = command.heddle(arguments)
    equal(got, status, arguments .. ": " .. out .. err)
    ok((out .. err):find(words, 1, true), ("no '%s' in what '%s' prints: %s"):format(words, arguments, out .. err))
end

local reference <const> = expectations.text(lessons.path(all[1], "reference"))

case("the list, a page, a hint, a kernel to begin with", function()
    for number, lesson in ipairs(all) do
        says(0, "lesson", lesson.title)
        says(0, "lesson " .. number, lesson.title)
        says(0, "lesson " .. number, ("'heddle lesson %d --hint 1'"):format(number))
    end
    says(0, "lesson 1 --check " .. lessons.path(all[1], "reference"), "next: heddle lesson 2\n")
    says(0, "lesson 1 --hint 2", "hint 2 of 3: ")
    says(2, "lesson 1 --hint 4", "'4' is none of 1 to 3")
    says(0, "lesson 1 --start " .. folder .. "/begin.hd", "begin.hd: change it")
    equal(command.read(folder .. "/begin.hd"), expectations.text(lessons.path(all[1], "starter")))
    says(2, "lesson 1 --start " .. folder .. "/begin.hd", "is there already, and is not replaced")
    says(1, "lesson 1 --check " .. folder .. "/begin.hd", "lesson 1: not passed, at 'end'")
end)

case("options that make no sense", function()
    says(2, "lesson 99", "there is no lesson '99'")
    says(2, "lesson 1.5", "there is no lesson '1.5'")
    says(2, "lesson one", "there is no lesson 'one'")
    says(2, "lesson 1 2", "one lesson at a time")
    says(2, "lesson 1 mine.hd", "a kernel follows --check")
    says(2, "lesson --hint 1", "--hint needs a lesson:")
    says(2, "lesson 1 --hint 1 --check x.hd", "--hint and --check: choose one")
    says(2, "lesson 1 --json x.json", "go with --check")
    says(2, "lesson 1 --predict many", "'many' is not a number")
end)

case("what is no solution is refused, and ends", function()
    says(2, "lesson 1 --check " .. folder .. "/none.hd", "none.hd: No such file")
    says(2, "lesson 1 --check " .. put("bad.hd", reference:gsub("mul%.f32 ", "mull.f32 ")), "bad.hd:")
    says(2, "lesson 1 --check " .. put("name.hd", reference:gsub("kernel scale", "kernel scales")),
        "the kernel of this lesson is 'scale', and the file has 'scales'")
    says(2, "lesson 1 --check " .. put("empty.hd", ""), "no .kernel in this file")
    says(2, "lesson 1 --check " .. put("parameters.hd", reference:gsub("%.param a : f32", ".param a : u32")),
        "this lesson's are x : f32[], y : f32[], a : f32, n : u32")
    says(2, "lesson 1 --check " .. put("huge.hd", (";"):rep(300000)), "is longer than 262,144 bytes")
    says(2, "lesson 1 --check /dev/zero", "this is no plain file")
    local loop = put("loop.hd", reference:gsub("\n%s+s2r", "\nround: bra round%0", 1))
    says(1, "lesson 1 --check " .. loop, "an endless loop?\n")
    local _, out = command.heddle("lesson 1 --check " .. loop)
    ok(not out:find "hint", out)
    command.run("mkdir " .. folder .. "/nothing")
    says(2, "lesson 1 --check " .. folder .. "/nothing", "there is no .hd file")
    command.run(("mkdir %s/nothing/a.hd"):format(folder))
    says(2, "lesson 1 --check " .. folder .. "/nothing", "there is no .hd file")
    command.run(("mkfifo %s/nothing/b.hd"):format(folder))
    says(2, ("lesson 1 --check %s/nothing/b.hd"):format(folder), "this is no plain file")
    says(1, "lesson 1 --check " .. folder .. "/nothing --csv", "b.hd,broken,,this is no plain file")
    put("self.hd", reference)
    says(2, ("lesson 1 --check %s/self.hd --json %s/self.hd"):format(folder, folder), "name another file")
    equal(command.read(folder .. "/self.hd"), reference)
end)

-- The reference with another line before it.
local function with(line)
    return line .. "\n" .. reference
end

case("guards in place of an exit are right, too", function()
    local guarded = reference:gsub("\n@beyond exit", "", 1):gsub("\n *(%l+%.global%S*)", "\n@!beyond %1")
    says(0, "lesson 1 --check " .. put("guarded.hd", guarded), "lesson 1: passed")
end)

case("reasons call the file as they are told to", function()
    local grade = grader.new(all[1])
    local result = grade(put("kept.hd", ".kernel k\n foo\n"), nil, "mine.hd")
    equal({result.file, result.status}, {"mine.hd", "broken"})
    ok(result.reason:find "^mine.hd:2:2: error: unknown instruction 'foo'" and not result.reason:find("kept", 1, true),
        result.reason)
    put("foo.hd", " foo\n")
    result = grade(put("kept.hd", '.kernel k\n.include "foo.hd"\n'), nil, "mine.hd")
    ok(result.reason:find "^foo.hd:1:2: error: unknown instruction 'foo'" and result.reason:find("mine.hd:2", 1, true)
        and not result.reason:find("kept", 1, true), result.reason)
end)

case("a kernel includes what lies in its own folder", function()
    local function check(name, line)
        return "lesson 1 --check " .. put(name, with(line))
    end
    command.run(("mkdir -p %s/own/parts %s/other; mkfifo %s/own/pipe"):format(folder, folder, folder))
    put("other/secret.hd", "secret words\n")
    put("own/parts/none.hd", "; nothing\n")
    local words = "only plain files below "
    says(0, check("own/a.hd", '.include "parts/none.hd"'), "lesson 1: passed")
    says(2, check("own/b.hd", '.include "../other/secret.hd"'), words)
    says(2, check("own/c.hd", ('.include "%s/other/secret.hd"'):format(folder)), words)
    says(2, check("own/d.hd", '.include "/dev/zero"'), words)
    says(2, check("own/e.hd", '.include "pipe"'), words)
    says(2, check("own/f.hd", '.include "absent"'),
        "'" .. folder .. "/own/absent' cannot be read; expected a plain file\n")
    command.run(("ln -s ../other/secret.hd %s/own/link"):format(folder))
    says(2, check("own/g.hd", '.include "link"'), words)
end)

case("of a class no kernel is another's, or from elsewhere", function()
    command.run(("cd %s && mkdir -p group/lib && ln -s ../loop.hd group/far.hd && ln -s ada.hd group/xada.hd"):
        format(folder))
    put("group/lib/none.hd", "; nothing\n")
    put("group/ada.hd", with '.include "lib/none.hd"')
    put("group/bob.hd", '.include "ada.hd"\n')
    put("group/cy\ndy.hd", reference)
    local _, out = command.heddle("lesson 1 --check " .. folder .. "/group --csv")
    local rows = {}
    for line in out:gmatch "[^\n]+" do
        rows[#rows + 1] = line
    end
    equal(#rows, 6, out)
    ok(rows[2]:find "ada.hd,passed" and rows[4]:find "cy%?dy.hd,passed", out)
    ok(rows[3]:find "bob.hd,broken,.*only plain files below .*/group/lib", out)
    ok(rows[5]:find "far.hd,broken,,this is a link to a file elsewhere", out)
    ok(rows[6]:find "xada.hd,broken,,.this is a link to ada.hd, which has a row of its own", out)
end)

case("what cannot be proved passes with a remark, what other data refute does not pass", function()
    local function instead(registers, code)
        return (reference:gsub("at:2", "at:2, " .. registers, 1):gsub("mul%.f32 [^\n]*", code))
    end
    -- The product in double precision is exact, so that it rounds to the same value; no law of the prover has that.
    local wide = instead("p:2, q:2", "cvt.f64.f32 p, v\n cvt.f64.f32 q, factor\n mul.f64 p, p, q\n cvt.f32.f64 v, p")
    says(0, "lesson 1 --check " .. put("wide.hd", wide), "proof (no proof was found for ")
    says(0, "lesson 1 --csv --check " .. folder .. "/wide.hd", 'wide.hd,passed,,"no proof was found for ')
    says(1, "lesson 1 --check " .. put("plus.hd", instead("zero",
        "mov.b32 zero, 0.0\n fma.f32 v, v, factor, zero")), "on other data y[0] is fma.f32(x[0], ")
end)

case("a class: a row for each, JSON and CSV", function()
    command.run("mkdir " .. folder .. "/class")
    put("class/ada.hd", reference)
    put("class/bob.hd", expectations.text(lessons.path(all[1], "starter")))
    put("class/cy.hd", "what, is this")
    says(1, "lesson 1 --check " .. folder .. "/class", "1 passed, 1 not passed, 1 that cannot be read")
    local status, out = command.heddle("lesson 1 --check " .. folder .. "/class --csv")
    equal(status, 1)
    ok(out:find "^file,status,gate,reason,student," and out:find "ada.hd,passed,,,ada,1,100,,,\n" and
        out:find "bob.hd,failed,end,", out)
    status, out = command.heddle("lesson 1 --check " .. folder .. "/class --json -")
    equal(status, 1)
    local value = heddle.parse(out)
    equal({value.format, value.lesson, value.passed, value.failed, value.broken, #value.results},
        {"heddle-lesson-1", 1, 1, 1, 1, 3})
    equal({value.results[2].gate, value.results[2].hint, value.results[3].status}, {"end", 1, "broken"})
    os.remove(folder .. "/class/bob.hd")
    os.remove(folder .. "/class/cy.hd")
    says(0, "lesson 1 --check " .. folder .. "/class", "1 passed, 0 not passed, 0 that cannot be read")
end)

test.finish()
