/* Sets of what is known of threads, never changed once made. Large ones claim more order than there is: see order.c. */
#include "sim/check/order.h"

enum { ENTRIES_MAX = 4096 /* of one knowledge; more become one sequence number for all threads */ };

static int compare(const struct entry *a, const struct entry *b) {
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    if (a->warp != b->warp)
        return a->warp < b->warp ? -1 : 1;
    return (a->lane > b->lane) - (a->lane < b->lane);
}

void *order_alloc(struct check *c, size_t bytes) {
    void *p = arena_alloc(&c->knowledge, bytes);
    c->failed |= !p;
    return p;
}

struct knowledge *order_knowledge(struct check *c, u32 count) {
    return order_alloc(c, sizeof(struct knowledge) + count * sizeof(struct entry));
}

/* Replaces entries by one number for all threads. */
static struct knowledge *collapsed(struct check *c, const struct knowledge *a, const struct knowledge *b) {
    struct knowledge *k = order_knowledge(c, 0);
    const struct knowledge *of[] = {a, b};
    for (u32 n = 0; k && n < 2; n++) {
        k->everybody = of[n]->everybody > k->everybody ? of[n]->everybody : k->everybody;
        for (u32 i = 0; i < of[n]->count; i++)
            k->everybody = of[n]->entry[i].sequence > k->everybody ? of[n]->entry[i].sequence : k->everybody;
    }
    return k;
}

static bool covers(const struct knowledge *a, const struct knowledge *b) {
    u32 i = 0;
    if (a->everybody < b->everybody)
        return false;
    for (u32 k = 0; k < b->count; k++) {
        while (i < a->count && compare(&a->entry[i], &b->entry[k]) < 0)
            i++;
        if (i == a->count || compare(&a->entry[i], &b->entry[k]) || a->entry[i].sequence < b->entry[k].sequence)
            return false;
    }
    return true;
}

struct knowledge *order_join(struct check *c, struct knowledge *a, struct knowledge *b) {
    if (!a || !b || a == b)
        return a ? a : b;
    if (covers(a, b))
        return a;
    if (covers(b, a))
        return b;
    if (a->count + b->count > ENTRIES_MAX)
        return collapsed(c, a, b);
    struct knowledge *k = order_knowledge(c, a->count + b->count);
    u32 i = 0, j = 0;
    if (!k)
        return NULL;
    k->everybody = a->everybody > b->everybody ? a->everybody : b->everybody;
    while (i < a->count || j < b->count) {
        int order = i == a->count ? 1 : j == b->count ? -1 : compare(&a->entry[i], &b->entry[j]);
        struct entry *to = &k->entry[k->count++];
        if (order <= 0)
            *to = a->entry[i++];
        if (order > 0)
            *to = b->entry[j++];
        else if (order == 0 && b->entry[j++].sequence > to->sequence)
            to->sequence = b->entry[j - 1].sequence;
    }
    return k;
}

bool order_includes(const struct knowledge *k, const struct check_record *r, u32 lane) {
    u32 low = 0, high = k->count;
    if (k->everybody >= r->sequence)
        return true;
    while (low < high) {
        u32 middle = (low + high) / 2;
        if (k->entry[middle].block < r->block)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < k->count && k->entry[low].block == r->block; low++) {
        const struct entry *e = &k->entry[low];
        if ((e->warp == r->warp || e->warp == EVERY_WARP) && (e->lane == lane || e->lane == EVERY_LANE) &&
            e->sequence >= r->sequence)
            return true;
    }
    return false;
}
