#include "tests/prove/prove_rig.h"

#include <criterion/criterion.h>
#include <string.h>

const struct heddle_arg pair_args[2] = {{.name = "x", .buffer = "x"}, {.name = "y", .buffer = "y"}};

struct pair pair_load(const char *a, const char *b) {
    struct pair r = {.h = heddle_new()};
    const char *text[] = {a, b}, *file[] = {"a.hd", "b.hd"};
    const uint64_t two[] = {2 * N}, one[] = {N};
    cr_assert(heddle_buffer(r.h, "x", "u32", 1, two) && heddle_buffer(r.h, "y", "u32", 1, one));
    for (u32 i = 0; i < 2; i++) {
        r.program[i] = heddle_load(r.h, file[i], text[i], strlen(text[i]));
        cr_assert(r.program[i], "%s", heddle_error(r.h));
        r.asked.kernel[i].program = r.program[i];
    }
    r.asked.args = pair_args;
    r.asked.nargs = COUNT_OF(pair_args);
    r.asked.warp = 32;
    return r;
}

void pair_go(struct pair *r) {
    r->status = heddle_prove(r->h, &r->asked, &r->proof);
}

void pair_done(struct pair *r) {
    heddle_program_free(r->program[0]);
    heddle_program_free(r->program[1]);
    heddle_free(r->h);
}
