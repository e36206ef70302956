#include "sim/cli/run/report.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/diag.h"
#include "sim/cli/ui.h"

/* ---- the option ---- */

/* Takes "FILE:" from the start of the option, unless that is a number. False when out of memory. */
static bool take_file(struct heddle_explain *x, const char **at, struct arena *arena) {
    size_t len = strcspn(*at, ":");
    if (!(*at)[len] || strspn(*at, "0123456789") >= len)
        return true;
    x->file = arena_strndup(arena, *at, len);
    *at += len + 1;
    return x->file || (ui_error("out of memory"), false);
}

/* Reads worst or worst:N. */
static bool worst_option(struct heddle_explain *x, const char *text) {
    enum { MOST = 100 };
    const char *number = text + strlen("worst");
    size_t len = strspn(*number ? number + 1 : number, "0123456789");
    x->worst = *number ? 0 : 1;
    for (size_t i = 0; i < len && x->worst <= MOST; i++)
        x->worst = 10 * x->worst + (u32)(number[1 + i] - '0');
    bool ok = !*number || (*number == ':' && !number[1 + len] && x->worst > 0 && x->worst <= MOST);
    if (!ok)
        ui_option_error("--explain", text, (size_t)(number - text), strlen(number),
                        "expected worst, or worst:N for the N accesses that cost most, from 1 to %d", MOST);
    return ok;
}

bool explain_option(struct heddle_explain *x, const char *text, struct arena *arena) {
    static const char *const parts[] = {"a line, from 1", "a block, from 0", "a warp of the block, from 0",
                                        "an execution of that warp, from 1"};
    const char *at = text;
    *x = (struct heddle_explain){0};
    if (strcmp(text, "worst") == 0 || strncmp(text, "worst:", strlen("worst:")) == 0)
        return worst_option(x, text);
    if (!take_file(x, &at, arena))
        return false;
    for (u32 i = 0;; i++) {
        size_t len = strcspn(at, ":");
        u64 value = 0;
        bool ok = len > 0 && len < 10 && strspn(at, "0123456789") >= len;
        for (size_t k = 0; k < len && ok; k++)
            value = value * 10 + (u64)(at[k] - '0');
        if (!ok || (value == 0 && (i == 0 || i == 3)))
            return ui_option_error("--explain", text, (size_t)(at - text), len ? len : 1, "expected %s", parts[i]);
        if (i == 0)
            x->line = (u32)value;
        else
            x->which[i - 1] = value;
        x->given = i;
        if (!at[len])
            return true;
        if (i == 3)
            return ui_option_error("--explain", text, (size_t)(at - text) + len, strlen(at + len),
                                   "expected [FILE:]LINE[:BLOCK[:WARP[:N]]], and no more");
        at += len + 1;
    }
}

/* ---- text ---- */

struct cell {
    char text[80];
};

static double real_of(u64 value) {
    double d;
    memcpy(&d, &value, sizeof d);
    return d;
}

static struct cell cell_text(const struct heddle_column *c, u32 lane) {
    struct cell s = {"-"};
    if (!(c->lanes >> lane & 1))
        return s;
    unsigned long long v = c->value[lane];
    switch (c->kind) {
    case HEDDLE_CELL_NUMBER: snprintf(s.text, sizeof s.text, "%llu", v); break;
    case HEDDLE_CELL_SIGNED: snprintf(s.text, sizeof s.text, "%lld", (long long)v); break;
    case HEDDLE_CELL_HEX: snprintf(s.text, sizeof s.text, "0x%llx", v); break;
    case HEDDLE_CELL_FLOAT: snprintf(s.text, sizeof s.text, "%.7g", real_of(v)); break;
    case HEDDLE_CELL_TEXT: snprintf(s.text, sizeof s.text, "%s", c->text[lane]); break;
    }
    return s;
}

static int column_width(const struct heddle_column *c, u32 lanes) {
    size_t width = strlen(c->title);
    for (u32 l = 0; l < lanes; l++) {
        size_t len = strlen(cell_text(c, l).text);
        width = len > width ? len : width;
    }
    return (int)width;
}

static bool is_left(const struct heddle_column *c) {
    return c->kind == HEDDLE_CELL_TEXT || c->kind == HEDDLE_CELL_HEX;
}

/* Prints a cell, without blanks after the last column, whose width is 0. */
static void put_cell(const struct heddle_column *c, const char *text, int width, struct buf *out) {
    buf_printf(out, is_left(c) ? "  %-*s" : "  %*s", width, text);
}

