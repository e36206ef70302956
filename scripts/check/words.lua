-- The words of comments and pages: finds comments that break one of the rules below, and counts markers of roundabout
-- English in 1,000 comments. Reads the names of files, one a line.
--
--   git ls-files | heddle lua scripts/check/words.lua [AREA...]    lists each place of these areas
--
-- An area is a folder ("sim/time"; "all" for a summary), or "pages": those written by hand, where sentences count as
-- comments. A marker may be right where it stands, so areas have a limit for markers; a rule has no exception.
local MOST = 20 -- markers in 1,000 comments of an area

local function any(text) -- "a b c" as a set
    local set = {}
    for word in text:gmatch "%S+" do
        set[word] = true
    end
    return set
end

local function words(text) -- finds one of the words anywhere
    local set = any(text)
    return function(comment)
        for word in comment:gmatch "[%w_\128-\255]+" do
            if set[word] then
                return word
            end
        end
    end
end

local function pair(first, second) -- finds a word of the first list right before one of the second
    local a, b = any(first), any(second)
    return function(comment)
        for word, at in comment:gmatch "%f[%w_]([%w_]+)()" do
            local following = comment:match("^ ([%w_]+)", at)
            if a[word] and b[following] then
                return word .. " " .. following
            end
        end
    end
end

local function opens(text)
    local set = any(text)
    return function(comment)
        local word = comment:match "^[%w_]+"
        return word and (set[word] or word == "The" and set.The_same and comment:find "^The same%f[^%w_]") and word
    end
end

local function so_many(comment)
    for word, at in comment:gmatch "%f[%w_]so (%l+)()%f[^%w_]" do
        if any "many long much few"[word] and not comment:find("^ that", at) and not comment:find("^ as", at) then
            return "so " .. word
        end
    end
end

local markers = {
    {"so many, so long, so much", so_many},
    {"behind", words "behind"},
    {"nobody, somebody, whoever", words "nobody somebody whoever anybody everybody"},
    {"a pronoun opens it", opens "It Its Those They That These Both Such The_same",
     opening = true}, -- of a comment or paragraph: within a paragraph a pronoun has its noun
    {"tell, say, ask", words "tell tells told say says said ask asks asked"},
    {"of which, by whom", pair("of for at by from in to on with", "which whom whose")},
    {"is there, are there", pair("is are was", "there")},
    {"comes, goes, gone", words "come comes goes gone came went"},
}

-- What something can lie behind. Of order and time it is "after", of a cause "for".
local PLACES = any "cache caches L1 L2 DRAM network port ports partition partitions crossbar slice slices window page"
local function behind(comment)
    for _, second, third in comment:gmatch "%f[%w_](behind) (%w+) ?(%w*)" do
        if not PLACES[second] and not PLACES[third] then
            return "behind " .. second
        end
    end
end

-- Rules: the comments concerned ("function" or "any"), how it should be, what breaks it, an example -> mended.
local rules = {
    {"function", "a function's comment opens with a verb or a noun",
     opens("It Its Those They Them That These Both Such The_same Who Whose What Whatever Which Whether Where When How "
           .. "So One Another"),
     "'Whether a reader is dropped.' -> 'True if a reader is dropped.'"},
    {"any", "'behind' is for places", behind, "'the entry behind the last' -> 'the entry after the last'"},
    {"any", "nothing tells, says or asks", words "tell tells told say says said ask asks asked",
     "'says why it refused' -> 'reports why'; print, require, request, distinguish"},
    {"any", "the subject stands before its verb", pair("as", "have has had hold holds need needs stand stands lie"),
     "'such as have these others' -> 'those that share it'"},
    {"any", "'so many' needs its 'that' or 'as'", function(comment)
        return so_many((comment:gsub("so %l+ [^.;:]- that ", "")))
    end, "'the event before which so many are' -> 'event number N'"},
}

