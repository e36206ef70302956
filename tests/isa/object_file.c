/* Does an object file hold the whole program, and is a damaged one refused with its place? */
#include "isa/program.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/program_text.h"

static const char sample[] = ".const table : f32 = 1.5, -2, 0.1\n"
                             ".kernel k\n"
                             ".param n : u32\n"
                             ".param flag : u8\n"
                             ".param x : f32[2*n+1]\n"
                             ".param any : b64[]\n"
                             ".warp 8, 64\n"
                             ".shared tile : f32[64]\n"
                             "ld.param.b32 r3, [n]\n"
                             "setp.lt.u32 p0, r3, 100000\n"
                             "@p0 bra done\n"
                             "call f\n"
                             "done: exit\n"
                             ".func f\n"
                             ".local mine : b32[4]\n"
                             "mov.b32 r40, 1.5\n"
                             "movi.b64 r2, 0.1\n"
                             "ld.local.b32 r5, [mine+4]\n"
                             "ret\n";

static struct buf object_of(const char *text) {
    struct buf bytes = {0};
    SCOPED(program_drop) struct program *p = program_of_text(text);
    program_save(p, &bytes);
    return bytes;
}

static struct program *load(const void *bytes, size_t len, struct buf *messages) {
    struct diag diag = {0};
    u8 *copy = malloc(len ? len : 1); /* of the exact size, so that reading beyond it is seen */
    memcpy(copy, bytes, len);
    struct program *p = program_load("k.hdo", copy, len, &diag);
    diag_render(&diag, messages);
    cr_assert((p == NULL) == (diag.errors > 0));
    free(copy);
    return p;
}

Test(object_file, holds_everything) {
    SCOPED(buf_free) struct buf bytes = object_of(sample), messages = {0};
    SCOPED(program_drop) struct program *p = load(bytes.data, bytes.len, &messages);
    cr_assert(p != NULL, "%s", messages.data);
    const struct kernel *k = program_kernel(p, "k");
    cr_assert(strcmp(p->file, "test.hd") == 0 && p->nkernels == 2 && p->const_bytes == 12);
    cr_assert(k != NULL && k == program_kernel(p, NULL) && program_kernel(p, "f") == NULL);
    cr_assert(k->regs == 41 && k->shared == 256 && k->local == 16 && k->warps == 9 && k->line == 2);
    cr_assert(k->nparams == 4 && k->param_bytes == 24, "%u", k->param_bytes);
    cr_assert(strcmp(k->param[2].name, "x") == 0 && strcmp(k->param[2].extent, "2*n+1") == 0);
    cr_assert(k->param[2].buffer && k->param[2].offset == 8 && k->param[1].offset == 4);
    const struct variable *tile = &k->variable[0], *mine = &p->kernel[1].variable[0];
    cr_assert(k->nvariables == 1 && p->kernel[1].nvariables == 1);
    cr_assert(strcmp(tile->name, "tile") == 0 && tile->etype == ET_F32 && tile->ndim == 1 && tile->dim[0] == 64);
    cr_assert(tile->space == SPACE_SHARED && mine->space == SPACE_LOCAL && strcmp(mine->name, "mine") == 0);
    cr_assert(program_base(p, 7) == mine && program_base(p, 0) == NULL);
    cr_assert(p->line[0] == 9 && program_at(p, 5)->function && program_at(p, 99) == NULL);
    expect_same_object(p, &bytes, "the object");
}

static const char messages_of_traps[] =
    ".kernel k\n@p0 trap \"one; 1\"\n@p1 trap\n.repeat 2, i\n@p2 trap \"\\x7e\\\\\\\"%s\"\n"
    ".endrepeat\nexit\n";

Test(object_file, messages_of_traps) {
    static const char *const expected[] = {"one; 1", "~\\\"%s", "~\\\"%s"};
    SCOPED(buf_free) struct buf bytes = object_of(messages_of_traps), text = {0}, messages = {0};
    SCOPED(program_drop) struct program *p = load(bytes.data, bytes.len, &messages);
    cr_assert(p && memcmp(bytes.data, "HDO4", 4) == 0 && p->nmessages == COUNT_OF(expected), "%s", messages.data);
    for (u32 i = 0; i < p->nmessages; i++)
        cr_expect_str_eq(p->message[i], expected[i]);
    expect_same_object(p, &bytes, "the object");
    program_disassemble(p, &text);
    SCOPED(program_drop) struct program *q = program_of_text(text.data);
    expect_same_object(q, &bytes, text.data);
    cr_expect(strstr(text.data, "@p0     trap          \"one; 1\"\n"), "%s", text.data);
}

