-- Tests the tests: changes the sources in one place at a time, and finds whether a suite of the area fails.
--
--   make mutants [N=24] [SEED=text] [FILES="file ..."] [ALL=1] [SHARE=n] [QUICK=1] [AGAIN=1] [JOBS=n]
--   BUILD=build build/lua scripts/mutants.lua [--help]
--
-- A mutant is one comparison, operator, constant or condition changed, or one statement left out (mutations.lua). It is
-- compiled and linked in a scratch folder, so that the tree stays as it is. Those of Criterion's cases of its area that
-- reach its statement run until one fails: those that killed other mutants of the file, then quick ones; scripts with a
-- command of their own; slow cases; and all again with AddressSanitizer in the file. A case that takes too long is
-- ended, which kills the mutant too.
--
--   no option    N of the judged share of all mutants that scripts/mutants.txt names, drawn by SEED (what is committed)
--   FILES        all mutants of these files, or of a line of one, as in sim/check/race.c:45, or N of them
--   ALL=1        all mutants of all files (hours), or N of them
--   SHARE=n      n of 256 of all mutants, by the hash of file and lines: 7 are some 450, an hour or two on two cores
--   AGAIN=1      those that survived in BUILD/mutants.csv
--   QUICK=1      only cases of less than 0.1 s, for a first look
--
-- scripts/mutants.txt lists the mutants that may survive, each with its reason; they are not run, unless LISTED=1.
-- BUILD/mutants.csv has all outcomes.
-- Exit status 1: a mutant of proofs or checkers survived that is not listed, or more than one of twenty elsewhere, or a
-- row of the list is out of date; 2: suites fail as they are.
local mutations = require "scripts.mutations"
package.path = "scripts/lib/?.lua;" .. package.path
local lists = require "heddle.kit.lists"
local random = require "heddle.kit.random"
local shell = require "heddle.report.shell"

local AREAS = { -- the files, those of Criterion's suites, and scripts for the mutants that these leave alive
    {name = "prove", files = "sim/prove/*", suites = "tests/prove/*.c tests/check/programs.c",
        scripts = {"prove/prove_mutants.lua", "prove/prove.sh"}},
    {name = "check", files = "sim/check/*", suites = "tests/check/*.c tests/prove/prove_order.c tests/prove/certify.c",
        scripts = {"check/check.sh", "check/schedule.sh", "arch/kernels.lua kernels/defects"}},
    {name = "time", files = "sim/time/dram* sim/time/l1.c sim/time/l2*", suites = "tests/time/*.c", scripts = {}},
    {name = "lint", files = "isa/lint/*", suites = "tests/isa/lint.c", scripts = {"arch/kernels.lua kernels/isa"}},
}
local SCRIPT_OF = { -- of one file, before those of its area
    ["sim/prove/sizes.c"] = "prove/sizes.lua", ["sim/prove/unknown.c"] = "prove/sizes.lua",
    ["sim/prove/source.c"] = "prove/sizes.lua",
    ["sim/prove/winner.c"] = "prove/floats.lua", ["sim/prove/extremes.c"] = "prove/floats.lua"}
local LIST <const> = "scripts/mutants.txt"
local CASE_LIMIT <const>, SCRIPT_LIMIT <const> = 10, 200 -- seconds of CPU
local MEMORY <const> = 4 * 1024 * 1024 -- KB that a process may take
local SANITIZERS <const> = { -- of the changed file: one that only traps, which is cheap, then one with a library
    "-fsanitize=undefined -fsanitize-undefined-trap-on-error", "-fsanitize=address"}
local OUTCOMES <const> = {"killed", "timed out", "not compiled", "listed", "survived"}

local function env(name)
    local value = os.getenv(name)
    return value ~= "" and value or nil
end

local build = env "BUILD" or "build"
local scratch = build .. "/mutants"
local jobs = tonumber(env "JOBS" or shell.output("nproc 2>/dev/null"):match "%d+") or 2

local function read(path)
    local file <close> = assert(io.open(path, "rb"))
    return file:read "a"
end

local function write(path, text)
    local file <close> = assert(io.open(path, "wb"))
    file:write(text)
end

local function execute(...)
    return os.execute(string.format(...))
end

local function key(m)
    return m.file .. "\0" .. m.old .. "\0" .. m.new
end

-- Finds the mutants of a list whose field has this value.
local function having(list, field, value)
    return lists.map(list, function(m) return m[field] == value and m or nil end)
end

-- ---- one mutant ----

