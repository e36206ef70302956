/* Do the checkers find what is wrong, at the right lines, and nothing in what is right? */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/lib/scoped.h"

/* Two warps: one stores to shared memory, the other loads it; `between` stands between the two. */
static const char exchange[] = ".kernel k\n.param y : u32[64]\n.reg t, o, v, py:2\n.shared sm : u32[65]\n"
                               "  s2r t, %%tid.x\n  ld.param.b64 py, [y]\n  mad.wide.u32 py, t, 4, py\n"
                               "  shl.b32 o, t, 2\n  st.shared.b32 [o], t\n  %s\n  xor.b32 o, o, %u\n"
                               "  ld.shared.b32 v, [o]\n  st.global.b32 [py], v\n  exit\n";

static struct heddle *h;

static void begin(void) {
    h = heddle_new();
}

static void end(void) {
    heddle_free(h);
}

/* Runs it over 64 threads in two warps, with a clock or without; the findings. */
static struct heddle_result ended(const char *text, const char *kinds, bool timed, enum heddle_status how) {
    uint64_t shape = 64;
    SCOPED(heddle_program_drop) struct heddle_program *p = heddle_load(h, "k.hd", text, strlen(text));
    struct heddle_result r = {0};
    const char *const sms = "sms=1";
    cr_assert_not_null(p, "%s", heddle_error(h));
    cr_assert(heddle_buffer(h, "y", "u32", 1, &shape));
    cr_assert(heddle_board_load(h, NULL, &sms, 1));
    struct heddle_arg args = {.name = "y", .buffer = "y"};
    struct heddle_launch l = {.block = {64, 1, 1}, .warp = 32, .args = &args, .nargs = 1, .check = kinds};
    l.functional = !timed;
    cr_expect_eq(heddle_launch(h, p, &l, &r), how, "%s", heddle_error(h));
    return r;
}

static struct heddle_result checked(const char *text, const char *kinds, bool timed) {
    return ended(text, kinds, timed, HEDDLE_OK);
}

static void expect(const struct heddle_result *r, const char *kind, const char *name, uint32_t line, uint32_t other) {
    for (uint32_t i = 0; i < r->nfindings; i++) {
        const struct heddle_finding *f = &r->findings[i];
        uint32_t a = f->places[0].line, b = f->places[1].line;
        if (strcmp(f->kind, kind) == 0 && strcmp(f->class_, name) == 0 &&
            ((a == line && b == other) || (a == other && b == line)))
            return;
    }
    cr_expect_fail("no %s %s of lines %u and %u among %u findings", kind, name, line, other, r->nfindings);
}

TestSuite(check, .init = begin, .fini = end);

Test(check, a_barrier_orders_warps) {
    char text[1000];
    for (uint32_t timed = 0; timed < 2; timed++) {
        snprintf(text, sizeof text, exchange, "nop", 128u);
        struct heddle_result r = checked(text, "race,sync", timed);
        expect(&r, "race", "read-write", 12, 9);
        cr_expect_eq(r.nfindings, 1);
        cr_expect_eq(r.findings[0].count, timed ? r.findings[0].count : 64);
        for (uint32_t k = 0; k < 3; k++) {
            static const char *const barriers[] = {"bar.sync 0", "bar.red.or pt, 0, pt", "bar.red.popc rz, 0, pt, 64"};
            snprintf(text, sizeof text, exchange, barriers[k], 128u);
            cr_expect_eq(checked(text, "all", timed).nfindings, 0, "%s", barriers[k]);
        }
    }
}

Test(check, a_warp_barrier_orders_lanes) {
    char text[1000];
    for (uint32_t timed = 0; timed < 2; timed++) {
        snprintf(text, sizeof text, exchange, "nop", 4u);
        struct heddle_result r = checked(text, "all", timed);
        expect(&r, "sync", "warp-exchange", 12, 9);
        r = checked(text, "race", timed);
        expect(&r, "race", "read-write", 12, 9);
        snprintf(text, sizeof text, exchange, "bar.warp", 4u);
        cr_expect_eq(checked(text, "all", timed).nfindings, 0);
        snprintf(text, sizeof text, exchange, "bar.warp", 128u);
        r = checked(text, "race", timed);
        expect(&r, "race", "read-write", 12, 9);
    }
}

