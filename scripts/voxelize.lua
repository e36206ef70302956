-- The command `heddle voxelize`: puts the points of a scan into a grid of voxels and writes the dense tensor.
--
--   heddle voxelize scan.ply --grid 64,64,16 -o x.npy
--
-- The command (sim/cli/cmd/voxelize.c) has the options' rows; it passes each as --name or --name=value, the file or
-- scan as --file=value. The work is in scripts/lib/heddle/points/cloud.lua and voxels.lua.
local heddle = require "heddle"
local columns = require "heddle.points.columns"
local lists = require "heddle.kit.lists"
local options = require "heddle.kit.options"
local points = require "heddle.points.cloud"
local report = require "heddle.kit.report"
local scans = require "heddle.points.scans"
local study = require "heddle.kit.study"
local voxels = require "heddle.points.voxels"
local split, entries = options.split, options.entries

local NAME = "heddle voxelize"
local NOT_FOUND = 2 -- ENOENT, as io.open gives it
local SIDE = (1 << 31) - 1 -- most voxels of a side

-- ---- the command line ----

local function read_arguments(...)
    local option = {}
    for _, word in ipairs {...} do
        local name, value = word:match "^%-%-([^=]+)=?(.*)$"
        if not name or option[name] then
            study.refuse(name and "--%s is given twice" or "'%s' is no --name=value", name or word)
        end
        option[name] = value
    end
    return option
end

-- A list of two or three numbers, each read by `read`, or nil when the option is not given.
local function sizes(option, name, what, least, read)
    if not option[name] then
        return nil
    end
    local list = split(option[name])
    if #list < least or #list > 3 then
        study.refuse("--%s: '%s' has %s; expected %s", name, option[name], entries(list), what)
    end
    for i, piece in ipairs(list) do
        list[i] = read(piece)
        if list[i] == nil then
            study.refuse("--%s: entry '%s' cannot be read; expected %s", name, piece, what)
        end
    end
    return list
end

local function whole(text)
    return options.whole(text, 1, SIDE)
end

local function positive(text)
    local v = tonumber(text)
    return v and v > 0 and v < math.huge and v or nil
end

-- "lo:hi", or nothing for the bounds of the points.
local function bound(text)
    if text == "" then
        return false
    end
    local lo, hi = text:match "^([^:]+):([^:]+)$"
    lo, hi = tonumber(lo), tonumber(hi)
    return lo and hi and lo < hi and {lo, hi} or nil
end

local function finite(text)
    local v = tonumber(text)
    return v and v - v == 0 and v or nil
end

-- A number of voxels, or "first:end".
local function part(text)
    local first, last = text:match "^(%d+):(%d+)$"
    if not first then
        return whole(text)
    end
    first, last = options.whole(first, 0, SIDE), options.whole(last, 1, SIDE)
    return first and last and first < last and {first, last} or nil
end

-- Numbers for `sides` sides, one each; where `least` is 1, also one for all of them.
local function for_sides(option, sides, name, what, least, read)
    local list = sizes(option, name, what, least, read)
    if list and #list == 1 then
        return {list[1], list[1], list[1]}
    elseif list and #list ~= sides then
        study.refuse("--%s: '%s' has %s; the grid has %d sides", name, option[name], entries(list), sides)
    end
    return list
end

-- The argument of voxels.grid.
local function wanted_grid(option)
    if option.grid and option.voxel then
        study.refuse("--grid and --voxel: give one of them")
    elseif not option.grid and not option.voxel then
        study.refuse("no grid is given: --grid X,Y,Z is its voxels along each side, --voxel SIZE their size")
    end
    local cells = sizes(option, "grid", "numbers of voxels from 1 to 2147483647, X,Y,Z or, seen from above, X,Y", 2,
        whole)
    local flat = option.birdseye ~= nil or cells ~= nil and #cells == 2
    if cells and #cells == 3 and flat then
        study.refuse("--birdseye: seen from above a grid has two sides; give --grid X,Y")
    end
    local sides, wanted = flat and 2 or 3, {cells = cells, flat = flat}
    wanted.step = for_sides(option, sides, "voxel", "sizes of a voxel above 0: one for all sides, or X,Y,Z", 1,
        positive)
    if option.origin and not option.voxel then
        study.refuse("--origin: it goes with --voxel; the voxels of --grid begin at the bounds")
    end
    wanted.origin = for_sides(option, sides, "origin", "a number for all sides, or X,Y,Z", 1, finite)
    wanted.bounds = sizes(option, "bounds", "lo:hi for x, y and z, lo below hi (nothing: of the points)", 3, bound)
    wanted.crop = for_sides(option, sides, "crop", "numbers of voxels or parts first:end of the grid, X,Y,Z", 2, part)
    return wanted
