#include "sim/board/links.h"

const struct link_row link_rows[] = {
#define LINK(id, name, gbs, gbs_basis, payload, header, latency_us, pj_bit, pj_basis, source, doc) \
    {name, source, doc, gbs, latency_us, pj_bit, payload, header, DEVICE_BASIS_##gbs_basis, DEVICE_BASIS_##pj_basis},
#include "sim/board/links.def"
};

const char *const exchange_ways[] = {"ring", "direct"};
const char *const exchange_kinds[] = {"all_gather", "reduce_scatter", "all_reduce"};

double link_rate(const struct link_row *link) {
    return link->gbs * link->payload / (link->payload + link->header);
}

double link_us(const struct link_row *link, double bytes) {
    return bytes > 0 ? link->latency_us + bytes / link_rate(link) / 1e3 : 0;
}

double link_pj(const struct link_row *link, double bytes) {
    return 8 * bytes * (link->payload + link->header) / link->payload * link->pj_bit;
}

struct exchange link_exchange(const struct link_row *link, enum exchange_way way, enum exchange_kind kind, u32 boards,
                              double bytes) {
    u32 others = boards - 1, rounds = kind == EXCHANGE_ALL_REDUCE ? 2 : 1;
    double part = bytes / boards;
    struct exchange x = {.steps = rounds * others, .bytes = part};
    if (others && way == EXCHANGE_DIRECT)
        x = (struct exchange){.steps = rounds, .bytes = others * part};
    x.us = x.steps * link_us(link, x.bytes);
    x.pj = (double)boards * x.steps * link_pj(link, x.bytes);
    return x;
}
