#include "sim/prove/logic.h"

#include <string.h>

/* A function as its truth table over `n` different bits; assignment m gives the bit var[k] the value m >> k & 1. */
struct function {
    u64 table; /* of 2^n bits, repeated up to 64 */
    u32 n;
    u32 var[TABLE_BITS]; /* ascending, none complemented */
};

static const u64 column[TABLE_BITS] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                       0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};

static u64 mask_of(u32 n) {
    return n == TABLE_BITS ? ~(u64)0 : ((u64)1 << (1u << n)) - 1;
}

u64 logic_column(u32 k, u32 n) {
    return column[k] & mask_of(n);
}

/* A table of 2^n bits as one of 64, which does not depend on further variables. */
static u64 repeat(u64 table, u32 n) {
    table &= mask_of(n);
    for (; n < TABLE_BITS; n++)
        table |= table << (1u << n);
    return table;
}

/* The table where variable k has a value; it no longer depends on it. */
static u64 take_cofactor(u64 table, u32 k, u32 value) {
    u64 half = value ? table & column[k] : table & ~column[k];
    return half | (value ? half >> (1u << k) : half << (1u << k));
}

/* The table of a function of functions: `value` is the table of each variable. */
static u64 compose(u64 table, u32 n, const u64 *value) {
    if (n == 0)
        return table & 1 ? ~(u64)0 : 0;
    u64 low = compose(table, n - 1, value), high = compose(table >> (1u << (n - 1)), n - 1, value);
    return (high & value[n - 1]) | (low & ~value[n - 1]);
}

/* False when there is no room for one more. */
static bool add_variable(struct function *f, u32 bit) {
    u32 at = 0;
    while (at < f->n && f->var[at] < bit)
        at++;
    if (at < f->n && f->var[at] == bit)
        return true;
    if (f->n == TABLE_BITS)
        return false;
    memmove(&f->var[at + 1], &f->var[at], (f->n - at) * sizeof *f->var);
    f->var[at] = bit;
    f->n++;
    return true;
}

/* The table of a bit that is a variable, a complement of one, or known. */
static u64 table_of_variable(const struct function *f, u32 bit) {
    u64 flip = bit & BIT_NOT ? ~(u64)0 : 0;
    for (u32 k = 0; k < f->n; k++)
        if (f->var[k] == (bit & ~BIT_NOT))
            return column[k] ^ flip;
    return flip;
}

static void drop_variable(struct function *f, u32 k) {
    u64 kept = 0;
    f->n--;
    for (u32 m = 0, low = (1u << k) - 1; m < 1u << f->n; m++)
        kept |= (f->table >> ((m & low) | (m & ~low) << 1) & 1) << m;
    f->table = repeat(kept, f->n);
    memmove(&f->var[k], &f->var[k + 1], (f->n - k) * sizeof *f->var);
}

static void drop_idle_variables(struct function *f) {
    for (u32 k = f->n; k-- > 0;)
        if (take_cofactor(f->table, k, 0) == take_cofactor(f->table, k, 1))
            drop_variable(f, k);
}

static bool is_table(const struct terms *e, u32 bit) {
    return term_at(e, bit_atom(bit))->code == ATOM_TABLE;
}

/* Puts the variables of those in `which` that are functions in their place, if there is room. */
static bool unfold(const struct terms *e, struct function *f, u32 which) {
    struct function larger = {.n = 0};
    u64 value[TABLE_BITS], inner[TABLE_BITS];
    bool any = false, fits = true;
    for (u32 k = 0; k < f->n && fits; k++) {
        u32 atom = bit_atom(f->var[k]);
        bool open = which >> k & 1 && is_table(e, f->var[k]);
        any |= open;
        for (u32 i = 0; open && i < logic_table_bits(e, atom); i++)
            fits = fits && add_variable(&larger, term_operands(e, atom)[i + 2]);
        fits = fits && (open || add_variable(&larger, f->var[k]));
    }
    if (!any || !fits)
        return false;
    for (u32 k = 0; k < f->n; k++) {
        u32 atom = bit_atom(f->var[k]), n = 0;
        bool open = which >> k & 1 && is_table(e, f->var[k]);
        for (; open && n < logic_table_bits(e, atom); n++)
            inner[n] = table_of_variable(&larger, term_operands(e, atom)[n + 2]);
        value[k] = open ? compose(logic_table(e, atom), n, inner) : table_of_variable(&larger, f->var[k]);
    }
    larger.table = compose(f->table, f->n, value);
    *f = larger;
    drop_idle_variables(f);
    return true;
}

