/* Directives of data: parameters, shared and local memory, constants. */
#include "isa/asm/asm.h"

#include <stdio.h>
#include <string.h>

#include "isa/check.h"

static const u64 EXTENT_NUMBER_MAX = 999999999999999999; /* 18 digits */

static const char *etype_name(const void *ctx, size_t i) {
    (void)ctx;
    return etypes[i].name;
}

static bool parse_etype(struct assembler *as, enum etype *type) {
    struct token t = as->tok;
    if (!asm_expect(as, T_NAME, "an element type, as f32"))
        return false;
    *type = etype_find(t.text, t.len);
    if (*type != ET_COUNT)
        return true;
    char copy[32] = "";
    memcpy(copy, t.text, t.len < sizeof copy ? t.len : 0);
    const char *near = asm_suggests(as) ? nearest_name(copy, ET_COUNT, etype_name, NULL) : NULL;
    return asm_error(as, token_span(&t), "unknown element type '%.*s'%s%s%s", token_shown(&t), t.text,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

bool data_typed_name(struct assembler *as, struct token *name, enum etype *type) {
    *name = as->tok;
    return asm_expect(as, T_NAME, "a name") && asm_expect(as, ':', "':' and a type") && parse_etype(as, type);
}

/* ---- shared and local memory ---- */

static bool parse_align(struct assembler *as, u32 *align) {
    struct value v;
    if (!expr_number(as, &v))
        return false;
    u64 n = v.number.magnitude;
    if (v.number.negative || n == 0 || n > 4096 || (n & (n - 1)))
        return asm_error(as, v.at, "an alignment is a power of two, 1 to 4,096");
    *align = (u32)n;
    return true;
}

bool data_dims(struct assembler *as, u64 most, struct variable *v) {
    if (!asm_accept(as, '['))
        return true;
    if (v->space == SPACE_SHARED && asm_accept(as, ']')) {
        v->dynamic = true;
        v->ndim = 1;
        return true;
    }
    do {
        u64 n;
        struct token at = as->tok;
        if (!expr_in_range(as, 1, most, "the number of elements", &n))
            return false;
        if (v->ndim == VARIABLE_DIMS_MAX)
            return asm_error(as, token_span(&at), "a variable has at most %d dimensions", VARIABLE_DIMS_MAX);
        v->dim[v->ndim++] = (u32)n;
        most /= n;
    } while (asm_accept(as, ','));
    return asm_expect(as, ']', "']'");
}

/* "align 128", or "at 64"; as the disassembler writes it. */
static bool parse_placement(struct assembler *as, u64 most, struct symbol *s) {
    s->align = DATA_ALIGN;
    if (as->tok.kind == T_NAME && token_is(&as->tok, "align")) {
        asm_next(as);
        return parse_align(as, &s->align);
    }
    if (as->tok.kind != T_NAME || !token_is(&as->tok, "at"))
        return true;
    s->align = 0;
    asm_next(as);
    return expr_in_range(as, 0, most - 1, "the offset", &s->offset);
}

/* Shared memory that the launch sizes is the last of a kernel. */
static bool check_last(struct assembler *as, const struct token *name, const struct variable *v) {
    struct body *u = asm_unit(as, as->unit);
    if (v->space != SPACE_SHARED)
        return true;
    if (u->dynamic)
        return asm_error(as, token_span(name),
                         "shared memory of the launch's size is the last of its kernel, one '[]'");
    if (v->dynamic && u->function)
        return asm_error(as, token_span(name),
                         "'[]', shared memory of the launch's size, belongs to a kernel; a function "
                         "takes its address");
    u->dynamic = v->dynamic;
    return true;
}

bool directive_data(struct assembler *as, enum symbol_kind kind) {
    struct token name;
    enum etype type;
    u64 most = kind == SYM_SHARED ? SHARED_MAX : LOCAL_MAX;
    struct variable v = {.space = kind == SYM_SHARED ? SPACE_SHARED : SPACE_LOCAL};
    struct symbol placed = {0};
    if (!data_typed_name(as, &name, &type))
        return false;
    v.etype = (u8)type;
    bool ok = data_dims(as, most / etypes[type].bytes, &v) && parse_placement(as, most, &placed) &&
              check_last(as, &name, &v) && asm_end_of_line(as);
    u32 index = symbol_add(as, as->unit, &name, kind);
    struct variable *kept = arena_alloc(&as->scratch, sizeof *kept);
    as->nomem |= kept == NULL;
    if (!ok || index == NONE || !kept)
        return ok;
    struct symbol *s = asm_symbol(as, index);
    *kept = v;
    s->variable = kept;
    s->size = variable_bytes(&v);
    s->align = placed.align;
    s->offset = placed.offset;
    return true;
}

/* ---- constants ---- */

static bool parse_const_value(struct assembler *as, enum etype type, struct buf *to) {
    struct value v;
    u64 bits = 0;
    if (!expr_value(as, &v))
        return false;
    if ((v.kind != V_NUMBER && v.kind != V_FLOAT) || v.address)
        return asm_error(as, v.at, "expected a number");
    if (!literal_element(as, &v, type, &bits))
        return false;
    for (u32 i = 0; i < etypes[type].bytes; i++)
        buf_putc(to, (char)(u8)(bits >> 8 * i));
    as->nomem |= to->failed;
    return true;
}

/* Skips a comma and, after one at the end of a line, empty lines. */
static bool list_goes_on(struct assembler *as) {
    if (!asm_accept(as, ','))
        return false;
    while (as->tok.kind == T_EOL && asm_newline(as))
        asm_next(as);
    return true;
}

bool data_values(struct assembler *as, enum etype type, struct buf *to, u64 end) {
    static const enum etype raw[] = {[1] = ET_B8, [2] = ET_B16, [4] = ET_B32, [8] = ET_B64};
    if (as->tok.kind == T_NAME && token_is(&as->tok, "raw")) { /* as the disassembler writes them */
        asm_next(as);
        type = raw[etypes[type].bytes];
    }
    if (type == ET_C64)
        return asm_error(as, token_span(&as->tok), "values of c64 are written as f32, two for each");
    do {
        struct token at = as->tok;
        if (to->len + etypes[type].bytes > end)
            return asm_error(as, token_span(&at), "more values than there are elements");
        if (!parse_const_value(as, type, to))
            return false;
    } while (list_goes_on(as));
    return true;
}

bool directive_const(struct assembler *as, const struct token *word) {
    struct token name;
    enum etype type;
    if (!data_typed_name(as, &name, &type))
        return false;
    if (as->tok.kind == '[')
        return module_constant(as, word, &name, type);
    if (type == ET_C64)
        return asm_error(as, token_span(&as->last), "constants of c64 are written as f32, two for each");
    while (as->consts.len % DATA_ALIGN && !as->consts.failed)
        buf_putc(&as->consts, 0);
    u32 s = symbol_add(as, NONE, &name, SYM_CONST);
    if (s != NONE)
        asm_symbol(as, s)->offset = as->consts.len;
    if (!asm_expect(as, '=', "'=' and numbers"))
        return false;
    do {
        if (as->consts.len + etypes[type].bytes > CONST_MAX)
            return asm_error(as, token_span(word), "more than %s bytes of constants in one file",
                             grouped(CONST_MAX).text);
        if (!parse_const_value(as, type, &as->consts))
            return false;
    } while (list_goes_on(as));
    return asm_end_of_line(as);
}

/* ---- parameters ---- */

/* Skips the extent, keeping its place: its names may be declared below. */
static bool step_over_extent(struct assembler *as, struct lex *extent) {
    struct lex start = as->lex;
    asm_next(as);
    if (as->tok.kind != ']')
        *extent = start;
    while (as->tok.kind != ']' && as->tok.kind != T_EOL)
        asm_next(as);
    if (asm_accept(as, ']'))
        return true;
    extent->at = NULL;
    return asm_unexpected(as, "']'");
}

/* "4] value": as many elements of the parameter space itself. */
static bool read_value(struct assembler *as, struct lex start, struct asm_param *p) {
    u64 n = 0;
    char text[24];
    asm_seek(as, start);
    if (!expr_in_range(as, 1, PARAM_BYTES_MAX / etypes[p->param.etype].bytes, "the number of elements", &n) ||
        !asm_expect(as, ']', "']'") || !asm_expect(as, T_NAME, "'value'"))
        return false;
    snprintf(text, sizeof text, "%llu", (unsigned long long)n);
    p->extent.at = NULL;
    p->param.value = true;
    p->param.buffer = false;
    p->param.extent = arena_strndup(&as->program->arena, text, strlen(text));
    as->nomem |= !p->param.extent;
    return p->param.extent != NULL;
}

/* Assigns the parameter's offset; false when it does not fit. */
static bool place_param(struct assembler *as, struct asm_param *p, const struct token *name) {
    struct body *u = asm_unit(as, as->unit);
    u32 bytes = param_size(&p->param), align = param_align(&p->param);
    p->param.offset = (u->param_bytes + align - 1) / align * align;
    if (u->nparams == PARAMS_MAX || p->param.offset + bytes > PARAM_BYTES_MAX)
        return asm_error(as, token_span(name), "a kernel has at most %d parameters and %s bytes of them", PARAMS_MAX,
                         grouped(PARAM_BYTES_MAX).text);
    u->param_bytes = p->param.offset + bytes;
    u->nparams++;
    return true;
}

bool directive_param(struct assembler *as) {
    struct token name;
    enum etype type;
    struct asm_param p = {.unit = as->unit};
    if (!data_typed_name(as, &name, &type))
        return false;
    p.param.etype = (u8)type;
    p.param.extent = "";
    bool ok = true;
    if (as->tok.kind == '[') {
        struct lex start = as->lex;
        p.param.buffer = true;
        ok = step_over_extent(as, &p.extent);
        if (ok && as->tok.kind == T_NAME && token_is(&as->tok, "value"))
            ok = read_value(as, start, &p);
    }
    ok = ok && asm_end_of_line(as);
    u32 s = symbol_add(as, as->unit, &name, SYM_PARAM);
    if (s == NONE || !place_param(as, &p, &name))
        return false;
    p.param.name = arena_strndup(&as->program->arena, name.text, name.len);
    as->nomem |= p.param.name == NULL;
    asm_symbol(as, s)->offset = p.param.offset;
    asm_symbol(as, s)->param = as->params.count;
    struct asm_param *kept = list_push(as, &as->params, sizeof *kept);
    if (kept)
        *kept = p;
    return ok;
}

/* The grammar of extents, as in extent_check. */
static bool is_whole_scalar(const struct param *p) {
    return !p->buffer && !p->value && etype_is_whole((enum etype)p->etype);
}

/* A number, a name of one, or a scalar parameter. */
static bool extent_factor(struct assembler *as, struct buf *out) {
    struct token t = as->tok;
    struct value v = {0};
    if (t.kind == T_NUMBER) {
        if (!number_read(as, &t, &v))
            return false;
        asm_next(as);
    } else if (!asm_expect(as, T_NAME, "a number or a scalar parameter")) {
        return false;
    } else {
        u32 s = symbol_find(as, &t);
        if (s == NONE) {
            names_unknown_symbol(as, &t);
            return false;
        }
        const struct symbol *sym = asm_symbol(as, s);
        if (sym->kind == SYM_PARAM && is_whole_scalar(&AT(struct asm_param, as->params, sym->param)->param)) {
            buf_append(out, t.text, t.len);
            return true;
        }
        if (sym->kind != SYM_EQU)
            return asm_error(as, token_span(&t), "an extent takes numbers and scalar integer parameters; '%.*s' is %s",
                             token_shown(&t), t.text,
                             sym->kind == SYM_PARAM ? "another parameter"
                                                    : symbol_kind_name((enum symbol_kind)sym->kind));
        v = *sym->value;
    }
    if (v.kind != V_NUMBER || v.number.negative || v.number.magnitude > EXTENT_NUMBER_MAX)
        return asm_error(as, token_span(&t), "an extent takes whole numbers of at most 18 digits");
    buf_printf(out, "%llu", (unsigned long long)v.number.magnitude);
    return true;
}

/* Checks one extent and writes it without blanks: "2*n+1". */
static const char *extent_text(struct assembler *as, const struct lex *at) {
    struct buf out = {0};
    asm_seek(as, *at);
    bool ok = extent_factor(as, &out);
    while (ok && as->tok.kind != ']') {
        char op = as->tok.kind == '+' ? '+' : '*';
        if (as->tok.kind != '+' && as->tok.kind != '*') {
            ok = asm_unexpected(as, "'+', '*' or ']'");
            break;
        }
        buf_putc(&out, op);
        asm_next(as);
        ok = extent_factor(as, &out);
    }
    char *text = ok && !out.failed ? arena_strndup(&as->program->arena, out.data, out.len) : NULL;
    as->nomem |= ok && !text;
    buf_free(&out);
    return text ? text : "";
}

void param_extents(struct assembler *as, u32 unit) {
    const struct lex lex = as->lex;
    const struct token tok = as->tok, last = as->last;
    const struct body *u = asm_unit(as, unit);
    for (u32 i = u->first_param; i < u->first_param + u->nparams && !as->nomem; i++) {
        struct asm_param *p = AT(struct asm_param, as->params, i);
        if (p->extent.at)
            p->param.extent = extent_text(as, &p->extent);
    }
    as->lex = lex;
    as->tok = tok;
    as->last = last;
}