/* Warp 0 stores 32 words and then raises a flag; warp 1 waits for the flag and loads the words. */
static const char message[] = ".kernel k\n.param y : u32[64]\n.reg t, v, py:2, pe:2\n.pred p, q\n"
                              "  s2r t, %%tid.x\n  ld.param.b64 py, [y]\n  mad.wide.u32 pe, t, 4, py\n"
                              "  setp.ge.u32 p, t, 32\n@p bra reader\n  st.global.b32 [pe], t\n  bar.warp\n"
                              "  mov.b32 v, 1\n  setp.eq.u32 q, t, 0\n@q st.global.release.b32 [py+128], v\n  exit\n"
                              "reader:\n  ld.global%s.b32 v, [py+128]\n  setp.eq.u32 q, v, 0\n@q bra reader\n"
                              "  ld.global.b32 v, [pe-128]\n  exit\n";

Test(check, an_acquire_orders_what_was_released) {
    char text[1000];
    for (uint32_t timed = 0; timed < 2; timed++) {
        snprintf(text, sizeof text, message, ".acquire");
        cr_expect_eq(checked(text, "race", timed).nfindings, 0);
        snprintf(text, sizeof text, message, ".volatile");
        struct heddle_result r = checked(text, "race", timed);
        expect(&r, "race", "read-write", 20, 10);
        cr_expect_eq(r.nfindings, 1);
    }
}

Test(check, an_unwritten_value_is_followed_to_the_buffer) {
    char text[1000];
    for (uint32_t timed = 0; timed < 2; timed++) {
        snprintf(text, sizeof text, exchange, "add.u32 o, o, 4", 0u); /* the last lane reads what was never written */
        struct heddle_result r = checked(text, "init", timed);
        expect(&r, "init", "store", 13, 12);
        snprintf(text, sizeof text, exchange, "bar.sync 0", 0u);
        cr_expect_eq(checked(text, "init", timed).nfindings, 0);
    }
    static const char unwritten[] = ".kernel k\n.param y : u32[64]\n.reg t, v, w, py:2\n"
                                    "  s2r t, %tid.x\n  ld.param.b64 py, [y]\n  mad.wide.u32 py, t, 4, py\n"
                                    "  mov.b32 w, v\n  add.u32 w, w, 1\n  st.global.b32 [py], w\n  exit\n";
    struct heddle_result r = checked(unwritten, "init", false);
    expect(&r, "init", "store", 9, 7);
}

/* A race on one byte of a word that the second warp reads: the finding covers its whole read. */
Test(check, a_race_of_a_byte_is_told_by_the_access) {
    static const char byte[] = ".kernel k\n.param y : u32[64]\n.reg t, v, py:2\n.pred p, q\n.shared sm : u32[2]\n"
                               "  s2r t, %tid.x\n  ld.param.b64 py, [y]\n  setp.eq.u32 p, t, 0\n"
                               "  setp.eq.u32 q, t, 32\n@p st.shared.u8 [sm+7], t\n@q ld.shared.b32 v, [sm+4]\n"
                               "@q st.global.b32 [py], v\n  exit\n";
    struct heddle_result r = checked(byte, "race", false);
    expect(&r, "race", "read-write", 11, 10);
    cr_expect_eq(r.findings[0].address, 4);
    cr_expect_eq(r.findings[0].bytes, 4);
    cr_expect_str_eq(r.findings[0].where, "shared sm[1]");
}

/* Of the words that warp 0 loads at once, some loaded by it before, a store of warp 1 races with those and no other. */
Test(check, a_wide_load_is_of_its_words) {
    static const char wide[] = ".kernel k\n.param y : u32[64]\n.reg t, v:4, w\n.pred p, q\n.shared sm : u32[8]\n"
                               " s2r t, %%tid.x\n setp.lt.u32 p, t, 32\n setp.eq.u32 q, t, 40\n"
                               "@p ld.shared.b32 w, [sm+%u]\n@p ld.shared.b128 v, [sm]\n@q st.shared.b32 [sm+%u], t\n"
                               " exit\n";
    char text[1000];
    for (uint32_t before = 0; before < 4; before++)
        for (uint32_t word = 0; word < 8; word++) {
            snprintf(text, sizeof text, wide, 4 * before, 4 * word);
            struct heddle_result r = checked(text, "race", false);
            cr_expect_eq(r.nfindings, word < 4, "%s%u", text, r.nfindings);
            if (word < 4)
                expect(&r, "race", "read-write", 10, 11);
        }
}

/*
 * Strong accesses of lanes of a warp, of which each loads what another stores. Whether a value that was loaded decides
 * a branch, as that of a flag does, is followed along the lines.
 */
