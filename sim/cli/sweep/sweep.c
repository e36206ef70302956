#include "sim/cli/sweep/sweep.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/api/heddle.h"
#include "sim/base/diag.h"
#include "sim/cli/board/board.h"
#include "sim/cli/command.h"
#include "sim/cli/option.h"
#include "sim/cli/ui.h"

static bool no_memory(void) {
    ui_error("out of memory");
    return false;
}

void sweep_mistake(const struct sweep *s, const char *option, const char *value, size_t at, size_t len, const char *fmt,
                   ...) {
    char text[240];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (!sweep_file_mistake(&s->file, option, value, at, len, text))
        ui_option_error(option, value, at, len, "%s", text);
}

/* ---- axes ---- */

/* Options whose value names a part: --over arg.n=1,2 is --arg n=1, --arg n=2. */
static const char *const parted[] = {"arg", "in", "inout"};

/* Options that say how a point is run; the others are of its report, or files. */
static const char *const single[] = {
    "entry",
    "case",
    "board",
    "repeat",
#define LAUNCH_OPTION(declaration, member, kind, key, name, argument, group, standard, help, doc) name,
#include "sim/base/launch.def"
};

static const char *nth_key(const void *ctx, size_t i) {
    struct heddle_board_value v;
    return heddle_board_value_at(ctx, (u32)i, &v) ? v.key : NULL;
}

/* Names of axes, of which some begin other names: "kernel", options, keys of boards. */
static const char *nth_name(const void *ctx, size_t i) {
    if (i < 2)
        return i ? "sample" : "kernel";
    return i - 2 < COUNT_OF(single) ? single[i - 2] : nth_key(ctx, i - 2 - COUNT_OF(single));
}

static bool unknown(const struct sweep *s, const char *option, const struct axis *a, const struct heddle *h,
                    size_t keys) {
    const char *near = nearest_name(a->name, 2 + COUNT_OF(single) + keys, nth_name, h);
    if (near)
        sweep_mistake(s, option, a->given, 0, strlen(a->name), "unknown key '%s'; did you mean '%s'?", a->name, near);
    else
        sweep_mistake(s, option, a->given, 0, strlen(a->name),
                      "unknown key '%s'; expected a key of the board ('heddle board --keys'), kernel, arg.NAME, "
                      "in.NAME or an option of 'heddle run', such as grid",
                      a->name);
    return false;
}

static const char *joined(struct arena *arena, const char *a, const char *b) {
    size_t size = strlen(a) + strlen(b) + 1;
    char *text = arena_alloc(arena, size);
    if (text)
        snprintf(text, size, "%s%s", a, b);
    return text;
}

/* A key of the board, which need not be the board of any point. */
static bool find_key(struct sweep *s, const char *option, struct sweep_axis *to) {
    struct heddle *h = heddle_new();
    size_t keys = 0;
    bool there = false;
    if (!h)
        return no_memory();
    for (const char *key; (key = nth_key(h, keys)); keys++)
        there |= strcmp(key, to->axis.name) == 0;
    to->form = SWEEP_SET;
    to->option = "--set";
    to->name = to->axis.name;
    to->column = joined(&s->arena, "board.", to->name);
    bool ok = there || unknown(s, option, &to->axis, h, keys);
    heddle_free(h);
    return ok;
}

static bool find_form(struct sweep *s, const char *option, struct sweep_axis *to) {
    const char *name = to->axis.name;
    *to = (struct sweep_axis){.axis = to->axis, .form = SWEEP_FILE, .name = name, .column = "file"};
    if (strcmp(name, "kernel") == 0)
        return true;
    if (strcmp(name, "sample") == 0) {
        to->form = SWEEP_SAMPLE;
        to->column = name;
        return true;
    }
    for (u32 i = 0; i < COUNT_OF(parted); i++) {
        size_t len = strlen(parted[i]);
        if (strncmp(name, parted[i], len) == 0 && name[len] == '.' && name[len + 1]) {
            to->form = SWEEP_PART;
            to->option = joined(&s->arena, "--", parted[i]);
            to->name = name + len + 1;
            to->column = joined(&s->arena, i ? "in." : "arg.", to->name);
            return true;
        }
    }
    for (u32 i = 0; i < COUNT_OF(single); i++)
        if (strcmp(name, single[i]) == 0) {
            to->form = SWEEP_OPTION;
            to->option = joined(&s->arena, "--", name);
            to->column = name;
            return true;
        }
    return find_key(s, option, to);
}

