-- Stages of the rulebook method: the host finds, for each element of the window, the pairs of an active position and a
-- window, and copies these lists to the device, which gathers, multiplies and adds, one element after the other. For
-- heddle.spconv.pipeline. They set in the run: active_list, window_list and book, on the host.
--
-- The host's work is counted in run.host: to_host, the active positions (4 bytes each); inserts, into a table of
-- positions and one of windows; probes, of the positions' table, one for each element of each window; pairs that were
-- found; to_device, 8 bytes for each pair, and 4 for each window that gets a bias. The weights of each element of the
-- window are contiguous before the run, as a layer would keep them.
local bench = require "heddle.kit.bench"
local lists = require "heddle.kit.lists"
local spconv = require "heddle.spconv.reference"
local stage = require "heddle.spconv.stage"

local rulebook = {}

local ceil = stage.ceil

-- The lists, by the host.
function rulebook.book(self)
    local p, host = self.p, self.host
    self.active_list = self.active > 0 and self.ctx:get("active"):table(1, self.active) or {}
    self.window_list = spconv.windows(p, self.active_list)
    self.book = spconv.rulebook(p, self.active_list, self.window_list)
    self.windows = #self.window_list
    if self.active > 0 then
        self:moved("identify", "to_host", 4 * self.active)
    end
    host.operations = {
        inserts = self.active + self.windows, probes = p.volume * self.windows, pairs = self.book.pairs,
    }
end

-- Copies a list for a stage.
local function copy(self, name_of_stage, name, list)
    self.ctx:buffer(name, "u32", #list, list)
    self:moved(name_of_stage, "to_device", 4 * #list)
end

-- `of`: rows of a thread at a time.
local function launch(self, name, kernel, count, rows, args, of)
    args.count, args.rows = count, rows
    local grid = {ceil(count, self.threads), self:share(rows // (of or 1), count)}
    self:launch(name, "spconv/rulebook", kernel, grid, self.threads, args)
end

local function scatter(self, name, kernel, count, args, of)
    local p = self.p
    args.y, args.to, args.area, args.sc, args.sp = self.y, "to", p.outputs // p.batch, self.out_sc, self.out_sp
    launch(self, name, kernel, count, p.filters, args, of)
end

function rulebook.bias(self)
    if self.bias and self.windows > 0 then
        copy(self, "bias", "to", self.window_list)
        scatter(self, "bias", "rulebook_bias", self.windows, {bias = self.bias})
    end
end

-- The weights [filters][channels] of each element of the window, from 0, as bytes.
local function weights_by_tap(self)
    local p, size, bytes, out = self.p, self.size, self.ctx:get(self.weight):bytes(), {}
    for tap = 0, p.volume - 1 do
        local pieces = {}
        for i = 0, p.filters * p.channels - 1 do
            local at = size * (i * p.volume + tap)
            pieces[#pieces + 1] = bytes:sub(at + 1, at + size)
        end
        out[tap] = table.concat(pieces)
    end
    return out
end

local TAP <const> = {"from", "to", "tap_weight", "gathered", "products"} -- buffers of a kernel element

local function one_tap(self, list, weights)
    local p, count = self.p, #list.from
    bench.clear(self.ctx, TAP)
    copy(self, "gather", "from", list.from)
    copy(self, "scatter", "to", lists.map(list.to, function(a) return self.window_list[a] end))
    self.ctx:buffer("tap_weight", self.type, p.filters * p.channels, weights)
    self.ctx:buffer("gathered", self.type, p.channels * count)
    self.ctx:buffer("products", "f32", p.filters * count)
    self.matrix_bytes = math.max(self.matrix_bytes, self.size * p.channels * count)
    local last, of = self:fours(p.channels)
    launch(self, "gather", "rulebook_gather" .. last .. "_b" .. self.bits, count, p.channels, {
        x = self.x, from = "from", g = "gathered", area = p.positions // p.batch, sc = self.in_sc, sp = self.in_sp,
    }, of)
    local plan = self:product(p.filters, count, p.channels, {type = self.type})
    local args = {a = "tap_weight", b = "gathered", c = "products", bias = "none_f32"}
    self:launch("gemm", plan.file, plan.entry, plan.grid, plan.block, setmetatable(args, {__index = plan.args}))
    self:multiplies(p.filters * p.channels * count)
    last, of = self:fours(p.filters)
    scatter(self, "scatter", "rulebook_scatter" .. last, count, {p = "products"}, of)
end

-- Gather, product and scatter, for each element of the window that has pairs.
function rulebook.taps(self)
    if self.book.pairs == 0 then
        return
    end
    local weights = weights_by_tap(self)
    for tap = 0, self.p.volume - 1 do
        if #self.book.taps[tap].from > 0 then
            one_tap(self, self.book.taps[tap], weights[tap])
        end
    end
end

return rulebook
