-- Numbers of a page as text, as the command's reports print them.
local report = require "heddle.kit.report"

local number = {count = report.count, plural = report.plural}

-- Three digits or, from 1,000 on, a whole number; nil: it is not known.
function number.short(v)
    if not v then
        return "-"
    elseif v >= 999.5 then
        return report.count(v)
    end
    return ((v >= 99.95 or v == 0) and "%.0f" or v >= 9.995 and "%.1f" or "%.2f"):format(v)
end

local function scaled(v, unit, steps)
    local step = steps[#steps]
    for _, s in ipairs(steps) do
        if v >= s[1] then
            step = s
            break
        end
    end
    return v == 0 and "0 " .. unit or ("%s %s%s"):format(number.short(v / step[1]), step[2], unit)
end

local SMALL <const> = {{1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}, {1e-12, "p"}}
local LARGE <const> = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}

-- 9.79e-5, "s" -> "97.9 µs"
function number.small(v, unit)
    return scaled(v, unit, SMALL)
end

-- 16384 -> "16.4 kB"
function number.bytes(v)
    return scaled(v, "B", LARGE)
end

-- In percent already; nil: a share of nothing.
function number.percent(v)
    return v and ("%.1f %%"):format(v) or "-"
end

-- The share of a whole as a percentage; nil where there is no whole.
function number.share(part, whole)
    return whole > 0 and 100 * part / whole or nil
end

return number
