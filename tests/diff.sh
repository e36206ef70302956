#!/bin/sh
# Does `heddle diff` find what differs between two runs, and nothing else, and refuse what is no result of a run?
#
#   HEDDLE=build/heddle sh tests/diff.sh
set -u
. "$(dirname "$0")/lib/cli.sh"

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
says 1 "heddle diff a.json b.json" "  b: "
# Rows of different units: the larger share of itself stands first, not the larger number.
run d.json store.hd --board teach32 --set noc.latency=400 --set sm.registers=20480
holds "the board by share" \
    'heddle diff a.json d.json | grep -A2 "^  board " | tr -s " \n" " " | grep -q "change noc.latency .* sm.registers "'
says 1 "heddle diff a.json b.json" "l1.flight_latency"
says 1 "heddle diff a.json b.json" "add.f32 r2, r2, r2"
holds "only the one value of the board" "heddle diff --json - a.json b.json | grep -c '\"noc.latency\": \\[' | grep -qx 1"
holds "buffers do not differ" "! heddle diff --json - a.json b.json | grep -q traffic"

# ---- the program ----
says 1 "heddle diff a.json c.json" "The programs differ: instructions are compared where their text is the same."
says 1 "heddle diff a.json c.json" "only in a"
says 1 "heddle diff a.json c.json" "buffer y"
says 1 "heddle diff a.json c.json" "l1.sectors_per_request"
holds "lines only in one of them" \
    "heddle diff --json - a.json c.json | tr -d ' \n' | grep -q '\"only_a\":\\[{\"line\":9,\"text\":\"mad.wide'"
holds "pairs of the buffer" \
    "heddle diff --json - a.json c.json | tr -d ' \n' | grep -q '\"sectors\":\\[64,128\\]'"

# ---- with and without a clock, one launch and several ----
says 1 "heddle diff f.json g.json" "what was run"
says 1 "heddle diff f.json g.json" "warp_instructions"
holds "no time without a clock" "! heddle diff f.json g.json | grep -q cycles\\ *[0-9]"
says 1 "heddle diff f.json a.json" "no clock"
says 1 "heddle diff a.json many.json" "1 launches against 2: the first 1 are compared."
says 0 "heddle diff many.json many.json" "Nothing differs."

# ---- how much is shown ----
says 1 "heddle diff a.json c.json" "--all shows them"
holds "--all hides nothing" "! heddle diff --all a.json c.json | grep -q 'more: --all'"
says 1 "heddle diff --all a.json c.json" "sm.warp_cycles"
holds "no line is wide" "! heddle diff a.json c.json | awk 'length > 100 { print; wide = 1 } END { exit !wide }'"

# ---- files ----
says 1 "heddle diff --json d.json a.json b.json && exit 9; exit 1" "noc.latency"
holds "the JSON was written" 'grep -q "\"same\": false" d.json'
says 2 "heddle diff --json a.json a.json b.json" "is read, and is not replaced"
says 2 "heddle diff a.json" "which two results?"
says 2 "heddle diff a.json b.json c.json" "two results are compared, not more"
says 2 "heddle diff a.json none.json" "none.json: error: cannot be read"
printf '{"heddle": "0.1.0",\n  "kernel" 1}' >bad.json
says 2 "heddle diff a.json bad.json" "bad.json:2:12: error: this is no JSON: ':' expected near '1'"
printf '[1, 2]' >bad.json
says 2 "heddle diff a.json bad.json" "bad.json: error: this is no result of 'heddle run --json': 'kernel' is missing"
printf '{"kernel": "k"}' >bad.json
says 2 "heddle diff bad.json a.json" "'heddle' is missing"
: >bad.json
says 2 "heddle diff bad.json a.json" "bad.json:1:0: error: this is no JSON"
for key in kernel grid block warp classes lines metrics traffic; do
    sed "s/^  \"$key\":/  \"other_$key\":/" a.json >bad.json
    says 2 "heddle diff a.json bad.json" "is missing, or is something else"
done
sed 's/"launches": \[/"launches": [7,/' many.json >bad.json
says 2 "heddle diff bad.json many.json" "'kernel' is missing"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
