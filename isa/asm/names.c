/* Names: one hash table for units, symbols, labels and matched mnemonics; suggestions for unknown names. */
#include "isa/asm/asm.h"

#include <stdio.h>
#include <string.h>

#include "isa/check.h"
#include "sim/base/mix.h"

struct slot {
    const char *text; /* NULL: free */
    u32 len;
    u32 scope;
    u32 space;
    u32 index;
};

static u64 hash_name(enum name_space space, u32 scope, const struct token *name) {
    u64 h = fnv_1a(FNV_BASIS ^ ((u64)scope << 8 | space), name->text, name->len);
    return (h ^ h >> 29) * 0x9e3779b97f4a7c15u >> 16;
}

/* The slot that holds the name, or the free one where it belongs. */
static struct slot *find_slot(const struct list *slots, enum name_space space, u32 scope, const struct token *name) {
    u32 mask = slots->count - 1, i = (u32)hash_name(space, scope, name) & mask;
    for (;; i = (i + 1) & mask) {
        struct slot *s = AT(struct slot, *slots, i);
        if (!s->text || (s->len == name->len && s->scope == scope && s->space == (u32)space &&
                         memcmp(s->text, name->text, name->len) == 0))
            return s;
    }
}

u32 names_find(const struct assembler *as, enum name_space space, u32 scope, const struct token *name) {
    if (as->slots.count == 0)
        return NONE;
    const struct slot *s = find_slot(&as->slots, space, scope, name);
    return s->text ? s->index : NONE;
}

static bool grow(struct assembler *as) {
    struct list bigger = {.count = as->slots.count ? as->slots.count * 2 : 256};
    if (bigger.count == 0 || !buf_push(&bigger.bytes, (size_t)bigger.count * sizeof(struct slot))) {
        as->nomem = true;
        buf_free(&bigger.bytes);
        return false;
    }
    for (u32 i = 0; i < as->slots.count; i++) {
        const struct slot *s = AT(struct slot, as->slots, i);
        const struct token name = {.text = s->text, .len = s->len};
        if (s->text)
            *find_slot(&bigger, (enum name_space)s->space, s->scope, &name) = *s;
    }
    buf_free(&as->slots.bytes);
    as->slots = bigger;
    return true;
}

bool names_add(struct assembler *as, enum name_space space, u32 scope, const struct token *name, u32 index) {
    if (as->names >= as->slots.count / 2 && !grow(as))
        return false;
    struct slot *s = find_slot(&as->slots, space, scope, name);
    as->names += s->text == NULL;
    *s = (struct slot){.text = name->text, .len = name->len, .scope = scope, .space = space, .index = index};
    return true;
}

const char *symbol_kind_name(enum symbol_kind kind) {
    switch (kind) {
    case SYM_EQU: return "a number";
    case SYM_PARAM: return "a parameter";
    case SYM_SHARED: return "shared data";
    case SYM_LOCAL: return "local data";
    case SYM_CONST: return "constant data";
    case SYM_GLOBAL: return "a module variable";
    case SYM_REG: return "a register";
    case SYM_PRED: return "a predicate";
    }
    return "a name";
}

u32 symbol_find(const struct assembler *as, const struct token *name) {
    u32 found = as->unit == NONE ? NONE : names_find(as, NAMES_SYMBOLS, as->unit, name);
    return found != NONE ? found : names_find(as, NAMES_SYMBOLS, NONE, name);
}

bool names_check_length(struct assembler *as, const struct token *name) {
    if (name->len <= NAME_LEN_MAX)
        return true;
    return asm_error(as, token_span(name), NAME_TOO_LONG);
}

u32 symbol_add(struct assembler *as, u32 scope, const struct token *name, enum symbol_kind kind) {
    if (!names_check_length(as, name))
        return NONE;
    if (name_reserved(name->text, name->len)) {
        asm_error(as, token_span(name), "'%.*s' is reserved and cannot name %s", token_shown(name), name->text,
                  symbol_kind_name(kind));
        return NONE;
    }
    u32 old = names_find(as, NAMES_SYMBOLS, scope, name);
    if (old != NONE) {
        const struct symbol *s = asm_symbol(as, old);
        asm_error(as, token_span(name), "'%.*s' is already the name of %s, on %s", token_shown(name), name->text,
                  symbol_kind_name((enum symbol_kind)s->kind), asm_line_name(as, s->name.line).text);
        return NONE;
    }
    u32 index = as->symbols.count;
    struct symbol *s = list_push(as, &as->symbols, sizeof *s);
    if (!s || !names_add(as, NAMES_SYMBOLS, scope, name, index))
        return NONE;
    s->name = *name;
    s->kind = (u8)kind;
    return index;
}

/* ---- suggestions ---- */

/* NUL-terminated copies of candidate names for nearest_name. */
enum { COPY = 49, COPIES_MAX = 1024 };

static void copy_name(struct buf *copies, const struct token *name) {
    if (name->len >= COPY || copies->len >= COPY * COPIES_MAX)
        return;
    char *copy = buf_push(copies, COPY);
    if (copy)
        memcpy(copy, name->text, name->len);
}

static const char *copied(const void *ctx, size_t i) {
    return (const char *)ctx + i * COPY;
}

