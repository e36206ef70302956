/* The clock's counts as the API shows them: copies, in the context's result arena. */
#include "sim/api/result.h"

#include <string.h>

static struct heddle_metric metric_of(const struct metric *m) {
    return (struct heddle_metric){.name = m->name,
                                  .unit = m->unit,
                                  .doc = m->doc,
                                  .formula = m->formula,
                                  .value = m->value,
                                  .whole = m->whole,
                                  .absent = m->absent};
}

/* True if a metric is of SMs alone, not of what launches share. */
static bool of_sms(const struct metric *m) {
    static const char *const shared[] = {"l2", "dram"};
    for (u32 i = 0; i < COUNT_OF(shared); i++)
        if (strstr(m->name, shared[i]) || strstr(m->formula, shared[i]))
            return false;
    return strncmp(m->name, "energy.", 7) != 0 && strncmp(m->name, "power.", 6) != 0;
}

static bool fill_metrics(struct heddle *h, const struct totals *t, bool part, struct heddle_result *r) {
    struct buf all = {0};
    metrics_list(t, &all);
    const struct metric *m = (const struct metric *)(const void *)all.data;
    u32 n = (u32)(all.len / sizeof *m);
    struct heddle_metric *list = arena_alloc(&h->result, n * sizeof *list);
    bool ok = list && !all.failed;
    for (u32 i = 0; ok && i < n; i++)
        if (!part || of_sms(&m[i]))
            list[r->nmetrics++] = metric_of(&m[i]);
    buf_free(&all);
    r->metrics = list;
    return ok;
}

static struct heddle_energy energy_of(const struct board *b, const struct energy_part *part) {
    const struct board_range range = board_range(b, part->field);
    const double value = board_value(b, part->field);
    return (struct heddle_energy){.name = board_fields[part->field].key,
                                  .count = part->count,
                                  .value = value,
                                  .picojoules = part->count * value,
                                  .low = part->count * range.low,
                                  .high = part->count * range.high,
                                  .basis = basis_names[b->basis[part->field]],
                                  .ranged = range.given};
}

u32 result_energy(const struct totals *t, bool dram, struct heddle_energy *list) {
    struct energy_part part[ENERGY_PARTS];
    u32 n = 0;
    energy_parts(t, part);
    for (u32 i = 0; i < ENERGY_PARTS; i++)
        if (part[i].given && (!dram || strstr(board_fields[part[i].field].key, ".dram")))
            list[n++] = energy_of(t->board, &part[i]);
    return n;
}

static bool fill_energy(struct heddle *h, const struct totals *t, struct heddle_result *r) {
    struct heddle_energy *list = arena_alloc(&h->result, ENERGY_PARTS * sizeof *list);
    r->energy = list;
    r->nenergy = list ? result_energy(t, false, list) : 0;
    return list;
}

/* True if a buffer has traffic. With warm caches, a buffer of an earlier launch may still be written back. */
static bool touched(const struct traffic *t) {
    return t->requests || t->dram_read_bytes || t->dram_write_bytes;
}

static bool fill_traffic(struct heddle *h, const struct totals *t, struct heddle_result *r) {
    struct heddle_traffic *list = arena_alloc(&h->result, t->allocations * sizeof *list);
    u64 *value = arena_alloc(&h->result, (size_t)t->allocations * TRAFFIC_COLUMNS * sizeof *value);
    if (!list || !value)
        return false;
    for (u32 i = 0; i < t->allocations; i++) {
        if (!touched(&t->traffic[i]))
            continue;
        const char *name = arena_strndup(&h->result, t->allocation[i], strlen(t->allocation[i]));
        if (!name)
            return false;
        list[r->ntraffic++] = (struct heddle_traffic){name, value, traffic_energy(t->board, &t->traffic[i])};
#define TRAFFIC(name, unit, relation, total, doc) *value++ = t->traffic[i].name;
#include "sim/stat/counters.def"
    }
    r->traffic = list;
    return true;
}

