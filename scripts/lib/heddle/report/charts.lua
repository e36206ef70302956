-- Charts of measurements for a page: figures of heddle.report.html, with their words and their tables.
--
--   charts.lines {id = "speed", title = "Speed-up on a100", x = "L", y = "times as fast", log = true,
--       series = {{"words", {{64, 0.9}, {128, 1.1}}, role = "proposed"}, {"bits", {...}}}}
--   charts.bars {id = "time", title = "Time of a fill", y = "cycles", names = {"bool", "words"},
--       series = {{"time", {2, 1}}}, roles = {words = "proposed", bool = "rival"}}
--   charts.claims {id = "claims", title = "Claims on a100", list = verdicts, metrics = metrics}     of claims.judge
--
-- All may have `about`, how to read it, and `alt`, its contents in words; lines and bars `unit`, and `heads`, `rows`
-- and `left` of another table. Lines: `log`, `log_y`: logarithmic axes; `high`: upper end; `marks`: {kind =
-- "knee" or "crossing", x, y, series}. Bars: several series are the parts of a bar, unless `apart`; a chart of one is
-- sorted. A role is "proposed", "rival" or "control".
local heddle = require "heddle"
local html = require "heddle.report.html"
local judge = require "heddle.claims.judge"
local lists = require "heddle.kit.lists"
local number = require "heddle.report.number"

local charts = {}

-- A number that can be drawn.
local function is_finite(v)
    return v and v == v and math.abs(v) < math.huge
end

local function exact(v)
    return v and ("%.5g"):format(v) or nil
end

-- ---- lines ----

-- A row for each x, a column for each series.
local function by_x(spec)
    local at, xs = {}, {}
    for i, series in ipairs(spec.series) do
        for _, point in ipairs(series[2]) do
            if not at[point[1]] then
                at[point[1]] = {}
                xs[#xs + 1] = point[1]
            end
            at[point[1]][i] = point[2]
        end
    end
    table.sort(xs)
    return lists.map(xs, function(x)
        local row = {exact(x)}
        for i = 1, #spec.series do
            row[i + 1] = exact(at[x][i])
        end
        return row
    end)
end

local function names_of(spec)
    return lists.map(spec.series, function(series) return series[1] end)
end

local function roles_of(spec)
    local roles = {}
    for _, series in ipairs(spec.series) do
        roles[series[1]] = series.role
    end
    return next(roles) and roles
end

function charts.lines(spec)
    local points, low, high, left = heddle.array {}, math.huge, -math.huge, math.huge
    for _, series in ipairs(spec.series) do
        for _, p in ipairs(series[2]) do
            if is_finite(p[2]) then
                points[#points + 1] = {x = p[1], y = p[2], series = series[1]}
                low, high, left = math.min(low, p[2]), math.max(high, p[2]), math.min(left, p[1])
            end
        end
    end
    return html.figure {
        id = spec.id, title = spec.title, about = spec.about, left = spec.left,
        alt = spec.alt or #points > 0 and ("%s: from %s to %s."):format(spec.y, exact(low), exact(high)) or "No point.",
        data = {kind = "curves", points = points, marks = spec.marks or heddle.array {}, series = names_of(spec),
            roles = roles_of(spec), x = spec.x, y = spec.y, unit = spec.unit or "",
            log = spec.log and left > 0 or nil, log_y = spec.log_y and low > 0 or nil, high = spec.high},
        heads = spec.heads or lists.append({spec.x}, names_of(spec)), rows = spec.rows or by_x(spec),
    }
end

-- ---- bars ----

local RANKS <const> = {proposed = 1, rival = 2, control = 3}

-- The places of the names, those with the least first; parts are sorted where they have roles, by these.
local function order_of(spec)
    local order = lists.map(spec.names, function(_, k) return k end)
    if #spec.series > 1 and not spec.roles then
        return order
    end
    local keys = lists.map(order, function(k)
        return {spec.roles and #spec.series > 1 and RANKS[spec.roles[spec.names[k]]] or 0,
            lists.sum(spec.series, function(series) return series[2][k] or 0 end), k}
    end)
    table.sort(order, function(a, b)
        for i, v in ipairs(keys[a]) do
            if v ~= keys[b][i] then
                return v < keys[b][i]
            end
        end
        return false
    end)
    return order
end

function charts.bars(spec)
    local bars = {}
    local rows = lists.map(order_of(spec), function(k)
        local row = {spec.names[k]}
        for i, series in ipairs(spec.series) do
            bars[#bars + 1] = {label = spec.names[k], series = series[1], value = series[2][k] or 0}
            row[i + 1] = exact(series[2][k])
        end
        return row
    end)
    return html.figure {
        id = spec.id, title = spec.title, about = spec.about, left = spec.left,
        alt = spec.alt or #spec.series == 1 and ("%s: the least is that of %s."):format(spec.y, rows[1][1]) or
            ("%s, of %s."):format(spec.y, table.concat(spec.names, ", ")),
        data = {kind = "bars", rows = bars, series = names_of(spec), roles = spec.roles, label = spec.y,
            unit = spec.unit or "", stacked = not spec.apart},
        heads = spec.heads or lists.append({spec.head or "method"}, names_of(spec)), rows = spec.rows or rows,
    }
end

-- ---- claims ----

-- Places a trial: its ratio, or the edge if one side costs nothing.
local function point_of(trial)
    local ratio = trial.ratio
    if ratio and (ratio == 0 or ratio == math.huge) then
        return {name = trial.name, won = trial.won, edge = ratio == 0 and -1 or 1}
    end
    return ratio and {name = trial.name, won = trial.won, ratio = ratio}
end

local function row_of(v, trial, metric)
    return {v.claim, trial.won and "yes" or "no", trial.name, trial.method or "",
        trial.cost and number.short(trial.cost), trial.rival or "", trial.rival_cost and number.short(trial.rival_cost),
        trial.ratio and judge.ratio_text(metric, trial.ratio, trial.ratio) or trial.note or "", trial.bound_by or ""}
end

-- Draws a line for each claim on costs, with a dot for each condition that it was judged on; nil if there is none.
function charts.claims(spec)
    local claims, rows = {}, {}
    for _, v in ipairs(spec.list) do
        local points = lists.map(v.trials, function(trial) return point_of(trial) or nil end)
        claims[#claims + 1] = #points > 0 and {claim = v.claim, verdict = v.verdict, points = points} or nil
        for _, trial in ipairs(#points > 0 and v.trials or {}) do
            rows[#rows + 1] = row_of(v, trial, spec.metrics[v.metric])
        end
    end
    return #claims > 0 and html.figure {
        id = spec.id, title = spec.title,
        about = "A mark for each condition of a claim: how many times as much the best rival costs " ..
            "as the method. Beyond 1 the method is better.",
        alt = table.concat(lists.map(claims, function(c) return ("%s: %s."):format(c.claim, c.verdict) end), " "),
        data = {kind = "ratios", rows = claims},
        heads = {"claim", "true", "condition", "method", "its cost", "best rival", "its cost", "ratio", "bound by"},
        rows = rows, left = lists.set {2, 3, 4, 6, 8, 9},
    }
end

return charts
