/*
 * Where the lanes of one access meet: lines of global memory, words of shared-memory banks, equal addresses.
 *
 *      lane     0    1    2    3          4-byte loads, 32 banks of 4 bytes
 *      address  0    128  4    0
 *      line     0    1    0    0          two lines: {0: lanes 0 2 3, bytes 0-7}, {1: lane 1, bytes 0-3}
 *      word     0    32   1    0
 *      bank     0    0    1    0          bank 0 must serve words 0 and 32: two passes; lanes 0 and 3 share one
 *
 * Every function first tries whether the lanes are one run of consecutive elements, or all want the same: almost every
 * access is. The rest takes a small hash table, so that the cost grows with the lanes, not their square.
 */
#include "sim/time/geometry.h"

#include <string.h>

#include "sim/base/bits.h"
#include "sim/time/fold.h"

/* ---- masks ---- */

static inline u32 lowest(u64 v) {
#if defined(__GNUC__)
    return (u32)__builtin_ctzll(v);
#else
    u32 n = 0;
    while (!(v >> n & 1))
        n++;
    return n;
#endif
}

/* Bits `from` to `to`, without `to`: at least one, within 64. */
static inline u64 bits(u32 from, u32 to) {
    return (~(u64)0 >> (64 - (to - from))) << from;
}

/* ---- patterns ---- */

enum pattern { PATTERN_RUN, PATTERN_SAME, PATTERN_OTHER };

#if defined(__GNUC__)
typedef u64 pair __attribute__((vector_size(16)));
#endif

/* True if addr[from .. to) is one sequence. By pairs: on a copy 4 instead of 12 instructions a lane. */
static inline bool steps(const u64 *addr, u32 from, u32 to, u64 step) {
    u64 want = addr[from], off = addr[to - 1] ^ (want + (to - 1 - from) * step);
    u32 l = from;
    if (off) /* scatter: seen at once */
        return false;
#if defined(__GNUC__)
    pair wants = {want, want + step}, wrong = {0, 0};
    for (; to - l >= 2; l += 2, wants += 2 * step) {
        pair two;
        memcpy(&two, addr + l, sizeof two);
        wrong |= two ^ wants;
    }
    want = wants[0];
    off = wrong[0] | wrong[1];
#endif
    for (; l < to; l++, want += step)
        off |= addr[l] ^ want;
    return !off;
}

/* Lanes [from, to) are the whole mask, and their addresses follow one another, or are one. */
static inline enum pattern pattern_of(const u64 *addr, u64 mask, u32 bytes, u32 *from, u32 *to) {
    *from = lowest(mask);
    *to = *from + ones_of(mask);
    if (mask != bits(*from, *to))
        return PATTERN_OTHER;
    if (*to - *from == 1)
        return PATTERN_SAME;
    u64 step = addr[*from + 1] - addr[*from];
    if ((step != bytes && step != 0) || !steps(addr, *from, *to, step))
        return PATTERN_OTHER;
    return step ? PATTERN_RUN : PATTERN_SAME;
}

/* ---- sets of keys ---- */

enum { SLOT_BITS = 7, SLOTS = 1 << SLOT_BITS }; /* table at most half full */

struct keys {
    u64 key[WARP_MAX];
    u8 slot[SLOTS]; /* 1 + index into key[]; 0: free */
    u32 n;
};

static inline void keys_clear(struct keys *k) {
    k->n = 0;
    memset(k->slot, 0, sizeof k->slot);
}

/* The key's index, in order of first appearance; == the old k->n when it is new. */
static inline u32 keys_index(struct keys *k, u64 key) {
    u32 at = (u32)(key * 0x9e3779b97f4a7c15 >> (64 - SLOT_BITS)); /* 2^64 / golden ratio: spreads strides evenly */
    for (; k->slot[at]; at = (at + 1) % SLOTS)
        if (k->key[k->slot[at] - 1] == key)
            return k->slot[at] - 1u;
    k->key[k->n] = key;
    k->slot[at] = (u8)(k->n + 1);
    return k->n++;
}

