-- Fill where a mask is true: packed and rearranged bits, the boolean mask, other ways
--
-- Every method runs on a board, its result is compared element by element with the definition, and its cost with that
-- of the boolean baseline. With --mask the mask and the tensor are read from files; without, the workloads of the
-- claims are generated, and the claims are judged.
local heddle = require "heddle"
local board = require "heddle.kit.board"
local claims = require "heddle.mask.claims"
local input = require "heddle.mask.input"
local launch = require "heddle.mask.launch"
local lists = require "heddle.kit.lists"
local mask = require "heddle.mask.definition"
local measure = require "heddle.mask.measure"
local methods = require "heddle.mask.methods"
local options = require "heddle.kit.options"
local page = require "heddle.kit.page"
local pictures = require "heddle.mask.pictures"
local report = require "heddle.kit.report"
local request = require "heddle.mask.request"
local study = require "heddle.kit.study"
local show = require "heddle.claims.show"
local tables = require "heddle.mask.tables"
local workload = require "heddle.mask.workload"

local NAME = "heddle study mask"

local boards = {"v100", "a100", "h100", "br100", "teach32", "teach8"} -- of --board all
local names = methods.of {gives = {"fill", "store", "softmax"}}

local option = options.parse {
    name = NAME, args = {...},
    summary = "Fills a tensor with a value where a mask is true, by a boolean mask, by packed and rearranged " ..
        "words of\n" ..
        "bits, and by other methods; reports the cost of each on a board. Without --mask it generates causal,\n" ..
        "padding, block-diagonal and random masks and judges the claims about the packed mask.",
    rows = {
        {heading = "Mask and data"},
        {name = "mask", value = "FILE",
            doc = ".npy of bool, whole numbers (0 is false) or floats (0, and -inf for true); - is standard input"},
        {name = "x", value = "FILE", doc = ".npy of a shape to which the mask broadcasts, rows and columns last; " ..
            "generated if not given"},
        {name = "fill", value = "VALUE", offers = {"0", "inf", "-inf", "nan"},
            doc = "a number, inf, -inf, nan, or the bits of a float as 0xfc00 (-inf for floats, 0 otherwise)"},
        {name = "dtype", value = "TYPE", choices = input.type_names,
            doc = "type of x's elements; bf16 is stored in a uint16 file (the file's; fp16 if generated)"},
        {heading = "Packed words and method"},
        {name = "result", value = "TYPE", default = "int32", choices = input.result_names,
            doc = "type of a packed word, whose width counts: " .. table.concat(input.result_names, ", ")},
        {name = "rows", value = "R", kind = "integer", default = 2, low = 1, high = 64,
            doc = "rows of the mask that share a packed word: any number that divides its width"},
        {name = "polarity", value = "0|1", default = "1", choices = {"0", "1"}, doc = "the bit that means true"},
        {name = "order", value = "ORDER", choices = methods.orders,
            doc = "of the walk over packed words: linear, packed, interleaved (linear, or all with --method all)"},
        {name = "method", value = "NAME", default = "all", choices = {"all", table.unpack(names)},
            doc = "one method, or all; of a mask from a file all but the softmaxes"},
        {heading = "Workload"},
        {name = "heads", value = "K", kind = "integer", low = 1, high = 65535,
            doc = "images of x that use one image of the mask"},
        {name = "scale", value = "S", kind = "number",
            doc = "factor of the scores x in a softmax, rounded to fp32 (1)"},
        {name = "masked-row", value = "RULE", default = "nan", choices = {"nan", "zero"},
            doc = "what a softmax gives where a whole row is masked: nan, as its formula says, or zero, as torch 2.5"},
        {name = "length", value = "L", many = true,
            doc = "side of the generated masks; may be repeated (" .. table.concat(measure.LENGTHS, ", ") .. ")"},
        {name = "elements", value = "N", kind = "integer", low = 1, high = 1 << 28,
            doc = "least total elements of a generated workload's images (131072); at most 2048 images"},
        {name = "text", value = "FILE", offers = {"made"},
            doc = "a text whose sentences give the lengths (Debian's fortunes-min), or 'made'"},
        {heading = "Board"},
        {"board", offers = {"all"}, default = "a100", doc = "the board, a .yaml file, or all boards"},
        "set", "warp", "caches", "threads",
        {heading = "What is printed and written"},
        {name = "words", value = "FILE",
            doc = "write the packed words there; with --x and no --mask, read them from there"},
        {name = "out", value = "FILE", doc = "write the result as .npy, of the shape of x; - is standard output"},
        {"brief", doc = "fewer workloads, and conditions that are not searched"},
        {"details", doc = "reasons, the costs on every workload, how often to use a mask, further tables"}, "markdown",
        "plot",
        "csv", "html", "json",
    },
    notes = table.concat(report.wrap("Methods: " .. table.concat(names, ", ") .. ".", 96), "\n  ") ..
        "\nTypes of x: " .. table.concat(input.type_names, ", ") .. ".",
}

