-- Runs the methods of the mask study on a board, checks their results, and measures their cost.
--
--   local bench = launch.new(board.read(ctx, "a100"), {threads = 1})
--   local row = bench:run(p, {name = "words", order = "linear"})       p: heddle.mask.problem
--   row.difference                nil, or the first element that is wrong, in words
--   row.cycles, row.tensors.x.dram_moved, row.board_bytes              for the whole launch
--
-- Caches are cold at the start of every launch. Bytes that a launch leaves dirty in L2 must be written back later: they
-- are counted as `dirty` bytes of the written tensor, and are part of board_bytes. The cycles of a launch do not
-- include the write-back; `drained` are the cycles with it at DRAM's peak, its least time. With warm caches a method
-- is launched twice and the second launch counts, whose dirty bytes are those that it adds.
local bench = require "heddle.kit.bench"
local flow = require "heddle.mask.flow"
local lists = require "heddle.kit.lists"
local mask = require "heddle.mask.definition"
local methods = require "heddle.mask.methods"
local reference = require "heddle.mask.reference"
local study = require "heddle.kit.study"

local launch = {}
launch.__index = launch

-- The problem as a method takes it.
local function view(p, method)
    return method.lines and p:flat() or p
end

-- Bytes of the mask that a method reads or makes, for each of its elements.
local function mask_bytes(p, method)
    local kind = method.converts and method.gives or method.mask
    if kind == "words" or kind == "flat" then
        local v = view(p, method)
        return v:share() * v.pixels / p.pixels
    end
    return kind == "bool" and 1 or kind == "bits" and p:plain_share(method.padded) or
        kind == "fragments" and 1 / 8 or 0
end

-- Bytes that must move between the board's memory and the chip for each element of x (of the mask, when it is
-- converted) with this mask: each once, one mask for all heads, and x only in sectors that have an element to keep.
local MOVED <const> = {
    fill = function(p) return (1 + p:kept()) * p.size end,
    store = function(p) return p:masked() * p.size end,
    best = function(p) return 4 / p.width end,
}
MOVED.softmax = MOVED.fill

local function ideal(p, method)
    local read = mask_bytes(p, method)
    return method.converts and 1 + read or read / p.heads + MOVED[method.gives](p)
end

-- ---- launching ----

-- threads: of the host; line: the progress of the study, with a step for each launch; warm: caches; changed: a function
-- that gets each launch of heddle.mask.methods and may change it.
function launch.new(b, options)
    local values = b.values
    local width = options.warp or values.warp_width
    b:use(width ~= values.warp_width and {warp_width = width} or nil)
    return setmetatable({
        board = b, ctx = b.ctx, width = width, threads = options.threads or 1, line = options.line,
        warm = options.warm, changed = options.changed, registers = values.max_registers_per_thread, programs = {},
    }, launch)
end

-- A program of the kernels folder, unless `programs` has another by its name, as that of an adversary.
local function program(self, file)
    return self.programs[file] or study.load(self.ctx, file)
end

-- Makes a function of a program and a kernel that keeps what `make` gives of them.
local function once(make)
    local known = setmetatable({}, {__mode = "k"})
    return function(loaded, entry)
        known[loaded] = known[loaded] or {}
        known[loaded][entry] = known[loaded][entry] or make(loaded, entry)
        return known[loaded][entry]
    end
end

local kinds = once(function(loaded, entry) return flow.kinds(loaded:text(), entry) end)

-- The uses of the words in a launch: thread-instructions per element, by mnemonic (heddle.mask.flow).
local function word_uses(self, plan, result, elements)
    local out = flow.uses(kinds(program(self, plan.file), plan.entry), result.lines)
    for kind, lanes in pairs(out) do
        out[kind] = lanes / elements
    end
    return out
end

-- The names of a kernel's parameters.
launch.parameters = once(function(loaded, entry)
    local kernel = lists.by(loaded:kernels(), "name")[entry]
    return lists.map(kernel and kernel.params, function(param) return param.name end)
end)

local buffer_types = {[1] = "u8", [2] = "u16", [4] = "u32", [8] = "u64"}

-- The buffers by the names of arguments: element size and contents before the launch (nil: zeros of that size).
local buffers = {}

function buffers.mask(p) return 1, p.truth end
function buffers.words(p, method)
    return p.bits // 8, not method.converts and p:words() or nil, #p:words()
end
function buffers.bits(p, method)
    return 4, not method.converts and p:plain_bits() or nil, #p:plain_bits()
end
function buffers.lines(p)
    return 4, p:padded_bits()
end
function buffers.fragments(p) return 4, p:fragments() end
function buffers.fragments4(p) return 4, p:fragments4() end
function buffers.best(p) return 4, nil, 4 * p.n * p.heads * p.height end
function buffers.x(p, method)
    return p.size, method.order == "interleaved" and p:x_interleaved() or p.x
end
function buffers.y(p, method)
    if method.gives == "store" then
        return p.size, p.x
    end
    return p.size, nil, method.order == "interleaved" and #p:x_interleaved() or #p.x
end

-- Scalars by the names of arguments: of the problem, but for these.
local scalars = {
    share = function(_, plan) return plan.share end,
    value = function(p) return ("0x%x"):format((("<I" .. p.size):unpack(p.value))) end,
}
for _, name in ipairs {"n", "heads", "height", "width", "polarity", "scale"} do
    scalars[name] = function(p) return p[name] end
end

