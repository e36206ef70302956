/*
 * Are accesses of many warps that may change places no race, however many there are, and all others found? What two
 * atomics leave and return in either order is the machine's answer, on corner data; orders of warps are drawn.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sim/check/check.h"
#include "sim/check/schedule.h"
#include "tests/lib/launch.h"
#include "tests/lib/program_text.h"
#include "tests/lib/samples.h"

/* ---- a launch ---- */

struct seen {
    u32 findings, class;
    u64 forgotten;
};

/* The findings of the launch, with those of proofs alone if `order`. */
static struct seen look(struct prepared *p, bool order) {
    struct fault fault;
    const struct check_setup setup = {.launch = &p->launch, .kinds = 1 << CHECK_RACE, .order = order};
    struct check *c = check_new(&setup);
    cr_assert_eq(machine_run(check_launch(c), &fault), RUN_OK);
    cr_assert_not(check_failed(c));
    for (u32 i = 0; i < check_count(c); i++)
        cr_expect_eq(check_finding(c, i)->class == FOUND_RACE_ORDER,
                     strcmp(check_finding(c, i)->text, "in another order, other values are returned or left") == 0);
    struct seen s = {check_count(c), check_count(c) ? check_finding(c, 0)->class : FOUND_COUNT, check_forgotten(c)};
    check_free(c);
    return s;
}

/* ---- each two atomics ---- */

/* An atomic of the instruction table; its old value is used, or there is none. */
struct atomic {
    u16 op;
    bool used;
    u32 bits;
};

static u32 find_atomics(struct atomic *list) {
    u32 n = 0;
    for (u32 op = 0; op < OP_COUNT; op++) {
        const char *name = isa_rows[op].name;
        if (isa_rows[op].kind != ROW_ATOM)
            continue;
        u32 bits = strstr(name, "64") ? 64 : 32;
        list[n++] = (struct atomic){(u16)op, false, bits};
        if (strncmp(name, "atom", 4) == 0)
            list[n++] = (struct atomic){(u16)op, true, bits};
    }
    return n;
}

/* `which` is a or b: its operand, and its old value. */
static void put_atomic(struct buf *out, const struct atomic *a, char which, u32 offset) {
    const char *name = isa_rows[a->op].name;
    char old[8] = "rz";
    if (a->used)
        snprintf(old, sizeof old, "%cr%u", which, a->bits);
    bool returns = strncmp(name, "atom", 4) == 0;
    buf_printf(out, "%s.global %s%s[c+%u], %c%u", name, returns ? old : "", returns ? ", " : "", offset, which,
               a->bits);
    if (strstr(name, "cas"))
        buf_printf(out, ", s%c%u", which, a->bits);
    buf_puts(out, "\n");
}

/* Places and values of a and b: cells of 8 bytes, then what each returned. */
#define REGS \
    ".kernel k\n.param x : u64[]\n.param y : u64[]\n.reg t, g, n, a32, b32, sa32, sb32, ar32, br32\n" \
    ".reg a64:2, b64:2, sa64:2, sb64:2, ar64:2, br64:2, c:2, p:2\n.pred q, w\n s2r t, %tid.x\n s2r g, %ctaid.x\n" \
    " mov.b32 sa32, 7\n mov.b32 sb32, 9\n mov.b64 sa64, 7\n mov.b64 sb64, 9\n"

static const u64 corners[] = {0,
                              1,
                              5,
                              0x7fffffff,
                              0x80000000,
                              0x3f800000, /* 1 of fp32, and what its rounding loses */
                              0x33800000,
                              0x33c00000,
                              0x3f803c00, /* the same of bf16 and fp16 */
                              0x3b801000,
                              0x3bc01200,
                              0x3ff0000000000000, /* the same of fp64 */
                              0x3ca0000000000000,
                              0x3ca8000000000000,
                              UINT64_MAX};

