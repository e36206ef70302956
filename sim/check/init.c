/*
 * Unwritten values. Each register has its undefined bits, memory has a byte for each of its bytes. Moves, shuffles,
 * transit registers, loads and stores carry undefined bits along; what any other instruction of one lane makes of them
 * is told by spread.c. Reported is where something depends on one: an address, what is executed, an operand that names
 * lanes, and what ends up in a buffer. It is defined from there on, so that one mistake is one finding.
 */
#include "sim/check/shadow.h"

#include <string.h>

#include "isa/shapes.h"
#include "sim/base/bits.h"

enum { ORIGINS_MAX = 1 << 16, NEAR = 1024 /* bytes */ };

/* Where an undefined value comes from. */
enum origin_kind { FROM_REGISTER, FROM_PREDICATE, FROM_TRANSIT, FROM_SHARED, FROM_LOCAL, FROM_BUFFER };

struct origin {
    u8 kind;
    u32 number;  /* of the register; of the allocation */
    u64 byte;    /* of memory */
    u32 pc;      /* where it was read */
    bool stored; /* memory holds an undefined value that was stored there */
};

/* ---- blocks ---- */

static size_t local_bytes(const struct check *c, const struct check_block *b) {
    return (size_t)b->of->warps * c->launch.width * c->launch.kernel->local;
}

bool init_begin(struct check *c) {
    c->spread = check_alloc(c, sizeof *c->spread);
    u64 before = c->arena.total;
    bool ok = c->spread && spread_init(c->spread, &c->arena, c->launch.engine, c->launch.width);
    c->memory += c->arena.total - before;
    return ok;
}

bool init_block(struct check *c, struct check_block *b) {
    const struct kernel *k = c->launch.kernel;
    const struct memory *m = c->launch.memory;
    b->shared_undefined = check_alloc(c, k->shared);
    b->local_undefined = check_alloc(c, local_bytes(c, b));
    for (u32 i = 0; i < b->of->warps; i++) {
        struct check_warp *w = &b->warp[i];
        w->any = check_alloc(c, ((size_t)k->regs + 1) * sizeof *w->any);
        w->part = check_alloc(c, ((size_t)k->regs + 1) * sizeof *w->part);
    }
    for (u32 i = 0; i < m->count; i++) /* once for the launch, with its first block */
        if (c->written && !c->written[i] && !c->cells[i].undefined) {
            u64 pages = (m->list[i].size + PAGE_BYTES - 1) / PAGE_BYTES;
            c->cells[i].undefined = check_alloc(c, pages * sizeof *c->cells[i].undefined);
            c->unwritten = true;
        }
    if (!c->unwritten || c->all_written)
        return !c->failed;
    c->all_written = check_alloc(c, PAGE_BYTES);
    c->all_unwritten = check_alloc(c, PAGE_BYTES);
    if (c->all_unwritten)
        memset(c->all_unwritten, 1, PAGE_BYTES);
    return !c->failed;
}

void init_block_start(struct check *c, struct check_block *b) {
    const struct kernel *k = c->launch.kernel;
    memset(b->shared_undefined, 1, k->shared);
    memset(b->local_undefined, 1, local_bytes(c, b));
    for (u32 i = 0; i < b->of->warps; i++) {
        struct check_warp *w = &b->warp[i];
        for (u32 r = 0; r < k->regs; r++)
            w->any[r] = b->of->warp[i].members;
        memset(w->part, 0, k->regs * sizeof *w->part);
        memset(w->dirty, 0xff, sizeof w->dirty);
        for (u32 p = 0; p < PRED_COUNT; p++)
            w->predicates[p] = b->of->warp[i].members;
        memset(w->transit, 0xff, sizeof w->transit);
        memset(w->transit_part, 0, sizeof w->transit_part);
        if (w->origin)
            memset(w->origin, 0, ((size_t)k->regs + PRED_COUNT) * c->launch.width * sizeof *w->origin);
    }
}

/* ---- registers ---- */

/* Lanes in which one of a place's registers is undefined. */
static u64 undefined_in(const struct site *t, enum operand_place place) {
    u64 lanes = 0;
    for (u32 i = 0; i < t->t->count[place]; i++)
        lanes |= t->cw->any[t->t->first[place] + i];
    return lanes & t->exec;
}

static u64 undefined_predicates(const struct site *t) {
    u64 lanes = 0;
    for (u32 left = t->t->predicates; left; left &= left - 1)
        lanes |= t->cw->predicates[first_lane(left)];
    return lanes & t->exec;
}

static void set_any(struct check_warp *w, u32 reg, u64 any) {
    w->any[reg] = any;
    w->dirty[reg / 64] = (w->dirty[reg / 64] & ~((u64)1 << reg % 64)) | (u64)(any != 0) << reg % 64;
}

static void set_defined(struct site *t, u32 reg, u64 lanes) {
    if (t->cw->any[reg] & lanes)
        set_any(t->cw, reg, t->cw->any[reg] & ~lanes);
}

