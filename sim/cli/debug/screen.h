/*
 * The full-screen view of `heddle debug`: panes over the same recording as the prompt. What a pane shows is what a
 * command prints, and whatever moves the cursor is a command, so that the two cannot disagree.
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
 * Shows the view until a key leaves it; `title` says whose launch it is. False, with a sentence, when there is no
 * terminal for it.
 */
bool screen_run(struct debug *d, const char *title, const char **why);

/* Whether this heddle has the view, and standard input and output are a terminal; false with a sentence. */
bool screen_possible(const char **why);

/* The keys, a line each. */
void screen_put_keys(struct buf *out);

#endif
