/* Is every mistake in a program pointed at, in words that help, as many of them as there are in one run? */
#include "isa/program.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct program *assemble(const char *source, struct buf *messages) {
    struct diag diag = {0};
    struct program *p = program_assemble("t.hd", source, strlen(source), NULL, &diag);
    diag_render(&diag, messages);
    cr_assert((p == NULL) == (diag.errors > 0), "a program and errors, or neither");
    return p;
}

/* The messages of a source that is no program, in full. */
static void refused(const char *source, const char *want) {
    SCOPED(buf_free) struct buf messages = {0};
    cr_assert(!assemble(source, &messages), "was taken: %s", source);
    cr_assert(strcmp(messages.data, want) == 0, "\n%s\n---- expected:\n%s---- got:\n%s", source, want, messages.data);
}

/* A wrong line, the underlined columns, and the message. The line is the third of its file. */
static const struct mistake {
    const char *line;
    u32 col, len;
    const char *message;
} mistakes[] = {
    {"ffna r3, r1, r2, r0", 1, 4, "unknown instruction 'ffna'; 'heddle doc isa' lists them all"},
    {"barrier.cluster.arrive", 1, 22,
     "'barrier.cluster.arrive' needs clusters of blocks, which are not there; 'bar.sync' waits for a block"},
    {"fm.f32 r3, r1, r2, r0", 1, 2, "unknown instruction 'fm.f32'; did you mean 'fma.f32'?"},
    {"fmma.f64 r2, r2, r2, r2", 1, 4, "unknown instruction 'fmma.f64'; did you mean 'fma.f64'?"},
    {"add r1, r2, r3", 1, 3,
     "'add' is incomplete; there is add.s32, add.s64, add.f32, add.f64, add.f16x2, add.bf16x2, add.f16, add.bf16"},
    {"add.i32 r1, r2, r3", 1, 7, "there is no 'add.i32'; did you mean 'add.s32'?"},
    {"add.s23 r1, r2, r3", 1, 7, "there is no 'add.s23'; did you mean 'add.s32'?"},
    {"min.f32.rn.foo r1, r2, r3", 9, 2, "'min.f32' has no modifier 'rn'; it takes ftz"},
    {"add.f32.foo r1, r2, r3", 9, 3, "'add.f32' has no modifier 'foo'; it takes rn, rz, rm, rp, ftz, sat"},
    {"add.s32.sat r1, r2, r3", 9, 3, "'add.s32' takes no modifiers, and there is no 'add' with 'sat'"},
    {"cvt.rn.rz.f32.s32 r1, r2", 8, 2, "'rn' and 'rz' exclude each other: rounding of a floating-point result"},
    {"print", 6, 1, "'print' takes 1 operand: expected a text in quotes"},
    {"print \"a %q\", r1", 10, 2,
     "expected a conversion: d, i, u, x, X, o, c, f, e, g or a, with l before it for 64 bits; %% is a percent sign"},
    {"print \"%\", r1", 8, 1,
     "expected a conversion: d, i, u, x, X, o, c, f, e, g or a, with l before it for 64 bits; %% is a percent sign"},
    {"print \"%s\", r1", 8, 2, "there are no texts in memory; %c is a character"},
    {"print \"%#d\", r1", 8, 3, "'#' is for x, X, o and floats"},
    {"print \"%03c\", r1", 8, 4, "'0' is for numbers"},
    {"print \"%.1c\", r1", 8, 4, "a precision is for numbers"},
    {"print \"%lc\", r2", 8, 3, "a character has 32 bits: %c"},
    {"print \"%--d\", r1", 8, 4, "a flag is there twice"},
    {"print \"%d %100d\", r1, r2", 11, 5, "a width or precision has two digits at most"},
    {"print \"%d%d%d%d\", r1, r2, r3", 14, 2, "a print has 3 values at most; print more in another line"},
    {"print \"a\\n\"", 9, 2, "each lane prints a line, without control characters: leave '\\n' out"},
    {"print \"%d\"", 11, 1, "'print' takes 2 operands: expected a register"},
    {"print \"%%d\", r1", 12, 1, "'print' takes 1 operand"},
    {"print \"%d\", 5", 13, 1, "expected a register, found a number"},
    {"print \"%ld\", r1", 14, 2, "expected a register pair: the even register of two, as r2"},
    {"print r1", 7, 2, "expected a text in quotes, found 'r1'"},
    {"ld r1, [r2]", 1, 2, "'ld' needs a type: b32, u8, s8, u16, s16, b64, b128"},
    {"ld.global r1, [r2]", 1, 9, "'ld.global' needs a type: b32, u8, s8, u16, s16, b64, b128"},
    {"ld.global.u8.b32 r1, [r2]", 14, 3, "'u8' and 'b32' exclude each other: how much is moved"},
    {"ld.global.b32 r1, [r3]", 20, 2, "global addresses have 64 bits: expected a register pair, as r2"},
    {"ld.global.b64 r3, [r2]", 15, 2, "expected a register pair: the even register of two, as r2"},
    {"ld.b128 r2, [r2]", 9, 2, "expected four registers: the first of them, a multiple of 4, as r4"},
    {"ld.shared.b128 r252, [r2]", 16, 4, "there are no 4 registers from r252: the last is r254"},
    {"ld.global.b32 r1, r2", 19, 2, "expected an address in brackets, as [r2+8], found 'r2'"},
    {"ld.shared.b32 r1, [r2*4]", 22, 1, "'*' is not allowed here: only a number can be added to a register"},
    {"ld.shared.b32 r1, [r2+r3]", 22, 1, "'+' is not allowed here: only a number can be added to a register"},
    {"ld.shared.b32 r1, [r2+0x80000000]", 20, 13, "an offset is -2147483648 to 2147483647"},
    {"ld.shared.b32 r1, [r2", 22, 1, "expected ']', found the end of the line"},
    {"mov.b32 r1, %tid.x", 13, 6, "'%tid.x' is not allowed here; read it with s2r into a register"},
    {"mov.b64 r2, %clock", 13, 6, "'%clock' is not allowed here; read it with s2r.b64 into a register pair"},
    {"s2r r1, %tid.q", 9, 6, "unknown special register '%tid.q'; did you mean '%tid.x'?"},
    {"s2r r1, %tdi.x", 9, 6, "unknown special register '%tdi.x'; did you mean '%tid.x'?"},
    {"s2r r1, r2", 9, 2, "expected a special register, as %tid.x, found a register"},
    {"mov.b32 y, 5", 9, 1, "expected a register, found a parameter; ld.param loads its value into a register"},
    {"add.s32 r1, r2", 15, 1, "'add.s32' takes 3 operands: expected a register or a number"},
    {"add.s32 r1, r2,", 16, 1, "'add.s32' takes 3 operands: expected a register or a number"},
    {"add.s32 r1, r2, r3, r4", 19, 1, "'add.s32' takes 3 operands"},
    {"add.s32 r1 r2 r3", 12, 2, "expected ',', found 'r2'"},
    {"add.s32 r1, 2, 3", 16, 1, "only one operand can be a number; load this one with mov first"},
    {"add.s32 r1, r2, 4294967296", 17, 10, "4294967296 is out of range: a 32-bit number is -2147483648 to 4294967295"},
    {"add.s32 r1, r2, -2147483649", 17, 11,
     "-2147483649 is out of range: a 32-bit number is -2147483648 to 4294967295"},
    {"add.s32 r1, r2, 1.5", 17, 3, "expected a whole number; the bits of '1.5' as fp32 are 0f3fc00000"},
    {"add.s64 r2, r4, 3000000000", 17, 10,
     "a 64-bit operand takes -2147483648 to 2147483647 here, sign-extended; load other numbers with movi.b64"},
    {"add.s64 r2, r3, r4", 13, 2, "expected a register pair: the even register of two, as r2"},
    {"add.s64 r2, p0, r4", 13, 2,
     "expected a register pair (the even register of two, as r2) or a number, found a predicate"},
    {"add.f32 r1, r2, 1e40", 17, 4, "the number is out of range: fp32 ends at 3.4028235e38; write 'inf' for infinity"},
    {"add.f32 r1, r2, -0x10", 17, 5, "bits of a floating-point number cannot have a sign"},
    {"add.f32 r1, r2, 0x100000000", 17, 11, "'0x100000000' has more than 32 bits"},
    {"add.f64 r2, r4, 0.1", 17, 3,
     "this fp64 number needs more than its high word (0d3fb999999999999a); load it with movi.b64"},
    {"add.f16x2 r1, r2, 1e6", 19, 3, "the number is out of range: fp16 ends at 65504; write 'inf' for infinity"},
    {"add.f16x2 r1, r2, 0f3f800000", 19, 10, "'0f3f800000' is fp32; expected fp16"},
    {"fma.f32 r1, r2, r3, r256", 21, 4, "there is no register 'r256': r0 to r254, and rz"},
    {"mov.b32 r255, r1", 9, 4, "there is no register 'r255': r0 to r254, and rz"},
    {"setp.lt.s32 r1, r2, r3", 13, 2, "expected a predicate, as p0, found a register"},
    {"setp.lt.s32 !p0, r2, r3", 13, 3, "a predicate that is written cannot be negated"},
    {"setp.lt.s32 p15, r2, r3", 13, 3, "there is no predicate 'p15': p0 to p14, and pt"},
    {"sel.b32 r1, r2, r3, r4", 21, 2, "expected a predicate, as p0 or !p0, found a register"},
    {"@p16 exit", 2, 3, "there is no predicate 'p16': p0 to p14, and pt"},
    {"@r1 exit", 2, 2, "a guard is a predicate, as @p0 or @!p0"},
    {"@ exit", 3, 4, "unknown name 'exit'"},
    {"bra nowhere", 5, 7, "'k' has no label 'nowhere'"},
    {"bra r1", 5, 2, "'k' has no label 'r1'"},
    {"bra k", 5, 1, "'k' is not a label of 'k'; a function is entered by 'call'"},
    {"call k", 6, 1, "'k' is a kernel; only a '.func' can be called"},
    {"call nofunc", 6, 6, "there is no function 'nofunc'"},
    {"call", 5, 1, "'call' takes 1 operand: expected the name of a function"},
    {"bfe.u32 r1, r2, 256, 3", 17, 3, "expected a number, 0 to 255"},
    {"bfe.u32 r1, 7, 8, r3", 19, 2, "expected a number, 0 to 255, found a register"},
    {"bfi.b32 r1, r2, r3, 3, r4", 24, 2, "expected a number, 0 to 255, found a register"},
    {"lop3.b32 r1, r2, r3, r4, 0x1ff", 26, 5, "expected a number, 0 to 255"},
    {"lop3.b32 r1, r2, 3, r4, 0xff", 18, 1, "expected a register, found a number"},
    {"atom.const.add.u32 r1, [r2], r3", 6, 5, "atomics work on global, shared and generic memory, not on 'const'"},
    {"atom.add.local.u32 r1, [r2], r3", 10, 5, "atomics work on global, shared and generic memory, not on 'local'"},
    {"shfl.up.b32 r1, r2, 1, r3", 24, 2, "expected a register pair: the even register of two, as r2"},
    {"shfl.up.b32 r1, r2, 1, rz", 24, 2,
     "rz is not allowed here: leave the operand out, or give a register that holds it"},
    {"shfl.up.b32.w3 r1, r2, 1", 13, 2, "'shfl.up.b32' has no modifier 'w3'; it takes w2, w4, w8, w16, w32"},
    {"xpush x4, r1", 7, 2, "there is no transit register 'x4': x0 to x3"},
    {"xpush r1, r1", 7, 2, "expected a transit register, x0 to x3, found a register"},
    {"xext r1, x0, 4", 14, 1, "expected a phase, 0 to 3"},
    {"bar.sync 16", 10, 2, "expected a barrier, 0 to 15"},
    {"bar.arrive 0", 13, 1, "'bar.arrive' takes 2 operands: expected a register or a number"},
    {"exit r1", 6, 2, "'exit' takes no operands"},
    {"foo.bar", 1, 3, "unknown instruction 'foo.bar'; 'heddle doc isa' lists them all"},
    {"add..s32 r1, r2, r3", 4, 1, "a word is missing after this '.'"},
    {"add.s32 r1, r2, (3", 19, 1, "expected ')', found the end of the line"},
    {"add.s32 r1, r2, 3)", 18, 1, "expected the end of the line, found ')'"},
    {"add.s32 r1, r2, 1/0", 18, 1, "division by zero"},
    {"add.s32 r1, r2, 1<<64", 18, 2, "the result does not fit in 64 bits"},
    {"add.s32 r1, r2, 0x", 17, 2, "'0x' is not a number: 0x takes hexadecimal digits"},
    {"add.s32 r1, r2, 12ab", 17, 4, "'12ab' is not a number: digits were expected"},
    {"add.s32 r1, r2, 0f12", 17, 4, "'0f12' is not a number: 0f takes 8 hexadecimal digits"},
    {"add.s32 r1, r2, n", 17, 1, "unknown name 'n'"},
    {"add.s32 r1, r2, \"abc", 17, 4, "unterminated string"},
    {"add.s32 r1, r2, #", 17, 1, "unexpected '#'"},
    {"? add", 1, 1, "unexpected '?'"},
    {"1: add", 1, 1, "expected an instruction, a label or a directive, found '1'"},
    {".paramm x", 1, 7, "unknown directive '.paramm'; did you mean '.param'?"},
    {".param x", 9, 1, "expected ':' and a type, found the end of the line"},
    {".param x : f33", 12, 3, "unknown element type 'f33'; did you mean 'f32'?"},
    {".param x : f32[m]", 16, 1, "unknown name 'm'"},
    {".param x : f32[y]", 16, 1, "an extent takes numbers and scalar integer parameters; 'y' is another parameter"},
    {".param x : f32[2-1]", 17, 1, "expected '+', '*' or ']', found '-'"},
    {".param x : f32[2*", 18, 1, "expected ']', found the end of the line"},
    {".param r1 : f32", 8, 2, "'r1' is reserved and cannot name a parameter"},
    {".shared t : f32[0]", 17, 1, "the number of elements must be 1 to 262144"},
    {".shared t : f32[1048577]", 17, 7, "the number of elements must be 1 to 262144"},
    {".shared t : f32[4] align 3", 26, 1, "an alignment is a power of two, 1 to 4,096"},
    {".shared t : f32[4,65537]", 19, 5, "the number of elements must be 1 to 65536"},
    {".shared t : u8[2,2,2,2,2]", 24, 1, "a variable has at most 4 dimensions"},
    {".shared t : f32[4,", 19, 1, "expected a number or a name, found the end of the line"},
    {".local t : f32[4] at 65536", 22, 5, "the offset must be 0 to 65535"},
    {".reg a:3", 8, 1, "a name stands for 1 or 2 registers, or a multiple of 4 up to 252"},
    {".reg a:0", 8, 1, "a name stands for 1 or 2 registers, or a multiple of 4 up to 252"},
    {".reg a:256", 8, 3, "a name stands for 1 or 2 registers, or a multiple of 4 up to 252"},
    {".reg rz", 6, 2, "'rz' is reserved and cannot name a register"},
    {".pred inf", 7, 3, "'inf' is reserved and cannot name a predicate"},
    {".equ n 3", 8, 1, "expected ',' and a number, found '3'"},
    {".equ n, r1", 9, 2, "'.equ' names a number; this is none"},
    {".warp 12", 7, 2, "a warp has 8, 16, 32 or 64 lanes"},
    {".regs 256", 7, 3, "the size must be 0 to 255"},
    {".loc 3", 1, 4, "'.loc' needs a '.file' before it"},
    {".file \"x\"", 1, 5, "'.file' is allowed once, before the first kernel"},
    {".const c : u8 = 256", 17, 3, "256 is out of range: u8 is 0 to 255"},
    {".const c : u8 = -1", 17, 2, "-1 is out of range: u8 is 0 to 255"},
    {".const c : bool = 2", 19, 1, "2 is out of range: bool is 0 to 1"},
    {".const c : c64 = 2", 12, 3, "constants of c64 are written as f32, two for each"},
    {".const c : f16 = 1e9", 18, 3, "the number is out of range: fp16 ends at 65504; write 'inf' for infinity"},
    {".const c : i8 = 1, 2, x,", 23, 1, "unknown name 'x'"},
    {"movi.b64 r2, 99999999999999999999", 14, 20, "the number does not fit in 64 bits"},
    {"mov.b32 r1, 99999999999999999999", 13, 20, "the number does not fit in 64 bits"},
    {"movi.b64 r2, 18446744073709551616", 14, 20, "the number does not fit in 64 bits"},
    {"movi.b64 r2, 0x10000000000000000", 14, 19, "'0x10000000000000000' is not a number: it does not fit in 64 bits"},
    {"mov.b32 r1, 0d3ff0000000000000", 13, 18, "'0d3ff0000000000000' is fp64; expected fp32"},
    {"pack.b64 r1, r2, r3", 10, 2, "expected a register pair: the even register of two, as r2"},
    {"mul.wide.s32 r3, r1, r2", 14, 2, "expected a register pair: the even register of two, as r2"},
    {"vote.all p0, r1", 14, 2, "expected a predicate, as p0 or !p0, found a register"},
    {"membar.gpu r1", 12, 2, "'fence.gpu' takes no operands"},
    {"st.global.b32 [r2], 5", 21, 1, "expected a register, found a number"},
};

