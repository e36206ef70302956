-- Does what docs/claims/spconv.md says of the convolution hold where it follows from arithmetic? Small inputs on a100:
-- numbers of multiplications, bytes beside the descriptions, and the verdicts that these force.
package.path = "scripts/lib/?.lua;" .. package.path
local heddle = require "heddle"
local board = require "heddle.kit.board"
local claims = require "heddle.spconv.claims"
local costs = require "heddle.spconv.costs"
local crossover = require "heddle.spconv.crossover"
local measure = require "heddle.spconv.measure"
local pipeline = require "heddle.spconv.pipeline"
local runs = require "heddle.spconv.runs"
local spconv = require "heddle.spconv.reference"
local workload = require "heddle.spconv.workload"
local test = require "heddle.kit.test"
local case, equal, ok = test.case, test.equal, test.ok

local bench = measure.new(board.read(heddle.new(), "a100"), {})
local entry = runs.workloads(bench, {methods = pipeline.methods, layout = "nchw", positions = 1024, scans = "made"})
local c, name = workload.scan(bench.ctx, {scan = "street", cells = {16, 16, 8}}, "nchw", true)
entry.scans = {runs.input(bench, c, pipeline.methods)}
entry.scans[1].name, entry.scans[1].case = name, c

-- Calls visit(by, p, active windows, pairs or nil) for every input.
local function each(visit)
    visit(entry.scans[1].by, c.p, c.windows, c.pairs)
    for _, sweep in ipairs(entry.sweeps) do
        for _, point in ipairs(sweep.points) do
            visit(point.by, sweep.p, point.windows, math.floor(point.q * sweep.p.volume * point.windows + 0.5))
        end
    end
end

case("every result is right", function()
    each(function(by)
        for method, row in pairs(by) do
            ok(row.verified, method .. ": " .. tostring(row.difference))
        end
    end)
end)

case("multiplications by shape are those of the descriptions", function()
    each(function(by, p, windows, pairs_found)
        local want = costs.macs(p, windows, pairs_found)
        equal(by.unfold.macs_asked, want.unfold)
        equal(by["indexed-implicit"].macs_asked, want.unfold)
        equal(by.rulebook.macs_asked, want.rulebook)
        for _, method in ipairs {"dense-direct", "im2col", "implicit"} do
            equal(by[method] and by[method].macs_asked or want.dense, want.dense, method)
        end
        for method, row in pairs(by) do
            equal(row.macs_useful, want.rulebook, method)
            ok(row.macs >= row.macs_useful, method)
        end
    end)
end)

case("sums over stages and tensors agree with the whole", function()
    each(function(by)
        for method, row in pairs(by) do
            local l1, l2 = 0, 0
            for name_of, t in pairs(row.tensors) do
                l1, l2 = l1 + t.l1_bytes, l2 + t.l2_bytes
                ok(t.l1_useful <= t.l1_bytes and t.l2_useful <= t.l2_bytes and t.dram_useful <= t.dram_bytes, name_of)
                ok(t.l2_useful <= t.l1_useful, name_of) -- what L1 serves comes no further
            end
            equal({l1, l2}, {row.l1_bytes, row.l2_bytes}, method)
            local cycles, bytes = 0, 0
            for _, stage in ipairs(row.stages) do
                cycles, bytes = cycles + stage.cycles, bytes + stage.board_bytes
            end
            equal({cycles, bytes}, {row.cycles, row.board_bytes}, method)
            ok(row.drained >= row.cycles and row.energy > 0, method)
        end
    end)
end)

