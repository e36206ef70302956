/* A comparison as text: time and its bound, then the explanation, by weight. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/api/heddle.h"
#include "sim/cli/diff/diff.h"
#include "sim/cli/format.h"
#include "sim/cli/option.h"

enum { SHOWN = 12 };           /* rows of a table without --all */
static const double FIRST = 2; /* a weight above all shares */

struct writer {
    const struct diff_runs *runs;
    struct compare c;
    bool all;
};

static int most_of(const struct writer *w) {
    return w->all ? COMPARE_ALL : SHOWN;
}

/* ---- sections ---- */

static const char *unit_of(const char *name) {
    struct heddle_metric m;
    return metric_find(name, &m) ? m.unit : strcmp(name, "energy") == 0 ? "J" : "";
}

/* Writes members in their order, or with `ordered` the largest changes first; joules only with --all. */
static void put_members(struct writer *w, const char *name, const json_t *members, bool ordered) {
    struct compare_section s = {.name = name, .most = ordered ? most_of(w) : COMPARE_ALL, .exact = true};
    const char *member;
    json_t *values;
    json_object_foreach((json_t *)(uintptr_t)members, member, values) {
        const char *unit = unit_of(member);
        if (w->all || strcmp(unit, "J") != 0)
            compare_row(&s, &(struct compare_row){member, unit, values, ordered ? compare_weight(values, unit) : 0});
    }
    compare_write(&w->c, &s);
}

/* True if a metric can explain a time: no count, nothing that follows from the time itself, no energy. */
static bool explains(const struct heddle_metric *m) {
    static const char *const follow[] = {
        "seconds",    "cycles",    "rate.",       "peak.",        "stall_per_instruction.",
        "power.",     "energy.",   "roofline.",   "unit.",        "occupancy.warps_active",
        "issue.ipc",  "dram.busy", "dram.read_b", "dram.write_b", "issue.issued",
        "launch.prof"};
    for (u32 i = 0; i < COUNT_OF(follow); i++)
        if (strncmp(m->name, follow[i], strlen(follow[i])) == 0)
            return false;
    return *m->formula != 0;
}

static void put_metrics(struct writer *w, const json_t *metrics, const struct sides *launches) {
    struct compare_section s = {.name = "metrics", .title = "metrics that changed most", .most = most_of(w)};
    const char *name;
    json_t *values;
    json_object_foreach((json_t *)(uintptr_t)metrics, name, values) {
        struct heddle_metric m;
        bool known = metric_find(name, &m);
        double change = compare_weight(values, known ? m.unit : "");
        double weight = !known || explains(&m) ? change * diff_use(launches, name) : 0;
        compare_row(&s, &(struct compare_row){name, known ? m.unit : "", values, weight});
    }
    compare_write(&w->c, &s);
}

/* Weighs a key by the launch where it matters most. */
static double key_use(const struct writer *w, size_t launches, const char *name) {
    double use = 0;
    for (size_t i = 0; i < launches; i++) {
        struct sides s = diff_launch_sides(w->runs, i);
        use = fmax(use, diff_use(&s, name));
    }
    return use;
}

/* Finds the unit of a key of the board, from the keys of the default board. */
static const char *key_unit(const struct heddle *h, const char *name) {
    struct heddle_board_value v;
    for (u32 i = 0; h && heddle_board_value_at(h, i, &v); i++)
        if (strcmp(v.key, name) == 0)
            return v.unit;
    return "";
}

/* Measures a change; a word, such as a policy, changes by the most possible. */
static double key_change(const json_t *values) {
    return json_is_number(json_array_get(values, 0)) ? compare_weight(values, "") : 1;
}

/* Adds the peaks that are keys, and differ: most other keys affect them. Returns their number. */
static int add_peaks(struct writer *w, const struct heddle *h, struct compare_section *s, json_t *keep) {
    struct heddle_board_value v;
    int n = 0;
    for (u32 i = 0; h && heddle_board_derived(h, i, &v); i++) {
        char name[40];
        snprintf(name, sizeof name, "%s", v.key); /* the peak of dram.gbs is dram_gbs */
        name[strcspn(name, ".")] = '_';
        json_t *values = json_list();
        bool known = true;
        for (u32 k = 0; k < w->runs->n; k++) {
            const json_t *peaks = json_object_get(json_object_get(w->runs->run[k].result, "board"), "peaks");
            json_t *value = json_object_get(peaks, name);
            known &= json_is_number(value);
            json_add(values, value ? json_incref(value) : json_null());
        }
        json_add(keep, values);
        if (!known || compare_weight(values, "") <= 0)
            continue;
        compare_row(s, &(struct compare_row){v.key, v.unit, values, FIRST + 1});
        n++;
    }
    return n;
}