Test(mistakes, each_is_pointed_at) {
    for (size_t i = 0; i < COUNT_OF(mistakes); i++) {
        const struct mistake *m = &mistakes[i];
        SCOPED(buf_free) struct buf source = {0}, want = {0};
        buf_printf(&source, ".kernel k\n.param y : f32\n%s\n exit\n", m->line);
        buf_printf(&want, "t.hd:3:%u: error: %s\n     3 | %s\n       | %*s^", m->col, m->message, m->line,
                   (int)m->col - 1, "");
        for (u32 n = 1; n < m->len; n++)
            buf_putc(&want, '~');
        buf_putc(&want, '\n');
        refused(source.data, want.data);
    }
}

Test(mistakes, the_caret_stands_under_tabs) {
    refused(".kernel k\n\tadd.s32\tr1, r2\t; too few\n\texit\n",
            "t.hd:2:16: error: 'add.s32' takes 3 operands: expected a register or a number\n"
            "     2 | \tadd.s32\tr1, r2\t; too few\n"
            "       | \t       \t      ^\n");
}

Test(mistakes, names_of_another_kernel_are_told_once) {
    refused(
        ".kernel k\n.param n : u32\n.reg v, w\n call f\n exit\n"
        ".func f\n add.f32 r0, v, v\n mul.f32 r0, w, v\n add.u32 r0, r0, n\n add.f32 r0, q, r0\n ret\n"
        ".func g\n mov.b32 r0, w\n ret\n",
        "t.hd:7:14: error: 'v' is a name of 'k', and a function has names of its own: .reg declares them, numbered "
        "registers (r0) carry arguments and results\n"
        "     7 |  add.f32 r0, v, v\n"
        "       |              ^\n"
        "t.hd:10:14: error: unknown name 'q'\n"
        "    10 |  add.f32 r0, q, r0\n"
        "       |              ^\n"
        "t.hd:13:14: error: 'w' is a name of 'k', and a function has names of its own: .reg declares them, numbered "
        "registers (r0) carry arguments and results\n"
        "    13 |  mov.b32 r0, w\n"
        "       |              ^\n");
    refused(".kernel k\n.reg v\n mov.b32 v, 0\n exit\n.kernel l\n mov.b32 v, 0\n exit\n",
            "t.hd:6:10: error: 'v' is a name of 'k', and a kernel has names of its own: .reg declares them\n"
            "     6 |  mov.b32 v, 0\n"
            "       |          ^\n");
}

