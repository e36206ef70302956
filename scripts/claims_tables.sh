#!/bin/sh
# Tables of docs/claims/ that need several runs of a study, or only the beginning of one:
#
#   scripts/claims_tables.sh boards STUDY [OPTION...]    the verdicts of every board
#   scripts/claims_tables.sh shares                      what share of a whole FFT a reorder is, on every board
#   scripts/claims_tables.sh rows [OPTION...]            what the number of rows that share a word of the mask changes
set -u

# The table of the input whose head begins so.
table() { awk -v head="$1" 'index($0, head) == 1 { on = 1 } on && !/^\|/ { exit } on'; }

case ${1:-} in
boards)
    shift
    heddle study "$@" --board all --brief --markdown | table "| claim | v100"
    ;;
shares) heddle study reorder --board all --method none --whole --brief --markdown | table "| board |" ;;
rows)
    shift
    echo '| R | tile | L = 64: written back | over vector | L = 256: written back | over vector |'
    echo '|---:|---:|---:|---:|---:|---:|'
    for rows in 1 2 4 8 16 32; do
        heddle study mask --length 64 --length 256 "$@" --brief --markdown --rows "$rows" |
            awk -F ' *[|] *' -v rows="$rows" '
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
*)
    echo "usage: claims_tables.sh boards STUDY [OPTION...] | shares | rows [OPTION...]" >&2
    exit 2
    ;;
esac
