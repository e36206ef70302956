#include "sim/cli/sweep/slurm/slurm.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/file/computer.h"

enum {
    LOST_MOST = 3,     /* most lost tasks of a point */
    LOOK_MS = 100,     /* between looks at Ctrl-C */
    FILES_SECONDS = 1, /* at the folders */
    TRIALS = 3,        /* points run here first */
    CHUNK_MOST = 1000,
    OTHERS_SECONDS = 5, /* at the points of other sweeps */
    TOGETHER = 1000     /* claims of a transaction */
};
static const double TASK_SECONDS = 10;    /* of a task's points: starting one takes about one second */
static const double TRIAL_SECONDS = 5;    /* of all trials */
static const double REFUSED_SECONDS = 30; /* before the next try of sbatch */
static const double GRACE_SECONDS = 60;   /* for a file system to show the rows of an ended task */

enum point_state {
    POINT_NEW,     /* not claimed yet */
    POINT_MISSING, /* ours, in no task */
    POINT_FLYING,  /* ours, in a task */
    POINT_OTHERS,  /* claimed by another sweep */
    POINT_OVER,
    POINT_STATES
};

/* A point of the sweep. */
struct slurm_point {
    u8 state;   /* enum point_state */
    u8 tries;   /* number of lost tasks that had it */
    bool begun; /* a lost task had begun it */
};

struct slurm_key {
    const char *text;
    u32 point;
};

struct slurm {
    const struct sweep *s;
    const struct sweep_work *w;
    struct tally tally;
    struct arena arena;
    struct slurm_point *at;
    struct slurm_key *key; /* sorted */
    u32 count[POINT_STATES];
    char parent[PATH_MAX]; /* of the folders */
    u32 chunk;
    struct array *arrays;
    double files, others, refused; /* time of the last look; of sbatch's refusal, 0 = none */
};

/* ---- points ---- */

static const char *key_of(const struct slurm *m, u32 point) {
    return sweep_point_at(m->s, point)->is.key.text;
}

static int by_key(const void *a, const void *b) {
    return strcmp(((const struct slurm_key *)a)->text, ((const struct slurm_key *)b)->text);
}

static u32 point_of(const struct slurm *m, const char *key) {
    const struct slurm_key want = {key, 0};
    const struct slurm_key *found = bsearch(&want, m->key, sweep_point_count(m->s), sizeof want, by_key);
    return found ? found->point : UINT32_MAX;
}

static void put_state(struct slurm *m, u32 point, enum point_state state) {
    m->count[m->at[point].state]--;
    m->count[state]++;
    m->at[point].state = (u8)state;
}

static bool claim(struct slurm *m, u32 point) {
    enum store_state state;
    switch (sweep_claim(m->s, m->w->store, point, &state, &m->tally.why)) {
    case STORE_MINE: put_state(m, point, POINT_MISSING); return true;
    case STORE_TAKEN: put_state(m, point, POINT_OTHERS); return true;
    case STORE_PRESENT:
        put_state(m, point, POINT_OVER);
        tally_point(&m->tally, point, true, state, NULL);
        return true;
    case STORE_ERROR: break;
    }
    return false;
}

static bool claim_all(struct slurm *m, enum point_state of) {
    struct store *store = m->w->store;
    u32 all = sweep_point_count(m->s), i = 0;
    bool ok = true;
    while (ok && i < all && !progress_interrupted()) {
        ok = store_begin(store, &m->tally.why);
        for (u32 n = 0; ok && i < all && n < TOGETHER; i++)
            if (m->at[i].state == of) {
                ok = claim(m, i);
                n++;
            }
        ok = ok && store_end(store, &m->tally.why);
        tally_show(&m->tally);
    }
    return ok || tally_broken(&m->tally);
}

static bool end_point(void *ctx, u32 point, enum store_state state, const json_t *row) {
    struct slurm *m = ctx;
    if (!tally_result(&m->tally, point, state, row))
        return false;
    put_state(m, point, POINT_OVER);
    return true;
}

/* Stores a row for another sweep's point, whose sweep ended before its tasks. */
static bool foreign_row(struct slurm *m, const struct task_line *line) {
    enum store_state there;
    enum store_claim got = store_claim(m->w->store, line->key, line->command, &there, &m->tally.why);
    bool ok = got != STORE_ERROR;
    if (got == STORE_MINE)
        ok = store_finish(m->w->store, line->key, line->state, line->row, &m->tally.why);
    return ok || tally_broken(&m->tally);
}

