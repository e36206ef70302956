-- The measurements of the mask study on a board: one problem from files, or the workloads of the claims.
--
--   measure.problem(bench, p, option)                 {methods = {row, ...}, ...} of one mask and tensor
--   local entry, at = measure.workloads(bench, option)      {lengths, kinds, others}, and what heddle.mask.claims needs
--
-- A row is the result of heddle.mask.launch for a method, here compared with the boolean baseline: `speedup` counts the
-- fill alone, `speedup_once` also the conversion, once for all heads of the launch.
local heddle = require "heddle"
local input = require "heddle.mask.input"
local lists = require "heddle.kit.lists"
local mask = require "heddle.mask.definition"
local methods = require "heddle.mask.methods"
local problem = require "heddle.mask.problem"
local study = require "heddle.kit.study"
local workload = require "heddle.mask.workload"

local measure = {}

measure.ELEMENTS = 1 << 17 -- default least total of a workload's elements
measure.IMAGES = 2048 -- most images of a generated workload

-- ---- against the baseline ----

-- Fills in what compares a row with others of the same problem; `rows` by label.
local function compare(list, rows)
    for _, row in ipairs(list) do
        local m = methods.by[row.method]
        local base, needed = rows[m.baseline], m.converter
        local converter = rows[needed]
        if base and base.timed and row.timed then
            row.speedup, row.speedup_drained = base.cycles / row.cycles, base.drained / row.drained
            row.bytes_ratio = row.board_bytes > 0 and base.board_bytes / row.board_bytes or nil -- 0 with warm caches
            local once = not needed and {cycles = 0} or converter and converter.timed and converter
            row.speedup_once = once and base.cycles / (row.cycles + once.cycles) or nil
        end
    end
end

-- The row of a method, which is launched unless it was on this problem: `ran` has its rows by their labels.
local function row_of(bench, p, what, timed, ran)
    local label, method = methods.label(what), methods.by[what.name]
    ran = method.converts and not method.lines and p.converted or ran -- which depends on the mask alone
    local known = ran[label]
    if known and (known.timed or not timed) then
        return lists.merge(known)
    end
    local row, why, message = study.attempt(bench.run, bench, p, what, timed)
    if why and method.must then
        study.refuse("%s", message)
    end
    ran[label] = row and lists.merge(row)
    return row or {method = what.name, order = what.order, label = label, skipped = why}
end

-- Runs methods on a problem; `timed` is a function of the method's name. A control that needs more registers or threads
-- than the board has is skipped, with the reason; the claimed methods must run.
local function run(bench, p, list, timed)
    local found, by_label, ran = {}, {}, p.ran or {}
    bench.launches = #list
    for i, what in ipairs(list) do
        bench.done = i - 1
        found[i] = row_of(bench, p, what, not timed or timed(what.name), ran)
        by_label[found[i].label] = found[i]
    end
    compare(found, by_label)
    return found, by_label
end

