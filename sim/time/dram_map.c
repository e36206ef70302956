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
