/*
 * heddle_cases: the cases of kernel files, their lines `;!` (docs/assembly.md, "Expectations"), as launches. Their
 * expressions are Lua, so this is a library of its own, libheddle_cases.so, beside libheddle, which needs no Lua.
 *
 *   struct heddle_session *s = heddle_session_new("/usr/share/heddle", 0);
 *   struct heddle_file file = {.name = "saxpy.hd", .text = text, .len = length};
 *   struct heddle_program *p = heddle_load_file(h, &file);
 *   struct heddle_case_asked asked = {.which = "big"};
 *   struct heddle_case found;
 *   struct heddle_case_given given = {.board_warp = 32};
 *   struct heddle_launch l = {0};
 *   struct heddle_result r;
 *   struct heddle_case_verdict v;
 *   if (heddle_case_find(s, h, &file, &asked, &found) && heddle_case_fill(s, p, &given, &l) &&
 *       heddle_launch(h, p, &l, &r) == HEDDLE_OK && heddle_case_check(s, &r, false, &v))
 *       printf("%u of %u expectations are met\n%s", v.met, v.total, v.text);
 *
 * Files of `share` are read, and those that a kernel includes; nothing prints or exits. A session is for one thread at
 * a time.
 */
#ifndef HEDDLE_CASES_H
#define HEDDLE_CASES_H

#include "sim/api/heddle.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default) /* all that the library exports */
#endif

struct heddle_session; /* an interpreter of Lua, and the case that was found last */

/*
 * `share` is the folder that holds scripts/ and kernels/, NULL when there is none; `max_memory` bounds each context
 * that a script makes, in bytes; 0 = no bound. NULL when out of memory.
 */
struct heddle_session *heddle_session_new(const char *share, uint64_t max_memory);
void heddle_session_free(struct heddle_session *s);

/* Why the last call failed: lines that end in a newline; "" if it did not. Valid until the next call. */
const char *heddle_session_error(const struct heddle_session *s);

/* Texts are valid until the session looks for the next case. */
struct heddle_case {
    uint32_t number, count; /* the case, from 1, of so many */
    const char *entry;      /* kernel */
    const char *text;       /* "run saxpy grid=4 block=64" */
    const char *board;      /* of configs/; NULL = none */
    const char *buffers;    /* the names of those that it makes, blanks between them */
};

/* Which case of a file is meant (docs/running.md). */
struct heddle_case_asked {
    const char *which; /* N, NAME or NAME:K, as --case says; NULL = none of its own */
    const char *entry; /* then it is of this kernel; NULL = of any */
    uint32_t sms;      /* and then, if a board of so many SMs takes it, the one of the name `big`, before the first */
};

/*
 * That case, which will be a launch on `h`; what was known of the case before is gone. An entry of NULL in `found` is
 * no case, when none was asked for. False: heddle_session_error.
 */
bool heddle_case_find(struct heddle_session *s, struct heddle *h, const struct heddle_file *file,
                      const struct heddle_case_asked *asked, struct heddle_case *found);

/* What is given in place of the case's own. */
struct heddle_case_given {
    uint32_t warp;                 /* 0 = not given */
    uint32_t board_warp;           /* of the board, which chooses among the case's own */
    const struct heddle_arg *args; /* scalars as text, and the names of buffers */
    uint32_t nargs;
};

/*
 * Makes the buffers of that case and fills them; sets what the case says of a launch of `p`: kernel, sizes, limit and
 * arguments, which are valid until the next case. A buffer that is given is taken as it is, or made of zeros when
 * there is none of that name.
 */
bool heddle_case_fill(struct heddle_session *s, const struct heddle_program *p, const struct heddle_case_given *given,
                      struct heddle_launch *launch);

struct heddle_case_verdict {
    uint32_t total, met; /* expectations */
    const char *text;    /* those not met, lines; valid until the next case */
};

/* Compares what the launch left in the buffers of `h` with what the case expects; `metrics` among it. */
bool heddle_case_check(struct heddle_session *s, const struct heddle_result *result, bool metrics,
                       struct heddle_case_verdict *verdict);

/*
 * Sets the elements of the buffer `name` of `h` from an expression of the index `i`, as behind `;! in x : f32[n] =
 * expr`; it sees the scalars among the arguments and, after heddle_case_fill, all that expressions of the case
 * see.
 */
bool heddle_case_expression(struct heddle_session *s, struct heddle *h, const char *name, const char *expression,
                            const struct heddle_arg *args, uint32_t nargs);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
