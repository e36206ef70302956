/* Sections of a timed launch: occupancy and energy. */
#include "sim/cli/run/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/format.h"

/* ---- occupancy ---- */

static const struct table_column occupancy_columns[] = {{"fact", "occupancy", TABLE_WORD},
                                                        {"value", "", TABLE_NUMBER},
                                                        {"note", "", TABLE_PROSE}};

/* Adds a metric, and the text after it. */
static void put_metric(struct table *t, const struct heddle_result *s, const char *fact, const char *metric,
                       const char *note) {
    double value;
    table_word(t, fact);
    if (format_metric(s, metric, &value))
        table_number(t, value, format_metric_number(s, metric));
    else
        table_none(t);
    table_word(t, note);
}

static const char *limit_title(const char *name) {
    const char *limit, *title;
    for (u32 i = 0; (limit = heddle_limit_name(i, &title)); i++)
        if (strcmp(limit, name) == 0)
            return title;
    return "";
}

void section_occupancy(struct run_report *r, const struct heddle_result *s) {
    struct table *t = report_table(r, "occupancy", occupancy_columns, COUNT_OF(occupancy_columns));
    const char *limit, *title;
    char note[80], fact[80], metric[80];
    snprintf(note, sizeof note, "of %.0f, limited by %s", report_board_value(r, "sm.max_warps"),
             limit_title(s->occupancy_limit));
    put_metric(t, s, "warps per SM", "occupancy.warps", note);
    snprintf(note, sizeof note, "warps per SM on average, %s %%", format_metric_number(s, "occupancy.achieved").text);
    put_metric(t, s, "achieved", "occupancy.warps_active", note);
    put_metric(t, s, "blocks per SM", "occupancy.blocks", "");
    for (u32 i = 0; (limit = heddle_limit_name(i, &title)); i++) {
        snprintf(fact, sizeof fact, "  by %s", title);
        snprintf(metric, sizeof metric, "occupancy.by_%s", limit);
        put_metric(t, s, fact, metric, "");
    }
    put_metric(t, s, "registers per block", "occupancy.registers", "");
    put_metric(t, s, "shared memory per block", "occupancy.shared", "bytes");
    put_metric(t, s, "L1 per SM", "occupancy.l1_bytes", "bytes");
    snprintf(note, sizeof note, "of %.0f", report_board_value(r, "sms"));
    put_metric(t, s, "SMs used", "launch.sms_used", note);
    put_metric(t, s, "waves per SM", "launch.waves", "");
}

/* ---- energy ---- */

static const struct table_column energy_columns[] = {
    {"event", "energy", TABLE_WORD},    {"joules", "", TABLE_NUMBER},
    {"percent", "share", TABLE_NUMBER}, {"", "", TABLE_BAR},
    {"note", "", TABLE_PROSE},
};

/* Formats events. Registers of warps narrower than 32 lanes are parts of an event. */
static struct short_text format_events(double events) {
    return fabs(events - round(events)) < 0.005 ? grouped((u64)llround(events)) : format_number(events);
}

static void put_joules(struct table *t, const char *what, double joules, double all, const char *note) {
    table_word(t, what);
    table_number(t, joules, format_si(joules, "J"));
    if (all > 0) {
        table_number(t, 100 * joules / all, format_share(joules, all));
        table_bar(t, format_bar(joules / all, 10));
    } else {
        table_word(t, "");
        table_word(t, "");
    }
    table_word(t, note);
}

/* Adds the energy of an event, if there is any. */
static void put_event(struct table *t, const struct heddle_result *s, const struct heddle_energy *part) {
    static const char events[] = "energy.";
    char note[120];
    if (part->picojoules <= 0 || strncmp(part->name, events, sizeof events - 1) != 0)
        return;
    snprintf(note, sizeof note, "%s x %s pJ, %s", format_events(part->count).text, format_number(part->value).text,
             part->basis);
    put_joules(t, part->name + sizeof events - 1, 1e-12 * part->picojoules, metric_or_zero(s, "energy.dynamic"), note);
}

/* "110 nJ to 430 nJ", what an energy may be by the ranges of the board's numbers. */
struct bounds_text {
    char text[120];
};

static struct bounds_text format_bounds(const struct heddle_result *s, const char *low, const char *high) {
    struct bounds_text t = {"bounds unknown"};
    double least, most;
    if (format_metric(s, low, &least) && format_metric(s, high, &most))
        snprintf(t.text, sizeof t.text, "%s to %s", format_si(least, "J").text, format_si(most, "J").text);
    return t;
}

