/* The table of expressions: atoms and words, each found again by its content. */
#include "sim/prove/term.h"

#include <string.h>

enum word_form { FORM_CONST, FORM_SLICE, FORM_BITS };

/* ---- finding what is there ---- */

static u32 hash_words(const u32 *v, u32 n, u32 h) {
    for (u32 i = 0; i < n; i++) {
        h = (h ^ v[i]) * 0x9e3779b1u;
        h ^= h >> 15;
    }
    return h;
}

static u32 *slots(const struct buf *index) {
    return (u32 *)(void *)index->data;
}

static u32 slot_count(const struct buf *index) {
    return (u32)(index->len / sizeof(u32));
}

/* Makes the index twice as large, empty. */
static bool index_grow(struct terms *e, struct buf *index) {
    struct buf larger = {.budget = index->budget};
    size_t bytes = index->len ? 2 * index->len : 4096 * sizeof(u32);
    if (!buf_push(&larger, bytes)) {
        e->failed = true;
        return false;
    }
    buf_free(index);
    *index = larger;
    return true;
}

static const struct word *word_at(const struct terms *e, u32 word) {
    return (const struct word *)(const void *)e->words.data + word;
}

static const u32 *bits_at(const struct terms *e, u32 place) {
    return (const u32 *)(const void *)e->bits.data + place;
}

static u32 word_count(const struct terms *e) {
    return (u32)(e->words.len / sizeof(struct word));
}

static u32 word_hash(u8 form, u32 at, const u32 *bit) {
    return form == FORM_BITS ? hash_words(bit, 32, form) : hash_words(&at, 1, form);
}

static u32 atom_hash(const struct atom *a, const u32 *operands) {
    return hash_words(operands, a->count, (u32)a->code << 16 | a->mods);
}

static void place(struct buf *index, u32 hash, u32 number) {
    u32 mask = slot_count(index) - 1, at = hash & mask;
    while (slots(index)[at])
        at = (at + 1) & mask;
    slots(index)[at] = number + 1;
}

static void words_reindex(struct terms *e) {
    if (2 * word_count(e) < slot_count(&e->word_index) || !index_grow(e, &e->word_index))
        return;
    for (u32 i = 1; i < word_count(e); i++) {
        const struct word *w = word_at(e, i);
        place(&e->word_index, word_hash(w->form, w->at, w->form == FORM_BITS ? bits_at(e, w->at) : NULL), i);
    }
}

static void atoms_reindex(struct terms *e) {
    if (2 * term_atoms(e) < slot_count(&e->atom_index) || !index_grow(e, &e->atom_index))
        return;
    for (u32 i = 1; i < term_atoms(e); i++)
        place(&e->atom_index, atom_hash(term_at(e, i), term_operands(e, i)), i);
}

/* ---- words ---- */

bool term_init(struct terms *e) {
    *e = (struct terms){0};
    words_reindex(e);
    atoms_reindex(e);
    /* Number 0 stands for no word, and for the atom that is the constant 0. */
    if (!buf_push(&e->words, sizeof(struct word)) || !buf_push(&e->atoms, sizeof(struct atom)))
        e->failed = true;
    return !e->failed;
}

enum { BUFS = 7 };

static void all_bufs(struct terms *e, struct buf *all[BUFS]) {
    struct buf *const list[BUFS] = {&e->atoms, &e->operands,   &e->words,     &e->bits,
                                    &e->fresh, &e->atom_index, &e->word_index};
    memcpy(all, list, sizeof list);
}

bool term_bound(struct terms *e, struct budget *budget) {
    struct buf *all[BUFS];
    all_bufs(e, all);
    for (u32 i = 0; i < BUFS; i++) {
        if (!budget_take(budget, all[i]->cap))
            return false;
        all[i]->budget = budget;
    }
    return true;
}

void term_free(struct terms *e) {
    struct buf *all[BUFS];
    all_bufs(e, all);
    for (u32 i = 0; i < BUFS; i++)
        buf_free(all[i]);
}

