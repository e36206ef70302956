#include "sim/prove/winner.h"

#include <string.h>

#include "sim/base/bits.h"
#include "sim/base/mix.h"
#include "sim/prove/logic.h"
#include "sim/prove/tree.h"

enum { CANDIDATES_MOST = 4096, ROWS_MOST = 16384, SLOTS = 2 * ROWS_MOST };

#define MINUS_INFINITY 0xff800000u
#define PLUS_INFINITY 0x7f800000u

/* ---- candidates ---- */

struct candidate {
    u64 place;   /* of the buffers' words, from 1 on; 0: a constant, before all */
    u32 value;   /* a word */
    u32 carried; /* a constant; 0 where the value itself is wanted */
};

struct order {
    bool least, last;
};

static bool same_order(struct order a, struct order b) {
    return a.least == b.least && a.last == b.last;
}

/* A word that is the winner of a set. */
struct row {
    u32 word, first, n; /* candidates in order of place */
    struct order order;
    bool carries;
};

/* One side of a choice. */
struct side {
    const struct candidate *list;
    u32 n;
    struct candidate own; /* of a set of one */
    struct order order;
    bool maybe_nan; /* the set is of one, with the infinity that loses in its place */
};

static const struct row *rows(const struct terms *e, u32 *n) {
    *n = (u32)(e->winners.len / sizeof(struct row));
    return (const struct row *)(const void *)e->winners.data;
}

static const struct candidate *candidates(const struct terms *e, u32 first) {
    return (const struct candidate *)(const void *)e->candidates.data + first;
}

static bool is_nan(u32 v) {
    return (v & 0x7fffffff) > PLUS_INFINITY;
}

/* ---- rows by their words and by their sets ---- */

enum index { BY_WORD, BY_SET, INDICES };

static u32 word_hash(u32 word, bool carries) {
    return (u32)(splitmix((u64)word << 1 | carries) >> 32);
}

static u32 set_hash(const struct candidate *list, u32 n, struct order order, bool carries) {
    u64 h = splitmix((u64)n << 3 | (u64)order.least << 2 | (u64)order.last << 1 | carries);
    for (u32 k = 0; k < n; k++)
        h = splitmix(h ^ list[k].place ^ ((u64)list[k].value << 32 | (carries ? list[k].carried : 0)));
    return (u32)(h >> 32);
}

/* The slot from `hash` on: a row's number + 1, or 0 after the last row of that hash. */
static u32 *slot_at(const struct terms *e, enum index by, u32 hash) {
    return (u32 *)(void *)e->winner_index.data + (size_t)by * SLOTS + hash % SLOTS;
}

static void index_row(struct terms *e, enum index by, u32 hash, u32 number) {
    while (*slot_at(e, by, hash))
        hash++;
    *slot_at(e, by, hash) = number + 1;
}

static const struct row *row_of(const struct terms *e, u32 word, bool carries) {
    u32 n, number;
    const struct row *r = rows(e, &n);
    for (u32 h = word_hash(word, carries); n && (number = *slot_at(e, BY_WORD, h)) != 0; h++)
        if (r[number - 1].word == word && r[number - 1].carries == carries)
            return &r[number - 1];
    return NULL;
}

static u32 extreme(struct terms *e, u32 op, u32 word, u32 constant) {
    const u32 list[] = {word, term_const(e, constant)};
    return term_slice(e, term_atom(e, op, 0, 2, list), 0);
}

/* True for a minimum or maximum with a constant, which is no NaN. */
static bool is_number(const struct terms *e, u32 word) {
    u32 value, atom = number_atom(e, 1, (struct number){{word, WORD_NONE}});
    if (term_value(e, word, &value))
        return !is_nan(value);
    const u32 code = term_at(e, atom)->code;
    return atom && (code == OP_MAX_F32 || code == OP_MIN_F32) && term_value(e, term_operands(e, atom)[1], &value) &&
           !is_nan(value);
}

/* Place of the element that a value is computed from first; false where there is none. */
static bool place_of(const struct terms *e, u32 word, u64 *place) {
    for (u32 depth = 0; depth < 8; depth++) {
        const u32 atom = number_atom(e, 1, (struct number){{word, WORD_NONE}});
        const u32 *list = term_operands(e, atom);
        if (atom && term_at(e, atom)->code == ATOM_INPUT) {
            *place = ((u64)list[0] << 32 | list[1]) + 1;
            return true;
        }
        if (!atom || term_at(e, atom)->code >= OP_COUNT || !term_at(e, atom)->count)
            return false;
        word = list[0];
    }
    return false;
}

