/* Replaces threads.c on hosts without threads: a launch runs on its caller alone. */
#include "sim/api/threads.h"

struct threads *threads_new(u32 count) {
    (void)count;
    return NULL;
}

void threads_free(struct threads *t) {
    (void)t;
}

struct gpu_threads threads_of(struct threads *t) {
    (void)t;
    return (struct gpu_threads){0};
}
