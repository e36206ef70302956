/* Explains the cost of a warp's access to memory, in sentences: the rules of sim/time/geometry.h. */
#include <string.h>

#include "sim/api/explain/explain.h"
#include "sim/time/geometry.h"
#include "sim/time/message.h"
#include "sim/time/timing.h"

enum { EXAMPLES = 4 }; /* of a kind, described one by one; the others are counted */

static const char *plural(u64 n) {
    return n == 1 ? "" : "s";
}

static bool is_atomic(const struct inst *i) {
    return op_memory(i->op) == MEMORY_ATOMIC;
}

static const char *verb(const struct inst *i, bool one) {
    if (is_atomic(i))
        return one ? "changes" : "change";
    if (op_memory(i->op) == MEMORY_STORE)
        return one ? "writes" : "write";
    return one ? "reads" : "read";
}

enum space explain_space(const struct inst *i, u64 *addr) {
    enum space s = (enum space)inst_mod(i, GROUP_SPACE);
    return s == SPACE_GENERIC ? space_of_generic(addr) : s;
}

/* An access by spaces: the lanes that address each, and the addresses in it. */
struct parts {
    u64 addr[WARP_MAX];
    u64 lanes[SPACE_COUNT + 1];
};

static void split(const struct inst *i, const u64 *addr, u64 lanes, struct parts *parts) {
    memset(parts, 0, sizeof *parts);
    for (u32 l = 0; l < WARP_MAX; l++) {
        if (!(lanes >> l & 1))
            continue;
        parts->addr[l] = addr[l];
        parts->lanes[explain_space(i, &parts->addr[l])] |= (u64)1 << l;
    }
}

static struct banks shared_banks(const struct board_shared *s, const struct inst *i) {
    return banks_of_shared(s, op_memory(i->op) == MEMORY_LOAD);
}

static u32 fetch_bytes(const struct explain *e, const struct inst *i) {
    return op_memory(i->op) == MEMORY_LOAD ? e->h->board.l1.fetch_bytes : SECTOR_BYTES;
}

static u32 total_sectors(const struct line_access *line, u32 n) {
    u32 sum = 0;
    for (u32 i = 0; i < n; i++)
        sum += explain_popcount(line[i].sectors);
    return sum;
}

/* Returns the passes of L1's data banks. */
static struct bank_passes l1_passes(const struct explain *e, const u64 *addr, u64 lanes, u32 bytes) {
    return bank_passes(banks_of_l1(&e->h->board.l1), addr, lanes, bytes, e->launch->width);
}

/* Counts the requested bytes, each once. */
static u32 useful_bytes(const struct line_access *line, u32 n) {
    u32 useful = 0;
    for (u32 i = 0; i < n; i++)
        useful += explain_popcount(line[i].bytes[0]) + explain_popcount(line[i].bytes[1]);
    return useful;
}

void explain_memory_count(const struct explain *e, struct explain_inst *i, const u64 *addr, u64 lanes) {
    const struct inst *inst = &e->launch->program->inst[i->pc];
    const struct board_shared *s = &e->h->board.shared;
    struct parts parts;
    struct line_access line[LINES_MAX];
    u32 bytes = inst_access_bytes(inst), width = e->launch->width;
    split(inst, addr, lanes, &parts);
    u64 global = parts.lanes[SPACE_GLOBAL], shared = parts.lanes[SPACE_SHARED];
    u64 fixed = parts.lanes[SPACE_CONST] | parts.lanes[SPACE_PARAM];
    if (global) {
        u32 n = coalesce_load(parts.addr, global, bytes, fetch_bytes(e, inst), line);
        explain_count(i, TALLY_LINES, n);
        explain_count(i, TALLY_SECTORS, total_sectors(line, n));
    }
    if (shared && !is_atomic(inst)) {
        struct bank_passes passes = bank_passes(shared_banks(s, inst), parts.addr, shared, bytes, width);
        explain_count(i, TALLY_PASSES, passes.taken);
        explain_count(i, TALLY_IDEAL, passes.ideal);
    }
    if (fixed)
        explain_count(i, TALLY_ADDRESSES, distinct_addresses(parts.addr, fixed));
    if (is_atomic(inst))
        explain_count(i, TALLY_SERIAL, same_address(parts.addr, global | shared));
}

static u32 max2(u32 a, u32 b) {
    return a > b ? a : b;
}

