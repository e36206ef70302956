-- A sparse submanifold convolution by unfolding its active windows into a matrix, beside dense and other sparse ways
--
-- Every method runs on a board, its result is compared with a reference that this computer works out from the
-- definition, and what it cost is told by stage, by tensor and by level. With --x and --weight the tensors come from
-- files; without, real scans and random occupancies are convolved, and the claims are judged.
local heddle = require "heddle"
local board = require "heddle.board"
local case = require "heddle.spconv_case"
local claims = require "heddle.spconv_claims"
local input = require "heddle.spconv_input"
local json = require "heddle.json"
local measure = require "heddle.spconv_board"
local options = require "heddle.options"
local page = require "heddle.page"
local pictures = require "heddle.spconv_pictures"
local pipeline = require "heddle.spconv_pipeline"
local runs = require "heddle.spconv_runs"
local spconv = require "heddle.spconv"
local study = require "heddle.study"
local sweeps = require "heddle.spconv_sweeps"
local tables = require "heddle.spconv_tables"
local workload = require "heddle.spconv_workload"

local NAME = "heddle study spconv"

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
        "and by other ways, and says what each costs on a board. Without --x it convolves real scans and random\n" ..
        "occupancies and judges what is claimed of the method.",
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
        {name = "method", value = "NAME", default = "all", choices = {"all", table.unpack(pipeline.methods)},
            doc = "one method, or all"},
        {name = "board", value = "NAME", default = "a100", doc = "the board, or a .yaml file"},
        {name = "set", value = "KEY=VALUE", many = true, doc = "change a value of the board; may be repeated"},
        {name = "warp", value = "W", choices = {"8", "16", "32", "64"}, doc = "warp width (the board's)"},
        {name = "caches", value = "C", default = "cold", choices = {"cold", "warm"},
            doc = "cold at the start of each launch, or warm: as the launch before left L2"},
        {name = "positions", value = "N", kind = "integer", low = 8192, high = 1 << 24,
            doc = "of a plane of random occupancy; scans in grids of over twice as many are left out (32768)"},
        {name = "scans", value = "WHICH", default = "installed", choices = {"installed", "made"},
            doc = "installed: those of libcgal-demo, made: a generated street alone"},
        {name = "out", value = "FILE", doc = "write the result as .npy; - is standard output"},
        {name = "threads", value = "N", kind = "integer", low = 1, high = 256, default = 1,
            doc = "threads of this computer; the result does not depend on it"},
        {name = "brief", doc = "fewer tables; without --x a single scan and no densities"},
        {name = "markdown", doc = "as docs/claims-spconv.md has it"},
        {name = "plot", value = "DIR", doc = "draw costs by density, and bytes by tensor, there (gnuplot)"},
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
    if option.positions and option.x then
        study.refuse("--positions: it is for generated inputs; this one comes from a file")
    end
    option.positions = option.positions or workload.POSITIONS
    return option.x ~= nil
end

-- The methods to run: all, or the one that was asked for; with generated inputs beside the one that is claimed.
local function chosen(given)
    if option.method == "all" then
        return pipeline.methods
    end
    return (given or option.method == "unfold") and {option.method} or {"unfold", option.method}
end

-- ---- the study ----

-- The input of the files. One for which the tensors of the claimed method, or of the method asked for, do not fit is
-- refused; nothing of the board has been allocated yet.
local function read_input(ctx)
    local given = input.read(ctx, option)
    local name = option.method == "all" and "unfold" or option.method
    local windows = #spconv.windows(given.p, (spconv.active(given.p, given.x)))
    local why = case.unfit(given.p, windows, name, option.dtype == "fp16" and 2 or 4)
    if why then
        study.refuse("%s: %s: %s", option.x, name, why)
    end
    given.case = case.new(ctx, given)
    if option.dtype == "fp16" then
        given.case = given.case:rounded() or
            study.refuse("%s, %s: a number is beyond the range of fp16, which ends at 65504", option.x, option.weight)
    end
    return given
end

