#!/bin/sh
# Does `heddle memory replay` put a foreign trace through a board's memory, and name the place of a wrong line?
set -u
. "$(dirname "$0")/../lib/cli.sh"

awk 'BEGIN { for (i = 0; i < 20000; i++) printf "LD 0x%x\n", 32 * i }' >stream.txt
awk 'BEGIN { for (i = 0; i < 2000; i++) printf "0x%x %s %d\n", 32 * (i * 7919 % 65536), i % 3 ? "READ" : "WRITE", 2 * i }' >open.txt
printf '# places\nR 0,1,2,3,4\n\nW 31,3,3,17,31 # the last channel\n' >places.txt

# ---- results ----
says 0 "heddle memory replay stream.txt" "stream.txt on v100, 32 channels: closed loop"
says 0 "heddle memory replay stream.txt" "of 898 GB/s"
says 0 "heddle memory replay open.txt --open" "1,333 reads, 667 writes"
says 0 "heddle memory replay stream.txt --device hbm3-6.4" "stream.txt on hbm3-6.4, 32 channels"
says 0 "heddle memory replay stream.txt --device gddr7-28.0 --channels 2" "gddr7-28.0, 2 channels"
says 0 "heddle memory replay stream.txt --set dram.page=closed --board a100" "row hits"
says 0 "cat stream.txt | heddle memory replay -" "20,000: 20,000 reads"
holds "parts add up" "heddle memory replay open.txt --open --json r.json >/dev/null &&
    heddle lua -e 'local heddle = require \"heddle\"; local f = io.open(\"r.json\"); local m = heddle.parse(f:read \"a\").result; local sum, all = 0, 0
        for _, p in pairs(m.parts) do sum = sum + p.cycles end
        for _, c in ipairs(m.channels) do all = all + c.bus_cycles end
        os.exit(sum == all and all == m.cycles * #m.channels)'"

# ---- commands ----
says 0 "heddle memory replay places.txt --commands -" "clock,command,channel,bankgroup,bank,row,column,type,source"
says 0 "heddle memory replay places.txt --commands -" "RD,0,1,2,3,4,read,0"
says 0 "heddle memory replay places.txt --commands -" "WR,31,3,3,17,31,write,0"
says 0 "heddle memory replay stream.txt --commands c.csv >/dev/null && grep -c ,RD, c.csv" "20000"
says 0 "heddle memory replay stream.txt --set dram.refresh=all_bank --set dram.rfc=100 --set dram.refi=400 --commands - | grep -m 1 REFab" ",REFab,0,-1,-1,-1,-1,none,-1"

# ---- the traffic of a kernel ----
RUN="heddle run classic/saxpy --board v100 -q"
says 0 "$RUN --dram-trace - | head -n 1" "clock,command,channel,bankgroup,bank,row,column,type,source"
says 0 "$RUN --request-trace - | head -n 1" "READ"
for form in dramsim3 ramulator ramulator-rw; do
    says 0 "$RUN --request-trace $form.txt --request-format $form && heddle memory replay $form.txt" "row hits"
done
holds "requests are as many as columns" "$RUN --dram-trace c.csv --request-trace q.txt &&
    [ \$(grep -cE ',(RD|WR),' c.csv) = \$(wc -l <q.txt) ]"
holds "a replay of the places gives the same columns" "heddle memory replay ramulator-rw.txt --commands d.csv >/dev/null &&
    for f in c.csv d.csv; do grep -E ',(RD|WR),' \$f | cut -d, -f2-8 | sort >\$f.columns; done; cmp c.csv.columns d.csv.columns"
says 2 "heddle run classic/saxpy --dram-trace c.csv" "--dram-trace is for timed launches"
says 2 "$RUN --request-trace q.txt --request-format csv" "'csv' is no trace"
says 2 "$RUN --repeat 2 --dram-trace c.csv" "--dram-trace is of one launch, and --repeat makes several"

# ---- links ----
says 0 "heddle board links" "nvlink-c2c"
says 0 "heddle board links --csv" "pcie5,63.015,standard"
says 2 "heddle board links pcie5" "lists all of them"
says 0 "heddle run classic/saxpy --case 1 --board v100 --link pcie3" "copies by pcie3: 2,000 bytes to the board in"
says 0 "heddle run classic/saxpy --case 1 --link pcie3 --repeat 2" "2,000 bytes to the board in 5.14 us, 1,000 back in"
says 2 "heddle run classic/saxpy --link pcie9" "--link: there is no link 'pcie9'; there are pcie3,"

# ---- what is refused ----
says 2 "printf 'LD 0x10\nLD ten\n' | heddle memory replay -" "<stdin>:2:4: error: expected LD ADDRESS or ST ADDRESS"
says 2 "printf 'R 0,9,0,1,1\n' | heddle memory replay -" "<stdin>:1:5: error: bankgroup 9: this memory has 4"
says 2 "printf 'R 0,1,0,1\n' | heddle memory replay -" "expected R or W, and channel,bankgroup,bank,row,column"
says 2 "printf '0x10 READ 5\n0x20 READ 3\n' | heddle memory replay - --open" "<stdin>:2:1: error: its cycle is before"
says 2 "heddle memory replay stream.txt --open" "stream.txt:1:1: error: requests of this format have no cycles"
says 2 "printf 'read 5\n' | heddle memory replay -" "<stdin>:1:1: error: expected"
says 2 "printf 'hello\n' | heddle memory replay -" "expected a request: LD ADDRESS"
says 2 "heddle memory replay stream.txt --format csv" "there are ramulator, ramulator-rw, dramsim3"
says 2 "heddle memory replay stream.txt --channels 0" "--channels: expected a number from 1 to 4096"
says 2 "heddle memory replay stream.txt --device hbm3-6.4 --board a100" "--board has a memory of its own"
says 2 "heddle memory replay stream.txt --device hbm9" "--device: there is no memory device 'hbm9'"
says 2 "heddle memory" "which trace? heddle memory replay TRACE"
says 2 "printf '# nothing\n' | heddle memory replay - --json e.json; [ ! -e e.json ] && exit 2" "<stdin>: error: no request; expected lines such as"
says 2 "heddle memory replay no.txt" "no.txt: error: cannot be read"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
