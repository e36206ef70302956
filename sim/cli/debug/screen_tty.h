/*
 * The terminal of the full-screen view: shows a canvas, reads keys by name. The only part that uses ncurses, which a
 * build may lack. It also receives signals that would end the program, to restore the terminal first.
 */
#ifndef HEDDLE_CLI_DEBUG_SCREEN_TTY_H
#define HEDDLE_CLI_DEBUG_SCREEN_TTY_H

#include <signal.h>

#include "sim/cli/debug/screen_canvas.h"

struct tty {
    void *screen;     /* of ncurses */
    int signals;      /* descriptor of received signals */
    int ends;         /* signal that shall end the program; 0 = none */
    int errors;       /* file that receives standard error while the view is shown */
    int standard;     /* the original standard error */
    sigset_t unblock; /* the original signal mask */
    char locale[64];  /* the original locale */
    u32 cols, rows;
    bool utf8;
};

enum { TTY_KEY_BYTES = 16 };

/* True if this build has the view, and there is a terminal; false with a sentence. */
bool tty_possible(const char **why);

/* Takes over the terminal; false, with a sentence, if that fails. */
bool tty_begin(struct tty *t, const char **why);

/* Restores the terminal; a signal received before ends the program then. */
void tty_end(struct tty *t);

/* Shows the canvas, and the cursor at x, y unless x is beyond the canvas. */
void tty_show(const struct canvas *c, u32 x, u32 y);

/*
 * Waits for a key: its character, or "Tab", "Enter", "Left" and alike; "" if everything is to be redrawn. False if the
 * program shall end.
 */
bool tty_key(struct tty *t, char key[TTY_KEY_BYTES]);

/* True if a key is waiting. */
bool tty_waiting(void);

#endif
