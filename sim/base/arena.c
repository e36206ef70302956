#include "sim/base/arena.h"

#include <stdlib.h>
#include <string.h>

enum {
    ALIGN = 64,
    CHUNK = 64 * 1024,
    HEADER = 2 * ALIGN /* of a chunk, and what aligns its first block */
};

struct arena_chunk {
    struct arena_chunk *next;
    size_t used; /* bytes from the chunk's own start, header included */
    size_t size; /* bytes of the chunk, header included */
};

_Static_assert(sizeof(struct arena_chunk) <= ALIGN, "HEADER has room for one");

static size_t round_up(size_t n) {
    return (n + ALIGN - 1) / ALIGN * ALIGN;
}

/* Fills in the header of a chunk; NULL stays NULL. */
static struct arena_chunk *open_chunk(struct arena_chunk *chunk, size_t bytes) {
    if (chunk) {
        chunk->used = round_up((uintptr_t)chunk + sizeof *chunk) - (uintptr_t)chunk;
        chunk->size = bytes;
    }
    return chunk;
}

void *arena_alloc(struct arena *arena, size_t size) {
    if (size > SIZE_MAX / 2)
        return NULL;
    size_t need = round_up(size ? size : 1);
    struct arena_chunk *chunk = arena->head;
    bool zeroed = false;
    if (!chunk || chunk->size - chunk->used < need) {
        /* Zeroed by calloc: untouched parts of a large block cost neither time nor memory. */
        zeroed = need + HEADER > CHUNK;
        size_t bytes = zeroed ? need + HEADER : CHUNK;
        if (!budget_take(arena->budget, bytes))
            return NULL;
        chunk = open_chunk(zeroed ? calloc(1, bytes) : malloc(bytes), bytes);
        if (!chunk) {
            budget_give(arena->budget, bytes);
            return NULL;
        }
        chunk->next = arena->head;
        arena->head = chunk;
    }
    void *block = (char *)chunk + chunk->used;
    chunk->used += need;
    arena->total += need;
    return zeroed ? block : memset(block, 0, need);
}

void *arena_raw(struct arena *arena, size_t size) {
    if (size > SIZE_MAX / 2)
        return NULL;
    size_t need = round_up(size ? size : 1);
    if (!budget_take(arena->budget, need + HEADER))
        return NULL;
    struct arena_chunk *chunk = open_chunk(malloc(need + HEADER), need + HEADER);
    if (!chunk) {
        budget_give(arena->budget, need + HEADER);
        return NULL;
    }
    void *block = (char *)chunk + chunk->used;
    chunk->used = chunk->size;
    struct arena_chunk **link = arena->head ? &arena->head->next : &arena->head; /* zeroed blocks are carved from it */
    chunk->next = *link;
    *link = chunk;
    arena->total += need;
    return block;
}

char *arena_strndup(struct arena *arena, const char *text, size_t len) {
    char *copy = arena_alloc(arena, len + 1);
    if (copy && len)
        memcpy(copy, text, len);
    return copy;
}

void arena_free(struct arena *arena) {
    struct arena_chunk *chunk = arena->head;
    struct budget *budget = arena->budget;
    while (chunk) {
        struct arena_chunk *next = chunk->next;
        budget_give(budget, chunk->size);
        free(chunk);
        chunk = next;
    }
    arena->head = NULL;
    arena->total = 0;
}