end

local function names_of(rows)
    return lists.map(rows, function(row) return row.name end)
end

-- The channels, checked against the fields of the cloud; by default occupancy and one more.
local function wanted_channels(option, cloud)
    local list = option.channels and split(option.channels) or {"occupancy", cloud.value and "intensity" or "z"}
    local names = names_of(voxels.channels)
    for _, name in ipairs(list) do
        if not voxels.by_name[name] then
            study.refuse("--channels: '%s' is none of %s%s", name, table.concat(names, ", "),
                options.suggestion(name, names) or "")
        elseif name == "intensity" and not cloud.value then
            study.refuse("--channels: %s has no intensity; its fields are: %s; --intensity names another",
                option.file, columns.list(cloud.fields))
        end
    end
    return list
end

-- ---- input and report ----

-- The cloud of the file, or of a scan by that name.
local function read_cloud(option)
    local file = option.file
    local there, _, code = io.open(file, "rb")
    if there then
        there:close()
    elseif scans.by_name[file] then
        for _, name in ipairs {"raw", "floats", "empty"} do
            if option[name] then
                study.refuse("--%s: it goes with a file", name)
            end
        end
        local cloud, message = scans.load(file, {value = option.intensity})
        return cloud or study.refuse("%s", message), cloud and cloud.about
    end
    if code == NOT_FOUND and file ~= "-" and not file:find "[/.]" then
        local names = names_of(scans.rows)
        study.refuse("%s: there is no such file or scan%s", file,
            options.suggestion(file, names) or "; the scans are " .. table.concat(names, ", "))
    end
    local floats = option.floats and (options.whole(option.floats, 4, 5) or
        study.refuse("--floats: '%s' is neither 4 nor 5", option.floats))
    if option.empty and option.empty ~= "nan" and option.empty ~= "error" then
        study.refuse("--empty: '%s' is neither error nor nan", option.empty)
    end
    local cloud, message = points.read(file, {value = option.intensity, raw = option.raw and split(option.raw),
        floats = floats, empty = option.empty})
    if not cloud then
        study.refuse("%s", message)
    end
    return cloud, file == "-" and "standard input" or file
end

local function each_side(list, form)
    return table.concat(lists.map({"x", "y", "z"}, function(axis, i)
        return ("%s " .. form):format(axis, table.unpack(list[i]))
    end), ", ")
end

-- Formats a number with the fewest digits that identify it.
local function exact(v)
    for digits = 6, 17 do
        local text = ("%%.%dg"):format(digits):format(v)
        if tonumber(text) == v then
            return text
        end
    end
end

local function print_origin(option, grid)
    local from, first = {}, {}
    for i = 1, 3 do
        from[i], first[i] = {exact(grid.origin[i])}, {report.count(grid.start[i])}
    end
    local why = option.origin and "--origin" or option.bounds and "the bounds" or "the lowest points"
    study.print(("  origin: %s (%s); a voxel is floor((x - origin) / size)"):format(each_side(from, "%s"), why))
    if option.origin then
        study.print("  first voxel: " .. each_side(first, "%s"))
    end
end

local function print_grid(option, grid)
    local ranges, cells, steps = {}, {}, {}
    for i = 1, 3 do
        ranges[i] = {grid.lo[i], grid.hi[i]}
        cells[i], steps[i] = report.count(grid.cells[i]), ("%.4g"):format(grid.step[i])
    end
    study.print("  bounds: " .. each_side(ranges, "%.10g to %.10g"))
    if option.voxel then
        print_origin(option, grid)
    end
    study.print(("  grid: %s voxels (x, y%s) of %s"):format(table.concat(cells, " x ", 1, grid.flat and 2 or 3),
        grid.flat and "; seen from above" or ", z", table.concat(steps, " x ")))
    local parts, cropped = {}, false
    for i = 1, 3 do
        parts[i] = {report.count(grid.first[i]), report.count(grid.first[i] + grid.count[i])}
        cropped = cropped or grid.count[i] ~= grid.cells[i]
    end
    if cropped then
        study.print("  crop: voxels " .. each_side(parts, "%s:%s"))
    end
end

