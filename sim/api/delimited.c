#include "sim/api/delimited.h"

#include <string.h>

#include "sim/api/scalar.h"

enum { NUMBER_MOST = 1100 }; /* characters of a number: an fp64 has 767 digits at most, an integer 64 */

/* ---- characters ---- */

static char peek(const struct delimited *d) {
    return d->at < d->len ? d->text[d->at] : 0;
}

static bool line_ends(const struct delimited *d) {
    return d->at >= d->len || d->text[d->at] == '\n' || d->text[d->at] == '\r';
}

static void end_line(struct delimited *d) {
    while (!line_ends(d))
        d->at++;
    bool two = peek(d) == '\r' && d->at + 1 < d->len && d->text[d->at + 1] == '\n';
    d->at += d->at < d->len ? two ? 2 : 1 : 0;
    d->line_start = d->at;
    d->line++;
}

static void skip_blanks(struct delimited *d) {
    while (d->at < d->len && (d->text[d->at] == ' ' || (d->text[d->at] == '\t' && d->separator != '\t')))
        d->at++;
}

static bool in_remark(const struct delimited *d) {
    return !d->words && peek(d) == '#' && (d->at == d->line_start || strchr(" \t", d->text[d->at - 1]));
}

static u32 column_of(const struct delimited *d, size_t at) {
    return (u32)(at - d->line_start) + 1;
}

static struct span span_of(const struct field *f) {
    return (struct span){f->line, f->col, f->len + (f->quoted ? 2 : 0)};
}

/* ---- fields ---- */

static bool take_quoted(struct delimited *d, struct field *f) {
    size_t start = ++d->at;
    u32 line = d->line;
    f->quoted = true;
    for (; d->at < d->len; d->at++) {
        if (d->text[d->at] == '"' && d->at + 1 < d->len && d->text[d->at + 1] == '"')
            d->at++;
        else if (d->text[d->at] == '"')
            break;
        else if (d->text[d->at] == '\n') {
            line++;
            d->line_start = d->at + 1; /* the caret stays on the line where the field begins */
        }
    }
    f->text = d->text + start;
    f->len = (u32)(d->at - start);
    if (d->at == d->len)
        return diag_error(&d->diag, (struct span){f->line, f->col, 1}, "quotes that do not end");
    d->line = line;
    d->at++;
    bool blank = peek(d) == ' ' || peek(d) == '\t';
    if (d->separator != ' ')
        skip_blanks(d);
    if (line_ends(d) || in_remark(d) || (d->separator == ' ' ? blank : peek(d) == d->separator))
        return true;
    return diag_error(&d->diag, (struct span){d->line, column_of(d, d->at), 1}, "expected %s after the quotes",
                      d->separator == ' ' ? "a blank" : "a separator");
}

static void take_plain(struct delimited *d, struct field *f) {
    size_t start = d->at, end = start;
    for (; !line_ends(d) && !in_remark(d); d->at++) {
        char c = d->text[d->at];
        bool blank = c == ' ' || c == '\t';
        if (c == d->separator || (d->separator == ' ' && blank))
            break;
        end = blank ? end : d->at + 1;
    }
    f->text = d->text + start;
    f->len = (u32)(end - start);
}

/* Splits the line at `at` into d->row and moves to the next line. False after an error in it. */
static bool split(struct delimited *d) {
    bool ok = true, more = true;
    d->row.len = 0;
    while (ok && more) {
        skip_blanks(d);
        bool ended = line_ends(d) || in_remark(d);
        if (ended && d->separator == ' ')
            break;
        struct field *f = buf_push(&d->row, sizeof *f);
        if (!f) {
            d->failed = true;
            return false;
        }
        *f = (struct field){.line = d->line, .col = column_of(d, d->at)};
        if (peek(d) == '"' && !ended)
            ok = take_quoted(d, f);
        else
            take_plain(d, f);
        more = d->separator == ' ' || (peek(d) == d->separator && !line_ends(d));
        d->at += more && d->separator != ' ';
    }
    end_line(d);
    return ok;
}

static u32 count(const struct buf *fields) {
    return (u32)(fields->len / sizeof(struct field));
}

const struct field *delimited_fields(const struct delimited *d) {
    return (const struct field *)(const void *)d->row.data;
}

const struct field *delimited_names(const struct delimited *d) {
    return d->names.len ? (const struct field *)(const void *)d->names.data : NULL;
}

