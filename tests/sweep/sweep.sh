#!/bin/sh
# Does `heddle sweep` run every point once, whatever happens to it, and keep what `heddle run` measures?
set -u
export root="$PWD"
. "$(dirname "$0")/../lib/cli.sh"

cp "$tests/lib/twice.hd" k.hd
# Reads as many elements as there are threads, whatever n is.
sed -e 's/^@in/   /' k.hd >beyond.hd
base="k.hd --board teach32 --block 64 --grid 4 --inout y=iota"

# ---- a grid, and what it measures ----
shows 0 "heddle sweep run $base --over sms=1,2 --over arg.n=64..256/x2 -j 2 -o a.db | sed 's/; .*//'" <<'END'
6 points in a.db: 6 run
END
shows 0 "heddle sweep -o a.db -j1 run --over arg.n=64,128,256 $base --over sms=1,2 | sed 's/; .*//'" <<'END'
6 points in a.db: 0 run, 6 were there
END
shows 0 "heddle results a.db --columns sms,arg.n" <<'END'
  board.sms  arg.n
          1     64
          1    128
          1    256
          2     64
          2    128
          2    256
END
holds "a point is what heddle run measures" '
    heddle run '"$base"' --set sms=2 --arg n=128 -q --json one.json
    for metric in cycles seconds dram.reads l1.sectors; do
        sed -n "/\"metrics\"/,/}/s/.*\"$metric\": \([^,]*\),*/\1/p" one.json | head -n 1
    done >want
    heddle results a.db --json - --sql "SELECT cycles, seconds, \"dram.reads\", \"l1.sectors\" FROM point
        WHERE \"board.sms\" = 2 AND \"arg.n\" = 128" | sed -n "s/^      .*: \([^,]*\),*/\1/p" | diff want -'
holds "its command runs it by itself" '
    sh -c "$(heddle results a.db --csv --sql "SELECT command FROM point WHERE id = 4" | tail -n 1 | tr -d "\"") --json c.json -q"
    grep -q "\"cycles\": $(heddle results a.db --csv --sql "SELECT cycles FROM point WHERE id = 4" | tail -n 1)," c.json'
holds "the limiter is there" 'heddle results a.db --csv --columns limiter | grep -q "^\"*[A-Z][a-z].* [a-z]"'
holds "the whole configuration is there" 'heddle results a.db --csv >all.csv
    [ "$(head -n 1 all.csv | tr , "\n" | grep -c "^board\.")" -gt 150 ]'
says 0 "heddle sweep run --over kernel=k.hd --board \
    teach32 --block 64 --inout y=iota --arg n=64 -o one.db" "1 point in one.db: 1 run"
says 0 "heddle sweep run $base --arg n=64 -o one.db" "1 point in one.db: 1 run"
holds "a store is one file afterwards" '[ ! -e a.db-wal ] && [ ! -e a.db-shm ]'

# ---- what is another point, and what is not ----
same() { says 0 "heddle sweep run $1 -o same.db" "0 run, 1 were there"; }
other() { says 0 "heddle sweep run $1 -o same.db" ": 1 run;"; }
other "$base --arg n=64"
same "--arg n=64 $base --threads 2"
same "k.hd --block 64,1,1 --inout y=iota --arg n=64 --board teach32 --grid 4x1 --set sms=$(heddle board teach32 |
    sed -n 's/^sms: *\([0-9]*\).*/\1/p')"
other "$base --arg n=65"
other "$base --arg n=64 --caches warm"
other "k.hd --board teach32 --block 64 --grid 4 --inout y=random --arg n=64"
cp k.hd copy.hd
same "copy.hd --board teach32 --block 64 --grid 4 --inout y=iota --arg n=64"
echo "; another text" >>copy.hd
other "copy.hd --board teach32 --block 64 --grid 4 --inout y=iota --arg n=64"
heddle make x.npy 'f32[64]:iota' && heddle make z.npy 'f32[64]:ones'
other "k.hd --board teach32 --block 64 --in y=x.npy --arg n=64"
other "k.hd --board teach32 --block 64 --in y=z.npy --arg n=64"
cp x.npy z.npy
same "k.hd --board teach32 --block 64 --in y=z.npy --arg n=64"

# ---- keys that are a peak ----
says 0 "heddle sweep run $base --board v100 --arg n=64 --over dram.gbs=500GB/s..2TB/s/x2 --over dram.channels=16,32 -o gbs.db 2>&1" \
    "dram.gbs=500: dram.clock_mhz 877 -> 488, 499.712 GB/s"
