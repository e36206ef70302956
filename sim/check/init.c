/*
 * Unwritten values. Each register has its undefined bytes, one bit a lane; memory has a byte for each of its bytes.
 * Moves, selects, shuffles, transit registers, loads and stores carry undefined bytes along; the result of any other
 * instruction is undefined in the lanes in which an operand is, but for predicates that the other operand decides.
 * Reported is where something depends on one: an address, what is executed, an operand that names lanes, and what ends
 * up in a buffer. It is defined from there on, so that one mistake is one finding.
 */
#include "sim/base/bits.h"
#include "sim/check/shadow.h"

#include <string.h>

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

bool init_block(struct check *c, struct check_block *b) {
    const struct kernel *k = c->launch.kernel;
    const struct memory *m = c->launch.memory;
    b->shared_undefined = check_alloc(c, k->shared);
    b->local_undefined = check_alloc(c, local_bytes(c, b));
    for (u32 i = 0; i < b->of->warps; i++) {
        struct check_warp *w = &b->warp[i];
        w->undefined = check_alloc(c, ((size_t)k->regs + 1) * sizeof *w->undefined);
        w->any = check_alloc(c, ((size_t)k->regs + 1) * sizeof *w->any);
        w->transit = check_alloc(c, TRANSIT_COUNT * TRANSIT_SLOTS * sizeof *w->transit);
    }
    for (u32 i = 0; i < m->count; i++) /* once for the launch, with its first block */
        if (c->written && !c->written[i] && !c->cells[i].undefined) {
            c->cells[i].undefined = check_alloc(c, m->list[i].size);
            c->unwritten = true;
            if (c->cells[i].undefined)
                memset(c->cells[i].undefined, 1, m->list[i].size);
        }
    return !c->failed;
}

