/*
 * Settings that cap a level below its wire: a buffer, queue or timing that keeps a board from its figures, each warning
 * with the numbers. No warning makes a board wrong; a machine may be meant so.
 */
#include "sim/board/board.h"

static const struct span nowhere = {0, 0, 1};

/* ---- the SM ---- */

static void warn_units(const struct board *b, struct diag *diag) {
    for (u32 u = 0; u < UNIT_COUNT; u++)
        if (b->lanes[u] && b->lanes[u] < b->warp_width && b->warp_width % b->lanes[u] != 0)
            diag_warn(
                diag, nowhere,
                "lanes.%s (%u) does not divide warp_width (%u): %u lanes are idle in the last of the %u cycles that "
                "an instruction takes its unit",
                isa_units[u].name, b->lanes[u], b->warp_width, b->lanes[u] - b->warp_width % b->lanes[u],
                b->warp_width / b->lanes[u] + 1);
}

static void warn_residents(const struct board *b, struct diag *diag) {
    u32 warps = (b->max_threads_per_block + b->warp_width - 1) / b->warp_width;
    if (warps > b->sm.max_warps)
        diag_warn(
            diag, nowhere,
            "a block of max_threads_per_block (%u) is %u warps; an SM holds sm.max_warps (%u), so that it cannot be "
            "launched",
            b->max_threads_per_block, warps, b->sm.max_warps);
    if (board_peak(b, "registers") < 16)
        diag_warn(diag, nowhere,
                  "with sm.registers (%u) a thread has %.0f registers when all sm.max_warps (%u) are resident: most "
                  "kernels will not fill an SM",
                  b->sm.registers, board_peak(b, "registers"), b->sm.max_warps);
    if (b->l1.unified_bytes && b->sm.shared_bytes == b->l1.unified_bytes)
        diag_warn(diag, nowhere,
                  "sm.shared_bytes is all of l1.unified_bytes (%u): blocks that use it leave nothing for L1",
                  b->l1.unified_bytes);
}

/* Warns of the path from the sub-cores to shared memory and back. */
static void warn_memory_pipe(const struct board *b, struct diag *diag) {
    double pipe = board_peak(b, "shared_per_sm");
    double asked = 4.0 * b->warp_width * b->sm.sub_cores / b->lsu.address_cycles;
    double back = (double)b->shared.return_bytes * b->sm.sub_cores;
    if (asked < pipe)
        diag_warn(
            diag, nowhere,
            "with lsu.address_cycles (%u) all sub-cores together ask for %.4g bytes/cycle by 32-bit accesses, below "
            "the %.4g of shared memory",
            b->lsu.address_cycles, asked, pipe);
    if (back < pipe)
        diag_warn(diag, nowhere,
                  "shared.return_bytes (%u) of each sub-core are %.4g bytes/cycle for the SM, below the %.4g of shared "
                  "memory",
                  b->shared.return_bytes, back, pipe);
    if (b->lsu.queue < 2)
        diag_warn(diag, nowhere,
                  "lsu.queue is 1: a memory instruction issues only when the one before has left its sub-core");
}

/* ---- L1, the network, L2 ---- */

static void warn_flight(const struct board *b, struct diag *diag) {
    double wire = b->noc.reply_bytes, share = board_peak(b, "dram_bandwidth") / b->sms;
    double l2 = board_peak(b, "l1_flight_l2"), dram = board_peak(b, "l1_flight_dram");
    if (b->l1.unified_bytes + b->l1.own_bytes == 0)
        return;
    if (l2 < wire)
        diag_warn(diag, nowhere,
                  "L1 can have %u sectors in flight (l1.sectors): at the %.0f cycles of L2 that is %.3g bytes/cycle, "
                  "below its %u-byte wire",
                  b->l1.sectors, board_peak(b, "l2_latency"), l2, b->noc.reply_bytes);
    if (dram < wire && dram < share)
        diag_warn(diag, nowhere,
                  "L1 can have %u sectors in flight (l1.sectors): at the %.0f cycles of DRAM that is %.3g bytes/cycle, "
                  "below %s %.3g",
                  b->l1.sectors, board_peak(b, "dram_latency"), dram, wire < share ? "its wire of" : "an SM's share of",
                  wire < share ? wire : share);
}