/* The word of that form, found or made. */
static u32 word_intern(struct terms *e, u8 form, u32 at, const u32 *bit) {
    u32 hash = word_hash(form, at, bit), mask = slot_count(&e->word_index) - 1;
    for (u32 i = hash & mask, found; (found = slots(&e->word_index)[i]) != 0; i = (i + 1) & mask) {
        const struct word *w = word_at(e, found - 1);
        if (w->form == form &&
            (form == FORM_BITS ? memcmp(bits_at(e, w->at), bit, 32 * sizeof *bit) == 0 : w->at == at))
            return found - 1;
    }
    u32 number = word_count(e);
    if (form == FORM_BITS) {
        at = (u32)(e->bits.len / sizeof(u32));
        buf_append(&e->bits, bit, 32 * sizeof *bit);
    }
    struct word *w = buf_push(&e->words, sizeof *w);
    if (!w || e->bits.failed || number >= ATOMS_MAX) {
        e->failed = true;
        return number < 2 ? WORD_NONE : 1;
    }
    *w = (struct word){.form = form, .at = at};
    place(&e->word_index, hash, number);
    words_reindex(e);
    return number;
}

u32 term_const(struct terms *e, u32 value) {
    return word_intern(e, FORM_CONST, value, NULL);
}

u32 term_slice(struct terms *e, u32 atom, u32 low) {
    return word_intern(e, FORM_SLICE, bit_of(atom, low), NULL);
}

u32 term_word(struct terms *e, const u32 bit[32]) {
    bool known = true, slice = (bit[0] & BIT_NOT) == 0 && (bit[0] & 63) <= 32 && !bit_known(bit[0]);
    u32 value = 0;
    for (u32 i = 0; i < 32; i++) {
        known &= bit_known(bit[i]);
        slice &= bit[i] == bit[0] + i;
        value |= (bit[i] >> 31) << i;
    }
    if (known)
        return term_const(e, value);
    return slice ? word_intern(e, FORM_SLICE, bit[0], NULL) : word_intern(e, FORM_BITS, 0, bit);
}

void term_bits(const struct terms *e, u32 word, u32 bit[32]) {
    const struct word *w = word_at(e, word);
    if (w->form == FORM_BITS) {
        memcpy(bit, bits_at(e, w->at), 32 * sizeof *bit);
        return;
    }
    for (u32 i = 0; i < 32; i++)
        bit[i] = w->form == FORM_SLICE ? w->at + i : w->at >> i & 1 ? BIT_1 : BIT_0;
}

bool term_value(const struct terms *e, u32 word, u32 *value) {
    const struct word *w = word_at(e, word);
    *value = w->at;
    return w->form == FORM_CONST && word != WORD_NONE;
}

bool term_neighbours(const struct terms *e, u32 word, u32 *bit) {
    const struct word *w = word_at(e, word);
    *bit = w->at;
    return w->form == FORM_SLICE;
}

u32 term_input(struct terms *e, u32 buffer, u32 word) {
    const u32 operands[] = {buffer, word};
    return term_slice(e, term_atom(e, ATOM_INPUT, 0, 2, operands), 0);
}

u32 term_fresh(struct terms *e, const struct fresh *f) {
    u32 number = (u32)(e->fresh.len / sizeof *f);
    buf_append(&e->fresh, f, sizeof *f);
    if (e->fresh.failed)
        e->failed = true;
    return term_slice(e, term_atom(e, ATOM_FRESH, 0, 1, &number), 0);
}

/* ---- atoms ---- */

