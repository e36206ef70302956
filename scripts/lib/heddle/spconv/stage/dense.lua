-- Stages of the methods of a convolution that compute results without a matrix in memory. For heddle.spconv.pipeline.
local stage = require "heddle.spconv.stage"

local dense = {}

local ceil = stage.ceil

-- Arguments of kernels without a matrix: tensors and their strides.
local function tensors(self)
    local p = self.p
    return {
        x = self.x, weight = self.weight, bias = self.bias or "none_f32", biased = self.bias and 1 or 0, y = self.y,
        outputs = p.outputs, sc = self.in_sc, sp = self.in_sp, ysc = self.out_sc, ysp = self.out_sp,
    }
end

-- The stage of a kernel whose threads have four filters of one output: of every output, or where it `looks` first, of
-- those whose windows are active.
local function by_fours(file, kernel, looks, coop)
    return function(self)
        local p, args, groups = self.p, tensors(self), ceil(self.p.filters, 4)
        if p.outputs == 0 then
            return
        end
        args.weight, args.taps, args.depth = self:weights_by_fours(coop), "taps", p.volume * p.channels
        if looks then
            args.elements, args.of = self:elements()
            groups = self:share(groups, p.outputs)
        end
        self:launch("direct", file, kernel .. self:fours(p.filters) .. "_" .. self.type,
            {groups, ceil(p.outputs, self.threads)}, self.threads, args)
        self:multiplies(p.filters * p.channels * p.volume * (looks and self:counted().windows or p.outputs))
    end
end

dense.direct = by_fours("spconv/direct", "direct")
dense.skip = by_fours("spconv/direct", "direct_skip", true)
dense.coop = by_fours("spconv/direct_coop", "direct_coop", true, true)

-- The stage of a kernel whose blocks, of at most 128 threads, look once and share their active windows out.
function dense.pack(self)
    local p, args, threads = self.p, tensors(self), math.min(self.threads, 128)
    if p.outputs > 0 then
        args.weight, args.taps, args.volume = self:weights_by_fours(), "taps", p.volume
        args.elements, args.of = self:elements()
        self:launch("direct", "spconv/direct_pack", "direct_pack" .. self:fours(p.filters) .. "_" .. self.type,
            ceil(p.outputs, threads), threads, args)
        self:multiplies(p.filters * p.channels * p.volume * self:counted().windows)
    end
end

-- The rows of the implicit matrix, as kernels/spconv/implicit.hd reads them. They follow from the layer's shapes.
function dense.prepare(self)
    local depth = self.p.channels * self.p.volume
    self.ctx:buffer("taps", "u64", depth)
    self:prepare("spconv/taps", "implicit_taps", ceil(depth, self.threads), self.threads,
        {taps = "taps", depth = depth, sc = self.in_sc, sp = self.in_sp})
end

-- Cycles of an SM for a warp's gather, of neighbouring outputs and of listed ones: fitted to both methods in every
-- shape on an a100 (16 x 32 x 64 positions, 3.6 % active, 2 -> 4, 16 -> 32 and 16 -> 80 channels).
local GATHER <const> = {dense = 24, listed = 50}
local TILE <const> = 16 -- rows of the matrix in a tile
local LANES <const> = 128 -- fused multiply-adds of an SM in a cycle, at most

local function implicit_of(entry)
    return (entry:gsub("^gemm", "implicit"))
end

-- The launch of the product in the tile shape with the least time of the busiest SM. More filters in a block share its
-- gather, which a product of matrices in memory does not have.
local function choose(self, columns, depth, gather)
    return self:product(self.p.filters, columns, depth, {
        type = self.type, biased = self.bias ~= nil,
        holds = function(entry, threads) return self:holds("spconv/implicit", implicit_of(entry), threads) end,
        cost = function(shape, blocks)
            return ceil(blocks, self.sms) * (TILE * shape.columns / self.width * gather
                + TILE * shape.rows * shape.columns / LANES / shape.reaches)
        end,
    })
end

local function multiply(self, columns, list)
    local p = self.p
    local depth = p.channels * p.volume
    local plan = choose(self, columns, depth, list and GATHER.listed or GATHER.dense)
    local args = tensors(self)
    args.taps, args.columns, args.depth = "taps", columns, depth
    args.list, args.listed = list or "none", list and 1 or 0
    self:launch("implicit", "spconv/implicit", implicit_of(plan.entry), plan.grid, plan.block, args)
    self:multiplies(p.filters * depth * columns)
end

-- Every output, as the product that im2col makes.
function dense.implicit(self)
    if self.p.outputs > 0 then
        multiply(self, self.p.outputs)
    end
end

-- The active windows only, into a result that is zeros.
function dense.indexed(self)
    if self.windows > 0 then
        multiply(self, self.windows, self.list)
    end
end

return dense
