/* The rules that every program holds. */
#include "isa/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/conversion.h"
#include "sim/base/ascii.h"
#include "sim/base/mix.h"

bool inst_ends_flow(const struct inst *i) {
    bool ends = i->op == OP_BRA || i->op == OP_EXIT || i->op == OP_RET || i->op == OP_TRAP;
    return ends && i->guard == PT;
}

u32 inst_regs_used(const struct inst *i) {
    u32 used = 0;
    for (u32 n = 0; n < OPERANDS_MAX; n++) {
        const struct operand *o = &isa_rows[i->op].operand[n];
        u32 count = operand_regs(i, o);
        u8 reg = inst_field(i, (enum operand_place)o->place);
        if (count > 0 && reg != RZ && reg + count > used)
            used = reg + count;
    }
    return used;
}

static bool is_name_letter(char c) {
    return is_letter(c) || c == '_' || c == '.' || c == '$';
}

static bool is_word(const char *name, size_t len, const char *word) {
    return strncmp(name, word, len) == 0 && word[len] == '\0';
}

bool name_reserved(const char *name, size_t len) {
    if (is_word(name, len, "rz") || is_word(name, len, "pt") || is_word(name, len, "inf") || is_word(name, len, "nan"))
        return true;
    for (size_t i = 1; i < len; i++)
        if (!is_digit(name[i]))
            return false;
    return len > 1 && (name[0] == 'r' || name[0] == 'p' || name[0] == 'x');
}

bool name_valid(const char *name, size_t len) {
    if (len == 0 || len > NAME_LEN_MAX || is_digit(name[0]))
        return false;
    for (size_t i = 0; i < len; i++)
        if (!is_name_letter(name[i]) && !is_digit(name[i]))
            return false;
    return true;
}

bool message_allows(const char *text) {
    size_t len = 0;
    while (text[len] >= ' ' && text[len] <= '~')
        len++;
    return len > 0 && len <= MESSAGE_LEN_MAX && text[len] == '\0';
}

static bool names_whole_scalar(const struct kernel *k, const char *name, size_t len) {
    for (u32 i = 0; i < k->nparams; i++) {
        const struct param *p = &k->param[i];
        if (strncmp(p->name, name, len) == 0 && p->name[len] == '\0')
            return !p->buffer && !p->value && etype_is_whole((enum etype)p->etype);
    }
    return false;
}

const char *extent_check(const struct kernel *k, const char *extent) {
    const char *at = extent;
    while (*extent != '\0') {
        size_t len = 0;
        bool number = is_digit(*at);
        while (is_digit(at[len]) || (!number && is_name_letter(at[len])))
            len++;
        if (len == 0)
            return "an extent is a sum of products of numbers and scalar parameters";
        if (number && (len > 18 || (len > 1 && *at == '0')))
            return "a number in an extent has at most 18 digits, the first of which is not 0";
        if (!number && !names_whole_scalar(k, at, len))
            return "a name in an extent is not a whole-number parameter of this kernel";
        at += len;
        if (*at == '\0')
            break;
        if (*at != '+' && *at != '*')
            return "an extent is a sum of products of numbers and scalar parameters";
        at++;
    }
    return NULL;
}

u32 param_size(const struct param *param) {
    u32 count = param->value ? (u32)strtoul(param->extent, NULL, 10) : 1;
    return param->buffer ? 8 : count * etypes[param->etype].bytes;
}

u32 param_align(const struct param *param) {
    return param->value ? 16 : param_size(param);
}

/* True for the count of a value: a number as a program has it, of elements that fit. */
static bool is_count(const struct param *p) {
    const size_t len = strspn(p->extent, "0123456789");
    return len > 0 && len < 6 && !p->extent[len] && *p->extent != '0' &&
           strtoul(p->extent, NULL, 10) * etypes[p->etype].bytes <= PARAM_BYTES_MAX;
}

