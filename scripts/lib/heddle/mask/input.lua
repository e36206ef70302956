-- The inputs of the mask study: masks, tensors and packed words from .npy files, and the value of --fill.
--
--   local m = input.mask(ctx, "m.npy")             {truth = bytes, n, height, width, lead = {...}, about}
--   local x = input.tensor(ctx, "x.npy")           {bytes, type, shape, about}
--   input.match(x, m, 2)                           {truth, n, heads, height, width}: as the kernels take the mask
--   input.value(ctx, "-inf", input.types.fp16)     "\x00\xfc"
--
-- An unusable input ends the study with one sentence: the file, what was expected and what was found.
local mask = require "heddle.mask.definition"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local input = {}

-- ---- types of elements ----

-- name, type of a buffer, bytes, kind; of floats: bits of the exponent and the mantissa
local type_rows = {
    {"int8", "i8", 1, "integer"}, {"int16", "i16", 2, "integer"},
    {"int32", "i32", 4, "integer"}, {"int64", "i64", 8, "integer"},
    {"uint8", "u8", 1, "natural"}, {"uint16", "u16", 2, "natural"},
    {"uint32", "u32", 4, "natural"}, {"uint64", "u64", 8, "natural"},
    {"fp16", "f16", 2, "float", 5, 10}, {"bf16", "bf16", 2, "float", 8, 7},
    {"fp32", "f32", 4, "float", 8, 23}, {"fp64", "f64", 8, "float", 11, 52},
}

input.types, input.type_names = {}, {}
local by_buffer = {}
for i, row in ipairs(type_rows) do
    local t = {name = row[1], buffer = row[2], size = row[3], kind = row[4], exponent = row[5], mantissa = row[6]}
    input.types[t.name], by_buffer[t.buffer], input.type_names[i] = t, t, t.name
end

-- Result types of the conversion: the container type of a packed word; only its width matters.
input.results = {int16 = 16, half = 16, bfloat16 = 16, int32 = 32, float = 32, int64 = 64, double = 64}
input.result_names = {"int16", "half", "bfloat16", "int32", "float", "int64", "double"}

-- The name of a buffer's type: the one used here, if there is one.
local function type_text(buffer)
    return by_buffer[buffer] and by_buffer[buffer].name or buffer
end

-- ---- files ----

local function shape_text(shape)
    return "[" .. table.concat(shape, ",") .. "]"
end

