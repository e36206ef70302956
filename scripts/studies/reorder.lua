-- Separate the even and the odd elements of each run of 2W values, by every method
--
-- Every method runs on the whole input and is compared, element by element, with the definition; the warp-instructions
-- are compared with those of the method's row. With --board nothing is read: each method is timed on the board, and the
-- claims about it are judged (scripts/lib/heddle/reorder/boards.lua).
local heddle = require "heddle"
local counts = require "heddle.reorder.counts"
local lists = require "heddle.kit.lists"
local methods = require "heddle.reorder.methods"
local options = require "heddle.kit.options"
local reorder = require "heddle.reorder.programs"
local page = require "heddle.kit.page"
local report = require "heddle.kit.report"
local signal = require "heddle.signal.input"
local study = require "heddle.kit.study"

local NAME = "heddle study reorder"

local option = options.parse {
    name = NAME, args = {...},
    summary = "Separates the even and the odd elements of each run of 2W values: every run becomes its W\n" ..
        "even-numbered values (from 0) followed by its W odd-numbered ones. A tail shorter than 2W is\n" ..
        "unchanged. With --board, measures the cost of each method there and judges the claims about it.",
    rows = {
        {heading = "Data"},
        signal.options[1],
        signal.options[2],
        {name = "to-f32", doc = "first round an input whose elements are not 4 bytes to fp32"},
        {name = "out", value = "FILE",
            doc = "write the result as .npy, of the input's shape and type; - is standard output"},
        {heading = "Method"},
        {"warp", choices = {"8", "16", "32", "64", "all"},
            doc = "warp width: 8, 16, 32, 64, or all (32, or the board's)"},
        {name = "method", value = "NAME", default = "all", choices = {"all", table.unpack(methods.names)},
            doc = "one method, or all"},
        {name = "source", value = "METHOD", choices = methods.names, doc = "print the timed program"},
        {heading = "Board"},
        {"board", offers = {"all"}, doc = "measure time and energy on a board, a .yaml file, or all boards"},
        {"set", with = "board"}, "threads",
        {name = "whole", with = "board", doc = "also the FFT on the whole board, which takes a while"},
        {heading = "What is printed and written"},
        {"details", with = "board", doc = "reasons, crossovers and all that was measured"},
        {"brief", with = "board", doc = "search no crossovers"},
        {"markdown", with = "board", doc = "print Markdown, as in docs/claims/reorder.md"},
        {"plot", with = "board"}, "csv", "html", "json",
    },
    notes = ("Methods: %s.\nControls, with --board: %s."):format(
        table.concat(report.wrap(table.concat(counts.names, ", "), 90), "\n  "), table.concat(counts.controls, ", ")),
}

local function about_tail(tail)
    if tail == 0 then
        return ""
    end
    return ("; the last %s, less than a run, %s unchanged"):format(report.plural(tail, "value"),
        tail == 1 and "is" or "are")
end

-- The results at one width, and the bytes of the output.
local function at_width(out, ctx, input, width)
    local bytes = input:bytes()
    local runs = input.count // (2 * width)
    local tail = input.count - runs * 2 * width
    study.print(("\n  W = %d: %s of %d values%s"):format(width, report.plural(runs, "run"), 2 * width,
        about_tail(tail)))
    local body = bytes:sub(1, 8 * width * runs)
    local want = counts.reference(body, width, runs)
    ctx:buffer("src", "u32", 2 * width * runs, body)
    local found = {}
    for _, method in ipairs(counts.names) do
        if option.method == "all" or option.method == method then
            found[#found + 1] = counts.measure(ctx, method, width, runs, want)
        end
    end
    if runs > 0 then
        study.print "  warp-instructions per run, measured/predicted; the total excludes global accesses and set-up"
        out:about(("W = %d"):format(width))
        counts.print(out, found)
    end
    return {warp = width, runs = runs, tail = tail, methods = found}, want .. bytes:sub(#body + 1)
end

-- Reports failed checks; returns whether there are none.
local function judge(all)
    local good = true
    for _, at in ipairs(all) do
        for _, f in ipairs(at.methods) do
            local wrong = not f.verified and f.difference or not f.as_predicted and "not the predicted instructions"
            if wrong then
                study.complain(("%s: W = %d, %s: %s"):format(NAME, at.warp, f.name, wrong))
                good = false
            end
        end
    end
    return good
end

-- Refuses options that exclude each other.
local function check_options()
    for _, name in ipairs(option.board and {"in", "out", "channel", "to-f32"} or {}) do
        if option[name] and not option.source then
            study.refuse("--%s: with --board the reorders are timed on data of their own", name)
        end
    end
    local known = option.method == "all" or lists.set(counts.names)[option.method]
    if not known and not option.board and not option.source then
        study.refuse("--method: %s is a control, which is measured on a board; name one with --board", option.method)
    end
end

-- The study of an input at these widths; returns the results.
local function run(widths)
    study.outputs(option, {"out", "json"}, {"in"})
    local ctx <close> = heddle.new()
    local source = signal.read(ctx, "input", option["in"], signal.channel(option.channel))
    local input, note = ctx:get "input", nil
    if option["to-f32"] and not input.type:match "32$" then
        local shape = input.shape
        note = study.to_f32(ctx, "input", "rounded", input.count)
        input = ctx:buffer("input", "f32", shape, ctx:get("rounded"):bytes())
    end
    if not input.type:match "^[fiu]32$" then
        study.refuse("%s: elements of type %s; the reorder moves those of 4 bytes (f32, i32, u32)",
            source.path or "input", input.type)
    end
    signal.heading(NAME, source, note)
    local all, sorted, out = {}, nil, page.new(option)
    for i, width in ipairs(widths) do
        all[i], sorted = at_width(out, ctx, input, width)
    end
    local good = judge(all)
    return study.finish("reorder", option, {
        input = source.about, type = input.type, shape = heddle.array(input.shape), elements = input.count, warps = all,
    }, good, {option.out and {option.out, ctx:buffer("sorted", input.type, input.shape, sorted):npy(),
        ("%s[%s]"):format(input.type, table.concat(input.shape, ","))}})
end

return study.main(NAME, function()
    check_options()
    local widths = option.warp == "all" and {8, 16, 32, 64} or {math.tointeger(option.warp or 32)}
    if option.source then
        for _, width in ipairs(widths) do
            study.write(reorder.source(option.source, width, {count = 1, clock = true}))
        end
        return true
    elseif option.board then
        study.outputs(option)
        return require "heddle.reorder.boards".run(NAME, option)
    elseif option.out and #widths > 1 then
        study.refuse("--out: the result depends on the warp width; give one with --warp")
    end
    return run(widths)
end)