Test(mistakes, several_in_one_run_sorted_by_line) {
    refused(
        ".kernel one\n"
        "        add.s32 r1, r2, what\n"
        "        bra     nowhere\n"
        ".reg    i:3\n"
        ".kernel two\n"
        "        fma.f32 r1, r2, r3\n"
        "        add.s32 r1, r2, r3\n",
        "t.hd:2:25: error: unknown name 'what'\n"
        "     2 |         add.s32 r1, r2, what\n"
        "       |                         ^~~~\n"
        "t.hd:3:17: error: 'one' has no label 'nowhere'\n"
        "     3 |         bra     nowhere\n"
        "       |                 ^~~~~~~\n"
        "t.hd:4:11: error: a name stands for 1 or 2 registers, or a multiple of 4 up to 252\n"
        "     4 | .reg    i:3\n"
        "       |           ^\n"
        "t.hd:6:27: error: 'fma.f32' takes 4 operands: expected a register or a number\n"
        "     6 |         fma.f32 r1, r2, r3\n"
        "       |                           ^\n"
        "t.hd:7:9: error: 'two' can run past its end: its last instruction must be exit, ret, trap or bra, without a "
        "guard\n"
        "     7 |         add.s32 r1, r2, r3\n"
        "       |         ^~~~~~~\n");
}

