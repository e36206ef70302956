-- Prints which share of the branches of sim/prove, sim/check and sim/file the suites take, by file (make coverage).
--
--   [ONLY="WORD ..."] [LIST=1] [AGAIN=1] BUILD=build/coverage build/coverage/lua scripts/coverage.lua
--
-- A build with COVER=1 counts how often each side of each branch is taken, as written: without optimisation. Suites are
-- those of scripts/test.sh with these words; LIST=1 lists the lines with sides that are not taken; AGAIN=1 adds to the
-- counts of the last time. Each suite has its own: one that ends a program while it writes them spoils no others.
--
-- Not counted are sides that only a failure of the computer or a bug of heddle takes: lines that name BUG, the side of
-- no case of a switch that names all values (compilers hold it to that) or ends in BUG, and those that find an
-- allocation failed (`failed`, a call that allocates, or a test of what one of the lines before has allocated).
package.path = "scripts/lib/?.lua;" .. package.path
local lists = require "heddle.kit.lists"
local shell = require "heddle.report.shell"

local FOLDERS <const> = "sim/prove sim/check sim/file"
local SUITES <const> = "prove/ check/ api/ file/ sweep/ " ..
    "cli/cli.sh cli/files cli/oom cli/max_memory cli/outputs cli/data"
-- Suites that build, run all kernels under checkers, or repeat others in another interpreter.
local SKIPPED <const> = "additions.sh checked.lua python.sh record.sh lua_prove-stock lua_check-stock"
local DEFECTS <const> = "arch/kernels.lua check/checked.lua" -- with kernels/defects alone

local build = os.getenv "BUILD" or "build/coverage"
local runs = build .. "/counts"

local ALLOCATES <const> = {"alloc%w*%(", "arena_raw%(", "_push%(", "_take%(", "strdup%(", "_new%(", "_save%("}
local NEAR <const> = 8 -- lines from an allocation to its test

local function allocates(line)
    return lists.any(ALLOCATES, function(call) return line:find(call) ~= nil end)
end

-- True if a name is tested on a line: as in `!a->b`, `a && `, `&& a`, `(a)`, `a ? `.
local function tests(line, name)
    name = name:gsub("%p", "%%%0")
    return line:find("!" .. name .. "%f[^%w_.>-]") or line:find("%f[%w_]" .. name .. " [&|?]") or
        line:find("&& " .. name .. "%f[^%w_.%[>-]") or line:find("%(" .. name .. "%)")
end

-- True if a line tests what it, or a line shortly before in the function, has allocated.
local function tests_allocation(lines, number)
    local line = lines[number]
    if line:find "!buf_push%(" or line:find "!buf_take%(" or line:find "%.data %? [%w_.]+%.data : " then
        return true
    end
    for name in line:gmatch "[%a_][%w_.>%[%]-]*" do
        for at = number, math.max(number - NEAR, 1), -1 do
            local before = lines[at] or ""
            if at < number and before:find "^}" then
                break
            end
            if before:find(name .. " = ", 1, true) and allocates(before) and tests(line, name) then
                return true
            end
        end
    end
    return false
end

-- True if a switch has a case for each value, or its `default` is a bug.
local function names_all(lines, number)
    local close = "^" .. lines[number]:match "^ *" .. "}"
    repeat
        number = number + 1
    until not lines[number] or lines[number]:find(close) or lines[number]:find "default:"
    return lines[number] ~= nil and (lines[number]:find "default:" == nil or lines[number]:find "BUG%(" ~= nil)
end

-- Counts the sides of a line that only a failed allocation or a bug takes.
local function excusable(lines, number)
    local line, before = lines[number], lines[number - 1] or ""
    if line:find "BUG%(" or before:find "BUG%(" or line:find "failed" or tests_allocation(lines, number) then
        return math.huge
    end
    return line:find "switch %(" and names_all(lines, number) and 1 or 0
end

