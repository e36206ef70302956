-- Point clouds by name: scans that a package installs, read from its archive, and a generated street.
--
--   local cloud, message = scans.load("building")       -- as points.decode, and about: its description and origin
--   local cloud = scans.find("building")                -- the same; the street if it is not installed
--
-- The Debian package libcgal-demo has the scans in an archive, from which tar unpacks one into a pipe in a third of a
-- second, so nothing is written to disk. By its copyright file, CGAL's files without a notice of their own, like these,
-- fall under Creative Commons CC0 1.0. Nothing of them is part of heddle.
local home = require "heddle.kit.home"
local lidar = require "heddle.points.lidar"
local lists = require "heddle.kit.lists"
local points = require "heddle.points.cloud"

local scans = {}

scans.archive = "/usr/share/doc/libcgal-dev/data.tar.gz" -- libcgal-demo 5.5.1
scans.package = "libcgal-demo"

scans.rows = {
    {name = "building", member = "building.ply", doc = "laser scan of a building"},
    {name = "b9", member = "b9_training.ply", doc = "laser scan of a town from above"},
    {name = "poste_france", member = "poste_france.xyz", doc = "laser scan of a building"},
    {name = "kitten", member = "kitten.xyz", doc = "scanned figure"},
    {name = "hippo", member = "hippo1.ply", doc = "scanned figure"},
    {name = "oni", member = "oni.ply", doc = "scanned figure"},
    {name = "street", doc = "generated street, seen by a scanner of 64 rings"},
}

scans.by_name = lists.by(scans.rows, "name")

-- The bytes of a scan's file, or nil.
local function unpack_member(row, archive)
    local pipe = io.popen(("tar -xzOf '%s' 'data/points_3/%s' 2>/dev/null"):format(archive, row.member), "r")
    local bytes = pipe and pipe:read "a"
    local whole = pipe and pipe:close()
    return whole and bytes
end

-- The cloud of that name, or nil and a message. Options: value, the field that becomes the value; archive, another path
-- of the archive.
function scans.load(name, options)
    local row, archive = scans.by_name[name], options and options.archive or home.packaged(scans.archive)
    if not row then
        return nil, ("there is no scan '%s'"):format(name)
    elseif not row.member then
        local cloud = lidar.scan {seed = 1}
        cloud.about = row.doc
        return cloud
    end
    local bytes = unpack_member(row, archive)
    if not bytes then
        return nil, ("the scan '%s' is not installed; the package %s has it"):format(name, scans.package)
    end
    local cloud, message = points.decode(bytes, row.member, {value = options and options.value})
    if cloud then
        cloud.about = ("%s (%s of %s)"):format(row.doc, row.member, scans.package)
    end
    return cloud, message
end

-- The cloud of that name, or the generated street where it is not installed, as noted in about.
function scans.find(name, options)
    local cloud, message = scans.load(name, options)
    if not cloud then
        cloud = scans.load "street"
        cloud.about = ("%s (%s)"):format(cloud.about, message)
    end
    return cloud
end

return scans
