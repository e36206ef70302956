#!/bin/sh
# Does the command run kernels in other orders, and report what depends on them?
#
#   HEDDLE=build/heddle sh tests/check/schedule.sh
set -u
. "$(dirname "$0")/../lib/cli.sh"

cat >update.hd <<'END'
; each warp adds 1 to y[0..31]
.kernel update
.param y : u32[32]
.reg   i, v, py:2
        s2r     i, %laneid
        ld.param.b64 py, [y]
        mad.wide.u32 py, i, 4, py
        ld.global.b32 v, [py]
        add.u32 v, v, 1
        st.global.b32 [py], v
        exit
END
RUN="heddle run update.hd --block 64 --warp 32 --engine baseline"

# ---- random ----
says 0 "$RUN --out y=u32[32]:a.npy --schedule=random:7" "engine baseline, schedule random:7"
says 0 "$RUN --out y=u32[32]:b.npy --schedule=random:7 --json -" '"schedule": "random:7"'
holds "the same bytes for the same seed" 'cmp a.npy b.npy'
for seed in 1 2 3 4 5 6 7 8; do
    heddle run update.hd --block 64 --warp 32 --out "y=u32[32]:$seed.npy" --schedule=random:$seed -q
done
holds "two results among eight seeds" 'test "$(md5sum ?.npy | grep -v "[ab].npy" | cut -c1-32 | sort -u | wc -l)" -eq 2'
wrong() { # wrong VALUE "BLANKS^~~~"
    shows 2 "$RUN --out y=u32[32]:a.npy --schedule='$1'" <<END
--schedule: error: expected random:SEED with a whole number, all or all:N
    --schedule $1
               $2
END
}
wrong random '^~~~~~'
wrong random:x '       ^'
wrong all:0 '    ^'
wrong allways '   ^~~~'
shows 2 "$RUN --out y=u32[32]:a.npy --schedule=random:1 --board v100" <<'END'
heddle: error: the schedule 'random:1' is for launches without a clock: with one, the clock of 'v100' decides which warp runs when; functional (--functional) runs without it
END
says 0 "$RUN --out y=u32[32]:a.npy --schedule=random:1 --board v100 --functional" "schedule random:1"
cat >launch.lua <<'END'
local heddle = require "heddle"
local c = heddle.new()
local p = c:load(io.open("update.hd"):read("a"))
local y = c:buffer("y", "u32", 32)
local r = c:launch(p, {block = 64, warp = 32, schedule = "random:7", args = {y = y}})
local b = c:npy("b", "b.npy")
print(r.schedule, y[1] == b[1])
END
says 0 "heddle lua launch.lua" "$(printf 'random:7\ttrue')"

# ---- all orders ----
shows 1 "$RUN --out y=u32[32]:a.npy --schedule=all -q" <<'END'
y[0] depends on the order of warps: it is 2 in one and 1 in another

  in one order, y[0] = 2:
    block 0, warp 0, lane 0 writes y[0]                   update.hd:10: st.global.b32 [py], v
    block 0, warp 1, lane 0 reads y[0]                    update.hd:8: ld.global.b32 v, [py]
    block 0, warp 1, lane 0 writes y[0]                   update.hd:10: st.global.b32 [py], v

  in the other order, y[0] = 1:
    block 0, warp 1, lane 0 reads y[0]                    update.hd:8: ld.global.b32 v, [py]
    block 0, warp 0, lane 0 writes y[0]                   update.hd:10: st.global.b32 [py], v

  2 orders were executed until this one was found

END
says 1 "$RUN --out y=u32[32]:a.npy --schedule=all" "update: grid 1, block 64, warp 32, engine baseline, schedule all"
sed 's/^        ld.global.b32 v, .*/        mov.b32 v, 1/; s/^        add.u32.*//; s/st.global.b32/red.global.add.u32/' \
    update.hd >red.hd
says 0 "heddle run red.hd --block 64 --out y=u32[32]:a.npy --schedule=all" "every order of warps leaves the same bytes"
holds "the JSON of orders that agree" 'heddle run red.hd --block 64 --out y=u32[32]:a.npy --schedule=all:5 --json - |
    tr -d " \n" | grep -q "\"orders\":{\"executed\":1,\"bound\":5,\"all\":true,\"same\":true,"'
holds "the JSON of orders that differ" '! heddle run update.hd --block 64 --out y=u32[32]:a.npy --schedule=all --json j.json -q &&
    tr -d " \n" <j.json | grep -q "\"same\":false,.*\"buffer\":\"y\",\"element\":0,\"order\":.{\"value\":\"2\",\"fault\":null,\"message\":null,"'
cat >fault.hd <<'END'
; warp 0 stores where warp 1 has said, or at 0
.kernel fault
.param y : u32[4]
.reg   w, v, py:2
.pred  second
        s2r     w, %warpid
        ld.param.b64 py, [y]
        setp.eq.u32 second, w, 1
