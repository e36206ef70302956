#include "sim/time/timing.h"

#include "isa/laws.h"
#include "isa/shapes.h"

/* Slots of registers, predicates and transit registers on the scoreboard. */
static u16 slot_register(u32 r) {
    return (u16)r;
}

static u16 slot_predicate(u32 regs, u32 p) {
    return (u16)(regs + (p & PT));
}

static u16 slot_transit(u32 regs, u32 x) {
    return (u16)(regs + PRED_COUNT + x);
}

static void wait_for(struct timing_inst *t, u16 slot) {
    for (u32 i = 0; i < t->waits; i++)
        if (t->wait[i] == slot)
            return;
    if (t->waits == WAITS_MAX)
        BUG("an instruction with too many operands");
    t->wait[t->waits++] = slot;
}

static void writes(struct timing_inst *t, u16 slot) {
    wait_for(t, slot);
    if (t->writes == WRITES_MAX)
        BUG("an instruction with too many results");
    t->write[t->writes++] = slot;
}

static void predicate(struct timing_inst *t, u32 regs, u8 p) {
    if ((p & PT) != PT)
        wait_for(t, slot_predicate(regs, p));
}

static void registers(struct timing_inst *t, const struct inst *i, const struct operand *o, bool destination) {
    u8 first = inst_field(i, o->place);
    u32 n = operand_regs(i, o);
    if (first == RZ || operand_is_immediate(i, o))
        return;
    for (u32 k = 0; k < n; k++) {
        if (destination) {
            writes(t, slot_register(first + k));
            t->registers_written++;
        } else {
            wait_for(t, slot_register(first + k));
            if (t->reads == READS_MAX)
                BUG("an instruction that reads too many registers");
            t->read[t->reads] = (u8)(first + k);
            t->place[t->reads++] = (u8)(o->place * 4 + k);
        }
    }
}

static void operands(struct timing_inst *t, const struct inst *i, u32 regs) {
    predicate(t, regs, i->guard);
    for (u32 k = 0; k < OPERANDS_MAX; k++) {
        const struct operand *o = &isa_rows[i->op].operand[k];
        u8 pred = o->kind == K_PRED || o->kind == K_PRED_OPT ? inst_pred_field(i, o->place) : PT;
        switch ((enum operand_kind)o->kind) {
        case K_PRED:
        case K_PRED_OPT:
            if (o->place != PLACE_D)
                predicate(t, regs, pred);
            else if ((pred & PT) != PT)
                writes(t, slot_predicate(regs, pred));
            break;
        case K_TRANSIT:
            if (o->place == PLACE_D)
                writes(t, slot_transit(regs, i->d));
            else
                wait_for(t, slot_transit(regs, i->a));
            break;
        case K_REG:
        case K_REG2:
        case K_REG4:
        case K_REGM:
        case K_REGT:
        case K_REG_IMM:
        case K_REG_IMM_OPT:
        case K_MEM:
        case K_MASK_OPT: registers(t, i, o, o->place == PLACE_D); break;
        case K_NONE:
        case K_NUM:
        case K_IMM:
        case K_PHASE:
        case K_BARRIER:
        case K_SREG:
        case K_LABEL:
        case K_FUNCTION:
        case K_TEXT_OPT:
        case K_TEXT:
        case K_WORDS: break;
        }
    }
}

/*
 * A load of a constant or parameter at a fixed offset is what an operand from the constant bank is to a card's
 * instruction: a move, which never sees the memory pipe.
 */
static bool is_operand(const struct inst *i) {
    u32 space = inst_mod_or(i, GROUP_SPACE, SPACE_GENERIC);
    return isa_rows[i->op].iclass == CLASS_LD && i->a == RZ && (space == SPACE_CONST || space == SPACE_PARAM);
}

/* Users of the shared input queue, as Nsight Compute has them: the others' results come after a fixed time. */
static bool short_scoreboard(enum unit unit) {
    return unit == UNIT_XU || unit == UNIT_XLANE;
}

/* Issue slots of what chips have no instruction for but a routine. */
static u8 slots_of(const struct board_slots *b, enum iclass iclass) {
    switch (iclass) {
    case CLASS_IDIV: return (u8)b->idiv;
    case CLASS_IDIV64: return (u8)b->idiv64;
    case CLASS_FDIV: return (u8)b->fdiv;
    case CLASS_FDIV64: return (u8)b->fdiv64;
    default: return 1;
    }
}

/* `depth`: of the queues of units. */
static enum timing_kind kind_of(const struct inst *i, u32 iclass, u32 depth, u32 slots) {
    if (is_operand(i))
        return TIMING_OPERAND;
    if (isa_classes[iclass].unit == UNIT_LSU)
        return TIMING_MEMORY;
    if (depth && short_scoreboard(isa_classes[iclass].unit))
        return TIMING_QUEUED;
    if (isa_classes[iclass].unit != UNIT_CTRL)
        return slots > 1 ? TIMING_ROUTINE : TIMING_FIXED;
    switch ((enum iclass)iclass) {
    case CLASS_SREG:
    case CLASS_PRINT: return TIMING_FIXED;
    case CLASS_BAR: return TIMING_BARRIER;
    case CLASS_BARW: return TIMING_BAR_WARP;
    case CLASS_FENCE: return TIMING_FENCE;
    case CLASS_SLEEP: return TIMING_SLEEP;
    case CLASS_BRANCH: return op_idles(i->op) ? TIMING_FIXED : i->op == OP_BRA ? TIMING_BRANCH : TIMING_JUMP;
    default: BUG("a class of the control unit whose timing is not known");
    }
}

