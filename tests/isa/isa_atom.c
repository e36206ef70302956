/*
 * Do atomics leave the right value in memory and return the old one? Each ATOM row in each space that has atomics,
 * with addresses of its own for every lane, one for all, and a few shared ones; lanes take effect in lane order.
 */
#include "tests/isa/isa_cases.h"
#include "tests/isa/isa_rig.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum atom_op {
    AT_ADD,
    AT_ADD_F32,
    AT_ADD_F64,
    AT_ADD_F16X2,
    AT_ADD_BF16X2,
    AT_MIN,
    AT_MAX,
    AT_AND,
    AT_OR,
    AT_XOR,
    AT_EXCH,
    AT_CAS,
    AT_INC,
    AT_DEC
};

struct atom_ref {
    u16 op;
    u8 what;
    char type; /* i u f h: 32 bits, signed, unsigned, fp32, two of 16 bits; I U F: 64 bits, the last fp64 */
};

static const struct atom_ref refs[] = {
    {OP_ATOM_ADD_U32, AT_ADD, 'u'},
    {OP_ATOM_ADD_U64, AT_ADD, 'U'},
    {OP_ATOM_ADD_F32, AT_ADD_F32, 'f'},
    {OP_ATOM_MIN_S32, AT_MIN, 'i'},
    {OP_ATOM_MAX_S32, AT_MAX, 'i'},
    {OP_ATOM_MIN_U32, AT_MIN, 'u'},
    {OP_ATOM_MAX_U32, AT_MAX, 'u'},
    {OP_ATOM_MIN_S64, AT_MIN, 'I'},
    {OP_ATOM_MAX_S64, AT_MAX, 'I'},
    {OP_ATOM_MIN_U64, AT_MIN, 'U'},
    {OP_ATOM_MAX_U64, AT_MAX, 'U'},
    {OP_ATOM_AND_B32, AT_AND, 'u'},
    {OP_ATOM_OR_B32, AT_OR, 'u'},
    {OP_ATOM_XOR_B32, AT_XOR, 'u'},
    {OP_ATOM_AND_B64, AT_AND, 'U'},
    {OP_ATOM_OR_B64, AT_OR, 'U'},
    {OP_ATOM_XOR_B64, AT_XOR, 'U'},
    {OP_ATOM_EXCH_B32, AT_EXCH, 'u'},
    {OP_ATOM_EXCH_B64, AT_EXCH, 'U'},
    {OP_ATOM_CAS_B32, AT_CAS, 'u'},
    {OP_ATOM_CAS_B64, AT_CAS, 'U'},
    {OP_RED_ADD_U32, AT_ADD, 'u'},
    {OP_RED_ADD_U64, AT_ADD, 'U'},
    {OP_RED_ADD_F32, AT_ADD_F32, 'f'},
    {OP_RED_MIN_S32, AT_MIN, 'i'},
    {OP_RED_MAX_S32, AT_MAX, 'i'},
    {OP_RED_MIN_U32, AT_MIN, 'u'},
    {OP_RED_MAX_U32, AT_MAX, 'u'},
    {OP_RED_MIN_S64, AT_MIN, 'I'},
    {OP_RED_MAX_S64, AT_MAX, 'I'},
    {OP_RED_MIN_U64, AT_MIN, 'U'},
    {OP_RED_MAX_U64, AT_MAX, 'U'},
    {OP_RED_AND_B32, AT_AND, 'u'},
    {OP_RED_OR_B32, AT_OR, 'u'},
    {OP_RED_XOR_B32, AT_XOR, 'u'},
    {OP_RED_AND_B64, AT_AND, 'U'},
    {OP_RED_OR_B64, AT_OR, 'U'},
    {OP_RED_XOR_B64, AT_XOR, 'U'},
    {OP_ATOM_ADD_F64, AT_ADD_F64, 'F'},
    {OP_ATOM_INC_U32, AT_INC, 'u'},
    {OP_ATOM_DEC_U32, AT_DEC, 'u'},
    {OP_RED_ADD_F64, AT_ADD_F64, 'F'},
    {OP_RED_INC_U32, AT_INC, 'u'},
    {OP_RED_DEC_U32, AT_DEC, 'u'},
    {OP_ATOM_ADD_F16X2, AT_ADD_F16X2, 'h'},
    {OP_ATOM_ADD_BF16X2, AT_ADD_BF16X2, 'h'},
    {OP_RED_ADD_F16X2, AT_ADD_F16X2, 'h'},
    {OP_RED_ADD_BF16X2, AT_ADD_BF16X2, 'h'},
};

