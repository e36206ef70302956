-- Does `heddle study mask` fill what it is given, write what it promises, and refuse what it cannot use? Runs $HEDDLE.
package.path = "scripts/lib/?.lua;" .. package.path
local heddle = require "heddle"
local mask = require "heddle.mask.definition"
local methods = require "heddle.mask.methods"
local workload = require "heddle.mask.workload"
local test = require "tests.lib.test"
local cli = require "tests.lib.command"
local case, equal, ok = test.case, test.equal, test.ok
local folder, read_all = cli.folder, cli.read
local run, good = cli.study "mask"
local ctx = heddle.new()

-- Runs a study that must end with status `want`, print `text`, and write nothing.
local function bad(text, arguments, want, environment)
    for _, name in ipairs {"none.npy", "words.npy", "none.json"} do
        os.remove(folder .. "/" .. name)
    end
    local status, _, err = run(arguments .. " --out none.npy --json none.json", environment)
    ok(err:find(text, 1, true), ("%s: expected %q in %q"):format(arguments, text, err))
    equal(status, want or 2, arguments)
    ok(not read_all(folder .. "/none.npy") and not read_all(folder .. "/words.npy"), "an output was written")
    ok(want == 1 or not read_all(folder .. "/none.json"), "JSON was written")
end

local function save(name, kind, shape, init)
    ctx:buffer("b", kind, shape, init):save(folder .. "/" .. name .. ".npy")
    return name .. ".npy"
end

local function load(name)
    return ctx:npy("got", folder .. "/" .. name)
end

-- Images of 5 x 70: an odd height, a width that no tile divides.
local shape = {n = 2, height = 5, width = 70}
local truth = workload.kinds.random(1, 27):sub(1, 700)
save("m", "u8", {2, 1, 5, 70}, (truth:gsub("\1", "\200")))

-- Returns x after the fill, element by element.
local function filled(x, value, size, heads)
    local out = {}
    for i = 0, #x // size - 1 do
        local pixel = i // 350 // heads * 350 + i % 350
        out[i + 1] = truth:byte(pixel + 1) ~= 0 and value or x:sub(i * size + 1, i * size + size)
    end
    return table.concat(out)
end

-- ---- fills ----

-- type of the file, options, value, its bytes
local types = {
    {"i8", "", "-128", "\x80"}, {"i16", "", "300", "\x2c\x01"}, {"i32", "", "-1", ("\xff"):rep(4)},
    {"i64", "", "0x7fffffffffffffff", ("\xff"):rep(7) .. "\x7f"}, {"f16", "", "-inf", "\x00\xfc"},
    {"u16", "--dtype bf16", "nan", "\xc0\x7f"}, {"f32", "", "0x7f800001", "\x01\x00\x80\x7f"},
    {"f64", "", "-0.0", ("\0"):rep(7) .. "\x80"}, {"u16", "", "65535", "\xff\xff"},
}

case("every type of elements, every bit pattern, in every order", function()
    for i, row in ipairs(types) do
        local size, heads = #row[4], i % 2 + 1
        local x = workload.bits(700 * heads, size)
        local file = save("x", row[1], {2, heads, 5, 70}, x)
        local out = good(("--mask m.npy --x %s %s --fill %s --out y.npy --words w.npy --json " ..
            "j.json"):format(file, row[2],
            row[3]))
        local y = load "y.npy"
        equal({y.type, y.shape}, {row[1], {2, heads, 5, 70}})
        ok(y:bytes() == filled(x, row[4], size, heads), row[1])
        equal(out:find("\n  words interleaved ", 1, true) ~= nil, size == 2, row[1])
        equal(out:gsub("%s+", " "):find("words-flat interleaved (the interleaved order is for elements of 2 bytes", 1,
            true) ~= nil, size ~= 2, row[1])
        local json = read_all(folder .. "/j.json")
        ok(json:find('"verified": true', 1, true) and not json:find('"verified": false', 1, true))
    end
end)

