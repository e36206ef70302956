-- Pictures by gnuplot: NAME.dat (the numbers), NAME.gp (how they are drawn) and NAME.svg in a folder.
--
--   local folder = plot.folder "pictures"                        made if it is not there
--   folder:lines("speed", {title = "...", x = "L", y = "speed-up", log = 2, log_y = 10, line = 1,
--       series = {{"words", {{64, 0.9}, {128, 1.1}}}, {"bits", {...}}}})
--                                            log, log_y: bases of logarithmic axes; line: a level to compare with; a
--                                            series {name, points, 1} has the colour of the first, and is dotted
--   folder:bars("bytes", {title = "...", y = "bytes", names = {"bool", "words"},
--       series = {{"x", {2, 2}}, {"mask", {1, 0.125}}}})          stacked: one bar for each name
--   study.print(folder:finish())                                  a sentence that lists the files
--
-- Without gnuplot the .dat and .gp files are written, and the sentence names the package to install: `gnuplot NAME.gp`
-- draws them later. A picture depends on its two files alone, so both can be edited.
local heddle = require "heddle"
local lists = require "heddle.kit.lists"
local study = require "heddle.kit.study"

local plot = {}
plot.__index = plot

-- Colours that are distinguishable with any colour vision and in greyscale (Okabe and Ito's palette, with grey instead
-- of yellow, which is invisible in thin lines on white).
local COLOURS <const> = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"}

-- Overlapping lines stay visible: each is thinner than those drawn before it, with smaller points and another dash
-- pattern.
local DASHES <const> = {"1", "(9,4)", "(16,5)", "(9,3,3,3)"}
local DOTS <const> = "(2,3)"
local POINTS <const> = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10} -- circle, square, triangles, diamond: filled, then open
local WIDEST <const>, THINNEST <const> = 5.0, 1.5

local function shell_quote(text)
    return "'" .. text:gsub("'", "'\\''") .. "'"
end

-- A name in a gnuplot script or data file.
local function quote(text)
    return '"' .. text:gsub('[\\"]', "\\%0") .. '"'
end

-- The folder, created if necessary. An unusable one ends the study before anything is measured.
function plot.folder(path)
    local quoted = shell_quote(path)
    if not os.execute("command -v mkdir >/dev/null") and not os.execute("test -d " .. quoted) then
        study.refuse("--plot: %s does not exist, and there is no mkdir in PATH to create it", path)
    elseif not os.execute(("{ test -d %s || mkdir -p -- %s 2>/dev/null; } && " ..
        "test -d %s -a -w %s"):format(quoted, quoted, quoted, quoted)) then
        study.refuse("--plot: %s is not a writable folder and cannot be created", path)
    end
    return setmetatable({path = path, names = {}, drawn = 0}, plot)
end

-- The files that a picture of that name is made of.
function plot:files(name)
    return lists.map({"dat", "gp", "svg"}, function(kind) return ("%s/%s.%s"):format(self.path, name, kind) end)
end

local function number(v)
    return v and (("%.9g"):format(v):gsub(",", ".")) or "NaN"
end