/* The time of the data bus that a bank took or made it wait for. */
static u64 bank_cycles(const struct dram_counters *c) {
    u64 sum = 0;
#define PART(name, title, doc) sum += c->name##_cycles;
#include "sim/stat/counters.def"
    return sum;
}

static bool fill_banks(struct heddle *h, const struct totals *t, struct heddle_channel *list, u32 n) {
    u32 banks = board_banks(&t->board->dram);
    struct heddle_bank *bank = arena_alloc(&h->result, (size_t)n * banks * sizeof *bank);
    struct dram_counters *value = arena_alloc(&h->result, (size_t)n * banks * sizeof *value);
    if (!bank || !value)
        return false;
    for (u32 i = 0; i < n * banks; i++) {
        value[i] = t->bank[i];
        value[i].bus_cycles = bank_cycles(&value[i]);
        bank[i] = (struct heddle_bank){i % banks, (const u64 *)(const void *)&value[i]};
    }
    for (u32 i = 0; i < n; i++) {
        list[i].nbanks = banks;
        list[i].banks = &bank[(size_t)i * banks];
    }
    return true;
}

static bool fill_channels(struct heddle *h, const struct totals *t, struct heddle_result *r) {
    enum { COLUMNS = sizeof *t->channel / sizeof(u64) };
    u32 n = board_buses(&t->board->dram);
    struct heddle_channel *list = arena_alloc(&h->result, n * sizeof *list);
    u64 *value = arena_alloc(&h->result, (size_t)n * sizeof *t->channel);
    if (!list || !value)
        return false;
    memcpy(value, t->channel, n * sizeof *t->channel);
    for (u32 i = 0; i < n; i++)
        list[i] = (struct heddle_channel){.number = i, .value = value + (size_t)i * COLUMNS};
    r->channels = list;
    r->nchannels = n;
    return !t->bank || fill_banks(h, t, list, n);
}

static bool fill_lines(struct heddle *h, const struct launch *l, const struct totals *t, struct heddle_result *r) {
    struct heddle_line_count *list = (struct heddle_line_count *)(uintptr_t)r->lines; /* in the result arena */
    u64 *stalls = arena_alloc(&h->result, (size_t)r->nlines * STALL_COUNT * sizeof *stalls);
    u64 *value = arena_alloc(&h->result, (size_t)r->nlines * LINE_COLUMNS * sizeof *value);
    u32 n = 0;
    if (!stalls || !value)
        return false;
    for (u32 pc = 0; pc < t->ninst && n < r->nlines; pc++) {
        if (!result_lists(l, pc))
            continue;
        const struct line_counters *from = &t->line[pc];
        memcpy(stalls, from->stall, sizeof from->stall);
        list[n].stall = stalls;
        list[n++].value = value;
        stalls += STALL_COUNT;
#define LINE(name, unit, total, doc) *value++ = from->name;
#include "sim/stat/counters.def"
    }
    return true;
}

static const char *limiter_of(struct heddle *h, const struct totals *t, bool sampled) {
    struct buf text = {0};
    limiter_sentence(t, &text);
    if (sampled && text.len && text.data[text.len - 1] == '.')
        text.len--;
    buf_puts(&text, sampled ? "; extrapolated from a sample of the blocks." : "");
    const char *copy = text.failed ? NULL : arena_strndup(&h->result, text.data, text.len);
    buf_free(&text);
    return copy;
}

/* Writes the text of an advice with its line: "(line 14)", "(find.hd:14)". */
static const char *advice_text(struct heddle *h, const struct advice *a, const struct line_place *at) {
    struct buf text = {0};
    buf_puts(&text, a->text);
    if (at->line && at->file)
        buf_printf(&text, " (%s:%u)", at->file, at->line);
    else if (at->line)
        buf_printf(&text, " (line %u)", at->line);
    const char *copy = text.failed ? NULL : arena_strndup(&h->result, text.data, text.len);
    buf_free(&text);
    return copy;
}

/* Finds the first advice that makes the same work faster, by a rule whose row is below `row`; `n` if there is none. */
static u32 first_faster(const struct advice *a, u32 n, u32 row) {
    u32 i = 0;
    while (i < n && (a[i].more || a[i].row >= row))
        i++;
    return i;
}

