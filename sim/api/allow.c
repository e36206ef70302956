#include "sim/api/allow.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/ascii.h"

enum { ALLOWANCES_MOST = 1000, KNOWN_MOST = 100000 };

#define KEY "allow"

/* A line that is read, from `at` to `end`. */
struct cursor {
    struct allowances *a;
    struct diag *diag;
    const char *start, *at, *end;
    u32 line;
    bool known; /* of a baseline */
};

static struct span span_of(const struct cursor *c, struct allow_word w) {
    return (struct span){c->line, (u32)(w.text - c->start) + 1, w.len ? (u32)w.len : 1};
}

static void skip_blanks(struct cursor *c) {
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\r'))
        c->at++;
}

/* Reads a word, or a text in quotes with them; empty at the end and before ':' and ','. */
static struct allow_word next(struct cursor *c) {
    skip_blanks(c);
    struct allow_word w = {c->at, 0};
    if (c->at < c->end && *c->at == '"') {
        const char *close = memchr(c->at + 1, '"', (size_t)(c->end - c->at - 1));
        c->at = close ? close + 1 : c->end;
    } else {
        while (c->at < c->end && !strchr(" \t\r\n:,\"", *c->at))
            c->at++;
    }
    w.len = (size_t)(c->at - w.text);
    return w;
}

static bool is(struct allow_word w, const char *name) {
    return w.len == strlen(name) && memcmp(w.text, name, w.len) == 0;
}

/* ---- names ---- */

/* Names to choose from, for suggestions. */
struct names {
    size_t count;
    const struct program *p;
    u32 kind, unit;
};

static const char *nth_kind(const void *ctx, size_t i) {
    (void)ctx;
    return i < CHECK_KINDS ? check_kinds[i].name : "lint";
}

static const char *nth_class(const void *ctx, size_t i) {
    const struct names *n = ctx;
    if (n->kind == ALLOW_LINT)
        return i < LINT_COUNT ? lint_classes[i].name : NULL;
    return check_classes[i].kind == n->kind && !check_classes[i].proof ? check_classes[i].name : NULL;
}

static const char *nth_label(const void *ctx, size_t i) {
    const struct names *n = ctx;
    const struct program_name *name = &n->p->names[i];
    return name->kind == NAME_LABEL && (n->unit == UINT32_MAX || name->kernel == n->unit) ? name->text : NULL;
}

/* Reports a word that is none of these names: "there is no label 'redcue'; did you mean 'reduce'?" */
static bool unknown(struct cursor *c, struct allow_word w, const char *what,
                    const char *(*nth)(const void *ctx, size_t i), const struct names *names) {
    char word[64];
    struct buf all = {0};
    snprintf(word, sizeof word, "%.*s", (int)(w.len < sizeof word ? w.len : sizeof word - 1), w.text);
    for (size_t i = 0; i < names->count && nth != nth_label; i++)
        if (nth(names, i))
            buf_printf(&all, "%s%s", all.len ? ", " : ": ", nth(names, i));
    const char *near = nearest_name(word, names->count, nth, names);
    const char *list = near || all.failed || !all.len ? "" : all.data;
    if (w.len)
        diag_error(c->diag, span_of(c, w), "there is no %s '%s'%s%s", what, word, list, suggest(near).text);
    else
        diag_error(c->diag, span_of(c, w), "expected a %s%s", what, list);
    buf_free(&all);
    return false;
}

static bool read_class(struct cursor *c, struct allowance *a) {
    struct allow_word w = next(c);
    a->kind = 0;
    while (a->kind <= ALLOW_LINT && !is(w, nth_kind(NULL, a->kind)))
        a->kind++;
    a->class = FOUND_COUNT;
    if (a->kind > ALLOW_LINT)
        return unknown(c, w, "checker", nth_kind, &(struct names){.count = ALLOW_LINT + 1});
    struct cursor before = *c;
    w = next(c);
    struct names names = {.count = FOUND_COUNT, .kind = a->kind};
    if (!w.len || is(w, "in") || is(w, "at")) {
        *c = before;
        return true;
    }
    for (u32 i = 0; i < FOUND_COUNT && a->class == FOUND_COUNT; i++)
        if (nth_class(&names, i) && is(w, nth_class(&names, i)))
            a->class = i;
    return a->class < FOUND_COUNT || unknown(c, w, "finding", nth_class, &names);
}

