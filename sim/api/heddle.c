/* The context, its error, and programs. */
#include "sim/api/context.h"

#include <stdio.h>
#include <string.h>

#include "isa/writes.h"
#include "sim/api/allow.h"
#include "sim/api/clock.h"
#include "sim/base/ascii.h"
#include "sim/base/decimal.h"

const char *heddle_version(void) {
    return HEDDLE_VERSION;
}

struct heddle *heddle_new(void) {
    struct arena arena = {0};
    struct heddle *h = arena_alloc(&arena, sizeof *h);
    if (h) {
        h->arena = arena;
        h->result.budget = &h->budget;
        board_default(&h->board);
        for (u32 f = 0; f < BOARD_FIELDS; f++)
            if (!board_field_fixed(f))
                h->value[h->values++] = (u16)f;
    }
    return h;
}

void heddle_free(struct heddle *h) {
    if (!h)
        return;
    while (heddle_buffer_count(h))
        heddle_buffer_drop(h, heddle_buffer_name(h, heddle_buffer_count(h) - 1));
    clock_forget(h);
    memory_free(&h->memory);
    buf_free(&h->buffers);
    buf_free(&h->error);
    buf_free(&h->notes);
    arena_free(&h->result);
    struct arena arena = h->arena;
    arena_free(&arena);
}

void heddle_release(void *block) {
    struct buf buf = {.data = block};
    buf_free(&buf);
}

/* ---- errors ---- */

const char *heddle_error(const struct heddle *h) {
    if (h->error.failed)
        return "heddle: error: out of memory\n";
    return h->error.len ? h->error.data : "";
}

const char *heddle_notes(const struct heddle *h) {
    return h->notes.failed || !h->notes.len ? "" : h->notes.data;
}

static const char *nth_name(const void *ctx, size_t i) {
    return ((const char *const *)ctx)[i];
}

const char *heddle_nearest(const char *word, const char *const *names, uint32_t count) {
    return nearest_name(word, count, nth_name, names);
}

/* ---- limits of memory ---- */

void heddle_max_memory(struct heddle *h, uint64_t bytes) {
    h->budget.limit = bytes;
}

void heddle_computer_memory(struct heddle *h, uint64_t bytes) {
    h->computer = bytes;
}

struct heddle_memory heddle_memory(const struct heddle *h) {
    return (struct heddle_memory){.used = h->budget.used, .peak = h->budget.peak, .limit = h->budget.limit};
}

bool heddle_size(const char *text, uint64_t *bytes) {
    double factor = 1;
    u64 n = 0;
    u32 digits = 0;
    for (; is_digit(*text); text++, digits++) {
        if (n > (UINT64_MAX - 9) / 10)
            return false;
        n = n * 10 + (u64)(*text - '0');
    }
    if (digits == 0 || n == 0 || (*text && !decimal_unit("bytes", text, &factor)) || n > UINT64_MAX / (u64)factor)
        return false;
    *bytes = n * (u64)factor;
    return true;
}

/* ---- programs ---- */

/* Object files start with HDO and a digit, which no valid source text does. */
static bool is_object(const u8 *bytes, size_t len) {
    return len >= 4 && memcmp(bytes, "HDO", 3) == 0 && is_digit((char)bytes[3]);
}

struct heddle_program *heddle_load(struct heddle *h, const char *file, const void *bytes, size_t len) {
    return heddle_load_file(h, &(struct heddle_file){.name = file, .text = bytes, .len = len});
}

struct heddle_program *heddle_load_file(struct heddle *h, const struct heddle_file *f) {
    const char *file = f->name;
    const u8 *bytes = (const u8 *)f->text;
    struct diag diag = {.file = file};
    struct includes includes = {.read = f->read, .ctx = f->ctx};
    context_begin(h);
    struct program *p = is_object(bytes, f->len) ? program_load(file, bytes, f->len, &diag)
                                                 : program_assemble(file, f->text, f->len, &includes, &diag);
    if (!p)
        context_fail_diag(h, &diag);
    includes_free(&includes);
    if (!p)
        return NULL;
    struct heddle_program *made = arena_alloc(&p->arena, sizeof *made);
    u64 *writes = arena_alloc(&p->arena, p->nkernels * sizeof *writes);
    if (!made || !writes) {
        program_free(p);
        context_no_memory(h, file);
        return NULL;
    }
    for (u32 k = 0; k < p->nkernels; k++)
        writes[k] = p->kernel[k].function ? 0 : kernel_writes(p, &p->kernel[k]);
    *made = (struct heddle_program){p, writes};
    return made;
}

void heddle_program_free(struct heddle_program *p) {
    if (p)
        program_free(p->program);
}

char *heddle_program_object(struct heddle *h, const struct heddle_program *p, size_t *len) {
    struct buf out = {0};
    context_begin(h);
    program_save(p->program, &out);
    return context_hand_out(h, &out, len);
}

char *heddle_program_text(struct heddle *h, const struct heddle_program *p, size_t *len) {
    struct buf out = {0};
    context_begin(h);
    program_disassemble(p->program, &out);
    return context_hand_out(h, &out, len);
}

