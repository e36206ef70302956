/* Does the public API do what heddle.h promises: programs, buffers, launches, results, a clear error for mistakes? */
#include "sim/api/heddle.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/types.h"

static const char saxpy[] = ".kernel saxpy\n"
                            ".param x : f32[n]\n"
                            ".param y : f32[n]\n"
                            ".param a : f32\n"
                            ".param n : u32\n"
                            ".reg i, limit, t, alpha, xv, yv, px:2, py:2\n"
                            ".pred outside\n"
                            "        s2r i, %ctaid.x\n"
                            "        s2r t, %ntid.x\n"
                            "        s2r xv, %tid.x\n"
                            "        mad.lo.s32 i, i, t, xv\n"
                            "        ld.param.b32 limit, [n]\n"
                            "        setp.ge.u32 outside, i, limit\n"
                            "@outside exit\n"
                            "        ld.param.b64 px, [x]\n"
                            "        ld.param.b64 py, [y]\n"
                            "        ld.param.b32 alpha, [a]\n"
                            "        mad.wide.u32 px, i, 4, px\n"
                            "        mad.wide.u32 py, i, 4, py\n"
                            "        ld.global.b32 xv, [px]\n"
                            "        ld.global.b32 yv, [py]\n"
                            "        fma.f32 yv, alpha, xv, yv\n"
                            "        st.global.b32 [py], yv\n"
                            "        exit\n";

/* Two kernels; the second writes one word past the end of its buffer, after 32 good ones. */
static const char two[] = ".kernel first\n"
                          "        exit\n"
                          ".func helper\n"
                          "        ret\n"
                          ".kernel past_the_end\n"
                          ".warp 8, 16\n"
                          ".param out : u32[]\n"
                          ".reg i, v, po:2\n"
                          "        s2r i, %ctaid.x\n"
                          "        ld.param.b64 po, [out]\n"
                          "        mad.wide.u32 po, i, 4, po\n"
                          "        st.global.b32 [po], i\n"
                          "        exit\n";

static const char forever[] = ".kernel forever\nagain:  bra again\n";

static struct heddle_program *load(struct heddle *h, const char *name, const char *text) {
    struct heddle_program *p = heddle_load(h, name, text, strlen(text));
    cr_assert(p, "%s", heddle_error(h));
    return p;
}

static void says(const struct heddle *h, const char *message) {
    cr_assert(strcmp(heddle_error(h), message) == 0, "expected:\n%sgot:\n%s", message, heddle_error(h));
}

static float *floats(struct heddle *h, const char *name) {
    struct heddle_tensor t;
    cr_assert(heddle_buffer_get(h, name, &t), "%s", heddle_error(h));
    return (float *)(void *)t.data;
}

/* x = 0, 1, 2, ...; y = 1 */
static void make_buffers(struct heddle *h, uint64_t n) {
    cr_assert(heddle_buffer(h, "x", "f32", 1, &n) && heddle_buffer(h, "y", "f32", 1, &n), "%s", heddle_error(h));
    float *x = floats(h, "x"), *y = floats(h, "y");
    for (uint64_t i = 0; i < n; i++) {
        x[i] = (float)i;
        y[i] = 1;
    }
}

static const struct heddle_arg good_args[] = {{.name = "x", .buffer = "x"},
                                              {.name = "y", .buffer = "y"},
                                              {.name = "a", .number = 2},
                                              {.name = "n", .number = 100}};

static struct heddle_launch good_launch(void) {
    return (struct heddle_launch){.grid = {4, 0, 0}, .block = {32, 0, 0}, .args = good_args, .nargs = 4};
}

