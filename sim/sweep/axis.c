#include "sim/sweep/axis.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/buf.h"
#include "sim/base/decimal.h"

/* An axis being read. */
struct reader {
    const char *text;
    bool twice; /* allows a value twice */
    struct arena *arena;
    struct buf values; /* list of const char * */
    struct axis_mistake *wrong;
};

static bool fail(struct reader *r, const char *at, size_t len, const char *fmt, ...) PRINTF_LIKE(4, 5);

static bool fail(struct reader *r, const char *at, size_t len, const char *fmt, ...) {
    va_list ap;
    r->wrong->at = (size_t)(at - r->text);
    r->wrong->len = len ? len : 1;
    va_start(ap, fmt);
    vsnprintf(r->wrong->text, sizeof r->wrong->text, fmt, ap);
    va_end(ap);
    return false;
}

/* Adds a value. `at` and `len`: its text as written. */
static bool add(struct reader *r, const char *value, size_t size, const char *at, size_t len) {
    const char *kept = arena_strndup(r->arena, value, size);
    const char *const *before = (const char *const *)(const void *)r->values.data;
    size_t n = r->values.len / sizeof kept;
    if (!kept)
        return fail(r, at, len, "out of memory");
    if (n == AXIS_VALUES_MOST)
        return fail(r, at, len, "more than %d values", AXIS_VALUES_MOST);
    for (size_t i = 0; i < n && n < 1000 && !r->twice; i++) /* in a longer list, the store finds it */
        if (strcmp(before[i], kept) == 0)
            return fail(r, at, len, "'%.40s' is there twice", kept);
    buf_append(&r->values, &kept, sizeof kept);
    return !r->values.failed || fail(r, at, len, "out of memory");
}

/* ---- ranges ---- */

/* Units of the same dimension: values can be written in either. */
static const struct {
    const char *name;
    enum { BYTES, RATE, BANDWIDTH, COUNT } kind;
    double factor;
} units[] = {{"KiB", BYTES, 1024},
             {"MiB", BYTES, 1024 * 1024},
             {"GiB", BYTES, 1024.0 * 1024 * 1024},
             {"kHz", RATE, 1e3},
             {"MHz", RATE, 1e6},
             {"GHz", RATE, 1e9},
             {"MB/s", BANDWIDTH, 1e6},
             {"GB/s", BANDWIDTH, 1e9},
             {"TB/s", BANDWIDTH, 1e12},
             {"k", COUNT, 1e3},
             {"M", COUNT, 1e6}};

struct number {
    double value;
    const char *unit; /* the text after it */
    size_t unit_len;
    const char *end;
};

static size_t digits(const char *text) {
    return strspn(text, "0123456789.");
}

