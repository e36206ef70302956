#include "sim/cli/file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/file/read.h"
#include "sim/api/npy.h"
#include "sim/cli/ui.h"

bool file_exists(const char *path) {
    struct stat st;
    return strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISDIR(st.st_mode));
}

/* ---- reading ---- */

static const char *input_name(const char *path) {
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static bool read_wanted(const char *path, struct buf *out, input_wanted_fn wanted) {
    static bool stdin_was_read;
    bool standard = strcmp(path, "-") == 0;
    if (standard && stdin_was_read) {
        ui_error("standard input, '-', can be read only once");
        return false;
    }
    stdin_was_read |= standard;
    bool ok = standard ? input_read_open(STDIN_FILENO, wanted, out) : input_read(path, wanted, out);
    if (!ok)
        ui_error_as(input_name(path), "cannot be read: %s", strerror(errno));
    return ok;
}

bool file_read(const char *path, struct buf *out) {
    if (!read_wanted(path, out, input_text))
        return false;
    if (out->len <= INPUT_TEXT_MOST)
        return true;
    ui_error_as(input_name(path), "it is longer than %llu bytes, the most that is read",
                (unsigned long long)INPUT_TEXT_MOST);
    return false;
}

bool file_read_npy(const char *path, struct buf *out) {
    return read_wanted(path, out, npy_wanted);
}

/* ---- writing ---- */

static void cannot_write(const char *path) {
    ui_error_as(strcmp(path, "-") == 0 ? "standard output" : path, "cannot be written: %s", strerror(errno));
}

bool file_write_all(const struct file_output *list, size_t n) {
    size_t failed;
    bool ok = output_write_all(list, n, &failed);
    if (!ok)
        cannot_write(list[failed].path);
    return ok;
}

bool file_write(const char *path, const void *bytes, size_t len) {
    struct file_output out = {path, bytes, len};
    return file_write_all(&out, 1);
}

bool file_may_write(const char *path) {
    bool ok = output_possible(path);
    if (!ok)
        cannot_write(path);
    return ok;
}
