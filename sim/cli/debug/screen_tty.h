/*
 * The terminal of the full-screen view: shows a canvas, tells keys by name. The only part that knows ncurses, which a
 * build may lack. Signals that would end the program are told as well, so that the terminal is restored before.
 */
#ifndef HEDDLE_CLI_DEBUG_SCREEN_TTY_H
#define HEDDLE_CLI_DEBUG_SCREEN_TTY_H

#include <signal.h>

#include "sim/cli/debug/screen_canvas.h"

struct tty {
    void *screen;     /* of ncurses */
    int signals;      /* file of the signals that have come */
    int ends;         /* the signal that is to end the program; 0: none */
    int errors;       /* file of what is written to standard error meanwhile */
    int standard;     /* standard error as it was */
    sigset_t unblock; /* signals as they were blocked */
    char locale[64];  /* as it was */
    u32 cols, rows;
    bool utf8;
};

enum { TTY_KEY_BYTES = 16 };

/* Whether this heddle can, and there is a terminal; false with a sentence. */
bool tty_possible(const char **why);

/* Takes the terminal; false, with a sentence, when it cannot be taken. */
bool tty_begin(struct tty *t, const char **why);

/* Restores the terminal; a signal that has come ends the program then. */
void tty_end(struct tty *t);

/* The cursor is shown at x, y, unless x is beyond the canvas. */
void tty_show(const struct canvas *c, u32 x, u32 y);

/*
 * Waits for a key: the character that it types, or "Tab", "Enter", "Left" and alike; "" when all is to be drawn again.
 * False when the program is to end.
 */
bool tty_key(struct tty *t, char key[TTY_KEY_BYTES]);

/* Whether a key waits already. */
bool tty_waiting(void);

#endif
