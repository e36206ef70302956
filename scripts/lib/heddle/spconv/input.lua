-- The inputs of the convolution study: x, weights and a bias from .npy files, and the values of --stride, --pad and
-- --centre.
--
--   input.look(option, piped)                  the problem by the headers of the files, or nil; reads no tensor
--   local given = input.read(ctx, option, piped)     option: x, weight, bias, stride, pad, centre, layout
--   given.p                                    the problem of heddle.spconv.reference
--   given.x, given.weights, given.bias         fp32 bytes in the order of the layout; lists of numbers, bias or nil
--   given.about, given.notes                   descriptions of the inputs; their conversions
--   input.piped(option)                        contents of named pipes, which can be read only once
--   input.result(given, bytes)                 bytes and shape of a result in the order of the file of x
--
-- An unusable input or value ends the study with one sentence: the file or option, what was expected, what was found.
local case = require "heddle.spconv.case"
local lists = require "heddle.kit.lists"
local options = require "heddle.kit.options"
local report = require "heddle.kit.report"
local spconv = require "heddle.spconv.reference"
local study = require "heddle.kit.study"

local HEAD <const> = 1 << 16 -- longest header of a .npy file, in bytes

local input = {}

local function shape_text(shape)
    return "[" .. table.concat(shape, ",") .. "]"
end

-- ---- files ----

-- Refuses tensors that are empty, or alone exceed the limit of all tensors (in fp32).
local function check_shape(path, shape)
    local bytes = 4.0
    for _, n in ipairs(shape) do
        bytes = bytes * n
    end
    if bytes == 0 then
        study.refuse("%s: shape %s has no elements; expected at least one", path, shape_text(shape))
    elseif bytes > case.LIMIT then
        study.refuse("%s: shape %s takes %s bytes; at most %s fit", path, shape_text(shape), report.count(bytes),
            report.count(case.LIMIT))
    end
end

-- The contents of named pipes: {path = bytes}.
function input.piped(option)
    local piped = {}
    for _, name in ipairs {"weight", "x", "bias"} do
        local path = option[name]
        if path and path ~= "-" and not piped[path] then
            local bytes, _, once = study.read(path)
            if once and not study.is_npy(bytes) then
                study.refuse("%s: it is no .npy file", path)
            end
            piped[path] = once and bytes or nil
        end
    end
    return piped
end

-- A .npy file, or the contents of its pipe, as a buffer of the context, of a real type.
local function load(ctx, path, piped)
    local b = study.npy(ctx, "file", path, piped[path])
    if b.type == "c64" then
        study.refuse("%s: elements of type c64; real numbers are needed", path)
    end
    check_shape(path, b.shape)
    return b
end

-- The elements as fp32 bytes; notes a conversion. Numbers beyond the range of fp32 are refused.
local function to_f32(ctx, path, b, notes)
    if b.type == "f32" then
        return b:bytes()
    end
    study.to_f32(ctx, "file", "file_f32", b.count)
    local rounded, changed, zeros = ctx:get "file_f32", 0, 0
    local bytes, became = rounded:bytes(), rounded:table()
    for i, v in ipairs(b:table()) do
        local got = became[i]
        if v - v == 0 and got - got ~= 0 then
            study.refuse("%s: element %d is %.6g, beyond the range of fp32, which ends at 3.40282e+38", path, i - 1, v)
        elseif b.type == "u64" and v < 0 then -- from 2^63 on: fp32 has the upper 24 bits
            changed = changed + (v & (1 << 40) - 1 ~= 0 and 1 or 0)
        elseif v == v and v ~= got then
            changed, zeros = changed + 1, zeros + (got == 0 and 1 or 0)
        end
    end
    ctx:drop "file_f32"
    notes[#notes + 1] = ("%s holds %s; it was %s"):format(path, b.type, changed == 0 and "taken as fp32" or
        "rounded to fp32: " .. case.changes_text(b.count, changed, zeros))
    return bytes
end

-- The weights by their shape [Cout,Cin,kernel].
local function weights_of(path, shape)
    check_shape(path, shape)
    if #shape ~= 4 and #shape ~= 5 then
        study.refuse("%s: shape %s; expected [Cout,Cin,kh,kw] or [Cout,Cin,kd,kh,kw]", path, shape_text(shape))
    end
    return {path = path, shape = shape, kernel = {table.unpack(shape, 3)}}
end

