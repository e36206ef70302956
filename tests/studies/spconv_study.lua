-- Does `heddle study spconv` report its treatment of the tensors, and its measurements by method and by stage? Runs the
-- command $HEDDLE. tests/studies/spconv.lua tests its results.
local heddle = require "heddle"
local pipeline = require "heddle.spconv.pipeline"
local test = require "tests.lib.test"
local cli = require "tests.lib.command"
local case, equal, ok = test.case, test.equal, test.ok

local folder, read_all, save, says = cli.folder, cli.read, cli.save, cli.says
local run, printed = cli.study "spconv"

-- Returns its output, spaces and line breaks as one space.
local function good(arguments)
    return (printed(arguments):gsub("%s+", " "))
end

save("w", "f32", {3, 2, 3, 3}, function(i) return i % 9 - 4 end)
save("x", "f32", {1, 2, 4, 5}, function(i) return i % 3 == 0 and i / 4 or 0 end)

-- ---- what was rounded ----

case("numbers beyond fp32 are refused by place and value", function()
    save("far", "f64", {1, 2, 4, 5}, function(i) return i == 7 and -1e300 or i end)
    save("end", "f64", {1, 2, 4, 5}, function(i) return i == 7 and 5.1e37 or i end)
    local status, _, err = run "--x far.npy --weight w.npy --out none.npy"
    equal({status, err}, {2, "heddle study spconv: error: far.npy: element 6 is -1e+300, beyond the range of fp32, " ..
        "which ends at 3.40282e+38\n"})
    ok(not read_all(folder .. "/none.npy"), "a result was written")
    status, _, err = run "--x x.npy --weight w.npy --bias far.npy"
    ok(status == 2 and err:find("far.npy: shape", 1, true), err)
    says(good "--x end.npy --weight w.npy --brief --method unfold", "1 of 40 numbers changed.")
end)

case("what fp32 does not hold is counted", function()
    save("d", "f64", {1, 2, 4, 5}, function(i) return i == 1 and 1e-60 or i == 2 and 0.1 or i end)
    save("u", "u64", {1, 2, 4, 5}, function(i) return i == 1 and -1 or i == 2 and 1 << 63 or i end)
    save("i", "i32", {1, 2, 4, 5}, function(i) return i == 1 and 1 << 24 | 1 or i end)
    for name, text in pairs {d = "holds f64; it was rounded to fp32: 2 of 40 numbers changed, 1 of them to zero.",
        u = "holds u64; it was rounded to fp32: 1 of 40 numbers changed.",
        i = "holds i32; it was rounded to fp32: 1 of 40 numbers changed."} do
        says(good(("--x %s.npy --weight w.npy --brief --method unfold"):format(name)), name .. ".npy " .. text)
    end
    save("i", "i32", {1, 2, 4, 5}, 1)
    says(good "--x i.npy --weight w.npy --brief --method unfold", "i.npy holds i32; it was taken as fp32.")
end)

case("what fp16 does not hold is counted, for all methods or for one", function()
    save("s", "f32", {1, 2, 4, 5}, function(i) return i == 1 and 1e-8 or i == 7 and 0.1 or i == 13 and 2 or 0 end)
    local lost = "of x, 2 of 40 numbers changed, 1 of them to zero; of the weights, 0 of 54 numbers changed."
    says(good "--x s.npy --weight w.npy --brief --dtype fp16", "x and weights were rounded to fp16: " .. lost)
    local out = good "--x s.npy --weight w.npy --brief"
    says(out, "unfold-mma takes x and weights rounded to fp16: " .. lost)
    says(out, "unfold-mma has 2 windows: in fp16 some positions are zero.")
    out = good "--x s.npy --weight w.npy --brief --method unfold"
    ok(not out:find("fp16", 1, true), out)
    out = good "--x x.npy --weight w.npy --brief" -- quarters up to 9.75: fp16 holds them
    ok(not out:find("rounded", 1, true), out)
end)

case("an element that is named twice is said once", function()
    local out = good "--x x.npy --weight w.npy --brief --method unfold --centre '1,1;0,2;1,1;0,2'"
    says(out, "predetermined elements (1,1) (0,2), nchw")
end)

