-- Launches a product of matrices: kernels/gemm in the tile shape that suits its sizes.
--
--   local gemm = require "heddle.gemm.launch"
--   gemm.launch {m = 16, n = 1178, k = 54, type = "f32"}
--       -> {file = "gemm/fma", entry = "gemm_f32_4x128", grid = {4, 10}, block = 128,
--           args = {m = 16, n = 1178, k = 54, biased = 0}, shape = {rows = 4, columns = 128, ...}}
--
-- c [m,n] f32 = a [m,k] b [k,n], by rows, with bias [m] f32 added to all of a row. Options:
--   m, n, k     from 1 on
--   type        "f32", "f16" (converted, summed by fma.f32) or "mma" (fp16 by the matrix unit; the same sums as "f16")
--   biased      true when there is a bias; else any buffer of fp32 can be given for it
--   sms, warp   of the board: number of SMs (108), lanes of a warp (32); kernels work at every width
--   entry       one of gemm.entries(type), to choose the shape oneself
--   holds       a function of a kernel's name and the threads of a block: whether the block fits the board (always)
--   cost        a function of a shape and the number of its blocks, in place of the one below
--
-- Blocks x walk the rows of c: those that read the same columns of b follow each other, while these are in L2.
-- The shape is the one with the least work for the busiest SM: blocks are spread over the SMs, the warps of an SM over
-- its four sub-cores, and each reaches the share of its unit that its shape allows. On a board that none of them fits,
-- the small shape is used; if that does not fit either, the launch fails and reports which resource is missing.
local lists = require "heddle.kit.lists"
local report = require "heddle.kit.report"

local gemm = {}

local SUB_CORES <const> = 4

-- Marks the shape for boards with small blocks: chosen only where nothing else fits.
local SMALL <const> = 0

-- Rows, columns and threads of a block; the share of the unit's peak at full occupancy, measured on an a100 with four
-- blocks for each SM in one row of blocks, k = 512 (511 for X1). Shapes of few rows are bound by DRAM or shared memory.
local FMA <const> = {
    {80, 64, 128, 0.87}, {64, 64, 128, 0.85}, {32, 64, 64, 0.78}, {16, 64, 64, 0.48}, {8, 128, 128, 0.27},
    {4, 128, 128, 0.14}, {16, 16, 64, SMALL},
}
local MMA_X8 <const> = {
    {128, 128, 128, 0.31}, {80, 128, 128, 0.28}, {64, 128, 128, 0.22}, {32, 128, 128, 0.13}, {16, 128, 128, 0.067},
    {8, 128, 128, 0.034}, {16, 32, 64, SMALL},
}
local MMA_X1 <const> = {
    {64, 128, 128, 0.11}, {32, 128, 128, 0.083}, {16, 128, 128, 0.054}, {8, 128, 128, 0.029}, {16, 32, 64, SMALL},
}

local TYPES <const> = {f32 = "gemm/fma", f16 = "gemm/fma", mma = "gemm/mma"}

local function tiles(total, part)
    return (total + part - 1) // part
end

-- The shapes of a type for these sizes, each with the name of its kernel.
local function shapes(type, n, k)
    local aligned = n % 8 == 0 and k % 8 == 0
    local list = type ~= "mma" and FMA or aligned and MMA_X8 or MMA_X1
    local suffix = type ~= "mma" and "" or aligned and "_x8" or "_x1"
    return lists.map(list, function(row)
        return {entry = ("gemm_%s_%dx%d%s"):format(type, row[1], row[2], suffix), rows = row[1], columns = row[2],
            threads = row[3], reaches = row[4]}
    end)
end

-- Work of the busiest sub-core, in elements of C at the full rate of its unit.
local function work(shape, blocks, o)
    local warps = tiles(shape.threads, o.warp)
    local busiest = tiles(tiles(blocks, o.sms) * warps, SUB_CORES)
    return busiest * shape.rows * shape.columns / warps / shape.reaches
end

-- The kernels of a type, as launch chooses among them for n and k that are multiples of 8, or are not.
function gemm.entries(type, n, k)
    return lists.map(shapes(type, n or 8, k or 8), function(shape) return shape.entry end)
end

-- The file of a type's kernels.
function gemm.file(type)
    return TYPES[type]
end

local DEFAULTS <const> = {sms = 108, warp = 32}

-- options[key], or the default: a whole number of 32 bits.
local function whole(options, key)
    local given = options[key] == nil and DEFAULTS[key] or options[key]
    local value = math.type(given) and math.tointeger(given)
    if not value or value < 1 or value >= 1 << 32 then
        error(("gemm: %s is %s; it must be a whole number from 1 on, below 2^32"):format(key, tostring(given)), 4)
    end
    return value
end

-- The options with defaults filled in.
local function read(options)
    local o = {type = options.type or "f32", entry = options.entry, biased = options.biased, holds = options.holds,
        cost = options.cost or work}
    if not TYPES[o.type] then
        error(("gemm: type is '%s'; it must be f32, f16 or mma"):format(o.type), 3)
    end
    for _, key in ipairs {"m", "n", "k", "sms", "warp"} do
        o[key] = whole(options, key)
    end
    for _, pair in ipairs {{"m", "k"}, {"k", "n"}, {"m", "n"}} do
        local product = 1.0 * o[pair[1]] * o[pair[2]]
        if product >= 1 << 32 then
            error(("gemm: %s x %s is %s; it must be below 2^32"):format(pair[1], pair[2], report.count(product)), 3)
        end
    end
    return o
end

-- The shape requested by its kernel's name.
local function named(list, o)
    return lists.by(list, "entry")[o.entry] or
        error(("gemm: there is no kernel '%s' for these sizes; there are %s"):format(o.entry,
            table.concat(gemm.entries(o.type, o.n, o.k), ", ")), 3)
end

-- The cheapest shape that fits the board; else the small one, which is the last.
local function cheapest(list, o)
    return lists.least(list, function(shape)
        return shape.reaches ~= SMALL and (not o.holds or o.holds(shape.entry, shape.threads)) and
            o.cost(shape, tiles(o.m, shape.rows) * tiles(o.n, shape.columns), o)
    end) or list[#list]
end

-- Multiply-accumulates that lanes executed: of fma.f32, and of the matrix unit, 8 x 4 x 8 by eight lanes.
local MACS <const> = {{"^fma%.f32 ", 1}, {"^mma%.m8n4k8%.", 32}}

-- The multiply-accumulates that the lanes of a launch executed, including tile edges.
function gemm.macs(result)
    return lists.sum(result.lines, function(line)
        local text = line.disassembly:gsub("^@!?[%w_]+%s+", "")
        return lists.sum(MACS, function(kind) return text:find(kind[1]) and kind[2] * line.lanes or 0 end)
    end)
end

local function gcd(a, b)
    while b > 0 do
        a, b = b, a % b
    end
    return a
end

-- Finds the distance of elements in a sample of `count`, in rows of n, that has at most `most`: prime to n, so that the
-- sample covers all columns.
function gemm.sample_step(count, n, most)
    local step = tiles(count, most)
    while gcd(step, n) > 1 do
        step = step + 1
    end
    return step
end

function gemm.launch(options)
    local o = read(options)
    local best = (o.entry and named or cheapest)(shapes(o.type, o.n, o.k), o)
    return {
        file = TYPES[o.type], entry = best.entry, shape = best,
        grid = {tiles(o.m, best.rows), tiles(o.n, best.columns)}, block = best.threads,
        args = {m = o.m, n = o.n, k = o.k, biased = o.biased and 1 or 0},
    }
end

return gemm
