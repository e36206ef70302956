-- One input of the convolution study with its properties before any launch.
--
--   local c = case.new(ctx, {p = p, x = bytes, weights = list, bias = list or nil, about = {...}})
--   c.r, c.q, c.pairs, c.density      its reference, share of active window elements, rulebook pairs, A / outputs
--   c:rounded()                       the same with x and weights rounded to fp16, as some methods take them
--   c:rounded().lost                  the changed numbers: {x = {of, changed, zeros}, weights = {...}}; nil: none
--   case.lost_text(lost)              the same in words
--   c:difference(bytes)               nil, or the first element of a result that is wrong, in words
--   case.unfit(c.p, windows, method)  nil, or why a method's tensors are too large; nothing is allocated for it
--
-- A result must have the reference's bits when all of x, weights and bias are whole numbers whose sums binary32 holds
-- (up to 2^24); else it must lie within the reference's bound.
local lists = require "heddle.kit.lists"
local pipeline = require "heddle.spconv.pipeline"
local report = require "heddle.kit.report"
local spconv = require "heddle.spconv.reference"

local case = {}
case.__index = case

-- ---- too large ----

local LIMIT <const> = 1 << 32 -- bytes of the tensors of a method
case.LIMIT = LIMIT

-- Why the tensors of a method do not fit: nil when they do. `windows`: the number of active windows, or a lower bound;
-- `element`: bytes of a number of the matrix (4). The host keeps x and the weights in fp32 in any case.
function case.unfit(p, windows, method, element)
    element = element or 4
    local row, rows = pipeline.by[method], p.volume * p.channels
    local columns = not row.matrix and 0 or row.work == "dense" and p.outputs or windows
    local matrix, x = 1.0 * element * rows * columns, 4.0 * p.positions * p.channels
    local weights, y = 4.0 * rows * p.filters, 4.0 * p.outputs * p.filters
    if matrix + x + weights + y <= LIMIT then
        return nil
    end
    local count = report.count
    local text = ("x takes %s bytes, the weights %s and the result %s; at most %s fit"):format(count(x),
        count(weights), count(y), count(LIMIT))
    return columns > 0 and ("its matrix [%d,%d] would take %s bytes, "):format(rows, columns, count(matrix)) .. text
        or text
end

-- ---- the reference ----

-- The largest size of a list's numbers; nil when one is not whole.
local function whole(list)
    local most = 0
    for _, v in ipairs(list) do
        if v ~= v // 1 then -- also NaN; an infinity has an infinite bound
            return nil
        end
        most = math.max(most, math.abs(v))
    end
    return most
end

-- True if every sum is exact in binary32, in any order: all are whole numbers, and no sum exceeds what it holds, which
-- the largest numbers show, or else the sums' bounds.
local function exact(c)
    local weight, bias, x, most = whole(c.weights), whole(c.bias or {}), 0, 2.0 ^ 24
    for _, feature in pairs(weight and bias and c.r.features or {}) do
        local size = whole(feature)
        if not size then
            return false
        end
        x = math.max(x, size)
    end
    local terms = c.p.volume * c.p.channels
    if not weight or not bias or bias + terms * weight * x <= most then
        return weight ~= nil and bias ~= nil
    end
    for _, bounds in ipairs(c.r.bounds) do
        for _, bound in ipairs(bounds) do
            if bound - bound ~= 0 or bound > (terms + 2) * 2.0 ^ -24 * most then
                return false
            end
        end
    end
    return true
end

-- The fields: p, x, weights, bias, about, and the values derived from them.
function case.new(ctx, o)
    local c = setmetatable({ctx = ctx, p = o.p, x = o.x, weights = o.weights, bias = o.bias, about = o.about}, case)
    local r = spconv.reference(c.p, c.x, c.weights, c.bias)
    c.r, c.active, c.windows = r, #r.active, #r.windows
    c.density = c.windows / c.p.outputs
    c.pairs = spconv.pairs(c.p, r.active, r.windows)
    c.q = c.windows > 0 and c.pairs / (c.p.volume * c.windows) or nil -- the share of active elements
    c.exact = exact(c)
    return c
end

-- "12 of 84 numbers changed, 3 of them to zero"
function case.changes_text(of, changed, zeros)
    return ("%s of %s changed%s"):format(report.count(changed), report.plural(of, "number"),
        zeros > 0 and (", %s of them to zero"):format(report.count(zeros)) or "")
end

function case.lost_text(lost)
    return ("of x, %s; of the weights, %s"):format(case.changes_text(lost.x.of, lost.x.changed, lost.x.zeros),
        case.changes_text(lost.weights.of, lost.weights.changed, lost.weights.zeros))
end

-- Numbers as fp16 holds them.
local function to_f16(ctx, numbers)
    local b = ctx:buffer("rounded", "f16", #numbers, numbers)
    local list = b:table()
    ctx:drop "rounded"
    return list
end

-- The case with x and weights rounded to fp16: itself when nothing changes; nil when a number is beyond fp16.
function case:rounded()
    if self.half ~= nil then
        return self.half or nil
    end
    local lost, beyond = {}, false
    local function round(name, list)
        local out = #list > 0 and to_f16(self.ctx, list) or list
        local n = {of = #list, changed = 0, zeros = 0}
        for i, v in ipairs(list) do
            if v == v and v ~= out[i] then
                n.changed, n.zeros = n.changed + 1, n.zeros + (out[i] == 0 and 1 or 0)
                beyond = beyond or v - v == 0 and out[i] - out[i] ~= 0
            end
        end
        lost[name] = n
        return out
    end
    local x, weights = round("x", lists.numbers("f", 4, self.x)), round("weights", self.weights)
    local same = lost.x.changed + lost.weights.changed == 0
    if same or beyond then
        self.half = same and self
        return self.half or nil
    end
    self.half = case.new(self.ctx, {p = self.p, x = lists.bytes("f", x), weights = weights, bias = self.bias,
        about = self.about})
    self.half.lost = lost
    return self.half
end

function case:difference(bytes)
    return spconv.compare(self.p, self.r, bytes, self.exact and "exact" or "bounded")
end

-- The bytes of a result of ones when it is masked.
function case:mask()
    if self.ones then
        return self.ones
    end
    self.ones = spconv.scatter(self.p.layout, self.r.windows, self.p.filters, self.p.outputs // self.p.batch,
        self.p.outputs * self.p.filters, function() return 1.0 end)
    return self.ones
end

return case