Test(api, life_of_a_launch) {
    struct heddle *h = heddle_new();
    struct heddle_program *p = load(h, "saxpy.hd", saxpy);
    struct heddle_launch l = good_launch();
    struct heddle_result r;
    make_buffers(h, 100);
    cr_assert(heddle_launch(h, p, &l, &r) == HEDDLE_OK, "%s", heddle_error(h));
    says(h, "");
    for (int i = 0; i < 100; i++)
        cr_assert(floats(h, "y")[i] == 2 * (float)i + 1, "element %d", i);
    cr_assert(strcmp(r.kernel, "saxpy") == 0 && strcmp(r.engine, "auto") != 0);
    cr_assert(r.grid[0] == 4 && r.grid[1] == 1 && r.block[0] == 32 && r.block[2] == 1 && r.warp == 32);
    cr_assert(r.blocks == 4 && r.warps == 4);
    cr_assert(r.warp_instructions == 4 * 17, "%llu", (unsigned long long)r.warp_instructions);
    /* All 128 threads run 6 instructions; 28 of them leave at the seventh, and 100 run the ten after it. */
    cr_assert(r.thread_instructions == 128 * 6 + 28 + 100 * 10, "%llu", (unsigned long long)r.thread_instructions);
    cr_assert(r.fault.kind == NULL);
    heddle_program_free(p);
    heddle_free(h);
}

Test(api, counts_add_up) {
    struct heddle *h = heddle_new();
    struct heddle_program *p = load(h, "saxpy.hd", saxpy);
    struct heddle_launch l = good_launch();
    struct heddle_result r;
    uint64_t by_class = 0, by_line = 0;
    make_buffers(h, 100);
    cr_assert(heddle_launch(h, p, &l, &r) == HEDDLE_OK, "%s", heddle_error(h));
    for (u32 i = 0; i < r.nclasses; i++) {
        by_class += r.classes[i].warp_instructions;
        cr_assert(strcmp(r.classes[i].name, "ld.global") != 0 || r.classes[i].warp_instructions == 8);
        cr_assert(strcmp(r.classes[i].name, "ld.param") != 0 || r.classes[i].warp_instructions == 16);
    }
    for (u32 i = 0; i < r.nlines; i++) {
        by_line += r.lines[i].warp_instructions;
        cr_assert(r.lines[i].line == 8 + i, "line %u", r.lines[i].line);
    }
    cr_assert(r.nlines == 17 && strncmp(r.lines[14].text, "fma.f32", 7) == 0, "%s", r.lines[14].text);
    cr_assert(by_class == r.warp_instructions && by_line == r.warp_instructions);
    heddle_program_free(p);
    heddle_free(h);
}

Test(api, engines_and_widths_agree) {
    static const char *const engines[] = {"auto", "baseline", "x86-64-v3"};
    struct heddle *h = heddle_new();
    struct heddle_program *p = load(h, "saxpy.hd", saxpy);
    for (u32 e = 0; e < COUNT_OF(engines); e++)
        for (u32 w = 8; w <= 64; w *= 2) {
            struct heddle_launch l = good_launch();
            struct heddle_result r;
            l.engine = engines[e];
            l.warp = w;
            make_buffers(h, 100);
            enum heddle_status status = heddle_launch(h, p, &l, &r);
            if (status == HEDDLE_INPUT && e == 2)
                continue; /* not on this host */
            cr_assert(status == HEDDLE_OK, "%s", heddle_error(h));
            cr_assert(r.warp == w && r.thread_instructions == 128 * 6 + 28 + 100 * 10);
            for (int i = 0; i < 100; i++)
                cr_assert(floats(h, "y")[i] == 2 * (float)i + 1);
        }
    heddle_program_free(p);
    heddle_free(h);
}

/* ---- mistakes ---- */

static void launch_says(const char *text, const struct heddle_launch *l, const char *message) {
    struct heddle *h = heddle_new();
    struct heddle_program *p = load(h, "k.hd", text);
    struct heddle_result r;
    uint64_t ten = 10;
    make_buffers(h, 100);
    cr_assert(heddle_buffer(h, "small", "f32", 1, &ten) && heddle_buffer(h, "words", "u32", 1, &ten));
    cr_assert(heddle_launch(h, p, l, &r) == HEDDLE_INPUT, "expected: %s", message);
    says(h, message);
    cr_assert(r.warp_instructions == 0 && r.nclasses == 0 && r.fault.kind == NULL);
    heddle_program_free(p);
    heddle_free(h);
}

