#!/bin/sh
# Does `heddle test` find all cases, fail if one fails, and report it to people and programs?
#
#   HEDDLE=build/heddle sh tests/cli/cases.sh
set -u
. "$(dirname "$0")/../lib/cli.sh"

# y[i] = i + a at two widths; what is expected is wrong with another a
cat >good.hd <<'END'
;! run good block=W warp=8,16
;! out y : u32[W]
;! arg a=5
;! expect y = i + 5
.kernel good
.param y : u32[]
.param a : u32
.reg   i, v, py:2
        s2r           i, %tid.x
        ld.param.b64  py, [y]
        ld.param.b32  v, [a]
        mad.wide.u32  py, i, 4, py
        add.s32       v, v, i
        st.global.b32 [py], v
        exit
END
sed 's/arg a=5/arg a=6/' good.hd >"wrong's.hd"
mkdir -p tree/lib tree/deep
cp good.hd tree/deep/
cp good.hd tree/
echo nonsense >tree/lib/part.hd
printf '.kernel bare\n        exit\n' >bare.hd
cp bare.hd tree/

shows 0 "heddle test good.hd" <<'END'
2 passed, 0 failed in 1 file
END
shows 1 "heddle test wrong\'s.hd good.hd" <<'END'
FAILED wrong's.hd: 1 good, warp 8
wrong's.hd:4:1: error: run 1 warp 8: 8 of 8 elements of y are wrong: expected y[0] = 5, got 6; expected y[1] = 6, got 7; expected y[2] = 7, got 8
     4 | ;! expect y = i + 5
       | ^~~~~~~~~~~~~~~~~~~
FAILED wrong's.hd: 1 good, warp 16
wrong's.hd:4:1: error: run 1 warp 16: 16 of 16 elements of y are wrong: expected y[0] = 5, got 6; expected y[1] = 6, got 7; expected y[2] = 7, got 8
     4 | ;! expect y = i + 5
       | ^~~~~~~~~~~~~~~~~~~
2 passed, 2 failed in 2 files
END
says 0 "heddle test tree" "4 passed, 0 failed in 2 files"
says 0 "heddle test good.hd good.hd" "2 passed"
says 0 "heddle test good.hd --warp 8" "1 passed"
says 2 "heddle test good.hd --warp 64" "no case is for warp width 64"
says 0 "cd tree && heddle test classic/divergence saxpy.hd 2>&1; heddle test classic/saxpy -j 3" "12 passed"
heddle test wrong\'s.hd good.hd tree -j 1 >one 2>&1
holds "the same with several processes" 'heddle test wrong\'"'"'s.hd good.hd tree -j 3 >got 2>&1; cmp one got'

# ---- a run like another ----
{ cat good.hd; printf ';! run good like=good\n;! expect y = i + 5\n;! run good like=good block=4 warp=8 name=four\n;! arg a=7\n'
  printf ';! out y : u32[4]\n;! expect y = i + 7\n;! run good like=four\n;! expect y = i + 7\n'; } >like.hd
says 0 "heddle test like.hd" "6 passed"
says 1 "sed '/^;! run good like=good$/,/expect/s/5/6/' like.hd >less.hd; heddle test less.hd" "less.hd:17:1: error: run 2 warp 8: 8 of 8 elements"
says 1 "sed '\$s/7/5/' like.hd >less.hd; heddle test less.hd" "error: run 4 warp 8: 4 of 4 elements of y are wrong"
says 2 "sed 's/like=four/like=five/' like.hd >less.hd; heddle test less.hd" "less.hd:22:1: error: there is no run 'five' above"
says 2 "sed 's/like=four/& &/' like.hd >less.hd; heddle test less.hd" "less.hd:22:1: error: 'like' is given twice"
says 2 "sed 's/^;! arg a=7/& y=8/' like.hd >less.hd; heddle test less.hd" "less.hd:19:1: error: 'y' is a buffer and an argument"
{ cat good.hd; printf ';! run good same=good name=again\n;! arg a=5\n'; } >same.hd
says 0 "heddle test same.hd" "passed"
says 1 "sed 's/arg a=5/arg a=6/' same.hd >less.hd; heddle test less.hd" "elements of y are wrong"
says 2 "sed 's/same=good/& like=good/' same.hd >less.hd; heddle test less.hd" "'same' is 'like', and its expectations: one of them"
says 2 "sed 's/^;! arg a=7/& a=8/' like.hd >less.hd; heddle test less.hd" "less.hd:19:1: error: 'a' is given twice"
says 2 "sed 's/^;! arg a=7/&\n;! arg a=8/' like.hd >less.hd; heddle test less.hd" "less.hd:20:1: error: 'a' is given twice"
says 1 "sed 's/^;! arg a=7/;! arg b=7/' like.hd >less.hd; heddle test less.hd" "less.hd:19:1: error: run 3 warp 8: less.hd: error: kernel 'good': there is no parameter 'b'"

