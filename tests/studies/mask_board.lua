-- Does the mask study measure a method the same wherever it stands among others? Small inputs on a100.
package.path = "scripts/lib/?.lua;" .. package.path
local heddle = require "heddle"
local board = require "heddle.kit.board"
local launch = require "heddle.mask.launch"
local methods = require "heddle.mask.methods"
local masks = require "tests.lib.masks"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

local function bench_of(options)
    return launch.new(board.read(heddle.new(), "a100"), options or {})
end

-- Every method that gives one of these things, `words` in every order.
local function each(look, ...)
    for _, name in ipairs(methods.of {gives = {...}}) do
        for _, order in ipairs(name == "words" and methods.orders or {false}) do
            look {name = name, order = order or nil}
        end
    end
end

-- All that a run measured.
local function measured(bench, p, what)
    local row = bench:run(p, what, true)
    ok(row.verified, row.difference)
    return {cycles = row.cycles, drained = row.drained, board = row.board_bytes, energy = row.energy,
        tensors = row.tensors, limiter = row.limiter}
end

for _, caches in ipairs {"cold", "warm"} do
    case(("a method costs the same alone and after others; %s caches"):format(caches), function()
        local options = {warm = caches == "warm"}
        local shared = bench_of(options)
        local other = masks.problem {kind = "random", n = 3, side = 37, type = "int8", bits = 64}
        for _, name in ipairs {"convert", "words-store", "bool-store", "bits"} do -- which leave buffers of every name
            shared:run(other, {name = name})
        end
        for name, gives in pairs {fp16 = {"words", "bits", "fill", "store"}, fp32 = {"softmax"}} do
            local p = masks.problem {n = 2, side = 96, type = name}
            each(function(what)
                local label = methods.label(what)
                equal(measured(shared, p, what), measured(bench_of(options), p, what), label)
            end, table.unpack(gives))
        end
    end)
end

test.finish()
