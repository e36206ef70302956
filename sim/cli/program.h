/* Loading for commands on one program: read a file, load it, report errors. */
#ifndef HEDDLE_CLI_PROGRAM_H
#define HEDDLE_CLI_PROGRAM_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"

struct loaded {
    struct heddle *h;
    struct heddle_program *program;
    struct buf source; /* bytes of the file */
};

/* Reads a file, and those that it includes. NULL after messages. */
struct heddle_program *program_read(struct heddle *h, const char *path, struct buf *source);

/* Reads and loads `path`, "-" being standard input. False after messages. Unload in either case. */
bool program_open(struct loaded *l, const char *path);
void program_close(struct loaded *l);

bool program_is_object(const struct loaded *l);

/* Writes bytes made from the program, and releases them; NULL: reports why there are none. False after a message. */
bool program_write(const struct loaded *l, char *bytes, size_t len, const char *output);

/* Shows why the last call on the context failed. */
void program_complain(const struct loaded *l);

#endif
