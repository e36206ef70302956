#include "sim/time/dram_device.h"

#include <string.h>

#define WINDOW(command, count, cycles, doc) \
    _Static_assert((count) <= DRAM_WINDOW_MAX, "a window with too many commands");
#include "sim/time/dram.def"

bool dram_device_init(struct dram_device *v, const struct board_dram *c, struct arena *arena) {
    static const struct {
        u8 level, before, after;
    } rows[] = {
#define GAP(level, before, after, cycles, doc) {DRAM_##level, DRAM_##before, DRAM_##after},
#include "sim/time/dram.def"
    };
    const u32 cycles[] = {
#define GAP(level, before, after, cycles, doc) cycles,
#include "sim/time/dram.def"
    };
    const struct dram_window_row windows[] = {
#define WINDOW(command, count, cycles, doc) {DRAM_##command, count, 0, cycles, {0}},
#include "sim/time/dram.def"
    };
    u32 n = 0;
    for (u32 command = 0; command < DRAM_COMMANDS; command++) {
        v->gaps[command] = n;
        for (u32 i = 0; i < DRAM_GAPS; i++)
            if (rows[i].before == command) {
                u32 at = v->gaps[command];
                while (at < n && (v->gap[at].level != rows[i].level || v->gap[at].after != rows[i].after))
                    at++;
                n += at == n;
                u32 longest = cycles[i] > v->gap[at].cycles ? cycles[i] : v->gap[at].cycles;
                v->gap[at] = (struct dram_gap){rows[i].level, rows[i].after, longest};
            }
    }
    v->gaps[DRAM_COMMANDS] = n;
    memcpy(v->window, windows, sizeof windows);
    v->groups = c->bank_groups;
    v->banks = c->bank_groups * c->banks;
    v->group = arena_alloc(arena, v->groups * sizeof *v->group);
    v->bank = arena_alloc(arena, v->banks * sizeof *v->bank);
    v->row = arena_alloc(arena, v->banks * sizeof *v->row);
    return v->group && v->bank && v->row;
}

void dram_device_reset(struct dram_device *v) {
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
        *record = (struct dram_record){time, v->row[bank], bank, command};
}

void dram_command(struct dram_device *v, u32 bank, enum dram_command command, u64 time) {
    struct dram_calendar *at[DRAM_LEVELS] = {&v->bank[bank], &v->group[bank & (v->groups - 1)], &v->channel};
    for (u32 i = v->gaps[command]; i < v->gaps[command + 1]; i++) {
        const struct dram_gap *gap = &v->gap[i];
        u64 *ready = &at[gap->level]->ready[gap->after];
        *ready = max_u64(*ready, time + gap->cycles);
    }
    for (u32 i = 0; i < DRAM_WINDOWS; i++) {
        struct dram_window_row *w = &v->window[i];
        if (w->command != command)
            continue;
        w->ready[w->next] = time + w->cycles;
        w->next = (u8)(w->next + 1U == w->count ? 0 : w->next + 1U);
        u64 *ready = &v->channel.ready[command];
        *ready = max_u64(*ready, w->ready[w->next]);
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

void dram_refresh(struct dram_device *v, u64 time) {
    for (u32 b = 0; b < v->banks; b++)
        if (v->row[b] != DRAM_NO_ROW) {
            v->row[b] = DRAM_NO_ROW;
            dram_command(v, b, DRAM_PRE, dram_earliest(v, b, DRAM_PRE, time));
        }
    dram_command(v, 0, DRAM_REF, max_u64(time, v->channel.ready[DRAM_REF]));
}
