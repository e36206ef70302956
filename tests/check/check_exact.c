/*
 * Are findings right in each of their parts: the lane, the origin, the places, how often, and the bytes that checkers
 * took? Most kernels here depend on one lane or one word, so that what is true of a neighbour is no answer.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/lib/scoped.h"

static struct heddle *h;

static void begin(void) {
    h = heddle_new();
}

static void end(void) {
    heddle_free(h);
}

TestSuite(check_exact, .init = begin, .fini = end);

struct sizes {
    uint32_t warp, block, grid;
};

/* Runs lines of a kernel, in which p, q and r, u and w are unwritten, t is the thread's number, o four times that. */
static struct heddle_result ended(const char *lines, const char *kinds, struct sizes s, enum heddle_status how) {
    static const char head[] = ".kernel k\n.param y : u32[4096]\n.reg t, b, u, v:2, w, z, o, n, py:2, pe:2\n"
                               ".pred p, q, r, f\n.shared sm : u32[64]\n  s2r t, %tid.x\n  s2r b, %ctaid.x\n"
                               "  ld.param.b64 py, [y]\n  mad.wide.u32 pe, t, 4, py\n  shl.b32 o, t, 2\n"
                               "  mov.b32 z, 0\n";
    static char text[40000];
    const uint64_t shape = 4096;
    snprintf(text, sizeof text, "%s%s\n  exit\n", head, lines);
    SCOPED(heddle_program_drop) struct heddle_program *p = heddle_load(h, "k.hd", text, strlen(text));
    struct heddle_result r = {0};
    cr_assert_not_null(p, "%s", heddle_error(h));
    cr_assert(heddle_buffer(h, "y", "u32", 1, &shape));
    struct heddle_arg args = {.name = "y", .buffer = "y"};
    struct heddle_launch l = {.grid = {s.grid, 1, 1}, .block = {s.block, 1, 1}, .warp = s.warp, .args = &args};
    l.nargs = 1;
    l.check = kinds;
    cr_expect_eq(heddle_launch(h, p, &l, &r), how, "%s\n%s", heddle_error(h), lines);
    return r;
}

static struct heddle_result checked(const char *lines, const char *kinds, struct sizes s) {
    return ended(lines, kinds, s, HEDDLE_OK);
}

static const struct sizes two_warps = {32, 64, 1};

/* ---- unwritten values ---- */

#define FIRST_LINE 12 /* of the lines */

static const struct {
    const char *lines;
    uint32_t line, lane, count; /* 0 times: nothing is found */
    const char *text;
} unwritten[] = {
    {"@p bra on\non: mov.b32 v, 1", FIRST_LINE, 0, 2, "predicate p, read at line 12, was never written"},
    {"@!q bra on\non: mov.b32 v, 1", FIRST_LINE, 0, 2, "predicate q, read at line 12, was never written"},
    /* In lane 0 alone p keeps what it was, if q holds. */
    {" setp.ne.u32 r, t, 0\n@r setp.ne.u32 p, z, z\n@q setp.ne.u32 p, z, z\n sel.b32 v, t, 2, p\n"
     " st.global.b32 [pe], v",
     FIRST_LINE + 4, 0, 1, "was never written"},
    /* A sign that is unwritten, in the lowest of the bits that are its copies, and in the highest. */
    {" st.shared.u8 [o], u\n ld.shared.s8 v, [o]\n and.b32 v, v, 256\n st.global.b32 [pe], v", FIRST_LINE + 3, 0, 2,
     "holds an unwritten value that was stored there"},
    {" st.shared.u16 [o], u\n ld.shared.s16 v, [o]\n and.b32 v, v, 0x10000\n st.global.b32 [pe], v", FIRST_LINE + 3, 0,
     2, "holds an unwritten value"},
    {" mov.b32 w, 0\n st.shared.b32 [o], w\n ld.shared.s8 v, [o]\n st.global.b32 [pe], v", 0, 0, 0, ""},
    /* An atomic of lane 5 to a word that only it leaves unwritten. */
    {" setp.eq.u32 p, t, 5\n@!p st.shared.b32 [o], t\n atom.shared.add.u32 v, [o], t\n st.global.b32 [pe], v",
     FIRST_LINE + 3, 5, 1, "shared sm[5], read at line 14, was never written"},
    {" setp.eq.u32 p, t, 5\n@p red.global.add.u32 [pe], t", FIRST_LINE + 1, 5, 1, "byte 20 of y"},
};

