-- Runs a sparse convolution on the context's machine by one of several methods, stage by stage.
--
--   local p = assert(spconv.problem{size = {16, 64, 64}, channels = 2, filters = 4, kernel = 3})
--   ctx:buffer("x", "f32", p.positions * p.channels, bytes)          -- layout p.layout
--   ctx:buffer("weight", "f32", p.filters * p.channels * p.volume, weights)
--   local run = pipeline.run(ctx, "unfold", p, {type = "f32", threads = 1})
--   run.stages[1]         {name, part = "method" | "mask", kernel, result = of the launch, macs = by shape, or nil}
--   run.y, run.windows    the result tensor, fp32, layout p.layout; the number of active windows
--   run.matrix_bytes      of the largest matrix, 0 without one
--   run.macs              {issued = by the shapes of what is launched, useful = of active elements only}
--   run.reads             by stage, how often the host reads the length of a list that it made, 4 bytes
--
--   pipeline.refusal(ctx, "unfold", p, {type = "f32"})     nil, or why the context's board cannot run the method
--
-- Options:
--   type         "f32" or "f16" of x and weight; sums, bias and the result are fp32. unfold-mma is for "f16"
--   x, weight, bias, y     names of buffers ("x", "weight", none, "y"); y is made here
--   pairs, windows   numbers of the rulebook's pairs and of active windows, if they are known; else they are counted
--   append       true: active positions are listed in the order of the warps' atomics; for unordered methods alone
--   limit        most bytes of a matrix (2^32); a larger one is refused before it is allocated
--   tile, block  the tile of a product ("8x128") and the threads of other blocks, where they are not to be chosen
--   warp, threads, functional, engine, progress     of a launch
--   caches       "warm": launches but the first start with the L2 of the previous one
--   known        results of launches of the same input by other methods, which are not timed again (heddle.kit.bench)
--
-- The result is 0 but at active windows in every method; a stage that only masks the result of a dense method is part
-- "mask". Names of buffers, by which traffic is reported, are those of the kernels' parameters and of the lists. What
-- depends on the layer alone is prepared before: weights in the order in which they are read, the rows of an implicit
-- matrix (taps).
--
-- Blocks and tiles are as large as the board allows (context:fits): there are kernels for boards that take 64
-- threads, 4 KB of shared memory and 64 registers a thread. On a smaller board the launch fails with a message. Between
-- stages the host reads how long a list is (4 bytes), to allocate what follows and to choose the grids.
local dense = require "heddle.spconv.stage.dense"
local lists = require "heddle.kit.lists"
local listing = require "heddle.spconv.stage.lists"
local matrix = require "heddle.spconv.stage.matrix"
local report = require "heddle.kit.report"
local rulebook = require "heddle.spconv.stage.rulebook"
local spconv = require "heddle.spconv.reference"
local stage = require "heddle.spconv.stage"
local study = require "heddle.kit.study"

-- The mask after the stages of a dense method.
local function masked(...)
    return lists.append({...}, {listing.begin_mask, listing.flags, listing.mask})
end

local unfold_stages = {listing.identify, listing.windows, matrix.of_windows, matrix.zero, matrix.unfold_by "unfold",
    matrix.multiply, matrix.zero_output, matrix.fold}

-- The methods, in the order in which they run and are shown. Of a row:
--   name, about   in tables and options, and what it is
--   stages        functions of the run
--   work          its multiplications in heddle.spconv.crossover: "unfold" of active windows, "dense" of every one,
--                 "rulebook" of pairs
--   bytes         the description there by which its bytes are predicted, if one does
--   looks         whether it looks at x for active windows, in one launch without lists
--   matrix        whether its windows are columns of a matrix in memory
--   unfolds       whether it is a form of unfolding, with which all others are compared
--   unordered     whether it takes active positions in any order
--   type          the only type of x and weights that it takes, of which `beside` is compared with it
--   unit          "mma": multiplied by the matrix unit
local rows = {
    {name = "unfold", work = "unfold", bytes = "unfold", matrix = true, unfolds = true, unordered = true,
        stages = unfold_stages,
        about = "active windows as columns of a matrix that is zeroed first, one product, folded"},
    {name = "unfold-all", work = "unfold", bytes = "unfold", matrix = true, unfolds = true,
        stages = {listing.identify, listing.windows, matrix.of_windows, matrix.unfold_by "unfold_all",
            matrix.multiply, matrix.fold_all},
        about = "unfold with zeros written: into the matrix, and into the result"},
    {name = "unfold-mma", work = "unfold", bytes = "unfold", matrix = true, unfolds = true, unordered = true,
        type = "f16", unit = "mma", beside = "unfold fp16", stages = unfold_stages,
        about = "as unfold, multiplied by the matrix unit"},
    {name = "dense-direct", work = "dense", bytes = "implicit", stages = masked(dense.direct),
        about = "every output by itself, without a matrix"},
    {name = "direct-skip", work = "unfold", bytes = "implicit", looks = true, stages = {dense.skip},
        about = "dense-direct in which a thread looks first whether its window is active"},
    {name = "direct-coop", work = "unfold", bytes = "implicit", looks = true, stages = {dense.prepare, dense.coop},
        about = "direct-skip with each active window shared out to the lanes of a warp"},
    {name = "direct-pack", work = "unfold", bytes = "implicit", looks = true, stages = {dense.prepare, dense.pack},
        about = "direct-skip with the active windows of a block packed and shared out"},
    {name = "im2col", work = "dense", bytes = "explicit", matrix = true,
        stages = masked(matrix.of_outputs, matrix.unfold_by "unfold_all", matrix.multiply_all,
            matrix.fold_unless_done),
        about = "every window as a column of a matrix, one product"},
    {name = "implicit", work = "dense", bytes = "implicit", stages = masked(dense.prepare, dense.implicit),
        about = "the same product, gathered from x when a tile is loaded"},
    {name = "indexed-implicit", work = "unfold", bytes = "implicit", unordered = true,
        stages = {listing.identify, listing.windows, dense.prepare, matrix.zero_output, dense.indexed},
        about = "the product of the active windows, gathered from x when a tile is loaded"},
    {name = "rulebook", work = "rulebook", unordered = true,
        stages = {listing.identify, listing.windows, rulebook.book, matrix.zero_output, rulebook.bias,
            rulebook.multiply},
        about = "pairs found by a hash table; one launch gathers, multiplies and adds"},
    {name = "rulebook-flags", work = "rulebook", stages = {listing.identify, listing.windows, rulebook.book_of_flags,
        matrix.zero_output, rulebook.bias, rulebook.multiply},
        about = "rulebook with pairs found by the flags of a dense grid's positions"},
}

