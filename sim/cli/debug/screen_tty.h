/*
 * The terminal of the full-screen view: shows a canvas, tells keys by name. The only part that knows ncurses, which a
 * build may lack. Signals that would end the program are told as well, so that the terminal is put back before.
 */
#ifndef HEDDLE_CLI_DEBUG_SCREEN_TTY_H
#define HEDDLE_CLI_DEBUG_SCREEN_TTY_H

#include "sim/cli/debug/screen_canvas.h"

struct tty {
    void *screen;   /* ncurses' own */
    void *before;   /* what ends as the view does */
    int signals;    /* a file of those that come */
    int ends;       /* the signal that ends the program; 0: none */
    u32 cols, rows; /* of the terminal */
    bool utf8;
};

enum { KEY_NAME = 16 };

/* Takes the terminal; false, with a sentence, when it cannot be taken. */
bool tty_begin(struct tty *t, const char **why);

/* Gives the terminal back; a signal that has come ends the program then. */
void tty_end(struct tty *t);

/* The cursor is shown at x, y, unless x is beyond the canvas. */
void tty_show(struct tty *t, const struct canvas *c, u32 x, u32 y);

/*
 * Waits for a key: itself ("n", "ö"), or "Tab", "Enter", "Left" and alike; "" when the terminal has got another size.
 * False when the program is to end.
 */
bool tty_key(struct tty *t, char key[KEY_NAME]);

#endif
