/* The lines of a launch with the rounds of repeated ones added up. */
#include "sim/cli/diff/diff.h"

#include <stdio.h>
#include <string.h>

/* True for members that a sum takes from its first round. */
static bool is_place(const char *name) {
    static const char *const names[] = {"line", "pc", "first"};
    bool found = false;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        found |= strcmp(name, names[i]) == 0;
    return found;
}

/* Adds the numbers of an object, and of objects in it, to another. */
static void add_numbers(json_t *to, const json_t *from) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)from, name, value) {
        json_t *own = json_object_get(to, name);
        if (json_is_object(value) && json_is_object(own))
            add_numbers(own, value);
        else if (json_is_integer(value) && (!own || json_is_integer(own)) && !is_place(name))
            json_put(to, name, json_s64((s64)((u64)json_integer_value(own) + (u64)json_integer_value(value))));
    }
}

const char *diff_text(const json_t *line) {
    static const char *const names[] = {"rounds", "text"};
    const char *text = NULL;
    for (size_t i = 0; i < COUNT_OF(names) && !text; i++)
        text = json_string_value(json_object_get(line, names[i]));
    return text;
}

json_t *diff_sums(const json_t *lines) {
    json_t *sums = json_list(), *known = json_new(), *line;
    size_t i;
    json_array_foreach((json_t *)(uintptr_t)lines, i, line) {
        const json_t *first = json_object_get(line, "first");
        char key[24];
        snprintf(key, sizeof key, "%lld", (long long)json_integer_value(first));
        json_t *sum = json_is_integer(first) ? json_object_get(known, key) : NULL;
        if (sum) {
            add_numbers(sum, line);
            json_put(sum, "count", json_s64(json_integer_value(json_object_get(sum, "count")) + 1));
            continue;
        }
        sum = json_clone(line);
        json_put(sum, "count", json_s64(1));
        if (json_is_integer(first))
            json_put(known, key, json_incref(sum));
        json_add(sums, sum);
    }
    json_decref(known);
    return sums;
}
