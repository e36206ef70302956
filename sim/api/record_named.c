/* Walks over what names its members itself: events and registers of recordings, columns of explained instructions. */
#include "sim/api/record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_whole(const struct heddle_sink *to, const char *name, enum heddle_kind kind, uint64_t whole) {
    const struct heddle_value v = {.kind = kind, .whole = whole};
    to->value(to->ctx, name, &v);
}

static void put_text(const struct heddle_sink *to, const char *name, const char *text) {
    const struct heddle_value v = {.kind = HEDDLE_KIND_TEXT, .text = text};
    to->value(to->ctx, name, &v);
}

static void put_words(const struct heddle_sink *to, const char *name, const uint32_t *words, uint32_t n) {
    to->open(to->ctx, name, '[');
    for (uint32_t i = 0; i < n; i++)
        put_whole(to, NULL, HEDDLE_KIND_WHOLE, words[i]);
    to->close(to->ctx, ']');
}

/* ---- events ---- */

static void put_number(const struct heddle_sink *to, const struct heddle_event *e, uint32_t i) {
    enum heddle_event_form form;
    const char *name = heddle_event_field(e->kind, i, &form, NULL);
    const char *word = form == HEDDLE_EVENT_WORD ? heddle_event_word(e->kind, i, e->value[i]) : NULL;
    if (word)
        put_text(to, name, word);
    else if (form == HEDDLE_EVENT_WORD || (form == HEDDLE_EVENT_OPTIONAL && e->value[i] == UINT64_MAX))
        to->none(to->ctx, name);
    else
        put_whole(to, name, form == HEDDLE_EVENT_MASK ? HEDDLE_KIND_HEX : HEDDLE_KIND_WHOLE, e->value[i]);
}

static void put_rows(const struct heddle_sink *to, const struct heddle *h, const struct heddle_event *e) {
    struct heddle_event_row row;
    to->open(to->ctx, "rows", '{');
    for (uint32_t i = 0; heddle_event_row(h, e, i, &row); i++)
        put_words(to, row.name, row.values, row.nvalues);
    to->close(to->ctx, '}');
}

static void put_levels(const struct heddle_sink *to, const struct heddle_event *e) {
    struct heddle_level level;
    to->open(to->ctx, "levels", '[');
    for (uint32_t i = 0; heddle_event_level(e, i, &level); i++) {
        to->open(to->ctx, NULL, '{');
        heddle_walk(to, heddle_record("heddle_level"), &level);
        to->close(to->ctx, '}');
    }
    to->close(to->ctx, ']');
}

static void put_addresses(const struct heddle_sink *to, const struct heddle_event *e) {
    uint64_t address;
    to->open(to->ctx, "addresses", '[');
    for (uint32_t i = 0; heddle_event_address(e, i, &address); i++)
        put_whole(to, NULL, HEDDLE_KIND_WHOLE, address);
    to->close(to->ctx, ']');
}

void heddle_walk_event(const struct heddle_sink *to, const struct heddle *h, const struct heddle_event *event) {
    enum heddle_tail tail;
    put_text(to, "kind", heddle_event_kind(event->kind, NULL, &tail, NULL));
    heddle_walk(to, heddle_record("heddle_event"), event);
    for (uint32_t i = 0; i < event->nvalues; i++)
        put_number(to, event, i);
    switch (tail) {
    case HEDDLE_TAIL_NONE: break;
    case HEDDLE_TAIL_ROWS:
        if (event->ntail || to->form == HEDDLE_LUA) /* where an empty table is easier to walk than none */
            put_rows(to, h, event);
        break;
    case HEDDLE_TAIL_LEVELS: put_levels(to, event); break;
    case HEDDLE_TAIL_ADDRESSES: put_addresses(to, event); break;
    }
}

/* ---- registers ---- */

struct name {
    char text[16];
};

