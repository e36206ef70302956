#!/bin/sh
# Does `heddle diff` find what differs between two runs, and nothing else, and refuse what is no result of a run?
#
#   HEDDLE=build/heddle sh tests/cli/diff.sh
set -u
. "$(dirname "$0")/../lib/cli.sh"

cat >store.hd <<'END'
.kernel store
.param y : f32[]
.reg   i, t, v, p:2
        s2r         i, %ctaid.x
        s2r         t, %ntid.x
        s2r         v, %tid.x
        mad.lo.u32  i, i, t, v
        ld.param.b64 p, [y]
        mad.wide.u32 p, i, 4, p
        ld.global.b32 v, [p]
        add.f32     v, v, v
        st.global.b32 [p], v
        exit
END
sed -e 's/i, 4, p/i, 8, p/' -e 's/add.f32     v, v, v/mul.f32     v, v, v/' store.hd >strided.hd
run() { # run JSON FILE OPTION...: a launch on the board teach32
    json=$1 file=$2
    shift 2
    heddle run "$file" --grid 4 --block 64 --out 'y=f32[512]:y.npy' --json "$json" -q "$@" ||
        { echo "cannot run $file"; exit 2; }
}
run a.json store.hd --board teach32
run b.json store.hd --board teach32 --set noc.latency=400
run c.json strided.hd --board teach32
run again.json ./store.hd --board teach32 --threads 2 --engine baseline
run many.json store.hd --board teach32 --repeat 2
run f.json store.hd
run g.json store.hd --warp 16

# ---- nothing ----
shows 0 "heddle diff a.json a.json" <<'END'
Nothing differs.
END
says 0 "heddle diff a.json again.json" "Nothing differs."
says 0 "heddle diff --json - a.json again.json" '"same": true'
holds "diff with --all of the same" "[ \"\$(heddle diff --all a.json a.json)\" = 'Nothing differs.' ]"

# ---- the board ----
says 1 "heddle diff a.json b.json" "  noc.latency  "
says 1 "heddle diff a.json b.json" "b: b.json, store on teach32 with noc.latency=400"
# Rows of different units: the larger share of itself stands first, not the larger number.
run d.json store.hd --board teach32 --set noc.latency=400 --set sm.registers=20480
holds "the board by share" \
    'heddle diff a.json d.json | grep -A2 "^  board " | tr -s " \n" " " | grep -q "unit noc.latency .* sm.registers "'
says 1 "heddle diff a.json b.json" "l1.flight_latency"
says 1 "heddle diff a.json b.json" "add.f32 v, v, v"
holds "only the one value of the board" "heddle diff --json - a.json b.json | grep -c '\"noc.latency\": \\[' | grep -qx 1"
holds "buffers do not differ" "! heddle diff --json - a.json b.json | grep -q traffic"

# ---- the program ----
says 1 "heddle diff a.json c.json" "The programs differ: instructions are compared where their text is the same."
says 1 "heddle diff a.json c.json" "  9, -"
says 1 "heddle diff a.json c.json" "buffer y"
says 1 "heddle diff a.json c.json" "l1.sectors_per_request"
holds "lines only in one of them" \
    "heddle diff --json - a.json c.json | tr -d ' \n' | grep -q '\"text\":\"mad.wide[^}]*,\"line\":\\[9,null\\]'"
holds "pairs of the buffer" \
    "heddle diff --json - a.json c.json | tr -d ' \n' | grep -q '\"sectors\":\\[64,128\\]'"

# ---- with and without a clock, one launch and several ----
says 1 "heddle diff f.json g.json" "what was run"
says 1 "heddle diff f.json g.json" "warp_instructions"
holds "no time without a clock" "! heddle diff f.json g.json | grep -q cycles\\ *[0-9]"
says 1 "heddle diff f.json a.json" "no clock"
says 1 "heddle diff a.json many.json" "  many has 2 launches: the first 1 are compared"
says 0 "heddle diff many.json many.json" "Nothing differs."

# ---- how much is shown ----
says 1 "heddle diff a.json c.json" "--all shows them"
holds "--all hides nothing" "! heddle diff --all a.json c.json | grep -q 'more: --all'"
says 1 "heddle diff --all a.json c.json" "sm.warp_cycles"
holds "no line is wide" "! heddle diff a.json c.json | awk 'length > 100 { print; wide = 1 } END { exit !wide }'"

