/* Does every instruction survive text, bits and back? Are bits that are none refused? */
#include "isa/isa.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "isa/check.h"
#include "sim/base/mix.h"
#include "tests/lib/program_text.h"

enum { VARIANTS = 60, FUNCTION_AT = VARIANTS + 1 };

static u8 below(u64 *state, u32 n) {
    return (u8)(splitmix_next(state) % n);
}

static u8 *field_of(struct inst *i, u32 place) {
    return place == PLACE_D ? &i->d : place == PLACE_A ? &i->a : place == PLACE_B ? &i->b : &i->c;
}

static u8 *pred_field_of(struct inst *i, u32 place) {
    return place == PLACE_D ? &i->pd : place == PLACE_A ? &i->pa : place == PLACE_B ? &i->pb : &i->pc;
}

static u8 random_register(u64 *state, u32 count) {
    return below(state, 8) == 0 ? RZ : (u8)(below(state, REG_COUNT / count) * count);
}

static u32 random_immediate(u64 *state) {
    static const u32 corners[] = {0,          1,          0xffffffff, 0x7fffffff, 0x80000000, 0x3f800000,
                                  0x7fc00000, 0x7f800000, 0xff800001, 0x00000001, 0x3dcccccd, 0x3c003c00,
                                  0x80008000, 0x7c007c00, 0x3fb99999, 0xffff0000};
    u32 n = below(state, 32);
    return n < COUNT_OF(corners) ? corners[n] : (u32)splitmix_next(state) >> below(state, 32);
}

static void random_mods(struct inst *i, u64 *state) {
    for (u32 g = 0; g < GROUP_COUNT; g++) {
        u32 m = (u32)(splitmix_next(state) % isa_mod_count);
        bool atomic = isa_rows[i->op].kind == ROW_ATOM && isa_mods[m].value > SPACE_SHARED;
        if (isa_rows[i->op].groups >> g & 1 && isa_mods[m].group == g && !atomic) {
            u32 mask = ((1u << isa_groups[g].bits) - 1) << isa_groups[g].shift;
            i->mods = (u16)((i->mods & ~mask) | (u32)isa_mods[m].value << isa_groups[g].shift);
        }
    }
}

static void random_operand(struct inst *i, const struct operand *o, u64 *state) {
    static const u8 words[] = {0, 1, 2, 1 | 1 << 2, 2 | 1 << 2, 1 | 2 << 2, 2 | 2 << 2 | 2 << 4, 1 | 2 << 2 | 1 << 4};
    u8 *field = field_of(i, o->place);
    switch ((enum operand_kind)o->kind) {
    case K_NONE:
    case K_TEXT_OPT: return;
    case K_TEXT: i->imm = 1; return;
    case K_WORDS: i->d = words[below(state, COUNT_OF(words))]; return;
    case K_REGT:
        if (operand_regs(i, o) == 0)
            return;
        break;
    case K_PRED: *pred_field_of(i, o->place) = below(state, o->place == PLACE_D ? 16 : 32); return;
    case K_PRED_OPT: *pred_field_of(i, o->place) = below(state, 16); return;
    case K_NUM: *field = (u8)splitmix_next(state); return;
    case K_TRANSIT: *field = below(state, TRANSIT_COUNT); return;
    case K_PHASE: *field = below(state, 4); return;
    case K_BARRIER: *field = below(state, BARRIER_COUNT); return;
    case K_SREG: *field = below(state, SREG_COUNT); return;
    case K_IMM: i->imm = isa_rows[i->op].wide ? splitmix_next(state) >> below(state, 64) : below(state, 255); return;
    case K_LABEL: i->imm = below(state, VARIANTS); return;
    case K_FUNCTION: i->imm = FUNCTION_AT; return;
    case K_MEM: i->imm = random_immediate(state); break;
    default: break;
    }
    if (operand_is_immediate(i, o)) {
        i->imm = random_immediate(state);
    } else {
        *field = random_register(state, operand_regs(i, o));
    }
}