static bool given_before(const struct sweep *s, const char *option, const struct axis *a) {
    for (u32 i = 0; i < s->naxes; i++)
        if (strcmp(s->axis[i].axis.name, a->name) == 0) {
            sweep_mistake(s, option, a->given, 0, strlen(a->name), "'%s' is an axis already: %s", a->name,
                          s->axis[i].axis.given);
            return true;
        }
    return false;
}

/* The axis that one of --with goes with, which has as many values. */
static bool find_leader(const struct sweep *s, struct sweep_axis *to) {
    const char *text = to->axis.given;
    if (!s->naxes) {
        sweep_mistake(s, "--with", text, 0, strlen(text), "it goes with the --over before it, and there is none");
        return false;
    }
    to->leader = s->axis[s->naxes - 1].leader;
    const struct axis *other = &s->axis[to->leader].axis;
    if (other->n != to->axis.n)
        sweep_mistake(s, "--with", text, strlen(to->axis.name) + 1, strlen(text), "%u value%s for the %u of --over %s",
                      to->axis.n, to->axis.n == 1 ? "" : "s", other->n, other->given);
    return other->n == to->axis.n;
}

bool sweep_axis(struct sweep *s, const char *text, bool with) {
    struct sweep_axis *to = &s->axis[s->naxes];
    const char *option = with ? "--with" : "--over";
    struct axis_mistake wrong;
    if (s->naxes == SWEEP_AXES_MOST) {
        sweep_mistake(s, option, text, 0, strlen(text), "more than %d axes", SWEEP_AXES_MOST);
        return false;
    }
    if (!axis_read(text, with, &s->arena, &to->axis, &wrong)) {
        sweep_mistake(s, option, text, wrong.at, wrong.len, "%s", wrong.text);
        return false;
    }
    if (given_before(s, option, &to->axis) || !find_form(s, option, to))
        return false;
    to->leader = s->naxes;
    if (with && !find_leader(s, to))
        return false;
    s->naxes++;
    bool named = to->option || to->form == SWEEP_FILE || to->form == SWEEP_SAMPLE;
    return (named && to->column) || no_memory();
}

/* ---- points ---- */

/* The last axis changes fastest. */
const char *sweep_value(const struct sweep *s, const struct sweep_point *p, u32 axis) {
    u64 rest = p->number;
    u32 leader = s->axis[axis].leader;
    for (u32 i = s->naxes - 1; i > leader; i--)
        rest /= s->axis[i].leader == i ? s->axis[i].axis.n : 1;
    return s->axis[axis].axis.value[rest % s->axis[axis].axis.n];
}

bool sweep_command(const struct sweep *s, const struct sweep_point *p, struct arena *arena, int *argc, char ***argv) {
    char **word = arena_alloc(arena, ((size_t)s->argc + 2 * s->naxes + 1) * sizeof *word);
    int n = s->argc;
    if (!word)
        return false;
    memcpy(word, s->argv, (size_t)n * sizeof *word);
    for (u32 i = 0; i < s->naxes; i++) {
        const struct sweep_axis *a = &s->axis[i];
        const char *value = sweep_value(s, p, i);
        if (a->form == SWEEP_SAMPLE)
            continue;
        bool named = a->form == SWEEP_SET || a->form == SWEEP_PART;
        struct buf text = {0};
        buf_printf(&text, "%s%s%s", named ? a->name : "", named ? "=" : "", value);
        if (a->option)
            word[n++] = (char *)(uintptr_t)a->option;
        word[n] = text.failed ? NULL : arena_strndup(arena, text.data, text.len);
        buf_free(&text);
        if (!word[n++])
            return false;
    }
    *argc = n;
    *argv = word;
    return true;
}

