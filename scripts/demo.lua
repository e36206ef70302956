-- Results on the three source documents, measured in seconds: the reorder and the FFT on a recording, a packed
-- mask, a sparse convolution of a scan.
--   heddle lua scripts/demo.lua [--html=PAGE.html] [FILE]
-- FILE is another .wav or .npy, - standard input; PAGE.html gets the text, with pictures (- is standard output).
local document = require "heddle.report.document"
local judge = require "heddle.claims.judge"
local lists = require "heddle.kit.lists"
local mask_claims = require "heddle.mask.claims"
local reorder_claims = require "heddle.reorder.claims"
local report = require "heddle.kit.report"
local roles = require "heddle.claims.roles"
local spconv_claims = require "heddle.spconv.claims"
local study = require "heddle.kit.study"

local WIDE <const> = 96 -- characters of a line
local BOARD <const> = "a100"
local ALL <const> = {} -- the words of methods that are called as they are
local TIME <const> = {of = "drained", unit = "cycles", better = "faster than", worse = "slower than",
    same = "as fast as"}
local LATENCY <const> = {of = "latency", unit = "cycles", better = "faster", worse = "slower", same = "as fast"}
local BYTES <const> = {of = "board_bytes", unit = "DRAM traffic", better = "fewer bytes than",
    worse = "more bytes than", same = "as many bytes as"}

local option, path = {}, nil
for _, word in ipairs {...} do
    local file = word:match "^%-%-html=(.+)"
    option.html, path = file or option.html, not file and word or path
end
local input = path and {"--in", path} or {}
local line -- of the progress
local page = option.html and document.new()

-- The result of a study; `seconds` is about what it takes.
local function run(seconds, name, ...)
    line.step(name, seconds)
    local result, why = study.quiet(name, ...)
    return result or study.refuse("%s", why)
end

-- Finds the cheapest of the methods whose names match one of the patterns.
local function best(rows, metric, ...)
    local found
    for _, row in ipairs(rows) do
        for _, pattern in ipairs {...} do
            if (row.method or row.name):find(pattern) and (not found or row[metric.of] < found[metric.of]) then
                found = row
            end
        end
    end
    return found
end

-- "1.2x faster than": a method's cost beside another's.
local function beside(metric, row, rival)
    local ratio = rival[metric.of] / row[metric.of]
    local text = judge.ratio_text(metric, ratio, ratio)
    return text == "equal" and metric.same or text
end

