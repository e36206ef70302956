#!/bin/sh
# The sources speak of the project only: no machine's paths, hosts or accounts, no unfinished places, no dead links. They
# use the terms of docs/glossary.md, whose last column lists the phrases that are not used.
bad=0
files=$(git ls-files -co --exclude-standard | grep -vE '\.(npy|hdo|wav|png)$|^tests/fuzz/corpus/|^scripts/check/prose\.sh$')
find_bad() { # find_bad WHAT REGEX
    # shellcheck disable=SC2086
    if grep -nIE "$2" $files; then
        echo "^ $1"
        bad=1
    fi
}
find_bad "a path of one machine" '(^|[^A-Za-z.])/(work|root|home/[a-z]+)/'
find_bad "a host" '(https?|ftp|git|ssh)://[^ )>"]*(debian|npmjs|pypi|mirror|proxy)|[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}|localhost:[0-9]'
find_bad "an unfinished place" '\b(TODO|FIXME|XXX|HACK)\b'
# Known entries of the top level, so that no file of an experiment stays there.
for name in $(echo "$files" | sed 's|/.*||' | sort -u); do
    case $name in
    .ci | .clang-format | .clang-tidy | .editorconfig | .gitattributes | .gitignore | .luacheckrc | [A-Z]*.md | LICENSE | Makefile) ;;
    configs | docs | isa | kernels | scripts | sim | tests | package.json | package-lock.json) ;;
    *) echo "$name: not a part of the top level" && bad=1 ;;
    esac
done
# Paraphrases of terms.
phrases=$(awk -F'|' '/^\|/ && NF == 6 { print $5 }' docs/glossary.md | grep -o '`[^`]*`' | tr -d '`')
[ -n "$phrases" ] || { echo "docs/glossary.md: no phrases in the last column"; bad=1; }
# shellcheck disable=SC2086
if echo "$phrases" | grep -nIiwF -f - $(echo "$files" | grep -vFx docs/glossary.md); then
    echo "^ not a term of docs/glossary.md"
    bad=1
fi
# Pages that sources and pages name, and links between pages.
# shellcheck disable=SC2086
for page in $(grep -ohIE '\bdocs/[a-z/-]+\.md' $files | sort -u); do
    [ -e "$page" ] || { echo "$page: named, but there is no such page"; bad=1; }
done
for page in $(echo "$files" | grep '\.md$'); do
    folder=$(dirname "$page")
    for link in $(grep -oE '\]\([^)# ]+' "$page" | sed 's/^](//' | grep -vE '^[a-z]+:'); do
        [ -e "$folder/$link" ] || { echo "$page: dead link $link"; bad=1; }
    done
done
exit $bad
