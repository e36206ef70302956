/*
 * Instructions that need the whole warp: special registers, shuffles, votes, transit registers, matrix products,
 * barriers, control flow. Part of exec.c (compiled once per width and level).
 */

/* ---- special registers ---- */

static inline u32 thread_index(const struct warp *w, u32 lane) {
    return w->index * W + lane;
}

static inline u32 tid_x(const struct warp *w, u32 lane) {
    return w->run->flat ? thread_index(w, lane) : thread_index(w, lane) % w->run->block_dim[0];
}

static inline u32 tid_y(const struct warp *w, u32 lane) {
    return w->run->flat ? 0 : thread_index(w, lane) / w->run->block_dim[0] % w->run->block_dim[1];
}

static inline u32 tid_z(const struct warp *w, u32 lane) {
    return w->run->flat ? 0 : thread_index(w, lane) / w->run->block_dim[0] / w->run->block_dim[1];
}

static void special(const struct warp *w, u32 which, u64 v[W]) {
    const struct run *cx = w->run;
    const struct block *b = w->block;
    switch (which) {
#define SREG(id, name, bits, by, expr, doc) \
    case SREG_##id: \
        for (u32 lane = 0; lane < W; lane++) \
            v[lane] = (u64)(expr); \
        break;
#include "isa/sregs.def"
    default: BUG("unknown special register");
    }
}

static enum step exec_s2r64(struct warp *w, const struct uop *u) {
    u64 v[W];
    special(w, u->na, v);
    put64(w, u->d, v);
    return STEP_NEXT;
}

static enum step exec_s2r(struct warp *w, const struct uop *u) {
    u64 v[W];
    u32 low[W];
    special(w, u->na, v);
    for (u32 l = 0; l < W; l++)
        low[l] = (u32)v[l];
    put32(w, u->d, low);
    return STEP_NEXT;
}

/* ---- shuffles ---- */

/*
 * The member mask: every lane that executes must name exactly the lanes that execute. Names beyond the warp are
 * ignored, so that -1 means everyone at every width.
 */
static bool members_ok(struct warp *w, const struct uop *u) {
    if (!u->masked)
        return true;
    const u32 *c_row = SOURCE(c);
    for (u64 left = w->exec; left; left &= left - 1) {
        u32 l = (u32)first_lane(left);
        u64 named = word_of(c_row, l, 8) & FULL;
        if (named != w->exec && w->run->launch->hardware && !(w->exec & ~named)) {
            warp_lenient(w, LENIENT_MASK);
            return true;
        }
        if (named != w->exec) {
            u64 odd = named ^ w->exec;
            u32 who = (u32)first_lane(odd);
            warp_fault(w, u, FAULT_INACTIVE_LANE, l,
                       named >> who & 1 ? "its member mask 0x%llx names lane %u, which is not active here"
                                        : "its member mask 0x%llx leaves out lane %u, which is active here",
                       (unsigned long long)named, who);
            return false;
        }
    }
    return true;
}

/* By the hardware's rules: a lane that reads one that is not active gets its own value. */
static enum step shuffle_own(struct warp *w, const struct uop *u, const u32 from[W], const u8 inside[W]) {
    u32 v[W];
    const u32 *a_row = SOURCE(a);
    warp_lenient(w, LENIENT_SHUFFLE);
    for (u32 l = 0; l < W; l++)
        v[l] = a_row[w->exec >> (from[l] & (W - 1)) & 1 ? from[l] & (W - 1) : l];
    put_bits(w, u->pd, pack_bits(inside));
    put32(w, u->d, v);
    return STEP_NEXT;
}

static enum step shuffle(struct warp *w, const struct uop *u, const u32 from[W], const u8 inside[W]) {
    u32 v[W];
    const u32 *a_row = SOURCE(a);
    if (!members_ok(w, u))
        return STEP_FAULT;
    if (w->exec != FULL)
        for (u64 left = w->exec; left; left &= left - 1) {
            u32 l = (u32)first_lane(left);
            if (!(w->exec >> from[l] & 1) && w->run->launch->hardware)
                return shuffle_own(w, u, from, inside);
            if (!(w->exec >> from[l] & 1))
                return warp_fault(w, u, FAULT_INACTIVE_LANE, l, "it reads lane %u, which is not active here", from[l]);
        }
    for (u32 l = 0; l < W; l++)
        v[l] = a_row[from[l] & (W - 1)];
    put_bits(w, u->pd, pack_bits(inside));
    put32(w, u->d, v);
    return STEP_NEXT;
}

