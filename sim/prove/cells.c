/* Loads, stores and atomics: words written to memory and read back. */
#include "sim/prove/shadow.h"

#include <string.h>

#include "sim/prove/logic.h"
#include "sim/prove/sizes.h"

/* The place of an access: in cells of words, or in bytes that never change. */
struct spot {
    u32 *cells;      /* NULL: read from `bytes` */
    const u8 *bytes; /* [size] */
    u64 size;        /* bytes of the space */
    u64 at;          /* offset into it */
    u32 allocation;  /* of global memory */
    enum space space;
};

static u64 address(struct site *t, u32 lane) {
    enum space space = t->u->space;
    u64 low = site_value(t, PLACE_A, 0, lane);
    if (space_address_bits(space) == 32)
        return (u32)(low + (u32)t->u->imm);
    return (low | (u64)site_value(t, PLACE_A, 1, lane) << 32) + t->u->imm;
}

static bool spot_global(struct site *t, struct spot *spot) {
    const struct memory *m = t->s->launch.memory;
    const struct allocation *a = memory_find(m, spot->at);
    if (!a)
        return false;
    spot->allocation = (u32)(a - m->list);
    spot->cells = t->s->cells[spot->allocation].word;
    spot->size = a->size;
    spot->at -= a->base;
    return true;
}

/* False where the machine will fault. */
static bool spot_find(struct site *t, u32 lane, u32 bytes, struct spot *spot) {
    const struct kernel *k = t->s->launch.kernel;
    *spot = (struct spot){.at = address(t, lane), .space = t->u->space};
    if (spot->space == SPACE_GENERIC)
        spot->space = space_of_generic(&spot->at);
    switch (spot->space) {
    case SPACE_GLOBAL:
        if (!spot_global(t, spot))
            return false;
        break;
    case SPACE_SHARED:
        spot->cells = t->block->shared;
        spot->size = k->shared;
        break;
    case SPACE_LOCAL:
        spot->cells = t->block->local + (size_t)(t->w->index * t->width + lane) * ((k->local + 3) / 4);
        spot->size = k->local;
        break;
    case SPACE_CONST:
        spot->bytes = t->s->launch.program->consts;
        spot->size = t->s->launch.program->const_bytes;
        break;
    case SPACE_PARAM:
        spot->bytes = t->s->launch.params;
        spot->size = k->param_bytes;
        break;
    case SPACE_COUNT: return false;
    case SPACE_GENERIC: BUG("memory of no space");
    }
    return spot->at < spot->size && spot->size - spot->at >= bytes && !(spot->at & (bytes - 1));
}

/* Word `k` of the access, or the one that holds it when it is narrower. */
static u32 spot_read(struct site *t, const struct spot *spot, u32 k, u32 lane) {
    u64 word = spot->at / 4 + k;
    u32 sized = spot->space == SPACE_PARAM && t->s->sizes ? sizes_param(t->s->sizes, t->s->side, word) : WORD_NONE;
    if (sized != WORD_NONE)
        return sized;
    if (!spot->cells) {
        u8 four[4] = {0};
        u64 left = spot->size - 4 * word;
        memcpy(four, spot->bytes + 4 * word, left < 4 ? left : 4);
        return term_const(t->s->e, (u32)four[0] | (u32)four[1] << 8 | (u32)four[2] << 16 | (u32)four[3] << 24);
    }
    u32 *cell = &spot->cells[word];
    if (*cell == WORD_NONE && spot->space == SPACE_GLOBAL)
        return shadow_word(t->s, spot->allocation, (u32)word);
    if (*cell == WORD_NONE)
        *cell = site_fresh(t, spot->space == SPACE_SHARED ? FRESH_SHARED : FRESH_LOCAL, (u32)word, lane);
    return *cell;
}

