/* Kernels, buffers and a launch for tests of the public API. */
#ifndef HEDDLE_TESTS_API_H
#define HEDDLE_TESTS_API_H

#include <criterion/criterion.h>
#include <string.h>

#include "tests/lib/scoped.h"

static const char saxpy[] = ".kernel saxpy\n"
                            ".param x : f32[n]\n"
                            ".param y : f32[n]\n"
                            ".param a : f32\n"
                            ".param n : u32\n"
                            ".reg i, limit, t, alpha, xv, yv, px:2, py:2\n"
                            ".pred outside\n"
                            "        s2r i, %ctaid.x\n"
                            "        s2r t, %ntid.x\n"
                            "        s2r xv, %tid.x\n"
                            "        mad.lo.s32 i, i, t, xv\n"
                            "        ld.param.b32 limit, [n]\n"
                            "        setp.ge.u32 outside, i, limit\n"
                            "@outside exit\n"
                            "        ld.param.b64 px, [x]\n"
                            "        ld.param.b64 py, [y]\n"
                            "        ld.param.b32 alpha, [a]\n"
                            "        mad.wide.u32 px, i, 4, px\n"
                            "        mad.wide.u32 py, i, 4, py\n"
                            "        ld.global.b32 xv, [px]\n"
                            "        ld.global.b32 yv, [py]\n"
                            "        fma.f32 yv, alpha, xv, yv\n"
                            "        st.global.b32 [py], yv\n"
                            "        exit\n";

/* Two kernels; the second writes one word past the end of its buffer, after 32 good ones. */
static const char two[] = ".kernel first\n"
                          "        exit\n"
                          ".func helper\n"
                          "        ret\n"
                          ".kernel past_the_end\n"
                          ".warp 8, 16\n"
                          ".param out : u32[]\n"
                          ".reg i, v, po:2\n"
                          "        s2r i, %ctaid.x\n"
                          "        ld.param.b64 po, [out]\n"
                          "        mad.wide.u32 po, i, 4, po\n"
                          "        st.global.b32 [po], i\n"
                          "        exit\n";

static const char forever[] = ".kernel forever\nagain:  bra again\n";

static inline struct heddle_program *load(struct heddle *h, const char *name, const char *text) {
    struct heddle_program *p = heddle_load(h, name, text, strlen(text));
    cr_assert(p, "%s", heddle_error(h));
    return p;
}

static inline void says(const struct heddle *h, const char *message) {
    cr_assert(strcmp(heddle_error(h), message) == 0, "expected:\n%sgot:\n%s", message, heddle_error(h));
}

static inline float *floats(struct heddle *h, const char *name) {
    struct heddle_tensor t;
    cr_assert(heddle_buffer_get(h, name, &t), "%s", heddle_error(h));
    return (float *)(void *)t.data;
}

/* x = 0, 1, 2, ...; y = 1 */
static inline void make_buffers(struct heddle *h, uint64_t n) {
    cr_assert(heddle_buffer(h, "x", "f32", 1, &n) && heddle_buffer(h, "y", "f32", 1, &n), "%s", heddle_error(h));
    float *x = floats(h, "x"), *y = floats(h, "y");
    for (uint64_t i = 0; i < n; i++) {
        x[i] = (float)i;
        y[i] = 1;
    }
}

static const struct heddle_arg good_args[] = {{.name = "x", .buffer = "x"},
                                              {.name = "y", .buffer = "y"},
                                              {.name = "a", .number = 2},
                                              {.name = "n", .number = 100}};

static inline struct heddle_launch good_launch(void) {
    return (struct heddle_launch){.grid = {4, 0, 0}, .block = {32, 0, 0}, .args = good_args, .nargs = 4};
}

#endif
