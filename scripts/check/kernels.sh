#!/bin/sh
# No macro and no helper of expectations (`;! lua function ...`) stands in two kernel files: what is shared is included.
# Bodies are compared without comments and spacing; macros of one instruction are left out.
awk '
    function close_piece(   key) {
        if (body != "" && (kind == "helper" || lines > 3)) {
            pieces++
            key = kind SUBSEP body
            if (key in home && home[key] != file) {
                printf "%s: %s %s stands in %s, too\n", at, kind, name, home[key]
                bad = 1
            }
            home[key] = file
        }
        body = kind = ""
    }
    function add(text) {
        gsub(/[ \t]+/, " ", text)
        sub(/^ /, "", text); sub(/ $/, "", text)
        if (text != "") { body = body text "\n"; lines++ }
    }
    function begin(what, called) { close_piece(); kind = what; name = called; at = FILENAME ":" FNR; file = FILENAME; lines = 0 }
    FNR == 1 { close_piece() }
    /^\.macro/ { begin("macro", $2) }
    /^;! lua (function|[a-z_0-9]+ = [{])/ {
        called = $3 == "function" ? $4 : $3
        sub(/\(.*/, "", called)
        begin("helper", called)
    }
    kind == "helper" && !/^;! lua/ { close_piece() }
    kind == "macro" { line = $0; sub(/;.*/, "", line); add(line) }
    kind == "helper" { line = $0; sub(/^;! lua/, "", line); sub(/ --.*/, "", line); add(line) }
    /^\.endmacro/ { close_piece() }
    END {
        close_piece()
        if (!bad) print pieces " macros and helpers"
        exit bad
    }
' $(git ls-files -co --exclude-standard 'kernels/*.hd')