static s128 number(u64 v, char type) {
    return type == 'i' ? (s128)(s32)(u32)v : type == 'I' ? (s128)(s64)v : (s128)v;
}

static u64 add_halves(u64 old, u64 b, const struct fmt *format) {
    u64 low = num_pack(num_add(num_unpack(old & 0xffff, format), num_unpack(b & 0xffff, format)), format, RN);
    u64 high = num_pack(num_add(num_unpack(old >> 16, format), num_unpack(b >> 16, format)), format, RN);
    return low | high << 16;
}

static u64 new_value(const struct atom_ref *r, u64 old, u64 b, u64 c) {
    switch ((enum atom_op)r->what) {
    case AT_ADD: return old + b;
    case AT_ADD_F32: return num_pack(num_add(num_unpack(old, &FMT_F32), num_unpack(b, &FMT_F32)), &FMT_F32, RN);
    case AT_ADD_F64: return num_pack(num_add(num_unpack(old, &FMT_F64), num_unpack(b, &FMT_F64)), &FMT_F64, RN);
    case AT_ADD_F16X2: return add_halves(old, b, &FMT_F16);
    case AT_ADD_BF16X2: return add_halves(old, b, &FMT_BF16);
    case AT_INC: return old < b ? old + 1 : 0;
    case AT_DEC: return old == 0 || old > b ? b : old - 1;
    case AT_MIN: return number(b, r->type) < number(old, r->type) ? b : old;
    case AT_MAX: return number(b, r->type) > number(old, r->type) ? b : old;
    case AT_AND: return old & b;
    case AT_OR: return old | b;
    case AT_XOR: return old ^ b;
    case AT_EXCH: return b;
    case AT_CAS: return old == b ? c : old;
    }
    return 0;
}

static bool row_returns(u16 op) {
    return isa_rows[op].operand[0].place == PLACE_D;
}

/* ---- one launch: each block is one warp with cells of its own ---- */

enum { BLOCKS = 48, THREADS_MAX = BLOCKS * 64 };
enum pattern { OWN_CELL, ONE_CELL, FEW_CELLS, REVERSED, PATTERNS };
enum place { IN_GLOBAL, IN_SHARED, IN_GENERIC_GLOBAL, IN_GENERIC_SHARED, PLACES };

static const char *const place_mod[] = {".global", ".shared", "", ".generic"};

struct thread {
    u64 d, b, c; /* r8:r9, r10:r11, r12:r13 */
    u32 cell;    /* of the block */
    u32 guard;
};

struct bench {
    const struct atom_ref *ref;
    u32 width;
    u32 threads;
    bool wide, returns;
    struct thread thread[THREADS_MAX], after[THREADS_MAX];
    u64 memory[THREADS_MAX], want[THREADS_MAX];
};

static bool wide(char type) {
    return type == 'I' || type == 'U' || type == 'F';
}

