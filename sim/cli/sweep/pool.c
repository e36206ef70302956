/*
 * The processes of a sweep: each point is a process of its own, which ends with it. A point that takes all memory or is
 * killed is one row, and nothing of it stays for the next. Only this process writes to the store.
 */
#include "sim/cli/sweep/sweep.h"

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

#include "sim/base/diag.h"
#include "sim/cli/command.h"
#include "sim/cli/progress.h"
#include "sim/cli/ui.h"
#include "sim/file/document.h"
#include "sim/file/stopwatch.h"

enum {
    JOBS_MOST = 256,
    FAILURES_SHOWN = 5,
    MESSAGE_MOST = 4000, /* bytes that are kept of what a point says */
    LOOK_MS = 100,       /* between looks at the clock, at Ctrl-C and at what others run */
    BEAT_SECONDS = 10
};

struct worker {
    pid_t pid;
    u32 point;
    int result, messages; /* a pipe; a file in memory */
    struct buf row;
    double start;
};

struct pool {
    const struct sweep *s;
    const struct sweep_work *w;
    struct worker worker[JOBS_MOST];
    u32 busy;
    u32 next;                  /* point that has not been looked at */
    struct buf later;          /* u32 each: points that somebody else runs */
    u32 present, done, failed; /* points that were there; that were run; of all, those without a result */
    double beat;
    struct progress progress;
    struct buf why; /* of the store */
    bool broken;    /* the store cannot be written */
};

/* ---- a worker ---- */

/* The process of a point. It ends with its parent, and Ctrl-C is not for it. */
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

static bool start(struct pool *p, u32 point) {
    struct worker *w = &p->worker[p->busy];
    int ends[2] = {-1, -1}, messages = memfd_create("messages", MFD_CLOEXEC);
    pid_t parent = getpid(), pid = -1;
    fflush(stdout);
    fflush(stderr);
    if (messages >= 0 && pipe(ends) == 0)
        pid = fork();
    if (pid == 0)
        be_worker(p->s, sweep_point_at(p->s, point), ends[1], messages, parent);
    int why = errno;
    if (ends[1] >= 0)
        close(ends[1]);
    if (pid > 0) {
        *w = (struct worker){pid, point, ends[0], messages, {0}, stopwatch_now()};
        p->busy++;
        return true;
    }
    if (ends[0] >= 0)
        close(ends[0]);
    if (messages >= 0)
        close(messages);
    ui_error("no process can be started: %s", strerror(why));
    return false;
}

/* What a point has said, as one text without its last line end. */
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

/* Waits for a worker whose pipe has ended, and says how the point ended. */
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

static void forget(struct pool *p, struct worker *w) {
    close(w->result);
    close(w->messages);
    buf_free(&w->row);
    *w = p->worker[--p->busy];
}

/* ---- what has failed ---- */

/* The first ones on standard error, each with its last line. */
static void count_failure(struct pool *p, u32 point, const char *message) {
    struct buf label = {0};
    const char *end = message + strcspn(message, "\n");
    if (++p->failed > FAILURES_SHOWN)
        return;
    sweep_label(p->s, sweep_point_at(p->s, point), &label);
    buf_printf(&label, ": %.*s\n", (int)(end - message), message);
    progress_hide(&p->progress);
    ui_show(stderr, label.failed ? "" : label.data);
    buf_free(&label);
}

/* ---- the store ---- */

static bool broken(struct pool *p) {
    p->broken = true;
    return false;
}

static bool keep_result(struct pool *p, struct worker *w) {
    struct buf ignored = {0};
    json_t *row = w->row.failed ? NULL : document_read("row", w->row.data ? w->row.data : "{}", w->row.len, &ignored);
    row = json_is_object(row) ? row : json_new();
    enum store_state state = end_worker(w, row);
    sweep_put_axes(p->s, sweep_point_at(p->s, w->point), row);
    bool ok = store_finish(p->w->store, sweep_point_at(p->s, w->point)->is.key.text, state, row, &p->why);
    if (ok) {
        p->done++;
        if (state != STORE_DONE)
            count_failure(p, w->point, json_string_value(json_object_get(row, "message")));
    }
    json_decref(row);
    buf_free(&ignored);
    forget(p, w);
    return ok || broken(p);
}

/* Claims a point and starts it, or finds that it needs no run. */
static bool look_at(struct pool *p, u32 point) {
    const struct sweep_point *at = sweep_point_at(p->s, point);
    struct buf command = {0};
    enum store_state state;
    enum store_claim claim = STORE_ERROR;
    sweep_command_text(p->s, at, &command);
    if (command.failed)
        buf_puts(&p->why, "out of memory\n");
    else
        claim = store_claim(p->w->store, at->is.key.text, command.data, &state, &p->why);
    buf_free(&command);
    switch (claim) {
    case STORE_MINE:
        if (start(p, point))
            return true;
        store_drop(p->w->store, at->is.key.text, &p->why);
        return broken(p);
    case STORE_PRESENT:
        p->present++;
        if (state != STORE_DONE)
            count_failure(p, point, store_state_name(state));
        return true;
    case STORE_TAKEN: buf_append(&p->later, &point, sizeof point); return !p->later.failed || broken(p);
    case STORE_ERROR: break;
    }
    return broken(p);
}

