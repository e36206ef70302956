-- Memory traffic: the levels of memory as a chart of boxes, then each level by buffer.
local html = require "heddle.report.html"
local lists = require "heddle.kit.lists"
local number = require "heddle.report.number"

local memory = {}

local e = html.element
local SECTOR <const> = 32
local SHOWN <const> = 6 -- buffers that have a colour; the others are one

-- ---- levels ----

local function box(r, name, share, ...)
    local percent = share and r:metric(share)
    local style = percent and ("--share:%.1f%%"):format(math.min(percent, 100))
    return e("li", {class = "level", style = style}, e("b", name),
        percent and e("span", number.percent(percent), " of peak"),
        lists.map({...}, function(text) return e("span", text) end))
end

local function arrow(sign, bytes, what, most)
    local wide = most > 0 and math.max(bytes > 0 and 1 or 0, math.floor(12 * bytes / most + 0.5)) or 0
    return e("span", {class = "arrow", style = ("--wide:%dpx"):format(wide)}, sign, " ", number.bytes(bytes), " ", what)
end

-- Bytes between two levels, towards DRAM and back.
local function link(down, up, most)
    return e("li", {class = "link"}, arrow("→", down[1], down[2], most), arrow("←", up[1], up[2], most))
end

local function rate(r, name, what)
    local value = r:metric(name)
    return value and ("%s %s"):format(number.percent(value), what) or nil
end

local function flow(r)
    local function m(name)
        return r:metric(name) or 0
    end
    local asked = m "l1.requested_bytes"
    local sent, replied = m "noc.request_bytes", m "noc.reply_bytes"
    local read, written = m "dram.read_bytes", m "dram.write_bytes"
    local most = math.max(asked, SECTOR * m "l1.sectors", sent, replied, read, written)
    local shared = m "sm.shared_requests" > 0 and e("p", {class = "about"},
        ("Shared memory, beside these: %s moved by lanes, %s of peak, %s passes for each access."):format(
            number.bytes(m "sm.shared_bytes"), number.percent(r:metric "sol.shared"),
            number.short(m "shared.passes_per_request")))
    return {e("ol", {class = "flow"},
        box(r, "Lanes", nil, number.plural(m "l1.requests", "request")),
        link({asked, "requested"}, {SECTOR * m "l1.sectors", "in sectors"}, most),
        box(r, "L1", "sol.l1", rate(r, "l1.hit_rate", "of loads hit")),
        link({sent, "sent"}, {replied, "replied"}, most),
        box(r, "L2", "sol.l2", rate(r, "l2.hit_rate", "of reads hit")),
        link({written, "written"}, {read, "read"}, most),
        box(r, "DRAM", "sol.dram", rate(r, "dram.row_hit_rate", "of bursts in an open row"))), shared}
end

-- ---- the chart's table, as in `heddle run --section traffic` ----

local function steps(r)
    local function m(...)
        return lists.sum({...}, function(name) return r:metric(name) or 0 end)
    end
    local useful, rows = m "l1.useful_bytes", {}
    local reads, writes = SECTOR * m("l2.read_sectors", "l2.atomic_sectors"), SECTOR * m("l2.write_sectors",
        "l2.atomic_sectors")
    for _, step in ipairs {
        {"requested", m "l1.requested_bytes"}, {"requested, without repeats", useful},
        {"L1 sectors", SECTOR * m "l1.sectors", useful}, {"L1 hits", SECTOR * m("l1.hits", "l1.pending_hits")},
        {"network to L2", m "noc.request_bytes", m "noc.store_bytes"},
        {"network from L2", m "noc.reply_bytes", m "noc.load_bytes"},
        {"L2 reads", reads}, {"L2 writes", writes}, {"L2 total", reads + writes, m "l2.useful_bytes"},
        {"DRAM reads", m "dram.read_bytes"}, {"DRAM writes", m "dram.write_bytes"},
        {"DRAM total", m("dram.read_bytes", "dram.write_bytes"), m "dram.useful_bytes"},
        {"dirty in L2 at the end", m "l2.dirty_bytes"},
    } do
        local what, moved, part = table.unpack(step)
        rows[#rows + 1] = moved > 0 and {what, number.count(moved), part and number.count(part),
            part and number.percent(number.share(part, moved)), number.short(moved / r.launch.cycles)} or nil
    end
    return rows
