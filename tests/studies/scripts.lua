-- Do the libraries of scripts (options, wav, fft, tables) do what they promise?
local test = require "tests.lib.test"
local heddle = require "heddle"
local fft = require "heddle.signal.fft"
local lists = require "heddle.kit.lists"
local options = require "heddle.kit.options"
local progress = require "heddle.kit.progress"
local random = require "heddle.kit.random"
local report = require "heddle.kit.report"
local wav = require "heddle.signal.wav"
local case, equal, ok = test.case, test.equal, test.ok

-- ---- expectations in kernel files ----

case("code of a kernel file that does not end is stopped", function()
    local limited = require "heddle.cases.case".limited
    local fine, why = limited(function() while true do end end)
    ok(not fine and why:find "is there an endless loop", why)
    equal({limited(math.max, 3, 4)}, {true, 4})
end)

case("a case is a launch of what is given and what it says", function()
    local press, expectations = require "heddle.cases.press", require "heddle.cases.expectations"
    local path <const> = "kernels/classic/saxpy.hd"
    local function run(asked, given)
        local context <close> = heddle.new()
        given.board_warp = 32
        local found = press.find(context, expectations.text(path), path, asked)
        local launch = press.fill(found, given)
        local result = context:launch(found.program, launch)
        local verdict = press.check(found, result, false)
        return {found.number, found.buffers, result.blocks, verdict.met, verdict.total, context:get("y").count}
    end
    equal(run({}, {args = {}, buffers = {}}), {1, "x y", 4, 1, 1, 250})
    equal(run({sms = 8}, {args = {}, buffers = {}}), {3, "x y", 4096, 1, 1, 1 << 20})
    equal(run({sms = 7, case = "saxpy:2"}, {args = {}, buffers = {}}), {2, "x y", 3, 1, 1, 250})
    equal(run({case = "1"}, {args = {n = "20"}, buffers = {}}), {1, "x y", 4, 0, 1, 250})
    equal(run({case = "1"}, {args = {n = "200"}, buffers = {y = "y"}}), {1, "x y", 4, 0, 1, 200})
end)

case("checkers in kernel files", function()
    local expectations = require "heddle.cases.expectations"
    local file = expectations.parse("k.hd", [[
;! check race
;! run a,b grid=2
;! check race,value
        nop     ;! check race atomic ;! fault trap
        nop     ;! lint never written
;! run c
;! check races
        nop     ;! check race
        nop     ;! check mem row -- a remark
        nop     ;! check sync row
]])
    equal(file.errors, {
        "k.hd:1: 'check' stands before the first 'run'", "k.hd:7: there is no checker 'races'",
        "k.hd:8: expected KIND CLASS, not 'race'", "k.hd:10: 'row' is not a class of sync: divergent-barrier, count, "
            .. "incomplete, members, absent-lane, warp-exchange",
    })
    for i, entry in ipairs {"a", "b"} do
        local run = file.runs[i]
        equal({run.entry, run.checkers, run.fault, run.fault_line}, {entry, "race,value", "trap", 4})
        equal(run.findings, {{kind = "race", class = "atomic", line = 4}})
    end
    equal(file.lints, {[5] = "never written"})
    equal({file.runs[3].checkers, file.runs[3].findings}, {"all,mem", {{kind = "mem", class = "row", line = 9}}})
end)

-- ---- progress ----

