#include "sim/file/guard.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/file/write.h"

struct input {
    const char *name;
    dev_t dev;
    ino_t ino;
};

struct output {
    const char *path, *label;
    struct output_id id;
};

static u32 count(const struct buf *list, size_t size) {
    return (u32)(list->len / size);
}

static struct input *input_list(const struct buf *b) {
    return (struct input *)(void *)b->data;
}

static struct output *output_list(const struct file_guard *g) {
    return (struct output *)(void *)g->outputs.data;
}

/* Finds the entry of that file, under that name unless it is NULL; NULL if there is none. */
static struct input *find(const struct buf *list, dev_t dev, ino_t ino, const char *name) {
    struct input *in = input_list(list);
    for (u32 i = 0; i < count(list, sizeof *in); i++)
        if (in[i].dev == dev && in[i].ino == ino && (!name || strcmp(in[i].name, name) == 0))
            return &in[i];
    return NULL;
}

static bool note(struct file_guard *g, const char *path, const struct stat *st) {
    if (!S_ISREG(st->st_mode)) /* no file that could be replaced */
        return true;
    if (find(&g->own, st->st_dev, st->st_ino, NULL) || find(&g->inputs, st->st_dev, st->st_ino, path))
        return true;
    struct input in = {arena_strndup(&g->arena, path, strlen(path)), st->st_dev, st->st_ino};
    buf_append(&g->inputs, &in, sizeof in);
    if (in.name && !g->inputs.failed)
        return true;
    errno = ENOMEM;
    return false;
}

bool guard_input(struct file_guard *g, const char *path) {
    struct stat st;
    return stat(path, &st) != 0 || note(g, path, &st);
}

bool guard_open_input(struct file_guard *g, const char *path, int fd) {
    struct stat st;
    return fstat(fd, &st) == 0 && note(g, path, &st);
}

/* Returns the name of the input that is now this file. */
static const char *input_name(const struct file_guard *g, const struct output_id *id) {
    const struct input *in = input_list(&g->inputs);
    bool own = find(&g->own, id->dev, id->ino, NULL) != NULL;
    for (u32 i = 0; i < count(&g->inputs, sizeof *in) && !own; i++)
        if (output_id_is_input(id, in[i].name))
            return strcmp(in[i].name, "-") == 0 ? "standard input" : in[i].name;
    return NULL;
}

enum guard_answer guard_output(struct file_guard *g, const char *path, const char *label, const char **other) {
    struct output out = {.path = path, .label = label};
    const struct output *list = output_list(g);
    if (!output_identify(path, &out.id))
        out.id.takes_all = true; /* writing will report the error */
    *other = input_name(g, &out.id);
    if (*other)
        return GUARD_INPUT;
    for (u32 i = 0; i < count(&g->outputs, sizeof *list); i++)
        if (output_id_same(&out.id, &list[i].id)) {
            *other = list[i].label;
            return GUARD_OUTPUT;
        }
    buf_append(&g->outputs, &out, sizeof out);
    return g->outputs.failed ? GUARD_MEMORY : GUARD_FREE;
}

const char *guard_replaces(const struct file_guard *g, const char *path) {
    struct output_id id;
    return output_identify(path, &id) ? input_name(g, &id) : NULL;
}

bool guard_promised(const struct file_guard *g, const char *path) {
    const struct output *list = output_list(g);
    for (u32 i = 0; i < count(&g->outputs, sizeof *list); i++)
        if (strcmp(list[i].path, path) == 0)
            return true;
    return false;
}

void guard_written(struct file_guard *g) {
    const struct output *list = output_list(g);
    for (u32 i = 0; i < count(&g->outputs, sizeof *list); i++) {
        struct stat st;
        if (strcmp(list[i].path, "-") == 0 || stat(list[i].path, &st) != 0)
            continue;
        struct input in = {NULL, st.st_dev, st.st_ino}, *old = find(&g->own, list[i].id.dev, list[i].id.ino, NULL);
        if (old)
            *old = in; /* the file before it no longer exists */
        else
            buf_append(&g->own, &in, sizeof in);
    }
    guard_forget(g);
}

void guard_forget(struct file_guard *g) {
    g->outputs.len = 0;
}

void guard_free(struct file_guard *g) {
    buf_free(&g->inputs);
    buf_free(&g->outputs);
    buf_free(&g->own);
    arena_free(&g->arena);
}
