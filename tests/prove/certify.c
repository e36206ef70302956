/*
 * Does every certifier know every instruction? Each row of the tables is put to the prover, the init and race checkers
 * and the search over schedules, in a kernel that is written from its operands: a row that one of them does not know,
 * or takes for another, fails here.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "isa/isa.h"
#include "isa/shapes.h"
#include "tests/lib/scoped.h"
#include "sim/base/buf.h"

enum { IN = 16, OUT = 8 }; /* words of x and of y of a thread */

static const u32 widths[] = {8, 16, 32, 64};

/* ---- columns of rows ---- */

static bool has(const struct isa_row *row, enum operand_kind kind) {
    for (u32 k = 0; k < OPERANDS_MAX; k++)
        if (row->operand[k].kind == kind)
            return true;
    return false;
}

Test(certify, rows_are_what_their_class_says) {
    static const bool reduces[OP_COUNT] = {
#define REDUX(id, lane, type, join) [OP_REDUX_##id] = true,
#include "isa/laws.def"
    };
    for (u32 op = 0; op < OP_COUNT; op++) {
        const struct isa_row *row = &isa_rows[op];
        bool lane = row->kind == ROW_LANE || row->kind == ROW_LANEI;
        cr_expect(!lane || (op_memory(op) == MEMORY_NONE && op_lanes(op) == LANES_OWN), "%s", row->name);
        cr_expect_eq(op_memory(op) == MEMORY_ATOMIC, row->kind == ROW_ATOM, "%s", row->name);
        cr_expect_eq(op_accesses(op), has(row, K_MEM), "%s", row->name);
        cr_expect(!has(row, K_TRANSIT) || op_lanes(op) == LANES_ALL, "%s", row->name);
        cr_expect_eq(reduces[op], row->iclass == CLASS_REDUX, "%s", row->name);
    }
}

/* The first type in a name is the result's: f32 of cvt.f32.s32. */
static enum numbers first_type(const char *name) {
    static const char *const types[] = {"", ".f16", ".bf16", ".f16x2", ".bf16x2", ".f32", ".f64"};
    const char *first = NULL;
    enum numbers found = NUMBERS_NONE;
    for (u32 k = 1; k < COUNT_OF(types); k++)
        for (const char *at = strstr(name, types[k]); at; at = strstr(at + 1, types[k]))
            if (strcspn(at + 1, ".") == strlen(types[k] + 1) && (!first || at < first)) {
                first = at;
                found = (enum numbers)k;
            }
    const char *whole = strpbrk(name, ".");
    while (whole && !((whole[1] == 's' || whole[1] == 'u') && whole[2] >= '0' && whole[2] <= '9'))
        whole = strchr(whole + 1, '.');
    return whole && first && whole < first ? NUMBERS_NONE : found;
}

/*
 * Moves and selects pass bits on, comparisons make predicates or masks, and numbers of 8 bits are not followed; other
 * results are numbers as in the name.
 */
Test(certify, floating_point_results_are_declared) {
    u32 declared = 0;
    for (u32 op = 0; op < OP_COUNT; op++) {
        const struct isa_row *row = &isa_rows[op];
        bool bits = row->iclass == CLASS_MOV || row->iclass == CLASS_SEL || row->operand[0].kind == K_PRED ||
                    strncmp(row->name, "set.", 4) == 0 || strstr(row->name, "e4m3") || strstr(row->name, "e5m2");
        if (row->kind != ROW_LANE && row->kind != ROW_LANEI)
            continue;
        cr_expect_eq(row->operand[0].numbers, bits ? NUMBERS_NONE : first_type(row->name), "%s", row->name);
        declared += row->operand[0].numbers != NUMBERS_NONE;
    }
    cr_expect_gt(declared, 60);
}

/* ---- kernels ---- */

/* x holds a:4, b:4, c:4 and a predicate of each thread; the row computes d:4 and p from them. */
#define HEAD \
    ".kernel k\n.param x : u32[]\n.param y : u32[]\n.shared cells : b64[64]\n" \
    ".reg d:4, a:4, b:4, c:4, i, o, part, px:2, py:2, at:2\n.pred p, q, rest, first\n" \
    " s2r i, %tid.x\n ld.param.b64 px, [x]\n ld.param.b64 at, [y]\n" \
    " mad.wide.u32 px, i, 64, px\n mad.wide.u32 py, i, 32, at\n" \
    " ld.global.b128 b, [px+16]\n ld.global.b128 c, [px+32]\n ld.global.b32 part, [px+48]\n" \
    " and.b32 o, part, 1\n setp.ne.s32 q, o, 0\n setp.ne.s32 p, i, i\n" \
    " mov.b32 d, 0\n mov.b32 d+1, 0\n mov.b32 d+2, 0\n mov.b32 d+3, 0\n"
