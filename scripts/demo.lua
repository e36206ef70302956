-- The main job: the reorder and the FFT on a recording, a packed mask, and a sparse convolution of a scan.
--   heddle lua scripts/demo.lua [FILE]       FILE: another .wav or .npy; - is standard input
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local path = ...
local input = path and {"--in", path} or {}

local function run(name, ...)
    local options = {...}
    return study.run(name, table.unpack(table.move(options, 1, #options, #input + 1, {table.unpack(input)})))
end

return study.main("demo", function()
    local reorder = run("reorder", "--to-f32")
    study.print()
    local timed = study.run("reorder", "--board", "a100", "--brief")
    study.print()
    local short = run("rfft", "--brief")
    study.print()
    local long = run("rfft", "--brief", "--frame", "4096")
    study.print()
    local mask = study.run("mask", "--brief", "--length", "512", "--elements", "262144")
    study.print()
    local spconv = study.run("spconv", "--brief")

    local at = reorder.warps[1]
    local by_name = {}
    for _, method in ipairs(at.methods) do
        by_name[method.name] = method
    end
    local transit, shuffle, shared = by_name.transit1, by_name.shuffle2, by_name["shared-vector"]

    study.print("\nResults")
    study.print(("  - %d ways to reorder gave the same %s, each element where the definition puts it."):format(
        #at.methods, report.plural(reorder.elements, "value")))
    if at.runs > 0 then
        study.print(([[
  - A run takes %g warp-instructions through the transit register, %g with two shuffles and %g through
    shared memory. The transit register needs no addresses: set-up is %g instructions instead of
    %g and %g. So it can win only by latency or where set-up counts, not by instructions of a loop.]]):format(
            transit.total, shuffle.total, shared.total, transit.setup, shuffle.setup, shared.setup))
    end
    local measured = timed.boards[1].warps[1]
    local words = {}
    for _, method in ipairs(measured.methods) do
        words[method.name] = ("%s %s (full SM: %.3g)"):format(method.name, report.count(method.latency), method.full)
    end
    study.print(("  - Cycles of one reorder on the board %s: %s, %s,\n    %s."):format(timed.boards[1].board,
        words.transit1, words.shuffle2, words["shared-vector"]))
    for _, rfft in ipairs {short, long} do
        local kernel = rfft.kernels[1]
        local error = kernel.error and ("error of at most %.2g of a frame's RMS (bound %.2g)"):format(
            kernel.error, kernel.bound) or "nothing could be compared"
        study.print(("  - FFT of %s of %s: %s."):format(report.plural(rfft.frames, "frame"),
            report.plural(rfft.frame, "sample"), error))
    end
    local found = long.found or short.found
    local n = long.found and long.frame or short.frame
    if found and found.bin then
        local place = ("%.4f cycles per sample"):format(found.bin / n)
        local start = report.plural(found.frame * n, "sample")
        if found.frequency then
            place, start = ("%.1f Hz"):format(found.frequency), ("%.2f s"):format(found.frame * n / long.rate)
        end
        study.print(("  - The strongest tone is at %s, %s into the signal, %.1f dB of full scale."):format(place, start,
            found.level_db))
    end
    local fills = {}
    for _, row in ipairs(mask.boards[1].lengths[1].methods) do
        fills[row.label] = row
    end
    local packed, bool, vector = fills["words linear"], fills.bool, fills["bool-vector"]
    study.print(([[
  - Filling 512 x 512 halves by a packed mask moves %.3f bytes per element instead of %.3f; it is
    %.2f times as fast as with byte loads of a boolean mask, %.2f times as fast as with vector loads.]]):format(
        packed.bytes_per_element, bool.bytes_per_element, bool.drained / packed.drained,
        vector.drained / packed.drained))
    local scan, by = spconv.boards[1].scans[1], {}
    for _, row in ipairs(scan.methods) do
        by[row.method] = row
    end
    study.print(([[
  - Convolving the scan %s by unfolding its %s active windows into a matrix takes
    %s cycles and moves %.2f MB; a dense convolution without a matrix %s and %.2f MB, the active
    windows without a matrix %s and %.2f MB.]]):format(scan.name, report.count(scan.windows),
        report.count(by.unfold.drained // 1), by.unfold.board_bytes / 1e6, report.count(by.implicit.drained // 1),
        by.implicit.board_bytes / 1e6, report.count(by["indexed-implicit"].drained // 1),
        by["indexed-implicit"].board_bytes / 1e6))
    return true
end)
