#include "sim/cli/values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/api/element.h"
#include "sim/cli/format.h"
#include "sim/cli/option.h"
#include "sim/cli/ui.h"

enum { SHOWN = 256 };

/* ---- which ---- */

/* Reads "7", "0..15", "8..", "..3" or "..": the element or range of a dimension of `size`. */
static bool read_range(const char *text, size_t len, u64 size, u64 *first, u64 *last) {
    const char *dots = len >= 2 ? memchr(text, '.', len) : NULL;
    size_t head = dots ? (size_t)(dots - text) : len;
    *first = 0;
    *last = size ? size - 1 : 0;
    if (dots && (head + 2 > len || dots[1] != '.'))
        return false;
    if ((head || !dots) && !option_number(text, head, first))
        return false;
    size_t tail = dots ? len - head - 2 : 0;
    if (!dots)
        *last = *first;
    return !tail || option_number(dots + 2, tail, last);
}

static bool read_dimension(const char *option, const char *given, const char *at, u64 size, u64 range[2]) {
    size_t where = (size_t)(at - given), len = strcspn(at, ",]");
    if (!read_range(at, len, size, &range[0], &range[1]))
        ui_option_error(option, given, where, len ? len : 1, "expected an element or a range, such as 0..15");
    else if (!size)
        ui_option_error(option, given, where, len, "it has no elements");
    else if (range[1] >= size || range[0] >= size)
        ui_option_error(option, given, where, len, "the elements are 0 to %lld", (long long)size - 1);
    else if (range[0] > range[1])
        ui_option_error(option, given, where, len, "the range ends before it begins");
    else
        return true;
    return false;
}

static bool read_dimensions(const char *option, const char *given, const char *at, const struct heddle_tensor *t,
                            struct values *v) {
    for (u32 d = 0;; d++) {
        u64 range[2];
        at++;
        if (d == t->ndim)
            return ui_option_error(option, given, (size_t)(at - given), strlen(at), "it has %u dimension%s", t->ndim,
                                   t->ndim == 1 ? "" : "s");
        if (!read_dimension(option, given, at, t->shape[d], range))
            return false;
        v->first[d] = range[0];
        v->last[d] = range[1];
        at += strcspn(at, ",]");
        if (*at != ',')
            break;
    }
    if (*at == ']' && !at[1])
        return true;
    return ui_option_error(option, given, (size_t)(at - given), 1, *at ? "nothing may follow ']'" : "expected ']'");
}

bool values_read(const char *option, const char *given, const char *at, const struct heddle_tensor *t,
                 struct values *v) {
    *v = (struct values){.whole = !*at, .count = t->count ? 1 : 0};
    for (u32 d = 0; d < t->ndim; d++)
        v->last[d] = t->shape[d] ? t->shape[d] - 1 : 0;
    if (*at && !read_dimensions(option, given, at, t, v))
        return false;
    for (u32 d = 0; d < t->ndim; d++)
        v->count *= v->last[d] - v->first[d] + 1;
    return true;
}

/* ---- a table of them ---- */

/* Names the elements of a line, "[2,0..7]", `n` of them from `at` on. */
static struct short_text place(const struct heddle_tensor *t, const u64 *at, u64 n) {
    struct short_text s = {"["};
    size_t len = 1;
    for (u32 d = 0; d < t->ndim && len < sizeof s.text; d++)
        len += (size_t)snprintf(s.text + len, sizeof s.text - len, "%s%llu", d ? "," : "", (unsigned long long)at[d]);
    if (n > 1 && len < sizeof s.text)
        len += (size_t)snprintf(s.text + len, sizeof s.text - len, "..%llu",
                                (unsigned long long)(at[t->ndim - 1] + n - 1));
    if (len + 1 < sizeof s.text)
        memcpy(s.text + len, "]", 2);
    return s;
}

static u64 index_of(const struct heddle_tensor *t, const u64 *at) {
    u64 i = 0;
    for (u32 d = 0; d < t->ndim; d++)
        i = i * t->shape[d] + at[d];
    return i;
}

/* Moves past the elements of a line; false past the last. */
static bool advance(const struct heddle_tensor *t, const struct values *v, u64 *at, u64 n) {
    if (!t->ndim)
        return false;
    at[t->ndim - 1] += n;
    for (u32 d = t->ndim; d-- > 0 && at[d] > v->last[d];) {
        at[d] = v->first[d];
        if (d == 0)
            return false;
        at[d - 1]++;
    }
    return true;
}

