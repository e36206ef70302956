/*
 * Messages of many senders in the order of their effect: by time, then sender, then the sender's number.
 *
 *      keys of new messages --> sorted --> merged into those that wait already, which are sorted
 *
 * A message is copied once, from where it was sent to its place; what is sorted are keys.
 */
#ifndef HEDDLE_TIME_ORDER_H
#define HEDDLE_TIME_ORDER_H

#include <string.h>

#include "sim/base/buf.h"
#include "sim/time/message.h"

struct order_key {
    u64 time;
    u64 from; /* sender << 32 | its number */
    const void *message;
};

static inline struct order_key order_of_request(const void *message) {
    const struct request *r = message;
    return (struct order_key){r->time, (u64)r->sm << 32 | r->seq, r};
}

static inline struct order_key order_of_reply(const void *message) {
    const struct reply *r = message;
    return (struct order_key){r->time, (u64)r->partition << 32 | r->seq, r};
}

static inline bool order_before(const struct order_key *a, const struct order_key *b) {
    return a->time != b->time ? a->time < b->time : a->from < b->from;
}

/* Adds a key to a buf of them; false when out of memory. */
static inline bool order_add(struct buf *keys, struct order_key key) {
    struct order_key *k = buf_take(keys, sizeof *k);
    if (k)
        *k = key;
    return k != NULL;
}

/* Sorts a buf of keys; returns the first one, or NULL when there is none or no memory. */
const struct order_key *order_sort(struct buf *keys);

/* Merges what n sorted keys are of into `sorted`, messages of `size` bytes each. False when out of memory. */
static inline bool order_merge(struct buf *sorted, size_t size, struct order_key (*of)(const void *),
                               const struct order_key *key, size_t n) {
    size_t i = sorted->len / size;
    if (!buf_push(sorted, n * size))
        return false;
    for (char *to = sorted->data + sorted->len; n;) {
        to -= size;
        const char *from = key[n - 1].message;
        bool moves = false;
        if (i) {
            const char *old = sorted->data + (i - 1) * size;
            struct order_key last = of(old);
            moves = order_before(&key[n - 1], &last);
            from = moves ? old : from;
        }
        memcpy(to, from, size);
        i -= moves;
        n -= !moves;
    }
    return true;
}

#endif
