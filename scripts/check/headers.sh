#!/bin/sh
# Every header compiles alone, and the public ones as C++ too.
bad=0 n=0
for header in $(git ls-files -co --exclude-standard '*.h'); do
    case $header in
    sim/arch/exec_*.h | sim/arch/lane.h | tests/*) continue ;; # parts of one translation unit
    sim/file/*.h | sim/lua/*.h | sim/cli/*) extra="$(pkg-config --cflags lua5.4) -D_GNU_SOURCE" ;;
    *) extra="" ;;
    esac
    n=$((n + 1))
    # shellcheck disable=SC2086
    ${CC:-gcc} -std=c17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I. $extra -fsyntax-only -x c "$header" ||
        bad=1
done
if command -v g++ >/dev/null 2>&1; then
    echo '#include "sim/lua/heddle_cases.h"' | g++ -Wall -Wextra -I. -fsyntax-only -x c++ - || bad=1
fi
echo "$n headers"
exit $bad
