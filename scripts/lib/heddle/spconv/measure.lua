-- Runs the methods of the convolution study on a board, checks their results, and measures their cost.
--
--   local bench = measure.new(board.read(ctx, "a100"), {threads = 1})
--   local row = bench:run(c, "unfold")            c: heddle.spconv.case
--   row.difference                                nil, or the first element that is wrong, in words
--   row.stages[1]                                 {name, cycles, macs, tensors, energy, limiter, ...}, one for a name
--   row.cycles, row.l1_bytes, row.board_bytes     sums over the stages
--   row.limiter, row.limiter_stage                the limiter of the stage with most cycles, and its name
--
-- Of a stage and in total: macs_useful of active elements, macs_asked by the shapes of the products, macs executed by
-- lanes, zero_share of these that were unnecessary; gather, sectors per request of the gather from x; reads by the
-- host, and their host_bytes; 0 where a stage has nothing of it.
--
-- The launches of a dense method before its mask cost the same at every density, as they begin with cold caches and
-- look at no number: bench:run(c, "im2col", {like = row}), row of another input of that shape, takes them from there
-- and measures the mask alone, of a result of ones.
--
--   bench:attempt(c, "unfold fp16")               the same of any name of pipeline.views, or {method, skipped = why}
--   bench:input(c, methods)                       {methods = {row, ...}, by = {method = row}, rows = by all names}
--   bench:check(p, name)                          ends the study where a method, or none of "all", fits the board
--
-- A method begins without any buffers, so that its own have the same addresses whatever was measured before.
--
-- Caches are cold at the start of every launch, as with tensors that are larger than L2. Bytes that a launch leaves
-- dirty in L2 are counted as `dirty` ones of the tensor with most of its writes, and are part of board_bytes; `drained`
-- are the cycles with their write-back at DRAM's peak, `launched` these with overhead_cycles: of launches, and of the
-- host's reads between them (launch.round_trip_cycles). With warm caches a launch starts with the L2 of the previous
-- one and counts only the dirty bytes that it adds: a method's sum is what is dirty at the end.
local bench = require "heddle.kit.bench"
local case = require "heddle.spconv.case"
local energies = require "heddle.claims.energies"
local gemm = require "heddle.gemm.launch"
local lists = require "heddle.kit.lists"
local pipeline = require "heddle.spconv.pipeline"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local measure = {}
measure.__index = measure

local SECTOR <const> = 32

local launches = setmetatable({}, {__mode = "k"}) -- of a row

-- threads: of the host; line: the progress of the study; type: "f32" or "f16"; keep: the first result stays in
-- bench.result; warm: caches stay as they are between the launches of a method; append: unordered methods list active
-- positions by atomic append.
function measure.new(b, options)
    local values = b.values
    local width = options.warp or values.warp_width
    b:use(width ~= values.warp_width and {warp_width = width} or nil)
    return setmetatable(lists.merge({threads = 1, type = "f32"}, options, {
        board = b, ctx = b.ctx, width = width, trip = values["launch.round_trip_cycles"],
        machine = { -- peaks per cycle
            macs = values["lanes.fma"] * values["sm.sub_cores"] * values.sms,
            bytes = 1e3 * b.ctx:peaks().dram_gbs.value / values.clock_mhz,
        },
    }), measure)
end

-- Uses the board with more of its values changed, until the next call.
function measure:on(changes)
    local narrow = self.width ~= self.board.values.warp_width and {warp_width = self.width} or {}
    self.board:use(lists.merge(narrow, changes))
    self.known = nil
end

-- ---- counting ----

local function add(sum, more)
    for key, value in pairs(more) do
        sum[key] = (sum[key] or 0) + value
    end
    return sum
end

-- The buffer with most L2 writes of a launch; of several the first by name.
local function written(result)
    local most, name = 0, nil
    for key, t in pairs(result.traffic) do
        if t.l2_write_sectors > most or name and t.l2_write_sectors == most and key < name then
            most, name = t.l2_write_sectors, key
        end
    end
    return name
end

local function l2_bytes(t)
    return SECTOR * (t.l2_read_sectors + t.l2_write_sectors)
end

local function add_tensors(tensors, result, dirty)
    local left = written(result)
    for name, t in pairs(result.traffic) do
        tensors[name] = add(tensors[name] or {}, {
            requests = t.requests, sectors = t.sectors, l1_useful = t.useful_bytes, l1_bytes = SECTOR * t.sectors,
            l2_useful = t.l2_useful_bytes, l2_bytes = l2_bytes(t), dram_useful = t.dram_useful_bytes,
            dram_bytes = t.dram_read_bytes + t.dram_write_bytes, dirty_bytes = name == left and dirty or 0,
        })
    end
end

local function empty()
    return {launches = 0, cycles = 0, overhead_cycles = 0, macs_useful = 0, macs_asked = 0, macs = 0,
        warp_instructions = 0, energy = 0.0, energies = energies.none, l1_useful = 0, l1_bytes = 0, l2_bytes = 0,
        dirty_bytes = 0, board_bytes = 0, drained = 0.0, launched = 0.0, reads = 0, host_bytes = 0}
