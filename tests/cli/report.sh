#!/bin/sh
# Does `heddle run --board` report the clock's results: its report word for word, the same facts as JSON, the same answer for
# every number of threads, and launches one after the other?
#
#   HEDDLE=build/heddle sh tests/cli/report.sh          UPDATE=1 writes the expected reports anew
set -u
here=$(realpath "$(dirname "$0")")
. "$(dirname "$0")/../lib/cli.sh"

fixture() { # fixture NAME COMMAND [WIDTH]: prints what is in tests/fixtures/NAME, in lines of at most 100 columns
    sh -c "$2" >got 2>&1 </dev/null || bad "exit status $?: $2"
    [ -n "${UPDATE:-}" ] && cp got "$here/../fixtures/$1"
    if ! diff "$here/../fixtures/$1" got >differences; then
        bad "output of: $2"
        cat differences
    elif awk -v most="${3:-100}" 'length > most { exit 1 }' got; then
        ok
    else
        bad "a line that is too long: $2"
    fi
}

# ---- kernels that do something of everything ----
cat >mix.hd <<'END'
; y[i] = x[i] + x[i ^ 1 of the block], through shared memory with two-way conflicts; half of the lanes square it
.kernel mix
.param x : f32[n]
.param y : f32[n]
.param n : u32
.shared tile : b32[128]
.reg   i, t, v, w, p:2, s, end
.pred  beyond, odd
        s2r         i, %ctaid.x
        s2r         s, %ntid.x
        s2r         t, %tid.x
        mad.lo.u32  i, i, s, t
        ld.param.b32 end, [n]
        setp.ge.u32 beyond, i, end
@beyond exit
        ld.param.b64 p, [x]
        mad.wide.u32 p, i, 4, p
        ld.global.b32 v, [p]
        shl.b32     s, t, 3
        st.shared.b32 [s+tile], v
        bar.sync    0
        xor.b32     s, s, 8
        ld.shared.b32 w, [s+tile]
        add.f32     v, v, w
        and.b32     t, t, 1
        setp.ne.u32 odd, t, 0
@!odd   bra         even
        mul.f32     v, v, v
even:
        ld.param.b64 p, [y]
        mad.wide.u32 p, i, 4, p
        st.global.b32 [p], v
        exit
.kernel fill
.param y : f32[n]
.param n : u32
.param a : f32
.reg   i, t, s, end, v, p:2
.pred  beyond
        s2r         i, %ctaid.x
        s2r         s, %ntid.x
        s2r         t, %tid.x
        mad.lo.u32  i, i, s, t
        ld.param.b32 end, [n]
        setp.ge.u32 beyond, i, end
@beyond exit
        cvt.f32.u32 v, i
        ld.param.b32 t, [a]
        mul.f32     v, v, t
        ld.param.b64 p, [y]
        mad.wide.u32 p, i, 4, p
        st.global.b32 [p], v
        exit
END
LAUNCH="--grid 32 --block 64 --arg n=2048"
says 0 "heddle run mix.hd --entry fill $LAUNCH --out 'y=f32[2048]:x.npy' --arg a=0.5 --board teach8" "caches"
MIX="heddle run mix.hd --entry mix $LAUNCH --in x=x.npy --out 'y=f32[2048]:y.npy' --engine baseline"
BOTH="heddle run mix.hd --entry fill --entry mix $LAUNCH --in x=x.npy --out 'y=f32[2048]:y.npy' --arg a=2"

# ---- word for word ----
fixture summary.txt "$MIX --board teach32" 80
fixture report.txt "$MIX --board teach32 --section all"
fixture profile.txt "$MIX --board teach32 --profile"
fixture launches.txt "$BOTH --engine baseline --board teach32 --caches warm"
fixture report.outline "$MIX --board teach32 --json - | heddle lua $here/../lib/outline.lua" 300

# ---- the summary, and what stands in its place ----
holds "a summary of at most 14 lines, of 80 columns" "for board in teach8 teach32 v100 h100; do
        $MIX --board \$board >lines || exit 1; awk 'length > 80 { exit 1 } END { exit NR > 14 }' lines || exit 1; done"