static bool last_is_empty(const struct delimited *d) {
    u32 n = count(&d->row);
    return n > 1 && delimited_fields(d)[n - 1].len == 0 && !delimited_fields(d)[n - 1].quoted;
}

/* ---- lines ---- */

/* Finds the next line that is no remark and not empty; false at the end. */
static bool find_line(struct delimited *d) {
    while (d->at < d->len) {
        skip_blanks(d);
        bool slashes = d->len - d->at >= 2 && memcmp(d->text + d->at, "//", 2) == 0;
        size_t marks = peek(d) == '#' || peek(d) == '%' ? 1 : slashes ? 2 : 0;
        if (!line_ends(d) && (!marks || d->words)) {
            d->at = d->line_start;
            return true;
        }
        size_t start = d->at + marks;
        u32 line = d->line, col = column_of(d, start);
        while (!line_ends(d))
            d->at++;
        if (marks)
            d->remark = (struct field){d->text + start, (u32)(d->at - start), line, col, false};
        end_line(d);
    }
    return false;
}

/* Positions of the first separator of each kind in a line; SIZE_MAX = none. */
struct survey {
    size_t comma, semicolon, tab, blank;
};

static struct survey look(const struct delimited *d) {
    struct delimited line = *d;
    struct survey s = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    size_t tab = SIZE_MAX, blank = SIZE_MAX; /* since the last field or separator */
    bool quoted = false, ended = false;      /* whether a field has ended before */
    for (; line.at < line.len && (quoted || !(line_ends(&line) || in_remark(&line))); line.at++) {
        char c = line.text[line.at];
        if (!quoted && (c == ' ' || c == '\t')) {
            tab = ended && c == '\t' && tab == SIZE_MAX ? line.at : tab;
            blank = ended && blank == SIZE_MAX ? line.at : blank;
            continue;
        }
        bool separates = !quoted && (c == ',' || c == ';');
        quoted ^= c == '"';
        if (!separates && tab != SIZE_MAX && s.tab == SIZE_MAX)
            s.tab = tab;
        else if (!separates && tab == SIZE_MAX && blank != SIZE_MAX && s.blank == SIZE_MAX)
            s.blank = blank;
        if (separates && c == ',' && s.comma == SIZE_MAX)
            s.comma = line.at;
        if (separates && c == ';' && s.semicolon == SIZE_MAX)
            s.semicolon = line.at;
        tab = blank = SIZE_MAX;
        ended = !separates;
    }
    if (tab != SIZE_MAX && s.tab == SIZE_MAX && s.comma == SIZE_MAX && s.semicolon == SIZE_MAX)
        s.tab = tab; /* followed by nothing */
    return s;
}

static char separator_of(const struct survey *s) {
    if (s->semicolon != SIZE_MAX)
        return ';';
    if (s->comma != SIZE_MAX)
        return ',';
    return s->tab != SIZE_MAX && s->blank == SIZE_MAX ? '\t' : ' ';
}

/* Finds the separator of the fields of the line at `at`. False if it is not clear. */
static bool find_separator(struct delimited *d) {
    struct survey s = look(d);
    size_t blank = s.blank < s.tab ? s.blank : s.tab;
    d->separator = d->words ? ',' : separator_of(&s);
    if (d->words || d->separator == ' ' || d->separator == '\t')
        return true;
    if (s.comma != SIZE_MAX && s.semicolon != SIZE_MAX)
        diag_error(&d->diag, (struct span){d->line, column_of(d, s.comma), 1},
                   "both ',' and ';' separate here; if ',' is a decimal comma, write points: 1.5;2.5");
    else if (blank != SIZE_MAX)
        diag_error(&d->diag, (struct span){d->line, column_of(d, blank), 1},
                   "both '%c' and blanks separate here; if ',' is a decimal comma, write points: 1.5 2.5",
                   d->separator);
    return !d->diag.errors;
}

/* ---- names ---- */

/*
 * Counts the letters of a text, without those of exponents unless it begins with them. Characters from U+0080 to U+00BF
 * and from U+2000 to U+2FFF are no letters: the minus sign, the euro, no-break spaces.
 */
static u32 letters_of(const char *word) {
    u32 n = (*word | 32) == 'e';
    for (const char *c = word; *c; c++) {
        u8 byte = (u8)*c;
        if (byte == 0xc2 || byte == 0xe2)
            c += (c[1] != 0) + (byte == 0xe2 && c[1] && c[2]);
        else
            n += byte >= 0x80 || ((byte | 32) >= 'a' && (byte | 32) <= 'z' && (byte | 32) != 'e');
    }
    return n;
}

