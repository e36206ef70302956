/* Are files, programs and terminals of every kind read, found and written as promised, or refused with the reason? */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "sim/file/computer.h"
#include "sim/file/process.h"
#include "sim/file/read.h"
#include "sim/file/shipped.h"
#include "sim/file/solver.h"
#include "sim/file/write.h"
#include "sim/file/write_place.h"

static char folder[] = "/tmp/heddle_files_XXXXXX";

static void make(const char *script) {
    cr_assert(mkdtemp(folder) && chdir(folder) == 0 && system(script) == 0);
}

static void clear(void) {
    char command[64];
    snprintf(command, sizeof command, "/bin/rm -rf %s", folder);
    cr_expect(chdir("/") == 0 && (system(command) == 0 || errno == ECHILD));
}

/* Writes "new" to a path; returns 0, or the reason. */
static int put(const char *path) {
    size_t failed;
    return output_write_all(&(struct file_output){path, "new", 3}, 1, &failed) ? 0 : errno;
}

Test(files, paths_that_are_no_file_are_refused_with_the_reason, .fini = clear) {
    static char longest[5000], name[300], many[5000];
    memset(longest, 'a', sizeof longest - 1);
    memset(name, 'a', sizeof name - 1);
    for (size_t i = 0; i + 2 < sizeof many; i += 2)
        memcpy(many + i, "./", 2);
    const struct {
        const char *path;
        int why;
        bool possible; /* as far as can be known */
    } row[] = {{"file", 0, true},           {"none/x", ENOENT, false},   {"sub", EISDIR, false},
               {"sub/", EISDIR, false},     {"file/x", ENOTDIR, false},  {"", ENOENT, false},
               {"link", 0, true},           {"round", ELOOP, false},     {longest, ENAMETOOLONG, false},
               {"null", 0, true},           {name, ENAMETOOLONG, false}, {many, ENAMETOOLONG, false},
               {"/dev/full", ENOSPC, true}, {"away", 0, true},           {"lost", ENOENT, true}};
    make("echo old >file; mkdir sub; ln -s sub/new link; ln -s round round; ln -s /dev/null null; ln -s $PWD/sub/far "
         "away;"
         "ln -s none/x lost");
    for (u32 i = 0; i < COUNT_OF(row); i++) {
        cr_expect_eq(output_possible(row[i].path), row[i].possible, "%.20s", row[i].path);
        cr_expect_eq(put(row[i].path), row[i].why, "%.20s: %s", row[i].path, strerror(errno));
    }
    cr_expect_eq(system("test $(cat file sub/new sub/far) = newnewnew && test -z \"$(find . -name '.heddle*')\""), 0);
}

Test(files, several_outputs_are_replaced_or_none, .fini = clear) {
    struct file_output list[200];
    static char name[200][8];
    size_t failed;
    make("mkdir sub; echo old >o0; echo old >o1");
    for (u32 i = 0; i < 200; i++) {
        snprintf(name[i], sizeof name[i], "o%u", i);
        list[i] = (struct file_output){name[i], "new", 3};
    }
    list[199].path = "sub";
    cr_assert(!output_write_all(list, 200, &failed) && failed == 199 && errno == EISDIR);
    cr_expect_eq(system("test $(cat o0) = old && test $(ls -A | wc -l) -eq 3"), 0);
    list[199].path = "/dev/null";
    cr_assert(output_write_all(list, 200, &failed)); /* more than are open at a time */
    cr_expect_eq(system("test $(cat o0 o1 o150) = newnewnew && test $(ls -A | wc -l) -eq 200"), 0);
    cr_expect(output_write_all(list, 0, &failed));
    cr_expect(output_same("o0", "./sub/../o0") && !output_same("o0", "o1") && output_same("x", "./x"));
    cr_expect(!output_is_input("o0", "/proc/version") && !output_is_input("/dev/null", "/dev/null"));
    cr_expect(!output_same("none/x", "o0") && !output_same("o0", "none/x") && output_same("-", "-"));
    cr_expect(output_is_input("o0", "./o0") && !output_is_input("none/x", "o0") && !output_is_input("o0", "none"));
}

static void *read_later(void *path) {
    char got[8];
    usleep(50000);
    int fd = open(path, O_RDONLY);
    bool ok = read(fd, got, sizeof got) == 3;
    close(fd);
    return ok ? path : NULL;
}

Test(files, a_pipe_waits_for_its_reader_and_a_signal_ends_that, .fini = clear) {
    pthread_t reader;
    void *got;
    make("mkfifo pipe");
    pthread_create(&reader, NULL, read_later, "pipe");
    cr_assert_eq(put("pipe"), 0);
    pthread_join(reader, &got);
    cr_assert_not_null(got);
    signal(SIGTERM, SIG_IGN);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGINT);
    cr_assert_eq(put("pipe"), EINTR);
    cr_assert_eq(put("/dev/null"), 0); /* which takes it at once */
    double seconds = 20;
    SCOPED(buf_free) struct buf out = {0};
    cr_assert_eq(process_run((const char *const[]){"/bin/sleep", "20", NULL}, "", 0, &seconds, &out), PROCESS_SIGNAL);
    struct solver s = {.name = "cat", .path = "/bin/cat"};
    cr_assert_null(solver_ask(&s, "(check-sat)", &seconds));
}

