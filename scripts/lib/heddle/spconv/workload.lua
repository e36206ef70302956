-- The inputs of the convolution study when none is given: real scans in grids of voxels, and random occupancies.
--
--   for _, row in ipairs(workload.scans) do local c = workload.scan(ctx, row, "nchw") end
--   for _, g in ipairs(workload.geometries(32768)) do
--       local c = workload.random(ctx, workload.problem(g, "nchw"), 0.1)
--   end
--
-- Both give a heddle.spconv.case. Features of scans are those of their points (real numbers); of random occupancies
-- they are whole numbers from -4 to 4, as the weights, with which every sum is exact.
local case = require "heddle.spconv.case"
local generate = require "heddle.spconv.generate"
local scans = require "heddle.points.scans"
local spconv = require "heddle.spconv.reference"
local voxels = require "heddle.points.voxels"

local workload = {}

local FILTERS <const> = 16

-- The scan; voxels along x, y and z, or seen from above along x and y; for the brief study.
workload.scans = {
    {scan = "building", cells = {24, 24, 12}, brief = true},
    {scan = "building", cells = {32, 32, 16}},
    {scan = "building", cells = {64, 64, 16}},
    {scan = "street", cells = {64, 64, 8}},
    {scan = "kitten", cells = {32, 32, 32}},
    {scan = "street", cells = {128, 128}},
    {scan = "b9", cells = {256, 256}},
}

-- Channels: a voxel's occupancy, and the offset of its points, or their number and height.
local CHANNELS <const> = {[3] = {"occupancy", "dx", "dy", "dz"}, [2] = {"occupancy", "density", "z", "top"}}

workload.POSITIONS = 1 << 15 -- default positions of a plane of random occupancy
workload.FEWEST = 1 << 13    -- least positions, and the default on several boards

-- The problems of random occupancy: a plane of about so many positions, and a volume of half as many, each of which
-- costs a few times as much to simulate.
function workload.geometries(positions)
    local function sides(area) -- near a square, the first a power of two
        local h = 1
        while 4 * h * h <= area do
            h = 2 * h
        end
        return h, area // h
    end
    return {
        {name = "3x3x3", size = {8, sides(positions // 16)}, channels = 4, filters = 16, kernel = 3},
        {name = "3x3", size = {sides(positions)}, channels = 8, filters = 8, kernel = 3},
    }
end

workload.densities = {0.001, 0.01, 0.03, 0.1, 0.25, 0.5, 1}

-- Those of them at which a problem has active windows whose tensors fit, of several with the same number of windows
-- the first; and whether some do not fit. `element`: bytes of a number of the matrix.
function workload.densities_of(p, element)
    local list, last = {}, 0
    for _, density in ipairs(workload.densities) do
        local function unfit(windows) return case.unfit(p, windows, "unfold", element) end
        if unfit(density * p.outputs // 2) then -- by far: not even counted
            return list, true
        end
        local windows = #spconv.windows(p, generate.positions(p.positions, density, 1))
        if unfit(windows) then
            return list, true
        elseif windows > last then
            list[#list + 1], last = density, windows
        end
    end
    return list, false
end

local clouds = {} -- scans that were read

-- The cloud of a scan and its name: those of the generated street where it is not installed, or when all are to be
-- made.
local function cloud_of(name, made)
    name = made and "street" or name
    if not clouds[name] then
        clouds[name] = scans.load(name) or false
        if clouds[name] then
            voxels.clean(clouds[name])
        end
    end
    if clouds[name] then
        return clouds[name], name
    end
    return cloud_of "street"
end

-- The bytes of [C][area] as [area][C].
local function channels_last(bytes, channels)
    local area, out = #bytes // 4 // channels, {}
    for q = 0, area - 1 do
        for c = 0, channels - 1 do
            local at = 4 * (c * area + q)
            out[#out + 1] = bytes:sub(at + 1, at + 4)
        end
    end
    return table.concat(out)
end

-- A scan in its grid, convolved with 16 filters of 3 x 3 x 3 (3 x 3) at stride 1, padded to keep the size; and its
-- name. `made`: the generated street in place of the scan.
function workload.scan(ctx, row, layout, made)
    local cloud, name = cloud_of(row.scan, made)
    local channels = CHANNELS[#row.cells]
    local grid = assert(voxels.grid(cloud, {cells = row.cells}))
    local found = assert(voxels.fill(cloud, grid, channels))
    local p = assert(spconv.problem {size = table.move(found.shape, 3, #found.shape, 1, {}), channels = #channels,
        filters = FILTERS, kernel = 3, layout = layout})
    local c = case.new(ctx, {
        p = p, x = layout == "nhwc" and channels_last(found.bytes, #channels) or found.bytes,
        weights = generate.numbers(p.filters * p.channels * p.volume, {seed = 1, kind = "real"}),
        about = {("%s, channels %s"):format(cloud.about, table.concat(channels, ", "))},
    })
    return c, ("%s %s"):format(name, table.concat(row.cells, "x"))
end

function workload.problem(geometry, layout)
    return assert(spconv.problem {size = geometry.size, channels = geometry.channels, filters = geometry.filters,
        kernel = geometry.kernel, layout = layout})
end

-- Random active positions, the share `density` of all, and random weights.
function workload.random(ctx, p, density)
    local active = generate.positions(p.positions, density, 1)
    return case.new(ctx, {
        p = p, x = spconv.input(p, active, generate.features(#active, p.channels, {seed = 2})),
        weights = generate.numbers(p.filters * p.channels * p.volume, {seed = 3}),
        about = {("random occupancy of %g %%"):format(100 * density)},
    })
end

return workload
