#!/bin/sh
# Do doc, lua, study, board, help and completion print what they promise?
set -u
. "$(dirname "$0")/../lib/cli.sh"
columns=110

. "$tests/lib/saxpy.sh"

# ---- doc, lua, study, board, help, completion ----
says 0 "heddle doc isa shfl.bfly.b32" "shfl.bfly.b32"
says 0 "heddle doc isa" "fma.f32"
says 0 "heddle doc isa --markdown" "#"
says 2 "heddle doc isa shlf" "did you mean"
says 1 "heddle doc iso" "did you mean 'isa'"
says 0 "heddle doc faults" "out_of_bounds"
shows 0 "heddle lua -e 'print(#arg, ...)' one two" <<'END'
2 one two
END
shows 0 "heddle lua -e 'print(\"heddle \" .. heddle.version)'" <<END
$(heddle --version)
END
shows 0 "echo 'print(heddle == require \"heddle\")' | heddle lua" <<'END'
true
END
shows 0 "echo 'print(...)' | heddle lua - --help -x" <<'END'
--help -x
END
says 1 "heddle lua -e 'error(\"wrong\")'" wrong
says 2 "heddle lua none.lua" none.lua
says 0 "heddle study" "reorder "
says 2 "heddle study reorde" "did you mean 'reorder'?"
says 0 "heddle board" "a100 "
says 0 "heddle board a100 --set sms=7" "sms: 7"
says 0 "heddle board --keys" "warp_width"
says 0 "heddle board --keys" "cggty     greedy, then youngest"
says 0 "heddle board v100" "#   dram_gbs                    898.0 GB/s"
says 0 "heddle board v100 --set l1.sectors=64" "# warning: L1 can have 64 sectors in flight"
says 0 "heddle board --set energy.l1='5 measured'" "  l1: 5 measured"
heddle board a100 --set power.sm_w=0.125 >printed.yaml
heddle board printed.yaml | sed 's/ *\[[^]]*\]$//' >again
sed 's/ *\[[^]]*\]$//' printed.yaml >before
holds "a printed board is a board, the same" 'cmp before again'
# ---- board new, diff, peaks, check, devices ----
says 0 "heddle board new fast --like a100 --device hbm3-6.4 --stacks 4" "fast.yaml: heddle run KERNEL --board ./fast.yaml"
says 2 "heddle board new fast --like a100" "fast.yaml: error: it is there already, and is not replaced"
shows 0 "cat fast.yaml" <<'END'
# fast, like a100 with the memory hbm3-6.4
name: fast
base: a100
dram:
  device: hbm3-6.4
  stacks: 4
l2:
  slices: 64                     # derived: a multiple of 64 channels; a100 has 80