holds "without a clock too" "$MIX | awk 'length > 80 { exit 1 } END { exit NR > 14 }'"
for name in time traffic stalls occupancy energy work lines; do
    says 0 "$MIX --board v100 --section $name && ! $MIX --board v100 --section $name | grep busiest" "mix on v100: grid 32"
done
says 0 "$MIX --board v100 --section stalls,occupancy" "blocks per SM"
says 0 "$MIX --section work,lines" "thread-instructions"
says 0 "$MIX --section all" "thread-instructions"
says 0 "$MIX --board v100 --explain 18 | head -n 1" "line 18: ld.global.b32"
says 0 "$MIX --board v100 --explain 14 --section stalls" "stall reason"
says 0 "$MIX --board v100 --set sms=10 --set sm.policy=gto --section stalls" "  with sms=10, sm.policy=gto"
says 0 "$MIX --board v100 --set sms=10 | wc -l | awk '\$1 <= 14 { print \"fits\" }'" "fits"
says 0 "! $MIX --board v100 | grep '^  with' && echo nothing" "nothing"
says 2 "$MIX --section stalls" "--section stalls is for timed launches: give the machine with --board"
says 2 "$MIX --board v100 --section lines,stall" "unknown section 'stall'; did you mean 'stalls'?"
says 2 "$MIX --board v100 --section ''" "expected time, advice, traffic, dram, stalls, occupancy, energy, work, lines, or all"

# ---- parts of an event: a register of 8 lanes is a quarter of one of 32 ----
printf '.kernel one\n.reg i\ns2r i, %%tid.x\nexit\n' >one.hd
says 0 "heddle run one.hd --board teach8 --section energy" "0.25 x 20.0 pJ, assumed"
says 0 "heddle run one.hd --board v100 --section time | tr -s ' \n' ' '" "no resource reaches 1 % of its peak."

# ---- one answer ----
for board in teach8 teach32 v100; do
    says 0 "$MIX --board $board --json one.json -q && echo done" "done"
    for threads in 2 3 8; do
        holds "$board: $threads threads" "$MIX --board $board --threads $threads --json more.json -q && cmp one.json more.json"
    done
done
says 0 "$MIX -q && mv y.npy functional.npy && echo done" "done"
holds "timed and functional results" "$MIX --board v100 -q && cmp y.npy functional.npy"
holds "functional on a board" "$MIX --board v100 --functional -q && cmp y.npy functional.npy"
holds "no clock: no cycles" "! $MIX --board v100 --functional | grep -q cycles"

# ---- JSON and manual know the same metrics ----
says 0 "$MIX --board v100 --json one.json -q && echo done" "done"
heddle doc counters | awk '/^[a-z]/ { print $1 }' | sort >names
grep -vE '^(traffic|line)\.' names >manual
sed -n '/^  "metrics": {/,/^  }/p' one.json | sed -n 's/^    "\([a-z0-9_.]*\)":.*/\1/p' | sort >metrics
holds "metrics of the manual and of JSON" 'diff manual metrics && [ $(wc -l <manual) -gt 200 ]'
columns() { # columns SECTION INDENT: members of its objects that stand so deep and are numbers
    sed -n "/^  \"$1\": /,/^  []}]/p" one.json | sed -n "s/^ \{$2\}\"\([a-z0-9_]*\)\": [0-9].*/\1/p" | sort -u
}
columns traffic 6 | sed '/^energy$/d; s/^/traffic./' >columns
columns lines 6 | sed -E '/^(line|issued|warp_instructions|lanes|pc|first)$/d; s/^/line./' >>columns
holds "columns of the manual and of JSON" 'sort columns >sorted; grep -E "^(traffic|line)\." names | diff - sorted && [ $(wc -l <sorted) -gt 10 ]'
cycles=$(sed -n 's/^  "cycles": \([0-9]*\),/\1/p' one.json)
says 0 "$MIX --board v100 | tr -d ," "($cycles cycles at"

