/* Is a memory device read as it is meant, does a board get what it has, and is every mistake pointed at? */
#include "sim/board/board.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/board/shipped.h"

/* devices/mine.yaml beside the board: a device that ships with one change. */
static char device_text[4000];

static const char *beside(void *ctx, const char *name, size_t *len) {
    const char *text = strcmp(name, "devices/mine.yaml") == 0 ? device_text : NULL;
    (void)ctx;
    *len = text ? strlen(text) : 0;
    return text;
}

static const struct board_source source = {beside, NULL};

static bool load(struct board *b, const char *text, struct buf *messages) {
    struct diag diag = {.file = "b.yaml", .source = text, .source_len = strlen(text)};
    board_default(b);
    bool ok =
        board_load(b, &source, &(struct board_text){"b.yaml", text, strlen(text)}, &diag) && board_check(b, &diag);
    diag_render(&diag, messages);
    return ok;
}

static void taken(struct board *b, const char *text) {
    SCOPED(buf_free) struct buf words = {0};
    cr_assert(load(b, text, &words), "%s", words.data);
}

static void refused(const char *text, const char *message) {
    struct board b;
    SCOPED(buf_free) struct buf words = {0};
    cr_assert(!load(&b, text, &words), "was taken: %s", text);
    cr_assert(words.data && strstr(words.data, message), "expected: %s\ngot: %s", message, words.data);
}

/* Refuses a device that is hbm3-6.4 with one more line, the fourth. */
static void device_refused(const char *line, const char *message) {
    snprintf(device_text, sizeof device_text, "base: hbm3-6.4\nsources:\n  me: my own\n%s\n", line);
    refused("dram.device: mine\n", message);
}

static struct device read_shipped(const char *name) {
    struct device d;
    struct diag diag = {.file = name};
    cr_assert(device_read(&d, NULL, name, (struct span){1, 1, 1}, &diag), "%s", diag.message[0].text);
    return d;
}

/* ---- what ships ---- */

Test(devices, numbers_of_every_device_have_a_basis_and_a_source) {
    u32 numbers = 0;
    for (u32 i = 0; device_shipped(i); i++) {
        const struct device d = read_shipped(device_shipped(i));
        for (u32 f = 0; f < DEVICE_FIELDS; f++) {
            const struct device_value *v = &d.value[f];
            cr_assert(v->given || !device_fields[f].must, "%s: %s", d.name, device_fields[f].key);
            cr_assert(!v->given || v->source < d.sources || v->basis >= DEVICE_BASIS_DERIVED, "%s: %s", d.name,
                      device_fields[f].key);
            numbers += v->given;
        }
        cr_assert(*d.standard, "%s", d.name);
    }
    cr_assert(numbers > 1000, "%u numbers", numbers);
}

/* The pins of the published cards: bits x rate. */
Test(devices, bandwidth_of_parts) {
    const struct {
        const char *name;
        double parts, gbs, gib;
    } cards[] = {{"hbm2-2.4", 5, 1536, 40},       {"hbm3-5.2", 5, 3328, 80},     {"hbm3e-6.3", 6, 4800, 144},
                 {"hbm4-8.0", 8, 16384, 256},     {"gddr6x-21.0", 12, 1008, 24}, {"gddr7-28.0", 16, 1792, 32},
                 {"lpddr5x-8.5", 4, 273.056, 32}, {"ddr5-4.8", 1, 38.4, 16},     {"gddr5-7.0", 8, 224, 4}};
    for (u32 i = 0; i < COUNT_OF(cards); i++) {
        const struct device d = read_shipped(cards[i].name);
        struct board b;
        char text[120];
        cr_assert_float_eq(device_gbs(&d) * cards[i].parts, cards[i].gbs, 1e-9, "%s", d.name);
        snprintf(text, sizeof text,
                 "l2.slices: %.0f\nl2.bytes: 0\nl2.interleave: 256\ndram.device: %s\ndram.stacks: %.0f\n",
                 cards[i].parts * d.value[DEVICE_channels].number, d.name, cards[i].parts);
        taken(&b, text);
        cr_assert_float_eq(board_peak(&b, "dram_gbs"), cards[i].gbs, 0.001 * cards[i].gbs, "%s", d.name);
        cr_assert_float_eq(b.dram.capacity_gib, cards[i].gib, 1e-9, "%s", d.name);
    }
}

