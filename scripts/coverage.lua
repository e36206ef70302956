-- Prints which share of the branches of sim/prove, sim/check and sim/file the suites take, by file (make coverage).
--
--   [ONLY="WORD ..."] [LIST=1] [AGAIN=1] BUILD=build/coverage build/coverage/lua scripts/coverage.lua
--
-- A build with COVER=1 counts how often each side of each branch is taken, as written: without optimisation. Suites are
-- those of scripts/test.sh with these words; LIST=1 lists the lines with sides that are not taken; AGAIN=1 adds to the
-- counts of the last time. Each suite has its own: one that ends a program while it writes them spoils no others.
--
-- Not counted are sides that only a failure of the computer or a bug of heddle takes: lines that name BUG,
-- and those that find an allocation failed (`failed`, or `!` before what the line before has allocated).
package.path = "scripts/lib/?.lua;" .. package.path
local shell = require "heddle.report.shell"

local FOLDERS <const> = "sim/prove sim/check sim/file"
local SUITES <const> = "prove/ check/ api/ file/ sweep/ " ..
    "cli/cli.sh cli/files cli/oom cli/max_memory cli/outputs cli/data"
-- Suites that build, run all kernels under checkers, or repeat others in another interpreter.
local SKIPPED <const> = "additions.sh checked.lua python.sh record.sh lua_prove-stock lua_check-stock"
local DEFECTS <const> = "arch/kernels.lua check/checked.lua" -- with kernels/defects alone

local build = os.getenv "BUILD" or "build/coverage"
local runs = build .. "/counts"

-- True if only a failed allocation or a bug takes the other side.
local function is_excused(line, before)
    if line:match "BUG%(" or before:match "BUG%(" or line:match "failed" then
        return true
    end
    local name = line:match "if %(!([%w_]+)%)" or line:match "if %(!([%w_]+) "
    return name ~= nil and before:match(name .. " = [%w_]*[a-z]+_?[%w_]*%(") ~= nil and
        (before:match "alloc" or before:match "push" or before:match "strdup" or before:match "_new%(") ~= nil
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
            local excuse = is_excused(lines[file][number], lines[file][number - 1] or "")
            for _, times in pairs(sides) do
                if excuse and times == 0 then
                    excused = excused + 1
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
