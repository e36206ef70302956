#include "sim/cli/program.h"

#include <string.h>

#include "sim/cli/file.h"
#include "sim/cli/ui.h"

void program_complain(const struct loaded *l) {
    ui_show(stderr, heddle_error(l->h));
}

bool program_open(struct loaded *l, const char *path) {
    *l = (struct loaded){.h = heddle_new()};
    if (!l->h) {
        ui_error("out of memory");
        return false;
    }
    if (!file_read(path, &l->source))
        return false;
    l->program = heddle_load(l->h, strcmp(path, "-") == 0 ? "standard input" : path, l->source.data, l->source.len);
    if (!l->program)
        program_complain(l);
    return l->program != NULL;
}

/* A text holds no NUL, and the head of every object file does. */
bool program_is_object(const struct loaded *l) {
    return l->source.len && memchr(l->source.data, 0, l->source.len) != NULL;
}

bool program_may_replace(const char *input, const char *output) {
    if (!output_is_input(output, input))
        return true;
    ui_error_as(strcmp(output, "-") == 0 ? "standard output" : output, "is the file that is read, and is not replaced");
    return false;
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
