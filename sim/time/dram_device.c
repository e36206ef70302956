#include "sim/time/dram_device.h"
#include "sim/time/message.h"

#include <string.h>

#define WINDOW(command, count, cycles, doc) \
    _Static_assert((count) <= DRAM_WINDOW_MAX, "a window with too many commands");
#include "sim/time/dram.def"

/* A row of the table with its number of cycles. */
struct gap_row {
    u8 level, before, after;
    u32 cycles;
};

/* True if another row demands as much: of the same commands, and of the same level or the channel. */
static bool implied(const struct gap_row *rows, u32 i) {
    for (u32 k = 0; k < DRAM_GAPS; k++) {
        const struct gap_row *other = &rows[k];
        if (other->before != rows[i].before || other->after != rows[i].after || other->cycles == DRAM_NO_GAP || k == i)
            continue;
        const bool wider = other->level != rows[i].level;
        if ((!wider || other->level == DRAM_CHANNEL) &&
            (other->cycles > rows[i].cycles || (other->cycles == rows[i].cycles && (i > k || wider))))
            return true;
    }
    return false;
}

/* The rows that bind, sorted by the earlier command, as each costs host instructions at every such command. */
static void collect_gaps(const struct gap_row *rows, bool others, struct dram_gap *gap, u32 first[DRAM_COMMANDS + 1]) {
    u32 n = 0;
    for (u32 command = 0; command < DRAM_COMMANDS; command++) {
        first[command] = n;
        for (u32 i = 0; i < DRAM_GAPS; i++)
            if (rows[i].before == command && rows[i].cycles != DRAM_NO_GAP && !implied(rows, i) &&
                (rows[i].level == DRAM_OTHERS) == others)
                gap[n++] = (struct dram_gap){rows[i].level, rows[i].after, rows[i].cycles};
    }
    first[DRAM_COMMANDS] = n;
}

bool dram_device_init(struct dram_device *v, const struct board_dram *c, struct arena *arena) {
    const struct gap_row rows[] = {
#define GAP(level, before, after, cycles, doc) {DRAM_##level, DRAM_##before, DRAM_##after, cycles},
#include "sim/time/dram.def"
    };
    const struct dram_window_row windows[] = {
#define WINDOW(command, count, cycles, doc) {DRAM_##command, count, 0, cycles, {0}},
#include "sim/time/dram.def"
    };
    collect_gaps(rows, false, v->gap, v->gaps);
    collect_gaps(rows, true, v->other, v->others);
    memcpy(v->window, windows, sizeof windows);
    for (u32 i = 0; i < DRAM_WINDOWS; i++)
        v->more[windows[i].command] = true;
    for (u32 command = 0; command < DRAM_COMMANDS && c->stack_ids > 1; command++)
        v->more[command] |= v->others[command] < v->others[command + 1];
    v->together = c->bank_groups;
    v->groups = c->bank_groups * c->stack_ids;
    v->banks = board_banks(c);
    v->group = arena_alloc(arena, v->groups * sizeof *v->group);
    v->bank = arena_alloc(arena, v->banks * sizeof *v->bank);
    v->row = arena_alloc(arena, v->banks * sizeof *v->row);
    v->group_of = arena_alloc(arena, v->banks * sizeof *v->group_of);
    if (!v->group || !v->bank || !v->row || !v->group_of)
        return false;
    for (u32 b = 0; b < v->banks; b++)
        v->group_of[b] = (u8)(b % v->together + b / (v->banks / c->stack_ids) * v->together);
    return true;
}

void dram_device_reset(struct dram_device *v) {
    v->cause = (struct dram_cause){DRAM_NO_COLUMN, false, 0};
    memset(&v->channel, 0, sizeof v->channel);
    memset(v->group, 0, v->groups * sizeof *v->group);
    memset(v->bank, 0, v->banks * sizeof *v->bank);
    for (u32 b = 0; b < v->banks; b++)
        v->row[b] = DRAM_NO_ROW;
    for (u32 i = 0; i < DRAM_WINDOWS; i++) {
        v->window[i].next = 0;
        memset(v->window[i].ready, 0, sizeof v->window[i].ready);
    }
}

static void log_command(struct dram_device *v, u32 bank, enum dram_command command, u64 time) {
    struct dram_record *record = buf_push(v->log, sizeof *record);
    if (record)
        *record = (struct dram_record){time, v->row[bank], bank, command, v->cause};
    v->cause = (struct dram_cause){DRAM_NO_COLUMN, false, 0};
}

/* Moves what the command holds back in the groups of all stack ids but the bank's. */
static void hold_others(struct dram_device *v, u32 bank, u32 command, u64 time) {
    u32 own = v->group_of[bank] / v->together;
    for (u32 i = v->others[command]; i < v->others[command + 1]; i++)
        for (u32 g = 0; g < v->groups; g++) {
            u64 *ready = &v->group[g].ready[v->other[i].after];
            if (g / v->together != own)
                *ready = max_u64(*ready, time + v->other[i].cycles);
        }
}

/* Ends of windows that begin with the command. */
static void open_windows(struct dram_device *v, enum dram_command command, u64 time) {
    for (u32 i = 0; i < DRAM_WINDOWS; i++) {
        struct dram_window_row *w = &v->window[i];
        if (w->command != command)
            continue;
        w->ready[w->next] = time + w->cycles;
        w->next = (u8)(w->next + 1U == w->count ? 0 : w->next + 1U);
        u64 *ready = &v->channel.ready[command];
        *ready = max_u64(*ready, w->ready[w->next]);
    }
}

void dram_command(struct dram_device *v, u32 bank, enum dram_command command, u64 time) {
    struct dram_calendar *at[DRAM_LEVELS] = {&v->bank[bank], &v->group[v->group_of[bank]], &v->channel};
    for (u32 i = v->gaps[command]; i < v->gaps[command + 1]; i++) {
        const struct dram_gap *gap = &v->gap[i];
        u64 *ready = &at[gap->level]->ready[gap->after];
        *ready = max_u64(*ready, time + gap->cycles);
    }
    if (v->more[command]) {
        open_windows(v, command, time);
        hold_others(v, bank, command, time);
    }
    if (UNLIKELY(v->log))
        log_command(v, bank, command, time);
}

void dram_refresh_bank(struct dram_device *v, u32 bank, u64 time) {
    if (v->row[bank] != DRAM_NO_ROW) {
        v->row[bank] = DRAM_NO_ROW;
        dram_command(v, bank, DRAM_PRE, dram_earliest(v, bank, DRAM_PRE, time));
    }
    dram_command(v, bank, DRAM_REFB, dram_earliest(v, bank, DRAM_REFB, time));
}

u64 dram_earliest_all(const struct dram_device *v, u64 from) {
    u64 time = TIME_NEVER;
    for (u32 b = 0; b < v->banks; b++)
        if (v->row[b] != DRAM_NO_ROW)
            time = from = dram_earliest(v, b, DRAM_PRE, from);
    return time;
}

void dram_precharge_all(struct dram_device *v, u64 time) {
    for (u32 b = 0; b < v->banks; b++)
        v->row[b] = DRAM_NO_ROW;
    dram_command(v, 0, DRAM_PREA, time);
}

void dram_refresh(struct dram_device *v, u64 time) {
    u64 close = dram_earliest_all(v, time);
    if (close != TIME_NEVER)
        dram_precharge_all(v, close);
    dram_command(v, 0, DRAM_REF, max_u64(time, v->channel.ready[DRAM_REF]));
}
