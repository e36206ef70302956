#!/bin/sh
# Does a kernel find what a compiled one needs of its launch, and is what does not fit refused?
#
#   HEDDLE=build/heddle sh tests/cli/launched.sh
set -u
. "$(dirname "$0")/../lib/cli.sh"

# ---- shared memory that the launch sizes ----
cat >sized.hd <<'END'
.kernel sized
.param y : u32[]
.shared x : u32[]
.reg   i, at, n, py:2
        s2r           i, %tid.x
        shl.b32       at, i, 2
        st.shared.b32 [x+at], i
        s2r           n, %dynamic_smem_size
        ld.param.b64  py, [y]
        st.global.b32 [py], n
        exit
END
says 0 "heddle run sized.hd --shared-bytes 128 --out y=u32[1]:y.npy --print y" "[0]  128"
says 1 "heddle run sized.hd --shared-bytes 124 --out y=u32[1]:y.npy" "shared memory (124 bytes a block); the address names 'x', to which the launch gives 124 bytes"
says 1 "heddle run sized.hd --out y=u32[1]:y.npy" "to which the launch gives 0 bytes"
says 2 "heddle run sized.hd --shared-bytes 0" "expected a whole number from 1 on"
says 2 "heddle run sized.hd --shared-bytes 65536 --board teach8 --out y=u32[1]:y.npy" "boards that take it: a100, b200, br100"
says 0 "heddle run sized.hd --shared-bytes 128 --board teach8 --out y=u32[1]:y.npy --json - | grep -c '\"shared_bytes\": 128'" "1"
says 2 "printf '.kernel k\n.shared x : b8[]\n.shared y : b8\n exit\n' >last.hd; heddle lint last.hd" "last.hd:3:9: error: shared memory of the launch's size is the last of its kernel, one '[]'"
says 2 "printf '.kernel k\n exit\n.func f\n.shared x : b8[]\n ret\n' >last.hd; heddle lint last.hd" "last.hd:4:9: error: '[]', shared memory of the launch's size, belongs to a kernel; a function takes its address"

# ---- pointers ----
cat >copy.hd <<'END'
.kernel copy
.param from : f32[n]
.param to : b8[4*n]
.param n : u32
.reg   i, v, pf:2, pto:2, z:2
.pred  none
        s2r           i, %tid.x
        ld.param.b64  pf, [from]
        ld.param.b64  pto, [to]
        mov.b64       z, 0
        setp.eq.u64   none, pto, z
@none   exit
        mad.wide.u32  pf, i, 4, pf
        mad.wide.u32  pto, i, 4, pto
        ld.global.b32 v, [pf]
        st.global.b32 [pto], v
        exit
END
RUN="heddle run copy.hd -q --block 4 --arg n=4 --inout all=f32[8]:iota:all.npy --print all"
says 0 "$RUN --arg from=all+16 --arg to=all" "[0..7]  4 5 6 7 4 5 6 7"
says 0 "$RUN --arg from=all+16 --arg to=null" "[0..7]  0 1 2 3 4 5 6 7"
says 2 "$RUN --arg from=all+20 --arg to=all" "copy.hd: error: kernel 'copy': parameter 'from : f32[n]' needs at least 4 elements, and buffer 'all' has 3 from there on"
says 2 "$RUN --arg from=all+33 --arg to=all" "parameter 'from : f32[n]': 'all+33' is past the end of the buffer, which has 32 bytes"
says 2 "$RUN --arg from=al+3 --arg to=all" "there is no buffer 'al+3'"
says 2 "$RUN --arg from=3 --arg to=all" "takes a buffer, and a number is given"
says 1 "$RUN --arg from=null --arg to=all" "fault: null: load of 4 bytes at global address 0x0"

# ---- constants, variables in global memory, values ----
cat >module.hd <<'END'
.const w : f32[4] = 10, 20
.const k : u32[1]
.global sums : u32[2] = 3, 5
.kernel add
.param by : u32[2] value
.reg   i, v, b, at, py:2
        s2r           i, %tid.x
        shl.b32       at, i, 2
        ld.const.b32  v, [w+at]
        cvt.u32.f32   v, v
        ld.param.b32  b, [by+at]
        add.u32       v, v, b
        ld.const.b32  b, [k]
        add.u32       v, v, b
        ld.const.b64  py, [sums]
        mad.wide.u32  py, i, 4, py
        ld.global.b32 b, [py]
        add.u32       v, v, b
        st.global.b32 [py], v
        exit
