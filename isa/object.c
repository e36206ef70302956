/* Programs out of objects, with all that execution relies on checked. */
#include "isa/object.h"

#include <string.h>

#include "isa/check.h"

struct loader {
    const u8 *bytes;
    size_t len;
    struct layout at;
    struct diag *diag;
    struct program *program;
    struct arena arena; /* of the program, until it is complete */
    const char *text;   /* next unread text, in the program's copy */
    const char *texts_end;
};

static u32 get_u32(const u8 *p) {
    return p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24;
}

static u64 get_u64(const u8 *p) {
    return get_u32(p) | (u64)get_u32(p + 4) << 32;
}

/* Reports; always false. */
static bool bad(struct loader *l, u64 offset, const char *what) {
    return diag_error(l->diag, (struct span){0}, "byte %llu: %s", (unsigned long long)offset, what);
}

static bool no_memory(struct loader *l) {
    return diag_error(l->diag, (struct span){0}, "out of memory");
}

/* Reads what later versions of the header add. One without any of its own is of an earlier version. */
static bool load_counts(struct loader *l, u32 kind) {
    struct layout *at = &l->at;
    if (kind > 0) {
        at->nvariables = get_u32(l->bytes + 40);
        at->nnamed = get_u32(l->bytes + 44);
        if (at->nvariables == 0 && kind == 1)
            return bad(l, 40, "there are no variables: such a program is an HDO1");
    }
    if (kind > 1) {
        at->nmodule = get_u32(l->bytes + 48);
        at->data_bytes = get_u32(l->bytes + 52);
        if (at->nmodule == 0 && kind == 2)
            return bad(l, 48, "there are no module variables: such a program is an HDO1 or HDO2");
    }
    if (kind > 2) {
        at->nmessages = get_u32(l->bytes + 56);
        if (at->nmessages == 0)
            return bad(l, 56, "there are no messages: such a program is an HDO1, HDO2 or HDO3");
    }
    return true;
}

static bool load_header(struct loader *l) {
    struct layout *at = &l->at;
    u32 kind = 0;
    while (kind < OBJECT_VERSIONS &&
           (l->len < sizeof object_magic[0] || memcmp(l->bytes, object_magic[kind], sizeof object_magic[0]) != 0))
        kind++;
    if (kind == OBJECT_VERSIONS)
        return bad(l, 0, "not a heddle object: it does not begin with \"HDO\" and 1 to 4");
    if (l->len < object_header_bytes[kind])
        return bad(l, l->len, "the file ends inside its header");
    u32 version = get_u32(l->bytes + 4);
    if (version != ISA_VERSION)
        return diag_error(l->diag, (struct span){0}, "byte 4: instruction set version %u; this heddle knows version %d",
                          version, ISA_VERSION);
    *at = (struct layout){.ninst = get_u32(l->bytes + 16),
                          .nkernels = get_u32(l->bytes + 20),
                          .nparams = get_u32(l->bytes + 24),
                          .const_bytes = get_u32(l->bytes + 28),
                          .text_bytes = get_u32(l->bytes + 32),
                          .nfiles = get_u32(l->bytes + 36)};
    if (!load_counts(l, kind))
        return false;
    layout_place(at);
    if (get_u64(l->bytes + 8) != at->end)
        return bad(l, 8, "the size of the file is not the sum of its sections");
    if (at->end != l->len)
        return diag_error(l->diag, (struct span){0}, "byte 8: the file should have %llu bytes, it has %llu",
                          (unsigned long long)at->end, (unsigned long long)l->len);
    return at->ninst <= CODE_MAX || bad(l, 16, "more instructions than a program may have");
}

static bool load_memory(struct loader *l) {
    const struct layout *at = &l->at;
    struct program *p = l->program = arena_alloc(&l->arena, sizeof *p);
    if (p == NULL)
        return no_memory(l);
    p->ninst = at->ninst;
    p->nkernels = at->nkernels;
    p->const_bytes = at->const_bytes;
    p->nincluded = at->nfiles;
    p->inst = arena_alloc(&l->arena, p->ninst * sizeof *p->inst);
    p->line = arena_alloc(&l->arena, p->ninst * sizeof *p->line);
    p->base = arena_alloc(&l->arena, p->ninst * sizeof *p->base);
    p->included = arena_alloc(&l->arena, p->nincluded * sizeof *p->included);
    p->kernel = arena_alloc(&l->arena, p->nkernels * sizeof *p->kernel);
    p->consts = arena_alloc(&l->arena, p->const_bytes);
    p->nmodule = at->nmodule;
    p->module = arena_alloc(&l->arena, p->nmodule * sizeof *p->module);
    p->data_bytes = at->data_bytes;
    p->data = arena_alloc(&l->arena, p->data_bytes);
    p->nmessages = at->nmessages;
    if (p->nmessages <= at->text_bytes) /* each has a byte at least */
        p->message = arena_alloc(&l->arena, p->nmessages * sizeof *p->message);
    else
        return bad(l, 56, "more messages than texts");
    l->text = arena_strndup(&l->arena, (const char *)l->bytes + at->texts, at->text_bytes);
    if (p->inst == NULL || p->line == NULL || p->base == NULL || p->included == NULL || p->kernel == NULL ||
        p->consts == NULL || l->text == NULL || p->module == NULL || p->data == NULL || p->message == NULL)
        return no_memory(l);
    l->texts_end = l->text + at->text_bytes;
    if (p->const_bytes > 0)
        memcpy(p->consts, l->bytes + at->consts, p->const_bytes);
    if (p->data_bytes > 0)
        memcpy(p->data, l->bytes + at->data, p->data_bytes);
    return true;
}

