#!/bin/sh
# Does the full-screen view of the debugger show what the prompt prints, at any size, and leave the terminal as it was?
#
#   HEDDLE=build/heddle sh tests/cli/debug_screen.sh
set -u
root=$(realpath "$(dirname "$0")/../..")
. "$(dirname "$0")/../lib/cli.sh"

skip() {
    echo "skipped: $1"
    echo "0 passed, 0 failed"
    exit 0
}
command -v tmux >/dev/null 2>&1 || skip "tmux is missing, which makes a terminal to look at (make test ONLY=debug_screen gets it)"
servers=0 # a new one for each terminal: the one before may still be ending
tmux() { command tmux -u -L "heddle-$$-$servers" -f /dev/null "$@"; }
trap 'tmux kill-server 2>/dev/null; rm -rf "$work"' EXIT
unset TMUX
TMUX_TMPDIR=$work
export TMUX_TMPDIR

# ---- a terminal ----

# Runs a command in a terminal, where its status and the terminal's modes follow it. Its process is in the file pid.
open() { # open COLUMNS ROWS COMMAND
    tmux kill-server 2>/dev/null
    servers=$((servers + 1))
    rm -f pid
    printf 'echo $$ >pid\nexec %s\n' "$3" >begin
    cat >all <<'END'
trap : INT
set -m
sh begin
echo "status $?"
stty -a | tr ' ;' '\n\n' | grep -xE -e '-?(icanon|echo|icrnl)' | tr '\n' ' '
read -r line
fg
exec cat
END
    tmux new-session -d -x "$1" -y "$2" "sh all" 2>got || skip "no terminal can be had here: $(cat got)"
}
screen() { tmux capture-pane -p; }
press() { tmux send-keys "$@"; }
# Waits until the command, which looks at the file now, is true of the screen; false when it is not for long.
screen_has() { # screen_has COMMAND
    tries=0
    until screen >now && sh -c "$1"; do
        tries=$((tries + 1))
        [ "$tries" -lt 250 ] || { cp now got; return 1; }
        sleep 0.02
    done
}
sees() { # sees WHAT TEXT: waits for it
    if screen_has "grep -qF -e \"$2\" now"; then ok; else bad "$1: no '$2'"; fi
}
becomes() { # becomes WHAT FILE: waits for that screen
    if screen_has "cmp -s now $2"; then ok; else bad "$1"; diff "$2" now | head -n 20; fi
}
keep() { # keep FILE: the screen, when two looks at it are the same
    screen >"$1"
    screen_has "cmp -s now $1 || { cp now $1; false; }"
}
said() { # said COMMAND...: what the last of them prints at the prompt
    printf '%s\n' "$@" | $D | awk '/^\(debug\) / { text = ""; next } { sub(/ +$/, ""); text = text $0 "\n" } END { printf "%s", text }'
}

sed '$s/$/                         ; für alle 日本語日本語日本語/' "$tests/lib/pairs.hd" >pairs.hd
D="heddle debug pairs.hd --board teach8 --block 16 --out y=u32[16] --arg n=16"
view() { # view COLUMNS ROWS [VARIABLE...]
    columns_=$1 rows_=$2
    shift 2
    open "$columns_" "$rows_" "env TERM=screen-256color LC_ALL=C.UTF-8 $* $D --screen"
    screen_has "grep -q '^cycle 0, ' now"
}

# ---- where there is no view ----
says 0 "heddle debug --keys" "n, s       step "
says 2 "$D --screen --commands none" "--screen: error: it takes keys"
$D --screen >got 2>&1 </dev/null
grep -q 'built without ncurses' got && skip "$(cat got)"
says 2 "$D --screen" "--screen: error: the view needs a terminal"
open 80 24 "env TERM=dumb $D --screen"
sees "a terminal whose cursor stays" "the view cannot draw on this terminal"
sees "its status" "status 2"

# ---- on and back ----
n=12
for i in $(seq $n); do echo step; done | $D | grep '^cycle' >places
place() { sed -n "$(($1 + 1))p" places; }
view 80 24
keep 0
for i in $(seq $n); do
    press n
    sees "step $i" "$(place "$i")"
    keep "$i"
done
for i in $(seq $((n - 1)) -1 1); do
    press p
    becomes "step $((i + 1)) taken back" "$i"
done
press p
sees "the first place" "$(place 0)"