/*
 * Chooses the hint: the first advice of the list. If that is to add work, advice on waste in the code takes precedence,
 * since more blocks would waste it too: the rules above it in the table. Rules that only hide latency have lower rows.
 */
static const char *hint_of(struct heddle *h, const struct totals *t, const struct advice *a,
                           const struct heddle_result *r) {
    struct buf text = {0};
    const char *name, *action, *doc;
    u32 first = 0, next, n = r->nadvice;
    while (n && r->advice[n - 1].gain < ADVICE_LEAST)
        n--;
    bool small = n && a[0].more;
    next = small ? first_faster(a, n, a[0].row) : n;
    if (next < n) {
        first = next;
        next = 0;
    } else if (small) {
        next = first_faster(a, n, UINT32_MAX);
    }
    if (n)
        buf_puts(&text, r->advice[first].text);
    else
        advice_none(t, &text);
    if (next < n && advice_rule(a[next].row, &name, &action, &doc))
        buf_printf(&text, "; then %s", action);
    const char *copy = text.failed ? NULL : arena_strndup(&h->result, text.data, text.len);
    buf_free(&text);
    return copy;
}

static bool fill_advice(struct heddle *h, const struct launch *l, const struct totals *t, struct heddle_result *r) {
    struct buf all = {0};
    advice_list(t, &all);
    const struct advice *a = (const struct advice *)(const void *)all.data;
    u32 n = (u32)(all.len / sizeof *a);
    struct heddle_advice *list = arena_alloc(&h->result, n * sizeof *list);
    bool ok = list && !all.failed;
    for (u32 i = 0; ok && i < n; i++) {
        struct line_place at = {0};
        if (a[i].pc != ADVICE_NOWHERE)
            at = program_place(l->program, a[i].pc);
        list[i] = (struct heddle_advice){a[i].rule, a[i].gain, advice_text(h, &a[i], &at), at.file, at.line};
        ok = list[i].text;
    }
    r->advice = list;
    r->nadvice = ok ? n : 0;
    r->hint = ok ? hint_of(h, t, a, r) : NULL;
    buf_free(&all);
    return r->hint;
}

/* Reports counts that do not add up, a bug of heddle, in the result. */
static bool check(struct heddle *h, const struct totals *t, struct heddle_result *r) {
    struct buf why = {0};
    bool ok = true;
    if (!totals_check(t, &why))
        ok = !why.failed && (r->inconsistency = arena_strndup(&h->result, why.data, why.len)) != NULL;
    buf_free(&why);
    return ok;
}

static bool fill_time(struct heddle *h, const struct totals *t, struct heddle_result *r) {
    r->timed = true;
    r->cycles = t->cycles;
    r->overhead_cycles = t->board->launch.overhead_cycles;
    r->seconds = (double)t->cycles / (t->board->clock_mhz * 1e6);
    r->board = arena_strndup(&h->result, t->board->name, strlen(t->board->name));
    r->occupancy_limit = heddle_limit_name(t->occupancy.limit, NULL);
    r->nstalls = STALL_COUNT;
    return r->board;
}

bool result_fill_part(struct heddle *h, const struct launch *l, const struct gpu_result *g, struct heddle_result *r) {
    r->limiter = "shares the board with other launches: what bounds these together is the board's";
    r->hint = "none for a launch that shares its board: run it alone";
    return fill_time(h, &g->totals, r) && fill_metrics(h, &g->totals, true, r) && fill_lines(h, l, &g->totals, r);
}

static bool fill_board(struct heddle *h, const struct totals *t, struct heddle_result *r) {
    if ((!r->sampled && !check(h, t, r)) || !fill_time(h, t, r))
        return false;
    r->limiter = limiter_of(h, t, r->sampled);
    return r->limiter && fill_metrics(h, t, false, r) && fill_energy(h, t, r) && fill_traffic(h, t, r) &&
           (!t->channel || fill_channels(h, t, r));
}

