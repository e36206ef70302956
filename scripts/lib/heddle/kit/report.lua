-- Text for people: numbers with their units, and what stands in tables (heddle.kit.page). Counts are grouped by commas;
-- values of options and dimensions of tensors (L = 4096, [1024,1024]) are printed as they are typed.
local lists = require "heddle.kit.lists"

local report = {}

-- Characters, not bytes.
local function width(s)
    return utf8.len(s) or #s
end

-- The words of a text in lines of at most `most` characters; a longer word has a line of its own.
function report.wrap(text, most)
    local lines = {}
    for word in text:gmatch "%S+" do
        local last = lines[#lines]
        if last and width(last) + 1 + width(word) <= most then
            lines[#lines] = last .. " " .. word
        else
            lines[#lines + 1] = word
        end
    end
    return lines
end

-- 68545 -> "68,545"; floats are rounded.
function report.count(n)
    local s = (math.type(n) == "integer" and "%d" or "%.0f"):format(n)
    local grouped = s:reverse():gsub("(%d%d%d)", "%1,"):reverse()
    return (grouped:gsub("^(-?),", "%1"))
end

-- Three digits, or all in front of the point: 4.183 -> "4.18", 46.0 -> "46", 1554.8 -> "1,555"
function report.short(v)
    if math.abs(v) < 999.5 then
        return ((math.abs(v) < 100 and "%.3g" or "%.0f"):format(v))
    end
    return report.count(v)
end

-- A cell of a table: a number, which CSV has, and how text shows it (report.short); nothing for nil or false.
function report.cell(v, shown)
    return v and {v, (shown or report.short)(v)} or nil
end

-- Heads and rows of a table with a row for each record. A column is {head, field of a record or function of it, how its
-- numbers are shown}.
function report.columns(list, columns)
    return lists.map(columns, function(column)
        return {column[1], key = type(column[2]) == "string" and column[2] or nil}
    end), lists.map(list, function(record)
        local row = {}
        for c, column in ipairs(columns) do
            local of = column[2]
            local v = type(of) == "function" and of(record) or type(of) == "string" and record[of] or nil
            row[c] = type(v) == "number" and report.cell(v, column[3]) or v
        end
        return row
    end)
end

-- The names, or labels, of the entries of a list by their reason, `why`: {{why, "a, b"}, ...}, as first met.
function report.by_reason(list)
    local reasons, found = {}, {}
    for _, entry in ipairs(list) do
        local reason, name = found[entry.why], entry.name or entry.label
        if reason then
            reason[2] = reason[2] .. ", " .. name
        else
            reason = {entry.why, name}
            reasons[#reasons + 1], found[entry.why] = reason, reason
        end
    end
    return reasons
end

-- 0.1234 -> "12.3 %"
function report.percent(share)
    return ("%.1f %%"):format(100 * share)
end

-- 1, "run" -> "1 run"; 1071 -> "1,071 runs"
function report.plural(n, word)
    return ("%s %s%s"):format(report.count(n), word, n == 1 and "" or "s")
end

-- {"a", "b", "c"} -> "a, b or c", or with another word
function report.either(list, word)
    local last = list[#list]
    return #list < 2 and last or ("%s %s %s"):format(table.concat(list, ", ", 1, #list - 1), word or "or", last)
end

-- A bar of `share` (0..1) of `n` characters, in eighths.
function report.bar(share, n)
    local eighths = {[0] = "", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}
    local units = math.floor(math.max(0, math.min(1, share)) * n * 8 + 0.5)
    return ("█"):rep(units // 8) .. eighths[units % 8]
end

-- Shortens the limiter's sentence: "DRAM 92 %", or "latency (DRAM 57 %)".
function report.bound(limiter)
    local kind = (limiter:match "^[^:.]*" or ""):lower():gsub("^bound by ", "")
    local share, level = limiter:match " (%d+) %% of its peak %(([^)]+)"
    if level then
        return ("%s (%s %s %%)"):format(kind, level, share)
    end
    local what
    what, share = limiter:match "[Bb]ound by ([^:]+): [%d.,]+ of .- (%d+) %% of its peak"
    return what and ("%s %s %%"):format(what, share) or kind
end

return report
