/*
 * The executor: one function per instruction row, and the loop that calls them. Compiled once per warp width and per
 * level of the host's instruction set (HEDDLE_WIDTH, HEDDLE_LEVEL), so that every lane loop has a constant trip count;
 * engines.c chooses one at start. All give the same bits: -ffp-contract=off, and no library function whose result
 * depends on the host (sim/arch/lane.h).
 *
 * A LANE row becomes
 *
 *     row pointers of the sources -> u32 v[W] = expression, lane by lane -> v into the destination, under the mask
 *
 * where both loops vectorise in gcc and clang, and which stays right when the destination is also a source.
 * `make bench` measures it. What most rows share and few need at full speed is NOINLINE: 300 copies of those loops took
 * as long to compile as the rows themselves, and made the rows slower.
 */
#include "isa/shapes.h"
#include "isa/shuffle.h"
#include "sim/arch/state.h"

#include "sim/arch/lane.h"

#include <math.h>
#include <string.h>

enum { W = HEDDLE_WIDTH };

#define FULL (W == 64 ? ~(u64)0 : ((u64)1 << (W & 63)) - 1)

#if HEDDLE_WIDTH == 64
typedef u64 mask_w;
#else
typedef u32 mask_w; /* shifts of 32-bit masks vectorise twice as wide */
#endif

/* ---- reading operands ---- */

#define SOURCE(x) (w->base[u->x##sel] + u->x)

static NOINLINE const u32 *flushed(const u32 *row, u32 *copy) {
    for (u32 l = 0; l < W; l++)
        copy[l] = flush_f32(row[l]);
    return copy;
}

static inline mask_w pred_bits(const struct warp *w, u8 p) {
    return (mask_w)(w->p[p & PT] ^ (p & PRED_NEG ? ~(u64)0 : 0));
}

/* ROW_T declares the row that a source of type T is read from, GET_T gives its value in lane l. */
#define ROW_NO(x)
#define ROW_B32(x) const u32 *x##_row = SOURCE(x);
#define ROW_ANY ROW_B32
#define ROW_S32 ROW_B32
#define ROW_H2 ROW_B32
#define ROW_W2 ROW_B32
#define ROW_F32B ROW_B32
#define ROW_F64B ROW_B32
#define ROW_F32(x) \
    u32 x##_copy[W]; \
    const u32 *x##_row = SOURCE(x); \
    if (UNLIKELY(u->ftz)) \
        x##_row = flushed(x##_row, x##_copy);
#define ROW_B64 ROW_B32
#define ROW_S64 ROW_B32
#define ROW_F64 ROW_B32
#define ROW_P(x) const mask_w x##_bits = pred_bits(w, u->p##x);
#define ROW_NUM(x) const u32 x = u->n##x;

#define GET_NO(x)
#define GET_B32(x) const u32 x = x##_row[l];
#define GET_ANY GET_B32
#define GET_H2 GET_B32
#define GET_W2 GET_B32
#define GET_F32B GET_B32
#define GET_S32(x) const s32 x = (s32)x##_row[l];
#define GET_F32(x) const float x = bits_f32(x##_row[l]);
#define GET_B64(x) const u64 x = (u64)x##_row[l] | (u64)x##_row[l + W] << 32;
#define GET_F64B GET_B64
#define GET_S64(x) const s64 x = (s64)((u64)x##_row[l] | (u64)x##_row[l + W] << 32);
#define GET_F64(x) const double x = bits_f64((u64)x##_row[l] | (u64)x##_row[l + W] << 32);
#define GET_P(x) const u32 x = (u32)(x##_bits >> l) & 1;
#define GET_NUM(x)

/* ---- writing results ---- */

/* The mask `w->exec`, one word a lane. Kept between instructions: a divergent stretch of code has one mask. */
static inline const u32 *lane_mask(struct warp *w) {
    u32 *lane = w->lane;
    if (w->lane_key != w->exec) {
        mask_w m = (mask_w)w->exec;
        for (u32 l = 0; l < W; l++)
            lane[l] = 0u - (u32)(m >> l & 1);
        w->lane_key = w->exec;
    }
    return lane;
}

