#include "sim/cli/board/board.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/json.h"
#include "sim/cli/ui.h"

/* A figure with about four digits, and all before the point: "898.0", "1.31", "0.0042". */
struct figure {
    char text[40];
};

static struct figure figure(double value) {
    struct figure f;
    int decimals = value >= 1000 || value == floor(value) ? 0 : value >= 100 ? 1 : value >= 1 ? 2 : 4;
    snprintf(f.text, sizeof f.text, "%.*f", decimals, value);
    return f;
}

/* Calls `line` with each line of a text, and frees it. */
static void each_line(const char *text, void (*line)(void *ctx, const char *text, size_t len), void *ctx) {
    while (*text) {
        size_t len = strcspn(text, "\n");
        line(ctx, text, len);
        text += len + (text[len] == '\n');
    }
}

/* ---- text ---- */

static void put_warning(void *ctx, const char *text, size_t len) {
    buf_printf(ctx, "# warning: %.*s\n", (int)len, text);
}

bool board_report_text(struct heddle *h, struct buf *out) {
    struct heddle_board_value derived;
    struct heddle_board_peak peak;
    char *text = heddle_board_text(h, NULL), *warnings = text ? heddle_board_warnings(h, NULL) : NULL;
    if (!warnings) {
        ui_show(stderr, heddle_error(h));
        heddle_release(text);
        return false;
    }
    for (u32 i = 0; heddle_board_derived(h, i, &derived); i++)
        if (derived.scaled)
            buf_printf(out, "# %s\n", derived.scaled);
    buf_printf(out, "%s\n# What follows from these values:\n#\n", text);
    for (u32 i = 0; heddle_board_peak(h, i, &peak); i++)
        buf_printf(out, "#   %-22s %10s %-23s %s\n", peak.name, figure(peak.value).text, peak.unit, peak.doc);
    if (*warnings)
        buf_puts(out, "\n");
    each_line(warnings, put_warning, out);
    heddle_release(warnings);
    heddle_release(text);
    if (out->failed)
        ui_error("out of memory");
    return !out->failed;
}

/* ---- JSON ---- */

static json_t *json_end(const struct heddle_board_value *v, double number) {
    return v->real ? json_number(number) : json_s64((s64)number);
}

static json_t *json_value(const struct heddle_board_value *v) {
    return v->choice ? json_text(v->choice) : json_end(v, v->number);
}

static json_t *json_values(const struct heddle *h) {
    struct heddle_board_value v;
    json_t *all = json_new();
    for (u32 i = 0; heddle_board_value_at(h, i, &v); i++) {
        json_t *one = json_make("{s:o,s:s}", "value", json_value(&v), "unit", v.unit);
        if (v.basis)
            json_put(one, "basis", json_text(v.basis));
        if (v.ranged) {
            json_put(one, "low", json_end(&v, v.low));
            json_put(one, "high", json_end(&v, v.high));
        }
        if (v.devised)
            json_put(one, "device", json_number(v.device));
        json_put(one, "origin", json_text(v.origin));
        json_put(one, "doc", json_text(v.doc));
        json_put(all, v.key, one);
    }
    return all;
}

static json_t *json_peaks(const struct heddle *h) {
    struct heddle_board_peak p;
    json_t *all = json_new();
    for (u32 i = 0; heddle_board_peak(h, i, &p); i++)
        json_put(all, p.name, json_make("{s:f,s:s,s:s}", "value", p.value, "unit", p.unit, "doc", p.doc));
    return all;
}

static json_t *json_scaled(const struct heddle *h) {
    struct heddle_board_value v;
    json_t *all = json_list();
    for (u32 i = 0; heddle_board_derived(h, i, &v); i++)
        if (v.scaled)
            json_add(all, json_text(v.scaled));
    return all;
}

static void add_warning(void *ctx, const char *text, size_t len) {
    json_add(ctx, json_text_of(text, len));
}

bool board_report_json(struct heddle *h, struct buf *out) {
    char *warnings = heddle_board_warnings(h, NULL);
    json_t *list = json_list();
    if (warnings)
        each_line(warnings, add_warning, list);
    json_t *all = json_make("{s:s,s:s,s:o,s:o,s:o,s:o,s:o}", "format", "heddle-board-1", "heddle", heddle_version(),
                            "board", json_text(heddle_board_name(h)), "scaled", json_scaled(h), "values",
                            json_values(h), "peaks", json_peaks(h), "warnings", list);
    if (heddle_board_device(h))
        json_put(all, "device", json_text(heddle_board_device(h)));
    bool ok = warnings && json_write(all, out);
    heddle_release(warnings);
    json_decref(all);
    if (!ok)
        ui_error("out of memory");
    return ok;
}
