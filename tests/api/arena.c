/* Are blocks of an arena zeroed where promised, and never shared? */
#include "sim/base/arena.h"

#include <criterion/criterion.h>
#include <string.h>

enum { BLOCKS = 300 };

static bool all(const u8 *at, u8 value, size_t size) {
    size_t i = 0;
    while (i < size && at[i] == value)
        i++;
    return i == size;
}

/* Blocks of many sizes, every third one raw, each filled when allocated: at the end all keep their contents. */
static void fill(struct arena *arena, u32 seed) {
    u8 *block[BLOCKS];
    size_t size[BLOCKS];
    for (u32 i = 0; i < BLOCKS; i++) {
        bool raw = (i + seed) % 3 == 0;
        size[i] = (i * i * 37 + seed) % 5000 * (i % 50 == 0 ? 40 : 1);
        block[i] = raw ? arena_raw(arena, size[i]) : arena_alloc(arena, size[i]);
        cr_assert(block[i] && (uintptr_t)block[i] % 64 == 0, "block %u", i);
        cr_assert(raw || all(block[i], 0, size[i]), "block %u", i);
        memset(block[i], (int)(i % 255 + 1), size[i]);
    }
    for (u32 i = 0; i < BLOCKS; i++)
        cr_assert(all(block[i], (u8)(i % 255 + 1), size[i]), "block %u", i);
}

Test(arena, blocks_are_zeroed_and_apart) {
    for (u32 seed = 0; seed < 6; seed++) { /* a raw block is the first, or is not; memory of the host is used again */
        struct arena arena = {0};
        fill(&arena, seed);
        arena_free(&arena);
        fill(&arena, seed + 1);
        arena_free(&arena);
    }
}

Test(arena, sizes_beyond_memory_are_refused) {
    SCOPED(arena_free) struct arena arena = {0};
    cr_expect_null(arena_alloc(&arena, SIZE_MAX));
    cr_expect_null(arena_raw(&arena, SIZE_MAX));
    cr_expect_not_null(arena_raw(&arena, 0));
}