static void set_undefined(struct site *t, u32 reg, u64 lanes) {
    t->cw->part[reg] &= ~lanes;
    set_any(t->cw, reg, t->cw->any[reg] | lanes);
}

/* The rows of bits of registers, or of transit registers; made when the first is needed. */
static u32 *rows_of(struct site *t, u32 **rows, u32 count) {
    if (!*rows)
        *rows = check_alloc(t->c, (size_t)count * t->width * sizeof **rows);
    return *rows;
}

static void set_bits(struct site *t, u32 reg, u32 lane, u32 bits) {
    u64 one = (u64)1 << lane;
    bool some = bits && bits != UINT32_MAX;
    u32 *rows = some ? rows_of(t, &t->cw->undefined, t->c->launch.kernel->regs) : NULL;
    if (!bits) {
        set_defined(t, reg, one);
        return;
    }
    set_undefined(t, reg, one);
    if (rows) {
        rows[reg * t->width + lane] = bits;
        t->cw->part[reg] |= one;
    }
}

static u32 bits_of(const struct site *t, u32 reg, u32 lane) {
    const struct check_warp *w = t->cw;
    if (!(w->any[reg] >> lane & 1))
        return 0;
    return w->part[reg] >> lane & 1 ? w->undefined[reg * t->width + lane] : UINT32_MAX;
}

/* All results are undefined in the lanes `bad`, defined in the others that execute. */
static void set_results(struct site *t, u64 bad) {
    u8 first = t->t->first[PLACE_D];
    for (u32 i = 0; i < t->t->count[PLACE_D]; i++) {
        set_defined(t, first + i, t->exec);
        if (bad)
            set_undefined(t, first + i, bad);
    }
    for (u32 left = t->t->results; left; left &= left - 1) {
        u64 *p = &t->cw->predicates[first_lane(left)];
        *p = (*p & ~t->exec) | (bad & t->exec);
    }
}

/* ---- where it comes from ---- */

static const struct origin *origin_at(const struct check *c, u32 origin) {
    return (const struct origin *)(const void *)c->origins.data + origin - 1;
}

static u32 origin_new(struct check *c, const struct origin *o) {
    u32 n = (u32)(c->origins.len / sizeof *o);
    const struct origin *last = n ? (const struct origin *)(const void *)c->origins.data + n - 1 : NULL;
    bool same = last && last->kind == o->kind && last->number == o->number && last->pc == o->pc;
    if (same || n == ORIGINS_MAX)
        return n;
    struct origin *new = buf_push(&c->origins, sizeof *new);
    if (!new)
        return 0;
    *new = *o;
    return n + 1;
}

/* The row of a register in check_warp.origin is its number; predicates follow. */
static u32 predicate_row(const struct site *t, u32 predicate) {
    return t->c->launch.kernel->regs + predicate;
}

static void set_origin(struct site *t, u32 row, u64 lanes, u32 origin) {
    struct check_warp *w = t->cw;
    if (!w->origin)
        w->origin = check_alloc(t->c, (size_t)predicate_row(t, PRED_COUNT) * t->width * sizeof *w->origin);
    for (u64 left = w->origin ? lanes : 0; left; left &= left - 1)
        w->origin[row * t->width + first_lane(left)] = origin;
}

static void set_origin_of_results(struct site *t, u64 lanes, u32 origin) {
    for (u32 i = 0; i < t->t->count[PLACE_D]; i++)
        set_origin(t, t->t->first[PLACE_D] + i, lanes, origin);
    for (u32 left = t->t->results; left; left &= left - 1)
        set_origin(t, predicate_row(t, first_lane(left)), lanes, origin);
}

/* The origin of what a register holds in a lane; 0 out of memory. */
static u32 origin_of(struct site *t, u32 reg, u32 lane) {
    u32 origin = t->cw->origin ? t->cw->origin[reg * t->width + lane] : 0;
    const struct origin o = {.kind = FROM_REGISTER, .number = reg, .pc = t->pc};
    return origin ? origin : origin_new(t->c, &o);
}

/* Of the first undefined register of a place in a lane. */
static u32 place_origin(struct site *t, enum operand_place place, u32 lane) {
    for (u32 i = 0; i < t->t->count[place]; i++)
        if (t->cw->any[t->t->first[place] + i] >> lane & 1)
            return origin_of(t, t->t->first[place] + i, lane);
    return 0;
}

static u32 predicate_origin(struct site *t, u32 predicates, u32 lane) {
    for (u32 left = predicates; left; left &= left - 1)
        if (t->cw->predicates[first_lane(left)] >> lane & 1) {
            const struct origin o = {.kind = FROM_PREDICATE, .number = first_lane(left), .pc = t->pc};
            u32 row = predicate_row(t, o.number), origin = t->cw->origin ? t->cw->origin[row * t->width + lane] : 0;
            return origin ? origin : origin_new(t->c, &o);
        }
    return 0;
}