/* The good arguments, one of them replaced. */
static void arg_says(u32 which, struct heddle_arg arg, const char *message) {
    struct heddle_arg args[4];
    struct heddle_launch l = good_launch();
    memcpy(args, good_args, sizeof args);
    args[which] = arg;
    l.args = args;
    launch_says(saxpy, &l, message);
}

#define TAKES "k.hd: kernel 'saxpy' takes x : f32[n], y : f32[n], a : f32, n : u32\n"

Test(api, wrong_arguments_are_named) {
    arg_says(0, (struct heddle_arg){.name = "z", .buffer = "x"},
             "k.hd: error: kernel 'saxpy': there is no parameter 'z'; did you mean 'x'?\n"
             "k.hd: error: kernel 'saxpy': parameter 'x : f32[n]' is not given\n" TAKES);
    arg_says(0, (struct heddle_arg){.name = "y", .buffer = "x"},
             "k.hd: error: kernel 'saxpy': parameter 'y' is given twice\n"
             "k.hd: error: kernel 'saxpy': parameter 'x : f32[n]' is not given\n" TAKES);
    arg_says(0, (struct heddle_arg){.name = "x", .number = 1},
             "k.hd: error: kernel 'saxpy': parameter 'x : f32[n]' takes a buffer, and a number is given\n" TAKES);
    arg_says(2, (struct heddle_arg){.name = "a", .buffer = "x"},
             "k.hd: error: kernel 'saxpy': parameter 'a : f32' takes a number, and buffer 'x' is given\n" TAKES);
    arg_says(0, (struct heddle_arg){.name = "x", .buffer = "smal"},
             "k.hd: error: kernel 'saxpy': parameter 'x : f32[n]': there is no buffer 'smal'; did you mean "
             "'small'?\n" TAKES);
    arg_says(0, (struct heddle_arg){.name = "x", .buffer = "words"},
             "k.hd: error: kernel 'saxpy': parameter 'x : f32[n]' takes elements of type f32, and buffer 'words' holds "
             "u32\n" TAKES);
    arg_says(0, (struct heddle_arg){.name = "x", .buffer = "small"},
             "k.hd: error: kernel 'saxpy': parameter 'x : f32[n]' needs at least 100 elements, and buffer 'small' has "
             "10\n");
    arg_says(3, (struct heddle_arg){.name = "n", .number = 2.5},
             "k.hd: error: kernel 'saxpy': parameter 'n': u32 takes a whole number, not 2.5\n" TAKES);
    arg_says(3, (struct heddle_arg){.name = "n", .text = "many"},
             "k.hd: error: kernel 'saxpy': parameter 'n': u32 takes a whole number, not 'many'\n" TAKES);
    arg_says(3, (struct heddle_arg){.name = "n", .number = -1},
             "k.hd: error: kernel 'saxpy': parameter 'n': -1 is out of the range of u32, 0 to 4294967295\n" TAKES);
}

Test(api, missing_arguments_are_listed) {
    struct heddle_launch l = {.nargs = 0};
    launch_says(saxpy, &l,
                "k.hd: error: kernel 'saxpy': parameter 'x : f32[n]' is not given\n"
                "k.hd: error: kernel 'saxpy': parameter 'y : f32[n]' is not given\n"
                "k.hd: error: kernel 'saxpy': parameter 'a : f32' is not given\n"
                "k.hd: error: kernel 'saxpy': parameter 'n : u32' is not given\n" TAKES);
}

