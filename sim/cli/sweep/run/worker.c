#include "sim/cli/sweep/run/run.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/cli/command.h"
#include "sim/cli/ui.h"
#include "sim/file/document.h"
#include "sim/file/computer.h"

enum { MESSAGE_MOST = 4000 }; /* most bytes kept of a point's messages */

/* Runs a point in its own process, which ends with its parent and ignores Ctrl-C. */
static _Noreturn void be_worker(const struct sweep *s, const struct sweep_point *p, int result, int messages,
                                pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    if (getppid() != parent)
        _exit(EXIT_INPUT);
    dup2(messages, STDERR_FILENO);
    dup2(messages, STDOUT_FILENO);
    int status = sweep_run(s, p, result);
    fflush(stderr);
    _exit(status);
}

bool workers_start(struct workers *ws, u32 point) {
    int ends[2] = {-1, -1}, messages = memfd_create("messages", MFD_CLOEXEC);
    pid_t parent = getpid(), pid = -1;
    fflush(stdout);
    fflush(stderr);
    if (messages >= 0 && pipe(ends) == 0)
        pid = fork();
    if (pid == 0)
        be_worker(ws->s, sweep_point_at(ws->s, point), ends[1], messages, parent);
    int why = errno;
    if (ends[1] >= 0)
        close(ends[1]);
    if (pid > 0) {
        ws->worker[ws->busy++] = (struct worker){pid, point, ends[0], messages, {0}, stopwatch_now()};
        return true;
    }
    if (ends[0] >= 0)
        close(ends[0]);
    if (messages >= 0)
        close(messages);
    return ui_error("no process can be started: %s", strerror(why));
}

/* Reads a point's messages, as one text without its last line end. */
static void read_messages(const struct worker *w, struct buf *text) {
    char part[MESSAGE_MOST];
    ssize_t n = pread(w->messages, part, sizeof part, 0);
    for (ssize_t i = 0; i < n; i++)
        part[i] = part[i] ? part[i] : '?';
    if (n > 0)
        buf_append(text, part, (size_t)n);
    while (text->len && text->data[text->len - 1] == '\n')
        text->data[--text->len] = 0;
}

static double seconds_of(const struct timeval *t) {
    return (double)t->tv_sec + (double)t->tv_usec * 1e-6;
}

/* Waits for a worker whose pipe has ended, and returns how the point ended. */
static enum store_state end_worker(struct worker *w, json_t *row) {
    struct rusage used = {0};
    struct buf text = {0};
    int status = 0;
    while (wait4(w->pid, &status, 0, &used) < 0 && errno == EINTR)
        ;
    read_messages(w, &text);
    if (WIFSIGNALED(status))
        buf_printf(&text, "%sheddle: error: killed by signal %d (%s)", text.len ? "\n" : "", WTERMSIG(status),
                   strsignal(WTERMSIG(status)));
    json_put(row, "wall_seconds", json_number(stopwatch_now() - w->start));
    json_put(row, "cpu_seconds", json_number(seconds_of(&used.ru_utime) + seconds_of(&used.ru_stime)));
    json_put(row, "message", text.len && !text.failed ? json_text(text.data) : json_null());
    buf_free(&text);
    bool ended = WIFEXITED(status) && json_object_get(row, "heddle");
    return ended && WEXITSTATUS(status) == EXIT_OK      ? STORE_DONE
           : ended && WEXITSTATUS(status) == EXIT_FAULT ? STORE_FAULT
                                                        : STORE_FAILED;
}

static void forget(struct workers *ws, struct worker *w) {
    close(w->result);
    close(w->messages);
    buf_free(&w->row);
    *w = ws->worker[--ws->busy];
}

static bool finish(struct workers *ws, struct worker *w) {
    struct buf ignored = {0};
    u32 point = w->point;
    json_t *row = w->row.failed ? NULL : document_read("row", w->row.data ? w->row.data : "{}", w->row.len, &ignored);
    row = json_is_object(row) ? row : json_new();
    enum store_state state = end_worker(w, row);
    forget(ws, w);
    sweep_put_axes(ws->s, sweep_point_at(ws->s, point), row);
    bool ok = ws->ended(ws->ctx, point, state, row);
    json_decref(row);
    buf_free(&ignored);
    return ok;
}

bool workers_listen(struct workers *ws, int ms) {
    struct pollfd f[WORKERS_MOST];
    char part[1 << 16];
    bool ok = true;
    for (u32 i = 0; i < ws->busy; i++)
        f[i] = (struct pollfd){.fd = ws->worker[i].result, .events = POLLIN};
    if (poll(f, ws->busy, ms) <= 0)
        return true;
    for (u32 i = ws->busy; i-- > 0 && ok;) { /* from the end, because another takes the place of one that ended */
        ssize_t n = f[i].revents ? read(f[i].fd, part, sizeof part) : -1;
        if (n > 0)
            buf_append(&ws->worker[i].row, part, (size_t)n);
        else if (f[i].revents && n == 0)
            ok = finish(ws, &ws->worker[i]);
    }
    return ok;
}

void workers_kill(struct workers *ws, void (*lost)(void *ctx, u32 point)) {
    while (ws->busy) {
        struct worker *w = &ws->worker[ws->busy - 1];
        kill(w->pid, SIGKILL);
        while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
            ;
        if (lost)
            lost(ws->ctx, w->point);
        forget(ws, w);
    }
}
