-- Text for people: tables with aligned columns, and numbers with their units. Counts are grouped by commas; values of
-- options and dimensions of tensors (L = 4096, [1024,1024]) are printed as they are typed.
local lists = require "heddle.kit.lists"

local report = {}

-- Characters, not bytes.
local function width(s)
    return utf8.len(s) or #s
end

local function pad(s, n, right)
    local blanks = (" "):rep(n - width(s))
    return right and blanks .. s or s .. blanks
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

local function longest_word(text)
    local most = 0
    for word in text:gmatch "%S+" do
        most = math.max(most, width(word))
    end
    return most
end

-- Lines of a table whose columns are so wide. `heights` remembers the lines of a cell by its width.
local function lines_of(cells, widths, heights)
    local sum = 0
    for i, row in ipairs(cells) do
        local most = 1
        for c, cell in ipairs(row) do
            local w = math.min(widths[c], width(cell))
            local known = heights[i][c]
            known[w] = known[w] or #report.wrap(cell, w)
            most = math.max(most, known[w])
        end
        sum = sum + most
    end
    return sum
end

-- Narrows columns, none below its longest word, until the table has at most `most` characters: each time the one that
-- adds fewest lines, of several the widest.
local function narrow(cells, widths, least, most)
    local sum, heights = 2 * #widths + lists.sum(widths, function(w) return w end), {}
    for i, row in ipairs(cells) do
        heights[i] = {}
        for c in ipairs(row) do
            heights[i][c] = {}
        end
    end
    while sum > most do
        local best, fewest
        for c, w in ipairs(widths) do
            if w > least[c] then
                widths[c] = w - 1
                local lines = lines_of(cells, widths, heights)
                widths[c] = w
                if not best or lines < fewest or lines == fewest and w > widths[best] then
                    best, fewest = c, lines
                end
            end
        end
        if not best then
            return
        end
        widths[best], sum = widths[best] - 1, sum - 1
    end
end

-- The cells of a table as text, heads first; and the texts of the column `below`, which it takes out.
local function cells_of(heads, rows, below)
    local cells, notes = {}, {}
    for i = 0, #rows do
        local row = i == 0 and heads or rows[i]
        cells[i + 1] = {}
        for c in ipairs(heads) do
            local text = tostring(row[c] == nil and "" or row[c])
            if c == below then
                notes[i + 1] = text
            else
                table.insert(cells[i + 1], text)
            end
        end
    end
    return cells, notes
end

local function add_row(text, row, widths, right)
    local lines, most = {}, 1
    for c, cell in ipairs(row) do
        lines[c] = width(cell) > widths[c] and report.wrap(cell, widths[c]) or {cell}
        most = math.max(most, #lines[c])
    end
    for n = 1, most do
        local parts = {}
        for c in ipairs(row) do
            parts[c] = pad(lines[c][n] or "", widths[c], right[c])
        end
        text[#text + 1] = ("  " .. table.concat(parts, "  ")):gsub("%s+$", "")
    end
end

-- How many columns of a table fit a width when every cell is broken between its words: two at least.
local function fitting(heads, rows, wide)
    local sum = 0
    for c, head in ipairs(heads) do
        local least = longest_word(head)
        for _, row in ipairs(rows) do
            least = math.max(least, row[c] ~= nil and longest_word(tostring(row[c])) or 0)
        end
        sum = sum + 2 + least
        if sum > wide then
            return math.max(c - 1, 2)
        end
    end
    return #heads
end

-- Lines of a table. `heads` is a list of column heads, `rows` a list of lists of values (nil: blank). A column is set
-- to the right when all its values are numbers, unless `options.right` says true or false for it. Cells are broken
-- between words when the table would have more than `options.wide` characters, and where that is not enough, further
-- columns are a table of their own, behind the first one; the text of the last column, if `options.below` says so, is
-- below its row, and its head beside that of the first.
function report.table(heads, rows, options)
    options = options or {}
    local fit = options.wide and not options.below and fitting(heads, rows, options.wide) or #heads
    if fit < #heads then
        local function columns(list, from, to)
            return table.move(list, from, to, 2, {list[1]})
        end
        local parts = {}
        for i, span in ipairs {{2, fit}, {fit + 1, #heads}} do
            local right = columns(options.right or {}, span[1], span[2])
            parts[i] = report.table(columns(heads, span[1], span[2]), lists.map(rows, function(row)
                return columns(row, span[1], span[2])
            end), {right = right, wide = options.wide})
        end
        return table.concat(parts, "\n")
    end
    local below = options.below and #heads
    local cells, notes = cells_of(heads, rows, below)
    local text, widths, least, right = {}, {}, {}, {}
    cells[1][1] = cells[1][1] .. (below and ", " .. notes[1] or "")
    for c in ipairs(cells[1]) do
        right[c] = true
        for i, row in ipairs(cells) do
            widths[c] = math.max(widths[c] or 0, width(row[c]))
            least[c] = math.max(least[c] or 0, longest_word(row[c]))
            local v = i > 1 and rows[i - 1][c] or nil
            right[c] = right[c] and (v == nil or type(v) == "number")
        end
    end
    for c, yes in pairs(options.right or {}) do right[c] = yes end
    if options.wide then
        narrow(cells, widths, least, options.wide)
    end
    for i, row in ipairs(cells) do
        add_row(text, row, widths, right)
        for _, line in ipairs(i > 1 and below and report.wrap(notes[i], options.wide - 6) or {}) do
            text[#text + 1] = "      " .. line
        end
    end
    return table.concat(text, "\n") .. "\n"
end

local function escape(text)
    return (text:gsub("[|\\]", "\\%0"))
end

-- The same table in Markdown, escaped as the command's own are.
function report.markdown(heads, rows, options)
    local right, cells = options and options.right or {}, cells_of(heads, rows)
    table.insert(cells, 2, lists.map(heads, function(_, c) return right[c] and "---:" or "---" end))
    return table.concat(lists.map(cells, function(row)
        return "| " .. table.concat(lists.map(row, escape), " | ") .. " |\n"
    end))
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

-- Heads and rows of a table with a row for each record. A column is {head, field of a record or function of it, how its
-- numbers are shown (report.short)}; nil is blank.
function report.columns(list, columns)
    return lists.map(columns, function(column) return column[1] end), lists.map(list, function(record)
        return lists.map(columns, function(column)
            local of, shown = column[2], column[3] or report.short
            local v = type(of) == "function" and of(record) or record[of]
            return type(v) == "number" and shown(v) or v or ""
        end)
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

-- A bar of `share` (0..1) of `n` characters, in eighths.
function report.bar(share, n)
    local eighths = {[0] = "", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}
    local units = math.floor(math.max(0, math.min(1, share)) * n * 8 + 0.5)
    return ("█"):rep(units // 8) .. eighths[units % 8]
end

-- What bounds a launch, in a few words from its sentence: "DRAM 92 %", or "latency (DRAM 57 %)".
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
