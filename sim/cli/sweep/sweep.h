/*
 * A sweep: a command line of heddle's and the axes over which it is run. Each combination of values is a point, and a
 * row of the store (sim/sweep/store.h).
 *
 *   struct sweep s = {.argv = words, .argc = n};       "heddle run", "k.hd", "--board", "v100"
 *   sweep_axis(&s, "--over", "dram.channels=8,16,32")
 *   sweep_plan(&s)                                     every point is built, so that mistakes are found before any runs
 *   sweep_work(&s, &work)                              runs what the store lacks
 *   sweep_free(&s)
 *
 * Functions that return false, or an exit status that is not EXIT_OK, have said why.
 */
#ifndef HEDDLE_CLI_SWEEP_H
#define HEDDLE_CLI_SWEEP_H

#include <argp.h>
#include <string.h>

#include "sim/base/arena.h"
#include "sim/base/buf.h"
#include "sim/cli/json.h"
#include "sim/cli/sweep/plan/file.h"
#include "sim/cli/ui.h"
#include "sim/sweep/axis.h"
#include "sim/sweep/hash.h"
#include "sim/sweep/store.h"

#define SWEEP_OVER "over." /* before the names of axes whose columns could be those of results */

enum { SWEEP_POINTS_MOST = 1000000, SWEEP_AXES_MOST = 32, SWEEP_BUILD_SHOWN = 12 /* characters */ };

/* How a value of an axis is written on the command line of a point. */
enum sweep_form {
    SWEEP_SET,    /* --set NAME=VALUE */
    SWEEP_OPTION, /* --NAME VALUE */
    SWEEP_PART,   /* of "arg.n": --arg n=VALUE */
    SWEEP_FILE,   /* VALUE alone */
    SWEEP_PLACE,  /* in the words, wherever "{NAME}" is */
    SWEEP_SAMPLE, /* not at all: it is the same again */
    SWEEP_NUMBER  /* not at all: it numbers points that others of --with make */
};

struct sweep_axis {
    struct axis axis;
    enum sweep_form form;
    const char *option;   /* "--set"; NULL: none */
    const char *name;     /* "n" of "arg.n"; the "{n}" of a place */
    const char *column;   /* of the store: "board.dram.channels" */
    const char *given_by; /* "--over" */
    u32 leader;           /* the axis that it goes with: itself, or one before it */
};

/* What identifies a point. */
struct sweep_identity {
    struct hash key, kernel, board, inputs;
};

struct sweep_point {
    u64 number; /* among all combinations: the last axis changes fastest */
    struct sweep_identity is;
};

struct sweep {
    const char *command; /* "run", "study", ... */
    int argc;            /* the words that all points have; the first is "heddle COMMAND" */
    char **argv;
    const struct argp_option *options; /* of that command; NULL: of a study of one's own, not known */
    struct arena arena;
    struct sweep_file file; /* that describes it, if one does */
    struct sweep_axis axis[SWEEP_AXES_MOST];
    u32 naxes;
    const char *where;                /* the condition that points meet; NULL: none */
    struct buf points;                /* struct sweep_point each */
    bool complete;                    /* no point may be left out: of a bisection */
    struct buf intro;                 /* which cases are run, as `heddle run` says it, and what peaks have scaled */
    u32 scaled;                       /* how many of these */
    bool explained;                   /* a mistake has been shown where it stands, which is not of one point */
    struct hash build;                /* of this program */
    json_t *files, *kernels, *boards; /* what is known of them, by what they are called: hashes */
    json_t *cases;                    /* of files whose points name none: the number of the one that is run */
    json_t *settings;                 /* of boards by their hashes: columns, which are those of many points */
    struct hash shipped;              /* of the files that come with heddle, for commands that are not `run` */
};

/* Reads NAME=VALUES of an option; of --with: it goes with the axis before it. */
bool sweep_axis(struct sweep *s, const char *option, const char *text);

static inline bool sweep_no_memory(void) {
    ui_error("out of memory");
    return false;
}

