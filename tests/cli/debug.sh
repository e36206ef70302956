#!/bin/sh
# Does the debugger show what happened, forward and back, and refuse what makes no sense?
#
#   HEDDLE=build/heddle sh tests/cli/debug.sh
set -u
. "$(dirname "$0")/../lib/cli.sh"

cp "$tests/lib/pairs.hd" .
D="heddle debug pairs.hd --board teach8 --block 16 --out y=u32[16] --arg n=16"
debug() { # debug COMMANDS: one a word, _ for a blank
    echo "$*" | tr ' _' '\n ' >commands
}

# ---- what it shows ----
debug until_11 masks step masks until_reconverge masks p_v_as_unsigned who_v[3]
shows 0 "$D --commands commands | sed 1,3d | sed 's/cycle [0-9][0-9]*/cycle/'" <<'END'
(debug) until 11
cycle, warp 0.0, line 11: @odd bra other
(debug) masks
########  line 11, active
(debug) step
cycle, warp 0.0, line 12: add.u32 v, v, t
(debug) masks
#.#.#.#.  line 12, active
.#.#.#.#  line 15, wait
they meet at line 17
(debug) until reconverge
cycle, warp 0.0, line 17: shl.b32 near, t, 2
(debug) masks
########  line 17, active
(debug) p v as unsigned
r1 v          ~          10          10          12          30          14          50          16          70
(debug) who v[3]
v[3] was written by warp 0 of block 0 in cycle, line 15: mul.lo.u32 v, v, t
END

debug break_other_if_t[1]_==_9 continue breakpoints delete_1 break_y[5] continue who_y[5] until_barrier where
shows 0 "$D --commands commands | sed 1,3d | sed 's/cycle [0-9][0-9]*/cycle/'" <<'END'
(debug) break other if t[1] == 9
breakpoint 1: other if t[1] == 9
(debug) continue
breakpoint 1: other if t[1] == 9
cycle, warp 0.1, line 15: mul.lo.u32 v, v, t
(debug) breakpoints
   1  other if t[1] == 9
(debug) delete 1
(debug) break y[5]
breakpoint 2: y[5]
(debug) continue
breakpoint 2: y[5]
cycle, warp 0.0, line 25: exit
(debug) who y[5]
y[5] was written by warp 0 of block 0 in cycle, line 24: st.global.b32 [at], v
(debug) until barrier
warp 0.0 does not reach a barrier after here
(debug) where
cycle, warp 0.0, line 24: st.global.b32 [at], v
SM 0, sub-core 0; active lanes ff
END

debug watch_v continue continue why until_22 access
shows 0 "$D --commands commands | sed 1,3d | sed 's/cycle [0-9][0-9]*/cycle/; s/from cycle.*cycles*,/some cycles,/'" <<'END'
(debug) watch v
breakpoint 1: v of warp 0.0 changes
(debug) continue
breakpoint 1: v of warp 0.0 changes
cycle, warp 0.0, line 9: setp.ne.u32 odd, v, 0
(debug) continue
breakpoint 1: v of warp 0.0 changes
cycle, warp 0.0, line 11: @odd bra other
(debug) why
it waits some cycles, wait: a result of fixed latency, or the pipeline itself
p0 odd is in flight until cycle
  line 9, cycle: setp.ne.u32 odd, v, 0
  latency.cmp of the board: 4 cycles
(debug) until 22
cycle, warp 0.0, line 22: ld.param.b64 at, [y]
(debug) access
cycle, line 21: ld.shared.b32 v, [tile + near]
shared load, 4 bytes a lane, 1 cycle of the memory pipe
  lane  address     bank
     0  0x4          #
     1  0x0         #
     2  0xc            #
     3  0x8           #
     4  0x14             #
     5  0x10            #
     6  0x1c               #
     7  0x18              #
END
debug until_20 shared shared_tile[3]_as_unsigned step print_tile[2..3] shared_60 reverse_until_18 shared
shows 0 "$D --commands commands | sed 1,3d | sed 's/cycle [0-9][0-9]*/cycle/'" <<'END'
(debug) until 20
cycle, warp 0.0, line 20: xor.b32 near, near, 4
(debug) shared
block 0, cycle: 64 bytes of shared memory
  byte  bank
     0     0  *0000000a*0000000a*0000000c*0000001e*0000000e*00000032*00000010*00000046
    32     0   00000012 0000005a 00000014 0000006e 00000016 00000082 00000018 00000096
