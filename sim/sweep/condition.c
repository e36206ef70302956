#include "sim/sweep/condition.h"

#include <ctype.h>
#include <string.h>

#include "sim/sweep/axis.h"

void condition_name(const char *name, struct buf *sql) {
    buf_putc(sql, '"');
    for (; *name; name++)
        buf_printf(sql, "%s%c", *name == '"' ? "\"" : "", *name);
    buf_putc(sql, '"');
}

void condition_value(const char *text, struct buf *sql) {
    double value;
    if (axis_number(text, &value)) {
        buf_printf(sql, "%.17g", value);
        return;
    }
    buf_putc(sql, '\'');
    for (; *text; text++)
        buf_printf(sql, "%s%c", *text == '\'' ? "'" : "", *text);
    buf_putc(sql, '\'');
}

/* Returns the length of the piece of SQL that begins here: a quoted text, a word, or one other character. */
static size_t piece(const char *text, bool *word) {
    size_t n = 1;
    *word = isalpha((unsigned char)*text) || *text == '_';
    if (*text == '\'' || *text == '"') {
        const char *end = strchr(text + 1, *text);
        return end ? (size_t)(end - text) + 1 : strlen(text);
    }
    while (*word && (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '.'))
        n++;
    while (isdigit((unsigned char)*text) && (isalnum((unsigned char)text[n]) || text[n] == '.'))
        n++; /* 1e6 contains no word */
    return n;
}

/* Returns the length of a comment or a quoted text that begins here; 0 if none does. */
static size_t passed_over(const char *text) {
    static const char *const pairs[][2] = {{"--", "\n"}, {"/*", "*/"}, {"'", "'"},
                                           {"\"", "\""}, {"`", "`"},   {"[", "]"}};
    for (u32 i = 0; i < COUNT_OF(pairs); i++) {
        size_t n = strlen(pairs[i][0]);
        if (strncmp(text, pairs[i][0], n) != 0)
            continue;
        const char *end = strstr(text + n, pairs[i][1]);
        return end ? (size_t)(end - text) + strlen(pairs[i][1]) : strlen(text);
    }
    return 0;
}

bool condition_is_one(const char *text, size_t *at) {
    u32 open = 0;
    for (size_t i = 0, n; text[i]; i += n ? n : 1) {
        n = passed_over(text + i);
        *at = i;
        if (!n && text[i] == ')' && open-- == 0)
            return false;
        open += !n && text[i] == '(';
    }
    return true;
}

/* Appends a piece, and returns its length. */
static size_t put_piece(const char *text, condition_resolve *resolve, const void *ctx, struct buf *sql) {
    char name[120];
    bool word;
    size_t n = piece(text, &word);
    const char *column = NULL;
    if (word && n < sizeof name) {
        memcpy(name, text, n);
        name[n] = 0;
        column = resolve(ctx, name);
    }
    if (column)
        condition_name(column, sql);
    else
        buf_append(sql, text, n);
    return n;
}

void condition_sql(const char *text, condition_resolve *resolve, const void *ctx, struct buf *sql) {
    while (*text)
        text += put_piece(text, resolve, ctx, sql);
}

size_t condition_place(const char *text, condition_resolve *resolve, const void *ctx, size_t at) {
    struct buf sql = {0};
    size_t place = 0, before = 0;
    while (text[place]) {
        size_t n = put_piece(text + place, resolve, ctx, &sql);
        if (sql.len > at) {
            place += sql.len - before == n ? at - before : 0; /* within a piece copied unchanged */
            break;
        }
        before = sql.len;
        place += n;
    }
    buf_free(&sql);
    return place;
}
