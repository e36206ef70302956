/*
 * Lines that `print` makes: kept by the run that executes it, at most PRINTED_MAX of them in the order of block, warp
 * and program, which neither the clock nor the number of host threads decides.
 *
 *   struct printed own = {0}, all = {0};
 *   printed_warp(&own, w, u, values);      each active lane's line, in the order of lanes
 *   printed_add(&all, &own);               of each run
 *   printed_close(&all);                   all.line[0..] in order, all.made - their number were dropped
 *
 * What is dropped: all lines from the first on that does not fit. A run drops as soon as it knows, so that a kernel
 * that prints for ever takes no more and more memory: each run keeps up to twice PRINTED_MAX before it sorts, and with
 * a clock each SM is a run of its own.
 */
#ifndef HEDDLE_ARCH_PRINTED_H
#define HEDDLE_ARCH_PRINTED_H

#include "sim/base/buf.h"

enum {
    PRINTED_MAX = 1 << 20, /* bytes of lines: of each its text and PRINTED_LINE more, whatever a line takes here */
    PRINTED_LINE = 16
};

/* Place of a line among all. */
struct printed_key {
    u64 block, order; /* `order`: among the lines of its run */
    u32 warp;
};

struct printed_line {
    struct printed_key key;
    u32 lane, pc;
    u32 at, len; /* in the texts */
};

struct printed {
    struct buf lines; /* struct printed_line each */
    struct buf texts; /* each ended by NUL */
    u64 made;         /* lines, with those that were dropped */
    u64 size;         /* of what is kept, as PRINTED_MAX counts it */
    bool cut;         /* some were dropped: `least` is the first of them */
    struct printed_key least;
};

BUF_LIST(printed, struct printed, lines, struct printed_line)

struct warp;
struct uop;

/* `value`: rows of lanes, of pairs the low words; the high ones follow. */
void printed_warp(struct printed *p, const struct warp *w, const struct uop *u, const u32 *const value[]);

/* Moves the lines of a run to those of others. */
void printed_add(struct printed *all, struct printed *own);

/* Puts lines into their order, and drops what does not fit. */
void printed_close(struct printed *p);
void printed_free(struct printed *p);

static inline bool printed_failed(const struct printed *p) {
    return p->lines.failed || p->texts.failed;
}

#endif
