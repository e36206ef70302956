#!/bin/sh
# Runs every script of scripts/check/ (or those named: `scripts/check.sh layers docs`). A failing one prints what is
# wrong and exits non-zero.
#
#   BUILD=build CC=gcc scripts/check.sh [NAME...]
cd "$(dirname "$0")/.." || exit 2
export BUILD="${BUILD:-build}" CC="${CC:-gcc}"
[ $# -gt 0 ] || set -- $(ls scripts/check | sed -n 's/\.sh$//p')
log=$BUILD/log/check
mkdir -p "$log"
rm -f "$log"/*
# Runs one for each core at a time, the longest first; prints their output in the order of their names.
printf '%s\n' "$@" | awk '/^analysis|^docs/ { print; next } { rest = rest $0 "\n" } END { printf "%s", rest }' |
    xargs -P "$(nproc 2>/dev/null || echo 2)" -I NAME sh -c '
        sh scripts/check/NAME.sh >"$1/NAME" 2>&1 </dev/null
        echo $? >"$1/NAME.new"
        mv "$1/NAME.new" "$1/NAME.end"' sh "$log" &
runner=$!
bad=0
for name in "$@"; do
    until [ -e "$log/$name.end" ]; do
        kill -0 "$runner" 2>/dev/null || [ -e "$log/$name.end" ] || echo 255 >"$log/$name.end"
        sleep 0.1
    done
    if [ "$(cat "$log/$name.end")" -eq 0 ]; then
        line=$(tail -n 1 "$log/$name")
        printf '  %-14s ok%s\n' "$name" "${line:+  ($line)}"
    else
        printf '  %-14s FAILED\n' "$name"
        cat "$log/$name"
        echo "failed: check $name"
        bad=$((bad + 1))
    fi
done
if [ "$bad" -gt 0 ]; then
    echo "check: $bad of $# failed"
    exit 1
fi
echo "check: all $# passed"
