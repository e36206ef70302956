#!/bin/sh
# Does `heddle sweep` lose nothing when it is killed, and report what it cannot do before anything runs?
#
#   SWEEP_KILLS=100 sh tests/sweep/sweep_trouble.sh       as many kill -9 as that, in place of 8
set -u
export root="$PWD"
. "$(dirname "$0")/../lib/cli.sh"

cp "$tests/lib/twice.hd" k.hd
# Reads as many elements as there are threads, whatever n is.
sed -e 's/^@in/   /' k.hd >beyond.hd
base="k.hd --board teach32 --block 64 --grid 4 --inout y=iota"
heddle sweep run $base --over sms=1,2 --over arg.n=64..256/x2 -o a.db >got 2>&1 || bad "a store to begin with"

# ---- kill -9 at any moment: nothing is lost but what was running, and nothing is run twice ----
kills=${SWEEP_KILLS:-8}
sweep="heddle sweep run $base --over arg.n=1..40 -j 2 -o kill.db"
: >before
k=0
while [ $k -lt "$kills" ]; do
    k=$((k + 1))
    [ $((k % 8)) -eq 1 ] && rm -f kill.db* && : >before
    $sweep >/dev/null 2>&1 &
    pid=$!
    sleep "0.$(awk -v k="$k" 'BEGIN { srand(k); printf "%03d", 100 + 250 * rand() }')"
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    [ -s kill.db ] || continue
    heddle results kill.db --csv --sql "SELECT key, ended FROM point WHERE state = 'done'" 2>got | sort >after
    comm -23 before after | grep -q . && bad "kill $k: a point is lost or was run again"
    cp after before
done
says 0 "$sweep" "40 points in kill.db"
holds "every point is there once" '[ "$(heddle results kill.db --csv --sql "SELECT count(*) || count(DISTINCT \"arg.n\") || min(state) ||
    max(state) FROM point" | tail -n 1)" = 4040donedone ]'
holds "at most the points in flight were begun again" '[ "$(heddle results kill.db --csv --sql "SELECT sum(attempts) - 40 <= 2 *
    (SELECT count(*) - 1 FROM runner) FROM point" | tail -n 1)" = 1 ]'
holds "the file is whole" 'heddle results kill.db --csv --sql "PRAGMA integrity_check" | grep -qx ok'
heddle results kill.db --csv --sql "SELECT key, ended FROM point" | sort >after
holds "what was there before the last sweep is as it was" '! comm -23 before after | grep -q .'

# ---- a store that is taken away ----
holds "a store that is removed while a sweep runs is noticed" '
    heddle sweep run '"$base"' --over arg.n=1..400 -j 1 -o gone.db >out 2>&1 &
    sweep=$!
    for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        sleep 0.05
        [ -s gone.db ] && sleep 0.2 && rm gone.db && break
    done
    wait $sweep
    [ $? -eq 1 ] && grep -q "gone.db: error: the store was removed or replaced" out && ! grep -q "400 points in gone.db" out && [ ! -e gone.db ]'

# ---- two sweeps at once ----
holds "two sweeps on one store both finish, and no point is run twice" '
    heddle sweep run '"$base"' --over arg.n=1..40 -j 1 -o two.db >one 2>&1 &
    first=$!
    heddle sweep run '"$base"' --over arg.n=40..80,1..39 -j 1 -o two.db >two 2>&1
    second=$?
    wait $first && [ $second -eq 0 ] && cat one two &&
        [ "$(heddle results two.db --csv --sql "SELECT count(*) || sum(attempts) || max(state) FROM point" | tail -n 1)" = 8080done ]'

