-- Questions of a skeptic, or of the idea's owner, about a claim: the methods that answer each, and those left out.
--
--   questions.check("mask", rows, {"words", "bool-vector"})      rows of heddle.claims.judge; names of the methods
--
-- A row has questions = {{question = "How would one do this in one launch, without the idea?", answer = {"bool-wide"},
-- left_out = "a kernel of texture fetches, because boards have none"}, ...}: an answer, what was left out and why, or
-- both.
local lists = require "heddle.kit.lists"

local questions = {}

local FIELDS <const> = lists.set {"question", "answer", "left_out"}

-- Finds what is wrong with a question; nil where nothing is.
local function wrong(one, known)
    for key in pairs(one) do
        if not FIELDS[key] then
            return ("has a field '%s'; expected question, answer or left_out"):format(key)
        end
    end
    if type(one.question) ~= "string" or not one.question:find "%?$" then
        return "is no text that ends in a question mark"
    elseif #(one.answer or {}) == 0 and not one.left_out then
        return "has neither an answer, a list of methods, nor left_out"
    elseif one.left_out and not one.left_out:find "because%s" then
        return "leaves something out without 'because' and the reason"
    end
    for _, name in ipairs(one.answer or {}) do
        if not known[name] then
            return ("is answered by '%s', which is no method"):format(name)
        end
    end
    return nil
end

-- Refuses rows with a question that is not whole, or is answered by what is not measured.
function questions.check(study, rows, names)
    local known = lists.set(names)
    for _, row in ipairs(rows) do
        for i, one in ipairs(row.questions or {}) do
            local why = wrong(one, known)
            if why then
                error(("the claim '%s' of study %s: question %d %s"):format(row.id, study, i, why), 2)
            end
        end
    end
end

-- The ids of the rows that lack questions.
function questions.missing(rows)
    return lists.map(rows, function(row) return #(row.questions or {}) == 0 and row.id or nil end)
end

-- A row {claims, question, methods that were tried, what was left out} for each question, whose claims are all the
-- verdicts, or rows, with that question.
function questions.table(list)
    local rows, by = {}, {}
    for _, v in ipairs(list) do
        for _, one in ipairs(v.questions or {}) do
            local tried, left = table.concat(one.answer or {}, ", "), one.left_out or ""
            local key = table.concat({one.question, tried, left}, "\n")
            if not by[key] then
                by[key] = {v.claim, one.question, tried, left}
                rows[#rows + 1] = by[key]
            else
                by[key][1] = by[key][1] .. "; " .. v.claim
            end
        end
    end
    return rows
end

return questions
