/* Effects of instructions on lanes: registers, memory, shuffles, votes, transit registers, matrices. */
#include "tests/isa/isa_ref.h"
#include "tests/model/private.h"

#include <stdlib.h>
#include <string.h>

enum { NULL_PAGE = 65536 };

static const struct operand *operand_at(const struct inst *i, enum operand_place place) {
    const struct isa_row *row = &isa_rows[i->op];
    for (u32 k = 0; k < OPERANDS_MAX; k++)
        if (row->operand[k].kind != K_NONE && row->operand[k].place == place)
            return &row->operand[k];
    return NULL;
}

static u8 field(const struct inst *i, enum operand_place place) {
    const u8 fields[] = {i->d, i->a, i->b, i->c};
    return fields[place];
}

bool model_predicate(const struct model_thread *t, u8 f) {
    return t->p[f & ~PRED_NEG] != ((f & PRED_NEG) != 0);
}

static void put_pair(struct model_thread *t, u32 reg, u64 value) {
    model_put(t, reg, 0, (u32)value);
    model_put(t, reg, 1, (u32)(value >> 32));
}

static void put_predicate(struct model_thread *t, u8 f, bool value) {
    if (f != PT)
        t->p[f] = value;
}

/* A 32-bit immediate for 64 bits is sign-extended; for an fp64 it is the high word. */
static u64 immediate(const struct inst *i, const struct operand *o) {
    if (o->kind != K_REG2)
        return (u32)i->imm;
    return o->literal == LIT_F64 ? i->imm << 32 : (u64)(s64)(s32)(u32)i->imm;
}

u64 model_source(const struct inst *i, enum operand_place place, const struct model_thread *t) {
    const struct operand *o = operand_at(i, place);
    const u8 predicates[] = {i->pd, i->pa, i->pb, i->pc};
    if (!o)
        return 0;
    if (place != PLACE_D && i->isel == (u32)place)
        return immediate(i, o);
    switch (o->kind) {
    case K_PRED: return model_predicate(t, predicates[place]);
    case K_NUM: return field(i, place);
    case K_REG2: return model_pair(t, field(i, place));
    default: return model_word(t, field(i, place), 0);
    }
}

static u32 first_of(u64 lanes) {
    u32 l = 0;
    while (!(lanes >> l & 1))
        l++;
    return l;
}

/* ---- one lane by itself ---- */

static bool simple(struct model_block *b, const struct inst *i, struct model_thread *t) {
    const struct isa_row *row = &isa_rows[i->op];
    const struct ref *ref = ref_find((enum op)i->op);
    const struct operand *d = operand_at(i, PLACE_D);
    if (!ref || ref->ulp)
        return model_stop(b, MODEL_UNKNOWN, row->name);
    struct ref_in in = {.a = model_source(i, PLACE_A, t),
                        .b = model_source(i, PLACE_B, t),
                        .c = model_source(i, PLACE_C, t),
                        .imm = row->wide ? i->imm : (u32)i->imm};
    in.rnd = (u8)inst_mod_or(i, row->groups & M_RI ? GROUP_RI : GROUP_RF, RN);
    in.ftz = inst_mod_or(i, GROUP_FTZ, 0);
    in.sat = inst_mod_or(i, GROUP_SAT, 0);
    u64 v = ref->fn(&in, ref);
    if (d->kind == K_PRED)
        put_predicate(t, i->pd, v & 1);
    else if (d->kind == K_REG2)
        put_pair(t, i->d, v);
    else
        model_put(t, i->d, 0, (u32)v);
    return true;
}

/* ---- memory ---- */

/* `size` bytes at an address of a space. */
struct model_access {
    u64 address;
    u32 space, size;
    bool write;
};

struct model_room {
    u8 *at;
    u64 size;
};

