/*
 * Loads, stores, atomics and fences: part of exec.c (compiled once per width and level).
 *
 * Every access first computes its addresses into w->effect->addr, which is also what the clock will read. The common
 * shapes are then fast: one address for all lanes, and a full warp on consecutive words of one allocation. Everything
 * else is done lane by lane, in lane order; so of several stores to one place the highest lane's stays.
 */

/* A run of bytes that a space's addresses index: [at, at + size). */
struct extent {
    u8 *at;
    u64 size;
};

/*
 * The memory of `space` as lane `l` sees it; *addr becomes an offset into it. An address in no allocation finds size 0.
 */
static struct extent space_extent(struct warp *w, enum space space, u32 l, u64 *addr) {
    const struct run *run = w->run;
    const struct kernel *k = run->launch->kernel;
    const struct allocation *a;
    switch (space) {
    case SPACE_GLOBAL:
        a = w->near;
        if (!a || *addr - a->base >= a->size)
            a = memory_find(run->launch->memory, *addr);
        if (!a)
            return (struct extent){NULL, 0};
        w->near = a;
        *addr -= a->base;
        return (struct extent){a->bytes, a->size};
    case SPACE_SHARED: return (struct extent){w->block->shared, k->shared};
    case SPACE_LOCAL: return (struct extent){w->block->local + (size_t)(w->index * W + l) * k->local, k->local};
    case SPACE_CONST: return (struct extent){run->consts, run->launch->program->const_bytes};
    case SPACE_PARAM: return (struct extent){run->params, k->param_bytes};
    case SPACE_GENERIC:
    case SPACE_COUNT: break;
    }
    BUG("memory of no space");
}

/* Host address of `bytes` bytes at `addr` of lane `l`; NULL after a fault has been recorded. */
static u8 *resolve(struct warp *w, const struct uop *u, u32 l, u32 bytes, bool write) {
    u64 addr = w->effect->addr[l];
    enum space space = u->space;
    if (space == SPACE_GENERIC && (space = space_of_generic(&addr)) == SPACE_COUNT) {
        warp_memory_fault(w, u, FAULT_OUT_OF_BOUNDS, l, SPACE_GENERIC);
        return NULL;
    }
    struct extent e = space_extent(w, space, l, &addr);
    enum fault_kind bad = FAULT_NONE;
    if (write && (space == SPACE_CONST || space == SPACE_PARAM))
        bad = FAULT_READ_ONLY;
    else if (addr >= e.size || e.size - addr < bytes)
        bad = FAULT_OUT_OF_BOUNDS;
    else if (addr & (bytes - 1)) /* allocations begin at multiples of 256, the other spaces at 0 */
        bad = FAULT_MISALIGNED;
    if (UNLIKELY(bad != FAULT_NONE)) {
        warp_memory_fault(w, u, bad, l, space);
        return NULL;
    }
    return e.at + addr;
}

/* Counts the sectors of an access. Not inlined, because only samples count them. */
static NOINLINE void count_sectors(struct warp *w) {
    const u64 *addr = w->effect->addr;
    u32 n = 1;
    for (u32 l = 1; l < W; l++)
        n += (addr[l] >> 5 != addr[l - 1] >> 5) & (u32)(w->exec >> l & 1);
    w->block->sectors += n;
}

static inline void addresses(struct warp *w, const struct uop *u, u32 bytes, enum access access) {
    u64 *addr = w->effect->addr;
    const u32 *a_row = SOURCE(a);
    w->effect->mask = w->exec;
    w->effect->access = (u8)access;
    w->effect->space = u->space;
    w->effect->bytes = (u8)bytes;
    if (u->space == SPACE_GLOBAL || u->space == SPACE_GENERIC)
        for (u32 l = 0; l < W; l++)
            addr[l] = ((u64)a_row[l] | (u64)a_row[l + W] << 32) + u->imm;
    else
        for (u32 l = 0; l < W; l++)
            addr[l] = (u32)(a_row[l] + (u32)u->imm);
    if (UNLIKELY(w->run->counted) && (u->space == SPACE_GLOBAL || u->space == SPACE_GENERIC))
        count_sectors(w);
}

