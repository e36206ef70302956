#include "sim/cli/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/api/npy.h"
#include "sim/cli/ui.h"

bool file_exists(const char *path) {
    struct stat st;
    return strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISDIR(st.st_mode));
}

/* ---- reading ---- */

enum { CHUNK = 1 << 16 };

static const u64 text_most = (u64)1 << 28; /* bytes of a kernel, a board or a report, which are read whole */

static u64 wanted_text(const u8 *bytes, size_t len) {
    (void)bytes;
    return len > text_most ? len : text_most + 1;
}

/* Reads to the end of the file, or until no more bytes are wanted: a device may have no end. */
static bool read_all(int fd, struct buf *out, u64 (*wanted)(const u8 *, size_t)) {
    char chunk[CHUNK];
    ssize_t n = 1;
    while (n != 0) {
        u64 want = wanted((const u8 *)out->data, out->len);
        if (want <= out->len)
            break;
        u64 rest = want - out->len;
        n = read(fd, chunk, rest < sizeof chunk ? (size_t)rest : sizeof chunk);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        buf_append(out, chunk, (size_t)n);
        if (out->failed) {
            errno = ENOMEM;
            return false;
        }
    }
    buf_append(out, "", 0);
    return true;
}

static bool read_wanted(const char *path, struct buf *out, u64 (*wanted)(const u8 *, size_t)) {
    static bool stdin_was_read;
    bool standard = strcmp(path, "-") == 0;
    if (standard && stdin_was_read) {
        ui_error("standard input, '-', can be read only once");
        return false;
    }
    stdin_was_read |= standard;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 && read_all(fd, out, wanted);
    if (!ok)
        ui_error_as(standard ? "standard input" : path, "cannot be read: %s", strerror(errno));
    if (fd >= 0 && !standard)
        close(fd);
    return ok;
}

bool file_read(const char *path, struct buf *out) {
    if (!read_wanted(path, out, wanted_text))
        return false;
    if (out->len <= text_most)
        return true;
    ui_error_as(strcmp(path, "-") == 0 ? "standard input" : path, "it is longer than %llu bytes, the most that is read",
                (unsigned long long)text_most);
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
