/* Does the public API do what heddle.h promises: programs, buffers, launches, results, a clear error for mistakes? */
#include "tests/api/api.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/types.h"
#include "sim/board/shipped.h"

Test(api, life_of_a_launch) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "saxpy.hd", saxpy);
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
}

Test(api, counts_add_up) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "saxpy.hd", saxpy);
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
}

Test(api, engines_and_widths_agree) {
    static const char *const engines[] = {"auto", "baseline", "x86-64-v3"};
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "saxpy.hd", saxpy);
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
}

/* ---- mistakes ---- */

static void launch_says(const char *text, const struct heddle_launch *l, const char *message) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "k.hd", text);
    struct heddle_result r;
    uint64_t ten = 10;
    make_buffers(h, 100);
    cr_assert(heddle_buffer(h, "small", "f32", 1, &ten) && heddle_buffer(h, "words", "u32", 1, &ten));
    cr_assert(heddle_launch(h, p, l, &r) == HEDDLE_INPUT, "expected: %s", message);
    says(h, message);
    cr_assert(r.warp_instructions == 0 && r.nclasses == 0 && r.fault.kind == NULL);
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
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "k.hd", ".kernel k\n        exit\n");
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
}

/* Boards that take the launch follow from their limits: a block of the size, matrix units if the kernel needs them. */
Test(api, boards_that_take_a_launch_are_named) {
    static const char plain[] = ".kernel k\n        exit\n";
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "k.hd", plain);
    struct heddle_launch l = {.block = {512}};
    struct heddle_result r;
    cr_assert(heddle_board_load(h, &(struct heddle_file){.name = "teach8"}, NULL, 0));
    cr_assert_eq(heddle_launch(h, p, &l, &r), HEDDLE_INPUT);
    char *told = strdup(heddle_error(h)), *list = strstr(told, "\n  boards that take it: ");
    cr_assert(list && strcmp(heddle_board_name(h), "teach8") == 0, "%s", told);
    for (u32 i = 0; i < board_shipped_count; i++) {
        const char *name = board_shipped[i].name;
        SCOPED(heddle_drop) struct heddle *other = heddle_new();
        cr_assert(heddle_board_load(other, &(struct heddle_file){.name = name}, NULL, 0));
        cr_assert_eq(heddle_fits(other, p, &l), strstr(list, name) != NULL, "%s", name);
    }
    free(told);
    l.block[0] = 1025; /* which no board takes */
    cr_assert_eq(heddle_launch(h, p, &l, &r), HEDDLE_INPUT);
    cr_assert_null(strstr(heddle_error(h), "boards that"));
    l.block[0] = 256;
    cr_assert_eq(heddle_launch(h, p, &l, &r), HEDDLE_OK, "%s", heddle_error(h));
}

Test(api, kernels_are_chosen_by_name) {
    struct heddle_launch l = {.nargs = 0};
    launch_says(two, &l,
                "k.hd: error: 2 kernels: name the one to run\n"
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
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    static const char text[] = ".kernel k\n        mov.b32 r0, 1\n        exi\n";
    cr_assert(!heddle_load(h, "k.hd", text, strlen(text)));
    cr_assert(strncmp(heddle_error(h), "k.hd:3:9: error: ", 17) == 0, "%s", heddle_error(h));
    cr_assert(strstr(heddle_error(h), "     3 |         exi\n       |         ^~~\n"), "%s", heddle_error(h));
    cr_assert(!heddle_load(h, "k.hdo", "HDO1", 4));
    cr_assert(strncmp(heddle_error(h), "k.hdo: error: ", 14) == 0, "%s", heddle_error(h));
    cr_assert(!heddle_load(h, "k.hdo", "HDO9 from the future", 20) && *heddle_error(h));
    SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "ok.hd", two);
    cr_assert(p);
    says(h, ""); /* the error of the earlier call is cleared */
}

/* Long names of kernels do not displace the reason. */
Test(api, errors_of_a_kernel_with_a_long_name) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    struct heddle_result r;
    char text[2100];
    snprintf(text, sizeof text, ".kernel k%02000d\n.param n : u32\n exit\n", 0);
    SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "k.hd", text);
    cr_assert(heddle_launch(h, p, &(struct heddle_launch){0}, &r) == HEDDLE_INPUT);
    cr_assert(strlen(heddle_error(h)) > 2000 && strstr(heddle_error(h), "parameter 'n : u32' is not given"), "%s",
              heddle_error(h));
}

/* ---- faults, limits, stops ---- */

Test(api, faults_leave_results) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "two.hd", two);
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
}

Test(api, endless_loops_end) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "forever.hd", forever);
    struct heddle_launch l = {.max_instructions = 1000};
    struct heddle_result r;
    cr_assert(heddle_launch(h, p, &l, &r) == HEDDLE_FAULT);
    cr_assert(strcmp(r.fault.kind, "instruction_limit") == 0 && r.warp_instructions == 1000);
}

static bool stop_at_once(void *ctx, double share) {
    *(double *)ctx = share;
    return false;
}

Test(api, progress_can_stop_a_launch) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "forever.hd", forever);
    double share = 2;
    struct heddle_launch l = {.progress = stop_at_once, .progress_ctx = &share};
    struct heddle_result r;
    cr_assert(heddle_launch(h, p, &l, &r) == HEDDLE_FAULT);
    cr_assert(share >= 0 && share <= 1 && r.fault.kind == NULL && r.warp_instructions > 0);
    cr_assert(strstr(heddle_error(h), "forever.hd: error: kernel 'forever': stopped after "), "%s", heddle_error(h));
}

/* ---- several at once ---- */

Test(api, two_contexts_know_nothing_of_each_other) {
    struct heddle *a = heddle_new(), *b = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = load(a, "saxpy.hd", saxpy); /* and may be used by both */
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
    heddle_free(b);
}

static void *thread(void *program) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    struct heddle_launch l = good_launch();
    struct heddle_result r;
    make_buffers(h, 100);
    for (int i = 0; i < 200; i++)
        if (heddle_launch(h, program, &l, &r) != HEDDLE_OK || r.warp_instructions != 4 * 17)
            return "a launch failed";
    const char *wrong = floats(h, "y")[3] == 6 * 200 + 1 ? NULL : "a result is wrong";
    return (void *)(uintptr_t)wrong;
}

Test(api, threads_share_a_program) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "saxpy.hd", saxpy);
    pthread_t threads[4];
    for (u32 i = 0; i < COUNT_OF(threads); i++)
        cr_assert(pthread_create(&threads[i], NULL, thread, p) == 0);
    for (u32 i = 0; i < COUNT_OF(threads); i++) {
        void *wrong;
        cr_assert(pthread_join(threads[i], &wrong) == 0 && wrong == NULL, "%s", (const char *)wrong);
    }
}