Test(api, wrong_launches_are_refused) {
    struct heddle_launch l = good_launch();
    l.block[0] = 33;
    l.block[1] = 32;
    launch_says(saxpy, &l, "k.hd: error: kernel 'saxpy': a block of 33x32x1 threads; at most 1,024 in all\n");
    l.block[0] = l.block[1] = l.block[2] = 4000000000u;
    launch_says(
        saxpy, &l,
        "k.hd: error: kernel 'saxpy': a block of 4000000000x4000000000x4000000000 threads; at most 1,024 in all\n");
    l = good_launch();
    l.grid[1] = 1u << 31;
    launch_says(saxpy, &l, "k.hd: error: kernel 'saxpy': a grid of 2,147,483,648 blocks in y; at most 2^31 - 1\n");
    l.grid[0] = l.grid[1] = l.grid[2] = 1u << 30;
    launch_says(
        saxpy, &l,
        "k.hd: error: kernel 'saxpy': a grid of 1073741824x1073741824x1073741824 blocks; at most 2^53 in all\n");
    l = good_launch();
    l.warp = 33;
    launch_says(saxpy, &l, "k.hd: error: kernel 'saxpy': warp width 33; accepted are 8, 16, 32, 64\n");
    l.warp = 0;
    l.engine = "base";
    launch_says(saxpy, &l, "heddle: error: unknown engine 'base'; did you mean 'baseline'?\n");
    l.engine = "baselin";
    launch_says(saxpy, &l, "heddle: error: unknown engine 'baselin'; did you mean 'baseline'?\n");
}

/* Each dimension up to the board's bound and not beyond; the clock plays no part. Without a board there are none. */
Test(api, boards_bound_each_dimension) {
    static const char *const dims[] = {"max_grid_x",  "max_grid_y",  "max_grid_z",
                                       "max_block_x", "max_block_y", "max_block_z"};
    struct heddle *h = heddle_new();
    struct heddle_program *p = load(h, "k.hd", ".kernel k\n        exit\n");
    struct heddle_result r;
    for (u32 i = 0; i < 6; i++)
        for (u32 over = 0; over < 2; over++) {
            struct heddle_launch l = {.block = {1}, .functional = over};
            (i < 3 ? l.grid : l.block)[i % 3] = 3 + over;
            cr_assert(heddle_board_load(h, NULL, (const char *[]){"max_grid_x=3", "max_grid_y=3", "max_grid_z=3"}, 3));
            cr_assert(
                heddle_board_load(h, NULL, (const char *[]){"max_block_x=3", "max_block_y=3", "max_block_z=3"}, 3));
            enum heddle_status status = heddle_launch(h, p, &l, &r);
            cr_assert(status == (over ? HEDDLE_INPUT : HEDDLE_OK), "%s: %s", dims[i], heddle_error(h));
            cr_assert(heddle_fits(h, p, &l) == !over, "%s", dims[i]);
            cr_assert(!over || (strstr(heddle_error(h), dims[i]) && strstr(heddle_error(h), "at most 3 in ")));
        }
    heddle_program_free(p);
    heddle_free(h);
}

/* Boards that take the launch follow from their limits: a block of the size, matrix units if the kernel needs them. */
Test(api, boards_that_take_a_launch_are_named) {
    static const char plain[] = ".kernel k\n        exit\n";
    struct heddle *h = heddle_new();
    struct heddle_program *p = load(h, "k.hd", plain);
    struct heddle_launch l = {.block = {512}};
    struct heddle_result r;
    static const char *const boards[] = {"a100", "br100", "h100", "h200", "teach8", "v100"};
    cr_assert(heddle_board_load(h, &(struct heddle_file){.name = "teach8"}, NULL, 0));
    cr_assert_eq(heddle_launch(h, p, &l, &r), HEDDLE_INPUT);
    char *told = strdup(heddle_error(h)), *list = strstr(told, "\n  boards that take it: ");
    cr_assert(list && strcmp(heddle_board_name(h), "teach8") == 0, "%s", told);
    for (size_t i = 0; i < COUNT_OF(boards); i++) {
        struct heddle *other = heddle_new();
        cr_assert(heddle_board_load(other, &(struct heddle_file){.name = boards[i]}, NULL, 0));
        cr_assert_eq(heddle_fits(other, p, &l), strstr(list, boards[i]) != NULL, "%s", boards[i]);
        heddle_free(other);
    }
    free(told);
    l.block[0] = 1025; /* which no board takes */
    cr_assert_eq(heddle_launch(h, p, &l, &r), HEDDLE_INPUT);
    cr_assert_null(strstr(heddle_error(h), "boards that"));
    l.block[0] = 256;
    cr_assert_eq(heddle_launch(h, p, &l, &r), HEDDLE_OK, "%s", heddle_error(h));
    heddle_program_free(p);
    heddle_free(h);
}