static bool takes_immediate(const struct isa_row *row, const struct operand *o) {
    bool lane = row->kind == ROW_LANE && o->place != PLACE_D && (o->kind == K_REG || o->kind == K_REG2);
    return lane || o->kind == K_REG_IMM || o->kind == K_REG_IMM_OPT;
}

static struct inst random_inst(u32 op, u64 *state) {
    struct inst i = inst_blank((enum op)op);
    const struct isa_row *row = &isa_rows[op];
    i.guard = below(state, 2) ? PT : below(state, 32);
    random_mods(&i, state);
    const struct operand *chosen = &row->operand[below(state, OPERANDS_MAX)];
    if (takes_immediate(row, chosen)) {
        i.isel = chosen->place;
    }
    for (u32 n = 0; n < OPERANDS_MAX; n++) {
        random_operand(&i, &row->operand[n], state);
    }
    return i;
}

/* Gives a print the number of its text, which has the values that the instruction has. */
static void give_text(struct program *p, u32 n) {
    static char text[VARIANTS][20];
    struct inst *i = &p->inst[n];
    if (isa_rows[i->op].operand[0].kind != K_TEXT)
        return;
    i->imm = ++p->nmessages;
    char *at = text[n] + snprintf(text[n], sizeof text[n], "%%%%");
    for (u32 words = i->d; words; words >>= 2)
        at += snprintf(at, (size_t)(text[n] + sizeof text[n] - at), " %%%s", (words & 3) == 2 ? "ld" : "d");
    p->message[n] = text[n];
}

/* A kernel of variants of one row, an exit, and a function to call. */
static void fill(struct program *p, u32 op, u64 *state) {
    for (u32 n = 0; n < VARIANTS; n++) {
        p->inst[n] = random_inst(op, state);
        give_text(p, n);
        p->line[n] = n / 3;
    }
    p->inst[VARIANTS] = inst_blank(OP_EXIT);
    p->inst[FUNCTION_AT] = inst_blank(OP_RET);
    p->ninst = FUNCTION_AT + 1;
    p->kernel[0] = (struct kernel){.name = "k", .end = FUNCTION_AT};
    p->kernel[1] = (struct kernel){.name = "f", .function = true, .start = FUNCTION_AT, .end = p->ninst};
    p->nkernels = 2;
    cr_assert(program_close_calls(p) && program_reconverge(p));
}

Test(encoding, every_row_survives_text_and_bits) {
    u64 state = 1;
    for (u32 op = 0; op < OP_COUNT; op++) {
        static struct inst inst[FUNCTION_AT + 1];
        static u32 line[FUNCTION_AT + 1], base[FUNCTION_AT + 1];
        static const char *message[VARIANTS];
        struct kernel kernel[2];
        struct program p = {
            .file = "t.hd", .inst = inst, .line = line, .base = base, .kernel = kernel, .message = message};
        struct problem problem;
        SCOPED(buf_free) struct buf text = {0}, bytes = {0}, messages = {0};
        struct diag diag = {0};
        fill(&p, op, &state);
        cr_assert(program_check(&p, &problem), "%s: %s at %u", isa_rows[op].name, problem.text, problem.index);
        program_save(&p, &bytes);
        program_disassemble(&p, &text);
        SCOPED(program_drop) struct program *q = program_assemble("t.hd", text.data, text.len, NULL, &diag);
        diag_render(&diag, &messages);
        cr_assert(q != NULL, "%s:\n%s", isa_rows[op].name, messages.data);
        for (u32 n = 0; n < VARIANTS; n++) {
            SCOPED(buf_free) struct buf one = {0}, two = {0};
            inst_print(&p, &inst[n], &one);
            inst_print(q, &q->inst[n], &two);
            cr_assert(strcmp(one.data, two.data) == 0, "%s became %s", one.data, two.data);
        }
        expect_same_object(q, &bytes, isa_rows[op].name);
    }
}