u32 explain_access_cycles(const struct explain *e, u32 pc, const u64 *addr, u64 lanes, u32 *least) {
    const struct inst *inst = &e->launch->program->inst[pc];
    struct parts parts;
    struct line_access line[LINES_MAX];
    u32 bytes = inst_access_bytes(inst), taken = 0;
    split(inst, addr, lanes, &parts);
    u64 global = parts.lanes[SPACE_GLOBAL], shared = parts.lanes[SPACE_SHARED];
    *least = 0;
    if (global) {
        u32 n = coalesce_load(parts.addr, global, bytes, fetch_bytes(e, inst), line);
        u32 lines = (total_sectors(line, n) + 3) / LINE_SECTORS;
        taken = max2(lines, tag_cycles(line, n, &e->h->board.l1));
        taken = max2(taken, l1_passes(e, parts.addr, global, bytes).taken);
        *least = (useful_bytes(line, n) + LINE_BYTES - 1) / LINE_BYTES;
    }
    if (shared && !is_atomic(inst)) {
        struct bank_passes passes =
            bank_passes(shared_banks(&e->h->board.shared, inst), parts.addr, shared, bytes, e->launch->width);
        taken += passes.taken;
        *least += passes.ideal;
    }
    if (is_atomic(inst) && global | shared) {
        u32 most = same_address(parts.addr, global | shared), together = timing_together(&e->h->board, inst);
        *least += shared != 0;
        taken += shared ? most : (most + together - 1) / together - 1;
    }
    return max2(taken, *least);
}

/* ---- lanes with one address ---- */

/* Finds the lanes of `among` with the address of lane l. */
static u64 companions(const u64 *addr, u64 among, u32 l) {
    u64 same = 0;
    for (u32 k = 0; k < WARP_MAX; k++)
        same |= (u64)(among >> k & 1 && addr[k] == addr[l]) << k;
    return same;
}

/* Writes a sentence for each group of lanes with one address: "Lanes 3 and 7 PREDICATE". */
static void say_companions(struct explain_page *p, const u64 *addr, u64 lanes, const char *predicate) {
    u32 told = 0, more = 0;
    for (u32 l = 0; l < WARP_MAX; l++) {
        u64 same = lanes >> l & 1 ? companions(addr, lanes, l) : 0;
        if (explain_popcount(same) < 2 || same & (((u64)1 << l) - 1))
            continue;
        if (told++ >= EXAMPLES) {
            more++;
            continue;
        }
        explain_lanes(p, same, &p->words);
        buf_printf(&p->words, " %s", predicate);
        explain_end(p);
    }
    if (more)
        explain_say(p, "%u more group%s of lanes do the same.", more, plural(more));
}

/* ---- global memory ---- */

static const struct buffer *buffer_at(const struct heddle *h, u64 addr) {
    const struct buffer *const *list = (const struct buffer *const *)(const void *)h->buffers.data;
    for (u32 i = 0; i < h->buffers.len / sizeof *list; i++)
        if (addr - list[i]->address < list[i]->bytes)
            return list[i];
    return NULL;
}

/* "x[3,17]"; a byte within an element as "x[3,17]+2" */
static void name_element(const struct buffer *b, u64 offset, struct buf *out) {
    u64 index[HEDDLE_DIMS_MAX], size = etypes[b->type].bytes, n = offset / size;
    for (u32 d = b->ndim; d-- > 0;) {
        index[d] = n % b->shape[d];
        n /= b->shape[d];
    }
    buf_printf(out, "%s[", b->name);
    for (u32 d = 0; d < b->ndim; d++)
        buf_printf(out, "%s%llu", d ? "," : "", (unsigned long long)index[d]);
    buf_puts(out, "]");
    if (offset % size)
        buf_printf(out, "+%llu", (unsigned long long)(offset % size));
}

static void global_columns(struct explain_page *p, const u64 *addr, u64 lanes) {
    struct heddle_column *at = explain_column(p, "address", HEDDLE_CELL_HEX);
    struct heddle_column *where = explain_column(p, "element", HEDDLE_CELL_TEXT);
    for (u32 l = 0; l < WARP_MAX; l++) {
        if (!(lanes >> l & 1))
            continue;
        struct buf name = {0};
        const struct buffer *b = buffer_at(p->e->h, addr[l]);
        if (b)
            name_element(b, addr[l] - b->address, &name);
        explain_number(at, l, addr[l]);
        p->failed |= name.failed;
        explain_text(p, where, l, b && name.data ? name.data : "outside");
        buf_free(&name);
    }
}

