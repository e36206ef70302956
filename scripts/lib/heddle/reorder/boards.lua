-- heddle study reorder --board: measures on boards, judges the claims, and prints both.
local heddle = require "heddle"
local board = require "heddle.kit.board"
local claims = require "heddle.reorder.claims"
local clock = require "heddle.reorder.clock"
local lists = require "heddle.kit.lists"
local measure = require "heddle.reorder.measure"
local page = require "heddle.kit.page"
local report = require "heddle.kit.report"
local show = require "heddle.claims.show"
local study = require "heddle.kit.study"

local ALL <const> = {"v100", "a100", "h100", "br100", "teach32"} -- of --board all

-- ---- tables ----

local function print_tables(out, at, m)
    local assumed = lists.map({"instruction", "register", "alu", "fma", "xlane", "shared"}, function(event)
        return m.board.basis["energy." .. event] == "assumed" and event or nil
    end)
    out:say("Cycles per reorder: by a single warp, as predicted, and with addresses computed for each; in a row by " ..
        "the same warp; at full occupancy, and with addresses. Then, per reorder at full occupancy, instructions, " ..
        "passes of shared memory and energy, and the shared memory of a warp (two tiles).%s",
        #assumed > 0 and " Assumed energies: " .. table.concat(assumed, ", ") .. "." or "")
    out:put(report.columns(at.methods, {{"method", "name"}, {"alone", "latency"}, {"predicted", "predicted"},
        {"+addr.", "latency_unhoisted"}, {"in a row", "in_a_row"}, {"full SM", "full"}, {"+addr.", "full_unhoisted"},
        {"instr.", "instructions"}, {"passes", "passes"}, {"nJ", "energy_nj"}, {"+addr.", "energy_unhoisted_nj"},
        {"bytes", "shared_bytes"}}))
    if #at.fft > 0 then
        local whole = at.fft[1].cycles_board
        out:say("Cycles of an SM per FFT of %d real samples at full occupancy of one SM, and instructions: with " ..
            "roots of unity loaded for each frame, and kept in registers%s.", 2 * m.width,
            whole and "; on the whole board, one wave, cold caches" or "")
        out:put(report.columns(at.fft, {{"method", "name"}, {"loaded", "cycles"}, {"instructions", "instructions"},
            {"nJ", "energy_nj"}, {"kept", "cycles_kept"}, {"instructions", "instructions_kept"},
            whole and {"whole board", "cycles_board"} or nil}))
        if whole then
            out:say("The whole board with %s: %s", at.fft[1].name, at.fft[1].limiter)
        end
    end
end

-- ---- a board ----

local function print_head(out, m)
    local v, b = m.board.values, m.board
    local title = ("Board %s, W = %d"):format(b.name, m.width)
    if out.markdown then
        out:title(title)
    end
    out:about(title)
    out:say("Board %s, one SM of %d; W = %d%s; a full SM has %s of %d warps%s.", b.name, v.sms, m.width,
        m.width == v.warp_width and "" or (" instead of the board's %d"):format(v.warp_width),
        report.plural(m.blocks, "block"), m.warps, board.changes(b.set))
end

-- Measurements at one width of one board, with the verdicts, if all methods were.
local function at_width(m, option)
    local at = measure.at(m, option.method, option.whole)
    if option.method == "all" then
        at.claims = claims.judge(at)
        if not option.brief then
            local turns = measure.crossovers(m, at)
            at.map, turns.transit = measure.map(m, at)
            at.claims = claims.judge(at, {transit = turns.transit, ["energy.transit1"] = turns["energy.transit1"]})
            for _, v in ipairs(at.claims) do
                v.turns, v.crossovers = turns[v.id], turns[v.id]
            end
        end
    end
    return at
end

local function print_board(out, at, m, option)
    local details = option.details or option.markdown
    print_head(out, m)
    for _, reason in ipairs(report.by_reason(at.skipped)) do
        out:say("%s cannot run: %s.", reason[2], reason[1])
    end
    if at.claims then
        show.verdicts(out, at.claims, claims.metrics, ("%s, W = %d"):format(m.board.name, m.width))
        out:say("Kept, recomputed: addresses, lane numbers and predicates, once or for each reorder; naive rival: " ..
            "shared memory as in the prior art; others: variants of the board.")
    end
    if details or not at.claims then
        if at.claims then
            show.details(out, at.claims, claims.metrics, option.details)
            local settings = lists.map(at.variants, function(v)
                local changes = board.changes(v.settings):sub(#"; changed: " + 1)
                return changes ~= "" and v.name .. ": " .. changes or nil
            end)
            out:say("Variants of the board, all assumed: %s.", table.concat(settings, "; "))
        end
        if at.map then
            out:say("The latency.xext with which one reorder by transit1 is faster, by latency.xpush (here %d and %d).",
                m.board.values["latency.xext"], m.board.values["latency.xpush"])
            show.map(out, at.map)
        end
        print_tables(out, at, m)
    end
end

local function widths_of(b, option)
    return option.warp == "all" and {8, 16, 32, 64} or {math.tointeger(option.warp or b.values.warp_width)}
end

-- The measurements at each width of a board, for JSON; `finished` is called after each.
local function measure_board(b, option, line, finished)
    local entry = {board = b.name, settings = b.set, sms = b.values.sms, warps = {}}
    for k, width in ipairs(widths_of(b, option)) do
        local m = clock.new(b, width, {threads = option.threads, line = line})
        entry.warps[k] = at_width(m, option)
        finished(entry.warps[k], m)
    end
    return entry
end

-- The verdicts on all boards, at each of their widths.
local function print_matrix(out, entries)
    local places = {}
    for _, entry in ipairs(entries) do
        lists.append(places, lists.map(entry.warps, function(at)
            return {#entry.warps == 1 and entry.board or ("%s, W = %d"):format(entry.board, at.warp), at.claims}
        end))
    end
    show.matrix(out, places)
end

-- The study with --board, from its name and options; returns the results.
local function run(name, option)
    local entries, later = {}, {}
    local boards = lists.map(option.board == "all" and ALL or {option.board}, function(board_name)
        return board.read(heddle.new(), board_name, option.set)
    end)
    local out, line = page.new(option), study.progress()
    for _, b in ipairs(boards) do
        for _, width in ipairs(widths_of(b, option)) do
            line.expect(measure.work(b, width, option.method, option.brief))
        end
    end
    if not option.markdown then
        study.print(name)
    end
    for i, b in ipairs(boards) do
        entries[i] = measure_board(b, option, line, function(at, m)
            if option.markdown then -- the table of all boards is first
                later[#later + 1] = {at, m}
            else
                print_board(out, at, m, option)
            end
        end)
    end
    print_matrix(out, entries)
    for _, finished in ipairs(later) do
        print_board(out, finished[1], finished[2], option)
    end
    if not (option.details or option.markdown) then
        study.print "\n  --details: reasons, crossovers and all that was measured"
    end
    return study.finish("reorder", option, {boards = entries}, true)
end

return {run = run}
