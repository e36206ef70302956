/* Do macros, repeats and conditions give what their lines written out give, and are mistakes in them pointed at? */
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/lib/program_text.h"

/* The object without its line records. */
static struct buf object_of(const char *text) {
    SCOPED(program_drop) struct program *p = program_of_text(text);
    struct buf out = {0};
    for (u32 i = 0; i < p->ninst; i++)
        p->line[i] = 0;
    for (u32 i = 0; i < p->nkernels; i++)
        p->kernel[i].line = 0;
    program_save(p, &out);
    return out;
}

/* ---- what they give ---- */

/* A text, and the same written out. */
static const struct {
    const char *text, *plain;
} same[] = {
    /* a macro: text for text */
    {".macro two d, a\n add.s32 \\d, \\a, 1\n sub.s32 \\a, \\d, 2\n.endmacro\n.kernel k\n two r1, r2\n two r3 , rz\n "
     "exit\n",
     ".kernel k\n add.s32 r1, r2, 1\n sub.s32 r2, r1, 2\n add.s32 r3, rz, 1\n sub.s32 rz, r3, 2\n exit\n"},
    {".macro nothing\n.endmacro\n.kernel k\nl: nothing ; a remark\n nothing\nexit\n", ".kernel k\nl: exit\n"},
    {".kernel k\n.macro one\n nop\n.endmacro\none\nexit\n.func f\none\nret\n.kernel l\none\nexit",
     ".kernel k\nnop\nexit\n.func f\nnop\nret\n.kernel l\nnop\nexit"},
    /* arguments: addresses, guards, brackets, expressions, parts of names, instructions */
    {".macro get g, d, a\n\\g ld.global.b32 \\d, \\a\n.endmacro\n.kernel k\n get @!p1, r1, [r2 + 4*(1+2)]\n exit\n",
     ".kernel k\n@!p1 ld.global.b32 r1, [r2+12]\n exit\n"},
    {".macro put v\n.const t : u32 = \\v\n.endmacro\n.kernel k\n put (1+2)*3\n exit\n",
     ".const t : u32 = 9\n.kernel k\n exit\n"},
    {".macro op name, type, d\n \\name.\\type \\d, \\d, \\d\n.endmacro\n.kernel k\n op add, s32, r1\n op mul.lo, u32, "
     "r2\n"
     " exit\n",
     ".kernel k\n add.s32 r1, r1, r1\n mul.lo.u32 r2, r2, r2\n exit\n"},
    {".macro wide n\n movi.b64 r\\n, 0d3ff8\\()00000000\\()0000\n.endmacro\n.kernel k\n.reg v2x:2\n wide 2\n mov.b64 "
     "v2x, 1\n"
     " exit\n",
     ".kernel k\n.reg v:2\n movi.b64 r2, 1.5\n mov.b64 v, 1\n exit\n"},
    {".macro text n\n mov.b32 r\\n\\()0, \\n ; \\nothing here\n.endmacro\n.kernel k\n text 1\n text 2 // \\n\n exit\n",
     ".kernel k\n mov.b32 r10, 1\n mov.b32 r20, 2\n exit\n"},
    /* an argument is text, put in as it is */
    {".macro twice n\n mov.b32 r1, 2*\\n\n.endmacro\n.kernel k\n twice 1+3\n twice (1+3)\n exit\n",
     ".kernel k\n mov.b32 r1, 5\n mov.b32 r1, 8\n exit\n"},
    /* arguments after their names, and defaults */
    {".macro m d, a=1, b=(2+3)\n mad.lo.s32 \\d, r9, r\\a, \\b\n.endmacro\n.kernel k\n m r1\n m r2, 4\n m r3, b=6\n"
     " m b = (7-1), d=r4 , a=8\n m r5, 1, b=r7\n exit\n",
     ".kernel k\n mad.lo.s32 r1, r9, r1, 5\n mad.lo.s32 r2, r9, r4, 5\n mad.lo.s32 r3, r9, r1, 6\n"
     " mad.lo.s32 r4, r9, r8, 6\n mad.lo.s32 r5, r9, r1, r7\n exit\n"},
    {".macro m c, d\n.if \\c\n mov.b32 r1, \\d\n.endif\n.endmacro\n.kernel k\n.equ d, 2\n m d==2, 1\n m d==3, 2\n "
     "exit\n",
     ".kernel k\n mov.b32 r1, 1\n exit\n"},
    /* a repeat: none, one, many; with and without a counter; in one another */
    {".kernel k\n.repeat 0\n nonsense\n.endrepeat\n.repeat 1\n nop\n.endrepeat\n.repeat "
     "1+1\nmembar.gpu\n.endrepeat\nexit\n",
     ".kernel k\n nop\nmembar.gpu\nmembar.gpu\nexit\n"},
    {".equ N, 2\n.kernel k\n.equ M, N+1\n.repeat M, i\n.repeat \\i, j\n mov.b32 r\\i, N*\\j\n.endrepeat\n.endrepeat\n "
     "exit\n",
     ".kernel k\n mov.b32 r1, 0\n mov.b32 r2, 0\n mov.b32 r2, 2\n exit\n"},
    {".repeat 3, i\n.kernel k\\i\n mov.b32 r\\i, \\i\n exit\n.endrepeat\n",
     ".kernel k0\n mov.b32 r0, 0\n exit\n.kernel k1\n mov.b32 r1, 1\n exit\n.kernel k2\n mov.b32 r2, 2\n exit\n"},
    {".kernel k\n.reg acc:4, v:4\n.repeat 4, i\n fma.f32 acc+\\i, v+\\i, v, acc+\\i\n.endrepeat\n exit\n",
     ".kernel k\n.reg acc:4, v:4\n fma.f32 acc, v, v, acc\n fma.f32 acc+1, v+1, v, acc+1\n"
     " fma.f32 acc+2, v+2, v, acc+2\n fma.f32 acc+3, v+3, v, acc+3\n exit\n"},
    {".kernel k\n.reg a, z:12, b\n.repeat 3, i\n mov.b32 z+4*\\i+1, a\n.endrepeat\n mov.b64 z+2*(2+1), z+10\n"
     " mov.b32 b, z+11\n ld.global.b128 z+4*2, [z]\n exit\n",
     ".kernel k\n mov.b32 r5, r0\n mov.b32 r9, r0\n mov.b32 r13, r0\n mov.b64 r10, r14\n mov.b32 r1, r15\n"
     " ld.global.b128 r12, [r4]\n exit\n"},
    /* macros, repeats and conditions in one another */
    {".macro outer n, d\n.repeat \\n, i\n inner \\d\\i, \\n-\\i\n.endrepeat\n.endmacro\n"
     ".macro inner x, y\n mov.b32 \\x, \\y\n.endmacro\n.kernel k\n outer 2, r\n exit\n",
     ".kernel k\n mov.b32 r0, 2\n mov.b32 r1, 1\n exit\n"},
    {".macro fill bits\n.kernel fill_b\\bits\n.param y : b\\bits\\()[n]\n.param n : u32\n.if \\bits == 64\n mov.b64 "
     "r2, 1\n"
     ".else\n mov.b32 r2, 1\n.endif\n exit\n.endmacro\n fill 8\nfill 64\n",
     ".kernel fill_b8\n.param y : b8[n]\n.param n : u32\n mov.b32 r2, 1\n exit\n"
     ".kernel fill_b64\n.param y : b64[n]\n.param n : u32\n mov.b64 r2, 1\n exit\n"},
    /* numbers of expansions: one for all of a macro, one for each round outside of macros */
    {".macro wait p\n.repeat 1\nagain\\@: nop\n.endrepeat\n@\\p bra again\\@\n.endmacro\n.kernel k\nwait p1\nwait "
     "p2\nexit\n",
     ".kernel k\na: nop\n@p1 bra a\nb: nop\n@p2 bra b\nexit\n"},
    {".kernel k\n.repeat 2\n.repeat 2\nl\\@: bra l\\@\n.endrepeat\n.endrepeat\nexit\n",
     ".kernel k\na: bra a\nb: bra b\nc: bra c\nd: bra d\nexit\n"},
    /* lists continue on the next line, also in a body; extents and places of data are found there */
    {".macro list a\n.const t : u32 = \\a,\n\n \\a+1, ; more\n \\a+2\n.endmacro\nlist 5\n.kernel k\n exit\n",
     ".const t : u32 = 5, 6, 7\n.kernel k\nexit\n"},
    {".macro data n\n.shared t\\n : f32[\\n]\n.param q\\n : f32[2*m]\n.endmacro\n.kernel k\n data 3\n data 4\n.param m "
     ": u32\n"
     " ld.shared.b32 r1, [t4+4]\n exit\n",
     ".kernel k\n.shared t3 : f32[3]\n.param q3 : f32[2*m]\n.shared t4 : f32[4]\n.param q4 : f32[2*m]\n.param m : u32\n"
     " ld.shared.b32 r1, [t4+4]\n exit\n"},
    {".macro go f\n call \\f\n.endmacro\n.kernel k\n.local a : u32\n go one\n exit\n.func one\n.local b : u32\n ret\n",
     ".kernel k\n.local a : u32\n call one\n exit\n.func one\n.local b : u32\n ret\n"},
    /* conditions: both halves, one in another, blocks of all kinds left out */
    {".kernel k\n.if 1\n nop\n.else\n nonsense\n.endif\n.if 0\n nonsense\n.else\n nop\n.endif\n.if 2-2\n.endif\nexit",
     ".kernel k\n nop\n nop\nexit"},
    {".kernel k\n.if 0\n.if 1\n a\n.else\n b\n.endif\n.repeat 2\nl: .endrepeat\n.macro m\n.endmacro\n.else\n "
     "nop\n.endif\nexit",
     ".kernel k\n nop\nexit"},
    {".if 0\n.macro m\n nonsense\n.endmacro\n.else\n.macro m\n nop\n.endmacro\n.endif\n.kernel k\nm\nexit",
     ".kernel k\n nop\nexit"},
    {".kernel k\n.repeat 5, i\n.if \\i & 1\n mov.b32 r1, \\i\n.else\n.if \\i > 2\n mov.b32 r2, "
     "\\i\n.endif\n.endif\n.endrepeat\n"
     "exit",
     ".kernel k\n mov.b32 r1, 1\n mov.b32 r1, 3\n mov.b32 r2, 4\nexit"},
    {".kernel k\n.repeat 2\n\\()\n.endrepeat\nexit", ".kernel k\nexit"},
    /* labels before the words of blocks; carriage returns; no newline at the end */
    {".kernel k\n.repeat 1\na\\@: .repeat 2\r\n nop\r\nb\\@ : .endrepeat\r\n.endrepeat\nc: exit\r\n.macro "
     "m\r\n.endmacro\r\n.if 1\r\n.endif",
     ".kernel k\nnop\nnop\nexit"},
};

