/*
 * Do lanes print what C's printf would, in the order of block, warp, program and lane, on every engine and board; and
 * is what does not fit counted?
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/mix.h"
#include "tests/api/api.h"

/* ---- one launch, by all who can run it ---- */

struct runner {
    const char *board; /* NULL: without a clock */
    const char *engine, *schedule;
    uint32_t threads;
};

static const struct runner runners[] = {
    {NULL, "baseline", NULL, 0}, {NULL, "auto", NULL, 0},    {NULL, NULL, "random:7", 0},
    {"teach8", NULL, NULL, 1},   {"teach8", NULL, NULL, 2},  {"teach8", "baseline", NULL, 3},
    {"teach8", NULL, NULL, 8},   {"teach32", NULL, NULL, 1}, {"teach32", NULL, NULL, 8},
};

/* Lines that a launch must print. */
struct expected {
    void (*line)(uint64_t block, uint32_t thread, uint32_t round, char *out, size_t size);
    uint32_t (*rounds)(uint32_t thread); /* lines of a thread */
    uint32_t grid[3], threads, warp, most_rounds;
};

/* Counts lines that are not as expected, walking in the order of the contract; also those that must be dropped. */
static uint32_t wrong_lines(const struct heddle_result *r, const struct expected *e) {
    const uint64_t blocks = (uint64_t)e->grid[0] * e->grid[1] * e->grid[2];
    uint64_t size = 0, at = 0, dropped = 0;
    uint32_t wrong = 0;
    for (uint64_t b = 0; b < blocks; b++)
        for (uint32_t w = 0; w < e->threads; w += e->warp)
            for (uint32_t round = 0; round < e->most_rounds; round++)
                for (uint32_t t = w; t < w + e->warp && t < e->threads; t++) {
                    char text[300];
                    if (round >= e->rounds(t))
                        continue;
                    e->line(b, t, round, text, sizeof text);
                    size += strlen(text) + 16;
                    if (size > HEDDLE_PRINTED_MAX) {
                        dropped++;
                        continue;
                    }
                    const struct heddle_printed *p = at < r->nprinted ? &r->printed[at] : NULL;
                    const uint64_t block =
                        p ? p->block[0] + e->grid[0] * (p->block[1] + (uint64_t)e->grid[1] * p->block[2]) : 0;
                    wrong += !p || strcmp(p->text, text) != 0 || block != b || p->warp != t / e->warp ||
                             p->lane != t % e->warp || p->line == 0;
                    at++;
                }
    return wrong + (at != r->nprinted) + (dropped != r->printed_dropped);
}

static void all_print(const char *text, const struct expected *e) {
    for (size_t i = 0; i < sizeof runners / sizeof *runners; i++) {
        const struct runner *by = &runners[i];
        SCOPED(heddle_drop) struct heddle *h = heddle_new();
        SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "k.hd", text);
        struct heddle_result r;
        struct heddle_launch l = {.block = {e->threads}, .engine = by->engine, .schedule = by->schedule};
        l.threads = by->threads;
        l.warp = e->warp;
        memcpy(l.grid, e->grid, sizeof l.grid);
        cr_assert(!by->board || heddle_board_load(h, &(struct heddle_file){.name = by->board}, NULL, 0));
        cr_assert_eq(heddle_launch(h, p, &l, &r), HEDDLE_OK, "%s", heddle_error(h));
        uint32_t wrong = wrong_lines(&r, e);
        cr_expect_eq(wrong, 0, "%u lines are wrong, of %u and %" PRIu64 " dropped: runner %zu, warp %u", wrong,
                     r.nprinted, r.printed_dropped, i, e->warp);
    }
}

static const char loop[] = ".kernel k\n.reg i, b, n, r, g\n.pred more\n"
                           "s2r i, %tid.x\ns2r b, %ctaid.x\ns2r g, %ctaid.y\ns2r n, %nctaid.x\nmad.lo.s32 b, g, n, b\n"
                           "rem.u32 n, i, 5\nmov.b32 r, 0\n"
                           "again: setp.lt.u32 more, r, n\n@!more bra out\n"
                           "print \"block %u thread %3u round %u\", b, i, r\nadd.s32 r, r, 1\nbra again\nout: exit\n";