static const struct {
    const char *then;
    bool polled;
} uses[] = {
    {" setp.eq.u32 p, r64, 9\n@p bra end\n", true},
    {" setp.eq.u32 p, r65, 9\n@p bra end\n", true},
    {" mov.b32 r64, t\n mov.b32 r65, t\n setp.eq.u32 p, r64, r65\n@p bra end\n", false},
    {"@q mov.b32 r64, t\n setp.eq.u32 p, r64, 9\n@p bra end\n", true},
    {" setp.eq.u32 p, r65, 9\n@q setp.eq.u32 p, t, 9\n@p bra end\n", true},
    {" setp.eq.u32 p, r65, 9\n setp.eq.u32 p, t, 9\n@p bra end\n", false},
    {" mad.lo.u32 r65, r65, 2, t\n mad.lo.u32 t, t, t, r65\n setp.eq.u32 p, t, 9\n@p bra end\n", true},
    {" mov.b32 r66, r65\n mov.b32 r64, r65\n setp.eq.u32 p, r66, 9\n@p bra end\n", true},
    {" setp.eq.u32 q, r65, 9\n@q mov.b32 v, t\n setp.eq.u32 p, v, 5\n@p bra end\n", true},
    {" bra on\n exit\non: setp.eq.u32 p, r65, 9\n@p bra end\n", true},
    {"@q exit\n setp.eq.u32 p, r65, 9\n@p bra end\n", true},
    {"@q bra on\n exit\non: setp.eq.u32 p, r65, 9\n@p bra end\n", false}, /* seen as if the branch were not taken */
    {" xor.b32 v, r64, r65\n", false},
    {" call f\n", true},
};

Test(check, a_value_that_decides_a_branch_is_a_flag) {
    static const char whole[] = ".kernel k\n.param y : u32[64]\n.reg t, o, v\n.pred p, q\n.shared sm : u32[66]\n"
                                " s2r t, %%tid.x\n shl.b32 o, t, 3\n mov.b32 v, 0\n setp.eq.u32 q, t, 99\n"
                                " and.b32 o, o, 127\n st.shared.b64.volatile [o], rz\n"
                                " ld.shared.b64.volatile r64, [o+8]\n%send: exit\n.func f\n ret\n";
    char text[1000];
    for (uint32_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        snprintf(text, sizeof text, whole, uses[i].then);
        struct heddle_result r = checked(text, "sync", false);
        cr_expect_eq(r.nfindings == 0, uses[i].polled, "%s%u", uses[i].then, r.nfindings);
    }
}

/* Blocks that each release a location to themselves; the last thread may acquire what its own block released. */
Test(check, blocks_release_one_location_to_themselves) {
    static const char both[] =
        ".kernel k\n.param y : u32[64]\n.reg b, w, l, v, t, q:2\n.pred p, o\n"
        " s2r b, %ctaid.x\n s2r w, %warpid\n s2r l, %laneid\n ld.param.b64 q, [y]\n setp.ne.u32 p, l, 0\n@p exit\n"
        " mad.lo.u32 t, b, 2, w\n mov.b32 v, 1\n setp.eq.u32 p, t, 0\n@!p bra next\n"
        " st.global.b32 [q+16], v\n fence.block\n red.add.u32.global [q], v\n exit\n"
        "next: setp.ge.u32 p, t, 2\n@!p bra last\n"
        "wait: ld.global.b32.volatile w, [q]\n setp.lt.u32 o, w, 1\n@o bra wait\n setp.eq.u32 p, t, 2\n@!p exit\n"
        " fence.block\n red.add.u32.global [q], v\n st.global.b32.volatile [q+4], v\n exit\n"
        "last: ld.global.b32.volatile v, [q+4]\n setp.eq.u32 o, v, 0\n@o bra last\n"
        " ld.global.b32.volatile v, [q]\n fence.block\n ld.global.b32 v, [q+16]\n st.global.b32 [q+32], v\n exit\n";
    uint64_t shape = 64;
    SCOPED(heddle_program_drop) struct heddle_program *p = heddle_load(h, "k.hd", both, strlen(both));
    cr_assert_not_null(p, "%s", heddle_error(h));
    struct heddle_arg args = {.name = "y", .buffer = "y"};
    struct heddle_launch l = {.grid = {2, 1, 1}, .block = {16, 1, 1}, .warp = 8, .args = &args, .nargs = 1};
    l.check = "race";
    for (uint32_t seed = 0; seed < 20; seed++) {
        char schedule[20];
        struct heddle_result r;
        snprintf(schedule, sizeof schedule, "random:%u", seed);
        l.schedule = schedule;
        cr_assert(heddle_buffer(h, "y", "u32", 1, &shape));
        cr_assert_eq(heddle_launch(h, p, &l, &r), HEDDLE_OK, "%s", heddle_error(h));
        cr_expect_eq(r.nfindings, 0, "seed %u: %s", seed, r.nfindings ? r.findings[0].class_ : "");
    }
}

