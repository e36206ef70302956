/*
 * Arena: memory with one lifetime. Blocks are carved from the front of a chunk and freed all together.
 *
 *   struct arena a = {0};
 *   u32 *v = arena_alloc(&a, n * sizeof *v);     zeroed, 64-byte aligned; NULL when out of memory
 *   arena_free(&a);
 *
 * Growing arrays (`struct vec`-like triples) live in `buf.h`. There is no other place that calls malloc or free.
 */
#ifndef HEDDLE_BASE_ARENA_H
#define HEDDLE_BASE_ARENA_H

#include "sim/base/budget.h"

struct arena_chunk;

struct arena {
    struct arena_chunk *head; /* newest chunk first */
    size_t total;             /* bytes handed out */
    struct budget *budget;    /* source of chunks; NULL: no bound */
};

/* `size` zeroed bytes, aligned to 64; NULL when out of memory. A size of 0 gives a valid pointer. */
void *arena_alloc(struct arena *arena, size_t size);

/*
 * Block of any content in a chunk of its own: for what is written before it is read, or mostly never used. The host
 * gives memory for what is touched.
 */
void *arena_raw(struct arena *arena, size_t size);

/* A NUL-terminated copy of `len` bytes of `text`; NULL when out of memory. */
char *arena_strndup(struct arena *arena, const char *text, size_t len);

/* Gives everything back; the arena can be used again, with its budget. */
void arena_free(struct arena *arena);

#endif
