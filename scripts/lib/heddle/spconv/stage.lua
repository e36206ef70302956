-- One run of a method of the sparse convolution: the state that its stages (heddle.spconv.stage.*) share. For
-- heddle.spconv.pipeline; see there for the options.
--
--   local run = stage.begin(ctx, row, p, {type = "f32"})
--   run:launch("fold", "spconv/fold", "fold", grid, block, {y = "y", ...})
--   run:zero("zero-output", "y")
local bench = require "heddle.kit.bench"
local gemm = require "heddle.gemm.launch"
local lists = require "heddle.kit.lists"
local spconv = require "heddle.spconv.reference"
local study = require "heddle.kit.study"

local stage = {}

local run = {}
run.__index = run

function stage.ceil(a, b)
    return (a + b - 1) // b
end

-- Most threads per SM among which work is shared: an SM holds no more (on most boards), and each computes its position
-- by integer divisions.
local ENOUGH <const> = 2048

-- Among how many threads to share `parts` parts of work that `threads` threads have each.
function run:share(parts, threads)
    return math.max(1, math.min(parts, ENOUGH * self.sms // threads))
end

-- The suffix of kernels that access four channels or filters at a time, with channels last, and that number.
function run:fours(channels)
    if self.p.layout == "nhwc" and channels % 4 == 0 then
        return "_last", 4
    end
    return "", 1
end

local programs = {} -- by file: {program, kernels by name}

local function load(ctx, file)
    if not programs[file] then
        local program = study.load(ctx, file)
        programs[file] = {program = program, kernels = lists.by(program:kernels(), "name")}
    end
    return programs[file]
end

-- True if a block of a kernel fits the board.
function run:holds(file, entry, threads)
    return self.ctx:fits(load(self.ctx, file).program, {entry = entry, block = threads, warp = self.width})
end

-- The result of a launch whose arguments are those of `args`, or else those of the problem.
local function start(self, file, entry, grid, block, args, more)
    local loaded, o = load(self.ctx, file), self.options
    local launch = lists.merge({entry = entry, grid = grid, block = block, args = {}, warp = o.warp,
        threads = o.threads, engine = o.engine, functional = o.functional}, more)
    for _, param in ipairs(loaded.kernels[entry].params) do
        launch.args[param.name] = args[param.name] or self.args[param.name]
    end
    return bench.launch(self.ctx, file, loaded.program, launch, loaded.kernels[entry].params,
        not launch.functional and o.known or nil)
end

-- Launches a kernel as part of a stage. Stages that only mask are after all others: with `like` the launches before are
-- those of another input.
function run:launch(name, file, entry, grid, block, args)
    local o = self.options
    if o.like and self.part == "method" then
        self.stages[#self.stages + 1] = o.like[#self.stages + 1]
        return
    end
    local result = start(self, file, entry, grid, block, args, {
        caches = #self.stages > 0 and o.caches or nil,
        progress = o.progress and function(share) return o.progress(name, share) end or nil,
    })
    self.stages[#self.stages + 1] = {name = name, part = self.part, kernel = entry, result = result}
end

-- Launches what depends on the layer alone, as its weights do: before the run, and so without a clock.
function run:prepare(file, entry, grid, block, args)
    if not self.options.like then
        start(self, file, entry, grid, block, args, {functional = true})
    end
end

-- The buffer of the weights with those of four filters side by side: as kernels/spconv/direct.hd reads them, or with
-- `coop` direct_coop.hd.
function run:weights_by_fours(coop)
    local p, kernel = self.p, coop and "coop" or "direct"
    local depth = p.volume * (coop and p.channels or 4 * stage.ceil(p.channels, 4))
    local count = 4 * stage.ceil(p.filters, 4) * depth
    local laid = self.ctx:buffer("tap_weight", self.type, count).name
    self:prepare(coop and "spconv/direct_coop" or "spconv/direct", ("%s_weights_b%d"):format(kernel, self.bits),
        stage.ceil(count, self.threads), self.threads,
        {weight = self.weight, laid = laid, volume = p.volume, depth = depth, count = count})
    return laid
end

-- The buffer of the predetermined elements, as kernels read them, and their number.
function run:elements()
    local list = {}
    for _, e in ipairs(self.p.predetermined) do
        table.move({e[1], e[2], e[3], 0}, 1, 4, #list + 1, list)
    end
    return self.ctx:buffer("elements", "u32", #list, list).name, #self.p.predetermined
end

-- {windows, pairs}: the numbers of active windows and of pairs, which the method need not know, by the host.
function run:counted()
    local o, p = self.options, self.p
    if not self.count and o.pairs and o.windows then
        self.count = {windows = o.windows, pairs = o.pairs}
    elseif not self.count then
        local active = spconv.positions(p, lists.bytes("f", self.ctx:get(self.x):table()))
        local windows = spconv.windows(p, active)
        self.count = {windows = #windows, pairs = spconv.pairs(p, active, windows)}
    end
    return self.count
end

-- Fills a buffer with zeros.
function run:zero(name_of_stage, name)
    local buffer = self.ctx:get(name)
    local bits = ({u8 = 8, f16 = 16, u32 = 32, f32 = 32})[buffer.type]
    if buffer.count > 0 then
        local blocks = math.min(stage.ceil(buffer.count * bits, 128 * self.threads), 8 * self.sms)
        self:launch(name_of_stage, "spconv/zero", "zero_b" .. bits, blocks, self.threads, {y = name, n = buffer.count})
    end
end

-- The launch of a product c [m,n] = a [m,k] b [k,n] on the board; more options as of heddle.gemm.launch.
function run:product(m, n, k, options)
    local file = gemm.file(options.type)
    return gemm.launch(lists.merge({
        m = m, n = n, k = k, sms = self.sms, warp = self.width,
        entry = self.options.tile and options.type ~= "mma" and ("gemm_%s_%s"):format(options.type, self.options.tile),
        holds = function(entry, threads) return self:holds(file, entry, threads) end,
    }, options))
end

-- Counts the multiply-accumulates of the last launch, by shape.
function run:multiplies(macs)
    self.stages[#self.stages].macs = macs
    self.macs.issued = self.macs.issued + macs
end

-- A number that the last launch computed, read by the host, which waits for it. Counted by stage.
function run:read(name)
    local last = self.stages[#self.stages].name
    self.reads[last] = (self.reads[last] or 0) + 1
    return self.ctx:get(name)[1]
end

-- ---- beginning ----

local BYTES <const> = {f32 = 4, f16 = 2}

-- Strides of a tensor between channels and between positions, in elements.
local function strides(layout, channels, area)
    if layout == "nhwc" then
        return 1, channels
    end
    return area, 1
end

-- Arguments with the same name in all kernels.
local function arguments(p)
    local args = {batch = p.batch, channels = p.channels, filters = p.filters}
    for i, dim in ipairs {"d", "h", "w"} do
        args["size_" .. dim], args["out_" .. dim], args["kernel_" .. dim] = p.size[i], p.out[i], p.kernel[i]
        args["stride_" .. dim], args["lo_" .. dim], args["e_" .. dim] = p.stride[i], p.lo[i], p.predetermined[1][i]
    end
    return args
end

-- A value of the context's board; without a board `otherwise`.
local function of_board(ctx, key, otherwise)
    local ok, value = pcall(ctx.board_value, ctx, key)
    return ok and value or otherwise
end

-- The name of a bias in which no number is -0.0: sums begin with it, and no result is to be -0.0.
local function without_negative_zero(ctx, name)
    local values, changed = ctx:get(name):table(), false
    for i, v in ipairs(values) do
        values[i], changed = v + 0.0, changed or v == 0 and 1 / v < 0
    end
    return changed and ctx:buffer(name .. "_plus", "f32", #values, values).name or name
end

-- Threads of a block, a multiple of every warp width: 128, and 256 where blocks make lists (suffix ""); or 64
-- ("_64"), in boards whose blocks are small.
local function choose_blocks(self)
    local function all(threads, kernels)
        return not lists.any(kernels, function(kernel) return not self:holds(kernel[1], kernel[2], threads) end)
    end
    local wide = all(256, {{"spconv/identify", "identify_count_b32"}, {"spconv/fold_all", "fold_all_last"}})
    self.threads = self.options.block or
        all(128, {{"spconv/direct", "direct_f32"}, {"spconv/unfold", "unfold_b32"}}) and 128 or 64
    self.list_threads, self.suffix = wide and 256 or 64, wide and "" or "_64"
    self.places = 4 * self.list_threads
end

-- A run of a method (a row of heddle.spconv.pipeline) without stages yet.
function stage.begin(ctx, row, p, options)
    local o = options or {}
    local self = setmetatable({
        ctx = ctx, method = row.name, p = p, options = o, part = "method", type = o.type or "f32",
        x = o.x or "x", weight = o.weight or "weight", y = o.y or "y",
        sms = of_board(ctx, "sms", 108), args = arguments(p),
        width = o.warp or of_board(ctx, "warp_width", 32),
        stages = {}, reads = {}, matrix_bytes = 0, macs = {issued = 0},
    }, run)
    self.bias = o.bias and without_negative_zero(ctx, o.bias)
    self.size, self.bits = BYTES[self.type], 8 * BYTES[self.type]
    self.gemm_type = row.unit or self.type
    self.in_sc, self.in_sp = strides(p.layout, p.channels, p.positions // p.batch)
    self.out_sc, self.out_sp = strides(p.layout, p.filters, p.outputs // p.batch)
    choose_blocks(self)
    return self
end

return stage
