#!/bin/sh
# Compares two builds of heddle byte by byte: outputs, cycles and metrics of every case of every kernel, on every board,
# by either engine and 1, 2, 3 and 8 threads, and the JSON of studies. An optimisation changes none of them.
#
#   scripts/same.sh OLD/build/heddle NEW/build/heddle             hours of CPU
#   scripts/same.sh --quick OLD/build/heddle NEW/build/heddle     a minute: one board and width, each sixth kernel
set -u
boards=$(cd configs && printf '%s ' *.yaml | sed 's/\.yaml//g')
threads='1 2 3 8' engines='auto baseline' warp=all studies='gemm reorder rfft spconv mask' length='' each=1
if [ "${1:-}" = --quick ]; then
    shift
    boards=v100 threads='1 3' engines=auto warp=32 studies=mask length='--length 64 --brief' each=6
fi
if [ $# -ne 2 ] || [ ! -x "$1" ] || [ ! -x "$2" ]; then
    echo 'usage: scripts/same.sh [--quick] OLD NEW: two heddle commands' >&2
    exit 2
fi
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT || exit 1
failed=0
kernels=$(git ls-files 'kernels/*.hd' | awk "NR % $each == 0")

# Runs both with the same arguments; what differs is named by the beginnings of its lines.
same() {
    "$old" "$@" >"$work/old" 2>&1 &
    "$new" "$@" >"$work/new" 2>&1
    wait $!
    cmp -s "$work/old" "$work/new" && return
    failed=1
    echo "different: heddle $*" | cut -c 1-120
    diff "$work/old" "$work/new" | grep '^[<>]' | cut -c 1-100 | head -n 6
}

old=$1 new=$2
for board in $boards; do
    for engine in $engines; do
        for n in $threads; do
            # shellcheck disable=SC2086 # names without blanks
            same lua scripts/same.lua "$board" "$n" "$engine" "$warp" $kernels
        done
    done
    for study in $studies; do
        # shellcheck disable=SC2086
        same study "$study" --board "$board" $length --json -
    done
done
[ $failed -eq 0 ] && echo "same: $(wc -c <"$work/new") bytes of the last comparison, and all others"
exit $failed