static const struct {
    const char *lines;
    bool found;
} bit_cases[] = {
    {"mov.b32 v, u", true},
    {"red.add.u32.shared [o], u\n st.shared.b32 [o], t\n ld.shared.b32 v, [o]", false},
    {"st.shared.b32 [o], t\n red.add.u32.shared [o], u\n ld.shared.b32 v, [o]", true},
    {"and.b32 v, u, 0", false},
    {"or.b32 v, u, -1", false},
    {"xor.b32 v, u, u", false},
    {"xor.b32 v, u, t", true},
    {"sub.u32 v, u, u", false},
    {"shl.b32 v, u, 8\n and.b32 v, v, 255", false},
    {"shl.b32 v, u, 8\n and.b32 v, v, 256", true},
    {"shl.b32 w, u, 8\n add.u32 v, w, 17\n and.b32 v, v, 255", false},
    {"bfi.b32 w, t, u, 0, 16\n cvt.u32.u16 v, w", false},
    {"bfi.b32 w, t, u, 1, 16\n cvt.u32.u16 v, w", true},
    {"prmt.b32 v, t, u, 0x3210", false},
    {"prmt.b32 v, t, u, 0x3214", true},
    {"mul.lo.u32 w, u, 2\n and.b32 v, w, 1", false},
    {"and.b32 w, u, 31\n div.s32 w, w, 8\n and.b32 v, w, 4", false},
    {"and.b32 w, u, 31\n div.s32 w, w, 5\n and.b32 v, w, 8", false},
    {"and.b32 w, u, 31\n div.s32 w, w, 8\n and.b32 v, w, 2", true},
    {"or.b32 w, u, 0x80000000\n div.s32 w, w, 8\n and.b32 v, w, 4", true},
    {"min.u32 w, u, 1\n shr.u32 v, w, 1", false},
    {"min.u32 w, u, 1\n mad.lo.u32 v, w, 2, z", true},
    {"setp.lt.u32 p, u, 0\n sel.b32 v, t, 2, p", false},
    {"setp.lt.u32 p, u, 1\n sel.b32 v, t, 2, p", true},
    {"or.b32 w, u, 256\n setp.ge.u32 p, w, 256\n sel.b32 v, t, 2, p", false},
    {"sel.b32 v, t, t, q", false},
    {"sel.b32 v, t, z, q", true},
    {"mov.b32 v, t\n@q mov.b32 v, t", false},
    {"mov.b32 v, t\n@q mov.b32 v, 77", true},
    {"setp.eq.u32 q, u, 3\n@q setp.lt.u32 q, t, z\n sel.b32 v, t, 2, q", false},
    {"setp.eq.u32 q, u, 3\n@q setp.ge.u32 q, t, z\n sel.b32 v, t, 2, q", true},
    {"setp.ge.u32 p, t, z\n or.pred q, q, p\n@q mov.b32 v, 1", false},
    {"setp.eq.u32 p, u, u\n@p bra on\non: mov.b32 v, 1", false},
    {"cvt.u64.u32 wide, t\n mov.b32 wide, t\n shr.u64 wide, wide, 32\n mov.b32 v, wide", false},
    {"popc.b32 w, u\n shr.u32 v, w, 6", false},
    {"or.b32 w, u, 0x80000000\n clz.b32 v, w", false},
    {"or.b32 w, u, 1\n clz.b32 v, w", true},
    {"shl.b32 w, u, 16\n cvt.f32.f16 v, w", false},
    {"cvt.f32.f16 v, u", true},
    {"ballot.b32 w, q\n and.b32 v, w, 0", false},
    {"vote.any p, q\n sel.b32 v, t, 2, p", true},
    {"and.b32 w, t, 31\n setp.ge.u32 p, w, 1\n and.pred p, p, q\n vote.all p, p\n sel.b32 v, t, 2, p",
     false},                                                               /* lane 0 has 0 */
    {"setp.lt.u32 p, t, 1\n@p vote.uni p, q\n sel.b32 v, t, 2, p", false}, /* a lane alone */
    {"setp.lt.u32 p, t, 2\n@p vote.uni p, q\n sel.b32 v, t, 2, p", true},
    {"shl.b32 w, u, 4\n redux.or.b32 w, w\n and.b32 v, w, 15", false},
    {"redux.add.u32 v, u", true},
    {"shl.b32 w, u, 4\n redux.min.u32 w, w\n and.b32 v, w, 15", true},
    {"mov.b32 w, 0\n mov.b32 v, 0\n shl.b32 z, u, 4\n setp.lt.u32 p, t, 1\n@p redux.min.u32 w, z\n@p and.b32 v, w, 15",
     false}, /* a lane alone */
    {"mov.b32 w, 0\n shl.b32 z, u, 4\n setp.lt.u32 p, t, 1\n@p redux.max.s32 w, z\n and.b32 v, w, 16", true},
    {"mov.b32 w, 0\n shl.b32 z, u, 4\n setp.lt.u32 p, t, 1\n@p redux.add.u32 w, z\n and.b32 v, w, 15", false},
    {"mov.b64 m, 0\n setp.lt.u32 p, t, 1\n@p match.any.b32 m, u\n mov.b32 v, m", false},
    {"match.any.b32 m, u\n mov.b32 v, m", true},
    {"shl.b32 w, u, 8\n shfl.bfly.b32 w, w, 1\n and.b32 v, w, 255", false},
    {"shl.b32 w, u, 8\n xpush x0, z\n xpush x0, z\n xpush x0, z\n xpush x0, w\n xext w, x0, 3\n and.b32 v, w, 255",
     false},
    {"xpush x0, z\n xpush x0, z\n xpush x0, z\n xpush x0, u\n xext v, x0, 3", true},
    {"and.b32 w, u, 0xffffff00\n st.global.u8 [py], w\n mov.b32 v, 1", false},
    {"and.b32 w, u, 0x8000\n st.global.u16 [py], w\n mov.b32 v, 1", true},
    {"st.shared.b32 [o], t\n st.shared.u8 [o+1], u\n ld.shared.u8 v, [o]", false},
    {"st.shared.b32 [o], t\n st.shared.u8 [o+1], u\n ld.shared.s16 v, [o]\n shr.u32 v, v, 24", true},
};

