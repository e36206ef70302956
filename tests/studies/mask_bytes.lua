-- Do masked_fill kernels move the bytes and touch the sectors of a calculation, on every board?
package.path = "scripts/lib/?.lua;" .. package.path
local heddle = require "heddle"
local board = require "heddle.kit.board"
local input = require "heddle.mask.input"
local launch = require "heddle.mask.launch"
local masks = require "tests.lib.masks"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

local function run(bench, p, name, order)
    local row = bench:run(p, {name = name, order = order}, true)
    equal(row.difference, nil, row.label)
    return row
end

-- ---- sectors without a cache ----

-- n, height, width, bytes of an element; sectors of reads, writes, booleans and packed words.
local sectors = {
    {1, 2, 512, 2, 64, 64, 32, 4}, {1, 2, 512, 4, 128, 128, 32, 4}, {1, 2, 64, 2, 8, 8, 4, 4},
    {16, 24, 24, 2, 768, 768, 576, 768}, {1, 1, 768, 2, 48, 48, 24, 8}, {1, 3, 512, 2, 96, 96, 48, 8},
    {1, 2, 1000, 2, 157, 157, 95, 8}, {1, 1024, 1024, 2, 65536, 65536, 32768, 4096},
}

case("sectors are those of the table, with caches off", function()
    local bench = launch.new(board.read(heddle.new(), "a100", {"l1.unified_bytes=0", "l2.bytes=0"}), {})
    for _, row in ipairs(sectors) do
        local n, height, width, size, read, write, bool, words = table.unpack(row)
        local p = masks.problem {n = n, height = height, width = width, type = size == 2 and "fp16" or "fp32"}
        local what = ("%d,%d,%d of %d bytes"):format(n, height, width, size)
        for name, of_mask in pairs {bool = bool, words = words} do
            local t = run(bench, p, name, name == "words" and "linear" or nil).tensors
            equal({t.x.sectors, t.y.sectors}, {read, write}, what)
            equal((t.mask or t.words).sectors, of_mask, what .. " " .. name)
            equal(t.x.l2_moved, 32 * read, what) -- nothing is kept
            equal({t.x.l2_useful, t.y.l2_useful}, {size * p.elements, size * p.elements}, what)
            equal((t.mask or t.words).l2_useful, (t.mask or t.words).l1_useful, what)
        end
    end
end)

-- ---- what is masked is not read ----

case("the least bytes of a mask are those of the sectors that it keeps", function()
    for _, o in ipairs {{side = 37, n = 3, kind = "blocks"}, {side = 30, heads = 3, n = 2, type = "int8"},
        {side = 64, kind = "padding", type = "fp64"}} do
        local p, kept, found = masks.problem(o), {}, 0
        for i = 0, p.elements - 1 do
            local image, pixel = i // (p.height * p.width), i % (p.height * p.width)
            local sector = i * p.size // 32
            local keeps = p.truth:byte(image // p.heads * p.height * p.width + pixel + 1) == 0
            found = found + (keeps and not kept[sector] and 1 or 0)
            kept[sector] = kept[sector] or keeps
        end
        equal(p:kept(), found * 32 / (p.elements * p.size), o.kind)
    end
end)

case("methods that skip read the least bytes, whichever mask", function()
    local bench = launch.new(board.read(heddle.new(), "a100"), {})
    for kind, most in pairs {causal = {4.04, 3.2}, blocks = {3.2, 2.3}} do
        local p = masks.problem {side = 512, kind = kind}
        for _, name in ipairs {"bool-vector-skip", "bool-vector-long-skip", "bool-wide-skip", "bool-wide-long-skip",
            "bits-vector-skip", "words-skip"} do
            local row, bool = run(bench, p, name), name:find "bool" ~= nil
            ok(row.bytes_per_element <= most[bool and 1 or 2], ("%s, %s"):format(name, kind))
            ok(math.abs(row.bytes_per_element / row.ideal_bytes - 1) < 0.001, name)
            equal(row.ideal_bytes, 2 * (1 + p:kept()) + (bool and 1 or 1 / 8), name)
        end
    end
    local p = masks.problem {side = 256, type = "fp32"}
    for _, name in ipairs {"bool", "bool-vector", "bits", "bits-vector", "words"} do
        local row = run(bench, p, "softmax-" .. name .. "-skip")
        ok(math.abs(row.bytes_per_element / row.ideal_bytes - 1) < 0.01, row.label)
    end
end)

-- ---- bytes of the board ----

-- Board and settings that leave L2 a hundredth of what a fill moves; every way holds a line of each slice.
local boards = {
    v100 = {"l2.ways=4", "l2.bytes=32768"}, a100 = {"l2.ways=4", "l2.bytes=40960"},
    h100 = {"l2.ways=4", "l2.bytes=40960"}, br100 = {"l2.ways=2", "l2.bytes=32768"}, teach32 = {}, teach8 = {},
}

case("bytes of the board are 2S + 1/8 and 2S + 1 on every board", function()
    for name, set in pairs(boards) do
        local bench = launch.new(board.read(heddle.new(), name, set), {})
        for _, kind in ipairs(name == "a100" and {"int8", "fp16", "fp32", "fp64"} or {"fp16"}) do
            local size = input.types[kind].size
            local p = masks.problem {height = 1024, width = size < 4 and 1024 or 512, type = kind}
            for method, of_mask in pairs {bool = 1, words = 1 / 8} do
                local row = run(bench, p, method, method == "words" and "linear" or nil)
                local want, what = 2 * size + of_mask, ("%s on %s, %s"):format(method, name, kind)
                local l2 = bench.board.values["l2.bytes"]
                ok(row.dirty_bytes <= l2 and l2 <= 0.03 * want * p.elements, what .. ": L2 is not small")
                ok(math.abs(row.bytes_per_element / want - 1) <= 0.02,
                    ("%s: %.4f bytes, not %.4f"):format(what, row.bytes_per_element, want))
            end
        end
    end
end)

case("a mask for several heads comes from the board once", function()
    local bench = launch.new(board.read(heddle.new(), "teach32"), {})
    local p = masks.problem {heads = 3, height = 64, width = 512}
    for _, name in ipairs {"bool-heads", "words-heads"} do
        local t = run(bench, p, name).tensors
        local of_mask = t.mask or t.words
        equal(of_mask.dram_moved, name == "bool-heads" and p.pixels or p.pixels // 8, name)
    end
end)

test.finish()
