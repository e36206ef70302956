-- heddle lua sarif.lua FILE...: checks that these are SARIF 2.1.0 by the standard's schema of the objects that heddle
-- writes (3.13 to 3.58), and name rules and places that exist.
local heddle = require "heddle"

local LEVELS = {none = true, note = true, warning = true, error = true}

local function need(ok, what, ...)
    if not ok then
        error(what:format(...), 0)
    end
end

local function message(v, what)
    need(type(v) == "table" and type(v.text) == "string" and #v.text > 0, "%s: a message has text", what)
end

local function location(l, what)
    local uri, line = l.physicalLocation.artifactLocation.uri, l.physicalLocation.region.startLine
    need(type(uri) == "string" and not uri:gsub("%%%x%x", ""):find "[^%w/._~+@=,:-]", "%s: uri %s", what, uri)
    need(math.type(line) == "integer" and line >= 1, "%s: startLine", what)
    message(l.message, what)
end

local function rules(driver)
    local seen = {}
    need(type(driver.name) == "string" and driver.version:match "^%d+%.%d+%.%d+$", "driver")
    for _, rule in ipairs(driver.rules) do
        need(type(rule.id) == "string" and not seen[rule.id], "rule %s", rule.id)
        seen[rule.id] = true
        message(rule.shortDescription, rule.id)
        need(LEVELS[rule.defaultConfiguration.level], "%s: level", rule.id)
    end
end

local function result(r, driver, what)
    message(r.message, what)
    need(LEVELS[r.level], "%s: level", what)
    need(driver.rules[r.ruleIndex + 1].id == r.ruleId, "%s: ruleIndex", what)
    need(#r.locations == 1, "%s: locations", what)
    location(r.locations[1], what)
    for _, related in ipairs(r.relatedLocations) do
        need(math.type(related.id) == "integer", "%s: id", what)
        location(related, what)
    end
end

for _, name in ipairs(arg) do
    local file <close> = assert(io.open(name, "rb"))
    local all = heddle.parse(file:read "a", name)
    need(all.version == "2.1.0", "version")
    need(all["$schema"]:find "sarif%-schema%-2%.1%.0%.json$", "$schema")
    need(#all.runs > 0, "runs")
    for _, run in ipairs(all.runs) do
        rules(run.tool.driver)
        need(type(run.invocations[1].executionSuccessful) == "boolean", "executionSuccessful")
        for i, r in ipairs(run.results) do
            result(r, run.tool.driver, ("%s: result %d"):format(name, i))
        end
    end
end