static bool add_line(void *ctx, const struct task_line *line) {
    struct slurm *m = ctx;
    u32 point = point_of(m, line->key);
    if (!line->row) {
        if (point != UINT32_MAX)
            m->at[point].begun = true;
        return true;
    }
    if (point == UINT32_MAX)
        return foreign_row(m, line);
    return m->at[point].state == POINT_OTHERS || m->at[point].state == POINT_OVER ||
           end_point(m, point, line->state, line->row);
}

/* Adds the rows that a task has written, all or none; m->begun becomes true for points that have only begun. */
static bool take_lines(struct slurm *m, const struct buf *text) {
    struct store *store = m->w->store;
    bool begun = store_begin(store, &m->tally.why), ok = begun && sweep_task_lines(text, add_line, m);
    bool ended = !begun || store_end(store, &m->tally.why);
    return (ok && ended) || tally_broken(&m->tally);
}

/* Finds the missing point at that share of all missing ones. */
static u32 missing_at(const struct slurm *m, double share) {
    u32 skip = (u32)(share * (m->count[POINT_MISSING] - 1)), i = 0;
    for (;; i++)
        if (m->at[i].state == POINT_MISSING && skip-- == 0)
            return i;
}

/*
 * Runs some of the missing points here, to measure the time of one. Axes mostly grow, so the first, the middle and the
 * last point are better samples than three in a row.
 */
static bool choose_chunk(struct slurm *m) {
    struct workers w = {.s = m->s, .ended = end_point, .ctx = m};
    double start = stopwatch_now(), used = 0;
    u32 done = 0;
    bool ok = true;
    for (u32 i = 0; i < TRIALS && ok && used < TRIAL_SECONDS && m->count[POINT_MISSING]; i++) {
        ok = workers_start(&w, missing_at(m, i / (double)(TRIALS - 1)));
        while (ok && w.busy && used < TRIAL_SECONDS && !progress_interrupted()) {
            ok = workers_listen(&w, LOOK_MS);
            used = stopwatch_now() - start;
            tally_show(&m->tally);
        }
        done += !w.busy;
    }
    bool cut = w.busy > 0;
    workers_kill(&w, NULL); /* still missing */
    double one = cut ? TASK_SECONDS : used / (done ? done : 1);
    double points = one > 0 ? TASK_SECONDS / one : (double)CHUNK_MOST;
    m->chunk = points < 1 ? 1 : points > (double)CHUNK_MOST ? CHUNK_MOST : (u32)points;
    return ok || tally_broken(&m->tally);
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
    bool lost = false;
    for (u32 i = 0; i < sweep_point_count(m->s); i++) {
        if (m->at[i].state != POINT_MISSING)
            continue;
        if (!a->points.len) {
            lost = m->at[i].tries;
            a->chunk = lost ? 1 : m->chunk;
        }
        if ((m->at[i].tries > 0) != lost)
            continue;
        if (array_point_count(a) >= (u64)a->chunk * tasks)
            return;
        struct array_point *p = buf_push(&a->points, sizeof *p);
        if (p)
            *p = (struct array_point){sweep_point_at(m->s, i)->number, sweep_point_at(m->s, i)->is.key};
    }
}

/* Marks our points of an array's open tasks, so that they are not submitted again. */
static void mark_flying(struct slurm *m, const struct array *a) {
    for (u32 i = 0; i < array_point_count(a); i++)
        if (!a->task[i / a->chunk].over && a->point[i] != UINT32_MAX && m->at[a->point[i]].state == POINT_MISSING)
            put_state(m, a->point[i], POINT_FLYING);
}

static bool add_array(struct slurm *m, const struct array *from) {
    u32 *point = arena_alloc(&m->arena, array_point_count(from) * sizeof *point);
    struct array *a = point ? array_begin(from, point, &m->arena) : NULL;
    if (!a)
        return ui_no_memory();
    for (u32 i = 0; i < array_point_count(from); i++)
        point[i] = point_of(m, array_point_at(from, i)->key.text);
    a->next = m->arrays;
    m->arrays = a;
    mark_flying(m, a);
    return true;
}

