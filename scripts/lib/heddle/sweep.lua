-- Sweeps: their descriptions as tables, and their stores as rows (docs/sweep.md).
--
--   sweep.run {run = "classic/saxpy", case = 1, board = "v100", over = {{"sms", "8..64/x2"}}, output = "s.db"}
--   sweep.rows("s.db", {where = "cycles < 4000"})    {{["board.sms"] = 64, cycles = 1144, ...}, ...}
--   sweep.text {...}                                 the description as `heddle sweep FILE.yaml` takes it
--
-- A description has the options of the command by their names: a value, a list of them, {name = value} of those that
-- take NAME=VALUE, true of those that take none. `over` is {{name, values..., with = {{name, values...}}}, ...}, or
-- {name = values} where the order of axes does not matter; in its place `points` may be a list of points, or a function
-- that gives one at each call and then nil: {["dram.channels"] = 8, ["arg.n"] = 64}, all with the same names.
local heddle = require "heddle"
local lists = require "heddle.kit.lists"
local options = require "heddle.kit.options"
local shell = require "heddle.report.shell"
local study = require "heddle.kit.study"

local sweep = {}

local MOST <const> = 1000000 -- points

-- ---- descriptions ----

local function text_of(value, place)
    if math.type(value) == "integer" then
        return ("%d"):format(value)
    elseif type(value) == "number" and value == value and math.abs(value) < math.huge then
        local short = ("%.14g"):format(value)
        return tonumber(short) == value and short or ("%.17g"):format(value)
    elseif type(value) ~= "string" or value == "" then
        study.refuse("%s: expected a number or a text, not %s", place, value == "" and "an empty one" or type(value))
    end
    return value
end

local function suggestion(word, names)
    return options.suggestion(word, names) or ""
end

