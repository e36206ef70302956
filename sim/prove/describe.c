#include "sim/prove/describe.h"

#include <string.h>

#include "isa/laws.h"
#include "isa/print.h"
#include "sim/prove/logic.h"
#include "sim/prove/reassociate.h"
#include "sim/prove/source.h"

enum { DEPTH = 5, RUNS = 4 };

/* One description in progress. */
struct telling {
    const struct describe *d;
    struct buf *out;
    /* Length of `out` after which all is "...". Indices count as one digit, so that neighbours end alike. */
    size_t *limit;
};

static void tell_bits(const struct telling *t, const u32 *bit, u32 n, u32 depth);
static bool tell_function(const struct telling *t, const u32 *bit, u32 n, u32 depth);

/* A stretch of bits of one place, in order. */
struct stretch {
    u32 n;
    bool flip;
    u32 atom; /* 0: constant */
    u32 low;  /* position in the atom; of an input, in its buffer */
    u64 at;   /* of an input: position in the buffer, in bits */
};

static u64 input_position(const struct terms *e, u32 bit) {
    return 32 * (u64)term_operands(e, bit_atom(bit))[1] + (bit & 63);
}

static bool is_input(const struct terms *e, u32 bit) {
    return !bit_known(bit) && term_at(e, bit_atom(bit))->code == ATOM_INPUT;
}

/* True if b follows a in the place of both. */
static bool follows(const struct terms *e, u32 a, u32 b) {
    if (bit_known(a) || bit_known(b))
        return bit_known(a) && bit_known(b);
    if ((a ^ b) & BIT_NOT)
        return false;
    if (is_input(e, a) && is_input(e, b))
        return term_operands(e, bit_atom(a))[0] == term_operands(e, bit_atom(b))[0] &&
               input_position(e, b) == input_position(e, a) + 1;
    return b == a + 1;
}

static struct stretch stretch_at(const struct terms *e, const u32 *bit, u32 n) {
    struct stretch s = {.n = 1, .flip = bit[0] >> 31, .atom = bit_atom(bit[0]), .low = bit[0] & 63};
    while (s.n < n && follows(e, bit[s.n - 1], bit[s.n]))
        s.n++;
    if (is_input(e, bit[0]))
        s.at = input_position(e, bit[0]);
    return s;
}

bool describe_copy(const struct describe *d, const u32 *bit, u32 n, u32 *buffer, u64 *element) {
    if (!is_input(d->e, bit[0]) || bit[0] & BIT_NOT)
        return false;
    struct stretch s = stretch_at(d->e, bit, n);
    *buffer = term_operands(d->e, s.atom)[0];
    u32 size = 8 * d->buffer[*buffer].bytes;
    *element = s.at / size;
    return s.n == n && n == size && s.at % size == 0;
}

/* ---- text ---- */

static bool full(const struct telling *t, u32 depth) {
    if (depth < DEPTH && t->out->len < *t->limit)
        return false;
    buf_puts(t->out, "...");
    return true;
}

static void tell_input(const struct telling *t, const struct stretch *s) {
    u32 buffer = term_operands(t->d->e, s->atom)[0], size = 8 * t->d->buffer[buffer].bytes;
    u64 first = s->at / size, last = (s->at + s->n - 1) / size;
    const char *name = t->d->buffer[buffer].name;
    u32 low = (u32)(s->at % size), high = (u32)((s->at + s->n - 1) % size);
    for (u64 rest = first; rest > 9; rest /= 10)
        ++*t->limit;
    if (s->n == size && low == 0)
        buf_printf(t->out, "%s[%llu]", name, (unsigned long long)first);
    else if (first != last)
        buf_printf(t->out, "%s[%llu]..%s[%llu]", name, (unsigned long long)first, name, (unsigned long long)last);
    else if (low == high)
        buf_printf(t->out, "bit %u of %s[%llu]", low, name, (unsigned long long)first);
    else
        buf_printf(t->out, "bits %u..%u of %s[%llu]", low, high, name, (unsigned long long)first);
}

static void tell_fresh(const struct telling *t, u32 atom) {
    const struct fresh *f = term_fresh_at(t->d->e, atom);
    const struct launch *l = &t->d->launch[f->side];
    switch (f->kind) {
    case FRESH_REGISTER: register_print(l->program, l->kernel->start, NAME_REGISTER, f->number, t->out); break;
    case FRESH_PREDICATE: register_print(l->program, l->kernel->start, NAME_PREDICATE, f->number, t->out); break;
    case FRESH_TRANSIT: buf_printf(t->out, "x%u", f->number); break;
    case FRESH_SHARED: buf_printf(t->out, "shared[%u]", 4 * f->number); break;
    case FRESH_LOCAL: buf_printf(t->out, "local[%u]", 4 * f->number); break;
    case FRESH_SPECIAL: buf_printf(t->out, "%s (of %c)", isa_sregs[f->number].name, 'A' + (int)f->side); return;
    case FRESH_SIZE: buf_puts(t->out, f->number ? "the period" : "the size in periods"); return;
    case FRESH_ADDRESS: buf_printf(t->out, "the address of %s", t->d->buffer[f->number / 2].name); return;
    case FRESH_BOARD: buf_printf(t->out, "%s (of any board)", isa_sregs[f->number].name); return;
    }
    buf_printf(t->out, " (never written, of %c)", 'A' + (int)f->side);
}

