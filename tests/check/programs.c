/*
 * Random programs that have no race by construction (tests/fuzz/program.h): do the checkers find nothing in them, does
 * every order of warps give the same bytes, and is what was left out of them found?
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/session.h"
#include "tests/isa/isa_rig.h"

enum { BYTES = 400 };

static const struct program_options all = {.shared = true, .global = true, .divergent = true};

static void begin(struct session *s, u64 number, const struct program_options *options) {
    u8 bytes[BYTES];
    u64 state = number;
    for (u32 i = 0; i < BYTES; i++)
        bytes[i] = (u8)(rig_random(&state) >> 24);
    session_begin(s, bytes, BYTES, options);
}

/* The text of a finding, for the message. */
static const char *first_finding(const struct heddle_result *r) {
    static char text[200];
    const struct heddle_finding *f = r->findings;
    if (r->nfindings == 0)
        return "nothing";
    snprintf(text, sizeof text, "%s %s at lines %u and %u: %s", f->kind, f->class_, f->places[0].line,
             f->places[1].line, f->text);
    return text;
}

static void expect_clean(u64 first, u32 count, bool timed) {
    const char *const sms = "sms=2";
    for (u32 n = 0; n < count; n++) {
        struct session s;
        struct heddle_result r;
        begin(&s, first + n, &all);
        if (timed)
            cr_assert(heddle_board_load(s.h, NULL, &sms, 1));
        struct heddle_launch l = s.launch;
        l.check = "all";
        cr_assert_eq(session_launch(&s, &l, &r), HEDDLE_OK, "%s", heddle_error(s.h));
        if (r.nfindings)
            session_wrong(&s, "%s", first_finding(&r));
        session_end(&s);
    }
}

Test(programs, have_no_findings) {
    expect_clean(1, 60, false);
}

Test(programs, have_no_findings_with_a_clock) {
    expect_clean(101, 30, true);
}

Test(programs, do_not_depend_on_the_order_of_warps) {
    for (u32 n = 0; n < 60; n++) {
        struct session s;
        struct heddle_result r;
        size_t len, again;
        begin(&s, 201 + n, &all);
        session_launch(&s, &s.launch, &r);
        u8 *want = session_bytes(&s, &len);
        for (u32 seed = 0; seed < 3; seed++) {
            char schedule[32];
            struct heddle_launch l = s.launch;
            snprintf(schedule, sizeof schedule, "random:%u", seed);
            l.schedule = schedule;
            cr_assert_eq(session_launch(&s, &l, &r), HEDDLE_OK, "%s", heddle_error(s.h));
            u8 *got = session_bytes(&s, &again);
            if (memcmp(want, got, len) != 0)
                session_wrong(&s, "schedule %s gives other bytes", schedule);
            free(got);
        }
        free(want);
        session_end(&s);
    }
}

/* A missing synchronisation makes a race, unless there is no reader of what it ordered, or one thread does it all. */
Test(programs, are_found_out_without_a_barrier) {
    u32 found = 0, left_out = 0;
    for (u32 n = 0; n < 80; n++) {
        struct program_options without = all;
        struct session s;
        struct heddle_result r;
        without.without = 1 + n % 3;
        begin(&s, 301 + n, &without);
        if (s.text.synchronisations >= without.without) {
            struct heddle_launch l = s.launch;
            l.check = "race,sync";
            cr_assert_eq(session_launch(&s, &l, &r), HEDDLE_OK, "%s", heddle_error(s.h));
            left_out++;
            found += r.nfindings > 0;
        }
        session_end(&s);
    }
    cr_expect(left_out >= 40 && 2 * found > left_out, "%u races in %u programs", found, left_out);
}