/* ---- places ---- */

/* Instructions from a label of the unit (UINT32_MAX = any) to the next label. */
static bool find_label(const struct program *p, u32 unit, struct allowance *a) {
    const struct program_name *found = NULL;
    for (u32 i = 0; i < p->nnames && !found; i++)
        if (nth_label(&(struct names){.p = p, .unit = unit}, i) && is(a->label, p->names[i].text))
            found = &p->names[i];
    if (!found)
        return false;
    a->first = found->number;
    a->last = p->kernel[found->kernel].end;
    for (u32 i = 0; i < p->nnames; i++)
        if (p->names[i].kind == NAME_LABEL && p->names[i].kernel == found->kernel && p->names[i].number > a->first &&
            p->names[i].number < a->last)
            a->last = p->names[i].number;
    return true;
}

static bool read_quotes(struct cursor *c, struct allow_word w, struct allowance *a) {
    for (u32 i = 0;; i++) {
        if (i == ALLOW_TEXTS || w.len < 3 || *w.text != '"' || w.text[w.len - 1] != '"')
            return diag_error(c->diag, span_of(c, w), "expected an instruction in quotes, two of them at most");
        a->quote[i] = (struct allow_word){w.text + 1, w.len - 2};
        skip_blanks(c);
        if (c->at == c->end || *c->at != ',')
            return true;
        c->at++;
        w = next(c);
    }
}

/* Reads what follows "at": a label, "line N", or instructions in quotes. */
static bool read_place(struct cursor *c, struct allowance *a) {
    struct allow_word w = next(c);
    if (w.len && *w.text == '"')
        return read_quotes(c, w, a);
    if (!is(w, "line")) {
        a->label = w;
        if (!w.len)
            diag_error(c->diag, span_of(c, w), "expected a label, 'line N', or an instruction in quotes");
        return w.len > 0;
    }
    w = next(c);
    for (size_t i = 0; i < w.len && is_digit(w.text[i]) && a->line < 1u << 28; i++)
        a->line = a->line * 10 + (u32)(w.text[i] - '0');
    if (!a->line)
        diag_error(c->diag, span_of(c, w), "expected the number of a line");
    return a->line > 0;
}

static bool read_reason(struct cursor *c, struct allowance *a) {
    struct allow_word w = next(c);
    if (!w.len && c->at < c->end && *c->at == ':') {
        c->at++;
        skip_blanks(c);
        while (c->end > c->at && (c->end[-1] == ' ' || c->end[-1] == '\t' || c->end[-1] == '\r'))
            c->end--;
        a->reason = arena_strndup(&c->a->arena, c->at, (size_t)(c->end - c->at));
        if (c->at < c->end)
            return true;
    } else if (w.len) {
        return diag_error(c->diag, span_of(c, w), "expected 'in KERNEL', 'at LABEL' or ': REASON'");
    }
    return diag_error(c->diag, span_of(c, (struct allow_word){c->at, 0}), "why? ': REASON' ends an allowance");
}

/* The place of the word "allow", which was read last: "k.hd:12:9". */
static const char *place_text(const struct cursor *c) {
    const struct source_file *s = source_file_at(c->diag->included, c->diag->nincluded, c->line);
    struct buf text = {0};
    buf_printf(&text, "%s:%u:%u", s ? s->file : c->diag->file, c->line - (s ? s->first : 0),
               (u32)(c->at - c->start) + 1 - (u32)strlen(KEY));
    const char *kept = text.failed ? NULL : arena_strndup(&c->a->arena, text.data, text.len);
    buf_free(&text);
    return kept ? kept : c->diag->file;
}

