/* Is a board description read as it is meant, and every mistake in one pointed at? */
#include "sim/board/board.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/decimal.h"
#include "sim/board/shipped.h"

static const char *no_file(void *ctx, const char *name, size_t *len) {
    static const char base[] = "name: base\nsms: 4\nwarp_width: 16\n", loop[] = "base: loop.yaml\n",
                      bad[] = "sms: many\n", gbs[] = "dram.gbs: 100\n";
    const char *text = strcmp(name, "base.yaml") == 0 ? base : strcmp(name, "loop.yaml") == 0 ? loop : NULL;
    (void)ctx;
    if (strcmp(name, "bad.yaml") == 0)
        text = bad;
    if (strcmp(name, "gbs.yaml") == 0)
        text = gbs;
    *len = text ? strlen(text) : 0;
    return text;
}

static bool load(struct board *b, const char *text, struct buf *messages) {
    static const struct board_source source = {no_file, NULL};
    struct diag diag = {.file = "b.yaml", .source = text, .source_len = strlen(text)};
    board_default(b);
    bool ok = board_load(b, &source, &(struct board_text){"b.yaml", text, strlen(text)}, &diag);
    diag_render(&diag, messages);
    return ok;
}

static void refused(const char *text, const char *message) {
    struct board b;
    SCOPED(buf_free) struct buf words = {0};
    cr_assert(!load(&b, text, &words), "was taken: %s", text);
    cr_assert(words.data && strstr(words.data, message), "expected: %s\ngot: %s", message,
              words.data ? words.data : "");
}

Test(board, values_and_their_origin) {
    struct board b;
    SCOPED(buf_free) struct buf words = {0};
    cr_assert(load(&b, "name: half # a comment\nsms: 7\nbase: base.yaml\n", &words), "%s", words.data);
    cr_assert(strcmp(b.name, "half") == 0);
    cr_assert(b.sms == 7 && b.warp_width == 16 && b.max_threads_per_block == 1024);
    cr_assert(strcmp(b.origin[BOARD_top_sms], "b.yaml:2") == 0, "%s", b.origin[BOARD_top_sms]);
    cr_assert(strcmp(b.origin[BOARD_top_warp_width], "base.yaml:3") == 0, "%s", b.origin[BOARD_top_warp_width]);
    cr_assert(strcmp(b.origin[BOARD_top_max_threads_per_block], "default") == 0);
}

/* `base:` by the name of a shipped board, unless there is a file of that name: as in heddle board. */
Test(board, bases_that_ship) {
    const char *const names[] = {"base: v100\nsms: 60\n", "base: v100.yaml\nsms: 60\n"};
    struct board b, own;
    SCOPED(buf_free) struct buf words = {0};
    for (u32 i = 0; i < COUNT_OF(names); i++) {
        cr_assert(load(&b, names[i], &words), "%s", words.data);
        cr_assert(b.sms == 60 && b.dram.channels == 32 && strcmp(b.name, "b") == 0);
        cr_assert_str_eq(b.origin[BOARD_top_sms], "b.yaml:2");
        cr_assert_str_eq(b.origin[BOARD_top_clock_mhz], "v100.yaml:11");
    }
    cr_assert(load(&b, "base: base\n", &words) && b.sms == 4, "a file goes before what ships");
    for (u32 i = 0; i < board_shipped_count; i++) {
        char path[80], bytes[20000];
        snprintf(path, sizeof path, "configs/%s.yaml", board_shipped[i].name);
        FILE *f = fopen(path, "rb");
        cr_assert(f && fread(bytes, 1, sizeof bytes, f) == board_shipped[i].len, "%s", path);
        cr_assert(memcmp(bytes, board_shipped[i].text, board_shipped[i].len) == 0, "%s", path);
        fclose(f);
    }
    board_default(&b);
    board_default(&own);
    struct diag diag = {.file = "a100"};
    cr_assert(board_load(&b, NULL, &(struct board_text){.file = "a100"}, &diag), "%s", diag.message[0].text);
    cr_assert(load(&own, "base: a100\n", &words), "%s", words.data);
    cr_assert(memcmp(b.origin, own.origin, sizeof b.origin) == 0, "the same, and with a base of its own");
    cr_assert(!board_load(&b, NULL, &(struct board_text){.file = "a10"}, &diag));
    cr_assert_str_eq(diag.message[0].text, "no board of this name ships; did you mean 'a100'?");
}