static void line_columns(struct explain_page *p, const u64 *addr, const struct line_access *line, u32 n) {
    struct heddle_column *which = explain_column(p, "line", HEDDLE_CELL_NUMBER);
    struct heddle_column *sector = explain_column(p, "sector", HEDDLE_CELL_NUMBER);
    for (u32 i = 0; i < n; i++)
        for (u32 l = 0; l < WARP_MAX; l++)
            if (line[i].lanes >> l & 1) {
                explain_number(which, l, i);
                explain_number(sector, l, addr[l] % LINE_BYTES / SECTOR_BYTES);
            }
}

static void say_lines(struct explain_page *p, const struct line_access *line, u32 n) {
    for (u32 i = 0; i < n && n > 1; i++) {
        if (i == EXAMPLES) {
            explain_say(p, "%u more line%s.", PLURAL(n - EXAMPLES));
            break;
        }
        u32 sectors = explain_popcount(line[i].sectors);
        buf_printf(&p->words, "Line %u (0x%llx): %u sector%s, for ", i, (unsigned long long)line[i].line, sectors,
                   plural(sectors));
        explain_lanes(p, line[i].lanes, &p->words);
        buf_puts(&p->words, ".");
        explain_end(p);
    }
}

static void say_way(struct explain_page *p, const struct bank_passes *passes) {
    if (passes->cycles > passes->taken)
        explain_say(p, "The way to the registers takes longer than the passes: %u cycles.", passes->cycles);
}

/* Explains the use of the memory pipe by an access. */
static void say_l1(struct explain_page *p, const u64 *addr, u64 lanes, u32 bytes, u32 tags) {
    struct bank_passes passes = l1_passes(p->e, addr, lanes, bytes);
    explain_say(p, "L1 looks them up in %u cycle%s and moves the data in %u pass%s.", PLURAL(tags), passes.taken,
                passes.taken == 1 ? "" : "es");
    say_way(p, &passes);
}

static void tell_global(struct explain_page *p, const u64 *addr, u64 lanes, u32 bytes) {
    struct line_access line[LINES_MAX];
    u32 n = coalesce_load(addr, lanes, bytes, fetch_bytes(p->e, p->inst), line);
    u32 sectors = total_sectors(line, n), useful = useful_bytes(line, n);
    u32 who = explain_popcount(lanes);
    u32 least = (useful + SECTOR_BYTES - 1) / SECTOR_BYTES;
    line_columns(p, addr, line, n);
    explain_say(p, "%u lane%s touch%s %u sector%s of %u line%s: %s of %s bytes are useful.", who, plural(who),
                who == 1 ? "es" : "", sectors, plural(sectors), n, plural(n), grouped(useful).text,
                grouped(sectors * SECTOR_BYTES).text);
    if (sectors > least)
        explain_say(p, "Side by side and aligned, these %s bytes would be %u sector%s.", grouped(useful).text, least,
                    plural(least));
    say_l1(p, addr, lanes, bytes, tag_cycles(line, n, &p->e->h->board.l1));
    say_lines(p, line, n);
    if (is_atomic(p->inst) && timing_together(&p->e->h->board, p->inst) > 1)
        say_companions(p, addr, lanes, "change the same place: one atomic in L2, or a few, for all of them together.");
    else if (is_atomic(p->inst))
        say_companions(p, addr, lanes, "change the same place: one after the other, in the order of the lanes.");
    else if (op_memory(p->inst->op) == MEMORY_STORE)
        say_companions(p, addr, lanes, "write the same place: what the highest lane writes stays.");
    else
        say_companions(p, addr, lanes, "read the same place: it is fetched once.");
}

/* ---- shared memory ---- */

/* One phase of an access: the first word and bank that each lane requests, and the pass that serves it. */
struct phase {
    const u64 *addr;
    u64 lanes;
    u64 wanted; /* bytes that a lane requests: of its access, or of the bank that holds it */
    u32 banks;  /* banks of the board */
    u32 bank_bytes;
    u32 each; /* passes that the access of one lane takes by itself */
};

static u64 piece(const struct phase *f, u32 l) {
    return f->addr[l] / f->wanted;
}

static u32 bank(const struct phase *f, u32 l) {
    return (u32)(f->addr[l] / f->wanted * (f->wanted / f->bank_bytes) % f->banks);
}