Test(mistakes, twenty_are_kept_and_the_rest_counted) {
    SCOPED(buf_free) struct buf source = {0}, messages = {0};
    buf_puts(&source, ".kernel k\n");
    for (u32 i = 0; i < 50; i++)
        buf_puts(&source, " add.s32 r1, r2\n");
    cr_assert(!assemble(source.data, &messages));
    cr_assert(strstr(messages.data, "t.hd:21:16: error: ") != NULL);
    cr_assert(strstr(messages.data, "t.hd:22:") == NULL);
    cr_assert(strstr(messages.data, "t.hd: 30 more messages not shown\n") != NULL, "%s", messages.data);
}

/* Sources, and a part of their messages. */
static const struct {
    const char *source, *message;
} files[] = {
    {"", "t.hd: error: no .kernel in this file\n"},
    {"; nothing\n", "t.hd: error: no .kernel in this file\n"},
    {"exit\n", "t.hd:1:1: error: an instruction outside a kernel: '.kernel NAME' must come first\n"},
    {"a: exit\n", "t.hd:1:1: error: a label outside a kernel"},
    {".reg a\n", "t.hd:1:1: error: '.reg' outside a kernel: '.kernel NAME' must come first\n"},
    {".kernel k\n", "t.hd:1:9: error: 'k' has no instructions\n"},
    {".kernel k\nexit\n.kernel k\nexit\n", "t.hd:3:9: error: there is already a kernel 'k', on line 1\n"},
    {".kernel\n", "t.hd:1:8: error: expected the kernel's name, found the end of the line\n"},
    {".kernel k\n@p0 exit\n", "t.hd:2:5: error: 'k' can run past its end"},
    {".kernel k\n.pred p\n@!p bra a\na: bar.sync 0\n", "t.hd:4:4: error: 'k' can run past its end"},
    {".kernel k\nexit\nlast:\n", "t.hd:3:1: error: label 'last' is not followed by an instruction\n"},
    {".kernel k\na: nop\na: exit\n", "t.hd:3:1: error: label 'a' is already on line 2\n"},
    {".kernel k\n.reg a\n.pred a\nexit\n", "t.hd:3:7: error: 'a' is already the name of a register, on line 2\n"},
    {".kernel k\nloop: nop\nbra lop\n", "t.hd:3:5: error: 'k' has no label 'lop'; did you mean 'loop'?\n"},
    {".kernel k\n.reg sum\nmov.b32 sun, 1\nexit\n", "t.hd:3:9: error: unknown name 'sun'; did you mean 'sum'?\n"},
    {".kernel k\ncall helpr\nexit\n.func helper\nret\n",
     "t.hd:2:6: error: there is no function 'helpr'; did you mean 'helper'?\n"},
    {".kernel k\nbra f\n.func f\nret\n",
     "t.hd:2:5: error: 'f' is not a label of 'k'; a function is entered by 'call'\n"},
    {".func f\n.param x : u32\nret\n", "t.hd:2:1: error: '.param' belongs to a kernel; this is a function\n"},
    {".func f\n.warp 8\nret\n", "t.hd:2:1: error: '.warp' belongs to a kernel; this is a function\n"},
    {".kernel k\n.reg a, b:2\nadd.s64 b, a, b\nexit\n",
     "t.hd:3:12: error: 'a' names 1 register, 2 are needed: '.reg a:2'\n"},
    {".kernel k\n.reg q:4\nadd.s64 q, q+1, q\nexit\n",
     "t.hd:3:12: error: expected a register pair: the even register of two, as r2\n"},
    {".kernel k\n.reg q:4\nmov.b32 q+4, q\nexit\n",
     "t.hd:3:9: error: 'q' names 4 registers: there is none at this distance\n"},
    {".kernel k\nmov.b32 r1, r2+1\nexit\n", "t.hd:2:13: error: write the register itself"},
    {".kernel k\n.reg a\nld.global.b32 a, [a]\nexit\n",
     "t.hd:3:19: error: global addresses have 64 bits: expected a register pair, as r2\n"},
    {".kernel k\n.reg a\nld.b32 a, [a]\nexit\n",
     "t.hd:3:12: error: generic addresses have 64 bits: expected a register pair, as r2\n"},
    {".kernel k\n.param a : f32\n.param b : f32[a]\nexit\n",
     "t.hd:3:16: error: an extent takes numbers and scalar integer parameters; 'a' is another parameter\n"},
    {".kernel k\n.param a : b32\n.param b : f32[a]\nexit\n",
     "t.hd:3:16: error: an extent takes numbers and scalar integer parameters; 'a' is another parameter\n"},
    {".kernel k\n.param b : f32[9999999999999999999]\nexit\n",
     "t.hd:2:16: error: an extent takes whole numbers of at most 18 digits\n"},
    {".const a : u8 = 1,\n 2, 300,\n 4\n.kernel k\nexit\n", "t.hd:2:5: error: 300 is out of range: u8 is 0 to 255\n"},
    {".const a : f32 = 1.0.0\n.kernel k\nexit\n", "t.hd:1:18: error: '1.0.0' is not a number: digits were expected\n"},
    {".const a : u8 = r1\n.kernel k\nexit\n", "t.hd:1:17: error: expected a number\n"},
    {".kernel k\n.shared a : f64[131072]\n.shared b : u8\nexit\n",
     "t.hd:3:9: error: more than 1,048,576 bytes of shared memory\n"},
    {".kernel k\n.shared a : u32[4] at 4\n.shared b : u32 at 16\nexit\n",
     "t.hd:3:9: error: 'b' would begin at 16, before the end of what is declared above it\n"},
    {".kernel k\n.local a : u8 at 65535\n.local b : u8\nexit\n",
     "t.hd:3:8: error: more than 65,536 bytes of local memory\n"},
    {".kernel k\n.local a : u8[65536]\ncall f\nexit\n.func f\n.local b : u8\nret\n",
     "t.hd:6:8: error: more than 65,536 bytes of local memory\n"},
    {".loc 3\n.kernel k\nexit\n", "t.hd:1:1: error: '.loc' needs a '.file' before it\n"},
    {".kernel k\n\xc3\xa4 exit\nexit\n", "t.hd:2:1: error: unexpected byte 0xc3\n"},
    {".kernel k\n.equ a, tile\n.shared tile : u8\nexit\n", "t.hd:2:9: error: unknown name 'tile'\n"},
};