*: the last access of warp 0.0, line 18: st.shared.b32 [tile + near], v
(debug) shared tile[3] as unsigned
block 0, cycle: 64 bytes of shared memory
  byte  bank
    12     3  *         30*         14*         50*         16*         70          18          90          20
    44     3           110          22         130          24         150
*: the last access of warp 0.0, line 18: st.shared.b32 [tile + near], v
(debug) step
cycle, warp 0.0, line 21: ld.shared.b32 v, [tile + near]
(debug) print tile[2..3]
tile[2]           0000000c    0000001e
(debug) shared 60
block 0, cycle: 64 bytes of shared memory
  byte  bank
    60     7   00000096
(debug) reverse until 18
cycle, warp 0.0, line 18: st.shared.b32 [tile + near], v
(debug) shared
block 0, cycle: 64 bytes of shared memory
  byte  bank
lines are left out where nothing has been stored
END

debug print_y[6..9] until_24 scoreboard cycle_81 scoreboard until_25 print_y[0..3] print_y reverse_step print_y[0]
shows 0 "$D --commands commands | sed 1,3d | sed 's/cycle [0-9][0-9]*/cycle/'" <<'END'
(debug) print y[6..9]
y[6]                     0           0           0           0
(debug) until 24
cycle, warp 0.0, line 24: st.global.b32 [at], v
(debug) scoreboard
nothing is in flight
next: line 24: st.global.b32 [at], v
(debug) cycle
cycle, warp 0.0, line 24: st.global.b32 [at], v
(debug) scoreboard
> r1 v          until 83       line 21, cycle: ld.shared.b32 v, [tile + near]
> r4 at         until 83       line 23, cycle: mad.wide.u32 at, t, 4, at
  r5 at+1       until 83       line 23, cycle: mad.wide.u32 at, t, 4, at
next: line 24: st.global.b32 [at], v
it waits until cycle, short_scoreboard
(debug) until 25
cycle, warp 0.0, line 25: exit
(debug) print y[0..3]
y[0]                    10          10          30          12
(debug) print y
y[0]                    10          10          30          12          50          14          70          16
y[8]                    90          18         110          20         130          22         150          24
(debug) reverse step
cycle, warp 0.0, line 24: st.global.b32 [at], v
(debug) print y[0]
y[0]                     0
END

debug until_20 lane_3 registers_v_odd_as_signed break_22_if_v_==_12 continue lane_all who_v[3]
shows 0 "$D --commands commands | sed 1,3d | sed 's/cycle [0-9][0-9]*/cycle/'" <<'END'
(debug) until 20
cycle, warp 0.0, line 20: xor.b32 near, near, 4
(debug) lane 3
registers, and those of conditions, are those of lane 3
(debug) registers v odd as signed
r1 v                     30  lane 3
p0 odd          lane 3: 1
(debug) break 22 if v == 12
breakpoint 1: 22 if v == 12
(debug) continue
breakpoint 1: 22 if v == 12
cycle, warp 0.0, line 22: ld.param.b64 at, [y]
(debug) lane all
registers are those of all lanes
(debug) who v[3]
v[3] was written by warp 0 of block 0 in cycle, line 21: ld.shared.b32 v, [tile + near]
END

debug until_18 step step where why warp_0.1 cycle_60 why
shows 0 "$D --commands commands | sed 1,3d" <<'END'
(debug) until 18
cycle 46, warp 0.0, line 18: st.shared.b32 [tile + near], v
(debug) step
cycle 56, warp 0.0, line 19: bar.sync 0
(debug) step
cycle 69, warp 0.0, line 20: xor.b32 near, near, 4
(debug) where
cycle 69, warp 0.0, line 20: xor.b32 near, near, 4
SM 0, sub-core 0; active lanes ff
(debug) why
it waits from cycle 57 to 69, 12 cycles, barrier: other warps have not arrived at the barrier
  warp 0.1 arrives last, in cycle 57