static bool load_code(struct loader *l) {
    struct program *p = l->program;
    for (u32 pc = 0; pc < p->ninst; pc++) {
        u64 offset = l->at.code + (u64)pc * INST_BYTES;
        u64 word[2] = {get_u64(l->bytes + offset), get_u64(l->bytes + offset + 8)};
        const char *why = NULL;
        if (!inst_decode(word, &p->inst[pc], &why))
            return bad(l, offset, why);
        p->line[pc] = get_u32(l->bytes + l->at.lines + (u64)pc * LINE_BYTES);
    }
    return true;
}

/* The next text, or NULL when there is none left. */
static const char *load_text(struct loader *l) {
    const char *text = l->text;
    const char *nul = memchr(text, '\0', (size_t)(l->texts_end - text));
    if (nul == NULL) {
        bad(l, l->at.end, "an unterminated text");
        return NULL;
    }
    l->text = nul + 1;
    return text;
}

static bool load_param(struct loader *l, struct param *param, u64 offset) {
    u32 flags = get_u32(l->bytes + offset);
    param->name = load_text(l);
    param->extent = param->name != NULL ? load_text(l) : NULL;
    param->buffer = flags & FLAG_BUFFER;
    param->etype = (u8)flags;
    param->offset = get_u32(l->bytes + offset + 4);
    param->value = flags & FLAG_VALUE;
    if (flags >= 2 * FLAG_VALUE)
        return bad(l, offset, "reserved bits are set");
    return param->extent != NULL;
}

static bool load_variable(struct loader *l, struct variable *v, u64 offset) {
    const u8 *b = l->bytes + offset;
    u32 flags = get_u32(b);
    *v = (struct variable){.name = load_text(l),
                           .etype = (u8)flags,
                           .space = flags & FLAG_LOCAL ? SPACE_LOCAL : SPACE_SHARED,
                           .ndim = (u8)(flags >> FLAG_NDIM_SHIFT),
                           .offset = get_u32(b + 8)};
    if (flags >> FLAG_NDIM_SHIFT > VARIABLE_DIMS_MAX)
        return bad(l, offset, "more dimensions than a variable has, or reserved bits are set");
    for (u32 d = 0; d < VARIABLE_DIMS_MAX; d++) {
        v->dim[d] = get_u32(b + 12 + (size_t)d * 4);
        if (d >= v->ndim && v->dim[d] != 0)
            return bad(l, offset + 12 + (u64)d * 4, "the size of a dimension that there is not");
    }
    v->dynamic = v->ndim == 1 && v->dim[0] == 0;
    return v->name != NULL;
}

/* Loads the messages, which are the last texts: one for each trap or print that has one, in the order of the code. */
static bool load_messages(struct loader *l) {
    struct program *p = l->program;
    u32 used = 0;
    for (u32 i = 0; i < p->nmessages; i++) {
        u64 offset = l->at.end - (u64)(l->texts_end - l->text);
        p->message[i] = load_text(l);
        if (!p->message[i])
            return false;
        if (!message_allows(p->message[i]))
            return bad(l, offset, MESSAGE_BAD);
    }
    for (u32 pc = 0; pc < p->ninst; pc++) {
        u8 kind = isa_rows[p->inst[pc].op].operand[0].kind;
        if ((kind == K_TEXT_OPT || kind == K_TEXT) && p->inst[pc].imm && p->inst[pc].imm != ++used)
            return bad(l, l->at.code + (u64)pc * INST_BYTES + 8, "messages are numbered in the order of the code");
    }
    return used == p->nmessages ||
           bad(l, 56, "the number of messages is not that of the traps and prints that have one");
}

