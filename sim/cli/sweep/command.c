/* The command line of a point of a sweep, and its claim in the store. */
#include <stdio.h>
#include <string.h>

#include "sim/cli/format.h"
#include "sim/cli/sweep/sweep.h"

/* Returns the value of an axis at a point. The last axis changes fastest. */
const char *sweep_value(const struct sweep *s, const struct sweep_point *p, u32 axis) {
    u64 rest = p->number;
    u32 leader = s->axis[axis].leader;
    for (u32 i = s->naxes - 1; i > leader; i--)
        rest /= s->axis[i].leader == i ? s->axis[i].axis.n : 1;
    return s->axis[axis].axis.value[rest % s->axis[axis].axis.n];
}

/* Appends a word of the command with the values of axes in their places. */
static void put_places(const struct sweep *s, const struct sweep_point *p, const char *word, struct buf *out) {
    while (*word) {
        u32 i = 0;
        while (i < s->naxes &&
               !(s->axis[i].form == SWEEP_PLACE && strncmp(word, s->axis[i].name, strlen(s->axis[i].name)) == 0))
            i++;
        if (i < s->naxes) {
            buf_puts(out, sweep_value(s, p, i));
            word += strlen(s->axis[i].name);
        } else {
            buf_putc(out, *word++);
        }
    }
}

/* Adds the words of an axis, one or two; returns their number, 0 when out of memory. */
static int add_axis(const struct sweep *s, const struct sweep_point *p, u32 axis, struct arena *arena, char **word) {
    const struct sweep_axis *a = &s->axis[axis];
    bool named = a->form == SWEEP_SET || a->form == SWEEP_PART;
    struct buf text = {0};
    int n = 0;
    buf_printf(&text, "%s%s%s", named ? a->name : "", named ? "=" : "", sweep_value(s, p, axis));
    if (a->option)
        word[n++] = (char *)(uintptr_t)a->option;
    word[n] = text.failed ? NULL : arena_strndup(arena, text.data, text.len);
    buf_free(&text);
    return word[n] ? n + 1 : 0;
}

bool sweep_command(const struct sweep *s, const struct sweep_point *p, struct arena *arena, int *argc, char ***argv) {
    char **word = arena_alloc(arena, ((size_t)s->argc + 2 * s->naxes + 1) * sizeof *word);
    int n = 0;
    bool ok = word != NULL;
    for (; n < s->argc && ok; n++) {
        struct buf text = {0};
        put_places(s, p, s->argv[n], &text);
        word[n] = text.failed ? NULL : arena_strndup(arena, text.data ? text.data : "", text.len);
        ok = word[n] != NULL;
        buf_free(&text);
    }
    for (u32 i = 0; i < s->naxes && ok; i++) {
        if (s->axis[i].form >= SWEEP_PLACE)
            continue;
        int added = add_axis(s, p, i, arena, word + n);
        ok = added > 0;
        n += added;
    }
    if (ok)
        word[n] = NULL;
    *argc = n;
    *argv = word;
    return ok;
}

void sweep_command_text(const struct sweep *s, const struct sweep_point *p, struct buf *out) {
    struct arena arena = {0};
    int argc;
    char **argv;
    if (sweep_command(s, p, &arena, &argc, &argv)) {
        buf_puts(out, argv[0]);
        for (int i = 1; i < argc; i++) {
            buf_putc(out, ' ');
            format_shell_word(argv[i], out);
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
