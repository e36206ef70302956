#!/bin/sh
# Objects below the command line keep no mutable state outside the structs they are given, neither print nor exit, and
# take memory only through sim/base (sim/api also makes the blocks that heddle_release frees).
objects=$(find "${BUILD:-build}/obj/isa" "${BUILD:-build}/obj/sim" "${BUILD:-build}"/obj/exec_* -name '*.o' | grep -v /sim/cli/)
# Section by section, because constant tables of pointers (.data.rel.ro) look like data to nm.
# shellcheck disable=SC2086
state=$(objdump -t $objects | awk '/file format/ { object = $1 }
    / O / && /[ \t](\.data|\.bss|\.tdata|\.tbss|\*COM\*)(\.[A-Za-z_0-9.]*)?[ \t]/ && !/\.data\.rel\.ro/ {
        print object " mutable file-scope state: " $NF }')
# shellcheck disable=SC2086
wrong=$(nm -A -u $objects | awk '
    function all(list, into, n, i, word) { n = split(list, word, " "); for (i = 1; i <= n; i++) into[word[i]] = 1 }
    BEGIN {
        all("printf puts putchar vprintf fopen fwrite fputs open read write exit _exit system getenv setenv time clock " \
            "rand srand setlocale signal strtok localtime gmtime asctime strerror", banned)
        all("malloc calloc realloc free aligned_alloc", memory)
        all("fprintf vfprintf abort stderr stdout", reports)
    }
    {
        object = $1; sub(/:.*/, "", object)
        call = $NF; sub(/^__/, "", call); sub(/@.*/, "", call); sub(/_chk$/, "", call)
        if (object ~ /\/sim\/(lua|file|sweep)\//)
            next
        # sim/base/diag.o is the one place that reports a bug and aborts
        if (call in banned || (call in memory && object !~ /\/sim\/(base|api)\//) ||
            (call in reports && object !~ /\/sim\/base\/diag\.o$/))
            print object ": must not use " call
    }')
[ -z "$state$wrong" ] || printf '%s\n' "$state" "$wrong" | grep .
n=$(echo "$objects" | wc -w)
echo "$n objects"
[ "$n" -gt 0 ] && [ -z "$state$wrong" ]