/* Of the first operand that is undefined in a lane; of a select, of the one that is selected. */
static u32 operand_origin(struct site *t, u32 lane) {
    u32 origin = 0, first = PLACE_A, last = PLACE_C;
    if (t->row->iclass == CLASS_SEL && t->t->predicates &&
        !(t->cw->predicates[first_lane(t->t->predicates)] >> lane & 1)) {
        u64 held = t->w->p[t->i->pc & PT] ^ (t->i->pc & PRED_NEG ? ~(u64)0 : 0);
        first = last = held >> lane & 1 ? PLACE_A : PLACE_B;
    }
    for (u32 place = first; place <= last && !origin; place++)
        origin = place_origin(t, (enum operand_place)place, lane);
    return origin ? origin : predicate_origin(t, t->t->predicates, lane);
}

static void describe(const struct site *t, u32 origin, struct buf *out) {
    static const char *const words[] = {"register r%u", "predicate p%u", "transit register x%u"};
    const struct program *p = t->c->launch.program;
    if (!origin) {
        buf_puts(out, "it was never written");
        return;
    }
    const struct origin *o = origin_at(t->c, origin);
    enum space space = o->kind == FROM_SHARED ? SPACE_SHARED : SPACE_LOCAL;
    const struct variable *v = o->kind == FROM_SHARED || o->kind == FROM_LOCAL
                                   ? program_variable(p, t->c->launch.kernel, o->pc, space, o->byte)
                                   : NULL;
    if (o->kind <= FROM_TRANSIT) {
        buf_printf(out, words[o->kind], o->number);
    } else if (v) {
        buf_printf(out, "%s ", isa_mod_text(GROUP_SPACE, space));
        variable_print(v, o->byte, out);
    } else {
        buf_printf(out, "byte %llu of %s", (unsigned long long)o->byte,
                   o->kind == FROM_SHARED  ? "shared memory"
                   : o->kind == FROM_LOCAL ? "local memory"
                                           : t->c->launch.memory->list[o->number].name);
    }
    buf_printf(out, ", read at %s, %s", program_line(p, p->line[o->pc]).text,
               o->stored ? "holds an unwritten value that was stored there" : "was never written");
}

static void report(struct site *t, u32 class, u64 lanes, u32 origin) {
    u32 l = first_lane(lanes);
    struct check_finding f = {.class = (u8) class, .places = 1, .at = {site_place(t, l)}, .space = SPACE_COUNT};
    struct buf from = {0};
    if (t->t->how != HOW_NONE && class != FOUND_INIT_BRANCH) {
        f.space = t->space[l];
        f.address = t->addr[l];
        f.bytes = t->bytes;
    }
    if (origin) {
        const struct origin *o = origin_at(t->c, origin);
        f.places = o->pc != t->pc ? 2 : 1;
        f.at[1] = f.at[0];
        f.at[1].pc = o->pc;
        f.at[1].how = HOW_READ;
    }
    describe(t, origin, &from);
    found_add(t->c, &f, "%s", from.data ? from.data : "");
    t->c->failed |= from.failed;
    buf_free(&from);
}

/* Reports an operand that must not be undefined, and takes it for defined from here on. */
static void require(struct site *t, enum operand_place place, u32 class) {
    u64 bad = undefined_in(t, place);
    if (!bad)
        return;
    report(t, class, bad, place_origin(t, place, first_lane(bad)));
    for (u32 i = 0; i < t->t->count[place]; i++)
        set_defined(t, t->t->first[place] + i, t->exec);
}

/* ---- moves ---- */

/* Register by register, from a. */
static void copy(struct site *t) {
    for (u32 i = 0; i < t->t->count[PLACE_D]; i++) {
        u32 d = t->t->first[PLACE_D] + i, s = t->t->first[PLACE_A] + i;
        u64 undefined = t->cw->any[s] & t->exec;
        set_defined(t, d, t->exec & ~undefined);
        for (u64 left = undefined; left; left &= left - 1) {
            u32 l = first_lane(left);
            set_origin(t, d, left & -left, origin_of(t, s, l));
            set_bits(t, d, l, bits_of(t, s, l));
        }
    }
}

/* The lane whose value a lane gets: isa.md. */
static u32 source_lane(const struct site *t, u32 lane) {
    u32 s = t->u->seg && 1u << t->u->seg < t->width ? 1u << t->u->seg : t->width, i = lane & (s - 1), first = lane - i;
    u32 b = t->w->base[t->u->bsel][t->u->b + lane];
    switch (t->i->op) {
    case OP_SHFL_IDX_B32: return first + (b & (s - 1));
    case OP_SHFL_UP_B32: return b <= i ? lane - b : lane;
    case OP_SHFL_DOWN_B32: return b < s - i ? lane + b : lane;
    default: return (i ^ b) < s ? first + (i ^ b) : lane;
    }
}

