-- Draws the verdicts of a page of docs/claims/ from its tables by input: a line for each claim over the ratio of costs,
-- with a dot for each input.
--
--   heddle lua scripts/claims_picture.lua docs/claims/mask.md >docs/pictures/claims-mask.svg
local lists = require "heddle.kit.lists"

local WIDTH <const>, LEFT <const>, RIGHT <const>, STEP <const>, TOP <const> = 960, 20, 20, 48, 46
local STYLE <const> = [[
text { font: 13px system-ui, sans-serif; fill: #1b1f24; } .small { font-size: 11px; fill: #57606a; }
.bold { font-weight: bold; } .line { stroke: #d0d7de; } .one { stroke: #1b1f24; stroke-width: 1.5; }
.yes { fill: #1a7f37; } .no { fill: none; stroke: #b3261e; stroke-width: 1.6; } .paper { fill: #ffffff; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .small { fill: #9da7b1; } .line { stroke: #3d444d; }
.one { stroke: #e6edf3; } .yes { fill: #4ac26b; } .no { stroke: #ff8078; } .paper { fill: #0d1117; } }]]

local function escape(text)
    return (text:gsub("[&<>]", {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;"}))
end

local function cells_of(line)
    local cells = {}
    for cell in line:gmatch "|([^|]*)" do
        cells[#cells + 1] = cell:match "^%s*(.-)%s*$"
    end
    cells[#cells] = nil
    return cells
end

-- The tables of a page's first board: {heads, rows} each.
local function tables_of(text)
    local tables, on = {}, nil
    for line in text:match("\n### Board [^\n]+\n(.*)"):gmatch "([^\n]*)\n" do
        if line:find "^### " then
            break
        elseif not line:find "^|" then
            on = nil
        elseif not on then
            on = {heads = cells_of(line), rows = {}}
            tables[#tables + 1] = on
        elseif not line:find "^|[%s:|-]+$" then
            table.insert(on.rows, cells_of(line))
        end
    end
    return tables
end

-- The claims of the first table that compare costs: name, verdict, and the ratio on each input.
local function claims_of(tables)
    local claims, by = {}, {}
    for _, t in ipairs(tables) do
        local verdicts = t.heads[1] == "claim" and t.heads[2] == "verdict" and t == tables[1]
        for _, row in ipairs(t.rows) do
            if verdicts and row[1] ~= "" then
                by[row[1]] = {claim = row[1], verdict = row[2], points = {}}
                claims[#claims + 1] = by[row[1]]
            end
            for c = 2, t.heads[1] == "input" and #row or 0 do
                local text, claim = row[c]:gsub(",", ""), by[t.heads[c]] or {points = {}}
                local ratio = text:match "^free" and math.huge or tonumber(text:match "^[%d.]+")
                table.insert(claim.points, ratio and {name = row[1], ratio = ratio, won = not text:find " no$"} or nil)
            end
        end
    end
    return lists.map(claims, function(claim) return #claim.points > 0 and claim or nil end)
end

-- The ends of the axis: where no ratio is finite, around 1.
local function ends_of(claims)
    local low, high = 0.5, 2
    for _, claim in ipairs(claims) do
        for _, p in ipairs(claim.points) do
            low = p.ratio > 0 and math.min(low, p.ratio) or low
            high = p.ratio < math.huge and math.max(high, p.ratio) or high
        end
    end
    return low / 1.15, high * 1.15
end

local function draw(claims)
    local low, high = ends_of(claims)
    local height, out = TOP + STEP * #claims + 8, {}
    local function put(form, ...) out[#out + 1] = form:format(...) end
    local function at(ratio)
        local share = math.log(math.max(low, math.min(high, ratio)) / low) / math.log(high / low)
        return LEFT + share * (WIDTH - LEFT - RIGHT)
    end
    put('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">', WIDTH, height, WIDTH,
        height)
    put("<style>%s</style><rect class=\"paper\" width=\"%d\" height=\"%d\"/>", STYLE, WIDTH, height)
    put('<text class="small" x="%d" y="14">cost of the best rival for 1 of the method\'s; right of 1 the method is ' ..
        'better</text>', LEFT)
    for power = math.ceil(math.log(low, 2)), math.floor(math.log(high, 2)) do
        local x = at(2.0 ^ power)
        put('<line class="%s" x1="%.1f" y1="34" x2="%.1f" y2="%d"/><text class="small" x="%.1f" y="30" ' ..
            'text-anchor="middle">%g</text>', power == 0 and "one" or "line", x, x, height - 4, x, 2.0 ^ power)
    end
    for i, claim in ipairs(claims) do
        local y = TOP + STEP * (i - 1)
        table.sort(claim.points, function(a, b)
            return a.ratio < b.ratio or a.ratio == b.ratio and a.name < b.name
        end)
        local first, last = claim.points[1], claim.points[#claim.points]
        put('<text x="%d" y="%d">%s: <tspan class="bold">%s</tspan></text>', LEFT, y + 10, escape(claim.claim),
            escape(claim.verdict))
        put('<line class="line" stroke-width="4" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/>', at(first.ratio), y + 20,
            at(last.ratio), y + 20)
        for _, p in ipairs(claim.points) do
            put('<circle class="%s" cx="%.1f" cy="%d" r="3.5"><title>%s: %.4g</title></circle>',
                p.won and "yes" or "no", at(p.ratio), y + 20, escape(p.name), p.ratio)
        end
        put('<text class="small" x="%d" y="%d">least: %s%s</text>', LEFT, y + 36, escape(first.name),
            first ~= last and "; greatest: " .. escape(last.name) or "")
    end
    put "</svg>"
    return table.concat(out, "\n") .. "\n"
end

local page = ...
assert(page, "usage: heddle lua scripts/claims_picture.lua PAGE")
local file <close> = assert(io.open(page))
io.write(draw(claims_of(tables_of(file:read "a"))))
