#!/bin/sh
# The examples of the README and the other pages print what the pages show: they are run in an empty folder.
#
#   ```hd saxpy.hd      a block with a file name is written to that file
#   ```console          every `$ command` is run (but for make, git and the like; `make run` is), and its output must
#                       be the block's; a line `...` there stands for any lines
#   ```sh               in the README every command is run, too (but for make, cc and PATH=), and has to end with status
#                       0, or 1 where it finds a difference
#
#   scripts/check/readme.sh --write     puts the output into the pages: as many lines before and after a `...`
set -u
write=${1:-}
root=$PWD
heddle=$root/${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 ran=0
lines=$(wc -l <README.md)
[ "$lines" -le 120 ] || { echo "README.md: $lines lines, at most 120"; bad=1; }
for page in README.md $(git ls-files -co --exclude-standard 'docs/*.md'); do
    rm -rf "$work/run" "$work/part"
    mkdir -p "$work/run" "$work/part"
    # Splits the page into numbered parts: N.cmd with N.out, and files.
    awk -v dir="$work" '
        /^```/ && open { open = 0; next }
        /^```console/ { open = 1; kind = "console"; next }
        /^```sh$/ && FILENAME == "README.md" { open = 1; kind = "sh"; next }
        /^```[a-z]+ [A-Za-z0-9_.-]+$/ { open = 1; kind = "file"; name = $2; next }
        /^```/ { open = 1; kind = ""; next }
        !open { next }
        kind == "file" { print > (dir "/run/" name) }
        kind == "sh" && !/^(#|make|cc |PATH=)/ { print > (dir "/part/" sprintf("sh%03d", ++lines) ".cmd") }
        kind == "console" && /^\$ / {
            n = sprintf("%03d", ++count); sub(/^\$ /, "")
            print > (dir "/part/" n ".cmd"); printf "" > (dir "/part/" n ".out"); next
        }
        kind == "console" { print > (dir "/part/" n ".out") }' "$page"
    for part in "$work"/part/*.cmd; do
        [ -e "$part" ] || continue
        command=$(cat "$part")
        case $command in
        "make run") command="cd '$root' && heddle lua scripts/demo.lua" ;; # as the Makefile has it
        make* | git* | sudo* | cd* | apt*) continue ;;
        esac
        ran=$((ran + 1))
        (cd "$work/run" && PATH="$heddle:/usr/bin:$PATH" LUA_CPATH="$heddle/?.so;;" PYTHONPATH=$root/scripts/python \
            HEDDLE_LIBRARY=$heddle/libheddle.so timeout 120 sh -c "$command") >"$work/out" 2>&1 </dev/null
        status=$?
        if [ ! -e "${part%.cmd}.out" ]; then
            [ $status -le 1 ] && continue
            echo "$page: \`$command\` ends with status $status:"
            sed 's/^/    /' "$work/out" | head -n 30
            bad=1
            continue
        fi
        # A host without these vectors names its other engine.
        sed 's/engine baseline$/engine x86-64-v3/' "$work/out" >"$work/got"
        awk -v want="${part%.cmd}.out" '
            BEGIN { while ((getline line < want) > 0) w[++n] = line; i = 1 }
            { if (i <= n && w[i] == "...") { if (i < n && $0 == w[i + 1]) i += 2; next }
              if (i > n || $0 != w[i]) { bad = 1; exit 1 }
              i++ }
            END { if (bad || (i <= n && !(i == n && w[n] == "..."))) exit 1 }' "$work/got" || {
            [ "$write" = --write ] && awk -v want="${part%.cmd}.out" '
                BEGIN {
                    while ((getline line < want) > 0)
                        if (line == "...") { cuts++; first = n; n = 0 } else n++
                    if (cuts > 1) exit 1
                }
                { got[NR] = $0 }
                END {
                    for (i = 1; i <= (cuts ? first : NR); i++) print got[i]
                    if (cuts) print "..."
                    for (i = NR - n + 1; cuts && i <= NR; i++) print got[i]
                }' "$work/got" >"${part%.cmd}.new" && continue
            rm -f "${part%.cmd}.new"
            echo "$page: \`$command\` prints:"
            sed 's/^/    /' "$work/got" | head -n 30
            bad=1
        }
    done
    ls "$work"/part/*.new >/dev/null 2>&1 || continue
    awk -v dir="$work" '
        /^```/ && open { open = 0; new = 0 }
        open && /^\$ / {
            print
            n = sprintf("%03d", ++count); new = (getline line < (dir "/part/" n ".new")) > 0
            if (new) do print line; while ((getline line < (dir "/part/" n ".new")) > 0)
            next
        }
        !new { print }
        /^```console/ { open = 1 }' "$page" >"$work/page" && cat "$work/page" >"$page" && echo "  wrote   $page"
done
[ $bad -eq 0 ] && echo "$ran commands, README of $lines lines"
exit $bad
