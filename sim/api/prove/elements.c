/* The elements that a proof compares, in the result and in words. */
#include "sim/api/prove/prove.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/bits.h"
#include "sim/prove/reassociate.h"

enum {
    SHOWN = 4,        /* most groups of elements of a buffer that are listed */
    LENGTH = 60,      /* of a description */
    DESCRIBED = 4096, /* most elements in a group */
    NUMBERS = 64      /* most indices in a description that may differ */
};

/* ---- the elements ---- */

/*
 * Classifies elements that the first kernel leaves: "bits" are rearranged or complemented, "computed" ones operated on.
 */
static void classify(struct proof *p, u32 buffer, u64 element, struct heddle_proof_element *out) {
    u32 bit[64], from, n = 8 * proof_size(p, buffer);
    bool constant = true, plain = true, fresh = false;
    proof_bits(p, 0, buffer, element, bit);
    *out = (struct heddle_proof_element){.buffer = p->describe.buffer[buffer].name, .element = element};
    out->assumed = p->assuming && p->unlike[buffer][element];
    for (u32 i = 0; i < n; i++) {
        u32 atom = bit_atom(bit[i]);
        constant &= bit_known(bit[i]);
        plain &= bit_known(bit[i]) || term_at(&p->terms, atom)->code == ATOM_INPUT;
        fresh |= p->source[atom].fresh != 0;
    }
    out->kind = fresh ? "unwritten" : constant ? "constant" : plain ? "bits" : "computed";
    if (!describe_copy(&p->describe, bit, n, &from, &out->from_element))
        return;
    out->from = p->describe.buffer[from].name;
    out->kind = from == buffer && out->from_element == element ? "kept" : "copy";
}

bool proof_tell_elements(struct proof *p) {
    u64 n = 0;
    for (u32 i = 0; i < p->count; i++)
        n += p->written[i] && p->role[i] != HEDDLE_ROLE_SCRATCH ? p->buffer[i]->count : 0;
    struct heddle_proof_element *list = arena_alloc(&p->h->result, n * sizeof *list);
    p->out->elements = list;
    for (u32 i = 0; list && i < p->count; i++)
        for (u64 k = 0; k < p->buffer[i]->count && p->written[i] && p->role[i] != HEDDLE_ROLE_SCRATCH; k++)
            classify(p, i, k, &list[p->out->nelements++]);
    return list != NULL;
}

/* ---- in words ---- */

/* Prints "640 elements of dst: 512 copies of elements, 128 left as they were". */
static void say_kinds(const struct proof *p, u32 buffer, const struct heddle_proof_element *e, struct buf *out) {
    static const struct {
        const char *kind, *one, *many;
    } names[] = {{"copy", "a copy of an element", "copies of elements"},
                 {"kept", "left as it was", "left as they were"},
                 {"constant", "constant", "constant"},
                 {"bits", "made of the bits of elements", "made of the bits of elements"},
                 {"computed", "computed", "computed"},
                 {"unwritten", "not known, because it depends on uninitialised values",
                  "not known, because they depend on uninitialised values"}};
    u64 all = p->buffer[buffer]->count;
    const char *separator = ": ";
    buf_printf(out, "  %s element%s of %s", grouped(all).text, all == 1 ? "" : "s", e->buffer);
    for (u32 k = 0; k < COUNT_OF(names); k++) {
        u64 n = 0;
        for (u64 i = 0; i < all; i++)
            n += strcmp(e[i].kind, names[k].kind) == 0;
        if (!n)
            continue;
        buf_printf(out, "%s%s %s", separator, grouped(n).text, n == 1 ? names[k].one : names[k].many);
        separator = ", ";
    }
    buf_putc(out, '\n');
}

/* Neighbouring elements whose descriptions differ in indices that grow evenly: "y[0..99] = min.u32(x[0..99], 100)". */
struct group {
    struct buf text; /* of the first */
    u64 first, n;
    s64 step[NUMBERS]; /* of each index in the text */
};

/* True if the text is that of the next element. */
static bool continues(struct group *g, const char *text) {
    const char *a = g->text.data;
    u32 k = 0;
    while (*a && *a == *text) {
        const bool index = *a++ == '[' && k < NUMBERS;
        char *after, *other;
        text++;
        if (!index)
            continue;
        const s64 was = strtoll(a, &after, 10), is = strtoll(text, &other, 10);
        if (g->n == 1)
            g->step[k] = is - was;
        if (is != was + g->step[k++] * (s64)g->n)
            return false;
        a = after;
        text = other;
    }
    return *a == *text;
}

/* Prints indices from one on: "5", "0..99", "0..198 by 2". */
static void say_range(s64 first, s64 step, u64 n, struct buf *out) {
    const s64 last = first + step * (s64)(n - 1);
    buf_printf(out, "%lld", (long long)first);
    if (step && n > 1)
        buf_printf(out, "..%lld", (long long)last);
    if (step && step != 1 && n > 1)
        buf_printf(out, " by %lld", (long long)step);
}

