-- Bandwidth and latency of a board's memory by pattern and by load, and where its time goes
--
-- Requests of one channel go through its controller alone (context:replay_trace): no SM, cache or network shapes them.
local heddle = require "heddle"
local board = require "heddle.kit.board"
local lists = require "heddle.kit.lists"
local options = require "heddle.kit.options"
local page = require "heddle.kit.page"
local patterns = require "heddle.memory.patterns"
local progress = require "heddle.kit.progress"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local NAME <const> = "heddle study memory"
local SHARES <const> = {0, 0.25, 0.5, 0.75, 0.9, 1}
local CHANNELS <const> = {1, 2, 4, 8}
local RATES <const> = {0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95}

local option = options.parse {
    name = NAME, args = {...},
    summary = "Puts patterns of requests through the DRAM of a board, or of memory devices, one channel alone:\n" ..
        "bandwidth and the parts of the time that add up to its peak, then the latency of reads by load.",
    rows = {
        {heading = "Memory"},
        {"board", default = "v100"}, "set",
        {name = "device", value = "NAME,...", doc = "memory devices instead of a board, or all (heddle board devices)"},
        {name = "requests", value = "N", kind = "integer", low = 100, high = 1000000, default = 8000,
            doc = "requests of a pattern, bursts"},
        {heading = "What is printed and written"},
        "markdown", "csv", "plot", "html", "json",
    },
}

-- The part of a device, or the board, as the memory of the context.
local function choose(ctx, name)
    if not option.device then
        return board.read(ctx, name, option.set)
    end
    local own = {
        ["dram.device"] = name, ["dram.stacks"] = 1, ["dram.channels"] = 2, ["l2.slices"] = 2, ["l2.bytes"] = 0,
        ["dram.energy"] = "commands",
    }
    local _, _, problem = study.attempt(ctx.board, ctx, nil, own)
    if problem then
        study.refuse("--device: there is no memory device '%s'; 'heddle board devices' lists them", name)
    end
end

