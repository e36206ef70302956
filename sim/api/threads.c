#include "sim/api/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

/*
 * Rounds of spinning before a waiting thread yields, and of yielding before it sleeps. Measured: with two threads on
 * two quiet cores, a phase of a window starts within a few microseconds of the last, so that most waits end while
 * spinning; on busy cores a sleeper leaves its core to the thread that it waits for.
 */
enum { SPINS = 4000, YIELDS = 100 };

struct worker {
    struct threads *pool;
    pthread_t thread;
    u32 number;
};

struct threads {
    struct arena arena; /* holds this struct */
    u32 count;          /* the caller among them */
    struct worker *worker;
    void (*job)(void *arg, u32 i, u32 worker);
    void *arg;
    u32 jobs;
    bool quit;
    _Alignas(64) atomic_uint phase; /* increases when there is work */
    _Alignas(64) atomic_uint next;  /* the next job */
    _Alignas(64) atomic_uint done;  /* workers that found no job left */
    _Alignas(64) atomic_uint sleepers;
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* `phase` changed, or `done` reached its end */
};

/*
 * Waits until the number is `value`, or with `not` until it is another one. Either the sleeper sees the change, or the
 * thread that changes it, and then calls wake(), sees the sleeper: all four accesses are sequentially consistent.
 */
static void wait_for(struct threads *t, atomic_uint *at, u32 value, bool not ) {
    for (u32 round = 0; round < SPINS + YIELDS; round++) {
        if ((atomic_load_explicit(at, memory_order_acquire) == value) != not )
            return;
        if (round >= SPINS)
            sched_yield();
    }
    pthread_mutex_lock(&t->mutex);
    atomic_fetch_add(&t->sleepers, 1);
    while ((atomic_load(at) == value) == not )
        pthread_cond_wait(&t->changed, &t->mutex);
    atomic_fetch_sub(&t->sleepers, 1);
    pthread_mutex_unlock(&t->mutex);
}

static void wake(struct threads *t) {
    if (atomic_load(&t->sleepers) == 0)
        return;
    pthread_mutex_lock(&t->mutex);
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->mutex);
}

static void work(struct threads *t, u32 worker) {
    u32 i;
    while ((i = atomic_fetch_add_explicit(&t->next, 1, memory_order_relaxed)) < t->jobs)
        t->job(t->arg, i, worker);
}

static void *worker_main(void *arg) {
    struct worker *w = arg;
    struct threads *t = w->pool;
    for (u32 phase = 0;; phase++) {
        wait_for(t, &t->phase, phase, true);
        if (t->quit)
            return NULL;
        work(t, w->number);
        if (atomic_fetch_add(&t->done, 1) + 1 == t->count - 1)
            wake(t);
    }
}

static void release(struct threads *t) {
    atomic_store_explicit(&t->next, 0, memory_order_relaxed);
    atomic_store_explicit(&t->done, 0, memory_order_relaxed);
    atomic_fetch_add(&t->phase, 1);
    wake(t);
}

static void run(void *ctx, void (*job)(void *arg, u32 i, u32 worker), void *arg, u32 n) {
    struct threads *t = ctx;
    t->job = job;
    t->arg = arg;
    t->jobs = n;
    release(t);
    work(t, 0);
    wait_for(t, &t->done, t->count - 1, false);
}

struct threads *threads_new(u32 count) {
    struct arena arena = {0};
    struct threads *t = arena_alloc(&arena, sizeof *t);
    struct worker *worker = arena_alloc(&arena, count * sizeof *worker);
    if (!t || !worker) {
        arena_free(&arena);
        return NULL;
    }
    t->arena = arena;
    t->worker = worker;
    t->count = 1;
    pthread_mutex_init(&t->mutex, NULL);
    pthread_cond_init(&t->changed, NULL);
    for (u32 i = 1; i < count; i++) {
        worker[i] = (struct worker){.pool = t, .number = i};
        if (pthread_create(&worker[i].thread, NULL, worker_main, &worker[i]) != 0)
            break;
        t->count++;
    }
    return t;
}

void threads_free(struct threads *t) {
    if (!t)
        return;
    t->quit = true;
    t->jobs = 0;
    release(t);
    for (u32 i = 1; i < t->count; i++)
        pthread_join(t->worker[i].thread, NULL);
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->mutex);
    struct arena arena = t->arena;
    arena_free(&arena);
}

struct gpu_threads threads_of(struct threads *t) {
    return (struct gpu_threads){run, t, t->count};
}