/* Handles a refusal, which is final if no array runs that would end. */
static bool refuse(struct slurm *m, const struct buf *said) {
    m->refused = stopwatch_now();
    if (m->arrays)
        return true;
    return ui_error_as("sbatch", "the tasks were not taken: %s; with a larger --chunk there are fewer",
                       said->len && !said->failed ? said->data : "");
}

static bool submit_one(struct slurm *m, u32 tasks) {
    struct array a = {.lock = -1};
    struct buf said = {0};
    choose_points(m, &a, tasks);
    if (a.points.failed || !array_make(&a, m->parent, &m->w->words)) {
        array_leave(&a);
        return tally_broken(&m->tally);
    }
    bool taken = cluster_submit(m->w->cluster, &a, &said);
    bool ok = taken ? array_submitted(&a) && add_array(m, &a) : refuse(m, &said);
    if (!taken)
        array_remove(&a);
    else if (!ok)
        array_leave(&a);
    buf_free(&said);
    return ok || tally_broken(&m->tally);
}

/* Submits arrays; leaves half of the jobs that the cluster allows to others. */
static bool submit(struct slurm *m) {
    u64 most = m->w->cluster->limits.jobs / 2 + 1;
    while (m->count[POINT_MISSING] && !progress_interrupted() && open_tasks(m) < most &&
           !(m->refused > 0 && stopwatch_now() - m->refused < REFUSED_SECONDS)) {
        u64 room = most - open_tasks(m);
        m->refused = 0;
        if (!submit_one(m, (u32)(room < m->w->cluster->limits.array ? room : m->w->cluster->limits.array)))
            return false;
    }
    return true;
}

/* ---- collecting ---- */

static bool add_rows(void *ctx, struct array *a, u32 task) {
    struct buf text = {0};
    bool fresh = task < a->tasks && !a->task[task].over;
    bool ok = !fresh || !array_read(a, task, "rows", &text) || take_lines(ctx, &text);
    if (fresh && ok && text.len)
        array_end_task(a, task);
    buf_free(&text);
    return ok;
}

/* Submits a point of a lost task again, or fails it. */
static bool lose_point(struct slurm *m, u32 point, bool blame, const char *why) {
    m->at[point].tries = (u8)(m->at[point].tries + blame);
    if (m->at[point].tries < LOST_MOST) {
        put_state(m, point, POINT_MISSING);
        return true;
    }
    json_t *row = json_new();
    json_put(row, "message", json_text(why));
    sweep_put_axes(m->s, sweep_point_at(m->s, point), row);
    bool ok = end_point(m, point, STORE_FAILED, row);
    json_decref(row);
    return ok;
}

/*
 * Handles a task that has ended without its rows. Its finished points count. Points that it had begun are to blame for
 * the rest; all of them, if it had begun none.
 */
static bool lose_task(struct slurm *m, struct array *a, u32 task) {
    struct buf part = {0}, why = {0};
    u32 from = task * a->chunk, left = array_point_count(a) - from, to = from + (left < a->chunk ? left : a->chunk);
    bool ok = !array_read(a, task, "part", &part) || take_lines(m, &part), started = part.len > 0;
    buf_printf(&why, "its tasks were lost %d times, the last one: %s", LOST_MOST, a->task[task].why);
    array_log_end(a, task, &why);
    for (u32 i = from; i < to && ok; i++) {
        u32 p = a->point[i];
        if (p != UINT32_MAX && m->at[p].state == POINT_FLYING)
            ok = lose_point(m, p, m->at[p].begun || !started, why.failed ? "" : why.data);
        if (p != UINT32_MAX)
            m->at[p].begun = false;
    }
    if (ok)
        array_end_task(a, task);
    buf_free(&part);
    buf_free(&why);
    return ok;
}

static bool look_at_queue(struct slurm *m, struct array *a) {
    double now = stopwatch_now();
    if (!array_looks(a, now))
        return true;
    bool ok = array_look(a, now) || tally_broken(&m->tally);
    for (u32 i = 0; i < a->tasks && ok; i++) {
        const struct array_task *t = &a->task[i];
        if (t->over || !t->ended)
            continue;
        ok = add_rows(m, a, i); /* a listing may be older than the file */
        if (ok && !t->over && (t->failed || now - t->since >= GRACE_SECONDS))
            ok = lose_task(m, a, i);
    }
    return ok;
}

/* ---- arrays of a sweep that has ended before its tasks ---- */