(debug) warp 0.1
cycle 69, warp 0.1, line 21: ld.shared.b32 v, [tile + near]
(debug) cycle 60
cycle 60, warp 0.1, line 20: xor.b32 near, near, 4
(debug) why
it waits from cycle 58 to 68, 10 cycles, barrier: other warps have not arrived at the barrier
  warp 0.1 arrives last, in cycle 57
END

# Words of gdb: what is meant, or what to use.
debug b_20 c p/d_v info_break i_r_v p_v[3] print_v_as_unsigned p_y[0..1] p/x_y[0] bt reverse-step rs ni
shows 0 "$D --commands commands | sed 1,3d | sed 's/cycle [0-9][0-9]*/cycle/'" <<'END'
(debug) b 20
breakpoint 1: 20
(debug) c
breakpoint 1: 20
cycle, warp 0.1, line 20: xor.b32 near, near, 4
(debug) p/d v
r1 v                     18          90          20         110          22         130          24         150
(debug) info break
   1  20
(debug) i r v
r1 v            00000012 0000005a 00000014 0000006e 00000016 00000082 00000018 00000096
(debug) p v[3]
r1 v            0000006e  lane 3
(debug) print v as unsigned
r1 v                     18          90          20         110          22         130          24         150
(debug) p y[0..1]
y[0]                     0           0
(debug) p/x y[0]
y[0]           00000000
(debug) bt
cycle, warp 0.1, line 20: xor.b32 near, near, 4
SM 0, sub-core 0; active lanes ff
(debug) reverse-step
cycle, warp 0.1, line 19: bar.sync 0
(debug) rs
cycle, warp 0.1, line 18: st.shared.b32 [tile + near], v
(debug) ni
cycle, warp 0.1, line 19: bar.sync 0
END

# Blocks on two SMs: each has shared memory of its own.
sed 's/tile : b32\[16\]/tile : b32[64]/' pairs.hd >wide.hd
P="heddle debug wide.hd --board teach32 --set sms=2 --grid 4 --block 64 --out y=u32[64] --arg n=64"
debug sm_1 block_3 warp_2.1 block_0 until_20 shared_252 block_1 shared_252 sm_0
shows 0 "$P --commands commands | sed 1,3d | sed 's/cycle [0-9][0-9]*/cycle/; s/, line.*//'" <<'END'
(debug) sm 1
cycle, warp 1.0
(debug) block 3
cycle, warp 3.0
(debug) warp 2.1
cycle, warp 2.1
(debug) block 0
cycle, warp 0.1
(debug) until 20
cycle, warp 0.1
(debug) shared 252
block 0, cycle: 256 bytes of shared memory
  byte  bank
   252    31  *00000276
*: the last access of warp 0.1
(debug) block 1
cycle, warp 1.1
(debug) shared 252
block 1, cycle: 256 bytes of shared memory
  byte  bank
   252    31  *00000276
*: the last access of warp 1.1
(debug) sm 0
cycle, warp 0.0
END

# Stores of bytes and of four registers, and an atomic: known from where it is read.
cat >bytes.hd <<'END'
.kernel bytes
.param y : u32[8]
.shared small : b8[8]
.shared wide : b32[32] at 16
.shared sum : u32 at 144
.reg   lane, four, old, v:4, at:2
        s2r           lane, %laneid
        st.shared.b8  [small + lane], lane
        mov.b32       v, lane
        add.u32       v+1, lane, 100
        add.u32       v+2, lane, 200
        mov.b32       v+3, 7
        shl.b32       four, lane, 4
        st.shared.b128 [wide + four], v
        red.shared.add.u32 [sum], lane
        ld.param.b64  at, [y]
        mad.wide.u32  at, lane, 4, at
        atom.global.add.u32 old, [at], lane
        add.u32       old, old, 1
        ld.shared.b32 v, [sum]
        exit
END
B="heddle debug bytes.hd --board teach8 --inout y=u32[8]:fill:5"
debug until_16 print_small print_wide[0..7] shared_wide[24] print_sum until_18 print_y until_19 print_y why cycle_60 registers_old scoreboard who_old
shows 0 "$B --commands commands | sed 1,3d" <<'END'
(debug) until 16
cycle 25, warp 0.0, line 16: ld.param.b64 at, [y]
(debug) print small
small[0]                00          01          02          03          04          05          06          07
(debug) print wide[0..7]
wide[0]           00000000    00000064    000000c8    00000007    00000001    00000065    000000c9    00000007
(debug) shared wide[24]
block 0, cycle 25: 148 bytes of shared memory
  byte  bank
   112     4   00000006 0000006a 000000ce 00000007 00000007 0000006b 000000cf 00000007
   144     4  *cdcdcde9