Test(asm_macro, is_what_is_written_out) {
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        SCOPED(buf_free) struct buf made = object_of(same[i].text), plain = object_of(same[i].plain);
        cr_expect(made.len == plain.len && memcmp(made.data, plain.data, made.len) == 0, "case %zu:\n%s\n----\n%s", i,
                  same[i].text, same[i].plain);
    }
}

Test(asm_macro, comparisons) {
    static const struct {
        const char *text;
        bool holds;
    } conditions[] = {
        {"1 == 1", true},         {"1==2", false},   {"1 != 2", true},
        {"1 != 1", false},        {"1 < 2", true},   {"2 < 2", false},
        {"2 <= 2", true},         {"3 <= 2", false}, {"3 > 2", true},
        {"2 > 2", false},         {"2 >= 2", true},  {"1>=2", false},
        {"-1 < 0", true},         {"-2 < -1", true}, {"-1 < -2", false},
        {"1 < -1", false},        {"0 == -0", true}, {"N*2 > 5", true},
        {"1<<2 >> 1 == 2", true}, {"~0 < 0", true},  {"18446744073709551615 > -9223372036854775808", true},
        {"0x10 == 16", true},     {"-1", true},      {"N-3", false},
    };
    for (size_t i = 0; i < COUNT_OF(conditions); i++) {
        char text[160];
        snprintf(text, sizeof text, ".equ N, 3\n.kernel k\n.if %s\n nop\n.endif\n exit", conditions[i].text);
        SCOPED(program_drop) struct program *p = program_of_text(text);
        cr_expect_eq(p->ninst, 1u + conditions[i].holds, "%s", conditions[i].text);
    }
}

