-- Boards, as studies name and change them.
--
--   local b = board.read(ctx, "a100", {"latency.xext=40"})
--   b.values["latency.xext"]                        40
--   b:use {["latency.xext"] = 60, sms = 1}          the launches that follow run on a board with these values, too
local heddle = require "heddle"
local home = require "heddle.kit.home"
local lists = require "heddle.kit.lists"
local study = require "heddle.kit.study"

local board = {}
board.__index = board

-- The boards that claims are judged on with --board all.
board.ALL = {"v100", "a100", "h100", "h200", "rtx4090", "br100", "teach32", "teach8"}

-- The file of a board: a name is one of configs/, what holds a '/' or ends in .yaml is a file.
function board.path(name)
    return (name:find("/", 1, true) or name:find "%.yaml$") and name or home.path("configs/" .. name .. ".yaml")
end

-- "key=value" of --set: whole numbers as such, everything else as it is written.
local function settings(list)
    local out = {}
    for _, text in ipairs(list or {}) do
        local key, value = text:match "^%s*([%w_.]+)%s*=%s*(.-)%s*$"
        if not key then
            study.refuse("--set: '%s' is not of the form KEY=VALUE", text)
        end
        out[key] = math.tointeger(tonumber(value)) or value
    end
    return out
end

-- The changed values of a board, {key = value, ...}, as text after its name: "; changed: sms=1, ..." or "".
function board.changes(set)
    local list = {}
    for key, value in pairs(set) do
        list[#list + 1] = key .. "=" .. value
    end
    table.sort(list)
    return #list > 0 and "; changed: " .. table.concat(list, ", ") or ""
end

-- Makes the board the machine of the context's launches. `values`, `basis` (how a number is known) and `low` and `high`
-- (its range) are looked up by key, as the board was read, whatever is changed later.
function board.read(ctx, name, set)
    local b = setmetatable({ctx = ctx, path = board.path(name), set = settings(set)}, board)
    local as_read = heddle.new()
    local _, _, problem = study.attempt(as_read.board, as_read, b.path, b.set)
    if problem then
        local file <close> = io.open(b.path)
        if not file and b.path ~= name then
            study.refuse("there is no board '%s'; 'heddle board' lists them", name)
        end
        study.refuse("%s", problem)
    end
    local function known(nth)
        return setmetatable({}, {__index = function(_, key) return (select(nth, as_read:board_value(key))) end})
    end
    b.values, b.basis, b.low, b.high = known(1), known(2), known(3), known(4)
    b.name = b.path:match "([^/]*)%.yaml$" or b.path
    b:use()
    return b
end

-- Uses the same board with more values changed, until the next call.
function board:use(more)
    self.ctx:board(self.path, lists.merge(self.set, more))
end

return board
