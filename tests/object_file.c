/* Does an object file hold the whole program, and is a damaged one refused with its place? */
#include "isa/program.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/program_text.h"

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
                             "ret\n";

static struct buf object_of(const char *text) {
    struct buf bytes = {0};
    struct program *p = program_of_text(text);
    program_save(p, &bytes);
    program_free(p);
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
    struct buf bytes = object_of(sample), again = {0}, messages = {0};
    struct program *p = load(bytes.data, bytes.len, &messages);
    cr_assert(p != NULL, "%s", messages.data);
    const struct kernel *k = program_kernel(p, "k");
    cr_assert(strcmp(p->file, "test.hd") == 0 && p->nkernels == 2 && p->const_bytes == 12);
    cr_assert(k != NULL && k == program_kernel(p, NULL) && program_kernel(p, "f") == NULL);
    cr_assert(k->regs == 41 && k->shared == 256 && k->local == 16 && k->warps == 9 && k->line == 2);
    cr_assert(k->nparams == 4 && k->param_bytes == 24, "%u", k->param_bytes);
    cr_assert(strcmp(k->param[2].name, "x") == 0 && strcmp(k->param[2].extent, "2*n+1") == 0);
    cr_assert(k->param[2].buffer && k->param[2].offset == 8 && k->param[1].offset == 4);
    cr_assert(p->line[0] == 9 && program_at(p, 5)->function && program_at(p, 99) == NULL);
    program_save(p, &again);
    cr_assert(bytes.len == again.len && memcmp(bytes.data, again.data, bytes.len) == 0);
    program_free(p);
    buf_free(&bytes);
    buf_free(&again);
    buf_free(&messages);
}

Test(object_file, text_of_it_gives_the_same_bytes) {
    struct buf bytes = object_of(sample), again = {0}, text = {0}, messages = {0};
    struct program *p = load(bytes.data, bytes.len, &messages);
    program_disassemble(p, &text);
    struct program *q = program_of_text(text.data);
    program_save(q, &again);
    cr_assert(bytes.len == again.len && memcmp(bytes.data, again.data, bytes.len) == 0, "%s", text.data);
    cr_assert(strstr(text.data, ".param x : f32[2*n+1]\n") && strstr(text.data, ".warp 8, 64\n"), "%s", text.data);
    cr_assert(strstr(text.data, "mov.b32       r40, 1.5\n") && strstr(text.data, "r2, 0.1\n"), "%s", text.data);
    cr_assert(strstr(text.data, "@p0     bra           L4\n") && strstr(text.data, "call          f\n"), "%s",
              text.data);
    cr_assert(strstr(text.data, "ld.param.b32  r3, [n]\n"), "%s", text.data);
    program_free(p);
    program_free(q);
    buf_free(&bytes);
    buf_free(&again);
    buf_free(&text);
    buf_free(&messages);
}

Test(object_file, odd_file_names_survive) {
    struct diag diag = {0};
    const char *text = ".kernel k\nexit\n";
    struct program *p = program_assemble("a \"b\"\\x41\n.hd", text, strlen(text), NULL, &diag);
    struct buf bytes = {0}, again = {0}, words = {0};
    program_save(p, &bytes);
    program_disassemble(p, &words);
    struct program *q = program_of_text(words.data);
    program_save(q, &again);
    cr_assert(bytes.len == again.len && memcmp(bytes.data, again.data, bytes.len) == 0, "%s", words.data);
    program_free(p);
    program_free(q);
    buf_free(&bytes);
    buf_free(&again);
    buf_free(&words);
}

Test(object_file, every_cut_is_refused) {
    struct buf bytes = object_of(sample);
    for (size_t len = 0; len < bytes.len; len++) {
        struct buf messages = {0};
        struct program *p = load(bytes.data, len, &messages);
        cr_assert(p == NULL, "the first %zu bytes were taken", len);
        cr_assert(strstr(messages.data, "k.hdo: error: byte ") != NULL, "%s", messages.data);
        buf_free(&messages);
    }
    buf_free(&bytes);
}