static const char rounds_text[] = ".macro fold op\n"                                 /* 1 */
                                  " .repeat 2, k\n"                                  /* 2 */
                                  "  shl.b32  v, w, 16 >> \\k ; down\n"              /* 3 */
                                  "  \\op   w,w,  v\n"                               /* 4 */
                                  " .endrepeat\n.endmacro\n.kernel k\n.reg v, w\n"   /* 5 to 8 */
                                  " fold add.u32\n"                                  /* 9 */
                                  ".repeat 2, i\n .repeat 2, j\n"                    /* 10, 11 */
                                  "l\\i\\()_\\j: @p0 add.u32 v, v, \\i + 4*\\j\n"    /* 12 */
                                  " .endrepeat\n fold xor.b32\n.endrepeat\n exit\n"; /* 13 to 16 */
static const struct {
    const char *text;
    u32 first, used;
} written[] = {
    {"shl.b32 v, w, 16 >> 0", 0, 9},
    {"add.u32 w,w, v", 1, 9},
    {"shl.b32 v, w, 16 >> 1", 0, 9},
    {"add.u32 w,w, v", 1, 9},
    {"@p0 add.u32 v, v, 0 + 4*0", 4, 0},
    {"@p0 add.u32 v, v, 0 + 4*1", 4, 0},
    {"shl.b32 v, w, 16 >> 0", 6, 14},
    {"xor.b32 w,w, v", 7, 14},
    {"shl.b32 v, w, 16 >> 1", 6, 14},
    {"xor.b32 w,w, v", 7, 14},
    {"@p0 add.u32 v, v, 1 + 4*0", 4, 0},
    {"@p0 add.u32 v, v, 1 + 4*1", 4, 0},
    {"shl.b32 v, w, 16 >> 0", 6, 14},
    {"xor.b32 w,w, v", 7, 14},
    {"shl.b32 v, w, 16 >> 1", 6, 14},
    {"xor.b32 w,w, v", 7, 14},
    {"exit", 16, 0},
};

