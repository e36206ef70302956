-- Does a verdict of docs/claims/mask.md fall under a fair change? Small inputs.
--
-- Each change measures claims again: other sizes and types, other forms of the rivals, boards within published ranges,
-- caches, order. What "holds" must hold under all of them, and what "does not hold" must not; of a claim that "holds
-- when", both outcomes are known, so that workloads on which all claims are such are not run. A change that turns a
-- verdict over belongs among the study's workloads or methods. Conditions are tried at random sizes, inside and outside
-- of their ranges.
package.path = "scripts/lib/?.lua;" .. package.path
local heddle = require "heddle"
local board = require "heddle.kit.board"
local claims = require "heddle.mask.claims"
local home = require "heddle.kit.home"
local judge = require "heddle.claims.judge"
local launch = require "heddle.mask.launch"
local methods = require "heddle.mask.methods"
local lists = require "heddle.kit.lists"
local random = require "heddle.kit.random"
local search = require "heddle.claims.search"
local masks = require "tests.lib.masks"
local test = require "tests.lib.test"
local workload = require "heddle.mask.workload"
local cli = require "tests.lib.command"
local case, equal, ok = test.case, test.equal, test.ok

-- ---- the verdicts of the page, by claim ----

local page = cli.read "docs/claims/mask.md"
local verdicts, where = {}, {}
for line in page:match("\n### Board a100,.*"):gmatch "[^\n]+" do
    local claim, verdict = line:match "^| ([^|]-) | ([^|]-) |"
    claim = claim and claim:lower()
    local known = claim and not verdicts[claim] and (verdict:match "^holds" or verdict:match "^does not hold$" or
        verdict:match "^mixed")
    if known then
        verdicts[claim], where[claim] = verdict, line:match "| ([^|]-) |$"
    end
end

-- ---- one change ----

local FILLS <const> = {"convert", "convert-flat", "bool", "bool-vector", "bool-vector-skip", "bool-vector-long",
    "bool-wide-skip", "bool-wide-long", "bool-wide-long-skip", "bits-vector", "bits-vector-skip", "words", "words-flat",
    "words-skip", "words-skip-flat"}
local STORES <const> = {"bool-store-vector", "bool-store-vector-long", "bits-store-vector", "bits-store-vector-long",
    "words-store", "words-store-flat"}
local SOFTMAXES <const> = methods.of {gives = "softmax"}
local HEADS <const> = {"bool", "bool-vector", "bool-wide-long", "words", "words-flat", "bool-heads",
    "words-heads", "words-heads-flat", "causal"}