/* Candidates of a word that is compared. */
static bool side_of(struct terms *e, u32 word, struct side *s) {
    const struct row *r = row_of(e, word, false);
    u32 value;
    *s = (struct side){.n = 1, .own.value = word};
    if (r) {
        s->list = candidates(e, r->first);
        s->n = r->n;
        s->order = r->order;
        return true;
    }
    s->maybe_nan = !is_number(e, word);
    return term_value(e, word, &value) ? !s->maybe_nan : place_of(e, word, &s->own.place);
}

static const struct candidate *list_of(const struct side *s) {
    return s->list ? s->list : &s->own;
}

/* Candidates of a word that is carried, if they are those of one of two sides: which, 2 for either. */
static bool carried_by(const struct terms *e, u32 word, const struct side of[2], struct side *s, u32 *which) {
    const struct row *r = row_of(e, word, true);
    *s = (struct side){.n = 1};
    *which = of[0].n > 1 ? 1 : of[1].n > 1 ? 0 : 2;
    if (!r)
        return term_value(e, word, &s->own.carried) && (of[0].n == 1 || of[1].n == 1);
    s->list = candidates(e, r->first);
    s->n = r->n;
    s->order = r->order;
    for (*which = 0; *which < 2; ++*which) {
        const struct candidate *list = list_of(&of[*which]);
        u32 k = 0;
        while (k < r->n && of[*which].n == r->n && list[k].value == s->list[k].value)
            k++;
        if (k == r->n)
            return true;
    }
    return false;
}

/* Candidates of two carried words, one of each side: whose those of the first are, 2 for either. */
static bool carried_apart(const struct terms *e, const u32 word[2], const struct side of[2], struct side carried[2],
                          u32 *owner) {
    u32 which[2];
    for (u32 k = 0; k < 2; k++)
        if (!carried_by(e, word[k], of, &carried[k], &which[k]))
            return false;
    *owner = which[0] != 2 ? which[0] : which[1] != 2 ? 1 - which[1] : 2;
    return which[0] != which[1] || *owner == 2;
}

/* ---- canonical forms ---- */

static u32 form(struct terms *e, const struct candidate *list, u32 n, struct order order, bool carries);

/* Makes the choice of two neighbouring parts. */
static u32 chosen(struct terms *e, const struct candidate *list, const u32 n[2], struct order order, bool carries) {
    u32 value[2], part[2], bit[2][32];
    for (u32 k = 0; k < 2; k++) {
        value[k] = form(e, list + k * n[0], n[k], order, false);
        part[k] = carries ? form(e, list + k * n[0], n[k], order, true) : value[k];
        term_bits(e, part[k], bit[k]);
    }
    const u32 op = order.last ? OP_SETP_LE_F32 : OP_SETP_LT_F32;
    const u32 compared[] = {value[order.least], value[!order.least]};
    const u32 condition = bit_of(term_atom(e, op, 0, 2, compared), 0);
    for (u32 i = 0; i < 32; i++) {
        const u32 abc[] = {condition, bit[1][i], bit[0][i]};
        bit[0][i] = logic_function(e, 0xca, abc);
    }
    return term_word(e, bit[0]);
}

static bool same_set(const struct terms *e, const struct row *r, const struct candidate *list, u32 n, bool carries) {
    const struct candidate *own = candidates(e, r->first);
    for (u32 k = 0; k < n; k++)
        if (own[k].value != list[k].value || own[k].place != list[k].place ||
            (carries && own[k].carried != list[k].carried))
            return false;
    return true;
}

/* The row of a set; NULL where none was made. */
static const struct row *row_of_set(const struct terms *e, const struct row *like, const struct candidate *list) {
    u32 n, number;
    const struct row *r = rows(e, &n);
    u32 h = set_hash(list, like->n, like->order, like->carries);
    for (; n && (number = *slot_at(e, BY_SET, h)) != 0; h++) {
        const struct row *own = &r[number - 1];
        if (own->n == like->n && own->carries == like->carries && same_order(own->order, like->order) &&
            same_set(e, own, list, like->n, like->carries))
            return own;
    }
    return NULL;
}