void init_block_start(struct check *c, struct check_block *b) {
    const struct kernel *k = c->launch.kernel;
    memset(b->shared_undefined, 1, k->shared);
    memset(b->local_undefined, 1, local_bytes(c, b));
    for (u32 i = 0; i < b->of->warps; i++) {
        struct check_warp *w = &b->warp[i];
        for (u32 r = 0; r < 4 * k->regs; r++)
            w->undefined[r / 4][r % 4] = b->of->warp[i].members;
        for (u32 r = 0; r < k->regs; r++)
            w->any[r] = b->of->warp[i].members;
        memset(w->dirty, 0xff, sizeof w->dirty);
        for (u32 p = 0; p < PRED_COUNT; p++)
            w->predicates[p] = b->of->warp[i].members;
        memset(w->transit, 0xff, TRANSIT_COUNT * TRANSIT_SLOTS * sizeof *w->transit);
        if (w->origin)
            memset(w->origin, 0, (size_t)k->regs * c->launch.width * sizeof *w->origin);
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

static void set(struct site *t, u32 reg, u64 lanes, const u64 undefined[4]) {
    struct check_warp *w = t->cw;
    u64 any = 0;
    for (u32 k = 0; k < 4; k++) {
        w->undefined[reg][k] = (w->undefined[reg][k] & ~lanes) | (undefined[k] & lanes);
        any |= w->undefined[reg][k];
    }
    w->any[reg] = any;
    w->dirty[reg / 64] = (w->dirty[reg / 64] & ~((u64)1 << reg % 64)) | (u64)(any != 0) << reg % 64;
}

/* All results are undefined in the lanes `bad`, defined in the others that execute. */
static void set_results(struct site *t, u64 bad) {
    const u64 bytes[4] = {bad, bad, bad, bad};
    u8 first = t->t->first[PLACE_D];
    for (u32 i = 0; i < t->t->count[PLACE_D]; i++)
        if (bad || t->cw->any[first + i] & t->exec)
            set(t, first + i, t->exec, bytes);
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

static void set_origin(struct site *t, u32 reg, u64 lanes, u32 origin) {
    struct check_warp *w = t->cw;
    if (!w->origin)
        w->origin = check_alloc(t->c, (size_t)t->c->launch.kernel->regs * t->width * sizeof *w->origin);
    for (u64 left = w->origin ? lanes : 0; left; left &= left - 1)
        w->origin[reg * t->width + first_lane(left)] = origin;
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
            return origin_new(t->c, &o);
        }
    return 0;
}

/* Results that become undefined inherit the origin of an operand. */
static void inherit(struct site *t, u64 bad) {
    for (u64 left = bad; left; left &= left - 1) {
        u32 l = first_lane(left), origin = 0;
        for (u32 place = PLACE_A; place <= PLACE_C && !origin; place++)
            origin = place_origin(t, (enum operand_place)place, l);
        if (!origin)
            origin = predicate_origin(t, t->t->predicates, l);
        for (u32 i = 0; i < t->t->count[PLACE_D]; i++)
            set_origin(t, t->t->first[PLACE_D] + i, (u64)1 << l, origin);
    }
}

static void describe(const struct site *t, u32 origin, struct buf *out) {
    static const char *const words[] = {"register r%u", "predicate p%u", "transit register x%u"};
    const struct program *p = t->c->launch.program;
    if (!origin) {
        buf_puts(out, "it was never written");
        return;
    }
    const struct origin *o = origin_at(t->c, origin);
    if (o->kind <= FROM_TRANSIT)
        buf_printf(out, words[o->kind], o->number);
    else
        buf_printf(out, "byte %llu of %s", (unsigned long long)o->byte,
                   o->kind == FROM_SHARED  ? "shared memory"
                   : o->kind == FROM_LOCAL ? "local memory"
                                           : t->c->launch.memory->list[o->number].name);
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
    static const u64 defined[4] = {0};
    u64 bad = undefined_in(t, place);
    if (!bad)
        return;
    report(t, class, bad, place_origin(t, place, first_lane(bad)));
    for (u32 i = 0; i < t->t->count[place]; i++)
        set(t, t->t->first[place] + i, t->exec, defined);
}

/* ---- moves ---- */

static bool is_move(const struct site *t) {
    return t->row->iclass == CLASS_MOV && t->t->count[PLACE_A] == t->t->count[PLACE_D];
}

/* Register by register, byte by byte, from `from` in the lanes `lanes`. */
static void copy(struct site *t, enum operand_place from, u64 lanes) {
    static const u64 defined[4] = {0};
    for (u32 i = 0; i < t->t->count[PLACE_D]; i++) {
        u32 d = t->t->first[PLACE_D] + i, s = t->t->first[from] + i;
        if (i >= t->t->count[from]) {
            set(t, d, lanes, defined);
            continue;
        }
        for (u64 left = t->cw->any[s] & lanes; left; left &= left - 1)
            set_origin(t, d, left & -left, origin_of(t, s, first_lane(left)));
        u64 bytes[4];
        memcpy(bytes, t->cw->undefined[s], sizeof bytes);
        set(t, d, lanes, bytes);
    }
}

static void select(struct site *t) {
    u64 yes = t->w->p[t->i->pc & PT] ^ (t->i->pc & PRED_NEG ? ~(u64)0 : 0), bad = undefined_predicates(t);
    const u64 bytes[4] = {bad, bad, bad, bad};
    u64 first = t->exec & yes & ~bad, second = t->exec & ~yes & ~bad;
    u32 origin = bad ? predicate_origin(t, t->t->predicates, first_lane(bad)) : 0;
    copy(t, PLACE_A, first);
    copy(t, PLACE_B, second);
    for (u32 i = 0; i < t->t->count[PLACE_D] && bad; i++) {
        set(t, t->t->first[PLACE_D] + i, bad, bytes);
        set_origin(t, t->t->first[PLACE_D] + i, bad, origin);
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
    u32 a = t->t->first[PLACE_A], d = t->t->first[PLACE_D];
    require(t, PLACE_B, FOUND_INIT_OPERAND);
    u64 bytes[4] = {0}, from[4] = {0};
    u32 origin[WARP_MAX] = {0};
    if (t->t->count[PLACE_A])
        memcpy(from, t->cw->undefined[a], sizeof from);
    for (u64 left = t->t->count[PLACE_A] ? t->exec : 0; left; left &= left - 1) {
        u32 l = first_lane(left), s = source_lane(t, l);
        for (u32 k = 0; k < 4; k++)
            bytes[k] |= (from[k] >> s & 1) << l;
        if (t->cw->any[a] >> s & 1)
            origin[l] = origin_of(t, a, s);
    }
    set_results(t, 0);
    if (!t->t->count[PLACE_D])
        return;
    set(t, d, t->exec, bytes);
    for (u64 left = t->cw->any[d] & t->exec; left; left &= left - 1)
        set_origin(t, d, left & -left, origin[first_lane(left)]);
}

/* ---- transit registers ---- */

static void push(struct site *t) {
    u64 *x = &t->cw->transit[t->i->d * TRANSIT_SLOTS];
    memmove(x, x + 1, (TRANSIT_SLOTS - 1) * sizeof *x);
    x[TRANSIT_SLOTS - 1] = t->t->count[PLACE_A] ? t->cw->any[t->t->first[PLACE_A]] : 0;
}

/* As the machine extracts: exec_xext in sim/arch/exec_warp.h draws the four slots. */
static void extract(struct site *t) {
    const u64 *x = &t->cw->transit[t->i->a * TRANSIT_SLOTS];
    u32 k = t->width / 4;
    u64 bad = 0;
    for (u32 l = 0; l < t->width; l++) {
        u32 row = 2 * (l / k) + (t->i->b >> 1 & 1u), column = 2 * (l % k) + (t->i->b & 1u);
        u32 slot = (row >= 4 ? 2u : 0u) + (column >= k ? 1u : 0u);
        bad |= (x[slot] >> (row % 4 * k + column % k) & 1) << l;
    }
    const struct origin o = {.kind = FROM_TRANSIT, .number = t->i->a, .pc = t->pc};
    set_results(t, bad);
    if (bad && t->t->count[PLACE_D])
        set_origin(t, t->t->first[PLACE_D], bad, origin_new(t->c, &o));
}

/* ---- memory ---- */

/* The shadow of the bytes that a lane accesses; NULL: they are written, or there are none. */
static u8 *bytes_of(const struct site *t, u32 lane, u32 *number) {
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
    u8 *undefined = t->c->cells[*number].undefined;
    return undefined && addr - a->base + t->bytes <= a->size ? undefined + (addr - a->base) : NULL;
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
static u8 *neighbours(const struct site *t) {
    u32 first, last;
    if (!t->neighbours || (t->u->space != SPACE_SHARED && t->u->space != SPACE_GLOBAL))
        return NULL;
    u8 *bytes = bytes_of(t, 0, &first);
    return bytes && bytes_of(t, t->width - 1, &last) && first == last ? bytes : NULL;
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
    static const u64 defined[4] = {0};
    u8 d = t->t->first[PLACE_D], n = t->t->count[PLACE_D];
    for (u32 i = 0; i < n; i++)
        if (t->cw->any[d + i] & t->exec)
            set(t, d + i, t->exec, defined);
    const u8 *all = neighbours(t);
    if (!has_shadow(t) || (all && !any_of(all, (size_t)t->width * t->bytes)) || (!all && written_around(t)))
        return;
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left), number;
        const u8 *bytes = bytes_of(t, l, &number);
        if (!bytes || !is_undefined(bytes, t->bytes))
            continue;
        u32 origin = memory_origin(t, l, number, bytes);
        for (u32 i = 0; i < n; i++) {
            u64 mask[4] = {0}, one = (u64)1 << l;
            for (u32 k = 0; k < 4 && 4 * i + k < t->bytes; k++)
                mask[k] = bytes[4 * i + k] ? one : 0;
            set(t, d + i, one, mask);
            set_origin(t, d + i, one, origin);
        }
    }
}

/* Stores carry undefined bytes on, but not into buffers: that is a use. */
static void store(struct site *t, enum operand_place data) {
    u64 bad = undefined_in(t, data), outside = 0;
    for (u64 left = bad; left; left &= left - 1)
        outside |= (u64)(t->space[first_lane(left)] == SPACE_GLOBAL) << first_lane(left);
    if (t->bytes < 4 && outside) { /* narrow stores: bytes that do not leave the register do not matter */
        u64 seen = 0;
        for (u32 k = 0; k < t->bytes; k++)
            seen |= t->cw->undefined[t->t->first[data]][k];
        outside &= seen;
    }
    if (outside) {
        report(t, FOUND_INIT_STORE, outside, place_origin(t, data, first_lane(outside)));
        bad &= ~outside;
    }
    u8 *all = bad ? NULL : neighbours(t);
    if (all)
        memset(all, 0, (size_t)t->width * t->bytes);
    for (u64 left = all || !has_shadow(t) ? 0 : t->exec; left; left &= left - 1) {
        u32 l = first_lane(left), number;
        u8 *bytes = bytes_of(t, l, &number);
        if (bytes && !bad)
            define(bytes, t->bytes);
        if (!bytes || !bad)
            continue;
        for (u32 k = 0; k < t->bytes; k++) {
            u32 reg = t->t->first[data] + k / 4;
            bytes[k] = bad >> l & 1 && t->cw->undefined[reg][k % 4] >> l & 1 ? 2 : 0;
        }
    }
}

static void atomic(struct site *t) {
    u64 bad = undefined_in(t, PLACE_B) | undefined_in(t, PLACE_C), old = 0;
    bool exchanges = t->i->op == OP_ATOM_EXCH_B32 || t->i->op == OP_ATOM_EXCH_B64;
    u32 origin = 0;
    if (bad) {
        enum operand_place place = undefined_in(t, PLACE_B) ? PLACE_B : PLACE_C;
        report(t, FOUND_INIT_STORE, bad, place_origin(t, place, first_lane(undefined_in(t, place))));
    }
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left), number;
        u8 *bytes = bytes_of(t, l, &number);
        if (!bytes || !is_undefined(bytes, t->bytes))
            continue;
        origin = memory_origin(t, l, number, bytes);
        old |= (u64)1 << l;
        if (exchanges)
            memset(bytes, 0, t->bytes);
        else if (t->space[l] == SPACE_GLOBAL) {
            report(t, FOUND_INIT_STORE, (u64)1 << l, origin);
            memset(bytes, 0, t->bytes);
        }
    }
    set_results(t, old);
    for (u32 i = 0; i < t->t->count[PLACE_D] && old; i++)
        set_origin(t, t->t->first[PLACE_D] + i, old, origin);
}