# ---- launches one after the other ----
says 0 "$BOTH --board v100 --repeat 2" "launch 4 of 4, mix on v100"
says 0 "$BOTH --board v100 --repeat 2" "4 launches"
holds "cold launches are alike" "$MIX --board v100 --repeat 2 --json - | grep '^      .cycles.:' | uniq -c | grep -q '^ *2 '"
dram() { sed -n 's/^ *"dram.reads": \([0-9]*\),/\1/p' "$1" | tr "\n" " "; echo; }
says 0 "$MIX --board v100 --repeat 2 --caches warm --json warm.json -q && echo done" "done"
dram warm.json >reads
holds "L2 stays warm" "cat reads; read a b <reads && [ \"\$a\" -gt 0 ] && [ \"\$b\" -eq 0 ]"
holds "the first launch is cold, the next warm" \
    "grep '\"caches\"' warm.json | tr -d ' ' | tr '\n' ' ' | grep -q '\"caches\":\"cold\",.*\"caches\":\"warm\"'"
says 2 "$BOTH --arg q=1 --board v100" "there is no parameter 'q'"

# ---- limits and mistakes ----
says 1 "$MIX --board teach8 --max-cycles 50" "has run for 50 cycles, which is its limit"
# Wherever memory runs out, an error: before the first window too. (A sanitizer's own memory is beyond such a limit.)
[ -n "${SAN:-}" ] || holds "no crash without memory" "for kb in \$(seq 15000 1000 59000); do
        (ulimit -c 0; ulimit -v \$kb; $MIX -q --board v100 --set fetch.mode=cached) >>limits 2>&1
        [ \$? -lt 128 ] || exit 1
    done; grep -q 'out of memory: the launch' limits"
# A launch beyond the computer's memory is refused before it is taken: 4096 SMs with 2 blocks of 1024 threads of 64 KiB.
cat >local.hd <<'END'
.kernel big
.local mine : b32[16384]
        exit
END
says 2 "heddle run local.hd --board a100 --set sms=4096 --grid 8192 --block 1024 -q" \
    "out of memory: the resident blocks of kernel 'big' take 512.0 GB, and this"
says 0 "heddle run local.hd --board a100 --set sms=4096 --grid 2 --block 32 -q && echo fits" fits
says 2 "$MIX --caches warm" "--caches warm is for timed launches: give the machine with --board"
says 2 "$MIX --board v100 --functional --threads 2" "--functional runs without a clock"
says 2 "$MIX --board v100 --caches hot" "expected cold or warm"
says 2 "$MIX --board v100 --repeat 1001" "at most 1,000"
says 2 "$MIX --board v100 --repeat 0" "expected a whole number from 1 on"
says 2 "$MIX --board v100 --thread 2 --threads 99999999999" "at most 256"

# ---- advice ----
says 0 "$MIX --board v100 --section advice" "rule            at most  what to try"
says 0 "$MIX --board teach32 --section advice" "atomics               -  combine the atomics of a warp"
says 2 "$MIX --section advice" "--section advice is for timed launches"
says 0 "heddle doc advice" "idle_sms        give it more blocks: "
says 0 "heddle doc advice --markdown" "| \`uncoalesced\` | coalesce accesses | "
says 0 "heddle doc advice tail" "tail  rule of advice"

# ---- tables for other programs ----
RUN="heddle run classic/saxpy --case 1 --board v100"
cat >same.lua <<'END'
local heddle = require "heddle"
local metrics = heddle.parse(io.open(arg[2]):read "a").metrics
for name, value in io.open(arg[1]):read "a":gmatch "\n([%w._]+),([^,]*)," do
    local want = metrics[name]
    assert(value == "" and want == heddle.null or math.abs(value - want) <= 1e-11 * math.abs(want), name)
    metrics[name] = nil