/* Finds the memory of a space that a thread sees; *offset, an address, becomes its place there. */
static struct model_room room_of(const struct model_block *b, const struct model_thread *t, u32 space, u64 *offset) {
    const struct model_launch *l = b->launch;
    if (space == SPACE_SHARED)
        return (struct model_room){b->shared, l->kernel->shared};
    if (space == SPACE_LOCAL)
        return (struct model_room){t->local, l->kernel->local};
    if (space == SPACE_CONST)
        return (struct model_room){l->program->consts, l->program->const_bytes};
    if (space == SPACE_PARAM)
        return (struct model_room){(u8 *)(uintptr_t)l->params, l->kernel->param_bytes};
    for (u32 k = 0; k < l->nbuffers; k++)
        if (*offset >= l->buffer[k].address && *offset - l->buffer[k].address < l->buffer[k].size) {
            *offset -= l->buffer[k].address;
            return (struct model_room){l->buffer[k].bytes, l->buffer[k].size};
        }
    return (struct model_room){NULL, 0};
}

/* Finds `size` bytes at the address; NULL after a fault. */
static u8 *locate(struct model_block *b, struct model_thread *t, struct model_access a) {
    static const u8 windows[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST, SPACE_PARAM};
    u64 offset = a.address;
    const char *fault = NULL;
    if (a.space == SPACE_GENERIC) {
        if (a.address >> 40 >= sizeof windows) {
            model_stop(b, MODEL_FAULT, "out_of_bounds");
            return NULL;
        }
        a.space = windows[a.address >> 40];
        offset = a.address & (((u64)1 << 40) - 1);
    }
    const struct model_room room = room_of(b, t, a.space, &offset);
    if (a.write && (a.space == SPACE_CONST || a.space == SPACE_PARAM))
        fault = "read_only";
    else if (offset >= room.size || room.size - offset < a.size)
        fault = a.space == SPACE_GLOBAL && a.address < NULL_PAGE ? "null" : "out_of_bounds";
    else if (a.address % a.size)
        fault = "misaligned";
    if (fault)
        model_stop(b, MODEL_FAULT, fault);
    return fault ? NULL : room.at + offset;
}

static u64 address_of(const struct inst *i, const struct model_thread *t, u32 space) {
    if (space == SPACE_GENERIC || space == SPACE_GLOBAL)
        return model_pair(t, i->a) + (u64)(s64)(s32)(u32)i->imm;
    return (u32)(model_word(t, i->a, 0) + (u32)i->imm);
}

static void load(struct model_block *b, struct model_thread *t, const struct inst *i) {
    u32 space = inst_mod(i, GROUP_SPACE), type = inst_mod(i, GROUP_MTYPE);
    static const u8 bytes[] = {
        [MT_B32] = 4, [MT_U8] = 1, [MT_S8] = 1, [MT_U16] = 2, [MT_S16] = 2, [MT_B64] = 8, [MT_B128] = 16};
    const u8 *at = locate(b, t, (struct model_access){address_of(i, t, space), space, bytes[type], false});
    u32 v[4] = {0};
    if (!at)
        return;
    for (u32 k = 0; k < bytes[type]; k++)
        v[k / 4] |= (u32)at[k] << k % 4 * 8;
    if (type == MT_S8 && v[0] >= 0x80)
        v[0] |= 0xffffff00;
    if (type == MT_S16 && v[0] >= 0x8000)
        v[0] |= 0xffff0000;
    for (u32 k = 0; k < (bytes[type] + 3u) / 4; k++)
        model_put(t, i->d, k, v[k]);
}

static void store(struct model_block *b, struct model_thread *t, const struct inst *i, bool dry) {
    u32 space = inst_mod(i, GROUP_SPACE), type = inst_mod(i, GROUP_MTYPE);
    static const u8 bytes[] = {
        [MT_B32] = 4, [MT_U8] = 1, [MT_S8] = 1, [MT_U16] = 2, [MT_S16] = 2, [MT_B64] = 8, [MT_B128] = 16};
    u8 *at = locate(b, t, (struct model_access){address_of(i, t, space), space, bytes[type], true});
    for (u32 k = 0; at && !dry && k < bytes[type]; k++)
        at[k] = (u8)(model_word(t, i->b, k / 4) >> k % 4 * 8);
}

static u64 add_floats(u64 a, u64 b, const struct fmt *format) {
    return num_pack(num_add(num_unpack(a, format), num_unpack(b, format)), format, RN);
}

