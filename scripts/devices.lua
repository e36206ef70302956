-- Prints the memory devices that ship as Markdown: a table of what each makes of a board, and their sources.
--   heddle lua scripts/devices.lua
local heddle = require "heddle"

-- Keys of a board, and their columns: times are printed in ns.
local TIMES = {{"rcd", "dram.rcd"}, {"rp", "dram.rp"}, {"ras", "dram.ras"}, {"rrd_s", "dram.rrd_s"},
    {"faw", "dram.faw"}, {"cl", "dram.cl"}, {"wtr", "dram.wtr"}, {"rtw", "dram.rtw"}, {"refi", "dram.refi"},
    {"rfc", "dram.rfc"}, {"rfc_bank", "dram.rfc_bank"}}
local MARKS = {datasheet = "d", standard = "s", vendor = "v", card = "c", preset = "p", estimate = "e", derived = "r",
    assumed = "a"}

local function lines_of(name)
    return assert(io.open("configs/devices/" .. name .. ".yaml")):lines()
end

local head = {"device", "what", "MHz"}
for _, time in ipairs(TIMES) do
    head[#head + 1] = time[1]
end
head[#head + 1] = "pJ/bit"
print("| " .. table.concat(head, " | ") .. " |")
print(("|---"):rep(#head) .. "|")
for _, name in ipairs(heddle.devices()) do
    local ctx, origin, value = heddle.new(), {}, {}
    ctx:board(nil, {["dram.device"] = name, ["l2.slices"] = 2})
    for _, v in ipairs(ctx:values()) do
        origin[v.key], value[v.key] = v.origin, v.value
    end
    local first = lines_of(name)():gsub("^# ", "")
    local row = {"`" .. name .. "`", first, ("%d"):format(value["dram.clock_mhz"])}
    for _, time in ipairs(TIMES) do
        local ns = value[time[2]] * 1000 / value["dram.clock_mhz"]
        row[#row + 1] = ("%.4g %s"):format(ns, MARKS[origin[time[2]]:match ", (%a+)$"])
    end
    local energy = origin["energy.dram"]:match ", (%a+)$"
    row[#row + 1] = energy and ("%.3g %s"):format(value["energy.dram"] / value["dram.burst_bytes"] / 8, MARKS[energy])
        or "-"
    print("| " .. table.concat(row, " | ") .. " |")
end

print "\nSources, as the files have them:\n"
for _, name in ipairs(heddle.devices()) do
    local list, base, inside = {}, nil, false
    for line in lines_of(name) do
        base = line:match "^base: (%S+)" or base
        inside = line == "sources:" or inside and line:find "^  " ~= nil
        local key, text = line:match "^  ([%w_.-]+): \"(.*)\"$"
        if inside and key then
            list[#list + 1] = ("%s: %s"):format(key, text)
        end
    end
    if base then
        table.insert(list, 1, "times of `" .. base .. "` in ns")
    end
    print(("- `%s`: %s"):format(name, table.concat(list, "; ")))
end