Test(mistakes, in_whole_files) {
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        SCOPED(buf_free) struct buf messages = {0};
        cr_assert(!assemble(files[i].source, &messages), "was taken: %s", files[i].source);
        cr_assert(strncmp(messages.data, files[i].message, strlen(files[i].message)) == 0,
                  "\n%s\n---- expected:\n%s\n---- got:\n%s", files[i].source, files[i].message, messages.data);
    }
}

/* Declares more named registers than there are. */
Test(mistakes, registers_run_out) {
    struct buf source = {0}, messages = {0};
    buf_puts(&source, ".kernel k\n mov.b32 r0, r1\n");
    for (u32 i = 0; i < 254; i++)
        buf_printf(&source, ".reg n%u\n", i);
    buf_puts(&source, " exit\n");
    cr_assert(!assemble(source.data, &messages));
    cr_assert(strncmp(messages.data,
                      "t.hd:256:6: error: no register left for 'n253': 'k' needs more than r0 to r254\n"
                      "   256 | .reg n253\n",
                      90) == 0,
              "%s", messages.data);
    buf_free(&source);
    buf_free(&messages);
    refused(".kernel k\n.pred a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p\n exit\n",
            "t.hd:2:52: error: no predicate left for 'p': 'k' needs more than p0 to p14\n"
            "     2 | .pred a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p\n"
            "       |                                                    ^\n");
}

