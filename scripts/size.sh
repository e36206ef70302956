#!/bin/sh
# The size of an instruction: rows of the table, hand-written lines for each; and files and functions that are too long.
cd "$(dirname "$0")/.." || exit 2
rows=$(cat isa/ops_*.def isa/shapes.def | grep -cE '^(LANE|LANEI|ATOM|WARP|PRODUCT)\(')
table=$(cat isa/ops_*.def isa/shapes.def | wc -l)
lane=$(cat sim/arch/lane*.h sim/arch/softfloat.[ch] 2>/dev/null | wc -l)
exec=$(cat sim/arch/exec*.[ch] 2>/dev/null | wc -l)
echo "$rows $table $lane $exec" | awk '{
    printf "instruction rows          %6d\n", $1
    printf "lines of the tables       %6d\n", $2
    printf "lines of lane arithmetic  %6d   (sim/arch/lane*.h, softfloat)\n", $3
    printf "lines of the executor     %6d   (sim/arch/exec*)\n", $4
    printf "lines per row             %6.2f   (%.2f without the arithmetic library)\n", ($2 + $3 + $4) / $1, ($2 + $4) / $1 }'
# Measured on an ordinary row: the files of the simulator that name it.
files=$(grep -rlE 'SAD_U32|sad\.u32' isa sim --include='*.[ch]' --include='*.def' | wc -l)
printf 'files for an instruction  %6d   (sad.u32: its row; then a kernel and a test that use it: docs/adding.md)\n' "$files"
echo
echo "files over 500 lines (tables exempt):"
git ls-files -co --exclude-standard '*.c' '*.h' '*.lua' '*.sh' | xargs wc -l | awk '$1 > 500 && $2 != "total" { print "  " $1, $2; n++ }
    END { if (!n) print "  none" }'
echo "functions over 40 lines:"
# A definition starts in column 1 and ends with a brace in column 1: the house style makes this exact.
git ls-files -co --exclude-standard '*.c' '*.h' | xargs awk '
    FNR == 1 { start = 0 }
    /^[A-Za-z_].*\) \{$/ { start = FNR; name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
    /^[A-Za-z_].*\($/ || /^[A-Za-z_].*,$/ { if (!start) { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) } }
    /^    .*\) \{$/ { if (!start && name != "") start = FNR }
    /^}$/ { if (start && FNR - start - 1 > 40) { printf "  %4d %s:%d %s\n", FNR - start - 1, FILENAME, start, name; n++ } start = 0; name = "" }
    END { if (!n) print "  none" }'
echo "functions with more than five parameters:"
git ls-files -co --exclude-standard '*.c' '*.h' | xargs awk '
    FNR == 1 { start = 0 }
    /^[A-Za-z_][A-Za-z_0-9 *]*\(/ && !/;$/ { start = FNR; text = "" }
    start { text = text $0 }
    start && /\{$/ {
        name = text; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
        sub(/^[^(]*\(/, "", text); sub(/\) \{$/, "", text)
        while (sub(/\([^()]*\)/, "", text)) { } # the parameters of a callback are its own
        count = gsub(/,/, "", text) + 1
        if (count > 5) { printf "  %4d %s:%d %s\n", count, FILENAME, start, name; n++ }
    }
    /[{;]$/ { start = 0 }
    END { if (!n) print "  none" }'