bool result_fill_board(struct heddle *h, const struct gpu_result *g, struct heddle_result *r) {
    r->hint = "none for several launches: run each alone";
    return fill_board(h, &g->totals, r);
}

bool result_fill_timed(struct heddle *h, const struct launch *l, const struct gpu_result *g, struct heddle_result *r) {
    const struct totals *t = &g->totals;
    return fill_board(h, t, r) && fill_lines(h, l, t, r) && fill_advice(h, l, t, r);
}

bool result_fill_sampled(struct heddle *h, const struct gpu_result *g, struct heddle_result *r) {
    r->hint = "none for a sampled launch: time all of its blocks";
    return fill_board(h, &g->totals, r);
}

const char *heddle_stall_name(uint32_t index, const char **doc) {
    static const struct {
        const char *name, *doc;
    } stalls[] = {
#define STALL(id, name, wait, doc) {name, doc},
#include "sim/stat/counters.def"
    };
    if (index >= STALL_COUNT)
        return NULL;
    if (doc)
        *doc = stalls[index].doc;
    return stalls[index].name;
}

static const struct heddle_column_info traffic_columns[] = {
#define TRAFFIC(name, unit, relation, total, doc) {#name, unit, doc},
#include "sim/stat/counters.def"
};

/* What a channel counts: the counters of the group dram. */
static const struct heddle_column_info channel_columns[] = {
#define COLUMN_sm(...)
#define COLUMN_l1(...)
#define COLUMN_noc(...)
#define COLUMN_l2(...)
#define COLUMN_dram(name, unit, doc) {name, unit, doc},
#define COUNTER(group, name, unit, doc) COLUMN_##group(#name, unit, doc)
#include "sim/stat/counters.def"
};

static const struct heddle_column_info line_columns[] = {
#define LINE(name, unit, total, doc) {#name, unit, doc},
#include "sim/stat/counters.def"
};

bool heddle_traffic_column(uint32_t index, struct heddle_column_info *column) {
    if (index < TRAFFIC_COLUMNS)
        *column = traffic_columns[index];
    return index < TRAFFIC_COLUMNS;
}

bool heddle_channel_column(uint32_t index, struct heddle_column_info *column) {
    if (index < COUNT_OF(channel_columns))
        *column = channel_columns[index];
    return index < COUNT_OF(channel_columns);
}

bool heddle_line_column(uint32_t index, struct heddle_column_info *column) {
    if (index < LINE_COLUMNS)
        *column = line_columns[index];
    return index < LINE_COLUMNS;
}

static const u64 *find_value(const struct heddle_column_info *columns, u32 n, const char *name, const u64 *value) {
    for (u32 i = 0; i < n && value; i++)
        if (strcmp(columns[i].name, name) == 0)
            return &value[i];
    return NULL;
}

const uint64_t *heddle_traffic_value(const struct heddle_traffic *traffic, const char *column) {
    return find_value(traffic_columns, TRAFFIC_COLUMNS, column, traffic->value);
}

const uint64_t *heddle_channel_value(const struct heddle_channel *channel, const char *column) {
    return find_value(channel_columns, COUNT_OF(channel_columns), column, channel->value);
}

const uint64_t *heddle_line_value(const struct heddle_line_count *line, const char *column) {
    return find_value(line_columns, LINE_COLUMNS, column, line->value);
}

const char *heddle_limit_name(uint32_t index, const char **title) {
    static const struct {
        const char *name, *title;
    } limits[] = {
#define LIMIT(id, name, title, doc) {name, title},
#include "sim/stat/limits.def"
    };
    if (index >= LIMIT_COUNT)
        return NULL;
    if (title)
        *title = limits[index].title;
    return limits[index].name;
}

bool heddle_metric_row(uint32_t index, struct heddle_metric *row) {
    struct metric m;
    bool there = metric_row(index, &m);
    if (there)
        *row = metric_of(&m);
    return there;
}

bool heddle_advice_rule(uint32_t index, const char **name, const char **action, const char **doc) {
    return advice_rule(index, name, action, doc);
}