/* Computes the result of an atomic, by the words of its name: "add", "u32". */
static u64 combined(const char *what, const char *type, u64 old, u64 b, u64 c) {
    u32 bits = type[1] == '6' ? 64 : 32;
    u64 flip = type[0] == 's' ? (u64)1 << (bits - 1) : 0; /* makes signed order that of whole numbers */
    const struct fmt *half = strcmp(type, "f16x2") == 0 ? &FMT_F16 : strcmp(type, "bf16x2") == 0 ? &FMT_BF16 : NULL;
    if (half)
        return add_floats(old & 0xffff, b & 0xffff, half) | add_floats(old >> 16, b >> 16, half) << 16;
    if (strcmp(what, "add") == 0)
        return type[0] == 'f' ? add_floats(old, b, bits == 64 ? &FMT_F64 : &FMT_F32) : old + b;
    if (strcmp(what, "inc") == 0)
        return old < b ? old + 1 : 0;
    if (strcmp(what, "dec") == 0)
        return old == 0 || old > b ? b : old - 1;
    if (strcmp(what, "min") == 0)
        return (old ^ flip) < (b ^ flip) ? old : b;
    if (strcmp(what, "max") == 0)
        return (old ^ flip) < (b ^ flip) ? b : old;
    if (strcmp(what, "and") == 0)
        return old & b;
    if (strcmp(what, "or") == 0)
        return old | b;
    if (strcmp(what, "xor") == 0)
        return old ^ b;
    if (strcmp(what, "exch") == 0)
        return b;
    return old == b ? c : old; /* cas */
}

/* "atom.add.u32": its second and third word. */
static void atomic(struct model_block *b, struct model_thread *t, const struct inst *i, bool dry) {
    char name[32], *what, *type, *rest;
    u32 space = inst_mod(i, GROUP_SPACE);
    strncpy(name, isa_rows[i->op].name, sizeof name - 1);
    name[sizeof name - 1] = 0;
    bool gives = strtok_r(name, ".", &rest)[0] == 'a';
    what = strtok_r(NULL, ".", &rest);
    type = strtok_r(NULL, ".", &rest);
    u32 size = type[1] == '6' ? 8 : 4;
    u64 address = address_of(i, t, space), old = 0;
    if (space == SPACE_LOCAL || (space == SPACE_GENERIC && address >> 40 == 2)) {
        model_stop(b, MODEL_FAULT, "bad_space");
        return;
    }
    u8 *at = locate(b, t, (struct model_access){address, space, size, true});
    if (!at || dry)
        return;
    for (u32 k = 0; k < size; k++)
        old |= (u64)at[k] << 8 * k;
    u64 with = size == 8 ? model_pair(t, i->b) : model_word(t, i->b, 0),
        swap = size == 8 ? model_pair(t, i->c) : model_word(t, i->c, 0);
    u64 new = combined(what, type, old, with, swap);
    for (u32 k = 0; k < size; k++)
        at[k] = (u8)(new >> 8 * k);
    if (gives && size == 8)
        put_pair(t, i->d, old);
    else if (gives)
        model_put(t, i->d, 0, (u32)old);
}

/* Lanes in order; an instruction that faults in one of them changes nothing. */
static void touch(struct model_block *b, struct model_warp *w, const struct inst *i, u64 lanes) {
    const char *name = isa_rows[i->op].name;
    u32 hint = inst_mod_or(i, GROUP_HINT, HINT_NONE);
    bool is_load = strcmp(name, "ld") == 0, is_store = strcmp(name, "st") == 0;
    if ((is_load && hint == HINT_RELEASE) || (is_store && hint == HINT_ACQUIRE)) {
        model_stop(b, MODEL_FAULT, "illegal_instruction");
        return;
    }
    for (u32 round = is_load; round < 2; round++)
        for (u32 l = 0; l < WARP_MAX && b->grid->end == MODEL_DONE; l++) {
            if (!(lanes >> l & 1))
                continue;
            if (is_load)
                load(b, &w->thread[l], i);
            else if (is_store)
                store(b, &w->thread[l], i, round == 0);
            else
                atomic(b, &w->thread[l], i, round == 0);
        }
}

/* ---- what lanes see of each other ---- */

