#!/bin/sh
# Does `heddle prove` prove every reorder equal to the shared-memory one at every width, find the one that is wrong, and
# report its answer in words and by its exit status?
#
#   HEDDLE=build/heddle sh tests/prove/prove.sh
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/../lib/cli.sh"
widest=100

cp "$root"/tests/fixtures/prove/*.hd .
mkdir reorder lib
cp "$root"/kernels/reorder/*.hd reorder
cp "$root"/kernels/lib/reorders.hd lib

# ---- reorders ----
runs="--buffers in:src=u32[700],dst=u32[700] --arg count=700 --grid 6 --block 128"
for kernel in reorder/*.hd; do
    for width in 8 16 32 64; do
        says 0 "heddle prove reorder/shared_linear.hd $kernel $runs --warp $width" \
            "warp $width: shared_linear and $(basename "$kernel" .hd) are equal for all inputs"
    done
done
says 0 "heddle prove reorder/shared_linear.hd reorder/transit2.hd --warp all --buffers 'src=f32[700] dst=i32[700]' \
    --arg count=700 --grid 6 --block 128" "warp 64: shared_linear and transit2 are equal for all inputs"
# A grid of another shape does the same work.
says 0 "heddle prove reorder/shared_vector.hd reorder/shuffle2.hd --buffers src=u32[700],dst=u32[700] --arg count=700 \
    --grid-a 6 --block-a 64 --grid-b 3 --block-b 128 --warp 32" "are equal for all inputs"

shows 0 "heddle prove reorder/shared_linear.hd reorder/transit1.hd $runs --warp all" <<'END'
warp 8: shared_linear and transit1 are equal for all inputs
  700 elements of dst: 688 copies of elements, 12 left as they were
    dst[0] = src[0], dst[1] = src[2], dst[2] = src[4], dst[3] = src[6], ...
warp 16: shared_linear and transit1 are equal for all inputs
  700 elements of dst: 672 copies of elements, 28 left as they were
    dst[0] = src[0], dst[1] = src[2], dst[2] = src[4], dst[3] = src[6], ...
warp 32: shared_linear and transit1 are equal for all inputs
  700 elements of dst: 640 copies of elements, 60 left as they were
    dst[0] = src[0], dst[1] = src[2], dst[2] = src[4], dst[3] = src[6], ...
warp 64: shared_linear and transit1 are equal for all inputs
  700 elements of dst: 640 copies of elements, 60 left as they were
    dst[0] = src[0], dst[1] = src[2], dst[2] = src[4], dst[3] = src[6], ...
END

# Pushed in the order r4, r5, r6, r7: parts of k = W/4 lanes, so that lane k/2 is the first to get another value.
for width in 8 16 32 64; do
    lane=$((width / 8))
    broken="heddle prove reorder/shared_linear.hd transit_order.hd $runs --warp $width"
    says 1 "$broken" "  dst[$lane] is the first; "
    says 1 "$broken" "A shared_linear: src[$((2 * lane))], which is 0x"
    says 1 "$broken" "B transit_order: src[$width], which is 0x"
    says 1 "$broken" "stored at transit_order.hd:46 by block 0, warp 0, lane $lane, from r4"
done

# ---- every size ----
sized="--buffers in:src=u32[count],dst=u32[count] --grid 'ceil(count/128)' --block 32 --warp 32"
says 0 "heddle prove reorder/shared_linear.hd reorder/transit1.hd $sized --for count=1.." \
    "for every count from 1 to 4,294,967,295"
says 1 "heddle prove reorder/shared_linear.hd transit_order.hd $sized --for count=1.. --replay shown" " --arg count=64 "
says 2 "heddle prove reorder/shared_linear.hd reorder/transit1.hd $sized --for count=1" "expected NAME=FIRST..LAST"
says 2 "heddle prove reorder/shared_linear.hd reorder/transit1.hd $sized" "expected a number from 1 to 2"

# ---- arithmetic ----
runs="--buffers in:x=u32[100],y=u32[100] --arg n=100 --grid 4 --warp 32 --solver none"
shows 0 "heddle prove affine_fused.hd affine_steps.hd $runs" <<'END'
warp 32: affine_fused and affine_steps are equal for all inputs
  100 elements of y: 100 made of the bits of elements
    y[0..99] = (x[0..99] << 1) + 1
END
shows 1 "heddle prove affine_fused.hd affine_off.hd $runs" <<'END'
warp 32: affine_fused and affine_off are different
  y[0] is the first; 99 others too:
    A affine_fused: (x[0] << 1) + 1, which is 0xf63b9b5f
      stored at affine_fused.hd:6 by block 0, warp 0, lane 0, from v
    B affine_off: add.s32(x[0], 1) << 1, which is 0xf63b9b60
      stored at affine_off.hd:6 by block 0, warp 0, lane 0, from v
  with x[0] = 0x7b1dcdaf
END
shows 0 "heddle prove twice_sum.hd twice_product.hd $runs" <<'END'
warp 32: twice_sum and twice_product are equal for all inputs
  100 elements of y: 100 made of the bits of elements
    y[0..99] = x[0..99] << 1
END
shows 1 "heddle prove carry_sum.hd carry_product.hd $runs" <<'END'
warp 32: carry_sum and carry_product are not proved equal: different expressions,
    though equal on 18 sets of data
  y[0] is the first; 99 others too:
    A carry_sum: add.s32(and(x[0], mul.lo.s32(x[0], 3)), or(x[0], mul.lo.s32(x[0], 3)))
      stored at carry_sum.hd:8 by block 0, warp 0, lane 0, from v
    B carry_product: x[0] << 2
      stored at carry_product.hd:5 by block 0, warp 0, lane 0, from v
END
says 0 "heddle prove swap_prmt.hd swap_shift.hd $runs" "y[0..99] = {0..15: bits 16..31 of x[0..99]; 16..31: bits 0..15 of x[0..99]}"
says 0 "heddle prove clamp_select.hd clamp_guard.hd $runs" "y[0..99] = min.u32(x[0..99], 100)"
shows 0 "heddle prove clamp_select.hd clamp_branch.hd $runs" <<'END'
warp 32: clamp_select and clamp_branch are equal for all inputs
  clamp_branch: line 5, `@q bra small`, branches on x[0]: both sides were followed
  100 elements of y: 100 computed
    y[0..99] = min.u32(x[0..99], 100)
END
says 0 "heddle prove clamp_select.hd clamp_branch.hd $runs --json -" '"paths": 1'
says 2 "heddle prove clamp_select.hd clamp_branch.hd $runs --bound -1" "expected a whole number"
shows 1 "heddle prove clamp_select.hd clamp_branch.hd $runs --bound 0" <<'END'
warp 32: clamp_select and clamp_branch are equal on 18 sets of data, not proved for all inputs,
    because their control flow is data-dependent
  clamp_branch: line 5, `@q bra small`, branches on x[0]
END
says 0 "heddle prove clamp_select.hd clamp_min.hd $runs" "are equal for all inputs"
says 1 "heddle prove unwritten.hd unwritten.hd $runs" "they depend on values that were never written"
says 1 "heddle prove unwritten.hd unwritten.hd $runs" "add.s32(x[0], never (never written, of A))"

# ---- an assumption ----
for order in "t, v, 1.0|add.f32     v, t, v" "t, v, v|add.f32     v, t, 1.0"; do
    sed "s/^\\( *\\)add.u32 .*v, v, v/\\1add.f32     ${order%|*}\\n\\1${order#*|}/; s/twice_sum/sum$((n = ${n:-0} + 1))/" twice_sum.hd >sum$n.hd
done
says 1 "heddle prove sum1.hd sum2.hd $runs" "sum1 and sum2 are different"
shows 0 "heddle prove sum1.hd sum2.hd $runs --assume reassociation" <<'END'
warp 32: sum1 and sum2 are equal for all inputs,
    assuming that floating-point sums may be reassociated
  100 elements of y: 100 computed
  y[0..99]: equal under reassociation of add.f32 (100 elements)
    y[0..99] = add.f32(x[0..99], x[0..99], 0x3f800000)
END
says 0 "heddle prove sum1.hd sum2.hd $runs --assume reassociation --json - | tr -d ' \n'" '"assumed":["reassociation"]'
says 0 "heddle prove sum1.hd sum1.hd $runs --assume reassociation --json - | tr -d ' \n'" '"assumed":[]'
says 2 "heddle prove sum1.hd sum2.hd $runs --assume anything" "expected reassociation"
sed 's/^\( *\)st.global/\1mul.f32.rm  v, v, 1.0\n&/; s/sum2/sum3/' sum2.hd >sum3.hd # the same, which is not known
says 1 "heddle prove sum1.hd sum3.hd $runs" "sum1 and sum3 are different"
says 1 "heddle prove sum1.hd sum3.hd $runs --assume reassociation" "    though 26 sets of data show nothing but what the order of sums explains,"
says 0 "heddle prove sum1.hd sum3.hd $runs --assume reassociation --json - | tr -d ' \n'" '"assumed":["reassociation"]'
sed '/mul.f32/s/1.0/2.0/; s/sum3/sum4/' sum3.hd >sum4.hd
says 1 "heddle prove sum1.hd sum4.hd $runs --assume reassociation" "sum1 and sum4 are different, in any order of floating-point sums"

# ---- no memory for the registers and local memory of a block, where checkers have some ----
cat >local.hd <<'END'
.kernel spill
.param y : u32[]
.local own : u32[4096]
.reg t, v, p:2
        s2r t, %tid.x
        ld.param.b64 p, [y]
        mad.wide.u32 p, t, 4, p
        st.local.b32 [own], t
        ld.local.b32 v, [own]
        st.global.b32 [p], v
        exit
END
for limit in 1000K 1500K 2000K 2500K; do
    says 2 "heddle prove local.hd local.hd --buffers y=u32[64] --block 64 --warp 32 --solver none --max-memory $limit" \
        "that max-memory allows"
done

# ---- solvers: any program that reads SMT-LIB 2, by its name or path ----
plain=${runs% --solver none}
says 2 "heddle prove carry_sum.hd carry_product.hd $plain --solver nothing-of-that-name" "no such program"
says 2 "heddle prove carry_sum.hd carry_product.hd $plain --solver-time 0" "expected seconds, more than 0"
solver() { # solver NAME: a program with these lines
    { echo '#!/bin/sh'; cat; } >"$1"
    chmod +x "$1"
}
solver silent </dev/null
solver no_solver <<'END'
echo "(error \"what is this?\")"; echo unsat
END
solver unsure <<'END'
echo unknown
END
solver wrong <<'END'
if grep -q get-value; then echo "sat ((v0 #x00000007))"; else echo sat; fi
END
for name in silent no_solver unsure; do
    holds "$name did not decide it, though it had time" "! heddle prove carry_sum.hd carry_product.hd $plain \
        --solver ./$name >got && grep -q '; $name did not decide it\$' got"
done
says 1 "heddle prove carry_sum.hd carry_product.hd $plain --solver ./wrong" "on 19 sets of data; data of wrong show no difference"
solver once <<'END'
if grep -q get-value; then echo unknown; else echo sat; fi
END
says 1 "heddle prove carry_sum.hd carry_product.hd $plain --solver ./once" "though equal on 18 sets of data; once gave no data in time"
says 1 "heddle prove carry_sum.hd carry_product.hd $plain --solver ./wrong --json - | grep -A 5 '\"solver\"'; exit 1" '"answer": "candidate"'
# An endless solver is ended, in time, and so is the program that it is in when that gets a signal to end.
solver sleeper <<'END'
echo $$ >pid
exec sleep 1000
END
gone() { holds "the solver is gone" 'n=0; while kill -0 $(cat pid) 2>/dev/null; do n=$((n + 1)); [ $n -lt 50 ] || exit 1; sleep 0.1; done'; }
says 1 "timeout 20 heddle prove carry_sum.hd carry_product.hd $plain --solver ./sleeper --solver-time 0.3" "did not decide it in time"
gone
rm pid
holds "a signal ends both" "{ heddle prove carry_sum.hd carry_product.hd $plain --solver ./sleeper --solver-time 100 & } 2>/dev/null
    while [ ! -s pid ]; do sleep 0.1; done; kill -TERM \$!; wait \$! || true"
gone
if setpriv --pdeathsig KILL true 2>/dev/null; then
    rm pid
    holds "so does the end of heddle alone" "{ heddle prove carry_sum.hd carry_product.hd $plain --solver ./sleeper --solver-time 100 & } 2>/dev/null
    while [ ! -s pid ]; do sleep 0.1; done; kill -KILL \$!; wait \$! || true"
    gone
fi
sed 's/^  *add.u32  *v, v, v.*/        rem.u32 t, v, 5\nloop:   setp.eq.s32 q, t, 0\n@q      bra on\n        add.u32 v, v, v\n        sub.s32 t, t, 1\n        bra loop\non:/' \
    twice_sum.hd >count_down.hd
