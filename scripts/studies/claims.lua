-- Judge the claims of all three source documents on a board, beside another one
--
-- The studies of the claims run at a small size each; the verdicts are theirs. A board of one's own is compared with a
-- known one.
local heddle = require "heddle"
local board = require "heddle.kit.board"
local json = require "heddle.kit.json"
local options = require "heddle.kit.options"
local page = require "heddle.kit.page"
local study = require "heddle.kit.study"

local NAME = "heddle study claims"
local USUAL <const> = "a100" -- what a board is compared with

local option = options.parse {
    name = NAME, args = {...},
    summary = "Judges the claims of the three source documents on a board, at a small size, and shows which\n" ..
        "verdicts differ from those on another board.",
    rows = {
        {"board", default = USUAL}, "set",
        {name = "against", value = "BOARD", doc = ("the other board, without --set (%s)"):format(USUAL)},
        "threads", {"markdown", doc = "print Markdown"}, "json",
    },
}

-- The studies: name, title, seconds that it takes, options, and where its result has the verdicts.
local STUDIES <const> = {
    {"reorder", "The reorder in registers", 8, {"--brief"}, function(at) return at.warps[1].claims end},
    {"mask", "The packed mask", 5,
        {"--brief", "--text", "made", "--length", "64", "--length", "512", "--elements", "262144"},
        function(at) return at.claims end},
    {"spconv", "The sparse convolution", 6, {"--brief", "--scans", "made"}, function(at) return at.claims end},
}

-- The boards that are compared, {{name, file, changed values, list of --set}, ...}: at most two.
local function places()
    local list = {}
    local function add(name, set)
        local b = board.read(heddle.new(), name, set)
        list[#list + 1] = {name = b.name, file = name, settings = b.set, set = set or {}}
    end
    add(option.board, option.set)
    if option.against or option.set or list[1].name ~= USUAL then
        add(option.against or USUAL)
    end
    return list
end

-- The verdicts of a study on a board.
local function judge(row, place, line)
    local name, _, seconds, given, claims = table.unpack(row)
    local arguments = {"--threads", tostring(option.threads), "--board", place.file}
    for _, set in ipairs(place.set) do
        table.move({"--set", set}, 1, 2, #arguments + 1, arguments)
    end
    table.move(given, 1, #given, #arguments + 1, arguments)
    line.step(("%s, %s"):format(place.name, name), seconds)
    return claims(study.quiet(name, table.unpack(arguments)).boards[1])
end

local function words(claim)
    return not claim and "not judged" or claim.condition and ("%s %s"):format(claim.verdict, claim.condition) or
        claim.verdict
end

-- The verdicts of a study, a row for each claim and a column for each board; returns the number of rows that differ.
local function show(out, title, list, lists)
    local heads, rows, by, differ = {"claim"}, {}, {}, 0
    for i, place in ipairs(list) do
        heads[i + 1], by[i] = place.name .. (next(place.settings) and ", changed" or ""), {}
        for _, claim in ipairs(lists[i]) do
            by[i][claim.id] = claim
        end
    end
    heads[#heads + 1] = #list > 1 and "" or nil
    for i, claim in ipairs(lists[1]) do
        local other = by[2] and by[2][claim.id]
        local same = not by[2] or other and other.verdict == claim.verdict
        rows[i] = {claim.claim, words(claim), by[2] and words(other), same and "" or "differs"}
        differ = differ + (same and 0 or 1)
    end
    out:title(title, 3)
    out:put(heads, rows, {}, {wide = 98})
    return differ
end

return study.main(NAME, function()
    study.outputs(option, {"json"})
    local list, line, out = places(), study.progress(), page.new(option.markdown)
    for _, row in ipairs(STUDIES) do
        line.expect(row[3] * #list)
    end
    for _, place in ipairs(list) do
        place.claims = {}
        for _, row in ipairs(STUDIES) do
            place.claims[row[1]] = judge(row, place, line)
        end
    end
    if not option.markdown then
        study.print(NAME)
    end
    local differ = 0
    for _, row in ipairs(STUDIES) do
        local lists = {}
        for i, place in ipairs(list) do
            lists[i] = place.claims[row[1]]
        end
        differ = differ + show(out, row[2], list, lists)
    end
    out:say("Board %s%s; at a small size. 'heddle study reorder', 'mask' and 'spconv' tell more.%s", list[1].name,
        board.changes(list[1].settings), list[2] and (" %d verdicts differ."):format(differ) or "")
    local boards = json.list {}
    for i, place in ipairs(list) do
        boards[i] = {board = place.name, settings = place.settings, claims = place.claims}
    end
    local result = {study = "claims", version = heddle.version, boards = boards, differ = list[2] and differ}
    study.output {option.json and {option.json, json.encode(result)}}
    return result
end)
