-- Share a step of work out to several boards: kernels, copies and the exchange between them
--
-- The step is a product C = A B whose rows (a batch) are shared out: each board has B, gets its rows of A from its
-- host, multiplies, and sends its rows of C to the others and to its host. Kernels are timed on the board, transfers
-- by the closed forms of links (context:transfer).
local heddle = require "heddle"
local board = require "heddle.kit.board"
local gemm = require "heddle.gemm.launch"
local lists = require "heddle.kit.lists"
local options = require "heddle.kit.options"
local page = require "heddle.kit.page"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local NAME <const> = "heddle study boards"
local LIMIT <const> = 1 << 24 -- most elements of a matrix

local LINKS <const> = lists.map(heddle.links(), function(link) return link.name end)

local option = options.parse {
    name = NAME, args = {...},
    summary = "Shares the rows of C [m,n] = A [m,k] B [k,n] out to several boards and reports the time of a step:\n" ..
        "copies of A from each host, the kernel, the exchange of C between boards, copies of C to each host.",
    notes = "With --pieces, rows are copied while those before them are multiplied; that copies take DRAM's time\n" ..
        "from the kernel is left out.",
    rows = {
        {heading = "Work"},
        {name = "size", value = "M,N,K", default = "4096,1024,512",
            doc = "rows and columns of C, and the length of a sum"},
        {name = "pieces", value = "N", kind = "integer", low = 1, high = 64, default = 1,
            doc = "pieces of a board's rows, copied one after the other"},
        {heading = "Boards and links"},
        {"board", default = "a100"}, "set",
        {name = "boards", value = "N,...", default = "1,2,4,8", doc = "numbers of boards"},
        {name = "link", value = "NAME", default = "nvlink3", choices = LINKS, doc = "between boards"},
        {name = "host", value = "NAME", default = "pcie4", choices = LINKS, doc = "from each board to its host"},
        {name = "way", value = "WAY", default = "ring", choices = {"ring", "direct"}, doc = "of the exchange"},
        {heading = "What is printed and written"},
        "markdown", "csv", "plot", "html", "json",
    },
}

local function whole_list(name, text, count, most)
    local list = lists.map(options.split(text), function(word) return options.whole(word, 1, most) end)
    if #list == 0 or count and #list ~= count or not text:find "^[%d,]+$" then
        study.refuse("--%s: '%s' cannot be read; expected whole numbers up to %d", name, text, most)
    end
    return list
end

local function size_of()
    local m, n, k = table.unpack(whole_list("size", option.size, 3, LIMIT))
    if math.max(m * k, k * n, m * n) > LIMIT then
        study.refuse("--size: a matrix has more than %s elements", report.count(LIMIT))
    end
    return m, n, k
end

-- Microseconds of the product of these rows, on one board.
local function kernel_us(ctx, b, rows, n, k)
    local program = study.load(ctx, gemm.file "f32")
    local plan = gemm.launch {m = rows, n = n, k = k, sms = b.values.sms, warp = b.values.warp_width,
        holds = function(entry, threads)
            return ctx:fits(program, {entry = entry, block = threads, warp = b.values.warp_width})
        end}
    local args = lists.merge(plan.args, {a = ctx:buffer("a", "f32", rows * k), b = ctx:buffer("b", "f32", k * n),
        c = ctx:buffer("c", "f32", rows * n), bias = ctx:buffer("bias", "f32", 0)})
    return 1e6 * ctx:launch(program, {entry = plan.entry, grid = plan.grid, block = plan.block, args = args}).seconds
end

-- The ends of copies in, kernels and copies back of all pieces, each resource taking one at a time.
local function pipeline(pieces, inward, kernel, back)
    local arrived, done, home = 0, 0, 0
    for _ = 1, pieces do
        arrived = arrived + inward
        done = math.max(arrived, done) + kernel
        home = math.max(done, home) + back
    end
    return done, home
end

-- The times of a step on `count` boards; `part`: rows of a piece, columns, length of a sum, microseconds of its kernel.
local function step(ctx, count, part)
    local rows, n, k, kernel = part.rows, part.n, part.k, part.us
    local function copy(bytes) return ctx:transfer {link = option.host, bytes = bytes} end
    local all = ctx:transfer {link = option.link, kind = "all_gather", way = option.way, boards = count,
        bytes = 4 * rows * option.pieces * count * n}
    local inward, back = copy(4 * rows * k), copy(4 * rows * n)
    local done, home = pipeline(option.pieces, inward.us, kernel, back.us)
    return {
        boards = count, rows = rows * option.pieces, kernel_us = kernel * option.pieces,
        in_us = inward.us * option.pieces, exchange_us = all.us, exchange_steps = all.steps,
        out_us = back.us * option.pieces, step_us = math.max(done + all.us, home),
        joules = all.joules + count * option.pieces * (inward.joules + back.joules),
    }
end

local function measure(ctx, b, counts)
    local m, n, k = size_of()
    local found, line = {}, study.progress(#counts)
    for i, count in ipairs(counts) do
        local rows = (m + count * option.pieces - 1) // (count * option.pieces)
        line.step(report.plural(count, "board"))
        found[i] = step(ctx, count, {rows = rows, n = n, k = k, us = kernel_us(ctx, b, rows, n, k)})
        found[i].speedup = found[1].step_us * found[1].boards / found[i].step_us
        found[i].efficiency = found[i].speedup / count
        found[i].overlapped_us = found[i].in_us + found[i].kernel_us + found[i].exchange_us + found[i].out_us -
            found[i].step_us
    end
    return {board = b.name, settings = b.set, m = m, n = n, k = k, link = option.link, host = option.host,
        way = option.way, pieces = option.pieces, boards = found}
end

local function show(out, f)
    out:say("C [%d,%d] = A [%d,%d] B [%d,%d] on boards %s%s: rows shared out in %s, %s to the hosts, %s between " ..
        "boards (%s).", f.m, f.n, f.m, f.k, f.k, f.n, f.board, board.changes(f.settings),
        report.plural(f.pieces, "piece"), f.host, f.link, f.way)
    out:put(report.columns(f.boards, {
        {"boards", "boards"}, {"rows", "rows", report.count}, {"copies in, us", "in_us"}, {"kernel, us", "kernel_us"},
        {"exchange, us", "exchange_us"}, {"copies out, us", "out_us"}, {"at once, us", "overlapped_us"},
        {"step, us", "step_us"}, {"speed-up", "speedup"}, {"of all", "efficiency", report.percent},
        {"mJ of links", function(row) return 1e3 * row.joules end},
    }))
    for _, into in ipairs(out:drawn()) do
        into:lines {id = "speedup", title = "Speed-up of a step", x = "boards", y = "speed-up",
            series = {{"step", lists.map(f.boards, function(row) return {row.boards, row.speedup} end)}}}
    end
end

return study.main(NAME, function()
    study.outputs(option)
    local counts = whole_list("boards", option.boards, nil, 1024)
    local ctx <close> = heddle.new()
    local b = board.read(ctx, option.board, option.set)
    local found = measure(ctx, b, counts)
    show(page.new(option), found)
    return study.finish("boards", option, found, true)
end, option)