enum { VALUES = COUNT_OF(corners), TRIED = VALUES * VALUES * VALUES, WARPS = (TRIED + 31) / 32, LANES = WARPS * 32 };

/* Runs a before b and b before a; whether all data leave and return the same. */
static bool same_in_both_orders(const struct atomic *a, const struct atomic *b, u32 offset) {
    static u64 x[3 * LANES], y[2][3 * LANES];
    SCOPED(buf_free) struct buf out = {0};
    SCOPED(prepared_end) struct prepared p;
    for (u32 i = 0; i < TRIED; i++)
        for (u32 k = 0, n = i; k < 3; k++, n /= VALUES)
            x[3 * i + k] = corners[n % VALUES];
    memset(y, 0, sizeof y);
    buf_puts(&out, REGS " shl.b32 g, g, 5\n add.u32 t, t, g\n s2r n, %ctaid.y\n setp.ne.u32 q, n, 0\n"
                        " ld.param.b64 p, [x]\n mad.wide.u32 p, t, 24, p\n");
    buf_printf(&out, " mul.lo.u32 n, n, %u\n add.u32 t, t, n\n ld.param.b64 c, [y]\n mad.wide.u32 c, t, 24, c\n",
               LANES);
    buf_puts(&out, " ld.global.b64 ar64, [p]\n st.global.b64 [c], ar64\n ld.global.b64 a64, [p+8]\n"
                   " ld.global.b64 b64, [p+16]\n ld.global.b32 a32, [p+8]\n ld.global.b32 b32, [p+16]\n"
                   "@q bra other\n");
    put_atomic(&out, a, 'a', 0);
    put_atomic(&out, b, 'b', offset);
    buf_puts(&out, " bra done\nother:\n");
    put_atomic(&out, b, 'b', offset);
    put_atomic(&out, a, 'a', 0);
    buf_puts(&out, "done:\n");
    if (a->used)
        buf_printf(&out, " st.global.b%u [c+8], ar%u\n", a->bits, a->bits);
    if (b->used)
        buf_printf(&out, " st.global.b%u [c+16], br%u\n", b->bits, b->bits);
    buf_puts(&out, " exit\n");
    prepared_begin(&p, program_of_text(out.data), (struct sizes){32, WARPS, 32});
    p.params[0] = memory_add(&p.memory, "x", (u8 *)x, sizeof x);
    p.params[1] = memory_add(&p.memory, "y", (u8 *)y, sizeof y);
    p.launch.grid[1] = 2;
    struct fault fault;
    cr_assert_eq(machine_run(&p.launch, &fault), RUN_OK);
    return memcmp(y[0], y[1], sizeof y[0]) == 0;
}

/* True if the checker finds the order of `many` warps' a and one lane's b to matter. */
static bool order_found(const struct atomic *a, const struct atomic *b, u32 offset, u32 many) {
    u64 x[1] = {0}, y[4] = {0};
    SCOPED(buf_free) struct buf out = {0};
    SCOPED(prepared_end) struct prepared p;
    buf_puts(&out, REGS " ld.param.b64 c, [y]\n");
    buf_printf(&out, " setp.lt.u32 w, t, %u\n setp.eq.u32 q, t, %u\n mov.b32 a32, t\n mov.b32 b32, t\n",
               many ? many * 8 : 1, (many ? many : 1) * 8);
    buf_puts(&out, " mov.b64 a64, 3\n mov.b64 b64, 5\n@w ");
    put_atomic(&out, a, 'a', 0);
    buf_puts(&out, "@q ");
    put_atomic(&out, b, 'b', offset);
    buf_puts(&out, " exit\n");
    prepared_begin(&p, program_of_text(out.data), (struct sizes){8, 1, ((many ? many : 1) + 1) * 8});
    p.params[0] = memory_add(&p.memory, "x", (u8 *)x, sizeof x);
    p.params[1] = memory_add(&p.memory, "y", (u8 *)y, sizeof y);
    struct seen s = look(&p, true), run = look(&p, false);
    cr_expect_eq(s.forgotten, 0);
    cr_expect(!s.findings || s.class == FOUND_RACE_ORDER);
    cr_expect_eq(run.findings + run.forgotten, 0, "atomics are no races");
    return s.findings;
}