-- Images, rows, columns, and the leading dimensions other than 1.
local function images(path, shape)
    local rank = #shape
    if rank < 2 then
        study.refuse("%s: shape %s; expected 2 or more dimensions, the last two of which are rows and columns", path,
            shape_text(shape))
    end
    local lead, n = {}, 1
    for i, size in ipairs(shape) do
        if size == 0 then
            study.refuse("%s: shape %s has no elements; expected at least one", path, shape_text(shape))
        elseif i <= rank - 2 then
            n, lead[#lead + 1] = n * size, size ~= 1 and size or nil
        end
    end
    return n, shape[rank - 1], shape[rank], lead
end

-- A byte for each element, 0 or 1. Of whole numbers every one but 0 is true; of floats, which are added to scores, -inf
-- is true and 0 is not.
local function truth_of(b, path)
    local t = by_buffer[b.type]
    if b.type == "bool" or t and t.size == 1 then
        return mask.truth(b:bytes())
    elseif not t then
        study.refuse("%s: elements of type %s; a mask has bool, whole numbers, or floats that are 0 or -inf", path,
            b.type)
    end
    local high, known = t.kind == "float" and "\x80" or "\0", {[("\0"):rep(t.size)] = "\0"}
    known[("\0"):rep(t.size - 1) .. high] = "\0" -- -0.0
    if t.kind == "float" then
        known[input.from_fields(t, true, (1 << t.exponent) - 1, 0)] = "\1"
    end
    local truth, at = {}, 0
    for element in b:bytes():gmatch(("."):rep(t.size)) do
        at = at + 1
        truth[at] = known[element] or t.kind ~= "float" and "\1"
        if not truth[at] then
            local v = b:table(at, at)[1]
            study.refuse("%s: element %d is %s; a mask of floats has 0, where x is kept, and -inf, where it is filled",
                path, at - 1, v ~= v and "nan" or ("%.9g"):format(v))
        end
    end
    return table.concat(truth)
end

-- A mask to be applied where it is true.
function input.mask(ctx, path)
    local b
    b, path = study.npy(ctx, "file", path)
    local shape = #b.shape == 1 and {1, b.shape[1]} or b.shape
    local m = {path = path, shape = b.shape}
    m.n, m.height, m.width, m.lead = images(path, shape)
    m.truth = truth_of(b, path)
    m.about = ("%s: %s%s"):format(path, type_text(b.type), shape_text(b.shape))
    ctx:drop "file"
    return m
end

-- ---- masks that broadcast ----

local MOST_IMAGES <const> = 65535 -- blocks in z that a launch may have

local function product(shape, first, last)
    local n = 1
    for i = first, last do
        n = n * shape[i]
    end
    return n
end

-- The images of the mask, `size` bytes each, written out along the first `last` dimensions.
local function spread(truth, from, to, last, size)
    local out = {}
    for j = 0, product(to, 1, last) - 1 do
        local at, step, rest = 0, 1, j
        for i = last, 1, -1 do
            at = at + (from[i] == 1 and 0 or rest % to[i]) * step
            step, rest = step * from[i], rest // to[i]
        end
        out[j + 1] = truth:sub(at * size + 1, (at + 1) * size)
    end
    return table.concat(out)
end

-- Number of rows that share a row of the mask in an image: `rows`, or more if too many images were left.
local function group(count, rows, n)
    for size = 1, count do
        if count % size == 0 and size >= math.min(rows, count) and n * (count // size) <= MOST_IMAGES then
            return size
        end
    end
    return count
end

-- A mask whose shape broadcasts to that of a tensor, by the rules of numpy: shapes are aligned at their last dimension,
-- and each dimension of the mask is that of the tensor, 1, or missing.
--
--   input.broadcast({2, 4, 8, 16}, {2, 1, 1, 16}, truth, 2)
--       -> {n = 2, heads = 16, height = 2, width = 16, truth = bytes}
--
-- The kernels read a mask of n images, each shared by `heads` consecutive images of the tensor, so what is shared is
-- not stored again: dimensions of 1 just before the rows become heads, and a row that serves all rows of an image
-- becomes an image of `rows` rows, as many as share a packed word, which serves every such group of rows.
-- Only a dimension of 1 before one that is not (a mask for each head, the same in each batch) and a single column are
-- written out.
function input.broadcast(shape, stored, truth, rows)
    local rank, more, from = #shape, #stored - #shape, {}
    for i = math.min(1, 1 - more), rank do
        from[i] = stored[i + more] or 1
        if from[i] ~= 1 and from[i] ~= shape[i] then
            return nil
        end
    end
    local height, width = shape[rank - 1], shape[rank]
    if from[rank] ~= width then
        truth = truth:gsub(".", function(byte) return byte:rep(width) end)
    end
    local last, heads = rank - 2, 1 -- of the dimensions before those that are heads
    while last > 0 and from[last] == 1 do
        heads, last = heads * shape[last], last - 1
    end
    local n, one_row = product(shape, 1, last), from[rank - 1] ~= height
    truth = spread(truth, from, shape, last, (one_row and 1 or height) * width)
    if one_row then
        local size = group(height, rows, n * heads)
        heads, height = heads * (height // size), size
        truth = truth:gsub(("."):rep(width), function(row) return row:rep(size) end)
    end
    return {n = n, heads = heads, height = height, width = width, truth = truth}
end

-- Images of x for each of the mask, or nil: by --heads; else the leading dimensions of x (those of 1 left out)
-- begin with the mask's. Image j of x belongs to image j / heads of the mask.
local function heads_of(x, m, heads)
    if heads then
        return x.n == m.n * heads and heads or nil
    end
    heads = 1
    for i, size in ipairs(x.lead) do
        if not m.lead[i] then
            heads = heads * size
        elseif m.lead[i] ~= size then
            return nil
        end
    end
    return #x.lead >= #m.lead and heads or nil
end

-- The type of the elements of a file, by --dtype.
local function type_of(path, b, dtype)
    local t = by_buffer[b.type]
    if not t then
        local names = table.concat(input.type_names, ", ")
        study.refuse("%s: elements of type %s; expected one of %s", path, b.type, names)
    elseif dtype == "bf16" and t.name == "uint16" then
        return input.types.bf16
    elseif dtype and dtype ~= t.name then
        study.refuse("%s: elements of type %s; --dtype says %s%s", path, t.name, dtype,
            dtype == "bf16" and ", which is stored as uint16" or "")
    end
    return t
end

-- The tensor to fill. input.match checks its shape against the mask's.
function input.tensor(ctx, path, dtype)
    local b
    b, path = study.npy(ctx, "file", path)
    local x = {path = path, shape = b.shape, type = type_of(path, b, dtype)}
    x.n, x.height, x.width, x.lead = images(path, b.shape)
    x.bytes = b:bytes()
    local as = x.type.name == "bf16" and ", as bf16" or ""
    x.about = ("%s: %s%s%s"):format(path, type_text(b.type), shape_text(b.shape), as)
    ctx:drop "file"
    return x
end

-- The mask as the kernels take it for x: {truth, n, heads, height, width}. It broadcasts to x as numpy has it, or its
-- leading dimensions are the first ones of x; where both are so, `other` has the --heads of the latter. `heads` is
-- --heads, if given; rows that share a row of the mask are kept as `rows` rows.
function input.match(x, m, rows, heads)
    local view = not heads and not m.words and input.broadcast(x.shape, m.shape, m.truth, rows)
    if view then
        local other = x.height == m.height and heads_of(x, m)
        view.other = other and other ~= view.heads and other or nil
        return view
    end
    local found = x.height % m.height == 0 and x.width == m.width and heads_of(x, m, heads)
    if found and (x.height == m.height or m.words) then
        return {truth = m.truth, n = m.n, heads = found * (x.height // m.height), height = m.height, width = m.width}
    end
    local expected = "a shape to which the mask's broadcasts, or more images behind the mask's leading dimensions"
    local strict = heads or m.words
    if x.height ~= m.height and (strict or m.height ~= 1) or x.width ~= m.width and (strict or m.width ~= 1) then
        expected = ("%s and %s"):format(report.plural(m.height, "row"), report.plural(m.width, "column"))
    elseif heads then
        expected = ("%d images, %d for each of the mask's %d (--heads)"):format(m.n * heads, heads, m.n)
    elseif x.n % m.n == 0 then
        expected = expected .. (" (--heads %d if image j of it belongs to image j / %d of the mask)"):format(x.n // m.n,
            x.n // m.n)
    end
    study.refuse("%s: shape %s; the mask %s is %s: expected %s", x.path, shape_text(x.shape), m.path,
        shape_text(m.shape), expected)
end

-- The rows of a mask of `word_rows` word rows: those of x, or those that serve all rows of x (input.match).
local function rows_of(layout, word_rows, x)
    for rows = layout.rows, x.height - 1 do
        if x.height % rows == 0 and mask.words(layout, rows, x.width) == word_rows then
            return rows
        end
    end
    return x.height
end

-- Packed words that an earlier run wrote, as the mask of a tensor of that shape.
function input.words(ctx, path, layout, polarity, x)
    local b
    b, path = study.npy(ctx, "file", path)
    local want = "u" .. layout.bits
    if b.type ~= want and b.type ~= "i" .. layout.bits then
        study.refuse("%s: elements of type %s; words of %d bits are uint%d", path, type_text(b.type), layout.bits,
            layout.bits)
    end
    local n, rows, columns, lead = images(path, b.shape)
    local height, width = rows_of(layout, rows, x), x.width
    local want_rows, want_columns = mask.words(layout, height, width)
    if rows ~= want_rows or columns ~= want_columns then
        study.refuse("%s: shape %s; the words of %d x %d elements are %d x %d (%d bits, %s a word)", path,
            shape_text(b.shape), height, width, want_rows, want_columns, layout.bits,
            report.plural(layout.rows, "row"))
    end
    local m = {path = path, shape = b.shape, n = n, height = height, width = width, lead = lead, words = b:bytes()}
    m.truth = mask.unpack(layout, m.words, m, polarity)
    m.about = ("%s: %s%s, packed"):format(path, type_text(b.type), shape_text(b.shape))
    if mask.pack(layout, m.truth, m, polarity) ~= m.words then
        study.refuse("%s: a bit that describes no element of a %d x %d mask is 1; expected 0", path, height, width)
    end
    ctx:drop "file"
    return m
end

-- ---- the value ----

local function unsuitable(text, t, why)
    study.refuse("--fill: %s is not representable in %s: %s", text, t.name, why)
end

-- A whole number from its text, exact up to 2^64 - 1: the integer with these bits and whether it is 2^63 or more.
local function whole(text)
    local hex, digits = text:match "^%+?0[xX]0*(%x+)$", text:match "^%+?0*(%d+)$"
    if hex then
        return #hex <= 16 and math.tointeger(tonumber("0x0" .. hex)), #hex == 16 and hex:sub(1, 1) > "7"
    end
    local n = math.tointeger(tonumber(text))
    if not n and digits and (#digits < 20 or #digits == 20 and digits <= "18446744073709551615") then
        return 10 * math.tointeger(tonumber(digits:sub(1, -2))) + tonumber(digits:sub(-1)), true
    end
    return n, false
end

local function integer_value(text, t)
    local bits, n, large = 8 * t.size, whole(text)
    local low, high = 0, bits < 64 and (1 << bits) - 1 or math.maxinteger
    if t.kind == "integer" then
        low, high = -1 << bits - 1, ~(-1 << bits - 1)
    end
    local most = t.name == "uint64" and "18446744073709551615" or ("%d"):format(high)
    if not n or not (large and t.name == "uint64" or not large and n >= low and n <= high) then
        unsuitable(tonumber(text) and text or "'" .. text .. "'", t, ("it takes whole numbers from %d to %s%s"):format(
            low, most, text:find "^0[xX]" and "; only of floats does 0x give the bits" or ""))
    end
    return ("<i8"):pack(n):sub(1, t.size)
end

-- The bytes of a float from its fields.
function input.from_fields(t, negative, exponent, mantissa)
    local bits = (negative and 1 or 0) << 8 * t.size - 1 | exponent << t.mantissa | mantissa
    return ("<i8"):pack(bits):sub(1, t.size)
end

local function float_value(ctx, text, t)
    local digits = text:match "^0[xX](%x+)$"
    if digits then
        if #digits > 2 * t.size then
            unsuitable(text, t, ("its bit patterns have %d hexadecimal digits"):format(2 * t.size))
        end
        return ("<i8"):pack(tonumber("0x" .. digits)):sub(1, t.size)
    end
    local sign, word = text:lower():match "^([+-]?)(%a+)$"
    local all = (1 << t.exponent) - 1
    if word == "inf" or word == "infinity" then
        return input.from_fields(t, sign == "-", all, 0)
    elseif word == "nan" then
        return input.from_fields(t, sign == "-", all, 1 << t.mantissa - 1)
    end
    local v = not text:find "^[+-]0[xX]" and tonumber(text)
    if not v then
        study.refuse("--fill: '%s' is neither a number, inf, -inf, nan nor a bit pattern such as 0x%s", text,
            ("7"):rep(2 * t.size))
    end
    v = v == 0 and text:find "^%s*%-" and -0.0 or v * 1.0
    local bytes = ctx:buffer("value", t.buffer, 1, {v}):bytes()
    ctx:drop "value"
    if bytes == input.from_fields(t, v < 0, all, 0) then
        unsuitable(text, t, "it would become an infinity; for one use inf or -inf")
    end
    return bytes
end

-- The bytes of --fill in a type. Whole numbers must be in its range; other numbers are for floats only, which round
-- them to the nearest value, but not a finite number to an infinity. 0x... is a whole number, or the bits of a float.
function input.value(ctx, text, t)
    if t.kind == "float" then
        return float_value(ctx, text, t)
    end
    return integer_value(text, t)
end

-- A value in reports: as it was given, and its bits.
function input.value_text(text, bytes)
    return ("%s (0x%s)"):format(text, (bytes:reverse():gsub(".", function(c) return ("%02x"):format(c:byte()) end)))
end

-- 12345678 -> "11.8 MiB"
function input.bytes_text(n)
    if n < 1024 then
        return report.plural(n, "byte")
    end
    local units, u = {"KiB", "MiB", "GiB"}, 1
    n = n / 1024
    while n >= 1024 and u < 3 do
        n, u = n / 1024, u + 1
    end
    return ("%s %s"):format(report.short(n), units[u])
end

return input