holds "columns are what was given" '[ "$(heddle results gbs.db --csv --columns dram.gbs,dram.channels,dram.clock_mhz | tr "\n" " ")" = \
    "board.dram.gbs [GB/s],board.dram.channels,board.dram.clock_mhz [MHz] 500,16,977 1000,16,1953 2000,16,3906 500,32,488 1000,32,977 2000,32,1953 " ]'
holds "what follows is no axis" 'heddle results gbs.db | head -n 1 | grep -q "^ *board.dram.channels *board.dram.gbs .GB/s. *cycles *seconds$"'
says 0 "heddle sweep run $base --board v100 --arg n=64 --over dram.channels=16,32 -o channels.db" "2 run"
holds "nor is a peak that was not given" 'heddle results channels.db | head -n 1 | grep -q "^ *board.dram.channels *cycles *seconds$"'
says 0 "heddle results gbs.db --knee dram.gbs" "board.dram.channels  board.dram.gbs [GB/s]"
holds "heads have units" '[ "$(heddle results gbs.db --csv --columns rate.dram,sol.dram,seconds,l2.bytes,l2.latency | head -n 1)" = \
    "rate.dram [GB/s],sol.dram [%],seconds,board.l2.bytes,board.l2.latency [cycles]" ]'
holds "JSON has names, and units apart" 'heddle results gbs.db --columns rate.dram,l2.bytes --json - | tr -d " \n" |
    grep -q "\"units\":{\"rate.dram\":\"GB/s\",\"board.l2.bytes\":\"bytes\"},\"rows\":\[{\"rate.dram\":"'
holds "what is there in GB/s is not shown in bytes/cycle" '[ "$(heddle results gbs.db --csv | head -n 1 | grep -c rate.dram_bytes)" = 0 ] &&
    ! heddle results gbs.db --csv --columns rate | grep -q dram_bytes &&
    heddle results gbs.db --columns rate.dram_bytes | grep -q "^ *rate.dram_bytes .bytes/cycle.$"'
says 2 "heddle sweep run $base --board v100 --arg n=64 --over dram.gbs=500,1e9 -o gbs.db" "dram.gbs must be a number of GB/s"
says 2 "heddle sweep run $base --board v100 --arg n=64 --set dram.clock_mhz=900 --over dram.gbs=500,600 -o gbs.db" \
    "dram.gbs sets dram.clock_mhz, and both are given"

says 2 "heddle results gbs.db --columns total_energy" "there is no column 'total_energy'; did you mean 'energy.total'?"
says 2 "heddle results gbs.db --columns dram_bandwidth" "did you mean 'rate.dram' or 'dram.gbs'?"

# ---- points that fail ----
says 1 "heddle sweep run $base --over kernel=k.hd --arg n=200 -o f.db; heddle sweep run --over kernel=k.hd,beyond.hd --board teach32 \
    --block 64 --grid 4 --inout y=iota --arg n=200 -o f.db" "kernel=beyond.hd: "
says 1 "heddle sweep run --over kernel=k.hd,beyond.hd --board teach32 --block 64 --grid 4 --inout y=iota --arg n=200 -o f.db" \
    "2 points in f.db: 0 run, 2 were there, 1 failed"
says 0 "heddle results f.db" "out_of_bounds"
holds "a message keeps its lines" 'heddle results f.db --csv --columns message | grep -q "^  kernel twice, block (3, 0, 0), warp 0, lane 8" &&
    heddle results f.db --columns message | grep -q "^   *[0-9]* | *ld.global.b32 v, .p.$"'
holds "its state is fault" '[ "$(heddle results f.db --csv --sql "SELECT file FROM point WHERE state = '"'fault'"'" | tail -n 1)" = beyond.hd ]'
large="$base --over arg.n=64,128,1e8 --max-memory 1M -o g.db"
says 1 "heddle sweep run $large" "3 points in g.db: 3 run, 1 failed"
says 1 "heddle sweep run $large" "3 points in g.db: 1 run, 2 were there, 1 failed"

