/* Does the manual know every instruction, and likely questions? */
#include "isa/manual.h"

#include <criterion/criterion.h>
#include <string.h>

static void says(const char *mnemonic, bool markdown, const char *part) {
    SCOPED(buf_free) struct buf out = {0};
    cr_assert(isa_manual(mnemonic, markdown, &out), "%s", mnemonic ? mnemonic : "everything");
    cr_assert(out.data && strstr(out.data, part), "expected: %s\ngot: %s", part, out.data);
}

Test(manual, every_row_is_in_it) {
    SCOPED(buf_free) struct buf text = {0}, page = {0};
    cr_assert(isa_manual(NULL, false, &text) && isa_manual(NULL, true, &page));
    for (u32 op = 0; op < OP_COUNT; op++) {
        SCOPED(buf_free) struct buf syntax = {0};
        isa_syntax(&isa_rows[op], &syntax);
        cr_assert(strstr(text.data, syntax.data), "%s", syntax.data);
        cr_assert(strstr(page.data, isa_rows[op].name), "%s", isa_rows[op].name);
        cr_assert(isa_manual(isa_rows[op].name, false, &text), "%s", isa_rows[op].name);
    }
    for (size_t a = 0; a < isa_alias_count; a++) {
        cr_assert(isa_manual(isa_aliases[a].name, false, &text), "%s", isa_aliases[a].name);
    }
}

/* Cells of a table must not be cut by the operator |. */
Test(manual, markdown_tables_have_four_cells) {
    SCOPED(buf_free) struct buf page = {0};
    isa_manual("or", true, &page);
    isa_manual("shfl", true, &page);
    for (char *line = strtok(page.data, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        u32 bars = 0;
        for (size_t c = 0; line[c] != '\0'; c++) {
            bars += line[c] == '|' && (c == 0 || line[c - 1] != '\\');
        }
        cr_assert(bars == 5, "%s", line);
    }
}

Test(manual, ways_of_asking) {
    says("add.s32", false, "add.s32 d, a, b\n    Add.\n    operation   a + b\n");
    says("add.u32", false, "add.s32 d, a, b\n");
    says("shfl", false, "shfl.bfly.b32{.seg} d{|pd}, a, b{, c:2}\n");
    says("setp.lt", false, "setp.lt.f64 pd, a:2, b:2\n");
    says("ld.global.b32", false, "ld{.space}.mtype{.hint} d, [a+n]\n");
    says("bar.warp", false, "bar.warp {c:2}\n");
    says("bar.sync", false, "bar.sync #a{, b}\n");
    says("%tid", false, "%tid.y\n");
    says("cvt.f32.s32", true, "| `cvt.f32.s32{.rf} d, a` |");
}

Test(manual, what_there_is_not) {
    static const char *const wrong[] = {"", ".", "ad", "add.", "add.s32x", "add.q32", "%", "%none", "rn", ".b32"};
    for (size_t n = 0; n < COUNT_OF(wrong); n++) {
        SCOPED(buf_free) struct buf out = {0};
        cr_assert(!isa_manual(wrong[n], false, &out) && out.len == 0, "'%s': %s", wrong[n], out.data ? out.data : "");
    }
    cr_assert(strcmp(isa_suggest("fma.f23"), "fma.f32") == 0);
    cr_assert(strcmp(isa_suggest("%tid.w"), "%tid.x") == 0);
    cr_assert(isa_suggest("something else") == NULL);
}
