-- The source as a heat map: each line with the share of the time that warps spent before it, what its accesses touched,
-- and the advice that is about it.
local html = require "heddle.report.html"
local lists = require "heddle.kit.lists"
local number = require "heddle.report.number"

local source = {}

local e = html.element
local GAP <const> = 12 -- more lines without instructions than that are left out
local REASONS <const> = 2 -- shown for a line, each with a tenth of its cycles at least

-- ---- what lines cost ----

local SUMS <const> = {"warp_instructions", "lanes", "requests", "sectors", "shared_requests", "shared_passes",
    "divergent_branches"}

local function add(line, instruction, timed)
    for _, name in ipairs(SUMS) do
        line[name] = (line[name] or 0) + (instruction[name] or 0)
    end
    for reason, cycles in pairs(instruction.stall or {}) do
        line.stall[reason] = (line.stall[reason] or 0) + cycles
        line.cost = line.cost + cycles
    end
    line.cost = line.cost + (timed and 0 or instruction.warp_instructions)
    local text = instruction.rounds or instruction.text
    if not line.times[text] then
        line.texts[#line.texts + 1] = text
    end
    line.times[text] = (line.times[text] or 0) + 1
end

-- {cost, files = {{name or nil, lines by number, last}}}: the instructions of a launch by file and line. Instructions
-- with an unknown line have one each, in order.
local function by_line(launch)
    local found, known = {cost = 0, files = {}}, {}
    for _, instruction in ipairs(launch.lines) do
        local name = instruction.file or ""
        local file = known[name]
        if not file then
            file = {name = instruction.file, lines = {}, last = 0}
            known[name] = file
            found.files[#found.files + 1] = file
        end
        local n = instruction.line > 0 and instruction.line or file.last + 1
        local line = file.lines[n] or {stall = {}, cost = 0, texts = {}, times = {}}
        local before = line.cost
        add(line, instruction, launch.cycles)
        file.lines[n], file.last = line, math.max(file.last, n)
        found.cost = found.cost + line.cost - before
    end
    return found
end

local function reasons(line)
    local list = {}
    for name, cycles in pairs(line.stall) do
        list[#list + 1] = name ~= "selected" and cycles * 10 >= line.cost and {name, cycles} or nil
    end
    table.sort(list, function(a, b) return a[2] > b[2] or a[2] == b[2] and a[1] < b[1] end)
    return table.concat(lists.map({table.unpack(list, 1, REASONS)}, function(reason)
        return ("%s %.0f %%"):format(reason[1], 100 * reason[2] / line.cost)
    end), ", ")
end

-- ---- rows ----

local function quotient(part, whole)
    return whole > 0 and ("%.2f"):format(part / whole) or ""
end

local HEADS <const> = {"line", "share", "source", "issued", "lanes", "sectors", "passes", "waits for"}

local function cells_of(line, all)
    local share = number.share(line.cost, all) or 0
    local diverged = line.divergent_branches > 0 and
        ("diverges %s of %s times"):format(number.count(line.divergent_branches), number.count(line.warp_instructions))
    local why = all > 0 and line.cost * 100 >= all and reasons(line) or ""
    local issued = line.warp_instructions
    return share, {number.count(issued), quotient(line.lanes, issued), quotient(line.sectors, line.requests),
        quotient(line.shared_passes, line.shared_requests)},
        table.concat(lists.map({why ~= "" and why or nil, diverged or nil}, function(text) return text end), "; ")
end

-- Returns the result of a line of a macro or a `.repeat`, and how often: "max.f32 w, w, v x5".
local function became(text, line)
    if not (text:find("\\", 1, true) or #line.texts > 1 or line.times[line.texts[1]] > 1) then
        return nil
    end
    return lists.map(line.texts, function(made)
        return e("div", {class = "became"}, made .. (line.times[made] > 1 and " x" .. line.times[made] or ""))
    end)
end

local function row(n, text, line, all, id)
    if not line then
        return e("tr", e("th", {scope = "row"}, n), e("td"), e("td", {class = "code"}, text), e("td", {colspan = 5}))
    end
    local share, counts, why = cells_of(line, all)
    return e("tr", {id = id, class = "hot", style = ("--share:%.1f%%"):format(share)}, e("th", {scope = "row"}, n),
        e("td", {class = "number heat"}, number.percent(share)), e("td", {class = "code"}, text, became(text, line)),
        lists.map(counts, function(c) return e("td", {class = "number"}, c) end), e("td", {class = "why"}, why))
end

-- The text of each line: of the source, or the instructions themselves where there is none.
local function texts_of(r, file)
    for _, s in ipairs(r.sources) do
        if s.file == file.name then
            return lists.map(s.lines, function(line) return (line:gsub("\t", "        "):gsub("%s+$", "")) end)
        end
    end
    local out = {}
    for n = 1, file.last do
        out[n] = file.lines[n] and table.concat(file.lines[n].texts, "\n")
    end
    return out
end

local function advice_of(launch, file, n)
    return lists.map(launch.advice, function(a)
        return a.line == n and a.file == file.name and e("tr", {class = "advice"}, e("th", {scope = "row"}, "try"),
            e("td", {colspan = 7}, e("span", (a.text:gsub(" %(line %d+%)$", ""))))) or nil
    end)
end

-- Checks whether lines [n, n + GAP] have no instructions; then returns the next that has one, or the end.
local function gap_end(file, n, last)
    local to = n
    while to <= last and not file.lines[to] do
        to = to + 1
    end
    return to - n > GAP and to or n
end

local function rows_of(r, file, all, prefix)
    local texts, rows, n = texts_of(r, file), {}, 1
    local last = math.max(#texts, file.last)
    while n <= last do
        local to = gap_end(file, n, last)
        if to > n then
            rows[#rows + 1] = e("tr", {class = "gap"}, e("th", {scope = "row"}, "…"), e("td", {colspan = 7},
                ("%s without instructions"):format(number.plural(to - n, "line"))))
            n = to
        else
            rows[#rows + 1] = (texts[n] or file.lines[n]) and row(n, texts[n] or "", file.lines[n], all,
                file.lines[n] and prefix .. n) or nil
            lists.append(rows, advice_of(r.launch, file, n))
            n = n + 1
        end
    end
    return rows
end

-- ---- the section ----

-- The beginning of the ids of the lines of a file: "line-12" of the first run, "run2-line-12", "line-find.hd-12".
function source.anchor(run, file)
    return (run > 1 and ("run%d-"):format(run) or "") .. "line-" .. (file and file:gsub("[^%w.]", "_") .. "-" or "")
end

local function listing(r, i, several)
    local found = by_line(r.launch)
    return lists.map(found.files, function(file)
        local name = file.name or r.file:match "[^/]*$"
        local title = several and ("%s: %s"):format(r.name, name) or name
        local head = e("tr", lists.map(HEADS, function(text, c)
            return e("th", {scope = "col", class = c ~= 3 and c ~= 8 and c ~= 1 and "number" or nil}, text)
        end))
        return e("figure", e("figcaption", e("h3", title)), html.wide(title, "listing", e("table",
            e("thead", head), e("tbody", rows_of(r, file, found.cost, source.anchor(i, file.name))))))
    end)
end

function source.section(runs)
    local timed = runs[1].launch.cycles
    local tables = {}
    for i, r in ipairs(runs) do
        lists.append(tables, listing(r, i, #runs > 1))
    end
    return html.section("source", "Source", e("p",
        {class = "about"}, timed and
        "The share of a line is that of the time of warps before it could issue: it waits there for what an earlier " ..
        "line began, say a load. Sectors are those of an access to global or local memory, passes those of one to " ..
        "shared memory." or
        "The share of a line is that of all instructions issued."), tables)
end

return source