char *heddle_program_lint(struct heddle *h, const struct heddle_program *p, uint32_t *warnings) {
    const struct program *program = p->program;
    struct diag diag = allow_diag(program);
    struct buf out = {0};
    context_begin(h);
    u64 allowed = allow_lint(program, &diag);
    diag_render(&diag, &out);
    if (allowed)
        buf_printf(&out, "%s warning%s allowed\n", grouped(allowed).text, allowed == 1 ? "" : "s");
    if (warnings)
        *warnings = diag.warnings + diag.errors;
    return context_hand_out(h, &out, NULL);
}

bool heddle_lint_class(uint32_t index, const char **name, const char **doc) {
    if (index >= LINT_COUNT)
        return false;
    *name = lint_classes[index].name;
    *doc = lint_classes[index].doc;
    return true;
}

/* Finds the i-th kernel that is no function. */
static const struct kernel *launchable(const struct heddle_program *p, uint32_t index) {
    for (u32 i = 0; i < p->program->nkernels; i++)
        if (!p->program->kernel[i].function && index-- == 0)
            return &p->program->kernel[i];
    return NULL;
}

uint32_t heddle_kernel_count(const struct heddle_program *p) {
    u32 n = 0;
    for (u32 i = 0; i < p->program->nkernels; i++)
        n += !p->program->kernel[i].function;
    return n;
}

bool heddle_kernel_info(const struct heddle_program *p, uint32_t kernel, struct heddle_kernel_info *info) {
    const struct kernel *k = launchable(p, kernel);
    if (!k)
        return false;
    *info = (struct heddle_kernel_info){.name = k->name,
                                        .regs = k->regs,
                                        .shared_bytes = k->shared,
                                        .local_bytes = k->local,
                                        .instructions = k->end - k->start,
                                        .nparams = k->nparams,
                                        .nvariables = k->nvariables};
    for (u32 w = 0; w < COUNT_OF(info->widths); w++)
        info->widths[w] = k->warps == 0 || (k->warps >> w & 1);
    return true;
}

bool heddle_param_info(const struct heddle_program *p, uint32_t kernel, uint32_t param,
                       struct heddle_param_info *info) {
    const struct kernel *k = launchable(p, kernel);
    if (!k || param >= k->nparams)
        return false;
    const struct param *q = &k->param[param];
    *info = (struct heddle_param_info){.name = q->name,
                                       .type = etypes[q->etype].name,
                                       .buffer = q->buffer,
                                       .written = q->buffer && p->writes[k - p->program->kernel] >> param & 1,
                                       .extent = q->extent ? q->extent : ""};
    return true;
}

bool heddle_name_info(const struct heddle_program *p, uint32_t index, struct heddle_name_info *info) {
    static const char *const kinds[] = {
        [NAME_REGISTER] = "register", [NAME_PREDICATE] = "predicate", [NAME_LABEL] = "label"};
    if (index >= p->program->nnames)
        return false;
    const struct program_name *n = &p->program->names[index];
    *info = (struct heddle_name_info){n->text, kinds[n->kind], p->program->kernel[n->kernel].name, n->number, n->count};
    return true;
}

bool heddle_instruction_info(const struct heddle_program *p, uint32_t pc, struct heddle_instruction_info *info) {
    const struct program *program = p->program;
    struct buf text = {0}, plain = {0};
    if (pc >= program->ninst)
        return false;
    const struct line_place at = program_place(program, pc);
    *info = (struct heddle_instruction_info){.file = at.file,
                                             .line = at.line,
                                             .kernel = program_at(program, pc)->name,
                                             .first = program_first(program, pc)};
    source_print(program, pc, &text);
    inst_print(program, &program->inst[pc], &plain);
    snprintf(info->text, sizeof info->text, "%s", text.failed ? "" : text.data);
    snprintf(info->disassembly, sizeof info->disassembly, "%s", plain.failed ? "" : plain.data);
    buf_free(&text);
    buf_free(&plain);
    return true;
}

uint32_t heddle_line_instruction(const struct heddle_program *p, uint32_t line) {
    for (u32 pc = 0; pc < p->program->ninst; pc++) {
        const struct line_place at = program_place(p->program, pc);
        if (!at.file && at.line == line && line)
            return pc;
    }
    return UINT32_MAX;
}

const char *heddle_program_source(const struct heddle_program *p, const char *file, size_t *len) {
    const struct program *program = p->program;
    const char *text = file ? NULL : program->source;
    *len = file ? 0 : program->source_len;
    for (u32 i = 0; file && !text && i < program->nincluded; i++)
        if (strcmp(program->included[i].file, file) == 0) {
            text = program->included[i].text;
            *len = program->included[i].len;
        }
    return text;
}

bool heddle_variable_info(const struct heddle_program *p, uint32_t kernel, uint32_t variable,
                          struct heddle_variable_info *info) {
    const struct kernel *k = launchable(p, kernel);
    if (!k || variable >= k->nvariables)
        return false;
    const struct variable *v = &k->variable[variable];
    *info = (struct heddle_variable_info){.name = v->name,
                                          .type = etypes[v->etype].name,
                                          .space = isa_mod_text(GROUP_SPACE, v->space),
                                          .offset = v->offset,
                                          .ndim = v->ndim};
    _Static_assert((int)VARIABLE_DIMS_MAX <= (int)HEDDLE_DIMS_MAX, "a variable's dimensions fit what is told of it");
    for (u32 d = 0; d < v->ndim; d++)
        info->shape[d] = v->dim[d];
    return true;
}
