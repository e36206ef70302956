/* Has each function of bits one form, which is right: truth tables, sums, products and words? */
#include <criterion/criterion.h>

#include <string.h>

#include "isa/laws.h"
#include "sim/arch/eval.h"
#include "sim/prove/logic.h"
#include "isa/laws.def"
#include "isa/laws.def"
#include "isa/laws.def"
#include "isa/laws.def"
#include "isa/laws.def"
#include "isa/laws.def"
#include "isa/laws.def"

/* ---- terms ---- */

/* The value of a bit when inputs 1, 2, 3, ... have the bits of `m`. */
static u32 worth(const struct terms *e, u32 bit, u32 m) {
    u32 atom = bit_atom(bit), not = bit >> 31, at = 0;
    if (bit_known(bit))
        return not ;
    const struct atom *a = term_at(e, atom);
    const u32 *list = term_operands(e, atom);
    if (a->code == ATOM_INPUT)
        return (list[1] < 32 ? m >> list[1] & 1 : 0) ^ not ;
    u32 from = a->code == ATOM_TABLE ? 2 : 0, ones = 0;
    for (u32 k = from; k < a->count; k++) {
        at |= worth(e, list[k], m) << (k - from) % 32;
        ones += worth(e, list[k], m);
    }
    if (a->code == ATOM_TABLE)
        return (logic_table(e, atom) >> at & 1) ^ not ;
    return (a->code == ATOM_XOR ? ones & 1 : ones == a->count) ^ not ;
}

Test(prove_bits, a_function_of_bits_is_its_table) {
    struct terms e;
    u32 kind[8] = {BIT_0, BIT_1};
    cr_assert(term_init(&e));
    for (u32 i = 0; i < 3; i++) {
        u32 bit[32];
        term_bits(&e, term_input(&e, 0, i), bit);
        kind[2 + 2 * i] = bit[0];
        kind[3 + 2 * i] = bit[0] ^ BIT_NOT;
    }
    for (u32 table = 0; table < 256; table++)
        for (u32 n = 0; n < 512; n++) {
            const u32 abc[] = {kind[n & 7], kind[n >> 3 & 7], kind[n >> 6]};
            u32 f = logic_function(&e, (u8)table, abc);
            for (u32 m = 0; m < 8; m++) {
                u32 at = worth(&e, abc[0], m) * 4 + worth(&e, abc[1], m) * 2 + worth(&e, abc[2], m);
                cr_assert_eq(worth(&e, f, m), table >> at & 1, "table %u of bits %u", table, n);
            }
        }
    /* Of 256 functions of three bits 2 are constant and 6 are a bit or its complement; half of the rest is kept. */
    cr_assert_eq(term_atoms(&e), 1 + 3 + (256 - 2 - 6) / 2);
    term_free(&e);
}

static u32 random_bit(u64 *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (u32)(*state >> 33);
}

struct inputs {
    struct terms e;
    u32 in[6];
    u64 state;
};

/* A random expression of bits in[0..n): the bit, and its truth table over all of them. */
static u32 expression(struct inputs *x, u32 n, u32 depth, u64 *table) {
    u32 abc[3], code = (u8)(random_bit(&x->state) & 0xff);
    u64 of[3];
    if (depth == 0) {
        u32 k = random_bit(&x->state) % n;
        *table = logic_column(k, 6);
        return x->in[k];
    }
    for (u32 i = 0; i < 3; i++)
        abc[i] = expression(x, n, depth - 1, &of[i]);
    *table = 0;
    for (u32 m = 0; m < 64; m++)
        *table |= (u64)(code >> ((of[0] >> m & 1) * 4 + (of[1] >> m & 1) * 2 + (of[2] >> m & 1)) & 1) << m;
    return logic_function(&x->e, (u8)code, abc);
}

static void input_bits(struct terms *e, u32 *in, u32 n) {
    for (u32 i = 0; i < n; i++) {
        u32 bit[32];
        term_bits(e, term_input(e, 0, i), bit);
        in[i] = bit[0];
    }
}

