#include "sim/base/knee.h"

bool knee_find(const double *result, u32 n, double within, bool most, struct knee *knee) {
    *knee = (struct knee){0};
    for (u32 i = 1; i < n; i++)
        if (most ? result[i] > result[knee->best] : result[i] < result[knee->best])
            knee->best = i;
    if (!n)
        return false;
    double best = result[knee->best], room = within * (best < 0 ? -best : best);
    u32 i = 0;
    while (most ? result[i] < best - room : result[i] > best + room)
        i++; /* the best itself ends this */
    knee->first = i;
    while (i < n && (most ? result[i] >= best - room : result[i] <= best + room))
        i++;
    knee->last = i - 1;
    return true;
}