case("words of every width, both polarities, every warp width", function()
    local results = {int16 = 16, half = 16, bfloat16 = 16, int32 = 32, float = 32, int64 = 64, double = 64}
    local warps, k = {8, 16, 32, 64}, 0
    local x = workload.bits(700, 4)
    save("x", "f32", {2, 1, 5, 70}, x)
    for result, bits in pairs(results) do
        for polarity = 0, 1 do
            k = k + 1
            local out = good(("--mask m.npy --x x.npy --fill 1 --result %s --polarity %d --warp %d --method words " ..
                "--words " ..
                "w.npy --out y.npy"):format(result, polarity, warps[k % 4 + 1]))
            local layout = mask.layout(bits)
            local words = load "w.npy"
            equal({words.type, words.shape}, {"u" .. bits, {2, mask.words(layout, 5, 70)}})
            ok(words:bytes() == mask.pack(layout, truth, shape, polarity), result)
            ok(load("y.npy"):bytes() == filled(x, ("<f"):pack(1), 4, 1), result)
            equal(out:find("derived", 1, true) ~= nil, bits ~= 32, result)
            equal(out:find("published", 1, true) ~= nil, bits == 32, result)
        end
    end
end)

case("words that were written can be read", function()
    local x = workload.bits(700, 2)
    save("x", "f16", {2, 1, 5, 70}, x)
    good "--mask m.npy --x x.npy --method words --polarity 0 --words w.npy --brief"
    local before = read_all(folder .. "/w.npy")
    good "--words w.npy --x x.npy --polarity 0 --method words --order packed --out y.npy"
    ok(load("y.npy"):bytes() == filled(x, "\x00\xfc", 2, 1))
    ok(read_all(folder .. "/w.npy") == before)
end)

case("every method by its name", function()
    save("x", "f16", {2, 2, 5, 70}, workload.bits(1400, 2))
    for _, name in ipairs {"bool", "bool-vector", "bits", "bits-vector", "words", "bool-heads", "words-heads",
        "bool-store", "bool-store-vector", "bool-store-vector-long", "bits-store", "bits-store-vector",
        "bits-store-vector-long", "words-store"} do
        local out = good(("--mask m.npy --x x.npy --method %s --brief"):format(name))
        ok(out:find("\n  " .. name .. " ", 1, true), name)
    end
    save("x", "f16", {2, 1, 5, 70}, workload.bits(700, 2))
    for _, name in ipairs {"words-flat", "words-flat --order packed", "words-flat --order interleaved",
        "words-store-flat"} do
        local out = good("--mask m.npy --x x.npy --method " .. name)
        ok(out:find("\n  " .. name:gsub(" .*", ""), 1, true), name)
    end
    save("x", "f16", {2, 2, 5, 70}, workload.bits(1400, 2))
    bad("--method words-flat: 2 images share a mask, and an image is not made of pairs of whole lines of 128 bytes",
        "--mask m.npy --x x.npy --method words-flat")
    save("lines", "u8", {2, 8, 32}, workload.kinds.random(2, 16))
    for _, name in ipairs {"words-flat", "words-heads-flat", "words-store-flat"} do
        ok(good(("--mask lines.npy --heads 3 --method %s"):format(name)):find("\n  " .. name, 1, true), name)
    end
    save("c", "bool", {24, 24}, workload.kinds.causal(1, 24))
    ok(good "--mask c.npy --method causal --heads 2 --dtype int8 --fill 7":find "\n  causal")
    save("s", "f32", {2, 1, 5, 70}, workload.scores(700))
    for _, name in ipairs {"softmax-bool", "softmax-bool-vector", "softmax-bits", "softmax-bits-vector",
        "softmax-bits-padded", "softmax-words"} do
        good(("--mask m.npy --x s.npy --method %s --out y.npy --json j.json"):format(name))
        local entry = name:gsub("-vector", ""):gsub("-", "_") -- 70 columns: rows begin anywhere
        ok(read_all(folder .. "/j.json"):find('"entry": "' .. entry .. '"', 1, true), name)
        local sum, y = 0, load "y.npy"
        for c = 1, 70 do
            sum = sum + y[c]
        end
        ok(math.abs(sum - 1) < 1e-5, name)
    end
end)