echo "nonsense" >broken.hd
# ---- bad input: reported before anything runs ----
refuses() { # refuses COMMAND TEXT
    says 2 "heddle sweep $1 -o no.db" "$2"
    [ -e no.db ] && bad "a store was made: heddle sweep $1" && rm -f no.db*
}
b="run $base --arg n=4 --bisect sms=1..8"
refuses "" "which command? heddle sweep run FILE.hd"
refuses "chanels k.hd" "there is no sweep 'chanels'; did you mean 'channels'?"
refuses "nix.yaml" "nix.yaml"
refuses "run $base --over arg.n" "expected NAME=VALUE,..."
refuses "run $base --over arg.n=" "the axis has no values"
refuses "run $base --over arg.n=1,2,2" "'2' is there twice"
refuses "run $base --over arg.n=1 --over arg.n=2" "'arg.n' is an axis already: arg.n=1"
refuses "run $base --over arg.n=1..1000 --over sms=1..2000" "there are more than 1,000,000 points"
refuses "run $base --over smss=1,2" "unknown key 'smss'; did you mean 'sms'?"
refuses "run $base --over griddd=1,2" "did you mean 'grid'?"
refuses "run $base --over nonsense.at.all=1,2" "unknown key 'nonsense.at.all'; expected a key of the board"
refuses "run $base --arg n=4 --over sms=1,0" "this point cannot be built: sms=0"
refuses "run $base --arg n=4 --over board=v100,v101" "there is no board 'v101'"
refuses "run $base --arg n=4 --over warp=8,12" "expected 8, 16, 32 or 64"
refuses "run $base --ovre sms=1" "unknown option '--ovre'; did you mean '--over'?"
refuses "run $base --bord v100" "unknown option '--bord'; did you mean '--board'?"
refuses "run $base --with sms=1,2" "it follows the --over before it, and there is none"
refuses "run $base --over sms=1,2 --with noc.latency=40,40,80" "3 values for the 2 of --over sms=1,2"
refuses "run $base --over sms=1,2 --where 'sm > 1'" "no such column: sm"
refuses "run $base --over sms=1,2 --where 'sms >'" "--where: error:"
refuses "run $base --over sms=1,2 --where 'sms > 2) OR (1'" "it closes no parenthesis of the condition"
refuses "$b --until 'cycles > 2) OR (1'" "it closes no parenthesis of the condition"
refuses "run $base --arg n=4 --over sm.policy=gto,lrr --knee sm.policy" "'gto' is no number"
refuses "run $base --over sms=1,2 --where 'sms > 2'" "no point meets this condition"
refuses "run nix.hd --over sms=1" "nix.hd"
refuses "$b" "--bisect needs --until CONDITION or --crossover NAME, one of them"
refuses "$b --until x --crossover kernel" "--bisect needs --until CONDITION or --crossover NAME, one of them"
refuses "$b --until 'cycles > 4' --where 'sms > 2'" "--where and --bisect do not go together"
refuses "$b --until 'cycels > 4'" "--until: error: no such column: cycels"
refuses "$b --until 'cycles >'" "--until: error:"
refuses "$b --crossover kernel" "there is no axis 'kernel'; expected one of two values: --over kernel=A,B"
refuses "$b --over warp=8,16,32 --crossover warp" "--crossover compares two values of an axis, and this one has 3"
refuses "$b --over warp=8,16 --crossover warp --objective cycels" "--objective: error: no such column: cycels"
refuses "$b --until 'cycles > 4' --objective cycles" "--objective is for --crossover and --knee"
refuses "$b --bisect warp=8,16 --until 'cycles > 4'" "one axis is bisected"
refuses "run $base --arg n=4 --bisect sms=4 --until 'cycles > 4'" "--bisect needs an axis of several values"
refuses "run $base --arg n=4 --bisect smss=1,2 --until 'cycles > 4'" "--bisect: error: unknown key 'smss'; did you mean 'sms'?"
refuses "$b --until 'cycles > 4' --knee sms" "--knee and --bisect do not go together"
refuses "run $base --arg n=4 --over sms=1,2 --knee smss" "there is no axis 'smss': --over smss=VALUES"
refuses "run $base --arg n=4 --over sms=1,2 --knee sms --objective cycels" "--objective: error: no such column: cycels"
refuses "run $base --until 'cycles > 4'" "are for --bisect NAME=VALUES"
refuses "lint k.hd" "'heddle lint' has no option --json, so that it is no point of a sweep"
refuses "study nix --over n=1" "there is no study 'nix'"
refuses "study gemm --over warp=1,2" "'heddle study' has no option --warp, and no word of the command has {warp} in it"
refuses "study gemm --bord v100" "unknown option '--bord'; did you mean '--board'?"
refuses "study gemm --over l2.byte=1,2" "unknown key 'l2.byte'; did you mean 'l2.bytes'?"
refuses "study gemm --json x.json" "--json is of one run"
refuses "study gemm - --over sms=1" "standard input"
refuses "prove k.hd broken.hd --over warp=8,16" "broken.hd:1:"
refuses "run $base --over arg.m=1,2" "    --over arg.m=1,2
           ^~~~~"