/* However it is put together: of two expressions with one table there is one bit, and of others there are two. */
Test(prove_bits, functions_of_up_to_six_bits_have_one_form) {
    enum { MANY = 600 };
    struct inputs x = {.state = 1};
    static u64 table[MANY];
    static u32 bit[MANY];
    u32 again = 0;
    cr_assert(term_init(&x.e));
    input_bits(&x.e, x.in, 6);
    for (u32 i = 0; i < MANY; i++) {
        bit[i] = expression(&x, i < MANY / 2 ? 3 : 6, 1 + i % 4, &table[i]);
        for (u32 m = 0; m < 64; m++)
            cr_assert_eq(worth(&x.e, bit[i], m), table[i] >> m & 1, "expression %u at %u", i, m);
        for (u32 k = 0; k < i; k++) {
            cr_assert_eq(bit[i] == bit[k], table[i] == table[k], "expressions %u and %u", i, k);
            again += bit[i] == bit[k];
        }
    }
    cr_expect_gt(again, MANY);
    term_free(&x.e);
}

enum { BITS_MOST = 64 };

static const u8 codes[] = {0x3c, 0xc0, 0xfc}; /* a ^ b, a & b, a | b */

/* Input i, in every third place complemented. */
static u32 literal(const u32 *in, u32 i) {
    return in[i] ^ (i % 3 ? 0 : BIT_NOT);
}

/* The sum, product or union of a list in a random order. */
static u32 combined(struct terms *e, u32 *list, u32 count, u32 code, u64 *state) {
    for (; count > 1; count--) {
        u32 a = random_bit(state) % count, kept = list[a];
        list[a] = list[count - 1];
        u32 b = random_bit(state) % (count - 1);
        const u32 abc[] = {kept, list[b], BIT_0};
        list[b] = logic_function(e, codes[code], abc);
    }
    return list[0];
}

/* Puts n literals together, with or without some of them twice. */
static u32 put_together(struct terms *e, const u32 *in, u32 n, u32 code, u64 *state) {
    u32 list[2 * BITS_MOST], count = n, again = *state & 1 && code ? 3 : 0;
    for (u32 i = 0; i < n; i++)
        list[i] = literal(in, i);
    for (u32 i = 0; i < again; i++)
        list[count++] = list[random_bit(state) % n];
    return combined(e, list, count, code, state);
}

/* Expects the value where all inputs that are not complemented are 0, and where the first 32 of them are 1. */
static void expect_values(const struct terms *e, u32 bit, u32 n, u32 code) {
    for (u32 m = 0; m < 2; m++) {
        u32 ones = 0, at = 0;
        for (u32 i = 0; i < n; i++)
            ones += i % 3 ? i < 32 && m : 1;
        const u32 want[] = {ones & 1, ones == n, ones > 0};
        for (u32 i = 0; i < 32 && m; i++)
            at |= (u32)(i % 3 != 0) << i;
        cr_assert(n > 32 || worth(e, bit, at) == want[code], "code %x of %u bits", codes[code], n);
    }
}

/* Sums, products and their complements of many bits, in random orders and brackets, some of them repeated. */
Test(prove_bits, sums_and_products_of_bits_have_one_form) {
    struct terms e;
    u32 in[BITS_MOST + 6];
    u64 state = 2;
    cr_assert(term_init(&e));
    input_bits(&e, in, BITS_MOST + 6);
    for (u32 round = 0; round < 60; round++) {
        u32 n = 2 + random_bit(&state) % (BITS_MOST - 1), first = 0, code = round % 3;
        for (u32 way = 0; way < 4; way++) {
            u32 bit = put_together(&e, in, n, code, &state);
            first = way ? first : bit;
            cr_assert_eq(bit, first, "code %x of %u bits", codes[code], n);
            expect_values(&e, bit, n, code);
        }
        /* A subtracted bit no longer occurs, and a bit beside its complement decides. */
        u32 rest = first;
        for (u32 i = 1; i < n && code == 0; i++) {
            const u32 abc[] = {rest, literal(in, i), BIT_0};
            rest = logic_function(&e, codes[0], abc);
        }
        const u32 other[] = {first, in[0], BIT_0};
        cr_assert_eq(code ? logic_function(&e, codes[code], other) : rest, code == 1 ? BIT_0
                                                                           : code    ? BIT_1
                                                                                     : in[0] ^ BIT_NOT);
    }
    term_free(&e);
}

