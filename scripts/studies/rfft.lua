-- Spectra of the frames of a signal, by a real FFT that uses the register reorder
--
-- Frames of 2W samples take one warp each and no shared memory; longer ones take a block each. Every frame is compared
-- with a transform in double precision (scripts/lib/heddle/signal/check.lua, with the bound on the error).
local heddle = require "heddle"
local board = require "heddle.kit.board"
local check = require "heddle.signal.check"
local fft = require "heddle.signal.fft"
local lists = require "heddle.kit.lists"
local options = require "heddle.kit.options"
local page = require "heddle.kit.page"
local report = require "heddle.kit.report"
local signal = require "heddle.signal.input"
local spectrum = require "heddle.signal.spectrum"
local study = require "heddle.kit.study"

local NAME = "heddle study rfft"
local LONGEST = 4096 -- samples of a frame

local option = options.parse {
    name = NAME, args = {...},
    summary = "Cuts a signal into frames of N samples and computes the spectrum of each, N/2 + 1 complex\n" ..
        "values. A remainder after the last whole frame is dropped.",
    rows = {
        {heading = "Data"},
        signal.options[1],
        signal.options[2],
        {name = "frame", value = "N", kind = "integer", doc = "samples of a frame: 2W to 4096, a power of two (2W)"},
        {name = "out", value = "FILE",
            doc = "write the spectra as .npy: complex64 [frames, N/2+1]; - is standard output"},
        {name = "rate", value = "HZ", kind = "number", low = 1e-9, doc = "sampling rate, if the file does not have it"},
        {heading = "Launch and board"},
        {"warp", default = "32", doc = "warp width"},
        {"board", doc = "count cycles on a board, or a .yaml file, too"}, {"set", with = "board"}, "uncertainty",
        "threads",
        {heading = "What is printed and written"},
        {"brief", doc = "leave out the table of instructions"},
        "csv", "html", "json",
    },
}

local function check_frame(n, width)
    if not fft.is_power_of_two(n) or n < 2 * width or n > LONGEST then
        study.refuse("--frame: %d is not a power of two from %d (twice the warp width) to %d", n, 2 * width, LONGEST)
    end
    return n
end

