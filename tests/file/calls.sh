#!/bin/sh
# Whatever call of the system fails: are outputs complete, or is there a message with the reason, exit status 2, and the
# files as they were?
#
#   HEDDLE=build/heddle sh tests/file/calls.sh          CALLS_ONLY=rename tries calls of that name alone
#
# Each command prints how many calls were tried.
set -u
here=$(realpath "$(dirname "$0")")
. "$(dirname "$0")/../lib/cli.sh"

preload=$work/calls.so
case ${SAN:-},${CC:-gcc} in
,* | *clang*) ;;
*) preload="$(${CC:-gcc} -print-file-name=libasan.so):$preload" ;;
esac
${CC:-cc} -shared -fPIC -O1 -I "$tests/.." "$here/calls_main.c" -o calls.so 2>got
if ! LD_PRELOAD=$preload true; then
    echo "skipped: another libc has other names of calls"
    echo "0 passed, 0 failed"
    exit 0
fi

cat >first.hd <<'EOF'
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
EOF

# every STATUS COMMAND: in a folder with old outputs of some names; inputs are named from the root
every() {
    rm -rf want try
    cp -r old want
    (cd want && sh -c "$2" >../want.out 2>../got)
    status=$?
    [ "$status" -eq "$1" ] || bad "exit status $status, not $1: $2"
    at "$2"
    CALLS_STATUS=$1 sh -c "exec env LD_PRELOAD=$preload $2" >got 2>&1
    if tail -n 1 got | grep -qE '^[1-9][0-9]* calls, 0 wrong$'; then ok; else bad "$2"; fi
}

mkdir -p old/sub
echo old >old/y.npy
heddle make x.npy f32[8]:iota
printf '.include "first.hd"\n' >whole.hd
printf 'base: base.yaml\nsms: 1\n' >board.yaml
printf 'base: teach8\n' >base.yaml
RUN="heddle run $work/first.hd --block 8 --arg a=2.5"

heddle run first.hd --block 8 --arg a=1 --board teach8 --out y=f32[8]:a.npy --json a.json -q
heddle run first.hd --block 8 --arg a=2 --board teach8 --set sms=1 --set l1.latency=90 --out y=f32[8]:b.npy --json b.json -q
printf '0 0 0\n1 1 1\n' >scan.xyz
sed 's/mul.f32 v, v, t/mul.f32 v, t, v/' first.hd >second.hd
sed 's/mul.f32 v, v, t/mul.f32 v, v, v/' first.hd >other.hd
printf '#!/bin/sh\ncat >/dev/null; echo unsat\n' >z3 && chmod +x z3
sed 's/mul.f32.*/ld.global.b32 v, [p]/' first.hd >keep.hd
sed 's/st.global/div.u32 t, v, 3\n        mul.lo.u32 t, t, 3\n        rem.u32 v, v, 3\n        add.u32 v, t, v\n        st.global/' keep.hd >parts.hd
cat >work.lua <<'EOF'
local h = require "heddle"
local ok, why = pcall(function()
    local gpu = h.new()
    gpu:board(arg[1])
    local p, y = gpu:load(arg[2]), gpu:npy("y", arg[3])
    gpu:launch(p, {block = 8, args = {a = 2.5, y = y}})
    assert(h.writable "y.npy")
    h.write {["y.npy"] = "new", ["sub/new"] = "new", ["more"] = "new"}
end)
if not ok then
    io.stderr:write(tostring(why), "\n")
    os.exit(2)
end
EOF

every 0 "$RUN --inout y=$work/x.npy:y.npy --board $work/board.yaml --json sub/j.json -q"
every 0 "$RUN --out y=f32[8]:y.npy --json new.json -q"
every 0 "$RUN --out y=f32[8]:/dev/stdout -q"
every 0 "$RUN --out y=f32[8]:/dev/null -q"
every 0 "heddle asm $work/whole.hd -o k.hdo"
every 0 "heddle make y.npy u8[8]:iota"
every 0 "heddle make - u8[8]:iota"
every 0 "heddle show $work/x.npy"
every 1 "heddle diff $work/a.json $work/b.json --json j.json"
every 0 "heddle board $work/board.yaml --json j.json"
every 0 "heddle board new mine --like teach8"
every 0 "heddle voxelize $work/scan.xyz --grid 2,2,2 -o v.npy --json j.json"
every 0 "heddle new scale"
every 0 "heddle prove $work/first.hd $work/second.hd --arg a=1 --buffers y=f32[8] --block 8 --solver $work/z3 --json j.json"
every 0 "heddle prove $work/keep.hd $work/parts.hd --arg a=1 --buffers y=f32[8] --block 8 --solver $work/z3 --json j.json"
every 1 "heddle prove $work/first.hd $work/other.hd --arg a=1 --buffers y=f32[8] --block 8 --solver $work/z3 --json j.json"
every 0 "heddle lua $work/work.lua $work/board.yaml $work/whole.hd $work/x.npy"
every 0 "heddle run classic/saxpy -q"
every 2 "heddle run classic/saxp"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