/* Notes the problem; always false. */
PRINTF_LIKE(3, 4) static bool problem_at(struct problem *p, u32 index, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(p->text, sizeof p->text, fmt, ap);
    va_end(ap);
    p->index = index;
    return false;
}

static bool check_param(const struct kernel *k, u32 n, u32 *offset, struct problem *problem) {
    const struct param *p = &k->param[n];
    if (!name_valid(p->name, strlen(p->name)) || name_reserved(p->name, strlen(p->name)))
        return problem_at(problem, problem->index, "an invalid name of a parameter");
    if (p->value && (p->buffer || !is_count(p)))
        return problem_at(problem, problem->index, "a value with no number of elements, or a buffer's");
    u32 size = param_size(p), align = param_align(p);
    u32 aligned = (*offset + align - 1) / align * align;
    if (p->offset != aligned)
        return problem_at(problem, problem->index, "the parameter's offset is %u, not %u", p->offset, aligned);
    *offset = aligned + size;
    for (u32 other = 0; other < n; other++)
        if (strcmp(p->name, k->param[other].name) == 0)
            return problem_at(problem, problem->index, "two parameters of one name");
    const char *why = p->buffer                         ? extent_check(k, p->extent)
                      : *p->extent != '\0' && !p->value ? "a scalar with an extent"
                                                        : NULL;
    return why == NULL || problem_at(problem, problem->index, "%s", why);
}

static bool check_params(const struct kernel *k, u32 index, struct problem *problem) {
    u32 offset = 0;
    problem->place = PROBLEM_KERNEL;
    if (k->nparams > PARAMS_MAX || (k->function && k->nparams != 0)) {
        return problem_at(problem, index, "%u parameters; a kernel has at most %d, a function none", k->nparams,
                          PARAMS_MAX);
    }
    problem->place = PROBLEM_PARAM;
    problem->index = index;
    for (u32 n = 0; n < k->nparams; n++) {
        problem->param = n;
        if (k->param[n].etype >= ET_COUNT)
            return problem_at(problem, index, "unknown element type %u", k->param[n].etype);
    }
    for (u32 n = 0; n < k->nparams; n++) {
        problem->param = n;
        if (!check_param(k, n, &offset, problem))
            return false;
    }
    problem->place = PROBLEM_KERNEL;
    if (k->param_bytes != offset || offset > PARAM_BYTES_MAX) {
        return problem_at(problem, index, "%u bytes of parameters, declared %u; at most %s", offset, k->param_bytes,
                          grouped(PARAM_BYTES_MAX).text);
    }
    return true;
}

/* ---- sets of names ---- */

struct name_set {
    struct arena arena;
    const char **slot; /* open addressing */
    size_t size;       /* a power of two */
};

/* Room for n names; false when out of memory. */
static bool set_begin(struct name_set *s, size_t n) {
    *s = (struct name_set){.size = 16};
    while (s->size < 2 * n)
        s->size *= 2;
    s->slot = arena_alloc(&s->arena, s->size * sizeof *s->slot);
    return s->slot != NULL;
}

/* Adds a name; false if it is in the set. */
static bool set_add(struct name_set *s, const char *name) {
    u64 h = fnv_1a(FNV_BASIS, name, strlen(name));
    size_t at = (h ^ h >> 32) & (s->size - 1);
    for (; s->slot[at] != NULL; at = (at + 1) & (s->size - 1))
        if (strcmp(s->slot[at], name) == 0)
            return false;
    s->slot[at] = name;
    return true;
}

/* ---- variables ---- */

/* Checks that what the launch sizes is the kernel's last shared memory. */
static bool check_dynamic(const struct kernel *k, const struct variable *v, struct problem *problem) {
    if (v->space != SPACE_SHARED || k->function || v->offset != k->shared)
        return problem_at(problem, problem->index,
                          "a dimension of 0 elements, and '%.60s' is not the end of a kernel's shared memory", v->name);
    return true;
}