/* A product within a sum and a sum within a product, of bits before and after the others: brackets do not matter. */
Test(prove_bits, functions_within_sums_and_products_have_one_form) {
    struct terms e;
    u32 in[12];
    u64 state = 4;
    cr_assert(term_init(&e));
    input_bits(&e, in, COUNT_OF(in));
    for (u32 round = 0; round < 200; round++) {
        u32 code = round % 2, a = random_bit(&state) % 12, b = (a + 1 + random_bit(&state) % 11) % 12, first = 0;
        for (u32 way = 0; way < 4; way++) {
            const u32 inner[] = {in[a], in[b] ^ (round & 2 ? BIT_NOT : 0), BIT_0};
            u32 list[12] = {logic_function(&e, codes[!code], inner)}, n = 1;
            for (u32 i = 0; i < 12; i++)
                if (i != a && i != b)
                    list[n++] = literal(in, i);
            u32 bit = combined(&e, list, n, code, &state);
            first = way ? first : bit;
            cr_assert_eq(bit, first, "code %x around bits %u and %u", codes[code], a, b);
        }
    }
    term_free(&e);
}

/* More than there is room for: right, in whatever form. */
Test(prove_bits, long_sums_and_products_of_bits_are_right) {
    struct terms e;
    u32 in[BITS_MOST + 6], sum = BIT_0, all = BIT_1;
    cr_assert(term_init(&e));
    input_bits(&e, in, BITS_MOST + 6);
    for (u32 i = 0; i < BITS_MOST + 6; i++) {
        const u32 a[] = {sum, in[i], BIT_0}, b[] = {all, in[i] ^ BIT_NOT, BIT_0};
        sum = logic_function(&e, codes[0], a);
        all = logic_function(&e, codes[1], b);
    }
    cr_expect_eq(worth(&e, sum, 0x80000003), 1);
    cr_expect_eq(worth(&e, sum, 0x00000041), 0);
    cr_expect_eq(worth(&e, all, 0), 1);
    cr_expect_eq(worth(&e, all, 0x00010000), 0);
    term_free(&e);
}

Test(prove_bits, equal_words_are_one) {
    struct terms e;
    u32 bit[32], value;
    cr_assert(term_init(&e));
    u32 x = term_input(&e, 2, 7), y = term_input(&e, 2, 8);
    cr_expect_neq(x, y);
    cr_expect_eq(x, term_input(&e, 2, 7));
    term_bits(&e, x, bit);
    cr_expect_eq(term_word(&e, bit), x);
    for (u32 low = 0; low <= 40; low += 8) { /* of an atom of 64 bits; beyond it is another atom */
        u32 part = term_slice(&e, bit_atom(bit[0]), low), of[32], first;
        term_bits(&e, part, of);
        cr_expect_eq(term_neighbours(&e, term_word(&e, of), &first), low <= 32);
        cr_expect(low > 32 || term_word(&e, of) == part, "%u", low);
    }
    bit[31] ^= BIT_NOT;
    u32 flipped = term_word(&e, bit);
    cr_expect_neq(flipped, x);
    cr_expect_eq(term_word(&e, bit), flipped);
    for (u32 i = 0; i < 32; i++)
        bit[i] = i % 3 ? BIT_0 : BIT_1;
    cr_expect(term_value(&e, term_word(&e, bit), &value));
    cr_expect_eq(value, 0x49249249);
    cr_expect_not(term_value(&e, x, &value));
    struct fresh f = {.kind = FRESH_REGISTER};
    cr_expect_neq(term_fresh(&e, &f), term_fresh(&e, &f));
    term_free(&e);
}

Test(prove_bits, tables_grow) {
    enum { LITERALS = 100000 };
    struct terms e;
    cr_assert(term_init(&e));
    static u32 word[LITERALS];
    for (u32 i = 0; i < LITERALS; i++)
        word[i] = term_input(&e, 0, i);
    for (u32 i = 0; i < LITERALS; i++) {
        cr_assert_eq(term_input(&e, 0, i), word[i]);
        cr_assert_eq(term_const(&e, i), term_const(&e, i));
    }
    cr_assert_eq(term_atoms(&e), 1 + LITERALS);
    term_free(&e);
}
