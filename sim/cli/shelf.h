/*
 * A shelf: the shipped files of one kind, studies (scripts/studies/NAME.lua) or boards (configs/NAME.yaml), each with
 * a comment in its first line that says what it is.
 */
#ifndef HEDDLE_CLI_SHELF_H
#define HEDDLE_CLI_SHELF_H

#include "sim/base/buf.h"

enum { SHELF_PATH = 4096 };

struct dirent;

struct shelf {
    const char *kind;      /* "study", for messages */
    const char *extension; /* ".lua" */
    const char *comment;   /* what a comment begins with: "-- " */
    char folder[SHELF_PATH];
    struct dirent **entry; /* sorted; their names without the extension */
    int count;
};

/* Looks into a folder of heddle's own, such as "scripts/studies". An empty shelf when there is none. */
void shelf_open(struct shelf *s, const char *folder, const char *kind, const char *extension, const char *comment);
void shelf_close(struct shelf *s);

/* The path of the file that `name` means: a shipped one, or the user's if it has a '/' or a '.'. Else an error. */
bool shelf_find(const struct shelf *s, const char *name, char *path, size_t size);

/* The path of the shipped file of that name; false, without a message, when there is none. */
bool shelf_own(const struct shelf *s, const char *name, char *path, size_t size);

/* Names and first lines. */
void shelf_print(const struct shelf *s, struct buf *out);

/* The same on stdout; an error when the shelf is empty. */
bool shelf_list(const struct shelf *s);

#endif