/* Unfolds the first one that fits. */
static bool unfold_first(const struct terms *e, struct function *f) {
    for (u32 k = 0; k < f->n; k++)
        if (unfold(e, f, 1u << k))
            return true;
    return false;
}

/* Unfolds all of them, or else one by one. */
static void unfold_what_fits(const struct terms *e, struct function *f) {
    while (unfold(e, f, ~0u))
        ;
    while (unfold_first(e, f))
        ;
}

/* Bit of a function. Of two complementary ones the one that is 0 where all bits are 0 is kept. */
static u32 intern(struct terms *e, struct function *f) {
    u32 flip = f->table & 1 ? BIT_NOT : 0;
    u64 table = (flip ? ~f->table : f->table) & mask_of(f->n);
    if (f->n == 0)
        return BIT_0 ^ flip;
    if (f->n == 1)
        return f->var[0] ^ flip;
    u32 operands[2 + TABLE_BITS] = {(u32)table, (u32)(table >> 32)};
    memcpy(operands + 2, f->var, f->n * sizeof *f->var);
    return bit_of(term_atom(e, ATOM_TABLE, 0, 2 + f->n, operands), 0) ^ flip;
}

/* ---- sums and products of many bits ---- */

struct many {
    u32 bit[2 * LOGIC_OPERANDS]; /* in one function at most half of them */
    u32 n;
    bool whole; /* there was room for all */
};

static void add_bit(struct many *l, u32 bit) {
    l->whole &= l->n < COUNT_OF(l->bit);
    if (l->whole)
        l->bit[l->n++] = bit;
}

/* Sorts what is sorted but for a few, such as a sum and what is added to it. */
static void sort_bits(struct many *l) {
    for (u32 i = 1; i < l->n; i++) {
        u32 bit = l->bit[i], at = i;
        for (; at && (l->bit[at - 1] & ~BIT_NOT) > (bit & ~BIT_NOT); at--)
            l->bit[at] = l->bit[at - 1];
        l->bit[at] = bit;
    }
}

/*
 * Adds the summands of a bit: of a table the variables that it changes with, whatever the others are, and the rest.
 * True where the sum is complemented.
 */
static bool add_terms(struct terms *e, struct many *l, u32 bit) {
    u32 atom = bit_atom(bit), flip = bit & BIT_NOT;
    if (term_at(e, atom)->code == ATOM_XOR) {
        for (u32 k = 0; k < term_at(e, atom)->count; k++)
            add_bit(l, term_operands(e, atom)[k]);
        return flip != 0;
    }
    struct function f = {.n = 0};
    if (is_table(e, bit)) {
        f.n = logic_table_bits(e, atom);
        f.table = repeat(logic_table(e, atom), f.n);
        memcpy(f.var, term_operands(e, atom) + 2, f.n * sizeof *f.var);
    }
    for (u32 k = f.n; k-- > 0;)
        if (take_cofactor(f.table, k, 0) == ~take_cofactor(f.table, k, 1)) {
            add_bit(l, f.var[k]);
            f.table = take_cofactor(f.table, k, 0);
            drop_variable(&f, k);
        }
    u32 rest = is_table(e, bit) ? intern(e, &f) ^ flip : bit;
    if (!bit_known(rest))
        add_bit(l, rest & ~BIT_NOT);
    return (rest & BIT_NOT) != 0;
}

