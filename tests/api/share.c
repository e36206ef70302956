/* Do the parts of a launch that boards share follow one another, cover all rows, and have room for them? */
#include "sim/api/heddle.h"

#include <criterion/criterion.h>
#include <string.h>

static const char text[] = ".kernel k\n.param x : f32[n*m]\n.param w : f32[m]\n.param odd : f32[m*n]\n.param n : u32\n"
                           ".param m : u32\n.param a : f32\nexit\n";

enum { BOARDS = 7, ROWS_MAX = 40, GRID_MAX = 9 };

struct bound {
    struct heddle *h;
    struct heddle_program *p;
    struct heddle_arg args[6];
    struct heddle_launch launch;
};

static void bind(struct bound *b, const char *source, double rows, uint32_t grid) {
    const struct heddle_arg args[] = {{.name = "x", .buffer = "x"},  {.name = "w", .buffer = "x"},
                                      {.name = "n", .number = rows}, {.name = "m", .number = 3},
                                      {.name = "a", .number = 1},    {.name = "odd", .buffer = "x"}};
    const uint64_t size = 3 * ROWS_MAX;
    b->h = heddle_new();
    b->p = heddle_load(b->h, "k.hd", source, strlen(source));
    cr_assert(b->p && heddle_buffer(b->h, "x", "f32", 1, &size), "%s", heddle_error(b->h));
    memcpy(b->args, args, sizeof args);
    b->launch = (struct heddle_launch){.args = b->args, .nargs = strstr(source, "odd") ? 6 : 5, .grid = {grid, 2, 1}};
}

static void release(struct bound *b) {
    heddle_program_free(b->p);
    heddle_free(b->h);
}

/* Counts the ways in which parts are wrong. */
static uint32_t wrong(const struct heddle_board_part *part, uint32_t boards, uint64_t rows, uint32_t grid) {
    const uint64_t of_block = (rows + grid - 1) / grid;
    uint64_t at = 0, most = 0, least = rows;
    uint32_t blocks = 0, n = 0;
    for (uint32_t i = 0; i < boards; i++) {
        n += part[i].first != at || !part[i].rows || part[i].rows > part[i].grid[0] * of_block || part[i].grid[1] != 2;
        at += part[i].rows;
        blocks += part[i].grid[0];
        most = part[i].grid[0] > most ? part[i].grid[0] : most;
        least = part[i].grid[0] < least ? part[i].grid[0] : least;
    }
    return n + (at != rows) + (blocks > grid) + (most > least + 1);
}

Test(share, parts_cover_all_rows) {
    static const char plain[] = ".kernel k\n.param x : f32[n*m]\n.param w : f32[m]\n.param n : u32\n.param m : u32\n"
                                ".param a : f32\nexit\n";
    struct heddle_board_part part[BOARDS];
    uint32_t shared = 0, refused = 0;
    for (uint32_t rows = 1; rows <= ROWS_MAX; rows++)
        for (uint32_t grid = 1; grid <= GRID_MAX; grid++) {
            struct bound b;
            bind(&b, plain, rows, grid);
            const uint64_t of_block = (rows + grid - 1) / grid, used = (rows + of_block - 1) / of_block;
            for (uint32_t boards = 1; boards <= BOARDS; boards++) {
                const struct heddle_share share = {.by = "n", .boards = boards};
                const char *by = heddle_share(b.h, b.p, &b.launch, &share, part);
                bool ok = by != NULL;
                cr_expect_eq(ok, boards <= used, "%u rows, %u blocks, %u boards", rows, grid, boards);
                cr_expect(!ok || (!wrong(part, boards, rows, grid) && strcmp(by, "n") == 0),
                          "%u rows, %u blocks, %u boards", rows, grid, boards);
                shared += ok;
                refused += !ok;
            }
            release(&b);
        }
    cr_expect(shared > 1000 && refused > 500, "%u shared, %u refused", shared, refused);
}

Test(share, rows_are_of_buffers_that_begin_with_them) {
    struct bound b;
    bind(&b, text, 8, 4);
    const struct heddle_share by_n = {.by = "n", .boards = 2}, by_m = {.by = "m", .boards = 2}, of = {.boards = 2};
    struct heddle_board_part part[2];
    cr_expect_not(heddle_share(b.h, b.p, &b.launch, &by_n, part));
    cr_expect(strstr(heddle_error(b.h), "'odd : [m*n]' has no rows that 'n' counts"), "%s", heddle_error(b.h));
    cr_expect_not(heddle_share(b.h, b.p, &b.launch, &by_m, part));
    cr_expect_not(heddle_share(b.h, b.p, &b.launch, &of, part));
    cr_expect(strstr(heddle_error(b.h), "name the parameter that counts rows"), "%s", heddle_error(b.h));
    release(&b);

    bind(&b,
         ".kernel k\n.param x : f32[n*m]\n.param w : f32[m]\n.param n : u32\n.param m : u32\n.param a : f32\nexit\n", 8,
         4);
    cr_expect_eq(heddle_share_row(b.h, b.p, &b.launch, "n", "x"), 3);
    cr_expect_eq(heddle_share_row(b.h, b.p, &b.launch, "n", "w"), 0);
    cr_expect_eq(heddle_share_row(b.h, b.p, &b.launch, "n", "z"), -1);
    cr_expect_eq(heddle_share_row(b.h, b.p, &b.launch, "a", "x"), -1);
    release(&b);

    bind(&b,
         ".kernel k\n.param x : f32[n+1]\n.param w : f32[m]\n.param n : u32\n.param m : u32\n.param a : f32\nexit\n", 8,
         4);
    cr_expect_eq(heddle_share_row(b.h, b.p, &b.launch, "n", "x"), -1);
    release(&b);
}