local function arguments(self, p, method, plan)
    bench.clear(self.ctx)
    local args = {}
    for _, name in ipairs(launch.parameters(program(self, plan.file), plan.entry)) do
        if scalars[name] then
            args[name] = scalars[name](p, plan)
        else
            local size, bytes, length = buffers[name](p, method)
            args[name] = self.ctx:buffer(name, buffer_types[size], (length or #bytes) // size, bytes)
        end
    end
    return args
end

-- The first wrong element of the result, in words, or nil. A tensor is compared in its own shape.
local function check(self, p, method)
    local function got(name)
        return self.ctx:get(name):bytes()
    end
    local v = view(p, method)
    if method.gives == "words" or method.gives == "flat" then
        local height, width = mask.words(v.layout, v.height, v.width)
        return reference.difference(got "words", v:words(), height, width, v.bits // 8)
    elseif method.gives == "bits" then
        return reference.difference(got "bits", p:plain_bits(), 1, #p:plain_bits() // 4, 4)
    elseif method.gives == "best" then
        return reference.difference(got "best", p:largest_key(), p.height, 1, 4)
    elseif method.gives == "softmax" then
        p.softmax[method.name] = got "y"
        return reference.softmax_difference(p, p.softmax[method.name])
    end
    local y = got "y"
    if method.order == "interleaved" then
        if y == v:want_interleaved() then
            return nil
        end
        y = reference.deinterleave(y, v)
    end
    return reference.difference(y:sub(1, #p.x), p:want(), p.height, p.width, p.size)
end

-- ---- counting ----

local SECTOR = 32

-- The traffic of each tensor, in bytes. All dirty bytes belong to the one tensor that is written; in place there are
-- none where nothing is masked.
local function tensors_of(result, written, dirty)
    local out = {}
    for name, t in pairs(result.traffic) do
        out[name] = {
            requests = t.requests, sectors = t.sectors, l1_useful = t.useful_bytes, l1_moved = SECTOR * t.sectors,
            l2_useful = t.l2_useful_bytes, l2_moved = SECTOR * (t.l2_read_sectors + t.l2_write_sectors),
            dram_useful = t.dram_useful_bytes, dram_moved = t.dram_read_bytes + t.dram_write_bytes,
            dirty = name == written and dirty or 0,
        }
    end
    return out
end

local written_by = {words = "words", flat = "words", bits = "bits", best = "best"}

-- `before`: dirty bytes that were in L2 already.
local function counted(row, result, p, method, before)
    local m, elements = result.metrics, method.converts and p.pixels or p.elements
    local bytes, dirty = m["dram.read_bytes"] + m["dram.write_bytes"], m["l2.dirty_bytes"] - before
    row.elements, row.timed = elements, result.timed
    row.cycles = result.cycles
    row.overhead_cycles, row.limiter = result.overhead_cycles, result.limiter
    row.instructions = result.thread_instructions / elements
    row.warp_instructions = result.warp_instructions
    row.sectors_per_request = m["l1.requests"] > 0 and m["l1.sectors"] / m["l1.requests"] or nil
    row.energy = m["energy.dynamic"] -- J
    row.energy_assumed = m["energy.assumed"]
    row.dram_bytes, row.dirty_bytes, row.board_bytes = bytes, dirty, bytes + dirty
    row.dirty_share = bytes + dirty > 0 and dirty / (bytes + dirty) or 0
    row.drained = bench.drained(result, dirty)
    row.bytes_per_element = row.board_bytes / elements
    row.ideal_bytes, row.mask_bytes, row.word_bits = ideal(p, method), mask_bytes(p, method), p.bits
    row.tensors = tensors_of(result, written_by[method.gives] or "y", dirty)
end

-- Runs one method: {label, method, order, difference, ...}; without `timed` only its result is checked.
-- `what`: {name, order}.
function launch:run(p, what, timed)
    local method = lists.merge(methods.by[what.name], {order = what.order})
    local v = view(p, method)
    local plan = methods.launch(what.name, {
        g = v.bits, rows = v.layout.rows, bytes = v.size, order = what.order, n = v.n, heads = v.heads,
        height = v.height, width = v.width, masked_row = v.masked_row, warp = self.width,
        registers = self.registers, sms = self.board.values.sms,
    })
    if self.changed then
        self.changed(plan)
    end
    local label = methods.label(what)
    local about = {method = what.name, order = what.order, label = label, entry = plan.entry, runs_as = plan.runs_as}
    local same = not method.lines and p.ran and p.ran[plan.runs_as]
    if same and (same.timed or false) == timed then
        p.softmax[what.name] = p.softmax[plan.runs_as]
        return lists.merge(same, about)
    end
    local options = {
        entry = plan.entry, grid = plan.grid, block = plan.block, warp = self.width, threads = self.threads,
        args = arguments(self, v, method, plan), functional = not timed,
        progress = self.line and function(share)
            return self.line.share((self.done + share) / self.launches, label)
        end,
    }
    local result, before = self.ctx:launch(program(self, plan.file), options), 0
    if timed and self.warm then
        before, options.caches = result.metrics["l2.dirty_bytes"], "warm"
        result = self.ctx:launch(program(self, plan.file), options)
    end
    local row = lists.merge(about, {difference = check(self, p, method)})
    row.verified = row.difference == nil
    if timed then
        counted(row, result, p, method, before)
        row.word_uses = method.orders and word_uses(self, plan, result, row.elements) or nil
    end
    return row
end

return launch
