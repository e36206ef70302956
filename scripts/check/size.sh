#!/bin/sh
# The tree stays within scripts/check/budget.txt: lines by folder, files of 500 lines, functions of 40 and with five
# parameters, but for the exceptions there, each with its reason.
#
#   scripts/check/size.sh [print]      with `print` (make size): where everything stands, and what an instruction takes
cd "$(dirname "$0")/../.." || exit 2
if [ "$1" = print ]; then
    rows=$(cat isa/ops_*.def isa/shapes.def | grep -cE '^(LANE|LANEI|ATOM|WARP|PRODUCT)\(')
    table=$(cat isa/ops_*.def isa/shapes.def | wc -l)
    lane=$(cat sim/arch/lane*.h sim/arch/softfloat.[ch] | wc -l)
    exec=$(cat sim/arch/exec*.[ch] | wc -l)
    echo "$rows $table $lane $exec" | awk '{
        printf "instruction rows          %6d\n", $1
        printf "lines of the tables       %6d\n", $2
        printf "lines of lane arithmetic  %6d   (sim/arch/lane*.h, softfloat)\n", $3
        printf "lines of the executor     %6d   (sim/arch/exec*)\n", $4
        printf "lines per row             %6.2f   (%.2f without the arithmetic library)\n", ($2 + $3 + $4) / $1, ($2 + $4) / $1 }'
    # Measured on an ordinary row: the files of the simulator that name it.
    files=$(grep -rlE 'SAD_U32|sad\.u32' isa sim --include='*.[ch]' --include='*.def' | wc -l)
    printf 'files for an instruction  %6d   (sad.u32: its row; then a kernel and a test that use it: docs/adding.md)\n' "$files"
fi
git ls-files -co --exclude-standard '*.c' '*.h' '*.def' '*.lua' '*.sh' '*.js' '*.css' '*.html' '*.py' '*.hd' 'docs/*.md' |
    grep -vE '^tests/fuzz/corpus/|^docs/(reference|claims)/|^scripts/python/heddle/structs\.py$|\.min\.js$' | while read -r file; do [ ! -f "$file" ] || echo "$file"; done |
    xargs -s 900000 awk -v print_all="$1" -v budget=scripts/check/budget.txt '
function fail(text) {
    print text
    bad = 1
}
BEGIN {
    while ((getline row < budget) > 0) {
        n = split(row, word, " ")
        if (n < 3 || row ~ /^#/)
            continue
        if (word[1] == "lines")
            most[word[2]] = word[3]
        else
            reason[word[1], word[2]] = row
        exceptions += word[1] == "parameters"
    }
    if (exceptions > 10)
        fail(budget ": " exceptions " functions with more than five parameters; at most 10")
}
function end_file(    at, folder) {
    for (at = length(file); at > 0; at--) {
        folder = substr(file, 1, at - 1)
        if (substr(file, at, 1) == "/" && folder in most)
            break
    }
    if (at)
        lines[folder] += length_of_file
    else if (file ~ /\//)
        fail(file ": its folder has no row in " budget)
    all += length_of_file
    if (length_of_file > 500 && file !~ /\.(def|hd|md|css|html|py)$/) {
        used["file", file] = 1
        if (!(("file", file) in reason))
            fail(file ": " length_of_file " lines; at most 500, or a row `file` with its reason in " budget)
        long_files = long_files sprintf("  %5d %s\n", length_of_file, file)
        nfiles++
    }
}
FNR == 1 {
    if (file)
        end_file()
    file = FILENAME
    start = first = 0
    code = file ~ /\.[ch]$/
}
{ length_of_file = FNR }
!code { next }
# A definition starts in column 1 and ends with a brace in column 1: the house style makes this exact.
/^[A-Za-z_].*\) \{$/ { start = FNR; name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
/^[A-Za-z_].*\($/ || /^[A-Za-z_].*,$/ { if (!start) { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) } }
/^    .*\) \{$/ { if (!start && name != "") start = FNR }
/^}$/ {
    if (start && FNR - start - 1 > 40) {
        fail(file ":" start ": " name " has " FNR - start - 1 " lines; at most 40")
        nlong++
    }
    start = 0
    name = ""
}
/^[A-Za-z_][A-Za-z_0-9 *]*\(/ && !/;$/ { first = FNR; text = "" }
first { text = text $0 }
first && /\{$/ {
    called = text
    sub(/\(.*/, "", called)
    sub(/.*[ *]/, "", called)
    sub(/^[^(]*\(/, "", text)
    sub(/\) \{$/, "", text)
    while (sub(/\([^()]*\)/, "", text)) { } # the parameters of a callback are its own
    count = gsub(/,/, "", text) + 1
    if (count > 5) {
        used["parameters", called] = 1
        if (!(("parameters", called) in reason))
            fail(file ":" first ": " called " has " count " parameters; at most 5, or a row `parameters` with its reason in " budget)
        many = many sprintf("  %5d %s:%d %s\n", count, file, first, called)
        nmany++
    }
}
/[{;]$/ { first = 0 }
END {
    end_file()
    for (key in reason)
        if (!(key in used))
            fail(budget ": not needed any more: " reason[key])
    for (folder in most) {
        room = most[folder] - lines[folder]
        slack = most[folder] * 0.03 > 200 ? most[folder] * 0.03 : 200
        if (!lines[folder])
            fail(folder ": no lines; the row in " budget " is not needed")
        else if (room < 0)
            fail(folder ": " lines[folder] " lines, " (-room) " more than the " most[folder] " of " budget ": delete as many, or raise the row knowingly")
        else if (room > slack)
            fail(folder ": " lines[folder] " lines, " room " less than the " most[folder] " of " budget ": lower the row to " 100 * int((lines[folder] + 150) / 100))
    }
    if (print_all) {
        print "\nlines by folder, and most of budget.txt:"
        for (folder in most)
            printf "  %6d of %6d %s\n", lines[folder], most[folder], folder | "sort -k4"
        close("sort -k4")
        printf "files over 500 lines (tables and kernels exempt):\n%s", nfiles ? long_files : "  none\n"
        printf "functions over 40 lines: %s\n", nlong ? nlong : "none"
        printf "functions with more than five parameters:\n%s", nmany ? many : "  none\n"
    }
    printf "%d lines; functions over 40 lines: %d, with more than 5 parameters: %d; files over 500 lines: %d\n", all, nlong, nmany, nfiles
    exit bad
}' || exit 1
