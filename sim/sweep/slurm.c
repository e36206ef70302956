#include "sim/sweep/slurm.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/ascii.h"

/* Reads a whole number at the start of a text, digits only; NULL if there is none, or it is too large. */
static const char *read_whole(const char *text, u64 most, u64 *number) {
    *number = 0;
    if (*text < '0' || *text > '9')
        return NULL;
    for (; is_digit(*text); text++) {
        u64 digit = (u64)(*text - '0');
        if (*number > (most - digit) / 10)
            return NULL;
        *number = *number * 10 + digit;
    }
    return text;
}

static const char *next_line(const char *text) {
    text += strcspn(text, "\n");
    return *text ? text + 1 : text;
}

static bool copy(char *to, size_t size, const char *from, size_t len) {
    if (len >= size)
        return false;
    memcpy(to, from, len);
    to[len] = 0;
    return true;
}

bool slurm_read_job(const char *text, struct slurm_job *job) {
    for (; *text; text = next_line(text)) {
        const char *end = read_whole(text, UINT32_MAX, &job->id);
        size_t len = end && *end == ';' ? strcspn(++end, "\n") : 0;
        if (end && job->id && (!end[len] || end[len] == '\n') && copy(job->cluster, sizeof job->cluster, end, len))
            return true;
    }
    *job = (struct slurm_job){.id = 0};
    return false;
}

bool slurm_read_partition(const char *text, char *name, size_t size) {
    static const char before[] = " in partition ";
    const char *at = strstr(text, before);
    size_t len = at ? strcspn(at += sizeof before - 1, " \n") : 0;
    return len && copy(name, size, at, len);
}

/* Finds the value of "Name   = value": the rest of the line; NULL if there is none. */
static const char *find_setting(const char *text, const char *name) {
    for (; *text; text = next_line(text)) {
        const char *rest = text + strlen(name);
        if (strncmp(text, name, strlen(name)) == 0 && rest[strspn(rest, " ")] == '=') {
            rest += strspn(rest, " ") + 1;
            return rest + strspn(rest, " ");
        }
    }
    return NULL;
}

/* Lowers the size of arrays by max_array_tasks=N, one of the words of SchedulerParameters. */
static void lower_array(const char *words, u64 *array) {
    static const char name[] = "max_array_tasks=";
    u64 most;
    while (words && *words && *words != '\n') {
        size_t len = strcspn(words, ",\n");
        if (strncmp(words, name, sizeof name - 1) == 0 && read_whole(words + sizeof name - 1, UINT32_MAX, &most) &&
            most < *array)
            *array = most;
        words += len + (words[len] == ',');
    }
}

bool slurm_read_limits(const char *text, struct slurm_limits *limits) {
    const char *array = find_setting(text, "MaxArraySize"), *jobs = find_setting(text, "MaxJobCount");
    if (!array || !jobs || !read_whole(array, UINT32_MAX, &limits->array) ||
        !read_whole(jobs, UINT32_MAX, &limits->jobs))
        return false;
    lower_array(find_setting(text, "SchedulerParameters"), &limits->array);
    return true;
}

/* True for a state in which a task neither runs nor will run; other states pass. */
static bool is_over(const char *state) {
    static const char *const over[] = {"COMPLETED", "FAILED",    "CANCELLED", "TIMEOUT",       "NODE_FAIL",
                                       "PREEMPTED", "BOOT_FAIL", "DEADLINE",  "OUT_OF_MEMORY", "REVOKED"};
    for (u32 i = 0; i < COUNT_OF(over); i++)
        if (strcmp(state, over[i]) == 0)
            return true;
    return false;
}

enum slurm_answer slurm_read_task(const char **text, struct slurm_task *task) {
    char state[40], reason[64], node[40];
    u64 index;
    *text += strspn(*text, "\n");
    if (!**text)
        return SLURM_END;
    const char *at = read_whole(*text, UINT32_MAX, &index), *line = *text;
    *text = next_line(line);
    if (!at || *at++ != '|')
        return SLURM_STRANGE;
    size_t first = strcspn(at, "|\n");
    const char *then = at + first + (at[first] == '|');
    size_t second = strcspn(then, "|\n");
    const char *last = then + second + (then[second] == '|');
    if (at[first] != '|' || then[second] != '|' || !first || !copy(state, sizeof state, at, first))
        return SLURM_STRANGE;
    snprintf(reason, sizeof reason, "%.*s", (int)second, then);
    snprintf(node, sizeof node, "%.*s", (int)strcspn(last, "|\n"), last);
    *task = (struct slurm_task){.index = (u32)index,
                                .over = is_over(state),
                                .runs = strcmp(state, "RUNNING") == 0,
                                .completed = strcmp(state, "COMPLETED") == 0};
    bool told = *reason && strcmp(reason, "None") != 0;
    if (task->over)
        snprintf(task->why, sizeof task->why, "%s%s%s%s%s%s", state, told ? " (" : "", told ? reason : "",
                 told ? ")" : "", *node ? " on " : "", node);
    else
        snprintf(task->why, sizeof task->why, "%s", reason);
    return SLURM_TASK;
}
