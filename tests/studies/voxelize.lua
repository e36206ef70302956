-- Are points put into the right voxels, and are generated inputs as described? Runs the command $HEDDLE.
local heddle = require "heddle"
local test = require "tests.lib.test"
local cli = require "tests.lib.command"
local voxel_grid = require "heddle.points.grid"
local workload = require "heddle.spconv.workload"
local lidar = require "heddle.points.lidar"
local lists = require "heddle.kit.lists"
local points = require "heddle.points.cloud"
local samples = require "tests.lib.points"
local random = require "heddle.kit.random"
local scans = require "heddle.points.scans"
local spconv = require "heddle.spconv.reference"
local voxels = require "heddle.points.voxels"
local case, equal, ok = test.case, test.equal, test.ok

local folder, nonzero = cli.folder, samples.nonzero

local function cloud_of(list)
    local cloud = {count = #list, x = {}, y = {}, z = {}, value = {}}
    for i, p in ipairs(list) do
        cloud.x[i], cloud.y[i], cloud.z[i], cloud.value[i] = p[1] + 0.0, p[2] + 0.0, p[3] + 0.0, (p[4] or 0) + 0.0
    end
    return cloud
end

local function grid_of(cloud, o)
    local grid, message = voxels.grid(cloud, o)
    ok(grid, message)
    return grid
end

local function numbers(bytes)
    return lists.numbers("f", 4, bytes)
end

-- ---- voxels ----

local box = {{0, 4}, {0, 3}, {0, 2}} -- a unit is a voxel of 4 x 3 x 2

case("the tensor is [1, C, Z, Y, X]", function()
    local cloud = cloud_of {{3.5, 0.5, 0.5}, {0.5, 2.5, 0.5}, {0.5, 0.5, 1.5}}
    local found = voxels.fill(cloud, grid_of(cloud, {cells = {4, 3, 2}, bounds = box}), {"occupancy", "count"})
    equal(found.shape, {1, 2, 2, 3, 4})
    equal(nonzero(found.bytes), {[3] = 1.0, [8] = 1.0, [12] = 1.0, [27] = 1.0, [32] = 1.0, [36] = 1.0})
    equal(found.active, {3, 8, 12})
    equal({found.cells, found.occupied, found.used, found.most}, {24, 3, 3, 1})
end)

case("seen from above it is [1, C, Y, X]", function()
    local cloud = cloud_of {{3.5, 0.5, -7}, {3.25, 0.5, 9}, {0.5, 2.5, 1}}
    local grid = grid_of(cloud, {cells = {4, 3}, bounds = {box[1], box[2], false}})
    local found = voxels.fill(cloud, grid, {"count", "top"})
    equal(found.shape, {1, 2, 3, 4})
    equal(nonzero(found.bytes), {[3] = 2.0, [8] = 1.0, [15] = 9.0, [20] = 1.0})
    local same = grid_of(cloud, {step = {1, 1}, flat = true, bounds = {box[1], box[2], false}})
    equal(same.cells, {4, 3, 1})
    equal(same.flat, true)
end)

case("channels, worked out by hand", function()
    local cloud = cloud_of {{1.25, 2.5, 0.5, 10}, {1.75, 2.75, 1.0, 30}}
    local names = {}
    for i, row in ipairs(voxels.channels) do names[i] = row.name end
    local grid = grid_of(cloud, {cells = {2, 3, 1}, bounds = box}) -- voxels of 2 x 1 x 2
    local found = nonzero(voxels.fill(cloud, grid, names).bytes)
    local want = {occupancy = 1.0, count = 2.0, density = math.log(3) / math.log(64), intensity = 20.0, x = 1.5,
        y = 2.625, z = 0.75, dx = 0.25, dy = 0.125, dz = -0.125, top = 1.0}
    for i, name in ipairs(names) do
        local v = found[(i - 1) * 6 + 4]
        ok(math.abs(v - want[name]) < 1e-7, ("%s is %s, not %s"):format(name, v, want[name]))
    end
    local many = {}
    for i = 1, 64 do many[i] = {0, 0, 0} end
    cloud = cloud_of(many)
    equal(numbers(voxels.fill(cloud, grid_of(cloud, {cells = {1, 1, 1}}), {"density"}).bytes), {1.0})
end)

case("sides belong to the voxel above, the last one to the last voxel; what is outside is counted", function()
    local cloud = cloud_of {{0, 0, 0}, {1, 0, 0}, {4, 3, 2}, {4.001, 0, 0}, {0, -0.001, 0}, {0, 0, 2.001}}
    local found = voxels.fill(cloud, grid_of(cloud, {cells = {4, 3, 2}, bounds = box}), {"occupancy"})
    equal(found.active, {0, 1, 23})
    equal({found.used, found.outside, found.cropped}, {3, 3, 0})
end)

case("bounds of the points: both ends are inside; a flat side is a unit long", function()
    local cloud = cloud_of {{-1, 5, 2}, {3, 5, 2}}
    local grid = grid_of(cloud, {cells = {4, 8, 3}})
    equal({grid.lo, grid.hi}, {{-1.0, 4.5, 1.5}, {3.0, 5.5, 2.5}})
    equal(voxels.fill(cloud, grid, {"occupancy"}).active, {(1 * 8 + 4) * 4, (1 * 8 + 4) * 4 + 3})
    cloud = cloud_of {{1e9, 1e-30, 0}}
    equal(voxels.fill(cloud, grid_of(cloud, {cells = {3, 3, 3}}), {"occupancy"}).active, {13})
end)

case("sizes of voxels: the outermost point on a border has its own, between bounds it has not", function()
    local cloud = cloud_of {{0, 0, 0}, {6.4, 7, 4.2}}
    local grid = grid_of(cloud, {step = {0.1, 3, 0.6}})
    equal(grid.cells, {65, 3, 8}) -- 4.2 / 0.6 is 7.000000000000001
    equal(grid.hi[2], 9.0)
    equal(voxels.fill(cloud, grid, {"occupancy"}).outside, 0)
    grid = grid_of(cloud, {step = {0.1, 3, 0.6}, bounds = {{0, 6.4}, {0, 7}, {0, 4.2}}})
    equal(grid.cells, {64, 3, 7})
    equal(voxels.fill(cloud, grid, {"occupancy"}).outside, 0)
    local none, message = voxels.grid(cloud, {step = {1e-12, 1, 1}})
    ok(none == nil and message:find("x would have 6.4e+12 voxels of 1e-12; at most 2,147,483,647", 1, true), message)
end)

case("an origin: voxels are counted from it, below it too", function()
    local cloud = cloud_of {{-0.25, 0.5, 3}, {0.25, 0.5, 3.5}, {0.75, -2, 4}}
    local grid = grid_of(cloud, {step = {0.5, 0.5, 1}, origin = {0, 0.25, 10}})
    equal({grid.start, grid.cells}, {{-1, -5, -7}, {3, 6, 2}})
    equal({grid.lo, grid.hi}, {{-0.5, -2.25, 3.0}, {1.0, 0.75, 5.0}})
    equal(voxels.fill(cloud, grid, {"occupancy"}).active, {15, 16, 20})
    grid = grid_of(cloud, {step = {0.5, 0.5, 1}, origin = {0.1, 0.1, 0.1}, bounds = {{-1, 0.5}, {0, 1}, {3, 4}}})
    equal({grid.start, grid.cells}, {{-3, -1, 2}, {4, 3, 2}})
    local none, message = voxels.grid(cloud, {step = {1e-3, 1, 1}, origin = {1e15, 0, 0}})
    ok(none == nil and message == "x: the origin is 1e+18 voxels away from the points", message)
end)

-- Points of a regular grid as the bytes of a file, by format. `at` gives the coordinates of point (i, j, k).
local function grid_file(format, n, at)
    local rows, packed, floats = {}, {}, format.code == "f"
    for i = 0, n[1] - 1 do
        for j = 0, n[2] - 1 do
            for k = 0, n[3] - 1 do
                local p = at(i, j, k, floats)
                rows[#rows + 1] = format.text and format.text:format(p[1], p[2], p[3])
                packed[#packed + 1] = format.code and (format.order .. format.code:rep(3)):pack(p[1], p[2], p[3])
            end
        end
    end
    local body = table.concat(format.text and rows or packed)
    return format.head and format.head:format(n[1] * n[2] * n[3]) .. body or body
end

local function ply_head(kind, type)
    return "ply\nformat " .. kind .. " 1.0\nelement vertex %d\nproperty " .. type .. " x\nproperty " .. type ..
        " y\nproperty " .. type .. " z\nend_header\n"
end

local function pcd_head(kind, size)
    return ("VERSION .7\nFIELDS x y z\nSIZE %d %d %d\nTYPE F F F\n"):format(size, size, size) ..
        "POINTS %d\nDATA " .. kind .. "\n"
end

local LINE <const> = "%.6f %.6f %.6f\n"
local grid_formats = {
    {name = "a.txt", text = LINE}, {name = "a.csv", text = "%.17g,%.17g,%.17g\n", head = "X,Y,Z\n"},
    {name = "a.xyz", text = "%.9g %.9g %.9g\n", code = "f", order = "<"},
    {name = "b.xyz", text = LINE, code = "f", order = "<"},
    {name = "a.ply", text = "%.9g %.9g %.9g\n", code = "f", order = "<", head = ply_head("ascii", "float")},
    {name = "b.ply", text = "%.17g %.17g %.17g\n", head = ply_head("ascii", "double")},
    {name = "c.ply", code = "f", order = "<", head = ply_head("binary_little_endian", "float")},
    {name = "d.ply", code = "d", order = ">", head = ply_head("binary_big_endian", "double")},
    {name = "a.pcd", code = "f", order = "<", head = pcd_head("binary", 4)},
    {name = "b.pcd", code = "d", order = "<", head = pcd_head("binary", 8)},
    {name = "c.pcd", text = LINE, head = pcd_head("ascii", 8)},
    {name = "a.raw", code = "f", order = "<", raw = {"x", "y", "z"}},
}

local function single(v)
    return (("<f"):unpack(("<f"):pack(v)))
end

-- Coordinates as a program computes them, in fp64 or fp32, from an origin and a spacing.
local function coordinate(origin, step, way)
    if way == "single" then
        local o, s = single(origin), single(step)
        return function(i) return single(o + single(i * s)) end
    end
    return function(i) return origin + i * step end
end

case("a regular grid of n points a side has n voxels a side, each with one point, whatever its rounding", function()
    local r = random.new(11)
    for run = 1, 600 do
        local format = grid_formats[run % #grid_formats + 1]
        local n, step, origin, sides = {}, {}, {}, {}
        local far = format.code ~= "f" and r:below(3) == 0 and 10 ^ (2 + r:below(5)) or 1
        for i = 1, 3 do
            n[i] = 1 + r:below(i == 1 and 40 or 5)
            step[i] = (1 + r:below(99)) / ({10, 100, 1000})[1 + r:below(3)]
            origin[i] = (r:below(2000) - 1000) * ({0.01, 0.05, 0.1, 1})[1 + r:below(4)] * far
            sides[i] = coordinate(origin[i], step[i],
                format.code == "f" and format.name ~= "b.xyz" and r:below(2) == 0 and "single")
        end
        local bytes = grid_file(format, n, function(i, j, k, floats)
            local p = {sides[1](i), sides[2](j), sides[3](k)}
            for c = 1, floats and 3 or 0 do p[c] = single(p[c]) end
            return p
        end)
        local cloud, message = points.decode(bytes, format.name, {raw = format.raw})
        ok(cloud, message)
        local what = ("run %d: %s, origin %.17g %.17g %.17g, step %.17g %.17g %.17g"):format(run, format.name,
            origin[1], origin[2], origin[3], table.unpack(step))
        for _, from in ipairs {false, {origin[1] - 3 * step[1], origin[2] + 7 * step[2], origin[3]}} do
            local grid = grid_of(cloud, {step = step, origin = from})
            equal(grid.cells, n, what)
            local found = voxels.fill(cloud, grid, {"count"})
            equal({found.used, found.most, found.occupied}, {n[1] * n[2] * n[3], 1, n[1] * n[2] * n[3]}, what)
        end
    end
end)

case("points that are on no border are in floor((x - origin) / size), decimals exactly", function()
    local r = random.new(12)
    for _ = 1, 20 do
        local lines, want, from = {}, {}, r:below(2000) - 1000
        local size = 1 + r:below(300) -- in hundredths
        for i = 1, 300 do
            local x = from + r:below(5000)
            lines[i], want[i] = ("%.2f 0 0"):format(x / 100), (x - from) // size
        end
        local cloud = assert(points.decode(table.concat(lines, "\n"), "a.txt"))
        local grid = grid_of(cloud, {step = {size / 100, 1, 1}, origin = {from / 100, 0, 0}})
        for i = 1, 300 do
            equal(voxel_grid.number(grid, cloud.x[i], 0, 0), want[i] - grid.start[1], lines[i])
        end
    end
end)

case("sides too short to divide are refused", function()
    local none, message = voxels.grid(cloud_of {{0, 0, 0}, {5e-324, 1, 1}}, {cells = {4, 4, 4}})
    ok(none == nil and message == "x from 0 to 4.94066e-324 is too short for 4 voxels", message)
    local o = {cells = {2, 2}, bounds = {{0, 1}, {0, 2.0 ^ -1021}, {0, 1}}}
    equal(voxels.fill(cloud_of {{1, 2.0 ^ -1022, 0}}, grid_of(cloud_of {}, o), {"occupancy"}).active, {3})
    o.bounds[2][2] = 2.0 ^ -1022
    ok(not voxels.grid(cloud_of {}, o))
end)

case("crop: a part of the grid, or so many about the mean", function()
    local cloud = cloud_of {{0.5, 0.5, 0.5}, {3.5, 0.5, 0.5}, {3.5, 0.5, 1.5}}
    local o = {cells = {4, 3, 2}, bounds = box, crop = {{1, 4}, {0, 2}, {0, 1}}}
    local found = voxels.fill(cloud, grid_of(cloud, o), {"occupancy"})
    equal(found.shape, {1, 1, 1, 2, 3})
    equal(found.active, {2})
    equal({found.used, found.cropped, found.outside}, {1, 2, 0})
    o.crop = {2, 3, 1} -- the mean is at 2.5, 0.5, 0.83
    equal(grid_of(cloud, o).first, {1, 0, 0})
    o.crop = {3, 1, 2}
    equal(grid_of(cloud, o).first, {1, 0, 0})
    for crop, text in pairs {[{5, 1, 1}] = "wants 5 voxels of x; the grid has 4",
        [{1, {2, 4}, 1}] = "y ends at voxel 4"} do
        o.crop = crop
        local none, message = voxels.grid(cloud, o)
        ok(none == nil and message:find(text, 1, true), message)
    end
end)

case("points that no fp32 can be are taken out", function()
    local cloud = cloud_of {{0 / 0, 0, 0}, {1, 2, 3}, {0, math.huge, 0}, {0, 0, -1e39}, {4, 5, 6}, {1, 1, 1, 0 / 0}}
    equal(voxels.clean(cloud), 4)
    equal(cloud, {count = 2, x = {1.0, 4.0}, y = {2.0, 5.0}, z = {3.0, 6.0}, value = {0.0, 0.0}})
    equal(voxels.clean(cloud), 0)
end)

case("no points: zeros between given bounds, else a message", function()
    local cloud = cloud_of {}
    local found = voxels.fill(cloud, grid_of(cloud, {cells = {2, 2, 2}, bounds = box, crop = {1, 2, 2}}), {"count"})
    equal(numbers(found.bytes), {0.0, 0.0, 0.0, 0.0})
    equal(found.share, nil)
    local none, message = voxels.grid(cloud, {cells = {2, 2, 2}})
    ok(none == nil and message:find("no point to take the bounds of x from", 1, true), message)
end)

case("a voxel whose channels are all zero is occupied and not active", function()
    local cloud = cloud_of {{0.5, 0.5, 0.5}, {1.25, 0.5, 0.5}}
    local found = voxels.fill(cloud, grid_of(cloud, {cells = {4, 3, 2}, bounds = box}), {"dx", "intensity"})
    equal({found.occupied, found.active}, {2, {1}})
end)

case("the active share of windows: corner, edge and middle", function()
    local cloud = cloud_of {{0.5, 0.5, 0.5}, {1.5, 0.5, 0.5}}
    equal(voxels.fill(cloud, grid_of(cloud, {cells = {4, 3, 2}, bounds = box}), {"count"}).share, 2 / 27)
    equal(voxels.fill(cloud, grid_of(cloud, {cells = {4, 3}, bounds = box}), {"count"}).share, 2 / 9)
end)

case("a tensor that is too large is refused by its bytes", function()
    local cloud = cloud_of {{0, 0, 0}, {1, 1, 1}}
    local none, message = voxels.fill(cloud, grid_of(cloud, {cells = {100000, 10000, 10}}), {"count", "z"})
    ok(none == nil and message:find("f32[1,2,10,10000,100000] would need 80,000,000,000 bytes; at most 268,435,456", 1,
        true), message)
end)

case("random points: the same as asking every voxel for its points", function()
    local r = random.new(5)
    for _, o in ipairs {{cells = {5, 4, 3}}, {cells = {3, 6}}, {step = {0.3, 0.2, 0.5}},
        {cells = {7, 5, 4}, bounds = {{0.1, 0.8}, {0.2, 0.9}, {0, 0.5}}, crop = {{2, 6}, {0, 3}, {1, 4}}}} do
        local list = {}
        for i = 1, 300 do list[i] = {r:unit(), r:unit() ^ 2, r:unit(), r:below(5)} end
        local cloud = cloud_of(list)
        local grid = grid_of(cloud, o)
        local found = voxels.fill(cloud, grid, {"count", "intensity"})
        local n, at = grid.count, 0
        local got = numbers(found.bytes)
        for z = 0, n[3] - 1 do
            for y = 0, n[2] - 1 do
                for x = 0, n[1] - 1 do
                    local count, sum = 0, 0
                    for _, p in ipairs(list) do
                        local inside = true
                        for i, c in ipairs {x, y, z} do
                            local low = (c + grid.first[i]) * grid.step[i]
                            local v, last = p[i] - grid.lo[i], c + grid.first[i] == grid.cells[i] - 1
                            inside = inside and v >= low and (v < low + grid.step[i] or last and p[i] <= grid.hi[i])
                        end
                        count, sum = count + (inside and 1 or 0), sum + (inside and p[4] or 0)
                    end
                    equal(got[at + 1], count + 0.0)
                    ok(math.abs(got[n[1] * n[2] * n[3] + at + 1] - (count > 0 and sum / count or 0)) < 1e-6)
                    at = at + 1
                end
            end
        end
    end
end)

-- ---- generated inputs ----

case("random numbers are those of SplitMix64", function()
    local r, want = random.new(1234567), {"6457827717110365317", "3203168211198807973", "9817491932198370423",
        "4593380528125082431", "16408922859458223821"}
    for _, v in ipairs(want) do
        local bits = r:bits() -- Lua's integers have a sign
        local tens = (bits >> 1) // 5
        equal(("%d%d"):format(tens, bits - tens * 10), v)
    end
    for _ = 1, 1000 do
        local v, u = r:below(6), r:unit()
        ok(v >= 0 and v < 6 and u >= 0 and u < 1)
    end
end)

case("subsets: so many, all different, in order, each position as often", function()
    local hits, r = {}, random.new(9)
    for _ = 1, 2000 do
        local set, before = r:subset(20, 5), -1
        equal(#set, 5)
        for _, v in ipairs(set) do
            ok(v > before and v < 20)
            before, hits[v] = v, (hits[v] or 0) + 1
        end
    end
    for v = 0, 19 do ok(math.abs(hits[v] - 500) < 120, v) end -- 6 standard deviations
    equal(r:subset(3, 3), {0, 1, 2})
    equal(r:subset(3, 0), {})
end)

case("random occupancy: density, features, kinds, the same from one seed", function()
    local active = workload.positions(4096, 0.05, 1)
    equal(#active, 205)
    equal(active, workload.positions(4096, 0.05, 1))
    ok(not test.same(active, workload.positions(4096, 0.05, 2)))
    equal(#workload.positions(7, 1, 1), 7)
    equal(workload.positions(7, 0, 1), {})
    local seen = {}
    for _, feature in ipairs(workload.features(2000, 2, {seed = 3})) do
        ok(feature[1] ~= 0 or feature[2] ~= 0, "all zero")
        seen[feature[1]] = true
    end
    for v = -4, 4 do ok(seen[v + 0.0], v) end
    for _, v in ipairs(random.numbers(1000, {kind = "real", seed = 4})) do
        ok(math.abs(v) <= 1 and ("<f"):unpack(("<f"):pack(v)) == v)
    end
    -- The voxels are the active positions of the input made of them, in both layouts.
    for _, layout in ipairs {"nchw", "nhwc"} do
        local p = assert(spconv.problem {size = {8, 16, 16}, batch = 2, channels = 3, filters = 1, kernel = 3,
            layout = layout})
        local x = spconv.input(p, active, workload.features(#active, 3, {seed = 5}))
        equal(#x, 4 * 3 * 4096)
        equal((spconv.active(p, x)), active)
    end
end)

case("the scanner: a wall where it stands, the ground below, nothing behind", function()
    local wall = {{10, -500, -2, 11, 500, 500, 0.5}}
    local cloud = lidar.scan {seed = 2, rings = 16, steps = 64, boxes = wall}
    local on_wall, on_ground = 0, 0
    for i = 1, cloud.count do
        local x, y, z = cloud.x[i], cloud.y[i], cloud.z[i]
        local far = math.sqrt(x * x + y * y + z * z)
        ok(x < 10.03 and far < 120.03)
        if math.abs(x - 10) < 0.021 then
            on_wall = on_wall + 1
        else
            -- The error of up to 2 cm lies along the ray.
            ok(math.abs(z + 1.73) <= 0.021 * math.abs(z) / far, z)
            on_ground = on_ground + 1
        end
        ok(cloud.value[i] >= 0 and cloud.value[i] <= 1)
    end
    ok(on_wall > 50 and on_ground > 400, ("%d and %d"):format(on_wall, on_ground))
    -- Without walls only rings below the horizon return anything.
    cloud = lidar.scan {rings = 2, steps = 8, boxes = {}}
    ok(cloud.count <= 8 and cloud.count >= 6)
    for i = 1, cloud.count do ok(math.abs(cloud.z[i] + 1.73) < 0.01) end
end)

case("the street is the same on every host", function()
    local cloud, sum = scans.load "street", 0
    equal(cloud.count, 45327)
    for i = 1, cloud.count do
        local a, b, c = ("<i8i8i8"):unpack(("<ddd"):pack(cloud.x[i], cloud.y[i], cloud.z[i]))
        sum = (sum * 31 + a) * 31 + (b ~ c)
    end
    equal(("%016x"):format(sum), "9f70d497b2ae434b")
    local grid = grid_of(cloud, {step = {0.2, 0.2, 0.4}, bounds = {{0, 70.4}, {-40, 40}, {-3, 1}}})
    local found = voxels.fill(cloud, grid, {"occupancy"})
    equal(("%d %.2f %.2f"):format(#found.active, 100 * #found.active / found.cells, found.share), "5978 0.42 0.27")
end)

case("scans: the installed ones, and the street in their place", function()
    local expected = {building = 100000, b9 = 22300, poste_france = 9031, kitten = 5210, hippo = 6104, oni = 1435}
    for name, count in pairs(expected) do
        local cloud, message = scans.load(name)
        ok(cloud and cloud.count == count or message:find("libcgal-demo", 1, true), name)
    end
    local none, message = scans.load("kitten", {archive = folder .. "/none.tar.gz"})
    ok(none == nil and message:find("the scan 'kitten' is not installed", 1, true), message)
    ok(scans.find("kitten", {archive = folder .. "/none.tar.gz"}).about:find "^generated street")
    heddle.write(folder .. "/broken.tar.gz", "no archive")
    equal(scans.load("kitten", {archive = folder .. "/broken.tar.gz"}), nil)
    none, message = scans.load "nowhere"
    ok(none == nil and message:find("no scan 'nowhere'", 1, true), message)
end)

test.finish()
