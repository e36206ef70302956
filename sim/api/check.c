#include "sim/api/check.h"

#include <stdio.h>
#include <string.h>

#include "sim/api/bind.h"

static const char *const how_names[] = {
    [HOW_NONE] = NULL,
    [HOW_READ] = "read",
    [HOW_WRITE] = "write",
    [HOW_ATOMIC] = "atomic",
    [HOW_STRONG_READ] = "strong read",
    [HOW_STRONG_WRITE] = "strong write",
};

/* ---- the request ---- */

static const char *nth_kind(const void *ctx, size_t i) {
    (void)ctx;
    return i < CHECK_KINDS ? check_kinds[i].name : "all";
}

/* Finds the checkers that one word names; 0 if it names none. */
static u32 kinds_of(const char *word, size_t len) {
    u32 all = 0;
    for (u32 i = 0; i < CHECK_KINDS; i++) {
        all |= check_kinds[i].standard ? 1u << i : 0;
        if (strlen(check_kinds[i].name) == len && memcmp(word, check_kinds[i].name, len) == 0)
            return 1u << i | 1u << (CHECK_NAMED + i);
    }
    return len == 3 && memcmp(word, "all", 3) == 0 ? all : 0;
}

u32 checking_kinds(const char *text, const char **word, size_t *len) {
    u32 kinds = 0;
    for (const char *at = text;; at++) {
        *word = at;
        *len = strcspn(at, ",");
        u32 more = kinds_of(at, *len);
        if (!more)
            return 0;
        kinds |= more;
        at += *len;
        if (!*at)
            return kinds;
    }
}

struct checking_text checking_expected(const char *word, size_t len) {
    struct checking_text t;
    char copy[32];
    size_t at = 0;
    snprintf(copy, sizeof copy, "%.*s", (int)(len < sizeof copy ? len : sizeof copy), word);
    for (u32 i = 0; i < CHECK_KINDS; i++)
        at += (size_t)snprintf(t.text + at, sizeof t.text - at, "%s%s", i ? ", " : "expected ", check_kinds[i].name);
    snprintf(t.text + at, sizeof t.text - at, " or all%s",
             suggest(nearest_name(copy, CHECK_KINDS + 1, nth_kind, NULL)).text);
    return t;
}

static enum heddle_status out_of_memory(struct heddle *h) {
    context_no_memory(h, "the checkers");
    return HEDDLE_MEMORY;
}

static bool name_kinds(struct checking *c, u32 kinds) {
    struct buf text = {0};
    for (u32 i = 0; i < CHECK_KINDS; i++)
        if (kinds >> i & 1)
            buf_printf(&text, "%s%s", text.len ? ", " : "", check_kinds[i].name);
    c->kinds = text.failed ? NULL : arena_strndup(&c->h->result, text.data, text.len);
    buf_free(&text);
    return c->kinds != NULL;
}

/* Describes each allocation: whether it has contents, the bytes that the kernel declares, the bytes of a row. */
static bool describe_buffers(struct checking *c, struct check_setup *s, const struct launch *l) {
    struct heddle *h = c->h;
    u32 n = h->memory.count;
    bool *written = arena_alloc(&c->arena, n * sizeof *written);
    u64 *extent = arena_alloc(&c->arena, n * sizeof *extent), *row = arena_alloc(&c->arena, n * sizeof *row);
    if (!written || !extent || !row)
        return false;
    for (u32 i = 0; i < n; i++) {
        const struct buffer *b = context_buffer(h, h->memory.list[i].name);
        written[i] = content_rows[b->content].written;
        extent[i] = bind_extent(h, l, c->asked, b);
        row[i] = b->ndim > 1 ? b->shape[b->ndim - 1] * etypes[b->type].bytes : 0;
    }
    s->written = written;
    s->extent = extent;
    s->row = row;
    return true;
}

enum heddle_status checking_begin(struct checking *c, struct heddle *h, const struct launch *l,
                                  const struct heddle_launch *asked, bool timed) {
    *c = (struct checking){.h = h, .asked = asked, .arena = {.budget = &h->budget}};
    c->setup = (struct check_setup){.launch = l, .timed = timed};
    const char *word;
    size_t len;
    c->setup.kinds = checking_kinds(asked->check, &word, &len);
    if (!c->setup.kinds) {
        context_fail(h, "heddle", "unknown checker '%.*s'; %s", (int)len, word, checking_expected(word, len).text);
        return HEDDLE_INPUT;
    }
    if (!allow_read(&c->allowances, h, l, asked))
        return HEDDLE_INPUT;
    if (!name_kinds(c, c->setup.kinds) || !describe_buffers(c, &c->setup, l) || !(c->check = check_new(&c->setup)))
        return out_of_memory(h);
    return HEDDLE_OK;
}

