-- The uses of mask words in a kernel: its instructions that read a loaded word, or a value derived from one.
--
--   flow.uses(program:text(), "linear_g32_b16", result.lines)     {load = 32, xor = 32, sel = 1024, shl = 1024}
--
-- Thread-instructions by mnemonic, `load` those that load the words. A value is followed through every instruction that
-- computes with it, but not through one that only selects by it (the selector of sel, a predicate). These kernels have
-- forward branches only, so one pass over the disassembly sees each write before its reads. Where paths join, a
-- register may be taken for a word that it no longer holds, never the reverse.
local flow = {}

-- The instructions of a kernel in a disassembly, in order: {mnemonic, guarded, operands}.
local function instructions(text, entry)
    local list, here = {}, false
    for line in text:gmatch "[^\n]+" do
        local kernel = line:match "^%.kernel%s+(%S+)"
        if kernel then
            here = kernel == entry
        elseif here and not line:find "^%." and not line:find "^%w+:%s*$" then
            local guard, rest = line:match "^(@?!?%w*)%s+(%S.*)$"
            local operands = {}
            for operand in (rest:match "^%S+%s+(.*)$" or ""):gmatch "[^,%s][^,]*" do
                operands[#operands + 1] = operand
            end
            list[#list + 1] = {mnemonic = rest:match "^%S+", guarded = guard ~= "", operands = operands}
        end
    end
    return list
end

-- Whether an operand has 64 bits, the upper half in the next register.
local function is_wide(mnemonic, place)
    if mnemonic:find "%.wide" then
        return place == 1 or place == 4 -- what mad adds
    elseif mnemonic:find "^cvt" then
        return mnemonic:match(place == 1 and "^cvt%.%a+(%d+)" or "(%d+)$") == "64"
    end
    return mnemonic:find "64$" ~= nil
end

local function registers(instruction, place, look)
    for number in instruction.operands[place]:gmatch "r(%d+)" do
        local first = math.tointeger(number)
        local address = instruction.operands[place]:find("[", 1, true)
        for r = first, first + ((address or is_wide(instruction.mnemonic, place)) and 1 or 0) do
            look(r)
        end
    end
end

local NO_RESULT = {st = true, bra = true, exit = true, bar = true}

-- Whether an instruction reads a register of the set, and whether its result then depends on it.
local function reads(instruction, kind, set)
    local some, kept = false, false
    for place = NO_RESULT[kind] and 1 or 2, #instruction.operands do
        registers(instruction, place, function(r)
            if set[r] then
                some, kept = true, kept or not (kind == "sel" and place == 2)
            end
        end)
    end
    return some, kept
end

-- For each instruction its use of a word: "load", or its mnemonic up to the first point; nil: none.
local function readers(list)
    local words, pointers, out = {}, {}, {}
    for i, instruction in ipairs(list) do
        local kind = instruction.mnemonic:match "^%a+"
        local some, is_word = reads(instruction, kind, words)
        local _, is_pointer = reads(instruction, kind, pointers)
        is_pointer = is_pointer or instruction.operands[2] == "[words]"
        if kind == "ld" and instruction.operands[2] ~= "[words]" then
            is_word, is_pointer = is_pointer, false
            out[i] = is_word and "load" or nil
        end
        out[i] = some and kind or out[i]
        if not NO_RESULT[kind] and #instruction.operands > 0 then
            registers(instruction, 1, function(r)
                words[r] = is_word or instruction.guarded and words[r] or nil
                pointers[r] = is_pointer or instruction.guarded and pointers[r] or nil
            end)
        end
    end
    return out
end

-- `lines`: of a launch of this entry.
function flow.uses(text, entry, lines)
    local list, out = instructions(text, entry), {}
    assert(#list == #lines, "a disassembly has as many instructions as the kernel")
    for i, kind in pairs(readers(list)) do
        if lines[i].lanes > 0 then
            out[kind] = (out[kind] or 0) + lines[i].lanes
        end
    end
    return out
end

return flow
