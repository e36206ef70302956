-- Convolve active windows only, unfolded into a matrix, beside dense and sparse methods
--
-- Every method runs on a board, its result is compared with a reference that the host computes from the definition, and
-- its cost is reported by stage, tensor and memory level. With --x and --weight the tensors are read from files;
-- without, real scans and random occupancies are convolved, and the claims are judged.
local heddle = require "heddle"
local board = require "heddle.kit.board"
local case = require "heddle.spconv.case"
local claims = require "heddle.spconv.claims"
local crossover = require "heddle.spconv.crossover"
local input = require "heddle.spconv.input"
local energies = require "heddle.claims.energies"
local lists = require "heddle.kit.lists"
local judge = require "heddle.claims.judge"
local measure = require "heddle.spconv.measure"
local options = require "heddle.kit.options"
local page = require "heddle.kit.page"
local pictures = require "heddle.spconv.pictures"
local pipeline = require "heddle.spconv.pipeline"
local show = require "heddle.claims.show"
local spconv = require "heddle.spconv.reference"
local study = require "heddle.kit.study"
local summary = require "heddle.spconv.summary"
local sweep = require "heddle.spconv.sweep"
local tables = require "heddle.spconv.tables"
local trials = require "heddle.spconv.trials"
local workload = require "heddle.spconv.workload"

local NAME = "heddle study spconv"

local TYPES <const> = {fp32 = "f32", fp16 = "f16"} -- of --dtype

local function notes()
    return "Methods:\n" .. table.concat(lists.map(pipeline.rows, function(row)
        return ("  %-17s %s"):format(row.name, row.about)
    end), "\n")
end

local option = options.parse {
    name = NAME, args = {...},
    summary = "Convolves a tensor only where its active positions are, by unfolding their windows into a matrix,\n" ..
        "and by other methods, and reports the cost of each on a board. Without --x it convolves real scans and\n" ..
        "random occupancies and judges the claims about the method.",
    notes = notes(),
    rows = {
        {heading = "Data and convolution"},
        {name = "x", value = "FILE", doc = ".npy of [N,Cin,H,W] or [N,Cin,D,H,W]"},
        {name = "weight", value = "FILE", doc = ".npy of [Cout,Cin,kh,kw] or [Cout,Cin,kd,kh,kw]"},
        {name = "bias", value = "FILE", doc = ".npy of [Cout], added at active windows"},
        {name = "stride", value = "S", doc = "one number, or one for each dimension (1)"},
        {name = "pad", value = "P", offers = {"same", "valid"},
            doc = "same (keeps the size at stride 1), valid, or lo:hi,... (same)"},
        {name = "centre", value = "E",
            doc = "predetermined elements of the kernel, as 1,1 or 0,0;1,1 (half the kernel)"},
        {name = "layout", value = "L", default = "nchw", choices = {"nchw", "nhwc"},
            doc = "channels first or last, of x and the result"},
        {name = "dtype", value = "TYPE", default = "fp32", choices = {"fp32", "fp16"},
            doc = "of x and weights on the board; sums and the result are fp32"},
        {heading = "Method and board"},
        {name = "method", value = "NAME", default = "all", choices = {"all", table.unpack(pipeline.methods)},
            doc = "one method, or all"},
        {"board", value = "BOARD,...", offers = {"all"}, default = "a100",
            doc = "the board, a .yaml file, several as a100,v100, or all boards"},
        "set", "uncertainty", "warp", "threads",
        {"caches", doc = "at the start of each launch: empty, or L2 as the previous launch left it"},
        {name = "identify", value = "HOW", default = "ordered", choices = {"ordered", "append"},
            doc = "active positions in raster order, or by atomic append where a method needs no order"},
        {heading = "Workload"},
        {name = "positions", value = "N", kind = "integer", low = workload.FEWEST, high = 1 << 24,
            doc = ("of a plane of random occupancy, %d to %d; scans in grids of over twice as many are skipped " ..
                "(%d)"):format(workload.FEWEST, 1 << 24, workload.FEWEST)},
        {name = "crossover",
            doc = "with --x: find the crossovers of costs, by random occupancies of the same shape"},
        {name = "scans", value = "WHICH", default = "installed", choices = {"installed", "made"},
            doc = "installed: those of libcgal-demo; made: only a generated street"},
        {heading = "What is printed and written"},
        {name = "out", value = "FILE", doc = "write the result as .npy; - is standard output"},
        {"details", doc = "without --x also reasons, counts and costs; --markdown alone has those that decide"},
        {"brief", doc = "fewer tables; without --x one scan, on several boards some sizes too, and no densities"},
        "markdown",
        "plot",
        "csv", "html", "json",
    },
}

