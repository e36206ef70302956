/* Does the assembler translate every directive, operand and number as the language defines it? */
#include "isa/program.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/lib/program_text.h"

/* Assembles one instruction in a kernel with names to refer to. The result needs no program. */
static struct inst one(const char *line) {
    SCOPED(buf_free) struct buf source = {0};
    buf_printf(&source,
               ".const before : u8 = 1\n.const table : u32 = 7\n.equ N, 6*7\n.equ HALF, 0.5\n.equ BITS, 0x3f800000\n"
               ".kernel k\n.param x : f32[n]\n.param n : u32\n.shared a : u8[3]\n.shared tile : f32[4]\n"
               ".local mine : u8[5]\n.local yours : u8 align 4\n.reg one, two:2, four:4\n.pred yes, no\n"
               "start: %s\n exit\n.func f\n ret\n",
               line);
    SCOPED(program_drop) struct program *p = program_of_text(source.data);
    struct inst i = p->inst[0];
    return i;
}

/* ---- instructions ---- */

/* A short form, and the full one. */
static const char *const same[][2] = {
    /* modifiers anywhere, defaults, aliases */
    {"cvt.rz.f32.s32 r1, r2", "cvt.f32.s32.rz r1, r2"},
    {"cvt.f32.rz.s32 r1, r2", "cvt.f32.s32.rz r1, r2"},
    {"cvt.rzi.s32.f32 r1, r2", "cvt.s32.f32 r1, r2"},
    {"fma.ftz.sat.f32 r1, r2, r3, r4", "fma.f32.ftz.sat r1, r2, r3, r4"},
    {"ld.b32.volatile.shared r1, [r2]", "ld.shared.volatile.b32 r1, [r2]"},
    {"atom.shared.add.u32 r1, [r2], r3", "atom.add.u32.shared r1, [r2], r3"},
    {"ld.u64 r2, [r4]", "ld.generic.b64 r2, [r4]"},
    {"mov.u32 r1, r2", "mov.b32 r1, r2"},
    {"sel.p r1, r2, r3, p0", "sel.b32 r1, r2, r3, p0"},
    {"shfl.up.w8 r1, r2, 1", "shfl.up.b32.w8 r1, r2, 1"},
    {"add.u32 r1, r2, r3", "add.s32 r1, r2, r3"},
    /* blanks and comments */
    {"add.s32\tr1 ,r2,r3// sum", "add.s32 r1, r2, r3"},
    {"@ ! p1 nop ; nothing", "@!p1 nop"},
    {"@pt nop", "nop"},
    /* names: in order of declaration, from r0 and p0 */
    {"mov.b32 one, two", "mov.b32 r0, r2"},
    {"mov.b64 two, four+2", "mov.b64 r2, r6"},
    {"mov.b32 two+1, 1+four", "mov.b32 r3, r5"},
    {"ld.shared.b128 four, [one]", "ld.shared.b128 r4, [r0]"},
    {"@!no and.pred yes, !yes, no", "@!p1 and.pred p0, !p0, p1"},
    /* addresses */
    {"ld.shared.b32 r1, [tile+r2+4]", "ld.shared.b32 r1, [r2+20]"},
    {"ld.shared.b32 r1, [r2-4]", "ld.shared.b32 r1, [r2+-4]"},
    {"ld.shared.b32 r1, [4*N+r2]", "ld.shared.b32 r1, [r2+168]"},
    {"ld.shared.b32 r1, [(r2+1)+(1<<3)]", "ld.shared.b32 r1, [r2+9]"},
    {"ld.shared.b32 r1, [rz+8]", "ld.shared.b32 r1, [8]"},
    {"ld.shared.b32 r1, [-8]", "ld.shared.b32 r1, [0-8]"},
    {"ld.local.b32 r1, [yours]", "ld.local.b32 r1, [8]"},
    {"ld.const.b32 r1, [table]", "ld.const.b32 r1, [16]"},
    {"ld.param.b32 r1, [n]", "ld.param.b32 r1, [8]"},
    {"ld.global.b32 r1, [two+8]", "ld.global.b32 r1, [r2+8]"},
    {"mov.b32 r1, tile", "mov.b32 r1, 16"},
    {"st.const.b32 [4], r1", "st.b32.const [2+2], r1"},
    {"st.param.b32 [n], r1", "st.param.b32 [8], r1"},
    /* operands that may be left out */
    {"shfl.up.b32 r1|p0, r2, 1", "shfl.up.b32 r1 | p0, r2, 1"},
    {"shfl.idx.b32 r1|no, r2, r3, r4", "shfl.idx.b32 r1|p1, r2, r3, r4"},
    {"match.all.b32 r2|p3, r1, r4", "match.all.b32 two|p3, r1, r4"},
    {"bar.sync N/42", "bar.sync 1"},
    {"bar.sync 0, N", "bar.sync 0, 42"},
    {"bar.warp two", "bar.warp r2"},
    /* numbers where a number is wanted */
    {"bfe.u32 r1, r2, N, 1<<3", "bfe.u32 r1, r2, 42, 8"},
    {"bfe.u32 r1, r2, r3, N", "bfe.reg.u32 r1, r2, r3, 42"},
    {"bfe.s32 r1, r2, N, r3", "bfe.reg.s32 r1, r2, 42, r3"},
    {"bfe.u32 r1, 7, r2, r3", "bfe.reg.u32 r1, 7, r2, r3"},
    {"bfi.b64 r2, r4, r6, r3, N", "bfi.reg.b64 r2, r4, r6, r3, 42"},
    {"bfi.b32 r1, r2, r3, r4, 8", "bfi.reg.b32 r1, r2, r3, r4, 8"},
    {"lop3.b32 r1, r2, r3, r4, 0b11101000", "lop3.b32 r1, r2, r3, r4, 232"},
    {"xext r1, x3, 1+2", "xext r1, x3, 3"},
};

