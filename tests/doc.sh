#!/bin/sh
# Does `heddle doc` find every word that heddle explains, say what it is, and admit when it knows none?
#
#   HEDDLE=build/heddle sh tests/doc.sh
set -u
. "$(dirname "$0")/lib/cli.sh"

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
entry seconds "Lua field of RESULT" "board's clock"
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
holds "words in any order" "[ \"\$(heddle doc hit l2)\" = \"\$(heddle doc l2 hit)\" ]"
says 0 "heddle doc l2 hit" "  l2.hit_rate "
holds "words, not parts of them" "! heddle doc it l2 2>&1 | grep -q '^  l2.hit_rate'"
holds "the name before the text" "heddle doc scoreboard | sed -n '/^  name/,\$p' | sed -n 2p | grep -q stall.short_scoreboard"
says 0 "heddle doc lua launch" "context:launch"
says 0 "heddle doc cycles of" "more: a further word narrows it"
says 0 "heddle doc hit --markdown" "| l2.hits | counter |"

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
says 1 "heddle doc isa fma.f32 add.f32" "nothing is called 'isa fma.f32 add.f32'"
says 2 "heddle doc" "which word?"

# ---- every name is found by itself ----
heddle completion --words doc | grep -v '^--' | sort -u >names
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
