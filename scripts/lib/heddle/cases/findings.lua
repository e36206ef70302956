-- Findings of checkers in the launch of a case, besides those that its run expects, and its printed lines
-- (heddle.cases.case).
local findings = {}

-- True if the finding is of that kind and class, at that line. Writes that race may store the same value.
local function meets(finding, want)
    local class = finding.class == "same-value" and want.class == "write-write" or finding.class == want.class
    local here = false
    for _, place in ipairs(finding.places) do
        here = here or place.line == want.line and not place.file
    end
    return finding.kind == want.kind and class and here
end

-- Compares what checkers found, in a result or an error, with what the run expects; `report` as case.report.
function findings.check(c, result, report)
    local met = {}
    for _, finding in ipairs(result.findings or {}) do
        local expected = false
        for _, want in ipairs(c.run.findings) do
            if meets(finding, want) then
                expected, met[want] = true, true
            end
        end
        expected = expected or finding.allowed ~= nil
        local first, second = finding.places[1], finding.places[2] or finding.places[1]
        report(c, expected, first.line or c.run.line, "%s %s, with line %s: %s", finding.kind, finding.class,
                    second.line, finding.text)
    end
    for _, want in ipairs(c.run.findings) do
        report(c, met[want], want.line, "no finding: %s %s", want.kind, want.class)
    end
end

-- Compares the lines that lanes printed with those that the run expects, if it expects any.
function findings.check_printed(c, result, report)
    local have, want = result.printed or {}, c.run.prints
    for i = 1, want and math.max(#have, #want) or 0 do
        local own, wanted = have[i] and have[i].text, want[i] and want[i].text
        report(c, own == wanted, want[i] and want[i].line or c.run.line, "line %d is '%s', expected '%s'", i,
               own or "(none)", wanted or "(none)")
    end
end

return findings