/* Reads a number, "-2.5MiB"; its digits end before "..", which is no decimal point. */
static bool read_number(const char *text, struct number *n) {
    char copy[32];
    bool minus = *text == '-';
    const char *at = text + minus, *dots = strstr(at, "..");
    size_t len = digits(at);
    if (dots && dots < at + len)
        len = (size_t)(dots - at);
    if (!len || len >= sizeof copy)
        return false;
    snprintf(copy, sizeof copy, "%.*s", (int)len, at);
    if (!decimal_read(copy, &n->value))
        return false;
    n->value = minus ? -n->value : n->value;
    n->unit = at + len;
    n->unit_len = strspn(n->unit, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwyz%"); /* without x: /x2 */
    n->unit_len += !n->unit_len && *n->unit == 'x';
    if (n->unit_len == 2 && n->unit[1] == 'B' && strncmp(n->unit + 2, "/s", 2) == 0) /* which is no step */
        n->unit_len += 2;
    n->end = n->unit + n->unit_len;
    return true;
}

/* Converts `n` to the unit of `to`; false if they are of different dimensions. */
static bool convert(struct number *n, const struct number *to) {
    double from = 0, into = 0;
    u32 kinds[2] = {0, 1};
    if (n->unit_len == to->unit_len && memcmp(n->unit, to->unit, n->unit_len) == 0)
        return true;
    for (u32 i = 0; i < COUNT_OF(units); i++) {
        size_t len = strlen(units[i].name);
        if (len == n->unit_len && memcmp(n->unit, units[i].name, len) == 0) {
            from = units[i].factor;
            kinds[0] = units[i].kind;
        }
        if (len == to->unit_len && memcmp(to->unit, units[i].name, len) == 0) {
            into = units[i].factor;
            kinds[1] = units[i].kind;
        }
    }
    if (from <= 0 || into <= 0 || kinds[0] != kinds[1] || from < into)
        return false;
    n->value *= from / into;
    n->unit = to->unit;
    n->unit_len = to->unit_len;
    return true;
}

static bool add_number(struct reader *r, double value, const struct number *like, const char *at, size_t len) {
    char text[80];
    struct decimal d = decimal_write(value < 0 ? -value : value);
    for (size_t n = strlen(d.text); strchr(d.text, '.') && strchr("0.", d.text[n - 1]); n--) /* sums are rounded */
        d.text[n - 1] = 0;
    int n = snprintf(text, sizeof text, "%s%s%.*s", value < 0 ? "-" : "", d.text, (int)like->unit_len, like->unit);
    return add(r, text, (size_t)n, at, len);
}

/* Reads the text after the second end: "", "/3", "/x2". */
static bool read_step(struct reader *r, const char *text, const char *end, double *step, bool *factor) {
    struct number n = {.value = 1};
    *factor = end - text > 1 && text[1] == 'x';
    const char *at = text + 1 + *factor;
    if (text < end && (*text != '/' || !read_number(at, &n) || n.unit_len || n.end != end))
        return fail(r, text, (size_t)(end - text), "expected a step such as /2, or a factor such as /x2");
    if (n.value <= *factor)
        return fail(r, at, (size_t)(end - at),
                    *factor ? "the factor must be more than 1" : "the step must be more than 0");
    *step = n.value;
    return true;
}

static bool add_range(struct reader *r, const char *text, size_t len) {
    struct number first, last;
    double step = 1, slack;
    bool factor;
    if (!read_number(text, &first) || strncmp(first.end, "..", 2) != 0)
        return fail(r, text, len, "expected a range such as 1..8, 100..1000/300 or 4MiB..64MiB/x2");
    const char *second = first.end + 2;
    if (!read_number(second, &last))
        return fail(r, second, (size_t)(text + len - second), "expected the number that the range ends with");
    if (!read_step(r, last.end, text + len, &step, &factor))
        return false;
    if (!convert(&last, &first))
        return fail(r, text, len, "the ends of a range have the same unit, or the second a larger one");
    if (last.value < first.value)
        return fail(r, text, len, "the range ends before it begins");
    if (factor && first.value <= 0)
        return fail(r, text, (size_t)(first.end - text), "a range with a factor begins above 0");
    slack = 1e-9 * (last.value < 0 ? -last.value : last.value);
    double value = first.value;
    for (u32 i = 0; value <= last.value + slack; i++) {
        if (!add_number(r, value, &first, text, len))
            return false;
        value = factor ? value * step : first.value + (i + 1) * step;
    }
    return true;
}

/* ---- lists ---- */

/* Returns the length up to the next comma outside brackets. */
static size_t value_length(const char *text) {
    size_t i = 0;
    for (u32 depth = 0; text[i] && (depth || text[i] != ','); i++) {
        depth += text[i] == '[' || text[i] == '(';
        depth -= (text[i] == ']' || text[i] == ')') && depth;
    }
    return i;
}

/* True for a number, a unit and two dots; "../k.hd" and "a..b" are words. */
static bool is_range(const char *text, size_t len) {
    struct number n;
    return memmem(text, len, "..", 2) && read_number(text, &n) && n.end < text + len && strncmp(n.end, "..", 2) == 0;
}

static bool add_values(struct reader *r, const char *at) {
    if (!*at)
        return fail(r, at - 1, 1, "the axis has no values");
    for (;; at++) {
        size_t len = value_length(at);
        if (!len)
            return fail(r, at, 1, "expected a value");
        if (!(is_range(at, len) ? add_range(r, at, len) : add(r, at, len, at, len)))
            return false;
        at += len;
        if (!*at)
            return true;
    }
}

bool axis_read(const char *text, bool twice, struct arena *arena, struct axis *axis, struct axis_mistake *wrong) {
    struct reader r = {.text = text, .twice = twice, .arena = arena, .wrong = wrong};
    size_t len = strcspn(text, "=");
    *axis = (struct axis){.given = text};
    if (!len || !text[len])
        return fail(&r, text, strlen(text), "expected NAME=VALUE,..., such as dram.channels=8,16,32");
    axis->name = arena_strndup(arena, text, len);
    bool ok = axis->name ? add_values(&r, text + len + 1) : fail(&r, text, len, "out of memory");
    axis->n = (u32)(r.values.len / sizeof *axis->value);
    const char **list = ok ? arena_alloc(arena, r.values.len) : NULL;
    if (ok && !list)
        ok = fail(&r, text, len, "out of memory");
    if (list && r.values.data)
        memcpy(list, r.values.data, r.values.len);
    axis->value = list;
    buf_free(&r.values);
    return ok;
}

bool axis_number(const char *text, double *number) {
    struct number n;
    if (!read_number(text, &n) || *n.end)
        return false;
    for (u32 i = 0; i < COUNT_OF(units); i++)
        if (strcmp(units[i].name, n.unit) == 0) {
            *number = n.value * units[i].factor;
            return true;
        }
    *number = n.value;
    return !n.unit_len;
}

bool axis_is_multiple(const char *text) {
    struct number n;
    return read_number(text, &n) && n.unit_len == 1 && *n.unit == 'x' && !*n.end;
}
