-- Warp-instructions of one reorder by each documented method, measured and predicted by the method's description.
--
--   local want = counts.reference(bytes, 32, runs)                           -- buffer "src" holds the bytes
--   local found = counts.measure(ctx, counts.methods[1], 32, runs, want)
--   counts.print {found}
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local counts = {}

-- Columns of the table: head, and the instruction classes counted in it.
local columns = {
    {"shfl", {"shfl"}}, {"sel", {"sel"}}, {"xpush", {"xpush"}}, {"xext", {"xext"}}, {"sts", {"st.shared"}},
    {"bar", {"bar", "bar.warp"}}, {"lds", {"ld.shared"}},
}

local function log2(w)
    return math.tointeger(math.log(w, 2))
end

-- Warp-instructions per run by the methods' descriptions.
counts.methods = {
    {"transit1", function() return {shfl = 2, xpush = 4, xext = 2} end},
    {"transit2", function() return {shfl = 4, xpush = 4, xext = 2} end},
    {"shuffle2", function() return {shfl = 2, sel = 4} end},
    {"shuffle4", function() return {shfl = 4, sel = 2} end},
    {"butterfly", function(w) return {shfl = log2(w), sel = 3 * log2(w)} end},
    {"shared-linear", function() return {sts = 2, bar = 1, lds = 2} end},
    {"shared-vector", function() return {sts = 2, bar = 1, lds = 1} end},
    {"shared-scatter", function() return {sts = 2, bar = 1, lds = 2} end},
    {"shared-linear-block", function() return {sts = 2, bar = 1, lds = 2} end},
    {"shared-vector-block", function() return {sts = 2, bar = 1, lds = 1} end},
    {"shared-scatter-block", function() return {sts = 2, bar = 1, lds = 2} end},
}

-- The result from the definition, as bytes: element by element, whatever their type.
function counts.reference(bytes, width, runs)
    local out = {}
    for run = 0, runs - 1 do
        local first, piece = run * 2 * width, {}
        for lane = 0, width - 1 do
            local even, odd = 4 * (first + 2 * lane), 4 * (first + 2 * lane + 1)
            piece[lane + 1] = bytes:sub(even + 1, even + 4)
            piece[width + lane + 1] = bytes:sub(odd + 1, odd + 4)
        end
        out[run + 1] = table.concat(piece)
    end
    return table.concat(out)
end

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

-- Sets the predicted and measured instructions of each column, per run.
local function set_columns(found, predicted, classes, runs)
    found.as_predicted = true
    for _, column in ipairs(columns) do
        local head, n = column[1], 0
        for _, class in ipairs(column[2]) do
            n = n + (classes[class] or 0)
        end
        found.predicted[head], found.measured[head] = predicted[head] or 0, runs > 0 and n / runs or 0
        found.total = found.total + found.measured[head]
        found.predicted_total = found.predicted_total + found.predicted[head]
        found.as_predicted = found.as_predicted and (runs == 0 or found.measured[head] == found.predicted[head])
    end
end

-- Runs one method: its results, for the table and for JSON.
function counts.measure(ctx, method, width, runs, want)
    local name, predict = method[1], method[2]
    local entry = name:gsub("-", "_")
    local found = {name = name, verified = true, predicted = {}, measured = {}, total = 0, predicted_total = 0}
    local classes, issued = {}, 0
    if runs > 0 then
        local block = study.warps_of_a_block(runs, width) * width
        ctx:buffer("dst", "u32", 2 * width * runs)
        local result = ctx:launch(study.load(ctx, "reorder/" .. entry), {
            entry = entry, grid = runs * width // block, block = block, warp = width,
            args = {src = "src", dst = "dst", count = 2 * width * runs},
        })
        local got = ctx:get("dst"):bytes()
        found.verified = got == want
        found.difference = not found.verified and first_difference(got, want, width) or nil
        classes, issued, found.bytes = result.classes, result.warp_instructions / runs, got
    end
    set_columns(found, predict(width), classes, runs)
    found.global = runs > 0 and ((classes["ld.global"] or 0) + (classes["st.global"] or 0)) / runs or 0
    found.setup = issued - found.total - found.global
    return found
end

-- ---- printing ----

local function pair(measured, predicted)
    if measured == 0 and predicted == 0 then
        return "."
    end
    return ("%g/%g"):format(measured, predicted)
end

function counts.print(found)
    local heads, rows, right = {"method", "verified"}, {}, {}
    for i, column in ipairs(columns) do
        heads[i + 2] = column[1]
    end
    for _, head in ipairs {"total", "global", "set-up"} do
        heads[#heads + 1] = head
    end
    for c = 3, #heads do
        right[c] = true
    end
    for i, f in ipairs(found) do
        local row = {f.name, f.verified and "yes" or "NO"}
        for _, column in ipairs(columns) do
            row[#row + 1] = pair(f.measured[column[1]], f.predicted[column[1]])
        end
        row[#row + 1] = pair(f.total, f.predicted_total)
        row[#row + 1] = ("%g"):format(f.global)
        row[#row + 1] = ("%g"):format(f.setup)
        rows[i] = row
    end
    study.write(report.table(heads, rows, {right = right}))
end

function counts.print_fewest(found)
    local least = {}
    for _, f in ipairs(found) do
        local kind = f.name:find("shared", 1, true) and "shared memory" or "registers"
        local best = least[kind]
        if not best or f.total < best.total then
            least[kind] = {total = f.total, names = {f.name}}
        elseif f.total == best.total then
            best.names[#best.names + 1] = f.name
        end
    end
    for _, kind in ipairs {"registers", "shared memory"} do
        local best = least[kind]
        if best then
            local names = table.concat(best.names, ", ")
            study.print(("  fewest instructions through %s: %g (%s)"):format(kind, best.total, names))
        end
    end
end

return counts