# Labels and names of a thousand letters.
sed "s/\<on\(:\{0,1\}\)$/$(printf %1000s | tr ' ' L)\1/; s/element  *twice_sum/element $(printf %1000s | tr ' ' k)/" count_down.hd >long.hd
says 1 "heddle prove long.hd long.hd $runs | cat; exit 1" '`@q bra LLLLLLLLLLLLLLLLLLLLLLLLLLLLL...`'
holds "lines of long names are short" "! heddle prove long.hd long.hd $runs | grep -q '.\{101\}'"
if command -v z3 >/dev/null; then
    shows 0 "heddle prove carry_sum.hd carry_product.hd $plain" <<'END'
warp 32: carry_sum and carry_product are equal for all inputs (decided by z3)
  100 elements of y: 100 computed
    y[0..99] = add.s32(and(x[0..99], mul.lo.s32(x[0..99], 3)), or(x[0..99], mul.lo.s32(...)))
END
    says 1 "heddle prove unwritten.hd unwritten.hd $plain" "they depend on values that were never written"
    # A loop that counts down from data: only the solver proves that it ends.
    says 0 "heddle prove count_down.hd count_down.hd $plain" "branches on x[0]: both sides were followed"
    says 1 "heddle prove count_down.hd count_down.hd $runs" "is repeated more often than the bound, depending on x[0]"
    # Found among 2^32 values, and run.
    sed 's/element  *twice_sum/element     twice_but/; s/^\( *add.u32  *\)v, v, v.*/&\n        mul.lo.u32    t, v, 0x9e3779b1\n        setp.eq.u32   q, t, 0x5ca1ab1e\n@q      add.u32       v, v, 1/' twice_sum.hd >twice_but.hd
    says 1 "heddle prove twice_sum.hd twice_but.hd $plain" "warp 32: twice_sum and twice_but are different (on data of z3)"
    says 1 "heddle prove twice_sum.hd twice_but.hd $runs" "not proved equal"
    solver z3-counted <<'END'
