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
#pragma GCC visibility push(default) /* everything that the library exports */
#endif

struct heddle_session; /* an interpreter of Lua, and the case found last */

/*
 * Starts a session. `share` is the folder with scripts/ and kernels/, or NULL; `max_memory` limits each context that a
 * script makes, in bytes; 0 = no limit. NULL when out of memory.
 */
struct heddle_session *heddle_session_new(const char *share, uint64_t max_memory);
void heddle_session_free(struct heddle_session *s);

/* Returns why the last call failed: lines that end in a newline; "" if it succeeded. Valid until the next call. */
const char *heddle_session_error(const struct heddle_session *s);

/* A case of a kernel file. Its texts are valid until the session searches the next case. */
struct heddle_case {
    uint32_t number, count; /* number of the case, from 1, and of all */
    const char *entry;      /* kernel */
    const char *text;       /* "run saxpy grid=4 block=64" */
    const char *board;      /* board in configs/; NULL = none */
    const char *buffers;    /* names of the buffers that it makes, blanks between them */
};

/* Selects a case of a file (docs/running.md). */
struct heddle_case_asked {
    const char *which; /* N, NAME or NAME:K, as in --case; NULL = the default */
    const char *entry; /* kernel of the case; NULL = any */
    uint32_t sms;      /* SMs of the board, 0 = none: with many, the default is the case `big`, else the first */
};

/*
 * Finds a case to be launched on `h`, and forgets the one before. An entry of NULL in `found` means that the file has
 * no default case. False with the reason in heddle_session_error.
 */
bool heddle_case_find(struct heddle_session *s, struct heddle *h, const struct heddle_file *file,
                      const struct heddle_case_asked *asked, struct heddle_case *found);

/* Values in place of the case's own. */
struct heddle_case_given {
    uint32_t warp;                 /* 0 = the case's own */
    uint32_t board_warp;           /* warp width of the board, which chooses among the case's own */
    const struct heddle_arg *args; /* scalars as text, and the names of buffers */
    uint32_t nargs;
};

/*
 * Makes the buffers of the case and fills them; sets a launch of `p` as the case describes it: kernel, sizes, limit and
 * arguments, which are valid until the next case. A buffer that is given is used as it is, or made of zeros if the
 * context has none of its name.
 */
bool heddle_case_fill(struct heddle_session *s, const struct heddle_program *p, const struct heddle_case_given *given,
                      struct heddle_launch *launch);

struct heddle_case_verdict {
    uint32_t total, met; /* expectations */
    const char *text;    /* expectations not met, as lines; valid until the next case */
};

/* Compares the buffers of `h` after the launch with the case's expectations; with `metrics`, also the metrics. */
bool heddle_case_check(struct heddle_session *s, const struct heddle_result *result, bool metrics,
                       struct heddle_case_verdict *verdict);

/*
 * Sets the elements of the buffer `name` of `h` from an expression of the index `i`, as in `;! in x : f32[n] = expr`.
 * It may use the scalars among the arguments and, after heddle_case_fill, whatever expressions of the case may use.
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
