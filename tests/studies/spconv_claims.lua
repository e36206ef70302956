-- Are the statements of docs/claims/spconv.md on the convolution true if they follow from arithmetic? Small inputs on
-- a100: numbers of multiplications, bytes beside the descriptions, and the verdicts that these force.
local heddle = require "heddle"
local board = require "heddle.kit.board"
local claims = require "heddle.spconv.claims"
local crossover = require "heddle.spconv.crossover"
local judge = require "heddle.claims.judge"
local measure = require "heddle.spconv.measure"
local pipeline = require "heddle.spconv.pipeline"
local search = require "heddle.claims.search"
local spconv = require "heddle.spconv.reference"
local sweep = require "heddle.spconv.sweep"
local tables = require "heddle.spconv.tables"
local trials = require "heddle.spconv.trials"
local workload = require "heddle.spconv.workload"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

local bench = measure.new(board.read(heddle.new(), "a100"), {})
local methods = pipeline.methods
local c = workload.scan(bench.ctx, {scan = "street", cells = {16, 16, 8}}, "nchw", true)
local found = bench:input(c, methods)
local swept = {}
for i, geometry in ipairs(workload.geometries(1024)) do
    swept[i] = sweep.new(bench, geometry.name, workload.problem(geometry, "nchw"), geometry.upto)
    swept[i]:fill(methods)
end

-- Calls visit(by, p, active windows, pairs or nil) for every input.
local function each(visit)
    visit(found.by, c.p, c.windows, c.pairs)
    for _, s in ipairs(swept) do
        for _, point in ipairs(s.points) do
            visit(point.by, s.p, point.windows, math.floor(point.q * s.p.volume * point.windows + 0.5))
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
        local want = crossover.macs(p, windows, pairs_found)
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

case("sums over tensors agree with the whole", function()
    each(function(by)
        for method, row in pairs(by) do
            local l1, l2 = 0, 0
            for name_of, t in pairs(row.tensors) do
                l1, l2 = l1 + t.l1_bytes, l2 + t.l2_bytes
                ok(t.l1_useful <= t.l1_bytes and t.l2_useful <= t.l2_bytes and t.dram_useful <= t.dram_bytes, name_of)
                local atomics = pipeline.by[method].work == "rulebook" -- L1 serves some; L2 twice an atomic
                ok(t.l2_useful <= t.l1_useful or atomics, name_of)
            end
            equal({l1, l2}, {row.l1_bytes, row.l2_bytes}, method)
            ok(row.drained >= row.cycles and row.energy > 0, method)
        end
    end)
end)

local function cost_of(key) return function(row) return row[key] end end

case("bytes turn where the descriptions say, about", function()
    for _, s in ipairs(swept) do
        local masked = s:turn({"unfold"}, {"im2col"}, cost_of "board_bytes")
        local predicted = crossover.turn(s.p, {cached = true})
        if s.upto and predicted > s.upto + 0.1 then
            equal({masked.always, masked.from, masked.to}, {true, s.densities[1], s.densities[#s.densities]}, s.name)
        else
            equal(#masked.turns, 1)
            ok(math.abs(masked.turns[1].at - predicted) < 0.1, s.name)
        end
        equal(search.text(s:turn({"unfold"}, {"implicit unmasked"}, cost_of "board_bytes")), "never", s.name)
        equal(s:turn({"unfold"}, {"rulebook"}, cost_of "macs_asked").always, false, s.name)
    end
end)

case("a crossover lies between two densities that were measured, within the tolerance", function()
    local s = swept[3]
    local turn = s:turn({"unfold"}, {"im2col"}, cost_of "board_bytes").turns[1]
    ok(turn.first <= (1 + search.TOLERANCE) * turn.last)
    for density, wins in pairs {[turn.last] = true, [turn.first] = false} do
        local ratio = s:row("im2col", density).board_bytes / s:row("unfold", density).board_bytes
        equal(0.98 * ratio > 1, wins, density)
    end
    ok(s.worst < 0.03, s.worst) -- of a cost between two densities
end)

case("a dense method whose mask alone is measured costs what it costs as a whole", function()
    local p = workload.problem({size = {24, 24}, channels = 4, filters = 8}, "nchw")
    local few, more = workload.random(bench.ctx, p, 0.1), workload.random(bench.ctx, p, 0.5)
    for _, method in ipairs {"dense-direct", "im2col", "implicit"} do
        local whole = bench:run(more, method)
        local like = bench:run(more, method, {like = bench:run(few, method)})
        ok(like.verified and whole.verified, method)
        for _, key in ipairs {"drained", "board_bytes", "energy", "macs", "launches", "l1_useful", "l2_bytes"} do
            equal(like[key], whole[key], method .. ", " .. key)
        end
    end
end)

-- Warm: none of the method's own data is read from the board's memory again; the rest is read once.
case("with warm caches small tensors stay in L2", function()
    local warm = measure.new(board.read(heddle.new(), "a100"), {warm = true})
    for _, method in ipairs {"unfold", "im2col", "rulebook"} do
        local row, cold = warm:run(c, method), found.by[method]
        ok(row.verified and row.board_bytes < cold.board_bytes and row.cycles < cold.cycles, method)
        equal(row.macs, cold.macs, method)
        if method ~= "rulebook" then -- its table is filled in another order
            equal({row.l1_bytes, row.l2_bytes}, {cold.l1_bytes, cold.l2_bytes}, method)
        end
        equal(row.tensors.columns and row.tensors.columns.dram_bytes or 0, 0, method)
    end
end)

case("a study that takes long says so before it begins", function()
    local p = assert(spconv.problem {size = {1000, 1000}, channels = 10, filters = 10, kernel = {1, 3}})
    local function warning(windows, names, boards)
        return tables.warning(p, {windows = windows, active = windows, methods = names, boards = boards})
    end
    equal(warning(1e5, {"unfold"}, 1), nil) -- 300 a window, and those of the reference: a tenth
    equal(warning(1e6, {"unfold"}, 2), nil)
    equal(warning(1e6, {"unfold"}, 3), "up to 1.2e+09 multiplications are to be simulated, which may take long")
    equal(warning(1e5, {"unfold", "im2col", "implicit", "dense-direct", "rulebook"}, 2),
        "up to 1.9e+09 multiplications are to be simulated, which may take long; with --method unfold 6.3e+07")
end)

case("verdicts that arithmetic forces", function()
    local entry, verdict = trials.measure(bench, {methods = methods, method = "all", layout = "nchw", scans = "made",
        brief = true, positions = 8192}), {}
    for _, v in ipairs(judge.all(claims.rows, claims.metrics, entry.trials)) do
        verdict[v.id] = v.verdict
        ok(#v.claim <= 44, v.id)
    end
    for id, want in pairs {host = "holds", ["one-window"] = "holds", ["macs-dense"] = "holds",
        ["macs-rulebook"] = "does not hold", ["bytes-im2col"] = "holds", ["bytes-implicit-alone"] = "does not hold",
        ["bytes-indexed"] = "does not hold"} do
        equal(verdict[id], want, id)
    end
end)

case("the masked row of a dense method is its own and the stages that mask", function()
    for _, method in ipairs {"dense-direct", "im2col", "implicit"} do
        local masked, alone, mask = found.rows[method], found.rows[method .. " unmasked"], 0
        for _, stage in ipairs(masked.stages) do
            mask = mask + (stage.part == "mask" and stage.drained or 0)
        end
        ok(mask > 0 and math.abs(masked.drained - alone.drained - mask) < 1e-6, method)
    end
    equal(found.rows["unfold unmasked"], nil)
end)

test.finish()
