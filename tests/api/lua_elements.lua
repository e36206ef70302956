-- Do elements of every type pass between buffers and Lua exactly, or with one rounding?
local heddle = require "heddle"
local random = require "heddle.kit.random"
local test = require "tests.lib.test"
local case, equal, ok, raises = test.case, test.equal, test.ok, test.raises

local ranges = {
    i8 = {-128, 127}, u8 = {0, 255}, i16 = {-32768, 32767}, u16 = {0, 65535}, i32 = {-2 ^ 31 | 0, 2 ^ 31 - 1 | 0},
    u32 = {0, 0xffffffff}, i64 = {math.mininteger, math.maxinteger},
}

case("integers at the ends of their range", function()
    local ctx = heddle.new()
    for kind, range in pairs(ranges) do
        local b = ctx:buffer("b", kind, 2, range)
        equal(b:table(), range, kind)
        if kind ~= "i64" then
            raises("out of the type's range", function() b[1] = range[1] - 1 end)
            raises("out of the type's range", function() b[1] = range[2] + 1 end)
        end
        raises("no integer representation", function() b[1] = 0.5 end)
        raises("no integer representation", function() b[1] = 0 / 0 end)
        raises("out of the type's range", function() b[1] = 1e300 end)
        raises("number expected", function() b[1] = "1" end)
        b[1] = 7.0
        equal(b[1], 7)
    end
end)

case("u64 holds all 64 bits", function()
    local b = heddle.new():buffer("b", "u64", 3, {-1, 2.0 ^ 63, math.maxinteger})
    equal(b:bytes(), ("\xff"):rep(8) .. ("\0"):rep(7) .. "\x80" .. ("\xff"):rep(7) .. "\x7f")
    equal(("%u"):gsub("u", "d"):format(b[1]), "-1")
    equal(b[2], math.mininteger)
end)

case("every fp16 survives reading and writing", function()
    local ctx = heddle.new()
    local bits = {}
    for i = 0, 0xffff do
        if i & 0x7fff <= 0x7c00 then
            bits[#bits + 1] = ("<I2"):pack(i)
        end
    end
    local bytes = table.concat(bits)
    for _, kind in ipairs {"f16"} do
        local a = ctx:buffer("a", kind, nil, bytes)
        local b = ctx:buffer("b", kind, #a, a:table())
        ok(a:bytes() == b:bytes(), kind)
    end
end)

case("fp16 rounds to nearest even", function()
    local b = heddle.new():buffer("b", "f16", 1)
    for _, pair in ipairs {
        {65504, 0x7bff}, {65519.99, 0x7bff}, {65520, 0x7c00}, {-1e300, 0xfc00}, {1, 0x3c00}, {1 + 2 ^ -11, 0x3c00},
        {1 + 3 * 2 ^ -11, 0x3c02}, {1 + 2 ^ -11 + 2 ^ -40, 0x3c01}, {2 ^ -24, 1}, {2 ^ -25, 0}, {2 ^ -25 + 2 ^ -60, 1},
        {3 * 2 ^ -25, 2}, {-0.0, 0x8000}, {2 ^ -14 - 2 ^ -26, 0x0400}, {1 / 0, 0x7c00}, {2 ^ -1074, 0},
        {2047.5, 0x6800},
    } do
        b[1] = pair[1]
        equal((("<I2"):unpack(b:bytes())), pair[2], tostring(pair[1]))
    end
    b[1] = 0 / 0
    ok(b[1] ~= b[1])
end)

case("bf16 is fp32 rounded to its upper half", function()
    local ctx = heddle.new()
    local b = ctx:buffer("b", "bf16", 1)
    local numbers = random.new()
    for _ = 1, 2000 do
        local bits = numbers:bits() >> 32
        if bits & 0x7f800000 ~= 0x7f800000 then
            b[1] = ("<f"):unpack(("<I4"):pack(bits))
            local rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16
            equal((("<I2"):unpack(b:bytes())), rounded)
            local back = b[1]
            equal((("<I4"):unpack(("<f"):pack(back))), rounded << 16)
        end
    end
end)

case("integers go to fp32 with one rounding", function()
    local b = heddle.new():buffer("b", "f32", 1)
    b[1] = (1 << 54) + (1 << 30) + 1 -- through a double this would be a tie, rounded down
    equal(b[1], 2.0 ^ 54 + 2.0 ^ 31)
end)

case("bool and c64", function()
    local ctx = heddle.new()
    local b = ctx:buffer("b", "bool", 4, {true, false, 2, 0.0})
    equal(b:table(), {true, false, true, false})
    raises("boolean or number expected", function() b[1] = "x" end)
    local c = ctx:buffer("c", "c64", {2, 2}, {{1, 2}, {3, 4}, 5, {-0.5, 7}})
    equal(c:table(), {{1.0, 2.0}, {3.0, 4.0}, {5.0, 0.0}, {-0.5, 7.0}})
    c:set {{{1, 1}, 2}, {3, {4, 4}}}
    equal(c[4], {4.0, 4.0})
    raises("{re, im}", function() c[1] = {1} end)
    raises("number expected", function() c[1] = {1, "2"} end)
end)

case("the board decides what runs and how wide", function()
    local ctx = heddle.new()
    local p = ctx:load(".kernel k\n.param dst : u32[]\n.reg w, at:2\nld.param.b64 at, [dst]\ns2r w, %warpsize\n" ..
        "st.global.b32 [at], w\nexit\n")
    local b = ctx:buffer("dst", "u32", 1)
    ok(ctx:board("configs/teach8.yaml", {sms = 3}):find("sms: 3 .*%[%-%-set%]"))
    ctx:launch(p, {args = {dst = b}})
    equal(b[1], 8)
    raises("takes at most 256\n  boards that take it: a100, ", ctx.launch, ctx, p, {block = 257, args = {dst = b}})
    ok(ctx:board("configs/h100.yaml"):find("warp_width: 32 .*%[a100.yaml:"))
    raises("did you mean 'sms'", ctx.board, ctx, nil, {smx = 1})
    raises("No such file", ctx.board, ctx, "configs/none.yaml")
    raises("whole number", ctx.board, ctx, nil, {sms = 1.5})
end)

case("a board changes as a whole or not at all", function()
    local ctx = heddle.new()
    local before = ctx:board("configs/teach8.yaml", {sms = 3})
    for _, call in ipairs {
        {"did you mean 'sms'", "configs/h100.yaml", {smx = 1}},
        {"whole number", "configs/h100.yaml", {["l2.slices"] = 32, sms = 1.5}},
        {"a value is a number, or text", "configs/h100.yaml", {sms = true}},
        {"must be 0 or a multiple of", nil, {sms = 2, l2 = {slices = 7}}},
        {"No such file", "configs/none.yaml", {sms = 2}},
    } do
        raises(call[1], ctx.board, ctx, call[2], call[3])
        equal(ctx:board(), before)
    end
end)

test.finish()
