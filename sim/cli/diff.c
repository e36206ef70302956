#include "sim/cli/diff.h"

#include <string.h>

#include "sim/base/arena.h"
#include "sim/cli/file.h"
#include "sim/cli/ui.h"

/* ---- reading ---- */

/* Launches of a result: itself, or those in it. */
static size_t launch_count(const json_t *result) {
    const json_t *all = json_object_get(result, "launches");
    return all ? json_array_size(all) : 1;
}

static const json_t *launch_at(const json_t *result, size_t i) {
    const json_t *all = json_object_get(result, "launches");
    return all ? json_array_get(all, i) : result;
}

/* The first of the members that a launch needs and does not have, or has of another kind. */
static const char *lacks(const json_t *launch) {
    static const struct {
        const char *name;
        json_type type;
    } needs[] = {{"kernel", JSON_STRING}, {"grid", JSON_ARRAY},     {"block", JSON_ARRAY},
                 {"warp", JSON_INTEGER},  {"classes", JSON_OBJECT}, {"lines", JSON_ARRAY}};
    for (size_t i = 0; i < COUNT_OF(needs); i++) {
        const json_t *member = json_object_get(launch, needs[i].name);
        if (!member || json_typeof(member) != needs[i].type)
            return needs[i].name;
    }
    if (json_object_get(launch, "cycles") &&
        (!json_is_object(json_object_get(launch, "metrics")) || !json_is_object(json_object_get(launch, "traffic"))))
        return "metrics";
    for (size_t i = 0; i < json_array_size(json_object_get(launch, "lines")); i++)
        if (!json_is_string(json_object_get(json_array_get(json_object_get(launch, "lines"), i), "text")))
            return "text";
    return NULL;
}

static bool is_result(const char *path, const json_t *result) {
    const char *missing = json_is_object(result) ? NULL : "kernel";
    const json_t *all = json_object_get(result, "launches");
    if (!missing && !json_is_string(json_object_get(result, "heddle")))
        missing = "heddle";
    if (!missing && all && (!json_is_array(all) || json_array_size(all) == 0))
        missing = "launches";
    for (size_t i = 0; !missing && i < launch_count(result); i++)
        missing = lacks(launch_at(result, i));
    if (missing)
        ui_error_as(path, "this is no result of 'heddle run --json': '%s' is missing, or is something else", missing);
    return !missing;
}

json_t *diff_parse(const char *name, const char *text, size_t len) {
    json_error_t error;
    json_t *result = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
    if (!json_complete()) {
        ui_error("out of memory");
        json_decref(result);
        return NULL;
    }
    if (!result) {
        struct buf where = {0};
        buf_printf(&where, "%s:%d:%d", name, error.line, error.column);
        ui_error_as(where.failed ? name : where.data, "this is no JSON: %s", error.text);
        buf_free(&where);
        return NULL;
    }
    if (is_result(name, result))
        return result;
    json_decref(result);
    return NULL;
}

json_t *diff_read(const char *path) {
    struct buf text = {0};
    if (!file_read(path, &text))
        return NULL;
    json_t *result = diff_parse(strcmp(path, "-") == 0 ? "standard input" : path, text.data ? text.data : "", text.len);
    buf_free(&text);
    return result;
}

/* ---- pairs ---- */

static json_t *copy(const json_t *v) {
    return v ? json_clone(v) : json_null();
}

static json_t *pair_of(const json_t *a, const json_t *b) {
    return json_make("[o,o]", copy(a), copy(b));
}

static bool equal(const json_t *a, const json_t *b) {
    return a && b ? json_equal(a, b) : (!a || json_is_null(a)) && (!b || json_is_null(b));
}

/* Sets to[name] = [a, b] where they differ. */
static void compare(json_t *to, const char *name, const json_t *a, const json_t *b) {
    if (!equal(a, b))
        json_put(to, name, pair_of(a, b));
}

/* All members of two objects; `none` stands for one that is missing. */
static json_t *compare_members(const json_t *a, const json_t *b, const json_t *none) {
    json_t *to = json_new();
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)a, name, value) {
        const json_t *other = json_object_get(b, name);
        compare(to, name, value, other ? other : none);
    }
    json_object_foreach((json_t *)(uintptr_t)b, name, value) {
        if (!json_object_get(a, name))
            compare(to, name, none, value);
    }
    return to;
}

/* Adds it unless it is empty. */
static void add(json_t *to, const char *name, json_t *member) {
    if (!member || json_object_size(member) || json_array_size(member))
        json_put(to, name, member);
    else
        json_decref(member);
}

/* ---- lines ---- */

static json_int_t number(const json_t *line, const char *name) {
    return json_integer_value(json_object_get(line, name));
}

static json_int_t waiting(const json_t *line) {
    json_int_t sum = 0;
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(line, "stall"), name, value) {
        sum += json_integer_value(value);
    }
    return sum;
}

static const char *text_of(const json_t *lines, size_t i) {
    return json_string_value(json_object_get(json_array_get(lines, i), "text"));
}

static json_t *lone_line(const json_t *line) {
    return json_make("{s:I,s:s,s:I,s:I}", "line", number(line, "line"), "text",
                     json_string_value(json_object_get(line, "text")), "issued", number(line, "issued"), "cycles",
                     waiting(line));
}

