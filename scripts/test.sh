#!/bin/sh
# Runs every test suite that `make test` built and adds up their counts.
#
#   BUILD=build [SAN=1] [QUICK=1] [ONLY="WORD ..."] [SKIP="NAME ..."] [TIMES=1] [JOBS=n] [LIMIT=seconds] [CLOCK=seconds] scripts/test.sh
#
# A suite prints a line `N passed, N failed` (Criterion: its own Synthesis line), and `skipped: WHY` for parts that it skips.
# One that prints no count, counts nothing, exits non-zero, uses more CPU than LIMIT, does not end within CLOCK or is reported
# by a sanitizer has failed (scripts/limited.sh). It writes its present case into the file $DOING. ONLY runs the suites whose
# room or name contains a WORD (prove/, dram), Criterion's files among them; SKIP leaves out those of these names. JOBS suites run at a
# time, the long ones first; they are reported in a fixed order, and the last line is the sum. QUICK=1 is for a further build
# of what has been tested: fewer samples of an instruction, fewer random programs, fewer boards. TIMES=1 adds what took long.
# COUNTS=FOLDER: where a build with COVER=1 puts counts of branches, in a folder for each suite.
# Full output is kept in $BUILD/log/.
set -u
BUILD=${BUILD:-build}
CC=${CC:-gcc}
ONLY=${ONLY:-}
SKIP=${SKIP:-}
TIMES=${TIMES:-}
JOBS=${JOBS:-$(nproc 2>/dev/null || echo 2)}
LIMIT=${LIMIT:-900} # seconds of CPU that a suite may use
CLOCK=${CLOCK:-$((4 * LIMIT))} # seconds by the clock
HEDDLE=$PWD/$BUILD/heddle
SAN=${SAN:-}
LOG=$BUILD/log
export BUILD ONLY TIMES JOBS LIMIT CLOCK HEDDLE SAN
unset MAKEFLAGS
export UBSAN_OPTIONS=print_stacktrace=1
total_passed=0
total_failed=0
total_skipped=0
# Begun first, longest first.
LONG="criterion additions.sh mask_adversary.lua timed.lua claims.lua spconv_adversary.lua mask_study.lua reorder_adversary.lua
spconv.lua schema.sh studies.lua verdicts.sh kernels.lua lessons.lua proved.lua checked.lua dist.sh spconv_pipeline.lua clean.lua
spconv_study.lua spconv_claims.lua recording.lua doc.sh debugged.lua calibrate.lua cli.sh voxelize.lua advice.lua
spconv_crossover.lua mask_workloads.lua oom.sh calls.sh mask_rows.lua mask_bytes.lua setup.sh press.sh prove.sh classic.sh
install.sh sweep.sh sweep_trouble.sh native.js page.js report.js engine.js"
# Wait most of their time for other programs: begun beside the others.
WAITS="slurm.sh debug_screen.sh suites.sh"

# ---- one suite ----

