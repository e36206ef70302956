-- The measurements of heddle study reorder --board: every method, in FFTs too, and crossovers over values of a board.
--
--   local at = measure.at(clock.new(b, 32), "all")      at.methods, at.fft, at.variants: for heddle.reorder.claims
local heddle = require "heddle"
local claims = require "heddle.reorder.claims"
local clock = require "heddle.reorder.clock"
local lists = require "heddle.kit.lists"
local methods = require "heddle.reorder.methods"
local search = require "heddle.claims.search"
local study = require "heddle.kit.study"

local measure = {}

-- The reorders that are put into the FFT; the first three are FFTs without one.
local in_fft = {"8-byte load", "two-frames", "thread-fft", "transit1", "shuffle2", "shuffle2-fused", "shuffle4-fused",
    "shared-linear", "shared-vector", "shared-linear-fused", "shared-vector-fused", "shared-scatter-fused",
    "shared-linear-block"}

-- The work of an FFT, a variant, the crossovers, the map and an FFT on the whole board, in that of one method, as
-- measured on a100.
local WORK <const> = {fft = 3.5, variant = 6, crossovers = 60, map = 20, whole = 30}

-- ---- the predictions ----

-- Cycles through shared memory: store, store, barrier, load, load. The interval between accesses is that of the address
-- unit or of the passes or of the way back, whichever is longest; a load completes with its last pass.
local function predict_shared(method, v, width, passes)
    local full = math.ceil(width * method.runs / 32)
    local store = method.macros == "scatter" and method.pad == 0 and width >= 32 and 2 * full or full
    local loads = method.macros == "vector" and 1 or 2
    local load = (passes * method.runs - 2 * store) / loads
    local function pace(of)
        return math.max(v["lsu.address_cycles"], of, full * v["shared.pass_cycles"])
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
    local transit = shfl + math.max(2 * math.max(push, a), i) + push + extract + i
    local formulas = {
        transit1 = transit, transit2 = shfl + transit,
        shuffle2 = shfl + 2 * sel + math.max(i, a) + a,
        shuffle4 = shfl + sel + 3 * i,
        butterfly = math.tointeger(math.log(width, 2)) * (shfl + 2 * sel + a),
    }
    return method.words > 0 and predict_shared(method, v, width, passes) or formulas[method.name]
end

-- ---- measuring ----

-- Measures a method: figures that claims are judged by.
local function measure_method(m, name)
    local row, again = m:full(name), m:full(name, true)
    row.name, row.latency, row.latency_unhoisted = name, m:alone(name), m:alone(name, true)
    row.full, row.full_unhoisted, row.cycles = row.cycles, again.cycles, nil
    row.energies_unhoisted = again.energies
    row.energy_unhoisted_nj, row.address_instructions = again.energy_nj, again.instructions - row.instructions
    return row
end

-- Measures a method with all that is known of it.
function measure.method(m, name)
    local row, method = measure_method(m, name), methods.get(name, m.width)
    row.through, row.barrier, row.shared_bytes = method.through, method.barrier, 2 * 4 * method.words
    row.in_a_row = m:in_a_row(row.name)
    if method.words > 0 and method.barrier ~= "warp" then
        row.in_a_row_block = m:in_a_row(row.name, m.warps)
    end
    row.predicted = predict(method, m.board.values, m.width, row.passes)
    return row
end

-- The FFT with one reorder, with roots of unity loaded for each frame and with roots kept in registers; nil and why
-- where the board has room for neither.
local function measure_fft(m, small, name)
    local function of(bench, roots)
        return study.attempt(bench.fft, bench, name, roots)
    end
    local loaded, why = of(m, "loaded")
    local kept = of(m, "kept")
    if not loaded and not kept then
        return nil, why
    end
    local cold = loaded or {}
    return {name = name, loaded = loaded, kept = kept, cycles = cold.cycles, instructions = cold.instructions,
        energy_nj = cold.energy, cycles_kept = kept and kept.cycles, instructions_kept = kept and kept.instructions,
        loaded_small = of(small, "loaded"), kept_small = of(small, "kept")}
end

-- What a reorder is of a whole FFT, on one SM and on the whole board, where the FFT without one is the first; FFTs of
-- which the board has no room for one are left out.
local WHOLE <const> = {"8-byte load", "transit1", "shuffle2-fused", "shared-scatter-fused", "two-frames", "thread-fft"}
local SHARED <const> = 4 -- the first of these are all that shares need
local SHARES <const> = {share = "cycles", share_board = "cycles_board", share_warm = "cycles_warm"}

