/* Does --check=value find numbers where they are born, indices that overflow, shift counts that are too large? */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "isa/isa.h"
#include "isa/shapes.h"
#include "sim/base/buf.h"
#include "tests/lib/scoped.h"

/* 32 threads; `t` is the lane, `f` its number as fp32. What stands for %s begins in line 9. */
static const char frame[] =
    ".kernel k\n.param y : u32[32]\n.reg t, f, g, i, v, d:2, e:2, py:2, a:4, b:2, c:4\n.pred p\n"
    ".shared sm : u32[64]\n  s2r t, %%tid.x\n  cvt.f32.u32 f, t\n  ld.param.b64 py, [y]\n%s"
    "  exit\n";

static struct heddle *h;

static void begin(void) {
    h = heddle_new();
}

static void end(void) {
    heddle_free(h);
}

TestSuite(check_value, .init = begin, .fini = end);

static struct heddle_result ended(const char *body, bool timed, const char *kinds, enum heddle_status status) {
    static const char *const sms = "sms=1";
    char text[2000];
    uint64_t shape = 32;
    heddle_free(h);
    h = heddle_new();
    snprintf(text, sizeof text, frame, body);
    SCOPED(heddle_program_drop) struct heddle_program *p = heddle_load(h, "k.hd", text, strlen(text));
    struct heddle_result r = {0};
    cr_assert_not_null(p, "%s", heddle_error(h));
    cr_assert(heddle_buffer(h, "y", "u32", 1, &shape));
    cr_assert(heddle_board_load(h, NULL, &sms, 1));
    struct heddle_arg args = {.name = "y", .buffer = "y"};
    struct heddle_launch l = {.block = {32, 1, 1}, .warp = 32, .args = &args, .nargs = 1, .check = kinds};
    l.functional = !timed;
    cr_expect_eq(heddle_launch(h, p, &l, &r), status, "%s", heddle_error(h));
    return r;
}

static struct heddle_result checked(const char *body, bool timed) {
    return ended(body, timed, "race,value", HEDDLE_OK);
}

struct mistake {
    const char *body;
    const char *name; /* class; NULL: nothing is found */
    uint32_t line, lane, count;
    const char *text; /* a part of it */
};

static void check_all(const struct mistake *list, size_t n) {
    for (size_t i = 0; i < 2 * n; i++) {
        const struct mistake *m = &list[i / 2];
        struct heddle_result r = checked(m->body, i % 2);
        cr_expect_eq(r.nfindings, m->name ? 1 : 0, "%u findings in:\n%s", r.nfindings, m->body);
        if (!m->name || r.nfindings == 0)
            continue;
        const struct heddle_finding *f = r.findings;
        cr_expect_str_eq(f->kind, "value");
        cr_expect_str_eq(f->class_, m->name, "%s in:\n%s", f->class_, m->body);
        cr_expect_eq(f->places[0].line, m->line, "line %u in:\n%s", f->places[0].line, m->body);
        cr_expect_eq(f->places[0].lane, m->lane, "lane %u in:\n%s", f->places[0].lane, m->body);
        cr_expect_eq(f->count, m->count, "%u times in:\n%s", (unsigned)f->count, m->body);
        cr_expect(strstr(f->text, m->text), "'%s' in:\n%s", f->text, m->body);
    }
}

#define ALL(list) check_all(list, sizeof(list) / sizeof *(list))

