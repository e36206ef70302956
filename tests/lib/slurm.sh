# A cluster of Slurm on this computer, for a suite: sourced before cli.sh. It has its own daemons, folder, ports and
# keys, on the loopback alone; an existing cluster is neither used nor changed. Slurm is where scripts/setup.sh unpacked
# it, unless it is installed.
if [ -e build/packages/usr/sbin ] && ! [ -e /usr/sbin/slurmctld ]; then
    unpacked=$PWD/build/packages/usr
    plugins=$(ls -d "$unpacked"/lib/*/slurm-wlm)
    PATH=$unpacked/bin:$unpacked/sbin:$PATH
    LD_LIBRARY_PATH=${plugins%/*}:$plugins
    export LD_LIBRARY_PATH
fi
slurm_missing() { # prints packages
    for pair in munged:munge mungekey:munge slurmctld:slurmctld slurmd:slurmd sbatch:slurm-client; do
        PATH=$PATH:/usr/sbin command -v "${pair%:*}" >/dev/null || echo "${pair#*:}"
    done | sort -u
}
slurm_up() { # slurm_up NODES: of two processors each; 0 when they are idle
    PATH=$PATH:/usr/sbin
    nodes=$1
    cluster=$work/cluster
    port=$((20000 + $$ % 10000 * 4))
    host=$(hostname -s)
    mkdir -p "$cluster/munge" "$cluster/state" "$cluster/spool"
    chmod 755 "$work" "$cluster" "$cluster/munge"
    mungekey -c -k "$cluster/munge/key" || return 1
    munged --force --key-file="$cluster/munge/key" --socket="$cluster/munge/socket" --num-threads=2 \
        --pid-file="$cluster/munge/pid" --log-file="$cluster/munge/log" --seed-file="$cluster/munge/seed" || return 1
    cat >"$cluster/slurm.conf" <<EOF
ClusterName=heddle
SlurmctldHost=$host(localhost)
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=$port
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool/%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/%n.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
${plugins:+PluginDir=$plugins}
ReturnToService=2
KillWait=1
BatchStartTimeout=1
MaxArraySize=6
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
NodeName=n[1-$nodes] NodeHostname=$host NodeAddr=localhost Port=[$((port + 1))-$((port + nodes))] CPUs=2 RealMemory=500
PartitionName=main Nodes=n[1-$nodes] Default=YES MaxTime=INFINITE
PartitionName=closed Nodes=n[1-$nodes] State=DOWN
EOF
    SLURM_CONF=$cluster/slurm.conf
    export SLURM_CONF
    slurmctld -c || return 1
    for node in $(seq "$nodes"); do slurm_node "n$node" || return 1; done
    slurm_idle && return 0
    tail -n 5 "$cluster"/*.log
    return 1
}
slurm_idle() { waits_for '[ "$(sinfo --noheader --partition=main --format="%T %D")" = "idle '"$nodes\" ]"; }
slurm_node() { slurmd ${plugins:+-d "$unpacked/sbin/slurmstepd"} -N "$1"; }
waits_for() { # waits_for COMMAND: at most 30 s
    until=$(($(date +%s) + 30))
    while [ "$(date +%s)" -lt "$until" ]; do
        timeout 30 sh -c "$1" >/dev/null 2>&1 && return 0
        sleep 0.1
    done
    echo "not within 30 s: $1"
    return 1
}
slurm_stop() { # slurm_stop PIDFILE [SIGNAL]: a daemon, by the number that it has written
    [ -s "$1" ] || return 0
    stopped=$(cat "$1")
    kill ${2:-} "$stopped" 2>/dev/null
    waits_for "! kill -0 $stopped"
}
slurm_down() {
    [ -n "${cluster:-}" ] || return 0
    scancel --quiet --user="$(id -un)" 2>/dev/null
    for file in "$cluster"/n*.pid "$cluster/slurmctld.pid" "$cluster/munge/pid"; do slurm_stop "$file"; done
}