static void keep_row(struct terms *e, const struct row *made, const struct candidate *list) {
    u32 number;
    rows(e, &number);
    if (!e->winner_index.len && !buf_push(&e->winner_index, sizeof(u32) * INDICES * SLOTS)) {
        e->failed = true;
        return;
    }
    for (u32 k = 0; k < made->n; k++) {
        struct candidate c = list[k];
        c.carried = made->carries ? c.carried : 0;
        buf_append(&e->candidates, &c, sizeof c);
    }
    buf_append(&e->winners, made, sizeof *made);
    index_row(e, BY_WORD, word_hash(made->word, made->carries), number);
    index_row(e, BY_SET, set_hash(list, made->n, made->order, made->carries), number);
    e->failed |= e->candidates.failed || e->winners.failed;
}

/* The winner of a set, which is divided where the highest bit of places differs. */
static u32 form(struct terms *e, const struct candidate *list, u32 n, struct order order, bool carries) {
    u32 parts[2] = {1, n - 1};
    if (n == 1)
        return carries ? term_const(e, list->carried) : list->value;
    struct row made = {.n = n, .order = order, .carries = carries};
    const struct row *known = row_of_set(e, &made, list);
    if (known)
        return known->word;
    const u64 differ = highest_bit(list[0].place ^ list[n - 1].place);
    while (parts[0] < n - 1 && !(list[parts[0]].place & differ))
        parts[0]++;
    parts[1] = n - parts[0];
    made.word = chosen(e, list, parts, order, carries);
    made.first = (u32)(e->candidates.len / sizeof *list);
    if (!e->failed)
        keep_row(e, &made, list);
    return made.word;
}

/* ---- conditions ---- */

enum outcome { LESS, GREATER, TIE, UNORDERED }; /* of a and b */

/* A condition as a function of comparisons of two words and of other bits. */
struct fight {
    u32 word[2];
    u64 table;
    u32 n, var[TABLE_BITS];
};

/* The results of a comparison of a and b by outcome, a bit each; 0: no comparison. */
static u32 results(u32 code) {
    switch (code) {
    case OP_SETP_LT_F32: return 1 << LESS;
    case OP_SETP_LE_F32: return 1 << LESS | 1 << TIE;
    case OP_SETP_EQ_F32: return 1 << TIE;
    case OP_SETP_NE_F32: return 1 << LESS | 1 << GREATER;
    case OP_SETP_NUM_F32: return 1 << LESS | 1 << GREATER | 1 << TIE;
    default: return 0;
    }
}

static bool fight_of(const struct terms *e, u32 condition, struct fight *f) {
    const u32 atom = bit_atom(condition);
    bool table = term_at(e, atom)->code == ATOM_TABLE, any = false;
    *f = (struct fight){.table = 2, .n = 1, .var = {condition}};
    if (table) {
        f->table = logic_table(e, atom);
        f->n = logic_table_bits(e, atom);
        memcpy(f->var, term_operands(e, atom) + 2, f->n * sizeof *f->var);
    }
    for (u32 k = 0; k < f->n && !any; k++) {
        const struct atom *a = term_at(e, bit_atom(f->var[k]));
        any = !a->mods && results(a->code);
        if (any)
            memcpy(f->word, term_operands(e, bit_atom(f->var[k])), sizeof f->word);
    }
    return any && f->word[0] != f->word[1];
}

/* Results of variable k by outcome; 0 where it does not depend on it alone. */
static u32 variable(const struct terms *e, const struct fight *f, u32 k) {
    const u32 atom = bit_atom(f->var[k]), of = term_at(e, atom)->mods ? 0 : results(term_at(e, atom)->code);
    const u32 *word = term_operands(e, atom);
    if (!of || ((word[0] != f->word[0] || word[1] != f->word[1]) && (word[0] != f->word[1] || word[1] != f->word[0])))
        return 0;
    const u32 swapped = (of & ~3u) | (of & 1) << 1 | (of >> 1 & 1);
    return word[0] == f->word[0] ? of : swapped;
}

