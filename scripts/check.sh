#!/bin/sh
# Runs every script of scripts/check/ (or those named: `scripts/check.sh layers docs`). A failing one prints what is
# wrong and exits non-zero.
#
#   BUILD=build CC=gcc scripts/check.sh [NAME...]
cd "$(dirname "$0")/.." || exit 2
export BUILD="${BUILD:-build}" CC="${CC:-gcc}"
[ "${SETUP:-}" = no ] || scripts/setup.sh check || exit 1
[ $# -gt 0 ] || set -- $(ls scripts/check | sed 's/\.sh$//')
bad=0
for name in "$@"; do
    if output=$(sh "scripts/check/$name.sh" 2>&1); then
        printf '  %-14s ok%s\n' "$name" "${output:+  ($(echo "$output" | tail -n 1))}"
    else
        printf '  %-14s FAILED\n%s\n' "$name" "$output"
        bad=$((bad + 1))
    fi
done
if [ "$bad" -gt 0 ]; then
    echo "check: $bad of $# failed"
    exit 1
fi
echo "check: all $# passed"