case("bytes turn where the descriptions say, about", function()
    for _, sweep in ipairs(entry.sweeps) do
        for _, x in ipairs(sweep.crossovers) do
            local where = sweep.name .. ", " .. x.baseline .. ", " .. x.measure
            if x.baseline == "im2col" and x.key == "board_bytes" then
                ok(math.abs(x.masked.at[1] - x.predicted) < 0.1, where)
            elseif x.baseline == "implicit" and x.key == "board_bytes" then
                equal({x.predicted, #x.alone.at, x.alone.below}, {"never", 0, false}, where)
            elseif x.key == "macs_asked" and crossover.dense[x.baseline] then
                ok(x.masked.below and #x.masked.at == 0 and x.predicted == "always", where)
            elseif x.key == "macs_asked" and x.baseline == "rulebook" then
                ok(x.masked.below == false and #x.masked.at == 0, where)
            end
        end
    end
end)

-- Warm: nothing that the method made itself comes from the board's memory again; what is left is left once.
case("with warm caches small tensors stay in L2", function()
    local warm = measure.new(board.read(heddle.new(), "a100"), {warm = true})
    for _, method in ipairs {"unfold", "im2col", "rulebook"} do
        local row, cold = warm:run(c, method), entry.scans[1].by[method]
        ok(row.verified and row.board_bytes < cold.board_bytes and row.cycles < cold.cycles, method)
        equal({row.l1_bytes, row.l2_bytes, row.macs}, {cold.l1_bytes, cold.l2_bytes, cold.macs}, method)
        equal(row.tensors.columns and row.tensors.columns.dram_bytes or 0, 0, method)
    end
end)

case("a study that takes long says so before it begins", function()
    local p = assert(spconv.problem {size = {1000, 1000}, channels = 10, filters = 10, kernel = {1, 3}})
    local function warning(windows, methods, boards)
        return runs.warning(p, {windows = windows, active = windows, methods = methods, boards = boards})
    end
    equal(warning(1e5, {"unfold"}, 1), nil) -- 300 a window, and those of the reference: a tenth
    equal(warning(1e6, {"unfold"}, 2), nil)
    equal(warning(1e6, {"unfold"}, 3), "up to 1.2e+09 multiplications are to be simulated, which may take long")
    equal(warning(1e5, {"unfold", "im2col", "implicit", "dense-direct", "rulebook"}, 2),
        "up to 1.9e+09 multiplications are to be simulated, which may take long; with --method unfold 6.3e+07")
end)

case("verdicts that arithmetic forces", function()
    local verdict = {}
    for _, claim in ipairs(claims.judge(entry)) do
        verdict[claim.id] = claim.verdict
        ok(#claim.text > 20 and not claim.text:find "nil", claim.id)
        equal(claim.condition ~= nil, claim.verdict == "holds when", claim.id)
    end
    equal(verdict.host, "holds")
    equal(verdict["one-window"], "holds")
    equal(verdict["macs-rulebook"], "does not hold")
    equal(verdict["bytes-implicit-alone"], "does not hold")
    equal(verdict["bytes-indexed"], "does not hold")
    equal(verdict["bytes-im2col"], "holds when") -- at density 1 there is nothing to gain
end)

case("a verdict turns with the costs", function()
    local function row(cycles) return {drained = cycles, macs_asked = cycles, stages = {}} end
    local function judged(...)
        local made = {scans = {}}
        for i, pair in ipairs {...} do
            made.scans[i] = {name = "s" .. i, case = {density = i / 10, active = 1, windows = 1},
                by = {["dense-direct"] = row(pair[2]), unfold = row(pair[1])}}
            made.scans[i].by.unfold.host_bytes = 4
        end
        for _, claim in ipairs(claims.judge(made)) do
            if claim.id == "time-direct" then
                return claim.verdict, claim.condition
            end
        end
    end
    equal(judged({100, 150}, {100, 120}), "holds")
    equal(judged({100, 50}, {100, 101}), "does not hold") -- within two percent is no gain
    equal({judged({100, 150}, {100, 90})}, {"holds when",
        "few positions are active: at densities up to 0.1, not at 0.2"})
    -- Not told apart by density: the fewer are named.
    equal({judged({100, 90}, {100, 150})}, {"holds when", "the input is not s1 (on 1 of 2)"})
    equal({judged({100, 90}, {100, 150}, {100, 150})}, {"holds when", "the input is not s1 (on 2 of 3)"})
    equal({judged({100, 90}, {100, 150}, {100, 80})}, {"holds when", "the input is s2 (on 1 of 3)"})
    equal({judged({100, 90}, {100, 90}, {100, 150}, {100, 150})}, {"holds when",
        "the input is none of s1; s2 (on 2 of 4)"})
    equal({judged({100, 90}, {100, 150}, {100, 150}, {100, 80}, {100, 70})}, {"holds when",
        "the input is one of s2; s3 (on 2 of 5)"})
end)

test.finish()