END
RUN="heddle run module.hd -q --warp 8 --block 2 --print sums"
says 0 "$RUN --arg by=100,200" "[0..1]  113 225"
says 0 "$RUN --arg by=0,0 --repeat 3" "[0..1]  33 65"
says 0 "$RUN --arg by=0,0 --arg w=1,2,3,4 --arg k=1000" "[0..1]  1004 1007"
says 0 "$RUN --arg by=0,0 --const w=ones --global sums=fill:7" "[0..1]  8 8"
says 0 "$RUN --arg by=0,0 --board teach8 --check all" "[0..1]  13 25"
says 0 "$RUN --in by=u32[2]:iota --out sums=sums.npy && test -s sums.npy" "[0..1]  13 26"
says 0 "heddle asm module.hd -o m.hdo && heddle dis m.hdo >m.hd && heddle asm m.hd -o n.hdo && cmp m.hdo n.hdo && cat m.hd" ".global sums : u32[2] at 24 = raw 3, 5"
says 2 "$RUN" "parameter 'by : u32[2] value' is not given"
says 2 "$RUN --arg by=1" "parameter 'by : u32[2] value': 2 numbers with commas between them expected"
says 2 "$RUN --arg by=1,2,3" "2 numbers with commas between them expected"
says 2 "$RUN --in by=u32[1]:zeros" "takes 8 bytes, and buffer 'by' has too few"
says 2 "$RUN --arg by=0,0 --const w=f32[3]:ones" "constant 'w : f32[4]' has 16 bytes, and buffer 'w' has 12"
says 2 "$RUN --arg by=0,0 --const w=u32[4]:ones" "constant 'w : f32[4]' has elements of type f32, and buffer 'w' holds u32"
says 2 "$RUN --arg by=0,0 --global sums=u32[1]:ones" "variable 'sums : u32[2]' has 8 bytes, and buffer 'sums' has 4"
says 2 "$RUN --arg by=0,0 --global sum=u32[1]:ones" "there is no parameter 'sum'"
says 0 "heddle prove module.hd module.hd --block 2 --warp 8 --arg by=1,2 --buffers inout:sums=u32[2]" "equal for all inputs"
says 2 "heddle prove module.hd module.hd --block 2 --warp 8 --arg by=1,2 --buffers inout:sums=u32[2],in:w=f32[4]" "'w' takes the contents of a buffer, which a proof takes as any: give numbers"
says 2 "printf '.global a : f32[2] = 1, 2, 3\n.kernel k\n exit\n' >m.hd; heddle lint m.hd" "m.hd:1:28: error: more values than there are elements"
says 2 "printf '.global a : f32\n.kernel k\n ld.global.b32 r1, [a]\n exit\n' >m.hd; heddle lint m.hd" "'a' stands for where its address is: ld.const.b64 r2, [a] loads that"

# ---- the rules of the hardware ----
says 1 "heddle run isa/rules --entry early --block 100 --arg n=37 --out y=u32[100]:y.npy" "fault: barrier"
says 0 "heddle run isa/rules --entry early --block 100 --arg n=37 --out y=u32[100]:y.npy --rules hardware" "rules.hd:26: warning: by the rules of the hardware a barrier opened without threads that had exited (1 times)"
says 0 "heddle run isa/rules --entry absent --block 8 --warp 8 --out y=u32[8]:y.npy --rules hardware" "a shuffle read lanes that are not active, and got each lane's own value for them (1 times)"
says 0 "heddle run isa/rules --entry members --block 8 --warp 8 --out y=u32[8]:y.npy --rules hardware --board teach8" "a member mask named lanes that are not active, and only the others took part (1 times)"
says 2 "heddle run isa/rules --entry early --block 100 --arg n=37 --out y=u32[100]:y.npy --rules loose" "rules are strict or hardware, not 'loose'"
says 2 "heddle run isa/rules --entry early --block 100 --arg n=37 --out y=u32[100]:y.npy --rules hardware --check all" "checkers know the strict rules alone: leave out the rules of the hardware"
says 2 "heddle run isa/rules --entry early --block 100 --arg n=37 --out y=u32[100]:y.npy --rules hardware --schedule all" "orders of warps are those of the strict rules alone"
LOCK="heddle run isa/progress --entry lock --block 64 --inout lock=u32[1]:zeros --inout n=u32[1]:zeros"
says 1 "$LOCK" "on chips since Volta, and with --rules hardware, each gets on"
for board in "" "--board v100"; do
    says 0 "$LOCK --rules hardware $board" "progress.hd:27: warning: by the rules of the hardware lanes went on while others of their warp looped or waited ("
done
EARLY="heddle run isa/rules --entry early --block 100 --arg n=37 --out y=u32[100]:y.npy --board teach8 --set launch.rules=hardware"
says 0 "$EARLY" "by the rules of the hardware a barrier opened without threads that had exited (1 times)"
says 1 "$EARLY --rules strict" "fault: barrier"
says 1 "$EARLY --functional" "fault: barrier"
says 1 "$EARLY --check sync" "fault: barrier"
says 0 "$EARLY --functional --rules hardware" "a barrier opened without threads that had exited (1 times)"
says 2 "$EARLY --set launch.rules=loose" "launch.rules"