Test(devices, every_device_makes_a_board) {
    for (u32 i = 0; device_shipped(i); i++) {
        struct board b;
        struct diag diag = {.file = "--set"};
        char device[80];
        const char *const sets[] = {device, "l2.slices=2"};
        u32 wrong;
        board_default(&b);
        snprintf(device, sizeof device, "dram.device=%s", device_shipped(i));
        cr_assert(board_set_all(&b, sets, 2, &wrong, &diag) && board_check(&b, &diag), "%s: %s", device,
                  diag.message[0].text);
        for (u32 f = 0; f < BOARD_FIELDS; f++)
            cr_assert(!board_device_differs(&b, f), "%s: %s", device, board_fields[f].key);
    }
}

/* A time is the same in ns at another data rate, rounded up to clocks; clocks stay clocks. */
Test(devices, times_of_another_rate) {
    const struct device a = read_shipped("hbm3-6.4"), b = read_shipped("hbm3-5.2");
    cr_assert_float_eq(device_clock_mhz(&a), 1600, 1e-9);
    cr_assert_float_eq(device_clock_mhz(&b), 1300, 1e-9);
    cr_assert_float_eq(device_ns(&b, DEVICE_rcd_read), 31 / 1.6, 1e-9);
    cr_assert_float_eq(device_number(&b, DEVICE_rcd_read, 1300), 26, 0); /* 25.2 */
    cr_assert_float_eq(device_number(&b, DEVICE_burst_cycles, 1300), 2, 0);
    cr_assert_float_eq(device_number(&a, DEVICE_rfc, 1600), 560, 0); /* 350 ns */
    cr_assert_float_eq(device_number(&a, DEVICE_stack_ids, 1600), 2, 0);
    cr_assert(b.value[DEVICE_rcd_read].basis == DEVICE_BASIS_DERIVED &&
              a.value[DEVICE_rcd_read].basis == DEVICE_BASIS_ESTIMATE);
}

static double energy_of(const char *device, enum energy_event event) {
    struct board b;
    char text[80];
    snprintf(text, sizeof text, "dram.device: %s\ndram.channels: 2\n", device);
    taken(&b, text);
    cr_assert(b.basis[BOARD_energy_instruction + event] == BASIS_ASSUMED);
    return b.energy[event];
}

/* By what a device has; else an access is all of it, a row costs as in HBM2, a refresh the rows that are due. */
Test(devices, energies_of_commands) {
    cr_expect_float_eq(energy_of("hbm2-2.4", ENERGY_dram), 891, 0);
    cr_expect_float_eq(energy_of("hbm2-2.4", ENERGY_dram_activate), 909, 0);
    cr_expect_float_eq(energy_of("hbm2-2.4", ENERGY_dram_read), 686, 0); /* 2.68 x 256 */
    cr_expect_float_eq(energy_of("hbm2-2.4", ENERGY_dram_write), 686, 0);
    cr_expect_float_eq(energy_of("hbm2-2.4", ENERGY_dram_io), 0.8, 0);
    cr_expect_float_eq(energy_of("hbm2-2.4", ENERGY_dram_refresh), 3630, 0); /* 909 x 32768 rows x 3.9 us / 32 ms */
    cr_expect_float_eq(energy_of("gddr6-14.0", ENERGY_dram_read), 1920, 0);  /* 7.5 x 256, pins and all */
    cr_expect_float_eq(energy_of("gddr6-14.0", ENERGY_dram_io), 0, 0);
    cr_expect_float_eq(energy_of("lpddr5-6.4", ENERGY_dram_io), 0.8, 0, "as HBM2's");
    cr_expect_float_eq(energy_of("ddr5-4.8", ENERGY_dram_write), 1347, 0); /* 2.63 x 512 */
    cr_expect_float_eq(energy_of("ddr5-4.8", ENERGY_dram_refresh), 5480, 0);
    struct board b;
    taken(&b, "l2.slices: 2\ndram:\n  device: ddr5-4.8\n  stacks: 1\nenergy.dram_io: 5 measured\n");
    cr_expect_float_eq(b.power.dram_w, 1.25, 0);
    cr_expect(b.energy[ENERGY_dram_io] >= 5 && b.basis[BOARD_energy_dram_io] == BASIS_MEASURED);
}

/* ---- on a board ---- */

