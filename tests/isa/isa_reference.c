/*
 * Does every instruction compute what its row defines? Each LANE and LANEI row, with every combination of its modifiers
 * and in many shapes (registers, immediates, guards, destination over a source), runs on the machine at every width and
 * on every engine, over corner values, and is compared bit by bit with a reference written from the documentation.
 */
#include "tests/isa/isa_shape.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* ---- one row ---- */

struct work {
    enum op op;
    const struct ref *ref;
    const struct shape *shape;
    const struct mod_choice *mods;
    const char *instruction;
    u32 width;
    enum engine engine;
    bool dense;   /* at one width */
    u32 reported; /* mismatches of this row so far */
};

enum { REPORTS_MAX = 4 };

/* Position of an fp32 in the order of all fp32. */
static s64 ordinal(u32 bits) {
    return bits >> 31 ? -(s64)(bits & 0x7fffffff) : (s64)bits;
}

/* Within `ulp` units of the reference; special values, and the sign of a zero, exactly. */
static bool near(u32 got, u32 want, u32 ulp, bool ftz) {
    if (got == want)
        return true;
    bool special = (got & 0x7fffffff) >= 0x7f800000 || (want & 0x7fffffff) >= 0x7f800000 || (want & 0x7fffffff) == 0;
    if (special)
        return false;
    if (ftz && (got & 0x7fffffff) == 0)
        return llabs(ordinal(want)) <= 0x800000 + (s64)ulp && got >> 31 == want >> 31;
    return llabs(ordinal(got) - ordinal(want)) <= ulp;
}

static bool agrees(const struct work *w, const struct lane_state *want, const struct lane_state *got) {
    if (state_equal(want, got))
        return true;
    if (!w->ref->ulp || w->shape->d.reg == RZ)
        return false;
    u32 at = w->shape->d.reg - 8u;
    struct lane_state rest = *want;
    rest.r[at] = got->r[at];
    return state_equal(&rest, got) && near(got->r[at], want->r[at], w->ref->ulp, w->mods->value[GROUP_FTZ]);
}

static void report(struct work *w, u32 i, const struct lane_state *in, const struct lane_state *want,
                   const struct lane_state *out) {
    char before[160], expected[160], got[160];
    if (w->reported++ >= REPORTS_MAX)
        return;
    state_print(in, before);
    state_print(want, expected);
    state_print(out, got);
    cr_expect(false, "%s: '%s', width %u, engine %s, case %u\n  before   %s\n  expected %s\n  got      %s",
              isa_rows[w->op].name, w->instruction, w->width, engine_names[w->engine], i, before, expected, got);
}

static void test_program(struct work *w, const struct cases *c, const struct program *p) {
    size_t bytes = c->n * sizeof(struct lane_state);
    struct lane_state *want = malloc(bytes), *out = malloc(bytes), *first = NULL;
    for (u32 i = 0; i < c->n; i++)
        want[i] = shape_expect(w->op, w->ref, w->shape, w->mods, &c->list[i]);
    for (u32 i = 0; w->reported < REPORTS_MAX && rig_next(&i, &w->width, &w->engine);) {
        if (w->dense && w->width != 64)
            continue;
        /* Blocks are not a multiple of the warp width, so that some warps are partly full. */
        u32 block = w->width == 64 ? 1000 : 250;
        struct states_launch l = {p, w->width, w->engine, block, c->n, c->list, out, w->instruction};
        if (!states_run(&l)) {
            w->reported = REPORTS_MAX;
            break;
        }
        for (u32 k = 0; k < c->n; k++)
            if (!agrees(w, &want[k], &out[k]))
                report(w, k, &c->list[k], &want[k], &out[k]);
        cr_expect(!first || memcmp(first, out, bytes) == 0, "%s: '%s' differs at width %u, engine %s",
                  isa_rows[w->op].name, w->instruction, w->width, engine_names[w->engine]);
        if (!first) {
            first = malloc(bytes);
            memcpy(first, out, bytes);
        }
    }
    free(want);
    free(out);
    free(first);
}

static void test_shape(struct work *w, const struct cases *c) {
    SCOPED(buf_free) struct buf instruction = {0};
    shape_print(w->op, w->shape, w->mods, &instruction);
    w->instruction = instruction.data;
    SCOPED(program_drop) struct program *p = states_assemble(instruction.data, "");
    if (p)
        test_program(w, c, p);
    else
        w->reported = REPORTS_MAX;
}

static void test_row(enum op op) {
    static struct shape shapes[SHAPES_MAX];
    struct mod_choice mods[CHOICES_MAX];
    struct work w = {.op = op, .ref = ref_find(op)};
    cr_expect(w.ref, "%s has no reference", isa_rows[op].name);
    if (!w.ref)
        return;
    SCOPED(cases_free) struct cases made = cases_make(w.ref->types, 1);
    SCOPED(cases_free)
    struct cases all = cases_sample(&made, rig_samples(made.n)), some = cases_sample(&made, rig_samples(400));
    u32 plain, n = shapes_of(op, w.ref->types, shapes, &plain), m = mod_choices(&isa_rows[op], mods);
    for (u32 k = 0; k < m; k++)
        for (u32 i = 0; i < n && w.reported < REPORTS_MAX; i++) {
            w.shape = &shapes[i];
            w.mods = &mods[k];
            test_shape(&w, i < plain ? &all : &some);
        }
}