*: the last access of warp 0.0, line 15: red.shared.add.u32 [sum], lane
(debug) print sum
sum[0]          3452816873
(debug) until 18
cycle 33, warp 0.0, line 18: atom.global.add.u32 old, [at], lane
(debug) print y
y[0]                     5           5           5           5           5           5           5           5
(debug) until 19
cycle 145, warp 0.0, line 19: add.u32 old, old, 1
(debug) print y
y[0]                     5           6           7           8           9          10          11          12
(debug) why
it waits from cycle 34 to 145, 111 cycles, long_scoreboard: a result of global or local memory
r2 old is in flight until cycle 145
  line 18, cycle 33: atom.global.add.u32 old, [at], lane
  l2.latency of the board: 6 cycles
(debug) cycle 60
cycle 60, warp 0.0, line 19: add.u32 old, old, 1
(debug) registers old
r2 old        ~ cdcdcdcd cdcdcdcd cdcdcdcd cdcdcdcd cdcdcdcd cdcdcdcd cdcdcdcd cdcdcdcd
(debug) scoreboard
> r2 old        until 145      line 18, cycle 33: atom.global.add.u32 old, [at], lane
next: line 19: add.u32 old, old, 1
it waits until cycle 145, long_scoreboard
(debug) who old
old was written by warp 0 of block 0 in cycle 33, line 18: atom.global.add.u32 old, [at], lane
END
says 0 "printf 'break bytes\nuntil 15\nreverse continue\n' | $B" "breakpoint 1: bytes"
says 0 "printf 'until 15\np \$r0[1]\n' | $B" "lane 1"
says 2 "echo print n | heddle debug classic/saxpy" "'n' is a parameter; \`registers\` shows the register it is loaded into"
says 0 "printf 'until 15\naccess\n' | $B" "     1  0x20        #"
sed 's/ld.shared.b32 v, \[sum\]/mov.b32 v, 0/' bytes.hd >unread.hd
says 0 "printf 'until 21\nprint sum\n' | heddle debug unread.hd --board teach8 --inout y=u32[8]:fill:5" "sum[0]                   ?"
says 0 "printf 'until 21\nshared sum\n' | heddle debug unread.hd --board teach8 --inout y=u32[8]:fill:5" "?: stored, but the recording does not say what"

# A file that is included: its lines have its name.
mkdir lib
cat >lib/twice.hd <<'END'
.func twice
        add.u32       r0, r0, r0
        ret
END
cat >including.hd <<'END'
.include "lib/twice.hd"
.kernel including
        mov.b32       r0, 21
        call          twice
        exit
END
I="heddle debug including.hd --board teach8"
debug until_4 until_twice.hd:3 list break_lib/twice.hd:2_if_r0[0]_==_21 reverse_continue step reverse_step next reverse_until_3
shows 0 "$I --commands commands | sed 1,3d | sed 's/cycle [0-9][0-9]*/cycle/'" <<'END'
(debug) until 4
cycle, warp 0.0, line 4: call twice
(debug) until twice.hd:3
cycle, warp 0.0, line 3 of lib/twice.hd: ret
(debug) list
lib/twice.hd
     1  .func twice
     2          add.u32       r0, r0, r0
