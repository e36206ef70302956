#include "sim/api/schedule.h"

#include <string.h>

/* The number behind a word of a schedule, "random:7"; false when there is none. */
static bool read_number(const char *text, u64 *value) {
    u64 v = 0;
    bool ok = *text != 0;
    for (; *text && ok; text++) {
        u64 digit = (u64)(*text - '0');
        ok = *text >= '0' && *text <= '9' && v <= (UINT64_MAX - digit) / 10;
        v = v * 10 + digit;
    }
    *value = v;
    return ok;
}

bool schedule_prepare(struct heddle *h, const struct heddle_launch *asked, struct launch *l, struct schedule *s) {
    static const char random[] = "random:";
    const char *text = asked->schedule;
    if (!text)
        return true;
    if (h->clocked && !asked->functional)
        return context_fail(h, "heddle",
                            "the schedule '%s' is for launches without a clock: with one, the clock of "
                            "'%s' decides who runs when",
                            text, heddle_board_name(h));
    if (strncmp(text, random, strlen(random)) != 0 || !read_number(text + strlen(random), &s->random.seed))
        return context_fail(h, "heddle", "unknown schedule '%s'; expected random:SEED with a whole number", text);
    l->chooser = schedule_random(&s->random);
    return true;
}
