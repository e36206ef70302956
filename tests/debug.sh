#!/bin/sh
# Does the debugger show what happened, forward and back, and refuse what makes no sense?
#
#   HEDDLE=build/heddle sh tests/debug.sh
set -u
. "$(dirname "$0")/lib/cli.sh"

cat >pairs.hd <<'END'
.kernel pairs
.param y : u32[n]
.param n : u32
.shared tile : b32[16]
.reg   t, v, near, at:2
.pred  odd
        s2r           t, %tid.x
        and.b32       v, t, 1
        setp.ne.u32   odd, v, 0
        mov.b32       v, 10
@odd    bra           other
        add.u32       v, v, t
        bra           met
other:
        mul.lo.u32    v, v, t
met:
        shl.b32       near, t, 2
        st.shared.b32 [tile + near], v
        bar.sync      0
        xor.b32       near, near, 4
        ld.shared.b32 v, [tile + near]
        ld.param.b64  at, [y]
        mad.wide.u32  at, t, 4, at
        st.global.b32 [at], v
        exit
END
D="heddle debug pairs.hd --board teach8 --block 16 --out y=u32[16] --arg n=16"
debug() { # debug COMMANDS: one a word, _ for a blank
    echo "$*" | tr ' _' '\n ' >commands
}

# ---- what it shows ----
debug until_11 masks step masks until_reconverge masks p_v_as_unsigned who_v[3]
shows 0 "$D --commands commands | sed 1,3d | sed 's/cycle [0-9][0-9]*/cycle/'" <<'END'
(debug) until 11
cycle, warp 0.0, line 11: @odd    bra           other
(debug) masks
########  line 11, active
(debug) step
cycle, warp 0.0, line 12: add.u32       v, v, t
(debug) masks
#.#.#.#.  line 12, active
.#.#.#.#  line 15, wait
they meet at line 17
(debug) until reconverge
cycle, warp 0.0, line 17: shl.b32       near, t, 2
(debug) masks
########  line 17, active
(debug) p v as unsigned
r1 v          ~          10          10          12          30          14          50          16          70
(debug) who v[3]
v[3] was written by warp 0 of block 0 in cycle, line 15: mul.lo.u32    v, v, t
END

debug break_other_if_t[1]_==_9 continue breakpoints delete_1 break_y[5] continue who_y[5] until_barrier where
shows 0 "$D --commands commands | sed 1,3d | sed 's/cycle [0-9][0-9]*/cycle/'" <<'END'
(debug) break other if t[1] == 9
breakpoint 1: other if t[1] == 9
(debug) continue
breakpoint 1: other if t[1] == 9
cycle, warp 0.1, line 15: mul.lo.u32    v, v, t
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
shows 0 "$D --commands commands | sed 1,3d | sed 's/cycle [0-9][0-9]*/cycle/; s/from cycle.*cycles,/some cycles,/'" <<'END'
(debug) watch v
breakpoint 1: v of warp 0.0 changes
(debug) continue
breakpoint 1: v of warp 0.0 changes
cycle, warp 0.0, line 9: setp.ne.u32   odd, v, 0
(debug) continue
breakpoint 1: v of warp 0.0 changes
cycle, warp 0.0, line 11: @odd    bra           other
(debug) why
it waits some cycles, wait: a result of fixed latency, or the pipeline itself
p0 odd is in flight until cycle
(debug) until 22
cycle, warp 0.0, line 22: ld.param.b64  at, [y]
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
says 0 "$D --commands commands >all; echo list | $D" "<- warp 0, 1"
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

# ---- what makes no sense ----
wrong() { # wrong COMMAND TEXT
    printf 'step\n%s\nstep\n' "$1" >commands
    says 2 "$D --commands commands" "$2"
    holds "its line is named: $1" "$D --commands commands 2>&1 | grep -q '^commands: error: line 2: '"
}
wrong "stepp" "there is no command 'stepp'"
wrong "step 0" "'0' is not a number from 1 on"
wrong "step 1 2" "step takes no '2' here"
wrong "until" "until what?"
wrong "until 16" "line 16 has no instruction"
wrong "until nowhere" "'nowhere' is no line, label"
wrong "until reconverge" "no lanes of this warp wait for others"
wrong "cycle 100000000" "the launch has"
wrong "cycle -1" "'-1' is no cycle"
wrong "continue" "there is no breakpoint"
wrong "reverse list" "'list' has none"
wrong "list 41000" "'41000' is not a line: there are 1 to "
wrong "list -3" "'-3' is not a line"
wrong "break 2" "line 2 has no instruction"
wrong "break z[1]" "there is no buffer 'z'"
wrong "break y[16]" "'y' has 16 elements"
wrong "break 12 when" "expected \`if REGISTER"
wrong "break 12 if v == 1" "expected REGISTER[LANE]"
wrong "break 12 if w[1] == 1" "there is no register 'w' there"
wrong "break 12 if v[1] = 1" "'=' is none of"
wrong "break 12 if v[1] == x" "'x' is not a number"
wrong "watch q" "there is no register 'q' here"
wrong "delete 3" "there is no breakpoint 3"
wrong "who" "neither BUFFER"
wrong "warp 7" "is not BLOCK.WARP"
wrong "warp 7.0" "there is no warp 0 of block 7"
wrong "registers q" "there is no register 'q' here"
wrong "registers as octal" "'octal' is none of"
wrong "timeline 0" "not a number of cycles"
wrong "help stepp" "there is no command 'stepp'"
says 2 "$D --commands none" "none"
says 2 "$D --json x.json" "--json goes with 'heddle run'"
says 2 "heddle debug pairs.hd --bord teach8" "did you mean '--board'?"
says 2 "heddle debug" "which"
says 0 "printf 'quit\nnonsense\n' | $D" "kernel 'pairs'"
holds "a reader that leaves ends it" "echo warps | $D | head -n 1 | grep -q pairs"

# ---- a fault, an endless loop ----
sed 's/mad.wide.u32  at, t, 4, at/mad.wide.u32  at, t, 4000, at/' pairs.hd >fault.hd
F="heddle debug fault.hd --board teach8 --block 16 --out y=u32[16] --arg n=16"
printf 'break fault\ncontinue\nregisters at\n' >commands
says 0 "$F --commands commands" "breakpoint 1: fault"
sed 's/^met:/again: bra again\nmet:/' pairs.hd >loop.hd
says 0 "echo where | heddle debug loop.hd --board teach8 --block 16 --out y=u32[16] --arg n=16 --max-instructions 5000" "again"

sed 's/^\.kernel.*/.file "other.cu"\n&\n.loc 900/' pairs.hd >foreign.hd
says 0 "echo list | heddle debug foreign.hd --board teach8 --block 16 --out y=u32[16] --arg n=16" "in another file"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