static NOINLINE void blend32(struct warp *w, u32 *d, const u32 *v) {
    const u32 *m = lane_mask(w);
    u32 out[W]; /* separate from d and v, which may overlap */
    for (u32 l = 0; l < W; l++)
        out[l] = (v[l] & m[l]) | (d[l] & ~m[l]);
    memcpy(d, out, sizeof out);
}

static inline void put32(struct warp *w, u32 row, const u32 *v) {
    u32 *d = w->base[0] + row;
    if (LIKELY(w->exec == FULL))
        memcpy(d, v, W * sizeof *d);
    else
        blend32(w, d, v);
}

static NOINLINE void put64(struct warp *w, u32 row, const u64 *v) {
    u32 low[W], high[W];
    for (u32 l = 0; l < W; l++) {
        low[l] = (u32)v[l];
        high[l] = (u32)(v[l] >> 32);
    }
    put32(w, row, low);
    put32(w, row + W, high);
}

static inline void put_bits(struct warp *w, u8 p, u64 bits) {
    if (p != PT)
        w->p[p] = (w->p[p] & ~w->exec) | (bits & w->exec);
}

/* Eight bytes of 0 or 1 become eight bits by one multiplication. */
static inline u64 pack_bits(const u8 *v) {
    u64 bits = 0;
    for (u32 i = 0; i < W / 8; i++) {
        u64 eight;
        memcpy(&eight, v + 8 * i, sizeof eight);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "registers are stored little endian"
#endif
        bits |= (eight * 0x0102040810204080u >> 56) << 8 * i;
    }
    return bits;
}

static NOINLINE void finish_f32(const struct uop *u, u32 *v) {
    if (u->ftz)
        for (u32 l = 0; l < W; l++)
            v[l] = flush_f32(v[l]);
    if (u->sat)
        for (u32 l = 0; l < W; l++)
            v[l] = sat_f32(v[l]);
}

/* RESULT_T declares the results, SET_T stores one lane's, PUT_T moves them into the destination. */
#define RESULT_B32 u32 v[W]
#define RESULT_F32 u32 v[W]
#define RESULT_B64 u64 v[W]
#define RESULT_F64 u64 v[W]
#define RESULT_P u8 v[W]
#define RESULT_F32B RESULT_B32
#define RESULT_F64B RESULT_B64
#define RESULT_H1 RESULT_B32
#define RESULT_W1 RESULT_B32
#define RESULT_H2 RESULT_B32
#define RESULT_W2 RESULT_B32
#define SET_B32(e) v[l] = (u32)(e)
#define SET_F32(e) v[l] = canon_f32(e)
#define SET_B64(e) v[l] = (u64)(e)
#define SET_F64(e) v[l] = canon_f64(e)
#define SET_P(e) v[l] = (u8) !!(e)
#define SET_F32B SET_B32
#define SET_F64B SET_B64
#define SET_H1 SET_B32
#define SET_W1 SET_B32
#define SET_H2 SET_B32
#define SET_W2 SET_B32
#define PUT_B32 put32(w, u->d, v);
#define PUT_F32 \
    if (UNLIKELY(u->ftz | u->sat)) \
        finish_f32(u, v); \
    put32(w, u->d, v);
#define PUT_B64 put64(w, u->d, v);
#define PUT_F64 put64(w, u->d, v);
#define PUT_P put_bits(w, u->pd, pack_bits(v));
#define PUT_F32B PUT_B32
#define PUT_F64B PUT_B64
#define PUT_H1 PUT_B32
#define PUT_W1 PUT_B32
#define PUT_H2 PUT_B32
#define PUT_W2 PUT_B32

/* ---- LANE and LANEI rows ---- */