Test(assembler, spellings_of_one_instruction) {
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        struct inst a = one(same[i][0]), b = one(same[i][1]);
        SCOPED(buf_free) struct buf text = {0};
        inst_print(NULL, &a, &text);
        buf_puts(&text, " against ");
        inst_print(NULL, &b, &text);
        u64 x[2], y[2];
        inst_encode(&a, x);
        inst_encode(&b, y);
        cr_assert(x[0] == y[0] && x[1] == y[1], "%s: %s", same[i][0], text.data);
    }
}

/* A number in an instruction, which source it is, and its bits. */
static const struct {
    const char *line;
    u8 isel;
    u64 imm;
} numbers[] = {
    {"add.s32 r1, r2, 42", 2, 42},
    {"add.s32 r1, 42, r2", 1, 42},
    {"mad.lo.s32 r1, r2, r3, -1", 3, 0xffffffff},
    {"add.s32 r1, r2, 0x2A", 2, 42},
    {"add.s32 r1, r2, 0b1010", 2, 10},
    {"add.s32 r1, r2, 010", 2, 10},
    {"add.s32 r1, r2, 4294967295", 2, 0xffffffff},
    {"add.s32 r1, r2, -2147483648", 2, 0x80000000},
    {"add.s32 r1, r2, 2+3*4", 2, 14},
    {"add.s32 r1, r2, (2+3)*4", 2, 20},
    {"add.s32 r1, r2, 7-2-1", 2, 4},
    {"add.s32 r1, r2, -7/2", 2, (u32)-3},
    {"add.s32 r1, r2, -7%3", 2, (u32)-1},
    {"add.s32 r1, r2, -7>>1", 2, (u32)-4},
    {"add.s32 r1, r2, 1<<4|1", 2, 17},
    {"add.s32 r1, r2, 6&3^1", 2, 3},
    {"add.s32 r1, r2, ~0", 2, 0xffffffff},
    {"add.s32 r1, r2, -(-3)", 2, 3},
    {"add.s32 r1, r2, +3", 2, 3},
    {"add.s32 r1, r2, 18446744073709551615-18446744073709551614", 2, 1},
    {"add.s32 r1, r2, 9223372036854775808>>60", 2, 8},
    {"add.s32 r1, r2, 0f3fc00000", 2, 0x3fc00000},
    {"add.s32 r1, r2, N-2", 2, 40},
    {"add.s64 r2, r4, -1", 2, 0xffffffff},
    {"add.s64 r2, r4, 2147483647", 2, 0x7fffffff},
    {"add.s64 r2, r4, 0xffffffff80000000", 2, 0x80000000},
    {"mov.b32 r1, 2", 1, 2},
    {"mov.b32 r1, 2.0", 1, 0x40000000},
    {"mov.b32 r1, -inf", 1, 0xff800000},
    {"mov.b32 r1, nan", 1, 0x7fffffff},
    {"mov.b32 r1, HALF", 1, 0x3f000000},
    {"add.f32 r1, r2, 2", 2, 0x40000000},
    {"add.f32 r1, r2, -0", 2, 0x80000000},
    {"add.f32 r1, r2, -0.0", 2, 0x80000000},
    {"add.f32 r1, r2, .5", 2, 0x3f000000},
    {"add.f32 r1, r2, 1e-3", 2, 0x3a83126f},
    {"add.f32 r1, r2, 2E+3", 2, 0x44fa0000},
    {"add.f32 r1, r2, 0x3f800000", 2, 0x3f800000},
    {"add.f32 r1, r2, 0f3f800000", 2, 0x3f800000},
    {"add.f32 r1, r2, BITS", 2, 0x3f800000},
    {"add.f32 r1, r2, -HALF", 2, 0xbf000000},
    {"add.f32 r1, r2, N", 2, 0x42280000},
    {"add.f32 r1, r2, 2*(0x10)", 2, 0x42000000},
    {"add.f32 r1, r2, 16777217", 2, 0x4b800000},
    {"add.f32 r1, r2, 16777217.0000001", 2, 0x4b800001},
    {"add.f32 r1, r2, 1e-45", 2, 1},
    {"add.f32 r1, r2, 1e-60", 2, 0},
    {"add.f32 r1, r2, 3.4028235e38", 2, 0x7f7fffff},
    {"add.f32 r1, r2, 100000000000000000000000", 2, 0x65a96816},
    {"add.f64 r2, r4, 1.5", 2, 0x3ff80000},
    {"add.f64 r2, r4, 0d3ff8000000000000", 2, 0x3ff80000},
    {"add.f64 r2, r4, -inf", 2, 0xfff00000},
    {"add.f16x2 r1, r2, 1.0", 2, 0x3c003c00},
    {"add.f16x2 r1, r2, 0x3c004000", 2, 0x3c004000},
    {"add.f16x2 r1, r2, 2049", 2, 0x68006800},                      /* a tie: to even */
    {"add.f16x2 r1, r2, 2051", 2, 0x68026802},                      /* a value as well */
    {"add.f16x2 r1, r2, 2049.00000000000000000001", 2, 0x68016801}, /* a double would call it a tie */
    {"add.f16x2 r1, r2, -6e-8", 2, 0x80018001},
    {"add.bf16x2 r1, r2, 257", 2, 0x43804380},
    {"add.bf16x2 r1, r2, 1.0000000000000000001e-3", 2, 0x3a833a83},
    {"movi.b64 r2, 0xffffffffffffffff", 0, UINT64_MAX},
    {"movi.b64 r2, -9223372036854775808", 0, (u64)1 << 63},
    {"movi.b64 r2, 0.1", 0, 0x3fb999999999999a},
    {"movi.b64 r2, 1", 0, 1},
    {"movi.b64 r2, 4.9e-324", 0, 1},
    {"movi.b64 r2, 1.7976931348623157e308", 0, 0x7fefffffffffffff},
    {"shfl.up.b32 r1, r2, 31", 2, 31},
    {"bar.arrive 3, 64", 2, 64},
};