end

-- Additive counts of a launch that leaves `dirty` more bytes dirty in L2.
local function numbers_of(result, dirty)
    local m, useful, l2 = result.metrics, 0, 0
    for _, t in pairs(result.traffic) do
        useful, l2 = useful + t.useful_bytes, l2 + l2_bytes(t)
    end
    return {
        launches = 1, cycles = result.cycles, overhead_cycles = result.overhead_cycles, macs = gemm.macs(result),
        warp_instructions = result.warp_instructions, energy = m["energy.dynamic"],
        energies = energies.of(result), l1_useful = useful,
        l1_bytes = SECTOR * m["l1.sectors"], l2_bytes = l2, dirty_bytes = dirty,
        board_bytes = m["dram.read_bytes"] + m["dram.write_bytes"] + dirty, drained = bench.drained(result, dirty),
    }
end

-- Sectors per request of the stages that gather from x; nil where none does.
local function gather_of(stages)
    local requests, sectors = 0, 0
    for _, stage in ipairs(stages) do
        local x = stage.tensors.x
        if x and stage.name ~= "identify" and stage.name ~= "flags" then
            requests, sectors = requests + x.requests, sectors + x.sectors
        end
    end
    return requests > 0 and sectors / requests or nil
end

-- Values derived from a stage's sums. A method multiplies in stages of one name, which have all of its useful work.
-- `trip`: cycles until the host has read a length, 4 bytes, and can launch what follows.
local function finish_stage(stage, reads, useful, trip)
    stage.reads, stage.host_bytes = reads, 4 * reads
    stage.overhead_cycles = stage.overhead_cycles + reads * trip
    stage.launched = stage.drained + stage.overhead_cycles
    stage.macs_useful = stage.macs_asked > 0 and useful or 0
    stage.zero_share = stage.macs > 0 and 1 - stage.macs_useful / stage.macs or 0
    stage.gather = gather_of {stage} or 0
end

