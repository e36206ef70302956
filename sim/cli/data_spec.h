/*
 * Source of a buffer's data, as in --in, --inout, --out and `heddle make` (docs/running.md):
 *
 *   [TYPE[SHAPE]:]FILL[:OUT]     FILL: iota, zeros, ones, fill:V, random[:SEED], expr:EXPRESSION, @FILE
 *   FILE, IN:OUT                 .npy files
 *   TYPE[SHAPE][:OUT], OUT       for --out
 *
 * Type and shape are optional: by default the case's buffer or the kernel's parameter decides.
 */
#ifndef HEDDLE_CLI_DATA_SPEC_H
#define HEDDLE_CLI_DATA_SPEC_H

#include "sim/api/heddle.h"
#include "sim/base/arena.h"
#include "sim/lua/session.h"

enum data_kind {
    DATA_FILL, /* text: a fill of sim/api/scalar.h */
    DATA_EXPR, /* text: Lua */
    DATA_FILE, /* text: its name */
    DATA_NONE  /* zeros that are no content */
};

/* Options, which differ in what may follow the fill. */
enum data_role { DATA_IN, DATA_INOUT, DATA_OUT };

struct data_spec {
    const char *option, *given; /* for messages: the option and its value */
    const char *at;             /* in `given`: start of the description */
    enum data_kind kind;
    const char *text;
    const char *type; /* NULL = not given */
    bool shaped;      /* the shape is given */
    u32 ndim;
    u64 shape[HEDDLE_DIMS_MAX];
    const char *out; /* output file; NULL = none */
};

/* Reads d->at. False after a message. */
bool data_spec_read(struct data_spec *d, struct arena *arena, enum data_role role);

/* True if it only writes the buffer to a file: --out y=y.npy. */
bool data_spec_only_writes(const struct data_spec *d);

/* Destination of the data. */
struct data_place {
    struct heddle *h;
    const struct heddle_program *program; /* program that uses the buffers; NULL = none */
    const struct heddle_launch *launch;   /* its launch: kernel and scalars */
    const char *param;                    /* parameter that takes the buffer; NULL = that of its name */
    bool empty_nan;                       /* empty fields of tables are NaN (--empty) */
    bool quiet;                           /* no notes about files */
    bool has_case;                        /* buffers of that name belong to a case */
    struct heddle_session *session;       /* evaluates expressions; NULL = not made yet */
};

/* Makes and fills the buffer. False after a message. */
bool data_make(const struct data_spec *d, const char *name, struct data_place *to);

#endif
