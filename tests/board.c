/* Is a board description read as it is meant, and every mistake in one pointed at? */
#include "sim/board/board.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const char *no_file(void *ctx, const char *name, size_t *len) {
    static const char base[] = "name: base\nsms: 4\nwarp_width: 16\n", loop[] = "base: loop.yaml\n",
                      bad[] = "sms: many\n";
    const char *text = strcmp(name, "base.yaml") == 0 ? base : strcmp(name, "loop.yaml") == 0 ? loop : NULL;
    (void)ctx;
    if (strcmp(name, "bad.yaml") == 0)
        text = bad;
    *len = text ? strlen(text) : 0;
    return text;
}

static bool load(struct board *b, const char *text, struct buf *messages) {
    static const struct board_source source = {no_file, NULL};
    struct diag diag = {.file = "b.yaml", .source = text, .source_len = strlen(text)};
    board_default(b);
    bool ok = board_load(b, &source, "b.yaml", text, strlen(text), &diag);
    diag_render(&diag, messages);
    return ok;
}

static void refused(const char *text, const char *message) {
    struct board b;
    struct buf words = {0};
    cr_assert(!load(&b, text, &words), "was taken: %s", text);
    cr_assert(words.data && strstr(words.data, message), "expected: %s\ngot: %s", message,
              words.data ? words.data : "");
    buf_free(&words);
}

Test(board, values_and_their_origin) {
    struct board b;
    struct buf words = {0};
    cr_assert(load(&b, "name: half # a comment\nsms: 7\nbase: base.yaml\n", &words), "%s", words.data);
    cr_assert(strcmp(b.name, "half") == 0);
    cr_assert(b.sms == 7 && b.warp_width == 16 && b.max_threads_per_block == 1024);
    cr_assert(strcmp(b.origin[BOARD_top_sms], "b.yaml:2") == 0, "%s", b.origin[BOARD_top_sms]);
    cr_assert(strcmp(b.origin[BOARD_top_warp_width], "base.yaml:3") == 0, "%s", b.origin[BOARD_top_warp_width]);
    cr_assert(strcmp(b.origin[BOARD_top_max_threads_per_block], "default") == 0);
    buf_free(&words);
}

/* Every number takes its limits and refuses what is one beyond, with its key, range and unit in the message. */
Test(board, limits_of_every_field) {
    for (u32 f = 0; f < BOARD_FIELDS; f++) {
        const struct board_field_row *row = &board_fields[f];
        const long long tries[] = {(long long)row->min, (long long)row->max, (long long)row->max + 1,
                                   (long long)row->min - 1};
        cr_assert(row->key && row->unit && row->doc && *row->doc, "row %u", f);
        cr_assert(row->min <= row->def && row->def <= row->max, "%s", row->key);
        for (u32 k = 0; k < 4 && row->kind != KIND_CHOICE; k++) {
            struct board b;
            struct diag diag = {.file = "x"};
            char text[80], range[80];
            board_default(&b);
            snprintf(text, sizeof text, "%s=%lld", row->key, tries[k]);
            snprintf(range, sizeof range, "%lld to %lld", (long long)row->min, (long long)row->max);
            bool ok = board_set(&b, text, &diag);
            cr_assert(ok == (k < 2), "%s", text);
            cr_assert(!ok || board_value(&b, (enum board_field)f) == (double)tries[k], "%s", text);
            if (ok)
                continue;
            const char *said = diag.message[0].text;
            cr_assert(strstr(said, row->key) != NULL, "%s: %s", text, said);
            cr_assert(row->min == row->max || (strstr(said, range) && strstr(said, row->unit)), "%s: %s", text, said);
        }
    }
}

/* What is printed loads to the same board. */
Test(board, print_and_load_is_the_identity) {
    struct board b, again;
    struct buf text = {0}, words = {0};
    cr_assert(load(&b, "name: x\nsms: 9\nwarp_width: 64\nmax_shared_per_block: 0\n", &words));
    board_print(&b, &text);
    cr_assert(load(&again, text.data, &words), "%s", words.data);
    cr_assert(strcmp(again.name, "x") == 0);
    for (u32 f = 0; f < BOARD_FIELDS; f++)
        cr_assert(board_value(&b, (enum board_field)f) == board_value(&again, (enum board_field)f), "%s",
                  board_fields[f].key);
    buf_free(&text);
    buf_free(&words);
}

Test(board, mistakes) {
    refused("sms: 4\nwarp_with: 32\n", "b.yaml:2:1: error: unknown key 'warp_with'; did you mean 'warp_width'?\n"
                                       "     2 | warp_with: 32\n       | ^~~~~~~~~\n");
    refused("sms: 4\nsms: 5\n", "b.yaml:2:1: error: 'sms' stands here for the second time, first in line 1");
    refused("warp_width: 24\n", "b.yaml:1:13: error: warp_width is 24; it must be a power of two from 8 to 64");
    refused("sms: 4097\n", "sms is 4097; it must be 1 to 4096 SMs");
    refused("sms: -1\n", "sms must be a whole number (SMs, 1 to 4096), not '-1'");
    refused("sms: [1, 2]\n", "'sms' must be a single value");
    refused("- sms\n", "a board is a list of 'key: value' lines");
    refused("", "a board is a list of 'key: value' lines");
    refused("a: b: c\n", "b.yaml:1:5: error: mapping values are not allowed in this context");
    refused("base: none.yaml\n", "there is no board file 'none.yaml' beside this one");
    refused("base: bad.yaml\n", "b.yaml:1:7: error: bad.yaml:1:6: sms must be a whole number");
    refused("base: loop.yaml\n", "does one build on itself?");
    refused("? [a]\n: 1\n", "a key must be a word");
}