END
says 0 "heddle board fast.yaml" "channels: 64                     # channels: channels, each with its share of the L2 slices [4 stacks of hbm3-6.4]"
says 0 "heddle board fast.yaml" "rcd: 31                          # cycles: activate to read"
says 0 "heddle board h100" "; hbm3-5.2 has 1300]"
says 0 "heddle board check fast.yaml" "fast: as hbm3-6.4"
says 1 "heddle board check a100" "a100: dram.gbs is 1555.2; the pins of 5 stacks of hbm2-2.4 at 2.4 Gb/s have 1536"
says 1 "heddle board check fast.yaml --set dram.rcd=20" "fast: dram.rcd is 12.5 ns (20 cycles, --set); hbm3-6.4 has 19.38 ns, estimate: dram.rcd=31"
says 0 "heddle board check teach8" "teach8: names no memory device"
says 0 "heddle board peaks a100 fast.yaml" "hbm3-6.4"
says 0 "heddle board peaks a100 fast.yaml --csv" "fast,hbm3-6.4,4,64,3276.8,"
says 0 "heddle board peaks a100 --json -" '"format": "heddle-board-peaks-1"'
says 0 "heddle board diff a100 fast.yaml" "dram.clock_mhz  1,215  1,600"
says 0 "heddle board devices" "gddr7-28.0      GDDR7 at 28.0 Gb/s: a chip of 4 channels of 8 bits, 2 GiB"
says 0 "heddle board devices hbm3-6.4" "rcd_read: 31 estimate Ramulator"
says 2 "heddle board devices hbm9" "there is no memory device 'hbm9'"
says 2 "heddle board new" "which name?"
says 2 "heddle board new a b" "one board is written at a time"
says 2 "heddle board new ../x --like a100" "'../x' is no name of a board"
says 2 "heddle board new x" "which board is it like?"
says 2 "heddle board new x --like a100 --device hbm9" "there is no memory device 'hbm9'"
says 2 "heddle board new x --like a100 --stacks -3" "must be a whole number (parts, 0 to 64)"
says 2 "heddle board new x --like teach8 --device gddr6-14.0" "teach8 has no number of stacks: --stacks 4"
says 2 "heddle board new x --like a10" "did you mean 'a100'?"
says 2 "heddle board diff a100" "two boards or more are compared"
says 2 "heddle board peaks" "which board? heddle board peaks a100"
says 2 "heddle board a100 --like v100" "--like is for a new board"
says 2 "heddle board check a100 --csv" "--csv is no option of 'heddle board check'"
holds "no board is left where one is refused" '! test -e x.yaml'
says 0 "heddle board v100 --json -" '"board": "v100"'
says 0 "heddle board v100 --set dram.read_queue=1 --json b.json" "name: v100"
tr -d ' \n' <b.json >flat.json
holds "a value as JSON" 'grep -q "\"sms\":{\"value\":80,\"unit\":\"SMs\",\"origin\":\"v100.yaml:" flat.json'
holds "a choice as JSON" 'grep -q "\"sm.policy\":{\"value\":\"cggty\"" flat.json'
holds "an energy as JSON" 'grep -q "\"energy.l1\":{\"value\":204.0,\"unit\":\"pJ\",\"basis\":\"derived\"" flat.json'
holds "a peak as JSON" 'grep -q "\"dram_gbs\":{\"value\":898.048" flat.json'
holds "a warning as JSON" 'grep -q "\"warnings\":\[\"dram.read_queue(1)burststake1cycles" flat.json'
says 2 "heddle board printed.yaml --json printed.yaml" "is read, and is not replaced"
says 2 "heddle board v100 --set l2.slices=7" "--set: error: l2.slices (7) must be a multiple of dram.channels (32)"
shows 2 "heddle board v100 --set dram.channels=24" <<'END'
--set: error: l2.slices (64) must be a multiple of dram.channels (24): each channel has its own slices; l2.sli
ces=48 with l2.bytes=6193152 or 72 with l2.bytes=6193152, dram.channels=16 or 32 would do
END
for values in "dram.channels=16" "dram.channels=24 --set l2.slices=72 --set l2.bytes=6193152" \
    "dram.channels=24 --set l2.slices=48 --set l2.bytes=6193152"; do
    says 0 "heddle board v100 --set $values" "name: v100"
done
says 2 "heddle board v100 --set l2.ways=7" "l2.bytes=6250496 or 6307840, l2.ways=6 or 8 would do"
# Units.
says 0 "heddle board v100 --set l2.bytes=12MiB" "bytes: 12582912 "
says 0 "heddle board v100 --set 'max_shared_per_block=48 K'" "max_shared_per_block: 49152 "
says 0 "heddle board v100 --set clock_mhz=1.4GHz" "clock_mhz: 1400 "
says 2 "heddle board v100 --set clock=1.4GHz" "unknown key 'clock'; did you mean 'clock_mhz'?"
says 0 "heddle board v100 --set clock_mhz=1410000kHz" "clock_mhz: 1410 "
says 0 "heddle board v100 --set energy.l1='0.2nJ measured'" "l1: 200 measured"
printf 'l2:\n  bytes: 2 MiB\n' >units.yaml
says 0 "heddle board units.yaml" "bytes: 2097152 "
for value in l2.bytes=12MB l2.bytes=MiB l2.bytes=0.3KiB clock_mhz=1.40005GHz clock_mhz=1GiB l2.bytes=1.2.3MiB; do
    says 2 "heddle board v100 --set $value" "must be a whole number such as"
