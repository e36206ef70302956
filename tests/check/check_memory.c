/* Do the shadows of checkers stay within their bounds, and do findings stay true when accesses were forgotten? */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/lib/scoped.h"

enum { MIB = 1 << 20 };

struct checked_size {
    uint64_t elements;
    uint32_t warps;
    bool timed, bytes;
};

/* A launch of blocks of one warp, by checkers that may take 2 * `room` bytes; 0: the usual. */
static struct heddle_result checked(struct heddle *h, const char *text, const struct checked_size *size,
                                    const char *kinds, uint64_t room) {
    const uint64_t elements = size->elements;
    const bool timed = size->timed;
    struct heddle_program *p = heddle_load(h, "k.hd", text, strlen(text));
    struct heddle_result r = {0};
    cr_assert_not_null(p, "%s", heddle_error(h));
    cr_assert(heddle_buffer(h, "y", size->bytes ? "u8" : "u32", 1, &elements));
    struct heddle_arg args = {.name = "y", .buffer = "y"};
    struct heddle_launch l = {.grid = {size->warps, 1, 1}, .block = {32, 1, 1}, .warp = 32, .args = &args, .nargs = 1};
    const char *const sms = "sms=1";
    cr_assert(heddle_board_load(h, NULL, &sms, 1));
    l.functional = !timed;
    if (room && timed) /* which makes the board */
        cr_assert_eq(heddle_launch(h, p, &l, &r), HEDDLE_OK, "%s", heddle_error(h));
    if (room && timed)
        cr_assert(heddle_buffer(h, "y", "u32", 1, &elements));
    heddle_max_memory(h, room ? heddle_memory(h).used + 4 * room : 0);
    l.check = kinds;
    cr_assert_eq(heddle_launch(h, p, &l, &r), HEDDLE_OK, "%s", heddle_error(h));
    heddle_program_free(p);
    return r;
}

/* Each thread stores its element. */
static const char stores[] = ".kernel k\n.param y : u32[]\n.reg t, b, i, py:2\n.pred p\n"
                             "  s2r t, %tid.x\n  s2r b, %ctaid.x\n  shl.b32 b, b, 5\n  add.u32 t, t, b\n"
                             "  ld.param.b64 py, [y]\n  mad.wide.u32 py, t, 4, py\n  st.global.b32 [py], t\n  exit\n";

Test(check_memory, pages_are_made_when_touched) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    struct heddle_result r = checked(h, stores, &(struct checked_size){4 * MIB, 4, false, false}, "init", 0);
    cr_expect_eq(r.nfindings, 0);
    cr_expect_eq(r.check_forgotten, 0);
    cr_expect_lt(r.check_memory, MIB, "%llu", (unsigned long long)r.check_memory);
}

Test(check_memory, pages_have_a_bound) {
    for (uint32_t both = 0; both < 2; both++) {
        SCOPED(heddle_drop) struct heddle *h = heddle_new();
        struct heddle_result r =
            checked(h, stores, &(struct checked_size){2 * MIB, 65536, false, false}, both ? "race,init" : "init", MIB);
        cr_expect_eq(r.nfindings, 0);
        cr_expect_gt(r.check_forgotten, 0);
        cr_expect_lt(r.check_memory, 2 * MIB, "%llu", (unsigned long long)r.check_memory);
    }
}

/*
 * Lane 0 of each block waits for its turn, then adds to a word `n` times, and releases it with a number. All are
 * ordered, if there is a fence before the last number.
 */
static const char turns[] = ".kernel k\n.param y : u32[64]\n.reg t, i, v, u, py:2\n.pred p, more\n"
                            "  s2r t, %%tid.x\n  ld.param.b64 py, [y]\n  setp.ne.u32 p, t, 0\n@p exit\n"
                            "  s2r t, %%ctaid.x\n  mul.lo.u32 t, t, %u\n  mov.b32 i, %u\n  mov.b32 u, 1\n"
                            "wait:\n  ld.global.acquire.b32 v, [py]\n  setp.lt.u32 more, v, t\n@more bra wait\n"
                            "again:\n  fence.gpu\n  atom.add.u32.global v, [py], u\n"
                            "  ld.global.b32 v, [py+128]\n  add.u32 v, v, 1\n  st.global.b32 [py+128], v\n"
                            "  sub.u32 i, i, 1\n  setp.ne.u32 more, i, 0\n@more bra again\n"
                            "  %s\n  atom.add.u32.global v, [py], u\n  exit\n";

static struct heddle_result by_turns(struct heddle *h, const char *last, uint64_t room, bool timed) {
    char text[sizeof turns + 40];
    uint32_t times = timed ? 400 : 4096;
    snprintf(text, sizeof text, turns, times + 1, times, last);
    return checked(h, text, &(struct checked_size){64, 8, timed, false}, "race", room);
}

Test(check_memory, what_is_known_has_a_bound) {
    for (uint32_t timed = 0; timed < 2; timed++) {
        uint64_t room = timed ? MIB / 8 : MIB / 2;
        SCOPED(heddle_drop) struct heddle *h = heddle_new();
        struct heddle_result r = by_turns(h, "fence.gpu", 0, timed);
        cr_expect_eq(r.nfindings, 0);
        cr_expect_eq(r.check_forgotten, 0);
        r = by_turns(h, "fence.gpu", room, timed);
        cr_expect_eq(r.nfindings, 0);
        cr_expect_gt(r.check_forgotten, 0);
        cr_expect_lt(r.check_memory, 2 * room, "%llu", (unsigned long long)r.check_memory);
    }
}

