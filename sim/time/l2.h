/*
 * The L2 slices of a partition: tags, a data path each, and the bursts that they request of the channel. Sectored,
 * write-back with a mask of dirty bytes, so a store never fetches (but see joins). Its events are in the order of time
 * (a request arrives, a slice has its turn, a burst is done); it pushes bursts to the channel, replies to its output.
 *
 *      arrival --> queue --> turn: data path free, room for its bursts --+-- all there ------------------> reply
 *                            serves one request, applies its effect      +-- bursts --> last one done --> reply
 *
 *   reply's arrival = (turn, or end of the last burst that it needs) + l2.latency + noc.latency
 *
 * so a hit that does not wait takes exactly both latencies, and a miss adds exactly its bursts' time in the channel,
 * whose latency is its own. Atomics add l2.atomic_cycles and the time of their passes after the first cycle.
 *
 *   data path   taken for sectors x 32 / l2.bytes_per_cycle cycles, rounded up, or where that is no power of two added
 *               up, and at least a cycle. It is the only place where requests of different SMs contend: ports between
 *               SMs and slices are the SMs'
 *   passes      least time of an atomic, in cycles of L2's own clock (l2.clock_ratio of the SM's): one a sector, whose
 *               words go together, and one for each lane more on its most wanted word. Sectors of another line
 *               than the last atomic's take l2.scatter_passes more. Lanes on one word are l2.word_passes apart, sums
 *               of floating-point l2.float_passes, and a word of f64 takes l2.f64_passes. Stores: a pass for each
 *               sector that is filled in part, and l2.partial_passes for all of them
 *   room        at most l2.sectors bursts of a slice are in flight, reads and write-backs; a request that needs more
 *               room waits until it has it, or until none is in flight, and the slice with it. So it does when all
 *               lines of its set wait for sectors
 *   bursts      of more than 32 bytes bring, and write, the neighbouring sectors of the line with them
 *   joins       where dram.partial_write is read_first, a sector that is dirty in part and was not read is read before
 *               it is written: when a line comes into its set and l2.partial_ways lines were used after its own, or
 *               when its line is replaced, whether or not there is room, and written when it has come
 *   replies     a header, and 32 bytes for each sector of a load, sync or atomic
 *   halves      with l2.far_cycles, a load of a line whose home is in the other half looks for a copy in the mirror of
 *               the line's slice, in its SM's half. Missing sectors are read from home into the copy: half of
 *               far_cycles there, half back. Other requests go there and back. So does a load whose copy would take the
 *               last way of its set without pending sectors: heads of both slices might wait for each other. A store or
 *               an atomic drops the copy's sectors
 *   crossing    sectors for copies cross between the halves in turn, l2.far_bytes a cycle for each pair of slices
 *   write       with l2.write through or around nothing is dirty: a store's bytes go to DRAM at once, too, and a sector
 *               that it fills is kept; around, a store that finds no line takes none
 *   no cache    l2.bytes 0: loads, stores, atomics go to the channel each for itself; an atomic's write follows its
 *               reads, whether or not there is room
 *   useful      bytes of a read: those that the request which caused it wants, not what others find later
 *
 * Left out: conflicts between fills and requests for the data path, banks within a slice.
 */
#ifndef HEDDLE_TIME_L2_H
#define HEDDLE_TIME_L2_H

#include "sim/base/buf.h"
#include "sim/stat/counters.h"
#include "sim/time/cache.h"
#include "sim/time/dram.h"
#include "sim/time/place.h"

struct l2_slice;
struct record;
struct l2_inflight;

/* Requests in flight, in the order of request.time. */
struct l2_list {
    u32 first, last;
};