/* Finds the lanes of the phase that request the same words as lane l, or other words of the same banks. */
static u64 sharers(const struct phase *f, u32 l) {
    u64 same = 0;
    for (u32 k = 0; k < WARP_MAX; k++)
        same |= (u64)(f->lanes >> k & 1 && piece(f, k) == piece(f, l)) << k;
    return same;
}

static u64 rivals(const struct phase *f, u32 l) {
    u64 other = 0;
    for (u32 k = 0; k < WARP_MAX; k++)
        other |= (u64)(f->lanes >> k & 1 && bank(f, k) == bank(f, l) && piece(f, k) != piece(f, l)) << k;
    return other;
}

static bool is_first(u64 lanes, u32 l) {
    return !(lanes & (((u64)1 << l) - 1));
}

/* Counts the words of lane l's bank that lower lanes request: they are served first. */
static u32 served_before(const struct phase *f, u32 l) {
    u32 n = 0, own = 0;
    while (!(sharers(f, l) >> own & 1))
        own++;
    for (u32 k = 0; k < own; k++)
        n += f->lanes >> k & 1 && bank(f, k) == bank(f, l) && is_first(sharers(f, k), k);
    return n;
}

static u32 phase_passes(const struct phase *f) {
    u32 most = 0;
    for (u32 l = 0; l < WARP_MAX; l++)
        if (f->lanes >> l & 1 && served_before(f, l) + 1 > most)
            most = served_before(f, l) + 1;
    return most * f->each;
}

static void say_conflicts(struct explain_page *p, const struct phase *f) {
    u32 told = 0, more = 0;
    for (u32 l = 0; l < WARP_MAX; l++) {
        u64 others = f->lanes >> l & 1 ? rivals(f, l) : 0, all = others | sharers(f, l);
        if (!others || !is_first(all, l))
            continue;
        if (told++ >= EXAMPLES) {
            more++;
            continue;
        }
        u32 words = 0;
        for (u32 k = 0; k < WARP_MAX; k++)
            words += all >> k & 1 && is_first(sharers(f, k), k);
        explain_lanes(p, all, &p->words);
        buf_puts(&p->words, " want ");
        if (words > 2)
            buf_printf(&p->words, "%u ", words);
        buf_printf(&p->words, "different words of bank %u: %u passes.", bank(f, l), words * f->each);
        explain_end(p);
    }
    if (more)
        explain_say(p, "So it is in %u more bank%s.", more, plural(more));
}

static void say_sharing(struct explain_page *p, const struct phase *f) {
    u32 told = 0, more = 0;
    for (u32 l = 0; l < WARP_MAX; l++) {
        u64 same = f->lanes >> l & 1 ? sharers(f, l) : 0;
        if (explain_popcount(same) < 2 || !is_first(same, l))
            continue;
        if (told++ >= EXAMPLES) {
            more++;
            continue;
        }
        explain_lanes(p, same, &p->words);
        buf_printf(&p->words, " want the same word of bank %u: served together.", bank(f, l));
        explain_end(p);
    }
    if (more)
        explain_say(p, "So it is with %u more word%s.", more, plural(more));
}

static void bank_columns(struct explain_page *p, const struct phase *f, u32 passes) {
    struct heddle_column *b = explain_column(p, "bank", HEDDLE_CELL_NUMBER);
    struct heddle_column *w = explain_column(p, "word", HEDDLE_CELL_NUMBER);
    struct heddle_column *s = explain_column(p, "pass", HEDDLE_CELL_NUMBER);
    for (u32 l = 0; l < WARP_MAX; l++) {
        if (!(f->lanes >> l & 1))
            continue;
        explain_number(b, l, bank(f, l));
        explain_number(w, l, f->addr[l] / f->bank_bytes);
        explain_number(s, l, passes + served_before(f, l) * f->each + 1);
    }
}

static void tell_shared_atomic(struct explain_page *p, const u64 *addr, u64 lanes) {
    u32 most = same_address(addr, lanes);
    explain_say(p, "An atomic takes its address for itself: at most %u lane%s share%s one.", most, plural(most),
                most == 1 ? "s" : "");
    say_companions(p, addr, lanes, "change the same place: one after the other, in the order of the lanes.");
}

