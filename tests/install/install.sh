#!/bin/sh
# Does an installed heddle work from any folder, and does uninstalling leave nothing?
set -u
passed=0 failed=0
if [ -n "${SAN:-}" ] || ! command -v scdoc >/dev/null 2>&1; then
    echo "skipped: a build with sanitizers is not installed, and none is without scdoc"
    echo "0 passed, 0 failed"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$PWD
check() { # check NAME COMMAND...
    name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        echo "install: $name failed:"
        cat "$work/log"
        failed=$((failed + 1))
    fi
}
heddle=$work/stage/opt/h/bin/heddle
check install make --no-print-directory SETUP=no BUILD="$BUILD" CC="${CC:-gcc}" DESTDIR="$work/stage" PREFIX=/opt/h install
# Moved after it was installed: nothing may depend on the place.
mv "$work/stage" "$work/moved"
prefix=$work/moved/opt/h
heddle=$prefix/bin/heddle
mkdir "$work/else"
cd "$work/else" || exit 2
check version "$heddle" --version
check manual "$heddle" doc isa fma.f32
check glossary "$heddle" doc speed of light
check "words of CUDA" sh -c "$heddle doc threadIdx.x | grep -q cuda-to-heddle && $heddle doc pseudo channels | grep -q deviations"
cp "$prefix/share/heddle/kernels/bench/start.hd" .
check run "$heddle" run start.hd --grid 1 --block 32 --out 'out=u32[32]:out.npy'
check page sh -c "$heddle run start.hd --grid 1 --block 32 --out out=u32[32] --board v100 -q --json r.json && $heddle report r.json -o r.html"
check "lua module" env LUA_CPATH="$prefix/lib/lua/5.4/?.so" lua5.4 -e 'assert(require("heddle"))'
cat >user.c <<'EOF'
#include <heddle.h>
#include <string.h>
int main(void) {
    struct heddle *h = heddle_new();
    int ok = h && strcmp(heddle_version(), HEDDLE_VERSION) == 0 && heddle_isa_count() > 0;
    heddle_free(h);
    return !ok;
}
EOF
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
check "shared library" sh -c "${CC:-gcc} user.c -o user \$(pkg-config --cflags --libs heddle) &&
    LD_LIBRARY_PATH='$prefix/lib' ./user && readelf -d user | grep 'NEEDED.*libheddle\.so\.[0-9]*\]'"
