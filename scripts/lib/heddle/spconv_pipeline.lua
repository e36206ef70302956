-- Runs a sparse convolution on the context's machine by one of several methods, stage by stage.
--
--   local p = assert(spconv.problem{size = {16, 64, 64}, channels = 2, filters = 4, kernel = 3})
--   ctx:buffer("x", "f32", p.positions * p.channels, bytes)          -- layout p.layout
--   ctx:buffer("weight", "f32", p.filters * p.channels * p.volume, weights)
--   local run = pipeline.run(ctx, "unfold", p, {type = "f32", threads = 1})
--   run.stages[1]         {name = "identify", part = "method", kernel = "identify_count_b32", result = of the launch}
--   run.y                 the result tensor, fp32, layout p.layout
--   run.active, run.windows            numbers of active positions, and of active windows A; nil where not found out
--   run.matrix_bytes      of the matrix (or of the largest one of the rulebook's), 0 without one
--   run.macs              {issued = by the shapes of what is launched, useful = of active elements only}
--   run.host              {to_host = bytes, to_device = bytes, operations = {inserts, probes, pairs}}
--
-- Methods: pipeline.methods in order, told about in pipeline.about. Options:
--   type         "f32" or "f16" of x and weight; sums, bias and the result are fp32. unfold-mma is for "f16"
--   x, weight, bias, y     names of buffers ("x", "weight", none, "y"); y is made here
--   pairs        the rulebook's number of pairs, if it is known; else it is counted, for macs.useful
--   append       true: active positions are listed by identify_append, in the order in which warps come
--   limit        bytes a matrix may have (2^32); more is refused before it is allocated
--   warp, threads, functional, engine, progress     of a launch
--
-- A stage is one launch or several under one name. The result is 0 but at active windows in every method; what the
-- dense ones do to that end, which they would not do alone, is marked with part = "mask". Buffers are named for what
-- they hold (traffic is told by these names): x, weight, bias, y; active and windows, the lists; flags, counts,
-- offsets and window_flags ..., what they are made from; matrix; columns, the product before it is folded; elements,
-- the predetermined ones.
--
-- Between stages the host reads how long a list is (4 bytes), to allocate what follows and to choose the grids.
local gemm = require "heddle.gemm"
local spconv = require "heddle.spconv"
local study = require "heddle.study"

local pipeline = {methods = {}, about = {}}

local BLOCK_OF_FLAGS <const> = 1024 -- places of a block in kernels/spconv/identify.hd
local THREADS <const> = 128 -- of the other blocks: a multiple of every warp width
local BYTES <const> = {f32 = 4, f16 = 2}

local function ceil(a, b)
    return (a + b - 1) // b
end

-- ---- launching ----

local run = {}
run.__index = run

local programs = setmetatable({}, {__mode = "k"}) -- of each context: {file = {program, kernels by name}}

local function load(ctx, file)
    local of = programs[ctx] or {}
    programs[ctx] = of
    if not of[file] then
        local program, kernels = study.load(ctx, file), {}
        for _, kernel in ipairs(program:kernels()) do
            kernels[kernel.name] = kernel
        end
        of[file] = {program = program, kernels = kernels}
    end
    return of[file]
end

-- Launches a kernel as part of a stage; its arguments come from `args`, or else from those that the problem has.
function run:launch(stage, file, entry, grid, block, args)
    local loaded, o, named = load(self.ctx, file), self.options, {}
    for _, param in ipairs(loaded.kernels[entry].params) do
        named[param.name] = args[param.name] or self.args[param.name]
    end
    local result = self.ctx:launch(loaded.program, {
        entry = entry, grid = grid, block = block, args = named, warp = o.warp, threads = o.threads, engine = o.engine,
        functional = o.functional, progress = o.progress and function(share) return o.progress(stage, share) end or nil,
    })
    self.stages[#self.stages + 1] = {name = stage, part = self.part, kernel = entry, result = result}
end

function run:zero(stage, name)
    local buffer = self.ctx:get(name)
    local bits = ({u8 = 8, f16 = 16, u32 = 32, f32 = 32})[buffer.type]
    if buffer.count > 0 then
        local blocks = math.min(ceil(buffer.count * bits, 128 * THREADS), 8 * self.sms)
        self:launch(stage, "spconv/zero", "zero_b" .. bits, blocks, THREADS, {y = name, n = buffer.count})
    end
end

-- A number that the device computed.
function run:read(name)
    self.host.to_host = self.host.to_host + 4
    return self.ctx:get(name)[1]
end

-- ---- lists ----

-- The list of the flags that are set; `counts` are there. Returns its length. Names begin with `prefix`.
function run:compact(stage, prefix, list, blocks)
    local flags, counts, offsets = prefix .. "flags", prefix .. "counts", prefix .. "offsets"
    self.ctx:buffer(offsets, "u32", blocks)
    self.ctx:buffer("total", "u32", 1)
    self:launch(stage, "spconv/identify", "compact_scan", 1, 256,
        {counts = counts, offsets = offsets, total = "total", blocks = blocks})
    local count = self:read "total"
    self.ctx:buffer(list, "u32", count)
    if count > 0 then
        self:launch(stage, "spconv/identify", "compact_write", blocks, 256,
            {flags = flags, offsets = offsets, list = list})
    end
    return count
end

local function identify_in_order(self)
    local p, blocks = self.p, ceil(self.p.positions, BLOCK_OF_FLAGS)
    self.ctx:buffer("flags", "u8", BLOCK_OF_FLAGS * blocks)
    self.ctx:buffer("counts", "u32", blocks)
    self:launch("identify", "spconv/identify", "identify_count_b" .. self.bits, blocks, 256,
        {x = self.x, flags = "flags", counts = "counts", area = p.positions // p.batch, sc = self.in_sc,
            sp = self.in_sp})
    return self:compact("identify", "", "active", blocks)
end

local function identify_by_append(self)
    local p = self.p
    self.ctx:buffer("active", "u32", p.positions)
    self.ctx:buffer("total", "u32", 1)
    self:zero("identify", "total")
    self:launch("identify", "spconv/identify", "identify_append_b" .. self.bits, ceil(p.positions, THREADS), THREADS,
        {x = self.x, list = "active", total = "total", area = p.positions // p.batch, sc = self.in_sc,
            sp = self.in_sp})
    return self:read "total"
end

-- Active positions in raster order.
local function identify(self)
    if self.p.positions == 0 then
        self.ctx:buffer("active", "u32", 0)
        self.active = 0
    else
        self.active = (self.options.append and identify_by_append or identify_in_order)(self)
    end
end

-- Whether each active position has exactly one window, at the same place of the output.
local function is_identity(p)
    local e = p.predetermined[1]
    local same = #p.predetermined == 1
    for i = 1, 3 do
        same = same and p.stride[i] == 1 and p.lo[i] == e[i] and p.out[i] == p.size[i]
    end
    return same
end

-- Active windows in raster order.
local function windows(self)
    local p, ctx = self.p, self.ctx
    if is_identity(p) then
        self.list, self.prefix, self.windows = "active", "", self.active
        return
    end
    self.list, self.prefix, self.windows = "windows", "window_", 0
    ctx:buffer("windows", "u32", 0)
    if self.active == 0 or p.outputs == 0 then
        return
    end
    local blocks, elements = ceil(p.outputs, BLOCK_OF_FLAGS), {}
    for _, e in ipairs(p.predetermined) do
        table.move({e[1], e[2], e[3], 0}, 1, 4, #elements + 1, elements)
    end
    ctx:buffer("elements", "u32", #elements, elements)
    ctx:buffer("window_flags", "u8", BLOCK_OF_FLAGS * blocks)
    ctx:buffer("window_counts", "u32", blocks)
    self:zero("windows", "window_flags")
    self:launch("windows", "spconv/windows", "windows_mark", ceil(self.active, THREADS), THREADS,
        {list = "active", elements = "elements", flags = "window_flags", count = self.active, of = #p.predetermined})
    self:launch("windows", "spconv/identify", "compact_count", blocks, 256,
        {flags = "window_flags", counts = "window_counts"})
    self.windows = self:compact("windows", "window_", "windows", blocks)
end

-- ---- the matrix ----

-- Makes room for a matrix of so many columns; nil when it has none. The matrix unit's fast kernels need a multiple of
-- eight columns and rows.
local function matrix(self, columns)
    local p = self.p
    local rows = p.channels * p.volume
    self.columns, self.depth = columns, rows
    self.pitch = self.gemm_type == "mma" and rows % 8 == 0 and ceil(columns, 8) * 8 or columns
    local bytes = rows * self.pitch * self.size
    local limit = self.options.limit or 1 << 32
    if bytes > limit or rows * self.pitch >= 1 << 32 then
        study.refuse("%s: the matrix of %d x %d numbers would have %d bytes, more than %d", self.method, rows,
            self.pitch, bytes, math.min(limit, self.size << 32))
    end
    self.matrix_bytes = bytes
    if columns > 0 then
        self.ctx:buffer("matrix", self.type, rows * self.pitch)
    end
end

local function matrix_of_windows(self)
    matrix(self, self.windows)
end

local function zero_matrix(self)
    if self.columns > 0 then
        self:zero("zero", "matrix")
    end
end

local function unfold_by(kernel)
    return function(self)
        local p = self.p
        if self.columns == 0 then
            return
        end
        local grid = {ceil(self.pitch, THREADS), p.kernel[1] * p.kernel[2], math.min(ceil(p.channels, 4), 64)}
        self:launch("unfold", "spconv/unfold", kernel .. "_b" .. self.bits, grid, THREADS, {
            x = self.x, list = self.list or "none", listed = self.list and 1 or 0, m = "matrix",
            columns = self.columns, pitch = self.pitch, sc = self.in_sc, sp = self.in_sp,
        })
    end
end

local function multiply_into(self, name)
    local p = self.p
    local plan = gemm.launch {
        m = p.filters, n = self.pitch, k = self.depth, type = self.gemm_type, biased = self.bias ~= nil, sms = self.sms,
        warp = self.width,
    }
    local args = {a = self.weight, b = "matrix", c = name, bias = self.bias or "none_f32"}
    self:launch("gemm", plan.file, plan.entry, plan.grid, plan.block, setmetatable(args, {__index = plan.args}))
    self.macs.issued = self.macs.issued + p.filters * self.pitch * self.depth
end

local function multiply(self)
    if self.columns > 0 then
        self.ctx:buffer("columns", "f32", self.p.filters * self.pitch)
        multiply_into(self, "columns")
    end
end

-- ---- the result ----

local function zero_output(self)
    self:zero("zero-output", self.y)
end

local function fold(self)
    local p = self.p
    if self.columns > 0 then
        self:launch("fold", "spconv/fold", "fold", {ceil(self.columns, THREADS), math.min(p.filters, 64)}, THREADS, {
            columns = "columns", list = self.list or "none", listed = self.list and 1 or 0, y = self.y,
            count = self.columns, pitch = self.pitch, rows = p.filters, area = p.outputs // p.batch, sc = self.out_sc,
            sp = self.out_sp,
        })
    end
end

local function fold_all(self)
    local p = self.p
    if self.columns == 0 then
        return zero_output(self)
    end
    local grid = {ceil(p.outputs, BLOCK_OF_FLAGS), math.min(p.filters, 64)}
    self:launch("fold", "spconv/fold", "fold_all", grid, 256, {
        columns = "columns", flags = self.prefix .. "flags", offsets = self.prefix .. "offsets", y = self.y,
        pitch = self.pitch, rows = p.filters, area = p.outputs // p.batch, sc = self.out_sc, sp = self.out_sp,
        outputs = p.outputs,
    })
end

-- ---- methods ----

-- name; types it is for; its stages; what it is
local rows = {
    {"unfold", "f32 f16", {identify, windows, matrix_of_windows, zero_matrix, unfold_by "unfold", multiply, zero_output,
        fold}, "active windows as the columns of a matrix that is received as zeros, one product, folded"},
    {"unfold-all", "f32 f16", {identify, windows, matrix_of_windows, unfold_by "unfold_all", multiply, fold_all},
        "the same with zeros written: into the matrix, and into the result"},
    {"unfold-mma", "f16", {identify, windows, matrix_of_windows, zero_matrix, unfold_by "unfold", multiply, zero_output,
        fold}, "as unfold, multiplied by the matrix unit"},
}
local stages_of, types_of = {}, {}
for i, row in ipairs(rows) do
    pipeline.methods[i], types_of[row[1]], stages_of[row[1]], pipeline.about[row[1]] = row[1], row[2], row[3], row[4]
end

-- Strides of a tensor between channels and between positions, in elements.
local function strides(layout, channels, area)
    if layout == "nhwc" then
        return 1, channels
    end
    return area, 1
end

-- What kernels ask for by the same name everywhere.
local function arguments(p)
    local args = {batch = p.batch, channels = p.channels, filters = p.filters}
    for i, dim in ipairs {"d", "h", "w"} do
        args["size_" .. dim], args["out_" .. dim], args["kernel_" .. dim] = p.size[i], p.out[i], p.kernel[i]
        args["stride_" .. dim], args["lo_" .. dim], args["e_" .. dim] = p.stride[i], p.lo[i], p.predetermined[1][i]
    end
    return args
end

local function number_of_sms(ctx)
    local ok, sms = pcall(ctx.board_value, ctx, "sms")
    return ok and sms or 108
end

local function begin(ctx, method, p, options)
    local o = options or {}
    local self = setmetatable({
        ctx = ctx, method = method, p = p, options = o, part = "method", type = o.type or "f32",
        x = o.x or "x", weight = o.weight or "weight", bias = o.bias, y = o.y or "y", sms = number_of_sms(ctx),
        args = arguments(p), stages = {}, matrix_bytes = 0, macs = {issued = 0},
        host = {to_host = 0, to_device = 0, operations = {inserts = 0, probes = 0, pairs = 0}},
    }, run)
    self.size, self.bits = BYTES[self.type], 8 * BYTES[self.type]
    self.gemm_type = method == "unfold-mma" and "mma" or self.type
    self.in_sc, self.in_sp = strides(p.layout, p.channels, p.positions // p.batch)
    self.out_sc, self.out_sp = strides(p.layout, p.filters, p.outputs // p.batch)
    return self
end

local function check(method, p, options)
    local types, type = types_of[method], options and options.type or "f32"
    if not types then
        study.refuse("there is no method '%s'; there are %s", method, table.concat(pipeline.methods, ", "))
    elseif not (" " .. types .. " "):find(" " .. type .. " ", 1, true) then
        study.refuse("%s: type is '%s'; it must be %s", method, type, (types:gsub(" ", " or ")))
    elseif p.positions * p.channels >= 1 << 31 or p.outputs * p.filters >= 1 << 31 then
        study.refuse("%s: kernels count the elements of a tensor up to 2^31 - 1; x has %d and y %d", method,
            p.positions * p.channels, p.outputs * p.filters)
    end
end

-- Numbers of a list in a buffer, as spconv has them.
local function list_of(ctx, name, count)
    return count > 0 and ctx:get(name):table(1, count) or {}
end

-- Multiplications of active elements only. Lists are read for this alone, which is not counted as part of the method.
local function useful(self)
    local count = self.options.pairs
    if not count and self.windows then
        local active, found = list_of(self.ctx, "active", self.active), list_of(self.ctx, self.list, self.windows)
        count = spconv.rulebook(self.p, active, found).pairs
    end
    return count and count * self.p.channels * self.p.filters
end

-- Runs a method; see the top. Raises what a launch raises, and errors of kind "input".
function pipeline.run(ctx, method, p, options)
    check(method, p, options)
    local self = begin(ctx, method, p, options)
    ctx:buffer("none", "u32", 0)
    ctx:buffer("none_f32", "f32", 0)
    ctx:buffer(self.y, "f32", p.outputs * p.filters)
    for _, stage in ipairs(stages_of[method]) do
        stage(self)
    end
    self.macs.useful = useful(self)
    return {
        method = method, stages = self.stages, y = ctx:get(self.y), active = self.active, windows = self.windows,
        matrix_bytes = self.matrix_bytes, macs = self.macs, host = self.host,
    }
end

return pipeline