# ---- cooperative launches ----
grid() { echo "heddle run isa/grid --block 32 --grid $1 --inout count=u32[1]:zeros --inout x=u32[$1]:zeros --out y=u32[$1]:y.npy"; }
says 1 "$(grid 300)" "let each do a share of the work; --cooperative keeps all resident."
says 1 "$(grid 2561) --board v100" "let each do a share of the work; --cooperative refuses more at the start."
says 0 "$(grid 8) --cooperative --json c.json && cat c.json" '"cooperative": true'
says 0 "$(grid 300) --cooperative && heddle show y.npy" "u32[300]"
says 0 "$(grid 8) --cooperative --schedule random:3" "wrote y = u32[8]"
says 0 "$(grid 2560) --cooperative --board v100" "wrote y = u32[2560]"
HELD="kernel 'grid': a cooperative grid of 2,561 blocks, and board 'v100' holds 2,560 at one time: 32 on each SM, by blocks"
says 2 "$(grid 2561) --cooperative --board v100" "$HELD"
says 2 "$(grid 2561) --cooperative --board v100 --functional" "$HELD"
says 2 "$(grid 2561) --cooperative --board v100" "boards that take it: "
says 2 "$(grid 8) --cooperative --board teach8 --set sm.shared_bytes=8192 --shared-bytes 8192" "1 on each SM, by shared memory"
says 2 "$(grid 8) --cooperative --board v100 --beside 'isa/rules --entry absent --block 8 --out y=u32[8]'" "cooperative: for a launch that has the board alone"
says 2 "$(grid 9000000) --cooperative --max-memory 1GiB" "out of memory"
sed 's/cooperative=yes/cooperative=no/' "$tests/../kernels/isa/grid.hd" >no.hd
says 2 "heddle run no.hd" "cooperative=yes, or without the word: not 'no'"

# ---- messages ----
says 1 "heddle run isa/faults --entry even --arg n=7" "faults.hd:126: fault: trap: n must be even"
says 0 "heddle run isa/faults --entry even --arg n=8" "work     "
says 1 "heddle asm $tests/../kernels/isa/faults.hd -o f.hdo && heddle run f.hdo --entry even --arg n=7 --board teach8" "fault: trap: n must be even"
says 1 "heddle prove isa/faults isa/faults --entry even --block 8 --warp 8 --arg n=7" "n must be even"
says 2 "printf '.kernel k\n trap \"\"\n' >m.hd; heddle lint m.hd" "m.hd:2:7: error: a message has 1 to 255 printable characters of ASCII"
says 2 "printf '.kernel k\n trap 5\n' >m.hd; heddle lint m.hd" "m.hd:2:7: error: expected a text in quotes, found '5'"

# ---- printed lines ----
heddle run isa/print --entry print --block 2 >printed
cat >lines <<'END'
block 0 thread 0:  -0.50
block 0 thread 1:   0.25
-1000000000001 is 0xffffff172b5aefff, 100% of it
END
holds "lines stand before the report" "head -n 3 printed | cmp - lines && sed -n 4p printed | grep '^print: grid 1,'"
holds "with --quiet there are none" 'heddle run isa/print --entry print --block 2 --quiet >quiet && ! [ -s quiet ]'
printf '.kernel k\nprint "here"\ntrap "x"\n' >last.hd
says 1 "heddle run last.hd --block 1" "here"
says 0 "heddle run isa/print --entry print --block 2 --json p.json && cat p.json" '"text": "block 0 thread 1:   0.25"'
cat >many.hd <<'END'
.kernel many
.reg r
.pred p
        mov.b32 r, 0
again:  print "0123456789abcdef"
        add.u32 r, r, 1
        setp.lt.u32 p, r, 5000
@p      bra again
        exit
END
heddle run isa/print --entry print --board teach8 --block 2 --beside 'isa/print --entry late --grid 2 --block 1' >two
printf '0 in 2, first\n1 in 2\n' >>lines
holds "launches at one time print one after the other" "head -n 5 two | cmp - lines"
LEFT="heddle run: warning: 7,232 lines of print are left out: a launch keeps 1,048,576 bytes of them"
says 0 "heddle run many.hd --block 8 --warp 8" "$LEFT"
says 0 "heddle run many.hd --block 8 --warp 8 --board teach8 --threads 2 --json m.json && cat m.json" '"printed_dropped": 7232'
holds "as many are kept" '[ "$(grep -c "\"text\": \"0123456789abcdef\"" m.json)" -eq 32768 ]'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
