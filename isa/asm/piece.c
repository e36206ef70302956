/* Splits lines of bodies into pieces: verbatim text, and replacements of \NAMEs. */
#include "isa/asm/asm.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/ascii.h"

static bool is_param_part(char c) {
    return is_alphanumeric(c) || c == '_';
}

static bool same_name(const struct token *a, const char *text, u32 len) {
    return a->len == len && memcmp(a->text, text, len) == 0;
}

static void put_decimal(struct piece *p, u32 n) {
    p->len = (u32)snprintf(p->decimal, sizeof p->decimal, "%u", n);
    p->text = p->decimal;
}

const struct expansion *piece_param(const struct assembler *as, u32 e, const char *name, u32 len, u32 *param) {
    while (e != NONE) {
        const struct expansion *x = AT(struct expansion, as->macros.expansions, e);
        for (*param = 0; *param < x->macro->nparams; ++*param)
            if (same_name(&x->macro->param[*param], name, len))
                return x;
        e = x->macro->repeat ? x->parent : NONE;
    }
    return NULL;
}

/* The replacement of a backslash and its name. */
static void replace(const struct assembler *as, u32 expansion, const char *s, const char *end, struct piece *p) {
    const char *name = s + 1, *q = name;
    if (end - name >= 2 && name[0] == '(' && name[1] == ')') {
        p->width = 3;
        return;
    }
    if (name < end && *name == '@') {
        p->width = 2;
        put_decimal(p, AT(struct expansion, as->macros.expansions, expansion)->number);
        return;
    }
    while (q < end && is_param_part(*q))
        q++;
    u32 param;
    const struct expansion *x = piece_param(as, expansion, name, (u32)(q - name), &param);
    p->width = (u32)(q - s);
    p->unknown = x == NULL;
    if (x && x->macro->repeat) {
        put_decimal(p, x->round);
    } else if (x) {
        p->text = x->arg[param].text;
        p->len = x->arg[param].len;
    }
}

/* The end of verbatim text: a backslash outside of strings, or the comment. */
static const char *written_end(const char *s, const char *end) {
    bool in_string = false;
    for (; s < end; s++) {
        if (in_string && *s == '\\' && end - s > 1)
            s++;
        else if (*s == '"')
            in_string = !in_string;
        else if (!in_string && (*s == '\\' || *s == ';' || (*s == '/' && end - s > 1 && s[1] == '/')))
            break;
    }
    return s;
}

bool piece_next(const struct assembler *as, const struct made_line *made, const char *end, u32 at, struct piece *p) {
    const char *s = made->text + at, *q = written_end(s, end);
    *p = (struct piece){.text = s, .from = at, .as_written = q > s};
    if (q > s)
        p->len = p->width = (u32)(q - s);
    else if (s < end && *s == '\\')
        replace(as, made->expansion, s, end, p);
    return p->width > 0;
}
