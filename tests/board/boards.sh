#!/bin/sh
# Does `heddle board A B` show what differs between boards, and nothing else?
#
#   HEDDLE=build/heddle sh tests/board/boards.sh
set -u
. "$(dirname "$0")/../lib/cli.sh"

heddle board v100 >base.yaml
printf 'base: base.yaml\n' >same.yaml
printf 'base: base.yaml\nsms: 40\nsm:\n  policy: lrr\nl2:\n  latency: 204\n' >other.yaml
shows 0 "heddle board v100 same.yaml" <<'END'
Nothing differs.
END
heddle board v100 other.yaml >table
sed -e '/^  machine/,/^  what else/!d' -e '/^  what else/d' table >keys
holds "three keys of three sections" "[ \"\$(grep -cE '^  (sms|sm.policy|l2.latency) ' keys)\" = 3 ]"
holds "and no other" "[ \"\$(grep -c . keys)\" = 6 ]"
holds "what is left is said" "tail -n 1 table | grep -qxE '  [0-9]+ keys and [0-9]+ peaks are the same: --all shows them' &&
    ! heddle board v100 other.yaml --all | grep -q 'are the same'"
shows 0 "sed -n 1,15p table" <<'END'
  peaks           v100  other  change  unit
  shared_gbs    14,131  7,066  x 0.5   GB/s
  l1_gbs        14,131  7,066  x 0.5   GB/s
  noc_gbs        7,066  3,533  x 0.5   GB/s
  balance_dram    15.7   7.87  x 0.5   FLOP/byte
  balance_l2         5   2.50  x 0.5   FLOP/byte

  machine  v100  other  change  unit
  sms        80     40  x 0.5   SMs

  sm          v100  other  change
  sm.policy  cggty    lrr

  l2          v100  other  change  unit
  l2.latency   102    204  x 2     cycles
END
holds "half the SMs, half of what they do" "grep -qE '^  fp32 +5,120 +2,560 +x 0.5 ' table"

# A base that ships, by its name, from any folder.
mkdir -p own other
printf 'base: v100\n' >own/mine.yaml
printf 'base: v100.yaml\nsms: 40\n' >other/v100.yaml
printf 'base: v10\n' >own/none.yaml
shows 0 "heddle board v100 own/mine.yaml" <<'END'
Nothing differs.
END
says 0 "heddle board own/mine.yaml" "clock_mhz: 1380                    # MHz: clock of the SMs, the network and L2 [v100.yaml:11]"
says 0 "heddle board other/v100.yaml" "sms: 40                            # SMs: streaming multiprocessors [v100.yaml:2]"
says 2 "heddle board own/none.yaml" "none.yaml:1:7: error: there is no board file 'v10' beside this one, and no board of the name ships; did you mean 'v100'?"
says 0 "heddle board own/mine.yaml" "name: mine"
cp own/mine.yaml own/höher.yaml # what is no name leaves that of the base
says 0 "heddle board own/höher.yaml" "name: v100"
printf 'base: turn.yaml\n' >self.yaml
printf 'base: self.yaml\n' >turn.yaml
says 2 "heddle board self.yaml" "self.yaml:1:7: error: turn.yaml:1:7: the board 'self.yaml' builds on itself"
lua="local c = heddle.new() c:board('own/mine.yaml') print(c:board_value('dram.channels'))"
says 0 "heddle lua -e \"local heddle = require 'heddle' $lua\"" 32

# Keys that are a peak report their changes: in files, by --set, in a run, in Lua, as JSON; impossible values are shown.
changed="dram.gbs=1200: dram.clock_mhz 877 -> 1172, 1200.13 GB/s"
printf 'base: v100\ndram:\n  gbs: 1.2 TB/s\n' >gbs.yaml
for board in "gbs.yaml" "v100 --set dram.gbs=1200"; do
    says 0 "heddle board $board" "# $changed"
    says 0 "heddle run classic/saxpy --case 1 --board $board" "  with $changed"
    holds "as JSON" "heddle board $board --json - | tr -d '\n' | grep -q '\"scaled\": \[ *\"$changed\"'"
done
shows 0 "heddle board v100 gbs.yaml --csv | grep '\.clock_mhz\|dram_gbs'" <<'END'
peaks,dram_gbs,GB/s,898.048,1200.128
machine,dram.clock_mhz,MHz,877,1172
END
says 0 "heddle run classic/saxpy --case 1 --board v100 --set sms=4 --set noc.gbs=0.5x" "noc.reply_bytes 64 -> 32"
shows 2 "heddle board v100 --set dram.clock_mhz=900 --set sms=4 --set dram.gbs=1200 2>&1" <<'END'
--set: error: dram.gbs sets dram.clock_mhz, and both are given: leave one of them out
    --set dram.gbs=1200
                   ^~~~
