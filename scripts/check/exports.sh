#!/bin/sh
# The libraries export what their headers declare and nothing else, so that a user's own `buf_puts` links with either; the
# Lua module exports how it is opened.
build=${BUILD:-build} CC=${CC:-gcc}
bad=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong() {
    echo "$1"
    bad=1
}
exports() { # exports FILE DECLARED OPTION, of nm
    nm "$3" --defined-only "$build/$1" | awk 'NF == 3 { print $3 }' | LC_ALL=C sort -u >"$work/symbols"
    diff "$work/$2" "$work/symbols" >"$work/diff" && return
    wrong "$(sed -n "s/^</$1 lacks/p; s/^>/$1 should not export/p" "$work/diff")"
}
echo luaopen_heddle >"$work/module"
for header in heddle heddle_cases; do
    grep -oE '\<heddle_[a-z0-9_]+ *\(' "$build/$header.cdef" | tr -d ' (' | LC_ALL=C sort -u >"$work/$header"
    [ -s "$work/$header" ] || wrong "no function found in $header.cdef"
done
exports libheddle.a heddle -g
exports libheddle.so heddle -D
exports libheddle_cases.so heddle_cases -D
exports heddle.so module -D

for library in libheddle.so libheddle_cases.so; do
    soname=$(readelf -d "$build/$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
    [ "$(readlink "$build/$library")" = "$soname" ] || wrong "$library: no link to its soname, '$soname'"
    case $(readlink "$build/$soname") in
    "$soname".*) ;;
    *) wrong "$soname: no link to a file with the whole version" ;;
    esac
done

# Names that stand in the library too: buf_puts appends to a struct there, arena_alloc returns a pointer.
cat >"$work/user.c" <<'EOF'
#include "sim/api/heddle.h"
int buf_puts(void), arena_alloc(void);
int buf_puts(void) { return 1; }
int arena_alloc(void) { return 2; }
int main(void) {
    struct heddle *h = heddle_new();
    struct heddle_program *p = heddle_load(h, "user.hd", ".kernel k\nexit\n", 15);
    const int right = p && buf_puts() + arena_alloc() == 3;
    heddle_program_free(p);
    heddle_free(h);
    return !right;
}
EOF
for name in buf_puts arena_alloc; do
    nm "$build/obj/internal.a" 2>/dev/null | grep -q " T $name\$" || wrong "$name is not in the library any more: take another"
done
libs="$(pkg-config --libs yaml-0.1) -lm -pthread"
for library in libheddle.a libheddle.so; do
    # shellcheck disable=SC2086
    $CC -I. "$work/user.c" -o "$work/user" "$build/$library" $libs && LD_LIBRARY_PATH=$build "$work/user" ||
        wrong "a program with a buf_puts of its own and $library: it does not link, or does not run"
done
echo "$(cat "$work"/heddle "$work"/heddle_cases | wc -l) functions"
exit $bad
