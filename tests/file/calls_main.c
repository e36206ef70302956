/*
 * A library for LD_PRELOAD that tests failing calls of the system: it runs the program again and again, each time with
 * one call failed: for each row of `faults` the first call of that name, then the second, until a run makes no more.
 *
 *   CALLS_STATUS=0 LD_PRELOAD=./calls.so heddle run ... --out y=f32[8]:y.npy
 *
 * Each run begins in the folder `try`, a copy of `old`. It must end with CALLS_STATUS, the files of `want` and the
 * standard output of `want.out`; or with status 2, a message with the reason of the failure and a name of the command
 * line, and the files of `old`; or those of `want`, if the failure is of standard output; or with the sentence that a
 * solver, which could not be started, did not decide. Prints "N calls, N wrong" on
 * standard error. CALLS_ONLY=NAME tries calls of that name.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/lib/preload.h"

enum { PART = -1 }; /* in place of an error: the call does one byte */

/* How calls fail. */
static const struct fault {
    const char *call;
    int error;
    enum {
        FAILS,
        PASSES,
        SEARCHES
    } kind; /* PASSES: the work is done all the same; SEARCHES: it may be another file's */
} faults[] = {
    {"open", EMFILE, FAILS},        {"read", EIO, FAILS},        {"read", EINTR, PASSES},
    {"read", EAGAIN, PASSES},       {"read", PART, PASSES},      {"write", ENOSPC, FAILS},
    {"write", EINTR, PASSES},       {"write", PART, PASSES},     {"close", EIO, FAILS},
    {"stat", EIO, SEARCHES},        {"lstat", EIO, FAILS},       {"fstat", EIO, FAILS},
    {"access", EACCES, SEARCHES},   {"readlink", EIO, FAILS},    {"realpath", EIO, SEARCHES},
    {"fopen", EMFILE, FAILS},       {"fgets", EIO, FAILS},       {"fflush", ENOSPC, FAILS},
    {"scandir", EMFILE, SEARCHES},  {"mkostemp", EACCES, FAILS}, {"fchmod", EPERM, FAILS},
    {"fchmod", ENOTSUP, PASSES},    {"fsync", EIO, FAILS},       {"fsync", EINVAL, PASSES},
    {"linkat", EACCES, FAILS},      {"linkat", EEXIST, PASSES},  {"rename", EBUSY, FAILS},
    {"renameat2", EINVAL, PASSES},  {"poll", EINTR, PASSES},     {"poll", ENOMEM, FAILS},
    {"signalfd", EMFILE, PASSES},   {"pipe2", EMFILE, FAILS},    {"fcntl", EINVAL, FAILS},
    {"posix_spawn", EAGAIN, FAILS}, {"waitpid", EINTR, PASSES},
};

/* ---- calls ---- */

static const struct fault *fault; /* of this run; NULL = no call fails */
static unsigned nth;              /* the call that fails */
static unsigned *made;            /* calls so far, in memory that both processes have */

static bool fails(const char *call) {
    if (!fault || strcmp(call, fault->call) != 0 || __atomic_add_fetch(made, 1, __ATOMIC_RELAXED) != nth)
        return false;
    errno = fault->error;
    return true;
}

