-- Put the even and the odd elements of each run of 2W values apart, by every documented method
--
-- Every method runs on the whole input and is compared, element by element, with the definition; the instructions that
-- a warp issues are shown beside those that the method's description predicts. With --board nothing is read: each
-- method is timed on the board, and the claims about it are judged (scripts/lib/heddle/reorder_board.lua).
local heddle = require "heddle"
local json = require "heddle.json"
local options = require "heddle.options"
local reorder = require "heddle.reorder"
local report = require "heddle.report"
local study = require "heddle.study"

local NAME = "heddle study reorder"
local BLOCK = 128 -- threads of a block, at most

-- The classes of instructions that a reorder is made of: column head, and the classes counted in it.
local columns = {
    {"shfl", {"shfl"}}, {"sel", {"sel"}}, {"xpush", {"xpush"}}, {"xext", {"xext"}}, {"sts", {"st.shared"}},
    {"bar", {"bar", "bar.warp"}}, {"lds", {"ld.shared"}},
}

local function log2(w)
    return math.tointeger(math.log(w, 2))
end

-- Instructions of a warp for one run, as the methods' descriptions say.
local methods = {
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

-- What --method takes: these, and behind them the controls, which are measured on boards only.
local method_names, known = {"all"}, {}
for _, method in ipairs(methods) do
    method_names[#method_names + 1], known[method[1]] = method[1], true
end
for _, name in ipairs(reorder.names) do
    if not known[name] then
        method_names[#method_names + 1] = name
    end
end

local option = options.parse {
    name = NAME, args = {...},
    summary = "Puts the even and the odd elements of each run of 2W values apart: every run becomes its W\n" ..
        "even-numbered values (from 0) followed by its W odd-numbered ones. A tail shorter than 2W stays\n" ..
        "as it is. With --board, measures what each method costs there and judges what is claimed of it.",
    rows = {
        study.signal_options[1],
        {name = "out", value = "FILE",
            doc = "write the result as .npy, of the input's shape and type; - is standard output"},
        {name = "warp", value = "W", choices = {"8", "16", "32", "64", "all"},
            doc = "warp width: 8, 16, 32, 64, or all (32, or the board's)"},
        {name = "method", value = "NAME", default = "all", choices = method_names, doc = "one method, or all"},
        {name = "board", value = "NAME", doc = "measure time and energy on a board, a .yaml file, or all boards"},
        {name = "set", value = "KEY=VALUE", many = true, doc = "change a value of the board; may be repeated"},
        {name = "brief", doc = "with --board: only the cycles, and the verdicts"},
        {name = "whole", doc = "with --board: also the FFT on the whole board, which takes a while"},
        {name = "markdown", doc = "with --board: as docs/claims.md has it"},
        {name = "source", value = "METHOD", choices = reorder.names, doc = "print the program that is timed, and end"},
        study.signal_options[2],
        {name = "to-f32", doc = "round an input of another size of elements to fp32 first"},
        {name = "json", value = "FILE", doc = "write what was counted as JSON; - is standard output"},
    },
    notes = "Methods: " .. table.concat(method_names, ", ", 2, 7) .. ",\n  " ..
        table.concat(method_names, ", ", 8, #methods + 1) .. ".\nControls, with --board: " ..
        table.concat(method_names, ", ", #methods + 2) .. ".",
}

-- The result from the definition, as bytes: element by element, whatever their type.
local function reference(bytes, width, runs)
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

-- Warps of a block: the most that divide the runs, so that no warp is without one and counts are exact.
local function warps_per_block(runs, width)
    local n = BLOCK // width
    while runs % n ~= 0 do
        n = n - 1
    end
    return n
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

-- Runs one method: what was found, for the table and for JSON.
local function measure(ctx, method, width, runs, want)
    local name, predict = method[1], method[2]
    local entry = name:gsub("-", "_")
    local found = {name = name, verified = true, predicted = {}, measured = {}, total = 0, predicted_total = 0}
    local predicted, classes, issued = predict(width), {}, 0
    if runs > 0 then
        local block = warps_per_block(runs, width) * width
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
    for _, column in ipairs(columns) do
        local head, n = column[1], 0
        for _, class in ipairs(column[2]) do
            n = n + (classes[class] or 0)
        end
        found.predicted[head] = predicted[head] or 0
        found.measured[head] = runs > 0 and n / runs or 0
        found.total = found.total + found.measured[head]
        found.predicted_total = found.predicted_total + found.predicted[head]
    end
    found.global = runs > 0 and ((classes["ld.global"] or 0) + (classes["st.global"] or 0)) / runs or 0
    found.setup = issued - found.total - found.global
    found.as_predicted = runs == 0
    if runs > 0 then
        found.as_predicted = true
        for head, n in pairs(found.predicted) do
            found.as_predicted = found.as_predicted and found.measured[head] == n
        end
    end
    return found
end

-- ---- printing ----

local function pair(measured, predicted)
    if measured == 0 and predicted == 0 then
        return "."
    end
    return ("%g/%g"):format(measured, predicted)
end

local function print_table(found)
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

local function print_findings(found)
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

local function about_tail(tail)
    if tail == 0 then
        return ""
    end
    return ("; the last %s, less than a run, %s"):format(report.plural(tail, "value"),
        tail == 1 and "stays as it is" or "stay as they are")
end

-- Everything at one width: the findings, and the bytes of the result.
local function at_width(ctx, input, width)
    local bytes = input:bytes()
    local runs = input.count // (2 * width)
    local tail = input.count - runs * 2 * width
    study.print(("\n  W = %d: %s of %d values%s"):format(width, report.plural(runs, "run"), 2 * width,
        about_tail(tail)))
    local body = bytes:sub(1, 8 * width * runs)
    local want = reference(body, width, runs)
    ctx:buffer("src", "u32", 2 * width * runs, body)
    local found = {}
    for _, method in ipairs(methods) do
        if option.method == "all" or option.method == method[1] then
            found[#found + 1] = measure(ctx, method, width, runs, want)
        end
    end
    if runs > 0 then
        study.print("  instructions of a warp for a run, measured/predicted; global loads and stores, and set-up," ..
            " apart\n")
        print_table(found)
        if #found > 1 then
            study.print()
            print_findings(found)
        end
    end
    return {warp = width, runs = runs, tail = tail, methods = found}, want .. bytes:sub(#body + 1)
end

-- Says what does not hold; whether all does.
local function judge(all)
    local good = true
    for _, at in ipairs(all) do
        for _, f in ipairs(at.methods) do
            if not f.verified then
                study.complain(("%s: W = %d, %s: %s"):format(NAME, at.warp, f.name, f.difference))
                good = false
            elseif not f.as_predicted then
                study.complain(("%s: W = %d, %s: not the predicted instructions"):format(NAME, at.warp, f.name))
                good = false
            end
            f.bytes = nil
        end
    end
    return good
end

-- Options that go together, or do not.
local function check_options()
    if option.source then
        return
    elseif not option.board then
        for _, name in ipairs {"set", "brief", "whole", "markdown"} do
            if option[name] then
                study.refuse("--%s: it goes with --board", name)
            end
        end
        if option.method ~= "all" and not known[option.method] then
            study.refuse("--method: %s is a control, which is measured on a board; name one with --board",
                option.method)
        end
        return
    end
    for _, name in ipairs {"in", "out", "channel", "to-f32"} do
        if option[name] then
            study.refuse("--%s: with --board the reorders are timed on data of their own", name)
        end
    end
end

return study.main(NAME, function()
    check_options()
    local widths = option.warp == "all" and {8, 16, 32, 64} or {math.tointeger(option.warp or 32)}
    if option.source then
        for _, width in ipairs(widths) do
            study.write(reorder.source(option.source, width, {count = 1, clock = true}))
        end
        return true
    end
    if option.board then
        study.outputs(option)
        return require "heddle.reorder_board".run(NAME, option)
    end
    if option.out and #widths > 1 then
        study.refuse("--out: the result depends on the warp width; give one with --warp")
    end
    study.outputs(option, {"out", "json"}, {"in"})
    local ctx <close> = heddle.new()
    local signal = study.signal(ctx, "input", option["in"], study.channel(option.channel))
    local input, note = ctx:get "input", nil
    if option["to-f32"] and not input.type:match "32$" then
        local shape = input.shape
        note = study.to_f32(ctx, "input", "rounded", input.count)
        input = ctx:buffer("input", "f32", shape, ctx:get("rounded"):bytes())
    end
    if not input.type:match "^[fiu]32$" then
        study.refuse("%s: elements of type %s; the reorder moves those of 4 bytes (f32, i32, u32)",
            signal.path or "input", input.type)
    end
    study.print(NAME .. "\n  input: " .. signal.about)
    for _, text in ipairs {signal.note or false, note or false} do
        if text then
            study.print("  note: " .. text)
        end
    end
    local all, sorted = {}, nil
    for i, width in ipairs(widths) do
        all[i], sorted = at_width(ctx, input, width)
    end
    local good = judge(all)
    local result = {
        study = "reorder", version = heddle.version, input = signal.about, type = input.type,
        shape = json.list(input.shape), elements = input.count, warps = all,
    }
    local files = {option.json and {option.json, json.encode(result)}}
    if good and option.out then
        files[#files + 1] = {option.out, ctx:buffer("sorted", input.type, input.shape, sorted):npy(),
            ("%s[%s]"):format(input.type, table.concat(input.shape, ","))}
    end
    study.output(files)
    return good and result
end)
