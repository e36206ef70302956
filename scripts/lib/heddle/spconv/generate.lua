-- Generated inputs of the sparse convolution: active positions, their features, weights. The same seed gives the same
-- numbers on every host.
--
--   local active = generate.positions(p.positions, 0.05, 1)                  -- 5 % of them, in raster order
--   local x = spconv.input(p, active, generate.features(#active, p.channels, {seed = 2}))
--   local weights = generate.numbers(p.filters * p.channels * p.volume, {seed = 3, kind = "real"})
--
-- Kinds of numbers: "integer", -4 to 4, with which every binary32 sum of up to 2^20 products is exact in any order;
-- "real", fp32 in -1 to 1. Positions drawn like this are spread evenly; those of scans (heddle.points.scans) are next
-- to each other, so that more of a window is active.
local random = require "heddle.kit.random"

local generate = {}

local kinds = {}

function kinds.integer(r)
    return r:below(9) - 4.0
end

-- Multiples of 2^-23, which fp32 has.
function kinds.real(r)
    return (r:below((1 << 24) + 1) - (1 << 23)) * 2.0 ^ -23
end

-- The share `density` of `count` positions, rounded to a whole number of them.
function generate.positions(count, density, seed)
    return random.new(seed):subset(count, math.floor(density * count + 0.5))
end

-- `count` numbers; options: seed (0), kind ("integer").
function generate.numbers(count, options)
    local r, draw, list = random.new(options and options.seed), kinds[options and options.kind or "integer"], {}
    for i = 1, count do
        list[i] = draw(r)
    end
    return list
end

-- Features of `count` active positions: lists of `channels` numbers, never all zero. Options as of numbers.
function generate.features(count, channels, options)
    local r, draw, list = random.new(options and options.seed), kinds[options and options.kind or "integer"], {}
    for i = 1, count do
        local feature, zero = {}, true
        for c = 1, channels do
            feature[c] = draw(r)
            zero = zero and feature[c] == 0
        end
        if zero then
            feature[1 + r:below(channels)] = 1.0
        end
        list[i] = feature
    end
    return list
end

return generate
