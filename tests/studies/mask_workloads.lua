-- Does `heddle study mask` measure the masks that it generates, and report the verdicts on its claims? Runs $HEDDLE.
package.path = "scripts/lib/?.lua;" .. package.path
local test = require "tests.lib.test"
local cli = require "tests.lib.command"
local case, equal, ok = test.case, test.equal, test.ok

local folder, read_all = cli.folder, cli.read
local _, good = cli.study "mask"

case("generated masks, on a small board", function()
    local out = good("--board teach32 --length 32 --length 128 --elements 4096 --text made --json j.json " ..
        "--set l2.bytes=32768")
    for _, text in ipairs {"Board teach32, W = 32, L2 of 32 KiB, cold caches; changed: l2.bytes=32768",
        "\n  claim", "holds", "fortunes-min, shuffled", "on 14 workloads", "--details"} do
        ok(out:find(text, 1, true), text)
    end
    ok(out:find "\n  claim" < out:find "Compared with the definition", "verdicts come first")
    local json = read_all(folder .. "/j.json")
    for _, key in ipairs {"cycles", "drained", "speedup", "speedup_once", "instructions", "sectors_per_request",
        "limiter", "energy", "bytes_per_element", "ideal_bytes", "dram_useful", "dram_moved", "l1_useful",
        "l1_moved", "l2_useful", "l2_moved", "verdict", "condition", "words_bytes", "not_smaller_up_to", "turns"} do
        ok(json:find('"' .. key .. '": ', 1, true), key)
    end
end)

case("details: reasons, costs on every workload, how often to use a mask", function()
    local out = good "--board teach32 --length 32 --length 64 --elements 4096 --brief --text made --details"
    local flat = out:gsub("%s+", " ")
    for _, text in ipairs {"Refuted by an equally fast fill by booleans", "In cycles with launches, of words",
        "uses \\ L 32 64", "Cost of each method at L = 64."} do
        ok(flat:find(text, 1, true), text)
    end
    ok(out:find "\n  1 +bool [%d.]+ +bool [%d.]+\n", out) -- one use never pays
    ok(not out:find("--details", 1, true), out)
end)

case("boards that cannot run some of the methods", function()
    local out = good("--board teach8 --length 8 --elements 64 --text made --set max_threads_per_block=32 --brief " ..
        "--json j.json")
    ok(out:find("bool-vector cannot run: kernel 'bool_vector_b16': a block of 64 threads", 1, true), out)
    local json = read_all(folder .. "/j.json"):gsub("%s+", " ")
    ok(json:find('"claim": "Faster than booleans".-"rival": "bool"'), json)
end)

case("generated masks with words of another width", function()
    local common = "--board teach32 --length 20 --elements 2000 --text made --json j.json "
    for result, bits in pairs {half = 16, int32 = 32, int64 = 64} do
        local more = bits == 32 and "--length 10 --length 20 " or "" -- lengths do not depend on the words
        local out = good(common .. more .. "--result " .. result):gsub("%s+", " ")
        ok(out:find(("words of %d bits"):format(bits), 1, true), out)
        local json = read_all(folder .. "/j.json"):gsub("%s+", " ")
        equal(json:find('"label": "words-heads"', 1, true) ~= nil, bits == 32, result)
        ok(json:find '"id": "as%-they%-are",.-"verdict": "holds"', json)
        local _, causal = json:gsub('"name": "L = 20"', "")
        ok(causal > 0, result)
        local empty = json:gsub('"settings": {}', "")
        ok(not empty:find("{}", 1, true), "a list that is empty is not an object")
    end
end)

case("small masks are not so many that they take minutes", function()
    local out = good "--length 3 --method bool --dtype int8 --text made --json j.json"
    ok(out:gsub("%s+", " "):find("(at most 2,048 images)", 1, true), out)
    ok(read_all(folder .. "/j.json"):find('"n": 2048', 1, true))
end)

case("one method, or one order, on generated masks", function()
    local small = "--board teach32 --length 20 --length 33 --elements 2000 --text made --json j.json --plot p.html "
    good(small .. "--method causal") -- no other kind of mask is that of indices
    ok(not read_all(folder .. "/j.json"):find('"kind": "random"', 1, true))
    good(small .. "--method bits-store-vector")
    local out = good(small .. "--method words-heads --heads 3")
    ok(out:find("3 images of x use one mask.", 1, true), out)
    ok(read_all(folder .. "/j.json"):find('"heads": 3', 1, true))
    out = good(small .. "--order packed --brief")
    ok(out:find("Claims are judged with cold caches, of words in every order.", 1, true), out)
    ok(not read_all(folder .. "/j.json"):find('"claims"', 1, true))
end)

os.execute("rm -rf " .. folder)
test.finish()