static void tell_words(const struct telling *t, u32 atom, u32 k, u32 halves, u32 depth) {
    u32 bit[64];
    for (u32 h = 0; h < halves; h++)
        term_bits(t->d->e, term_operands(t->d->e, atom)[k + h], bit + 32 * h);
    tell_bits(t, bit, 32 * halves, depth);
}

bool describe_flat(const struct terms *e, u32 code) {
    static const bool flat[OP_COUNT] = {
#define WHOLE(id, like, halves, sign) \
    [OP_##id] = WHOLE_##like == WHOLE_ADD || WHOLE_##like == WHOLE_MUL || WHOLE_##like == WHOLE_MIN || \
                WHOLE_##like == WHOLE_MAX,
#define EXTREME(id, halves, nothing, all) [OP_##id] = true,
#include "isa/laws.def"
    };
    const struct sums *sums = e->reassociate && code < OP_COUNT ? sums_of(code, 0) : NULL;
    return code < OP_COUNT && (flat[code] || (sums && sums->add == code));
}

/* Atom whose whole result words `k` and following are, if it is an instruction like that of `atom`. */
static u32 nested(const struct terms *e, u32 atom, u32 k, u32 halves) {
    u32 low, high;
    if (!describe_flat(e, term_at(e, atom)->code) || !term_neighbours(e, term_operands(e, atom)[k], &low) || low & 63)
        return 0;
    if (halves == 2 && (!term_neighbours(e, term_operands(e, atom)[k + 1], &high) || high != low + 32))
        return 0;
    return source_same(e, bit_atom(low), atom) ? bit_atom(low) : 0;
}

static void tell_operands(const struct telling *t, u32 atom, u32 depth) {
    const struct terms *e = t->d->e;
    const struct atom *a = term_at(e, atom);
    for (u32 k = 0; k < a->count;) {
        enum operand_is is = source_operand(e, atom, k);
        u32 operand = term_operands(e, atom)[k], halves = is == OPERAND_WORD ? source_together(e, atom, k) : 1;
        u32 inner = is == OPERAND_WORD ? nested(e, atom, k, halves) : 0;
        if (k && t->out->len >= *t->limit) {
            bool ended = t->out->len > 3 && strcmp(t->out->data + t->out->len - 3, "...") == 0;
            buf_puts(t->out, ended ? "" : ", ...");
            return;
        }
        const size_t before = t->out->len;
        buf_puts(t->out, k ? ", " : "");
        if (inner)
            tell_operands(t, inner, depth);
        else if (is == OPERAND_WORD)
            tell_words(t, atom, k, halves, depth + 1);
        else if (is == OPERAND_BIT)
            tell_bits(t, &operand, 1, depth + 1);
        else
            buf_printf(t->out, "0x%x", operand);
        if (k && t->out->len - before == 5 && strcmp(t->out->data + before - 3, "..., ...") == 0)
            t->out->len = before; /* one "..." stands for this operand, too */
        k += halves;
    }
}

void describe_operation(const struct describe *d, u32 atom, struct buf *out) {
    const struct atom *a = term_at(d->e, atom);
    if (a->code >= ATOM_TABLE) {
        buf_puts(out, a->code == ATOM_XOR ? "xor" : a->code == ATOM_AND ? "and" : "bits");
        return;
    }
    struct inst i = inst_blank((enum op)a->code);
    i.mods = a->mods;
    mnemonic_print(&i, out);
}

static void tell_operation(const struct telling *t, u32 atom, u32 depth) {
    describe_operation(t->d, atom, t->out);
    buf_putc(t->out, '(');
    tell_operands(t, atom, depth);
    buf_putc(t->out, ')');
}

static void tell_stretch(const struct telling *t, const u32 *bit, const struct stretch *s, u32 depth) {
    const struct terms *e = t->d->e;
    if (!s->atom) {
        u64 value = 0;
        for (u32 i = 0; i < s->n; i++)
            value |= (u64)(bit[i] >> 31) << i;
        buf_printf(t->out, value < 1000 ? "%llu" : "0x%llx", (unsigned long long)value);
        return;
    }
    buf_puts(t->out, s->flip ? "~" : "");
    if (is_input(e, bit[0])) {
        tell_input(t, s);
        return;
    }
    u32 high = s->low + s->n - 1;
    if (s->n == 1 && term_width(e, s->atom) > 1)
        buf_printf(t->out, "bit %u of ", s->low);
    else if (s->n < term_width(e, s->atom))
        buf_printf(t->out, "bits %u..%u of ", s->low, high);
    if (term_at(e, s->atom)->code == ATOM_FRESH)
        tell_fresh(t, s->atom);
    else if (s->n == 1 && term_at(e, s->atom)->code == ATOM_TABLE)
        tell_function(t, &(u32){bit[0] & ~BIT_NOT}, 1, depth);
    else
        tell_operation(t, s->atom, depth);
}

/* "and", "or", "xor" of all `n` bits; NULL for another function. */
static const char *function_name(u64 table, u32 n) {
    u64 all = n == TABLE_BITS ? ~(u64)0 : ((u64)1 << (1u << n)) - 1, sum = 0;
    for (u32 k = 0; k < n; k++)
        sum ^= logic_column(k, n);
    if (table == sum)
        return "xor";
    return table == (u64)1 << ((1u << n) - 1) ? "and" : table == (all & ~(u64)1) ? "or" : NULL;
}

/* Operand k of each bit's function: bits, one where they are all the same. */
static void tell_operand(const struct telling *t, const u32 *bit, u32 n, u32 k, u32 depth) {
    u32 of[64];
    bool same = true;
    for (u32 i = 0; i < n; i++) {
        of[i] = term_operands(t->d->e, bit_atom(bit[i]))[k];
        same &= of[i] == of[0];
    }
    tell_bits(t, of, same ? 1 : n, depth + 1);
}

/* Bit by bit the same function, of neighbouring bits: one function of words. */
static bool tell_function(const struct telling *t, const u32 *bit, u32 n, u32 depth) {
    const struct terms *e = t->d->e;
    const u32 first = bit_atom(bit[0]);
    const struct atom *a = term_at(e, first);
    u32 flip = bit[0] & BIT_NOT, from = a->code == ATOM_TABLE ? 2 : 0;
    for (u32 i = 0; i < n; i++) {
        const struct atom *b = term_at(e, bit_atom(bit[i]));
        if (bit_known(bit[i]) || !logic_is(e, bit_atom(bit[i])) || (bit[i] & BIT_NOT) != flip)
            return false;
        if (b->code != a->code || b->count != a->count ||
            memcmp(term_operands(e, bit_atom(bit[i])), term_operands(e, first), from * sizeof(u32)) != 0)
            return false;
    }
    u64 table = from ? logic_table(e, first) : 0;
    const char *name = from ? function_name(table, a->count - from) : a->code == ATOM_XOR ? "xor" : "and";
    buf_puts(t->out, flip ? "~" : "");
    if (name)
        buf_printf(t->out, "%s(", name);
    else
        buf_printf(t->out, "bits(0x%llx, ", (unsigned long long)table);
    for (u32 k = from; k < a->count; k++) {
        buf_puts(t->out, k > from ? ", " : "");
        if (t->out->len >= *t->limit) {
            buf_puts(t->out, "...");
            break;
        }
        tell_operand(t, bit, n, k, depth);
    }
    buf_putc(t->out, ')');
    return true;
}

/*
 * The bit with `condition` held at `value`: itself where it does not depend on it. False when more than one bit is
 * left.
 */
static bool held(const struct terms *e, u32 bit, u32 condition, u32 value, u32 *left) {
    u32 atom = bit_atom(bit), at = 0, rest[TABLE_BITS], count = 0;
    u64 ones = 0;
    *left = bit;
    if (bit_known(bit) || term_at(e, atom)->code != ATOM_TABLE)
        return true;
    const u32 *list = term_operands(e, atom) + 2;
    u32 n = logic_table_bits(e, atom);
    for (u32 k = 0; k < n; k++)
        if (list[k] != condition)
            rest[count++] = list[k];
        else
            at = k;
    if (count == n)
        return true;
    u32 low = (1u << at) - 1;
    for (u32 m = 0; m < 1u << count; m++)
        ones |= (logic_table(e, atom) >> ((m & low) | value << at | (m & ~low) << 1) & 1) << m;
    u64 all = ((u64)1 << (1u << count)) - 1;
    if (ones == 0 || ones == all) {
        *left = (ones ? BIT_1 : BIT_0) ^ (bit & BIT_NOT);
        return true;
    }
    for (u32 k = 0; k < count; k++)
        if (ones == logic_column(k, count) || ones == (~logic_column(k, count) & all)) {
            *left = rest[k] ^ (ones & 1 ? BIT_NOT : 0) ^ (bit & BIT_NOT);
            return true;
        }
    return false;
}

/* Bits that one condition chooses from two words: "p ? x : y". */
static bool tell_choice(const struct telling *t, const u32 *bit, u32 n, u32 depth) {
    const struct terms *e = t->d->e;
    u32 yes[64], no[64], first = 0;
    while (first < n && (bit_known(bit[first]) || term_at(e, bit_atom(bit[first]))->code != ATOM_TABLE))
        first++;
    if (first == n)
        return false;
    const struct atom *a = term_at(e, bit_atom(bit[first]));
    for (u32 k = 2; k < a->count; k++) {
        u32 condition = term_operands(e, bit_atom(bit[first]))[k];
        bool ok = term_at(e, bit_atom(condition))->code != ATOM_INPUT;
        u32 chosen = 0, functions = 0;
        for (u32 i = 0; i < n && ok; i++) {
            ok = held(e, bit[i], condition, 1, &yes[i]) && held(e, bit[i], condition, 0, &no[i]);
            chosen += yes[i] != no[i];
            functions += !bit_known(bit[i]) && term_at(e, bit_atom(bit[i]))->code == ATOM_TABLE;
        }
        if (!ok || 2 * chosen < functions)
            continue;
        tell_bits(t, &condition, 1, depth + 1);
        buf_puts(t->out, " ? ");
        tell_bits(t, yes, n, depth + 1);
        buf_puts(t->out, " : ");
        tell_bits(t, no, n, depth + 1);
        return true;
    }
    return false;
}

/* Known bits, and above them the lower bits of one word: "x << 3", "(x << 3) + 5". */
static bool tell_shift(const struct telling *t, const u32 *bit, u32 n, u32 depth) {
    const struct terms *e = t->d->e;
    u32 whole[64], low = 0;
    u64 value = 0;
    for (; low < n && bit_known(bit[low]); low++)
        value |= (u64)(bit[low] >> 31) << low;
    if (low == 0 || low + 1 >= n || n < 32 || bit[low] & BIT_NOT || stretch_at(e, bit + low, n - low).n != n - low)
        return false;
    u32 atom = bit_atom(bit[low]);
    if (bit[low] & 63 || term_width(e, atom) < n)
        return false;
    for (u32 i = 0; i < n; i++)
        whole[i] = bit_of(atom, i);
    buf_puts(t->out, value ? "(" : "");
    tell_bits(t, whole, n, depth);
    buf_printf(t->out, value ? " << %u) + %llu" : " << %u", low, (unsigned long long)value);
    return true;
}

/* A number, or two of 16 bits, with changed signs. */
static bool tell_negative(const struct telling *t, const u32 *bit, u32 n, u32 depth) {
    u32 whole[64];
    memcpy(whole, bit, n * sizeof *bit);
    whole[n - 1] ^= BIT_NOT;
    bool packed = n == 32 && whole[15] & BIT_NOT;
    whole[15] &= packed ? ~BIT_NOT : ~0u;
    if (n < 32 || whole[0] & (BIT_NOT | 63) || stretch_at(t->d->e, whole, n).n != n)
        return false;
    buf_printf(t->out, packed ? "neg.f16x2(" : "neg.f%u(", n);
    tell_bits(t, whole, n, depth + 1);
    buf_putc(t->out, ')');
    return true;
}

static void tell_bits(const struct telling *t, const u32 *bit, u32 n, u32 depth) {
    const struct terms *e = t->d->e;
    if (full(t, depth))
        return;
    struct stretch s = stretch_at(e, bit, n);
    if (s.n == n) {
        tell_stretch(t, bit, &s, depth);
        return;
    }
    if (n > 1 && (tell_negative(t, bit, n, depth) || tell_shift(t, bit, n, depth) || tell_choice(t, bit, n, depth) ||
                  tell_function(t, bit, n, depth)))
        return;
    buf_putc(t->out, '{');
    u32 runs = 0;
    for (u32 i = 0; i < n; i += s.n, runs++) {
        if (runs == RUNS) {
            buf_puts(t->out, "; ...");
            break;
        }
        s = stretch_at(e, bit + i, n - i);
        buf_puts(t->out, i ? "; " : "");
        if (s.n == 1)
            buf_printf(t->out, "%u: ", i);
        else
            buf_printf(t->out, "%u..%u: ", i, i + s.n - 1);
        tell_stretch(t, bit + i, &s, depth + 1);
    }
    buf_putc(t->out, '}');
}

void describe_bits(const struct describe *d, const u32 *bit, u32 n, struct buf *out) {
    size_t limit = out->len + (d->length ? d->length : DESCRIBE_LENGTH);
    const struct telling t = {.d = d, .out = out, .limit = &limit};
    tell_bits(&t, bit, n, 0);
}
