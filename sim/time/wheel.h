/*
 * When each of up to 64 places has something to do: a wheel of 64 cycles, each with a mask of its places, and a list
 * of the places that are further ahead.
 *
 *      base  +1 +2 +3            +64
 *        |   |a |  |b,c|  ...  |  |      far: d at base + 400
 *
 * A cycle's mask is at its time modulo 64. Every place has one time at most, later than `base` when it is added; a
 * caller must take what is due in the cycle `soonest`, not later. Measured on an FMA loop: to look at the time of each
 * of 16 places instead took 50 host instructions more for each issue.
 */
#ifndef HEDDLE_TIME_WHEEL_H
#define HEDDLE_TIME_WHEEL_H

#include "sim/arch/state.h"
#include "sim/base/bits.h"
#include "sim/time/message.h"

enum { WHEEL_CYCLES = 64, WHEEL_PLACES = 64 };

struct wheel {
    u64 base;               /* everything due until then has been taken */
    u64 soonest;            /* least time of all places; TIME_NEVER: none */
    u64 used;               /* cycles whose mask is not empty, one bit each */
    u64 far;                /* places that are in no mask, one bit each */
    u64 far_soonest;        /* least time of the places in `far` */
    u64 at[WHEEL_CYCLES];   /* places due in each cycle, one bit each */
    u64 time[WHEEL_PLACES]; /* times of the places in `far` */
};

static inline void wheel_init(struct wheel *w) {
    *w = (struct wheel){.soonest = TIME_NEVER, .far_soonest = TIME_NEVER};
}

/* Adds a place that is not in it. */
static inline void wheel_add(struct wheel *w, u32 place, u64 time) {
    u64 bit = (u64)1 << place;
    if (LIKELY(time - w->base - 1 < WHEEL_CYCLES)) {
        w->at[time % WHEEL_CYCLES] |= bit;
        w->used |= (u64)1 << time % WHEEL_CYCLES;
    } else {
        w->far |= bit;
        w->time[place] = time;
        w->far_soonest = min_u64(time, w->far_soonest);
    }
    w->soonest = min_u64(time, w->soonest);
}

/* Far places that are due; far places within reach are moved into the wheel. */
static inline u64 wheel_near(struct wheel *w, u64 now) {
    u64 due = 0, left = w->far;
    w->far = 0;
    w->far_soonest = TIME_NEVER;
    for (; left; left &= left - 1) {
        u32 place = first_lane(left);
        if (w->time[place] <= now)
            due |= (u64)1 << place;
        else
            wheel_add(w, place, w->time[place]);
    }
    return due;
}

/* Takes the places whose time has passed. */
static inline u64 wheel_take(struct wheel *w, u64 now) {
    u32 cycle = now % WHEEL_CYCLES;
    u64 due = 0;
    w->base = now;
    if (LIKELY(w->used >> cycle & 1)) {
        due = w->at[cycle];
        w->at[cycle] = 0;
        w->used &= ~((u64)1 << cycle);
    }
    if (UNLIKELY(w->far_soonest <= now))
        due |= wheel_near(w, now);
    u32 next = (cycle + 1) % WHEEL_CYCLES;
    u64 ahead = w->used >> next | w->used << (WHEEL_CYCLES - next) % WHEEL_CYCLES;
    u64 near = ahead ? now + 1 + first_lane(ahead) : TIME_NEVER;
    w->soonest = min_u64(near, w->far_soonest);
    return due;
}

#endif
