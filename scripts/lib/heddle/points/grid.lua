-- The voxel grid of a point cloud: its bounds, its cells, and the crop.
--
--   local grid, message = voxel_grid.new(cloud, {cells = {64, 64, 16}})
--   local number, why = voxel_grid.number(grid, x, y, z)
local report = require "heddle.kit.report"

local voxel_grid = {}

voxel_grid.axes = {"x", "y", "z"}
voxel_grid.largest = 3.4e38 -- coordinates beyond it have no binary32

local CELLS = 2 ^ 31 - 1     -- most cells along one side before the crop
local SMALLEST = 2.0 ^ -1022 -- least size of a voxel: smaller numbers are denormal

local AXES, LARGEST = voxel_grid.axes, voxel_grid.largest

-- The range of a list of numbers; a side on which all points are equal gets the length 1.
local function range(list, count)
    local lo, hi = math.huge, -math.huge
    for i = 1, count do
        local v = list[i]
        if v < lo then lo = v end
        if v > hi then hi = v end
    end
    if lo == hi then
        local half = math.max(0.5, math.abs(lo) * 2.0 ^ -20)
        lo, hi = lo - half, hi + half
    end
    return lo, hi
end

-- The bounds: those given, the others from the points.
local function bounds(cloud, given)
    local lo, hi = {}, {}
    for i, axis in ipairs(AXES) do
        local one = given and given[i]
        if one then
            lo[i], hi[i] = one[1], one[2]
            if not (lo[i] < hi[i] and lo[i] >= -LARGEST and hi[i] <= LARGEST) then
                return nil, ("the bounds of %s, %g to %g, hold nothing"):format(axis, lo[i], hi[i])
            end
        elseif cloud.count == 0 then
            return nil, ("there is no point to take the bounds of %s from; give bounds"):format(axis)
        else
            lo[i], hi[i] = range(cloud[axis], cloud.count)
        end
    end
    return lo, hi
end

-- Cells along one side: from a number of them or from their size, which may move the upper bound. A remainder of a
-- millionth of a voxel counts as rounding.
local function divide(grid, i, cells, step)
    local extent = grid.hi[i] - grid.lo[i]
    if step then
        local n = extent / step - 1e-6
        if n > CELLS then
            return nil, ("%s would have %.3g voxels of %g; at most %s"):format(AXES[i], n, step, report.count(CELLS))
        end
        cells = math.max(1, math.ceil(n))
        grid.hi[i] = math.max(grid.hi[i], grid.lo[i] + cells * step)
    end
    grid.cells[i], grid.step[i] = cells, step or extent / cells
    if grid.step[i] < SMALLEST then
        return nil, ("%s from %g to %g is too short for %s"):format(AXES[i], grid.lo[i], grid.hi[i],
            report.plural(cells, "voxel"))
    end
    return true
end

-- The first of `size` cells along one side, centred on the mean of the points.
local function centred(cloud, grid, i, size)
    local sum, n, list = 0.0, 0, cloud[AXES[i]]
    for j = 1, cloud.count do
        local v = list[j]
        if v >= grid.lo[i] and v <= grid.hi[i] then
            sum, n = sum + v, n + 1
        end
    end
    local middle = n > 0 and math.floor((sum / n - grid.lo[i]) / grid.step[i]) or grid.cells[i] // 2
    return math.max(0, math.min(grid.cells[i] - size, middle - size // 2))
end

-- Sets first and count: the cells that the tensor holds.
local function crop(cloud, grid, o)
    for i, axis in ipairs(AXES) do
        local one = o.crop and (o.crop[i] or i == 3 and grid.flat and 1) or grid.cells[i]
        if math.type(one) == "integer" then
            if one > grid.cells[i] then
                return nil, ("the crop wants %d voxels of %s; the grid has %d"):format(one, axis, grid.cells[i])
            end
            grid.first[i] = one == grid.cells[i] and 0 or centred(cloud, grid, i, one)
            grid.count[i] = one
        else
            if one[2] > grid.cells[i] then
                return nil, ("the crop of %s ends at voxel %d; the grid has %d"):format(axis, one[2], grid.cells[i])
            end
            grid.first[i], grid.count[i] = one[1], one[2] - one[1]
        end
    end
    return true
end

-- The grid of a cloud: {lo, hi, step (size of a voxel), cells, first and count (of the crop), flat}, each a list
-- in the order x, y, z. `o` has one of
--   cells    {nx, ny, nz}, or {nx, ny}: seen from above
--   step     {sx, sy, sz}: sizes of a voxel; with flat = true only {sx, sy}
-- and may have
--   bounds   for each axis {lo, hi} or false: of the points
--   crop     for each axis a number of voxels, about the mean of the points, or {first, end}, the end not included
function voxel_grid.new(cloud, o)
    local lo, hi = bounds(cloud, o.bounds)
    if not lo then
        return nil, hi
    end
    local flat = o.flat or #(o.cells or o.step) == 2
    local grid = {lo = lo, hi = hi, step = {}, cells = {}, first = {}, count = {}, flat = flat}
    for i in ipairs(AXES) do
        local top = flat and i == 3
        local ok, message = divide(grid, i, top and 1 or o.cells and o.cells[i], not top and o.step and o.step[i])
        if not ok then
            return nil, message
        end
    end
    local ok, message = crop(cloud, grid, o)
    return ok and grid, message
end

-- The place of a coordinate along a side, from 0 at the bounds; nil outside.
local function place(grid, i, v)
    if v < grid.lo[i] or v > grid.hi[i] then
        return nil
    end
    return math.min(math.floor((v - grid.lo[i]) / grid.step[i]), grid.cells[i] - 1)
end

-- The voxel of a point by its number in raster order; nil and "outside" or "cropped" when the tensor has none for it.
function voxel_grid.number(grid, x, y, z)
    local first, count = grid.first, grid.count
    local cx, cy, cz = place(grid, 1, x), place(grid, 2, y), place(grid, 3, z)
    if not (cx and cy and cz) then
        return nil, "outside"
    end
    cx, cy, cz = cx - first[1], cy - first[2], cz - first[3]
    if cx < 0 or cy < 0 or cz < 0 or cx >= count[1] or cy >= count[2] or cz >= count[3] then
        return nil, "cropped"
    end
    return (cz * count[2] + cy) * count[1] + cx
end

return voxel_grid
