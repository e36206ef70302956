/*
 * Diagnostics about input: collected with a position, sorted by it, printed with a caret under the source.
 *
 *   saxpy.hd:12:9: error: unknown instruction 'ffna'; did you mean 'ffma'?
 *      12 |     ffna r3, r1, r2, r0
 *         |     ^~~~
 *
 * Library code adds to a `struct diag` and never prints; the outer layers render it into text.
 */
#ifndef HEDDLE_BASE_DIAG_H
#define HEDDLE_BASE_DIAG_H

#include "sim/base/buf.h"
#include "sim/base/source_file.h"

enum { DIAG_MAX = 20 };  /* messages kept; later ones are only counted */
enum { DIAG_NOTES = 4 }; /* notes kept below each */

enum severity { SEV_ERROR, SEV_WARNING };

struct span {
    u32 line; /* 1-based; 0 = the file as a whole */
    u32 col;  /* 1-based, in bytes */
    u32 len;  /* bytes to underline, at least 1 */
};

struct diag_note {
    u32 line;
    char text[72]; /* "in the expansion of 'step'" */
};

struct diag_message {
    struct span at;
    enum severity severity;
    char text[240];
    u32 notes;
    struct diag_note note[DIAG_NOTES];
};

struct diag {
    const char *file;   /* name shown; not owned */
    const char *source; /* whole text, for the caret lines; may be NULL; not owned */
    size_t source_len;
    const struct source_file *included; /* texts whose lines follow those of `source`; not owned */
    u32 nincluded;
    struct diag_message message[DIAG_MAX];
    u32 kept;     /* messages in `message` */
    u32 last;     /* the one reported last; DIAG_MAX if it was not kept */
    u32 errors;   /* errors reported, kept or not */
    u32 warnings; /* warnings reported, kept or not */
};

/* Add an error, which returns false, or a warning. */
bool diag_error(struct diag *diag, struct span at, const char *fmt, ...) PRINTF_LIKE(3, 4);
void diag_warn(struct diag *diag, struct span at, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Adds a line below the last message, which names a line of the source; nothing when either is one too many. */
void diag_note(struct diag *diag, u32 line, const char *fmt, ...) PRINTF_LIKE(3, 4);

enum { TEXT_WIDEST = 400 }; /* bytes shown of a line; a longer one is not something a person wrote */

/* Appends the start of a text, for a terminal: bytes that are no UTF-8, and control characters, as '?'. */
void diag_put_text(struct buf *out, const char *text, size_t len);

/* Renders every message, in source order, into `out`. */
void diag_render(const struct diag *diag, struct buf *out);

/* Renders the numbered source line `at.line` and a caret line below it; nothing when the source is unknown. */
void diag_render_line(const char *source, size_t len, struct span at, struct buf *out);

/*
 * The nearest of `n` candidate names to `word` (optimal string alignment distance), or NULL when none is near enough to
 * be what was meant: at most a third of the word's length may differ. `name(ctx, i)` gives the i-th candidate, NULL to
 * pass it over.
 */
const char *nearest_name(const char *word, size_t n, const char *(*name)(const void *ctx, size_t i), const void *ctx);

#endif
