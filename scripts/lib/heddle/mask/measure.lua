-- The measurements of the mask study on a board: one problem from files, or the workloads of the claims.
--
--   measure.problem(bench, p, option)                 {methods = {row, ...}, ...} of one mask and tensor
--   measure.workloads(bench, option)                  {lengths, kinds, widths, heads, softmax}
--
-- A row is the result of heddle.mask.launch for a method, here compared with the boolean baseline: `speedup` counts the
-- fill alone, `speedup_once` also the conversion, once for all heads of the launch.
local choice = require "heddle.mask.choice"
local input = require "heddle.mask.input"
local json = require "heddle.kit.json"
local launch = require "heddle.mask.launch"
local mask = require "heddle.mask.definition"
local problem = require "heddle.mask.problem"
local study = require "heddle.kit.study"
local tables = require "heddle.mask.tables"
local workload = require "heddle.mask.workload"

local measure = {}

measure.LENGTHS = {64, 128, 256, 512, 1024, 2048, 4096} -- default sides of the masks
local KINDS_AT <const> = 1024 -- the largest side at which in-place fills are timed for every kind of mask
local WIDTHS <const> = {24, 32, 48, 64, 65, 96, 128, 192, 256, 384, 512, 513, 768, 1000}
local HEADS <const> = {1, 2, 8}
measure.IMAGES = 2048 -- most images of a generated workload
local SHARED_AT <const> = 1024 -- the largest side at which heads share a mask, and of the softmax
local SENTENCES <const>, SENTENCE <const> = 16, 24 -- of the small case, and their longest

-- ---- against the baseline ----

-- The ratio of bytes, if the other method moves any: with warm caches it may not.
local function times(bytes, others)
    return others > 0 and bytes / others or nil
end

-- Fills in what compares a row with others of the same problem; `rows` by label.
local function compare(list, rows)
    for _, row in ipairs(list) do
        local m = launch.methods[row.method]
        local base, needed = rows[choice.baselines[m.gives]], choice.needs[m.mask]
        local converter = rows[needed]
        if base and base.timed and row.timed then
            row.speedup, row.speedup_drained = base.cycles / row.cycles, base.drained / row.drained
            row.bytes_ratio = times(base.board_bytes, row.board_bytes)
            local free = {cycles = 0, drained = 0, board_bytes = 0}
            local once = not needed and free or converter and converter.timed and converter
            if once then
                row.speedup_once = base.cycles / (row.cycles + once.cycles)
                row.speedup_once_drained = base.drained / (row.drained + once.drained)
                row.bytes_ratio_once = times(base.board_bytes, row.board_bytes + once.board_bytes)
            end
        end
    end
end

-- Runs methods on a problem; `timed` is a function of the method's name. A control that needs more registers or threads
-- than the board has is skipped, with the reason; the claimed methods must run.
local must = {words = true, bool = true, convert = true}

local function run(bench, p, list, timed)
    local found, by_label = {}, {}
    for i, what in ipairs(list) do
        local ok, row = pcall(bench.run, bench, p, what, timed(what.name))
        if not ok and (must[what.name] or type(row) ~= "table" or row.kind ~= "input") then
            error(row, 0)
        end
        found[i] = ok and row or {method = what.name, order = what.order, label = launch.label(what),
            skipped = (row.message:gsub("^.*error: ", ""))}
        by_label[found[i].label] = found[i]
    end
    compare(found, by_label)
    return found, by_label
end

local function always()
    return true
end

-- Properties of a mask before any launch; not_smaller_up_to is null where packed words never are smaller.
local function about(p)
    return {
        n = p.n, heads = p.heads, height = p.height, width = p.width, masked = p:masked(),
        mask_bytes = p.pixels, words_bytes = math.tointeger(p:share() * p.pixels) or #p:words(),
        share = p:share(), not_smaller_up_to = mask.not_smaller(p.layout, p.height), causal = p:causal(),
    }
end

-- Ends the study when the method requested by name could run nowhere. `entries`: of one board, or of several.
function measure.check_ran(entries, option)
    local why
    for _, entry in ipairs(option.method ~= "all" and entries or {}) do
        for _, row in ipairs(entry.methods) do
            if row.method == option.method and not row.skipped then
                return
            end
            why = row.method == option.method and row.skipped or why
        end
    end
    if why then
        study.refuse("--method %s: it cannot run on %s: %s", option.method,
            option.board == "all" and "any board" or "this board", why)
    end
end

-- Runs the methods that choice.choose gives for a problem.
local function chosen(bench, p, option, entry, timed)
    local list, left_out = choice.choose(p, option)
    local found, by_label = run(bench, p, list, timed)
    entry.methods, entry.left_out = found, json.list(left_out)
    return by_label
end

-- One problem; the methods in the order of choice.choose. `uses` of words: heddle.mask.tables.uses.
function measure.problem(bench, p, option)
    local entry = about(p)
    local by_label = chosen(bench, p, option, entry, always)
    for _, row in ipairs(entry.methods) do
        row.uses = row.method == "words" and tables.uses(by_label, row.label, "convert") or nil
    end
    return entry
