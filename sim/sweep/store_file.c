/* The file of a store: checks before SQLite opens it, whether it still exists, and the meaning of its errors. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/sweep/store_db.h"

enum { PAGE_LEAST = 512 }; /* size of the smallest database with contents */

static const char head[] = "SQLite format 3"; /* with its NUL */
static const char no_store[] = "this is no store of a sweep; name one that 'heddle sweep -o FILE.db' has made";
static const char damaged[] = "this store is damaged or cut short; restore a copy, or choose another file";

/* SQLite's errors, and what they mean here. */
static const struct {
    int code;
    const char *words;
} failures[] = {
    {SQLITE_NOTADB, no_store},
    {SQLITE_CORRUPT, damaged},
    {SQLITE_FULL,
     "the disk is full; what was stored before is kept, and the same command continues when there is room"},
    {SQLITE_READONLY, "it cannot be written"},
    {SQLITE_CANTOPEN, "it cannot be opened; a store needs a folder that can be written"},
    {SQLITE_IOERR, "it cannot be read or written; what was stored before is kept"},
    {SQLITE_BUSY, "another program keeps it locked; try again when that has ended"},
    {SQLITE_PERM, "it may not be opened"},
    {SQLITE_NOMEM, "out of memory"},
};

const char *store_words(const struct store *s) {
    int code = sqlite3_errcode(s->db) & 0xff;
    for (u32 i = 0; i < COUNT_OF(failures); i++)
        if (failures[i].code == code)
            return failures[i].words;
    return sqlite3_errmsg(s->db);
}

bool store_fail(struct store *s, struct buf *why) {
    int error = sqlite3_system_errno(s->db);
    buf_printf(why, "%s: error: %s%s%s\n", s->path, store_words(s), error ? ": " : "", error ? strerror(error) : "");
    return false;
}

static bool refuse(const char *path, const char *text, struct buf *why) {
    buf_printf(why, "%s: error: %s\n", *path ? path : "''", text);
    return false;
}

/* Checks that the file begins with the header of a database. */
static bool check_head(const char *path, s64 size, struct buf *why) {
    char text[sizeof head] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return refuse(path, strerror(errno), why);
    ssize_t n = pread(fd, text, sizeof text, 0);
    close(fd);
    if (n != (ssize_t)sizeof text || memcmp(text, head, sizeof head) != 0)
        return refuse(path, no_store, why);
    return size >= PAGE_LEAST || refuse(path, damaged, why);
}

bool store_file_check(const char *path, bool make, struct buf *why) {
    struct stat st;
    if (!*path)
        return refuse(path, "this is no name of a file", why);
    if (stat(path, &st) != 0)
        return (make && errno == ENOENT) ||
               refuse(path,
                      errno == ENOENT ? "there is no such file; 'heddle sweep ... -o FILE.db' makes a store"
                                      : strerror(errno),
                      why);
    if (!S_ISREG(st.st_mode))
        return refuse(path, S_ISDIR(st.st_mode) ? "this is a folder; a store is a file" : "a store is a regular file",
                      why);
    if (!st.st_size)
        return make || refuse(path, "this file is empty", why);
    return check_head(path, st.st_size, why);
}

bool store_there(const struct store *s, struct buf *why) {
    int moved = 0;
    sqlite3_file_control(s->db, NULL, SQLITE_FCNTL_HAS_MOVED, &moved);
    if (moved && why)
        refuse(s->path, "the store was removed or replaced while this sweep worked; what it has measured is not stored",
               why);
    return !moved;
}