local function say(bullet, text, ...)
    text = text:format(...)
    for i, part in ipairs(report.wrap(text, WIDE - #bullet)) do
        study.print((i == 1 and bullet or (" "):rep(#bullet)) .. part)
    end
    if page then
        local title, rest = text:match "^(%u[%a ]+)[.:] (.*)"
        page:title(title)
        page:say(rest)
    end
end

-- Bars of a metric, one for each method of `rows` that `words` has, as text and picture call it: where it has several
-- variants, the best.
local function picture(title, about, rows, metric, role_of, words, unit)
    local found, names, role_by = {}, {}, {}
    for _, row in ipairs(rows) do
        local method <const> = row.method or row.name
        local name <const> = words == ALL and method or words[method]
        if name and (not found[name] or row[metric.of] < found[name]) then
            names[#names + 1] = not found[name] and name or nil
            found[name], role_by[name] = row[metric.of], role_of(row.label or method)
        end
    end
    if page then
        page:bars {id = title, title = title .. " on " .. BOARD, about = about, y = metric.unit, unit = unit,
            names = names, roles = role_by,
            series = {{metric.unit, lists.map(names, function(name) return found[name] end)}}}
    end
end

local REORDERS <const> = {transit1 = "transit register", shuffle2 = "shuffles",
    ["shared-linear"] = "shared memory, linear", ["shared-vector"] = "shared memory, vector",
    ["shared-scatter"] = "shared memory, scatter"}

local function about_reorder(rows)
    local transit, shuffle = best(rows, LATENCY, "^transit"), best(rows, LATENCY, "^shuffle")
    local shared = best(rows, LATENCY, "^shared%-%a+$")
    say("  1  ", "Reorder in registers. To put even and odd elements apart through shared memory takes a warp %s " ..
        "cycles. By the proposed transit register it takes %s, %s; by plain shuffles %s, %s.",
        report.short(shared.latency), report.short(transit.latency), beside(LATENCY, transit, shared),
        report.short(shuffle.latency), beside(LATENCY, shuffle, shared))
    picture("Latency of a reorder", "Of one warp that puts even and odd elements apart.", rows, LATENCY,
        roles.of(reorder_claims.rows), REORDERS)
end

local FILLS <const> = {words = "rearranged bits", bits = "bits, one at a time", ["bits-vector"] = "bits, by vectors",
    bool = "booleans, one at a time", ["bool-vector"] = "booleans, by vectors",
    ["bool-vector-long"] = "booleans, by long vectors", ["bool-wide"] = "booleans, wide",
    ["bool-wide-long"] = "booleans, wide and long", causal = "no mask: by indices"}

local function about_mask(rows)
    local words, bool = best(rows, TIME, "^words$"), best(rows, TIME, "^bool$", "^bool%-vector", "^bool%-wide")
    local bits = best(rows, TIME, "^bits$", "^bits%-vector$")
    say("  2  ", "Packed mask. A masked fill by the proposed rearranged bits moves %.4g bytes an element, by " ..
        "booleans %.4g. It is %s the best way with booleans; with bits that are packed, but not rearranged, it is " ..
        "%s that.",
        words.bytes_per_element, bool.bytes_per_element, beside(TIME, words, bool), beside(TIME, bits, bool))
    picture("Time of a masked fill", "Of 262,144 elements of fp16, with the write-back.", rows, TIME,
        roles.of(mask_claims.ROWS), FILLS)
end

local function about_spconv(scan)
    local rows = scan.methods
    local unfold, fast = best(rows, TIME, "^unfold$"), best(rows, TIME, "^[^u]")
    local small = best(rows, BYTES, "^[^u]")
    say("  3  ", "Sparse convolution. To unfold only the active windows of a street, as proposed (%s of %s), moves " ..
        "%s to unfold all, and %s %s, the most frugal other way. It is %s the fastest other way, %s.",
        report.count(scan.windows), report.count(scan.outputs), beside(BYTES, unfold, best(rows, BYTES, "^im2col$")),
        beside(BYTES, unfold, small), small.method, beside(TIME, unfold, fast), fast.method)
    local role_of = roles.of(spconv_claims.rows)
    picture("Time of a convolution", "Of the street, with the write-back; im2col unfolds all windows.", rows, TIME,
        role_of, ALL)
    picture("DRAM traffic of a convolution", "Of the street.", rows, BYTES, role_of, ALL, "B")
end

-- Draws where claims are true on these inputs: a dot for each.
local function verdicts(title, list, metrics)
    if page then
        page:claims {id = title, title = title .. " on " .. BOARD, list = list, metrics = metrics}
    end
end

-- The input: how it was reordered, and what its spectrum is like.
local function about_input(reorder, short, long)
    local spectrum = long.frames > 0 and long or short
    local kernel, found = spectrum.kernels[1], spectrum.found
    local tone = found and (found.frequency and ("%.1f Hz"):format(found.frequency) or
        found.bin and ("%.4g cycles a sample"):format(found.bin / spectrum.frame))
    say("  ", "Input: %s. %d ways to reorder it agree. FFT of %s of %s: %s%s.", (reorder.input:gsub(" %(no .*", "")),
        #reorder.warps[1].methods, report.plural(spectrum.frames, "frame"), report.plural(spectrum.frame, "sample"),
        kernel.error and ("error of at most %.2g of a frame's RMS"):format(kernel.error) or "nothing could be compared",
        tone and ", strongest tone at " .. tone or "")
end

local MORE <const> = [[

See more:
  docs/claims.md                              what the documents claim, and the verdicts
  build/heddle study reorder --board a100     methods and verdicts; also: study mask, study spconv
  build/heddle study mask --help              your own tensors, other boards, other sizes
  build/heddle run --help                     your own kernel
]]

return study.main("demo", function()
    study.outputs(option, {})
    line = study.progress(10)
    local reorder = run(0.1, "reorder", "--to-f32", table.unpack(input))
    local short = run(0.2, "rfft", "--brief", table.unpack(input))
    local long = run(0.7, "rfft", "--brief", "--frame", "4096", table.unpack(input))
    study.print [[
Three source documents propose ways to use a GPU. This is what they come to on the board a100, at
small sizes; every result was compared with its definition.
]]
    local ways = {}
    for i, method in ipairs {"transit1", "shuffle2", "shared-linear", "shared-vector", "shared-scatter"} do
        local result = run(0.8, "reorder", "--board", BOARD, "--brief", "--method", method)
        ways[i] = result.boards[1].warps[1].methods[1]
    end
    about_reorder(ways)
    local masks = run(2, "mask", "--brief", "--length", "512", "--elements", "262144").boards[1]
    about_mask(masks.lengths[1].methods)
    verdicts("Claims about the packed mask", masks.claims, mask_claims.METRICS)
    local convolution = run(3, "spconv", "--brief", "--scans", "made").boards[1]
    about_spconv(convolution.scans[1])
    verdicts("Claims about the sparse convolution", convolution.claims, spconv_claims.metrics)
    study.print()
    about_input(reorder, short, long)
    study.write(MORE)
    if page then
        study.output {{option.html, page:text("What was found on " .. BOARD)}}
    end
    return true
end)
