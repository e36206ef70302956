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

#include "sim/file/write_place.h"

enum {
    LINKS = 40,      /* most links followed, as in the kernel */
    OPEN_MOST = 100, /* most unnamed files open at a time; more are staged by name */
    TRIES = 1000     /* tries to find an unused temporary name */
};

/* A file that is written but not yet renamed. */
struct staged {
    char target[PATH_MAX]; /* links followed, so that a link stays one */
    char temp[PATH_MAX];   /* name of the temporary file; "" = none */
    bool in_place;         /* writes to the target directly: it is no regular file, such as /dev/null */
    bool is_new;           /* there is no file of the target's name */
    bool made, swapped;    /* took the target's name, which was free, or exchanged it for `temp` */
    int fd;                /* an unnamed temporary file; -1 = none */
};

bool output_write_open(int fd, const void *bytes, size_t len) {
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

/* Returns the length of the folder in a path: "a/b/" of "a/b/c". */
static int folder_len(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path) + 1 : 0;
}

static bool too_long(void) {
    errno = ENAMETOOLONG;
    return false;
}

/* Finds the file to be written: follows all links of the path's last part, also a dangling one. */
static bool follow(const char *path, char target[PATH_MAX]) {
    char link[PATH_MAX], next[2 * PATH_MAX];
    if (snprintf(target, PATH_MAX, "%s", path) >= PATH_MAX)
        return too_long();
    for (u32 i = 0; i < LINKS; i++) {
        ssize_t n = readlink(target, link, sizeof link - 1);
        if (n < 0)
            return errno == EINVAL || errno == ENOENT;
        link[n] = 0;
        int folder = *link == '/' ? 0 : folder_len(target);
        if (snprintf(next, sizeof next, "%.*s%s", folder, target, link) >= PATH_MAX)
            return too_long();
        memcpy(target, next, strlen(next) + 1);
    }
    errno = ELOOP;
    return false;
}

