/*
 * A sweep in tasks of Slurm: submits arrays, collects the rows that their tasks write, and submits the points of lost
 * tasks again.
 */
#include <dirent.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/cli/sweep/run/run.h"
#include "sim/cli/sweep/slurm/sbatch.h"
#include "sim/cli/ui.h"
#include "sim/file/computer.h"

enum {
    LOST_MOST = 3,     /* most lost tasks of a point */
    LOOK_MS = 100,     /* between looks at Ctrl-C */
    FILES_SECONDS = 1, /* at the folders */
    QUEUE_SECONDS = 2, /* at the queue, and one more for each */
    QUEUE_TASKS = 500, /* tasks that squeue lists */
    TRIALS = 3,        /* points run here first */
    CHUNK_MOST = 1000,
    OTHERS_SECONDS = 5, /* at the points of other sweeps */
    LOG_SHOWN = 300
};
static const double TASK_SECONDS = 10;    /* of a task's points: starting one takes about one second */
static const double TRIAL_SECONDS = 5;    /* of all trials */
static const double REFUSED_SECONDS = 30; /* before the next try of sbatch */
static const double GRACE_SECONDS = 60;   /* for a file system to show the rows of an ended task */
static const double SILENT_SECONDS = 600; /* without an answer of squeue */

struct slurm {
    struct collect c;
    const struct cluster *cluster;
    char parent[PATH_MAX]; /* of the folders */
    u32 chunk;
    struct array *arrays;
    double files, others, refused; /* time of the last look; of sbatch's refusal, 0 = none */
};

static bool broken(struct slurm *m) {
    return tally_broken(&m->c.tally);
}

/* ---- points of a task ---- */

static bool keep(void *ctx, u32 point, enum store_state state, const json_t *row) {
    return collect_row(ctx, point, state, row);
}

/* Finds the missing point at that share of all missing ones. */
static u32 missing_at(const struct collect *c, double share) {
    u32 skip = (u32)(share * (c->count[COLLECT_MISSING] - 1)), i = 0;
    for (;; i++)
        if (c->state[i] == COLLECT_MISSING && skip-- == 0)
            return i;
}

/*
 * Runs some of the missing points here, to measure the time of one. Axes mostly grow, so the first, the middle and the
 * last point are better samples than three in a row.
 */
static bool choose_chunk(struct collect *c, u32 *chunk) {
    struct workers w = {.s = c->s, .ended = keep, .ctx = c};
    double start = stopwatch_now(), used = 0;
    u32 done = 0;
    bool ok = true;
    for (u32 i = 0; i < TRIALS && ok && used < TRIAL_SECONDS && c->count[COLLECT_MISSING]; i++) {
        ok = workers_start(&w, missing_at(c, i / (double)(TRIALS - 1)));
        while (ok && w.busy && used < TRIAL_SECONDS && !progress_interrupted()) {
            ok = workers_listen(&w, LOOK_MS);
            used = stopwatch_now() - start;
            tally_show(&c->tally);
        }
        done += !w.busy;
    }
    bool cut = w.busy > 0;
    workers_kill(&w, NULL); /* still missing */
    double one = cut ? TASK_SECONDS : used / (done ? done : 1);
    double points = one > 0 ? TASK_SECONDS / one : (double)CHUNK_MOST;
    *chunk = points < 1 ? 1 : points > (double)CHUNK_MOST ? CHUNK_MOST : (u32)points;
    return ok || tally_broken(&c->tally);
}

/* ---- submitting ---- */

static u32 open_tasks(const struct slurm *m) {
    u32 n = 0;
    for (const struct array *a = m->arrays; a; a = a->next)
        n += a->open;
    return n;
}