local function measure_whole(m, brief)
    local first
    return lists.map({table.unpack(WHOLE, 1, brief and SHARED or #WHOLE)}, function(name)
        m:step("FFT by " .. name .. " on the whole board", WORK.whole)
        local one, whole = study.attempt(m.fft, m, name, "kept"), study.attempt(m.fft_board, m, name)
        local row = one and whole and lists.merge(whole, {name = name, cycles = one.cycles})
        first = first or row
        for share, of in pairs(row and not methods.ffts[name] and first.name == WHOLE[1] and SHARES or {}) do
            row[share] = 1 - first[of] / row[of]
        end
        return row or nil
    end)
end

-- Variants that the claims are judged on, too: other widths and blocks, and boards with other values, all assumed,
-- where a reader could think otherwise. The latencies of a transit register are those of a move and of one cycle.
local function variants(m)
    local v = m.board.values
    local function times(key, by) return math.max(1, v[key] * by // 1 | 0) end
    local others = lists.map({8, 16, 32, 64}, function(width)
        return width ~= m.width and width <= v.max_threads_per_block and {"W = " .. width, {}, width = width,
            kind = "width"} or nil
    end)
    return lists.append(others, {
        {"small blocks", {}, warps = math.max(1, m.warps // 2), kind = "width"},
        {"quick transit register", {["latency.xext"] = v["latency.mov"], ["latency.xpush"] = 1}},
        {"slow shuffles", {["latency.shfl"] = times("latency.shfl", 1.5)}},
        {"wide shuffles", {["lanes.xlane"] = times("lanes.xlane", 2)}},
        {"slow memory", {["shared.latency"] = times("shared.latency", 1.5),
            ["shared.pass_cycles"] = times("shared.pass_cycles", 2)}},
    })
end

-- The methods that decide there.
local DECIDE <const> = {"transit1", "shuffle2", "shuffle4", "shared-linear", "shared-vector", "shared-scatter",
    "shared-four", "shared-vector-nobar"}

local function measure_variant(m, variant)
    local c = clock.new(m.board, variant.width or m.width, {warps = variant.warps, threads = m.threads})
    c.more = variant[2]
    local list = lists.map(DECIDE, function(name) return (study.attempt(measure_method, c, name)) end)
    return #list > 0 and {name = variant[1], settings = variant[2], kind = variant.kind or "board",
        width = variant.width, methods = list} or nil
end

-- The work of one width of a board.
function measure.work(b, width, option)
    local only, brief, whole = option.method, option.brief, option.whole and WORK.whole or 0
    whole = whole * (brief and SHARED or #WHOLE)
    if only ~= "all" then
        return 1 + 2 * WORK.fft + whole
    end
    return whole + #methods.names + WORK.fft * #in_fft + (brief and 0 or WORK.crossovers + WORK.map) +
        WORK.variant * #variants {board = b, width = width, warps = 1}
end

-- Measurements at one width of one board, of one method or "all"; what does not fit is in `skipped`, with
-- the reason. The FFT on the whole board takes longest, and runs only on request.
function measure.at(m, only, whole, brief)
    local at = {warp = m.width, blocks = m.blocks, warps_of_a_block = m.warps, methods = {}, fft = heddle.array {},
        extract = m.board.values["latency.xext"], push = m.board.values["latency.xpush"],
        variants = heddle.array {}, skipped = heddle.array {}}
    local function add(list, name, row, why)
        list[#list + 1] = row
        at.skipped[#at.skipped + 1] = not row and {name = name, why = why} or nil
    end
    for _, name in ipairs(methods.names) do
        if only == name or only == "all" and (not methods.by[name].dense or m.width >= 32) then
            m:step(name)
            add(at.methods, name, study.attempt(measure.method, m, name))
        end
    end
    if #at.methods == 0 or at.methods[1].name == "none" and #at.methods == 1 and only ~= "none" then
        study.refuse("%s: %s", at.skipped[1].name, at.skipped[1].why)
    end
    local small = clock.new(m.board, m.width, {warps = math.max(1, m.warps // 2), threads = m.threads})
    for _, name in ipairs(in_fft) do
        if only == "all" or only == name:gsub("%-fused$", "") then
            m:step("FFT by " .. name, WORK.fft)
            add(at.fft, "FFT by " .. name, measure_fft(m, small, name))
        end
    end
    for _, variant in ipairs(only == "all" and variants(m) or {}) do
        m:step(variant[1], WORK.variant)
        at.variants[#at.variants + 1] = measure_variant(m, variant)
    end
    at.whole = whole and measure_whole(m, brief) or nil
    return at
end

-- ---- crossovers ----

-- The highest value of a key at which a crossover is searched, by the metric of the claim; the lowest is 1.
local HIGHEST <const> = {alone = 500, full = 64}

-- Finds where the best of `both[1]` beats the best of `both[2]`, by the whole number that `values` turns into values of
-- the board; all others are unchanged.
local function turn(m, range, margin, cost, both, values)
    return search.turn {samples = range, integer = true, margin = margin, ratio = function(value)
        return m:with(values(value), function()
            local _, mine = lists.least(both[1], cost)
            local _, other = lists.least(both[2], cost)
            return other / mine
        end)
    end}
end

-- True if the costs of a method depend on a value: of shared memory, or of shuffles and transit registers.
function measure.uses(name, key)
    local shared = methods.by[name].through == "shared memory"
    return shared and not key:find "xlane$" and not key:find "^latency%.shfl" and not key:find "^latency%.x" or
        not shared and not key:find "^shared%." and not key:find "%.shared$"
end

-- Function that measures a reorder alone, or on a full SM, for a crossover; `known` has what was measured before.
local function cost_of(m, metric, known)
    local alone = metric == "alone"
    return function(name)
        local what = {name, tostring(alone)}
        for key, value in pairs(m.more) do
            what[#what + 1] = measure.uses(name, key) and ("%s=%s"):format(key, value) or nil
        end
        table.sort(what)
        local key = table.concat(what, " ")
        known[key] = known[key] or (alone and m:alone(name) or m:full(name))
        return alone and known[key] or known[key].cycles
    end
end

-- Selects those of these methods that were measured.
local function measured(names, at)
    local found = lists.by(at.methods, "name")
    return lists.map(names, function(name) return found[name] and name or nil end)
end

-- A crossover, with the best of both sides where the order changes, or here.
local function crossover(m, cost, metric, both, key)
    local margin, range = claims.metrics[metric].margin, {1, HIGHEST[metric]}
    local function values(value) return {[key] = value} end
    local found, here = turn(m, range, margin, cost, both, values), m.board.values[key]
    local one = found.turns and found.turns[1] or {}
    local method, rival = m:with(values(one.at or here), function()
        return (lists.least(both[1], cost)), (lists.least(both[2], cost))
    end)
    return {param = key, found = found, note = ("here %s"):format(here), key = key, low = range[1], high = range[2],
        here = here, method = method, rival = rival, always = found.always, last = one.last, first = one.first,
        below = one.below}
end

-- The crossovers of the claims by their ids, as heddle.claims.judge takes them: between the methods and the rivals of
-- the claim that were measured, with addresses kept.
function measure.crossovers(m, at)
    local all, known = {}, {}
    m:step("crossovers", WORK.crossovers)
    for _, row in ipairs(claims.rows) do
        local both = {measured(row.methods, at), measured(row.rivals, at)}
        all[row.id] = row.turns and #both[1] > 0 and #both[2] > 0 and lists.map(row.turns, function(key)
            return crossover(m, cost_of(m, row.metric, known), row.metric, both, key)
        end) or nil
    end
    return all
end

-- How small latency.xext must be for one reorder by transit1 to beat the rivals of two claims, for several
-- latency.xpush: a map, and the crossovers of the claim "transit" over both.
local PUSHES <const> = {1, 2, 3, 4, 8}
local BEATS <const> = {{"other shuffles", "transit"}, {"shared memory", "latency.transit1"}}

function measure.map(m, at)
    local rows, rivals, known = lists.by(claims.rows, "id"), {}, {}
    m:step("map of latencies", WORK.map)
    local names = lists.map(#measured({"transit1"}, at) > 0 and BEATS or {}, function(beats)
        rivals[beats[1]] = measured(rows[beats[2]].rivals, at)
        return #rivals[beats[1]] > 0 and beats[1] or nil
    end)
    local function search_turn(name, values)
        return turn(m, {1, HIGHEST.alone}, 0, cost_of(m, "alone", known), {{"transit1"}, rivals[name]}, values)
    end
    local function extracts(push)
        return function(extract) return {["latency.xpush"] = push, ["latency.xext"] = extract} end
    end
    local map = search.map {x = {name = "beats", values = names}, y = {name = "latency.xpush", values = PUSHES},
        cell = function(name, push) return search.text(search_turn(name, extracts(push))) end}
    local turns = {}
    if names[1] == BEATS[1][1] then -- one latency where the other is as small as can be, the other where that turns
        local found = search_turn(names[1], extracts(1))
        local most = found.turns and found.turns[1].at or 1
        turns = {{label = "xpush 1", param = "latency.xext", found = found},
            {label = "xext " .. most, param = "latency.xpush", found = search_turn(names[1], function(push)
                return {["latency.xpush"] = push, ["latency.xext"] = most}
            end)}}
    end
    return #names > 0 and map or nil, turns
end

return measure
