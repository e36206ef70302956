-- Prints every `;! run` of the shipped kernels, at each width, and its result here: a line of JSON each.
--
--   heddle lua tests/pages/lib/cases.lua [FILE or FOLDER ...]        default: kernels
--
-- native.js launches them again in WebAssembly. Each width has a board, so that all of them have a clock.

local heddle = require "heddle"
local bench = require "heddle.kit.bench"
local expectations = require "heddle.cases.expectations"
local case = require "heddle.cases.case"

local BOARDS <const> = {[8] = "teach8", [16] = "v100", [32] = "teach32", [64] = "br100"}

local HEX = {}
for i = 0, 255 do
    HEX[string.char(i)] = ("%02x"):format(i)
end

local function hex(bytes)
    return (bytes:gsub(".", HEX))
end

local function number(v, type)
    if type == "u64" and v < 0 then
        return ("0x%x"):format(v)
    end
    return math.type(v) == "integer" and ("%d"):format(v) or ("%.17g"):format(v)
end

-- The types of the parameters of the run's kernel.
local function types(c)
    local found = {}
    for _, kernel in ipairs(c.program:kernels()) do
        for _, p in ipairs(kernel.name == c.run.entry and kernel.params or {}) do
            found[p.name] = p.type
        end
    end
    return found
end

-- Makes a launch's request: the buffers as they are before it, scalars as text.
local function request(c, board)
    local options, type_of = case.options(c), types(c)
    local asked = {file = c.file.path, line = c.run.line, entry = options.entry, grid = options.grid,
                   warp = c.width, block = options.block, limit = options.max_instructions, board = board,
                   buffers = heddle.array {}, args = {}}
    for i, b in ipairs(c.run.buffers) do
        asked.buffers[i] = {name = b.name, type = b.type, count = b.count, start = hex(c.start[b.name])}
    end
    for name, v in pairs(c.args) do
        if type(v) == "number" then
            asked.args[name] = number(v, type_of[name])
        end
    end
    return asked
end

local function answer(c)
    local o = case.outcome(c, {})
    local r = o.result
    local got = {ok = o.ok, bytes = {}}
    for name, bytes in pairs(o.bytes) do
        got.bytes[name] = bytes ~= c.start[name] and hex(bytes) or nil
    end
    if o.ok then
        got.cycles, got.warp_instructions, got.thread_instructions = r.cycles, r.warp_instructions,
            r.thread_instructions
        got.classes, got.metrics = r.classes, r.metrics
    else
        got.kind, got.line = r.kind, r.line
    end
    return got
end

local function print_run(program, file, run, width)
    local board = BOARDS[width]
    local context <close> = heddle.new()
    context:board(("configs/%s.yaml"):format(board))
    local c = case.new(context, program, file, run, width)
    local asked = request(c, board)
    asked.want = answer(c)
    if asked.want.kind ~= "input" then -- the board cannot hold it
        io.write(heddle.json(asked, {lossy = true, indent = 0}))
    end
    bench.clear(context)
end

for _, path in ipairs(expectations.files(#arg > 0 and arg or {"kernels"})) do
    local file = expectations.read_small(path)
    local context <close> = heddle.new()
    local program = context:load(file.text, path)
    for _, run in ipairs(file.runs) do
        -- The page's own launch has no shared memory of a launch, no rules and no variables of a module.
        local foreign = run.shared or run.rules or file.text:find "\n%.const " or file.text:find "\n%.global "
        for _, width in ipairs(foreign and {} or expectations.widths(program, run)) do
            print_run(program, file, run, width)
        end
    end
end
