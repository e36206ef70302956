/*
 * Runs of both kernels on generated data: a difference is a refutation, with data that anyone can check. Sets differ in
 * kind, because overflow, rounding and NaN distinguish expressions that small whole numbers do not.
 */
#include "sim/api/prove/prove.h"

#include <string.h>

#include "sim/api/result.h"
#include "sim/base/mix.h"

/* ---- data ---- */

enum flavour {
    ANY_BITS,
    SMALL,
    NUMBERS, /* of the buffer's type */
    ALL_ONES,
    ALL_ZEROS,
    CORNERS,
    CONSTANTS, /* constants of the kernels */
    ALIKE,     /* small, and the same in all buffers */
    SIGNS,     /* the highest bit alone: -0, the least whole number */
    FLOATS,    /* of floating point, whatever the type */
    HALVES,    /* fp16 in each half, whatever the type */
    WHOLE,     /* of floating point, but small whole numbers */
    STEPS,     /* mostly far below the few that are 0, so that exp2 of a difference is 0 or 1 */
    SPARSE,    /* nearly all 0, the others 1 */
    BALANCED,  /* small whole numbers, each with its negative beside it: their mean is 0 */
    PAIRS      /* small whole numbers in fp16, in each half */
};

static const enum flavour flavours[TRIALS_ALL] = {ANY_BITS,
                                                  SMALL,
                                                  NUMBERS,
                                                  ALL_ONES,
                                                  ALL_ZEROS,
                                                  ANY_BITS,
                                                  SMALL,
                                                  NUMBERS,
                                                  CORNERS,
                                                  CONSTANTS,
                                                  ALIKE,
                                                  SIGNS,
                                                  FLOATS,
                                                  HALVES,
                                                  CORNERS,
                                                  CONSTANTS,
                                                  CORNERS,
                                                  CONSTANTS,
                                                  [TRIAL_EXACT] = WHOLE,
                                                  STEPS,
                                                  SPARSE,
                                                  PAIRS,
                                                  WHOLE,
                                                  STEPS,
                                                  SPARSE,
                                                  BALANCED};

/* Makes a floating-point number of `bits` bits, `fraction` of them its fraction, with an exponent from that of 1 on. */
static u64 around_one(u32 bits, u32 fraction, u64 r) {
    u64 one = ((u64)1 << (bits - fraction - 2)) - 1, sign = (r >> 63) << (bits - 1);
    return sign | (one - 3 + (r >> 60 & 7)) << fraction | (r & (((u64)1 << fraction) - 1));
}

/* Makes a number of ordinary size in a floating-point type: random sign and fraction, exponents around that of 1. */
static u64 ordinary(enum etype type, u64 r) {
    if (!etype_float_format(type))
        return r & 0xffff;
    switch (type) {
    case ET_F16: return (r & 0x83ff) | (12 + (r >> 32 & 7)) << 10;
    case ET_BF16: return (r & 0x807f) | (124 + (r >> 32 & 7)) << 7;
    case ET_F32: return (r & 0x807fffff) | (124 + (r >> 32 & 7)) << 23;
    case ET_F64: return (r & 0x800fffffffffffff) | (u64)(1020 + (r >> 52 & 7)) << 52;
    case ET_C64: return ordinary(ET_F32, r) | ordinary(ET_F32, r * 0x9e3779b97f4a7c15u) << 32;
    default: BUG("a floating-point type without ordinary numbers");
    }
}

/* Makes an element of `bytes` bytes as a floating-point number. */
static u64 any_float(u32 bytes, u64 r) {
    switch (bytes) {
    case 8: return around_one(64, 52, r);
    case 4: return around_one(32, 23, r);
    default: return around_one(16, 10, r);
    }
}

/* Makes a whole number in floating point: of the type if it is one, else of the same size. */
static u64 whole_number(enum etype type, s32 v) {
    u32 bytes = etypes[type].bytes, fraction = type == ET_BF16 ? 7 : bytes == 2 ? 10 : bytes == 8 ? 52 : 23, bits;
    u64 magnitude = (u64)(v < 0 ? -v : v), sign = v < 0;
    s32 exponent = 0;
    if (type == ET_C64 || bytes == 1)
        return type == ET_C64 ? whole_number(ET_F32, v) * 0x100000001u : magnitude;
    if (!v)
        return 0;
    while (magnitude >> exponent > 1)
        exponent++;
    bits = 8 * bytes;
    u64 one = ((u64)1 << (bits - fraction - 2)) - 1; /* the exponent of 1 */
    return sign << (bits - 1) | (one + (u64)exponent) << fraction |
           ((magnitude << fraction >> exponent) & (((u64)1 << fraction) - 1));
}