Test(check_exact, an_unwritten_value_has_its_origin_lane_and_count) {
    for (uint32_t i = 0; i < sizeof unwritten / sizeof *unwritten; i++) {
        struct heddle_result r = checked(unwritten[i].lines, "init", two_warps);
        cr_expect_eq(r.nfindings, unwritten[i].count > 0, "%u findings: %s", r.nfindings, unwritten[i].lines);
        if (!r.nfindings)
            continue;
        const struct heddle_finding *f = r.findings;
        cr_expect_eq(f->places[0].line, unwritten[i].line, "line %u: %s", f->places[0].line, unwritten[i].lines);
        cr_expect_eq(f->places[0].lane, unwritten[i].lane, "lane %u: %s", f->places[0].lane, unwritten[i].lines);
        cr_expect_eq(f->count, unwritten[i].count, "%u times: %s", (unsigned)f->count, unwritten[i].lines);
        cr_expect(strstr(f->text, unwritten[i].text), "'%s': %s", f->text, unwritten[i].lines);
    }
}

/* Each lane that gets an unwritten word out of transit registers knows that it came from there. */
Test(check_exact, each_lane_knows_the_transit_register) {
    char text[400];
    for (uint32_t lane = 0; lane < 32; lane++) {
        snprintf(text, sizeof text,
                 " xpush x2, z\n xpush x2, z\n xpush x2, z\n xpush x2, u\n xext v, x2, 3\n setp.eq.u32 p, t, %u\n"
                 "@p st.global.b32 [pe], v",
                 lane);
        struct heddle_result r = checked(text, "init", (struct sizes){32, 32, 1});
        if (r.nfindings)
            cr_expect(strstr(r.findings[0].text, "transit register x2, read at line 16"), "%u: %s", lane,
                      r.findings[0].text);
    }
}

/* ---- places ---- */

Test(check_exact, a_barrier_that_is_never_complete_is_one_place) {
    struct heddle_result r =
        ended(" setp.lt.u32 p, t, 32\n mov.b32 n, 64\n@p bar.sync 1, n", "sync", two_warps, HEDDLE_FAULT);
    uint32_t found = 0;
    for (uint32_t i = 0; i < r.nfindings; i++)
        if (strcmp(r.findings[i].class_, "incomplete") == 0) {
            cr_expect_eq(r.findings[i].nplaces, 1);
            cr_expect_eq(r.findings[i].places[0].line, FIRST_LINE + 2);
            cr_expect_str_eq(r.findings[i].text, "barrier 1 has 1 of 2 warps, and no warp can go on");
            found++;
        }
    cr_expect_eq(found, 1);
}

