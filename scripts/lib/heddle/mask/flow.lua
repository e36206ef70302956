-- The uses of mask words in a kernel: its executed instructions that read a loaded word, or a value derived from one.
--
--   local kinds = flow.kinds(program:text(), "linear_g32_b16")
--   flow.uses(kinds, result.lines)                                  {load = 32, xor = 32, sel = 1024, shl = 1024}
--
-- Thread-instructions by mnemonic, `load` those that load the words. A value is followed through every instruction that
-- computes with it, but not through one that only selects by it (the selector of sel, a predicate). These kernels have
-- forward branches only, so one pass over the disassembly sees each write before its reads; where paths join, a
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
            local guard, mnemonic, rest = line:match "^(@?!?%w*)%s+(%S+)%s*(.*)$"
            local operands = {}
            for operand in rest:gmatch "[^,%s][^,]*" do
                operands[#operands + 1] = operand
            end
            list[#list + 1] = {mnemonic = mnemonic, guarded = guard ~= "", operands = operands}
        end
    end
    return list
end

-- The registers of an operand: its own, and in an address or with 64 bits the next.
local function registers(instruction, place)
    local operand = instruction.operands[place]
    local first = operand and math.tointeger(tonumber(operand:match "r(%d+)"))
    local wide = first and (operand:find("[", 1, true) or instruction.mnemonic:find "64$" or
        instruction.mnemonic:find "%.wide" and (place == 1 or place == 4) or
        place == 1 and instruction.mnemonic:find "^cvt%.%a+64")
    return first, wide and first + 1 or first
end

local NO_RESULT <const> = {st = true, bra = true, exit = true, bar = true}

-- True if an instruction reads a register of the set, and whether its result then depends on it.
local function reads(instruction, kind, set)
    local some, kept = false, false
    for place = NO_RESULT[kind] and 1 or 2, #instruction.operands do
        local first, last = registers(instruction, place)
        if set[first] or set[last] then
            some, kept = true, kept or not (kind == "sel" and place == 2)
        end
    end
    return some, kept
end

-- Finds how each instruction of a kernel in a disassembly uses a word: "load", its mnemonic, or false.
function flow.kinds(text, entry)
    local words, pointers, out = {}, {}, {}
    for i, instruction in ipairs(instructions(text, entry)) do
        local kind = instruction.mnemonic:match "^%a+"
        local some, is_word = reads(instruction, kind, words)
        local _, is_pointer = reads(instruction, kind, pointers)
        out[i] = some and kind
        if kind == "ld" and instruction.operands[2] ~= "[words]" then
            is_word, out[i] = is_pointer, is_pointer and "load" or out[i]
            is_pointer = false
        end
        local first, last = registers(instruction, 1)
        for r = first or 1, not NO_RESULT[kind] and first and last or 0 do
            words[r] = is_word or instruction.guarded and words[r] or nil
            pointers[r] = is_pointer or instruction.operands[2] == "[words]" or
                instruction.guarded and pointers[r] or nil
        end
    end
    return out
end

-- `lines`: of a launch of these instructions.
function flow.uses(kinds, lines)
    local out = {}
    assert(#kinds == #lines, "a disassembly has as many instructions as the kernel")
    for i, kind in ipairs(kinds) do
        if kind and lines[i].lanes > 0 then
            out[kind] = (out[kind] or 0) + lines[i].lanes
        end
    end
    return out
end

return flow