-- What was measured on the board, as JSON has it, and where.
local function at_board(given, line)
    local b = board.read(heddle.new(), option.board, option.set)
    local bench
    bench = measure.new(b, {
        warp = option.warp and math.tointeger(option.warp), threads = option.threads, keep = option.out ~= nil,
        type = option.dtype == "fp16" and "f16" or "f32", warm = option.caches == "warm",
        progress = line and function(text, share)
            line.show(("%s: %s%s %.0f %%"):format(b.name, bench.stage and bench.stage .. ", " or "", text, 100 * share))
            return true
        end,
    })
    local entry = {board = b.name, settings = b.set, warp = bench.width, machine = bench.machine,
        caches = option.caches}
    if given then
        entry.case, entry.problem = given.case, runs.input(bench, given.case, option.methods)
    else
        for key, value in pairs(runs.workloads(bench, option)) do
            entry[key] = value
        end
        entry.claims = option.method == "all" and claims.judge(entry) or nil
    end
    if line then
        line.clear()
    end
    return entry, bench
end

-- Calls visit(row, where) for everything that ran.
local function each_row(entry, visit)
    for name, row in pairs(entry.problem and entry.problem.by or {}) do
        visit(row, name)
    end
    for _, scan in ipairs(entry.scans or {}) do
        for name, row in pairs(scan.by) do
            visit(row, scan.name .. ", " .. name)
        end
    end
    for _, sweep in ipairs(entry.sweeps or {}) do
        for _, point in ipairs(sweep.points) do
            for name, row in pairs(point.by) do
                visit(row, ("%s, density %g, %s"):format(sweep.name, point.density, name))
            end
        end
    end
end

-- Says what is wrong; whether nothing is.
local function judge(entry)
    local wrong = {}
    each_row(entry, function(row, where)
        wrong[#wrong + 1] = row.difference and ("%s: %s, %s: %s"):format(NAME, entry.board, where, row.difference)
    end)
    table.sort(wrong)
    for _, text in ipairs(wrong) do
        study.complain(text)
    end
    return #wrong == 0
end

-- What is known of an input, for JSON.
local function about(c)
    return {
        input = json.list(c.about), active = c.active, windows = c.windows, positions = c.p.positions,
        outputs = c.p.outputs, density = c.density, share = c.q, pairs = c.pairs, exact = c.exact,
        size = json.list(c.p.size), kernel = json.list(c.p.kernel), channels = c.p.channels, filters = c.p.filters,
        batch = c.p.batch, layout = c.p.layout,
    }
end

local function summary(entry)
    local out = {study = "spconv", version = heddle.version, board = entry.board, settings = entry.settings,
        warp = entry.warp, dtype = option.dtype, caches = entry.caches, claims = entry.claims}
    if entry.problem then
        for key, value in pairs(about(entry.case)) do
            out[key] = value
        end
        out.methods = json.list(entry.problem.methods)
        return out
    end
    out.scans, out.sweeps = {}, json.list {}
    for i, scan in ipairs(entry.scans) do
        out.scans[i] = about(scan.case)
        out.scans[i].name, out.scans[i].methods = scan.name, json.list(scan.methods)
    end
    for i, sweep in ipairs(entry.sweeps or {}) do
        out.sweeps[i] = {name = sweep.name, points = sweep.points, crossovers = sweep.crossovers}
    end
    return out
end

-- The result as a file to write.
local function result_file(ctx, given, bench)
    local bytes, shape = input.result(given, bench.result)
    return {option.out, ctx:buffer("file", "f32", shape, bytes):npy(), ("f32[%s]"):format(table.concat(shape, ","))}
end

local function print_head(out, given)
    if not option.markdown then
        study.print(NAME)
    end
    if given then
        tables.head(out, given.case)
        for _, note in ipairs(given.notes) do
            out:say("%s.", note)
        end
    end
end

return study.main(NAME, function()
    local from_files = check_options()
    option.methods = chosen(from_files)
    study.outputs(option, {"out", "json"}, {"x", "weight", "bias"})
    board.read(heddle.new(), option.board, option.set) -- mistakes before work
    local ctx <close> = heddle.new()
    local given = from_files and read_input(ctx)
    local folder = option.plot and require "heddle.plot".folder(option.plot)
    local out = page.new(option.markdown)
    print_head(out, given)
    local entry, bench = at_board(given, study.progress_line())
    if given then
        tables.problem(out, entry, option)
    else
        sweeps.workloads(out, entry, option)
    end
    local good, result = judge(entry), summary(entry)
    local files = {option.json and {option.json, json.encode(result)}}
    if good and option.out then
        files[#files + 1] = result_file(ctx, given, bench)
    end
    study.output(files)
    if folder then
        pictures.draw(folder, entry, option)
        study.print("\n  " .. folder:finish())
    end
    return good and result
end)