/* Reads what follows the word "allow"; a place is still to be found. */
static bool read_one(struct cursor *c, struct allowance *a) {
    *a = (struct allowance){.last = UINT32_MAX,
                            .where = place_text(c),
                            .at = span_of(c, (struct allow_word){c->at - strlen(KEY), strlen(KEY)})};
    if (!read_class(c, a))
        return false;
    for (;;) {
        struct cursor before = *c;
        struct allow_word w = next(c);
        if (is(w, "in") && !a->kernel.len) {
            a->kernel = next(c);
        } else if (is(w, "at") && !a->label.len && !a->line && !a->quote[0].len) {
            if (!read_place(c, a))
                return false;
        } else {
            *c = before;
            return read_reason(c, a);
        }
    }
}

static void keep(struct cursor *c, const struct allowance *a) {
    size_t most = a->known ? KNOWN_MOST : ALLOWANCES_MOST;
    if (c->a->list.len / sizeof *a < most)
        buf_append(&c->a->list, a, sizeof *a);
    else
        diag_error(c->diag, (struct span){c->line, 1, 1}, "there are more than %s allowances", grouped(most).text);
}

/* ---- in the kernel ---- */

/* The kernel or function whose text a line is in; UINT32_MAX = none, before the first. */
static u32 unit_of(const struct program *p, u32 line) {
    u32 unit = UINT32_MAX, first = program_source(p, line).first;
    for (u32 i = 0; i < p->nkernels; i++)
        if (p->kernel[i].line <= line && p->kernel[i].line > first)
            unit = i;
    return unit;
}

/* True if the instruction was written in the line, or made by a macro that was used there. */
static bool is_of_line(const struct program *p, u32 pc, u32 line) {
    return p->line[pc] == line || (p->texts && p->used[pc] == line);
}

static bool holds_instruction(const struct program *p, u32 first, u32 last, u32 line) {
    while (first < last && !is_of_line(p, first, line))
        first++;
    return first < last;
}

/* Finds the place of an allowance beside an instruction or of one that names a label. */
static bool place_in_source(struct cursor *c, struct allowance *a) {
    const struct program *p = c->a->launch->program;
    u32 unit = unit_of(p, c->line);
    struct allow_word mark = {c->at, 0};
    if (a->line)
        a->line += program_source(p, c->line).first;
    if (a->label.len && !find_label(p, unit, a))
        return unknown(c, a->label, "label", nth_label, &(struct names){.count = p->nnames, .p = p, .unit = unit});
    if (a->label.len || a->line || a->quote[0].len)
        return true;
    a->line = c->line;
    if (holds_instruction(p, 0, p->ninst, c->line))
        return true;
    mark.text = c->start;
    return diag_error(c->diag, span_of(c, mark),
                      "which code? an allowance follows an instruction, or names 'at LABEL'");
}

/* The next ";!" before `end`; `end` = there is none. */
static const char *find_mark(const char *at, const char *end) {
    while ((at = memchr(at, ';', (size_t)(end - at))) && at + 1 < end && at[1] != '!')
        at++;
    return at && at + 1 < end ? at : end;
}

static void read_line(struct cursor *c) {
    const char *end = c->end;
    for (const char *at = find_mark(c->start, end), *after; at < end; at = after) {
        struct allowance a;
        c->at = at + 2;
        c->end = after = find_mark(c->at, end);
        if (is(next(c), KEY) && read_one(c, &a) && place_in_source(c, &a))
            keep(c, &a);
    }
}

static void read_lines(struct cursor c, const char *text, size_t len, void (*read)(struct cursor *c)) {
    const char *end = text ? text + len : text;
    while (text && text < end && c.diag->errors <= DIAG_MAX) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        c.start = c.at = text;
        c.end = newline ? newline : end;
        c.line++;
        read(&c);
        text = newline ? newline + 1 : NULL;
    }
}

static bool has_one(const char *text, size_t len) {
    const char *end = text ? text + len : text;
    bool there = false;
    for (const char *at = text ? find_mark(text, end) : end; at < end && !there; at = find_mark(at + 2, end)) {
        struct cursor c = {.at = at + 2, .end = end};
        there = is(next(&c), KEY);
    }
    return there;
}