end
assert(next(metrics) == nil, next(metrics))
END
says 0 "$RUN --metrics 'l1.hit_rate,dram.row_*s,launch.waves'" "dram.row_conflicts"
says 0 "$RUN --metrics cycles,cycles,cycle? --csv" "cycles,$($RUN --json - | sed -n 's/^  "cycles": \([0-9]*\),/\1/p'),cycles"
holds "a metric stands once" "[ \$($RUN --metrics cycles,cycles,cycle? --csv | wc -l) -eq 2 ]"
holds "in the order of the names" "$RUN --metrics sm.warps,cycles --csv | cut -d, -f1 | tr '\n' ' ' | grep -q '^metric sm.warps cycles '"
holds "all metrics" "[ \$($RUN --csv | wc -l) -eq \$((1 + \$(heddle completion --words metrics | wc -l))) ]"
holds "CSV has the values of JSON" "$RUN --csv >all.csv && $RUN --json all.json -q && heddle lua same.lua all.csv all.json"
says 0 "$RUN --markdown --metrics noc.replies,noc.request_data" "| noc.replies | 24 | replies |"
says 0 "$RUN --section work,stalls --csv | grep -c '^$'" 2
says 0 "$BOTH --board v100 --metrics cycles --csv" "launch,metric,value,unit"
says 0 "$BOTH --csv --section work" "1,blocks,32,"
says 0 "$RUN --csv=a.csv --markdown=a.md --metrics cycles && head -n 1 a.csv a.md" "| metric | value | unit |"
says 0 "$RUN --csv=- --print y[0] | head -n 1" "metric,value,unit"
says 0 "$RUN -q --csv=b.csv --section stalls && head -n 1 b.csv" "stall,percent,cycles_per_instruction,meaning"
says 2 "$RUN --csv --markdown" "'--csv -' writes this file too"
says 2 "$RUN --csv=same.md --markdown=same.md" "'--csv same.md' writes this file too"
says 2 "$MIX --csv=x.npy" "'x.npy' is read, and is not replaced"
says 2 "$RUN --metrics l1.hitrate" "did you mean 'l1.hit_rate'?"
says 2 "$RUN --metrics cycles,," "expected the name of a metric"
says 2 "$RUN --metrics 'zzz*'" "'heddle doc counters' lists them"
says 2 "$RUN --metrics line.sectors" "has a value for each line: --section lines"
says 2 "heddle run classic/saxpy --metrics cycles" "--metrics is for timed launches"
says 0 "$RUN,a100 --csv | head -n 1" "section,name,unit,v100,a100"
says 2 "$RUN,a100 --metrics cycles" "--metrics takes one board at a time"
says 0 "heddle doc counters 'l1.*_rate'" "l1.hit_rate"
echo ".kernel k
        bar.sync 0
        ld.global.b32 r0, [r2]
        exit" >faulty.hd
says 1 "heddle run faulty.hd --grid 1 --block 32 --board v100 --csv=fault.csv" "out_of_bounds"
holds "after a fault there is no table" "[ ! -e fault.csv ]"

# ---- recordings ----
says 0 "heddle run classic/saxpy --board teach8 -q --record r.jsonl --trace t.json && wc -l <r.jsonl" "$(
    heddle run classic/saxpy --board teach8 --record - | sed -nE '1s/.*"events":([0-9]+).*/\1/p' | awk '{ print $1 + 1 }')"
says 0 "python3 -c 'import json; [json.loads(l) for l in open(\"r.jsonl\")]; print(len(json.load(open(\"t.json\"))))'" 2
says 0 "heddle run classic/saxpy --board teach8 --record -:50..60 | tail -n 1" '"cycle":59,'
says 1 "heddle run faulty.hd --grid 1 --block 32 --board v100 --record f.jsonl" "out_of_bounds"
holds "a recording ends with the fault" "tail -n 3 f.jsonl | grep -q '\"pc\":1,'"
says 2 "heddle run classic/saxpy --record r.jsonl" "--record is for timed launches: give the machine with --board"
says 2 "heddle run classic/saxpy --board teach8 --repeat 2 --trace t.json" "--trace is of one launch, and --repeat makes several"
says 2 "heddle run classic/saxpy --board teach8,v100 --trace t.json" "--trace takes one board at a time"
says 2 "heddle run classic/saxpy --board teach8 --record x --trace x" "'--record x' writes this file too"
says 2 "heddle run classic/saxpy --board teach8 --record x:9..9" "no cycle is in it"
says 2 "heddle run classic/saxpy --board teach8 --record x:1..9 --trace y:1.." "--record has given other cycles"
says 2 "heddle run classic/saxpy --board teach8 --record :1..9" "expected FILE or FILE:FROM..TO"
says 2 "heddle run classic/saxpy --board teach8 --record x:99999999999999999999.." "expected a whole number"
holds "nothing was written" "[ ! -e x ] && [ ! -e y ]"