/* Line records name lines of bodies, and survive a round trip through text. */
/* For each instruction: its text, the first round of its line, and the line of its macro's use. */
Test(asm_macro, texts_and_rounds) {
    SCOPED(program_drop) struct program *p = program_of_text(rounds_text);
    SCOPED(buf_free) struct buf out = {0};
    cr_assert_eq(p->ninst, COUNT_OF(written));
    for (u32 pc = 0; pc < p->ninst; pc++) {
        out.len = 0;
        source_print(p, pc, &out);
        cr_expect_str_eq(out.data, written[pc].text);
        cr_expect_eq(program_first(p, pc), written[pc].first, "of instruction %u", pc);
        cr_expect_eq(program_use(p, pc).line, written[pc].used, "of instruction %u", pc);
    }
    out.len = 0;
    source_print_rounds(p, 4, 11, &out);
    cr_expect_str_eq(out.data, "@p0 add.u32 v, v, 0..1 + 4*0..1");
    out.len = 0;
    program_save(p, &out);
    struct diag diag = {0};
    SCOPED(program_drop) struct program *q = program_load("k.hdo", (const u8 *)out.data, out.len, &diag);
    cr_assert(q);
    out.len = 0;
    source_print(q, 4, &out);
    cr_expect_str_eq(out.data, "@p0 add.s32 r0, r0, 0", "an object is disassembled");
    cr_expect(program_first(q, 11) == 11 && program_use(q, 0).line == 0);
}

Test(asm_macro, line_records) {
    SCOPED(program_drop)
    struct program *p = program_of_text(".macro m d\n nop\n.repeat 2, i\n mov.b32 \\d, \\i\n.endrepeat\n.endmacro\n"
                                        ".repeat 2, n\n.kernel k\\n\n m r1\n exit\n.endrepeat\n");
    static const u32 lines[] = {2, 4, 4, 10};
    cr_assert_eq(p->ninst, 2 * COUNT_OF(lines));
    for (u32 i = 0; i < p->ninst; i++)
        cr_expect_eq(p->line[i], lines[i % COUNT_OF(lines)], "instruction %u: line %u", i, p->line[i]);
    cr_expect_eq(p->kernel[1].line, 8);
    SCOPED(buf_free) struct buf text = {0}, object = {0};
    program_save(p, &object);
    program_disassemble(p, &text);
    SCOPED(program_drop) struct program *q = program_of_text(text.data);
    expect_same_object(q, &object, text.data);
}

/* ---- mistakes ---- */

