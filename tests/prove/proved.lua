-- Are the shipped pairs of methods proved equal for all inputs, and free of races?
--
-- The verdict "equal" means both (docs/prove.md). Pairs beyond the prover are below, with the reason that it gives:
-- their sides must agree on all data that are tried. PROOFS=1 prints each proof with its time.
local heddle = require "heddle"
local gemm = require "heddle.gemm.launch"
local lists = require "heddle.kit.lists"
local masks = require "heddle.mask.launch"
local methods = require "heddle.mask.methods"
local study = require "heddle.kit.study"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

local LONGEST <const> = 20 -- seconds that a proof may take; they take less than one
local WIDTHS <const> = (os.getenv("SAN") or "") == "" and {8, 16, 32, 64} or {32}

-- Proves two launches {file, entry, grid, block} on the context's buffers, with more options of a proof. `open`: the
-- answer if equality is not proved.
local function prove(ctx, a, b, options, open)
    local o = lists.merge({entry_a = a.entry, grid_a = a.grid, block_a = a.block, entry_b = b.entry, grid_b = b.grid,
        block_b = b.block, solver = "none", max_time = LONGEST}, options)
    local began = os.clock()
    local done, proof = pcall(ctx.prove, ctx, {study.load(ctx, a.file), study.load(ctx, b.file)}, o)
    local what = ("%s and %s, W = %d"):format(a.entry, b.entry, o.warp)
    ok(done, ("%s: %s"):format(what, proof))
    if os.getenv "PROOFS" then
        print(("%6.2f s  %s: %s"):format(os.clock() - began, what, proof.verdict == "equal" and "equal" or proof.text))
    end
    if open and proof.verdict ~= "equal" then
        local known = proof.text:find(open.unproved, 1, true) or open.order and proof.verdict == "order"
        ok(known, what .. ": " .. proof.text)
    else
        equal(proof.verdict, "equal", what .. ": " .. proof.text)
    end
end

-- ---- reorder ----

local reorders = {"transit1", "transit2", "shuffle2", "shuffle4", "butterfly", "shared_linear", "shared_vector",
    "shared_scatter", "shared_four", "shared_linear_block", "shared_vector_block", "shared_scatter_block"}

for _, width in ipairs(WIDTHS) do
    case(("reorders, W = %d"):format(width), function()
        local ctx <close> = heddle.new()
        ctx:buffer("src", "u32", 700)
        ctx:buffer("dst", "u32", 700)
        local function launch(name)
            return {file = "reorder/" .. name, entry = name, grid = 6, block = 128}
        end
        for i = 1, #reorders do
            for k = i + 1, #reorders do
                prove(ctx, launch(reorders[i]), launch(reorders[k]),
                    {warp = width, args = {src = "src", dst = "dst", count = 700}, roles = {src = "in"}})
            end
        end
    end)
end

-- ---- masked_fill ----

-- Pairs whose equality is not proved: forms are missing for products and sums that gather bits, for packed selects
-- (sel.pk16) and for votes. `order`: both sides of a branch that a vote decides are taken for accesses of one run, and
-- lanes that store the same for a race.
local UNLIKE <const> = {unproved = "are not proved equal: different expressions, though equal on"}
local VOTED <const> = {unproved = UNLIKE.unproved, order = true}

-- Pairs that compute the same on the same buffers, whatever these hold: methods, orders of the words; bytes of an
-- element. bool-store takes any byte but 0 for true, bool-store-vector only 1.
local fills = {
    {"bits", "bits-vector", {1, 4, 8}}, {"bits", "bits-vector", {2}, UNLIKE},
    {"words", "words-heads", {1, 2, 4, 8}},
    {"words", "words/packed", {4, 8}}, {"words", "words/packed", {1, 2}, UNLIKE},
    {"bool", "bool-vector", {1, 2, 4, 8}}, {"bool-vector", "bool-vector-long", {2}},
    {"bool", "bool-heads", {4}},
    {"bool-store-vector", "bool-store-vector-long", {2, 8}, VOTED}, {"bits-store", "bits-store-vector", {1, 4}, VOTED},
    {"softmax-bool", "softmax-bool/small", {4}, VOTED},
}

local function mask_launch(name, bytes, shape, width)
    local method, form = name:match "^([^/]*)/?(.*)$"
    return methods.launch(method, {bytes = bytes, order = form == "packed" and form or nil, n = shape.n,
        heads = shape.heads, height = shape.height, width = shape.width, warp = width,
        registers = form == "small" and 64 or nil})
end

