-- Random numbers that are the same on every host: SplitMix64 (Steele, Lea and Flood, 2014), by whole numbers only.
--
--   local r = random.new(1)
--   r:below(6)                 -- 0 to 5
--   r:unit()                   -- [0, 1), in steps of 2^-53
--   r:subset(100, 7)           -- seven of 0 to 99, in order
local random = {}
random.__index = random

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