/* Turns of blocks of which the first leaves a byte, the only one of a page; the second and the last load it. */
Test(check_memory, the_last_byte_is_forgotten_too) {
    static const char last[] = ".kernel k\n.param y : u8[4097]\n.reg t, b, i, v, u, py:2\n.pred p, more, q\n"
                               "  s2r t, %tid.x\n  ld.param.b64 py, [y]\n  setp.ne.u32 p, t, 0\n@p exit\n"
                               "  s2r b, %ctaid.x\n  mov.b32 i, 4000\n  setp.eq.u32 q, b, 0\n"
                               "@q st.global.u8 [py+4096], b\n  mov.b32 u, 1\n"
                               "again:\n  atom.exch.b32.global v, [py], u\n  ld.global.b32 v, [py+128]\n"
                               "  sub.u32 i, i, 1\n  setp.ne.u32 more, i, 0\n@more bra again\n"
                               "  ld.global.u8 v, [py+4096]\n  exit\n";
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    struct heddle_result r = checked(h, last, &(struct checked_size){4097, 2, false, true}, "race", MIB / 8);
    cr_expect_gt(r.check_forgotten, 0);
    cr_expect_eq(r.nfindings, 0, "what was forgotten is no race");
    r = checked(h, last, &(struct checked_size){4097, 2, false, true}, "race", 0);
    cr_expect_eq(r.check_forgotten, 0);
    cr_expect_eq(r.nfindings, 1);
}

Test(check_memory, a_race_is_found_after_all_was_forgotten) {
    for (uint32_t timed = 0; timed < 2; timed++) {
        SCOPED(heddle_drop) struct heddle *h = heddle_new();
        struct heddle_result r = by_turns(h, "nop", timed ? MIB / 8 : MIB / 2, timed);
        cr_expect_eq(r.nfindings, 2);
        cr_expect_gt(r.check_forgotten, 0);
    }
}

/* Words that block 0 stores and block 1 loads, each at lines of their own: more findings than their index first has. */
Test(check_memory, findings_of_many_lines_are_apart) {
    enum { WORDS = 70 };
    static char text[8000];
    int n = snprintf(text, sizeof text,
                     ".kernel k\n.param y : u32[]\n.reg b, v, py:2\n.pred p\n s2r b, %%ctaid.x\n"
                     " ld.param.b64 py, [y]\n setp.eq.u32 p, b, 0\n");
    for (int i = 0; i < WORDS; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "@p st.global.b32 [py+%d], b\n@!p ld.global.b32 v, [py+%d]\n",
                      4 * i, 4 * i);
    snprintf(text + n, sizeof text - (size_t)n, " exit\n");
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    struct heddle_result r = checked(h, text, &(struct checked_size){WORDS, 2, false, false}, "race", 0);
    uint32_t found[2 * WORDS + 8] = {0};
    for (uint32_t i = 0; i < r.nfindings; i++)
        for (uint32_t k = 0; strcmp(r.findings[i].class_, "read-write") == 0 && k < 2; k++)
            found[r.findings[i].places[k].line]++;
    for (uint32_t line = 8; line < 2 * WORDS + 8; line++)
        cr_expect_eq(found[line], 1, "line %u: %u findings", line, found[line]);
}

/* Whatever memory there is, checkers find what they find with all of it, forget accesses, or memory ran out. */
Test(check_memory, no_lack_of_memory_invents_or_hides) {
    static const char text[] =
        ".kernel k\n.param y : u32[]\n.shared s : u32[64]\n.reg t, o, u, v, f, py:2\n.pred p, q\n"
        "  s2r t, %tid.x\n  ld.param.b64 py, [y]\n  mad.wide.u32 py, t, 4, py\n"
        "  shl.b32 o, t, 2\n  st.shared.u8 [o], u\n  xor.b32 o, o, 4\n"
        "  ld.shared.b32 v, [o]\n  cvt.f32.u32 f, t\n  rcp.f32 f, f\n  setp.eq.u32 p, v, 3\n"
        "  vote.any q, p\n  fence.gpu\n  red.global.add.f32 [py], f\n"
        "  atom.add.u32.shared rz, [o], t\n  bar.sync 0\n  ld.shared.b32 v, [o]\n"
        "  shfl.bfly.b32 v, v, 1\n  st.global.b32 [py], v\n  exit\n";
    static const char kinds[] = "race,init,sync,mem,value";
    const uint64_t elements = 64, all = 1ull << 30;
    uint32_t answered = 0, short_of = 0, most = 0;
    for (uint64_t room = all; answered < 4; room = room == all ? 1 << 10 : room + room / 8) {
        SCOPED(heddle_drop) struct heddle *h = heddle_new();
        struct heddle_program *p = heddle_load(h, "k.hd", text, sizeof text - 1);
        struct heddle_result r = {0};
        cr_assert(p && heddle_buffer(h, "y", "u32", 1, &elements), "%s", heddle_error(h));
        const struct heddle_arg args = {.name = "y", .buffer = "y"};
        struct heddle_launch l = {.block = {32, 1, 1}, .warp = 32, .args = &args, .nargs = 1, .check = kinds};
        l.functional = true;
        heddle_max_memory(h, heddle_memory(h).used + room);
        if (heddle_launch(h, p, &l, &r) == HEDDLE_OK) {
            most = room == all ? r.nfindings : most;
            cr_expect(r.nfindings == most || r.check_forgotten > 0, "%u findings of %u in %llu bytes", r.nfindings,
                      most, (unsigned long long)room);
            cr_expect_leq(r.nfindings, most);
            answered++;
        } else {
            cr_expect(strstr(heddle_error(h), "memory"), "%s", heddle_error(h));
            short_of++;
        }
        heddle_program_free(p);
    }
    cr_expect(most >= 3 && short_of > 20, "%u findings, %u times short of memory", most, short_of);
}