/*
 * SHUFFLE(name, source lane within the segment, whether there is such a lane); s = segment width, i = lane within it.
 */
#define SHUFFLE(name, source, exists) \
    static enum step exec_shfl_##name(struct warp *w, const struct uop *u) { \
        const u32 *b_row = SOURCE(b); \
        const u32 s = u->seg && 1u << u->seg < W ? 1u << u->seg : W; \
        u32 from[W]; \
        u8 inside[W]; \
        for (u32 l = 0; l < W; l++) { \
            const u32 i = l & (s - 1), b = b_row[l]; \
            const bool ok = (exists); \
            inside[l] = ok; \
            from[l] = ok ? (l & ~(s - 1)) + (source) : l; \
        } \
        return shuffle(w, u, from, inside); \
    }
SHUFFLE(up, i - b, b <= i)
SHUFFLE(down, i + b, b < s - i)
SHUFFLE(bfly, i ^ b, (i ^ b) < s)

static enum step exec_shfl_idx(struct warp *w, const struct uop *u) {
    const u32 *b_row = SOURCE(b);
    const u32 s = u->seg && 1u << u->seg < W ? 1u << u->seg : W;
    u32 from[W];
    u8 inside[W];
    for (u32 l = 0; l < W; l++) {
        inside[l] = b_row[l] < s;
        from[l] = (l & ~(s - 1)) + (b_row[l] & (s - 1));
    }
    return shuffle(w, u, from, inside);
}

/* SHUFFLE_CLAMPED(name, instruction): segments by register, see isa/shuffle.h */
#define SHUFFLE_CLAMPED(name, op) \
    static enum step exec_shfl_##name##_clamp(struct warp *w, const struct uop *u) { \
        const u32 *b_row = SOURCE(b), *c_row = SOURCE(c); \
        u32 from[W]; \
        u8 inside[W]; \
        for (u32 l = 0; l < W; l++) { \
            bool exists; \
            from[l] = shuffle_clamped((struct shuffle_clamped){op, W, l, b_row[l], c_row[l]}, &exists); \
            inside[l] = exists; \
        } \
        return shuffle(w, u, from, inside); \
    }
SHUFFLE_CLAMPED(idx, OP_SHFL_IDX_CLAMP_B32)
SHUFFLE_CLAMPED(up, OP_SHFL_UP_CLAMP_B32)
SHUFFLE_CLAMPED(down, OP_SHFL_DOWN_CLAMP_B32)
SHUFFLE_CLAMPED(bfly, OP_SHFL_BFLY_CLAMP_B32)

/* ---- votes, matches, reductions ---- */

#define VOTE(id, result) \
    static enum step exec_vote_##id(struct warp *w, const struct uop *u) { \
        u64 held = pred_bits(w, u->pa); \
        const u32 yes = held & w->exec ? UINT32_MAX : 0, no = ~held & w->exec ? UINT32_MAX : 0; \
        (void)yes, (void)no; \
        if (!members_ok(w, u)) \
            return STEP_FAULT; \
        put_bits(w, u->pd, (result)&1 ? FULL : 0); \
        return STEP_NEXT; \
    }
#include "isa/laws.def"

static void put_all64(struct warp *w, const struct uop *u, u64 value) {
    u64 v[W];
    for (u32 l = 0; l < W; l++)
        v[l] = value;
    put64(w, u->d, v);
}

static void put_all32(struct warp *w, const struct uop *u, u32 value) {
    u32 v[W];
    for (u32 l = 0; l < W; l++)
        v[l] = value;
    put32(w, u->d, v);
}