local function clean(text)
    return (text:gsub("%s*\n%s*%*?%s*", " "):gsub("^[ *=-]+", ""):gsub("[ *=-]+$", ""))
end

-- Texts without their quoted parts, of the same length.
local function unquoted(line)
    return (line:gsub("\\.", "__"):gsub("([\"'])(.-)%1", function(_, inner) return "_" .. ("_"):rep(#inner) .. "_" end))
end

local find = {} -- by suffix: calls found(comment, its line, true if a function follows)

function find.c(source, found)
    local at, line, counted = 1, 1, 1
    while true do
        local from = source:find("/[/*]", at)
        if not from then
            return
        end
        local block = source:sub(from + 1, from + 1) == "*"
        local stop, last = source:find(block and "*/" or "\n", from + 2, true)
        if block and not stop then
            at = from + 2 -- a glob in a string
        else
            stop, last = stop or #source + 1, last or #source
            local _, more = source:sub(counted, from - 1):gsub("\n", "")
            line, counted = line + more, from
            local alone = from == 1 or source:sub(from - 1, from - 1) == "\n"
            local head = alone and source:match("^%s*\n([%a_][^\n]*)", last + (block and 1 or 0)) or ""
            local on_function = head:find "^[%a_][%w_ *]*%("
                and not (head:find "^typedef" or head:find "^Test%(" or head:find "^[%u_0-9]+%(")
            found(source:sub(from + 2, stop - 1), line, on_function)
            at = last + (block and 1 or 0)
        end
    end
end

local function by_line(mark, follows) -- whole lines one after another are one comment
    return function(source, found)
        local text, from, number = nil, 0, 0
        local quoted = false
        for line in (source .. "\n"):gmatch "(.-)\n" do
            number = number + 1
            local bare = unquoted(line)
            local whole = line:match("^%s*" .. mark .. "+%s(.*)") or line:match("^%s*" .. mark .. "+$")
            if quoted then
                quoted = not line:find "]]"
            elseif whole and not text then
                text, from = whole, number
            elseif whole then
                text = text .. "\n" .. whole
            else
                if text then
                    found(text, from, follows and line:find(follows))
                    text = nil
                end
                local at, stop = bare:find("%s" .. mark .. "+%s")
                if at then
                    local name = line:match "^(%w+)%(%)" -- of a shell function, whose comment shows its use
                    found((line:sub(stop + 1):gsub("^" .. (name or " ") .. "%f[%W]", "")), number)
                end
                quoted = mark == "%-%-" and bare:find "%[%[" and not bare:find "]]"
            end
        end
        if text then
            found(text, from)
        end
    end
end
find.lua = by_line("%-%-", "^%s*l?o?c?a?l? ?function%f[%W]")
find.hd = by_line(";")
find.sh = by_line("#", "^[%l_]+%(%)")
find.py = by_line("#")
find.yaml = by_line("#")
find.js = by_line("//", "^%s*[%w ]*function%f[%W]")
find.mjs = find.js

function find.md(source, found) -- the sentences of what is written by hand
    local generated, fenced, number, text, from = false, false, 0, nil, 0
    local function finish()
        local later = false
        for sentence in ((text or "") .. " "):gmatch "%s*%S.-[.:;!?|]+%f[%s]" do
            local blank = sentence:match "^%s*"
            from = from + select(2, blank:gsub("\n", ""))
            found(sentence:sub(#blank + 1), from, false, later)
            later = sentence:sub(-1) ~= "|"
            from = from + select(2, sentence:sub(#blank + 1):gsub("\n", ""))
        end
        text = nil
    end
    for line in (source .. "\n"):gmatch "(.-)\n" do
        number = number + 1
        local edge = line:match "^<!%-%- (%l+)"
        generated = edge and edge ~= "end" or not edge and generated
        fenced = fenced ~= (line:find "^%s*```" ~= nil)
        if generated or fenced or line:find "^#" or line == "" or line:find "^%s*```" then
            finish()
        else
            if line:find "^[-*|%d]" then
                finish()
            end
            text, from = (text and text .. "\n" or "") .. line, text and from or number
            if line:find "^|" then
                text = text .. " |"
            end
        end
    end
    finish()
end
find.h, find.def = find.c, find.c

local function area_of(file)
    if file:find "%.md$" then
        local by_hand = file:find "^docs/[%w-]+%.md" or file:find "^docs/lessons/" or file == "README.md"
            or file == "CONTRIBUTING.md"
        return by_hand and "pages" or nil
    end
    return file:match "^(sim/%l+)/" or file:match "^(%l+)/"
end

local chosen = any(table.concat(arg, " "))
local areas, order, by_marker, bad = {}, {}, {}, false
local C = {comments = 0, markers = 0} -- C of isa and sim

local function area_named(name)
    if not areas[name] then
        areas[name] = {comments = 0, markers = 0, broken = 0, places = {}}
        order[#order + 1] = name
    end
    return areas[name]
end

local function read(file, kind, name)
    local input = assert(io.open(file))
    local source = input:read "a"
    input:close()
    local area = area_named(name)
    local is_c = file:find "^[is][si]" and file:find "%.[ch]$"
    find[kind](source, function(raw, line, on_function, later)
        local comment = clean(raw)
        local low = comment:lower()
        if #comment < 4 or low:find "^copyright" or low:find "^spdx" or low:find "^clang%-format" then
            return
        end
        local count = 0
        -- Names and lines of code, indented and ended by ; { or &&, are free.
        local prose = clean(raw:gsub("\n[ *]*   [^\n]*[;{&][^%w\n]*%f[\n]", "\n"):gsub("`[^`]*`", "``")
            :gsub("[%w_]+[.:][%w_]+", ""):gsub("[%w_]+ = ", "= "))
        for _, rule in ipairs(rules) do
            local word = (rule[1] == "any" or on_function) and rule[3](prose)
            if word then
                area.broken = area.broken + 1
                area.places[#area.places + 1] =
                    ("%s:%d: '%s': %s (%s)"):format(file, line, word, rule[2], rule[4])
            end
        end
        for _, marker in ipairs(markers) do
            local word = not (later and marker.opening) and marker[2](comment)
            if word then
                count = count + 1
                by_marker[marker] = (by_marker[marker] or 0) + (is_c and 1 or 0)
                area.places[#area.places + 1] = ("%s:%d: '%s': a marker of '%s'"):format(file, line, word, marker[1])
            end
        end
        area.comments, area.markers = area.comments + 1, area.markers + count
        if is_c then
            C.comments, C.markers = C.comments + 1, C.markers + count
        end
    end)
end

for file in io.lines() do
    local name, kind = area_of(file), file:match "%.(%l+)$"
    if name and find[kind] then
        read(file, kind, name)
    end
end
if C.comments == 0 then
    print "no C files are named"
    os.exit(false)
end
table.sort(order)
for _, name in ipairs(order) do
    local area = areas[name]
    local rate = 1000 * area.markers / math.max(area.comments, 1)
    local over = rate > MOST or area.broken > 0
    if chosen[name] or over and not arg[1] then
        print(table.concat(area.places, "\n"))
    end
    if chosen.all or chosen[name] then
        print(("%6.1f  %s: %d comments, %d break a rule"):format(rate, name, area.comments, area.broken))
    elseif over then
        bad = true
        print(("%s: %.1f markers in 1,000 comments, at most %d; %d places break a rule")
            :format(name, rate, MOST, area.broken))
    end
end
if arg[1] then
    for _, marker in ipairs(markers) do
        print(("%6.1f  %s"):format(1000 * (by_marker[marker] or 0) / C.comments, marker[1]))
    end
end
print(("%.1f markers in 1,000 comments of isa and sim, %d comments"):format(1000 * C.markers / C.comments, C.comments))
os.exit(not bad)
