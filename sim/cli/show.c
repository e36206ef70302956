#include "sim/cli/show.h"

#include <math.h>
#include <string.h>

#include "sim/api/element.h"
#include "sim/cli/format.h"

enum { BINS = 16, BAR = 40 };

/* One walk over the elements. */
struct pass {
    const struct heddle_tensor *t;
    struct show_stats stats;
    double squares; /* sum of squared distances from the mean */
    u64 bin[BINS];
    struct buf *out;
};

/* ---- numbers ---- */

/* Adds an element by Welford's method, which keeps the deviation of numbers far from 0. */
static void add(void *ctx, u64 i) {
    struct pass *p = ctx;
    struct show_stats *s = &p->stats;
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

struct show_stats show_stats(const struct heddle_tensor *t, const struct values *v) {
    struct pass p = {.t = t, .stats = {.count = v->count}};
    values_each(t, v, add, &p);
    if (p.stats.finite)
        p.stats.deviation = sqrt(p.squares / (double)p.stats.finite);
    return p.stats;
}

void show_print_stats(const struct show_stats *s, struct buf *out) {
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
static double share(const struct show_stats *s, double v) {
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

void show_print_histogram(const struct heddle_tensor *t, const struct values *v, const struct show_stats *s,
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

bool show_size(const struct heddle_tensor *t, const struct values *v, u64 *rows, u64 *columns) {
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

void show_pgm(const struct heddle_tensor *t, const struct values *v, const struct show_stats *s, struct buf *out) {
    struct pass p = {.t = t, .stats = *s, .out = out};
    u64 rows, columns;
    show_size(t, v, &rows, &columns);
    buf_printf(out, "P5\n%llu %llu\n255\n", (unsigned long long)columns, (unsigned long long)rows);
    values_each(t, v, put_gray, &p);
}

/* Prints the picture. A character is about twice as high as wide: it stands for two rows, or more if it is large. */
void show_characters(const struct heddle_tensor *t, const struct values *v, const struct show_stats *s, u32 width,
                     struct buf *out) {
    static const char ramp[] = " .:-=+*#%@";
    struct buf gray = {0};
    struct pass p = {.t = t, .stats = *s, .out = &gray};
    u64 rows, columns;
    show_size(t, v, &rows, &columns);
    values_each(t, v, put_gray, &p);
    u64 step = (columns + width - 1) / width, down = rows > 1 ? 2 * step : 1;
    for (u64 r = 0; r < rows && !gray.failed; r += down) {
        for (u64 c = 0; c < columns; c += step)
            buf_putc(out, ramp[(u8)gray.data[r * columns + c] * (sizeof ramp - 2) / 255]);
        buf_putc(out, '\n');
    }
    out->failed |= gray.failed;
    buf_free(&gray);
}