static enum step exec_ballot32(struct warp *w, const struct uop *u) {
    if (!members_ok(w, u))
        return STEP_FAULT;
    put_all32(w, u, (u32)(pred_bits(w, u->pa) & w->exec));
    return STEP_NEXT;
}

static enum step exec_ballot64(struct warp *w, const struct uop *u) {
    if (!members_ok(w, u))
        return STEP_FAULT;
    put_all64(w, u, pred_bits(w, u->pa) & w->exec);
    return STEP_NEXT;
}

static enum step exec_elect(struct warp *w, const struct uop *u) {
    const u32 chosen = (u32)first_lane(w->exec);
    if (!members_ok(w, u))
        return STEP_FAULT;
    put_bits(w, u->pd, (u64)1 << chosen);
    put_all32(w, u, chosen);
    return STEP_NEXT;
}

static enum step match_any(struct warp *w, const struct uop *u, u32 bytes) {
    const u32 *a_row = SOURCE(a);
    u64 v[W] = {0};
    if (!members_ok(w, u))
        return STEP_FAULT;
    for (u64 left = w->exec; left; left &= left - 1) {
        u32 l = (u32)first_lane(left);
        for (u32 k = 0; k < W; k++)
            v[l] |= (u64)(word_of(a_row, k, bytes) == word_of(a_row, l, bytes)) << k;
        v[l] &= w->exec;
    }
    put64(w, u->d, v);
    return STEP_NEXT;
}

static enum step match_all(struct warp *w, const struct uop *u, u32 bytes) {
    const u32 *a_row = SOURCE(a);
    if (!members_ok(w, u))
        return STEP_FAULT;
    u64 first = word_of(a_row, (u32)first_lane(w->exec), bytes);
    bool same = true;
    for (u64 left = w->exec; left; left &= left - 1)
        same &= word_of(a_row, (u32)first_lane(left), bytes) == first;
    put_bits(w, u->pd, same ? FULL : 0);
    put_all64(w, u, same ? w->exec : 0);
    return STEP_NEXT;
}

static enum step exec_match_any32(struct warp *w, const struct uop *u) {
    return match_any(w, u, 4);
}

static enum step exec_match_any64(struct warp *w, const struct uop *u) {
    return match_any(w, u, 8);
}

static enum step exec_match_all32(struct warp *w, const struct uop *u) {
    return match_all(w, u, 4);
}

static enum step exec_match_all64(struct warp *w, const struct uop *u) {
    return match_all(w, u, 8);
}

#define REDUX(id, lane, type, join) \
    static enum step exec_redux_##id(struct warp *w, const struct uop *u) { \
        const u32 *a_row = SOURCE(a); \
        if (!members_ok(w, u)) \
            return STEP_FAULT; \
        u64 left = w->exec; \
        type sum = (type)a_row[first_lane(left)]; \
        for (left &= left - 1; left; left &= left - 1) { \
            const type a = (type)a_row[first_lane(left)]; \
            sum = (join); \
        } \
        put_all32(w, u, (u32)sum); \
        return STEP_NEXT; \
    }
#define REDUXF(id, lane, join, start, bits) \
    static enum step exec_redux_##id(struct warp *w, const struct uop *u) { \
        const u32 *a_row = SOURCE(a); \
        float sum = bits_f32(start); \
        if (!members_ok(w, u)) \
            return STEP_FAULT; \
        for (u64 left = w->exec; left; left &= left - 1) \
            sum = join(sum, bits_f32(a_row[first_lane(left)] & (bits))); \
        put_all32(w, u, canon_f32(sum)); \
        return STEP_NEXT; \
    }
#include "isa/laws.def"

/* ---- transit registers ---- */

static bool whole_warp(struct warp *w, const struct uop *u, const char *who) {
    if (w->exec == FULL)
        return true;
    u32 missing = (u32)first_lane(~w->exec);
    warp_fault(w, u, FAULT_PARTIAL_WARP, missing, "%s need all %u lanes of the warp, and lane %u is not active here",
               who, (u32)W, missing);
    return false;
}

