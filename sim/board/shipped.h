/*
 * Descriptions of boards that others build on, and of memory devices: a file beside them, or one that ships. The texts
 * of these are in the library, put there by scripts/boards.sh.
 */
#ifndef HEDDLE_BOARD_SHIPPED_H
#define HEDDLE_BOARD_SHIPPED_H

#include "sim/board/board.h"

struct board_shipped {
    const char *name; /* "v100" */
    const char *text; /* YAML, and a NUL */
    size_t len;
};

extern const struct board_shipped board_shipped[], device_texts[];
extern const u32 board_shipped_count, device_text_count;

struct description {
    char file[256];   /* the name that it is shown by: "v100.yaml" */
    const char *text; /* NULL: there is none */
    size_t len;
    bool shipped;
};

/* A board that ships, by its name with or without ".yaml". */
struct description description_shipped(const char *name);

/* A memory device that ships, by its name. */
struct description description_device(const char *name);

/*
 * Resolves `base: NAME` of a file: the file of that name from `source`, with or without ".yaml"; else the board that
 * ships. No file builds on itself: its own name means the latter.
 */
struct description description_base(const struct board_source *source, const char *file, const char *name);

/* For messages about a name that does not ship: "did you mean 'v100'?", or all that do. */
struct description_hint {
    char text[120];
};
struct description_hint description_hint(const char *name);

#endif
