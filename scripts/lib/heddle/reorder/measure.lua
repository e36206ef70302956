-- heddle study reorder --board: measures every method on boards, and judges the claims.
local heddle = require "heddle"
local board = require "heddle.kit.board"
local claims = require "heddle.reorder.claims"
local clock = require "heddle.reorder.clock"
local json = require "heddle.kit.json"
local methods = require "heddle.reorder.methods"
local page = require "heddle.kit.page"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local all_boards = {"v100", "a100", "h100", "br100", "teach32"} -- of --board all

-- The reorders that are put into the FFT; the first is no reorder but another load.
local in_fft = {"8-byte load", "transit1", "shuffle2", "shared-linear", "shared-vector", "shared-linear-block"}

-- ---- the predictions ----

-- Cycles through shared memory: store, store, barrier, load, load. The interval between accesses is that of the address
-- unit or of the passes, whichever is longer; a load completes with its last pass.
local function predict_shared(method, v, width, passes)
    local full = math.ceil(width / 32)
    local store = method.name == "shared-scatter-nopad" and width >= 32 and 2 * full or full
    local loads = method.name:find "vector" and 1 or 2
    local load = (passes - 2 * store) / loads
    local function pace(of)
        return math.max(v["lsu.address_cycles"], of * v["shared.pass_cycles"])
    end
    local wait = {warp = v["latency.bar.warp"], block = v["barrier.cycles"] + v["barrier.per_warp"]}
    local seen = method.barrier == "none" and pace(store) or -- the load follows at once
        v["shared.store_latency"] + (store - 1) * v["shared.pass_latency"] + wait[method.barrier]
    return pace(store) + seen + (loads - 1) * pace(load) + v["shared.latency"] + (load - 1) * v["shared.pass_latency"]
end

-- Cycles of one reorder alone, from the latencies of the board and the dependences: `i` is the issue interval of the
-- cross-lane unit, `a` that of the ALU. Nil where there is no formula.
local function predict(method, v, width, passes)
    local i, a = math.ceil(width / v["lanes.xlane"]), math.ceil(width / v["lanes.alu"])
    local shfl, sel, push, extract = v["latency.shfl"], v["latency.sel"], v["latency.xpush"], v["latency.xext"]
    local formulas = {
        transit1 = shfl + 3 * push + extract + i,
        transit2 = 2 * shfl + 3 * push + extract + i,
        shuffle2 = shfl + 2 * sel + math.max(i, a) + a,
        shuffle4 = shfl + sel + 3 * i,
        butterfly = math.tointeger(math.log(width, 2)) * (shfl + 2 * sel + a),
    }
    return method.words > 0 and predict_shared(method, v, width, passes) or formulas[method.name]
end

-- ---- measuring ----

local function measure_method(m, name)
    local method = methods.get(name, m.width)
    local kept, again = m:full(name), m:full(name, true)
    return {
        name = name, through = method.through, barrier = method.barrier, shared_bytes = 2 * 4 * method.words,
        latency = m:alone(name), latency_unhoisted = m:alone(name, true), in_a_row = m:in_a_row(name),
        in_a_row_block = method.barrier == "block" and m:in_a_row(name, m.warps) or nil,
        full = kept.cycles, full_unhoisted = again.cycles, instructions = kept.instructions,
        address_instructions = again.instructions - kept.instructions, passes = kept.passes, barriers = kept.barriers,
        warp_barriers = kept.warp_barriers, barrier_wait = kept.waiting, energy_nj = kept.energy,
        energy_unhoisted_nj = again.energy, warps_per_sm = kept.resident, blocks_by_shared = kept.by_shared,
        predicted = predict(method, m.board.values, m.width, kept.passes),
    }
end

