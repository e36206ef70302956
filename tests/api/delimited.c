/* Are tables read as they were written, whatever separates them, and is what is not clear refused in its place? */
#include "sim/api/heddle.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/buf.h"

static struct heddle *context(void) {
    static struct heddle *h;
    return h ? h : (h = heddle_new());
}

static char notes[200]; /* of the last table */

static bool read_as(const char *type, bool empty_nan, const char *text, struct heddle_tensor *t) {
    const struct heddle_csv csv = {.file = "t.csv", .type = type, .empty_nan = empty_nan};
    bool ok = heddle_csv_read(context(), "t", &csv, text, strlen(text));
    snprintf(notes, sizeof notes, "%s", heddle_notes(context()));
    return ok && heddle_buffer_look(context(), "t", t);
}

static u64 state = 1;

static u32 below(u32 n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (u32)(state >> 33) % n;
}

/* A way to write a table. */
struct style {
    const char *separator, *line_end;
    bool names, remarks, ends, blanks, quotes, mark;
};

static struct style draw_style(void) {
    static const char *const separators[] = {",", ";", "\t", " ", "  \t "};
    static const char *const line_ends[] = {"\n", "\r\n", "\r"};
    struct style s = {.separator = separators[below(5)], .line_end = line_ends[below(3)]};
    s.names = below(2);
    s.remarks = below(2);
    s.ends = below(2) && *s.separator != ' ';
    s.blanks = below(2);
    s.quotes = below(2);
    s.mark = below(4) == 0;
    return s;
}

static void put_row(const struct style *s, char cell[][24], u32 n, struct buf *out) {
    bool padded = s->blanks && (*s->separator == ',' || *s->separator == ';');
    for (u32 i = 0; i < n; i++) {
        const char *quote = s->quotes && below(3) == 0 ? "\"" : "";
        buf_puts(out, i ? s->separator : "");
        buf_printf(out, "%s%s%s%s%s", padded && below(2) ? " \t" : "", quote, cell[i], quote,
                   padded && below(2) ? " " : "");
    }
    buf_puts(out, s->ends ? s->separator : "");
    buf_puts(out, s->remarks && below(4) == 0 ? " # 1,2;3" : "");
    buf_puts(out, s->line_end);
    if (s->remarks && below(4) == 0)
        buf_printf(out, "%s one, 2;%s", below(2) ? "//" : "%", s->line_end);
    buf_puts(out, s->blanks && below(4) == 0 ? s->line_end : "");
}

Test(delimited, tables_in_every_spelling) {
    for (u32 run = 0; run < 3000; run++) {
        struct style s = draw_style();
        SCOPED(buf_free) struct buf text = {0};
        char cell[8][24];
        u64 want[64];
        u32 rows = 1 + below(6), columns = 2 + below(6);
        struct heddle_tensor t;
        buf_puts(&text, s.mark ? "\xef\xbb\xbf" : "");
        buf_puts(&text, s.remarks ? "# made by a test" : "");
        buf_puts(&text, s.remarks ? s.line_end : "");
        for (u32 i = 0; i < columns; i++)
            snprintf(cell[i], sizeof cell[i], "n%c", 'a' + (int)i);
        if (s.names)
            put_row(&s, cell, columns, &text);
        for (u32 r = 0; r < rows; r++) {
            for (u32 i = 0; i < columns; i++) {
                u64 v = ((u64)below(1u << 31) << 33 ^ (u64)below(1u << 31) << 11 ^ below(1u << 31)) >> below(64);
                want[r * columns + i] = v;
                snprintf(cell[i], sizeof cell[i], below(3) ? "%llu" : "0x%llX", (unsigned long long)v);
            }
            put_row(&s, cell, columns, &text);
        }
        cr_assert(read_as("u64", false, text.data, &t), "%s%s", text.data, heddle_error(context()));
        cr_assert(t.count == rows * columns && (rows == 1 ? t.ndim == 1 : t.ndim == 2 && t.shape[0] == rows), "%s",
                  text.data);
        cr_assert(memcmp(t.data, want, t.bytes) == 0, "%s", text.data);
    }
}