static u64 exact(enum flavour kind, enum etype type, u64 r) {
    s32 small = (s32)((r >> 40) % 9) - 4;
    switch (kind) {
    case STEPS: return whole_number(type, (r >> 8 & 7) ? -4096 * (1 + (s32)(r >> 16 & 1)) : 0);
    case SPARSE: return whole_number(type, (r >> 8) % 61 == 0);
    case PAIRS: return whole_number(ET_F16, small) | whole_number(ET_F16, (s32)((r >> 20) % 9) - 4) << 16;
    default: return whole_number(type, small);
    }
}

/*
 * Picks a value where arithmetic is special. With e exponent bits, in floating point: zeros, infinities, quiet and
 * signalling NaN with a payload, the largest, the smallest and the smallest normal number, 1; as a whole number: the
 * largest and smallest, powers of two and their neighbours.
 */
static u64 corner(u32 bits, u32 fraction, u64 r) {
    const u64 top = (u64)1 << (bits - 1), infinity = (top - 1) >> fraction << fraction,
              quiet = (u64)1 << (fraction - 1);
    const u64 special[] = {0,
                           infinity,
                           infinity | quiet,
                           infinity | quiet | 0x5a,
                           infinity | 1,
                           infinity - 1,
                           1,
                           quiet,
                           quiet << 1,
                           (quiet << 1) - 1,
                           infinity >> 1 >> fraction << fraction};
    const u64 whole[] = {top - 1, ~(u64)0, 2, 31, 32, 63, 64, 255, 256, 0xffff};
    u64 power = (u64)1 << (r >> 8) % bits, sign = r >> 4 & 1 ? top : 0;
    switch (r & 7) {
    case 0: return power;
    case 1: return power - 1;
    case 2:
    case 3: return whole[(r >> 8) % COUNT_OF(whole)];
    default: return special[(r >> 8) % COUNT_OF(special)] | sign;
    }
}

static u64 any_corner(u32 bytes, u64 r) {
    switch (bytes) {
    case 8: return r >> 32 & 1 ? corner(64, 52, r) : corner(32, 23, r) | corner(32, 23, r * 0x9e3779b97f4a7c15u) << 32;
    case 4: return r >> 33 & 3 ? corner(32, 23, r) : corner(16, 10, r) | corner(16, 10, r * 0x9e3779b97f4a7c15u) << 16;
    default: return corner(16, 10, r);
    }
}

/* The immediate operands of both kernels. */
struct constants {
    u64 list[256];
    u32 n;
};

static void collect(const struct program *program, struct constants *c) {
    for (u32 pc = 0; pc < program->ninst && c->n < COUNT_OF(c->list); pc++) {
        const struct inst *i = &program->inst[pc];
        u32 kind = isa_rows[i->op].kind, k = 0;
        if ((kind != ROW_LANE || !i->isel) && (kind != ROW_LANEI || !isa_rows[i->op].wide))
            continue;
        while (k < c->n && c->list[k] != i->imm)
            k++;
        c->list[k] = i->imm;
        c->n += k == c->n;
    }
}

static u64 constant(const struct constants *c, u64 r) {
    static const u64 beside[] = {0, 0, 0, 0, 1, ~(u64)0};
    if (!c->n || r >> 61 < 3)
        return r;
    return c->list[(r >> 8) % c->n] + beside[(r >> 40) % COUNT_OF(beside)];
}

static u64 element(enum flavour kind, enum etype type, u64 k, const struct constants *c, u64 *state) {
    u64 r = splitmix_next(state), of_place = k, of_pair = k / 2;
    u32 bytes = etypes[type].bytes;
    switch (kind) {
    case SMALL: return r & 3;
    case NUMBERS: return ordinary(type, r);
    case ALL_ONES: return ~(u64)0;
    case ALL_ZEROS: return 0;
    case CORNERS: return any_corner(bytes, r);
    case CONSTANTS: return constant(c, r);
    case ALIKE: return splitmix_next(&of_place) & 3;
    case SIGNS: return (u64)1 << (8 * bytes - 1);
    case FLOATS: return any_float(bytes, r);
    case HALVES: return ordinary(ET_F16, r) | ordinary(ET_F16, splitmix_next(state)) << 16 | r << 32;
    case BALANCED: return whole_number(type, (s32)(splitmix_next(&of_pair) % 4) * (k % 2 ? -1 : 1));
    case WHOLE:
    case STEPS:
    case SPARSE:
    case PAIRS: return exact(kind, type, r);
    case ANY_BITS: break;
    }
    return r;
}