Test(mistakes, sizes_of_a_file) {
    SCOPED(buf_free) struct buf source = {0}, messages = {0};
    buf_puts(&source, ".const a : u8 = 0");
    for (u32 i = 1; i < CONST_MAX; i++)
        buf_puts(&source, ",0");
    buf_puts(&source, "\n.kernel k\n exit\n");
    struct program *p = assemble(source.data, &messages);
    cr_assert(p && p->const_bytes == CONST_MAX);
    program_free(p);
    buf_puts(&source, ".const b : u8 = 1\n");
    cr_assert(!assemble(source.data, &messages));
    cr_assert(strncmp(messages.data, "t.hd:4:1: error: more than 1,048,576 bytes of constants in one file\n", 68) == 0);
    source.len = messages.len = 0;
    buf_puts(&source, ".kernel k\n");
    for (u32 i = 0; i <= PARAMS_MAX; i++)
        buf_printf(&source, ".param a%u : u8\n", i);
    buf_puts(&source, "exit\n");
    cr_assert(!assemble(source.data, &messages));
    cr_assert(strncmp(messages.data, "t.hd:66:8: error: a kernel has at most 64 parameters and 32,764 bytes", 68) == 0);
}

static void survives(const char *text, size_t len) {
    struct diag diag = {0};
    SCOPED(buf_free) struct buf messages = {0};
    cr_assert(!program_assemble("t.hd", text, len, NULL, &diag));
    diag_render(&diag, &messages);
    cr_assert(diag.errors > 0 && messages.len > 0 && messages.len < 100000);
}