#define LOAD " ld.global.b128 a, [px]\n"
#define TAIL " st.global.b128 [py], d\n mov.b32 o, 1\n sel.b32 o, o, 0, p\n st.global.b32 [py+16], o\n exit\n"

/* Writes an operand as text; `number` stands for a number or a name. */
static void put_operand(struct buf *out, const struct operand *o, const char *number) {
    static const char *const word[] = {"d", "a", "b", "c"};
    switch ((enum operand_kind)o->kind) {
    case K_REG:
    case K_REG2:
    case K_REG4: buf_puts(out, word[o->place]); return;
    case K_REG_IMM: buf_puts(out, "o"); return; /* the same for all data */
    case K_PRED: buf_puts(out, o->place == PLACE_D ? "p" : "q"); return;
    case K_TRANSIT: buf_puts(out, "x1"); return;
    case K_SREG:
    case K_PHASE: buf_puts(out, number); return;
    case K_BARRIER: buf_puts(out, "1"); return;
    case K_TEXT: buf_puts(out, "\"%x %lx\""); return;
    case K_REGT: buf_puts(out, word[o->place]); return;
    default: cr_assert_fail("operand kind %u has no data here: add it", o->kind);
    }
}

static bool left_out(const struct operand *o) {
    return o->kind == K_NONE || o->kind == K_MASK_OPT || o->kind == K_REG_IMM_OPT || o->kind == K_PRED_OPT ||
           o->kind == K_TEXT_OPT || o->kind == K_WORDS || (o->kind == K_REGT && o->place == PLACE_C);
}

static void put_instruction(struct buf *out, const struct isa_row *row, u32 width, const char *number) {
    const char *separator = " ";
    buf_printf(out, " %s", row->name);
    for (u32 k = 0; k < OPERANDS_MAX; k++) {
        const struct operand *o = &row->operand[k];
        if (o->kind == K_PRED_OPT)
            buf_puts(out, "|p");
        if (left_out(o))
            continue;
        buf_puts(out, separator);
        if (o->kind == K_REG_IMM && row->operand[0].kind == K_BARRIER)
            buf_printf(out, "%u", width);
        else if (row->iclass == CLASS_SHFL && o->place == PLACE_C) /* it chooses lanes, as o does */
            buf_puts(out, "o");
        else
            put_operand(out, o, number);
        separator = ", ";
    }
    buf_putc(out, '\n');
}

/* The row between what fills transit registers and what empties them, where it names one. */
static void put_row(struct buf *out, const struct isa_row *row, u32 width, const char *number) {
    bool transit = has(row, K_TRANSIT), fills = row->operand[0].kind == K_TRANSIT;
    for (u32 k = 0; transit && k < TRANSIT_SLOTS; k++)
        buf_printf(out, " xpush x1, a+%u\n", k);
    buf_puts(out, " xor.b32 o, i, 5\n");
    put_instruction(out, row, width, number);
    for (u32 k = 0; transit && fills && k < 4; k++)
        buf_printf(out, " xext d+%u, x1, %u\n", k, k);
}

/* ---- each row of the whole warp, as far as it is data ---- */

struct each {
    u32 op, width;
    const char *number; /* of a special register or a phase */
};

/* Gets the next row that works on registers alone, with each special register and phase; false past the last. */
static bool next(struct each *e) {
    static const char *const phases[] = {"0", "1", "2", "3"};
    static u32 way;
    const struct isa_row *row = e->op < OP_COUNT ? &isa_rows[e->op] : NULL;
    u32 ways = row && has(row, K_SREG) ? SREG_COUNT : row && has(row, K_PHASE) ? 4 : 1;
    if (++way >= ways || !row) {
        way = 0;
        e->op = row ? e->op + 1 : 0;
        while (e->op < OP_COUNT &&
               (isa_rows[e->op].kind != ROW_WARP || op_accesses(e->op) || isa_rows[e->op].iclass == CLASS_BRANCH))
            e->op++;
    }
    if (e->op == OP_COUNT)
        return false;
    e->number = has(&isa_rows[e->op], K_SREG) ? isa_sregs[way].name : phases[way % 4];
    return true;
}

