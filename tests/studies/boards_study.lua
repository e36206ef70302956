-- Does `heddle study boards` add up what kernels and links take? Runs the command $HEDDLE.
local heddle = require "heddle"
local test = require "tests.lib.test"
local cli = require "tests.lib.command"
local case, equal, ok = test.case, test.equal, test.ok

local function measured(options)
    local path = cli.folder .. "/b.json"
    cli.good("study boards --board teach32 --size 256,64,32 " .. options .. " --json " .. path)
    return heddle.parse(cli.read(path)).boards
end

local function near(a, b)
    ok(math.abs(a - b) <= 1e-9 * math.abs(b), ("%g is not %g"):format(a, b))
end

case("a step is the copies, the kernel and the exchange, with copies out at once", function()
    local ctx <close> = heddle.new()
    for _, row in ipairs(measured "--boards 1,2,4") do
        equal(row.rows, 256 // row.boards)
        near(row.in_us, ctx:transfer({link = "pcie4", bytes = 4 * 32 * row.rows}).us)
        near(row.out_us, ctx:transfer({link = "pcie4", bytes = 4 * 64 * row.rows}).us)
        local all = ctx:transfer {link = "nvlink3", kind = "all_gather", boards = row.boards, bytes = 4 * 64 * 256}
        near(row.exchange_us, all.us)
        equal(row.exchange_steps, row.boards - 1)
        near(row.step_us, row.in_us + row.kernel_us + math.max(row.exchange_us, row.out_us))
    end
end)

case("pieces are copied while others are multiplied", function()
    local whole, pieces = measured("--boards 2")[1], measured("--boards 2 --pieces 4")[1]
    equal(pieces.rows, whole.rows)
    ok(pieces.overlapped_us > whole.overlapped_us)
    near(pieces.step_us + pieces.overlapped_us,
        pieces.in_us + pieces.kernel_us + pieces.exchange_us + pieces.out_us)
end)

case("what is no link, way or number is refused", function()
    for _, wrong in ipairs {"--link pcie9", "--way star", "--boards 0", "--boards two", "--size 1,2"} do
        local status = cli.heddle("study boards " .. wrong)
        equal(status, 2, wrong)
    end
end)

test.finish()