/* The condition on an outcome: BIT_0, BIT_1, a variable, or its complement; false for anything else. */
static bool on(const struct terms *e, const struct fight *f, enum outcome outcome, u32 *bit) {
    u32 is[2 * TABLE_BITS + 2], n = 0, kept = 0;
    is[n++] = BIT_0;
    is[n++] = BIT_1;
    for (u32 k = 0; k < f->n; k++)
        if (!variable(e, f, k)) {
            is[n++] = f->var[k];
            is[n++] = f->var[k] ^ BIT_NOT;
        }
    for (u32 i = 0; i < n; i++) {
        bool same = true;
        for (u32 m = 0; m < 1u << f->n && same; m++) {
            bool possible = true, value = is[i] == BIT_1;
            for (u32 k = 0; k < f->n; k++) {
                const u32 of = variable(e, f, k), one = m >> k & 1;
                possible &= !of || (of >> outcome & 1) == one;
                if (is[i] != BIT_1 && (is[i] & ~BIT_NOT) == f->var[k])
                    value = one ^ is[i] >> 31;
            }
            same = !possible || (f->table >> m & 1) == value;
        }
        if (same)
            is[kept++] = is[i];
    }
    *bit = is[0];
    return kept > 0;
}

/* ---- choices ---- */

/* The two sides of a choice: what wins if the condition holds, and the other. */
struct choice {
    u32 part[2];
    struct side value[2], carried[2];
    bool carries;
};

/* True if of candidates in common places the carried constants grow with the place, so that they compare as it does. */
static bool grows(const struct candidate *list, u32 n, bool sign) {
    const u32 flip = sign ? 0x80000000u : 0;
    for (u32 k = 1; k < n; k++)
        if ((list[k - 1].carried ^ flip) >= (list[k].carried ^ flip))
            return false;
    return true;
}

/* All candidates of two sets in order of place, until the next call; how many, 0 where they do not fit together. */
static u32 joined(struct terms *e, const struct side *a, const struct side *b, const struct candidate **list) {
    const struct candidate *x = list_of(a), *y = list_of(b);
    u32 i = 0, k = 0, n = 0;
    if (!e->joined.len && !buf_push(&e->joined, CANDIDATES_MOST * sizeof **list))
        e->failed = true;
    struct candidate *all = (struct candidate *)(void *)e->joined.data;
    *list = all;
    if (e->failed)
        return 0;
    while (i < a->n || k < b->n) {
        const bool both = i < a->n && k < b->n && x[i].place == y[k].place;
        if ((both && (x[i].value != y[k].value || x[i].carried != y[k].carried)) || n == CANDIDATES_MOST)
            return 0;
        const bool first = k == b->n || (i < a->n && x[i].place <= y[k].place);
        all[n++] = first ? x[i] : y[k];
        i += first;
        k += !first || both;
    }
    return n;
}

/* Takes over the places and values of a set. */
static bool placed(struct side *carried, const struct side *value) {
    if (carried->n == 1) {
        carried->own.place = value->own.place;
        carried->own.value = value->own.value;
    }
    return carried->n == value->n;
}

/* Finds the side that wins if the condition holds; false where that is not known. `greater`: on a > b. */
static bool owner_of(const struct terms *e, const struct side of[2], struct choice *c, bool greater, u32 *owner) {
    u32 value;
    if (!carried_apart(e, c->part, of, c->carried, owner))
        return false;
    if (*owner != 2)
        return true;
    const u32 constant = of[0].own.place ? 1 : 0;
    if (of[constant].own.place) { /* indices that grow */
        *owner = (c->carried[0].own.carried > c->carried[1].own.carried) != (of[0].own.place > of[1].own.place);
    } else { /* what a search begins with is below or above all */
        term_value(e, of[constant].own.value, &value);
        *owner = (value >> 31 != 0) == greater ? 0 : 1;
    }
    return true;
}

/* True if both begin with one constant. */
static bool share_first(const struct side *a, const struct side *b) {
    return list_of(a)->place == 0 && list_of(b)->place == 0 && list_of(a)->value == list_of(b)->value &&
           list_of(a)->carried == list_of(b)->carried;
}

/* True if each candidate of a has a place before each of b, but for a first one of both. */
static bool before(const struct side *a, const struct side *b, bool skip) {
    const u32 from = skip && b->n > 1 ? 1 : 0;
    return list_of(a)[a->n - 1].place < list_of(b)[from].place;
}

