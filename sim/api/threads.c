#include "sim/api/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

/*
 * Spins before a waiting thread yields. Measured: with two threads on two quiet cores a phase of a window follows the
 * one before within a few microseconds, so that most waits end while spinning.
 */
enum { SPINS = 4000 };

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
    _Alignas(64) atomic_uint phase; /* goes up when there is work */
    _Alignas(64) atomic_uint next;  /* the next job */
    _Alignas(64) atomic_uint done;  /* workers that found none left */
};

static void wait_while(atomic_uint *at, u32 value) {
    for (u32 spins = 0; atomic_load_explicit(at, memory_order_acquire) == value; spins++)
        if (spins >= SPINS)
            sched_yield();
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
        wait_while(&t->phase, phase);
        if (t->quit)
            return NULL;
        work(t, w->number);
        atomic_fetch_add_explicit(&t->done, 1, memory_order_release);
    }
}

static void release(struct threads *t) {
    atomic_store_explicit(&t->next, 0, memory_order_relaxed);
    atomic_store_explicit(&t->done, 0, memory_order_relaxed);
    atomic_fetch_add_explicit(&t->phase, 1, memory_order_release);
}

static void run(void *ctx, void (*job)(void *arg, u32 i, u32 worker), void *arg, u32 n) {
    struct threads *t = ctx;
    t->job = job;
    t->arg = arg;
    t->jobs = n;
    release(t);
    work(t, 0);
    for (u32 spins = 0; atomic_load_explicit(&t->done, memory_order_acquire) < t->count - 1; spins++)
        if (spins >= SPINS)
            sched_yield();
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
    struct arena arena = t->arena;
    arena_free(&arena);
}

struct gpu_threads threads_of(struct threads *t) {
    return (struct gpu_threads){run, t, t->count};
}
