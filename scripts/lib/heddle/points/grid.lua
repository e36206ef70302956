-- The voxel grid of a point cloud: its origin, its bounds, its cells, and the crop.
--
--   local grid, message = voxel_grid.new(cloud, {cells = {64, 64, 16}})
--   local number, why, rounded = voxel_grid.number(grid, x, y, z)
--
-- A voxel is floor((x - origin) / size), so that a point on the border of two belongs to the upper one. Numbers of a
-- file are rounded, and so is the quotient; a coordinate that is so near below a border that rounding may have put it
-- there counts as on the border. How near that is, tolerance of the grid, follows from cloud.precision: {x = {share,
-- step}, ...}. Share is that of the largest coordinate (columns.SINGLE, columns.DOUBLE), step what the last digit of
-- text is worth. Where voxels are a thousand times as large as a step, the tolerance is at least a step less a
-- thousandth, so that no other decimal number is as near. It is at most a 64th of a voxel, or where fp32 is coarser a
-- unit in its last place.
local columns = require "heddle.points.columns"
local report = require "heddle.kit.report"

local voxel_grid = {}

voxel_grid.axes = {"x", "y", "z"}
voxel_grid.largest = 3.4e38 -- coordinates beyond it have no binary32

local CELLS = 2 ^ 31 - 1     -- most cells along one side before the crop
local FAR = 2.0 ^ 52         -- most voxels between them and the origin: beyond, numbers have no fractions
local SMALLEST = 2.0 ^ -1022 -- least size of a voxel: smaller numbers are denormal

local AXES, LARGEST = voxel_grid.axes, voxel_grid.largest

local NO_PRECISION <const> = {share = columns.DOUBLE, step = 0.0}

local function extremes(list, count)
    local lo, hi = math.huge, -math.huge
    for i = 1, count do
        local v = list[i]
        if v < lo then lo = v end
        if v > hi then hi = v end
    end
    return lo, hi
end

-- Bound of rounding errors, in the units of the points.
local function tolerance(precision, largest, step)
    local most = precision.share * largest
    if most > step / 64 then
        most = math.max(step / 64, math.min(most / 4, step * 3 / 8))
    end
    return precision.step * 1024 <= step and math.max(most, precision.step * (1 - 2.0 ^ -10)) or most
end

-- floor(place) of a side, or the number of the border that it has just missed; and whether that was so.
local function floor_of(grid, i, place)
    local below, next_one = math.floor(place), math.floor(place + grid.tolerance[i] / grid.step[i])
    return next_one, next_one ~= below
end

-- Returns the bounds given for a side, or false; nil and a message if they exclude everything, or no point decides.
local function given_bounds(cloud, o, i)
    local one = o.bounds and o.bounds[i]
    if one and not (one[1] < one[2] and one[1] >= -LARGEST and one[2] <= LARGEST) then
        return nil, ("the bounds of %s, %g to %g, hold nothing"):format(AXES[i], one[1], one[2])
    elseif not one and cloud.count == 0 then
        return nil, ("there is no point to take the bounds of %s from; give bounds"):format(AXES[i])
    end
    return one or false
end

-- Voxels of a size: from the one that holds the lower bound, or the lowest point, to that of the upper one. Between
-- bounds that are given, the last voxel takes its upper border too.
local function by_size(grid, i, bounds, low, high, origin)
    local step = grid.step[i]
    grid.origin[i], grid.closed[i] = (origin or low) + 0.0, bounds and true
    local from, to = (low - grid.origin[i]) / step, (high - grid.origin[i]) / step
    if to - from > CELLS then
        return nil, ("%s would have %.3g voxels of %g; at most %s"):format(AXES[i], to - from, step,
            report.count(CELLS))
    elseif math.max(math.abs(from), math.abs(to)) > FAR then
        return nil, ("%s: the origin is %.3g voxels away from the points"):format(AXES[i], math.abs(from))
    end
    grid.start[i] = floor_of(grid, i, from)
    local last = bounds and math.ceil(to - 1e-6) - 1 or floor_of(grid, i, to) -- a millionth of a voxel is rounding
    grid.cells[i] = math.max(1, last - grid.start[i] + 1)
    grid.lo[i] = origin and grid.origin[i] + grid.start[i] * step or low
    grid.hi[i] = math.max(bounds and high or low, grid.origin[i] + (last + 1) * step)
    return true
end

