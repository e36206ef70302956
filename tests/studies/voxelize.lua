-- Are points put into the right voxels, are generated inputs as described, and does `heddle voxelize` report and write
-- its work, and nothing for wrong input? Runs the command $HEDDLE.
package.path = "scripts/lib/?.lua;" .. package.path
local heddle = require "heddle"
local test = require "tests.lib.test"
local cli = require "tests.lib.command"
local workload = require "heddle.spconv.workload"
local lidar = require "heddle.points.lidar"
local points = require "heddle.points.cloud"
local random = require "heddle.kit.random"
local scans = require "heddle.points.scans"
local spconv = require "heddle.spconv.reference"
local voxels = require "heddle.points.voxels"
local case, equal, ok = test.case, test.equal, test.ok

local command, folder, read_all = cli.path, cli.folder, cli.read
local ctx = heddle.new()

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
    local list = {}
    for i = 1, #bytes // 4 do list[i] = ("<f"):unpack(bytes, 4 * i - 3) end
    return list
end

-- Elements that are not zero, by their place from 0.
local function nonzero(bytes)
    local found = {}
    for i, v in ipairs(numbers(bytes)) do
        if v ~= 0 then found[i - 1] = v end
    end
    return found
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
            equal(voxels.number(grid, cloud.x[i], 0, 0), want[i] - grid.start[1], lines[i])
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

-- ---- the command ----

local function run(arguments)
    return cli.heddle("voxelize " .. arguments)
end

local function good(arguments)
    return cli.good("voxelize " .. arguments)
end

local function bad(text, arguments)
    local status, _, err = run(("%s -o %s/none.npy --json %s/none.json"):format(arguments, folder, folder))
    ok(err:find(text, 1, true), ("%s: expected %q in %q"):format(arguments, text, err))
    equal(status, 2, arguments)
    ok(not read_all(folder .. "/none.npy") and not read_all(folder .. "/none.json"), "an output was written")
end

local scan = folder .. "/scan.xyz"
heddle.write(scan, "0 0 0 7\n4 3 2 9\n3.5 0.5 1.5 11\nnan 0 0 1\n")

case("command: report, tensor, JSON", function()
    local out = good(("%s --grid 4,3,2 --intensity 4 -o %s/x.npy --json %s/x.json"):format(scan, folder, folder))
    for _, line in ipairs {"  input: " .. scan .. ": text, 4 points (x y z)", "  bounds: x 0 to 4, y 0 to 3, z 0 to 2",
        "  grid: 4 x 3 x 2 voxels (x, y, z) of 1 x 1 x 1", "  points: 3 used, 1 not finite in fp32",
        "  channels: occupancy, intensity",
        "  active: 3 of 24 voxels, 12.5 %; 3.7 % of their 3x3x3 windows' elements (q = 0.037)",
        "  wrote " .. folder .. "/x.npy: f32[1,2,2,3,4]"} do
        ok(out:find(line .. "\n", 1, true), line .. " is not in " .. out)
    end
    heddle.write(folder .. "/red.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n" ..
        "property float y\nproperty float z\nproperty float \27[31mred\nend_header\n1 2 3 4\n")
    out = good(folder .. "/red.ply --grid 1,1,1")
    ok(out:find("1 point (x y z ?[31mred)\n", 1, true), out)
    local x = ctx:npy("x", folder .. "/x.npy")
    equal(x.shape, {1, 2, 2, 3, 4})
    equal(nonzero(x:bytes()), {[0] = 1.0, [15] = 1.0, [23] = 1.0, [24] = 7.0, [39] = 11.0, [47] = 9.0})
    local text = read_all(folder .. "/x.json")
    for _, part in ipairs {'"active": 3', '"not_finite": 1', '"total": 4', '"used": 3', '"window": "3x3x3"',
        '"density": 0.125', '"intensity": "column 4"'} do
        ok(text:find(part, 1, true), part .. " is not in " .. text)
    end
end)