Test(api, kernels_are_chosen_by_name) {
    struct heddle_launch l = {.nargs = 0};
    launch_says(two, &l,
                "k.hd: error: 2 kernels: which one is to run must be said\n"
                "k.hd: its kernels are 'first', 'past_the_end'\n");
    l.entry = "frist";
    launch_says(two, &l,
                "k.hd: error: there is no kernel 'frist'; did you mean 'first'?\n"
                "k.hd: its kernels are 'first', 'past_the_end'\n");
    l.entry = "helper";
    launch_says(two, &l, "k.hd: error: there is no kernel 'helper'\nk.hd: its kernels are 'first', 'past_the_end'\n");
    l.entry = "past_the_end";
    l.warp = 32;
    launch_says(two, &l, "k.hd: error: kernel 'past_the_end': warp width 32; it runs at 8, 16\n");
}

Test(api, wrong_programs_are_pointed_at) {
    struct heddle *h = heddle_new();
    static const char text[] = ".kernel k\n        mov.b32 r0, 1\n        exi\n";
    cr_assert(!heddle_load(h, "k.hd", text, strlen(text)));
    cr_assert(strncmp(heddle_error(h), "k.hd:3:9: error: ", 17) == 0, "%s", heddle_error(h));
    cr_assert(strstr(heddle_error(h), "     3 |         exi\n       |         ^~~\n"), "%s", heddle_error(h));
    cr_assert(!heddle_load(h, "k.hdo", "HDO1", 4));
    cr_assert(strncmp(heddle_error(h), "k.hdo: error: ", 14) == 0, "%s", heddle_error(h));
    cr_assert(!heddle_load(h, "k.hdo", "HDO9 from the future", 20) && *heddle_error(h));
    struct heddle_program *p = load(h, "ok.hd", two);
    says(h, ""); /* the error of the earlier call is cleared */
    heddle_program_free(p);
    heddle_free(h);
}

/* Long names of kernels do not displace the reason. */
Test(api, errors_of_a_kernel_with_a_long_name) {
    struct heddle *h = heddle_new();
    struct heddle_result r;
    char text[2100];
    snprintf(text, sizeof text, ".kernel k%02000d\n.param n : u32\n exit\n", 0);
    struct heddle_program *p = load(h, "k.hd", text);
    cr_assert(heddle_launch(h, p, &(struct heddle_launch){0}, &r) == HEDDLE_INPUT);
    cr_assert(strlen(heddle_error(h)) > 2000 && strstr(heddle_error(h), "parameter 'n : u32' is not given"), "%s",
              heddle_error(h));
    heddle_program_free(p);
    heddle_free(h);
}

/* ---- programs ---- */

static const char *give_library(void *ctx, const char *name, size_t *len) {
    const char *text = ctx;
    cr_expect_str_eq(name, "lib/a.hd");
    *len = strlen(text);
    return text;
}

Test(api, files_that_a_program_includes) {
    static const char text[] = ".include \"../lib/a.hd\"\n.kernel k\n stop\n",
                      bad[] = ".macro stop\n exti\n.endmacro\n";
    static char library[] = ".macro stop\n exit\n.endmacro\n";
    struct heddle *h = heddle_new();
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
    heddle_free(h);
}

