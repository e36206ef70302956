/* Rules between fields, from sim/board/rules.def: what no single value can be blamed for. */
#include "sim/board/board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/decimal.h"

enum {
    SENTENCE = 220,
    NEAR = 1 << 17, /* values looked at in each direction for one that would do */
#define RULE(condition, sentence) +1
    RULES = 0
#include "sim/board/rules.def"
};

struct rule {
    bool holds;
    const char *sentence;
};

static enum board_field find(const char *key, size_t len) {
    u32 f = 0;
    while (f < BOARD_FIELDS && (strncmp(board_fields[f].key, key, len) != 0 || board_fields[f].key[len]))
        f++;
    return (enum board_field)f;
}

/* Line of the file being read that set the value, "v100.yaml:12"; 0 for another origin. */
static u32 line_of(const struct board *b, enum board_field field, const char *file) {
    const char *slash = file ? strrchr(file, '/') : NULL, *name = slash ? slash + 1 : file;
    const char *origin = b->origin[field], *colon = strrchr(origin, ':');
    if (!name || !colon || strlen(name) != (size_t)(colon - origin) || strncmp(origin, name, strlen(name)) != 0)
        return 0;
    return (u32)strtoul(colon + 1, NULL, 10);
}

/* Adds the error; `more` follows the sentence, if there is room. */
static void broken(const struct board *b, const char *sentence, const char *more, struct diag *diag) {
    char text[SENTENCE];
    struct span at = {0, 1, 1};
    size_t n = 0;
    for (const char *p = sentence; *p && n < sizeof text - 1; p++) {
        size_t len = *p == '{' ? strcspn(p, "}") - 1 : 0;
        enum board_field field = len ? find(p + 1, len) : BOARD_FIELDS;
        if (field == BOARD_FIELDS) {
            text[n++] = *p;
            continue;
        }
        u32 line = line_of(b, field, diag->file);
        at.line = line > at.line ? line : at.line;
        int put = snprintf(text + n, sizeof text - n, "%s (%s)", board_fields[field].key,
                           decimal_write(board_value(b, field)).text);
        n = n + (size_t)put < sizeof text ? n + (size_t)put : sizeof text - 1;
        p += len + 1;
    }
    text[n] = 0;
    bool room = n + strlen(more) < sizeof diag->message[0].text;
    diag_error(diag, at, "%s%s", text, room ? more : "");
}

/* Evaluates every rule. */
static void evaluate(const struct board *b, struct rule rules[RULES]) {
    const struct rule all[RULES] = {
#define RULE(condition, sentence) {condition, sentence},
#include "sim/board/rules.def"
    };
    memcpy(rules, all, sizeof all);
}

/* ---- values that would do ---- */

/*
 * Nearest value of a field, in steps of `step` (1 or -1), that makes the rule hold; 0: none near. *other: a rule that
 * held before and that this value breaks; RULES: none.
 */
static double neighbour(const struct board *b, enum board_field field, u32 rule, int step, u32 *other) {
    const struct board_field_row *row = &board_fields[field];
    struct rule before[RULES], after[RULES];
    struct board changed = *b;
    double value = board_value(b, field);
    evaluate(b, before);
    for (u32 tries = 0; tries < NEAR; tries++) {
        bool power2 = row->kind == KIND_POWER2;
        value = power2 ? (step > 0 ? value * 2 : value / 2) : value + step;
        if (value < row->min || value > row->max || value < 1)
            return 0;
        board_store(&changed, field, value);
        evaluate(&changed, after);
        if (!after[rule].holds)
            continue;
        for (*other = 0; *other < RULES && (after[*other].holds || !before[*other].holds);)
            ++*other;
        return value;
    }
    return 0;
}

/* The n-th field named by the sentence of a rule; BOARD_FIELDS beyond the last. */
static enum board_field nth_field(const char *sentence, u32 n) {
    for (const char *p = sentence; (p = strchr(p, '{')) != NULL; p++) {
        enum board_field field = find(p + 1, strcspn(p + 1, "}"));
        if (field != BOARD_FIELDS && n-- == 0)
            return field;
    }
    return BOARD_FIELDS;
}

/* Adds " with l2.bytes=6291456": what has to move too so that the rule `other` holds; false if nothing near does. */
static bool add_follower(const struct board *b, enum board_field moved, u32 other, const char *sentence,
                         struct buf *out) {
    for (u32 n = 0; nth_field(sentence, n) != BOARD_FIELDS; n++) {
        enum board_field field = nth_field(sentence, n);
        u32 more = RULES;
        double down = field == moved ? 0 : neighbour(b, field, other, -1, &more);
        bool good = down > 0 && more == RULES;
        double up = good || field == moved ? 0 : neighbour(b, field, other, 1, &more);
        good |= up > 0 && more == RULES;
        if (good) {
            buf_printf(out, " with %s=%s", board_fields[field].key, decimal_write(down > 0 ? down : up).text);
            return true;
        }
    }
    return false;
}

/* Appends the values of a field, below and above, that would make the rule hold: "dram.channels=16 or 32". */
static void add_values(const struct board *b, enum board_field field, u32 rule, const struct rule *rules,
                       struct buf *out) {
    bool any = false;
    for (int step = -1; step <= 1; step += 2) {
        u32 other = RULES;
        double value = neighbour(b, field, rule, step, &other);
        struct board changed = *b;
        struct buf one = {0};
        if (value == 0)
            continue;
        buf_printf(&one, "%s%s%s", any ? " or " : board_fields[field].key, any ? "" : "=", decimal_write(value).text);
        board_store(&changed, field, value);
        if (other == RULES || add_follower(&changed, field, other, rules[other].sentence, &one)) {
            buf_printf(out, "%s%s", !any ? (out->len ? ", " : "") : "", one.data ? one.data : "");
            any = true;
        }
        buf_free(&one);
    }
}

/* "; dram.channels=16 or 32, l2.slices=48 or 72 would do", or nothing. */
static void suggest(const struct board *b, u32 rule, const struct rule *rules, struct buf *out) {
    struct buf values = {0};
    for (u32 n = 0; nth_field(rules[rule].sentence, n) != BOARD_FIELDS; n++) {
        enum board_field field = nth_field(rules[rule].sentence, n);
        if (board_fields[field].kind == KIND_COUNT || board_fields[field].kind == KIND_POWER2)
            add_values(b, field, rule, rules, &values);
    }
    if (values.len)
        buf_printf(out, "; %s would do", values.data);
    buf_free(&values);
}

bool board_check(const struct board *b, struct diag *diag) {
    struct rule rules[RULES];
    bool ok = true;
    evaluate(b, rules);
    for (u32 i = 0; i < RULES; i++) {
        struct buf text = {0};
        if (rules[i].holds)
            continue;
        ok = false;
        suggest(b, i, rules, &text);
        broken(b, rules[i].sentence, text.data ? text.data : "", diag);
        buf_free(&text);
    }
    return ok;
}