case("command: from above, voxel sizes, crop, channels, standard streams", function()
    local out = good(scan .. " --voxel 1 --birdseye --channels count,z --crop 4,3")
    ok(out:find("grid: 5 x 4 voxels (x, y; seen from above) of 1 x 1 x 2", 1, true), out)
    ok(out:find("crop: voxels x 0:4, y 0:3, z 0:1", 1, true), out)
    ok(not out:find("wrote", 1, true))
    ok(good(scan .. " --grid 4,3"):find("channels: occupancy, z\n", 1, true))
    ok(good(scan .. " --grid 4,3,2 --channels z"):find("note: 1 voxel with points are inactive", 1, true))
    equal(good(scan .. " --grid 4,3,2 -o -"):sub(1, 6), "\x93NUMPY")
    equal(good(scan .. " --grid 4,3,2 --json -"):sub(1, 1), "{")
    ok(good(scan .. " --grid=4,3,2 --bounds -1:1,,0:5"):find("bounds: x -1 to 1, y 0 to 3, z 0 to 5", 1, true))
    local line = ("%s voxelize - --grid 4,3 -o %s/y.npy <%s >%s/out"):format(command, folder, scan, folder)
    equal((os.execute(line)), true)
    equal(ctx:npy("y", folder .. "/y.npy").shape, {1, 2, 3, 4})
    heddle.write(folder .. "/k.bin", ("<ffffffff"):pack(0, 0, 0, 0.5, 1, 1, 1, 0.25))
    ok(good(folder .. "/k.bin --grid 2,2,2"):find("channels: occupancy, intensity", 1, true))
    heddle.write(folder .. "/five", ("<fffff"):pack(0, 0, 0, 0.5, 1))
    ok(good(folder .. "/five --raw x,y,z,intensity,ring --grid 1,1,1"):find("1 point (x y z intensity ring)", 1, true))
    ok(good "street --voxel 0.4 --crop 64,64,8":find("generated street", 1, true))
end)