Test(api, programs_describe_their_kernels) {
    struct heddle *h = heddle_new();
    struct heddle_program *p = load(h, "two.hd", two), *q = load(h, "saxpy.hd", saxpy);
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
    struct heddle_program *v =
        load(h, "v.hd", ".func f\n.local z : u8\nret\n.kernel k\n.shared a : f32[4,5]\n.local b : u64\nexit\n");
    struct heddle_variable_info variable;
    cr_assert(heddle_kernel_info(v, 0, &k) && k.nvariables == 2 && k.local == 8);
    cr_assert(heddle_variable_info(v, 0, 0, &variable) && variable.ndim == 2 && variable.shape[1] == 5);
    cr_assert(strcmp(variable.name, "a") == 0 && strcmp(variable.type, "f32") == 0);
    cr_assert(strcmp(variable.space, "shared") == 0 && variable.offset == 0);
    cr_assert(heddle_variable_info(v, 0, 1, &variable) && variable.ndim == 0 && strcmp(variable.space, "local") == 0);
    cr_assert(!heddle_variable_info(v, 0, 2, &variable) && !heddle_variable_info(v, 1, 0, &variable));
    heddle_program_free(v);
    heddle_program_free(p);
    heddle_program_free(q);
    heddle_free(h);
}

Test(api, objects_and_text_are_the_same_program) {
    struct heddle *h = heddle_new();
    struct heddle_program *p = load(h, "saxpy.hd", saxpy);
    size_t len, text_len, again_len;
    char *object = heddle_program_object(h, p, &len);
    struct heddle_program *q = heddle_load(h, "saxpy.hdo", object, len);
    cr_assert(q, "%s", heddle_error(h));
    char *text = heddle_program_text(h, q, &text_len);
    cr_assert(strlen(text) == text_len);
    struct heddle_program *s = load(h, "again.hd", text);
    char *again = heddle_program_object(h, s, &again_len);
    cr_assert(len == again_len && memcmp(object, again, len) == 0);
    uint32_t warnings = 99;
    char *lint = heddle_program_lint(h, s, &warnings);
    cr_assert(warnings == 0 && strcmp(lint, "") == 0, "%s", lint);
    heddle_release(lint);
    heddle_release(object);
    heddle_release(text);
    heddle_release(again);
    heddle_program_free(p);
    heddle_program_free(q);
    heddle_program_free(s);
    heddle_free(h);
}

/* ---- faults, limits, stops ---- */

Test(api, faults_leave_results) {
    struct heddle *h = heddle_new();
    struct heddle_program *p = load(h, "two.hd", two);
    const uint64_t n = 32;
    struct heddle_arg args[] = {{.name = "out", .buffer = "out"}};
    struct heddle_launch l = {.entry = "past_the_end", .grid = {40}, .block = {1}, .args = args, .nargs = 1};
    struct heddle_result r;
    struct heddle_tensor t;
    cr_assert(heddle_buffer(h, "out", "u32", 1, &n));
    cr_assert(heddle_launch(h, p, &l, &r) == HEDDLE_FAULT);
    cr_assert(strcmp(r.fault.kind, "out_of_bounds") == 0 && r.fault.line == 12 && r.fault.block[0] == 32);
    cr_assert(r.warp == 16, "the widest that it allows");
    cr_assert(heddle_buffer_get(h, "out", &t) && r.fault.address == t.address + 128);
    cr_assert(t.data[31 * 4] == 31 && t.data[4] == 1, "what was written before stays");
    cr_assert(r.nlines == 5 && r.lines[3].warp_instructions == 33 && r.warp_instructions == 32 * 5 + 4);
    cr_assert(heddle_launch(h, p, &l, &r) == HEDDLE_FAULT, "and the context can go on");
    cr_assert(strstr(heddle_error(h), "two.hd:12: fault: out_of_bounds: ") == heddle_error(h), "%s", heddle_error(h));
    cr_assert(strstr(heddle_error(h), "past the end of 'out'"), "%s", heddle_error(h));
    l.grid[0] = 32;
    cr_assert(heddle_launch(h, p, &l, &r) == HEDDLE_OK && r.fault.kind == NULL);
    heddle_program_free(p);
    heddle_free(h);
}