/* u and q were never written, t is the thread's number; v is stored. */
Test(check, bits_that_do_not_depend_on_unwritten_ones_are_written) {
    static const char text[] = ".kernel k\n.param y : u32[64]\n.reg t, u, v, w, z, o, m:4, n:2, c:4, py:2, wide:2\n"
                               ".pred p, q\n.shared sm : u32[64]\n"
                               "  s2r t, %%tid.x\n  ld.param.b64 py, [y]\n  mad.wide.u32 py, t, 4, py\n"
                               "  shl.b32 o, t, 2\n  mov.b32 z, 0\n%s\n  st.global.b32 [py], v\n  exit\n";
    char whole[1000];
    for (uint32_t i = 0; i < sizeof bit_cases / sizeof *bit_cases; i++) {
        snprintf(whole, sizeof whole, text, bit_cases[i].lines);
        struct heddle_result r = checked(whole, "init", i % 2);
        cr_expect_eq(r.nfindings > 0, bit_cases[i].found, "%s: %u findings", bit_cases[i].lines, r.nfindings);
    }
}

/* One more element than is declared, the last that is allocated; thread counts for which the machine faults. */
Test(check, the_last_element_and_the_last_warp_count) {
    static const char text[] = ".kernel k\n.param y : u32[%u]\n.reg t, v, py:2\n  s2r t, %%tid.x\n"
                               "  ld.param.b64 py, [y]\n  mad.wide.u32 py, t, 4, py\n  ld.global.b32 v, [py]\n  exit\n";
    char whole[1000];
    for (uint32_t declared = 62; declared <= 64; declared++) {
        snprintf(whole, sizeof whole, text, declared);
        struct heddle_result r = checked(whole, "mem", declared % 2);
        cr_expect_eq(r.nfindings, declared < 64, "%u declared", declared);
        cr_expect_eq(r.nfindings ? r.findings[0].count : 0, 64 - declared, "%u declared", declared);
    }
    static const char barrier[] = ".kernel k\n.param y : u32[64]\n.reg n\n  mov.b32 n, %u\n  bar.sync 1, n\n  exit\n";
    for (uint32_t count = 0; count <= 80; count += 16) {
        snprintf(whole, sizeof whole, barrier, count);
        bool right = count == 32 || count == 64;
        struct heddle_result r = ended(whole, "sync", false, right ? HEDDLE_OK : HEDDLE_FAULT);
        cr_expect_eq(r.nfindings, !right, "%u threads", count);
        if (r.nfindings)
            cr_expect_str_eq(r.findings[0].text,
                             "the thread count at barrier 1 is not a number of whole warps of the block");
    }
}