case("progress: the share of a whole study, and the time it still takes", function()
    local seconds, shown = 0, nil
    progress.now = function() return seconds end
    progress.out = function(text) shown = text:gsub("^\r\27%[K *", "") end
    local line = progress.begin(4)
    line.step "first"
    equal(shown, "first: 0 %")
    seconds = 10
    ok(line.share(0.5))
    equal(shown, "first: 12 %, about 70 s to go")
    line.step("second", 2)
    equal(shown, "second: 25 %, about 30 s to go")
    local mark = progress.mark()
    progress.begin(2).step "inner" -- a study in the second step
    equal(shown, "second, inner: 25 %, about 30 s to go")
    progress.mark().step "more"
    equal(shown, "second, more: 50 %, about 10 s to go")
    progress.finish(mark)
    equal(shown, "")
    line.step "third"
    line.expect(6)
    seconds = 1000
    line.share(0.0)
    equal(shown, "third: 30 %, about 39 min to go")
    line.step("beyond what was expected", 7)
    line.share(1)
    equal(shown, "beyond what was expected: 100 %, about 0 s to go")
    progress.finish()
    progress.out, progress.now = nil, os.time
end)

-- ---- options ----

local function read(...)
    return options.read {
        name = "x", summary = "Does x.", args = {...},
        rows = {
            {name = "warp", value = "W", default = "32", choices = {"8", "32"}, doc = "width"},
            {name = "frame", value = "N", kind = "integer", low = 1, high = 9, doc = "length"},
            {name = "rate", value = "HZ", kind = "number", doc = "rate"},
            {name = "out", value = "FILE", doc = "file"},
            {name = "set", value = "N", kind = "integer", many = true, doc = "value"},
            {name = "quiet", doc = "no table"},
            {name = "whole", with = "out", doc = "all of it"},
        },
    }
end

local function refused(text, ...)
    local found, message = read(...)
    ok(found == nil, "accepted")
    ok(message:find(text, 1, true), message)
end

case("options: values, defaults, flags", function()
    local o = read("--frame", "3", "--out=a=b", "--quiet", "--rate", "1e3", "--warp=8")
    equal(o, {warp = "8", frame = 3, out = "a=b", quiet = true, rate = 1000.0})
    equal(read(), {warp = "32"})
    equal(read("--frame", "0x5").frame, 5)
    equal(read("--frame", "4.0").frame, 4)
end)

case("options: mistakes", function()
    refused("unknown option '--wrap'; did you mean '--warp'?", "--wrap", "8")
    refused("unknown option '-w'", "-w")
    refused("none of 8, 32", "--warp", "16")
    refused("--warp needs a value: W", "--warp")
    refused("is not a whole number", "--frame", "2.5")
    refused("is not a whole number", "--frame", "many")
    refused("outside 1 to 9", "--frame", "10")
    refused("is not a number", "--rate", "")
    refused("takes no value", "--quiet=yes")
    refused("--out needs a value: FILE", "--out=")
    refused("unexpected argument 'b'", "b")
    refused("--whole: it goes with --out, which is not given", "--whole")
    equal(read("--whole", "--out", "a"), {warp = "32", out = "a", whole = true})
    ok(select(2, read "--help"):find("--whole      with --out: all of it", 1, true))
end)

case("options: rows of several studies stand once, and a study may change them", function()
    local function common(...)
        return options.read {name = "x", summary = "", rows = {"set", {"board", default = "a100"}, "threads"},
            args = {...}}
    end
    equal(common(), {board = "a100", threads = 1})
    equal(common("--set", "sms=1", "--set=sms=2", "--threads", "2"),
        {board = "a100", set = {"sms=1", "sms=2"}, threads = 2})
    equal(options.common.board.default, nil)
    local _, text = common("--help")
    ok(text:find("--board BOARD    the board, or a .yaml file (a100)", 1, true), text)
    ok(not pcall(options.read, {name = "x", summary = "", rows = {"bord"}, args = {}}))
end)

case("options: given twice", function()
    refused("--warp is given twice", "--warp", "8", "--warp", "8")
    refused("--out is given twice", "--out", "a", "--out=b")
    refused("--quiet is given twice", "--quiet", "--quiet")
    equal(read("--set", "3").set, {3})
    equal(read("--set", "3", "--quiet", "--set=4", "--set", "3").set, {3, 4, 3})
    refused("is not a whole number", "--set", "3", "--set", "x")
end)