/* ---- lines ---- */

static inline void line_add(struct line_access *line, u32 at, u32 bytes, u64 lanes) {
    line->bytes[at / 64] |= bits(at % 64, at % 64 + bytes);
    line->sectors |= (u8)(1u << at / SECTOR_BYTES);
    line->lanes |= lanes;
}

/* Lanes [from, to) read one run of bytes: a line holds a run of it. */
static u32 coalesce_run(u64 start, u32 from, u32 to, u32 bytes, struct line_access *line) {
    u32 n = 0, at = (u32)(start % LINE_BYTES);
    for (u64 base = start - at; from < to; base += LINE_BYTES, at = 0, n++) {
        u32 room = (LINE_BYTES - at) / bytes, lanes = to - from < room ? to - from : room, end = at + lanes * bytes;
        line[n].line = base;
        line[n].bytes[0] = at < 64 ? bits(at, end < 64 ? end : 64) : 0;
        line[n].bytes[1] = end > 64 ? bits(at > 64 ? at - 64 : 0, end - 64) : 0;
        line[n].lanes = bits(from, from + lanes);
        line[n].sectors = (u8)bits(at / SECTOR_BYTES, (end + SECTOR_BYTES - 1) / SECTOR_BYTES);
        from += lanes;
    }
    return n;
}

static u32 coalesce_any(const u64 *addr, u64 mask, u32 bytes, struct line_access *line) {
    struct keys seen;
    u32 i = 0;
    u64 last = 1; /* no line's address */
    keys_clear(&seen);
    for (u64 left = mask; left; left &= left - 1) {
        u32 l = lowest(left), at = (u32)(addr[l] % LINE_BYTES);
        u64 base = addr[l] - at;
        if (base != last) {
            u32 before = seen.n;
            i = keys_index(&seen, base / LINE_BYTES);
            last = base;
            if (i == before)
                line[i] = (struct line_access){.line = base};
        }
        line_add(&line[i], at, bytes, left & -left);
    }
    return seen.n;
}

u32 coalesce(const u64 *addr, u64 mask, u32 bytes, struct line_access line[LINES_MAX]) {
    u32 from, to;
    if (!mask)
        return 0;
    switch (pattern_of(addr, mask, bytes, &from, &to)) {
    case PATTERN_RUN: return coalesce_run(addr[from], from, to, bytes, line);
    case PATTERN_SAME:
        line[0] = (struct line_access){.line = addr[from] - addr[from] % LINE_BYTES};
        line_add(&line[0], (u32)(addr[from] % LINE_BYTES), bytes, mask);
        return 1;
    case PATTERN_OTHER: break;
    }
    return coalesce_any(addr, mask, bytes, line);
}

u32 coalesce_load(const u64 *addr, u64 mask, u32 bytes, u32 fetch, struct line_access line[LINES_MAX]) {
    u32 n = coalesce(addr, mask, bytes, line);
    for (u32 i = 0; i < n && fetch > SECTOR_BYTES; i++) {
        u32 s = line[i].sectors, pairs = (s & 5) << 1 | (s & 10) >> 1;
        line[i].sectors = (u8)(fetch == LINE_BYTES ? 15 : s | pairs);
    }
    return n;
}

/* ---- banks ---- */

struct phases phases_of(struct banks b, u32 bytes, u32 width) {
    u32 lanes = b.count * b.bytes / (bytes < 4 ? 4 : bytes);
    return (struct phases){lanes < 1       ? 1
                           : lanes < width ? lanes
                                           : width,
                           b.pairs && bytes > b.bytes && lanes > 1 && lanes < width};
}

/* True if each of these lanes has the address of lane l ^ `step`, if that is among them. */
static bool shared_by(const u64 *addr, u64 lanes, u32 step) {
    for (u64 left = lanes; left; left &= left - 1) {
        u32 l = lowest(left), other = l ^ step;
        if (lanes >> other & 1 && addr[l] != addr[other])
            return false;
    }
    return true;
}

