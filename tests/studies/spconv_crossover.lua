-- Does `heddle study spconv` find where the order of costs turns, and set an input beside that? In closed form where
-- there is one; runs the command $HEDDLE.
local heddle = require "heddle"
local cli = require "tests.lib.command"
local spconv = require "heddle.spconv.reference"
local test = require "tests.lib.test"
local workload = require "heddle.spconv.workload"
local case, equal, ok = test.case, test.equal, test.ok

local folder, says = cli.folder, cli.says
local ctx = heddle.new()
local _, printed = cli.study "spconv"

local function good(arguments)
    return printed(arguments), cli.read(folder .. "/j.json")
end

local function save(name, ...)
    return cli.save(name, "f32", ...)
end

-- ---- one input ----

-- Finds a baseline and a measure in the JSON; `written` is that of unfold-all.
local function point(text, baseline, key)
    for _, found in ipairs(heddle.parse(text, "j.json").boards[1].crossovers) do
        if found.baseline == baseline and found.key == key then
            return found
        end
    end
end

-- 5 x 5, one active position in the middle and one in a corner, kernel 3 x 3, padded: two windows of 25, q = 2 / 18.
local function two_windows()
    save("x", {1, 1, 5, 5}, function(i) return (i == 13 or i == 1) and 1 or 0 end)
    save("w", {1, 1, 3, 3}, 1)
end

local function rounded(v) return ("%.12f"):format(v) end

case("an input lies on one side of what is predicted", function()
    two_windows()
    local out, text = good "--x x.npy --weight w.npy --json j.json"
    local bytes = point(text, "im2col", "board_bytes")
    equal({rounded(bytes.predicted), bytes.expected}, {rounded((2 * 9 - 1) / (3 * 9 + 3)), "less"})
    equal(rounded(bytes.written.predicted), rounded((2 * 9 - 1) / (2 * 9 + 3))) -- without what zeroes the matrix
    equal(bytes.written.expected, "less")
    bytes = point(text, "im2col", "l1_useful")
    equal({rounded(bytes.predicted), rounded(bytes.written.predicted)},
        {rounded((3 * 9 - 1) / (4 * 9 + 3)), rounded((3 * 9 - 1) / (3 * 9 + 3))})
    local macs = point(text, "implicit", "macs_asked")
    equal({macs.predicted, macs.expected, macs.found, macs.ratio, macs.alone_ratio},
        {"always", "less", "less", 25 / 2, 25 / 2})
    macs = point(text, "rulebook", "macs_asked")
    equal({macs.predicted, macs.expected, macs.found, macs.ratio}, {"never", "more", "more", 2 / 18})
    bytes = point(text, "implicit", "board_bytes")
    equal({bytes.predicted, bytes.expected}, {"never", "more"})
    equal(point(text, "indexed-implicit", "macs_asked").found, "equal")
    says(out, "the prediction at this input's 8 %")
    says(out, "im2col DRAM bytes below less") -- 0.567 is in the next line of the cell
    says(out, "0.567")
    says(out, "One input measures one point.")
end)

case("a full input has nothing to save, an empty one is no trouble", function()
    save("x", {1, 1, 5, 5}, 1)
    save("w", {1, 1, 3, 3}, 1)
    local _, text = good "--x x.npy --weight w.npy --pad valid --brief --json j.json"
    for _, baseline in ipairs {"implicit", "rulebook"} do
        local macs = point(text, baseline, "macs_asked")
        equal({macs.expected, macs.found, macs.ratio}, {"equal", "equal", 1}, baseline)
    end
    equal(point(text, "im2col", "board_bytes").expected, "more")
    save("x", {1, 1, 5, 5}, 0)
    _, text = good "--x x.npy --weight w.npy --json j.json"
    equal(point(text, "im2col", "board_bytes").expected, "less")
end)

case("in fp16 the product and the result stay fp32, in prediction and in what is counted", function()
    two_windows()
    local out, text = good "--x x.npy --weight w.npy --dtype fp16 --json j.json"
    equal(rounded(point(text, "im2col", "board_bytes").predicted), rounded((2 * 18 - 2) / (3 * 18 + 3 * 4)))
    says(out, "for this shape in fp16 (products and results in fp32)")
    says(out, "x and weights in fp16, products and results in fp32")
end)