echo run >>runs
exec z3 "$@"
END
    says 1 "heddle prove twice_sum.hd twice_but.hd $plain --solver ./z3-counted" "are different (on data of z3-counted)"
    holds "one run of z3 has the model too" '[ "$(grep -c run runs)" = 1 ]'
else
    echo "skipped: what a solver decides, z3 is missing (make test ONLY=prove.sh gets it)"
fi

# ---- limits ----
sed 's/^  *add.u32  *v, v, v.*/        mov.b32 t, 0\nloop:   mul.hi.u32 v, v, v\n        add.u32 v, v, t\n        add.u32 t, t, 1\n        setp.lt.u32 q, t, 200000\n@q      bra loop/' \
    twice_sum.hd >slow.hd
says 1 "heddle prove slow.hd slow.hd $runs --max-time 0.3" "twice_sum and twice_sum are undecided: no answer within 0.3 s"
says 1 "heddle prove slow.hd slow.hd $runs --max-time 0.3" "  it ended while "
says 1 "heddle prove slow.hd slow.hd $runs --max-time 0.3 --json - | tr -d ' \n'; exit 1" '"undecided":"time"'
says 1 "heddle prove slow.hd slow.hd $runs --max-time 0.2 --warp all" "warp 64: twice_sum and twice_sum are undecided"
says 2 "heddle prove slow.hd slow.hd $runs --max-time 0" "expected seconds, more than 0"
says 0 "heddle prove twice_sum.hd twice_product.hd $runs --max-time 100" "are equal for all inputs"
# Time of a solver counts as well; and a difference that was found is shown, however late.
says 1 "timeout 60 heddle prove carry_sum.hd carry_product.hd $plain --solver ./sleeper --max-time 2" "it ended while asking sleeper"
gone
# Ctrl-C: the status that shells expect, no file, and no solver that runs on.
says 130 "env --default-signal=INT timeout --foreground --preserve-status -s INT 1 heddle prove slow.hd slow.hd $runs --json slow.json" \
    "heddle: error: interrupted"