static void shuffle(struct site *t) {
    u32 a = t->t->first[PLACE_A], d = t->t->first[PLACE_D], bits[WARP_MAX] = {0}, origin[WARP_MAX] = {0};
    u64 from = t->t->count[PLACE_A] ? t->cw->any[a] : 0;
    require(t, PLACE_B, FOUND_INIT_OPERAND);
    for (u64 left = from ? t->exec : 0; left; left &= left - 1) {
        u32 l = first_lane(left), s = source_lane(t, l);
        bits[l] = bits_of(t, a, s);
        origin[l] = bits[l] ? origin_of(t, a, s) : 0;
    }
    set_results(t, 0);
    for (u64 left = from && t->t->count[PLACE_D] ? t->exec : 0; left; left &= left - 1) {
        u32 l = first_lane(left);
        if (!bits[l])
            continue;
        set_bits(t, d, l, bits[l]);
        set_origin(t, d, left & -left, origin[l]);
    }
}

/* ---- transit registers ---- */

static void push(struct site *t) {
    struct check_warp *w = t->cw;
    u32 first = t->i->d * TRANSIT_SLOTS, last = first + TRANSIT_SLOTS - 1, a = t->t->first[PLACE_A];
    u64 any = t->t->count[PLACE_A] ? w->any[a] : 0, part = any ? w->part[a] & any : 0, moves = 0;
    for (u32 slot = first; slot < last; slot++) {
        w->transit[slot] = w->transit[slot + 1];
        w->transit_part[slot] = w->transit_part[slot + 1];
        moves |= w->transit_part[slot];
    }
    w->transit[last] = any;
    w->transit_part[last] = 0;
    if (!moves && !part)
        return;
    u32 *bits = rows_of(t, &w->transit_bits, TRANSIT_COUNT * TRANSIT_SLOTS);
    if (!bits)
        return;
    memmove(bits + first * t->width, bits + (first + 1) * t->width, (TRANSIT_SLOTS - 1) * t->width * sizeof *bits);
    w->transit_part[last] = part;
    for (u64 left = part; left; left &= left - 1)
        bits[last * t->width + first_lane(left)] = bits_of(t, a, first_lane(left));
}

/* As the machine extracts: exec_xext in sim/arch/exec_warp.h draws the four slots. */
static void extract(struct site *t) {
    const u64 *x = &t->cw->transit[t->i->a * TRANSIT_SLOTS], *part = &t->cw->transit_part[t->i->a * TRANSIT_SLOTS];
    const struct origin o = {.kind = FROM_TRANSIT, .number = t->i->a, .pc = t->pc};
    u32 k = t->width / 4;
    set_results(t, 0);
    for (u32 l = 0; l < t->width && (x[0] | x[1] | x[2] | x[3]) && t->t->count[PLACE_D]; l++) {
        u32 y = 2 * (l / k) + (t->i->b >> 1 & 1u), column = 2 * (l % k) + (t->i->b & 1u);
        u32 slot = (y >= 4 ? 2u : 0u) + (column >= k ? 1u : 0u), place = y % 4 * k + column % k;
        if (!(x[slot] >> place & 1))
            continue;
        u32 row = t->i->a * TRANSIT_SLOTS + slot;
        set_bits(t, t->t->first[PLACE_D], l,
                 part[slot] >> place & 1 ? t->cw->transit_bits[row * t->width + place] : UINT32_MAX);
        set_origin(t, t->t->first[PLACE_D], (u64)1 << l, origin_new(t->c, &o));
    }
}

/* ---- memory ---- */

/* A page of which nothing was written so far; where there is no room for it, it counts as written. */
static u8 *page_new(struct check *c) {
    u8 *page = check_page(c, PAGE_BYTES);
    if (!page)
        return c->all_written;
    memset(page, 1, PAGE_BYTES);
    return page;
}

/* The shadow of the bytes that a lane reads, or `writes`; NULL: they are written, or there are none. */
static u8 *bytes_of(const struct site *t, u32 lane, bool writes, u32 *number) {
    const struct kernel *k = t->c->launch.kernel;
    u64 addr = t->addr[lane];
    *number = 0;
    if (t->space[lane] == SPACE_SHARED)
        return addr < k->shared && k->shared - addr >= t->bytes ? t->block->shared_undefined + addr : NULL;
    if (t->space[lane] == SPACE_LOCAL)
        return addr < k->local && k->local - addr >= t->bytes
                   ? t->block->local_undefined + (size_t)(t->w->index * t->width + lane) * k->local + addr
                   : NULL;
    if (t->space[lane] != SPACE_GLOBAL || (*number = site_allocation(t, addr)) == UINT32_MAX)
        return NULL;
    const struct allocation *a = &t->c->launch.memory->list[*number];
    u8 **page = t->c->cells[*number].undefined;
    u64 offset = (addr - a->base) % PAGE_BYTES;
    if (!page || addr - a->base + t->bytes > a->size || offset + t->bytes > PAGE_BYTES)
        return NULL;
    page += (addr - a->base) / PAGE_BYTES;
    if (!*page && writes)
        *page = page_new(t->c);
    return (*page ? *page : t->c->all_unwritten) + offset;
}