case("command: the origin, what was rounded, and warnings", function()
    local line = {}
    for i = 0, 39 do line[i + 1] = ("%.2f %.2f 0\n"):format(458000.05 + i / 10, 5428000.05 + i / 10) end
    heddle.write(folder .. "/diagonal.txt", table.concat(line))
    local out = good(("%s/diagonal.txt --voxel 0.1 --channels count --json %s/d.json"):format(folder, folder))
    for _, text in ipairs {"  origin: x 458000.05, y 5428000.05, z 0 (the lowest points); a voxel is floor(",
        "  grid: 40 x 40 x 1 voxels", "points up to a border, less than the precision of the numbers below it",
        "  active: 40 of 1,600 voxels"} do
        ok(out:find(text, 1, true), text .. " is not in " .. out)
    end
    local json = heddle.parse(read_all(folder .. "/d.json"))
    equal(json.grid.origin, {458000.05, 5428000.05, 0})
    ok(json.points.rounded > 0 and #json.warnings == 0)
    out = good(folder .. "/diagonal.txt --voxel 0.1 --origin 458000,5428000,0")
    ok(out:find("(--origin)", 1, true) and out:find("first voxel: x 0, y 0, z 0", 1, true), out)
    local function warns(text, arguments)
        local status, _, err = run(arguments)
        ok(status == 0 and err:find(text, 1, true), ("%s: %q"):format(arguments, err))
    end
    warns("diagonal.txt: warning: no point is used: the tensor is zero", folder ..
        "/diagonal.txt --voxel 1 --bounds 0:1,0:1,0:1")
    heddle.write(folder .. "/none.ply", "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\n" ..
        "property float y\nproperty float z\nend_header\n")
    warns("none.ply: warning: the file has no point: the tensor is zero", folder ..
        "/none.ply --voxel 1 --bounds 0:1,0:1,0:1")
    heddle.write(folder .. "/far.bin", ("<ffff"):pack(458000.05, 0, 0, 0))
    warns("far.bin: warning: x: numbers as large as these are hardly finer", folder .. "/far.bin --voxel 0.1")
    warns("a.pts: warning: its first line announces 3 points, and 2 are there", (heddle.write(folder .. "/a.pts",
        "3\n0 0 0\n1 1 1\n") or folder) .. "/a.pts --voxel 1")
    heddle.write(folder .. "/hole.csv", "x,y,z\n0,0,0\n1,,1\n")
    ok(good(folder .. "/hole.csv --voxel 1 --empty nan"):find("points: 1 used, 1 not finite", 1, true))
end)

case("command: mistakes end with status 2 and write nothing", function()
    heddle.write(folder .. "/bad.ply", "ply\nformat ascii 1.0\nelement vertex x\n")
    bad("bad.ply:3: an element is", folder .. "/bad.ply --grid 4,4,4")
    bad("/nowhere.ply: No such file", "/nowhere.ply --grid 4,4,4")
    bad("cannot be read: Is a directory", folder .. " --grid 4,4,4")
    bad("longer than 268,435,456 bytes", "/dev/zero --grid 4,4,4")
    bad("which file?", "--grid 4,4,4")
    bad("one file at a time", "a b --grid 4,4,4")
    bad("no grid is given", scan)
    bad("give one of them", scan .. " --grid 4,4,4 --voxel 1")
    bad("--grid is given twice", scan .. " --grid 4,4,4 --grid 4,4,4")
    bad("entry '0' cannot be read", scan .. " --grid 0,4,4")
    bad("entry '-1' cannot be read", scan .. " --grid -1,4,4")
    bad("entry '1e3' cannot be read", scan .. " --grid 1e3,4,4")
    bad("entry '3000000000' cannot be read", scan .. " --grid 3000000000,4,4")
    bad("'4,4,4,4' has 4 entries", scan .. " --grid 4,4,4,4")
    bad("would need 17,179,869,184 bytes; at most 268,435,456 (256 MiB)", scan .. " --grid 2048,1024,1024")
    bad("a grid has two sides", scan .. " --grid 4,4,4 --birdseye")
    bad("entry '0' cannot be read; expected sizes of a voxel", scan .. " --voxel 0")
    bad("entry 'nan' cannot be read", scan .. " --voxel nan,1,1")
    bad("'1,1' has 2 entries; the grid has 3", scan .. " --voxel 1,1")
    bad("'4' has 1 entry; expected", scan .. " --grid 4")
    bad("e+27 bytes; at most", scan .. " --grid 1000000000,1000000000,1000000000")
    bad("'1,1,5' has 3 entries; the grid has 2", scan .. " --birdseye --voxel 1,1,5")
    bad("entry '2:1' cannot be read; expected lo:hi", scan .. " --grid 4,4,4 --bounds 2:1,,")
    bad("has 2 entries", scan .. " --grid 4,4,4 --bounds 0:1,0:1")
    bad("wants 9 voxels of x; the grid has 4", scan .. " --grid 4,4,4 --crop 9,1,1")
    bad("'1,1' has 2 entries; the grid has 3", scan .. " --grid 4,4,4 --crop 1,1")
    bad("did you mean 'density'?", scan .. " --grid 4,4,4 --channels densty")
    bad("has no intensity; its fields are: x y z", scan .. " --grid 4,4,4 --channels intensity")
    bad("--origin: it goes with --voxel", scan .. " --grid 4,4,4 --origin 0")
    bad("--origin: '0,0' has 2 entries; the grid has 3 sides", scan .. " --voxel 1 --origin 0,0")
    bad("entry 'inf' cannot be read", scan .. " --voxel 1 --origin inf")
    bad("--floats: '6' is neither 4 nor 5", scan .. " --voxel 1 --floats 6")
    bad("--empty: 'zero' is neither error nor nan", scan .. " --voxel 1 --empty zero")
    bad("hole.csv:3:3: an empty field; the option empty=nan reads it as NaN", folder .. "/hole.csv --voxel 1")
    bad("--floats: it goes with a file", "street --grid 4,4,4 --floats 4")
    bad("--raw: it goes with a file", "street --grid 4,4,4 --raw x,y,z")
    bad("did you mean '--channels'?", scan .. " --grid 4,4,4 --chanels z")
    heddle.write(folder .. "/empty.xyz", "")
    bad("empty.xyz: the file is empty", folder .. "/empty.xyz --grid 4,4,4 --bounds 0:1,0:1,0:1")
    heddle.write(folder .. "/nan.xyz", "nan 0 0\n0 inf 0\n")
    bad("nan.xyz: none of its 2 points has finite coordinates in fp32", folder .. "/nan.xyz --grid 4,4,4")
    bad("bulding: there is no such file or scan; did you mean 'building'?", "bulding --grid 4,4,4")
    bad("neither channels nor scans", "--words fields")
    local status, _, err = run(("%s --grid 4,3,2 -o %s"):format(scan, scan))
    ok(status == 2 and err:find("scan.xyz is the input file; name another file", 1, true), err)
    status, _, err = run(scan .. " --grid 4,3,2 -o - --json -")
    ok(status == 2 and err:find("--output and --json: only one", 1, true), err)
    equal(#read_all(scan), 41)
    status, _, err = run(("%s --grid 4,3,2 -o %s/none.npy --json /nowhere/j"):format(scan, folder))
    ok(status == 2 and err:find("--json: /nowhere/j: ", 1, true), err)
    equal(io.open(folder .. "/none.npy"), nil)
    status, _, err = run(scan .. " --grid 4,3,2 -o /nowhere/x.npy")
    ok(status == 2 and err:find("/nowhere/x.npy", 1, true), err)
end)

case("command: its words are the channels and scans that there are", function()
    for what, rows in pairs {channels = voxels.channels, scans = scans.rows} do
        local want = ""
        for _, row in ipairs(rows) do want = want .. row.name .. "\n" end
        equal(good("--words " .. what), want)
    end
end)

case("command: its help names the channels and scans that there are", function()
    local help = good "--help":gsub("%s+", " ")
    local names = {}
    for i, row in ipairs(voxels.channels) do names[i] = row.name end
    ok(help:find(table.concat(names, ", "), 1, true), "channels")
    for _, row in ipairs(scans.rows) do ok(help:find("[(, ]" .. row.name .. "[),]"), row.name) end
end)

ctx:close()
os.execute("rm -r " .. folder)
test.finish()
