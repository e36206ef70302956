-- What the launches of all studies need.
local bench = {}

-- Drops all buffers: a method that begins without any has its own at the same addresses whatever was launched before,
-- and banks and slices, and so cycles, depend on addresses.
function bench.clear(ctx)
    for _, name in ipairs(ctx:names()) do
        ctx:drop(name)
    end
end

-- The cycles of a timed launch, and those that writing its dirty bytes from L2 back to DRAM takes at the DRAM's peak.
function bench.drained(result, dirty)
    return result.cycles + dirty / (1e9 * result.metrics["peak.dram"]) * result.cycles / result.seconds
end

return bench
