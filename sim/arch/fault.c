/* Faults: recorded where they happen, put into words for people. */
#include "sim/arch/state.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const fault_names[FAULT_COUNT] = {
    [FAULT_NONE] = "none",
#define FAULT(id, name, doc) [FAULT_##id] = name,
#include "sim/arch/faults.def"
};

const char *const fault_docs[FAULT_COUNT] = {
    [FAULT_NONE] = "",
#define FAULT(id, name, doc) [FAULT_##id] = doc,
#include "sim/arch/faults.def"
};

enum { NULL_PAGE = 65536 }; /* addresses below this are those of a null pointer, not of a wrong index */

static struct fault *fault_at(struct warp *w, const struct uop *u, enum fault_kind kind, u32 lane) {
    struct fault *f = w->run->fault;
    *f = (struct fault){.kind = kind, .pc = (u32)(u - w->run->code), .warp = w->index, .lane = lane};
    memcpy(f->block, w->block->index, sizeof f->block);
    f->space = SPACE_COUNT;
    return f;
}

enum step warp_fault(struct warp *w, const struct uop *u, enum fault_kind kind, u32 lane, const char *fmt, ...) {
    struct fault *f = fault_at(w, u, kind, lane);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(f->detail, sizeof f->detail, fmt, ap);
    va_end(ap);
    return STEP_FAULT;
}

void fault_say(struct fault *f, const char *fmt, ...) {
    size_t used = strlen(f->detail);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(f->detail + used, sizeof f->detail - used, fmt, ap);
    va_end(ap);
}

static u64 distance(const struct allocation *a, u64 addr) {
    if (addr < a->base)
        return a->base - addr;
    return addr >= a->base + a->size ? addr - (a->base + a->size) : 0;
}

/* "17 bytes", or "just": how far past the end something begins. */
static struct short_text how_far(u64 bytes) {
    struct short_text t = {"just"};
    if (bytes)
        snprintf(t.text, sizeof t.text, "%.32s byte%s", grouped(bytes).text, bytes == 1 ? "" : "s");
    return t;
}

static void describe_global(const struct memory *m, u64 addr, u32 bytes, char *text, size_t size) {
    const struct allocation *best = NULL;
    for (u32 i = 0; i < m->count; i++)
        if (!best || distance(&m->list[i], addr) < distance(best, addr))
            best = &m->list[i];
    if (!best) {
        snprintf(text, size, "there is no buffer at all");
        return;
    }
    u64 end = best->base + best->size;
    if (addr < best->base)
        snprintf(text, size, "%s before the start of '%.60s' (%s bytes)", how_far(best->base - addr).text, best->name,
                 grouped(best->size).text);
    else if (addr >= end)
        snprintf(text, size, "%s past the end of '%.60s' (%s bytes)", how_far(addr - end).text, best->name,
                 grouped(best->size).text);
    else
        snprintf(text, size, "the last %" PRIu64 " of its %u bytes are past the end of '%.60s' (%s bytes)",
                 addr + bytes - end, bytes, best->name, grouped(best->size).text);
}

static const char *space_name(u32 space) {
    return isa_mod_text(GROUP_SPACE, space);
}

static u64 space_size(const struct run *run, enum space s) {
    const struct kernel *k = run->launch->kernel;
    switch (s) {
    case SPACE_SHARED: return k->shared;
    case SPACE_LOCAL: return k->local;
    case SPACE_CONST: return run->launch->program->const_bytes;
    case SPACE_PARAM: return k->param_bytes;
    case SPACE_GENERIC:
    case SPACE_GLOBAL:
    case SPACE_COUNT: break;
    }
    return 0;
}

PRINTF_LIKE(2, 3) static void add_text(struct fault *f, const char *fmt, ...) {
    size_t len = strlen(f->detail);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(f->detail + len, sizeof f->detail - len, fmt, ap);
    va_end(ap);
}

/* Appends the variable of shared or local memory that the access missed or hit. */
static void describe_variable(struct fault *f, const struct launch *l, u64 within) {
    const struct variable *base = program_base(l->program, f->pc), *v;
    struct buf element = {0};
    if (f->kind == FAULT_OUT_OF_BOUNDS && base)
        add_text(f, "; the address names '%.60s', %s %s bytes", base->name,
                 base->dynamic ? "to which the launch gives" : "which has", grouped(variable_bytes(base)).text);
    if (f->kind != FAULT_MISALIGNED)
        return;
    v = program_variable(l->program, l->kernel, f->pc, (enum space)f->space, within);
    if (v)
        variable_print_element(v, within, &element);
    if (v && !element.failed)
        add_text(f, "; it lies in %.200s", element.data);
    buf_free(&element);
}

/* Describes an access that reaches past the `have` bytes of a space. */
static void describe_end(struct fault *f, u64 within, u64 have) {
    const enum space space = (enum space)f->space;
    if (within >= have)
        snprintf(f->detail, sizeof f->detail, "%s past the end of the %s memory (%s bytes%s)",
                 how_far(within - have).text, space_name(space), grouped(have).text,
                 space == SPACE_LOCAL    ? " a thread"
                 : space == SPACE_SHARED ? " a block"
                                         : "");
    else
        snprintf(f->detail, sizeof f->detail, "the last %" PRIu64 " of its %u bytes are past the end of the %s memory",
                 within + f->bytes - have, f->bytes, space_name(space));
}

