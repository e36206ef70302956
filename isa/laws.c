#include "isa/laws.h"

#include "isa/isa.h"

struct law_shift law_shift(u32 op) {
    enum { PLACE_NONE = PLACE_IMM };
    static const struct law_shift of[OP_COUNT] = {
#define SHIFTS(id, count, width, past) [OP_##id] = {PAST_##past, PLACE_##count, width},
#include "isa/laws.def"
    };
    return of[op];
}

u32 law_index(u32 op) {
    enum { A = 1 << PLACE_A, B = 1 << PLACE_B, C = 1 << PLACE_C };
    static const u8 of[OP_COUNT] = {
#define INDEX(id, places) [OP_##id] = places,
#include "isa/laws.def"
    };
    return of[op];
}

struct law_redux law_redux(u32 op) {
    static const struct law_redux of[OP_COUNT] = {
#define REDUXF(id, lane, join, start, bits) [OP_REDUX_##id] = {start, bits},
#include "isa/laws.def"
    };
    return of[op];
}

enum whole law_arithmetic(u32 op, bool *fused) {
    static const struct {
        u8 whole, halves;
        u16 first, then;
    } of[OP_COUNT] = {
#define WHOLE(id, like, halves, sign) [OP_##id] = {WHOLE_##like, halves, 0, 0},
#define FUSED(id, first, then) [OP_##id] = {WHOLE_NONE, 0, OP_##first, OP_##then},
#include "isa/laws.def"
    };
    *fused = of[op].then && of[of[op].then].whole == WHOLE_ADD;
    if (*fused)
        op = of[op].first;
    enum whole like = (enum whole)of[op].whole;
    bool is = like == WHOLE_ADD || like == WHOLE_SUB || like == WHOLE_MUL || like == WHOLE_SHL;
    return is && of[op].halves == 1 ? like : WHOLE_NONE;
}

static const struct applied {
    u16 op; /* + 1; 0 = none */
    bool commutes;
} applied[OP_COUNT] = {
#define ATOMIC(id, lane, commutes) \
    [OP_ATOM_##id] = {OP_##lane + 1, commutes}, [OP_RED_##id] = {OP_##lane + 1, commutes},
#define REDUX(id, lane, type, join) [OP_REDUX_##id] = {OP_##lane + 1, false},
#include "isa/laws.def"
};

u32 law_applied(u32 op) {
    return applied[op].op ? applied[op].op - 1u : OP_COUNT;
}

u32 law_commuting(u32 op) {
    return applied[op].commutes ? law_applied(op) : OP_COUNT;
}