# The module in a stock interpreter needs the sanitizer's runtime first, when it was built with one.
stock_lua() {
    preload=""
    case $SAN,$CC in
    ,*) ;;
    *clang*) preload=$($CC -print-file-name="libclang_rt.asan-$(uname -m).so") ;;
    *) preload=$($CC -print-file-name=libasan.so) ;;
    esac
    limited env ${preload:+LD_PRELOAD=$preload} LUA_CPATH="$PWD/$BUILD/?.so;;" LUA_PATH="$PWD/scripts/lib/?.lua;;" lua5.4 "$1"
}
limited() { # limited COMMAND...: a signal to the process of $log.pid ends it
    DOING=$PWD/$log.doing sh scripts/limited.sh "$LIMIT" "$CLOCK" "$@" &
    echo $! >"$log.pid"
    wait $!
}
files() { # files PATTERN: of all rooms, as room/name
    (cd tests && ls -d */$1 2>/dev/null) | grep -vE '^(lib|fuzz|bench)/'
}
script() { # script FILE: of the pages, with the packages of npm, which is not run with sanitizers
    if [ -n "$SAN" ] || ! command -v node >/dev/null || [ ! -d node_modules ]; then
        echo "skipped: no node with packages of npm ('scripts/setup.sh web browser' installs them), or a build with sanitizers"
        echo "0 passed, 0 failed"
    else
        limited node "$1"
    fi
}
in_files() { # the pattern of Criterion's suites that ONLY means
    all="*"
    case " $ONLY " in "  " | *criterion*) ;; *) all=$(of_words | LC_ALL=C sort -u | paste -sd '|' -) ;; esac
    echo "@($all)/*"
}
of_words() { # the suites of files whose name contains a word
    for word in $ONLY; do
        files '*.c' | grep -F -- "$word" | sed 's|^|tests/|' | xargs -r cat
    done | sed -nE 's/^(Parameterized)?Test\(([a-z0-9_]+),.*/\2/p'
}
suite() { # suite NAME
    case $1 in
    criterion) limited "$BUILD/tests/run" --jobs "$JOBS" --verbose --filter "$(in_files)" ;;
    functional) limited "$BUILD/functional" ;;
    *.lua) limited "$HEDDLE" lua "tests/$(files "$1")" ;;
    *-stock) stock_lua "tests/$(files "${1%-stock}.lua")" ;;
    *.sh) limited sh "tests/$(files "$1")" ;;
    *.js) script "tests/$(files "$1")" ;;
    esac
}
if [ "${1:-}" = --suite ]; then # from below: exit status, seconds, and processor seconds go to NAME.end
    [ ! -e "$LOG/stopped" ] || exit 255 # xargs begins no other
    log=$LOG/$2
    began=$(date +%s)
    [ -z "${COUNTS:-}" ] || export GCOV_PREFIX="$COUNTS/$2"
    suite "$2" >"$log.log" 2>&1
    status=$?
    rm -f "$log.pid" "$log.doing"
    {
        echo "$status $(($(date +%s) - began))"
        times
    } >"$log.times"
    awk 'NR == 1 { line = $0 }
        NR == 3 { split($0, t, /[ms ]+/); print line, t[1] * 60 + t[2] + t[3] * 60 + t[4] }' "$log.times" >"$log.new"
    rm -f "$log.times"
    mv "$log.new" "$log.end"
    exit 0
fi

# ---- all of them ----

names() { # in the order of the report
    echo criterion
    echo functional
    files '*.lua'
    files 'lua_*.lua' | sed 's/\.lua$/-stock/'
    files '*.sh'
    files '*.js'
}
chosen() { # of the names on standard input
    while read -r name; do
        case " $SKIP " in *" ${name##*/} "*) continue ;; esac
        for word in ${ONLY:-""}; do
            case $name in
            *"$word"*) echo "${name##*/}" && break ;;
            criterion) [ -n "$(ONLY=$word of_words)" ] && echo "$name" && break ;;
            esac
        done
    done
}