END
holds "each of several messages names the option" \
    "[ \$(heddle board v100 --set l2.slices=7 2>&1 | grep -c '^--set: error: l2\.') = 2 ]"
lua="local c = heddle.new() c:board('v100', {dram = {gbs = '1.2TB/s'}}) for _, r in ipairs(c:derived()) do print(r.scaled) end"
says 0 "heddle lua -e \"local heddle = require 'heddle' $lua\"" "$changed"
says 0 "heddle board --keys" "dram.gbs                   bandwidth of all channels together; scales dram.clock_mhz"
says 0 "heddle completion --words keys" "l2.gbs="

# A key that is none: those with its words, or what they mean.
meant() { says 2 "heddle board v100 --set $1" "unknown key '${1%%=*}'; did you mean $2"; }
meant bandwidth=900 "'l1.gbs', 'noc.gbs', 'l2.gbs' or 'dram.gbs'?"
meant dram.bandwidth=1TB/s "'dram.gbs'?"
meant channels=8 "'dram.channels'?"
meant l2_size=4M "'l2.bytes'?"
says 2 "heddle sweep run classic/saxpy --over l2_size=1M,2M -o none.db" "--over: error: unknown key 'l2_size'; did you mean 'l2.bytes'?"
says 2 "heddle run classic/saxpy --case 1 --board v100 --metrics total_energy" "did you mean 'energy.total'?"

# Every key once with --all, each of its own section, whatever the order of the rows.
heddle board v100 a100 other.yaml --all --csv >all.csv
holds "a column for each board" "head -n 1 all.csv | grep -qx section,name,unit,v100,a100,other"
heddle board --json - | sed -n '/^  "values"/,/^  }/s/^    "\(.*\)": {$/\1/p' | sort >keys
holds "every key" "sed -e 1d -e '/^peaks/d' all.csv | cut -d, -f2 | sort | cmp - keys"
holds "a section is one run of rows" "[ -z \"\$(cut -d, -f1 all.csv | uniq | sort | uniq -d)\" ]"
says 0 "heddle board v100 a100 --csv" "l2,l2.bytes,bytes,6291456,41943040"
says 0 "heddle board v100 a100 --markdown" "| l2.bytes | 6,291,456 | 41,943,040 | x 6.67 | bytes |"
says 0 "heddle board v100 a100 --json -" '"format": "heddle-boards-1"'
holds "JSON has what differs" "! heddle board v100 other.yaml --json - | grep -q clock_mhz"
holds "--all has the rest" "heddle board v100 other.yaml --json - --all | grep -q clock_mhz"

holds "SMs and clocks stand first" "[ \"\$(heddle board v100 a100 | sed -n '/^  machine/,/^\$/p' | awk '{print \$1}' | head -n 4 | tr '\n' ' ')\" = 'machine sms clock_mhz dram.clock_mhz ' ]"
holds "in a comparison of runs peaks, SMs and clocks" "[ \"\$(heddle run classic/saxpy --case 1 --board v100,a100 | sed -n '/^  board /,/^\$/p' | awk 'NR > 1 {print \$1}' | head -n 7 | tr '\n' ' ')\" = 'l1.gbs noc.gbs l2.gbs dram.gbs sms clock_mhz dram.clock_mhz ' ]"
holds "into files, beside the text" "heddle board v100 a100 --csv=b.csv --markdown=b.md | grep -q '^  machine ' &&
    grep -q '^l2,l2.bytes' b.csv && grep -q '^| l2 ' b.md"
says 2 "heddle board v100 other.yaml --csv=other.yaml" "is read, and is not replaced"

# --set is for all of them, and stands above.
says 0 "heddle board v100 a100 --set sms=40 --set clock_mhz=1.4GHz" "  with sms=40, clock_mhz=1400"
holds "what --set made equal" "! heddle board v100 a100 --set sms=40 | grep -q '^  sms '"
says 2 "heddle board v100 a100 --set dram.channels=40" "l2.slices (64) must be a multiple"

says 2 "heddle board v100 v10" "there is no board 'v10'; did you mean 'v100'?"
says 2 "heddle board v100 a100 --keys" "one board at a time"
says 2 "heddle board v100 --csv" "--csv compares boards: name two or more"
says 2 "heddle board --all" "--all compares boards"
says 2 "heddle board v100 v100 v100 v100 v100 v100 v100 v100 v100" "at most 8 boards are compared"
says 2 "heddle board v100 other.yaml --json other.yaml" "is read, and is not replaced"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