/* True if a field is a value, or looks like one: digits without a word. */
static bool is_value(const struct delimited *d, const struct field *f) {
    char word[NUMBER_MOST + 1];
    struct reason why;
    u64 bits;
    if (!f->len || f->len > NUMBER_MOST)
        return false;
    memcpy(word, f->text, f->len);
    word[f->len] = 0;
    return (strpbrk(word, "0123456789") && !letters_of(word)) || scalar_from_text(d->type, word, &bits, &why) ||
           scalar_from_text(ET_F64, word, &bits, &why);
}

/* True if a field may be a name: it stands for no missing value and no truth value. */
static bool may_be_name(const struct field *f) {
    static const char *const others[] = {"NA",   "N/A",  "n/a",  "#N/A",  "null",  "NULL",  "None",
                                         "true", "True", "TRUE", "false", "False", "FALSE", "nil"};
    bool letter = false;
    for (u32 i = 0; i < f->len; i++)
        letter |= (u8)f->text[i] >= 0x80 || ((f->text[i] | 32) >= 'a' && (f->text[i] | 32) <= 'z');
    for (u32 i = 0; i < COUNT_OF(others); i++)
        letter &= f->len != strlen(others[i]) || memcmp(f->text, others[i], f->len) != 0;
    return letter;
}

/* Reads the line at `at`; true if it has names and no number. */
static bool names_only(struct delimited *d) {
    struct survey s = look(d);
    bool some = false, none = true;
    d->separator = separator_of(&s);
    if (d->words || !split(d))
        return false;
    for (u32 i = 0; i < count(&d->row); i++) {
        some |= may_be_name(&delimited_fields(d)[i]);
        none &= !is_value(d, &delimited_fields(d)[i]);
    }
    return some && none;
}

/* Keeps the fields as names, without the commas between words that blanks separate. */
static void keep_names(struct delimited *d, const struct buf *row) {
    buf_append(&d->names, row->data, row->len);
    struct field *name = (struct field *)(void *)d->names.data;
    for (u32 i = 0; i < count(&d->names); i++)
        while (name[i].len && !name[i].quoted && strchr(",;", name[i].text[name[i].len - 1]))
            name[i].len--;
    d->failed |= d->names.failed;
}

/* Takes names from the remark above the first row, if it has one for each column, and no number. */
static void names_from_remark(struct delimited *d) {
    struct delimited line = {.text = d->remark.text, .len = d->remark.len, .type = d->type};
    if (names_only(&line) && count(&line.row) == d->columns)
        keep_names(d, &line.row);
    buf_free(&line.row);
}

/* Takes names from the line at `at`, once d->columns and the separator are known. */
static void names_from_line(struct delimited *d) {
    char separator = d->separator;
    u32 line = d->line;
    if (d->columns == 1 && separator == ' ') {
        skip_blanks(d);
        d->separator = '\n'; /* keeps several words as one name */
    }
    split(d);
    d->separator = separator;
    u32 n = count(&d->row);
    if (n == d->columns + 1 && d->ends && last_is_empty(d))
        d->row.len -= sizeof(struct field);
    else if (n != d->columns && !d->diag.errors)
        diag_error(&d->diag, (struct span){line, 1, 1}, "%u name%s, and line %u has %u field%s", n, n == 1 ? "" : "s",
                   d->first, d->columns, d->columns == 1 ? "" : "s");
    keep_names(d, &d->row);
}

/* ---- the table ---- */

/* True if the text is UTF-8, as far as its first bytes show. */
static bool is_text(struct delimited *d) {
    static const char mark[] = "\xef\xbb\xbf";
    bool wide = d->len >= 2 && (memcmp(d->text, "\xff\xfe", 2) == 0 || memcmp(d->text, "\xfe\xff", 2) == 0);
    const char *nul = d->len ? memchr(d->text, 0, d->len) : NULL;
    d->line++;
    if (wide)
        diag_error(&d->diag, (struct span){0}, "the text is UTF-16; save it as UTF-8");
    else if (nul)
        diag_error(&d->diag, (struct span){0}, "byte %zu is 0: this is no text, or UTF-16; save it as UTF-8",
                   (size_t)(nul - d->text));
    if (d->len >= 3 && memcmp(d->text, mark, 3) == 0)
        d->at = d->line_start = 3;
    if (d->len >= d->at + 6 && memcmp(d->text + d->at, "sep=", 4) == 0 && strchr("\r\n", d->text[d->at + 5]))
        end_line(d); /* a line for Excel that names the separator */
    return !wide && !nul;
}