const struct launch *checking_other(struct checking *c, const struct launch *l) {
    struct check_setup setup = c->setup;
    setup.launch = l;
    c->other = check_new(&setup);
    return c->other ? check_launch(c->other) : NULL;
}

bool checking_other_end(struct checking *c, const struct fault *fault) {
    if (fault->kind != FAULT_NONE)
        check_fault(c->other, fault);
    bool ok = !check_failed(c->other);
    if (ok)
        check_merge(c->check, c->other);
    if (c->memory < check_bytes(c->other))
        c->memory = check_bytes(c->other);
    c->forgotten += check_forgotten(c->other);
    check_free(c->other);
    c->other = NULL;
    return ok;
}

void checking_end(struct checking *c) {
    check_free(c->check);
    check_free(c->other);
    allow_free(&c->allowances);
    arena_free(&c->arena);
}

/* ---- findings ---- */

/* "[3,32]" */
static void put_index(const struct buffer *b, u64 element, struct buf *out) {
    u64 index[HEDDLE_DIMS_MAX] = {0};
    for (u32 d = b->ndim; d-- > 0;) {
        index[d] = element % b->shape[d];
        element /= b->shape[d];
    }
    for (u32 d = 0; d < b->ndim; d++)
        buf_printf(out, "%s%llu", d ? "," : "[", (unsigned long long)index[d]);
    buf_puts(out, b->ndim ? "]" : "");
}

/* Names the elements of a variable at bytes first to last of its space: "shared tile[3]", "local own[2] to own[3]". */
static void put_elements(const struct variable *v, u64 first, u64 last, struct buf *out) {
    const u32 size = etypes[v->etype].bytes;
    buf_printf(out, "%s ", isa_mod_text(GROUP_SPACE, v->space));
    variable_print_element(v, first, out);
    if ((first - v->offset) / size == (last - v->offset) / size)
        return;
    buf_puts(out, " to ");
    variable_print_element(v, last, out);
}

/* Describes the place of an access: elements of a buffer or variable if they are whole, else bytes. */
static const char *where(struct heddle *h, const struct heddle_finding *f, const struct variable *v) {
    const struct buffer *b = f->buffer ? context_buffer(h, f->buffer) : NULL;
    const u64 first = f->address, last = first + f->bytes - 1, size = b ? etypes[b->type].bytes : 1;
    struct buf text = {0};
    if (b && last < b->bytes && first / size == last / size) {
        buf_puts(&text, b->name);
        put_index(b, first / size, &text);
    } else if (b && last < b->bytes && first % size == 0) {
        buf_puts(&text, b->name);
        put_index(b, first / size, &text);
        buf_printf(&text, " to %s", b->name);
        put_index(b, last / size, &text);
    } else if (v && last - v->offset < variable_bytes(v)) {
        put_elements(v, first, last, &text);
    } else {
        buf_printf(&text, f->bytes > 1 ? "bytes %s" : "byte %s", grouped(first).text);
        if (f->bytes > 1)
            buf_printf(&text, " to %s", grouped(last).text);
        buf_printf(&text, b ? " of %s" : " of %s memory", b ? b->name : f->space);
    }
    const char *copy = text.failed ? NULL : arena_strndup(&h->result, text.data, text.len);
    buf_free(&text);
    return copy;
}

static bool fill_place(struct heddle *h, const struct launch *l, const struct check_place *from,
                       struct heddle_finding_place *to) {
    struct line_place at = program_place(l->program, from->pc);
    u64 x = l->grid[0], y = l->grid[1];
    *to = (struct heddle_finding_place){.file = at.file,
                                        .line = at.line,
                                        .how = how_names[from->how],
                                        .block = {(u32)(from->block % x), (u32)(from->block / x % y),
                                                  (u32)(from->block / x / y)},
                                        .warp = from->warp,
                                        .lane = from->lane,
                                        .cycle = from->cycle};
    if (!context_texts(h, l->program, from->pc, &to->text, &to->disassembly))
        return false;
    to->source = l->program->texts ? to->text : NULL;
    return true;
}

/* Makes "allow race read-write in k at "ld ...", "st ...": known"; NULL when out of memory. */
static const char *baseline_row(struct heddle *h, const char *kernel, const struct heddle_finding *f) {
    struct buf row = {0};
    buf_printf(&row, "allow %s %s in %s at", f->kind, f->class_, kernel);
    for (u32 i = 0; i < f->nplaces; i++)
        buf_printf(&row, "%s \"%s\"", i ? "," : "", f->places[i].text);
    buf_puts(&row, ": known");
    const char *kept = row.failed ? NULL : arena_strndup(&h->result, row.data, row.len);
    buf_free(&row);
    return kept;
}