/* Shipped boards build on shipped boards, whatever is beside the file; no file builds on itself. */
Test(board, bases_of_ones_own_name) {
    struct board b;
    struct diag diag = {.file = "v100.yaml"};
    static const struct board_source source = {no_file, NULL};
    board_default(&b);
    cr_assert(board_load(&b, &source, &(struct board_text){"my/v100.yaml", "base: v100\nsms: 3\n", 18}, &diag), "%s",
              diag.message[0].text);
    cr_assert(b.sms == 3 && b.dram.channels == 32);
    cr_assert(board_load(&b, &source, &(struct board_text){"b.yaml", "base: h200\n", 11}, &diag), "%s",
              diag.message[0].text);
    cr_assert_str_eq(b.origin[BOARD_top_warp_width], "a100.yaml:7");
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

/* Sets values, each "key=value", in a board that is otherwise the default one. */
static void set_all(struct board *b, const char *list) {
    char text[500];
    board_default(b);
    snprintf(text, sizeof text, "%s", list);
    for (char *word = strtok(text, ";"); word; word = strtok(NULL, ";")) {
        struct diag diag = {.file = "x"};
        cr_assert(board_set(b, word, &diag), "%s: %s", word, diag.message[0].text);
    }
}

/* "0.5x" is half of what the board has by then, in its own unit; what is no value so is refused as written out. */
Test(board, multiples_of_what_it_has) {
    struct board b;
    struct diag diag = {.file = "x"};
    set_all(&b, "sms=40;sms=1.5x;l2.bytes=3MiB;l2.bytes=0.5x;clock_mhz=1.2GHz;clock_mhz=1.1x");
    cr_assert_eq(b.sms, 60);
    cr_assert_eq(b.l2.bytes, 3 << 19);
    cr_assert_float_eq(b.clock_mhz, 1320, 1e-9);
    cr_assert_not(board_set(&b, "sms=0.51x", &diag));
    cr_assert(strstr(diag.message[0].text, "not '30.6'"), "%s", diag.message[0].text);
    for (u32 i = 0; i < 4; i++) {
        static const char *const wrong[] = {"sms=x", "sms=-1x", "sm.policy=1x", "sms=1xx"};
        cr_assert_not(board_set(&b, wrong[i], &diag), "%s", wrong[i]);
    }
}

/* ---- keys that are a peak ---- */

/* 32 channels x 32 bytes a cycle at 1172 MHz are 1200.128 GB/s; and so for the others, by hand. */
Test(board, peaks_that_are_set) {
    static const struct {
        const char *set, *says;
        double peak;
    } rows[] = {{"dram.gbs=1200", "dram.gbs=1200: dram.clock_mhz 877 -> 1172, 1200.13 GB/s", 1200.128},
                {"dram.gbs=1.2TB/s", "dram.gbs=1200: dram.clock_mhz 877 -> 1172, 1200.13 GB/s", 1200.128},
                {"dram.gbs=898", "dram.gbs=898: dram.clock_mhz stays 877, 898.048 GB/s", 898.048},
                {"dram.gbs=2x", "dram.gbs=1796.096: dram.clock_mhz 877 -> 1754, 1796.1 GB/s", 1796.096},
                {"l2.gbs=3000 GB/s", "l2.gbs=3000: l2.bytes_per_cycle 32 -> 34, 3002.88 GB/s", 64 * 34 * 1.38},
                {"noc.gbs=3500GB/s", "noc.gbs=3500: noc.reply_bytes 64 -> 32, noc.request_bytes 32 -> 16, 3532.8 GB/s",
                 80 * 32 * 1.38},
                {"l1.gbs=7000", "l1.gbs=7000: l1.bytes_per_cycle 128 -> 64, 7065.6 GB/s", 80 * 64 * 1.38}};
    for (u32 i = 0; i < COUNT_OF(rows); i++) {
        struct board b;
        struct diag diag = {.file = "x"};
        char key[16], peak[16];
        board_default(&b);
        cr_assert(board_load(&b, NULL, &(struct board_text){.file = "v100"}, &diag));
        cr_assert(board_set(&b, rows[i].set, &diag), "%s", diag.message[0].text);
        snprintf(key, sizeof key, "%.*s", (int)strcspn(rows[i].set, "="), rows[i].set);
        u32 k = board_key_find(key, 0, (struct span){0, 1, 1}, &diag);
        snprintf(peak, sizeof peak, "%.*s_gbs", (int)strcspn(key, "."), key);
        cr_expect_str_eq(board_scaled(&b, k), rows[i].says);
        cr_expect_float_eq(board_value(&b, k), rows[i].peak, 1e-9, "%s", key);
        cr_expect_float_eq(board_peak(&b, peak), rows[i].peak, 1e-9, "%s", key);
        cr_expect_str_eq(b.origin[board_fields[k].scaled[0]], "--set");
    }
}

/* On every board, for any value: the peak is set to within 5 % and nothing else changes; or it is refused. */
Test(board, peaks_of_every_board) {
    u32 taken = 0, refusals = 0;
    for (u32 s = 0; s < board_shipped_count; s++)
        for (u32 k = BOARD_FIELDS; k < BOARD_KEYS; k++)
            for (double factor = 0.01; factor < 100; factor *= 1.37) {
                struct board b, before;
                struct diag diag = {.file = "x"};
                char set[80];
                board_default(&b);
                cr_assert(board_load(&b, NULL, &(struct board_text){.file = board_shipped[s].name}, &diag));
                before = b;
                double asked = board_value(&b, k) * factor;
                snprintf(set, sizeof set, "%s=%.3f", board_fields[k].key, asked);
                bool ok = board_set(&b, set, &diag);
                double now = board_value(&b, k);
                cr_assert(ok == (diag.errors == 0));
                cr_assert(!ok || fabs(now - asked) <= 0.0501 * asked, "%s: %s gives %g", before.name, set, now);
                for (u32 f = 0; f < BOARD_FIELDS; f++)
                    cr_assert(f == board_fields[k].scaled[0] || f == board_fields[k].scaled[1] ||
                                  (board_value(&b, f) == board_value(&before, f) &&
                                   strcmp(b.origin[f], before.origin[f]) == 0),
                              "%s: %s moves %s", before.name, set, board_fields[f].key);
                cr_assert(ok || (strstr(diag.message[0].text, "can be ") && board_value(&before, k) == now), "%s", set);
                taken += ok;
                refusals += !ok;
            }
    cr_assert(taken > 400 && refusals > 100, "%u, %u", taken, refusals);
}

/* Values that a peak follows from may be given before or after it; a multiple refers to the value without the peak. */
Test(board, peaks_are_set_last) {
    static const char *const orders[][2] = {{"dram.gbs=1000", "dram.channels=16"},
                                            {"dram.channels=16", "dram.gbs=1000"},
                                            {"dram.gbs=1x", "dram.channels=16"}};
    static const u32 mhz[] = {1953, 1953, 877};
    for (u32 i = 0; i < COUNT_OF(orders); i++) {
        struct board b;
        struct diag diag = {.file = "x"};
        u32 wrong;
        board_default(&b);
        cr_assert(board_load(&b, NULL, &(struct board_text){.file = "v100"}, &diag));
        cr_assert(board_set_all(&b, orders[i], 2, &wrong, &diag), "%s", diag.message[0].text);
        cr_assert_eq(b.dram.clock_mhz, mhz[i]);
        cr_assert(board_set(&b, "sms=4", &diag) && board_scaled(&b, BOARD_dram_gbs), "which does not depend on it");
        cr_assert(board_set(&b, "dram.channels=32", &diag) && !board_scaled(&b, BOARD_dram_gbs), "which does");
    }
}

Test(board, peaks_that_cannot_be) {
    static const struct {
        const char *set, *message;
    } rows[] = {{"dram.gbs=30000",
                 "dram.gbs is 30000; with dram.clock_mhz from 1 to 20000 MHz, and the rest as it is, it can be "
                 "1.024 to 20480 GB/s"},
                {"dram.gbs=0", "it can be 1.024 to 20480 GB/s"},
                {"dram.gbs=1.4", "dram.gbs is 1.4; it can be 1.024 or 2.048 GB/s, as dram.clock_mhz is a whole number"},
                {"l1.gbs=10000",
                 "l1.gbs is 10000; it can be 7065.6 or 14131.2 GB/s, as l1.bytes_per_cycle is a power of two"},
                {"l1.gbs=9000", "it can be 7065.6 or 14131.2 GB/s"},
                {"dram.gbs=fast", "dram.gbs must be a number of GB/s such as 900 or 0.9TB/s, not 'fast'"},
                {"dram.gbs=", "not ''"},
                {"dram.gbs=-5", "not '-5'"},
                {"dram.gbs=1GiB/s", "not '1GiB/s'"},
                {"dram.gbs=99999999999", "dram.gbs is 99999999999; it must be 0 to 1000000000 GB/s"}};
    struct board b;
    for (u32 i = 0; i < COUNT_OF(rows); i++) {
        struct diag diag = {.file = "x"};
        board_default(&b);
        cr_assert(board_load(&b, NULL, &(struct board_text){.file = "v100"}, &diag));
        cr_assert_not(board_set(&b, rows[i].set, &diag), "%s", rows[i].set);
        cr_assert(strstr(diag.message[0].text, rows[i].message), "%s: %s", rows[i].set, diag.message[0].text);
        cr_assert_eq(b.dram.clock_mhz, 877);
    }
    static const char *const pairs[][2] = {{"dram.gbs=1200", "dram.clock_mhz=900"},
                                           {"dram.clock_mhz=900", "dram.gbs=1200"},
                                           {"noc.gbs=1x", "noc.request_bytes=8"}};
    static const u32 column[] = {16, 10, 19};
    for (u32 i = 0; i < COUNT_OF(pairs); i++) {
        struct diag diag = {.file = "x"};
        u32 wrong = 99;
        cr_assert_not(board_set_all(&b, pairs[i], 2, &wrong, &diag));
        cr_assert_eq(wrong, 1, "the later one");
        cr_assert_eq(diag.message[0].at.col, column[i]);
        cr_assert(strstr(diag.message[0].text, ", and both are given: leave one of them out"));
    }
}

/* In files a peak has the place of a later value; a base may set a key that the file on it sets differently. */
Test(board, peaks_in_files) {
    struct board b;
    SCOPED(buf_free) struct buf words = {0};
    refused("dram.gbs: 100\ndram.clock_mhz: 900\n",
            "b.yaml:2:17: error: dram.gbs sets dram.clock_mhz, and both are given, the other in line 1: leave one");
    refused("dram:\n  clock_mhz: 900\n  gbs: 100\n",
            "b.yaml:3:8: error: dram.gbs sets dram.clock_mhz, and both are given, "
            "the other in line 2");
    refused("dram.gbs: 1\ndram:\n  gbs: 2\n", "b.yaml:3:3: error: 'dram.gbs' is set twice, first in line 1");
    refused("dram.gbs: 0.5x\n", "dram.gbs must be a number of GB/s such as 900 or 0.9TB/s, not '0.5x'");
    refused("base: v100\nl1.gbs: 9000\n", "b.yaml:2:9: error: l1.gbs is 9000; it can be 7065.6 or 14131.2 GB/s");
    cr_assert(load(&b, "dram:\n  gbs: 1 TB/s\n  channels: 16\nl2.slices: 16\nl2.ways: 1\n", &words), "%s", words.data);
    cr_assert_eq(b.dram.clock_mhz, 3906, "16 channels move 16 bytes a cycle each");
    cr_assert_str_eq(b.origin[BOARD_dram_clock_mhz], "b.yaml:2");
    cr_assert(load(&b, "base: gbs.yaml\ndram.clock_mhz: 500\n", &words), "%s", words.data);
    cr_assert(b.dram.clock_mhz == 500 && !board_scaled(&b, BOARD_dram_gbs));
}

/* Each option of a choice is stored as its value, and printed by its name. */
Test(board, options_of_every_choice) {
    u32 choices = 0;
    for (u32 f = 0; f < BOARD_FIELDS; f++) {
        const struct board_field_row *row = &board_fields[f];
        for (u32 i = 0; row->kind == KIND_CHOICE && i <= (u32)row->max; i++) {
            struct board b;
            struct diag diag = {.file = "x"};
            struct buf text = {0};
            char set[80], line[80];
            board_default(&b);
            snprintf(set, sizeof set, "%s=%s", row->key, row->option[i].name);
            snprintf(line, sizeof line, "  %s: %s ", strchr(row->key, '.') + 1, row->option[i].name);
            cr_assert(board_set(&b, set, &diag) && board_value(&b, (enum board_field)f) == i, "%s", set);
            board_print(&b, &text);
            cr_assert_eq(strstr(text.data, line) != NULL, !board_field_fixed((enum board_field)f), "%s", line);
            buf_free(&text);
            choices++;
        }
    }
    cr_assert_gt(choices, 8);
    struct board b;
    set_all(&b, "sm.policy=gto;launch.dispatch=fill;l2.hash=modulo;fetch.mode=cached");
    cr_assert(b.sm.policy == policy_GTO && b.launch.dispatch == dispatch_FILL && b.l2.hash == hash_MODULO &&
              b.fetch.mode == icache_CACHED);
}

static void same(const struct board *a, const struct board *b) {
    cr_assert(strcmp(a->name, b->name) == 0);
    for (u32 f = 0; f < BOARD_FIELDS; f++) {
        struct board_range ra = board_range(a, (enum board_field)f), rb = board_range(b, (enum board_field)f);
        cr_assert(board_value(a, (enum board_field)f) == board_value(b, (enum board_field)f) && ra.given == rb.given &&
                      ra.low == rb.low && ra.high == rb.high,
                  "%s", board_fields[f].key);
    }
    cr_assert(memcmp(a->basis, b->basis, sizeof a->basis) == 0);
}

/* A printed board loads to the same board: with every field at its least, its most, and in between. */
Test(board, print_and_load_is_the_identity) {
    static const char *const odd = "power.sm_w=0.283;power.constant_w=32.325;energy.l1=204.125 derived;"
                                   "energy.dram=1723 measured;energy.alu=0.000001 0..3.5;sms=3 derived 2..4;"
                                   "sm.policy=gto;fetch.mode=cached";
    for (u32 round = 0; round < 3; round++) {
        struct board b, again;
        SCOPED(buf_free) struct buf text = {0}, words = {0};
        if (round < 2)
            board_default(&b);
        else
            set_all(&b, odd);
        for (u32 f = 0; f < BOARD_FIELDS && round < 2; f++) {
            struct diag diag = {.file = "x"};
            struct board_given given = {.board = &b, .diag = &diag};
            const struct board_field_row *row = &board_fields[f];
            if (row->kind != KIND_CHOICE)
                cr_assert(board_put(&given, f, decimal_write(round ? row->max : row->min).text, "x", (struct span){0}));
        }
        static const char *const names[] = {"a100", "- \"x\": [y] #\\", " z "};
        snprintf(b.name, sizeof b.name, "%s", names[round]);
        board_print(&b, &text);
        cr_assert(load(&again, text.data, &words), "%s", words.data ? words.data : "");
        same(&b, &again);
    }
}

Test(board, a_key_can_stand_in_its_section) {
    struct board b;
    SCOPED(buf_free) struct buf words = {0};
    cr_assert(load(&b,
                   "l2:\n  slices: 40\n  hash: modulo\nl2.ways: 8\nlatency: {fp32: 5, bar.warp: 6}\n"
                   "latency.shfl: 30\nsms: 2\nenergy:\n  l1: 100 measured\n  l2: 50.5   assumed\n  dram: 7\n",
                   &words),
              "%s", words.data);
    cr_assert(b.l2.slices == 40 && b.l2.hash == hash_MODULO && b.l2.ways == 8 && b.sms == 2);
    cr_assert(b.latency[CLASS_FP32] == 5 && b.latency[CLASS_BARW] == 6 && b.latency[CLASS_SHFL] == 30);
    cr_assert(b.energy[ENERGY_l1] == 100 && b.basis[BOARD_energy_l1] == BASIS_MEASURED);
    cr_assert(b.energy[ENERGY_l2] == 50.5 && b.basis[BOARD_energy_l2] == BASIS_ASSUMED);
    cr_assert(b.energy[ENERGY_dram] == 7 && b.basis[BOARD_energy_dram] == BASIS_ASSUMED);
    cr_assert(strcmp(b.origin[BOARD_l2_slices], "b.yaml:2") == 0, "%s", b.origin[BOARD_l2_slices]);
}

Test(board, decimals) {
    static const struct {
        const char *text;
        double value;
        const char *back;
    } good[] = {{"0", 0, "0"},
                {"7", 7, "7"},
                {"0.283", 0.283, "0.283"},
                {"1.50", 1.5, "1.5"},
                {"000012", 12, "12"},
                {"32.325", 32.325, 0},
                {"123456.789012345", 123456.789012345, 0},
                {"0.0001", 0.0001, "0.0001"},
                {"999999999999999", 999999999999999.0, 0}};
    static const char *const bad[] = {"",   ".5", "5.", "1.2.3", "1e3", "0x10", "inf", "nan",
                                      "-1", "+1", " 1", "1 ",    "1,5", "--",   "1f",  "9999999999999999"};
    double value;
    for (u32 i = 0; i < COUNT_OF(good); i++) {
        cr_assert(decimal_read(good[i].text, &value) && value == good[i].value, "%s", good[i].text);
        cr_assert_str_eq(decimal_write(value).text, good[i].back ? good[i].back : good[i].text);
    }
    for (u32 i = 0; i < COUNT_OF(bad); i++)
        cr_assert(!decimal_read(bad[i], &value), "'%s'", bad[i]);
    cr_assert(!decimal_read_whole("1.5", &value) && decimal_read_whole("12", &value) && value == 12);
}

Test(board, mistakes) {
    refused("sms: 4\nwarp_with: 32\n", "b.yaml:2:1: error: unknown key 'warp_with'; did you mean 'warp_width'?\n"
                                       "     2 | warp_with: 32\n       | ^~~~~~~~~\n");
    refused("sms: 4\nsms: 5\n", "b.yaml:2:1: error: 'sms' is set twice, first in line 1");
    refused("warp_width: 24\n", "b.yaml:1:13: error: warp_width is 24; it must be a power of two from 8 to 64");
    refused("sms: 4097\n", "sms is 4097; it must be 1 to 4096 SMs");
    refused("sms: -1\n", "sms must be a whole number (SMs, 1 to 4096), not '-1'");
    refused("sms: 1.0\n", "sms must be a whole number (SMs, 1 to 4096), not '1.0'");
    refused("sms: [1, 2]\n", "'sms' must be a single value");
    refused("sms: {a: 1}\n", "'sms' must be a single value");
    refused("- sms\n", "a board is a list of 'key: value' lines");
    refused("", "a board is a list of 'key: value' lines");
    refused("a: b: c\n", "b.yaml:1:5: error: mapping values are not allowed in this context");
    refused("base: none.yaml\n", "b.yaml:1:7: error: there is no board file 'none.yaml' beside this one, and no board "
                                 "of the name ships; these do: a100, b200, ");
    refused("base: v1000\n", "no board of the name ships; did you mean 'v100'?");
    refused("base: bad.yaml\n", "b.yaml:1:7: error: bad.yaml:1:6: sms must be a whole number");
    refused("base: loop.yaml\n", "the board 'loop.yaml' builds on itself");
    refused("base: base.yaml\nbase: base.yaml\n", "'base' is set twice, first in line 1");
    refused("base: [x]\n", "'base' must be a single value");
    refused("? [a]\n: 1\n", "a key must be a word");
    refused("name: \"\"\n", "a name has 1 to 63 characters");
    refused("name: é\n", "a name has 1 to 63 characters");
    refused("name: \"a\\nb\"\n", "a name has 1 to 63 characters, of ASCII");
}

Test(board, yaml_documents_and_anchors) {
    struct board b;
    SCOPED(buf_free) struct buf words = {0};
    cr_assert(load(&b, "base: v100\nsms: &n 64\nl2:\n  ways: &w 8\n  slices: *n\n...\n", &words), "%s", words.data);
    cr_assert(b.sms == 64 && b.l2.slices == 64 && b.l2.ways == 8);
    refused("sms: 4\n---\nsms: 5\n", "b.yaml:2:1: error: a second document; a file has one");
    refused("sms: &a 4\nl2.ways: &a 5\n", "b.yaml:2:10: error: found duplicate anchor");
    refused("sms: 4\nl2.ways: *a\n", "b.yaml:2:10: error: found undefined alias");
    refused("\"sm\\0s\": 4\n", "b.yaml:1:1: error: a text with a NUL character");
    refused("&l l2: *l\n", "'l2' is a section: its keys follow it, indented");
}

Test(board, mistakes_in_sections) {
    refused("l2:\n  slice: 4\n", "b.yaml:2:3: error: unknown key 'l2.slice'; did you mean 'l2.slices'?\n"
                                 "     2 |   slice: 4\n       |   ^~~~~\n");
    refused("l2:\n  slices: 4\nl2.slices: 5\n", "b.yaml:3:1: error: 'l2.slices' is set twice, first in line 2");
    refused("l2.slices: 4\nl2:\n  slices: 5\n", "b.yaml:3:3: error: 'l2.slices' is set twice, first in line 1");
    refused("l2:\n  ways: 4\nl2:\n  slices: 5\n", "'l2' is set twice, first in line 1");
    refused("l2: 5\n", "'l2' is a section: its keys follow it, indented");
    refused("l2:\nsms: 5\n", "'l2' is a section: its keys follow it, indented");
    refused("l2:\n  l2.slices: 5\n", "unknown key 'l2.l2.slices'");
    refused("top:\n  sms: 5\n", "unknown key 'top'");
    refused("sm:\n  sms: 5\n", "unknown key 'sm.sms'");
    refused("l2: &a\n  ways: *a\n", "error: ");
    refused("sm.policy: gtp\n",
            "b.yaml:1:12: error: sm.policy is one of lrr, gto, cggty, single, not 'gtp'; did you mean 'gto'?");
    refused("sm.policy: spread\n", "sm.policy is one of lrr, gto, cggty, single, not 'spread'");
    refused("energy.l1: 5 guessed\n", "energy.l1: a number is measured, derived, fitted or assumed, not 'guessed'");
    refused("energy.l1: 5 derved\n", "did you mean 'derived'?");
    refused("energy.l1: derived\n", "energy.l1 must be a number (pJ, 0 to 1000000), not 'derived'");
    refused("energy.l1: 1000000.5\n", "energy.l1 is 1000000.5; it must be 0 to 1000000 pJ");
    refused("power.sm_w: 1000.001\n", "power.sm_w is 1000.001; it must be 0 to 1000 W");
    refused("power.sm_w: .inf\n", "power.sm_w must be a number (W, 0 to 1000), not '.inf'");
    refused("latency.ld: 5\n", "latency.ld is 5; it is always 0");
}

/* Many mistakes are read in bounded time, and the first of them are shown. */
Test(board, mistakes_without_number) {
    struct board b;
    SCOPED(buf_free) struct buf text = {0}, words = {0};
    for (u32 i = 0; i < 20000; i++)
        buf_printf(&text, "wrong_key_%u: 1\n", i);
    cr_assert(!load(&b, text.data, &words));
    cr_assert(strstr(words.data, "unknown key 'wrong_key_0'") != NULL);
}
