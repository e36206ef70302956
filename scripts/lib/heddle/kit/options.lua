-- Command-line options of a script, declared as rows; --help and the checks are walks over them.
--
--   local o = options.parse {
--       name = "heddle study reorder", summary = "...", notes = "...", args = arg,
--       rows = {
--           {name = "warp", value = "W", default = "32", choices = {"8", "16", "32", "64"}, doc = "warp width"},
--           {name = "frame", value = "N", kind = "integer", low = 1, doc = "..."},
--           {name = "json", value = "FILE", doc = "..."},
--           {name = "in", value = "FILE", many = true, doc = "..."},   -- may be repeated: o["in"] is a list
--           {name = "pad", value = "P", offers = {"same", "valid"}, doc = "..."},   -- completed, among other values
--           {name = "quiet", doc = "..."},                      -- no value: a flag
--           {name = "whole", with = "warp", doc = "..."},       -- refused without --warp
--           {heading = "Board"},                                -- above the rows that follow, in --help
--           "set", {"board", default = "a100"},                 -- rows of options.common, the second one changed
--       },
--   }
--
-- --name value and --name=value are the same. An option given twice is an error, unless its row has `many`. Errors are
-- reported on standard error and end the script with status 2.
--
-- `value` also selects what a shell completes (scripts/options.lua): FILE, DIR, BOARD, and NAME,... for a list.
local heddle = require "heddle"
local lists = require "heddle.kit.lists"
local report = require "heddle.kit.report"

local options = {}

-- Reads the words that a command (sim/cli/script.h) passes to its script, --name=value each, by name; all values of the
-- option `list` are kept, in order.
function options.passed(words, list)
    local given = {[list] = {}}
    for _, word in ipairs(words) do
        local name, value = word:match "^%-%-([^=]+)=?(.*)$"
        if name == list then
            table.insert(given[list], value)
        else
            given[name] = value
        end
    end
    return given
end

-- Options of several studies, by name.
options.common = {
    board = {value = "BOARD", doc = "the board, or a .yaml file"},
    set = {value = "KEY=VALUE", many = true, doc = "change a value of the board; may be repeated"},
    uncertainty = {value = "N", kind = "integer", low = 1, high = 1000, with = "board",
        doc = "run also on N draws of the board, every value with a range within its own; print the ranges"},
    warp = {value = "W", choices = {"8", "16", "32", "64"}, doc = "warp width (the board's)"},
    caches = {value = "C", default = "cold", choices = {"cold", "warm"},
        doc = "at the start of a launch: empty, or as the same launch just left them"},
    threads = {value = "N", kind = "integer", low = 1, high = heddle.threads_max, default = 1,
        doc = "threads of this computer; the result does not depend on it"},
    brief = {doc = "fewer tables"},
    details = {doc = "reasons, counts and all tables"},
    markdown = {doc = "print Markdown, as on the study's page in docs/"},
    csv = {doc = "print the tables as CSV, and nothing else"},
    plot = {value = "FILE",
        doc = "write the pictures alone as a page of HTML, which saves each as SVG; - is standard output"},
    html = {value = "FILE", doc = "write what is printed as a page of HTML, with pictures; - is standard output"},
    json = {value = "FILE", doc = "write the results as JSON; - is standard output"},
}

-- Puts the rows of options.common in place of their names, and headings into the rows below them.
local function resolve(spec)
    local rows, heading = {}, nil
    for _, row in ipairs(spec.rows) do
        local own = type(row) == "table" and row or {row}
        if own.name or own[1] then
            rows[#rows + 1] = lists.merge(own[1] and {name = own[1]}, own[1] and assert(options.common[own[1]], own[1]),
                {heading = heading}, own)
        end
        heading = not own.name and own.heading or heading
    end
    spec.rows = rows
    return spec
end

local WIDTH <const> = heddle.width() - 1 -- columns of the help, as of the commands' own

-- Returns the value shown for an option: the choices themselves if they are few.
function options.value(row)
    local all = row.choices and table.concat(row.choices, "|") or row.value
    return all and #all > 16 and row.value or all
end

-- Describes an option, the option that it requires, and its default.
function options.doc(row)
    return (row.with and ("with --%s: "):format(row.with) or "") .. row.doc ..
        (row.default and (" (%s)"):format(row.default) or "")
end