-- Measures a trial; `o`: side, and unless the usual ones trial, kind, type, elements or n, heads, methods, board, set,
-- warm, reverse; `change`: a function of the bench; `changed`: of each launch, or with `either` of those that it makes
-- quicker; rivals: only they are changed.
local function measured(o)
    local heads, area = o.heads or 1, o.side * o.side
    local n = o.n or ((o.elements or 65536) + area - 1) // area
    local p = masks.problem {n = n, heads = heads, side = o.side, kind = o.kind,
        type = o.trial == "softmax" and "fp32" or o.type}
    local bench = launch.new(board.read(heddle.new(), o.board or "a100", o.set), {warm = o.warm})
    if o.change then
        o.change(bench)
    end
    local rows, list = {}, methods.choose(p, {method = "all"}, o.methods or FILLS)
    for i = 1, #list do
        for _, changed in ipairs {o.changed or false, o.either and false} do
            bench.changed = changed
            local row = bench:run(p, list[o.reverse and #list + 1 - i or i], true)
            ok(row.verified, row.difference)
            rows[i] = rows[i] and rows[i].drained <= row.drained and rows[i] or row
        end
    end
    return claims.trial {name = o.name, trial = o.trial or "type", n = n, height = o.side, width = o.side,
        heads = heads, methods = rows}
end

-- True if a verdict is that of all inputs, and so falls with one.
local function is_whole(verdict) return verdict == "holds" or verdict == "does not hold" end

-- True if the page has a verdict on trials of that kind which can fall.
local function can_fall(trial)
    local found = false
    for _, row in ipairs(claims.ROWS) do
        for _, kind in ipairs(row.on) do
            found = found or kind == trial and is_whole(verdicts[row.claim:lower()])
        end
    end
    return found
end

-- Changes of the machine that turn a verdict of the page over, which it lists: "- `softmax on br100`: claim".
local listed, met = {}, {}
for line in page:match("\n## Where a verdict falls(.-)\n## "):gmatch "[^\n]+" do
    local name, claim = line:match "^%- `([^`]+)`: (.+)$"
    if name then
        listed[name .. ": " .. claim:lower()] = true
    end
end

-- The claims that a change turns over, as text.
local function turned(o)
    local fallen = {}
    if not can_fall(o.trial or "type") then
        return ""
    end
    for _, v in ipairs(judge.all(claims.ROWS, claims.METRICS, {measured(o)})) do
        local said = verdicts[v.claim:lower()]
        ok(said, "the page has no verdict on: " .. v.claim)
        local still = o.warm and v.metric == "bytes" -- what L2 kept does not move
        local weaker = o.rivals and said == "does not hold" -- one that has lost is no rival
        local known = o.name .. ": " .. v.claim:lower()
        local falls = is_whole(said) and v.verdict ~= said and not still and not weaker
        met[known] = falls and listed[known] or met[known]
        if falls and not listed[known] then
            fallen[#fallen + 1] = ("%s: %s, ratio %.3f (%s / %s)"):format(v.id, v.verdict, v.ratio_least or 0,
                v.method, v.rival or "")
        end
    end
    return table.concat(fallen, "; ")
end

local function attempts(what, list)
    case(what, function()
        for _, o in ipairs(list) do
            o.name = o.name or ("L = %d"):format(o.side)
            equal(turned(o), "", ("%s, %s %s"):format(what, o.name, table.concat(o.set or {}, " ")))
        end
    end)
end

-- ---- changes of the input ----

local sizes = {}
for _, type_name in ipairs {"int8", "fp16", "fp32", "fp64"} do
    for _, side in ipairs(type_name == "fp16" and {24, 65, 100, 513, 700} or {24, 513}) do
        sizes[#sizes + 1] = {side = side, type = type_name, name = type_name .. " L = " .. side}
    end
end
for _, type_name in ipairs {"fp16", "fp32"} do -- a warp's work, and little more
    for _, row in ipairs {{32, 1}, {24, 16}, {128, 1}} do
        sizes[#sizes + 1] = {side = row[1], n = row[2], type = type_name, name = ("%s, %d of L = %d"):format(type_name,
            row[2], row[1])}
    end
end
for _, kind in ipairs {"padding", "blocks", "random"} do
    sizes[#sizes + 1] = {side = 384, kind = kind, name = kind .. " masks"}
end
attempts("other sizes, types and masks", sizes)

local FASTEST <const> = {"bool-vector", "bool-wide-long", "bits-vector", "words", "words-flat"}
local FAST <const> = {"convert", "convert-flat", table.unpack(FASTEST)}

attempts("sizes that DRAM bounds", {{side = 1792, n = 1, methods = FASTEST},
    {side = 900, n = 1, type = "fp64", methods = FASTEST}})

local stores = {}
for _, kind in ipairs(workload.names) do
    for _, side in ipairs {24, 100, 256, 513} do
        stores[#stores + 1] = {side = side, kind = kind, trial = "in place", methods = STORES, elements = 131072,
            name = kind .. " L = " .. side}
    end
end
attempts("in place, other sizes and masks", stores)

attempts("softmaxes of other sizes", {
    {side = 24, trial = "softmax", methods = SOFTMAXES}, {side = 100, trial = "softmax", methods = SOFTMAXES},
    {side = 256, trial = "softmax", methods = SOFTMAXES}, {side = 768, n = 1, trial = "softmax",
        methods = {"softmax-bool-vector", "softmax-bits-vector", "softmax-words"}},
})

local fragments = {}
for _, name in ipairs {"a100", "v100", "h100", "rtx4090"} do
    fragments[#fragments + 1] = {side = 512, n = 1, heads = 8, kind = "random", board = name, trial = "fragments",
        methods = methods.of {gives = "best"}, name = "accumulators on " .. name}
end
attempts("masks of accumulators on other boards", fragments)

attempts("heads of other sizes", {
    {side = 64, n = 2, heads = 8, trial = "heads", methods = HEADS}, {side = 256, n = 1, heads = 4, trial = "heads",
        methods = HEADS}, {side = 400, n = 1, heads = 2, trial = "heads", methods = HEADS},
})

-- ---- changes of the rivals ----

for _, threads in ipairs {128, 256} do
    local function changed(plan)
        if plan.block[1] == 64 and plan.block[2] == 1 then
            local times = threads // 64
            plan.grid[1], plan.block[1] = (plan.grid[1] + times - 1) // times, threads
        end
    end
    attempts(("blocks of %d threads, where they are quicker"):format(threads), {
        {side = 512, either = true, changed = changed},
    })
end

-- Kernels with other numbers of loads a thread, launched with as many threads fewer: file, text and what replaces it,
-- entry.
for _, row in ipairs {
    {"mask/bool_vector", "(_wide_long, 16, 32, parts)=4", "%1=8", "^bool_vector_wide_long_b16", 2},
    {"mask/bool_vector", "(bool_vector_wide, 16, 32, parts)=2", "%1=1", "^bool_vector_wide_b16", 1 / 2},
    {"mask/bits_vector", "(bits=16, load=128, each=3, parts)=2", "%1=1", "^bits_vector_b16", 1 / 2},
    {"mask/bits_vector", "(bits=16, load=128, each=3, parts)=2", "%1=4", "^bits_vector_b16", 2},
} do
    local file, from, to, entry, times = table.unpack(row)
    local o = {rivals = true, methods = {"bool-wide", table.unpack(FAST)}, change = function(bench)
        local path = home.path("kernels/" .. file .. ".hd")
        local text, n = cli.read(path):gsub(from, to)
        ok(n > 0, file)
        bench.programs[file] = bench.ctx:load(text, path)
    end, changed = function(plan)
        if plan.entry:find(entry) then
            plan.grid[1] = math.max(math.ceil(plan.grid[1] / times), 1)
        end
    end}
    attempts(("%s by %g times as many elements a thread"):format(entry, times), {
        setmetatable({side = 64}, {__index = o}), setmetatable({side = 512}, {__index = o}),
    })
end

-- ---- changes of the board, the caches and the order ----

local boards = {}
for _, row in ipairs {
    {set = {"l2.bytes=6553600"}}, {set = {"l2.bytes=83886080"}}, {set = {"sms=20"}}, {set = {"latency.sel=8"}},
    {set = {"l1.latency=44"}}, {set = {"l2.latency=130"}}, {set = {"dram.latency=250"}}, {board = "v100"},
    {board = "h100"}, {board = "br100"}, {warm = true}, {reverse = true},
} do
    for _, side in ipairs {64, 512} do
        boards[#boards + 1] = {side = side, board = row.board, set = row.set, warm = row.warm, reverse = row.reverse,
            methods = FAST, name = ("%s L = %d%s"):format(row.board or "a100", side, row.warm and " warm" or "")}
    end
    local change = row.set and ", " .. row.set[1] or row.warm and " warm" or ""
    boards[#boards + 1] = {side = 128, board = row.board, set = row.set, warm = row.warm, reverse = row.reverse,
        trial = "softmax", methods = {"softmax-bool-vector", "softmax-bits-vector", "softmax-words"},
        name = ("softmax on %s%s"):format(row.board or "a100", change)}
end
attempts("boards, caches and order", boards)
case("the page lists the machines on which a verdict falls, and no others", function()
    for known in pairs(listed) do
        ok(met[known], known .. " does not fall")
    end
end)

-- ---- conditions, at random sizes ----

-- Evaluates a claim's condition at a size: true if the claim is true there; nil if the condition does not cover it.
local function said(claim, size)
    local from, upto = where[claim]:match "^%a+ from ([%d,]+) on", where[claim]:match "^%a+ up to ([%d,]+)"
    local bound = from or upto
    local limit = bound and tonumber((bound:gsub(",", "")))
    return limit and (from and size >= limit or upto and size <= limit) or nil
end

local r = random.new(tonumber(os.getenv "SEED") or 13)

-- A number between two, each factor as probable as another.
local function between(low, high)
    return math.floor(low * (high / low) ^ (r:below(1 << 20) / (1 << 20)))
end

-- A size: several masks of a small side, or one of a large side.
local function any_size()
    if r:below(2) == 0 then
        local side = between(17, 362)
        return side, between(131072, 400000) // (side * side) + 1
    end
    return between(363, 1300), 1
end

-- Refutes a condition: a ratio varies between the searched sizes, and may do so by no more than the page states.
local function refuted(list, o)
    local fallen = {}
    for _, v in ipairs(judge.all(claims.ROWS, claims.METRICS, {measured(o)})) do
        local row = lists.by(claims.ROWS, "id")[v.id]
        local claim, size = row.claim:lower(), row.by == "L" and o.side or v.trials[1].at.elements
        local wrong
        local always = ({holds = true, ["does not hold"] = false})[verdicts[claim]]
        if row.by then
            local true_here, ratio = always, v.ratio_least * (1 - v.margin)
            if always == nil then
                true_here = said(claim, size)
            end
            wrong = true_here and ratio < 1 - search.RAGGED or true_here == false and ratio > 1 + search.RAGGED
        else
            wrong = always ~= nil and v.verdict ~= verdicts[claim]
        end
        if wrong then
            fallen[#fallen + 1] = ("%s: %s has a ratio of %.3f"):format(v.id, o.name, v.ratio_least or 0)
        end
    end
    table.move(fallen, 1, #fallen, #list + 1, list)
end

case("conditions hold at random sizes", function()
    local fallen = {}
    for _, name in ipairs {"int8", "fp16", "fp16", "fp16", "fp32", "fp32", "fp64", "fp64"} do
        local side, n = any_size()
        refuted(fallen, {side = side, n = n, type = name, trial = "type", methods = FAST,
            name = ("%s, %d of L = %d"):format(name, n, side)})
    end
    for _, kind in ipairs {"causal", "causal", "padding", "blocks", "random"} do
        local side = between(363, 1300)
        refuted(fallen, {side = side, n = 1, kind = kind, trial = "in place", methods = STORES,
            name = ("%s, L = %d"):format(kind, side)})
    end
    for _, kind in ipairs {"causal", "blocks"} do -- of a small side all are as if they were random
        local side = between(17, 40)
        refuted(fallen, {side = side, kind = kind, trial = "in place", methods = STORES,
            elements = between(131072, 400000), name = ("%s, images of L = %d"):format(kind, side)})
    end
    for _ = 1, 3 do
        local side = between(20, 760)
        refuted(fallen, {side = side, n = 131072 // (side * side) + 1,
            trial = "softmax", methods = SOFTMAXES, name = "softmax, L = " .. side})
    end
    equal(table.concat(fallen, "; "), "")
end)

os.execute("rm -rf " .. cli.folder)
test.finish()