cp "$tests/lib/slow.hd" .
holds "a worker that is killed is a point that failed" '
    heddle sweep run slow.hd --board teach32 --over arg.n=20000000,10 -j 1 -o killed.db >out 2>&1 &
    sweep=$!
    for try in 1 2 3 4 5 6 7 8 9; do
        sleep 0.1
        worker=$(grep -sl "^PPid:.$sweep\$" /proc/[0-9]*/status | tr -dc "0-9\n") && [ -n "$worker" ] && kill -9 $worker && break
    done
    wait $sweep
    [ $? -eq 1 ] && grep -q "killed by signal 9" out && grep -q "2 points in killed.db: 2 run, 1 failed" out'
holds "the next sweep tries it again" '
    heddle sweep run slow.hd --board teach32 --over arg.n=10,20000000 -j 1 -o killed.db >out 2>&1 &
    sweep=$!
    for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        sleep 0.1
        heddle results killed.db --csv --sql "SELECT state FROM point" | grep -q running && kill -INT $sweep && break
    done
    wait $sweep
    [ $? -eq 130 ] && grep -q "0 run, 1 were there" out && grep -qx "1 of 2; the same command continues" out'
holds "what Ctrl-C stopped was never claimed" '[ "$(heddle results killed.db --csv --sql "SELECT count(*) FROM point" | tail -n 1)" = 1 ]'

# ---- which points ----
shows 0 "heddle sweep run $base --over sms=1..3 --with noc.latency=40,40,80 --over arg.n=10..40/10 \
    --where 'arg.n * sms < 70 and noc.latency = 40' -o w.db >out; heddle results w.db --columns sms,noc.latency,arg.n" <<'END'
  board.sms  board.noc.latency [cycles]  arg.n
          1                          40     10
          1                          40     20
          1                          40     30
          1                          40     40
          2                          40     10
          2                          40     20
          2                          40     30
END
says 0 "heddle sweep run $base --arg n=64 --over sample=1..3 -o samples.db" "3 points in samples.db: 3 run"
says 0 "heddle sweep run $base --arg n=64 --over sample=1..4 -o samples.db" "4 points in samples.db: 1 run, 3 were there"

# ---- questions: the cost is sms + 3 for n = 1 and 10 / sms for n = 2, the gain 20 less that ----
heddle sweep run $base --over sms=1,2,4,8 --over arg.n=1,2 -o asked.db >out || bad "no points to ask about"
if python3 - <<'END'; then
import sqlite3
with sqlite3.connect("asked.db") as db:
    db.execute('UPDATE point SET wall_seconds = iif("arg.n" = 1, "board.sms" + 3, 10.0 / "board.sms")')
    db.execute('UPDATE point SET cpu_seconds = 20 - wall_seconds')
END
    shows 0 "heddle results asked.db --knee sms --objective wall_seconds" <<'END'
  arg.n  board.sms  wall_seconds  best wall_seconds  up to
      1          1             4                  4      1
      2          8          1.25               1.25      8
  The largest value tried is the first that is enough: larger ones may be better still.
END
    shows 0 "heddle results asked.db --knee sms --objective max:cpu_seconds --within 25%" <<'END'
  arg.n  board.sms  cpu_seconds  best cpu_seconds  up to
      1          1           16                16      4
      2          2           15             18.75      8
  Where the smallest value tried is enough, smaller ones may be, too.
END
    shows 0 "heddle results asked.db --knee sms --objective wall_seconds --within 100 --where 'sms > 1'" <<'END'
  arg.n  board.sms  wall_seconds  best wall_seconds  up to
      1          2             5                  5      4
      2          4           2.5               1.25      8
  Where the smallest value tried is enough, smaller ones may be, too.
END
    shows 0 "heddle results asked.db --objective wall_seconds --columns sms,arg.n --where 'wall_seconds between 2 and 5'" <<'END'
  board.sms  arg.n
          4      2
          1      1
          2      1
          2      2
END
    # For n = 1 only one SM is on the front; n = 2 is cheaper from four on.
    shows 0 "heddle results asked.db --pareto sms,wall_seconds --columns sms,arg.n" <<'END'
  board.sms  arg.n
          1      1
          4      2
          8      2
END
    shows 0 "heddle results asked.db --pareto max:cpu_seconds --columns sms,arg.n" <<'END'
  board.sms  arg.n
          8      2
END
fi

