/*
 * Keys that are a peak, such as dram.gbs: what they scale is set when all else that the peak follows from is known. A
 * row of sim/board/fields.def lists the fields they scale, one of sim/board/peaks.def defines the peak.
 */
#include "sim/board/board.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/decimal.h"

#define ROUNDING 0.05 /* of the value given; a result farther off is refused */

/* "1200.13": six digits of a bandwidth. */
static struct decimal gbs(double value) {
    struct decimal text;
    snprintf(text.text, sizeof text.text, "%.6g", value);
    return text;
}

/* The nearest value that a field can have. */
static double nearest(const struct board_field_row *row, double value) {
    double least = row->min < 1 ? 1 : row->min;
    if (row->kind == KIND_POWER2)
        value = exp2(round(log2(value > least ? value : least)));
    value = round(value);
    return value < least ? least : value > row->max ? row->max : value;
}

static double step(const struct board_field_row *row, double value, bool up) {
    return nearest(row, row->kind == KIND_POWER2 ? (up ? value * 2 : value / 2) : value + (up ? 1 : -1));
}

/* Value of the key with another value of the field that it scales. */
static double with(const struct board *b, u32 key, double value) {
    struct board changed = *b;
    board_store(&changed, (enum board_field)board_fields[key].scaled[0], value);
    return board_value(&changed, key);
}

/* Number of fields that it scales. */
static u32 scaled_by(const struct board_field_row *row) {
    return row->scaled[1] == row->scaled[0] ? 1 : 2;
}

/* ---- conflicts ---- */

/* Reports a field that is set together with a key that scales it, at the later of the two. */
static bool conflicts(const struct board_given *g, u32 key) {
    const struct board_field_row *row = &board_fields[key];
    for (u32 i = 0; i < scaled_by(row); i++) {
        const struct span *a = &g->at[key], *b = &g->at[row->scaled[i]];
        bool ordered = a->line < b->line || (a->line == b->line && a->col < b->col);
        char where[40] = "";
        if (!b->len)
            continue;
        if (g->lines)
            snprintf(where, sizeof where, ", the other in line %u", ordered ? a->line : b->line);
        diag_error(g->diag, ordered ? *b : *a, "%s sets %s, and both are given%s: leave one of them out", row->key,
                   board_fields[row->scaled[i]].key, where);
        return true;
    }
    return false;
}

static bool refuse(const struct board_given *g, u32 key, double value) {
    const struct board_field_row *row = &board_fields[key], *field = &board_fields[row->scaled[0]];
    double asked = g->asked[key - BOARD_FIELDS], got = with(g->board, key, value);
    double least = nearest(field, 0), most = nearest(field, field->max);
    const char *unit = field->unit;
    if (asked < with(g->board, key, least) * (1 - ROUNDING) || asked > with(g->board, key, most) * (1 + ROUNDING))
        diag_error(g->diag, g->at[key],
                   "%s is %s; with %s from %s to %s %s, and the rest as it is, it can be %s to %s %s", row->key,
                   gbs(asked).text, field->key, decimal_write(least).text, decimal_write(most).text, unit,
                   gbs(with(g->board, key, least)).text, gbs(with(g->board, key, most)).text, row->unit);
    else
        diag_error(g->diag, g->at[key], "%s is %s; it can be %s or %s %s, as %s is a %s", row->key, gbs(asked).text,
                   gbs(got < asked ? got : with(g->board, key, step(field, value, false))).text,
                   gbs(got < asked ? with(g->board, key, step(field, value, true)) : got).text, row->unit, field->key,
                   field->kind == KIND_POWER2 ? "power of two" : "whole number");
    return false;
}

/* ---- setting fields ---- */

/* Sets a field and the origin of its value, and appends the change to `text`. */
static void scale(struct board_given *g, u32 key, u32 i, double value, struct buf *text) {
    u32 d = key - BOARD_FIELDS;
    enum board_field field = (enum board_field)board_fields[key].scaled[i];
    double before = board_value(g->board, field);
    bool same = fabs(before - value) < 0.5;
    buf_printf(text, "%s %s%s%s, ", board_fields[field].key, same ? "stays " : decimal_write(before).text,
               same ? "" : " -> ", decimal_write(value).text);
    g->board->scaling[d].to[i] = value;
    board_store(g->board, field, value);
    memcpy(g->board->origin[field], g->origin[d], sizeof g->origin[d]);
}

static bool apply(struct board_given *g, u32 key) {
    const struct board_field_row *row = &board_fields[key];
    struct board_scaling *s = &g->board->scaling[key - BOARD_FIELDS];
    double *asked = &g->asked[key - BOARD_FIELDS], now = board_value(g->board, key), value[BOARD_SCALED] = {0};
    struct buf text = {0};
    if (g->multiple[key - BOARD_FIELDS])
        decimal_read(decimal_write(*asked * now).text, asked);
    for (u32 i = 0; i < scaled_by(row); i++)
        value[i] = nearest(&board_fields[row->scaled[i]], board_value(g->board, row->scaled[i]) * *asked / now);
    if (conflicts(g, key))
        return false;
    if (fabs(with(g->board, key, value[0]) - *asked) > ROUNDING * *asked)
        return refuse(g, key, value[0]);
    buf_printf(&text, "%s=%s: ", row->key, decimal_write(*asked).text);
    for (u32 i = 0; i < scaled_by(row); i++)
        scale(g, key, i, value[i], &text);
    s->asked = *asked;
    s->got = board_value(g->board, key);
    buf_printf(&text, "%s %s", gbs(s->got).text, row->unit);
    snprintf(s->text, sizeof s->text, "%s", text.failed ? "" : text.data);
    buf_free(&text);
    return true;
}

bool board_end(struct board_given *g) {
    bool ok = board_end_device(g);
    for (u32 key = BOARD_FIELDS; key < BOARD_KEYS; key++)
        if (g->at[key].len)
            ok &= apply(g, key);
    return ok;
}

const char *board_scaled(const struct board *b, u32 key) {
    const struct board_scaling *s = &b->scaling[key - BOARD_FIELDS];
    const struct board_field_row *row = &board_fields[key];
    bool holds = *s->text && fabs(board_value(b, key) - s->got) <= 1e-9 * s->got;
    for (u32 i = 0; i < scaled_by(row); i++)
        holds &= fabs(board_value(b, row->scaled[i]) - s->to[i]) < 0.5;
    return holds ? s->text : NULL;
}
