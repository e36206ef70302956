-- Are the reorders that are timed the reorders, do their times follow the board, and do verdicts follow the times?
local heddle = require "heddle"
local board = require "heddle.kit.board"
local claims = require "heddle.reorder.claims"
local clock = require "heddle.reorder.clock"
local fft = require "heddle.signal.fft"
local home = require "heddle.kit.home"
local lists = require "heddle.kit.lists"
local measure = require "heddle.reorder.measure"
local methods = require "heddle.reorder.methods"
local test = require "tests.lib.test"
local cli = require "tests.lib.command"
local case, equal, ok = test.case, test.equal, test.ok

local run, good, folder, read_all = cli.heddle, cli.good, cli.folder, cli.read
local ctx = heddle.new()
local widths = {8, 16, 32, 64}

local function bad(text, arguments)
    local status, out, err = run(arguments)
    equal({status, out}, {2, ""}, arguments)
    ok(err:find(text, 1, true), ("%s: expected %q in %q"):format(arguments, text, err))
end

-- Instructions of one reorder: of the set-up, and of the reorder itself.
local function lengths(name, width)
    local m = methods.get(name, width)
    return #m.setup, #m.body
end

-- ---- the programs ----

-- Returns the origin of element `place` of a run after `count` reorders: its number of 1 + log2 W bits, rotated left.
local function origin(place, width, count)
    for _ = 1, count do
        place = place << 1 & 2 * width - 1 | place // width
    end
    return place
end

-- Launches a program of a method: the result, or an error when it did not reorder.
local function launch(name, width, options)
    local p = ctx:load(methods.source(name, width, options), name)
    equal(p:lint(), "", name)
    local elements = 8 * width * methods.get(name, width).runs
    ctx:buffer("src", "u32", elements, function(i) return i * 2654435761 & 0xffffffff end)
    ctx:buffer("dst", "u32", elements)
    ctx:buffer("spent", "u32", 4)
    local result = ctx:launch(p, {
        grid = 2, block = 2 * width, warp = width, functional = true,
        args = {src = "src", dst = "dst", spent = options.clock and "spent" or nil},
    })
    local source, got = ctx:get "src", ctx:get("dst"):table()
    for i = 0, elements - 1 do
        local place = i % (2 * width)
        local from = name == "none" and i or i - place + origin(place, width, options.count)
        equal(got[i + 1], source[from + 1], ("%s, W = %d, element %d"):format(name, width, i))
    end
    return result
end

case("every program reorders as often as it says", function()
    for _, name in ipairs(methods.names) do
        for _, width in ipairs(widths) do
            for count = 1, 3 do
                launch(name, width, {count = count, warps = 2, recompute = count == 2, clock = count == 3})
            end
        end
    end
end)

-- The timed kernels must be those of kernels/reorder/: the same instructions of each class that moves data.
case("the timed reorders are those of the kernels", function()
    for _, name in ipairs(methods.names) do
        local entry = name:gsub("-", "_")
        local file = io.open(home.path("kernels/reorder/" .. entry .. ".hd"))
        for _, width in ipairs(file and widths or {}) do
            local one = launch(name, width, {count = 1, warps = 2}).classes
            local two = launch(name, width, {count = 2, warps = 2}).classes
            local kernel = ctx:launch(ctx:load(home.path("kernels/reorder/" .. entry .. ".hd")), {
                entry = entry, grid = 2, block = 2 * width, warp = width, functional = true,
                args = {src = "src", dst = "dst", count = ctx:get("src").count},
            }).classes
            for _, class in ipairs {"shfl", "sel", "xpush", "xext", "st.shared", "ld.shared", "bar", "bar.warp"} do
                local each = (two[class] or 0) - (one[class] or 0)
                equal(each, kernel[class] or 0, ("%s, W = %d, %s"):format(name, width, class))
            end
        end
        ok(file or name == "none" or name:find "%-no", name .. " is not a kernel")
    end
end)