static void loop_line(uint64_t block, uint32_t thread, uint32_t round, char *out, size_t size) {
    snprintf(out, size, "block %u thread %3u round %u", (unsigned)block, thread, round);
}

static uint32_t loop_rounds(uint32_t thread) {
    return thread % 5;
}

Test(printed, lines_are_in_order) {
    struct expected e = {loop_line, loop_rounds, {7, 3, 1}, 60, 0, 4};
    for (e.warp = 8; e.warp <= 32; e.warp *= 4)
        all_print(loop, &e);
}

/* ---- more than a launch keeps ---- */

static const char many[] = ".kernel k\n.reg i, b, r, v\n.pred more\ns2r i, %tid.x\ns2r b, %ctaid.x\nmov.b32 r, 0\n"
                           "again: mul.lo.s32 v, r, 1237\nprint \"%u %x %u\", b, v, i\nadd.s32 r, r, 1\n"
                           "setp.lt.u32 more, r, 250\n@more bra again\nexit\n";

static void many_line(uint64_t block, uint32_t thread, uint32_t round, char *out, size_t size) {
    snprintf(out, size, "%u %x %u", (unsigned)block, round * 1237, thread);
}

static uint32_t many_rounds(uint32_t thread) {
    (void)thread;
    return 250;
}

/* A block alone prints 0.4 MiB, those of an SM more than the launch keeps; the last lines are longest. */
Test(printed, what_does_not_fit_is_the_end_and_counted) {
    const struct expected e = {many_line, many_rounds, {24, 1, 1}, 64, 32, 250};
    all_print(many, &e);
}

/* ---- formats ---- */

static const uint64_t corners[] = {0,
                                   1,
                                   'A',
                                   0x7fffffff,
                                   0x80000000,
                                   0xffffffff,
                                   0x3f800000,         /* 1.0f */
                                   0xff7fffff,         /* -FLT_MAX */
                                   0x7f800000,         /* infinity */
                                   0x00000001,         /* least denormal */
                                   0x3dcccccd,         /* 0.1f */
                                   0x3ff0000000000000, /* 1.0 */
                                   0xffefffffffffffff, /* -DBL_MAX */
                                   0x7ff0000000000000, /* infinity */
                                   0x400921fb54442d18, /* pi */
                                   0x8000000000000000,
                                   UINT64_MAX};
enum { CORNERS = sizeof corners / sizeof *corners };

struct format {
    char text[24], kind;
    bool wide;
};

/* Writes the value as the host's printf does, by the format as it is written. */
static void by_host(const struct format *f, uint64_t bits, char *out, size_t size) {
    const char *format = f->text, kind = f->kind;
    const bool wide = f->wide;
    uint32_t low = (uint32_t)bits;
    double d;
    float single;
    memcpy(&d, &bits, sizeof d);
    memcpy(&single, &low, sizeof single);
    if (kind == 'c')
        snprintf(out, size, format, low % 256 >= 32 && low % 256 < 127 ? (int)(low % 256) : '.');
    else if (strchr("di", kind) && wide)
        snprintf(out, size, format, (long)bits);
    else if (strchr("di", kind))
        snprintf(out, size, format, (int)low);
    else if (strchr("uxXo", kind) && wide)
        snprintf(out, size, format, (unsigned long)bits);
    else if (strchr("uxXo", kind))
        snprintf(out, size, format, low);
    else
        snprintf(out, size, format, wide ? d : (double)single);
}

