-- Does the convolution study measure a method the same wherever it stands among others, and are its stages' numbers
-- those of the whole? Small inputs on a100.
local heddle = require "heddle"
local board = require "heddle.kit.board"
local measure = require "heddle.spconv.measure"
local pipeline = require "heddle.spconv.pipeline"
local spconv = require "heddle.spconv.reference"
local workload = require "heddle.spconv.workload"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

local function bench_of(options)
    return measure.new(board.read(heddle.new(), "a100"), options or {})
end

local function problem(o)
    return assert(spconv.problem(o))
end

local scratch = heddle.new()
local small = workload.random(scratch, problem {size = {4, 8, 16}, channels = 4, filters = 8, kernel = 3}, 0.2)
local other = workload.random(scratch, problem {size = {37, 41}, channels = 3, filters = 5, kernel = 5}, 0.1)

-- All that a run measured: of each stage its cycles, and of each tensor what moved.
local function measured(row)
    ok(row.verified, row.difference)
    local out = {cycles = row.cycles, drained = row.drained, board = row.board_bytes, energy = row.energy}
    for i, stage in ipairs(row.stages) do
        out[i] = {stage.name, stage.cycles, stage.limiter, stage.tensors}
    end
    return out
end

case("a method costs the same alone and after others, on another input and on its own", function()
    local shared = bench_of()
    for _, method in ipairs(pipeline.methods) do
        shared:run(other, method)
    end
    for _, method in ipairs(pipeline.methods) do
        local after, alone = measured(shared:run(small, method)), measured(bench_of():run(small, method))
        equal(after, alone, method)
    end
end)

case("appended lists give the same results, and the same costs with any number of threads", function()
    local one, two = bench_of {append = true}, bench_of {append = true, threads = 2}
    for _, method in ipairs(pipeline.methods) do
        local row = one:run(small, method)
        equal(row.append, pipeline.by[method].unordered or false, method)
        equal(row.stages[1].kernel == "identify_append_b32" or row.stages[1].kernel == "identify_append_b16",
            row.append, method)
        if row.append then
            equal(measured(row), measured(two:run(small, method)), method)
        end
    end
end)

case("stages have what the whole has", function()
    local bench = bench_of()
    for _, method in ipairs(pipeline.methods) do
        local row = bench:run(small, method)
        local sums, longest = {}, row.stages[1]
        for _, stage in ipairs(row.stages) do
            for _, key in ipairs {"macs", "macs_useful", "macs_asked", "host_bytes", "reads", "launched", "cycles",
                "board_bytes"} do
                sums[key] = (sums[key] or 0) + stage[key]
            end
            longest = stage.cycles > longest.cycles and stage or longest
            local multiplies = ({gemm = true, direct = true, implicit = true, multiply = true})[stage.name]
            equal(stage.macs > 0, multiplies or false, method .. ", " .. stage.name)
            equal(stage.zero_share, multiplies and 1 - stage.macs_useful / stage.macs or 0, method)
            equal(stage.gather, multiplies and stage.name ~= "gemm" and row.gather
                or stage.name == "unfold" and row.gather or 0, method)
        end
        for key, sum in pairs(sums) do
            equal(row[key], sum, method .. ", " .. key)
        end
        equal({row.limiter_stage, row.limiter}, {longest.name, longest.limiter}, method)
        equal(row.macs_useful, small.pairs * 32, method)
    end
end)

test.finish()
