/*
 * A sweep: a command line of heddle's and the axes over which it is run. Each combination of values is a point, and a
 * row of the store (sim/sweep/store.h).
 *
 *   struct sweep s = {.argv = words, .argc = n};       "heddle run", "k.hd", "--board", "v100"
 *   sweep_axis(&s, "--over", "dram.channels=8,16,32")
 *   sweep_plan(&s)                                     builds every point, so that errors are found before any runs
 *   sweep_work(&s, &work)                              runs what the store lacks
 *   sweep_free(&s)
 *
 * Functions that return false, or an exit status that is not EXIT_OK, have printed the reason.
 */
#ifndef HEDDLE_CLI_SWEEP_SWEEP_H
#define HEDDLE_CLI_SWEEP_SWEEP_H

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

/* Form of an axis's value on the command line of a point. */
enum sweep_form {
    SWEEP_SET,    /* --set NAME=VALUE */
    SWEEP_OPTION, /* --NAME VALUE */
    SWEEP_PART,   /* of "arg.n": --arg n=VALUE */
    SWEEP_FILE,   /* VALUE alone */
    SWEEP_PLACE,  /* in the words, wherever "{NAME}" is */
    SWEEP_SAMPLE, /* not there: repeats the point */
    SWEEP_NUMBER  /* not there: numbers the points that others of --with make */
};

struct sweep_axis {
    struct axis axis;
    enum sweep_form form;
    const char *option;   /* "--set"; NULL = none */
    const char *name;     /* "n" of "arg.n"; the "{n}" of a place */
    const char *column;   /* in the store: "board.dram.channels" */
    const char *given_by; /* "--over" */
    u32 leader;           /* the axis that it follows: itself, or an earlier one */
};

/* Identity of a point. */
struct sweep_identity {
    struct hash key, kernel, board, inputs;
};

struct sweep_point {
    u64 number; /* among all combinations: the last axis changes fastest */
    struct sweep_identity is;
};

struct sweep {
    const char *command; /* "run", "study", ... */
    int argc;            /* words of all points; the first is "heddle COMMAND" */
    char **argv;
    const struct argp_option *options; /* of that command; NULL = unknown, of a user's own study */
    struct arena arena;
    struct sweep_file file; /* its description, if it has one */
    struct sweep_axis axis[SWEEP_AXES_MOST];
    u32 naxes;
    const char *where;                /* condition on points; NULL = none */
    struct buf points;                /* list of struct sweep_point */
    bool complete;                    /* no point may be left out: for a bisection */
    struct buf intro;                 /* cases that are run, reported as by `heddle run`, and values scaled by peaks */
    u32 scaled;                       /* number of these */
    bool explained;                   /* an error of no single point has been shown at its place */
    struct hash build;                /* of this program */
    json_t *files, *kernels, *boards; /* known ones by name: hashes */
    json_t *cases;                    /* of files whose points name none: the number of the case that is run */
    json_t *settings;                 /* by hashes of boards: their columns, shared by many points */
    struct hash shipped;              /* of the shipped files, for commands other than `run` */
};

/* Reads NAME=VALUES of an option; with --with, the axis follows the one before. */
bool sweep_axis(struct sweep *s, const char *option, const char *text);

static inline bool sweep_is_run(const struct sweep *s) {
    return strcmp(s->command, "run") == 0;
}

/* Makes all points. Returns an exit status. */
int sweep_plan(struct sweep *s);

/* Prepares sweep_identify without a plan. False after a message. */
bool sweep_begin(struct sweep *s);

/* Makes the command line of a point; ends in NULL. False when out of memory. */
bool sweep_command(const struct sweep *s, const struct sweep_point *p, struct arena *arena, int *argc, char ***argv);

/* Append the command line as text for a shell; and its own part of it: "dram.channels=8 arg.n=1024". */
void sweep_command_text(const struct sweep *s, const struct sweep_point *p, struct buf *out);
void sweep_label(const struct sweep *s, const struct sweep_point *p, struct buf *out);

/* Returns the value of an axis at a point. */
const char *sweep_value(const struct sweep *s, const struct sweep_point *p, u32 axis);

