return {
    kernel = "twice",
    drawn = {{"n", 2, 600, 1}},
    gates = {
        {"stores", of = "st.global", most = 1, each = "n", say = "threads store %s elements, and %s are enough"},
        {"loads", of = "ld.global", most = 1, each = "n", say = "threads load %s elements, and %s are enough"},
    },
    hints = {results = 1, loads = 2, stores = 3},
    prediction = {run = 2, warp = 32, of = "st.global"},
}