# ---- the order: what has to do with the time first ----
says 1 "heddle diff a.json c.json" "  launch"
holds "seconds first" "heddle diff a.json b.json | sed -n 4,5p | tr -s ' \n' ' ' | grep -q 'launch a b change unit time .* ns .* us x '"
holds "a ratio has no prefix" "! heddle diff --all a.json d.json | grep -E '[0-9] [mun] '"
# Shared memory and matrices stand idle in this kernel; noc.latency does not.
run e.json store.hd --board teach32 --set shared.latency=99 --set latency.mma=99 --set noc.latency=21 \
    --set energy.dram=99 --set barrier.per_warp=9 --set fetch.l1_latency=99
says 1 "heddle diff a.json e.json" "... and 5 more, of parts that stood idle, or of energy: --all shows them"
says 1 "heddle diff --all a.json e.json" "shared.latency"
holds "the heaviest first" "heddle diff a.json e.json | grep -A1 '^  board ' | grep -q noc.latency"

# ---- several runs ----
says 1 "heddle diff a.json b.json d.json" "d: d.json, store on teach32 with sm.registers=20480, noc.latency=400"
holds "a column for each" "heddle diff a.json b.json d.json | grep -q '^  board  *a  *b  *change  *d  *change'"
holds "an array for each value" \
    "heddle diff --json - a.json b.json d.json | tr -d ' \n' | grep -q '\"sm.registers\":\\[[0-9.]*,[0-9.]*,20480.0\\]'"
holds "letters when names are the same" "mkdir -p x && cp b.json x/a.json && heddle diff a.json x/a.json | grep -q '^b: x/a.json'"

# ---- Markdown and CSV ----
says 1 "heddle diff a.json b.json --markdown" "- b: b.json, store on teach32 with noc.latency=400"
says 1 "heddle diff a.json b.json --markdown" "| board | a | b | change | unit |"
holds "one CSV, every row as wide" \
    "heddle diff many.json many.json --csv | tee d.csv | head -n 1 | grep -qx launch,section,name,unit,a,b && ! grep -vE '^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*\$' d.csv"
says 0 "heddle diff many.json many.json --csv" "2,time,cycles,cycles,"
holds "lines of any length" "heddle diff a.json b.json --csv | sed -n '/^bound,limiter/p' | grep -q '\"\$'"
says 1 "heddle diff a.json b.json --csv" "board,noc.latency,cycles,"
holds "rows as JSON has them" \
    "[ \$(heddle diff a.json b.json --csv | grep -c '^metrics') = \$(heddle diff a.json b.json --json - |
        sed -n '/^      \"metrics\"/,/^      }/p' | grep -c '\": \[') ]"

holds "into files, beside the text" "heddle diff a.json b.json --csv=d.csv --markdown=d.md | grep -q '^  board ' ;
    grep -q '^board,noc.latency' d.csv && grep -q '^| board ' d.md"
says 2 "heddle diff a.json b.json --csv=a.json" "is read, and is not replaced"
says 2 "heddle diff a.json b.json --csv --json -" "--csv"

# ---- conditions ----
says 0 "heddle diff a.json a.json --fail-if 'cycles > +5%'" "Nothing differs."
says 0 "heddle diff a.json b.json --fail-if 'cycles < -5%'" "noc.latency"
says 1 "heddle diff a.json b.json --fail-if 'cycles > +5%'" "b.json: error: --fail-if 'cycles > +5%' is met: "
says 1 "heddle diff a.json b.json --fail-if 'seconds>1us' --json d.json" "'seconds>1us' is met: "
holds "the verdict in JSON" "tr -d ' \n' <d.json | grep -q '\"condition\":\"seconds>1us\",\"met\":\[{\"run\":1,\"launch\":1,'"
says 1 "heddle diff a.json b.json --fail-if 'cycles < 0' --fail-if 'sm.blocks > 3'" "'sm.blocks > 3' is met: 4"
says 0 "heddle diff a.json b.json --fail-if 'sm.blocks > 4' --fail-if 'seconds > 1e3 s'" "noc.latency"
says 0 "heddle diff f.json g.json --fail-if 'warps > +100%'" "what was run"
says 1 "heddle diff f.json g.json --fail-if 'warps > +99.9%'" "is met: 16, 8 in f, x 2"
says 1 "heddle diff f.json g.json --fail-if 'warps > +7'" "is met: 16, 8 in f, x 2"
says 0 "heddle diff f.json g.json --fail-if 'warps > +8'" "what was run"
says 1 "heddle diff many.json many.json --fail-if 'blocks > 3'" "launch 2: 4"
says 2 "heddle diff a.json b.json --fail-if 'cycle > 1'" "there is no metric 'cycle'; did you mean 'cycles'?"
says 2 "heddle diff a.json b.json --fail-if 'cycles = 1'" "expected NAME < VALUE or NAME > VALUE"
says 2 "heddle diff a.json b.json --fail-if 'cycles > some'" "expected a number"
says 2 "heddle diff a.json b.json --fail-if 'cycles > 5%'" "a share of the first run has a sign: +5%"
says 2 "heddle diff a.json b.json --fail-if 'cycles > 5ms'" "'cycles' is in cycles, not in 'ms'"
says 2 "heddle diff f.json a.json --fail-if 'cycles > +5%'" "f.json: error: --fail-if 'cycles > +5%' cannot be judged: the run had no clock"
says 2 "heddle diff a.json b.json --fail-if 'shared.conflict_share > 0'" "it has no value here"
says 2 "heddle diff a.json many.json --fail-if 'cycles > 0'" "cannot be judged: 2 launches, and 1 in 'a.json'"
# A result of a version that did not count it: unknown is no zero.
sed -e '/"l1.lines": /d' -e '/"format": /d' a.json >old.json
says 2 "heddle diff a.json old.json --fail-if 'l1.lines < 1'" "this result does not have it"
holds "what is not known is shown so" "heddle diff --all a.json old.json | grep -qE '^  l1.lines +[0-9]+ +-'"

