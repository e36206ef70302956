-- The claims about the reorder in registers, as rows of heddle.claims.judge, and the trials that they are judged on.
--
--   local trials = claims.trials(measured)      of heddle.reorder.measure
--   judge.all(claims.rows, claims.metrics, trials, turns)
--
-- Kinds of trials: one reorder (`alone`), an SM full of them (`full`), FFTs with one in each (`fft`); addresses, lane
-- numbers and predicates are computed once and stay in registers, or again for each reorder (`alone.recomputed`); on
-- another board (`full.board`), against the prior art as the document describes it: recomputed, with a barrier of the
-- block and bank conflicts (`naive`).
local judge = require "heddle.claims.judge"
local lists = require "heddle.kit.lists"
local study = require "heddle.kit.study"

local claims = {}

local METHODS <const> = {"transit1", "shuffle2"} -- as it was published, and without a transit register
local SHARED <const> = {"shared-linear", "shared-vector", "shared-scatter", "shared-scatter-nopad",
    "shared-four", "shared-linear-block", "shared-vector-block", "shared-scatter-block", "shared-linear-fused",
    "shared-vector-fused", "shared-scatter-fused", "thread-fft"}
local OTHERS <const> = {"shuffle2", "shuffle4", "butterfly", "shuffle2-fused", "shuffle4-fused", "two-frames"}
local NAIVE <const> = "shared-linear-block"

-- One reorder takes the cycles that it takes. The order of warps alone moves those of a full SM and of an FFT by about
-- these shares, chosen after measuring that; tests/studies/reorder_adversary.lua refuses less for two FFTs.
local FULL <const>, FFT <const> = 0.02, 0.03

local function metric_of(of, unit, better, worse, margin, bounded, parts)
    return {of = of, unit = unit, better = better, worse = worse, margin = margin, bounded = bounded, parts = parts}
end

claims.metrics = {
    alone = metric_of("cycles", "cycles", "faster", "slower", 0, true),
    full = metric_of("cycles", "cycles", "faster", "slower", FULL, true),
    fft = metric_of("cycles", "cycles", "faster", "slower", FFT, true),
    energy = metric_of("energy", "energy in nJ", "less", "more", FULL, true, true),
    passes = metric_of("passes", "passes", "fewer", "more", 0),
    instructions = metric_of("instructions", "instructions", "fewer", "more", 0),
}

-- ---- questions ----

local WITHOUT <const> = "How would one do this in one launch, without the idea?"
local OWNER <const> = "What would the idea's owner choose for himself?"

local function asked(without, but, owner, unless)
    return {{question = WITHOUT, answer = without, left_out = but},
        {question = OWNER, answer = owner, left_out = unless}}
end

local ONE <const> = asked({"shared-linear", "shared-vector", "shared-scatter", "shared-four", "shared-scatter-block"},
    "loads that transpose (ldmatrix), because they move elements of 16 bits", {"transit1", "transit2", "shuffle2"},
    "a push of 128 bits, because the instruction set pushes a word a lane; its cycles are varied instead")
local WHOLE <const> = asked({"thread-fft", "two-frames", "8-byte load", "shared-scatter-fused"},
    "an FFT by the matrix unit, because its factors have 16 bits", {"transit1", "shuffle2-fused"},
    "a bit reversal in the extract, because its pattern is fixed")
local LANES <const> = asked({"shuffle2", "shuffle4", "butterfly"},
    "byte permutations within a lane, because a lane has to get values of others", {"transit1", "transit2"})

-- ---- rows ----

