-- Are results as in the reference, field by field, and vice versa? Runs under `heddle lua` and in a stock lua5.4.
local heddle = require "heddle"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

-- Signatures of the reference: "result.lines[i].pc".
local known, named = {}, {}
for _, row in ipairs(heddle.reference()) do
    known[row.signature] = true
    named[row.signature:match "^(.*)%[name%]" or ""] = true
end

-- Tables of numbers by names, or of Lua's own form.
local NUMBERS <const> = {classes = true, metrics = true, stall = true, lanes = true, titles = true, data = true}

-- Marks what there is of a value in `seen`, by its signature; an unknown field is an error.
local function look(value, path, seen)
    seen[path] = true
    if type(value) ~= "table" or NUMBERS[path:match "[^.]*$"] and path:find("%.explain%[i%]%.lanes") then
        return
    end
    for key, inner in pairs(value) do
        local name = math.type(key) == "integer" and path .. "[i]" or named[path] and path .. "[name]" or
            path .. "." .. key
        if NUMBERS[path:match "[^.]*$"] or known[name] or name:find "%]$" then
            look(inner, name, seen)
        else
            ok(known[path .. ".COLUMN"], name .. " is not in the reference")
            seen[path .. ".COLUMN"] = true
        end
    end
end

-- Every signature below `path` was seen, but for those that match one of the patterns.
local function complete(path, seen, absent)
    for signature in pairs(known) do
        if signature:sub(1, #path + 1) == path .. "." and not seen[signature] then
            local expected = false
            for _, pattern in ipairs(absent) do
                expected = expected or signature:find(pattern) ~= nil
            end
            ok(expected, signature .. " is nowhere")
        end
    end
end

local RACING <const> = [[
.macro twice a
        add.u32       \a, \a, \a
.endmacro
.kernel racing
.param x : u32[64]
.param y : u32[64]
.shared tile : u32[64]
.reg   t, o, v, px:2, py:2
        s2r           t, %tid.x
        ld.param.b64  px, [x]
        ld.param.b64  py, [y]
        shl.b32       o, t, 2
        mad.wide.u32  px, t, 4, px
        mad.wide.u32  py, t, 4, py
        ld.global.b32 v, [px]
        twice         v
        st.shared.b32 [o], v
        xor.b32       o, o, 128
        ld.shared.b32 v, [o]
        st.global.b32 [py], v
        exit
]]

local function launch(options)
    local context = heddle.new()
    context:board "configs/teach32.yaml"
    context:buffer("x", "u32", 64, 1)
    context:buffer("y", "u32", 64, 0)
    options.grid, options.block, options.args = 1, 64, {x = "x", y = "y"}
    local program = context:load(RACING, "racing.hd")
    return context:launch(program, options), context, program
end

case("a result has what the reference has, and nothing else", function()
    local seen = {}
    look(launch {sample = true}, "result", seen)
    look(launch {check = "race", explain = 15, watch = {bytes = 1000}, dram_banks = true}, "result", seen)
    look(launch {schedule = "all", functional = true}, "result", seen)
    local rows = "allow race in racing: x\nallow race write-write in racing: y"
    local allowed = launch {check = "race", suppressions = rows}
    look(allowed, "result", seen)
    look(launch {check = "race", baseline = allowed.findings[1].baseline}, "result", seen)
    local _, context, program = launch {functional = true}
    local both = {grid = 1, block = 64, args = {x = "x", y = "y"}}
    look(context:launch_all({{program, both, alone = true}, {program, both, priority = 1}})[1], "result", seen)
    local printing = context:load('.kernel k\nprint "x"\nexit\n', "print.hd")
    look(context:launch(printing), "result", seen)
    complete("result", seen, {"%.fault", "file$", "%.printed_dropped$", "%.shared_bytes$", "%.rules$",
        "%.cooperative$", "%.rule_warnings$", "%.lenient_", "%.inconsistency$", "%.explain%[i%]%.titles",
        "%.findings%[i%]%.buffer$", "%.order%[i%]%.message$"})
end)

case("so has a proof", function()
    local _, context, program = launch {functional = true}
    local other = context:load(RACING:gsub("twice         v", "add.u32 v, v, 1"), "other.hd")
    local seen = {}
    local proof = context:prove({program, other}, {args = {x = "x", y = "y"}, warp = 32, block = 64, solver = "none"})
    look(proof, "proof", seen)
    equal(proof.verdict, "different")
    equal(proof.difference[2].value, proof.difference.sides[2].value, "as until 0.2")
    equal(#proof.findings[1], #proof.findings[1].list)
    look(context:prove({program, program}, {args = {x = "x", y = "y"}, warp = 32, block = 64, solver = "none",
        sizes = {range = "n=1..2", grid = "n", shapes = {x = "u32[64*n]", y = "u32[64*n]"}}}), "proof", seen)
    complete("proof", seen, {"%.fault", "file$", "%.solver", "%.assumed$", "%.undecided$", "%.depends%[i%]", "cycle$",
        "%.from", "%.list%[i%]%.buffer$", "%.sizes%.why$",
        "%.list%[i%]%.allow", "%.list%[i%]%.known$", "%.list%[i%]%.baseline$"})
end)

test.finish()