case("one method: what is predicted of it, and what is not known", function()
    two_windows()
    local out, text = good "--x x.npy --weight w.npy --method im2col --json j.json"
    equal(point(text, "im2col", "board_bytes").expected, "less")
    equal(point(text, "im2col", "board_bytes").found, nil)
    equal(point(text, "implicit", "board_bytes"), nil)
    says(out, "Only one side of the comparison was run; --method all runs both.")
    out, text = good "--x x.npy --weight w.npy --method unfold --json j.json"
    ok(point(text, "implicit", "board_bytes") and point(text, "rulebook", "macs_asked"))
    says(out, "Only one side of the comparison was run")
    ok(not good "--x x.npy --weight w.npy --method unfold-all":find "Where unfolding costs less")
end)

case("--crossover measures where the order turns for the shape of the input", function()
    save("x", {1, 2, 12, 16}, function(i) return i % 9 == 0 and 1 or 0 end)
    save("w", {3, 2, 3, 3}, 1)
    local out, text = good "--x x.npy --weight w.npy --stride 2,1 --crossover --brief --json j.json --plot p.html"
    says(out, "Random occupancy, 1 grid of 12x16, 2 channels to 3 filters; kernel 3x3, stride 2x1")
    ok(not out:find "One input measures one point", out)
    local _, points = text:gsub('\n              "density": ', "")
    ok(points >= 4, points) -- of five densities, those with one of 192 positions active
    local _, wrong = text:gsub('"verified": false', "")
    equal(wrong, 0)
    ok(text:find('"name": "this shape"', 1, true))
    says(out, "Fewer bytes than im2col")
    local picture = heddle.parse(cli.read(folder .. "/p.html"):match(
        '<figure id="spconv%-a100%-this%-shape%-bytes">.-<script type="application/json">(.-)</script>'), "the picture")
    equal({picture.kind, picture.log_y, picture.unit}, {"curves", true, "B"})
    equal({picture.roles.unfold, picture.roles.im2col}, {"proposed", "rival"})
    out = good "--x x.npy --weight w.npy --stride 16 --crossover --brief --method implicit" -- a single output
    says(out, "have the same number of active windows")
    local one = good "--x x.npy --weight w.npy --crossover --method implicit --brief"
    ok(one:find "implicit" and not one:find "im2col", one)
end)

case("a sweep has the densities whose matrix fits, each with other windows", function()
    local wide = assert(spconv.problem {size = {300, 300}, kernel = 120, channels = 1, filters = 1})
    equal({workload.densities_of(wide, 4)}, {{0.001, 0.01, 0.1, 0.3}, true}) -- in full 5.2 GB
    equal({workload.densities_of(wide, 2)}, {{0.001, 0.01, 0.1, 0.3, 1}, false})
    local few = assert(spconv.problem {size = {5, 5}, kernel = 3, channels = 1, filters = 1})
    equal({workload.densities_of(few, 4)}, {{0.1, 0.3, 1}, false}) -- of 25 positions one is active
end)

-- ---- several boards ----

case("several boards: one after the other", function()
    two_windows()
    local out, text = good "--x x.npy --weight w.npy --brief --board a100,teach8 --out y.npy --json j.json"
    ok(out:find("Board a100, W = 32", 1, true) < out:find("Board teach8, W = 8", 1, true), out)
    local _, boards = text:gsub('\n      "board": ', "")
    equal(boards, 2)
    local p = assert(spconv.problem {size = {5, 5}, kernel = 3, channels = 1, filters = 1})
    local r = spconv.reference(p, ctx:npy("x", folder .. "/x.npy"):bytes(), {1, 1, 1, 1, 1, 1, 1, 1, 1})
    equal(ctx:npy("y", folder .. "/y.npy"):bytes(), spconv.dense(p, r))
end)

case("several boards without an input: a row of verdicts for each claim", function()
    local out = good "--brief --scans made --board a100,teach32 --markdown"
    says(out, "| claim | a100 | teach32 |")
    says(out, "| Needs no work of the host | holds | holds |")
    says(out, "| Fewer multiplications than the rulebook | does not hold | does not hold |")
end)

test.finish()