done
says 2 "heddle board v100 --set l2.bytes=5GiB" "l2.bytes is 5368709120; it must be 0 to 1073741824 bytes"
says 2 "heddle board v100 --set sms=4K" "sms must be a whole number (SMs, 1 to 4096), not '4K'"
says 0 "heddle board v100 --set l2.slices=40 --set dram.channels=40 --set l2.bytes=0" "channels: 40"
says 2 "heddle board v100 --set sm.policy=gta" "did you mean 'gto'?"
says 2 "heddle board v100 --set base=a100" "--set: error: 'base' can only be set in a file"
says 2 "heddle board v100 --set power.sm_w=inf" "power.sm_w must be a number (W, 0 to 1000), not 'inf'"
says 2 "$ONE --set max_threads_per_block=16 --arg n=4" "takes at most 16"
printf '.kernel k\n        exit\n' >k.hd
for clock in "" --functional; do
    says 0 "heddle run k.hd --board v100 --grid 1,65535 $clock" "k"
    shows 2 "heddle run k.hd --board v100 --grid 1,65536 $clock" <<'END'
k.hd: error: kernel 'k': a grid of 1x65536x1 blocks; board 'v100' takes at most 65,535 in y (max_grid_y)
END
    shows 2 "heddle run k.hd --board v100 --block 1,1,128 $clock" <<'END'
k.hd: error: kernel 'k': a block of 1x1x128 threads; board 'v100' takes at most 64 in z (max_block_z)
END
done
says 0 "heddle run k.hd --board v100 --block 1,1,128 --set max_block_z=128" "k on v100"
says 0 "heddle run k.hd --grid 1,65536" "in 65,536 blocks"
shows 2 "heddle run k.hd --board teach8 --block 512" <<'END'
k.hd: error: kernel 'k': a block of 512 threads; board 'teach8' takes at most 256
  boards that take it: a100, b200, br100, h100, h200, mi210, rtx4090, rtx5090, template, v100
END
says 2 "$ONE --set sm.registers=64 --set sm.register_unit=64 --arg n=4" "an SM of board 'default' has 64"
says 0 "heddle --help" "run a kernel and say what it did"
says 2 "heddle" "Kernels:"
shows 0 "heddle --version" <<'END'
heddle 0.1.0
END
for command in run asm dis lint study voxelize lua board doc completion help; do
    says 0 "heddle $command --help" "Usage: heddle $command"
    says 0 "heddle $command -h" "Usage: heddle $command"
    says 0 "heddle help $command" "Usage: heddle $command"
    says 2 "heddle $command --no-such-option" "unknown option '--no-such-option'"