# ---- files ----
says 1 "heddle diff --json d.json a.json b.json && exit 9; exit 1" "noc.latency"
holds "the JSON was written" 'grep -q "\"same\": false" d.json'
says 2 "heddle diff --json a.json a.json b.json" "is read, and is not replaced"
says 2 "heddle diff a.json" "there is no second result:"
says 2 "heddle diff" "which results?"
says 2 "heddle diff a.json a.json a.json a.json a.json a.json a.json a.json a.json" "at most 8 results are compared"
says 2 "heddle diff a.json none.json" "none.json: error: cannot be read"
printf '{"heddle": "0.1.0",\n  "kernel" 1}' >bad.json
says 2 "heddle diff a.json bad.json" "bad.json:2:12: error: this is not JSON: ':' expected near '1'"
printf '[1, 2]' >bad.json
says 2 "heddle diff a.json bad.json" "bad.json: error: this is not a result of 'heddle run --json': 'kernel' is missing"
printf '{"kernel": "k"}' >bad.json
says 2 "heddle diff bad.json a.json" "'heddle' is missing"
: >bad.json
says 2 "heddle diff bad.json a.json" "bad.json: error: the file is empty"
printf '{"metrics": {"cycles": NaN}}' >bad.json
says 2 "heddle diff bad.json a.json" "bad.json:1:24: error: this is not JSON: invalid token near 'NaN'"
heddle board teach8 --json bad.json >board.txt
# Results of the format before: lines have other names there.
before() { # before ISSUED: such a result
    echo '{"format": "heddle-run-1", "heddle": "0.1.0", "kernel": "k", "grid": [1,1,1], "block": [32,1,1], "warp": 32,'
    echo '"classes": {"branch": 1}, "lines": [{"line": 3, "issued": '"$1"', "lanes": 32, "text": "st.global.b32 [r4], r2",'
    echo '"source": "st.global.b32 [p], v", "pc": 0, "first": 0}], "outputs": [], "fault": null}'
}
before 1 >old1.json
before 2 >old2.json
says 1 "heddle diff old1.json old2.json" "     3            1            2            -            -  st.global.b32 [p], v"
heddle diff old1.json old2.json --json new.json >/dev/null
holds "their lines have the names of today" 'tr -d " \n" <new.json | grep -q "\"text\":\"st.global.b32\[p\],v\",\"disassembly\":\"st.global.b32\[r4\],r2\""'
says 2 "heddle diff bad.json a.json" "its format is 'heddle-board-1', not heddle-run-2"
sed -e 's/heddle-run-2/heddle-run-7/' -e 's/"heddle": "[0-9.]*"/"heddle": "9.0"/' a.json >bad.json
says 2 "heddle diff a.json bad.json" "its format is heddle-run-7, of heddle 9.0; this one compares heddle-run-2"
sed 's/"cycles": [0-9]*,$/"cycles": "many",/' a.json >bad.json
says 2 "heddle diff a.json bad.json" "'metrics.cycles' is not a number"
for key in kernel grid block warp classes lines metrics traffic; do
    sed "s/^  \"$key\":/  \"other_$key\":/" a.json >bad.json
    says 2 "heddle diff a.json bad.json" "is missing, or is something else"
done
sed 's/"launches": \[/"launches": [7,/' many.json >bad.json
says 2 "heddle diff bad.json many.json" "'launches[0].kernel' is missing"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