/* A row of A that was never written makes a row of D undefined, and no other. */
Test(check, rows_of_a_matrix_product_are_apart) {
    static const char text[] = ".kernel k\n.param y : u32[64]\n.reg t, v, a:4, b:2, c:4, py:2\n.pred p\n"
                               "  s2r t, %%tid.x\n  ld.param.b64 py, [y]\n  mad.wide.u32 py, t, 4, py\n"
                               "  mov.b64 a+2, 0\n  mov.b64 b, 0\n  mov.b64 c, 0\n  mov.b64 c+2, 0\n  mov.b32 a, 0\n"
                               "  and.b32 v, t, 7\n  setp.ne.u32 p, v, 5\n@p mov.b32 a+1, 0\n"
                               "  mma.m8n4k8.f32.f16 c, a, b, c\n  setp.eq.u32 p, v, %u\n@p st.global.b32 [py], c\n"
                               "  exit\n";
    char whole[1000];
    for (uint32_t row = 0; row < 8; row++) {
        snprintf(whole, sizeof whole, text, row);
        cr_expect_eq(checked(whole, "init", false).nfindings, row == 5, "row %u", row);
    }
}

/* An element of B that was never written, in lane 5 of each product, makes its column of D undefined, and no other. */
Test(check, columns_of_a_matrix_product_are_apart) {
    static const char text[] = ".kernel k\n.param y : u32[64]\n.reg t, v, u, a:4, b:2, c:4, py:2\n.pred p\n"
                               "  s2r t, %%tid.x\n  ld.param.b64 py, [y]\n  mad.wide.u32 py, t, 4, py\n"
                               "  mov.b64 a, 0\n  mov.b64 a+2, 0\n  mov.b64 b, 0\n  mov.b64 c, 0\n  mov.b64 c+2, 0\n"
                               "  and.b32 v, t, 7\n  setp.eq.u32 p, v, 5\n@p and.b32 b+%u, u, %#x\n"
                               "  mma.m8n4k8.f32.f16 c, a, b, c\n  st.global.b32 [py], c+%u\n  exit\n";
    char whole[1000];
    for (uint32_t i = 0; i < 16; i++) {
        snprintf(whole, sizeof whole, text, i / 8, i / 4 % 2 ? 0xffff0000 : 0xffff, i % 4);
        cr_expect_eq(checked(whole, "init", false).nfindings, i % 4 == i / 4, "element %u, column %u", i / 4, i % 4);
    }
}

/* a: 0 to 19, b: 32 to 71, c: 80 to 95, and memory without a name; l: 0 to 11, m: 16 to 19. */
static const char variables[] =
    ".kernel k\n.param y : u32[64]\n.shared a : u8[20]\n.shared b : u32[2,5]\n.shared c : u32[4]\n"
    ".sharedbytes 256\n.local l : u32[3]\n.local m : u32\n.reg k, v:4\n%s\nexit\n";

static const struct {
    const char *text, *name, *where, *variable; /* name NULL: nothing is found */
} accesses[] = {
    {"ld.shared.b32 v, [a+16]", NULL, NULL, NULL},
    {"ld.shared.b32 v, [a+20]", "extent", "bytes 20 to 23 of shared memory", NULL},
    {"ld.shared.b32 v, [a+32]", "extent", "shared b[0,0]", "b"},
    {"ld.shared.b32 v, [b-4]", "extent", "bytes 28 to 31 of shared memory", NULL},
    {"mov.b32 k, b\nld.shared.b32 v, [k-4]", "extent", "bytes 28 to 31 of shared memory", NULL},
    {"mov.b32 k, b\nld.shared.b32 v, [k-16]", NULL, NULL, NULL},
    {"ld.shared.b64 v, [16]", "extent", "bytes 16 to 23 of shared memory", "a"},
    {"ld.shared.b32 v, [32]", NULL, NULL, NULL},
    {"ld.shared.b64 v, [b+8]", NULL, NULL, NULL},
    {"ld.shared.b64 v, [b+16]", "row", "shared b[0,4] to b[1,0]", "b"},
    {"ld.shared.b64 v, [48]", "row", "shared b[0,4] to b[1,0]", "b"},
    {"ld.shared.b32 v, [76]", "extent", "bytes 76 to 79 of shared memory", NULL},
    {"ld.shared.b32 v, [96]", NULL, NULL, NULL},
    {"ld.shared.b64 v, [c+8]", NULL, NULL, NULL},
    {"ld.shared.b32 v, [c+16]", "extent", "bytes 96 to 99 of shared memory", NULL},
    {"red.shared.add.u32 [c+16], k", "extent", "bytes 96 to 99 of shared memory", NULL},
    {"ld.local.b32 v, [l+8]", NULL, NULL, NULL},
    {"ld.local.b32 v, [l+12]", "extent", "bytes 12 to 15 of local memory", NULL},
    {"ld.local.b32 v, [l+16]", "extent", "local m", "m"},
    {"ld.local.b32 v, [16]", NULL, NULL, NULL},
    {"ld.local.b64 v, [8]", "extent", "bytes 8 to 15 of local memory", "l"},
    {"cvta.shared v, 20\nld.b32 v, [v]", "extent", "bytes 20 to 23 of shared memory", NULL},
    {"cvta.local v, 4\nld.b32 v, [v]", NULL, NULL, NULL},
};

