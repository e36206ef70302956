#!/bin/sh
# Does `heddle run --sample` time a part and give what all of it gives: results, counts, and a time within its interval?
#
#   HEDDLE=build/heddle sh tests/cli/sample.sh
set -u
. "$(dirname "$0")/../lib/cli.sh"
widest=100

# An eighth and a twentieth of v100, which few blocks fill.
eighth="--board v100 --set sms=8 --set l2.slices=8 --set l2.bytes=786432 --set dram.channels=4"
small="--board v100 --set sms=4 --set l2.slices=4 --set l2.bytes=393216 --set dram.channels=2"
copy="bench/copy --grid 8192 --block 256 --in x=f32[2097152]:iota --arg n=2097152"
loads="bench/uneven --entry uneven_load --grid 2000 --block 256 --in x=f32[65536]:iota --arg n=65536 $small"

number() { # FILE KEY
    sed -n "s/^  *\"$2\": \([0-9]*\),*$/\1/p" "$1" | head -n 1
}

# same_work NAME ELEMENTS OPTIONS...: with a sample it leaves the same bytes and counts; its interval holds the time of all
same_work() {
    name=$1 y="y=f32[$2]"
    shift 2
    heddle run "$@" --out "$y:full.npy" --json full.json -q
    heddle run "$@" --out "$y:part.npy" --json part.json -q --sample
    holds "$name: the same bytes" "cmp full.npy part.npy"
    holds "$name: the same counts" "test $(number full.json thread_instructions) = $(number part.json thread_instructions)"
    holds "$name: the same lines" "grep -o '\"lanes\": [0-9]*' full.json >1; grep -o '\"lanes\": [0-9]*' part.json >2; cmp 1 2"
    holds "$name: the time of all is in the interval" "test $(number part.json cycles_low) -le $(number full.json cycles) -a \
        $(number part.json cycles_high) -ge $(number full.json cycles)"
    holds "$name: an interval" "test $(number part.json cycles_low) -lt $(number part.json cycles_high)"
    holds "$name: fewer blocks than half" "test $(($(number part.json sample_blocks) * 2)) -lt $(number full.json blocks)"
    holds "$name: no stalls of lines" "! grep -q '\"stall\":' part.json"
}

same_work "copy" 2097152 $copy $eighth
same_work "one group" 512000 $loads --in 'trips=u32[2000]:expr:3'
same_work "eight groups" 1024000 bench/uneven --entry uneven_fma --grid 4000 --block 256 $small \
    --in 'trips=u32[4000]:expr:(i*2654435761%4294967296//65536)%8*8+9'
holds "its groups" "test $(number part.json sample_groups) = 8"

# ---- what a part alone does not show ----
cat >own.hd <<'END'
; y[i + far] += 1; out of y, it may end in x, which is only read
.kernel over
.param x : f32[]
.param y : f32[]
.param far : u32
.reg   i, t, v, w, px:2, at:2
        s2r             i, %ctaid.x
        s2r             v, %ntid.x
        s2r             t, %tid.x
        mad.lo.u32      i, i, v, t
        ld.param.b64    px, [x]
        mad.wide.u32    px, i, 4, px
        ld.global.b32   w, [px]
        ld.param.b32    t, [far]
        add.u32         i, i, t
        ld.param.b64    at, [y]
        mad.wide.u32    at, i, 4, at
        ld.global.b32   v, [at]
        add.f32         v, v, 1.0
        st.global.b32   [at], v
        exit

.kernel set
.param y : u32[]
.reg   i, t, v, at:2
        s2r             i, %ctaid.x
        s2r             v, %ntid.x
        s2r             t, %tid.x
        mad.lo.u32      i, i, v, t
        ld.param.b64    at, [y]
        mad.wide.u32    at, i, 4, at
        st.global.b32   [at], i
        exit

; Conflicts of banks in the blocks where apart[block] is 32 and not 1: all do the same otherwise
.kernel banks
.param apart : u32[]
.param y     : f32[]
.shared s : u32[8192]
.reg   i, t, u, left, v, sum, m, at:2
.pred  more
        s2r             t, %ctaid.x
        s2r             u, %ntid.x
        s2r             i, %tid.x
        ld.param.b64    at, [apart]
        mad.wide.u32    at, t, 4, at
        ld.global.b32   m, [at]
        mov.b32         left, 20
        mul.lo.u32      m, m, i
        and.b32         m, m, 8191
        shl.b32         m, m, 2
        mad.lo.u32      i, t, u, i
        mov.f32         sum, 0.0
        mov.f32         v, 1.0
step:
        st.shared.b32   [s+m], v
        ld.shared.b32   v, [s+m]
        add.f32         sum, sum, v
        sub.u32         left, left, 1
        setp.ne.u32     more, left, 0
@more   bra             step
        ld.param.b64    at, [y]
        mad.wide.u32    at, i, 4, at
        st.global.b32   [at], sum
        exit
END

# figure FILE METRIC: its value in a file of JSON
figure() {
    sed -n "s/^ *\"$2\": *\([0-9.]*\),*$/\1/p" "$1" | head -n 1
}

# near NAME METRIC PERCENT: the metric of part.json is within so much of that of full.json
near() {
    holds "$1: $2" "awk -v a='$(figure full.json "$2")' -v b='$(figure part.json "$2")' \
        'BEGIN { exit !(a != \"\" && b >= a * (1 - $3 / 100) && b <= a * (1 + $3 / 100)) }'"
}

heddle run $copy $eighth --out y=y.npy --json full.json -q
heddle run $copy $eighth --out y=y.npy --json part.json -q --sample
for metric in dram.reads dram.writes l2.misses sm.active_cycles occupancy.achieved energy.total issue.stalled; do
    near copy $metric 6
