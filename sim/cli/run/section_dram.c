/*
 * The section of DRAM: where the time of its data buses went, over all channels, and of the busiest and the idlest one.
 * The parts of each column add up to 100 %.
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
    report_dram_energy(r, s);
}
