#!/bin/sh
# Does `heddle doc` find every word that heddle explains, print its meaning, and admit that it knows none?
#
#   HEDDLE=build/heddle sh tests/cli/doc.sh
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/../lib/cli.sh"

# ---- a word of each kind ----
entry() { # entry WORD KIND TEXT: an entry of that name and kind, with the text
    heddle doc $1 >got 2>&1 </dev/null
    status=$?
    if [ $status -eq 0 ] && sed -n "/($2)\$/,/^\$/p" got | grep -qF -e "$3"; then ok; else bad "heddle doc $1: $2 '$3'"; fi
}
entry .repeat directive ".repeat COUNT, NAME"
entry expect expectation ";! expect NAME = EXPRESSION"
entry l2.hit_rate metric "%, = 100 * (l2.hits + l2.pending_hits)"
entry l1.sectors counter sectors
entry long_scoreboard "stall reason" "global or local memory"
entry l2.slices "board key" slices
entry dram_gbs "peak of a board" GB/s
entry out_of_bounds fault "outside every allocation"
entry local_memory "rule of advice" "in registers"
entry race checker "of --check all"
entry read-write finding "found by the checker race"
entry diff command "heddle diff --help"
entry fail-if "option of diff" CONDITION
entry color "option of every command" "auto|always|never"
entry traffic "section of run" "heddle run --section traffic"
entry mask study "heddle study mask"
entry v100 board "heddle board v100"
entry saxpy kernel "heddle run classic/saxpy"
entry context:launch "Lua function" "context:launch(program, options) -> result"
entry launch "Lua function" "Runs a kernel"
entry seconds "field of heddle_result" "board's clock"
entry occupancy word "resident warps"
entry sections page "section of docs/report.md"
says 0 "heddle doc shfl.bfly.b32" "opcode"
says 0 "heddle doc shfl" "shfl.idx.b32"
says 0 "heddle doc %tid.x" "thread index in the block, x"

# ---- however it is written ----
for word in "bank conflict" "bank conflicts" "Bank-Conflict" bank_conflict; do
    says 0 "heddle doc $word" "passes of a shared access beyond"
done
says 0 "heddle doc wavefront" "CUDA: wavefront)"
holds "words in any order" "[ \"\$(heddle doc hit l2 | sed '/^docs/,\$d')\" = \"\$(heddle doc l2 hit | sed '/^docs/,\$d')\" ]"
says 0 "heddle doc l2 hit" "  l2.hit_rate "
holds "words, not parts of them" "! heddle doc it l2 2>&1 | grep -q '^  l2.hit_rate'"
holds "the name before the text" "heddle doc scoreboard | sed -n '/^  name/,\$p' | sed -n 2p | grep -q stall.short_scoreboard"
says 0 "heddle doc lua launch" "context:launch"
says 0 "heddle doc cycles of" "more: a further word narrows it"
says 0 "heddle doc hit --markdown" "| l2.hits | counter |"

