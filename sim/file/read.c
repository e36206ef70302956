#include "sim/file/read.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

u64 input_text(const u8 *bytes, size_t len) {
    (void)bytes;
    return len > INPUT_TEXT_MOST ? len : INPUT_TEXT_MOST + 1;
}

bool input_read_open(int fd, input_wanted_fn wanted, struct buf *out) {
    char chunk[INPUT_CHUNK];
    ssize_t n = 1;
    while (n != 0 && !out->failed) {
        u64 want = wanted((const u8 *)out->data, out->len);
        if (want <= out->len)
            break;
        u64 rest = want - out->len;
        n = read(fd, chunk, rest < sizeof chunk ? (size_t)rest : sizeof chunk);
        if (n < 0 && errno == EAGAIN) /* standard input may be shared with a program that never waits */
            poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, -1);
        else if (n < 0 && errno != EINTR)
            return false;
        else if (n > 0)
            buf_append(out, chunk, (size_t)n);
    }
    buf_append(out, "", 0);
    errno = out->failed ? ENOMEM : errno;
    return !out->failed;
}

bool input_read(struct file_guard *guard, const char *path, input_wanted_fn wanted, struct buf *out) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ok = guard_open_input(guard, path, fd) && input_read_open(fd, wanted, out);
    int why = errno;
    close(fd);
    errno = why;
    return ok;
}

/* A plain file, below a folder if the reader has one: reading a pipe or a device may never end. */
static bool may_read(struct texts *t, const char *path) {
    char real[PATH_MAX];
    struct stat st;
    if (stat(path, &st) != 0 || !realpath(path, real))
        return false;
    size_t len = t->within ? strlen(t->within) : 0;
    bool below =
        !t->within || (strncmp(real, t->within, len) == 0 && (real[len] == '/' || strcmp(t->within, "/") == 0));
    bool ok = below && S_ISREG(st.st_mode);
    t->refused |= !ok;
    errno = 0;
    return ok;
}

const char *texts_read(void *texts, const char *name, size_t *len) {
    struct texts *t = texts;
    const char *slash = t->beside && *name != '/' ? strrchr(t->beside, '/') : NULL;
    char path[2 * PATH_MAX];
    int n =
        snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - t->beside) + 1 : 0, slash ? t->beside : "", name);
    if (n >= (int)sizeof path || t->count == TEXTS_MAX)
        return NULL;
    struct buf *text = &t->text[t->count];
    if (may_read(t, path) && input_read(t->guard, path, input_text, text)) {
        t->count++;
        *len = text->len;
        return text->len <= INPUT_TEXT_MOST ? text->data : NULL;
    }
    if (errno && errno != ENOENT && errno != ENOTDIR) {
        t->why = errno;
        snprintf(t->unread, sizeof t->unread, "%s", path);
    }
    buf_free(text);
    return NULL;
}

void texts_free(struct texts *t) {
    for (u32 i = 0; i < t->count; i++)
        buf_free(&t->text[i]);
}
