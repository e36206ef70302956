-- What the ranges of a board's values make of a study's figures (--uncertainty N): the study runs on N draws of its
-- board, in silence. A number in a table that differs among them has its range beside it; JSON lists
-- those of the result.
--
--   draws.run(option, body)                         option.drawn = the tables and results of body() on each draw
--   draws.beside(option, n, columns, rows)          the n-th table, with "1,234 (1,200 to 1,300)"
--   draws.apart(option, n, columns, rows)           the same in columns of their own, for CSV
--   draws.figures(option, result)                   {{at = "/boards/0/cycles", low = 1200, high = 1300}, ...}
local lists = require "heddle.kit.lists"

local draws = {}

-- While body() runs, option.drawing takes the rows of its tables, in their order, and its result.
function draws.run(option, body)
    local given, drawn = lists.merge(option), {}
    local function restore(more) -- a study may change its options
        for name in pairs(option) do
            option[name] = nil
        end
        for name, value in pairs(lists.merge(given, more)) do
            option[name] = value
        end
    end
    for number = 1, given.uncertainty do
        drawn[number] = {tables = {}}
        restore {set = lists.append({"draw=" .. number}, given.set or {}), drawing = drawn[number]}
        option.html, option.plot = nil, nil
        body()
    end
    restore {drawn = drawn}
end

-- ---- tables ----

local function number_of(cell)
    local v = type(cell) == "table" and cell[1] or cell
    return type(v) == "number" and v or nil
end

local function text_of(cell)
    return tostring(type(cell) == "table" and cell[2] or cell or "")
end

-- Rows by the text of their first cell and of the second, if that is a word; false where several have the same.
local function by_name(rows)
    local found = {}
    for _, row in ipairs(rows or {}) do
        local key = text_of(row[1]) .. "\n" .. (number_of(row[2]) and "" or text_of(row[2]))
        found[key] = found[key] == nil and row
    end
    return found
end

-- For each row and column whose numbers are shown differently in the draws, {least, greatest}.
local function ranges(option, n, width, rows)
    local found, drawn = {}, lists.map(option.drawn, function(one) return by_name(one.tables[n]) end)
    for key, row in pairs(by_name(rows)) do
        found[row] = {}
        for c = 1, row and width or 0 do
            local least, most = row[c], row[c]
            for _, named in ipairs(drawn) do
                local cell = number_of(row[c]) and named[key] and named[key][c]
                if number_of(cell) then
                    least = number_of(cell) < number_of(least) and cell or least
                    most = number_of(cell) > number_of(most) and cell or most
                end
            end
            found[row][c] = text_of(least) ~= text_of(most) and {least, most} or nil
        end
    end
    return found
end

-- The rows themselves where none has a range.
function draws.beside(option, n, columns, rows)
    local found = ranges(option, n, #columns, rows)
    local any = lists.any(rows, function(row) return next(found[row] or {}) end)
    return not any and rows or lists.map(rows, function(row)
        local out = table.move(row, 1, #columns, 1, {})
        for c, range in pairs(found[row] or {}) do
            out[c] = {number_of(row[c]),
                ("%s (%s to %s)"):format(text_of(row[c]), text_of(range[1]), text_of(range[2]))}
        end
        return out
    end)
end

function draws.apart(option, n, columns, rows)
    local found, heads, all = ranges(option, n, #columns, rows), {}, lists.map(rows, function() return {} end)
    local ends = {"low", "high"}
    for c, column in ipairs(columns) do
        heads[#heads + 1] = column
        for i, row in ipairs(rows) do
            all[i][#heads] = row[c]
        end
        local any = lists.any(rows, function(row) return found[row] and found[row][c] end)
        for which, word in ipairs(any and ends or {}) do
            local name = (column.key or column[1]) .. " " .. word
            heads[#heads + 1] = lists.merge(column, {name, key = name})
            for i, row in ipairs(rows) do
                all[i][#heads] = found[row] and found[row][c] and found[row][c][which] or nil
            end
        end
    end
    return heads, all
end

-- ---- results ----

-- An element of a list by its name, if it has one: lists may be in the order of their costs.
local function counterpart(of, key, value)
    local name = type(value) == "table" and math.type(key) == "integer" and (value.name or value.id)
    local same = name and lists.map(of, function(other)
        return type(other) == "table" and (other.name or other.id) == name and other or nil
    end)
    if not same then
        return of[key]
    end
    return #same == 1 and same[1] or nil
end

local function compare(value, drawn, at, into)
    if type(value) == "number" then
        local low, high = value, value
        for _, v in ipairs(drawn) do
            v = type(v) == "number" and v or value
            low, high = math.min(low, v), math.max(high, v)
        end
        into[#into + 1] = low < high and {at = at, low = low, high = high} or nil
        return
    end
    local keys = {}
    for key in pairs(type(value) == "table" and value or {}) do
        keys[#keys + 1] = key
    end
    table.sort(keys, function(a, b) return type(a) == type(b) and a < b or type(a) < type(b) end)
    for _, key in ipairs(keys) do
        local step = math.type(key) == "integer" and key - 1 or key:gsub("~", "~0"):gsub("/", "~1")
        compare(value[key], lists.map(drawn, function(d)
            return type(d) == "table" and counterpart(d, key, value[key]) or nil
        end), at .. "/" .. step, into)
    end
end

function draws.figures(option, result)
    local found = {}
    compare(result, lists.map(option.drawn, function(one) return one.result end), "", found)
    return found
end

return draws
