#!/bin/sh
# Does a command without data run the kernel's own case, and report it?
#
#   HEDDLE=build/heddle sh tests/cli/press.sh
set -u
. "$(dirname "$0")/../lib/cli.sh"

SHORT="| sed '/^ /d; /^\$/d'" # without the tables of the report

# y[i] = a * i + x[i], for one warp
cat >line.hd <<'END'
;! run line block=W
;! in  x : f32[n] = iota
;! out y : f32[n]
;! arg a=2 n=W
;! expect y = (a + 1) * i
;! expect y[0] = 0  -- of one dimension: the first
;! count st.global = 1
;! run twice name=named block=W warp=16,8
;! inout y : u32[W] = fill 3
;! expect y = 6
;! run line block=2*W grid=1 warp=32 board=teach32
;! in  x : f32[n] = expr i % 7
;! out y : f32[n]
;! arg a=1 n=2*W
;! expect y = i + x[i]
;! metric sm.warps ~ 2 tolerance 1
.kernel line
.param x : f32[n]
.param y : f32[n]
.param a : f32
.param n : u32
.reg   i, v, f, px:2, py:2
        s2r           i, %tid.x
        ld.param.b64  px, [x]
        ld.param.b64  py, [y]
        ld.param.b32  f, [a]
        mad.wide.u32  px, i, 4, px
        mad.wide.u32  py, i, 4, py
        ld.global.b32 px, [px]
        cvt.f32.u32   v, i
        fma.f32       v, v, f, px
        st.global.b32 [py], v
        exit
.kernel twice
.param y : u32[]
.reg   i, v, py:2
        s2r           i, %tid.x
        ld.param.b64  py, [y]
        mad.wide.u32  py, i, 4, py
        ld.global.b32 v, [py]
        add.s32       v, v, v
        st.global.b32 [py], v
        exit
END
sed -i 's/^;! expect y\[0\].*$/;! expect y ~ 3*i tolerance 0/; s/^;! metric .*/;! metric sm.slots_issued = 22/' line.hd

shows 0 "heddle run line.hd --engine baseline $SHORT" <<END
line: grid 1, block 32, warp 32, engine baseline
ran case 1 of 3 of line.hd (--case runs another): run line block=W
expectations: 3 of 3 met
END
says 0 "heddle run line.hd --warp 64" "line: grid 1, block 64, warp 64"
says 0 "heddle run line.hd --warp 8" "expectations: 3 of 3 met"
says 0 "heddle run classic/divergence" "expectations: 3 of 3 met"
says 0 "heddle run - <line.hd" "ran case 1 of 3 of - (--case"
shows 0 "heddle run line.hd -q" </dev/null

# ---- which one ----
says 0 "heddle run line.hd --case 2" "twice: grid 1, block 16, warp 16" # the widest of its own
says 0 "heddle run line.hd --case named --warp 8" "expectations: 1 of 1 met"
says 0 "heddle run line.hd --case twice" "ran case 2 of 3"
says 0 "heddle run line.hd --entry twice" "ran case 2 of 3"
says 0 "heddle run line.hd --case line:2" "ran case 3 of 3"
says 0 "heddle run line.hd --case line:2" "line on teach32: grid 1, block 64, warp 32"
says 0 "heddle run line.hd --case 3 --board teach32" "expectations: 2 of 2 met"
says 0 "heddle run line.hd --case 3 --set sms=1" "expectations: 1 of 1 met" # another board: not its metric
says 0 "heddle run line.hd --case 3 --functional" "expectations: 1 of 1 met"
says 2 "heddle run line.hd --case 1 --metrics l1" "--metrics is for timed launches: give the machine with --board"
# A case's board is as good as --board for all that needs a clock, and for commands that take the options of run.
while read -r option; do
    sh -c "heddle run line.hd --case 3 --board teach32 $option" >want 2>&1
    holds "$option is accepted" "! grep -q error: want"
    shows 0 "heddle run line.hd --case 3 $option" <want
