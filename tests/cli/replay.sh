#!/bin/sh
# Is a recorded launch repeated as it was, with right answers? Do the files for viewers follow their formats?
#
#   HEDDLE=build/heddle sh tests/cli/replay.sh
set -u
. "$(dirname "$0")/../lib/cli.sh"

cat >add.hd <<'END'
.kernel add
.param x : u32[n]
.param n : u32
.reg   i, v, at:2
.pred  out
        s2r           i, %tid.x
        ld.param.b32  v, [n]
        setp.ge.u32   out, i, v
@out    exit
        ld.param.b64  at, [x]
        mad.wide.u32  at, i, 4, at
        ld.global.b32 v, [at]
        add.s32       v, v, i
        st.global.b32 [at], v
        exit
END
heddle make x.npy u32[20]:iota >got 2>&1 || bad "make"
RUN="heddle run add.hd -q --board teach8 --block 32 --inout x=@x.npy:y.npy --arg n=20"
shows 0 "$RUN --record all.jsonl" </dev/null
shows 0 "$RUN --record one.jsonl:0..1" </dev/null

# ---- what it answers ----
says 0 "heddle replay all.jsonl" "kernel 'add' on teach8, warps of 8 lanes: "
says 0 "heddle replay one.jsonl --at 100" "long_scoreboard"
says 0 "heddle replay one.jsonl --at 100 --warp 0.2" "active lanes f"
says 0 "heddle replay one.jsonl --at 100 --warp 0.2 --json -" '"active":15,'

# Events of other cycles are those of the whole recording, except for the initial state and their numbers.
heddle replay one.jsonl --span 50..150 --events | grep -E '"kind":"(issue|wait)"' >some
awk -F'[:,]' '/"kind":"(issue|wait)"/ {
    last = match($0, /"until":[0-9]+/) ? substr($0, RSTART + 8, RLENGTH - 8) - 1 : $4
    if ($4 < 150 && last >= 50) print }' all.jsonl >want
if [ -s some ] && cmp -s some want; then ok; else diff some want >got; bad "events of a span"; fi
heddle replay one.jsonl --record again.jsonl >got 2>&1
sed 1d all.jsonl >want
sed 1d again.jsonl | cmp - want >got 2>&1 && ok || bad "a recording of all, made again"

# A step in the registers: v holds x[i] + i after the addition.
end=$(sed -n '/"kind":"end"/s/.*"cycle":\([0-9]*\).*/\1/p' all.jsonl | tail -n 1)
says 1 "heddle replay one.jsonl --at $((end + 1)) --warp 0.0" "warp 0 of block 0 is not on an SM"
last=$(sed -n '/"kind":"issue".*"warp":0,.*"rows":{"r1"/s/.*"cycle":\([0-9]*\).*/\1/p' all.jsonl | tail -n 1)
says 0 "heddle replay one.jsonl --at $last --warp 0.0" "r1 v         00000000 00000001 00000002 00000003"
says 0 "heddle replay one.jsonl --at $((last + 1)) --warp 0.0" "r1 v         00000000 00000002 00000004 00000006"

# ---- what it refuses ----
says 2 "heddle replay none.jsonl" "cannot be read"
says 2 "heddle replay add.hd" "this is not JSON"
echo '{}' >empty.jsonl
says 2 "heddle replay empty.jsonl" "this is not a recording"
sed '1s/"heddle":"[^"]*"/"heddle":"0.0.0"/' all.jsonl >old.jsonl
says 2 "heddle replay old.jsonl" "heddle 0.0.0 has made it"
says 2 "heddle replay /dev/zero" "its first line is longer than"
for word in --help --usage --hel -V -qh --version; do
    sed '1s/"command":\[/&"'$word'",/' all.jsonl >help.jsonl
    says 2 "heddle replay help.jsonl" "this command line asks for help"
done
sed '1s/"n=20"/"n=19"/' all.jsonl >other.jsonl
says 2 "heddle replay other.jsonl" "an argument of its command is not what was recorded"
sed '1s/"--block","32"/"--block","24"/' all.jsonl >other.jsonl
says 2 "heddle replay other.jsonl" "the size of the launch"
sed '1s/"from":0/"from":-1/' all.jsonl >other.jsonl
says 2 "heddle replay other.jsonl" "'cycles' is missing, or is something else"
for span in '"from":7,"to":3' '"from":0,"to":9999999'; do
    sed "1s/\"from\":0,\"to\":[0-9]*/$span/" all.jsonl >other.jsonl
    says 2 "heddle replay other.jsonl" "'to' is missing, or is something else"
