/*
 * A resource directory: the shipped files of one kind, studies (scripts/studies/NAME.lua) or boards
 * (configs/NAME.yaml), each described by a comment in its first line.
 */
#ifndef HEDDLE_CLI_RESOURCE_DIR_H
#define HEDDLE_CLI_RESOURCE_DIR_H

#include "sim/base/buf.h"
#include "sim/base/types.h"

enum { RESOURCE_PATH = 4096 };

struct dirent;

struct resource_dir {
    const char *kind;      /* "study", for messages */
    const char *extension; /* ".lua" */
    const char *comment;   /* start of a comment: "-- " */
    char folder[RESOURCE_PATH];
    struct dirent **entry; /* sorted; names without the extension */
    int count;
};

/* Opens a folder below resources_root(), such as "scripts/studies"; empty if there is none. */
void resource_dir_open(struct resource_dir *s, const char *folder, const char *kind, const char *extension,
                       const char *comment);
void resource_dir_close(struct resource_dir *s);

/* Opens the folder of the studies. */
void study_dir_open(struct resource_dir *s);

/* Finds the file of `name`: a shipped one, or the user's if it has a '/' or a '.'. False after an error. */
bool resource_dir_find(const struct resource_dir *s, const char *name, char *path, size_t size);

/* Finds the shipped file of that name; false, without a message, if there is none. */
bool resource_dir_own(const struct resource_dir *s, const char *name, char *path, size_t size);

/* Appends names and first lines. */
void resource_dir_print(const struct resource_dir *s, struct buf *out);

/* Prints them on stdout; an error if there are none. */
bool resource_dir_list(const struct resource_dir *s);

/*
 * Kernels and scripts that ship with heddle: below $HEDDLE_HOME; or share/heddle beside the folder of an installed
 * program; or the source tree around a program in its build folder.
 */

/* Returns the folder with kernels/ and scripts/, or NULL. */
const char *resources_root(void);

/*
 * Finds the kernel of `name` if the user has no such file: below kernels/, with or without .hd, "classic/saxpy"; or
 * without its folder, "scan", if only one has it. Else keeps the name; false after a message if several kernels have
 * it.
 */
bool resources_kernel(char *path, size_t size, const char *name);

/* Finds files for `name`: the user's file or folder, a shipped kernel, or a folder of those ("classic"). */
bool resources_kernels(char *path, size_t size, const char *name);

#endif
