/*
 * Inconsistencies between a board and the memory device that it names: each with both numbers, and with what the device
 * would have. None makes a board wrong: a card may be clocked otherwise, a fit may know better than an estimate.
 */
#include "sim/board/board.h"

#include <math.h>
#include <stdio.h>

#define SHARE 0.05 /* of a time, that it may be off beside a clock */
#define PINS 0.01  /* of a bandwidth */

static const struct span nowhere = {0, 0, 1};

/* True if two numbers differ by more than a share of the second. */
static bool apart(double a, double b, double share) {
    return fabs(a - b) > share * b;
}

static void find_pins(const struct board *b, struct diag *diag) {
    const struct device *d = &b->device;
    double parts = b->dram.stacks, pins = parts * device_gbs(d), gbs = board_peak(b, "dram_gbs");
    double gib = parts * d->value[DEVICE_capacity_gib].number;
    const char *part = device_parts[d->part].name;
    if (parts > 0 && apart(gbs, pins, PINS))
        diag_warn(diag, nowhere, "dram.gbs is %.6g; the pins of %.0f %ss of %s at %g Gb/s have %.6g", gbs, parts, part,
                  d->name, d->value[DEVICE_gbps].number, pins);
    if (parts > 0 && apart(b->dram.capacity_gib, gib, 1e-9))
        diag_warn(diag, nowhere, "dram.capacity_gib is %g; %.0f %ss of %g GiB are %g", b->dram.capacity_gib, parts,
                  part, d->value[DEVICE_capacity_gib].number, gib);
    if (d->value[DEVICE_access].given &&
        board_peak(b, "dram_energy") < 8 * d->value[DEVICE_access].number * (1 - SHARE))
        diag_warn(diag, nowhere, "energy.dram is %.3g pJ a byte; %s alone takes %.3g", board_peak(b, "dram_energy"),
                  d->name, 8 * d->value[DEVICE_access].number);
}

/* Finds a time that is neither within a clock of the device's nor near it. */
static void find_time(const struct board *b, enum device_field f, struct diag *diag) {
    const struct device *d = &b->device;
    const struct board_field_row *row = &board_fields[device_fields[f].field];
    double clock = 1000.0 / b->dram.clock_mhz, own = 1000 / device_clock_mhz(d);
    double value = board_value(b, device_fields[f].field) * clock, ns = device_ns(d, f);
    bool singly = board_refreshes_banks(&b->dram); /* then a refresh of all banks is without effect, and the reverse */
    if (f == (singly ? DEVICE_rfc : DEVICE_rfc_bank) || value <= 0) /* 0: not split from another, or no refresh */
        return;
    if (fabs(value - ns) < (clock > own ? clock : own) || !apart(value, ns, SHARE))
        return;
    const char *basis = basis_names[b->basis[device_fields[f].field]];
    diag_warn(diag, nowhere, "%s is %.4g ns (%g cycles%s%s, %s); %s has %.4g ns, %s: %s=%g", row->key, value,
              value / clock, basis ? ", " : "", basis ? basis : "", b->origin[device_fields[f].field], d->name, ns,
              device_bases[d->value[f].basis].name, row->key, ceil(ns / clock - 0.01) + 0.0);
}

static void find_shape(const struct board *b, enum device_field f, struct diag *diag) {
    const struct device *d = &b->device;
    u32 field = device_fields[f].field;
    double value = board_value(b, field), device = device_number(d, f, device_clock_mhz(d));
    if (apart(value, device, 1e-9))
        diag_warn(diag, nowhere, "%s is %g; %s has %g, %s", board_fields[field].key, value, d->name, device,
                  device_bases[d->value[f].basis].name);
}

void board_findings(const struct board *b, struct diag *diag) {
    if (!b->device.known)
        return;
    find_pins(b, diag);
    for (u32 f = 0; f < DEVICE_FIELDS; f++)
        if (device_fields[f].field == BOARD_FIELDS || !b->device.value[f].given)
            continue;
        else if (device_fields[f].kind == DEVICE_KIND_TIME)
            find_time(b, (enum device_field)f, diag);
        else if (device_fields[f].kind != DEVICE_KIND_CLOCKS)
            find_shape(b, (enum device_field)f, diag);
}
