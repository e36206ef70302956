-- Verdicts on a page (heddle.kit.page): as one table, claim by claim with what was measured, and by board.
local condition = require "heddle.claims.condition"
local judge = require "heddle.claims.judge"
local lists = require "heddle.kit.lists"
local report = require "heddle.kit.report"
local search = require "heddle.claims.search"

local show = {}

-- Describes where a claim holds, or on what it was judged.
local function where(v)
    return v.condition or v.inputs == 1 and v.trials[1].name or
        ("%s %d inputs"):format(v.won > 0 and "all" or "none of", v.inputs)
end

-- "unfold against im2col; latency (DRAM 16 %)", for a line below a row of a terminal.
local function below(v)
    local sides = v.rival and ("%s against %s"):format(v.method, v.rival) or v.method
    return table.concat(lists.append({sides}, {v.bound_by}), "; ")
end

-- A claim has a row for each of its conditions.
local function table_of(out, list, metrics)
    local rows, narrow = {}, {}
    for _, v in ipairs(list) do
        local ratio = v.ratio_least and judge.ratio_text(metrics[v.metric], v.ratio_least, v.ratio_most) or v.note or ""
        local row = {v.claim, v.verdict, v.method or "", v.rival or "", ratio, v.bound_by or ""}
        narrow[#narrow + 1] = {v.claim, v.verdict, ratio, below(v) .. ":"}
        for part in (where(v) .. "; "):gmatch "(.-); " do
            row[7] = part
            rows[#rows + 1] = row
            narrow[#narrow + 1] = {"", "", "", part}
            row = out.as == "csv" and {table.unpack(row, 1, 6)} or {"", "", "", "", "", ""}
        end
    end
    if #rows > 0 then
        out:put({"claim", {"verdict", verdict = true}, "method", "best rival", "ratio", "bound by",
            {"where", verdict = true}}, rows, {},
            {heads = {"claim", "verdict", "ratio", "method against best rival; bound by; where"}, rows = narrow,
                right = {[4] = "below"}})
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
        parts[i] = ("%s%s %s%s"):format(turn.label and turn.label .. ": " or "", turn.param,
            search.text(turn.found, turn.upto), turn.note and (" (%s)"):format(turn.note) or "")
    end
    return #parts > 0 and (" Crossovers: %s."):format(table.concat(parts, "; ")) or ""
end

-- "As measured again otherwise: street 128x128, L2 warm: 1 / im2col 2."
local function otherwise_text(v)
    local parts = {}
    for i, trial in ipairs(v.otherwise or {}) do
        parts[i] = measured(trial, v.method)
    end
    return #parts > 0 and (" Otherwise when measured again: %s."):format(table.concat(parts, "; ")) or ""
end

-- The trials that decide a claim: the nearest to turning over, of those where it is true and of the others.
local function nearest(trials)
    local yes, no = condition.split(trials)
    local function distance(trial) return math.abs(math.log(trial.ratio or 1)) end
    return lists.append({(lists.least(yes, distance))}, {(lists.least(no, distance))})
end

-- Lists each claim: its text, what would refute it, and both costs, on every trial, or on those that decide and without
-- the condition, which the table has.
function show.details(out, list, metrics, every)
    for _, v in ipairs(list) do
        local metric = metrics[v.metric]
        local parts = lists.map(every and v.trials or nearest(v.trials), function(trial)
            return measured(trial, v.method)
        end)
        out:verdict(v.claim, v.verdict, ("%s. %s%s%s: %s.%s%s"):format(
            every and v.condition and " " .. v.condition or "", v.says and v.says .. " " or "",
            v.refuted and ("Refuted by %s. "):format(v.refuted) or "",
            metric and v.method and ("In %s, of %s / of the best rival"):format(metric.unit, v.method) or "Found",
            table.concat(parts, "; "), every and otherwise_text(v) or "", every and turns_text(v.turns) or ""))
    end
end

local function outcome(v)
    return not v and "not run" or v.verdict == "holds when" and ("%d of %d"):format(v.won, v.inputs) or v.verdict
end

-- The verdicts in several places, {{name, list or nil}, ...}: a row for each claim; nothing for a single place.
function show.matrix(out, places)
    local heads, rows, row_of = {"claim"}, {}, {}
    for c, place in ipairs(places) do
        heads[c + 1] = {place[1], verdict = true}
        for _, v in ipairs(place[2] or {}) do
            if not row_of[v.id] then
                rows[#rows + 1] = {v.claim}
                row_of[v.id] = rows[#rows]
            end
            row_of[v.id][c + 1] = outcome(v)
        end
    end
    for _, row in ipairs(rows) do
        for c = 2, #heads do
            row[c] = row[c] or outcome()
        end
    end
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
