#!/bin/sh
# Does a sweep in tasks of Slurm's give what one on this computer gives, whatever happens to tasks, nodes and itself?
set -u
. "$(dirname "$0")/../lib/slurm.sh"
. "$(dirname "$0")/../lib/cli.sh"

cp "$tests/lib/twice.hd" k.hd
cp "$tests/lib/slow.hd" .
quick="run k.hd --board teach32 --block 64 --grid 4 --inout y=iota"
long="run slow.hd --board teach32 --over arg.n=1000000..1000007" # two fifths of a second each, and more

# ---- errors without a cluster ----
refuses() { # refuses COMMAND TEXT
    says 2 "$1 -o no.db" "$2"
    [ -e no.db ] && bad "a store was made: $1" && rm -f no.db
}
one="heddle sweep $quick --arg n=4"
refuses "$one --engine slrum" "expected local or slurm"
refuses "$one --chunk 4" "--chunk is for --engine slurm"
refuses "$one --slurm --time=1" "--slurm is for --engine slurm"
refuses "$one --engine slurm --chunk 0" "--chunk"
refuses "heddle sweep --task 7" "expected FOLDER/NUMBER"
refuses "heddle sweep --task nix/7" "nix/words"
refuses "PATH=/nix $HEDDLE ${one#heddle} --engine slurm" "there is no sbatch in PATH"
mkdir fake
answers() { # answers COMMAND TEXT STATUS: of a command in fake/
    printf '#!/bin/sh\ncat <<"EOF"\n%s\nEOF\nexit %d\n' "$2" "$3" >"fake/$1"
    chmod +x "fake/$1"
}
alone() { # alone TEXT OPTION...: with those commands
    said=$1
    shift
    refuses "PATH=$PWD/fake:\$PATH $one --engine slurm $*" "$said"
}
for name in sbatch squeue scancel scontrol sinfo; do answers $name "$name: error: nobody there" 1; done
alone "Slurm does not answer: scontrol: error: nobody there"
answers scontrol "MaxArraySize = 12" 0
alone "'scontrol show config' has no MaxArraySize and MaxJobCount"
answers scontrol "MaxArraySize = 0
MaxJobCount = 9" 0
alone "this cluster takes no arrays of jobs: MaxArraySize is 0, MaxJobCount 9"
answers scontrol "MaxArraySize = 3
MaxJobCount = 9" 0
alone "Slurm could not run these tasks ('sinfo' shows its nodes): sbatch: error: nobody there"
alone "expected options of sbatch" "--slurm 'x.sh --time=1'"
alone "these are no words, as a shell has them" "--slurm '--comment=\"a'"
answers sbatch "sbatch: Job 7 to start at 2026-11-23T19:20:51 using 1 processors on nodes n1 in partition day" 0
answers sinfo inact 0
alone "the partition day is inact, and would run no task"
answers sinfo up 0
says 2 "PATH=$PWD/fake:\$PATH $one --engine slurm --chunk 1 -o f.db" "(that is no job number)"
ask() { heddle results "$1" --csv --sql "$2" | tail -n 1; } # ask STORE QUESTION
sure() { # sure WHAT COMMAND...: like holds, with functions of this file
    what=$1
    shift
    if "$@" >got 2>&1; then ok; else bad "$what"; fi
}
left_nothing() { [ "$(ask "$1" "SELECT count(*) FROM point WHERE state = 'running'")" = 0 ] && [ ! -e "$1.slurm" ]; }
sure "nothing is left of what was not taken" left_nothing f.db

skip() {
    echo "skipped: no cluster was started: $1"
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}
[ -z "$(slurm_missing)" ] || skip "missing$(slurm_missing | sed 's/^/ /' | tr -d '\n') (make test ONLY=slurm gets it)"
trap 'slurm_down; rm -rf "$work"' EXIT
slurm_up 2 || skip "the daemons of Slurm do not run here"