/* Loads the module variables, whose names follow those of kernels. */
static bool load_module(struct loader *l) {
    struct program *p = l->program;
    u64 data = 0;
    for (u32 i = 0; i < p->nmodule; i++) {
        u64 offset = l->at.module + (u64)i * MODULE_BYTES;
        const u8 *b = l->bytes + offset;
        u32 flags = get_u32(b);
        struct module_variable *m = &p->module[i];
        m->is = (struct variable){.name = load_text(l),
                                  .etype = (u8)flags,
                                  .space = flags & FLAG_GLOBAL ? SPACE_GLOBAL : SPACE_CONST,
                                  .ndim = (u8)(flags >> FLAG_NDIM_SHIFT),
                                  .offset = get_u32(b + 4)};
        if (!m->is.name || flags >> FLAG_NDIM_SHIFT > VARIABLE_DIMS_MAX)
            return m->is.name && bad(l, offset, "more dimensions than a variable has, or reserved bits are set");
        for (u32 d = 0; d < VARIABLE_DIMS_MAX; d++) {
            m->is.dim[d] = get_u32(b + 8 + (size_t)d * 4);
            if (d >= m->is.ndim && m->is.dim[d] != 0)
                return bad(l, offset + 8 + (u64)d * 4, "the size of a dimension that there is not");
        }
        m->data = (u32)data;
        m->data_bytes = get_u32(b + 8 + 4 * VARIABLE_DIMS_MAX);
        data += m->data_bytes;
    }
    return data == p->data_bytes || bad(l, l->at.data, "initial values that are no module variable's");
}

/* Starts of the next kernel's instructions, parameters and variables. */
struct first {
    u32 inst, param, variable;
};

/* Loads the variables of the kernel, and advances `first` past them. */
static bool load_variables(struct loader *l, u32 index, struct first *first) {
    struct kernel *k = &l->program->kernel[index];
    const u64 at = l->at.variables + (u64)first->variable * VARIABLE_BYTES;
    while (first->variable + k->nvariables < l->at.nvariables &&
           get_u32(l->bytes + at + (u64)k->nvariables * VARIABLE_BYTES + 4) == index)
        k->nvariables++;
    k->variable = arena_alloc(&l->arena, k->nvariables * sizeof *k->variable);
    if (k->variable == NULL)
        return no_memory(l);
    for (u32 n = 0; n < k->nvariables; n++)
        if (!load_variable(l, &k->variable[n], at + (u64)n * VARIABLE_BYTES))
            return false;
    first->variable += k->nvariables;
    return true;
}

/* Advances `first` to the next kernel. */
static bool load_kernel(struct loader *l, u32 index, struct first *first) {
    struct kernel *k = &l->program->kernel[index];
    u64 offset = l->at.kernels + (u64)index * KERNEL_BYTES;
    const u8 *b = l->bytes + offset;
    u32 flags = get_u32(b), count = get_u32(b + 4);
    *k = (struct kernel){.function = flags & FLAG_FUNCTION,
                         .warps = (u8)(flags >> FLAG_WARPS_SHIFT),
                         .start = first->inst,
                         .end = first->inst + count,
                         .regs = get_u32(b + 8),
                         .shared = get_u32(b + 12),
                         .local = get_u32(b + 16),
                         .param_bytes = get_u32(b + 20),
                         .line = get_u32(b + 24),
                         .nparams = get_u32(b + 28)};
    if ((flags & ~(FLAG_FUNCTION | 15u << FLAG_WARPS_SHIFT)) != 0)
        return bad(l, offset, "reserved bits are set");
    if (count > l->at.ninst - first->inst)
        return bad(l, offset + 4, "the kernel has more instructions than are left");
    if (k->nparams > l->at.nparams - first->param)
        return bad(l, offset + 28, "the kernel has more parameters than are left");
    k->name = load_text(l);
    k->param = arena_alloc(&l->arena, k->nparams * sizeof *k->param);
    if (k->param == NULL)
        return no_memory(l);
    bool ok = k->name != NULL;
    for (u32 n = 0; ok && n < k->nparams; n++)
        ok = load_param(l, &k->param[n], l->at.params + (u64)(first->param + n) * PARAM_BYTES);
    first->inst += count;
    first->param += k->nparams;
    return ok && load_variables(l, index, first);
}

static const char *load_file_name(struct loader *l) {
    const char *name = load_text(l);
    if (!name || strlen(name) <= NAME_LEN_MAX)
        return name;
    bad(l, (u64)((const u8 *)name - l->bytes), NAME_TOO_LONG);
    return NULL;
}