case("masks in the order of the rows, several elements at once", function()
    local bytes = workload.kinds.random(1, 24)
    save("whole", "u8", {2, 1, 3, 96}, bytes) -- rows of whole words, 288 elements an image
    local function check(name, entry)
        local out = good(("--mask whole.npy --x x.npy --method %s --json j.json"):format(name))
        ok(out:find("\n  " .. name .. " ", 1, true), name)
        local json = read_all(folder .. "/j.json")
        ok(json:find('"entry": "' .. entry .. '"', 1, true), entry)
        ok(not json:find('"verified": false', 1, true), entry)
    end
    for _, kind in ipairs {"i8", "i16", "i32", "i64"} do
        local bits = kind:sub(2)
        save("x", kind, {2, 3, 3, 96}, workload.bits(1728, math.tointeger(bits) // 8))
        check("bits-vector", "bits_vector_b" .. bits)
        check("bool-store-vector", "bool_store_vector_b" .. bits)
        check("bits-store-vector", "bits_store_vector_b" .. bits)
    end
    save("x", "f32", {2, 3, 3, 96}, workload.scores(1728))
    check("softmax-bool-vector", "softmax_bool_vector")
    check("softmax-bits-vector", "softmax_bits_vector")
end)

case("threads in place take more elements, on every board", function()
    save("wide", "bool", {64, 512}, workload.kinds.random(1, 182):sub(1, 32768))
    save("x", "f16", {64, 512}, workload.bits(32768, 2))
    for _, sms in ipairs {1, 1024} do
        for _, kind in ipairs {"bool", "bits"} do
            good(("--mask wide.npy --x x.npy --method %s-store-vector-long --json j.json --set sms=%d"):format(kind,
                sms))
            local json = read_all(folder .. "/j.json")
            ok(json:find(('"entry": "%s_store_vector_long_b16"'):format(kind), 1, true), kind)
            ok(not json:find('"verified": false', 1, true), kind)
        end
    end
end)

case("masks whose rows are not aligned have kernels of their own", function()
    save("odd", "u8", {3, 3, 7}, workload.kinds.random(1, 8):sub(1, 63))
    save("x", "f16", {3, 2, 3, 7}, workload.bits(126, 2))
    save("one", "f16", {3, 1, 3, 7}, workload.bits(63, 2))
    for name, entry in pairs {["bool-store-vector"] = "bool_store_b16", ["bits-store-vector"] = "bits_store_b16",
        ["bool-store-vector-long"] = "bool_store_b16", ["bits-store-vector-long"] = "bits_store_b16",
        ["bits-vector"] = "bits_b16", ["bool-vector"] = "bool_vector_b16"} do
        local out = good(("--mask odd.npy --x x.npy --method %s --json j.json"):format(name)):gsub("%s+", " ")
        ok(read_all(folder .. "/j.json"):find('"entry": "' .. entry .. '"', 1, true), name)
        local other = entry:gsub("_b16", ""):gsub("_", "-")
        local reported = out:find(("neighbours are not aligned: %s as %s."):format(name, other), 1, true)
        equal(reported ~= nil, name ~= other, out)
        good(("--mask odd.npy --x one.npy --method %s --json j.json"):format(name)) -- one run, which may end anywhere
        entry = name:gsub("-", "_") .. "_b16"
        ok(read_all(folder .. "/j.json"):find('"entry": "' .. entry .. '"', 1, true), name)
    end
end)

case("on all boards a method must run on one", function()
    save("s", "f32", {2, 1, 5, 70}, workload.scores(700))
    local out = good "--mask m.npy --x s.npy --method softmax-bits --board all --out y.npy":gsub("%s+", " ")
    ok(out:find("softmax-bits cannot run: kernel 'softmax_bits'", 1, true), out) -- on those with few registers
    ok(out:find("wrote y.npy: fp32[2,1,5,70]", 1, true), out)
    local y = load "y.npy":table(1, 70)
    local sum = 0
    for c = 1, 70 do
        sum = sum + y[c]
    end
    ok(math.abs(sum - 1) < 1e-5)
    bad("--method softmax-bits: it cannot run on any board: kernel 'softmax_bits'",
        "--mask m.npy --x s.npy --method softmax-bits --board all --set max_registers_per_thread=64")
end)

case("scores that are made, and those that are too large", function()
    for _, name in ipairs {"softmax-bool", "softmax-bits-vector"} do
        local out = good(("--mask m.npy --method %s --out y.npy"):format(name))
        ok(out:find("x: generated, fp32", 1, true), out)
        equal(load("y.npy").type, "f32")
    end
    local list = {("f"):pack(2.0 ^ 24 - 1), ("f"):pack(-2.0 ^ 23), ("f"):pack(2.0 ^ 30)} -- the last one is masked
    save("causal", "bool", {2, 2}, "\0\1\0\0")
    save("s", "f32", {2, 2}, list[2] .. list[3] .. list[1] .. list[2])
    good "--mask causal.npy --x s.npy --method softmax-words --out y.npy"
    equal(load("y.npy"):table(), {1.0, 0.0, 1.0, 0.0})
    bad("--method softmax-words: it takes scores whose size, times --scale, is below 16,777,216; here they reach " ..
        "3.36e+07", "--mask causal.npy --x s.npy --method softmax-words --scale 2")
    local softmax = "--mask causal.npy --method softmax-bool --scale "
    bad("--scale: -1 is -1.0 in fp32", softmax .. "-1")
    bad("--scale: 1e+60 is inf in fp32; a softmax takes finite numbers above 0", softmax .. "1e60")
    bad("--scale: 1e-60 is 0.0 in fp32", softmax .. "1e-60")
    bad("--fill: 5; a softmax fills with -inf", "--mask causal.npy --x s.npy --method softmax-words --fill 5")
    good "--mask causal.npy --x s.npy --method softmax-words --fill -Infinity"
end)

case("rows that are masked as a whole are NaN, or 0 as others have it", function()
    local causal = workload.kinds.causal(1, 6):reverse() -- the first row is masked but for its first element
    save("whole", "bool", {6, 6}, ("\1"):rep(6) .. causal:sub(7))
    save("w6", "f32", {2, 6, 6}, function(i) return i % 7 end)
    for _, name in ipairs {"bool", "bool-vector", "bits", "bits-vector", "bits-padded", "words"} do
        local out = good("--mask whole.npy --x w6.npy --method softmax-" .. name .. " --out y.npy"):gsub("%s+", " ")
        ok(out:find("1 of 6 rows of the mask is masked as a whole and gives NaN, as the formula says (0 by " ..
            "--masked-row zero).", 1, true), out)
        local y = load "y.npy":table()
        ok(y[1] ~= y[1] and y[7] == y[7] and y[37] ~= y[37], name)
        good("--mask whole.npy --x w6.npy --masked-row zero --out y.npy --method softmax-" .. name)
        local z = load "y.npy":table()
        for i = 1, 72 do
            ok(z[i] == ((i - 1) % 36 < 6 and 0 or y[i]), name)
        end
    end
    bad("--masked-row: it is for a softmax", "--mask whole.npy --x w6.npy --method words --masked-row zero")
end)

case("a mask of keys, [B,1,1,S], fills scores [B,H,L,S]", function()
    save("keys", "i64", {2, 1, 1, 64}, function(i) return (i - 1) % 64 >= (i > 64 and 5 or 10) and 1 or 0 end)
    save("add", "f32", {2, 1, 1, 64}, function(i) return (i - 1) % 64 >= (i > 64 and 5 or 10) and -1 / 0 or 0 end)
    save("scores", "f16", {2, 4, 4, 64}, function(i) return i - 1 end)
    for _, name in ipairs(methods.of {gives = "fill"}) do
        if methods.by[name].mask ~= "none" then
            for _, from in ipairs {"keys", "add"} do
                good(("--mask %s.npy --x scores.npy --method %s --out y.npy"):format(from, name))
                local y = load "y.npy"
                equal(y.shape, {2, 4, 4, 64})
                for i, v in ipairs(y:table()) do
                    ok(v == ((i - 1) % 64 >= (i > 1024 and 5 or 10) and -1 / 0 or i - 1), name)
                end
            end
        end
    end
    local out = good "--mask keys.npy --x scores.npy --method words --words words.npy":gsub("%s+", " ")
    ok(out:find("each row of which serves 4 rows of x and is stored 2 times", 1, true), out)
    equal(load "words.npy".shape, {2, 1, 32})
    good "--words words.npy --x scores.npy --method words --out again.npy"
    ok(read_all(folder .. "/again.npy") == read_all(folder .. "/y.npy"))
end)

case("a board with few registers has a softmax by bytes of its own", function()
    save("s", "f32", {2, 1, 5, 70}, workload.scores(700))
    for entry, registers in pairs {softmax_bool = 84, softmax_bool_small = 83} do
        good("--mask m.npy --x s.npy --method softmax-bool --json j.json --set max_registers_per_thread=" .. registers)
        ok(read_all(folder .. "/j.json"):find('"entry": "' .. entry .. '"', 1, true), entry)
        local out = good("--mask m.npy --x s.npy --method softmax-bool-vector --json j.json --set " .. -- 70 columns
            "max_registers_per_thread=" .. registers):gsub("%s+", " ")
        ok(out:find("not aligned: softmax-bool-vector as softmax-bool.", 1, true), out)
        ok(not out:find("softmax-bool as", 1, true), out)
        local json = read_all(folder .. "/j.json")
        ok(json:find('"entry": "' .. entry .. '"', 1, true) and json:find('"runs_as": "softmax-bool"', 1, true), entry)
    end
end)

case("sizes before and after, and the range where packing does not pay", function()
    local out = good "--mask m.npy --heads 1 --method words"
    ok(out:find("takes 700 bytes as bytes and 768 bytes packed: 1.097 per element", 1, true), out)
    ok(out:find("smaller up to W = 76.", 1, true), out) -- 3 rows of words for 5 rows
    save("one", "u8", {1, 100}, 1)
    out = good("--mask one.npy --method words"):gsub("%s+", " ")
    ok(out:find("With 1 row, packed words are not smaller up to W = 128", 1, true), out)
    for _, rows in ipairs {8, 16} do
        out = good("--mask one.npy --method words --json j.json --rows " .. rows):gsub("%s+", " ")
        ok(out:find("With 1 row, packed words are not smaller at any W.", 1, true), out)
        ok(read_all(folder .. "/j.json"):find('"not_smaller_up_to": null', 1, true), rows)
    end
end)

case("methods that do not fit are reported once, with the reason", function()
    save("s", "f32", {2, 1, 5, 70}, workload.scores(700))
    local out = good("--mask m.npy --x s.npy --result half --json j.json"):gsub("%s+", " ")
    local _, n = out:gsub("Skipped: ", "")
    equal(n, 1)
    for _, text in ipairs {"Skipped: bool-wide, bool-wide-skip (it is for elements of 1 and 2 bytes, and fp32 has " ..
        "4); words interleaved, words-flat interleaved (the interleaved order is for elements of 2 bytes, and fp32 " ..
        "has 4); bool-heads, words-heads, words-heads-flat (no two images of x share one of the mask; see " ..
        "--heads); causal, causal-skip (the mask is not that of causal attention", "Softmax methods run"} do
        ok(out:find(text, 1, true), out)
    end
    ok(not out:find("--scale", 1, true), "no softmax ran")
    ok(read_all(folder .. "/j.json"):find('"why": "the mask is not that of causal attention', 1, true))
    save("x", "f16", {2, 2, 5, 70}, workload.bits(1400, 2))
    out = good("--mask m.npy --x x.npy --result int64"):gsub("%s+", " ")
    ok(out:find("words-heads (it takes words of 32 bits; use --result int32 or float)", 1, true), out)
    out = good "--mask m.npy --x s.npy --method softmax-words --scale 0.125":gsub("%s+", " ")
    ok(out:find("The softmax takes the scores x times 0.125 (--scale).", 1, true), out)
    ok(not out:find("Skipped", 1, true) and not out:find("run only by name", 1, true), out)
end)

case("the break-even uses that are printed are in the JSON", function()
    save("x", "f16", {2, 1, 5, 70}, 0)
    local out = good("--mask m.npy --x x.npy --json j.json"):gsub("%s+", " ")
    local json = read_all(folder .. "/j.json")
    for _, order in ipairs {"linear", "packed", "interleaved"} do
        local cycles = out:match("words " .. order .. ": converting the mask pays.-byte loads after ([%d.]+) uses")
        local found = json:match('"order": "' .. order .. '".-"uses": {.-"cycles": ([%d.]+)')
        ok(cycles and found, order)
        equal(cycles, ("%.3f"):format(tonumber(found)), order)
    end
end)

-- ---- mistakes ----

case("mistakes end with status 2 and write nothing", function()
    save("x", "f16", {2, 1, 5, 70}, 0)
    save("i", "i8", {2, 1, 5, 70}, 0)
    save("short", "f16", {2, 1, 5, 69}, 0)
    save("many", "f16", {3, 1, 5, 70}, 0)
    save("c64", "c64", {2, 1, 5, 70}, 0)
    save("f", "f32", {5, 70}, 1)
    save("flat", "u8", 5, 0)
    save("empty", "u8", {0, 5})
    save("w16", "u16", {2, 3, 32}, 0)
    bad("short.npy: shape [2,1,5,69]; the mask m.npy is [2,1,5,70]: expected 5 rows and 70 columns",
        "--mask m.npy --x short.npy --words words.npy")
    bad("many.npy: shape [3,1,5,70]; the mask m.npy is [2,1,5,70]: expected", "--mask m.npy --x many.npy")
    bad("x.npy: shape [2,1,5,70]; the mask m.npy is [2,1,5,70]: expected 6 images, 3 for each",
        "--mask m.npy --x x.npy --heads 3")
    bad("f.npy: element 0 is 1; a mask of floats has 0", "--mask f.npy --x x.npy")
    bad("c64.npy: elements of type c64; expected one of int8,", "--mask m.npy --x c64.npy")
    bad("shape [2,1,5,70]; the mask flat.npy is [5]: expected 1 row and 5 columns", "--mask flat.npy --x x.npy")
    bad("empty.npy: shape [0,5] has no elements; expected at least one", "--mask empty.npy")
    bad("x.npy: elements of type fp16; --dtype says bf16, which is stored as uint16",
        "--mask m.npy --x x.npy --dtype bf16")
    bad("--fill: 300 is not representable in int8: it takes whole numbers from -128 to 127",
        "--mask m.npy --x i.npy --fill 300 --words words.npy")
    bad("--fill: 0.5 is not representable in int8", "--mask m.npy --x i.npy --fill 0.5")
    bad("--fill: 1e6 is not representable in fp16: it would become an infinity", "--mask m.npy --x x.npy --fill 1e6")
    bad("--fill: 'big' is neither a number", "--mask m.npy --x x.npy --fill big")
    bad("w16.npy: elements of type uint16; words of 32 bits are uint32", "--x x.npy --words w16.npy")
    bad("w16.npy: shape [2,3,32]; the words of 5 x 70 elements are 3 x 16", "--x x.npy --words w16.npy --result half")
    bad("/nowhere.npy", "--mask /nowhere.npy")
    bad("--x: it goes with --mask", "--x x.npy")
    bad("--out: it goes with --mask", "--length 64")
    bad("--words: standard output", "--mask m.npy --words -")
    bad("--method causal: the mask is not that of causal attention", "--mask m.npy --x x.npy --method causal")
    bad("--method words: the interleaved order is for elements of 2 bytes", "--mask m.npy --x i.npy --order " ..
        "interleaved")
    bad("--method words-heads: it takes words of 32 bits", "--mask m.npy --method words-heads --result half")
    bad("--method softmax-bool: it takes scores of fp32", "--mask m.npy --x x.npy --method softmax-bool")
    bad("did you mean 'bool-vector'", "--mask m.npy --method bool-vectr")
    bad("there is no board 'a10'", "--mask m.npy --board a10")
    bad("l2.byte", "--mask m.npy --set l2.byte=0")
    heddle.write(folder .. "/broken.npy", read_all(folder .. "/m.npy"):sub(1, -2))
    bad("broken.npy", "--mask broken.npy")
    local _, _, err = run "--mask m.npy --x x.npy --board teach8 --method bool --set max_registers_per_thread=16"
    bad("--method bits: it cannot run on this board: kernel 'bits_b16'",
        "--mask m.npy --x x.npy --board teach8 --method bits --set max_registers_per_thread=" ..
        err:match "kernel 'bool_b16': (%d+) registers")
    bad("--fill: 0xffff is not representable in int8: it takes whole numbers from -128 to 127; only of floats",
        "--mask m.npy --x i.npy --fill 0xffff")
    bad("--order: it is for --method words, words-flat or all; bool has no order",
        "--mask m.npy --method bool --order packed")
    bad("--fill: ' ' is not representable in int8", "--mask m.npy --x i.npy --fill ' '")
    for _, row in ipairs {{"--length", "64"}, {"--text", "made"}, {"--elements", "100"}} do
        bad(row[1] .. ": it is for generated masks; this one comes from a file", "--mask m.npy --x x.npy " .. row[1] ..
            " " .. row[2])
    end
    bad("--scale: it is for a softmax, and none runs; name one with --method", "--mask m.npy --scale 2")
    equal(run "--length 8 --scale 2 --brief", 2)
    equal(run "--length 8 --scale 2 --method words", 2)
    equal(run "--length 8 --heads 2 --brief", 2)
    equal(run "--length 0", 2)
    equal(run "--text /nowhere", 2)
    equal(run "--mask m.npy --out /nowhere/y.npy", 2)
end)

case("outputs are checked before any work: all are written, or none", function()
    save("x", "f16", {2, 1, 5, 70}, 0)
    local before = read_all(folder .. "/x.npy")
    for _, row in ipairs {
        {"--out: /nowhere/y.npy: ", "--words words.npy --json none.json --out /nowhere/y.npy"},
        {"--json: .: ", "--words words.npy --out none.npy --json ."},
        {"--out: ./x.npy is the input of --x", "--words words.npy --out ./x.npy"},
        {"--words and --out: both would be written to ./none.npy", "--words none.npy --out ./none.npy"},
        {"--out and --json: only one of them", "--out - --json -"},
    } do
        local status, out, err = run("--mask m.npy --x x.npy " .. row[2])
        equal({status, out}, {2, ""}, row[2])
        ok(err:find(row[1], 1, true), err)
        for _, name in ipairs {"none.npy", "words.npy", "none.json"} do
            ok(not read_all(folder .. "/" .. name), name)
        end
    end
    ok(read_all(folder .. "/x.npy") == before, "the input was changed")
end)

case("a mask through a pipe; a device without an end is refused", function()
    save("x", "f16", {2, 1, 5, 70}, 0)
    local out = good("--mask - --x x.npy --method words --brief", "cat m.npy |")
    ok(out:find("standard input: uint8[2,1,5,70]", 1, true), out)
    bad("--mask and --x: only one of them can come from standard input", "--mask - --x -", 2, "cat m.npy x.npy |")
    bad("/dev/zero: error: byte 0: not a .npy file", "--mask /dev/zero --x x.npy")
    bad("/dev/zero: error: byte 0: not a .npy file", "--mask m.npy --x /dev/zero")
    bad("standard input: it is no .npy file", "--mask - --x x.npy", 2, "yes |")
end)

case("a wrong kernel ends with status 1, says where, and nothing is written", function()
    local copy = folder .. "/home"
    assert(os.execute(("mkdir %s && cp -r kernels scripts configs %s"):format(copy, copy)))
    local path = copy .. "/kernels/mask/linear.hd"
    local text, n = read_all(path):gsub("xor%.b32", "or.b32")
    ok(n > 0, "nothing to change")
    heddle.write(path, text)
    save("x", "f16", {2, 1, 5, 70}, 0)
    bad("words linear: image 0, row", "--mask m.npy --x x.npy --polarity 0 --fill 1", 1, "HEDDLE_HOME=" .. copy)
end)

-- ---- what is made of a mask ----

case("masks without a true element, and with nothing else", function()
    local x = workload.bits(350, 2)
    save("x", "f16", {5, 70}, x)
    for value, want in pairs {[0] = x, [1] = ("\x00\xfc"):rep(350)} do
        save("same", "bool", {5, 70}, value == 1)
        for _, caches in ipairs {"cold", "warm"} do
            local out = good("--mask same.npy --x x.npy --out y.npy --caches " .. caches)
            ok(load("y.npy"):bytes() == want, value)
            ok(not out:find("nan", 1, true), out)
        end
    end
end)

case("with warm caches a launch finds what it left before", function()
    local x = workload.bits(1400, 2)
    save("x", "f16", {2, 2, 5, 70}, x)
    local function measured(options)
        local out = good("--mask m.npy --x x.npy --fill 7 --out y.npy --json j.json " .. options)
        ok(load("y.npy"):bytes() == filled(x, "\x00\x47", 2, 2), options)
        local list = {}
        for bytes, cycles in read_all(folder .. "/j.json"):gmatch '"board_bytes": ([%d.]+).-"cycles": (%d+)' do
            list[#list + 1] = {tonumber(bytes), tonumber(cycles)}
        end
        ok(#list > 10 and out:find(options:match "warm" and "warm caches" or "cold caches", 1, true), options)
        return list
    end
    local cold, warm = measured "", measured "--caches warm"
    for i, row in ipairs(warm) do -- all of it fits into L2
        ok(row[1] == 0 and row[2] < cold[i][2], i)
    end
    local none = "--set l1.unified_bytes=0 --set l2.bytes=0 "
    equal(measured(none .. "--caches warm"), measured(none)) -- nothing is kept
end)

case("pictures", function()
    save("x", "f16", {2, 1, 5, 70}, 0)
    good "--mask m.npy --x x.npy --plot p.html --html h.html --brief"
    local page, whole = read_all(folder .. "/p.html"), read_all(folder .. "/h.html")
    local data = page:match '<figure id="mask%-a100%-bytes">.-<script type="application/json">(.-)</script>'
    ok(whole:find(data, 1, true), "the same picture on the page of what is printed")
    local figure = heddle.parse(data, "the picture")
    equal({figure.roles["words linear"], figure.roles["bool-vector"], figure.roles.convert}, {"proposed", "rival"})
    for _, name in ipairs {"pictures", "p.svg", "p.png"} do
        bad(("--plot: %s: pictures are drawn on a page, FILE.html"):format(name),
            "--mask m.npy --x x.npy --plot " .. name)
    end
    bad("--html and --plot: both would be written to p.html", "--mask m.npy --x x.npy --plot p.html --html ./p.html")
end)

os.execute("rm -rf " .. folder)
test.finish()