-- Refuses what stands in a table beside its values 1, 2, ... and those of these names.
local function check_keys(t, place, names)
    for key in pairs(t) do
        if type(key) == "string" and not lists.set(names)[key] then
            study.refuse("%s: unknown key '%s'%s", place, key, suggestion(key, names))
        elseif type(key) ~= "string" and not (math.type(key) == "integer" and key >= 1 and key <= #t) then
            study.refuse("%s: expected values one after the other, not one at [%s]", place, tostring(key))
        end
    end
end

local function sorted_keys(t, place)
    local keys = {}
    for key in pairs(t) do
        if type(key) ~= "string" then
            study.refuse("%s: expected names, not %s", place, tostring(key))
        end
        keys[#keys + 1] = key
    end
    table.sort(keys)
    return keys
end

-- Writes the values of an axis after its name: {8, 16}, "8..64/x2", or a mixture.
local function values_text(values, first, place)
    local parts = {}
    check_keys(values, place, first > 1 and {"with"} or {})
    for i = first, #values do
        parts[#parts + 1] = type(values[i]) == "table" and values_text(values[i], 1, place) or text_of(values[i], place)
    end
    return table.concat(parts, ",")
end

local function put(lines, key, text)
    lines[#lines + 1] = ("%s: %s"):format(key, text == true and "true" or heddle.json(text):gsub("\n$", ""))
end

local function put_axis(lines, key, axis, place)
    if type(axis) ~= "table" or type(axis[1]) ~= "string" then
        study.refuse("%s: expected {name, values...}", place)
    end
    put(lines, key, ("%s=%s"):format(axis[1], values_text(axis, 2, place .. "." .. axis[1])))
    for i, other in ipairs(axis.with or {}) do
        put_axis(lines, "with", other, ("%s.%s.with[%d]"):format(place, axis[1], i))
    end
end

local function put_axes(lines, key, axes)
    if type(axes) == "string" then
        put(lines, key, axes)
    elseif type(axes) == "table" and axes[1] == nil then
        for _, name in ipairs(sorted_keys(axes, key)) do
            local values = axes[name]
            put_axis(lines, key, {name, values}, key)
        end
    else
        check_keys(axes, key, {})
        for i, axis in ipairs(axes) do
            put_axis(lines, key, axis, ("%s[%d]"):format(key, i))
        end
    end
end

-- A function that gives the points one after another.
local function iterator(points)
    if type(points) == "function" then
        return points
    elseif type(points) ~= "table" then
        study.refuse("points: expected a list, or a function")
    end
    local i = 0
    return function()
        i = i + 1
        return points[i]
    end
end

-- Returns one value of a point: several values, as of an axis, are refused.
local function value_of(point, name, place)
    if point[name] == nil then
        study.refuse("%s has no '%s', which those before it have", place, name)
    end
    local text = text_of(point[name], place .. "." .. name)
    if text:gsub("%b[]", ""):gsub("%b()", ""):find "," or text:find "^%-?[%d.]+%a*%.%." then
        study.refuse("%s.%s: expected one value, not '%s'", place, name, text)
    end
    return text
end

local function put_points(lines, points)
    local names, columns, n = nil, {}, 0
    for point in iterator(points) do
        n = n + 1
        local place = ("point %d"):format(n)
        if type(point) ~= "table" or n > MOST then
            study.refuse("%s: %s", place, n > MOST and "there are more than a million" or "expected a table")
        end
        names = names or sorted_keys(point, place)
        if #sorted_keys(point, place) > #names then
            study.refuse("%s has a name that those before it have not", place)
        end
        for _, name in ipairs(names) do
            columns[name] = columns[name] or {}
            columns[name][n] = value_of(point, name, place)
        end
    end
    if n == 0 then
        study.refuse("there are no points")
    end
    put(lines, "over", ("point=1..%d"):format(n))
    for _, name in ipairs(names) do
        put(lines, "with", name .. "=" .. table.concat(columns[name], ","))
    end
end

local function put_option(lines, key, value)
    if type(value) == "table" and type(select(2, next(value))) == "table" then
        study.refuse("%s: expected a value, or several; axes are tables of 'over'%s", key,
            suggestion(key, {"over", "bisect", "points"}))
    elseif type(value) ~= "table" then
        put(lines, key, value == true or text_of(value, key))
    elseif value[1] == nil then
        for _, name in ipairs(sorted_keys(value, key)) do
            put(lines, key, name .. "=" .. text_of(value[name], key .. "." .. name))
        end
    else
        check_keys(value, key, {})
        for i, one in ipairs(value) do
            put(lines, key, text_of(one, ("%s[%d]"):format(key, i)))
        end
    end
end

local function check_table(description)
    if type(description) ~= "table" then
        study.refuse("a description is a table, not %s", type(description))
    end
end

function sweep.text(description)
    check_table(description)
    local lines = {}
    for _, key in ipairs(sorted_keys(description, "the description")) do
        local value = description[key]
        if key == "over" or key == "bisect" then
            put_axes(lines, key, value)
        elseif key == "points" then
            put_points(lines, value)
        elseif value then
            put_option(lines, key, value)
        end
    end
    return table.concat(lines, "\n") .. "\n"
end

-- ---- runs and stores ----

-- `heddle WORDS` of this program, or the one that PATH has where this is another interpreter.
local function command(words)
    return "exe=$(readlink /proc/$PPID/exe); case ${exe##*/} in heddle) ;; *) exe=heddle ;; esac; \"$exe\" " .. words
end

-- Runs it; returns its standard output and its exit status.
local function call(words)
    local pipe = assert(io.popen(command(words) .. " </dev/null"))
    local text = pipe:read "a"
    local _, _, status = pipe:close()
    return text, status
end

-- The exit status, 1 when points failed, and the last line of the sweep; wrong input is an error. Messages are on
-- standard error.
function sweep.run(description)
    check_table(description)
    local rest, jobs = lists.merge(description), description.jobs
    if jobs and math.type(jobs) ~= "integer" then
        study.refuse("jobs: expected a whole number, not %s", tostring(jobs))
    end
    rest.output, rest.jobs = nil, nil
    local path = os.tmpname()
    local file = assert(io.open(path, "w"))
    file:write(sweep.text(rest))
    file:close()
    local store = description.output or study.refuse "where do results go? output = 'results.db'"
    local text, status = call(("sweep %s --trust%s -o %s"):format(shell.quote(path),
        jobs and (" -j %d"):format(jobs) or "", shell.quote(store)))
    os.remove(path)
    if status ~= 0 and status ~= 1 then
        study.refuse "the sweep did not run"
    end
    return status, text
end

-- The points of a store: what was measured, and every setting, by the names of columns; nil where one has no value.
function sweep.rows(path, option)
    local names, words = {"columns", "where", "sql", "objective", "knee", "pareto", "within"}, "results --json - "
    check_keys(option or {}, "sweep.rows", names)
    for _, name in ipairs(names) do
        local value = option and option[name]
        value = type(value) == "table" and table.concat(value, ",") or value and text_of(value, "sweep.rows: " .. name)
        words = words .. (value and ("--%s=%s "):format(name, shell.quote(value)) or "")
    end
    local text, status = call(words .. shell.quote(path))
    if status ~= 0 then
        study.refuse("%s: its points cannot be read", path)
    end
    local rows = heddle.parse(text, path).rows
    for _, row in ipairs(rows) do
        for name, value in pairs(row) do
            row[name] = value ~= heddle.null and value or nil
        end
    end
    return rows
end

return sweep