-- The claim, and views of it: addresses recomputed, and on other boards. `turns` of a row are the values of the board
-- at which its verdict may turn.
local function views(row, kind)
    local all = {lists.merge(row, {on = {kind}, by = "W"})}
    for _, view in ipairs {{"recomputed", "addresses recomputed", "W"}, {"board", "other boards"}} do
        all[#all + 1] = lists.merge(row, {id = row.id .. "." .. view[1], claim = row.claim .. ", " .. view[2],
            part = true, on = {kind .. "." .. view[1]}, by = view[3]})
        all[#all].turns = nil
    end
    return all
end

-- The rows of one method; its fused form where an FFT can have it.
local function rows_of(method)
    local both, transit = {method, method .. "-fused"}, method == "transit1" or nil
    local function against(id, claim, metric, says, refuted, more)
        return lists.merge({id = id .. "." .. method, claim = claim:format(method), methods = both, rivals = SHARED,
            metric = metric, says = says, refuted = refuted, questions = ONE}, more)
    end
    local latency = against("latency", "One reorder by %s beats shared memory", "alone",
        "In registers a reorder takes less time than through shared memory.",
        "a way through shared memory that takes no more cycles for one reorder",
        {turns = lists.append({transit and "latency.xext"}, {"latency.shfl", "shared.latency"})})
    local throughput = against("throughput", "A full SM of %s beats shared memory", "full",
        "In registers reorders take less time than through shared memory.",
        "a way through shared memory with as many reorders a cycle", {turns = {"lanes.xlane", "shared.pass_cycles"}})
    local energy = against("energy", "Less energy by %s than shared memory", "energy",
        "The reorder in registers needs less power.", "a way through shared memory whose reorders take no more energy",
        {on = {"full"}})
    local rows = lists.append(views(latency, "alone"), views(throughput, "full"))
    return lists.append(rows, {
        against("fft", "An FFT by %s beats shared memory", "fft",
            "An FFT is faster with the reorder in registers than through shared memory.",
            "an FFT through shared memory that is as fast", {on = {"fft"}, by = "roots", questions = WHOLE}),
        energy, lists.merge(energy, {id = energy.id .. ".recomputed", claim = energy.claim .. ", addresses recomputed",
            part = true, on = {"full.recomputed"}}),
        against("naive", "%s beats the prior art as described", "full", "It is faster than the prior art.",
            "the prior art with as many reorders a cycle",
            {rivals = {NAIVE}, on = {"naive"}, by = "measured", part = true}),
    })
end

-- Cycles that computing addresses adds to the cheapest way through shared memory.
local function addresses(trial)
    local best = lists.least(SHARED, function(name) return trial.rows[name] and trial.rows[name].cycles end)
    local row = best and trial.rows[best]
    local margin = trial.kind:find "^full" and claims.metrics.full.margin or claims.metrics.alone.margin
    return row and {won = study.beats(row.kept, row.cycles, margin), method = "no addresses", rival = best,
        cost = row.kept, rival_cost = row.cycles, bound_by = row.limiter}
end

claims.rows = {}
for _, method in ipairs(METHODS) do
    lists.append(claims.rows, rows_of(method))
end
local function transit(id, claim, metric, says, refuted, more)
    return lists.merge({id = id, claim = claim, methods = {"transit1"}, rivals = OTHERS, metric = metric, says = says,
        refuted = refuted, questions = LANES}, more)
end
lists.append(claims.rows, {
    transit("fft.transit", "An FFT by transit1 beats other shuffles", "fft", "The FFT gains by the transit register.",
        "an FFT with another reorder in registers, or with none, that is as fast",
        {on = {"fft"}, by = "roots", questions = WHOLE}),
    {id = "addresses", claim = "Computing no addresses saves time", test = addresses, metric = "full",
        on = {"alone.recomputed", "full.recomputed"}, by = "measured", questions = ONE,
        says = "Through the transit register no addresses are computed, which saves time.",
        refuted = "a way through shared memory whose addresses cost no time"},
    {id = "barrier", claim = "Waiting for no barrier saves time", methods = {"no barrier"},
        rivals = {"shared-vector", "shared-vector-block"}, metric = "full", on = {"barrier"}, by = "measured",
        says = "In registers no barrier is waited for, which saves time.", questions = ONE,
        refuted = "a barrier without which the same stores and loads take as long"},
    transit("bandwidth", "It saves bandwidth of shared memory", "passes",
        "The reorder takes no bandwidth of shared memory.", "a way through shared memory with as few passes",
        {rivals = SHARED, on = {"full"}, by = "W", questions = ONE}),
    transit("instructions", "It takes fewer instructions", "instructions",
        "Without addresses fewer instructions are fetched.", "a way through shared memory with as few instructions",
        {rivals = SHARED, on = {"full", "full.recomputed"}, by = "W", questions = ONE}),
    transit("transit", "The transit register makes one fast", "alone",
        "It is the transit register that makes the reorder fast.",
        "a reorder in registers without it that takes no more cycles", {on = {"alone", "alone.board"}}),
})
lists.append(claims.rows, views(transit("transit.full", "The transit register makes a full SM fast", "full",
    "It is the transit register that makes reorders fast.",
    "a reorder in registers without it of which an SM does as many", {turns = {"lanes.xlane", "lanes.alu"}}), "full"))

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

-- A trial of these methods (all), each as `view` shows its row.
local function trial(kind, name, at, list, view, only)
    local rows, wanted = {}, only and lists.set(only)
    for _, row in ipairs(list) do
        rows[row.name] = (not wanted or wanted[row.name]) and view(row) or nil
    end
    return {name = table.concat(name, ", "), kind = kind, at = at, rows = rows}
end

local BARRIERS <const> = { -- what is measured, its figure, the way through shared memory that waits
    {"one reorder", "latency", "shared-vector"}, {"a full SM", "full", "shared-vector"},
    {"8 warps in a row", "in_a_row_block", "shared-vector-block"},
    {"a full SM with the block's barrier", "full", "shared-vector-block"},
}

local function add_barrier(add, of, list, width, variant)
    local named = lists.map(list, function(row)
        local name = row.name == of[3] and of[3] or row.name == "shared-vector-nobar" and "no barrier"
        return name and {name = name, cycles = row[of[2]], limiter = "latency"} or nil
    end)
    add("barrier", lists.append({of[1]}, {variant}), {measured = of[1], W = width, variant = variant}, named,
        function(row) return row end)
end

-- The trials of one board: `at` has methods, variants and fft, as heddle.reorder.measure gives them.
function claims.trials(at)
    local trials, old = {}, {METHODS[1], METHODS[2], NAIVE}
    local function add(...)
        trials[#trials + 1] = trial(...)
    end
    for _, of in ipairs {{"alone", "one reorder", view_alone}, {"full", "a full SM", view_full}} do
        local function again(row) return of[3](row, true) end
        local base = {W = at.warp, measured = of[2], ["latency.xext"] = at.extract, ["latency.xpush"] = at.push}
        add(of[1], {of[2], "kept"}, base, at.methods, of[3])
        add(of[1] .. ".recomputed", {of[2], "recomputed"}, base, at.methods, again)
        add("naive", {of[2], "naive rival"}, base, at.methods, again, old)
        for _, v in ipairs(at.variants) do
            local same = v.kind == "width"
            local here = lists.merge(base, {W = same and (v.width or at.warp) or nil, variant = v.name}, v.settings)
            add(of[1] .. (same and "" or ".board"), {of[2], "kept", v.name}, here, v.methods, of[3])
            add(of[1] .. (same and ".recomputed" or ".board"), {of[2], "recomputed", v.name}, here, v.methods, again)
        end
    end
    for _, roots in ipairs {"loaded", "kept"} do
        local here = {roots = roots, measured = "FFTs with roots " .. roots}
        local function view(row) return row[roots] end
        add("fft", {"FFT", "roots " .. roots}, here, at.fft, view)
        add("fft", {"FFT", "roots " .. roots, "small blocks"}, here, at.fft, function(row)
            return row[roots .. "_small"]
        end)
        add("naive", {"FFT", "roots " .. roots, "naive rival"}, here, at.fft, view, old)
    end
    for _, of in ipairs(BARRIERS) do
        add_barrier(add, of, at.methods, at.warp)
    end
    for _, v in ipairs(at.variants) do
        add_barrier(add, BARRIERS[2], v.methods, v.width or at.warp, v.name)
    end
    return trials
end

-- The verdicts; `turns` are crossovers by a claim's id, ranges those of heddle.claims.energies.
function claims.judge(at, turns, ranges)
    return judge.all(claims.rows, claims.metrics, claims.trials(at), turns, ranges)
end

return claims
