/*
 * Does the text that a solver is given mean what the machine does? Every instruction that it spells out is put to z3
 * on corner and random values: it must be the executor's result, and nothing else. Passed over where there is no z3.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/mix.h"
#include "sim/file/solver.h"
#include "sim/arch/eval.h"
#include "sim/prove/logic.h"
#include "sim/prove/smt.h"

enum { ROUNDS = 12 };

/* Values at the corners of shifts, divisions and counts. */
static u64 value(u64 *state) {
    static const u64 corners[] = {
        0, 1, 31, 32, 33, 63, 64, 0x7fffffff, 0x80000000, 0xffffffff, 0x8000000000000000, 0xffffffffffffffff};
    u64 r = splitmix_next(state);
    return r & 1 ? corners[(r >> 1) % COUNT_OF(corners)] : r & 2 ? r >> (r >> 2 & 63) : splitmix_next(state);
}

/* Returns z3's output for the script; NULL if it is not installed. */
static char *z3(const char *script) {
    struct solver s;
    double seconds = 60;
    cr_assert(solver_find("auto", &s));
    return s.name && strcmp(s.name, "z3") == 0 ? solver_ask(&s, script, &seconds) : NULL;
}

/* The answers in turn are the words in `want`, one letter each: u for unsat, s for sat. */
static void expect_answers(const char *script, const char *want, const char *const *what) {
    char *answer = z3(script);
    if (!answer) {
        cr_skip_test("z3 is missing (make test ONLY=criterion gets it)");
    }
    const char *at = answer;
    for (size_t i = 0; want[i]; i++) {
        const char *word = want[i] == 'u' ? "unsat\n" : "sat\n";
        cr_assert(strncmp(at, word, strlen(word)) == 0, "%s: not %s but %.60s", what ? what[i] : script, word, at);
        at += strlen(word);
    }
    free(answer);
}

struct rig {
    struct arena arena;
    struct terms e;
    struct eval *v;
    struct uop u;
    u64 state;
    struct buf script, want, what;
};

static struct rig rig(void) {
    struct rig r = {.state = 7};
    r.v = arena_alloc(&r.arena, sizeof *r.v);
    cr_assert(r.v && term_init(&r.e) && eval_init(r.v, &r.arena, ENGINE_AUTO, WARP_MAX));
    return r;
}

static void done(struct rig *r) {
    buf_free(&r->script);
    buf_free(&r->want);
    buf_free(&r->what);
    term_free(&r->e);
    arena_free(&r->arena);
}

static u32 halves(const struct isa_row *row, u32 k) {
    return row->operand[k].kind == K_REG2 ? 2 : row->operand[k].kind == K_REG ? 1 : 0;
}

/* An operation on input words. */
struct term_of {
    u32 atom, bits;
    const u32 *input; /* [6] */
};

/* Adds the question whether the operation can differ from `result` for these inputs, six words; false for one that is
 * uninterpreted. */
static bool ask(struct rig *r, struct term_of t, u64 result, char want, const char *what) {
    const u32 bits = t.bits;
    struct smt s;
    struct smt_question q = {.most = 1 << 20};
    u32 a[64], b[64];
    for (u32 i = 0; i < bits; i++) {
        a[i] = bit_of(t.atom, i);
        b[i] = result >> i & 1 ? BIT_1 : BIT_0;
    }
    cr_assert(smt_init(&s, &r->e, &r->arena) && smt_differ(&s, a, b, bits, &q));
    if (q.exact) {
        buf_puts(&r->script, "(push 1)\n");
        buf_append(&r->script, q.text.data, q.text.len);
        for (u32 k = 0; k < q.input.len / sizeof(u32); k++) {
            u32 of = ((const u32 *)(const void *)q.input.data)[k];
            buf_printf(&r->script, "(assert (= v%u #x%08x))\n", k, t.input[term_operands(&r->e, of)[1]]);
        }
        buf_puts(&r->script, "(check-sat)\n(pop 1)\n");
        buf_putc(&r->want, want);
        buf_append(&r->what, &what, sizeof what);
    }
    bool exact = q.exact;
    smt_question_free(&q);
    smt_free(&s);
    return exact;
}