Test(assembler, numbers) {
    for (size_t n = 0; n < COUNT_OF(numbers); n++) {
        struct inst i = one(numbers[n].line);
        cr_assert(i.isel == numbers[n].isel && i.imm == numbers[n].imm, "%s: source %u, 0x%llx", numbers[n].line,
                  i.isel, (unsigned long long)i.imm);
    }
}

/* Some values for the fields of an operand. */
static void fill(struct inst *i, const struct operand *o) {
    u8 *reg[] = {&i->d, &i->a, &i->b, &i->c, &i->d}, *pred[] = {&i->pd, &i->pa, &i->pb, &i->pc, &i->pd};
    switch ((enum operand_kind)o->kind) {
    case K_NONE:
    case K_TEXT_OPT: break;
    case K_PRED:
    case K_PRED_OPT: *pred[o->place] = (u8)(o->place + 3); break;
    case K_TRANSIT:
    case K_PHASE:
    case K_BARRIER:
    case K_SREG:
    case K_NUM: *reg[o->place] = 3; break;
    case K_IMM: i->imm = 5; break;
    case K_LABEL: i->imm = 1; break;
    case K_FUNCTION: i->imm = 3; break;
    case K_MEM:
        i->imm = (u32)-4;
        *reg[o->place] = 8;
        break;
    default: *reg[o->place] = (u8)(4 * (o->place + 1));
    }
}