/* A place to return to. */
struct place {
    size_t at, line_start;
    u32 line;
};

static struct place here(const struct delimited *d) {
    return (struct place){d->at, d->line_start, d->line};
}

static void go(struct delimited *d, struct place p) {
    d->at = p.at;
    d->line_start = p.line_start;
    d->line = p.line;
}

/* True if each line from here on ends with its last separator; does not move. */
static bool all_end(struct delimited *d, u32 fields) {
    struct place start = here(d);
    struct diag diag = d->diag;
    bool ends = true;
    while (ends && find_line(d))
        ends = split(d) && count(&d->row) == fields && last_is_empty(d);
    d->diag = diag;
    go(d, start);
    return ends;
}

bool delimited_open(struct delimited *d) {
    if (!is_text(d) || !find_line(d))
        return !d->diag.errors;
    struct place names = here(d);
    bool named = names_only(d);
    if (d->diag.errors)
        return false;
    d->named = named ? names.line : 0;
    if (!named)
        go(d, names);
    else if (!find_line(d))
        return true;
    struct place rows = here(d);
    struct field remark = d->remark;
    if (!find_separator(d) || !split(d))
        return false;
    u32 fields = count(&d->row);
    bool ends = last_is_empty(d);
    go(d, rows);
    d->first = rows.line;
    d->ends = ends && !d->words && all_end(d, fields);
    d->columns = fields - d->ends;
    d->remark = remark;
    if (named) {
        go(d, names);
        names_from_line(d);
    } else if (!d->words) {
        names_from_remark(d);
    }
    go(d, rows);
    return !d->diag.errors && !d->failed;
}

bool delimited_row(struct delimited *d) {
    while (d->columns && d->diag.kept < DIAG_MAX && !d->failed && find_line(d)) {
        if (!split(d))
            continue;
        u32 n = count(&d->row);
        n -= d->ends && n == d->columns + 1 && last_is_empty(d);
        if (n == d->columns)
            return true;
        diag_error(&d->diag, span_of(&delimited_fields(d)[n > d->columns ? d->columns : 0]),
                   "the line has %u field%s, and line %u has %u", n, n == 1 ? "" : "s", d->first, d->columns);
    }
    return false;
}

void delimited_close(struct delimited *d) {
    buf_free(&d->names);
    buf_free(&d->row);
}

/* ---- what a field holds ---- */

void field_put(const struct field *f, struct buf *out) {
    for (u32 i = 0; i < f->len; i++) {
        buf_putc(out, f->text[i]);
        i += f->quoted && f->text[i] == '"';
    }
}

bool field_is_pattern(const struct field *f) {
    u32 at = f->len && strchr("+-", f->text[0]) ? 1 : 0;
    return f->len > at + 1 && f->text[at] == '0' && strchr("xXbB", f->text[at + 1]);
}

bool field_value(struct delimited *d, const struct field *f, bool empty_nan, u64 *bits) {
    const struct float_spec *format = etype_float_format(d->type);
    char word[NUMBER_MOST + 1];
    struct reason why;
    if (!f->len && empty_nan && format) {
        *bits = float_nan(format);
        return true;
    }
    if (!f->len)
        diag_error(&d->diag, span_of(f), "an empty field; %s",
                   format ? "the option empty=nan reads it as NaN" : "a number is expected");
    else if (f->len > NUMBER_MOST)
        diag_error(&d->diag, span_of(f), "a number of %u characters; at most %d are read", f->len, NUMBER_MOST);
    if (!f->len || f->len > NUMBER_MOST)
        return false;
    memcpy(word, f->text, f->len);
    word[f->len] = 0;
    if (scalar_from_text(d->type, word, bits, &why))
        return true;
    const char *other = f->quoted ? NULL : strpbrk(word, ",;");
    if (other)
        diag_error(&d->diag, span_of(f), "'%.60s': '%c' does not separate here, and numbers have points", word, *other);
    else
        diag_error(&d->diag, span_of(f), "%s", why.text);
    return false;
}