u32 phase_end(struct phases p, const u64 *addr, u64 mask, u32 at) {
    u32 end = at + p.lanes, both = end + p.lanes;
    if (!p.pairs || at % (2 * p.lanes))
        return end;
    u64 lanes = mask & bits(at, both);
    return shared_by(addr, lanes, 1) || shared_by(addr, lanes, 2) ? both : end;
}

/*
 * Accesses are aligned and of one size, so a lane wants whole words of neighbouring banks, or part of one word: a
 * piece. Pieces that start in the same bank want the same banks, so it is enough to count pieces.
 */
struct pieces {
    u32 shift; /* address >> shift is the number of the piece */
    u32 mask;  /* number & mask is the group of banks that a piece fills */
    u32 each;  /* passes of one piece: 1, unless it is wider than all banks together */
    u32 all;   /* log2 of the pieces that one pass can serve */
    u32 row;   /* cycles of the way back for as many */
};

static inline struct pieces pieces_of(struct banks b, u32 bytes) {
    const u32 size = bytes > b.bytes ? bytes : b.bytes, row = b.count * b.bytes;
    u32 groups = row > size ? row / size : 1;
    return (struct pieces){lowest(size), groups - 1, row < size ? size / row : 1, lowest(groups), b.row_cycles};
}

/* Least passes of a number of pieces. */
static inline u32 passes_of(const struct pieces *p, u32 pieces) {
    return ((pieces + (1U << p->all) - 1) >> p->all) * p->each;
}

/* Cycles of a phase: of its passes, or of the way back for its pieces, each once. */
static inline u32 phase_cycles(const struct pieces *p, u32 passes, u32 pieces) {
    u32 back = passes_of(p, pieces * p->row);
    return back > passes ? back : passes;
}

static struct bank_passes phase_passes(const struct pieces *p, const u64 *addr, u64 mask) {
    u64 first[WARP_MAX], used = 0; /* the first piece requested from each group of banks */
    u8 more[WARP_MAX];             /* [group] further pieces */
    struct keys others;
    u32 pieces = 0, most = 0;
    others.n = 0;
    for (u64 left = mask; left; left &= left - 1) {
        u64 piece = addr[lowest(left)] >> p->shift;
        u32 group = (u32)piece & p->mask;
        if (!(used >> group & 1)) {
            used |= (u64)1 << group;
            first[group] = piece;
            more[group] = 0;
            pieces++;
        } else if (first[group] != piece) {
            u32 before = others.n;
            if (!before)
                keys_clear(&others);
            if (keys_index(&others, piece) == before && ++more[group] > most)
                most = more[group];
        }
    }
    pieces += others.n;
    u32 passes = (most + 1) * p->each;
    return (struct bank_passes){passes, passes_of(p, pieces), phase_cycles(p, passes, pieces)};
}

/* True if the lanes of a phase want each bank for one piece at most, because they follow one another. */
static inline bool run_fits(struct banks b, u32 bytes, u32 lanes) {
    /* Elements narrower than a word: a run may start within one, and then takes one word more than its length. */
    return bytes >= b.bytes || lanes * bytes + b.bytes <= b.count * b.bytes;
}

/* Cycles of lanes [from, to) that follow one another, or want the same, in phases of `lanes`: a pass each. */
static u32 run_cycles(const struct pieces *p, const u64 *addr, u32 from, u32 to, u32 lanes) {
    u32 sum = 0;
    for (u32 at = from, end; at < to; at = end) {
        end = (at / lanes + 1) * lanes;
        end = end < to ? end : to;
        sum += phase_cycles(p, p->each, (u32)((addr[end - 1] >> p->shift) - (addr[at] >> p->shift)) + 1);
    }
    return sum > p->row ? sum : p->row;
}

