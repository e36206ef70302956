-- Does each machine that lacks a loss lack it, and nothing else that adds up? (sim/board/ideal.def)
local heddle = require "heddle"
local boards = require "heddle.kit.board"
local cases = require "heddle.cases.case"
local expectations = require "heddle.cases.expectations"
local lists = require "heddle.kit.lists"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

local BOARDS <const> = {"teach8", "v100", "h100"}
local KERNELS <const> = {"classic/transpose_tiled", "classic/reduce3", "classic/histogram", "classic/stencil2d",
    "lessons/05-shared/reference", "gemm/tiled"}
local settings = lists.by(heddle.ideals(), "name")

local function words(text)
    local list = {}
    for word in text:gmatch "%S+" do
        list[#list + 1] = word
    end
    return list
end

-- Launches the first case of a kernel; nil, and the fault, where it does not end.
local function launch(kernel, board, ideal, options)
    local path = "kernels/" .. kernel .. ".hd"
    local handle <close> = io.open(path)
    if not handle then
        return nil, "none"
    end
    local context <close> = heddle.new()
    local file, program = expectations.read(path), context:load(path)
    boards.read(context, board, ideal and words(settings[ideal].settings))
    local run = file.runs[1]
    local widths = expectations.widths(program, run)
    local width = lists.set(widths)[32] and 32 or widths[1]
    local c = cases.new(context, program, file, run, width, {report = function() end})
    local fine, result = pcall(cases.launch, c, options)
    return fine and result, result
end

local function each(f)
    for _, kernel in ipairs(KERNELS) do
        for _, board in ipairs(BOARDS) do
            local plain = launch(kernel, board)
            if plain then
                f(kernel, board, plain, kernel .. " on " .. board)
            end
        end
    end
end

-- Sums that have to be 0 there, and whether the launch may take longer.
local GONE <const> = {
    warps = {longer = true},
    latency = {},
    bandwidth = {"dram.read_bytes", "dram.write_bytes", "dram.busy_cycles"},
    misses = {"l1.misses", "l1.pending_hits", "l2.misses", "l2.pending_hits", "dram.read_bytes", "dram.write_bytes"},
    conflicts = {"sm.shared_conflicts", "shared.conflicts", "sm.register_conflicts"},
    barriers = {"stall.barrier"},
    all = {"l1.misses", "l2.misses", "dram.read_bytes", "stall.barrier"},
}

case("every row of the table is looked at", function()
    for _, row in ipairs(heddle.ideals()) do
        ok(GONE[row.name] and row.title and row.doc, row.name)
    end
end)

for name, gone in pairs(GONE) do
    case(name .. ": what it leaves out is gone, sums add up", function()
        local seen = 0
        each(function(kernel, board, plain, what)
            local result, why = launch(kernel, board, name, {max_instructions = 4 * plain.warp_instructions + 100000})
            if not result then
                ok(name == "barriers" or name == "all", ("%s: %s"):format(what, tostring(why.message or why)))
                return
            end
            seen = seen + 1
            for _, metric in ipairs(gone) do
                equal(result.metrics[metric] or 0, 0, what .. " " .. metric)
            end
            equal(result.inconsistency, nil, what)
            ok(gone.longer or result.cycles <= plain.cycles * 1.05,
                ("%s: %d of %d"):format(what, result.cycles, plain.cycles))
        end)
        ok(seen >= 9, seen)
    end)
end

case("without other warps a launch of several is no faster, and of one the same", function()
    each(function(kernel, board, plain, what)
        local alone = launch(kernel, board, "warps")
        ok(alone.cycles >= 0.99 * plain.cycles, ("%s: %d of %d"):format(what, alone.cycles, plain.cycles))
        equal(alone.warp_instructions, plain.warp_instructions, what)
    end)
end)

case("results without a loss are the same, but for barriers, with any number of threads", function()
    for name in pairs(GONE) do
        local one = launch("classic/transpose_tiled", "v100", name, {threads = 1})
        local two = launch("classic/transpose_tiled", "v100", name, {threads = 2})
        equal(one.cycles, two.cycles, name)
        equal(one.metrics, two.metrics, name)
    end
end)

test.finish()
