/*
 * Replaces computer.c, process.c, write.c, write_place.c and guard.c in WebAssembly, where files can only be read: no
 * terminal, no other program, no output to guard.
 */
#include <errno.h>

#include "sim/file/computer.h"
#include "sim/file/guard.h"
#include "sim/file/process.h"
#include "sim/file/write.h"

bool self_file(void (*inside)(void), char *path, size_t size) {
    (void)inside, (void)path, (void)size;
    return false;
}

bool process_find(const char *name, char *path, size_t size) {
    (void)name, (void)path, (void)size;
    return false;
}

enum process_end process_run(const char *const *argv, const void *text, size_t len, double *seconds, struct buf *out) {
    (void)argv, (void)text, (void)len, (void)seconds, (void)out;
    errno = ENOSYS;
    return PROCESS_FAILED;
}

u32 terminal_width(void) {
    return 100;
}

bool output_write_all(const struct file_output *list, size_t n, size_t *failed) {
    (void)list, (void)n;
    *failed = 0;
    errno = EROFS;
    return false;
}

bool output_possible(const char *path) {
    (void)path;
    errno = EROFS;
    return false;
}

bool output_is_input(const char *output, const char *input) {
    (void)output, (void)input;
    return false;
}

bool output_same(const char *a, const char *b) {
    (void)a, (void)b;
    return false;
}

bool guard_input(struct file_guard *g, const char *path) {
    (void)g, (void)path;
    return true;
}

bool guard_open_input(struct file_guard *g, const char *path, int fd) {
    (void)g, (void)path, (void)fd;
    return true;
}

enum guard_answer guard_output(struct file_guard *g, const char *path, const char *label, const char **other) {
    (void)g, (void)path, (void)label, (void)other;
    return GUARD_FREE;
}

void guard_written(struct file_guard *g) {
    (void)g;
}

void guard_forget(struct file_guard *g) {
    (void)g;
}

void guard_free(struct file_guard *g) {
    (void)g;
}
