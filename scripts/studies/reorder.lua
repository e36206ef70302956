-- Separate the even and the odd elements of each run of 2W values, by every method
--
-- Every method runs on the whole input and is compared, element by element, with the definition; the warp-instructions
-- are compared with those of the method's row. With --board nothing is read: each method is timed on the board, and the
-- claims about it are judged.
local heddle = require "heddle"
local board = require "heddle.kit.board"
local claims = require "heddle.reorder.claims"
local clock = require "heddle.reorder.clock"
local energies = require "heddle.claims.energies"
local counts = require "heddle.reorder.counts"
local lists = require "heddle.kit.lists"
local measure = require "heddle.reorder.measure"
local methods = require "heddle.reorder.methods"
local options = require "heddle.kit.options"
local page = require "heddle.kit.page"
local report = require "heddle.kit.report"
local show = require "heddle.claims.show"
local signal = require "heddle.signal.input"
local study = require "heddle.kit.study"

local NAME = "heddle study reorder"

local option = options.parse {
    name = NAME, args = {...},
    summary = "Separates the even and the odd elements of each run of 2W values: every run becomes its W\n" ..
        "even-numbered values (from 0) followed by its W odd-numbered ones. A tail shorter than 2W is\n" ..
        "unchanged. With --board, measures the cost of each method there and judges the claims about it; with\n" ..
        "--in, too, times the methods on that input instead.",
    rows = {
        {heading = "Data"},
        signal.options[1],
        signal.options[2],
        {name = "to-f32", doc = "first round an input whose elements are not 4 bytes to fp32"},
        {name = "out", value = "FILE",
            doc = "write the result as .npy, of the input's shape and type; - is standard output"},
        {heading = "Method"},
        {"warp", choices = {"8", "16", "32", "64", "all"},
            doc = "warp width: 8, 16, 32, 64, or all (32, or the board's)"},
        {name = "method", value = "NAME", default = "all", choices = {"all", table.unpack(methods.names)},
            doc = "one method, or all"},
        {name = "source", value = "METHOD", choices = methods.names, doc = "print the timed program"},
        {heading = "Board"},
        {"board", offers = {"all"}, doc = "measure time and energy on a board, a .yaml file, or all boards"},
        {"set", with = "board"}, "uncertainty", "threads",
        {name = "whole", with = "board", doc = "also the FFT on the whole board, which takes a while"},
        {heading = "What is printed and written"},
        {"details", with = "board", doc = "reasons, crossovers and all that was measured"},
        {"brief", with = "board", doc = "search no crossovers; with --whole only FFTs with a reorder, and the first"},
        {"markdown", with = "board", doc = "print Markdown, as in docs/claims/reorder.md"},
        {"plot", with = "board"}, "csv", "html", "json",
    },
    notes = ("Methods: %s.\nControls, with --board: %s."):format(
        table.concat(report.wrap(table.concat(counts.names, ", "), 90), "\n  "), table.concat(counts.controls, ", ")),
}

local function about_tail(tail)
    if tail == 0 then
        return ""
    end
    return ("; the last %s, less than a run, %s unchanged"):format(report.plural(tail, "value"),
        tail == 1 and "is" or "are")
end