case("tensors that come through pipes are those of the files", function()
    save("one", "f32", {3}, 1)
    local line = "--brief --method unfold --bias %s --x %s --weight %s --out %s.npy"
    good(line:format("one.npy", "x.npy", "w.npy", "a"))
    local pipes = "mkfifo px pw pb && (cat %s >px & cat w.npy >pw & cat one.npy >pb &) &&"
    local status, _, err = cli.run(("cd %s && %s timeout 60 %s study spconv %s"):format(folder,
        pipes:format "x.npy", cli.absolute(), line:format("pb", "px", "pw", "b")))
    equal({status, err}, {0, ""})
    equal(read_all(folder .. "/b.npy"), read_all(folder .. "/a.npy"))
    heddle.write(folder .. "/text", "no tensor\n") -- is reported, not waited for
    status, _, err = cli.run(("cd %s && rm px pw pb && %s timeout 60 %s study spconv %s"):format(folder,
        pipes:format "text", cli.absolute(), line:format("pb", "px", "pw", "b")))
    equal({status, err}, {2, "heddle study spconv: error: px: it is no .npy file\n"})
    os.execute(("cd %s && timeout 5 cat pb >/dev/null"):format(folder)) -- lets its writer end
end)

case("where both dimensions fit it is said which was taken for the channels", function()
    save("both", "f32", {1, 2, 5, 2}, 1)
    says(good "--x both.npy --weight w.npy --brief --method unfold --layout nhwc",
        "both.npy: the second dimension is as long as the last, which was taken for the channels.")
    ok(not good("--x both.npy --weight w.npy --brief --method unfold"):find("second dimension", 1, true))
end)

case("with channels last it is said what that favours", function()
    local text = "Costs beside theirs favour unfolding"
    says(good "--x x.npy --weight w.npy --brief --method implicit --layout nhwc", text)
    ok(not good("--x x.npy --weight w.npy --brief --method implicit"):find(text, 1, true))
end)

-- ---- what is reported ----

-- All values of a key in JSON text, in order.
local function values(text, key)
    local list = {}
    for v in text:gmatch('"' .. key .. '": ([^,\n]+)') do
        list[#list + 1] = tonumber(v) or v
    end
    return list
end

case("JSON has the problem, and every number by method and by stage", function()
    good "--x x.npy --weight w.npy --stride 1,2 --pad 0:1,2:1 --centre '1,1;0,2' --json j.json"
    local text = read_all(folder .. "/j.json")
    local head = text:gsub('\n  "boards": %b[]', ""):gsub("%s+", "")
    for _, want in ipairs {'"stride":[1,1,2]', '"padding_lo":[0,0,2]', '"padding_hi":[0,1,1]',
        '"centres":[[0,1,1],[0,0,2]]', '"bias":false', '"layout":"nchw"', '"rank":2', '"output":[1,3,3]',
        '"identify":"ordered"'} do
        says(head, want)
    end
    local stages = #values(text, "kernel") - 1 -- that of the problem is none of a stage
    for _, key in ipairs {"macs", "macs_useful", "macs_asked", "zero_share", "reads", "host_bytes",
        "cycles", "energy", "l1_bytes", "l2_bytes", "board_bytes", "limiter", "gather"} do
        ok(#values(text, key) >= stages + #pipeline.methods - 1, key)
    end
    equal(#values(text, "limiter_stage"), #pipeline.methods)
end)

case("appended lists: the same result, said so; refused where order is needed", function()
    good "--x x.npy --weight w.npy --brief --method unfold --out a.npy"
    local out = good "--x x.npy --weight w.npy --brief --identify append --out b.npy --json j.json"
    says(out, "active positions by atomic append in unfold, unfold-mma, indexed-implicit, rulebook")
    equal(read_all(folder .. "/b.npy"), read_all(folder .. "/a.npy"))
    equal(#values(read_all(folder .. "/j.json"), "append"), #pipeline.methods)
    local status, _, err = run "--x x.npy --weight w.npy --method im2col --identify append"
    equal({status, err}, {2, "heddle study spconv: error: --identify append: im2col needs its active positions in " ..
        "raster order\n"})
end)

case("without files: a scan, and the claims; the same whenever it runs, and nothing of densities", function()
    local out = good "--brief --scans made --json j.json"
    for _, words in ipairs {"claim verdict ratio", "unfold against", "--details",
        "Compared with the reference: 13 results"} do -- unfold in fp16, too
        says(out, words)
    end
    local json = read_all(folder .. "/j.json")
    local _, count = json:gsub('"verified": true', "")
    equal(count, #pipeline.methods)
    says(json, '"claims": [')
    out = good "--brief --scans made --details --json again.json"
    for _, words in ipairs {"Scans: generated street", "street 24x24x12", "Needs no work of the host: HOLDS",
        "Fewer multiplications than the rulebook: DOES NOT HOLD", "Refuted by"} do
        says(out, words)
    end
    ok(read_all(folder .. "/again.json") == json, "other numbers")
    good "--brief --scans made --method unfold --json j.json"
    ok(not read_all(folder .. "/j.json"):find '"claims"', "claims of one method")
    says(good "--brief --scans made --method rulebook", "scan unfold rulebook")
end)

test.finish()
