#!/bin/sh
# Is every kernel of classic/ a demonstration: one that fills a board where a board is named, and a small one elsewhere?
#
#   HEDDLE=build/heddle sh tests/studies/classic.sh
#
# The case `big` of each kernel is run here alone: with a clock on v100, without one at one more width. Other suites run
# the small ones at all widths.
set -u
kernels=$(cd "$(dirname "$0")/../../kernels" && pwd)
. "$(dirname "$0")/../lib/cli.sh"
classics=$(cd "$kernels/classic" && echo *.hd | sed 's/\.hd//g')
cycles_of() { # cycles_of KERNEL BOARD
    heddle run "classic/$1" --board "$2" --metrics cycles | awk '$1 == "cycles" { gsub(",", "", $2); print $2 }'
}

# ---- each of them ----
warp=8
for kernel in $classics; do
    heddle run "classic/$kernel" --board v100 --section time >time 2>&1
    holds "classic/$kernel runs its case big on v100, as expected" "test $? = 0 && grep -q '^ran case .* name=big\( same=.*\)\?$' time"
    holds "classic/$kernel fills v100" "! grep 'Too little work' time"
    echo "$kernel $(awk '$1 == "cycles" { gsub(",", "", $2); print $2 }' time)" >>cycles
    holds "classic/$kernel --case big at width $warp" "heddle run classic/$kernel --case big --warp $warp -q"
    warp=$((warp == 64 ? 8 : warp * 2 == 32 ? 64 : warp * 2)) # 8, 16, 64
done
for kernel in $(cd "$kernels" && ls classic/*.hd reorder/*.hd | sed 's/\.hd//'); do
    for board in teach8 teach32; do
        says 0 "heddle run $kernel --board $board" "ran case 1 of "
    done
done

# ---- what is to be seen in the time ----
faster() { # faster A B TENTHS: A takes at most TENTHS tenths of the cycles of B
    holds "$1 is faster than $2 on v100" "awk '{ c[\$1] = \$2 } END { exit !(10 * c[\"$1\"] <= $3 * c[\"$2\"]) }' cycles"
}
faster transpose_tiled transpose_naive 5
faster transpose_padded transpose_tiled 6
faster matmul_tiled matmul_naive 4
faster reduce2 reduce1 6

# The ladder of seven steps to one sum of as many elements: none is slower than the one before by more
# than 2 %, which the order of warps can make.
for board in v100 a100 h100; do
    before=
    for step in 1 2 3 4 5 6 7; do
        now=$([ $board = v100 ] && awk -v k=reduce$step '$1 == k { print $2 }' cycles || cycles_of reduce$step $board)
        holds "reduce$step on $board: $now cycles${before:+ after $before}" "test $((100 * now)) -le $((102 * ${before:-$now}))"
        before=$now
    done
done
holds "all steps add up as many" "test 1 = \$(for step in 1 2 3 4 5 6 7; do
    sed -n '/name=big/,\$s/^;! arg n=//p' $kernels/classic/reduce\$step.hd; done | sort -u | wc -l)"

# ---- which case ----
cat >two.hd <<'END'
;! run k
;! out y : u32[1]
;! arg n=1
;! expect y = n
;! run j
;! out y : u32[1]
;! arg n=2
;! expect y = n
;! run k name=big
;! out y : u32[1]
;! arg n=3
;! expect y = n
END
for name in k j; do cat >>two.hd <<END
.kernel $name
.param y : u32[1]
.param n : u32
.reg   v, at:2
        ld.param.b64    at, [y]
        ld.param.b32    v, [n]
        st.global.b32   [at], v
        exit
END
done
which() { # which NUMBER OPTIONS: the case that is run
    says 0 "heddle run two.hd $2 | grep '^ran case'" "ran case $1 of 3"
}
which 1 ""
which 3 "--board v100"
which 3 "--board v100 --functional"
which 3 "--board v100 --set sms=1" # the board as it ships
which 1 "--board teach8 --set sms=80"
which 1 "--board template"
which 1 "--set sms=80"
which 3 "--board v100 --entry k"
which 2 "--board v100 --entry j"
which 1 "--board v100 --case 1"
which 1 "--board v100 --case k"
which 3 "--case big"
which 3 "--board v100,teach8" # the first board chooses for all
which 1 "--board teach8,v100"
which 1 "--board v100 --trace t.json" # of few warps
which 1 "--board v100 --record r.jsonl"
says 0 "heddle replay r.jsonl" "kernel 'k' on v100"
says 0 "echo 'print y' | heddle debug two.hd --board v100" "kernel 'k' on v100"
says 0 "heddle run two.hd --board v100 --arg n=7 --out y=u32[1] --entry k --print y" "7"
says 0 "heddle sweep run two.hd --board v100 --over threads=1,2 -o one.db" "points run case 3 of 3 of two.hd"
says 0 "heddle sweep run two.hd --over board=v100,a100 -o alike.db" "points run case 3 of 3 of two.hd"
says 2 "heddle sweep run two.hd --over board=v100,teach8 -o other.db" \
    "points would run case 1 and case 3 of two.hd: choose one for all with --case"
says 0 "heddle sweep run two.hd --case big --over board=v100,teach8 -o same.db" "points run case 3 of 3"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
