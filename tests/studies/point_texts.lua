-- Are raw scans and scans as text read right, and broken ones refused with their place?
local test = require "tests.lib.test"
local scans = require "tests.lib.points"
local case, equal, ok = test.case, test.equal, test.ok

local read, refused, rows, same = scans.read, scans.refused, scans.rows, scans.same

-- ---- raw and text ----

case("raw float32: KITTI's fields by the ending, others by name", function()
    local out, five = {}, {}
    for i, row in ipairs(rows) do
        out[i] = ("<ffff"):pack(table.unpack(row))
        five[i] = ("<fffff"):pack(row[3], row[1], row[2], 5, row[4])
    end
    local cloud = read(table.concat(out), "A/000000.BIN")
    same(cloud, true)
    equal({cloud.format, cloud.value_name}, {"raw float32", "intensity"})
    cloud = read(table.concat(five), "scan", {raw = {"z", "x", "y", "ring", "i"}})
    same(cloud, true)
    equal(cloud.value_name, "i")
    refused("a.bin: 17 bytes are not a whole number of points of 4 float32", ("x"):rep(17), "a.bin")
    refused("a: there is no field 'y'; its fields are: x z", ("x"):rep(16), "a", {raw = {"x", "z"}})
end)

case("text: blanks, commas, comments, more columns", function()
    same(read("# x y z\n1 -2 3 40\n\n  -5 6 7 80\n0 0 -9 100 # last", "a.xyz", {value = "4"}), true)
    same(read("1,-2,3,40\n-5,6,7,80\n0,0,-9,100\n", "a.csv", {value = "4"}), true)
    same(read("1 -2 3\r\n-5\t6 7\r\n0 0 -9\r\n", "a.xyz"), false)
    same(read("\xef\xbb\xbf1 -2 3\n-5 6 7\n0 0 -9\n", "a.xyz"), false)
    refused("a.xyz:2:1: the line has 2 fields, and line 1 has 3", "1 2 3\n4 5\n", "a.xyz")
    refused("a.xyz:1:3: an empty field", "1,,3\n", "a.xyz")
    refused("a.xyz:1:2: both ',' and ';' separate here", "1,5;2,5;3,5\n", "a.xyz")
    refused("a.xyz:1: the line has 1 number;", "1\n", "a.xyz")
    refused("a.xyz:1: the line has 3 numbers; a point has at least 4", "1 2 3\n", "a.xyz", {value = "4"})
    refused("a.xyz: there are names of columns, and no point below them; the file is read as text", "OFF\n", "a.xyz")
    refused("a column from 4 on, not 'red'", "1 2 3\n", "a.xyz", {value = "red"})
    refused("a column from 4 on, not '2'", "1 2 3\n", "a.xyz", {value = "2"})
end)

case("text: columns by name, in any order and case", function()
    local table_of = "%s\n9%s3%s1%s40%s-2\n9%s7%s-5%s80%s6\n9%s-9%s0%s100%s0\n"
    local function text(head, by) return (table_of:gsub("%%s", by, 1):gsub("^" .. by, head):gsub("%%s", by)) end
    for _, by in ipairs {",", ";", "\t", " "} do
        for _, head in ipairs {"nx%sZ%sX%sIntensity%sY", '"NX"%s"z"%s"x"%s"INTENSITY"%s"y"', "r%sz%sx%si%sy"} do
            for _, mark in ipairs {"", "//", "# "} do
                local cloud = read(text(mark .. head:gsub("%%s", by), by), "a.txt")
                same(cloud, true)
                ok(cloud.value_name:lower():find "^i", cloud.value_name)
            end
        end
    end
    same(read("X [m],Y [m],Z [m]\n1,-2,3\n-5,6,7\n0,0,-9\n", "a.csv"), false)
    same(read("# exported by hand\n1 -2 3\n-5 6 7\n0 0 -9\n", "a.txt"), false)
    equal(read("x y z r g b\n1 2 3 4 5 6\n", "a.txt", {value = "G"}).value, {5.0})
    refused("a.txt:1: there is no field 'x'; its fields are: lon lat height", "lon,lat,height\n1,2,3\n", "a.txt")
    refused("a.txt:1: there is no field 'red'", "x,y,z\n1,2,3\n", "a.txt", {value = "red"})
    refused("a.txt:3:1: f64 takes a number", "x,y,z\n1,2,3\nb,2,3\n", "a.txt")
    local holes = read("x,y,z\n1,,3\n4,5,6\n", "a.txt", {empty = "nan"})
    ok(holes.y[1] ~= holes.y[1] and holes.count == 2)
end)

case("PTS: a line with the number of points, which is checked", function()
    same(read("3\n1 -2 3\n-5 6 7\n0 0 -9\n", "a.pts"), false)
    same(read("//X Y Z Intensity\r\n3\r\n1 -2 3 40\r\n-5 6 7 80\r\n0 0 -9 100\r\n", "a.txt"), true)
    equal(read("4\n1 -2 3\n-5 6 7\n0 0 -9\n", "a.pts").notes,
        {"its first line announces 4 points, and 3 are there"})
    refused("a.pts:4:3: f64 takes a number", "3\n1 -2 3\n-5 6 7\n0 x -9\n", "a.pts")
end)