static void make_up(struct proof *p, u32 number) {
    u64 state = number;
    struct constants c = {.n = 0};
    for (u32 side = 0; side < 2; side++)
        collect(p->launch[side].program, &c);
    for (u32 i = 0; i < p->count; i++) {
        const struct buffer *b = p->buffer[i];
        u8 *bytes = p->start.list[i].bytes;
        u32 size = proof_size(p, i);
        memset(bytes, 0, b->bytes);
        if (p->role[i] == HEDDLE_ROLE_OUT || p->role[i] == HEDDLE_ROLE_SCRATCH)
            continue;
        for (u64 k = 0; k < b->count; k++) {
            u64 v = element(flavours[number], b->type, k, &c, &state);
            v = b->type == ET_BOOL ? v & 1 : v;
            for (u32 n = 0; n < size; n++)
                bytes[k * size + n] = (u8)(v >> 8 * n);
        }
    }
}

void trial_data(struct proof *p, u32 number) {
    const struct model_word *m = (const struct model_word *)(const void *)p->model.data;
    make_up(p, number == TRIAL_MODEL ? 0 : number);
    for (size_t k = 0; number == TRIAL_MODEL && k < p->model.len / sizeof *m; k++) {
        const struct allocation *a = &p->start.list[m[k].buffer];
        for (u32 i = 0; i < 4 && 4 * (u64)m[k].word + i < a->size; i++) {
            u8 byte = (u8)(m[k].value >> 8 * i);
            a->bytes[4 * (u64)m[k].word + i] = p->buffer[m[k].buffer]->type == ET_BOOL ? byte & 1 : byte;
        }
    }
}

/* ---- runs ---- */

/* Prints the lines of the innermost loop around a warp that was stopped. */
static void tell_loop(const struct launch *l, u32 pc, struct buf *out) {
    const struct program *p = l->program;
    u32 first = 0, last = 0;
    for (u32 at = pc; at < p->ninst; at++) {
        u32 target = inst_target(&p->inst[at]);
        if (p->inst[at].op != OP_BRA || target > pc || !l->issues[at] || (last && last - first <= at - target))
            continue;
        first = target;
        last = at;
    }
    if (!last && (p->inst[pc].op != OP_BRA || inst_target(&p->inst[pc]) != pc))
        return;
    struct line_place from = program_place(p, first), to = program_place(p, last);
    buf_printf(out, "heddle: kernel '%s' does not leave the loop of lines %u to %u%s%s\n", l->kernel->name, from.line,
               to.line, from.file ? " of " : "", from.file ? from.file : "");
}

enum heddle_status trial_run(struct proof *p, u32 side, bool shadowed) {
    struct heddle *h = p->h;
    struct launch l = shadowed ? p->shadow[side]->launch : p->launch[side];
    struct fault fault;
    for (u32 i = 0; i < p->count; i++)
        if (p->start.list[i].size)
            memcpy(p->after[side].list[i].bytes, p->start.list[i].bytes, p->start.list[i].size);
    memset(l.issues, 0, l.program->ninst * sizeof *l.issues);
    memset(l.lanes, 0, l.program->ninst * sizeof *l.lanes);
    enum outcome o = machine_run(shadowed ? &p->shadow[side]->launch : &l, &fault);
    if (o == RUN_OK)
        return HEDDLE_OK;
    if (p->undecided)
        return HEDDLE_FAULT;
    if (o == RUN_FAULT) {
        struct heddle_result where = {0};
        result_fault(&l, &fault, &where);
        p->out->fault = where.fault;
        fault_render(&fault, &l, &h->error);
        buf_printf(&h->error, "heddle: this was a run on data made up for a proof (set %u)\n", p->trial + 1);
        if (fault.kind == FAULT_LIMIT)
            tell_loop(&l, fault.pc, &h->error);
        return HEDDLE_FAULT;
    }
    context_no_memory(h, "a run of the proof");
    return HEDDLE_MEMORY;
}

enum heddle_status trial_both(struct proof *p, u32 number) {
    enum heddle_status status = HEDDLE_OK;
    trial_data(p, number);
    for (u32 side = 0; side < 2 && status == HEDDLE_OK; side++)
        status = trial_run(p, side, false);
    return status;
}

bool trial_same(const struct proof *p, u32 i, u64 k) {
    u32 size = proof_size(p, i);
    return memcmp(p->after[0].list[i].bytes + k * size, p->after[1].list[i].bytes + k * size, size) == 0;
}

bool trial_differs(struct proof *p) {
    bool found = p->differs && !trial_same(p, p->at_buffer, p->at_element);
    u64 differing = 0;
    for (u32 i = 0; i < p->count; i++)
        for (u64 k = 0; k < p->buffer[i]->count && p->role[i] != HEDDLE_ROLE_SCRATCH; k++) {
            if (trial_same(p, i, k))
                continue;
            differing++;
            if (found)
                continue;
            found = true;
            p->at_buffer = i;
            p->at_element = k;
        }
    if (found && !p->differs)
        p->differing = differing;
    return found;
}
