-- The command `heddle test`: runs the cases of kernel files (docs/running.md).
--
-- The command (sim/cli/cmd/test.c) has the options' rows; it passes each as --name=value, files and folders as
-- --file=PATH, the path of heddle as --self. With several jobs this script starts itself once for each, with
-- --share=K/N: a share prints its results as a Lua table.
local heddle = require "heddle"
local expectations = require "heddle.cases.expectations"
local lists = require "heddle.kit.lists"
local options = require "heddle.kit.options"
local reports = require "heddle.cases.reports"
local shell = require "heddle.report.shell"
local study = require "heddle.kit.study"
local suite = require "heddle.cases.suite"

local NAME = "heddle test"
local SHARED <const> = lists.set {"file", "warp", "check", "suppressions", "baseline"} -- options of shares
local FEW <const> = 8 -- files that are not worth several processes

-- Calls a function that reads files; refuses the command with its error.
local function tried(f, ...)
    local ok, value = pcall(f, ...)
    return ok and value or study.refuse("%s", value)
end

-- The kernel files below what was named; those named themselves must have a case.
local function find_files(names)
    local files, named, seen = {}, {}, {}
    for _, name in ipairs(names) do
        local found = tried(expectations.files, {name})
        named[name] = found[1] == name or nil
        for _, path in ipairs(found) do
            if not seen[path] then
                seen[path] = true
                files[#files + 1] = path
            end
        end
    end
    return files, named
end

-- Runs the suite in `jobs` processes at once.
local function run_shares(arguments, option, jobs)
    local pipes, results = {}, {}
    for k = 1, jobs do
        local words = {shell.quote(option.self), "test", ("--share=%d/%d"):format(k, jobs)}
        for _, word in ipairs(arguments) do
            local name, value = word:match "^%-%-([^=]+)=?(.*)$"
            if SHARED[name] then
                words[#words + 1] = name == "file" and shell.quote(value) or "--" .. shell.quote(word:sub(3))
            end
        end
        pipes[k] = assert(io.popen(table.concat(words, " ")))
    end
    for _, pipe in ipairs(pipes) do
        local text = pipe:read "a"
        local _, how, status = pipe:close()
        local chunk = load(text, "=share", "t", {})
        if not chunk or text == "" then
            error(status == 130 and "interrupted" or ("a share of the cases ended early (%s %s)"):format(how, status),
                0)
        end
        lists.append(results, chunk())
    end
    table.sort(results, function(a, b) return a.order < b.order end)
    return results
end

-- The results as a chunk of Lua.
local function print_share(results)
    local out = {"return {\n"}
    for _, r in ipairs(results) do
        local fields = {}
        for name, value in pairs(r) do
            fields[#fields + 1] = ("%s = %q"):format(name, value)
        end
        out[#out + 1] = "{" .. table.concat(fields, ", ") .. "},\n"
    end
    study.write(table.concat(out) .. "}\n")
end

local function write_reports(option, results, files)
    local outputs = {}
    for _, name in ipairs {"junit", "json", "write-baseline"} do
        if option[name] then
            outputs[#outputs + 1] = {option[name], reports[name](results)}
        end
    end
    for _, path in ipairs(files) do
        for _, out in ipairs(outputs) do
            if heddle.same_file(out[1], path, true) then
                study.refuse("%s is a kernel file; name another file", out[1])
            end
        end
    end
    study.output(outputs)
end

local arguments = {...}
return study.main(NAME, function()
    local option = options.passed(arguments, "file")
    local files, named = find_files(option.file)
    local asked = {warp = math.tointeger(tonumber(option.warp)), check = option.check, named = named}
    for _, name in ipairs {"suppressions", "baseline"} do
        asked[name] = option[name] and tried(expectations.text, option[name])
    end
    if option.share then
        local k, n = option.share:match "^(%d+)/(%d+)$"
        k, n = math.tointeger(tonumber(k)), math.tointeger(tonumber(n))
        print_share(suite.run(files, asked, function(part) return part % n == k % n end))
        return true
    end
    study.outputs(option, {"junit", "json", "write-baseline"}, {})
    local jobs = option.self == "" and 1 or math.tointeger(tonumber(option.jobs))
    local results = (option.explicit or #files > FEW) and jobs > 1 and run_shares(arguments, option, jobs)
        or suite.run(files, asked, function() return true end)
    if #results == 0 then
        study.refuse("no case is for warp width %s", option.warp)
    end
    study.write(option.tap and reports.tap(results) or reports.text(results))
    write_reports(option, results, files)
    io.stderr:write(reports.unused(results))
    local counts = reports.counts(results)
    if counts.broken > 0 then
        os.exit(2, true)
    end
    return counts.fail == 0
end)
