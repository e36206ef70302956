/*
 * Object files, as described in docs/object.md. A program has exactly one form as an object: sections follow each other
 * without gaps, texts stand in the order of use, and loading refuses everything else.
 *
 *   header | code | lines | files | kernels | parameters | variables | names of accesses | module variables |
 *   constants | data | texts
 *
 * There are four versions of the format. A program without messages of traps is an "HDO3", whose header lacks their
 * count; one without module variables, too, is an "HDO2", whose header lacks their
 * counts; one without any variables is an "HDO1", whose header lacks those of its kernels' too.
 */
#ifndef HEDDLE_ISA_OBJECT_H
#define HEDDLE_ISA_OBJECT_H

#include "isa/program.h"

enum {
    HEADER_BYTES = 40,
    HEADER2_BYTES = 48,
    HEADER3_BYTES = 56,
    HEADER4_BYTES = 60,
    LINE_BYTES = 4,
    FILE_BYTES = 4,
    KERNEL_BYTES = 32,
    PARAM_BYTES = 8,
    VARIABLE_BYTES = 12 + 4 * VARIABLE_DIMS_MAX,
    NAMED_BYTES = 8,
    MODULE_BYTES = 12 + 4 * VARIABLE_DIMS_MAX,
    FLAG_FUNCTION = 1,    /* of a kernel */
    FLAG_WARPS_SHIFT = 8, /* likewise: four bits from here */
    FLAG_BUFFER = 256,    /* of a parameter; the bits below are its element type */
    FLAG_VALUE = 512,     /* of a parameter */
    FLAG_LOCAL = 256,     /* of a variable; likewise */
    FLAG_GLOBAL = 256,    /* of a module variable; likewise */
    FLAG_NDIM_SHIFT = 9   /* of a variable: three bits from here */
};

enum { OBJECT_VERSIONS = 4 };

extern const char object_magic[OBJECT_VERSIONS][4];
extern const u32 object_header_bytes[OBJECT_VERSIONS];

/* Sizes of the sections, from the header. */
struct layout {
    u32 ninst, nkernels, nparams, const_bytes, text_bytes, nfiles, nvariables, nnamed, nmodule, data_bytes, nmessages;
    u64 code, lines, files, kernels, params, variables, named, module, consts, data, texts, end; /* byte offsets */
};

/* The version of the format, from 0 on. */
u32 layout_version(const struct layout *l);

/* Places the sections by their sizes. */
void layout_place(struct layout *l);

#endif