# ---- refused by the real ones ----
refuses "$one --engine slurm --slurm --partition=nix" "invalid partition specified: nix"
refuses "$one --engine slurm --slurm --partition=closed" "the partition closed is down"
refuses "$one --engine slurm --slurm --mem=1T" "Requested node configuration is not available"
refuses "$one --engine slurm --slurm --tiem=1" "unrecognized option '--tiem=1'"
scontrol update nodename=n1,n2 state=drain reason=test
refuses "$one --engine slurm" "Requested node configuration is not available"
scontrol update nodename=n1,n2 state=resume
slurm_idle

submit() { # submit STORE WORDS: in the background
    store=$1
    shift
    heddle sweep "$@" --engine slurm -o "$store" >"$store.out" 2>&1 &
}
# All that follows from the points, in one order.
rows() {
    heddle results "$1" --json - --sql "SELECT * FROM point ORDER BY key" |
        grep -vE '"(id|runner|attempts|begun|ended|(wall|cpu)_seconds)":'
}
same() { # same STORE LOCAL: as on this computer, and nothing is left of tasks
    cat "$1.out"
    rows "$2" >"$1.want" && rows "$1" | diff - "$1.want" && left_nothing "$1"
}

# ---- as on this computer: in several arrays, two at once, and with as many points to a task as it chooses ----
(
    heddle sweep $quick --over arg.n=1..40 -o quick.db
    heddle sweep $long -o long.db
) >local.out 2>&1 &
here=$!
submit a.db $quick --over arg.n=1..40 --chunk 4
a=$!
submit two.db $quick --over arg.n=1..25 --chunk 3
first=$!
submit two.db $quick --over arg.n=16..40 --chunk 3 -j 2
second=$!
submit auto.db $quick --over arg.n=1..40 --slurm '--time=5 --comment="two words"'
wait $! $a $first $second $here
sure "the rows are those of a sweep here" same a.db quick.db
sure "a task takes as many points as it should" same auto.db quick.db
sure "two sweeps on one store" same two.db quick.db
# Rows are collected without squeue, too.
answers squeue "squeue: error: something that is no list of tasks" 0
mkdir blind && cp fake/squeue blind
mkdir -p blind.db.slurm/short blind.db.slurm/large # folders that are none are left alone
echo "16 points" >blind.db.slurm/short/points
printf '%016x %-64s\n%016x %064d\n' 4294967295 chunk 0 0 >blind.db.slurm/large/points
sure "an answer that is none loses no task" sh -c "PATH=$PWD/blind:\$PATH heddle sweep $quick --over arg.n=1..10 \
    --engine slurm --chunk 5 -o blind.db | grep '10 points in blind.db: 10 run;'"
sure "none of them ran a point twice" [ "$(ask two.db "SELECT count(*) || sum(attempts) FROM point")" = 4040 ]

