/* heddle board peaks, check, devices, links: memory of boards beside each other and beside what they name; links. */
#include "sim/cli/board/board.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/ui.h"
#include "sim/file/computer.h"

double board_number(struct heddle *h, const char *key) {
    struct heddle_board_value v;
    if (!heddle_board_value(h, key, &v))
        BUG("a key that no board has");
    return v.number;
}

static double peak_of(const struct heddle *h, const char *name) {
    struct heddle_board_peak p;
    for (u32 i = 0; heddle_board_peak(h, i, &p); i++)
        if (strcmp(p.name, name) == 0)
            return p.value;
    BUG("a peak that no board has");
}

/* ---- peaks ---- */

static const struct table_column columns[] = {{"board", "board", TABLE_WORD},
                                              {"device", "memory", TABLE_WORD},
                                              {"parts", "parts", TABLE_NUMBER},
                                              {"channels", "channels", TABLE_NUMBER},
                                              {"gbs", "GB/s", TABLE_NUMBER},
                                              {"refreshed_gbs", "refreshed", TABLE_NUMBER},
                                              {"line_gbs", "lines at random", TABLE_NUMBER},
                                              {"row_gbs", "bursts at random", TABLE_NUMBER},
                                              {"capacity_gib", "GiB", TABLE_NUMBER},
                                              {"latency_ns", "latency ns", TABLE_NUMBER},
                                              {"energy_pj_byte", "pJ/byte", TABLE_NUMBER},
                                              {"full_w", "W at the peak", TABLE_NUMBER}};

static void put_number(struct table *t, double value) {
    struct short_text shown;
    snprintf(shown.text, sizeof shown.text, "%.*f", value < 10 && value > floor(value) ? 2 : 0, value);
    if (value > 0)
        table_number(t, value, shown);
    else
        table_none(t);
}

static void put_board(struct table *t, struct heddle *h, const char *title) {
    double energy = peak_of(h, "dram_energy"), gbs = peak_of(h, "dram_gbs");
    const char *device = heddle_board_device(h);
    table_word(t, title);
    if (device)
        table_word(t, device);
    else
        table_none(t);
    put_number(t, board_number(h, "dram.stacks"));
    put_number(t, board_number(h, "dram.channels"));
    put_number(t, gbs);
    put_number(t, peak_of(h, "dram_refreshed_gbs"));
    put_number(t, fmin(gbs, peak_of(h, "dram_line_gbs")));
    put_number(t, peak_of(h, "dram_row_gbs"));
    put_number(t, board_number(h, "dram.capacity_gib"));
    put_number(t, peak_of(h, "dram_latency") * 1000 / board_number(h, "clock_mhz"));
    put_number(t, energy);
    put_number(t, energy * gbs / 1000);
}

/* Writes a table, and frees it; `format` is that of JSON. */
static bool put_table(struct table *t, const char *format, enum compare_form form, struct buf *out) {
    switch (form) {
    case COMPARE_TEXT: table_text(t, terminal_width(), out); break;
    case COMPARE_CSV: table_csv(t, out); break;
    case COMPARE_MARKDOWN: table_markdown(t, out); break;
    case COMPARE_JSON: {
        json_t *all = json_make("{s:s,s:s,s:o}", "format", format, "heddle", heddle_version(), "rows", json_table(t));
        if (!json_write(all, out))
            out->failed = true;
        json_decref(all);
    }
    }
    table_free(t);
    return !out->failed;
}

bool board_peaks_put(const void *ctx, enum compare_form form, struct buf *out) {
    const struct board_compare *b = ctx;
    struct table t = {.name = "memory", .column = columns, .columns = COUNT_OF(columns)};
    for (u32 i = 0; i < b->n; i++)
        put_board(&t, b->board[i], b->title[i].text);
    return put_table(&t, "heddle-board-peaks-1", form, out);
}

/* ---- links ---- */

static const struct table_column link_columns[] = {
    {"link", "link", TABLE_WORD},          {"gbs", "GB/s", TABLE_NUMBER},      {"gbs_basis", "basis", TABLE_WORD},
    {"data_gbs", "of data", TABLE_NUMBER}, {"latency_us", "us", TABLE_NUMBER}, {"latency_basis", "basis", TABLE_WORD},
    {"pj_bit", "pJ/bit", TABLE_NUMBER},    {"pj_basis", "basis", TABLE_WORD},  {"doc", "what", TABLE_PROSE}};

bool board_links_put(const void *ctx, enum compare_form form, struct buf *out) {
    struct table t = {.name = "links", .column = link_columns, .columns = COUNT_OF(link_columns)};
    struct heddle_link_info link;
    (void)ctx;
    for (u32 i = 0; heddle_link_info(i, &link); i++) {
        table_word(&t, link.name);
        put_number(&t, link.gbs);
        table_word(&t, link.gbs_basis);
        put_number(&t, link.data_gbs);
        put_number(&t, link.latency_us);
        table_word(&t, link.latency_basis);
        put_number(&t, link.pj_bit);
        table_word(&t, link.pj_basis);
        table_word(&t, form == COMPARE_TEXT ? link.doc : link.source);
    }
    return put_table(&t, "heddle-board-links-1", form, out);
}

/* ---- check ---- */

bool board_check_put(const struct board_compare *b, struct buf *out) {
    bool clean = true;
    for (u32 i = 0; i < b->n; i++) {
        const char *device = heddle_board_device(b->board[i]), *line;
        char *list = heddle_board_findings(b->board[i], NULL);
        if (!device)
            buf_printf(out, "%s: names no memory device (dram.device)\n", b->title[i].text);
        else if (list && !*list)
            buf_printf(out, "%s: as %s\n", b->title[i].text, device);
        for (line = list ? list : ""; *line; line += strcspn(line, "\n") + 1)
            buf_printf(out, "%s: %.*s\n", b->title[i].text, (int)strcspn(line, "\n"), line);
        clean &= list && !*list;
        heddle_release(list);
    }
    return clean;
}

/* ---- devices ---- */

void board_device_dir_open(struct resource_dir *s) {
    resource_dir_open(s, "configs/devices", "memory device", ".yaml", "# ");
}

bool board_devices(const char *const *names, size_t n) {
    struct resource_dir s;
    struct buf text = {0};
    char path[RESOURCE_PATH + 300];
    bool ok = true;
    board_device_dir_open(&s);
    if (!n)
        ok = resource_dir_list(&s);
    for (size_t i = 0; i < n && ok; i++) {
        if (resource_dir_own(&s, names[i], path, sizeof path))
            ok = file_read(path, &text);
        else
            ok = ui_error("there is no memory device '%.60s'; `heddle board devices` lists them", names[i]);
    }
    if (ok && n)
        fwrite(text.data, 1, text.len, stdout);
    resource_dir_close(&s);
    buf_free(&text);
    return ok;
}
