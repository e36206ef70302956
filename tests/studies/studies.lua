-- Do the studies report correct results, notice wrong ones, and end with the right status? Runs the command $HEDDLE.
local heddle = require "heddle"
local test = require "tests.lib.test"
local cli = require "tests.lib.command"
local fft = require "heddle.signal.fft"
local random = require "heddle.kit.random"
local report = require "heddle.kit.report"
local case, equal, ok = test.case, test.equal, test.ok

local command, run, good, folder, read_all = cli.path, cli.heddle, cli.good, cli.folder, cli.read
local ctx = heddle.new()

-- Runs a study that must end with status `want` and print `text`, and write no output.
local function bad(want, text, arguments, environment)
    local out = folder .. "/none.npy"
    local status, _, err = run(arguments .. " --out " .. out, environment)
    ok(err:find(text, 1, true), ("%s: expected %q in %q"):format(arguments, text, err))
    equal(status, want, arguments)
    ok(not read_all(out), "an output was written")
end

local function save(name, kind, shape, init)
    local path = folder .. "/" .. name .. ".npy"
    ctx:buffer("b", kind, shape, init):save(path)
    return path
end

-- ---- what all studies print ----

case("a limiter in a few words", function()
    for sentence, words in pairs {
        ["Mostly bound by DRAM: 1,234 of 1,555 GB/s, 79 % of its peak; 40 % of its bytes are useful."] = "DRAM 79 %",
        ["Bound by latency: warps wait 87 % of their time for results; no resource exceeds 12 % of its peak (L1)."] =
            "latency (L1 12 %)",
        ["Too little work: the grid fills 2 of 8 SMs; there, warps wait; no resource exceeds 3 % of its peak (DRAM)."] =
            "too little work (DRAM 3 %)",
        ["Bound by latency: warps wait 99 % of their time; no resource reaches 1 % of its peak."] = "latency",
        ["Nothing was issued."] = "nothing was issued",
    } do
        equal(report.bound(sentence), words, sentence)
    end
end)

case("CSV is the tables, with the numbers that JSON has, and nothing else", function()
    local gemm = "study gemm --size 64,64,64 --board teach32 --csv"
    local out = good(("%s --json %s/g.json"):format(gemm, folder))
    local found = heddle.parse(read_all(folder .. "/g.json"))
    ok(out:find(("^quantity,result\ncycles,%d\nthroughput of the product,%.12g\n"):format(found.cycles, found.gflops)),
        out)
    ok(out:find "\n\nreason,share,meaning\n[%w_]+,0%.%d+,", out)
    for _, row in ipairs {{"--markdown", "--csv and --markdown: choose one"}, {"--json -", "only one of them"}} do
        local status, printed, err = run(gemm .. " " .. row[1])
        ok(status == 2 and printed == "" and err:find(row[2], 1, true), err)
    end
end)

