/* Is the range of a number read, kept, scaled and dropped as documented, and every mistake in one pointed at? */
#include "sim/board/board.h"
#include "sim/board/shipped.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static bool load(struct board *b, const char *text, struct buf *messages) {
    struct diag diag = {.file = "b.yaml", .source = text, .source_len = strlen(text)};
    board_default(b);
    bool ok = board_load(b, NULL, &(struct board_text){"b.yaml", text, strlen(text)}, &diag);
    diag_render(&diag, messages);
    return ok;
}

static void is(const char *text, enum board_field field, enum basis basis, struct board_range want) {
    struct board b;
    struct buf words = {0};
    cr_assert(load(&b, text, &words), "%s: %s", text, words.data);
    struct board_range got = board_range(&b, field);
    cr_assert_eq(b.basis[field], basis, "%s", text);
    cr_assert(got.low == want.low && got.high == want.high && got.given == want.given, "%s: %g to %g", text, got.low,
              got.high);
    buf_free(&words);
}

Test(board_ranges, forms) {
    is("energy:\n  l1: 42 assumed 28..84\n", BOARD_energy_l1, BASIS_ASSUMED, (struct board_range){28, 84, true});
    is("energy:\n  l1: 42   derived\t28..84.5 # why\n", BOARD_energy_l1, BASIS_DERIVED,
       (struct board_range){28, 84.5, true});
    is("energy.l1: \"42 measured 42..42\"\n", BOARD_energy_l1, BASIS_MEASURED, (struct board_range){42, 42, true});
    is("energy.l1: 42 28..84\n", BOARD_energy_l1, BASIS_ASSUMED, (struct board_range){28, 84, true});
    is("energy.l1: 42 pJ assumed 28..84\n", BOARD_energy_l1, BASIS_ASSUMED, (struct board_range){28, 84, true});
    is("energy.l1: 0 0..0\n", BOARD_energy_l1, BASIS_ASSUMED, (struct board_range){0, 0, true});
    is("energy.l1: 42\n", BOARD_energy_l1, BASIS_ASSUMED, (struct board_range){42, 42, false});
    is("sms: 4\n", BOARD_energy_l1, BASIS_ASSUMED, (struct board_range){102, 420, true}); /* the default's */
    is("power.sm_w: 0.3 assumed 0.1..0.5\n", BOARD_power_sm_w, BASIS_ASSUMED, (struct board_range){0.1, 0.5, true});
    is("sms: 4 derived\n", BOARD_top_sms, BASIS_DERIVED, (struct board_range){4, 4, false});
    is("sms: 4\n", BOARD_top_sms, BASIS_NONE, (struct board_range){4, 4, false});
    is("l2.bytes: 6 MiB assumed 1048576..8388608\n", BOARD_l2_bytes, BASIS_ASSUMED,
       (struct board_range){1048576, 8388608, true});
}

static void refused(const char *value, const char *message) {
    struct board b;
    struct buf words = {0};
    char text[80];
    snprintf(text, sizeof text, "energy.l1: %s\n", value);
    cr_assert(!load(&b, text, &words), "was taken: %s", text);
    cr_assert(strstr(words.data, message), "expected: %s\ngot: %s", message, words.data);
    buf_free(&words);
}

/* Draws keep to their ranges, half of them on each side of the value, and leave the other values alone. */
Test(board_ranges, draws) {
    const char *text = "l1.loads: 128 assumed 64..512\nsms: 4\nenergy.l1: 42 0..84\ntlb.page_bytes: 4096 4096..65536\n";
    struct buf words = {0};
    u32 below = 0, draws = 2000, outer = 0;
    for (u32 k = 0; k <= draws; k++) {
        struct board b, again;
        cr_assert(load(&b, text, &words) && load(&again, text, &words), "%s", words.data);
        b.draw = again.draw = k;
        board_draw(&b);
        board_draw(&again);
        cr_assert(memcmp(&b, &again, sizeof b) == 0, "draw %u is not the same twice", k);
        cr_assert(k || (b.l1.loads == 128 && b.range[BOARD_l1_loads].given), "draw 0 is the board");
        cr_assert(b.sms == 4 && b.l1.loads >= 64 && b.l1.loads <= 512 && b.energy[ENERGY_l1] <= 84);
        cr_assert(b.tlb.page_bytes >= 4096 && b.tlb.page_bytes <= 65536 &&
                  (b.tlb.page_bytes & (b.tlb.page_bytes - 1)) == 0);
        cr_assert(!k || !b.range[BOARD_l1_loads].given);
        below += k && b.l1.loads < 128;
        outer += b.l1.loads < 91 || b.l1.loads > 256; /* half of each side, by ratio */
    }
    cr_assert(below > 0.46 * draws && below < 0.52 * draws, "%u below", below);
    cr_assert(outer > 0.46 * draws && outer < 0.54 * draws, "%u in the outer halves", outer);
    buf_free(&words);
}

/* Ranges of a shipped board belong together: no draw breaks a rule between values. */
Test(board_ranges, draws_of_shipped_boards_are_boards) {
    for (u32 i = 0; i < board_shipped_count; i++) {
        struct board shipped;
        struct diag diag = {.file = board_shipped[i].name};
        board_default(&shipped);
        cr_assert(board_load(&shipped, NULL, &(struct board_text){board_shipped[i].name, NULL, 0}, &diag));
        for (u32 k = 1; k <= 500; k++) {
            struct board b = shipped;
            b.draw = k;
            board_draw(&b);
            cr_assert(board_check(&b, &diag), "%s, draw %u: %s", board_shipped[i].name, k, diag.message[0].text);
        }
    }
}

