/* A difference as text: first what was run, then time and its reason, then where it comes from. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/diff.h"
#include "sim/cli/format.h"

enum { SHOWN = 12 }; /* rows of a table without --all */

struct row {
    const char *name, *unit;
    double a, b;
    const json_t *pair;
    double weight; /* how large the change is, for the order */
};

static double value(const json_t *pair, size_t side) {
    return json_number_value(json_array_get(pair, side));
}

static struct short_text number_of(const json_t *v, const char *unit) {
    struct short_text t = {"-"};
    if (json_is_integer(v))
        return grouped((u64)json_integer_value(v));
    if (json_is_real(v) && (strcmp(unit, "J") == 0 || strcmp(unit, "s") == 0))
        return format_si(json_real_value(v), unit);
    if (json_is_real(v))
        return fabs(json_real_value(v)) < 0.01 && json_real_value(v) != 0 ? format_si(json_real_value(v), "")
                                                                          : format_number(json_real_value(v));
    if (json_is_string(v))
        snprintf(t.text, sizeof t.text, "%.40s", json_string_value(v));
    if (json_is_array(v))
        snprintf(t.text, sizeof t.text, "%lldx%lldx%lld", (long long)json_integer_value(json_array_get(v, 0)),
                 (long long)json_integer_value(json_array_get(v, 1)),
                 (long long)json_integer_value(json_array_get(v, 2)));
    return t;
}

/* "x 0.57", "+12.3 points" of a share, "" where there is no number to compare with */
static struct short_text change_of(const json_t *pair, const char *unit) {
    struct short_text t = {""};
    const json_t *a = json_array_get(pair, 0), *b = json_array_get(pair, 1);
    if (!json_is_number(a) || !json_is_number(b))
        return t;
    if (strcmp(unit, "%") == 0)
        snprintf(t.text, sizeof t.text, "%+.1f points", json_number_value(b) - json_number_value(a));
    else if (json_number_value(a) != 0)
        snprintf(t.text, sizeof t.text, "x %.3g", json_number_value(b) / json_number_value(a));
    return t;
}

static void put_pair(const char *name, const json_t *pair, const char *unit, struct buf *out) {
    buf_printf(out, "  %-40s %16s %16s  %s\n", name, number_of(json_array_get(pair, 0), unit).text,
               number_of(json_array_get(pair, 1), unit).text, change_of(pair, unit).text);
}

static void put_head(const char *title, struct buf *out) {
    buf_printf(out, "\n  %-40s %16s %16s  %s\n", title, "a", "b", "change");
}

/* ---- tables by size ---- */

static double weight_of(const json_t *pair, const char *unit) {
    double a = value(pair, 0), b = value(pair, 1), most = fmax(fabs(a), fabs(b));
    if (strcmp(unit, "%") == 0)
        return fabs(b - a) / 100;
    return most > 0 ? fabs(b - a) / most : 0;
}

static bool heavier(const struct row *a, const struct row *b) {
    return a->weight > b->weight || (a->weight == b->weight && strcmp(a->name, b->name) < 0);
}

/* The heaviest rows first. */
static void put_rows(struct row *rows, size_t n, bool all, struct buf *out) {
    size_t shown = all || n < SHOWN ? n : SHOWN;
    for (size_t i = 0; i < shown; i++) {
        size_t best = i;
        for (size_t k = i + 1; k < n; k++)
            if (heavier(&rows[k], &rows[best]))
                best = k;
        struct row one = rows[best];
        rows[best] = rows[i];
        rows[i] = one;
        put_pair(one.name, one.pair, one.unit, out);
    }
    if (shown < n)
        buf_printf(out, "  ... and %zu more: --all shows them\n", n - shown);
}

static bool metric_row(const char *name, struct heddle_metric *m) {
    for (u32 i = 0; heddle_metric_row(i, m); i++)
        if (strcmp(m->name, name) == 0)
            return true;
    return false;
}