/* True if a full warp touches consecutive elements; then one range check stands for all lanes. */
static inline bool consecutive(const struct warp *w, u32 bytes) {
    const u64 *addr = w->effect->addr;
    u64 first = addr[0], off = 0;
    if (w->exec != FULL)
        return false;
    for (u32 l = 0; l < W; l++)
        off |= addr[l] ^ (first + (u64)l * bytes);
    return off == 0;
}

/*
 * Host address of lane 0 for a full warp on consecutive elements inside one allocation (or the shared memory), else
 * NULL. NULL never means a fault: the lane-by-lane path then finds out.
 */
static inline u8 *span_of(struct warp *w, const struct uop *u, u32 bytes) {
    u64 first = w->effect->addr[0], size = (u64)W * bytes;
    if (!consecutive(w, bytes) || first & (bytes - 1))
        return NULL;
    if (u->space == SPACE_SHARED) {
        u64 have = w->run->launch->kernel->shared;
        return first < have && have - first >= size ? w->block->shared + first : NULL;
    }
    if (u->space != SPACE_GLOBAL)
        return NULL;
    const struct allocation *a = w->near;
    if (!a || first - a->base >= a->size) {
        a = memory_find(w->run->launch->memory, first);
        if (!a)
            return NULL;
        w->near = a;
    }
    return a->size - (first - a->base) >= size ? a->bytes + (first - a->base) : NULL;
}

/*
 * Host address of shared memory or of the one allocation that all lanes of a full warp access, in whatever order; its
 * own address is *origin. NULL, never a fault by itself, if there is none, or not all lanes are in bounds and aligned.
 * One check for all lanes: resolving them one by one was a fifth of a tiled matrix multiply.
 */
static inline u8 *field_of(struct warp *w, const struct uop *u, u32 bytes, u64 *origin) {
    const u64 *addr = w->effect->addr;
    u64 size, off = 0, far = 0;
    u8 *at;
    if (w->exec != FULL)
        return NULL;
    if (u->space == SPACE_SHARED) {
        *origin = 0;
        size = w->run->launch->kernel->shared;
        at = w->block->shared;
    } else if (u->space == SPACE_GLOBAL && w->near) {
        *origin = w->near->base;
        size = w->near->size;
        at = w->near->bytes;
    } else {
        return NULL;
    }
    if (size < bytes)
        return NULL;
    for (u32 l = 0; l < W; l++) {
        u64 place = addr[l] - *origin;
        off |= place & (bytes - 1);
        far |= place > size - bytes;
    }
    return off | far ? NULL : at;
}

static inline u32 extended(const u8 *p, enum mtype type) {
    u16 half;
    switch (type) {
    case MT_U8: return *p;
    case MT_S8: return (u32)(s32)(s8)*p;
    case MT_U16: memcpy(&half, p, sizeof half); return half;
    case MT_S16: memcpy(&half, p, sizeof half); return (u32)(s32)(s16)half;
    case MT_B32: /* have words of their own */
    case MT_B64:
    case MT_B128: break;
    }
    return 0;
}

/* Words of all lanes, whose elements lie side by side from p on: v[word][lane]. */
static inline void gather_span(const u8 *p, enum mtype type, u32 words, u32 v[4][W]) {
    if (words == 1 && type == MT_B32) {
        memcpy(v[0], p, sizeof v[0]);
    } else if (words == 1) {
        u32 bytes = type == MT_U8 || type == MT_S8 ? 1 : 2;
        for (u32 l = 0; l < W; l++)
            v[0][l] = extended(p + l * bytes, type);
    } else {
        for (u32 l = 0; l < W; l++)
            for (u32 k = 0; k < words; k++)
                memcpy(&v[k][l], p + (l * words + k) * 4, 4);
    }
}

