-- The claims about the unfolding convolution, as rows of heddle.claims.judge.
--
--   judge.all(claims.rows, claims.metrics, trials, turns)
--
-- Paragraphs are those of the source document. The method is unfolding with zeros received or written, as the document
-- has it both ways; the cheaper one counts. A dense rival comes in two views: masked, with the stages that make its
-- result the sparse one, and "unmasked", its result left dense, which bounds every way of masking from below; one that
-- looks at its windows first needs no mask. Times are with launches, and with the host's reads between them.
local lists = require "heddle.kit.lists"
local pipeline = require "heddle.spconv.pipeline"
local report = require "heddle.kit.report"

local claims = {}

claims.metrics = {
    time = {of = "launched", unit = "cycles with launches", better = "faster", worse = "slower", bounded = true,
        beside = "alone", beside_as = "without launches"},
    alone = {of = "drained", unit = "cycles", better = "faster", worse = "slower", bounded = true},
    bytes = {of = "board_bytes", unit = "bytes of the board's memory", better = "fewer", worse = "more"},
    asked = {of = "macs_asked", unit = "multiplications by shape", better = "fewer", worse = "more"},
    issued = {of = "macs", unit = "multiplications that lanes executed", better = "fewer", worse = "more"},
    energy = {of = "energy", unit = "joules", better = "less", worse = "more", bounded = true, parts = true},
}

local METHOD <const> = pipeline.names(function(row) return row.unfolds and not row.type end)
local LOOKING <const> = pipeline.looking
local DENSE <const> = lists.append(lists.append({}, pipeline.dense), LOOKING)
local BOOKS <const> = pipeline.names(function(row) return row.work == "rulebook" end)
local LEFT <const> = lists.append(lists.map(pipeline.dense, function(name) return name .. " unmasked" end), LOOKING)

-- ---- claims that compare no costs ----

local function host(trial)
    local unfold = trial.rows.unfold
    return unfold and {won = unfold.host_bytes <= 8, method = "unfold", -- 4 for each list
        note = ("%s of lengths are read"):format(report.plural(unfold.host_bytes, "byte"))} or nil
end

local function one_window(trial)
    if trial.at.stride ~= 1 then
        return nil
    end
    return {won = trial.active == trial.windows, method = "unfold",
        note = ("%s, %s"):format(report.plural(trial.active, "position"), report.plural(trial.windows, "window"))}
end

-- ---- rows ----

local BY <const> = "density"
local EFFICIENT <const> = "It is efficient on a GPU, since only active windows are computed."
local FEWER <const> = "Only active windows are multiplied."

-- Questions of a skeptic, and the methods that answer them.
local LEFT_OUT <const> = "masked implicit GEMM, sorted by mask (spconv v2, TorchSparse++) and Spira's search of " ..
    "packed coordinates, which take lists of positions, because here tensors are dense"
local ONE_LAUNCH <const> = {question = "How would one do this in one launch, without the idea?",
    answer = {"direct-skip", "direct-coop", "direct-pack"}, left_out = "Winograd's transforms, because they are for " ..
    "3x3 at stride 1 and round otherwise"}
local IN_HALF <const> = lists.merge(ONE_LAUNCH, {left_out = "the same in fp16, because fp32 is faster already"})
local OWN <const> = {question = "What would the idea's owner choose for himself?", answer = {"unfold", "unfold-all",
    "unfold-mma"}, left_out = "a chain of layers that keeps its lists, because one layer is claimed"}
local OTHERS <const> = {question = "How do others convolve active windows alone?", answer = {"indexed-implicit",
    "rulebook", "rulebook-flags"}, left_out = LEFT_OUT}

-- id, claim, rivals, metric; more fields.
local function against(id, claim, rivals, metric, more)
    return lists.merge({id = id, claim = claim, methods = METHOD, rivals = rivals, metric = metric, by = BY,
        questions = {ONE_LAUNCH, OWN, OTHERS}, says = metric == "asked" and FEWER or EFFICIENT,
        refuted = "an input on which it costs as much as " .. table.concat(rivals, " or ")}, more)
end

local PART <const> = {part = true}