Test(devices, values_of_the_file_stay) {
    struct board b;
    taken(&b, "base: a100\ndram:\n  rcd: 20\n  device: hbm3-6.4\n  channels: 80\n  stacks: 5\n  rp: 30 derived\n");
    cr_assert_str_eq(b.device.name, "hbm3-6.4");
    cr_assert(b.dram.rcd == 20 && b.dram.rp == 30 && b.dram.ras == 45 && b.dram.channels == 80);
    cr_assert(b.dram.latency == 242 && b.dram.clock_mhz == 1600, "the controller stays, the clock does not");
    cr_assert_str_eq(b.origin[BOARD_dram_ras], "hbm3-6.4.yaml:23, estimate");
    cr_assert_str_eq(b.origin[BOARD_dram_capacity_gib], "5 stacks of hbm3-6.4");
    cr_assert(board_device_differs(&b, BOARD_dram_rcd) && !board_device_differs(&b, BOARD_dram_ras));
    cr_assert_float_eq(board_device_value(&b, BOARD_dram_channels), 80, 0);
    cr_assert(b.dram.pseudo_channels == 2 && b.dram.stack_ids == 2 && b.dram.rcd_write == 15 && b.dram.rrefd == 13);
    cr_assert(!board_device_differs(&b, BOARD_dram_latency));
}

/* A board that builds on one with a device may change the number of its parts; what that board has set stays. */
Test(devices, parts_of_a_base) {
    struct board b;
    taken(&b, "base: rtx4090\ndram.stacks: 6\nl2.slices: 24\n");
    cr_assert(b.dram.channels == 12 && b.dram.rcd == 37 && b.dram.capacity_gib >= 12 && b.dram.capacity_gib <= 12);
    cr_assert_str_eq(b.origin[BOARD_dram_channels], "6 chips of gddr6x-21.0");
}

Test(devices, set_with_multiples_and_peaks) {
    struct board b;
    struct diag diag = {.file = "--set"};
    const char *const sets[] = {"dram.device=gddr6-14.0", "dram.stacks=1", "dram.rcd=2x", "dram.gbs=112"};
    u32 wrong;
    board_default(&b);
    cr_assert(board_set_all(&b, sets, COUNT_OF(sets), &wrong, &diag), "%s", diag.message[0].text);
    cr_assert(b.dram.rcd == 54 && b.dram.channels == 2 && b.dram.clock_mhz == 3500);
    cr_assert_str_eq(board_scaled(&b, BOARD_dram_gbs), "dram.gbs=112: dram.clock_mhz 1750 -> 3500, 112 GB/s");
}

/* Shipped boards name what is in them; the pins of the device and those of the board are nearly the same. */
Test(devices, shipped_boards) {
    u32 named = 0;
    for (u32 i = 0; i < board_shipped_count; i++) {
        struct board b;
        struct diag diag = {.file = board_shipped[i].name};
        board_default(&b);
        cr_assert(board_load(&b, NULL, &(struct board_text){.file = diag.file}, &diag));
        double gbs = device_gbs(&b.device) * b.dram.stacks, peak = board_peak(&b, "dram_gbs");
        named += *b.device.name != 0;
        cr_assert(!*b.device.name || fabs(gbs - peak) < 0.03 * peak, "%s: %g of %g", b.name, peak, gbs);
    }
    cr_assert(named == 9);
}

/* A printed board whose device is not to be found is that board, as long as it gives everything. */
Test(devices, printed_and_read) {
    struct board b, again;
    SCOPED(buf_free) struct buf text = {0};
    snprintf(device_text, sizeof device_text, "base: gddr6-14.0\nrp: 29 assumed\n");
    taken(&b, "dram.device: mine\ndram.stacks: 1\n");
    cr_assert(b.dram.rp == 29 && b.dram.channels == 2);
    board_print(&b, &text);
    cr_assert(strstr(text.data, "  device: mine "), "%s", text.data);
    cr_assert(strstr(text.data, "rp: 29 ") && strstr(text.data, "[mine.yaml:2, assumed]"), "%s", text.data);
    struct diag diag = {.file = "p.yaml", .source = text.data, .source_len = text.len};
    board_default(&again);
    cr_assert(board_load(&again, NULL, &(struct board_text){"p.yaml", text.data, text.len}, &diag), "%s",
              diag.message[0].text);
    for (u32 f = 0; f < BOARD_FIELDS; f++)
        cr_assert_float_eq(board_value(&again, f), board_value(&b, f), 0, "%s", board_fields[f].key);
    cr_assert_str_eq(again.device.name, "mine");
    cr_assert(!again.device.known && !board_device_differs(&again, BOARD_dram_rp));
    cr_assert(!board_set(&again, "dram.stacks=2", &diag));
    cr_assert(strstr(diag.message[0].text, "whose description is not known here"), "%s", diag.message[0].text);
}

