-- Voxelisation: a dense tensor whose channels are computed from the points of each voxel.
--
--   local grid, message = voxels.grid(cloud, {cells = {64, 64, 16}})       -- x, y, z; or {512, 512}, seen from above
--   local found = voxels.fill(cloud, grid, {"occupancy", "z"})
--   found.bytes, found.shape                                               -- fp32 [1, C, Z, Y, X], or [1, C, Y, X]
--
-- Sizes are given in the order x, y, z; the tensor is in the order of a convolution, depth (z), height (y), width (x).
-- The voxel of a point: heddle.points.grid. Seen from above a voxel is as high as the bounds. A voxel
-- without points is zero in all channels. Means are sums in binary64 in the order of the file, rounded once.
local lists = require "heddle.kit.lists"
local report = require "heddle.kit.report"
local spconv = require "heddle.spconv.reference"
local voxel_grid = require "heddle.points.grid"

local voxels = {}

voxels.limit = 1 << 28 -- bytes of a tensor

voxels.grid = voxel_grid.new

-- ---- channels ----

local function mean(name)
    return function(cell) return cell.sum[name] / cell.count end
end

-- The mean's distance from the middle of the voxel, as a share of the voxel.
local function offset(axis)
    return function(cell, grid)
        return (cell.sum[voxel_grid.axes[axis]] / cell.count - grid.lo[axis]) / grid.step[axis] - cell[axis] - 0.5
    end
end

-- The channels: name, the lists to sum, and the value from a cell {x index, y index, z index, count, sum, top}. The
-- density is that of Chen et al., "Multi-View 3D Object Detection Network" (2017).
voxels.channels = {
    {name = "occupancy", doc = "1", of = function() return 1 end},
    {name = "count", doc = "number of points", of = function(cell) return cell.count end},
    {name = "density", doc = "ln(1 + count) / ln 64, at most 1",
        of = function(cell) return math.min(1, math.log(1 + cell.count) / math.log(64)) end},
    {name = "intensity", doc = "mean intensity", sum = "value", of = mean "value"},
    {name = "x", doc = "mean x", sum = "x", of = mean "x"},
    {name = "y", doc = "mean y", sum = "y", of = mean "y"},
    {name = "z", doc = "mean z", sum = "z", of = mean "z"},
    {name = "dx", doc = "mean distance from the middle, -0.5 to 0.5 of the voxel", sum = "x", of = offset(1)},
    {name = "dy", doc = "likewise", sum = "y", of = offset(2)},
    {name = "dz", doc = "likewise", sum = "z", of = offset(3)},
    {name = "top", doc = "highest z", top = true, of = function(cell) return cell.top end},
}

voxels.by_name = lists.by(voxels.channels, "name")

-- ---- points ----

-- Removes the points with a number that is not finite in fp32 (NaN, infinite, too large); returns how many.
function voxels.clean(cloud)
    local columns, kept, largest = {cloud.x, cloud.y, cloud.z, cloud.value}, 0, voxel_grid.largest
    for i = 1, cloud.count do
        local good = true
        for _, list in ipairs(columns) do
            local v = list[i]
            good = good and v >= -largest and v <= largest
        end
        if good then
            kept = kept + 1
            for _, list in ipairs(columns) do
                list[kept] = list[i]
            end
        end
    end
    local skipped = cloud.count - kept
    for _, list in ipairs(columns) do
        for i = kept + 1, cloud.count do
            list[i] = nil
        end
    end
    cloud.count = kept
    return skipped
end

-- Returns the tensor's shape for `channels`; nil and a message if it is too large.
function voxels.shape(grid, channels)
    local shape = grid.flat and {1, channels, grid.count[2], grid.count[1]} or
        {1, channels, grid.count[3], grid.count[2], grid.count[1]}
    local bytes = 4.0
    for _, n in ipairs(shape) do
        bytes = bytes * n
    end
    if bytes > voxels.limit then
        return nil, ("the tensor f32[%s] would need %s bytes; at most %s (%d MiB)"):format(table.concat(shape, ","),
            bytes < 1e15 and report.count(bytes) or ("%.3g"):format(bytes), report.count(voxels.limit),
            voxels.limit >> 20)
    end
    return shape
