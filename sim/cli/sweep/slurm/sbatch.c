#include "sim/cli/sweep/slurm/slurm.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/format.h"
#include "sim/cli/ui.h"
#include "sim/file/process.h"

enum {
    SUBMIT_SECONDS = 120, /* sbatch itself retries while the controller is busy */
    ANSWER_SECONDS = 60
};

/* Runs a command from PATH; its whole output is one text. False if it cannot be run, or failed. */
static bool ask(const char **argv, double seconds, struct buf *said) {
    char path[PATH_MAX];
    const char *name = argv[0];
    int status = 0;
    if (!process_find(name, path, sizeof path)) {
        buf_printf(said, "there is no %s in PATH", name);
        return false;
    }
    argv[0] = path;
    enum process_end end = process_output(argv, seconds, &status, said);
    argv[0] = name;
    if (end == PROCESS_TIMEOUT)
        buf_printf(said, "%s has not answered within %.0f s", name, seconds);
    else if (end != PROCESS_ENDED)
        buf_printf(said, "%s cannot be run: %s", name, strerror(errno));
    return end == PROCESS_ENDED && status == 0 && !said->failed;
}

/* Joins lines: "sbatch: error: a; allocation failure: b". */
static const char *one_line(struct buf *text) {
    while (text->len && text->data[text->len - 1] == '\n')
        text->data[--text->len] = 0;
    struct buf line = {0};
    for (size_t i = 0; i < text->len; i++)
        if (text->data[i] == '\n')
            buf_puts(&line, "; ");
        else
            buf_putc(&line, text->data[i]);
    buf_free(text);
    *text = line;
    return line.len && !line.failed ? line.data : "no reason was given";
}

/* ---- sbatch ---- */

/* Escapes `%`, which is special in the name of a log. */
static void put_log(const char *folder, struct buf *to) {
    buf_puts(to, "--output=");
    for (; *folder; folder++)
        buf_printf(to, "%s%c", *folder == '%' ? "%" : "", *folder);
    buf_puts(to, "/%a.log");
}

static void put_script(const struct cluster *c, const char *folder, struct buf *to) {
    buf_puts(to, "--wrap=exec ");
    format_shell_word(c->heddle, to);
    buf_puts(to, " sweep --task ");
    format_shell_word(folder, to);
    buf_puts(to, "/\"$SLURM_ARRAY_TASK_ID\"");
}

/* An array of tasks, to be submitted under a name (--job-name=NAME). */
struct submission {
    const char *name, *folder;
    u32 tasks;
};

/* Runs sbatch. The user's options override those before them, and not those after. */
static bool sbatch(const struct cluster *c, const char *mode, const struct submission *sub, struct buf *said) {
    struct buf log = {0}, script = {0}, list = {0};
    char array[40];
    snprintf(array, sizeof array, "--array=0-%u", sub->tasks - 1);
    put_log(sub->folder, &log);
    put_script(c, sub->folder, &script);
    const char *first[] = {"sbatch", "--no-requeue", "--open-mode=append", "--ntasks=1", c->processors};
    const char *last[] = {mode, sub->name, array, log.data, script.data, NULL};
    buf_append(&list, first, sizeof first);
    buf_append(&list, c->options.we_wordv, c->options.we_wordc * sizeof(char *));
    buf_append(&list, last, sizeof last);
    bool whole = !log.failed && !script.failed && !list.failed;
    if (!whole)
        buf_puts(said, "out of memory");
    bool ok = whole && ask((const char **)(void *)list.data, SUBMIT_SECONDS, said);
    buf_free(&log);
    buf_free(&script);
    buf_free(&list);
    return ok;
}

bool cluster_submit(const struct cluster *c, struct array *a, struct buf *said) {
    char name[80];
    snprintf(name, sizeof name, "--job-name=%s", array_name(a).text);
    bool ok = sbatch(c, "--parsable", &(struct submission){name, a->path, array_task_count(a)}, said);
    if (ok && !slurm_read_job(said->data ? said->data : "", &a->job)) {
        buf_puts(said, " (that is no job number)");
        ok = false;
    }
    if (!ok) {
        cluster_cancel(a); /* in any case */
        one_line(said);
    }
    return ok;
}

/* ---- checks beforehand ---- */

static bool refused(struct buf *said, const char *what) {
    ui_error_as("--engine slurm", "%s: %s", what, one_line(said));
    buf_free(said);
    return false;
}

