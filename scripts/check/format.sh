#!/bin/sh
# The C sources are formatted by .clang-format (tables, *.def, are laid out by hand); all text is clean.
bad=0
files=$(git ls-files -co --exclude-standard '*.c' '*.h')
# shellcheck disable=SC2086
clang-format --dry-run -Werror $files 2>&1 | grep -E 'error:' | head -n 20 | grep . && bad=1
for file in $(git ls-files -co --exclude-standard | grep -vE '\.(npy|hdo|wav|png)$|^tests/fuzz/corpus/'); do
    [ -f "$file" ] || continue
    case $file in
    Makefile | *.md | *.sh | *.scd) ;;
    *) grep -nP '\t' "$file" | sed "s|^|$file: tab: |" | head -n 3 | grep . && bad=1 ;;
    esac
    grep -nE '[ 	]+$' "$file" | sed "s|^|$file: trailing blank: |" | head -n 3 | grep . && bad=1
    [ -s "$file" ] && [ "$(tail -c 1 "$file" | wc -l)" -eq 0 ] && echo "$file: no newline at the end" && bad=1
    case $file in
    *.c | *.h | *.lua | *.hd)
        awk -v f="$file" 'length($0) > 120 { print f ":" NR ": longer than 120 columns"; bad = 1 } END { exit bad }' "$file" ||
            bad=1
        ;;
    esac
done
[ $bad -eq 0 ] && echo "$(echo "$files" | wc -l) C files"
exit $bad
