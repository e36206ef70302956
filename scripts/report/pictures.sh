#!/bin/sh
# Writes the pictures of pages that README.md and docs/report.md show, docs/pictures/page-*.png. Needs what scripts/setup.sh
# browser installs; those of the page in the browser are of scripts/web/shots.js.
#
#   BUILD=build scripts/report/pictures.sh
set -eu
cd "$(dirname "$0")/../.."
heddle=${BUILD:-build}/heddle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$heddle" run classic/transpose_naive --board v100 --grid 32,32 --block 32,8 --in 'a=f32[1024,1024]:random' \
    --out 'b=f32[1024,1024]' --arg rows=1024 --arg cols=1024 -q --html "$work/page-run.html"
"$heddle" sweep run classic/saxpy --board v100 --over sms=10,20,80 --over dram.channels=4..64/x2 --grid 1024 --block 256 \
    --in x=iota --inout y=random --arg a=2 --arg n=262144 -o "$work/sweep.db" >/dev/null 2>&1
"$heddle" report "$work/sweep.db" -o "$work/page-sweep.html"
node tests/pages/report.js --window "$work" "$work/page-run.html" "$work/page-sweep.html"
cp "$work/page-run-light.png" "$work/page-sweep-light.png" "$work/page-sweep-dark.png" docs/pictures