/* A member mask, when there is one, names exactly the lanes that execute; bits beyond the warp do not count. */
static bool members(struct model_block *b, struct model_warp *w, const struct inst *i, u64 lanes) {
    u64 all = b->launch->width == 64 ? ~(u64)0 : ((u64)1 << b->launch->width) - 1;
    const struct operand *o = operand_at(i, PLACE_C);
    if (!o || o->kind != K_MASK_OPT || (i->c == RZ && i->isel != 3))
        return true;
    for (u32 l = 0; l < WARP_MAX; l++)
        if (lanes >> l & 1 && (model_pair(&w->thread[l], i->c) & all) != lanes)
            return model_stop(b, MODEL_FAULT, "inactive_lane");
    return true;
}

static void shuffle(struct model_block *b, struct model_warp *w, const struct inst *i, u64 lanes) {
    const char *name = isa_rows[i->op].name;
    u32 seg = inst_mod(i, GROUP_SEG), width = b->launch->width;
    u32 value[WARP_MAX] = {0};
    bool inside[WARP_MAX] = {0};
    if (seg && (2u << (seg - 1)) < width)
        width = 2u << (seg - 1);
    for (u32 l = 0; l < b->launch->width; l++) {
        if (!(lanes >> l & 1))
            continue;
        s64 by = (s64)model_source(i, PLACE_B, &w->thread[l]), base = l / width * width, to = 0;
        if (strstr(name, ".idx"))
            to = by;
        else if (strstr(name, ".up"))
            to = l - base - by;
        else if (strstr(name, ".down"))
            to = l - base + by;
        else
            to = (l - base) ^ by;
        inside[l] = to >= 0 && to < (s64)width;
        u32 from = inside[l] ? (u32)(base + to) : strstr(name, ".idx") ? (u32)(base + by % width) : l;
        if (!(lanes >> from & 1)) {
            model_stop(b, MODEL_FAULT, "inactive_lane");
            return;
        }
        value[l] = model_word(&w->thread[from], i->a, 0);
    }
    for (u32 l = 0; l < b->launch->width; l++)
        if (lanes >> l & 1) {
            put_predicate(&w->thread[l], i->pd, inside[l]);
            model_put(&w->thread[l], i->d, 0, value[l]);
        }
}

static void vote(struct model_warp *w, const struct inst *i, u64 lanes) {
    const char *name = isa_rows[i->op].name;
    u64 yes = 0;
    for (u32 l = 0; l < WARP_MAX; l++)
        if (lanes >> l & 1 && model_predicate(&w->thread[l], i->pa))
            yes |= (u64)1 << l;
    for (u32 l = 0; l < WARP_MAX; l++) {
        if (!(lanes >> l & 1))
            continue;
        struct model_thread *t = &w->thread[l];
        if (strcmp(name, "vote.all") == 0)
            put_predicate(t, i->pd, yes == lanes);
        else if (strcmp(name, "vote.any") == 0)
            put_predicate(t, i->pd, yes != 0);
        else if (strcmp(name, "vote.uni") == 0)
            put_predicate(t, i->pd, yes == lanes || yes == 0);
        else if (strcmp(name, "ballot.b32") == 0)
            model_put(t, i->d, 0, (u32)yes);
        else
            put_pair(t, i->d, yes);
    }
}

static void match(struct model_warp *w, const struct inst *i, u64 lanes) {
    bool all = strstr(isa_rows[i->op].name, ".all"), wide = strstr(isa_rows[i->op].name, "64"), same = true;
    u64 value[WARP_MAX], equal[WARP_MAX] = {0};
    for (u32 l = 0; l < WARP_MAX; l++)
        value[l] = wide ? model_pair(&w->thread[l], i->a) : model_word(&w->thread[l], i->a, 0);
    for (u32 l = 0; l < WARP_MAX; l++)
        for (u32 k = 0; k < WARP_MAX; k++)
            if (lanes >> l & 1 && lanes >> k & 1) {
                equal[l] |= (u64)(value[l] == value[k]) << k;
                same &= value[l] == value[k];
            }
    for (u32 l = 0; l < WARP_MAX; l++)
        if (lanes >> l & 1) {
            put_pair(&w->thread[l], i->d, all ? (same ? lanes : 0) : equal[l]);
            if (all)
                put_predicate(&w->thread[l], i->pd, same);
        }
}