end

-- ---- the workloads of the claim ----

local tensors = {} -- the last generated one, which all kinds of masks share

local function tensor(count, size)
    if tensors.count ~= count or tensors.size ~= size then
        tensors = {count = count, size = size, bytes = workload.bits(count, size)}
    end
    return tensors.bytes
end

-- Images of a generated workload: a small side must not make so many that a run takes minutes.
local function images_of(option, side)
    return math.min((option.elements + side * side - 1) // (side * side), measure.IMAGES)
end

-- A problem on a mask of some kind: n images of height x width.
local function make(option, kind, n, side, heads)
    local t = option.type
    return problem.new {
        n = n, heads = heads or 1, height = side, width = side, type = t, bits = option.bits, rows = option.rows,
        kind = kind, polarity = option.polarity, value = option.value,
        truth = workload.kinds[kind](n, side, option.sentences),
        x = tensor(n * side * side * (heads or 1), t.size),
    }
end

-- Every kind of mask at one side. Traffic and time of a fill that writes every element are not data-dependent, so one
-- kind is timed; of the others the results are compared, and the fills in place are timed, which are data-dependent.
local function at_length(bench, option, side, found)
    local heads = option.method ~= "all" and option.heads or 1 -- all methods have a sweep of heads
    local n = (images_of(option, side) + heads - 1) // heads
    for _, kind in ipairs(option.method == "causal" and {"causal"} or workload.names) do
        bench.stage = ("L = %d, %s"):format(side, kind)
        local p = make(option, kind, n, side, heads)
        local all, stores = kind == "causal", side == found.kinds_at
        local entry = about(p)
        entry.kind, entry.length = kind, side
        chosen(bench, p, option, entry, function(name)
            return all or stores and launch.methods[name].gives == "store"
        end)
        found.kinds[#found.kinds + 1] = entry
        if all then
            found.lengths[#found.lengths + 1] = entry
        end
    end
end

-- As batches are in practice: a few sentences, as many columns as the longest has words.
local function small_case(bench, option)
    bench.stage = "sentences"
    local p = make(option, "padding", SENTENCES, SENTENCE)
    local entry = about(p)
    entry.methods = run(bench, p, {{name = "convert"}, {name = "bool"}, {name = "bool-vector"},
        {name = "words", order = "linear"}}, always)
    return entry
end

local function by_width(bench, option)
    local list = {}
    for i, width in ipairs(WIDTHS) do
        bench.stage = ("W = %d"):format(width)
        local p = make(option, "causal", images_of(option, width), width)
        local entry = about(p)
        entry.methods = run(bench, p, {{name = "convert"}, {name = "bool"}, {name = "bool-vector"},
            {name = "words", order = "linear"}}, always)
        list[i] = entry
    end
    return list
end

local function by_heads(bench, option)
    local list, asked = {}, option.heads
    for i, heads in ipairs(asked and asked > 1 and {1, asked} or asked and {1} or HEADS) do
        bench.stage = ("%d heads"):format(heads)
        local p = make(option, "causal", 1, option.shared_at, heads)
        local entry, methods = about(p), {{name = "convert"}, {name = "bool"}, {name = "bool-vector"},
            {name = "words", order = "linear"}, {name = "bool-heads"}}
        if option.bits == 32 and option.rows == 2 then
            methods[#methods + 1] = {name = "words-heads"}
        end
        entry.methods = run(bench, p, methods, always)
        list[i] = entry
    end
    return list
end

local function softmax(bench, option)
    local side, t = option.shared_at, input.types.fp32
    bench.stage = "softmax"
    local p = problem.new {
        n = 1, heads = 1, height = side, width = side, type = t, bits = 32, kind = "causal", polarity = option.polarity,
        value = input.value(bench.ctx, "-inf", t), truth = workload.kinds.causal(1, side),
        x = workload.scores(side * side), scale = option.scale,
    }
    local entry = about(p)
    entry.scale, entry.word_bits, entry.word_rows = p.scale, p.bits, p.layout.rows
    local methods = {{name = "convert"}, {name = "convert-bits"}}
    for _, name in ipairs(launch.giving "softmax") do
        methods[#methods + 1] = {name = name}
    end
    entry.methods = run(bench, p, methods, always)
    return entry
end

-- option: type, value, bits, rows, polarity, order, method, heads, lengths, elements (least total of a workload's
-- images), sentences (heddle.mask.workload.text), brief.
function measure.workloads(bench, option)
    local entry = {lengths = {}, kinds = {}}
    for _, side in ipairs(option.lengths) do
        if side <= KINDS_AT then
            entry.kinds_at = math.max(entry.kinds_at or 0, side)
        end
    end
    option.shared_at = math.min(SHARED_AT, math.max(table.unpack(option.lengths)))
    for _, side in ipairs(option.lengths) do
        at_length(bench, option, side, entry)
    end
    if option.method == "all" and not option.brief then
        entry.widths, entry.small = by_width(bench, option), small_case(bench, option)
        entry.heads, entry.softmax = by_heads(bench, option), softmax(bench, option)
    end
    return entry
end

return measure
