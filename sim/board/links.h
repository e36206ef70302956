/*
 * Links between boards and hosts (links.def), and closed forms of what goes over them. A transfer takes its latency,
 * then its bytes at the rate that headers leave; directions do not disturb each other.
 *
 *      copy        latency + bytes / rate
 *      exchange    steps, in each of which every board sends as much as it receives:
 *
 *      n boards, bytes of the whole    ring                          direct (each to each, by switches)
 *      all_gather, reduce_scatter      n - 1 steps of bytes / n      1 step of (n - 1) bytes / n
 *      all_reduce                      2 (n - 1) steps of bytes / n  2 steps of (n - 1) bytes / n
 */
#ifndef HEDDLE_BOARD_LINKS_H
#define HEDDLE_BOARD_LINKS_H

#include "sim/base/types.h"
#include "sim/board/device.h"

struct link_row {
    const char *name, *source, *doc;
    double gbs, latency_us, pj_bit; /* before headers; of a transfer; of both ends */
    u32 payload, header;            /* bytes of a packet */
    enum device_basis gbs_basis, pj_basis;
};

extern const struct link_row link_rows[];
enum {
#define LINK(...) +1
    LINKS =
#include "sim/board/links.def"
};

/* Bytes of data in a nanosecond: GB/s. */
double link_rate(const struct link_row *link);

/* Microseconds of a transfer. */
double link_us(const struct link_row *link, double bytes);

/* Picojoules of a transfer, with its headers. */
double link_pj(const struct link_row *link, double bytes);

enum exchange_way { EXCHANGE_RING, EXCHANGE_DIRECT, EXCHANGE_WAYS };
enum exchange_kind { EXCHANGE_ALL_GATHER, EXCHANGE_REDUCE_SCATTER, EXCHANGE_ALL_REDUCE, EXCHANGE_KINDS };
extern const char *const exchange_ways[], *const exchange_kinds[];

/* What every board does in an exchange. */
struct exchange {
    u32 steps;
    double bytes; /* that it sends in a step */
    double us;    /* of all steps */
    double pj;    /* of all boards together */
};
struct exchange link_exchange(const struct link_row *link, enum exchange_way way, enum exchange_kind kind, u32 boards,
                              double bytes);

#endif