/* Gathers for lanes anywhere in a field. */
static inline void gather_field(const u8 *p, const u64 *addr, u64 origin, const struct uop *u, u32 v[4][W]) {
    u32 words = u->words;
    if (words == 1 && u->bytes < 4)
        for (u32 l = 0; l < W; l++)
            v[0][l] = extended(p + (addr[l] - origin), u->mtype);
    else if (words == 1)
        for (u32 l = 0; l < W; l++)
            memcpy(&v[0][l], p + (addr[l] - origin), 4);
    else
        for (u32 l = 0; l < W; l++)
            for (u32 k = 0; k < words; k++)
                memcpy(&v[k][l], p + (addr[l] - origin) + 4 * k, 4);
}

/* Reads the value at the one address of all lanes; false after a fault. */
static inline bool gather_fixed(struct warp *w, const struct uop *u, u32 v[4][W]) {
    u32 bytes = u->bytes, words = u->words, first = (u32)first_lane(w->exec), word[4];
    const u8 *p = resolve(w, u, first, bytes, false);
    if (!p)
        return false;
    if (bytes < 4)
        word[0] = extended(p, u->mtype);
    else
        memcpy(word, p, bytes);
    for (u32 k = 0; k < words; k++)
        for (u32 l = 0; l < W; l++)
            v[k][l] = word[k];
    return true;
}

/* Reads lane by lane; false after a fault. */
static inline bool gather_lanes(struct warp *w, const struct uop *u, u32 v[4][W]) {
    u32 bytes = u->bytes, words = u->words;
    for (u64 left = w->exec; left; left &= left - 1) {
        u32 l = (u32)first_lane(left);
        const u8 *p = resolve(w, u, l, bytes, false);
        if (!p)
            return false;
        if (bytes < 4)
            v[0][l] = extended(p, u->mtype);
        else
            for (u32 k = 0; k < words; k++)
                memcpy(&v[k][l], p + 4 * k, 4);
    }
    return true;
}

/* ---- with a clock: global memory is changed by the partitions, later ---- */

/* Lanes whose access to global memory is not performed now; none without a clock. */
static inline u64 later_lanes(const struct warp *w, const struct uop *u) {
    if (LIKELY(w->run->writes == NULL) || (u->space != SPACE_GLOBAL && u->space != SPACE_GENERIC))
        return 0;
    if (u->space == SPACE_GLOBAL)
        return w->exec;
    u64 lanes = 0;
    for (u64 left = w->exec; left; left &= left - 1) {
        u32 l = (u32)first_lane(left);
        lanes |= (u64)(w->effect->addr[l] < WINDOW_SHARED) << l;
    }
    return lanes;
}

/* Puts what the SM itself has stored, and L2 lacks, over a loaded lane; false if an atomic is in flight there. */
static bool forward_lane(const struct writes *writes, const struct uop *u, u64 addr, u32 v[4][W], u32 l) {
    const struct pending_line *p = writes_find(writes, addr & ~(u64)(CHUNK_BYTES - 1));
    if (!p)
        return true;
    u32 offset = (u32)addr & (CHUNK_BYTES - 1);
    u64 own = p->bytes[offset / 64] >> offset % 64;
    if (p->atomics)
        return false;
    if (!(own & ((1u << u->bytes) - 1)))
        return true;
    if (u->bytes < 4) { /* extended already: back to bytes, aligned, so all of them are in this line */
        u8 raw[2] = {(u8)v[0][l], (u8)(v[0][l] >> 8)};
        for (u32 k = 0; k < sizeof raw; k++)
            if (k < u->bytes && own >> k & 1)
                raw[k] = p->data[offset + k];
        v[0][l] = extended(raw, u->mtype);
        return true;
    }
    for (u32 k = 0; k < u->bytes; k++)
        if (own >> k & 1) {
            u32 shift = k % 4 * 8;
            v[k / 4][l] = (v[k / 4][l] & ~(0xffu << shift)) | (u32)p->data[offset + k] << shift;
        }
    return true;
}

