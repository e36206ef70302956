/* What does the public API report of programs, boards, columns and lines, before a launch and after it? */
#include "tests/api/api.h"

#include <stdio.h>

/* ---- programs ---- */

static const char *give_library(void *ctx, const char *name, size_t *len) {
    const char *text = ctx;
    cr_expect_str_eq(name, "lib/a.hd");
    *len = strlen(text);
    return text;
}

Test(api_names, files_that_a_program_includes) {
    static const char text[] = ".include \"../lib/a.hd\"\n.kernel k\n stop\n",
                      bad[] = ".macro stop\n exti\n.endmacro\n";
    static char library[] = ".macro stop\n exit\n.endmacro\n";
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    struct heddle_result r;
    struct heddle_file file = {"k/k.hd", text, sizeof text - 1, give_library, library};
    struct heddle_program *p = heddle_load_file(h, &file);
    cr_assert(p, "%s", heddle_error(h));
    cr_assert(heddle_launch(h, p, &(struct heddle_launch){0}, &r) == HEDDLE_OK);
    cr_assert(r.nlines == 1 && r.lines[0].line == 2 && strcmp(r.lines[0].file, "lib/a.hd") == 0);
    heddle_program_free(p);
    memcpy(library, bad, sizeof bad);
    cr_assert(!heddle_load_file(h, &file));
    cr_expect(strstr(heddle_error(h), "lib/a.hd:2:2: error: unknown instruction 'exti'"), "%s", heddle_error(h));
    file.read = NULL;
    cr_assert(!heddle_load_file(h, &file) && *heddle_error(h));
}

Test(api_names, programs_describe_their_kernels) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "two.hd", two), *q = load(h, "saxpy.hd", saxpy);
    struct heddle_kernel_info k;
    struct heddle_param_info param;
    cr_assert(heddle_kernel_count(p) == 2 && heddle_kernel_count(q) == 1);
    cr_assert(heddle_kernel_info(p, 1, &k) && strcmp(k.name, "past_the_end") == 0);
    cr_assert(k.widths[0] && k.widths[1] && !k.widths[2] && !k.widths[3] && k.nparams == 1 && k.instructions == 5);
    cr_assert(!heddle_kernel_info(p, 2, &k));
    cr_assert(heddle_param_info(q, 0, 1, &param));
    cr_assert(strcmp(param.name, "y") == 0 && strcmp(param.type, "f32") == 0 && param.buffer);
    cr_assert(strcmp(param.extent, "n") == 0 && param.written);
    cr_assert(heddle_param_info(q, 0, 0, &param) && param.buffer && !param.written);
    cr_assert(heddle_param_info(q, 0, 3, &param) && !param.buffer && strcmp(param.extent, "") == 0);
    cr_assert(!heddle_param_info(q, 0, 4, &param));
    SCOPED(heddle_program_drop)
    struct heddle_program *v =
        load(h, "v.hd", ".func f\n.local z : u8\nret\n.kernel k\n.shared a : f32[4,5]\n.local b : u64\nexit\n");
    struct heddle_variable_info variable;
    cr_assert(heddle_kernel_info(v, 0, &k) && k.nvariables == 2 && k.local_bytes == 8);
    cr_assert(heddle_variable_info(v, 0, 0, &variable) && variable.ndim == 2 && variable.shape[1] == 5);
    cr_assert(strcmp(variable.name, "a") == 0 && strcmp(variable.type, "f32") == 0);
    cr_assert(strcmp(variable.space, "shared") == 0 && variable.offset == 0);
    cr_assert(heddle_variable_info(v, 0, 1, &variable) && variable.ndim == 0 && strcmp(variable.space, "local") == 0);
    cr_assert(!heddle_variable_info(v, 0, 2, &variable) && !heddle_variable_info(v, 1, 0, &variable));
}

Test(api_names, objects_and_text_are_the_same_program) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "saxpy.hd", saxpy);
    size_t len, text_len, again_len;
    char *object = heddle_program_object(h, p, &len);
    SCOPED(heddle_program_drop) struct heddle_program *q = heddle_load(h, "saxpy.hdo", object, len);
    cr_assert(q, "%s", heddle_error(h));
    char *text = heddle_program_text(h, q, &text_len);
    cr_assert(strlen(text) == text_len);
    SCOPED(heddle_program_drop) struct heddle_program *s = load(h, "again.hd", text);
    char *again = heddle_program_object(h, s, &again_len);
    cr_assert(len == again_len && memcmp(object, again, len) == 0);
    uint32_t warnings = 99;
    char *lint = heddle_program_lint(h, s, &warnings);
    cr_assert(warnings == 0 && strcmp(lint, "") == 0, "%s", lint);
    heddle_release(lint);
    heddle_release(object);
    heddle_release(text);
    heddle_release(again);
}