/* Races of a word, each at a line of its own; how many are found. */
static const struct {
    const char *lines;
    struct sizes sizes;
    uint32_t findings, count; /* of the first */
} races[] = {
    /* Three loads race with one store: all three are named. */
    {" shr.b32 w, t, 5\n setp.eq.u32 p, w, 0\n@p ld.shared.b32 v, [sm]\n setp.eq.u32 p, w, 1\n"
     "@p ld.shared.b32 v, [sm]\n setp.eq.u32 p, w, 2\n@p ld.shared.b32 v, [sm]\n setp.eq.u32 p, t, 96\n"
     "@p st.shared.b32 [sm], t",
     {32, 128, 1},
     3,
     1},
    /* Repeats it with strong accesses, which are kept beside the others. */
    {" shr.b32 w, t, 5\n setp.eq.u32 p, w, 0\n@p ld.shared.b32.volatile v, [sm]\n setp.eq.u32 p, w, 1\n"
     "@p ld.shared.b32 v, [sm]\n setp.eq.u32 p, w, 2\n@p atom.shared.add.u32 v, [sm], t\n setp.eq.u32 p, t, 96\n"
     "@p st.shared.b32 [sm], t",
     {32, 128, 1},
     4, /* and the atomic with the load */
     32},
    /* Lane 3 may store to what it loaded; lane 4, to a word that has the same reader, may not. */
    {" setp.eq.u32 p, t, 3\n@p ld.shared.b64 v, [sm]\n setp.lt.u32 q, t, 5\n setp.ge.u32 r, t, 3\n and.pred r, r, q\n"
     " sub.u32 o, o, 12\n@r st.shared.b32 [o], t",
     {32, 32, 1},
     1,
     1},
    {" setp.eq.u32 p, t, 3\n@p ld.global.b64 v, [py]\n setp.lt.u32 q, t, 5\n setp.ge.u32 r, t, 3\n and.pred r, r, q\n"
     "@r st.global.b32 [pe-12], t",
     {32, 32, 1},
     1,
     1},
    /* A word of which a byte was stored before it was stored as a whole is one word again. */
    {" setp.eq.u32 p, t, 0\n setp.eq.u32 q, t, 32\n mov.b32 w, 256\n@p st.shared.u8 [sm], t\n@p st.shared.b32 [sm], w\n"
     "@q st.shared.b32 [sm], z",
     {32, 64, 1},
     1,
     1},
    /* What a barrier of two warps orders is known on after the loads before it have been looked at. */
    {" setp.lt.u32 p, t, 32\n setp.lt.u32 q, t, 64\n mov.b32 n, 64\n@q ld.shared.b32 v, [sm]\n@p st.shared.b32 "
     "[o+128], t\n"
     "@q bar.sync 1, n\n setp.eq.u32 r, t, 0\n@r st.shared.b32 [sm], t\n setp.ge.u32 p, t, 32\n and.pred p, p, q\n"
     "@p ld.shared.b32 v, [o]\n bar.sync 0",
     {32, 96, 1},
     0,
     0},
    /* Odd blocks acquire what block 0 releases; the others, in their place later, know nothing of it. */
    {" and.b32 w, b, 1\n setp.eq.u32 p, t, 0\n@!p exit\n setp.eq.u32 p, b, 0\n setp.eq.u32 q, w, 1\n mov.b32 w, 1\n"
     "@p st.global.b32 [py+64], w\n@p st.global.release.b32 [py], w\n@p exit\n@q ld.global.acquire.b32 v, [py]\n"
     " ld.global.b32 v, [py+64]",
     {32, 32, 101},
     1,
     50},
    /* Of 64 lanes, all learn at a barrier what one has acquired. */
    {" mov.b32 w, 1\n setp.eq.u32 p, t, 0\n setp.eq.u32 q, b, 0\n and.pred f, p, q\n@f st.global.b32 [py+64], w\n"
     "@f st.global.release.b32 [py], w\n@q exit\n@p ld.global.acquire.b32 v, [py]\n bar.sync 0\n"
     " ld.global.b32 v, [py+64]",
     {64, 128, 2},
     0,
     0},
};

Test(check_exact, races_are_as_many_as_there_are) {
    for (uint32_t i = 0; i < sizeof races / sizeof *races; i++) {
        struct heddle_result r = checked(races[i].lines, "race", races[i].sizes);
        cr_expect_eq(r.nfindings, races[i].findings, "%u findings: %s", r.nfindings, races[i].lines);
        cr_expect_eq(r.nfindings ? r.findings[0].count : 0, races[i].count, "%u times: %s",
                     r.nfindings ? (unsigned)r.findings[0].count : 0, races[i].lines);
        cr_expect_eq(r.check_forgotten, 0, "%s", races[i].lines);
    }
}

/* ---- bytes ---- */

