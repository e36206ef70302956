/*
 * Where a buffer's data come from, as --in, --inout, --out and `heddle make` write it (docs/running.md):
 *
 *   [TYPE[SHAPE]:]FILL[:OUT]     FILL: iota, zeros, ones, fill:V, random[:SEED], expr:EXPRESSION, @FILE
 *   FILE, IN:OUT                 .npy files
 *   TYPE[SHAPE][:OUT], OUT       of --out, which begins as zeros
 *
 * What is left out of type and shape is that of the case's buffer, or follows from the kernel's parameter.
 */
#ifndef HEDDLE_CLI_DATA_SPEC_H
#define HEDDLE_CLI_DATA_SPEC_H

#include "sim/api/heddle.h"
#include "sim/base/arena.h"
#include "sim/lua/session.h"

enum data_kind {
    DATA_FILL, /* text: a word of sim/api/fill.h */
    DATA_EXPR, /* text: Lua */
    DATA_FILE  /* text: its name */
};

/* What may stand behind the fill. */
enum data_role { DATA_IN, DATA_INOUT, DATA_OUT };

struct data_spec {
    const char *option, *given; /* for messages: the option and its value */
    const char *at;             /* in `given`: where the data are described */
    enum data_kind kind;
    const char *text;
    const char *type; /* NULL: not given */
    bool shaped;      /* the shape is given */
    u32 ndim;
    u64 shape[HEDDLE_DIMS_MAX];
    const char *out; /* file that it is written to; NULL: none */
};

/* Reads d->at. False after a message. */
bool data_spec_read(struct data_spec *d, struct arena *arena, enum data_role role);

/* Whether it says nothing but where the buffer is written: --out y=y.npy. */
bool data_spec_only_writes(const struct data_spec *d);

/* Where buffers are made. */
struct data_place {
    struct heddle *h;
    const struct heddle_program *program; /* that will take them; NULL: none */
    const struct heddle_launch *launch;   /* of it: kernel and scalars */
    bool empty_nan;                       /* empty fields of tables are NaN, as --empty says */
    bool quiet;                           /* no notes about files */
    bool has_case;                        /* buffers of that name are those of a case */
    struct heddle_session *session;       /* evaluates expressions; NULL: there is none yet */
};

/* Makes and fills the buffer. False after a message. */
bool data_make(const struct data_spec *d, const char *name, struct data_place *to);

#endif
