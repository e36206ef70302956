/*
 * Mnemonics: which row and which modifiers a dotted name stands for.
 *
 * A row (or alias) matches when its own words stand in the name in their order, the first word first, and every other
 * word is a value of one of the row's modifier groups, each group at most once. Of several the one with most words
 * wins.
 */
#include "isa/asm/asm.h"

#include <stdio.h>
#include <string.h>

enum { WORDS_MAX = 10 };

struct words {
    struct token word[WORDS_MAX];
    u32 count;
};

static bool split(const char *text, u32 len, const struct token *whole, struct words *w) {
    w->count = 0;
    for (u32 start = 0;; w->count++) {
        if (w->count == WORDS_MAX)
            return false;
        const char *dot = memchr(text + start, '.', len - start);
        u32 end = dot ? (u32)(dot - text) : len;
        w->word[w->count] = (struct token){
            .text = text + start, .len = end - start, .line = whole->line, .col = whole->col + start, .kind = T_NAME};
        if (!dot)
            break;
        start = end + 1;
    }
    w->count++;
    return true;
}

struct token mnemonic_word(const struct token *t, u32 n) {
    struct words w;
    return split(t->text, t->len, t, &w) && n < w.count ? w.word[n] : *t;
}

static bool word_equal(const struct token *a, const struct token *b) {
    return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

/* Rows, then aliases. */
static size_t form_count(void) {
    return OP_COUNT + isa_alias_count;
}

static const char *form_name(size_t i) {
    return i < OP_COUNT ? isa_rows[i].name : isa_aliases[i - OP_COUNT].name;
}

static u32 form_op(size_t i) {
    if (i < OP_COUNT)
        return (u32)i;
    const char *row = isa_aliases[i - OP_COUNT].doc;
    return (u32)isa_find(row, strlen(row));
}

static void form_words(size_t i, struct words *w) {
    const struct token nowhere = {0};
    split(form_name(i), (u32)strlen(form_name(i)), &nowhere, w);
}

static bool in_family(size_t i, const struct token *first) {
    const char *name = form_name(i);
    return strncmp(name, first->text, first->len) == 0 && (name[first->len] == '.' || name[first->len] == '\0');
}

bool mnemonic_known(const struct token *t) {
    const struct token first = mnemonic_word(t, 0);
    for (size_t i = 0; i < form_count(); i++)
        if (in_family(i, &first))
            return true;
    return false;
}

/* True if the words of a form of the family stand in the name in their order; `left` gets a bit for every other one. */
static bool is_subsequence(const struct words *form, const struct words *name, u32 *left) {
    u32 next = 0;
    *left = 0;
    for (u32 i = 0; i < name->count; i++) {
        if (next < form->count && word_equal(&form->word[next], &name->word[i]))
            next++;
        else
            *left |= 1u << i;
    }
    return next == form->count;
}

static const struct isa_mod *find_mod(u32 op, const struct token *word) {
    for (size_t i = 0; i < isa_mod_count; i++)
        if (isa_rows[op].groups >> isa_mods[i].group & 1 && token_is(word, isa_mods[i].text))
            return &isa_mods[i];
    return NULL;
}

/* Takes the words that are left as modifiers; the number of the first that cannot be one, 0 if all can. */
static u32 take_modifiers(const struct words *name, u32 left, struct mnemonic *m) {
    m->mods = inst_blank((enum op)m->op).mods;
    memset(m->word, 0, sizeof m->word);
    for (u32 i = 1; i < name->count; i++) {
        if (!(left >> i & 1))
            continue;
        const struct isa_mod *mod = find_mod(m->op, &name->word[i]);
        if (!mod || m->word[mod->group])
            return i;
        const struct isa_group *g = &isa_groups[mod->group];
        u32 mask = ((1u << g->bits) - 1) << g->shift;
        m->mods = (u16)((m->mods & ~mask) | (u32)mod->value << g->shift);
        m->word[mod->group] = (u8)i;
    }
    return 0;
}

/* ---- what is wrong ---- */

/* Appends "a, b or c". */
struct listing {
    char text[160];
    u32 len;
    u32 count;
    bool more; /* truncated */
};

static void list_word(struct listing *l, const char *word) {
    size_t n = strlen(word);
    if (l->more || l->len + n + 8 > sizeof l->text) {
        l->more = true;
        return;
    }
    l->len += (u32)snprintf(l->text + l->len, sizeof l->text - l->len, "%s%s", l->count ? ", " : "", word);
    l->count++;
}

static const char *list_end(struct listing *l) {
    if (l->more)
        snprintf(l->text + l->len, sizeof l->text - l->len, ", ...");
    return l->text;
}

/* True if this is how the value is printed: the first of its spellings. */
static bool is_first_spelling(size_t mod) {
    for (size_t i = 0; i < mod; i++)
        if (isa_mods[i].group == isa_mods[mod].group && isa_mods[i].value == isa_mods[mod].value)
            return false;
    return true;
}

/* The modifiers of these groups (M_ bits). */
static void list_mods(u32 groups, struct listing *l) {
    for (size_t i = 0; i < isa_mod_count; i++)
        if (groups >> isa_mods[i].group & 1 && is_first_spelling(i))
            list_word(l, isa_mods[i].text);
}

static bool wrong_modifier(struct assembler *as, const struct words *name, u32 wrong, const struct mnemonic *m) {
    const struct token *w = &name->word[wrong];
    const struct isa_row *row = &isa_rows[m->op];
    const struct isa_mod *mod = find_mod(m->op, w);
    struct token first = name->word[0], shown = *w;
    if (w->len == 0) { /* two dots: underline them */
        shown.text--;
        shown.col--;
        shown.len = 1;
        asm_error(as, token_span(&shown), "a word is missing after this '.'");
    } else if (mod) {
        const struct token *other = &name->word[m->word[mod->group]];
        asm_error(as, token_span(w), "'%.*s' and '%.*s' exclude each other: %s", token_shown(other), other->text,
                  token_shown(w), w->text, isa_groups[mod->group].doc);
    } else if (row->groups) {
        struct listing l = {.len = 0};
        list_mods(row->groups, &l);
        asm_error(as, token_span(w), "'%s' has no modifier '%.*s'; it takes %s", row->name, token_shown(w), w->text,
                  list_end(&l));
    } else {
        asm_error(as, token_span(w), "'%s' takes no modifiers, and there is no '%.*s' with '%.*s'", row->name,
                  token_shown(&first), first.text, token_shown(w), w->text);
    }
    return false;
}

static bool missing_modifier(struct assembler *as, const struct token *t, u32 group) {
    struct listing l = {.len = 0};
    list_mods(1u << group, &l);
    return asm_error(as, token_span(t), "'%.*s' needs a %s: %s", token_shown(t), t->text,
                     group == GROUP_MTYPE ? "type" : "modifier", list_end(&l));
}

static const char *any_form(const void *ctx, size_t i) {
    (void)ctx;
    return form_name(i);
}

static const char *form_of_family(const void *ctx, size_t i) {
    return in_family(i, ctx) ? form_name(i) : NULL;
}

/* First words without the rest, for the nearest family; ctx is a buffer for one. */
struct first_words {
    char (*text)[24];
};

static const char *first_word(const void *ctx, size_t i) {
    const struct first_words *f = ctx;
    size_t len = strcspn(form_name(i), ".");
    if (len >= sizeof f->text[0])
        return NULL;
    memcpy(f->text[i], form_name(i), len);
    f->text[i][len] = '\0';
    return f->text[i];
}

/* The first form of the family with the rest of the name, else just the first form. */
static const char *form_like(const char *family, const char *rest) {
    size_t len = strlen(family);
    const char *found = NULL;
    for (size_t i = 0; i < form_count(); i++) {
        const char *form = form_name(i);
        if (strncmp(form, family, len) != 0 || (form[len] != '.' && form[len] != '\0'))
            continue;
        if (strcmp(form + len, rest) == 0)
            return form;
        found = found ? found : form;
    }
    return found;
}

static const char *nearest_in_other_family(struct assembler *as, const char *name) {
    char word[24] = "";
    size_t len = strcspn(name, ".");
    struct first_words f = {.text = arena_alloc(&as->scratch, form_count() * sizeof f.text[0])};
    if (len >= sizeof word || !f.text)
        return NULL;
    memcpy(word, name, len);
    const char *family = nearest_name(word, form_count(), first_word, &f);
    return family ? form_like(family, name + len) : nearest_name(name, form_count(), any_form, NULL);
}

/* Reports a name without a form: an unknown first word, or words that no form of it has. */
static bool unknown(struct assembler *as, const struct token *t, const struct words *name, bool guarded) {
    char copy[48] = "";
    memcpy(copy, t->text, t->len < sizeof copy ? t->len : 0);
    struct token first = name->word[0];
    struct listing l = {.len = 0};
    u32 family = 0;
    if (strncmp(copy, "barrier.cluster", strlen("barrier.cluster")) == 0)
        return asm_error(as, token_span(t),
                         "'%.*s' needs clusters of blocks, which are not there; 'bar.sync' waits for a block",
                         token_shown(t), t->text);
    for (size_t i = 0; i < form_count(); i++) {
        if (in_family(i, &first)) {
            family++;
            if (i < OP_COUNT)
                list_word(&l, form_name(i));
        }
    }
    bool look = asm_suggests(as) && copy[0];
    char macro[80];
    if (family == 0 && names_misplaced_macro(as, t, guarded))
        return false;
    if (family == 0 && *names_near_macro(as, t, macro)) {
        asm_error(as, token_span(t), "unknown instruction '%.*s'%s", token_shown(t), t->text, macro);
    } else if (family == 0) {
        const char *near = look ? nearest_in_other_family(as, copy) : NULL;
        asm_error(as, token_span(&first), "unknown instruction '%.*s'%s%s%s", token_shown(t), t->text,
                  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "; 'heddle doc isa' lists them all");
    } else if (name->count == 1) {
        asm_error(as, token_span(t), "'%.*s' is incomplete; there is %s", token_shown(t), t->text, list_end(&l));
    } else {
        const char *near = look ? nearest_name(copy, form_count(), form_of_family, &first) : NULL;
        if (near)
            asm_error(as, token_span(t), "there is no '%.*s'; did you mean '%s'?", token_shown(t), t->text, near);
        else
            asm_error(as, token_span(t), "there is no '%.*s'; there is %s", token_shown(t), t->text, list_end(&l));
    }
    return false;
}

/* ---- matching ---- */

/* The form with most words that fits; if its modifiers do not, `*wrong` is the first that does not. */
static bool best_form(const struct words *name, struct mnemonic *m, u32 *wrong) {
    u32 best = 0, best_wrong = 0;
    for (size_t i = 0; i < form_count(); i++) {
        struct words form;
        struct mnemonic candidate = {.op = 0};
        u32 left;
        if (!in_family(i, &name->word[0]))
            continue;
        form_words(i, &form);
        if (!is_subsequence(&form, name, &left))
            continue;
        candidate.op = form_op(i);
        u32 bad = take_modifiers(name, left, &candidate);
        /* One that fits is better than one that does not, however many words that has. */
        bool better = best == 0 || (!bad && best_wrong) || (!bad == !best_wrong && form.count > best);
        if (better) {
            best = form.count;
            best_wrong = bad;
            *m = candidate;
        }
    }
    *wrong = best_wrong;
    return best != 0;
}

static bool match(struct assembler *as, const struct token *t, bool guarded, struct mnemonic *m) {
    struct words name;
    u32 wrong = 0;
    if (!split(t->text, t->len, t, &name))
        return asm_error(as, token_span(t), "unknown instruction: more than %d words", WORDS_MAX);
    if (!best_form(&name, m, &wrong))
        return unknown(as, t, &name, guarded);
    if (wrong)
        return wrong_modifier(as, &name, wrong, m);
    for (u32 g = 0; g < GROUP_COUNT; g++)
        if (isa_rows[m->op].groups >> g & 1 && isa_groups[g].def < 0 && !m->word[g])
            return missing_modifier(as, t, g);
    return true;
}

bool mnemonic_match(struct assembler *as, const struct token *t, bool guarded, struct mnemonic *m) {
    u32 known = names_find(as, NAMES_MNEMONICS, NONE, t);
    if (known != NONE) {
        *m = *AT(struct mnemonic, as->mnemonics, known);
        return true;
    }
    if (!match(as, t, guarded, m))
        return false;
    u32 index = as->mnemonics.count;
    struct mnemonic *kept = list_push(as, &as->mnemonics, sizeof *kept);
    if (kept) {
        *kept = *m;
        names_add(as, NAMES_MNEMONICS, NONE, t, index);
    }
    return true;
}
