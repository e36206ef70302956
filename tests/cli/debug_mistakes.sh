#!/bin/sh
# Does the debugger refuse what makes no sense, and show faults and endless loops?
set -u
. "$(dirname "$0")/../lib/cli.sh"

cp "$tests/lib/pairs.hd" .
D="heddle debug pairs.hd --board teach8 --block 16 --out y=u32[16] --arg n=16"
debug() { # debug COMMANDS: one a word, _ for a blank
    echo "$*" | tr ' _' '\n ' >commands
}

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
wrong "reverse list" "not 'list'"
wrong "list 41000" "'41000' is not a line: there are 1 to "
wrong "list -3" "'-3' is not a line"
wrong "break 2" "line 2 has no instruction"
wrong "break z[1]" "there is no buffer 'z'"
wrong "break y[16]" "'y' has 16 elements"
wrong "break 12 when" "expected \`if REGISTER"
wrong "break 12 if v == 1" "expected REGISTER[LANE]"
wrong "break 12 if v[] == 1" "expected REGISTER[LANE]"
wrong "break 12 if v[8] == 1" "a warp has lanes 0 to 7: 'v[8]'"
wrong "break 12 if v[4294967296] == 1" "a warp has lanes 0 to 7"
wrong "break y[]" "'y[]' is neither BUFFER[ELEMENT]"
wrong "who v[]" "a warp has lanes 0 to 7: 'v[]'"
wrong "who v[18446744073709551615]" "a warp has lanes 0 to 7"
wrong "break 12 if w[1] == 1" "there is no register 'w' there"
wrong "break 12 if v[1] = 1" "'=' is none of"
wrong "break 12 if v[1] == x" "'x' is not a number"
wrong "watch q" "there is no register 'q' here"
wrong "tbreak 18" "there is no 'tbreak' here: \`until WHERE\` moves there at once"
wrong "x/4f y" "there is no 'x/4f' here: \`print y[4..7]\` prints a buffer"
wrong "info nothing" "there is no 'info' here: \`registers\`, \`warps\`"
wrong "watch y[3]" "\`break BUFFER[ELEMENT]\` stops at accesses of an element"
wrong "r" "expected step, next, until or continue"
wrong "print v[8]" "a warp has lanes 0 to 7: 'v[8]'"
wrong "print y as octal" "'octal' is none of"
wrong "delete 3" "there is no breakpoint 3"
holds "what is refused prints nothing" "[ \$(echo step 2 3 | $D 2>/dev/null | grep -c '^cycle') -eq 1 ]"
wrong "delete 1 2" "delete takes one number, or none: '2'"
wrong "until $(printf '%064d' 18)" "has more than 63 characters"
says 0 "echo '# $(printf '%080d' 1)' | $D" "(debug) #"
says 2 "printf 'until 18%2000s%s\n' ' ' 19 | $D" "until takes no '19' here"
wrong "who" "neither BUFFER"
wrong "warp 7" "is not BLOCK.WARP"
wrong "warp 7.0" "there is no warp 0 of block 7"
wrong "registers q" "there is no register 'q' here"
wrong "registers as octal" "'octal' is none of"
wrong "registers v as signed t" "'t' follows \`as signed\`"
wrong "lane 8" "a warp has lanes 0 to 7, not 8"
wrong "lane x" "'x' is not the number of a lane"
wrong "block 9" "there is no block 9 in the recording"
wrong "block -1" "'-1' is not the number of a block"
wrong "sm 1" "the board has SMs 0 to 0, not 1"
wrong "shared 64" "a block has 64 bytes of shared memory"
wrong "memory y 0" "expected 1 to 64 elements of a line, not '0'"
wrong "memory y 65" "expected 1 to 64 elements of a line, not '65'"
wrong "memory y x" "expected 1 to 64 elements of a line, not 'x'"
wrong "shared y" "'y' is a buffer; \`print y\` prints it"
wrong "shared tile[16]" "'tile' has 16 elements"
wrong "shared nowhere" "there is neither a buffer 'nowhere'"
wrong "print z" "there is neither a buffer 'z'"
wrong "print y[3..1]" "expected NAME[ELEMENT] or NAME[FIRST..LAST]"
wrong "print y[" "expected NAME[ELEMENT]"
wrong "print y[1" "expected NAME[ELEMENT]"
wrong "print y[0..16]" "'y' has 16 elements"
wrong "print y 3" "print takes no '3' here"
wrong "timeline 0" "not a number of cycles"
wrong "help stepp" "there is no command 'stepp'"
says 2 "$D --commands none" "none"
says 2 "$D --json x.json" "--json is for 'heddle run'"
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