@second mov.b32 v, 1000
@second st.global.b32 [py], v
@second exit
        ld.global.b32 v, [py]
        mad.wide.u32 py, v, 4, py
        st.global.b32 [py+4], v
        exit
END
shows 1 "heddle run fault.hd --block 64 --warp 32 --out y=u32[4]:f.npy --schedule=all -q" <<'END'
whether the launch faults (out_of_bounds) depends on the order of warps

  in one order:
    block 0, warp 0, lane 0 reads y[0]                    fault.hd:12: ld.global.b32 v, [py]
    block 0, warp 1, lane 31 writes y[0]                  fault.hd:10: @second st.global.b32 [py], v
    and the launch ends without a fault

  in the other order:
    block 0, warp 1, lane 31 writes y[0]                  fault.hd:10: @second st.global.b32 [py], v
    block 0, warp 0, lane 0 reads y[0]                    fault.hd:12: ld.global.b32 v, [py]
    fault.hd:14: fault: out_of_bounds: store of 4 bytes at global address 0x10000fa4: 3,988 bytes
        past the end of 'y' (16 bytes)
        14 |         st.global.b32 [py+4], v
      kernel fault, block (0, 0, 0), warp 0, lane 0 = thread (0, 0, 0), instruction 8
      out_of_bounds: an access outside every allocation of its space

  2 orders were executed until this one was found

END
cat >late.hd <<'END'
; warp 0 stores beside warp 1 only if warp 1 has raised the flag: not in the machine's own order
.kernel late
.param y : u32[4]
.reg   w, v, py:2
.pred  other, second, raised
        s2r     v, %laneid
        setp.ne.u32 other, v, 0
@other  exit
        s2r     w, %warpid
        ld.param.b64 py, [y]
        setp.eq.u32 second, w, 1
@second bra     raise
        ld.global.b32.volatile v, [py]
        setp.ne.u32 raised, v, 0
@raised st.global.b32 [py+4], w
        exit
raise:  st.global.b32.volatile [py], w
        st.global.b32 [py+4], w
        exit
END
RUN="heddle run late.hd --block 16 --warp 8 --out y=u32[4]:a.npy --check=race"
says 0 "$RUN" "no findings by race"
says 1 "$RUN --schedule=all" "race write-write: two writes of different values that nothing orders, y[1]"
$RUN --schedule=all -q --json late.json >/dev/null
holds "findings of all orders in the JSON" 'tr -d " \n" <late.json | grep -q "\"findings\":.{\"kind\":\"race\",\"class\":\"write-write\""'
says 2 "heddle run update.hd --grid 65 --block 32 --out y=u32[32]:a.npy --schedule=all" "at most 64 warps"
says 2 "heddle run update.hd --grid 2 --out y=u32[32]:a.npy --schedule=all --board v100" "for launches without a clock"
cat >spin.hd <<'END'
.kernel spin
.param y : u32[1]
.reg   v, py:2
.pred  again
        ld.param.b64 py, [y]
again:  ld.global.b32.volatile v, [py]
        setp.eq.u32 again, v, 0
@again  bra     again
        exit
END
says 1 "heddle run spin.hd --block 8 --warp 8 --out y=u32[1]:a.npy --schedule=all --max-instructions 1000" \
    "every order of warps faults"
says 1 "heddle run spin.hd --block 8 --warp 8 --out y=u32[1]:a.npy --schedule=all" "it waits in a loop for memory to change"
cat >orders.lua <<'END'
local heddle = require "heddle"
local c = heddle.new()
local p = c:load(io.open("update.hd"):read("a"))
local y = c:buffer("y", "u32", 32)
local o = c:launch(p, {block = 64, warp = 32, schedule = "all", args = {y = y}}).orders
print(o.same, o.all, o.buffer, o.element, #o.order, o.order[1].value, o.order[2].value)
local s = o.order[2].steps[1]
print(s.how, s.what, s.line, s.warp, s.lane, s.block[1], s.text)
o = c:launch(p, {block = 32, warp = 32, schedule = "all:3", args = {y = y}}).orders
print(o.same, o.all, o.executed, o.bound, o.buffer, o.order)
local z = c:buffer("z", "u32", 1)
local _, e = pcall(c.launch, c, c:load(io.open("spin.hd"):read("a")),
  {block = 8, warp = 8, schedule = "all", max_instructions = 1000, args = {y = z}})
print(e.kind, e.orders.same, e.orders.text)
END
shows 0 "heddle lua orders.lua" <<'END'
false false y 1 2 2 1
reads y[0] 8 1 0 0 ld.global.b32 v, [py]
true true 1 3 nil nil
deadlock true every order of warps faults: none conflict
END

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
