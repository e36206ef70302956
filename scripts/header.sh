#!/bin/sh
# Prints the public header as it is installed: it stands alone, and the options of a launch are members with their comments
# (sim/base/launch.def) in place of the rows that make them.
set -eu
cd "$(dirname "$0")/.."
awk '
    /^#define LAUNCH_OPTION\(/ { next }
    /^#include "sim\/base\/launch.def"$/ {
        while ((getline row < "sim/base/launch.def") > 0) {
            if (row ~ /^(LAUNCH|CLOCK)_OPTION\(/) {
                sub(/^[A-Z_]*\(/, "", row)
                sub(/,.*/, "", row)
                printf "%s    %s;\n", comment, row
                comment = ""
            } else if (row ~ /^\/\*/ || inside) {
                comment = (inside ? comment : "") "    " row "\n"
                inside = row !~ /\*\/$/
            }
        }
        next
    }
    { print }' sim/api/heddle.h
