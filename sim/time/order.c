#include "sim/time/order.h"

enum { FEW = 8 }; /* keys sorted by insertion: their order is not far from sorted */

static void insert(struct order_key *key, size_t n) {
    for (size_t i = 1; i < n; i++) {
        struct order_key k = key[i];
        size_t at = i;
        for (; at && order_before(&k, &key[at - 1]); at--)
            key[at] = key[at - 1];
        key[at] = k;
    }
}

/* Merges two sorted runs that follow each other into `to`. */
static void merge(const struct order_key *a, size_t m, size_t n, struct order_key *to) {
    const struct order_key *b = a + m, *a_end = b, *b_end = b + n;
    while (a < a_end && b < b_end)
        *to++ = order_before(b, a) ? *b++ : *a++;
    memcpy(to, a, (size_t)(a_end - a) * sizeof *a);
    memcpy(to + (a_end - a), b, (size_t)(b_end - b) * sizeof *b);
}

const struct order_key *order_sort(struct buf *keys) {
    size_t n = keys->len / sizeof(struct order_key);
    if (n == 0)
        return NULL;
    if (n > FEW && !buf_push(keys, keys->len)) /* room for a second copy, to merge into */
        return NULL;
    struct order_key *key = (struct order_key *)(void *)keys->data, *spare = key + n;
    for (size_t at = 0; at < n; at += FEW)
        insert(key + at, n - at < FEW ? n - at : FEW);
    for (size_t run = FEW; run < n; run *= 2) {
        for (size_t at = 0; at < n; at += 2 * run) {
            size_t left = n - at, first = left < run ? left : run;
            merge(key + at, first, left - first < run ? left - first : run, spare + at);
        }
        struct order_key *sorted = spare;
        spare = key;
        key = sorted;
    }
    return key;
}