# ---- remarks beside numbers ----
small="heddle sweep run classic/saxpy --case 1 --board v100 --over arg.n=8,9 -o said.db"
says 0 "$small" "points run case 1 of 3 of classic/saxpy with other n (--case runs another): run saxpy grid=4 block=64"
says 0 "$small" "in 2 of 2 points the grid is too small for the board (blocks on 4 of 80 SMs)"
shows 0 "$small --grid 80 2>&1 | grep -c 'too small'; heddle sweep run $base --arg n=4 --over sms=2,4 -o said.db 2>&1 | grep -c ." <<'END'
0
1
END

# ---- files ----
cat >s.yaml <<'END'
# Two axes.
run: k.hd
board: teach32
block: 64
grid: 4
inout: [y=iota]
over:
  sms: [1, 2]
  arg.n: 64..256/x2
functional: true
END
sed '/functional/d' s.yaml >plain.yaml
says 0 "heddle sweep plain.yaml -o yaml.db" "6 points in yaml.db: 6 run"
says 0 "heddle sweep run $base --over sms=1,2 --over arg.n=64..256/x2 -o yaml.db" "6 points in yaml.db: 0 run, 6 were there"
says 0 "heddle sweep plain.yaml --caches warm -o yaml.db" "6 points in yaml.db: 6 run"
says 0 "heddle sweep s.yaml -o yaml.db" "run, "
says 0 "heddle sweep" "How much DRAM bandwidth"
replaced() { # replaced WORDS WHAT-IS-SAID POINTS: of the file
    says 0 "heddle sweep plain.yaml $1 -o mine.db" "plain.yaml: $2"
    grep -q "^$3 points* in mine.db" got || bad "not $3 points: $1"
}
replaced "--over sms=2" "--over sms=2 in place of --over sms=1,2" 3
replaced "--set sms=1" "--set sms=1 in place of --over sms=1,2" 3
replaced "--arg n=64" "--arg n=64 in place of --over arg.n=64..256/x2" 2
replaced "--over board=teach32,v100" "--over board=teach32,v100 in place of --board teach32" 12
replaced "--over grid=2,4 --over arg.n=64" "--over grid=2,4 in place of --grid 4" 4
replaced "--over kernel=k.hd,beyond.hd --over arg.n=256" "--over kernel=k.hd,beyond.hd in place of k.hd" 4
replaced "copy.hd" "copy.hd in place of k.hd" 6
says 2 "heddle sweep plain.yaml --over sms=2 --over sms=1 -o mine.db" "'sms' is an axis already: sms=2"
holds "where nothing is replaced, nothing is said" '[ -z "$(heddle sweep plain.yaml -o mine.db 2>&1 >/dev/null)" ]'
shows 0 "heddle sweep plain.yaml --over sms=1,2 --with noc.latency=40,50 --arg n=64 -o with.db 2>err >out
    heddle results with.db --columns sms,noc.latency" <<'END'
  board.sms  board.noc.latency [cycles]
          1                          40
          2                          50
END

# Multiples of what the board has, without those that it cannot have.
shows 0 "heddle sweep channels k.hd --block 64 --grid 4 --inout y=iota --arg n=64 --over board=teach32,v100 -j 1 -o fit.db 2>err >out
    heddle results fit.db --columns board,dram.channels" <<'END'
  board    board.dram.channels
  teach32                    1
  teach32                    2
  v100                       4
  v100                       8
  v100                      16
  v100                      32
  v100                      64
END
holds "what is left out is said" 'grep -q "^left out, because the board cannot be so: .*dram.channels=0.125x" err'
holds "each board has its own curve" '[ "$(heddle results fit.db --knee dram.channels | grep -c "^  [tv][e1]")" = 2 ]'
for name in $(heddle sweep | sed 's/^  \([a-z0-9]*\) .*/\1/' | grep -vx run); do
    case $name in
    density) says 0 "heddle sweep density -o ships.db" "cycles of kernel=mask/store_vector is less than that of mask/store" ;;
    mask) says 0 "heddle sweep mask -o ships.db" "from width=" ;;
    shuffle) says 0 "heddle sweep shuffle -o ships.db" "shared.latency=46: up to latency.shfl=" ;;
    width) says 0 "heddle sweep width classic/saxpy --case 1 -j 1 -o ships.db" "best seconds" ;;
    *) says 0 "heddle sweep $name classic/saxpy --case 1 --arg n=10 --board a100 -j 1 -o ships.db" "best seconds" ;;
    esac
