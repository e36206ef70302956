-- Wrong solutions as changes of the reference: {gate, words of the reason, {old text, new text}, ...}.
local LOAD <const> = "ld.global.b128 v, [from]"

return {
    {"useful", "of the bytes in the sectors", {LOAD, "ld.global.b64 v, [from]\nld.global.b64 v+2, [from + 8]"}},
    {"loads", "where at most", {LOAD, (LOAD .. "\n"):rep(5)}},
    {"stores", "at most one store", {"st.global.b32  [to], v\n", "st.global.b32  [to], v\nst.global.b32  [to], v\n"}},
    {"results", "elements of arrays are wrong", {"[to], v+2", "[to], v+1"}},
    {"end", "past the end of 'arrays'", {"size, 4", "size, 8"}},
    {"instructions", "and at most", {LOAD, LOAD .. ("\nadd.u32 i, i, 0"):rep(80)}},
    {"end", "misaligned", {"i, 16, from", "i, 8, from"}},
    {"proof", "on other data", {LOAD, LOAD .. "\nmin.u32 v+3, v+3, 1000"}},
}