-- The lines for people.
local function print_report(option, about, cloud, skipped, grid, found, channels)
    study.print(("%s\n  input: %s: %s, %s (%s)"):format(NAME, about, cloud.format,
        report.plural(cloud.count + skipped, "point"), columns.list(cloud.fields)))
    print_grid(option, grid)
    local dropped = lists.map({{skipped, "not finite in fp32"}, {found.outside, "outside the bounds"},
        {found.cropped, "outside the crop"}}, function(row)
        return row[1] > 0 and (", %s %s"):format(report.count(row[1]), row[2]) or nil
    end)
    study.print(("  points: %s used%s"):format(report.count(found.used), table.concat(dropped)))
    if found.rounded > 0 then
        study.print(("  rounded: %s up to a border, less than the precision of the numbers below it"):format(
            report.plural(found.rounded, "point")))
    end
    study.print("  channels: " .. table.concat(channels, ", "))
    local window = grid.flat and "3x3" or "3x3x3"
    local q = found.share and ("; %s of their %s windows' elements (q = %.3f)"):format(report.percent(found.share),
        window, found.share) or ""
    study.print(("  active: %s of %s voxels, %.3g %%%s"):format(report.count(#found.active), report.count(found.cells),
        100 * #found.active / found.cells, q))
    if found.occupied > #found.active then
        study.print(("  note: %s with points are inactive because they are zero in all of these channels; the " ..
            "channel occupancy would keep them"):format(report.plural(found.occupied - #found.active, "voxel")))
    end
end

-- Warns before the tensor is used: lines on standard error, also in JSON.
local function warnings(cloud, skipped, grid, found)
    local list = lists.append({}, cloud.notes)
    for i, axis in ipairs {"x", "y", "z"} do
        if grid.coarse[i] then
            list[#list + 1] = ("%s: numbers as large as these are hardly finer than voxels of %.4g in the file's type")
                :format(axis, grid.step[i])
        end
    end
    if cloud.count + skipped == 0 then
        list[#list + 1] = "the file has no point: the tensor is zero"
    elseif found.used == 0 then
        list[#list + 1] = "no point is used: the tensor is zero"
    end
    return list
end

local function as_json(option, about, cloud, skipped, grid, found, channels)
    local total = cloud.count + skipped
    return heddle.json({
        format = "heddle-voxelize-1", heddle = heddle.version, command = "voxelize", output = option.output,
        input = {name = about, format = cloud.format, fields = heddle.array(cloud.fields),
            intensity = cloud.value_name},
        points = {total = total, used = found.used, not_finite = skipped, outside = found.outside,
            cropped = found.cropped, rounded = found.rounded, most_in_a_voxel = found.most},
        grid = {low = grid.lo, high = grid.hi, voxel = grid.step, cells = grid.cells, first = grid.first,
            count = grid.count, origin = grid.origin, start = grid.start},
        shape = found.shape, channels = channels, voxels = found.cells, occupied = found.occupied,
        active = #found.active, density = #found.active / found.cells, window = grid.flat and "3x3" or "3x3x3",
        window_share = found.share, warnings = heddle.array(warnings(cloud, skipped, grid, found)),
    }, {lossy = true})
end

local function check_output(option)
    if option.output == "" or option.json == "" then
        study.refuse("--%s: a name of a file is needed", option.output == "" and "output" or "json")
    end
    study.outputs(option, {"output", "json"}, {"file", file = "the input file"})
end

-- The names of channels or scans, which a shell completes.
local function print_words(what)
    local rows = what == "channels" and voxels.channels or what == "scans" and scans.rows
    study.print(table.concat(names_of(rows or study.refuse("--words: '%s' is neither channels nor scans", what)), "\n"))
    return true
end

local arguments = {...}
return study.main(NAME, function()
    local option = read_arguments(table.unpack(arguments))
    if option.words then
        return print_words(option.words)
    elseif not option.file then
        study.refuse("no file is given")
    end
    check_output(option)
    local wanted = wanted_grid(option)
    local cloud, about = read_cloud(option)
    local channels = wanted_channels(option, cloud)
    cloud.value = lists.set(channels).intensity and cloud.value or nil
    local skipped = voxels.clean(cloud)
    if cloud.count == 0 and skipped > 0 and not option.bounds then
        study.refuse("%s: none of its %s has finite coordinates in fp32", about, report.plural(skipped, "point"))
    end
    local grid, found, message
    grid, message = voxels.grid(cloud, wanted)
    if grid then
        found, message = voxels.fill(cloud, grid, channels)
    end
    if not found then
        study.refuse("%s: %s", option.file == "-" and "standard input" or option.file, message)
    end
    for _, text in ipairs(warnings(cloud, skipped, grid, found)) do
        io.stderr:write(("%s: warning: %s\n"):format(about, text))
    end
    print_report(option, about, cloud, skipped, grid, found, channels)
    local files = {option.json and {option.json, as_json(option, about, cloud, skipped, grid, found, channels)}}
    if option.output then
        local ctx <close> = heddle.new()
        files[#files + 1] = {option.output, ctx:buffer("x", "f32", found.shape, found.bytes):npy(),
            ("f32[%s]"):format(table.concat(found.shape, ","))}
    end
    study.output(files)
    return true
end)