/* A text with one mistake; the underlined part, and the message. */
static const struct {
    const char *text;
    u32 line, col, len;
    const char *message;
} mistakes[] = {
    /* definitions */
    {".macro\n.endmacro\n", 1, 7, 1, "expected the macro's name, found the end of the line"},
    {".macro 3\n.endmacro\n", 1, 8, 1, "expected the macro's name, found '3'"},
    {".macro m a\n nop\n", 1, 1, 6, "'.macro' has no '.endmacro' before the end of the file"},
    {".macro m\n.endmacro x\n.kernel k\nexit", 2, 11, 1, "expected the end of the line, found 'x'"},
    {".macro add\n.endmacro\n", 1, 8, 3, "'add' is an instruction; a macro needs another name"},
    {".macro add.new\n.endmacro\n", 1, 8, 7, "'add.new' is an instruction; a macro needs another name"},
    {".macro r7\n.endmacro\n", 1, 8, 2, "'r7' is reserved and cannot name a macro"},
    {".macro .kern\n.endmacro\n", 1, 8, 5, "a macro's name cannot start with '.', which is for directives"},
    {".macro m\n.endmacro\n.macro m\n.endmacro\n", 3, 8, 1, "there is already a macro 'm', on line 1"},
    {".macro m a b\n.endmacro\n", 1, 12, 1, "expected the end of the line, found 'b'"},
    {".macro m a,\n.endmacro\n", 1, 12, 1, "expected a name, found the end of the line"},
    {".macro m a, a\n.endmacro\n", 1, 13, 1, "the macro already has a parameter 'a'"},
    {".macro m a.b\n.endmacro\n", 1, 10, 3, "the name of a parameter or counter has letters, digits and '_' only"},
    {".macro m a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,A,B,C,D,E,F,G\n.endmacro\n", 1, 74, 1,
     "a macro has at most 32 parameters"},
    {".repeat 1\n.macro m\n.endmacro\n.endrepeat\n", 2, 8, 1, "a macro cannot be defined in a macro or '.repeat'"},
    /* uses */
    {".macro m a, b\n.endmacro\n m 1\n", 3, 5, 1, "'m' takes 2 arguments: expected 'b'"},
    {".macro m a, b\n.endmacro\n m 1,\n", 3, 6, 1, "'m' takes 2 arguments: expected 'b'"},
    {".macro m a, b\n.endmacro\n m b=1\n", 3, 7, 1, "'m' takes 2 arguments: expected 'a'"},
    {".macro m a, b=1\n.endmacro\n m\n", 3, 3, 1, "'m' takes 1 to 2 arguments: expected 'a'"},
    {".macro m a=1\n.endmacro\n m 1, 2\n", 3, 5, 1, "'m' takes at most 1 argument"},
    {".macro m count, b=1\n.endmacro\n m 1, cuont=2\n", 3, 7, 5, "'m' has no parameter 'cuont'; did you mean 'count'?"},
    {".macro m\n.endmacro\n m x=2\n", 3, 4, 1, "'m' has no parameter 'x'"},
    {".macro m a, b\n.endmacro\n m 1, 2, a=3\n", 3, 10, 1, "'a' is given twice"},
    {".macro m a, b\n.endmacro\n m b=1, b=3\n", 3, 9, 1, "'b' is given twice"},
    {".macro m a, b\n.endmacro\n m b=1, 3\n", 3, 9, 1, "an argument without a name follows one with a name"},
    {".macro m a, b\n.endmacro\n m 1, b=\n", 3, 9, 1, "expected an argument, found the end of the line"},
    {".macro m a=, b\n.endmacro\n", 1, 12, 1, "expected the parameter's default, found ','"},
    {".macro m a=\\b\n.endmacro\n", 1, 12, 1, "unexpected '\\'"},
    {".macro m a, b\n.endmacro\n m ,1\n", 3, 4, 1, "'m' takes 2 arguments: expected 'a'"},
    {".macro m a\n.endmacro\n m\n", 3, 3, 1, "'m' takes 1 argument: expected 'a'"},
    {".macro m a\n.endmacro\n m 1, 2\n", 3, 5, 1, "'m' takes 1 argument"},
    {".macro m\n.endmacro\n m r1\n", 3, 4, 2, "'m' takes no arguments"},
    {".macro m a\n.endmacro\n m #\n", 3, 4, 1, "unexpected '#'"},
    {".kernel k\n step r1\n exit\n.macro step a\n.endmacro\n", 2, 2, 4,
     "macro 'step' is defined below, on line 4; its definition comes first"},
    {".macro step a\n.endmacro\n.kernel k\n@p0 step r1\n exit\n", 4, 5, 4,
     "'step' is a macro and takes no guard; the instructions in it can have one"},
    {".macro step a\n.endmacro\n.kernel k\n stpe r1\n exit\n", 4, 2, 4,
     "unknown instruction 'stpe'; did you mean 'step'?"},
    {".macro m\n m\n.endmacro\n m\n", 2, 2, 1, "'m' uses itself; a macro repeats with '.repeat'"},
    /* what stands in a body */
    {".macro m type\n add.\\tpye r1, r1, r1\n.endmacro\n.kernel k\n m s32\n exit\n", 2, 6, 5,
     "'\\tpye' is not a parameter or counter here; did you mean '\\type'?"},
    {".kernel k\n.repeat 2, i\n mov.b32 r\\j, 1\n.endrepeat\nexit\n", 3, 11, 2,
     "'\\j' is not a parameter or counter here"},
    {".macro m a\n inner\n.endmacro\n.macro inner\n mov.b32 r\\a, 1\n.endmacro\n.kernel k\n m 1\nexit\n", 5, 11, 2,
     "'\\a' is not a parameter or counter here"},
    {".kernel k\n.repeat 1\n nop \\ r1\n.endrepeat\nexit\n", 3, 6, 1,
     "expected a parameter's name, '@' or '()' after '\\'"},
    {".kernel k\n.repeat 2, i\n.repeat 2, i\n.endrepeat\n.endrepeat\nexit\n", 3, 12, 1,
     "'\\i' is already defined here; choose another name"},
    {".macro m a\n mov.b32 r1, 1 + \\a + 2\n.endmacro\n.kernel k\n m foo\n exit\n", 2, 18, 2, "unknown name 'foo'"},
    {".macro m a\n mov.b32 r1, \\a\n.endmacro\n.kernel k\n m 1+foo*2\n exit\n", 2, 14, 2, "unknown name 'foo'"},
    {".macro m a\n mov.b32 \\a\\()0, r1 + r2\n.endmacro\n.kernel k\n m r\n exit\n", 2, 21, 1,
     "'+' is not allowed here: only a number can be added to a register"},
    {".macro m a\n mov.b32 \\a\n.endmacro\n.kernel k\n m r1\n exit\n", 2, 12, 1,
     "'mov.b32' takes 2 operands: expected a register or a number"},
    {".macro m a\nl: \\a r1\n.endmacro\n.kernel k\n m nop\n exit\n", 2, 7, 2, "'nop' takes no operands"},
    {".kernel k\n.repeat 2\nl: nop\n.endrepeat\nexit\n", 3, 1, 1, "label 'l' is already on line 3"},
    {".kernel k\n.repeat 2\n.reg v\nnop\n.endrepeat\nexit\n", 3, 6, 1,
     "'v' is already the name of a register, on line 3"},
    {".repeat 2\n.kernel k\nexit\n.endrepeat\n", 2, 9, 1, "there is already a kernel 'k', on line 2"},
    /* repeats */
    {".repeat\n.endrepeat\n", 1, 8, 1, "expected a number or a name, found the end of the line"},
    {".repeat -1\n.endrepeat\n", 1, 9, 2, "the number of rounds must be 0 to 1048576"},
    {".repeat 1<<21\n.endrepeat\n", 1, 9, 5, "the number of rounds must be 0 to 1048576"},
    {".repeat 1.5\n.endrepeat\n", 1, 9, 3, "expected a whole number"},
    {".kernel k\n.reg n\n.repeat n\n.endrepeat\nexit\n", 3, 9, 1, "expected a whole number"},
    {".kernel k\n.shared s : u32\n.repeat s\n.endrepeat\nexit\n", 3, 9, 1,
     "the address of data is not known here; expected a whole number"},
    {".repeat 2 i\n.endrepeat\n", 1, 11, 1, "expected the end of the line, found 'i'"},
    {".repeat 2, 3\n.endrepeat\n", 1, 12, 1, "expected a name, found '3'"},
    {".repeat 2\n nop\n", 1, 1, 7, "'.repeat' has no '.endrepeat' before the end of the file"},
    {".macro m\n.repeat 2\n.endmacro\n m\n", 2, 1, 7, "'.repeat' has no '.endrepeat' in this macro"},
    {".repeat 1\n.if 1\n.endrepeat\n", 2, 1, 3, "'.if' has no '.endif' in this '.repeat'"},
    /* conditions */
    {".if\n.endif\n", 1, 4, 1, "expected a number or a name, found the end of the line"},
    {".if n\nnonsense\n.else\nnonsense\n.endif\n", 1, 5, 1, "unknown name 'n'"},
    {".if 1 = 2\n.endif\n", 1, 7, 1, "expected ==, !=, <, <=, >, >= or the end of the line, found '='"},
    {".if 1 <\n.endif\n", 1, 8, 1, "expected a number or a name, found the end of the line"},
    {".if 1 < 2 < 3\n.endif\n", 1, 11, 1, "unexpected '<'"},
    {".if 1\n", 1, 1, 3, "'.if' has no '.endif' before the end of the file"},
    {".if 0\n", 1, 1, 3, "'.if' has no '.endif' before the end of the file"},
    {".if 1\n.else\n", 1, 1, 3, "'.if' has no '.endif' before the end of the file"},
    {".if 1\n.else\n.else\n.endif\n", 3, 1, 5, "expected '.endif'; this '.if' already has an '.else'"},
    {".if 0\n.else\n.else\n.endif\n", 3, 1, 5, "expected '.endif'; this '.if' already has an '.else'"},
    /* ends without a start */
    {".else\n", 1, 1, 5, "'.else' without an '.if' before it"},
    {".endif\n", 1, 1, 6, "'.endif' without an '.if' before it"},
    {".endmacro\n", 1, 1, 9, "'.endmacro' without a '.macro' before it"},
    {".kernel k\nexit\n.endrepeat\n", 3, 1, 10, "'.endrepeat' without a '.repeat' before it"},
    {".if 1\n.repeat 1\n.endif\n.endrepeat\n.endif\n", 3, 1, 6, "'.endif' without an '.if' before it"},
    {".endrepaet\n", 1, 1, 10, "unknown directive '.endrepaet'; did you mean '.endrepeat'?"},
};