Test(check_crowd, the_order_of_two_atomics_matters_where_it_shows) {
    struct atomic list[128];
    u32 n = find_atomics(list), alike = 0, every = rig_quick() ? 7 : 1;
    cr_assert_lt(n, COUNT_OF(list));
    for (u32 i = 0, k = 0; k < n; i++, k += i == n, i %= n)
        for (u32 offset = 0; offset <= (list[i].bits > list[k].bits ? 4 : 0); offset += 4) {
            if (list[i].bits < list[k].bits || (i < k && list[i].bits == list[k].bits) || (i + k) % every)
                continue; /* as of k and i */
            const struct atomic *a = &list[i], *b = &list[k];
            const char *first = isa_rows[a->op].name, *then = isa_rows[b->op].name;
            bool same = same_in_both_orders(a, b, offset), found = order_found(a, b, offset, 0);
            cr_expect(found || same, "%s and %s+%u show their order", first, then, offset);
            cr_expect(!found || !same || a->bits != b->bits, "%s and %s leave the same", first, then);
            alike += same;
            if (!order_found(a, a, 0, 3))
                cr_expect_eq(order_found(a, b, offset, 20), found, "20 warps of %s and %s", first, then);
        }
    cr_expect_gt(alike, rig_quick() ? 1 : 20);
}

/* ---- one that is not ordered, among many that are ---- */

/* Warps of a block access a word; all but warp `odd` meet a thread that then stores there. */
static struct seen planted(const char *access, const char *space, u32 warps, u32 odd) {
    const char *at = strcmp(space, "shared") == 0 ? "tile" : "c";
    u32 y[64] = {0};
    SCOPED(buf_free) struct buf out = {0};
    SCOPED(prepared_end) struct prepared p;
    buf_printf(&out,
               ".kernel k\n.param y : u32[64]\n.shared tile : u32[1]\n.reg t, w, v, c:2\n.pred p, q\n"
               " s2r t, %%tid.x\n shr.b32 w, t, 3\n ld.param.b64 c, [y]\n setp.ne.u32 q, w, %u\n"
               " setp.eq.u32 p, t, %u\n",
               odd, warps * 8);
    buf_printf(&out, access, space, at);
    if (odd < warps)
        buf_printf(&out, "@!q exit\n bar.sync 1, %u\n", warps * 8);
    else
        buf_puts(&out, " bar.sync 1\n");
    buf_printf(&out, "@p st.%s.b32 [%s], t\n exit\n", space, at);
    prepared_begin(&p, program_of_text(out.data), (struct sizes){8, 1, (warps + 1) * 8});
    p.params[0] = memory_add(&p.memory, "y", (u8 *)y, sizeof y);
    return look(&p, false);
}

Test(check_crowd, one_of_many_that_is_not_ordered_is_found) {
    static const char *const accesses[] = {" red.add.u32.%s [%s], t\n", " ld.%s.b32.volatile v, [%s]\n",
                                           " atom.exch.b32.%s v, [%s], t\n", " ld.%s.b32 v, [%s]\n",
                                           /* and plain reads beside strong ones */
                                           " ld.%1$s.b32.volatile v, [%2$s]\n ld.%1$s.b32 v, [%2$s]\n"};
    for (u32 kind = 0; kind < COUNT_OF(accesses); kind++)
        for (u32 shared = 0; shared < 2; shared++)
            for (u32 warps = 2; warps <= 100; warps += warps < 12 ? 1 : 29) {
                const char *space = shared ? "shared" : "global";
                struct seen all = planted(accesses[kind], space, warps, warps);
                cr_expect_eq(all.findings + all.forgotten, 0, "%u warps of %s", warps, accesses[kind]);
                for (u32 odd = 0; odd < warps; odd += 1 + warps / 5) {
                    struct seen s = planted(accesses[kind], space, warps, odd);
                    cr_expect(s.findings || (kind == 3 && s.forgotten), "warp %u of %u, %s", odd, warps,
                              accesses[kind]);
                    cr_expect(kind == 3 || s.forgotten == 0, "warp %u of %u, %s", odd, warps, accesses[kind]);
                }
            }
}