/* Looks again at what others were running; what they still run stays in the list. */
static bool look_again(struct pool *p) {
    struct buf list = p->later;
    const u32 *point = (const u32 *)(const void *)list.data;
    size_t n = list.len / sizeof *point, i;
    p->later = (struct buf){0};
    for (i = 0; i < n && p->busy < p->w->jobs && !p->broken; i++)
        look_at(p, point[i]);
    for (; i < n; i++)
        buf_append(&p->later, &point[i], sizeof *point);
    buf_free(&list);
    return !p->broken;
}

/* ---- the work ---- */

static void show(struct pool *p) {
    u32 all = sweep_point_count(p->s), over = p->present + p->done;
    if (!progress_due(&p->progress))
        return;
    double seconds = progress_seconds(&p->progress), rate = p->done / seconds;
    fprintf(stderr, "%u of %u points", over, all);
    if (p->failed)
        fprintf(stderr, ", %u failed", p->failed);
    if (p->done)
        fprintf(stderr, ", %.3g points/s, about %.0f s to go", rate, (all - over) / rate);
    if (p->later.len && !p->busy)
        fprintf(stderr, ", waiting for another sweep");
}

/* Reads what workers send, until one has ended or some time has passed. */
static void listen(struct pool *p) {
    struct pollfd f[JOBS_MOST];
    char part[1 << 16];
    for (u32 i = 0; i < p->busy; i++)
        f[i] = (struct pollfd){.fd = p->worker[i].result, .events = POLLIN};
    if (poll(f, p->busy, LOOK_MS) <= 0)
        return;
    for (u32 i = p->busy; i-- > 0;) { /* from the end, whose place another takes */
        ssize_t n = f[i].revents ? read(f[i].fd, part, sizeof part) : -1;
        if (n > 0)
            buf_append(&p->worker[i].row, part, (size_t)n);
        else if (f[i].revents && n == 0 && !p->broken)
            keep_result(p, &p->worker[i]);
    }
}

static void beat(struct pool *p) {
    double now = stopwatch_now();
    if (now - p->beat < BEAT_SECONDS)
        return;
    p->beat = now;
    if (!store_beat(p->w->store, &p->why))
        broken(p);
}

static void work(struct pool *p) {
    u32 all = sweep_point_count(p->s);
    while (!p->broken && !progress_interrupted() && (p->next < all || p->busy || p->later.len)) {
        while (p->busy < p->w->jobs && p->next < all && !p->broken && !progress_interrupted()) {
            look_at(p, p->next++);
            show(p);
        }
        listen(p);
        if (p->next == all && p->later.len)
            look_again(p);
        show(p);
        beat(p);
    }
}

/* After Ctrl-C, or when the store cannot be written: nothing of what was running is kept. */
static void stop(struct pool *p) {
    struct buf ignored = {0};
    while (p->busy) {
        struct worker *w = &p->worker[p->busy - 1];
        kill(w->pid, SIGKILL);
        while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
            ;
        store_drop(p->w->store, sweep_point_at(p->s, w->point)->is.key.text, &ignored);
        forget(p, w);
    }
    buf_free(&ignored);
}

static void summarise(const struct pool *p, double seconds) {
    u32 all = sweep_point_count(p->s);
    printf("%s point%s in %s: %s run", grouped(all).text, all == 1 ? "" : "s", p->w->path, grouped(p->done).text);
    if (p->present)
        printf(", %s were there", grouped(p->present).text);
    if (p->failed)
        printf(", %s failed", grouped(p->failed).text);
    printf("; %.1f s", seconds);
    printf("\n");
}

int sweep_work(const struct sweep *s, const struct sweep_work *w) {
    struct pool p = {.s = s, .w = w, .beat = stopwatch_now()};
    progress_begin(&p.progress);
    work(&p);
    bool interrupted = progress_interrupted();
    double seconds = progress_seconds(&p.progress);
    stop(&p);
    progress_end(&p.progress);
    ui_show(stderr, p.why.len && !p.why.failed ? p.why.data : "");
    summarise(&p, seconds);
    buf_free(&p.why);
    buf_free(&p.later);
    return p.broken ? EXIT_INPUT : interrupted ? EXIT_INTERRUPTED : p.failed ? EXIT_FAULT : EXIT_OK;
}
