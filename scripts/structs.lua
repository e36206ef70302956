-- Prints the structures of heddle.h that a launch or a proof gives out as dataclasses of Python, for
-- scripts/python/heddle/structs.py. What the package adds by hand has a class of the same name that extends the one
-- printed here, whose name then ends in "Fields".
local heddle = require "heddle"
local lists = require "heddle.kit.lists"

-- Names in Python, where they are not the header's without heddle_ and in another form; those with code of their own.
local NAME <const> = {heddle_line_count = "Line", heddle_finding_place = "Place", heddle_order_step = "Step"}
local EXTENDED <const> = lists.set {"Result", "Line", "Traffic", "Column", "Element", "Proof"}

-- Members by which a structure is none: NULL, or 0.
local ABSENT <const> = {heddle_fault_info = "kind", heddle_use = "line", heddle_proof_difference = "buffer",
    heddle_proof_depends = "how", heddle_proof_solver = "name"}

-- Fields of another form: false leaves one out, since its class has that by hand.
local FORM <const> = {
    heddle_result = {fault = false, nstalls = false, events = false, complete = false},
    heddle_finding_place = {cycle = "Optional[int]"},
    heddle_explained = {columns = "tuple[Column, ...]", totals = "tuple[Spread, ...]"},
    heddle_column = {kind = false, lanes = false, value = false, text = false},
    heddle_proof = {name = false, verdict = {type = "str", doc = "name"}, data = "dict[str, bytes]", fault = false},
}

local TYPE <const> = {bool = "bool", whole = "int", signed = "int", hex = "int", real = "float", text = "str"}
local WIDTH <const> = 120 -- columns
local KEYWORDS <const> = lists.set {"class", "from", "register"} -- of Python or C++

local function class_of(name)
    local words = name:gsub("^heddle_", ""):gsub("^proof_", "")
    return NAME[name] or ("_" .. words):gsub("_(%l)", string.upper)
end

local function type_of(f, records)
    local kind = f.record and class_of(f.record) or TYPE[f.kind]
    local of = f.record and records[f.record]
    if f.named then
        local value = of and of.value and lists.by(of.fields, "name")[of.value]
        return ("dict[str, %s]"):format(value and TYPE[value.kind] or kind)
    end
    if f.record and ABSENT[f.record] then
        kind = ("Optional[%s]"):format(kind)
    end
    if f.list then
        return f.length == 3 and kind == "int" and "Dims" or ("tuple[%s, ...]"):format(kind)
    end
    local may_miss = f.null or (f.optional and (f.kind == "text" or (f.record and not ABSENT[f.record])))
    return may_miss and ("Optional[%s]"):format(kind) or kind
end

local all, seen = heddle.records(), {}

local function print_class(name)
    if seen[name] then
        return
    end
    seen[name] = true
    local record, form, lines = all[name], FORM[name] or {}, {}
    for _, f in ipairs(record.fields) do
        local other, doc = form[f.name], f.doc
        local kind = other
        if f.name == ABSENT[name] then
            kind = TYPE[f.kind]
        elseif other == nil then
            kind = type_of(f, all)
        elseif type(other) == "table" then
            kind, doc = other.type, lists.by(record.fields, "name")[other.doc].doc
        end
        if kind and f.record and not kind:find "^dict%[str, %l" then
            print_class(f.record)
        end
        if kind then
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
    if ABSENT[name] then
        print(('    _absent: ClassVar[str] = "%s"'):format(ABSENT[name]))
    end
    for _, line in ipairs(lines) do
        print(line)
    end
end

print_class "heddle_result"
print_class "heddle_proof"
print_class "heddle_fault_info"