static void warn_levels(const struct board *b, struct diag *diag) {
    double noc = board_peak(b, "noc_reply_bandwidth"), l2 = board_peak(b, "l2_bandwidth");
    double dram = board_peak(b, "dram_bandwidth"), flight = board_peak(b, "l2_flight_dram");
    if (noc < l2)
        diag_warn(diag, nowhere,
                  "the ports of all SMs (noc.reply_bytes) take %.4g bytes/cycle, below the %.4g that L2 can give", noc,
                  l2);
    if (l2 < dram)
        diag_warn(diag, nowhere, "L2 moves %.4g bytes/cycle (l2.slices x l2.bytes_per_cycle), below the %.4g of DRAM",
                  l2, dram);
    if (flight < dram)
        diag_warn(diag, nowhere,
                  "L2 can have l2.sectors (%u) of each slice in flight: that is %.4g bytes/cycle from DRAM, below its "
                  "%.4g",
                  b->l2.sectors, flight, dram);
}

/* ---- DRAM ---- */

static void warn_commands(const struct board_dram *d, struct diag *diag) {
    u32 step = d->burst_cycles > d->ccd_s ? d->burst_cycles : d->ccd_s;
    if (d->ccd_s > d->burst_cycles)
        diag_warn(
            diag, nowhere,
            "dram.ccd_s (%u) is more than dram.burst_cycles (%u): the data bus is idle between bursts even when bank "
            "groups take turns",
            d->ccd_s, d->burst_cycles);
    if (d->bank_groups * step < d->ccd_l)
        diag_warn(
            diag, nowhere,
            "dram.bank_groups (%u) taking turns come round in %u cycles, before dram.ccd_l (%u) has passed: bursts "
            "move at %.3g of the wire",
            d->bank_groups, d->bank_groups * step, d->ccd_l, (double)d->bank_groups * step / d->ccd_l);
    if (d->read_queue * step < d->rp + d->rcd)
        diag_warn(diag, nowhere,
                  "dram.read_queue (%u) bursts take %u cycles; opening another row takes %u (rp + rcd), so that the "
                  "bus waits for rows",
                  d->read_queue, d->read_queue * step, d->rp + d->rcd);
}

static void warn_rows(const struct board *b, struct diag *diag) {
    const struct board_dram *d = &b->dram;
    bool banks = board_refreshes_banks(d);
    u32 rfc = banks ? d->rfc_bank : d->rfc;
    double refresh = d->refi ? (double)rfc / d->refi : 0;
    u32 row = d->row_bytes / d->burst_bytes * d->burst_cycles;
    if (row * 4 < d->faw || row < d->rrd_s)
        diag_warn(diag, nowhere,
                  "a row of dram.row_bytes (%u) is read in %u cycles; rows can be opened only every %.3g (faw, rrd_s)",
                  d->row_bytes, row, d->faw / 4.0 > d->rrd_s ? d->faw / 4.0 : d->rrd_s);
    if (refresh > 0.1)
        diag_warn(diag, nowhere, "refreshes (dram.%s of dram.refi) take %.0f %% of the time%s",
                  banks ? "rfc_bank" : "rfc", 100 * refresh, banks ? " of each bank" : "");
    if (d->burst_bytes > 32)
        diag_warn(diag, nowhere, "dram.burst_bytes (%u): a miss of one sector moves %u bytes that may not be requested",
                  d->burst_bytes, d->burst_bytes - 32);
}

void board_warnings(const struct board *b, struct diag *diag) {
    warn_units(b, diag);
    warn_residents(b, diag);
    warn_memory_pipe(b, diag);
    warn_flight(b, diag);
    warn_levels(b, diag);
    warn_commands(&b->dram, diag);
    warn_rows(b, diag);
}
