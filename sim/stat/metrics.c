/*
 * Metrics: every counter under its name, then what follows from them. Names and values are two walks over the same
 * tables in the same order, so a metric is its index in both.
 */
#include "sim/stat/totals.h"

#include <string.h>

#include "sim/stat/view.h"

/* ---- what there is ---- */

struct row {
    const char *name, *unit, *doc, *formula;
    bool whole;
};

static const struct row rows[] = {
#define COUNTER(group, name, unit, doc) {#group "." #name, unit, doc, "", true},
#define STALL(id, name, wait, doc) {"stall." name, "cycles", "cycles of warps: " doc, "", true},
#include "sim/stat/counters.def"
#define UNIT(id, name, doc) \
    {"unit." name ".busy_cycles", "cycles", "cycles that the unit was taken, summed over sub-cores: " doc, "", true}, \
        {"unit." name ".lanes", "instructions", "lanes that executed in it, summed: " doc, "", true},
#include "isa/classes.def"
#define WHOLE(name, unit, expression, doc) {name, unit, doc, "", true},
#define METRIC(name, unit, numerator, denominator, doc) {name, unit, doc, #numerator " / " #denominator, false},
#define LEVEL(id, unit, numerator, denominator, peak, title) \
    {"rate." #id, unit, title ": what was achieved", #numerator " / " #denominator, false}, \
        {"peak." #id, unit, title ": what the board can", #peak, false}, \
        {"sol." #id, "%", title ": speed of light, the share of the peak", "100 * rate." #id " / peak." #id, false},
#include "sim/stat/metrics.def"
#define STALL(id, name, wait, doc) \
    {"stall_share." name, "%", "of the time that warps were resident: " doc, "100 * stall." name " / sm.warp_cycles", \
     false}, \
        {"stall_per_instruction." name, "cycles", "for each warp-instruction that issued: " doc, \
         "stall." name " / sm.slots_issued", false},
#include "sim/stat/counters.def"
#define UNIT(id, name, doc) \
    {"unit." name ".utilisation", "%", "time that the unit was taken: " doc, \
     "100 * unit." name ".busy_cycles / (cycles * board.sms * board.sm.sub_cores)", false},
#include "isa/classes.def"
#define SPENT(event, given, expression, doc) \
    {"energy." #event, "J", doc, "1e-12 * board.energy." #event " * (" #expression ")", false},
#define DRAWN(name, key, given, expression, doc) \
    {"energy." #name, "J", doc, "board.power." #key " * " #expression, false},
#define JOULES(name, expression, doc) {name, "J", doc, #expression, false},
#define POWER(name, unit, numerator, denominator, doc) {name, unit, doc, #numerator " / " #denominator, false},
#include "sim/stat/metrics.def"
};

enum { ROWS = COUNT_OF(rows) };

struct ratio {
    double numerator, denominator;
};

/* ---- their values, in the same order ---- */

static struct ratio *list_counters(const struct view *v, struct ratio *out) {
#define COUNTER(group, name, unit, doc) *out++ = (struct ratio){v->group.name, 1};
#define STALL(id, name, wait, doc) *out++ = (struct ratio){v->stall.id, 1};
#include "sim/stat/counters.def"
#define UNIT(id, name, doc) \
    *out++ = (struct ratio){v->unit.id.busy_cycles, 1}; \
    *out++ = (struct ratio){v->unit.id.lanes, 1};
#include "isa/classes.def"
    return out;
}

static struct ratio *list_derived(const struct totals *t, const struct view *v, struct ratio *out) {
    VIEW_NAMES(t, v);
#define WHOLE(name, unit, expression, doc) *out++ = (struct ratio){expression, 1};
#define METRIC(name, unit, numerator, denominator, doc) *out++ = (struct ratio){numerator, denominator};
#define LEVEL(id, unit, numerator, denominator, peak, title) \
    *out++ = (struct ratio){numerator, denominator}; \
    *out++ = (struct ratio){peak, 1}; \
    *out++ = (struct ratio){100 * (numerator), (denominator) * (peak)};
#include "sim/stat/metrics.def"
    return out;
}

static struct ratio *list_shares(const struct totals *t, const struct view *v, struct ratio *out) {
#define STALL(id, name, wait, doc) \
    *out++ = (struct ratio){100 * v->stall.id, v->sm.warp_cycles}; \
    *out++ = (struct ratio){v->stall.id, v->sm.slots_issued};
#include "sim/stat/counters.def"
#define UNIT(id, name, doc) \
    *out++ = (struct ratio){100 * v->unit.id.busy_cycles, v->cycles * t->board->sms * t->board->sm.sub_cores};
#include "isa/classes.def"
    return out;
}

/* ---- energy ---- */

static double joules(const struct board *b, const struct energy_part *part) {
    return 1e-12 * board_value(b, part->field) * part->count;
}

/* Sum of parts of the energy, in joules; low, high: with every number at that end of its range. */
struct spent {
    double all, low, high;
    double assumed; /* of parts that are assumed */
    bool ranged;    /* all that is assumed has a range */
};

static void spend(const struct board *b, const struct energy_part *part, struct spent *sum) {
    struct board_range range = board_range(b, part->field);
    bool assumed = b->basis[part->field] == BASIS_ASSUMED;
    sum->all += joules(b, part);
    sum->low += 1e-12 * range.low * part->count;
    sum->high += 1e-12 * range.high * part->count;
    sum->assumed += assumed ? joules(b, part) : 0;
    sum->ranged &= !assumed || range.given || part->count == 0;
}

/* The energy of an event; of dram the sum of all from it to dram_io, where bursts or commands are 0. */
static struct ratio event_joules(const struct board *b, const struct energy_part *part, enum energy_event event) {
    double sum = 0;
    for (u32 i = event; i <= (event == ENERGY_dram ? ENERGY_dram_io : event); i++)
        sum += joules(b, &part[i]);
    return (struct ratio){sum, event == ENERGY_dram || part[event].given};
}

static struct ratio *list_energy(const struct totals *t, const struct view *v, struct ratio *out) {
    struct energy_part part[ENERGY_PARTS];
    struct spent events = {.ranged = true}, all;
    VIEW_NAMES(t, v);
    energy_parts(t, part);
    for (u32 i = 0; i < ENERGY_COUNT; i++)
        spend(&board, &part[i], &events);
    all = events;
    for (u32 i = ENERGY_COUNT; i < ENERGY_PARTS; i++)
        spend(&board, &part[i], &all);
    const double dynamic = events.all, assumed = events.assumed;
    const double memory = joules(&board, &part[ENERGY_l1]) + joules(&board, &part[ENERGY_l2]) +
                          event_joules(&board, part, ENERGY_dram).numerator -
                          joules(&board, &part[ENERGY_dram_refresh]);
#define DRAWN(name, key, given, expression, doc) const double name = (given) ? board.power.key * expression : 0;
#include "sim/stat/metrics.def"
#define SPENT(event, given, expression, doc) *out++ = event_joules(&board, part, ENERGY_##event);
#define DRAWN(name, key, given, expression, doc) *out++ = (struct ratio){name, given};
#define JOULES(name, expression, doc) *out++ = (struct ratio){expression, 1};
#define POWER(name, unit, numerator, denominator, doc) *out++ = (struct ratio){numerator, denominator};
#include "sim/stat/metrics.def"
    return out;
}

double traffic_energy(const struct board *b, const struct traffic *t) {
    double l1 = (double)t->sectors, l2 = (double)(t->l2_read_sectors + t->l2_write_sectors);
    double dram = (double)(t->dram_read_bytes + t->dram_write_bytes) / b->dram.burst_bytes * b->energy[ENERGY_dram];
    if (energy_by_command(b))
        dram = (double)t->dram_read_bytes / b->dram.burst_bytes * b->energy[ENERGY_dram_read] +
               (double)t->dram_write_bytes / b->dram.burst_bytes * b->energy[ENERGY_dram_write] +
               8 * (double)(t->dram_read_bytes + t->dram_write_bytes) * b->energy[ENERGY_dram_io] +
               (double)t->activates * b->energy[ENERGY_dram_activate];
    return 1e-12 * (l1 * b->energy[ENERGY_l1] + l2 * b->energy[ENERGY_l2] + dram);
}

/* ---- the list ---- */

static void list_values(const struct totals *t, struct ratio list[ROWS]) {
    struct view v;
    view_of(t, &v);
    struct ratio *end = list_counters(&v, list);
    end = list_derived(t, &v, end);
    end = list_shares(t, &v, end);
    end = list_energy(t, &v, end);
    if (end != list + ROWS)
        BUG("metrics and their names differ in number");
}

static struct metric metric_at(u32 i, const struct ratio *r) {
    struct metric m = {.name = rows[i].name,
                       .unit = rows[i].unit,
                       .doc = rows[i].doc,
                       .formula = rows[i].formula,
                       .whole = rows[i].whole,
                       .absent = !r || r->denominator == 0};
    m.value = m.absent ? 0 : r->numerator / r->denominator;
    return m;
}

void metrics_list(const struct totals *t, struct buf *out) {
    struct ratio list[ROWS];
    list_values(t, list);
    for (u32 i = 0; i < ROWS; i++) {
        struct metric m = metric_at(i, &list[i]);
        buf_append(out, &m, sizeof m);
    }
}

bool metric_row(u32 i, struct metric *m) {
    if (i < ROWS)
        *m = metric_at(i, NULL);
    return i < ROWS;
}

bool metric_value(const struct metric *list, const char *name, double *value) {
    for (u32 i = 0; i < ROWS; i++)
        if (strcmp(list[i].name, name) == 0) {
            *value = list[i].value;
            return !list[i].absent;
        }
    return false;
}