# ---- words of CUDA, OpenCL, PTX and the profilers ----
entry threadIdx CUDA "%tid.x"
entry threadIdx.x CUDA "%tid.x"
entry THREADIDX.X CUDA "%tid.x"
entry atomicAdd CUDA "atom.add.u32"
entry atomicAdd_system CUDA "atom.add.u32"
entry __shfl_xor_sync CUDA "shfl.bfly.b32"
entry __syncthreads CUDA "bar.sync 0"
entry syncthreads CUDA "bar.sync 0"
entry half2 CUDA "add.f16x2"
entry __hfma2 CUDA "fma.f16x2"
entry ncu Nsight "heddle run --board a100"
entry HBM CUDA "dram.channels"
entry cp.async CUDA "not there; nearest is ld.global.b128"
entry cp.async.cg.shared.global.L2::128B CUDA "not there; nearest is"
entry cp.async.bulk.tensor.3d CUDA "not there; nearest is"
entry ldmatrix.sync.aligned.m8n8.x4.shared.b16 CUDA "not there; nearest is ld.shared.b32"
entry wgmma CUDA "not there; nearest is mma.m16n8k16.f32.f16"
entry cg CUDA "not there; nearest are bar.sync"
entry cooperative_groups::this_grid CUDA "not there; nearest are bar.sync"
entry __dp4a CUDA dp4a.s32.s32
entry warpSize CUDA "%warpsize (8, 16, 32 or 64: you choose)"
entry __ldg CUDA ld.global.b32
entry __threadfence CUDA fence.gpu
entry cudaMemcpy CUDA "named buffers"
entry cudaMemcpyAsync CUDA "named buffers"
entry coalescing CUDA l1.sectors_per_request
entry coalescing "word of Nsight or CUDA" "in heddle coalesce: serve the lanes"
entry wavefront "word of Nsight or CUDA" "in heddle pass: one cycle"
entry dram__bytes_read.sum Nsight dram.read_bytes
entry dram__bytes_read.sum.per_second Nsight dram.read_bytes
entry dram__bytes.sum Nsight rate.dram
entry sm__warps_active.avg.pct_of_peak_sustained_active Nsight occupancy.achieved
entry smsp__pcsamp_warps_issue_stalled_long_scoreboard Nsight stall_share.long_scoreboard
entry sm__no_such_metric.avg Nsight "heddle doc counters"
entry cudaNoSuchFunction CUDA "other functions of the host"
entry "Stall Long Scoreboard" Nsight stall.long_scoreboard
entry get_global_id OpenCL "%ctaid.x times %ntid.x plus %tid.x"
entry barrier OpenCL "bar.sync 0"
entry CLK_LOCAL_MEM_FENCE OpenCL fence.block
entry workgroup OpenCL block
entry GDDR6X CUDA dram.channels
entry dim3 CUDA "--grid G --block B"
entry uint64_t CUDA "v:2"
entry "unsigned int" CUDA "a register of 32 bits"
entry __fmul_rd CUDA ".rn, .rz, .rm or .rp"
entry std::memory_order_release CUDA .release
entry stall_long_sb Nsight stall.long_scoreboard
entry "shared memory" CUDA .shared
entry "warp scheduler" CUDA sm.sub_cores
entry "prefix sum" CUDA classic/scan
entry ld.global.v4.f32 PTX ld.global.b128
entry shfl.sync.bfly.b32 PTX shfl.bfly.b32
entry mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 PTX mma.m16n8k16.f32.bf16
says 0 "heddle doc brev.x17" "'brev.x17' is not there; 'brev' is:"
says 1 "heddle doc smth" "nothing is called 'smth'"
holds "two words are not the ending of one" "! heddle doc shfl qwertz"
says 0 "heddle doc wgmma --markdown" "wgmma (CUDA)"
# Opcodes of PTX's manual (its chapters of instructions), bare and in a form with a type.
for opcode in abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk bra brev brkpt brx call \
    clusterlaunchcontrol clz cnot copysign cos cp createpolicy cvt cvta discard div dp2a dp4a elect ex2 exit fence fma fns \
    getctarank griddepcontrol isspacep istypep ld ldmatrix ldu lg2 lop3 mad mad24 madc mapa match max mbarrier membar min \
    mma mov movmatrix mul mul24 multimem nanosleep neg not or pmevent popc prefetch prefetchu prmt rcp red redux rem ret \
    rsqrt sad selp set setmaxnreg setp shf shfl shl shr sin slct sqrt st stackrestore stacksave stmatrix sub subc suld suq \
    sured sust szext tanh tcgen05 tensormap testp tex tld4 trap txq vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vmad vmax vmin \
    vote vset vshl vshr vsub wgmma wmma xor; do
    for word in $opcode $opcode.x17; do
        heddle doc "$word" >got 2>&1 || bad "heddle doc $word"
        if head -n 1 got | grep -q '^  name'; then bad "heddle doc $word: a list, and no entry"; else ok; fi
    done
