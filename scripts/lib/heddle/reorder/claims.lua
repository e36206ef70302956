-- The claims about the reorder in registers, as rows of heddle.claims.judge, and the trials that they are judged on.
--
--   local trials = claims.trials(measured)      of heddle.reorder.measure
--   judge.all(claims.rows, claims.metrics, trials, turns)
--
-- Trials of one reorder alone (`alone`), of an SM full of them (`full`), of FFTs with one in each (`fft`):
--
--   kept         addresses, lane numbers and predicates are computed once and stay in registers
--   recomputed   they are computed again for each reorder
--   naive rival  the prior art as the document describes it: recomputed, a barrier of the block, bank conflicts
--   others       kept, on a variant of the board or at another width (heddle.reorder.measure)
local judge = require "heddle.claims.judge"
local lists = require "heddle.kit.lists"
local methods = require "heddle.reorder.methods"
local study = require "heddle.kit.study"

local claims = {}

local METHODS <const> = {"transit1", "shuffle2"} -- as it was published, and without a transit register
local SHARED <const> = {"shared-linear", "shared-vector", "shared-scatter", "shared-scatter-nopad",
    "shared-linear-block", "shared-vector-block", "shared-scatter-block", "shared-linear-fused", "shared-vector-fused",
    "shared-scatter-fused"}
local OTHERS <const> = {"shuffle2", "shuffle4", "butterfly", "shuffle2-fused", "shuffle4-fused"} -- in registers
local NAIVE <const> = "shared-linear-block"

-- One reorder takes the cycles that it takes. The order of warps alone moves those of a full SM and of an FFT by about
-- these shares, chosen after measuring that; tests/studies/reorder_adversary.lua refuses less for two FFTs.
local FULL <const>, FFT <const> = 0.02, 0.03

claims.metrics = {
    alone = {of = "cycles", unit = "cycles", better = "faster", worse = "slower", margin = 0, bounded = true},
    full = {of = "cycles", unit = "cycles", better = "faster", worse = "slower", margin = FULL, bounded = true},
    fft = {of = "cycles", unit = "cycles", better = "faster", worse = "slower", margin = FFT, bounded = true},
    energy = {of = "energy", unit = "energy in nJ", better = "less", worse = "more", margin = FULL, bounded = true,
        parts = true},
    passes = {of = "passes", unit = "passes", better = "fewer", worse = "more", margin = 0},
    instructions = {of = "instructions", unit = "instructions", better = "fewer", worse = "more", margin = 0},
}

-- The rows of one method; its fused form where an FFT can have it. `turns` of a row are the values of the board at
-- which its verdict may turn.
local function rows_of(method)
    local both, transit = {method, method .. "-fused"}, method == "transit1" or nil
    return {
        {id = "latency." .. method, claim = ("One reorder by %s beats shared memory"):format(method),
            says = "In registers a reorder takes less time than through shared memory.",
            methods = both, rivals = SHARED, metric = "alone", on = {"alone", "alone-naive"},
            turns = lists.append({transit and "latency.xext"}, {"latency.shfl", "shared.latency"}),
            refuted = "a way through shared memory that takes no more cycles for one reorder"},
        {id = "throughput." .. method, claim = ("A full SM of %s beats shared memory"):format(method),
            says = "In registers reorders take less time than through shared memory.",
            methods = both, rivals = SHARED, metric = "full", on = {"full", "full-naive"},
            turns = {"lanes.xlane", "shared.pass_cycles"},
            refuted = "a way through shared memory with as many reorders a cycle"},
        {id = "fft." .. method, claim = ("An FFT by %s beats shared memory"):format(method),
            says = "An FFT is faster with the reorder in registers than through shared memory.",
            methods = both, rivals = SHARED, metric = "fft", on = {"fft", "fft-naive"},
            refuted = "an FFT through shared memory that is as fast"},
        {id = "energy." .. method, claim = ("Less energy by %s than shared memory"):format(method),
            says = "The reorder in registers needs less power. (The energies of shuffles are assumed.)",
            methods = both, rivals = SHARED, metric = "energy", on = {"full"},
            refuted = "a way through shared memory whose reorders take no more energy"},
    }
end

-- Cycles that computing addresses adds to the cheapest way through shared memory; nothing where they are kept.
local function addresses(trial)
    local best
    for _, name in ipairs(SHARED) do
        local row = trial.rows[name]
        if row and row.kept and (not best or row.cycles < trial.rows[best].cycles) then
            best = name
        end
    end
    local row = trial.rows[best]
    local margin = trial.kind == "full" and claims.metrics.full.margin or claims.metrics.alone.margin
    return best and {won = study.beats(row.kept, row.cycles, margin), method = "no addresses", rival = best,
        cost = row.kept, rival_cost = row.cycles, bound_by = row.limiter}
end

