-- Stages of the rulebook methods: a hash table, or flags, finds for each element of the window (tap) the pairs of an
-- active position and a window; one launch gathers, multiplies and adds for all of them. For heddle.spconv.pipeline.
local report = require "heddle.kit.report"
local stage = require "heddle.spconv.stage"
local study = require "heddle.kit.study"

local rulebook = {}

local ceil = stage.ceil

-- Makes the lists of pairs by a kernel, with a table of `places` before their numbers.
local function list_pairs(self, kernel, places, args)
    self.table_places, args.list, args.count, args.volume = places, self.list, self.windows, self.p.volume
    args.book, args.from, args.to = "book", "from", "to"
    self:launch("book", "spconv/rulebook", kernel, {ceil(args.count, self.threads), args.volume}, self.threads, args)
end

-- Allocates the lists of pairs, and `places` before their numbers; false if there are no windows.
local function begin_book(self, places)
    local bytes = 4 * self.p.volume * self.windows
    if bytes >= 1 << 32 then
        study.refuse("%s: the lists of pairs may take %s bytes each; at most %s fit", self.method, report.count(bytes),
            report.count((1 << 32) - 1))
    elseif self.windows == 0 then
        return false
    end
    self.ctx:buffer("book", "u32", places + self.p.volume)
    self.ctx:buffer("from", "u32", bytes // 4)
    self.ctx:buffer("to", "u32", bytes // 4)
    self:zero("book", "book")
    return true
end

-- Pairs by a table at least twice as large as what is put into it.
function rulebook.book(self)
    local log2 = 1
    while 1 << log2 < 2 * self.active do
        log2 = log2 + 1
    end
    if begin_book(self, 1 << log2) then
        local args = {book = "book", list = "active", count = self.active, shift = 32 - log2}
        self:launch("book", "spconv/rulebook", "rulebook_insert", ceil(self.active, self.threads), self.threads, args)
        list_pairs(self, "rulebook_pairs", 1 << log2, args)
    end
end

-- Pairs by the flags of all positions, which identify made.
function rulebook.book_of_flags(self)
    if begin_book(self, 0) then
        list_pairs(self, "rulebook_pairs_of_flags", 0, {flags = "flags"})
    end
end

function rulebook.bias(self)
    local p = self.p
    if self.bias and self.windows > 0 then
        self:launch("bias", "spconv/rulebook", "rulebook_bias", {ceil(self.windows, self.threads), p.filters},
            self.threads, {bias = self.bias, list = self.list, y = self.y, count = self.windows, outputs = p.outputs,
            ysc = self.out_sc, ysp = self.out_sp})
    end
end

-- Gather, product and scatter: blocks for as many pairs of a tap as there are windows, most of them without any.
function rulebook.multiply(self)
    local p, groups = self.p, ceil(self.p.filters, 4)
    if self.windows > 0 then
        self:launch("multiply", "spconv/rulebook", "rulebook_multiply" .. self:fours(p.channels) .. "_" .. self.type,
            {groups, ceil(self.windows, self.threads), p.volume}, self.threads, {
                x = self.x, weight = self:weights_by_fours(), book = "book", from = "from", to = "to", y = self.y,
                count = self.windows, places = self.table_places, volume = p.volume, outputs = p.outputs,
                sc = self.in_sc, sp = self.in_sp, ysc = self.out_sc, ysp = self.out_sp,
            })
        self:multiplies(p.filters * p.channels * self:counted().pairs)
    end
end

return rulebook
