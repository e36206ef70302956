/* Are addresses given out apart from each other, found again, and used again? */
#include "sim/arch/machine.h"

#include <criterion/criterion.h>

static void ordered(const struct memory *m) {
    for (u32 i = 0; i < m->count; i++) {
        const struct allocation *a = &m->list[i];
        cr_assert(a->base % 256 == 0);
        cr_assert(i == 0 || m->list[i - 1].base + m->list[i - 1].size + 4096 <= a->base, "allocation %u is too near",
                  i);
        cr_assert(a->size == 0 || memory_find(m, a->base) == a);
        cr_assert(a->size == 0 || memory_find(m, a->base + a->size - 1) == a);
        cr_assert(memory_find(m, a->base + a->size) == NULL, "the byte behind allocation %u is found", i);
        cr_assert(memory_find(m, a->base - 1) == NULL, "the byte before allocation %u is found", i);
    }
}

/* Sizes that change, each a sixteenth of all addresses: without reuse they would last for one round. */
Test(memory, addresses_are_used_again) {
    SCOPED(memory_free) struct memory m = {0};
    u64 address[8] = {0};
    for (u64 i = 0; i < 2000; i++) {
        u32 slot = (u32)(i * 5 % 8);
        if (address[slot])
            memory_remove(&m, address[slot]);
        address[slot] = memory_add(&m, "b", NULL, ((u64)1 << 36) + i % 7 * 1000);
        cr_assert(address[slot] != 0, "no address in round %llu", (unsigned long long)i);
        ordered(&m);
    }
    cr_assert(m.count == 8);
}

Test(memory, gaps_and_limits) {
    SCOPED(memory_free) struct memory m = {0};
    u64 a = memory_add(&m, "a", NULL, 10000), b = memory_add(&m, "b", NULL, 10000), c = memory_add(&m, "c", NULL, 0);
    cr_assert(a && a < b && b < c);
    memory_remove(&m, b);
    ordered(&m);
    cr_assert(memory_add(&m, "too wide", NULL, 10001 + 4096) > c, "it does not fit between");
    cr_assert(memory_add(&m, "fits", NULL, 10000) == b, "the gap is used");
    ordered(&m);
    cr_assert(memory_add(&m, "all", NULL, (u64)1 << 40) == 0);
    cr_assert(memory_add(&m, "more than all", NULL, ~(u64)0) == 0);
    cr_assert(m.count == 4);
}
