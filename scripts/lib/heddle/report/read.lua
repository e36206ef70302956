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
local READABLE <const> = {"heddle-run-2", "heddle-runs-2", "heddle-results-1", "heddle-run-1", "heddle-runs-1"}
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

local function each(list, change)
    for _, one in ipairs(type(list) == "table" and list or {}) do
        if type(one) == "table" then
            change(one)
        end
    end
end

-- Removes what is null, which is absent since heddle-run-2.
local function without_null(t)
    for key, value in pairs(t) do
        if value == heddle.null then
            t[key] = nil
        elseif type(value) == "table" then
            without_null(value)
        end
    end
end

local function rename(one)
    one.warp_instructions, one.disassembly, one.text = one.issued, one.text, one.source or one.text
end

-- Gives documents of the versions before the names and members that they have since.
local RENEW = {}
RENEW["heddle-run-1"] = function(found)
    each(found.launches or {found}, function(launch)
        local explain, check, orders = launch.explain, launch.check, launch.orders
        each({check, orders}, without_null)
        each(launch.lines, rename)
        each(explain and explain.instructions, function(one)
            rename(one)
            one.pc, one.first, one.shown = 0, 0, one.lanes ~= nil
        end)
        each(check and check.findings, function(finding) each(finding.places, rename) end)
        each(orders and orders.order, function(order) each(order.steps, rename) end)
        launch.timed = launch.cycles ~= nil
    end)
    found.format = "heddle-run-2"
    return found
end
RENEW["heddle-runs-1"] = function(found)
    each(found.runs, RENEW["heddle-run-1"])
    each(found.diff and found.diff.launches, function(launch) each(launch.lines, rename) end)
    found.format, (found.diff or {}).format = "heddle-runs-2", "heddle-diff-3"
    return found
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
    found = RENEW[format] and RENEW[format](found) or found
    local place, wrong = conform.first(formats.schema(found.format), found)
    if wrong then
        study.refuse("%s: error: %s%s", label, place == "" and "" or place .. ": ", wrong)
    end
    return found, found.format
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
        launches = launches, total = found.total, uncertainty = found.uncertainty,
        fault = found.fault ~= heddle.null and found.fault or nil,
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
    return lists.map(format == "heddle-runs-2" and found.runs or {found}, function(one)
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