Test(check, variables_are_left) {
    char text[1000];
    for (uint32_t i = 0; i < sizeof accesses / sizeof accesses[0]; i++) {
        snprintf(text, sizeof text, variables, accesses[i].text);
        struct heddle_result r = checked(text, "mem", i & 1);
        cr_expect_eq(r.nfindings, accesses[i].name != NULL, "%s: %u findings", accesses[i].text, r.nfindings);
        if (r.nfindings == 0 || !accesses[i].name)
            continue;
        const struct heddle_finding *f = &r.findings[0];
        cr_expect_eq(f->count, 64, "%s", accesses[i].text);
        cr_expect_str_eq(f->class_, accesses[i].name, "%s", accesses[i].text);
        cr_expect_str_eq(f->where, accesses[i].where, "%s", accesses[i].text);
        cr_expect_str_eq(f->variable ? f->variable : "", accesses[i].variable ? accesses[i].variable : "", "%s",
                         accesses[i].text);
    }
}

/* Where nothing is declared of a buffer or of shared memory, an access leaves nothing, whatever its space is called. */
Test(check, memory_without_declarations_is_not_left) {
    static const char text[] = ".kernel k\n.param y : u32[]\n.sharedbytes 256\n.reg t, v, p:2, at:2\n s2r t, %tid.x\n"
                               " ld.param.b64 p, [y]\n mad.wide.u32 p, t, 4, p\n st.b32 [p], t\n shl.b32 v, t, 2\n"
                               " and.b32 v, v, 255\n cvta.shared at, 0\n st.shared.b32 [v], t\n ld.b32 v, [at]\n"
                               " st.global.b32 [p], v\n exit\n";
    for (uint32_t timed = 0; timed < 2; timed++)
        cr_expect_eq(checked(text, "mem", timed).nfindings, 0);
}

/* Lanes in lockstep: `sync` reports a store to shared memory that another lane loads, `race` does not. */
Test(check, lanes_that_exchange_without_a_barrier) {
    static const char lockstep[] = ".kernel k\n.param y : u32[64]\n.shared s : u32[64]\n.reg t, v, w, p:2\n"
                                   " s2r t, %%tid.x\n ld.param.b64 p, [y]\n shl.b32 t, t, 2\n xor.b32 v, t, 4\n%s"
                                   " exit\n";
    static const struct {
        const char *lines, *kinds;
        uint32_t found;
    } row[] = {{" st.shared.b32.volatile [s+t], t\n ld.shared.b32.volatile w, [s+v]\n", "sync", 1},
               {" st.shared.b32.volatile [s+t], t\n ld.shared.b32.volatile w, [s+v]\n", "race", 0},
               {" mad.wide.u32 p, t, 1, p\n st.global.b32.volatile [p], t\n ld.param.b64 p, [y]\n"
                " mad.wide.u32 p, v, 1, p\n ld.global.b32.volatile w, [p]\n",
                "sync", 0}};
    for (size_t i = 0; i < 2 * sizeof row / sizeof *row; i++) {
        char text[1000];
        snprintf(text, sizeof text, lockstep, row[i / 2].lines);
        cr_expect_eq(checked(text, row[i / 2].kinds, i % 2).nfindings, row[i / 2].found, "%s", text);
    }
}

