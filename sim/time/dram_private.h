/* The controller of a channel, for dram.c and for tests that read the log of commands. */
#ifndef HEDDLE_TIME_DRAM_PRIVATE_H
#define HEDDLE_TIME_DRAM_PRIVATE_H

#include "sim/time/dram.h"
#include "sim/time/dram_clock.h"
#include "sim/time/dram_device.h"
#include "sim/time/dram_window.h"

/* A burst that is not in the window yet. */
struct dram_arrival {
    u64 time;   /* memory cycles */
    u32 number; /* arrivals before it, modulo 2^32 */
    struct dram_burst burst;
};

struct dram_ring {
    struct dram_arrival *slot; /* [capacity] */
    u32 head, count, capacity; /* first entry; entries; size, a power of two */
};

/* Place of a column of all groups: lines that follow one another share it, and finding it takes a while. */
struct dram_column_place {
    u64 number; /* number among the channel's columns */
    u64 row;
    u32 bank; /* bank in the first group */
    u32 turn; /* rotation of its lines over the groups */
};

/* The next command, unless something changes. */
struct dram_turn {
    u64 time; /* memory cycles; TIME_NEVER: none */
    u32 slot; /* the burst that it is for; DRAM_NO_SLOT of a row command: it is for a refresh */
};

enum { DRAM_SIBLINGS = BOARD_MAX_dram_pseudo_channels };

/* Command pins where they can be in the way: those of one channel, or of pseudo channels that share them. */
struct dram_pins {
    u64 free[2]; /* first memory cycle in which column commands, row commands find them free */
    struct dram *channel[DRAM_SIBLINGS];
    const struct dram *last; /* that gave the last column command: in a cycle in which all want the pins, it waits */
    u32 channels;
};

/* What page policies and schedulers keep of a bank. */
struct dram_page {
    u64 used;   /* its last column command, memory cycles */
    u64 closed; /* row that the policy closed last, or DRAM_NO_ROW */
    u32 streak; /* column commands since its row was opened */
    u8 trust;   /* 0 to DRAM_TRUST: an open row is likely to be used again */
};
enum { DRAM_TRUST = 3 };

struct dram_check;
struct dram_checked;

/* Check bits that a controller has (dram_ecc.c). */
struct dram_ecc {
    struct dram_check *check;    /* [checks] kept, or being read */
    struct dram_checked *data;   /* [datas] bursts in the controller */
    struct dram_done *done;      /* ring, [datas] bursts to hand out */
    u32 first, waiting;          /* of the ring */
    u32 checks, datas;           /* powers of two */
    u32 spare_check, spare_data; /* first unused place of each */
    u32 *chain;                  /* check bits by their number */
    u32 kept;                    /* check bits that no burst needs now */
    u64 uses;
};

#define DRAM_ALL_BANKS UINT32_MAX