/* Elements of a line, and the widths of the columns, for the elements shown. */
struct columns {
    u64 shown, per_line;
    int place, value;
};

/* Calls `line` for each line of values. */
static void each_line(const struct heddle_tensor *t, const struct values *v, struct columns *c,
                      void (*line)(const struct heddle_tensor *t, const u64 *at, u64 n, struct columns *c,
                                   struct buf *out),
                      struct buf *out) {
    u64 at[HEDDLE_DIMS_MAX];
    u64 left = c->shown, n = 0;
    memcpy(at, v->first, sizeof at);
    do {
        n = t->ndim ? v->last[t->ndim - 1] - at[t->ndim - 1] + 1 : 1;
        n = n < c->per_line ? n : c->per_line;
        n = n < left ? n : left;
        if (n)
            line(t, at, n, c, out);
        left -= n;
    } while (left && advance(t, v, at, n));
}

static void measure(const struct heddle_tensor *t, const u64 *at, u64 n, struct columns *c, struct buf *out) {
    (void)out;
    int place_len = (int)strlen(place(t, at, n).text);
    c->place = place_len > c->place ? place_len : c->place;
    for (u64 i = 0, first = index_of(t, at); i < n; i++) {
        int len = (int)strlen(element_text(t, first + i).text);
        c->value = len > c->value ? len : c->value;
    }
}

static void print_line(const struct heddle_tensor *t, const u64 *at, u64 n, struct columns *c, struct buf *out) {
    buf_printf(out, "  %*s ", c->place, place(t, at, n).text);
    for (u64 i = 0, first = index_of(t, at); i < n; i++)
        buf_printf(out, " %*s", c->value, element_text(t, first + i).text);
    buf_putc(out, '\n');
}

void values_print(const char *name, const struct heddle_tensor *t, const struct values *v, struct buf *out) {
    struct columns c = {.shown = v->whole && v->count > SHOWN ? SHOWN : v->count, .per_line = 8};
    buf_printf(out, "%s = %s[", name, t->type);
    for (u32 d = 0; d < t->ndim; d++)
        buf_printf(out, "%s%llu", d ? "," : "", (unsigned long long)t->shape[d]);
    buf_puts(out, "]\n");
    each_line(t, v, &c, measure, out);
    each_line(t, v, &c, print_line, out);
    if (c.shown < v->count)
        buf_printf(out, "  ... the first %s of %s; a range, such as %s[%llu..], shows others\n", grouped(c.shown).text,
                   grouped(v->count).text, name, (unsigned long long)(t->ndim == 1 ? c.shown : 1));
}

void values_each(const struct heddle_tensor *t, const struct values *v, void (*each)(void *ctx, u64 i), void *ctx) {
    u64 at[HEDDLE_DIMS_MAX], left = v->count;
    memcpy(at, v->first, sizeof at);
    while (left--) {
        each(ctx, index_of(t, at));
        if (!advance(t, v, at, 1))
            return;
    }
}

/* ---- one by one ---- */

enum { BINS = 16, BAR = 40 };

/* One walk over the elements. */
struct pass {
    const struct heddle_tensor *t;
    struct values_stats stats;
    double squares; /* sum of squared distances from the mean */
    u64 bin[BINS];
    struct buf *out;
};

/* ---- numbers ---- */

/* Adds an element by Welford's method, which keeps the deviation of numbers far from 0. */
static void add(void *ctx, u64 i) {
    struct pass *p = ctx;
    struct values_stats *s = &p->stats;
    double v = element_number(p->t, i);
    s->nans += isnan(v) != 0;
    s->infinities += isinf(v) != 0;
    s->zeros += v == 0;
    if (!isfinite(v))
        return;
    double from = v - s->mean;
    s->min = s->finite == 0 || v < s->min ? v : s->min;
    s->max = s->finite == 0 || v > s->max ? v : s->max;
    s->mean += from / (double)++s->finite;
    p->squares += from * (v - s->mean);
}

struct values_stats values_stats(const struct heddle_tensor *t, const struct values *v) {
    struct pass p = {.t = t, .stats = {.count = v->count}};
    values_each(t, v, add, &p);
    if (p.stats.finite)
        p.stats.deviation = sqrt(p.squares / (double)p.stats.finite);
    return p.stats;
}

