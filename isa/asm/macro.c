/* Macros and repeats: their definitions and uses. */
#include "isa/asm/asm.h"

#include <stdio.h>
#include <string.h>

#include "isa/check.h"

/* ---- .repeat ---- */

/* The name of a parameter or counter, without its backslash. */
static bool param_name(struct assembler *as, struct token *name) {
    *name = as->tok;
    if (!asm_expect(as, T_NAME, "a name"))
        return false;
    if (!memchr(name->text, '.', name->len) && !memchr(name->text, '$', name->len))
        return names_check_length(as, name);
    return asm_error(as, token_span(name), "the name of a parameter or counter has letters, digits and '_' only");
}

/* COUNT [, NAME] */
static bool repeat_head(struct assembler *as, struct macro *r, u64 *count) {
    if (!expr_in_range(as, 0, MACRO_LINES_MAX, "the number of rounds", count))
        return false;
    if (asm_accept(as, ',')) {
        r->param = arena_alloc(&as->scratch, sizeof *r->param);
        as->nomem |= r->param == NULL;
        if (!r->param || !param_name(as, r->param))
            return false;
        r->nparams = 1;
        if (expand_knows(as, r->param))
            return asm_error(as, token_span(r->param), "'\\%.*s' is already defined here; choose another name",
                             token_shown(r->param), r->param->text);
    }
    return asm_end_of_line(as);
}

bool directive_repeat(struct assembler *as, const struct token *word) {
    struct macro *r = arena_alloc(&as->scratch, sizeof *r);
    struct cursor end;
    u64 count = 0;
    as->nomem |= r == NULL;
    if (!r)
        return false;
    *r = (struct macro){.name = *word, .repeat = true};
    bool ok = repeat_head(as, r, &count);
    const struct cursor body = reader_next(as);
    if (!block_begin(as, BLOCK_REPEAT, word, &end) || !ok)
        return false;
    r->at = body.at;
    r->end = end.at;
    r->line = body.line;
    return count == 0 || reader_start(as, word, r, NULL, (u32)count);
}

/* ---- .macro ---- */

static bool macro_name(struct assembler *as, struct token *name) {
    *name = as->tok;
    if (!asm_expect(as, T_NAME, "the macro's name") || !names_check_length(as, name))
        return false;
    u32 old = names_find(as, NAMES_MACROS, NONE, name);
    const char *text = name->text;
    int shown = token_shown(name);
    if (as->macros.depth)
        asm_error(as, token_span(name), "a macro cannot be defined in a macro or '.repeat'");
    else if (*text == '.')
        asm_error(as, token_span(name), "a macro's name cannot start with '.', which is for directives");
    else if (name_reserved(text, name->len))
        asm_error(as, token_span(name), "'%.*s' is reserved and cannot name a macro", shown, text);
    else if (mnemonic_known(name))
        asm_error(as, token_span(name), "'%.*s' is an instruction; a macro needs another name", shown, text);
    else if (old != NONE)
        asm_error(as, token_span(name), "there is already a macro '%.*s', on %s", shown, text,
                  asm_line_name(as, (*AT(struct macro *, as->macros.all, old))->name.line).text);
    else
        return true;
    return false;
}

/* The parameter of that name; NONE when there is none. */
static u32 find_param(const struct macro *m, const struct token *name) {
    u32 i = 0;
    while (i < m->nparams && (m->param[i].len != name->len || memcmp(m->param[i].text, name->text, name->len) != 0))
        i++;
    return i < m->nparams ? i : NONE;
}

/* The tokens up to a comma outside of brackets: a default or an argument. False after reporting. */
static bool argument(struct assembler *as, const char *what, struct token *arg) {
    u32 brackets = 0;
    *arg = as->tok;
    while (as->tok.kind != T_EOL && (as->tok.kind != ',' || brackets)) {
        if (as->tok.kind == T_BAD)
            return asm_unexpected(as, what);
        if (as->tok.kind == '(' || as->tok.kind == '[')
            brackets++;
        else if ((as->tok.kind == ')' || as->tok.kind == ']') && brackets)
            brackets--;
        asm_next(as);
        arg->len = (u32)(as->last.text + as->last.len - arg->text);
    }
    return (arg->kind != T_EOL && arg->kind != ',') || asm_unexpected(as, what);
}

/* PARAM [= DEFAULT] */
static bool macro_param(struct assembler *as, struct macro *m) {
    struct token name;
    if (!param_name(as, &name))
        return false;
    if (find_param(m, &name) != NONE)
        return asm_error(as, token_span(&name), "the macro already has a parameter '%.*s'", token_shown(&name),
                         name.text);
    if (m->nparams == MACRO_PARAMS_MAX) {
        return asm_error(as, token_span(&name), "a macro has at most %d parameters", MACRO_PARAMS_MAX);
    }
    u32 n = m->nparams++;
    m->param[n] = name;
    return !asm_accept(as, '=') || argument(as, "the parameter's default", &m->preset[n]);
}