done
# The table is true: names in its second column exist, and what it calls missing is no instruction.
page=$root/docs/cuda-to-heddle.md
heddle completion --words doc | sort -u >all
awk -F' \\| ' '/^\| `?[^ |]/ && !/^\|---/ { print $2 }' "$page" | grep -o '`[^`]*`' | tr -d '`' | sed 's/[ =].*//' | sort -u |
    grep -vE '^(heddle|import|[a-z]:[0-9]|[a-z]*/[a-z0-9]*|v|p|as_|@p|call|pip|print|launch|registers|timeline|who|;!|break)$|^\[' >named
sed -n 's/^| \(.*\) | not there.*/\1/p' "$page" | grep -o '`[a-z0-9._]*`' | tr -d '`' | sort -u >absent
holds "rows of both kinds" "[ \$(wc -l <named) -gt 150 ] && [ \$(wc -l <absent) -gt 60 ]"
while read -r word; do
    case $word in
    .*) heddle doc "$word" >got 2>&1 || heddle doc isa ld >got && grep -q -e " $word " -e "^$word " got || { heddle doc isa >got; grep -qF "$word" got; } ;;
    *) grep -qxF -e "$word" all || heddle doc isa "$word" >got 2>&1 ;;
    esac && ok || bad "docs/cuda-to-heddle.md names '$word', which is not there"
done <named
while read -r word; do
    if heddle doc isa "$word" >got 2>&1; then bad "docs/cuda-to-heddle.md: '$word' is there"; else ok; fi
done <absent

# ---- passages of the pages ----
says 0 "heddle doc pseudo channels" "docs/deviations.md, Memory:"
says 0 "heddle doc spins" "docs/cuda-to-heddle.md, What is different:"
says 0 "heddle doc spins --markdown" "- docs/cuda-to-heddle.md, What is different: "
holds "three passages beside an entry" "[ \$(heddle doc barrier | grep -c '^docs/.*:\$') -eq 3 ]"
holds "no line is longer than 100 columns" "! heddle doc shared memory | grep -E '.{101}'"

# ---- whole manuals, as before ----
says 0 "heddle doc isa fma.f32" "opcode"
says 0 "heddle doc counters l1" "l1.hits"
says 0 "heddle doc faults" "out_of_bounds"
says 0 "heddle doc checks" "race: "

# ---- nothing ----
says 1 "heddle doc saxpi" "nothing is called 'saxpi'; did you mean 'saxpy'?"
says 1 "heddle doc dispach" "did you mean 'dispatch'?"
says 1 "heddle doc shfl qwertz" "nothing is called 'shfl qwertz', and no text has it"
says 1 "heddle doc ''" "nothing is called ''"
says 1 "heddle doc ' '" "nothing is called ' '"
says 1 "heddle doc '' ''" "nothing is called ' '"
says 1 "heddle doc isa fma.f32 add.f32" "nothing is called 'isa fma.f32 add.f32'"
says 2 "heddle doc" "which word?"

# ---- every name is found by itself ----
heddle completion --words doc | grep -v '^-' | sort -u >names
holds "more than a thousand" "[ \$(wc -l <names) -gt 1000 ]"
missing=$(awk 'NR % 23 == 1' names | while read -r name; do heddle doc "$name" >/dev/null 2>&1 || echo "$name"; done)
holds "none is missing: $missing" "[ -z '$missing' ]"
says 0 "heddle doc -- --fail-if" "--fail-if (option of diff)"

# ---- without the pages, the tables are left ----
mkdir home
says 0 "HEDDLE_HOME=$PWD/home heddle doc long_scoreboard" "(stall reason)"
says 1 "HEDDLE_HOME=$PWD/home heddle doc dry run" "nothing is called"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