-- Properties of a mask before any launch; not_smaller_up_to is null where packed words never are smaller.
local function about(p)
    return {
        n = p.n, heads = p.heads, height = p.height, width = p.width, masked = p:masked(), type = p.type.name,
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

-- The number of uses after which converting pays, by bytes, as the least bytes predict, by cycles without and with
-- write-back against byte loads, and with it against vector loads. nil: never, or not measured.
local function uses(by, row)
    local base, conversion, vector = by.bool, by.convert, by["bool-vector"]
    if not (base and conversion and base.timed and row.timed) then
        return nil
    end
    local function even(cost, gain)
        return gain > 0 and cost / gain or nil
    end
    return {
        vector = vector and vector.timed and even(conversion.drained, vector.drained - row.drained) or nil,
        vector_timed = vector and vector.timed or false,
        cycles = even(conversion.cycles, base.cycles - row.cycles),
        drained = even(conversion.drained, base.drained - row.drained),
        bytes = even(conversion.board_bytes, base.board_bytes - row.board_bytes),
        predicted = even(conversion.ideal_bytes * conversion.elements,
            (base.ideal_bytes - row.ideal_bytes) * row.elements),
    }
end

-- Measures a problem; the methods in the order of methods.choose.
function measure.problem(bench, p, option)
    local entry, list, left_out = about(p), methods.choose(p, option)
    if bench.line then
        bench.line.step("fills")
    end
    local found, by_label = run(bench, p, list)
    entry.methods, entry.left_out = found, heddle.array(left_out)
    for _, row in ipairs(entry.methods) do
        row.uses = row.method == "words" and uses(by_label, row) or nil
    end
    return entry
end

-- ---- the workloads of the claims ----

measure.LENGTHS = {24, 64, 100, 256, 333, 384, 512, 729, 901} -- default sides of the masks

-- Series of softmaxes: rivals load four scores at a time where all rows begin at whole fours, and only there.
measure.FOURS, measure.OTHERS = "L in fours", "other L"

local KINDS_AT <const> = {[64] = true, [512] = true, [729] = true, [901] = true} -- where every kind is in place
local LENGTH_ALL <const> = 512 -- above, in-place fills are those that have been fastest
local MASKS <const> = {"padding", "blocks", "random"} -- beside causal ones

-- What fills are compared by, without what others are always faster than; those of shared masks, and the others.
local FILLS <const> = methods.of {gives = {"words", "flat", "bits", "fill"}, mask = {"bool", "bits", "words", "flat"},
    control = false, shared = false}
local SHARED <const> = methods.of {gives = "fill", mask = {"bool", "words", "flat", "none"}}
local STORES <const> = methods.of {gives = "store", control = false}
local SOFTMAXES <const> = methods.of {gives = "softmax"}
local FRAGMENTS <const> = methods.of {gives = "best"}

-- The workloads of the study beside masks of every length: trial, its name, kind of mask, sides, methods, and
--   types   of elements (the study's), each a series unless `alone`
--   n       images (as many as make the study's elements)
--   heads   that share a mask
--   always  also with --length, at the largest one
--   brief   also with --brief and --length, at this side
-- Those of 32 x 32 are the work of one warp, a word a thread. Runs of an odd side begin at no multiple of what a thread
-- takes.
local WORKLOADS <const> = {
    {"in place", "KIND, one image of SIDE x SIDE", "causal", {32, 181}, STORES, n = 1},
    {"in place", "KIND, L = SIDE", "causal", {1263, 1264}, STORES},
    {"in place", "KIND, L = SIDE", "padding", {1263}, STORES},
    {"in place", "KIND, L = SIDE", "blocks", {1263}, STORES},
    {"in place", "KIND, L = SIDE", "random", {1263}, STORES},
    {"large", "L = SIDE", "causal", {1536}, FILLS, n = 1},
    {"masks", "KIND masks, L = SIDE", "padding", {512}, FILLS, n = 1, alone = true},
    {"masks", "KIND masks, L = SIDE", "blocks", {512, 1024}, FILLS, n = 1, alone = true},
    {"masks", "KIND masks, L = SIDE", "random", {512}, FILLS, n = 1, alone = true},
    {"type", "TYPE, L = SIDE", "causal", {64, 512}, FILLS, types = {"int8", "fp32", "fp64"}},
    {"type", "TYPE, L = SIDE", "causal", {800}, FILLS, types = {"int8"}},
    {"type", "TYPE, L = SIDE", "causal", {576}, FILLS, types = {"fp64"}},
    {"small", "TYPE, one image of SIDE x SIDE", "causal", {32, 181}, FILLS, n = 1,
        types = {"int8", "fp16", "fp32", "fp64"}},
    {"small", "TYPE, 16 sentences of SIDE", "padding", {24}, FILLS, n = 16, types = {"fp16", "fp32"}, alone = true},
    {"heads", "L = SIDE, K = HEADS", "causal", {128}, SHARED, n = 1, heads = {2, 8}, alone = true},
    {"heads", "L = SIDE, K = HEADS", "causal", {512}, SHARED, n = 1, heads = {1, 2, 4}, alone = true, always = true},
    {"fragments", "L = SIDE, K = HEADS", "causal", {256}, FRAGMENTS, n = 1, heads = {32}, alone = true, brief = true},
    {"fragments", "L = SIDE, K = HEADS", "causal", {1024}, FRAGMENTS, n = 1, heads = {8}, alone = true},
    {"softmax", "SIDE x SIDE scores", "causal", {32, 33, 256, 333, 512, 730}, SOFTMAXES, types = {"fp32"},
        always = true},
    {"softmax", "one image of SIDE x SIDE", "causal", {256}, SOFTMAXES, n = 1, types = {"fp32"}, alone = true,
        always = true},
    {"softmax", "SIDE x SIDE scores, KIND", "blocks", {512}, SOFTMAXES, types = {"fp32"}, alone = true},
}

local function is_store(name)
    return methods.by[name].gives == "store"
end

-- The workloads that are generated, in order: {trial (its kind in claims), name, side, kind, ...; `methods`: names (all
-- that fit), `timed`: a function of the name (all)}.
local function planned(option)
    local list, all = {}, option.method == "all"
    local function add(row, side, t, heads)
        local trial, name, kind = table.unpack(row)
        local series = trial == "softmax" and (side % 4 == 0 and measure.FOURS or measure.OTHERS) or
            kind ~= "causal" and kind or t.name
        list[#list + 1] = {trial = trial, kind = kind, side = side, methods = row[5], n = row.n, type = t,
            heads = heads, timed = row.timed, series = not row.alone and series or nil,
            name = name:gsub("%u%u+", {KIND = kind, SIDE = side, TYPE = t.name, HEADS = heads})}
    end
    local heads = not all and option.heads or 1 -- all methods have a sweep of heads
    for _, side in ipairs(option.lengths) do
        add({"length", "L = SIDE", "causal"}, side, option.type, heads)
        for _, kind in ipairs(option.method ~= "causal" and (option.length or KINDS_AT[side]) and MASKS or {}) do
            add({"in place", "KIND, L = SIDE", kind, nil, not option.length and
                (side > LENGTH_ALL and STORES or methods.of {gives = "store"}) or nil, timed = is_store}, side,
                option.type, heads)
        end
    end
    local largest = math.min(512, option.lengths[#option.lengths])
    for _, row in ipairs(all and WORKLOADS or {}) do
        local sides, heads_of = row[4], row.heads or {1}
        if option.brief or option.length then
            sides = row.brief and sides or row.always and not option.brief and {math.min(largest, sides[#sides])} or {}
        end
        if row[1] == "heads" and option.heads then
            heads_of = option.heads > 1 and {1, option.heads} or {1}
        end
        for _, name in ipairs(row.types or {option.type.name}) do
            for _, side in ipairs((row[1] ~= "type" or name ~= option.type.name) and sides or {}) do
                for _, k in ipairs(heads_of) do
                    add(row, side, input.types[name], k)
                end
            end
        end
    end
    return list
end

local tensors = {} -- the last generated one, which all kinds of masks share

local function tensor(count, size)
    if tensors.count ~= count or tensors.size ~= size then
        tensors = {count = count, size = size, bytes = workload.bits(count, size)}
    end
    return tensors.bytes
end

local ROW <const> = 256 -- elements of a row whose softmax is the work of a warp at least

-- Images of a generated workload: a small side must not make so many that a run takes minutes.
local function images_of(option, o)
    local image = o.side * (o.trial == "softmax" and math.max(o.side, ROW) or o.side)
    return math.min((option.elements + image - 1) // image, measure.IMAGES)
end

-- Elements of a workload's tensor, and images of its mask.
local function elements_of(option, o)
    local heads = o.heads or 1
    local n = o.n or (images_of(option, o) + heads - 1) // heads
    return n * o.side * o.side * heads, n
end

-- A problem: `o` has side, kind of mask, and if not the usual ones n, heads, type. Several workloads may have the same.
local function make(bench, option, o)
    local t, heads, softmax = o.type or option.type, o.heads or 1, o.trial == "softmax"
    local count, n = elements_of(option, o)
    local x = o.trial == "fragments" and "" or softmax and workload.scores(count) or tensor(count, t.size)
    local bits, rows = softmax and 32 or option.bits, not softmax and option.rows or nil
    local function rows_of(...)
        local key = table.concat({o.kind, o.side, n, ...}, " ")
        bench.ran = bench.ran or {}
        bench.ran[key] = bench.ran[key] or {}
        return bench.ran[key]
    end
    return problem.new {
        ran = rows_of(heads, softmax and "scores" or t.name), converted = rows_of(bits, rows),
        n = n, heads = heads, height = o.side, width = o.side, type = t, kind = o.kind, polarity = option.polarity,
        bits = bits, rows = rows, scale = option.scale,
        masked_row = option["masked-row"],
        value = t == option.type and option.value or input.value(bench.ctx, softmax and "-inf" or "0", t),
        truth = workload.kinds[o.kind](n, o.side, option.sentences),
        x = x,
    }
end

-- Methods by their names, those that fit the problem.
local function named(p, option, names)
    return (methods.choose(p, {method = "all", order = option.order}, names))
end

-- Takes the next step of the progress, with its work, which may be more than was expected.
local function step(bench, text, work, more)
    if bench.line then
        bench.line.expect(more or 0)
        bench.line.step(text, work)
    end
end

-- A trial of heddle.mask.claims whose methods are run when the judge needs them: masks of a side, or one with that
-- number of elements, less those that a square has not, or that the series is not of.
local function lazy(bench, option, series, by, value)
    local kind = workload.kinds[series] and series or "causal"
    local scores, side = by == "L", by == "L" and value // 4 * 4 or math.floor(math.sqrt(value))
    side = series == measure.OTHERS and side + 1 or side
    local p = make(bench, option, {side = side, kind = kind, type = input.types[scores and "fp32" or series],
        trial = scores and "softmax", n = by == "elements" and 1 or nil})
    step(bench, ("searching, L = %d"):format(side), p.elements, p.elements)
    local trial = {name = ("L = %d"):format(side), at = {[by] = value}}
    trial.measured = lists.merge(trial, {rows = {}}) -- with the requested ones
    local rows = trial.measured.rows
    trial.rows = setmetatable({}, {__index = function(_, label)
        local method, order = label:match "^(%S+) ?(%S*)$"
        for _, what in ipairs(not rows[label] and named(p, option, {method}) or {}) do
            if (what.order or "") == order then
                local row = run(bench, p, {what})[1]
                rows[label] = row.timed and row or nil
            end
        end
        return rows[label]
    end})
    return trial
end

-- option: type, value, bits, rows, polarity, order, method, heads, lengths, elements (least total of a workload's
-- images), sentences (heddle.mask.workload.text), brief.
function measure.workloads(bench, option)
    local list = planned(option)
    local entry, searched = {lengths = {}, kinds = {}, others = heddle.array {}}, {}
    for _, o in ipairs(bench.line and list or {}) do
        bench.line.expect(elements_of(option, o))
    end
    for _, o in ipairs(list) do
        local p = make(bench, option, o)
        step(bench, o.name, elements_of(option, o))
        local e = about(p)
        e.trial, e.name, e.kind, e.length, e.series = o.trial, o.name, o.kind, o.side, o.series
        local chosen, left_out
        if o.methods then
            chosen = named(p, option, o.methods)
        else
            chosen, left_out = methods.choose(p, option)
        end
        e.methods, e.left_out = run(bench, p, chosen, o.timed), left_out and heddle.array(left_out)
        local group = (o.trial == "length" or o.trial == "in place") and entry.kinds or entry.others
        group[#group + 1] = e
        entry.lengths[#entry.lengths + 1] = o.trial == "length" and e or nil
    end
    return entry, not option.brief and function(series, by, value)
        local key = ("%s %s %d"):format(series, by, value)
        searched[key] = searched[key] or lazy(bench, option, series, by, value)
        return searched[key]
    end or nil
end

return measure