claims.rows = {}
for _, method in ipairs(METHODS) do
    table.move(rows_of(method), 1, 4, #claims.rows + 1, claims.rows)
end
for _, row in ipairs {
    {id = "fft.transit", claim = "An FFT by transit1 beats other shuffles", methods = {"transit1"}, rivals = OTHERS,
        metric = "fft", on = {"fft"}, says = "The FFT gains by the transit register.",
        refuted = "an FFT with another reorder in registers, also one that reverses the bits, that is as fast"},
    {id = "addresses", claim = "Computing no addresses saves time", test = addresses, metric = "full",
        on = {"alone", "full"}, says = "Through the transit register no addresses are computed, which saves time.",
        refuted = "a way through shared memory whose addresses cost no time"},
    {id = "barrier", claim = "Waiting for no barrier saves time", methods = {"no barrier"},
        rivals = {"shared-vector", "shared-vector-block"}, metric = "full", on = {"barrier"},
        says = "In registers no barrier is waited for, which saves time.",
        refuted = "a barrier without which the same stores and loads take as long"},
    {id = "bandwidth", claim = "It saves bandwidth of shared memory", methods = {"transit1"}, rivals = SHARED,
        metric = "passes", on = {"full"}, says = "The reorder takes no bandwidth of shared memory.",
        refuted = "a way through shared memory with as few passes"},
    {id = "instructions", claim = "It takes fewer instructions", methods = {"transit1"}, rivals = SHARED,
        metric = "instructions", on = {"full"}, says = "Without addresses fewer instructions are fetched.",
        refuted = "a way through shared memory with as few instructions"},
    {id = "transit", claim = "The transit register makes one fast", methods = {"transit1"}, rivals = OTHERS,
        metric = "alone", on = {"alone"}, says = "It is the transit register that makes the reorder fast.",
        refuted = "a reorder in registers without it that takes no more cycles"},
    {id = "transit.full", claim = "The transit register makes a full SM fast", methods = {"transit1"}, rivals = OTHERS,
        metric = "full", on = {"full"}, turns = {"lanes.xlane", "lanes.alu"},
        says = "It is the transit register that makes reorders fast.",
        refuted = "a reorder in registers without it of which an SM does as many"},
} do
    claims.rows[#claims.rows + 1] = row
end

-- ---- trials ----

-- Figures of a measured method that claims are judged by: alone or on a full SM, kept or recomputed.
local function view_alone(row, again)
    return {cycles = again and row.latency_unhoisted or row.latency, kept = row.latency, limiter = "latency"}
end

local function view_full(row, again)
    return {cycles = again and row.full_unhoisted or row.full, kept = row.full, passes = row.passes,
        energy = again and row.energy_unhoisted_nj or row.energy_nj,
        energies = again and row.energies_unhoisted or row.energies, limiter = row.limiter,
        instructions = row.instructions + (again and row.address_instructions or 0)}
end

-- A trial of these methods (all), each as `view` shows its row; `name` is what is measured, `setup`, and the variant of
-- the board, if any.
local function trial(kind, name, list, view, only)
    local rows, wanted = {}, {}
    for _, method in ipairs(only or {}) do
        wanted[method] = true
    end
    for _, row in ipairs(list) do
        if not only or wanted[row.name] then
            rows[row.name] = view(row)
        end
    end
    return {name = table.concat(name, ", "), kind = kind, at = {what = name[1], setup = name[2], variant = name[3]},
        rows = rows}
end

-- The trials of one board: `at` has methods, variants and fft, as heddle.reorder.measure gives them.
function claims.trials(at)
    local trials, old = {}, {METHODS[1], METHODS[2], NAIVE}
    local function add(...)
        trials[#trials + 1] = trial(...)
    end
    local function both(kind, what, list, view, variant)
        local function again(row) return view(row, true) end
        add(kind, {what, "kept", variant}, list, view)
        add(kind, {what, "recomputed", variant}, list, again)
        if not variant then
            add(kind .. "-naive", {what, "naive rival"}, list, again, old)
        end
    end
    both("alone", "alone", at.methods, view_alone)
    both("full", "full SM", at.methods, view_full)
    for _, v in ipairs(at.variants) do
        if v.kind ~= "energy" then
            both("alone", "alone", v.methods, view_alone, v.name)
        end
        both(v.kind or "full", "full SM", v.methods, view_full, v.name)
    end
    for _, roots in ipairs {"loaded", "kept"} do
        local function view(row) return row[roots] end
        add("fft", {"FFT", "roots " .. roots}, at.fft, view)
        add("fft", {"FFT", "roots " .. roots, "small blocks"}, at.fft, function(row) return row[roots .. "_small"] end)
        add("fft-naive", {"FFT", "roots " .. roots, "naive rival"}, at.fft, view, old)
    end
    local function barrier(what, field, with, list, variant)
        add("barrier", {what, methods.by[with][3] .. "'s", variant}, list, function(row)
            return {cycles = row[field], limiter = "latency"}
        end, {"shared-vector-nobar", with})
        local rows = trials[#trials].rows
        rows["no barrier"], rows["shared-vector-nobar"] = rows["shared-vector-nobar"], nil
    end
    for _, of in ipairs {{"alone", "latency", "shared-vector"}, {"full SM", "full", "shared-vector"},
        {"8 in a row", "in_a_row_block", "shared-vector-block"}, {"full SM", "full", "shared-vector-block"}} do
        barrier(of[1], of[2], of[3], at.methods)
    end
    for _, v in ipairs(at.variants) do
        if v.kind ~= "energy" then
            barrier("full SM", "full", "shared-vector", v.methods, v.name)
        end
    end
    return trials
end

-- The verdicts; `turns` are crossovers by a claim's id, ranges those of heddle.claims.energies.
function claims.judge(at, turns, ranges)
    return judge.all(claims.rows, claims.metrics, claims.trials(at), turns, ranges)
end

return claims
