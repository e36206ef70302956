/*
 * What a board can do at best. Each figure is one row of sim/board/peaks.def, written with the functions below; a load
 * is followed from its sub-core to the pins:
 *
 *   l1.latency --- noc.latency --> l2.latency --> dram.latency, [rp,] rcd, cl, burst --> back --- noc.latency --> use
 *
 * Left out: waiting for one another, cycles of a port to move the requested data (a few for one sector), refreshes.
 */
#include "isa/shapes.h"
#include "sim/board/board.h"

#include <math.h>
#include <string.h>

static double ghz(const struct board *b) {
    return b->clock_mhz / 1000.0;
}

static double longest(double a, double b) {
    return a > b ? a : b;
}

/* Lanes of all SMs that instructions of a class serve in a cycle: as many as the unit has, or as can be issued. */
static double rate(const struct board *b, enum iclass class) {
    double unit = (double)b->lanes[board_unit(b, class)] / b->passes[class];
    double issue = (double)b->sm.issue_width * b->warp_width;
    return (unit < issue ? unit : issue) * b->sm.sub_cores * b->sms;
}

static double shared_width(const struct board *b) {
    return (double)b->shared.banks * b->shared.bank_bytes;
}

/* GB/s of all channels when each moves a burst every `cycles` memory cycles. */
static double bursts(const struct board *b, double cycles) {
    return (double)board_buses(&b->dram) * b->dram.burst_bytes / cycles * b->dram.clock_mhz / 1000;
}

/*
 * Memory cycles between activates of different banks: their distance and that of precharges, four in a window, each
 * bank in its turn, and the pins that they take.
 */
static double activate(const struct board *b) {
    const struct board_dram *d = &b->dram;
    double bank = longest(d->rc, d->ras + d->rp) / board_banks(d);
    double apart = longest(longest(longest(d->rrd_s, d->faw / 4.0), d->ppd), bank);
    bool pins = d->pseudo_channels > 1 || d->act_cycles > 1;
    return longest(apart, pins ? d->pseudo_channels * d->act_cycles : 0);
}

/* Bursts taken from an open row when each line lies in another row. */
static double bursts_of_line(const struct board *b) {
    return (double)b->dram.line_bytes / b->dram.burst_bytes;
}

/* Memory cycles of such a line: its bursts on the bus, or its activate, or its bank from one row to the next. */
static double line_cycles(const struct board *b) {
    double step = longest(b->dram.burst_cycles, b->dram.ccd_l), banks = board_banks(&b->dram);
    double open = longest(b->dram.ras, b->dram.rcd + (bursts_of_line(b) - 1) * step + b->dram.rtp);
    double bus = bursts_of_line(b) * longest(b->dram.burst_cycles, b->dram.ccd_s);
    return longest(longest(bus, activate(b)), longest(b->dram.rc, open + b->dram.rp) / banks);
}

/* Share of the time that the bus can be busy: all banks are refreshed at once, or the others do the work of one. */
static double awake(const struct board *b) {
    const struct board_dram *d = &b->dram;
    if (!d->refi || !board_refreshes_banks(d))
        return d->refi ? 1 - (double)d->rfc / d->refi : 1;
    double banks = (1 - (double)d->rfc_bank / d->refi) * board_banks(d);
    return banks < 1 ? banks : 1;
}

/* SM cycles of a load that hits L2. */
static double l2_latency(const struct board *b) {
    return b->l1.latency + 2.0 * b->noc.latency + b->l2.latency;
}

/* SM cycles of a load that misses L2 before DRAM begins: the home of every other line is in the other half. */
static double l2_miss_latency(const struct board *b) {
    return l2_latency(b) + b->l2.far_cycles / 2.0;
}

/* SM cycles that a miss in L2 adds, with `opening` memory cycles before the read command. */
static double dram_latency(const struct board *b, u32 opening) {
    double memory_cycles = opening + b->dram.cl + b->dram.burst_cycles;
    return b->dram.latency + memory_cycles * b->clock_mhz / b->dram.clock_mhz;
}

static u32 warps(const struct board *b) {
    return (b->max_threads_per_block + b->warp_width - 1) / b->warp_width;
}

/* Registers of a thread when all warps are resident: a warp's share in whole units, and what the ISA can name. */
static double registers(const struct board *b) {
    u32 units = b->sm.registers / b->sm.register_unit / b->sm.max_warps;
    u32 each = units * b->sm.register_unit / b->warp_width;
    return each < b->max_registers_per_thread ? each : b->max_registers_per_thread;
}

/* pJ of a lane: its share of the issue, the registers of its operands, and the event of the unit. */
static double lane_energy(const struct board *b, u32 operands, enum energy_event event) {
    return b->energy[ENERGY_instruction] / b->warp_width + operands * b->energy[ENERGY_register] / 32 +
           b->energy[event];
}

/* pJ a byte of DRAM, by the number of bursts that a row is opened for. */
static double dram_energy(const struct board *b, double bursts_of_row) {
    const double *pj = b->energy;
    switch (b->dram.energy) {
    case dram_energy_BURSTS: return pj[ENERGY_dram] / b->dram.burst_bytes;
    case dram_energy_COMMANDS:
        return (pj[ENERGY_dram_activate] / bursts_of_row + pj[ENERGY_dram_read]) / b->dram.burst_bytes +
               8 * pj[ENERGY_dram_io];
    }
    BUG("an energy of DRAM that is made of nothing");
}

static double fma_energy(const struct board *b) {
    return lane_energy(b, 4, ENERGY_fma);
}

static double shuffle_energy(const struct board *b) {
    return lane_energy(b, 3, ENERGY_xlane);
}

u32 board_peaks(const struct board *b, struct board_peak list[BOARD_PEAKS_MAX]) {
    const struct board_peak peaks[] = {
#define PEAK(name, unit, formula, doc) {#name, unit, doc, formula},
#include "sim/board/peaks.def"
    };
    _Static_assert(COUNT_OF(peaks) <= BOARD_PEAKS_MAX, "more peaks than a list has room for");
    memcpy(list, peaks, sizeof peaks);
    return COUNT_OF(peaks);
}

double board_peak(const struct board *b, const char *name) {
    struct board_peak list[BOARD_PEAKS_MAX];
    u32 n = board_peaks(b, list);
    for (u32 i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0)
            return list[i].value;
    return 0;
}
