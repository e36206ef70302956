
#include <stdio.h>
#include <string.h>

#include "sim/cli/board/board.h"
#include "sim/cli/ui.h"

bool board_compare_read(struct board_compare *b, const struct buf *names, const struct buf *sets) {
    const char *const *name = (const char *const *)(const void *)names->data;
    size_t n = names->len / sizeof *name;
    if (n > COMPARE_MOST)
        return ui_error("at most %d boards are compared at a time", COMPARE_MOST);
    for (size_t i = 0; i < n; i++) {
        const struct board_choice choice = {.name = name[i], .sets = *sets};
        struct heddle *h = heddle_new();
        if (!h)
            ui_error("out of memory");
        b->board[b->n++] = h;
        if (!h || !board_apply(&choice, h))
            return false;
        b->title[i] = compare_stem(name[i]);
    }
    return true;
}

void board_compare_free(struct board_compare *b) {
    for (u32 i = 0; i < b->n; i++)
        heddle_free(b->board[i]);
    b->n = 0;
}

/* ---- rows ---- */

/* A value or a peak of each board. */
struct fact {
    const char *key, *unit;
    json_t *values;
    bool differs;
};

/* Gets the values at an index, of the same key on every board. False past the last. */
static bool value_at(const struct board_compare *b, u32 index, struct fact *f) {
    struct heddle_board_value first, v;
    if (!heddle_board_value_at(b->board[0], index, &first))
        return false;
    *f = (struct fact){first.key, first.unit, json_list(), false};
    for (u32 i = 0; i < b->n; i++) {
        if (!heddle_board_value_at(b->board[i], index, &v))
            BUG("boards with other keys");
        f->differs |=
            v.choice ? strcmp(v.choice, first.choice) != 0 : v.number < first.number || v.number > first.number;
        json_add(f->values, v.choice ? json_text(v.choice) : v.real ? json_number(v.number) : json_s64((s64)v.number));
    }
    return true;
}

static bool peak_at(const struct board_compare *b, u32 index, struct fact *f) {
    struct heddle_board_peak first, p;
    if (!heddle_board_peak(b->board[0], index, &first))
        return false;
    *f = (struct fact){first.name, first.unit, json_list(), false};
    for (u32 i = 0; i < b->n; i++) {
        if (!heddle_board_peak(b->board[i], index, &p))
            BUG("boards with other peaks");
        f->differs |= p.value < first.value || p.value > first.value;
        json_add(f->values, json_number(p.value));
    }
    return true;
}

/* ---- text ---- */

/* True for the number of SMs and every clock, which are printed first. */
static bool leads(const char *key) {
    const char *dot = strrchr(key, '.');
    return strcmp(key, "sms") == 0 || strcmp(dot ? dot + 1 : key, "clock_mhz") == 0;
}

/* Returns the length of a key's section, "l2" in l2.bytes; 0 for a key of the whole machine. */
static size_t section_of(const char *key) {
    return leads(key) || !strchr(key, '.') ? 0 : strcspn(key, ".");
}

static bool same_section(const char *a, const char *b) {
    return section_of(a) == section_of(b) && strncmp(a, b, section_of(a)) == 0;
}

/* Prints the rows of the section of a key, its first one. */
static void put_section(struct compare *c, const struct fact *facts, size_t n, size_t first, bool all) {
    const char *key = facts[first].key;
    struct compare_section s = {.name = "machine", .most = COMPARE_ALL, .exact = true};
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)section_of(key), key);
    if (*name)
        s.name = name;
    for (size_t i = first; i < n; i++)
        if ((all || facts[i].differs) && same_section(facts[i].key, key))
            compare_row(&s, &(struct compare_row){facts[i].key, facts[i].unit, facts[i].values, leads(facts[i].key)});
    compare_write(c, &s);
}

/* Values shown, and those left out. */
struct shown {
    bool all;
    json_t *keep;    /* values, until the rows are written */
    u32 keys, peaks; /* equal and left out */
};

