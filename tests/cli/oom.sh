#!/bin/sh
# Whatever allocation fails: are outputs complete, or is there a message, exit status 2 and no file?
#
#   HEDDLE=build/heddle sh tests/cli/oom.sh             EVERY=1 tries all allocations of the longer runs too
#
# Each command prints which of its allocations are tried: all of them, or every n-th of thousands.
set -u
here=$(realpath "$(dirname "$0")")
. "$(dirname "$0")/../lib/cli.sh"

if [ -n "${SAN:-}" ] || ! ${CC:-cc} -shared -fPIC -O1 -I "$tests/.." "$here/oom_main.c" -o oom.so 2>got; then
    echo "skipped: a sanitizer has an allocator of its own, and another libc has other names"
    echo "0 passed, 0 failed"
    exit 0
fi

cat >first.hd <<'END'
.kernel scale
.param a : f32
.param y : f32[8]
.reg t, v, p:2
        s2r t, %tid.x
        cvt.f32.u32 v, t
        ld.param.b64 p, [y]
        mad.wide.u32 p, t, 4, p
        ld.param.b32 t, [a]
        mul.f32 v, v, t
        st.global.b32 [p], v
        exit
END

# every N STATUS "FILES" COMMAND: with inputs named from the root, and outputs that are not
every() {
    mkdir -p want try
    (cd want && sh -c "$4" >out 2>got)
    status=$?
    [ "$status" -eq "$2" ] || bad "exit status $status, not $2: $4"
    (cd try && OOM_EVERY=$1 OOM_STATUS=$2 OOM_FILES=$3 OOM_WANT=$work/want \
        sh -c "exec env LD_PRELOAD=$work/oom.so $4" >out 2>"$work/got")
    if tail -n 1 got | grep -qE '^[0-9]+ allocations, 0 wrong$' && ! grep -q '^[0-9] alloc' got; then
        ok
    else
        bad "$4"
    fi
    rm -rf want try
}

# two warps that race, and a branch that depends on data
cat >race.hd <<'END'
.kernel race
.param y : u32[4]
.reg t, p:2
.pred q
        ld.param.b64 p, [y]
        s2r t, %warpid
        ld.global.b32 t, [p+4]
        setp.eq.u32 q, t, 0
@q      bra over
        add.u32 t, t, 1
over:   st.global.b32 [p], t
        st.global.b32 [p+4], t
        exit
END

# A launch with checkers that runs out of memory raises an error of that kind: else status 3.
cat >check.lua <<END
local function fail(why, known)
    io.stderr:write(tostring(why), "\\n")
    os.exit(known and 2 or 3)
end
local gpu, program, y
local ready, why = pcall(function()
    local file <close> = assert(io.open "$work/race.hd")
    gpu = require "heddle".new()
    program, y = gpu:load(file:read "a", "race.hd"), gpu:buffer("y", "u32", 4)
end)
if not ready then
    fail(why, true)
end
local done, why = pcall(gpu.launch, gpu, program, {block = 16, warp = 8, args = {y = y}, check = "all,value"})
if not done then
    fail(why, type(why) == "string" or why.kind == "memory")
end
END

RUN="heddle run $work/first.hd --block 8 --board teach8"
sh -c "$RUN --arg a=1 --out y=f32[8]:y.npy --json a.json -q; $RUN --arg a=1 --set sms=1 --set l1.latency=90 --out y=f32[8]:y.npy --json b.json -q"
every "${EVERY:-5}" 0 "y.npy j.json" \
    "$RUN --arg a=2.5 --out y=f32[8]:y.npy --json j.json --profile --explain 11"
every "${EVERY:-1}" 0 "y.npy" "heddle run $work/first.hd --block 8 --arg a=2.5 --out y=f32[8]:y.npy"
every "${EVERY:-23}" 1 "j.json" "heddle diff $work/a.json $work/b.json --json j.json"
every "${EVERY:-23}" 0 "j.json" "heddle board teach8 --json j.json"
every "${EVERY:-23}" 0 "j.json" "heddle board teach8 teach32 --json j.json"
every "${EVERY:-37}" 0 "y.npy j.json" "$RUN --board teach8,teach8 --arg a=2.5 --out y=f32[8]:y.npy --json j.json"
every "${EVERY:-1}" 0 "j.json" \
    "heddle prove $work/first.hd $work/first.hd --arg a=1 --buffers y=f32[8] --block 8 --json j.json"
sed 's/^.param a : f32/&\n.param n : u32/' first.hd >sized.hd
every "${EVERY:-1}" 0 "j.json" "heddle prove $work/sized.hd $work/sized.hd --arg a=1 --for n=8..9 --buffers 'y=f32[n]' --block 8 \
    --solver none --json j.json"
every "${EVERY:-7}" 1 "y.npy c.json c.sarif" \
    "heddle run $work/race.hd --block 16 --warp 8 --out y=u32[4]:y.npy --check=all,value --json c.json --sarif c.sarif"
every "${EVERY:-1}" 0 "" "heddle lua $work/check.lua"
every "${EVERY:-3}" 1 "y.npy o.json" \
    "heddle run $work/race.hd --block 16 --warp 8 --out y=u32[4]:y.npy --schedule=all --check=race --json o.json"
every "${EVERY:-3}" 1 "p.json" \
    "heddle prove $work/race.hd $work/race.hd --buffers y=u32[4] --block 16 --warp 8 --solver none --json p.json"
# branches on data, sums in another order, and what is released and acquired
clamp=$tests/fixtures/prove/clamp
every "${EVERY:-1}" 0 "p.json" "heddle prove ${clamp}_select.hd ${clamp}_branch.hd --buffers in:x=u32[8],y=u32[8] --arg n=8 \
    --block 8 --warp 8 --solver none --json p.json"
sed '/mul.f32/s/mul.f32.*/add.f32 v, v, t\n        add.f32 v, v, 3.0/' first.hd >sum1.hd
sed '/mul.f32/s/mul.f32.*/add.f32 t, t, 3.0\n        add.f32 v, t, v/' first.hd >sum2.hd
every "${EVERY:-1}" 0 "p.json" "heddle prove $work/sum1.hd $work/sum2.hd --buffers 'y=f32[8]' --arg a=1 --block 8 --warp 8 \
    --assume reassociation --solver none --json p.json"
every "${EVERY:-5}" 0 "l.json" "heddle run $tests/../kernels/defects/locks.hd --case lock_fences --warp 8 --check=all,value \
    --json l.json -q"
every "${EVERY:-1}" 0 "k.hdo" "heddle asm $work/first.hd -o k.hdo"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