case("raw: four or five floats a point, by the size or by what they are", function()
    local function floats(width, count, last)
        local out = {}
        for i = 1, count do
            for c = 1, width - 1 do out[#out + 1] = ("<f"):pack(i + c / 8) end
            out[#out + 1] = ("<f"):pack(last(i))
        end
        return table.concat(out)
    end
    local ring, intensity = function(i) return i % 32 end, function(i) return (i % 10) / 10 end
    equal({read(floats(5, 3, ring), "a.bin").count, read(floats(4, 3, intensity), "a.bin").count}, {3, 3})
    local cloud = read(floats(5, 20, ring), "a.pcd.bin")
    equal({cloud.count, #cloud.fields, cloud.value[1]}, {20, 5, 1.5})
    equal(read(floats(4, 20, intensity), "a.bin").count, 20)
    equal(read(floats(4, 20, ring), "a.bin").count, 20)
    refused("a.bin: its 320 bytes are points of 4 float32 (x y z intensity: KITTI) as well as of 5", ("\0"):rep(320),
        "a.bin")
    equal(read(floats(4, 20, ring), "a.bin", {floats = 5}).count, 16)
    equal(read(floats(4, 20, ring), "a.bin", {floats = 4}).count, 20)
    refused("a.bin: 48 bytes are not a whole number of points of 5", floats(4, 3, ring), "a.bin", {floats = 5})
end)

case("npy: an array of points", function()
    local function npy(descr, shape, order, data)
        local head = ("{'descr': '%s', 'fortran_order': %s, 'shape': (%s)}\n"):format(descr, order, shape)
        return "\x93NUMPY\1\0" .. ("<I2"):pack(#head) .. head .. data
    end
    local by_row, by_column = {}, {}
    for i, row in ipairs(rows) do
        by_row[i] = ("<dddd"):pack(table.unpack(row))
        for c = 1, 4 do by_column[(c - 1) * 3 + i] = (">f"):pack(row[c]) end
    end
    same(read(npy("<f8", "3, 4", "False", table.concat(by_row)), "a.npy", {value = "4"}), true)
    same(read(npy(">f4", "3, 4", "True", table.concat(by_column)), "a.npy", {value = "4"}), true)
    refused("a.npy: the array is f64[12]; points are [N,3] or wider", npy("<f8", "12,", "False",
        table.concat(by_row)), "a.npy")
    refused("a.npy: byte 158: the file is cut short", npy("<f8", "3, 4", "False", table.concat(by_row):sub(1, 90)),
        "a.npy")
end)

case("formats that are not read are named", function()
    local las = "LASF" .. ("\0"):rep(100)
    refused("a.las: this is a LAS file; convert it: pdal translate", las .. "\3", "a.las")
    refused("a.laz: this is a LAZ file", las .. "\131", "a.laz")
    refused("a: this is an E57 file", "ASTM-E57\0", "a")
    refused("a.obj: this is an OBJ file", "v 1 2 3\n", "a.obj")
    refused("a.STL: this is an STL file", ("\0"):rep(84), "a.STL")
    refused("a.ptx: this is a PTX scan", "2\n2\n0 0 0\n", "a.ptx")
    refused("a.ply.gz: this is compressed by gzip", "\x1f\x8b\8\0", "a.ply.gz")
    refused("a.txt: the text is UTF-16; save it as UTF-8", "\xff\xfe1\0", "a.txt")
end)

case("files that are empty, without a point, or not what their ending says", function()
    for _, label in ipairs {"a.bin", "a.xyz", "a"} do
        refused(label .. ": the file is empty", "", label)
    end
    refused("a: the file is empty", "", "a", {raw = {"x", "y", "z"}})
    refused("a.ply: the file is empty; a PLY file begins with the lines 'ply',", "", "a.ply")
    refused("a.PLY:1: the beginning of the file does not match its extension; a PLY file begins", "1 2 3\n", "a.PLY")
    refused("a.pcd:1: the beginning of the file does not match its extension; a PCD file begins", "1 2 3\n", "a.pcd")
    same(read("1 -2 3\n-5 6 7\n0 0 -9\n", "a.ply.txt"), false)
    refused("a.xyz: there is no point in it", "# x y z\n\n", "a.xyz")
    local floats = ("<fff"):pack(0.5, 1, 2)
    refused("a.raw: the file is not text, and begins like none of the other formats; float32 numbers are read with " ..
        "--raw FIELD", floats, "a.raw")
    refused("are read with --raw", "\xc3\xf5\x48\x40", "a") -- a float32 without a control character
    equal(read(floats, "a.raw", {raw = {"x", "y", "z"}}).count, 1)
    local no_points = "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\n" ..
        "property float z\nend_header\n"
    equal(read(no_points, "a.ply").count, 0)
end)

test.finish()
