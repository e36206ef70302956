/*
 * Address mappings: the choice `map` names the fields of an address, `spread` what becomes of bank and group. A new
 * order is its row alone: its name is read here, two letters a field, Ro first.
 *
 *      RoBaBgCo      row | bank | group | column | byte of the line
 *
 *      sum           bank + low part of the fold; group + column + bank + high part of the fold   modulo their numbers
 *      xor           bank and group, as one number, xor the fold
 *
 *      fold          the row's bits in pieces as wide as bank and group together, xor-ed
 */
#include "sim/time/dram_private.h"

/* Takes the lowest bits off a number. */
static u32 take(u64 *rest, u32 bits) {
    u32 low = (u32)(*rest & ((1ULL << bits) - 1));
    *rest >>= bits;
    return low;
}

struct fields {
    u64 row;
    u32 bank, group, column;
};

/* Fields of a line, lowest first: the name from its end. */
static struct fields fields_of(const struct dram *d, u64 line) {
    const char *order = board_fields[BOARD_dram_map].option[d->cfg.map].name;
    struct fields f = {0};
    for (u32 at = 8; at > 2; at -= 2)
        switch (order[at - 1]) {
        case 'a': f.bank = take(&line, d->bank_bits); break;
        case 'g': f.group = take(&line, d->group_bits); break;
        default: f.column = take(&line, d->column_bits);
        }
    f.row = line;
    return f;
}

struct dram_place dram_map_line(const struct dram *d, u64 line) {
    struct fields f = fields_of(d, line);
    u32 groups = d->group_bits, piece = groups + d->bank_bits, both = f.bank << groups | f.group;
    u64 fold = 0;
    for (u64 rest = piece ? f.row : 0; rest; rest >>= piece)
        fold ^= rest;
    switch (d->cfg.spread) {
    case spread_SUM:
        f.group += f.column + f.bank + (u32)(fold >> d->bank_bits);
        f.bank += (u32)fold;
        break;
    case spread_XOR:
        both ^= (u32)fold;
        f.bank = both >> groups;
        f.group = both;
        break;
    case spread_NONE: break;
    }
    f.bank &= (1U << d->bank_bits) - 1;
    f.group &= (1U << groups) - 1;
    return (struct dram_place){f.row, f.bank << groups | f.group};
}

u32 dram_column_of(const struct dram *d, u64 address) {
    u64 line = address >> d->line_shift;
    u32 bursts = d->cfg.line_bytes / d->cfg.burst_bytes;
    return fields_of(d, line).column * bursts + (u32)(address / d->cfg.burst_bytes) % bursts;
}

/* The line with these fields: the inverse of fields_of. */
static u64 line_of(const struct dram *d, struct fields f) {
    const char *order = board_fields[BOARD_dram_map].option[d->cfg.map].name;
    u64 line = f.row;
    for (u32 at = 2; at <= 6; at += 2)
        switch (order[at + 1]) {
        case 'a': line = line << d->bank_bits | f.bank; break;
        case 'g': line = line << d->group_bits | f.group; break;
        default: line = line << d->column_bits | f.column;
        }
    return line;
}

void dram_column_place(const struct dram *d, u64 line, struct dram_column_place *c) {
    if (UNLIKELY(d->mapped)) {
        struct dram_place p = dram_map_line(d, line);
        u32 group = p.bank & (d->cfg.bank_groups - 1);
        *c = (struct dram_column_place){UINT64_MAX, p.row, p.bank - group, group - (u32)line};
        return;
    }
    u64 number = line >> d->group_bits;
    u32 groups = d->cfg.bank_groups, banks = 1U << d->bank_bits, piece = d->group_bits + d->bank_bits;
    u64 bank = number >> d->column_bits, row = bank >> d->bank_bits, fold = 0;
    for (u64 rest = piece ? row : 0; rest; rest >>= piece)
        fold ^= rest;
    c->number = number;
    c->row = row;
    c->bank = (u32)((bank + fold) & (banks - 1)) * groups;
    c->turn = (u32)(number + bank + (fold >> d->bank_bits));
}

struct dram_place dram_place_of(const struct dram *d, u64 address) {
    u64 line = address >> d->line_shift;
    struct dram_column_place c;
    dram_column_place(d, line, &c);
    return (struct dram_place){c.row, dram_bank_of(d, &c, line)};
}

/* Tries the banks of the row: whatever spreads them, one of them has this place. */
u64 dram_address_at(const struct dram *d, u32 bank, u64 row, u32 column) {
    u32 bursts = d->cfg.line_bytes / d->cfg.burst_bytes;
    if (bank >= d->device.banks || column / bursts >> d->column_bits || row >> 40)
        return UINT64_MAX;
    for (u32 b = 0; b < d->device.banks; b++) {
        struct fields f = {row, b >> d->group_bits, b & (d->cfg.bank_groups - 1), column / bursts};
        u64 address = (line_of(d, f) << d->line_shift) + (u64)(column % bursts) * d->cfg.burst_bytes;
        struct dram_place p = dram_place_of(d, address);
        if (p.bank == bank && p.row == row)
            return address;
    }
    return UINT64_MAX;
}

void dram_find(const struct dram *d, u64 address, u32 *bank, u64 *row, u32 *column) {
    struct dram_place p = dram_place_of(d, address);
    *bank = p.bank;
    *row = p.row;
    *column = dram_column_of(d, address);
}