/* Prints the lanes; one that does not exist or is inactive has a dash in every column. */
static void print_lanes(const struct heddle_explained *x, u32 lanes, struct buf *out) {
    int width[32];
    if (x->ncolumns == 0)
        return;
    buf_puts(out, "\n  lane");
    for (u32 i = 0; i < x->ncolumns; i++) {
        width[i] = column_width(&x->columns[i], lanes);
        if (i + 1 == x->ncolumns && is_left(&x->columns[i]))
            width[i] = 0;
        put_cell(&x->columns[i], x->columns[i].title, width[i], out);
    }
    for (u32 l = 0; l < lanes; l++) {
        buf_printf(out, "\n  %4u", l);
        for (u32 i = 0; i < x->ncolumns; i++)
            put_cell(&x->columns[i], cell_text(&x->columns[i], l).text, width[i], out);
    }
    buf_putc(out, '\n');
}

static void print_spreads(const struct heddle_explained *x, struct buf *out) {
    enum { BINS = 6 };
    if (x->ntotals == 0)
        return;
    buf_printf(out, "\n  %-26s %6s %9s %6s  %s\n", "over all executions", "least", "mean", "most", "value: executions");
    for (u32 i = 0; i < x->ntotals; i++) {
        const struct heddle_spread *s = &x->totals[i];
        char name[32];
        snprintf(name, sizeof name, "%s", s->name);
        for (char *c = name; *c; c++)
            *c = *c == '_' ? ' ' : *c;
        buf_printf(out, "  %-26s %6llu %9.2f %6llu ", name, (unsigned long long)s->min, s->mean,
                   (unsigned long long)s->max);
        for (u32 b = 0; b < s->nhistogram && b < BINS; b++)
            buf_printf(out, "%s %llu: %s", b ? "," : "", (unsigned long long)s->histogram[b].value,
                       grouped(s->histogram[b].executions).text);
        if (s->nhistogram > BINS)
            buf_printf(out, ", and %u more values", s->nhistogram - BINS);
        buf_putc(out, '\n');
    }
}

static u32 ones(u64 v) {
    u32 n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

/* Returns the round of a repeated line, from 1, and the number of rounds. */
static u32 round_of(const struct heddle_result *r, u32 i, u32 *rounds) {
    u32 round = 0;
    *rounds = 0;
    for (u32 k = 0; k < r->nexplain; k++) {
        bool same = r->explain[k].first == r->explain[i].first;
        *rounds += same;
        round += same && k <= i;
    }
    return round;
}

static void print_one(const struct heddle_result *r, u32 i, u32 round, u32 rounds, struct buf *out) {
    const struct heddle_explained *x = &r->explain[i];
    buf_printf(out, "\nline %u%s%s", x->line, x->file ? " of " : "", x->file ? x->file : "");
    if (rounds > 1)
        buf_printf(out, ", round %u of %u", round, rounds);
    buf_puts(out, ": ");
    diag_put_text(out, x->text, strlen(x->text));
    buf_printf(out, "\n  executed %s time%s", grouped(x->executions).text, x->executions == 1 ? "" : "s");
    if (x->shown && (r->grid[1] > 1 || r->grid[2] > 1))
        buf_printf(out, "; this is block %u,%u,%u", x->block[0], x->block[1], x->block[2]);
    else if (x->shown)
        buf_printf(out, "; this is block %u", x->block[0]);
    if (x->shown)
        buf_printf(out, ", warp %u, with %u of %u lanes", x->warp, ones(x->ran), r->warp);
    buf_putc(out, '\n');
    print_lanes(x, r->warp, out);
    if (x->nwords)
        buf_putc(out, '\n');
    for (u32 k = 0; k < x->nwords; k++)
        buf_printf(out, "  %s\n", x->words[k]);
    print_spreads(x, out);
}

void explain_report_text(const struct heddle_result *r, const struct heddle_explain *asked, bool each,
                         struct buf *out) {
    u32 more = 0;
    if (!r->nexplain)
        buf_puts(out, "\nno access to explain: no lane loads, stores or changes memory that lanes choose\n");
    for (u32 i = 0; i < r->nexplain; i++) {
        u32 rounds = 1, round = asked->worst ? 1 : round_of(r, i, &rounds);
        if (each || round == 1)
            print_one(r, i, round, rounds, out);
        else
            more++;
    }
    if (more)
        buf_printf(out, "\n%u more round%s of repeated lines: --details shows them\n", more, more == 1 ? "" : "s");
}