/* What was found, and where unwritten values came from, counts: one thread finds nothing, two race at each line. */
Test(check_exact, findings_and_origins_are_counted_as_bytes) {
    enum { LINES = 300 };
    static char text[LINES * 80];
    uint64_t bytes[2];
    size_t n = 0;
    for (uint32_t i = 0; i < LINES; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, " st.shared.b32 [sm], t\n");
    for (uint32_t two = 0; two < 2; two++) {
        struct heddle_result r = checked(text, "race", (struct sizes){32, two ? 2 : 1, 1});
        cr_expect_eq(r.nfindings > LINES - 1, two, "%u findings", r.nfindings);
        bytes[two] = r.check_memory;
    }
    cr_expect(bytes[1] > bytes[0] + LINES * 200 && bytes[1] < bytes[0] + LINES * 2000, "%llu and %llu bytes",
              (unsigned long long)bytes[0], (unsigned long long)bytes[1]);
    for (uint32_t some = 0; some < 2; some++) {
        n = (size_t)snprintf(text, sizeof text, " mov.b32 v, 0\n mov.b32 w, 0\n%s", some ? "" : " mov.b32 u, 0\n");
        for (uint32_t i = 0; i < LINES; i++) /* an origin for each line */
            n += (size_t)snprintf(text + n, sizeof text - n, " xpush x0, u\n add.u32 w, u, 1\n xext v, x0, 3\n");
        struct heddle_result r = checked(text, "init", (struct sizes){32, 32, 1});
        cr_expect_eq(r.nfindings, 0);
        bytes[some] = r.check_memory;
    }
    cr_expect(bytes[1] > bytes[0] + LINES * 16 && bytes[1] < bytes[0] + LINES * 2000, "%llu and %llu bytes",
              (unsigned long long)bytes[0], (unsigned long long)bytes[1]);
}

/* Lists of readers are used again: what 32 words need does not grow with the times that they are read and stored. */
Test(check_exact, readers_that_are_gone_leave_their_room) {
    static const char loop[] = " mov.b32 n, %u\n setp.lt.u32 p, t, 32\n and.b32 w, t, 31\n mad.wide.u32 pe, w, 4, py\n"
                               "again:\n ld.global.b32 v, [pe]\n bar.sync 0\n@p st.global.b32 [pe], t\n bar.sync 0\n"
                               " sub.u32 n, n, 1\n setp.ne.u32 q, n, 0\n@q bra again";
    char text[600];
    uint64_t bytes[2];
    for (uint32_t many = 0; many < 2; many++) {
        snprintf(text, sizeof text, loop, many ? 1000u : 10u);
        struct heddle_result r = checked(text, "race", two_warps);
        cr_expect_eq(r.nfindings, 0);
        bytes[many] = r.check_memory;
    }
    cr_expect_lt(bytes[1], bytes[0] + 300000, "%llu and %llu bytes", (unsigned long long)bytes[0],
                 (unsigned long long)bytes[1]);
}

/* What a thread acquires again and again is known already: it takes no more room, however many have released it. */
Test(check_exact, what_is_known_is_not_kept_twice) {
    static const char text[] =
        " setp.ne.u32 p, t, 0\n@p exit\n setp.eq.u32 p, b, 99\n mov.b32 w, 1\n fence.gpu\n"
        "@!p atom.global.add.u32 v, [py], w\n setp.eq.u32 q, b, 0\n@q st.global.release.b32 [py+64], w\n"
        "@!p exit\n mov.b32 n, %u\nagain:\n ld.global.acquire.b32 v, [py]\n"
        " ld.global.acquire.b32 v, [py+64]\n sub.u32 n, n, 1\n setp.ne.u32 q, n, 0\n@q bra again";
    char whole[800];
    uint64_t bytes[2];
    for (uint32_t many = 0; many < 2; many++) {
        snprintf(whole, sizeof whole, text, many ? 1000u : 10u);
        struct heddle_result r = checked(whole, "race", (struct sizes){32, 32, 100});
        cr_expect_eq(r.nfindings, 0);
        bytes[many] = r.check_memory;
    }
    cr_expect_lt(bytes[1], bytes[0] + 300000, "%llu and %llu bytes", (unsigned long long)bytes[0],
                 (unsigned long long)bytes[1]);
}
