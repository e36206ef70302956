#!/bin/sh
# Does `heddle run --beside` run launches at one time, with their own data, and report what each loses?
#
#   HEDDLE=build/heddle sh tests/cli/run_beside.sh
set -u
. "$(dirname "$0")/../lib/cli.sh"
widest=100

data="--grid 64 --block 256 --in x=iota --arg n=16384"
other="classic/saxpy $data --inout y=ones:z.npy --arg a=3"
plain="classic/saxpy $data --inout y=ones --arg a=3"

# ---- every launch has its own data ----
says 0 "heddle run classic/saxpy $data --inout y=ones:y.npy --arg a=2 --board v100 --print y[3] --beside '$other' --json b.json" \
    "2 launches at one time on v100"
says 0 "heddle run classic/saxpy $data --inout y=ones:y1.npy --arg a=2 --board v100" "saxpy on v100"
says 0 "heddle run $(echo "$other" | sed s/z.npy/z1.npy/) --board v100" "saxpy on v100"
holds "the same bytes as alone" "cmp y.npy y1.npy && cmp z.npy z1.npy"
holds "bytes that differ" "! cmp -s y.npy z.npy"
holds "its format" "grep -q '\"format\": \"heddle-beside-1\"' b.json"
holds "what each loses" "test \$(grep -c '\"slowdown\": 1' b.json) -eq 2"

# ---- a higher priority starts first ----
says 0 "heddle run $plain --board teach8 --beside '$plain --priority 3' --json p.json" "priority"
holds "who began" "test \"\$(grep -o '\"first_block\": 0,' p.json | wc -l)\" -eq 1"

# ---- threads of the host change nothing ----
heddle run $plain --board v100 --threads 3 --beside "$plain" --json t.json -q
heddle run $plain --board v100 --beside "$plain" --json s.json -q
holds "the same with three threads" "cmp s.json t.json"

# ---- mistakes ----
says 2 "heddle run $plain --beside '$plain'" "--beside is for timed launches"
says 2 "heddle run $plain --board v100 --section dram --beside '$plain'" "--section has no place with --beside"
says 2 "heddle run $plain --board v100 --beside '$plain --board a100'" "--board, --set has no place in --beside"
says 2 "heddle run $plain --board v100 --beside 'classic/saxpy --grid 1'" "is not given"
says 2 "heddle run $plain --board v100 --beside \"classic/saxpy --in 'x\"" "a quote without its end"
says 2 "heddle run $plain --board v100 --priority 3" "give the others with --beside"
says 2 "heddle debug $plain --board teach8 --beside '$plain'" "--beside is for 'heddle run'"
says 2 "heddle sweep run $plain --board teach8 --over arg.n=1,2 --beside '$plain' -o no.db" "--beside is of one run"
says 2 "heddle run $plain --board v100 --priority 2000 --beside '$plain'" "at most 1,000"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
