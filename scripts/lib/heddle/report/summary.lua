-- Summary of a page: the slow parts, the bound, what to try.
local html = require "heddle.report.html"
local lists = require "heddle.kit.lists"
local number = require "heddle.report.number"
local source = require "heddle.report.source"

local summary = {}

local e = html.element

local function dims(d)
    return table.concat(d, "x", 1, d[3] > 1 and 3 or d[2] > 1 and 2 or 1)
end

-- "transpose on v100 with sms=4: grid 4x2, block 32x8, warp 32, cold caches"
local function launched(r)
    local l, keys = r.launch, {}
    for key, value in pairs(r.changed) do
        keys[#keys + 1] = ("%s=%s"):format(key, type(value) == "number" and ("%.14g"):format(value) or value)
    end
    table.sort(keys)
    return ("%s%s%s: grid %s, block %s, warp %d%s"):format(l.kernel, r.board and " on " .. r.board.name or "",
        #keys > 0 and " with " .. table.concat(keys, ", ") or "", dims(l.grid), dims(l.block), l.warp,
        l.caches and (", %s caches"):format(l.caches) or "")
end

-- Returns the bound of the launch: the sentence before the first ';'.
local function bound(r)
    return r.launch.limiter and r.launch.limiter:match "^[^;]*":gsub("%.$", "") .. "."
end

-- The first words of a page: a time, or what was executed.
local function figure_of(r)
    if r.launch.seconds then
        return number.small(r.launch.seconds, "s")
    end
    return number.plural(r.launch.warp_instructions, "warp-instruction")
end

local function facts(r)
    local l = r.launch
    local clock = l.cycles and r:board_value "clock_mhz"
    local overhead = l.overhead_cycles or 0
    return clock and ("%s cycles at %s MHz%s."):format(number.count(l.cycles), number.short(clock),
        overhead > 0 and (", and %s of launch overhead"):format(number.small(overhead / clock * 1e-6, "s")) or "") or
        ("%s of %s, %.2f of %d lanes in each. Without a board nothing is timed."):format(
            number.plural(l.warps, "warp"), number.plural(l.blocks, "block"), l.lanes_per_instruction, l.warp)
end

local function try(r, i)
    local l = r.launch
    local list = lists.map(l.advice, function(a)
        local where = a.line and e("a", {href = "#" .. source.anchor(i, a.file) .. a.line}, "line ", a.line)
        local text = where and a.text:gsub(" %(line %d+%)$", "") or a.text
        return a.gain >= 1.1 and e("li", text, where and " (", where, where and ")") or nil
    end)
    if #list > 0 then
        return {e("p", "Try:"), e("ol", list)}
    end
    return l.hint and e("p", l.hint) or nil
end

local function notes(r)
    local l, list = r.launch, {}
    local u = r.uncertainty
    if u then
        list[#list + 1] = e("p", ("%s to %s in %d draws of the board's %d values with a range: bound by %s."):format(
            number.small(u.seconds.low, "s"), number.small(u.seconds.high, "s"), u.draws, u.values,
            table.concat(lists.map(u.bounds, function(b) return ("%s in %d"):format(b.bound, b.draws) end), ", ")))
    end
    if r.fault then
        list[#list + 1] = e("p", {class = "bad"}, "The run ended with a fault: ", r.fault.message)
    end
    if l.inconsistency then
        list[#list + 1] = e("p", {class = "bad"}, "Counters do not add up: ", l.inconsistency)
    end
    if #r.launches > 1 then
        list[#list + 1] = e("p", ("This is launch %d of %d, the longest; together they took %s."):format(r.number,
            #r.launches, r.total and r.total.seconds and number.small(r.total.seconds, "s") or
            number.plural(r.total and r.total.warp_instructions or 0, "warp-instruction")))
    end
    return list
end

local function one(r, i, several)
    return e("div", {class = "answer"}, several and e("h2", r.name), e("p", {class = "launch"}, launched(r)),
        e("p", {class = "time"}, figure_of(r)), e("p", {class = "bound"}, bound(r) or ""),
        e("p", {class = "about"}, facts(r)), notes(r), try(r, i))
end

-- Summarises one run, or each of several side by side.
function summary.of(runs)
    return e("div", {class = "answers"}, lists.map(runs, function(r, i) return one(r, i, #runs > 1) end))
end

function summary.title(runs)
    local r = runs[1]
    return #runs == 1 and r.launch.kernel .. (r.board and " on " .. r.board.name or "") or
        table.concat(lists.map(runs, function(one_run) return one_run.name end), ", ")
end

return summary
