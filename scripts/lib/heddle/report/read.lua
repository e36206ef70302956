-- The results that a page shows, from what heddle wrote as JSON.
--
--   read.files({"a.json", "b.json"}, self)   a list of runs: {name, path, heddle, file, board, changed, sources, fault,
--                                        rates, launch, number, launches, total}
--   read.files({"sweep.db"}, self)       nil, and the rows of a sweep; `self` is the path of heddle, which reads stores
--   run:metric "l2.hit_rate"             of `launch`; nil: it is not known, or a ratio of nothing
--
-- Of several launches in a result, `launch` is the longest, `number` which of them that is.
local heddle = require "heddle"
local conform = require "heddle.schema.conform"
local formats = require "heddle.schema.formats"
local lists = require "heddle.kit.lists"
local shell = require "heddle.report.shell"
local study = require "heddle.kit.study"
local whole = require "heddle.kit.file"

local read = {}

local of_run = {}
of_run.__index = of_run

function of_run:metric(name)
    local value = (self.launch.metrics or {})[name]
    return type(value) == "number" and value or nil
end

-- A number of the board; nil where it has none of that name.
function of_run:board_value(key)
    local value = ((self.board or {values = {}}).values[key] or {}).value
    return type(value) == "number" and value or nil
end

local MOST <const> = 1 << 30 -- bytes of a file
local READABLE <const> = {"heddle-run-1", "heddle-runs-1", "heddle-results-1"}
local STORE <const> = "SQLite format 3\0" -- how such a file begins

local function text_of(path, self)
    local handle, why = whole.open(path)
    if not handle then
        study.refuse("%s", why)
    end
    local text
    text, why = whole.rest(handle, MOST)
    whole.close(handle)
    if text and text:sub(1, #STORE) == STORE then
        return shell.read(self, "results --json -", {path}, 0) or study.refuse("%s: its points cannot be read", path)
    end
    return text or study.refuse("%s: %s", path, why)
end

-- A document of one of those formats, and which.
local function document(text, label)
    local found = heddle.parse(text, label)
    local format = type(found) == "table" and found.format
    if type(format) ~= "string" then
        study.refuse("%s: error: this is no result of heddle's: it has no member 'format'", label)
    elseif not lists.set(READABLE)[format] then
        study.refuse("%s: error: a page of a '%s' is not known; one is made of %s", label, format,
            table.concat(READABLE, " and "))
    end
    local place, wrong = conform.first(formats.schema(format), found)
    if wrong then
        study.refuse("%s: error: %s%s", label, place == "" and "" or place .. ": ", wrong)
    end
    return found, format
end

-- Lists the board's values changed by --set.
local function changed(board)
    local keys = {}
    for key, value in pairs(board and board.values or {}) do
        keys[key] = value.origin == "--set" and value.value or nil
    end
    return keys
end

local function longest(launches)
    local best, most = 1, -1
    for i, launch in ipairs(launches) do
        local length = launch.cycles or launch.warp_instructions
        if length > most then
            best, most = i, length
        end
    end
    return launches[best], best
end

local function run(found, path, name)
    local launches = found.launches or {found}
    local launch, number = longest(launches)
    if not launch then
        study.refuse("%s: error: it has no launch", path)
    elseif launch.metrics and not (launch.seconds and (launch.cycles or 0) > 0) then
        study.refuse("%s: error: metrics of a launch without a time", path)
    end
    return setmetatable({
        name = name, path = path, heddle = found.heddle, file = found.file, board = found.board,
        changed = changed(found.board), sources = found.sources or {}, launch = launch, number = number,
        launches = launches, total = found.total, fault = found.fault ~= heddle.null and found.fault or nil,
        rates = found.rates,
    }, of_run)
end

-- "out/wide.json" -> "wide"
local function short(path)
    return path:match("([^/]+)$"):gsub("%.json$", "")
end

-- Gives runs of the same name a number.
local function tell_apart(runs)
    local seen = {}
    for _, r in ipairs(runs) do
        seen[r.name] = (seen[r.name] or 0) + 1
    end
    local count = {}
    for _, r in ipairs(runs) do
        local name = r.name
        if seen[name] > 1 then
            count[name] = (count[name] or 0) + 1
            r.name = ("%s (%d)"):format(name, count[name])
        end
    end
    return runs
end

-- Called `name`, else by their boards.
local function of_document(found, format, path, name)
    return lists.map(format == "heddle-runs-1" and found.runs or {found}, function(one)
        return run(one, path, name or one.board and one.board.name or short(path))
    end)
end

function read.files(paths, self)
    local runs = {}
    for _, path in ipairs(paths) do
        local found, format = document(text_of(path, self), path == "-" and "(standard input)" or path)
        if format == "heddle-results-1" then
            if #paths > 1 then
                study.refuse("%s: a sweep has a page of its own", path)
            end
            return nil, found.rows
        end
        lists.append(runs, of_document(found, format, path, #paths > 1 and short(path)))
    end
    return tell_apart(runs)
end

-- The runs of a result of `heddle run` as text.
function read.text(text)
    local found, format = document(text, "the result")
    return tell_apart(of_document(found, format, "result"))
end

return read