struct dram {
    u64 next;                     /* dram_next, SM cycles */
    u64 event, soon;              /* next step; first cycle that no step has had; memory cycles */
    struct dram_turn column, row; /* next column and row command, to be looked for if stale */
    bool stale_column, stale_row;
    bool writing;    /* the direction now */
    bool last_write; /* direction of the last data */
    u32 late;        /* burst that has waited too long, or DRAM_NO_SLOT */
    u32 quota;       /* writes left in a drain although reads wait */
    u64 bus_free;    /* end of the last data, memory cycles */
    u64 idle;        /* cycles of gaps in which no burst waited */
    u64 since;       /* step from which on bursts have been waiting that are not held back, memory cycles */
    u64 entered;     /* when a burst last entered the window, memory cycles */
    u64 refresh_due; /* memory cycles; TIME_NEVER: no refresh */
    u64 refreshed;   /* refreshes so far; they go round the banks in order, unit_banks at a time */
    u32 units;       /* refreshes until each bank has had one */
    u32 unit_shift;  /* log2 of the banks that one takes */
    bool simple;     /* refreshes, pages, scheduler as in the first rows of their choices; pins never in the way */
    bool mapped;     /* places are not those of dram_column_place */
    u32 last_bank;   /* of the last column command, unless simple */
    struct dram_page *page; /* [banks] kept up unless simple */
    bool held;              /* its banks get no other commands, as a refresh cannot wait any longer */
    bool closes;            /* the next command for a refresh closes the row of refresh_bank */
    u32 refresh_bank;       /* or DRAM_ALL_BANKS */
    u32 opening[2];         /* from an activate to a read, a write */
    struct dram_pins *pins; /* NULL: never in the way */
    struct dram_ecc *ecc;   /* NULL: no check bits in this memory */
    bool early;             /* a step may hand out a burst without a command */
    u64 served;             /* bursts */
    u64 *want;              /* banks that want a row command, one bit each */
    u32 *opens;             /* [banks] rows opened */
    u64 *refreshed_until;   /* [banks] end of its last refresh, memory cycles */
    u8 *opened;             /* [banks] enum dram_state of the next burst of the open row: what it took to open it */
    struct dram_column_place place; /* of the last burst that entered the window */
    u64 pushed_sm, pushed_memory;   /* arrival of the last burst, in both clocks */
    struct dram_device device;
    struct dram_window window;
    struct dram_counters *counters;
    struct dram_counters *by_bank;                      /* [banks] the same by bank; NULL: not counted */
    struct traffic *traffic;                            /* [allocations] */
    struct dram_ring ring[2];                           /* reads, writes: waiting for the window */
    u32 arrivals;                                       /* modulo 2^32 */
    u32 line_shift, group_bits, column_bits, bank_bits; /* fields of an address */
    struct dram_clock clock;
    struct buf *requests;  /* struct dram_request each; NULL: not logged */
    struct record *record; /* NULL: not recorded */
    u32 channel;           /* its number there */
    struct arena *arena;
    struct board_dram cfg;
};

/* True if the refresh that is due next takes the bank. */
static inline bool dram_refreshes(const struct dram *d, u32 bank) {
    return bank >> d->unit_shift == (d->refreshed & (d->units - 1));
}

/* The place of an address. */
struct dram_place {
    u64 row;
    u32 bank; /* bank of the channel; its group is the lowest bits */
};

/* ---- dram_refresh.c ---- */

void dram_refresh_reset(struct dram *d);

/* A refresh is due: rows of the choice `refresh`. */
void dram_refresh_due(struct dram *d, u64 now);

/* The next row command for a refresh, not before `from`; TIME_NEVER where refreshes take no row commands. */
struct dram_turn dram_refresh_turn(struct dram *d, u64 from);

/* Gives it. */
void dram_refresh_give(struct dram *d, u64 now);

/* Takes the steps of idle pseudo channels before `now`: no burst waits there, yet refreshes go on. */
void dram_catch_up(struct dram *d, u64 now);

/* ---- dram_parts.c ---- */

/* Accounts for the gap before the data of a slot, from cycle `data` on, before its column command is given. */
void dram_parts_gap(struct dram *d, const struct dram_slot *s, u64 data);

/* ---- dram_page.c ---- */

void dram_page_reset(struct dram *d);

/* Notes a column command for a slot, a row that is opened for one, a row that another one of its bank displaces. */
void dram_page_column(struct dram *d, const struct dram_slot *s, u64 now);
void dram_page_open(struct dram *d, const struct dram_slot *s);
void dram_page_conflict(struct dram *d, u32 bank);

/* The next precharge of a row that no burst waits for, not before `from`, if it is before the other row command. */
struct dram_turn dram_page_turn(struct dram *d, u64 from, struct dram_turn other);

/* ---- dram_scheduler.c ---- */

/* Burst of a direction that the bank offers, by the scheduler. The bank has some. */
u32 dram_offer(struct dram *d, u32 bank, bool write);

