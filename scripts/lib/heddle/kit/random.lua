-- Random numbers that are the same on every host: SplitMix64 (Steele, Lea and Flood, 2014), by whole numbers only.
--
--   local r = random.new(1)
--   r:below(6)                 -- 0 to 5
--   r:unit()                   -- [0, 1), in steps of 2^-53
--   r:integer(), r:real()      -- -4 to 4; -1 to 1, in steps of 2^-23, which fp32 has
--   r:subset(100, 7)           -- seven of 0 to 99, in order
--   random.numbers(9, {seed = 2, kind = "real"})           -- a list; seed 0, "integer" by default
--   random.hash "text"         -- 32 bits that follow from a text (FNV-1a)
local random = {}
random.__index = random

function random.hash(text)
    local h = 2166136261
    for i = 1, #text do
        h = (h ~ text:byte(i)) * 16777619 & 0xffffffff
    end
    return h
end

function random.new(seed)
    return setmetatable({state = seed or 0}, random)
end

-- 64 bits.
function random:bits()
    self.state = self.state + 0x9e3779b97f4a7c15
    local z = self.state
    z = (z ~ z >> 30) * 0xbf58476d1ce4e5b9
    z = (z ~ z >> 27) * 0x94d049bb133111eb
    return z ~ z >> 31
end

-- A whole number below n, at most 2^31; the remainder's preference for small numbers is below 2^-32.
function random:below(n)
    return (self:bits() >> 1) % n
end

function random:unit()
    return (self:bits() >> 11) * 2.0 ^ -53
end

-- Every binary32 sum of up to 2^20 products of these is exact, in any order.
function random:integer()
    return self:below(9) - 4.0
end

function random:real()
    return (self:below((1 << 24) + 1) - (1 << 23)) * 2.0 ^ -23
end

function random.numbers(count, options)
    local r, list = random.new(options and options.seed), {}
    local draw = r[options and options.kind or "integer"]
    for i = 1, count do
        list[i] = draw(r)
    end
    return list
end

-- `count` different whole numbers below n, in order, every such set equally likely (Floyd's method).
function random:subset(n, count)
    local chosen, list = {}, {}
    for last = n - count, n - 1 do
        local v = self:below(last + 1)
        v = chosen[v] and last or v
        chosen[v], list[#list + 1] = true, v
    end
    table.sort(list)
    return list
end

return random
