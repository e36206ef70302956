-- Variants: sizes, data and the prediction of a lesson, drawn for a student by a name, the seed (heddle lesson --seed).
--
--   local number = variant.numbers "text"              another number at each call; they follow from the text
--   variant.draw(lesson.drawn, number)                 arguments by name
--   local mine = variant.prediction(lesson, "ada")     {args = {n = 251}, warp = 32}; nil: it is the same for everyone
--   variant.starter(lesson, "ada")                     the kernel to begin with, with a case of one's own
local expectations = require "heddle.cases.expectations"
local lessons = require "heddle.lessons.lessons"
local random = require "heddle.kit.random"

local variant = {}

function variant.numbers(text)
    local state = random.hash(text)
    return function()
        state = state * 1664525 + 1013904223 & 0xffffffff
        return state >> 8
    end
end

-- Draws arguments of ranges {NAME, LEAST, MOST, STEP}.
function variant.draw(ranges, number)
    local args = {}
    for _, row in ipairs(ranges) do
        local name, least, most, step = table.unpack(row)
        args[name] = least + number() % ((most - least) // step + 1) * step
    end
    return args
end

function variant.prediction(lesson, seed)
    local ask, number = lesson.prediction, variant.numbers(("%s, prediction of %d"):format(seed, lesson.number))
    if not ask.drawn and not ask.warps then
        return nil
    end
    local args = variant.draw(ask.drawn or {}, number)
    return {args = args, warp = ask.warps and ask.warps[number() % #ask.warps + 1] or ask.warp}
end

-- Names the functions of the reference so that the kernel to begin with keeps its own.
local function renamed(text)
    local own = {}
    for name in text:gmatch "function ([%w_]+)%(" do
        own[name] = "own_" .. name
    end
    return (text:gsub("([%a_][%w_]*)%(", function(name) return own[name] and own[name] .. "(" end))
end

-- The last case of the reference with drawn sizes and data, as lines.
local function own_case(lesson, seed)
    local number, lines, run = variant.numbers(("%s, case of %d"):format(seed, lesson.number)), {}, nil
    local args = variant.draw(lesson.drawn, number)
    for line in expectations.text(lessons.path(lesson, "reference")):gmatch "[^\n]+" do
        if line:find "^;! run " then
            run = {line .. " name=own"}
        elseif line:find "^;! lua " and not run then
            lines[#lines + 1] = line:gsub("^;! lua seed = 0$", ";! lua seed = " .. number())
        elseif line:find "^;! arg " then
            run[#run + 1] = line:gsub("([%w_]+)=[%d]+", function(name)
                return args[name] and ("%s=%d"):format(name, args[name])
            end)
        elseif run and line:find "^;! " then
            run[#run + 1] = line
        end
    end
    return renamed(table.concat(lines, "\n") .. "\n" .. table.concat(run, "\n") .. "\n")
end

-- A lesson on names has no such case, since that would hold the right ones.
function variant.starter(lesson, seed)
    local text = expectations.text(lessons.path(lesson, "starter"))
    return seed and not lesson.named and ("%s\n; A case with sizes and data that are drawn for %s:\n;\n%s"):format(text,
        seed:gsub("%c", "?"), own_case(lesson, seed)) or text
end

return variant