/* True if the scheduler prefers a slot to `best`, which is as ready and may be none. */
bool dram_precedes(const struct dram *d, u32 slot, u32 best);

/* The next column command of any scheduler, not before `from`; of fcfs that of the oldest burst, or none. */
struct dram_turn dram_other_column(struct dram *d, u64 from);

/* First time of the bank's column command, not before `soonest`. */
static inline u64 dram_column_time(const struct dram *d, u32 bank, enum dram_command column, u64 soonest) {
    const struct dram_device *v = &d->device;
    soonest = max_u64(soonest, v->bank[bank].ready[column]);
    return max_u64(soonest, v->group[v->group_of[bank]].ready[column]);
}

/* ---- dram_writes.c ---- */

/* True if writes are next by the choice `writes`, where no burst has waited too long. */
bool dram_turns_to_writes(struct dram *d, u32 reads, u32 writes);

/* Memory cycle in which writes that are held back, as few wait and no read does, are drained; TIME_NEVER: none is. */
u64 dram_writes_due(const struct dram *d);

/* True if the next read gets what a waiting write brings, by the choice `forward`. */
bool dram_forwards(const struct dram *d, u64 now);

/* Takes that read. False if there is none now. */
bool dram_forward(struct dram *d, u64 now, struct dram_done *done);

/* ---- dram_ecc.c ---- */

/* Room for what the choice `ecc` keeps. False when out of memory. */
bool dram_ecc_init(struct dram *d);

/* All but the first are for a channel with check bits in its memory. */
void dram_ecc_reset(struct dram *d);
bool dram_ecc_push(struct dram *d, const struct dram_burst *burst);

/* A burst of data or check bits is served; now: SM cycles. */
void dram_ecc_served(struct dram *d, struct dram_done done, u64 now);

/* Takes a burst that its owner may have. False if there is none. */
bool dram_ecc_take(struct dram *d, struct dram_done *done, u64 now);

/* Finds the owner's number of a burst. False if it is of check bits. */
bool dram_ecc_owner(const struct dram *d, u32 *id);

/* ---- dram_map.c ---- */

/* Place of a line by the choices `map` and `spread`, whatever they are. */
struct dram_place dram_map_line(const struct dram *d, u64 line);

/* Number of the burst in its row. */
u32 dram_column_of(const struct dram *d, u64 address);

/* Finds the column of a line for the lines after it, too; with another mapping for this line alone. */
void dram_column_place(const struct dram *d, u64 line, struct dram_column_place *c);

static inline u32 dram_bank_of(const struct dram *d, const struct dram_column_place *c, u64 line) {
    return c->bank + (((u32)line + c->turn) & (d->cfg.bank_groups - 1));
}

struct dram_place dram_place_of(const struct dram *d, u64 address);

/* ---- dram.c ---- */

/* Adds a burst as it is, without check bits. */
bool dram_push_plain(struct dram *d, const struct dram_burst *burst);

/* Room for as many writes more. False when out of memory. */
bool dram_reserve(struct dram *d, u32 writes);

/* ---- dram_choose.c ---- */

/* Notes whether the bank wants a row command, after a change of its bursts, its row or its offer. */
void dram_consider(struct dram *d, u32 bank);
void dram_consider_all(struct dram *d);

/* Finds the burst that has waited too long, and the direction. Doing it again changes nothing. */
void dram_direct(struct dram *d);

/* Look again, if need be, for the commands that are next, not before `from`. */
void dram_look_column(struct dram *d, u64 from);
void dram_look_row(struct dram *d, u64 from);

/* True if the pins of row commands, or column commands, are free. If not, its next command is stale. */
bool dram_pins_free(struct dram *d, bool row, u64 now);

/* Takes them for some cycles. */
void dram_pins_take(struct dram *d, bool row, u64 now, u32 cycles);

#endif