/* Draws a format that C defines. */
static struct format draw_format(uint64_t *state) {
    static const char kinds[] = "diuxXocfFeEgGaA", flags[] = "-+ #0";
    struct format f = {.text = "%", .kind = kinds[splitmix_next(state) % (sizeof kinds - 1)]};
    char *at = f.text + 1;
    f.wide = f.kind != 'c' && splitmix_next(state) % 2;
    for (uint64_t set = splitmix_next(state) & splitmix_next(state), i = 0; i < 5; i++) {
        bool open = (flags[i] == '#' && strchr("diuc", f.kind)) || (flags[i] == '0' && f.kind == 'c');
        if (set >> i & 1 && !open)
            *at++ = flags[i];
    }
    if (splitmix_next(state) % 2)
        at += sprintf(at, "%u", 1 + (unsigned)(splitmix_next(state) % 40));
    if (f.kind != 'c' && splitmix_next(state) % 2)
        at += sprintf(at, ".%.*s", (int)(splitmix_next(state) % 3), splitmix_next(state) % 2 ? "17" : "03");
    sprintf(at, "%s%c", f.wide ? "l" : "", f.kind);
    return f;
}

Test(printed, formats_are_those_of_c) {
    enum { FORMATS = 400 };
    static char want[FORMATS * CORNERS][520];
    SCOPED(buf_free) struct buf text = {0};
    uint64_t state = 3;
    buf_puts(&text, ".kernel k\n.reg v:2\n");
    for (uint32_t i = 0, n = 0; i < FORMATS; i++) {
        const struct format f = draw_format(&state);
        for (uint32_t k = 0; k < CORNERS; k++) {
            buf_printf(&text, "movi.b64 v, 0x%" PRIx64 "\nprint \"<%s>\", v\n", corners[k], f.text);
            want[n][0] = '<';
            by_host(&f, corners[k], want[n] + 1, sizeof want[n] - 2);
            strcat(want[n++], ">");
        }
    }
    buf_puts(&text, "exit\n");
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "k.hd", text.data);
    struct heddle_result r;
    const struct heddle_launch l = {.block = {1}, .warp = 8};
    cr_assert_eq(heddle_launch(h, p, &l, &r), HEDDLE_OK, "%s", heddle_error(h));
    cr_assert_eq(r.nprinted, FORMATS * CORNERS);
    for (uint32_t n = 0; n < r.nprinted; n++)
        cr_expect_str_eq(r.printed[n].text, want[n]);
}

/* ---- who else may print ---- */

/* Explanations, orders of warps and looks for deadlocks run lines too; none of theirs is the launch's. */
Test(printed, once_each) {
    static const char text[] = ".kernel k\n.param y : u32[]\n.reg i, p:2\ns2r i, %tid.x\nld.param.b64 p, [y]\n"
                               "print \"%u\", i\nst.global.b32 [p], i\nexit\n";
    const struct heddle_arg arg = {.name = "y", .buffer = "y"};
    const uint64_t one = 1;
    struct heddle_launch l = {.block = {16}, .warp = 8, .args = &arg, .nargs = 1};
    for (uint32_t i = 0; i < 3; i++) {
        SCOPED(heddle_drop) struct heddle *h = heddle_new();
        SCOPED(heddle_program_drop) struct heddle_program *p = load(h, "k.hd", text);
        struct heddle_result r;
        cr_assert(heddle_buffer(h, "y", "u32", 1, &one));
        l.schedule = i == 1 ? "all" : NULL;
        l.check = i == 2 ? "all" : NULL;
        cr_assert_eq(heddle_launch(h, p, &l, &r), HEDDLE_OK, "%s", heddle_error(h));
        cr_expect(r.nprinted == 16 && r.printed_dropped == 0, "%u lines, way %u", r.nprinted, i);
    }
}

/* A fault keeps what was printed up to it. */
Test(printed, before_a_fault) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop)
    struct heddle_program *p = load(h, "k.hd", ".kernel k\nprint \"here, 100%%\"\ntrap\n");
    struct heddle_result r;
    const struct heddle_launch l = {.block = {8}, .warp = 8};
    cr_assert_eq(heddle_launch(h, p, &l, &r), HEDDLE_FAULT);
    cr_assert_eq(r.nprinted, 8);
    cr_expect_str_eq(r.printed[7].text, "here, 100%");
}