static bool is_wanted(const struct slurm *m, const struct array *a) {
    for (u32 i = 0; i < array_point_count(a); i++) {
        u32 p = point_of(m, array_point_at(a, i)->key.text);
        if (p != UINT32_MAX && m->at[p].state != POINT_OVER)
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
        ok = !wanted || add_array(m, &a) || tally_broken(&m->tally);
        if (!wanted || !ok)
            array_leave(&a);
    }
    if (dir)
        closedir(dir);
    return ok;
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
            array_finished(a, add_rows, m);
        ok = !m->tally.broken && look_at_queue(m, a);
        if (ok && !a->open)
            array_drop(link, false);
        else
            link = &a->next;
    }
    return ok;
}

static void show(struct slurm *m) {
    u32 runs = 0, waits = 0;
    const char *reason = "";
    if (!tally_show(&m->tally))
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
    if (!m->arrays && m->count[POINT_OTHERS])
        fprintf(stderr, ", waiting for another sweep");
}

/* Claims points that another sweep has dropped, which may be in arrays that it has left. */
static bool look_at_others(struct slurm *m) {
    if (!m->count[POINT_OTHERS] || !due(&m->others, OTHERS_SECONDS))
        return true;
    if (!claim_all(m, POINT_OTHERS) || !adopt(m))
        return false;
    for (const struct array *a = m->arrays; a; a = a->next)
        mark_flying(m, a);
    return true;
}

static void work(struct slurm *m) {
    const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000};
    bool ok = claim_all(m, POINT_NEW) && adopt(m);
    m->chunk = m->w->chunk;
    while (ok && !progress_interrupted() && m->count[POINT_OVER] < sweep_point_count(m->s)) {
        ok = look_at_others(m);
        if (ok && m->count[POINT_MISSING] && !m->chunk)
            ok = choose_chunk(m);
        ok = ok && submit(m) && collect(m);
        show(m);
        tally_beat(&m->tally);
        ok = ok && !m->tally.broken;
        if (m->count[POINT_OVER] < sweep_point_count(m->s))
            nanosleep(&pause, NULL);
    }
}

/* Stops: after Ctrl-C the tasks end too, and finished points are kept; after a failure the tasks continue. */
static void stop(struct slurm *m) {
    bool interrupted = progress_interrupted();
    while (m->arrays) {
        struct array *a = m->arrays;
        bool leave = m->tally.broken || (!interrupted && array_is_shared(a));
        if (!leave && a->open)
            cluster_cancel(a);
        for (u32 i = 0; i < a->tasks && !leave; i++) {
            struct buf text = {0};
            if (!a->task[i].over && (array_read(a, i, "rows", &text) || array_read(a, i, "part", &text)))
                leave = !take_lines(m, &text);
            buf_free(&text);
        }
        array_drop(&m->arrays, leave);
    }
    rmdir(m->parent); /* unless another sweep uses it */
}

static bool begin(struct slurm *m) {
    u32 n = sweep_point_count(m->s);
    m->count[POINT_NEW] = n;
    m->key = arena_alloc(&m->arena, n * sizeof *m->key);
    m->at = arena_alloc(&m->arena, n * sizeof *m->at);
    if (!m->key || !m->at) {
        arena_free(&m->arena);
        return ui_no_memory();
    }
    for (u32 i = 0; i < n; i++)
        m->key[i] = (struct slurm_key){key_of(m, i), i};
    qsort(m->key, n, sizeof *m->key, by_key);
    tally_begin(&m->tally, m->s, m->w);
    return true;
}

/* Drops our claims without a result, and prints the summary. Returns an exit status. */
static int end(struct slurm *m) {
    struct buf ignored = {0};
    bool group = store_begin(m->w->store, &ignored);
    for (u32 i = 0; group && i < sweep_point_count(m->s); i++)
        if (m->at[i].state == POINT_MISSING || m->at[i].state == POINT_FLYING)
            store_drop(m->w->store, key_of(m, i), &ignored);
    if (group)
        store_end(m->w->store, &ignored);
    buf_free(&ignored);
    arena_free(&m->arena);
    return tally_end(&m->tally);
}

int sweep_slurm(const struct sweep *s, const struct sweep_work *w) {
    struct slurm m = {.s = s, .w = w};
    if (!array_parent(w->path, m.parent) || !begin(&m))
        return EXIT_INPUT;
    work(&m);
    stop(&m);
    return end(&m);
}