case("as many instructions as the method's description says", function()
    for name, want in pairs {transit1 = 8, transit2 = 10, shuffle2 = 6, shuffle4 = 6, butterfly = 20,
        ["shared-linear"] = 5, ["shared-vector"] = 4, ["shared-scatter"] = 5, ["shared-four"] = 5} do
        equal(select(2, lengths(name, 32)), want, name)
    end
end)

case("as many instructions as the lengths say", function()
    for _, name in ipairs(methods.names) do
        local setup, body = lengths(name, 32)
        local function issued(options)
            options.warps = 2
            return launch(name, 32, options).warp_instructions / 4
        end
        equal(issued {count = 2} - issued {count = 1}, body + 0.0, name)
        equal(issued {count = 2, recompute = true} - issued {count = 1, recompute = true}, setup + body + 0.0, name)
    end
end)

case("the FFT is the same with every reorder in it", function()
    local names = lists.map(methods.names, function(name) return methods.get(name, 32).runs == 1 and name or nil end)
    for _, name in ipairs {"shuffle2", "shuffle4", "shared-linear", "shared-vector", "shared-scatter"} do
        names[#names + 1] = name .. "-fused"
    end
    for _, width in ipairs(widths) do
        local want
        for _, kernel in ipairs {"rfft_warp", "rfft_many"} do
            local path = home.path("kernels/fft/" .. kernel .. ".hd")
            local text, entry = read_all(path), kernel == "rfft_many" and "rfft_many_" .. width or nil
            ctx:buffer("x", "f32", 16 * width, function(i) return math.sin(i * i) end)
            ctx:buffer("tw", "f32", 4 * width, fft.table(2 * width))
            for _, name in ipairs(names) do
                ctx:buffer("spectrum", "c64", {8, width + 1})
                local p = ctx:load(name == "none" and text or methods.inside(text, name, width, 2), path)
                equal(p:lint(), "", name)
                ctx:launch(p, {
                    entry = entry, grid = kernel == "rfft_many" and 2 or 4, block = 2 * width, warp = width,
                    functional = true, args = {x = "x", spectrum = "spectrum", tw = "tw", frames = 8, n = 2 * width},
                })
                want = want or ctx:get("spectrum"):bytes()
                ok(ctx:get("spectrum"):bytes() == want, ("%s in %s, W = %d"):format(name, kernel, width))
            end
        end
    end
end)

-- ---- times ----

local teach = board.read(ctx, "teach32")

case("a board's values are read", function()
    equal(teach.values.warp_width, 32)
    equal(math.type(teach.values["latency.xext"]), "integer")
    equal(board.read(ctx, "teach32", {"latency.xext=77", "sms=3"}).values["latency.xext"], 77)
    ok(teach.basis["energy.shared"])
end)

-- For methods with simple dependences the cycles are known.
case("a reorder alone takes what its dependences say", function()
    local m, v = clock.new(teach, 32), teach.values
    local i, a = 32 // v["lanes.xlane"], 32 // v["lanes.alu"]
    local shfl, sel, push, extract = v["latency.shfl"], v["latency.sel"], v["latency.xpush"], v["latency.xext"]
    equal(m:alone "none", 0)
    equal(m:alone "transit1", shfl + 3 * push + extract + i)
    equal(m:alone "transit2", 2 * shfl + 3 * push + extract + i)
    equal(m:alone "shuffle2", shfl + 2 * sel + math.max(i, a) + a)
    equal(m:alone "butterfly", 5 * (shfl + 2 * sel + a))
    for _, more in ipairs {1, 10, 100} do
        m:with({["latency.xext"] = extract + more}, function()
            equal(m:alone "transit1", shfl + 3 * push + extract + i + more)
        end)
    end
end)

-- Cycles of every method, by the study's own formulas.
case("predicted cycles are measured cycles", function()
    for _, width in ipairs(widths) do
        for name, b in pairs {teach32 = teach, a100 = width == 32 and board.read(heddle.new(), "a100") or nil} do
            local m = clock.new(b, width)
            for _, method in ipairs(methods.names) do
                local row = measure.method(m, method)
                equal((row.predicted or 0) + 0.0, row.latency + 0.0, ("%s on %s"):format(method, name))
            end
        end
    end
end)

case("what is not used costs nothing", function()
    local m = clock.new(teach, 32)
    local names = {"transit1", "shuffle2", "shared-vector", "shared-vector-block"}
    local uses = {["latency.xext"] = "transit1", ["barrier.cycles"] = "shared-vector-block"}
    for key, user in pairs(uses) do
        for _, name in ipairs(names) do
            local before = m:alone(name)
            local after = m:with({[key] = teach.values[key] + 50}, function() return m:alone(name) end)
            equal(after - before, name == user and 50 or 0, name .. " " .. key)
        end
    end
end)

case("a reorder in a row is no slower than alone", function()
    local m = clock.new(teach, 32)
    for _, name in ipairs(methods.names) do
        local alone, row, runs = m:alone(name), m:in_a_row(name), methods.get(name, 32).runs
        ok(row <= alone and row >= alone - 8 * runs, ("%s: %s alone, %s in a row"):format(name, alone, row))
        local full = m:full(name)
        ok(full.cycles <= row, name)
        local setup, body = lengths(name, 32)
        equal(full.instructions, body / runs, name)
        equal(m:full(name, true).instructions, (setup + body) / runs, name)
        ok(full.cycles >= body / runs / teach.values["sm.sub_cores"] - 1e-9, name)
        equal(full.passes > 0, name:find "^shared" ~= nil, name)
        ok(name == "none" or full.energy_nj > 0, name)
    end
end)

case("a reorder that is wrong is not timed", function()
    local m, source = clock.new(teach, 32), methods.source
    methods.source = function(name, ...) -- the phases of the extract change places
        return (source(name, ...):gsub("x0, 0 ", "x0, 1 "))
    end
    local wrong, message = pcall(m.alone, m, "transit1")
    local right = pcall(m.alone, m, "shuffle2")
    methods.source = source
    ok(not wrong and message:find("transit1: the result is not the definition's", 1, true), message)
    ok(right)
end)

case("passes are those of the description", function()
    local passes = {
        [8] = {4, 3, 4, nil, 1}, [16] = {4, 3, 4, nil, 2}, [32] = {6, 4, 4, 6, 4}, [64] = {12, 8, 8, 12, 8},
    }
    for width, want in pairs(passes) do
        local m = clock.new(teach, width)
        for i, name in ipairs {"shared-linear", "shared-vector", "shared-scatter", "shared-scatter-nopad",
            "shared-four"} do
            if want[i] then
                equal(m:full(name).passes, want[i] + 0.0, ("%s, W = %d"):format(name, width))
            end
        end
    end
end)

-- ---- verdicts ----

-- The verdict on a claim, from the JSON of the command.
local function verdict(arguments, id)
    good(("study reorder --board teach32 --json %s/j %s"):format(folder, arguments))
    return read_all(folder .. "/j"):match('"id": "' .. id .. '".-"verdict": "([%a ]+)"')
end

case("a verdict turns with the board", function()
    local id = "latency%.shuffle2"
    equal(verdict("--brief --set latency.shfl=500", id), "does not hold")
    equal(verdict("--brief --set latency.shfl=1", id), "holds")
end)

-- True if a method of the claim beats all its rivals, alone and with addresses kept.
local function beats(m, row, values)
    local function least(names)
        local best = math.huge
        for _, name in ipairs(names) do
            best = math.min(best, methods.by[name] and m:alone(name) or best)
        end
        return best
    end
    return m:with(values, function() return least(row.methods) < least(row.rivals) end)
end

-- With quick lanes shuffle4 is the strongest rival, otherwise shuffle2.
case("a crossover is where the order changes, against all rivals", function()
    for lanes, strongest in pairs {[8] = "shuffle2", [32] = "shuffle4"} do
        local m, turned = clock.new(board.read(heddle.new(), "teach32", {"lanes.xlane=" .. lanes}), 32), 0
        local rows = lists.by(claims.rows, "id")
        local at = {methods = lists.map(methods.names, function(name) return {name = name} end)}
        local turns = measure.crossovers(m, at)
        local map, transit = measure.map(m, at)
        turns.transit = transit
        equal(map.x.values, {"other shuffles", "shared memory"})
        ok(m:alone(strongest) < m:alone(strongest == "shuffle2" and "shuffle4" or "shuffle2"), strongest)
        for id, list in pairs(turns) do
            for _, c in ipairs(list) do
                local one = c.param:find "^latency" and rows[id].metric == "alone" and c.found.turns and
                    c.found.turns[1]
                if one then
                    local other, fixed = (c.label or "xpush " .. m.board.values["latency.xpush"]):match "(%a+) (%d+)"
                    local function at_value(value)
                        return beats(m, rows[id], {["latency." .. other] = tonumber(fixed), [c.param] = value})
                    end
                    equal({at_value(one.last), at_value(one.first)}, {one.below, not one.below}, id .. " " .. c.param)
                    equal(one.first, one.last + 1)
                    turned = turned + 1
                end
            end
        end
        ok(turned > 0, "nothing turned")
    end
end)

case("a method that uses nothing of a part does not depend on its values", function()
    local m = clock.new(teach, 32)
    for _, key in ipairs {"latency.xext", "latency.shfl", "lanes.xlane", "shared.latency", "shared.pass_cycles"} do
        for _, name in ipairs(methods.names) do
            if not measure.uses(name, key) then
                local before, full = m:alone(name), m:full(name)
                m:with({[key] = teach.values[key] + 3}, function()
                    equal({m:alone(name), m:full(name).cycles}, {before, full.cycles}, name .. " " .. key)
                end)
            end
        end
    end
end)

case("what was measured before changes nothing", function()
    local function costs(m)
        return {m:full("shuffle2").cycles, m:alone "shuffle2", m:in_a_row("shuffle2", 4),
            m:fft("shuffle2", "loaded").cycles, m:fft("shuffle2", "kept").cycles}
    end
    local one = clock.new(board.read(heddle.new(), "a100"), 32)
    local many = clock.new(board.read(heddle.new(), "a100"), 32)
    many:full "transit1"
    many:fft("shared-linear-fused", "kept")
    many.ctx:buffer("other", "u32", 12345)
    many:in_a_row("shared-vector-block", 8)
    equal(costs(many), costs(one))
end)

local all -- what a brief study of all methods on teach8 prints, and its JSON: a study of 6 s
local function brief()
    all = all or {good(("study reorder --board teach8 --brief --details --json %s/all"):format(folder)),
        read_all(folder .. "/all")}
    return table.unpack(all)
end

case("one method alone has the rows that it has among all", function()
    local function row(text)
        for one in text:match('"methods": (%b[])'):gmatch "%b{}" do
            if one:find('"name": "shuffle2"', 1, true) then
                return one
            end
        end
    end
    good(("study reorder --board teach8 --brief --method shuffle2 --json %s/j"):format(folder))
    local alone = row(read_all(folder .. "/j"))
    ok(alone)
    equal(alone, row(select(2, brief())))
end)

case("threads of this computer change nothing", function()
    local function facts(threads)
        good(("study reorder --board teach8 --method shuffle2 --threads %d --json %s/j"):format(threads, folder))
        return read_all(folder .. "/j")
    end
    ok(facts(1) == facts(2))
end)

-- ---- the command ----

case("the study on a board", function()
    local out = good(("study reorder --board teach8 --json %s/j"):format(folder))
    ok(out:find("Board teach8, one SM of 1; W = 8;", 1, true), out)
    ok(out:find("claim[, where]* +verdict +ratio"), out)
    ok(out:find(" against ", 1, true), out)
    ok(not out:find("8-byte load", 1, true), out)
    out = brief()
    for _, name in ipairs {"transit1", "shared-vector-block", "8-byte load"} do
        ok(out:find("\n  " .. name, 1, true), name)
    end
    local json = read_all(folder .. "/j")
    for _, key in ipairs {"latency", "latency_unhoisted", "in_a_row", "full", "full_unhoisted", "predicted", "passes",
        "instructions", "address_instructions", "energy_nj", "shared_bytes", "blocks_by_shared", "crossovers",
        "verdict"} do
        ok(json:find('"' .. key .. '": ', 1, true), key)
    end
    out = good "study reorder --board teach32 --warp 16 --method shuffle2 --set latency.shfl=30"
    ok(out:find("W = 16 instead of the board's 32", 1, true) and out:find("latency.shfl=30", 1, true), out)
    ok(not out:find("transit1", 1, true), out)
end)

case("the study's options that do not go together", function()
    bad("--board", "study reorder --set latency.shfl=3")
    bad("--board", "study reorder --method none")
    bad("--out: with --board it goes with --in", "study reorder --board teach8 --out x.npy")
    bad("x.npy: No such file", "study reorder --board teach8 --in x.npy")
    bad("--details: it is of the claims", "study reorder --board teach8 --in x.npy --details")
    bad("--board all", "study reorder --board all --in x.npy")
    bad("KEY=VALUE", "study reorder --board teach8 --set latency.shfl")
    bad("latency.shfl", "study reorder --board teach8 --set latency.shfk=3")
    bad("there is no board 'teach9'", "study reorder --board teach9")
    bad("/nowhere.yaml", "study reorder --board /nowhere.yaml")
end)

case("data of one's own are timed, and reordered as without a board", function()
    local path = folder .. "/mine.npy"
    heddle.write(path, ctx:buffer("mine", "f32", {5, 41}, function(i) return math.sin(i) end):npy())
    for _, width in ipairs {8, 64} do
        local arguments = ("study reorder --in %s --warp %d --method shuffle2 --out %s/"):format(path, width, folder)
        local out = good(arguments .. "timed.npy --board teach8 --json " .. folder .. "/j")
        ok(out:find("cycles do not depend on the data", 1, true), out)
        ok(tonumber(read_all(folder .. "/j"):match '"cycles": (%d+)') > 0)
        good(arguments .. "plain.npy")
        equal(read_all(folder .. "/timed.npy"), read_all(folder .. "/plain.npy"))
    end
    heddle.write(path, ctx:buffer("mine", "f32", {512}, function(i) return i end):npy()) -- 16 warps of work; 8 fit
    good(("study reorder --in %s --warp 8 --method shuffle2 --board teach32"):format(path))
end)

case("a board at the edge of its values is measured", function()
    good "study reorder --board teach8 --brief --set lanes.xlane=64 --set shared.pass_cycles=64"
    good "study reorder --board teach8 --brief --set sm.max_warps=3 --set max_threads_per_block=32"
end)

-- The claims about what is left are judged.
case("what a board has no room for is left out", function()
    for set, text in pairs {["max_registers_per_thread=24"] = "FFT by 8%-byte load, .* cannot run: kernel 'rfft_warp'",
        ["max_shared_per_block=4096"] = "shared%-scatter, shared%-scatter%-block cannot run: kernel 'reorders'"} do
        local out = good(("study reorder --board teach32 --brief --set %s --json %s/j"):format(set, folder))
        ok(out:gsub("%s+", " "):find(text), out)
        local json = read_all(folder .. "/j")
        ok(json:find('"id": "latency.transit1"', 1, true), set)
        equal(json:find('"id": "fft.transit1"', 1, true) ~= nil, set:find "shared" ~= nil, set)
        good(("study reorder --board teach32 --brief --details --whole --method transit1 --set %s"):format(set))
    end
    local status, _, err = run "study reorder --board teach32 --set max_registers_per_thread=8"
    equal(status, 2)
    ok(err:find("registers; board 'teach32' gives a thread at most 8", 1, true), err)
end)

case("the program that is timed can be seen", function()
    for _, name in ipairs(methods.names) do
        local text = good("study reorder --warp 64 --source " .. name)
        equal(ctx:load(text, name):kernels()[1].widths, {64}, name)
    end
end)

test.finish()