/* PARAM [= DEFAULT], PARAM [= DEFAULT], ... */
static bool macro_params(struct assembler *as, struct macro *m) {
    m->param = arena_alloc(&as->scratch, MACRO_PARAMS_MAX * sizeof *m->param);
    m->preset = arena_alloc(&as->scratch, MACRO_PARAMS_MAX * sizeof *m->preset);
    as->nomem |= !m->param || !m->preset;
    if (as->nomem || as->tok.kind == T_EOL)
        return !as->nomem;
    do
        if (!macro_param(as, m))
            return false;
    while (asm_accept(as, ','));
    return asm_end_of_line(as);
}

bool directive_macro(struct assembler *as, const struct token *word) {
    struct macro *m = arena_alloc(&as->scratch, sizeof *m);
    struct cursor end;
    as->nomem |= m == NULL;
    if (!m)
        return false;
    bool named = macro_name(as, &m->name);
    m->wrong = !named || !macro_params(as, m);
    const struct cursor body = reader_next(as);
    bool ended = block_begin(as, BLOCK_MACRO, word, &end);
    m->at = body.at;
    m->end = end.at;
    m->line = body.line;
    m->wrong |= !ended;
    u32 index = as->macros.all.count;
    struct macro **kept = named ? list_push(as, &as->macros.all, sizeof(struct macro *)) : NULL;
    if (kept) {
        *kept = m;
        names_add(as, NAMES_MACROS, NONE, &m->name, index);
    }
    return !m->wrong;
}

/* ---- uses ---- */

/* "'step' takes 2 arguments", "1 to 3 arguments"; and what is missing. */
static bool wrong_count(struct assembler *as, const struct macro *m, struct span at, const struct token *missing) {
    u32 least = 0, most = m->nparams;
    for (u32 i = 0; i < most; i++)
        least += m->preset[i].len == 0;
    char count[32] = "no";
    if (least == 0 && most)
        snprintf(count, sizeof count, "at most %u", most);
    else if (least < most)
        snprintf(count, sizeof count, "%u to %u", least, most);
    else if (most)
        snprintf(count, sizeof count, "%u", most);
    return asm_error(as, at, "'%.*s' takes %s argument%s%s%.*s%s", token_shown(&m->name), m->name.text, count,
                     most == 1 ? "" : "s", missing ? ": expected '" : "", missing ? token_shown(missing) : 0,
                     missing ? missing->text : "", missing ? "'" : "");
}

/* True if an argument starts with NAME=, which is no comparison. */
static bool has_name(const struct assembler *as) {
    struct lex ahead = as->lex;
    struct token sign, next;
    lex_next(&ahead, &sign);
    lex_next(&ahead, &next);
    return as->tok.kind == T_NAME && sign.kind == '=' && next.kind != '=';
}

/* NAME=TOKENS */
static bool named_argument(struct assembler *as, const struct macro *m, struct token *arg) {
    const struct token name = as->tok;
    u32 n = find_param(m, &name);
    if (n == NONE) {
        char near[80];
        return asm_error(as, token_span(&name), "'%.*s' has no parameter '%.*s'%s", token_shown(&m->name), m->name.text,
                         token_shown(&name), name.text, names_near(as, m->param, m->nparams, &name, near));
    }
    if (arg[n].len)
        return asm_error(as, token_span(&name), "'%.*s' is given twice", token_shown(&name), name.text);
    asm_next(as);
    asm_next(as);
    return argument(as, "an argument", &arg[n]);
}

/* ARGUMENT, ..., NAME=ARGUMENT, ... */
static bool arguments(struct assembler *as, const struct macro *m, struct token *arg) {
    bool named = false;
    for (u32 i = 0; as->tok.kind != T_EOL; i++) {
        const struct token start = as->tok;
        if (i && !asm_expect(as, ',', "','"))
            return false;
        if (has_name(as)) {
            named = true;
            if (!named_argument(as, m, arg))
                return false;
        } else if (named && as->tok.kind != T_EOL) {
            return asm_error(as, token_span(&as->tok), "an argument without a name follows one with a name");
        } else if (i >= m->nparams) {
            return wrong_count(as, m, token_span(&start), NULL);
        } else if (as->tok.kind == T_EOL || as->tok.kind == ',') {
            return wrong_count(as, m, token_span(&as->tok), &m->param[i]);
        } else if (!argument(as, "an argument", &arg[i])) {
            return false;
        }
    }
    for (u32 i = 0; i < m->nparams; i++) {
        if (!arg[i].len && !m->preset[i].len)
            return wrong_count(as, m, token_span(&as->tok), &m->param[i]);
        if (!arg[i].len)
            arg[i] = m->preset[i];
    }
    return true;
}

bool macro_use(struct assembler *as) {
    if (as->macros.all.count == 0)
        return false;
    struct token name = as->tok;
    u32 index = names_find(as, NAMES_MACROS, NONE, &name);
    if (index == NONE)
        return false;
    const struct macro *m = *AT(struct macro *, as->macros.all, index);
    for (u32 i = 0; i < as->macros.depth; i++) {
        if (as->macros.reader[i].macro == m) {
            asm_error(as, token_span(&name), "'%.*s' uses itself; a macro repeats with '.repeat'", token_shown(&name),
                      name.text);
            return true;
        }
    }
    struct token *arg = arena_alloc(&as->scratch, m->nparams * sizeof *arg);
    as->nomem |= arg == NULL;
    asm_next(as);
    if (!m->wrong && arg && arguments(as, m, arg))
        reader_start(as, &name, m, arg, 1);
    return true;
}
