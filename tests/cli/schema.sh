#!/bin/sh
# Has each JSON output the form of its schema, and would the schema find a mistake in any of its members?
set -u
top=$PWD
. "$top/tests/lib/cli.sh"
. "$top/tests/lib/schema.sh"

# ---- the command ----
says 0 "heddle schema" "heddle-run-2 "
says 0 "heddle schema run" '"title": "heddle-run-2"'
holds "a format has one schema, by either name" '[ "$(heddle schema run)" = "$(heddle schema heddle-run-2)" ]'
says 2 "heddle schema rnu" "there is no format 'rnu'; did you mean 'run'?"
says 2 "heddle schema heddle-run-9" "did you mean 'heddle-run-2'?"
says 2 "heddle schema run diff" "one format at a time"

if [ -z "$python" ]; then
    echo "skipped: outputs are not compared, python3-jsonschema is missing"
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
fi

# ---- outputs: makes STATUS FORMAT COMMAND, where OUT is the file ----
n=0
made() { # made STATUS FORMAT COMMAND: which writes this format to OUT
    n=$((n + 1))
    out=$work/$n-$2.json
    sh -c "$(echo "$3" | sed "s|OUT|$out|")" >got 2>&1 </dev/null
    status=$?
    if [ "$status" -ne "$1" ]; then
        bad "exit status $status, not $1: $3"
    elif ! grep -q "\"format\": *\"heddle-$2-[0-9]*\"" "$out"; then
        bad "no format heddle-$2 in what this writes: $3"
    else
        ok
    fi
}
made 0 run "heddle run classic/saxpy --json OUT"
made 0 run "heddle run classic/saxpy --board teach32 --json OUT"
made 0 run "heddle run classic/saxpy --repeat 2 --board teach32 --set sms=1 --json OUT"
made 0 run "heddle run classic/saxpy --block 32 --in x=f32[32]:iota --inout y=f32[32]:iota:y.npy --arg a=2 --arg n=32 \
    --check=all --json OUT"
cat >away.hd <<'END'
.kernel away
.param y : u32[]
.shared all : u32[4]
.reg t, v, p:2
        s2r           t, %tid.x
        st.shared.b32 [all], t
        ld.shared.b32 v, [all]
        ld.param.b64  p, [y]
        mad.wide.u32  p, t, 4, p
        st.global.b32 [p], v
        exit
END
sed '/mad.wide/d' away.hd >late.hd
late="--block 64 --out y=u32[64]:y.npy"
made 0 run "heddle run late.hd $late --json OUT"
made 1 run "heddle run late.hd $late --check=race,init --json OUT"
made 1 run "heddle run late.hd $late --check=race --board teach32 --json OUT"
made 1 run "heddle run away.hd --block 64 --out y=u32[8]:y.npy --json OUT"
made 1 run "heddle run late.hd $late --schedule=all --json OUT"
made 0 run "heddle run late.hd --block 32 --out y=u32[64]:y.npy --schedule=all:3 --json OUT"
made 0 run "heddle run away.hd $late --explain 10 --board teach32 --json OUT"
made 0 run "heddle run away.hd $late --explain 5 --json OUT"
a=$work/1-run.json b=$work/2-run.json c=$work/3-run.json f=$work/8-run.json

made 0 recording "heddle run classic/saxpy --board teach32 -q --record - | head -n 1 >OUT"
heddle run classic/saxpy --board teach8 -q --record saxpy.jsonl
made 0 replay "heddle replay saxpy.jsonl --json - | head -n 1 >OUT"
made 0 replay "heddle replay saxpy.jsonl --at 100 --json - | head -n 1 >OUT"
made 0 board "heddle board teach32 --json OUT"
made 0 board "heddle board a100 --set sms=40 --json OUT"

made 0 runs "heddle run classic/saxpy --board teach8,teach32 --json OUT"
launch="--block 32 --in x=f32[32]:iota --inout y=f32[32]:iota --arg a=2 --arg n=32"
made 0 shares "heddle run classic/saxpy $launch --grid 2 --block 16 --board teach32 --boards 2 --link pcie4 --gather nvlink3 --json OUT"
made 0 shares "heddle run classic/saxpy $launch --grid 2 --block 16 --board teach32 --boards 2 --json OUT"
made 0 beside "heddle run classic/saxpy $launch --board teach32 --beside 'classic/saxpy $launch' --json OUT"
made 0 boards "heddle board teach8 teach32 --json OUT"
made 0 study-memory "heddle study memory --requests 200 --json OUT"
made 0 study-boards "heddle study boards --board teach32 --size 64,64,16 --boards 1,2 --json OUT"
made 0 memory "echo 'LD 0x40' | heddle memory replay - --json OUT"
made 0 board-peaks "heddle board peaks teach8 a100 --json OUT"
made 0 board-links "heddle board links --json OUT"
made 0 boards "heddle board teach8 teach32 a100 --all --json OUT"
made 0 diff "heddle diff $a $a --json OUT"
made 1 diff "heddle diff $a $b --json OUT"
made 1 diff "heddle diff $b $c --json OUT"
made 1 diff "heddle diff $b $c $f --json OUT"
made 1 diff "heddle diff $b $b --fail-if 'cycles > -90%' --fail-if 'cycles > 1' --fail-if 'cycles < 1' --json OUT"

