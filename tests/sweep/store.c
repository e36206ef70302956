/* Can several processes open one store at the same moment, also the first ones, which make it? */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/sweep/store.h"

enum { ROUNDS = 25, TOGETHER = 6 };

static const char *const columns[] = {"cycles", "seconds"};

/* Opens the store when the other end of the pipe is closed. */
static _Noreturn void open_it(const char *path, const int ends[2]) {
    struct buf why = {0};
    char nothing;
    close(ends[1]);
    bool told = read(ends[0], &nothing, 1) == 0;
    struct store *s = told ? store_open(path, columns, COUNT_OF(columns), &why) : NULL;
    if (!s)
        fprintf(stderr, "%s", why.data ? why.data : "not told\n");
    store_close(s);
    _exit(s ? 0 : 1);
}

/* Of several processes that close at once, none may be the last, and SQLite's log stays: the next one removes it. */
static void leave_alone(const char *path) {
    struct buf why = {0};
    struct store *s = store_open(path, columns, COUNT_OF(columns), &why);
    cr_assert(s != NULL, "%s", why.data ? why.data : "");
    store_close(s);
}

Test(store, is_made_by_several_at_once) {
    char folder[] = "/tmp/heddle-store-XXXXXX", path[sizeof folder + 10];
    u32 failed = 0;
    cr_assert(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/s.db", folder);
    for (u32 round = 0; round < ROUNDS; round++) {
        int ends[2], status = 1;
        cr_assert_eq(pipe(ends), 0);
        for (u32 i = 0; i < TOGETHER; i++)
            if (fork() == 0)
                open_it(path, ends);
        close(ends[0]);
        close(ends[1]);
        for (u32 i = 0; i < TOGETHER; i++)
            failed += wait(&status) < 0 || status != 0;
        leave_alone(path);
        cr_assert_eq(unlink(path), 0);
    }
    cr_assert_eq(rmdir(folder), 0, "the last one leaves a single file");
    cr_assert_eq(failed, 0, "%u of %u could not open it", failed, ROUNDS * TOGETHER);
}