Test(check_value, numbers_are_found_where_they_are_born) {
    static const struct mistake list[] = {
        {"  sub.f32 g, f, 5.0\n  div.f32 g, f, g\n", "infinity", 10, 5, 1, "inf from 5, 0"},
        {"  sub.f32 g, f, 5.0\n  rcp.f32 g, g\n  add.f32 g, g, 1.0\n", "infinity", 10, 5, 1, "inf from 0"},
        /* a number that comes through the third operand is not born */
        {"  mov.f32 g, inf\n  fma.f32 g, f, f, g\n", NULL, 0, 0, 0, NULL},
        {"  mov.f32 g, nan\n  fma.f32 g, f, f, g\n", NULL, 0, 0, 0, NULL},
        {"  mov.f32 g, 3e38\n  fma.f32 g, g, f, g\n", "infinity", 10, 1, 31, "inf from 3"},
        {"  mov.f32 g, inf\n  sub.f32 g, g, g\n  add.f32 g, g, 1.0\n", "nan", 10, 0, 32, "nan from inf, inf"},
        {"  sub.f32 g, f, 7.5\n  sqrt.f32 g, g\n", "nan", 10, 0, 8, "nan from -7.5"},
        {"  mul.f32 g, f, 1e-30\n  mul.f32 g, g, 1e-10\n", "denormal", 10, 1, 32 - 1, "e-41 from"},
        {"  mul.f32 g, f, 1e-30\n  mul.f32.ftz g, g, 1e-10\n", NULL, 0, 0, 0, NULL},
        {"  mov.f32 g, nan\n  add.f32 g, g, f\n  neg.f32 g, g\n", NULL, 0, 0, 0, NULL},
        {"  mov.f32 g, inf\n  mov.b32 v, g\n  min.f32 g, g, f\n", NULL, 0, 0, 0, NULL},
        {"  setp.gt.u32 p, t, 3\n  mov.f32 g, 0\n@p  mov.f32 g, 1\n@p rcp.f32 g, g\n", NULL, 0, 0, 0, NULL},
        {"  movi.b64 d, 0x7e00000000000000\n  mul.f64 d, d, d\n", "infinity", 10, 0, 32, "inf from 8.37"},
        {"  mov.f64 d, 0\n  rcp.f64 d, d\n  cvt.f32.f64 g, d\n", "infinity", 10, 0, 32, "inf from 0"},
        {"  mul.f32 g, f, 2200.0\n  cvt.f16.f32 v, g\n", "infinity", 10, 30, 2, "inf from 66000"},
        {"  mul.f32 g, f, 2200.0\n  cvt.bf16.f32 v, g\n", NULL, 0, 0, 0, NULL},
        {"  mul.f32 g, f, 2200.0\n  cvt.f16x2.f32 v, f, g\n", "infinity", 10, 30, 2, "inf from 66000"},
        {"  mov.b32 v, 0x7bff3c00\n  add.f16x2 g, v, v\n", "infinity", 10, 0, 32, "inf from 65504, 65504"},
        {"  mov.b32 v, 0x7c003c00\n  add.f16x2 g, v, v\n", NULL, 0, 0, 0, NULL},
        {"  mov.b32 v, 0x00803c00\n  mov.b32 i, 0x3f003c00\n  mul.bf16x2 g, v, i\n", "denormal", 11, 0, 32, "5.8"},
        {"  mov.b32 i, -1\n  set.eq.f16x2 g, i, i\n  cvt.s32.f32 g, f\n", NULL, 0, 0, 0, NULL},
    };
    ALL(list);
}

Test(check_value, matrix_products) {
    static const struct mistake list[] = {
        /* every element of A and B is 60000: eight products overflow no fp32, but C is nearly its largest */
        {"  mov.b32 a, 0x7b537b53\n  mov.b32 a+1, a\n  mov.b32 a+2, a\n  mov.b32 a+3, a\n  mov.b32 b, a\n  mov.b32 "
         "b+1, a\n"
         "  mov.b32 c, 0\n  mov.b32 c+1, 0\n  mov.b32 c+2, 0\n  mov.b32 c+3, 0\n  setp.eq.u32 p, t, 9\n"
         "@p  mov.b32 c+2, 0x7f7fffff\n  mma.m8n4k8.f32.f16 c, a, b, c\n",
         NULL, 0, 0, 0, NULL},
        {"  mov.b32 a, 0x7f007f00\n  mov.b32 a+1, a\n  mov.b32 a+2, a\n  mov.b32 a+3, a\n  mov.b32 b, a\n  mov.b32 "
         "b+1, a\n"
         "  mov.b32 c, 0\n  mov.b32 c+1, 0\n  mov.b32 c+2, 0\n  mov.b32 c+3, 0\n"
         "  mma.m8n4k8.f32.bf16 c, a, b, c\n",
         "infinity", 19, 0, 128, "row 0, column 0 of D"},
        {"  mov.b32 a, 0x3f803f80\n  mov.b32 a+1, a\n  mov.b32 a+2, a\n  mov.b32 a+3, a\n  mov.b32 b, a\n  mov.b32 "
         "b+1, a\n"
         "  mov.b32 c, 0\n  mov.b32 c+1, 0\n  mov.b32 c+2, 0\n  mov.b32 c+3, 0\n  setp.eq.u32 p, t, 9\n"
         "@p  mov.b32 a+1, 0x7f803f80\n  mma.m8n4k8.f32.bf16 c, a, b, c\n",
         NULL, 0, 0, 0, NULL},
    };
    ALL(list);
}

