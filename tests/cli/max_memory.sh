#!/bin/sh
# Does --max-memory limit the memory of buffers, launches and proofs, with an error that names the need?
set -u
. "$(dirname "$0")/../lib/cli.sh"

cat >scale.hd <<'END'
.kernel scale
.param y : f32[]
.local pad : u32[4096]
.reg t, v, p:2
        s2r t, %tid.x
        cvt.f32.u32 v, t
        ld.param.b64 p, [y]
        mad.wide.u32 p, t, 4, p
        st.global.b32 [p], v
        exit
END
RUN="heddle run scale.hd --block 64"

# refused TEXT COMMAND...: exit status 2 and a message that contains the text
refused() {
    text=$1
    shift
    "$@" >out 2>got
    status=$?
    if [ "$status" -eq 2 ] && grep -qF -- "$text" got; then ok; else bad "$status, not refused: $*"; fi
}
# works COMMAND...
works() {
    if "$@" >out 2>got; then ok; else bad "$*"; fi
}

works $RUN --out "y=f32[64]:a.npy" -q
works $RUN --out "y=f32[64]:b.npy" --max-memory 64M -q
works cmp a.npy b.npy
works $RUN --out "y=f32[64]:b.npy" --max-memory 64M --board teach32 --check all -q
works cmp a.npy b.npy

# buffers, launches without a clock and with one, checkers, proofs
refused "of the 1.0 MB that max-memory allows" $RUN --out "y=f32[1000000]:c.npy" --max-memory 1M
refused "that max-memory allows 64.0 KB are taken" $RUN --out "y=f32[64]:c.npy" --max-memory 100K
refused "max-memory leaves" $RUN --out "y=f32[64]:c.npy" --max-memory 400K --board teach32
refused "that max-memory allows" $RUN --out "y=f32[64]:c.npy" --max-memory 1800K --board teach32 --check all
refused "that max-memory allows" heddle prove scale.hd scale.hd --buffers "y=f32[64]" --block 64 --max-memory 200K
# Control flow followed for all data, with expressions that grow beside those of the first run.
cat >countdown.hd <<'END'
.kernel countdown
.param y : u32[]
.reg t, v, p:2
.pred q
        s2r t, %tid.x
        ld.param.b64 p, [y]
        mad.wide.u32 p, t, 4, p
        ld.global.b32 v, [p]
        and.b32 t, v, 7
loop:   setp.eq.u32 q, t, 0
@q      bra done
        mul.hi.u32 v, v, v
        add.u32 v, v, t
        sub.u32 t, t, 1
        bra loop
done:   st.global.b32 [p], v
        exit
END
PROVE="heddle prove countdown.hd countdown.hd --buffers y=u32[64] --block 64 --solver none"
$PROVE --max-memory 1G >out 2>got
grep -q "are equal for all inputs" out && ok || bad "followed"
refused "that max-memory allows" $PROVE --max-memory 1500K
[ -e c.npy ] && bad "a file was left" || ok

# sizes
for size in 0 -1 1Q M 1.5G 99999999999T ""; do
    refused "expected a number of bytes" $RUN --out "y=f32[64]:c.npy" --max-memory "$size"
done
works $RUN --out "y=f32[64]:b.npy" --max-memory 67108864 -q
works $RUN --out "y=f32[64]:b.npy" --max-memory 1GiB -q

# Lua: an option of the command, and of a context, which takes no more than the command allows
works heddle lua --max-memory 1M -e 'local h = require "heddle".new()
    local ok, e = pcall(h.buffer, h, "x", "f32", 1000000)
    assert(not ok and e.message:find("max%-memory allows"), tostring(e))
    assert(h:buffer("x", "f32", 100) and h:memory() > 400)'
works heddle lua -e 'local heddle = require "heddle"
    local h = heddle.new({max_memory = "1M"})
    assert(not pcall(h.buffer, h, "x", "f32", 1000000))
    h = heddle.new({max_memory = 8000000})
    h:buffer("x", "f32", 1000000)
    h:drop("x")
    local used, peak = h:memory()
    assert(used < 100000 and peak > 4000000, used .. " " .. peak)
    assert(not pcall(heddle.new, {max_memory = "much"}))
    assert(select(2, pcall(heddle.new, {board = "v100"})):find("no option .board. of heddle.new"))'
works heddle lua --max-memory 1M -e 'local h = require "heddle".new({max_memory = "1G"})
    assert(not pcall(h.buffer, h, "x", "f32", 1000000))'

# The address space that this process may have: a launch that needs more is refused before it begins.
if [ -z "${SAN:-}" ]; then
    (ulimit -v 2000000 && $RUN --grid 2000 --block 1024 --board a100 --out "y=f32[1024]:c.npy") >out 2>got
    if [ $? -eq 2 ] && grep -q "this process can have" got; then ok; else bad "the limit of the address space"; fi
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
