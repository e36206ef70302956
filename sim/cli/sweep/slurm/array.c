#include "sim/cli/sweep/slurm/slurm.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/cli/ui.h"
#include "sim/file/read.h"
#include "sim/file/computer.h"
#include "sim/file/write.h"

enum { LINE = 16 + 1 + 64 + 1 }; /* bytes of a line of `points`: two numbers, in hexadecimal */

static void name_file(const struct array *a, char path[PATH_MAX], const char *fmt, ...) PRINTF_LIKE(3, 4);

static void name_file(const struct array *a, char path[PATH_MAX], const char *fmt, ...) {
    va_list args;
    int n = snprintf(path, PATH_MAX, "%s/", a->path);
    va_start(args, fmt);
    vsnprintf(path + n, PATH_MAX - (size_t)n, fmt, args);
    va_end(args);
}

bool array_parent(const char *store, char path[PATH_MAX]) {
    char copy[PATH_MAX], folder[PATH_MAX];
    bool ok = snprintf(copy, sizeof copy, "%s", store) < (int)sizeof copy && realpath(dirname(copy), folder);
    const char *slash = strrchr(store, '/');
    ok = ok && snprintf(path, PATH_MAX, "%s/%s.slurm", folder, slash ? slash + 1 : store) < PATH_MAX;
    if (!ok)
        ui_error_as(store, "this folder cannot be found");
    return ok;
}

struct short_text array_name(const struct array *a) {
    struct short_text name;
    snprintf(name.text, sizeof name.text, "heddle-%.40s", strrchr(a->path, '/') + 1);
    return name;
}

/* ---- making an array ---- */

static void put_points(const struct array *a, struct buf *text) {
    buf_printf(text, "%016x %-64s\n", a->chunk, "points of a task");
    for (u32 i = 0; i < array_point_count(a); i++) {
        const struct array_point *p = array_point_at(a, i);
        buf_printf(text, "%016llx %.64s\n", (unsigned long long)p->number, p->key.text);
    }
}

static bool write_file(const struct array *a, const char *name, const struct buf *text) {
    char path[PATH_MAX];
    size_t failed;
    const struct file_output file = {path, text->data, text->len};
    name_file(a, path, "%s", name);
    if (!text->failed && output_write_all(&file, 1, &failed))
        return true;
    return ui_error_as(path, "cannot be written: %s", text->failed ? "out of memory" : strerror(errno));
}

/* Writes `points` in place, because a lock is on the file and not on its name. */
static bool lock_points(struct array *a) {
    char path[PATH_MAX];
    struct buf text = {0};
    name_file(a, path, "points");
    put_points(a, &text);
    a->lock = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool ok = !text.failed && a->lock >= 0 && flock(a->lock, LOCK_EX | LOCK_NB) == 0 &&
              output_write_open(a->lock, text.data, text.len) && fsync(a->lock) == 0;
    if (!ok)
        ui_error_as(path, "cannot be written: %s", text.failed ? "out of memory" : strerror(errno));
    buf_free(&text);
    return ok;
}

bool array_make(struct array *a, const char *parent, const struct buf *words) {
    a->lock = -1;
    int n = snprintf(a->path, sizeof a->path, "%s/XXXXXX", parent);
    bool fits = n < (int)sizeof a->path - NAME_MAX;
    if (!fits || (mkdir(parent, 0777) != 0 && errno != EEXIST) || !mkdtemp(a->path))
        return ui_error_as(parent, "this folder cannot be made: %s", fits ? strerror(errno) : strerror(ENAMETOOLONG));
    if (lock_points(a) && write_file(a, "words", words))
        return true;
    array_remove(a);
    return false;
}

bool array_submitted(const struct array *a) {
    struct buf text = {0};
    const char *cluster = a->job.cluster;
    buf_printf(&text, "%llu%s%s\n", (unsigned long long)a->job.id, *cluster ? ";" : "", cluster);
    bool ok = write_file(a, "job", &text);
    buf_free(&text);
    return ok;
}