static bool split_options(struct cluster *c, const char *options) {
    int wrong = strchr(options, '\n') ? WRDE_BADCHAR : wordexp(options, &c->options, WRDE_NOCMD | WRDE_UNDEF);
    if (wrong == 0 && (!c->options.we_wordc || *c->options.we_wordv[0] == '-'))
        return true;
    ui_option_error("--slurm", options, 0, strlen(options),
                    wrong == 0 ? "expected options of sbatch, such as --partition=NAME"
                               : "these are no words, as a shell has them");
    if (wrong != 0)
        c->options = (wordexp_t){.we_wordc = 0};
    return false;
}

static bool check_commands(void) {
    static const char *const names[] = {"sbatch", "squeue", "scancel", "scontrol", "sinfo"};
    char path[PATH_MAX];
    for (u32 i = 0; i < COUNT_OF(names); i++)
        if (!process_find(names[i], path, sizeof path))
            return ui_error_as("--engine slurm",
                               "there is no %s in PATH; sweeps run on this computer without this option", names[i]);
    return true;
}

static bool check_limits(struct cluster *c) {
    const char *argv[] = {"scontrol", "show", "config", NULL};
    struct buf said = {0};
    if (!ask(argv, ANSWER_SECONDS, &said))
        return refused(&said, "Slurm does not answer");
    if (!slurm_read_limits(said.data ? said.data : "", &c->limits))
        return refused(&said, "'scontrol show config' has no MaxArraySize and MaxJobCount");
    buf_free(&said);
    if (c->limits.array && c->limits.jobs)
        return true;
    return ui_error_as("--engine slurm", "this cluster takes no arrays of jobs: MaxArraySize is %llu, MaxJobCount %llu",
                       (unsigned long long)c->limits.array, (unsigned long long)c->limits.jobs);
}

/* Checks the partition: sbatch checks that nodes could run a job, but not that a partition is up. */
static bool check_partition(const struct cluster *c) {
    char name[100], partition[140];
    const char *argv[] = {"sinfo", "--noheader", "--format=%a", partition, NULL};
    struct buf said = {0};
    if (!sbatch(c, "--test-only", &(struct submission){"--job-name=heddle", "/tmp", 1}, &said))
        return refused(&said, "Slurm could not run these tasks ('sinfo' shows its nodes)");
    bool known = slurm_read_partition(said.data ? said.data : "", name, sizeof name);
    buf_free(&said);
    if (!known)
        return true;
    snprintf(partition, sizeof partition, "--partition=%s", name);
    bool up = !ask(argv, ANSWER_SECONDS, &said) || !said.len || strncmp(said.data, "up", 2) == 0;
    if (!up)
        ui_error_as("--engine slurm", "the partition %s is %s, and would run no task", name, one_line(&said));
    buf_free(&said);
    return up;
}

bool cluster_open(struct cluster *c, const char *options, u32 processors) {
    *c = (struct cluster){.options = {.we_wordc = 0}};
    ssize_t len = readlink("/proc/self/exe", c->heddle, sizeof c->heddle - 1);
    snprintf(c->processors, sizeof c->processors, "--cpus-per-task=%u", processors);
    if (len <= 0)
        return ui_error_as("/proc/self/exe", "this program cannot be found");
    return split_options(c, options ? options : "") && check_commands() && check_limits(c) && check_partition(c);
}

void cluster_close(struct cluster *c) {
    if (c->options.we_wordv)
        wordfree(&c->options);
}

/* ---- a submitted array ---- */

bool cluster_look(const struct array *a, struct buf *answer) {
    char which[80], where[80];
    const char *argv[] = {"squeue", "--noheader", "--array", "--states=all", "--format=%K|%T|%r|%N", which, NULL, NULL};
    if (a->job.id)
        snprintf(which, sizeof which, "--jobs=%llu", (unsigned long long)a->job.id);
    else
        snprintf(which, sizeof which, "--name=%s", array_name(a).text);
    snprintf(where, sizeof where, "--clusters=%s", a->job.cluster);
    argv[6] = *a->job.cluster ? where : NULL;
    if (ask(argv, ANSWER_SECONDS, answer))
        return true;
    bool gone = answer->len && strstr(answer->data, "Invalid job id");
    if (gone)
        answer->data[answer->len = 0] = 0; /* Slurm has forgotten all of them */
    else
        one_line(answer);
    return gone;
}

void cluster_cancel(const struct array *a) {
    char name[80], where[80];
    const char *argv[] = {"scancel", "--quiet", name, NULL, NULL};
    struct buf ignored = {0};
    snprintf(name, sizeof name, "--name=%s", array_name(a).text);
    snprintf(where, sizeof where, "--clusters=%s", a->job.cluster);
    argv[3] = *a->job.cluster ? where : NULL;
    ask(argv, ANSWER_SECONDS, &ignored);
    buf_free(&ignored);
}
