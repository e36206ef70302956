-- A whole page: one file that needs no other and no network.
--
--   page.text {title = "saxpy on v100", lead = elements, sections = {html.section(...), ...}}
--
-- The parts of Observable Plot in scripts/report/plot.min.js draw the charts, through scripts/report/charts.js.
local heddle = require "heddle"
local file = require "heddle.kit.file"
local html = require "heddle.report.html"
local lists = require "heddle.kit.lists"

local page = {}

local e = html.element

-- The page may load nothing, whatever stands in it.
local POLICY <const> = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; " ..
    "form-action 'none'"

-- A script of heddle's own, which may name the element that holds it.
local function script(name)
    return e("script", html.raw((file.own("scripts/report/" .. name):gsub("</script", "<\\/script"))))
end

local function contents(sections)
    return #sections > 1 and e("nav", {["aria-label"] = "Contents"}, e("ul", lists.map(sections, function(s)
        return e("li", e("a", {href = "#" .. s.id}, s.title))
    end)))
end

function page.text(p)
    return "<!DOCTYPE html>\n" .. tostring(e("html", {lang = "en"},
        e("head", e("meta", {charset = "utf-8"}),
            e("meta", {["http-equiv"] = "Content-Security-Policy", content = POLICY}),
            e("meta", {name = "viewport", content = "width=device-width, initial-scale=1"}),
            e("meta", {name = "generator", content = "heddle " .. heddle.version}), e("title", p.title),
            e("style", html.raw(file.own "scripts/report/common.css" .. file.own "scripts/report/page.css"))),
        e("body", e("a", {class = "skip", href = "#main"}, "Skip to the results"),
            e("header", e("h1", p.title), e("button", {type = "button", id = "theme", hidden = true}, "Dark")),
            contents(p.sections),
            e("main", {id = "main", tabindex = "-1"}, p.lead, lists.map(p.sections, function(s) return s.body end)),
            e("footer", e("p", "Written by heddle ", heddle.version, ". Times and counts are those of its model: see ",
                "calibration.md and deviations.md of its documentation.")),
            lists.map({"plot.min.js", "axes.js", "charts.js", "figures.js"}, script)))) .. "\n"
end

return page