/* The row's operation on input words, two for each operand: a pair, or the first of them. */
static bool ask_row(struct rig *r, u32 op) {
    const struct isa_row *row = &isa_rows[op];
    u64 in[] = {value(&r->state), value(&r->state), value(&r->state)};
    u32 list[8], n = 0, input[6];
    for (u32 k = 0; k < 3; k++) {
        input[2 * k] = (u32)in[k];
        input[2 * k + 1] = (u32)(in[k] >> 32);
        for (u32 h = 0; h < halves(row, k + 1); h++)
            list[n++] = term_input(&r->e, 0, 2 * k + h);
    }
    u32 atom = term_atom(&r->e, op, 0, n, list), bits = 32 * halves(row, 0);
    r->v->a[0] = in[0];
    r->v->b[0] = in[1];
    r->v->c[0] = in[2];
    cr_assert(eval_run(r->v, (u16)op, &r->u, 1));
    u64 result = bits ? r->v->d[0] : r->v->pd & 1;
    bits = bits ? bits : 1;
    result = bits == 64 ? result : result & (((u64)1 << bits) - 1);
    return ask(r, (struct term_of){atom, bits, input}, result, 'u', row->name) &&
           ask(r, (struct term_of){atom, bits, input}, result ^ (u64)1 << splitmix_next(&r->state) % bits, 's',
               row->name);
}

/* Words and pairs only: other operands are bits, which are functions, and numbers, which move bits. */
static bool takes_words(const struct isa_row *row) {
    bool ok = row->kind == ROW_LANE && (row->operand[0].kind == K_PRED || halves(row, 0));
    for (u32 k = 1; k < OPERANDS_MAX; k++)
        ok &= row->operand[k].kind == K_NONE || (k < 4 && halves(row, k));
    return ok;
}

Test(prove_smt, instructions_are_spelled_as_the_machine_has_them) {
    struct rig r = rig();
    u32 spelled = 0;
    for (u32 op = 0; op < OP_COUNT; op++) {
        bool exact = takes_words(&isa_rows[op]);
        for (u32 n = 0; n < ROUNDS && exact; n++)
            exact = ask_row(&r, op);
        spelled += exact;
    }
    cr_expect_gt(spelled, 70);
    buf_putc(&r.want, 0);
    cr_assert(!r.script.failed && !r.want.failed && !r.what.failed);
    expect_answers(r.script.data, r.want.data, (const char *const *)(const void *)r.what.data);
    done(&r);
}