-- ---- options ----

-- Standard input is one file.
local function check_standard_input()
    local first
    for _, name in ipairs {"x", "weight", "bias"} do
        if option[name] == "-" and first then
            study.refuse("--%s and --%s: only one of them can come from standard input", first, name)
        end
        first = first or option[name] == "-" and name
    end
end

-- Refuses options that exclude each other; returns true if the tensors are read from files.
local function check_options()
    if option.x and not option.weight then
        study.refuse("--x: it goes with --weight, which is not given")
    end
    for _, name in ipairs {"weight", "bias", "stride", "pad", "centre", "out", "crossover"} do
        if option[name] and not option.x then
            study.refuse("--%s: it goes with --x, which is not given", name)
        end
    end
    if option.positions and option.x then
        study.refuse("--positions: it is for generated inputs; this one comes from a file")
    end
    if option.crossover and option.method ~= "all" and pipeline.by[option.method].unfolds then
        study.refuse("--crossover: it compares unfold with other methods; give --method all, or one of the others")
    end
    if option.identify == "append" and option.method ~= "all" and not pipeline.by[option.method].unordered then
        study.refuse("--identify append: %s needs its active positions in raster order", option.method)
    end
    check_standard_input()
    return option.x ~= nil
end

-- The boards to run on; errors are reported before any work.
local function board_names()
    local names, seen = option.board == "all" and board.ALL or options.split(option.board), {}
    for _, name in ipairs(names) do
        if name == "" then
            study.refuse("--board: '%s' has an empty entry; 'heddle board' lists the boards", option.board)
        end
        local found = board.read(heddle.new(), name, option.set).name
        if seen[found] then
            study.refuse("--board: '%s' is named twice", found)
        end
        seen[found] = true
    end
    return names
end

-- The methods to run: all, or the requested one; with generated inputs also the method of the claims.
local function chosen(given)
    if option.method == "all" then
        return pipeline.methods
    end
    return (given or option.method == "unfold") and {option.method} or {"unfold", option.method}
end

-- The methods among them that list active positions by atomic append; nil without --identify append.
local function appended()
    return option.identify == "append" and lists.map(option.methods, function(name)
        return pipeline.by[name].unordered and name or nil
    end) or nil
end

-- ---- the study ----

-- Refuses tensors that do not fit: those of the requested method, or else of unfold.
local function check_fits(p, windows)
    local name = option.method == "all" and "unfold" or option.method
    local _, element = measure.taken(name, TYPES[option.dtype])
    local why = case.unfit(p, windows, name, element)
    if why then
        study.refuse("%s: %s: %s", option.x, name, why)
    end
end

-- The input from files. Tensors that are too large by their shapes alone are refused before they are read, those with
-- too many active windows once these are counted, before anything is allocated on the board.
local function read_input(ctx, boards, progress)
    local piped = input.piped(option)
    local seen = input.look(option, piped)
    if seen then
        check_fits(seen, 0)
    end
    progress("reading %s", option.x)
    local given = input.read(ctx, option, piped)
    progress "looking for active positions"
    local active = spconv.positions(given.p, given.x)
    local windows = #spconv.windows(given.p, active)
    check_fits(given.p, windows)
    local warning = tables.warning(given.p, {windows = windows, active = #active, methods = option.methods,
        boards = boards})
    if warning then
        study.complain(NAME .. ": " .. warning)
    end
    progress "computing the reference"
    given.case = case.new(ctx, given)
    if option.dtype == "fp16" then
        given.case = given.case:rounded() or
            study.refuse("%s, %s: a number is beyond the range of fp16, whose largest is 65,504", option.x,
                option.weight)
    end
    return given