/* Pairs of lines whose order matters: block 0 does `first` and, after a barrier, `then`; block 1 does `other`. */
static u32 orders(const char *first, const char *then, const char *other) {
    char text[600];
    u32 y[64] = {0}, found = 0;
    struct fault fault;
    SCOPED(prepared_end) struct prepared p;
    snprintf(text, sizeof text,
             ".kernel k\n.param y : u32[64]\n.reg t, b, c:2\n.pred p, q\n s2r t, %%tid.x\n s2r b, %%ctaid.x\n"
             " ld.param.b64 c, [y]\n setp.eq.u32 p, t, 0\n setp.eq.u32 q, b, 0\n@!q bra other\n"
             "@p red.global.%s [c], t\n bar.sync 0\n setp.eq.u32 p, t, 8\n@p red.global.%s [c], t\n exit\n"
             "other:\n@p red.global.%s [c], t\n exit\n",
             first, then, other);
    prepared_begin(&p, program_of_text(text), (struct sizes){8, 2, 16});
    p.params[0] = memory_add(&p.memory, "y", (u8 *)y, sizeof y);
    const struct check_setup setup = {.launch = &p.launch, .kinds = 1 << CHECK_RACE, .order = true};
    struct check *c = check_new(&setup);
    cr_assert_eq(machine_run(check_launch(c), &fault), RUN_OK);
    for (u32 i = 0; i < check_count(c); i++) {
        u32 a = p.program->line[check_finding(c, i)->at[0].pc], b = p.program->line[check_finding(c, i)->at[1].pc];
        found |= a == 17 && b == 11 ? 1 : a == 17 && b == 14 ? 2 : 4;
    }
    check_free(c);
    return found;
}

Test(check_crowd, of_atomics_in_order_each_is_compared) {
    static const char *const op[] = {"add.u32", "max.u32", "and.b32"};
    for (u32 i = 0; i < 27; i++) {
        const char *first = op[i / 9], *then = op[i / 3 % 3], *other = op[i % 3];
        u32 expected = strcmp(then, other) != 0 ? 2 : 0;
        if (strcmp(first, then) != 0 && strcmp(first, other) != 0) /* else the later one stands for it */
            expected |= 1;
        cr_expect_eq(orders(first, then, other), expected, "%s, %s, then %s", first, then, other);
    }
}

/* Thousands of blocks add to a word or take its maximum; the last one, by a ticket, loads it. */
static struct seen mixed_crowd(const char *fence) {
    char text[1024];
    u32 y[64] = {0};
    enum { BLOCKS = 5000 };
    SCOPED(prepared_end) struct prepared p;
    snprintf(text, sizeof text,
             ".kernel k\n.param y : u32[64]\n.reg t, b, v, n, w, c:2\n.pred p, q\n s2r t, %%tid.x\n s2r b, %%ctaid.x\n"
             " ld.param.b64 c, [y]\n setp.ne.u32 p, t, 0\n@p exit\n and.b32 w, b, 1\n setp.eq.u32 q, w, 0\n"
             "@q red.global.add.u32 [c+4], b\n@!q red.global.max.u32 [c+4], b\n fence.gpu\n mov.b32 n, %u\n"
             " atom.global.inc.u32 v, [c], n\n setp.ne.u32 p, v, %u\n@p exit\n %s\n ld.global.b32 v, [c+4]\n exit\n",
             BLOCKS - 1, BLOCKS - 1, fence);
    prepared_begin(&p, program_of_text(text), (struct sizes){8, BLOCKS, 8});
    p.params[0] = memory_add(&p.memory, "y", (u8 *)y, sizeof y);
    return look(&p, false);
}

