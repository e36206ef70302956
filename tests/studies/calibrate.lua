-- Do the boards measure what the cards measure, within the bands that docs/calibration.md promises? Runs the command
-- $HEDDLE: `heddle study calibrate`.
local heddle = require "heddle"
local test = require "tests.lib.test"
local board = require "heddle.kit.board"
local cli = require "tests.lib.command"
local lists = require "heddle.kit.lists"
local measured = require "heddle.calibrate.measured"
local micro = require "heddle.calibrate.micro"
local case, ok, equal = test.case, test.ok, test.equal

local function run(arguments)
    local status, out, err = cli.heddle("study calibrate " .. arguments)
    return status, out .. err
end

local rows = lists.by(measured, 1)

-- The model's value over the measured one, for each of the quantities, must lie in a band around 1.
local function within(name, band, ids)
    local ctx <close> = heddle.new()
    local m = micro.new(board.read(ctx, name))
    for id in ids:gmatch "%S+" do
        local ratio = m:measure(id) / rows[id][name][1]
        ok(math.abs(ratio - 1) <= band, ("%s %s: %.3f of what was measured"):format(name, id, ratio))
    end
end

case("every measured quantity can be measured in the model, once", function()
    local seen = {}
    for _, row in ipairs(measured) do
        ok(not seen[row[1]], row[1] .. " twice")
        seen[row[1]] = true
        for _, name in ipairs {"v100", "a100", "h100", "h200", "rtx4090"} do
            local card = row[name]
            ok(not card or card[1] > 0 and #card[3] > 0, row[1])
            ok(not card or ("set fitted seen predicted doubted"):find(card[2], 1, true), row[1])
        end
    end
end)

case("latencies are those of the cards", function()
    within("v100", 0.05, "l2_latency dram_latency shared_latency fp32_latency half_latency fp64_latency sfu_latency " ..
        "shuffle_latency barrier_8 barrier_32 atomic_latency")
    within("v100", 0.09, "l1_latency imad_latency")
    within("a100", 0.06, "l1_latency l2_latency dram_latency shared_latency half_latency")
    within("h100", 0.06, "l1_latency l2_latency dram_latency shared_latency")
end)

case("atomics on one word take what they take on the cards, but for L2's own clock", function()
    within("a100", 0.24, "atomic_warp atomic_wide")
    within("rtx4090", 0.16, "atomic_warp atomic_wide")
end)

case("rates of an SM are those of the cards", function()
    within("v100", 0.03, "fp32_rate imad_rate half_rate fp64_rate sfu_rate shuffle_rate shared_bytes l1_bytes_64")
    within("v100", 0.11, "l1_bytes_32 l1_loop_32 l1_loop_64 l1_loop_128")
    within("a100", 0.03, "fp32_rate imad_rate half_rate fp64_rate sfu_rate shuffle_rate l1_bytes_64")
    within("h100", 0.03, "fp32_rate imad_rate half_rate fp64_rate sfu_rate shuffle_rate l1_bytes_64")
end)

case("n ways take n times as long, and a single warp 2 cycles for each", function()
    within("a100", 0.02, "conflict_2 conflict_4 conflict_8 conflict_16")
    within("v100", 0.06, "conflict_2 conflict_4 conflict_8 conflict_16 wide_64 wide_128")
    within("v100", 0.02, "conflict_slope")
    within("v100", 0.20, "same_64 same_128")
    within("a100", 0.16, "same_64 same_128")
    local ctx <close> = heddle.new()
    local m = micro.new(board.read(ctx, "v100"))
    for _, ways in ipairs {2, 4, 8, 16} do
        local ratio = m:measure("conflict_" .. ways)
        ok(math.abs(ratio / ways - 1) < 0.02, ("%d ways: %g"):format(ways, ratio))
    end
end)

case("strides through L1 cost what its two kinds of banks take", function()
    local ids = "stride_1 stride_2 stride_3 stride_4 stride_5 stride_6 stride_7 stride_8 stride_9 stride_12 stride_15 "
    within("a100", 0.11, ids .. "stride_16 stride_32 misaligned")
    within("rtx4090", 0.1, ids .. "stride_16 stride_32") -- of A40
    within("h100", 0.10, ids .. "misaligned")
end)

case("L2 is within the band that a network without topology leaves", function()
    within("v100", 0.20, "l2_bytes")
end)

case("streams of V100 come to what the card reaches", function()
    within("v100", 0.15, "init_full read_full scale_full triad_full")
    within("v100", 0.15, "init_3 read_3 read_12")
end)

case("streams of an H100 by grids of few blocks come to what the card reaches", function()
    within("h100", 0.07, "grid_read_1 grid_read_wide_1 grid_read_wide_4 grid_read_wide_8 grid_copy_8 grid_write_2")
end)

case("a third of what is drawn is held back, by names alone", function()
    local held, seen = {}, 0
    for _, row in ipairs(measured) do
        for name, card in pairs(row) do
            local drawn = type(card) == "table" and (row[1]:find "_6$" or row[1]:find "_19$" or
                row[1]:find "_38$" or row[1]:find "_63$") and not row[1]:find "^stride"
            held[#held + 1] = drawn and card[2] == "predicted" and name .. " " .. row[1] or nil
            seen = seen + (drawn and card[2] == "seen" and 1 or 0)
        end
    end
    table.sort(held)
    equal(#held + seen, 48)
    equal(table.concat(held, ", "), "a100 read_19, a100 read_6, a100 scale_38, h200 init_19, h200 init_6, " ..
        "h200 init_63, h200 read_38, h200 scale_19, h200 triad_19, v100 init_63, v100 read_19, v100 read_63, " ..
        "v100 scale_38, v100 triad_6")
end)

case("the page lists every value that was fitted", function()
    local page <close> = io.open "docs/calibration.md"
    local text = page:read "a"
    for _, name in ipairs {"v100", "a100", "h100", "h200", "rtx4090"} do
        local section
        for line in io.lines("configs/" .. name .. ".yaml") do
            section = line:match "^(%w+):" or section
            local key = line:match "^  ([%w_]+): %S+ fitted "
            ok(not key or text:find(("`%s.%s`"):format(section, key), 1, true), ("%s: %s"):format(name, key))
        end
    end
end)

case("what the model is held to stands beside what was found", function()
    local status, out = run "--board h100 --group 'L1 by stride' --csv"
    equal(status, 0)
    local count, found, met = out:match "strides through L1,(%d+),6,([%d.]+),(%a+)"
    ok(count == "12" and (tonumber(found) <= 6) == (met == "yes"), out)
end)

case("threads of this computer change no figure", function()
    local arguments = "--board v100 --group Latency --json -"
    local _, one = run(arguments)
    local status, two = run(arguments .. " --threads 2")
    equal(status, 0)
    equal(two, one)
end)

case("a changed board is measured as changed", function()
    local status, out = run "--board v100 --group Latency --set latency.fp32=9"
    equal(status, 0)
    ok(out:find("v100; changed: latency.fp32=9\n", 1, true), out)
    status, out = run "--board v100 --group Latency --set latency.fp32=9 --json -"
    equal(status, 0)
    ok(out:find('"id":%s*"fp32_latency"'), out)
    ok(out:find('"model":%s*9[.,}%s]'), out)
end)

case("what is wrong is told, with status 2", function()
    for arguments, text in pairs {
        ["--board teach8"] = "board", ["--board"] = "board", ["--group Latencies"] = "Latency",
        ["--bord v100"] = "board",
        ["--board v100 --set sms"] = "sms", ["--board v100 --set l2.slice=1"] = "l2.slices", ["extra"] = "extra",
    } do
        local status, out = run(arguments)
        equal(status, 2, arguments .. ": " .. out)
        ok(out:find(text, 1, true), out)
    end
end)

test.finish()