/* Without --all: what says why, neither counts nor what only follows from the time. */
static bool worth(const struct heddle_metric *m, bool all) {
    static const char *const follow[] = {"seconds", "rate.",       "peak.",       "stall_per_instruction.",
                                         "power.",  "dram.read_b", "dram.write_b"};
    for (u32 i = 0; i < COUNT_OF(follow) && !all; i++)
        if (strncmp(m->name, follow[i], strlen(follow[i])) == 0)
            return false;
    return all || (*m->formula && (strcmp(m->unit, "J") != 0 || strcmp(m->name, "energy.dynamic") == 0));
}

static void put_metrics(const json_t *metrics, bool all, struct buf *out) {
    struct buf rows = {0};
    const char *name;
    json_t *pair;
    json_object_foreach((json_t *)(uintptr_t)metrics, name, pair) {
        struct heddle_metric m;
        bool known = metric_row(name, &m);
        if (known && !worth(&m, all))
            continue;
        struct row row = {.name = name, .unit = known ? m.unit : "", .pair = pair};
        row.weight = weight_of(pair, row.unit);
        buf_append(&rows, &row, sizeof row);
    }
    size_t n = rows.len / sizeof(struct row);
    out->failed |= rows.failed;
    if (n) {
        put_head(all ? "metrics" : "metrics that changed most", out);
        put_rows((struct row *)(void *)rows.data, n, all, out);
    }
    buf_free(&rows);
}

/* Rows of one unit are ordered by their difference, those of several by what share of them it is. */
static void put_members(const char *title, const json_t *members, bool one_unit, bool all, struct buf *out) {
    struct buf rows = {0};
    const char *name;
    json_t *pair;
    json_object_foreach((json_t *)(uintptr_t)members, name, pair) {
        struct row row = {.name = name, .unit = strcmp(name, "energy") == 0 ? "J" : "", .pair = pair};
        row.weight = one_unit ? fabs(value(pair, 1) - value(pair, 0)) : weight_of(pair, row.unit);
        buf_append(&rows, &row, sizeof row);
    }
    size_t n = rows.len / sizeof(struct row);
    out->failed |= rows.failed;
    if (n) {
        put_head(title, out);
        put_rows((struct row *)(void *)rows.data, n, all, out);
    }
    buf_free(&rows);
}

static void put_traffic(const json_t *traffic, bool all, struct buf *out) {
    const char *buffer;
    json_t *members;
    json_object_foreach((json_t *)(uintptr_t)traffic, buffer, members) {
        struct buf title = {0};
        buf_printf(&title, "buffer %s", buffer);
        out->failed |= title.failed;
        put_members(title.failed ? buffer : title.data, members, false, all, out);
        buf_free(&title);
    }
}

/* ---- lines ---- */

static json_int_t cell(const json_t *line, const char *name, size_t side) {
    return json_integer_value(json_array_get(json_object_get(line, name), side));
}

static json_int_t change(const json_t *line) {
    json_int_t cycles = cell(line, "cycles", 1) - cell(line, "cycles", 0);
    json_int_t issued = cell(line, "issued", 1) - cell(line, "issued", 0);
    json_int_t most = cycles ? cycles : issued;
    return most < 0 ? -most : most;
}

static const json_t *largest(const json_t *lines, json_int_t below, size_t behind) {
    const json_t *best = NULL;
    size_t i;
    json_t *line;
    json_array_foreach((json_t *)(uintptr_t)lines, i, line) {
        bool later = change(line) < below || (change(line) == below && i > behind);
        if (later && (!best || change(line) > change(best)))
            best = line;
    }
    return best;
}

static size_t index_of(const json_t *lines, const json_t *line) {
    size_t i = 0;
    while (json_array_get(lines, i) != line)
        i++;
    return i;
}