/* Chooses points of one kind: a lost point is alone, so that it takes no other with it. */
static void choose_points(struct slurm *m, struct array *a, u32 tasks) {
    struct collect *c = &m->c;
    bool lost = false;
    for (u32 i = 0; i < sweep_point_count(c->s); i++) {
        if (c->state[i] != COLLECT_MISSING)
            continue;
        if (!a->points.len) {
            lost = c->tries[i];
            a->chunk = lost ? 1 : m->chunk;
        }
        if ((c->tries[i] > 0) != lost)
            continue;
        if (array_point_count(a) >= (u64)a->chunk * tasks)
            return;
        struct array_point *p = buf_push(&a->points, sizeof *p);
        if (p)
            *p = (struct array_point){sweep_point_at(c->s, i)->number, sweep_point_at(c->s, i)->is.key};
    }
}

/* Handles a refusal, which is final if no array runs that would end. */
static bool refuse(struct slurm *m, const struct buf *said) {
    m->refused = stopwatch_now();
    if (m->arrays)
        return true;
    ui_error_as("sbatch", "the tasks were not taken: %s; with a larger --chunk there are fewer",
                said->len && !said->failed ? said->data : "");
    return broken(m);
}

static bool submit_one(struct slurm *m, u32 tasks) {
    struct array a = {.lock = -1};
    struct buf said = {0};
    choose_points(m, &a, tasks);
    if (a.points.failed || !array_make(&a, m->parent, &m->c.w->words)) {
        array_leave(&a);
        return broken(m);
    }
    bool taken = cluster_submit(m->cluster, &a, &said), ok;
    if (!taken)
        ok = refuse(m, &said);
    else
        ok = (array_submitted(&a) && array_add(&m->arrays, &m->c, &a)) || broken(m);
    if (!taken)
        array_remove(&a);
    else if (!ok)
        array_leave(&a);
    buf_free(&said);
    return ok;
}

/* Submits arrays; leaves half of the jobs that the cluster allows to others. */
static bool submit(struct slurm *m) {
    u64 most = m->cluster->limits.jobs / 2 + 1;
    while (m->c.count[COLLECT_MISSING] && !progress_interrupted() && open_tasks(m) < most &&
           !(m->refused > 0 && stopwatch_now() - m->refused < REFUSED_SECONDS)) {
        u64 room = most - open_tasks(m);
        m->refused = 0;
        if (!submit_one(m, (u32)(room < m->cluster->limits.array ? room : m->cluster->limits.array)))
            return false;
    }
    return true;
}

/* ---- collecting ---- */

struct finished {
    struct slurm *m;
    struct array *a;
};

static bool add_rows(void *ctx, u32 task) {
    const struct finished *f = ctx;
    struct buf text = {0};
    bool fresh = task < f->a->tasks && !f->a->task[task].over;
    bool ok = !fresh || !array_read(f->a, task, "rows", &text) || collect_lines(&f->m->c, &text);
    if (fresh && ok && text.len)
        array_end_task(f->a, task);
    buf_free(&text);
    return ok;
}

/* Appends the end of a task's log. */
static void put_log_end(const struct array *a, u32 task, struct buf *to) {
    struct buf text = {0};
    bool there = array_read(a, task, "log", &text);
    while (text.len && text.data[text.len - 1] == '\n')
        text.data[--text.len] = 0;
    const char *at = text.len > LOG_SHOWN ? text.data + text.len - LOG_SHOWN : text.data;
    if (text.len)
        buf_printf(to, "; its log ends with: %s", at);
    else if (!there)
        buf_puts(to, "; it has left no log: do the nodes share the folder of the store, and have heddle there?");
    buf_free(&text);
}

/* Submits a point of a lost task again, or fails it. */
static bool lose_point(struct slurm *m, u32 point, bool blame, const char *why) {
    struct collect *c = &m->c;
    c->tries[point] = (u8)(c->tries[point] + blame);
    if (c->tries[point] >= LOST_MOST)
        return collect_failure(c, point, why);
    collect_set(c, point, COLLECT_MISSING);
    return true;
}

/*
 * Handles a task that has ended without its rows. Its finished points count. Points that it had begun are to blame for
 * the rest; all of them, if it had begun none.
 */