-- The results at one width, and the bytes of the output.
local function at_width(out, ctx, input, width)
    local bytes = input:bytes()
    local runs = input.count // (2 * width)
    local tail = input.count - runs * 2 * width
    study.print(("\n  W = %d: %s of %d values%s"):format(width, report.plural(runs, "run"), 2 * width,
        about_tail(tail)))
    local body = bytes:sub(1, 8 * width * runs)
    local want = methods.reference(body, width)
    ctx:buffer("src", "u32", 2 * width * runs, body)
    local found = {}
    for _, method in ipairs(counts.names) do
        if option.method == "all" or option.method == method then
            found[#found + 1] = counts.measure(ctx, method, width, runs, want)
        end
    end
    if runs > 0 then
        study.print "  warp-instructions per run, measured/predicted; the total excludes global accesses and set-up"
        out:about(("W = %d"):format(width))
        counts.print(out, found)
    end
    return {warp = width, runs = runs, tail = tail, methods = found}, want .. bytes:sub(#body + 1)
end

-- Reports failed checks; returns whether there are none.
local function judge(all)
    local good = true
    for _, at in ipairs(all) do
        for _, f in ipairs(at.methods) do
            local wrong = not f.verified and f.difference or not f.as_predicted and "not the predicted instructions"
            if wrong then
                study.complain(("%s: W = %d, %s: %s"):format(NAME, at.warp, f.name, wrong))
                good = false
            end
        end
    end
    return good
end

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
        out:say("Cycles of an SM per FFT of %d real samples at full occupancy of one SM, and instructions: with " ..
            "roots of unity loaded for each frame, and kept in registers.", 2 * m.width)
        out:put(report.columns(at.fft, {{"method", "name"}, {"loaded", "cycles"}, {"instructions", "instructions"},
            {"nJ", "energy_nj"}, {"kept", "cycles_kept"}, {"instructions", "instructions_kept"}}))
    end
end

local function print_whole(out, at, m)
    out:say("Cycles of an SM per FFT of %d real samples, roots kept: on one SM, which has all of L2 and DRAM, and " ..
        "on the whole board until all is written back, with cold caches and with L2 as the same launch left it; and " ..
        "the share of the cold time that DRAM is busy. Share: what the reorder adds to the 8-byte load, of the " ..
        "whole FFT.", 2 * m.width)
    out:put(report.columns(at.whole, {{"FFT", "name"}, {"one SM", "cycles"}, {"share", "share", report.percent},
        {"whole board", "cycles_board"}, {"share", "share_board", report.percent}, {"L2 warm", "cycles_warm"},
        {"share", "share_warm", report.percent}, {"DRAM busy", "dram_board", report.percent}}))
end

-- The shares on several boards, and where DRAM decides.
local function print_shares(out, entries)
    local rows = {}
    for _, entry in ipairs(#entries > 1 and entries or {}) do
        for _, at in ipairs(entry.warps) do
            lists.append(rows, lists.map(at.whole or {}, function(row)
                return row.share and lists.merge(row, {board = entry.board, warp = at.warp,
                    bound_board = report.bound(row.limiter_board), bound_warm = report.bound(row.limiter_warm)}) or nil
            end))
        end
    end
    if #rows > 0 then
        out:say("Share of a reorder in a whole FFT of 2W real samples, roots kept: what it adds to the 8-byte load, " ..
            "on one SM, and on the whole board until all is written back, with cold caches and with L2 warm. DRAM: " ..
            "the share of that time that it is busy.")
        out:put(report.columns(rows, {{"board", "board"}, {"W", "warp"}, {"reorder", "name"},
            {"one SM", "share", report.percent}, {"whole board", "share_board", report.percent},
            {"DRAM", "dram_board", report.percent}, {"bound by", "bound_board"},
            {"L2 warm", "share_warm", report.percent}, {"DRAM", "dram_warm", report.percent},
            {"bound by", "bound_warm"}}))
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
local function at_board(m)
    local at = measure.at(m, option.method, option.whole, option.brief)
    if option.method == "all" then
        local ranges = energies.ranges(m.board)
        at.claims = claims.judge(at, nil, ranges)
        if not option.brief then
            local turns = measure.crossovers(m, at)
            at.map, turns.transit = measure.map(m, at)
            at.claims = claims.judge(at, {transit = turns.transit}, ranges)
            for _, v in ipairs(at.claims) do
                v.turns, v.crossovers = turns[v.id], turns[v.id]
            end
        end
    end
    return at
end

local function print_board(out, at, m)
    local details = option.details or option.markdown
    print_head(out, m)
    for _, reason in ipairs(report.by_reason(at.skipped)) do
        out:say("%s cannot run: %s.", reason[2], reason[1])
    end
    if at.claims then
        show.verdicts(out, at.claims, claims.metrics, ("%s, W = %d"):format(m.board.name, m.width))
        out:say "Kept, recomputed: addresses, lane numbers and predicates, once or for each reorder."
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
    if at.whole then
        print_whole(out, at, m)
    end
end

local function widths_of(b)
    return option.warp == "all" and {8, 16, 32, 64} or {math.tointeger(option.warp or b.values.warp_width)}
end

-- The measurements at each width of a board, for JSON; `finished` is called after each.
local function measure_board(b, line, finished)
    local entry = {board = b.name, settings = b.set, sms = b.values.sms, warps = {}}
    for k, width in ipairs(widths_of(b)) do
        local m = clock.new(b, width, {threads = option.threads, line = line})
        entry.warps[k] = at_board(m)
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

-- The study with --board; returns the results.
local function run_boards()
    local entries, later = {}, {}
    local boards = lists.map(option.board == "all" and board.ALL or {option.board}, function(board_name)
        return board.read(heddle.new(), board_name, option.set)
    end)
    local out, line = page.new(option), study.progress()
    for _, b in ipairs(boards) do
        for _, width in ipairs(widths_of(b)) do
            line.expect(measure.work(b, width, option))
        end
    end
    if not option.markdown then
        study.print(NAME)
    end
    for i, b in ipairs(boards) do
        entries[i] = measure_board(b, line, function(at, m)
            if option.markdown then -- the table of all boards is first
                later[#later + 1] = {at, m}
            else
                print_board(out, at, m)
            end
        end)
    end
    print_matrix(out, entries)
    print_shares(out, entries)
    for _, finished in ipairs(later) do
        print_board(out, finished[1], finished[2])
    end
    if not (option.details or option.markdown) then
        study.print "\n  --details: reasons, crossovers and all that was measured"
    end
    return study.finish("reorder", option, {boards = entries}, true)
end

-- ---- the study ----

-- Refuses options that exclude each other.
local function check_options()
    for _, name in ipairs(option.board and not option["in"] and {"out", "channel", "to-f32"} or {}) do
        if option[name] and not option.source then
            study.refuse("--%s: with --board it goes with --in; without, reorders are timed on data of their own", name)
        end
    end
    for _, name in ipairs(option.board and option["in"] and {"details", "brief", "whole", "markdown", "plot"} or {}) do
        if option[name] then
            study.refuse("--%s: it is of the claims, which are judged on data of their own: without --in", name)
        end
    end
    local known = option.method == "all" or lists.set(counts.names)[option.method]
    if not known and (not option.board or option["in"]) and not option.source then
        study.refuse("--method: %s is a control, which is measured on a board; name one with --board", option.method)
    end
end

-- The study of an input at these widths; returns the results.
local function run(widths)
    study.outputs(option, {"out", "json"}, {"in"})
    local ctx <close> = heddle.new()
    local b = option.board and board.read(ctx, option.board, option.set)
    local source = signal.read(ctx, "input", option["in"], signal.channel(option.channel))
    local input, note = ctx:get "input", nil
    if option["to-f32"] and not input.type:match "32$" then
        local shape = input.shape
        note = study.to_f32(ctx, "input", "rounded", input.count)
        input = ctx:buffer("input", "f32", shape, ctx:get("rounded"):bytes())
    end
    if not input.type:match "^[fiu]32$" then
        study.refuse("%s: elements of type %s; the reorder moves those of 4 bytes (f32, i32, u32)",
            source.path or "input", input.type)
    end
    signal.heading(NAME, source, note)
    if b then
        signal.board_line(b, "over all runs")
    end
    local all, sorted, out = {}, nil, page.new(option)
    for i, width in ipairs(widths) do
        if b then
            b:use {warp_width = width}
        end
        all[i], sorted = at_width(out, ctx, input, width)
    end
    local good = judge(all)
    if b then
        local measured = {}
        for _, at in ipairs(all) do
            lists.append(measured, at.methods)
        end
        signal.say_zeros(measured)
    end
    return study.finish("reorder", option, {
        board = b and b.name or nil, settings = b and b.set or nil,
        input = source.about, type = input.type, shape = heddle.array(input.shape), elements = input.count, warps = all,
    }, good, {option.out and {option.out, ctx:buffer("sorted", input.type, input.shape, sorted):npy(),
        ("%s[%s]"):format(input.type, table.concat(input.shape, ","))}})
end

return study.main(NAME, function()
    check_options()
    local of_board = option.board and option["in"] and not option.warp and not option.source and option.board ~= "all"
    local own = of_board and board.read(heddle.new(), option.board, option.set).values.warp_width
    local widths = option.warp == "all" and {8, 16, 32, 64} or {math.tointeger(own or option.warp or 32)}
    if option.source then
        for _, width in ipairs(widths) do
            study.write(methods.source(option.source, width, {count = 1, clock = true}))
        end
        return true
    elseif option.board == "all" and option["in"] then
        study.refuse "--board all: data of yours are timed on one board; name it"
    elseif option.board and not option["in"] then
        study.outputs(option)
        return run_boards()
    elseif option.out and #widths > 1 then
        study.refuse("--out: the result depends on the warp width; give one with --warp")
    end
    return run(widths)
end, option)
