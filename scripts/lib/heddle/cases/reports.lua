-- Results of heddle.cases.suite as text, TAP, JUnit's XML and JSON.
local heddle = require "heddle"
local report = require "heddle.kit.report"

local reports = {}

-- "saxpy.hd: 2 long, warp 32"
local function title(r)
    local case = r.number > 0 and ("%d %s"):format(r.number, r.name) or r.name
    return ("%s: %s%s"):format(r.file, case, r.warp and ", warp " .. r.warp or "")
end

-- {pass =, fail =, broken =, files =}
function reports.counts(results)
    local counts, seen = {pass = 0, fail = 0, broken = 0, files = 0}, {}
    for _, r in ipairs(results) do
        counts[r.status] = counts[r.status] + 1
        counts.files = counts.files + (seen[r.file] and 0 or 1)
        seen[r.file] = true
    end
    return counts
end

-- The lines of a baseline: each as often as the case that has it most often.
reports["write-baseline"] = function(results)
    local most, rows = {}, {}
    for _, r in ipairs(results) do
        local here = {}
        for row in (r.baseline or ""):gmatch "[^\n]+" do
            here[row] = (here[row] or 0) + 1
            if here[row] > (most[row] or 0) then
                most[row], rows[#rows + 1] = here[row], row .. "\n"
            end
        end
    end
    return "# --baseline FILE: findings that were there before\n" .. table.concat(rows)
end

-- Messages on allowances that cover nothing in any case, each once.
function reports.unused(results)
    local used, out = {}, {}
    for _, r in ipairs(results) do
        for place in (r.used or ""):gmatch "[^\n]+" do
            used[place] = true
        end
    end
    for _, r in ipairs(results) do
        for message, place in (r.unused or ""):gmatch "((.-): warning: [^\n]*\n)" do
            out[#out + 1] = not used[place] and message or nil
            used[place] = true
        end
    end
    return table.concat(out)
end

-- Lists failures, and a line of counts.
function reports.text(results)
    local out, counts = {}, reports.counts(results)
    for _, r in ipairs(results) do
        if r.status ~= "pass" then
            out[#out + 1] = ("FAILED %s\n%s\n"):format(title(r), r.text:gsub("\n$", ""))
        end
    end
    out[#out + 1] = ("%d passed, %d failed%s in %s\n"):format(counts.pass, counts.fail,
        counts.broken > 0 and (", %d broken"):format(counts.broken) or "", report.plural(counts.files, "file"))
    return table.concat(out)
end

function reports.tap(results)
    local out = {"TAP version 14\n", ("1..%d\n"):format(#results)}
    for i, r in ipairs(results) do
        out[#out + 1] = ("%s %d - %s\n"):format(r.status == "pass" and "ok" or "not ok", i, title(r):gsub("#", "\\#"))
        for line in (r.status ~= "pass" and r.text or ""):gmatch("[^\n]+") do
            out[#out + 1] = "# " .. line .. "\n"
        end
    end
    return table.concat(out)
end

local ENTITIES = {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["\n"] = "&#10;", ["\t"] = "&#9;"}

-- XML has no other control characters, and no bytes that are not UTF-8.
local function xml(text)
    text = utf8.len(text) and text or text:gsub("[\x80-\xff]", "?")
    return (text:gsub('[&<>"\n\t]', ENTITIES):gsub("%c", "?"))
end

-- The results file by file.
local function by_file(results)
    local list, at = {}, {}
    for _, r in ipairs(results) do
        if not at[r.file] then
            at[r.file] = {file = r.file, seconds = 0}
            list[#list + 1] = at[r.file]
        end
        local one = at[r.file]
        one[#one + 1] = r
        one.seconds = one.seconds + r.seconds
    end
    return list
end

local function junit_case(r)
    local head = ('    <testcase classname="%s" name="%s" file="%s" line="%d" time="%.3f"'):format(xml(r.file),
        xml(title(r):sub(#r.file + 3)), xml(r.file), r.line, r.seconds)
    if r.status == "pass" then
        return head .. "/>\n"
    end
    local tag = r.status == "fail" and "failure" or "error"
    return ('%s>\n      <%s message="%s">%s</%s>\n    </testcase>\n'):format(head, tag, xml(r.text:match "[^\n]*"),
        xml(r.text), tag)
end

function reports.junit(results)
    local all = reports.counts(results)
    local sizes = 'tests="%d" failures="%d" errors="%d"'
    local out = {'<?xml version="1.0" encoding="UTF-8"?>\n', ("<testsuites %s>\n"):format(sizes):format(#results,
        all.fail, all.broken)}
    for _, suite in ipairs(by_file(results)) do
        local counts = reports.counts(suite)
        out[#out + 1] = ('  <testsuite name="%s" %s time="%.3f">\n'):format(xml(suite.file), sizes:format(#suite,
            counts.fail, counts.broken), suite.seconds)
        for _, r in ipairs(suite) do
            out[#out + 1] = junit_case(r)
        end
        out[#out + 1] = "  </testsuite>\n"
    end
    out[#out + 1] = "</testsuites>\n"
    return table.concat(out)
end

function reports.json(results)
    local counts, list = reports.counts(results), heddle.array {}
    for i, r in ipairs(results) do
        list[i] = {file = r.file, line = r.line, case = r.number, name = r.name, warp = r.warp, status = r.status,
            seconds = r.seconds, text = r.text}
    end
    return heddle.json({heddle = heddle.version, format = "heddle-test-1", passed = counts.pass, failed = counts.fail,
        broken = counts.broken, files = counts.files, results = list}, {lossy = true})
end

return reports
