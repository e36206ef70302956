#!/bin/sh
# The C sources are formatted by .clang-format (tables, *.def, are laid out by hand); all text is clean.
# One process reads many files: a thousand files by a process each took two minutes.
bad=0
list() { # list PATTERN...: the files of the tree that match
    git ls-files -co --exclude-standard -z -- "$@" | xargs -0 sh -c 'for f; do [ ! -f "$f" ] || printf "%s\0" "$f"; done' sh
}
text() { # text PATTERN...: those that people write
    list "$@" | grep -zvE '\.(npy|hdo|wav|png)$|^tests/fuzz/corpus/'
}
files=$(list '*.c' '*.h' | tr '\0' '\n')
# shellcheck disable=SC2086
clang-format --dry-run -Werror $files 2>&1 | grep -E 'error:' | head -n 20 | grep . && bad=1
text . ':!Makefile' ':!*.md' ':!*.sh' ':!*.scd' | xargs -0 grep -HnP '\t' | sed 's/^/tab: /' | head -n 20 | grep . && bad=1
text . | xargs -0 grep -HnE '[ 	]+$' | sed 's/^/trailing blank: /' | head -n 20 | grep . && bad=1
text '*.c' '*.h' '*.lua' '*.hd' | xargs -0 awk 'length($0) > 120 { print FILENAME ":" FNR ": longer than 120 columns" }' |
    head -n 20 | grep . && bad=1
text . | xargs -0 sh -c 'for f; do [ ! -s "$f" ] || printf "%s\0" "$f"; done' sh | xargs -0 grep -LzP '\n\z' |
    sed 's/$/: no newline at the end/' | head -n 20 | grep . && bad=1
[ $bad -eq 0 ] && echo "$(echo "$files" | wc -l) C files"
exit $bad