/* As it is printed; code addresses are written as names. A print has a text of its program: object_file.c. */
Test(assembler, every_row) {
    for (u32 op = 0; op < OP_COUNT; op += op + 1 == OP_PRINT ? 2 : 1) {
        struct inst want = inst_blank((enum op)op);
        want.guard = 2 | PRED_NEG;
        for (u32 n = 0; n < OPERANDS_MAX; n++)
            fill(&want, &isa_rows[op].operand[n]);
        SCOPED(buf_free) struct buf source = {0};
        buf_puts(&source, ".kernel k\n");
        if (op == OP_BRA)
            buf_puts(&source, "@!p2 bra L");
        else if (op == OP_CALL)
            buf_puts(&source, "@!p2 call f");
        else
            inst_print(NULL, &want, &source);
        buf_puts(&source, "\nL: nop\n exit\n.func f\n ret\n");
        SCOPED(program_drop) struct program *p = program_of_text(source.data);
        u64 x[2], y[2];
        inst_encode(&want, x);
        inst_encode(&p->inst[0], y);
        if (op == OP_BRA) /* its reconvergence address is tested in tests/arch/control_flow.c */
            y[1] = (u32)y[1];
        cr_assert(x[0] == y[0] && x[1] == y[1], "%s", source.data);
    }
}

/* ---- directives ---- */

Test(assembler, kernels_and_functions) {
    SCOPED(program_drop)
    struct program *p =
        program_of_text(".kernel one\n nop\n exit\n.func two ; helper\n ret\n\n.kernel three\n.warp 64, 8\n trap\n");
    cr_assert(p->nkernels == 3 && p->ninst == 4);
    const struct kernel *k = p->kernel;
    cr_assert(strcmp(k[0].name, "one") == 0 && !k[0].function && k[0].start == 0 && k[0].end == 2 && k[0].line == 1);
    cr_assert(strcmp(k[1].name, "two") == 0 && k[1].function && k[1].start == 2 && k[1].end == 3 && k[1].line == 4);
    cr_assert(strcmp(k[2].name, "three") == 0 && k[2].start == 3 && k[2].end == 4 && k[2].warps == (1 | 8));
    cr_assert(k[0].warps == 0);
    cr_assert(p->line[0] == 2 && p->line[1] == 3 && p->line[2] == 5 && p->line[3] == 9);
    cr_assert(strcmp(p->file, "test.hd") == 0 && strncmp(p->source, ".kernel one\n", 12) == 0);
}