local pipeline = {rows = rows, by = lists.by(rows, "name")}

-- The names of the methods that `is` holds of, all by default.
function pipeline.names(is)
    return lists.map(rows, function(row) return (not is or is(row)) and row.name or nil end)
end

pipeline.methods = pipeline.names()
pipeline.dense = pipeline.names(function(row) return row.work == "dense" end)
pipeline.looking = pipeline.names(function(row) return row.looks end)

-- Under which names measured rows are compared: a method's; of a dense one "NAME unmasked", without the stages that
-- only make its result the sparse one; "NAME fp16", with x and weights in fp16.
pipeline.views = {}
for _, row in ipairs(rows) do
    local views, name, every = pipeline.views, row.name, row.work == "dense"
    views[name], views[name .. " fp16"] = {method = name, dense = every}, {method = name, type = "f16"}
    views[name .. " unmasked"] = every and {method = name, dense = true, part = true} or nil
end

-- Why a method does not take a problem or an option.
local function check(method, p, options)
    local row, type = pipeline.by[method], options and options.type or "f32"
    if not row then
        study.refuse("there is no method '%s'; there are %s", method, table.concat(pipeline.methods, ", "))
    elseif type ~= (row.type or "f32") and type ~= "f16" then
        study.refuse("%s: type is '%s'; it must be %s", method, type, row.type or "f32 or f16")
    elseif p.positions * p.channels >= 1 << 31 or p.outputs * p.filters >= 1 << 31 then
        study.refuse("%s: kernels count the elements of a tensor up to 2^31 - 1; x has %s and y %s", method,
            report.count(p.positions * p.channels), report.count(p.outputs * p.filters))
    elseif math.max(table.unpack(p.kernel)) > 1023 then
        study.refuse("%s: a kernel has at most 1,023 elements in a dimension", method)
    elseif options and options.append and not row.unordered then
        study.refuse("%s: it needs its active positions in raster order; they cannot be appended", method)
    end
end

-- Runs a method; see the top. Raises what a launch raises, and errors of kind "input".
function pipeline.run(ctx, method, p, options)
    check(method, p, options)
    local self = stage.begin(ctx, pipeline.by[method], p, options)
    ctx:buffer("none", "u32", 0)
    ctx:buffer("none_f32", "f32", 0)
    ctx:buffer(self.y, "f32", p.outputs * p.filters, self.options.like and 1 or nil)
    for _, go in ipairs(pipeline.by[method].stages) do
        go(self)
    end
    local count = self:counted()
    self.macs.useful = count.pairs * p.channels * p.filters
    return {
        method = method, stages = self.stages, y = ctx:get(self.y), active = self.active,
        windows = self.windows or count.windows, matrix_bytes = self.matrix_bytes, macs = self.macs, reads = self.reads,
    }
end

-- Why a method's kernels for such channels, filters and kernel sizes do not fit the context's board; nil when they do.
-- The method runs without a clock on a single window; x, weight and y are replaced.
function pipeline.refusal(ctx, method, p, options)
    local one = assert(spconv.problem {size = p.kernel, kernel = p.kernel, lo = 0, hi = 0, channels = p.channels,
        filters = p.filters, layout = p.layout})
    local o = setmetatable({functional = true}, {__index = options})
    ctx:buffer("x", o.type or "f32", one.positions * one.channels, 1)
    ctx:buffer("weight", o.type or "f32", one.filters * one.channels * one.volume)
    local _, why = study.attempt(pipeline.run, ctx, method, one, o)
    return why
end

return pipeline
