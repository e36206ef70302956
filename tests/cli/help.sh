#!/bin/sh
# Does the help of every command and study show each option once, below a heading, in lines of at most 100 columns that
# can be read alone? And does the manual page fit them?
#
#   HEDDLE=build/heddle sh tests/cli/help.sh
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/../lib/cli.sh"

heddle help >main
commands=$(sed -n 's/^  \([a-z]\{2,\}\)  .*/\1/p' main)
studies=$(heddle study | sed 's/^ *\([a-z]*\) .*/\1/')
heddle completion fish >fish

fits() { # fits NAME: of the help in that file
    holds "no line of $1 is longer than 100 columns" "! expand '$1' | grep -nE '.{101}'"
    holds "no line of $1 ends in a blank" "! grep -n ' \$' '$1'"
    holds "no line of $1 points to another" "! grep -nwiE 'likewise|^ .* the same (as|for|of) (the|a|with)' '$1'"
}
# Options of a help, those below a heading alone.
below() { awk '/^[^ ].*:$/ { heading = 1 } /^$/ { heading = 0 } heading' "$1" | grep -oE '^ {2,6}(-[a-zA-Z], )?--[a-z0-9-]+'; }
names() { grep -oE -e '--[a-z0-9-]+' | LC_ALL=C sort; }

fits main
for command in $commands; do
    heddle "$command" --help >"$command"
    fits "$command"
    holds "heddle help $command is its --help" "heddle help $command | cmp - $command"
    below "$command" | names >got.options
    # Completion and help list the same options, by two walks over their rows.
    sed -n "s/^complete -c heddle -n '__heddle_at $command[ 0-9]*' .*-l \\([a-z0-9-]*\\) .*/--\\1/p" fish |
        LC_ALL=C sort -u >want.options
    if [ "$command" = sweep ]; then # takes the options of run as well, and shows its own
        below run | names | grep -vxE -e '--(color|engine|help|version)' >points
        LC_ALL=C comm -23 want.options points >own && mv own want.options
    fi
    holds "$command: options of its rows and of its help differ" "diff want.options got.options"
done
for study in $studies; do
    heddle study "$study" --help >"$study.study"
    fits "$study.study"
    below "$study.study" | names >got.options
    heddle study --options "$study" | cut -f 1 | LC_ALL=C sort >want.options
    holds "study $study: options of its rows and of its help differ" "diff want.options got.options"
done
holds "the options of run are below eight headings at least" "[ \$(grep -cE '^[A-Z].*:\$' run) -ge 8 ]"
holds "options stand in the order of their rows" "grep -oE '^ +--[a-z]+' run | tr -d ' ' | tr '\n' ' ' | grep -q -e '--grid --block --warp'"
echo help >commands
heddle debug classic/saxpy --board teach8 --commands commands >prompt
fits prompt
heddle debug --keys >keys
fits keys
[ -f "$root/docs/heddle.1.scd" ] && holds "a line of the manual page is longer than 100 columns" \
    "! expand '$root/docs/heddle.1.scd' | grep -nE '.{101}'"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