# ---- for programs ----
shows 1 "heddle test good.hd wrong\'s.hd --warp 8 --tap" <<'END'
TAP version 14
1..2
ok 1 - good.hd: 1 good, warp 8
not ok 2 - wrong's.hd: 1 good, warp 8
# wrong's.hd:4:1: error: run 1 warp 8: 8 of 8 elements of y are wrong: expected y[0] = 5, got 6; expected y[1] = 6, got 7; expected y[2] = 7, got 8
#      4 | ;! expect y = i + 5
#        | ^~~~~~~~~~~~~~~~~~~
END
shows 1 "heddle test wrong\'s.hd --warp 8 --junit - | sed 's/ time=\"[^\"]*\"//; s/elements.*/.../'; exit 1" <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="1" failures="1" errors="0">
  <testsuite name="wrong's.hd" tests="1" failures="1" errors="0">
    <testcase classname="wrong's.hd" name="1 good, warp 8" file="wrong's.hd" line="1">
      <failure message="wrong's.hd:4:1: error: run 1 warp 8: 8 of 8 ...
    </testcase>
  </testsuite>
</testsuites>
END
heddle test wrong\'s.hd none.hd good.hd --junit all.xml --json all.json >got 2>&1
heddle test wrong\'s.hd good.hd bare.hd --junit all.xml --json all.json >got 2>&1
holds "exit status 2, and both files" "test $? = 2 && test -s all.xml"
holds "JSON" "python3 -c 'import json; d = json.load(open(\"all.json\")); assert (d[\"passed\"], d[\"failed\"], d[\"broken\"]) == (2, 2, 1)'"
holds "XML" "python3 -c 'import xml.dom.minidom as x; x.parse(\"all.xml\")'"
says 2 "heddle test good.hd --junit good.hd" "good.hd is a kernel file; name another file"

# ---- what cannot be read ----
says 2 "heddle test" "which files?"
says 2 "heddle test none.hd" "none.hd: there is no .hd file"
says 2 "heddle test bare.hd" "bare.hd: error: the file has no case"
printf ';! run k\n.kernel k\n        ffna r1\n        exit\n' >typo.hd
says 2 "heddle test typo.hd" "typo.hd:3:9: error: unknown instruction 'ffna'"
printf ';! run k\n;! expct y = 1\n.kernel k\n        exit\n' >word.hd
shows 2 "heddle test word.hd" <<'END'
FAILED word.hd: file
word.hd:2:1: error: unknown word 'expct' after ;!
     2 | ;! expct y = 1
       | ^~~~~~~~~~~~~~
0 passed, 0 failed, 1 broken in 1 file
END
printf ';! run k warp=8\n;! out y : u32[1]\n;! limit 100\n;! expect y = 0\n.kernel k\n.param y : u32[]\nagain:  bra again\n' >endless.hd
says 1 "heddle test endless.hd" "instruction_limit"
sed 's/= i + 5/= (function() while true do end end)()/; s/,16//' good.hd >lua.hd
says 1 "heddle test lua.hd" "is there an endless loop?"

# ---- checkers ----
cat >race.hd <<'END'
;! run race block=64 warp=32
;! inout y : u32[1] = fill 1
;! expect y = 1
.kernel race
.param y : u32[]
.reg   v, py:2
        ld.param.b64  py, [y]
        ld.global.b32 v, [py]
        st.global.b32 [py], v
        exit
END
says 0 "heddle test race.hd" "1 passed"
says 1 "heddle test race.hd --check race" "race.hd:9:"
says 2 "heddle test race.hd --check races" "unknown checker 'races'"
sed '9s/$/ ;! check race read-write/; 9s/$/ ;! check race same-value/' race.hd >stated.hd
says 1 "sed 's/race read-write/race atomic/' stated.hd >other.hd; heddle test other.hd" "no finding: race atomic"

# ---- Lua of a kernel file that does not end, or takes all memory ----
for code in 'return (("a"):rep(30000)):find(("a-"):rep(30).."b")|the pattern .* may not end in a text of 30000 bytes' \
    'return string.match(("a"):rep(30), ("a?"):rep(30)..("a"):rep(31))|the pattern .* may not end' \
    'return (""):rep(1e18)|string.rep makes more than 268435456 bytes' \
    'table.move({}, 1, math.maxinteger - 1, 2)|table.move moves more than 100000000 elements' \
    'local s = "x" while true do s = s..s end|not enough memory' \
    'while true do local s = (("x"):rep(1000)):rep(1e5) end|not enough memory'; do
    printf '.kernel k\n.param y : u32[1]\n        exit\n;! run k block=1 warp=8\n;! out y : u32[1]\n;! expect y = f()\n' >unbound.hd
    printf ';! lua function f() %s end\n' "${code%|*}" >>unbound.hd
    holds "Lua is bounded: ${code#*|}" "timeout 300 heddle test unbound.hd >got 2>&1; [ \$? -eq 1 ] && grep -q '${code#*|}' got"
done
printf ';! lua function f() return #(("k = v"):match "^(.-)%%s*=%%s*(.-)$") - 1 end\n' >lua
sed '/lua/d' unbound.hd | cat - lua >bound.hd
says 0 "heddle test bound.hd" "1 passed"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