/* "redux.add.u32" */
static void reduce(struct model_warp *w, const struct inst *i, u64 lanes) {
    char name[32], *what, *type, *rest;
    strncpy(name, isa_rows[i->op].name, sizeof name - 1);
    name[sizeof name - 1] = 0;
    strtok_r(name, ".", &rest);
    what = strtok_r(NULL, ".", &rest);
    type = strtok_r(NULL, ".", &rest);
    u64 sum = model_word(&w->thread[first_of(lanes)], i->a, 0);
    for (u32 l = first_of(lanes) + 1; l < WARP_MAX; l++)
        if (lanes >> l & 1)
            sum = (u32)combined(what, type, sum, model_word(&w->thread[l], i->a, 0), 0);
    for (u32 l = 0; l < WARP_MAX; l++)
        if (lanes >> l & 1)
            model_put(&w->thread[l], i->d, 0, (u32)sum);
}

static void push(struct model_block *b, struct model_warp *w, const struct inst *i) {
    for (u32 l = 0; l < b->launch->width; l++) {
        u32 *x = w->thread[l].x[i->d];
        for (u32 k = 0; k + 1 < TRANSIT_SLOTS; k++)
            x[k] = x[k + 1];
        x[TRANSIT_SLOTS - 1] = model_word(&w->thread[l], i->a, 0);
    }
}

/* The slots are quarters of an array of 8 rows and W / 2 columns; every second row and column is read. */
static void extract(struct model_block *b, struct model_warp *w, const struct inst *i) {
    u32 quarter = b->launch->width / 4, array[8][32], n = 0;
    for (u32 slot = 0; slot < TRANSIT_SLOTS; slot++)
        for (u32 l = 0; l < b->launch->width; l++)
            array[slot / 2 * 4 + l / quarter][slot % 2 * quarter + l % quarter] = w->thread[l].x[i->a][slot];
    for (u32 row = 0; row < 8; row++)
        for (u32 column = 0; column < 2 * quarter; column++)
            if (row % 2 == i->b / 2u % 2 && column % 2 == i->b % 2u)
                model_put(&w->thread[n++], i->d, 0, array[row][column]);
}

/* ---- all of them ---- */

static bool begins(const char *name, const char *with) {
    return strncmp(name, with, strlen(with)) == 0;
}

void model_execute(struct model_block *b, struct model_warp *w, const struct inst *i, u64 lanes) {
    const struct isa_row *row = &isa_rows[i->op];
    if (row->kind == ROW_LANE || row->kind == ROW_LANEI) {
        for (u32 l = 0; l < WARP_MAX; l++)
            if (lanes >> l & 1 && !simple(b, i, &w->thread[l]))
                return;
    } else if (row->kind == ROW_ATOM || strcmp(row->name, "ld") == 0 || strcmp(row->name, "st") == 0) {
        touch(b, w, i, lanes);
    } else if (begins(row->name, "fence") || strcmp(row->name, "nop") == 0 || begins(row->name, "pmevent") ||
               begins(row->name, "nanosleep")) {
        /* every access has been performed */
    } else if (begins(row->name, "s2r")) {
        model_read_special(b, w, i, lanes);
    } else if (begins(row->name, "mma.")) {
        model_multiply(b, w, i, lanes);
    } else if (begins(row->name, "xpush")) {
        if (model_whole_warp(b, lanes))
            push(b, w, i);
    } else if (begins(row->name, "xext")) {
        if (model_whole_warp(b, lanes))
            extract(b, w, i);
    } else if (!members(b, w, i, lanes) || begins(row->name, "bar.warp")) {
        /* a fault, or all lanes have arrived */
    } else if (begins(row->name, "shfl")) {
        shuffle(b, w, i, lanes);
    } else if (begins(row->name, "vote") || begins(row->name, "ballot")) {
        vote(w, i, lanes);
    } else if (begins(row->name, "match")) {
        match(w, i, lanes);
    } else if (begins(row->name, "redux") && !strstr(row->name, ".f32")) {
        reduce(w, i, lanes);
    } else {
        model_stop(b, MODEL_UNKNOWN, row->name);
    }
}