/* A function's variables lie above the kernel's, which hands it the address of its own. */
Test(check, variables_of_functions) {
    static const char text[] = ".kernel k\n.param y : u32[64]\n.local own : u32[4]\n mov.b32 r0, own\n call f\n"
                               " ld.local.b32 r1, [own+16]\n exit\n"
                               ".func f\n.local kept : u32[2]\n.local more : u32\n ld.local.b32 r1, [r0+12]\n"
                               " ld.local.b32 r1, [r0+24]\n ld.local.b32 r1, [kept+16]\n ret\n";
    struct heddle_result r = checked(text, "mem", false);
    cr_expect_eq(r.nfindings, 3);
    expect(&r, "mem", "extent", 12, 0); /* between kept and more */
    expect(&r, "mem", "extent", 13, 0);
    expect(&r, "mem", "extent", 6, 0);
    for (uint32_t i = 0; i < r.nfindings; i++)
        if (r.findings[i].places[0].line == 13)
            cr_expect_str_eq(r.findings[i].where, "local more");
}

Test(check, results_do_not_change) {
    char text[1000];
    snprintf(text, sizeof text, exchange, "bar.sync 0", 128u);
    struct heddle_result plain = checked(text, NULL, true), watched;
    uint64_t cycles = plain.cycles, issued = plain.warp_instructions;
    cr_expect_null(plain.checked);
    watched = checked(text, "race,init,sync,mem,value", true);
    cr_expect_eq(watched.cycles, cycles);
    cr_expect_eq(watched.warp_instructions, issued);
    cr_expect_str_eq(watched.checked, "race, init, sync, mem, value");
}

Test(check, unknown_kinds_are_refused) {
    SCOPED(heddle_program_drop) struct heddle_program *p = heddle_load(h, "k.hd", ".kernel k\n exit\n", 16);
    struct heddle_result r;
    static const char *const wrong[] = {"rase", "", "race,", "race;init"};
    for (uint32_t i = 0; i < 4; i++) {
        struct heddle_launch l = {.check = wrong[i]};
        cr_expect_eq(heddle_launch(h, p, &l, &r), HEDDLE_INPUT);
        cr_expect(strstr(heddle_error(h), "unknown checker"), "%s", heddle_error(h));
    }
}

/* ---- what counts as written ---- */

static const uint64_t four = 4;

static void make_only(void) {
    cr_assert(heddle_buffer(h, "z", "u32", 1, &four));
}

static void fill(void) {
    make_only();
    cr_assert(heddle_buffer_fill(h, "z", "zeros"));
}

static void hand_out(void) {
    struct heddle_tensor t;
    make_only();
    cr_assert(heddle_buffer_look(h, "z", &t) && !t.written);
    cr_assert(heddle_buffer_get(h, "z", &t));
}

static void read_table(void) {
    const struct heddle_csv csv = {.file = "z.csv", .type = "u32"};
    cr_assert(heddle_csv_read(h, "z", &csv, "0,0,0,0\n", 8));
}

/* Ways of C, as heddle_content names them. */
static const struct {
    const char *how;
    void (*make)(void);
} ways[] = {{"heddle_buffer", make_only},
            {"heddle_buffer_fill", fill},
            {"heddle_buffer_get", hand_out},
            {"heddle_npy_read, heddle_csv_read, heddle_raw_read", read_table}};

Test(check, a_buffer_is_written_as_the_table_has_it) {
    static const char count[] = ".kernel k\n.param z : u32[4]\n.reg i, p:2\n  s2r i, %tid.x\n  ld.param.b64 p, [z]\n"
                                "  red.global.add.u32 [p], i\n  exit\n";
    SCOPED(heddle_program_drop) struct heddle_program *p = heddle_load(h, "k.hd", count, strlen(count));
    struct heddle_arg args = {.name = "z", .buffer = "z"};
    struct heddle_launch l = {.block = {32, 1, 1}, .warp = 32, .args = &args, .nargs = 1, .check = "all"};
    struct heddle_result r;
    const char *where, *how, *doc;
    uint32_t tried = 0;
    bool written;
    for (uint32_t i = 0; heddle_content(i, &where, &how, &doc, &written); i++) {
        if (strcmp(where, "C") != 0)
            continue;
        uint32_t k = 0;
        while (k < sizeof ways / sizeof ways[0] && strcmp(ways[k].how, how) != 0)
            k++;
        cr_assert_lt(k, sizeof ways / sizeof ways[0], "%s is not tried", how);
        ways[k].make();
        cr_assert_eq(heddle_launch(h, p, &l, &r), HEDDLE_OK, "%s", heddle_error(h));
        cr_expect_eq(r.nfindings == 0, written, "%s: %u findings", how, r.nfindings);
        tried++;
    }
    cr_expect_eq(tried, sizeof ways / sizeof ways[0]);
}