static struct heddle_program *load(struct heddle *h, const struct buf *text) {
    struct heddle_program *p = heddle_load(h, "k.hd", text->data, text->len);
    cr_assert(p, "%s\n%s", heddle_error(h), text->data);
    return p;
}

/* True if the row can run at this width. */
static bool runs(const struct heddle_program *p, const struct each *e) {
    struct heddle_kernel_info k;
    u32 w = 0;
    while (widths[w] != e->width)
        w++;
    cr_assert(heddle_kernel_info(p, 0, &k));
    return k.widths[w] && (isa_rows[e->op].iclass != CLASS_MMA || isa_shapes[isa_rows[e->op].shape].lanes <= e->width);
}

static const struct heddle_arg args[] = {{.name = "x", .buffer = "x"}, {.name = "y", .buffer = "y"}};

static struct heddle *context(u32 threads) {
    struct heddle *h = heddle_new();
    const uint64_t in[] = {IN * threads}, out[] = {OUT * threads};
    cr_assert(heddle_buffer(h, "x", "u32", 1, in) && heddle_buffer(h, "y", "u32", 1, out));
    return h;
}

/* A kernel of the row: head, row, tail. */
static struct heddle_program *load_row(struct heddle *h, const struct each *e, const char *head) {
    SCOPED(buf_free) struct buf text = {0};
    buf_puts(&text, head);
    put_row(&text, &isa_rows[e->op], e->width, e->number);
    buf_puts(&text, TAIL);
    struct heddle_program *p = load(h, &text);
    return p;
}

/*
 * A kernel is equal to itself, and the proof of it holds what is derived against the machine, on random data, zeros,
 * ones and corners; what a run decides is not known.
 */
Test(certify, the_prover_knows_every_row) {
    struct each e = {.op = OP_COUNT};
    u32 rows = 0;
    while (next(&e)) {
        for (u32 w = 0; w < COUNT_OF(widths); w++) {
            e.width = widths[w];
            SCOPED(heddle_drop) struct heddle *h = context(e.width);
            SCOPED(heddle_program_drop) struct heddle_program *p = load_row(h, &e, HEAD LOAD);
            struct heddle_prove asked = {.kernel = {{.program = p}, {.program = p}}, .args = args, .nargs = 2};
            struct heddle_proof proof;
            bool run = strcmp(e.number, "%clock") == 0 || strcmp(e.number, "%smid") == 0 ||
                       strcmp(e.number, "%globaltimer") == 0;
            asked.warp = e.width;
            if (runs(p, &e)) {
                const char *name = isa_rows[e.op].name;
                cr_assert_eq(heddle_prove(h, &asked, &proof), HEDDLE_OK, "%s: %s", name, heddle_error(h));
                cr_expect_eq(proof.verdict,
                             op_reduces(e.op) ? HEDDLE_DEPENDS
                             : run            ? HEDDLE_UNPROVED
                                              : HEDDLE_EQUAL,
                             "%s: %s", name, proof.text);
                rows++;
            }
        }
    }
    cr_expect_gt(rows, 150);
}

/* ---- unwritten values ---- */

enum { FILL = 0xcd, FIRST = 3 }; /* initial bytes of shared memory; the lane whose word is not written */

/* a of every thread, but of one the word that was never written. */
#define CELLS \
    " setp.ne.s32 rest, i, 3\n ld.global.b128 a, [px]\n shl.b32 o, i, 2\n" \
    "@rest st.shared.b32 [cells+o], a\n bar.sync 0\n ld.shared.b32 a, [cells+o]\n"

static void fill_x(struct heddle *h, u32 seed, u32 word) {
    struct heddle_tensor t;
    cr_assert(heddle_buffer_get(h, "x", &t));
    u32 *x = (u32 *)t.data, state = seed;
    for (u64 i = 0; i < t.count; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] = seed % 3 == 0 ? 0 : seed % 3 == 1 ? state >> 8 : FILL * 0x01010101u;
    }
    x[FIRST * IN] = word;
}

/* Runs the kernel, for its y and, with `check`, the number of findings. */
static u32 run(struct heddle *h, struct heddle_program *p, u32 width, const char *check, u32 *y) {
    struct heddle_launch l = {.block = {width, 1, 1}, .warp = width, .args = args, .nargs = 2, .check = check};
    struct heddle_result r;
    struct heddle_tensor t;
    l.functional = true;
    cr_assert_eq(heddle_launch(h, p, &l, &r), HEDDLE_OK, "%s", heddle_error(h));
    cr_assert(heddle_buffer_get(h, "y", &t));
    if (y)
        memcpy(y, t.data, t.bytes);
    return r.nfindings;
}