static void tell_shared(struct explain_page *p, const u64 *addr, u64 lanes, u32 bytes) {
    const struct board_shared *s = &p->e->h->board.shared;
    const struct banks banks = shared_banks(s, p->inst);
    u32 width = p->e->launch->width, passes = 0, row = s->banks * s->bank_bytes;
    const struct phases phases = phases_of(banks, bytes, width);
    const struct bank_passes all = bank_passes(banks, addr, lanes, bytes, width);
    u32 k = phases.lanes, taken = all.taken, ideal = all.ideal;
    struct phase f = {.addr = addr, .banks = s->banks, .bank_bytes = s->bank_bytes};
    f.wanted = bytes > s->bank_bytes ? bytes : s->bank_bytes;
    f.each = f.wanted > row ? (u32)f.wanted / row : 1;
    if (k < width)
        explain_say(p, "%u banks of %u bytes: %u bytes a lane go in %u phases of %u lane%s.", s->banks, s->bank_bytes,
                    bytes, width / k, PLURAL(k));
    if (taken == ideal)
        explain_say(p, "%u pass%s: no bank conflicts.", taken, taken == 1 ? "" : "es");
    else
        explain_say(p, "%u passes; the same words, spread evenly over all banks, would take %u.", taken, ideal);
    say_way(p, &all);
    for (u32 at = 0, end; at < width; at = end) {
        end = phase_end(phases, addr, lanes, at);
        f.lanes = lanes & (end - at == 64 ? ~(u64)0 : (((u64)1 << (end - at)) - 1) << at);
        if (!f.lanes)
            continue;
        if (end - at > k)
            explain_say(p, "Lanes %u to %u share addresses by pairs: two phases are one.", at, end - 1);
        bank_columns(p, &f, passes);
        say_conflicts(p, &f);
        say_sharing(p, &f);
        passes += phase_passes(&f);
    }
}

/* ---- the other spaces ---- */

static void offset_column(struct explain_page *p, const char *name, const u64 *addr, u64 lanes) {
    struct heddle_column *c = explain_column(p, name, HEDDLE_CELL_NUMBER);
    for (u32 l = 0; l < WARP_MAX; l++)
        if (lanes >> l & 1)
            explain_number(c, l, addr[l]);
}

static void tell_fixed(struct explain_page *p, const u64 *addr, u64 lanes, const char *name) {
    u32 n = distinct_addresses(addr, lanes), who = explain_popcount(lanes);
    explain_say(p, "%u lane%s read%s %u address%s of %s memory: %s.", who, plural(who), who == 1 ? "s" : "", n,
                n == 1 ? "" : "es", name, n == 1 ? "one access serves all" : "as many accesses, one after the other");
}

static void tell_local(struct explain_page *p, const u64 *addr, u64 lanes) {
    u32 n = distinct_addresses(addr, lanes), who = explain_popcount(lanes);
    explain_say(p, "%u lane%s %s %u offset%s, each lane in local memory of its own.", who, plural(who),
                verb(p->inst, who == 1), n, plural(n));
}

static const char *const offset_names[SPACE_COUNT + 1] = {[SPACE_SHARED] = "shared byte",
                                                          [SPACE_LOCAL] = "local byte",
                                                          [SPACE_CONST] = "const byte",
                                                          [SPACE_PARAM] = "param byte",
                                                          [SPACE_COUNT] = "no space"};

void explain_memory(struct explain_page *p) {
    struct parts parts;
    u32 bytes = inst_access_bytes(p->inst);
    bool fine = !p->at->faulted;
    split(p->inst, p->at->addr, p->at->exec, &parts);
    for (u32 s = SPACE_GLOBAL; s <= SPACE_COUNT; s++) {
        u64 lanes = parts.lanes[s];
        if (!lanes)
            continue;
        if (s == SPACE_GLOBAL)
            global_columns(p, parts.addr, lanes);
        else
            offset_column(p, offset_names[s], parts.addr, lanes);
        if (!fine)
            continue;
        if (s == SPACE_GLOBAL)
            tell_global(p, parts.addr, lanes, bytes);
        else if (s == SPACE_SHARED && is_atomic(p->inst))
            tell_shared_atomic(p, parts.addr, lanes);
        else if (s == SPACE_SHARED)
            tell_shared(p, parts.addr, lanes, bytes);
        else if (s == SPACE_LOCAL)
            tell_local(p, parts.addr, lanes);
        else
            tell_fixed(p, parts.addr, lanes, isa_mod_text(GROUP_SPACE, s));
    }
}
