-- Lists and tables of fields, made of others.
--
--   lists.map({1, 2, 3}, function(v, i) return v > 1 and v * v or nil end)      {4, 9}: nil is left out
--   lists.set {"x", "y"}                                                        {x = true, y = true}
--   lists.by({{name = "x"}, {name = "y"}}, "name")                              {x = {name = "x"}, y = {name = "y"}}
--   lists.merge({a = 1, b = 2}, {b = 3}, nil)                                   {a = 1, b = 3}
--   lists.append({1}, {2, 3})                                                   {1, 2, 3}, the first list itself
--   lists.any({1, 2}, function(v) return v > 1 end)                             true: it is true of one of them
--   lists.least({"x", "y"}, function(v) return costs[v] end)                    the first with the least cost; its cost
--   lists.sum({{n = 2}, {n = 3}}, function(v) return v.n end)                   5
--   lists.numbers("f", 4, bytes)                                               the little endian numbers in a string
--   lists.bytes("f", {1, 2})                                                   the string of such numbers
--
-- A nil in place of a list is an empty one.
local lists = {}

function lists.map(of, f)
    local out = {}
    for i, v in ipairs(of or {}) do
        out[#out + 1] = f(v, i)
    end
    return out
end

function lists.set(of)
    local out = {}
    for _, v in ipairs(of or {}) do
        out[v] = true
    end
    return out
end

function lists.by(of, field)
    local out = {}
    for _, v in ipairs(of or {}) do
        out[v[field]] = v
    end
    return out
end

function lists.merge(...)
    local out = {}
    for i = 1, select("#", ...) do
        for key, value in pairs((select(i, ...)) or {}) do
            out[key] = value
        end
    end
    return out
end

function lists.append(to, from)
    return table.move(from or {}, 1, #(from or {}), #to + 1, to)
end

function lists.any(of, f)
    for _, v in ipairs(of or {}) do
        if f(v) then
            return true
        end
    end
    return false
end

-- Finds the element of least cost; elements whose cost is nil are left out.
function lists.least(of, cost)
    local best, least
    for _, v in ipairs(of or {}) do
        local one = cost(v)
        if one and (not least or one < least) then
            best, least = v, one
        end
    end
    return best, least
end

function lists.sum(of, f)
    local sum = 0
    for _, v in ipairs(of or {}) do
        sum = sum + f(v)
    end
    return sum
end

local MANY <const> = 4096 -- results of one call of unpack

-- `kind` is that of string.unpack, `size` its bytes.
function lists.numbers(kind, size, bytes)
    local out, n = {}, #bytes // size
    for first = 0, n - 1, MANY do
        local count = math.min(MANY, n - first)
        table.move({("<" .. kind:rep(count)):unpack(bytes, first * size + 1)}, 1, count, first + 1, out)
    end
    return out
end

function lists.bytes(kind, of)
    local out = {}
    for first = 1, #of, MANY do
        local last = math.min(first + MANY - 1, #of)
        out[#out + 1] = ("<" .. kind:rep(last - first + 1)):pack(table.unpack(of, first, last))
    end
    return table.concat(out)
end

return lists