check "static library" sh -c "${CC:-gcc} -static user.c -o user \$(pkg-config --static --cflags --libs heddle) && ./user"
cat >cases.c <<'EOF'
#include <heddle_cases.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    static char text[100000];
    FILE *f = argc == 4 ? fopen(argv[2], "rb") : NULL;
    struct heddle_file file = {.name = argv[2], .text = text, .len = f ? fread(text, 1, sizeof text - 1, f) : 0};
    struct heddle *h = heddle_new();
    struct heddle_session *s = heddle_session_new(argv[1], 0);
    struct heddle_program *p = heddle_load_file(h, &file);
    struct heddle_case_asked asked = {.which = argv[3]};
    struct heddle_case found;
    struct heddle_case_given given = {.board_warp = 32};
    struct heddle_launch l = {0};
    struct heddle_result r;
    struct heddle_case_verdict v;
    bool ok = p && heddle_case_find(s, h, &file, &asked, &found) && heddle_case_fill(s, p, &given, &l) &&
              heddle_launch(h, p, &l, &r) == HEDDLE_OK && heddle_case_check(s, &r, false, &v);
    if (ok)
        printf("%s: grid %u, block %u; %s; %u of %u\n%s", found.text, l.grid[0], l.block[0], found.buffers, v.met, v.total, v.text);
    else
        fputs(heddle_session_error(s), stdout);
    heddle_program_free(p);
    heddle_session_free(s);
    heddle_free(h);
    fclose(f);
    return !ok;
}
EOF
# A case in C: PATH CASE WANT
case_in_c() { check "case $2 in C" sh -c "LD_LIBRARY_PATH='$prefix/lib' ./cases '$prefix/share/heddle' '$1' '$2' | tee log | grep -qxF \"$3\" || { cat log; exit 1; }"; }
check "library of cases" sh -c "${CC:-gcc} -Wall -Werror cases.c -o cases \$(pkg-config --cflags heddle) -L'$prefix/lib' -lheddle_cases -lheddle"
saxpy=$prefix/share/heddle/kernels/classic/saxpy.hd
case_in_c "$saxpy" big "run saxpy grid=4096 block=256 name=big: grid 4096, block 256; x y; 1 of 1"
case_in_c "$saxpy" bigg "saxpy.hd: error: there is no case 'bigg'; did you mean 'big'? the file's cases are 1 saxpy:1, 2 saxpy:2, 3 big"
sed 's/expect y = 2 \* i + 1/expect y = 2 * i/' "$saxpy" >wrong.hd
case_in_c wrong.hd 1 "run saxpy grid=4 block=64: grid 4, block 64; x y; 0 of 1"
# The installed header has members in place of the rows of the source, of the same layout; each has its comment.
members() { # members HEADER: STRUCT.MEMBER of all structures
    ${CC:-gcc} -E -P -I"$root" "$1" | tr '\n' ' ' | grep -o 'struct heddle_[a-z_]* {[^}]*}' | awk '{
        name = $2
        sub(/^[^{]*\{/, ""); sub(/\}$/, "")
        n = split($0, part, ";")
        for (i = 1; i < n; i++) {
            if (part[i] ~ /\(\*/) { sub(/^[^(]*\(\*/, "", part[i]); sub(/\).*/, "", part[i]) }
            k = split(part[i], each, ",")
            for (j = 1; j <= k; j++) {
                sub(/(\[[^]]*\] *)+$/, "", each[j]); sub(/ +$/, "", each[j]); sub(/^.*[ *]/, "", each[j])
                print name "." each[j]
            }
        }
    }'
}
layout() { # layout HEADER: offset and size of each member, and the size of each structure
    { echo "#include \"$1\""; echo '#include <stdio.h>'; echo 'int main(void) {'
        members "$root/sim/api/heddle.h" | sed 's/^\(.*\)\.\(.*\)$/printf("\1.\2 %zu %zu %zu\\n", offsetof(struct \1, \2), sizeof ((struct \1 *)0)->\2, sizeof(struct \1));/'
        echo 'return 0; }'; } >layout.c
    ${CC:-gcc} -std=c17 -I"$root" layout.c -o layout && ./layout
}
layout "$root/sim/api/heddle.h" >layout.source
layout "$prefix/include/heddle.h" >layout.installed
check "layout of the header" sh -c 'cmp layout.source layout.installed && [ $(wc -l <layout.source) -gt 150 ] && grep -q "^heddle_launch.threads " layout.source'
check "no rows in the header" sh -c "! grep -n 'LAUNCH_OPTION\|launch.def\|sim/' '$prefix/include/heddle.h'"
check "a comment above each option" awk '/^struct heddle_launch \{/ { on = 1 } /watch;/ { if (on) from = NR } /^};/ { on = 0 }
    on && from && NR > from && /;$/ && !/^ *\*/ { n++; if (before !~ /\*\/$/) exit 1 } { before = $0 } END { exit n < 11 }' \
    "$prefix/include/heddle.h"
for language in "${CC:-gcc} -std=c17 -x c" "g++ -std=c++17 -x c++"; do
    command -v "${language%% *}" >/dev/null || continue
    check "the header alone, $language" sh -c "$language -Wall -Wextra -Wpedantic -Werror -fsyntax-only '$prefix/include/heddle.h'"
done
debug() { # debug FOLDER: how many of the installed files have debug information
    for file in bin/heddle lib/libheddle.a lib/libheddle.so lib/libheddle_cases.so lib/lua/5.4/heddle.so; do
        readelf -S --wide "$1/$file" | grep -m 1 '\.debug_info'
    done | wc -l
}
check "schemas" test "$(ls "$prefix/share/heddle/schema" | sed 's/\.json$//')" = "$("$heddle" schema | cut -d ' ' -f 1 | sort)"
check "stripped" test "$(debug "$prefix")" = 0
# As an interpreter sees it that looks there.
packages=$(dirname "$(dirname "$(find "$prefix/lib" -name heddle.cdef)")")
for python in python3 /usr/bin/python3 none; do "$python" -c 'import numpy, cffi' 2>/dev/null && break; done
[ "$python" = none ] || check "python package" env PYTHONPATH="$packages" "$python" -c '
import heddle, numpy
out = numpy.zeros(32, numpy.uint32)
assert heddle.run("bench/start", board="teach8", block=32, out=out).cycles > 0'
check "editors" test -s "$prefix/share/vim/vimfiles/syntax/heddle.vim" -a -s "$prefix/share/heddle/vscode/package.json"
check pages test -s "$prefix/share/doc/heddle/docs/reference/isa.md"
check pictures test -s "$prefix/share/doc/heddle/docs/pictures/page-access-light.png"
check "manual page" test -s "$prefix/share/man/man1/heddle.1"
cd "$root" || exit 2
mv "$work/moved" "$work/stage"
check uninstall make --no-print-directory SETUP=no DESTDIR="$work/stage" PREFIX=/opt/h uninstall
check "nothing left" sh -c "! find '$work/stage' -type f | grep ."
check "install, STRIP=no" make --no-print-directory SETUP=no BUILD="$BUILD" CC="${CC:-gcc}" STRIP=no \
    DESTDIR="$work/debug" PREFIX=/opt/h install
check "not stripped" test "$(debug "$work/debug/opt/h")" = 5
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
