-- Writes the measured parts of docs/performance.md: the lines between `<!-- measured by: NAME -->` and `<!-- end -->`.
--
--   build/heddle lua scripts/performance.lua [BUILD [bench] [checked] [sampled] [callgrind]]      default: build, all
--
--   bench       the tables of BUILD/bench.json, which `make bench` wrote: wants a quiet machine
--   checked     its table of runs with checkers
--   sampled     launches that are sampled beside the same as a whole: minutes, the same on a busy machine but for times
--   callgrind   host instructions per warp-instruction by function (valgrind): the same on a busy machine; minutes
--
-- `make performance` does everything.

local heddle = require "heddle"
local lists = require "heddle.kit.lists"
local report = require "heddle.kit.report"
local sampled = require "heddle.speed.sampled"

local PAGE = "docs/performance.md"
local build = arg[1] or "build"

-- The jobs of the benchmark, and the share of their blocks that callgrind sees: enough to fill the board.
local JOBS = {{"fma", 1}, {"copy", 16}, {"matmul", 2}, {"reduce", 8}}

local SHOWN = 40 -- least host instructions per warp-instruction of a function in the table
local CACHES = "--cache-sim=yes --I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64" -- the same on every host

local function read(path)
    local file <close> = assert(io.open(path, "rb"))
    return file:read "a"
end

