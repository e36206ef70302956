-- Does Lua see what the checkers of a launch found?
package.path = "scripts/lib/?.lua;" .. package.path
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

test.finish()
