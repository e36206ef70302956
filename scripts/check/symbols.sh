#!/bin/sh
# Objects below the command line keep no mutable state outside the structs they are given, neither print nor exit, and
# take memory only through sim/base (sim/api also makes the blocks that heddle_release frees).
bad=0 n=0
banned='^(printf|puts|putchar|vprintf|fopen|fwrite|fputs|open|read|write|exit|_exit|system|getenv|setenv|time|clock|rand|srand|setlocale|signal|strtok|localtime|gmtime|asctime|strerror)$'
for object in $(find "${BUILD:-build}/obj/isa" "${BUILD:-build}/obj/sim" "${BUILD:-build}"/obj/exec_* -name '*.o' | grep -v /sim/cli/); do
    n=$((n + 1))
    # Section by section, because constant tables of pointers (.data.rel.ro) look like data to nm.
    state=$(objdump -t "$object" | awk '$0 ~ / O / && $0 ~ /[ \t](\.data|\.bss|\.tdata|\.tbss|\*COM\*)(\.[A-Za-z_0-9.]*)?[ \t]/ &&
        $0 !~ /\.data\.rel\.ro/ { print $NF }')
    [ -n "$state" ] && echo "$object: mutable file-scope state:" $state && bad=1
    calls=$(nm -u "$object" | awk '{ print $NF }' | sed 's/^__//; s/_chk$//; s/@.*//')
    case $object in */sim/lua/* | */sim/file/* | */sim/sweep/*) continue ;; esac
    wrong=$(echo "$calls" | grep -E "$banned")
    case $object in
    */sim/base/* | */sim/api/*) ;;
    *) wrong="$wrong $(echo "$calls" | grep -E '^(malloc|calloc|realloc|free|aligned_alloc)$')" ;;
    esac
    case $object in
    */sim/base/diag.o) ;; # the one place that reports a bug and aborts
    *) wrong="$wrong $(echo "$calls" | grep -E '^(fprintf|vfprintf|abort|stderr|stdout)$')" ;;
    esac
    wrong=$(echo $wrong)
    [ -n "$wrong" ] && echo "$object: must not use: $wrong" && bad=1
done
echo "$n objects"
[ "$n" -gt 0 ] && [ $bad -eq 0 ]