# ---- what keys do is what commands do ----
press u 11 Enter
sees "a line that is asked for" "line 11: @odd"
press : "break 17" Enter
sees "a command" "breakpoint 1: 17"
press c
sees "the breakpoint" "line 17: shl.b32"
sees "its mark" ">*  17 0-1 "
press "]"
sees "the next warp" ", warp 0.1, line"
press "["
sees "the one before" ", warp 0.0, line 17"
press : "stepp" Enter
sees "what makes no sense" "there is no command 'stepp'"
press : "until a_label_so_long_that_one_line_is_not_enough" Enter
if screen_has "sed -n 23p now | grep -q 'end\$'"; then ok; else bad "a sentence of two lines"; fi
press : "warps" Enter
sees "a long answer" "waits for"
press Down
sees "which can be scrolled" "Up, Down: more"
press x
sees "and is put away" "n step"
press r next BSpace BSpace
sees "a command that is typed" ":reverse ne"
press Escape
sees "and given up" "n step"
press "?"
sees "the keys" "n, s       step"
press x
sees "the panes again" "[registers"
press K
sees "a key that does nothing" "the key K does nothing"
press : help Enter
sees "the commands" "step, s [N]"
press x q
sees "leaving" "status 0"
sees "the terminal as it was" "icrnl icanon echo"

# ---- panes show what the prompt prints ----
view 120 40
press u 22 Enter
sees "line 22" "line 22: ld.param"
press z
commands=$(echo help | $D | sed -nE 's/^([a-z]+)[, ].*/\1/p')
looked=0
for pane in $(sed -nE 's/^PANE\(([a-z]+),.*/\1/p' "$root/sim/cli/debug/screen_panes.def"); do
    echo "$commands" | grep -qx "$pane" || continue
    until screen | sed -n 2p | grep -qF "[$pane"; do
        keep tabbed
        press Tab
        screen_has "! cmp -s tabbed now" || break
    done
    command=$pane
    case $pane in
    list | registers) continue ;; # these are laid out by lines and lanes: see below
    timeline) command="timeline 104" ;;
    esac
    said "until 22" "$command" | sed '/^#  issue/,$d; s/^ \( *0\.0  *|\)/>\1/' >prompt # but for the legend and a mark
    [ "$pane" != timeline ] || { # the line of the cursor comes first
        awk 'NR == 1 { print; next } /\^$/ { print; next } { rest = rest $0 "\n" } END { printf "%s", rest }' prompt >turned
        mv turned prompt
    }
    looked=$((looked + 1))
    if screen_has "sed -n 3,36p now | sed 's/ *\$//' | head -n $(wc -l <prompt) | cmp -s - prompt"; then
        ok
    else
        bad "the pane '$pane' is not what the prompt prints"
        cat prompt
    fi
done
holds "panes were compared" "[ $looked -ge 5 ]"
press z
sees "all panes" "masks"
of_v='s/^r1 v *([ ~]( *[0-9a-f.]+){4}).*/\1/p'
sees "values of a register" "$(said "until 22" "registers" | sed -nE "$of_v")"
press x
sees "with signs" "$(said "until 22" "registers as signed" | sed -nE "$of_v")"
press x x
sees "as float" "$(said "until 22" "registers as float" | sed -nE "$of_v")"
press x x
sees "in hexadecimal digits again" "registers as hex"
to() { # to PANE
    for i in 1 2 3 4 5 6 7 8 9; do
        screen | grep -qF "[$1" && return
        keep tabbed
        press Tab
        screen_has "! cmp -s tabbed now"
    done
}
to memory
press X
sees "lines of four elements" "[memory 4 as hex]"
press X X X X x
sees "as many as fit, in another form" "[memory 2 as signed]"
press x x x x
to registers
for i in 1 2 3 4 5 6 7 8 9; do press Tab; done
press : "lane 3" Enter
sees "one lane" "lane 3: "
press : "lane all" Enter
sees "all lanes" "of 8"
until screen | grep -qF "[registers"; do
    keep tabbed
    press Tab
    screen_has "! cmp -s tabbed now" || break
done
press Right Right Right Right Right Right Right Right
sees "the last lanes" "7 of 8"
press Home
sees "the first ones" "  0        1        2 "
press r "until 12" Enter
sees "lanes that are not active" "(1) "
press u 22 Enter
sees "line 22 again" "line 22: ld.param"

