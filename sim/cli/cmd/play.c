/* heddle play: the page that runs heddle in a browser, opened with a kernel. */
#include "sim/cli/command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/ascii.h"
#include "sim/cli/board/board.h"
#include "sim/cli/play/link.h"
#include "sim/cli/resource_dir.h"
#include "sim/cli/ui.h"
#include "sim/file/process.h"
#include "sim/file/write.h"

enum { OPT_WARP = 256, OPT_LESSON };

struct play_options {
    struct play_start start;
    const char *kernel;
    bool print;
};

static const struct argp_option options[] = {{"board", KEEP_TEXT(play_options, start.board), "NAME", 0,
                                              "The board that the page begins with, one of those that ship", 1},
                                             {"case", KEEP_TEXT(play_options, start.which_case), "N|NAME", 0,
                                              "The case of the kernel that the page begins with", 1},
                                             {"warp", OPT_WARP, "8|16|32|64", 0,
                                              "The warp width that the page begins with", 1},
                                             {"lesson", OPT_LESSON, "N", 0, "Open this lesson", 1},
                                             {"print", KEEP_FLAG(play_options, print), NULL, 0,
                                              "Print the link, and open nothing", 2},
                                             OPTION_GROUP(1, "What is open:"),
                                             OPTION_GROUP(2, "Output:"),
                                             {0}};

static error_t whole(struct argp_state *state, const char *name, const char *arg, u32 most, u32 *value) {
    char *end;
    unsigned long n = strtoul(arg, &end, 10);
    if (is_digit(*arg) && !*end && n >= 1 && n <= most) {
        *value = (u32)n;
        return 0;
    }
    argp_error(state, "--%s: '%s' is no number from 1 to %u", name, arg, most);
    return EINVAL;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct play_options *o = state->input;
    switch (key) {
    case ARGP_KEY_ARG: return command_one(state, &o->kernel, arg, "one kernel at a time");
    case OPT_WARP: return whole(state, "warp", arg, 64, &o->start.warp);
    case OPT_LESSON: return whole(state, "lesson", arg, 99, &o->start.lesson);
    default: return command_keep(state, key, arg);
    }
}

const struct argp cmd_play_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[FILE.hd]",
    .doc =
        "Open heddle's page in a browser, with a kernel of yours or one that ships: an editor, runs, steps forward and "
        "back, pictures, and the lessons. The page is one file, which needs no server and sends no request; 'make web' "
        "builds it. Changes stay in the page: copy what you want to keep."
        "\vExample: heddle play classic/saxpy --board teach8",
    .children = command_common};

/* ---- the page, and a file that opens it ---- */

static bool is_plain(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Finds the page, beside the program in a build folder or where it was installed. */
static bool find_page(char page[PATH_MAX]) {
    char self[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    self[len > 0 ? len : 0] = 0;
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = 0;
    snprintf(page, PATH_MAX, "%.4000s/web/heddle.html", self);
    if (slash && is_plain(page))
        return true;
    snprintf(page, PATH_MAX, "%.4000s/heddle.html", resources_root() ? resources_root() : "");
    if (is_plain(page))
        return true;
    return ui_error("the page is not there: 'make web' builds it, 'make install' then installs it");
}

/* Finds the user's cache folder: $XDG_CACHE_HOME/heddle, or ~/.cache/heddle. */
static bool cache_file(char path[PATH_MAX]) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool own = cache && *cache == '/';
    if (!own && (!home || *home != '/'))
        return ui_error("neither XDG_CACHE_HOME nor HOME names a folder for the link; --print prints it");
    snprintf(path, PATH_MAX, "%.4000s%s", own ? cache : home, own ? "" : "/.cache");
    mkdir(path, 0700);
    size_t len = strlen(path);
    snprintf(path + len, PATH_MAX - len, "/heddle");
    mkdir(path, 0700);
    len = strlen(path);
    snprintf(path + len, PATH_MAX - len, "/play.html");
    return true;
}

/* Writes a file that redirects to the link: xdg-open drops the text after '#', and command lines are short. */
static bool write_forward(const char *path, const struct buf *link) {
    struct buf text = {0};
    buf_puts(&text, "<!doctype html><meta charset=\"utf-8\"><title>heddle</title>\n<script>location.replace(\"");
    buf_append(&text, link->data, link->len);
    buf_puts(&text, "\")</script>\n<noscript>heddle's page needs JavaScript.</noscript>\n");
    struct file_output out = {path, text.data, text.len};
    size_t failed;
    errno = ENOMEM;
    bool ok = !text.failed && output_write_all(&out, 1, &failed);
    if (!ok)
        ui_error("%s: %s", path, strerror(errno));
    buf_free(&text);
    return ok;
}

static int browse(const char *path) {
    static const char *const openers[] = {"xdg-open", "sensible-browser", "open"};
    const char *own = getenv("BROWSER");
    char program[PATH_MAX];
    bool found = own && *own && process_find(own, program, sizeof program);
    for (size_t i = 0; i < COUNT_OF(openers) && !found; i++)
        found = process_find(openers[i], program, sizeof program);
    if (!found || !process_leave((const char *const[]){program, path, NULL})) {
        ui_error("no browser was found ($BROWSER, xdg-open); open this file in one: %s", path);
        return EXIT_INPUT;
    }
    printf("opened %s with %s\n", path, program);
    return EXIT_OK;
}

/* ---- the command ---- */

/* Checks that the page has the board: a shipped one. */
static bool check_board(const char *name) {
    struct resource_dir boards;
    char path[RESOURCE_PATH];
    board_dir_open(&boards);
    bool ok = resource_dir_own(&boards, name, path, sizeof path);
    resource_dir_close(&boards);
    if (!ok)
        ui_error("--board: '%s' is no board that ships ('heddle board' lists them); the page takes the text of another",
                 name);
    return ok;
}

static bool check_start(struct play_options *o, char kernel[PATH_MAX]) {
    const struct play_start *s = &o->start;
    if (s->warp & (s->warp - 1) || (s->warp && s->warp < 8))
        return ui_error("--warp: %u is none of 8, 16, 32 and 64", s->warp);
    if (!o->kernel && !s->lesson && (s->board || s->which_case || s->warp)) {
        return ui_error("--board, --case and --warp go with a kernel, or with --lesson");
    }
    if (s->board && !check_board(s->board))
        return false;
    if (!o->kernel)
        return true;
    o->start.kernel = kernel;
    return resources_kernel(kernel, PATH_MAX, o->kernel);
}

int cmd_play(int argc, char **argv) {
    struct play_options o = {0};
    struct buf link = {0};
    char kernel[PATH_MAX], page[PATH_MAX], path[PATH_MAX];
    int status = EXIT_INPUT;
    if (!command_parse(&cmd_play_argp, argc, argv, &o) || !check_start(&o, kernel))
        return EXIT_INPUT;
    if (find_page(page) && play_link(&o.start, page, &link)) {
        if (o.print)
            status = printf("%.*s\n", (int)link.len, link.data) > 0 ? EXIT_OK : EXIT_INPUT;
        else if (cache_file(path) && write_forward(path, &link))
            status = browse(path);
    }
    buf_free(&link);
    return status;
}
