-- Verdicts on a page (heddle.kit.page): as one table, claim by claim with what was measured, and by board.
local condition = require "heddle.claims.condition"
local judge = require "heddle.claims.judge"
local lists = require "heddle.kit.lists"
local questions = require "heddle.claims.questions"
local report = require "heddle.kit.report"
local search = require "heddle.claims.search"

local show = {}

-- Describes where a claim holds, or on what it was judged: inputs, and the ranges that were searched without a turn.
local function where(v)
    local parts = {v.condition or v.verdict:find "^mixed" and "" or v.inputs == 1 and v.trials[1].name or
        ("%s %d inputs"):format(v.won > 0 and "all" or "none of", v.inputs)}
    local order, from, to = {}, {}, {}
    for _, turn in ipairs(not v.condition and v.won == v.inputs and v.turns or {}) do
        local param, found = turn.param, turn.found
        if found.turns then
            parts[#parts + 1] = ("with %s %s"):format(param, search.text(found))
        else
            order[#order + 1] = not from[param] and param or nil
            from[param] = math.min(from[param] or math.huge, found.from or math.huge)
            to[param] = math.max(to[param] or -math.huge, found.to or -math.huge)
        end
    end
    for _, param in ipairs(order) do
        local range = from[param] < math.huge and condition.range(from[param], to[param])
        parts[#parts + 1] = range and ("%s searched %s"):format(param, range) or nil
    end
    if v.ranged and not v.condition and not v.verdict:find "^mixed" then
        parts[#parts + 1] = v.falls and "on some " .. condition.text {v.falls} or
            ("at all %senergies within their ranges"):format(v.assumed and "assumed " or "")
    end
    return table.concat(parts, "; ")
end

-- "unfold against im2col; latency (DRAM 16 %)", for a line below a row of a terminal.
local function below(v)
    local sides = v.rival and ("%s against %s"):format(v.method, v.rival) or v.method
    return table.concat(lists.append({sides}, {v.bound_by}), "; ")
end

local function ratio_of(v, metrics)
    return v.ratio_least and judge.ratio_text(metrics[v.metric], v.ratio_least, v.ratio_most) or v.note or ""
end

-- The ratio by the metric beside a claim's own, and on how many inputs the claim is true by it, if not on as many.
local function beside_of(v, metrics)
    local one = v.beside
    return one and judge.ratio_text(metrics[one.metric], one.ratio_least, one.ratio_most) ..
        (one.won ~= v.won and (" (%d of %d)"):format(one.won, v.inputs) or "") or ""
end

-- The head of the column for the other metric; nil where no claim has one.
local function beside_head(list, metrics)
    for _, v in ipairs(list) do
        if v.beside then
            return metrics[v.metric].beside_as
        end
    end
    return nil
end

-- A claim has a row for each sentence of its condition.
local function table_of(out, list, metrics)
    local rows, narrow, head = {}, {}, beside_head(list, metrics)
    for _, v in ipairs(list) do
        local ratio, other = ratio_of(v, metrics), head and beside_of(v, metrics)
        local row = lists.append({v.claim, v.verdict, v.method or "", v.rival or "", ratio}, {other})
        row[#row + 1] = v.bound_by or ""
        narrow[#narrow + 1] = {v.claim, v.verdict, ratio, below(v) ..
            (other and other ~= "" and ("; %s %s"):format(head, other) or "") .. (where(v) ~= "" and ":" or "")}
        local last = #row + 1
        for part in (where(v) .. "; "):gmatch "(.-); " do
            row[last] = part
            rows[#rows + 1] = row
            narrow[#narrow + 1] = part ~= "" and {"", "", "", part} or nil
            row = out.as == "csv" and {table.unpack(row, 1, last - 1)} or lists.map(row, function() return "" end)
        end
    end
    if #rows > 0 then
        local heads = lists.append({"claim", {"verdict", verdict = true}, "method", "best rival", "ratio"}, {head})
        lists.append(heads, {"bound by", {"where", verdict = true}})
        out:put(heads, rows, {}, {heads = {"claim", "verdict", "ratio", "method against best rival; bound by; where"},
            rows = narrow, right = {[4] = "below"}})
    end
end

-- The table that a study opens with, and one of claims that are a view of another one; on pages with a picture.
function show.verdicts(out, list, metrics, about)
    local whole, parts = {}, {}
    for _, v in ipairs(list) do
        local group = v.part and parts or whole
        group[#group + 1] = v
    end
    out:claims("Where the claims are true: " .. about, whole, metrics)
    table_of(out, whole, metrics)
    if #parts > 0 then
        out:claims("Against one rival at a time, and in other views: " .. about, parts, metrics)
        out:say "The same against one rival at a time, and in other views:"
        table_of(out, parts, metrics)
    end
end

local function number(v)
    return v and report.short(v) or "?"
end

-- Describes the measurements of one trial: "street 128x128: 17,815 / im2col 20,374".
local function measured(trial, method)
    if not trial.ratio then
        return ("%s: %s"):format(trial.name, trial.note or (trial.won and "yes" or "no"))
    end
    return ("%s: %s%s / %s %s%s"):format(trial.name, trial.method ~= method and trial.method .. " " or "",
        number(trial.cost), trial.rival, number(trial.rival_cost), trial.note and (" (%s)"):format(trial.note) or "")
end

local function turns_text(turns)
    local parts = {}
    for i, turn in ipairs(turns or {}) do
        parts[i] = ("%s%s %s%s"):format(turn.label and turn.label .. ": " or "", turn.param, search.text(turn.found),
            turn.note and (" (%s)"):format(turn.note) or "")
    end
    return #parts > 0 and (" Crossovers: %s."):format(table.concat(parts, "; ")) or ""
end

-- The trials that decide a claim: the nearest to turning over, of those where it is true and of the others.
local function nearest(trials)
    local yes, no = condition.split(trials)
    local function distance(trial) return math.abs(math.log(trial.ratio or 1)) end
    return lists.append({(lists.least(yes, distance))}, {(lists.least(no, distance))})
end

-- The questions, with the rivals that answer them and those that are known but were not built. Views of other claims
-- have the same ones.
function show.rivals(out, list)
    local rows = questions.table(lists.map(list, function(v) return not v.part and v or nil end))
    if #rows > 0 then
        out:say "Rivals that were tried, by what was asked of a claim, and those known but not built:"
        out:put({"claim", "asked", "tried", "left out"}, rows, {})
    end
end

local function outcome_of(trial)
    return not trial and "" or not trial.ratio and (trial.won and "yes" or "no") or
        (trial.ratio == math.huge and "free" or number(trial.ratio)) .. (trial.won and "" or " no")
end

-- A table of columns {head, items}: the heads, and a row for each item by its field `key`, titled by its field `title`;
-- cell(item), or cell() where a column lacks it.
local function crossed(head, columns, key, title, cell)
    local heads, rows, row_of = {head}, {}, {}
    for c, column in ipairs(columns) do
        heads[c + 1] = column[1]
        for _, item in ipairs(column[2]) do
            if not row_of[item[key]] then
                rows[#rows + 1] = {item[title]}
                row_of[item[key]] = rows[#rows]
            end
            row_of[item[key]][c + 1] = cell(item)
        end
    end
    for _, row in ipairs(rows) do
        for c = 2, #heads do
            row[c] = row[c] or cell()
        end
    end
    return heads, rows
end

-- A row for each input and a column for each claim: what the best rival costs for 1 of the method's.
local function by_input(out, list)
    out:say("By input: the cost of the best rival for 1 of the method's; 'no' where the claim is not true.")
    out:put(crossed("input", lists.map(list, function(v) return {v.claim, v.trials} end), "name", "name", outcome_of))
end

-- Lists each claim: its text, what would refute it, and both costs on the trials that decide; then the rivals by
-- question, and the outcome by input. `every`: views of other claims, and crossovers, too.
function show.details(out, list, metrics, every)
    for _, v in ipairs(lists.map(list, function(v) return (every or not v.part) and v or nil end)) do
        local metric = metrics[v.metric]
        local parts = lists.map(nearest(v.trials), function(trial) return measured(trial, v.method) end)
        out:verdict(v.claim, v.verdict, (". %s%s%s: %s.%s"):format(v.says and v.says .. " " or "",
            v.refuted and ("Refuted by %s. "):format(v.refuted) or "",
            metric and v.method and ("In %s, of %s / of the best rival"):format(metric.unit, v.method) or "Found",
            table.concat(parts, "; "), every and turns_text(v.turns) or ""))
    end
    show.rivals(out, list)
    by_input(out, list)
end

local function outcome(v)
    local whole = v and (v.verdict == "holds" or v.verdict == "does not hold")
    return not v and "not run" or whole and v.verdict or ("%d of %d"):format(v.won, v.inputs)
end

-- The verdicts in several places, {{name, list or nil}, ...}: a row for each claim; nothing for a single place.
function show.matrix(out, places)
    local heads, rows = crossed("claim", lists.map(places, function(place)
        return {{place[1], verdict = true}, place[2] or {}}
    end), "id", "claim", outcome)
    if #places > 1 and #rows > 0 then
        out:say "Verdicts by board; where a claim holds on some inputs only, their number:"
        out:put(heads, rows, {})
    end
end

-- A map of heddle.claims.search: y down, x across.
function show.map(out, map)
    local heads, rows = {map.y.name .. " \\ " .. map.x.name}, {}
    for k, x in ipairs(map.x.values) do
        heads[k + 1] = tostring(x)
    end
    for i, y in ipairs(map.y.values) do
        rows[i] = {tostring(y), table.unpack(map.cells[i])}
    end
    out:put(heads, rows)
end

return show
