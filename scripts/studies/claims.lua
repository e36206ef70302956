-- Judge the claims of all three source documents on a board, beside another one
--
-- The studies of the claims run at a small size each; the verdicts are theirs. A board of one's own is compared with a
-- known one.
local heddle = require "heddle"
local board = require "heddle.kit.board"
local lists = require "heddle.kit.lists"
local options = require "heddle.kit.options"
local page = require "heddle.kit.page"
local report = require "heddle.kit.report"
local show = require "heddle.claims.show"
local study = require "heddle.kit.study"

local NAME = "heddle study claims"
local USUAL <const> = "a100" -- what a board is compared with

local option = options.parse {
    name = NAME, args = {...},
    summary = "Judges the claims of the three source documents on a board, at a small size, and shows which\n" ..
        "verdicts differ from those on another board.",
    rows = {
        {heading = "Boards"},
        {"board", default = USUAL}, "set",
        {name = "against", value = "BOARD", doc = ("the other board, without --set (%s)"):format(USUAL)},
        "threads",
        {heading = "What is printed and written"},
        {"markdown", doc = "print Markdown"}, "plot", "csv", "html", "json",
    },
}

-- The studies: name, title, seconds that it takes, options, where its result has the verdicts, and their metrics.
local STUDIES <const> = {
    {"reorder", "The reorder in registers", 8, {"--brief"}, function(at) return at.warps[1].claims end,
        require "heddle.reorder.claims".metrics},
    {"mask", "The packed mask", 5,
        {"--brief", "--text", "made", "--length", "64", "--length", "512", "--elements", "262144"},
        function(at) return at.claims end, require "heddle.mask.claims".METRICS},
    {"spconv", "The sparse convolution", 6, {"--brief", "--scans", "made"}, function(at) return at.claims end,
        require "heddle.spconv.claims".metrics},
}

-- The boards that are compared, {{name, file, changed values, list of --set}, ...}: at most two.
local function places()
    local list = {}
    local function add(name, set)
        local b = board.read(heddle.new(), name, set)
        list[#list + 1] = {name = b.name, file = name, path = b.path, settings = b.set, set = set or {}}
    end
    add(option.board, option.set)
    if option.against or option.set or not heddle.same_file(list[1].path, board.path(USUAL), true) then
        add(option.against or USUAL)
    end
    return list
end

-- The verdicts of a study on a board; nil and why where it has none.
local function judge(row, place, line)
    local name, _, seconds, given, claims = table.unpack(row)
    local arguments = {"--threads", tostring(option.threads), "--board", place.file}
    for _, set in ipairs(place.set) do
        lists.append(arguments, {"--set", set})
    end
    lists.append(arguments, given)
    line.step(("%s, %s"):format(place.name, name), seconds)
    local result, why = study.quiet(name, table.unpack(arguments))
    return result and claims(result.boards[1]), why
end

local function words(claim)
    return not claim and "not judged" or claim.condition and ("%s %s"):format(claim.verdict, claim.condition) or
        claim.verdict
end

-- Describes how two verdicts on a claim, or one and none, differ: nil, "differs" or "condition differs".
local function difference(a, b)
    if not a or not b or a.verdict ~= b.verdict then
        return "differs"
    end
    return a.condition ~= b.condition and "condition differs" or nil
end

-- The verdicts of a study, a row for each claim and a column for each place; counts how they differ in `counts`.
local function compare(out, row, list, counts)
    local heads, rows, by, claims = {"claim"}, {}, {}, {}
    for i, place in ipairs(list) do
        heads[i + 1], by[i] = {place.head, verdict = true}, {}
        for _, claim in ipairs(place.claims[row[1]] or {}) do
            local found = by[1][claim.id] or by[i][claim.id]
            claims[#claims + 1] = not found and claim or nil
            by[i][claim.id] = claim
        end
    end
    heads[#heads + 1] = #list > 1 and "" or nil
    local both = list[2] and list[1].claims[row[1]] and list[2].claims[row[1]]
    for i, claim in ipairs(claims) do
        local one, other = by[1][claim.id], list[2] and by[2][claim.id]
        local how = both and difference(one, other)
        rows[i] = {claim.claim, words(one), list[2] and words(other), how or ""}
        counts[how or ""] = (counts[how or ""] or 0) + 1
    end
    out:title(row[2], 3)
    for _, place in ipairs(list) do
        out:claims(("%s on %s: where the claims are true"):format(row[2], place.head), place.claims[row[1]] or {},
            row[6])
    end
    if #rows > 0 then
        out:put(heads, rows, {})
    end
    show.rivals(out, list[1].claims[row[1]] or {})
    for _, place in ipairs(list) do
        if place.why[row[1]] then
            out:say("%s: not judged: %s", place.head, place.why[row[1]])
        end
    end
end

-- Names a column: the board, or as it was given if both boards have one name.
local function name_columns(list)
    local same = list[2] and list[1].name == list[2].name and not next(list[1].settings)
    for _, place in ipairs(list) do
        place.head = (same and place.file or place.name) .. (next(place.settings) and ", changed" or "")
    end
end

return study.main(NAME, function()
    study.outputs(option, {"json"}, {"against"})
    local list, line, out = places(), study.progress(), page.new(option)
    for _, row in ipairs(STUDIES) do
        line.expect(row[3] * #list)
    end
    for _, place in ipairs(list) do
        place.claims, place.why = {}, {}
        for _, row in ipairs(STUDIES) do
            place.claims[row[1]], place.why[row[1]] = judge(row, place, line)
        end
    end
    name_columns(list)
    if not option.markdown then
        study.print(NAME)
    end
    local counts = {differs = 0, ["condition differs"] = 0}
    for _, row in ipairs(STUDIES) do
        compare(out, row, list, counts)
    end
    local differ, conditions = counts.differs, counts["condition differs"]
    local more = conditions > 0 and (", and the conditions of %d more"):format(conditions) or ""
    out:say("Board %s%s; at a small size. 'heddle study reorder', 'mask' and 'spconv' have more.%s", list[1].name,
        board.changes(list[1].settings), list[2] and (" %s %s%s."):format(report.plural(differ, "verdict"),
            differ == 1 and "differs" or "differ", more) or "")
    local boards = heddle.array {}
    for i, place in ipairs(list) do
        boards[i] = {board = place.name, settings = place.settings, claims = place.claims,
            not_judged = next(place.why) and place.why}
    end
    return study.finish("claims", option,
        {boards = boards, differ = list[2] and differ, conditions_differ = list[2] and conditions}, true)
end)