static void put_lines(const json_t *lines, bool all, struct buf *out) {
    size_t n = json_array_size(lines), shown = all || n < SHOWN ? n : SHOWN, at = SIZE_MAX;
    json_int_t below = INT64_MAX;
    if (n == 0)
        return;
    buf_printf(out, "\n  %11s %11s %11s %13s %13s  %s\n", "line", "issued a", "issued b", "cycles a", "cycles b",
               "instruction");
    for (size_t i = 0; i < shown; i++) {
        const json_t *line = largest(lines, below, at);
        below = change(line);
        at = index_of(lines, line);
        char number[48];
        snprintf(number, sizeof number, cell(line, "line", 0) == cell(line, "line", 1) ? "%lld" : "%lld, %lld",
                 (long long)cell(line, "line", 0), (long long)cell(line, "line", 1));
        buf_printf(out, "  %11s %11s %11s", number, grouped((u64)cell(line, "issued", 0)).text,
                   grouped((u64)cell(line, "issued", 1)).text);
        buf_printf(out, " %13s %13s  %.50s\n", grouped((u64)cell(line, "cycles", 0)).text,
                   grouped((u64)cell(line, "cycles", 1)).text, json_string_value(json_object_get(line, "text")));
    }
    if (shown < n)
        buf_printf(out, "  ... and %zu more: --all shows them\n", n - shown);
}

static void put_lone(const char *title, const json_t *lines, bool all, struct buf *out) {
    size_t n = json_array_size(lines), shown = all || n < SHOWN ? n : SHOWN;
    if (n == 0)
        return;
    buf_printf(out, "\n  %s\n", title);
    for (size_t i = 0; i < shown; i++) {
        const json_t *line = json_array_get(lines, i);
        buf_printf(out, "  %6lld %13s issued %15s cycles  %.48s\n",
                   (long long)json_integer_value(json_object_get(line, "line")),
                   grouped((u64)json_integer_value(json_object_get(line, "issued"))).text,
                   grouped((u64)json_integer_value(json_object_get(line, "cycles"))).text,
                   json_string_value(json_object_get(line, "text")));
    }
    if (shown < n)
        buf_printf(out, "  ... and %zu more: --all shows them\n", n - shown);
}

/* ---- the whole ---- */

static void put_limiter(const json_t *pair, struct buf *out) {
    for (size_t side = 0; side < 2 && pair; side++) {
        const char *text = json_string_value(json_array_get(pair, side));
        buf_printf(out, "%s  %c: ", side ? "" : "\n", "ab"[side]);
        format_folded(text ? text : "no clock", 5, 5, out);
    }
}

static void put_launch(const json_t *launch, bool all, struct buf *out) {
    const json_t *cycles = json_object_get(launch, "cycles");
    put_members("what was run", json_object_get(launch, "run"), true, true, out);
    if (json_object_get(launch, "only_a") || json_object_get(launch, "only_b"))
        buf_puts(out, "\n  The programs differ: instructions are compared where their text is the same.\n");
    if (cycles) {
        put_head("time", out);
        put_pair("cycles", cycles, "", out);
    }
    put_limiter(json_object_get(launch, "limiter"), out);
    put_members("work", json_object_get(launch, "counts"), true, true, out);
    put_members("instructions by class", json_object_get(launch, "classes"), true, all, out);
    put_metrics(json_object_get(launch, "metrics"), all, out);
    put_traffic(json_object_get(launch, "traffic"), all, out);
    put_lines(json_object_get(launch, "lines"), all, out);
    put_lone("only in a", json_object_get(launch, "only_a"), all, out);
    put_lone("only in b", json_object_get(launch, "only_b"), all, out);
}

void diff_text(const json_t *diff, const char *a, const char *b, bool all, struct buf *out) {
    const json_t *launches = json_object_get(diff, "launches"), *unmatched = json_object_get(diff, "unmatched");
    size_t i, n = json_array_size(launches);
    json_t *launch;
    if (json_is_true(json_object_get(diff, "same"))) {
        buf_puts(out, "Nothing differs.\n");
        return;
    }
    buf_printf(out, "a: %s\nb: %s\n", a, b);
    put_members("board", json_object_get(diff, "board"), false, all, out);
    if (unmatched)
        buf_printf(out, "\n  %.0f launches against %.0f: the first %zu are compared.\n", value(unmatched, 0),
                   value(unmatched, 1), n);
    if (json_object_get(diff, "fault"))
        buf_puts(out, "\n  They did not end alike: one of them with a fault.\n");
    json_array_foreach((json_t *)(uintptr_t)launches, i, launch) {
        if (n > 1)
            buf_printf(out, "\nlaunch %zu of %zu%s\n", i + 1, n, json_object_size(launch) ? "" : ": nothing differs");
        put_launch(launch, all, out);
    }
}