count() { # count LOG: "passed failed skipped", or nothing
    awk '
        /Synthesis: Tested:/ {
            gsub(/\033\[[0-9;]*m/, "")
            n = split($0, w, /[^0-9]+/)
            split("", v); k = 0
            for (i = 1; i <= n; i++) if (w[i] != "") v[++k] = w[i]
            # Tested, Passing, Failing (crashes among them), Crashing
            passed = v[2]; failed = v[1] - v[2]; seen = 1
        }
        match($0, /[0-9]+ passed, [0-9]+ failed/) {
            split(substr($0, RSTART, RLENGTH), w, " ")
            passed = w[1]; failed = w[3]; seen = 1
        }
        /^\[SKIP\].*: Test is disabled/ { next } # a filter passes it over
        /^skipped: |^\[SKIP\]/ { skipped++ }
        END { if (seen) print passed + 0, failed + 0, skipped + 0 }' "$1"
}

failures() { # failures LOG WHY: a line for each case that failed, or one for the suite
    sed -nE 's/^\[FAIL\] ([^ ]+):.*/\1/p; s/^FAILED:? //p' "$1" |
        awk -v suite="$(basename "$1" .log)" -v why="$2" '{ print "failed: " suite ": " $0 } END { if (!NR) print "failed: " suite ": " why }' |
        head -n 20
}

report() { # report NAME: its line, once it has ended
    name=$1
    log=$LOG/$name.log
    until [ -e "$LOG/$name.end" ]; do
        kill -0 "$runner" 2>/dev/null || [ -e "$LOG/$name.end" ] || echo "255 0 0" >"$LOG/$name.end"
        sleep 0.5
    done
    read -r status seconds cpu <"$LOG/$name.end"
    printf '%7d %7.1f  %s\n' "$seconds" "$cpu" "$name" >>"$LOG/times"
    set -- $(count "$log")
    passed=${1:-0} failed=${2:-0} skipped=${3:-0}
    why=""
    if [ "$status" -eq 124 ]; then
        why=$(sed -n 's/^ended: //p' "$log" | head -n 1)
    elif grep -qE 'ERROR: (Address|Leak)Sanitizer|: runtime error: ' "$log"; then
        why="sanitizer report"
    elif [ "$((passed + failed + skipped))" -eq 0 ]; then
        why="no test was counted, exit status $status"
    elif [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
        why="exit status $status"
    fi
    [ -n "$why" ] && failed=$((failed + 1))
    printf '  %-24s %6d passed %4d failed%s\n' "$name" "$passed" "$failed" "${why:+  ($why)}"
    sed -nE '/: Test is disabled/d; s/^skipped: |^\[SKIP\] [^ ]*: /      skipped: /p' "$log" | LC_ALL=C sort | uniq -c | sed -E 's/^ *1 //; s/^ *([0-9]+) +skipped:/      \1 skipped:/'
    if [ "$failed" -gt 0 ]; then
        failures "$log" "${why:-$failed failed}" >>"$LOG/failures"
        echo "---- $log, last lines ----"
        awk '/^\[RUN / { running[$3] = 1; next } /^\[====\] Running/ { next }
            /^\[(PASS|SKIP|FAIL)\]/ { name = $2; sub(/:$/, "", name); delete running[name] } /^\[(PASS|SKIP)\]/ { next } { print }
            END { for (name in running) print "did not end: " name }' "$log" | tail -n 60
        echo "----"
    fi
    total_passed=$((total_passed + passed))
    total_failed=$((total_failed + failed))
    total_skipped=$((total_skipped + skipped))
}

chosen_here() { # those of the names in $1 that are run, each once
    for name in $1; do
        grep -qxF "$name" "$LOG/names" && echo "$name"
    done | awk '!seen[$0]++'
}

mkdir -p "$LOG"
rm -f "$LOG"/*.end "$LOG"/*.pid "$LOG/times" "$LOG/failures" "$LOG/stopped"
names | sed 's|.*/||' | sort | uniq -d | sed 's/^/two suites have this name, of which one would not run: /' >"$LOG/twins"
if [ -s "$LOG/twins" ]; then cat "$LOG/twins" >&2 && exit 1; fi
names | chosen >"$LOG/names"
[ -s "$LOG/names" ] || echo "no suite or file of tests has one of these words in its name: $ONLY" >&2
{
    chosen_here "$WAITS" | xargs -r -P 9 -n 1 sh "$0" --suite &
    chosen_here "$LONG $(cat "$LOG/names")" | grep -vxF "$(printf '%s\n' $WAITS)" | xargs -r -P "$JOBS" -n 1 sh "$0" --suite
    wait
} &
runner=$!
stop() { # begins no other suite, and ends those that run; one that has just been begun writes its number a little later
    : >"$LOG/stopped"
    kill "$runner"
    for try in 0.1 0.1 0.2 0.3 0.5; do
        for file in "$LOG"/*.pid; do kill "$(cat "$file")" && rm -f "$file"; done
        sleep $try
    done
} 2>/dev/null
trap 'stop; exit 130' INT TERM
while read -r name; do report "$name"; done <"$LOG/names"

if [ -n "$TIMES" ]; then
    printf '\nseconds     CPU  suite\n'
    sort -rn "$LOG/times"
    printf '\nseconds  case (of those that say)\n'
    grep -hoE '^\[PASS\] [^ ]+: \([0-9.]+s\)' "$LOG/criterion.log" 2>/dev/null |
        sed 's/^\[PASS\] \(.*\): (\(.*\)s)/\2 criterion: \1/' >"$LOG/cases"
    while read -r name; do sed -n "s/^case took \([0-9]*\) s: /\1 $name: /p" "$LOG/$name.log"; done <"$LOG/names" >>"$LOG/cases"
    sort -rn "$LOG/cases" | head -n 25 | while read -r seconds name; do printf '%7.1f  %s\n' "$seconds" "$name"; done
    echo
fi
[ ! -s "$LOG/failures" ] || cat "$LOG/failures"
if [ "$total_skipped" -gt 0 ]; then
    echo "$total_passed passed, $total_failed failed, $total_skipped skipped"
else
    echo "$total_passed passed, $total_failed failed"
fi
[ "$total_failed" -eq 0 ] && [ "$total_passed" -gt 0 ]