void values_print_stats(const struct values_stats *s, struct buf *out) {
    buf_printf(out, "  %-10s %14s\n", "elements", grouped(s->count).text);
    if (s->finite) {
        buf_printf(out, "  %-10s %14.9g\n  %-10s %14.9g\n", "min", s->min, "max", s->max);
        buf_printf(out, "  %-10s %14.9g\n  %-10s %14.9g\n", "mean", s->mean, "deviation", s->deviation);
    }
    buf_printf(out, "  %-10s %14s\n", "zeros", grouped(s->zeros).text);
    if (s->nans || s->infinities)
        buf_printf(out, "  %-10s %14s\n  %-10s %14s\n", "nan", grouped(s->nans).text, "inf",
                   grouped(s->infinities).text);
}

/* ---- histogram ---- */

/* Returns the position of a number between the least and the greatest, 0 to 1. */
static double share(const struct values_stats *s, double v) {
    double span = s->max / 2 - s->min / 2; /* the span may be too large for a double */
    return span > 0 ? (v / 2 - s->min / 2) / span : 0;
}

static void count(void *ctx, u64 i) {
    struct pass *p = ctx;
    double v = element_number(p->t, i);
    u32 bin = isfinite(v) ? (u32)(share(&p->stats, v) * (double)BINS) : 0;
    if (isfinite(v))
        p->bin[bin < BINS ? bin : BINS - 1]++;
}

void values_print_histogram(const struct heddle_tensor *t, const struct values *v, const struct values_stats *s,
                            struct buf *out) {
    struct pass p = {.t = t, .stats = *s};
    u32 bins = s->min < s->max ? BINS : s->finite ? 1 : 0;
    u64 most = 1;
    values_each(t, v, count, &p);
    if (!bins)
        buf_puts(out, "  no finite elements\n");
    for (u32 b = 0; b < bins; b++)
        most = p.bin[b] > most ? p.bin[b] : most;
    for (u32 b = 0; b < bins; b++) {
        double low = s->min + (s->max / (double)BINS - s->min / (double)BINS) * b;
        buf_printf(out, "  from %12.6g %12s  |%s|\n", low, grouped(p.bin[b]).text,
                   format_bar((double)p.bin[b] / (double)most, BAR).text);
    }
}

/* ---- pictures ---- */

bool values_size(const struct heddle_tensor *t, const struct values *v, u64 *rows, u64 *columns) {
    u32 n = t->ndim;
    *columns = n ? v->last[n - 1] - v->first[n - 1] + 1 : 1;
    *rows = n > 1 ? v->last[n - 2] - v->first[n - 2] + 1 : 1;
    for (u32 d = 0; d + 2 < n; d++)
        if (v->first[d] != v->last[d])
            return false;
    return v->count > 0;
}

static void put_gray(void *ctx, u64 i) {
    struct pass *p = ctx;
    double v = element_number(p->t, i), s = share(&p->stats, v);
    buf_putc(p->out, (char)(u8)(isnan(v) || s < 0 ? 0 : s > 1 ? 255 : s * 255 + 0.5));
}

void values_pgm(const struct heddle_tensor *t, const struct values *v, const struct values_stats *s, struct buf *out) {
    struct pass p = {.t = t, .stats = *s, .out = out};
    u64 rows, columns;
    values_size(t, v, &rows, &columns);
    buf_printf(out, "P5\n%llu %llu\n255\n", (unsigned long long)columns, (unsigned long long)rows);
    values_each(t, v, put_gray, &p);
}

/* Prints the picture. A character is about twice as high as wide: it stands for two rows, or more if it is large. */
void values_characters(const struct heddle_tensor *t, const struct values *v, const struct values_stats *s, u32 width,
                       struct buf *out) {
    static const char ramp[] = " .:-=+*#%@";
    struct buf gray = {0};
    struct pass p = {.t = t, .stats = *s, .out = &gray};
    u64 rows, columns;
    values_size(t, v, &rows, &columns);
    values_each(t, v, put_gray, &p);
    u64 step = (columns + width - 1) / width, down = rows > 1 ? 2 * step : 1;
    for (u64 r = 0; r < rows && gray.data && !gray.failed; r += down) {
        for (u64 c = 0; c < columns; c += step)
            buf_putc(out, ramp[(u8)gray.data[r * columns + c] * (sizeof ramp - 2) / 255]);
        buf_putc(out, '\n');
    }
    out->failed |= gray.failed;
    buf_free(&gray);
}
