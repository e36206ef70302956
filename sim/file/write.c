#include "sim/file/write.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that is written and not yet renamed. */
struct staged {
    char target[PATH_MAX]; /* links resolved, so that a link stays one */
    char temp[PATH_MAX];   /* "" = the target is no regular file, such as /dev/null, and is written in place */
};

static bool write_all(int fd, const void *bytes, size_t len) {
    const char *at = bytes;
    while (len) {
        ssize_t n = write(fd, at, len < (1u << 30) ? len : 1u << 30);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        at += n;
        len -= (size_t)n;
    }
    return true;
}

static mode_t mode_for(const struct stat *old) {
    if (old)
        return old->st_mode & 07777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Finds the target, what it is, and whether it is there. False with errno when the path is none. */
static bool resolve(const char *path, struct staged *s, struct stat *st, bool *is_new) {
    *is_new = stat(path, st) != 0;
    if (*is_new && errno != ENOENT)
        return false;
    /* Only a regular file is replaced. The pipe behind /dev/stdout has no name to resolve. */
    bool regular = !*is_new && S_ISREG(st->st_mode);
    char *real = regular ? realpath(path, NULL) : NULL;
    if (regular && !real)
        return false;
    int n = snprintf(s->target, sizeof s->target, "%s", real ? real : path);
    free(real);
    if (n >= (int)sizeof s->target) {
        errno = ENAMETOOLONG;
        return false;
    }
    return true;
}

static bool name_temp(struct staged *s) {
    const char *slash = strrchr(s->target, '/');
    int folder = slash ? (int)(slash - s->target) + 1 : 0;
    int n = snprintf(s->temp, sizeof s->temp, "%.*s.heddle-XXXXXX", folder, s->target);
    if (n < (int)sizeof s->temp)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

static bool stage(const struct file_output *out, struct staged *s) {
    struct stat st;
    bool is_new;
    if (strcmp(out->path, "-") == 0)
        return true;
    if (!resolve(out->path, s, &st, &is_new))
        return false;
    if (!is_new && S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (!is_new && !S_ISREG(st.st_mode))
        return true;
    if (!is_new && access(s->target, W_OK) != 0)
        return false;
    if (!name_temp(s))
        return false;
    int fd = mkostemp(s->temp, O_CLOEXEC);
    if (fd < 0) {
        s->temp[0] = 0;
        return false;
    }
    bool ok = write_all(fd, out->bytes, out->len) && fchmod(fd, mode_for(is_new ? NULL : &st)) == 0;
    int why = errno;
    ok &= close(fd) == 0 || !ok;
    if (!ok)
        errno = why ? why : errno;
    return ok;
}

static bool commit(const struct file_output *out, struct staged *s) {
    if (strcmp(out->path, "-") == 0)
        return fflush(stdout) == 0 && write_all(STDOUT_FILENO, out->bytes, out->len);
    if (s->temp[0]) {
        if (rename(s->temp, s->target) != 0)
            return false;
        s->temp[0] = 0;
        return true;
    }
    int fd = open(s->target, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && write_all(fd, out->bytes, out->len);
    if (fd >= 0 && close(fd) != 0)
        ok = false;
    return ok;
}

static bool write_staged(const struct file_output *list, size_t n, struct staged *s, size_t *failed) {
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++) {
        ok = stage(&list[i], &s[i]);
        *failed = i;
    }
    /* First what is written in place, such as a device, which may fail; then only names change. */
    for (u32 renames = 0; renames < 2; renames++)
        for (size_t i = 0; i < n && ok; i++) {
            ok = (s[i].temp[0] != 0) != renames || commit(&list[i], &s[i]);
            *failed = i;
        }
    int why = errno;
    for (size_t i = 0; i < n; i++)
        if (s[i].temp[0])
            unlink(s[i].temp);
    errno = why;
    return ok;
}

bool output_write_all(const struct file_output *list, size_t n, size_t *failed) {
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t wait, before;
    struct staged *s = calloc(n ? n : 1, sizeof *s);
    *failed = 0;
    if (!s) {
        errno = ENOMEM;
        return n == 0;
    }
    sigemptyset(&wait);
    for (u32 i = 0; i < COUNT_OF(ends); i++)
        sigaddset(&wait, ends[i]);
    pthread_sigmask(SIG_BLOCK, &wait, &before);
    bool ok = write_staged(list, n, s, failed);
    int why = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    free(s);
    errno = why;
    return ok;
}

/* ---- the same file ---- */

static bool same(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool stat_of(const char *path, int stream, struct stat *st) {
    return (strcmp(path, "-") == 0 ? fstat(stream, st) : stat(path, st)) == 0;
}

bool output_is_input(const char *output, const char *input) {
    struct stat a, b;
    return stat_of(output, STDOUT_FILENO, &a) && stat_of(input, STDIN_FILENO, &b) && S_ISREG(a.st_mode) && same(&a, &b);
}

/* The folder of a target, and its name there. */
static bool place_of(struct staged *s, struct stat *folder, const char **name) {
    char *slash = strrchr(s->target, '/');
    *name = slash ? slash + 1 : s->target;
    if (!slash)
        return stat(".", folder) == 0;
    *slash = 0;
    return stat(slash == s->target ? "/" : s->target, folder) == 0;
}

bool output_same(const char *a, const char *b) {
    struct staged s, t;
    struct stat st, su;
    const char *name, *other;
    bool a_new, b_new;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return strcmp(a, b) == 0;
    if (!resolve(a, &s, &st, &a_new) || !resolve(b, &t, &su, &b_new) || a_new != b_new)
        return false;
    /* What is no regular file takes both, and /dev/null is there for that; but a pipe would mix them. */
    if (!a_new && !S_ISREG(st.st_mode))
        return !S_ISCHR(st.st_mode) && same(&st, &su);
    return place_of(&s, &st, &name) && place_of(&t, &su, &other) && same(&st, &su) && strcmp(name, other) == 0;
}

bool output_possible(const char *path) {
    struct stat st;
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (strcmp(path, "-") == 0)
        return true;
    bool there = stat(path, &st) == 0;
    errno = there && S_ISDIR(st.st_mode) ? EISDIR : 0;
    if (there && !errno && access(path, W_OK) == 0 && !S_ISREG(st.st_mode))
        return true;
    int n = slash ? (int)(slash - path) + 1 : 0;
    if (!errno && n < (int)sizeof folder) {
        snprintf(folder, sizeof folder, "%.*s", n ? n : 1, n ? path : ".");
        if (access(folder, W_OK | X_OK) == 0 && (!there || access(path, W_OK) == 0) && path[n])
            return true;
    }
    errno = errno ? errno : EISDIR;
    return false;
}
