-- Does `heddle study spconv` convolve what it is given, write what it promises, and refuse what it cannot use? Runs the
-- command $HEDDLE; results are compared with plain loops over every output.
local heddle = require "heddle"
local convolution = require "tests.lib.convolution"
local pipeline = require "heddle.spconv.pipeline"
local random = require "heddle.kit.random"
local report = require "heddle.kit.report"
local test = require "tests.lib.test"
local cli = require "tests.lib.command"
local case, equal, ok = test.case, test.equal, test.ok
local grouped = report.count

local folder, read_all, save, says = cli.folder, cli.read, cli.save, cli.says
local run, good = cli.study "spconv"
local ctx = heddle.new()

-- Runs a study that must end with status `want`, print the sentence (no more, if it is status 2), and write nothing.
local function bad(sentence, arguments, want, environment)
    os.remove(folder .. "/none.npy")
    os.remove(folder .. "/none.json")
    local status, _, err = run(arguments .. " --out none.npy --json none.json", environment)
    if want then
        ok(err:find(sentence, 1, true), ("%s: expected %q in %q"):format(arguments, sentence, err))
    else
        equal(err:match "^([^\n]*)\n", "heddle study spconv: error: " .. sentence, arguments)
    end
    equal(status, want or 2, arguments)
    ok(not read_all(folder .. "/none.npy"), "an output was written")
    ok(want or not read_all(folder .. "/none.json"), "JSON was written")
end

-- ---- results ----

local function numbers(r, count, share)
    local list = {}
    for i = 1, count do
        list[i] = r:unit() < share and r:below(9) - 4 or 0
    end
    return list
end

-- Makes three entries; two dimensions leave out the first.
local function wide(list, fill)
    return #list == 2 and {fill, list[1], list[2]} or list
end

local function product(list)
    local n = 1
    for _, v in ipairs(list) do n = n * v end
    return n
end

-- Files of a problem and its result. `o`: n, cin, cout, size, kernel, stride, lo, hi, centres, bias, share.
local function problem(o, seed)
    local r = random.new(seed)
    local t = {n = o.n or 1, cin = o.cin, cout = o.cout, size = wide(o.size, 1), kernel = wide(o.kernel, 1), out = {}}
    local rank = #o.size
    t.stride = wide(o.stride or {1, 1, rank == 3 and 1 or nil}, 1)
    t.lo, t.hi = o.lo and wide(o.lo, 0) or {}, o.hi and wide(o.hi, 0) or {}
    for i = 1, 3 do
        t.lo[i] = t.lo[i] or t.kernel[i] // 2
        t.hi[i] = t.hi[i] or t.kernel[i] - 1 - t.lo[i]
        t.out[i] = (t.size[i] + t.lo[i] + t.hi[i] - t.kernel[i]) // t.stride[i] + 1
    end
    t.centres = {}
    for i, e in ipairs(o.centres or {{}}) do
        t.centres[i] = #e > 0 and wide(e, 0) or {t.kernel[1] // 2, t.kernel[2] // 2, t.kernel[3] // 2}
    end
    t.x = numbers(r, t.n * t.cin * product(t.size), o.share or 0.2)
    t.weights = numbers(r, t.cout * t.cin * product(t.kernel), 1)
    t.bias = o.bias and numbers(r, t.cout, 1)
    t.rank, t.y = rank, convolution.every_output({
        batch = t.n, channels = t.cin, filters = t.cout, size = t.size, kernel = t.kernel, stride = t.stride, lo = t.lo,
        out = t.out, outputs = t.n * product(t.out), predetermined = t.centres, layout = "nchw",
    }, convolution.floats(t.x), t.weights, t.bias)
    save("x", "f32", {t.n, t.cin, table.unpack(t.size, 4 - rank)}, t.x)
    save("w", "f32", {t.cout, t.cin, table.unpack(t.kernel, 4 - rank)}, t.weights)
    save("b", "f32", {t.cout}, t.bias or 0)
    return t
end

