/*
 * A library for LD_PRELOAD that tests running out of memory at every allocation of one run. At each allocation the
 * process forks: it fails in the child, which then runs to its end in a folder of its own; the parent checks its
 * results and continues. They must be either all files as in the folder OOM_WANT and the exit status OOM_STATUS, or a
 * message, exit status 2 and no file at all.
 *
 *   OOM_WANT=want OOM_STATUS=0 OOM_FILES="y.npy j.json" LD_PRELOAD=./oom.so heddle run ... --out y=f32[8]:y.npy
 *
 * Prints "N allocations, N wrong" on standard error. The program must name its inputs from the root, and its outputs
 * must not. OOM_EVERY=n tries only every n-th allocation.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/preload.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

static const char *want, *files;
static int status_wanted;
static unsigned every, count, tried, wrong;
static bool active;

static void complain(const char *what, const char *name) {
    dprintf(STDERR_FILENO, "allocation %u: %s: %s\n", count, what, name);
    wrong++;
}

/* Reads at most `size` bytes; the length, -1 without the file. */
static ssize_t slurp(const char *folder, const char *name, size_t name_len, char *to, size_t size) {
    char path[256];
    snprintf(path, sizeof path, "%s/%.*s", folder, (int)name_len, name);
    int fd = open(path, O_RDONLY);
    ssize_t len = fd < 0 ? -1 : 0, n = 0;
    while (fd >= 0 && (size_t)len < size && (n = read(fd, to + len, size - (size_t)len)) > 0)
        len += n;
    if (fd >= 0)
        close(fd);
    return len;
}

static void look_at_file(const char *name, size_t name_len, bool well) {
    static char got[1 << 20], expected[1 << 20];
    char path[256];
    ssize_t n = slurp("oom", name, name_len, got, sizeof got);
    snprintf(path, sizeof path, "oom/%.*s", (int)name_len, name);
    unlink(path);
    if (n < 0) /* written before this allocation, which was then the parent's */
        n = slurp(".", name, name_len, got, sizeof got);
    ssize_t m = slurp(want, name, name_len, expected, sizeof expected);
    if (well ? n != m || memcmp(got, expected, (size_t)n) != 0 : n >= 0)
        complain(well ? "went well, and a file differs" : "failed, and left a file", name);
}

static void look(int status) {
    char said[4];
    if (!WIFEXITED(status) || (WEXITSTATUS(status) != 2 && WEXITSTATUS(status) != status_wanted)) {
        complain("crashed, or another exit status", "");
        return;
    }
    bool well = WEXITSTATUS(status) == status_wanted;
    for (const char *at = files; *at;) {
        size_t len = strcspn(at, " ");
        look_at_file(at, len, well);
        at += len + (at[len] == ' ');
    }
    if (!well && slurp("oom", "err", 3, said, sizeof said) <= 0)
        complain("failed without a message", "");
    if (well)
        look_at_file("out", 3, true);
    unlink("oom/out");
    unlink("oom/err");
    if (rmdir("oom") != 0)
        complain("left another file", "");
}

/* Reopens files, so that reads of the child do not move the parent's position in them. */
static void reopen_files(void) {
    char path[64];
    for (int fd = 3; fd < 64; fd++) {
        off_t at = lseek(fd, 0, SEEK_CUR);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        int own = at < 0 || (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY ? -1 : open(path, O_RDONLY);
        if (own < 0)
            continue;
        lseek(own, at, SEEK_SET);
        dup2(own, fd);
        close(own);
    }
}

/* In the child true: this allocation fails. */
static bool fails(void) {
    if (!active || ++count % every)
        return false;
    active = false;
    tried++;
    mkdir("oom", 0777);
    pid_t child = fork();
    if (child == 0) {
        reopen_files();
        int out = chdir("oom") == 0 ? open("out", O_CREAT | O_WRONLY, 0666) : -1;
        int err = open("err", O_CREAT | O_WRONLY, 0666);
        if (dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0)
            _exit(3);
        return true;
    }
    int status = -1;
    if (child > 0)
        waitpid(child, &status, 0);
    look(status);
    active = true;
    return false;
}

void *malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size) {
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size) {
    return fails() ? NULL : __libc_realloc(old, size);
}

__attribute__((constructor)) static void begin(void) {
    const char *status = getenv("OOM_STATUS"), *step = getenv("OOM_EVERY");
    want = getenv("OOM_WANT");
    files = getenv("OOM_FILES");
    status_wanted = status ? atoi(status) : 0;
    every = step ? (unsigned)atoi(step) : 1;
    active = want && files && every;
}

static void end(void) {
    if (!active)
        return;
    active = false;
    dprintf(STDERR_FILENO, "%u allocations, %u wrong\n", tried, wrong);
}

static int main_here(int argc, char **argv, char **env) {
    atexit(end);
    return main_of_program(argc, argv, env);
}