static void put_values(struct compare *c, const struct board_compare *b, struct shown *shown) {
    struct buf list = {0};
    struct fact f;
    for (u32 i = 0; value_at(b, i, &f); i++) {
        json_add(shown->keep, f.values);
        buf_append(&list, &f, sizeof f);
        shown->keys += !shown->all && !f.differs;
    }
    const struct fact *facts = (const struct fact *)(const void *)list.data;
    size_t n = list.len / sizeof f;
    for (size_t i = 0; i < n; i++) {
        size_t first = 0;
        while (!same_section(facts[first].key, facts[i].key))
            first++;
        if (first == i)
            put_section(c, facts, n, i, shown->all);
    }
    c->out->failed |= list.failed;
    buf_free(&list);
}

/* True for peaks that explain most: bandwidths and ratios. */
static bool is_first(const char *unit) {
    return strcmp(unit, "GB/s") == 0 || strcmp(unit, "FLOP/byte") == 0;
}

static void put_peaks(struct compare *c, const struct board_compare *b, bool first, struct shown *shown) {
    struct compare_section s = {.name = first ? "peaks" : "peaks_more",
                                .title = first ? "peaks" : "what else follows",
                                .most = COMPARE_ALL};
    struct fact f;
    for (u32 i = 0; peak_at(b, i, &f); i++) {
        json_add(shown->keep, f.values);
        if (is_first(f.unit) != first)
            continue;
        shown->peaks += !shown->all && !f.differs;
        if (shown->all || f.differs)
            compare_row(&s, &(struct compare_row){f.key, f.unit, f.values, 0});
    }
    compare_write(c, &s);
}

/* Notes what is not shown, because it is the same on all boards. */
static void put_rest(struct compare *c, const struct shown *shown) {
    char line[120];
    if (!shown->keys && !shown->peaks)
        return;
    snprintf(line, sizeof line, "%u keys and %u peaks are the same: --all shows them", shown->keys, shown->peaks);
    if (c->form == COMPARE_TEXT)
        buf_putc(c->out, '\n');
    compare_line(c, line);
}

void board_compare_text(const struct board_compare *b, enum compare_form form, bool all, struct buf *out) {
    struct compare c = {.n = b->n, .form = form};
    struct shown shown = {.all = all, .keep = json_list()};
    struct buf text = {0};
    for (u32 i = 0; i < b->n; i++)
        c.title[i] = b->title[i].text;
    c.out = &text;
    put_peaks(&c, b, true, &shown);
    put_values(&c, b, &shown);
    put_peaks(&c, b, false, &shown);
    bool any = text.len || c.csv.columns;
    compare_end(&c);
    if (any)
        put_rest(&c, &shown);
    if (form == COMPARE_TEXT)
        board_changes(b->board[0], out);
    buf_puts(out, text.len ? text.data + (*text.data == '\n' && !out->len) : "Nothing differs.\n");
    out->failed |= text.failed || !json_complete();
    buf_free(&text);
    json_decref(shown.keep);
}

/* ---- JSON ---- */

static json_t *facts(const struct board_compare *b, bool (*at)(const struct board_compare *, u32, struct fact *),
                     bool all) {
    json_t *to = json_new();
    struct fact f;
    for (u32 i = 0; at(b, i, &f); i++)
        if (all || f.differs)
            json_put(to, f.key, json_make("{s:s,s:o}", "unit", f.unit, "values", f.values));
        else
            json_decref(f.values);
    return to;
}

bool board_compare_json(const struct board_compare *b, bool all, struct buf *out) {
    json_t *names = json_list();
    for (u32 i = 0; i < b->n; i++)
        json_add(names, json_text(b->title[i].text));
    json_t *doc = json_make("{s:s,s:s,s:o,s:o,s:o}", "format", "heddle-boards-1", "heddle", heddle_version(), "boards",
                            names, "values", facts(b, value_at, all), "peaks", facts(b, peak_at, all));
    bool ok = json_write(doc, out);
    json_decref(doc);
    return ok;
}
