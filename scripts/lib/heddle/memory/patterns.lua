-- Patterns of requests to one channel of a memory, as traces of context:replay_trace.
--
--   local memory = patterns.memory(ctx)
--   for _, pattern in ipairs(patterns.list) do
--       ctx:replay_trace(pattern.text(memory, 8000), {channels = 1})
--   end
--   patterns.hits(memory, 0.75, 8000)              reads, three of four in the row of the one before
--   patterns.load(memory, "random", 0.5, 8000)     a trace with cycles: half of what the channel can move
local random = require "heddle.kit.random"

local patterns = {}

local SPACE <const> = 1 << 28 -- bytes that requests are spread over

-- Collects what patterns follow from, of the context's memory.
function patterns.memory(ctx)
    local memory = {}
    for _, key in ipairs {
        "burst_bytes", "burst_cycles", "line_bytes", "row_bytes", "pseudo_channels", "stack_ids", "bank_groups",
        "banks",
    } do
        memory[key] = ctx:board_value("dram." .. key)
    end
    return memory
end

-- A trace of n requests; request(i) is the number of a burst and whether it is written.
local function trace(memory, n, request)
    local lines = {}
    for i = 0, n - 1 do
        local burst, write = request(i)
        lines[i + 1] = ("%s %d\n"):format(write and "ST" or "LD", burst * memory.burst_bytes)
    end
    return table.concat(lines)
end

-- Bursts at random, in pieces of that many that follow one another.
local function pieces(memory, length, seed)
    local draw, first = random.new(seed), 0
    return function(i)
        if i % length == 0 then
            first = draw:below(SPACE // memory.burst_bytes // length) * length
        end
        return first + i % length
    end
end

local function add(name, doc, text)
    patterns.list[#patterns.list + 1] = {name = name, doc = doc, text = text}
end

patterns.list = {}

add("stream", "reads one after the other", function(memory, n)
    return trace(memory, n, function(i) return i end)
end)
add("write", "writes one after the other", function(memory, n)
    return trace(memory, n, function(i) return i, true end)
end)
add("copy", "lines read and written in turn", function(memory, n)
    local line = memory.line_bytes // memory.burst_bytes
    return trace(memory, n, function(i)
        local turn, write = i // line // 2 * line + i % line, i // line % 2 == 1
        return write and turn + SPACE // memory.burst_bytes or turn, write
    end)
end)
add("stride", "a burst of each row", function(memory, n)
    return trace(memory, n, function(i) return i * (memory.row_bytes // memory.burst_bytes) end)
end)
add("random", "bursts at random", function(memory, n)
    return trace(memory, n, pieces(memory, 1, 1))
end)
add("lines", "lines at random", function(memory, n)
    return trace(memory, n, pieces(memory, memory.line_bytes // memory.burst_bytes, 2))
end)
add("512 B", "pieces of 512 bytes at random", function(memory, n)
    return trace(memory, n, pieces(memory, math.max(1, 512 // memory.burst_bytes), 3))
end)
add("mixed", "bursts at random, a third written", function(memory, n)
    local draw = pieces(memory, 1, 4)
    return trace(memory, n, function(i) return draw(i), i % 3 == 2 end)
end)
add("half", "a stream and bursts at random in turn", function(memory, n)
    local draw = pieces(memory, 1, 5)
    return trace(memory, n, function(i)
        local burst = draw(i)
        return i % 2 == 0 and i // 2 or burst
    end)
end)
add("one bank", "rows of one bank in turn", function(memory, n)
    local above = (memory.pseudo_channels > 1 and ",0" or "") .. (memory.stack_ids > 1 and ",0" or "")
    local lines = {}
    for i = 1, math.min(n, 1000) do
        lines[i] = ("R 0%s,0,0,%d,0\n"):format(above, i)
    end
    return table.concat(lines)
end)

-- Reads that continue in the row of the one before by that share, 0 to 1; the others are in rows at random.
function patterns.hits(memory, share, n)
    local draw, lines, columns = random.new(7), {}, memory.row_bytes // memory.burst_bytes
    local place, column = nil, columns
    for i = 1, n do
        column = column + 1
        if column >= columns or draw:below(1000) >= 1000 * share then
            local above = {0}
            for _, levels in ipairs {memory.pseudo_channels, memory.stack_ids} do
                above[#above + 1] = levels > 1 and draw:below(levels) or nil
            end
            place = ("R %s,%d,%d,%d"):format(table.concat(above, ","), draw:below(memory.bank_groups),
                draw:below(memory.banks), draw:below(4096))
            column = 0
        end
        lines[i] = ("%s,%d\n"):format(place, column)
    end
    return table.concat(lines)
end

-- Reads that arrive at a share of the channel's peak, one after the other or at random.
function patterns.load(memory, kind, rate, n)
    local draw = kind == "random" and pieces(memory, 1, 6) or function(i) return i end
    local lines, each = {}, memory.burst_cycles / memory.pseudo_channels / rate
    for i = 0, n - 1 do
        lines[i + 1] = ("0x%x READ %d\n"):format(draw(i) * memory.burst_bytes, i * each // 1 | 0)
    end
    return table.concat(lines)
end

return patterns