/* Adds the factors of a bit: of a table the variables without which it is 0, and the rest. */
static void add_factors(struct terms *e, struct many *l, u32 bit) {
    u32 atom = bit_atom(bit);
    if (term_at(e, atom)->code == ATOM_AND && !(bit & BIT_NOT)) {
        for (u32 k = 0; k < term_at(e, atom)->count; k++)
            add_bit(l, term_operands(e, atom)[k]);
        return;
    }
    struct function f = {.n = 0};
    if (is_table(e, bit)) {
        f.n = logic_table_bits(e, atom);
        f.table = repeat(logic_table(e, atom), f.n) ^ (bit & BIT_NOT ? ~(u64)0 : 0);
        memcpy(f.var, term_operands(e, atom) + 2, f.n * sizeof *f.var);
    }
    for (u32 k = f.n; k-- > 0;)
        for (u32 value = 0; value < 2; value++)
            if (k < f.n && take_cofactor(f.table, k, value) == 0) {
                add_bit(l, f.var[k] ^ (value ? BIT_NOT : 0));
                f.table = take_cofactor(f.table, k, !value);
                drop_variable(&f, k);
            }
    u32 rest = is_table(e, bit) ? intern(e, &f) : bit;
    if (rest != BIT_1)
        add_bit(l, rest);
}

/* Makes a table of the bits, all or none of them, where they are few. */
static u32 make_few(struct terms *e, const struct many *l, bool sum) {
    struct function f = {.table = sum ? 0 : ~(u64)0};
    for (u32 k = 0; k < l->n; k++)
        add_variable(&f, l->bit[k] & ~BIT_NOT);
    for (u32 k = 0; k < l->n; k++) {
        u64 of = table_of_variable(&f, l->bit[k]);
        f.table = sum ? f.table ^ of : f.table & of;
    }
    drop_idle_variables(&f);
    unfold_what_fits(e, &f);
    return intern(e, &f);
}

/* False where the sum has too many bits. */
static bool make_sum(struct terms *e, struct many *l, u32 *bit) {
    u32 kept = 0;
    sort_bits(l);
    for (u32 i = 0; i < l->n; i++)
        if (kept && l->bit[kept - 1] == l->bit[i])
            kept--;
        else
            l->bit[kept++] = l->bit[i];
    l->n = kept;
    if (!l->whole || kept > LOGIC_OPERANDS)
        return false;
    *bit = kept <= TABLE_BITS ? make_few(e, l, true) : bit_of(term_atom(e, ATOM_XOR, 0, kept, l->bit), 0);
    return true;
}

/* Likewise of a product. */
static bool make_product(struct terms *e, struct many *l, u32 *bit) {
    u32 kept = 0;
    *bit = BIT_0;
    sort_bits(l);
    for (u32 i = 0; i < l->n; i++) {
        if (l->bit[i] == BIT_0 || (kept && l->bit[kept - 1] == (l->bit[i] ^ BIT_NOT)))
            return true;
        if (l->bit[i] != BIT_1 && (!kept || l->bit[kept - 1] != l->bit[i]))
            l->bit[kept++] = l->bit[i];
    }
    l->n = kept;
    if (!l->whole || kept > LOGIC_OPERANDS)
        return false;
    *bit = kept <= TABLE_BITS ? make_few(e, l, false) : bit_of(term_atom(e, ATOM_AND, 0, kept, l->bit), 0);
    return true;
}

/* True if a function of more bits than a table has is a sum or a product: the bit. */
static bool make_large(struct terms *e, const struct function *f, u32 *bit) {
    struct many l = {.whole = true};
    u64 all = mask_of(f->n), table = f->table & all, sum = 0;
    bool flip = false;
    for (u32 k = 0; k < f->n; k++)
        sum ^= logic_column(k, f->n);
    bool adds = table == sum || table == (~sum & all);
    if (adds) {
        flip = table != sum;
    } else if (table & (table - 1)) { /* a | b is ~(~a & ~b) */
        table = ~table & all;
        flip = true;
    }
    if (!adds && table & (table - 1))
        return false;
    for (u32 k = 0; k < f->n; k++)
        if (adds)
            flip ^= add_terms(e, &l, f->var[k]);
        else
            add_factors(e, &l, f->var[k] ^ (table & column[k] ? 0 : BIT_NOT));
    if (!(adds ? make_sum(e, &l, bit) : make_product(e, &l, bit)))
        return false;
    *bit ^= flip ? BIT_NOT : 0;
    return true;
}

/* ---- functions ---- */