-- The stages of a method, one for each name, in the order in which they began; `useful`: its multiplications of active
-- elements.
local function stages_of(run, warm, useful, trip)
    local list, by, longest, before = {}, {}, {}, 0
    for _, launch in ipairs(run.stages) do
        local stage, result = by[launch.name], launch.result
        if not stage then
            stage = lists.merge(empty(), {name = launch.name, part = launch.part, tensors = {}})
            list[#list + 1], by[launch.name], longest[stage] = stage, stage, -1
        end
        local dirty = result.metrics["l2.dirty_bytes"]
        add(stage, numbers_of(result, dirty - before))
        stage.macs_asked = stage.macs_asked + (launch.macs or 0)
        add_tensors(stage.tensors, result, dirty - before)
        before = warm and dirty or 0
        if result.cycles > longest[stage] then
            longest[stage], stage.limiter, stage.kernel = result.cycles, result.limiter, launch.kernel
        end
    end
    for _, stage in ipairs(list) do
        finish_stage(stage, run.reads[stage.name] or 0, useful, trip)
    end
    return list
end

-- Adds the sums of its stages, and the values derived from them, to a row.
local function finish(row, run)
    add(row, empty())
    local longest = -1
    for _, stage in ipairs(row.stages) do
        for key in pairs(empty()) do
            row[key] = row[key] + stage[key]
        end
        if stage.cycles > longest then
            longest, row.limiter, row.limiter_stage = stage.cycles, stage.limiter, stage.name
        end
        for name, t in pairs(stage.tensors) do
            row.tensors[name] = add(row.tensors[name] or {}, t)
        end
    end
    row.zero_share = row.macs > 0 and 1 - row.macs_useful / row.macs or nil
    row.matrix_bytes, row.gather = run.matrix_bytes, gather_of(row.stages)
end

-- ---- running ----

local function buffers(self, c, type)
    bench.clear(self.ctx)
    local p = c.p
    self.ctx:buffer("x", type, p.positions * p.channels, type == "f32" and c.x or lists.numbers("f", 4, c.x))
    self.ctx:buffer("weight", type, #c.weights, c.weights)
    if c.bias then
        self.ctx:buffer("bias", "f32", p.filters, c.bias)
    end
end

-- The element type of a method and its bytes: the only one that it takes, or else the requested one.
function measure.taken(method, type)
    type = pipeline.by[method].type or type
    return type, type == "f16" and 2 or 4
end

-- Shows that a method begins; its work is bench.work, or part of a step that began already.
local function begin(self, method)
    local line = self.line
    if not line then
        return nil
    elseif self.work then
        line.step(("%s: %s%s"):format(self.board.name, self.stage and self.stage .. ", " or "", method), self.work)
    end
    return function(stage, share)
        return line.share(self.work and share or 0.5, stage)
    end
end

-- Results of launches on this board of the last input: methods share launches.
local function known_of(self, c)
    if not self.known or self.input_of_known ~= c then
        self.known, self.input_of_known = {}, c
    end
    return self.known
end

-- Mistake of a result; nil: none.
local function difference(c, run, bytes, masked)
    local found
    if masked then
        found = bytes ~= c:mask() and "the mask is wrong" or nil
    else
        found = c:difference(bytes)
    end
    return found or run.windows and run.windows ~= c.windows and ("it found %s active windows instead of %s"):format(
        report.count(run.windows), report.count(c.windows)) or nil
end

-- Runs one method: {method, type, verified, difference, stages, ...}. how: type, warm and append in place of the
-- bench's, tile or block of heddle.spconv.pipeline, and like.
function measure:run(c, method, how)
    local o = lists.merge({type = self.type, warm = self.warm, append = self.append}, how)
    local type, known = measure.taken(method, o.type), not o.warm and not o.append and known_of(self, c) or nil
    if type == "f16" then
        c = c:rounded() or error({kind = "input", message = "a number of x or a weight is beyond the range of fp16"}, 0)
    end
    local row = {method = method, type = type, tensors = {}, rounded = c.lost, exact = c.exact, active = c.active,
        windows = c.windows, append = o.append and pipeline.by[method].unordered or false}
    buffers(self, c, type)
    local run = pipeline.run(self.ctx, method, c.p, {
        type = type, bias = c.bias and "bias" or nil, pairs = c.pairs, windows = c.windows, warp = self.width,
        threads = self.threads, caches = o.warm and "warm" or nil, append = row.append or nil, tile = o.tile,
        block = o.block, known = known, like = o.like and launches[o.like], progress = begin(self, method),
    })
    local bytes = run.y:bytes()
    row.difference, self.result = difference(c, run, bytes, o.like), self.result or self.keep and bytes or nil
    row.verified, row.elements = row.difference == nil, #bytes // 4
    row.stages = stages_of(run, o.warm, c.pairs * c.p.channels * c.p.filters, self.trip)
    finish(row, run)
    launches[row] = run.stages
    return row
end

-- A message without the method's name as its prefix.
local function without_name(text, name)
    local front = name .. ": "
    return text:sub(1, #front) == front and text:sub(#front + 1) or text
end

-- Measures a method, or gives {skipped = why} when its tensors or kernels do not fit the board; how: as of measure:run.
function measure:attempt(c, name, how)
    local view = pipeline.views[name]
    if view.type then
        how = {type = view.type, warm = how and how.warm, append = how and how.append}
    end
    local _, element = measure.taken(view.method, how and how.type or self.type)
    local row, why = nil, case.unfit(c.p, c.windows, view.method, element)
    if not why then
        row, why = study.attempt(self.run, self, c, view.method, how)
    end
    return row or {method = view.method, skipped = without_name(why, view.method)}
end

-- Runs a single window of such channels, filters and kernel sizes, before anything is measured or printed.
function measure:check(p, name)
    local first
    for _, method in ipairs(name == "all" and pipeline.methods or {name}) do
        local why = pipeline.refusal(self.ctx, method, p, {type = measure.taken(method, self.type), warp = self.width})
        if not why then
            return
        end
        first = first or ("%s: %s"):format(method, without_name(why, method))
    end
    study.refuse("%s", first)
end

-- ---- rows as claims compare them ----

-- A row without the stages that only mask a dense result.
local function unmasked(row)
    local out, longest = {}, -1
    for key in pairs(empty()) do
        out[key] = row[key]
        for _, stage in ipairs(row.stages) do
            out[key] = stage.part == "mask" and out[key] - stage[key] or out[key]
        end
    end
    for _, stage in ipairs(row.stages) do
        if stage.part ~= "mask" and stage.cycles > longest then
            longest, out.limiter = stage.cycles, stage.limiter
        end
    end
    return out
end

-- Adds a row, if there is one, under its name and of a dense method "unmasked", too.
function measure.view(rows, name, row)
    rows[name] = row or rows[name]
    if row and pipeline.views[name].dense then
        rows[name .. " unmasked"] = unmasked(row)
    end
end

-- The costs of a row between two.
function measure.between(a, b, share)
    local out = {}
    for key in pairs(empty()) do
        out[key] = a[key] + (b[key] - a[key]) * share
    end
    return out
end

-- The methods on one input; how: as of measure:run. When none can run the study ends.
function measure:input(c, methods, how)
    local found, work = {methods = {}, by = {}, rows = {}}, self.work
    self.work = work and work / #methods
    for i, name in ipairs(methods) do
        local row = self:attempt(c, name, how)
        found.methods[i], found.by[name] = row, not row.skipped and row or nil
        measure.view(found.rows, name, found.by[name])
    end
    self.work = work
    if not next(found.by) then
        study.refuse("%s: %s", found.methods[1].method, found.methods[1].skipped)
    end
    return found
end

return measure
