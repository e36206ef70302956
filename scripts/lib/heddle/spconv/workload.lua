-- The inputs of the convolution study when none is given: real scans in grids of voxels, and random occupancies.
--
--   for _, row in ipairs(workload.inputs(option)) do local c, name = workload.scan(ctx, row, "nchw") end
--   for _, g in ipairs(workload.geometries(8192)) do
--       local c = workload.random(ctx, workload.problem(g, "nchw"), 0.1)
--   end
--
--   local active = workload.positions(p.positions, 0.05, 1)                  -- 5 % of them, in raster order
--   local x = spconv.input(p, active, workload.features(#active, p.channels, {seed = 2}))
--
-- `scan` and `random` give a heddle.spconv.case. Features of scans are those of their points (real numbers); of random
-- occupancies they are whole numbers from -4 to 4, as the weights, so that every sum is exact.
local case = require "heddle.spconv.case"
local input = require "heddle.spconv.input"
local lists = require "heddle.kit.lists"
local random = require "heddle.kit.random"
local scans = require "heddle.points.scans"
local spconv = require "heddle.spconv.reference"
local voxels = require "heddle.points.voxels"

local workload = {}

-- ---- generated inputs: the same seed gives the same on every host ----

-- The share `density` of `count` positions, rounded to a whole number of them. They are spread evenly; those of scans
-- (heddle.points.scans) are next to each other, so that more of a window is active.
function workload.positions(count, density, seed)
    return random.new(seed):subset(count, math.floor(density * count + 0.5))
end

-- Features of `count` active positions: lists of `channels` whole numbers, never all zero.
function workload.features(count, channels, options)
    local r, list = random.new(options and options.seed), {}
    for i = 1, count do
        local feature, zero = {}, true
        for c = 1, channels do
            feature[c] = r:integer()
            zero = zero and feature[c] == 0
        end
        if zero then
            feature[1 + r:below(channels)] = 1.0
        end
        list[i] = feature
    end
    return list
end

-- ---- inputs ----

local FILTERS <const> = 16

-- A scan, or a random occupancy of that number of channels; its kind of trial; voxels along x, y and z, or seen from
-- above along x and y; stride (1); filters (16); for the brief study, of `boards` if of several; measured again with a
-- warm L2 and appended lists; `on` a part of the board (heddle.spconv.trials). Odd sizes are for strides that do not
-- divide them.
local ROWS <const> = {
    {scan = "building", kind = "scan", cells = {24, 24, 12}, brief = true},
    {scan = "building", kind = "scan", cells = {32, 32, 16}},
    {scan = "street", kind = "scan", cells = {128, 128}},
    {scan = "street", kind = "scan", cells = {64, 64, 8}},
    {scan = "kitten", kind = "scan", cells = {32, 32, 32}},
    {scan = "building", kind = "scan", cells = {64, 64, 16}},
    {scan = "b9", kind = "scan", cells = {256, 256}},
    {scan = "street", kind = "stride", cells = {128, 128}, stride = 2},
    {scan = "building", kind = "stride", cells = {31, 33, 15}, stride = 2, again = true},
    {scan = "street", kind = "stride", cells = {101, 97}, stride = 3, boards = true},
    {scan = "street", kind = "size", cells = {16, 16, 4}, boards = true},
    {density = 0.003, kind = "size", cells = {12, 85}, channels = 16, again = true},
    {density = 0.05, kind = "size", cells = {7, 192}, channels = 32},
    {density = 0.2, kind = "size", cells = {10, 19, 4}, channels = 32, filters = 4},
    {density = 0.002, kind = "size", cells = {62, 85}, channels = 64, filters = 1},
    {density = 0.14, kind = "size", cells = {110, 84}, channels = 16, filters = 1},
    {density = 0.25, kind = "size", cells = {158, 146}, channels = 8, filters = 1},
    {density = 0.04, kind = "size", cells = {53, 23}, channels = 12, filters = 8, boards = true},
    {density = 0.004, kind = "size", cells = {76, 145}, channels = 1, filters = 5},
    {density = 0.02, kind = "size", cells = {26, 59}, channels = 2, boards = true},
    {density = 0.0007, kind = "size", cells = {11, 10, 13}, channels = 32, filters = 5},
    {density = 0.03, kind = "stride", cells = {86, 8}, channels = 32, filters = 64, stride = 2},
    {density = 0.15, kind = "stride", cells = {66, 54}, channels = 16, stride = 2, boards = true},
    {scan = "street", kind = "part", cells = {128, 128}, on = "part of the board"},
    {density = 0.01, kind = "part", cells = {96, 96}, channels = 16, on = "part of the board"},
    {density = 0.002, kind = "part", cells = {48, 48}, channels = 16, filters = 96, on = "small L2"},
    {density = 0.0006, kind = "size", cells = {128, 128}, channels = 4},
}

-- The rows of a study: if brief one, or on several `boards` a few; else of the scans those with at most twice
-- `positions`, and all other sizes.
function workload.inputs(option)
    return lists.map(ROWS, function(row)
        local positions = row.cells[1] * row.cells[2] * (row.cells[3] or 1)
        local fits = not row.brief and (row.kind ~= "scan" or positions <= 2 * option.positions)
        local brief = row.brief or row.boards and (option.boards or 1) > 1
        return (option.brief and brief or not option.brief and fits) and row or nil
    end)
end

-- Channels: a voxel's occupancy, and the offset of its points, or their number and height.
local CHANNELS <const> = {[3] = {"occupancy", "dx", "dy", "dz"}, [2] = {"occupancy", "density", "z", "top"}}

workload.FEWEST = 1 << 13 -- positions of a plane of random occupancy, at least and by default

-- The problems of random occupancy: a plane of about `positions` positions and a volume of half as many, each a few
-- times as costly to simulate; and larger ones of more channels, which are worth their launches, up to the density of
-- `upto`.
function workload.geometries(positions)
    local function sides(area) -- near a square, the first a power of two
        local h = 1
        while 4 * h * h <= area do
            h = 2 * h
        end
        return h, area // h
    end
    local list = {
        {size = {8, sides(positions // 16)}, channels = 4, filters = 16},
        {size = {8, sides(positions // 16)}, channels = 16, filters = 16, upto = 0.3},
        {size = {sides(positions)}, channels = 8, filters = 8},
        {size = {sides(positions)}, channels = 16, filters = 16, upto = 0.3},
        {size = {sides(positions // 4)}, channels = 64, filters = 16, upto = 0.3},
    }
    for _, geometry in ipairs(list) do
        geometry.name = ("%s of %d channels"):format(#geometry.size == 3 and "3x3x3" or "3x3", geometry.channels)
    end
    return list
end

workload.densities = {0.001, 0.01, 0.1, 0.3, 1}

-- Densities where a problem has active windows and its tensors fit, of several with the same number of windows the
-- first; and whether some do not fit. `element`: bytes of a number of the matrix; `upto`: the largest (1).
function workload.densities_of(p, element, upto)
    local list, last = {}, 0
    for _, density in ipairs(workload.densities) do
        local function unfit(windows) return case.unfit(p, windows, "unfold", element) end
        if upto and density > upto then
            return list, false
        elseif unfit(density * p.outputs // 2) then -- by far: not even counted
            return list, true
        end
        local windows = #spconv.windows(p, workload.positions(p.positions, density, 1))
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
    local cloud = clouds[name] or scans.load(name)
    if not cloud then
        return cloud_of "street"
    elseif not clouds[name] then
        clouds[name] = cloud
        voxels.clean(cloud)
    end
    return cloud, name
end

-- A row's random occupancy, or its scan in its grid, convolved with filters of 3 x 3 x 3 (3 x 3), padded as keeps the
-- size at stride 1; and its name. `made`: the generated street in place of the scan.
function workload.scan(ctx, row, layout, made)
    if row.density then
        return workload.random(ctx, workload.problem({size = row.cells, channels = row.channels,
            filters = row.filters or FILTERS, stride = row.stride}, layout), row.density),
            ("random %s of %d channels %g %%%s"):format(table.concat(row.cells, "x"), row.channels,
                100 * row.density, row.stride and " stride " .. row.stride or "")
    end
    local cloud, name = cloud_of(row.scan, made)
    local channels = CHANNELS[#row.cells]
    local grid = assert(voxels.grid(cloud, {cells = row.cells}))
    local found = assert(voxels.fill(cloud, grid, channels))
    local p = workload.problem({size = table.move(found.shape, 3, #found.shape, 1, {}), channels = #channels,
        filters = row.filters or FILTERS, stride = row.stride}, layout)
    local c = case.new(ctx, {
        p = p, x = layout == "nhwc" and input.turn(found.bytes, 1, #channels, p.positions, true) or found.bytes,
        weights = random.numbers(p.filters * p.channels * p.volume, {seed = 1, kind = "real"}),
        about = {("%s, channels %s"):format(cloud.about, table.concat(channels, ", "))},
    })
    return c, ("%s %s%s"):format(name, table.concat(row.cells, "x"),
        row.stride and " stride " .. row.stride or "")
end

-- A kernel of 3 in every dimension.
function workload.problem(geometry, layout)
    return assert(spconv.problem {size = geometry.size, channels = geometry.channels, filters = geometry.filters,
        kernel = 3, stride = geometry.stride, layout = layout})
end

-- Random active positions, the share `density` of all, and random weights.
function workload.random(ctx, p, density)
    local active = workload.positions(p.positions, density, 1)
    return case.new(ctx, {
        p = p, x = spconv.input(p, active, workload.features(#active, p.channels, {seed = 2})),
        weights = random.numbers(p.filters * p.channels * p.volume, {seed = 3}),
        about = {("random occupancy of %g %%"):format(100 * density)},
    })
end

return workload
