#!/bin/sh
# The scripts of pages (scripts/report) are JavaScript, and plot.min.js is what build.js makes of the locked packages.
command -v node >/dev/null 2>&1 || { echo "not looked at: node is missing"; exit 0; }
for file in scripts/report/*.js; do node --check "$file" || exit 1; done
[ -d node_modules/esbuild ] || { echo "plot.min.js not compared: 'npm ci --ignore-scripts' installs its packages"; exit 0; }
new=$(mktemp)
trap 'rm -f "$new"' EXIT
node scripts/report/build.js "$new" && cmp scripts/report/plot.min.js "$new" && echo "plot.min.js is that of the locked packages"