Test(check_crowd, nothing_is_forgotten_of_thousands) {
    struct seen s = mixed_crowd("fence.gpu");
    cr_expect_eq(s.findings + s.forgotten, 0, "%u findings, %u forgotten", s.findings, (u32)s.forgotten);
    s = mixed_crowd("nop"); /* which acquires nothing */
    cr_expect(s.findings && !s.forgotten, "%u findings, %u forgotten", s.findings, (u32)s.forgotten);
}

/* All blocks add to a counter, and the last one, by a ticket, reads the sum. */
static struct seen last_block(const char *fence, u32 blocks) {
    char text[1024];
    u32 y[64] = {0};
    SCOPED(prepared_end) struct prepared p;
    snprintf(text, sizeof text,
             ".kernel k\n.param y : u32[64]\n.reg t, v, n, c:2\n.pred p\n s2r t, %%tid.x\n ld.param.b64 c, [y]\n"
             " red.global.add.u32 [c+4], t\n bar.sync 0\n setp.ne.u32 p, t, 0\n@p exit\n %s\n mov.b32 n, %u\n"
             " atom.global.inc.u32 v, [c], n\n setp.ne.u32 p, v, %u\n@p exit\n fence.gpu\n ld.global.b32 v, [c+4]\n"
             " st.global.b32 [c+8], v\n exit\n",
             fence, blocks, blocks - 1);
    prepared_begin(&p, program_of_text(text), (struct sizes){8, blocks, 32});
    p.params[0] = memory_add(&p.memory, "y", (u8 *)y, sizeof y);
    struct seen s = look(&p, false);
    cr_expect_eq(y[2], blocks * 31 * 16);
    return s;
}

Test(check_crowd, the_last_block_knows_what_all_have_added) {
    for (u32 blocks = 1; blocks <= 1000; blocks *= 10) {
        struct seen good = last_block("fence.gpu", blocks), bad = last_block("nop", blocks);
        cr_expect_eq(good.findings + good.forgotten, 0, "%u blocks", blocks);
        cr_expect_eq(bad.findings > 0, blocks > 1, "%u blocks", blocks);
    }
    struct seen beyond = last_block("nop", 2000); /* with four warps each more than are kept */
    cr_expect(beyond.findings + beyond.forgotten > 0);
}

/* ---- random kernels of many warps, in random orders ---- */

static u64 state;

static u32 roll(u32 n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (u32)(state >> 33) % n;
}

/* Each thread leaves a hash of all that it loads or is returned. */
static void put_statement(struct buf *out, const char *op) {
    static const char *const guards[] = {"", "", "@one", "@even", "@low"};
    static const char *const ops[] = {"add.u32", "max.s32", "max.u32", "or.b32", "xor.b32"};
    const bool shared = roll(2);
    const char *space = shared ? "shared" : "global", *at = shared ? "tile" : "c", *g = guards[roll(5)];
    const u32 offset = 4 * roll(2);
    op = roll(6) ? op : ops[roll(5)];
    switch (roll(13)) {
    case 0: buf_printf(out, "%s st.%s.b32 [%s+%u], t\n", g, space, at, offset); break;
    case 1: buf_printf(out, "%s st.%s.b32.volatile [%s+%u], t\n", g, space, at, offset); break;
    case 2:
    case 3: buf_printf(out, "%s ld.%s.b32 v, [%s+%u]\n mad.lo.u32 h, h, 31, v\n", g, space, at, offset); break;
    case 4: buf_printf(out, "%s ld.%s.b32.volatile v, [%s]\n mad.lo.u32 h, h, 31, v\n", g, space, at); break;
    case 5: buf_printf(out, "%s atom.%s.%s v, [%s+%u], t\n mad.lo.u32 h, h, 31, v\n", g, op, space, at, offset); break;
    case 6: buf_printf(out, "%s atom.%s.%s rz, [%s+%u], t\n", g, op, space, at, offset); break;
    case 7: buf_printf(out, "%s red.add.u64.%s [%s], c\n", g, space, at); break;
    case 8:
    case 9:
    case 10: buf_printf(out, "%s red.%s.%s [%s+%u], t\n", g, op, space, at, offset); break;
    default: buf_puts(out, " bar.sync 0\n"); break;
    }
}