/* Bits that decode are the only ones that encode this instruction. */
Test(encoding, bits_that_decode_encode_to_themselves) {
    u64 state = 2;
    u32 decoded = 0;
    for (u32 n = 0; n < 400000; n++) {
        u64 word[2], again[2];
        const char *why = NULL;
        struct inst i = random_inst((u32)(splitmix_next(&state) % OP_COUNT), &state);
        inst_encode(&i, word);
        u32 flips = below(&state, 3);
        for (u32 f = 0; f < flips; f++) {
            word[below(&state, 2)] ^= (u64)1 << below(&state, 64);
        }
        if (!inst_decode(word, &i, &why)) {
            cr_assert(why != NULL && flips > 0, "%s: %s", isa_rows[i.op].name, why);
            continue;
        }
        decoded++;
        inst_encode(&i, again);
        cr_assert(word[0] == again[0] && word[1] == again[1], "%s: %016llx %016llx", isa_rows[i.op].name,
                  (unsigned long long)word[0], (unsigned long long)word[1]);
    }
    cr_assert(decoded > 150000, "%u", decoded);
}

#define BLANK(name) \
    .op = OP_##name, .guard = PT, .d = RZ, .a = RZ, .b = RZ, .c = RZ, .pd = PT, .pa = PT, .pb = PT, .pc = PT

/* One wrong field each. */
static const struct {
    struct inst inst;
    char why[64];
} refusals[] = {
    {{BLANK(ADD_S64), .imm = 5}, "an unused immediate is not 0"},
    {{BLANK(ADD_S32), .mods = 1}, "modifier bits that the instruction does not have"},
    {{BLANK(LD), .mods = 6}, "no such modifier"},
    {{BLANK(LD), .mods = 7 << 3}, "no such modifier"},
    {{BLANK(RED_ADD_U32), .mods = SPACE_CONST}, "atomics work on global, shared and generic memory"},
    {{BLANK(ADD_S32), .isel = 3}, "this operand cannot be an immediate"},
    {{BLANK(LOP3_B32), .isel = 1}, "this operand cannot be an immediate"},
    {{BLANK(SEL_B32), .isel = 3}, "this operand cannot be an immediate"},
    {{BLANK(LOP3_B32), .imm = 256}, "the immediate must be 0..255"},
    {{BLANK(CALL), .imm = (u64)1 << 40}, "reserved bits are set"},
    {{BLANK(PRINT)}, "a text is missing"},
    {{BLANK(PRINT), .imm = 1}, "no such registers of values"},
};

/* Registers and other operands: opcode, fields d a b c. */
static const struct {
    u16 op;
    u8 d, a, b, c;
    char why[64];
} misplaced[] = {
    {OP_ADD_S64, 1, 2, 4, RZ, "a register pair must start at an even register"},
    {OP_ADD_S64, 2, 254, 4, RZ, "a register pair or quad goes past r254"},
    {OP_ADD_S32, 1, 2, 3, 4, "an unused register field is not 255"},
    {OP_XEXT, 1, 1, 4, RZ, "the phase must be 0..3"},
    {OP_XEXT, 1, 4, 0, RZ, "no such transit register"},
    {OP_BAR_SYNC, RZ, 16, 2, RZ, "the barrier must be 0..15"},
    {OP_S2R, 1, SREG_COUNT, RZ, RZ, "no such special register"},
};

static void refused(const struct inst *i, const char *expected) {
    u64 word[2];
    const char *why = NULL;
    struct inst out;
    inst_encode(i, word);
    cr_assert(!inst_decode(word, &out, &why), "taken, not refused with: %s", expected);
    cr_assert(strcmp(why, expected) == 0, "'%s' instead of '%s'", why, expected);
}

Test(encoding, what_is_no_instruction_is_refused) {
    for (size_t n = 0; n < COUNT_OF(refusals); n++) {
        refused(&refusals[n].inst, refusals[n].why);
    }
    for (size_t n = 0; n < COUNT_OF(misplaced); n++) {
        struct inst i = inst_blank((enum op)misplaced[n].op);
        i.d = misplaced[n].d;
        i.a = misplaced[n].a;
        i.b = misplaced[n].b;
        i.c = misplaced[n].c;
        refused(&i, misplaced[n].why);
    }
    struct inst i = inst_blank(OP_ADD_S32);
    i.pa = 3;
    refused(&i, "an unused predicate field is not 15");
    i = inst_blank(OP_LD);
    i.mods = MT_B128 << 3 | SPACE_SHARED;
    i.d = 2;
    refused(&i, "four registers must start at a multiple of 4");
    i.d = 252;
    refused(&i, "a register pair or quad goes past r254");
}

