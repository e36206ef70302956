#include "sim/sweep/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/file/read.h"

/* Reads a file of the system, without its last line end. */
static bool read_whole(const char *path, struct buf *text) {
    struct file_guard guard = {0};
    bool ok = input_read(&guard, path, input_text, text) && text->len;
    guard_free(&guard);
    if (ok && text->data[text->len - 1] == '\n')
        text->data[--text->len] = 0;
    return ok;
}

/*
 * Reads field 22 of /proc/PID/stat; the second is a name in parentheses, of any characters, followed by the state. -1
 * if the process does not exist, or has ended and not been waited for.
 */
static s64 began(s64 pid) {
    enum { BEFORE = 20 };
    char path[40];
    struct buf text = {0};
    s64 ticks = -1;
    snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
    char *at = read_whole(path, &text) ? strrchr(text.data, ')') : NULL;
    if (at && (strncmp(at, ") Z", 3) == 0 || strncmp(at, ") X", 3) == 0))
        at = NULL;
    for (u32 i = 0; at && i < BEFORE; i++)
        at = strchr(at + 1, ' ');
    if (at)
        ticks = strtoll(at, NULL, 10);
    buf_free(&text);
    return ticks;
}

struct runner runner_self(void) {
    struct runner r = {.pid = getpid()};
    struct buf boot = {0};
    char numbers[60];
    ssize_t len = readlink("/proc/self/ns/pid", numbers, sizeof numbers - 1);
    if (gethostname(r.host, sizeof r.host - 1) != 0)
        r.host[0] = 0;
    if (read_whole("/proc/sys/kernel/random/boot_id", &boot) && len > 0)
        snprintf(r.place, sizeof r.place, "%.50s %.*s", boot.data, (int)len, numbers);
    r.since = began(r.pid);
    buf_free(&boot);
    return r;
}

bool runner_alive(s64 pid, s64 since) {
    s64 now = began(pid);
    return now >= 0 && now == since;
}