static inline bool sweep_is_run(const struct sweep *s) {
    return strcmp(s->command, "run") == 0;
}

/* Makes all points. An exit status. */
int sweep_plan(struct sweep *s);

/* What precedes sweep_identify where there is no plan. False after a message. */
bool sweep_begin(struct sweep *s);

/* The command line of a point; ends in NULL. False when out of memory. */
bool sweep_command(const struct sweep *s, const struct sweep_point *p, struct arena *arena, int *argc, char ***argv);

/* The same as text for a shell; and what is its own in it: "dram.channels=8 arg.n=1024". */
void sweep_command_text(const struct sweep *s, const struct sweep_point *p, struct buf *out);
void sweep_label(const struct sweep *s, const struct sweep_point *p, struct buf *out);

/* Appends a word as a shell takes it. */
void sweep_put_word(const char *word, struct buf *out);

/* The value of an axis at a point. */
const char *sweep_value(const struct sweep *s, const struct sweep_point *p, u32 axis);

static inline u32 sweep_point_count(const struct sweep *s) {
    return (u32)(s->points.len / sizeof(struct sweep_point));
}

static inline struct sweep_point *sweep_point_at(const struct sweep *s, u32 i) {
    return &((struct sweep_point *)(void *)s->points.data)[i];
}

void sweep_free(struct sweep *s);

/*
 * Keeps the points that meet s->where, of where.c: SQL of the names of axes. False after a message.
 */
bool sweep_filter(struct sweep *s);

/* Keeps those whose board can have the multiples of its own values that they give it. False after a message. */
bool sweep_fit(struct sweep *s);

/* ---- one point: identity.c, plan/params.c, run/point.c ---- */

struct run;

/* Whether the point's kernel, which was found, takes what the point gives it, and no more. False after a message. */
bool sweep_params(const struct sweep *s, const struct run *r);

/* Builds the point as far as that takes no time, and says what it is. An exit status. */
int sweep_identify(struct sweep *s, struct sweep_point *p);

/* The same for commands other than `run`: run/point_other.c. */
int sweep_identify_other(struct sweep *s, struct sweep_point *p);
int sweep_run_other(const struct sweep *s, const struct sweep_point *p, int fd);

/* Writes a row as a line of JSON. */
bool sweep_write_row(json_t *row, int fd);

/* Runs it and writes its row, a line of JSON, to `fd`. An exit status. */
int sweep_run(const struct sweep *s, const struct sweep_point *p, int fd);

/*
 * Adds the settings of the board, and the values of axes that the row has not got: of a point that did not run, or of
 * an option that is no column.
 */
void sweep_put_axes(const struct sweep *s, const struct sweep_point *p, json_t *row);

/* Asks the store for a point. */
enum store_claim sweep_claim(const struct sweep *s, struct store *store, u32 point, enum store_state *state,
                             struct buf *why);

/* ---- all of them: run/pool.c, slurm/slurm.c, run/remark.c ---- */

struct cluster;
struct sweep_work {
    struct store *store;
    const char *path;              /* of it */
    u32 jobs;                      /* points at a time; with Slurm those of a task */
    bool part;                     /* the points are some of a sweep, which says itself what became of it */
    const struct cluster *cluster; /* NULL: this computer */
    u32 chunk;                     /* points of a task; 0: to be found out */
    struct buf words;              /* the whole command line, for tasks: a NUL behind each word */
};

/* Runs what is not in the store, in processes of their own, and says what became of it. An exit status. */
int sweep_work(const struct sweep *s, const struct sweep_work *w);

/* The same in tasks of Slurm, where sweep_work leaves it to that. */
int sweep_slurm(const struct sweep *s, const struct sweep_work *w);

/* Says of points that were run what their numbers do not: that launches leave SMs without a block. */
void sweep_remark(const struct sweep *s, struct store *store);

/* Appends "key IN ('...')": in SQL, the points of the sweep. */
void sweep_put_keys(const struct sweep *s, struct buf *sql);

#endif