local function prove_fill(pair, bytes, shape, width)
    local ctx <close> = heddle.new()
    local pixels, element = shape.n * shape.height * shape.width, "u" .. 8 * bytes
    local words = shape.n * ((shape.height + 1) // 2) * 32 * ((shape.width + 511) // 512)
    local all = {
        x = {element, pixels * shape.heads}, y = {element, pixels * shape.heads}, mask = {"u8", pixels},
        words = {"u32", words}, bits = {"u32", shape.n * shape.height * ((shape.width + 31) // 32)},
        value = 77, scale = 0.5, n = shape.n, heads = shape.heads, height = shape.height, width = shape.width,
        polarity = 1,
    }
    local a, b = mask_launch(pair[1], bytes, shape, width), mask_launch(pair[2], bytes, shape, width)
    all.share = a.share
    local args, roles = {}, {}
    for _, of in ipairs {a, b} do
        for _, name in ipairs(masks.parameters(study.load(ctx, of.file), of.entry)) do
            local is = all[name]
            args[name] = is
            if type(is) == "table" then
                ctx:buffer(name, is[1], is[2])
                args[name], roles[name] = name, name ~= "y" and "in" or nil
            end
        end
    end
    ok(a.entry ~= b.entry, a.entry)
    prove(ctx, a, b, {warp = width, args = args, roles = roles, solver = pair.solver}, pair[4])
end

for _, width in ipairs(WIDTHS) do
    case(("fills, W = %d"):format(width), function()
        for _, pair in ipairs(fills) do
            for _, bytes in ipairs(pair[3]) do
                prove_fill(pair, bytes, {n = 1, heads = 2, height = 2, width = 32}, width)
            end
        end
    end)
end

-- ---- products: k as long as the tiles, which else add zeros, visible in -0 ----

for _, kind in ipairs {"f32", "f16", "mma"} do
    for _, size in ipairs {{5, 8, 32}, {5, 6, 32}} do
        case(("products by %s, %d x %d x %d"):format(kind, table.unpack(size)), function()
            local ctx <close> = heddle.new()
            local m, n, k = table.unpack(size)
            local element = kind == "f32" and "f32" or "f16"
            ctx:buffer("a", element, m * k)
            ctx:buffer("b", element, k * n)
            ctx:buffer("bias", "f32", m)
            ctx:buffer("c", "f32", m * n)
            local function launch(type, entry)
                local plan = gemm.launch {m = m, n = n, k = k, type = type, entry = entry}
                return {file = plan.file, entry = entry, grid = plan.grid, block = plan.block}
            end
            local entries = gemm.entries(kind, n, k)
            local first = kind == "mma" and launch("f16", gemm.entries("f16", n, k)[1]) or launch(kind, entries[1])
            for i = kind == "mma" and 1 or 2, #entries do
                prove(ctx, first, launch(kind, entries[i]), {warp = 32,
                    args = {a = "a", b = "b", bias = "bias", c = "c", m = m, n = n, k = k, biased = 1},
                    roles = {a = "in", b = "in", bias = "in"}})
            end
        end)
    end
end

-- ---- FFT ----

case("an FFT with the reorder and one with loads of pairs", function()
    local ctx <close> = heddle.new()
    for _, width in ipairs(WIDTHS) do
        local n, frames = 2 * width, 2
        ctx:buffer("x", "f32", frames * n)
        ctx:buffer("tw", "f32", 2 * n)
        ctx:buffer("spectrum", "c64", {frames, width + 1})
        local function launch(file, entry, grid)
            return {file = "fft/" .. file, entry = entry or file, grid = grid or frames, block = width}
        end
        for _, pair in ipairs {{launch "rfft_warp", launch "rfft_warp_vec"},
            {launch("rfft_many", "rfft_many_" .. width), launch("rfft_many", "rfft_pairs_" .. width, 1)}} do
            prove(ctx, pair[1], pair[2], {warp = width, roles = {x = "in", tw = "in"},
                args = {x = "x", spectrum = "spectrum", tw = "tw", frames = frames, n = n}})
        end
    end
end)

-- ---- sparse convolution: methods without a list or table of places, whose addresses would depend on data ----

case("direct convolutions, results by planes and by channels", function()
    local ctx <close> = heddle.new()
    for type, width in pairs {f32 = 32, f16 = 64} do
        ctx:buffer("x", type, 40)
        ctx:buffer("weight", type, 192)
        ctx:buffer("bias", "f32", 8)
        ctx:buffer("y", "f32", 64)
        local function direct(name)
            return {file = "spconv/direct", entry = name .. "_" .. type, grid = {2, 1}, block = 64}
        end
        prove(ctx, direct "direct", direct "direct_last", {warp = width,
            roles = {x = "in", weight = "in", bias = "in"},
            args = {x = "x", weight = "weight", bias = "bias", y = "y", biased = 1, filters = 8, channels = 2,
                outputs = 8, batch = 1, size_d = 1, size_h = 4, size_w = 5, out_d = 1, out_h = 4, out_w = 2,
                kernel_d = 1, kernel_h = 3, kernel_w = 2, stride_d = 1, stride_h = 1, stride_w = 2, lo_d = 0,
                lo_h = 1, lo_w = 0, sc = 20, sp = 1, ysc = 1, ysp = 8}})
    end
end)

-- ---- classic kernels ----

case("transposes, products and sums", function()
    local ctx <close> = heddle.new()
    local function launch(name, grid, block)
        return {file = "classic/" .. name, entry = name, grid = grid, block = block}
    end
    for _, width in ipairs(WIDTHS) do
        ctx:buffer("a", "u32", 4000)
        ctx:buffer("b", "u32", 4000)
        local naive, o = launch("transpose_naive", {4, 2}, {32, 8}),
            {warp = width, args = {a = "a", b = "b", rows = 40, cols = 100}, roles = {a = "in"}}
        prove(ctx, naive, launch("transpose_tiled", {4, 2}, {32, 8}), o)
        prove(ctx, naive, launch("transpose_padded", {4, 2}, {32, 8}), o)
        ctx:buffer("x", "u32", 1000)
        ctx:buffer("sums", "u32", 4)
        for _, pair in ipairs {{1, 2, 4}, {1, 3, 4}, {4, 5, 2}, {4, 6, 2}} do
            prove(ctx, launch("reduce" .. pair[1], pair[3], 256), launch("reduce" .. pair[2], pair[3], 256),
                {warp = width, args = {x = "x", sums = "sums", n = 1000}, roles = {x = "in"}})
        end
    end
    ctx:buffer("a", "f32", 20 * 16)
    ctx:buffer("b", "f32", 16 * 30)
    ctx:buffer("c", "f32", 20 * 30)
    prove(ctx, launch("matmul_naive", {2, 3}, {16, 8}), launch("matmul_tiled", {2, 2}, {16, 16}),
        {warp = 32, args = {a = "a", b = "b", c = "c", m = 20, k = 16, n = 30}, roles = {a = "in", b = "in"}})
end)

test.finish()