static enum step exec_xpush(struct warp *w, const struct uop *u) {
    if (!whole_warp(w, u, "transit registers"))
        return STEP_FAULT;
    u32 *x = w->x + (size_t)u->nd * TRANSIT_SLOTS * W;
    memmove(x, x + W, (TRANSIT_SLOTS - 1) * W * sizeof *x);
    memcpy(x + (TRANSIT_SLOTS - 1) * W, SOURCE(a), W * sizeof *x);
    return STEP_NEXT;
}

/*
 * The four slots of W values each form an array of 8 rows and 2k columns, k = W/4: slot 0 top left, 1 top right, 2
 * bottom left, 3 bottom right, a slot's values row by row. Phase f = 2 * row parity + column parity picks every second
 * row and column, read row by row.
 */
static enum step exec_xext(struct warp *w, const struct uop *u) {
    if (!whole_warp(w, u, "transit registers"))
        return STEP_FAULT;
    enum { K = W / 4 };
    const u32 *array = w->x + (size_t)u->na * TRANSIT_SLOTS * W;
    const u32 row_parity = u->nb >> 1 & 1u, col_parity = u->nb & 1u;
    u32 v[W];
    for (u32 l = 0; l < W; l++) {
        u32 row = 2 * (l / K) + row_parity, col = 2 * (l % K) + col_parity;
        u32 slot = (row >= 4 ? 2u : 0u) + (col >= K ? 1u : 0u);
        v[l] = array[slot * W + (row % 4) * K + col % K];
    }
    put32(w, u->d, v);
    return STEP_NEXT;
}

/* ---- matrix products: shapes and layouts are those of isa/shapes.h ---- */

/* Index of an element in the warp's cells: the matrices of all products beside one another, column by column. */
static ALWAYS_INLINE u32 cell_index(const struct isa_matrix *m, u32 lanes, u32 lane, u32 element) {
    struct cell at = m->cell(lane % lanes, element);
    return at.column * (W / lanes * m->rows) + (lane / lanes * m->rows + at.row);
}

static ALWAYS_INLINE void load_elements(const u32 *row, const struct isa_matrix *m, u32 lanes, float (*value)(u32 bits),
                                        float to[MMA_ELEMENTS * W]) {
    for (u32 e = 0; e < m->elements; e++) {
        float v[W]; /* first converted, which vectorises, then scattered */
        for (u32 l = 0; l < W; l++)
            v[l] = value(matrix_bits(m, row[matrix_register(m, e) * W + l], e));
        for (u32 l = 0; l < W; l++)
            to[cell_index(m, lanes, l, e)] = v[l];
    }
}

/* Compiled for each row of isa/shapes.def. A step of eight sums multiplies rows of a column of A by one number of B. */
static ALWAYS_INLINE enum step matrix_product(struct warp *w, const struct uop *u, const struct isa_shape *s,
                                              float (*value)(u32 bits), float (*join)(float a, float b, float sum)) {
    const u32 *c_row = SOURCE(c), m = s->c.rows, k = s->a.columns, products = W / s->lanes;
    float a[MMA_ELEMENTS * W], b[MMA_ELEMENTS * W], c[MMA_ELEMENTS * W];
    u32 v[MMA_ELEMENTS][W];
    if (W < s->lanes)
        return warp_fault(w, u, FAULT_PARTIAL_WARP, first_lane(w->exec),
                          "%s is a product of %u lanes, and the warp has %u", s->name, s->lanes, (u32)W);
    if (!whole_warp(w, u, "matrix instructions"))
        return STEP_FAULT;
    load_elements(SOURCE(a), &s->a, s->lanes, value, a);
    load_elements(SOURCE(b), &s->b, s->lanes, value, b);
    for (u32 e = 0; e < s->c.elements; e++)
        for (u32 l = 0; l < W; l++)
            c[cell_index(&s->c, s->lanes, l, e)] = bits_f32(c_row[e * W + l]);
    for (u32 at = 0; at < s->c.columns * products; at++)
        for (u32 first = 0; first < m; first += MMA_ROWS) {
            const float *rows = &a[at % products * m + first];
            float sum[MMA_ROWS];
            for (u32 i = 0; i < MMA_ROWS; i++)
                sum[i] = c[at * m + first + i];
            for (u32 step = 0; step < k; step++)
#pragma GCC unroll 1 /* gcc 12 would unroll it before it could vectorise it: m16n8k16 took twice as long */
                for (u32 i = 0; i < MMA_ROWS; i++)
                    sum[i] = join(rows[step * products * m + i], b[at * k + step], sum[i]);
            for (u32 i = 0; i < MMA_ROWS; i++)
                c[at * m + first + i] = sum[i];
        }
    for (u32 e = 0; e < s->c.elements; e++)
        for (u32 l = 0; l < W; l++)
            v[e][l] = canon_f32(c[cell_index(&s->c, s->lanes, l, e)]);
    for (u32 e = 0; e < s->c.elements; e++)
        put32(w, u->d + e * W, v[e]);
    return STEP_NEXT;
}