# ---- the manual ----
says 0 "heddle doc counters l1.hit_rate" "= 100 * (l1.hits + l1.pending_hits) / l1.load_sectors"
says 0 "heddle doc counters l1" "l1.evictions"
says 0 "heddle doc counters traffic" "traffic.dram_read_bytes"
says 0 "heddle doc counters --markdown" '| `dram.row_hits` | bursts |'
says 2 "heddle doc counters l1.hitrate" "did you mean 'l1.hit_rate'?"
says 2 "heddle doc counters zzz" "'heddle doc counters' lists them"

# ---- lines of macros and repeats: as their arguments make them, rounds added up ----
cat >fold.hd <<'END'
.macro FOLD op
        .repeat 5, k
        shfl.bfly.b32 v, w, 16 >> \k  ; the other half
        \op           w, w, v
        .endrepeat
.endmacro
.kernel fold
.param y : f32[32]
.reg t, v, w, at:2
        s2r           t, %tid.x
        cvt.rn.f32.u32 w, t
        FOLD          max.f32
        FOLD          add.f32
        ld.param.b64  at, [y]
        mad.wide.u32  at, t, 4, at
        st.global.b32 [at], w
        exit
END
FOLD="heddle run fold.hd --block 32 --warp 32 --out y=f32[32]:y.npy"
shows 0 "$FOLD --section lines | sed -n '/ line /,/exit/p'" <<'END'
  line  used  rounds  issued   share  source
    10     -       1       1   3.8 %  s2r t, %tid.x
    11     -       1       1   3.8 %  cvt.rn.f32.u32 w, t
     3    12       5       5  19.2 %  shfl.bfly.b32 v, w, 16 >> 0..4
     4    12       5       5  19.2 %  max.f32 w, w, v
     3    13       5       5  19.2 %  shfl.bfly.b32 v, w, 16 >> 0..4
     4    13       5       5  19.2 %  add.f32 w, w, v
    14     -       1       1   3.8 %  ld.param.b64 at, [y]
    15     -       1       1   3.8 %  mad.wide.u32 at, t, 4, at
    16     -       1       1   3.8 %  st.global.b32 [at], w
    17     -       1       1   3.8 %  exit
END
says 0 "$FOLD --section lines --csv" '3,12,5,5,19.2307692308,"shfl.bfly.b32 v, w, 16 >> 0..4"'
holds "each round with --details" "test \$($FOLD --section lines --details | grep -c 'max.f32 w, w, v') -eq 5"
says 0 "$FOLD --section lines --details" "shfl.bfly.b32 v, w, 16 >> 3"
says 0 "$FOLD --board teach32" "4 x5"
says 0 "$FOLD --explain 4" "line 4, round 1 of 5: max.f32 w, w, v"
says 0 "$FOLD --explain 4" "lane   w   v  new w"
says 0 "$FOLD --explain 4" "8 more rounds of repeated lines: --details shows them"
says 0 "$FOLD --explain 4 --details" "line 4, round 5 of 5: add.f32 w, w, v"
$FOLD --board teach32 --json a.json -q && $FOLD --board teach32 --set latency.shfl=40 --json b.json -q
says 1 "heddle diff a.json b.json" "max.f32 w, w, v"
holds "a comparison by rounds" "heddle diff a.json b.json | grep -q '^ *4 x5  .*max'"
says 0 "heddle asm fold.hd -o fold.hdo && heddle run fold.hdo --block 32 --warp 32 --out y=f32[32]:y.npy --profile" \
    "shfl.bfly.b32 r1, r2, 16"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
