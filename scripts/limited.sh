#!/bin/sh
# Runs a command, and ends it with all its processes if they use too many seconds of CPU, or do not end at all.
#
#   scripts/limited.sh CPU CLOCK COMMAND...      exit status 124 when it was ended
#
# CPU counts the seconds of the command and the processes of its session, so that a busy computer ends nothing. CLOCK is for
# processes that sleep for ever. The reason is at the end of the output, with the work at hand: the last line of the file
# $DOING, and the processes.
set -u
cpu=$1 clock=$2
shift 2

processes() { # those of the session, a line each: its number, the seconds of CPU it has used, and those it has lived
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v session="$running" '
        BEGIN { getline up <"/proc/uptime"; sub(/ .*/, "", up) }
        { pid = $1; sub(/^.*\) /, "") } # a name may have blanks
        $4 == session && $1 != "Z" { printf "%d %.1f %.0f\n", pid, ($12 + $13 + $14 + $15) / 100, up - $20 / 100 }'
}
doing() {
    [ ! -s "${DOING:-}" ] || echo "ended: it was at this, for $(($(date +%s) - $(date +%s -r "$DOING"))) s: $(cut -c 1-300 "$DOING" | head -n 1)"
    processes | sort -k 2,2rn | head -n 8 | while read -r pid used age; do
        echo "ended: a process of it, $used s of CPU in $age s: $(tr '\0\n' '  ' <"/proc/$pid/cmdline" 2>/dev/null | cut -c 1-300)"
    done
}
stop() { # all of them, by force if they take more than five seconds
    for signal in TERM 0 0 0 0 0 KILL; do
        kill -s $signal -- "-$running" $(processes | cut -d ' ' -f 1) 2>/dev/null
        [ -n "$(processes)" ] || return 0
        sleep 1
    done
}
watch() { # every second at first, later every twentieth of the time that has passed: a look costs 12 ms of CPU
    began=$(date +%s) why="" passed=0
    until [ -n "$why" ]; do
        sleep $((passed / 20 + 1))
        used=$(processes | awk '{ sum += $2 } END { print int(sum) }')
        passed=$(($(date +%s) - began))
        [ "$passed" -le "$clock" ] || why="more than $clock s by the clock, with $used s of CPU: it may wait for ever"
        [ "$used" -le "$cpu" ] || why="more than $cpu s of CPU, in $passed s by the clock"
    done
    { echo "ended: $why" && doing; } >"$said" 2>&1
    stop
}
said=$(mktemp)
running="" watcher=""
# Before anything is begun: a signal may come at once. Of what has just been begun only the shell knows the number.
trap 'running=${running:-${!:-}}; [ -z "$watcher" ] || kill $watcher; [ -z "$running" ] || stop; rm -f "$said"; exit 130' INT TERM
# The shell lets what runs in the background ignore Ctrl-C; the command shall not.
setsid env --default-signal=INT "$@" </dev/null &
running=$!
watch </dev/null >/dev/null 2>&1 &
watcher=$!
wait "$running"
status=$?
if [ -s "$said" ]; then
    status=124
    wait "$watcher"
    cat "$said"
else
    kill "$watcher"
fi
rm -f "$said"
exit "$status"