local function devices()
    if option.device == "all" then
        return heddle.devices()
    end
    local names = {}
    for name in (option.device or option.board):gmatch "[^,]+" do
        names[#names + 1] = name
    end
    return names
end

local function measured(ctx, name, text, open, channels)
    local m = ctx:replay_trace(text, {name = name, channels = channels or 1, open = open})
    local parts = {}
    for part, p in pairs(m.parts) do
        parts[part] = p.percent
    end
    return {
        gbs = m.gbs, share = m.gbs / m.peak_gbs, row_hits = m.row_hit_percent / 100, parts = parts,
        latency = m.latency_mean, latency_99 = m.latency_99, peak_gbs = m.peak_gbs, pj_bit = m.picojoules_bit,
    }
end

-- Measures reads by the share that continues in a row, then lines at random over several channels.
local function measure_hits(ctx, memory, found, line)
    for _, share in ipairs(SHARES) do
        line.step(("%s, %g of rows continued"):format(found.name, share))
        local m = measured(ctx, "hits", patterns.hits(memory, share, option.requests))
        table.insert(found.hits, lists.merge(m, {continued = share}))
    end
    for _, count in ipairs(CHANNELS) do
        line.step(("%s, %s"):format(found.name, report.plural(count, "channel")))
        for _, pattern in ipairs(patterns.list) do
            if pattern.name == "stream" or pattern.name == "lines" or pattern.name == "random" then
                local m = measured(ctx, pattern.name, pattern.text(memory, option.requests), false, count)
                table.insert(found.channels, lists.merge(m, {pattern = pattern.name, channels = count}))
            end
        end
    end
end

-- Measures every pattern in a closed loop, and two of them at rising rates, on one memory.
local function measure(name, line)
    local ctx <close> = heddle.new()
    choose(ctx, name)
    local memory, found = patterns.memory(ctx), {name = name, patterns = {}, loads = {}, hits = {}, channels = {}}
    for i, pattern in ipairs(patterns.list) do
        line.step(name .. ", " .. pattern.name)
        local m = measured(ctx, pattern.name, pattern.text(memory, option.requests))
        found.patterns[i] = lists.merge(m, {name = pattern.name, doc = pattern.doc})
        found.peak_gbs = m.peak_gbs
    end
    for _, kind in ipairs {"stream", "random"} do
        for _, rate in ipairs(RATES) do
            line.step(("%s, %s at %g of the peak"):format(name, kind, rate))
            local m = measured(ctx, kind, patterns.load(memory, kind, rate, option.requests), true)
            table.insert(found.loads, lists.merge(m, {pattern = kind, rate = rate}))
        end
    end
    measure_hits(ctx, memory, found, line)
    return found
end

local function percent(part)
    return function(row) return row.parts[part] / 100 end
end

local function show(out, found)
    out:title(("%s: a channel of %s GB/s"):format(found.name, report.short(found.peak_gbs)))
    out:put(report.columns(found.patterns, {
        {"pattern", "name"}, {"GB/s", "gbs"}, {"of peak", "share", report.percent},
        {"row hits", "row_hits", report.percent},
        {"turns", percent "turn", report.percent}, {"refresh", percent "refresh", report.percent},
        {"conflicts", percent "conflict", report.percent}, {"activates", percent "activate", report.percent},
        {"groups", percent "column", report.percent}, {"idle", percent "idle", report.percent},
        {"pJ/bit", "pj_bit"},
    }))
    out:say "Latency of reads, ns, by the rate at which they arrive, of the peak:"
    out:put(report.columns(found.loads, {
        {"pattern", "pattern"}, {"rate", "rate", report.percent}, {"moved", "share", report.percent},
        {"mean", "latency"}, {"99 %", "latency_99"},
    }))
    out:say "Reads by the share that continues in the row of the one before:"
    out:put(report.columns(found.hits, {
        {"continued", "continued", report.percent}, {"GB/s", "gbs"}, {"of peak", "share", report.percent},
        {"row hits", "row_hits", report.percent}, {"conflicts", percent "conflict", report.percent},
        {"activates", percent "activate", report.percent},
    }))
    out:say "The same requests over several channels:"
    out:put(report.columns(found.channels, {
        {"pattern", "pattern"}, {"channels", "channels"}, {"GB/s", "gbs"}, {"of peak", "share", report.percent},
        {"idle", percent "idle", report.percent},
    }))
    for _, into in ipairs(out:drawn()) do
        local series = {}
        for _, kind in ipairs {"stream", "random"} do
            local points = {}
            for _, load in ipairs(found.loads) do
                points[#points + 1] = load.pattern == kind and {100 * load.share, load.latency} or nil
            end
            series[#series + 1] = {kind, points}
        end
        into:lines {id = "load-" .. found.name:gsub("[^%w]", "-"), title = "Loaded latency of " .. found.name,
            x = "of the peak, %", y = "latency, ns", series = series}
        into:lines {id = "hits-" .. found.name:gsub("[^%w]", "-"), title = "Rows continued, " .. found.name,
            x = "continued, %", y = "of the peak, %", series = {{"reads", lists.map(found.hits, function(m)
                return {100 * m.continued, 100 * m.share}
            end)}}}
    end
end

-- Several memories beside each other: shares of their peaks.
local function compare(out, all)
    local columns = {{"memory", "name"}, {"GB/s", "peak_gbs"}}
    for i, pattern in ipairs(patterns.list) do
        columns[#columns + 1] = {pattern.name, function(found) return found.patterns[i].share end, report.percent}
    end
    columns[#columns + 1] = {"ns", function(found) return found.loads[#RATES + 1].latency end}
    out:title "Share of the peak by pattern, and ns of a random read at a tenth of the load"
    out:put(report.columns(all, columns))
end

return study.main(NAME, function()
    study.outputs(option)
    local names, all = devices(), {}
    local line = progress.begin(#names * (#patterns.list + 2 * #RATES + #SHARES + #CHANNELS))
    for i, name in ipairs(names) do
        all[i] = measure(name, line)
    end
    local out = page.new(option)
    if #all > 1 then
        compare(out, all)
    end
    for _, found in ipairs(#all <= 4 and all or {}) do
        show(out, found)
    end
    return study.finish("memory", option, {requests = option.requests, memories = heddle.array(all)}, true)
end, option)