/* Bytes that a launch leaves, warps in a random order if there is one. */
enum { THREADS = 512, LEFT = 16 + 4 * THREADS };

static void run_random(struct prepared *p, const struct random_turns *turns, u8 left[LEFT]) {
    struct random_turns own = *turns;
    struct fault fault;
    memset(left, 0, LEFT);
    memory_free(&p->memory);
    p->params[0] = memory_add(&p->memory, "y", left, LEFT);
    p->launch.chooser = schedule_random(&own);
    cr_assert_eq(machine_run(&p->launch, &fault), RUN_OK);
    p->launch.chooser = NULL;
}

/* True if the order of a random kernel was found to matter; if not, 8 orders leave the same. */
static bool random_kernel(u64 seed, bool *shown) {
    static const char *const ops[] = {"add.u32", "max.s32", "or.b32"};
    static u8 first[LEFT], left[LEFT];
    SCOPED(buf_free) struct buf out = {0};
    SCOPED(prepared_end) struct prepared p;
    state = seed * 0x9e3779b97f4a7c15u;
    buf_puts(&out,
             ".kernel k\n.param y : u32[516]\n.shared tile : u32[2]\n.reg t, b, v, h, c:2, p:2\n"
             ".pred one, even, low, q\n s2r t, %tid.x\n s2r b, %ctaid.x\n s2r v, %ntid.x\n mad.lo.u32 t, b, v, t\n"
             " mov.b32 h, 0\n mov.b32 v, 0\n ld.param.b64 c, [y]\n setp.eq.u32 one, t, 77\n and.b32 b, t, 8\n"
             " setp.eq.u32 even, b, 0\n setp.lt.u32 low, t, 100\n s2r b, %tid.x\n setp.eq.u32 q, b, 0\n@q "
             "st.shared.b64 [tile], rz\n bar.sync 0\n");
    const char *op = ops[roll(3)];
    for (u32 n = 1 + roll(5); n--;)
        put_statement(&out, op);
    buf_puts(&out, " mad.wide.u32 p, t, 4, c\n bar.sync 0\n ld.shared.b32 v, [tile]\n mad.lo.u32 h, h, 31, v\n"
                   " ld.shared.b32 v, [tile+4]\n mad.lo.u32 h, h, 31, v\n st.global.b32 [p+16], h\n exit\n");
    const u32 blocks[] = {1, 2, 16};
    const u32 grid = blocks[roll(3)], block = 32u << roll(grid == 16 ? 1 : 3);
    prepared_begin(&p, program_of_text(out.data), (struct sizes){8, grid, block});
    run_random(&p, &(struct random_turns){.seed = 0}, left);
    struct seen s = look(&p, true); /* continues with the data that this run left */
    run_random(&p, &(struct random_turns){.seed = 0}, first);
    *shown = false;
    for (u64 turns = 1; turns < 8; turns++) {
        run_random(&p, &(struct random_turns){.seed = turns}, left);
        *shown |= memcmp(first, left, LEFT) != 0;
    }
    cr_expect(!*shown || s.findings || s.forgotten, "seed %llu\n%s", (unsigned long long)seed, out.data);
    return s.findings || s.forgotten;
}