refuses "run $base --over arg.n=1,2 --with arg.nn=1,2" "--with: error: kernel 'twice' of k.hd: there is no parameter 'nn'; did you mean 'n'?"
{ printf 'run: k.hd\nin:\n'; seq -f '  - b%.0f=u32[4]:zeros' 5000; printf 'over: {sms: [1, 2]}\n'; } >many.yaml
refuses "many.yaml" "many.yaml:4099:5: error: more than 4096 buffers"
refuses "run $base --arg n=4x --over sms=1,2" "u32 takes a whole number, not '4x'"
refuses "run $base --arg n=4 --arg n=5" "it is given twice"
refuses "run $base --arg 'n={v}' --over v=4,x" "u32 takes a whole number, not 'x'"
refuses "run classic/saxpy --case 1 --board v100 --over arg.a=1,abc" "                   ^~~"
refuses "run classic/saxpy --case 1 --board v100 --over arg.a=1,one" "not 'one'"
refuses "run classic/saxpy --case 1 --board v100 --over arg.a=1,NaN" "not 'NaN'"
refuses "run classic/saxpy --case 1 --board v100 --over arg.a=-nan" "not '-nan'"
refuses "run $base --arg n=4 --over entry=twice,nix" "there is no kernel 'nix' in k.hd"
refuses "run $base --arg n=4 --over sms=0.25x,0.125x" "no point can be built"
refuses "run $base --arg n=4 --bisect sms=0.125x..2x/x2 --until 'cycles > 4'" "this point cannot be built: sms=0.125x"
refuses "run $base --over arg.n=4,-4" "-4 is out of the range of u32, 0 to 4294967295"
refuses "run $base --over in.n=iota,ones" "it takes a number: arg.NAME"
refuses "run $base --over arg.y=1,2" "it takes a buffer: in.NAME"
refuses "run $base --over sms=1,2" "k.hd: parameter 'n' is not given: --arg n=..., or --case 1"
refuses "run $base --over arg.n=1 --arg m=2" "--arg: error: kernel 'twice' of k.hd: there is no parameter 'm'"
refuses "run $base --json x.json" "--json is of one run"
refuses "run k.hd --board teach32 --out y=f32[64]:y.npy --arg n=64" "every point would write this file"
refuses "run k.hd --board v100,a100 --inout y=iota" "--over board=v100,a100"
refuses "run - --board v100" "standard input"
refuses "run $base -j 0 --over sms=1" "--jobs"
says 2 "heddle sweep run $base --over sms=1" "where do results go? -o results.db"
says 2 "heddle sweep run $base --over sms=1 -o -" "a store is a file, not standard output"
says 2 "heddle sweep run $base --arg n=4 --over sms=1 -o k.hd" "'k.hd' is read, and is not replaced"
says 2 "heddle sweep run $base --arg n=4 --over sms=1 -o nix/x.db" "nix/x.db: error: cannot be written"