/* True if a pending line may concern the access. Neighbouring lanes search few lines. */
static bool forwarding(const struct warp *w, u64 lanes, u32 bytes) {
    const struct writes *writes = w->run->writes;
    const u64 *addr = w->effect->addr, mask = ~(u64)(CHUNK_BYTES - 1);
    if (writes->count == 0)
        return false;
    u64 last = PENDING_NONE;
    if (lanes == FULL && addr[W - 1] - addr[0] == (u64)(W - 1) * bytes && consecutive(w, bytes)) {
        for (u64 line = addr[0] & mask; line <= addr[W - 1]; line += CHUNK_BYTES)
            if (writes_find(writes, line))
                return true;
        return false;
    }
    for (u64 left = lanes; left; left &= left - 1) {
        u64 line = addr[first_lane(left)] & mask;
        if (line != last && writes_find(writes, line))
            return true;
        last = line;
    }
    return false;
}

/*
 * The global lanes of a load that has been read from memory: with the SM's own stores, or (false) to be performed at
 * L2, because the load requests it or an atomic of the SM is in flight to there.
 */
static bool load_now(struct warp *w, const struct uop *u, u64 lanes, u32 v[4][W]) {
    bool now = !u->sync;
    if (now && forwarding(w, lanes, u->bytes))
        for (u64 left = lanes; left && now; left &= left - 1) {
            u32 l = (u32)first_lane(left);
            now = forward_lane(w->run->writes, u, w->effect->addr[l], v, l);
        }
    if (now)
        return true;
    w->effect->access = ACCESS_SYNC;
    w->effect->span = NULL;
    for (u64 left = lanes; left; left &= left - 1) {
        u32 l = (u32)first_lane(left);
        w->effect->host[l] = resolve(w, u, l, u->bytes, false); /* checked before: not NULL */
    }
    return false;
}

static enum step exec_load(struct warp *w, const struct uop *u) {
    u32 bytes = u->bytes, words = u->words;
    u32 v[4][W];
    addresses(w, u, bytes, ACCESS_LOAD);
    const u8 *p;
    u64 origin = 0;
    if (u->fixed && u->space != SPACE_LOCAL) {
        if (!gather_fixed(w, u, v))
            return STEP_FAULT;
    } else if ((p = span_of(w, u, bytes)) != NULL) {
        gather_span(p, u->mtype, words, v);
    } else if ((p = field_of(w, u, bytes, &origin)) != NULL) {
        gather_field(p, w->effect->addr, origin, u, v);
    } else if (!gather_lanes(w, u, v)) {
        return STEP_FAULT;
    }
    const u64 exec = w->exec, later = later_lanes(w, u);
    if (UNLIKELY(later != 0) && !load_now(w, u, later, v))
        w->exec &= ~later;
    for (u32 k = 0; k < words; k++)
        put32(w, u->d + k * W, v[k]);
    w->exec = exec;
    return STEP_NEXT;
}

static enum step exec_store(struct warp *w, const struct uop *u) {
    u32 bytes = u->bytes, words = u->words;
    const u32 *b_row = SOURCE(b);
    addresses(w, u, bytes, ACCESS_STORE);
    u8 *p = span_of(w, u, bytes);
    const u64 later = later_lanes(w, u);
    if (p && bytes == 4 && LIKELY(!later)) {
        memcpy(p, b_row, W * sizeof *b_row);
        return STEP_NEXT;
    }
    w->effect->b = b_row;
    w->effect->span = p;
    if (p && later == FULL)
        return STEP_NEXT;
    /* Every lane is checked before the first byte is written: a faulting instruction changes nothing. */
    u8 *at[W];
    u64 origin = 0;
    u8 *field = p ? NULL : field_of(w, u, bytes, &origin);
    for (u64 left = w->exec; left; left &= left - 1) {
        u32 l = (u32)first_lane(left);
        at[l] = p ? p + l * bytes : field ? field + (w->effect->addr[l] - origin) : resolve(w, u, l, bytes, true);
        if (!at[l])
            return STEP_FAULT;
    }
    for (u64 left = later; left; left &= left - 1)
        w->effect->host[first_lane(left)] = at[first_lane(left)];
    for (u64 left = w->exec & ~later; left; left &= left - 1) {
        u32 l = (u32)first_lane(left);
        for (u32 k = 0; k < words; k++)
            memcpy(at[l] + 4 * k, &b_row[l + k * W], bytes < 4 ? bytes : 4);
    }
    return STEP_NEXT;
}

