/* Two expressions in words, down to where they differ. */
#include "sim/prove/describe.h"

#include <stdlib.h>
#include <string.h>

#include "sim/prove/source.h"

enum { OUTER = 3, OPERANDS_TOLD = 256 };

/* An operation around the compared bits, and their place among its operands; or one bit of several. */
struct around {
    u32 atom;
    u32 bit; /* without an atom */
    bool before, after;
};

/* The compared bits, from the outside to the inside. */
struct place {
    const struct describe *d;
    u32 bit[2][64];
    u32 n;
    struct around around[OUTER]; /* the innermost, in turn */
    u32 depth;
};

/* Operands of nested operations of one kind. */
struct list {
    u32 word[OPERANDS_TOLD][2];
    u32 n;
    bool whole;
};

static void enter(struct place *p, struct around in, const u32 *a, const u32 *b, u32 n) {
    p->around[p->depth++ % OUTER] = in;
    memmove(p->bit[0], a, n * sizeof *a);
    memmove(p->bit[1], b, n * sizeof *b);
    p->n = n;
}

/* Operation whose result all bits are, in order; 0 where there is none. */
static u32 operation_of(const struct place *p, u32 side) {
    const u32 *bit = p->bit[side];
    for (u32 i = 1; i < p->n; i++)
        if (bit[i] != bit[0] + i)
            return 0;
    u32 code = term_at(p->d->e, bit_atom(bit[0]))->code;
    return bit_known(bit[0]) || code == ATOM_INPUT || code == ATOM_FRESH ? 0 : bit_atom(bit[0]);
}

static void words_bits(const struct terms *e, const u32 *word, u32 n, u32 *bit) {
    for (u32 h = 0; h < n; h++)
        term_bits(e, word[h], bit + 32 * h);
}

/* ---- operations whose order does not matter ---- */

static void collect(const struct terms *e, u32 atom, struct list *l) {
    const u32 *operand = term_operands(e, atom);
    u32 n = term_at(e, atom)->count / 2, low, high = 0;
    for (u32 k = 0; k < 2; k++) {
        const u32 *word = operand + k * n;
        bool nested = term_neighbours(e, word[0], &low) && !(low & 63);
        nested = nested && (n == 1 || (term_neighbours(e, word[1], &high) && high == low + 32));
        if (nested && source_same(e, bit_atom(low), atom)) {
            collect(e, bit_atom(low), l);
        } else if (l->n == OPERANDS_TOLD) {
            l->whole = false;
        } else {
            l->word[l->n][0] = word[0];
            l->word[l->n++][1] = n == 2 ? word[1] : WORD_NONE;
        }
    }
}

static int by_word(const void *a, const void *b) {
    return memcmp(a, b, 2 * sizeof(u32));
}

/* Takes out what both have. */
static void lists_differ(struct list *a, struct list *b) {
    u32 i = 0, k = 0, na = 0, nb = 0;
    qsort(a->word, a->n, sizeof *a->word, by_word);
    qsort(b->word, b->n, sizeof *b->word, by_word);
    while (i < a->n || k < b->n) {
        int order = i == a->n ? 1 : k == b->n ? -1 : by_word(a->word[i], b->word[k]);
        if (order < 0)
            memmove(a->word[na++], a->word[i], sizeof *a->word);
        if (order > 0)
            memmove(b->word[nb++], b->word[k], sizeof *b->word);
        i += order <= 0;
        k += order >= 0;
    }
    a->n = na;
    b->n = nb;
}

static void tell_list(const struct describe *d, u32 atom, const struct list *l, struct buf *out) {
    u32 halves = term_at(d->e, atom)->count / 2, bit[64];
    size_t first = out->len;
    describe_operation(d, atom, out);
    buf_puts(out, "(...");
    for (u32 i = 0; i < l->n && out->len < first + DESCRIBE_LENGTH; i++) {
        buf_puts(out, ", ");
        words_bits(d->e, l->word[i], halves, bit);
        describe_bits(d, bit, 32 * halves, out);
    }
    buf_putc(out, ')');
}

/* ---- one step inside ---- */

/* Steps into the one operand that two operations of any order do not share; else lists those that differ. */
static bool step_list(struct place *p, const u32 atom[2], struct buf rest[2]) {
    const struct terms *e = p->d->e;
    struct list list[2] = {{.whole = true}, {.whole = true}};
    u32 n = term_at(e, atom[0])->count / 2;
    collect(e, atom[0], &list[0]);
    collect(e, atom[1], &list[1]);
    lists_differ(&list[0], &list[1]);
    if (list[0].whole && list[1].whole && list[0].n == 1 && list[1].n == 1) {
        u32 x[64], y[64];
        words_bits(e, list[0].word[0], n, x);
        words_bits(e, list[1].word[0], n, y);
        enter(p, (struct around){.atom = atom[0], .before = true}, x, y, 32 * n);
        return true;
    }
    for (u32 side = 0; side < 2; side++)
        tell_list(p->d, atom[side], &list[side], &rest[side]);
    return false;
}