done
mkdir elsewhere
says 2 "cd elsewhere && heddle replay ../all.jsonl" "files are looked for from the folder where it was made"
says 2 "heddle replay all.jsonl --at 9999999" "--at 9999999: the launch has"
says 2 "heddle replay all.jsonl --warp 3" "expected BLOCK.WARP"
says 2 "heddle replay all.jsonl --span 3" "expected FROM..TO"
says 2 "heddle replay all.jsonl --span 5..3" "no cycle is in it"
says 2 "heddle replay all.jsonl --span 60..0" "no cycle is in it"
says 2 "heddle replay all.jsonl --span 0..0" "no cycle is in it"
says 2 "heddle run add.hd -q --board teach8 --block 32 --inout x=@x.npy --arg n=20 --record no.jsonl:7..0" "no cycle is"
for span in -1..5 a..b 3..x; do
    says 2 "heddle run add.hd -q --board teach8 --block 32 --inout x=@x.npy --arg n=20 --record no.jsonl:$span" "whole number"
done
says 2 "heddle replay all.jsonl --span 9999999.." "--span from 9999999: the launch has"
says 2 "heddle replay all.jsonl --trace t.json:9999999.." "--trace 9999999: the launch has"
says 2 "heddle replay all.jsonl --warp 0.4" "there is no warp 4 of block 0: the launch has 1 block of 4 warps"
says 2 "heddle replay all.jsonl --warp 1.0 --at 3" "there is no warp 0 of block 1"
says 2 "heddle replay all.jsonl --at 3 --events" "--events is of several"
says 2 "heddle replay all.jsonl --at 3 --trace t.json" "--trace writes other cycles"
says 2 "heddle replay all.jsonl --record all.jsonl" "is read, and is not replaced"
says 2 "heddle replay all.jsonl --record add.hd" "is read, and is not replaced"
heddle make x.npy u32[20]:iota:1 >got 2>&1 || heddle make x.npy "u32[20]:expr:i+1" >got 2>&1
says 2 "heddle replay all.jsonl" "buffer 'x' is not what was recorded"
heddle make x.npy u32[20]:iota >got 2>&1
sed 's/add.s32 /sub.s32 /' add.hd >new.hd
mv add.hd kept.hd && mv new.hd add.hd
says 2 "heddle replay all.jsonl" "the kernel 'add.hd' is not what was recorded"
mv kept.hd add.hd
shows 0 "heddle replay all.jsonl --record all2.jsonl" </dev/null

# ---- Konata: each line by the description of its format ----
cat >kanata.awk <<'END'
BEGIN { FS = "\t" }
function wrong(what) { print "line " NR ": " what ": " $0; exit bad = 1 }
NR == 1 { if ($0 != "Kanata\t0004") wrong("no header"); next }
NR == 2 { if ($1 != "C=" || $2 !~ /^[0-9]+$/) wrong("no first cycle"); next }
$1 == "C" { if (NF != 2 || $2 < 1) wrong("time stands still"); next }
$1 == "I" { if (NF != 4 || $2 != begun++) wrong("not the next instruction"); alive[$2] = 1; next }
!alive[$2] { wrong("no instruction of this number") }
$1 == "L" { if (NF != 4 || $3 !~ /^[01]$/) wrong("no label"); next }
$1 == "S" || $1 == "E" { if (NF != 4 || $3 !~ /^[01]$/) wrong("no stage"); next }
$1 == "R" { if (NF != 4 || $3 != ended++ || $4 !~ /^[01]$/) wrong("no end"); alive[$2] = 0; next }
{ wrong("unknown") }
END { if (!bad && (begun != ended || begun != issues)) { print begun " begun, " ended " ended, " issues " issued"; exit 1 } }
END

