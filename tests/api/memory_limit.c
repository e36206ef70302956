/* Is the bound of a control group found, in every version and at every level? */
#include "sim/file/computer.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[] = "memory_limit_XXXXXX";

static void put(const char *path, const char *text) {
    char name[300];
    snprintf(name, sizeof name, "%s/%s", root, path);
    for (char *at = name; (at = strchr(at, '/')); *at++ = '/') {
        *at = 0;
        mkdir(name, 0777);
    }
    FILE *f = fopen(name, "w");
    cr_assert_not_null(f);
    fputs(text, f);
    fclose(f);
}

Test(memory_limit, is_the_smallest_of_all_groups) {
    char command[100];
    cr_assert_not_null(mkdtemp(root));
    cr_expect_eq(file_memory_limit_in(root), 0);
    put("proc/self/cgroup", "0::/a/b\n");
    cr_expect_eq(file_memory_limit_in(root), 0);
    put("sys/fs/cgroup/a/b/memory.max", "max\n");
    cr_expect_eq(file_memory_limit_in(root), 0);
    put("sys/fs/cgroup/a/memory.max", "5000000\n");
    cr_expect_eq(file_memory_limit_in(root), 5000000);
    put("sys/fs/cgroup/a/b/memory.max", "4000000\n");
    cr_expect_eq(file_memory_limit_in(root), 4000000);
    put("sys/fs/cgroup/memory.max", "3000000\n");
    cr_expect_eq(file_memory_limit_in(root), 3000000);
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"); /* version 1, no bound */
    cr_expect_eq(file_memory_limit_in(root), 3000000);
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "2000000\n");
    cr_expect_eq(file_memory_limit_in(root), 2000000);
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "0\n"); /* no bound, and no number */
    put("sys/fs/cgroup/memory.max", "-1\n");
    cr_expect_eq(file_memory_limit_in(root), 4000000);
    static char deep[4096] = "0::/";
    memset(deep + 4, 'a', sizeof deep - 6);
    put("proc/self/cgroup", deep); /* the folder's own path is too long */
    put("sys/fs/cgroup/memory.max", "3000000\n");
    cr_expect_eq(file_memory_limit_in(root), 3000000);
    snprintf(command, sizeof command, "rm -r %s", root);
    cr_expect_eq(system(command), 0);
}
