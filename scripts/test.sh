#!/bin/sh
# Runs every test suite that `make test` built and adds up their counts.
#
#   BUILD=build [SAN=1] [ONLY=WORD] scripts/test.sh
#
# A suite prints a line `N passed, N failed` (Criterion: its own Synthesis line). One that prints no count, counts
# nothing, exits non-zero or is reported by a sanitizer has failed. ONLY runs the suites whose name contains WORD. The
# last line is the sum. Full output is kept in $BUILD/log/.
set -u
BUILD=${BUILD:-build}
ONLY=${ONLY:-}
LIMIT=${LIMIT:-900} # seconds a suite may take
HEDDLE=$PWD/$BUILD/heddle
SAN=${SAN:-}
LOG=$BUILD/log
export BUILD HEDDLE SAN
export UBSAN_OPTIONS=print_stacktrace=1
mkdir -p "$LOG"
total_passed=0
total_failed=0
total_skipped=0

count() { # count LOG: "passed failed skipped", or nothing
    awk '
        /Synthesis: Tested:/ {
            gsub(/\033\[[0-9;]*m/, "")
            n = split($0, w, /[^0-9]+/)
            split("", v); k = 0
            for (i = 1; i <= n; i++) if (w[i] != "") v[++k] = w[i]
            # Tested, Passing, Failing (crashes among them), Crashing
            passed = v[2]; failed = v[1] - v[2]; skipped = 0; seen = 1
        }
        match($0, /[0-9]+ passed, [0-9]+ failed/) {
            split(substr($0, RSTART, RLENGTH), w, " ")
            passed = w[1]; failed = w[3]; skipped = 0; seen = 1
            if (match($0, /[0-9]+ skipped/)) skipped = substr($0, RSTART, RLENGTH) + 0
        }
        END { if (seen) print passed + 0, failed + 0, skipped + 0 }' "$1"
}

suite() { # suite NAME COMMAND...
    name=$1
    shift
    case $name in *"$ONLY"*) ;; *) return ;; esac
    log=$LOG/$name.log
    timeout "$LIMIT" "$@" >"$log" 2>&1 </dev/null
    status=$?
    set -- $(count "$log")
    passed=${1:-0} failed=${2:-0} skipped=${3:-0}
    why=""
    if [ "$status" -eq 124 ]; then
        why="longer than $LIMIT s"
    elif grep -qE 'ERROR: (Address|Leak)Sanitizer|: runtime error: ' "$log"; then
        why="sanitizer report"
    elif [ "$((passed + failed + skipped))" -eq 0 ]; then
        why="no test was counted, exit status $status"
    elif [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
        why="exit status $status"
    fi
    [ -n "$why" ] && failed=$((failed + 1))
    printf '  %-24s %6d passed %4d failed%s\n' "$name" "$passed" "$failed" "${why:+  ($why)}"
    if [ "$failed" -gt 0 ]; then
        echo "---- $log, last lines ----"
        tail -n 60 "$log"
        echo "----"
    fi
    total_passed=$((total_passed + passed))
    total_failed=$((total_failed + failed))
    total_skipped=$((total_skipped + skipped))
}

# The module in a stock interpreter needs the sanitizer's runtime first, when it was built with one.
stock_lua() {
    preload=""
    [ -n "$SAN" ] && preload=$(gcc -print-file-name=libasan.so)
    suite "$1" env ${preload:+LD_PRELOAD=$preload} LUA_CPATH="$PWD/$BUILD/?.so;;" LUA_PATH="$PWD/scripts/?.lua;;" \
        lua5.4 "$2"
}

suite criterion "$BUILD/tests/run" --jobs 2
suite functional "$BUILD/functional"
for file in tests/*.lua; do
    [ -e "$file" ] && suite "$(basename "$file")" "$HEDDLE" lua "$file"
done
for file in tests/lua_*.lua; do
    [ -e "$file" ] && stock_lua "$(basename "$file" .lua)-stock" "$file"
done
for file in tests/*.sh; do
    [ -e "$file" ] && suite "$(basename "$file")" sh "$file"
done

if [ "$total_skipped" -gt 0 ]; then
    echo "$total_passed passed, $total_failed failed, $total_skipped skipped"
else
    echo "$total_passed passed, $total_failed failed"
fi
[ "$total_failed" -eq 0 ] && [ "$total_passed" -gt 0 ]
