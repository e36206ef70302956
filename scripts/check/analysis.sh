#!/bin/sh
# Static analysis: cppcheck over everything, clang-tidy with .clang-tidy, luacheck over the scripts. The analyser gives a
# function up after NODES states: three times as many take three times as long.
bad=0
nodes=${NODES:-75000}
jobs=$(nproc 2>/dev/null || echo 2)
folder=${BUILD:-build}/analysis
mkdir -p "$folder"
c_files=$(git ls-files -co --exclude-standard 'isa/*.c' 'sim/*.c' | grep -v '^sim/arch/exec\.c$')
lua=$(pkg-config --cflags lua5.4)

# shellcheck disable=SC2086
cppcheck --quiet --std=c11 --enable=warning,portability,performance --inline-suppr --error-exitcode=1 -j "$jobs" -I . \
    --suppress=missingIncludeSystem --suppress=normalCheckLevelMaxBranches --suppress=readdirCalled --library=posix \
    --cppcheck-build-dir="$folder" -D__GNUC__=12 -DHEDDLE_HAVE_V3 $c_files 2>"$folder/cppcheck.log" || {
    head -n 40 "$folder/cppcheck.log"
    bad=1
}

# Skips files whose text and headers have not changed.
stamp=$(cat .clang-tidy $(git ls-files -co --exclude-standard '*.h' '*.def') | cksum | tr -d ' ')
# shellcheck disable=SC2086
for file in $c_files; do
    key=$folder/$(echo "$file" | tr / _).$(cksum <"$file" | tr -d ' ').$stamp
    [ -e "$key" ] || printf '%s %s\n' "$file" "$key"
done | xargs -r -P "$jobs" -L 1 sh -c '
    define="-D_GNU_SOURCE"
    case $0 in isa/* | sim/base/* | sim/arch/*) define="-DHEDDLE_HAVE_V3" ;; esac
    if clang-tidy --quiet "$0" -- -std=c17 -I. '"$lua"' $define \
        -Xclang -analyzer-config -Xclang max-nodes='"$nodes"' >"$1.log" 2>/dev/null; then
        rm -f "$1.log"; : >"$1"
    else
        head -n 30 "$1.log"; rm -f "$1.log"; exit 1
    fi' || bad=1

scripts=$(git ls-files -co --exclude-standard '*.lua')
# shellcheck disable=SC2086
[ -z "$scripts" ] || luacheck --quiet --codes $scripts || bad=1
exit $bad