-- Runs one kernel over all frames, into the buffer "spectrum".
local function launch(ctx, entry, width, n, frames)
    ctx:buffer("spectrum", "c64", {frames, n // 2 + 1})
    if frames == 0 then
        return nil
    end
    local grid, block = frames, n // 4
    if entry ~= "rfft_block" then
        local warps = study.warps_of_a_block(ctx, frames, width)
        grid, block = frames // warps, warps * width
    end
    return ctx:launch(study.load(ctx, "fft/" .. entry), {
        entry = entry, grid = grid, block = block, warp = width, threads = option.threads,
        args = {x = "x", spectrum = "spectrum", tw = "tw", frames = frames, n = n},
    })
end

-- ---- counts ----

-- Warp-instructions per frame by class: one column for each kernel.
local function print_counts(out, runs, frames)
    local rows, seen, columns = {}, {}, {{"class", "name"}}
    for _, run in ipairs(runs) do
        for class in pairs(run.result.classes) do
            rows[#rows + 1], seen[class] = not seen[class] and {name = class} or nil, true
        end
        local counts = lists.merge(run.result.classes,
            {total = run.result.warp_instructions, cycles = run.result.cycles})
        columns[#columns + 1] = {run.entry, function(row)
            return (counts[row.name] or 0) / frames
        end, function(n) return n < 1000 and ("%g"):format(n) or report.count(n) end}
    end
    table.sort(rows, function(a, b) return a.name < b.name end)
    lists.append(rows, {{name = "total"}, option.board and {name = "cycles"}})
    study.print()
    study.say("warp-instructions%s per frame%s", option.board and " and cycles" or "",
        runs[2] and "; rfft_warp_vec is the control: it loads pairs of 8 bytes and needs no reorder" or "")
    out:put(report.columns(rows, columns))
end

-- Runs and checks one kernel.
local function measure(ctx, entry, at)
    local function run_once() return launch(ctx, entry, at.width, at.n, at.frames) end
    local run = {entry = entry, result = run_once()}
    run.check = check.compare(ctx, at.n, at.frames, at.reference)
    run.good = run.check.outside == 0
    check.print(entry, run.check)
    if run.result and run.result.timed then
        local spectra = ctx:get("spectrum"):bytes()
        run.cycles, run.cycles_zeros = run.result.cycles, signal.on_zeros(ctx, "x", run_once)
        ctx:get("spectrum"):set(spectra)
    end
    return run
end

-- The results, for JSON.
local function summary(at, source, runs, found)
    local kernels = {}
    for i, run in ipairs(runs) do
        local c = run.check
        local kernel = {
            name = run.entry, bound = c.bound, frames_compared = c.compared, frames_not_compared = c.broken + c.large,
            classes = run.result and run.result.classes,
            warp_instructions = run.result and run.result.warp_instructions,
            cycles = run.cycles, cycles_zeros = run.cycles_zeros,
        }
        if c.compared > 0 then -- else there is no error, and nothing that could hold
            kernel.error, kernel.largest, kernel.holds = c.error, c.largest, run.good
        end
        kernels[i] = kernel
    end
    return {
        input = source.about, rate = at.rate, warp = at.width, frame = at.n, frames = at.frames, dropped = at.dropped,
        kernels = kernels, found = found, board = at.board and at.board.name, settings = at.board and at.board.set,
    }
end

-- Runs the kernels for this length of frame; the spectra of the first stay in the buffer.
local function run_kernels(ctx, at)
    if at.n ~= 2 * at.width then
        return {measure(ctx, "rfft_block", at)}
    end
    local control = measure(ctx, "rfft_warp_vec", at)
    local bytes = ctx:get("spectrum"):bytes()
    local run = measure(ctx, "rfft_warp", at)
    if at.frames > 0 then
        study.print("  the two spectra are " .. (ctx:get("spectrum"):bytes() == bytes and "bit-identical" or
            "not bit-identical"))
    end
    return {run, control}
end

local function print_head(at, source, note)
    signal.heading(NAME, source, note)
    study.say("%s of %d samples, %s dropped at the end; W = %d, one %s a frame", report.plural(at.frames, "frame"),
        at.n, report.plural(at.dropped, "sample"), at.width, at.n == 2 * at.width and "warp" or "block")
    if at.board then
        signal.board_line(at.board, "by frame")
    end
end

return study.main(NAME, function()
    local width = math.tointeger(option.warp)
    study.outputs(option, {"out", "json"}, {"in"})
    local n = check_frame(option.frame or 2 * width, width)
    local ctx <close> = heddle.new()
    local b = option.board and board.read(ctx, option.board, option.set) or nil
    local source = signal.read(ctx, "input", option["in"], signal.channel(option.channel))
    local input = ctx:get "input"
    local frames = input.count // n
    local at = {
        width = width, n = n, frames = frames, dropped = input.count - frames * n, rate = option.rate or source.rate,
        board = b,
    }
    local note = study.to_f32(ctx, "input", "x", frames * n)
    ctx:buffer("tw", "f32", 2 * n, fft.table(n))
    print_head(at, source, note)
    at.reference = check.reference(ctx:get "x", n)
    local frame, off = check.against_definition(ctx:get "x", n, frames, at.reference)
    if frame then
        study.say("reference: radix 2 in double precision; error %.1g against the summed definition (frame %s)", off,
            report.count(frame))
    end
    local runs = run_kernels(ctx, at)
    local found, good, out = nil, true, page.new(option)
    if frames > 0 then
        if not option.brief then
            print_counts(out, runs, frames)
        end
        if b then
            signal.say_zeros(runs)
        end
        study.print()
        found = spectrum.print(out, ctx, at, check.why_not_finite(runs[1].check))
    end
    for _, run in ipairs(runs) do
        good = good and run.good
    end
    if not good then
        study.complain(NAME .. ": the error exceeds its bound")
    end
    return study.finish("rfft", option, summary(at, source, runs, found), good, {option.out and
        {option.out, ctx:get("spectrum"):npy(), ("complex64[%d,%d]"):format(frames, n // 2 + 1)}})
end, option)
