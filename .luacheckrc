-- luacheck: Lua 5.4, with the module that `heddle lua` preloads.
std = "lua54"
max_line_length = 120
read_globals = { "heddle" }
