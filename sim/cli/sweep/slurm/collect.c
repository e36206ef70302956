#include "sim/cli/sweep/slurm/collect.h"

#include <stdlib.h>
#include <string.h>

#include "sim/cli/ui.h"
#include "sim/file/document.h"

enum { TOGETHER = 1000 }; /* claims of a transaction */

static const char *key_of(const struct collect *c, u32 point) {
    return sweep_point_at(c->s, point)->is.key.text;
}

static int by_key(const void *a, const void *b, void *s) {
    return strcmp(sweep_point_at(s, *(const u32 *)a)->is.key.text, sweep_point_at(s, *(const u32 *)b)->is.key.text);
}

bool collect_open(struct collect *c, const struct sweep *s, const struct sweep_work *w) {
    u32 n = sweep_point_count(s);
    *c = (struct collect){.s = s, .w = w, .count[COLLECT_NEW] = n};
    c->order = arena_alloc(&c->arena, n * sizeof *c->order);
    c->state = arena_alloc(&c->arena, n);
    c->tries = arena_alloc(&c->arena, n);
    c->begun = arena_alloc(&c->arena, n);
    if (!c->order || !c->state || !c->tries || !c->begun) {
        ui_error("out of memory");
        arena_free(&c->arena);
        return false;
    }
    for (u32 i = 0; i < n; i++)
        c->order[i] = i;
    qsort_r(c->order, n, sizeof *c->order, by_key, (void *)(uintptr_t)s);
    tally_begin(&c->tally, s, w);
    return true;
}

int collect_close(struct collect *c) {
    struct buf ignored = {0};
    bool group = store_begin(c->w->store, &ignored);
    for (u32 i = 0; group && i < sweep_point_count(c->s); i++)
        if (c->state[i] == COLLECT_MISSING || c->state[i] == COLLECT_FLYING)
            store_drop(c->w->store, key_of(c, i), &ignored);
    if (group)
        store_end(c->w->store, &ignored);
    buf_free(&ignored);
    arena_free(&c->arena);
    return tally_end(&c->tally);
}

u32 collect_find(const struct collect *c, const char *key) {
    u32 from = 0, to = sweep_point_count(c->s);
    while (from < to) {
        u32 middle = from + (to - from) / 2;
        int order = strcmp(key, key_of(c, c->order[middle]));
        if (order == 0)
            return c->order[middle];
        if (order < 0)
            to = middle;
        else
            from = middle + 1;
    }
    return UINT32_MAX;
}

void collect_set(struct collect *c, u32 point, enum collect_state state) {
    c->count[c->state[point]]--;
    c->count[state]++;
    c->state[point] = (u8)state;
}

/* ---- claims ---- */

static bool claim(struct collect *c, u32 point) {
    enum store_state state;
    switch (sweep_claim(c->s, c->w->store, point, &state, &c->tally.why)) {
    case STORE_MINE: collect_set(c, point, COLLECT_MISSING); return true;
    case STORE_TAKEN: collect_set(c, point, COLLECT_OTHERS); return true;
    case STORE_PRESENT:
        collect_set(c, point, COLLECT_OVER);
        tally_point(&c->tally, point, true, state, NULL);
        return true;
    case STORE_ERROR: break;
    }
    return false;
}

bool collect_claim(struct collect *c, enum collect_state of) {
    struct store *store = c->w->store;
    u32 all = sweep_point_count(c->s), i = 0;
    bool ok = true;
    while (ok && i < all && !progress_interrupted()) {
        ok = store_begin(store, &c->tally.why);
        for (u32 n = 0; ok && i < all && n < TOGETHER; i++)
            if (c->state[i] == of) {
                ok = claim(c, i);
                n++;
            }
        ok = ok && store_end(store, &c->tally.why);
        tally_show(&c->tally);
    }
    return ok || tally_broken(&c->tally);
}

/* ---- rows ---- */

bool collect_row(struct collect *c, u32 point, enum store_state state, const json_t *row) {
    if (!store_finish(c->w->store, key_of(c, point), state, row, &c->tally.why))
        return tally_broken(&c->tally);
    collect_set(c, point, COLLECT_OVER);
    tally_point(&c->tally, point, false, state, json_string_value(json_object_get(row, "message")));
    return true;
}

bool collect_failure(struct collect *c, u32 point, const char *why) {
    json_t *row = json_new();
    json_put(row, "message", json_text(why));
    sweep_put_axes(c->s, sweep_point_at(c->s, point), row);
    bool ok = collect_row(c, point, STORE_FAILED, row);
    json_decref(row);
    return ok;
}

/* Stores a row for another sweep's point, whose sweep ended before its tasks. */
static bool foreign_row(struct collect *c, const char *key, const json_t *line, enum store_state state) {
    const char *command = json_string_value(json_object_get(line, "command"));
    enum store_state there;
    enum store_claim got = store_claim(c->w->store, key, command ? command : "", &there, &c->tally.why);
    bool ok = got != STORE_ERROR;
    if (got == STORE_MINE)
        ok = store_finish(c->w->store, key, state, json_object_get(line, "row"), &c->tally.why);
    return ok || tally_broken(&c->tally);
}

static bool read_state(const char *name, enum store_state *state) {
    for (*state = STORE_DONE; *state <= STORE_FAILED; ++*state)
        if (name && strcmp(name, store_state_name(*state)) == 0)
            return true;
    return false;
}

static bool add_line(struct collect *c, const json_t *line) {
    const char *begun = json_string_value(json_object_get(line, "begun"));
    const char *key = json_string_value(json_object_get(line, "key"));
    enum store_state state;
    u32 point = collect_find(c, begun ? begun : key ? key : "");
    if (begun) {
        if (point != UINT32_MAX)
            c->begun[point] = true;
        return true;
    }
    if (!key || !read_state(json_string_value(json_object_get(line, "state")), &state) ||
        !json_is_object(json_object_get(line, "row")))
        return true; /* no line of a task */
    if (point == UINT32_MAX)
        return foreign_row(c, key, line, state);
    if (c->state[point] == COLLECT_OTHERS || c->state[point] == COLLECT_OVER)
        return true;
    return collect_row(c, point, state, json_object_get(line, "row"));
}

/* Reads lines; one that a task has not finished, or that two have written at once, is skipped. */
bool collect_lines(struct collect *c, const struct buf *text) {
    struct store *store = c->w->store;
    bool begun = store_begin(store, &c->tally.why), ok = begun;
    for (size_t at = 0, len; ok && at < text->len; at += len + 1) {
        const char *end = memchr(text->data + at, '\n', text->len - at);
        struct buf ignored = {0};
        len = end ? (size_t)(end - text->data) - at : text->len - at;
        json_t *line = end ? document_read("line", text->data + at, len, &ignored) : NULL;
        ok = !line || add_line(c, line);
        json_decref(line);
        buf_free(&ignored);
    }
    bool ended = !begun || store_end(store, &c->tally.why);
    return (ok && ended) || tally_broken(&c->tally);
}