/*
 * All of A and B is 1, C is 0, but for a NaN among A or B, and -inf in row 1 of A where C holds inf: the NaN that is
 * born there is found, unless the other one is in its row or column; those that only come through are not.
 */
static void matrix_of(const char *name, const struct isa_shape *s, bool in_b, u32 lane, u32 element) {
    SCOPED(buf_free) struct buf text = {0};
    const struct cell nan = in_b ? s->b.cell(lane, element) : s->a.cell(lane, element);
    const bool wide = s->a.bits == 32;
    const u32 one = wide ? 0x3f800000 : 0x3c003c00, at_element = element * s->a.bits % 32;
    for (u32 i = 0; i < 6; i++)
        buf_printf(&text, " mov.b32 %c+%u, %#x\n", i < 4 ? 'a' : 'b', i % 4, one);
    buf_puts(&text, " mov.b64 c, 0\n mov.b64 c+2, 0\n");
    for (u32 l = 0; l < s->lanes; l++) {
        for (u32 e = 0; e < s->a.elements; e++)
            if (s->a.cell(l, e).row == 1 && s->a.cell(l, e).column == 1)
                buf_printf(&text, " setp.eq.u32 p, t, %u\n@p mov.b32 a+%u, %#x\n", l, matrix_register(&s->a, e),
                           one ^ (wide ? 0xc0000000u : 0xc000u << e % 2 * 16));
        for (u32 e = 0; e < s->c.elements; e++)
            if (s->c.cell(l, e).row == 1 && s->c.cell(l, e).column == 2)
                buf_printf(&text, " setp.eq.u32 p, t, %u\n@p mov.b32 c+%u, 0x7f800000\n", l, e);
    }
    buf_printf(&text, " setp.eq.u32 p, t, %u\n@p or.b32 %c+%u, %c+%u, %#x\n %s c, a, b, c\n", lane, in_b ? 'b' : 'a',
               matrix_register(&s->a, element), in_b ? 'b' : 'a', matrix_register(&s->a, element),
               (wide ? 0x7fc00000u : 0x7e00u) << at_element, name);
    struct heddle_result r = checked(text.data, false);
    bool hidden = in_b ? nan.column == 2 : nan.row == 1;
    cr_expect_eq(r.nfindings, !hidden, "%s: NaN in element %u of lane %u\n%s", name, element, lane, text.data);
    cr_expect(hidden || r.findings[0].count == 1, "%s: NaN in element %u of lane %u", name, element, lane);
}

Test(check_value, a_number_of_a_matrix_is_born_in_its_row_and_column) {
    static const u16 ops[] = {OP_MMA_F16, OP_MMA_M16N8K16_F16, OP_MMA_M16N8K8_F16, OP_MMA_M16N8K4_TF32,
                              OP_MMA_M16N8K8_TF32};
    for (u32 i = 0; i < COUNT_OF(ops); i++) {
        const struct isa_shape *s = &isa_shapes[isa_rows[ops[i]].shape];
        for (u32 lane = 0; lane < s->lanes; lane += s->lanes == 32 ? 3 : 1)
            for (u32 e = 0; e < s->a.elements + s->b.elements; e++)
                matrix_of(isa_rows[ops[i]].name, s, e >= s->a.elements, lane, e % s->a.elements);
    }
}

