-- Does a verdict of docs/claims/mask.md fall when a reviewer changes what may be changed? Small inputs.
--
-- Each change measures claims again: other sizes and types, other forms of the rivals, boards within published ranges,
-- caches, order. What "holds" must hold under all of them, and what "does not hold" must not; of a claim that "holds
-- when", both outcomes are known, so that workloads on which all claims are such are not run. A change that turns a
-- verdict over belongs among the study's workloads or methods.
package.path = "scripts/lib/?.lua;" .. package.path
local heddle = require "heddle"
local board = require "heddle.kit.board"
local choice = require "heddle.mask.choice"
local claims = require "heddle.mask.claims"
local home = require "heddle.kit.home"
local input = require "heddle.mask.input"
local judge = require "heddle.claims.judge"
local kernels = require "heddle.mask.kernels"
local launch = require "heddle.mask.launch"
local problem = require "heddle.mask.problem"
local test = require "tests.lib.test"
local workload = require "heddle.mask.workload"
local cli = require "tests.lib.command"
local case, equal, ok = test.case, test.equal, test.ok

-- ---- the verdicts of the page, by claim ----

local verdicts = {}
for line in (cli.read "docs/claims/mask.md"):match("\n### Board a100,.*"):gmatch "[^\n]+" do
    local claim, verdict = line:match "^| ([^|]-) | ([^|]-) |"
    if verdict == "holds" or verdict == "does not hold" or verdict == "holds when" then
        verdicts[claim:lower()] = verdicts[claim:lower()] or verdict
    end
end

-- ---- one change ----

local FILLS <const> = {"convert", "convert-flat", "bool", "bool-vector", "bool-vector-long", "bool-wide-long",
    "bits-vector", "words", "words-flat"}
local STORES <const> = {"bool-store-vector", "bits-store-vector", "words-store", "words-store-flat"}
local SOFTMAXES <const> = {"softmax-bool", "softmax-bool-vector", "softmax-bits", "softmax-bits-vector",
    "softmax-words"}
local HEADS <const> = {"bool", "bool-vector", "bool-wide-long", "words", "words-flat", "bool-heads",
    "words-heads", "words-heads-flat", "causal"}
local TEXT <const> = {lengths = {3, 9, 12, 5, 7, 16, 2}}

-- What a trial measures; `o`: side, and if not the usual ones trial, kind, type, elements or n, heads, methods, board,
-- set, warm, reverse; `change`: a function of the bench.
local function measured(o)
    local t = input.types[o.trial == "softmax" and "fp32" or o.type or "fp16"]
    local heads, area = o.heads or 1, o.side * o.side
    local n = o.n or ((o.elements or 65536) + area - 1) // area
    local count = n * heads * area
    local p = problem.new {
        n = n, heads = heads, height = o.side, width = o.side, type = t, bits = 32, polarity = 1, kind = "causal",
        value = t.name == "fp32" and "\0\0\x80\xff" or ("\x80"):rep(t.size),
        truth = workload.kinds[o.kind or "causal"](n, o.side, TEXT),
        x = o.trial == "softmax" and workload.scores(count) or workload.bits(count, t.size),
    }
    local bench = launch.new(board.read(heddle.new(), o.board or "a100", o.set), {warm = o.warm})
    if o.change then
        o.change(bench)
    end
    local wanted, methods = {}, {}
    for _, name in ipairs(o.methods or FILLS) do
        wanted[name] = true
    end
    local list = choice.choose(p, {method = "all"}, wanted)
    for i = 1, #list do
        methods[i] = bench:run(p, list[o.reverse and #list + 1 - i or i], true)
        ok(methods[i].verified, methods[i].difference)
    end
    return claims.trial {name = o.name, trial = o.trial or "type", height = o.side, heads = heads, methods = methods}
end

-- Whether the page has a verdict on trials of that kind which can fall.
local function can_fall(trial)
    local found = false
    for _, row in ipairs(claims.ROWS) do
        for _, kind in ipairs(row.on) do
            found = found or kind == trial and verdicts[row.claim:lower()] ~= "holds when"
        end
    end
    return found
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
        if said ~= "holds when" and v.verdict ~= said and not still then
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
attempts("other sizes and types", sizes)

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

attempts("heads of other sizes", {
    {side = 64, n = 2, heads = 8, trial = "heads", methods = HEADS}, {side = 256, n = 1, heads = 4, trial = "heads",
        methods = HEADS}, {side = 400, n = 1, heads = 2, trial = "heads", methods = HEADS},
})

-- ---- changes of the rivals ----

-- Runs the loads of all fills by vectors in blocks of other sizes.
local function in_blocks(threads)
    return function()
        local usual = kernels.launch
        kernels.launch = function(...)
            local plan = usual(...)
            if plan.block[1] == 64 and plan.block[2] == 1 then
                local times = threads // 64
                plan.grid[1], plan.block[1] = (plan.grid[1] + times - 1) // times, threads
            end
            return plan
        end
        return usual
    end
end

for _, threads in ipairs {128, 256} do
    case(("blocks of %d threads"):format(threads), function()
        local usual = in_blocks(threads)()
        local fine, text = pcall(turned, {side = 512, name = "L = 512"})
        kernels.launch = usual
        equal(tostring(text), "")
        ok(fine)
    end)
end

-- A kernel with other numbers of loads a thread, launched with as many threads fewer.
local function with_parts(file, from, to, entry, times)
    return function(bench)
        local path = home.path("kernels/" .. file .. ".hd")
        local text, n = cli.read(path):gsub(from, to)
        ok(n > 0, file)
        bench.programs[file] = bench.ctx:load(text, path)
        local usual = kernels.launch
        kernels.launch = function(...)
            local plan = usual(...)
            if plan.entry:find(entry) then
                plan.grid[1] = math.max(math.ceil(plan.grid[1] / times), 1)
            end
            return plan
        end
        return usual
    end
end

case("more and fewer elements a thread", function()
    local usual = kernels.launch
    for _, row in ipairs {
        {"mask/bool_vector", "(_wide_long, 16, 32, parts)=4", "%1=8", "^bool_vector_wide_long_b16", 2},
        {"mask/bool_vector", "(bool_vector_wide, 16, 32, parts)=2", "%1=1", "^bool_vector_wide_b16", 1 / 2},
        {"mask/bits_vector", "(bits=16, load=128, each=3, parts)=2", "%1=1", "^bits_vector_b16", 1 / 2},
        {"mask/bits_vector", "(bits=16, load=128, each=3, parts)=2", "%1=4", "^bits_vector_b16", 2},
    } do
        for _, side in ipairs {64, 512} do
            local fine, text = pcall(turned, {side = side, name = row[3], change = with_parts(table.unpack(row)),
                methods = {"bool-wide", table.unpack(FAST)}})
            kernels.launch = usual
            equal(tostring(text), "", row[1] .. row[3])
            ok(fine)
        end
    end
end)

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
    boards[#boards + 1] = {side = 128, board = row.board, set = row.set, warm = row.warm, reverse = row.reverse,
        trial = "softmax", methods = {"softmax-bool-vector", "softmax-bits-vector", "softmax-words"}, name = "softmax"}
end
attempts("boards, caches and order", boards)

os.execute("rm -rf " .. cli.folder)
test.finish()