/* Truth tables, sums, products, compare-and-swap: against what source_values would give. */
Test(prove_smt, functions_of_bits_and_lists_are_spelled_out) {
    struct rig r = rig();
    const u32 input[6] = {0x12345678, 0x9abcdef0, 0x0f0f0f0f, 0x80000001, 0x12345678, 5};
    u32 word[5], bit[3][32];
    for (u32 k = 0; k < 5; k++)
        word[k] = term_input(&r.e, 0, k);
    for (u32 k = 0; k < 3; k++)
        term_bits(&r.e, word[k], bit[k]);
    for (u32 table = 1; table < 256; table += 2)
        for (u32 i = 0; i < 32; i += 9) {
            const u32 abc[] = {bit[0][i], bit[1][i] ^ BIT_NOT, bit[2][i]};
            u32 f = logic_function(&r.e, (u8)table, abc);
            u32 at = (input[0] >> i & 1) * 4 + (~input[1] >> i & 1) * 2 + (input[2] >> i & 1);
            if (!bit_known(f) && term_at(&r.e, bit_atom(f))->code == ATOM_TABLE)
                ask(&r, (struct term_of){bit_atom(f), 1, input}, (table >> at & 1) ^ f >> 31, 'u', "a truth table");
        }
    u32 cas = term_atom(&r.e, OP_ATOM_CAS_B32, 0, 3, word);
    ask(&r, (struct term_of){cas, 32, input}, input[0], 'u', "atom.cas.b32");
    ask(&r, (struct term_of){cas, 32, input}, input[0] ^ 2, 's', "atom.cas.b32");
    const u32 swap[] = {word[0], word[4], word[3]}; /* words 0 and 4 are alike: swapped */
    ask(&r, (struct term_of){term_atom(&r.e, OP_ATOM_CAS_B32, 0, 3, swap), 32, input}, input[3], 'u', "atom.cas.b32");
    /* More bits than a table has: the lowest `ones` of eight are 1, then all. */
    for (u32 ones = 6; ones < 9; ones++) {
        const u32 in[6] = {(1u << ones) - 1}, sum = ones & 1, all = ones == 8;
        u32 xor = term_atom(&r.e, ATOM_XOR, 0, 8, bit[0]), and = term_atom(&r.e, ATOM_AND, 0, 8, bit[0]);
        ask(&r, (struct term_of){xor, 1, in}, sum, 'u', "a sum");
        ask(&r, (struct term_of){xor, 1, in}, !sum, 's', "a sum");
        ask(&r, (struct term_of){and, 1, in}, all, 'u', "a product");
        ask(&r, (struct term_of){and, 1, in}, !all, 's', "a product");
    }
    buf_putc(&r.want, 0);
    expect_answers(r.script.data, r.want.data, (const char *const *)(const void *)r.what.data);
    done(&r);
}

/* Operands of which some bits are known, others those of inputs, in and out of order, or complements. */
Test(prove_smt, words_are_put_together_of_their_bits) {
    struct rig r = rig();
    const u32 input[6] = {0x12345678, 0x9abcdef0};
    u32 word[] = {term_input(&r.e, 0, 0), term_input(&r.e, 0, 1)}, x[32], y[32], bit[32];
    term_bits(&r.e, word[0], x);
    term_bits(&r.e, word[1], y);
    for (u32 kind = 0; kind < 6; kind++) {
        u32 known = 0;
        for (u32 i = 0; i < 32; i++) {
            const u32 of[] = {i < 4 ? x[i] : BIT_0,           i < 28 ? i % 2 ? BIT_1 : BIT_0 : y[i],
                              i < 16 ? x[i + 16] : y[i - 16], x[31 - i],
                              y[i] ^ (i < 8 ? BIT_NOT : 0),   i == 9 ? x[0] : BIT_1};
            const u32 at[] = {i < 4 ? input[0] >> i : 0,
                              i < 28 ? i : input[1] >> i,
                              i < 16 ? input[0] >> (i + 16) : input[1] >> (i - 16),
                              input[0] >> (31 - i),
                              input[1] >> i ^ (i < 8),
                              i == 9 ? input[0] : 1};
            bit[i] = of[kind];
            known |= (at[kind] & 1) << i;
        }
        const u32 list[] = {word[0], term_word(&r.e, bit)};
        const struct term_of sum = {term_atom(&r.e, OP_ADD_S32, 0, 2, list), 32, input};
        ask(&r, sum, input[0] + known, 'u', "a sum with a word of bits");
        ask(&r, sum, input[0] + (known ^ 1u << 9), 's', "a sum with a word of bits");
    }
    buf_putc(&r.want, 0);
    expect_answers(r.script.data, r.want.data, (const char *const *)(const void *)r.what.data);
    done(&r);
}

/* A value that is read and was never written may be any. */
Test(prove_smt, what_is_not_known_is_declared) {
    struct rig r = rig();
    struct smt s;
    struct smt_question q = {.most = 1 << 20};
    u32 bit[32], other[32];
    term_bits(&r.e, term_fresh(&r.e, &(struct fresh){.kind = FRESH_REGISTER, .number = 3}), bit);
    term_bits(&r.e, term_input(&r.e, 0, 0), other);
    cr_assert(smt_init(&s, &r.e, &r.arena) && smt_differ(&s, bit, other, 32, &q));
    buf_append(&r.script, q.text.data, q.text.len);
    buf_puts(&r.script, "(check-sat)\n");
    expect_answers(r.script.data, "s", NULL);
    smt_question_free(&q);
    smt_free(&s);
    done(&r);
}

