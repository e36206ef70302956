#!/bin/sh
# Does scripts/test.sh end a suite that does not end, by its own work and not by the clock, and report what it was doing?
set -u
scripts=$(realpath "$(dirname "$0")/../../scripts")
. "$(dirname "$0")/../lib/cli.sh"

mkdir tests tests/room
ln -s "$scripts" scripts
suite() { # suite NAME: its text is on standard input
    { cat && echo 'echo "1 passed, 0 failed"'; } >"tests/room/it_$1.sh"
}
suite works </dev/null
suite waits <<'END'
sleep 3
END
suite spins <<'END'
echo "the case of a loop" >$DOING
while :; do sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'; done
END
suite sleeps <<'END'
trap '' TERM # and it does not end on request
echo begun
sleep 1000
sleep 1000
END
suite skips <<'END'
echo "skipped: there is no abacus (make test ONLY=skips gets it)"
END
suites() { # suites OPTION...: runs the suites
    env -u ONLY -u SKIP -u TIMES -u SAN BUILD=build JOBS=9 "$@" sh scripts/test.sh >said 2>&1
}
processes() { grep -slz "it_$1" /proc/[0-9]*/cmdline; } # processes NAME: of such a suite

suites ONLY="it_w spins skips" LIMIT=1 CLOCK=60 # on a busy computer, too
mv said first
suites ONLY=it_sleeps CLOCK=3
cat first >>said
holds "failures are told" "grep -qx '3 passed, 1 failed, 1 skipped' said && grep -qx '0 passed, 1 failed' said || ! cat said"
holds "what waits is not what works" "grep -qE '^  it_waits.sh +1 passed +0 failed$' said"
holds "CPU of what it started counts" "grep -qE '^  it_spins.sh .*\(more than 1 s of CPU, in [0-9]+ s by the clock\)' said"
holds "the case is named" "grep -qE '^ended: it was at this, for [0-9]+ s: the case of a loop' said"
holds "so is what runs" "grep -qE '^ended: a process of it, [0-9.]+ s of CPU in [0-9]+ s: sh tests/room/it_spins.sh' said"
holds "a bound by the clock" "grep -qE '^  it_sleeps.sh .*\(more than 3 s by the clock, with 0 s of CPU: it may wait for ever\)' said"
holds "with what it wrote" "grep -qx begun said && grep -q 'a process of it, .*: sleep 1000' said"
holds "a suite says why it passes over something" \
    "grep -A 1 '^  it_skips' said | grep -qx '      skipped: there is no abacus (make test ONLY=skips gets it)'"
sure_gone() { [ -z "$(processes spins)$(processes sleeps)" ] && ok || bad "processes are left: $1"; }
: >got
sure_gone "of what was ended"

env -u SKIP -u TIMES -u SAN BUILD=build JOBS=9 ONLY=it_s sh scripts/test.sh >said 2>&1 &
tests=$!
for try in $(seq 100); do [ -z "$(processes spins)" ] || [ -z "$(processes sleeps)" ] || break; sleep 0.1; done
kill -TERM $tests
wait $tests
holds "a signal ends it" "[ $? -eq 130 ]"
for try in $(seq 100); do [ -n "$(processes spins)$(processes sleeps)" ] || break; sleep 0.1; done
sure_gone "of what a signal ended"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