/* True for the number of SMs and the clocks, which are printed first. */
static bool is_first(const char *key) {
    const char *dot = strrchr(key, '.');
    return strcmp(key, "sms") == 0 || strcmp(dot ? dot + 1 : key, "clock_mhz") == 0;
}

static void put_board(struct writer *w, const json_t *board, size_t launches) {
    struct compare_section s = {.name = "board",
                                .idle = " of parts that stood idle, or of energy",
                                .most = most_of(w),
                                .exact = true};
    struct heddle *h = heddle_new();
    const char *name;
    json_t *values, *keep = json_list();
    w->c.out->failed |= !h;
    int peaks = add_peaks(w, h, &s, keep);
    s.most += s.most >= 0 ? peaks : 0;
    json_object_foreach((json_t *)(uintptr_t)board, name, values) {
        double weight = is_first(name) ? FIRST : key_change(values) * key_use(w, launches, name);
        if (strcmp(name, "name") != 0) /* printed in the header */
            compare_row(&s, &(struct compare_row){name, key_unit(h, name), values, weight});
    }
    compare_write(&w->c, &s);
    json_decref(keep);
    heddle_free(h);
}

static void put_traffic(struct writer *w, const json_t *traffic) {
    const char *buffer;
    json_t *members;
    json_object_foreach((json_t *)(uintptr_t)traffic, buffer, members) {
        struct buf title = {0};
        buf_printf(&title, "buffer %s", buffer);
        w->c.out->failed |= title.failed;
        put_members(w, title.failed ? buffer : title.data, members, true);
        buf_free(&title);
    }
}

/* ---- time ---- */

/* Sums over all launches; null if one is unknown. */
static json_t *sum_of(const json_t *launches, const char *name, size_t side) {
    double sum = 0;
    size_t i;
    json_t *launch;
    json_array_foreach((json_t *)(uintptr_t)launches, i, launch) {
        const json_t *v = json_array_get(json_object_get(launch, name), side);
        if (!json_is_number(v))
            return json_null();
        sum += json_number_value(v);
    }
    return json_number(sum);
}

static void put_time(struct writer *w, const char *title, const json_t *seconds, const json_t *cycles) {
    struct compare_section s = {.name = "time", .title = title, .most = COMPARE_ALL};
    if (seconds)
        compare_row(&s, &(struct compare_row){w->c.form == COMPARE_CSV ? "seconds" : "time", "s", seconds, 0});
    if (cycles)
        compare_row(&s, &(struct compare_row){"cycles", "cycles", cycles, 0});
    compare_write(&w->c, &s);
}

static void put_total(struct writer *w, const json_t *launches) {
    json_t *seconds = json_list(), *cycles = json_list();
    for (u32 i = 0; i < w->c.n; i++) {
        json_add(seconds, sum_of(launches, "seconds", i));
        json_add(cycles, sum_of(launches, "cycles", i));
    }
    if (compare_weight(seconds, "s") > 0 || json_is_number(json_array_get(seconds, 0)))
        put_time(w, "all launches", seconds, cycles);
    json_decref(seconds);
    json_decref(cycles);
}

static void put_limiter(struct writer *w, const json_t *limiter) {
    static const struct table_column columns[] = {{"run", "bound", TABLE_WORD}, {"limiter", "", TABLE_PROSE}};
    struct table t = {.name = "bound", .column = columns, .columns = COUNT_OF(columns)};
    struct compare_section s = {.name = "bound", .most = COMPARE_ALL};
    if (!limiter)
        return;
    if (w->c.form == COMPARE_CSV) {
        compare_row(&s, &(struct compare_row){"limiter", "", limiter, 0});
        compare_write(&w->c, &s);
        return;
    }
    for (u32 i = 0; i < w->c.n; i++) {
        const char *text = json_string_value(json_array_get(limiter, i));
        table_word(&t, w->c.title[i]);
        table_word(&t, text ? text : "no clock");
    }
    compare_table(&w->c, &t);
}

/* ---- a launch ---- */

