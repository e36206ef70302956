-- The cost of a reorder on a board: cycles, instructions, passes of shared memory, energy.
--
--   local m = clock.new(board.read(ctx, "a100"), 32)
--   m:alone("transit1")          cycles of one reorder by a single warp on the SM
--   m:full("transit1").cycles    cycles per reorder at full occupancy
--   m:fft("transit1").cycles     cycles per FFT of 2W samples with this reorder, full occupancy
--
-- A reorder uses nothing outside its SM, so the board is measured with one SM. Programs are straight lines of reorders
-- whose results are the next inputs; the difference between a long and a short one cancels everything else. Each result
-- is compared with the definition.
local fft = require "heddle.signal.fft"
local home = require "heddle.kit.home"
local reorder = require "heddle.reorder.programs"

local clock = {}
clock.__index = clock

-- Reorders in the short and the long program. Neither is a multiple of 4, 5, 6 or 7, after which the values are where
-- they were for W = 8, 16, 32, 64; their difference divides exactly.
local SHORT, LONG = 9, 73
local WARPS = 8          -- of a block, where the board allows it
local FEW, MANY = 4, 20  -- waves of the short and the long launch of FFTs

function clock.new(board, width)
    local values = board.values
    local warps = math.min(WARPS, values.max_threads_per_block // width)
    return setmetatable({
        board = board, ctx = board.ctx, width = width, warps = warps, programs = {}, expected = {}, more = {},
        blocks = math.min(values["sm.max_blocks"], values["sm.max_warps"] // warps),
    }, clock)
end

-- Runs body() on the board with other values.
function clock:with(values, body)
    local before = self.more
    self.more = values
    local ok, result = pcall(body)
    self.more = before
    if not ok then
        error(result, 0)
    end
    return result
end

local function use(self, sms)
    local set = {warp_width = self.width ~= self.board.values.warp_width and self.width or nil, sms = sms}
    for key, value in pairs(self.more) do
        set[key] = value
    end
    self.board:use(set)
end

local function program(self, text)
    local p = self.programs[text]
    if not p then
        p = self.ctx:load(text, home.path "kernels/fft/reorders.hd") -- the folder that the FFT includes from
        self.programs[text] = p
    end
    return p
end

-- ---- reorders in a row ----

-- The inputs of `runs` runs, and the results of `count` reorders.
local function expected(self, name, runs, count)
    local key = ("%s %d %d"):format(name == "none" and "none" or "", runs, count)
    local found = self.expected[key]
    if not found then
        local width, source, want = self.width, {}, {}
        for run = 0, runs - 1 do
            for place = 0, 2 * width - 1 do
                local from = place
                for _ = 1, name == "none" and 0 or count do
                    from = 2 * (from % width) + from // width
                end
                local at = run * 2 * width + place + 1
                source[at] = ("<I4"):pack((at - 1) * 2654435761 & 0xffffffff)
                want[at] = ("<I4"):pack((run * 2 * width + from) * 2654435761 & 0xffffffff)
            end
        end
        found = {table.concat(source), table.concat(want)}
        self.expected[key] = found
    end
    return found[1], found[2]
end

-- One launch of `blocks` blocks of `warps` warps; each warp writes the cycles that it measured to the buffer "spent".
local function launch(self, name, blocks, warps, options)
    local runs, width = blocks * warps, self.width
    local source, want = expected(self, name, runs, options.count)
    options.warps = warps
    self.ctx:buffer("src", "u32", 2 * width * runs, source)
    self.ctx:buffer("dst", "u32", 2 * width * runs)
    self.ctx:buffer("spent", "u32", runs)
    local result = self.ctx:launch(program(self, reorder.source(name, width, options)), {
        grid = blocks, block = warps * width, warp = width,
        args = {src = "src", dst = "dst", spent = options.clock and "spent" or nil},
    })
    assert(result.timed, "the launch had no clock")
    assert(self.ctx:get("dst"):bytes() == want, name .. ": the result is not the definition's")
    return result
end

-- The cycles that a warp measured between the readiness of both values and of both results.
local function measured(self, name, recompute)
    use(self, 1)
    launch(self, name, 1, 1, {count = 1, recompute = recompute, clock = true})
    return self.ctx:get("spent")[1]
end

-- Cycles of one reorder by a single warp on the SM: from the readiness of both values to that of both results, without
-- the cycles of reading the clock.
function clock:alone(name, recompute)
    return measured(self, name, recompute) - measured(self, "none")
end

-- Cycles per reorder when one warp, or each of the `warps` of a block, executes only reorders.
function clock:in_a_row(name, warps)
    use(self, 1)
    local short = launch(self, name, 1, warps or 1, {count = SHORT})
    local long = launch(self, name, 1, warps or 1, {count = LONG})
    return (long.cycles - short.cycles) / (LONG - SHORT)
end

-- The cost of a reorder at full occupancy.
function clock:full(name, recompute)
    use(self, 1)
    local short = launch(self, name, self.blocks, self.warps, {count = SHORT, recompute = recompute})
    local long = launch(self, name, self.blocks, self.warps, {count = LONG, recompute = recompute})
    local reorders = (LONG - SHORT) * self.blocks * self.warps
    local function each(metric)
        return (long.metrics[metric] - short.metrics[metric]) / reorders
    end
    local function issued(class)
        return ((long.classes[class] or 0) - (short.classes[class] or 0)) / reorders
    end
    return {
        cycles = (long.cycles - short.cycles) / reorders,
        instructions = (long.warp_instructions - short.warp_instructions) / reorders,
        passes = each "sm.shared_passes",
        barriers = issued "bar", warp_barriers = issued "bar.warp",
        waiting = each "stall.barrier", energy = 1e9 * each "energy.dynamic", -- nJ
        resident = long.metrics["occupancy.warps"], by_shared = long.metrics["occupancy.by_shared"],
    }
end

-- ---- the FFT ----

local function read(name)
    local file = assert(io.open(home.path("kernels/fft/" .. name .. ".hd"), "rb"))
    local text = file:read "a"
    file:close()
    return text
end

-- Makes the buffers "x" and "tw"; returns the spectra of the frames, from a run without a clock that is checked against
-- double precision.
local function prepare(self, frames)
    local width, ctx, made = self.width, self.ctx, self.signal
    local n, bins = 2 * width, width + 1
    if not made or made.frames < frames then
        ctx:buffer("x", "f32", frames * n, function(i) return (i * 7919 % 201 - 100) / 128 end)
        ctx:buffer("tw", "f32", 2 * n, fft.table(n))
        ctx:buffer("spectrum", "c64", {frames, bins})
        ctx:launch(program(self, read "rfft_warp"), {
            grid = frames, block = width, warp = width, functional = true,
            args = {x = "x", spectrum = "spectrum", tw = "tw", frames = frames, n = n},
        })
        made = {frames = frames, x = ctx:get("x"):bytes(), spectra = ctx:get("spectrum"):bytes()}
        self.signal = made
        for frame = 0, math.min(frames, 32) - 1 do
            local re, im = fft.real(ctx:get("x"):table(frame * n + 1, frame * n + n))
            local off, all = 0, 0
            for k = 1, bins do
                local a, b = ("<ff"):unpack(made.spectra, 8 * (frame * bins + k - 1) + 1)
                off, all = off + (a - re[k]) ^ 2 + (b - im[k]) ^ 2, all + re[k] ^ 2 + im[k] ^ 2
            end
            assert(math.sqrt(off / all) <= 5 * 2.0 ^ -23 * math.log(n, 2), "the FFT is not the reference's")
        end
    end
    ctx:buffer("x", "f32", frames * n, made.x:sub(1, 4 * frames * n))
    return made.spectra:sub(1, 8 * frames * bins)
end

-- One launch on `sms` SMs (nil: the board's). `name` is the reorder in the FFT, or "8-byte load": the pairs are loaded
-- in order and there is no reorder.
local function launch_fft(self, name, blocks, sms)
    local frames, width = blocks * self.warps, self.width
    local text = name == "8-byte load" and read "rfft_warp_vec" or
        reorder.inside(read "rfft_warp", name, width, self.warps)
    use(self, sms)
    local want = prepare(self, frames)
    self.ctx:buffer("spectrum", "c64", {frames, width + 1})
    local result = self.ctx:launch(program(self, text), {
        grid = blocks, block = self.warps * width, warp = width,
        args = {x = "x", spectrum = "spectrum", tw = "tw", frames = frames, n = 2 * width},
    })
    assert(self.ctx:get("spectrum"):bytes() == want, name .. ": the spectra are not those of rfft_warp")
    return result
end

-- The cost of an FFT of 2W samples, one per warp, at full occupancy of one SM, which has all of L2 and DRAM.
function clock:fft(name)
    local few, many = launch_fft(self, name, FEW * self.blocks, 1), launch_fft(self, name, MANY * self.blocks, 1)
    local frames = (MANY - FEW) * self.blocks * self.warps
    return {
        cycles = (many.cycles - few.cycles) / frames,
        instructions = (many.warp_instructions - few.warp_instructions) / frames,
        energy = 1e9 * (many.metrics["energy.dynamic"] - few.metrics["energy.dynamic"]) / frames, -- nJ
    }
end

-- The whole board, one wave, cold caches: cycles of an SM per frame, and the limiter of the launch.
function clock:fft_board(name)
    local result = launch_fft(self, name, self.blocks * self.board.values.sms)
    return {cycles = result.cycles / (self.blocks * self.warps), limiter = result.limiter}
end

return clock