/* Names a register, predicate or transit register, in the order of `ready`. */
static struct name name_of(const struct heddle_state *s, uint32_t i) {
    uint32_t preds = s->nregs + s->npreds, first = i < s->nregs ? 0 : i < preds ? s->nregs : preds;
    struct name name;
    snprintf(name.text, sizeof name.text, "%c%u", i < s->nregs ? 'r' : i < preds ? 'p' : 'x', i - first);
    return name;
}

void heddle_walk_registers(const struct heddle_sink *to, const struct heddle_state *s, uint64_t cycle) {
    uint32_t slots = s->slots * s->width, preds = s->nregs + s->npreds, all = preds + s->ntransit;
    to->open(to->ctx, "registers", '{');
    for (uint32_t i = 0; i < all; i++)
        if (i < s->nregs)
            put_words(to, name_of(s, i).text, s->regs + (size_t)i * s->width, s->width);
        else if (i < preds)
            put_whole(to, name_of(s, i).text, HEDDLE_KIND_HEX, s->preds[i - s->nregs]);
        else
            put_words(to, name_of(s, i).text, s->transit + (size_t)(i - preds) * slots, slots);
    to->close(to->ctx, '}');
    to->open(to->ctx, "ready", '{');
    for (uint32_t i = 0; i < all; i++)
        if (s->ready[i] == UINT64_MAX)
            to->none(to->ctx, name_of(s, i).text);
        else if (s->ready[i] > cycle)
            put_whole(to, name_of(s, i).text, HEDDLE_KIND_WHOLE, s->ready[i]);
    to->close(to->ctx, '}');
}

/* ---- lanes ---- */

static void put_cell(const struct heddle_sink *to, const struct heddle_column *c, uint32_t lane) {
    struct heddle_value v = {.kind = HEDDLE_KIND_WHOLE, .whole = c->value[lane]};
    char text[40];
    switch (c->kind) {
    case HEDDLE_CELL_NUMBER: break;
    case HEDDLE_CELL_HEX: v.kind = HEDDLE_KIND_HEX; break;
    case HEDDLE_CELL_SIGNED:
        v.kind = HEDDLE_KIND_SIGNED;
        v.number = (int64_t)c->value[lane];
        break;
    case HEDDLE_CELL_FLOAT:
        v.kind = HEDDLE_KIND_REAL;
        memcpy(&v.real, &c->value[lane], sizeof v.real);
        break;
    case HEDDLE_CELL_TEXT:
        v.kind = HEDDLE_KIND_TEXT;
        v.text = c->text[lane];
        break;
    }
    if (v.kind == HEDDLE_KIND_REAL && to->form == HEDDLE_JSON && !isfinite(v.real)) { /* which has no such number */
        snprintf(text, sizeof text, "%.7g", v.real);
        v.kind = HEDDLE_KIND_TEXT;
        v.text = text;
    }
    to->value(to->ctx, c->name, &v);
}

void heddle_walk_lanes(const struct heddle_sink *to, const struct heddle_explained *x, uint32_t every) {
    uint64_t some = 0;
    for (uint32_t i = 0; i < x->ncolumns; i++)
        some |= x->columns[i].lanes;
    to->open(to->ctx, "lanes", '[');
    for (uint32_t lane = 0; lane < (every ? every : 64); lane++) {
        if (!every && !(some >> lane & 1))
            continue;
        to->open(to->ctx, NULL, '{');
        put_whole(to, "lane", HEDDLE_KIND_WHOLE, lane);
        for (uint32_t i = 0; i < x->ncolumns; i++)
            if (x->columns[i].lanes >> lane & 1)
                put_cell(to, &x->columns[i], lane);
        to->close(to->ctx, '}');
    }
    to->close(to->ctx, ']');
    to->open(to->ctx, "titles", '{');
    for (uint32_t i = 0; i < x->ncolumns; i++)
        if (strcmp(x->columns[i].name, x->columns[i].title) != 0)
            put_text(to, x->columns[i].name, x->columns[i].title);
    to->close(to->ctx, '}');
}
