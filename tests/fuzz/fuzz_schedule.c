/*
 * Orders of warps of random programs. One without a race leaves the same in every order that the explorer runs; where
 * orders leave different bytes, the checkers find why; and when there is no order left, a random one is among them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/session.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void compare_random(struct session *s, u32 seed) {
    char schedule[32];
    struct heddle_launch l = s->launch;
    struct heddle_result r;
    size_t len;
    session_launch(s, &l, &r);
    u8 *plain = session_bytes(s, &len);
    snprintf(schedule, sizeof schedule, "random:%u", seed);
    l.schedule = schedule;
    session_launch(s, &l, &r);
    u8 *bytes = session_bytes(s, &len);
    if (memcmp(plain, bytes, len) != 0)
        session_wrong(s, "schedule %s gives other bytes than every order", schedule);
    free(plain);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    struct program_options options = {
        .shared = true, .global = true, .divergent = true, .warps = 3, .blocks = 2, .statements = 12};
    struct session s;
    struct heddle_result r;
    if (size < 2)
        return 0;
    options.without = data[0] % 4;
    session_begin(&s, data + 2, size - 2, &options);
    struct heddle_launch l = s.launch;
    l.schedule = "all:20";
    l.check = data[1] % 2 ? "race,sync" : NULL;
    session_rewind(&s);
    enum heddle_status status = heddle_launch(s.h, s.program, &l, &r);
    bool raceless = s.text.synchronisations < options.without || !options.without, same = r.orders && r.orders->same;
    if (!r.orders || (status != HEDDLE_OK && (raceless || status != HEDDLE_FAULT)))
        session_wrong(&s, "the launch is refused, or faults");
    if (raceless && (!same || r.nfindings))
        session_wrong(&s, "%s; %u findings", r.orders->text, r.nfindings);
    if (!same && l.check && r.nfindings == 0)
        session_wrong(&s, "%s, and the checkers find nothing", r.orders->text);
    if (same && (raceless || (r.orders->all && !r.orders->faults)))
        compare_random(&s, data[1]);
    session_end(&s);
    return 0;
}
