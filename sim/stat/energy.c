/* What the energy of a launch is made of: each event and power of the board with its count, rows of metrics.def. */
#include "sim/stat/totals.h"

#include "sim/stat/view.h"

void energy_parts(const struct totals *t, struct energy_part parts[ENERGY_PARTS]) {
    struct energy_part *part = parts;
    struct view v;
    view_of(t, &v);
    VIEW_NAMES(t, &v);
#define SPENT(event, expression, doc) *part++ = (struct energy_part){BOARD_energy_##event, expression};
#define DRAWN(name, key, expression, doc) *part++ = (struct energy_part){BOARD_power_##key, 1e12 * (expression)};
#include "sim/stat/metrics.def"
}