/* One changed bit gives an error, or a program that is exactly those bytes. */
Test(object_file, every_flipped_bit_is_noticed_or_kept) {
    struct buf bytes = object_of(sample);
    u32 kept = 0;
    for (size_t bit = 0; bit < bytes.len * 8; bit++) {
        struct buf messages = {0}, again = {0};
        bytes.data[bit / 8] ^= (char)(1 << bit % 8);
        struct program *p = load(bytes.data, bytes.len, &messages);
        if (p != NULL) {
            program_save(p, &again);
            cr_assert(bytes.len == again.len && memcmp(bytes.data, again.data, bytes.len) == 0, "bit %zu", bit);
            kept++;
        }
        program_free(p);
        bytes.data[bit / 8] ^= (char)(1 << bit % 8);
        buf_free(&messages);
        buf_free(&again);
    }
    cr_assert(kept > 100, "%u", kept);
    buf_free(&bytes);
}

struct patch { /* a 32-bit word of the file that is overwritten */
    size_t offset;
    u32 value;
    char message[100];
};

Test(object_file, damage_is_named_with_its_place) {
    enum { CODE = 40, LINES = CODE + 8 * 16, KERNELS = LINES + 8 * 4, PARAMS = KERNELS + 2 * 32 };
    static const struct patch patches[] = {
        {0, 0x464c457f, "byte 0: not a heddle object"},
        {4, 99, "byte 4: instruction set version 99; this heddle knows version 1"},
        {16, 7, "byte 8: the size of the file is not the sum of its sections"},
        {36, 1, "byte 8: the size of the file is not the sum of its sections"},
        {CODE, 0x3ff, "byte 40: unknown opcode"},
        {CODE + 2 * 16 + 8, 6, "byte 72: the branch goes to 6, outside of 'k'"},
        {CODE + 2 * 16 + 12, 3, "byte 84: the branch's reconvergence address is wrong"},
        {CODE + 3 * 16 + 8, 6, "byte 88: the call goes to 6, where no function starts"},
        {KERNELS, 2, "byte 200: reserved bits are set"},
        {KERNELS + 4, 4, "byte 72: the branch goes to 4, outside of 'k'"},
        {KERNELS + 4, 9, "byte 204: the kernel has more instructions than are left"},
        {KERNELS + 8, 3, "byte 40: r3 is used, but only 3 registers are declared"},
        {KERNELS + 8, 256, "byte 200: 256 registers; there are 255"},
        {KERNELS + 12, 2 << 20, "byte 200: 2,097,152 bytes of shared memory; at most 1,048,576"},
        {KERNELS + 16, 15, "byte 88: 'f' needs more registers or memory than its caller declares"},
        {KERNELS + 32 + 12, 512, "byte 88: 'f' needs more registers or memory than its caller declares"},
        {KERNELS + 20, 32, "byte 200: 24 bytes of parameters, declared 32"},
        {KERNELS + 28, 5, "byte 228: the kernel has more parameters than are left"},
        {PARAMS, 77, "byte 264: unknown element type 77"},
        {PARAMS + 4, 4, "byte 264: the parameter's offset is 4, not 0"},
        {PARAMS, ET_F32, "byte 280: a name in an extent is no whole-number parameter"},
    };
    for (size_t n = 0; n < COUNT_OF(patches); n++) {
        struct buf bytes = object_of(sample), messages = {0};
        memcpy(bytes.data + patches[n].offset, &patches[n].value, 4);
        if (patches[n].offset == KERNELS + 4 && patches[n].value == 4) { /* the rest goes to the function */
            bytes.data[KERNELS + 32 + 4] = 4;
        }
        struct program *p = load(bytes.data, bytes.len, &messages);
        cr_assert(p == NULL, "taken: %s", patches[n].message);
        cr_assert(strstr(messages.data, patches[n].message), "expected %s\n%s", patches[n].message, messages.data);
        buf_free(&bytes);
        buf_free(&messages);
    }
}

/* Memory and registers of what is called count for the caller, through circles of calls too. */
Test(object_file, needs_of_called_functions_are_passed_up) {
    struct program *p = program_of_text(".kernel a\ncall f\nexit\n.kernel b\nmov.b32 r3, 1\nexit\n"
                                        ".func f\n.local l : b32[2]\n@p0 ret\ncall g\nret\n"
                                        ".func g\nmov.b32 r100, 1\ncall f\nret\n");
    cr_assert(p->kernel[0].regs == 101 && p->kernel[0].local >= 8, "%u %u", p->kernel[0].regs, p->kernel[0].local);
    cr_assert(p->kernel[1].regs == 4 && p->kernel[1].local == 0);
    cr_assert(p->kernel[2].regs == 101 && p->kernel[3].local >= 8);
    program_free(p);
}