-- ---- the study ----

-- Reports wrong results; returns whether there are none.
local function judge(entries)
    local good = true
    for _, entry in ipairs(entries) do
        for _, list in ipairs {entry.kinds or {}, entry.others or {}, {entry.problem}} do
            for _, e in ipairs(list) do
                for _, row in ipairs(e.methods) do
                    if not row.verified and not row.skipped then
                        study.complain(("%s: %s, W = %d, %s: %s"):format(NAME, entry.board, entry.warp, row.label,
                            row.difference))
                        good = false
                    end
                end
            end
        end
    end
    return good
end

-- The measurements on one board, for JSON.
local function at_board(name, p, line)
    local b = board.read(heddle.new(), name, option.set)
    local bench = launch.new(b, {
        warp = option.warp, threads = option.threads, warm = option.caches == "warm", line = line,
    })
    local entry = {board = b.name, settings = b.set, warp = bench.width, caches = option.caches,
        l2_bytes = b.values["l2.bytes"]}
    if p then
        entry.problem = measure.problem(bench, p, option)
    else
        local found, at = measure.workloads(bench, option)
        entry = lists.merge(entry, found)
        if option.method == "all" and option.caches == "cold" and not option.order then
            entry.claims, entry.reuse = claims.judge(entry, option, at), claims.reuse(entry)
        end
    end
    return entry
end

local function summary(entries, p)
    return {
        type = option.type.name, fill = option.value_text,
        result = option.result, word_bits = option.bits, word_rows = option.rows,
        derived = not mask.layout(option.bits, option.rows).published, polarity = option.polarity,
        method = option.method, caches = option.caches, scale = option.scale, masked_row = option["masked-row"],
        input = p and heddle.array(p.about) or nil,
        sentences = not p and option.sentences.about or nil, boards = entries,
    }
end

return study.main(NAME, function()
    local given = request.check(option)
    request.convert(option)
    option.lengths = request.lengths(option)
    if option.mask then
        study.outputs(option, {"words", "out", "json"}, {"mask", "x"})
    else
        study.outputs(option, {"out", "json"}, {"words", "x", "text"})
    end
    local places = option.board == "all" and boards or {option.board}
    for _, name in ipairs(places) do -- report errors before any work
        board.read(heddle.new(), name, option.set)
    end
    local ctx <close> = heddle.new()
    local p = given and request.problem(ctx, option)
    if p then
        methods.choose(p, option)
    else
        request.value(ctx, option, input.types[option.dtype or "fp16"])
        option.sentences = workload.text(option.text)
        if not option.sentences then
            study.refuse("--text: %s cannot be read or has no sentence", option.text)
        end
    end
    local out, line = page.new(option), study.progress()
    if not option.markdown then
        study.print(NAME)
    end
    if p then
        tables.head(out, option, p)
    else
        option.most_images = measure.IMAGES
        tables.workloads_head(out, option)
    end
    local entries, ran = {}, {}
    for i, name in ipairs(places) do
        entries[i] = at_board(name, p, line)
        lists.append(ran, entries[i].problem and {entries[i].problem} or entries[i].kinds)
        if i == #places then
            measure.check_ran(ran, option)
        end
        if entries[i].problem then
            tables.problem(out, entries[i], option, p)
        else
            tables.workloads(out, entries[i], option)
        end
        for _, into in ipairs(out:drawn()) do
            pictures.draw(into, entries[i], option)
        end
    end
    show.matrix(out, lists.map(entries, function(entry) return {entry.board, entry.claims} end))
    local good, files = judge(entries), {}
    if good and p then
        request.add_files(files, ctx, p, option)
    end
    return study.finish("mask", option, summary(entries, p), good, files)
end)