static bool fill(struct heddle *h, const struct launch *l, const struct check_finding *from,
                 struct heddle_finding *to) {
    const struct check_class_row *class = &check_classes[from->class];
    *to = (struct heddle_finding){.kind = check_kinds[class->kind].name,
                                  .class_ = class->name,
                                  .doc = class->doc,
                                  .nplaces = from->places,
                                  .address = from->address,
                                  .bytes = from->bytes,
                                  .count = from->count};
    to->text = arena_strndup(&h->result, from->text, strlen(from->text));
    if (from->space != SPACE_COUNT)
        to->space = isa_mod_text(GROUP_SPACE, from->space);
    const struct allocation *a = from->space == SPACE_GLOBAL ? memory_find(l->memory, from->address) : NULL;
    if (a) {
        to->buffer = arena_strndup(&h->result, a->name, strlen(a->name));
        to->address -= a->base;
    }
    const struct variable *v = NULL;
    if (from->space == SPACE_SHARED || from->space == SPACE_LOCAL)
        v = program_variable(l->program, l->kernel, from->at[0].pc, (enum space)from->space, from->address);
    to->variable = v ? arena_strndup(&h->result, v->name, strlen(v->name)) : NULL;
    to->where = to->space && from->bytes ? where(h, to, v) : NULL;
    bool ok =
        to->text != NULL && (!a || to->buffer) && (!v || to->variable) && (!to->space || !from->bytes || to->where);
    for (u32 i = 0; i < from->places; i++)
        ok = ok && fill_place(h, l, &from->at[i], &to->places[i]);
    to->baseline = ok ? baseline_row(h, l->kernel->name, to) : NULL;
    return to->baseline != NULL;
}

/* Puts the reason and the place of the allowance, if one covers the finding. */
static bool put_allowance(struct heddle *h, const struct allowance *a, struct heddle_finding *to) {
    if (!a)
        return true;
    to->known = a->known;
    to->allowed = arena_strndup(&h->result, a->reason, strlen(a->reason));
    to->allowed_by = arena_strndup(&h->result, a->where, strlen(a->where));
    return to->allowed && to->allowed_by;
}

bool check_list(struct check *c, struct heddle *h, struct allowances *a, const struct heddle_finding **findings,
                u32 *count) {
    const struct launch *l = check_launch(c);
    u32 n = check_count(c);
    struct heddle_finding *list = arena_alloc(&h->result, n * sizeof *list);
    for (u32 i = 0; list && i < n; i++)
        if (!fill(h, l, check_finding(c, i), &list[i]) ||
            (a && !put_allowance(h, allow_find(a, check_finding(c, i), &list[i]), &list[i])))
            return false;
    *findings = list;
    *count = list ? n : 0;
    return list != NULL;
}

static bool warn_unused(struct checking *c, struct heddle_result *r) {
    struct buf text = {0};
    allow_unused(&c->allowances, c->setup.kinds, &text);
    r->allow_warnings = text.len && !text.failed ? arena_strndup(&c->h->result, text.data, text.len) : NULL;
    bool ok = !text.len || r->allow_warnings;
    buf_free(&text);
    return ok;
}

bool checking_fill(struct checking *c, const struct fault *fault, struct heddle_result *r) {
    if (fault)
        check_fault(c->check, fault);
    if (check_failed(c->check) || !check_list(c->check, c->h, &c->allowances, &r->findings, &r->nfindings) ||
        !warn_unused(c, r))
        return false;
    for (u32 i = 0; i < r->nfindings; i++)
        r->allowed += r->findings[i].allowed != NULL;
    r->checked = c->kinds;
    r->check_memory = check_bytes(c->check) + c->memory;
    r->check_forgotten = check_forgotten(c->check) + c->forgotten;
    return true;
}

bool heddle_check_kind(uint32_t index, const char **name, const char **doc, bool *standard) {
    if (index >= CHECK_KINDS)
        return false;
    *name = check_kinds[index].name;
    *doc = check_kinds[index].doc;
    *standard = check_kinds[index].standard;
    return true;
}

bool heddle_check_class(uint32_t index, const char **kind, const char **name, const char **doc, enum heddle_by *by) {
    if (index >= FOUND_COUNT)
        return false;
    const struct check_class_row *class = &check_classes[index];
    const struct check_kind_row *of = &check_kinds[class->kind];
    *kind = of->name;
    *name = class->name;
    *doc = class->doc;
    *by = class->proof ? HEDDLE_BY_PROOF : class->named || !of->standard ? HEDDLE_BY_NAME : HEDDLE_BY_ALL;
    return true;
}