static u32 memory_origin(struct site *t, u32 lane, u32 number, const u8 *undefined) {
    struct origin o = {.number = number, .pc = t->pc, .byte = t->addr[lane]};
    u32 k = 0;
    while (!undefined[k])
        k++;
    o.byte += k;
    o.kind = t->space[lane] == SPACE_SHARED ? FROM_SHARED : t->space[lane] == SPACE_LOCAL ? FROM_LOCAL : FROM_BUFFER;
    if (o.kind == FROM_BUFFER)
        o.byte -= t->c->launch.memory->list[number].base;
    o.stored = undefined[k] == 2;
    return origin_new(t->c, &o);
}

/* `n` is a power of two. */
static bool is_undefined(const u8 *bytes, u32 n) {
    u64 any = 0, more = 0;
    if (n >= 8)
        memcpy(&any, bytes, 8);
    else if (n == 4)
        memcpy(&any, bytes, 4);
    else
        any = bytes[0] | bytes[n - 1];
    if (n == 16)
        memcpy(&more, bytes + 8, 8);
    return (any | more) != 0;
}

static bool any_of(const u8 *bytes, size_t n) {
    u64 any = 0, eight;
    for (; n >= 8; n -= 8, bytes += 8) {
        memcpy(&eight, bytes, 8);
        any |= eight;
    }
    for (; n; n--)
        any |= *bytes++;
    return any != 0;
}

static void define(u8 *bytes, u32 n) {
    if (n == 4)
        memset(bytes, 0, 4);
    else if (n == 16)
        memset(bytes, 0, 16);
    else
        memset(bytes, 0, n);
}

/* The shadow of all that the warp accesses, when it accesses neighbours in shared memory or one buffer; else NULL. */
static u8 *neighbours(const struct site *t, bool writes) {
    u32 first, end;
    if (!t->neighbours || (t->u->space != SPACE_SHARED && t->u->space != SPACE_GLOBAL))
        return NULL;
    u8 *bytes = bytes_of(t, 0, writes, &first), *last = bytes_of(t, t->width - 1, writes, &end);
    return bytes && last == bytes + (size_t)(t->width - 1) * t->bytes && first == end ? bytes : NULL;
}

/* Whether what an instruction accesses may be unwritten at all. */
static bool has_shadow(const struct site *t) {
    if (t->u->space == SPACE_GLOBAL)
        return t->c->unwritten;
    return t->u->space == SPACE_SHARED || t->u->space == SPACE_LOCAL || t->u->space == SPACE_GENERIC;
}

/* Whether nothing unwritten is near what the lanes access in shared memory: the words between them count too. */
static bool written_around(const struct site *t) {
    u64 first = UINT64_MAX, last = 0;
    if (t->u->space != SPACE_SHARED)
        return false;
    for (u64 left = t->exec; left; left &= left - 1) {
        u64 addr = t->addr[first_lane(left)];
        first = min_u64(first, addr);
        last = max_u64(last, addr);
    }
    return last < t->c->launch.kernel->shared && t->c->launch.kernel->shared - last >= t->bytes &&
           last - first <= NEAR && !any_of(t->block->shared_undefined + first, last - first + t->bytes);
}

static void load(struct site *t) {
    u8 d = t->t->first[PLACE_D], n = t->t->count[PLACE_D];
    for (u32 i = 0; i < n; i++)
        set_defined(t, d + i, t->exec);
    const u8 *all = neighbours(t, false);
    if (!has_shadow(t) || (all && !any_of(all, (size_t)t->width * t->bytes)) || (!all && written_around(t)))
        return;
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left), number;
        const u8 *bytes = bytes_of(t, l, false, &number);
        if (!bytes || !is_undefined(bytes, t->bytes))
            continue;
        u32 origin = memory_origin(t, l, number, bytes);
        for (u32 i = 0; i < n; i++) {
            bool extends = t->u->mtype == MT_S8 || t->u->mtype == MT_S16;
            u32 bits = 0;
            for (u32 k = 0; k < 4 && 4 * i + k < t->bytes; k++)
                bits |= bytes[4 * i + k] ? 0xffu << 8 * k : 0;
            if (extends && bytes[t->bytes - 1])
                bits |= ~0u << 8 * t->bytes;
            set_bits(t, d + i, l, bits);
            set_origin(t, d + i, (u64)1 << l, origin);
        }
    }
}

/* Those of `lanes` that access global memory. */
static u64 in_buffers(const struct site *t, u64 lanes) {
    u64 found = 0;
    for (u64 left = lanes; left; left &= left - 1)
        found |= (u64)(t->space[first_lane(left)] == SPACE_GLOBAL) << first_lane(left);
    return found;
}

