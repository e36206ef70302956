#!/bin/sh
# boards.sh FILE...: the boards and memory devices that ship, as C for the library (sim/board/shipped.h).
texts() { # texts ARRAY COUNT FILE...
    array=$1 count=$2
    shift 2
    for file in "$@"; do
        printf 'static const char %s_%s[] = {' "$array" "$(basename "$file" .yaml | tr .- __)"
        od -An -v -td1 "$file" | sed 's/ *\(-\{0,1\}[0-9]\{1,\}\)/\1,/g'
        echo '0};'
    done
    echo "const struct board_shipped $array[] = {"
    for file in "$@"; do
        name=$(basename "$file" .yaml)
        id=${array}_$(echo "$name" | tr .- __)
        printf '    {"%s", %s, sizeof %s - 1},\n' "$name" "$id" "$id"
    done
    printf '};\nconst u32 %s = COUNT_OF(%s);\n' "$count" "$array"
}
echo '#include "sim/board/shipped.h"'
# shellcheck disable=SC2046 # names without blanks
texts board_shipped board_shipped_count $(printf '%s\n' "$@" | grep -v /devices/)
# shellcheck disable=SC2046
texts device_texts device_text_count $(printf '%s\n' "$@" | grep /devices/)
