/*
 * Does the checker of unwritten values know of each byte of registers and memory, in each lane, whether it is written?
 * Random programs only move bytes. The truth is the machine's: runs that begin with zeros and with ones in all that is
 * unwritten differ in exactly what depends on it.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "sim/check/check.h"
#include "tests/lib/launch.h"
#include "tests/lib/program_text.h"
#include "tests/lib/random.h"
#include "tests/lib/samples.h"

enum {
    REGS = 12,
    STEPS = 14,
    SEEN = 8,
    BLOCKS = 2,
    EACH = 32 /* bytes of shared memory for a lane */,
    LOCAL = 48,
    FAR = 4096 - 5 * 64
};

static u64 state;

static u32 roll(u32 n) {
    return random_below(&state, n);
}

#define ONE_OF(...) \
    ((const char *const[]){__VA_ARGS__}[roll(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))])

/* A register, or the first of those of an access of `bytes`. */
static u32 reg(u32 bytes) {
    u32 n = bytes > 4 ? bytes / 4 : 1;
    return roll(REGS / n) * n;
}

/* Loads, or stores: into a buffer only what is written, the thread's number. */
static void access(struct buf *out, const char *guard, u32 width, bool store) {
    static const char *const types[2][5] = {{"u8", "u16", "b32", "b64", "b128"}, {"s8", "s16", "b32", "b64", "b128"}};
    const u32 size = roll(5), bytes = 1u << size, space = roll(3), most = space == 1 ? 2 : width, r = reg(bytes);
    /* Addresses: the thread's number times 1, 2, 4, 8 or 16, often neighbours; backwards; all the same. */
    const char *at = space == 1 ? ONE_OF("rz", "two") : "?";
    const u32 k = size + (roll(2) ? 0 : roll(7 - size));
    if (space != 1)
        at = ((const char *const[2][7]){{"e", "s", "n", "d", "q", "x", "rz"},
                                        {"pe", "ps", "pn", "pd", "pq", "px", "pz"}})[space == 2][k];
    buf_printf(out, "%s%s.%s.%s ", guard, store ? "st" : "ld",
               ((const char *const[]){"shared", "local", "global"})[space], types[!store && roll(2)][size]);
    u32 from = roll(most * 16 / bytes) * bytes + (space == 2 ? FAR : 0);
    if (store && space == 2)
        buf_printf(out, "[%s+%u], known\n", at, from);
    else if (store)
        buf_printf(out, "[%s+%u], v+%u\n", at, from, r);
    else
        buf_printf(out, "v+%u, [%s+%u]\n", r, at, from);
}

static void move(struct buf *out, const char *guard, u32 width) {
    const u32 a = reg(4), b = reg(4), d = reg(4), n = 8 * (1 + roll(3));
    const char *mask = ONE_OF("0xff", "0xffff0000", "0xff00ff", "0xffffff00", "0xff000000");
    switch (roll(15)) {
    case 0: buf_printf(out, "%smov.b32 v+%u, v+%u\n", guard, d, a); break;
    case 1: buf_printf(out, "%smov.b32 v+%u, t\n", guard, d); break;
    case 2: buf_printf(out, "%s%s.b32 v+%u, v+%u, %u\n", guard, ONE_OF("shl", "shr"), d, a, n); break;
    case 3: buf_printf(out, "%s%s.b32 v+%u, v+%u, %s\n", guard, ONE_OF("and", "or", "xor"), d, a, mask); break;
    case 4: buf_printf(out, "%s%s.b32 v+%u, v+%u, v+%u\n", guard, ONE_OF("and", "or"), d, a, b); break;
    case 5: buf_printf(out, "%sprmt.b32 v+%u, v+%u, v+%u, 0x%04x\n", guard, d, a, b, roll(65536) & 0x7777); break;
    case 6: buf_printf(out, "%smov.b64 v+%u, v+%u\n", guard, reg(8), reg(8)); break;
    case 7: buf_printf(out, "%ssel.b32 v+%u, v+%u, v+%u, %s\n", guard, d, a, b, ONE_OF("even", "!low")); break;
    case 8: buf_printf(out, "%sbfi.b32 v+%u, v+%u, v+%u, %u, 8\n", guard, d, a, b, n); break;
    case 9:
        buf_printf(out, "shfl.%s.b32 v+%u, v+%u, %u\n", ONE_OF("up", "down", "bfly", "idx"), d, a, roll(width));
        break;
    case 10: buf_printf(out, "shfl.%s.b32 v+%u, v+%u, n\n", ONE_OF("bfly", "idx"), d, a); break;
    case 11:
    case 12: buf_printf(out, "xext v+%u, x%u, %u\n", d, 3 * roll(2), roll(4)); break;
    default:
        for (u32 i = 3 * roll(2), k = 1 + roll(4); k--;)
            buf_printf(out, "xpush x%u, v+%u\n", i, reg(4));
    }
}

