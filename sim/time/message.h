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

#define TIME_NEVER UINT64_MAX /* unknown yet, or never */

enum request_kind {
    REQUEST_LOAD,   /* read of sectors */
    REQUEST_STORE,  /* write of bytes; answered when they are in L2 */
    REQUEST_ATOMIC, /* read, change and write at L2; answered with the old values */
    REQUEST_SYNC    /* load performed at L2 in its turn: acquire, volatile, and loads after an atomic of their SM */
};

enum request_adds { ADDS_INTEGER, ADDS_F32, ADDS_F64 }; /* what an atomic adds up; any other operation is as integers */

/* An atomic's part of a line. */
struct atomic_passes {
    u8 lanes;   /* that take part, those that are combined as one */
    u8 passes;  /* sum over the sectors: the most of these lanes on a word */
    u8 longest; /* the most on a word of the line */
};

struct deferred; /* effect of the request when it is served (sim/arch/deferred.h): stores, atomics, syncs */

struct request {
    u64 time;     /* arrival at the partition */
    u64 local;    /* address of the line's first byte in the slice's share, as in struct place */
    u64 bytes[2]; /* bytes of the line that are requested or written, one bit each */
    struct deferred *deferred;
    u32 seq;        /* order of requests with equal times: (sm, seq); counts an SM's requests */
    u32 ticket;     /* number given by the SM, returned in the reply */
    u32 allocation; /* allocation that the traffic is charged to */
    u16 sm, partition;
    u16 slice;  /* slice of the partition */
    u8 kind;    /* enum request_kind */
    u8 sectors; /* sectors of the line, one bit each */
    struct atomic_passes atomic;
    u8 adds; /* enum request_adds */
};
_Static_assert(sizeof(struct request) == 64, "a request fills one line of the host's cache");

struct reply {
    u64 time;    /* arrival at the SM's port */
    u32 sm, seq; /* order of replies with equal times: (partition, seq); seq counts a partition's replies */
    u32 ticket;
    u32 bytes;     /* header and data, moved by the port */
    u32 partition; /* sender, filled in on delivery */
};

#endif