Test(api, endless_loops_end) {
    struct heddle *h = heddle_new();
    struct heddle_program *p = load(h, "forever.hd", forever);
    struct heddle_launch l = {.max_instructions = 1000};
    struct heddle_result r;
    cr_assert(heddle_launch(h, p, &l, &r) == HEDDLE_FAULT);
    cr_assert(strcmp(r.fault.kind, "instruction_limit") == 0 && r.warp_instructions == 1000);
    heddle_program_free(p);
    heddle_free(h);
}

static bool stop_at_once(void *ctx, double share) {
    *(double *)ctx = share;
    return false;
}

Test(api, progress_can_stop_a_launch) {
    struct heddle *h = heddle_new();
    struct heddle_program *p = load(h, "forever.hd", forever);
    double share = 2;
    struct heddle_launch l = {.progress = stop_at_once, .progress_ctx = &share};
    struct heddle_result r;
    cr_assert(heddle_launch(h, p, &l, &r) == HEDDLE_FAULT);
    cr_assert(share >= 0 && share <= 1 && r.fault.kind == NULL && r.warp_instructions > 0);
    cr_assert(strstr(heddle_error(h), "forever.hd: error: kernel 'forever': stopped after "), "%s", heddle_error(h));
    heddle_program_free(p);
    heddle_free(h);
}

/* ---- several at once ---- */

Test(api, two_contexts_know_nothing_of_each_other) {
    struct heddle *a = heddle_new(), *b = heddle_new();
    struct heddle_program *p = load(a, "saxpy.hd", saxpy); /* and may be used by both */
    struct heddle_launch l = good_launch();
    struct heddle_result ra, rb;
    struct heddle_tensor t;
    make_buffers(a, 100);
    cr_assert(!heddle_buffer_get(b, "x", &t) && heddle_buffer_get(a, "x", &t));
    cr_assert(*heddle_error(b) && !*heddle_error(a));
    make_buffers(b, 100);
    floats(b, "x")[3] = 1000;
    cr_assert(heddle_launch(a, p, &l, &ra) == HEDDLE_OK && heddle_launch(b, p, &l, &rb) == HEDDLE_OK);
    cr_assert(floats(a, "y")[3] == 7 && floats(b, "y")[3] == 2001);
    cr_assert(ra.classes != rb.classes && ra.warp_instructions == rb.warp_instructions);
    heddle_free(a);
    cr_assert(rb.lines[0].warp_instructions == 4 && heddle_launch(b, p, &l, &rb) == HEDDLE_OK);
    heddle_program_free(p);
    heddle_free(b);
}

static void *thread(void *program) {
    struct heddle *h = heddle_new();
    struct heddle_launch l = good_launch();
    struct heddle_result r;
    make_buffers(h, 100);
    for (int i = 0; i < 200; i++)
        if (heddle_launch(h, program, &l, &r) != HEDDLE_OK || r.warp_instructions != 4 * 17)
            return "a launch failed";
    const char *wrong = floats(h, "y")[3] == 6 * 200 + 1 ? NULL : "a result is wrong";
    heddle_free(h);
    return (void *)(uintptr_t)wrong;
}

Test(api, threads_share_a_program) {
    struct heddle *h = heddle_new();
    struct heddle_program *p = load(h, "saxpy.hd", saxpy);
    pthread_t threads[4];
    for (u32 i = 0; i < COUNT_OF(threads); i++)
        cr_assert(pthread_create(&threads[i], NULL, thread, p) == 0);
    for (u32 i = 0; i < COUNT_OF(threads); i++) {
        void *wrong;
        cr_assert(pthread_join(threads[i], &wrong) == 0 && wrong == NULL, "%s", (const char *)wrong);
    }
    heddle_program_free(p);
    heddle_free(h);
}

/* ---- the manual ---- */

