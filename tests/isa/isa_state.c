#include "tests/isa/isa_state.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

struct program *states_assemble(const char *instruction, const char *tail) {
    SCOPED(buf_free) struct buf out = {0};
    buf_puts(&out, ".kernel t\n.param in : b32[]\n.param out : b32[]\n.param n : u32\n"
                   "s2r r0, %ctaid.x\ns2r r1, %ntid.x\ns2r r2, %tid.x\nmad.lo.s32 r30, r0, r1, r2\n"
                   "ld.param.b32 r1, [n]\nsetp.ge.u32 p0, r30, r1\n@p0 exit\n"
                   "ld.param.b64 r4, [in]\nmad.wide.u32 r4, r30, 48, r4\n"
                   "ld.global.b128 r8, [r4]\nld.global.b128 r12, [r4+16]\nld.global.b32 r2, [r4+32]\n"
                   "ld.global.b64 r6, [r4+40]\n");
    for (u32 i = 0; i < 5; i++)
        buf_printf(&out, "and.b32 r3, r2, %u\nsetp.ne.s32 p%u, r3, 0\n", 1u << i, i);
    buf_printf(&out, "%s\nmov.b32 r2, 0\n", instruction);
    for (u32 i = 0; i < 5; i++)
        buf_printf(&out, "@p%u or.b32 r2, r2, %u\n", i, 1u << i);
    buf_printf(&out,
               "ld.param.b64 r4, [out]\nmad.wide.u32 r4, r30, 48, r4\nst.global.b32 [r4+32], r2\n"
               "st.global.b128 [r4], r8\nst.global.b128 [r4+16], r12\nexit\n%s",
               tail);
    struct program *p = rig_assemble(out.data);
    return p;
}

bool states_run(const struct states_launch *l) {
    union {
        const struct lane_state *in;
        void *bytes;
    } source = {.in = l->in};
    struct rig r = {.width = l->width,
                    .engine = l->engine,
                    .grid = {(l->n + l->block - 1) / l->block},
                    .block = {l->block},
                    .buffer = {{"in", source.bytes, l->n * sizeof *l->in}, {"out", l->out, l->n * sizeof *l->out}},
                    .number = {{"n", l->n}}};
    struct fault fault = {0};
    SCOPED(buf_free) struct buf why = {0};
    memset(l->out, 0xee, l->n * sizeof *l->out);
    enum outcome o = rig_launch(&r, l->program, &fault, &why);
    cr_expect(o == RUN_OK, "'%s', width %u, engine %s: outcome %d: %s", l->what, l->width, engine_names[l->engine],
              (int)o, why.data ? why.data : "");
    return o == RUN_OK;
}

bool state_equal(const struct lane_state *a, const struct lane_state *b) {
    return memcmp(a->r, b->r, sizeof a->r) == 0 && a->preds == b->preds;
}

void state_print(const struct lane_state *s, char out[160]) {
    const u32 *r = s->r, p = s->preds;
    snprintf(out, 160, "r9:r8 %08x:%08x r11:r10 %08x:%08x r13:r12 %08x:%08x r15:r14 %08x:%08x p0..p4 %u%u%u%u%u", r[1],
             r[0], r[3], r[2], r[5], r[4], r[7], r[6], p & 1, p >> 1 & 1, p >> 2 & 1, p >> 3 & 1, p >> 4 & 1);
}
