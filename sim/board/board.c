#include "sim/board/board.h"

#include <stdio.h>
#include <string.h>

enum { COUNT, POWER2 };

const struct board_field_row board_fields[BOARD_FIELDS] = {
#define FIELD(key, kind, def, min, max, unit, doc) \
    {#key, unit, doc, def, min, max, kind == POWER2, offsetof(struct board, key)},
#include "sim/board/fields.def"
};

#define FIELD(key, kind, def, min, max, unit, doc) \
    _Static_assert((min) <= (def) && (def) <= (max), "default of " #key " is out of its range");
#include "sim/board/fields.def"

u32 board_value(const struct board *b, enum board_field field) {
    u32 value;
    memcpy(&value, (const char *)b + board_fields[field].offset, sizeof value);
    return value;
}

static void store(struct board *b, enum board_field field, u32 value, const char *origin) {
    memcpy((char *)b + board_fields[field].offset, &value, sizeof value);
    snprintf(b->origin[field], sizeof b->origin[field], "%s", origin);
}

void board_default(struct board *b) {
    *b = (struct board){.name = "default"};
    for (u32 f = 0; f < BOARD_FIELDS; f++)
        store(b, (enum board_field)f, board_fields[f].def, "default");
}

static const char *key_at(const void *ctx, size_t i) {
    (void)ctx;
    return i < BOARD_FIELDS ? board_fields[i].key : i == BOARD_FIELDS ? "name" : "base";
}

enum board_field board_field_find(const char *key, struct span at, struct diag *diag) {
    for (u32 f = 0; f < BOARD_FIELDS; f++)
        if (strcmp(board_fields[f].key, key) == 0)
            return (enum board_field)f;
    const char *near = nearest_name(key, BOARD_FIELDS + 2, key_at, NULL);
    if (near)
        diag_error(diag, at, "unknown key '%.40s'; did you mean '%s'?", key, near);
    else
        diag_error(diag, at, "unknown key '%.40s'; `heddle board --keys` lists them", key);
    return BOARD_FIELDS;
}

/* A whole number in decimal, up to 10^12 so that nothing wraps before the range is checked. */
static bool whole(const char *text, u64 *value) {
    *value = 0;
    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || *value > 1000000000000u)
            return false;
        *value = *value * 10 + (u64)(*text - '0');
    }
    return true;
}

bool board_put(struct board *b, enum board_field field, const char *text, const char *origin, struct span at,
               struct diag *diag) {
    const struct board_field_row *row = &board_fields[field];
    u64 value;
    if (!whole(text, &value)) {
        diag_error(diag, at, "%s must be a whole number (%s, %u to %u), not '%.40s'", row->key, row->unit, row->min,
                   row->max, text);
        return false;
    }
    if (value < row->min || value > row->max) {
        diag_error(diag, at, "%s is %llu; it must be %u to %u %s", row->key, (unsigned long long)value, row->min,
                   row->max, row->unit);
        return false;
    }
    if (row->power2 && value & (value - 1)) {
        diag_error(diag, at, "%s is %llu; it must be a power of two from %u to %u", row->key, (unsigned long long)value,
                   row->min, row->max);
        return false;
    }
    store(b, field, (u32)value, origin);
    return true;
}

bool board_set(struct board *b, const char *assignment, struct diag *diag) {
    const char *equals = strchr(assignment, '=');
    struct span at = {0, 0, 1};
    char key[64];
    if (!equals || equals == assignment || (size_t)(equals - assignment) >= sizeof key) {
        diag_error(diag, at, "'%.60s' is not KEY=VALUE", assignment);
        return false;
    }
    snprintf(key, sizeof key, "%.*s", (int)(equals - assignment), assignment);
    enum board_field field = board_field_find(key, at, diag);
    return field != BOARD_FIELDS && board_put(b, field, equals + 1, "--set", at, diag);
}

void board_print(const struct board *b, struct buf *out) {
    buf_printf(out, "name: %s\n", b->name);
    for (u32 f = 0; f < BOARD_FIELDS; f++) {
        const struct board_field_row *row = &board_fields[f];
        char line[64];
        snprintf(line, sizeof line, "%s: %u", row->key, board_value(b, (enum board_field)f));
        buf_printf(out, "%-34s # %s: %s [%s]\n", line, row->unit, row->doc, b->origin[f]);
    }
}

void board_print_keys(struct buf *out) {
    /* Indented by four, which Markdown shows as it is. */
    buf_puts(out,
             "    name                       text       what the board is called\n"
             "    base                       file       another board, whose values hold where this one is silent\n");
    for (u32 f = 0; f < BOARD_FIELDS; f++) {
        const struct board_field_row *row = &board_fields[f];
        buf_printf(out, "    %-26s %-10s %s (%s%u to %u, default %u)\n", row->key, row->unit, row->doc,
                   row->power2 ? "power of two, " : "", row->min, row->max, row->def);
    }
}