/* Finds the order that decides a tie: `tie` is the condition on it; side 0 wins if it holds. */
static bool order_on_tie(struct terms *e, u32 tie, const struct choice *c, bool *last) {
    const struct side *a = &c->value[0], *b = &c->value[1];
    const bool shared = share_first(a, b);
    if (bit_known(tie)) {
        const bool less = before(a, b, shared), more = before(b, a, shared);
        *last = (tie == BIT_1) != less;
        return less != more && (!shared || !*last);
    }
    const struct atom *r = term_at(e, bit_atom(tie));
    struct side of[2];
    const struct candidate *all;
    u32 first, n;
    if ((r->code != OP_SETP_LT_U32 && r->code != OP_SETP_LT_S32) || r->mods ||
        !carried_apart(e, term_operands(e, bit_atom(tie)), c->value, of, &first) || first == 2)
        return false;
    *last = (first != 0) != ((tie & BIT_NOT) != 0);
    if (!placed(&of[0], &c->value[first]) || !placed(&of[1], &c->value[1 - first]))
        return false;
    const u32 from = share_first(&of[0], &of[1]) && !*last;
    n = joined(e, &of[0], &of[1], &all);
    return n && grows(all + from, n - from, r->code == OP_SETP_LT_S32);
}

/* Reads the sides of a choice whose parts are given: what is chosen if the condition holds, and if not. */
static bool choice_of(struct terms *e, const struct fight *f, struct choice *c, struct order *order) {
    const u32 *part = c->part;
    struct side of[2];
    u32 less, greater, owner = part[0] == f->word[0] ? 0 : 1, unordered, tie;
    if (!side_of(e, f->word[0], &of[0]) || !side_of(e, f->word[1], &of[1]) || (of[0].maybe_nan && of[1].maybe_nan) ||
        !on(e, f, LESS, &less) || !on(e, f, GREATER, &greater) || !bit_known(less) || (less ^ greater) != BIT_NOT ||
        !on(e, f, TIE, &tie))
        return false;
    c->carries = part[owner] != f->word[0] || part[1 - owner] != f->word[1];
    if (c->carries && !owner_of(e, of, c, greater == BIT_1, &owner))
        return false;
    c->value[0] = of[owner];
    c->value[1] = of[1 - owner];
    order->least = (owner ? less : greater) != BIT_1;
    for (u32 k = 0; k < 2; k++) {
        const u32 loses = k ? BIT_1 : BIT_0;
        struct candidate *own = &c->value[k].own;
        if (!c->value[k].maybe_nan)
            continue;
        if (!on(e, f, UNORDERED, &unordered) || unordered != loses || tie != loses)
            return false;
        own->value = extreme(e, order->least ? OP_MIN_F32 : OP_MAX_F32, own->value,
                             order->least ? PLUS_INFINITY : MINUS_INFINITY);
    }
    if (c->carries && (!placed(&c->carried[0], &c->value[0]) || !placed(&c->carried[1], &c->value[1])))
        return false;
    return order_on_tie(e, tie, c, &order->last);
}

static bool fits(const struct side *s, struct order order) {
    return s->n == 1 || same_order(s->order, order);
}

bool winner(struct terms *e, u32 condition, u32 yes, u32 no, u32 *word) {
    const u32 *operand = term_operands(e, bit_atom(condition));
    const struct candidate *all;
    struct order order;
    struct choice c = {.part = {yes, no}};
    struct fight f;
    u32 value, count;
    if (term_at(e, bit_atom(condition))->code == OP_SETP_NUM_F32 && operand[0] == operand[1] && yes == operand[0] &&
        term_value(e, no, &value) && (value | 0x80000000) == MINUS_INFINITY) { /* an infinity in place of NaN */
        *word = extreme(e, value == MINUS_INFINITY ? OP_MAX_F32 : OP_MIN_F32, yes, value);
        return true;
    }
    if (!fight_of(e, condition, &f) || !choice_of(e, &f, &c, &order))
        return false;
    const struct side *side = c.carries ? c.carried : c.value;
    rows(e, &count);
    const u32 n = joined(e, &side[0], &side[1], &all);
    if (n < 2 || count > ROWS_MOST || !fits(&c.value[0], order) || !fits(&c.value[1], order) ||
        !fits(&side[0], order) || !fits(&side[1], order))
        return false;
    *word = form(e, all, n, order, c.carries);
    return true;
}