/*
 * A row that rounds has its loop twice, for the usual mode as a constant and for the others: a loop without the other
 * modes vectorises (cvt.s32.f32 takes 14 instead of 19 ns, cvt.f16x2.f32 20 instead of 64). For other rows the
 * condition is a constant, and the second loop not there.
 */
#define LANE(code, id, name, D, A, B, C, class, mods, expr, doc) \
    static enum step exec_##id(struct warp *w, const struct uop *u) { \
        const u32 usual = (mods)&M_RI ? RZERO : RN; \
        const u64 imm = u->imm; \
        ROW_##A(a) ROW_##B(b) ROW_##C(c) RESULT_##D; \
        if (LIKELY(!((mods) & (M_RF | M_RI)) || u->rnd == usual)) { \
            LOOP(D, A, B, C, usual, expr) \
        } else { \
            LOOP(D, A, B, C, u->rnd, expr) \
        } \
        (void)imm; \
        PUT_##D return STEP_NEXT; \
    }
#define LOOP(D, A, B, C, rounding, expr) \
    const u32 rnd = rounding; \
    (void)rnd; \
    for (u32 l = 0; l < W; l++) { \
        GET_##A(a) GET_##B(b) GET_##C(c) SET_##D(expr); \
    }
#define LANEI LANE
#include "isa/isa.def"

#include "sim/arch/exec_memory.h"
#include "sim/arch/exec_warp.h"

/* ---- the table and the loop ---- */

#define LANE(code, id, ...) exec_##id,
#define LANEI(code, id, ...) exec_##id,
#define ATOM(code, id, ...) exec_##id,
#define WARP(code, id, name, format, class, mods, function, ...) exec_##function,
static const exec_fn functions[OP_COUNT] = {
#include "isa/isa.def"
};

/*
 * Runs the warp until it waits, ends, faults or has issued `budget` instructions. Measured on one core (make bench):
 * the loop itself costs about 2 ns an instruction.
 */
static enum step exec_run(struct warp *w, u64 budget) {
    const struct run *run = w->run;
    const struct uop *code = run->code;
    u64 *issues = run->issues, *idle = run->idle;
    for (; budget > 0; budget--) {
        while (UNLIKELY(w->pc == w->reconv))
            warp_pop(w); /* never empties the warp: the lanes of this level wait below */
        u32 pc = w->pc;
        const struct uop *u = &code[pc];
        u64 exec = w->active;
        if (u->guard != PT)
            exec &= w->p[u->guard & PT] ^ (u->guard & PRED_NEG ? ~(u64)0 : 0);
        w->pc = pc + 1;
        w->clock++;
        issues[pc]++;
        if (UNLIKELY(exec != FULL)) {
            idle[pc] += W - popcount64(exec);
            if (!exec)
                continue;
        }
        w->exec = exec;
        enum step step = u->fn(w, u);
        if (UNLIKELY(step != STEP_NEXT))
            return step;
    }
    return STEP_TURN;
}

/* Runs one instruction, with a clock; then w->pc is the next one. */
static enum step exec_step(struct warp *w, const struct uop *u) {
    u64 exec = w->active;
    if (u->guard != PT)
        exec &= w->p[u->guard & PT] ^ (u->guard & PRED_NEG ? ~(u64)0 : 0);
    w->pc++;
    w->exec = exec;
    w->effect->access = ACCESS_NONE;
    w->effect->diverged = 0;
    enum step step = exec ? u->fn(w, u) : STEP_NEXT;
    while (UNLIKELY(w->pc == w->reconv) && step != STEP_DONE && step != STEP_FAULT)
        warp_pop(w);
    return step;
}

#define JOIN(level, width) exec_##level##_w##width
#define NAME(level, width) JOIN(level, width)
extern const struct exec_ops NAME(HEDDLE_LEVEL, HEDDLE_WIDTH);
const struct exec_ops NAME(HEDDLE_LEVEL, HEDDLE_WIDTH) = {exec_run, exec_step, functions};