/* `end` is that of the variable before it, in each space. */
static bool check_variable(const struct kernel *k, u32 n, u64 end[SPACE_COUNT], struct problem *problem) {
    const struct variable *v = &k->variable[n];
    u64 most = v->space == SPACE_SHARED ? k->shared : k->local, bytes;
    if (!name_valid(v->name, strlen(v->name)) || name_reserved(v->name, strlen(v->name)))
        return problem_at(problem, problem->index, "an invalid name of a variable");
    if (v->etype >= ET_COUNT)
        return problem_at(problem, problem->index, "unknown element type %u", v->etype);
    if (v->ndim > VARIABLE_DIMS_MAX)
        return problem_at(problem, problem->index, "%u dimensions; at most %d", v->ndim, VARIABLE_DIMS_MAX);
    bytes = etypes[v->etype].bytes;
    for (u32 d = 0; d < v->ndim; d++) {
        if (v->dim[d] == 0 && !v->dynamic)
            return problem_at(problem, problem->index, "a dimension of 0 elements");
        bytes *= v->dim[d];
        if (bytes > most)
            break;
    }
    if (v->offset + bytes > most)
        return problem_at(problem, problem->index, "'%.60s' ends after the %s bytes of %s memory", v->name,
                          grouped(most).text, isa_mod_text(GROUP_SPACE, v->space));
    if (v->offset < end[v->space])
        return problem_at(problem, problem->index, "'%.60s' begins before the end of the variable above it", v->name);
    end[v->space] = v->dynamic ? UINT64_MAX : v->offset + bytes;
    return !v->dynamic || check_dynamic(k, v, problem);
}

static bool check_variables(const struct kernel *k, u32 index, struct problem *problem) {
    u64 end[SPACE_COUNT] = {0};
    struct name_set names;
    if (k->nvariables == 0)
        return true;
    problem->place = PROBLEM_VARIABLE;
    problem->index = index;
    bool ok = true;
    for (u32 n = 0; n < k->nvariables && ok; n++) {
        problem->param = n;
        ok = check_variable(k, n, end, problem);
    }
    if (ok && !set_begin(&names, (size_t)k->nparams + k->nvariables))
        return problem_at(problem, index, "out of memory");
    if (!ok)
        return false;
    for (u32 n = 0; n < k->nparams; n++)
        set_add(&names, k->param[n].name);
    for (u32 n = 0; n < k->nvariables && ok; n++) {
        problem->param = n;
        ok = set_add(&names, k->variable[n].name) ||
             problem_at(problem, index, "another variable or parameter has the name '%.60s'", k->variable[n].name);
    }
    arena_free(&names.arena);
    return ok;
}

/* Checks what the address of an access names. */
static bool check_base(const struct program *p, const struct kernel *k, u32 pc, struct problem *problem) {
    u32 base = p->base[pc];
    if (base == 0)
        return true;
    bool access = false;
    for (u32 n = 0; n < OPERANDS_MAX; n++)
        access |= isa_rows[p->inst[pc].op].operand[n].kind == K_MEM;
    if (base > k->nvariables || !access || k->variable[base - 1].space != inst_mod(&p->inst[pc], GROUP_SPACE))
        return problem_at(problem, pc, "its address names a variable that is none of '%.60s', or of another space",
                          k->name);
    return true;
}

static bool check_sizes(const struct kernel *k, u32 index, struct problem *problem) {
    if (!name_valid(k->name, strlen(k->name)))
        return problem_at(problem, index, "an invalid name of a kernel or function");
    if (k->regs > REG_COUNT)
        return problem_at(problem, index, "%u registers; there are %d", k->regs, REG_COUNT);
    if (k->shared > SHARED_MAX)
        return problem_at(problem, index, "%s bytes of shared memory; at most %s", grouped(k->shared).text,
                          grouped(SHARED_MAX).text);
    if (k->local > LOCAL_MAX)
        return problem_at(problem, index, "%s bytes of local memory; at most %s", grouped(k->local).text,
                          grouped(LOCAL_MAX).text);
    bool warps = k->function ? k->warps == 0 : k->warps < 16;
    return warps || problem_at(problem, index, "invalid warp widths, or warp widths of a function");
}