/* Long runs of one thing: an answer, and soon. */
Test(mistakes, of_a_hostile_kind) {
    static const char *const things[] = {"(",
                                         "-",
                                         "1+",
                                         "\n",
                                         "\"",
                                         "a",
                                         ".",
                                         "\t",
                                         "a:",
                                         "a:\n",
                                         "[",
                                         "@",
                                         "%",
                                         "0x",
                                         "1e9",
                                         ",",
                                         ".reg a\n",
                                         "\xff",
                                         "exit\n",
                                         ".kernel k\n",
                                         ".param x : u32\n",
                                         ".const c : u8 = 1,\n"};
    enum { BYTES = 300000 };
    for (size_t i = 0; i < COUNT_OF(things); i++) {
        static const char *const fronts[] = {"", ".kernel k\n", ".kernel k\n add.s32 r1, r2, "};
        for (size_t f = 0; f < COUNT_OF(fronts); f++) {
            SCOPED(buf_free) struct buf text = {0};
            buf_puts(&text, fronts[f]);
            while (text.len < BYTES)
                buf_puts(&text, things[i]);
            buf_puts(&text, "\n ?\n"); /* wrong after anything */
            survives(text.data, text.len);
        }
    }
}

Test(mistakes, of_random_bytes) {
    char bytes[4096];
    u32 state = 1;
    for (u32 round = 0; round < 100; round++) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            state = state * 1664525 + 1013904223;
            bytes[i] = (char)(u8)(state >> 24);
        }
        survives(bytes, sizeof bytes);
    }
}
