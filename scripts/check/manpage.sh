#!/bin/sh
# The manual page and `heddle --help` name the same commands, studies and options. (The options of studies are generated
# on the page: scripts/docs.sh.)
heddle=${BUILD:-build}/heddle
page=docs/heddle.1.scd
bad=0
helps=$(mktemp -d)
trap 'rm -rf "$helps"' EXIT
named() { grep -qE "$1" "$page" || { echo "$page: $2"; bad=1; }; }
for command in $("$heddle" --help | sed -n 's/^  \([a-z]\{2,\}\)  .*/\1/p'); do
    named "^\*heddle $command\>" "no command '$command'"
    "$heddle" "$command" --help >"$helps/$command"
done
for option in $(grep -ohE '^ +(-[a-zA-Z], +)?--[a-z-]+' "$helps"/* | grep -oE '\-\-[a-z-]+' | sort -u); do
    named "\*$option\*" "no option $option of '$(grep -l -- "$option" "$helps"/* | sed 's|.*/||' | paste -sd ' ')'"
done
n=$(grep -hE '^ +(-[a-zA-Z], +)?--[a-z-]+' "$helps"/* | wc -l)
for study in $("$heddle" study | sed 's/^ *\([a-z]*\) .*/\1/'); do
    named "^## heddle study $study\$" "no study '$study'"
    "$heddle" study "$study" --help >"$helps/study-$study"
done
for option in $(grep -oE '\*--[a-z-]+\*' "$page" | tr -d '*' | sort -u); do
    grep -qE "(^|[ ,])$option\>" "$helps"/* || { echo "$page: no command has $option"; bad=1; }
done
scdoc <"$page" >/dev/null || bad=1
echo "$n options"
[ "$n" -gt 0 ] && [ $bad -eq 0 ]