/* Floating point is a function: equal on equal operands, and open otherwise. */
Test(prove_smt, what_is_not_spelled_out_is_a_function) {
    struct rig r = rig();
    struct smt s;
    struct smt_question q = {.most = 1 << 20};
    u32 one[] = {term_input(&r.e, 0, 0), term_input(&r.e, 0, 1)}, other[] = {one[1], one[0]}, a[32], b[32], c[32];
    u32 sum = term_atom(&r.e, OP_ADD_F32, 0, 2, one), mirror = term_atom(&r.e, OP_ADD_F32, 0, 2, other);
    for (u32 i = 0; i < 32; i++) {
        a[i] = bit_of(sum, i);
        b[i] = bit_of(mirror, i);
        c[i] = a[i] ^ BIT_NOT;
    }
    cr_assert(smt_init(&s, &r.e, &r.arena));
    const u32 *const right[] = {a, b, c};
    for (u32 k = 0; k < 3; k++) {
        cr_assert(smt_differ(&s, a, right[k], 32, &q));
        cr_expect(!q.exact);
        buf_puts(&r.script, "(push 1)\n");
        buf_append(&r.script, q.text.data, q.text.len);
        buf_puts(&r.script, "(check-sat)\n(pop 1)\n");
    }
    expect_answers(r.script.data, "uss", NULL);
    q.most = 10;
    cr_expect(!smt_differ(&s, a, b, 32, &q), "a text longer than asked for");
    smt_question_free(&q);
    smt_free(&s);
    done(&r);
}

/* A match is a function of its words; the lanes and the own one are numbers in its name. */
Test(prove_smt, numbers_are_part_of_a_functions_name) {
    struct rig r = rig();
    struct smt s;
    struct smt_question q = {.most = 1 << 20};
    SCOPED(buf_free) struct buf names = {0};
    u32 in[] = {term_input(&r.e, 0, 0), term_input(&r.e, 0, 1)}, bit[3][32];
    const u32 list[][5] = {{in[0], in[1], 3, 0, 0}, {in[0], in[1], 3, 0, 1}, {in[1], in[0], 3, 0, 0}};
    for (u32 k = 0; k < 3; k++) {
        u32 atom = term_atom(&r.e, OP_MATCH_ANY_B32, 0, 5, list[k]);
        for (u32 i = 0; i < 32; i++)
            bit[k][i] = bit_of(atom, i);
    }
    cr_assert(smt_init(&s, &r.e, &r.arena));
    for (u32 k = 0; k < 3; k++) {
        cr_assert(smt_differ(&s, bit[0], bit[k], 32, &q));
        buf_puts(&r.script, "(push 1)\n");
        buf_append(&r.script, q.text.data, q.text.len);
        buf_puts(&r.script, "(check-sat)\n(pop 1)\n");
    }
    smt_names(&q, &names);
    buf_putc(&names, 0);
    cr_expect_str_eq(names.data, "(v0 v1)");
    expect_answers(r.script.data, "uss", NULL);
    smt_question_free(&q);
    smt_free(&s);
    done(&r);
}

Test(prove_smt, values_are_read_from_an_answer) {
    u32 v = 0;
    cr_expect(!smt_value("sat\n((v0 true))\n", 0, &v) && !smt_value("sat\n((v0 #d7))\n", 0, &v));
    cr_expect(smt_value("sat\n((v0 #x0000002a)\n (v1 #b101))\n", 0, &v));
    cr_expect_eq(v, 42);
    cr_expect(smt_value("sat\n((v0 #x0000002a)\n (v1 #b101))\n", 1, &v));
    cr_expect_eq(v, 5);
    cr_expect(!smt_value("sat\n((v10 #x0000002a))\n", 1, &v));
    cr_expect(!smt_value("unknown\n", 0, &v));
}
