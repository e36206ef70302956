-- Stages of a sparse convolution that make lists: active positions, active windows; and the mask of dense results.
-- For heddle.spconv.pipeline. They set in the run: active and windows, the numbers; list, the buffer with the windows;
-- prefix, of the names of the windows' flags and offsets.
local bench = require "heddle.kit.bench"
local stage = require "heddle.spconv.stage"

local lists = {}

local ceil = stage.ceil

-- Makes the list of the set flags from `counts`. Returns its length. Names begin with `prefix`.
local function compact(self, name, prefix, list, blocks)
    local flags, counts, offsets = prefix .. "flags", prefix .. "counts", prefix .. "offsets"
    self.ctx:buffer(offsets, "u32", blocks)
    self.ctx:buffer("total", "u32", 1)
    self:launch(name, "spconv/compact", "compact_scan" .. self.suffix, 1, self.list_threads,
        {counts = counts, offsets = offsets, total = "total", blocks = blocks})
    local count = self:read "total"
    self.ctx:buffer(list, "u32", count)
    if count > 0 then
        self:launch(name, "spconv/compact", "compact_write" .. self.suffix, blocks, self.list_threads,
            {flags = flags, offsets = offsets, list = list})
    end
    return count
end

local function identify_in_order(self)
    local p, blocks = self.p, ceil(self.p.positions, self.places)
    self.ctx:buffer("flags", "u8", self.places * blocks)
    self.ctx:buffer("counts", "u32", blocks)
    self:launch("identify", "spconv/identify", "identify_count_b" .. self.bits .. self.suffix, blocks,
        self.list_threads, {x = self.x, flags = "flags", counts = "counts", area = p.positions // p.batch,
            sc = self.in_sc, sp = self.in_sp})
    return compact(self, "identify", "", "active", blocks)
end

local function identify_by_append(self)
    local p = self.p
    self.ctx:buffer("active", "u32", p.positions)
    self.ctx:buffer("total", "u32", 1)
    self:zero("identify", "total")
    self:launch("identify", "spconv/identify", "identify_append_b" .. self.bits, ceil(p.positions, self.threads),
        self.threads, {x = self.x, list = "active", total = "total", area = p.positions // p.batch, sc = self.in_sc,
            sp = self.in_sp})
    return self:read "total"
end

-- Active positions in raster order.
function lists.identify(self)
    if self.p.positions == 0 then
        self.ctx:buffer("active", "u32", 0)
        self.active = 0
    else
        self.active = (self.options.append and identify_by_append or identify_in_order)(self)
    end
end

-- True if each active position has exactly one window, at the same place of the output.
local function is_identity(p)
    local e = p.predetermined[1]
    local same = #p.predetermined == 1
    for i = 1, 3 do
        same = same and p.stride[i] == 1 and p.lo[i] == e[i] and p.out[i] == p.size[i]
    end
    return same
end

-- Active windows in raster order.
function lists.windows(self)
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
    local blocks = ceil(p.outputs, self.places)
    local elements, of = self:elements()
    ctx:buffer("window_flags", "u8", self.places * blocks)
    ctx:buffer("window_counts", "u32", blocks)
    self:zero("windows", "window_flags")
    self:launch("windows", "spconv/windows", "windows_mark", ceil(self.active, self.threads), self.threads,
        {list = "active", elements = elements, flags = "window_flags", count = self.active, of = of})
    self:launch("windows", "spconv/identify", "compact_count" .. self.suffix, blocks, self.list_threads,
        {flags = "window_flags", counts = "window_counts"})
    self.windows = compact(self, "windows", "window_", "windows", blocks)
end

-- The stages from here on are not part of the method, but of its comparison: what the method needed besides its result
-- is freed, so that the mask has the same addresses after every method.
function lists.begin_mask(self)
    bench.clear(self.ctx, {"taps", "tap_weight", "matrix", "columns"})
    self.part = "mask"
end

-- A flag for each output, whether its window is active: all that a mask needs, without lists.
function lists.flags(self)
    local p, threads = self.p, 64 -- which every board has
    local blocks = ceil(p.outputs, 4 * threads)
    local elements, of = self:elements()
    self.ctx:buffer("flags", "u8", 4 * threads * blocks)
    local args = {x = self.x, elements = elements, flags = "flags", outputs = p.outputs, of = of,
        area = p.positions // p.batch, sc = self.in_sc, sp = self.in_sp}
    if p.outputs > 0 and is_identity(p) then
        self:launch("flags", "spconv/identify", "identify_flags_b" .. self.bits, blocks, threads, args)
    elseif p.outputs > 0 then
        self:launch("flags", "spconv/flags", "flags_b" .. self.bits, ceil(p.outputs, self.threads), self.threads, args)
    end
    self.windows = 0
    for _, flag in ipairs(self.ctx:get("flags"):table(1, p.outputs)) do -- a check that the method does not see
        self.windows = self.windows + flag
    end
end

-- Outputs without an active window become 0.
function lists.mask(self)
    local p = self.p
    if p.outputs == 0 then
        return
    end
    local kernel, grid = "mask", {ceil(p.outputs, self.threads), self:share(p.filters, p.outputs)}
    if p.layout == "nhwc" then
        kernel, grid = "mask_last", self:share(ceil(p.outputs * p.filters, self.threads), self.threads)
    end
    self:launch("mask", "spconv/fold", kernel, grid, self.threads, {
        flags = "flags", y = self.y, rows = p.filters, area = p.outputs // p.batch, sc = self.out_sc,
        sp = self.out_sp, outputs = p.outputs,
    })
end

return lists
