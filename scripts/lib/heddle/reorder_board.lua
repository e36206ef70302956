-- heddle study reorder --board: measures every method on boards, and says what becomes of the claims.
local heddle = require "heddle"
local board = require "heddle.board"
local claims = require "heddle.reorder_claims"
local clock = require "heddle.reorder_clock"
local json = require "heddle.json"
local reorder = require "heddle.reorder"
local report = require "heddle.report"
local study = require "heddle.study"

local all_boards = {"v100", "a100", "h100", "br100", "teach32"} -- what --board all means

local WIDE = 118 -- characters of a line of words

-- The reorders that are put into the FFT; the first is no reorder but another load.
local in_fft = {"8-byte load", "transit1", "shuffle2", "shared-linear", "shared-vector", "shared-linear-block"}

-- ---- the predictions ----

-- Cycles of one reorder alone, from the latencies of the board and what waits for what: `i` is the time between two
-- instructions of the cross-lane unit, `a` between two of the ALU. Through memory: store, barrier, load and two more
-- accesses behind one another, `conflicts` passes more than accesses. Nil where there is no formula.
local function predict(method, v, width, conflicts)
    local i, a = math.ceil(width / v["lanes.xlane"]), math.ceil(width / v["lanes.alu"])
    local shfl, sel, push, extract = v["latency.shfl"], v["latency.sel"], v["latency.xpush"], v["latency.xext"]
    if method.through == "shared memory" then
        local wait = {none = 0, warp = v["latency.barw"], block = v["barrier.cycles"] + v["barrier.per_warp"]}
        local store = method.barrier == "none" and 0 or v["shared.store_latency"]
        return store + wait[method.barrier] + v["shared.latency"] + conflicts * v["shared.pass_latency"] + 2
    end
    local formulas = {
        transit1 = shfl + 3 * push + extract + i,
        transit2 = 2 * shfl + 3 * push + extract + i,
        shuffle2 = shfl + 2 * sel + math.max(i, a) + a,
        shuffle4 = shfl + sel + 3 * i,
        butterfly = math.tointeger(math.log(width, 2)) * (shfl + 2 * sel + a),
    }
    return formulas[method.name]
end

-- ---- measuring ----

local function measure_method(m, name)
    local method = reorder.method(name, m.width)
    local kept, again = m:full(name), m:full(name, true)
    return {
        name = name, through = method.through, barrier = method.barrier, shared_bytes = 4 * method.words,
        latency = m:alone(name), latency_unhoisted = m:alone(name, true), in_a_row = m:in_a_row(name),
        latency_block = method.barrier == "block" and m:alone(name, false, m.warps) or nil,
        full = kept.cycles, full_unhoisted = again.cycles, instructions = kept.instructions,
        address_instructions = again.instructions - kept.instructions, passes = kept.passes, barriers = kept.barriers,
        warp_barriers = kept.warp_barriers, barrier_wait = kept.waiting, energy_nj = kept.energy,
        energy_unhoisted_nj = again.energy, warps_per_sm = kept.resident, blocks_by_shared = kept.by_shared,
        predicted = predict(method, m.board.values, m.width, kept.passes - kept.accesses), verified = true,
    }
end

