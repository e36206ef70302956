/*
 * Are kernels that differ on rare data only ever called equal? One value of 2^32 of a word makes a number other than it
 * always is, and trials meet it never. Random expressions of that number and another word stand beside themselves with
 * the usual number: they differ, unless both have the same value for all data.
 */
#include <stdarg.h>
#include <string.h>

#include "sim/base/mix.h"
#include "tests/lib/samples.h"
#include "tests/prove/prove_lines.h"

enum { STEPS = 6, FIRST = 2, WORDS = FIRST + STEPS, TRIES = 48, PAIRS = 800 };

static u32 corner(u64 *state) {
    static const u32 corners[] = {0,   1,          2,          3,          4,          31,        32,
                                  255, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
    u64 r = splitmix_next(state);
    return r % 4 == 0 ? (u32)(r >> 8) : r % 4 == 1 ? 1u << (r >> 8 & 31) : corners[(r >> 8) % COUNT_OF(corners)];
}

/* ---- expressions ---- */

enum shape { PLAIN, CHOICE, BRANCH, GUARD };

/* One step: its operands a and b are words before it, or the second a constant; a comparison chooses from c and d. */
struct step {
    u32 row, a, b, c, d, constant;
    bool fixed;
    enum shape shape;
};

/* Instructions, then comparisons. */
static const char *const rows[] = {
    "add.s32", "sub.s32", "mul.lo.s32", "and.b32", "or.b32",  "xor.b32", "shl.b32", "shr.u32",
    "shr.s32", "min.s32", "max.s32",    "min.u32", "max.u32", "lt.s32",  "le.s32",  "gt.s32",
    "ge.s32",  "eq.s32",  "ne.s32",     "lt.u32",  "le.u32",  "gt.u32",  "ge.u32",
};
enum { MUL = 2, SHL = 6, SHR = 8, COMPARISONS = 13 };

static u32 result(u32 row, u32 a, u32 b) {
    s32 x = (s32)a, y = (s32)b;
    switch (row) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return a & b;
    case 4: return a | b;
    case 5: return a ^ b;
    case 6: return a << (b & 31);
    case 7: return a >> (b & 31);
    case 8: return x < 0 ? ~(~a >> (b & 31)) : a >> (b & 31);
    case 9: return x < y ? a : b;
    case 10: return x > y ? a : b;
    case 11: return a < b ? a : b;
    case 12: return a > b ? a : b;
    case 13: return x < y;
    case 14: return x <= y;
    case 15: return x > y;
    case 16: return x >= y;
    case 17: return a == b;
    case 18: return a != b;
    case 19: return a < b;
    case 20: return a <= b;
    case 21: return a > b;
    default: return a >= b;
    }
}

static void add(struct text *t, const char *format, ...) {
    size_t n = strlen(t->kernel);
    va_list list;
    va_start(list, format);
    vsnprintf(t->kernel + n, sizeof t->kernel - n, format, list);
    va_end(list);
}

static void step_text(struct text *t, const struct step *s, u32 k) {
    char b[24];
    snprintf(b, sizeof b, s->fixed ? "%u" : "n%u", s->fixed ? s->constant : s->b);
    if (s->row < COMPARISONS) {
        add(t, " %s n%u, n%u, %s\n", rows[s->row], k, s->a, b);
        return;
    }
    add(t, " setp.%s p, n%u, %s\n", rows[s->row], s->a, b);
    switch (s->shape) {
    case PLAIN: add(t, " mov.b32 n%u, 0\n@p mov.b32 n%u, 1\n", k, k); break;
    case CHOICE: add(t, " sel.b32 n%u, n%u, n%u, p\n", k, s->c, s->d); break;
    case BRANCH: add(t, " mov.b32 n%u, n%u\n@p bra l%u\n mov.b32 n%u, n%u\nl%u:\n", k, s->c, k, k, s->d, k); break;
    case GUARD: add(t, " mov.b32 n%u, n%u\n@!p mov.b32 n%u, n%u\n", k, s->c, k, s->d); break;
    }
}

static u32 value(const struct step *steps, u32 v, u32 rare) {
    u32 n[WORDS] = {v, rare};
    for (u32 k = 0; k < STEPS; k++) {
        const struct step *s = &steps[k];
        u32 r = result(s->row, n[s->a], s->fixed ? s->constant : n[s->b]);
        n[FIRST + k] = s->row < COMPARISONS || s->shape == PLAIN ? r : n[r ? s->c : s->d];
    }
    return n[WORDS - 1];
}