# ---- the page shows it as it is ----
awk '/^```$/ { on = 0 } on; /^```text view$/ { on = 1 }' "$root/docs/debug.md" >page
open 80 24 "env TERM=screen-256color LC_ALL=C.UTF-8 heddle debug --screen classic/saxpy --board teach8 --set sm.max_blocks=1"
sees "saxpy" "line 23"
press u38 Enter
becomes "docs/debug.md is not what is shown" page

# ---- any size ----
view 80 24
keep small
tmux resize-window -x 120 -y 40
sees "a larger terminal" "timeline 48"
keep large
holds "it is filled" "awk '/masks/ { side = 1 } /access/ && NR > 20 { far = 1 } END { exit !(side && far) }' large"
tmux resize-window -x 50 -y 10
sees "a terminal that is too small" "The view needs 60 columns"
tmux resize-window -x 80 -y 24
becomes "the size that it had" small
press n
sees "it goes on" "line 8: and.b32"
for size in 60x18 60x60 100x30 109x19 110x18 240x80; do
    tmux resize-window -x "${size%x*}" -y "${size#*x}"
    sees "the panes at $size" "masks"
    press n
    sees "a step at $size" "cycle"
done

# ---- what the terminal can show ----
look() { tmux capture-pane -pe >looked; }
coloured="grep -qE '\[[0-9;]*3[0-7]m' looked"
view 80 24
look
holds "colours" "$coloured"
view 80 24 NO_COLOR=1
look
holds "no colours with NO_COLOR" "! $coloured"
keep plain
open 80 24 "env TERM=screen-256color LC_ALL=C.UTF-8 $D --screen --color never"
becomes "the same with --color never" plain
look
holds "no colours with --color never" "! $coloured"
view 80 24
press u 25 Enter
sees "a comment" "exit ; für alle 日本語"
sees "lines" "─ list"
open 80 24 "env TERM=screen-256color LC_ALL=C $D --screen"
sees "lines in ASCII" "- list ---"
press u 25 Enter
sees "a comment in ASCII" "exit ; f?"
keep ascii
holds "nothing but ASCII" "! LC_ALL=C grep -q '[^ -~]' ascii"

# ---- however it ends, the terminal is as it was ----
ends() { # ends WHAT STATUS
    sees "$1" "status $2"
    sees "$1: the terminal" "icrnl icanon echo"
    screen_has "! grep -q list now" || bad "$1: the panes stay"
}
view 80 24
kill "$(cat pid)"
ends "SIGTERM" 143
view 80 24
press C-c
ends "Ctrl-C" 130
view 80 24
press : quit Enter
ends "quit" 0
view 80 24
press Escape
ends "Escape" 0
view 80 24
press n
sees "a step" "line 8: and.b32"
press C-z
ends "Ctrl-Z" 148
press Enter
sees "the view goes on" "line 8, active"
press n
sees "with its keys" "line 9: setp"
press C-c
screen_has "! grep -q '─ list' now" || bad "Ctrl-C after Ctrl-Z: the panes stay"
if [ -z "${SAN:-}" ]; then # a sanitizer has a handler of its own
    view 80 24
    kill -SEGV "$(cat pid)"
    ends "a crash" 139
fi

# ---- from the prompt ----
says 2 "echo view | $D" "the view is of a terminal"
open 80 24 "env TERM=screen-256color LC_ALL=C.UTF-8 $D"
sees "the prompt" "(debug)"
press view Enter
sees "its view" "─ list"
press n
sees "a step" "line 8: and.b32"
press q
screen_has "! grep -q '─ list' now"
sees "the prompt again" "cycle 14, warp 0.0, line 8: and.b32"
press s Enter
sees "a step there" "line 9: setp"
press v Enter
sees "the view again" "line 9, active"
press : quit Enter
ends "both" 0

# ---- a fault of the kernel ----
sed 's/mad.wide.u32  at, t, 4, at/mad.wide.u32  at, t, 4000, at/' pairs.hd >fault.hd
D="heddle debug fault.hd --board teach8 --block 16 --out y=u32[16] --arg n=16"
view 80 24
sees "a fault" "pairs on teach8, ended by a fault"
press e n
sees "its place" "the launch has ended with a fault"
press p
sees "the way back" "line 23: mad.wide"
press q
sees "the end" "status 0"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