/* ---- an instruction ---- */

/* A guard that is undefined: what it decides is reported, but results of one lane just become undefined. */
static void guarded(struct site *t) {
    u32 p = t->i->guard & PT;
    u64 bad = p == PT ? 0 : t->cw->predicates[p] & t->w->active;
    if (!bad)
        return;
    u32 origin = predicate_origin(t, 1u << p, first_lane(bad));
    if (!t->t->lane) {
        report(t, FOUND_INIT_BRANCH, bad, origin);
        t->cw->predicates[p] &= ~bad;
        return;
    }
    const u64 bytes[4] = {bad, bad, bad, bad};
    for (u32 i = 0; i < t->t->count[PLACE_D]; i++) {
        set(t, t->t->first[PLACE_D] + i, bad, bytes);
        set_origin(t, t->t->first[PLACE_D] + i, bad, origin);
    }
    for (u32 left = t->t->results; left; left &= left - 1)
        t->cw->predicates[first_lane(left)] |= bad;
    t->exec &= ~bad;
}

/* Lanes in which a predicate operand of and.pred or or.pred is defined and decides the result. */
static u64 decided(const struct site *t) {
    u64 lanes = 0;
    for (u32 place = PLACE_A; place <= PLACE_B; place++) {
        u8 p = inst_pred_field(t->i, (enum operand_place)place), n = p & PT;
        u64 held = t->w->p[n] ^ (p & PRED_NEG ? ~(u64)0 : 0), defined = n == PT ? ~(u64)0 : ~t->cw->predicates[n];
        lanes |= defined & (t->i->op == OP_AND_PRED ? ~held : held);
    }
    return lanes;
}

static void lane_row(struct site *t) {
    if (is_move(t)) {
        copy(t, PLACE_A, t->exec);
        return;
    }
    if (t->row->iclass == CLASS_SEL && t->t->predicates) {
        select(t);
        return;
    }
    u64 bad = undefined_in(t, PLACE_A) | undefined_in(t, PLACE_B) | undefined_in(t, PLACE_C) | undefined_predicates(t);
    if (bad != 0 && (t->i->op == OP_AND_PRED || t->i->op == OP_OR_PRED))
        bad &= ~decided(t);
    if (UNLIKELY(bad != 0))
        inherit(t, bad);
    set_results(t, bad);
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
    if (bad)
        inherit(t, bad);
    set_results(t, bad ? t->exec : 0); /* each lane's result depends on all lanes */
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
    u64 exec = t->exec;
    if (t->t->quiet && all_defined(t))
        return;
    guarded(t);
    if (t->exec) {
        if (t->t->how != HOW_NONE)
            require(t, PLACE_A, FOUND_INIT_ADDRESS);
        if (t->t->lane)
            lane_row(t);
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