-- All methods (or one) at one width: rows in order, and by name.
local function measure(m, only)
    local list, rows = {}, {}
    for _, name in ipairs(reorder.names) do
        if only == name or only == "all" and (name ~= "shared-scatter-nopad" or m.width >= 32) then
            local row = measure_method(m, name)
            list[#list + 1], rows[name] = row, row
        end
    end
    for _, name in ipairs(in_fft) do
        if only == "all" or rows[name] then
            local row, found = rows[name] or {name = name}, m:fft(name)
            row.fft, row.fft_instructions, row.fft_energy_nj = found.cycles, found.instructions, found.energy
            rows[name] = row
        end
    end
    return list, rows
end

-- ---- printing ----

local function number(v)
    return v and ("%.4g"):format(v) or ""
end

-- Words in lines, indented.
local function wrap(text, indent)
    local line, out = indent, {}
    for word in text:gmatch "%S+" do
        if #line + #word + 1 > WIDE and line ~= indent then
            out[#out + 1], line = line, indent
        end
        line = line == indent and indent .. word or line .. " " .. word
    end
    out[#out + 1] = line
    study.print(table.concat(out, "\n"))
end

local function print_times(list)
    local rows = {}
    for i, row in ipairs(list) do
        rows[i] = {row.name, number(row.latency), number(row.predicted), number(row.latency_unhoisted),
            number(row.in_a_row), number(row.full), number(row.full_unhoisted)}
    end
    study.print("  cycles for one reorder: alone, as predicted, and with addresses computed for it; behind another" ..
        "\n  by the same warp; on a full SM, and with addresses\n")
    study.write(report.table({"method", "alone", "predicted", "+addresses", "in a row", "full SM", "+addresses"}, rows,
        {right = {false, true, true, true, true, true, true}}))
end

local function barriers(row)
    return row.barriers > 0 and number(row.barriers) .. " block" or
        row.warp_barriers > 0 and number(row.warp_barriers) .. " warp" or "."
end

local function print_costs(list, basis)
    local rows, assumed = {}, {}
    for i, row in ipairs(list) do
        rows[i] = {row.name, number(row.instructions), number(row.address_instructions), number(row.passes),
            barriers(row), number(row.energy_nj), number(row.energy_unhoisted_nj), number(row.shared_bytes),
            number(row.blocks_by_shared), number(row.warps_per_sm)}
    end
    for _, event in ipairs {"instruction", "register", "alu", "fma", "xlane", "shared"} do
        if basis["energy." .. event] == "assumed" then
            assumed[#assumed + 1] = event
        end
    end
    study.print("\n  each reorder on a full SM; shared bytes of a warp, blocks and warps that an SM holds with them\n")
    study.write(report.table({"method", "instr.", "address", "passes", "barrier", "nJ", "+addresses", "bytes", "blocks",
        "warps"}, rows, {right = {false, true, true, true, true, true, true, true, true, true}}))
    if #assumed > 0 then
        wrap("energies of these events are assumed: " .. table.concat(assumed, ", "), "  ")
    end
end

local function print_fft(m, rows)
    local lines, without = {}, rows["8-byte load"] and rows["8-byte load"].fft
    for _, name in ipairs(in_fft) do
        local row = rows[name]
        if row and row.fft then
            lines[#lines + 1] = {name, number(row.fft), number(row.fft_instructions), number(row.fft_energy_nj),
                without and ("%+.1f %%"):format(100 * (row.fft / without - 1)) or ""}
        end
    end
    if #lines > 0 then
        study.print(("\n  a real FFT of %d samples with the reorder in it, full SM; beside the one that needs none\n")
            :format(2 * m.width))
        study.write(report.table({"reorder", "cycles", "instr.", "nJ", "against 8-byte load"}, lines,
            {right = {false, true, true, true, true}}))
    end
end

local function print_claims(list, brief)
    study.print "\n  what becomes of the claims"
    for _, claim in ipairs(list) do
        wrap(("%s: %s"):format(claim.claim, claim.verdict:upper()), "  - ")
        if not brief then
            wrap(claim.text, "      ")
        end
    end
end

local function print_head(b, m)
    local v = b.values
    study.print(("\n  board %s, one SM of %d; W = %d%s; full: %d blocks of %d warps"):format(b.name, v.sms, m.width,
        m.width == v.warp_width and "" or (" instead of the board's %d"):format(v.warp_width), m.blocks, m.warps))
    local changed = {}
    for key, value in pairs(b.set) do
        changed[#changed + 1] = key .. "=" .. value
    end
    if #changed > 0 then
        table.sort(changed)
        study.print("  changed: " .. table.concat(changed, ", "))
    end
    study.print()
end

-- One board at one width: what was measured, as JSON has it.
local function at_width(b, width, option)
    local m = clock.new(b, width)
    print_head(b, m)
    local list, rows = measure(m, option.method)
    print_times(list)
    if not option.brief then
        print_costs(list, b.basis)
        print_fft(m, rows)
    end
    local found = {warp = width, blocks = m.blocks, warps_of_a_block = m.warps, methods = list, fft = {}}
    for _, name in ipairs(in_fft) do
        if rows[name] then
            found.fft[name] = rows[name].fft
        end
    end
    if option.method == "all" then
        found.claims = claims.judge(m, rows)
        print_claims(found.claims, option.brief)
    end
    return found
end

-- The study with --board: its options in, what was found out.
local function run(name, option)
    local names, boards = option.board == "all" and all_boards or {option.board}, {}
    study.print(name)
    for i, board_name in ipairs(names) do
        local ctx <close> = heddle.new()
        local b = board.read(ctx, board_name, option.set)
        local widths = {b.values.warp_width}
        if option.warp then
            widths = option.warp == "all" and {8, 16, 32, 64} or {math.tointeger(option.warp)}
        end
        local entry = {board = b.name, settings = b.set, sms = b.values.sms, warps = {}}
        for k, width in ipairs(widths) do
            entry.warps[k] = at_width(b, width, option)
        end
        boards[i] = entry
    end
    local result = {study = "reorder", version = heddle.version, boards = boards}
    if option.json then
        study.output(option.json, json.encode(result))
    end
    return result
end

return {run = run}