/* ---- reading an array ---- */

static bool read_line(const char *line, struct array_point *p) {
    char *end;
    p->number = strtoull(line, &end, 16);
    snprintf(p->key.text, sizeof p->key.text, "%.64s", line + 17);
    return end == line + 16 && *end == ' ' && line[LINE - 1] == '\n';
}

bool array_read_points(int fd, u32 task, struct array *a) {
    char line[LINE];
    struct array_point p;
    if (pread(fd, line, LINE, 0) != LINE || !read_line(line, &p) || !p.number || p.number > SWEEP_POINTS_MOST)
        return false;
    a->chunk = (u32)p.number;
    off_t at = LINE + (task == ARRAY_ALL ? 0 : (off_t)a->chunk * task * LINE);
    for (u32 i = 0; (task == ARRAY_ALL || i < a->chunk) && pread(fd, line, LINE, at) == LINE; i++, at += LINE) {
        if (!read_line(line, &p))
            return false;
        buf_append(&a->points, &p, sizeof p);
    }
    return a->points.len && !a->points.failed;
}

static bool read_text(const char *path, struct buf *text) {
    struct file_guard guard = {0};
    bool ok = input_read(&guard, path, input_text, text);
    guard_free(&guard);
    return ok;
}

bool array_adopt(struct array *a, const char *parent, const char *name) {
    char path[PATH_MAX];
    struct buf job = {0};
    *a = (struct array){.lock = -1};
    if (snprintf(a->path, sizeof a->path, "%s/%s", parent, name) >= (int)sizeof a->path - NAME_MAX)
        return false;
    name_file(a, path, "points");
    a->lock = open(path, O_RDWR | O_CLOEXEC);
    if (a->lock < 0 || flock(a->lock, LOCK_EX | LOCK_NB) != 0 || !array_read_points(a->lock, ARRAY_ALL, a)) {
        array_leave(a);
        return false;
    }
    name_file(a, path, "job");
    if (read_text(path, &job))
        slurm_read_job(job.data, &a->job);
    buf_free(&job);
    return true;
}

bool array_read(const struct array *a, u32 task, const char *kind, struct buf *text) {
    char path[PATH_MAX];
    name_file(a, path, "%u.%s", task, kind);
    return read_text(path, text);
}

void array_log_end(const struct array *a, u32 task, struct buf *to) {
    enum { SHOWN = 300 };
    struct buf text = {0};
    bool there = array_read(a, task, "log", &text);
    while (text.len && text.data[text.len - 1] == '\n')
        text.data[--text.len] = 0;
    const char *at = text.len > SHOWN ? text.data + text.len - SHOWN : text.data;
    if (text.len)
        buf_printf(to, "; its log ends with: %s", at);
    else if (!there)
        buf_puts(to, "; it has left no log: do the nodes share the folder of the store, and have heddle there?");
    buf_free(&text);
}

bool array_finished(struct array *a, bool (*each)(void *ctx, struct array *a, u32 task), void *ctx) {
    DIR *dir = opendir(a->path);
    bool ok = dir != NULL;
    for (struct dirent *e; ok && (e = readdir(dir));) {
        char *end;
        unsigned long task = strtoul(e->d_name, &end, 10);
        if (end > e->d_name && strcmp(end, ".rows") == 0 && task < UINT32_MAX)
            ok = each(ctx, a, (u32)task);
    }
    if (dir)
        closedir(dir);
    return ok;
}

/* ---- its tasks ---- */

struct array *array_begin(const struct array *from, u32 *point, struct arena *arena) {
    u32 tasks = array_task_count(from);
    struct array *a = arena_alloc(arena, sizeof *a);
    struct array_task *task = arena_alloc(arena, tasks * sizeof *task);
    if (!a || !task)
        return NULL;
    *a = *from;
    a->tasks = a->open = a->waits = tasks;
    a->point = point;
    a->task = task;
    a->answered = stopwatch_now();
    return a;
}

