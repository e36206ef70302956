/* Are answers of Slurm's commands read as they are meant, and nothing else taken for one? */
#include "sim/sweep/slurm.h"

#include <criterion/criterion.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>

#include "sim/file/computer.h"
#include "sim/file/process.h"

Test(slurm, job_numbers) {
    struct slurm_job job;
    cr_assert(slurm_read_job("17\n", &job) && job.id == 17 && !*job.cluster);
    cr_assert(slurm_read_job("17;big\n", &job) && job.id == 17 && strcmp(job.cluster, "big") == 0);
    cr_assert(slurm_read_job("sbatch: warning: 3 nodes are slow\n4294967295", &job) && job.id == 4294967295u);
}

Test(slurm, what_is_no_job_number) {
    static const char *const text[] = {"",      "\n",    "Submitted batch job 17\n",
                                       "17 \n", "0\n",   "-3\n",
                                       "1x",    "+17\n", "4294967296\n",
                                       "17,\n", ";b\n",  "99999999999999999999999999\n"};
    for (u32 i = 0; i < COUNT_OF(text); i++) {
        struct slurm_job job = {.id = 1};
        cr_assert(!slurm_read_job(text[i], &job) && job.id == 0, "%s", text[i]);
    }
    char wide[100] = "17;";
    struct slurm_job job;
    memset(wide + 3, 'c', 80);
    cr_assert(!slurm_read_job(wide, &job), "a name that is too long");
}

Test(slurm, partition_of_a_trial) {
    char name[12];
    cr_assert(slurm_read_partition("sbatch: Job 7 to start at 2026-11-23T19:20:51 using 1 processors on nodes n1 in "
                                   "partition local\n",
                                   name, sizeof name));
    cr_assert(strcmp(name, "local") == 0, "%s", name);
    cr_assert(!slurm_read_partition("sbatch: Job 7 in partition \n", name, sizeof name));
    cr_assert(!slurm_read_partition("sbatch: Job 7 in partition a_name_too_long\n", name, sizeof name));
    cr_assert(!slurm_read_partition("", name, sizeof name));
}

Test(slurm, limits) {
    struct slurm_limits l;
    cr_assert(slurm_read_limits("Configuration data\nMaxArraySize            = 1001\nMaxJobCount             = 10000\n"
                                "SchedulerParameters     = (null)\n",
                                &l));
    cr_assert(l.array == 1001 && l.jobs == 10000);
    cr_assert(slurm_read_limits("MaxArraySize=1001\nMaxJobCount = 5\nSchedulerParameters = bf_max_job_array=9,"
                                "max_array_tasks=40,defer\n",
                                &l));
    cr_assert(l.array == 40 && l.jobs == 5);
    cr_assert(slurm_read_limits("MaxJobCount = 5\nMaxArraySize = 0\nSchedulerParameters = max_array_tasks=", &l));
    cr_assert(l.array == 0);
    cr_assert(!slurm_read_limits("MaxArraySize = 10\n", &l));
    cr_assert(!slurm_read_limits("MaxArraySizes = 10\nMaxJobCount = 5\n", &l));
    cr_assert(!slurm_read_limits("MaxArraySize = many\nMaxJobCount = 5\n", &l));
    cr_assert(!slurm_read_limits("slurm_load_ctl_conf error: Unable to contact slurm controller\n", &l));
}

Test(slurm, tasks) {
    const char *text = "3|NODE_FAIL|NodeDown|n2\n0|PENDING|Priority|\n12|RUNNING|None|n1\n7|COMPLETING|None|n1\n"
                       "1|COMPLETED|None|n1\n2|CANCELLED||\n";
    static const struct {
        u32 index;
        bool over, runs, completed;
        const char *why;
    } want[] = {{3, true, false, false, "NODE_FAIL (NodeDown) on n2"},
                {0, false, false, false, "Priority"},
                {12, false, true, false, "None"},
                {7, false, false, false, "None"},
                {1, true, false, true, "COMPLETED on n1"},
                {2, true, false, false, "CANCELLED"}};
    struct slurm_task t;
    for (u32 i = 0; i < COUNT_OF(want); i++) {
        cr_assert(slurm_read_task(&text, &t) == SLURM_TASK, "%u", i);
        cr_assert(t.index == want[i].index && t.over == want[i].over && t.runs == want[i].runs &&
                      t.completed == want[i].completed,
                  "%u", i);
        cr_assert(strcmp(t.why, want[i].why) == 0, "%s", t.why);
    }
    cr_assert(slurm_read_task(&text, &t) == SLURM_END);
}

Test(slurm, what_is_no_task) {
    static const char *const text[] = {"slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n",
                                       "N/A|RUNNING|None|n1\n",
                                       "3|RUNNING\n",
                                       "3|RUNNING|None\n",
                                       "3||None|n1\n",
                                       "[4-9]|PENDING|Resources|\n",
                                       "99999999999|RUNNING|None|n1",
                                       "3"};
    for (u32 i = 0; i < COUNT_OF(text); i++) {
        const char *at = text[i];
        struct slurm_task t;
        cr_assert(slurm_read_task(&at, &t) == SLURM_STRANGE, "%s", text[i]);
        cr_assert(slurm_read_task(&at, &t) == SLURM_END, "%s", text[i]);
    }
}

Test(slurm, long_answers_are_cut) {
    char line[400];
    const char *at = line;
    struct slurm_task t;
    snprintf(line, sizeof line, "1|FAILED|%0150d|%0150d\n", 1, 2);
    cr_assert(slurm_read_task(&at, &t) == SLURM_TASK && t.over && strlen(t.why) < sizeof t.why && !*at);
}

Test(slurm, file_systems_that_are_shared) {
    cr_assert(network_type(NFS_SUPER_MAGIC) && network_type((u32)CIFS_SUPER_MAGIC));
    cr_assert(!network_type(EXT4_SUPER_MAGIC) && !network_type(TMPFS_MAGIC) && !network_type(XFS_SUPER_MAGIC));
    cr_assert(!file_on_network("/proc/self") && !file_on_network("/proc/self/nothing"));
}

Test(slurm, commands_say_how_they_ended) {
    static const struct {
        const char *script, *said;
        int status;
        enum process_end end;
    } row[] = {{"echo a; echo b >&2; exit 3", "a\nb\n", 3, PROCESS_ENDED},
               {"kill -9 $$", "", 137, PROCESS_ENDED},
               {"exec >&- 2>&-; sleep 0.1; exit 4", "", 4, PROCESS_ENDED},
               {"echo a; exec sleep 60", "a\n", 137, PROCESS_TIMEOUT}};
    for (u32 i = 0; i < COUNT_OF(row); i++) {
        const char *argv[] = {"/bin/sh", "-c", row[i].script, NULL};
        SCOPED(buf_free) struct buf said = {0};
        int status = -1;
        enum process_end end = process_output(argv, i == 3 ? 0.5 : 20, &status, &said);
        cr_assert(end == row[i].end && status == row[i].status, "%s: %d", row[i].script, status);
        cr_assert(strcmp(said.data ? said.data : "", row[i].said) == 0, "%s", said.data);
    }
}