done
says 1 "heddle diff full.json part.json" "blocks timed"
holds "SMs are active at most all of the time" \
    "test $(figure part.json sm.active_cycles) -le $(($(number part.json cycles) * 8))"

# in_interval NAME OPTIONS...: the interval, if there is one, holds the time of all
in_interval() {
    name=$1
    shift
    heddle run "$@" --json full.json -q
    heddle run "$@" --json part.json -q --sample
    holds "$name: the time of all is in the interval" "test $(number part.json cycles_low) -le $(number full.json cycles) -a \
        $(number part.json cycles_high) -ge $(number full.json cycles)"
}
in_interval "writes alone" own.hd --entry set --grid 8192 --block 512 --out 'y=u32[4194304]' $small
in_interval "writes alone, for longer" own.hd --entry set --grid 16384 --block 256 --out 'y=u32[4194304]' $small
for images in 8 16; do # a power of two, as the places of segments once were
    in_interval "$images images" own.hd --entry banks --grid 4096 --block 256 --out 'y=f32[1048576]' $small \
        --in "apart=u32[4096]:expr:i*$images//2048%2*31+1"
done

heddle run own.hd --entry over --grid 4096 --block 256 --in 'x=f32[1048576]:zeros' --in 'y=f32[1048576]:zeros' $small \
    --arg far=1048640 --out x=full.npy -q
heddle run own.hd --entry over --grid 4096 --block 256 --in 'x=f32[1048576]:zeros' --in 'y=f32[1048576]:zeros' $small \
    --arg far=1048640 --out x=part.npy -q --sample
holds "stores beyond their buffer happen once" "cmp full.npy part.npy"
says 1 "heddle run $copy $eighth --out y=y.npy --max-cycles 200000 --sample" "200,000"

# ---- nothing of the host decides ----
heddle run $copy $eighth --out y=y.npy --sample --json one.json -q
heddle run $copy $eighth --out y=y.npy --sample --json two.json -q --threads 2
holds "the same with two threads" "cmp one.json two.json"
heddle run $copy $eighth --out y=y.npy --sample --json base.json -q --engine baseline
holds "the same with another engine" "grep -v engine one.json >1; grep -v engine base.json >2; cmp 1 2"

# ---- the report ----
says 0 "heddle run $copy $eighth --out y=y.npy --sample" "of 8,192 blocks timed"
says 0 "heddle run $copy $eighth --out y=y.npy --sample" "time and counters are"
says 0 "heddle run $copy $eighth --out y=y.npy --sample --section lines" "issued"
for output in "--section all" "--section traffic" "--metrics cycles" "--csv" "--markdown"; do
    says 0 "heddle run $copy $eighth --out y=y.npy --sample $output" "blocks timed"
done

# ---- where it cannot help, all is as without it ----
# whole NAME WHY SAMPLE OPTIONS...
whole() {
    name=$1 why=$2 sample=$3
    shift 3
    heddle run "$@" --json full.json -q
    says 0 "heddle run $* $sample --json part.json" "$why"
    holds "$name: all as without" "grep -v '\"sample\|\"cycles_\(low\|high\)\|npy' part.json >1; grep -v 'npy' full.json >2; cmp 1 2"
}
whole "a small grid" "less than" --sample bench/copy --grid 64 --block 256 --in 'x=f32[16384]:iota' --out 'y=f32[16384]' --arg n=16384 --board v100
whole "atomics that return" "return what others" --sample classic/compact --case big $small
whole "reads of the clock" "reads its clock" --sample classic/pointer_chase --case big --board teach8
narrow="bench/copy --grid 4096 --block 256 --in x=f32[1048576]:iota --arg n=1048576 $eighth"
whole "an interval too narrow" "four tenths" --sample=error:0.1% $narrow --out 'y=f32[1048576]'
heddle run $narrow --out 'y=f32[1048576]:a.npy' -q
heddle run $narrow --out 'y=f32[1048576]:b.npy' -q --sample=error:0.1%
holds "bytes after a sample that was given up" "cmp a.npy b.npy"

# ---- mistakes ----
tiny="bench/copy --grid 4 --block 64 --in x=iota --arg n=250"
says 2 "heddle run $tiny --sample" "--sample is for timed launches"
says 2 "heddle run $tiny --board v100 --functional --sample" "--functional runs without a clock"
says 2 "heddle run $tiny --board v100 --sample=error:0%" "from 0.1 to 50 percent"
says 2 "heddle run $tiny --board v100 --sample=2" "expected how well the rate"
says 2 "heddle run $tiny --board v100 --sample --check race" "checkers watch every block"
says 2 "heddle run $tiny --board v100 --sample --record r.ev" "a recording has every block"
says 2 "heddle run $tiny --board v100 --sample --caches warm" "caches are as all blocks"
says 2 "heddle run $tiny --board v100 --sample --dram-banks" "banks are not extrapolated"
says 2 "heddle run $tiny --board v100 --sample --dram-trace t.txt" "a trace of DRAM has every block"
says 2 "heddle run $tiny --board v100 --sample --uncertainty" "--uncertainty compares what every block did"
says 2 "heddle run $tiny --board v100 --sample --ideal" "--ideal compares what every block did"
says 2 "heddle run $tiny --board v100 --sample --profile" "--profile compares what every block did"
says 2 "heddle run $tiny --board v100,a100 --sample" "--sample takes one board at a time"
says 2 "heddle run $tiny --board v100 --boards 2 --sample" "--sample has no place"
says 2 "heddle run $tiny --board v100 --sample --beside '$tiny'" "--sample has no place"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