/* ---- the manual ---- */

Test(api_names, instruction_set) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    struct heddle_isa_row row;
    size_t len;
    cr_assert(heddle_isa_count() > 100 && !heddle_isa_row(heddle_isa_count(), &row));
    for (u32 i = 0; i < heddle_isa_count(); i++)
        cr_assert(heddle_isa_row(i, &row) && strncmp(row.syntax, row.name, 2) == 0 && *row.doc && row.operation, "%s",
                  row.name);
    char *text = heddle_isa_manual(h, "shfl.bfly.b32", false, &len);
    cr_assert(text && strlen(text) == len && strstr(text, "shfl.bfly.b32"));
    heddle_release(text);
    cr_assert(!heddle_isa_manual(h, "ffma.f32", false, &len));
    says(h, "heddle: error: there is no instruction 'ffma.f32'; did you mean 'fma.f32'?\n");
    cr_assert(!heddle_isa_manual(h, "", false, NULL) && *heddle_error(h));
}

static struct heddle_result timed_result(struct heddle *h, const struct heddle_program *p, struct heddle_launch *l) {
    static const char board[] = "name: small\nsms: 2\n";
    struct heddle_file file = {.name = "small.yaml", .text = board, .len = sizeof board - 1};
    struct heddle_result r;
    make_buffers(h, 100);
    cr_assert(heddle_board_load(h, &file, NULL, 0), "%s", heddle_error(h));
    cr_assert(heddle_launch(h, p, l, &r) == HEDDLE_OK, "%s", heddle_error(h));
    return r;
}

/* A board that ships needs no file, and neither does one that builds on it. */
Test(api_names, boards_by_name) {
    static const char own[] = "base: a100\nsms: 7\n";
    const struct heddle_file shipped = {.name = "a100"}, none = {.name = "a1000"},
                             file = {.name = "own.yaml", .text = own, .len = sizeof own - 1};
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    struct heddle_board_value v;
    cr_assert(heddle_board_load(h, &shipped, NULL, 0), "%s", heddle_error(h));
    cr_assert(heddle_board_value(h, "sms", &v) && v.number == 108 && strcmp(v.origin, "a100.yaml:8") == 0, "%s",
              v.origin);
    cr_assert(heddle_board_load(h, &file, NULL, 0), "%s", heddle_error(h));
    cr_assert(heddle_board_value(h, "sms", &v) && v.number == 7 && strcmp(v.origin, "own.yaml:2") == 0);
    cr_assert(!heddle_board_load(h, &none, NULL, 0));
    says(h, "a1000: error: no board of this name ships; did you mean 'a100'?\n");
    cr_assert(heddle_board_value(h, "sms", &v) && v.number == 7, "an error leaves the board as it was");
}

/* 100 threads load x and y and store y: three or four sectors of 8 floats to a request. */
Test(api_names, columns_of_buffers_and_lines_have_names) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "saxpy.hd", saxpy);
    struct heddle_launch l = good_launch();
    struct heddle_result r = timed_result(h, p, &l);
    struct heddle_column_info column;
    cr_assert(r.ntraffic == 2 && strcmp(r.traffic[0].name, "x") == 0 && strcmp(r.traffic[1].name, "y") == 0);
    cr_expect(*heddle_traffic_value(&r.traffic[0], "requests") == 4 &&
              *heddle_traffic_value(&r.traffic[1], "requests") == 8);
    cr_expect(*heddle_traffic_value(&r.traffic[0], "sectors") == 13 &&
              *heddle_traffic_value(&r.traffic[1], "sectors") == 26);
    for (u32 i = 0; heddle_traffic_column(i, &column); i++) {
        cr_expect_eq(heddle_traffic_value(&r.traffic[1], column.name), &r.traffic[1].value[i], "%s", column.name);
        cr_expect(*column.unit && *column.doc, "%s", column.name);
    }
    u64 requests = 0;
    for (u32 i = 0; i < r.nlines; i++)
        requests += *heddle_line_value(&r.lines[i], "requests");
    cr_expect_eq(requests, 12);
    for (u32 i = 0; heddle_line_column(i, &column); i++)
        cr_expect_eq(heddle_line_value(&r.lines[0], column.name), &r.lines[0].value[i], "%s", column.name);
    cr_expect(!heddle_traffic_value(&r.traffic[0], "no_such") && !heddle_line_value(&r.lines[0], "no_such"));
    l.functional = true;
    cr_assert(heddle_launch(h, p, &l, &r) == HEDDLE_OK && r.ntraffic == 0);
    cr_expect(!heddle_line_value(&r.lines[0], "requests") && !r.lines[0].stall);
}

Test(api_names, warnings_of_lint_have_names) {
    const char *name, *doc;
    u32 n = 0;
    for (; heddle_lint_class(n, &name, &doc); n++)
        cr_expect(*name && *doc);
    cr_expect_gt(n, 5);
}

