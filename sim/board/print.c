/* A board as text: as the YAML that it could have been read from, and as the list of its keys. */
#include "sim/board/board.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/decimal.h"

enum { COMMENT_COLUMN = 34 };

/* "40", "42 assumed 28..84", "cggty" */
struct value_text {
    char text[4 * DECIMAL_TEXT];
};

static struct value_text value_text(const struct board *b, enum board_field field) {
    const struct board_field_row *row = &board_fields[field];
    const char *basis = basis_names[b->basis[field]];
    struct board_range range = board_range(b, field);
    double value = board_value(b, field);
    struct value_text t;
    if (row->kind == KIND_CHOICE)
        snprintf(t.text, sizeof t.text, "%s", row->option[(u32)value].name);
    else if (range.given)
        snprintf(t.text, sizeof t.text, "%s %s %s..%s", decimal_write(value).text, basis, decimal_write(range.low).text,
                 decimal_write(range.high).text);
    else
        snprintf(t.text, sizeof t.text, "%s%s%s", decimal_write(value).text, basis ? " " : "", basis ? basis : "");
    return t;
}

/* True for an assumed number without a range. */
static bool lacks_range(const struct board *b, enum board_field field) {
    return b->basis[field] == BASIS_ASSUMED && !board_range(b, field).given;
}

/* The names of a choice: "lrr, gto, cggty". */
static void put_choices(const struct board_field_row *row, struct buf *out) {
    for (u32 i = 0; i <= (u32)row->max; i++)
        buf_printf(out, "%s%s", i ? ", " : "", row->option[i].name);
}

/* " [h100.yaml:40; hbm3-5.2 has 26]": the origin, and the device's value where another one stands. */
static void put_origin(const struct board *b, enum board_field field, struct buf *out) {
    buf_printf(out, " [%s", b->origin[field]);
    if (board_device_differs(b, field))
        buf_printf(out, "; %s has %s", b->device.name, decimal_write(board_device_value(b, field)).text);
    buf_puts(out, "]\n");
}

static void print_device(const struct board *b, struct buf *out) {
    char line[80];
    snprintf(line, sizeof line, "  device: %s", b->device.name);
    buf_printf(out, "%-*s # memory device: what is in the stacks or chips [%s]\n", COMMENT_COLUMN, line,
               b->device_origin);
}

static void print_field(const struct board *b, enum board_field field, struct buf *out) {
    const struct board_field_row *row = &board_fields[field];
    const char *dot = strchr(row->key, '.');
    char line[240];
    snprintf(line, sizeof line, "%s%s: %s", dot ? "  " : "", dot ? dot + 1 : row->key, value_text(b, field).text);
    buf_printf(out, "%-*s # ", COMMENT_COLUMN, line);
    if (row->kind == KIND_CHOICE)
        put_choices(row, out);
    else
        buf_printf(out, "%s%s", row->unit, lacks_range(b, field) ? ", no range" : "");
    buf_printf(out, "%s%s", row->kind == KIND_CHOICE || *row->unit ? ": " : "", row->doc);
    put_origin(b, field, out);
}

/* Prints a name, in quotes if it contains anything that could mean something to YAML. */
static void print_name(const char *name, struct buf *out) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    bool quote = name[strspn(name, plain)] != 0 || strchr("_-", *name);
    buf_puts(out, quote ? "name: \"" : "name: ");
    for (; *name; name++)
        buf_printf(out, "%s%c", *name == '"' || *name == '\\' ? "\\" : "", *name);
    buf_puts(out, quote ? "\"\n" : "\n");
}

void board_print(const struct board *b, struct buf *out) {
    print_name(b->name, out);
    for (u32 s = 0; s < BOARD_SECTIONS; s++) {
        char head[40];
        snprintf(head, sizeof head, "%s:", board_sections[s].name);
        if (s != SECTION_top)
            buf_printf(out, "%-*s # %s\n", COMMENT_COLUMN, head, board_sections[s].doc);
        if (s == SECTION_dram && *b->device.name)
            print_device(b, out);
        for (u32 f = 0; f < BOARD_FIELDS; f++)
            if (board_fields[f].section == s && !board_field_fixed((enum board_field)f))
                print_field(b, (enum board_field)f, out);
    }
}

/* ---- keys ---- */

enum { KEY_COLUMN = 4, TEXT_COLUMN = 31, TEXT_WIDTH = 86 };

/* Prints a key and its text, in lines of at most TEXT_WIDTH. Indented by four, which Markdown shows as it is. */
static void put_entry(const char *key, const char *text, struct buf *out) {
    buf_printf(out, "%*s%-*s", KEY_COLUMN, "", TEXT_COLUMN - KEY_COLUMN, key);
    while (strlen(text) > TEXT_WIDTH) {
        int len = TEXT_WIDTH;
        while (len > 1 && text[len] != ' ')
            len--;
        buf_printf(out, "%.*s\n%*s", len, text, TEXT_COLUMN, "");
        text += len + (text[len] == ' ');
    }
    buf_printf(out, "%s\n", text);
}

static void print_key(const struct board_field_row *row, struct buf *out) {
    char text[400];
    if (row->kind == KIND_DERIVED)
        snprintf(text, sizeof text, "%s (%s, a peak; given together with what it scales it is refused)", row->doc,
                 row->unit);
    else if (row->kind != KIND_CHOICE)
        snprintf(text, sizeof text, "%s (%s%s to %s%s%s, default %s)", row->doc,
                 row->kind == KIND_POWER2 ? "a power of two from " : "", decimal_write(row->min).text,
                 decimal_write(row->max).text, *row->unit ? " " : "", row->unit, decimal_write(row->def).text);
    else
        snprintf(text, sizeof text, "%s (default %s):", row->doc, row->option[(u32)row->def].name);
    put_entry(row->key, text, out);
    for (u32 i = 0; row->option && i <= (u32)row->max; i++) {
        snprintf(text, sizeof text, "%-9s %s", row->option[i].name, row->option[i].doc);
        put_entry("", text, out);
    }
}

void board_print_keys(struct buf *out) {
    char head[40];
    put_entry("name", "what the board is called", out);
    put_entry("base",
              "another board, a file beside this one or one that ships, for all values that this file does not set",
              out);
    for (u32 s = 0; s < BOARD_SECTIONS; s++) {
        snprintf(head, sizeof head, "%s:", s == SECTION_top ? "no section" : board_sections[s].name);
        buf_puts(out, "\n");
        put_entry(head, board_sections[s].doc, out);
        buf_puts(out, "\n");
        if (s == SECTION_dram)
            put_entry(
                "dram.device",
                "memory device, a file devices/NAME.yaml beside this one or one that ships (heddle board devices), for "
                "what this file does not set",
                out);
        for (u32 f = 0; f < BOARD_KEYS; f++)
            if (board_fields[f].section == s && !board_field_fixed(f))
                print_key(&board_fields[f], out);
    }
}