-- All methods (or one) at one width: a list, the same by name, and the FFTs in the order of in_fft. The FFT on the
-- whole board takes longest, and runs only with `whole_board`.
local function measure(m, only, whole_board)
    local list, rows, into_fft = {}, {}, json.list {}
    for _, name in ipairs(methods.names) do
        if only == name or only == "all" and (name ~= "shared-scatter-nopad" or m.width >= 32) then
            local row = measure_method(m, name)
            list[#list + 1], rows[name] = row, row
        end
    end
    for _, name in ipairs(in_fft) do
        if only == "all" or rows[name] then
            local found, row = m:fft(name), rows[name] or {}
            local whole = whole_board and m:fft_board(name) or {}
            row.fft, rows[name] = found.cycles, row
            into_fft[#into_fft + 1] = {name = name, cycles = found.cycles, instructions = found.instructions,
                energy_nj = found.energy, cycles_board = whole.cycles, limiter = whole.limiter}
        end
    end
    return list, rows, into_fft
end

-- ---- printing ----

local function number(v)
    return v and report.short(v) or ""
end

local function print_times(out, list)
    local rows = {}
    for i, row in ipairs(list) do
        rows[i] = {row.name, number(row.latency), number(row.predicted), number(row.latency_unhoisted),
            number(row.in_a_row), number(row.full), number(row.full_unhoisted)}
    end
    out:say("Cycles per reorder: by a single warp, as predicted, and with addresses computed for each; in a row by " ..
        "the same warp; at full occupancy, and with addresses.")
    out:put({"method", "alone", "predicted", "+addresses", "in a row", "full SM", "+addresses"}, rows)
end

local function barriers(row)
    return row.barriers > 0 and number(row.barriers) .. " block" or
        row.warp_barriers > 0 and number(row.warp_barriers) .. " warp" or "none"
end

local function print_costs(out, list, basis)
    local rows, assumed = {}, {}
    for i, row in ipairs(list) do
        rows[i] = {row.name, number(row.instructions), number(row.address_instructions), number(row.passes),
            barriers(row), number(row.energy_nj), number(row.energy_unhoisted_nj), number(row.shared_bytes),
            row.shared_bytes > 0 and number(row.blocks_by_shared) or nil}
    end
    for _, event in ipairs {"instruction", "register", "alu", "fma", "xlane", "shared"} do
        if basis["energy." .. event] == "assumed" then
            assumed[#assumed + 1] = event
        end
    end
    out:say("Cost per reorder at full occupancy, shared memory of a warp (two tiles), and the blocks of an SM that " ..
        "this allows." ..
        (#assumed > 0 and " Assumed energies: " .. table.concat(assumed, ", ") .. "." or ""))
    out:put({"method", "instructions", "for addresses", "passes", "barrier", "nJ", "+addresses", "bytes", "blocks"},
        rows)
end

local function print_fft(out, m, list)
    local rows, whole = {}, #list > 0 and list[1].cycles_board
    for i, row in ipairs(list) do
        local more = 100 * (row.cycles / list[1].cycles - 1)
        rows[i] = {row.name, number(row.cycles), list[1].name == in_fft[1] and ("%+.1f %%"):format(more),
            number(row.instructions), number(row.energy_nj), whole and number(row.cycles_board)}
    end
    if #list > 0 then
        out:say("Cycles of an SM per FFT of %d real samples, at full occupancy of one SM, and their increase over " ..
            "the load that needs no reorder%s.", 2 * m.width,
            whole and "; on the whole board, one wave, cold caches" or "")
        out:put({"reorder", "one SM", "more", "instructions", "nJ", whole and "whole board"}, rows)
        if whole then
            out:say("The whole board with %s: %s", list[1].name, list[1].limiter)
        end
    end
end

-- The verdicts on all boards, at each of their widths.
local function print_matrix(out, entries)
    local places = {}
    for _, entry in ipairs(entries) do
        for _, at in ipairs(entry.warps) do
            local name = #entry.warps == 1 and entry.board or ("%s, W = %d"):format(entry.board, at.warp)
            places[#places + 1] = {name, at.claims}
        end
    end
    out:matrix(places)
end

local function print_head(out, b, m)
    local v = b.values
    if out.markdown then
        out:title(("%s, W = %d"):format(b.name, m.width))
    end
    out:say("Board %s, one SM of %d; W = %d%s; a full SM has %s of %d warps%s.", b.name, v.sms, m.width,
        m.width == v.warp_width and "" or (" instead of the board's %d"):format(v.warp_width),
        report.plural(m.blocks, "block"), m.warps, board.changes(b.set))
end

local function print_all(out, at, b, m, option)
    print_head(out, b, m)
    print_times(out, at.methods)
    if not option.brief then
        print_costs(out, at.methods, b.basis)
        print_fft(out, m, at.fft)
    end
    if at.claims then
        study.print()
        out:claims(at.claims, option.brief)
    end
end

-- ---- the study ----

-- The measurements on one board at one width, for JSON.
local function at_width(m, option)
    local list, rows, into_fft = measure(m, option.method, option.whole)
    return {
        warp = m.width, blocks = m.blocks, warps_of_a_block = m.warps, methods = list, fft = into_fft,
        claims = option.method == "all" and claims.judge(m, rows, not option.brief) or nil,
    }
end

-- The boards' measurements, each at its widths. `finished` is called after each.
local function measure_all(boards, option, finished)
    local entries = {}
    for i, b in ipairs(boards) do
        local widths = {b.values.warp_width}
        if option.warp then
            widths = option.warp == "all" and {8, 16, 32, 64} or {math.tointeger(option.warp)}
        end
        entries[i] = {board = b.name, settings = b.set, sms = b.values.sms, warps = {}}
        for k, width in ipairs(widths) do
            local m = clock.new(b, width)
            entries[i].warps[k] = at_width(m, option)
            finished(entries[i].warps[k], b, m)
        end
        b.ctx:close()
    end
    return entries
end

-- The study with --board, from its name and options; returns the results.
local function run(name, option)
    local boards, later = {}, {}
    for i, board_name in ipairs(option.board == "all" and all_boards or {option.board}) do
        boards[i] = board.read(heddle.new(), board_name, option.set)
    end
    local out = page.new(option.markdown)
    if not option.markdown then
        study.print(name)
    end
    local entries = measure_all(boards, option, function(at, b, m)
        if option.markdown then -- the table of all boards comes first
            later[#later + 1] = {at, b, m}
        else
            print_all(out, at, b, m, option)
        end
    end)
    print_matrix(out, entries)
    for _, finished in ipairs(later) do
        print_all(out, finished[1], finished[2], finished[3], option)
    end
    local result = {study = "reorder", version = heddle.version, boards = entries}
    if option.json then
        study.output {{option.json, json.encode(result)}}
    end
    return result
end

return {run = run}