/* ---- mistakes ---- */

Test(devices, mistakes_in_boards) {
    refused("dram:\n  device: hbm9-1.0\n",
            "b.yaml:2:11: error: there is no memory device 'hbm9-1.0'; did you mean 'hbm");
    refused("dram:\n  device: quux\n",
            "b.yaml:2:11: error: there is no memory device 'quux'; `heddle board devices` lists");
    refused("dram:\n  device: hbm3-6.4\n  stacks: -1\n",
            "b.yaml:3:11: error: dram.stacks must be a whole number (parts, 0 to 64)");
    refused("dram:\n  device: hbm3-6.4\n  stacks: 65\n",
            "b.yaml:3:11: error: dram.stacks is 65; it must be 0 to 64 parts");
    refused("dram:\n  device: hbm4-8.0\n  stacks: 40\n",
            "b.yaml:2:11: error: with hbm4-8.0, dram.channels is 1280; it must be 1 to 1024");
    refused("dram:\n  stacks: 2\n",
            "b.yaml:2:1: error: dram.stacks (2) counts the parts of dram.device, and no device is named");
    refused("dram.device: hbm3-6.4\ndram:\n  device: hbm3-5.2\n",
            "b.yaml:3:3: error: 'dram.device' is set twice, first in line 1");
    refused("dram:\n  device: {}\n", "b.yaml:2:11: error: 'dram.device' must be a single value");
    refused("dram:\n  devise: hbm3-6.4\n", "did you mean 'dram.device'?");
}

Test(devices, mistakes_in_devices) {
    device_refused("rcd: 3 assumed", "devices/mine.yaml:4:1: a memory device has no key 'rcd'; did you mean 'rc'?");
    device_refused("rp: 26", "devices/mine.yaml:4:5: rp: a number is followed by its basis");
    device_refused("rp: 26 guess", "devices/mine.yaml:4:8: a basis is one of datasheet, standard, vendor");
    device_refused("rp: 26 standard", "devices/mine.yaml:4:16: rp: 'standard' needs its source");
    device_refused("rp: 26 standard you", "devices/mine.yaml:4:17: rp: 'you' is none of the sources of this file");
    device_refused("rp: 26 standard me too", "devices/mine.yaml:4:20: rp: nothing follows the source");
    device_refused("rp: -26 assumed",
                   "devices/mine.yaml:4:5: rp is clocks, such as 20, or a time, such as 12.5ns, not '-26'");
    device_refused("rp: 26.5 assumed", "rp is clocks, such as 20, or a time");
    device_refused("width: 32ns assumed", "devices/mine.yaml:4:8: width is a whole number of bits, not '32ns'");
    device_refused("width: 0 assumed", "devices/mine.yaml:4:1: width must be more than 0");
    device_refused("rp: 26 assumed\nrp: 27 assumed", "devices/mine.yaml:5:1: 'rp' is set twice");
    device_refused("part: brick", "devices/mine.yaml:4:7: a part is one of stack, chip, package, module, not 'brick'");
    device_refused("part: chip", "stack_ids is for a part of dies on each other, a stack; a chip has none");
    device_refused("row_bytes: 1000 assumed",
                   "b.yaml:1:14: error: with mine, dram.row_bytes is 1000; it must be a power of two");
    snprintf(device_text, sizeof device_text, "standard: HBM3\n");
    refused("dram.device: mine\n", "devices/mine.yaml:1:1: gbps is missing: data rate of a pin");
    snprintf(device_text, sizeof device_text, "base: mine\n");
    refused("dram.device: mine\n", "at most 4 files");
    snprintf(device_text, sizeof device_text, "base: nothing\n");
    refused("dram.device: mine\n", "there is no memory device 'nothing'");
    snprintf(device_text, sizeof device_text, "- 1\n");
    refused("dram.device: mine\n", "a memory device is a list of 'key: value' lines");
}