static void put_launch(struct writer *w, const json_t *launch, size_t number, const json_t *board) {
    struct sides sides = diff_launch_sides(w->runs, number);
    put_time(w, "launch", json_object_get(launch, "seconds"), json_object_get(launch, "cycles"));
    put_members(w, "what was run", json_object_get(launch, "run"), false);
    put_limiter(w, json_object_get(launch, "limiter"));
    put_metrics(w, json_object_get(launch, "metrics"), &sides);
    put_board(w, board, number + 1);
    put_members(w, "work", json_object_get(launch, "counts"), false);
    put_members(w, "instructions by class", json_object_get(launch, "classes"), true);
    put_traffic(w, json_object_get(launch, "traffic"));
    diff_write_lines(&w->c, json_object_get(launch, "lines"), most_of(w));
}

/* ---- the whole ---- */

/* Prints "v: v.json, saxpy on v100", and below it the values changed by --set. */
static void put_runs(struct writer *w, const json_t *runs) {
    size_t i;
    json_t *run;
    json_array_foreach((json_t *)(uintptr_t)runs, i, run) {
        const char *board = json_string_value(json_object_get(run, "board")), *key;
        const char *kernel = json_string_value(json_object_get(diff_launch(w->runs->run[i].result, 0), "kernel"));
        struct buf line = {0};
        json_t *value;
        buf_printf(&line, "%s: %s, %s%s%s", w->c.title[i], w->runs->run[i].file, kernel, board ? " on " : "",
                   board ? board : "");
        const char *separator = " with ";
        json_object_foreach(json_object_get(run, "changed"), key, value) {
            buf_printf(&line, "%s%s=", separator, key);
            if (json_is_string(value))
                buf_puts(&line, json_string_value(value));
            else
                buf_printf(&line, "%.12g", json_number_value(value));
            separator = ", ";
        }
        if (w->c.form == COMPARE_MARKDOWN)
            buf_printf(w->c.out, "- %s\n", line.failed ? "" : line.data);
        else if (w->c.form == COMPARE_TEXT)
            format_folded(line.failed ? "" : line.data, 0, 2, w->c.out);
        w->c.out->failed |= line.failed;
        buf_free(&line);
    }
}

static void put_uneven(struct writer *w, const json_t *diff) {
    const json_t *unmatched = json_object_get(diff, "unmatched"), *faults = json_object_get(diff, "fault");
    char line[160];
    for (u32 i = 0; i < w->c.n; i++) {
        const json_t *fault = json_array_get(faults, i);
        const char *kind = json_string_value(json_object_get(fault, "kind"));
        snprintf(line, sizeof line, "%s ended with a fault: %.40s, line %lld", w->c.title[i], kind ? kind : "?",
                 (long long)json_integer_value(json_object_get(fault, "line")));
        if (json_is_object(fault))
            compare_line(&w->c, line);
        snprintf(line, sizeof line, "%s has %lld launches: the first %zu are compared", w->c.title[i],
                 (long long)json_integer_value(json_array_get(unmatched, i)),
                 json_array_size(json_object_get(diff, "launches")));
        if (unmatched)
            compare_line(&w->c, line);
    }
}

void diff_write(const struct diff_runs *r, const json_t *diff, const struct diff_style *style, struct buf *out) {
    enum compare_form form = style->form;
    const json_t *launches = json_object_get(diff, "launches"), *board = json_object_get(diff, "board");
    struct writer w = {.runs = r,
                       .c = {.n = r->n, .form = form, .more = style->more, .out = out},
                       .all = style->all || form == COMPARE_CSV};
    size_t i, n = json_array_size(launches);
    json_t *launch;
    for (u32 k = 0; k < r->n; k++)
        w.c.title[k] = r->run[k].title;
    if (json_is_true(json_object_get(diff, "same")) && form != COMPARE_CSV) {
        buf_puts(out, "Nothing differs.\n");
        return;
    }
    w.c.launches = n > 1;
    put_runs(&w, json_object_get(diff, "runs"));
    put_uneven(&w, diff);
    if (n > 1) {
        put_total(&w, launches);
        put_board(&w, board, n);
    }
    json_array_foreach((json_t *)(uintptr_t)launches, i, launch) {
        w.c.launch = n > 1 ? (u32)i + 1 : 0;
        if (n > 1 && form != COMPARE_CSV)
            buf_printf(out, "\n%slaunch %zu of %zu\n", form == COMPARE_MARKDOWN ? "## " : "", i + 1, n);
        put_launch(&w, launch, i, n > 1 ? NULL : board);
    }
    compare_end(&w.c);
}
