/* What the energy of a launch is made of: each event and power of the board with its count, rows of metrics.def. */
#include "sim/stat/totals.h"

#include "sim/stat/view.h"

bool energy_by_command(const struct board *b) {
    switch (b->dram.energy) {
    case dram_energy_BURSTS: return false;
    case dram_energy_COMMANDS: return true;
    }
    BUG("an energy of DRAM that is made of nothing");
}

void energy_parts(const struct totals *t, struct energy_part parts[ENERGY_PARTS]) {
    struct energy_part *part = parts;
    struct view v;
    view_of(t, &v);
    VIEW_NAMES(t, &v);
#define SPENT(event, given, expression, doc) \
    *part++ = (struct energy_part){BOARD_energy_##event, (given) ? expression : 0, given};
#define DRAWN(name, key, given, expression, doc) \
    *part++ = (struct energy_part){BOARD_power_##key, (given) ? 1e12 * (expression) : 0, given};
#include "sim/stat/metrics.def"
}
