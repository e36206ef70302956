-- Does the clock leave results alone, and do host threads leave the clock alone?
--
--   heddle lua tests/time/timed.lua [FILE or FOLDER ...]          default: kernels, tests/fixtures/race.hd
--
-- Every `;! run` of every kernel (docs/assembly.md, "Expectations") is launched at each width without a clock, where
-- it must meet the kernel's expectations, and then with one on the boards below, where it must leave the same bytes in
-- every buffer, issue as many warp-instructions, and meet what is expected of counts and metrics, or end in its fault;
-- its counters must add up. Buffers that a run `varies` are not compared, but must meet its expectations; runs
-- that race (kernels/defects, where a checker finds something) are left out, but for faults.
--
-- On boards with a list of threads the launch is repeated with each number of host threads, at the first width: bytes,
-- cycles, every metric, every line and the traffic of every buffer must be the same. ONLY_THREADS=1 does just that, for
-- ThreadSanitizer.
--
-- A kernel that a board cannot hold is refused there; each run must be held by some board.

local heddle = require "heddle"
local bench = require "heddle.kit.bench"
local checks = require "tests.lib.checks"
local expectations = require "heddle.cases.expectations"
local case = require "heddle.cases.case"
local lists = require "heddle.kit.lists"

local report, said = checks.report, case.said
local only_threads = os.getenv("ONLY_THREADS") ~= nil

-- An odd machine: nothing is a power of two that need not be, everything is as small as kernels allow.
local TINY = {
    sms = 3, warp_width = 16,
    sm = {sub_cores = 1, policy = "lrr", max_warps = 64, max_blocks = 3, register_banks = 3, register_unit = 8},
    lanes = {alu = 3, fma = 5, fp64 = 1, xu = 1, lsu = 7, xlane = 3, mma = 3, ctrl = 9},
    lsu = {queue = 1, address_cycles = 3},
    shared = {banks = 4, bank_bytes = 8, pass_cycles = 3, return_bytes = 12},
    l1 = {unified_bytes = 98304 + 384, ways = 1, sectors = 4, loads = 2, bytes_per_cycle = 16, tag_banks = 2},
    noc = {request_bytes = 12, reply_bytes = 20, header_bytes = 4, latency = 3},
    l2 = {slices = 6, bytes = 6 * 3 * 128, ways = 3, latency = 7, sectors = 4, bytes_per_cycle = 20, interleave = 128},
    dram = {channels = 3, read_queue = 2, row_bytes = 128, bank_groups = 2, banks = 1, burst_bytes = 64},
    fetch = {mode = "cached", l0_bytes = 128, l1_bytes = 256, prefetch = 1},
    launch = {dispatch = "fill", block_cycles = 3},
}

-- No caches at all, two instructions a cycle, the oldest warp first.
local BARE = {
    sms = 2, clock_mhz = 1777, sm = {sub_cores = 2, issue_width = 2, policy = "gto"},
    l1 = {unified_bytes = 0}, l2 = {slices = 3, bytes = 0},
    dram = {channels = 1, clock_mhz = 901, refi = 331, rfc = 97},
}

local BOARDS = {
    {name = "teach8", widths = {8}},
    {name = "teach32", widths = {32}},
    {name = "v100", widths = {32}, threads = {3}},
    {name = "a100", widths = {16}},
    {name = "h100", widths = {32}},
    {name = "br100", widths = {64}},
    {name = "template", as = "tiny", values = TINY, widths = {16, 8, 32, 64}, threads = {8}},
    {name = "template", as = "bare", values = BARE, widths = {8, 16, 32, 64}},
}

-- With QUICK=1 the boards of every width and a large one: results differ little from board to board.
if (os.getenv("QUICK") or "") ~= "" then
    BOARDS = {BOARDS[3], BOARDS[7], BOARDS[8]}
    BOARDS[1].threads = nil
    BOARDS[3].widths = {16}
end

-- A fault without its place in a script.
local function comparable(o)
    if o.ok then
        return {o.result, o.bytes}
    end
    return {o.result.message, o.result.kind, o.result.line}
end

local function check_threads(c, first, counts)
    for _, threads in ipairs(counts or {}) do
        local again = case.outcome(c, {threads = threads})
        local found = case.difference(comparable(first), comparable(again), "result")
        case.report(c, not found, c.run.line, "%d threads differ: %s", threads, found)
    end
    return true
end