/* Stores carry undefined bytes on, but not into buffers: that is a use. */
static void store(struct site *t, enum operand_place data) {
    u64 bad = undefined_in(t, data), outside = in_buffers(t, bad);
    if (t->bytes < 4 && outside) { /* narrow stores: bytes that do not leave the register do not matter */
        u64 seen = 0;
        for (u64 left = outside; left; left &= left - 1)
            seen |= bits_of(t, t->t->first[data], first_lane(left)) & ~(~0u << 8 * t->bytes) ? left & -left : 0;
        outside &= seen;
    }
    if (outside) {
        report(t, FOUND_INIT_STORE, outside, place_origin(t, data, first_lane(outside)));
        bad &= ~outside;
    }
    u8 *all = bad ? NULL : neighbours(t, true);
    if (all)
        memset(all, 0, (size_t)t->width * t->bytes);
    for (u64 left = all || !has_shadow(t) ? 0 : t->exec; left; left &= left - 1) {
        u32 l = first_lane(left), number;
        u8 *bytes = bytes_of(t, l, true, &number);
        if (bytes && !bad)
            define(bytes, t->bytes);
        if (!bytes || !bad)
            continue;
        for (u32 k = 0; k < t->bytes; k++) {
            u32 bits = bad >> l & 1 ? bits_of(t, t->t->first[data] + k / 4, l) : 0;
            bytes[k] = bits >> k % 4 * 8 & 0xff ? 2 : 0;
        }
    }
}

static void atomic(struct site *t) {
    u64 bad = undefined_in(t, PLACE_B) | undefined_in(t, PLACE_C), outside = in_buffers(t, bad), old = 0;
    bool exchanges = t->i->op == OP_ATOM_EXCH_B32 || t->i->op == OP_ATOM_EXCH_B64;
    u32 origin = 0;
    if (outside) {
        enum operand_place place = undefined_in(t, PLACE_B) & outside ? PLACE_B : PLACE_C;
        report(t, FOUND_INIT_STORE, outside, place_origin(t, place, first_lane(undefined_in(t, place) & outside)));
    }
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left), number;
        u8 *bytes = bytes_of(t, l, true, &number);
        if (!bytes)
            continue;
        if (is_undefined(bytes, t->bytes)) {
            origin = memory_origin(t, l, number, bytes);
            old |= (u64)1 << l;
            if (t->space[l] == SPACE_GLOBAL && !exchanges)
                report(t, FOUND_INIT_STORE, (u64)1 << l, origin);
            if (t->space[l] == SPACE_GLOBAL || exchanges)
                memset(bytes, 0, t->bytes);
        }
        if (bad & ~outside & left & -left)
            memset(bytes, 2, t->bytes);
    }
    set_results(t, old);
    if (old)
        set_origin_of_results(t, old, origin);
}

/* ---- rows of one lane ---- */

/* What a LANE row reads in place k, in all lanes. */
static void operand_lanes(const struct site *t, u32 k, struct spread_lanes *to) {
    const struct operand *o = &t->row->operand[k + 1];
    const struct uop *u = t->u;
    const u32 *rows[3] = {t->w->base[u->asel] + u->a, t->w->base[u->bsel] + u->b, t->w->base[u->csel] + u->c};
    u8 p = o->kind == K_PRED ? inst_pred_field(t->i, o->place) : PT, count = 0;
    u64 held = t->w->p[p & PT] ^ (p & PRED_NEG ? ~(u64)0 : 0), lost = (p & PT) == PT ? 0 : t->cw->predicates[p & PT];
    bool reg = o->kind == K_REG || o->kind == K_REG2;
    if (reg)
        count = t->t->count[o->place];
    for (u32 l = 0; l < t->width; l++) {
        to->value[l] = reg ? rows[k][l] : o->kind == K_PRED ? held >> l & 1 : 0;
        to->undefined[l] = o->kind == K_PRED ? lost >> l & 1 : 0;
        if (o->kind == K_REG2)
            to->value[l] |= (u64)rows[k][l + t->width] << 32;
        for (u32 i = 0; i < count; i++)
            to->undefined[l] |= (u64)bits_of(t, t->t->first[o->place] + i, l) << 32 * i;
    }
}

/* Whether places i and k of a LANE row read the same register or predicate. */
static bool same_operand(const struct site *t, u32 i, u32 k) {
    const struct operand *a = &t->row->operand[i + 1], *b = &t->row->operand[k + 1];
    if (a->kind == K_PRED && b->kind == K_PRED)
        return inst_pred_field(t->i, a->place) == inst_pred_field(t->i, b->place);
    return a->kind == b->kind && (a->kind == K_REG || a->kind == K_REG2) && t->t->count[a->place] &&
           t->t->count[b->place] && t->t->first[a->place] == t->t->first[b->place];
}