Test(encoding, unknown_opcodes_and_reserved_bits) {
    const char *why = NULL;
    struct inst i = inst_blank(OP_NOP);
    u64 word[2], other[2];
    inst_encode(&i, word);
    other[0] = (word[0] & ~(u64)1023) | 1023;
    other[1] = word[1];
    cr_assert(!inst_decode(other, &i, &why) && strcmp(why, "unknown opcode") == 0);
    other[0] = word[0] | 1u << 15;
    cr_assert(!inst_decode(other, &i, &why) && strcmp(why, "reserved bits are set") == 0);
    other[0] = word[0];
    other[1] = word[1] | (u64)1 << 51;
    cr_assert(!inst_decode(other, &i, &why) && strcmp(why, "reserved bits are set") == 0);
}

/* Words put together by hand from the picture in isa.def. */
Test(encoding, the_picture_is_true) {
    static const u64 unused = (u64)15 << 36 | (u64)15 << 41 | (u64)15 << 46; /* pa pb pc */
    SCOPED(program_drop)
    struct program *p = program_of_text(".kernel k\n@!p3 add.s32 r1, r2, -5\nsetp.lt.s32 p7, r9, r8\n"
                                        "movi.b64 r2, 0x123456789abcdef0\nfma.f32.ftz r4, r5, r6, r7\nexit\n");
    const u64 want[4][2] = {
        {0x0002ffff02010000u | 19u << 10 | 0x003u, (u64)15 << 32 | unused | 0xfffffffbu},
        {0x0000ff0809ff0000u | 15u << 10 | 0x082u, (u64)7 << 32 | unused},
        {0x0000ffffff020000u | 15u << 10 | 0x002u, 0x123456789abcdef0u},
        {(u64)4 << 50 | 0x0000070605040000u | 15u << 10 | 0x103u, (u64)15 << 32 | unused},
    };
    for (u32 n = 0; n < 4; n++) {
        u64 word[2];
        inst_encode(&p->inst[n], word);
        cr_assert(word[0] == want[n][0] && word[1] == want[n][1], "%u: %016llx %016llx, expected %016llx %016llx", n,
                  (unsigned long long)word[0], (unsigned long long)word[1], (unsigned long long)want[n][0],
                  (unsigned long long)want[n][1]);
    }
}

Test(encoding, names_and_aliases_are_found) {
    for (int op = 0; op < OP_COUNT; op++) {
        cr_assert(isa_find(isa_rows[op].name, strlen(isa_rows[op].name)) == op, "%s", isa_rows[op].name);
    }
    for (size_t a = 0; a < isa_alias_count; a++) {
        int op = isa_find(isa_aliases[a].name, strlen(isa_aliases[a].name));
        cr_assert(op >= 0 && strcmp(isa_rows[op].name, isa_aliases[a].doc) == 0, "%s", isa_aliases[a].name);
    }
    cr_assert(isa_find("add", 3) < 0 && isa_find("add.s32x", 8) < 0 && isa_find("add.s32x", 7) == OP_ADD_S32);
}

Test(encoding, counts_are_kept_by_space) {
    SCOPED(program_drop)
    struct program *p =
        program_of_text(".kernel k\nld.shared.b32 r0, [r1]\nst.b64 [r2], r4\natom.global.add.u32 r0, [r2], r1\n"
                        "red.shared.add.u32 [r0], r1\nadd.s32 r0, r0, 1\nbar.warp\nbar.sync 0\nexit\n");
    static const char *const want[] = {"ld.shared", "st.generic", "atom.global", "red.shared",
                                       "int",       "bar.warp",   "bar",         "branch"};
    for (u32 n = 0; n < COUNT_OF(want); n++) {
        cr_assert(strcmp(inst_count_class(&p->inst[n]), want[n]) == 0, "%s, expected %s", inst_count_class(&p->inst[n]),
                  want[n]);
    }
}