-- Checks that the clock changes nothing but what the run declares.
local function check_clock(c, plain, timed)
    local run = c.run
    for _, b in ipairs(run.buffers) do
        case.report(c, run.varies[b.name] or plain.bytes[b.name] == timed.bytes[b.name], b.line,
                    "with a clock %s is another", b.name)
    end
    local n, m = plain.result.warp_instructions, timed.result.warp_instructions
    case.report(c, run.varies.total or n == m, run.line, "%s warp-instructions without a clock, %s with one", n, m)
end

-- Computes the energy again from its parts, as a script does with other numbers of the board.
local function check_energy(c, result)
    local sum, m = {picojoules = 0, low = 0, high = 0}, result.metrics
    for _, part in pairs(result.energy) do
        for what, before in pairs(sum) do
            sum[what] = before + part[what]
        end
    end
    for what, name in pairs {picojoules = "energy.total", low = "energy.total_low", high = "energy.total_high"} do
        local value = m[name] or 1e-12 * sum[what] -- without bounds where the board lacks a range
        case.report(c, math.abs(1e-12 * sum[what] - value) <= 1e-12 * value, c.run.line, "%s is %s, its parts %s pJ",
                    name, value, sum[what])
    end
end

local function check_case(c, board, plain)
    local run = c.run
    local timed = case.outcome(c, {})
    if not timed.ok and timed.result.kind == "input" then
        return false -- the board cannot hold it
    elseif only_threads then
        return check_threads(c, timed, c.width == board.widths[1] and board.threads)
    elseif run.fault then
        case.check_fault(c, timed.ok, timed.result)
    elseif case.report(c, timed.ok, run.line, "%s", timed.ok or said(timed.result)) then
        local same = plain and not case.difference(plain.bytes, timed.bytes, "bytes") -- which meet the same
        local check = same and case.check_numbers or case.check
        check(c, timed.result)
        case.report(c, not timed.result.inconsistency, run.line, "%s", timed.result.inconsistency)
        check_energy(c, timed.result)
        if plain then
            check_clock(c, plain, timed)
        end
    end
    return check_threads(c, timed, c.width == board.widths[1] and board.threads)
end

-- A run at a width without a clock: its case, and the outcome, where there is one to compare with.
local function run_plain(context, program, file, run, width)
    local c = case.new(context, program, file, run, width, checks)
    local outcome
    if not (run.fault or run.board or only_threads) then
        outcome = case.outcome(c, {functional = true})
        if case.report(c, outcome.ok, run.line, "%s", outcome.ok or said(outcome.result)) then
            case.check(c, outcome.result, false)
        else
            outcome = nil
        end
    end
    bench.clear(context)
    return {case = c, outcome = outcome}
end

-- Runs each run and width without a clock, once.
local function plain_runs(file)
    local context, found = heddle.new(), {}
    local program = context:load(file.text, file.path)
    return function(run, width)
        local key = ("%d %d"):format(run.number, width)
        found[key] = found[key] or run_plain(context, program, file, run, width)
        return found[key]
    end
end

-- Runs a file on a board, at its widths; counts in `held` how often each run was held.
local function check_board(file, board, held, plain_of)
    local program = board.context:load(file.text, file.path)
    for _, run in ipairs(file.runs) do
        for _, width in ipairs(only_threads and {board.widths[1]} or board.widths) do
            if expectations.races(run) and not run.fault then
                held[run] = 1
            elseif lists.set(expectations.widths(program, run))[width] and
                (not run.board or run.board == (board.as or board.name)) then
                local plain = plain_of(run, width)
                local c = case.new(board.context, program, file, run, width,
                                   {report = checks.report, like = plain.case})
                c.where = ("run %d warp %d on %s"):format(run.number, width, board.as or board.name)
                held[run] = held[run] + (check_case(c, board, plain.outcome) and 1 or 0)
            end
            bench.clear(board.context)
        end
    end
end

for _, board in ipairs(BOARDS) do
    board.context = heddle.new()
    board.context:board(("configs/%s.yaml"):format(board.name), board.values)
end
for _, path in ipairs(expectations.files(#arg > 0 and arg or {"kernels", "tests/fixtures/race.hd"})) do
    local file, held = expectations.read_small(path), setmetatable({}, {__index = function() return 0 end})
    local plain_of = plain_runs(file)
    for _, board in ipairs(BOARDS) do
        if board.threads or not only_threads then
            checks.at(path, board.name)
            check_board(file, board, held, plain_of)
        end
    end
    for _, run in ipairs(file.runs) do
        report(held[run] > 0, "%s:%d: run %d: no board can hold it", path, run.line, run.number)
    end
end
checks.finish()