Test(object_file, messages_are_those_of_traps) {
    SCOPED(buf_free) struct buf bytes = object_of(messages_of_traps);
    const u32 code = 60, second = code + 2 * 16 + 8; /* the immediate of the third trap */
    static const struct {
        u32 value;
        const char *why;
    } numbers[] = {{3, "messages are numbered in the order of the code"},
                   {1, "messages are numbered"},
                   {0, "messages are numbered"}};
    for (u32 i = 0; i < COUNT_OF(numbers); i++) {
        SCOPED(buf_free) struct buf messages = {0};
        ((u8 *)bytes.data)[second] = (u8)numbers[i].value;
        cr_expect(load(bytes.data, bytes.len, &messages) == NULL && strstr(messages.data, numbers[i].why), "%u: %s",
                  numbers[i].value, messages.data);
    }
}

static const char prints[] = ".kernel k\nprint \"plain\"\n@p1 print \"%d %lf \\x22\", r1, r2\ntrap \"end\"\nexit\n";

Test(object_file, texts_of_prints) {
    SCOPED(buf_free) struct buf bytes = object_of(prints), text = {0}, messages = {0};
    SCOPED(program_drop) struct program *p = load(bytes.data, bytes.len, &messages);
    cr_assert(p && p->nmessages == 3, "%s", messages.data);
    cr_expect_str_eq(p->message[1], "%d %lf \"");
    program_disassemble(p, &text);
    SCOPED(program_drop) struct program *q = program_of_text(text.data);
    expect_same_object(q, &bytes, text.data);
    cr_expect(strstr(text.data, "@p1     print         \"%d %lf \\x22\", r1, r2\n"), "%s", text.data);
}

/* The executor reads the registers that a text names without a look at it. */
Test(object_file, values_of_prints_are_those_of_their_texts) {
    const u32 second = 60 + 16; /* a print: d, then a, b, c and modifiers; then its text's number */
    static const struct {
        u32 offset;
        u8 value;
        const char *why;
    } bytes_of[] = {{2, 1, "an unused register field is not 255"},
                    {2, 2 | 1 << 2, "a register pair must start at an even register"},
                    {2, 1 | 1 << 2, "values are not those of its text"},
                    {2, 1 | 2 << 2 | 1 << 4, "values are not those of its text"},
                    {2, 1 | 2 << 4, "no such registers of values"},
                    {2, 3, "no such registers of values"},
                    {2, 0x40 | 9, "no such registers of values"},
                    {2, 255, "no such registers of values"},
                    {4, 3, "a register pair must start at an even register"},
                    {4, 254, "goes past r254"},
                    {8, 0, "a text is missing"},
                    {8, 1, "messages are numbered"},
                    {8, 9, "messages are numbered"}};
    for (u32 i = 0; i < COUNT_OF(bytes_of); i++) {
        SCOPED(buf_free) struct buf bytes = object_of(prints), messages = {0};
        ((u8 *)bytes.data)[second + bytes_of[i].offset] = bytes_of[i].value;
        cr_expect(!load(bytes.data, bytes.len, &messages) && strstr(messages.data, bytes_of[i].why), "%u: %s", i,
                  messages.data);
    }
    static const char *const texts[] = {"%d %d ", "%d %lx", "%d %ls", "%d %%f", "%d %9f", "% %lf ", "%d%dlf"};
    for (u32 i = 0; i < COUNT_OF(texts); i++) {
        SCOPED(buf_free) struct buf bytes = object_of(prints), messages = {0};
        char *at = memchr(bytes.data + 100, '%', bytes.len - 100);
        memcpy(at, texts[i], 6);
        struct program *p = load(bytes.data, bytes.len, &messages);
        cr_expect_eq(p != NULL, i == 1, "%s: %s", texts[i], messages.data ? messages.data : "");
        program_free(p);
    }
}