local function help(spec)
    local out = {("Usage: %s [OPTION...]\n\n%s\n\n"):format(spec.name,
        table.concat(report.wrap(spec.summary, WIDTH), "\n"))}
    local rows, width = lists.map(spec.rows, function(row)
        local value = options.value(row)
        return {"--" .. row.name .. (value and " " .. value or ""), options.doc(row), row.heading}
    end), 0
    rows[#rows + 1] = {"--help", "print this help", rows[1][3] and "Every study"}
    for _, row in ipairs(rows) do
        width = math.max(width, #row[1])
    end
    local heading
    for _, row in ipairs(rows) do
        if row[3] ~= heading then
            out[#out + 1] = ("%s%s:\n"):format(heading and "\n" or "", row[3])
            heading = row[3]
        end
        for i, line in ipairs(report.wrap(row[2], WIDTH - width - 4)) do
            out[#out + 1] = ("  %-" .. width .. "s  %s\n"):format(i == 1 and row[1] or "", line)
        end
    end
    out[#out + 1] = spec.notes and "\n" .. spec.notes .. "\n"
    return table.concat(out)
end

-- The name that a misspelt word may mean, for the end of a message; nil: none is near.
function options.suggestion(word, names)
    local near = heddle.nearest(word, names)
    return near and ("; did you mean '%s'?"):format(near)
end

-- The value of one option, or nil and what is wrong with it.
local function convert(row, text)
    if row.choices and lists.set(row.choices)[text] then
        return text
    elseif row.choices then
        return nil, ("--%s: '%s' is none of %s%s"):format(row.name, text, table.concat(row.choices, ", "),
            options.suggestion(text, row.choices) or "")
    elseif row.kind == "integer" or row.kind == "number" then
        local v = tonumber(text)
        if row.kind == "integer" then
            v = v and math.tointeger(v)
        end
        if not v then
            return nil, ("--%s: '%s' is not a %s"):format(row.name, text,
                row.kind == "integer" and "whole number" or "number")
        elseif not (v >= (row.low or -math.huge) and v <= (row.high or math.huge)) then
            return nil, ("--%s: %s is outside %s to %s"):format(row.name, text, row.low or "", row.high or "")
        end
        return v
    elseif text == "" then
        return nil, ("--%s needs a value: %s"):format(row.name, row.value)
    end
    return text
end

local function find_row(spec, name)
    local row = lists.by(spec.rows, "name")[name]
    local names = lists.append({"--help"}, lists.map(spec.rows, function(other) return "--" .. other.name end))
    return row, ("unknown option '--%s'%s"):format(name, options.suggestion("--" .. name, names) or "")
end

-- Reads one argument into `found`; the number of arguments taken, or nil and a message.
local function read(spec, found, args, i)
    local word = args[i]
    local name, value = word:match("^%-%-([^=]+)=(.*)$")
    name = name or word:match("^%-%-(.+)$")
    if word == "-h" or name == "help" then
        return "help"
    elseif not name then
        return nil, (word:find "^%-." and "unknown option '%s'; options begin with --" or
            "unexpected argument '%s'"):format(word)
    end
    local row, message = find_row(spec, name)
    if not row then
        return nil, message
    elseif found[name] ~= nil and not row.many then
        return nil, ("--%s is given twice"):format(name)
    elseif not row.value then
        found[name] = value == nil or nil
        return not value and 1, ("--%s takes no value"):format(name)
    end
    local text = value or args[i + 1]
    if not text then
        return nil, ("--%s needs a value: %s"):format(name, row.value)
    end
    local one, why = convert(row, text)
    found[name] = row.many and lists.append(found[name] or {}, {one}) or one
    return one ~= nil and (value and 1 or 2), why
end

-- As options.parse, but returns nil and a message, or "help" and the help text.
function options.read(spec)
    local found, i = {}, 1
    resolve(spec)
    while spec.args[i] do
        local taken, message = read(spec, found, spec.args, i)
        if taken == "help" then
            return "help", help(spec)
        elseif not taken then
            return nil, message
        end
        i = i + taken
    end
    for _, row in ipairs(spec.rows) do
        if found[row.name] == nil then
            found[row.name] = row.default
        elseif row.with and not found[row.with] then
            return nil, ("--%s: it goes with --%s, which is not given"):format(row.name, row.with)
        end
    end
    return found
end

function options.parse(spec)
    local found, message = options.read(spec)
    if found == "help" then
        local ok, why = io.stdout:write(message)
        if ok then
            ok, why = io.stdout:flush()
        end
        if not ok then
            io.stderr:write(("%s: error: cannot write to standard output: %s\n"):format(spec.name, why))
        end
        os.exit(ok and 0 or 2, true)
    elseif not found then
        io.stderr:write(("%s: error: %s\nTry '%s --help'.\n"):format(spec.name, message, spec.name))
        os.exit(2, true)
    end
    return found
end

-- ---- values that are lists ----

-- "4, 4,16" -> {"4", "4", "16"}: the pieces between commas, or another separator, without surrounding blanks.
function options.split(text, separator)
    separator = separator or ","
    local list = {}
    for piece in (text .. separator):gmatch("([^" .. separator .. "]*)" .. separator) do
        list[#list + 1] = piece:match "^%s*(.-)%s*$"
    end
    return list
end

-- A whole number in decimal digits, from `low` to `high`; nil for any other text.
function options.whole(text, low, high)
    local n = text:find "^%d+$" and math.tointeger(tonumber(text))
    return n and n >= low and n <= high and n or nil
end

-- The length of such a list, for messages.
function options.entries(list)
    return #list == 1 and "1 entry" or ("%d entries"):format(#list)
end

-- The argument of options.parse in the script `path`, which is run up to that call and no further; nil: no such call.
function options.of(path)
    local parse, given = options.parse, nil
    options.parse = function(spec)
        given = resolve(spec)
        error(spec, 0)
    end
    pcall(assert(loadfile(path, "t")))
    options.parse = parse
    return given
end

return options
