-- The cost of a reorder on a board: cycles, instructions, passes of shared memory, energy.
--
--   local m = clock.new(board.read(ctx, "a100"), 32)
--   m:alone("transit1")                 cycles of one reorder by a single warp on the SM, of all runs that it has
--   m:full("transit1").cycles           cycles per reorder at full occupancy
--   m:fft("transit1", "loaded").cycles  cycles per FFT of 2W samples with this reorder, full occupancy
--
-- A board without room for a program is an error of input, as that of any launch (study.attempt).
--
-- A reorder uses nothing outside its SM, so the board is measured with one SM. Programs are straight lines of reorders
-- whose results are the next inputs; the difference between a long and a short one cancels everything else. Each result
-- is compared with the definition. A launch begins with its own buffers and no others, so that they have the same
-- addresses, and it takes the same cycles, whatever was measured before.
local bench = require "heddle.kit.bench"
local check = require "heddle.signal.check"
local energies = require "heddle.claims.energies"
local fft = require "heddle.signal.fft"
local file = require "heddle.kit.file"
local home = require "heddle.kit.home"
local lists = require "heddle.kit.lists"
local methods = require "heddle.reorder.methods"

local clock = {}
clock.__index = clock

-- Reorders in the short and the long program. Neither is a multiple of 4, 5, 6 or 7, after which the values are where
-- they were for W = 8, 16, 32, 64; their difference divides exactly.
local SHORT, LONG = 9, 73
local WARPS = 8          -- of a block, where the board allows it
local FEW, MANY = 4, {loaded = 20, kept = 36} -- frames of each warp in the short and the long launch of FFTs
local WHOLE = 17         -- tiles of W frames on each SM of the whole board
local NEAR = 1e-5        -- sums of 2W samples below 1 that are rounded otherwise differ by less than that times W

-- 201 samples, repeated.
local SAMPLES = ""
for i = 1, 201 do
    SAMPLES = SAMPLES .. ("<f"):pack((i * 7919 % 201 - 100) / 128)
end