/* The names of the texts, with the lines before each. */
static bool load_files(struct loader *l) {
    struct program *p = l->program;
    u32 before = 0;
    p->file = load_file_name(l);
    for (u32 i = 0; i < p->nincluded && p->file; i++) {
        u64 offset = l->at.files + (u64)i * FILE_BYTES;
        struct source_file *s = &p->included[i];
        s->first = get_u32(l->bytes + offset);
        if (s->first <= before || s->first == UINT32_MAX)
            return bad(l, offset, "the lines of the files are not in order");
        before = s->first;
        s->file = load_file_name(l);
        if (!s->file)
            return false;
    }
    return p->file != NULL;
}

static bool load_kernels(struct loader *l) {
    struct first first = {0};
    for (u32 k = 0; k < l->at.nkernels; k++)
        if (!load_kernel(l, k, &first))
            return false;
    if (first.param != l->at.nparams)
        return bad(l, 24, "there are parameters that belong to no kernel");
    if (first.variable != l->at.nvariables)
        return bad(l, l->at.variables + (u64)first.variable * VARIABLE_BYTES + 4,
                   "a variable of no kernel, or not in the order of the kernels");
    return load_module(l) && load_messages(l) &&
           (l->text == l->texts_end || bad(l, l->at.end - (u64)(l->texts_end - l->text), "there are unused texts"));
}

/* Loads which accesses name which variables. */
static bool load_named(struct loader *l) {
    struct program *p = l->program;
    for (u32 i = 0, least = 0; i < l->at.nnamed; i++) {
        u64 offset = l->at.named + (u64)i * NAMED_BYTES;
        u32 pc = get_u32(l->bytes + offset), number = get_u32(l->bytes + offset + 4);
        if (pc < least || pc >= p->ninst)
            return bad(l, offset, "the accesses that name variables are not in order");
        if (number >= l->at.nvariables)
            return bad(l, offset + 4, "an access names a variable that there is not");
        p->base[pc] = number + 1;
        least = pc + 1;
    }
    return true;
}

/* The file offset of a problem. */
static u64 problem_offset(const struct loader *l, const struct problem *problem) {
    u64 param = 0, variable = 0;
    switch (problem->place) {
    case PROBLEM_INST: return l->at.code + (u64)problem->index * INST_BYTES;
    case PROBLEM_KERNEL: return l->at.kernels + (u64)problem->index * KERNEL_BYTES;
    case PROBLEM_PARAM:
        for (u32 k = 0; k < problem->index; k++)
            param += l->program->kernel[k].nparams;
        return l->at.params + (param + problem->param) * PARAM_BYTES;
    case PROBLEM_VARIABLE:
        for (u32 k = 0; k < problem->index; k++)
            variable += l->program->kernel[k].nvariables;
        return l->at.variables + (variable + problem->param) * VARIABLE_BYTES;
    case PROBLEM_MODULE: return l->at.module + (u64)problem->index * MODULE_BYTES;
    case PROBLEM_FILE: break;
    }
    return 0;
}

/* Reconvergence points are part of the code; the executor needs the ones that follow from it. */
static bool check_reconvergence(struct loader *l) {
    struct program copy = *l->program;
    struct arena arena = {0};
    copy.inst = arena_alloc(&arena, copy.ninst * sizeof *copy.inst);
    bool ok = copy.inst != NULL;
    if (ok) {
        memcpy(copy.inst, l->program->inst, copy.ninst * sizeof *copy.inst);
        ok = program_reconverge(&copy);
    }
    if (!ok)
        no_memory(l);
    for (u32 pc = 0; ok && pc < copy.ninst; pc++)
        if (copy.inst[pc].imm != l->program->inst[pc].imm)
            ok = bad(l, l->at.code + (u64)pc * INST_BYTES + 12, "the branch's reconvergence address is wrong");
    arena_free(&arena);
    return ok;
}

static bool load_checked(struct loader *l) {
    struct problem problem;
    if (!load_header(l) || !load_memory(l) || !load_code(l) || !load_files(l) || !load_kernels(l) || !load_named(l))
        return false;
    if (!program_check(l->program, &problem))
        return bad(l, problem_offset(l, &problem), problem.text);
    return check_reconvergence(l);
}

struct program *program_load(const char *file, const u8 *bytes, size_t len, struct diag *diag) {
    struct loader l = {.bytes = bytes, .len = len, .diag = diag};
    diag->file = file;
    diag->source = NULL;
    diag->source_len = 0;
    if (!load_checked(&l)) {
        arena_free(&l.arena);
        return NULL;
    }
    l.program->name = arena_strndup(&l.arena, file, strlen(file));
    if (!l.program->name) {
        no_memory(&l);
        arena_free(&l.arena);
        return NULL;
    }
    l.program->arena = l.arena;
    return l.program;
}