-- Makes `cells` voxels between the bounds; a side where all points are equal gets the length 1.
local function by_number(grid, i, low, high, cells)
    if low == high then
        local half = math.max(0.5, math.abs(low) * 2.0 ^ -20)
        low, high = low - half, high + half
    end
    grid.lo[i], grid.hi[i], grid.origin[i], grid.start[i], grid.closed[i] = low, high, low, 0, true
    grid.cells[i], grid.step[i] = cells, (high - low) / cells
end

-- Divides a side: into `cells`, or into voxels of the size `step`.
local function divide(cloud, grid, o, i, cells, step)
    local bounds, message = given_bounds(cloud, o, i)
    if bounds == nil then
        return nil, message
    end
    local lowest, highest = extremes(cloud[AXES[i]], cloud.count)
    local low, high = bounds and bounds[1] or lowest, bounds and bounds[2] or highest
    local origin = not cells and o.origin and o.origin[i]
    local largest = math.max(math.abs(low), math.abs(high), math.abs(origin or low))
    local precision = cloud.precision and cloud.precision[AXES[i]] or NO_PRECISION
    local ok = true
    if cells then
        by_number(grid, i, low, high, cells)
    else
        grid.step[i] = step
    end
    grid.tolerance[i] = tolerance(precision, largest, grid.step[i])
    grid.coarse[i] = precision.share * largest > grid.step[i] / 8
    if not cells then
        ok, message = by_size(grid, i, bounds, low, high, origin)
    end
    if ok and grid.step[i] < SMALLEST then
        return nil, ("%s from %g to %g is too short for %s"):format(AXES[i], grid.lo[i], grid.hi[i],
            report.plural(grid.cells[i], "voxel"))
    end
    return ok, message
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

-- The grid of a cloud: {lo, hi, step (size of a voxel), origin (a corner of a voxel, the one with the number 0),
-- start (the number of the first voxel), cells, first and count (of the crop), tolerance, coarse (whether numbers as
-- large as the points are no finer than voxels), flat}, each a list in the order x, y, z. `o` has one of
--   cells    {nx, ny, nz}, or {nx, ny}: seen from above
--   step     {sx, sy, sz}: sizes of a voxel; with flat = true only {sx, sy}
-- and may have
--   bounds   for each axis {lo, hi} or false: of the points
--   origin   for each axis with a step a number or false: the lower bound
--   crop     for each axis a number of voxels, about the mean of the points, or {first, end}, the end not included
function voxel_grid.new(cloud, o)
    local flat = o.flat or #(o.cells or o.step) == 2
    local grid = {flat = flat}
    for _, list in ipairs {"lo", "hi", "step", "origin", "start", "cells", "first", "count", "tolerance", "coarse",
        "closed"} do
        grid[list] = {}
    end
    for i in ipairs(AXES) do
        local top = flat and i == 3
        local ok, message = divide(cloud, grid, o, i, top and 1 or o.cells and o.cells[i], o.step and o.step[i])
        if not ok then
            return nil, message
        end
    end
    local ok, message = crop(cloud, grid, o)
    return ok and grid, message
end

-- The place of a coordinate along a side, from 0 at the lower bound, and whether it was rounded; nil outside.
local function place(grid, i, v)
    local at, rounded = floor_of(grid, i, (v - grid.origin[i]) / grid.step[i])
    at = at - grid.start[i]
    if at == grid.cells[i] and grid.closed[i] and v <= grid.hi[i] then
        return at - 1, false
    elseif at < 0 or at >= grid.cells[i] then
        return nil
    end
    return at, rounded
end

-- The voxel of a point by its number in raster order; nil and "outside" or "cropped" when the tensor has none for it.
-- And whether rounding had put the point below a border that it is on.
function voxel_grid.number(grid, x, y, z)
    local first, count = grid.first, grid.count
    local cx, rx = place(grid, 1, x)
    local cy, ry = place(grid, 2, y)
    local cz, rz = place(grid, 3, z)
    if not (cx and cy and cz) then
        return nil, "outside"
    end
    cx, cy, cz = cx - first[1], cy - first[2], cz - first[3]
    if cx < 0 or cy < 0 or cz < 0 or cx >= count[1] or cy >= count[2] or cz >= count[3] then
        return nil, "cropped"
    end
    return (cz * count[2] + cy) * count[1] + cx, nil, rx or ry or rz
end

return voxel_grid