Test(object_file, text_of_it_gives_the_same_bytes) {
    SCOPED(buf_free) struct buf bytes = object_of(sample), text = {0}, messages = {0};
    SCOPED(program_drop) struct program *p = load(bytes.data, bytes.len, &messages);
    program_disassemble(p, &text);
    SCOPED(program_drop) struct program *q = program_of_text(text.data);
    expect_same_object(q, &bytes, text.data);
    cr_assert(strstr(text.data, ".param x : f32[2*n+1]\n") && strstr(text.data, ".warp 8, 64\n"), "%s", text.data);
    cr_assert(strstr(text.data, "mov.b32       r40, 1.5\n") && strstr(text.data, "r2, 0.1\n"), "%s", text.data);
    cr_assert(strstr(text.data, "@p0     bra           L4\n") && strstr(text.data, "call          f\n"), "%s",
              text.data);
    cr_assert(strstr(text.data, "ld.param.b32  r3, [n]\n"), "%s", text.data);
    cr_assert(strstr(text.data, ".shared tile : f32[64] at 0\n"), "%s", text.data);
    cr_assert(strstr(text.data, ".local mine : b32[4] at 0\n") && strstr(text.data, "r5, [mine+4]\n"), "%s", text.data);
}

Test(object_file, odd_file_names_survive) {
    struct diag diag = {0};
    const char *text = ".kernel k\nexit\n";
    SCOPED(program_drop) struct program *p = program_assemble("a \"b\"\\x41\n.hd", text, strlen(text), NULL, &diag);
    SCOPED(buf_free) struct buf bytes = {0}, words = {0};
    program_save(p, &bytes);
    program_disassemble(p, &words);
    SCOPED(program_drop) struct program *q = program_of_text(words.data);
    expect_same_object(q, &bytes, words.data);
}

Test(object_file, every_cut_is_refused) {
    SCOPED(buf_free) struct buf bytes = object_of(sample);
    for (size_t len = 0; len < bytes.len; len++) {
        SCOPED(buf_free) struct buf messages = {0};
        struct program *p = load(bytes.data, len, &messages);
        cr_assert(p == NULL, "the first %zu bytes were taken", len);
        cr_assert(strstr(messages.data, "k.hdo: error: byte ") != NULL, "%s", messages.data);
    }
}

/* A changed bit gives an error, or a program of exactly those bytes. */
Test(object_file, every_flipped_bit_is_noticed_or_kept) {
    SCOPED(buf_free) struct buf bytes = object_of(sample);
    u32 kept = 0;
    for (size_t bit = 0; bit < bytes.len * 8; bit++) {
        SCOPED(buf_free) struct buf messages = {0};
        char about[32];
        snprintf(about, sizeof about, "bit %zu", bit);
        bytes.data[bit / 8] ^= (char)(1 << bit % 8);
        struct program *p = load(bytes.data, bytes.len, &messages);
        if (p != NULL) {
            expect_same_object(p, &bytes, about);
            kept++;
        }
        program_free(p);
        bytes.data[bit / 8] ^= (char)(1 << bit % 8);
    }
    cr_assert(kept > 100, "%u", kept);
}

struct patch { /* a 32-bit word of the file that is overwritten */
    size_t offset;
    u32 value;
    char message[100];
};