/* Notes the writer of `bytes` bytes from the spot on, from register `reg` on. */
static void spot_sign(struct site *t, const struct spot *spot, u32 bytes, u32 lane, u32 reg) {
    struct shadow *s = t->s;
    if (spot->space != SPACE_GLOBAL)
        return;
    for (u32 i = 0; i < bytes; i++) {
        if (i % 4 == 0) {
            struct writer *w = buf_push(&s->writers, sizeof *w);
            if (!w) {
                s->failed = true;
                return;
            }
            *w = (struct writer){.pc = t->pc, .warp = t->w->index, .lane = lane, .reg = reg == RZ ? RZ : reg + i / 4};
            memcpy(w->block, t->w->block->index, sizeof w->block);
        }
        s->cells[spot->allocation].writer[spot->at + i] = (u32)(s->writers.len / sizeof(struct writer));
    }
}

static void spot_write(const struct spot *spot, u32 k, u32 word) {
    if (spot->cells)
        spot->cells[spot->at / 4 + k] = word;
}

/*
 * The address is a register, which must not be data-dependent: otherwise the run shows one case of many. That of a
 * buffer may depend on an unknown size.
 */
static void address_depends(struct site *t, u32 lane, const struct spot *found, u32 bytes) {
    u32 halves = space_address_bits(t->u->space) / 32;
    if (t->s->sizes && found && found->space == SPACE_GLOBAL) {
        const struct touch a = {found->allocation, bytes, lane, found->at, op_writes(t->i->op)};
        sizes_access(t, &a);
        return;
    }
    for (u32 h = 0; h < halves; h++)
        site_depends_word(t, DEPEND_ADDRESS, site_source(t, PLACE_A, h, lane));
}

/* A narrow value of a word, extended to 32 bits. */
static u32 narrow(struct site *t, const struct spot *spot, u32 word) {
    u32 bit[32], result[32], bits = 8u * t->u->bytes, low = 8u * (u32)(spot->at & 3);
    bool sign = t->u->mtype == MT_S8 || t->u->mtype == MT_S16;
    term_bits(t->s->e, word, bit);
    for (u32 i = 0; i < 32; i++)
        result[i] = i < bits ? bit[low + i] : sign ? bit[low + bits - 1] : BIT_0;
    return term_word(t->s->e, result);
}

/*
 * Finds what the access of a lane touches; false where the machine faults. A lane whose guard is not known takes part
 * for some data: whether there is a fault is then data-dependent, too.
 */
static bool spot_of(struct site *t, u32 lane, struct spot *spot) {
    bool found = spot_find(t, lane, t->u->bytes, spot);
    address_depends(t, lane, found ? spot : NULL, t->u->bytes);
    if (found && (op_memory(t->i->op) == MEMORY_LOAD || spot->cells))
        return true;
    site_faults(t, lane);
    return false;
}

void site_load(struct site *t) {
    u32 word[4][WARP_MAX] = {{0}};
    u64 there = 0;
    for (u64 left = t->maybe; left; left &= left - 1) {
        u32 l = first_lane(left);
        struct spot spot;
        if (!spot_of(t, l, &spot))
            continue;
        there |= (u64)1 << l;
        for (u32 k = 0; k < t->u->words; k++)
            word[k][l] = spot_read(t, &spot, k, l);
        if (t->u->bytes < 4)
            word[0][l] = narrow(t, &spot, word[0][l]);
    }
    for (u64 left = there; left; left &= left - 1)
        for (u32 k = 0; k < t->u->words && t->i->d != RZ; k++)
            site_set(t, t->i->d + k, first_lane(left), word[k][first_lane(left)]);
}

/* Word `k` of the cell after the store: a narrow value, or one under a guard, replaces a part of the old word. */
static u32 stored(struct site *t, const struct spot *spot, u32 k, u32 lane) {
    u32 word = site_source(t, PLACE_B, k, lane), bytes = t->u->bytes, guard = t->guard[lane];
    if (bytes >= 4)
        return guard == BIT_1 ? word : algebra_choose(t->s->e, guard, word, spot_read(t, spot, k, lane));
    u32 bit[32], into[32], low = 8u * (u32)(spot->at & 3);
    term_bits(t->s->e, word, bit);
    term_bits(t->s->e, spot_read(t, spot, k, lane), into);
    for (u32 i = 0; i < 8 * bytes; i++)
        into[low + i] = logic_choose(t->s->e, guard, bit[i], into[low + i]);
    return term_word(t->s->e, into);
}