Test(api_names, limits_have_names_and_metrics) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "saxpy.hd", saxpy);
    struct heddle_launch l = good_launch();
    struct heddle_result r = timed_result(h, p, &l);
    const char *name, *title;
    u32 limiting = 0;
    for (u32 i = 0; (name = heddle_limit_name(i, &title)); i++) {
        char metric[64];
        bool found = false;
        snprintf(metric, sizeof metric, "occupancy.by_%s", name);
        for (u32 k = 0; k < r.nmetrics; k++)
            found = found || strcmp(r.metrics[k].name, metric) == 0;
        cr_expect(found && *title, "%s", metric);
        limiting += strcmp(name, r.occupancy_limit) == 0;
    }
    cr_expect_eq(limiting, 1);
}

/* ---- names and lines ---- */

Test(api_names, names_and_lines_are_known_before_a_launch) {
    static const struct heddle_name_info want[] = {{"i", "register", "past_the_end", 0, 1},
                                                   {"v", "register", "past_the_end", 1, 1},
                                                   {"po", "register", "past_the_end", 2, 2}};
    struct heddle_name_info name;
    struct heddle_instruction_info inst;
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "two.hd", two), *loop = load(h, "f.hd", forever);
    for (u32 i = 0; i < COUNT_OF(want); i++) {
        cr_assert(heddle_name_info(p, i, &name));
        cr_expect(!strcmp(name.name, want[i].name) && !strcmp(name.kind, want[i].kind) &&
                  !strcmp(name.kernel, want[i].kernel));
        cr_expect(name.number == want[i].number && name.count == want[i].count, "%s is r%u", name.name, name.number);
    }
    cr_expect(!heddle_name_info(p, COUNT_OF(want), &name));
    cr_assert(heddle_name_info(loop, 0, &name));
    cr_expect(!strcmp(name.name, "again") && !strcmp(name.kind, "label") && name.number == 0);
    cr_assert(heddle_instruction_info(p, 1, &inst));
    cr_expect(!inst.file && inst.line == 4 && !strcmp(inst.kernel, "helper") && !strcmp(inst.text, "ret"), "%s",
              inst.text);
    cr_expect(!heddle_instruction_info(p, 7, &inst));
    cr_expect_eq(heddle_line_instruction(p, 12), 5);
    cr_expect_eq(heddle_line_instruction(p, 3), UINT32_MAX, "a directive");
    cr_expect_eq(heddle_line_instruction(p, 0), UINT32_MAX);
    size_t len;
    char *object = heddle_program_object(h, p, &len);
    SCOPED(heddle_program_drop) struct heddle_program *again = heddle_load(h, "two.hdo", object, len);
    cr_expect(again && !heddle_name_info(again, 0, &name), "an object has no names");
    heddle_release(object);
}

/* Wrong calls that only C can make on a recording; tests/time/recording.lua does the rest. */
Test(api_names, states_are_of_recordings) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "f.hd", ".kernel f\n s2r r0, %tid.x\n exit\n");
    const struct heddle_watch watch = {0};
    const struct heddle_launch l = {.watch = &watch};
    struct heddle_result r;
    struct heddle_state s;
    cr_expect(!heddle_state(h, 0, 0, 0, &s));
    says(h, "heddle: error: the last launch has not been recorded\n");
    cr_assert(heddle_board_load(h, NULL, (const char *const[]){"sms=1"}, 1), "%s", heddle_error(h));
    cr_assert_eq(heddle_launch(h, p, &l, &r), HEDDLE_OK, "%s", heddle_error(h));
    cr_assert(heddle_state(h, 0, 0, r.events, &s), "%s", heddle_error(h));
    cr_expect(s.ended && s.nregs == 1 && s.regs[3] == 3 && s.width == r.warp);
    u64 back = heddle_event_previous(h, 0, 0, r.events), first = heddle_event_next(h, 0, 0, 0);
    cr_assert(back < r.events && first < back);
    cr_assert(heddle_state(h, 0, 0, first + 1, &s), "%s", heddle_error(h));
    cr_expect(!s.ended && s.pc == 0 && s.regs[3] == 0xcdcdcdcd, "a step back");
    cr_expect(!heddle_state(h, 0, 0, 0, &s));
    says(h, "heddle: error: nothing is recorded of warp 0 of block 0 before event 0\n");
    cr_expect(!heddle_state(h, 1ull << 50, 0, 5, &s) && !heddle_state(h, 0, UINT32_MAX, 5, &s));
    cr_expect_eq(heddle_event_next(h, 7, 0, 0), UINT64_MAX);
    cr_expect_eq(heddle_event_previous(h, 0, 0, 0), UINT64_MAX);
}