Test(delimited, places_of_mistakes) {
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"1,,3\n4,5,6\n", "t.csv:1:3: error: an empty field"},
        {"1,2,\n4,5,6\n", "t.csv:1:5: error: an empty field"},
        {"1,2,3\n4,5,\n", "t.csv:2:5: error: an empty field"},
        {",2\n4,5\n", "t.csv:1:1: error: an empty field"},
        {"1,\"\"\n", "t.csv:1:3: error: an empty field"},
        {"1\t\t3\n", "t.csv:1:3: error: an empty field"},
        {"1,2,,\n3,4,,\n", "t.csv:1:5: error: an empty field"},
        {"1,2\n3\n", "t.csv:2:1: error: the line has 1 field, and line 1 has 2"},
        {"1,2\n3,4,5\n", "t.csv:2:5: error: the line has 3 fields, and line 1 has 2"},
        {"a,b,c\n1,2\n", "t.csv:1:1: error: 3 names, and line 2 has 2 fields"},
        {"a,b\n1,2\nc,4\n", "t.csv:3:1: error: f64 takes a number"},
        {"m,s\nkg,K\n1,2\n", "t.csv:2:1: error: f64 takes a number"},
        {"1,5;2,5\n", "t.csv:1:2: error: both ',' and ';' separate here"},
        {"1,5 2,5\n", "t.csv:1:4: error: both ',' and blanks separate here"},
        {"1,5\t2,5\n", "t.csv:1:4: error: both ',' and blanks separate here"},
        {"1 2\n3,5 4\n", "t.csv:2:1: error: '3,5': ',' does not separate here"},
        {"\"1,2\n3", "t.csv:1:1: error: quotes that do not end"},
        {"\"1\"2,3\n", "t.csv:1:4: error: expected a separator after the quotes"},
        {"1 \"2\"3\n", "t.csv:1:6: error: expected a blank after the quotes"},
        {"\xff\xfe"
         "1",
         "t.csv: error: the text is UTF-16"},
        {"", "t.csv: error: there is no number in it"},
        {"# x y z\n", "t.csv: error: there is no number in it"},
        {"x,y,z\n", "t.csv: error: there are names, and no number below them"},
    };
    struct heddle_tensor t;
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        cr_assert(!read_as("f64", false, cases[i].text, &t), "%s", cases[i].text);
        cr_assert(strncmp(heddle_error(context()), cases[i].says, strlen(cases[i].says)) == 0,
                  "%s\nexpected %s\ngot %s", cases[i].text, cases[i].says, heddle_error(context()));
    }
}

Test(delimited, zero_bytes_are_no_text) {
    const struct heddle_csv csv = {.file = "t.csv", .type = "f32"};
    cr_assert(!heddle_csv_read(context(), "t", &csv, "1\0,\0002\0", 6));
    cr_assert(strstr(heddle_error(context()), "byte 1 is 0"), "%s", heddle_error(context()));
}

Test(delimited, words_for_numbers) {
    struct heddle_tensor t;
    double v[8];
    cr_assert(read_as("f64", true, "NaN,inf\n-Infinity,+INF\n\"\",-1e400\n", &t) == false);
    cr_assert(strstr(heddle_error(context()), "t.csv:3:4: error: -1e400 is too large"), "%s", heddle_error(context()));
    cr_assert(read_as("f64", true, "NaN,inf\n-Infinity,+INF\n\"\",-1e308\n", &t) && t.count == 6);
    memcpy(v, t.data, t.bytes);
    cr_assert(v[0] != v[0] && v[1] > 1e308 && v[2] < -1e308 && v[3] > 1e308 && v[4] != v[4] && v[5] == -1e308);
    cr_assert(read_as("bool", false, "true,FALSE\n0,1\n", &t) && memcmp(t.data, "\1\0\0\1", 4) == 0);
    cr_assert(!read_as("i32", true, "1,\n2,3\n", &t));
    cr_assert(strstr(heddle_error(context()), "i32 has no NaN"));
}

Test(delimited, names_are_told) {
    struct heddle_tensor t;
    cr_assert(read_as("f32", false, "\"a \"\"b\"\"\",\"c\nd\"\n1,2\n3,4\n", &t) && t.ndim == 2 && t.shape[0] == 2);
    cr_assert_str_eq(notes, "t.csv: note: line 1 names the columns: a \"b\", c?d\n");
    cr_assert(read_as("f32", false, "a long name\n1\n2\n", &t) && t.count == 2);
    cr_assert_str_eq(notes, "t.csv: note: line 1 names the columns: a long name\n");
    cr_assert(read_as("f32", false, "1st,E2\n1,2\n", &t) && t.count == 2);
    cr_assert(read_as("f32", false, "1,2\n3,4\n", &t) && *notes == 0);
}