rm -f pid
says 130 "env --default-signal=INT timeout --foreground --preserve-status -s INT 1 heddle prove carry_sum.hd carry_product.hd $plain \
    --solver ./sleeper --solver-time 100 --json slow.json" "heddle: error: interrupted"
gone
holds "no file is left" '[ ! -e slow.json ] && [ -z "$(find . -name "*.heddle-*")" ]'
# A line on a terminal after a second, and nothing elsewhere.
if command -v script >/dev/null; then
    says 1 "script -qec 'heddle prove slow.hd slow.hd $runs --max-time 3' /dev/null" "twice_sum, "
fi
# A loop that is never left is named, long before its instructions have been followed.
sed 's/^  *add.u32  *v, v, v.*/&\nloop:   add.u32 v, v, 1\n        bra loop/' twice_sum.hd >endless.hd
says 1 "heddle prove twice_sum.hd endless.hd $runs" "heddle: kernel 'twice_sum' does not leave the loop of lines "
sed 's/^  *add.u32  *v, v, v.*/        mul.lo.u32 t, v, 0x9e3779b1\n        setp.ne.u32 q, t, 0x5ca1ab1e\n@q      bra on\nloop:   add.u32 v, v, 1\n        bra loop\non:/' \
    twice_sum.hd >rarely.hd
