#include "sim/cli/diff/diff.h"

#include <string.h>

#include "sim/api/heddle.h"

/* ---- sides ---- */

struct sides diff_member(const struct sides *s, const char *name) {
    struct sides to = {.n = s->n};
    for (u32 i = 0; i < s->n; i++)
        to.of[i] = json_object_get(s->of[i], name);
    return to;
}

static struct sides results_of(const struct diff_runs *r) {
    struct sides to = {.n = r->n};
    for (u32 i = 0; i < r->n; i++)
        to.of[i] = r->run[i].result;
    return to;
}

struct sides diff_launch_sides(const struct diff_runs *r, size_t launch) {
    struct sides to = {.n = r->n};
    for (u32 i = 0; i < r->n; i++)
        to.of[i] = diff_launch(r->run[i].result, launch);
    return to;
}

static bool equal(const json_t *a, const json_t *b) {
    if (json_is_number(a) && json_is_number(b))
        return json_is_integer(a) && json_is_integer(b)
                   ? json_integer_value(a) == json_integer_value(b)
                   : !(json_number_value(a) < json_number_value(b)) && !(json_number_value(a) > json_number_value(b));
    return a && b ? json_equal(a, b) : (!a || json_is_null(a)) && (!b || json_is_null(b));
}

bool diff_differ(const struct sides *s) {
    bool differ = false;
    for (u32 i = 1; i < s->n; i++)
        differ |= !equal(s->of[0], s->of[i]);
    return differ;
}

json_t *diff_values(const struct sides *s) {
    json_t *all = json_list();
    for (u32 i = 0; i < s->n; i++)
        json_add(all, s->of[i] ? json_clone(s->of[i]) : json_null());
    return all;
}

/* Sets to[name] = [a, b] if they differ. */
static void compare(json_t *to, const char *name, const struct sides *values) {
    if (diff_differ(values))
        json_put(to, name, diff_values(values));
}

/* Calls `call` for each name in any of the objects, in their order. */
static void each_member(const struct sides *objects, void (*call)(json_t *to, const char *name, const struct sides *of),
                        json_t *to) {
    for (u32 i = 0; i < objects->n; i++) {
        const char *name;
        json_t *value;
        json_object_foreach((json_t *)(uintptr_t)objects->of[i], name, value) {
            bool earlier = false;
            for (u32 k = 0; k < i; k++)
                earlier |= json_object_get(objects->of[k], name) != NULL;
            struct sides values = diff_member(objects, name);
            if (!earlier)
                call(to, name, &values);
        }
    }
}

json_t *diff_members(const struct sides *objects) {
    json_t *to = json_new();
    each_member(objects, compare, to);
    return to;
}

/* Adds a member unless it is empty. */
static void add(json_t *to, const char *name, json_t *member) {
    if (!member || json_object_size(member) || json_array_size(member))
        json_put(to, name, member);
    else
        json_decref(member);
}

/* ---- launches ---- */

static json_t *compare_named(const struct sides *s, const char *const *names, size_t n) {
    json_t *to = json_new();
    for (size_t i = 0; i < n; i++) {
        struct sides values = diff_member(s, names[i]);
        compare(to, names[i], &values);
    }
    return to;
}

static void compare_buffer(json_t *to, const char *name, const struct sides *columns) {
    add(to, name, diff_members(columns));
}

/* Compares classes; a missing one was issued 0 times. */
static json_t *compare_classes(const struct sides *classes) {
    json_t *to = diff_members(classes), *values;
    const char *name;
    json_object_foreach(to, name, values) {
        for (size_t i = 0; i < json_array_size(values); i++)
            if (classes->of[i] && json_is_null(json_array_get(values, i)))
                json_array_set_new(values, i, json_u64(0));
    }
    return to;
}

static json_t *compare_launches(const struct sides *s) {
    static const char *const run[] = {"kernel", "grid", "block", "warp", "caches", "sample"};
    static const char *const counts[] = {"blocks", "warps", "warp_instructions", "thread_instructions"};
    static const char *const time[] = {"seconds", "cycles", "limiter"};
    struct sides classes = diff_member(s, "classes"), metrics = diff_member(s, "metrics"),
                 traffic = diff_member(s, "traffic");
    json_t *to = compare_named(s, time, COUNT_OF(time)), *buffers = json_new();
    add(to, "run", compare_named(s, run, COUNT_OF(run)));
    add(to, "counts", compare_named(s, counts, COUNT_OF(counts)));
    add(to, "classes", compare_classes(&classes));
    add(to, "metrics", diff_members(&metrics));
    each_member(&traffic, compare_buffer, buffers);
    add(to, "traffic", buffers);
    add(to, "lines", diff_lines(s));
    return to;
}

