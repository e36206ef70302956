#include "sim/cli/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/api/npy.h"
#include "sim/base/diag.h"
#include "sim/cli/ui.h"

bool file_is_folder(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool file_exists(const char *path) {
    struct stat st;
    return strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISDIR(st.st_mode));
}

/* ---- reading ---- */

/* The files of the command; lives as long as the process. */
static struct file_guard guard;

struct file_guard *file_guard(void) {
    return &guard;
}

static const char *input_name(const char *path) {
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static bool read_wanted(const char *path, struct buf *out, input_wanted_fn wanted) {
    static bool stdin_was_read;
    bool standard = strcmp(path, "-") == 0;
    if (standard && stdin_was_read)
        return ui_error("standard input, '-', can be read only once");
    stdin_was_read |= standard;
    bool ok = standard ? guard_open_input(&guard, path, STDIN_FILENO) && input_read_open(STDIN_FILENO, wanted, out)
                       : input_read(&guard, path, wanted, out);
    if (!ok) {
        ui_error_as(input_name(path), "cannot be read: %s", strerror(errno));
        buf_free(out); /* what was read before the failure */
    }
    return ok;
}

bool file_texts_read(const struct texts *texts) {
    if (texts->why)
        ui_error_as(texts->unread, "cannot be read: %s", strerror(texts->why));
    return !texts->why;
}

bool file_read_plain(const char *path, struct buf *out) {
    struct stat st;
    if (strcmp(path, "-") != 0 && stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return ui_error_as(path, "expected a plain file");
    return file_read(path, out);
}

bool file_read(const char *path, struct buf *out) {
    if (!read_wanted(path, out, input_text))
        return false;
    if (out->len <= INPUT_TEXT_MOST)
        return true;
    return ui_error_as(input_name(path), "it is longer than %s bytes, the most that is read",
                       grouped(INPUT_TEXT_MOST).text);
}

enum { LINE_MOST = 1 << 26 };

/* Returns the bytes up to the end of the first line. */
static u64 line_wanted(const u8 *bytes, size_t len) {
    size_t fresh = len < INPUT_CHUNK ? len : INPUT_CHUNK; /* earlier bytes were searched before */
    bool enough = len && (memchr(bytes + len - fresh, '\n', fresh) || len > LINE_MOST);
    return enough ? len : 2 * len + 65536;
}

bool file_read_line(const char *path, struct buf *out) {
    if (!read_wanted(path, out, line_wanted))
        return false;
    const char *end = out->len ? memchr(out->data, '\n', out->len) : NULL;
    out->len = end ? (size_t)(end - out->data) : out->len;
    if (out->len <= LINE_MOST)
        return true;
    return ui_error_as(input_name(path), "its first line is longer than %s bytes, the most that is read",
                       grouped(LINE_MOST).text);
}

bool file_read_npy(const char *path, struct buf *out) {
    return read_wanted(path, out, npy_wanted);
}

/* ---- writing ---- */

static void cannot_write(const char *path) {
    ui_error_as(strcmp(path, "-") == 0 ? "standard output" : path, "cannot be written: %s", strerror(errno));
}

bool file_promise(const char *option, const char *value, const char *path) {
    const char *other;
    size_t len = strlen(path), at = strlen(value) - len, size = strlen(option) + strlen(value) + 2;
    char *label = arena_alloc(&guard.arena, size);
    if (!len)
        return ui_option_error(option, value, at, 1, "expected a file");
    if (!output_possible(path)) {
        cannot_write(path);
        return false;
    }
    if (label)
        snprintf(label, size, "%s %s", option, value);
    switch (label ? guard_output(&guard, path, label, &other) : GUARD_MEMORY) {
    case GUARD_FREE: return true;
    case GUARD_INPUT: ui_option_error(option, value, at, len, "'%s' is read, and is not replaced", other); break;
    case GUARD_OUTPUT: ui_option_error(option, value, at, len, "'%s' writes this file too", other); break;
    case GUARD_MEMORY: ui_error("out of memory"); break;
    }
    return false;
}

bool file_write_all(const struct file_output *list, size_t n) {
    size_t failed;
    for (size_t i = 0; i < n; i++)
        if (!guard_promised(&guard, list[i].path))
            BUG("an output that no option has promised");
    for (size_t i = 0; i < n; i++) {
        const char *input = guard_replaces(&guard, list[i].path); /* an input read after the promise */
        if (input)
            return ui_error_as(list[i].path, "'%s' is read, and is not replaced", input);
    }
    bool ok = output_write_all(list, n, &failed);
    if (!ok)
        cannot_write(list[failed].path);
    return ok;
}

bool file_write(const char *path, const void *bytes, size_t len) {
    struct file_output out = {path, bytes, len};
    return file_write_all(&out, 1);
}

bool file_ends_in(const char *name, const char *end) {
    size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}
