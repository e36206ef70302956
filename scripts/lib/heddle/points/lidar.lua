-- A generated street as a scanner with rotating rings sees it, for hosts without a recorded scan.
--
--   local cloud = lidar.scan{seed = 1}            -- {count, x, y, z, value}: metres, the sensor at 0; intensity 0 to 1
--
-- The sensor looks like the one of the KITTI recordings (Geiger et al., 2013: 64 rings from 2 degrees above to 24.8
-- below the horizon, 1.73 m above the ground, 120 m of range), with fewer steps to a turn. Each ray ends on the nearest
-- surface: a flat ground or one of the boxes, which are house fronts, cars and poles of a street along x. Ranges have
-- an error of up to 2 cm, and rays that return little light are lost. Not modelled: curved surfaces, trees, several
-- returns, the motion of the car. In voxels of 0.2 x 0.2 x 0.4 m, 70 x 80 x 4 m before the car, the default has 0.43 %
-- active and 27 % of their windows of 3 x 3 x 3; the source documents report 0.32 % and 29 % of a recorded scan.
--
-- Only sums, products, quotients and roots of binary64 are used, which are the same on every host.
local random = require "heddle.kit.random"

local lidar = {}

local RINGS, STEPS = 64, 720       -- of elevation, of a turn
local TOP, BOTTOM = 2.0, -24.8     -- degrees
local GROUND, RANGE = -1.73, 120.0 -- metres
local NOISE = 0.02                 -- metres, at most

-- Sine and cosine of an angle from -pi/4 to pi/4, by their series; the first omitted term is below 2^-58.
local function series(a)
    local s, c, term = 0.0, 0.0, 1.0
    for n = 0, 17 do
        if n % 2 == 0 then
            c = c + (n % 4 == 0 and term or -term)
        else
            s = s + (n % 4 == 1 and term or -term)
        end
        term = term * a / (n + 1)
    end
    return s, c
end

-- Sine and cosine of `turns` turns.
local function sine(turns)
    local quarter = math.floor(turns * 4 + 0.5)
    local s, c = series((turns * 4 - quarter) * (math.pi / 2))
    if quarter % 2 == 1 then
        s, c = c, -s
    end
    if quarter % 4 >= 2 then
        s, c = -s, -c
    end
    return s, c
end

-- Boxes {x0, y0, z0, x1, y1, z1, reflectance} of the street: houses with gaps on both sides, cars at the kerbs, poles.
local function street(r)
    local boxes = {}
    local function box(x, y, length, width, height, reflectance)
        boxes[#boxes + 1] = {x, y, GROUND, x + length, y + width, GROUND + height, reflectance}
    end
    for _, side in ipairs {-1, 1} do
        local x = -60.0
        while x < 60 do
            local length = 10 + 8 * r:unit()
            box(x, side == 1 and 9 + r:unit() or -19 - r:unit(), length, 10.0, 6 + 8 * r:unit(), 0.5)
            x = x + length + (r:below(3) == 0 and 4.0 or 0.0)
        end
        x = -45.0
        while x < 45 do
            if r:below(3) > 0 and math.abs(x) > 4 then
                box(x, side * 5.5 - 0.9, 4 + r:unit(), 1.8, 1.4 + 0.4 * r:unit(), 0.3 + 0.4 * r:unit())
            end
            x = x + 6.5
        end
        for i = -2, 2 do
            box(i * 20.0 + 1.5, side * 7.2, 0.2, 0.2, 5.0, 0.8)
        end
    end
    return boxes
end

-- Finds where a ray from 0 along (dx, dy, dz) enters the box before the distance `to`: distance and cosine of the angle
-- to the face, or nil.
local function enter(b, dx, dy, dz, to)
    local from, cosine = 0.0, nil
    for axis = 1, 3 do
        local d = axis == 1 and dx or axis == 2 and dy or dz
        local near, far = b[axis], b[axis + 3]
        if d < 0 then
            near, far = far, near
        end
        if d ~= 0 then
            near, far = near / d, far / d
            if near > from then
                from, cosine = near, d < 0 and -d or d
            end
            to = far < to and far or to
            if from > to then -- most boxes end at their first side: a street takes 0.4 s in place of 1.0
                return nil
            end
        elseif near > 0 or far < 0 then
            return nil
        end
    end
    return cosine and from or nil, cosine
end

-- The first surface on a ray: distance, cosine, reflectance.
local function cast(boxes, dx, dy, dz)
    local best, cosine, reflectance = RANGE, nil, nil
    if dz < 0 and GROUND / dz < best then
        best, cosine, reflectance = GROUND / dz, -dz, 0.2
    end
    for _, b in ipairs(boxes) do
        local at, c = enter(b, dx, dy, dz, best)
        if at and at < best then
            best, cosine, reflectance = at, c, b[7]
        end
    end
    return cosine and best, cosine, reflectance
end

-- The points of one turn. Options: seed (0), rings (64), steps (720), boxes (a list as of street; nil: a street).
function lidar.scan(options)
    local o = options or {}
    local r, rings, steps = random.new(o.seed), o.rings or RINGS, o.steps or STEPS
    local boxes, cloud = o.boxes or street(r), {count = 0, x = {}, y = {}, z = {}, value = {}}
    cloud.format, cloud.fields, cloud.value_name = "generated", {"x", "y", "z", "intensity"}, "intensity"
    local turn = {}
    for step = 0, steps - 1 do
        turn[step] = {sine(step / steps)}
    end
    for ring = 0, rings - 1 do
        local up, level = sine((TOP + (BOTTOM - TOP) * ring / math.max(1, rings - 1)) / 360)
        for step = 0, steps - 1 do
            local side, ahead = table.unpack(turn[step])
            local dx, dy, dz = level * ahead, level * side, up
            local far, cosine, reflectance = cast(boxes, dx, dy, dz)
            local error, lost = NOISE * (2 * r:unit() - 1), r:unit()
            -- The returned light decreases with the angle to the surface; where it is least, a tenth of the rays is
            -- lost.
            if far and lost < 0.9 + 2 * cosine * reflectance then
                local n = cloud.count + 1
                cloud.count, far = n, far + error
                cloud.x[n], cloud.y[n], cloud.z[n] = far * dx, far * dy, far * dz
                cloud.value[n] = math.floor(255 * reflectance * math.sqrt(cosine) + 0.5) / 255
            end
        end
    end
    return cloud
end

return lidar