/* Steps into the first operand that differs; false if that is a number. */
static bool step_operand(struct place *p, const u32 atom[2]) {
    const struct terms *e = p->d->e;
    const u32 *x = term_operands(e, atom[0]), *y = term_operands(e, atom[1]), count = term_at(e, atom[0])->count;
    u32 k = 0, size, one[64], other[64];
    for (;; k += size) {
        size = source_operand(e, atom[0], k) == OPERAND_WORD ? source_together(e, atom[0], k) : 1;
        if (k + size >= count || memcmp(x + k, y + k, size * sizeof *x) != 0)
            break;
    }
    if (source_operand(e, atom[0], k) == OPERAND_NUMBER)
        return false;
    bool word = source_operand(e, atom[0], k) == OPERAND_WORD;
    one[0] = x[k];
    other[0] = y[k];
    if (word) {
        words_bits(e, x + k, size, one);
        words_bits(e, y + k, size, other);
    }
    const struct around in = {.atom = atom[0], .before = k > 0, .after = k + size < count};
    enter(p, in, one, other, word ? 32 * size : 1);
    return true;
}

/* False at the innermost; with `rest` filled where only a part of the operands of two operations is different. */
static bool step(struct place *p, struct buf rest[2]) {
    const struct terms *e = p->d->e;
    u32 atom[2] = {operation_of(p, 0), operation_of(p, 1)}, first = 0;
    const struct atom *a = term_at(e, atom[0]), *b = term_at(e, atom[1]);
    bool alike =
        atom[0] && atom[1] && source_same(e, atom[0], atom[1]) && ((p->bit[0][0] ^ p->bit[1][0]) & (BIT_NOT | 63)) == 0;
    if (alike && describe_flat(e, a->code))
        return step_list(p, atom, rest);
    if (alike && a->count == b->count)
        return step_operand(p, atom);
    while (p->bit[0][first] == p->bit[1][first])
        first++;
    if (p->n == 1)
        return false;
    enter(p, (struct around){.bit = first}, &p->bit[0][first], &p->bit[1][first], 1);
    return true;
}

/* ---- in words ---- */

static void wrap(const struct place *p, struct buf *out, const struct buf *inner) {
    u32 shown = p->depth < OUTER ? p->depth : OUTER;
    buf_puts(out, p->depth > OUTER ? "... " : "");
    for (u32 i = p->depth - shown; i < p->depth; i++) {
        const struct around *in = &p->around[i % OUTER];
        if (in->atom)
            describe_operation(p->d, in->atom, out);
        else
            buf_printf(out, "bit %u: ", in->bit);
        buf_puts(out, in->atom ? in->before ? "(..., " : "(" : "");
    }
    buf_puts(out, inner->data ? inner->data : "");
    for (u32 i = p->depth; i-- > p->depth - shown;) {
        const struct around *in = &p->around[i % OUTER];
        buf_puts(out, in->atom ? in->after ? ", ...)" : ")" : "");
    }
}

static bool same_text(const struct buf *a, const struct buf *b) {
    return a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}

static bool is_short(const struct buf *text) {
    return !text->data || !strstr(text->data, "...");
}

void describe_difference(const struct describe *d, const u32 *a, const u32 *b, u32 n, struct buf out[2]) {
    struct place p = {.d = d, .n = n};
    struct buf text[2] = {{0}, {0}};
    memcpy(p.bit[0], a, n * sizeof *a);
    memcpy(p.bit[1], b, n * sizeof *b);
    for (bool inside = true; inside;) {
        for (u32 side = 0; side < 2; side++) {
            text[side].len = 0;
            describe_bits(d, p.bit[side], p.n, &text[side]);
        }
        if (is_short(&text[0]) && is_short(&text[1]) && !same_text(&text[0], &text[1]))
            break;
        struct buf rest[2] = {{0}, {0}};
        inside = memcmp(p.bit[0], p.bit[1], p.n * sizeof *a) != 0 && step(&p, rest);
        for (u32 side = 0; side < 2; side++) {
            if (rest[side].len) {
                buf_free(&text[side]);
                text[side] = rest[side];
            }
        }
    }
    for (u32 side = 0; side < 2; side++) {
        bool same = same_text(&text[0], &text[1]);
        struct buf inner = {0};
        buf_append(&inner, text[side].data ? text[side].data : "", text[side].len);
        if (same) /* when both texts are the same */
            buf_printf(&inner, " #%u.%u", bit_atom(p.bit[side][0]), p.bit[side][0] & 63);
        wrap(&p, &out[side], &inner);
        out[side].failed |= inner.failed || text[side].failed;
        buf_free(&inner);
    }
    buf_free(&text[0]);
    buf_free(&text[1]);
}