done
says 2 "heddle help rnu" "did you mean 'run'?"
says 0 "heddle completion zsh" "#compdef heddle"
says 0 "heddle completion fish" "complete -c heddle"
says 2 "heddle completion tcsh" "expected bash, zsh or fish"
says 2 "heddle completion bash zsh" "one shell at a time"
complete() { # complete 'WORDS SO FAR' prints what bash offers
    bash -c 'eval "$(heddle completion bash)"; COMP_WORDS=('"$1"'); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _heddle
        echo "${COMPREPLY[@]}"'
}
offers() { # offers 'WORDS SO FAR' 'WHAT BASH OFFERS'
    complete "$1" >got 2>&1
    if [ "$(cat got)" = "$2" ]; then ok; else bad "completion of: $1"; fi
}
if command -v bash >/dev/null; then
    mkdir folder
    : >picked.npy
    offers "heddle s" "sweep study show schema"
    offers "heddle run --warp ''" "8 16 32 64"
    offers "heddle run --in" "--in --inout"
    offers "heddle run classic/saxpy --inout ''" "x= y="
    offers "heddle run classic/saxpy --arg ''" "a= n="
    offers "heddle run classic/saxpy --print y" y
    offers "heddle run classic/saxpy --in x = pic" picked.npy
    offers "heddle run --grid ''" ""
    offers "heddle run --in x = pic" picked.npy
    offers "heddle run --board v" v100
    offers "heddle run --board v100,a" v100,a100
    offers "heddle run --metrics sol.dr" sol.dram
    offers "heddle run --metrics cycles,sol.dr" cycles,sol.dram
    offers "heddle run --csv = pic" picked.npy
    offers "heddle run --set l2.by" "l2.bytes= l2.bytes_per_cycle="
    offers "heddle run --set dram.g" dram.gbs=
    offers "heddle sweep run classic/saxpy --over dram.g" dram.gbs=
    offers "heddle sweep run classic/saxpy --over l2.by" "l2.bytes= l2.bytes_per_cycle="
    offers "heddle sweep run classic/saxpy --with gri" grid=
    offers "heddle results x.db --columns cycles,rate.dr" "cycles,rate.dram_bytes cycles,rate.dram"
    offers "heddle results x.db --columns l2.g" l2.gbs
    offers "heddle results x.db --knee dram.cha" dram.channels
    offers "heddle run classic/transpose_n" classic/transpose_naive
    offers "heddle test classic/sa" classic/saxpy
    offers "heddle run classic/scan --case ''" "1 2 3 big"
    offers "heddle run none --case ''" ""
    offers "heddle doc shfl.i" "shfl.idx.b32 shfl.idx.clamp.b32"
    offers "heddle doc noc.lat" noc.latency
    offers "heddle help vo" voxelize
    offers "heddle study re" reorder
    offers "heddle study pic" picked.npy
    offers "heddle study --o" --options
    offers "heddle study mask --ma" "--mask --masked-row --markdown"
    offers "heddle study mask --result b" bfloat16
    offers "heddle study mask --method = softmax-words-" softmax-words-skip
    offers "heddle study spconv --pad =" "same valid"
    offers "heddle study mask --fill -" -inf
    offers "heddle study mask --board ''" "all $(heddle board | awk '{print $1}' | xargs)"
    offers "heddle study reorder --brief --board ''" "all $(heddle board | awk '{print $1}' | xargs)"
    offers "heddle study mask --mask pic" picked.npy
    offers "heddle study mask --plot pic" picked.npy
    offers "heddle study mask --length ''" ""
    offers "heddle study spconv --layout ''" "nchw nhwc"
    offers "heddle study spconv --dtype =" "fp32 fp16"
    offers "heddle study spconv --board a100,v" a100,v100
    offers "heddle study calibrate --group Rates" "Rates of an SM"
    offers "heddle study no-such-study --" ""
    offers "heddle study ./no-such.lua pic" picked.npy
    offers "heddle voxelize --channels occupancy,inten" occupancy,intensity
    offers "heddle voxelize str" street
    offers "heddle voxelize pic" picked.npy
    for study in $(heddle study | awk '{print $1}'); do
        offers "heddle study $study --" \
            "$(heddle study "$study" --help | sed -n 's/^  \(--[a-z0-9-]*\) .*/\1/p' | xargs)"
    done
fi
for shell in bash zsh fish; do # what they understand is tried where they are
    heddle completion $shell >script
    command -v $shell >/dev/null && says 0 "$shell -n script && echo fine" fine
done
if command -v fish >/dev/null; then
    fish --no-config -c 'heddle completion fish | source; complete -C "heddle study rfft --fr"' >offer 2>&1
    holds "fish completes options of studies" 'grep -q "^--frame" offer'
    fish --no-config -c 'heddle completion fish | source; complete -C "heddle sweep --over dram.g"' >offer 2>&1
    holds "fish completes axes of sweeps" 'grep -q "^dram.gbs=" offer'
fi
cat >watched.lua <<'END'
io.open("was-run", "w"):close()
END
says 2 "heddle study --options ./watched.lua" "expected the name of a study that 'heddle study' lists"
holds "no script of the user's is run for its options" '! test -e was-run'
says 2 "heddle study --options reorde" "did you mean 'reorder'?"
says 0 "heddle study --options spconv" "$(printf -- '--layout\tL\tnchw|nhwc\t')"
says 0 "heddle help study rfft" "Usage: heddle study rfft"
says 0 "heddle help study" "  reorder "

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
