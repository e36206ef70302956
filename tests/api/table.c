/* Is a table the same in text, CSV, Markdown and JSON, whatever stands in it and however narrow the terminal is? */
#include <criterion/criterion.h>
#include <string.h>

#include "sim/cli/format.h"
#include "sim/cli/json.h"
#include "sim/file/table.h"

static const struct table_column columns[] = {{"name", "name", TABLE_WORD},
                                              {"share_percent", "share", TABLE_NUMBER},
                                              {"", "", TABLE_BAR},
                                              {"meaning", "meaning", TABLE_PROSE}};

static struct table two_rows(void) {
    struct table t = {.name = "two", .column = columns, .columns = COUNT_OF(columns)};
    table_word(&t, "a,b|c");
    table_number(&t, 12.5, format_share(12.5, 100));
    table_bar(&t, format_bar(0.125, 8));
    table_word(&t, "says \"so\"");
    table_word(&t, "other");
    table_none(&t);
    table_bar(&t, format_bar(1, 8));
    table_word(&t, "one two three four five six seven eight nine ten");
    return t;
}

static void expect(struct table *t, struct buf *got, const char *want) {
    cr_assert(!got->failed && strcmp(got->data, want) == 0, "got:\n%swant:\n%s", got->data, want);
    buf_free(got);
    table_free(t);
}

Test(table, csv_quotes_what_needs_it) {
    struct table t = two_rows();
    struct buf out = {0};
    table_csv(&t, &out);
    expect(&t, &out,
           "name,share_percent,meaning\n"
           "\"a,b|c\",12.5,\"says \"\"so\"\"\"\n"
           "other,,one two three four five six seven eight nine ten\n");
}

Test(table, markdown_escapes_bars) {
    struct table t = two_rows();
    struct buf out = {0};
    table_markdown(&t, &out);
    expect(&t, &out,
           "| name | share | meaning |\n"
           "|---|---:|---|\n"
           "| a,b\\|c | 12.5 % | says \"so\" |\n"
           "| other | - | one two three four five six seven eight nine ten |\n");
}

Test(table, json_has_the_numbers) {
    SCOPED(table_free) struct table t = two_rows();
    json_t *all = json_table(&t);
    cr_assert_eq(json_array_size(all), 2);
    const json_t *first = json_array_get(all, 0), *second = json_array_get(all, 1);
    cr_assert_eq(json_number_value(json_object_get(first, "share_percent")), 12.5);
    cr_assert_str_eq(json_string_value(json_object_get(first, "name")), "a,b|c");
    cr_assert(json_is_null(json_object_get(second, "share_percent")));
    cr_assert_eq(json_object_size(first), 3);
    json_decref(all);
}

Test(table, text_folds_prose_and_leaves_out_bars) {
    struct table t = two_rows();
    struct buf out = {0};
    table_text(&t, 70, &out);
    expect(&t, &out,
           "  name    share              meaning\n"
           "  a,b|c  12.5 %  |#       |  says \"so\"\n"
           "  other       -  |########|  one two three four five six seven eight\n"
           "                             nine ten\n");
    t = two_rows();
    table_text(&t, 44, &out);
    expect(&t, &out,
           "  name    share  meaning\n"
           "  a,b|c  12.5 %  says \"so\"\n"
           "  other       -  one two three four five six\n"
           "                 seven eight nine ten\n");
}

Test(table, launches_are_a_column_of_files) {
    struct table t = {.name = "one", .column = columns, .columns = 2, .launch = 1};
    struct buf out = {0};
    table_word(&t, "x");
    table_number(&t, 0x1p40, grouped(1ull << 40));
    t.launch = 2;
    table_word(&t, "x");
    table_number(&t, 1.0 / 3, format_quotient(1, 3));
    table_csv(&t, &out);
    cr_expect_str_eq(out.data, "launch,name,share_percent\n1,x,1099511627776\n2,x,0.333333333333\n");
    out.len = 0;
    table_markdown(&t, &out);
    expect(&t, &out, "| launch | name | share |\n|---:|---|---:|\n| 1 | x | 1,099,511,627,776 |\n| 2 | x | 0.33 |\n");
}

Test(table, one_that_lacks_cells_is_not_written) {
    void (*const writers[])(const struct table *t, struct buf *out) = {table_csv, table_markdown};
    for (u32 i = 0; i < COUNT_OF(writers); i++) {
        SCOPED(table_free) struct table t = two_rows();
        SCOPED(buf_free) struct buf out = {0};
        t.texts.failed = true;
        writers[i](&t, &out);
        cr_expect(out.failed && out.len == 0);
    }
}

/* In text alone: a number that no row changes is left out, a line of source is cut, and no line is too wide. */
Test(table, text_has_what_varies_and_cuts_source) {
    static const struct table_column kinds[] = {{"a", "name", TABLE_WORD},
                                                {"b", "same", TABLE_VARIES},
                                                {"c", "changes", TABLE_VARIES},
                                                {"d", "source", TABLE_SOURCE}};
    SCOPED(table_free) struct table t = {.name = "kinds", .column = kinds, .columns = COUNT_OF(kinds)};
    for (u32 row = 0; row < 120; row++) {
        table_word(&t, row ? "x" : "names that are long");
        table_number(&t, 5, (struct short_text){"5"});
        table_number(&t, row, grouped(row));
        table_word(&t, "mad.lo.u32.of.one.long.word.without.a.blank r1, r2, r3, r4");
    }
    for (u32 width = 40; width < 110; width += 8) {
        SCOPED(buf_free) struct buf out = {0};
        table_text(&t, width, &out);
        cr_expect(strstr(out.data, "changes") && !strstr(out.data, "same"), "%u", width);
        cr_expect_eq(strstr(out.data, "r4") != NULL, width > 89, "%u", width);
        for (const char *line = out.data; *line; line += strcspn(line, "\n") + 1)
            cr_expect_leq(strcspn(line, "\n"), width, "%.*s", (int)strcspn(line, "\n"), line);
    }
}