/* Each choice of modifiers has its share of the cases. */
static void test_dense(enum op op, const struct ref *ref, const struct cases *made) {
    static struct shape shapes[SHAPES_MAX];
    struct mod_choice mods[CHOICES_MAX];
    struct work w = {.op = op, .ref = ref, .shape = &shapes[0], .dense = true};
    u32 plain, m = mod_choices(&isa_rows[op], mods);
    shapes_of(op, ref->types, shapes, &plain);
    for (u32 k = 0; k < m && made->n; k++) {
        struct cases from = {.n = made->n - k, .list = made->list + k};
        SCOPED(cases_free) struct cases share = cases_sample(&from, rig_samples(made->n / m));
        w.mods = &mods[k];
        test_shape(&w, &share);
    }
}

/* Rows are tested in groups, so that the groups run side by side. */
static void test_codes(u32 from, u32 to) {
    for (int op = 0; op < OP_COUNT; op++)
        if ((isa_rows[op].kind == ROW_LANE || isa_rows[op].kind == ROW_LANEI) && isa_rows[op].code >= from &&
            isa_rows[op].code < to)
            test_row((enum op)op);
}

Test(isa_reference, integers) {
    test_codes(0x000, 0x040);
}

Test(isa_reference, logic) {
    test_codes(0x040, 0x080);
}

Test(isa_reference, comparisons) {
    test_codes(0x080, 0x100);
}

Test(isa_reference, floats) {
    test_codes(0x100, 0x180);
}

Test(isa_reference, conversions) {
    test_codes(0x180, 0x200);
}

/* ---- close together ---- */

/* Conversions, for each of which a number next to a tie is a case of its own, and rounding to a whole number. */
static bool converts(enum op op, const struct ref *ref) {
    return ref->from || op == OP_RND_F32 || op == OP_RND_F64;
}

/* To make the cases of a row takes as long as to run them: rows that follow with the same operands have the same. */
static void test_dense_codes(u32 from, u32 to) {
    SCOPED(cases_free) struct cases made = {0};
    const char *types = "";
    for (int op = 0; op < OP_COUNT; op++) {
        const struct ref *ref = ref_find((enum op)op);
        bool one_float = ref && strchr("fF", ref->types[0]) && strlen(ref->types) == 1;
        if (!ref || isa_rows[op].code < from || isa_rows[op].code >= to || (one_float && !converts((enum op)op, ref)))
            continue;
        if (strcmp(types, ref->types) != 0) {
            cases_free(&made);
            made = cases_dense(types = ref->types, 1);
        }
        test_dense((enum op)op, ref, &made);
    }
}

Test(isa_reference, arithmetic_rounds_once) {
    test_dense_codes(0x000, 0x180);
}

Test(isa_reference, conversions_round_once) {
    test_dense_codes(0x180, 0x200);
}

/* ---- numbers as people write them ---- */

Test(isa_reference, decimal_literals_mean_values) {
    static const char *const same[][2] = {
        {"add.f32 r14, r8, 1.5", "add.f32 r14, r8, 0f3fc00000"},
        {"add.f32 r14, r8, 2", "add.f32 r14, r8, 0x40000000"},
        {"fma.f32 r14, r8, -0.1, r10", "fma.f32 r14, r8, 0fbdcccccd, r10"},
        {"min.f32 r14, inf, r8", "min.f32 r14, 0f7f800000, r8"},
        {"mov.b32 r14, 1.0", "mov.b32 r14, 0x3f800000"},
        {"mov.b32 r14, 1", "mov.b32 r14, 0x1"},
        {"mul.f64 r14, r8, -2.5", "mul.f64 r14, r8, 0dc004000000000000"},
        {"movi.b64 r14, 0.1", "movi.b64 r14, 0d3fb999999999999a"},
        {"mul.f16x2 r14, r8, 1.5", "mul.f16x2 r14, r8, 0x3e003e00"},
        {"add.f16x2 r14, r8, 65519", "add.f16x2 r14, r8, 0x7bff7bff"},
        {"fma.bf16x2 r14, r8, r10, -1", "fma.bf16x2 r14, r8, r10, 0xbf80bf80"},
        {"add.s64 r14, r8, 0xffffffffffffffff", "add.s64 r14, r8, -1"},
        {"and.b32 r14, r8, 4294967295", "and.b32 r14, r8, -1"},
    };
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        SCOPED(program_drop) struct program *a = states_assemble(same[i][0], ""), *b = states_assemble(same[i][1], "");
        bool equal = a && b && a->ninst == b->ninst;
        for (u32 k = 0; equal && k < a->ninst; k++)
            equal = a->inst[k].imm == b->inst[k].imm && a->inst[k].op == b->inst[k].op;
        cr_expect(equal, "'%s' is not '%s'", same[i][0], same[i][1]);
    }
}

Test(isa_reference, the_groups_hold_every_row) {
    for (int op = 0; op < OP_COUNT; op++)
        if (isa_rows[op].kind == ROW_LANE || isa_rows[op].kind == ROW_LANEI)
            cr_expect(isa_rows[op].code < 0x200 && ref_find((enum op)op), "%s is not tested", isa_rows[op].name);
}