static void say_group(const struct group *g, const char *name, struct buf *out) {
    const char *at = g->text.data;
    u32 k = 0;
    buf_printf(out, "%s[", name);
    say_range((s64)g->first, 1, g->n, out);
    buf_puts(out, "] = ");
    while (*at) {
        const bool index = *at == '[' && k < NUMBERS;
        buf_putc(out, *at++);
        if (!index)
            continue;
        char *after;
        const s64 first = strtoll(at, &after, 10);
        say_range(first, g->step[k++], g->n, out);
        at = after;
    }
}

/* Describes the group of at most `most` elements from g->first on. */
static void group_from(struct proof *p, u32 buffer, const struct heddle_proof_element *e, u64 most, struct group *g) {
    struct describe d = p->describe;
    struct buf text = {0};
    u32 bit[64];
    const u64 end = min_u64(p->buffer[buffer]->count, g->first + most);
    d.length = LENGTH;
    g->text.len = g->n = 0;
    for (u64 k = g->first; k < end && strcmp(e[k].kind, "kept") != 0; k++) {
        struct buf *to = g->n ? &text : &g->text;
        to->len = 0;
        proof_bits(p, 0, buffer, k, bit);
        describe_bits(&d, bit, 8 * proof_size(p, buffer), to);
        if (to->failed || (g->n && !continues(g, text.data ? text.data : "")))
            break;
        g->n++;
    }
    g->text.failed |= text.failed;
    buf_free(&text);
}

/* Prints the first groups of elements that changed; copies and constants one by one, on one line. */
static void say_elements(struct proof *p, u32 buffer, const struct heddle_proof_element *e, struct buf *out) {
    struct group g = {.n = 0};
    u32 shown = 0;
    bool lines = false;
    for (u64 k = 0; k < p->buffer[buffer]->count && shown <= SHOWN && !g.text.failed; k++) {
        if (strcmp(e[k].kind, "kept") == 0)
            continue;
        lines |= strcmp(e[k].kind, "copy") != 0 && strcmp(e[k].kind, "constant") != 0;
        buf_puts(out, !shown ? "    " : lines ? "\n    " : ", ");
        if (shown++ == SHOWN) {
            buf_puts(out, "...");
            break;
        }
        g.first = k;
        group_from(p, buffer, e, lines ? DESCRIBED : 1, &g);
        if (!g.n)
            break;
        say_group(&g, e[k].buffer, out);
        k += g.n - 1;
    }
    buf_puts(out, shown ? "\n" : "");
    out->failed |= g.text.failed;
    buf_free(&g.text);
}

/* Prints the instructions whose order was assumed not to matter: "add.f32 and add.f64". */
static void say_sums(const struct proof *p, struct buf *out) {
    const char *separator = "";
    for (u32 op = 0; op < OP_COUNT; op++) {
        bool some = false;
        if (!sums_of(op, 0) || sums_of(op, 0)->add != op)
            continue;
        for (u32 atom = 1; atom < term_atoms(&p->terms) && !some; atom++)
            some = term_at(&p->terms, atom)->code == op;
        if (some)
            buf_printf(out, "%s%s", separator, isa_rows[op].name);
        separator = some ? " and " : separator;
    }
}

/* Prints which elements are equal only as the assumption has it: "y[0..255]: equal under reassociation of add.f32". */
static void say_assumed(const struct proof *p, u32 buffer, const struct heddle_proof_element *e, struct buf *out) {
    u64 n = 0, all = p->buffer[buffer]->count;
    u32 ranges = 0;
    for (u64 k = 0, end; k < all; k = end + 1) {
        for (end = k; end < all && e[end].assumed == e[k].assumed;)
            end++;
        end -= 1;
        if (!e[k].assumed)
            continue;
        n += end - k + 1;
        if (ranges++ > SHOWN)
            continue;
        buf_puts(out, ranges == 1 ? "  " : ", ");
        if (ranges > SHOWN) {
            buf_puts(out, "...");
            continue;
        }
        buf_printf(out, "%s[", e->buffer);
        say_range((s64)k, 1, end - k + 1, out);
        buf_putc(out, ']');
    }
    if (!n)
        return;
    buf_puts(out, ": equal under reassociation of ");
    say_sums(p, out);
    buf_printf(out, " (%s element%s)\n", grouped(n).text, n == 1 ? "" : "s");
}

void proof_say_elements(struct proof *p, struct buf *out) {
    const struct heddle_proof_element *e = p->out->elements;
    for (u32 i = 0; i < p->count; i++) {
        if (!p->written[i] || p->role[i] == HEDDLE_ROLE_SCRATCH || !p->buffer[i]->count)
            continue;
        say_kinds(p, i, e, out);
        say_assumed(p, i, e, out);
        say_elements(p, i, e, out);
        e += p->buffer[i]->count;
    }
    if (!p->out->nelements)
        buf_puts(out, "  neither writes to a buffer that is compared\n");
}
