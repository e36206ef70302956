/* The table of expressions: atoms and words, each found again by its content. */
#include "sim/prove/term.h"

#include <string.h>

enum word_form { FORM_CONST, FORM_SLICE, FORM_BITS };

/* ---- finding entries ---- */

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

enum { BUFS = 11 };

static void all_bufs(struct terms *e, struct buf *all[BUFS]) {
    struct buf *const list[BUFS] = {&e->atoms,  &e->operands,   &e->words,      &e->bits,
                                    &e->fresh,  &e->winners,    &e->candidates, &e->winner_index,
                                    &e->joined, &e->atom_index, &e->word_index};
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

u32 term_of_board(struct terms *e, u32 sreg, u32 value) {
    if (e->of_board[sreg] == WORD_NONE)
        e->of_board[sreg] = term_fresh(e, &(struct fresh){.kind = FRESH_BOARD, .number = sreg, .value = value});
    return e->of_board[sreg];
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
        return a->code >= ATOM_TABLE ? 1 : 32;
    const struct isa_row *row = &isa_rows[a->code];
    if (row->kind == ROW_ATOM)
        return 32 * (a->count / 3);
    return row->operand[0].kind == K_PRED ? 1 : row->operand[0].kind == K_REG2 ? 64 : 32;
}