BUF_LIST(sweep_point, struct sweep, points, struct sweep_point)

void sweep_free(struct sweep *s);

/* Keeps the points that meet s->where, in SQL over the names of axes: plan/where.c. False after a message. */
bool sweep_filter(struct sweep *s);

/* Keeps the points whose board can have the given multiples of its own values. False after a message. */
bool sweep_fit(struct sweep *s);

/* ---- one point: identity.c, plan/params.c, run/point.c ---- */

struct run;

/* Checks that the point's kernel, which was found, accepts exactly the point's arguments. False after a message. */
bool sweep_params(const struct sweep *s, const struct run *r);

/* Builds the point as far as that is fast, and identifies it. Returns an exit status. */
int sweep_identify(struct sweep *s, struct sweep_point *p);

/* Identifies a point of a command other than `run`: run/point_other.c. */
int sweep_identify_other(struct sweep *s, struct sweep_point *p);
int sweep_run_other(const struct sweep *s, const struct sweep_point *p, int fd);

/* Writes a row as a line of JSON. */
bool sweep_write_row(json_t *row, int fd);

/* Runs a point and writes its row, a line of JSON, to `fd`. Returns an exit status. */
int sweep_run(const struct sweep *s, const struct sweep_point *p, int fd);

/*
 * Adds the settings of the board, and values of axes that the row lacks: for a point that did not run, or an option
 * that is no column.
 */
void sweep_put_axes(const struct sweep *s, const struct sweep_point *p, json_t *row);

/* Claims a point in the store. */
enum store_claim sweep_claim(const struct sweep *s, struct store *store, u32 point, enum store_state *state,
                             struct buf *why);

/* ---- all of them: run/pool.c, slurm/slurm.c, run/remark.c ---- */

struct cluster;
struct sweep_work {
    struct store *store;
    const char *path;              /* path of the store */
    u32 jobs;                      /* points at a time; with Slurm those of a task */
    bool part;                     /* the points are a part of a sweep, which prints the summary itself */
    const struct cluster *cluster; /* NULL = this computer */
    u32 chunk;                     /* points of a task; 0 = measured */
    struct buf words;              /* the whole command line, for tasks: a NUL after each word */
};

/* Runs the points that the store lacks, in processes of their own, and prints the summary. Returns an exit status. */
int sweep_work(const struct sweep *s, const struct sweep_work *w);

/* Runs them in tasks of Slurm; called by sweep_work. */
int sweep_slurm(const struct sweep *s, const struct sweep_work *w);

/* Remarks on points that were run: launches that leave SMs without a block. */
void sweep_remark(const struct sweep *s, struct store *store);

/* Appends "key IN ('...')": in SQL, the points of the sweep. */
void sweep_put_keys(const struct sweep *s, struct buf *sql);

/*
 * Bisection: runs only the values of an axis that are needed to find the first with another answer than the smallest:
 * the truth of a condition over columns, or the better of two values of another axis.
 *
 *   b.axis = s.naxes, sweep_axis(&s, "--bisect", "arg.n=1024..1048576/x2")
 *   bisect_check(&b, &s)
 *   bisect_work(&b, &s, &work)                        after sweep_plan
 */

struct bisect {
    const char *given;     /* --bisect NAME=VALUES; NULL = none */
    u32 axis;              /* number of its axis */
    const char *until;     /* a condition; or */
    const char *crossover; /* an axis of two values, to compare by */
    const char *objective; /* "seconds", the least; or "max:rate.dram"; NULL = seconds. Also for */
    const char *knee;      /* the axis whose least sufficient value is wanted, after all have been run */
};

/* Checks that the options agree and are valid. False after a message. */
bool bisect_check(const struct bisect *b, const struct sweep *s);

/* True if more of the objective is better; finds its column. Finds the number of the axis of two values, or naxes. */
bool bisect_most(const struct bisect *b);
const char *bisect_objective(const struct bisect *b);
u32 bisect_other(const struct bisect *b, const struct sweep *s);

/* Runs the points that are needed, in rounds, and prints the result. Returns an exit status. */
int bisect_work(const struct bisect *b, const struct sweep *s, const struct sweep_work *w);

#endif
