-- A mask whose shape broadcasts to that of a tensor, by the rules of numpy: shapes are aligned at their last dimension,
-- and each dimension of the mask is that of the tensor, 1, or missing.
--
--   broadcast.to({2, 4, 8, 16}, {2, 1, 1, 16}, truth, 2)
--       -> {n = 2, heads = 16, height = 2, width = 16, truth = bytes}
--
-- The kernels read a mask of n images, each shared by `heads` consecutive images of the tensor, so what is shared is
-- not stored again: dimensions of 1 just before the rows become heads, and a row that serves all rows of an image
-- becomes an image of `rows` rows, as many as share a packed word, which serves every such group of rows.
-- Only a dimension of 1 before one that is not (a mask for each head, the same in each batch) and a single column are
-- written out.
local broadcast = {}

local MOST_IMAGES <const> = 65535 -- blocks in z that a launch may have

-- The shape with leading dimensions of 1 up to `rank`, or nil when it has more that are not 1.
local function aligned(shape, rank)
    local out, more = {}, #shape - rank
    for i = 1, more do
        if shape[i] ~= 1 then
            return nil
        end
    end
    for i = 1, rank do
        out[i] = shape[i + more] or 1
    end
    return out
end

local function product(shape, first, last)
    local n = 1
    for i = first, last do
        n = n * shape[i]
    end
    return n
end

-- The images of the mask, `size` bytes each, written out along the first `last` dimensions.
local function spread(truth, from, to, last, size)
    local out, images = {}, product(to, 1, last)
    for j = 0, images - 1 do
        local at, step, rest = 0, 1, j
        for i = last, 1, -1 do
            at = at + (from[i] == 1 and 0 or rest % to[i]) * step
            step, rest = step * from[i], rest // to[i]
        end
        out[j + 1] = truth:sub(at * size + 1, (at + 1) * size)
    end
    return table.concat(out)
end

-- How many of the rows that share a row of the mask an image gets: `rows`, or more if too many images were left.
local function group(count, rows, images)
    for size = 1, count do
        if count % size == 0 and size >= math.min(rows, count) and images * (count // size) <= MOST_IMAGES then
            return size
        end
    end
    return count
end

-- The mask as the kernels take it, or nil when it does not broadcast. `truth` has a byte for each of its elements.
function broadcast.to(shape, mask, truth, rows)
    local rank = #shape
    local from = aligned(mask, rank)
    for i = 1, rank do
        if not from or from[i] ~= shape[i] and from[i] ~= 1 then
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

return broadcast