end

-- The methods that unfolding is compared with: the others among these, all others of unfold alone.
local function baselines_of(methods)
    local alone = #methods == 1 and methods[1] == "unfold"
    return lists.map(alone and pipeline.methods or methods, function(name)
        return not pipeline.by[name].unfolds and name or nil
    end)
end

-- The measurements of the input from files: its costs, and their position relative to the crossovers.
local function of_files(bench, entry, c)
    local baselines = baselines_of(option.methods)
    bench.work = trials.WORK
    entry.case, entry.problem = c, bench:input(c, option.methods)
    entry.methods = {"unfold", "unfold-all", table.unpack(baselines)}
    entry.crossovers = crossover.points(c, entry.problem.rows, baselines, entry.how)
    if option.crossover then
        local s = sweep.new(bench, "this shape", c.p)
        entry.sweeps = {#s.densities > 1 and s or nil}
        for _ in ipairs(entry.sweeps) do
            s:fill(entry.methods)
            s:search(entry.methods)
        end
    end
end

local function bench_of(name, line)
    return measure.new(board.read(heddle.new(), name, option.set), {
        warp = option.warp and math.tointeger(option.warp), threads = option.threads, keep = option.out ~= nil,
        type = TYPES[option.dtype], warm = option.caches == "warm",
        append = option.identify == "append", line = line,
    })
end

-- Refuses a board that cannot run the requested methods.
local function check_boards(names, given)
    local p = given and given.p or workload.problem(workload.geometries(option.positions)[1], option.layout)
    for _, name in ipairs(names) do
        local bench = bench_of(name)
        bench:check(p, option.method)
        if option.crossover or not given and not option.brief then
            bench:check(p, "unfold") -- the baseline of every sweep
        end
    end
end

-- The measurements on a board, and the bench that took them.
local function at_board(name, given, line)
    local bench = bench_of(name, line)
    local b = bench.board
    local entry = {board = b.name, settings = b.set, warp = bench.width,
        how = {machine = bench.machine, element = bench.type == "f16" and 2 or 4}, caches = option.caches,
        append = appended()}
    if given then
        of_files(bench, entry, given.case)
    else
        entry = lists.merge(entry, trials.measure(bench, option))
        entry.verdicts = option.method == "all" and
            heddle.array(judge.all(claims.rows, claims.metrics, entry.trials, entry.turns,
                energies.ranges(b))) or nil
    end
    return entry, bench
end

-- Reports wrong results; returns whether there are none.
local function all_right(entries)
    local wrong = summary.wrong(entries)
    for _, text in ipairs(wrong) do
        study.complain(("%s: %s"):format(NAME, text))
    end
    return #wrong == 0
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
        tables.head(out, given.case, option)
    end
    for _, note in ipairs(given and given.notes or {}) do
        out:say("%s.", note)
    end
    tables.say_layout(out, option)
end

return study.main(NAME, function()
    local from_files = check_options()
    option.methods = chosen(from_files)
    study.outputs(option, {"out", "json"}, {"x", "weight", "bias"})
    local names = board_names()
    option.positions, option.boards = option.positions or workload.FEWEST, #names
    local ctx <close> = heddle.new()
    local line = study.progress(#names * trials.WORK * (option.crossover and 2 or 1))
    local given = from_files and read_input(ctx, #names, function(text, ...)
        line.step(text:format(...), 0)
    end)
    check_boards(names, given)
    local out = page.new(option)
    print_head(out, given)
    local entries, bench = {}, nil
    for i, name in ipairs(names) do
        entries[i], bench = at_board(name, given, line)
        if given then
            tables.problem(out, entries[i], option)
        else
            tables.workloads(out, entries[i], option)
        end
        for _, into in ipairs(out:drawn()) do
            pictures.draw(into, entries[i], option)
        end
    end
    show.matrix(out, lists.map(entries, function(entry) return {entry.board, entry.verdicts} end))
    local good, result = all_right(entries), summary.json(entries, option)
    local files = good and option.out and {result_file(ctx, given, bench)} or {}
    return study.finish("spconv", option, result, good, files)
end, option)