Test(asm_macro, mistakes) {
    for (size_t i = 0; i < COUNT_OF(mistakes); i++) {
        struct diag diag = {0};
        SCOPED(program_drop)
        struct program *p = program_assemble("t.hd", mistakes[i].text, strlen(mistakes[i].text), NULL, &diag);
        const struct diag_message *m = &diag.message[0];
        cr_expect(p == NULL && diag.errors == 1, "case %zu: %u errors in\n%s", i, diag.errors, mistakes[i].text);
        cr_expect(m->at.line == mistakes[i].line && m->at.col == mistakes[i].col && m->at.len == mistakes[i].len,
                  "case %zu: %u:%u, %u wide, in\n%s", i, m->at.line, m->at.col, m->at.len, mistakes[i].text);
        cr_expect_str_eq(m->text, mistakes[i].message, "case %zu: %s", i, m->text);
    }
}

static void refused(const char *text, const char *want) {
    struct diag diag = {0};
    SCOPED(buf_free) struct buf out = {0};
    cr_assert(!program_assemble("t.hd", text, strlen(text), NULL, &diag));
    diag_render(&diag, &out);
    cr_expect_str_eq(out.data, want, "got:\n%s", out.data);
}

/* The body's line, and where it was used; printed once, whatever the number of uses. */
Test(asm_macro, way_to_the_mistake) {
    refused(".macro add_up d, n\n"
            ".repeat \\n, i\n"
            "        add.s33 \\d, \\d, \\i\n"
            ".endrepeat\n"
            ".endmacro\n"
            ".kernel k\n"
            "        add_up r1, 3\n"
            "        add_up r2, 3\n"
            "        exit\n",
            "t.hd:3:9: error: there is no 'add.s33'; did you mean 'add.s32'?\n"
            "     3 |         add.s33 \\d, \\d, \\i\n"
            "       |         ^~~~~~~\n"
            "  in round 0 of the '.repeat', t.hd:2\n"
            "  in the expansion of 'add_up', t.hd:7\n");
    refused(".macro a\nx y\n.endmacro\n.macro b\na\n.endmacro\n.macro c\nb\n.endmacro\n.macro d\nc\n.endmacro\n"
            ".macro e\nd\n.endmacro\n.kernel k\ne\nexit\n",
            "t.hd:2:1: error: unknown instruction 'x'; 'heddle doc isa' lists them all\n"
            "     2 | x y\n"
            "       | ^\n"
            "  in the expansion of 'a', t.hd:5\n"
            "  in the expansion of 'b', t.hd:8\n"
            "  in the expansion of 'c', t.hd:11\n"
            "  ... in the expansion of 'e', t.hd:17\n");
}