-- Rows of text as a Markdown table; the first row is the head.
local function markdown(rows)
    local columns = lists.map(rows[1], function(head, c) return {head, kind = c > 1 and "number" or "word"} end)
    return heddle.table(columns, table.move(rows, 2, #rows, 1, {}), {as = "markdown"})
end

-- ---- wall clock ----

local function figures()
    local path = build .. "/bench.json"
    return heddle.parse(read(path), path)
end

local function bench()
    local all = figures()
    local plain = {{"kernel", "W", "engine", "warp-instructions", "million/s", "ns each"}}
    local timed = {{"kernel", "threads", "warp-instructions", "cycles", "million/s", "ns each", "x one thread",
                    "MB besides buffers"}}
    local function speed(f)
        return ("%.1f"):format(f.warp_instructions / f.seconds / 1e6), ("%.1f"):format(f.ns_per_warp_instruction)
    end
    for _, f in ipairs(all.functional) do
        if f.warp == 32 then
            plain[#plain + 1] = {f.kernel, 32, f.engine, report.count(f.warp_instructions), speed(f)}
        end
    end
    for _, f in ipairs(all.timed) do
        local rate, each = speed(f)
        timed[#timed + 1] = {f.kernel, f.threads, report.count(f.warp_instructions), report.count(f.cycles), rate, each,
                             ("%.2f"):format(f.of_one_thread), report.count(f.bytes_beside_buffers / 1e6)}
    end
    local machine = ("%s, %d cores, best of %d"):format(all.machine, all.cores, all.repetitions)
    return ("%s; with a clock of %d.\n\nWithout a clock:\n\n%s\nWith a clock, `v100`, W = 32:\n\n%s"):format(machine,
        (all.repetitions + 1) // 2, markdown(plain), markdown(timed))
end

-- Runs with checkers and without took turns: a busy machine changes the times more than the ratio.
local function checked()
    local rows = {{"kernel", "warp-instructions", "ms without", "ms with", "ratio", "MB of shadows"}}
    for _, f in ipairs(figures().checked) do
        rows[#rows + 1] = {f.kernel, report.count(f.warp_instructions), report.count(1e3 * f.seconds),
                           report.count(1e3 * f.seconds_checked), ("%.2f"):format(f.ratio),
                           report.count(f.shadow_bytes / 1e6)}
    end
    return markdown(rows)
end

-- ---- callgrind ----

local function run(command)
    local pipe = assert(io.popen(command))
    local text = pipe:read("a")
    assert(pipe:close(), command .. " failed")
    return text
end

local function number(text)
    return tonumber((text:gsub(",", "")))
end

-- Adds a line of callgrind_annotate, "Ir D1mr D1mw DLmr DLmw file:function", to the cost of a job of n instructions.
local function add_line(cost, line, n)
    local counts, place = line:gsub("%s*%([%s%d.]*%%%)", ""):match("^%s*([%d,.]+[%s%d,.]+)%s(%S+:%S+)")
    local fn = place and place:match(":([^:]*)$")
    if not fn then
        return
    end
    local v = {}
    for word in counts:gmatch("%S+") do
        v[#v + 1] = (number(word) or 0) / n
    end
    cost.by[fn] = (cost.by[fn] or 0) + v[1]
    for k, count in ipairs({v[1], v[2] + v[3], v[4] + v[5]}) do
        cost.total[k] = cost.total[k] + count
    end
end

-- The cost of one job per warp-instruction: host instructions by function, and their total with misses of both caches.
local function profile(name, part)
    local out = ("%s/callgrind.%s"):format(build, name)
    local valgrind = "valgrind -q --tool=callgrind --toggle-collect=gpu_run_all " .. CACHES
    local job = ("%s/bench --job %s %d . 2>/dev/null"):format(build, name, part)
    local n = number(run(("%s --callgrind-out-file=%s %s"):format(valgrind, out, job)):match("%d+"))
    local cost = {total = {0, 0, 0}, by = {}}
    local show = "--show=Ir,D1mr,D1mw,DLmr,DLmw --threshold=100 --auto=no"
    for line in run(("callgrind_annotate %s %s"):format(show, out)):gmatch("[^\n]+") do
        add_line(cost, line, n)
    end
    return cost
end

-- A name for the table: without compilers' suffixes, and one for the executors of all instructions.
local function group(fn)
    local name = fn:gsub("'%d+$", ""):gsub("%.%a+%.%d+", ""):gsub("^__(mem%a+)_.*$", "%1")
    return name:match("^exec_") and "executors of instructions" or "`" .. name .. "`"
end

-- Rows {name, a number for each job}, the most expensive first; and the totals of each job.
local function gather()
    local sums, order, totals = {}, {}, {}
    for j, job in ipairs(JOBS) do
        local cost = profile(job[1], job[2])
        totals[j] = cost.total
        for fn, each in pairs(cost.by) do
            local name = group(fn)
            if not sums[name] then
                sums[name] = {0, 0, 0, 0, name = name}
                order[#order + 1] = sums[name]
            end
            sums[name][j] = sums[name][j] + each
        end
    end
    table.sort(order, function(a, b)
        local x, y = math.max(table.unpack(a)), math.max(table.unpack(b))
        return x > y or x == y and a.name < b.name
    end)
    return order, totals
end

local function row_of(name, decimals, numbers)
    local row = {name}
    for j, v in ipairs(numbers) do
        row[j + 1] = decimals == 0 and report.count(v) or ("%." .. decimals .. "f"):format(v)
    end
    return row
end

local function callgrind()
    local order, totals = gather()
    local rows, others = {{"host instructions per warp-instruction"}}, {0, 0, 0, 0}
    for j, job in ipairs(JOBS) do
        rows[1][j + 1] = job[1]
    end
    for _, sum in ipairs(order) do
        if math.max(table.unpack(sum)) >= SHOWN then
            rows[#rows + 1] = row_of(sum.name, 0, sum)
        else
            for j, v in ipairs(sum) do
                others[j] = others[j] + v
            end
        end
    end
    rows[#rows + 1] = row_of("all other functions", 0, others)
    for k, kind in ipairs({{"**total**", 0}, {"misses of a 32 KB data cache", 1},
                           {"misses of an 8 MB cache below it", 2}}) do
        rows[#rows + 1] = row_of(kind[1], kind[2], lists.map(totals, function(total) return total[k] end))
    end
    return markdown(rows)
end

-- ---- the page ----

local function samples()
    local rows, summary = sampled.compare(print)
    for i = 2, #rows do
        rows[i][2], rows[i][4] = report.count(rows[i][2]), report.count(rows[i][4])
    end
    return summary .. ".\n\n" .. markdown(rows)
end

local MEASURES = {bench = bench, checked = checked, sampled = samples, callgrind = callgrind}

-- The page with the lines of that measure replaced.
local function replaced(page, name, body)
    local head = ("<!-- measured by: %s -->\n"):format(name)
    local _, from = page:find(head, 1, true)
    local to = from and page:find("<!-- end -->", from, true)
    return page:sub(1, assert(from, PAGE .. " has no place for " .. name)) .. body .. page:sub(to)
end

local names = #arg > 1 and table.move(arg, 2, #arg, 1, {}) or {"bench", "checked", "sampled", "callgrind"}
for _, name in ipairs(names) do
    heddle.write(PAGE, replaced(read(PAGE), name, MEASURES[name]()))
    print("measured " .. name)
end