claims.rows = {
    {id = "host", claim = "Needs no work of the host", test = host, says = "The whole of it runs on the GPU.",
        questions = {{question = "Who else needs none?",
            answer = {"direct-skip", "direct-coop", "direct-pack", "rulebook", "rulebook-flags"},
            left_out = "rule books of the host (SparseConvNet, 2017), because those of today are made on the GPU"}},
        refuted = "an input for which the host looks up, or copies to the board, more than lengths of lists"},
    {id = "one-window", claim = "One window for each active position", test = one_window, questions = {OWN},
        says = "With stride 1, and padding that centres a window on each position, each active one has one window.",
        refuted = "an input of stride 1 whose windows are fewer or more than its active positions"},
    against("macs-dense", "Fewer multiplications than dense", pipeline.dense, "asked"),
    against("macs-looking", "Fewer multiplications than by looking first", LOOKING, "asked", PART),
    against("macs-rulebook", "Fewer multiplications than the rulebook", {"rulebook"}, "asked"),
    against("issued-rulebook", "Fewer executed ones than the rulebook", {"rulebook"}, "issued", PART),
    against("bytes-im2col", "Fewer bytes than im2col", {"im2col"}, "bytes"),
    against("bytes-im2col-alone", "Fewer bytes than im2col, left dense", {"im2col unmasked"}, "bytes", PART),
    against("bytes-implicit", "Fewer bytes than an implicit product", {"implicit"}, "bytes", PART),
    against("bytes-implicit-alone", "Fewer bytes than implicit, left dense", {"implicit unmasked"}, "bytes", PART),
    against("bytes-direct", "Fewer bytes than a direct convolution", {"dense-direct"}, "bytes", PART),
    against("bytes-direct-alone", "Fewer bytes than direct, left dense", {"dense-direct unmasked"}, "bytes", PART),
    against("bytes-looking", "Fewer bytes than by looking first", LOOKING, "bytes", PART),
    against("bytes-dense", "Fewer bytes than every dense method", DENSE, "bytes"),
    against("bytes-dense-alone", "Fewer bytes than every one, left dense", LEFT, "bytes"),
    against("bytes-indexed", "Fewer bytes than indexed-implicit", {"indexed-implicit"}, "bytes"),
    against("time-im2col", "Faster than im2col", {"im2col"}, "time"),
    against("time-im2col-alone", "Faster than im2col, left dense", {"im2col unmasked"}, "time", PART),
    against("time-implicit", "Faster than an implicit product", {"implicit"}, "time", PART),
    against("time-implicit-alone", "Faster than implicit, left dense", {"implicit unmasked"}, "time", PART),
    against("time-direct", "Faster than a direct convolution", {"dense-direct"}, "time", PART),
    against("time-direct-alone", "Faster than direct, left dense", {"dense-direct unmasked"}, "time", PART),
    against("time-looking", "Faster than by looking first", LOOKING, "time", PART),
    against("time-dense", "Faster than every dense method", DENSE, "time"),
    against("time-dense-alone", "Faster than every one, left dense", LEFT, "time"),
    against("time-indexed", "Faster than indexed-implicit", {"indexed-implicit"}, "time"),
    against("time-rulebook", "Faster than the rulebook, L2 cold", BOOKS, "time",
        {on = {"scan", "stride", "size", "part", "random"}}),
    against("time-rulebook-warm", "Faster than the rulebook, L2 warm", BOOKS, "time",
        {on = {"warm"}, part = true}),
    against("zeros", "Received zeros are faster than written ones", {"unfold-all"}, "time", {methods = {"unfold"},
        says = "The matrix is received as zeros, so that padding is skipped."}),
    against("energy-implicit", "Less energy than an implicit product", {"implicit"}, "energy", PART),
    against("energy-direct", "Less energy than a direct convolution", {"dense-direct"}, "energy", PART),
    against("energy-looking", "Less energy than by looking first", LOOKING, "energy", PART),
    against("energy-im2col", "Less energy than im2col", {"im2col"}, "energy", PART),
    against("energy-dense", "Less energy than every dense method", DENSE, "energy"),
    against("matrix-unit", "Faster by the matrix unit", {"unfold", "unfold fp16", "dense-direct",
        table.unpack(LOOKING)}, "time", {methods = {"unfold-mma"}, questions = {IN_HALF, OWN},
        says = "The product is one of matrices, which boards have units for."}),
}

return claims
