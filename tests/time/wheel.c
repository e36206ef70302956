/* Does the wheel of a sub-core find due warps as a plain list of times does? */
#include <criterion/criterion.h>

#include "sim/time/wheel.h"

enum { STEPS = 20000 };

static u32 draw(u32 *state, u32 below) {
    *state = *state * 1664525 + 1013904223;
    return (*state >> 8) % below;
}

static u64 least(const u64 time[WHEEL_PLACES]) {
    u64 least = TIME_NEVER;
    for (u32 i = 0; i < WHEEL_PLACES; i++)
        least = time[i] < least ? time[i] : least;
    return least;
}

static u64 take_from(u64 time[WHEEL_PLACES], u64 now) {
    u64 due = 0;
    for (u32 i = 0; i < WHEEL_PLACES; i++)
        if (time[i] <= now) {
            due |= (u64)1 << i;
            time[i] = TIME_NEVER;
        }
    return due;
}

/* Places wait for a few cycles, for just about a turn of the wheel, or for long. */
static u64 ahead(u32 *state) {
    switch (draw(state, 3)) {
    case 0: return 1 + draw(state, 8);
    case 1: return WHEEL_CYCLES - 2 + draw(state, 5);
    default: return 1 + draw(state, 1000);
    }
}

Test(wheel, takes_what_a_list_of_times_would) {
    struct wheel w;
    u64 time[WHEEL_PLACES], now = 7;
    u32 state = 1;
    wheel_init(&w);
    for (u32 i = 0; i < WHEEL_PLACES; i++)
        time[i] = TIME_NEVER;
    for (u32 step = 0; step < STEPS; step++) {
        for (u32 n = draw(&state, 4); n > 0; n--) {
            u32 place = draw(&state, WHEEL_PLACES);
            if (time[place] == TIME_NEVER)
                wheel_add(&w, place, time[place] = now + ahead(&state));
        }
        cr_assert_eq(w.soonest, least(time), "step %u", step);
        if (w.soonest == TIME_NEVER)
            continue;
        now = draw(&state, 4) && w.soonest > now + 1 ? w.soonest - 1 : w.soonest; /* idle, or something is due */
        cr_assert_eq(wheel_take(&w, now), take_from(time, now), "step %u", step);
    }
}

Test(wheel, is_empty_at_first) {
    struct wheel w;
    wheel_init(&w);
    cr_assert_eq(w.soonest, TIME_NEVER);
    cr_assert_eq(wheel_take(&w, 1000), 0);
    cr_assert_eq(w.soonest, TIME_NEVER);
}
