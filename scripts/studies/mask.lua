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
local problem = require "heddle.mask.problem"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"
local show = require "heddle.claims.show"
local tables = require "heddle.mask.tables"
local workload = require "heddle.mask.workload"

local NAME = "heddle study mask"

local names = methods.of {gives = {"fill", "store", "softmax", "best"}}

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
        "set", "uncertainty", "warp", "caches", "threads",
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

-- ---- options ----

-- The lengths of --length, each once, from the least up.
local function lengths_of()
    local list, found = {}, {}
    for _, text in ipairs(option.length or {}) do
        local n = math.tointeger(tonumber(text))
        if not n or n < 1 or n > 16384 then
            study.refuse("--length: '%s' is not a whole number from 1 to 16384", text)
        end
        list[#list + 1] = not found[n] and n or nil
        found[n] = true
    end
    table.sort(list)
    return option.length and list or measure.LENGTHS
end

-- Refuses options that exclude each other; returns whether files are given. `softmax` becomes whether one was requested
-- by name.
local function check_options()
    option.softmax = option.method ~= "all" and methods.by[option.method].gives == "softmax"
    local given, method = option.mask or option.words and option.x, option.method
    local soft, all = option.softmax, option.method == "all"
    local function generated(name)
        return given and option[name], ("--%s: it is for generated masks; this one comes from a file"):format(name)
    end
    local function rule(broken, text)
        if broken then
            study.refuse("%s", text)
        end
    end
    rule(option.x and not option.mask and not option.words, "--x: it goes with --mask, or with --words to read")
    rule(option.words and not given, "--words: they are written with --mask, or read with --x; neither is given")
    rule(option.mask == "-" and option.x == "-", "--mask and --x: only one of them can come from standard input")
    rule(option.words == "-", "--words: standard output is for --json or --out; name a file")
    rule(option.out and not given, "--out: it goes with --mask; generated workloads are not written")
    rule(generated "length")
    rule(generated "text")
    rule(generated "elements")
    for name, asked in pairs {scale = option.scale, ["masked-row"] = option["masked-row"] == "zero"} do
        rule(asked and not soft and (given or not all or option.brief), "--" .. name .. ": it is for a softmax, and " ..
            "none runs; " .. (given and "name one with --method" or "leave out --method and --brief"))
    end
    rule(option.heads and not given and all and option.brief,
        "--heads: with --brief and all methods no mask is shared; leave out --brief, or name a method")
    rule(option.order and not all and not methods.by[method].orders,
        "--order: it is for --method words, words-flat or all; " .. method ..
        " has no order")
    rule(soft and not given, "--method " .. method ..
        ": give scores with --mask and --x; the generated workloads always have it")
    return given
end

-- Converts texts to numbers.
local function convert()
    option.bits = input.results[option.result]
    if option.bits % option.rows ~= 0 then
        study.refuse("--rows: %d does not divide the %d bits of a word (--result %s); expected %s", option.rows,
            option.bits, option.result, table.concat(mask.row_counts(option.bits), ", "))
    end
    option.elements = option.elements or measure.ELEMENTS
    option.polarity = math.tointeger(option.polarity)
    option.warp = option.warp and math.tointeger(option.warp)
    option.scale = option.scale or 1
    local scale = ("f"):unpack(("f"):pack(option.scale))
    if scale <= 0 or scale == math.huge then
        study.refuse("--scale: %g is %s in fp32; a softmax takes finite numbers above 0", option.scale, scale)
    end
    option.scale = scale
end

-- The type of x, and the value of --fill in it.
local function set_value(ctx, t)
    option.fill = option.fill or (t.kind == "float" and "-inf" or "0")
    option.type, option.value = t, input.value(ctx, option.fill, t)
    option.value_text = input.value_text(option.fill, option.value)
end

-- ---- from files ----

-- The problem that the files describe (heddle.mask.problem).
local function problem_of(ctx)
    local layout = mask.layout(option.bits, option.rows)
    local x = option.x and input.tensor(ctx, option.x, option.dtype)
    local m = option.mask and input.mask(ctx, option.mask) or
        input.words(ctx, option.words, layout, option.polarity, x)
    local view = x and input.match(x, m, layout.rows, option.heads) or
        {truth = m.truth, n = m.n, heads = option.heads or 1, height = m.height, width = m.width}
    local scores = option.softmax
    set_value(ctx, x and x.type or input.types[option.dtype or scores and "fp32" or "fp16"])
    if scores and option.type.kind == "float" and option.value ~= input.value(ctx, "-inf", option.type) then
        study.refuse("--fill: %s; a softmax fills with -inf", option.fill)
    end
    local make = scores and option.type.name == "fp32" and workload.scores or workload.bits
    local p = problem.new {
        n = view.n, heads = view.heads, height = view.height, width = view.width, type = option.type,
        bits = option.bits, rows = option.rows, polarity = option.polarity, value = option.value,
        truth = view.truth, packed = m.words,
        scale = option.scale, masked_row = option["masked-row"],
        x = x and x.bytes or make(view.n * view.heads * view.height * view.width, option.type.size),
    }
    p.about = {m.about, x and x.about or ("x: generated, %s"):format(option.type.name)}
    if view.other then
        local text = ", aligned at the last dimensions of x as in numpy (--heads %d: at the first)"
        p.about[1] = p.about[1] .. text:format(view.other)
    end
    if x and x.height > view.height then
        p.about[1] = p.about[1] .. (", each row of which serves %d rows of x%s"):format(x.height,
            view.height > 1 and (" and is stored %d times"):format(view.height) or "")
    end
    p.shape = x and x.shape
    if not p.shape then
        p.shape = table.move(m.shape, 1, #m.shape, 1, {})
        if view.heads > 1 then
            p.shape = {view.n, view.heads, view.height, view.width}
        end
    end
    p.read_words = not option.mask
    return p
end

-- The requested files: words and result. The kernels' bytes equal the definition's, but for a softmax, whose file
-- is the method's own result.
local function files_of(ctx, p)
    local files = {}
    if option.words and not p.read_words then
        local rows, columns = mask.words(p.layout, p.height, p.width)
        local words = ctx:buffer("file", "u" .. p.bits, {p.n, rows, columns}, p:words())
        files[#files + 1] = {option.words, words:npy(), ("uint%d[%d,%d,%d] (%s)"):format(p.bits, p.n, rows, columns,
            tables.origin(p.layout))}
    end
    if option.out then
        local bf16 = p.type.name == "bf16"
        local y = ctx:buffer("file", bf16 and "u16" or p.type.buffer, p.shape, p.softmax[option.method] or p:want())
        files[#files + 1] = {option.out, y:npy(), ("%s[%s]%s"):format(bf16 and "uint16" or p.type.name,
            table.concat(p.shape, ","), bf16 and ", as bf16" or "")}
    end
    return files
end

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
    local given = check_options()
    convert()
    option.lengths = lengths_of()
    if option.mask then
        study.outputs(option, {"words", "out", "json"}, {"mask", "x"})
    else
        study.outputs(option, {"out", "json"}, {"words", "x", "text"})
    end
    local places = option.board == "all" and board.ALL or {option.board}
    for _, name in ipairs(places) do -- report errors before any work
        board.read(heddle.new(), name, option.set)
    end
    local ctx <close> = heddle.new()
    local p = given and problem_of(ctx)
    if p then
        methods.choose(p, option)
    else
        set_value(ctx, input.types[option.dtype or "fp16"])
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
            tables.draw(into, entries[i], option)
        end
    end
    show.matrix(out, lists.map(entries, function(entry) return {entry.board, entry.claims} end))
    local good = judge(entries)
    return study.finish("mask", option, summary(entries, p), good, good and p and files_of(ctx, p) or {})
end, option)
