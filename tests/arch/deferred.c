/* What does an SM see of its own stores between their issue and the answer of L2? */
#include <criterion/criterion.h>
#include <string.h>

#include "sim/arch/deferred.h"

/* A store of 4 equal bytes to a word of the line at 0. */
static struct deferred store_of(u32 word, u8 value) {
    struct deferred d = {.bytes = {(u64)0xf << 4 * word}};
    memset(d.data + 4 * word, value, 4);
    return d;
}

static void sees(const struct writes *w, u32 word, bool there, u8 value) {
    const struct pending_line *p = writes_find(w, 0);
    bool pending = p && p->bytes[0] >> 4 * word & 1;
    cr_assert_eq(pending, there, "word %u is %s", word, pending ? "pending" : "not pending");
    if (there)
        cr_assert_eq(p->data[4 * word], value, "word %u is %u, not %u", word, p->data[4 * word], value);
}

Test(deferred, an_answered_store_is_not_seen_while_its_line_has_others) {
    struct writes w;
    struct deferred a = store_of(0, 1), b = store_of(1, 2), c = store_of(2, 3);
    cr_assert(writes_init(&w, NULL) && writes_add(&w, &a) && writes_add(&w, &b));
    writes_remove(&w, &a);
    cr_assert(writes_add(&w, &c));
    sees(&w, 0, false, 0);
    sees(&w, 1, true, 2);
    sees(&w, 2, true, 3);
    writes_remove(&w, &b);
    sees(&w, 1, false, 0);
    writes_remove(&w, &c);
    cr_assert_null(writes_find(&w, 0));
    cr_assert_eq(w.count, 0);
    writes_free(&w);
}

Test(deferred, the_last_of_two_stores_to_a_word_is_seen_until_it_is_answered) {
    struct writes w;
    struct deferred a = store_of(0, 1), b = store_of(0, 2);
    cr_assert(writes_init(&w, NULL) && writes_add(&w, &a) && writes_add(&w, &b));
    sees(&w, 0, true, 2);
    writes_remove(&w, &a);
    sees(&w, 0, true, 2);
    writes_remove(&w, &b);
    cr_assert_null(writes_find(&w, 0));
    writes_free(&w);
}
