-- Does `heddle report` write a page that is whole by itself, shows what the result has, and refuses other files?
local heddle = require "heddle"
local cli = require "tests.lib.command"
local document = require "heddle.report.document"
local conform = require "heddle.schema.conform"
local formats = require "heddle.schema.formats"
local html = require "heddle.report.html"
local judge = require "heddle.claims.judge"
local lists = require "heddle.kit.lists"
local number = require "heddle.report.number"
local roles = require "heddle.claims.roles"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

local folder = cli.folder

local function run(name, arguments)
    local status, _, err = cli.heddle(("run %s -q --json %s/%s.json"):format(arguments, folder, name))
    ok(status < 2, err)
    return heddle.parse(cli.read(("%s/%s.json"):format(folder, name)), name)
end

local function page(...)
    local names = lists.map({...}, function(name) return ("%s/%s.json"):format(folder, name) end)
    equal(cli.good(("report %s -o %s/page.html"):format(table.concat(names, " "), folder)), "")
    return cli.read(folder .. "/page.html")
end

local function refused(text, arguments)
    local status, _, err = cli.heddle("report " .. arguments)
    ok(err:find(text, 1, true), ("expected %q in %q"):format(text, err))
    equal(status, 2, arguments)
end

local function save(name, value)
    heddle.write(("%s/%s.json"):format(folder, name), type(value) == "string" and value or heddle.json(value))
end

local timed = run("timed", "classic/transpose_tiled --board v100 --explain 66")

-- ---- the form of a page ----

local VOID <const> = lists.set {"meta", "br", "input"}

