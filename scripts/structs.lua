-- Prints the structures of heddle.h that a launch or a proof gives out as dataclasses of Python, for
-- scripts/python/heddle/structs.py. What the package adds by hand has a class of the same name that extends the one
-- printed here, whose name then ends in "Fields".
local heddle = require "heddle"
local lists = require "heddle.kit.lists"

local EXTENDED <const> = {} -- classes that Python code extends
for _, name in ipairs {"result", "proof"} do
    for line in io.lines(("scripts/python/heddle/%s.py"):format(name)) do
        EXTENDED[line:match "^class %w+%((%w+)Fields%)" or ""] = true
    end
end

local TYPE <const> = {bool = "bool", whole = "int", signed = "int", hex = "int", real = "float", text = "str",
    bytes = "bytes"}
local WIDTH <const> = 120 -- columns
local KEYWORDS <const> = lists.set {"class", "from", "register"} -- of Python or C++

local all, seen = heddle.records(), {}

local function class_of(name)
    local words = name:gsub("^heddle_", ""):gsub("^proof_", "")
    return all[name].python or ("_" .. words):gsub("_(%l)", string.upper)
end

local function type_of(f)
    local of = f.record and all[f.record]
    local kind = of and class_of(f.record) or TYPE[f.kind]
    if f.named and f.python ~= "list" then
        local value = of and of.value and lists.by(of.fields, "name")[of.value]
        return ("dict[str, %s]"):format(value and TYPE[value.kind] or kind)
    end
    if of and of.exists or f.unknown then
        kind = ("Optional[%s]"):format(kind)
    end
    if f.list then
        return f.length == 3 and kind == "int" and "Dims" or ("tuple[%s, ...]"):format(kind)
    end
    local may_miss = f.null or f.optional and (f.kind == "text" or of and not of.exists)
    return may_miss and ("Optional[%s]"):format(kind) or kind
end

local function print_class(name)
    if seen[name] then
        return
    end
    seen[name] = true
    local record, lines = all[name], {}
    for _, f in ipairs(record.fields) do
        if f.python ~= "" then
            local doc, kind = f.doc, type_of(f)
            if f.record and not kind:find "^dict%[str, %l" then
                print_class(f.record)
            end
            local name_here = f.columns and "columns" or KEYWORDS[f.name] and f.name .. "_" or f.name
            local declared = ("    %s: %s"):format(name_here, kind)
            doc = "# " .. doc:gsub("NULL", "None"):gsub("UINT64_MAX", "None")
            local fits = #declared + #doc + 2 <= WIDTH
            lines[#lines + 1] = fits and declared .. "  " .. doc or "    " .. doc .. "\n" .. declared
        end
    end
    local class = class_of(name)
    print(("\n\n@dataclass(frozen=True)\nclass %s%s(Record):\n    \"\"\"%s\"\"\"\n"):format(class,
        EXTENDED[class] and "Fields" or "", record.doc:gsub('"', "'")))
    local maps = lists.map(record.fields, function(f)
        local of = f.list and f.named and f.python ~= "" and f.python ~= "list" and all[f.record]
        return of and ('"%s": ("%s", "%s")'):format(f.name, of.fields[1].name, of.value or "") or nil
    end)
    if #maps > 0 then
        print(("    _maps: ClassVar[dict[str, tuple[str, str]]] = {\n        %s,\n    }"):format(table.concat(maps,
            ",\n        ")))
    end
    if record.exists then
        print(('    _absent: ClassVar[str] = "%s"'):format(record.exists))
    end
    for _, line in ipairs(lines) do
        print(line)
    end
end

print_class "heddle_result"
print_class "heddle_proof"
print_class "heddle_fault_info"
print_class "heddle_replayed"
