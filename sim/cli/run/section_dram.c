/*
 * The section of DRAM: where the time of its data buses went, over all channels, and of the busiest and the idlest one.
 * The parts of each column add up to 100 %. Then the hottest and the idlest bank, and the energy by command.
 */
#include "sim/cli/run/report.h"

#include <stdio.h>
#include <string.h>

#include "sim/cli/format.h"

static const char PREFIX[] = "dram_share.";

/* True if the metric is a part of the time of the data buses. */
static bool is_part(const struct heddle_metric *m) {
    return strncmp(m->name, PREFIX, sizeof PREFIX - 1) == 0 && !m->absent;
}

const struct heddle_metric *report_dram_part(const struct heddle_result *s, const struct heddle_metric *above) {
    const struct heddle_metric *best = NULL;
    for (u32 i = 0; i < s->nmetrics; i++) {
        const struct heddle_metric *m = &s->metrics[i];
        bool later = !above || m->value < above->value || (m->value == above->value && m > above);
        if (is_part(m) && strcmp(m->name, "dram_share.busy") != 0 && later && (!best || m->value > best->value))
            best = m;
    }
    return best;
}

static const struct table_column columns[] = {{"part", "DRAM", TABLE_WORD},
                                              {"percent", "share", TABLE_NUMBER},
                                              {"", "", TABLE_BAR},
                                              {"busiest_percent", "busiest", TABLE_NUMBER},
                                              {"idlest_percent", "idlest", TABLE_NUMBER},
                                              {"meaning", "meaning", TABLE_PROSE}};

static const struct heddle_channel *channel_of(const struct heddle_result *s, const char *metric) {
    u32 number = (u32)metric_or_zero(s, metric);
    return number < s->nchannels ? &s->channels[number] : NULL;
}

/* Adds the share of a part in the time of one channel. */
static void put_channel(struct table *t, const struct heddle_channel *c, const char *part) {
    char name[40];
    snprintf(name, sizeof name, "%s_cycles", part);
    const u64 *value = c ? heddle_channel_value(c, name) : NULL,
              *all = c ? heddle_channel_value(c, "bus_cycles") : NULL;
    if (!value || !all || !*all) {
        table_none(t);
        return;
    }
    table_number(t, 100 * (double)*value / (double)*all, format_share((double)*value, (double)*all));
}

/* The end of its documentation, after "TITLE, of the time of the data buses: ". */
static const char *meaning_of(const struct heddle_metric *m) {
    const char *colon = strchr(m->doc, ':');
    return colon ? colon + 2 : m->doc;
}

/* Adds the numbers of the two channels. */
static void put_numbers(struct table *t, const struct heddle_channel *busiest, const struct heddle_channel *idlest) {
    if (!busiest || !idlest)
        return;
    table_word(t, "channel");
    table_none(t);
    table_word(t, "");
    table_number(t, busiest->number, grouped(busiest->number));
    table_number(t, idlest->number, grouped(idlest->number));
    table_word(t, "their numbers, of equals the first");
}

/* ---- banks ---- */

static const struct table_column bank_columns[] = {{"part", "DRAM by bank", TABLE_WORD},
                                                   {"hottest_percent", "hottest", TABLE_NUMBER},
                                                   {"idlest_percent", "idlest", TABLE_NUMBER},
                                                   {"meaning", "", TABLE_PROSE}};

/* A bank, and its data bus. */
struct place {
    const struct heddle_channel *channel;
    const struct heddle_bank *bank;
};

static u64 counted(const struct place *p, const char *part) {
    char name[40];
    snprintf(name, sizeof name, "%s_cycles", part);
    const struct heddle_channel c = {.value = p->bank->value};
    return *heddle_channel_value(&c, name);
}

/* Finds the bank whose bursts took most of the time of its bus, or least; the first of equals. */
static struct place find_bank(const struct heddle_result *s, bool most) {
    struct place best = {0};
    for (u32 i = 0; i < s->nchannels; i++)
        for (u32 k = 0; k < s->channels[i].nbanks; k++) {
            const struct place p = {&s->channels[i], &s->channels[i].banks[k]};
            u64 own = counted(&p, "bus"), other = best.bank ? counted(&best, "bus") : 0;
            if (!best.bank || (most ? own > other : own < other))
                best = p;
        }
    return best;
}

static void put_share(struct table *t, const struct place *p, const char *part) {
    double all = (double)*heddle_channel_value(p->channel, "bus_cycles"), own = (double)counted(p, part);
    if (all > 0)
        table_number(t, 100 * own / all, format_share(own, all));
    else
        table_none(t);
}

static void put_place(struct table *t, const char *what, u32 hottest, u32 idlest, const char *meaning) {
    table_word(t, what);
    table_number(t, hottest, grouped(hottest));
    table_number(t, idlest, grouped(idlest));
    table_word(t, meaning);
}

/* Adds the parts of the two banks, in the time of their data buses. */
static void put_banks(struct run_report *r, const struct heddle_result *s) {
    const struct place hottest = find_bank(s, true), idlest = find_bank(s, false);
    if (!hottest.bank)
        return;
    struct table *t = report_table(r, "dram_banks", bank_columns, COUNT_OF(bank_columns));
    for (u32 i = 0; i < s->nmetrics; i++) {
        const struct heddle_metric *m = &s->metrics[i];
        const char *part = m->name + sizeof PREFIX - 1;
        if (!is_part(m) || strcmp(part, "idle") == 0)
            continue;
        char title[64];
        snprintf(title, sizeof title, "%.*s", (int)strcspn(m->doc, ","), m->doc);
        table_word(t, title);
        put_share(t, &hottest, part);
        put_share(t, &idlest, part);
        table_word(t, "");
    }
    table_word(t, "all");
    put_share(t, &hottest, "bus");
    put_share(t, &idlest, "bus");
    table_word(t, "of its data bus: what its bursts took or made wait");
    put_place(t, "bank", hottest.bank->number, idlest.bank->number, "their numbers, of equals the first");
    put_place(t, "channel", hottest.channel->number, idlest.channel->number, "");
}

/* ---- the section ---- */

void section_dram(struct run_report *r, const struct heddle_result *s) {
    const struct heddle_channel *busiest = channel_of(s, "dram.busiest_channel_number");
    const struct heddle_channel *idlest = channel_of(s, "dram.idlest_channel_number");
    struct table *t = report_table(r, "dram", columns, COUNT_OF(columns));
    for (u32 i = 0; i < s->nmetrics; i++) {
        const struct heddle_metric *m = &s->metrics[i];
        if (!is_part(m))
            continue;
        char title[64];
        snprintf(title, sizeof title, "%.*s", (int)strcspn(m->doc, ","), m->doc);
        table_word(t, title);
        table_number(t, m->value, format_share(m->value, 100));
        table_bar(t, format_bar(m->value / 100, 20));
        put_channel(t, busiest, m->name + sizeof PREFIX - 1);
        put_channel(t, idlest, m->name + sizeof PREFIX - 1);
        table_word(t, meaning_of(m));
    }
    put_numbers(t, busiest, idlest);
    put_banks(r, s);
    report_dram_energy(r, s);
}
