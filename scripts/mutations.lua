-- All mutants of a C source or a table of rows: its text with one thing changed.
--
--   for _, m in ipairs(mutations(file, text)) do      {file, from, to, with, kind, line, old, new, reached}
--
-- Bytes `from` to `to` become `with`; `old` and `new` are the line before and after, the first one of several. A call
-- before a byte of `reached` runs before the mutant: the first one is that of its statement, then of its function.
-- Formatted sources are expected: operators of two operands stand between blanks, pointers do not.

local OTHER = {["<"] = "<=", ["<="] = "<", [">"] = ">=", [">="] = ">", ["=="] = "!=", ["!="] = "==", ["+"] = "-",
    ["-"] = "+", ["*"] = "+", ["/"] = "*", ["%"] = "/", ["&"] = "|", ["|"] = "&", ["^"] = "&", ["&&"] = "||",
    ["||"] = "&&", ["<<"] = ">>", [">>"] = "<<", ["+="] = "-=", ["-="] = "+=", ["|="] = "&=", ["&="] = "|=",
    ["^="] = "|="}

local NO_STATEMENT = {} -- what begins no statement that can be left out, or one that only saves time
for word in ("return if else for while do switch case default goto BUG struct const static enum typedef " ..
    "__builtin_prefetch prefetch_bytes"):gmatch "%S+" do
    NO_STATEMENT[word] = true
end

-- The end of the comment, text, character or line of the preprocessor that begins at a byte; nil: none does.
local function end_of_other(text, from)
    local to = select(2, text:find("^/%*.-%*/", from)) or select(2, text:find("^//[^\n]*", from))
    local first = text:sub(from, from)
    if first == '"' or first == "'" then
        to = from
        repeat
            to = to + 1
            local c = text:sub(to, to)
            to = c == "\\" and to + 1 or to
        until c == first
    elseif first == "#" then
        to = from
        repeat
            to = text:find("\n", to + 1, true) or #text
        until text:sub(to - 1, to - 1) ~= "\\"
    end
    return to
end

-- The text with blanks in place of what is no code; as long as before.
local function code_of(text)
    local out, at = {}, 1
    for from in text:gmatch "()[/\"'#]" do
        local to = from >= at and end_of_other(text, from)
        if to then
            out[#out + 1] = text:sub(at, from - 1)
            out[#out + 1] = text:sub(from, to):gsub("[^\n]", " ")
            at = to + 1
        end
    end
    return table.concat(out) .. text:sub(at)
end

-- The first byte of the function that has a byte; 0 in a table of rows, nil elsewhere.
local function inside(code, file)
    local starts, ends = {}, {}
    for from in code:gmatch "\n[%w_][^\n;=]*%)%s(){" do
        starts[#starts + 1], ends[#ends + 1] = from, code:find("\n}", from, true) or #code
    end
    return function(at)
        for i, from in ipairs(starts) do
            if at > from and at < ends[i] then
                return from + 1
            end
        end
        return file:match "%.def$" and 0
    end
end

-- Places of a call before the statement that has a byte, and at the begin of its function.
local function reached_at(code, at, first)
    if first == 0 then
        return {}
    end
    local before, from = code:sub(first - 1, at), first
    for at_end, to in before:gmatch "()[;{}]%s*\n%s*()" do
        from = before:match("= ?()", at_end - 2) == at_end and from or first + to - 2
    end
    local word = code:match("^}?%s*(%w*)", from) -- after a brace, the call would stand in the block before
    return {(word == "else" or word == "case" or word == "default") and first or from, first}
end

local function add_operators(code, add)
    for from, op, to in code:gmatch " ()([-<>=!+*/%%&|^]+)() " do
        if OTHER[op] then
            add(op:match "^[<>=!]=?$" and "comparison" or "operator", from, to - 1, OTHER[op])
        end
    end
end

local function add_constants(code, line_at, add)
    for from, digits, tail, to in code:gmatch "()%f[%w_.](%d%x*x?%x*)([uUlL]*)()%f[^%w_]" do
        local value = math.tointeger(tonumber(digits))
        local line = line_at(from)
        local array = code:sub(from - 1, from - 1) == "[" and line:match "^%s+[%w_ ]*%w+ [%w_*]+%["
        array = array and not line:match "^%s+return"
        if value and not array and code:sub(to, to) ~= "." then
            add("constant", from, to - 1, (digits:match "^0x" and "0x%x%s" or "%d%s"):format(value + 1, tail))
        end
    end
    for from, word, to in code:gmatch "()%f[%w_](%l+)()%f[^%w_]" do
        if word == "true" or word == "false" then
            add("constant", from, to - 1, word == "true" and "false" or "true")
        end
    end
end

local function add_conditions(code, text, add)
    for from, to in code:gmatch "%f[%w_]if ()%b()()" do
        add("condition", from, to - 1, "(!" .. text:sub(from, to - 1) .. ")")
    end
    for from in code:gmatch "()![%w_(]" do
        add("condition", from, from, "")
    end
end

-- Calls, assignments and jumps that are a line.
local function add_statements(code, add)
    local before = ";"
    for at, line in code:gmatch "()([^\n]*)\n" do
        local blanks, word, rest = line:match "^(%s+)%*?([%a_][%w_]*)(.*);%s*$"
        local whole = word and not NO_STATEMENT[word] and (rest:match "^%b()$" or
            rest:match "^[%w_%[%]%.%->%(%), +*]-%s[-+|&^*/]?=%s" and not rest:match "^%s+[%a_*]" or
            rest:match "^[%w_%[%]%.%->]*[-+][-+]$" or (word == "break" or word == "continue") and rest == "")
        if whole and before:match "[;{})e:]" then
            add("statement", at + #blanks, at + #line:gsub("%s+$", "") - 1, "(void)0;")
        end
        before = line:match "(%S)%s*$" or before
    end
end

return function(file, text)
    local code = code_of(text)
    local within, list, starts = inside(code, file), {}, {}
    for at in code:gmatch "()[^\n]*\n" do
        starts[#starts + 1] = at
    end
    local function line_of(at)
        local low, high = 1, #starts
        while low < high do
            local middle = (low + high + 1) // 2
            if starts[middle] <= at then
                low = middle
            else
                high = middle - 1
            end
        end
        return low
    end
    local function line_at(at)
        return code:match("[^\n]*", starts[line_of(at)])
    end
    local function add(kind, from, to, with)
        local line = line_of(from)
        local stop = text:find("\n", to, true)
        local old = text:sub(starts[line], stop - 1):match "^%s*([^\n]*)"
        local new = (text:sub(starts[line], from - 1) .. with .. text:sub(to + 1, stop - 1)):match "^%s*([^\n]*)"
        local first = within(from)
        if first and old ~= new then
            list[#list + 1] = {file = file, from = from, to = to, with = with, kind = kind, line = line, old = old,
                new = new, reached = reached_at(code, from, first)}
        end
    end
    add_operators(code, add)
    add_constants(code, line_at, add)
    add_conditions(code, text, add)
    add_statements(code, add)
    return list
end
