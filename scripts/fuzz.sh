#!/bin/sh
# Short fuzz runs that do the same every time: a fixed seed and a fixed number of inputs.
#
#   BUILD=build RUNS=20000 scripts/fuzz.sh build/fuzz
#
# Each target starts from tests/fuzz/corpus/NAME and from the shipped kernels, as text and as objects, or from random
# bytes where these make programs (tests/fuzz/program.h) or calls; nothing is written there. RUNS is for the quickest of
# them. A crash leaves its input in the folder.
set -u
folder=$(realpath "$1") # fuzz_lua changes its working directory
runs=${RUNS:-20000}
passed=0 failed=0
seeds=$folder/seeds
rm -rf "$seeds"
mkdir -p "$seeds/asm" "$seeds/hdo"
mkdir "$seeds/board"
cp configs/*.yaml "$seeds/board/"
for kernel in $(find kernels tests/fuzz/corpus/asm -name '*.hd' -size -8k | LC_ALL=C sort); do
    name=$(echo "${kernel%.hd}" | tr / _)
    cp "$kernel" "$seeds/asm/$name"
    "${BUILD:-build}/heddle" asm "$kernel" -o "$seeds/hdo/$name" >/dev/null 2>&1
done
# Bytes to make programs from.
mkdir -p "$seeds/programs"
LC_ALL=C awk -v to="$seeds/programs/" 'BEGIN {
    srand(1)
    for (n = 0; n < 40; n++)
        for (len = 50 + int(rand() * 500); len > 0; len--) printf "%c", 33 + int(rand() * 94) > (to n)
}'
# Two results with a NUL between them.
mkdir -p "$seeds/diff"
for options in "" "--board teach8" "--board teach32 --set sms=2"; do
    # shellcheck disable=SC2086
    "${BUILD:-build}/heddle" run classic/saxpy.hd --block 8 --warp 8 --arg a=2 --arg n=8 --out x=f32[8]:/dev/null \
        --out y=f32[8]:/dev/null -q --json - $options | tr -d ' \n' >"$seeds/result"
    n=$((${n:-0} + 1))
    { cat "$seeds/result" && printf '\0' && sed 's/[0-9]/7/13' "$seeds/result"; } >"$seeds/diff/$n"
    { cat "$seeds/result" && printf '\0' && cat "$seeds/before"; } >"$seeds/diff/other$n" 2>/dev/null
    mv "$seeds/result" "$seeds/before"
done
# Inputs of a target, five to ten seconds of processor time with RUNS=20000, and the most bytes of one.
limits_of() { # limits_of TARGET
    case $1 in
    fuzz_asm) echo $((runs / 10)) 8192 ;;
    fuzz_board) echo $((runs / 5)) 8192 ;;
    fuzz_debug) echo $((runs / 15)) 1024 ;;
    fuzz_diff) echo $((runs / 10)) 65536 ;;
    fuzz_hdo) echo $((runs / 2)) 8192 ;;
    fuzz_explain | fuzz_prove | fuzz_schedule) echo $((runs / 200)) 1024 ;;
    fuzz_lua) echo $((runs / 100)) 1024 ;;
    fuzz_json) echo $((runs / 10)) 4096 ;;
    fuzz_points | fuzz_wav) echo $((runs / 20)) 4096 ;;
    fuzz_timed) echo $((runs / 130)) 8192 ;;
    fuzz_watch) echo $((runs / 500)) 8192 ;;
    fuzz_model) echo $((runs / 200)) 8192 ;;
    *) echo "$runs" 8192 ;;
    esac
}
# The words of the language, for mutations that hit.
sed -nE 's/^(LANE|LANEI|ATOM|WARP|PRODUCT|MOD|SREG|ETYPE)\([^"]*("[^"]+").*/\2/p' isa/*.def | sort -u >"$folder/asm.dict"
sed -nE 's/^    \{("\.[a-z]+"), (directive|need)_.*/\1/p' isa/asm/directive.c >>"$folder/asm.dict"
printf '"\\x00"\n".include \\"a\\""\n' >>"$folder/asm.dict" # parts of an input, and their use
printf '"\\\\%s"\n' @ '()' a b i >>"$folder/asm.dict" # "\\@" and so on: parameters of the seeds
"${BUILD:-build}/heddle" board --keys | sed -nE 's/^    ([a-z0-9_.]+)  .*/"\1"/p' | sort -u >"$folder/board.dict"
sed -nE 's/^COMMAND\(([a-z]+), .*/"\1 "/p' sim/debug/commands.def >"$folder/debug.dict"
sed -nE 's/^(ALIAS|INSTEAD)\(("[^",]+)[",].*/\2 "/p' sim/debug/commands.def >>"$folder/debug.dict"
printf '"%s"\n' barrier reconverge end fault all ' as float' ' if ' ' == ' '[3]' '[0..3]' '\x0a' >>"$folder/debug.dict"
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
targets=$(find "$folder" -maxdepth 1 -name 'fuzz_*' -type f -perm -u+x | LC_ALL=C sort)
for target in $targets; do # all at once
    name=$(basename "$target")
    corpus=$PWD/tests/fuzz/corpus/${name#fuzz_}
    work=$folder/corpus/$name
    rm -rf "$work"
    mkdir -p "$work"
    [ -d "$corpus" ] || corpus=""
    [ -d "$seeds/${name#fuzz_}" ] && corpus="$corpus $seeds/${name#fuzz_}"
    case $name in
    fuzz_explain | fuzz_lua | fuzz_model | fuzz_prove | fuzz_schedule | fuzz_timed | fuzz_watch) corpus="$corpus $seeds/programs" ;;
    esac
    dict=$folder/${name#fuzz_}.dict
    share=$(limits_of "$name")
    # shellcheck disable=SC2086
    "$target" -runs="${share% *}" -max_len="${share#* }" -seed=1 -timeout=60 -rss_limit_mb=4096 \
        -print_final_stats=1 -verbosity=0 -artifact_prefix="$folder/$name-" $([ -e "$dict" ] && echo "-dict=$dict") "$work" $corpus \
        >"$folder/$name.log" 2>&1 </dev/null &
    set -- "$@" "$!"
done
shift # the folder
for target in $targets; do
    name=$(basename "$target")
    if wait "$1"; then
        echo "  $name: $(grep -o 'number_of_executed_units: *[0-9]*' "$folder/$name.log" | grep -o '[0-9]*') inputs, no finding"
        passed=$((passed + 1))
    else
        echo "  $name: FAILED"
        tail -n 40 "$folder/$name.log"
        failed=$((failed + 1))
    fi
    shift
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