static bool lose_task(struct slurm *m, struct array *a, u32 task) {
    struct buf part = {0}, why = {0};
    struct collect *c = &m->c;
    u32 from = task * a->chunk, left = array_point_count(a) - from, to = from + (left < a->chunk ? left : a->chunk);
    bool ok = !array_read(a, task, "part", &part) || collect_lines(c, &part), started = part.len > 0;
    buf_printf(&why, "its tasks were lost %d times, the last one: %s", LOST_MOST, a->task[task].why);
    put_log_end(a, task, &why);
    for (u32 i = from; i < to && ok; i++) {
        u32 p = a->point[i];
        if (p != UINT32_MAX && c->state[p] == COLLECT_FLYING)
            ok = lose_point(m, p, c->begun[p] || !started, why.failed ? "" : why.data);
        if (p != UINT32_MAX)
            c->begun[p] = false;
    }
    if (ok)
        array_end_task(a, task);
    buf_free(&part);
    buf_free(&why);
    return ok;
}

static bool look_at_queue(struct slurm *m, struct array *a) {
    struct buf text = {0};
    double now = stopwatch_now();
    u32 more = a->open / QUEUE_TASKS; /* seconds: a long queue is read less often */
    if (now - a->looked < QUEUE_SECONDS + more)
        return true;
    a->looked = now;
    bool ok = true;
    bool answered = cluster_look(a, &text) && array_queue(a, text.data ? text.data : "", now);
    if (!answered && now - a->answered > SILENT_SECONDS) {
        ui_error_as("squeue", "no answer for %.0f s: %s; the same command continues with what is running",
                    SILENT_SECONDS, text.len && !text.failed ? text.data : "");
        ok = broken(m);
    }
    buf_free(&text);
    for (u32 i = 0; i < a->tasks && ok; i++) {
        const struct array_task *t = &a->task[i];
        if (t->over || !t->ended)
            continue;
        ok = add_rows(&(struct finished){m, a}, i); /* a listing may be older than the file */
        if (ok && !t->over && (t->failed || now - t->since >= GRACE_SECONDS))
            ok = lose_task(m, a, i);
    }
    return ok;
}

/* ---- arrays of a sweep that has ended before its tasks ---- */

static bool is_wanted(const struct slurm *m, const struct array *a) {
    for (u32 i = 0; i < array_point_count(a); i++) {
        u32 p = collect_find(&m->c, array_point_at(a, i)->key.text);
        if (p != UINT32_MAX && m->c.state[p] != COLLECT_OVER)
            return true;
    }
    return false;
}

/* Takes over the arrays with points of this sweep. */
static bool adopt(struct slurm *m) {
    DIR *dir = opendir(m->parent);
    bool ok = true;
    for (struct dirent *e; dir && ok && (e = readdir(dir));) {
        struct array a = {.lock = -1};
        if (*e->d_name == '.' || !array_adopt(&a, m->parent, e->d_name))
            continue;
        bool wanted = is_wanted(m, &a);
        ok = !wanted || array_add(&m->arrays, &m->c, &a) || broken(m);
        if (!wanted || !ok)
            array_leave(&a);
    }
    if (dir)
        closedir(dir);
    return ok;
}

/* ---- the work ---- */

/* Takes *link out of the list, with its folder or without; *link becomes the next one. */
static void drop(struct array **link, bool leave) {
    struct array *a = *link;
    *link = a->next;
    if (leave)
        array_leave(a);
    else
        array_remove(a);
}

static bool due(double *last, double seconds) {
    double now = stopwatch_now();
    if (now - *last < seconds)
        return false;
    *last = now;
    return true;
}

static bool collect(struct slurm *m) {
    bool ok = true, files = due(&m->files, FILES_SECONDS);
    for (struct array **link = &m->arrays; *link && ok;) {
        struct array *a = *link;
        if (files)
            array_finished(a, add_rows, &(struct finished){m, a});
        ok = !m->c.tally.broken && look_at_queue(m, a);
        if (ok && !a->open)
            drop(link, false);
        else
            link = &a->next;
    }
    return ok;
}