/* A socket has no place to write to, and is no pipe that a reader may come to. */
Test(files, a_socket_is_refused, .fini = clear) {
    struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    make("echo old >file");
    cr_assert(fd >= 0 && bind(fd, (const struct sockaddr *)&at, sizeof at) == 0);
    cr_expect_eq(put("socket"), ENXIO);
    cr_expect(!place_write("none/x", "new", 3) && errno == ENOENT);
    cr_expect(place_write("file", "new", 3) && system("test $(cat file) = newx || test $(cat file) = new") == 0);
    close(fd);
}

Test(files, texts_are_plain_files_below_a_folder, .fini = clear) {
    static char longest[10000];
    memset(longest, 'a', sizeof longest - 1);
    make("mkdir in inner out; echo near >inner/a; echo in >in/a; echo out >out/b; ln -s ../out/b in/c; mkfifo in/p");
    const struct {
        const char *name, *beside;
        bool within, ok;
    } row[] = {{"in/a", NULL, false, true},    {"in/a", NULL, true, true},        {"out/b", NULL, true, false},
               {"in/c", NULL, true, false},    {"in/p", NULL, false, false},      {"a", "in/x", false, true},
               {"in/a", "x", false, true},     {"/etc/passwd", "x", true, false}, {"in/none", NULL, false, false},
               {"inner/a", NULL, true, false}, {"in/a/x", NULL, false, false},    {longest, NULL, false, false}};
    char within[100];
    snprintf(within, sizeof within, "%s/in", folder);
    for (u32 i = 0; i < COUNT_OF(row); i++) {
        SCOPED(guard_free) struct file_guard guard = {0};
        struct texts t = {.beside = row[i].beside, .guard = &guard, .within = row[i].within ? within : NULL};
        size_t len = 0;
        cr_expect_eq(texts_read(&t, row[i].name, &len) != NULL, row[i].ok, "%s", row[i].name);
        cr_expect(!t.why && (!row[i].ok || len == 3), "%s: %s", row[i].name, strerror(t.why));
        texts_free(&t);
    }
    SCOPED(guard_free) struct file_guard guard = {0};
    struct texts t = {.guard = &guard, .within = "/"};
    size_t len;
    for (u32 i = 0; i <= TEXTS_MAX; i++)
        cr_expect_eq(texts_read(&t, "in/a", &len) != NULL, i < TEXTS_MAX);
    texts_free(&t);
}

Test(files, programs_are_found_and_end_as_they_do, .fini = clear) {
    char path[64];
    struct solver s;
    int status = 0;
    make("mkdir bin; printf '#!/bin/sh\\ncat' >bin/z3; cp bin/z3 bin/own; chmod +x bin/*; : >bin/plain; mkdir bin/sub");
    setenv("PATH", ":/none:bin:", 1);
    cr_expect(process_find("z3", path, sizeof path) && strcmp(path, "bin/z3") == 0);
    cr_expect(!process_find("z3", path, 5) && !process_find("", path, sizeof path) && !process_find("sub", path, 64));
    cr_expect(process_find("bin/own", path, 64) && !process_find("bin/own", path, 5) &&
              !process_find("plain", path, 64));
    cr_expect(!process_find("bin/sub", path, 64) && !process_find("bin/none", path, 64));
    cr_expect(solver_find("none", &s) && !s.name && !solver_is_program("auto") && !solver_is_program("none"));
    cr_expect(solver_find("auto", &s) && strcmp(s.name, "z3") == 0 && solver_is_program("bin/z3"));
    cr_expect(!solver_find("bin/none", &s) && solver_find("bin/own", &s) && strcmp(s.name, "own") == 0);
    signal(SIGCHLD, SIG_IGN);
    SCOPED(buf_free) struct buf out = {0};
    const char *const three[] = {"/bin/sh", "-c", "exit 3", NULL}, *const none[] = {"/none", NULL};
    cr_expect(process_output(three, 20, &status, &out) == PROCESS_ENDED && status == 3);
    cr_expect(process_output(none, 20, &status, &out) == PROCESS_FAILED && errno == ENOENT);
    const char *const closes[] = {"/bin/sh", "-c", "exec >&- 2>&-; exec /bin/sleep 20", NULL};
    cr_expect(process_output(closes, 0.3, &status, &out) == PROCESS_TIMEOUT && status == 137);
    cr_expect(!process_leave(none) && errno == ENOENT && process_leave(three));
    unsetenv("PATH");
    cr_expect(!process_find("z3", path, sizeof path) && solver_find("auto", &s) && !s.name);
}

