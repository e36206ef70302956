-- Does `heddle voxelize` report and write its work, and nothing for wrong input? Runs the command $HEDDLE.
local heddle = require "heddle"
local test = require "tests.lib.test"
local cli = require "tests.lib.command"
local samples = require "tests.lib.points"
local scans = require "heddle.points.scans"
local voxels = require "heddle.points.voxels"
local case, equal, ok = test.case, test.equal, test.ok

local command, folder, read_all = cli.path, cli.folder, cli.read
local nonzero = samples.nonzero
local ctx = heddle.new()

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

test.finish()
