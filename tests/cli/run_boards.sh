#!/bin/sh
# Does `heddle run --board A,B` run on each board what one board runs, compare the runs, and write only what is the same
# on all of them?
#
#   HEDDLE=build/heddle sh tests/cli/run_boards.sh
set -u
. "$(dirname "$0")/../lib/cli.sh"

cat >machine.hd <<'END'
; y[i] = i + the SMs of the machine
.kernel machine
.param y : u32[]
.reg   i, s, p:2
        s2r           i, %tid.x
        s2r           s, %nsmid
        ld.param.b64  p, [y]
        mad.wide.u32  p, i, 4, p
        add.u32       s, i, s
        st.global.b32 [p], s
        exit
END
sed 's/s2r           s, %nsmid/mov.b32       s, 7/' machine.hd >plain.hd
sed 's/y : u32\[\]/y : u32[4]/' plain.hd >fault.hd

# ---- each run is that of the one board ----
says 0 "heddle run classic/saxpy --board teach8,teach32 --json both.json" "teach32: expectations: 1 of 1 met"
for board in teach8 teach32; do
    heddle run classic/saxpy --board $board --json $board.json -q
done
shows 0 "heddle diff both.json teach8.json teach32.json --json all.json --fail-if 'cycles > +1000%' >text" <<'END'
END
holds "the same cycles" "tr -d ' \n' <all.json | grep -oE '\"cycles\":\[[0-9]+(,[0-9]+){3}\]' | head -n 1 |
    grep -qE '\[([0-9]+),([0-9]+),\1,\2\]'"
holds "the comparison of heddle diff" "heddle run classic/saxpy --board teach8,teach32 | sed -n '/^  launch  /,/^  bound/p' >a
    heddle diff both.json | sed -n '/^  launch  /,/^  bound/p' | cmp - a"
says 0 "heddle run classic/saxpy --board teach8,teach32 --json -" '"format": "heddle-runs-2"'
says 0 "heddle run classic/saxpy --board teach8,teach32 --json -" '"format": "heddle-diff-3"'
says 0 "heddle run classic/saxpy --board teach8,teach32 --set noc.latency=40" "teach32: classic/saxpy, saxpy on teach32 with noc.latency=40"
says 0 "heddle run classic/saxpy --board v100,v100" "Nothing differs."
says 0 "heddle run classic/saxpy --board teach8,teach32 --csv" "section,name,unit,teach8,teach32"
holds "a table in a file" "heddle run classic/saxpy --board teach8,teach32 -q --markdown=t.md && grep -q '^| launch | teach8 | teach32 ' t.md"
holds "--quiet says nothing" "[ -z \"\$(heddle run classic/saxpy --board teach8,teach32 -q)\" ]"

