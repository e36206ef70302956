return {
    {"loads", "and 1 are enough", from = "starter"},
    {"results", "elements of y are wrong", {"add.u32       v, v, v", "add.u32       v, v, 1"}},
    {"stores", "and 1 are enough", {"        st.global.b32 [at], v\n",
        "        st.global.b32 [at], v\n        st.global.b32 [at], v\n"}},
    {"passed", "", {"add.u32       v, v, v", "shl.b32       v, v, 1"}},
}