static inline u64 word_of(const u32 *row, u32 l, u32 bytes) {
    return bytes == 8 ? (u64)row[l] | (u64)row[l + W] << 32 : row[l];
}

/* Finds the word of each lane; false after a fault, as in local memory, which no other lane sees. */
static inline bool atomic_places(struct warp *w, const struct uop *u, u32 bytes, u8 *at[W]) {
    for (u64 left = w->exec; left; left &= left - 1) {
        u32 l = (u32)first_lane(left);
        u64 addr = w->effect->addr[l];
        bool local = u->space == SPACE_LOCAL || (u->space == SPACE_GENERIC && addr >> 40 == WINDOW_LOCAL >> 40);
        if (local)
            warp_memory_fault(w, u, FAULT_BAD_SPACE, l, SPACE_LOCAL);
        at[l] = local ? NULL : resolve(w, u, l, bytes, true);
        if (!at[l])
            return false;
    }
    return true;
}

static enum step atomic(struct warp *w, const struct uop *u, atom_fn fn, u32 bytes) {
    const u32 *b_row = SOURCE(b), *c_row = SOURCE(c);
    u8 *at[W];
    u64 v[W] = {0};
    addresses(w, u, bytes, ACCESS_ATOMIC);
    if (!atomic_places(w, u, bytes, at))
        return STEP_FAULT;
    const u64 exec = w->exec, later = later_lanes(w, u);
    if (UNLIKELY(later != 0)) {
        w->effect->span = NULL;
        w->effect->b = b_row;
        w->effect->c = c_row;
        w->effect->fn = fn;
        for (u64 left = later; left; left &= left - 1)
            w->effect->host[first_lane(left)] = at[first_lane(left)];
        w->exec &= ~later;
    }
    for (u64 left = w->exec; left; left &= left - 1) {
        u32 l = (u32)first_lane(left);
        u64 old = 0;
        memcpy(&old, at[l], bytes);
        u64 new = fn(old, word_of(b_row, l, bytes), word_of(c_row, l, bytes));
        memcpy(at[l], &new, bytes);
        v[l] = old;
    }
    if (bytes == 8) {
        put64(w, u->d, v);
    } else {
        u32 low[W];
        for (u32 l = 0; l < W; l++)
            low[l] = (u32)v[l];
        put32(w, u->d, low);
    }
    w->exec = exec;
    return STEP_NEXT;
}

#define WORD_ATOM32 u32
#define WORD_ATOM64 u64
#define WORD_CAS32 u32
#define WORD_CAS64 u64
#define WORD_RED32 u32
#define WORD_RED64 u64
#define ATOM(code, id, name, format, class, mods, expr, doc) \
    static u64 value_##id(u64 old_bits, u64 b_bits, u64 c_bits) { \
        const WORD_##format old = (WORD_##format)old_bits, b = (WORD_##format)b_bits, c = (WORD_##format)c_bits; \
        (void)old; \
        (void)c; \
        return (u64)(expr); \
    } \
    static enum step exec_##id(struct warp *w, const struct uop *u) { \
        return atomic(w, u, value_##id, sizeof(WORD_##format)); \
    }
#include "isa/isa.def"

/* Does nothing: without a clock every access is performed when it is issued, so they are in order. */
static enum step exec_fence(struct warp *w, const struct uop *u) {
    (void)w;
    (void)u;
    return STEP_NEXT;
}