-- The command that compiles a source, or its copy in a scratch folder, with the changed headers there; and its object.
local function compile_command(plan, source, dir, flags, copied)
    local object = ("%s/%s_%s.o"):format(dir, flags:match "=(%l+)" or "reached", source:gsub("/", "_"))
    local command = plan.compile[source]:gsub(" %-o %S+$", " -w -O1 -g0 " .. flags .. " -o " .. object)
    command = command:gsub(" %-Werror ", " ")
    command = command:gsub(" %-MM?[DP]", ""):gsub(" %-I%. ", (" -iquote %s/src -I. "):format(dir), 1)
    command = copied and command:gsub(" %-c %S+ ", (" -c %s/src/%s "):format(dir, source)) or command
    return command .. " 2>/dev/null", object
end

-- Links a program with changed objects; its path.
local function linked(plan, program, dir, flags, objects)
    local line, first, to = plan.link[program], "", dir .. "/" .. program:match "[^/]+$"
    for was, object in pairs(objects) do -- in its place, or before the archive that has it
        local found
        line, found = line:gsub("%f[%S]" .. was:gsub("[-.]", "%%%0") .. "%f[%s]", object)
        local foreign = found == 0 and was:find("/tests/", 1, true) -- of a test, which the command has not
        first = found == 0 and not foreign and first .. " " .. object or first
    end
    line = line:gsub(" ", first .. " ", 1):gsub(" %-o %S+$", " -s " .. plan.linker .. flags .. " -o " .. to)
    assert(execute("exec 2>/dev/null; %s", line), line)
    return to
end

-- Writes a changed file to where it is compiled from.
local function write_source(dir, file, text)
    execute("mkdir -p %s/src/%s", dir, file:match "^(.*)/")
    write(("%s/src/%s"):format(dir, file), text)
end