/* The function with this table of bits that may be known, complemented, or the same. */
static u32 apply(struct terms *e, u64 table, const u32 *bit, u32 n) {
    struct function f = {.n = 0}, open;
    u64 value[TABLE_BITS];
    u32 made;
    for (u32 k = 0; k < n; k++)
        if (!bit_known(bit[k]))
            add_variable(&f, bit[k] & ~BIT_NOT);
    for (u32 k = 0; k < n; k++)
        value[k] = table_of_variable(&f, bit[k]);
    f.table = compose(table, n, value);
    drop_idle_variables(&f);
    open = f;
    unfold_what_fits(e, &open);
    bool deep = false;
    for (u32 k = 0; k < open.n && open.n > 1; k++)
        deep |= logic_is(e, bit_atom(open.var[k]));
    return deep && (make_large(e, &f, &made) || make_large(e, &open, &made)) ? made : intern(e, &open);
}

u32 logic_function(struct terms *e, u8 table, const u32 abc[3]) {
    const u32 bit[] = {abc[2], abc[1], abc[0]};
    return apply(e, table, bit, 3);
}

u32 logic_all(struct terms *e, const u32 *bit, u32 n) {
    struct many l = {.whole = true};
    u32 all = BIT_1;
    for (u32 k = 0; k < n; k++)
        add_factors(e, &l, bit[k]);
    if (make_product(e, &l, &all))
        return all;
    all = BIT_1;
    for (u32 k = 0; k < n; k++) {
        const u32 abc[] = {all, bit[k], BIT_0};
        all = logic_function(e, 0xc0, abc);
    }
    return all;
}

static u32 restrict_bit(struct terms *e, u32 bit, u32 condition, u32 value, u32 depth);

/* A large sum or product where a condition has a value. */
static u32 restrict_many(struct terms *e, u32 bit, u32 condition, u32 value, u32 depth) {
    const u32 atom = bit_atom(bit);
    u32 made;
    struct many l = {.whole = true};
    bool flip = false, changed = false, sum = term_at(e, atom)->code == ATOM_XOR;
    u32 n = term_at(e, atom)->count;
    for (u32 k = 0; k < n; k++) {
        u32 was = term_operands(e, atom)[k], is = restrict_bit(e, was, condition, value, depth - 1);
        changed |= is != was;
        if (sum)
            flip ^= add_terms(e, &l, is);
        else
            add_factors(e, &l, is);
    }
    if (!changed || !(sum ? make_sum(e, &l, &made) : make_product(e, &l, &made)))
        return bit;
    return made ^ (flip ? BIT_NOT : 0) ^ (bit & BIT_NOT);
}

/* Restricts a bit to where `condition`, which is no constant and not complemented, has a value. */
static u32 restrict_bit(struct terms *e, u32 bit, u32 condition, u32 value, u32 depth) {
    const u32 atom = bit_atom(bit), flip = bit & BIT_NOT;
    u32 of[TABLE_BITS];
    bool changed = false;
    if ((bit & ~BIT_NOT) == condition)
        return (value ? BIT_1 : BIT_0) ^ flip;
    if (bit_known(bit) || !logic_is(e, atom) || depth == 0)
        return bit;
    if (!is_table(e, bit))
        return restrict_many(e, bit, condition, value, depth);
    u32 n = logic_table_bits(e, atom);
    u64 table = logic_table(e, atom);
    for (u32 k = 0; k < n; k++) {
        u32 was = term_operands(e, atom)[k + 2];
        of[k] = restrict_bit(e, was, condition, value, depth - 1);
        changed |= of[k] != was;
    }
    return changed ? apply(e, table, of, n) ^ flip : bit;
}

u32 logic_given(struct terms *e, u32 bit, u32 condition, u32 value) {
    enum { DEPTH = 4 };
    return bit_known(condition) ? bit : restrict_bit(e, bit, condition & ~BIT_NOT, value ^ condition >> 31, DEPTH);
}

u32 logic_choose(struct terms *e, u32 condition, u32 yes, u32 no) {
    const u32 abc[] = {condition, logic_given(e, yes, condition, 1), logic_given(e, no, condition, 0)};
    return logic_function(e, 0xca, abc);
}