static void put_totals(struct table *t, const struct heddle_result *s) {
    char note[260];
    snprintf(note, sizeof note, "%s; %s of it assumed",
             format_bounds(s, "energy.dynamic_low", "energy.dynamic_high").text,
             format_share(metric_or_zero(s, "energy.assumed"), 100).text);
    put_joules(t, "total dynamic", metric_or_zero(s, "energy.dynamic"), 0, note);
    double standby = metric_or_zero(s, "energy.standby");
    snprintf(note, sizeof note, "chip %s, SMs idle %s, SMs active %s%s%s",
             format_si(metric_or_zero(s, "energy.constant"), "J").text,
             format_si(metric_or_zero(s, "energy.idle"), "J").text,
             format_si(metric_or_zero(s, "energy.active"), "J").text, standby > 0 ? ", DRAM " : "",
             standby > 0 ? format_si(standby, "J").text : "");
    put_joules(t, "static energy", metric_or_zero(s, "energy.static"), 0, note);
    snprintf(note, sizeof note, "%s; %s W on average", format_bounds(s, "energy.total_low", "energy.total_high").text,
             format_metric_number(s, "power.average").text);
    put_joules(t, "total energy", metric_or_zero(s, "energy.total"), 0, note);
}

/* ---- DRAM by command ---- */

static const struct table_column command_columns[] = {
    {"event", "DRAM by command", TABLE_WORD},
    {"count", "events", TABLE_NUMBER},
    {"picojoules", "pJ each", TABLE_NUMBER},
    {"joules", "energy", TABLE_NUMBER},
    {"percent", "share", TABLE_NUMBER},
    {"", "", TABLE_BAR},
    {"note", "", TABLE_PROSE},
};

static bool is_command(const struct heddle_energy *part) {
    return strncmp(part->name, "energy.dram_", strlen("energy.dram_")) == 0 || strcmp(part->name, "power.dram_w") == 0;
}

static void put_command(struct table *t, const struct heddle_energy *part, double all) {
    bool power = strncmp(part->name, "power.", strlen("power.")) == 0;
    char note[120];
    table_word(t, strchr(part->name, '.') + 1 + strlen("dram_") * !power);
    if (power)
        table_none(t);
    else
        table_number(t, part->count, format_events(part->count));
    if (power)
        table_none(t);
    else
        table_number(t, part->value, format_number(part->value));
    table_number(t, 1e-12 * part->picojoules, format_si(1e-12 * part->picojoules, "J"));
    table_number(t, 100 * part->picojoules / all, format_share(part->picojoules, all));
    table_bar(t, format_bar(part->picojoules / all, 10));
    snprintf(note, sizeof note, "%s, %s to %s", part->basis ? part->basis : "no basis",
             format_si(1e-12 * part->low, "J").text, format_si(1e-12 * part->high, "J").text);
    table_word(t, note);
}

void report_dram_energy(struct run_report *r, const struct heddle_result *s) {
    double all = 0;
    for (u32 i = 0; i < s->nenergy; i++)
        all += is_command(&s->energy[i]) ? s->energy[i].picojoules : 0;
    struct table *t = all > 0 ? report_table(r, "dram_energy", command_columns, COUNT_OF(command_columns)) : NULL;
    for (u32 i = 0; t && i < s->nenergy; i++)
        if (is_command(&s->energy[i]) && s->energy[i].picojoules > 0)
            put_command(t, &s->energy[i], all);
}

/* ---- the section ---- */

static const struct table_column buffer_columns[] = {{"buffer", "L1, L2 and DRAM by buffer", TABLE_WORD},
                                                     {"joules", "energy", TABLE_NUMBER}};

void section_energy(struct run_report *r, const struct heddle_result *s) {
    struct table *t = report_table(r, "energy", energy_columns, COUNT_OF(energy_columns));
    for (u32 i = 0; i < s->nenergy; i++)
        put_event(t, s, &s->energy[i]);
    put_totals(t, s);
    t = report_table(r, "buffer_energy", buffer_columns, COUNT_OF(buffer_columns));
    for (u32 i = 0; i < s->ntraffic; i++) {
        table_word(t, s->traffic[i].name);
        table_number(t, s->traffic[i].energy, format_si(s->traffic[i].energy, "J"));
    }
}
