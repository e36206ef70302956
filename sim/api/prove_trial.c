/*
 * Runs of both kernels on made-up data: a difference is a refutation, with data that anybody can check. Sets differ in
 * kind, because overflow, rounding and NaN distinguish expressions that small whole numbers do not.
 */
#include "sim/api/prove.h"

#include <string.h>

#include "sim/api/result.h"

/* ---- data ---- */

enum flavour { ANY_BITS, SMALL, NUMBERS, ALL_ONES, ALL_ZEROS };

static const enum flavour flavours[TRIALS] = {ANY_BITS, SMALL, NUMBERS, ALL_ONES, ALL_ZEROS, ANY_BITS, SMALL, NUMBERS};

/* splitmix64 */
static u64 next(u64 *state) {
    u64 z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Numbers of ordinary size in a floating-point type: random sign and fraction, exponents around that of 1. */
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

static u64 element(enum flavour kind, enum etype type, u64 *state) {
    u64 r = next(state);
    switch (kind) {
    case SMALL: return r & 3;
    case NUMBERS: return ordinary(type, r);
    case ALL_ONES: return ~(u64)0;
    case ALL_ZEROS: return 0;
    case ANY_BITS: break;
    }
    return r;
}

void trial_data(struct proof *p, u32 number) {
    u64 state = number;
    for (u32 i = 0; i < p->count; i++) {
        const struct buffer *b = p->buffer[i];
        u8 *bytes = p->start.list[i].bytes;
        u32 size = proof_size(p, i);
        memset(bytes, 0, b->bytes);
        if (p->role[i] == HEDDLE_ROLE_OUT || p->role[i] == HEDDLE_ROLE_SCRATCH)
            continue;
        for (u64 k = 0; k < b->count; k++) {
            u64 v = element(flavours[number % TRIALS], b->type, &state);
            v = b->type == ET_BOOL ? v & 1 : v;
            for (u32 n = 0; n < size; n++)
                bytes[k * size + n] = (u8)(v >> 8 * n);
        }
    }
}

/* ---- runs ---- */

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
    if (o == RUN_FAULT) {
        struct heddle_result where = {0};
        result_fault(&l, &fault, &where);
        p->out->fault = where.fault;
        fault_render(&fault, &l, &h->error);
        buf_printf(&h->error, "heddle: this was a run on data made up for a proof (set %u)\n", p->trial + 1);
        return HEDDLE_FAULT;
    }
    context_no_memory(h, "a run of the proof");
    return HEDDLE_MEMORY;
}

static bool same(const struct proof *p, u32 i, u64 k) {
    u32 size = proof_size(p, i);
    return memcmp(p->after[0].list[i].bytes + k * size, p->after[1].list[i].bytes + k * size, size) == 0;
}

bool trial_differs(struct proof *p) {
    bool found = p->differs && !same(p, p->at_buffer, p->at_element);
    u64 differing = 0;
    for (u32 i = 0; i < p->count; i++)
        for (u64 k = 0; k < p->buffer[i]->count && p->role[i] != HEDDLE_ROLE_SCRATCH; k++) {
            if (same(p, i, k))
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