static void show(struct slurm *m) {
    u32 runs = 0, waits = 0;
    const char *reason = "";
    if (!tally_show(&m->c.tally))
        return;
    for (const struct array *a = m->arrays; a; a = a->next) {
        runs += a->runs;
        waits += a->waits;
        reason = a->waits ? a->reason : reason;
    }
    if (runs || waits)
        fprintf(stderr, "; %u task%s run", runs, runs == 1 ? "" : "s");
    if (waits)
        fprintf(stderr, ", %u wait%s%s%s", waits, *reason ? " (" : "", reason, *reason ? ")" : "");
    if (!m->arrays && m->c.count[COLLECT_OTHERS])
        fprintf(stderr, ", waiting for another sweep");
}

/* Claims points that another sweep has dropped, which may be in arrays that it has left. */
static bool look_at_others(struct slurm *m) {
    if (!m->c.count[COLLECT_OTHERS] || !due(&m->others, OTHERS_SECONDS))
        return true;
    if (!collect_claim(&m->c, COLLECT_OTHERS) || !adopt(m))
        return false;
    for (const struct array *a = m->arrays; a; a = a->next)
        array_mark(a, &m->c);
    return true;
}

static void work(struct slurm *m) {
    const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000};
    struct collect *c = &m->c;
    bool ok = collect_claim(c, COLLECT_NEW) && adopt(m);
    m->chunk = c->w->chunk;
    while (ok && !progress_interrupted() && c->count[COLLECT_OVER] < sweep_point_count(c->s)) {
        ok = look_at_others(m);
        if (ok && c->count[COLLECT_MISSING] && !m->chunk)
            ok = choose_chunk(c, &m->chunk);
        ok = ok && submit(m) && collect(m);
        show(m);
        tally_beat(&c->tally);
        ok = ok && !c->tally.broken;
        if (c->count[COLLECT_OVER] < sweep_point_count(c->s))
            nanosleep(&pause, NULL);
    }
}

/* True if another sweep needs the results that its tasks still compute. */
static bool has_others(const struct array *a) {
    for (u32 i = 0; i < array_point_count(a); i++)
        if (a->point[i] == UINT32_MAX && !a->task[i / a->chunk].over)
            return true;
    return false;
}

/* Stops: after Ctrl-C the tasks end too, and finished points are kept; after a failure the tasks continue. */
static void stop(struct slurm *m) {
    bool interrupted = progress_interrupted();
    while (m->arrays) {
        struct array *a = m->arrays;
        bool leave = m->c.tally.broken || (!interrupted && has_others(a));
        if (!leave && a->open)
            cluster_cancel(a);
        for (u32 i = 0; i < a->tasks && !leave; i++) {
            struct buf text = {0};
            if (!a->task[i].over && (array_read(a, i, "rows", &text) || array_read(a, i, "part", &text)))
                leave = !collect_lines(&m->c, &text);
            buf_free(&text);
        }
        drop(&m->arrays, leave);
    }
    rmdir(m->parent); /* unless another sweep uses it */
}

/* Makes the folder's name absolute: tasks may have another current folder. */
static bool name_parent(struct slurm *m, const char *store) {
    char copy[PATH_MAX], folder[PATH_MAX];
    bool ok = snprintf(copy, sizeof copy, "%s", store) < (int)sizeof copy && realpath(dirname(copy), folder);
    const char *slash = strrchr(store, '/');
    ok = ok && snprintf(m->parent, sizeof m->parent, "%s/%s.slurm", folder, slash ? slash + 1 : store) <
                   (int)sizeof m->parent;
    if (!ok)
        ui_error_as(store, "this folder cannot be found");
    return ok;
}

int sweep_slurm(const struct sweep *s, const struct sweep_work *w) {
    struct slurm m = {.cluster = w->cluster};
    if (!name_parent(&m, w->path) || !collect_open(&m.c, s, w))
        return EXIT_INPUT;
    work(&m);
    stop(&m);
    return collect_close(&m.c);
}
