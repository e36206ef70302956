/* The axes of a sweep: the option of its command that each becomes. */
#include <stdio.h>
#include <string.h>

#include "sim/api/heddle.h"
#include "sim/base/meaning.h"
#include "sim/cli/board/board.h"
#include "sim/cli/sweep/plan/plan.h"
#include "sim/cli/sweep/sweep.h"
#include "sim/cli/ui.h"

/* Options whose value names a part: --over arg.n=1,2 is --arg n=1, --arg n=2. */
static const char *const parted[] = {"arg", "in", "inout"};

static const char *nth_key(const void *ctx, size_t i) {
    struct heddle_board_value v;
    return board_key_at(ctx, (u32)i, &v) ? v.key : NULL;
}

/* Names for axes: "kernel", options, keys of boards. Some begin other names. */
struct names {
    const struct heddle *h;
    size_t options;
};

static const char *nth_name(const void *ctx, size_t i) {
    const struct names *names = ctx;
    if (i < 2)
        return i ? "sample" : "kernel";
    return i - 2 < names->options ? column_option(i - 2) : nth_key(names->h, i - 2 - names->options);
}

static bool unknown(const char *option, const struct axis *a, const struct heddle *h, size_t keys) {
    struct names names = {.h = h};
    while (column_option(names.options))
        names.options++;
    const struct meaning near = meaning_of(a->name, 2 + names.options + keys, nth_name, &names);
    if (*near.text)
        ui_option_error(option, a->given, 0, strlen(a->name), "unknown key '%s'%s", a->name, near.text);
    else
        ui_option_error(option, a->given, 0, strlen(a->name),
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

static bool forget_name(struct sweep *s, const char *option, const struct axis *a) {
    return ui_option_error(option, a->given, 0, strlen(a->name),
                           "'heddle %s' has no option --%s, and no word of the command has {%s} in it", s->command,
                           a->name, a->name);
}

static bool is_key(const char *name) {
    struct heddle *h = heddle_new();
    bool there = false;
    for (size_t i = 0; h && nth_key(h, i); i++)
        there |= strcmp(nth_key(h, i), name) == 0;
    heddle_free(h);
    return there;
}

/* Finds a key of the board, which need not be the board of any point. */
static bool find_key(struct sweep *s, const char *option, struct sweep_axis *to) {
    struct heddle *h = heddle_new();
    size_t keys = 0;
    bool there = false;
    if (!h)
        return ui_no_memory();
    for (const char *key; (key = nth_key(h, keys)); keys++)
        there |= strcmp(key, to->axis.name) == 0;
    to->form = SWEEP_SET;
    to->option = "--set";
    to->name = to->axis.name;
    to->column = joined(&s->arena, "board.", to->name);
    bool ok = there || unknown(option, &to->axis, h, keys);
    heddle_free(h);
    return ok;
}

/* Finds "{n}" in a word of the command, the place for the values of n. */
static bool has_place(struct sweep *s, struct sweep_axis *to) {
    const char *braces = joined(&s->arena, "{", to->axis.name), *place = braces ? joined(&s->arena, braces, "}") : NULL;
    bool found = false;
    for (int i = 1; place && i < s->argc; i++)
        found |= strstr(s->argv[i], place) != NULL;
    to->name = place;
    return found;
}

/* Finds an option of a command other than `run`, or one of its options that name a part; else a key of the board. */
static bool find_option(struct sweep *s, const char *option, struct sweep_axis *to) {
    const char *name = to->axis.name;
    size_t part = strcspn(name, ".");
    bool set = false, known = s->options != NULL;
    to->column = joined(&s->arena, SWEEP_OVER, name);
    for (const struct argp_option *o = s->options; o && o->name; o++) {
        set |= strcmp(o->name, "set") == 0;
        bool named = o->arg && strchr(o->arg, '=') && name[part] && name[part + 1];
        if (strcmp(o->name, name) != 0 && !(named && strlen(o->name) == part && strncmp(o->name, name, part) == 0))
            continue;
        to->form = name[part] ? SWEEP_PART : SWEEP_OPTION;
        to->option = joined(&s->arena, "--", o->name);
        to->name = name[part] ? name + part + 1 : name;
        return true;
    }
    bool key = (set || !known) && is_key(name);
    if (key || (set && name[part]))
        return find_key(s, option, to);
    if (known)
        return forget_name(s, option, &to->axis);
    to->form = SWEEP_OPTION; /* of a study with unknown options */
    to->option = joined(&s->arena, "--", name);
    return true;
}

static bool find_form(struct sweep *s, const char *option, struct sweep_axis *to) {
    const char *name = to->axis.name;
    *to = (struct sweep_axis){.axis = to->axis, .form = SWEEP_FILE, .name = name, .column = "file"};
    if (strcmp(name, "sample") == 0) {
        to->form = SWEEP_SAMPLE;
        to->column = name;
        return true;
    }
    if (strcmp(name, "point") == 0) {
        to->form = SWEEP_NUMBER;
        to->column = name;
        return true;
    }
    if (has_place(s, to)) {
        to->form = SWEEP_PLACE;
        to->column = joined(&s->arena, SWEEP_OVER, name);
        return true;
    }
    to->name = name;
    if (strcmp(name, "kernel") == 0)
        return true;
    if (!sweep_is_run(s))
        return find_option(s, option, to);
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
    for (size_t i = 0; column_option(i); i++)
        if (strcmp(name, column_option(i)) == 0) {
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
            ui_option_error(option, a->given, 0, strlen(a->name), "'%s' is an axis already: %s", a->name,
                            s->axis[i].axis.given);
            return true;
        }
    return false;
}

/* Finds the axis that an axis of --with follows, which has as many values. */
static bool find_leader(const struct sweep *s, struct sweep_axis *to) {
    const char *text = to->axis.given;
    if (!s->naxes)
        return ui_option_error("--with", text, 0, strlen(text), "it follows the --over before it, and there is none");
    to->leader = s->axis[s->naxes - 1].leader;
    const struct axis *other = &s->axis[to->leader].axis;
    if (other->n != to->axis.n)
        ui_option_error("--with", text, strlen(to->axis.name) + 1, strlen(text), "%u value%s for the %u of --over %s",
                        to->axis.n, to->axis.n == 1 ? "" : "s", other->n, other->given);
    return other->n == to->axis.n;
}

bool sweep_axis(struct sweep *s, const char *option, const char *text) {
    struct sweep_axis *to = &s->axis[s->naxes];
    bool with = strcmp(option, "--with") == 0;
    struct axis_mistake wrong;
    if (s->naxes == SWEEP_AXES_MOST)
        return ui_option_error(option, text, 0, strlen(text), "more than %d axes", SWEEP_AXES_MOST);
    if (!axis_read(text, with, &s->arena, &to->axis, &wrong)) {
        return ui_option_error(option, text, wrong.at, wrong.len, "%s", wrong.text);
    }
    if (given_before(s, option, &to->axis) || !find_form(s, option, to))
        return false;
    to->given_by = option;
    to->leader = s->naxes;
    if (with && !find_leader(s, to))
        return false;
    s->naxes++;
    bool named = to->option || to->form == SWEEP_FILE || to->form >= SWEEP_PLACE;
    return (named && to->column && to->name) || ui_no_memory();
}