done
mistaken() { # mistaken EDIT PLACE: of the file
    sed "$1" plain.yaml >wrong.yaml
    says 2 "heddle sweep wrong.yaml -o no.db" "wrong.yaml:$2"
}
mistaken 's/^grid/gird/' "5:1: error: unknown option 'gird'; did you mean 'grid'?"
mistaken 's/64..256/64..2/' "9:10: error: the range ends before it begins"
mistaken 's/\[1, 2\]/[]/' "8:8: error: the axis has no values"
mistaken 's/\[1, 2\]/{a: 1}/' "8:8: error: expected a value, or a list of values"
mistaken 's/grid: 4/grid: true/' "5:7: error: 'grid' needs a value"
mistaken 's/grid: 4/quiet: 4/' "5:8: error: 'quiet' is true, or left out"
mistaken 's/grid: 4/grid: [[4]]/' "5:8: error: expected a value"
mistaken 's/grid: 4/grid: "4/' "10:1: error: found unexpected end of stream"
mistaken 's/grid: 4/study: gemm/' "5:1: error: the points of a sweep run one command, and 'heddle run' is it"
mistaken 's/grid: 4/run: k.hd/' "5:6: error: one kernel is run at a time"
mistaken 's/grid: 4/grid: 99999999999999999999/' "5:7: error: expected a number from 1 to 2^31 - 1"
mistaken 's/grid: 4/jobs: 99999999999999999999/' "5:7: error: expected a whole number from 1 on"
mistaken 's/grid: 4/where:/' "5:7: error: 'where' needs a value"
mistaken 's/run: k.hd/run:/' "2:5: error: 'run' needs a value"
mistaken '/^run/d' " error: there is no kernel: give FILE.hd after the name of the sweep, or 'run: FILE.hd' in it"
mistaken 's/arg.n: .*/arg.n: [64, -1]/' "9:15: error: kernel 'twice': parameter 'n': -1 is out of the range of u32"
mistaken '3,$d;2s/.*/just words/' "1:1: error: the description of a sweep is a list"

# Errors found while building points are shown in the file, too.
mistaken 's/64..256.x2/1,2..3,1/' "9:17: error: '1' is there twice"
mistaken 's/64..256.x2/1,x/' "9:12: error: kernel 'twice': parameter 'n': u32 takes a whole number, not 'x'"
mistaken 's/\[1, 2\]/[1, 2..1, 3]/' "8:12: error: the range ends before it begins"
mistaken 's/sms/smss/' "8:3: error: unknown key 'smss'; did you mean 'sms'?"
mistaken 's/arg.n/arg.m/' "9:3: error: kernel 'twice' of k.hd: there is no parameter 'm'"
mistaken '$awhere: arg.n > m' "10:16: error: no such column: m"
mistaken '$awith: {warp: 32}' "10:14: error: 1 value for the 3 of --over arg.n=64..256/x2"

