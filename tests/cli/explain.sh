#!/bin/sh
# Does `heddle run --explain` print what docs/memory.md shows, refuse what it should, and give the same as JSON?
#
#   HEDDLE=build/heddle sh tests/cli/explain.sh
#
# The page's examples: a block after "`NAME.hd`:" is that file; in a block, "$ COMMAND" is run, and the next lines must
# be its output, where a line "..." stands for any lines.
set -u
page=$PWD/docs/memory.md
. "$(dirname "$0")/../lib/cli.sh"

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
says 2 "$run --explain 9:0:0:1:2" "expected [FILE:]LINE[:BLOCK[:WARP[:N]]], and no more"
says 2 "$run --explain nine" "expected a line, from 1"
says 0 "$run --explain 9:0:0:2" "Warp 0 of block 0 executed it 1 time only."
says 0 "$run --explain 9 --json - | tr -d ' \n'" '"text":"ld.global.b32v,[row]","source":"ld.global.b32v,[row]","disassembly":"ld.global.b32r2,[r4]","executions":1,"shown":true,"block":[0,0,0],"warp":0'
says 0 "$run --explain 10 --json - | tr -d ' \n'" \
    '{"lane":1,"address":"0x10000100","element":"m[1,0]","line":1,"sector":0}'
says 0 "$run --explain 12 --json - | tr -d ' \n'" \
    '"passes":{"min":2,"max":2,"mean":2.0,"histogram":[{"value":2,"executions":1}]}'
says 0 "$run --json - | tr -d ' \n' | grep -c explain; true" "0"

# The worst accesses: the stores of a column, the bank conflicts of a tile, an atomic on one place; none where there are none.
lines="sed -n 's/^line \\([0-9]*\\):.*/\\1/p' | tr '\\n' ' '"
says 0 "heddle run classic/transpose_naive --explain worst | $lines" "45 "
says 0 "heddle run classic/transpose_naive --explain worst:9 | $lines" "45 40 "
says 0 "heddle run classic/transpose_tiled --explain worst:1 | $lines" "66 "
says 0 "heddle run classic/histogram --explain worst | grep '^line'" "red.shared.add.u32"
says 2 "heddle run classic/transpose_tiled --explain worst:0" "expected worst, or worst:N for the N accesses that cost most"
says 2 "heddle run classic/transpose_tiled --explain worst:101" "from 1 to 100"
says 2 "heddle run classic/transpose_tiled --explain worst:1x" "from 1 to 100"
printf '.kernel none\n  exit\n' >none.hd
says 0 "heddle run none.hd --explain worst" "no access to explain"

# A line that faults is explained too.
sed 's/\[column\]/[column+16]/; s/256, row/1024, row/' touch.hd >far.hd
says 1 "heddle run far.hd --in m=m.npy --explain 10" "This execution faulted and had no effect."
says 1 "heddle run far.hd --in m=m.npy --explain 10" "outside"

# Lines of an included file, with its name.
mkdir lib k
cat >lib/put.hd <<'END'
.macro put at, v, off=0
        st.global.b32 [\at+\off], \v
.endmacro
END
cat >k/two.hd <<'END'
.include "../lib/put.hd"
.kernel two
.param y : u32[]
.reg at:2
        ld.param.b64 at, [y]
        put at, rz
        put off=4, at=at, v=at
        exit
END
two="heddle run k/two.hd --out y=u32[2]:y.npy"
says 0 "$two --explain put.hd:2 --block 1" "line 2 of lib/put.hd: st.global.b32 [at+0], rz"
says 0 "$two --explain lib/put.hd:2:0 --json - | tr -d ' \n'" '"explain":{"line":2,"file":"lib/put.hd"'
says 2 "$two --explain put.hd:3" "lib/put.hd: error: line 3 has no instruction; the nearest that has is 2"
says 2 "$two --explain ut.hd:2" "k/two.hd: error: no line is from a file 'ut.hd'"
says 2 "$two --explain 12" "k/two.hd: error: line 12 has no instruction; the nearest that has is 8"
says 0 "heddle asm k/two.hd -o two.hdo && heddle run two.hdo --out y=u32[2]:y.npy --explain 5" "line 5 of k/two.hd: ld.param"
shows 0 "$two --profile | sed -n '/ line /,/exit/p'" <<'END'
      line  used  issued   share  source
         5     -       1  25.0 %  ld.param.b64 at, [y]
  put.hd:2     6       1  25.0 %  st.global.b32 [at+0], rz
  put.hd:2     7       1  25.0 %  st.global.b32 [at+4], at
         8     -       1  25.0 %  exit
           put.hd:2  25.0 %  st.global.b32 [at+0], rz (used in line 6)
           put.hd:2  25.0 %  st.global.b32 [at+4], at (used in line 7)
  wrote y = u32[2] to y.npy
END
says 0 "$two --json - | tr -d ' \n'" '{"file":"lib/put.hd","line":2,"pc":'
says 1 "heddle run k/two.hd --out y=u32[1]:y.npy --block 1" "lib/put.hd:2: fault: out_of_bounds"
says 1 "heddle run k/two.hd --out y=u32[1]:y.npy --block 1" "     2 |         st.global.b32 [\at+\off], \v"

# A foreign .file is quoted if it exists: as named, or beside the kernel.
cat >k/made.hd <<'END'
.file "made.cu"
.kernel made
.loc 2
        exit
END
says 0 "heddle run k/made.hd --profile" "made.cu:2       1  100.0 %  exit"
printf 'void made() {\n  return;\n}\n' >k/made.cu
says 0 "heddle run k/made.hd --profile" "made.cu:2       1  100.0 %  return;"
says 0 "cd k && heddle run made.hd --profile" "made.cu:2       1  100.0 %  return;"
printf 'void made() {\n' >k/made.cu
says 0 "heddle run k/made.hd --profile" "made.cu:2       1  100.0 %  exit"
rm k/made.cu && mkfifo k/made.cu
says 0 "timeout 20 heddle run k/made.hd --profile" "made.cu:2       1  100.0 %  exit"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