/* Titles before cells, as that adds one line and not one a row; numbers stay whole. */
Test(table, words_are_broken_where_it_adds_fewest_lines) {
    static const struct table_column narrow[] = {{"a", "claim", TABLE_WORD},
                                                 {"b", "bytes of DRAM", TABLE_NUMBER},
                                                 {"c", "where", TABLE_BELOW}};
    struct table t = {.name = "narrow", .column = narrow, .columns = COUNT_OF(narrow)};
    struct buf out = {0};
    table_word(&t, "it is faster");
    table_number(&t, 5e6, (struct short_text){"5 MB"});
    table_word(&t, "at every width of a warp, and on every board");
    table_word(&t, "so");
    table_number(&t, 6e6, (struct short_text){"6 MB"});
    table_word(&t, "");
    table_text(&t, 28, &out);
    expect(&t, &out,
           "  claim             bytes of\n"
           "                        DRAM\n"
           "  it is faster          5 MB\n"
           "      at every width of a\n"
           "      warp, and on every board\n"
           "  so                    6 MB\n");
}

Test(table, texts_below_go_on_without_a_row) {
    static const struct table_column narrow[] = {{"a", "claim", TABLE_WORD}, {"c", "where", TABLE_BELOW}};
    static const char *const cells[] = {"it is faster", "here", "", "there", "it is smaller", ""};
    struct table t = {.name = "narrow", .column = narrow, .columns = COUNT_OF(narrow)};
    struct buf out = {0};
    for (size_t i = 0; i < COUNT_OF(cells); i++)
        table_word(&t, cells[i]);
    table_text(&t, 40, &out);
    expect(&t, &out, "  claim\n  it is faster\n      here\n      there\n  it is smaller\n");
}

/* No line is wider than the terminal, and every cell is in the text. */
Test(table, wide_tables_go_on_below) {
    static const struct table_column wide[] = {{"a", "key", TABLE_WORD},     {"b", "second", TABLE_NUMBER},
                                               {"c", "third", TABLE_NUMBER}, {"d", "fourth", TABLE_NUMBER},
                                               {"e", "fifth", TABLE_NUMBER}, {"f", "sixth", TABLE_NUMBER}};
    SCOPED(table_free) struct table t = {.name = "wide", .column = wide, .columns = COUNT_OF(wide)};
    for (u32 row = 0; row < 2; row++) {
        table_word(&t, "some name");
        for (u32 c = 1; c < t.columns; c++)
            table_number(&t, 1e9 + c + 10 * row, grouped(1000000000u + c + 10 * row));
    }
    for (u32 width = 30; width < 100; width++) {
        SCOPED(buf_free) struct buf out = {0};
        u32 most = 0;
        table_text(&t, width, &out);
        for (const char *line = out.data; *line; line += strcspn(line, "\n") + 1)
            most = strcspn(line, "\n") > most ? (u32)strcspn(line, "\n") : most;
        cr_assert_leq(most, width);
        for (u32 i = 0; i < 10; i++)
            cr_assert(strstr(out.data, grouped(1000000000u + i % 5 + 1 + 10 * (i / 5)).text));
    }
}

/* Longer than what is shown of a line elsewhere, with characters of two bytes around every place where it is parted. */
Test(table, lines_are_kept_and_nothing_is_cut) {
    static const struct table_column columns_of_lines[] = {{"n", "n", TABLE_NUMBER}, {"text", "text", TABLE_PROSE}};
    struct table t = {.column = columns_of_lines, .columns = COUNT_OF(columns_of_lines)};
    struct buf out = {0}, text = {0};
    for (u32 i = 0; i < 999; i++)
        buf_puts(&text, "\xc3\xa4");
    buf_puts(&text, "\n  two\n\n");
    table_none(&t);
    table_lines(&t, text.data);
    cr_assert_str_eq(table_cell_text(&t, 0, 1), text.data);
    table_free(&t);
    t = (struct table){.column = columns_of_lines, .columns = COUNT_OF(columns_of_lines)};
    table_none(&t);
    table_lines(&t, "one\n  indented\n\n\x01 last");
    table_markdown(&t, &out);
    cr_assert_str_eq(out.data, "| n | text |\n|---:|---|\n| - | one<br>  indented<br><br>? last |\n");
    out.len = 0;
    table_text(&t, 60, &out);
    buf_free(&text);
    expect(&t, &out,
           "  n  text\n"
           "  -  one\n"
           "       indented\n"
           "\n"
           "     ? last\n");
}

Test(table, a_long_word_is_whole) {
    static const struct table_column column[] = {{"name", "name", TABLE_WORD}};
    struct table t = {.name = "long", .column = column, .columns = COUNT_OF(column)};
    char word[1205] = "abc";
    for (size_t i = 3; i + 2 < sizeof word; i += 2) /* a character across what is printed at once */
        memcpy(word + i, "\u00e9", 2);
    table_word(&t, word);
    struct buf out = {0};
    table_csv(&t, &out);
    cr_assert_eq(strncmp(out.data, "name\nabc", 8), 0);
    cr_assert_eq(out.len, 5 + strlen(word) + 1);
    buf_free(&out);
    table_free(&t);
}