/* Products of two fp16 are exact in fp32, so that this rounds once; those of the others may lie outside its range. */
static inline float join_F16(float a, float b, float sum) {
    return a * b + sum;
}
static inline float join_BF16(float a, float b, float sum) {
    return fma_f32(a, b, sum);
}
#define join_TF32 join_BF16
#define VALUE_F16 f16_value
#define VALUE_BF16 bf16_value
#define VALUE_TF32 bits_f32
#define PRODUCT(code, id, name, format, shape, type, operation, doc) \
    static enum step exec_mma_##shape##_##type(struct warp *w, const struct uop *u) { \
        return matrix_product(w, u, &isa_shapes[SHAPE_##shape], VALUE_##type, join_##type); \
    }
#include "isa/shapes.def"

/* ---- barriers ---- */

static enum step barrier(struct warp *w, const struct uop *u, bool wait) {
    u32 threads = 0;
    if (u->counted) {
        const u32 *b_row = SOURCE(b);
        threads = b_row[first_lane(w->exec)];
        for (u64 left = w->exec; left; left &= left - 1)
            if (b_row[first_lane(left)] != threads)
                return warp_fault(w, u, FAULT_BARRIER, (u32)first_lane(left),
                                  "the lanes of the warp disagree about the number of threads: %u and %u",
                                  b_row[first_lane(left)], threads);
    }
    return barrier_arrive(w, u, threads, wait);
}

static enum step exec_bar_sync(struct warp *w, const struct uop *u) {
    return barrier(w, u, true);
}

static enum step exec_bar_arrive(struct warp *w, const struct uop *u) {
    return barrier(w, u, false);
}

static enum step exec_bar_warp(struct warp *w, const struct uop *u) {
    return members_ok(w, u) ? STEP_NEXT : STEP_FAULT;
}

/* ---- control flow ---- */

static enum step exec_bra(struct warp *w, const struct uop *u) {
    if (LIKELY(w->exec == w->active)) {
        w->pc = (u32)u->imm;
        return STEP_NEXT;
    }
    return warp_diverge(w, u, w->exec);
}

static enum step exec_call(struct warp *w, const struct uop *u) {
    return warp_call(w, u);
}

static enum step exec_ret(struct warp *w, const struct uop *u) {
    (void)u;
    return warp_return(w);
}

static enum step exec_exit(struct warp *w, const struct uop *u) {
    (void)u;
    return warp_exit_lanes(w, w->exec);
}

static enum step exec_trap(struct warp *w, const struct uop *u) {
    const char *message = u->imm ? w->run->launch->program->message[u->imm - 1] : "a trap instruction was reached";
    return warp_fault(w, u, FAULT_TRAP, (u32)first_lane(w->exec), "%s", message);
}

static enum step exec_nop(struct warp *w, const struct uop *u) {
    (void)w;
    (void)u;
    return STEP_NEXT;
}

static enum step exec_print(struct warp *w, const struct uop *u) {
    const u32 *const value[] = {SOURCE(a), SOURCE(b), SOURCE(c)};
    if (w->run->printed)
        printed_warp(w->run->printed, w, u, value);
    return STEP_NEXT;
}
