-- Does a launch that is watched do what it does unwatched, and do its events add up to what it counts?
--
-- Every `;! run` of every kernel that ships is launched on small boards, unwatched and watched: the same bytes, cycles,
-- metrics, lines and traffic. Events of launches that are not too long are then held against the counters.

local heddle = require "heddle"
local case = require "heddle.cases.case"
local checks = require "tests.lib.checks"
local expectations = require "heddle.cases.expectations"
local launches = require "tests.lib.launches"

local report = checks.report
local EVENTS = 4000 -- of a launch that is looked at event by event

local FOUND = {hit = "dram.row_hits", miss = "dram.row_misses", conflict = "dram.row_conflicts"}

local function ones(v)
    local n = 0
    while v ~= 0 do
        v, n = v & v - 1, n + 1
    end
    return n
end

-- Numbers of all events, by the metric that they equal; and what is wrong with the warps' lives.
local function count(context, result)
    local sums, warps, wrong, asked, sent, ways, board = {}, {}, nil, {}, {}, {}, {}
    for _, v in ipairs(context:values()) do
        board[v.key] = v.value
    end
    local function add(name, n)
        sums[name] = (sums[name] or 0) + n
    end
    local take = {}
    function take.begin(e, key)
        warps[key] = e.cycle
        add("sm.warps", 1)
    end
    function take.wait(e, key)
        if warps[key] ~= e.cycle then
            wrong = wrong or ("%s waits from %d, not %s"):format(key, e.cycle, warps[key])
        end
        warps[key] = e["until"]
        add("stall." .. e.reason, e["until"] - e.cycle)
    end
    take["end"] = function(e, key)
        if warps[key] ~= e.cycle then
            wrong = wrong or ("%s ends at %d, not %s"):format(key, e.cycle, warps[key])
        end
        warps[key] = nil
    end
    function take.issue(e, key)
        if warps[key] ~= e.cycle then
            wrong = wrong or ("%s issues at %d, not %s"):format(key, e.cycle, warps[key])
        end
        warps[key] = e.cycle + 1
        add("stall.selected", 1)
        add("sm.slots_issued", 1)
        add("sm.lane_instructions", ones(e.exec))
        add("sm.divergent_branches", e.taken ~= 0 and 1 or 0)
    end
    function take.access(e)
        add(e.space == "shared" and "sm.shared_requests" or "l1.requests", 1)
        if #e.addresses ~= ones(e.lanes) then
            wrong = wrong or "an access without its addresses"
        end
        ways[e.sm << 32 | e.number] = e.operation
    end
    function take.line(e)
        add("l1.sectors", ones(e.sectors))
        add("l1.hits", ones(e.hits))
        add("l1.pending_hits", ones(e.pending))
        add("noc.requests", e.request and 1 or 0)
        if e.request then
            sent[e.sm << 32 | e.request] = {at = e.cycle, operation = ways[e.sm << 32 | e.access]}
        end
    end
    function take.answer(e) -- loads; the way back is the same for all if L2 is one
        local way = sent[e.sm << 32 | e.request]
        way.arrives = e.arrives
        if way.operation == "load" and board["l2.far_cycles"] == 0 and
            e.arrives ~= e.cycle + board["l2.latency"] + board["noc.latency"] then
            wrong = wrong or ("a reply takes %d cycles"):format(e.arrives - e.cycle)
        end
    end
    function take.reply(e)
        local way = sent[e.sm << 32 | e.request]
        add("noc.replies", 1)
        if way.at ~= e.sent or way.arrives > e.cycle or way.looked < way.at or way.looked > way.arrives then
            wrong = wrong or "a request that is not in the order of its way"
        end
    end
    function take.l2(e)
        local request = e.sm << 32 | e.request
        sent[request].looked = e.arrived
        add("l2.requests", asked[request] and 0 or 1) -- a request to the other half of L2 is looked up there too
        asked[request] = true
        add("l2.hits", ones(e.hits))
        add("l2.pending_hits", ones(e.pending))
        add("l2.writebacks", ones(e.evicted))
        add("l2.busy_cycles", e.cycles)
    end
    function take.row(e) add("dram.activates", e.row and 1 or 0) end
    function take.burst(e)
        add(e.write == 0 and "dram.reads" or "dram.writes", 1)
        add(FOUND[e.found], 1)
    end
    function take.barrier() add("sm.barriers", 1) end
    function take.free() add("sm.blocks", 1) end
    local cycle = 0
    for i = 1, result.events do
        local e = context:event(i)
        if e.cycle < cycle then
            wrong = wrong or "events are not in order"
        end
        cycle = e.cycle
        if take[e.kind] then
            take[e.kind](e, ("block %s warp %s"):format(e.block, e.warp))
        end
    end
    if next(warps) then
        wrong = wrong or next(warps) .. " does not end"
    end
    return sums, wrong
