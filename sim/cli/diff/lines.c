/* Instructions of several programs side by side: the n-th of a text is the n-th of that text in each. */
#include "sim/cli/diff/diff.h"

#include <string.h>

struct row {
    const char *text;
    struct sides lines; /* NULL = missing in that program */
};

static struct row *rows_of(const struct buf *b) {
    return (struct row *)(void *)b->data;
}

static size_t count_of(const struct buf *b) {
    return b->len / sizeof(struct row);
}

/* Finds the row of a side's line: at the same place if its text is the same, else the first with that text. */
static struct row *row_of(const struct buf *rows, u32 side, const char *text, size_t place) {
    struct row *all = rows_of(rows);
    for (size_t k = 0; k <= count_of(rows); k++) {
        size_t i = k ? k - 1 : place;
        if (i < count_of(rows) && !all[i].lines.of[side] && strcmp(all[i].text, text) == 0)
            return &all[i];
    }
    return NULL;
}

static void add_side(struct buf *rows, const json_t *lines, u32 side, u32 sides) {
    size_t i;
    json_t *line;
    json_array_foreach((json_t *)(uintptr_t)lines, i, line) {
        const char *text = diff_text(line);
        struct row *row = row_of(rows, side, text, i);
        if (!row) {
            row = buf_push(rows, sizeof *row);
            if (!row)
                return;
            row->text = text;
            row->lines.n = sides;
        }
        row->lines.of[side] = line;
    }
}

/* Sums the cycles of warps that could not issue the line, over all reasons; null without a clock. */
static json_t *waiting(const json_t *line) {
    const json_t *stall = json_object_get(line, "stall");
    u64 sum = 0;
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)stall, name, value) {
        sum += (u64)json_integer_value(value);
    }
    return stall ? json_u64(sum) : json_null();
}

static bool changed(const struct sides *lines) {
    static const char *const counts[] = {"warp_instructions", "lanes", "sectors", "l1_hits", "shared_passes"};
    bool any = false;
    for (u32 i = 0; i < lines->n; i++)
        any |= !lines->of[i];
    for (size_t i = 0; i < COUNT_OF(counts) && !any; i++) {
        struct sides values = diff_member(lines, counts[i]);
        any = diff_differ(&values);
    }
    return any;
}

/* Makes an object of a line that differs; NULL if it does not. */
static json_t *difference(const struct row *row) {
    const struct sides *lines = &row->lines;
    struct sides stall = diff_member(lines, "stall"), line = diff_member(lines, "line"),
                 issued = diff_member(lines, "warp_instructions"), count = diff_member(lines, "count");
    json_t *stalls = diff_members(&stall), *one = NULL;
    if (changed(lines) || json_object_size(stalls)) {
        json_t *cycles = json_list();
        const char *text = NULL;
        for (u32 k = 0; k < lines->n; k++) {
            json_add(cycles, waiting(lines->of[k]));
            text = text ? text : json_string_value(json_object_get(lines->of[k], "disassembly"));
        }
        one = json_make("{s:o,s:o,s:o,s:o,s:o,s:o}", "text", json_text(row->text), "disassembly", json_text(text),
                        "line", diff_values(&line), "rounds", diff_values(&count), "warp_instructions",
                        diff_values(&issued), "cycles", cycles);
        json_put(one, "stall", json_incref(stalls));
    }
    json_decref(stalls);
    return one;
}

json_t *diff_lines(const struct sides *launches) {
    struct buf rows = {0};
    json_t *all = json_list(), *sums[DIFF_RUNS] = {NULL};
    for (u32 side = 0; side < launches->n; side++) {
        sums[side] = diff_sums(json_object_get(launches->of[side], "lines"));
        add_side(&rows, sums[side], side, launches->n);
    }
    for (size_t i = 0; i < count_of(&rows); i++) {
        json_t *one = difference(&rows_of(&rows)[i]);
        if (one)
            json_add(all, one);
    }
    if (rows.failed)
        json_add(all, NULL); /* makes it fail */
    buf_free(&rows);
    for (u32 side = 0; side < launches->n; side++)
        json_decref(sums[side]);
    return all;
}