case("options: help", function()
    local kind, text = read("--help")
    equal(kind, "help")
    ok(text:find("Usage: x [OPTION...]", 1, true))
    ok(text:find("--warp 8|32  width (32)", 1, true), text)
    equal((read("-h")), "help")
end)

-- ---- wav ----

local function chunk(id, body)
    return id .. ("<I4"):pack(#body) .. body .. (#body % 2 == 1 and "\0" or "")
end

local function riff(...)
    local body = "WAVE" .. table.concat {...}
    return "RIFF" .. ("<I4"):pack(#body) .. body
end

local function fmt(tag, channels, rate, bits, more)
    local align = channels * bits // 8
    return chunk("fmt ", ("<I2I2I4I4I2I2"):pack(tag, channels, rate, rate * align, align, bits) .. (more or ""))
end

case("wav: every kind of sample", function()
    for _, kind in ipairs {
        {1, 8, "B", {0, 128, 192}, {-1.0, 0.0, 0.5}},
        {1, 16, "<i2", {-32768, 0, 16384}, {-1.0, 0.0, 0.5}},
        {1, 24, "<i3", {-2 ^ 23 | 0, 0, 2 ^ 22 | 0}, {-1.0, 0.0, 0.5}},
        {1, 32, "<i4", {-2 ^ 31 | 0, 0, 2 ^ 30 | 0}, {-1.0, 0.0, 0.5}},
        {3, 32, "<f", {-1.0, 0.0, 2.5}, {-1.0, 0.0, 2.5}},
        {3, 64, "<d", {-1.0, 0.1, 2.5}, {-1.0, 0.1, 2.5}},
    } do
        local data = ""
        for _, v in ipairs(kind[4]) do data = data .. kind[3]:pack(v) end
        local plain = riff(fmt(kind[1], 1, 8000, kind[2]), chunk("data", data))
        local guid = ("<I2I2I4I2"):pack(22, kind[2], 0, kind[1]) .. "\0\0\0\0\16\0\x80\0\0\xaa\0\x38\x9b\x71"
        local extended = riff(chunk("LIST", "odd"), fmt(0xfffe, 1, 8000, kind[2], guid), chunk("data", data))
        for _, bytes in ipairs {plain, extended} do
            local sound = assert(wav.decode(bytes))
            equal(sound.samples, kind[5])
            equal(sound.rate, 8000)
            equal(sound.bits, kind[2])
            equal(sound.frames, 3)
            equal(sound.note, nil)
        end
    end
end)

case("wav: channels", function()
    local data = ("<i2i2i2i2"):pack(16384, -16384, 32767, 1)
    local bytes = riff(fmt(1, 2, 44100, 16), chunk("data", data))
    equal(assert(wav.decode(bytes)).samples, {0.5, 32767 / 32768})
    equal(assert(wav.decode(bytes, 2)).samples, {-0.5, 1 / 32768})
    equal(assert(wav.decode(bytes, "mix")).samples, {0.0, 0.5})
    for _, channel in ipairs {0, 3, 1.5, "left"} do
        local sound, message = wav.decode(bytes, channel)
        ok(not sound and message:find "2 channels")
    end
end)

case("wav: lengths that are not as they should be", function()
    local data = ("<i2i2i2"):pack(1, 2, 3)
    local bytes = riff(fmt(1, 1, 8000, 16), chunk("data", data))
    local cut = assert(wav.decode(bytes:sub(1, -2)))
    equal(cut.frames, 2)
    equal(cut.note, "the file ends before its data do: 5 of 6 bytes are there")
    local function with(length)
        return wav.decode((bytes:gsub("data\6\0\0\0", function() return "data" .. ("<I4"):pack(length) end)))
    end
    for length, text in pairs {[0] = "is 0", [0x7fffffff] = "is not known", [0xffffffff] = "is not known"} do
        local streamed = assert(with(length))
        equal(streamed.samples, assert(wav.decode(bytes)).samples)
        ok(streamed.note:find("the length of its data " .. text .. ", as of a recording that was not closed; " ..
            "they are read to the end of the file, 6 bytes", 1, true), streamed.note)
    end
    equal(with(4).frames, 2)
    equal(with(4).note, "after its data of 4 bytes are 2 bytes more, which are not read")
    equal(assert(wav.decode(bytes .. chunk("LIST", "odd"))).note, nil)
    local list = chunk("data", "") .. chunk("LIST", "INFOISFT\5\0\0\0Lavf5")
    local nothing = {chunk("data", ""), list, chunk("data", "a"), list .. "\0", list .. "junk", list:sub(1, -2) .. list}
    for _, none in ipairs(nothing) do
        local sound, message = wav.decode(riff(fmt(1, 1, 8000, 16), none))
        ok(sound == nil and message == "it has no sample", message)
    end
    local odd = assert(wav.decode(riff(fmt(1, 2, 8000, 16), chunk("data", "abcdef"))))
    equal({odd.frames, odd.note}, {1, "its data end within a frame of 4 bytes: the last 2 bytes are not read"})
end)

case("wav: big endian, and lengths of 64 bits", function()
    local function big(id, body) return id .. (">I4"):pack(#body) .. body end
    local kinds = {{1, 16, "i2", {-32768, 16384}}, {1, 24, "i3", {-2 ^ 23 | 0, 2 ^ 22 | 0}}, {3, 32, "f", {-1.0, 0.5}}}
    for _, kind in ipairs(kinds) do
        local tag, bits, code, list = table.unpack(kind)
        local data = (">" .. code .. code):pack(list[1], list[2])
        local head = (">I2I2I4I4I2I2"):pack(tag, 1, 8000, 8000, bits // 8, bits)
        local guid = (">I2I2I4I4"):pack(22, bits, 0, tag) .. "\0\0\0\16\x80\0\0\xaa\0\x38\x9b\x71"
        local extended = (">I2"):pack(0xfffe) .. head:sub(3) .. guid
        for _, h in ipairs {head, extended} do
            equal(assert(wav.decode("RIFX\0\0\0\0WAVE" .. big("fmt ", h) .. big("data", data))).samples, {-1.0, 0.5})
        end
    end
    local samples = ("<i2i2"):pack(-32768, 16384)
    for _, magic in ipairs {"RF64", "BW64"} do
        local function long(size)
            return magic .. "\xff\xff\xff\xffWAVE" .. chunk("ds64", ("<i8i8i8I4"):pack(0, size, 2, 0)) ..
                fmt(1, 1, 8000, 16) .. "data\xff\xff\xff\xff" .. samples .. chunk("LIST", "INFO")
        end
        local sound = assert(wav.decode(long(4)))
        equal({sound.samples, sound.note}, {{-1.0, 0.5}})
        ok(assert(wav.decode(long(1 << 40))).note:find("the file ends before its data do", 1, true))
        ok(assert(wav.decode(long(-1))).note:find("is not known", 1, true))
    end
end)

-- G.711 by its definition: the nearest of 256 levels, with the sign of the byte; ends and middle by hand.
case("wav: mu-law and A-law", function()
    for tag, want in pairs {[7] = {-32124, 32124, -8, 8, 0, 0}, [6] = {-5504, 5504, -848, 848, -8, 8}} do
        local bytes = tag == 7 and "\0\x80\x7e\xfe\x7f\xff" or "\0\x80\x7f\xff\x55\xd5"
        local sound = assert(wav.decode(riff(fmt(tag, 1, 8000, 8), chunk("data", bytes))))
        for i, v in ipairs(want) do equal(sound.samples[i], v / 2 ^ 15) end
        equal(sound.coding, tag == 7 and "mu-law" or "A-law")
        local all = {}
        for byte = 0, 255 do all[byte + 1] = string.char(byte) end
        local levels = assert(wav.decode(riff(fmt(tag, 1, 8000, 8), chunk("data", table.concat(all))))).samples
        for byte = 0, 127 do equal(levels[byte + 1], -levels[byte + 129]) end
        local ordered = {}
        for byte = 0, 127 do ordered[byte] = levels[(tag == 7 and byte ~ 0xff or (byte | 0x80) ~ 0x55) + 1] end
        for byte = 1, 127 do ok(ordered[byte] > ordered[byte - 1]) end
    end
end)

case("wav: other recordings are named", function()
    for bytes, name in pairs {fLaC = "FLAC", OggS = "Ogg", ["ID3\3"] = "MP3", ["\xff\xfb"] = "MP3", FORM = "AIFF",
                              [".snd"] = "AU", caff = "CAF", riff = "Wave64", ["\0\0\0\32ft"] = "MPEG-4"} do
        local said = wav.other(bytes .. "\0\0")
        ok(said and said:find(name, 1, true) and said:find("ffmpeg", 1, true), bytes)
    end
    for _, text in ipairs {"a,b\n1,2\n", "\xff\xfea\0", "4000ft"} do
        equal(wav.other(text), nil)
    end
    local sound, message = wav.decode(riff(fmt(0x11, 1, 8000, 4), chunk("data", "abcd")))
    ok(not sound and message:find("IMA ADPCM", 1, true) and message:find("ffmpeg", 1, true), message)
end)

case("wav: files that are none", function()
    local good = fmt(1, 1, 8000, 16)
    for _, pair in ipairs {
        {"", "no WAV"}, {"RIFF", "no WAV"}, {"RIFX\0\0\0\0WAVE", "no 'fmt '"}, {riff(), "no 'fmt '"},
        {riff(good), "no 'data'"}, {riff(chunk("data", "ab")), "before the 'fmt '"},
        {riff(chunk("fmt ", "short")), "too short"}, {riff(fmt(1, 0, 8000, 16)), "no channel"},
        {riff(fmt(1, 1, 0, 16)), "rate is 0"}, {riff(fmt(1, 1, 8000, 12)), "format 1, 12 bits"},
        {riff(fmt(85, 1, 8000, 16)), "format 85"},
        {riff(fmt(86, 1, 8000, 16)), "format 86, 16 bits"}, {riff(fmt(0xfffe, 1, 8000, 16)), "extensible"},
        {riff((good:gsub("\2\0\16\0$", "\4\0\16\0"))), "4 bytes long instead of 2"},
    } do
        local sound, message = wav.decode(pair[1])
        ok(sound == nil and message:find(pair[2], 1, true), message)
    end
end)

case("wav: any damage gives a sound or a message", function()
    local bytes = riff(chunk("LIST", "abc"), fmt(1, 2, 8000, 24), chunk("data", ("x"):rep(60)))
    for i = 1, #bytes do
        for _, with in ipairs {"\0", "\xff", "\x01", ""} do
            local sound, message = wav.decode(bytes:sub(1, i - 1) .. with .. bytes:sub(i + 1))
            ok(sound and #sound.samples == sound.frames or type(message) == "string")
        end
        wav.decode(bytes:sub(1, i))
    end
end)

-- ---- fft ----

local function distance(re, im, want_re, want_im)
    local off, all = 0, 0
    for k = 1, #want_re do
        off = off + (re[k] - want_re[k]) ^ 2 + (im[k] - want_im[k]) ^ 2
        all = all + want_re[k] ^ 2 + want_im[k] ^ 2
    end
    return math.sqrt(off / all)
end

case("fft: radix 2 is the summed definition", function()
    for _, n in ipairs {1, 2, 4, 8, 64, 512} do
        local x = random.numbers(n, {seed = n, kind = "real"})
        local re, im = fft.real(x)
        local sum_re, sum_im = fft.direct(x)
        ok(distance(re, im, sum_re, sum_im) < 1e-14 * math.max(1, n), n)
        local energy, power = 0, 0
        for i = 1, n do
            energy, power = energy + x[i] ^ 2, power + (re[i] ^ 2 + im[i] ^ 2) / n
        end
        ok(math.abs(energy - power) < 1e-12 * energy, "Parseval")
    end
end)

case("fft: known spectra", function()
    local n, x = 16, {}
    for i = 0, n - 1 do x[i + 1] = math.cos(2 * math.pi * 3 * i / n) + 0.5 * math.sin(2 * math.pi * 5 * i / n) end
    local re, im = fft.real(x)
    for k = 0, n - 1 do
        local want_re = (k == 3 or k == 13) and n / 2 or 0
        local want_im = k == 5 and -n / 4 or k == 11 and n / 4 or 0
        ok(math.abs(re[k + 1] - want_re) < 1e-13 and math.abs(im[k + 1] - want_im) < 1e-13, k)
    end
    local roots = fft.table(8)
    local h = math.sqrt(0.5)
    local want = {1, 0, h, -h, 0, -1, -h, -h, -1, 0, -h, h, 0, 1, h, h}
    for i = 1, 16 do ok(math.abs(roots[i] - want[i]) < 1e-15, i) end
    ok(not pcall(fft.plan, 12))
end)

-- ---- the others ----

case("lists made of others", function()
    equal(lists.map({1, 2, 3}, function(v, i) return v > 1 and v * i or nil end), {4, 9})
    equal(lists.map(nil, tostring), {})
    equal(lists.set {"x", "y"}, {x = true, y = true})
    equal(lists.by({{"x"}, {"y", 2}}, 1), {x = {"x"}, y = {"y", 2}})
    equal(lists.merge({a = 1, b = 2}, nil, {b = 3}), {a = 1, b = 3})
    local to = {1}
    equal(lists.append(to, {2, 3}) == to and lists.append(to, nil), {1, 2, 3})
    local costs = {x = 2, y = 1, w = 1}
    equal({lists.least({"x", "z", "y", "w"}, function(name) return costs[name] end)}, {"y", 1})
    equal({lists.least({"z"}, function(name) return costs[name] end)}, {})
    equal(lists.sum({2, 3}, function(v) return v * v end), 13)
    equal(lists.numbers("I2", 2, ("\1\2"):rep(5000)), lists.map(lists.numbers("B", 1, ("\1"):rep(5000)), function(v)
        return 513 * v
    end))
    equal(lists.numbers("f", 4, ""), {})
end)

case("columns of records, and names by reason", function()
    local heads, rows = report.columns({{name = "a", n = 1234.5, share = 0.5}, {name = "b"}}, {{"", "name"}, {"n", "n"},
        {"share", "share", report.percent}, {"twice", function(r) return r.n and 2 * r.n end}})
    equal(heads, {{"", key = "name"}, {"n", key = "n"}, {"share", key = "share"}, {"twice"}})
    equal(rows, {{"a", {1234.5, "1,234"}, {0.5, "50.0 %"}, {2469.0, "2,469"}}, {"b"}})
    equal({report.cell(nil), report.cell(false), report.cell(2.5)}, {nil, nil, {2.5, "2.5"}})
    equal(report.by_reason {{name = "a", why = "x"}, {name = "b", why = "y"}, {name = "c", why = "x"}},
        {{"x", "a, c"}, {"y", "b"}})
end)

case("numbers for people", function()
    equal(report.count(1234567), "1,234,567")
    equal(report.count(123), "123")
    equal(report.count(-1234), "-1,234")
    equal({report.short(4.1834), report.short(103.7), report.short(46.0), report.short(-0.5)},
        {"4.18", "104", "46", "-0.5"})
    equal(report.plural(1, "run"), "1 run")
    equal(report.plural(0, "run"), "0 runs")
    equal(report.bar(0.5, 3), "█▌")
    equal(report.bar(7, 2), "██")
    equal(report.bar(-1, 2), "")
end)

test.finish()
