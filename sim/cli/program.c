#include "sim/cli/program.h"

#include <string.h>

#include "sim/cli/file.h"
#include "sim/cli/ui.h"
#include "sim/file/read.h"

void program_complain(const struct loaded *l) {
    ui_show(stderr, heddle_error(l->h));
}

struct heddle_program *program_read(struct heddle *h, const char *path, struct buf *source) {
    struct texts texts = {.guard = file_guard()};
    if (file_is_folder(path)) {
        ui_error_as(path, "this is a folder, and a kernel file is expected: 'heddle test' runs the cases of a folder");
        return NULL;
    }
    if (!file_read(path, source))
        return NULL;
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    const struct heddle_file file = {name, source->data, source->len, texts_read, &texts};
    struct heddle_program *p = heddle_load_file(h, &file);
    if (!p)
        ui_show(stderr, heddle_error(h));
    file_texts_read(&texts);
    texts_free(&texts);
    return p;
}

bool program_open(struct loaded *l, const char *path) {
    *l = (struct loaded){.h = heddle_new()};
    if (!l->h)
        return ui_error("out of memory");
    l->program = program_read(l->h, path, &l->source);
    return l->program != NULL;
}

/* True for an object file: its head has a NUL, which a text has not. */
bool program_is_object(const struct loaded *l) {
    return l->source.len && memchr(l->source.data, 0, l->source.len) != NULL;
}

bool program_write(const struct loaded *l, char *bytes, size_t len, const char *output) {
    if (!bytes)
        program_complain(l);
    bool ok = bytes && file_write(output, bytes, len);
    heddle_release(bytes);
    return ok;
}

void program_close(struct loaded *l) {
    heddle_program_free(l->program);
    heddle_free(l->h);
    buf_free(&l->source);
}