/* "; did you mean 'x'?", or "" when nothing is near. Frees the copies. */
static const char *suggestion(struct assembler *as, struct buf *copies, const struct token *word, char out[80]) {
    struct buf text = {0};
    out[0] = '\0';
    if (word->len > 1 && word->len < COPY && copies->len > 0) { /* single letters are all near one another */
        buf_append(&text, word->text, word->len);
        const char *near = text.failed ? NULL : nearest_name(text.data, copies->len / COPY, copied, copies->data);
        if (near)
            snprintf(out, 80, "; did you mean '%s'?", near);
    }
    as->nomem |= text.failed || copies->failed;
    buf_free(&text);
    buf_free(copies);
    return out;
}

/* Index after the last symbol declared in unit `u`; NONE stands for the lines before the first unit. */
static u32 symbols_end(struct assembler *as, u32 u) {
    u32 next = u == NONE ? 0 : u + 1;
    return next < as->units.count ? asm_unit(as, next)->first_symbol : as->symbols.count;
}

/*
 * True if the name belongs to another kernel or function, which has names of its own: reported once for each unit,
 * since all that were taken for common would follow.
 */
static bool of_another_unit(struct assembler *as, const struct token *name) {
    u32 other = 0;
    while (other < as->units.count && (other == as->unit || names_find(as, NAMES_SYMBOLS, other, name) == NONE))
        other++;
    if (as->unit == NONE || other == as->units.count)
        return false;
    struct body *here = asm_unit(as, as->unit), *there = asm_unit(as, other);
    if (here->foreign_name)
        return true;
    here->foreign_name = true;
    asm_error(as, token_span(name), "'%.*s' is a name of '%.*s', and a %s has names of its own: .reg declares them%s",
              token_shown(name), name->text, token_shown(&there->name), there->name.text,
              here->function ? "function" : "kernel",
              here->function ? ", numbered registers (r0) carry arguments and results" : "");
    return true;
}

void names_unknown_symbol(struct assembler *as, const struct token *name) {
    struct buf copies = {0};
    char out[80];
    if (of_another_unit(as, name))
        return;
    if (asm_suggests(as)) {
        for (u32 i = 0, n = symbols_end(as, NONE); i < n; i++)
            copy_name(&copies, &asm_symbol(as, i)->name);
        for (u32 i = as->unit == NONE ? 0 : asm_unit(as, as->unit)->first_symbol, n = symbols_end(as, as->unit); i < n;
             i++)
            copy_name(&copies, &asm_symbol(as, i)->name);
    }
    asm_error(as, token_span(name), "unknown name '%.*s'%s", token_shown(name), name->text,
              suggestion(as, &copies, name, out));
}

const char *names_near(struct assembler *as, const struct token *list, u32 n, const struct token *name, char out[80]) {
    struct buf copies = {0};
    for (u32 i = 0; asm_suggests(as) && i < n; i++)
        copy_name(&copies, &list[i]);
    return suggestion(as, &copies, name, out);
}

const char *names_near_macro(struct assembler *as, const struct token *name, char out[80]) {
    struct buf copies = {0};
    for (u32 i = 0; asm_suggests(as) && i < as->macros.all.count; i++)
        copy_name(&copies, &(*AT(struct macro *, as->macros.all, i))->name);
    return suggestion(as, &copies, name, out);
}

u32 names_label(struct assembler *as, const struct token *name) {
    u32 found = names_find(as, NAMES_LABELS, as->unit, name);
    if (found != NONE)
        return found;
    const struct token *unit = &asm_unit(as, as->unit)->name;
    if (names_find(as, NAMES_UNITS, NONE, name) != NONE) {
        asm_error(as, token_span(name), "'%.*s' is not a label of '%.*s'; a function is entered by 'call'",
                  token_shown(name), name->text, token_shown(unit), unit->text);
        return NONE;
    }
    struct buf copies = {0};
    char out[80];
    for (u32 i = asm_unit(as, as->unit)->first_label; asm_suggests(as) && i < as->labels.count; i++) {
        if (AT(struct label, as->labels, i)->unit != as->unit)
            break;
        copy_name(&copies, &AT(struct label, as->labels, i)->name);
    }
    asm_error(as, token_span(name), "'%.*s' has no label '%.*s'%s", token_shown(unit), unit->text, token_shown(name),
              name->text, suggestion(as, &copies, name, out));
    return NONE;
}

u32 names_function(struct assembler *as, const struct token *name) {
    u32 found = names_find(as, NAMES_UNITS, NONE, name);
    if (found != NONE && asm_unit(as, found)->function)
        return found;
    if (found != NONE) {
        asm_error(as, token_span(name), "'%.*s' is a kernel; only a '.func' can be called", token_shown(name),
                  name->text);
        return NONE;
    }
    struct buf copies = {0};
    char out[80];
    for (u32 i = 0; asm_suggests(as) && i < as->units.count; i++)
        if (asm_unit(as, i)->function)
            copy_name(&copies, &asm_unit(as, i)->name);
    asm_error(as, token_span(name), "there is no function '%.*s'%s", token_shown(name), name->text,
              suggestion(as, &copies, name, out));
    return NONE;
}

bool names_misplaced_macro(struct assembler *as, const struct token *name, bool guarded) {
    u32 index = names_find(as, NAMES_MACROS, NONE, name);
    if (index == NONE)
        return false;
    const struct macro *m = *AT(struct macro *, as->macros.all, index);
    if (guarded)
        asm_error(as, token_span(name), "'%.*s' is a macro and takes no guard; the instructions in it can have one",
                  token_shown(name), name->text);
    else
        asm_error(as, token_span(name), "macro '%.*s' is defined below, on %s; its definition comes first",
                  token_shown(name), name->text, asm_line_name(as, m->name.line).text);
    return true;
}