# ---- stores that are none, or cannot be written ----
cp a.db newer.db
printf '\0\0\0\11' | dd of=newer.db bs=1 seek=60 conv=notrunc 2>/dev/null
cp newer.db kept.db
says 2 "heddle sweep run $base --arg n=4 -o newer.db" "this is a store of version 9, and this heddle writes version 1"
says 2 "heddle results newer.db" "this is a store of version 9"
holds "it is not changed" "cmp newer.db kept.db"
echo "no database, but a text that is long enough to be taken for one, if anybody would only read it" >text.db
head -c 5000 a.db >short.db
printf x >byte.db
: >empty.db
mkfifo pipe.db
for case in "text.db:this is no store of a sweep" "byte.db:this is no store of a sweep" "pipe.db:a store is a regular file" \
    "short.db:this store is damaged or cut short" "/dev/null:a store is a regular file"; do
    says 2 "timeout 10 heddle sweep run $base --arg n=4 -o ${case%%:*}" "${case%%:*}: error: ${case#*:}"
    says 2 "timeout 10 heddle results ${case%%:*}" "${case%%:*}: error: ${case#*:}"
done
holds "a file that is no store is left as it is" '[ "$(cat byte.db)" = x ]'
says 2 "heddle results nix.db" "nix.db: error: there is no such file"
says 2 "heddle results ''" "'': error: this is no name of a file"
says 2 "heddle results empty.db" "empty.db: error: this file is empty"
says 2 "heddle results ." "this is a folder"
says 2 "heddle results" "which store? heddle results FILE.db"
says 2 "heddle results a.db f.db" "one store is shown at a time"
says 2 "heddle results a.db --columns cycels" "there is no column 'cycels'; did you mean 'cycles'?"
says 2 "heddle results a.db --sql 'SELECT nix FROM point'" "no such column: nix"
for sql in 'DELETE FROM point' 'VACUUM INTO "left.db"' 'ATTACH "left.db" AS x' 'PRAGMA user_version = 2' BEGIN; do
    says 2 "heddle results a.db --sql '$sql'" "a question changes nothing and opens no other file"
done
says 2 "heddle results a.db --sql \"SELECT fts3_tokenizer('simple')\"" "not authorized to use function: fts3_tokenizer"
holds "a refused question leaves nothing" '[ ! -e left.db ]'
says 2 "heddle results a.db --sql 'SELECT 1; SELECT 2'" "                    ^~~~~~"
says 2 "heddle results a.db --sql ' -- nothing'" "expected a question, such as SELECT"
says 0 "heddle results a.db --sql 'SELECT value FROM json_each(\"[7]\"); -- end' || heddle results a.db --sql \
    \"SELECT value FROM json_each('[7]'); -- end\"" "  7"