struct l2 {
    /* from the board */
    struct placer placer;
    u64 delay;                /* cycles from service to the reply's arrival at the SM */
    u32 bytes_per_cycle;      /* width of a data path */
    u32 pass;                 /* cycles of a pass, in parts of PASS */
    u32 scatter;              /* of what each sector takes more on another line than the last one, likewise */
    u32 again[3];             /* [enum request_adds] from one lane on a word to the next, likewise */
    u32 word;                 /* of a word of f64, likewise */
    u32 partial;              /* of a store that fills a sector in part, beside those of the sectors, likewise */
    u32 atomic_delay;         /* cycles that an atomic's reply takes longer */
    u32 partial_ways;         /* lines of a set, the last used, whose sectors may be dirty in part */
    enum write_policy write;  /* where what is written is kept */
    bool perfect;             /* each request hits */
    u32 endless;              /* cycles of each burst, where DRAM serves any number at once; 0: it does not */
    bool joins;               /* sectors that are dirty in part are read before they are written back */
    u32 room;                 /* bursts of a slice in flight at once */
    u32 header;               /* bytes of a reply without its data */
    u8 first[16];             /* set of sectors: the first ones of the bursts that cover it */
    u8 cover[16];             /* set of sectors: all of these bursts */
    struct dram *const *dram; /* its channels, one of each half, or their pseudo channels */
    struct arena *arena;      /* memory of the requests in flight */

    struct l2_slice *slice; /* [slices] */
    u64 *turn;              /* [slices] next service of each; TIME_NEVER: nothing to serve, or blocked */
    u32 slices;
    u64 way_free;                 /* end of what the way between the halves carries */
    u32 way_bytes;                /* of it, all slices of the partition together, a cycle; 0: no limit */
    struct l2_list there, back;   /* between the halves: to a line's home; with sectors from it */
    struct l2_inflight *inflight; /* [capacity] requests that have arrived and not been answered */
    u32 capacity, unused;         /* length of `inflight`; its first unused place, or NONE */
    u64 dirty;                    /* dirty bytes */
    u32 seq;                      /* number of the next reply */
    bool failed;                  /* memory ran out */
    struct record *record;        /* NULL: not recorded */
    struct partition_counters *counters;
    struct buf *out;   /* struct reply each; the caller's */
    struct buf passed; /* struct dram_done each, of an endless DRAM: the caller takes them */
};

/* False when out of memory. */
bool l2_init(struct l2 *l2, const struct board *b, struct dram *const *dram, struct arena *arena);

/* Starts a launch: no requests, data paths free; tags and written bytes stay when `warm`. */
void l2_reset(struct l2 *l2, struct partition_counters *counters, bool warm);

/* From now on, charges to to[n] what was charged to allocation n of the launch before. */
void l2_recharge(struct l2 *l2, const u32 *to);

/* Adds the lines in use; returns how many there are. */
u64 l2_lines(const struct l2 *l2, u64 *used);

/* Time when the last of its data paths is free. */
u64 l2_end(const struct l2 *l2);

/* Cycles that the busiest of its data paths was busy. */
u64 l2_busiest(const struct l2 *l2);

/* Prefetches for the host CPU, in two steps, what the arrival of the request will touch. Changes nothing. */
void l2_prefetch(const struct l2 *l2, const struct request *r);
void l2_prefetch_line(const struct l2 *l2, const struct request *r);

/* Prefetches likewise for the end of a burst. */
void l2_prefetch_end(const struct l2 *l2, const struct dram_done *done);
void l2_prefetch_fill(const struct l2 *l2, const struct dram_done *done);

/* A request of this partition arrives. */
void l2_arrive(struct l2 *l2, const struct request *r);

/* The next turn of any slice, or arrival from the other half; TIME_NEVER when there is none. */
u64 l2_next(const struct l2 *l2);

/* Makes that turn: the slice serves a request, or finds that it has to wait. Or lets that request arrive. */
void l2_turn(struct l2 *l2);

/* Request that caused read burst `burst`; NULL: it is a write-back. */
const struct request *l2_request(const struct l2 *l2, u32 burst);

/* A burst that it pushed is done, now: at done->time. */
void l2_done(struct l2 *l2, const struct dram_done *done);

#endif