end

local COUNTED = {"sm.warps", "sm.slots_issued", "sm.lane_instructions", "sm.divergent_branches",
    "sm.shared_requests", "sm.barriers", "sm.blocks", "l1.requests", "l1.sectors", "l1.hits",
    "l1.pending_hits", "noc.requests", "noc.replies", "l2.requests", "l2.hits", "l2.pending_hits", "l2.writebacks",
    "l2.busy_cycles", "dram.activates", "dram.reads", "dram.writes", "dram.row_hits", "dram.row_misses",
    "dram.row_conflicts"}
for _, stall in ipairs(heddle.stalls()) do
    COUNTED[#COUNTED + 1] = "stall." .. stall.name
end

local function check_events(c, result)
    local sums, wrong = count(c.context, result)
    case.report(c, not wrong, c.run.line, "%s", wrong)
    for _, name in ipairs(COUNTED) do
        local want = result.metrics[name] or error("no metric " .. name)
        case.report(c, want == (sums[name] or 0), c.run.line, "%s is %s, events say %s", name, want, sums[name] or 0)
    end
end

-- Lists differences between two states of a warp; a value in flight is the old or the new one.
local function unlike(a, b)
    for name, values in pairs(a.registers) do
        if a.ready[name] == nil and heddle.json(values) ~= heddle.json(b.registers[name]) then
            return name
        end
    end
    for name, at in pairs(a.ready) do
        if b.ready[name] == nil or (at and b.ready[name] ~= at) then
            return "ready " .. name
        end
    end
    a.registers, b.registers, a.ready, b.ready, a.cycle, b.cycle = nil, nil, nil, nil, nil, nil
    a.lanes = b.lanes and a.lanes -- recorded at the start of the block
    if not b.reason then -- it has not waited since
        a.reason, a.from, a["until"] = nil, nil, nil
    end
    return heddle.json(a) ~= heddle.json(b) and heddle.json(b) or nil
end

-- The state of all warps in that cycle, by block and warp.
local function states(context, result, cycle)
    local found, at = {}, context:event_at(cycle) - 1
    for i = 1, result.events or 0 do
        local e = context:event(i)
        local key = e.warp and ("block %d warp %d"):format(e.block, e.warp)
        if key and not found[key] then
            found[key] = context:state(e.block, e.warp, at)
        end
    end
    return found
end

-- A recording that begins later knows the same of each warp: it has read the machine's registers itself.
local function check_states(c, result)
    local middle = result.cycles // 2
    local want = states(c.context, result, middle)
    local late = case.outcome(c, {watch = {from = middle - 5, to = middle + 60}})
    local got = states(c.context, late.result, middle)
    for key, state in pairs(got) do
        local found = want[key] and unlike(want[key], state) or (not want[key] and "not there")
        case.report(c, not found, c.run.line, "state of %s in cycle %d: %s", key, middle, found)
    end
    return next(got) ~= nil
end

local looked, compared = 0, 0

local function check_case(c)
    local plain = case.outcome(c, {})
    local watched = case.outcome(c, {watch = true})
    if plain.ok and watched.ok then
        plain.result.events = nil
        local found = case.difference(plain.result, watched.result, "result", {events = true, complete = true}) or
            case.difference(plain.bytes, watched.bytes, "bytes")
        case.report(c, not found, c.run.line, "watched: %s", found)
        if watched.result.events <= EVENTS then
            looked = looked + 1
            check_events(c, watched.result)
            compared = compared + (check_states(c, watched.result) and 1 or 0)
        end
    else
        local same = plain.ok == watched.ok and case.said(plain.result) == case.said(watched.result)
        case.report(c, same, c.run.line, "watched, it ends otherwise")
    end
end

-- All events as text.
local function events(context, result, from)
    local list = {}
    for i = from or 1, result.events do
        list[#list + 1] = heddle.json(context:event(i), {indent = 0})
    end
    return list
end

-- Blocks that wait for a place, atomics, replies that meet: on more SMs than threads.
local function histogram(options)
    local context = heddle.new()
    context:board("teach32", {sms = 4})
    local program = context:load [[
.kernel count
.param bins : u32[8]
.param x : u32[n]
.param n : u32
.reg i, threads, id, k, one, old, at:2
        s2r             i, %ctaid.x
        s2r             threads, %ntid.x
        s2r             id, %tid.x
        mad.lo.u32      i, i, threads, id
        ld.param.b64    at, [x]
        mad.wide.u32    at, i, 4, at
        ld.global.b32   k, [at]
        and.b32         k, k, 7
        ld.param.b64    at, [bins]
        mad.wide.u32    at, k, 4, at
        mov.b32         one, 1
        atom.global.add.u32 old, [at], one
        add.s32         old, old, one           ; which waits for it
        exit
]]
    context:buffer("x", "u32", 4096, function(i) return i * 2654435761 & 0xffffffff end)
    context:buffer("bins", "u32", 8)
    options.grid, options.block, options.args = 64, 64, {x = "x", bins = "bins", n = 4096}
    return context, context:launch(program, options)
end

local function check_threads()
    local one, a = histogram {watch = true}
    local three, b = histogram {watch = true, threads = 3}
    report(a.events > 3000 and table.concat(events(one, a)) == table.concat(events(three, b)), "threads change events")
    local old, bins = 0, one:get("bins"):table()
    for i = 1, a.events do -- the values of an atomic arrive with its reply: 0 to 511 of each bin
        local e = one:event(i)
        for _, row in pairs(e.kind == "arrive" and e.rows or {}) do
            for _, v in ipairs(row) do
                old = old + v
            end
        end
    end
    local want = 0
    for _, n in ipairs(bins) do
        want = want + n * (n - 1) // 2
    end
    report(old == want, "old values are %d in all, not %d", old, want)
end

-- A span holds what the whole recording has of these cycles; one that is cut is whole up to there.
local function check_span()
    local all, a = histogram {watch = true}
    local some, b = histogram {watch = {from = 300, to = 600}}
    local want = {}
    for _, e in ipairs(events(all, a)) do
        local t = heddle.parse(e)
        if t.cycle < 600 and (t.cycle >= 300 or (t.kind == "wait" and t["until"] > 300)) then
            t.access, t.number = nil, nil
            want[#want + 1] = heddle.json(t, {indent = 0})
        end
    end
    local got = {}
    for _, e in ipairs(events(some, b)) do
        local t = heddle.parse(e)
        t.access, t.number = nil, nil
        if t.kind ~= "state" then
            got[#got + 1] = heddle.json(t, {indent = 0})
        end
    end
    for block = 0, 3 do -- a span begins with what each warp is
        for cycle = 300, 599, 13 do
            local here, why = some:state(block, 0, some:event_at(cycle) - 1)
            local found = here and unlike(all:state(block, 0, all:event_at(cycle) - 1), here) or why
            report(not found, "the state of block %d at %d: %s", block, cycle, found)
        end
    end
    report(#got > 100 and table.concat(got) == table.concat(want), "%d events of a span, %d of the whole", #got, #want)
    local first, c = histogram {watch = {bytes = 400000}}
    report(c.complete and c.complete > 300 and c.cycles == a.cycles, "a recording that is cut")
    report(first:event(c.events).cycle < c.complete and all:event_at(c.complete) == c.events + 1,
           "it is whole up to its cut")
    report(table.concat(events(first, c)) == table.concat(events(all, a), "", 1, c.events), "it is its beginning")
    report(first:event(0) == nil and first:event(c.events + 1) == nil, "events have numbers")
end

-- Checks warps without a turn, which wait from the start: their waits, recorded late, cut no events in between.
local function check_starved()
    local function launch(bytes, from)
        local context = heddle.new()
        context:board("v100", {sms = 1})
        local program = context:load(expectations.text "kernels/bench/fma.hd", "fma.hd")
        context:buffer("out", "f32", 2048)
        return context, context:launch(program, {grid = 8, block = 256, args = {out = "out", trips = 6},
            watch = {bytes = bytes, from = from}})
    end
    local all, a = launch(1 << 28)
    local some, b = launch(1 << 20)
    report(not a.complete and b.complete and b.complete > a.cycles // 4, "of %d cycles, %s are recorded", a.cycles,
        b.complete)
    report(table.concat(events(some, b)) == table.concat(events(all, a), "", 1, b.events) and
        all:event_at(b.complete) == b.events + 1, "it is the beginning of the whole")
    local _, later = launch(1 << 20, a.cycles // 5)
    report(later.complete and later.complete > 2 * a.cycles // 5, "of %d cycles, %d to %s are recorded", a.cycles,
        a.cycles // 5, later.complete)
end

local function check_refusals()
    for _, case_of in ipairs {
        {{watch = 3}, "true or a table"},
        {{watch = {form = 3}}, "from, to and bytes are its names"},
        {{watch = {from = -1}}, "numbers from 0 on"},
        {{watch = true, functional = true}, "without a clock has no events"},
    } do
        local ok, e = pcall(histogram, case_of[1])
        report(not ok and case.said(e):find(case_of[2], 1, true), "'%s' expected, %s", case_of[2], ok or case.said(e))
    end
end

-- Checks that every kind of event has the values of its rows.
local function check_rows()
    local known, context, result = {}, histogram {watch = true}
    for _, row in ipairs(heddle.events()) do
        known[row.name] = row
    end
    for i = 1, result.events do
        local e = context:event(i)
        local row = known[e.kind]
        for _, field in ipairs(row.fields) do
            if e[field.name] == nil and field.form ~= "optional" then
                report(false, "%s has no %s", e.kind, field.name)
                return
            end
        end
        report(row.tail == nil or e.rows or e.levels or e.addresses, "%s has no tail", e.kind)
    end
end

-- Checks that names, lines and instructions are known before a launch, and match its result.
local function check_names()
    local context, result = histogram {watch = {to = 1}}
    local program = context:load(".kernel k\n.reg a, b:2\n.pred p\ntop: add.s32 a, a, 1\n@p bra top\n exit\n", "k.hd")
    local names = {}
    for _, n in ipairs(program:names()) do
        names[n.name] = ("%s %d %d"):format(n.kind, n.number, n.count)
    end
    report(names.a == "register 0 1" and names.b == "register 2 2" and names.p == "predicate 0 1" and
           names.top == "label 0 1", "names: %s", heddle.json(names))
    local all = program:instructions()
    report(#all == 3 and all[1].line == 4 and all[1].text == "add.s32 a, a, 1" and
           all[1].disassembly == "add.s32 r0, r0, 1" and all[3].pc == 2 and all[3].kernel == "k",
           "instructions: %s", heddle.json(all))
    report(#context:load(program:object(), "k.hdo"):names() == 0, "an object has no names")
    report(result.events > 0, "nothing was recorded")
end

-- Values that are v, v + 1, v + 2, ... at both ends and not between.
local function check_values()
    local context = heddle.new()
    context:board "teach8"
    local program = context:load [[
.kernel k
.reg v
.pred p
        s2r         v, %tid.x
        setp.eq.u32 p, v, 4
@p      mov.b32     v, 77
        exit
]]
    context:launch(program, {watch = true})
    local state = context:state(0, 0, context:event_at(1 << 40))
    report(heddle.json(state.registers.r0, {indent = 0}):gsub("%s", "") == "[0,1,2,3,77,5,6,7]" and
           state.registers.p0 == 16, "registers: %s", heddle.json(state.registers))
end

-- A barrier that reduces gives warps their results when it opens, after they were issued.
local function check_joined()
    local context = heddle.new()
    context:board "teach32"
    local program = context:load [[
.kernel k
.reg v, t
.pred p
        s2r         t, %tid.x
        mov.b32     v, 0
        setp.lt.u32 p, t, 70
        bar.red.popc v, 0, p
        bar.red.and p, 1, !p
        exit
]]
    local result = context:launch(program, {watch = true, block = 128, warp = 32})
    local early = 0
    for i = 1, result.events do
        local e = context:event(i)
        if e.kind == "arrive" then
            for name in pairs(e.rows) do
                local ready = context:state(0, e.warp, i - 1).ready[name]
                early = early + (ready == false and 1 or 0)
                report(ready == false or ready == e.cycle, "warp %d: %s is ready at %s", e.warp, name, tostring(ready))
            end
        end
    end
    report(early == 6, "%d results are in flight before all have arrived, not 6", early)
    for warp = 0, 3 do
        local state = context:state(0, warp, context:event_at(1 << 40))
        for _, v in ipairs(state.registers.r0) do
            report(v == 70 and state.registers.p0 == 0, "warp %d: %d threads, p %d", warp, v, state.registers.p0)
        end
    end
end

check_threads()
check_joined()
check_names()
check_values()
check_span()
check_starved()
check_refusals()
check_rows()

-- Every third kernel on each board; with EVERY=1 all on all.
local boards, every = {{name = "teach8"}, {name = "v100"}, {name = "a100"}}, (os.getenv("EVERY") or "") ~= ""
launches.each(boards, function(program, run, board, i)
    return (every or board == boards[i % #boards + 1]) and {expectations.widths(program, run)[1]}
end, check_case)
report(#arg > 0 or looked > 60, "only %d launches were looked at", looked)
report(#arg > 0 or compared > 50, "states of only %d launches were compared", compared)
checks.finish()