-- The study's result must be that of the loops, of all methods.
local function same(t, options)
    options = "--x x.npy --weight w.npy" .. (t.bias and " --bias b.npy " or " ") .. options
    good(options .. " --brief --out y.npy --json j.json")
    local got = ctx:npy("got", folder .. "/y.npy")
    equal(got.type, "f32")
    equal(got.shape, {t.n, t.cout, table.unpack(t.out, 4 - t.rank)}, options)
    equal(got:table(), t.y, options)
    local text = read_all(folder .. "/j.json")
    local _, count = text:gsub('"verified": true', "")
    equal(count, #pipeline.methods, options)
    ok(text:find('"exact": true', 1, true), options)
    return text
end

case("two dimensions: stride, padding, elements, bias, batch", function()
    same(problem({n = 2, cin = 3, cout = 5, size = {7, 9}, kernel = {3, 3}, bias = true}, 1), "")
    same(problem({cin = 1, cout = 1, size = {5, 5}, kernel = {3, 3}, lo = {0, 0}, hi = {0, 0}}, 2), "--pad valid")
    same(problem({cin = 2, cout = 3, size = {8, 11}, kernel = {3, 5}, stride = {2, 3}}, 3), "--stride 2,3")
    same(problem({cin = 2, cout = 3, size = {8, 11}, kernel = {4, 2}, lo = {3, 0}, hi = {1, 2}, bias = true}, 4),
        "--pad 3:1,0:2")
    same(problem({n = 3, cin = 2, cout = 4, size = {6, 6}, kernel = {3, 3}, lo = {2, 2}, hi = {2, 2},
        centres = {{0, 0}, {1, 1}, {2, 0}}, stride = {2, 2}}, 5), "--pad 2 --stride 2 --centre '0,0;1,1;2,0'")
end)

case("three dimensions", function()
    same(problem({cin = 2, cout = 4, size = {4, 5, 6}, kernel = {3, 3, 3}, share = 0.1, bias = true}, 6), "")
    same(problem({n = 2, cin = 1, cout = 2, size = {3, 5, 6}, kernel = {2, 3, 1}, stride = {1, 2, 3}, lo = {0, 1, 2},
        hi = {1, 0, 0}, centres = {{1, 2, 0}}}, 7), "--stride 1,2,3 --pad 0:1,1:0,2:0 --centre 1,2,0")
end)

case("every width of warps, fp16, one method, threads", function()
    local t = problem({n = 2, cin = 3, cout = 5, size = {7, 9}, kernel = {3, 3}, bias = true}, 8)
    for _, warp in ipairs {8, 16, 64} do
        same(t, "--warp " .. warp)
    end
    same(t, "--dtype fp16 --threads 2")
    for _, name in ipairs(pipeline.methods) do
        local out = good("--x x.npy --weight w.npy --bias b.npy --out y.npy --method " .. name)
        out = out:gsub("Where unfolding costs less.*", "") -- what is compared with predictions, of methods not run, too
        equal(ctx:npy("got", folder .. "/y.npy"):table(), t.y, name)
        ok(out:find("\n  " .. name:gsub("%-", "%%-")), out)
        for _, other in ipairs(pipeline.methods) do
            ok(other == name or not out:find("\n  " .. other:gsub("%-", "%%-") .. " "), other)
        end
    end
end)

-- A list [N][C][area] as [N][area][C].
local function channels_last(list, n, channels)
    local area, out = #list // n // channels, {}
    for i, v in ipairs(list) do
        local item, c, q = (i - 1) // (channels * area), (i - 1) // area % channels, (i - 1) % area
        out[(item * area + q) * channels + c + 1] = v
    end
    return out
end

case("channels last: files that have them so, and files that have not", function()
    local t = problem({n = 2, cin = 3, cout = 5, size = {7, 9}, kernel = {3, 3}, stride = {2, 1}, bias = true}, 9)
    same(t, "--layout nhwc --stride 2,1")
    save("last", "f32", {2, 7, 9, 3}, channels_last(t.x, 2, 3))
    good("--x last.npy --weight w.npy --bias b.npy --layout nhwc --stride 2,1 --out y.npy")
    local got = ctx:npy("got", folder .. "/y.npy")
    equal(got.shape, {2, 4, 9, 5})
    equal(got:table(), channels_last(t.y, 2, 5))
end)

case("real numbers are compared within their bound; other types are taken", function()
    local t = problem({cin = 2, cout = 3, size = {6, 7}, kernel = {3, 3}, bias = true}, 10)
    local halves = {}
    for i, v in ipairs(t.x) do halves[i] = v / 3 end
    save("x", "f32", {1, 2, 6, 7}, halves)
    local out = good "--x x.npy --weight w.npy --bias b.npy --brief --out y.npy"
    says(out, "within the first-order bound")
    for _, kind in ipairs {"f64", "f16", "i8", "i32"} do
        save("x", kind, {1, 2, 6, 7}, t.x)
        out = good "--x x.npy --weight w.npy --bias b.npy --brief --method unfold --out y.npy"
        says(out, "x.npy holds " .. kind)
        equal(ctx:npy("got", folder .. "/y.npy"):table(), t.y, kind)
    end
end)

case("nothing active: all zero, and said so", function()
    problem({cin = 2, cout = 3, size = {4, 5}, kernel = {3, 3}, bias = true, share = 0}, 11)
    local out = good "--x x.npy --weight w.npy --bias b.npy --out y.npy"
    says(out, "No position of x is active: the result is all zero.")
    equal(ctx:npy("got", folder .. "/y.npy"):bytes(), ("\0"):rep(4 * 60))
    save("x", "f32", {1, 2, 4, 5}, function(i) return i == 1 and 1 or -0.0 end)
    out = good "--x x.npy --weight w.npy --bias b.npy --pad valid --brief --out y.npy"
    says(out, "No window has an active position at the predetermined element")
    equal(ctx:npy("got", folder .. "/y.npy"):bytes(), ("\0"):rep(4 * 18))
end)

-- ---- messages ----

-- The value of a key of JSON in the part of a method.
local function of_method(text, method, key)
    local at = text:find('"method": "' .. method .. '"', 1, true)
    local before = text:sub(1, at)
    local value
    for v in before:gmatch('\n          "' .. key .. '": ([^,\n]+)') do value = v end
    return tonumber(value) or tonumber(text:match('\n          "' .. key .. '": ([^,\n]+)', at))
end

case("counts of a worked case", function()
    -- 5 x 5, one active position in the middle and one in a corner, kernel 3 x 3, padded: two windows, q = 2 / 18.
    save("x", "f32", {1, 1, 5, 5}, function(i) return (i == 13 or i == 1) and 1 or 0 end)
    save("w", "f32", {1, 1, 3, 3}, 1)
    good "--x x.npy --weight w.npy --json j.json"
    local text = read_all(folder .. "/j.json")
    local function top(key) return tonumber(text:match('\n  "' .. key .. '": ([^,\n]+)')) end
    equal({top "active", top "windows", top "pairs", top "outputs"}, {2, 2, 2, 25})
    equal(of_method(text, "unfold", "macs_useful"), 2)
    equal(of_method(text, "unfold", "macs_asked"), 18) -- 9 taps of 2 windows
    equal(of_method(text, "unfold", "matrix_bytes"), 72)
    equal(of_method(text, "unfold", "host_bytes"), 4) -- the length of the list
    equal(of_method(text, "direct-skip", "host_bytes"), 0)
end)

case("tables, JSON to standard output, Markdown", function()
    problem({cin = 2, cout = 3, size = {6, 7}, kernel = {3, 3}}, 12)
    local out = good "--x x.npy --weight w.npy"
    for _, word in ipairs {"1 grid of 6x7, 2 channels to 3 filters; kernel 3x3, stride 1x1, padding 1:1,1:1",
        "predetermined element (1,1)", "must have the reference's bits", "issued", "host bytes", "bound by",
        "identify"} do
        says(out, word)
    end
    out = good "--x x.npy --weight w.npy --markdown" -- where heads of columns are in one piece
    ok(out:find("| issued | zero work |", 1, true), out)
    out = good "--x x.npy --weight w.npy --json -"
    ok(out:find "^{\n" and out:find "}\n$")
    good "--x x.npy --weight w.npy --out y.npy"
    local want = read_all(folder .. "/y.npy")
    ok(good "--x x.npy --weight w.npy --out -" == want)
    ok(good "--x x.npy --weight w.npy --brief --markdown":find("| unfold |", 1, true))
    says(good "--help", "of a plane of random occupancy, 8192 to 16777216;")
    good "--x x.npy --weight w.npy --brief --plot p.html"
    ok(read_all(folder .. "/p.html"):find('<figure id="spconv%-a100%-bytes">.*"label": "unfold"'))
end)

-- ---- what cannot be used ----

case("errors are one sentence, and nothing is written", function()
    problem({cin = 2, cout = 3, size = {6, 7}, kernel = {3, 3}, bias = true}, 13)
    save("w3", "f32", {3, 2, 3, 3, 3}, 1)
    save("w4", "f32", {3, 4, 3, 3}, 1)
    save("b4", "f32", {4}, 1)
    save("hollow", "f32", {1, 2, 0, 7})
    save("c", "c64", {1, 2, 6, 7}, 0)
    save("nan", "f32", {3, 2, 3, 3}, function(i) return i == 5 and 0 / 0 or 1 end)
    save("big", "f32", {3, 2, 8, 3}, 1)
    save("last", "f32", {1, 6, 7, 2}, 1)
    local given = "--x x.npy --weight w.npy "
    for _, row in ipairs {
        {"x.npy: shape [1,2,6,7]; the weights w4.npy are [3,4,3,3], of 4 channels: expected [N,4,H,W]",
            "--x x.npy --weight w4.npy"},
        {"x.npy: shape [1,2,6,7]; the weights w3.npy are [3,2,3,3,3], of 2 channels: expected [N,2,D,H,W]",
            "--x x.npy --weight w3.npy"},
        {"last.npy: shape [1,6,7,2]; the weights w.npy are [3,2,3,3], of 2 channels: expected [N,2,H,W]; are the " ..
            "channels last? then give --layout nhwc", "--x last.npy --weight w.npy"},
        {"b4.npy: shape [4]; expected [3], a number for each filter of the weights", given .. "--bias b4.npy"},
        {"b.npy: shape [3]; expected [Cout,Cin,kh,kw] or [Cout,Cin,kd,kh,kw]", "--x x.npy --weight b.npy"},
        {"hollow.npy: shape [1,2,0,7] has no elements; expected at least one", "--x hollow.npy --weight w.npy"},
        {"c.npy: elements of type c64; real numbers are needed", "--x c.npy --weight w.npy"},
        {"nan.npy: element 4 is not a number; weights must be finite, so that zeros of x add nothing",
            "--x x.npy --weight nan.npy"},
        {"x.npy: the kernel 8x3 of big.npy is larger than the input 6x7 with its padding; there is no output",
            "--x x.npy --weight big.npy --pad valid"},
        {"--centre: 1,3 lies outside the kernel 3x3; its width goes from 0 to 2", given .. "--centre 1,3"},
        {"--centre: 3,0 lies outside the kernel 3x3; its height goes from 0 to 2", given .. "--centre '1,1;3,0'"},
        {"--centre: '1,1,1' has 3 entries; the kernel has 2 dimensions", given .. "--centre 1,1,1"},
        {"--centre: '-1,1' cannot be read; expected whole numbers from 0 on, as 1,1, with ';' between elements",
            given .. "--centre=-1,1"},
        {"--centre: '1,1;' cannot be read; expected whole numbers from 0 on, as 1,1, with ';' between elements",
            given .. "--centre '1,1;'"},
        {"--stride: '0' cannot be read; expected a whole number from 1 to 1,073,741,824", given .. "--stride 0"},
        {"--stride: '' of '2,' cannot be read; expected a whole number from 1 to 1,073,741,824",
         given .. "--stride 2,"},
        {"--stride: '1,1,1' has 3 entries; expected one, or one for each of 2 dimensions", given .. "--stride 1,1,1"},
        {"--pad: 'some' cannot be read; expected same, valid, a number, or " ..
         "lo:hi (whole numbers from 0 to 1,073,741,824)",
            given .. "--pad some"},
        {"--pad: '1:-1' cannot be read; expected same, valid, a number, or " ..
         "lo:hi (whole numbers from 0 to 1,073,741,824)",
            given .. "--pad 1:-1"},
        {"--x: it goes with --weight, which is not given", "--x x.npy"},
        {"--weight: it goes with --x, which is not given", "--weight w.npy"},
        {"--positions: it is for generated inputs; this one comes from a file", given .. "--positions 8192"},
        {"--x and --weight: only one of them can come from standard input", "--x - --weight -"},
        {"--x and --bias: only one of them can come from standard input", "--x - --weight w.npy --bias -"},
        {"there is no board 'teach9'; 'heddle board' lists them", given .. "--board teach9"},
    } do
        bad(row[1], row[2])
    end
    os.remove(folder .. "/nowhere.npy")
    bad("nowhere.npy", "--x nowhere.npy --weight w.npy", 2)
    heddle.write(folder .. "/broken.npy", "\x93NUMPY")
    bad("broken.npy", "--x broken.npy --weight w.npy", 2)
    bad("did you mean 'unfold-all'", given .. "--method unfold-al", 2)
    bad("/dev/zero: error: byte 0: not a .npy file", "--x /dev/zero --weight w.npy", 2)
    for _, row in ipairs {{"--json: /nowhere/j: ", "--out none.npy --json /nowhere/j"},
        {"--out: w.npy is the input of --weight", "--out w.npy"}} do
        local status, out, err = run(given .. row[2])
        equal({status, out}, {2, ""}, row[2])
        ok(err:find(row[1], 1, true), err)
    end
    equal(io.open(folder .. "/none.npy"), nil)
    local status, _, err = run(given .. "--json - --out -")
    equal(status, 2)
    ok(err:find("only one of them can go to standard output", 1, true), err)
end)

case("a method that a board cannot run is skipped, with the reason", function()
    problem({cin = 2, cout = 3, size = {6, 7}, kernel = {3, 3}}, 16)
    local small = "--x x.npy --weight w.npy --set max_shared_per_block=1024 "
    local why = "kernel 'gemm_f32_%w+': [%d,]+ bytes of shared memory; board 'a100' gives a block at most 1,024"
    local out = good(small .. "--brief")
    ok(out:gsub("%s+", " "):find("unfold cannot run: " .. why), out)
    local status, text, err = run(small .. "--method unfold --out none.npy --plot none.html")
    equal({status, text, read_all(folder .. "/none.npy"), (io.open(folder .. "/none.html"))}, {2, ""})
    ok(err:find("^heddle study spconv: error: unfold: " .. why .. "\n$"), err)
    bad("unfold: kernel 'identify_count_b32_64': a block of 64 threads; board 'a100' takes at most 32",
        "--x x.npy --weight w.npy --set max_threads_per_block=32")
    status, text, err = run "--method dense-direct --set max_shared_per_block=1024" -- what it is compared with
    equal({status, text}, {2, ""})
    ok(err:find("^heddle study spconv: error: unfold: " .. why .. "\n$"), err)
    status, text, err = run(small .. "--method dense-direct --crossover")
    equal({status, text}, {2, ""})
    ok(err:find("^heddle study spconv: error: unfold: " .. why .. "\n$"), err)
    bad("needs matrix units; board 'a100' has none", "--x x.npy --weight w.npy --set lanes.mma=0 --method unfold-mma",
        2)
end)

case("what does not fit is refused before anything is allocated, with its bytes", function()
    problem({cin = 2, cout = 3, size = {6, 7}, kernel = {3, 3}}, 14)
    save("x", "f32", {1, 2, 6, 7}, 1)
    -- outputs (6 + 200000 - 2) x (7 + 200000 - 2): 3 filters of 4 bytes
    bad(("x.npy: unfold: x takes 336 bytes, the weights 216 and the result %s; at most 4,294,967,296 fit"):format(
        grouped(12 * 200004 * 200005)), "--x x.npy --weight w.npy --pad 100000")
    bad(("x.npy: im2col: its matrix [18,%d] would take %s bytes, x takes 336 bytes, the weights 216 and the result " ..
        "%s; at most 4,294,967,296 fit"):format(8004 * 8005, grouped(72 * 8004 * 8005), grouped(12 * 8004 * 8005)),
        "--x x.npy --weight w.npy --pad 4000 --method im2col")
end)

case("what does not fit by the head of a file is refused before its body is read", function()
    save("w", "f32", {8, 64, 3, 3, 3}, 1)
    save("w2", "f32", {3, 2, 3, 3}, 1)
    -- Makes a head without the announced data: a reader then finds the file cut short.
    local function head(shape)
        local text = ("{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }"):format(shape)
        text = text .. (" "):rep(117 - #text) .. "\n"
        heddle.write(folder .. "/head.npy", "\x93NUMPY\1\0" .. ("<I2"):pack(#text) .. text)
    end
    head "1, 64, 512, 512, 64"
    bad(("head.npy: unfold: x takes %s bytes, the weights 55,296 and the result %s; at most 4,294,967,296 fit"):format(
        grouped(1 << 32), grouped(1 << 29)), "--x head.npy --weight w.npy")
    bad(("head.npy: unfold-mma: x takes %s bytes, the weights 55,296 and the result %s; at most 4,294,967,296 " ..
        "fit"):format(grouped(1 << 32), grouped(1 << 29)),
        "--x head.npy --weight w.npy --method unfold-mma --dtype fp16")
    head "1, 64, 512, 512, 32"
    bad(("head.npy: im2col: its matrix [1728,%d] would take %s bytes, x takes %s bytes, the weights 55,296 and the " ..
        "result %s; at most 4,294,967,296 fit"):format(1 << 23, grouped(4 * 1728 << 23), grouped(1 << 31),
        grouped(1 << 28)),
        "--x head.npy --weight w.npy --method im2col")
    bad("head.npy: error: byte 128: the file is cut short", "--x head.npy --weight w.npy", 2) -- with few active it fits
    head "4294967296, 2, 4294967296, 4294967296"
    bad("head.npy: shape [4294967296,2,4294967296,4294967296] takes 633,825,300,114,114,700,748,351,602,688 " ..
        "bytes; at most 4,294,967,296 fit", "--x head.npy --weight w2.npy")
    head "16384, 2, 256, 256"
    bad("head.npy: shape [16384,2,256,256] takes 8,589,934,592 bytes; at most 4,294,967,296 fit",
        "--x x.npy --weight head.npy")
    -- An input that can be read, with too many active windows: 120 x 120 numbers for each.
    save("x", "f32", {1, 1, 300, 300}, 1)
    save("wide", "f32", {1, 1, 120, 120}, 1)
    bad("x.npy: unfold: its matrix [14400,90000] would take 5,184,000,000 bytes, x takes 360,000 bytes, the weights " ..
        "57,600 and the result 360,000; at most 4,294,967,296 fit", "--x x.npy --weight wide.npy")
    save("wide", "f32", {1, 1, 180, 180}, 1) -- for unfold-mma two bytes each, for any --dtype
    bad("x.npy: unfold-mma: its matrix [32400,90000] would take 5,832,000,000 bytes, x takes 360,000 bytes, the " ..
        "weights 129,600 and the result 360,000; at most 4,294,967,296 fit",
        "--x x.npy --weight wide.npy --method unfold-mma")
end)

-- ---- a kernel that is wrong ----

case("a wrong result ends with status 1 and says where", function()
    local home = cli.sabotage("kernels/spconv/fold.hd", "(st%.global%.b32%s+%[[^%]]+%], )v(%s)", "%1rz%2")
    problem({cin = 2, cout = 3, size = {6, 7}, kernel = {3, 3}, bias = true, share = 0.5}, 15)
    bad("heddle study spconv: a100, unfold: element ", "--x x.npy --weight w.npy --method unfold", 1, home)
end)

test.finish()
