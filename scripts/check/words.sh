#!/bin/sh
# Comments and pages use short plain English: the rules and limits are in words.lua.
#
#   scripts/check/words.sh [AREA...]    lists each place of these areas ("sim/time", "pages", "all")
git ls-files -co --exclude-standard | "${BUILD:-build}/heddle" lua scripts/check/words.lua "$@"
