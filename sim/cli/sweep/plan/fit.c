/* Values that are multiples of the board's, "0.5x": points that the board cannot have are left out, with a note. */
#include <string.h>

#include "sim/cli/run/run.h"
#include "sim/cli/sweep/sweep.h"

static bool has_multiples(const struct sweep *s) {
    bool any = false;
    for (u32 i = 0; i < s->naxes; i++)
        for (u32 v = 0; s->axis[i].form == SWEEP_SET && v < s->axis[i].axis.n; v++)
            any |= axis_is_multiple(s->axis[i].axis.value[v]);
    return any;
}

static void say(const struct sweep *s, const struct sweep_point *p, const char *why) {
    struct buf text = {0};
    const char *separator = "left out, because the board cannot be so: ", *error = strstr(why, "error: ");
    error = error ? error + strlen("error: ") : why;
    for (u32 i = 0; i < s->naxes; i++) {
        bool board = s->axis[i].form == SWEEP_SET || strcmp(s->axis[i].axis.name, "board") == 0;
        buf_printf(&text, "%s%s%s%s", board ? separator : "", board ? s->axis[i].axis.name : "", board ? "=" : "",
                   board ? sweep_value(s, p, i) : "");
        separator = board ? " " : separator;
    }
    buf_printf(&text, ": %.*s\n", (int)strcspn(error, ";\n"), error);
    ui_show(stderr, text.failed ? "" : text.data);
    buf_free(&text);
}

/* Checks whether the board can have its values. `known`: earlier answers, by boards. False after a message. */
static bool ask(const struct sweep *s, const struct sweep_point *p, struct run *r, json_t *known, bool *fits) {
    const struct board_choice *b = &r->options.board, base = {.name = b->name};
    const char *const *set = (const char *const *)(const void *)b->sets.data;
    size_t n = b->sets.len / sizeof *set;
    struct buf words = {0};
    *fits = true;
    buf_printf(&words, "%s", b->name ? b->name : "");
    for (size_t i = 0; i < n; i++)
        buf_printf(&words, "\n%s", set[i]);
    const struct hash key = hash_bytes(words.data, words.len);
    const json_t *before = json_object_get(known, key.text);
    bool ok = !words.failed || ui_no_memory();
    buf_free(&words);
    if (before || !b->name || !ok) { /* the board of a case is known later */
        *fits = !before || json_integer_value(before);
        return ok;
    }
    if (!board_apply(&base, r->h))
        return false;
    *fits = heddle_board_load(r->h, NULL, set, (u32)n);
    if (!*fits)
        say(s, p, heddle_error(r->h));
    json_put(known, key.text, json_s64(*fits));
    return true;
}

static bool look_at(const struct sweep *s, const struct sweep_point *p, json_t *known, bool *fits) {
    struct run r = {0};
    struct arena arena = {0};
    int argc;
    char **argv;
    bool ok = sweep_command(s, p, &arena, &argc, &argv) || ui_no_memory();
    ok = ok && run_open(&r, argc, argv) && ask(s, p, &r, known, fits);
    run_close(&r);
    arena_free(&arena);
    return ok;
}

bool sweep_fit(struct sweep *s) {
    u32 n = sweep_point_count(s), kept = 0;
    bool ok = true, fits;
    if (s->complete || !sweep_is_run(s) || !has_multiples(s))
        return true;
    json_t *known = json_new();
    for (u32 i = 0; i < n && ok; i++) {
        ok = look_at(s, sweep_point_at(s, i), known, &fits);
        if (ok && fits)
            *sweep_point_at(s, kept++) = *sweep_point_at(s, i);
    }
    s->points.len = kept * sizeof(struct sweep_point);
    json_decref(known);
    if (ok && !kept)
        ui_error("no point can be built");
    return ok && kept;
}