Test(check_value, atomics) {
    static const struct mistake list[] = {
        {"  mov.f32 g, 2e38\n  and.b32 v, t, 30\n  mad.wide.u32 py, v, 4, py\n  red.global.add.f32 [py], g\n",
         "infinity", 12, 1, 16, "inf from 1.99999994e+38 in memory"},
        {"  shl.b32 v, t, 2\n  mov.b32 g, 0\n  st.shared.b32 [v], g\n  bar.warp\n  mov.f32 g, 2e38\n"
         "  atom.shared.add.f32 g, [4], g\n",
         "infinity", 14, 1, 1, "inf from 1.99999994e+38 in memory"},
        {"  mov.f32 g, 1e38\n  mad.wide.u32 py, t, 4, py\n  red.global.add.f32 [py], g\n", NULL, 0, 0, 0, NULL},
    };
    ALL(list);
}

/* An atomic that faults makes no number, in any lane. */
Test(check_value, atomics_that_fault) {
    static const char *const list[] = {"  red.global.add.f32 [py+2], f\n", "  red.global.add.f32 [py+4096], f\n",
                                       "  mov.b32 i, 4096\n  red.shared.add.f32 [i], f\n",
                                       "  red.shared.add.f32 [1], f\n",
                                       "  movi.b64 d, 0x7000000000\n  red.global.add.f32 [d], f\n"};
    for (u32 i = 0; i < 2 * COUNT_OF(list); i++) {
        struct heddle_result r = ended(list[i / 2], i % 2, "race,init,value", HEDDLE_FAULT);
        for (u32 k = 0; k < r.nfindings; k++)
            cr_expect_str_neq(r.findings[k].kind, "value", "%s", list[i / 2]);
    }
}

Test(check_value, shift_counts) {
    static const struct mistake list[] = {
        {"  add.u32 v, t, 5\n  shl.b32 g, t, v\n", "shift", 10, 27, 5, "the count is 32, the width 32"},
        {"  shr.s32 g, t, 40\n", "shift", 9, 0, 32, "copies of the sign"},
        {"  add.u32 v, t, 40\n  mov.b64 d, 1\n  shl.b64 d, d, v\n", "shift", 11, 24, 8,
         "the count is 64, the width 64"},
        {"  add.u32 v, t, 5\n  shf.l.wrap.b32 g, t, t, v\n", "shift", 10, 27, 5, "modulo 32"},
        {"  add.u32 v, t, 5\n  shf.r.clamp.b32 g, t, t, v\n", "shift", 10, 28, 4, "clamped to 32"},
        {"  add.u32 v, t, 5\n  and.b32 v, v, 31\n  shl.b32 g, t, v\n  shf.l.wrap.b32 g, t, t, v\n", NULL, 0, 0, 0,
         NULL},
        {"  add.u32 v, t, 5\n  setp.lt.u32 p, v, 32\n@p  shr.u32 g, t, v\n", NULL, 0, 0, 0, NULL},
    };
    ALL(list);
}

Test(check_value, indices_of_little_that_is_left) {
    static const struct mistake list[] = {
        /* a larger number taken from a smaller one, and a count that leaves nothing of it */
        {"  mov.b32 i, 0x7fffffff\n  mov.b32 v, 0x80000000\n  sub.u32 i, i, v\n  sub.u32 i, i, i\n"
         "  ld.shared.b32 g, [i]\n",
         "index-overflow", 11, 0, 32, "of 2147483647 and 2147483648"},
        {"  shl.b32 v, t, 32\n  ld.shared.b32 g, [v]\n", "shift", 9, 0, 32, "nothing is left"},
    };
    ALL(list);
}