/* A mistake in a first line is one message: the block is left, and so are uses of such a macro. */
Test(asm_macro, a_mistake_brings_no_others) {
    static const char *const texts[] = {
        ".macro m a, a\n.else\nnonsense\n.endmacro\n.kernel k\n m 1\n m 2, 3\nexit\n",
        ".kernel k\n.repeat x, i\nnonsense\\i\n.endrepeat\nexit\n",
        ".kernel k\n.repeat 3, i.j\nnonsense\n.repeat 2\n.endrepeat\n.endrepeat\nexit\n",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct diag diag = {0};
        cr_expect(!program_assemble("t.hd", texts[i], strlen(texts[i]), NULL, &diag) && diag.errors == 1,
                  "%u errors in\n%s", diag.errors, texts[i]);
    }
}

/* ---- bounds ---- */

static void one_message(const struct buf *text, u32 line, const char *message) {
    struct diag diag = {0};
    cr_assert(!text->failed);
    cr_expect(!program_assemble("t.hd", text->data, text->len, NULL, &diag) && diag.errors == 1, "%u errors",
              diag.errors);
    cr_expect_str_eq(diag.message[0].text, message);
    cr_expect_eq(diag.message[0].at.line, line);
}

static void repeat_text(struct buf *out, const char *text, u32 n) {
    for (u32 i = 0; i < n; i++)
        buf_puts(out, text);
}