enum { CODE = 48, LINES = CODE + 9 * 16, KERNELS = LINES + 9 * 4, PARAMS = KERNELS + 2 * 32 };
enum { VARIABLES = PARAMS + 4 * 8, NAMED = VARIABLES + 2 * 28 };
static const struct patch damages[] = {
    {0, 0x464c457f, "byte 0: not a heddle object"},
    {0, 0x354f4448, "byte 0: not a heddle object"}, /* "HDO5" */
    {4, 99, "byte 4: instruction set version 99; this heddle knows version 1"},
    {16, 7, "byte 8: the size of the file is not the sum of its sections"},
    {36, 1, "byte 8: the size of the file is not the sum of its sections"},
    {40, 0, "byte 40: there are no variables"},
    {40, 3, "byte 8: the size of the file is not the sum of its sections"},
    {44, 0, "byte 8: the size of the file is not the sum of its sections"},
    {CODE, 0x3ff, "byte 48: unknown opcode"},
    {CODE + 2 * 16 + 8, 6, "byte 80: the branch goes to 6, outside of 'k'"},
    {CODE + 2 * 16 + 12, 3, "byte 92: the branch's reconvergence address is wrong"},
    {CODE + 3 * 16 + 8, 6, "byte 96: the call goes to 6, where no function starts"},
    {KERNELS, 2, "byte 228: reserved bits are set"},
    {KERNELS + 4, 4, "byte 80: the branch goes to 4, outside of 'k'"},
    {KERNELS + 4, 10, "byte 232: the kernel has more instructions than are left"},
    {KERNELS + 8, 3, "byte 48: r3 is used, but only 3 registers are declared"},
    {KERNELS + 8, 256, "byte 228: 256 registers; there are 255"},
    {KERNELS + 12, 2 << 20, "byte 228: 2,097,152 bytes of shared memory; at most 1,048,576"},
    {KERNELS + 16, 15, "byte 96: 'f' needs more registers or memory than its caller declares"},
    {KERNELS + 32 + 12, 512, "byte 96: 'f' needs more registers or memory than its caller declares"},
    {KERNELS + 20, 32, "byte 228: 24 bytes of parameters, declared 32"},
    {KERNELS + 28, 5, "byte 256: the kernel has more parameters than are left"},
    {PARAMS, 77, "byte 292: unknown element type 77"},
    {PARAMS + 4, 4, "byte 292: the parameter's offset is 4, not 0"},
    {PARAMS, ET_F32, "byte 308: a name in an extent is not a whole-number parameter"},
    {VARIABLES, 77 | 1 << 9, "byte 324: unknown element type 77"},
    {VARIABLES, ET_F32 | 5 << 9, "byte 324: more dimensions than a variable has, or reserved bits are set"},
    {VARIABLES, ET_F32 | 9 << 9, "byte 324: more dimensions than a variable has, or reserved bits are set"},
    {VARIABLES + 4, 1, "byte 324: 'f' ends after the 0 bytes of shared memory"}, /* texts are in another order */
    {VARIABLES + 4, 2, "byte 328: a variable of no kernel, or not in the order of the kernels"},
    {VARIABLES + 8, 4, "byte 324: 'tile' ends after the 256 bytes of shared memory"},
    {VARIABLES + 12, 0, "byte 324: a dimension of 0 elements"},
    {VARIABLES + 16, 2, "byte 340: the size of a dimension that there is not"},
    {NAMED, 2, "byte 80: its address names a variable that is none of 'k', or of another space"},
    {NAMED, 9, "byte 380: the accesses that name variables are not in order"},
    {NAMED + 4, 1, "byte 160: its address names a variable that is none of 'f', or of another space"},
    {NAMED + 4, 2, "byte 384: an access names a variable that there is not"},
};

Test(object_file, damage_is_named_with_its_place) {
    for (size_t n = 0; n < COUNT_OF(damages); n++) {
        SCOPED(buf_free) struct buf bytes = object_of(sample), messages = {0};
        memcpy(bytes.data + damages[n].offset, &damages[n].value, 4);
        if (damages[n].offset == KERNELS + 4 && damages[n].value == 4) { /* the function gets the rest */
            bytes.data[KERNELS + 32 + 4] = 5;
        }
        struct program *p = load(bytes.data, bytes.len, &messages);
        cr_assert(p == NULL, "taken: %s", damages[n].message);
        cr_assert(strstr(messages.data, damages[n].message), "expected %s\n%s", damages[n].message, messages.data);
    }
}

/* Memory and registers of what is called count for the caller, through circles of calls too. */
Test(object_file, needs_of_called_functions_are_passed_up) {
    SCOPED(program_drop)
    struct program *p = program_of_text(".kernel a\ncall f\nexit\n.kernel b\nmov.b32 r3, 1\nexit\n"
                                        ".func f\n.local l : b32[2]\n@p0 ret\ncall g\nret\n"
                                        ".func g\nmov.b32 r100, 1\ncall f\nret\n");
    cr_assert(p->kernel[0].regs == 101 && p->kernel[0].local >= 8, "%u %u", p->kernel[0].regs, p->kernel[0].local);
    cr_assert(p->kernel[1].regs == 4 && p->kernel[1].local == 0);
    cr_assert(p->kernel[2].regs == 101 && p->kernel[3].local >= 8);
}

/* Objects of the first version have no variables, and are kept as they are. */
Test(object_file, without_variables_it_has_the_first_version) {
    SCOPED(buf_free)
    struct buf bytes = object_of(".kernel k\n.sharedbytes 64\nld.shared.b32 r0, [r1]\nexit\n"), messages = {0};
    cr_assert(bytes.len > 40 && memcmp(bytes.data, "HDO1", 4) == 0);
    SCOPED(program_drop) struct program *p = load(bytes.data, bytes.len, &messages);
    cr_assert(p && p->kernel[0].nvariables == 0 && p->kernel[0].shared == 64 && !program_base(p, 0));
    expect_same_object(p, &bytes, "the object");
}

