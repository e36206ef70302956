/*
 * A resource directory: the shipped files of one kind, studies (scripts/studies/NAME.lua) or boards
 * (configs/NAME.yaml), each with a comment in its first line that says what it is.
 */
#ifndef HEDDLE_CLI_RESOURCE_DIR_H
#define HEDDLE_CLI_RESOURCE_DIR_H

#include "sim/base/buf.h"

enum { RESOURCE_PATH = 4096 };

struct dirent;

struct resource_dir {
    const char *kind;      /* "study", for messages */
    const char *extension; /* ".lua" */
    const char *comment;   /* what a comment begins with: "-- " */
    char folder[RESOURCE_PATH];
    struct dirent **entry; /* sorted; their names without the extension */
    int count;
};

/* Opens a folder below resources_root(), such as "scripts/studies"; empty when there is none. */
void resource_dir_open(struct resource_dir *s, const char *folder, const char *kind, const char *extension,
                       const char *comment);
void resource_dir_close(struct resource_dir *s);

/* The path of the file that `name` means: a shipped one, or the user's if it has a '/' or a '.'. Else an error. */
bool resource_dir_find(const struct resource_dir *s, const char *name, char *path, size_t size);

/* The path of the shipped file of that name; false, without a message, when there is none. */
bool resource_dir_own(const struct resource_dir *s, const char *name, char *path, size_t size);

/* Names and first lines. */
void resource_dir_print(const struct resource_dir *s, struct buf *out);

/* The same on stdout; an error when there are none. */
bool resource_dir_list(const struct resource_dir *s);

#endif
