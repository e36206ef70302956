#!/bin/sh
# Tables of docs/claims/mask.md that need several runs of the study, or only the end of one:
#
#   scripts/mask_tables.sh rows      what the number of rows that share a word changes
#   scripts/mask_tables.sh boards    the verdicts of every board
set -u
study() {
    heddle study mask --text made --length 64 --length 256 --elements 65536 --brief --markdown "$@"
}
case ${1:-} in
rows)
    echo '| R | tile | L = 64: written back | over vector | L = 256: written back | over vector |'
    echo '|---:|---:|---:|---:|---:|---:|'
    for rows in 1 2 4 8 16 32; do
        study --rows "$rows" | awk -F ' *[|] *' -v rows="$rows" '
            $2 == "L" && !found { for (i = 2; i < NF; i++) column[$i] = i; found = ("bool-vector" in column) }
            found && ($2 == 64 || $2 == 256) {
                words = $column["words linear"]
                row = row sprintf(" %s | %.3f |", words, words / $column["bool-vector"]); n++
            }
            found && n && !NF { exit }
            END { if (n != 2) exit 1
                  printf "| %d | %d x %d |%s\n", rows, rows, 1024 / rows, row }' || exit 1
    done
    ;;
boards)
    study --board all | awk '/^\| claim \| v100/ { on = 1 } on && !/^\|/ { exit } on'
    ;;
*)
    echo "usage: mask_tables.sh rows|boards" >&2
    exit 2
    ;;
esac
