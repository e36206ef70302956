/* Whether the totals add up: the rows of identities.def, and the sums over buffers and lines. */
#include "sim/stat/totals.h"

struct sums {
    struct line_counters line;
    struct traffic traffic;
    u64 stalls, unit_lanes, dram_parts;
};

static struct sums sums_of(const struct totals *t) {
    struct sums s = {.stalls = 0};
    for (u32 i = 0; i < t->ninst; i++)
        COUNTERS_ADD(&s.line, &t->line[i]);
    for (u32 i = 0; i < t->allocations; i++)
        COUNTERS_ADD(&s.traffic, &t->traffic[i]);
    for (u32 i = 0; i < STALL_COUNT; i++)
        s.stalls += t->core.stall[i];
    for (u32 i = 0; i < UNIT_COUNT; i++)
        s.unit_lanes += t->core.unit_lanes[i];
#define PART(name, title, doc) s.dram_parts += t->mem.dram.name##_cycles;
#include "sim/stat/counters.def"
    return s;
}

static bool broken(struct buf *why, const char *name, u64 left, const char *sign, u64 right) {
    buf_printf(why, "%s: %llu %s %llu\n", name, (unsigned long long)left, sign, (unsigned long long)right);
    return false;
}

bool totals_check(const struct totals *t, struct buf *why) {
    const struct board board = *t->board;
    const struct sums sums = sums_of(t);
    const struct line_counters line = sums.line;
    const struct traffic traffic = sums.traffic;
    const struct sm_counters sm = t->core.sm;
    const struct l1_counters l1 = t->core.l1;
    const struct noc_counters noc = t->core.noc;
    const struct l2_counters l2 = t->mem.l2;
    const struct dram_counters dram = t->mem.dram;
    const u64 *stall = t->core.stall;
    const u64 stalls = sums.stalls, unit_lanes = sums.unit_lanes, dram_parts = sums.dram_parts, cycles = t->cycles,
              blocks = t->blocks, warps = t->warps, busiest = t->busiest, busiest_slice = t->busiest_slice,
              busiest_channel = t->busiest_channel, busiest_bank = t->busiest_bank;
    bool ok = true;
#define IDENTITY(name, left, right) ok = ((left) == (right) || broken(why, name, left, "is not", right)) && ok;
#define BOUND(name, left, right) ok = ((left) <= (right) || broken(why, name, left, "is more than", right)) && ok;
#include "sim/stat/identities.def"
#define STALL(id, name, wait, doc) \
    if (line.stall[STALL_##id] != stall[STALL_##id]) \
        ok = broken(why, "lines that wait for " name, line.stall[STALL_##id], "is not", stall[STALL_##id]);
#define TRAFFIC(name, unit, relation, total, doc) \
    if (!(traffic.name relation(total))) \
        ok = broken(why, "traffic." #name " " #relation " " #total, traffic.name, "against", total);
#define LINE(name, unit, total, doc) \
    if (line.name != (total)) \
        ok = broken(why, "line." #name " == " #total, line.name, "against", total);
#include "sim/stat/counters.def"
    return ok;
}
