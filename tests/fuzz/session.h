/*
 * A random program (tests/fuzz/program.h) loaded through the public API, with its buffers: what fuzzers of launches and
 * proofs begin with. What must not be ends the process with the program and the reason.
 *
 *   struct session s;
 *   session_begin(&s, bytes, len, &(struct program_options){.shared = true});
 *   session_launch(&s, &s.launch, &result);
 *   session_end(&s);
 */
#ifndef HEDDLE_TESTS_FUZZ_SESSION_H
#define HEDDLE_TESTS_FUZZ_SESSION_H

#include "sim/api/heddle.h"
#include "tests/fuzz/program.h"

struct session {
    struct program_text text;
    struct program_buffer buffer[PROGRAM_BUFFERS];
    struct heddle *h;
    struct heddle_program *program;
    struct heddle_launch launch; /* all of the program; to be copied and added to */
    struct heddle_arg args[PROGRAM_BUFFERS];
    u32 seed; /* of the inputs */
};

/* Consumes all bytes: the first one is the seed of the inputs. */
void session_begin(struct session *s, const u8 *bytes, size_t len, const struct program_options *options);
void session_end(struct session *s);

/* The buffers as they were before the first launch. */
void session_rewind(struct session *s);

/* Rewinds and launches. Ends the process on a fault and on counters that do not add up. */
enum heddle_status session_launch(struct session *s, const struct heddle_launch *l, struct heddle_result *r);

/* Copies the bytes of all buffers, one after another: malloc'd, `*len` of them. */
u8 *session_bytes(struct session *s, size_t *len);

/* Appends all numbers of a timed result, in a fixed order. */
void session_numbers(const struct heddle_result *r, struct buf *out);

/* Ends the process. */
_Noreturn void session_wrong(const struct session *s, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Changes values of the board chosen by the bytes, except those that its rules refuse. */
void session_board(struct session *s, const u8 *bytes, size_t len);

#endif
