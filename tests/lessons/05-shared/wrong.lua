-- Wrong solutions as changes of the reference: {gate, words of the reason, {old text, new text}, ...}.
local BARRIER <const> = "        bar.sync      0\n"
local STORE <const> = "st.shared.b32 [tile + near + 16], v\n"
local OWN <const> = "@inside ld.global.b32 v, [at]\n"

return {
    {"results", "elements of y are wrong", {BARRIER, ""}, {"own:\n", "own:\n" .. BARRIER}},
    {"end", "barrier", {BARRIER, "@inside bar.sync 0\n"}},
    {"loads", "where at most", {OWN, OWN .. OWN}},
    {"stores", "at most one store", {"@inside st.global.b32 [at], sum\n", "@inside st.global.b32 [at], v\n" ..
        "@inside st.global.b32 [at], sum\n"}},
    {"results", "elements of y are wrong", {"[tile + near + 12]", "[tile + near + 8]"}},
    {"results", "elements of y are wrong", {"@later  ld.global.b32 v, [at - 16]\n", ""}},
    {"end", "past the end of", {OWN, "ld.global.b32 v, [at]\n"}},
    {"proof", "on other data", {STORE, STORE .. "min.u32 v, v, 1000\n"}, {OWN, OWN .. "min.u32 v, v, 1000\n"}},
    {"instructions", "and at most", {BARRIER, BARRIER .. ("add.u32 i, i, 0\n"):rep(20)}},
}