Test(assembler, parameters) {
    SCOPED(program_drop)
    struct program *p = program_of_text(".equ EXTRA, 3\n.kernel k\n.param a : u8\n.param x : f32[ 2 * n+m*m + EXTRA ]\n"
                                        ".param h : f16\n.param n : u32\n.param m : i64\n.param y : b16[]\n exit\n");
    static const struct {
        const char *name, *extent;
        enum etype type;
        bool buffer;
        u32 offset;
    } want[] = {{"a", "", ET_U8, false, 0},   {"x", "2*n+m*m+3", ET_F32, true, 8}, {"h", "", ET_F16, false, 16},
                {"n", "", ET_U32, false, 20}, {"m", "", ET_I64, false, 24},        {"y", "", ET_B16, true, 32}};
    const struct kernel *k = &p->kernel[0];
    cr_assert(k->nparams == COUNT_OF(want) && k->param_bytes == 40);
    for (u32 i = 0; i < k->nparams; i++) {
        const struct param *a = &k->param[i];
        cr_assert(strcmp(a->name, want[i].name) == 0 && strcmp(a->extent, want[i].extent) == 0, "%s[%s]", a->name,
                  a->extent);
        cr_assert(a->etype == want[i].type && a->buffer == want[i].buffer && a->offset == want[i].offset);
    }
}

Test(assembler, shared_and_local_memory) {
    SCOPED(program_drop)
    struct program *p =
        program_of_text(".kernel k\n.shared a : u8[3]\n.shared b : f64[2] align 8\n.shared c : u8 align 1\n"
                        ".local x : u32[5]\n.local y : u16\n mov.b32 r1, a\n mov.b32 r1, b\n mov.b32 r1, c\n"
                        " mov.b32 r1, y\n exit\n.kernel sizes\n.shared a : u8[3]\n.sharedbytes 100\n"
                        ".localbytes 8\n.regs 9\n mov.b32 r10, a\n exit\n");
    cr_assert(p->inst[0].imm == 0 && p->inst[1].imm == 8 && p->inst[2].imm == 24 && p->inst[3].imm == 32);
    cr_assert(p->kernel[0].shared == 25 && p->kernel[0].local == 34 && p->kernel[0].regs == 2);
    cr_assert(p->kernel[1].shared == 100 && p->kernel[1].local == 8 && p->kernel[1].regs == 11);
}

Test(assembler, variables) {
    SCOPED(program_drop)
    struct program *p =
        program_of_text(".kernel k\n.shared a : f32[4,5]\n.shared b : u8 at 100\n.shared c : u16[2,3,4,5]\n"
                        ".local l : b64[3]\n exit\n");
    const struct kernel *k = &p->kernel[0];
    cr_assert(k->nvariables == 4 && k->shared == 112 + 240 && k->local == 24);
    cr_assert(k->variable[0].ndim == 2 && k->variable[0].dim[1] == 5 && variable_bytes(&k->variable[0]) == 80);
    cr_assert(k->variable[1].ndim == 0 && k->variable[1].offset == 100 && variable_bytes(&k->variable[1]) == 1);
    cr_assert(k->variable[2].offset == 112 && k->variable[2].dim[3] == 5);
    cr_assert(k->variable[3].space == SPACE_LOCAL && strcmp(k->variable[3].name, "l") == 0);
}