# ---- descriptions in Lua, and sweeps from Lua and Python ----
cat >s.lua <<'END'
local counts = {}
for i = 6, 8 do
    counts[#counts + 1] = 1 << i
end
return {run = "k.hd", board = "teach32", block = 64, grid = 4, inout = {"y=iota"},
    over = {{"sms", 1, 2}, {"arg.n", counts}}}
END
says 0 "heddle sweep s.lua -o yaml.db" "6 points in yaml.db: 0 run, 6 were there"
cat >points.lua <<'END'
print "a word on standard output"
local n = 0
return {run = "k.hd", board = "teach32", block = 64, grid = 4, inout = {"y=iota"}, points = function()
    n = n + 1
    return n <= 4 and {sms = n % 2 + 1, ["arg.n"] = 32 << n} or nil
end}
END
says 0 "heddle sweep points.lua -o yaml.db" "4 points in yaml.db: 1 run, 3 were there"
sed 's/points = .*/points = {{sms = 1, ["arg.n"] = 64}, {sms = 1, ["arg.n"] = 64.0}}}/; 4,$d' points.lua >list.lua
says 0 "heddle sweep list.lua -o yaml.db" "2 points in yaml.db: 0 run, 2 were there"
scripted() { # scripted EDIT TEXT: of the file with axes
    sed "$1" "${3:-s.lua}" >wrong.lua
    says 2 "heddle sweep wrong.lua -o no.db" "$2"
}
scripted 's/"sms"/"smss"/' 'wrong.lua:6:15: error: unknown key '"'smss'; did you mean 'sms'?"
scripted 's/grid/gird/' "wrong.lua:5:54: error: unknown option 'gird'; did you mean 'grid'?"
scripted 's/"sms", 1, 2/"sms", "2..1"/' 'wrong.lua:6:22: error: the range ends before it begins'
scripted 's/"arg.n"/"arg.m"/' 'wrong.lua:6:30: error: kernel '"'twice' of k.hd: there is no parameter 'm'"
scripted 's/counts}/counts, wth = {}}/' "wrong.lua: error: over[2].arg.n: unknown key 'wth'; did you mean 'with'?"
scripted 's/over = /ovr = /' "wrong.lua: error: ovr: expected a value, or several; axes are tables of 'over'; did you mean 'over'?"
scripted 's/{"y=iota"}/{"y=iota", z = 1}/' "wrong.lua: error: inout: unknown key 'z'"
scripted 's/, counts//' "error: the axis has no values"
scripted 's/"sms", 1/"sms", print/' "over[1].sms: expected a number or a text, not function"
scripted 's/return {/return {,/' "wrong.lua:5: unexpected symbol near ','"
scripted 's/return {/return nil, {/' "wrong.lua: error: a description is a table, not nil"
scripted 's/grid = 4/grid = print/' "grid: expected a number or a text, not function"
scripted 's/32 << n/n < 3 and 1 or nil/' "point 3 has no 'arg.n', which those before it have" points.lua
scripted 's/32 << n/"1,2"/' "point 1.arg.n: expected one value, not '1,2'" points.lua
scripted 's/return n <= 4 and/return nil and/' "there are no points" points.lua
cat >api.lua <<'END'
local sweep = require "heddle.sweep"
local status, text = sweep.run {run = "k.hd", board = "teach32", block = 64, grid = 4, inout = {"y=iota"}, arg = {n = 64},
    over = {sms = {1, 2}}, output = "api.db", jobs = 1}
print(status, text:match "^[^:;]*: [^;]*")
for _, row in ipairs(sweep.rows("api.db", {where = "sms = 2"})) do
    print(row["board.sms"], row["arg.n"], row.state, math.type(row.cycles), row.message)
end
print(#sweep.rows("api.db", {sql = "SELECT key FROM point"}), pcall(sweep.rows, "nix.db"))
print(pcall(sweep.rows, "api.db", {wher = "sms = 2"}))
END
shows 0 "heddle lua api.lua 2>err" <<'END'
0 2 points in api.db: 2 run
2 64 done integer nil
2 false nix.db: its points cannot be read
false sweep.rows: unknown key 'wher'; did you mean 'where'?
END

holds "the example in C of the documentation" 'awk "/^\`\`\`c\$/ { f = 1; next } /^\`\`\`/ { f = 0 } f" "$root/docs/sweep.md" |
    sed "s/saxpy.db/api.db/" >look.c && cc -Wall -Werror look.c -lsqlite3 -o look && ./look >got && grep -q "^2 SMs: [0-9]* cycles$" got'

# ---- other commands as points ----
cat >other.hd <<'END'
.kernel other
.param y : f32[n]
.param n : u32
        exit
END
proof="sweep prove k.hd {b} --buffers inout:y=f32[64] --arg n=64 --block 64 --over b=k.hd,other.hd --over warp=16,32"
says 1 "heddle $proof -j 1 -o other.db" "4 points in other.db: 4 run, 2 failed"
says 1 "heddle $proof -o other.db" "4 points in other.db: 0 run, 4 were there, 2 failed"
shows 0 "heddle results other.db --columns over.b,over.warp,exit_status,state,proofs.1.verdict" <<'END'
  over.b    over.warp  exit_status  state  proofs.1.verdict
  k.hd             16            0  done   equal
  k.hd             32            0  done   equal
  other.hd         16            1  fault  different
  other.hd         32            1  fault  different
END
shows 0 "heddle results other.db --csv --sql 'SELECT command FROM point' | sort | tail -n 1" <<'END'
heddle prove k.hd other.hd --buffers 'inout:y=f32[64]' --arg n=64 --block 64 --warp 32
END
echo "; changed" >>other.hd
says 1 "heddle $proof -o other.db" "4 points in other.db: 2 run, 2 were there, 2 failed"
study="study gemm --size {n},{n},{n} --over n=32,64"
says 0 "heddle sweep $study --board v100 --over sms=1,2 -o study.db" "4 points in study.db: 4 run"
says 0 "heddle sweep $study --over board=v100,a100 -o study.db" "4 points in study.db: 4 run"
printf '# A study.\nstudy: gemm\nsize: "{n},{n},{n}"\nboard: v100\nover: {n: [32, 64], sms: [1, 2]}\n' >study.yaml
says 0 "heddle sweep study.yaml -o study.db" "4 points in study.db: 0 run, 4 were there"
says 0 "heddle results study.db" "over.board"
shows 0 "heddle results study.db --where 'sms is not null' --knee sms --within 100% | cut -c 1-19" <<'END'
  over.n  board.sms
      32          1
      64          1
  Where the smalles
END
holds "a study of one's own" 'mkdir -p mine && echo "return {factor = 3}" >mine/factor.lua && cat >mine/own.lua <<"END"
local at = arg[0]:match "^(.*)/"
package.path = at .. "/?.lua;" .. package.path
local given = {...}
local n = tonumber(given[#given])
io.write(require "heddle".json {n = n * require "factor".factor, id = "x", list = {{name = "a", ok = true}, {name = "b", ok = false}},
    text = ("long"):rep(100)})
END
    heddle sweep study mine/own.lua --over of=1,2 -o own.db | grep -q "2 run" &&
        heddle sweep study mine/own.lua --over of=1,2 -o own.db | grep -q "2 were there" &&
        echo "return {factor = 4}" >mine/factor.lua &&
        heddle sweep study mine/own.lua --over of=1,2 -o own.db | grep -q "2 run"'
shows 0 "heddle results own.db --csv --columns over.of,n,result.id,list.a.ok,list.b.ok,message | sort" <<'END'
1,3,x,1,0,"values without a column, which are in 'json': 1"
1,4,x,1,0,"values without a column, which are in 'json': 1"
2,6,x,1,0,"values without a column, which are in 'json': 1"
2,8,x,1,0,"values without a column, which are in 'json': 1"
over.of,n,result.id,list.a.ok,list.b.ok,message
END
holds "the whole result is there" '[ "$(heddle results own.db --csv --sql "SELECT length(json ->> '"'$.text'"') FROM point" | tail -n 1)" = 400 ]'
says 0 "heddle sweep test classic/saxpy -o test.db; heddle results test.db --columns passed,exit_status" "      12            0"

# ---- bisection: the same answer as all points give, from few of them ----
many="heddle sweep run k.hd --board teach32 --block 64 --inout y=f32[4096]:iota --arg n=4096"
holds "the first value at which a condition holds" '
    '"$many"' --over sms=1,4 --over grid=1..64 -o whole.db >out && '"$many"' --over sms=1,4 --bisect grid=1..64 --until "cycles > 900" \
        -o bisected.db >got && heddle results whole.db --csv --sql "SELECT \"board.sms\", min(grid) FROM point
            WHERE cycles > 900 GROUP BY 1" | sed -n "2,\$s/\(.*\),\(.*\)/sms=\1: from grid=\2 on/p" >want &&
        sed -n "s/, and not yet at .*, cycles > 900$//p" got | diff want - && grep -qx "1[0-6] of 128 points in bisected.db; .* s" got'
says 0 "$many --over sms=1,4 --bisect grid=1..64 --until 'cycles > 900' -o whole.db" "of 128 points in whole.db"
holds "its points are those of a sweep" '[ "$(heddle results whole.db --csv --sql "SELECT count(*) FROM point" | tail -n 1)" = 128 ]'
says 0 "$many --bisect grid=1..8 --until 'cycles > 1' -o whole.db" "no change from grid=1 to 8: it is true that cycles > 1"
says 0 "$many --bisect grid=8..1024/x2 --until 'cycles < 2000' -o whole.db" ", cycles < 2000"
says 0 "$many --bisect grid=8..1024/x2 --until 'cycles < 2000' -o whole.db" "up to grid="
sed 's/add.f32.*/&\n        add.f32     v, v, v/' k.hd >longer.hd
crossed="heddle sweep run --board teach32 --block 64 --inout y=f32[4096]:iota --arg n=4096 --set sms=1 --over kernel=k.hd,longer.hd --crossover kernel"
says 0 "$crossed --bisect grid=1..64 -o whole.db" "seconds of kernel=longer.hd is less than that of k.hd"
says 0 "$crossed --bisect grid=1..64 --objective max:warp_instructions -o whole.db" \
    "no change from grid=1 to 64: it is true that warp_instructions of kernel=longer.hd is more than that of k.hd"
says 1 "heddle sweep run beyond.hd --board teach32 --block 64 --inout y=f32[256]:iota --arg n=256 --bisect grid=1..8 --until 'cycles > 900' -o whole.db" \
    "not known, because a point between grid=1 and 8 has no such result"
says 0 "heddle sweep study gemm --board v100 --size '{n},{n},{n}' --bisect n=16..128/x2 --until 'gflops > 100' -o whole.db" "n="
says 2 "heddle sweep study gemm --board v100 --size '{n},{n},{n}' --bisect n=16..128/x2 --until 'gflop > 100' -o whole.db" "no such column: gflop"

# ---- what ranges of the board make of a point ----
drawn="classic/saxpy --case 1 --board h100 --arg n=64"
says 0 "heddle sweep run $drawn --uncertainty=2 --over sms=66,132 -o drawn.db" "2 points in drawn.db: 2 run"
says 0 "heddle sweep run $drawn --uncertainty=2 --over sms=66,132 -o drawn.db" "0 run, 2 were there"
says 0 "heddle sweep run $drawn --over sms=132 -o drawn.db" "1 run"
holds "the interval is that of heddle run" 'heddle run '"$drawn"' --uncertainty=2 -q --json one.json
    test "$(heddle results drawn.db --sql "SELECT cycles_low, cycles_high, uncertainty FROM point WHERE \"board.sms\" = 132 \
        AND uncertainty" --csv | tail -n 1)" = "$(jq -r ".uncertainty | [.cycles.low, .cycles.high, .draws] | @csv" one.json)"'
holds "its points stand apart" '[ "$(heddle results drawn.db --where "sms = 132" --csv | wc -l)" = 3 ]'
holds "results and a page show it" 'heddle results drawn.db | head -n 1 | grep -q "cycles  cycles_low  cycles_high" &&
    heddle results drawn.db --columns bounds | grep -q " in 2" && heddle report drawn.db -o drawn.html &&
    grep -q "cycles in draws" drawn.html'
says 1 "heddle sweep run classic/saxpy --board teach8 --uncertainty --over sms=1,2 -o none.db" "no value of board 'teach8' has a range"

# ---- pictures ----
# The points of the picture on a page, as "series x y, ...".
cat >points.lua <<'EOF'
local heddle = require "heddle"
local file <close> = io.open(arg[1])
local d = heddle.parse(file:read "a":match '<script type="application/json">(.-)</script>', arg[1])
local list = {}
for i, p in ipairs(d.points or d.rows) do
    list[i] = ("%s %s %g"):format(p.series, p.x and ("%g"):format(p.x) or p.label, p.y or p.value)
end
print(table.concat(list, ","))
EOF
holds "curves by what varies besides" 'heddle results asked.db --plot sms,wall_seconds --folder drawn >out &&
    test "$(heddle lua points.lua drawn/wall_seconds-over-sms.html)" = \
    "arg.n=1 1 4,arg.n=1 2 5,arg.n=1 4 7,arg.n=1 8 11,arg.n=2 1 10,arg.n=2 2 5,arg.n=2 4 2.5,arg.n=2 8 1.25"'
holds "a curve for each value of a column" 'heddle results asked.db --plot arg.n,wall_seconds,sms --folder drawn >out &&
    heddle lua points.lua drawn/wall_seconds-over-arg.n.html | grep -q "^1 1 4,1 2 10,"'
holds "words are bars" 'heddle results asked.db --plot file,wall_seconds --where "sms = 1 and arg.n = 1" --folder drawn >out &&
    test "$(heddle lua points.lua drawn/wall_seconds-over-file.html)" = "wall-clock time k.hd 4"'
says 2 "heddle results asked.db --plot sms" "expected X,Y or X,Y,SERIES"
says 2 "heddle results asked.db --plot sms,cycels" "there is no column 'cycels'; did you mean 'cycles'?"
says 2 "heddle results asked.db --plot sms,cycles --where 'sms > 8'" "no point has a value of both"
says 2 "heddle results asked.db --plot sms,cycles --sql x" "--plot and --sql do not go together"
says 2 "heddle results asked.db --folder drawn" "--folder is for the files of --plot"
ln -sf ../asked.db drawn/cycles-over-sms.html
says 2 "heddle results asked.db --plot sms,cycles --folder drawn" "drawn/cycles-over-sms.html is the store asked.db"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
