-- Measure boards with microbenchmarks, and compare with measurements on cards
--
-- The measurements on cards, with their sources and the basis of the board's value, are heddle.calibrate.measured; the
-- microbenchmarks are heddle.calibrate.micro. docs/calibration.md has the output of --markdown.
local heddle = require "heddle"
local board = require "heddle.kit.board"
local lists = require "heddle.kit.lists"
local measured = require "heddle.calibrate.measured"
local micro = require "heddle.calibrate.micro"
local options = require "heddle.kit.options"
local page = require "heddle.kit.page"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local NAME = "heddle study calibrate"
local BOARDS = {"v100", "a100", "h100", "h200", "rtx4090"}
local BASES = {"set", "fitted", "seen", "predicted"}
local COLUMNS = {{"quantity", "what"}, {"unit", "unit"}, {"measured", "measured"}, {"model", "model"},
    {"ratio", "ratio", function(v) return ("%.2f"):format(v) end}, {"basis", "basis"}, {"source", "source"}}
-- Tolerance at the ends of a range: the model has whole cycles, and runs of one card differ.
local NEAR <const> = 0.03

-- With --draws: the range beside the model's figure, and whether the card's is in it, in place of the source.
local DRAWN = lists.merge(COLUMNS)
DRAWN[#DRAWN] = {"range of draws", function(f)
    return ("%.4g to %.4g%s"):format(f.low, f.high, f.inside and "" or ", outside")
end}

-- What the model is held to: a name, the most that the mean deviation may be, in percent, and the quantities.
local BARS = {
    {"strides through L1", 6, function(f) return f.group == "L1 by stride" end},
    {"streams", 6, function(f) return f.group:find "^Streams" ~= nil end},
    {"held back", 12, function(f) return f.basis == "predicted" end},
    {"random writes", 30, function(f) return f.id == "random_write" end},
    {"a million appends, RTX 4090", 40, function(f, name) return f.id == "append" and name == "rtx4090" end},
}
local LEAST <const> = 0.8 -- share of the cards' figures inside of the ranges