static bool same(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Finds the target, its status, and whether it exists. False with errno if the path is invalid. */
static bool resolve(const char *path, char target[PATH_MAX], struct stat *st, bool *is_new) {
    struct stat found;
    *is_new = stat(path, st) != 0;
    if (*is_new && errno != ENOENT)
        return false;
    /* Only a regular file is replaced. The pipe under /dev/stdout has no name to follow to. */
    if (!*is_new && !S_ISREG(st->st_mode))
        return snprintf(target, PATH_MAX, "%s", path) < PATH_MAX || too_long();
    if (!follow(path, target))
        return false;
    if (*is_new)
        return true;
    if (lstat(target, &found) != 0)
        return false;
    errno = ENOENT; /* an open file that was deleted: it has no name */
    return same(st, &found);
}

/* ---- temporary files ---- */

/*
 * Opens a temporary file in the target's folder, without a name if the system allows that: then a process killed before
 * the rename leaves nothing.
 */
static int open_temp(struct staged *s, bool may_be_unnamed) {
    char folder[PATH_MAX];
    int len = folder_len(s->target), fd = -1;
    snprintf(folder, sizeof folder, "%.*s", len ? len : 1, len ? s->target : ".");
    if (may_be_unnamed && access("/proc/self/fd", X_OK) == 0)
        fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    s->fd = fd;
    if (fd >= 0)
        return fd;
    if (snprintf(s->temp, sizeof s->temp, "%.*s.heddle-XXXXXX", len, s->target) >= (int)sizeof s->temp) {
        s->temp[0] = 0;
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkostemp(s->temp, O_CLOEXEC);
    if (fd < 0)
        s->temp[0] = 0;
    return fd;
}

static bool give_name(struct staged *s) {
    char self[32];
    int len = folder_len(s->target);
    snprintf(self, sizeof self, "/proc/self/fd/%d", s->fd);
    for (u32 i = 0; i < TRIES; i++) {
        if (snprintf(s->temp, sizeof s->temp, "%.*s.heddle-%d-%u", len, s->target, (int)getpid(), i) >=
            (int)sizeof s->temp)
            break;
        if (linkat(AT_FDCWD, self, AT_FDCWD, s->temp, AT_SYMLINK_FOLLOW) == 0)
            return true;
        if (errno != EEXIST)
            break;
    }
    s->temp[0] = 0;
    return false;
}

/* True if a call succeeded, or the file system does not have it. */
static bool done(int result) {
    return result == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP;
}

static bool stage(const struct file_output *out, struct staged *s, bool may_be_unnamed) {
    struct stat st;
    s->in_place = strcmp(out->path, "-") == 0;
    if (s->in_place)
        return true;
    if (!resolve(out->path, s->target, &st, &s->is_new))
        return false;
    if (!s->is_new && S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return false;
    }
    s->in_place = !s->is_new && !S_ISREG(st.st_mode);
    if (s->in_place)
        return true;
    if (!s->is_new && access(s->target, W_OK) != 0)
        return false;
    int fd = open_temp(s, may_be_unnamed);
    bool ok = fd >= 0 && output_write_open(fd, out->bytes, out->len) &&
              done(fchmod(fd, mode_for(s->is_new ? NULL : &st))) && done(fsync(fd));
    int why = errno;
    if (fd < 0 || fd == s->fd)
        return ok;
    bool closed = close(fd) == 0;
    errno = ok ? errno : why;
    return ok && closed;
}

/* ---- taking the names ---- */

static bool write_in_place(const struct file_output *out, const struct staged *s) {
    if (strcmp(out->path, "-") == 0)
        return fflush(stdout) == 0 && place_write_open(STDOUT_FILENO, out->bytes, out->len);
    return place_write(s->target, out->bytes, out->len);
}

/* Can be undone, unless it is the last: the file that had the name takes the temporary one, if the system can. */
static bool take_name(struct staged *s, bool last) {
    s->swapped = !last && !s->is_new && renameat2(AT_FDCWD, s->temp, AT_FDCWD, s->target, RENAME_EXCHANGE) == 0;
    if (s->swapped)
        return true;
    if (rename(s->temp, s->target) != 0)
        return false;
    s->temp[0] = 0;
    s->made = s->is_new;
    return true;
}

static void give_back(const struct staged *s) {
    if (s->swapped)
        renameat2(AT_FDCWD, s->temp, AT_FDCWD, s->target, RENAME_EXCHANGE);
    if (s->made)
        unlink(s->target);
}

/* Synchronises the folders with the new names. The files are whole: a failure here does not make them unwritten. */
static void sync_folders(const struct staged *s, size_t n) {
    char folder[PATH_MAX], last[PATH_MAX] = "";
    for (size_t i = 0; i < n; i++) {
        if (s[i].in_place)
            continue;
        int len = folder_len(s[i].target);
        snprintf(folder, sizeof folder, "%.*s", len ? len : 1, len ? s[i].target : ".");
        if (strcmp(folder, last) == 0)
            continue;
        memcpy(last, folder, sizeof last);
        int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
            continue;
        fsync(fd);
        close(fd);
    }
}

/* Writes devices and the like first, which cannot be undone; then only renames. */
static bool commit(const struct file_output *list, size_t n, struct staged *s, size_t *failed) {
    bool ok = true;
    for (u32 step = 0; step < 3; step++)
        for (size_t i = 0; i < n && ok; i++) {
            if (step == 0)
                ok = !s[i].in_place || write_in_place(&list[i], &s[i]);
            else if (step == 1)
                ok = s[i].fd < 0 || give_name(&s[i]);
            else
                ok = s[i].in_place || take_name(&s[i], i + 1 == n);
            *failed = i;
        }
    int why = errno;
    for (size_t i = 0; i < n && !ok; i++)
        give_back(&s[i]);
    errno = why;
    return ok;
}

static bool write_staged(const struct file_output *list, size_t n, struct staged *s, size_t *failed) {
    bool ok = true;
    for (size_t i = 0; i < n; i++)
        s[i].fd = -1;
    for (size_t i = 0; i < n && ok; i++) {
        ok = stage(&list[i], &s[i], i < OPEN_MOST);
        *failed = i;
    }
    ok = ok && commit(list, n, s, failed);
    int why = errno;
    for (size_t i = 0; i < n; i++) {
        if (s[i].fd >= 0)
            close(s[i].fd);
        if (s[i].temp[0])
            unlink(s[i].temp);
    }
    if (ok)
        sync_folders(s, n);
    errno = why;
    return ok;
}

/* Holds every signal except those of a crash: also SIGPIPE, which is delivered once no temporary files are left. */
static void hold_signals(sigset_t *before) {
    static const int mistakes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
    sigset_t wait;
    sigfillset(&wait);
    for (u32 i = 0; i < COUNT_OF(mistakes); i++)
        sigdelset(&wait, mistakes[i]);
    pthread_sigmask(SIG_BLOCK, &wait, before);
}

bool output_write_all(const struct file_output *list, size_t n, size_t *failed) {
    sigset_t before;
    struct staged *s = calloc(n ? n : 1, sizeof *s);
    *failed = 0;
    if (!s) {
        errno = ENOMEM;
        return n == 0;
    }
    hold_signals(&before);
    bool ok = write_staged(list, n, s, failed);
    int why = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    free(s);
    errno = why;
    return ok;
}

/* ---- the same file ---- */

bool output_identify(const char *path, struct output_id *id) {
    char target[PATH_MAX];
    struct stat st;
    bool is_new = false;
    *id = (struct output_id){.standard = strcmp(path, "-") == 0};
    if (id->standard ? fstat(STDOUT_FILENO, &st) != 0 : !resolve(path, target, &st, &is_new))
        return false;
    if (is_new) {
        int len = folder_len(target);
        size_t name = strlen(target + len);
        if (name >= sizeof id->name)
            return too_long();
        memcpy(id->name, target + len, name + 1);
        target[len] = 0;
        if (stat(len ? target : ".", &st) != 0)
            return false;
    }
    id->regular = !is_new && S_ISREG(st.st_mode);
    id->takes_all = !is_new && S_ISCHR(st.st_mode);
    id->dev = st.st_dev;
    id->ino = st.st_ino;
    return true;
}

bool output_id_same(const struct output_id *a, const struct output_id *b) {
    if (a->standard && b->standard)
        return true;
    return !a->takes_all && a->dev == b->dev && a->ino == b->ino && strcmp(a->name, b->name) == 0;
}

bool output_id_is_input(const struct output_id *id, const char *input) {
    struct stat st;
    return id->regular && (strcmp(input, "-") == 0 ? fstat(STDIN_FILENO, &st) : stat(input, &st)) == 0 &&
           id->dev == st.st_dev && id->ino == st.st_ino;
}

bool output_is_input(const char *output, const char *input) {
    struct output_id id;
    return output_identify(output, &id) && output_id_is_input(&id, input);
}

bool output_same(const char *a, const char *b) {
    struct output_id id, other;
    return output_identify(a, &id) && output_identify(b, &other) && output_id_same(&id, &other);
}

bool output_possible(const char *path) {
    struct stat st;
    char folder[PATH_MAX];
    int n = folder_len(path);
    if (strcmp(path, "-") == 0)
        return true;
    bool there = stat(path, &st) == 0;
    if (!there && errno != ENOENT)
        return false;
    if (there && S_ISREG(st.st_mode) && access(path, W_OK) != 0)
        return false;
    if (there && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return access(path, W_OK) == 0;
    snprintf(folder, sizeof folder, "%.*s", n ? n : 1, n ? path : ".");
    if (access(folder, W_OK | X_OK) != 0)
        return false;
    errno = EISDIR;
    return path[n] && (!there || S_ISREG(st.st_mode));
}