/* In lanes whose guard is undefined the result may be the new one or the old one. */
static void keep_old(const struct site *t, u64 unsure, struct spread_lanes *out) {
    u8 guard = t->i->guard, p = t->t->results ? (u8)first_lane(t->t->results) : PT;
    for (u64 left = unsure; left; left &= left - 1) {
        u32 l = first_lane(left);
        u64 old = 0, lost = 0;
        for (u32 i = 0; i < t->t->count[PLACE_D]; i++) {
            old |= (u64)t->w->base[0][(t->t->first[PLACE_D] + i) * t->width + l] << 32 * i;
            lost |= (u64)bits_of(t, t->t->first[PLACE_D] + i, l) << 32 * i;
        }
        if (p == (guard & PT)) { /* what it is where the instruction is not executed */
            old = guard & PRED_NEG ? 1 : 0;
        } else if (p != PT) {
            old = t->w->p[p] >> l & 1;
            lost = t->cw->predicates[p] >> l & 1;
        }
        out->undefined[l] |= lost | (old ^ out->value[l]);
    }
}

/* Results from operands of which bits are undefined, in lanes that execute or, `unsure`, perhaps do. */
static void lane_results(struct site *t, u64 unsure) {
    struct spread *s = t->c->spread;
    u32 p = t->t->results ? predicate_row(t, first_lane(t->t->results)) : 0, origin[WARP_MAX];
    u64 lanes = t->exec | unsure;
    for (u32 k = 0; k < 3; k++) {
        operand_lanes(t, k, &s->in[k]);
        s->like[k] = (u8)k;
        for (u32 i = k; i-- > 0;)
            if (same_operand(t, i, k))
                s->like[k] = (u8)i;
    }
    spread_run(s, t->i->op, t->u);
    keep_old(t, unsure, &s->out);
    for (u64 left = lanes; left; left &= left - 1) {
        u32 l = first_lane(left);
        origin[l] = !s->out.undefined[l] ? 0 : unsure >> l & 1 ? predicate_origin(t, 1u << (t->i->guard & PT), l) : 0;
        origin[l] = s->out.undefined[l] && !origin[l] ? operand_origin(t, l) : origin[l];
    }
    for (u64 left = lanes; left; left &= left - 1) {
        u32 l = first_lane(left);
        for (u32 i = 0; i < t->t->count[PLACE_D]; i++)
            set_bits(t, t->t->first[PLACE_D] + i, l, (u32)(s->out.undefined[l] >> 32 * i));
        if (t->t->results) {
            u64 *at = &t->cw->predicates[p - predicate_row(t, 0)];
            *at = (*at & ~(left & -left)) | (s->out.undefined[l] ? left & -left : 0);
        }
        if (s->out.undefined[l])
            set_origin_of_results(t, left & -left, origin[l]);
    }
}

static void lane_row(struct site *t, u64 unsure) {
    u64 bad = undefined_in(t, PLACE_A) | undefined_in(t, PLACE_B) | undefined_in(t, PLACE_C) | undefined_predicates(t);
    if (!(bad | unsure))
        set_results(t, 0);
    else if (t->row->iclass == CLASS_MOV && t->t->count[PLACE_A] == t->t->count[PLACE_D] && !unsure)
        copy(t);
    else
        lane_results(t, unsure);
}

/* ---- rows of a warp ---- */

/* The bits of all results in the lanes that execute; `bad` has those that an operand is undefined in. */
static void give_all(struct site *t, u64 bad, u64 undefined) {
    u32 origin = operand_origin(t, first_lane(bad));
    set_results(t, 0);
    for (u64 left = undefined ? t->exec : 0; left; left &= left - 1)
        for (u32 i = 0; i < t->t->count[PLACE_D]; i++)
            set_bits(t, t->t->first[PLACE_D] + i, first_lane(left), (u32)(undefined >> 32 * i));
    for (u32 left = undefined ? t->t->results : 0; left; left &= left - 1)
        t->cw->predicates[first_lane(left)] |= t->exec;
    if (undefined)
        set_origin_of_results(t, t->exec, origin);
}

/* Votes and ballots: `bad` are lanes in which the predicate is undefined. */
static u64 vote_bits(const struct site *t, u64 bad) {
    u8 p = inst_pred_field(t->i, PLACE_A);
    u64 held = t->w->p[p & PT] ^ (p & PRED_NEG ? ~(u64)0 : 0), known = t->exec & ~bad;
    switch (t->i->op) {
    case OP_BALLOT_B32:
    case OP_BALLOT_B64: return bad;
    case OP_VOTE_ALL: return !(known & ~held);
    case OP_VOTE_ANY: return !(known & held);
    case OP_VOTE_UNI: return !(known & held) || !(known & ~held);
    default: return ~(u64)0;
    }
}

/* Reductions over all lanes. */
static u64 redux_bits(const struct site *t, u64 bad) {
    const u32 *value = t->w->base[t->u->asel] + t->u->a;
    u32 any = 0, zero = 0, one = 0;
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left), lost = bad >> l & 1 ? bits_of(t, t->t->first[PLACE_A], l) : 0;
        any |= lost;
        zero |= ~value[l] & ~lost;
        one |= value[l] & ~lost;
    }
    switch (t->i->op) {
    case OP_REDUX_AND_B32: return any & ~zero;
    case OP_REDUX_OR_B32: return any & ~one;
    case OP_REDUX_XOR_B32: return any;
    case OP_REDUX_ADD_U32: return any | (0 - any);
    default: return any ? UINT32_MAX : 0;
    }
}

