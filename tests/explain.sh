#!/bin/sh
# Does `heddle run --explain` print what docs/memory.md shows, refuse what it should, and say the same as JSON?
#
#   HEDDLE=build/heddle sh tests/explain.sh
#
# The page's examples: a block behind "`NAME.hd`:" is that file; in a block, "$ COMMAND" is run, and what follows must
# be its output, where a line "..." stands for any lines.
set -u
page=$PWD/docs/memory.md
. "$(dirname "$0")/lib/cli.sh"

# ---- the page ----

awk '
    /^```/ { inside = !inside; shown = 0; if (!inside) file = ""; else { file = named; named = "" } next }
    inside && file != "" { print > file }
    inside && /^\$ / { shown = ++n; print substr($0, 3) > ("command" n); next }
    inside && shown { print > ("want" n) }
    !inside { named = match($0, /`[a-z]+\.hd`:$/) ? substr($0, RSTART + 1, RLENGTH - 3) : named }
' "$page"
heddle lua --execute 'local h = require "heddle"; h.new():buffer("m", "f32", { 64, 64 }):save("m.npy")' || exit 2

# matches WANT GOT: line by line, "..." for any number of lines
matches() {
    awk '
        NR == FNR { want[++n] = $0; next }
        { got[++m] = $0 }
        END {
            i = j = 1; star = 0
            while (j <= m) {
                if (i <= n && want[i] == "...") { star = i++; back = j; continue }
                if (i <= n && want[i] == got[j]) { i++; j++; continue }
                if (!star) exit 1
                i = star + 1; j = ++back
            }
            while (i <= n && want[i] == "...") i++
            exit i <= n
        }' "$1" "$2"
}
n=1
while [ -e "command$n" ]; do
    sh "command$n" >got 2>&1
    if matches "want$n" got; then ok; else bad "the page shows something else for: $(cat "command$n")"; fi
    n=$((n + 1))
done
[ "$n" -ge 6 ] || { echo "the page has lost its examples" >got; bad "examples"; }

# ---- the option ----

run="heddle run touch.hd --in m=m.npy"
says 2 "$run --explain 2" "touch.hd: error: line 2 has no instruction; the nearest that has is 5"
says 2 "$run --explain 90" "line 90 has no instruction; the nearest that has is 16"
says 2 "$run --explain 9:1" "there is no block 1 to explain: the grid has 1, from 0"
says 2 "$run --explain 9:0:0:0" "expected an execution of that warp, from 1"
says 2 "$run --explain 0" "expected a line, from 1"
says 2 "$run --explain 9:" "expected a block, from 0"
says 2 "$run --explain 9:0:0:1:2" "expected LINE[:BLOCK[:WARP[:N]]], and no more"
says 2 "$run --explain nine" "expected a line, from 1"
says 0 "$run --explain 9:0:0:2" "Warp 0 of block 0 executed it 1 time only."
says 0 "$run --explain 9 --json - | tr -d ' \n'" '"text":"ld.global.b32r2,[r4]","executions":1,"block":[0,0,0],"warp":0'
says 0 "$run --explain 10 --json - | tr -d ' \n'" \
    '{"lane":1,"address":"0x10000100","element":"m[1,0]","line":1,"sector":0}'
says 0 "$run --explain 12 --json - | tr -d ' \n'" \
    '"passes":{"min":2,"mean":2.0,"max":2,"histogram":[{"value":2,"executions":1}]}'
says 0 "$run --json - | tr -d ' \n' | grep -c explain; true" "0"

# A line that faults is explained too.
sed 's/\[column\]/[column+16]/; s/256, row/1024, row/' touch.hd >far.hd
says 1 "heddle run far.hd --in m=m.npy --explain 10" "This execution faulted and had no effect."
says 1 "heddle run far.hd --in m=m.npy --explain 10" "outside"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