void site_store(struct site *t) {
    for (u64 left = t->maybe; left; left &= left - 1) {
        u32 l = first_lane(left);
        struct spot spot;
        if (!spot_of(t, l, &spot))
            continue;
        for (u32 k = 0; k < t->u->words; k++)
            spot_write(&spot, k, stored(t, &spot, k, l));
        spot_sign(t, &spot, t->u->bytes, l, t->i->b);
    }
}

/* ---- atomics ---- */

/* Instruction of one lane that an atomic performs on the old value and b; OP_COUNT if it has none. */
static u32 atomic_op(u32 op) {
    static const u16 of[OP_COUNT] = {
#define ATOMIC(id, lane, commutes) [OP_ATOM_##id] = OP_##lane + 1, [OP_RED_##id] = OP_##lane + 1,
#include "isa/laws.def"
    };
    return of[op] ? of[op] - 1u : OP_COUNT;
}

/* Value that an atomic leaves in memory. */
static struct lane_out atomic_value(struct site *t, const struct lane_in *in, u32 halves) {
    struct terms *e = t->s->e;
    struct lane_out out = {{0}, 0};
    u32 list[6], value[6] = {0}, n = 0, op = t->i->op, lane_op = atomic_op(op);
    bool known = true;
    for (u32 k = 0; k < 3; k++)
        for (u32 h = 0; h < halves; h++) {
            list[n] = in->word[k][h];
            known &= term_value(e, list[n], &value[n]);
            n++;
        }
    if (op == OP_ATOM_EXCH_B32 || op == OP_ATOM_EXCH_B64) {
        memcpy(out.word, in->word[1], sizeof out.word);
    } else if (lane_op != OP_COUNT) {
        out = lane_value(t, lane_op, in);
    } else if (known) {
        struct eval *v = t->s->lanes;
        v->cell = halves == 2 ? value[0] | (u64)value[1] << 32 : value[0];
        v->b[0] = halves == 2 ? value[2] | (u64)value[3] << 32 : value[1];
        v->c[0] = halves == 2 ? value[4] | (u64)value[5] << 32 : value[2];
        eval_atomic(v, (u16)op, t->u);
        for (u32 h = 0; h < halves; h++)
            out.word[h] = term_const(e, (u32)(v->cell >> 32 * h));
    } else {
        u32 atom = term_atom(e, op, 0, n, list);
        for (u32 h = 0; h < halves; h++)
            out.word[h] = term_slice(e, atom, 32 * h);
    }
    return out;
}

void site_atomic(struct site *t) {
    const struct isa_row *row = &isa_rows[t->i->op];
    bool gives_old = row->operand[0].kind == K_REG || row->operand[0].kind == K_REG2;
    bool swaps = t->i->op == OP_ATOM_CAS_B32 || t->i->op == OP_ATOM_CAS_B64;
    u32 halves = row->operand[gives_old ? 2 : 1].kind == K_REG2 ? 2 : 1;
    struct lane_in in[WARP_MAX];
    u64 there = 0;
    for (u64 left = t->maybe; left; left &= left - 1) {
        u32 l = first_lane(left), nothing = term_const(t->s->e, 0);
        struct spot spot;
        bool found = spot_find(t, l, 4 * halves, &spot);
        address_depends(t, l, found ? &spot : NULL, 4 * halves);
        if (!found || !spot.cells || spot.space == SPACE_LOCAL) {
            site_faults(t, l);
            continue;
        }
        there |= (u64)1 << l;
        for (u32 h = 0; h < halves; h++) {
            in[l].word[0][h] = spot_read(t, &spot, h, l);
            in[l].word[1][h] = site_source(t, PLACE_B, h, l);
            in[l].word[2][h] = swaps ? site_source(t, PLACE_C, h, l) : nothing;
        }
        struct lane_out out = atomic_value(t, &in[l], halves);
        for (u32 h = 0; h < halves; h++)
            spot_write(&spot, h, site_choice(t, l, out.word[h], in[l].word[0][h]));
        spot_sign(t, &spot, 4 * halves, l, t->i->b);
    }
    for (u64 left = there; left; left &= left - 1)
        for (u32 h = 0; h < halves && gives_old && t->i->d != RZ; h++)
            site_set(t, t->i->d + h, first_lane(left), in[first_lane(left)].word[0][h]);
}
