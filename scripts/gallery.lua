-- Draws the pictures of docs/gallery.md into docs/pictures/ with gnuplot, and prints the part of the page about them.
--
--   heddle lua scripts/gallery.lua
--
-- With DOCS_CHECK in the environment nothing is written, and a picture that would change is an error. Where gnuplot is
-- missing, or is of another version than the one that drew a picture, the picture stays.
local heddle = require "heddle"

local FOLDER <const> = "docs/pictures/"
local CHECK <const> = (os.getenv "DOCS_CHECK" or "") ~= ""

-- The pictures: title, what to see, commands before, the command that draws, and the file of its --plot.
local PICTURES <const> = {
    {"A packed mask against a boolean one",
        "Methods of filling where a mask is true, as times the speed of byte loads. Vector loads of the same bytes\n" ..
        "(`bool-vector`) win most where masks are small; packed words come near them only on large ones.", {},
        "study mask --brief --text made --length 16 --length 32 --length 64 --length 128 --length 256 " ..
        "--elements 32768",
        "mask-a100-speed-up"},
    {"Where sparsity pays",
        "The cost of a convolution by its share of active windows. Dense methods (`dense-direct`, `im2col`,\n" ..
        "`implicit`) cost the same at every density; the rulebook's grows with it, and the input is too small for\n" ..
        "unfolding to win.",
        {'make x.npy "f32[1,2,24,24]:expr:(i * 7919 // 16 % 13) // 12"', 'make w.npy "f32[4,2,3,3]:expr:i % 5"'},
        "study spconv --x x.npy --weight w.npy --crossover", "spconv-a100-this-shape-cycles"},
    {"What the bytes are",
        "DRAM traffic of the same convolution by tensor: the unfolded matrix of `im2col` is most of what moves,\n" ..
        "which gathering in place (`implicit`) avoids.", nil, nil, "spconv-a100-bytes"},
}

-- A file, with blanks as the repository has them.
local function read(path)
    local file <close> = io.open(path, "rb")
    return file and (file:read "a":gsub("\t", "  "):gsub(" +\n", "\n"))
end

local function run(folder, command)
    assert(os.execute(("cd %s && heddle %s >out 2>&1 || { cat out >&2; exit 1; }"):format(folder, command)), command)
end

-- Which gnuplot drew it; nil where none did.
local function drawn_by(svg)
    return svg and svg:match "<desc>([^<]*)</desc>"
end

-- Puts a picture into the folder, or says that the one there is another.
local function keep(name, svg)
    local path = FOLDER .. name .. ".svg"
    local old = read(path)
    if not svg or svg == old or old and drawn_by(old) ~= drawn_by(svg) then
        return
    end
    if CHECK then
        io.stderr:write(path, " is not what its command draws: run 'make docs'\n")
        os.exit(1)
    end
    heddle.write(path, svg)
end

local folder = os.tmpname()
os.remove(folder)
assert(os.execute("mkdir " .. folder))
local _ <close> = setmetatable({}, {__close = function() os.execute("rm -r " .. folder) end})
for _, picture in ipairs(PICTURES) do
    local title, about, before, draw, name = table.unpack(picture, 1, 5)
    local lines = {}
    for _, command in ipairs(before or {}) do
        run(folder, command)
        lines[#lines + 1] = "heddle " .. command
    end
    if draw then
        run(folder, draw .. " --plot pictures")
        lines[#lines + 1] = "heddle " .. draw .. " --plot pictures"
    end
    keep(name, read(("%s/pictures/%s.svg"):format(folder, name)))
    print(("## %s\n\n%s\n"):format(title, about))
    if #lines > 0 then
        print("```sh\n" .. table.concat(lines, "\n") .. "\n```\n")
    end
    print(("![%s](pictures/%s.svg)\n"):format(title, name))
end
