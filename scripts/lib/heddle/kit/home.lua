-- Paths of heddle's own files, derived from the path of this one: home.path "kernels/reorder/transit1.hd".
local home = {}

local source = debug.getinfo(1, "S").source
local root = source:match("^@(.*)scripts/lib/heddle/kit/home%.lua$") or ""

function home.path(name)
    return root .. name
end

return home