# ---- what may happen to tasks, and to the sweep itself, all at once ----
# tasks FOLDER/[NUMBER$]: processes that run its points, `--task FOLDER/NUMBER` (a word ends with a NUL)
tasks() { grep -slz "^$PWD/$1" /proc/[0-9]*/cmdline | tr -dc '0-9\n'; }
while_runs() { # while_runs COMMAND: waits for it while the last sweep runs
    waits_for "$1 || ! kill -0 $!" && sh -c "$1" 2>/dev/null
}
begun() { # begun STORE: the folder of a sweep of which a point runs
    while_runs "grep -q begun $1.slurm/*/*.part" && dirname "$(echo "$1".slurm/*/job)"
}
# Each returns this where its sweep had ended before it was disturbed, as may be on a busy machine: it is tried again then,
# with a store of its own, $1.db.
late=9
ended() { # ended: what a disturbance returns that met no task
    wait $! && return $late
    return 1
}
killed_task() {
    submit $1.db $long --chunk 4
    dir=$(begun $1.db) && kill -9 $(tasks "$dir/") || { ended; return; }
    wait $! && same $1.db long.db
}
cancelled() {
    submit $1.db $long --chunk 4
    dir=$(begun $1.db) && scancel "$(cat "$dir/job")" || { ended; return; }
    wait $! && same $1.db long.db
}
requeued() {
    submit $1.db $long --chunk 4 --slurm --requeue
    dir=$(begun $1.db) && job=$(cat "$dir/job")_0 && scontrol requeue "$job" || { ended; return; }
    waits_for "squeue --noheader --jobs=$job --format=%T | grep PENDING" &&
        scontrol update jobid="$job" starttime=now && # in place of two minutes later
        wait $! && same $1.db long.db
}
# The tasks of a killed sweep run on; the same command adds their results, and submits none of them again.
killed_sweep() {
    submit $1.db $long --chunk 4 --slurm --comment=$1
    dir=$(begun $1.db) && kill -9 $! || { ended; return; }
    wait $! && return $late
    submit $1.db $long --chunk 4 --slurm --comment=$1
    wait $! && same $1.db long.db &&
        [ "$(squeue --noheader --array --states=all --format=%k | grep -cx $1)" = 2 ]
}
# Ctrl-C ends the tasks. What they have done is kept.
interrupted() {
    submit $1.db $long --chunk 4
    dir=$(begun $1.db) && while_runs "grep -q key $dir/*.part" && kill -INT $! || { ended; return; }
    wait $!
    status=$?
    done=$(ask $1.db "SELECT count(*) FROM point")
    [ $status -ne 0 ] && [ "$done" -lt 8 ] || return $late
    [ $status -eq 130 ] && [ "$done" -ge 1 ] && left_nothing $1.db &&
        waits_for "[ -z \"\$(squeue --noheader --name=heddle-${dir##*/})\" ]" && submit $1.db $long --chunk 4 &&
        wait $! && same $1.db long.db
}
# A file that has changed since it was submitted: the points fail, and nothing is taken for them.
changed() {
    cp k.hd $1.hd
    submit $1.db run $1.hd ${quick#run k.hd} --over arg.n=1,2 --chunk 2 --slurm --begin=now+1
    dir=$(waits_for "ls $1.db.slurm/*/job" && echo $1.db.slurm/*) && echo "; changed" >>$1.hd || { ended; return; }
    wait $!
    status=$?
    [ $status -ne 0 ] || return $late
    [ $status -eq 1 ] && grep "2 points in $1.db: 2 run, 2 failed" $1.db.out && left_nothing $1.db &&
        ask $1.db "SELECT message FROM point" >$1.said && cat $1.said &&
        grep "lost 3 times, the last one: FAILED (NonZeroExitCode) on n.; its log ends with: .*not the same here" $1.said
}
in_time() { # in_time NAME
    for try in 1 2 3 4 5; do
        $1 $1$try
        status=$?
        [ $status -eq $late ] || return $status
    done
    echo "five sweeps had ended before they were disturbed"
    return 1
}
for name in killed_task cancelled requeued killed_sweep interrupted changed; do
    { in_time $name; echo $? >$name.status; } >$name.out 2>&1 &
    all="${all:-} $!"
done
wait $all
for name in killed_task cancelled requeued killed_sweep interrupted changed; do
    sure "$name" sh -c "cat $name.out; exit \$(cat $name.status)"
done

# ---- a node is lost, with its daemon and everything that it ran, and returns ----
lost_node() {
    submit $1.db $long --chunk 2
    dir=$(begun $1.db) && while_runs '[ -n "$(squeue --noheader --nodelist=n2 --states=running)" ]' || { ended; return; }
    lost=$(for n in $(squeue --noheader --array --nodelist=n2 --states=running --format=%K); do
        tasks "$dir/$n\$"
    done)
    kill -9 "$(cat "$cluster/n2.pid")" $(for process in $lost; do sed -n 's/^PPid://p' "/proc/$process/status"; done) $lost
    scontrol update nodename=n2 state=down reason=lost # as the controller finds by itself half a minute later
    slurm_node n2
    scontrol update nodename=n2 state=resume
    wait $! && same $1.db long.db || return 1
    grep -q "JobId=.* NODE_FAIL\|Killing JobId=.*n2" "$cluster/slurmctld.log" || return $late
}
sure "the points of a node that is lost run on another" in_time lost_node

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
