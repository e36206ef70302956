-- Warp-instructions of one reorder by each kernel of kernels/reorder/, measured and predicted by the method's row.
--
--   local want = methods.reference(bytes, 32)                                -- buffer "src" holds the bytes
--   local found = counts.measure(ctx, "transit1", 32, runs, want)
--   counts.print {found}
local lists = require "heddle.kit.lists"
local methods = require "heddle.reorder.methods"
local report = require "heddle.kit.report"
local signal = require "heddle.signal.input"
local study = require "heddle.kit.study"

local counts = {names = {}, controls = {}} -- the methods that have a kernel, and the others

for _, row in ipairs(methods.rows) do
    table.insert(row.control and counts.controls or counts.names, row[1])
end

-- Columns of the table: head, the instruction classes counted in it, and how names of such instructions begin.
local columns = {
    {"shfl", {"shfl"}, "shfl"}, {"sel", {"sel"}, "sel"}, {"xpush", {"xpush"}, "xpush"}, {"xext", {"xext"}, "xext"},
    {"sts", {"st.shared"}, "st.shared"}, {"bar", {"bar", "bar.warp"}, "bar"}, {"lds", {"ld.shared"}, "ld.shared"},
}

-- The first element that differs, in words.
local function first_difference(got, want, width)
    for i = 0, #want // 4 - 1 do
        local a, b = got:sub(4 * i + 1, 4 * i + 4), want:sub(4 * i + 1, 4 * i + 4)
        if a ~= b then
            return ("element %d (run %d, place %d) is 0x%08x, not 0x%08x"):format(i, i // (2 * width), i % (2 * width),
                ("<I4"):unpack(a), ("<I4"):unpack(b))
        end
    end
end

-- Runs one method: its results, for the table and for JSON.
function counts.measure(ctx, name, width, runs, want)
    local entry = name:gsub("-", "_")
    local found = {name = name, verified = true, predicted = {}, measured = {}, total = 0, predicted_total = 0,
        as_predicted = true}
    local classes, issued = {}, 0
    local at_once = methods.get(name, width).runs
    local groups = (runs + at_once - 1) // at_once
    if runs > 0 then
        local block = study.warps_of_a_block(ctx, groups, width) * width
        ctx:buffer("dst", "u32", 2 * width * runs)
        local function launch()
            return ctx:launch(study.load(ctx, "reorder/" .. entry), {
                entry = entry, grid = groups * width // block, block = block, warp = width,
                args = {src = "src", dst = "dst", count = 2 * width * runs},
            })
        end
        local result = launch()
        local got = ctx:get("dst"):bytes()
        found.verified = got == want
        if result.timed then
            found.cycles, found.limiter = result.cycles, result.limiter
            found.cycles_zeros = signal.on_zeros(ctx, "src", launch)
        end
        found.difference = not found.verified and first_difference(got, want, width) or nil
        classes, issued = result.classes, result.warp_instructions / runs
    end
    local function each(list)
        return runs > 0 and lists.sum(list, function(class) return classes[class] or 0 end) / runs or 0
    end
    for _, column in ipairs(columns) do
        local head, n, predicted = column[1], each(column[2]), methods.count(name, width, column[3])
        predicted = runs > 0 and predicted * groups / runs or predicted / at_once
        found.measured[head], found.predicted[head] = n, predicted
        found.total, found.predicted_total = found.total + n, found.predicted_total + predicted
        found.as_predicted = found.as_predicted and (runs == 0 or n == predicted)
    end
    found.global = each {"ld.global", "st.global"}
    found.setup = issued - found.total - found.global
    return found
end

-- A table of the results, and the fewest instructions.
function counts.print(out, found)
    local function cell(measured, predicted)
        return measured == 0 and predicted == 0 and "." or ("%g/%g"):format(measured, predicted)
    end
    local shown, right = lists.map(columns, function(column)
        return {column[1], function(f) return cell(f.measured[column[1]], f.predicted[column[1]]) end}
    end), {}
    table.insert(shown, 1, {"method", "name"})
    table.insert(shown, 2, {"verified", function(f) return f.verified and "yes" or "NO" end})
    lists.append(shown, {found[1] and found[1].cycles and {"cycles", "cycles"} or nil})
    lists.append(shown, {{"total", function(f) return cell(f.total, f.predicted_total) end},
        {"global", function(f) return ("%g"):format(f.global) end},
        {"set-up", function(f) return ("%g"):format(f.setup) end}})
    for c = 3, #shown do
        right[c] = true
    end
    local heads, rows = report.columns(found, shown)
    out:put(heads, rows, right)
    for i, kind in ipairs(#found > 1 and {"registers", "shared memory"} or {}) do
        local some = lists.map(found, function(f)
            return methods.by[f.name].through == kind and f or nil
        end)
        local _, least = lists.least(some, function(f) return f.total end)
        local names = lists.map(some, function(f) return f.total == least and f.name or nil end)
        study.print(("%s  fewest instructions through %s: %g (%s)"):format(i == 1 and "\n" or "", kind, least,
            table.concat(names, ", ")))
    end
end

return counts
