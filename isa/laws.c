#include "isa/laws.h"

#include "isa/isa.h"

u32 law_commuting(u32 op) {
    static const u16 of[OP_COUNT] = {
#define ATOMIC(id, lane, commutes) \
    [OP_ATOM_##id] = (commutes) ? OP_##lane + 1 : 0, [OP_RED_##id] = (commutes) ? OP_##lane + 1 : 0,
#include "isa/laws.def"
    };
    return of[op] ? of[op] - 1u : OP_COUNT;
}
