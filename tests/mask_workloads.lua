-- Does `heddle study mask` measure the masks that it generates, and say what becomes of the claims? Runs $HEDDLE.
package.path = "scripts/lib/?.lua;" .. package.path
local test = require "heddle.kit.test"
local cli = require "tests.lib.command"
local case, equal, ok = test.case, test.equal, test.ok

local folder, read_all = cli.folder, cli.read
local _, good = cli.study "mask"

case("generated masks, on a small board", function()
    local out = good("--board teach32 --length 32 --elements 4096 --brief --text made --json j.json " ..
        "--set l2.bytes=32768")
    for _, text in ipairs {"Board teach32, W = 32, L2 of 32 KiB, cold caches; changed: l2.bytes=32768",
        "\n  L   images", "Verdicts, where times", "DOES NOT HOLD", "fortunes-min, shuffled"} do
        ok(out:find(text, 1, true), text)
    end
    local json = read_all(folder .. "/j.json")
    for _, key in ipairs {"cycles", "drained", "speedup", "speedup_once", "instructions", "sectors_per_request",
        "limiter", "energy", "bytes_per_element", "ideal_bytes", "dram_useful", "dram_moved", "l1_useful",
        "l1_moved", "l2_useful", "l2_moved", "verdict", "words_bytes", "not_smaller_up_to"} do
        ok(json:find('"' .. key .. '": ', 1, true), key)
    end
end)

case("boards that cannot run some of the methods", function()
    local out = good "--board teach8 --length 8 --elements 64 --text made --set max_threads_per_block=32"
    ok(out:find("bool-vector cannot run: kernel 'bool_vector_b16': a block of 64 threads", 1, true), out)
    ok(out:find("\n  24 +1 +2.667 +5.000 +6.667 +0.750 +[%d.]+ +[%d.]+ *\n"), out) -- nothing over vector loads
    ok(out:gsub("%s+", " "):find("not yet at %d+; vector loads cannot run. At L = 8, all written back"), out)
end)

case("generated masks with words of another width", function()
    local common = "--board teach32 --length 20 --length 10 --length 20 --elements 2000 --text made --json j.json "
    for result, bits in pairs {half = 16, int32 = 32, int64 = 64} do
        local out = good(common .. "--result " .. result):gsub("%s+", " ")
        local published = bits == 32
        equal(out:find("words-heads is skipped: it takes words of 32 bits", 1, true) == nil, published, result)
        equal(out:find("bool-heads words-heads mask at L1", 1, true) ~= nil, published, result)
        equal(out:find("Its words are of 32 bits for two rows (published)", 1, true) == nil, published, result)
        equal(out:find("By words of 32 bits. 20 x 20 fp32 scores", 1, true) == nil, published, result)
        ok(out:find("The packed words are used as they are, by sel and shl: HOLDS. Judged by", 1, true), out)
        ok(out:find("takes fewer instructions than by booleans: DOES NOT HOLD. Judged by", 1, true), out)
        ok(out:find("Cost of each method at L = 20.", 1, true), out) -- the largest, whatever came last
        local json = read_all(folder .. "/j.json"):gsub("%s+", " ")
        ok(json:find('"faster_than_vector_at": [', 1, true), json)
        local _, causal = json:gsub('"kind": "causal"', "")
        equal(causal, 4) -- two lengths, in two lists
        local empty = json:gsub('"settings": {}', "")
        ok(not empty:find("{}", 1, true), "a list that is empty is no object")
    end
end)

case("small masks are not so many that they take minutes", function()
    local out = good "--length 3 --method bool --dtype int8 --text made --json j.json"
    ok(out:gsub("%s+", " "):find("Workloads of small masks have 2,048 images, and fewer elements.", 1, true), out)
    ok(read_all(folder .. "/j.json"):find('"n": 2048', 1, true))
end)

case("one method, or one order, on generated masks", function()
    local small = "--board teach32 --length 20 --length 33 --elements 2000 --text made --json j.json --plot 'a folder' "
    good(small .. "--method causal") -- no other kind of mask is that of indices
    ok(not read_all(folder .. "/j.json"):find('"kind": "random"', 1, true))
    good(small .. "--method bits-store-vector")
    local out = good(small .. "--method words-heads --heads 3")
    ok(out:find("3 images of x use one mask.", 1, true), out)
    ok(read_all(folder .. "/j.json"):find('"heads": 3', 1, true))
    out = good(small .. "--order packed --brief")
    ok(out:find("Claims are judged with cold caches, of words in linear order.", 1, true), out)
    ok(not read_all(folder .. "/j.json"):find('"claims"', 1, true))
end)

os.execute("rm -rf " .. folder)
test.finish()
