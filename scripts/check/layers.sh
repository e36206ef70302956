#!/bin/sh
# The map of docs/design.md as allowed edges: the folders that each folder may include from. Also which system headers a
# folder may include: the core must build without files, signals, threads and a terminal.
awk '
    BEGIN {
        allow("base", "base")
        allow("isa",  "base isa")
        allow("asm",  "base isa asm")
        allow("lint", "base isa lint")
        allow("file", "base file")
        allow("sweep", "base board file sweep")
        allow("arch", "base isa arch")
        allow("check", "base isa arch check")
        allow("prove", "base isa arch check prove")
        allow("board", "base isa board")
        allow("stat", "base isa board stat")
        allow("time", "base isa board stat arch time")
        allow("gpu",  "base isa board stat arch time gpu")
        allow("api",  "base isa board stat arch time gpu check prove api")
        allow("debug", "base api debug")
        allow("web",  "base api file lua web")
        allow("lua",  "base api file lua")
        allow("cli",  "base api debug file sweep lua cli")
        allow("tests", "base isa asm lint board stat arch time gpu check prove api debug file sweep lua cli tests")
        # system headers that belong to one folder
        home["lua.h"] = home["lauxlib.h"] = home["lualib.h"] = "lua scripts"
        only["yaml.h"] = "sim/board/yaml_tree.h"
        home["pthread.h"] = home["sched.h"] = "api"
        home["editline/readline.h"] = "cli"
        home["jansson.h"] = "file sweep cli"
        # and to one file
        only["sqlite3.h"] = "sim/sweep/store_db.h"
        only["sha2.h"] = "sim/sweep/hash.c"
        only["ncurses.h"] = only["curses.h"] = only["term.h"] = "sim/cli/debug/screen_tty.c"
        # system headers for the command line, the Lua module and files only: the core knows no files, signals or threads
        split("argp.h unistd.h threads.h signal.h time.h fcntl.h dirent.h locale.h sys/stat.h sys/types.h " \
              "sys/mman.h sys/wait.h sys/time.h", list, " ")
        for (i in list) outer[list[i]] = 1
    }
    function allow(from, to,   n, w, i) {
        n = split(to, w, " ")
        for (i = 1; i <= n; i++) edge[from, w[i]] = 1
    }
    function layer(path) {
        if (path ~ /^sim\/[a-z]+\//) { split(path, part, "/"); return part[2] }
        if (path ~ /^isa\/[a-z]+\//) { split(path, part, "/"); return part[2] }
        if (path ~ /^isa\//) return "isa"
        if (path ~ /^(tests|scripts)\//) { split(path, part, "/"); return part[1] }
        return "?"
    }
    function exists(path,   line, found) { found = (getline line < path) > 0; close(path); return found }
    function includes(path, wanted,   line, found) {
        while ((getline line < path) > 0)
            if (line == "#include \"" wanted "\"") found = 1
        close(path)
        return found
    }
    function wrong(text) { print FILENAME ":" FNR ": " text; bad = 1 }
    FNR == 1 { me = layer(FILENAME); first = 1; files++ }
    match($0, /^[ \t]*#[ \t]*include[ \t]*"[^"]*"/) {
        split($0, part, "\""); to = part[2]; other = layer(to)
        edges++
        if (to !~ /\//) wrong("include \"" to "\" by its path from the root of the repository")
        else if (!((me, other) in edge)) wrong(me " must not include " other " (" to ")")
        own = FILENAME; sub(/\.c$/, ".h", own)
        if (FILENAME ~ /\.c$/ && first && to != own && exists(own) && !includes(to, own))
            wrong("include \"" own "\" first (or a private header that does)")
        first = 0
    }
    match($0, /^[ \t]*#[ \t]*include[ \t]*<[^>]*>/) {
        split($0, part, /[<>]/); to = part[2]
        if (me != "tests" && to in home && index(" " home[to] " ", " " me " ") == 0) wrong(me " must not include <" to ">")
        if (to in only && FILENAME != only[to]) wrong("only " only[to] " includes <" to ">")
        if (me != "tests" && me != "cli" && me != "lua" && me != "file" && me != "sweep" && to in outer) wrong(me " must not include <" to ">")
    }
    END { if (!bad) print files " files, " edges " includes"; exit bad }
' $(git ls-files -co --exclude-standard '*.c' '*.h' '*.def')