# ---- Chrome's trace: spans of a thread that has a name, one after the other, as many as waits and issues ----
cat >trace.lua <<'END'
local heddle = require "heddle"
local file = assert(io.open((...)))
local named, at, spans = {}, {}, 0
for i, e in ipairs(heddle.parse(file:read "a").traceEvents) do
    local thread = e.tid and e.pid << 32 | e.tid
    if e.ph == "M" then
        named[e.name .. " " .. (e.name == "thread_name" and thread or e.pid)] = e.args.name or e.args.labels
    elseif e.ph == "C" then
        assert(named["process_name " .. e.pid] == "GPU" and e.args.value >= 0 and e.name:find "%[.+%]$", i)
    else
        assert(e.ph == "X" and e.name ~= "" and e.dur > 0, i)
        assert(named["thread_name " .. thread] and named["process_name " .. e.pid], i)
        assert(e.ts >= (at[thread] or 0), i)
        at[thread], spans = e.ts + e.dur, spans + 1
    end
end
print(spans)
END
for kernel in classic/saxpy classic/reduce7 classic/histogram classic/divergence; do
    heddle run "$kernel" --board teach32 -q --record k.jsonl --konata k.kanata --trace k.json >got 2>&1 || bad "$kernel"
    awk -v issues="$(grep -c '"kind":"issue"' k.jsonl)" -f kanata.awk k.kanata >got && ok || bad "Konata's log of $kernel"
    heddle lua trace.lua k.json >got 2>&1
    grep -cE '"kind":"(issue|wait)"' k.jsonl | cmp -s - got && ok || bad "the trace of $kernel"
done
# ---- counters: the sum over a track times the window is the launch's counter; in a part, that of its events ----
cat >tracks.lua <<'END'
local heddle = require "heddle"
local function read(file) return heddle.parse(assert(io.open(file)):read "a") end
local trace, run = read((...)), read((select(2, ...)))
local sum, last, window, samples = {}, {}, nil, 0
for _, e in ipairs(trace.traceEvents) do
    if e.ph == "C" then
        sum[e.name] = (sum[e.name] or 0) + e.args.value
        window = window or last[e.name] and e.ts - last[e.name]
        assert(e.ts > (last[e.name] or -1), e.name)
        last[e.name], samples = e.ts, samples + 1
    end
end
assert(samples <= 5 * 1001 and samples > 5 * 10, samples)
local ghz, m = run.board.values.clock_mhz.value / 1000, run.metrics
for name, counted in pairs {
    ["DRAM read [GB/s]"] = m["dram.read_bytes"] * ghz, ["DRAM write [GB/s]"] = m["dram.write_bytes"] * ghz,
    ["L2 [GB/s]"] = (m["l2.read_sectors"] + m["l2.write_sectors"] + m["l2.atomic_sectors"]) * 32 * ghz,
    ["issue [instructions/cycle]"] = m["sm.slots_issued"], ["occupancy [warps]"] = m["sm.warp_cycles"],
} do
    assert(math.abs(sum[name] * window - counted) <= 1e-9 * (1 + counted), name .. " " .. sum[name] * window .. " " .. counted)
    sum[name] = nil
end
assert(next(sum) == nil, next(sum))
print(m["dram.write_bytes"] > 0)
END
for case in "classic/saxpy --board teach8" "classic/reduce7 --board a100" "classic/histogram --board v100 --set l2.bytes=0" \
    "classic/transpose_naive --board teach32 --set l2.bytes=8KiB --set dram.burst_bytes=64"; do
    # shellcheck disable=SC2086
    heddle run $case -q --json t.json --trace k.json >got 2>&1
    heddle lua tracks.lua k.json t.json >written 2>&1 && ok || bad "counters of the trace of $case"
done
holds "one of them writes to DRAM" "grep -qx true written"
heddle run classic/saxpy --board teach8 -q --trace k.json:100..160 --record k.jsonl:100..160 >got 2>&1
holds "a part has its own" '[ "$(heddle lua -e "
    local n, first = 0, nil
    for _, e in ipairs(heddle.parse(io.open(\"k.json\"):read \"a\").traceEvents) do
        if e.name == \"issue [instructions/cycle]\" then n, first = n + e.args.value, first or e.ts end
    end
    print(first, n)" | tr "\t" " ")" = "100 $(grep -c "\"kind\":\"issue\"" k.jsonl).0" ]'

says 2 "heddle run classic/saxpy --konata k" "--konata is for timed launches"

echo "$passed passed, $failed failed"