done <<'END'
--metrics l1
--section traffic
--trace -
--threads 2
--caches warm
--max-cycles 100000
--explain 29
--explain worst
--profile
--csv
END
says 2 "heddle run line.hd --case 3 --functional --metrics l1" "--metrics is for timed launches: --functional runs without"
says 1 "heddle run line.hd --case 3 --max-cycles 9" "the launch has run for 9 cycles"
says 0 "heddle run line.hd --case 3 --record -" '"board":"teach32"'
says 0 "heddle run line.hd --case 3 --konata -" "Kanata"
says 0 "echo where | heddle debug line.hd --case 3" "kernel 'line' on teach32, warps of 32 lanes"
says 0 "echo where | heddle debug line.hd" "kernel 'line' on teach32"
says 0 "heddle sweep run line.hd --case 3 --over threads=1,2 --caches warm -o warm.db" "1 run, 1 were there"
says 2 "heddle sweep run line.hd --case 1 --over threads=1,2 --caches warm -o cold.db" "--caches warm is for timed launches"
says 2 "heddle run line.hd --case 3 --schedule all" "the clock of 'teach32' decides which warp runs when; functional (--functional)"
says 0 "heddle run line.hd --case 3 --schedule all --functional" "every order of warps leaves the same bytes"
says 0 "heddle run line.hd --board v100" "line on v100: grid 1, block 32, warp 32"
says 0 "heddle run line.hd --board teach8" "line on teach8: grid 1, block 8, warp 8"
says 0 "heddle run line.hd --case 2 --warp 32" "expectations: not checked"
for which in 4 0 lime line:3 '' 2.5; do
    near=
    case $which in lim* | line*) false ;; esac || near=" did you mean 'line'?"
    shows 2 "heddle run line.hd --case '$which'" <<END
line.hd: error: there is no case '$which';$near the file's cases are 1 line:1, 2 named, 3 line:2
END
done
says 2 "heddle run line.hd --case 1 --entry twice" "--case names a kernel with its case; leave out --entry"
printf '.kernel k\n        exit\n' >bare.hd
says 0 "heddle run bare.hd" "k: grid 1"
says 2 "heddle run bare.hd --case 1" "bare.hd: error: the file has no case: no line ';! run'"
heddle asm line.hd -o line.hdo
says 2 "heddle run line.hdo --entry line" "parameter 'x : f32[n]' is not given"
says 2 "heddle run line.hdo --entry line --in x=f32[9]:iota --out y=f32[8]" "'n : u32' is not given; n=9 fits x : f32[n]"

# ---- what options replace ----
shows 0 "heddle run line.hd --case 1 --arg n=99 --arg a=3 --block 64 --grid 2 $SHORT | sed -n 2p" <<END
ran case 1 of 3 of line.hd with other n, a, grid, block (--case runs another): run line block=W
END
says 0 "heddle run line.hd --out y=y.npy" "wrote y = f32[32] to y.npy"
says 0 "heddle run line.hd --out y=y.npy" "expectations: 3 of 3 met"
says 0 "heddle run line.hd --case 1 --in x=y.npy --out y=z.npy" "wrote y = f32[32] to z.npy"
holds "the buffer was replaced" 'test "$(od -An -tf4 -j 252 z.npy | tr -d " ")" = 155' # 3 * 31 + 2 * 31
# Sizes follow an argument that is replaced: from the case's expressions, or from the kernel's declaration.
sed 's/in  x : f32\[n\] = iota/in  x : f32[W] = iota/; s/out y : f32\[n\]$/out y : f32[W]/; s/^;! arg a=2 n=W/;! arg a=2 n=16/' line.hd >sizes.hd
size() { # size ARGUMENTS X Y: elements of the buffers x and y
    says 0 "heddle run $1 --block 8 --print x --print y" "x = f32[$2]"
    says 0 "heddle run $1 --block 8 --print x --print y" "y = f32[$3]"
}
size "line.hd --case 1 --arg n=100" 100 100
size "sizes.hd --case 1 --arg n=100" 100 100
size "sizes.hd --case 1 --arg n=20" 32 32 # there is more than that
size "sizes.hd --case 1 --arg n=100 --in x=iota" 100 100
size "sizes.hd --case 1 --arg n=20 --in 'x=expr:i * n'" 20 32
size "sizes.hd --case 1 --arg a=3 --in x=iota" 32 32
printf ';! run k\n;! in x : u32[4] = iota\n;! arg n=4\n.kernel k\n.param x : u32\n.param n : u32\n exit\n' >number.hd
says 2 "heddle run number.hd --case 1 --arg n=5" "parameter 'x : u32' takes a number, and buffer 'x' is given"
sed 's/\bn\b/n$/g' sizes.hd >names.hd
size "names.hd --case 1 --arg 'n\$=100' --in x=iota" 100 100
size "sizes.hd --case 1 --arg n=100 --in x=f32[200]:iota" 200 100
says 0 "heddle run sizes.hd --case 1 --arg n=100 --in x=iota --print 'x[99]'" "[99]  99"
says 2 "heddle run sizes.hd --case 1 --arg n=-1 --in x=iota" "-1 is out of the range of u32"
says 0 "heddle run classic/saxpy --case 1 --arg n=1000 --in x=iota --grid 16 --print 'y[999]'" "[999]  1999"
says 2 "heddle run line.hd --case 1 --in x=y.npy --arg n=64" "needs at least 64 elements, and buffer 'x' has 32"
shows 2 "heddle run line.hd --out z=z.npy" <<'END'
--out: error: no kernel takes a buffer 'z'
    --out z=z.npy
            ^~~~~