/* Addresses, and `fill` in all registers and memory, if there is one. */
static void begin(struct buf *out, u32 width, const char *fill) {
    buf_printf(out,
               ".kernel k\n.param y : u32[]\n.param z : u32[]\n.shared sm : u32[%u]\n.local lo : u32[%u]\n"
               ".reg v:%u, t, n, e, s, x, two, known:4, d, q, w\n.reg py:2, pz:2, pe:2, ps:2, pn:2, px:2, pd:2, pq:2\n"
               ".pred even, low\n s2r t, %%laneid\n sub.u32 n, %u, t\n and.b32 e, t, 1\n setp.eq.u32 even, e, 0\n"
               " setp.lt.u32 low, t, 3\n shl.b32 two, e, 4\n",
               width * EACH / 4, LOCAL / 4, REGS, width - 1);
    /* e, s, n, d, q: t times 1, 2, 4, 8, 16; x: backwards. */
    buf_puts(out, " ld.param.b64 py, [y]\n ld.param.b64 pz, [z]\n s2r w, %ctaid.x\n s2r x, %ntid.x\n"
                  " mad.lo.u32 w, w, x, t\n mad.wide.u32 py, w, 32, py\n shl.b32 x, n, 4\n mov.b32 e, t\n"
                  " shl.b32 s, t, 1\n shl.b32 n, t, 2\n shl.b32 d, t, 3\n shl.b32 q, t, 4\n"
                  " mov.b64 known, 5\n mov.b64 known+2, 7\n");
    for (const char *k = "esnxdq"; *k; k++)
        buf_printf(out, " mad.wide.u32 p%c, %c, 1, pz\n", *k, *k);
    buf_printf(out, " mov.b32 w, %s\n", fill ? fill : "0");
    for (u32 i = 0; i < REGS && fill; i++)
        buf_printf(out, " mov.b32 v+%u, w\n", i);
    for (u32 i = 0; i < 16 && fill; i++)
        buf_printf(out, " xpush x%u, w\n", i / 4);
    for (u32 i = 0; i < LOCAL && fill; i++)
        buf_printf(out, " st.local.u8 [%u], w\n", i);
    for (u32 i = 0; i < EACH && fill; i += 4)
        buf_printf(out, " st.shared.b32 [n+%u], w\n", i * width);
}

/*
 * A program that leaves SEEN words of each thread in y; the first line of them, three for a word: of one lane, and of
 * the others. All registers and memory begin with `fill`, or unwritten.
 */