#define CALL(type, name, params, args, failure) \
    type name params { \
        static type(*real) params; \
        if (!real) \
            *(void **)&real = dlsym(RTLD_NEXT, #name); \
        return fails(#name) ? (failure) : real args; \
    }

/* After `real` is known, `len` bytes may become one. */
#define PARTLY(name, bytes) \
    ssize_t name(int fd, bytes at, size_t len) { \
        static ssize_t (*real)(int, bytes, size_t); \
        if (!real) \
            *(void **)&real = dlsym(RTLD_NEXT, #name); \
        bool failed = fails(#name); \
        return failed && errno != PART ? -1 : real(fd, at, failed && len ? 1 : len); \
    }

/* With an argument that depends on another. */
#define VARIES(name, first, type) \
    int name(first of, int what, ...) { \
        static int (*real)(first, int, ...); \
        va_list list; \
        va_start(list, what); \
        type last = va_arg(list, type); \
        va_end(list); \
        if (!real) \
            *(void **)&real = dlsym(RTLD_NEXT, #name); \
        return fails(#name) ? -1 : real(of, what, last); \
    }

typedef const struct dirent **pair;

VARIES(open, const char *, mode_t)
VARIES(fcntl, int, void *)
PARTLY(read, void *)
PARTLY(write, const void *)
CALL(int, stat, (const char *path, struct stat *st), (path, st), -1)
CALL(int, lstat, (const char *path, struct stat *st), (path, st), -1)
CALL(int, fstat, (int fd, struct stat *st), (fd, st), -1)
CALL(int, access, (const char *path, int mode), (path, mode), -1)
CALL(ssize_t, readlink, (const char *path, char *to, size_t len), (path, to, len), -1)
CALL(char *, realpath, (const char *path, char *to), (path, to), NULL)
CALL(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL)
CALL(char *, fgets, (char *to, int n, FILE *f), (to, n, f), NULL)
CALL(int, fflush, (FILE * f), (f), EOF)
CALL(int, scandir,
     (const char *path, struct dirent ***to, int (*wanted)(const struct dirent *), int (*order)(pair, pair)),
     (path, to, wanted, order), -1)
CALL(int, mkostemp, (char *path, int flags), (path, flags), -1)
CALL(int, fchmod, (int fd, mode_t mode), (fd, mode), -1)
CALL(int, fsync, (int fd), (fd), -1)
CALL(int, linkat, (int from, const char *path, int to, const char *name, int flags), (from, path, to, name, flags), -1)
CALL(int, rename, (const char *path, const char *name), (path, name), -1)
CALL(int, renameat2, (int from, const char *path, int to, const char *name, unsigned flags),
     (from, path, to, name, flags), -1)
CALL(int, poll, (struct pollfd * list, nfds_t n, int ms), (list, n, ms), -1)
CALL(int, signalfd, (int fd, const sigset_t *set, int flags), (fd, set, flags), -1)
CALL(int, pipe2, (int ends[2], int flags), (ends, flags), -1)
CALL(int, posix_spawn,
     (pid_t * pid, const char *path, const posix_spawn_file_actions_t *files, const posix_spawnattr_t *how,
      char *const argv[], char *const env[]),
     (pid, path, files, how, argv, env), errno)
CALL(pid_t, waitpid, (pid_t pid, int *status, int options), (pid, status, options), -1)

int close(int fd) {
    static int (*real)(int);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "close");
    bool failed = fails("close");
    int why = errno, result = real(fd); /* the descriptor is free in every case */
    errno = failed ? why : errno;
    return failed ? -1 : result;
}

/* ---- runs ---- */

static unsigned wrong;

static bool shell(const char *command) {
    int status = system(command);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void complain(const char *what) {
    dprintf(STDERR_FILENO, "%s %u, %s: %s\n", fault->call, nth, fault->error == PART ? "part" : strerror(fault->error),
            what);
    wrong++;
    shell("ls try >&2; head -n 3 try.err >&2");
}

/* True if the output in a file has this text. */
static bool has(const char *file, const char *text, size_t len) {
    static char said[4096];
    int fd = open(file, O_RDONLY);
    ssize_t n = read(fd, said, sizeof said - 1);
    close(fd);
    said[n > 0 ? n : 0] = 0;
    return len && memmem(said, strlen(said), text, len) != NULL;
}

static bool says(const char *text, size_t len) {
    return has("try.err", text, len);
}

/* True if it has a name of the command line: a part of "--out=y=f32[8]:sub/y.npy". */
static bool is_named(char **argv) {
    static const char between[] = "/:=, ";
    for (char **word = argv + 2; *word; word++)
        for (const char *at = *word; *at; at += strcspn(at, between), at += strspn(at, between))
            if (says(at, strcspn(at, between)))
                return true;
    return false;
}

static void look(int status, char **argv) {
    const char *text = getenv("CALLS_STATUS"), *why = strerror(fault->error);
    bool ended = WIFEXITED(status), well = ended && WEXITSTATUS(status) == (text ? atoi(text) : 0);
    bool standard = !well && says("standard output", 15); /* which is written at the end, too */
    if (!ended)
        complain(WTERMSIG(status) == SIGKILL ? "did not end" : "crashed");
    else if (well && !shell("diff -r try want >&2 && cmp try.out want.out"))
        complain("went well, and a file differs");
    else if (fault->kind != PASSES && has("try.out", "did not decide it", 17))
        return;
    else if (!well && WEXITSTATUS(status) != 2)
        complain("another exit status");
    else if (!well && fault->kind == PASSES)
        complain("gave up");
    else if (!well &&
             (fault->kind == SEARCHES ? !says(": ", 2) : !says(why, strlen(why)) || !(standard || is_named(argv))))
        complain("failed, and its message lacks the reason or the file");
    else if (!well && !shell("diff -r try old >&2") && !(standard && shell("diff -r try want")))
        complain("failed, and changed a file");
}

/* Waits until it ends, and ends it after a minute: a busy computer is slow, but nothing may wait for ever. */
static int wait_for(pid_t child, const sigset_t *ends) {
    const struct timespec step = {.tv_nsec = 100000000};
    int status = -1;
    for (unsigned steps = 0; waitpid(child, &status, WNOHANG) == 0; steps++) {
        if (steps >= 600)
            kill(child, SIGKILL);
        sigtimedwait(ends, NULL, &step);
    }
    return status;
}

static void end(void) {
    fault = NULL;
}

static int begin(const struct fault *f, int argc, char **argv, char **env, const sigset_t *mask) {
    int out = open("try.out", O_CREAT | O_TRUNC | O_WRONLY, 0666),
        err = open("try.err", O_CREAT | O_TRUNC | O_WRONLY, 0666);
    if (chdir("try") != 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0)
        _exit(3);
    close(out);
    close(err);
    sigprocmask(SIG_SETMASK, mask, NULL);
    atexit(end);
    fault = f;
    return main_of_program(argc, argv, env);
}

/* Runs the program with a call failed; false if it made fewer of them. In the child, sets its exit status. */
static bool run(const struct fault *f, char **argv, char **env, const sigset_t *mask, const sigset_t *ends) {
    int argc = 0;
    *made = 0;
    while (argv[argc])
        argc++;
    if (!shell("diff -rq try old >/dev/null 2>&1 || { rm -rf try && cp -r old try; }"))
        return false;
    while (sigtimedwait(ends, NULL, &(struct timespec){0}) > 0) /* of shells */
        ;
    pid_t child = fork();
    if (child == 0)
        exit(begin(f, argc, argv, env, mask));
    int status = wait_for(child, ends);
    fault = f;
    if (*made >= nth || !WIFEXITED(status))
        look(status, argv);
    fault = NULL;
    return *made >= nth && WIFEXITED(status); /* one that hung or crashed would do so again */
}

static int main_here(int argc, char **argv, char **env) {
    enum { ENOUGH = 60 };
    const char *only = getenv("CALLS_ONLY");
    unsigned tried = 0;
    sigset_t mask, ends;
    (void)argc;
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, &mask);
    unsetenv("LD_PRELOAD");
    made = mmap(NULL, sizeof *made, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (const struct fault *f = faults; f < faults + sizeof faults / sizeof *faults; f++)
        for (nth = 1; (!only || strcmp(only, f->call) == 0) && nth < ENOUGH && run(f, argv, env, &mask, &ends); nth++)
            tried++;
    dprintf(STDERR_FILENO, "%u calls, %u wrong\n", tried, wrong);
    return wrong != 0;
}
