-- Prints sim/api/heddle.h as the table of sim/api/record.h, which explains the brackets in comments:
-- records.lua HEADER > records.c. The table has the structures that functions return, or take a pointer to that is not
-- const, and those that they hold. A field of no kind, or without a comment, is an error of the header.
local path = assert(arg[1], "records.lua HEADER")

local function read(name)
  local file = assert(io.open(name))
  local text = file:read "a"
  file:close()
  return text
end

-- Lines of the preprocessor and those for C++ are blanked, so that the others keep their numbers.
local header = ("\n" .. read(path)):gsub("\n#ifdef __cplusplus\n[^\n]*\n", "\n\n\n")
header = header:gsub("\n[ \t]*#[^\n]*", "\n"):sub(2)
local bad = false

local function refuse(at, ...)
  local _, line = header:sub(1, at):gsub("\n", "")
  io.stderr:write(("%s:%d: "):format(path, line + 1), string.format(...), "\n")
  bad = true
end

local function words(comment)
  return (comment:gsub("\n%s*%*", "\n"):gsub("%s+", " "):match "^%s*(.-)%s*$")
end

-- ---- what stands there ----

local structs, order = {}, {}
for doc_end, name, at, body in header:gmatch "()\nstruct (heddle_[%w_]+) ()(%b{});" do
  local doc = header:sub(1, doc_end - 1):match "^.*/%*(.-)%*/$"
  structs[name] = {name = name, doc = doc and words(doc) or "", at = at, body = body}
  order[#order + 1] = name
end

local WIDTH = {uint8_t = "WHOLE", uint32_t = "WHOLE", uint64_t = "WHOLE", size_t = "WHOLE", int32_t = "SIGNED",
  double = "REAL", bool = "BOOL", char = "TEXT"}

-- What brackets hold before the words of a comment, as sim/api/record.h explains it: a text after the word, a list of
-- languages, or nothing. All others are sizes.
local BRACKETS <const> = {["if"] = "text", by = "text", columns = "text", whole = "text", word = "text", json = "text",
  python = "text", ["not"] = "languages", hex = "", value = "", null = "", index = "", name = "", exists = "",
  words = ""}
local LANGUAGES <const> = {json = "HEDDLE_JSON", lua = "HEDDLE_LUA", python = "HEDDLE_PYTHON", page = "HEDDLE_PAGE"}

local function languages(at, text)
  return (text:gsub("%S+", function(name)
    return LANGUAGES[name] or refuse(at, "[not %s]: json, lua, python and page are known", text)
  end):gsub(" +", " | "))
end

-- Splits "[if timed] [nlines] words" into what is in brackets and the words.
local function annotations(at, comment)
  local found = {sizes = {}}
  while true do
    local inside, rest = comment:match "^(%b[])%s*(.*)$"
    if not inside then
      return found, comment
    end
    local word, value = inside:match "^%[(%l+) ?(.*)%]$"
    value = word == "whole" and (value:match "^if (.+)$" or "") or value
    if word == "only" and value == "c" then
      word, value = "not", "json lua python page"
    end
    local form = BRACKETS[word]
    if form and (form == "") == (value == "") then
      found[word] = form == "languages" and languages(at, value) or value
    else
      table.insert(found.sizes, inside:sub(2, -2))
    end
    comment = rest
  end
end

-- A declarator of a declaration: stars, name and sizes of arrays.
local function add_field(s, at, base, declarator, comment, section)
  local stars, name, dims = declarator:match "^%s*([%*%s]*)([%a_][%w_]*)%s*(.-)%s*$"
  stars = stars:gsub("[^%*]", "")
  local known, doc = annotations(at, comment or "")
  local f = {at = at, base = base, name = name, written = name:gsub("_$", ""), stars = #stars,
    dims = dims:match "^%[(.*)%]$", known = known, doc = doc, there = known["if"] or section["if"],
    without = known["not"] or section["not"]}
  s.fields[#s.fields + 1], s.member[name] = f, f
end

-- A comment on lines of its own is about the fields up to the next one.
local function parse(s)
  s.fields, s.member = {}, {}
  local i, section = 2, {}
  while true do
    i = s.body:match("^%s*()", i)
    local own, own_end = s.body:match("^/%*(.-)%*/()", i)
    local text, text_end = s.body:match("^([^;]*);()", i)
    if own then
      section, i = annotations(s.at + i, words(own)), own_end
    elseif text then
      local comment, comment_end = s.body:match("^[ \t]*\n?[ \t]*/%*(.-)%*/()", text_end)
      if comment and s.body:sub(text_end, text_end + 80):match "^[ \t]*\n" and not comment:match "^ %[" then
        comment = nil
      end
      local at = s.at + i
      text = text:gsub("const", " ")
      local base, rest = text:match "^%s*(struct %S+)%s*(.*)$"
      if not base then
        base, rest = text:match "^%s*(enum %S+)%s*(.*)$"
      end
      if not base then
        base, rest = text:match "^%s*([%a_][%w_]*)%s*(.*)$"
      end
      if text:find "%(" then
        refuse(at, "struct %s: a function is no kind of field", s.name)
      else
        for declarator in rest:gmatch "[^,]+" do
          add_field(s, at, base, declarator, comment and words(comment), section)
        end
      end
      i = comment and comment_end or text_end
    else
      return
    end
  end
end

-- ---- which are given out ----

local wanted = {}
local function want(name)
  local s = structs[name]
  if not s or wanted[name] then
    return
  end
  wanted[name] = true
  parse(s)
  for _, f in ipairs(s.fields) do
    want(f.base:match "^struct (.*)$" or "")
  end
end

local functions = header:gsub("/%*.-%*/", ""):gsub("%b{}", "{}")
for statement in functions:gmatch "[^;]+" do
  local result = statement:match "^%s*struct (heddle_[%w_]+) heddle_[%w_]+%("
  want(result or "")
  for before, name in statement:gmatch "([%w_]*)[%s(,]*struct (heddle_[%w_]+) %*[%w_]" do
    if before ~= "const" and statement:find "%(" then
      want(name)
    end
  end
end

-- ---- the table ----

local out, functions_of, serial = {}, {}, 0
local function put(...)
  out[#out + 1] = string.format(...)
end

-- The name of a function that computes an expression of members.
local function computed(s, type, expression)
  local key = s.name .. type .. expression
  if not functions_of[key] then
    serial = serial + 1
    functions_of[key] = "f" .. serial
    local code = (" " .. expression):gsub("([^%w_.>])([%a_][%w_]*)", function(before, name)
      return before .. (s.member[name] and "r->" .. name or name)
    end)
    local members = code:find "r%->" and ("\n    const struct %s *r = at;"):format(s.name) or "\n    (void)at;"
    put("static %s f%d(const void *at) {%s\n    return%s;\n}\n", type, serial, members, code)
  end
  return functions_of[key]
end

-- Names of columns, which a function gives with more than their names.
local function column_names(name)
  if not functions_of[name] then
    functions_of[name] = "names_" .. name
    put([[
static const char *names_%s(uint32_t index, const char **doc) {
    struct heddle_column_info column;
    if (!%s(index, &column))
        return NULL;
    if (doc)
        *doc = column.doc;
    return column.name;
}
]], name, name)
  end
  return functions_of[name]
end

-- Finds members with the number of another's elements, as nlines of lines; those without a comment are no fields.
local function counts(s)
  local found = {}
  for _, f in ipairs(s.fields) do
    local sizes = f.known.sizes
    local size = sizes[1] and "(" .. table.concat(sizes, ") * (") .. ")" or
      s.member["n" .. f.name] and (f.stars > 0 or f.dims) and "n" .. f.name or nil
    f.size = size or f.base ~= "char" and f.dims or f.base == "char" and f.stars > 0 and f.dims
    for name in (size or ""):gmatch "[%a_][%w_]*" do
      found[name] = s.member[name] or refuse(f.at, "struct %s: the field %s: [%s] is neither an annotation nor a size",
        s.name, f.name, table.concat(sizes, "] ["))
    end
    local named = s.member[f.known.word or ""]
    if named then
      f.as, named.hidden = named, true
    elseif f.known.word then
      refuse(f.at, "struct %s: the field %s: [word %s] names no member", s.name, f.name, f.known.word)
    end
  end
  return found
end

local function kind_of(f)
  if f.base:match "^enum " then
    return "WHOLE"
  end
  local name = f.base:match "^struct (.*)$"
  return name and structs[name] and "RECORD" or f.base == "uint8_t" and f.stars == 1 and f.size and "BYTES" or
    WIDTH[f.base]
end

local function quoted(text)
  return '"' .. text:gsub('[\\"]', "\\%0") .. '"'
end

local function row(s, f)
  f = f.as and setmetatable({written = f.written, there = f.there, without = f.without}, {__index = f.as}) or f
  local kind, base = kind_of(f), f.base
  local pointers = f.stars - (base == "char" and (f.stars > 0 and 1 or 0) or 0)
  local named = f.known.by or f.known.columns
  local list = kind ~= "BYTES" and (f.size ~= nil and f.size ~= false or named ~= nil)
  if f.doc == "" then
    refuse(f.at, "struct %s: the field %s needs a comment, on its line", s.name, f.name)
  end
  if not kind or pointers > 1 or (pointers == 1 and not list and kind ~= "RECORD" and kind ~= "BYTES") then
    refuse(f.at, "struct %s: the field %s is of no kind that sim/api/record.h knows, or it lacks n%s or [SIZE]", s.name,
      f.name, f.name)
    return
  end
  local size = base == "char" and (f.stars > 0 and "sizeof(char *)" or "1") or ("sizeof(%s)"):format(base)
  local parts = {
    (".name = %s"):format(quoted(f.written)), (".doc = %s"):format(quoted(f.doc)),
    (".kind = HEDDLE_KIND_%s"):format(f.known.hex and "HEX" or kind),
    (".offset = offsetof(struct %s, %s)"):format(s.name, f.name), (".size = %s"):format(size)}
  local function part(condition, ...)
    if condition then
      parts[#parts + 1] = string.format(...)
    end
  end
  part(pointers == 1, ".far = true")
  part(list, ".list = true")
  part(f.dims and f.size == f.dims, ".length = %s", f.dims)
  part(f.known.columns, ".columns = true")
  part(f.known.null, ".null = true")
  part(f.known.index, ".index = true")
  part(f.known.words, ".words = true")
  part(f.there and f.there:find("^" .. f.name .. " != UINT%d+_MAX$"), ".unknown = true")
  part(f.without, ".without = %s", f.without)
  part(f.known.json, ".json = %s", f.known.json and quoted(f.known.json))
  part(f.known.python, ".python = %s", f.known.python and quoted(f.known.python))
  local inner = structs[base:match "^struct (.*)$"]
  part(inner, ".record = &heddle_records[%d]", inner and inner.index)
  part(f.size, ".count = %s", f.size and computed(s, "uint64_t", f.size))
  part(f.known.sizes[2], ".row = %s", f.known.sizes[2] and computed(s, "uint64_t", f.known.sizes[2]))
  part(f.there, ".there = %s", f.there and computed(s, "bool", f.there))
  part(f.known.whole, ".whole = %s", f.known.whole and computed(s, "bool", f.known.whole))
  part(f.known.by, ".element = %s", f.known.by)
  part(f.known.columns, ".element = %s", f.known.columns and column_names(f.known.columns))
  return "    {" .. table.concat(parts, ", ") .. "},"
end

put '/* Made by scripts/records.lua. */\n#include "sim/api/record.h"\n'
local number, records = 0, {}
for _, name in ipairs(order) do
  if wanted[name] then
    structs[name].index, number = number, number + 1
  end
end
for _, name in ipairs(order) do
  local s = structs[name]
  if wanted[name] then
    local count, rows, special = counts(s), {}, {}
    local known, doc = annotations(s.at, s.doc)
    if doc == "" then
      refuse(s.at - #name - 10, "struct %s needs a comment before it", name)
    end
    for _, f in ipairs(s.fields) do
      if not f.hidden and (f.doc ~= "" or not count[f.name]) then
        rows[#rows + 1] = row(s, f)
        special.value = f.known.value and #rows or special.value
        special.exists = f.known.exists and #rows or special.exists
      end
    end
    put("static const struct heddle_field %s_fields[] = {\n%s\n};\n", name, table.concat(rows, "\n"))
    local function field(place)
      return place and ("&%s_fields[%d]"):format(name, place - 1) or "NULL"
    end
    records[#records + 1] = ("    {%s, %s, %s, sizeof(struct %s), %d, %s_fields, %s, %s, %s},"):format(quoted(name),
      quoted(doc), known.python and quoted(known.python) or "NULL", name, #rows, name,
      s.fields[1].name == "name" or s.fields[1].known.name ~= nil, field(special.value), field(special.exists))
  end
end
put("const struct heddle_record heddle_records[] = {\n%s", table.concat(records, "\n"))
put "    {NULL, NULL, NULL, 0, 0, NULL, false, NULL, NULL},\n};"
if bad then
  os.exit(2)
end
print(table.concat(out, "\n"))
