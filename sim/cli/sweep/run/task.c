#include "sim/cli/sweep/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/command.h"
#include "sim/cli/file.h"
#include "sim/cli/sweep/slurm/slurm.h"
#include "sim/cli/ui.h"
#include "sim/file/document.h"
#include "sim/file/write.h"

struct task {
    struct sweep *s;
    int fd; /* file of its lines */
    struct workers workers;
    bool failed; /* a line could not be written, or a point has changed since the submission */
};

bool sweep_task_name(const char *text, char *folder, size_t size, u32 *task) {
    const char *slash = strrchr(text, '/');
    char *end = NULL;
    unsigned long n = slash ? strtoul(slash + 1, &end, 10) : 0;
    if (!slash || end == slash + 1 || *end || n >= ARRAY_ALL || (size_t)(slash - text) >= size)
        return ui_option_error("--task", text, 0, strlen(text), "expected FOLDER/NUMBER, as Slurm's tasks have it");
    snprintf(folder, size, "%.*s", (int)(slash - text), text);
    *task = (u32)n;
    return true;
}

bool sweep_task_words(const char *folder, struct arena *arena, int *argc, char ***argv) {
    char path[PATH_MAX];
    struct buf text = {0};
    snprintf(path, sizeof path, "%s/words", folder);
    bool ok = file_read(path, &text);
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++)
        n += !text.data[i];
    char *kept = arena_alloc(arena, text.len + 1);
    *argv = arena_alloc(arena, (n + 1) * sizeof **argv);
    if (ok && (!n || !kept || !*argv)) {
        ui_error_as(path, "%s", n ? "out of memory" : "these are not the words of a sweep");
        ok = false;
    }
    *argc = 0;
    if (ok)
        memcpy(kept, text.data, text.len); /* with the NUL after it */
    for (size_t at = 0; ok && *argc < (int)n; at += strlen(kept + at) + 1)
        (*argv)[(*argc)++] = kept + at;
    buf_free(&text);
    return ok;
}

/* Writes a line in one write, so that only the last line can be incomplete. */
static bool put_line(struct task *t, json_t *line) {
    struct buf text = {0};
    bool ok = json_write_line(line, &text) && output_write_open(t->fd, text.data, text.len);
    if (!ok)
        ui_error("a result cannot be written: %s", strerror(errno));
    buf_free(&text);
    t->failed |= !ok;
    return ok;
}

static bool keep(void *ctx, u32 point, enum store_state state, const json_t *row) {
    struct task *t = ctx;
    const struct sweep_point *p = sweep_point_at(t->s, point);
    struct buf command = {0};
    sweep_command_text(t->s, p, &command);
    json_t *line = json_make("{s:s,s:s}", "key", p->is.key.text, "state", store_state_name(state));
    json_put(line, "command", json_text(command.failed ? "" : command.data));
    json_put(line, "row", json_clone(row));
    bool ok = put_line(t, line);
    buf_free(&command);
    return ok;
}

static bool read_line(const json_t *line, struct task_line *l) {
    const char *begun = json_string_value(json_object_get(line, "begun"));
    const char *state = json_string_value(json_object_get(line, "state"));
    const char *command = json_string_value(json_object_get(line, "command"));
    const char *key = begun ? begun : json_string_value(json_object_get(line, "key"));
    *l = (struct task_line){key, command ? command : "", STORE_DONE, json_object_get(line, "row")};
    if (begun || !key || !state || !json_is_object(l->row)) {
        l->row = NULL;
        return begun;
    }
    while (l->state <= STORE_FAILED && strcmp(state, store_state_name(l->state)) != 0)
        l->state++;
    return l->state <= STORE_FAILED;
}

bool sweep_task_lines(const struct buf *text, bool (*take)(void *ctx, const struct task_line *line), void *ctx) {
    bool ok = true;
    for (size_t at = 0, len; ok && at < text->len; at += len + 1) {
        const char *end = memchr(text->data + at, '\n', text->len - at);
        struct buf ignored = {0};
        struct task_line l;
        len = end ? (size_t)(end - text->data) - at : text->len - at;
        json_t *line = end ? document_read("line", text->data + at, len, &ignored) : NULL;
        ok = !line || !read_line(line, &l) || take(ctx, &l);
        json_decref(line);
        buf_free(&ignored);
    }
    return ok;
}

/* Checks that a point is the submitted one, and begins it: its files, or heddle itself, may differ on this computer. */
static bool begin(struct task *t, u32 point, const struct array_point *want) {
    struct sweep_point *p = sweep_point_at(t->s, point);
    if (!put_line(t, json_make("{s:s}", "begun", want->key.text)) || sweep_identify(t->s, p) != EXIT_OK)
        return false;
    if (strcmp(p->is.key.text, want->key.text) == 0)
        return workers_start(&t->workers, point);
    return ui_error("heddle, or a file that this point reads, is not the same here as where it was submitted");
}

static bool run_points(struct task *t, const struct array *points, u32 jobs) {
    bool ok = true;
    u32 n = array_point_count(points);
    for (u32 i = 0; ok && (i < n || t->workers.busy);) {
        while (ok && i < n && t->workers.busy < jobs) {
            struct sweep_point *p = buf_push(&t->s->points, sizeof *p);
            if (!p)
                return false;
            p->number = array_point_at(points, i)->number;
            ok = begin(t, i, array_point_at(points, i));
            i++;
        }
        ok = ok && workers_listen(&t->workers, -1);
    }
    return ok && !t->failed;
}

/* Gives the file its name once everything is on the disk. */
static bool finish(struct task *t, const char *part, const char *rows) {
    bool ok = fsync(t->fd) == 0 && (rename(part, rows) == 0 || access(rows, F_OK) == 0);
    if (!ok)
        ui_error_as(rows, "cannot be written: %s", strerror(errno));
    return ok;
}

static bool read_points(const char *folder, u32 task, struct array *points) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/points", folder);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 && array_read_points(fd, task, points);
    if (!ok)
        ui_error_as(path, "%s", fd < 0 ? strerror(errno) : "there are no points of this task");
    if (fd >= 0)
        close(fd);
    return ok;
}

int sweep_task(struct sweep *s, const char *folder, u32 task, u32 jobs) {
    struct task t = {.s = s, .fd = -1};
    struct array points = {.lock = -1};
    char part[PATH_MAX + 40], rows[PATH_MAX + 40];
    snprintf(part, sizeof part, "%s/%u.part", folder, task);
    snprintf(rows, sizeof rows, "%s/%u.rows", folder, task);
    t.workers = (struct workers){.s = s, .ended = keep, .ctx = &t};
    bool ok = read_points(folder, task, &points) && sweep_begin(s);
    if (ok && (t.fd = open(part, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) < 0)
        ui_error_as(part, "cannot be written: %s", strerror(errno));
    ok = ok && t.fd >= 0 && run_points(&t, &points, jobs) && finish(&t, part, rows);
    workers_kill(&t.workers, NULL);
    if (t.fd >= 0)
        close(t.fd);
    buf_free(&points.points);
    return ok ? EXIT_OK : EXIT_INPUT;
}