>    3          ret  <- warp 0
(debug) break lib/twice.hd:2 if r0[0] == 21
breakpoint 1: lib/twice.hd:2 if r0[0] == 21
(debug) reverse continue
breakpoint 1: lib/twice.hd:2 if r0[0] == 21
cycle, warp 0.0, line 2 of lib/twice.hd: add.u32 r0, r0, r0
(debug) step
cycle, warp 0.0, line 3 of lib/twice.hd: ret
(debug) reverse step
cycle, warp 0.0, line 2 of lib/twice.hd: add.u32 r0, r0, r0
(debug) next
cycle, warp 0.0, line 3 of lib/twice.hd: ret
(debug) reverse until 3
cycle, warp 0.0, line 3: mov.b32 r0, 21
END
mkdir -p a_folder_with/a_long_name/below
cp lib/twice.hd a_folder_with/a_long_name/below/
sed 's,lib/,a_folder_with/a_long_name/below/,' including.hd >far.hd
says 0 "echo until twice.hd:3 | heddle debug far.hd --board teach8" "line 3 of a_long_name/below/twice.hd: ret"
says 2 "echo until twice.hd:9 | $I" "line twice.hd:9 has no instruction"
says 2 "echo break ice.hd:2 | $I" "line ice.hd:2 has no instruction"
says 0 "echo list | $D" "<- warp 0, 1"
says 0 "echo timeline | $D" "short_scoreboard"
says 0 "echo warps | $D" "block.warp"
says 0 "echo help | $D" "reverse, r COMMAND"
says 0 "echo registers as half | $D" "r0 t"

# ---- on and back are one way: each place of the way there is met on the way back ----
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do echo step; done >on
sed 's/step/reverse step/' on >off
cat on off >both
$D --commands on | grep '^cycle' | sort -u >there
$D --commands both | grep '^cycle' | sort -u >again
holds "the way back meets the same places" 'diff there again && [ "$(wc -l <there)" -eq 17 ]'
holds "a place reached from behind is the same" '
    echo "until 17
registers
masks" >from_before
    echo "until end
reverse until 17
registers
masks" >from_behind
    '"$D"' --commands from_before | tail -n 8 >one
    '"$D"' --commands from_behind | tail -n 8 >two
    diff one two'

# The array of the last access has the elements that print has, and a star where that access was.
printf 'memory\nwarp 3.2\nuntil 40\nmemory\nprint y[128..249]\nmemory x\nprint x[0..127]\n' >commands
heddle debug classic/saxpy --board teach8 --commands commands >found
holds "memory has the elements of print" '
    [ "$(grep -c "^[xy].[0-9]" found)" -eq 64 ] && [ "$(grep "^[xy].[0-9]" found | tr -s "* " " " | sort | uniq -u)" = "" ]'
holds "memory marks the last access" '
    [ "$(grep -c "[*][0-9]" found)" -eq 1 ] && grep -q "^y.208.  *[*]417 .*[*]431$" found'
holds "memory has nothing to show before the first access" 'grep -q "^this warp has accessed no buffer or shared variable before" found'

# Of two warps that store in one cycle, the second's issue comes before memory has what the first stores.
cat >late.hd <<'END'
.kernel late
.param y : u32[]
.shared tile : b32[64]
.reg t, at
        s2r           t, %tid.x
        shl.b32       at, t, 2
        st.shared.b32 [tile+at], t
        exit
END
printf 'warp 0.1\nuntil 7\nmemory tile 16 as unsigned\nstep\nmemory tile 32 as signed\n' >commands
heddle debug late.hd --board v100 --block 64 --out 'y=u32[64]' --commands commands >found
holds "memory marks what is in flight, in lines of the asked length" '
    [ "$(grep -o "~[0-9][0-9]*" found | tr "\n" " ")" = "$(seq -s " " -f "~%g" 0 31) " ] && grep -q "^tile.32.  *[.]  " found &&
    [ "$(grep -c "^tile" found)" -eq 8 ] && [ "$(grep -A2 "^(debug) memory tile 32" found | tail -n 1 | tr -s " ")" = \
        "tile[0] $(seq -s " " 0 31)" ]'

# Output depends on the place alone, not on the way there: each place is reached twice, with the same lines.
for k in "$D" "heddle debug bytes.hd --board teach8 --inout y=u32[8]:fill:5" "$I"; do
    for way in step "reverse step"; do
        for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
            printf '%s\n' "$way" masks registers shared memory scoreboard why access timeline warps list
        done
    done >ways
    $k --commands ways | awk '/^.debug. (reverse )?step$/ { printf "\n"; next } { printf "%s|", $0 }' | grep '^cycle' >met
    holds "$k: what is shown is of the place" '
        [ "$(sort -u met | wc -l)" -eq "$(cut -d: -f1 met | sort -u | wc -l)" ] && [ "$(wc -l <met)" -gt "$(sort -u met | wc -l)" ]'
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