says 2 "heddle results a.db --where '1) OR (1'" "--where: error: it closes no parenthesis of the condition
    --where 1) OR (1
             ^"
says 0 "heddle results a.db --where \"state <> 'a)' AND (sms) = 2 -- )\"" "    256     293   293 ns"
says 2 "heddle results a.db --where 'sms > 1 AND cycels < 7'" "no such column: cycels"
says 2 "heddle results a.db --knee smss" "there is no column 'smss'; did you mean 'sms'?"
says 2 "heddle results a.db --knee sms --objective cycels" "there is no column 'cycels'; did you mean 'cycles'?"
says 2 "heddle results a.db --knee cycles" "'cycles' is measured, not given; expected a key of the board or an argument"
says 2 "heddle results a.db --knee file" "'k.hd' is no number"
says 2 "heddle results a.db --within 10" "--within is for --knee NAME"
says 2 "heddle results a.db --knee sms --within 101" "expected a number of percent from 0 to 100"
says 2 "heddle results a.db --pareto sms,,cycles" "there is no column ''"
says 2 "heddle results a.db --knee sms --pareto cycles" "--knee and --pareto do not go together"
says 2 "heddle results a.db --csv=a.db" "is read, and is not replaced"
cp a.db full.db
says 2 "ulimit -f \$((\$(wc -c <full.db) / 512 + 16)); heddle sweep run $base --over arg.n=1..200 -o full.db" "full.db: error: "
holds "a full disk leaves the store whole" 'heddle results full.db --csv --sql "PRAGMA integrity_check" | grep -qx ok'
says 0 "heddle sweep run $base --over arg.n=1..20 -o full.db" "20 points in full.db"

# ---- descriptions that execute something ----
printf '#!/bin/sh\ntouch ran\necho unsat\n' >solver && chmod +x solver
echo 'io.open("ran", "w"):close() io.write "{}"' >study.lua
sed 's/1$/0/' k.hd >l.hd
pair="prove: [k.hd, l.hd]\nbuffers: 'y=f32[64]'\narg: {n: 64}\nover: {warp: [32]}\n"
distrusts() { # distrusts DESCRIPTION "POSITION: error: MESSAGE"
    # shellcheck disable=SC2059 # the description has escapes
    printf "$1" >untrusted.yaml
    says 2 "heddle sweep untrusted.yaml -o untrusted.db" "untrusted.yaml:$2"
    holds "nothing is run: $2" '[ ! -e ran ] && [ ! -e untrusted.db ]'
}
distrusts "${pair}solver: ./solver\n" \
    "5:9: error: this runs the program './solver'; if you trust who wrote it: heddle sweep untrusted.yaml --trust"
says 0 "heddle sweep untrusted.yaml --solver none -o none.db" "1 point in none.db: 1 run"
holds "a solver of the command line takes its place" '[ ! -e ran ]'
distrusts "prove: [k.hd, l.hd, --solv=./solver]\n" "1:21: error: this runs a command with '--solv=./solver'"
distrusts "prove: [k.hd, l.hd, '{o}']\nover: {o: [a.hd, --solver=./solver]}\n" "2:11: error: this runs a command with"
distrusts "${pair}with: {solver: [./solver]}\n" "5:16: error: this runs the programs 'solver=./solver'"
distrusts "study: ./study.lua\nover: {sms: [1]}\n" "1:8: error: this runs the Lua of './study.lua'"
distrusts "trust: true\nstudy: ./study.lua\n" "1:1: error: a description is trusted on the command line alone, by --trust"
distrusts "run: k.hd\nengine: slurm\nslurm: --wrap=./solver\n" "3:8: error: this runs sbatch with '--wrap=./solver'"
distrusts "study: '{s}'\nover: {s: [./study.lua]}\n" "1:8: error: this runs the Lua of '{s}'"
printf 'study: ./study.lua\nover: {sms: [1]}\n' >trusted.yaml
holds "what is trusted is run" 'heddle sweep trusted.yaml --trust -o trusted.db >/dev/null && [ -e ran ] && rm ran'
echo 'return {study = "./study.lua", over = {{"sms", 1}}}' >trusted.lua
holds "a script is a program of the command line" 'heddle sweep trusted.lua -o script.db >/dev/null && [ -e ran ]'

# ---- YAML without an end in sight ----
long() { awk -v n="$1" -v text="$2" 'BEGIN { for (i = 0; i < n; i++) printf text, i, i }'; }
{ printf 'a: ' && long 200000 '['; } >deep.yaml
long 20000 'k%d: &a%d 1\n' >anchors.yaml
{ long 200000 '%%TAG !a%d! tag:x\n' && printf -- '---\na: 1\n'; } >tags.yaml
for case in "deep.yaml:1:35: error: more than 32 lists" "anchors.yaml:1001:" "tags.yaml:1001:1: error: more than 1000 directives"; do
    says 2 "timeout 5 heddle board ${case%%:*}" "$case"
    says 2 "timeout 5 heddle sweep ${case%%:*} -o x.db" "$case"
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