-- warps: of a block; threads: of this computer; line: of the progress (heddle.kit.progress).
function clock.new(board, width, options)
    local values, o = board.values, options or {}
    local warps = math.min(o.warps or WARPS, values.max_threads_per_block // width, values["sm.max_warps"])
    return setmetatable({
        board = board, ctx = board.ctx, width = width, warps = warps, programs = {}, expected = {}, more = {},
        blocks = math.min(values["sm.max_blocks"], values["sm.max_warps"] // warps), threads = o.threads, few = FEW,
        line = o.line,
    }, clock)
end

-- The next step of the progress, by its work in that of one method (measure.work).
function clock:step(text, work)
    if self.line then
        self.line.step(("%s, W = %d: %s"):format(self.board.name, self.width, text), work)
    end
end

-- Runs body() on the board with other values.
function clock:with(values, body)
    local before = self.more
    self.more = values
    local _ <close> = setmetatable({}, {__close = function() self.more = before end})
    return body()
end

-- Launches the text of a program on `sms` SMs (nil: the board's) with these buffers, {name, type, shape, init}, as its
-- arguments.
local function launch(self, text, sms, options, buffers)
    local ctx, width = self.ctx, self.width ~= self.board.values.warp_width and self.width or nil
    if options.caches ~= "warm" then
        self.board:use(lists.merge({sms = sms, warp_width = width}, self.more))
        bench.clear(ctx)
    end
    for _, b in ipairs(buffers) do
        ctx:buffer(b[1], b[2], b[3], b[4])
        options.args[b[1]] = b[1]
    end
    -- the folder is that which the FFTs include from
    self.programs[text] = self.programs[text] or ctx:load(text, home.path "kernels/fft/timed.hd")
    options.warp, options.threads = self.width, self.threads
    return ctx:launch(self.programs[text], options)
end

-- ---- reorders in a row ----

-- The inputs of `runs` runs, and the results of `count` reorders, of which 1 + log2 W in a row change nothing.
local function expected(self, name, runs, count)
    local times = name == "none" and 0 or count % (1 + math.tointeger(math.log(self.width, 2)))
    local key = runs .. " " .. times
    if not self.expected[key] then
        local source = {}
        for i = 0, runs * 2 * self.width - 1 do
            source[i + 1] = ("<I4"):pack(i * 2654435761 & 0xffffffff)
        end
        local found = {table.concat(source)}
        found[2] = found[1]
        for _ = 1, times do
            found[2] = methods.reference(found[2], self.width)
        end
        self.expected[key] = found
    end
    return table.unpack(self.expected[key])
end

-- Launches `blocks` blocks of `warps` warps on one SM; with a clock each warp writes the cycles that it measured
-- to the buffer "spent".
local function reorders(self, name, blocks, warps, options)
    local width = self.width
    local runs = blocks * warps * methods.get(name, width).runs
    local source, want = expected(self, name, runs, options.count)
    options.warps = warps
    local result = launch(self, methods.source(name, width, options), 1,
        {grid = blocks, block = warps * width, args = {}}, {
            {"src", "u32", 2 * width * runs, source}, {"dst", "u32", 2 * width * runs},
            options.clock and {"spent", "u32", blocks * warps} or nil,
        })
    assert(result.timed, "the launch had no clock")
    assert(self.ctx:get("dst"):bytes() == want, name .. ": the result is not the definition's")
    return result
end

-- The cycles that a warp measured between the readiness of both values and of both results.
local function measured(self, name, recompute)
    reorders(self, name, 1, 1, {count = 1, recompute = recompute, clock = true})
    return self.ctx:get("spent")[1]
end

-- Cycles of one reorder by a single warp on the SM: from the readiness of both values to that of both results, without
-- the cycles of reading the clock.
function clock:alone(name, recompute)
    return measured(self, name, recompute) - measured(self, "none")
end

-- Cycles per reorder when one warp, or each of the `warps` of a block, executes only reorders.
function clock:in_a_row(name, warps)
    local short = reorders(self, name, 1, warps or 1, {count = SHORT})
    local long = reorders(self, name, 1, warps or 1, {count = LONG})
    return (long.cycles - short.cycles) / (LONG - SHORT)
end

-- The cost of a reorder at full occupancy.
function clock:full(name, recompute)
    local short = reorders(self, name, self.blocks, self.warps, {count = SHORT, recompute = recompute})
    local long = reorders(self, name, self.blocks, self.warps, {count = LONG, recompute = recompute})
    local all = (LONG - SHORT) * self.blocks * self.warps * methods.get(name, self.width).runs
    local function each(metric)
        return (long.metrics[metric] - short.metrics[metric]) / all
    end
    local function issued(class)
        return ((long.classes[class] or 0) - (short.classes[class] or 0)) / all
    end
    return {
        cycles = (long.cycles - short.cycles) / all,
        instructions = (long.warp_instructions - short.warp_instructions) / all,
        passes = each "sm.shared_passes",
        barriers = issued "bar", warp_barriers = issued "bar.warp",
        barrier_wait = each "stall.barrier", energy_nj = 1e9 * each "energy.dynamic",
        energies = (energies.of(long) - energies.of(short)) * (1e9 / all),
        warps_per_sm = long.metrics["occupancy.warps"], blocks_by_shared = long.metrics["occupancy.by_shared"],
        limiter = long.limiter,
    }
end

-- ---- the FFT ----

local function read(name)
    return file.own("kernels/fft/" .. name .. ".hd")
end

-- An FFT: text, entry, and how it is launched: warps of a block, blocks of an SM, frames that a warp does at once, and
-- whether its spectra are those of rfft_warp bit for bit. `roots` are "loaded" for each frame, or "kept" in registers.
-- `name` is a reorder, or a row of methods.ffts, which has none.
local function fft_of(self, name, roots)
    local row, kept, width = methods.ffts[name], roots == "kept", self.width
    local kernel = row and row[roots] or kept and "rfft_many rfft_many" or "rfft_warp"
    local file_name, entry = kernel:match "^(%S+) ?(%S*)"
    local text = row and read(file_name) or methods.inside(read(file_name), name, width, self.warps)
    return {text = text, entry = entry ~= "" and entry .. "_" .. width or file_name, warps = self.warps,
        blocks = self.blocks, frames = row and row.frames or 1, rounds = row and row.rounds, tile = row and row.tile}
end

-- Launches an FFT of `frames` frames by `blocks` blocks.
local function transform(self, one, frames, blocks, sms, options)
    local n = 2 * self.width
    return launch(self, one.text, sms, lists.merge({entry = one.entry, grid = blocks, block = one.warps * self.width,
        args = {frames = frames, n = n}}, options), {
            {"x", "f32", frames * n, SAMPLES:rep(frames * n // 201 + 1):sub(1, 4 * frames * n)},
            {"spectrum", "c64", {frames, self.width + 1}}, not one.tile and {"tw", "f32", 2 * n, fft.table(n)} or nil,
        })
end

-- The FFT of one thread a frame fits itself to what an SM holds.
local function fitted(self, one)
    if one.tile then
        one.warps, one.frames = 1, self.width
        self.resident = self.resident or transform(self, one, self.width, 1, 1).metrics["occupancy.blocks"]
        one.blocks = math.tointeger(self.resident)
    end
    return one
end

-- The spectra of rfft_warp, from a run without a clock; the first are checked against double precision.
local function spectra(self, frames)
    local n, bytes = 2 * self.width, 8 * frames * (self.width + 1)
    if #(self.spectra or "") < bytes then
        transform(self, {text = read "rfft_warp", entry = "rfft_warp", warps = self.warps}, frames,
            (frames + self.warps - 1) // self.warps, nil, {functional = true})
        self.spectra = self.ctx:get("spectrum"):bytes()
        local found = check.compare(self.ctx, n, math.min(frames, 32), check.reference(self.ctx:get "x", n))
        assert(found.outside == 0, "the FFT is not the reference's")
    end
    return self.spectra:sub(1, bytes)
end

-- Launches a timed FFT: `frames` of them by the blocks that `sms` SMs (nil: the board's) hold, or with roots loaded by
-- as many as they take. Those that round otherwise than rfft_warp are as near to it as both are to the reference.
local function timed(self, name, roots, frames, sms, options)
    local one, width = fitted(self, fft_of(self, name, roots)), self.width
    local all = math.ceil(frames / (one.frames * one.warps))
    local held = math.min(all, one.blocks * (sms or self.board.values.sms))
    local want = spectra(self, frames)
    local result = transform(self, one, frames, roots == "kept" and held or all, sms, options)
    local got, off = self.ctx:get("spectrum"):bytes(), 0
    if one.rounds then
        local reference = lists.numbers("f", 4, want)
        for i, v in ipairs(lists.numbers("f", 4, got)) do
            off = math.max(off, math.abs(v - reference[i]))
        end
    end
    assert(one.rounds and off <= NEAR * width or got == want, name .. ": the spectra are not those of rfft_warp")
    return result
end

-- The cost of an FFT of 2W samples at full occupancy of one SM, which has all of L2 and DRAM.
function clock:fft(name, roots)
    local one = fitted(self, fft_of(self, name, roots))
    local each = one.blocks * one.warps * one.frames
    local few = one.frames > 2 and 1 or self.few
    local more = (MANY[roots] - FEW) // (one.frames > 2 and 4 or 1)
    local short, long = timed(self, name, roots, few * each, 1), timed(self, name, roots, (few + more) * each, 1)
    local frames = more * each
    return {
        cycles = (long.cycles - short.cycles) / frames,
        instructions = (long.warp_instructions - short.warp_instructions) / frames,
        energy = 1e9 * (long.metrics["energy.dynamic"] - short.metrics["energy.dynamic"]) / frames, -- nJ
        limiter = long.limiter,
    }
end

-- The whole board, roots kept: cycles of an SM per frame until all is written back, with cold caches and with what the
-- same launch left in L2; of both the share of them that DRAM is busy, and the limiter.
function clock:fft_board(name)
    local each, row = WHOLE * self.width, {}
    for _, at in ipairs {{"cold", "board"}, {"warm", "warm"}} do -- what the first leaves in L2, the second finds there
        local result = timed(self, name, "kept", each * self.board.values.sms, nil, {caches = at[1]})
        local cycles = bench.drained(result, result.metrics["l2.dirty_bytes"])
        local busy = result.metrics["dram.busy"] / 100 * result.cycles -- and in the write-back all of the time
        row["cycles_" .. at[2]], row["limiter_" .. at[2]] = cycles / each, result.limiter
        row["dram_" .. at[2]] = (busy + cycles - result.cycles) / cycles
    end
    return row
end

return clock
