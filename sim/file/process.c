#include "sim/file/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/file/computer.h"

extern char **environ;

bool process_find(const char *name, char *path, size_t size) {
    struct stat st;
    const char *list = strchr(name, '/') ? NULL : getenv("PATH");
    if (strchr(name, '/')) {
        snprintf(path, size, "%s", name);
        return strlen(name) < size && stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
    }
    for (const char *at = list, *end; at && *name; at = *end ? end + 1 : NULL) {
        end = at + strcspn(at, ":");
        int n = snprintf(path, size, "%.*s/%s", (int)(end - at), at, name);
        if (end > at && (size_t)n < size && stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0)
            return true;
    }
    return false;
}

/* Signals that would end this program while the other one runs, and SIGPIPE. */
static const int held[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

static bool signal_waits(void) {
    sigset_t set;
    sigpending(&set);
    for (u32 i = 0; i < COUNT_OF(held); i++)
        if (held[i] != SIGPIPE && sigismember(&set, held[i]))
            return true;
    return false;
}

struct child {
    pid_t pid;
    int in, out;  /* -1 = closed */
    double until; /* when it is given up */
    bool heed;    /* also when a signal is pending */
};

static void close_end(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Sends as much as the pipe takes; drops the rest once the pipe has no reader. */
static void feed(struct child *c, const char *text, size_t len, size_t *sent) {
    ssize_t n = *sent < len ? write(c->in, text + *sent, len - *sent) : 0;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    *sent = n < 0 ? len : *sent + (size_t)n;
    if (*sent == len)
        close_end(&c->in);
}

/* Sends text and reads output until the other side closes it. */
static enum process_end converse(struct child *c, const char *text, size_t len, struct buf *got) {
    size_t sent = 0;
    for (;;) {
        struct pollfd f[] = {{.fd = c->out, .events = POLLIN}, {.fd = c->in, .events = POLLOUT}};
        char part[4096];
        double left = c->until - stopwatch_now();
        if (c->heed && signal_waits())
            return PROCESS_SIGNAL;
        if (left <= 0)
            return PROCESS_TIMEOUT;
        if (poll(f, 2, left < 0.05 ? 1 + (int)(left * 1000) : 50) < 0)
            f[0].revents = f[1].revents = 0;
        if (f[1].revents)
            feed(c, text, len, &sent);
        ssize_t n = f[0].revents ? read(c->out, part, sizeof part) : -1;
        if (n > 0)
            buf_append(got, part, (size_t)n);
        if (n == 0 || got->failed)
            return got->failed ? PROCESS_FAILED : PROCESS_ENDED;
    }
}

/* ---- start ---- */

/* `both`: its standard error is output too, and Ctrl-C does not reach it. */
static bool prepare(posix_spawn_file_actions_t *files, posix_spawnattr_t *how, const int ends[2], const sigset_t *mask,
                    bool both) {
    sigset_t usual;
    sigfillset(&usual);
    posix_spawnattr_setflags(how, (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                          (both ? POSIX_SPAWN_SETPGROUP : 0)));
    posix_spawnattr_setsigmask(how, mask);
    posix_spawnattr_setsigdefault(how, &usual);
    bool failed = posix_spawn_file_actions_adddup2(files, ends[0], STDIN_FILENO) != 0 ||
                  posix_spawn_file_actions_adddup2(files, ends[1], STDOUT_FILENO) != 0 ||
                  (both ? posix_spawn_file_actions_adddup2(files, ends[1], STDERR_FILENO)
                        : posix_spawn_file_actions_addopen(files, STDERR_FILENO, "/dev/null", O_WRONLY, 0)) != 0;
    errno = ENOMEM;
    return !failed; /* else it would read what is meant for this program */
}

static bool start(struct child *c, const char *const *argv, const sigset_t *mask, bool both) {
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    bool ok = pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0 && fcntl(in[1], F_SETFL, O_NONBLOCK) == 0 &&
              prepare(&files, &how, (const int[]){in[0], out[1]}, mask, both);
    int why = ok ? posix_spawn(&c->pid, argv[0], &files, &how, (char *const *)(uintptr_t)argv, environ) : errno;
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    close_end(&in[0]);
    close_end(&out[1]);
    c->in = in[1];
    c->out = out[0];
    if (!why)
        return true;
    close_end(&c->in);
    close_end(&c->out);
    errno = why;
    return false;
}

/* ---- signals ---- */

struct signals {
    sigset_t mask;
    struct sigaction child;
};

/* While SIGCHLD is ignored, as a program may inherit it, the system keeps no exit status of others. */
static void hold_signals(struct signals *before) {
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t hold;
    sigemptyset(&hold);
    for (u32 i = 0; i < COUNT_OF(held); i++)
        sigaddset(&hold, held[i]);
    pthread_sigmask(SIG_BLOCK, &hold, &before->mask);
    sigaction(SIGCHLD, NULL, &before->child);
    if (before->child.sa_handler == SIG_IGN)
        sigaction(SIGCHLD, &usual, NULL);
}

/* Restores the signals, without a SIGPIPE from a program that did not read all. */
static void let_signals(const struct signals *before) {
    const struct timespec none = {0};
    int why = errno;
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    if (!sigismember(&before->mask, SIGPIPE))
        sigtimedwait(&pipe, NULL, &none);
    if (before->child.sa_handler == SIG_IGN)
        sigaction(SIGCHLD, &before->child, NULL);
    pthread_sigmask(SIG_SETMASK, &before->mask, NULL);
    errno = why;
}

static int reap(const struct child *c) {
    int status = 0;
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

enum process_end process_run(const char *const *argv, const void *text, size_t len, double *seconds, struct buf *out) {
    struct signals before;
    enum process_end end = PROCESS_FAILED;
    double until = stopwatch_now() + *seconds;
    struct child c = {.until = until, .heed = true};
    hold_signals(&before);
    if (start(&c, argv, &before.mask, false)) {
        end = converse(&c, text, len, out);
        close_end(&c.in);
        close_end(&c.out);
        kill(c.pid, SIGKILL); /* has no effect on a program that has ended, whose number is kept until waitpid */
        reap(&c);
        errno = ENOMEM; /* of PROCESS_FAILED, now that it has run */
    }
    let_signals(&before);
    *seconds = until > stopwatch_now() ? until - stopwatch_now() : 0;
    return end;
}

/* True if the program ends by itself, now that it has closed its output. */
static bool ends(const struct child *c) {
    const struct timespec pause = {.tv_nsec = 1000000};
    siginfo_t info = {.si_pid = 0};
    while (waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && !info.si_pid) {
        if (stopwatch_now() > c->until)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

enum process_end process_output(const char *const *argv, double seconds, int *status, struct buf *out) {
    struct signals before;
    enum process_end end = PROCESS_FAILED;
    struct child c = {.until = stopwatch_now() + seconds};
    hold_signals(&before);
    if (start(&c, argv, &before.mask, true)) {
        end = converse(&c, "", 0, out);
        close_end(&c.in);
        close_end(&c.out);
        if (end != PROCESS_ENDED || !ends(&c)) {
            kill(-c.pid, SIGKILL);
            end = end == PROCESS_ENDED ? PROCESS_TIMEOUT : end;
        }
        *status = reap(&c);
        errno = ENOMEM;
    }
    let_signals(&before);
    return end;
}

bool process_leave(const char *const *argv) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    pid_t pid;
    bool failed = false;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        failed |= posix_spawn_file_actions_addopen(&files, fd, "/dev/null", fd ? O_WRONLY : O_RDONLY, 0) != 0;
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSID);
    int why = failed ? ENOMEM : posix_spawn(&pid, argv[0], &files, &how, (char *const *)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    errno = why;
    return why == 0;
}