END
says 2 "heddle run line.hd --case 1 --in xx=y.npy" "there is no parameter 'xx'; did you mean 'x'?"
says 0 "heddle run line.hd --repeat 2" "expectations: not checked"

# ---- expectations that are not met ----
sed 's/= (a + 1) \* i/= a * i/' line.hd >wrong.hd
shows 1 "heddle run wrong.hd -q" <<'END'
wrong.hd:5:1: error: run 1 warp 32: 31 of 32 elements of y are wrong: expected y[1] = 2.0, got 3.0; expected y[2] = 4.0, got 6.0; expected y[3] = 6.0, got 9.0
     5 | ;! expect y = a * i
       | ^~~~~~~~~~~~~~~~~~~
END
says 1 "heddle run wrong.hd" "expectations: 2 of 3 met"
says 1 "heddle run wrong.hd --json - | tr -d ' \n'; exit 1" '"expectations":{"total":3,"met":2,"failed":"wrong.hd:5:1:'
sed 's/f32\[n\] = iota/f32[n-1] = iota/; s/^.param x.*/.param x : f32[]/' line.hd >past.hd
says 1 "heddle run past.hd" "fault: out_of_bounds"
sed 's/^;! count.*/;! fault out_of_bounds/' past.hd >fault.hd
says 0 "heddle run fault.hd" "expectations: 1 of 1 met; the case expects this fault"
says 0 "heddle run fault.hd --json - 2>/dev/null" '"kind": "out_of_bounds"'
says 1 "heddle run fault.hd --check all" "expectations: 1 of 1 met"
sed 's/^;! count.*/;! fault trap/' past.hd >fault.hd
says 1 "heddle run fault.hd" "expected fault trap, got out_of_bounds"
# An input that the kernel writes to.
sed '/named/,$s/inout y/in y/' line.hd >input.hd
says 1 "heddle run input.hd --case 2" "input y was written to"

# ---- what cannot be read ----
mistake() { # mistake SCRIPT TEXT: of sed, on line.hd; the position and the message
    sed "$1" line.hd >bad.hd
    says 2 "heddle run bad.hd -q" "$2"
}
mistake '1s/$/ gird=2/' "bad.hd:1:1: error: unknown word 'gird'"
mistake '1s/.*/;! run/' "bad.hd:1:1: error: expected the name of a kernel"
mistake '1s/line/lien/' "bad.hd:1:1: error: there is no kernel 'lien'"
mistake '1s/block=W/block=0/' "bad.hd:1:1: error: block is 0, not a whole number from 1 on"
mistake '1s/block=W/block=W(/' "bad.hd:1:1: error: "
mistake '2s/f32/f33/' "bad.hd:2:1: error: buffer 'x': unknown type 'f33'; did you mean 'f32'?"
mistake '2s/iota/itoa/' "bad.hd:2:1: error: unknown fill 'itoa': expected iota, zeros, ones, fill V, random SEED or expr EXPRESSION"
mistake '4s/2/none/' "bad.hd:4:1: error: 'none' is nil"
mistake '4s/2/none(1)/' "bad.hd:4:1: error: attempt to call a nil value"
sed 's/slots_issued/slot_issued/' line.hd >bad.hd
says 2 "heddle run bad.hd --case 3" "bad.hd:16:1: error: there is no metric 'sm.slot_issued'; did you mean 'sm.slots_issued'?"
mistake '5s/y/yy/' "bad.hd:5:1: error: there is no buffer 'yy'"
mistake '5s/i$/i)/' "bad.hd:5:1: error: "
mistake '2s/iota/expr g(i)/; 3s/$/ ;! lua function g(i) while true do end end/' "is there an endless loop?"
mistake '2s/iota/expr g({})/; 3s/$/ ;! lua function g(t) while true do t[#t+1] = {} end end/' "of Lua"
printf ';! run k\n;! limit 1000\n.kernel k\nagain:  bra again\n' >endless.hd
says 1 "heddle run endless.hd" "instruction_limit"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