static u64 pick(char type, u64 *seed) {
    char corner = type == 'U' ? 'I' : type == 'u' ? 'i' : type;
    u64 v, r = rig_random(seed);
    if (r & 1)
        return wide(type) ? rig_random(seed) : (u32)rig_random(seed) >> (r >> 8 & 7);
    if (type == 'h') { /* zeros, infinities, NaNs, subnormals and the largest of both formats */
        static const u16 corner_half[] = {0,      0x8000, 1,      0x8001, 0x03ff, 0x7c00, 0xfc00,
                                          0x7e01, 0x7bff, 0xfbff, 0x007f, 0x7f80, 0xff80, 0x7f81,
                                          0x7f7f, 0xff7f, 0x3c00, 0xbc00, 0x3f80, 0xbf80};
        return corner_half[(r >> 8) % COUNT_OF(corner_half)] | (u64)corner_half[(r >> 40) % COUNT_OF(corner_half)]
                                                                   << 16;
    }
    u32 i = (u32)(r >> 32) % 30;
    return corner_value(corner, i, &v) ? v : 0;
}

static void fill(struct bench *b, enum pattern pattern, u64 seed) {
    for (u32 i = 0; i < b->threads; i++) {
        struct thread *t = &b->thread[i];
        u32 lane = i % b->width;
        t->d = rig_random(&seed);
        t->b = pick(b->ref->type, &seed);
        t->c = pick(b->ref->type, &seed);
        t->cell = pattern == OWN_CELL   ? lane
                  : pattern == ONE_CELL ? 3
                  : pattern == REVERSED ? b->width - 1 - lane
                                        : (u32)rig_random(&seed) % 3;
        t->guard = rig_random(&seed) % 4 != 0;
        b->memory[i] = pick(b->ref->type, &seed);
        /* Compare-and-swap that always differs would test little. */
        if (b->ref->what == AT_CAS && seed % 3)
            t->b = b->memory[i - lane + t->cell % (lane + 1)];
        if (!b->wide)
            b->memory[i] = (u32)b->memory[i] | 0xabcd123400000000;
    }
}

static void expect(struct bench *b, bool over_source) {
    u64 mask = b->wide ? ~(u64)0 : 0xffffffff;
    memcpy(b->want, b->memory, sizeof b->want);
    memcpy(b->after, b->thread, sizeof b->after);
    for (u32 i = 0; i < b->threads; i++) {
        struct thread *t = &b->after[i];
        u64 *cell = &b->want[i / b->width * b->width + t->cell];
        if (!t->guard)
            continue;
        u64 old = *cell & mask, b0 = t->b & mask, c0 = t->c & mask;
        *cell = (*cell & ~mask) | (new_value(b->ref, old, b0, c0) & mask);
        u64 *d = over_source ? &t->b : &t->d;
        if (b->returns)
            *d = (*d & ~mask) | old;
    }
}

static void print_kernel(const struct bench *b, enum place place, bool over_source, struct buf *out) {
    const char *name = isa_rows[b->ref->op].name, *d = over_source ? "r10" : "r8";
    bool shared = place == IN_SHARED || place == IN_GENERIC_SHARED;
    buf_puts(out, ".kernel t\n.param thread : b64[]\n.param memory : b64[]\n.shared cells : b64[64]\n"
                  "s2r r0, %ctaid.x\ns2r r1, %ntid.x\ns2r r2, %tid.x\nmad.lo.s32 r1, r0, r1, rz\nadd.s32 r0, r1, r2\n"
                  "ld.param.b64 r4, [thread]\nmad.wide.u32 r4, r0, 32, r4\n"
                  "ld.global.b64 r8, [r4]\nld.global.b64 r10, [r4+8]\nld.global.b64 r12, [r4+16]\n"
                  "ld.global.b32 r3, [r4+24]\nld.global.b32 r16, [r4+28]\nsetp.ne.s32 p0, r16, 0\n"
                  "ld.param.b64 r6, [memory]\nmad.wide.u32 r18, r0, 8, r6\nmad.wide.u32 r6, r1, 8, r6\n");
    if (shared)
        buf_puts(out, "ld.global.b64 r20, [r18]\nshl.b32 r2, r2, 3\nst.shared.b64 [r2+cells], r20\nbar.warp\n");
    if (place == IN_SHARED)
        buf_puts(out, "shl.b32 r6, r3, 3\nadd.s32 r6, r6, cells\n");
    else if (place == IN_GENERIC_SHARED)
        buf_puts(out, "mov.b32 r6, cells\ncvta.shared r6, r6\nmad.wide.u32 r6, r3, 8, r6\n");
    else
        buf_puts(out, "mad.wide.u32 r6, r3, 8, r6\n");
    buf_printf(out, "add.s%d r6, r6, -16\n", place == IN_SHARED ? 32 : 64);
    buf_printf(out, "@p0 %s%s %s%s[r6+16], r10%s\n", name, place_mod[place], b->returns ? d : "",
               b->returns ? ", " : "", b->ref->what == AT_CAS ? ", r12" : "");
    if (shared)
        buf_puts(out, "bar.warp\nld.shared.b64 r20, [r2+cells]\nst.global.b64 [r18], r20\n");
    buf_puts(out, "st.global.b64 [r4], r8\nst.global.b64 [r4+8], r10\nst.global.b64 [r4+16], r12\nexit\n");
}