/* What the launch sizes lies after the kernel's own shared memory and that of all that it may call. */
Test(assembler, dynamic_shared_memory) {
    SCOPED(program_drop)
    struct program *p =
        program_of_text(".kernel k\n.shared a : u8[3]\n.shared x : f32[] align 64\n call f\n mov.b32 r1, x\n exit\n"
                        ".kernel none\n.shared x : b8[]\n exit\n.func f\n.shared b : u32[9]\n call g\n ret\n"
                        ".func g\n.shared c : u32\n ret\n");
    const struct variable *x = &p->kernel[0].variable[1];
    cr_assert(x->dynamic && x->ndim == 1 && x->dim[0] == 0 && x->offset == 128 && p->kernel[0].shared == 128);
    cr_assert(p->inst[1].imm == 128);
    cr_assert(p->kernel[1].variable[0].offset == 0 && p->kernel[1].shared == 0);
}

/* An address is that of a variable when it is written as its name and what is added to it. */
Test(assembler, addresses_that_name_a_variable) {
    static const struct {
        const char *text;
        int variable; /* -1: none */
    } cases[] = {{"ld.shared.b32 r0, [b]", 1},
                 {"ld.shared.b32 r0, [b+r1]", 1},
                 {"ld.shared.b32 r0, [r1+b]", 1},
                 {"ld.shared.b32 r0, [r1+4*3+b-8]", 1},
                 {"ld.shared.b32 r0, [(b)+r1]", 1},
                 {"st.shared.b32 [a+4], r0", 0},
                 {"red.shared.add.u32 [a+r1], r0", 0},
                 {"ld.local.b32 r0, [l]", 2},
                 {"ld.shared.b32 r0, [r1]", -1},
                 {"ld.shared.b32 r0, [r1+b-a]", -1},
                 {"ld.shared.b32 r0, [b-a+r1+a]", -1},
                 {"ld.shared.b32 r0, [-a+r1]", -1},
                 {"ld.shared.b32 r0, [2*b+r1]", -1},
                 {"ld.shared.b32 r0, [b|4]", -1},
                 {"ld.shared.b32 r0, [l+r1]", -1},
                 {"ld.const.b32 r0, [b+r1]", -1},
                 {"ld.b32 r0, [r2+b]", -1},
                 {"ld.shared.b32 r0, [b+t]", -1},
                 {"mov.b32 r0, b", -1}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        SCOPED(buf_free) struct buf source = {0};
        buf_printf(&source,
                   ".const t : u32 = 1\n.kernel k\n.shared a : u32[4]\n.shared b : u32[4]\n.local l : u32\n%s\nexit\n",
                   cases[i].text);
        SCOPED(program_drop) struct program *p = program_of_text(source.data);
        cr_expect_eq((int)p->base[0] - 1, cases[i].variable, "%s", cases[i].text);
    }
}

static const char constants_text[] = ".const a : u8 = 1, 0xff ; two\n"
                                     ".const b : f32 = 1, -0.5,\n"
                                     "\n"
                                     "  // goes on\n"
                                     "  0x7fc00000,\n"
                                     "  inf\n"
                                     ".kernel k\n"
                                     " mov.b32 r1, d\n"
                                     " exit\n"
                                     ".const c : f16 = 1, 65504, 0x1\n"
                                     ".const d : f64 = 0.1\n"
                                     ".const e : i16 = -32768, 2*3\n"
                                     ".const f : bf16 = 1, nan\n"
                                     ".const g : b64 = -1, 0xffffffffffffffff\n"
                                     ".const h : bool = 1, 0\n"
                                     ".kernel other\n"
                                     " mov.b32 r1, h\n"
                                     " exit\n";

static const struct {
    u32 offset, bytes;
    u64 value;
} constants[] = {
    {0, 1, 1},
    {1, 1, 0xff},
    {2, 8, 0},
    {16, 4, 0x3f800000},
    {20, 4, 0xbf000000},
    {24, 4, 0x7fc00000},
    {28, 4, 0x7f800000},
    {32, 2, 0x3c00},
    {34, 2, 0x7bff},
    {36, 2, 1},
    {48, 8, 0x3fb999999999999a},
    {64, 2, 0x8000},
    {66, 2, 6},
    {80, 2, 0x3f80},
    {82, 2, 0x7fff},
    {96, 8, UINT64_MAX},
    {104, 8, UINT64_MAX},
    {112, 1, 1},
    {113, 1, 0},
};

