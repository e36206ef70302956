-- Does Lua see what the checkers of a launch found?
local heddle = require "heddle"
local test = require "tests.lib.test"
local case, equal, ok, raises = test.case, test.equal, test.ok, test.raises

-- Two warps: one writes what the other reads; `between` stands between the two.
local function exchange(between)
    return ([[
.kernel exchange
.param y : u32[64]
.reg   t, o, v, py:2
.shared tile : u32[64]
        s2r          t, %%tid.x
        ld.param.b64 py, [y]
        mad.wide.u32 py, t, 4, py
        shl.b32      o, t, 2
        st.shared.b32 [o], t
        %s
        xor.b32      o, o, 128
        ld.shared.b32 v, [o]
        st.global.b32 [py], v
        exit
]]):format(between)
end

local function launch(source, options)
    local context = heddle.new()
    if options.board then
        context:board(options.board, {sms = 1})
        options.board = nil
    end
    local y = context:buffer("y", "u32", 64)
    options.block, options.warp, options.args = 64, 32, {y = y}
    return context:launch(context:load(source, "exchange.hd"), options)
end

case("a finding", function()
    local r = launch(exchange "nop", {check = "race,sync"})
    equal(r.checked, "race, sync")
    equal(r.check_forgotten, 0)
    ok(r.check_memory > 0 and math.type(r.check_memory) == "integer", r.check_memory)
    equal(#r.findings, 1)
    local f = r.findings[1]
    equal(f.kind, "race")
    equal(f.class, "read-write")
    equal(f.count, 64)
    equal(f.space, "shared")
    equal(f.bytes, 4)
    equal(f.where, ("shared tile[%d]"):format(f.address // 4))
    equal(f.variable, "tile")
    equal(f.buffer, nil)
    ok(f.address % 4 == 0 and f.address < 256, f.address)
    ok(#f.doc > 5 and #f.text > 5, f.text)
    equal(#f.places, 2)
    local by_line = {}
    for _, place in ipairs(f.places) do
        by_line[place.line] = place
        equal(place.file, nil)
        equal(table.concat(place.block, ","), "0,0,0")
        equal(place.cycle, nil)
    end
    local wrote, read = by_line[9], by_line[12]
    equal(wrote.how, "write")
    equal(read.how, "read")
    equal(wrote.source, "st.shared.b32 [o], t")
    ok(wrote.text:find("st.shared.b32", 1, true), wrote.text)
    equal(wrote.warp + read.warp, 1)
    equal(wrote.lane, f.address // 4 % 32)
    equal(read.lane, wrote.lane)
end)

case("no finding, and no checker", function()
    equal(#launch(exchange "bar.sync 0", {check = "all"}).findings, 0)
    local r = launch(exchange "nop", {})
    equal(r.findings, nil)
    equal(r.checked, nil)
    equal(r.check_memory, nil)
end)

case("with a clock", function()
    local r = launch(exchange "nop", {check = "race", board = "configs/teach32.yaml"})
    local late, early = table.unpack(r.findings[1].places)
    ok(late.cycle > 0 and late.cycle >= early.cycle, late.cycle)
end)

case("a fault keeps what was found before it", function()
    local source = exchange("nop"):gsub("xor.b32      o, o, 128", "ld.shared.b32 v, [o+65536]")
    local e = raises("out_of_bounds", launch, source, {check = "all"})
    equal(e.kind, "out_of_bounds")
    equal(e.checked, "race, init, sync, mem")
    equal(e.findings[1].class, "out-of-bounds")
    equal(e.findings[1].places[1].line, e.line)
    equal(raises("out_of_bounds", launch, source, {}).findings, nil)
    source = source:gsub("nop", "mov.b64 py, -1"):gsub("ld.shared.b32 v, %[o%+65536%]", "ld.global.b8 v, [py]")
    equal(raises("out_of_bounds", launch, source, {check = "mem"}).findings[1].address, -1)
end)

case("allowances", function()
    local r = launch((exchange("nop"):gsub("st.shared[^\n]*", "%0 ;! allow race: why", 1)), {check = "race,sync"})
    equal(r.findings[1].allowed, "why")
    equal(r.findings[1].allowed_by, "exchange.hd:9:33")
    equal(r.allowed, 1)
    r = launch(exchange "nop", {check = "race", suppressions = "allow race in exchange: pairs"})
    equal(r.allowed, #r.findings)
    equal(r.findings[1].allowed, "pairs")
    equal(launch(exchange "nop", {check = "race", baseline = r.findings[1].baseline}).findings[1].known, true)
    local wrong = {check = "race", suppressions = "allow rice in exchange: x"}
    equal(raises("suppressions:1:7: error", launch, exchange "nop", wrong).kind, "input")
end)

case("checkers", function()
    local rows, names = heddle.checkers(), {}
    for i, row in ipairs(rows) do
        names[i] = row.name
        ok(#row.classes > 0, row.name)
        equal(row.standard, row.name ~= "value")
        for _, class in ipairs(row.classes) do
            ok(class.name:match "^[%l-]+$" and #class.doc > 5, class.name)
        end
    end
    equal(table.concat(names, ","), "race,init,sync,mem,value")
    equal(rows[1].classes[2].name, "read-write")
    equal(raises("did you mean 'race'", launch, exchange "nop", {check = "rase"}).kind, "input")
end)

-- ---- what counts as written ----

local function count(ctx, options)
    options.block, options.warp, options.args = 32, 32, {z = "z"}
    return ctx:launch(ctx:load "tests/lib/count.hd", options)
end

-- What a user does, by the words of heddle.contents().
local WAYS <const> = {
    ["context:buffer(name, type, shape)"] = {function(ctx) ctx:buffer("z", "u32", 4) end},
    ["the same with a value; buffer:set(value), buffer[i] = value"] = {
        function(ctx) ctx:buffer("z", "u32", 4, 0) end,
        function(ctx) ctx:buffer("z", "u32", 4):set(0) end,
        function(ctx) ctx:buffer("z", "u32", 4)[1] = 0 end,
    },
    ["buffer:fill(text)"] = {
        function(ctx) ctx:buffer("z", "u32", 4):fill "zeros" end,
        function(ctx) ctx:buffer("z", "u32", 4):fill "fill:0" end,
        function(ctx) ctx:buffer("z", "u32", 4, 7):fill "zeros" end,
    },
    ["context:npy(...), context:csv(...)"] = {
        function(ctx) ctx:npy("z", ctx:buffer("other", "u32", 4):npy()) end,
        function(ctx) ctx:csv("z", "u32", "0,0,0,0\n") end,
    },
    ["buffers of an earlier launch, as with --repeat"] = {
        function(ctx)
            ctx:buffer("z", "u32", 4)
            count(ctx, {})
        end,
    },
}

case("what counts as written", function()
    local tried = 0
    for _, row in ipairs(heddle.contents()) do
        local ways = (row.where == "Lua" or row.where == "everywhere") and WAYS[row.how]
        ok(ways or row.where ~= "Lua", row.how .. " is not tried")
        for _, make in ipairs(ways or {}) do
            for _, check in ipairs {"init", "all"} do
                local ctx <close> = heddle.new()
                make(ctx)
                local z = ctx:get "z"
                equal(z.written, row.written, row.how)
                equal(#count(ctx, {check = check}).findings == 0, row.written, row.how)
                ok(z.written, row.how .. ": the launch has written to it")
                tried = tried + 1
            end
        end
    end
    equal(tried, 20)
end)

case("a buffer made anew is unwritten again", function()
    local ctx <close> = heddle.new()
    local z = ctx:buffer("z", "u32", 4, 1)
    ctx:buffer("z", "u32", 4)
    equal(z.written, false)
    equal(z[1], 0)
    z:fill "zeros"
    equal(#count(ctx, {check = "init"}).findings, 0)
end)

test.finish()
