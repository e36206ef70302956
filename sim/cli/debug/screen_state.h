/* What the files of the full-screen view share: screen.h is what others see. */
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
    enum area area;       /* in which it is now */
    struct buf text;      /* its lines */
    char title[64];       /* the command that prints them */
    u32 lines, fixed;     /* in all; at the top, which do not scroll */
    s32 at;               /* the line that is to be seen; NO_LINE: none */
    u32 top, left;        /* first line and column that are shown, or first lane */
    u32 lanes, all_lanes; /* of those: how many, and of how many; 0: columns are shown */
    bool moved;           /* by keys, since the last command */
    bool exists;          /* its command does */
    struct box box;       /* below its title; no rows: it is not shown */
};

struct screen {
    struct debug *d;
    const char *title;
    struct tty tty;
    struct canvas canvas;
    struct pane panes[PANES];
    u32 focus;             /* the pane that keys move */
    u32 lead[AREAS];       /* the pane of each area that is shown in any case */
    u32 form;              /* of registers and shared memory: values_form_name */
    bool alone;            /* only the pane of the focus is shown */
    bool asks;             /* a command is being typed: */
    char line[LINE_BYTES]; /* it, or the last one */
    char last[LINE_BYTES]; /* the last one that was carried out */
    struct buf answer;     /* what it has printed */
    bool refused;          /* it makes no sense */
    bool more;             /* the answer lies above the panes, from this line on: */
    u32 from;
    bool left;
};

/* What `line` prints, or why it cannot, as lines of the pane; the same for what is more of a text than of a table. */
void pane_command(struct screen *s, struct pane *p, const char *line);
void pane_wrapped(struct screen *s, struct pane *p, const char *line);

#define PANE(name, wide, narrow, least, share, looks) void pane_##name(struct screen *s, struct pane *p);
#include "sim/cli/debug/screen_panes.def"

/* ---- screen_layout.c ---- */

enum { LEAST_COLS = 60, LEAST_ROWS = 18 };

/* Gives each pane its box; false: the terminal is too small. */
bool screen_place(struct screen *s);

/* ---- screen_draw.c ---- */

void screen_draw(struct screen *s);

/* ---- screen_keys.c ---- */

/* Carries out a command line, as the prompt does. */
void screen_command(struct screen *s, const char *line);

void screen_key(struct screen *s, const char *key);

#endif