struct bank_passes bank_passes(struct banks b, const u64 *addr, u64 mask, u32 bytes, u32 width) {
    struct bank_passes sum = {0, 0, 0};
    u32 from, to;
    const struct phases phases = phases_of(b, bytes, width);
    const struct pieces p = pieces_of(b, bytes);
    if (!mask)
        return sum;
    enum pattern pattern = pattern_of(addr, mask, bytes, &from, &to);
    if (pattern == PATTERN_SAME || (pattern == PATTERN_RUN && run_fits(b, bytes, phases.lanes))) {
        u32 lanes = phases.lanes << (pattern == PATTERN_SAME && phases.pairs);
        u32 passes = ((to - 1) / lanes - from / lanes + 1) * p.each;
        return (struct bank_passes){passes, passes, p.row == 1 ? passes : run_cycles(&p, addr, from, to, lanes)};
    }
    for (u32 at = 0, end; at < width; at = end) {
        end = phase_end(phases, addr, mask, at);
        u64 here = mask & bits(at, end < width ? end : width);
        if (!here)
            continue;
        struct bank_passes one = phase_passes(&p, addr, here);
        sum.taken += one.taken;
        sum.ideal += one.ideal;
        sum.cycles += one.cycles;
    }
    sum.cycles = sum.cycles > p.row ? sum.cycles : p.row;
    return sum;
}

/* ---- tags ---- */

u32 tag_cycles(const struct line_access *line, u32 lines, const struct board_l1 *l1) {
    u8 looked_up[BOARD_MAX_l1_tag_banks] = {0};
    const u32 bytes = l1->line_bytes, each = LINE_BYTES / bytes, bits = fold_width(l1->tag_banks);
    const u32 part = (1u << LINE_SECTORS / each) - 1; /* its sectors, one bit each */
    u32 most = 1;
    if (lines <= 1 && each == 1)
        return lines;
    for (u32 i = 0; i < lines * each; i++) {
        const struct line_access *l = &line[i / each];
        u8 *n = &looked_up[fold(l->line / bytes + i % each, bits) & (l1->tag_banks - 1)];
        *n = (u8)(*n + ((l->sectors >> i % each * LINE_SECTORS / each & part) != 0));
        most = *n > most ? *n : most;
    }
    return lines ? most : 0;
}

/* ---- equal addresses ---- */

u32 same_address(const u64 *addr, u64 mask) {
    struct keys seen;
    u8 lanes[WARP_MAX] = {0};
    u32 most = 0, from, to;
    if (!mask)
        return 0;
    if (pattern_of(addr, mask, 0, &from, &to) == PATTERN_SAME)
        return to - from;
    keys_clear(&seen);
    for (u64 left = mask; left; left &= left - 1) {
        u32 l = lowest(left), i = keys_index(&seen, addr[l]);
        most = ++lanes[i] > most ? lanes[i] : most;
    }
    return most;
}

struct atomic_passes atomic_passes(const u64 *addr, u64 mask, u32 together) {
    struct keys seen;
    u8 lanes[WARP_MAX] = {0}, most[LINE_SECTORS] = {0};
    u32 sum = 0, longest = 0;
    keys_clear(&seen);
    for (u64 left = mask; left; left &= left - 1) {
        u32 l = lowest(left), sector = (u32)(addr[l] / SECTOR_BYTES % LINE_SECTORS);
        u8 n = ++lanes[keys_index(&seen, addr[l])];
        most[sector] = n > most[sector] ? n : most[sector];
    }
    u8 all = (u8)ones_of(mask);
    if (seen.n == 1) {
        all = (u8)((all + together - 1) / together);
        return (struct atomic_passes){all, all, all};
    }
    for (u32 s = 0; s < LINE_SECTORS; s++) {
        sum += most[s];
        longest = most[s] > longest ? most[s] : longest;
    }
    return (struct atomic_passes){all, (u8)sum, (u8)longest};
}

u32 distinct_addresses(const u64 *addr, u64 mask) {
    struct keys seen;
    u32 from, to;
    if (!mask)
        return 0;
    if (pattern_of(addr, mask, 0, &from, &to) == PATTERN_SAME)
        return 1;
    keys_clear(&seen);
    for (u64 left = mask; left; left &= left - 1)
        keys_index(&seen, addr[lowest(left)]);
    return seen.n;
}