case("on a narrow terminal tables, paragraphs and options are no wider", function()
    local columns = "script -qec 'stty cols 66; %s study gemm %s' /dev/null </dev/null"
    for _, arguments in ipairs {"--size 64,64,64 --board teach32", "--help"} do
        local _, out = cli.run(columns:format(command, arguments))
        ok(#out > 500, out)
        for line in out:gsub("[^\n]*\27%[K", ""):gmatch "[^\r\n]+" do
            ok(utf8.len(line) <= 66 or line:find "^Types: ", line)
        end
    end
end)

-- ---- reorder ----

-- The definition, in other words than the study's: element i of a run is element 2i of the input, in its second half 2i
-- - 2W + 1.
local function reordered(list, width)
    local out, runs = {}, #list // (2 * width)
    for i = 0, #list - 1 do
        local place = i % (2 * width)
        local from = i
        if i < runs * 2 * width then
            from = i - place + (place < width and 2 * place or 2 * place - 2 * width + 1)
        end
        out[i + 1] = list[from + 1]
    end
    return out
end

local function words(n)
    local list = {}
    for i = 1, n do list[i] = i * 2654435761 & 0xffffffff end
    return list
end

case("reorder: every length, all methods", function()
    for _, n in ipairs {1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 1000, 64 * 13} do
        local path, list = save("in", "u32", n, words(n)), words(n)
        for _, width in ipairs {8, 32, 64} do
            local out = good(("study reorder --in %s --warp %d --out %s/out.npy"):format(path, width, folder))
            ok(not out:find("NO", 1, true))
            equal(ctx:npy("out", folder .. "/out.npy"):table(), reordered(list, width), n)
            equal(out:find("shared-scatter-block  yes", 1, true) ~= nil, n >= 2 * width, n)
        end
    end
end)

case("reorder: shape, type and bits stay", function()
    local nan = ("<I4I4I4I4"):pack(0x7f800001, 0xffc12345, 0x80000000, 1) -- signalling, payload, -0.0, denormal
    for _, kind in ipairs {"f32", "i32", "u32"} do
        local path = save("in", kind, {3, 4, 24}, nan:rep(72))
        good(("study reorder --in %s --warp 16 --out %s/out.npy"):format(path, folder))
        local out = ctx:npy("out", folder .. "/out.npy")
        equal(out.type, kind)
        equal(out.shape, {3, 4, 24})
        local list = {}
        for i = 1, 288 do list[i] = nan:sub((i - 1) % 4 * 4 + 1, (i - 1) % 4 * 4 + 4) end
        ok(out:bytes() == table.concat(reordered(list, 16)))
    end
    good(("study reorder --in %s --out %s/out.npy"):format(save("in", "i32", {}, -5), folder))
    equal(ctx:npy("out", folder .. "/out.npy").shape, {})
end)

case("reorder: one method, all widths, JSON", function()
    local path = save("in", "u32", 512, words(512))
    for _, method in ipairs {"transit1", "transit2", "shuffle2", "shuffle4", "butterfly", "shared-linear",
        "shared-vector", "shared-scatter", "shared-four", "shared-linear-block", "shared-vector-block",
        "shared-scatter-block"} do
        local out = good(("study reorder --in %s --warp all --method %s --json %s/j"):format(path, method, folder))
        local _, n = out:gsub("\n  " .. method:gsub("%-", "%%-") .. " +yes", "")
        equal(n, 4, method)
        local text = read_all(folder .. "/j")
        ok(text:find('"verified": true', 1, true) and not text:find('"verified": false', 1, true))
        _, n = text:gsub('"as_predicted": true', "")
        equal(n, 4, method)
    end
end)

case("reorder: no input", function()
    ok(good "study reorder --method shuffle2":find "shuffle2 +yes")
end)

case("reorder: a tail is mentioned", function()
    local one = good("study reorder --in " .. save("in", "u32", 65, 0))
    ok(one:find("the last 1 value, less than a run, is unchanged", 1, true))
    local out = good("study reorder --in " .. save("in", "u32", 63, 0))
    ok(out:find("0 runs of 64 values; the last 63 values", 1, true))
end)

case("reorder: other sizes of elements on request", function()
    local path = save("in", "f64", 64, function(i) return i end)
    good(("study reorder --in %s --to-f32 --out %s/out.npy"):format(path, folder))
    equal(ctx:npy("out", folder .. "/out.npy")[2], 3.0)
    bad(2, "elements of type f64", "study reorder --in " .. path)
    bad(2, "complex", "study reorder --to-f32 --in " .. save("in", "c64", 4, 0))
end)

case("reorder: mistakes end with status 2", function()
    local path = save("in", "u32", 64, 0)
    bad(2, "--in is given twice", ("study reorder --in %s --in %s"):format(path, path))
    bad(2, "did you mean 'shuffle2'", "study reorder --method shufle2 --in " .. path)
    bad(2, "did you mean '--method'", "study reorder --metod all --in " .. path)
    bad(2, "8, 16, 32, 64, all", "study reorder --warp 12 --in " .. path)
    bad(2, "give one with --warp", "study reorder --warp all --in " .. path)
    bad(2, "/nowhere.npy", "study reorder --in /nowhere.npy")
    bad(2, folder, "study reorder --in " .. folder)
    bad(2, "neither a number", "study reorder --channel left --in " .. path)
    heddle.write(folder .. "/broken.npy", read_all(path):sub(1, -2))
    bad(2, "broken.npy", "study reorder --in " .. folder .. "/broken.npy")
    heddle.write(folder .. "/broken.wav", "RIFF\4\0\0\0WAVE")
    bad(2, "no 'fmt '", "study reorder --in " .. folder .. "/broken.wav")
    heddle.write(folder .. "/empty.npy", "")
    bad(2, "empty.npy: it is neither", "study reorder --in " .. folder .. "/empty.npy")
    bad(2, "mean 'reorder'", "study reoder")
    local status = run(("study reorder --in %s --out /nowhere/x.npy"):format(path))
    equal(status, 2)
end)

case("reorder: help names every warp width", function()
    ok(good "study reorder --help":find("8, 16, 32, 64, or all (32, or the board's)", 1, true))
end)

-- ---- a kernel that is wrong ----

case("wrong results end with status 1 and say where", function()
    local path = save("in", "u32", 640, words(640))
    local sabotage = cli.sabotage
    local env = sabotage("kernels/lib/reorders.hd", "(xext +r5, x0, )1", "%10")
    bad(1, "transit1: element 32 (run 0, place 32) is", "study reorder --in " .. path, env)
    env = sabotage("kernels/reorder/shuffle2.hd", "( +shuffle2_body\n)", "%1 sel.b32 r4, r4, r4, odd\n")
    bad(1, "shuffle2: not the predicted instructions", "study reorder --in " .. path, env)
    local samples = save("in", "f32", 640, function(i) return math.sin(i) end)
    env = sabotage("kernels/fft/lib/warp.hd", "mul%.f32( +out, xre, )0%.5", "mul.f32%10.50001")
    bad(1, "exceeds its bound", "study rfft --in " .. samples, env)
    env = sabotage("kernels/fft/lib/warp.hd", "mul%.f32( +out, xre, )0%.5", "mul.f32%1nan")
    bad(1, "exceeds its bound", "study rfft --in " .. samples, env)
    env = sabotage("kernels/fft/lib/warp.hd", "%[to%], out", "[to+0x7ffffff8], out")
    bad(1, "st.global.b64", "study rfft --in " .. samples, env)
end)

-- ---- rfft ----

-- The largest difference between an output of the study and a reference, beside the largest value.
local function off_from_reference(path, samples, n)
    local out = ctx:npy("out", path)
    local frames = #samples // n
    equal(out.type, "c64")
    equal(out.shape, {frames, n // 2 + 1})
    local worst, largest = 0, 0
    for frame = 0, frames - 1 do
        local re, im = fft.real(table.move(samples, frame * n + 1, frame * n + n, 1, {}))
        for k = 0, n // 2 do
            local v = out[frame * (n // 2 + 1) + k + 1]
            worst = math.max(worst, math.abs(v[1] - re[k + 1]), math.abs(v[2] - im[k + 1]))
            largest = math.max(largest, math.abs(re[k + 1]), math.abs(im[k + 1]))
        end
    end
    return worst / largest
end

local function noise(n)
    return random.numbers(n, {seed = 7, kind = "real"})
end

case("rfft: all widths and lengths of frames", function()
    local samples = noise(9000)
    local path = save("in", "f32", #samples, samples)
    for _, pair in ipairs {{8}, {16}, {32}, {64}, {8, 32}, {8, 4096}, {16, 64}, {32, 256}, {64, 256}, {64, 2048}} do
        local width, n = pair[1], pair[2] or 2 * pair[1]
        local out = good(("study rfft --in %s --warp %d --frame %d --out %s/out.npy"):format(path, width, n, folder))
        ok(out:find("holds", 1, true))
        ok(off_from_reference(folder .. "/out.npy", samples, n) < 1e-6, n)
    end
end)

case("rfft: a changed board is named", function()
    local path = save("in", "f32", 640, function(i) return i % 7 end)
    local out = good(("study rfft --in %s --board v100 --set sms=4 --set l1.latency=40"):format(path))
    ok(out:find("\n  board v100; changed: l1.latency=40, sms=4: cycles of a launch", 1, true), out)
    local result = heddle.parse(good(("study rfft --in %s --board v100 --set sms=4 --json -"):format(path)))
    equal(result.board, "v100")
    equal(result.settings.sms, 4)
    ok(heddle.parse(good(("study rfft --in %s --json -"):format(path))).board == nil)
end)

case("rfft: finds a tone", function()
    local path = save("in", "f32", 4096 * 3, function(i) return 0.5 * math.sin(2 * math.pi * 100 * i / 4096) end)
    local out = good("study rfft --frame 4096 --rate 40960 --in " .. path)
    ok(out:find("the strongest on average is at 1000 Hz (-6.0 dB", 1, true), out)
    ok(good("study rfft --frame 4096 --in " .. path):find("0.02441 cycles per sample", 1, true))
end)

case("rfft: lengths at the edges", function()
    for n, frames in pairs {[1] = 0, [63] = 0, [64] = 1, [65] = 1, [127] = 1, [128] = 2} do
        local samples = noise(n)
        local out = good(("study rfft --in %s --out %s/out.npy"):format(save("in", "f32", n, samples), folder))
        equal(ctx:npy("out", folder .. "/out.npy").shape, {frames, 33})
        ok(out:find(("%d frames? of 64 samples, %d samples? dropped"):format(frames, n % 64)), out)
    end
end)

case("a recording without samples is refused", function()
    local path = save("in", "f32", 0, {})
    bad(2, "there is no sample in it: f32[0]", "study rfft --in " .. path)
    bad(2, "there is no sample in it: f32[0]", "study reorder --in " .. path)
end)

case("rfft: silence, tiny, huge and broken samples", function()
    ok(good("study rfft --in " .. save("in", "f32", 640, 0)):find("found: silence\n", 1, true))
    good("study rfft --in " .. save("in", "f32", 640, function(i) return i % 7 * 2.0 ^ -148 end))
    good("study rfft --in " .. save("in", "f32", 640, function(i) return i % 7 * 1e36 end))
    local out = good("study rfft --in " .. save("in", "f32", 640, function(i) return i == 100 and 0 / 0 or i % 5 end))
    ok(out:find("9 frames compared, 1 not: the samples of 1 frame are not finite", 1, true), out)
    ok(out:find("holds\n", 1, true) and out:find("the strongest on average in 9 of 10 frames", 1, true), out)
    for _, broken in ipairs {0 / 0, 1 / 0, -1 / 0} do
        out = good("study rfft --in " .. save("in", "f32", 640, function(i) return i == 100 and broken or 0 end))
        ok(out:find("the spectrum of 1 frame, excluded below, holds infinities or NaN", 1, true), out)
        ok(out:find("found: silence in 9 of 10 frames\n", 1, true), out)
    end
end)

case("rfft: a constant is no silence", function()
    local out = good("study rfft --in " .. save("in", "f32", 640, 1))
    ok(out:find("found: only a constant part at 0 Hz of 1 (0.0 dB of full scale)\n", 1, true), out)
    out = good("study rfft --in " .. save("in", "f32", 640, -0.1))
    ok(out:find("found: only a constant part at 0 Hz of 0.1 (-20.0 dB of full scale)\n", 1, true), out)
    out = good("study rfft --in " .. save("in", "f32", 640, function(i) return i % 2 + 3 end))
    ok(out:find("is at 0.5 cycles per sample (-6.0 dB of full scale)", 1, true), out)
    ok(out:find("stronger still is a constant part at 0 Hz of 3.5 (10.9 dB of full scale)", 1, true), out)
end)

-- Makes the arguments for a demo of a file; the studies that do not read it, nine tenths of the time, return at once.
local function demo(path)
    heddle.write(folder .. "/demo.lua", [[
        local study = require "heddle.kit.study"
        local run = study.run
        local function methods(...)
            local rows = {}
            for i, name in ipairs {...} do
                rows[i] = {method = name, latency = 1, bytes_per_element = 1, drained = 1, board_bytes = 1}
            end
            return rows
        end
        local others = {
            mask = {{lengths = {{methods = methods("words", "bool", "bits")}}}},
            spconv = {{scans = {{windows = 1, outputs = 1, methods = methods("unfold", "im2col")}}}},
        }
        function study.run(name, ...)
            local given = table.concat({...}, " ")
            if given:find("--in ", 1, true) then
                return run(name, ...)
            end
            return {boards = others[name] or {{warps = {{methods = methods(given:match "%-%-method (%S+)")}}}}}
        end
        assert(loadfile "scripts/demo.lua")(...)]])
    return ("lua %s/demo.lua %s"):format(folder, path)
end

case("rfft: what was not compared does not hold", function()
    local json = folder .. "/j"
    for text, value in pairs {["overflow: infinities"] = 3e38, ["samples are not finite\n"] = 0 / 0} do
        local path = save("in", "f32", 640, value)
        for _, frame in ipairs {64, 512} do
            local out = good(("study rfft --in %s --frame %d --json %s"):format(path, frame, json))
            ok(out:find("nothing to compare: the samples of ", 1, true) and out:find(text, 1, true), out)
            ok(not out:find("holds\n", 1, true) and not out:find("silence", 1, true), out)
            local facts = read_all(json)
            ok(facts:find('"frames_compared": 0', 1, true) and not facts:find('"holds"', 1, true), facts)
        end
        ok(good(demo(path)):gsub("%s+", " "):find("64 samples: nothing could be compared", 1, true))
    end
    local out = good("study rfft --in " .. save("in", "f32", 10, 1))
    ok(out:find("nothing to compare: there is no whole frame", 1, true), out)
    ok(not out:find("holds", 1, true) and not out:find("bit for bit", 1, true), out)
end)

case("rfft: several dimensions are one signal", function()
    local note = "note: the input, of shape [3,100], is taken as one signal of 300 values in C order"
    local path = save("in", "f32", {3, 100}, noise(300))
    ok(good("study rfft --in " .. path):find(note, 1, true))
    ok(good("study reorder --in " .. path):find(note, 1, true))
    ok(not good("study rfft --in " .. save("in", "f32", {1, 300}, noise(300))):find("note:", 1, true))
end)

case("rfft: other types of samples", function()
    local samples = noise(256)
    for _, kind in ipairs {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f64", "bool"} do
        local list = {}
        for i, v in ipairs(samples) do
            list[i] = kind:find "^u" and math.floor(50 * v + 50) or kind:find "^i" and math.floor(100 * v)
                or kind == "bool" and (v > 0 and 1 or 0) or v
        end
        local b = ctx:buffer("b", kind, {4, 64}, list)
        local as_read = b:table()
        for i, v in ipairs(as_read) do
            as_read[i] = v == true and 1.0 or v == false and 0.0 or v
        end
        b:save(folder .. "/in.npy")
        good(("study rfft --in %s/in.npy --out %s/out.npy"):format(folder, folder))
        ok(off_from_reference(folder .. "/out.npy", as_read, 64) < 1e-6, kind)
    end
    bad(2, "complex", "study rfft --in " .. save("in", "c64", 64, 0))
end)

-- ---- standard input and output ----

-- Runs a whole line of the shell in the folder of the tests, with the command as $H.
local function shell(line)
    return cli.run(("H=%s; cd %s; (%s)"):format(cli.absolute(), folder, line))
end

case("- is standard input and output", function()
    local samples = noise(640)
    save("in", "f32", {10, 64}, samples)
    for _, name in ipairs {"reorder", "rfft"} do
        good(("study %s --in %s/in.npy --out %s/want.npy"):format(name, folder, folder))
        local want = read_all(folder .. "/want.npy")
        equal({shell("cat in.npy | $H study " .. name .. " --in - --out -")}, {0, want, ""}, name)
        local status, out, err = shell("$H study " .. name .. " --in=- --json - --out x.npy <in.npy")
        equal({status, err}, {0, ""})
        ok(out:find("^{\n") and out:find('"input": "standard input: f32[10,64]"', 1, true) and out:find("}\n$"), out)
        ok(read_all(folder .. "/x.npy") == want)
    end
    ok(not read_all(folder .. "/-"), "a file named - was made")
    local status, out = shell "$H study reorder --method shuffle2 --in - <in.npy"
    equal(status, 0)
    ok(out:find("input: standard input: f32[10,64]", 1, true), out)
    local data = ("<i2"):pack(1000):rep(64)
    heddle.write(folder .. "/in.wav", "RIFF" .. ("<I4"):pack(36 + #data) .. "WAVEfmt " ..
        ("<I4I2I2I4I4I2I2"):pack(16, 1, 1, 8000, 16000, 2, 16) .. "data" .. ("<I4"):pack(#data) .. data)
    status, out = shell "cat in.wav | $H study rfft --in -"
    equal(status, 0)
    ok(out:find("standard input: 64 samples, 0.008 s at 8,000 Hz", 1, true), out)
    for _, from in ipairs {"table.csv", "- <table.csv"} do
        status, out = shell("seq 300 >table.csv; $H study rfft --board a100 --in " .. from)
        equal(status, 0)
        ok(out:find(": f32[300]", 1, true) and out:find("cycles do not depend on the data", 1, true) and
            out:find("without its overhead of 3,030", 1, true), out)
    end
    status, out = shell "mkfifo pipe; cat in.npy >pipe & $H study rfft --in pipe"
    equal(status, 0)
    ok(out:find("pipe: f32[10,64]", 1, true), out)
end)

case("- that cannot be used ends with status 2", function()
    for _, pair in ipairs {
        {"standard input: error: there are names, and no number", "echo words | $H study reorder --in -"},
        {"standard input:2:1: error: f32 takes a number", "printf '1\\n2x\\n' | $H study reorder --in -"},
        {"in.txt:2:1: error: f32 takes a number", "printf '1\\n2x\\n' >in.txt; $H study rfft --in in.txt"},
        {"nor named as a table is", "printf '1\\n2\\n' >in.log; $H study rfft --in in.log"},
        {"standard input: it is neither a .npy file nor", "$H study rfft --in - </dev/null"},
        {"standard input: error: ", "head -c 200 in.npy | $H study rfft --in -"},
        {"standard input: cannot be read: ", "$H study rfft --in - <."},
        {"standard input: it is neither a .npy file nor", "$H study rfft --in - </dev/zero"},
        {"--json: /nowhere/j: ", "$H study rfft --in in.npy --out none.npy --json /nowhere/j"},
        {"--out: in.npy is the input of --in", "$H study reorder --in in.npy --out in.npy"},
        {"only one of them can go to standard output", "$H study rfft --in in.npy --json - --out -"},
    } do
        local status, out, err = shell(pair[2])
        equal({status, out}, {2, ""}, pair[2])
        ok(err:find(pair[1], 1, true), err)
    end
end)

case("output that cannot be written is told once, with status 2", function()
    save("in", "f32", 640, noise(640))
    for _, line in ipairs {"study reorder", "study rfft", "study reorder --help", "study rfft --in in.npy --json -",
        "study reorder --in in.npy --out -", "study rfft --in in.npy --brief", "lua $OLDPWD/scripts/demo.lua in.npy"} do
        local status, _, err = shell("$H " .. line .. " >/dev/full")
        local name = line:match "^study" and "heddle " .. line:match "^study %a+" or "demo"
        equal(err, ("%s: error: cannot write to standard output: No space left on device\n"):format(name), line)
        equal(status, 2, line)
    end
end)

-- ---- other inputs of rfft ----

case("rfft: recordings", function()
    local data = {}
    for i = 1, 1000 do data[i] = ("<i2i2"):pack(i * 7 % 100, -(i * 13 % 200)) end
    local body = table.concat(data)
    local head = ("<I2I2I4I4I2I2"):pack(1, 2, 8000, 32000, 4, 16)
    heddle.write(folder .. "/in.wav", "RIFF" .. ("<I4"):pack(36 + #body) .. "WAVEfmt " .. ("<I4"):pack(16) .. head ..
        "data" .. ("<I4"):pack(#body) .. body)
    ok(good(("study rfft --in %s/in.wav --channel 2"):format(folder)):find("channel 2 of 2", 1, true))
    local out = good(("study rfft --in %s/in.wav --channel mix --brief"):format(folder))
    ok(out:find("8,000 Hz", 1, true) and out:find("mean of its channels", 1, true))
    ok(not out:find("warp-instructions", 1, true))
    bad(2, "2 channels, none of number 3", ("study rfft --in %s/in.wav --channel 3"):format(folder))
end)

case("rfft: mistakes end with status 2", function()
    local path = save("in", "f32", 640, 0)
    for _, frame in ipairs {"48", "32", "8192", "0", "-64"} do
        bad(2, "--frame: " .. frame, ("study rfft --in %s --frame %s"):format(path, frame))
    end
    bad(2, "whole number", ("study rfft --in %s --frame 64.5"):format(path))
    bad(2, "none of 8, 16, 32, 64", ("study rfft --in %s --warp all"):format(path))
    bad(2, "--rate", ("study rfft --in %s --rate 0"):format(path))
end)

case("the demo", function()
    local file <const> = folder .. "/demo.html"
    local out = good(("lua scripts/demo.lua --html=%s"):format(file))
    for _, text in ipairs {"takes a warp %d+ cycles", "moves 4.125 bytes an element, by booleans 5%. It is [%d.]+x ",
        "as proposed %([%d,]+ of [%d,]+%), moves", "FFT of 16 frames of 4,096 samples", "docs/claims.md"} do
        ok(out:gsub("%s+", " "):find(text), out)
    end
    local lines = 0
    for line in out:gmatch "[^\n]*\n" do
        lines = lines + 1
        ok(utf8.len(line) <= 101, line)
    end
    ok(lines <= 25, out)
    out = good(demo(save("in", "f64", 5000, noise(5000))))
    ok(out:find("as fast as", 1, true), out)
    for _, n in ipairs {10, 100} do
        good(demo(save("in", "f32", n, noise(n))))
    end
    equal(run "lua scripts/demo.lua /nowhere.wav", 2)
    local _, charts = read_all(file):gsub('<script type="application/json"', "")
    equal(charts, 6)
    equal(run "lua scripts/demo.lua --html=/nowhere/demo.html", 2)
end)

test.finish()
