/* State and functions that the files of the full-screen view share; screen.h is for others. */
#ifndef HEDDLE_CLI_DEBUG_SCREEN_STATE_H
#define HEDDLE_CLI_DEBUG_SCREEN_STATE_H

#include "sim/cli/debug/screen.h"
#include "sim/cli/debug/screen_canvas.h"
#include "sim/cli/debug/screen_tty.h"
#include "sim/debug/debug.h"

enum area { AREA_SOURCE, AREA_SIDE, AREA_REST, AREAS };

enum pane_id {
#define PANE(name, wide, narrow, least, share, looks) PANE_##name,
#include "sim/cli/debug/screen_panes.def"
    PANES
};

enum { LINE_BYTES = 256, NO_LINE = -1 };

struct pane {
    enum area area;       /* present area */
    struct buf text;      /* its lines */
    char title[64];       /* command that prints them */
    u32 lines, fixed;     /* number of lines; lines at the top that do not scroll */
    s32 at;               /* line to be visible; NO_LINE = none */
    u32 top, left;        /* first visible line and column, or lane */
    u32 lanes, all_lanes; /* visible lanes, and all; 0 = columns are shown */
    bool moved;           /* by keys, since the last command */
    bool exists;          /* its command exists */
    struct box box;       /* below its title; without rows: hidden */
};

struct screen {
    struct debug *d;
    const char *title;
    struct tty tty;
    struct canvas canvas;
    struct pane panes[PANES];
    u32 focus;             /* the pane that keys move */
    u32 lead[AREAS];       /* pane of each area that is always visible */
    u32 form;              /* of registers and shared memory: values_form_name */
    bool formed;           /* `form` has been chosen, so that memory has it too; else elements are of their type */
    u32 columns;           /* of memory, in elements; 0 = as many as fit */
    bool alone;            /* only the pane of the focus is visible */
    bool asks;             /* a command is being typed: */
    char line[LINE_BYTES]; /* that command, or the last one */
    char last[LINE_BYTES]; /* last command run */
    struct buf answer;     /* its output */
    bool refused;          /* it was refused */
    bool more;             /* the answer covers the panes, from this line on: */
    u32 from;
    bool left;
};

/* Show the output of `line`, or the reason for refusing it, as lines of the pane; the second as prose, no table. */
void pane_command(struct screen *s, struct pane *p, const char *line);
void pane_wrapped(struct screen *s, struct pane *p, const char *line);

#define PANE(name, wide, narrow, least, share, looks) void pane_##name(struct screen *s, struct pane *p);
#include "sim/cli/debug/screen_panes.def"

/* ---- screen_layout.c ---- */

enum { LEAST_COLS = 60, LEAST_ROWS = 18 };

/* Gives each pane its box; false if the terminal is too small. */
bool screen_place(struct screen *s);

/* ---- screen_draw.c ---- */

void screen_draw(struct screen *s);

/* ---- screen_keys.c ---- */

/* Runs a command line, as the prompt does. */
void screen_command(struct screen *s, const char *line);

void screen_key(struct screen *s, const char *key);

#endif
