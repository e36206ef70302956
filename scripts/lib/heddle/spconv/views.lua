-- Measured rows as claims compare them: that of a method, and for a method that computes every window a second one,
-- "NAME unmasked", without the stages that only make its dense result that of the sparse convolution.
--
--   views.add(rows, "implicit", row)      rows.implicit and rows["implicit unmasked"]; nothing for nil
--   views.between(a, b, 0.25)             the costs of a row between two
--   views.dense["implicit unmasked"]      whether a row is of a method that computes every window
local views = {dense = {}}

for _, name in ipairs {"dense-direct", "im2col", "implicit"} do
    views.dense[name], views.dense[name .. " unmasked"] = true, true
end

local COSTS <const> = {"macs_asked", "macs", "l1_useful", "l2_bytes", "board_bytes", "cycles", "drained",
    "overhead_cycles", "energy"}

local function unmasked(row)
    local out, longest = {}, -1
    for _, key in ipairs(COSTS) do
        out[key] = row[key]
    end
    for _, stage in ipairs(row.stages) do
        for _, key in ipairs(stage.part == "mask" and COSTS or {}) do
            out[key] = out[key] - stage[key]
        end
        if stage.part ~= "mask" and stage.cycles > longest then
            longest, out.limiter = stage.cycles, stage.limiter
        end
    end
    return out
end

function views.add(rows, name, row)
    rows[name] = row or rows[name]
    if row and views.dense[name] then
        rows[name .. " unmasked"] = unmasked(row)
    end
end

function views.between(a, b, share)
    local out = {}
    for _, key in ipairs(COSTS) do
        out[key] = a[key] + (b[key] - a[key]) * share
    end
    return out
end

return views
