#include "tests/isa/isa_rig.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/mix.h"

struct program *rig_assemble(const char *text) {
    struct diag diag = {0};
    struct program *p = program_assemble("test.hd", text, strlen(text), NULL, &diag);
    if (!p) {
        SCOPED(buf_free) struct buf why = {0};
        diag_render(&diag, &why);
        cr_expect(false, "%s\nin:\n%s", why.data ? why.data : "", text);
    }
    return p;
}

static void set_param(const struct kernel *k, u8 *params, const char *name, u64 value) {
    for (u32 i = 0; i < k->nparams; i++)
        if (strcmp(k->param[i].name, name) == 0) {
            memcpy(params + k->param[i].offset, &value, k->param[i].buffer ? 8 : etypes[k->param[i].etype].bytes);
            return;
        }
    cr_expect(false, "the kernel has no parameter '%s'", name);
}

enum outcome rig_launch(const struct rig *r, const struct program *p, struct fault *fault, struct buf *why) {
    const struct kernel *k = program_kernel(p, NULL);
    SCOPED(memory_free) struct memory m = {0};
    u8 params[PARAM_BYTES_MAX] = {0};
    for (u32 i = 0; i < RIG_BUFFERS && r->buffer[i].name; i++)
        set_param(k, params, r->buffer[i].name,
                  memory_add(&m, r->buffer[i].name, r->buffer[i].bytes, r->buffer[i].size));
    for (u32 i = 0; i < RIG_NUMBERS && r->number[i].name; i++)
        set_param(k, params, r->number[i].name, r->number[i].value);
    struct launch l = {.program = p, .kernel = k, .memory = &m, .width = r->width, .engine = r->engine};
    for (u32 i = 0; i < 3; i++) {
        l.grid[i] = r->grid[i] ? r->grid[i] : 1;
        l.block[i] = r->block[i] ? r->block[i] : 1;
    }
    l.params = params;
    l.max_instructions = 1000000000;
    l.issues = calloc(p->ninst, sizeof *l.issues);
    l.lanes = calloc(p->ninst, sizeof *l.lanes);
    enum outcome o = machine_run(&l, fault);
    if (o == RUN_FAULT)
        fault_render(fault, &l, why);
    free(l.issues);
    free(l.lanes);
    return o;
}

void rig_run(const struct rig *r) {
    SCOPED(program_drop) struct program *p = rig_assemble(r->text);
    if (!p)
        return;
    struct fault fault = {0};
    SCOPED(buf_free) struct buf why = {0};
    enum outcome o = rig_launch(r, p, &fault, &why);
    cr_expect(o == RUN_OK, "width %u, engine %s: outcome %d: %s\nin:\n%s", r->width, engine_names[r->engine], (int)o,
              why.data ? why.data : "", r->text);
}

enum fault_kind rig_fault(const struct rig *r) {
    SCOPED(program_drop) struct program *p = rig_assemble(r->text);
    if (!p)
        return FAULT_NONE;
    struct fault fault = {0};
    SCOPED(buf_free) struct buf why = {0};
    enum outcome o = rig_launch(r, p, &fault, &why);
    return o == RUN_FAULT ? fault.kind : FAULT_NONE;
}

bool rig_next(u32 *i, u32 *width, enum engine *engine) {
    for (; *i < 4 * (ENGINE_COUNT - 1); ++*i) {
        *width = 8u << *i % 4;
        *engine = (enum engine)(ENGINE_BASELINE + *i / 4);
        if (rig_quick() && engine_available(ENGINE_V3) && (*i + *i / 4) % 2 == 1)
            continue; /* each engine at two widths, and each width */
        if (engine_available(*engine)) {
            ++*i;
            return true;
        }
    }
    return false;
}

u64 rig_random(u64 *state) {
    return splitmix_next(state);
}
