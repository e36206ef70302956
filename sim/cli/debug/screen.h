/*
 * The full-screen view of `heddle debug`: panes over the same recording as the prompt. A pane shows the output of a
 * command, and only commands move the cursor, so that view and prompt cannot disagree.
 *
 *   const char *why;
 *   if (!screen_run(&d, "saxpy on teach8", &why))
 *       puts(why);
 */
#ifndef HEDDLE_CLI_DEBUG_SCREEN_H
#define HEDDLE_CLI_DEBUG_SCREEN_H

#include "sim/base/buf.h"

struct debug;

/*
 * Shows the view until a key leaves it; `title` names the launch. False, with a sentence, without a suitable terminal.
 */
bool screen_run(struct debug *d, const char *title, const char **why);

/* True if this build has the view, and standard input and output are a terminal; false with a sentence. */
bool screen_possible(const char **why);

/* Lists the keys, one a line. */
void screen_put_keys(struct buf *out);

#endif
