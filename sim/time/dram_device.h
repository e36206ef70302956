/*
 * The memory of a channel: which row each bank has open, and when each command is allowed, by the rows of dram.def.
 * It has no clock and chooses nothing. For every bank, every group and the channel it keeps the earliest time of each
 * kind of command; a command moves those of the commands that the table puts after it.
 *
 *      u64 time = dram_earliest(&device, bank, DRAM_RD, now);   when a read is allowed
 *      dram_command(&device, bank, DRAM_RD, time);              gives it
 *
 * Left out: power-down.
 */
#ifndef HEDDLE_TIME_DRAM_DEVICE_H
#define HEDDLE_TIME_DRAM_DEVICE_H

#include "sim/base/arena.h"
#include "sim/base/bits.h"
#include "sim/base/buf.h"
#include "sim/board/board.h"

enum dram_command {
#define COMMAND(id, doc) DRAM_##id,
#include "sim/time/dram.def"
    DRAM_COMMANDS
};

enum dram_level { DRAM_BANK, DRAM_GROUP, DRAM_CHANNEL, DRAM_LEVELS, DRAM_OTHERS = DRAM_LEVELS };

/* Number of rows of each kind. */
#define GAP(level, before, after, cycles, doc) +1
enum {
    DRAM_GAPS =
#include "sim/time/dram.def"
};
#define WINDOW(command, count, cycles, doc) +1
enum {
    DRAM_WINDOWS =
#include "sim/time/dram.def"
};
enum { DRAM_WINDOW_MAX = 8 }; /* largest count of a WINDOW row */

#define DRAM_NO_ROW UINT64_MAX
#define DRAM_NO_GAP UINT32_MAX
#define DRAM_NO_COLUMN UINT32_MAX

/* Earliest time of each command, memory cycles. */
struct dram_calendar {
    u64 ready[DRAM_COMMANDS];
};

struct dram_gap {
    u8 level, after; /* enum dram_level, enum dram_command */
    u32 cycles;
};

struct dram_window_row {
    u8 command, count;
    u8 next;                    /* place in `ready` of the command that binds the next one */
    u32 cycles;                 /* length of the window */
    u64 ready[DRAM_WINDOW_MAX]; /* ends of the windows begun by the last `count` commands */
};

/* The burst that a command is for. */
struct dram_cause {
    u32 column; /* burst of the row; DRAM_NO_COLUMN: of no burst, but a refresh or a page policy */
    bool write;
    u16 source; /* as in struct dram_burst */
};

/* A command that was given. */
struct dram_record {
    u64 time; /* memory cycles */
    u64 row;  /* row open in the bank afterwards */
    u32 bank; /* bank of the channel; 0 for DRAM_REF and DRAM_PREA */
    u32 command;
    struct dram_cause cause;
};

struct dram_device {
    struct dram_calendar channel;
    struct dram_calendar *group, *bank; /* [groups], [banks of the channel] */
    u8 *group_of;                       /* [banks of the channel] */
    u64 *row;                           /* [banks of the channel] open row, or DRAM_NO_ROW */
    struct dram_gap gap[DRAM_GAPS];     /* sorted by the earlier command */
    struct dram_gap other[DRAM_GAPS];   /* likewise, those of level DRAM_OTHERS */
    struct dram_window_row window[DRAM_WINDOWS];
    u32 gaps[DRAM_COMMANDS + 1]; /* first gap of each command */
    u32 others[DRAM_COMMANDS + 1];
    bool more[DRAM_COMMANDS]; /* the command has a window, or holds other stack ids back */
    u32 banks, groups;        /* numbers in the channel, those of all stack ids */
    u32 together;             /* groups of a stack id; bank b is in group b % together of its stack id */
    struct buf *log;          /* struct dram_record each; NULL: no log */
    struct dram_cause cause;  /* of the next command, kept up where there is a log */
};

/* State of the bank that a burst found: its row open, no row, another row. */
enum dram_state { DRAM_HIT, DRAM_MISS, DRAM_CONFLICT };

/* Room for its banks. False when out of memory. */
bool dram_device_init(struct dram_device *v, const struct board_dram *c, struct arena *arena);

/* All rows closed, everything allowed from 0. */
void dram_device_reset(struct dram_device *v);

/* Gives a command, not before it is allowed. */
void dram_command(struct dram_device *v, u32 bank, enum dram_command command, u64 time);

/* First time, not before `from`, when all open banks may be precharged; TIME_NEVER: none is open. */
u64 dram_earliest_all(const struct dram_device *v, u64 from);

/* Closes all open rows by one command, not before that is allowed. */
void dram_precharge_all(struct dram_device *v, u64 time);

/* Closes all rows and refreshes, not before `time`. */
void dram_refresh(struct dram_device *v, u64 time);

/* Closes the bank's row and refreshes it, not before `time`. */
void dram_refresh_bank(struct dram_device *v, u32 bank, u64 time);

/* First time, not before `from`, when the command is allowed. */
static inline u64 dram_earliest(const struct dram_device *v, u32 bank, enum dram_command command, u64 from) {
    from = max_u64(from, v->bank[bank].ready[command]);
    from = max_u64(from, v->group[v->group_of[bank]].ready[command]);
    return max_u64(from, v->channel.ready[command]);
}

#endif