Test(api, instruction_set) {
    struct heddle *h = heddle_new();
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
    heddle_free(h);
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
Test(api, boards_by_name) {
    static const char own[] = "base: a100\nsms: 7\n";
    const struct heddle_file shipped = {.name = "a100"}, none = {.name = "a1000"},
                             file = {.name = "own.yaml", .text = own, .len = sizeof own - 1};
    struct heddle *h = heddle_new();
    struct heddle_board_value v;
    cr_assert(heddle_board_load(h, &shipped, NULL, 0), "%s", heddle_error(h));
    cr_assert(heddle_board_value(h, "sms", &v) && v.number == 108 && strcmp(v.origin, "a100.yaml:8") == 0, "%s",
              v.origin);
    cr_assert(heddle_board_load(h, &file, NULL, 0), "%s", heddle_error(h));
    cr_assert(heddle_board_value(h, "sms", &v) && v.number == 7 && strcmp(v.origin, "own.yaml:2") == 0);
    cr_assert(!heddle_board_load(h, &none, NULL, 0));
    says(h, "a1000: error: no board of this name ships; did you mean 'a100'?\n");
    cr_assert(heddle_board_value(h, "sms", &v) && v.number == 7, "an error leaves the board as it was");
    heddle_free(h);
}

/* 100 threads load x and y and store y: three or four sectors of 8 floats to a request. */
Test(api, columns_of_buffers_and_lines_have_names) {
    struct heddle *h = heddle_new();
    struct heddle_program *p = load(h, "saxpy.hd", saxpy);
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
    heddle_program_free(p);
    heddle_free(h);
}

Test(api, limits_have_names_and_metrics) {
    struct heddle *h = heddle_new();
    struct heddle_program *p = load(h, "saxpy.hd", saxpy);
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
    heddle_program_free(p);
    heddle_free(h);
}

/* ---- names and lines ---- */

Test(api, names_and_lines_are_known_before_a_launch) {
    static const struct heddle_name_info want[] = {{"i", "register", "past_the_end", 0, 1},
                                                   {"v", "register", "past_the_end", 1, 1},
                                                   {"po", "register", "past_the_end", 2, 2}};
    struct heddle_name_info name;
    struct heddle_instruction_info inst;
    struct heddle *h = heddle_new();
    struct heddle_program *p = load(h, "two.hd", two), *loop = load(h, "f.hd", forever);
    for (u32 i = 0; i < COUNT_OF(want); i++) {
        cr_assert(heddle_name_info(p, i, &name));
        cr_expect(!strcmp(name.name, want[i].name) && !strcmp(name.kind, want[i].kind) && !strcmp(name.in, want[i].in));
        cr_expect(name.number == want[i].number && name.count == want[i].count, "%s is r%u", name.name, name.number);
    }
    cr_expect(!heddle_name_info(p, COUNT_OF(want), &name));
    cr_assert(heddle_name_info(loop, 0, &name));
    cr_expect(!strcmp(name.name, "again") && !strcmp(name.kind, "label") && name.number == 0);
    cr_assert(heddle_instruction_info(p, 1, &inst));
    cr_expect(!inst.file && inst.line == 4 && !strcmp(inst.in, "helper") && !strcmp(inst.text, "ret"), "%s", inst.text);
    cr_expect(!heddle_instruction_info(p, 7, &inst));
    cr_expect_eq(heddle_line_instruction(p, 12), 5);
    cr_expect_eq(heddle_line_instruction(p, 3), UINT32_MAX, "a directive");
    cr_expect_eq(heddle_line_instruction(p, 0), UINT32_MAX);
    size_t len;
    char *object = heddle_program_object(h, p, &len);
    struct heddle_program *again = heddle_load(h, "two.hdo", object, len);
    cr_expect(again && !heddle_name_info(again, 0, &name), "an object has no names");
    heddle_release(object);
    heddle_program_free(again);
    heddle_program_free(loop);
    heddle_program_free(p);
    heddle_free(h);
}

/* Wrong calls that only C can make on a recording; tests/time/recording.lua does the rest. */
Test(api, states_are_of_recordings) {
    struct heddle *h = heddle_new();
    struct heddle_program *p = load(h, "f.hd", ".kernel f\n s2r r0, %tid.x\n exit\n");
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
    heddle_program_free(p);
    heddle_free(h);
}