Test(check_crowd, what_is_clean_leaves_the_same_in_random_orders) {
    u32 found = 0, confirmed = 0, programs = rig_samples(1000);
    for (u64 seed = 1; seed <= programs; seed++) {
        bool shown;
        found += random_kernel(seed, &shown);
        confirmed += shown;
    }
    cr_expect(found < programs, "%u of %u are clean", programs - found, programs);
    cr_expect_gt(confirmed, programs / 10, "%u of %u differ", confirmed, found);
}

/* ---- single cases ---- */

Test(check_crowd, what_some_lanes_or_blocks_did_is_kept) {
    static const struct {
        const char *lines;
        u32 class;
    } cases[] = {
        {"@one red.global.add.u32 [c], t\n bar.sync 0\n@one red.global.max.u32 [c], t\n@!one red.global.add.u32 [c], "
         "t\n",
         FOUND_RACE_ORDER},
        {"@one red.global.add.u32 [c], t\n bar.sync 0\n@one red.global.add.u32 [c], t\n", FOUND_COUNT},
        {"@warp red.global.add.u32 [c], t\n@lane red.global.add.u32 [c], t\n@lane ld.global.b32 v, [c]\n",
         FOUND_RACE_ATOMIC},
        {"@lane red.global.add.u32 [c], t\n@lane red.global.add.u32 [c], t\n@lane ld.global.b32 v, [c]\n", FOUND_COUNT},
        {"@warp atom.global.add.u32 v, [c], t\n", FOUND_RACE_ORDER},
        {"@lane atom.global.add.u32 v, [c], t\n", FOUND_COUNT},
        {"@warp atom.global.add.u32 rz, [c], t\n", FOUND_COUNT},
    };
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        u32 y[64] = {0};
        char text[1024];
        SCOPED(prepared_end) struct prepared p;
        snprintf(text, sizeof text,
                 ".kernel k\n.param y : u32[64]\n.reg t, b, v, c:2\n.pred one, warp, lane\n s2r t, %%tid.x\n"
                 " s2r b, %%ctaid.x\n mad.lo.u32 v, b, 16, t\n setp.eq.u32 one, b, 0\n setp.lt.u32 warp, v, 8\n"
                 " setp.eq.u32 lane, v, 0\n ld.param.b64 c, [y]\n%s exit\n",
                 cases[i].lines);
        prepared_begin(&p, program_of_text(text), (struct sizes){8, 2, 16});
        p.params[0] = memory_add(&p.memory, "y", (u8 *)y, sizeof y);
        cr_expect_eq(look(&p, true).class, cases[i].class, "%s", cases[i].lines);
    }
}

/* One store goes to two small buffers, which lie close to one another; another warp reads the second. */
Test(check_crowd, buffers_have_cells_of_their_own) {
    static const char text[] =
        ".kernel k\n.param y : u32[8]\n.param z : u32[8]\n.reg t, v, c:2, d:2\n.pred p, q\n s2r t, %%tid.x\n"
        " ld.param.b64 c, [y]\n ld.param.b64 d, [z]\n and.b32 v, t, 3\n setp.ge.u32 q, t, 8\n and.b32 t, t, 4\n"
        " setp.eq.u32 p, t, 0\n mad.wide.u32 c, v, 4, c\n mad.wide.u32 d, v, 4, d\n@q bra second\n"
        "@!p mov.b64 c, d\n st.global.b32 [c], t\n exit\nsecond: ld.global.b32 v, [%s+%u]\n exit\n";
    for (u32 i = 0; i < 4; i++) {
        char whole[1024];
        u32 y[8] = {0}, z[8] = {0};
        SCOPED(prepared_end) struct prepared p;
        snprintf(whole, sizeof whole, text, i < 2 ? "c" : "d", i % 2 * 16);
        prepared_begin(&p, program_of_text(whole), (struct sizes){8, 1, 16});
        p.params[0] = memory_add(&p.memory, "y", (u8 *)y, sizeof y);
        p.params[1] = memory_add(&p.memory, "z", (u8 *)z, sizeof z);
        cr_expect_eq(look(&p, false).findings > 0, i % 2 == 0, "case %u", i);
    }
}