static bool same_inst(const struct inst *x, const struct inst *y) {
    return x->op == y->op && x->guard == y->guard && x->isel == y->isel && x->d == y->d && x->a == y->a &&
           x->b == y->b && x->c == y->c && x->pd == y->pd && x->pa == y->pa && x->pb == y->pb && x->pc == y->pc &&
           x->mods == y->mods && x->imm == y->imm;
}

static bool check_call(const struct program *p, const struct kernel *k, u32 pc, struct problem *problem) {
    u32 target = inst_target(&p->inst[pc]);
    const struct kernel *f = program_at(p, target);
    if (f == NULL || !f->function || f->start != target)
        return problem_at(problem, pc, "the call goes to %u, where no function starts", target);
    if (f->regs > k->regs || f->local > k->local || f->shared > k->shared)
        return problem_at(problem, pc, "'%.60s' needs more registers or memory than its caller declares", f->name);
    return true;
}

/* Checks that the values of a print are those of its text. */
static bool check_text(const struct program *p, u32 pc, struct problem *problem) {
    const struct inst *i = &p->inst[pc];
    struct conversions c;
    if (isa_rows[i->op].operand[0].kind != K_TEXT)
        return true;
    if (i->imm > p->nmessages || conversions_read(p->message[i->imm - 1], &c) || conversions_words(&c) != i->d)
        return problem_at(problem, pc, "its values are not those of its text");
    return true;
}

static bool check_inst(const struct program *p, const struct kernel *k, u32 pc, struct problem *problem) {
    const struct inst *i = &p->inst[pc];
    struct inst again;
    u64 word[2];
    const char *why = NULL;
    if (i->op >= OP_COUNT)
        return problem_at(problem, pc, "unknown opcode");
    inst_encode(i, word);
    if (!inst_decode(word, &again, &why))
        return problem_at(problem, pc, "%s", why);
    if (!same_inst(i, &again))
        return problem_at(problem, pc, "a field of '%s' is out of range", isa_rows[i->op].name);
    if (inst_regs_used(i) > k->regs) {
        return problem_at(problem, pc, "r%u is used, but only %u registers are declared", inst_regs_used(i) - 1,
                          k->regs);
    }
    if (i->op == OP_BRA && (inst_target(i) < k->start || inst_target(i) >= k->end))
        return problem_at(problem, pc, "the branch goes to %u, outside of '%.60s'", inst_target(i), k->name);
    return check_base(p, k, pc, problem) && check_text(p, pc, problem) &&
           (i->op != OP_CALL || check_call(p, k, pc, problem));
}

static bool check_kernel(const struct program *p, u32 index, struct problem *problem) {
    const struct kernel *k = &p->kernel[index];
    problem->place = PROBLEM_KERNEL;
    if (!check_sizes(k, index, problem) || !check_params(k, index, problem) || !check_variables(k, index, problem))
        return false;
    problem->place = PROBLEM_INST;
    for (u32 pc = k->start; pc < k->end; pc++)
        if (!check_inst(p, k, pc, problem))
            return false;
    if (!inst_ends_flow(&p->inst[k->end - 1])) {
        return problem_at(problem, k->end - 1, "'%.60s' can run past its end: it needs an exit, ret, trap or bra there",
                          k->name);
    }
    return true;
}