/* Variables keep their places, whatever calls are made and memory is used. */
Test(object_file, variables_keep_their_places) {
    static const char text[] = ".kernel a\n.shared x : u8[3] align 1\n.shared y : u32[2,3] align 4\n.shared z : u8\n"
                               ".sharedbytes 500\n.local l : f64[2]\nst.shared.b32 [y+r1-4], r2\ncall f\nexit\n"
                               ".kernel b\n.shared big : b8[4096]\ncall f\nexit\n"
                               ".func f\n.shared x : u16[5]\n.local l : b32\nld.shared.u16 r1, [x+r1]\ncall g\nret\n"
                               ".func g\n.shared at : c64 at 4\n.shared align : bool align 2\nret\n";
    SCOPED(buf_free) struct buf bytes = object_of(text), words = {0}, messages = {0};
    SCOPED(program_drop) struct program *p = load(bytes.data, bytes.len, &messages);
    const struct kernel *k = p->kernel;
    cr_assert(k[0].variable[1].offset == 4 && k[0].variable[2].offset == 32 && k[0].nvariables == 4);
    cr_assert(k[2].variable[0].offset == 4096 && k[2].variable[1].offset == 16);
    cr_assert(k[3].variable[0].offset == 4 && k[3].variable[1].offset == 4106);
    program_disassemble(p, &words);
    cr_assert(strstr(words.data, ".shared y : u32[2,3] at 4\n") && strstr(words.data, ".local l : b32 at 16\n") &&
                  strstr(words.data, "[y+r1-4], r2\n"),
              "%s", words.data);
    SCOPED(program_drop) struct program *q = program_of_text(words.data);
    expect_same_object(q, &bytes, words.data);
}

Test(object_file, shared_memory_of_the_launch) {
    SCOPED(program_drop)
    struct program *p = program_of_text(".kernel k\n.shared a : u8[20]\n.shared x : f32[]\nld.shared.b32 r0, [x]\n"
                                        "exit\n");
    SCOPED(buf_free) struct buf bytes = {0}, text = {0};
    program_save(p, &bytes);
    program_disassemble(p, &text);
    cr_assert(strstr(text.data, ".shared x : f32[] at 32\n"), "%s", text.data);
    SCOPED(program_drop) struct program *q = program_of_text(text.data);
    expect_same_object(q, &bytes, text.data);
    u8 *shared = (u8 *)bytes.data + 48 + 2 * 16 + 2 * 4 + 12; /* of the kernel */
    struct diag diag = {0};
    shared[0] = 48;
    cr_assert_null(program_load("t.hdo", (const u8 *)bytes.data, bytes.len, &diag));
    SCOPED(buf_free) struct buf words = {0};
    diag_render(&diag, &words);
    cr_assert(strstr(words.data, "a dimension of 0 elements, and 'x' is not the end of a kernel's shared memory"), "%s",
              words.data);
}

/* A byte belongs to the variable of the function that is executed, or of the kernel that called it. */
Test(object_file, bytes_have_names) {
    SCOPED(program_drop)
    struct program *p =
        program_of_text(".kernel k\n.shared a : u8[20]\n.shared b : f32[2,3]\n.local l : u64\ncall f\nexit\n"
                        ".func f\n.shared c : u16[4]\nret\n");
    const struct kernel *k = &p->kernel[0];
    SCOPED(buf_free) struct buf out = {0};
    cr_assert(program_variable(p, k, 2, SPACE_SHARED, 19) == &k->variable[0]);
    cr_assert(program_variable(p, k, 0, SPACE_SHARED, 20) == NULL);
    cr_assert(program_variable(p, k, 2, SPACE_SHARED, 66) == &p->kernel[1].variable[0]);
    cr_assert(program_variable(p, k, 0, SPACE_SHARED, 66) == NULL);
    cr_assert(program_variable(p, k, 0, SPACE_LOCAL, 4) == &k->variable[2]);
    variable_print_element(&k->variable[1], 32 + 17, &out);
    buf_puts(&out, " ");
    variable_print_element(&k->variable[2], 7, &out);
    cr_assert_str_eq(out.data, "b[1,1] l");
}