/* As a shell takes it. */
static void put_word(const char *word, struct buf *out) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    if (*word && !word[strspn(word, plain)]) {
        buf_puts(out, word);
        return;
    }
    buf_putc(out, '\'');
    for (; *word; word++)
        if (*word == '\'')
            buf_puts(out, "'\\''");
        else
            buf_putc(out, *word);
    buf_putc(out, '\'');
}

void sweep_command_text(const struct sweep *s, const struct sweep_point *p, struct buf *out) {
    struct arena arena = {0};
    int argc;
    char **argv;
    if (sweep_command(s, p, &arena, &argc, &argv)) {
        buf_puts(out, argv[0]);
        for (int i = 1; i < argc; i++) {
            buf_putc(out, ' ');
            put_word(argv[i], out);
        }
    } else {
        out->failed = true;
    }
    arena_free(&arena);
}

void sweep_label(const struct sweep *s, const struct sweep_point *p, struct buf *out) {
    for (u32 i = 0; i < s->naxes; i++)
        buf_printf(out, "%s%s=%s", i ? " " : "", s->axis[i].axis.name, sweep_value(s, p, i));
}

enum store_claim sweep_claim(const struct sweep *s, struct store *store, u32 point, enum store_state *state,
                             struct buf *why) {
    const struct sweep_point *at = sweep_point_at(s, point);
    struct buf command = {0};
    enum store_claim claim = STORE_ERROR;
    sweep_command_text(s, at, &command);
    if (command.failed)
        buf_puts(why, "out of memory\n");
    else
        claim = store_claim(store, at->is.key.text, command.data, state, why);
    buf_free(&command);
    return claim;
}

static bool count_points(const struct sweep *s, u64 *n) {
    *n = 1;
    for (u32 i = 0; i < s->naxes; i++) {
        *n *= s->axis[i].leader == i ? s->axis[i].axis.n : 1;
        if (*n > SWEEP_POINTS_MOST) {
            sweep_mistake(s, "--over", s->axis[i].axis.given, 0, strlen(s->axis[i].axis.given),
                          "with this axis there are more than %s points", grouped(SWEEP_POINTS_MOST).text);
            return false;
        }
    }
    return true;
}

/* Says which point the messages above are about. */
static int cannot(const struct sweep *s, const struct sweep_point *p) {
    struct buf label = {0};
    sweep_label(s, p, &label);
    if (s->naxes && !s->explained && !label.failed)
        ui_error("this point cannot be built: %s", label.data);
    buf_free(&label);
    return EXIT_INPUT;
}

static bool list_points(struct sweep *s) {
    u64 n;
    if (!count_points(s, &n))
        return false;
    for (u64 i = 0; i < n; i++) {
        struct sweep_point *p = buf_push(&s->points, sizeof *p);
        if (!p)
            return no_memory();
        p->number = i;
    }
    return !s->where || sweep_filter(s);
}

int sweep_plan(struct sweep *s) {
    s->files = json_new();
    s->kernels = json_new();
    s->boards = json_new();
    if (!list_points(s))
        return EXIT_INPUT;
    if (!hash_program(&s->build)) {
        ui_error_as("/proc/self/exe", "this program cannot be read");
        return EXIT_INPUT;
    }
    for (u32 i = 0; i < sweep_point_count(s); i++)
        if (sweep_identify(s, sweep_point_at(s, i)) != EXIT_OK)
            return cannot(s, sweep_point_at(s, i));
    return EXIT_OK;
}

void sweep_free(struct sweep *s) {
    sweep_file_free(&s->file);
    json_decref(s->files);
    json_decref(s->kernels);
    json_decref(s->boards);
    buf_free(&s->points);
    buf_free(&s->columns);
    arena_free(&s->arena);
}
