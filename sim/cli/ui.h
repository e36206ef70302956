/*
 * Messages of the command: errors on stderr, in colour on terminals.
 *
 *   heddle: error: unknown command 'rnu'; did you mean 'run'?
 *   --out: error: unknown type 'f33'; did you mean 'f32'?
 *       --out y=f33[4]:y.npy
 *               ^~~
 */
#ifndef HEDDLE_CLI_UI_H
#define HEDDLE_CLI_UI_H

#include <stdio.h>

#include "sim/base/buf.h"
#include "sim/base/types.h"

/* Sets "auto", "always" or "never"; false for anything else. */
bool ui_set_color(const char *when);
bool ui_color(FILE *stream);

/* The code of a colour on standard output; "" if that takes none. */
static inline const char *ui_paint(const char *code) {
    return ui_color(stdout) ? code : "";
}

/* Shows an error of the library, as lines; those of a fault in rows. */
void ui_show(FILE *stream, const char *text);

/* Appends a line in rows of at most 100 columns, indented by blanks, and the second and later ones by four more. */
void ui_put_rows(struct buf *out, const char *line, size_t len, u32 indent);

/* Print an error; false. */
bool ui_error(const char *fmt, ...) PRINTF_LIKE(1, 2);
bool ui_no_memory(void);
bool ui_error_as(const char *who, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Shows an error in the value of an option, `len` bytes from `at` on underlined; false. */
bool ui_option_error(const char *option, const char *value, size_t at, size_t len, const char *fmt, ...)
    PRINTF_LIKE(5, 6);

/* `len` bytes from `at` on of the value of an option. */
struct ui_mark {
    const char *option, *value;
    size_t at, len;
};

/* Shows such an error in the file that gives the option instead; false if it gives none such. NULL = no file. */
typedef bool ui_place(const void *ctx, const struct ui_mark *mark, const char *text);
void ui_set_place(ui_place *place, const void *ctx);

/* `heddle run --html`: a result as a page of HTML, which scripts/report.lua makes from its JSON. */

/*
 * Adds the page of a result, "heddle-run-2" or "heddle-runs-2"; `changes`: the output of `heddle diff --csv` for its
 * runs, or NULL. False after a message.
 */
bool page_put(const struct buf *json, const struct buf *changes, struct buf *out);

/*
 * The prompt of `heddle lua`: line editing and history through libedit. The history is kept in
 * $XDG_STATE_HOME/heddle/history if that folder exists, else in ~/.heddle_history. Ctrl-C stops what runs.
 */

struct heddle_session;

/* Runs the prompt on the terminal of standard input until Ctrl-D; returns an exit status. */
int prompt_run(struct heddle_session *session);

#endif