end

-- ---- filling ----

-- The voxels with points: `numbers`, in order, and of number v, for k = at[v], count[k], top[k] and of each summed list
-- sum[name][k]: no table for each voxel, since there can be as many of them as points. Also the numbers of points that
-- are `outside` and `cropped`, and of those that were `rounded` to a border.
local function collect(cloud, grid, rows)
    local top = #lists.map(rows, function(row) return row.top end) > 0
    local cells = {numbers = {}, at = {}, count = {}, top = {}, sum = {}, outside = 0, cropped = 0,
        rounded = 0}
    local numbers, at, count, highest, n = cells.numbers, cells.at, cells.count, cells.top, 0
    for _, row in ipairs(rows) do
        cells.sum[row.sum or ""] = row.sum and {}
    end
    for i = 1, cloud.count do
        local v, why, rounded = voxel_grid.number(grid, cloud.x[i], cloud.y[i], cloud.z[i])
        if v then
            cells.rounded = cells.rounded + (rounded and 1 or 0)
            local k = at[v]
            if not k then
                n = n + 1
                k, numbers[n], at[v], count[n] = n, v, n, 0
            end
            count[k] = count[k] + 1
            for name, sum in pairs(cells.sum) do
                sum[k] = (sum[k] or 0.0) + cloud[name][i]
            end
            highest[k] = top and math.max(highest[k] or -math.huge, cloud.z[i]) or nil
        else
            cells[why] = cells[why] + 1
        end
    end
    table.sort(numbers)
    return cells
end

-- A voxel as the channels take it.
local function load_cell(cell, cells, grid, number)
    local k, row = cells.at[number], number // grid.count[1]
    cell[1], cell[2] = number % grid.count[1] + grid.first[1], row % grid.count[2] + grid.first[2]
    cell[3] = row // grid.count[2] + grid.first[3]
    cell.count, cell.top = cells.count[k], cells.top[k]
    for name, sum in pairs(cells.sum) do
        cell.sum[name] = sum[k]
    end
end

-- The mean active share of the windows of 3 x 3 x 3, or 3 x 3, about the active voxels; nil without any.
local function share(grid, active)
    local size = {grid.count[3], grid.count[2], grid.count[1]}
    if grid.flat then
        table.remove(size, 1)
    end
    local p = assert(spconv.problem {size = size, kernel = 3, channels = 1, filters = 1})
    return #active > 0 and spconv.pairs(p, active, active) / (p.volume * #active) or nil
end

-- Fills the grid: {bytes, shape, occupied (voxels with points), active (numbers of the voxels that are not zero in some
-- channel), cells, share (of 3 x 3 x 3 windows), used, outside, cropped, rounded (points), most (points of a voxel)};
-- nil and a message when the tensor is too large. `channels` are names of voxels.channels; "intensity" needs
-- cloud.value.
function voxels.fill(cloud, grid, channels)
    local rows = lists.map(channels, function(name) return voxels.by_name[name] end)
    local shape, message = voxels.shape(grid, #rows)
    if not shape then
        return nil, message
    end
    local found = {shape = shape, active = {}, cells = 1, most = 0}
    for i = 3, #shape do
        found.cells = found.cells * shape[i]
    end
    local cells, is_active, cell = collect(cloud, grid, rows), {}, {sum = {}}
    found.outside, found.cropped, found.occupied = cells.outside, cells.cropped, #cells.numbers
    found.rounded = cells.rounded
    found.used = cloud.count - cells.outside - cells.cropped
    found.bytes = spconv.scatter("nchw", cells.numbers, #rows, found.cells, found.cells * #rows, function(a, c)
        load_cell(cell, cells, grid, cells.numbers[a])
        local v = rows[c + 1].of(cell, grid)
        is_active[a] = is_active[a] or ("<f"):unpack(("<f"):pack(v)) ~= 0
        return v
    end)
    for a, number in ipairs(cells.numbers) do
        found.active[#found.active + 1] = is_active[a] and number or nil
        found.most = math.max(found.most, cells.count[a])
    end
    found.share = share(grid, found.active)
    return found
end

return voxels
