#include "sim/cli/sweep/slurm/array.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/cli/ui.h"
#include "sim/file/read.h"
#include "sim/file/write.h"

enum { LINE = 16 + 1 + 64 + 1 }; /* bytes of `points`: two numbers, in hexadecimal */

static void name_file(const struct array_folder *a, char path[PATH_MAX], const char *fmt, ...) PRINTF_LIKE(3, 4);

static void name_file(const struct array_folder *a, char path[PATH_MAX], const char *fmt, ...) {
    va_list args;
    int n = snprintf(path, PATH_MAX, "%s/", a->path);
    va_start(args, fmt);
    vsnprintf(path + n, PATH_MAX - (size_t)n, fmt, args);
    va_end(args);
}

struct short_text array_name(const struct array_folder *a) {
    struct short_text name;
    snprintf(name.text, sizeof name.text, "heddle-%.40s", strrchr(a->path, '/') + 1);
    return name;
}

/* ---- making one ---- */

static void put_points(const struct array_points *points, struct buf *text) {
    buf_printf(text, "%016x %-64s\n", points->chunk, "points of a task");
    for (u32 i = 0; i < array_point_count(points); i++) {
        const struct array_point *p = array_point_at(points, i);
        buf_printf(text, "%016llx %.64s\n", (unsigned long long)p->number, p->key.text);
    }
}

static bool write_file(const struct array_folder *a, const char *name, const struct buf *text) {
    char path[PATH_MAX];
    size_t failed;
    const struct file_output file = {path, text->data, text->len};
    name_file(a, path, "%s", name);
    if (!text->failed && output_write_all(&file, 1, &failed))
        return true;
    ui_error_as(path, "cannot be written: %s", text->failed ? "out of memory" : strerror(errno));
    return false;
}

/* Written where it lies, because a lock is on the file and not on its name. */
static bool lock_points(struct array_folder *a, const struct array_points *points) {
    char path[PATH_MAX];
    struct buf text = {0};
    name_file(a, path, "points");
    put_points(points, &text);
    a->lock = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool ok = !text.failed && a->lock >= 0 && flock(a->lock, LOCK_EX | LOCK_NB) == 0 &&
              output_write_open(a->lock, text.data, text.len) && fsync(a->lock) == 0;
    if (!ok)
        ui_error_as(path, "cannot be written: %s", text.failed ? "out of memory" : strerror(errno));
    buf_free(&text);
    return ok;
}

bool array_make(struct array_folder *a, const char *parent, const struct buf *words,
                const struct array_points *points) {
    *a = (struct array_folder){.lock = -1};
    int n = snprintf(a->path, sizeof a->path, "%s/XXXXXX", parent);
    bool fits = n < (int)sizeof a->path - NAME_MAX;
    if (!fits || (mkdir(parent, 0777) != 0 && errno != EEXIST) || !mkdtemp(a->path)) {
        ui_error_as(parent, "this folder cannot be made: %s", fits ? strerror(errno) : strerror(ENAMETOOLONG));
        return false;
    }
    if (lock_points(a, points) && write_file(a, "words", words))
        return true;
    array_remove(a);
    return false;
}

bool array_submitted(struct array_folder *a, const struct slurm_job *job) {
    struct buf text = {0};
    a->job = *job;
    buf_printf(&text, "%llu%s%s\n", (unsigned long long)job->id, *job->cluster ? ";" : "", job->cluster);
    bool ok = write_file(a, "job", &text);
    buf_free(&text);
    return ok;
}

/* ---- reading one ---- */

static bool read_line(const char *line, struct array_point *p) {
    char *end;
    p->number = strtoull(line, &end, 16);
    snprintf(p->key.text, sizeof p->key.text, "%.64s", line + 17);
    return end == line + 16 && *end == ' ' && line[LINE - 1] == '\n';
}

bool array_read_points(int fd, u32 task, struct array_points *points) {
    char line[LINE];
    struct array_point p;
    if (pread(fd, line, LINE, 0) != LINE || !read_line(line, &p) || !p.number || p.number > SWEEP_POINTS_MOST)
        return false;
    points->chunk = (u32)p.number;
    off_t at = LINE + (task == ARRAY_ALL ? 0 : (off_t)points->chunk * task * LINE);
    for (u32 i = 0; (task == ARRAY_ALL || i < points->chunk) && pread(fd, line, LINE, at) == LINE; i++, at += LINE) {
        if (!read_line(line, &p))
            return false;
        buf_append(&points->list, &p, sizeof p);
    }
    return points->list.len && !points->list.failed;
}

static bool read_text(const char *path, struct buf *text) {
    struct file_guard guard = {0};
    bool ok = input_read(&guard, path, input_text, text);
    guard_free(&guard);
    return ok;
}

bool array_adopt(struct array_folder *a, const char *parent, const char *name, struct array_points *points) {
    char path[PATH_MAX];
    struct buf job = {0};
    *a = (struct array_folder){.lock = -1};
    if (snprintf(a->path, sizeof a->path, "%s/%s", parent, name) >= (int)sizeof a->path - NAME_MAX)
        return false;
    name_file(a, path, "points");
    a->lock = open(path, O_RDWR | O_CLOEXEC);
    if (a->lock < 0 || flock(a->lock, LOCK_EX | LOCK_NB) != 0 || !array_read_points(a->lock, ARRAY_ALL, points)) {
        array_leave(a);
        return false;
    }
    name_file(a, path, "job");
    if (read_text(path, &job))
        slurm_read_job(job.data, &a->job);
    buf_free(&job);
    return true;
}

bool array_read(const struct array_folder *a, u32 task, const char *kind, struct buf *text) {
    char path[PATH_MAX];
    name_file(a, path, "%u.%s", task, kind);
    return read_text(path, text);
}

bool array_finished(const struct array_folder *a, bool (*each)(void *ctx, u32 task), void *ctx) {
    DIR *dir = opendir(a->path);
    bool ok = dir != NULL;
    for (struct dirent *e; ok && (e = readdir(dir));) {
        char *end;
        unsigned long task = strtoul(e->d_name, &end, 10);
        if (end > e->d_name && strcmp(end, ".rows") == 0 && task < UINT32_MAX)
            ok = each(ctx, (u32)task);
    }
    if (dir)
        closedir(dir);
    return ok;
}

/* ---- the end of one ---- */

void array_forget(const struct array_folder *a, u32 task) {
    static const char *const kinds[] = {"rows", "part", "log"};
    char path[PATH_MAX];
    for (u32 i = 0; i < COUNT_OF(kinds); i++) {
        name_file(a, path, "%u.%s", task, kinds[i]);
        unlink(path);
    }
}

void array_remove(struct array_folder *a) {
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

void array_leave(struct array_folder *a) {
    if (a->lock >= 0)
        close(a->lock);
    a->lock = -1;
}
