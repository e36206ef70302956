/*
 * `heddle run --ideal`: the same launches on boards that lack a loss each (sim/board/ideal.def), what that gains beside
 * the run as the board has it. Results there are not checked: without barriers they may be wrong.
 */
#include "sim/cli/run/run.h"

#include <stdio.h>
#include <string.h>

#include "sim/cli/progress.h"
#include "sim/file/computer.h"

/* A run that issues LONGER times the instructions, and SPARE more, is given up. */
enum { LONGER = 4, SPARE = 100000 };

static const struct table_column columns[] = {{"without", "without", TABLE_WORD},
                                              {"cycles", "cycles", TABLE_NUMBER},
                                              {"gain", "gain", TABLE_NUMBER},
                                              {"promised", "advice: up to", TABLE_NUMBER},
                                              {"fault", "", TABLE_WORD}};

/* Finds the name of a fault among those that outlive its run. */
static const char *lasting(struct arena *a, const char *kind) {
    return kind ? arena_strndup(a, kind, strlen(kind)) : "not ended";
}

static int run_one(struct run *of, const struct heddle_ideal *row) {
    struct run_ideal *to = &of->report.ideal;
    struct run r = {.ideal = row->settings};
    u64 most = LONGER * of->report.warp_instructions + SPARE;
    r.options.launch.max_instructions = of->options.launch.max_instructions ? 0 : most;
    int status = run_again(&r, of, NULL);
    if (status == EXIT_OK) {
        bool ended = r.report.status == HEDDLE_OK;
        to->why[to->n] = ended ? NULL : lasting(&of->options.arena, r.result.fault.kind);
        to->cycles[to->n++] = ended ? r.report.cycles : 0;
    }
    run_close(&r);
    return status;
}

int run_ideals(struct run *r) {
    struct heddle_ideal row;
    int status = EXIT_OK;
    for (u32 i = 0; i < RUN_IDEALS && status == EXIT_OK && heddle_ideal(i, &row); i++)
        status = run_one(r, &row);
    if (progress_interrupted())
        return EXIT_INTERRUPTED;
    if (status == EXIT_OK && (r->options.csv || r->options.markdown))
        run_ideals_keep(&r->report);
    return status;
}

/* ---- what is shown ---- */

static double gain_of(const struct run_report *r, u32 i) {
    return r->ideal.cycles[i] ? (double)r->cycles / (double)r->ideal.cycles[i] : 0;
}

/* Finds what the advice on the last launch promises by that rule; 0 = no such advice. */
static double promised(const struct run_report *r, const char *rule) {
    for (u32 i = 0; rule && i < r->last->nadvice; i++)
        if (strcmp(r->last->advice[i].rule, rule) == 0)
            return r->last->advice[i].gain;
    return 0;
}

static void put_gain(struct table *t, double gain) {
    struct short_text times;
    snprintf(times.text, sizeof times.text, "%.2fx", gain);
    if (gain > 0)
        table_number(t, gain, times);
    else
        table_none(t);
}

static void put(struct table *t, const char *title, u64 cycles, double gain) {
    table_word(t, title);
    if (cycles)
        table_number(t, (double)cycles, grouped(cycles));
    else
        table_none(t);
    put_gain(t, gain);
}

static void fill(const struct run_report *r, struct table *t) {
    struct heddle_ideal row;
    put(t, "nothing", r->cycles, 1);
    table_none(t);
    table_word(t, "");
    for (u32 i = 0; i < r->ideal.n && heddle_ideal(i, &row); i++) {
        put(t, row.title, r->ideal.cycles[i], gain_of(r, i));
        put_gain(t, promised(r, row.rule));
        table_word(t, r->ideal.why[i] ? r->ideal.why[i] : "");
    }
}

void run_ideals_text(const struct run_report *r, struct buf *out) {
    struct table t = {.name = "ideal", .column = columns, .columns = COUNT_OF(columns)};
    if (!r->ideal.n)
        return;
    fill(r, &t);
    buf_putc(out, '\n');
    if (table_complete(&t, out))
        table_text(&t, terminal_width(), out);
    table_free(&t);
}

void run_ideals_keep(struct run_report *r) {
    r->into = &r->kept;
    fill(r, report_table(r, "ideal", columns, COUNT_OF(columns)));
}

json_t *run_ideals_json(const struct run_report *r) {
    json_t *list = json_list();
    struct heddle_ideal row;
    for (u32 i = 0; i < r->ideal.n && heddle_ideal(i, &row); i++) {
        u64 cycles = r->ideal.cycles[i];
        double advised = promised(r, row.rule);
        json_add(list, json_make("{s:s,s:s,s:s,s:o,s:o,s:o,s:o}", "name", row.name, "without", row.title, "settings",
                                 row.settings, "cycles", cycles ? json_u64(cycles) : json_null(), "gain",
                                 cycles ? json_number(gain_of(r, i)) : json_null(), "promised",
                                 advised > 0 ? json_number(advised) : json_null(), "fault",
                                 cycles ? json_null() : json_text(r->ideal.why[i])));
    }
    return list;
}
