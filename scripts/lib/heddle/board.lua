-- Boards, as studies name and change them.
--
--   local b = board.read(ctx, "a100", {"latency.xext=40"})
--   b.values["latency.xext"]                        40
--   b:use {["latency.xext"] = 60, sms = 1}          the launches that follow run on a board with these values, too
local home = require "heddle.home"
local study = require "heddle.study"

local board = {}
board.__index = board

-- The file of a board: a name is one of configs/, what holds a '/' or ends in .yaml is a file.
function board.path(name)
    return (name:find("/", 1, true) or name:find "%.yaml$") and name or home.path("configs/" .. name .. ".yaml")
end

-- "key=value" of --set: whole numbers as such, everything else as it is written.
local function settings(list)
    local out = {}
    for _, text in ipairs(list or {}) do
        local key, value = text:match "^%s*([%w_.]+)%s*=%s*(.-)%s*$"
        if not key or value == "" then
            study.refuse("--set: '%s' is not of the form KEY=VALUE", text)
        end
        out[key] = math.tointeger(tonumber(value)) or value
    end
    return out
end

-- The values of a board printed as YAML: numbers by key, words as they are; how energies are known, by event.
local function parse(text)
    local values, basis, section = {}, {}, ""
    for line in text:gmatch "[^\n]+" do
        local indent, key, value = line:gsub("#.*", ""):match "^(%s*)([%w_.]+):%s*(.-)%s*$"
        if key and value == "" then
            section = key .. "."
        elseif key then
            local name = (indent == "" and "" or section) .. key
            local number, word = value:match "^([%d.]+)%s*(%a*)$"
            values[name] = number and (math.tointeger(tonumber(number)) or tonumber(number)) or value
            if word and word ~= "" then
                basis[name] = word
            end
        end
    end
    return values, basis
end

-- Makes the board the machine of the context's launches.
function board.read(ctx, name, set)
    local b = setmetatable({ctx = ctx, path = board.path(name), set = settings(set)}, board)
    local ok, text = pcall(ctx.board, ctx, b.path, b.set)
    if not ok then
        if type(text) == "table" and text.kind == "input" then
            study.refuse("%s", text.message)
        end
        error(text, 0)
    end
    b.values, b.basis = parse(text)
    b.name = b.values.name or name
    return b
end

-- The same board with more values changed, until the next call.
function board:use(more)
    local set = {}
    for _, values in ipairs {self.set, more or {}} do
        for key, value in pairs(values) do
            set[key] = value
        end
    end
    self.ctx:board(self.path, set)
end

return board
