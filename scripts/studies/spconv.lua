-- A sparse submanifold convolution by unfolding its active windows into a matrix, beside dense and other sparse ways
--
-- Every method runs on a board, its result is compared with a reference that this computer works out from the
-- definition, and what it cost is told by stage, by tensor and by level. With --x and --weight the tensors come from
-- files; without, real scans and random occupancies are convolved, and the claims are judged.
local heddle = require "heddle"
local board = require "heddle.board"
local case = require "heddle.spconv_case"
local input = require "heddle.spconv_input"
local json = require "heddle.json"
local measure = require "heddle.spconv_board"
local options = require "heddle.options"
local page = require "heddle.page"
local pipeline = require "heddle.spconv_pipeline"
local spconv = require "heddle.spconv"
local study = require "heddle.study"
local tables = require "heddle.spconv_tables"

local NAME = "heddle study spconv"

local methods = {"all", table.unpack(pipeline.methods)}

local function notes()
    local list = {"Methods:"}
    for i, name in ipairs(pipeline.methods) do
        list[i + 1] = ("  %-17s %s"):format(name, pipeline.about[name])
    end
    return table.concat(list, "\n")
end

local option = options.parse {
    name = NAME, args = {...},
    summary = "Convolves a tensor only where its active positions are, by unfolding their windows into a matrix,\n" ..
        "and by other ways, and says what each costs on a board.",
    notes = notes(),
    rows = {
        {name = "x", value = "FILE", doc = ".npy of [N,Cin,H,W] or [N,Cin,D,H,W]"},
        {name = "weight", value = "FILE", doc = ".npy of [Cout,Cin,kh,kw] or [Cout,Cin,kd,kh,kw]"},
        {name = "bias", value = "FILE", doc = ".npy of [Cout], added at active windows"},
        {name = "stride", value = "S", doc = "one number, or one for each dimension (1)"},
        {name = "pad", value = "P", doc = "same (keeps the size at stride 1), valid, or lo:hi,... (same)"},
        {name = "centre", value = "E",
            doc = "predetermined elements of the kernel, as 1,1 or 0,0;1,1 (half the kernel)"},
        {name = "layout", value = "L", default = "nchw", choices = {"nchw", "nhwc"},
            doc = "channels first or last, of x and the result"},
        {name = "dtype", value = "TYPE", default = "fp32", choices = {"fp32", "fp16"},
            doc = "of x and weights on the board; sums and the result are fp32"},
        {name = "method", value = "NAME", default = "all", choices = methods, doc = "one method, or all"},
        {name = "board", value = "NAME", default = "a100", doc = "the board, or a .yaml file"},
        {name = "set", value = "KEY=VALUE", many = true, doc = "change a value of the board; may be repeated"},
        {name = "warp", value = "W", choices = {"8", "16", "32", "64"}, doc = "warp width (the board's)"},
        {name = "out", value = "FILE", doc = "write the result as .npy; - is standard output"},
        {name = "threads", value = "N", kind = "integer", low = 1, high = 256, default = 1,
            doc = "threads of this computer; the result does not depend on it"},
        {name = "brief", doc = "fewer tables"},
        {name = "markdown", doc = "as the documentation has it"},
        {name = "json", value = "FILE", doc = "write what was found as JSON; - is standard output"},
    },
}

-- ---- options ----

-- Options that go together, or do not; whether the tensors come from files.
local function check_options()
    if option.x and not option.weight then
        study.refuse("--x: it goes with --weight, which is not given")
    end
    for _, name in ipairs {"weight", "bias", "stride", "pad", "centre", "out"} do
        if option[name] and not option.x then
            study.refuse("--%s: it goes with --x, which is not given", name)
        end
    end
    return option.x ~= nil
end

-- ---- one input ----

-- The methods to run: all, or the one that was asked for.
local function chosen()
    return option.method == "all" and pipeline.methods or {option.method}
end

-- Refuses an input for which the claimed method's tensors, or those of the method asked for, do not fit. Nothing of
-- the board has been allocated yet.
local function check_size(p, windows)
    local element = option.dtype == "fp16" and 2 or 4
    local name = option.method == "all" and "unfold" or option.method
    local why = case.unfit(p, windows, name, element)
    if why then
        study.refuse("%s: %s: %s", option.x, name, why)
    end
end

-- A line on a terminal that says how far the study is.
local function progress_line()
    if not os.execute "test -t 2" then
        return nil
    end
    return {
        show = function(text) io.stderr:write("\r\27[K  ", text) end,
        clear = function() io.stderr:write "\r\27[K" end,
    }
end

local function run_methods(bench, c)
    local list = {}
    for i, name in ipairs(chosen()) do
        local why = case.unfit(c.p, c.windows, name, bench:type_of(name) == "f16" and 2 or 4)
        list[i] = why and {method = name, skipped = why} or bench:run(c, name)
    end
    return list
end

-- What a row of a method is in JSON.
local function as_json(row)
    local copy = {}
    for key, value in pairs(row) do
        copy[key] = key ~= "result" and value or nil
    end
    return copy
end

local function at_board(c, line)
    local b = board.read(heddle.new(), option.board, option.set)
    local bench = measure.new(b, {
        warp = option.warp and math.tointeger(option.warp), threads = option.threads,
        type = option.dtype == "fp16" and "f16" or "f32",
        progress = line and function(text, share)
            line.show(("%s: %s %.0f %%"):format(b.name, text, 100 * share))
            return true
        end,
    })
    local entry = {board = b.name, settings = b.set, warp = bench.width, case = c}
    entry.problem = {methods = run_methods(bench, c)}
    if line then
        line.clear()
    end
    return entry
end

-- Says what is wrong; whether nothing is.
local function judge(entry)
    local good = true
    for _, row in ipairs(entry.problem.methods) do
        if row.difference then
            study.complain(("%s: %s, %s: %s"):format(NAME, entry.board, row.method, row.difference))
            good = false
        end
    end
    return good
end

local function summary(entry)
    local c, list = entry.case, {}
    for i, row in ipairs(entry.problem.methods) do
        list[i] = as_json(row)
    end
    return {
        study = "spconv", version = heddle.version, board = entry.board, settings = entry.settings, warp = entry.warp,
        input = json.list(c.about), active = c.active, windows = c.windows, positions = c.p.positions,
        outputs = c.p.outputs, density = c.density, share = c.q, pairs = c.pairs, exact = c.exact,
        methods = json.list(list),
    }
end

return study.main(NAME, function()
    check_options()
    study.outputs(option)
    board.read(heddle.new(), option.board, option.set) -- mistakes before work
    local ctx <close> = heddle.new()
    local line = progress_line()
    local given = input.read(ctx, option)
    check_size(given.p, #spconv.windows(given.p, (spconv.active(given.p, given.x))))
    local c = case.new(ctx, given)
    local out = page.new(option.markdown)
    if not option.markdown then
        study.print(NAME)
    end
    tables.head(out, c)
    for _, note in ipairs(given.notes) do
        out:say("%s.", note)
    end
    local entry = at_board(c, line)
    tables.problem(out, entry, option)
    local good, result = judge(entry), summary(entry)
    if option.json then
        study.output(option.json, json.encode(result))
    end
    if good and option.out then
        local row = entry.problem.methods[1]
        local bytes, shape = input.result(given, row.result)
        study.output(option.out, ctx:buffer("file", "f32", shape, bytes):npy())
        study.print(("\n  wrote %s: f32[%s]"):format(option.out, table.concat(shape, ",")))
    end
    return good and result
end)