says 1 "heddle prove rarely.hd rarely.hd $runs" "continues in a loop whose end was not reached, depending on x[0]"

# ---- a difference can be run ----
says 1 "heddle prove affine_fused.hd affine_off.hd $runs --replay 'the data'" "  heddle run affine_off.hd --grid 4,1,1 --warp 32 --arg n=100"
grep '^  heddle run' got >commands
holds "two commands are printed" '[ $(wc -l <commands) = 2 ]'
holds "the commands run" "sh -e commands"
holds "and leave different bytes" "! cmp 'the data/y_a.npy' 'the data/y_b.npy'"
says 2 "heddle prove affine_fused.hd affine_off.hd $runs --replay 'the data'" "this folder is not empty"
says 2 "heddle prove affine_fused.hd affine_off.hd $runs --replay affine_off.hd" "affine_off.hd"
mkdir empty
says 0 "heddle prove affine_fused.hd affine_steps.hd $runs --replay empty" "are equal for all inputs"
holds "nothing is written without a difference" '[ -z "$(ls empty)" ]'

# ---- the machine's own words, and files ----
shows 0 "heddle prove affine_fused.hd affine_steps.hd $runs -q" </dev/null
says 0 "heddle prove affine_fused.hd affine_steps.hd $runs --json -" '"format": "heddle-prove-2"'
says 0 "heddle prove affine_fused.hd affine_steps.hd $runs --json -" '"verdict": "equal"'
holds "what --set changed stands above" "heddle prove affine_fused.hd affine_steps.hd $runs --board v100 --set sms=7 | head -n 2 |
    tr '\n' ' ' | grep -qx 'board v100   with sms=7 '"
says 0 "heddle prove affine_fused.hd affine_steps.hd $runs --set sms=7 --json - | tr -d ' \n'" '"settings":{"sms":7}'
says 1 "heddle prove affine_fused.hd affine_off.hd $runs --json proof.json" "are different"
says 0 "cat proof.json" '"register": "r2"'
says 2 "heddle prove affine_fused.hd affine_off.hd $runs --json affine_off.hd" "is read, and is not replaced"
says 2 "heddle prove affine_fused.hd affine_off.hd $runs --json ''" "--json: error: expected a file"
says 2 "heddle prove affine_fused.hd affine_off.hd $runs --replay ''" "--replay: error: expected a folder"
says 0 "cat proof.json" '"bits": "0xf63b9b5f"'