# ---- draws of one board ----
U="heddle run classic/saxpy --board h100"
says 0 "$U --uncertainty=2" " in 2 draws of the "
says 0 "$U --uncertainty" " in 16 draws of the "
holds "draws are launches by --set" "for k in 0 1 2; do $U --set draw=\$k --json - | jq .cycles; done | sort -n >cycles
    $U --uncertainty=2 --json u.json -q && jq '.cycles, .uncertainty.cycles[]' u.json | sort -n | uniq >range
    [ \$(jq .uncertainty.draws u.json) = 2 ] && [ -z \"\$(grep -vxFf cycles range)\" ]"
holds "a page shows them" "$U --uncertainty=2 --html u.html -q && grep -q 'in 2 draws of the board' u.html"
says 2 "heddle run classic/saxpy --case 1 --uncertainty" "--uncertainty is for timed launches: give the machine with --board"
says 2 "$U,a100 --uncertainty" "--uncertainty takes one board at a time"
says 2 "$U --uncertainty=0" "--uncertainty"
says 2 "heddle run classic/saxpy --board teach8 --uncertainty" "no value of board 'teach8' has a range"

# ---- machines that lack a loss ----
I="heddle run classic/transpose_tiled --case 1 --board v100"
says 0 "$I --ideal" "  bank conflicts       "
holds "they are launches by --set" "$I --ideal -q --json i.json && for name in warps conflicts barriers; do
    set -- \$(jq -r \".ideal[] | select(.name == \\\"\$name\\\") | .cycles, .settings\" i.json); cycles=\$1; shift
    for one; do set -- \"\$@\" --set \"\$one\"; shift; done
    $I \"\$@\" -q --metrics cycles --csv 2>/dev/null | grep -q \"^cycles,\$cycles,\" || exit 1; done"
holds "gains are quotients" "jq -e '.cycles as \$c | all(.ideal[]; (.gain - \$c / .cycles | fabs) < 1e-9)' i.json"
holds "what advice promises stands beside one" "jq -e '(.advice[] | select(.rule == \"bank_conflicts\") | .gain) ==
    (.ideal[] | select(.name == \"conflicts\") | .promised)' i.json"
says 0 "$I --ideal --metrics cycles --csv" "without,cycles,gain,promised,fault"
says 0 "$I --ideal --set noc.gbs=2x" "limits of bandwidth"
says 2 "heddle run classic/saxpy --case 1 --ideal" "--ideal is for timed launches: give the machine with --board"
says 2 "$I,a100 --ideal" "--ideal takes one board at a time"

# ---- outputs ----
DATA="--block 64 --out y=u32[64]:y.npy"
says 0 "heddle run plain.hd $DATA --board teach8,teach32 --print y[0..2]" "[0..2]  7 8 9"
heddle run plain.hd --block 64 --out 'y=u32[64]:one.npy' -q
holds "written once, as one board writes it" "cmp y.npy one.npy && rm y.npy"
says 1 "heddle run machine.hd $DATA --board teach8,teach32 --json m.json" \
    "y.npy: error: not written: on teach32 it would be another than on teach8; run one board at a time"
holds "and it is not written, the comparison is" "[ ! -e y.npy ] && grep -q heddle-runs-2 m.json"
says 1 "heddle run fault.hd --block 64 --out y=u32[4]:y.npy --board teach8,teach32" "teach32 ended with a fault: out_of_bounds"
holds "nothing after a fault" "[ ! -e y.npy ]"
heddle run fault.hd --block 64 --out y=u32[4] --board teach8 --json f.json >/dev/null 2>&1
holds "no time either" "grep -q '\"timed\": true' f.json && ! grep -qE '\"(cycles|seconds|metrics|advice)\":' f.json"

# ---- the worst status ----
printf ';! run machine grid=1 block=8 warp=8\n;! out y : u32[8]\n;! expect y = i + 1\n' >>machine.hd
says 1 "heddle run machine.hd --warp 8 --board teach8,teach32" "teach32: expectations: 0 of 1 met"
says 0 "heddle run machine.hd --warp 8 --board teach8,teach32 --set sms=1" "teach32: expectations: 1 of 1 met"

# ---- options that exclude each other ----
for option in "--section all" --profile "--explain 12" "--check all" "--check race --sarif s.sarif" "--schedule all" --functional; do
    says 2 "heddle run plain.hd $DATA --board teach8,teach32 $option" "takes one board at a time, not --board teach8,teach32"
done
says 2 "heddle run plain.hd $DATA --board teach8,,teach32" "expected the name of a board"
says 2 "heddle run plain.hd $DATA --board teach8,teach3" "there is no board 'teach3'; did you mean 'teach32'?"
says 2 "heddle run plain.hd $DATA --board v100,a100,v100,a100,v100,a100,v100,a100,v100" "at most 8 results are compared"
heddle board teach8 >a,b.yaml
says 0 "heddle run plain.hd $DATA --board a,b.yaml" "machine on teach8"
says 2 "heddle run plain.hd --block 64 --inout y=-:z.npy --board teach8,teach32 <one.npy" "can be read only once"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
