/*
 * Unwritten values. Each register has its undefined bits, memory has a byte for each of its bytes. Moves, shuffles,
 * transit registers, loads and stores carry undefined bits along; spread.c works out what any other instruction of one
 * lane makes of them. Reported is where something depends on one: an address, what is executed, an operand that names
 * lanes, and what ends up in a buffer. It is defined from there on, so that one mistake is one finding.
 */
#include "sim/check/init.h"

#include <string.h>

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

/* ---- rows of one lane ---- */

/* Register by register, from a. */
static void copy(struct site *t) {
    for (u32 i = 0; i < t->t->count[PLACE_D]; i++) {
        u32 d = t->t->first[PLACE_D] + i, s = t->t->first[PLACE_A] + i;
        u64 undefined = t->cw->any[s] & t->exec;
        init_define(t, d, t->exec & ~undefined);
        for (u64 left = undefined; left; left &= left - 1) {
            u32 l = first_lane(left);
            origin_set(t, d, left & -left, origin_of_register(t, s, l));
            init_set_bits(t, d, l, init_bits(t, s, l));
        }
    }
}

/* Collects what a LANE row reads in place k, in all lanes. */
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
            to->undefined[l] |= (u64)init_bits(t, t->t->first[o->place] + i, l) << 32 * i;
    }
}

/* True if places i and k of a LANE row read the same register or predicate. */
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
            lost |= (u64)init_bits(t, t->t->first[PLACE_D] + i, l) << 32 * i;
        }
        if (p == (guard & PT)) { /* value where the instruction is not executed */
            old = guard & PRED_NEG ? 1 : 0;
        } else if (p != PT) {
            old = t->w->p[p] >> l & 1;
            lost = t->cw->predicates[p] >> l & 1;
        }
        out->undefined[l] |= lost | (old ^ out->value[l]);
    }
}

/* Sets results from operands with undefined bits, in lanes that execute or, `unsure`, perhaps do. */
static void lane_results(struct site *t, u64 unsure) {
    struct spread *s = t->c->spread;
    u32 origin[WARP_MAX];
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
        origin[l] = !s->out.undefined[l] ? 0
                    : unsure >> l & 1    ? origin_of_predicate(t, 1u << (t->i->guard & PT), l)
                                         : 0;
        origin[l] = s->out.undefined[l] && !origin[l] ? origin_of_operand(t, l) : origin[l];
    }
    for (u64 left = lanes; left; left &= left - 1) {
        u32 l = first_lane(left);
        for (u32 i = 0; i < t->t->count[PLACE_D]; i++)
            init_set_bits(t, t->t->first[PLACE_D] + i, l, (u32)(s->out.undefined[l] >> 32 * i));
        if (t->t->results) {
            u64 *at = &t->cw->predicates[first_lane(t->t->results)];
            *at = (*at & ~(left & -left)) | (s->out.undefined[l] ? left & -left : 0);
        }
        if (s->out.undefined[l])
            origin_set_results(t, left & -left, origin[l]);
    }
}

static void lane_row(struct site *t, u64 unsure) {
    u64 bad = init_undefined(t, PLACE_A) | init_undefined(t, PLACE_B) | init_undefined(t, PLACE_C) |
              init_undefined_predicates(t);
    if (!(bad | unsure))
        init_set_results(t, 0);
    else if (spread_copies(t->i->op) && t->t->count[PLACE_A] && t->t->count[PLACE_A] == t->t->count[PLACE_D] && !unsure)
        copy(t);
    else
        lane_results(t, unsure);
}

/* ---- an instruction ---- */

/* Lanes whose guard is undefined and decides a result; what else it decides is reported. */
static u64 unsure_lanes(struct site *t) {
    u32 p = t->i->guard & PT;
    u64 bad = p == PT ? 0 : t->cw->predicates[p] & t->w->active;
    if (bad && !t->t->lane) {
        init_report(t, FOUND_INIT_BRANCH, bad, origin_of_predicate(t, 1u << p, first_lane(bad)));
        t->cw->predicates[p] &= ~bad;
        return 0;
    }
    return bad;
}

/* True if the instruction works on registers that are defined in all lanes: most do, and need no more than this. */
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
        if (t->t->lane)
            lane_row(t, unsure);
        else if (t->t->how != HOW_NONE)
            init_memory(t);
        else
            init_warp(t);
    }
    t->exec = exec;
}