# ---- mistakes ----
shows 2 "heddle prove affine_fused.hd affine_steps.hd --buffers x=u32[100],y=u33[100] --arg n=100" <<'END'
heddle: error: buffer 'y': unknown type 'u33'; did you mean 'u32'?
END
shows 2 "heddle prove affine_fused.hd affine_steps.hd --buffers x=u32[100] --arg n=100" <<'END'
affine_fused.hd: error: kernel 'affine_fused': parameter 'y : u32[n]' is not given
affine_fused.hd: kernel 'affine_fused' takes x : u32[n], y : u32[n], n : u32
END
shows 2 "heddle prove affine_fused.hd affine_steps.hd --buffers x=u32[100],y=u32[99] --arg n=100" <<'END'
affine_fused.hd: error: kernel 'affine_fused': parameter 'y : u32[n]' needs at least 100 elements, and buffer 'y' has 99
END
shows 2 "heddle prove affine_fused.hd affine_steps.hd --buffers x=f32[100],y=u32[100] --arg n=100" <<'END'
affine_fused.hd: error: kernel 'affine_fused': parameter 'x : u32[n]' takes elements of type u32, and buffer 'x' holds f32
affine_fused.hd: kernel 'affine_fused' takes x : u32[n], y : u32[n], n : u32
END
shows 2 "heddle prove affine_fused.hd affine_steps.hd $runs --entry-b afine_steps" <<'END'
affine_steps.hd: error: there is no kernel 'afine_steps'; did you mean 'affine_steps'?
affine_steps.hd: its kernels are 'affine_steps'
END
shows 2 "heddle prove affine_fused.hd affine_steps.hd --buffers in:x=u32[100],in:y=u32[100] --arg n=100 --grid 4 --warp 32" <<'END'
affine_fused.hd: error: kernel 'affine_fused' writes to buffer 'y', which is given as an input only
END
shows 2 "heddle prove affine_fused.hd affine_steps.hd --buffers x=u32[100],of:y=u32[100]" <<'END'
--buffers: error: expected in, inout, out or scratch
    --buffers x=u32[100],of:y=u32[100]
                         ^~
END
shows 2 "heddle prove affine_fused.hd affine_steps.hd --buffers x=u32[100],x=u32[100]" <<'END'
--buffers: error: 'x' was given before
    --buffers x=u32[100],x=u32[100]
                         ^
END
shows 2 "heddle prove affine_fused.hd affine_steps.hd --buffers x=u32" <<'END'
--buffers: error: expected NAME=TYPE[SHAPE], such as src=u32[128]
    --buffers x=u32
              ^~~~~
END
shows 2 "heddle prove affine_fused.hd affine_steps.hd --buffers 'x=u32[1]y=u32[1]'" <<'END'
--buffers: error: expected ',' and another buffer
    --buffers x=u32[1]y=u32[1]
                      ^
END
says 2 "heddle prove affine_fused.hd" "which files?"
says 2 "heddle prove affine_fused.hd affine_steps.hd twice_sum.hd" "two files are compared"
says 2 "heddle prove affine_fused.hd nothing.hd $runs" "nothing.hd"
says 2 "heddle prove affine_fused.hd affine_steps.hd $runs --warp 12" "expected 8, 16, 32 or 64"
says 1 "heddle prove affine_fused.hd affine_steps.hd $runs --max-instructions 10" "instruction_limit"
printf '.kernel a\n.warp 8\n exit\n' >a.hd
printf '.kernel b\n.warp 64\n exit\n' >b.hd
says 2 "heddle prove a.hd b.hd --warp all" "no warp width that both kernels allow"
says 2 "heddle prove a.hd b.hd" "different warp widths"
shows 0 "heddle prove a.hd a.hd" <<'END'
warp 8: a and a are equal for all inputs
  neither writes to a buffer that is compared
END

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
