#!/bin/sh
# Do pages of `heddle report` work in a browser, in both themes, at two widths? See scripts/report/look.js. Needs chromium,
# node, and what `npm ci` installs in scripts/web (scripts/setup.sh browser does both).
set -u
look=$(realpath scripts/report)
if ! command -v node >/dev/null 2>&1 || [ ! -e "${CHROMIUM:-/usr/bin/chromium}" ] || [ ! -d "$look/../web/node_modules" ] ||
    [ -n "${SAN:-}" ]; then
    echo "skipped: no browser ('scripts/setup.sh browser' installs one), or this is a build with sanitizers"
    echo "0 passed, 0 failed"
    exit 0
fi
. "$(dirname "$0")/../lib/cli.sh"

heddle run classic/transpose_tiled --board v100 --explain 66 --json one.json -q
heddle run classic/transpose_naive --board teach32,v100 --json two.json -q
heddle report one.json -o one.html
heddle report two.json -o two.html
heddle sweep run classic/saxpy --case 1 --board v100 --over sms=10,80 --over dram.channels=8..64/x2 -o s.db >log 2>&1
heddle report s.db -o sweep.html
heddle make x.npy 'f32[1,2,24,24]:expr:(i * 7919 // 16 % 13) // 12'
heddle make w.npy 'f32[4,2,3,3]:expr:i % 5'
heddle study spconv --x x.npy --weight w.npy --crossover --html study.html >log
node "$look/look.js" one.html two.html sweep.html study.html