/* Operands are mostly the latest words, so that the rare number arrives; shifts and products are by constants. */
static void steps_make(struct step *steps, u64 *state) {
    for (u32 k = 0; k < STEPS; k++) {
        u32 have = FIRST + k, row = (u32)(splitmix_next(state) % COUNT_OF(rows));
        steps[k] = (struct step){.row = row,
                                 .a = splitmix_next(state) % 3 ? have - 1 : (u32)(splitmix_next(state) % have),
                                 .b = (u32)(splitmix_next(state) % have),
                                 .c = splitmix_next(state) % 2 ? have - 1 : (u32)(splitmix_next(state) % have),
                                 .d = (u32)(splitmix_next(state) % have),
                                 .fixed = (row >= SHL && row <= SHR) || row == MUL || splitmix_next(state) % 2,
                                 .shape = (enum shape)(splitmix_next(state) % 4),
                                 .constant = row >= SHL && row <= SHR ? (u32)splitmix_next(state) & 31 : corner(state)};
    }
}

/* n0 is v; n1 is `usual`, and where a hash of w has one value `rare`. */
static struct text kernel_of(const struct step *steps, u32 rare, u32 usual, u32 hash) {
    struct text t = {
        ".kernel k\n.param x : u32[128]\n.param y : u32[64]\n.reg i, w, n0, n1, n2, n3, n4, n5, n6, n7, px:2, py:2\n"
        ".pred p\n s2r i, %tid.x\n ld.param.b64 px, [x]\n ld.param.b64 py, [y]\n"
        " mad.wide.u32 px, i, 4, px\n mad.wide.u32 py, i, 4, py\n"
        " ld.global.b32 n0, [px]\n ld.global.b32 w, [px+256]\n"};
    add(&t, " mul.lo.s32 w, w, 0x9e3779b1\n shr.u32 i, w, 15\n xor.b32 w, w, i\n mul.lo.s32 w, w, 0x85ebca6b\n");
    add(&t, " setp.eq.s32 p, w, %u\n mov.b32 n1, %u\n@p mov.b32 n1, %u\n", hash, usual, rare);
    for (u32 k = 0; k < STEPS; k++)
        step_text(&t, &steps[k], FIRST + k);
    add(&t, " st.global.b32 [py], n%u\n exit\n", WORDS - 1);
    return t;
}

static struct pair small(const char *a, const char *b) {
    struct pair r = pair_load(a, b);
    r.asked.warp = 8;
    for (u32 i = 0; i < 2; i++)
        r.asked.kernel[i].block[0] = 8, r.asked.kernel[i].block[1] = r.asked.kernel[i].block[2] = 1;
    pair_go(&r);
    cr_assert_eq(r.status, HEDDLE_OK, "%s%s", heddle_error(r.h), a);
    return r;
}

/* Proves the kernel against itself without the rare number; true if it is called equal. */
static bool called_equal(const struct step *steps, u32 rare, u32 usual, u64 *state, bool differs) {
    u32 hash = (u32)splitmix_next(state);
    struct text a = kernel_of(steps, rare, usual, hash), b = kernel_of(steps, usual, usual, hash);
    struct pair r = small(a.kernel, b.kernel);
    bool equal = r.proof.verdict == HEDDLE_EQUAL;
    cr_expect(!differs || !equal, "%s%s", r.proof.text, a.kernel);
    pair_done(&r);
    return equal;
}

Test(prove_rare, no_difference_is_too_rare) {
    u64 state = 1;
    u32 differ = 0, equal = 0;
    for (u32 n = 0; n < rig_samples(PAIRS); n++) {
        struct step steps[STEPS];
        steps_make(steps, &state);
        u32 rare = corner(&state), usual = splitmix_next(&state) % 2 ? 0 : rare ^ 1u << (splitmix_next(&state) & 31);
        bool differs = false;
        for (u32 i = 0; i < TRIES && !differs; i++) {
            u32 v = corner(&state);
            differs = value(steps, v, rare) != value(steps, v, usual);
        }
        differ += differs;
        equal += called_equal(steps, rare, usual, &state, differs);
    }
    cr_expect(differ > rig_samples(PAIRS) / 4 && equal > rig_samples(PAIRS) / 8, "%u differ, %u equal", differ, equal);
}

/* A branch on a number that is known but for one bit, set by rare data. A bit that decides nothing is left out. */
Test(prove_rare, a_rare_bit_decides_comparisons) {
    static const u32 known[] = {0, 1, 0x7fffffff, 0x7ffffffe}, bits[] = {0, 1, 30, 31};
    u64 state = 2;
    for (u32 row = COMPARISONS; row < COUNT_OF(rows); row++)
        for (u32 i = 0; i < COUNT_OF(known) * COUNT_OF(bits); i++)
            for (s32 by = -1; by < 4; by++) {
                u32 usual = known[i % 4], rare = usual ^ 1u << bits[i / 4],
                    edge = (by < 2 ? usual : rare - 2) + (u32)by;
                struct step steps[STEPS] = {{.constant = 1, .fixed = true}, /* n3 is v or v + 1 */
                                            {row, 1, 0, 0, 2, edge, true, BRANCH}};
                for (u32 k = 2; k < STEPS; k++)
                    steps[k] = (struct step){.a = FIRST + k - 1, .fixed = true};
                bool decides = result(row, rare, edge) != result(row, usual, edge);
                cr_expect(called_equal(steps, rare, usual, &state, decides) == !decides, "%s %#x", rows[row], edge);
            }
}
