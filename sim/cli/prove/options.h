/* The command line and the state of `heddle prove`. */
#ifndef HEDDLE_CLI_PROVE_OPTIONS_H
#define HEDDLE_CLI_PROVE_OPTIONS_H

#include "sim/api/heddle.h"
#include "sim/base/arena.h"
#include "sim/base/buf.h"
#include "sim/cli/board/board.h"
#include "sim/cli/json.h"
#include "sim/cli/progress.h"
#include "sim/file/solver.h"

enum { PATH_BYTES = 4096 };

/* One of the two kernels. */
struct side {
    const char *file, *entry;
    u32 grid[3], block[3];
    const char *grid_text;
    char path[PATH_BYTES]; /* path of its file */
    struct heddle_program *program;
};

/* A buffer of --buffers. */
struct named {
    const char *name, *type, *text; /* text: "f32[n]" */
    char *all;                      /* the option's value */
    size_t at;                      /* of the bracket in it */
    u32 ndim;
    u64 shape[HEDDLE_DIMS_MAX];
    enum heddle_role role;
};

struct prove {
    struct arena arena; /* holds the strings that are parts of options */
    struct side side[2];
    const char *entry, *json, *replay;
    struct buf scalars; /* list of const char *: values of --arg */
    bool replayed;
    const char *grid_text;
    struct heddle_prove_sizes sizes; /* of --for; range NULL = not given */
    u32 grid[3], block[3];
    u32 warp; /* 0 = the board's */
    bool all, quiet;
    u64 max_instructions, max_memory, shared_bytes;
    s32 bound; /* as in struct heddle_prove */
    u32 assume;
    struct solver solver;
    double solver_seconds, max_seconds;
    struct progress progress;
    struct board_choice board;
    struct buf buffers; /* list of struct named */
    struct buf roles;   /* list of struct heddle_prove_buffer */
    struct buf args;    /* list of struct heddle_arg */
    struct heddle *h;
    json_t *proofs;
};

/* --replay: data that show a difference as files, and the two commands that show it. */

/* Makes the folder, or checks that it is empty; false after a message. */
bool prove_replay_folder(const char *path);

/* Writes the files for the first width that shows a difference, if requested; false after a message. */
bool prove_replay(struct prove *p, const struct heddle_proof *proof);

/* Output of `heddle prove --json`. */

/* Makes an object of one proof, for the list "proofs". */
json_t *prove_report_proof(const struct heddle_proof *proof);

/* Writes the document: names of the files, the context of a chosen board (NULL = none), and the list, whose reference
 * it takes. False when out of memory. */
bool prove_report(const char *const file[2], const struct heddle *h, json_t *proofs, struct buf *out);

#endif
