/* Rules between fields, from sim/board/rules.def: what no single value can be blamed for. */
#include "sim/board/board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/decimal.h"

enum { SENTENCE = 220 };

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

/* The line of the file being read that gave the value, "v100.yaml:12"; 0 when it came from elsewhere. */
static u32 line_of(const struct board *b, enum board_field field, const char *file) {
    const char *slash = file ? strrchr(file, '/') : NULL, *name = slash ? slash + 1 : file;
    const char *origin = b->origin[field], *colon = strrchr(origin, ':');
    if (!name || !colon || strlen(name) != (size_t)(colon - origin) || strncmp(origin, name, strlen(name)) != 0)
        return 0;
    return (u32)strtoul(colon + 1, NULL, 10);
}

static void broken(const struct board *b, const char *sentence, struct diag *diag) {
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
    diag_error(diag, at, "%s", text);
}

bool board_check(const struct board *b, struct diag *diag) {
    const struct rule rules[] = {
#define RULE(condition, sentence) {condition, sentence},
#include "sim/board/rules.def"
    };
    bool ok = true;
    for (u32 i = 0; i < COUNT_OF(rules); i++) {
        if (!rules[i].holds)
            broken(b, rules[i].sentence, diag);
        ok &= rules[i].holds;
    }
    return ok;
}
