-- Are masks and inputs read right from files, and wrong ones refused with their names?
package.path = "scripts/lib/?.lua;" .. package.path
local heddle = require "heddle"
local input = require "heddle.mask.input"
local mask = require "heddle.mask.definition"
local random = require "heddle.kit.random"
local folder = require "tests.lib.command".folder
local test = require "tests.lib.test"
local case, equal, ok, raises = test.case, test.equal, test.ok, test.raises

local ctx = heddle.new()

local chance = random.new(12345)

local function random_mask(count)
    return (("x"):rep(count):gsub("x", function() return string.char(chance:below(2)) end))
end

-- ---- files ----

local function save(name, kind, shape, init)
    local path = folder .. "/" .. name .. ".npy"
    ctx:buffer("b", kind, shape, init):save(path)
    ctx:drop "b"
    return path
end

case("masks of every shape", function()
    for _, shape in ipairs {{3, 5}, {2, 3, 5}, {2, 1, 3, 5}} do
        local m = input.mask(ctx, save("m", "u8", shape, function(i) return i % 4 == 0 and 200 or 0 end))
        equal({m.n, m.height, m.width}, {#shape > 2 and 2 or 1, 3, 5})
        for i = 1, #m.truth do
            equal(m.truth:byte(i), i % 4 == 0 and 1 or 0)
        end
    end
    equal(input.mask(ctx, save("m", "bool", {1, 2}, {true, false})).truth, "\1\0")
end)

case("masks that are none", function()
    raises("element 2 is -10000; a mask of floats has 0, where x is kept, and -inf, where it is filled", input.mask,
        ctx, save("m", "f32", {2, 2}, {0, -1 / 0, -10000, 0}))
    raises("element 0 is nan; a mask of floats", input.mask, ctx, save("m", "f16", {2, 2}, 0 / 0))
    raises("element 3 is inf; a mask of floats", input.mask, ctx, save("m", "f64", {2, 2}, {0, 0, 0, 1 / 0}))
    raises("elements of type c64; a mask has bool, whole numbers, or floats", input.mask, ctx,
        save("m", "c64", {2, 2}, 0))
    raises("shape [0,3] has no elements", input.mask, ctx, save("m", "u8", {0, 3}))
    raises("/none.npy", input.mask, ctx, folder .. "/none.npy")
    heddle.write(folder .. "/broken.npy", "\x93NUMPY")
    raises("broken.npy", input.mask, ctx, folder .. "/broken.npy")
end)

case("masks of every type", function()
    for _, kind in ipairs {"bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"} do
        local m = input.mask(ctx, save("m", kind, {2, 2}, {1, 0, 1, 0}))
        equal(m.truth, "\1\0\1\0", kind)
    end
    equal(input.mask(ctx, save("m", "i64", {1, 3}, {1 << 40, 0, -1})).truth, "\1\0\1")
    for _, kind in ipairs {"f16", "f32", "f64"} do
        equal(input.mask(ctx, save("m", kind, {1, 4}, {0, -1 / 0, -0.0, -1 / 0})).truth, "\0\1\0\1", kind)
    end
end)

-- Element i of x, counted from 0, is filled by element of_mask(i) of the mask: numpy's rule, dimension by dimension.
local function of_mask(i, shape, from)
    local at, step = 0, 1
    for k = #shape, 1, -1 do
        local size = from[k - #shape + #from] or 1
        at, step, i = at + (size == 1 and 0 or i % shape[k]) * step, step * size, i // shape[k]
    end
    return at
end

case("masks broadcast as numpy has it, whatever is stored of them", function()
    local r = require "heddle.kit.random".new(5)
    for trial = 1, 300 do
        local shape, from = {}, {}
        for k = 1, 2 + r:below(4) do
            shape[k] = 1 + r:below(5)
            from[k] = r:below(2) == 0 and 1 or shape[k]
        end
        for _ = 1, r:below(#shape) do
            table.remove(from, 1)
        end
        if trial % 7 == 0 then
            table.insert(from, 1, 1) -- more dimensions than x has
        end
        local count, elements = 1, 1
        for _, size in ipairs(from) do count = count * size end
        for _, size in ipairs(shape) do elements = elements * size end
        local truth, rows = random_mask(count), 1 << r:below(3)
        local m = input.broadcast(shape, from, truth, rows)
        local name = table.concat(shape, ",") .. " by " .. table.concat(from, ",")
        equal(m.n * m.heads * m.height * m.width, elements, name)
        equal(#m.truth, m.n * m.height * m.width, name)
        for i = 0, elements - 1 do
            local image = m.height * m.width
            local got = m.truth:byte(i // image // m.heads * image + i % image + 1)
            if got ~= truth:byte(of_mask(i, shape, from) + 1) then
                error(("%s: element %d"):format(name, i))
            end
        end
    end
    equal(input.broadcast({2, 4, 8, 16}, {2, 1, 1, 16}, ("\1"):rep(32), 2).heads, 16)
    equal(input.broadcast({2, 3}, {2, 2}, ("\1"):rep(4), 2), nil)
    equal(input.broadcast({2, 3}, {4, 2, 3}, ("\1"):rep(24), 2), nil)
    equal(input.broadcast({64, 64, 64, 8}, {64, 1, 1, 8}, ("\1"):rep(512), 2).height, 8) -- at most 65,535 images
end)

-- The heads of a tensor of that shape with a mask of that shape, or an error.
local function heads(mask_shape, x_shape, given)
    local m = input.mask(ctx, save("m", "u8", mask_shape, 0))
    return input.match(input.tensor(ctx, save("x", "f16", x_shape, 0)), m, 2, given).heads
end

case("tensors with more images than the mask", function()
    equal(heads({2, 3}, {2, 3}), 1)
    equal(heads({2, 3}, {4, 2, 3}), 4)
    equal(heads({2, 3}, {5, 4, 2, 3}), 20)
    equal(heads({5, 1, 2, 3}, {5, 4, 2, 3}), 4)
    equal(heads({5, 2, 3}, {5, 4, 2, 3}), 4)
    equal(heads({1, 5, 2, 3}, {5, 2, 3}), 1)
    equal(heads({5, 2, 3}, {10, 2, 3}, 2), 2)
    raises("the mask " .. folder .. "/m.npy is [2,3]: expected 2 rows and 3 columns", heads, {2, 3}, {3, 2})
    equal(heads({3}, {5, 4, 2, 3}), 20)
    equal({heads({2, 3, 4}, {2, 2, 3, 4}), heads({2, 3, 4}, {2, 2, 3, 4}, 2)}, {1, 2}) -- numpy's rule decides first
    equal(heads({5, 1, 1, 1, 3}, {5, 2, 3, 4, 3}), 12)
    raises("shape [4,5,2,3]; the mask", heads, {5, 1, 2, 3}, {4, 5, 2, 3})
    raises("shape [2,3]; the mask " .. folder .. "/m.npy is [4]: expected 1 row and 4 columns", heads, {4}, {2, 3})
    raises("(--heads 2 if image j", heads, {5, 2, 3}, {10, 2, 3})
    raises("expected 15 images, 3 for each of the mask's 5", heads, {5, 2, 3}, {10, 2, 3}, 3)
    raises("x.npy: shape [2,3]; the mask", heads, {5, 2, 3}, {2, 3})
end)

case("types of tensors", function()
    for _, name in ipairs(input.type_names) do
        local t = input.types[name]
        local path = save("x", name == "bf16" and "u16" or t.buffer, {2, 2}, 1)
        equal(input.tensor(ctx, path, name == "bf16" and name or nil).type.name, name)
    end
    raises("elements of type c64; expected one of int8, int16", input.tensor, ctx, save("x", "c64", {2, 2}, 0))
    raises("elements of type bool", input.tensor, ctx, save("x", "bool", {2, 2}, 0))
    raises("elements of type fp16; --dtype says bf16, which is stored as uint16", input.tensor, ctx,
        save("x", "f16", {2, 2}, 0), "bf16")
    raises("--dtype says int32", input.tensor, ctx, save("x", "f32", {2, 2}, 0), "int32")
end)

case("packed words from a file", function()
    local layout, shape = mask.layout(32), {n = 2, height = 3, width = 40}
    local truth = random_mask(240)
    local x = input.tensor(ctx, save("x", "f16", {2, 3, 40}, 0))
    for polarity = 0, 1 do
        local words = mask.pack(layout, truth, shape, polarity)
        local m = input.words(ctx, save("w", "u32", {2, 2, 32}, words), layout, polarity, x)
        ok(m.truth == truth and input.match(x, m, 2).heads == 1)
    end
    raises("w.npy: elements of type uint16; words of 32 bits are uint32", input.words, ctx,
        save("w", "u16", {2, 2, 32}, 0), layout, 1, x)
    raises("w.npy: shape [2,2,64]; the words of 3 x 40 elements are 2 x 32", input.words, ctx,
        save("w", "u32", {2, 2, 64}, 0), layout, 1, x)
    raises("that describes no element of a 3 x 40 mask is 1; expected 0", input.words, ctx,
        save("w", "u32", {2, 2, 32}, 1), layout, 1, x)
end)


test.finish()