static u32 program(u64 seed, u32 width, const char *fill, struct buf *out, u32 one[SEEN]) {
    u32 line = 1;
    state = seed * 0x9e3779b97f4a7c15u | 1;
    begin(out, width, fill);
    for (u32 i = 0; i < REGS; i++)
        if (roll(4))
            buf_printf(out, " mov.b32 v+%u, %s\n", i, i % 2 ? "t" : "5");
    for (u32 i = 0; i < EACH && roll(8); i += 4)
        buf_printf(out, " st.shared.b32 [n+%u], t\n st.local.b32 [%u], t\n", i * width, i);
    for (u32 i = 0; i < STEPS; i++) {
        const char *guard = ONE_OF(" ", " ", " ", "@even ", "@!low ");
        if (roll(2))
            move(out, guard, width);
        else
            access(out, guard, width, roll(2));
    }
    for (size_t i = 0; i < out->len; i++)
        line += out->data[i] == '\n';
    for (u32 i = 0; i < SEEN; i++) {
        one[i] = roll(width);
        buf_printf(out,
                   " setp.eq.u32 even, t, %u\n@even st.global.b32 [py+%u], v+%u\n@!even st.global.b32 [py+%u], v+%u\n",
                   one[i], 4 * i, i, 4 * i, i);
    }
    buf_puts(out, " exit\n");
    return line;
}

struct left {
    u32 word[BLOCKS * WARP_MAX * SEEN], one[SEEN];
    u64 found[SEEN][2]; /* executions of each last store */
};

/* Runs the program; with a checker, unless it begins with `fill`. */
static void run(u64 seed, u32 width, const char *fill, struct left *left) {
    static u8 z[2 * 4096];
    static const bool written[] = {true, false};
    SCOPED(buf_free) struct buf text = {0};
    SCOPED(prepared_end) struct prepared p;
    struct fault fault;
    memset(left, 0, sizeof *left);
    memset(z, fill ? atoi(fill) : 0, sizeof z);
    const u32 line = program(seed, width, fill, &text, left->one);
    prepared_begin(&p, program_of_text(text.data), (struct sizes){width, BLOCKS, width});
    p.params[0] = memory_add(&p.memory, "y", (u8 *)left->word, sizeof left->word);
    p.params[1] = memory_add(&p.memory, "z", z, sizeof z);
    const struct check_setup setup = {.launch = &p.launch, .kinds = 1 << CHECK_INIT, .written = written};
    struct check *c = check_new(&setup);
    cr_assert_eq(machine_run(fill ? &p.launch : check_launch(c), &fault), RUN_OK, "%s", text.data);
    for (u32 i = 0; i < check_count(c); i++) {
        const struct check_finding *f = check_finding(c, i);
        u32 at = p.program->line[f->at[0].pc] - line - 1;
        cr_assert(f->class == FOUND_INIT_STORE && at < 3 * SEEN, "seed %llu, line %u\n%s", (unsigned long long)seed,
                  at + line, text.data);
        left->found[at / 3][at % 3] += f->count;
    }
    check_free(c);
}

Test(check_written, bytes_that_are_moved_are_known_one_by_one) {
    u32 all = 0, bad = 0, n = rig_samples(600);
    for (u64 seed = 1; seed <= n; seed++) {
        const u32 width = 8u << seed % 4;
        struct left checked, zeros, ones;
        run(seed, width, NULL, &checked);
        run(seed, width, "0", &zeros);
        run(seed, width, "-1", &ones);
        for (u32 i = 0; i < SEEN; i++) {
            u64 truth[2] = {0};
            for (u32 block = 0; block < BLOCKS; block++) {
                bool differs[2] = {false, false};
                for (u32 l = 0; l < width; l++) {
                    u32 at = (block * width + l) * SEEN + i;
                    differs[l != zeros.one[i]] |= zeros.word[at] != ones.word[at];
                }
                truth[0] += differs[0];
                truth[1] += differs[1];
            }
            for (u32 k = 0; k < 2; k++)
                cr_expect_eq(checked.found[i][k], truth[k], "seed %llu: v+%u of lane %u and others: %llu of %u found",
                             (unsigned long long)seed, i, zeros.one[i], (unsigned long long)checked.found[i][k],
                             (u32)truth[k]);
            all += BLOCKS;
            bad += (u32)truth[0];
        }
    }
    cr_expect(bad > all / 8 && bad < all - all / 8, "%u of %u words are unwritten", bad, all);
}
