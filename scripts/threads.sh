#!/bin/sh
# Runs kernels with several host threads and compares the results with those of one: `make threads`. Built with TSAN=1,
# any report of ThreadSanitizer is a failure.
#
#   BUILD=build/tsan scripts/threads.sh [FILE or FOLDER ...]
#
# Address space layout randomisation is disabled where possible: older ThreadSanitizers cannot place their
# shadow memory otherwise.
set -u
BUILD=${BUILD:-build}
if [ $# -eq 0 ]; then # short kernels with loads, stores, races, barriers, spin waits and local memory
    classic="barriers compact divergence histogram producer_consumer reduce6 saxpy stencil2d transpose_tiled"
    set -- tests/fixtures/race.hd kernels/isa/atomics.hd kernels/isa/address.hd
    for name in $classic; do set -- "$@" "kernels/classic/$name.hd"; done
fi
run=""
command -v setarch >/dev/null 2>&1 && setarch -R true 2>/dev/null && run="setarch -R"
export ONLY_THREADS=1 TSAN_OPTIONS="halt_on_error=0 exitcode=66 ${TSAN_OPTIONS:-}"
log=$BUILD/threads.log
$run "$BUILD/heddle" lua tests/time/timed.lua "$@" >"$log" 2>&1
status=$?
reports=$(grep -c 'WARNING: ThreadSanitizer' "$log")
if [ "$status" -ne 0 ]; then
    head -n 100 "$log"
    echo "exit status $status, $reports reports of ThreadSanitizer; the full log is $log"
fi
grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" || echo "0 passed, 1 failed"
exit "$status"