-- Puts first those of the cases that killed the last mutants of this file.
local function sorted_cases(names, file)
    local first, seen = {}, {}
    for by in read(build .. "/mutants.csv"):gmatch('\n"%l+","' .. file .. '",[^\n]*,"([^"\n]*)","%d+"%f[\n]') do
        table.insert(first, 1, by)
    end
    for name in names:gmatch "%S+" do
        seen[name] = false
        first[#first + 1] = name
    end
    return table.concat(lists.map(first, function(name)
        local new = seen[name] == false
        seen[name] = true
        return new and name or nil
    end), " ")
end

-- The outcome of a mutant, and the case or script that noticed.
local function judged(plan, m, dir)
    local function passes(memory, command, ...)
        local ok, _, status = execute("ulimit -t %d; ulimit -v %s; exec timeout %d %s >%s/log 2>&1 </dev/null",
            SCRIPT_LIMIT, memory, 10 * SCRIPT_LIMIT, command:format(...), dir)
        return ok, status == 124 and "timed out" or "killed"
    end
    local text = read(m.file)
    write_source(dir, m.file, text:sub(1, m.from - 1) .. m.with .. text:sub(m.to + 1))
    local list = {}
    for name in sorted_cases(m.cases, m.file):gmatch "%S+" do
        list[#list + 1] = name
    end
    local function link(program, flags)
        local commands, objects = {}, {}
        for k, source in ipairs(plan.parts[m.file]) do
            commands[k], objects[plan.object[source]] = compile_command(plan, source, dir, flags, source == m.file)
        end
        return execute("%s", table.concat(commands, " && ")) and linked(plan, program, dir, flags, objects)
    end
    local function passes_cases(program, first, last, memory)
        local ok, how = passes(memory, "%s %d %s", program, CASE_LIMIT, table.concat(list, " ", first, last))
        return ok, how, ok and "" or read(dir .. "/log"):match "%S+" or "?"
    end
    if env "QUICK" and not list[1] then
        return "survived", "0 cases"
    end
    local program = link("tests/cases", SANITIZERS[1])
    if not program then
        return "not compiled", ""
    end
    local quick = env "QUICK" and #list or #list * 2 // 3 -- scripts take less than the rest of the cases
    local ok, how, by = passes_cases(program, 1, quick, MEMORY)
    local scripts = env "QUICK" and {} or lists.append({SCRIPT_OF[m.file]}, plan.scripts[m.area])
    local heddle = ok and scripts[1] and link("heddle", SANITIZERS[1])
    for _, name in ipairs(ok and scripts or {}) do
        local runner = name:match "%.lua" and heddle .. " lua" or "sh"
        ok, how = passes(MEMORY, "env BUILD=%s HEDDLE=%s %s tests/%s", build, heddle, runner, name)
        if not ok then
            return how, name
        end
    end
    if ok and not env "QUICK" then
        ok, how, by = passes_cases(program, quick + 1, #list, MEMORY)
    end
    if ok and not env "QUICK" and list[1] then
        ok, how, by = passes_cases(link("tests/cases", SANITIZERS[2]), 1, #list, "unlimited")
    end
    return ok and "survived" or how, ok and ("%d cases"):format(#list) or by
end

local function one(index)
    local all, began, dir = dofile(scratch .. "/plan"), os.time(), ("%s/%d"):format(scratch, index)
    local outcome, by = "listed", ""
    if not all.mutants[index].listed then
        outcome, by = judged(all.plan, all.mutants[index], dir)
    end
    execute("rm -rf %s", dir)
    print(("%d\t%s\t%s\t%d"):format(index, outcome, by, os.time() - began))
end

-- ---- those that are run, and how ----

-- Reads the list: its rows by key, the judged share, and of how many.
local function read_list()
    local rows, file, row, share, of = {}, nil, nil, 0, 1
    for line in read(LIST):gmatch "([^\n]*)\n" do
        local mark, rest = line:match "^([-+ ]) (.*)$"
        if line:match "^judged" then
            share, of = line:match "^judged (%d+) of (%d+)$"
        elseif line:match "^[%w_/]+%.%l+$" then
            file = line
        elseif mark == "-" then
            row = {file = file, old = rest, why = ""}
        elseif mark == "+" then
            row.new = rest
            rows[key(row)] = row
        elseif mark == " " and row then
            row.why = row.why .. rest
        end
    end
    return rows, tonumber(share), tonumber(of)
end

local function all_mutants()
    local list, known = {}, {}
    for _, area in ipairs(AREAS) do
        for file in shell.output("ls %s", area.files):gmatch "%S+" do
            for _, m in ipairs(mutations(file, read(file))) do
                m.area = area.name
                list[#list + 1], known[key(m)] = m, true
            end
        end
    end
    return list, known
end

-- Reads the keys of mutants that survived from BUILD/mutants.csv.
local function survivors()
    local keys = {}
    for line in read(build .. "/mutants.csv"):gmatch "[^\n]+" do
        local field = {}
        for text in line:gsub('""', "\1"):gmatch '"([^"]*)"' do
            field[#field + 1] = text:gsub("\1", '"')
        end
        keys[key {file = field[2], old = field[5], new = field[6]}] = field[7] == "survived"
    end
    return keys
end

local function chosen(list, rows, share, of)
    local files, again, some = env "FILES", env "AGAIN" and survivors(), {}
    local seed = env "SEED" or shell.output("git rev-parse HEAD^{tree} 2>/dev/null"):match "%x+" or "1"
    local n = tonumber(env "N") or ((files or again or env "ALL" or env "SHARE") and #list or 24)
    share = tonumber(env "SHARE") or share
    for _, m in ipairs(list) do
        local wanted
        if again then
            wanted = again[key(m)]
        elseif files then
            wanted = (" " .. files .. " "):gsub(":" .. m.line .. " ", " "):find(" " .. m.file .. " ", 1, true)
        else
            wanted = env "ALL" or random.hash(key(m)) % of < share
        end
        if wanted then
            m.order = random.hash(seed .. m.from .. key(m))
            m.listed = rows[key(m)] ~= nil and not env "LISTED"
            some[#some + 1] = m
        end
    end
    table.sort(some, function(a, b)
        return a.order < b.order
    end)
    print(("%d of %d mutants, SEED=%s"):format(math.min(n, #some), #some, seed))
    return table.move(some, 1, n, 1, {})
end

-- The text of a file with a call before each of its mutants: before their statements, or their functions.
local function with_calls(file, some, place)
    local calls, out, at, text = {}, {}, 1, read(file)
    for i, m in ipairs(some) do
        if m.file == file and m.reached[place] then
            calls[#calls + 1] = {to = m.reached[place], call = (" mutant_reached(%d); "):format(i)}
        end
    end
    table.sort(calls, function(a, b) return a.to < b.to end)
    for _, c in ipairs(calls) do
        out[#out + 1] = text:sub(at, c.to - 1) .. c.call
        at = c.to
    end
    local declared = calls[1] and "void mutant_reached(unsigned);\n" or "" -- a table of rows takes none
    return declared .. table.concat(out) .. text:sub(at)
end

-- Links the cases with calls before all mutants: before statements, functions, or not at all, as the compiler takes it.
local function program_with_calls(plan, some)
    local objects, dir, left = {}, scratch .. "/reached", plan.parts
    execute("mkdir -p %s", dir)
    for place = 1, 3 do
        local commands, next_left, seen = {}, {}, {}
        for file, parts in pairs(left) do
            write_source(dir, file, with_calls(file, some, place))
            for _, source in ipairs(parts) do -- once, with its own calls and those of all headers
                if not seen[source] then
                    seen[source] = true
                    commands[#commands + 1], objects[plan.object[source]] =
                        compile_command(plan, source, dir, "", plan.parts[source])
                end
            end
        end
        write(dir .. "/compiles", table.concat(commands, "\n"))
        execute("tr '\\n' '\\0' <%s/compiles | xargs -r -0 -P %d -n 1 sh -c", dir, jobs)
        for file in pairs(left) do
            for _, source in ipairs(plan.parts[file]) do
                next_left[file] = next_left[file] or not execute("test -e %s", objects[plan.object[source]]) or nil
            end
        end
        for _, m in ipairs(place == 2 and some or {}) do
            m.reached = next_left[m.file] and {} or m.reached
        end
        left = next_left
    end
    return linked(plan, "tests/cases", dir, "", objects)
end

-- Reads the cases of an area, quick ones first. No mutant is judged by a case that fails without one.
local function cases_in(file)
    local cases = {}
    for time, name, ended, reached in read(file):gmatch "(%d+) (%S+) (%l+)([^\n]*)" do
        if ended ~= "ok" then
            io.stderr:write("mutants: ", name, " fails without a change\n")
            os.exit(2)
        end
        cases[#cases + 1] = not (env "QUICK" and tonumber(time) > 1e5) and
            {name = name, time = tonumber(time), reached = reached .. " "} or nil
    end
    table.sort(cases, function(a, b)
        return a.time < b.time
    end)
    return cases
end

-- Gives each mutant the cases of its area that reach it: all of them where no call can stand.
local function give_cases(plan, some)
    local program, command = program_with_calls(plan, some), ""
    for _, area in ipairs(AREAS) do
        local suites, seen = "", {}
        for name in shell.output("cat %s", area.suites):gmatch "%f[%w]Test%(([%w_]+)," do
            suites = seen[name] and suites or suites .. " " .. name
            seen[name] = true
        end
        command = command .. (plan.scripts[area.name] and
            ("%s --times %s >%s/%s & "):format(program, suites, scratch, area.name) or "")
    end
    execute("%s wait", command)
    for _, area in ipairs(AREAS) do
        local cases = plan.scripts[area.name] and cases_in(scratch .. "/" .. area.name)
        for i, m in ipairs(cases and some or {}) do
            m.cases = m.cases or m.area == area.name and table.concat(lists.map(cases, function(case)
                return (not m.reached[1] or case.reached:find(" " .. i .. " ", 1, true)) and case.name or nil
            end), " ") or nil
        end
    end
end

-- The files of the build that are compiled from one: itself, or those that include it.
local function parts_of(file)
    local parts = {}
    for dep in shell.output("grep -rlE '[ :]%s( |:|$)' %s/obj --include='*.d'", file, build):gmatch "[^\n]+" do
        local source = dep:sub(#build + 6):gsub("%.d$", ".c")
        parts[#parts + 1] = (not file:match "%.c$" or source == file) and source or nil
    end
    return parts
end

-- Commands that compile each file and link both programs: what `make` would do if all files had changed.
local function plan_for(some)
    local gold = execute("exec 2>/dev/null; ${CC:-gcc} -fuse-ld=gold -Wl,--version >/dev/null")
    local plan, changed = {compile = {}, object = {}, link = {}, parts = {}, scripts = {}}, ""
    plan.linker = gold and "-fuse-ld=gold " or "" -- in a third of the time
    for _, m in ipairs(some) do
        if not plan.parts[m.file] then
            plan.parts[m.file], changed = parts_of(m.file), changed .. " -W " .. m.file
        end
    end
    local make = "make -n V=1 SETUP=no BUILD=%s %s %s/tests/cases %s/heddle"
    for line in shell.output(make, build, changed, build, build):gmatch "[^\n]+" do
        local source, object = line:match " %-c (%S+) %-o (%S+)$"
        local program = line:match(" %-o " .. build .. "/(%S+)$")
        if source and not object:match "/exec_" then
            plan.compile[source], plan.object[source] = line, object
        elseif program then
            plan.link[program] = line
        end
    end
    for _, parts in pairs(plan.parts) do
        for i = #parts, 1, -1 do
            local _ = plan.compile[parts[i]] or table.remove(parts, i) -- of another program
        end
    end
    for _, area in ipairs(AREAS) do
        if having(some, "area", area.name)[1] then
            plan.scripts[area.name] = area.scripts
        end
    end
    give_cases(plan, some)
    return plan
end

-- ---- all of them ----

local function packed(value) -- as Lua text
    if type(value) ~= "table" then
        return ("%q"):format(value)
    end
    local parts = {}
    for k, v in pairs(value) do
        parts[#parts + 1] = ("[%s]=%s"):format(packed(k), packed(v))
    end
    return "{" .. table.concat(parts, ",") .. "}"
end

-- Judges each, and prints and writes its outcome.
local function judge(some)
    local csv = assert(io.open(build .. "/mutants.csv", "w"))
    csv:write '"area","file","line","kind","old","new","outcome","by","seconds"\n'
    local pipe = io.popen(("seq %d | xargs -r -P %d -n 1 %s/lua scripts/mutants.lua --one"):format(#some, jobs, build))
    local count = 0
    for line in pipe:lines() do
        local index, outcome, by, seconds = line:match "^(%d+)\t([^\t]*)\t([^\t]*)\t(%d+)$"
        local m = some[tonumber(index)]
        count = count + 1
        m.outcome = outcome
        print(("%4d/%d  %-12s  %s:%d: %s%s"):format(count, #some, m.outcome, m.file, m.line, m.kind,
            by ~= "" and " by " .. by or ""))
        io.stdout:flush()
        for i, field in ipairs {m.area, m.file, m.line, m.kind, m.old, m.new, m.outcome, by, seconds} do
            csv:write(i > 1 and "," or "", '"', tostring(field):gsub('"', '""'), '"')
        end
        csv:write "\n"
        csv:flush()
    end
    pipe:close()
    csv:close()
    return count
end

-- Prints the outcomes by area, and the survivors as rows of the list; how many of them are too many.
local function summary(some)
    local function print_row(name, list)
        local numbers = lists.map(OUTCOMES, function(outcome) return #having(list, "outcome", outcome) end)
        print(("%-8s%8d"):format(name, #list) .. ("%14d"):rep(#OUTCOMES):format(table.unpack(numbers)))
    end
    print(("\n%-8s%8s"):format("area", "tried") .. ("%14s"):rep(#OUTCOMES):format(table.unpack(OUTCOMES)))
    for _, area in ipairs(AREAS) do
        print_row(area.name, having(some, "area", area.name))
    end
    print_row("all", some)
    local left = having(some, "outcome", "survived")
    for _, m in ipairs(left) do
        print(("\n%s (line %d)\n- %s\n+ %s"):format(m.file, m.line, m.old, m.new))
    end
    local strict = #having(left, "area", "prove") + #having(left, "area", "check")
    local others = math.max(0, #left - strict - (#some + 19) // 20)
    return strict + others, #left
end

local function main()
    local rows, share, of = read_list()
    local list, known = all_mutants()
    local bad = 0
    for k, row in pairs(rows) do
        if not known[k] or row.why == "" then
            print(("%s: %s:\n- %s\n+ %s"):format(LIST, known[k] and "no reason" or "no such mutant", row.old, row.new))
            bad = bad + 1
        end
    end
    local some = chosen(list, rows, share, of)
    execute("rm -rf %s; mkdir -p %s", scratch, scratch)
    local plan = plan_for(some)
    write(scratch .. "/plan", "return " .. packed {plan = plan, mutants = some})
    assert(judge(some) == #some, "not all were judged")
    execute("rm -rf %s", scratch)
    local failed, left = summary(some)
    if left > 0 then
        print("\nA test that fails with the new line kills it; " .. LIST .. " has those that none can, with reasons.")
    end
    print(("%d passed, %d failed"):format(#some - failed, failed + bad))
    os.exit(failed + bad == 0 and 0 or 1)
end

if arg[1] == "--one" then
    one(tonumber(arg[2]))
elseif arg[1] then
    print((read "scripts/mutants.lua":match "^(.-)\nlocal":gsub("%f[^\n\0]%-%- ?", "")))
    os.exit(arg[1] == "--help" and 0 or 2)
else
    main()
end