-- The elements of a page, {name, attributes}, in their order; fails where they are not properly nested.
local function elements(text)
    local open, found, at = {}, {}, #"<!DOCTYPE html>" + 1
    while true do
        local from, to, close, name, rest = text:find("<(/?)(%a[%w]*)([^<>]*)>", at)
        if not from then
            break
        end
        ok(not text:sub(at, from - 1):find "[<>]", "stray < or > before " .. text:sub(from, to))
        at = to + 1
        if close == "/" then
            equal(table.remove(open), name, "what </" .. name .. "> ends")
        else
            found[#found + 1] = {name = name, attributes = rest}
            open[#open + 1] = not VOID[name] and name or nil
        end
        if close == "" and (name == "script" or name == "style") then
            at = text:find("</" .. name .. ">", at, true)
        end
    end
    equal(#open, 0, "elements that are not ended")
    return found
end

-- Checks what holds of each page; returns its figures with charts, {kind of chart, data}.
local function sound(text)
    local ids, figures, tables = {}, {}, 0
    for _, element in ipairs(elements(text)) do
        local id = element.attributes:match ' id="([^"]*)"'
        ok(not id or not ids[id], "the id '" .. (id or "") .. "' twice")
        ids[id or ""] = true
        tables = tables + (element.name == "table" and 1 or 0)
        ok(not element.attributes:find " src=", "something is loaded")
    end
    for target in text:gmatch 'href="([^"]*)"' do
        ok(target:sub(1, 1) == "#" and ids[target:sub(2)], "a link to nothing: " .. target)
    end
    for data in text:gmatch '<script type="application/json">(.-)</script>' do
        figures[#figures + 1] = heddle.parse(data, "data of a figure")
    end
    for figure in text:gmatch "<figure[ >].-</figure>" do
        ok(figure:find "<table>", "a figure without a table")
        ok(not figure:find 'class="chart"' or figure:find 'role="img"' and not figure:find 'aria%-label=""',
            "a chart without words")
    end
    ok(text:find("default-src 'none'", 1, true), "a page that may load something")
    local style = text:match "<style>(.-)</style>"
    ok(not style:find "url%(" and not style:find "@import", "a style that loads something")
    ok(tables >= #figures, "a chart without a table")
    return figures
end

local function kinds(text)
    return table.concat(lists.map(sound(text), function(f) return f.kind end), " ")
end

case("text cannot become markup", function()
    equal(tostring(html.element("p", {title = 'a"b<'}, '<i>&"')),
        '<p title="a&quot;b&lt;">&lt;i&gt;&amp;&quot;</p>')
    equal(tostring(html.element("p", {"a\0b\27", false, {1, {2.5}}})), "<p>a\u{FFFD}b\u{FFFD}12.5</p>")
    equal(tostring(html.element("a", {hidden = true, open = false})), "<a hidden></a>")
    equal(tostring(html.data {x = "</script><!--"}),
        '<script type="application/json">{\n  "x": "\\u003c/script\\u003e\\u003c!--"\n}\n</script>')
end)

case("numbers as the command prints them", function()
    for v, text in pairs {[0] = "0", [0.5] = "0.50", [9.994] = "9.99", [9.995] = "10.0", [99.96] = "100",
        [1234.5] = "1,234"} do
        equal(number.short(v), text)
    end
    for _, row in ipairs {{0, "0 s"}, {9.79e-5, "97.9 µs"}, {2, "2.00 s"}, {5e-13, "0.50 ps"}} do
        equal(number.small(row[1], "s"), row[2])
    end
    equal({number.bytes(16384), number.bytes(3), number.bytes(0), number.share(1, 0)}, {"16.4 kB", "3.00 B", "0 B"})
end)

-- ---- contents ----

case("a run: every figure, and the numbers of the result", function()
    local text = page "timed"
    equal(kinds(text), "bars roofline bars bars lanes bars bars")
    ok(text:find(number.small(timed.seconds, "s"), 1, true) and text:find(number.count(timed.cycles), 1, true), "time")
    ok(text:find(timed.limiter:match "^[^;]*", 1, true), "what bounds it")
    for _, a in ipairs(timed.advice) do
        local words = a.text:gsub(" %(line %d+%)$", "")
        local _, times = text:gsub("%f[%w]" .. words:gsub("%p", "%%%0"), "")
        equal(times, (a.gain >= 1.1 and 1 or 0) + (a.line and 1 or 0), "in the summary, and at its line: " .. words)
    end
    ok(text:find('href="#line-66"', 1, true), "a link from advice to its line")
    equal(page "timed", text, "the same page again")
end)

case("a run that was recorded: rates over time, which add up to what it counted", function()
    local result = run("recorded", ("classic/transpose_tiled --board v100 --trace %s/trace.json"):format(folder))
    local text = page "recorded"
    equal(kinds(text), "bars roofline bars curves curves curves bars bars bars")
    local rates, m = result.rates, result.metrics
    local ghz = result.board.values.clock_mhz.value / 1000
    for i, counted in ipairs {m["dram.read_bytes"] * ghz, m["dram.write_bytes"] * ghz,
        32 * ghz * (m["l2.read_sectors"] + m["l2.write_sectors"] + m["l2.atomic_sectors"]), m["sm.slots_issued"],
        m["sm.warp_cycles"]} do
        local sum = lists.sum(rates.tracks[i].values, function(v) return v end) * rates.window
        ok(math.abs(sum - counted) <= 1e-9 * (1 + counted), rates.tracks[i].name)
    end
    ok(#rates.tracks[1].values * rates.window >= result.cycles and #rates.tracks[1].values <= 1000, "windows")
    for _, one in ipairs(sound(text)) do
        ok(one.kind ~= "curves" or #one.points <= 3 * 200, "few enough points")
    end
    equal(result.rates.tracks[3], {name = "L2", unit = "GB/s", values = result.rates.tracks[3].values})
    equal(timed.rates, nil, "of a run that was not")
end)

case("stalls and the shares of lines are 100 %, bytes those of the counters", function()
    local text = page "timed"
    local stalls, sum = nil, 0
    for _, f in ipairs(sound(text)) do
        stalls = f.label == "share of the time of warps" and f or stalls
        if f.stacked then
            local by = {}
            for _, r in ipairs(f.rows) do
                by[r.label] = (by[r.label] or 0) + r.value
            end
            equal({by.L1, by.DRAM}, {32 * timed.metrics["l1.sectors"], timed.metrics["dram.read_bytes"] +
                timed.metrics["dram.write_bytes"]})
        elseif f.kind == "roofline" then
            for _, p in ipairs(f.points) do
                ok(p.y <= math.min(p.slope * p.x, p.top) * (1 + 1e-9), "a point above its roof: " .. p.level)
                ok(math.abs(p.y / (p.slope * p.x) - p.share / 100) < 1e-9, "its distance is not its share: " .. p.level)
            end
        end
    end
    local total = lists.sum(stalls.rows, function(r) return r.value end)
    ok(math.abs(total - 100) < 1e-6, "stalls are " .. total)
    for share in text:gmatch 'class="hot"[^>]*style="%-%-share:([%d.]+)%%"' do
        sum = sum + share
    end
    ok(math.abs(sum - 100) < 1, "lines are " .. sum)
end)

case("the source of the result, whatever became of the file", function()
    local text = page "timed"
    ok(text:find("; tile[tx][ty]", 1, true) or text:find("; tile[tx][k]", 1, true), "a comment of the source")
    local result = heddle.parse(cli.read(folder .. "/timed.json"), "timed")
    result.sources = heddle.array {}
    save("bare", result)
    ok(page "bare":find("@inside ld.shared.b32 t, [tile+s]", 1, true), "instructions where there is no source")
end)

case("a result of another version: members that are missing leave out what they show", function()
    local result = heddle.parse(cli.read(folder .. "/timed.json"), "timed")
    result.metrics, result.board.values, result.sources, result.explain = {["sol.dram"] = 1e300}, {}, nil, nil
    result.limiter, result.hint, result.advice, result.traffic, result.occupancy_limit = nil, nil, nil, nil, nil
    save("bare", result)
    equal(kinds(page "bare"), "bars")
end)

case("names and sources of any kind stay text", function()
    local result = heddle.parse(cli.read(folder .. "/timed.json"), "timed")
    local evil = "</script><img src=x onerror=alert(1)>\0\"'&"
    result.kernel, result.limiter, result.file, result.board.name = evil, evil, evil, evil
    result.traffic[evil:gsub("\0", "")] = result.traffic.a
    result.sources[1].lines[30] = evil
    result.advice[1].text = evil
    result.explain.instructions[1].words[1] = evil
    save("evil", result)
    ok(not page "evil":find("<img", 1, true), "markup from a result")
end)

case("other results: without a clock, a fault, several launches, boards, two runs", function()
    run("functional", "classic/saxpy")
    local text = page "functional"
    equal(kinds(text), "")
    ok(text:find("Without a board nothing is timed", 1, true) and text:find('id="source"', 1, true), "no clock")
    run("many", "classic/saxpy --board teach32 --repeat 3")
    ok(page "many":find("of 3, the longest", 1, true), "several launches")
    heddle.write(folder .. "/out.hd", ".kernel out\n.reg a:2\n mov.b64 a, 0\n st.global.b32 [a], rz\n exit\n")
    run("fault", folder .. "/out.hd")
    ok(page "fault":find("ended with a fault", 1, true), "a fault")
    cli.good(("run classic/saxpy --board teach32,v100 -q --json %s/boards.json"):format(folder))
    text = page "boards"
    equal(kinds(text), "bars roofline bars bars bars bars bars")
    ok(text:find("<h2>teach32</h2>", 1, true) and text:find("<h2>v100</h2>", 1, true), "both boards")
    text = page("timed", "many")
    ok(text:find("<h2>timed</h2>", 1, true) and text:find("run2-line-", 1, true), "both runs")
    ok(page("timed", "timed"):find("<h2>timed (2)</h2>", 1, true), "a run twice")
    sound(text)
end)

case("two runs: what changed, in the order of heddle diff", function()
    run("wide", "classic/transpose_tiled --board v100 --set l2.latency=400")
    local text = page("timed", "wide")
    local changed = text:match '<section[^>]*id="changes".-</section>'
    ok(changed, "no section of what changed")
    local cells = changed:match '<th scope="row">l2.latency</th>(.-)</tr>'
    local base = timed.board.values["l2.latency"].value
    equal(cells:gsub("<.->", "|"), ("|%d||400||x %.3g||cycles|"):format(base, 400 / base), "the key of the board")
    ok(changed:find("More that changed: metrics", 1, true), "the other metrics are folded away")
    ok(not page("timed", "timed"):find('id="changes"', 1, true), "nothing has changed")
    local status, piped = cli.run(("%s report - %s/wide.json -o - <%s/timed.json"):format(cli.path, folder, folder))
    equal(status, 0)
    ok(not piped:find('id="changes"', 1, true), "a pipe is read once")
end)

-- ---- studies ----

case("a study: what it prints, and its pictures", function()
    cli.good(('make %s/x.npy "f32[1,1,8,8]:expr:i %% 3"'):format(folder))
    cli.good(('make %s/w.npy "f32[1,1,3,3]:iota"'):format(folder))
    local study = ("study spconv --x %s/x.npy --weight %s/w.npy --method implicit"):format(folder, folder)
    local plain = cli.good(study)
    equal(cli.good(("%s --html %s/study.html"):format(study, folder)), plain)
    local text = cli.read(folder .. "/study.html")
    equal(kinds(text), "bars")
    ok(text:find("<caption>Table 1: Board a100", 1, true), "a table")
    equal(cli.good(study .. " --html -"), text)
    local status, _, err = cli.heddle(("%s --html %s/x.npy"):format(study, folder))
    equal(status, 2)
    ok(err:find("x.npy is the input of --x", 1, true), err)
end)

case("a study's lines and cells", function()
    local d = document.new()
    d:put({{"method"}, {"cycles", kind = "number"}, {"", kind = "prose"}}, {{"a", {1234, "1,234"}, "why"}, {nil, 2}})
    d:put({{"claim"}, {"verdict", verdict = true}}, {{"c", "holds when a < 1; b, too"}})
    d:verdict("It is <faster>", "holds", ": always")
    d:title "v100"
    d:lines {id = "a b", title = "T", x = "L", y = "speed", log = true,
        series = {{"s", {{4, 2}, {2, 1}}, role = "rival"}, {"t", {{2, 3}}, role = "proposed"}}}
    d:bars {id = "a b", title = "U", y = "bytes", names = {"m", "n"}, series = {{"x", {1, 2}}, {"y", {3, 4}}}}
    local text = d:text "study"
    local figures = sound(text)
    equal(figures[1].points, heddle.array {{x = 4, y = 2, series = "s"}, {x = 2, y = 1, series = "s"},
        {x = 2, y = 3, series = "t"}})
    equal({figures[1].log, figures[1].log_y}, {true})
    equal({figures[1].roles.s, figures[1].roles.t, figures[2].roles}, {"rival", "proposed"})
    equal(figures[2].rows[3], {label = "n", series = "x", value = 2})
    ok(text:find('<td class="number">1,234</td><td>why</td>', 1, true), "a cell as it is shown")
    ok(text:find('It is &lt;faster&gt;: <b class="good">holds</b>: always', 1, true), "a verdict")
    ok(text:find('<td><b class="mixed">holds when</b> a &lt; 1<br>b, too</td>', 1, true), "a verdict in a cell")
    ok(text:find('<tr><th scope="row">2</th><td class="number">1</td><td class="number">3</td></tr>', 1, true), "by x")
    ok(text:find('id="a%-b"') and text:find('id="a%-b%-2"'), "names of figures")
end)

case("claims: a dot for each condition, at an edge where one side costs nothing", function()
    local metrics = {time = {of = "cycles", unit = "cycles", better = "faster", worse = "slower"}}
    local function trial(name, cost, rival)
        return {name = name, rows = {new = {cycles = cost}, old = {cycles = rival}}}
    end
    local list = judge.all({{id = "a", claim = "New is faster", methods = {"new"}, rivals = {"old"}, metric = "time"},
        {id = "b", claim = "It is new", test = function() return {won = true, method = "new", note = "quite"} end}},
        metrics, {trial("small", 1, 2), trial("large", 4, 2), trial("none", 0, 2)})
    local d = document.new()
    d:claims {id = "claims", title = "C", list = list, metrics = metrics}
    local text = d:text "study"
    local figure = sound(text)[1]
    equal({#figure.rows, figure.rows[1].verdict}, {1, "mixed: 2 of 3"}) -- the other one compares no costs
    equal(figure.rows[1].points, heddle.array {{name = "small", won = true, ratio = 2},
        {name = "large", won = false, ratio = 0.5}, {name = "none", won = true, edge = 1}})
    ok(text:find("<td>large</td><td>new</td>.-<td>2x slower</td>"), "a row for each condition")
end)

case("roles: what claims are about, what they compare it with, and the rest", function()
    local role = roles.of {{methods = {"a"}, rivals = {"b", "c"}}, {methods = {"c"}, rivals = {"a", "d"}},
        {methods = {"a"}, rivals = {"e"}, controls = true}}
    equal(roles.by(role, {"a", "b", "c", "d", "e", "f"}), {a = "proposed", b = "rival", c = "proposed", d = "rival",
        e = "control", f = "control"})
    local d, names = document.new(), {"f", "b", "a", "d"}
    d:bars {id = "x", title = "T", y = "cycles", names = names, series = {{"cycles", {4, 3, 2, 1}}},
        roles = roles.by(role, names)}
    d:bars {id = "y", title = "T", y = "B", names = names, series = {{"x", {4, 3, 2, 1}}, {"y", {0, 3, 0, 0}}},
        roles = roles.by(role, names)}
    local figures = sound(d:text "study")
    equal(lists.map(figures[1].rows, function(r) return r.label end), {"d", "a", "b", "f"}) -- by what they cost
    equal(lists.map(figures[2].rows, function(r) return r.series == "x" and r.label or nil end), {"a", "d", "b", "f"})
end)

-- ---- sweeps ----

local function swept(rows)
    save("sweep", {format = "heddle-results-1", heddle = "0.1.0", rows = heddle.array(rows)})
    return page "sweep"
end

-- A row for each time, over 1, 2, 4, ... channels.
local function series(sms, times, more)
    return lists.map(times, function(time, i)
        return lists.merge({state = "done", kernel = "k", board = "v100", ["board.sms"] = sms, seconds = time * 1e-6,
            ["board.dram.channels"] = 1 << (i - 1)}, more)
    end)
end

case("a sweep: a curve for each of the other axes, knees and crossings", function()
    local rows = lists.append(series(40, {8, 4, 2, 2}), series(80, {4, 3.5, 3, 2.9}))
    local text = swept(rows)
    local data = sound(text)[1]
    equal({data.kind, data.x, data.log, #data.points}, {"curves", "dram.channels", true, 8})
    equal({data.series[1], data.series[2]}, {"sms=40", "sms=80"}) -- the fastest first
    equal(lists.map(data.marks, function(m) return {m.kind, m.series, ("%.4f"):format(m.x)} end),
        {{"knee", "sms=40", "4.0000"}, {"knee", "sms=80", "4.0000"}, {"crossing", "sms=80", "2.6667"}})
    ok(text:find("<h1>Sweep of k over dram.channels, sms</h1>", 1, true), "title")
    ok(text:find("sms=40 and sms=80 cross between dram.channels = 2 and 4; beyond, sms=40 is faster.", 1, true))
    ok(text:find("2.00 µs", 1, true), "the least time")
    text = swept(series(40, {8, 2, 2.05, 4, 2}))
    ok(text:find("from dram.channels = 2 on up to 4 it is within 5 % of its least, 2.00 µs.", 1, true), "left again")
end)

case("a sweep: crossings by their nearest points, of curves that differ in one thing", function()
    local text = swept(lists.append(series(1, {8, 4.01, 4, 4}), series(2, {9, 4.02, 4, 3.8})))
    ok(text:find("sms=2 and sms=1 cross between dram.channels = 2 and 8; beyond, sms=2 is faster.", 1, true))
    local one, two = {kernel = "a"}, {kernel = "b"}
    local rows = lists.append(series(1, {1, 4}, one), series(1, {2, 2}, two))
    lists.append(lists.append(rows, series(2, {1.5, 6}, one)), series(2, {2.5, 3}, two))
    local data = sound(swept(rows))[1]
    equal(lists.map(data.marks, function(m) return m.kind end), {"crossing", "crossing"}, "of four pairs that cross")
    ok(swept(series(1, {8, 4, 2, 1})):find("= 8, the largest value tried, is the first that is enough", 1, true))
end)

case("a sweep: what is no crossing, no knee, no axis", function()
    local data = sound(swept(lists.append(series(1, {8, 4, 2, 1}), series(2, {8.1, 3.99, 2.02, 0.99}))))[1]
    equal(#data.marks, 0, "within the margin, and falling to the end")
    data = sound(swept(lists.append(series(1, {8, 4}), {{state = "failed", command = "heddle <x>", message = "why",
        ["board.dram.channels"] = 64}})))[1]
    equal(#data.points, 2, "a point without a result")
    data = sound(swept {{state = "done", kernel = "a", seconds = 2}, {state = "done", kernel = "b", seconds = 1}})[1]
    equal({data.kind, data.rows[1].label, data.rows[2].label}, {"bars", "b", "a"})
    data = sound(swept(lists.append(series(1, {8, 4}), lists.map(series(9, {7, 3}), function(row)
        return lists.merge(row, {board = "a100"})
    end))))[1]
    equal({data.series[1], data.series[2]}, {"a100", "v100"}) -- its SMs are those of the board
    data = sound(swept(lists.append(series(1, {8, 4}, {ended = 2}), series(1, {9, 9}, {ended = 1}))))[1]
    equal(lists.map(data.points, function(p) return p.y end), {8e-6, 4e-6}) -- the later ones
    data = sound(swept(lists.append(series(1, {8, 4}, {ended = heddle.null, cycles = heddle.null, limiter = 7}),
        series(1, {9, 0}, {ended = "?", board = heddle.null}))))[1]
    equal(#data.points, 3, "values of no use, and a time of nothing")
end)

case("a sweep: a peak that was given, not what it scales, and the other way round", function()
    local function rows(word, key)
        return lists.map({450, 900}, function(v, i)
            return {state = "done", kernel = "k", board = "v100", seconds = 1 / v,
                command = word:format(key and v or i), ["board.dram.gbs"] = v,
                ["board.dram.clock_mhz"] = v - 2, ["board.dram.channels"] = key and 8 or i}
        end)
    end
    local text = swept(rows("heddle run k --set dram.gbs=%d", true))
    ok(text:find("<h1>Sweep of k over dram.gbs</h1>", 1, true), "the bandwidth")
    equal(sound(text)[1].x, "dram.gbs (GB/s)")
    text = swept(rows "heddle run k --set dram.channels=%d --set dram.clock_mhz=1")
    ok(text:find("<h1>Sweep of k over dram.channels, dram.clock_mhz</h1>", 1, true), "keys that were given")
end)

case("a store is read through heddle results", function()
    local db = folder .. "/s.db"
    equal(cli.heddle("sweep run classic/saxpy --case 1 --board v100 --over dram.channels=8,16 -o " .. db), 0)
    local text = cli.good(("report %s -o -"):format(db))
    equal(kinds(text), "curves cells")
    text = cli.good(("report %s -o - --columns rate.dram,dram.channels,bound"):format(db))
    equal(kinds(text), "curves curves cells")
    ok(text:find("<h3>DRAM rate of saxpy on v100 over dram.channels</h3>", 1, true), "what is drawn")
    equal(sound(text)[1].unit, "GB/s")
    refused("--columns: there is no column 'rate.drum'; did you mean 'rate.dram'?", db .. " -o - --columns rate.drum")
    refused("--columns: it chooses what is drawn of a sweep", ("%s/timed.json -o - --columns time"):format(folder))
    refused("a sweep has a page of its own", ("%s %s/timed.json -o %s/none.html"):format(db, folder, folder))
    refused("is a result; name another file", ("%s -o %s"):format(db, db))
    heddle.write(db .. "x", "SQLite format 3\0 and no more")
    refused("its points cannot be read", ("%sx -o %s/none.html"):format(db, folder))
    save("none", {format = "heddle-results-1", heddle = "0.1.0", rows = heddle.array {}})
    refused("no point of it has a time", ("%s/none.json -o %s/none.html"):format(folder, folder))
end)

-- ---- what is refused ----

case("what is no result is refused, and nothing is written", function()
    local out = " -o " .. folder .. "/none.html"
    refused("No such file", folder .. "/absent.json" .. out)
    refused("Is a directory", folder .. out)
    save("text", "{\n  no")
    refused("text.json:2:3: error: this is not JSON", folder .. "/text.json" .. out)
    save("list", "[1]")
    refused("it has no member 'format'", folder .. "/list.json" .. out)
    save("other", {format = "heddle-test-1"})
    refused("a page of a 'heddle-test-1' is not known", folder .. "/other.json" .. out)
    save("empty", {format = "heddle-run-2"})
    refused("empty.json: error: there is no member", folder .. "/empty.json" .. out)
    local result = heddle.parse(cli.read(folder .. "/timed.json"), "timed")
    result.lines[3].issued = "many"
    save("broken", result)
    refused("lines[2].issued: a whole number is needed, not text", folder .. "/broken.json" .. out)
    result.lines[3].issued, result.cycles = 1, 0
    save("broken", result)
    refused("metrics of a launch without a time", folder .. "/broken.json" .. out)
    ok(not cli.read(folder .. "/none.html"), "a page was written")
end)

case("a result is never replaced, and a page is whole or not there", function()
    local path = folder .. "/timed.json"
    local before = cli.read(path)
    refused("is a result; name another file", path .. " -o " .. path)
    equal(cli.read(path), before)
    refused("No such file or directory", path .. " -o " .. folder .. "/absent/page.html")
    refused("where to? --output FILE.html", path)
    refused("which result?", "-o x.html")
    local status, out, err = cli.run(("%s report - -o - <%s"):format(cli.path, path))
    equal({status, out, err}, {0, page "timed", ""}, "from a pipe to a pipe")
end)

case("run --html writes the page of its result, with the worst accesses lane by lane", function()
    local file <const> = folder .. "/run.html"
    local launch <const> = "run classic/transpose_tiled --case 1 --board v100 -q"
    equal(cli.good(("%s --explain worst:3 --json %s/worst.json --html %s"):format(launch, folder, file)), "")
    equal(cli.read(file), page "worst")
    local worst = {}
    for line in cli.read(file):gmatch "Over all executions, Line (%d+)" do
        worst[#worst + 1] = line
    end
    equal(table.concat(worst, " "), "66 66 43 43 69 69", "a caption and its label, each")
    cli.good(("%s --html %s"):format(launch, file))
    equal(cli.read(file), page "worst", "without --explain")
    cli.good(("run classic/saxpy --board v100,a100 -q --html %s"):format(file))
    local both = cli.read(file)
    ok(both:find("What changed", 1, true) and both:find('id="lanes-title"', 1, true), "two boards")
    local out = cli.good "run classic/saxpy --html -"
    ok(out:find "^<!DOCTYPE html>" and out:find "</html>\n$", out:sub(1, 80))
    local status, _, err = cli.heddle(("run classic/saxpy --html %s/no/page.html"):format(folder))
    equal(status, 2)
    ok(err:find("no/page.html: error: cannot be written", 1, true), err)
end)

-- ---- forms ----

case("what has not the form of a schema is found with its place", function()
    local schema = formats.schema "run"
    local function first(change)
        local copy = heddle.parse(cli.read(folder .. "/timed.json"), "timed")
        change(copy)
        local place, wrong = conform.first(schema, copy)
        return wrong and ("%s: %s"):format(place, wrong)
    end
    equal(first(function() end), nil)
    equal(first(function(d) d.later = 1 end), nil)
    equal(first(function(d) d.metrics["later.counter"] = 1 end), nil)
    equal(first(function(d) d.grid[4] = 1 end), "grid: 3 elements are needed, not 4")
    equal(first(function(d) d.warp = -1 end), "warp: 0 is the least")
    equal(first(function(d) d.warp = 1.5 end), "warp: a whole number is needed, not a number")
    equal(first(function(d) d.advice[1].gain = heddle.null end), "advice[0].gain: a number is needed, not null")
    equal(first(function(d) d.caches = "hot" end), "caches: it is not 'cold'")
    equal(first(function(d) d.board.values.sms.origin = nil end), "board.values.sms: there is no member 'origin'")
    equal(first(function(d) d.lines = {} end), "lines: a list is needed, not an object")
end)

test.finish()
