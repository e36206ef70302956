-- Do the shipped kernels compute on a second model of the instruction set (tests/model/model.h) what they do here?
--
--   heddle lua tests/arch/model.lua [FILE or FOLDER ...]          default: kernels
--
-- Every `;! run` of every kernel (docs/assembly.md, "Expectations") that is small enough is launched at each warp
-- width, and again by build/tests/model, which compares all bytes of all buffers, or the kind of the fault. Buffers
-- that a run `varies` are not compared. Random programs are compared by tests/arch/model.c.

local heddle = require "heddle"
local bench = require "heddle.kit.bench"
local checks = require "tests.lib.checks"
local expectations = require "heddle.cases.expectations"
local case = require "heddle.cases.case"

local SMALL <const> = 16000 -- instructions of threads; the model takes about 0.2 us for each

local LIMIT <const> = 1000000 -- instructions of warps that the model may need, where warps wait for others

local model = (os.getenv("BUILD") or "build") .. "/tests/model"
local path = os.tmpname()
local out = assert(io.open(path, "wb"))
local large = 0

local foreign = 0 -- runs of what the model does not have: other rules, blocks that wait, variables in global memory

local function put(...)
    out:write(string.format(...), "\n")
end

local function put_bytes(bytes)
    out:write(bytes, "\n")
end

local function varies(run, name)
    return run.varies and run.varies[name]
end

local function write_case(c, ok, result)
    local run = c.run
    local grid, block = case.sizes(c)
    local object = c.program:object()
    put("case %s:%d: %s", c.file.path, run.line, c.where)
    put("object %d", #object)
    put_bytes(object)
    put("launch %s %d %d %d %d %d %d %d %d", run.entry, c.width, grid[1], grid[2] or 1, grid[3] or 1, block[1],
        block[2] or 1, block[3] or 1, LIMIT)
    for _, a in ipairs(run.args) do
        put("scalar %s %s", a.key, c.args[a.key])
    end
    for _, b in ipairs(run.buffers) do
        put("buffer %s %d %d", b.name, b.buffer.address, #c.start[b.name])
        put_bytes(c.start[b.name])
        if not varies(run, b.name) then
            local bytes = b.buffer:bytes()
            put("after %s %d", b.name, #bytes)
            put_bytes(bytes)
        end
    end
    put("fault %s", ok and "-" or result.kind)
end

-- Runs a case, if the launch is small enough.
local function run_case(context, program, file, run, width)
    local c = case.new(context, program, file, run, width, checks)
    local ok, result = pcall(case.launch, c, {functional = true, max_instructions = SMALL})
    if ok and result.thread_instructions > SMALL or not ok and result.kind == "instruction_limit" then
        return false
    end
    write_case(c, ok, result)
    return true
end

local function run_widths(context, program, file, run)
    for _, width in ipairs(expectations.widths(program, run)) do
        local ok, small = case.limited(run_case, context, program, file, run, width)
        checks.report(ok, "%s:%d: %s", file.path, run.line, ok or case.said(small))
        bench.clear(context)
        if ok and not small then
            large = large + 1
            return -- and wider warps have no fewer threads
        end
    end
end

for _, name in ipairs(expectations.files(#arg > 0 and arg or {"kernels"})) do
    checks.at(name)
    local file = expectations.read_small(name)
    local context <close> = heddle.new()
    local program = context:load(file.text, name)
    for _, run in ipairs(file.runs) do
        if run.rules or run.cooperative or file.text:find "\n%.global " then
            foreign = foreign + 1
        elseif not expectations.races(run) then -- the order is the model's own
            run_widths(context, program, file, run)
        end
    end
end

out:close()
local pipe = assert(io.popen(("%s <'%s' 2>&1"):format(model, path)))
local said = pipe:read("a")
local ok = pipe:close()
os.remove(path)
print(said:match("^(.-)[^\n]*\n?$"))
local passed, failed, skipped = said:match("(%d+) passed, (%d+) failed, (%d+) skipped%s*$")
checks.report(ok and passed, "%s: %s", model, said)
checks.passed, checks.failed = checks.passed + (passed or 0), checks.failed + (failed or 0)
print(("%d launches compared; %s depend on the machine, %d runs are too long, %d use what the model does not have")
    :format(passed or 0, skipped, large, foreign))
checks.finish()