/* Kernels cover the code in order; checked first, since all other checks rely on it. */
static bool check_cover(const struct program *p, struct problem *problem) {
    u32 at = 0;
    problem->place = PROBLEM_KERNEL;
    for (u32 k = 0; k < p->nkernels; k++) {
        if (p->kernel[k].start != at || p->kernel[k].end <= at || p->kernel[k].end > p->ninst)
            return problem_at(problem, k, "kernels and functions must follow each other and not be empty");
        at = p->kernel[k].end;
    }
    problem->place = PROBLEM_FILE;
    if (p->nkernels == 0 || at != p->ninst)
        return problem_at(problem, 0, "code outside of kernels and functions");
    if (p->ninst > CODE_MAX || p->const_bytes > CONST_MAX)
        return problem_at(problem, 0, "more than %s instructions or %s bytes of constants", grouped(CODE_MAX).text,
                          grouped(CONST_MAX).text);
    return true;
}

/* ---- module variables ---- */

/* `end` is that of the one before it in the const space. */
static bool check_module_variable(const struct program *p, u32 n, u64 *end, struct problem *problem) {
    const struct module_variable *m = &p->module[n];
    const struct variable *v = &m->is;
    const bool global = v->space == SPACE_GLOBAL;
    if (!name_valid(v->name, strlen(v->name)) || name_reserved(v->name, strlen(v->name)))
        return problem_at(problem, n, "an invalid name of a module variable");
    if (v->etype >= ET_COUNT || v->ndim > VARIABLE_DIMS_MAX)
        return problem_at(problem, n, "an unknown element type of '%.60s', or too many dimensions", v->name);
    u64 elements = 1;
    for (u32 d = 0; d < v->ndim; d++) {
        elements = elements * v->dim[d] < UINT32_MAX ? elements * v->dim[d] : UINT32_MAX;
        if (v->dim[d] == 0)
            return problem_at(problem, n, "a dimension of 0 elements of '%.60s'", v->name);
    }
    const u64 bytes = elements * etypes[v->etype].bytes, size = global ? 8 : bytes;
    if (v->offset < *end || v->offset % (global ? 8 : 1) || v->offset + size > p->const_bytes)
        return problem_at(problem, n, "'%.60s' is not in its place among the constants", v->name);
    if (bytes > UINT32_MAX || m->data_bytes > bytes || (!global && m->data_bytes > 0) ||
        (u64)m->data + m->data_bytes > p->data_bytes)
        return problem_at(problem, n, "'%.60s' is too large, or has more initial values than elements", v->name);
    *end = v->offset + size;
    return true;
}

static bool check_module(const struct program *p, struct problem *problem) {
    struct name_set names;
    u64 end = 0;
    problem->place = PROBLEM_MODULE;
    if (!set_begin(&names, p->nmodule))
        return problem_at(problem, 0, "out of memory");
    bool ok = true;
    for (u32 n = 0; n < p->nmodule && ok; n++)
        ok = check_module_variable(p, n, &end, problem) &&
             (set_add(&names, p->module[n].is.name) || problem_at(problem, n, "two module variables of one name"));
    arena_free(&names.arena);
    return ok;
}

static bool check_names(const struct program *p, struct problem *problem) {
    struct name_set names;
    problem->place = PROBLEM_FILE;
    if (!set_begin(&names, p->nkernels))
        return problem_at(problem, 0, "out of memory");
    problem->place = PROBLEM_KERNEL;
    bool ok = true;
    for (u32 k = 0; k < p->nkernels && ok; k++)
        ok = set_add(&names, p->kernel[k].name) || problem_at(problem, k, "two kernels or functions of one name");
    arena_free(&names.arena);
    return ok;
}

bool program_check(const struct program *p, struct problem *problem) {
    *problem = (struct problem){0};
    if (!check_cover(p, problem))
        return false;
    for (u32 k = 0; k < p->nkernels; k++)
        if (!check_kernel(p, k, problem))
            return false;
    return check_names(p, problem) && (p->nmodule == 0 || check_module(p, problem));
}

bool program_reconverge(struct program *p) {
    bool ok = true;
    for (u32 k = 0; k < p->nkernels && ok; k++)
        ok = cfg_reconverge(p->inst, p->kernel[k].start, p->kernel[k].end);
    return ok;
}