-- Adds the sides of one object's report: counts[file][line][side] are times taken.
local function add(counts, lines, text)
    local file, number
    for line in text:gmatch "[^\n]*" do
        local n, source = line:match "^ *[%d#=-][%d*#=-]*: *(%d+):(.*)$"
        local side, taken = line:match "^branch +(%d+) (.*)$"
        if n == "0" then
            file = source:match "^Source:(.*)$" or file
            counts[file] = counts[file] or {}
            lines[file] = lines[file] or {}
        elseif n then
            number = tonumber(n)
            lines[file][number] = source
        elseif side then
            local sides = counts[file][number] or {}
            counts[file][number] = sides
            sides[side] = (sides[side] or 0) + (tonumber(taken:match "^taken (%d+)") or 0)
        end
    end
end

-- Adds up the counts of all suites: those of an object lie beside a link to what the compiler has noted of it.
local function measure()
    local counts, lines = {}, {}
    local found = shell.output("cd %s/obj && find %s -name '*.gcno'", build, FOLDERS)
    for part in found:gmatch "([^\n]+)%.gcno" do
        local object = ("%s/obj/%s"):format(build, part)
        for data in shell.output("find %s -path '*/%s.gcda'", runs, part):gmatch "[^\n]+" do
            os.execute(("ln -sf $PWD/%s.gcno %s"):format(object, data:gsub("gcda$", "gcno")))
            add(counts, lines, shell.output("gcov -b -c -t %s 2>/dev/null", data))
        end
        add(counts, lines, shell.output("gcov -b -c -t %s.gcno 2>/dev/null", object)) -- also of what none runs
    end
    return counts, lines
end

local function main()
    if not os.getenv "AGAIN" then
        os.execute(("rm -rf %s; find %s/obj -name '*.gcda' -delete"):format(runs, build))
    end
    os.execute(("BUILD=%s COUNTS=$PWD/%s ONLY='%s' SKIP='%s' scripts/test.sh"):format(build, runs,
        os.getenv "ONLY" or SUITES, SKIPPED))
    for suite in (os.getenv "ONLY" and "" or DEFECTS):gmatch "%S+" do
        os.execute(("GCOV_PREFIX=$PWD/%s/%s %s/heddle lua tests/%s kernels/defects"):format(runs, suite, build, suite))
    end
    local counts, lines = measure()
    local files, all, all_taken, excused, folders = {}, 0, 0, 0, {}
    for file in pairs(counts) do
        files[#files + 1] = file
    end
    table.sort(files)
    print(("\n%-32s %8s %8s %7s"):format("file", "branches", "taken", "%"))
    for _, file in ipairs(files) do
        local n, taken, missing = 0, 0, {}
        for number, sides in pairs(counts[file]) do
            local excuses = excusable(lines[file], number)
            for _, times in pairs(sides) do
                if times == 0 and excuses > 0 then
                    excused, excuses = excused + 1, excuses - 1
                else
                    n, taken = n + 1, taken + (times > 0 and 1 or 0)
                    missing[number] = missing[number] or times == 0
                end
            end
        end
        if n > 0 and (" " .. FOLDERS .. " "):find(" " .. (file:match "^(.*)/" or "") .. " ", 1, true) then
            print(("%-32s %8d %8d %7.1f"):format(file, n, taken, 100 * taken / n))
            all, all_taken = all + n, all_taken + taken
            local folder = folders[file:match "^(.*)/"] or {0, 0}
            folders[file:match "^(.*)/"] = {folder[1] + n, folder[2] + taken}
            for number = 1, os.getenv "LIST" and #lines[file] or 0 do
                if missing[number] then
                    print(("    %d: %s"):format(number, lines[file][number]))
                end
            end
        end
    end
    for folder in FOLDERS:gmatch "%S+" do
        local n = folders[folder] or {0, 0}
        print(("%-32s %8d %8d %7.1f"):format(folder, n[1], n[2], 100 * n[2] / math.max(n[1], 1)))
    end
    print(("%-32s %8d %8d %7.1f    %d sides of failures and bugs are not counted"):format("all", all, all_taken,
        100 * all_taken / math.max(all, 1), excused))
end

main()