u32 term_atom(struct terms *e, u32 code, u32 mods, u32 count, const u32 *operands) {
    struct atom a = {.code = (u16)code, .mods = (u16)mods, .count = count};
    u32 hash = atom_hash(&a, operands), mask = slot_count(&e->atom_index) - 1;
    for (u32 i = hash & mask, found; (found = slots(&e->atom_index)[i]) != 0; i = (i + 1) & mask) {
        const struct atom *other = term_at(e, found - 1);
        if (other->code == a.code && other->mods == a.mods && other->count == count &&
            (count == 0 || memcmp(term_operands(e, found - 1), operands, count * sizeof *operands) == 0))
            return found - 1;
    }
    u32 number = term_atoms(e);
    a.first = (u32)(e->operands.len / sizeof *operands);
    buf_append(&e->operands, operands, count * sizeof *operands);
    struct atom *made = buf_push(&e->atoms, sizeof *made);
    if (!made || e->operands.failed || number >= ATOMS_MAX || e->operands.len / sizeof *operands > UINT32_MAX / 2) {
        e->failed = true;
        return 0;
    }
    *made = a;
    place(&e->atom_index, hash, number);
    atoms_reindex(e);
    return number;
}

u32 term_width(const struct terms *e, u32 atom) {
    const struct atom *a = term_at(e, atom);
    if (a->code >= OP_COUNT)
        return a->code == ATOM_TABLE ? 1 : 32;
    const struct isa_row *row = &isa_rows[a->code];
    if (row->kind == ROW_ATOM)
        return 32 * (a->count / 3);
    return row->operand[0].kind == K_PRED ? 1 : row->operand[0].kind == K_REG2 ? 64 : 32;
}

/* ---- functions of up to three bits ---- */

/* A function as its truth table over `n` different bits; assignment m gives the bit var[k] the value m >> k & 1. */
struct function {
    u32 table;
    u32 n;
    u32 var[3]; /* ascending, none complemented */
};

static void add_variable(struct function *f, u32 bit) {
    u32 at = 0;
    while (at < f->n && f->var[at] < bit)
        at++;
    if (at < f->n && f->var[at] == bit)
        return;
    memmove(&f->var[at + 1], &f->var[at], (f->n - at) * sizeof *f->var);
    f->var[at] = bit;
    f->n++;
}

/* The value of a bit under an assignment of the variables. */
static u32 assigned(const struct function *f, u32 bit, u32 m) {
    u32 flip = bit >> 31;
    for (u32 k = 0; k < f->n; k++)
        if (f->var[k] == (bit & ~BIT_NOT))
            return (m >> k & 1) ^ flip;
    return flip;
}

/* The table without variable k, which has the value `value`. */
static u32 cofactor(const struct function *f, u32 k, u32 value) {
    u32 table = 0, low = (1u << k) - 1;
    for (u32 m = 0; m < 1u << (f->n - 1); m++)
        table |= (f->table >> ((m & low) | value << k | (m & ~low) << 1) & 1) << m;
    return table;
}

static void drop_idle_variables(struct function *f) {
    for (u32 k = f->n; k-- > 0;) {
        u32 table = cofactor(f, k, 0);
        if (table != cofactor(f, k, 1))
            continue;
        f->table = table;
        f->n--;
        memmove(&f->var[k], &f->var[k + 1], (f->n - k) * sizeof *f->var);
    }
}

/* The truth table's value of a variable that is itself a function, under an assignment of `f`. */
static u32 inner_value(const struct terms *e, u32 bit, const struct function *f, u32 m) {
    const u32 *list = term_operands(e, bit_atom(bit));
    u32 at = 0;
    for (u32 k = 1; k < term_at(e, bit_atom(bit))->count; k++)
        at |= assigned(f, list[k], m) << (k - 1);
    return list[0] >> at & 1;
}

