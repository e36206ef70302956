-- Comparisons of rows that the mask study measured: which is faster, and at which sizes.
--
--   local e, by = compare.last(entry.lengths)        the workload of the largest L, and its rows by label
--   compare.faster(by["words linear"], compare.strongest(by))
--   compare.where(compare.split(entry, function(by) return ... end))        "from L = 256 on"
--
-- Times include the write-back of lines that a launch left dirty in L2 (`drained` of heddle.mask.launch): a fill that
-- reads less leaves more, and would look faster than it is. Times that differ by no more than MARGIN count as equal:
-- the order of warps alone changes them by as much.
local study = require "heddle.kit.study"
local tables = require "heddle.mask.tables"

local compare = {
    MARGIN = study.MARGIN,
    WORDS = "words linear", -- the walk that works for every size of elements
}

-- Rows by label, without those that the board cannot run.
function compare.rows_of(entry)
    local by = tables.by_label(entry.methods)
    for label, row in pairs(by) do
        by[label] = not row.skipped and row or nil
    end
    return by
end

function compare.last(list)
    return list[#list], compare.rows_of(list[#list])
end

-- The speed-up over another row.
function compare.ratio(row, other)
    return other.drained / row.drained
end

-- The fastest of the rows with these labels; nil: none was measured.
function compare.fastest(by, labels)
    local best
    for _, label in ipairs(labels) do
        best = by[label] and (not best or by[label].drained < best.drained) and by[label] or best
    end
    return best
end

function compare.faster(row, other)
    return compare.ratio(row, other) > 1 + compare.MARGIN
end

-- The faster of the two fills by bits that are not rearranged; nil without any.
function compare.best_bits(by)
    return compare.fastest(by, {"bits", "bits-vector"})
end

-- The fastest boolean method.
function compare.strongest(by)
    return compare.fastest(by, {"bool", "bool-vector", "bool-heads"})
end

-- ---- where something is true ----

-- {64, 128, 256} -> "64, 128 and 256", or with another word in place of "and"
function compare.series(list, word)
    if #list < 2 then
        return tostring(list[1])
    end
    return ("%s %s %s"):format(table.concat(list, ", ", 1, #list - 1), word or "and", list[#list])
end

-- A test on rows: whether one of them is faster than another; nil where the board cannot run that.
function compare.against(label, other)
    return function(by) return by[other] and compare.faster(by[label], by[other]) end
end

-- Of the workloads by L: the sides for which a test on the rows is true, and those for which it is not; nil is neither.
function compare.split(entry, test)
    local yes, no = {}, {}
    for _, e in ipairs(entry.lengths) do
        local result = test(compare.rows_of(e))
        local where = result and yes or no
        where[#where + 1] = result ~= nil and e.length or nil
    end
    return yes, no
end

-- The same in words: "at every L", "from L = 256 on", ...
function compare.where(yes, no)
    if #no == 0 or #yes == 0 then
        return #no == 0 and "at every L" or "at no L"
    elseif math.max(table.unpack(no)) < math.min(table.unpack(yes)) then
        return ("from L = %d on"):format(math.min(table.unpack(yes)))
    end
    return "at L = " .. compare.series(yes) .. ", not at " .. compare.series(no)
end

-- The same behind "holds when"; nil where there is nothing to say.
function compare.condition(yes, no)
    if #no == 0 or #yes == 0 then
        return nil
    elseif math.max(table.unpack(no)) < math.min(table.unpack(yes)) then
        return ("L is %d or more"):format(math.min(table.unpack(yes)))
    end
    return "L is " .. compare.series(yes, "or") .. ", not " .. compare.series(no, "or")
end

-- Of the widths: the least from which on a test is always true, and the last at which it is not; nil without such.
function compare.turns(entry, test)
    local from, not_at
    for _, e in ipairs(entry.widths or {}) do
        local result = test(compare.rows_of(e))
        if result then
            from = from or e.width
        elseif result == false then
            not_at, from = e.width, nil
        end
    end
    return from, not_at
end

function compare.turns_text(entry, test)
    local from, not_at = compare.turns(entry, test)
    if from then
        return ("; by width from W = %d on"):format(from) .. (not_at and (", not yet at %d"):format(not_at) or "")
    end
    return not_at and ("; by width not yet at W = %d"):format(not_at) or ""
end

function compare.verdict(yes, no)
    return #no == 0 and "holds" or #yes == 0 and "does not hold" or "holds when"
end

return compare