/* True if another bit in the unwritten word gives another y. */
static bool matters(struct heddle *h, struct heddle_program *p, u32 width, u32 seed, u32 bit) {
    static u32 y[2][OUT * WARP_MAX];
    for (u32 k = 0; k < 2; k++) {
        fill_x(h, seed, FILL * 0x01010101u ^ k << bit);
        run(h, p, width, NULL, y[k]);
    }
    return memcmp(y[0], y[1], OUT * width * sizeof **y) != 0;
}

/* If another value of the unwritten word gives other results, the checker must report it as unwritten. */
Test(certify, the_init_checker_knows_every_row) {
    struct each e = {.op = OP_COUNT};
    u32 differing = 0;
    while (next(&e)) {
        for (u32 w = 0; w < COUNT_OF(widths) && !has(&isa_rows[e.op], K_SREG); w++) {
            e.width = widths[w];
            SCOPED(heddle_drop) struct heddle *h = context(e.width);
            SCOPED(heddle_program_drop)
            struct heddle_program *given = load_row(h, &e, HEAD LOAD), *unwritten = load_row(h, &e, HEAD CELLS);
            for (u32 i = 0; i < 3 * 32 && runs(given, &e); i++) {
                u32 seed = i / 32, bit = i % 32;
                if (!matters(h, given, e.width, seed, bit))
                    continue;
                fill_x(h, seed, 0);
                cr_expect_gt(run(h, unwritten, e.width, "init", NULL), 0, "%s at width %u, bit %u: nothing found",
                             isa_rows[e.op].name, e.width, bit);
                differing++;
                break;
            }
        }
    }
    cr_expect_gt(differing, 60);
}

/* ---- conflicts ---- */

/* Two warps: the first stores to a word, and the second accesses it by the row. */
static void put_conflict(struct buf *out, const struct isa_row *row, const char *space, u32 width) {
    const char *separator = " ";
    buf_puts(out, HEAD LOAD);
    buf_printf(out, " setp.lt.u32 first, i, %u\n", width);
    buf_printf(out, "@first st.%s.b64 [%s], b\n", space, *space == 'g' ? "at" : "cells");
    buf_printf(out, "@!first %s.%s%s", row->name, space, row->kind == ROW_ATOM ? "" : ".b64");
    for (u32 k = 0; k < OPERANDS_MAX; k++) {
        static const char *const word[] = {"d", "a", "b", "c"};
        const struct operand *o = &row->operand[k];
        if (o->kind == K_NONE)
            continue;
        buf_puts(out, separator);
        if (o->kind == K_MEM)
            buf_printf(out, "[%s]", *space == 'g' ? "at" : "cells");
        else
            buf_puts(out, word[o->place]);
        separator = ", ";
    }
    buf_puts(out, "\n exit\n");
}

Test(certify, the_race_checker_and_schedules_know_every_access) {
    static const char *const spaces[] = {"global", "shared"};
    u32 rows = 0;
    for (u32 op = 0; op < OP_COUNT; op++) {
        for (u32 s = 0; s < 2 * COUNT_OF(widths) && op_accesses(op); s++) {
            u32 width = widths[s / 2];
            SCOPED(heddle_drop) struct heddle *h = context(2 * width);
            SCOPED(buf_free) struct buf text = {0};
            struct heddle_result r;
            put_conflict(&text, &isa_rows[op], spaces[s % 2], width);
            SCOPED(heddle_program_drop) struct heddle_program *p = load(h, &text);
            struct heddle_launch l = {.block = {2 * width, 1, 1}, .warp = width, .args = args, .nargs = 2};
            l.check = "race";
            l.functional = true;
            cr_assert_eq(heddle_launch(h, p, &l, &r), HEDDLE_OK, "%s", heddle_error(h));
            cr_expect_gt(r.nfindings, 0, "no race\n%s", text.data);
            l.check = NULL;
            l.schedule = "all";
            cr_assert_eq(heddle_launch(h, p, &l, &r), HEDDLE_OK, "%s", heddle_error(h));
            cr_expect(r.orders && r.orders->executed > 1, "one order\n%s", text.data);
            rows++;
        }
    }
    cr_expect_gt(rows, 300);
}