bool allow_present(const struct program *p) {
    bool there = has_one(p->source, p->source_len);
    for (u32 i = 0; i < p->nincluded && !there; i++)
        there = has_one(p->included[i].text, p->included[i].len);
    return there;
}

/* ---- in a text ---- */

static bool read_row(struct cursor *c, struct allowance *a) {
    const struct kernel *k = c->a->launch->kernel;
    const struct program *p = c->a->launch->program;
    struct allow_word w = next(c);
    if (!is(w, KEY))
        return diag_error(c->diag, span_of(c, w), "expected 'allow CHECKER [FINDING] in KERNEL at LABEL: REASON'");
    if (!read_one(c, a))
        return false;
    if (!a->kernel.len && !a->label.len && !a->line && !a->quote[0].len)
        return diag_error(c->diag, span_of(c, w), "which code? 'in KERNEL', 'at LABEL', or both");
    bool here = !a->kernel.len || is(a->kernel, k->name);
    u32 unit = (u32)(k - p->kernel);
    if (!here || !a->label.len || find_label(p, unit, a) || (!a->kernel.len && find_label(p, UINT32_MAX, a)))
        return true;
    a->last = 0; /* another file's label: covers nothing here */
    struct names names = {.count = p->nnames, .p = p, .unit = unit};
    return !a->kernel.len || !p->nnames || unknown(c, a->label, "label", nth_label, &names);
}

static void read_text_line(struct cursor *c) {
    struct allowance a;
    skip_blanks(c);
    if (c->at < c->end && *c->at != '#' && read_row(c, &a)) {
        a.known = c->known;
        keep(c, &a);
    }
}

static bool read_text(struct allowances *a, struct heddle *h, const char *text, const char *name, bool known) {
    struct diag diag = {.file = name, .source = text, .source_len = text ? strlen(text) : 0};
    if (text && *text == '{')
        diag_error(&diag, (struct span){1, 1, 1}, "this is JSON; expected lines, which --write-baseline writes");
    else
        read_lines((struct cursor){.a = a, .diag = &diag, .known = known}, text, diag.source_len, read_text_line);
    return diag.errors == 0 || context_fail_diag(h, &diag);
}

static void read_program(struct allowances *a, struct diag *diag) {
    const struct program *p = a->launch->program;
    struct cursor c = {.a = a, .diag = diag};
    read_lines(c, p->source, p->source_len, read_line);
    for (u32 i = 0; i < p->nincluded; i++) {
        c.line = p->included[i].first;
        read_lines(c, p->included[i].text, p->included[i].text ? p->included[i].len : 0, read_line);
    }
}

struct diag allow_diag(const struct program *p) {
    return (struct diag){.file = p->file,
                         .source = p->source,
                         .source_len = p->source_len,
                         .included = p->included,
                         .nincluded = p->nincluded};
}

bool allow_read(struct allowances *a, struct heddle *h, const struct launch *l, const struct heddle_launch *asked) {
    *a = (struct allowances){.launch = l, .arena = {.budget = &h->budget}, .list = {.budget = &h->budget}};
    struct diag diag = allow_diag(l->program);
    read_program(a, &diag);
    bool ok = (diag.errors == 0 || context_fail_diag(h, &diag)) &&
              read_text(a, h, asked->suppressions, asked->suppressions_name ? asked->suppressions_name : "suppressions",
                        false) &&
              read_text(a, h, asked->baseline, asked->baseline_name ? asked->baseline_name : "baseline", true);
    return ok && (!a->list.failed || context_no_memory(h, "the allowances"));
}

void allow_free(struct allowances *a) {
    buf_free(&a->list);
    arena_free(&a->arena);
}

/* ---- findings ---- */

