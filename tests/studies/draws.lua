-- Do studies print the range that draws of their board make of each number? Runs the command $HEDDLE.
local heddle = require "heddle"
local test = require "tests.lib.test"
local cli = require "tests.lib.command"
local report = require "heddle.kit.report"
local case, equal, ok = test.case, test.equal, test.ok
local run, good, folder, read_all = cli.heddle, cli.good, cli.folder, cli.read

case("draws of the board give the numbers of a study their ranges", function()
    local gemm, path = "study gemm --size 64,64,64 --board h100 ", folder .. "/u.json"
    local function cycles(more)
        good(gemm .. more .. " --json " .. path)
        local found = heddle.parse(read_all(path))
        return found.cycles, found.uncertainty
    end
    local all = {cycles "", cycles "--set draw=1", (cycles "--set draw=2")}
    local now, drawn = cycles "--uncertainty 2"
    local at = {}
    for _, figure in ipairs(drawn.figures) do
        ok(figure.low < figure.high and not at[figure.at], figure.at)
        at[figure.at] = figure
    end
    equal(drawn.draws, 2)
    equal(now, all[1])
    equal(at["/cycles"].low, math.min(table.unpack(all)))
    equal(at["/cycles"].high, math.max(table.unpack(all)))
    ok(not at["/m"] and at["/stalls/0/share"])
    local count = report.count
    ok(good(gemm .. "--uncertainty 2"):find(("%s (%s to %s)"):format(count(now), count(at["/cycles"].low),
        count(at["/cycles"].high)), 1, true))
    ok(good(gemm .. "--uncertainty 2 --csv"):find(("result,result low,result high\ncycles,%d,%d,%d\n"):format(now,
        at["/cycles"].low, at["/cycles"].high), 1, true))
    ok(not good("study gemm --size 64,64,64 --board teach32 --uncertainty 1"):find " to [%d,]+%)")
    for _, row in ipairs {{"gemm --uncertainty 0", "outside 1 to 1000"},
        {"rfft --uncertainty 2", "goes with --board"}} do
        local status, _, err = run("study " .. row[1])
        ok(status == 2 and err:find(row[2], 1, true), err)
    end
end)

case("a study of several tables and options of its own runs on draws, too", function()
    local path = folder .. "/m.json"
    good("study mask --brief --text made --length 32 --elements 1024 --uncertainty 1 --json " .. path)
    local found = heddle.parse(read_all(path))
    ok(#found.uncertainty.figures > 0)
    ok(not found.settings or not found.settings.draw)
end)

test.finish()