Test(assembler, constants) {
    SCOPED(program_drop) struct program *p = program_of_text(constants_text);
    cr_assert(p->const_bytes == 114);
    for (size_t i = 0; i < COUNT_OF(constants); i++) {
        u64 value = 0;
        for (u32 b = 0; b < constants[i].bytes; b++)
            value |= (u64)p->consts[constants[i].offset + b] << 8 * b;
        cr_assert(value == constants[i].value, "byte %u: 0x%llx", constants[i].offset, (unsigned long long)value);
    }
    cr_assert(p->inst[0].imm == 48 && p->inst[2].imm == 112);
}

Test(assembler, names_of_numbers) {
    SCOPED(program_drop)
    struct program *p =
        program_of_text(".equ A, 3\n.equ B, A*A\n.kernel k\n mov.b32 r1, A\n mov.b32 r1, B+1\n mov.b32 r1, C\n exit\n"
                        ".equ C, B-1\n.kernel l\n.equ A, 4\n mov.b32 r1, A\n exit\n");
    cr_assert(p->inst[0].imm == 3 && p->inst[1].imm == 10 && p->inst[2].imm == 8 && p->inst[4].imm == 4);
}

Test(assembler, line_records_of_another_file) {
    SCOPED(program_drop)
    struct program *p =
        program_of_text(".file \"a \\\"b\\\\c\\x41.hd\"\n.loc 7\n.kernel k\n.loc 9\n nop\n nop\n.loc 12\n exit\n");
    cr_assert(strcmp(p->file, "a \"b\\cA.hd") == 0, "%s", p->file);
    cr_assert(p->source == NULL && p->kernel[0].line == 7);
    cr_assert(p->line[0] == 9 && p->line[1] == 9 && p->line[2] == 12);
}

/* A kernel, a parameter, a register and a label with names of `len` characters. */
static void put_long_names(struct buf *out, int len) {
    buf_printf(out, ".kernel k%0*d\n.param n%0*d : u32\n.reg v%0*d_\nl%0*d:\n", len - 1, 0, len - 1, 0, len - 2, 0,
               len - 1, 0);
    buf_printf(out, " ld.param.b32 v%0*d_, [n%0*d]\n bra l%0*d\n", len - 2, 0, len - 1, 0, len - 1, 0);
}

Test(assembler, names_of_4096_characters) {
    SCOPED(buf_free) struct buf text = {0}, object = {0}, plain = {0};
    struct diag diag = {0};
    put_long_names(&text, 4096);
    struct program *p = program_of_text(text.data);
    cr_assert(strlen(p->kernel[0].name) == 4096 && strlen(p->kernel[0].param[0].name) == 4096);
    program_save(p, &object);
    program_disassemble(p, &plain);
    program_free(p);
    p = program_load("t.hdo", (const u8 *)object.data, object.len, &diag);
    cr_assert(p && strlen(p->kernel[0].name) == 4096);
    program_free(p);
    program_free(program_of_text(plain.data));
    text.len = 0;
    put_long_names(&text, 4097);
    cr_assert(!program_assemble("t.hd", text.data, text.len, NULL, &diag));
    cr_assert(diag.kept >= 4, "%u messages", diag.kept);
    for (u32 i = 0; i < 4; i++) /* a kernel, a parameter, a register, a label */
        cr_expect_str_eq(diag.message[i].text, "a name has at most 4,096 characters");
}