enum step warp_memory_fault(struct warp *w, const struct uop *u, enum fault_kind kind, u32 lane, enum space space) {
    struct run *run = w->run;
    const u64 addr = w->effect->addr[lane];
    const u32 bytes = w->effect->bytes;
    struct fault *f = fault_at(w, u, kind, lane);
    f->address = addr;
    f->bytes = bytes;
    f->space = (u8)space;
    char *text = f->detail;
    size_t size = sizeof f->detail;
    u64 within = u->space == SPACE_GENERIC && space != SPACE_GLOBAL ? addr & (WINDOW_SHARED - 1) : addr;
    if (kind == FAULT_OUT_OF_BOUNDS && space == SPACE_GLOBAL && addr < NULL_PAGE) {
        f->kind = FAULT_NULL_ADDRESS;
        snprintf(text, size, "the address comes from a null pointer: no buffer lies below 0x10000000");
    } else if (kind == FAULT_OUT_OF_BOUNDS && space == SPACE_GLOBAL) {
        describe_global(run->launch->memory, addr, bytes, text, size);
    } else if (kind == FAULT_OUT_OF_BOUNDS && space == SPACE_GENERIC) {
        snprintf(text, size, "the generic address lies in no space's window");
    } else if (kind == FAULT_OUT_OF_BOUNDS) {
        describe_end(f, within, space_size(run, space));
    } else if (kind == FAULT_MISALIGNED) {
        snprintf(text, size, "the address is not a multiple of %u", bytes);
        const struct allocation *a = space == SPACE_GLOBAL ? memory_find(run->launch->memory, addr) : NULL;
        if (a)
            snprintf(text, size, "byte %" PRIu64 " of '%.60s' is not a multiple of %u", addr - a->base, a->name, bytes);
    } else if (kind == FAULT_READ_ONLY) {
        snprintf(text, size, "%s memory can only be read", space_name(space));
    } else {
        snprintf(text, size, "there are no atomics in %s memory", space_name(space));
    }
    if (space == SPACE_SHARED || space == SPACE_LOCAL)
        describe_variable(f, run->launch, within);
    return STEP_FAULT;
}

static void render_words(const struct fault *f, const struct launch *l, struct buf *out) {
    const struct inst *i = &l->program->inst[f->pc];
    bool store = op_memory(i->op) == MEMORY_STORE, load = op_memory(i->op) == MEMORY_LOAD;
    switch (f->kind) {
    case FAULT_LIMIT:
        if (f->limit_cycles)
            buf_printf(out,
                       "the launch has run for %s cycles, which is its limit; an endless loop? (max-cycles "
                       "raises the limit)",
                       grouped(f->limit_cycles).text);
        else
            buf_printf(out,
                       "the launch issued %s warp-instructions, which is its limit; an endless loop? "
                       "(max-instructions raises the limit)",
                       grouped(l->max_instructions).text);
        break;
    case FAULT_OUT_OF_BOUNDS:
    case FAULT_MISALIGNED:
    case FAULT_NULL_ADDRESS:
    case FAULT_READ_ONLY:
    case FAULT_BAD_SPACE:
        buf_printf(out, "%s of %u byte%s at %s address 0x%" PRIx64 ": %s",
                   store  ? "store"
                   : load ? "load"
                          : "atomic",
                   f->bytes, f->bytes == 1 ? "" : "s", space_name(f->space), f->address, f->detail);
        break;
    default: buf_printf(out, "%s", f->detail);
    }
}

void fault_render(const struct fault *f, const struct launch *l, struct buf *out) {
    const struct program *p = l->program;
    const struct kernel *at = program_at(p, f->pc);
    u32 line = f->pc < p->ninst ? p->line[f->pc] : 0;
    struct source_file source = program_source(p, line);
    line -= source.first;
    buf_printf(out, "%s:", source.file);
    if (line)
        buf_printf(out, "%u:", line);
    buf_printf(out, " fault: %s: ", fault_names[f->kind]);
    render_words(f, l, out);
    buf_putc(out, '\n');
    if (source.text && line) {
        diag_render_line(source.text, source.len, (struct span){line, UINT32_MAX, 1}, out);
        if (program_use(p, f->pc).line || program_first(p, f->pc) != f->pc) {
            buf_puts(out, "       = ");
            source_print(p, f->pc, out);
            buf_putc(out, '\n');
        }
    } else if (f->pc < p->ninst) {
        buf_puts(out, "       | ");
        inst_print(p, &p->inst[f->pc], out);
        buf_putc(out, '\n');
    }
    buf_printf(out, "  kernel %s", l->kernel->name);
    if (at && at != l->kernel)
        buf_printf(out, " (in function %s)", at->name);
    buf_printf(out, ", block (%u, %u, %u), warp %u, lane %u", f->block[0], f->block[1], f->block[2], f->warp, f->lane);
    u32 thread = f->warp * l->width + f->lane;
    buf_printf(out, " = thread (%u, %u, %u), instruction %u\n", thread % l->block[0],
               thread / l->block[0] % l->block[1], thread / l->block[0] / l->block[1], f->pc);
    if (f->timed)
        buf_printf(out, "  in cycle %" PRIu64 "\n", f->cycle);
    for (const char *advice = f->advice; *advice; advice += strcspn(advice, "\n") + 1)
        buf_printf(out, "  %.*s\n", (int)strcspn(advice, "\n"), advice);
    buf_printf(out, "  %s: %s\n", fault_names[f->kind], fault_docs[f->kind]);
}