/* Rows of A and columns of B that have undefined elements, in each product of the warp; then each element of D. */
static void matrix_product(struct site *t) {
    const struct isa_shape *shape = &isa_shapes[t->row->shape];
    const struct check_inst *r = t->t;
    u32 row[WARP_MAX / 8] = {0}, column[WARP_MAX / 8] = {0}, origin = 0;
    u64 bad[MMA_ELEMENTS] = {0};
    for (u32 l = 0; l < t->width; l++) {
        for (u32 e = 0; e < shape->a.elements && r->count[PLACE_A]; e++)
            if (bits_of(t, r->first[PLACE_A] + e / 2, l) >> e % 2 * 16 & 0xffff)
                row[l / shape->lanes] |= 1u << shape->a.cell(l % shape->lanes, e).row;
        for (u32 e = 0; e < shape->b.elements && r->count[PLACE_B]; e++)
            if (bits_of(t, r->first[PLACE_B] + e / 2, l) >> e % 2 * 16 & 0xffff)
                column[l / shape->lanes] |= 1u << shape->b.cell(l % shape->lanes, e).column;
        if (!origin)
            origin = operand_origin(t, l);
    }
    for (u32 l = 0; l < t->width; l++)
        for (u32 e = 0; e < shape->c.elements; e++) {
            struct cell at = shape->c.cell(l % shape->lanes, e);
            bool own = r->count[PLACE_C] && bits_of(t, r->first[PLACE_C] + e, l);
            bool lost = own || row[l / shape->lanes] >> at.row & 1 || column[l / shape->lanes] >> at.column & 1;
            bad[e] |= (u64)lost << l;
        }
    set_results(t, 0);
    for (u32 e = 0; e < r->count[PLACE_D]; e++)
        if (bad[e] & t->exec) {
            set_undefined(t, r->first[PLACE_D] + e, bad[e] & t->exec);
            set_origin(t, r->first[PLACE_D] + e, bad[e] & t->exec, origin);
        }
}

static void whole_warp(struct site *t) {
    switch (t->i->op) {
    case OP_SHFL_IDX_B32:
    case OP_SHFL_UP_B32:
    case OP_SHFL_DOWN_B32:
    case OP_SHFL_BFLY_B32:
        require(t, PLACE_C, FOUND_INIT_OPERAND);
        shuffle(t);
        return;
    case OP_XPUSH: push(t); return;
    case OP_XEXT: extract(t); return;
    default: break;
    }
    if (t->row->iclass == CLASS_BAR) {
        require(t, PLACE_B, FOUND_INIT_OPERAND);
        return;
    }
    if (t->row->iclass != CLASS_MMA)
        require(t, PLACE_C, FOUND_INIT_OPERAND); /* a member mask */
    u64 bad = undefined_in(t, PLACE_A) | undefined_in(t, PLACE_B) | undefined_predicates(t);
    if (t->row->iclass == CLASS_MMA)
        bad |= undefined_in(t, PLACE_C);
    if (!bad)
        set_results(t, 0);
    else if (t->row->iclass == CLASS_MMA)
        matrix_product(t);
    else
        give_all(t, bad, t->row->iclass == CLASS_REDUX ? redux_bits(t, bad) : vote_bits(t, bad));
}

/* ---- an instruction ---- */

/* Lanes in which the guard is undefined and decides a result; what else it decides is reported. */
static u64 unsure_lanes(struct site *t) {
    u32 p = t->i->guard & PT;
    u64 bad = p == PT ? 0 : t->cw->predicates[p] & t->w->active;
    if (bad && !t->t->lane) {
        report(t, FOUND_INIT_BRANCH, bad, predicate_origin(t, 1u << p, first_lane(bad)));
        t->cw->predicates[p] &= ~bad;
        return 0;
    }
    return bad;
}

/* Most instructions work on registers that are defined in all lanes, and need no more than this. */
static bool all_defined(const struct site *t) {
    const u64 *named = t->t->named, *dirty = t->cw->dirty;
    u64 bad = 0;
    for (u32 k = 0; k < 4; k++)
        bad |= named[k] & dirty[k];
    for (u32 left = t->t->decides; left; left &= left - 1)
        bad |= t->cw->predicates[first_lane(left)];
    return !bad;
}

void init_site(struct site *t) {
    if (t->t->quiet && all_defined(t))
        return;
    u64 unsure = unsure_lanes(t), exec = t->exec;
    t->exec &= ~unsure;
    if (t->exec | unsure) {
        if (t->t->how != HOW_NONE)
            require(t, PLACE_A, FOUND_INIT_ADDRESS);
        if (t->t->lane)
            lane_row(t, unsure);
        else if (t->i->op == OP_LD)
            load(t);
        else if (t->i->op == OP_ST)
            store(t, PLACE_B);
        else if (t->t->how == HOW_ATOMIC)
            atomic(t);
        else
            whole_warp(t);
    }
    t->exec = exec;
}
