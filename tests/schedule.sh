#!/bin/sh
# Does the command run kernels in other orders, and say what depends on them?
#
#   HEDDLE=build/heddle sh tests/schedule.sh
set -u
. "$(dirname "$0")/lib/cli.sh"

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
shows 2 "$RUN --out y=u32[32]:a.npy --schedule=random" <<'END'
heddle: error: unknown schedule 'random'; expected random:SEED with a whole number
END
shows 2 "$RUN --out y=u32[32]:a.npy --schedule=random:1 --board v100" <<'END'
heddle: error: the schedule 'random:1' is for launches without a clock: with one, the clock of 'v100' decides who runs when
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

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
