-- Draws the pictures of docs/gallery.md into docs/pictures/, and prints the part of the page about them.
--
--   heddle lua scripts/gallery.lua
--
-- A picture holds its title and its data: where these are what its command gives, it stays. Another one is saved from
-- the page by a browser (scripts/setup.sh browser); with DOCS_CHECK in the environment nothing is written, and it is an
-- error.
local CHECK <const> = (os.getenv "DOCS_CHECK" or "") ~= ""

-- The pictures: title, what to see, commands before, the command that draws, and which of its figures.
local PICTURES <const> = {
    {"A packed mask against a boolean one",
        "Methods of filling where a mask is true, as times the speed of byte loads. Bits in the order of the rows,\n" ..
        "read by vectors (`bits-vector`), are fastest at every size; the proposed words pass vector loads of\n" ..
        "booleans (`bool-vector`) only on large masks.", {},
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

local function read(path)
    local file <close> = io.open(path, "rb")
    return file and file:read "a"
end

local function run(folder, command)
    assert(os.execute(("cd %s && heddle %s >out 2>&1 || { cat out >&2; exit 1; }"):format(folder, command)), command)
end

-- Title and data of a figure on a page, and of a picture that was saved of it.
local function on_page(page, id)
    return page:match(('<figure id="%s">.-<h3>(.-)</h3>.-<script [^>]*>(.-)</script>'):format(id:gsub("%-", "%%-")))
end

local function of_picture(svg)
    return (svg or ""):match "<title>(.-)</title>.-<metadata>(.-)</metadata>"
end

-- Draws a figure of the page, or reports that the existing picture differs.
local function keep(page, id)
    local path = ("docs/pictures/%s.svg"):format(id)
    local title, data = on_page(assert(read(page)), id)
    local old_title, old_data = of_picture(read(path))
    if title == old_title and data == old_data then
        return
    elseif CHECK then
        io.stderr:write(path, " is not what its command draws: run 'make docs'\n")
        os.exit(1)
    end
    assert(os.execute(("node scripts/report/save.js %s light %s=%s"):format(page, id, path)),
        "no browser draws it; 'scripts/setup.sh browser' installs one")
end

local folder = os.tmpname()
os.remove(folder)
assert(os.execute("mkdir " .. folder))
local _ <close> = setmetatable({}, {__close = function() os.execute("rm -r " .. folder) end})
for _, picture in ipairs(PICTURES) do
    local title, about, before, draw, id = table.unpack(picture, 1, 5)
    local lines = {}
    for _, command in ipairs(before or {}) do
        run(folder, command)
        lines[#lines + 1] = "heddle " .. command
    end
    if draw then
        run(folder, draw .. " --plot page.html")
        lines[#lines + 1] = "heddle " .. draw .. " --plot page.html"
    end
    keep(folder .. "/page.html", id)
    print(("## %s\n\n%s\n"):format(title, about))
    if #lines > 0 then
        print("```sh\n" .. table.concat(lines, "\n") .. "\n```\n")
    end
    print(("![%s](pictures/%s.svg)\n"):format(title, id))
end
