/* Programs from text, for tests that look at code. */
#ifndef HEDDLE_TESTS_PROGRAM_TEXT_H
#define HEDDLE_TESTS_PROGRAM_TEXT_H

#include <criterion/criterion.h>
#include <string.h>

#include "tests/lib/scoped.h"

/* Assembles; the test fails with the messages when the text is no program. */
static inline struct program *program_of_text(const char *text) {
    struct diag diag = {0};
    SCOPED(buf_free) struct buf out = {0};
    struct program *p = program_assemble("test.hd", text, strlen(text), NULL, &diag);
    diag_render(&diag, &out);
    cr_assert(p != NULL, "%s\nin:\n%s", out.data ? out.data : "no message", text);
    return p;
}

/* The program as an object has the same bytes; `about` is shown if not. */
static inline void expect_same_object(const struct program *p, const struct buf *object, const char *about) {
    SCOPED(buf_free) struct buf again = {0};
    program_save(p, &again);
    cr_assert(again.len == object->len && memcmp(again.data, object->data, again.len) == 0, "%s", about);
}

#endif
