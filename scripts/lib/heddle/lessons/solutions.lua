-- Solutions of a lesson: rows of tests/lessons/NN-name/solutions.lua, or of solutions.lua in the folder of one's own,
--
--     {the gate that fails, or "passed"; words of the reason; changes ...; from = "starter"}
--
-- A change of the reference, or of the kernel to begin with, is {text, what takes its place} or {first text, last text,
-- what takes the place of all from one to the other}. The first text occurs once.
local lessons = require "heddle.lessons.lessons"
local expectations = require "heddle.cases.expectations"

local solutions = {}

local function changed(text, change)
    local from, to = text:find(change[1], 1, true)
    assert(from and not text:find(change[1], to, true), ("'%s' is not there once"):format(change[1]))
    if #change == 3 then
        local _, last = text:find(change[2], to + 1, true)
        to = assert(last, change[2])
    end
    return text:sub(1, from - 1) .. change[#change] .. text:sub(to + 1)
end

function solutions.path(lesson)
    return lesson.folder and lesson.folder .. "/solutions.lua" or "tests/lessons/" .. lesson.name .. "/solutions.lua"
end

-- Returns a list of {gate, words, text}.
function solutions.of(lesson)
    local list = {}
    for i, row in ipairs(assert(loadfile(solutions.path(lesson), "t", lesson.folder and {} or _ENV))()) do
        local text = expectations.text(lessons.path(lesson, row.from or "reference"))
        for k = 3, #row do
            text = changed(text, row[k])
        end
        list[i] = {gate = row[1], words = row[2], text = text}
    end
    return list
end

return solutions