local function read_weights(ctx, path, piped, notes)
    local b = load(ctx, path, piped)
    local weights = weights_of(path, b.shape)
    weights.list = lists.numbers("f", 4, to_f32(ctx, path, b, notes))
    for i, w in ipairs(weights.list) do
        if w - w ~= 0 then
            study.refuse("%s: element %d is %s; weights must be finite, so that zeros of x add nothing", path,
                i - 1, w == w and "infinite" or "not a number")
        end
    end
    return weights
end

-- x by its shape: whether its channels are last, by `layout` unless only the other order fits the file, and its size.
local function x_of(path, shape, weights, layout)
    check_shape(path, shape)
    local channels, rank = weights.shape[2], #weights.shape
    local last = layout == "nhwc" and (shape[#shape] == channels or shape[2] ~= channels)
    local first, size = not last and channels .. "," or "", rank == 4 and "H,W" or "D,H,W"
    if #shape ~= rank or shape[last and rank or 2] ~= channels then
        local other = #shape == rank and layout == "nchw" and shape[rank] == channels
        study.refuse("%s: shape %s; the weights %s are %s, of %s: expected [N,%s%s%s]%s", path, shape_text(shape),
            weights.path, shape_text(weights.shape), report.plural(channels, "channel"), first, size,
            last and "," .. channels or "",
            other and "; are the channels last? then give --layout nhwc" or "")
    end
    return {path = path, shape = shape, last = last, size = {table.unpack(shape, last and 2 or 3, last and rank - 1
        or rank)}}
end

local function read_x(ctx, option, piped, weights, notes)
    local path, layout = option.x, option.layout
    local b = load(ctx, path, piped)
    local x = x_of(path, b.shape, weights, layout)
    if layout == "nhwc" and not x.last then
        notes[#notes + 1] = ("%s has its channels first; they were put last"):format(path)
    elseif layout == "nhwc" and b.shape[2] == weights.shape[2] then
        notes[#notes + 1] = path .. ": the second dimension is as long as the last, which was taken for the channels"
    end
    x.bytes = to_f32(ctx, path, b, notes)
    return x
end

-- Numbers of a bias, one for each filter.
local function read_bias(ctx, path, piped, filters, notes)
    local b = load(ctx, path, piped)
    if #b.shape ~= 1 or b.count ~= filters then
        study.refuse("%s: shape %s; expected [%d], a number for each filter of the weights", path, shape_text(b.shape),
            filters)
    end
    return lists.map(lists.numbers("f", 4, to_f32(ctx, path, b, notes)), function(v)
        return v + 0.0 -- not -0.0: sums begin at +0.0
    end)
end

-- ---- order of elements ----

-- The bytes of [N][C][area] as [N][area][C], or back.
function input.turn(bytes, n, channels, area, to_last)
    local out = {}
    local rows, columns = to_last and channels or area, to_last and area or channels -- of one of the batch
    for item = 0, n - 1 do
        for c = 0, columns - 1 do
            for r = 0, rows - 1 do
                local from = 4 * ((item * rows + r) * columns + c)
                out[#out + 1] = bytes:sub(from + 1, from + 4)
            end
        end
    end
    return table.concat(out)
end

-- The bytes and the shape of the result in the order of the file of x.
function input.result(given, bytes)
    local p = given.p
    local spatial = {table.unpack(p.out, 4 - p.rank)}
    if p.layout == "nhwc" and not given.last then
        bytes = input.turn(bytes, p.batch, p.filters, p.outputs // p.batch, false)
    end
    local shape = given.last and {p.batch, table.unpack(spatial)} or {p.batch, p.filters, table.unpack(spatial)}
    shape[#shape + 1] = given.last and p.filters or nil
    return bytes, shape
end

-- ---- values of options ----

local entries, split = options.entries, options.split

local LARGE <const> = 1 << 30 -- strides, paddings
local DIMENSIONS <const> = {"depth", "height", "width"}

local function whole(text, low)
    return options.whole(text, low, LARGE)
end

-- Values for all dimensions, one or one for each: the list that `read` makes of the pieces.
local function each_dimension(name, text, rank, expected, read)
    local pieces, list = split(text, ","), {}
    if #pieces ~= 1 and #pieces ~= rank then
        study.refuse("--%s: '%s' has %s; expected one, or one for each of %d dimensions", name, text,
            entries(pieces), rank)
    end
    for i = 1, rank do
        local piece = pieces[#pieces == 1 and 1 or i]
        list[i] = read(piece)
        if not list[i] then
            study.refuse("--%s: '%s'%s cannot be read; expected %s", name, piece,
                piece ~= text and (" of '%s'"):format(text) or "", expected)
        end
    end
    return list
end

-- "lo:hi", or one number for both.
local function side(piece)
    local lo, hi = piece:match "^(%d+):(%d+)$"
    lo, hi = whole(lo or piece, 0), whole(hi or piece, 0)
    return lo and hi and {lo, hi}
end

-- Padding before and after; nil, nil: that which keeps the size.
local function padding(text, rank)
    if text == "same" then
        return nil, nil
    end
    local sides = each_dimension("pad", text == "valid" and "0:0" or text, rank,
        ("same, valid, a number, or lo:hi (whole numbers from 0 to %s)"):format(report.count(LARGE)), side)
    return lists.map(sides, function(one) return one[1] end), lists.map(sides, function(one) return one[2] end)
end

-- The predetermined elements; nil: the middle one.
local function centres(text, kernel)
    return text and lists.map(split(text, ";"), function(one)
        local pieces = split(one, ",")
        local element = lists.map(pieces, function(piece)
            return whole(piece, 0) or study.refuse("--centre: '%s' cannot be read; expected whole numbers from 0 " ..
                "on, as %s, with ';' between elements", text, #kernel == 2 and "1,1" or "1,1,1")
        end)
        if #pieces ~= #kernel then
            study.refuse("--centre: '%s' has %s; the kernel has %d dimensions", one, entries(pieces), #kernel)
        end
        for d, index in ipairs(element) do
            if index >= kernel[d] then
                study.refuse("--centre: %s lies outside the kernel %s; its %s goes from 0 to %d", one,
                    table.concat(kernel, "x"), DIMENSIONS[3 - #kernel + d], kernel[d] - 1)
            end
        end
        return element
    end) or nil
end

-- ---- the problem ----

local function about(x, weights, bias_path)
    return {("%s: %s"):format(x.path, shape_text(x.shape)),
        ("%s: %s"):format(weights.path, shape_text(weights.shape)),
        bias_path and ("%s: [%d]"):format(bias_path, weights.shape[1])}
end

-- The problem that shapes and options describe.
local function problem(option, x, weights)
    local rank = #weights.kernel
    local lo, hi = padding(option.pad or "same", rank)
    local p, message = spconv.problem {
        size = x.size, batch = x.shape[1], channels = weights.shape[2], filters = weights.shape[1],
        kernel = weights.kernel, lo = lo, hi = hi, stride = each_dimension("stride", option.stride or "1", rank,
            "a whole number from 1 to " .. report.count(LARGE), function(piece) return whole(piece, 1) end),
        predetermined = centres(option.centre, weights.kernel), layout = option.layout,
    }
    if not p then
        study.refuse("%s: %s", option.x, message)
    elseif p.outputs == 0 then
        study.refuse("%s: the kernel %s of %s is larger than the input %s with its padding; there is no output",
            option.x, table.concat(weights.kernel, "x"), option.weight, table.concat(x.size, "x"))
    end
    return p
end

-- The shape in the header of a .npy file; nil for any other file and for "-": context:npy reports the error when it
-- reads them. Not for pipes: what is read from a pipe here is lost.
local function look(path)
    local file <close> = path ~= "-" and io.open(path, "rb") or nil
    local head = file and file:read(HEAD) or ""
    local inside = head:find "^\x93NUMPY" and head:match "['\"]shape['\"]%s*:%s*%(([%d,%s]*)%)"
    if not inside then
        return nil
    end
    local shape = {}
    for digits in inside:gmatch "%d+" do
        shape[#shape + 1] = math.tointeger(tonumber(digits))
        if not shape[#shape] then
            return nil -- beyond 64 bits
        end
    end
    return shape
end

-- The problem by the headers of the files; nil when these are unknown. No tensor is read, so that one that is too large
-- is refused before it is allocated.
function input.look(option, piped)
    local w = not piped[option.weight] and look(option.weight)
    local x = not piped[option.x] and look(option.x)
    if w and x then
        local weights = weights_of(option.weight, w)
        return problem(option, x_of(option.x, x, weights, option.layout), weights)
    end
end

-- The problem that files and options describe, and its tensors.
function input.read(ctx, option, piped)
    local notes = {}
    local weights = read_weights(ctx, option.weight, piped, notes)
    local x = read_x(ctx, option, piped, weights, notes)
    local bias = option.bias and read_bias(ctx, option.bias, piped, weights.shape[1], notes)
    ctx:drop "file"
    local p = problem(option, x, weights)
    if p.layout == "nhwc" and not x.last then
        x.bytes = input.turn(x.bytes, p.batch, p.channels, p.positions // p.batch, true)
    end
    return {p = p, x = x.bytes, weights = weights.list, bias = bias, last = x.last, notes = notes,
        about = about(x, weights, option.bias)}
end

return input