static void note_task(struct array *a, const struct slurm_task *t, double now) {
    struct array_task *mine = t->index < a->tasks ? &a->task[t->index] : NULL;
    if (!mine || mine->over)
        return;
    if (!mine->ended)
        mine->since = now;
    mine->listed = true;
    mine->ended = t->over;
    mine->failed = t->over && !t->completed;
    snprintf(mine->why, sizeof mine->why, "%s", t->why);
    a->runs += t->runs;
    if (!t->runs && !t->over) {
        a->waits++;
        snprintf(a->reason, sizeof a->reason, "%s", t->why);
    }
}

static bool is_believable(const char *answer) {
    struct slurm_task t;
    enum slurm_answer part;
    while ((part = slurm_read_task(&answer, &t)) == SLURM_TASK)
        ;
    return part == SLURM_END;
}

/*
 * Reads an answer of squeue; false if it is malformed. Slurm forgets tasks that have ended, so a task that is not
 * listed has ended.
 */
static bool read_queue(struct array *a, const char *answer, double now) {
    struct slurm_task t;
    if (!is_believable(answer))
        return false;
    a->answered = now;
    a->runs = a->waits = 0;
    for (u32 i = 0; i < a->tasks; i++)
        a->task[i].listed = false;
    while (slurm_read_task(&answer, &t) == SLURM_TASK)
        note_task(a, &t, now);
    for (u32 i = 0; i < a->tasks; i++) {
        struct array_task *mine = &a->task[i];
        if (mine->listed || mine->ended)
            continue;
        mine->ended = true;
        mine->since = now;
        snprintf(mine->why, sizeof mine->why, "Slurm does not know of it");
    }
    return true;
}

bool array_looks(const struct array *a, double now) {
    enum { SECONDS = 2, TASKS = 500 }; /* between looks; and one second more for each 500 tasks */
    size_t wait = SECONDS + a->open / TASKS;
    return now - a->looked >= (double)wait;
}

bool array_look(struct array *a, double now) {
    static const double silent = 600; /* seconds */
    struct buf text = {0};
    a->looked = now;
    bool answered = cluster_look(a, &text) && read_queue(a, text.data ? text.data : "", now);
    bool lost = !answered && now - a->answered > silent;
    if (lost)
        ui_error_as("squeue", "no answer for %.0f s: %s; the same command continues with what is running", silent,
                    text.len && !text.failed ? text.data : "");
    buf_free(&text);
    return !lost;
}

bool array_is_shared(const struct array *a) {
    for (u32 i = 0; i < array_point_count(a); i++)
        if (a->point[i] == UINT32_MAX && !a->task[i / a->chunk].over)
            return true;
    return false;
}

/* ---- the end of an array ---- */

void array_end_task(struct array *a, u32 task) {
    static const char *const kinds[] = {"rows", "part", "log"};
    char path[PATH_MAX];
    for (u32 i = 0; i < COUNT_OF(kinds); i++) {
        name_file(a, path, "%u.%s", task, kinds[i]);
        unlink(path);
    }
    a->task[task].over = true;
    a->open--;
}

void array_remove(struct array *a) {
    char path[PATH_MAX];
    DIR *dir = opendir(a->path);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        name_file(a, path, "%s", e->d_name);
        unlink(path);
    }
    if (dir)
        closedir(dir);
    rmdir(a->path);
    array_leave(a);
}

void array_leave(struct array *a) {
    if (a->lock >= 0)
        close(a->lock);
    a->lock = -1;
    buf_free(&a->points);
}

void array_drop(struct array **link, bool leave) {
    struct array *a = *link;
    *link = a->next;
    if (leave)
        array_leave(a);
    else
        array_remove(a);
}