-- Writes the files of a picture: lines of data, and those of the script, of which the last draws `parts`.
local function write(self, name, data, spec, lines, parts)
    local script = {
        "# gnuplot " .. name .. ".gp",
        "set terminal svg size 900,540 dynamic enhanced font 'sans,14' background rgb 'white'",
        ("set output %s"):format(quote(name .. ".svg")),
        ("set title %s noenhanced"):format(quote(spec.title)),
        ("set ylabel %s noenhanced"):format(quote(spec.y)),
        "set key outside right top noenhanced",
        "set grid ytics linecolor rgb '#cccccc'",
        "set border 3",
        "set tics nomirror",
    }
    lists.append(script, lists.map(COLOURS, function(colour, i)
        return ("set linetype %d linecolor rgb '%s'"):format(i, colour)
    end))
    lists.append(script, lines)
    parts[1] = quote(name .. ".dat") .. parts[1]
    script[#script + 1] = "plot " .. table.concat(parts, ', \\\n     ""') .. "\n"
    local files = self:files(name)
    heddle.write(files[1], table.concat(data, "\n") .. "\n")
    heddle.write(files[2], table.concat(script, "\n"))
    self.names[#self.names + 1] = name
end

-- The style of each line.
local function styles(series)
    local list, colours, own = {}, {}, 0
    for i, one in ipairs(series) do
        own = own + (one[3] and 0 or 1)
        colours[i] = one[3] and colours[one[3]] or (own - 1) % #COLOURS + 1
        local width = #series > 1 and WIDEST - (WIDEST - THINNEST) * (i - 1) / (#series - 1) or THINNEST
        list[i] = ("linetype %d linewidth %s dashtype %s pointtype %d pointsize %s"):format(colours[i], number(width),
            one[3] and DOTS or DASHES[(own - 1) % #DASHES + 1], POINTS[(i - 1) % #POINTS + 1],
            number(0.5 + 0.15 * width))
    end
    return list
end

-- Lines with points; each series is a block of the data file.
function plot:lines(name, spec)
    local data, drawn = {}, styles(spec.series)
    for i, series in ipairs(spec.series) do
        data[#data + 1] = (i > 1 and "\n" or "") .. "# " .. series[1]
        for _, point in ipairs(series[2]) do
            data[#data + 1] = number(point[1]) .. " " .. number(point[2])
        end
        data[#data + 1] = ""
    end
    local script = {("set xlabel %s noenhanced"):format(quote(spec.x))}
    script[#script + 1] = spec.log and ("set logscale x %d"):format(spec.log)
    script[#script + 1] = spec.log_y and ("set logscale y %d"):format(spec.log_y)
    script[#script + 1] = spec.line and -- a level to compare with
        ("set arrow from graph 0, first %s to graph 1, first %s nohead linecolor rgb '#888888'"):format(
            number(spec.line), number(spec.line))
    write(self, name, data, spec, script, lists.map(spec.series, function(series, i)
        return (" index %d with linespoints %s title %s"):format(i - 1, drawn[i], quote(series[1]))
    end))
end

-- Stacked bars; a row of the data file for each name, a column for each series.
function plot:bars(name, spec)
    local heads = lists.map(spec.series, function(series) return quote(series[1]) end)
    local data = {"# name " .. table.concat(heads, " ")}
    for k, bar in ipairs(spec.names) do
        data[k + 1] = quote(bar) .. " " ..
            table.concat(lists.map(spec.series, function(series) return number(series[2][k]) end), " ")
    end
    write(self, name, data, spec, {"set style data histograms", "set style histogram rowstacked",
        "set style fill solid border rgb 'white'", "set boxwidth 0.7", "set yrange [0:*]",
        "set xtics rotate by -30 noenhanced"}, lists.map(heads, function(head, i)
        return (" using %d%s linetype %d title %s"):format(i + 1, i == 1 and ":xtic(1)" or "", (i - 1) % #COLOURS + 1,
            head)
    end))
end

-- Draws what was written; returns a sentence that lists the files.
function plot:finish()
    local found = os.execute "command -v gnuplot >/dev/null 2>&1"
    for _, name in ipairs(self.names) do
        local svg = ("%s/%s.svg"):format(self.path, name)
        os.remove(svg) -- of another run: no old picture beside new numbers
        if found then
            local pipe = assert(io.popen(("cd -- %s && gnuplot %s 2>&1 </dev/null"):format(shell_quote(self.path),
                shell_quote(name .. ".gp"))))
            local output = pipe:read "a"
            if not pipe:close() then
                os.remove(svg)
                study.refuse("%s/%s.gp: gnuplot could not draw it: %s", self.path, name, output:gsub("%s+", " "))
            end
        end
    end
    local files = table.concat(self.names, ", ")
    if found then
        return ("%s: drew %s (.svg, from .dat and .gp)"):format(self.path, files)
    end
    return ("%s: wrote %s (.dat and .gp); for pictures install gnuplot (apt-get install gnuplot-nox) and run " ..
        "'gnuplot *.gp' there"):format(self.path, files)
end

return plot