local groups, known = {"all"}, {}
for _, row in ipairs(measured) do
    if not known[row[2]] then
        groups[#groups + 1], known[row[2]] = row[2], true
    end
end

local option = options.parse {
    name = NAME, args = {...},
    summary = "Runs microbenchmarks on boards and compares them with measurements on cards: latencies, rates of an\n" ..
        "SM, bank conflicts, bandwidths of L2 and DRAM, whole kernels.",
    rows = {
        {heading = "What is measured"},
        {"board", value = "NAME", default = "all", choices = {"all", table.unpack(BOARDS)},
            doc = "a board that has been measured, or all of them"},
        "set",
        {name = "group", value = "NAME", default = "all", choices = groups, doc = "quantities of one kind only"},
        {name = "draws", value = "N", kind = "integer", low = 0, high = 1000, default = 0,
            doc = "measure also on N draws of each board, every value with a range within its own; print the ranges"},
        "threads",
        {heading = "What is printed and written"},
        "markdown", "csv", "html", "json",
    },
    notes = table.concat(report.wrap("Groups: " .. table.concat(groups, ", ", 2) .. ".", 96), "\n  ") .. [[

Basis: 'set', a value of the board is the measurement; 'fitted', a value of the board was chosen
so that the model matches it; 'seen', no value was chosen by it, but the model was changed by people
who knew it; 'predicted', held back: drawn by a hash before it was compared, and nothing is chosen
by it; 'doubted', seen, and the measurement is unreliable.]],
}

-- True if a quantity was measured on the card and is requested.
local function wanted(row, name)
    return row[name] and (option.group == "all" or option.group == row[2])
end

-- The values of the quantities on one draw of a board (0: as it stands), and what --set changed on it, as text.
local function draw(name, number, line)
    local ctx <close> = heddle.new()
    local set = table.move(option.set or {}, 1, #(option.set or {}), 1, {})
    set[#set + 1] = number > 0 and "draw=" .. number or nil
    local b = board.read(ctx, name, set)
    local m, values = micro.new(b, option.threads), {}
    for _, row in ipairs(measured) do
        if wanted(row, name) then
            line.step(("%s: %s"):format(number > 0 and ("%s, draw %d"):format(name, number) or name, row[3]),
                micro.work(row[1]))
            values[row[1]] = m:measure(row[1])
        end
    end
    return values, board.changes(b.set)
end

-- The results on one board, a list in the order of the table, and what --set changed on it, as text.
local function measure(name, line)
    local found, values, changes = {}, draw(name, 0, line)
    for _, row in ipairs(measured) do
        local card, value = row[name], values[row[1]]
        found[#found + 1] = value and {id = row[1], group = row[2], what = row[3], unit = row[4], measured = card[1],
            basis = card[2], source = card[3], model = value, ratio = value / card[1]}
    end
    for number = 1, option.draws do
        local drawn = draw(name, number, line)
        for _, f in ipairs(found) do
            local value = drawn[f.id]
            f.low, f.high = math.min(f.low or f.model, value), math.max(f.high or f.model, value)
            f.inside = f.low * (1 - NEAR) <= f.measured and f.measured <= f.high * (1 + NEAR)
        end
    end
    return found, changes
end

-- The quantities of each group, under its name.
local function print_board(out, name, found, changes)
    out:title(name .. changes)
    for _, group in ipairs(groups) do
        local list = lists.map(found, function(f) return f.group == group and f or nil end)
        if #list > 0 then
            study.print(option.markdown and ("\n**" .. group .. "**") or ("\n  " .. group))
            out:about(("%s%s, %s"):format(name, changes, group))
            local heads, rows = report.columns(list, option.draws > 0 and DRAWN or COLUMNS)
            out:put(heads, rows, {[3] = true, [4] = true, [5] = true})
        end
    end
end

local function cell(v, format)
    return report.cell(v, function() return format:format(v) end)
end

-- The mean of |ratio - 1| and the largest over the quantities that `counts` accepts, as a row that begins with `head`.
local function deviation(head, all, counts)
    local sum, count, worst, where = 0, 0, -1, nil
    for _, name in ipairs(BOARDS) do
        for _, f in ipairs(all[name] or {}) do
            local off = counts(f, name) and math.abs(f.ratio - 1)
            sum, count = sum + (off or 0), count + (off and 1 or 0)
            if off and off > worst then
                worst, where = off, ("%s, %s: %s"):format(name, f.group, f.what)
            end
        end
    end
    local mean = 100 * sum / count
    return count > 0 and {head, count, cell(mean, "%.1f %%"), cell(100 * worst, "%.0f %%"), where} or nil
end

-- Number of cards' figures inside the ranges, of how many that `counts` accepts, and the share.
local function inside(all, counts)
    local within, count = 0, 0
    for _, name in ipairs(BOARDS) do
        for _, f in ipairs(all[name] or {}) do
            within, count = within + (counts(f) and f.inside and 1 or 0), count + (counts(f) and 1 or 0)
        end
    end
    return count > 0 and {within, count, cell(100 * within / count, "%.0f %%")} or nil
end

-- Puts what the model is held to beside what was found, and how many of the figures are off by no more.
local function print_bars(out, all)
    local rows = lists.map(BARS, function(bar)
        local found = deviation(bar[1], all, bar[3])
        local good = found and found[3][1] <= bar[2]
        return found and {bar[1], found[2], cell(bar[2], "%.0f %%"), found[3], good and "yes" or "no"} or nil
    end)
    local counts = option.draws > 0 and inside(all, function() return true end)
    if counts then
        rows[#rows + 1] = {"figures inside of the range", counts[2], cell(100 * LEAST, "%.0f %%"), counts[3],
            counts[1] >= LEAST * counts[2] and "yes" or "no"}
    end
    out:about()
    out:put({"held to", "quantities", "asked", "found", "met"}, rows, {[2] = true, [3] = true, [4] = true})
end

-- By basis.
local function print_inside(out, all)
    local rows = lists.map({"all", table.unpack(BASES)}, function(basis)
        local found = inside(all, function(f) return f.basis == basis or basis == "all" end)
        return found and {basis, table.unpack(found)} or nil
    end)
    out:about()
    out:put({"basis", "inside of the range", "quantities", "share"}, rows, {[2] = true, [3] = true, [4] = true})
end

-- By basis, and by group of what nothing was set or fitted to.
local function summary(out, all)
    local by_basis = lists.map(BASES, function(basis)
        return deviation(basis, all, function(f) return f.basis == basis end)
    end)
    local by_group = lists.map(groups, function(group)
        return deviation(group, all, function(f)
            return f.group == group and (f.basis == "seen" or f.basis == "predicted")
        end)
    end)
    out:about()
    local right = {[2] = true, [3] = true, [4] = true}
    out:put({"basis", "quantities", "mean deviation", "largest", "of"}, by_basis, right)
    if #by_group > 0 then
        out:put({"seen or predicted", "quantities", "mean deviation", "largest", "of"}, by_group, right)
    end
end

return study.main(NAME, function()
    study.outputs(option)
    local all, names, line = {}, option.board == "all" and BOARDS or {option.board}, study.progress()
    local out = page.new(option)
    for _, name in ipairs(names) do
        for _, row in ipairs(measured) do
            line.expect(wanted(row, name) and micro.work(row[1]) * (1 + option.draws) or 0)
        end
    end
    for _, name in ipairs(names) do
        local found, changes = measure(name, line)
        all[name] = found
        print_board(out, name, found, changes)
    end
    if option.draws > 0 then
        print_inside(out, all)
    end
    summary(out, all)
    print_bars(out, all)
    return study.finish("calibrate", option, {boards = all}, true)
end)
