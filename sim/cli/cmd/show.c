/* heddle show: the elements of a file, or statistics of them. */
#include "sim/cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/data_spec.h"
#include "sim/cli/file.h"
#include "sim/cli/option.h"
#include "sim/cli/values.h"
#include "sim/cli/ui.h"
#include "sim/file/computer.h"

enum { OPT_EMPTY = 256 };

struct show_options {
    struct arena arena;
    struct heddle *h;
    const char *data, *range, *image;
    bool stats, histogram, empty_nan;
};

static const struct argp_option options[] = {
    {"stats", KEEP_FLAG(show_options, stats), NULL, 0, "Print least, greatest, mean and deviation", 1},
    {"hist", KEEP_FLAG(show_options, histogram), NULL, 0, "Print a histogram", 1},
    {"image", KEEP_TEXT(show_options, image), "FILE.pgm", 0,
     "Write the last two dimensions as a picture, the least black; - draws it with characters", 1},
    {"empty", OPT_EMPTY, "error|nan", 0, EMPTY_HELP, 2},
    OPTION_GROUP(1, "In place of the elements:"),
    OPTION_GROUP(2, "Data:"),
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct show_options *o = state->input;
    switch (key) {
    case OPT_EMPTY: return option_empty(arg, &o->empty_nan) ? 0 : EINVAL;
    case ARGP_KEY_ARG:
        if (o->data)
            return command_one(state, &o->range, arg, "one range at a time");
        o->data = arg;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which file? heddle show x.npy"); return EINVAL;
    default: return command_keep(state, key, arg);
    }
}

const struct argp cmd_show_argp = {.options = options,
                                   .parser = parse,
                                   .args_doc = "FILE.npy|DATA [RANGE]",
                                   .doc = "Print the elements of a file, the first 256 or a range such as [0..15] or "
                                          "[0..3,8..]. Everything that --in of 'heddle "
                                          "run' takes may stand in place of the file: @x.csv, f32[64]:random:3."
                                          "\vExample: heddle show y.npy [0..3,0..7]",
                                   .children = command_common};

/* Returns the range in brackets, if there is one. */
static const char *bracketed(struct show_options *o) {
    if (!o->range || *o->range == '[')
        return o->range ? o->range : "";
    size_t len = strlen(o->range);
    char *text = arena_alloc(&o->arena, len + 3);
    if (text)
        snprintf(text, len + 3, "[%s]", o->range);
    return text ? text : o->range;
}

/* True for a name of a picture file: another form under it would mislead programs. */
static bool is_picture(const char *name) {
    const char *point = strrchr(name, '.');
    return strcmp(name, "-") == 0 || (point && (strcmp(point, ".pgm") == 0 || strcmp(point, ".pnm") == 0));
}

static bool print(struct show_options *o, const struct heddle_tensor *t, const struct values *v, struct buf *out) {
    struct values_stats s = values_stats(t, v);
    struct buf picture = {0};
    u64 rows, columns;
    if (o->image && !values_size(t, v, &rows, &columns))
        return ui_error("a picture has two dimensions; name an element of each other one, such as [0,..,..]");
    if (o->image && !is_picture(o->image)) {
        return ui_error("--image: a PGM picture is written, so its name ends in .pgm; - draws it with characters");
    }
    if (o->stats)
        values_print_stats(&s, out);
    if (o->histogram)
        values_print_histogram(t, v, &s, out);
    if (o->image && strcmp(o->image, "-") == 0) {
        values_characters(t, v, &s, terminal_width(), out);
    } else if (o->image) {
        values_pgm(t, v, &s, &picture);
        bool ok = !picture.failed && file_write(o->image, picture.data, picture.len);
        buf_free(&picture);
        return ok;
    } else if (!o->stats && !o->histogram) {
        values_print(strcmp(o->data, "-") == 0 ? "standard input" : o->data, t, v, out);
    }
    return true;
}

static bool show(struct show_options *o, struct buf *out) {
    struct data_spec d = {.option = "heddle show", .given = o->data, .at = o->data};
    struct data_place to = {.h = o->h, .empty_nan = o->empty_nan};
    struct heddle_tensor t;
    struct values v;
    bool ok = data_spec_read(&d, &o->arena, DATA_IN) && data_make(&d, "x", &to);
    heddle_session_free(to.session);
    const char *range = bracketed(o);
    return ok && heddle_buffer_look(o->h, "x", &t) && values_read("heddle show", range, range, &t, &v) &&
           (!o->image || strcmp(o->image, "-") == 0 || file_promise("--image", o->image, o->image)) &&
           print(o, &t, &v, out);
}

int cmd_show(int argc, char **argv) {
    struct show_options o = {.h = option_context(0)};
    struct buf out = {0};
    bool ok = command_parse(&cmd_show_argp, argc, argv, &o);
    if (ok && o.h)
        ok = show(&o, &out);
    if (!o.h || out.failed)
        ui_error("out of memory");
    ok = ok && o.h && !out.failed;
    if (ok && out.len)
        fwrite(out.data, 1, out.len, stdout);
    buf_free(&out);
    heddle_free(o.h);
    arena_free(&o.arena);
    return ok ? EXIT_OK : EXIT_INPUT;
}