Test(check_value, indices) {
    static const struct mistake list[] = {
        /* the largest products that fit, in all lanes or where the next lane's does not */
        {"  mov.b32 i, 0x55555555\n  mul.lo.u32 v, i, 3\n  sub.u32 v, v, v\n  mad.wide.u32 py, v, 4, py\n"
         "  ld.global.b32 g, [py]\n",
         NULL, 0, 0, 0, NULL},
        {"  mov.b32 i, 1\n  mov.b32 v, 0xffff\n  mad.lo.u32 v, v, 0x10001, i\n  sub.u32 v, v, v\n"
         "  mad.wide.u32 py, v, 4, py\n  ld.global.b32 g, [py]\n",
         "index-overflow", 11, 0, 32, "65535 times 65537 plus 1"},
        /* 32-bit product of a large row by a length, then an element of y */
        {"  mul.lo.u32 v, t, 0x10000000\n  sub.u32 v, v, v\n  mad.wide.u32 py, v, 4, py\n  ld.global.b32 g, [py]\n",
         "index-overflow", 9, 16, 16, "of 16 and 268435456"},
        {"  mov.b32 i, 1\n  mad.lo.u32 v, t, 0x10000000, i\n  sel.b32 v, 0, v, !pt\n  mov.b32 i, 0\n  mov.b32 i, v\n"
         "  sub.u32 i, i, v\n  add.u32 i, i, t\n  cvt.u64.u32 d, i\n  shl.b64 d, d, 2\n  add.s64 py, py, d\n"
         "  ld.global.b32 g, [py]\n",
         "index-overflow", 10, 16, 16, "16 times 268435456 plus 1"},
        {"  add.u32 v, t, 0x7fffffe0\n  add.u32 v, v, v\n  sub.u32 v, v, v\n  ld.shared.b32 g, [v]\n", NULL, 0, 0, 0,
         NULL},
        {"  add.u32 v, t, 0xfffffff0\n  shl.b32 i, t, 28\n  sub.u32 i, i, i\n  ld.shared.b32 g, [i]\n",
         "index-overflow", 10, 16, 16, "of 16 and 28"},
        /* negative offsets, an unsigned number less a constant */
        {"  add.s32 v, t, -40\n  add.s32 v, v, 40\n  shl.b32 v, v, 2\n  ld.shared.b32 g, [v]\n", NULL, 0, 0, 0, NULL},
        {"  or.b32 v, t, 0x80000000\n  add.u32 v, v, -1\n  sub.u32 v, v, v\n  ld.shared.b32 g, [v]\n", NULL, 0, 0, 0,
         NULL},
        {"  or.b32 v, t, 0x80000000\n  add.u32 v, v, 0x80000000\n  sub.u32 v, v, v\n  ld.shared.b32 g, [v]\n", NULL, 0,
         0, 0, NULL},
        /* a hash: what is masked is no index any more */
        {"  mul.lo.u32 v, t, 0x9e3779b1\n  and.b32 v, v, 60\n  ld.shared.b32 g, [v]\n", NULL, 0, 0, 0, NULL},
        /* the same register holds a hash first and an index later */
        {"  mul.lo.u32 v, t, 0x9e3779b1\n  xor.b32 g, v, t\n  shl.b32 v, t, 2\n  ld.shared.b32 g, [v]\n", NULL, 0, 0, 0,
         NULL},
        /* one that is stored, not an address */
        {"  mul.lo.u32 v, t, 0x9e3779b1\n  shl.b32 i, t, 2\n  st.shared.b32 [i], v\n", NULL, 0, 0, 0, NULL},
        /* around a loop */
        {"  mov.b32 v, 1\n  mov.b32 i, 0\nagain:\n  add.u32 i, i, 1\n  mul.lo.u32 v, v, 1000\n  setp.lt.u32 p, i, "
         "6\n"
         "@p bra again\n  sub.u32 v, v, v\n  ld.shared.b32 g, [v]\n",
         "index-overflow", 13, 0, 96, "of 1000000000 and 1000 "},
    };
    ALL(list);
}