static void check(const struct bench *b, const struct rig *r, const struct thread *thread, const u64 *memory,
                  const char *what) {
    const char *name = isa_rows[b->ref->op].name;
    for (u32 i = 0; i < b->threads; i++) {
        const struct thread *got = &thread[i], *want = &b->after[i], *in = &b->thread[i];
        cr_assert(memory[i] == b->want[i],
                  "%s%s, width %u, engine %s, block %u: cell %u held %016" PRIx64 ", must hold %016" PRIx64
                  ", holds %016" PRIx64,
                  name, what, r->width, engine_names[r->engine], i / b->width, i % b->width, b->memory[i], b->want[i],
                  memory[i]);
        cr_assert(got->d == want->d && got->b == want->b && got->c == want->c,
                  "%s%s, width %u, engine %s, block %u, lane %u, d %016" PRIx64 " b %016" PRIx64 " c %016" PRIx64
                  ": d b must be %016" PRIx64 " %016" PRIx64 ", are %016" PRIx64 " %016" PRIx64,
                  name, what, r->width, engine_names[r->engine], i / b->width, i % b->width, in->d, in->b, in->c,
                  want->d, want->b, got->d, got->b);
    }
}

static void test_atom(const struct atom_ref *ref, enum place place, enum pattern pattern, bool over_source) {
    static struct bench b;
    static struct thread thread[THREADS_MAX];
    static u64 memory[THREADS_MAX];
    b.ref = ref;
    b.wide = wide(ref->type);
    b.returns = row_returns(ref->op);
    SCOPED(buf_free) struct buf text = {0};
    print_kernel(&b, place, over_source, &text);
    struct rig r = {.text = text.data, .grid = {BLOCKS}, .buffer = {{"thread", thread, 0}, {"memory", memory, 0}}};
    for (u32 i = 0; rig_next(&i, &r.width, &r.engine);) {
        b.width = r.width;
        b.threads = BLOCKS * r.width;
        fill(&b, pattern, 1000 + r.width);
        expect(&b, over_source);
        memcpy(thread, b.thread, sizeof thread);
        memcpy(memory, b.memory, sizeof memory);
        r.block[0] = r.width;
        r.buffer[0].size = b.threads * sizeof *thread;
        r.buffer[1].size = b.threads * sizeof *memory;
        rig_run(&r);
        check(&b, &r, thread, memory, place_mod[place]);
    }
}

Test(isa_atom, every_row_has_a_reference) {
    for (int op = 0; op < OP_COUNT; op++) {
        bool found = isa_rows[op].kind != ROW_ATOM;
        for (size_t i = 0; i < COUNT_OF(refs); i++)
            found |= refs[i].op == op;
        cr_expect(found, "%s has no reference", isa_rows[op].name);
    }
}

Test(isa_atom, memory_and_old_values) {
    for (size_t i = 0; i < COUNT_OF(refs); i++)
        for (u32 place = 0; place < PLACES; place++)
            for (u32 pattern = 0; pattern < PATTERNS; pattern++)
                test_atom(&refs[i], (enum place)place, (enum pattern)pattern, pattern % 2);
}