/* Stall of a warp that waits for its unit. A unit that takes one cycle, as of `exit`, is taken by the selected warp. */
static enum stall throttle_of(const struct inst *i, enum timing_kind kind, const struct timing_inst *t) {
    if (kind == TIMING_QUEUED)
        return STALL_MIO_THROTTLE;
    if (kind != TIMING_MEMORY)
        return t->unit == UNIT_CTRL && t->interval == 1 ? STALL_NOT_SELECTED : STALL_MATH_PIPE_THROTTLE;
    u32 space = inst_mod_or(i, GROUP_SPACE, SPACE_GENERIC);
    bool far = space == SPACE_GLOBAL || space == SPACE_GENERIC || space == SPACE_LOCAL;
    return far ? STALL_LG_THROTTLE : STALL_MIO_THROTTLE;
}

static bool kept(const struct timing_inst *last, u8 reg, u8 place) {
    for (u32 k = 0; k < last->reads; k++)
        if (last->read[k] == reg && last->place[k] == place)
            return true;
    return false;
}

u32 timing_conflicts(const struct timing_inst *t, const struct timing_inst *last, const struct board_sm *b) {
    u32 reads[BOARD_MAX_sm_register_banks] = {0}, most = 1;
    for (u32 i = 0; i < t->reads && b->register_banks; i++) {
        u32 *bank = &reads[t->read[i] % b->register_banks];
        *bank += !(last && b->register_reuse && kept(last, t->read[i], t->place[i]));
        most = *bank > most ? *bank : most;
    }
    return most - 1;
}

u32 timing_together(const struct board *b, const struct inst *i) {
    return law_commuting(i->op) != OP_COUNT && inst_access_bytes(i) == sizeof(u32) ? b->l2.atomic_combine : 1;
}

static void fill(struct timing_inst *t, const struct board *b, const struct inst *i, const struct timing *all) {
    const struct isa_row *row = &isa_rows[i->op];
    const struct isa_shape *shape = &isa_shapes[row->shape];
    u32 iclass = is_operand(i) ? CLASS_MOV : row->iclass;
    u32 regs = all->slots - PRED_COUNT - TRANSIT_COUNT;
    u32 hint = inst_mod_or(i, GROUP_HINT, HINT_NONE);
    operands(t, i, regs);
    t->unit = (u8)board_unit(b, iclass);
    t->slots = slots_of(&b->slots, (enum iclass)iclass);
    t->kind = (u8)kind_of(i, iclass, b->sm.unit_queue, t->slots);
    t->stores = t->kind == TIMING_BARRIER || t->kind == TIMING_BAR_WARP;
    t->latency = b->latency[iclass] * shape->depth;
    t->result = (u32)when_of(t->latency, short_scoreboard(t->unit) ? STALL_SHORT_SCOREBOARD : STALL_WAIT);
    u32 lanes = b->lanes[t->unit] ? b->lanes[t->unit] : all->width; /* no such unit: no launch has the instruction */
    t->interval = (all->width + lanes - 1) / lanes * b->passes[iclass] * shape->passes;
    t->throttle = (u8)throttle_of(i, t->kind, t);
    t->release = hint == HINT_RELEASE;
    t->acquire = hint == HINT_ACQUIRE;
    t->bypass = hint == HINT_CG || hint == HINT_CV || hint == HINT_VOLATILE || hint == HINT_ACQUIRE;
    t->conflicts = (u8)timing_conflicts(t, NULL, &b->sm);
    t->conflicts_next = (u8)timing_conflicts(t, t > all->inst ? t - 1 : NULL, &b->sm);
    t->together = (u8)timing_together(b, i);
    u32 adds = law_applied(i->op);
    t->adds = adds == OP_ADD_F32 ? ADDS_F32 : adds == OP_ADD_F64 ? ADDS_F64 : ADDS_INTEGER;
    t->level = i->op == OP_FENCE_GPU ? 1 : i->op == OP_FENCE_SYS ? 2 : 0;
}

bool timing_init(struct timing *t, const struct board *b, const struct launch *l, struct arena *arena) {
    const struct program *p = l->program;
    t->board = b;
    t->width = l->width;
    t->slots = l->kernel->regs + PRED_COUNT + TRANSIT_COUNT;
    t->inst = arena_alloc(arena, p->ninst * sizeof *t->inst);
    if (!t->inst)
        return false;
    for (u32 pc = 0; pc < p->ninst; pc++)
        fill(&t->inst[pc], b, &p->inst[pc], t);
    return true;
}
