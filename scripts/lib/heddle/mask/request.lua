-- The request to the mask study: valid combinations of options, the problem from files, the files to write.
--
--   local given = request.check(option)             whether masks come from files
--   request.convert(option)
--   local p = request.problem(ctx, option)          heddle.mask.problem, and {about, shape, read_words}
--
-- An unusable option or file ends the study with one sentence.
local input = require "heddle.mask.input"
local mask = require "heddle.mask.definition"
local measure = require "heddle.mask.measure"
local methods = require "heddle.mask.methods"
local problem = require "heddle.mask.problem"
local study = require "heddle.kit.study"
local tables = require "heddle.mask.tables"
local workload = require "heddle.mask.workload"

local request = {}

-- ---- options ----

-- The lengths of --length, each once, from the least up.
function request.lengths(option)
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
function request.check(option)
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
function request.convert(option)
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
function request.value(ctx, option, t)
    option.fill = option.fill or (t.kind == "float" and "-inf" or "0")
    option.type, option.value = t, input.value(ctx, option.fill, t)
    option.value_text = input.value_text(option.fill, option.value)
end

-- ---- from files ----

-- The problem that the files describe (heddle.mask.problem).
function request.problem(ctx, option)
    local layout = mask.layout(option.bits, option.rows)
    local x = option.x and input.tensor(ctx, option.x, option.dtype)
    local m = option.mask and input.mask(ctx, option.mask) or
        input.words(ctx, option.words, layout, option.polarity, x)
    local view = x and input.match(x, m, layout.rows, option.heads) or
        {truth = m.truth, n = m.n, heads = option.heads or 1, height = m.height, width = m.width}
    local scores = option.softmax
    request.value(ctx, option, x and x.type or input.types[option.dtype or scores and "fp32" or "fp16"])
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

-- Adds the requested files: words and result. The kernels' bytes equal the definition's, but for a softmax, whose file
-- is the method's own result.
function request.add_files(files, ctx, p, option)
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
end

return request
