-- Paths of heddle's own files, derived from the path of this one: home.path "kernels/reorder/transit1.hd".
local heddle = require "heddle"

local home = {}

local source = debug.getinfo(1, "S").source
local root = source:match("^@(.*)scripts/lib/heddle/kit/home%.lua$") or ""

function home.path(name)
    return root .. name
end

-- A file of a package of Debian: where the package is installed, or where scripts/setup.sh has unpacked it.
function home.packaged(name)
    for _, path in ipairs {name, root .. "build/packages" .. name} do
        if heddle.path(path) then
            return path
        end
    end
    return name
end

return home
