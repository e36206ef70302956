/* Messages of many senders, merged batch by batch, against sorting all of them at once. */
#include "sim/time/order.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static int by_all(const void *a, const void *b) {
    const struct request *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->sm != y->sm)
        return x->sm < y->sm ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* Batches of `each` messages; the first `taken` of all waiting ones are taken between two. */
static void compare(size_t batches, size_t each, size_t taken, u32 times) {
    SCOPED(buf_free) struct buf sent = {0}, keys = {0}, sorted = {0}, want = {0};
    u32 seq = 0;
    for (size_t b = 0; b < batches; b++) {
        sent.len = keys.len = 0;
        for (size_t i = 0; i < each; i++) {
            struct request r = {.time = (u32)rand() % times, .sm = (u16)(rand() % 5), .seq = seq++};
            buf_append(&sent, &r, sizeof r);
            buf_append(&want, &r, sizeof r);
        }
        for (size_t i = 0; i < each; i++)
            cr_assert(order_add(&keys, order_of_request((struct request *)(void *)sent.data + i)));
        const struct order_key *key = order_sort(&keys);
        cr_assert_eq(key != NULL, each != 0);
        cr_assert(!each || order_merge(&sorted, sizeof(struct request), order_of_request, key, each));
        if (want.len)
            qsort(want.data, want.len / sizeof(struct request), sizeof(struct request), by_all);
        cr_assert_eq(sorted.len, want.len);
        cr_assert(!want.len || memcmp(sorted.data, want.data, want.len) == 0, "batch %zu of %zu", b, each);
        size_t gone = taken * sizeof(struct request) < want.len ? taken * sizeof(struct request) : want.len;
        for (size_t i = 0; i < 2 && gone; i++) {
            struct buf *buf = i ? &want : &sorted;
            memmove(buf->data, buf->data + gone, buf->len - gone);
            buf->len -= gone;
        }
    }
}

Test(order, of_any_number_of_messages) {
    srand(3);
    for (size_t each = 0; each < 70; each++)
        compare(4, each, each * 3 / 4, 20);
    compare(3, 1000, 900, 100000);
    compare(3, 1023, 0, 1);
}