made 0 test "heddle test $top/kernels/classic/saxpy.hd --json OUT"
sed 's/^;! expect.*/;! expect y = 7/' "$top/kernels/classic/saxpy.hd" >wrong.hd
made 2 test "heddle test wrong.hd late.hd --json OUT"
made 0 lesson "heddle lesson 1 --check $top/kernels/lessons/01-guards/reference.hd --json OUT"
mkdir class && cp wrong.hd "$top"/kernels/lessons/01-guards/*.hd class
made 1 lesson "heddle lesson 1 --check class --json OUT"
echo "ada,$(heddle lesson 1 --hand-in class/starter.hd)" >class/form.csv
made 1 lesson "heddle lesson --check class --json OUT"

cp "$top"/tests/fixtures/prove/*.hd .
runs="--buffers in:src=u32[700],dst=u32[700] --arg count=700 --grid 6 --block 128"
made 0 prove "heddle prove reorder/shared_linear reorder/transit1 $runs --warp all --json OUT"
made 1 prove "heddle prove reorder/shared_linear transit_order.hd $runs --json OUT"
made 0 prove "heddle prove reorder/shared_linear reorder/transit1 $runs --board v100 --set sms=7 --json OUT"
made 0 voxelize "heddle voxelize street --grid 16,16,4 -o x.npy --json OUT"
made 0 voxelize "heddle voxelize street --grid 16,16 --crop 8,8 --json OUT"

# ---- studies ----
cat >inputs.lua <<'END'
local context = require "heddle".new()
local function save(name, kind, shape, of)
    context:buffer(name, kind, shape):set(of):save(name .. ".npy")
end
save("mask", "bool", {1, 1, 32, 32}, function(i) return (i * 7919 >> 3) % 3 == 0 end)
save("x", "f32", {1, 2, 16, 16}, function(i) return (i * 7919 >> 4) % 13 == 0 and 1.5 or 0 end)
save("weight", "f32", {4, 2, 3, 3}, function(i) return i % 5 end)
END
heddle lua inputs.lua
conv="heddle study spconv --x x.npy --weight weight.npy --board teach32"
made 0 study-reorder "heddle study reorder --json OUT"
brief=${SAN:+--brief} # without it the search for crossovers, which takes long in a build with sanitizers
made 0 study-reorder "heddle study reorder --board teach8 $brief --json OUT"
made 0 study-reorder "heddle study reorder --board teach8 --method transit1 --json OUT"
made 0 study-mask "heddle study mask --mask mask.npy --json OUT"
made 0 study-mask "heddle study mask --board teach32 --brief --text made --length 32 --elements 1024 --json OUT"
made 0 study-spconv "$conv --json OUT"
made 0 study-spconv "$conv --dtype fp16 --crossover --json OUT"
made 0 study-gemm "heddle study gemm --size 128,128,64 --board h100 --uncertainty 1 --json OUT"
made 0 study-rfft "heddle study rfft --json OUT"
made 0 study-rfft "heddle study rfft --board v100 --set sms=7 --json OUT"
made 0 study-calibrate "heddle study calibrate --board a100 --group 'Bank conflicts' --json OUT"
heddle sweep run classic/saxpy --board teach32 --over sms=1,2 -o points.db >got || bad "no points"
made 0 results "heddle results points.db --json OUT"

# ---- by their schemas ----
for format in $(heddle schema | cut -d ' ' -f 1); do
    short=${format#heddle-}
    [ "$short" != study-claims-2 ] || continue # tests/studies/verdicts.sh runs that study, which takes long, and validates it
    ls ./*-"${short%-*}.json" >got 2>&1 || bad "no output of the format $format was tried"
    holds "$format says its version, and heddle's" "[ \$(grep -lE '^  \"heddle\": \"[0-9.]+\"' \$(cat got) | wc -l) = \$(wc -l <got) ]"
done
valid 2000 ./*-*.json
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
