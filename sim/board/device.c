#include "sim/board/device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/board/board.h"

const struct device_word device_bases[DEVICE_BASIS_COUNT] = {
#define DEVICE_BASIS(id, name, doc) [DEVICE_BASIS_##id] = {name, doc},
#include "sim/board/device.def"
};

const struct device_word device_parts[DEVICE_PART_COUNT] = {
#define DEVICE_PART(id, name, doc) [DEVICE_PART_##id] = {name, doc},
#include "sim/board/device.def"
};

/* Fields that rows of the table name beside those of the board. */
enum { BOARD_SHAPE = BOARD_FIELDS, BOARD_NONE = BOARD_FIELDS, MAY = 0, MUST = 1 };

const struct device_field_row device_fields[DEVICE_FIELDS] = {
#define DEVICE_FIELD(key, kind, field, need, unit, doc) \
    [DEVICE_##key] = {#key, unit, doc, BOARD_##field, DEVICE_KIND_##kind, need},
#include "sim/board/device.def"
};

static double number(const struct device *d, enum device_field field) {
    return d->value[field].number;
}

double device_clock_mhz(const struct device *d) {
    double bits = 8 * number(d, DEVICE_burst_bytes);
    return 1000 * number(d, DEVICE_gbps) * number(d, DEVICE_width) * number(d, DEVICE_burst_cycles) / bits;
}

/* Channels of a part, each of one pseudo channel or more. */
static double channels_of(const struct device *d) {
    return number(d, DEVICE_channels) / (d->value[DEVICE_pseudo].given ? number(d, DEVICE_pseudo) : 1);
}

/* A little below the whole number that a time is in clocks is still that number. */
double device_number(const struct device *d, enum device_field field, double mhz) {
    const struct device_value *v = &d->value[field];
    u32 key = device_fields[field].field;
    if (!v->given) /* none of it: the board's default */
        return key < BOARD_FIELDS ? board_fields[key].def : 0;
    return v->ns ? ceil(v->number * mhz / 1000 - 0.01) : v->number;
}

double device_ns(const struct device *d, enum device_field field) {
    const struct device_value *v = &d->value[field];
    return v->ns ? v->number : v->number * 1000 / device_clock_mhz(d);
}

double device_gbs(const struct device *d) {
    return number(d, DEVICE_gbps) * number(d, DEVICE_width) * number(d, DEVICE_channels) / 8;
}

/* ---- the board ---- */

static void put(struct board *b, enum board_field field, double value, const char *origin) {
    board_store(b, field, value);
    b->basis[field] = BASIS_NONE;
    snprintf(b->origin[field], sizeof b->origin[field], "%s", origin);
}

/* Sets a field, unless it is given as well; refuses what the board cannot have. */
static bool put_field(struct board_given *g, enum board_field field, double value, const char *origin) {
    const struct board_field_row *row = &board_fields[field];
    const struct span at = g->at[BOARD_DEVICE].len ? g->at[BOARD_DEVICE] : g->at[BOARD_dram_stacks];
    if (g->at[field].len)
        return true;
    if (value < row->min || value > row->max)
        return diag_error(g->diag, at, "with %s, %s is %g; it must be %g to %g", g->board->device.name, row->key, value,
                          row->min, row->max);
    if (row->kind == KIND_POWER2 && ((u64)value & ((u64)value - 1)) != 0)
        return diag_error(g->diag, at, "with %s, %s is %g; it must be a power of two", g->board->device.name, row->key,
                          value);
    put(g->board, field, value, origin);
    return true;
}

/* "hbm3-6.4.yaml:12, estimate" */
static struct short_text origin_of(const struct device_value *v) {
    struct short_text t;
    if (v->given)
        snprintf(t.text, sizeof t.text, "%.30s.yaml:%u, %s", v->file, v->line, device_bases[v->basis].name);
    else
        snprintf(t.text, sizeof t.text, "the device has none");
    return t;
}

/* A range, as shares of a value. */
struct shares {
    double least, most;
};
static const struct shares AS_IT_IS = {1, 1}, WITH_CONTROLLER = {1, 2}, WIDE = {0.5, 2}, WIDER = {0.5, 3};

/* Sets an energy, which is assumed in a range: controllers add to what is known of a device. */
static void put_energy(struct board_given *g, enum board_field field, double value, struct shares range,
                       const char *origin) {
    if (g->at[field].len)
        return;
    put(g->board, field, value, origin);
    g->board->basis[field] = BASIS_ASSUMED;
    g->board->range[field] = (struct board_range){range.least * value, range.most * value, true};
}

/* HBM2's energies, for devices whose own are not known: FGDRAM (MICRO 2017), table 3. */
static const double HBM2_ROW = 909.0 / 1024 /* pJ a byte of the row */, HBM2_READ = 2.68, HBM2_IO = 0.8 /* pJ a bit */;

/* The first of three that is given; NULL: none. */
static const struct device_value *first_given(const struct device *d, u32 a, u32 b, u32 c) {
    const u32 list[] = {a, b, c};
    for (u32 i = 0; i < COUNT_OF(list); i++)
        if (d->value[list[i]].given)
            return &d->value[list[i]];
    return NULL;
}

/* pJ of a burst by a figure for a bit, or as HBM2 has it. */
static void put_burst(struct board_given *g, enum board_field field, const struct device_value *v) {
    double bits = 8 * number(&g->board->device, DEVICE_burst_bytes);
    put_energy(g, field, round(bits * (v ? v->number : HBM2_READ)), v ? WITH_CONTROLLER : WIDE,
               v ? origin_of(v).text : "no figure: as HBM2's");
}

/* Rows of a bank that one of its refreshes takes: all of them in 32 ms. */
static double rows_of_refresh(const struct device *d) {
    double ids = d->value[DEVICE_stack_ids].given ? number(d, DEVICE_stack_ids) : 1;
    double banks = number(d, DEVICE_channels) * number(d, DEVICE_bank_groups) * number(d, DEVICE_banks) * ids;
    double rows = number(d, DEVICE_capacity_gib) * (1 << 30) / (banks * number(d, DEVICE_row_bytes));
    return rows * device_ns(d, DEVICE_refi) / 32e6;
}

/* Energies of the commands, for boards whose dram.energy is that. */
static void put_commands(struct board_given *g) {
    const struct device *d = &g->board->device;
    const struct device_value *row = &d->value[DEVICE_activate], *io = &d->value[DEVICE_io],
                              *refresh = &d->value[DEVICE_refresh];
    const struct device_value *read = first_given(d, DEVICE_read, DEVICE_access, DEVICE_access),
                              *write = first_given(d, DEVICE_write, DEVICE_read, DEVICE_access);
    double activate = row->given ? row->number : HBM2_ROW * number(d, DEVICE_row_bytes);
    put_energy(g, BOARD_energy_dram_activate, round(activate), WIDE,
               row->given ? origin_of(row).text : "no figure: 909 pJ a KB of the row, as HBM2's");
    put_burst(g, BOARD_energy_dram_read, read);
    put_burst(g, BOARD_energy_dram_write, write);
    put_energy(g, BOARD_energy_dram_refresh, round(refresh->given ? refresh->number : activate * rows_of_refresh(d)),
               WIDER, refresh->given ? origin_of(refresh).text : "no figure: an activate of each row due");
    if (io->given || !read)
        put_energy(g, BOARD_energy_dram_io, io->given ? io->number : HBM2_IO, WIDE,
                   io->given ? origin_of(io).text : "no figure: as HBM2's");
    else
        put_energy(g, BOARD_energy_dram_io, 0, AS_IT_IS, "in reads and writes");
}

/* Energies of the device: of a burst, where its reads have one, and of commands. */
static void put_energies(struct board_given *g) {
    const struct device *d = &g->board->device;
    const struct device_value *v = &d->value[DEVICE_access];
    if (v->given)
        put_energy(g, BOARD_energy_dram, round(v->number * 8 * number(d, DEVICE_burst_bytes)), WITH_CONTROLLER,
                   origin_of(v).text);
    put_commands(g);
}

/* All that the device has, in its own clocks. */
static bool put_device(struct board_given *g) {
    const struct device *d = &g->board->device;
    bool ok = put_field(g, BOARD_dram_clock_mhz, round(device_clock_mhz(d)), origin_of(&d->value[DEVICE_gbps]).text);
    for (u32 f = 0; f < DEVICE_FIELDS; f++)
        if (device_fields[f].field != BOARD_FIELDS)
            ok = put_field(g, (enum board_field)device_fields[f].field,
                           device_number(d, (enum device_field)f, device_clock_mhz(d)), origin_of(&d->value[f]).text) &&
                 ok;
    put_energies(g);
    return ok;
}

/* Sets the fields that follow from the number of parts. */
static bool put_parts(struct board_given *g) {
    const struct device *d = &g->board->device;
    u32 n = g->board->dram.stacks;
    char origin[BOARD_ORIGIN_MAX];
    snprintf(origin, sizeof origin, "%u %s%s of %s", n, device_parts[d->part].name, n == 1 ? "" : "s", d->name);
    if (d->value[DEVICE_standby].given)
        put_energy(g, BOARD_power_dram_w, n * number(d, DEVICE_standby), WIDE, origin);
    return put_field(g, BOARD_dram_channels, n * channels_of(d), origin) &&
           put_field(g, BOARD_dram_capacity_gib, n * number(d, DEVICE_capacity_gib), origin);
}

static const char *shipped_at(const void *ctx, size_t i) {
    (void)ctx;
    return device_shipped((u32)i);
}

static size_t device_count(void) {
    u32 n = 0;
    while (device_shipped(n))
        n++;
    return n;
}

/* A device that is not to be found, where all that it would set is given. */
static bool put_unknown(struct board_given *g) {
    struct device *d = &g->board->device;
    const char *near = nearest_name(d->name, device_count(), shipped_at, NULL);
    bool whole = true;
    for (u32 f = 0; f < DEVICE_FIELDS; f++)
        whole &= device_fields[f].field == BOARD_FIELDS || g->at[device_fields[f].field].len != 0;
    if (!whole && near)
        diag_error(g->diag, g->at[BOARD_DEVICE], "there is no memory device '%s'; did you mean '%s'?", d->name, near);
    else if (!whole)
        diag_error(g->diag, g->at[BOARD_DEVICE],
                   "there is no memory device '%s'; `heddle board devices` lists those that ship, one of your own is "
                   "devices/%s.yaml beside the board",
                   d->name, d->name);
    return whole;
}

bool board_put_device(struct board_given *g, const struct board_source *source, const char *name, const char *origin,
                      struct span at) {
    struct device d;
    if (!*name || strlen(name) >= sizeof d.name)
        return diag_error(g->diag, at, "dram.device is the name of a memory device, such as hbm3-6.4");
    g->at[BOARD_DEVICE] = at;
    if (!device_read(&d, source, name, at, g->diag))
        return false;
    g->board->device = d;
    snprintf(g->board->device_origin, sizeof g->board->device_origin, "%s", origin);
    return !d.known || put_device(g);
}

bool board_end_device(struct board_given *g) {
    const struct board *b = g->board;
    bool named = g->at[BOARD_DEVICE].len != 0;
    if (named && !b->device.known)
        return put_unknown(g);
    if (g->at[BOARD_dram_stacks].len && b->dram.stacks && *b->device.name && !b->device.known &&
        !g->at[BOARD_dram_channels].len)
        return diag_error(g->diag, g->at[BOARD_dram_stacks],
                          "dram.stacks counts parts of %s, whose description is not known here: set dram.channels too",
                          b->device.name);
    bool counted = b->dram.stacks && (named || g->at[BOARD_dram_stacks].len);
    return !b->device.known || !counted || put_parts(g);
}

/* A number of the device in clocks of the board's memory, to a tenth where these are not the device's own. */
static double in_clocks_of(const struct board *b, enum device_field f) {
    const struct device *d = &b->device;
    double own = round(device_clock_mhz(d)), mhz = b->dram.clock_mhz;
    bool clocks = device_fields[f].kind == DEVICE_KIND_CLOCKS || device_fields[f].kind == DEVICE_KIND_TIME;
    if (!clocks || !d->value[f].given || (own <= mhz && own >= mhz))
        return device_number(d, f, device_clock_mhz(d));
    return round(10 * device_ns(d, f) * mhz / 1000) / 10;
}

double board_device_value(const struct board *b, u32 key) {
    const struct device *d = &b->device;
    if (!d->known || key >= BOARD_FIELDS)
        return -1;
    if (key == BOARD_dram_clock_mhz)
        return round(device_clock_mhz(d));
    if (key == BOARD_dram_channels || key == BOARD_dram_capacity_gib)
        return b->dram.stacks
                   ? b->dram.stacks * (key == BOARD_dram_channels ? channels_of(d) : number(d, DEVICE_capacity_gib))
                   : -1;
    for (u32 f = 0; f < DEVICE_FIELDS; f++)
        if (device_fields[f].field == key)
            return in_clocks_of(b, (enum device_field)f);
    return -1;
}

bool board_device_differs(const struct board *b, u32 key) {
    double device = board_device_value(b, key), value = device < 0 ? device : board_value(b, key);
    bool tenths = device > floor(device);
    return fabs(device - value) >= (tenths ? 1 : 1e-9);
}
