-- The report of the convolution study on one input, for heddle.kit.page; heddle.spconv.sweeps has the densities.
local board = require "heddle.kit.board"
local case = require "heddle.spconv.case"
local report = require "heddle.kit.report"

local tables = {}

local cell, count, plural, short = report.cell, report.count, report.plural, report.short

-- ---- numbers ----

-- 1234567 -> "1.23 M"
function tables.many(v)
    if not v then
        return ""
    end
    for _, unit in ipairs {{1e9, "G"}, {1e6, "M"}, {1e4, "k"}} do
        if v >= unit[1] then
            return ("%s %s"):format(short(v / (unit[2] == "k" and 1e3 or unit[1])), unit[2])
        end
    end
    return short(v)
end

function tables.percent(share)
    return share and ("%.3g %%"):format(100 * share) or ""
end

local many, percent = tables.many, tables.percent

local function times(list, from)
    return table.concat(list, "x", from)
end

-- ---- the problem ----

local function padding_text(p)
    local pieces = {}
    for i = 4 - p.rank, 3 do
        pieces[#pieces + 1] = ("%d:%d"):format(p.lo[i], p.hi[i])
    end
    return table.concat(pieces, ",")
end

local function elements_text(p)
    local pieces = {}
    for i, e in ipairs(p.predetermined) do
        pieces[i] = "(" .. table.concat(e, ",", 4 - p.rank) .. ")"
    end
    return (#pieces > 1 and "elements " or "element ") .. table.concat(pieces, " ")
end

function tables.geometry_text(p)
    local from = 4 - p.rank
    return ("%s of %s, %s to %s; kernel %s, stride %s, padding %s, predetermined %s, %s"):format(
        plural(p.batch, "grid"), times(p.size, from), plural(p.channels, "channel"), plural(p.filters, "filter"),
        times(p.kernel, from), times(p.stride, from), padding_text(p), elements_text(p), p.layout)
end

-- The occupancy of the input.
local function occupancy_text(c)
    local p = c.p
    local text = ("%s of %s active (%s); %s of %s active (density %s)"):format(plural(c.active, "position"),
        count(p.positions), percent(c.active / p.positions), plural(c.windows, "window"), count(p.outputs),
        percent(c.density))
    return text .. (c.q and ("; of the elements of these %s are active (q = %.3f)"):format(percent(c.q), c.q) or "")
end

local function check_text(c)
    return c.exact and "all numbers are whole and small: results must have the reference's bits" or
        "results must lie within the first-order bound of a binary32 sum"
end

-- The rounding to fp16, for all methods or for those that require fp16, and the requirement on their results.
local function say_rounding(out, c, option)
    local half = c:rounded()
    if c.lost then
        out:say("x and weights were rounded to fp16: %s.", case.lost_text(c.lost))
    elseif half and half.lost and table.concat(option.methods, " "):find("unfold-mma", 1, true) then
        out:say("unfold-mma takes x and weights rounded to fp16: %s. Its result is compared with the reference of " ..
            "these: it must %s.", case.lost_text(half.lost), half.exact and "have its bits" or
            "lie within their first-order bound")
    end
end

-- option: methods, those that are run.
function tables.head(out, c, option)
    out:say("%s. %s. %s; %s.", table.concat(c.about, "; "), tables.geometry_text(c.p), occupancy_text(c),
        check_text(c))
    say_rounding(out, c, option)
    if c.active == 0 then
        out:say "No position of x is active: the result is all zero."
    elseif c.windows == 0 then
        out:say("No window has an active position at %s: the result is all zero.",
            #c.p.predetermined > 1 and "a predetermined element" or "the predetermined element")
    end
end

-- What comparisons with channels last favour.
function tables.say_layout(out, option)
    if option.layout == "nhwc" then
        out:say("With channels last only unfolding and im2col write their results in the order of addresses. " ..
            "dense-direct and the rulebook store four filters of a position at a time (one, where their number is " ..
            "no multiple of four), the implicit products one: sectors that are written in pieces move once for " ..
            "each piece. Costs beside theirs favour unfolding, more so than with channels first.")
    end
end

function tables.board_line(entry)
    return ("Board %s, W = %d, %s caches%s%s%s"):format(entry.board, entry.warp, entry.caches,
        entry.append and ", active positions by atomic append in " .. table.concat(entry.append, ", ") or "",
        entry.how.element == 2 and ", x and weights in fp16, products and results in fp32" or "",
        board.changes(entry.settings))
end

-- ---- costs ----

-- A method and, where both types are about, the type of x and weights.
function tables.label(row)
    return row.type == "f16" and row.method .. " fp16" or row.method
end

local label = tables.label

function tables.explain_costs(out)
    out:say("MACs: useful ones of active elements, those by the shapes of the products, those issued (including " ..
        "tile edges), and the share of these that was unnecessary. Bytes: at L1 (sectors), to and from L2, and of " ..
        "DRAM, including those left dirty in L2 at the end of a launch. Cycles are sums over the launches, without " ..
        "launch overhead, which has its own column; \"written back\" includes the write-back of dirty lines at " ..
        "DRAM's peak. Energy is dynamic energy. Sectors: per request of the gather from x.")
end

local COSTS <const> = {
    {"method", function(row) return row.skipped and row.method or label(row) end},
    {"cycles", function(row) return row.skipped and "cannot run" or row.cycles end, count},
    {"written back", "drained", function(v) return count(v // 1) end}, {"launches", "launches"},
    {"overhead", "overhead_cycles", count}, {"MACs useful", "macs_useful", many}, {"by shape", "macs_asked", many},
    {"issued", "macs", many}, {"zero work", "zero_share", percent}, {"L1 bytes", "l1_bytes", many},
    {"L2 bytes", "l2_bytes", many}, {"DRAM bytes", "board_bytes", many}, {"host bytes", "host_bytes", many},
    {"uJ", "energy", function(v) return short(1e6 * v) end}, {"sectors", "gather"},
}

function tables.costs(out, methods)
    out:put(report.columns(methods, COSTS))
end

-- Stage by stage.
function tables.stages(out, methods)
    local rows = {}
    for _, row in ipairs(methods) do
        local name = label(row)
        for _, stage in ipairs(row.stages or {}) do
            local x = stage.tensors.x
            local multiplies = stage.macs > 0
            rows[#rows + 1] = {name, stage.name .. (stage.part == "mask" and " (mask)" or ""),
                cell(stage.cycles, count),
                cell(row.cycles > 0 and stage.cycles / row.cycles, percent),
                cell(multiplies and stage.macs_useful, many), cell(multiplies and stage.macs, many),
                cell(multiplies and stage.zero_share, percent), cell(stage.l1_bytes, many),
                cell(stage.l2_bytes, many), cell(stage.board_bytes, many),
                cell(stage.host_bytes > 0 and stage.host_bytes, many), cell(1e6 * stage.energy),
                cell(x and x.requests > 0 and x.sectors / x.requests), report.bound(stage.limiter)}
            name = ""
        end
    end
    out:say("The same by stage; the limiter of a stage is that of its longest launch. Host bytes: lists and lengths " ..
        "that the host reads from a stage, or writes for it.")
    out:put({"method", "stage", "cycles", "share", "MACs useful", "issued", "zero work", "L1 bytes", "L2 bytes",
        "DRAM bytes", "host bytes", "uJ", "sectors", "bound by"}, rows,
        {false, false, true, true, true, true, true, true, true, true, true, true, true, false})
end

-- The host's work for a method.
function tables.host(out, methods)
    for _, row in ipairs(methods) do
        if row.host and row.host.operations and row.host.operations.probes > 0 then
            local h = row.host
            out:say("%s: the host put %s into a hash table and %s into another, looked up %s and wrote %s; it " ..
                "copied %s bytes to the device and %s from it. The other methods only read back the lengths of lists.",
                label(row), plural(row.active, "active position"), plural(row.windows, "window"),
                plural(h.operations.probes, "neighbour"), plural(h.operations.pairs, "pair"), count(h.to_device),
                count(h.to_host))
        end
    end
end

function tables.skipped(out, methods)
    for _, row in ipairs(methods) do
        if row.skipped then
            out:say("%s cannot run: %s.", row.method, row.skipped)
        end
    end
end

-- The whole report of one input.
function tables.problem(out, entry, option)
    local c, methods = entry.case, entry.problem.methods
    out:title(tables.board_line(entry))
    tables.explain_costs(out)
    tables.costs(out, methods)
    tables.skipped(out, methods)
    for _, row in ipairs(methods) do
        if not row.skipped and row.windows ~= c.windows then
            out:say("%s has %s: in fp16 some positions are zero.", row.method, report.plural(row.windows, "window"))
        end
    end
    tables.host(out, methods)
    if not option.brief then
        tables.stages(out, methods)
    end
end

return tables