end

local function levels(r, several)
    local title = several and "Levels of memory: " .. r.name or "Levels of memory"
    local rows = steps(r)
    return #rows > 0 and e("figure", e("figcaption", e("h3", title), e("p", {class = "about"},
        "Bytes on the way from the lanes to DRAM and back. An arrow is as thick as its bytes, the colour of a box " ..
        "as high as its share of the peak.")), flow(r),
        html.behind(title, {"step", "bytes", "useful", "share", "bytes/cycle"}, rows))
end

-- ---- by buffer ----

-- Buffers by what they moved, the most first.
local function sorted(traffic)
    local list = {}
    for name, t in pairs(traffic) do
        list[#list + 1] = {name = name, t = t, l1 = SECTOR * t.sectors,
            l2 = SECTOR * (t.l2_read_sectors + t.l2_write_sectors), dram = t.dram_read_bytes + t.dram_write_bytes}
    end
    table.sort(list, function(a, b)
        if a.l1 + a.l2 + a.dram ~= b.l1 + b.l2 + b.dram then
            return a.l1 + a.l2 + a.dram > b.l1 + b.l2 + b.dram
        end
        return a.name < b.name
    end)
    return list
end

local function buffer_row(b)
    local t = b.t
    local function share(part, all)
        return number.percent(number.share(part, all))
    end
    return {b.name, number.count(t.requests), t.requests > 0 and ("%.2f"):format(t.sectors / t.requests) or "-",
        share(t.useful_bytes, b.l1), share(t.l1_hits, t.sectors), number.count(b.l2), share(t.l2_useful_bytes, b.l2),
        share(t.l2_hits, t.l2_read_sectors), number.count(b.dram), share(t.dram_useful_bytes, b.dram)}
end

local LEVELS <const> = {{"l1", "L1"}, {"l2", "L2"}, {"dram", "DRAM"}}

local function buffers(r, several, id)
    local list = sorted(r.launch.traffic or {})
    local bars, series, named = {}, {}, {}
    for i, b in ipairs(list) do
        local name = (i < SHOWN or #list == SHOWN) and b.name or "others"
        series[#series + 1] = not named[name] and name or nil
        named[name] = true
        for _, level in ipairs(LEVELS) do
            bars[#bars + 1] = {label = level[2], series = name, value = b[level[1]]}
        end
    end
    local title = several and "Bytes by buffer: " .. r.name or "Bytes by buffer"
    local first = list[1]
    return first and html.figure {
        id = id, title = title,
        about = "Bytes of the sectors that each level read and wrote, by the buffer that they belong to.",
        alt = ("%s moves the most: %s in L1, %s in L2, %s in DRAM."):format(first.name, number.bytes(first.l1),
            number.bytes(first.l2), number.bytes(first.dram)),
        data = {kind = "bars", rows = bars, series = series, label = "bytes", unit = "B", stacked = true},
        heads = {"buffer", "requests", "sectors each", "useful", "L1 hits", "L2 bytes", "L2 useful",
            "L2 hits", "DRAM bytes", "DRAM useful"},
        rows = lists.map(list, buffer_row),
    }
end

function memory.section(runs)
    local timed = lists.map(runs, function(r) return r.launch.metrics and r or nil end)
    local parts = {}
    for i, r in ipairs(timed) do
        lists.append(parts, {levels(r, #runs > 1) or "", buffers(r, #runs > 1, "buffers-" .. i) or ""})
    end
    return #timed > 0 and html.section("memory", "Memory traffic", parts)
end

return memory