static const char too_much[] =
    "macros and repeats expand to more than 1,048,576 lines, or 64 MiB of them, in this file";

/* A text with a piece that is repeated; the one message about it, if it is wrong. */
static const struct {
    const char *front, *piece;
    u32 times;
    const char *middle, *other; /* repeated as often */
    u32 line;
    const char *message;
} bounds[] = {
    /* rounds of nothing, of lines that are left out, of long remarks; blocks that are passed over again and again */
    {".kernel k\nexit\n.repeat 1000000\n.repeat 1000000\n", "", 0, ".endrepeat\n.endrepeat\nnonsense\n", "", 3,
     too_much},
    {".repeat 1000000\n.repeat 0\n", "\n", 1000, ".endrepeat\n.endrepeat\n", "", 1, too_much},
    {".repeat 100000\n.if 0\n;", "----", 2000, "\n.endif\n.endrepeat\n", "", 1, too_much},
    {"", ".repeat 1\n", 20000, "", "", 1, "'.repeat' has no '.endrepeat' before the end of the file"},
    {"", ".repeat 1\n", 32, ".kernel k\nexit\n", ".endrepeat\n", 0, NULL},
    {"", ".repeat 1\n", 33, ".kernel k\nexit\n", ".endrepeat\n", 33, "macros and repeats nested more than 32 deep"},
};

Test(asm_macro, ends_whatever_is_written) {
    for (size_t i = 0; i < COUNT_OF(bounds); i++) {
        SCOPED(buf_free) struct buf text = {0};
        buf_puts(&text, bounds[i].front);
        repeat_text(&text, bounds[i].piece, bounds[i].times);
        buf_puts(&text, bounds[i].middle);
        repeat_text(&text, bounds[i].other, bounds[i].times);
        if (bounds[i].message)
            one_message(&text, bounds[i].line, bounds[i].message);
        else
            program_free(program_of_text(text.data));
    }
}

Test(asm_macro, length_of_a_line) {
    SCOPED(buf_free) struct buf text = {0};
    buf_puts(&text, ".macro m0 a\n.endmacro\n");
    for (u32 i = 1; i <= 20; i++) /* each doubles its argument */
        buf_printf(&text, ".macro m%u a\n m%u \\a\\a\n.endmacro\n", i, i - 1);
    buf_puts(&text, " m20 x\n");
    one_message(&text, 3 * 9 + 1, "the arguments make the line longer than 4,096 characters");
}

/* A line that is wrong in every round is looked at closely a few times only. */
Test(asm_macro, wrong_in_every_round, .timeout = 60) {
    static const struct {
        const char *line, *message;
    } rounds[] = {
        {"fma.f23 r1, r1, r1, r1", "there is no 'fma.f23'; did you mean 'fma.f32'?"},
        {"fam.f32 r1, r1, r1, r1", "unknown instruction 'fam.f32'; did you mean 'fma.f32'?"},
        {"mov.b32 r1, conut", "unknown name 'conut'; did you mean 'count'?"},
        {"mov.b32 r1, \\rownd", "'\\rownd' is not a parameter or counter here; did you mean '\\round'?"},
        {".shraed x : u32", "unknown directive '.shraed'; did you mean '.shared'?"},
        {"l\\round: bra satrt", "'k' has no label 'satrt'; did you mean 'start'?"},
        {".reg x\\round", "'x0' is reserved and cannot name a register"},
    };
    for (size_t i = 0; i < COUNT_OF(rounds); i++) {
        SCOPED(buf_free) struct buf text = {0};
        buf_printf(&text, ".equ count, 3\n.kernel k\nstart: nop\n.repeat 300000, round\n%s\n.endrepeat\nexit\n",
                   rounds[i].line);
        one_message(&text, 5, rounds[i].message);
    }
}

/* A warning about a line of a body is printed once. */
Test(asm_macro, lint_once) {
    SCOPED(program_drop)
    struct program *p =
        program_of_text(".kernel k\n.repeat 8\n add.s32 r1, r2, 1\n.endrepeat\n st.global.b32 [r4], r1\n"
                        " exit\n");
    struct diag diag = {0};
    program_lint(p, NULL, &diag);
    u32 on_line = 0;
    for (u32 i = 0; i < diag.kept; i++)
        on_line += diag.message[i].at.line == 3;
    cr_expect_eq(on_line, 1, "%u warnings", on_line);
}
