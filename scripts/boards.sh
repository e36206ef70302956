#!/bin/sh
# boards.sh FILE...: the boards that ship, as C for the library (sim/board/shipped.h).
echo '#include "sim/board/shipped.h"'
for file in "$@"; do
    name=$(basename "$file" .yaml)
    printf 'static const char text_%s[] = {' "$name"
    od -An -v -td1 "$file" | sed 's/ *\(-\{0,1\}[0-9]\{1,\}\)/\1,/g'
    echo '0};'
done
echo 'const struct board_shipped board_shipped[] = {'
for file in "$@"; do
    name=$(basename "$file" .yaml)
    printf '    {"%s", text_%s, sizeof text_%s - 1},\n' "$name" "$name" "$name"
done
echo '};'
echo 'const u32 board_shipped_count = COUNT_OF(board_shipped);'