static bool quotes(const struct heddle_finding *f, const struct allowance *a) {
    const struct allow_word *q = a->quote;
    const char *one = f->places[0].text, *two = f->places[f->nplaces - 1].text;
    if (!q[0].len)
        return true;
    if (!q[1].len)
        return a->known ? f->nplaces == 1 && is(q[0], one) : is(q[0], one) || is(q[0], two);
    return f->nplaces == 2 && ((is(q[0], one) && is(q[1], two)) || (is(q[1], one) && is(q[0], two)));
}

static bool covers(const struct launch *l, const struct allowance *a, const struct check_finding *f,
                   const struct heddle_finding *shown) {
    const struct program *p = l->program;
    bool here = false;
    if (check_classes[f->class].kind != a->kind || (a->class != FOUND_COUNT && a->class != f->class) ||
        (a->known && a->count) || (a->kernel.len && !is(a->kernel, l->kernel->name)))
        return false;
    for (u32 i = 0; i < f->places && !here; i++) {
        u32 pc = f->at[i].pc;
        here = pc >= a->first && pc < a->last && (!a->line || is_of_line(p, pc, a->line));
    }
    return here && quotes(shown, a);
}

const struct allowance *allow_find(struct allowances *a, const struct check_finding *f,
                                   const struct heddle_finding *shown) {
    struct allowance *list = (struct allowance *)(void *)a->list.data;
    const struct allowance *found = NULL;
    for (size_t i = 0; i < a->list.len / sizeof *list; i++)
        if (!(list[i].known && found) && covers(a->launch, &list[i], f, shown)) {
            list[i].count++;
            found = found ? found : &list[i];
        }
    return found;
}

void allow_unused(const struct allowances *a, u32 kinds, struct buf *out) {
    const struct kernel *k = a->launch->kernel;
    const struct program *p = a->launch->program;
    const struct allowance *one = (const struct allowance *)(const void *)a->list.data;
    for (size_t n = a->list.len / sizeof *one; n-- > 0; one++) {
        bool here = (!one->kernel.len || is(one->kernel, k->name)) && one->first < k->end && one->last > k->start &&
                    (!one->line || holds_instruction(p, k->start, k->end, one->line) ||
                     !holds_instruction(p, 0, p->ninst, one->line));
        if (!one->count && !one->known && kinds >> one->kind & 1 && here)
            buf_printf(out, "%s: warning: this allows nothing: no finding of '%s' is there\n", one->where,
                       check_kinds[one->kind].name);
    }
}

/* ---- warnings of lint ---- */

/* True if the instruction is in this kernel or function. */
static bool is_within(const struct program *p, u32 pc, struct allow_word kernel) {
    u32 k = 0;
    while (k < p->nkernels && (pc < p->kernel[k].start || pc >= p->kernel[k].end))
        k++;
    return k < p->nkernels && is(kernel, p->kernel[k].name);
}

static bool covers_warning(void *ctx, enum lint_class class, u32 pc) {
    struct allowances *a = ctx;
    const struct program *p = a->launch->program;
    struct allowance *one = (struct allowance *)(void *)a->list.data;
    bool found = false;
    for (size_t n = a->list.len / sizeof *one; n-- > 0; one++)
        if (one->kind == ALLOW_LINT && (one->class == FOUND_COUNT || one->class == class) && pc >= one->first &&
            pc < one->last && (!one->line || is_of_line(p, pc, one->line)) &&
            (!one->kernel.len || is_within(p, pc, one->kernel))) {
            one->count++;
            found = true;
        }
    a->warnings += found;
    return found;
}

u64 allow_lint(const struct program *p, struct diag *diag) {
    struct allowances a = {.launch = &(struct launch){.program = p}};
    read_program(&a, diag);
    program_lint(p, &(struct lint_allowed){covers_warning, &a}, diag);
    const struct allowance *one = (const struct allowance *)(const void *)a.list.data;
    for (size_t n = a.list.len / sizeof *one; n-- > 0; one++)
        if (one->kind == ALLOW_LINT && !one->count)
            diag_warn(diag, one->at, "this allows nothing: lint does not warn of it there");
    allow_free(&a);
    return a.warnings;
}