Test(assembler, file_names_of_4096_characters) {
    SCOPED(buf_free) struct buf text = {0}, object = {0};
    struct diag diag = {0};
    for (int len = 4096; len <= 4097; len++) {
        text.len = object.len = 0;
        buf_printf(&text, ".file \"%0*d\"\n.kernel k\n exit\n", len, 0);
        SCOPED(program_drop) struct program *p = program_assemble("t.hd", text.data, text.len, NULL, &diag);
        cr_assert_eq(p != NULL, len == 4096);
    }
    cr_assert_str_eq(diag.message[0].text, "a name has at most 4,096 characters");
    struct program *p = program_of_text(".kernel k\n exit\n");
    buf_printf(&text, "%0*d", 4097, 0);
    p->file = text.data;
    program_save(p, &object);
    program_free(p);
    diag = (struct diag){0};
    cr_assert_null(program_load("t.hdo", (const u8 *)object.data, object.len, &diag));
    cr_assert(strstr(diag.message[0].text, "a name has at most 4,096 characters"), "%s", diag.message[0].text);
}

Test(assembler, text_without_end) {
    static const char source[] = ".kernel k\r\nl: m: bra l\r\nbra m\n exit";
    struct diag diag = {0};
    SCOPED(program_drop) struct program *p = program_assemble("t.hd", source, sizeof source - 1, NULL, &diag);
    cr_assert(p && p->ninst == 3);
}

/* ---- what the assembler chooses ---- */

Test(assembler, named_registers_avoid_numbered_ones) {
    SCOPED(program_drop)
    struct program *p = program_of_text(".kernel k\n.reg a, b:2, c, d:4\n.pred p, q\n mov.b32 r0, a\n mov.b64 r4, b\n"
                                        " mov.b32 c, d\n setp.eq.s32 p0, r9, rz\n@p mov.b32 d+3, c\n@!q exit\n exit\n");
    const struct inst *i = p->inst;
    cr_assert(i[0].a == 1, "a is r%u", i[0].a);
    cr_assert(i[1].a == 2, "b is r%u: r4 and r5 are a pair that is named", i[1].a);
    cr_assert(i[2].d == 6 && i[2].a == 12, "c is r%u, d is r%u", i[2].d, i[2].a);
    cr_assert(i[4].guard == 1 && i[4].d == 15);
    cr_assert(i[5].guard == (2 | PRED_NEG));
    cr_assert(p->kernel[0].regs == 16);
}

/* k calls f, f calls g, g calls f; other calls nothing. What k and f and g name is all different. */
Test(assembler, calls_keep_named_registers) {
    SCOPED(program_drop)
    struct program *p =
        program_of_text(".func g\n.reg t\n.local m : u32\n mov.b32 t, m\n mov.b32 r1, r8\n call f\n ret\n"
                        ".kernel k\n.reg t\n.pred p\n.local m : u32[3]\n.shared s : u32\n"
                        " mov.b32 t, m\n setp.eq.s32 p, t, t\n call f\n exit\n"
                        ".func f\n.reg t\n.pred p\n.local m : u32\n.shared s : u32\n"
                        " mov.b32 t, m\n setp.eq.s32 p, t, t\n mov.b32 t, s\n call g\n ret\n"
                        ".kernel other\n.reg t\n.local m : u32\n mov.b32 t, m\n exit\n");
    const struct inst *g = p->inst, *k = p->inst + 4, *f = p->inst + 8, *other = p->inst + 13;
    cr_assert(k[0].d == 0 && k[0].imm == 0);
    cr_assert(f[0].d != g[0].d && f[0].d != 0 && g[0].d != 0 && f[0].d + g[0].d == 2 + 3, "%u %u", f[0].d, g[0].d);
    cr_assert(f[0].imm != g[0].imm && f[0].imm >= 12 && g[0].imm >= 12);
    cr_assert(k[1].pd == 0 && f[1].pd == 1);
    cr_assert(f[2].imm == 16);
    cr_assert(other[0].d == 0 && other[0].imm == 0);
    cr_assert(p->kernel[1].regs == 9 && p->kernel[1].local == 36 && p->kernel[1].shared == 20);
    cr_assert(p->kernel[3].regs == 1 && p->kernel[3].local == 4);
}