Test(board_ranges, mistakes) {
    refused("42 assumed 84..28", "b.yaml:1:23: error: energy.l1: the range begins above its end; did you mean 28..84?\n"
                                 "     1 | energy.l1: 42 assumed 84..28\n"
                                 "       |                       ^~~~~~\n");
    refused("42 assumed 43..84", "b.yaml:1:23: error: energy.l1 is 42, which is outside of its range, 43..84");
    refused("42 0..41.5", "energy.l1 is 42, which is outside of its range, 0..41.5");
    refused("42 assumd 28..84", "b.yaml:1:15: error: energy.l1: a number is measured, derived, fitted or assumed, not "
                                "'assumd'; did you mean 'assumed'?");
    refused("nan assumed 28..84", "b.yaml:1:12: error: energy.l1 must be a number (pJ, 0 to 1000000), not 'nan'");
    refused("000000000000000000000000000000000000000000000000000042 28..84",
            "must be a number (pJ, 0 to 1000000), not");
    refused("42 28..2000000", "b.yaml:1:15: error: energy.l1 is 2000000; it must be 0 to 1000000 pJ");
    refused("\"42 84..28\"", "b.yaml:1:12: error: energy.l1: the range begins above its end");
    static const char *const malformed[] = {"28..",      "..84",           "28...84",  "28..nan",    "-1..84",
                                            "28..inf",   "28-84",          "28 .. 84", "28..84..99", "28..84x",
                                            "28..84 pJ", "28..84 assumed", "7"};
    for (u32 i = 0; i < COUNT_OF(malformed); i++) {
        char value[60], message[120];
        snprintf(value, sizeof value, "42 assumed %s", malformed[i]);
        snprintf(message, sizeof message,
                 "b.yaml:1:23: error: energy.l1: a range is LOW..HIGH, such as 28..84 in pJ, "
                 "not '%s'",
                 malformed[i]);
        refused(value, message);
    }
}

Test(board_ranges, whole_numbers_have_whole_ranges) {
    struct board b;
    struct buf words = {0};
    cr_assert(!load(&b, "sms: 4 assumed 1..8.5\n", &words) && strstr(words.data, "a range is LOW..HIGH"));
    cr_assert(!load(&b, "sms: 4 assumed 0..8\n", &words) && strstr(words.data, "sms is 0; it must be 1 to 4096 SMs"));
    cr_assert(!load(&b, "sm.policy: gto 1..2\n", &words) && strstr(words.data, "sm.policy is one of"));
    cr_assert(!load(&b, "dram.gbs: 900 800..1000\n", &words) && strstr(words.data, "must be a number of GB/s"));
    buf_free(&words);
}

/* A number that is set has the range that is given with it; a multiple takes the range along. */
Test(board_ranges, overrides) {
    static const struct {
        const char *set;
        enum basis basis;
        struct board_range range;
    } cases[] = {
        {"energy.l1=200", BASIS_ASSUMED, {200, 200, false}},
        {"energy.l1=200 derived 100..300", BASIS_DERIVED, {100, 300, true}},
        {"energy.l1=0.5x", BASIS_ASSUMED, {50, 150, true}},
        {"energy.l2=0.5x", BASIS_ASSUMED, {40, 40, false}},
    };
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        struct board b;
        struct buf words = {0};
        struct diag diag = {.file = "set"};
        enum board_field field = strstr(cases[i].set, "l1") ? BOARD_energy_l1 : BOARD_energy_l2;
        cr_assert(load(&b, "energy:\n  l1: 200 derived 100..300\n  l2: 80 measured\n", &words));
        cr_assert(board_set(&b, cases[i].set, &diag), "%s: %s", cases[i].set, diag.message[0].text);
        struct board_range got = board_range(&b, field);
        cr_assert(b.basis[field] == cases[i].basis && got.low == cases[i].range.low &&
                      got.high == cases[i].range.high && got.given == cases[i].range.given,
                  "%s: %g..%g", cases[i].set, got.low, got.high);
        buf_free(&words);
    }
}

/* A peak that is set scales a field, whose range no longer holds. */
Test(board_ranges, a_scaled_field_has_none) {
    struct board b;
    struct buf words = {0};
    struct diag diag = {.file = "set"};
    cr_assert(load(&b, "dram.clock_mhz: 1000 assumed 900..1100\n", &words));
    cr_assert(board_range(&b, BOARD_dram_clock_mhz).given && board_set(&b, "dram.gbs=2x", &diag));
    cr_assert(!board_range(&b, BOARD_dram_clock_mhz).given && b.dram.clock_mhz == 2000);
    buf_free(&words);
}

Test(board_ranges, are_printed_with_the_number_and_missed_where_it_is_assumed) {
    struct board b;
    struct buf words = {0}, text = {0};
    cr_assert(load(&b, "energy: {l1: 42 assumed 28..84, l2: 5, dram: 7 derived}\n", &words));
    board_print(&b, &text);
    cr_assert(strstr(text.data, "  l1: 42 assumed 28..84            # pJ: a sector"), "%s", text.data);
    cr_assert(strstr(text.data, "  l2: 5 assumed                    # pJ, no range: a sector"));
    cr_assert(strstr(text.data, "  dram: 7 derived                  # pJ: a burst"));
    buf_free(&text);
    buf_free(&words);
}