Test(files, programs_read_what_they_want_of_a_text, .fini = clear) {
    enum { LONG = 300000 };
    static char text[LONG + 1];
    double seconds = 20;
    struct solver s;
    memset(text, 'a', LONG);
    make("printf '#!/bin/sh\\n/bin/cat' >echo; printf '#!/bin/sh\\nexit 1' >silent; chmod +x echo silent");
    const struct {
        const char *name;
        size_t len;
    } row[] = {{"./echo", LONG}, {"./silent", 0}};
    for (u32 i = 0; i < 4; i++) {
        cr_assert(solver_find(row[i % 2].name, &s));
        char *got = solver_ask(&s, text, &seconds);
        cr_expect(got && strlen(got) == row[i % 2].len, "%s", row[i % 2].name);
        free(got);
        setenv("PATH", "/none", 1); /* and without setpriv */
    }
    seconds = -1;
    SCOPED(buf_free) struct buf out = {0};
    cr_expect(process_run((const char *const[]){"./echo", NULL}, "", 0, &seconds, &out) == PROCESS_TIMEOUT);
    cr_expect(seconds == 0 &&
              process_run((const char *const[]){"/none", NULL}, "", 0, &seconds, &out) == PROCESS_FAILED);
}

Test(files, kernels_are_found_by_short_names, .fini = clear) {
    static char longest[5000];
    memset(longest, 'a', sizeof longest - 1);
    char path[4200];
    SCOPED(buf_free) struct buf names = {0};
    make("mkdir -p kernels/a kernels/b kernels/lib kernels/.c scripts configs build; touch kernels/a/k.hd "
         "kernels/b/k.hd "
         "kernels/a/one.hd kernels/a/text kernels/a/x.txt kernels/lib/k.hd kernels/.c/k.hd build/heddle configs/v.yaml;"
         "mkdir -p usr/bin usr/share/heddle/kernels usr/share/heddle/scripts alike/kernels; touch usr/bin/heddle "
         "alike/scripts alike/heddle");
    cr_expect(shipped_home("build/heddle", path, sizeof path) && strcmp(path, folder) == 0);
    cr_expect(shipped_home("usr/bin/heddle", path, sizeof path) && strstr(path, "/usr/share/heddle"));
    cr_expect(shipped_home("alike/heddle", path, sizeof path) && strcmp(path, folder) == 0, "%s", path);
    cr_expect(!shipped_home("build/none", path, sizeof path) && !shipped_home("build/heddle", path, 9));
    cr_expect(shipped_kernel(folder, "one", path, sizeof path, &names) == SHIPPED_FOUND);
    cr_expect(shipped_kernel(folder, "a/k.hd", path, sizeof path, &names) == SHIPPED_FOUND);
    cr_expect(shipped_kernel(folder, "", path, sizeof path, &names) == SHIPPED_NONE);
    cr_expect(shipped_kernel(folder, "/k", path, sizeof path, &names) == SHIPPED_NONE);
    cr_expect(shipped_kernel(folder, "none", path, sizeof path, &names) == SHIPPED_NONE);
    cr_expect(shipped_kernel(folder, "a", path, sizeof path, &names) == SHIPPED_NONE);
    cr_expect(shipped_kernel(folder, longest, path, sizeof path, &names) == SHIPPED_NONE);
    cr_expect(shipped_kernel(longest, "k", path, sizeof path, &names) == SHIPPED_NONE);
    cr_expect(!shipped_board(longest, "v", path, sizeof path));
    names.len = 0;
    cr_expect(shipped_kernel(folder, "k", path, sizeof path, &names) == SHIPPED_SEVERAL);
    cr_expect_str_eq(names.data, "a/k, b/k, lib/k");
    names.len = 0;
    shipped_kernels(folder, &names);
    cr_expect_str_eq(names.data, "a/k\na/one\nb/k\n");
    cr_expect(shipped_board(folder, "v", path, sizeof path) && !shipped_board(folder, "", path, sizeof path));
    cr_expect(!shipped_board(folder, "a/v", path, sizeof path) && !shipped_board(folder, "v", path, 9));
}

Test(files, a_terminal_has_a_width) {
    const struct {
        unsigned short columns;
        u32 width;
    } row[] = {{0, 100}, {40, 60}, {80, 80}, {100, 100}, {300, 100}};
    int own = posix_openpt(O_RDWR | O_NOCTTY);
    cr_assert(own >= 0 && grantpt(own) == 0 && unlockpt(own) == 0);
    int other = open(ptsname(own), O_RDWR | O_NOCTTY), out = dup(STDOUT_FILENO);
    for (u32 i = 0; i < COUNT_OF(row); i++) {
        ioctl(other, TIOCSWINSZ, &(struct winsize){.ws_col = row[i].columns});
        dup2(other, STDOUT_FILENO);
        u32 width = terminal_width();
        dup2(out, STDOUT_FILENO);
        cr_expect_eq(width, row[i].width, "%u", row[i].columns);
    }
    cr_expect(!file_on_network("/none/x/y") && !file_on_network("/none") && !file_on_network("none"));
}
