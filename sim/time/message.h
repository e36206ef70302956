/*
 * What travels between an SM and L2: one line of a memory instruction each way.
 *
 *      SM  --- struct request --->  partition  --- struct reply --->  SM
 *
 * Times are SM cycles. A request's time is its arrival at the partition, a reply's its arrival at the SM's port.
 */
#ifndef HEDDLE_TIME_MESSAGE_H
#define HEDDLE_TIME_MESSAGE_H

#include "sim/base/types.h"

enum { SECTOR_BYTES = 32, LINE_BYTES = 128, LINE_SECTORS = 4 };

#define TIME_NEVER UINT64_MAX /* not known yet, or never */

enum request_kind {
    REQUEST_LOAD,   /* bring sectors */
    REQUEST_STORE,  /* write bytes; answered when they are in L2 */
    REQUEST_ATOMIC, /* read, change, write at L2; answered with the old values */
    REQUEST_SYNC    /* a load performed at L2 in its turn: acquire, volatile, and loads behind an atomic of their SM */
};

struct deferred; /* what takes effect when the request is served (sim/arch/deferred.h); stores, atomics, syncs */

struct request {
    u64 time;     /* arrival at the partition */
    u64 line;     /* global address of the line's first byte */
    u64 bytes[2]; /* bytes of the line that are wanted or written, one bit each */
    struct deferred *deferred;
    u32 sm, seq;    /* equal times are served in this order; seq counts an SM's requests */
    u32 ticket;     /* the SM's own, returned in the reply */
    u32 allocation; /* to which it is charged */
    u16 partition;  /* that it goes to */
    u8 kind;        /* enum request_kind */
    u8 sectors;     /* of the line, one bit each */
    u16 lanes;      /* REQUEST_ATOMIC: lanes that take part, and */
    u16 serial;     /* how many of them share the most wanted address */
};

struct reply {
    u64 time;    /* arrival at the SM's port */
    u32 sm, seq; /* equal times arrive in the order (partition, seq); seq counts a partition's replies */
    u32 ticket;
    u32 bytes;     /* that the port moves: header and data */
    u32 partition; /* filled in by who carries it */
};

#endif
