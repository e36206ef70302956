-- Are all instructions found that read a mask's words, and no others? On kernels with calculable counts, and on a
-- changed one.
package.path = "scripts/lib/?.lua;" .. package.path
local heddle = require "heddle"
local flow = require "heddle.mask.flow"
local home = require "heddle.kit.home"
local methods = require "heddle.mask.methods"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

local PATH = home.path "kernels/mask/linear.hd"

local ctx = heddle.new()

-- Counts the instructions of threads that a fill by linear words of one image executes on them.
local function uses(program, o)
    o.n = 1
    local plan = methods.launch("words", o)
    local args = {n = 1, heads = 1, height = o.height, width = o.width, polarity = 1, value = "0x1"}
    for _, name in ipairs {"x", "y"} do
        args[name] = ctx:buffer(name, "u" .. 8 * o.bytes, o.height * o.width)
    end
    local threads = plan.grid[1] * plan.block[1] * plan.grid[2] * plan.block[2]
    args.words = ctx:buffer("words", "u" .. o.g, threads)
    local result = ctx:launch(program, {entry = plan.entry, grid = plan.grid, block = plan.block, args = args,
        functional = true})
    return flow.uses(flow.kinds(program:text(), plan.entry), result.lines)
end

case("full tiles: a select for each element, a shift behind it", function()
    local program = ctx:load(PATH)
    for _, g in ipairs {16, 32, 64} do
        for _, rows in ipairs {2, 4} do
            local width = g * (g // rows)
            for _, bytes in ipairs {1, 2, 4, 8} do
                local found = uses(program, {g = g, rows = rows, bytes = bytes, height = rows, width = width})
                local what = ("%d bits, %d rows, %d bytes"):format(g, rows, bytes)
                equal({found.load, found.sel}, {g, g * g}, what) -- g threads with g elements each
                equal(found.xor, g * math.max(g // 32, 1), what)
                local more = found.shl - found.sel -- of 16 bits: to the top; the last one is not needed
                ok(more >= -2 * g and more <= g, what)
                equal(found.mov, g == 64 and rows == 4 and g or nil, what) -- the lower half takes the upper one's place
                found.load, found.sel, found.xor, found.shl, found.mov = nil, nil, nil, nil, nil
                equal(next(found), nil, what)
            end
        end
    end
end)

case("instructions that are put in are found, and where what they make goes", function()
    local file = assert(io.open(PATH))
    local text = file:read "a"
    file:close()
    local option = {g = 32, bytes = 4, height = 2, width = 512}
    local function changed(to)
        local new, n = text:gsub("xor%.b32         \\flags, word, t\n", to)
        equal(n, 1)
        return uses(ctx:load(new, PATH), option)
    end
    local plain = changed "%0"
    equal(plain, {load = 32, xor = 32, sel = 1024, shl = plain.shl})
    local found = changed "brev.b32 \\flags, word\n"
    equal({found.brev, found.xor, found.sel, found.shl}, {32, nil, 1024, plain.shl})
    found = changed "setp.eq.u32 in7, word, 0\n        mov.b32 \\flags, word\n"
    equal({found.setp, found.mov, found.sel}, {32, 32, 1024})
    found = changed "mov.b32 \\flags, t\n" -- words are loaded and not used
    equal(found, {load = 32})
end)

test.finish()
