/* Which executors are built into this heddle, and which the host can run. */
#include "sim/arch/state.h"

#define WIDTHS(X, level) X(level, 8) X(level, 16) X(level, 32) X(level, 64)
#define DECLARE(level, width) extern const struct exec_ops exec_##level##_w##width;
WIDTHS(DECLARE, baseline)
#ifdef HEDDLE_HAVE_V3
WIDTHS(DECLARE, v3)
#endif

#define ENTRY(level, width) &exec_##level##_w##width,
static const struct exec_ops *const built[ENGINE_COUNT][4] = {
    [ENGINE_BASELINE] = {WIDTHS(ENTRY, baseline)},
#ifdef HEDDLE_HAVE_V3
    [ENGINE_V3] = {WIDTHS(ENTRY, v3)},
#endif
};

const char *const engine_names[ENGINE_COUNT] = {"auto", "baseline", "x86-64-v3"};

bool engine_available(enum engine e) {
    if (e == ENGINE_AUTO)
        return true;
    if (!built[e][0])
        return false;
#ifdef HEDDLE_HAVE_V3
    if (e == ENGINE_V3)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2") &&
               __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
#endif
    return true;
}

enum engine engine_best(void) {
    return engine_available(ENGINE_V3) ? ENGINE_V3 : ENGINE_BASELINE;
}

const struct exec_ops *exec_find(enum engine e, u32 width) {
    if (e == ENGINE_AUTO)
        e = engine_best();
    if (!engine_available(e))
        return NULL;
    for (u32 i = 0; i < 4; i++)
        if (width == 8u << i)
            return built[e][i];
    return NULL;
}
