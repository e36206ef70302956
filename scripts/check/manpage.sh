#!/bin/sh
# The manual page and `heddle --help` name the same commands, studies and options. (The options of studies are generated
# on the page: scripts/docs.sh.)
heddle=${BUILD:-build}/heddle
page=docs/heddle.1.scd
bad=0 n=0
studies=$(mktemp)
trap 'rm -f "$studies"' EXIT
for command in $("$heddle" --help | sed -n 's/^  \([a-z]\{2,\}\)  .*/\1/p'); do
    grep -q "^\*heddle $command\>" "$page" || { echo "$page: no command '$command'"; bad=1; }
    for option in $("$heddle" "$command" --help | grep -oE '^ +(-[a-zA-Z], +)?--[a-z-]+' | grep -oE '\-\-[a-z-]+' | sort -u); do
        n=$((n + 1))
        grep -qE "\*$option\*" "$page" || { echo "$page: no option $option of 'heddle $command'"; bad=1; }
    done
done
for study in $("$heddle" study | sed 's/^ *\([a-z]*\) .*/\1/'); do
    grep -q "^## heddle study $study\$" "$page" || { echo "$page: no study '$study'" >&2; bad=1; }
    "$heddle" study "$study" --help
done >"$studies"
for option in $(grep -oE '\*--[a-z-]+\*' "$page" | tr -d '*' | sort -u); do
    for command in $("$heddle" --help | sed -n 's/^  \([a-z]\{2,\}\)  .*/\1/p'); do
        "$heddle" "$command" --help
    done | cat - "$studies" | grep -qE "(^|[ ,])$option\>" || { echo "$page: no command has $option"; bad=1; }
done
scdoc <"$page" >/dev/null || bad=1
echo "$n options"
[ "$n" -gt 0 ] && [ $bad -eq 0 ]