/* Puts the variables of variable k in its place, when it is a function and they and the others are at most three. */
static bool unfold(const struct terms *e, struct function *f, u32 k) {
    u32 bit = f->var[k], n = 0, all[6];
    struct function larger = {0};
    if (term_at(e, bit_atom(bit))->code != ATOM_TABLE)
        return false;
    for (u32 i = 0; i < f->n; i++)
        if (i != k)
            all[n++] = f->var[i];
    for (u32 i = 1; i < term_at(e, bit_atom(bit))->count; i++)
        all[n++] = term_operands(e, bit_atom(bit))[i];
    for (u32 i = 0; i < n; i++) {
        bool seen = false;
        for (u32 j = 0; j < i; j++)
            seen |= all[j] == all[i];
        if (!seen && larger.n == 3)
            return false;
        add_variable(&larger, all[i]);
    }
    for (u32 m = 0; m < 1u << larger.n; m++) {
        u32 at = 0;
        for (u32 i = 0; i < f->n; i++)
            at |= (i == k ? inner_value(e, bit, &larger, m) : assigned(&larger, f->var[i], m)) << i;
        larger.table |= (f->table >> at & 1) << m;
    }
    *f = larger;
    drop_idle_variables(f);
    return true;
}

u32 term_function(struct terms *e, u8 table, const u32 abc[3]) {
    struct function f = {0};
    for (u32 i = 0; i < 3; i++)
        if (!bit_known(abc[i]))
            add_variable(&f, abc[i] & ~BIT_NOT);
    for (u32 m = 0; m < 1u << f.n; m++) {
        u32 at = assigned(&f, abc[0], m) * 4 + assigned(&f, abc[1], m) * 2 + assigned(&f, abc[2], m);
        f.table |= (u32)(table >> at & 1) << m;
    }
    drop_idle_variables(&f);
    for (u32 k = 0; k < f.n; k++)
        if (unfold(e, &f, k))
            k = UINT32_MAX; /* from the first again */
    u32 flip = f.table & 1; /* of two complementary functions the one that is 0 where all bits are 0 */
    if (flip)
        f.table ^= (1u << (1u << f.n)) - 1;
    u32 bit = BIT_0;
    if (f.n == 1) {
        bit = f.var[0];
    } else if (f.n) {
        const u32 operands[] = {f.table, f.var[0], f.var[1], f.var[2]};
        bit = bit_of(term_atom(e, ATOM_TABLE, 0, 1 + f.n, operands), 0);
    }
    return bit ^ (flip ? BIT_NOT : 0);
}

/* The bit where `condition`, which is no constant and not complemented, has a value. */
static u32 given(struct terms *e, u32 bit, u32 condition, u32 value, u32 depth) {
    const struct atom *a = term_at(e, bit_atom(bit));
    u32 abc[3] = {BIT_0, BIT_0, BIT_0}, n = a->count - 1;
    u8 table = 0;
    bool changed = false;
    if ((bit & ~BIT_NOT) == condition)
        return (value ? BIT_1 : BIT_0) ^ (bit & BIT_NOT);
    if (bit_known(bit) || a->code != ATOM_TABLE || depth == 0)
        return bit;
    for (u32 m = 0; m < 8; m++) /* bit m of the table for a = m & 1, b = m >> 1 & 1, c = m >> 2, as in an atom */
        table |= (u8)((term_operands(e, bit_atom(bit))[0] >> (m & ((1u << n) - 1)) & 1)
                      << ((m & 1) * 4 + (m >> 1 & 1) * 2 + (m >> 2)));
    for (u32 k = 0; k < n; k++) {
        u32 was = term_operands(e, bit_atom(bit))[k + 1];
        abc[k] = given(e, was, condition, value, depth - 1);
        changed |= abc[k] != was;
    }
    return changed ? term_function(e, table, abc) ^ (bit & BIT_NOT) : bit;
}

u32 term_given(struct terms *e, u32 bit, u32 condition, u32 value) {
    enum { DEPTH = 4 };
    return bit_known(condition) ? bit : given(e, bit, condition & ~BIT_NOT, value ^ condition >> 31, DEPTH);
}

u32 term_choose(struct terms *e, u32 condition, u32 yes, u32 no) {
    const u32 abc[] = {condition, term_given(e, yes, condition, 1), term_given(e, no, condition, 0)};
    return term_function(e, 0xca, abc);
}
