-- Stages of a sparse convolution around a matrix with a column for each window: its allocation, its contents, the
-- product, and the result. For heddle.spconv.pipeline. They set in the run: columns, depth (rows) and pitch of the
-- matrix.
local report = require "heddle.kit.report"
local stage = require "heddle.spconv.stage"
local study = require "heddle.kit.study"

local matrix = {}

local ceil = stage.ceil

-- Allocates a matrix of `columns` columns. Fast kernels of the matrix unit need a multiple of eight.
local function allocate(self, columns)
    local p = self.p
    local rows = p.channels * p.volume
    self.columns, self.depth = columns, rows
    self.pitch = self.gemm_type == "mma" and rows % 8 == 0 and ceil(columns, 8) * 8 or columns
    local bytes = rows * self.pitch * self.size
    local limit = self.options.limit or 1 << 32
    if bytes > limit or rows * self.pitch >= 1 << 32 then
        study.refuse("%s: the matrix of %d x %d numbers would have %s bytes, more than %s", self.method, rows,
            self.pitch, report.count(bytes), report.count(math.min(limit, self.size << 32)))
    end
    self.matrix_bytes = bytes
    if columns > 0 and not self.options.like then
        self.ctx:buffer("matrix", self.type, rows * self.pitch)
    end
end

function matrix.of_windows(self)
    allocate(self, self.windows)
end

-- A column for every output.
function matrix.of_outputs(self)
    allocate(self, self.p.outputs)
end

function matrix.zero(self)
    if self.columns > 0 then
        self:zero("zero", "matrix")
    end
end

-- The stage that fills the matrix by a kernel, "unfold" or "unfold_all".
function matrix.unfold_by(kernel)
    return function(self)
        local p = self.p
        if self.columns == 0 then
            return
        end
        local quads = math.min(ceil(p.channels, 4), 64)
        local rows = self:share(p.kernel[1] * p.kernel[2], self.pitch * quads)
        local grid = {ceil(self.pitch, self.threads), rows, quads}
        local entry = kernel .. self:fours(p.channels) .. "_b" .. self.bits
        self:launch("unfold", "spconv/unfold", entry, grid, self.threads, {
            x = self.x, list = self.list or "none", listed = self.list and 1 or 0, m = "matrix",
            columns = self.columns, pitch = self.pitch, sc = self.in_sc, sp = self.in_sp,
        })
    end
end

local function multiply_into(self, name)
    local p = self.p
    local plan = self:product(p.filters, self.pitch, self.depth, {type = self.gemm_type, biased = self.bias ~= nil})
    local args = {a = self.weight, b = "matrix", c = name, bias = self.bias or "none_f32"}
    self:launch("gemm", plan.file, plan.entry, plan.grid, plan.block, setmetatable(args, {__index = plan.args}))
    self:multiplies(p.filters * self.pitch * self.depth)
end

function matrix.multiply(self)
    if self.columns > 0 then
        self.ctx:buffer("columns", "f32", self.p.filters * self.pitch)
        multiply_into(self, "columns")
    end
end

-- The product of every output's column; where it has the layout of the result, it is the result.
function matrix.multiply_all(self)
    local p = self.p
    self.folded = p.layout == "nchw" and p.batch == 1 and self.pitch == self.columns
    if not self.folded then
        matrix.multiply(self)
    elseif self.columns > 0 then
        multiply_into(self, self.y)
    end
end

-- ---- the result ----

function matrix.zero_output(self)
    self:zero("zero-output", self.y)
end

-- The transposed tile of kernels/spconv/fold.hd: rows, columns.
local TRANSPOSED <const> = {16, 32}

function matrix.fold(self)
    local p = self.p
    if self.columns == 0 then
        return
    end
    local kernel, grid = "fold", {ceil(self.columns, self.threads), self:share(p.filters, self.columns)}
    if p.layout == "nhwc" then
        local across = ceil(self.columns, TRANSPOSED[2])
        kernel, grid = "fold_last", {across, self:share(ceil(p.filters, TRANSPOSED[1]), across * self.threads)}
    end
    self:launch("fold", "spconv/fold", kernel, grid, self.threads, {
        columns = "columns", list = self.list or "none", listed = self.list and 1 or 0, y = self.y,
        count = self.columns, pitch = self.pitch, rows = p.filters, area = p.outputs // p.batch, sc = self.out_sc,
        sp = self.out_sp,
    })
end

-- After multiply_all.
function matrix.fold_unless_done(self)
    if not self.folded then
        matrix.fold(self)
    end
end

function matrix.fold_all(self)
    local p = self.p
    if self.columns == 0 then
        return matrix.zero_output(self)
    end
    local grid = {ceil(p.outputs, self.places), self:share(p.filters, ceil(p.outputs, 4))}
    local kernel = "fold_all" .. (p.layout == "nhwc" and "_last" or "") .. self.suffix
    self:launch("fold", "spconv/fold_all", kernel, grid, self.list_threads, {
        columns = "columns", flags = self.prefix .. "flags", offsets = self.prefix .. "offsets", y = self.y,
        pitch = self.pitch, rows = p.filters, area = p.outputs // p.batch, sc = self.out_sc, sp = self.out_sp,
        outputs = p.outputs,
    })
end

return matrix
