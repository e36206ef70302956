-- Measures of a launch's result, for the gates of lessons. Without a clock: the same number on every board.
--
--   measures.of("st.shared", result)     how many threads executed an instruction that begins so
--   measures.of("st.global", result)     or ld.global: by generic addresses and atomics, too
--   measures.of("instructions", result)  instructions that warps issued
--   measures.of("efficiency", result)    the share of lanes that took part in them, %
--
--   measures.of("loaded", result)        bytes that they load so
--   measures.of("shared", result)        how many threads accessed shared memory, atomics counted, too
--
-- On the lesson's board, which has caches and banks:
--
--   measures.of("l1.sectors", result)    any metric of docs/reference/counters.md
local heddle = require "heddle"
local lists = require "heddle.kit.lists"

local measures = {}

local NAMED = {}
local METRICS <const> = lists.set(lists.map(heddle.metrics(), function(row) return row.name end))

function NAMED.instructions(result)
    return result.warp_instructions
end

function NAMED.efficiency(result)
    return 100 * result.thread_instructions / (result.warp_instructions * result.warp)
end

-- The instruction of a line without its guard: "st.global.b32" of "@!p0 st.global.b32 [r2], r0".
local function operation(text)
    return text:gsub("^@%S+%s+", ""):match "^%S+"
end

function NAMED.shared(result)
    local lanes = 0
    for _, line in ipairs(result.lines) do
        lanes = lanes + (operation(line.disassembly):find(".shared", 1, true) and line.lanes or 0)
    end
    return lanes
end

local SPACES <const> = {shared = true, ["local"] = true, const = true, param = true}

-- True for a load ("ld") or store ("st") that may access global memory; an atomic is both.
local function is_global(found, kind)
    local first, space = found:match "^(%a+)%.?(%a*)"
    return (first == kind or first == "atom" or first == "red") and not SPACES[space] and
        not (first ~= kind and found:find(".shared", 1, true))
end

-- Bytes of a lane: 16 of "ld.global.b128".
local function width(found)
    return (tonumber(found:match ".*%.%a+(%d+)") or 32) // 8
end

function NAMED.loaded(result)
    local bytes = 0
    for _, line in ipairs(result.lines) do
        local found = operation(line.disassembly)
        bytes = bytes + (is_global(found, "ld") and line.lanes * width(found) or 0)
    end
    return bytes
end

-- True if there is such a measure.
function measures.known(name)
    local kind, space = name:match "^(%l+)%.(%l+)$"
    return NAMED[name] ~= nil or METRICS[name] ~= nil or name ~= "" and #heddle.isa(name) > 0 or
        (SPACES[space] or space == "global") and #heddle.isa(kind) > 0
end

-- True if a measure needs a board.
function measures.timed(name)
    return METRICS[name] ~= nil
end

function measures.of(name, result)
    if NAMED[name] then
        return NAMED[name](result)
    elseif measures.timed(name) then
        return result.metrics[name] or 0 -- a share of nothing
    end
    local lanes = 0
    for _, line in ipairs(result.lines) do
        local found, kind = operation(line.disassembly), name:match "^(%l+)%.global$"
        if kind and is_global(found, kind) or found == name or found:sub(1, #name + 1) == name .. "." then
            lanes = lanes + line.lanes
        end
    end
    return lanes
end

return measures
