-- What the launches of all studies need.
local bench = {}

-- Drops all buffers: a method that begins without any has its own at the same addresses whatever was launched before,
-- and banks and slices, and so cycles, depend on addresses.
function bench.clear(ctx)
    for _, name in ipairs(ctx:names()) do
        ctx:drop(name)
    end
end

return bench