static void compare_line(json_t *to, const json_t *a, const json_t *b) {
    json_t *stall = compare_members(json_object_get(a, "stall"), json_object_get(b, "stall"), NULL);
    if (number(a, "issued") == number(b, "issued") && number(a, "lanes") == number(b, "lanes") &&
        number(a, "sectors") == number(b, "sectors") && number(a, "l1_hits") == number(b, "l1_hits") &&
        number(a, "shared_passes") == number(b, "shared_passes") && json_object_size(stall) == 0) {
        json_decref(stall);
        return;
    }
    json_t *one = json_make("{s:s,s:[I,I],s:[I,I],s:[I,I]}", "text", json_string_value(json_object_get(a, "text")),
                            "line", number(a, "line"), number(b, "line"), "issued", number(a, "issued"),
                            number(b, "issued"), "cycles", waiting(a), waiting(b));
    add(one, "stall", stall);
    json_add(to, one);
}

/* The n-th instruction of a text is the n-th of that text in the other program: `partner`, or `none` without one. */
static void match_lines(const json_t *a, const json_t *b, size_t *partner, bool *taken) {
    size_t na = json_array_size(a), nb = json_array_size(b);
    for (size_t i = 0; i < na; i++) {
        size_t k = i < nb && !taken[i] && strcmp(text_of(a, i), text_of(b, i)) == 0 ? i : 0;
        while (k < nb && (taken[k] || strcmp(text_of(a, i), text_of(b, k)) != 0))
            k++;
        partner[i] = k;
        if (k < nb)
            taken[k] = true;
    }
}

static void compare_lines(json_t *to, const json_t *a, const json_t *b) {
    size_t na = json_array_size(a), nb = json_array_size(b);
    struct arena arena = {0};
    size_t *partner = arena_alloc(&arena, na * sizeof *partner);
    bool *taken = arena_alloc(&arena, nb * sizeof *taken);
    json_t *lines = json_list(), *only_a = json_list(), *only_b = json_list();
    if (partner && taken)
        match_lines(a, b, partner, taken);
    for (size_t i = 0; i < na && partner && taken; i++)
        if (partner[i] < nb)
            compare_line(lines, json_array_get(a, i), json_array_get(b, partner[i]));
        else
            json_add(only_a, lone_line(json_array_get(a, i)));
    for (size_t i = 0; i < nb && partner && taken; i++)
        if (!taken[i])
            json_add(only_b, lone_line(json_array_get(b, i)));
    arena_free(&arena);
    add(to, "lines", lines);
    if (!partner || !taken)
        json_put(to, "lines", NULL); /* fails */
    add(to, "only_a", only_a);
    add(to, "only_b", only_b);
}

/* ---- launches, boards ---- */

static json_t *compare_named(const json_t *a, const json_t *b, const char *const *names, size_t n) {
    json_t *to = json_new();
    for (size_t i = 0; i < n; i++)
        compare(to, names[i], json_object_get(a, names[i]), json_object_get(b, names[i]));
    return to;
}

static json_t *compare_traffic(const json_t *a, const json_t *b) {
    json_t *to = json_new(), *zero = json_u64(0), *value;
    const char *name;
    json_object_foreach((json_t *)(uintptr_t)a, name, value) {
        add(to, name, compare_members(value, json_object_get(b, name), zero));
    }
    json_object_foreach((json_t *)(uintptr_t)b, name, value) {
        if (!json_object_get(a, name))
            add(to, name, compare_members(NULL, value, zero));
    }
    json_decref(zero);
    return to;
}

static json_t *compare_launches(const json_t *a, const json_t *b) {
    static const char *const run[] = {"kernel", "grid", "block", "warp", "caches"};
    static const char *const counts[] = {"blocks", "warps", "warp_instructions", "thread_instructions"};
    json_t *to = json_new(), *zero = json_u64(0);
    add(to, "run", compare_named(a, b, run, COUNT_OF(run)));
    compare(to, "cycles", json_object_get(a, "cycles"), json_object_get(b, "cycles"));
    compare(to, "limiter", json_object_get(a, "limiter"), json_object_get(b, "limiter"));
    add(to, "counts", compare_named(a, b, counts, COUNT_OF(counts)));
    add(to, "classes", compare_members(json_object_get(a, "classes"), json_object_get(b, "classes"), zero));
    add(to, "metrics", compare_members(json_object_get(a, "metrics"), json_object_get(b, "metrics"), NULL));
    add(to, "traffic", compare_traffic(json_object_get(a, "traffic"), json_object_get(b, "traffic")));
    compare_lines(to, json_object_get(a, "lines"), json_object_get(b, "lines"));
    json_decref(zero);
    return to;
}

/* Values of the board, wherever they come from. */
static json_t *compare_boards(const json_t *a, const json_t *b) {
    json_t *to = json_new(), *value;
    const json_t *all = json_object_get(a, "values"), *others = json_object_get(b, "values");
    const char *name;
    json_object_foreach((json_t *)(uintptr_t)(all ? all : others), name, value) {
        compare(to, name, json_object_get(json_object_get(all, name), "value"),
                json_object_get(json_object_get(others, name), "value"));
    }
    compare(to, "name", json_object_get(a, "name"), json_object_get(b, "name"));
    return to;
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

json_t *diff_of(const json_t *a, const json_t *b) {
    size_t na = launch_count(a), nb = launch_count(b);
    json_t *to = json_new(), *launches = json_list();
    for (size_t i = 0; i < na && i < nb; i++)
        json_add(launches, compare_launches(launch_at(a, i), launch_at(b, i)));
    add(to, "board", compare_boards(json_object_get(a, "board"), json_object_get(b, "board")));
    compare(to, "fault", json_object_get(a, "fault"), json_object_get(b, "fault"));
    if (na != nb)
        json_put(to, "unmatched", json_make("[I,I]", (json_int_t)na, (json_int_t)nb));
    bool same = json_object_size(to) == 0 && empty(launches);
    json_put(to, "format", json_text("heddle-diff-1"));
    json_put(to, "launches", launches);
    json_put(to, "same", json_boolean(same));
    if (json_complete())
        return to;
    json_decref(to);
    return NULL;
}