/* Adds the times, of interest also if nothing has changed. */
static void add_time(json_t *to, const struct sides *s) {
    static const char *const names[] = {"seconds", "cycles"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct sides values = diff_member(s, names[i]);
        bool known = false;
        for (u32 k = 0; k < s->n; k++)
            known |= values.of[k] != NULL;
        if (known)
            json_put(to, names[i], diff_values(&values));
    }
}

/* ---- boards ---- */

static void compare_key(json_t *to, const char *name, const struct sides *of) {
    struct sides values = diff_member(of, "value");
    compare(to, name, &values);
}

/* Compares the values of the boards, whatever their origin; nothing for a run without a board. */
static json_t *compare_boards(const struct sides *results) {
    struct sides boards = diff_member(results, "board"), values = diff_member(&boards, "values"),
                 names = diff_member(&boards, "name");
    json_t *to = json_new();
    each_member(&values, compare_key, to);
    compare(to, "name", &names);
    return to;
}

/* Lists the values changed by --set. */
static json_t *changed_keys(const json_t *result) {
    json_t *to = json_new(), *value;
    const char *name;
    json_object_foreach(json_object_get(json_object_get(result, "board"), "values"), name, value) {
        const char *origin = json_string_value(json_object_get(value, "origin"));
        if (origin && strcmp(origin, "--set") == 0)
            json_put(to, name, json_clone(json_object_get(value, "value")));
    }
    return to;
}

/* ---- the whole ---- */

static json_t *runs_of(const struct diff_runs *r) {
    json_t *all = json_list();
    for (u32 i = 0; i < r->n; i++) {
        const json_t *board = json_object_get(json_object_get(r->run[i].result, "board"), "name");
        json_t *one = json_make("{s:o,s:o,s:o}", "file", json_text(r->run[i].file), "name", json_text(r->run[i].title),
                                "board", board ? json_clone(board) : json_null());
        add(one, "changed", changed_keys(r->run[i].result));
        json_add(all, one);
    }
    return all;
}

static bool empty(const json_t *launches) {
    size_t i;
    json_t *one;
    json_array_foreach((json_t *)(uintptr_t)launches, i, one) {
        if (json_object_size(one))
            return false;
    }
    return true;
}

/* Counts the launches that all runs have. */
static size_t common_launches(const struct diff_runs *r) {
    size_t least = diff_launches(r->run[0].result);
    for (u32 i = 1; i < r->n; i++)
        least = diff_launches(r->run[i].result) < least ? diff_launches(r->run[i].result) : least;
    return least;
}

static json_t *unmatched(const struct diff_runs *r) {
    json_t *counts = json_list();
    bool differ = false;
    for (u32 i = 0; i < r->n; i++) {
        json_add(counts, json_u64(diff_launches(r->run[i].result)));
        differ |= diff_launches(r->run[i].result) != diff_launches(r->run[0].result);
    }
    if (!differ)
        json_array_clear(counts);
    return counts;
}

json_t *diff_of(const struct diff_runs *r) {
    struct sides results = results_of(r), fault = diff_member(&results, "fault");
    json_t *to = json_new(), *launches = json_list();
    size_t n = common_launches(r), i;
    json_t *launch;
    for (i = 0; i < n; i++) {
        struct sides s = diff_launch_sides(r, i);
        json_add(launches, compare_launches(&s));
    }
    add(to, "board", compare_boards(&results));
    compare(to, "fault", &fault);
    add(to, "unmatched", unmatched(r));
    bool same = json_object_size(to) == 0 && empty(launches);
    json_array_foreach(launches, i, launch) {
        struct sides s = diff_launch_sides(r, i);
        add_time(launch, &s);
    }
    json_put(to, "format", json_text("heddle-diff-3"));
    json_put(to, "heddle", json_text(heddle_version()));
    json_put(to, "runs", runs_of(r));
    json_put(to, "launches", launches);
    json_put(to, "same", json_boolean(same));
    if (json_complete())
        return to;
    json_decref(to);
    return NULL;
}
