/* Does the linter find what is likely wrong, and stay silent otherwise? */
#include "isa/program.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/lib/program_text.h"

static void lint(const char *text, struct buf *out) {
    struct diag diag = {.file = "t.hd", .source = text, .source_len = strlen(text)};
    SCOPED(program_drop) struct program *p = program_of_text(text);
    program_lint(p, NULL, &diag);
    cr_assert(diag.errors == 0);
    diag_render(&diag, out);
}

static void warns(const char *text, const char *message) {
    SCOPED(buf_free) struct buf out = {0};
    lint(text, &out);
    cr_assert(out.len > 0 && strstr(out.data, message) != NULL, "expected: %s\ngot: %s\nin:\n%s", message,
              out.data ? out.data : "nothing", text);
}

static void silent(const char *text) {
    SCOPED(buf_free) struct buf out = {0};
    lint(text, &out);
    cr_assert(out.len == 0, "%s\nin:\n%s", out.data, text);
}

/* A piece of a kernel, and what lint warns of in it; NULL: nothing. */
struct piece {
    const char *text, *warning;
};

static void lints(const char *head, const struct piece *pieces, size_t n, const char *tail) {
    for (size_t i = 0; i < n; i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s%s%s", head, pieces[i].text, tail);
        if (pieces[i].warning)
            warns(text, pieces[i].warning);
        else
            silent(text);
    }
}

Test(lint, unreachable_code) {
    warns(".kernel k\nbra end\nnop\nend: exit\n", "t.hd:3:1: warning: unreachable code in 'k'");
    warns(".kernel k\nexit\nloop: nop\nbra loop\n", "t.hd:3:7: warning: unreachable code");
    silent(".kernel k\nsetp.eq.s32 p0, rz, rz\n@p0 bra end\nnop\nend: exit\n");
}

Test(lint, registers_never_written) {
    warns(".kernel k\n        add.s32 r1, r2, 1   ; a comment\n        exit\n",
          "t.hd:2:9: warning: r2 is read here, but it was never written\n"
          "     2 |         add.s32 r1, r2, 1   ; a comment\n"
          "       |         ^~~~~~~~~~~~~~~~~\n");
    warns(".kernel k\nmov.b32 r2, 0\nadd.s64 r4, r2, 1\nexit\n", "r3 is read here, but it was never written");
    warns(".kernel k\n@p4 exit\nexit\n", "p4 is read here, but it was never written");
    warns(".kernel k\nst.global.b32 [r4], rz\nexit\n", "r5 is read here");
    warns(".kernel k\nbra a\na: mov.b32 r1, r2\nmov.b32 r2, 1\nexit\n", "r2 is read here");
    silent(
        ".kernel k\nloop: setp.eq.s32 p0, rz, 0\n@p0 bra skip\nmov.b32 r1, 1\nskip: @!p0 mov.b32 r2, r1\nbra loop\n");
    silent(".kernel k\nxor.b32 r1, r1, r1\nexit\n");
    silent(".kernel k\nsetp.eq.s32 p0, rz, rz\n@p0 mov.b32 r1, 1\nadd.s32 r1, r1, 1\nexit\n");
    silent(".kernel k\ncall f\nadd.s32 r1, r10, 1\nexit\n.func f\nadd.s32 r10, r11, 1\nret\n");
}

Test(lint, addresses_of_parameters_for_their_values) {
#define HEAD ".kernel k\n.param x : f32[n]\n.param n : u32\n.reg i, at:2\n.pred p\n"
    warns(HEAD "        setp.lt.u32 p, rz, n   ; n\n        exit\n",
          "t.hd:6:9: warning: 'n' is the address of a parameter here, the number 8; ld.param.b32 loads its value\n"
          "     6 |         setp.lt.u32 p, rz, n   ; n\n"
          "       |         ^~~~~~~~~~~~~~~~~~~~\n");
    warns(HEAD "here: @!p mov.b32 i, n\nexit\n", "'n' is the address of a parameter here, the number 8");
    warns(HEAD "mov.b32 i, n+4\nexit\n", "'n' is the address");
    warns(HEAD "ld.global.b32 i, [x]\nexit\n",
          "'x' is the address of a parameter here, the number 0; ld.param.b64 loads");
    silent(HEAD "ld.param.b64 at, [x]\nld.param.b32 i, [n]\nst.global.b32 [at], i\nexit\n");
    silent(HEAD "mov.b32 i, n\nld.param.b32 i, [i]\nexit\n");
    silent(HEAD "cvta.param at, n\nld.b32 i, [at]\nexit\n");
    silent(".kernel k\n.param tid : u32\n.param y : u32\n.reg i\ns2r i, %tid.y\nbra tid\ntid: exit\n");
    silent(HEAD ".macro both op, a\n\\op i, \\a\n.endmacro\nboth mov.b32, 3\nexit\n");
    silent(HEAD "mov.b32 i, 0   ; n\nexit\n.func f\nmov.b32 r0, 1\nret\n");
#undef HEAD
}

Test(lint, barriers_under_divergent_guards) {
    warns(".kernel k\ns2r r0, %tid.x\nsetp.lt.u32 p0, r0, 5\n@p0 bar.sync 0\nexit\n",
          "t.hd:4:1: warning: barrier under a divergent guard: p0 differs");
    warns(".kernel k\ns2r r0, %laneid\nsetp.eq.s32 p0, r0, 0\nmov.pred p1, !p0\n@!p1 bar.sync 0\nexit\n", "p1 differs");
    silent(".kernel k\ns2r r0, %ctaid.x\nsetp.lt.u32 p0, r0, 5\n@p0 bar.sync 0\nexit\n");
    silent(".kernel k\ns2r r0, %warpid\nsetp.lt.u32 p0, r0, 5\n@p0 bar.sync 1, 64\nexit\n");
    silent(".kernel k\ns2r r0, %tid.x\nshr.u32 r0, r0, 5\nsetp.eq.s32 p0, r0, 0\n@p0 bar.sync 1, 32\nexit\n");
    silent(".kernel k\ns2r r0, %tid.x\nsetp.lt.u32 p0, r0, 64\n@p0 bar.sync 1, 64\nexit\n");
    silent(".kernel k\ns2r r0, %tid.x\nsetp.lt.u32 p0, r0, 5\nvote.any p0, p0\n@p0 bar.sync 0\nexit\n");
}

/* True if the lint takes the value that `text` leaves in r8 for uniform: then a comparison with it diverges. */
static bool taken_for_uniform(const char *text) {
    SCOPED(buf_free) struct buf out = {0};
    char all[400];
    snprintf(all, sizeof all,
             ".kernel k\ns2r r0, %%tid.x\nmov.b32 r4, r0\nmov.b32 r5, r0\nmov.b32 r6, r0\nmov.b32 r7, r0\n"
             "setp.lt.u32 p0, r0, 5\n%ssetp.lt.u32 p2, r0, r8\n@p2 bar.sync 0\nexit\n",
             text);
    lint(all, &out);
    bool warned = out.len > 0 && strstr(out.data, "barrier under a divergent guard") != NULL;
    cr_assert_eq(warned, out.len > 0, "%s in:\n%s", out.data ? out.data : "", all);
    return warned;
}

/* An operand of the row as text: what differs between lanes as a source, r8 or p1 as the result; NULL: left out. */
static const char *operand_text(const struct operand *o) {
    switch ((enum operand_kind)o->kind) {
    case K_NONE:
    case K_PRED_OPT:
    case K_MASK_OPT:
    case K_REG_IMM_OPT:
    case K_TEXT_OPT: return NULL;
    case K_PRED: return o->place == PLACE_D ? "p1" : "p0";
    case K_TRANSIT: return "x0";
    case K_BARRIER:
    case K_PHASE: return "0";
    case K_SREG: return "%smid";
    default: return o->place == PLACE_D ? "r8" : "r4";
    }
}

/* Only these results of the whole warp are uniform: whatever else there is, or will be, may differ. */
Test(lint, uniform_results_of_the_warp) {
    static const char *const uniform[] = {"s2r",           "s2r.b64",       "vote.all",      "vote.any",
                                          "vote.uni",      "ballot.b32",    "ballot.b64",    "match.all.b32",
                                          "match.all.b64", "redux.add.u32", "redux.min.s32", "redux.max.s32",
                                          "redux.min.u32", "redux.max.u32", "redux.and.b32", "redux.or.b32",
                                          "redux.xor.b32", "bar.red.and",   "bar.red.or",    "bar.red.popc"};
    u32 found = 0;
    for (u32 op = 0; op < OP_COUNT; op++) {
        const struct isa_row *row = &isa_rows[op];
        const struct operand *d = &row->operand[0];
        bool listed = false, pred = d->kind == K_PRED;
        if (row->kind != ROW_WARP || op == OP_LD || d->kind == K_NONE || d->place != PLACE_D || d->kind == K_TRANSIT)
            continue;
        for (u32 i = 0; i < COUNT_OF(uniform); i++)
            listed |= strcmp(uniform[i], row->name) == 0;
        bool number = row->iclass == CLASS_REDUX && strstr(row->name, ".f32");
        char text[200];
        int n = snprintf(text, sizeof text, "%s", row->name);
        for (u32 i = 0; i < OPERANDS_MAX; i++)
            if (operand_text(&row->operand[i]))
                n +=
                    snprintf(text + n, sizeof text - (size_t)n, "%s%s", i ? ", " : " ", operand_text(&row->operand[i]));
        snprintf(text + n, sizeof text - (size_t)n, "%s", pred ? "\nsel.b32 r8, 1, rz, p1\n" : "\n");
        cr_assert_eq(taken_for_uniform(text), listed || number, "%s", text);
        found += listed;
    }
    cr_assert_eq(found, COUNT_OF(uniform));
}

Test(lint, uniform_special_registers) {
    static const char *const other[] = {"%tid.x",       "%tid.y",       "%tid.z",       "%laneid",      "%warpsize",
                                        "%lanemask_eq", "%lanemask_lt", "%lanemask_le", "%lanemask_gt", "%lanemask_ge",
                                        "%activemask",  "%clock",       "%globaltimer"};
    for (u32 s = 0; s < SREG_COUNT; s++) {
        char text[80];
        bool listed = false;
        for (u32 i = 0; i < COUNT_OF(other); i++)
            listed |= strcmp(other[i], isa_sregs[s].name) == 0;
        snprintf(text, sizeof text, "%s r8, %s\n", isa_sregs[s].bits == 64 ? "s2r.b64" : "s2r", isa_sregs[s].name);
        cr_assert_eq(taken_for_uniform(text), !listed, "%s", text);
    }
}

#define DIVERGENT "warning: barrier in divergent code: the lanes of a warp diverge at the branch on line"

#define UNIFORM "setp.eq.u32 p1, r1, 0\n"
#define SKIPS "@p2 bra skip\nbar.sync 0\nskip: exit\n"

Test(lint, barriers_in_divergent_code) {
    const char *head = ".kernel k\n.param n : u32\ns2r r0, %tid.x\nld.param.b32 r1, [n]\nsetp.lt.u32 p0, r0, r1\n";
    static const struct piece pieces[] = {
        {"@!p0 bra skip\nbar.sync 0\nskip: exit\n", DIVERGENT},
        {"loop: bar.sync 0\nadd.s32 r0, r0, 1\nsetp.lt.u32 p0, r0, r1\n@p0 bra loop\nexit\n", DIVERGENT},
        {"mov.b32 r2, 0\n@!p0 mov.b32 r2, 1\nsetp.eq.s32 p1, r2, 0\n@p1 bra skip\nbar.sync 0\nskip: exit\n", DIVERGENT},
        {"mov.b32 r2, 0\n@p0 bra a\nmov.b32 r2, 1\na: setp.eq.s32 p1, r2, 0\n@p1 bra skip\nbar.sync 0\nskip: exit\n",
         DIVERGENT},
        {"mov.pred p1, !p0\n@p0 bra a\nnop\nbra b\na: @p1 bra b\nbar.sync 0\nb: exit\n", DIVERGENT},
        {"@!p0 bra skip\nnop\nskip: bar.sync 0\nexit\n", NULL},
        {"loop: @p0 bra in\nnop\nin: bar.sync 0\nsub.s32 r1, r1, 1\nsetp.ne.s32 p1, r1, 0\n@p1 bra loop\nexit\n", NULL},
        {"loop: add.s32 r0, r0, 1\nsetp.lt.u32 p0, r0, r1\n@p0 bra loop\nbar.sync 0\nexit\n", NULL},
        {"mov.b32 r0, 0\nloop: add.s32 r0, r0, 1\nbar.sync 0\nsetp.lt.u32 p0, r0, r1\n@p0 bra loop\nexit\n", NULL},
        {"s2r r2, %laneid\nsub.s32 r3, r0, r2\nsetp.lt.u32 p1, r3, r1\n@p1 bra skip\nbar.sync 0\nskip: exit\n", NULL},
        {"@!p0 bra skip\nbar.warp\nskip: exit\n", NULL},
        /* What meets is as little known as either. */
        {UNIFORM "mov.b32 r2, 0\n@p1 bra a\nshr.u32 r2, r0, 5\na: setp.lt.u32 p2, r0, r2\n" SKIPS, NULL},
        {UNIFORM "shr.u32 r2, r0, 5\n@p1 bra a\nmov.b32 r2, 0\na: setp.lt.u32 p2, r0, r2\n" SKIPS, NULL},
        {UNIFORM "mov.b32 r2, r0\n@p1 bra a\ns2r r2, %laneid\na: setp.lt.u32 p2, r2, 16\n" SKIPS, NULL},
        {UNIFORM "s2r r2, %laneid\n@p1 bra a\nmov.b32 r2, r0\na: setp.lt.u32 p2, r2, 16\n" SKIPS, NULL},
        {UNIFORM "shl.b32 r2, r0, 2\n@p1 bra a\nmov.b32 r2, r0\na: setp.lt.u32 p2, r2, 16\n" SKIPS, NULL},
        {UNIFORM "mov.b32 r2, r0\n@p1 bra a\nmov.b32 r2, r0\na: setp.lt.u32 p2, r2, 16\n" SKIPS, DIVERGENT},
        {UNIFORM "mov.b32 r2, 0\n@p1 bra a\nmov.b32 r2, r0\na: setp.lt.u32 p2, r2, 16\n" SKIPS, DIVERGENT},
    };
    lints(head, pieces, COUNT_OF(pieces), "");
}

/* Comparisons of a thread's number t, or a lane's l: whether the lanes of a warp differ in what they find. */
static const struct {
    bool parts;
    const char *warp, *comparison; /* the widths that the kernel allows; what sets q */
} limits[] = {
    {true, "", "setp.lt.u32 q, t, 16"},
    {true, ".warp 32\n", "setp.lt.u32 q, t, 16"},
    {true, ".warp 64\n", "setp.lt.u32 q, t, 16"},
    {true, ".warp 64\n", "setp.lt.u32 q, t, 32"},
    {true, ".warp 8, 16\n", "setp.ge.s32 q, t, 8"},
    {true, "", "setp.gt.u32 q, t, 16"},
    {true, "", "setp.le.u32 q, t, 32"},
    {true, "", "setp.gt.u32 q, 16, t"},
    {true, "", "setp.eq.u32 q, t, 64"},
    {true, "", "setp.lt.u32 q, l, 16"},
    {true, ".warp 64\n", "setp.lt.u32 q, l, 32"},
    {true, "", "setp.eq.u32 q, l, 8"},
    {true, "", "and.b32 t, t, 8\nsetp.ne.u32 q, t, 0"},
    {true, "", "and.b32 t, t, 8\nsetp.eq.u32 q, t, 8"},
    {true, "", "and.b32 t, t, 31\nsetp.lt.u32 q, t, 16"},
    {true, "", "mov.b32 t, t\nadd.s32 t, t, 64\nsetp.lt.u32 q, t, 80"},
    {true, "", "mad.wide.u32 p, t, 4, p\nld.global.b32 t, [p]\nsetp.lt.u32 q, t, 64"},
    {true, "", "mad.wide.u32 p, t, 4, p\nld.global.b32 t, [p]\nsetp.eq.u32 q, t, 64"},
    {false, "", "setp.lt.u32 q, t, 32"},
    {false, "", "setp.lt.u32 q, t, 64"},
    {false, "", "setp.le.u32 q, t, 31"},
    {false, "", "setp.gt.u32 q, t, 63"},
    {false, "", "setp.gt.u32 q, 32, t"},
    {false, "", "setp.le.u32 q, 32, t"},
    {false, ".warp 8, 16\n", "setp.lt.u32 q, t, 16"},
    {false, ".warp 8\n", "setp.lt.u32 q, l, 8"},
    {false, ".warp 32\n", "setp.lt.u32 q, l, 32"},
    {false, "", "setp.ge.s32 q, t, 0"},
    {false, "", "shr.u32 t, t, 5\nsetp.eq.u32 q, t, 0"},
    {false, "", "and.b32 t, t, 32\nsetp.ne.u32 q, t, 0"},
    {false, "", "and.b32 t, t, 0xffffffe0\nsetp.eq.u32 q, t, 32"},
    {false, "", "or.b32 t, t, 31\nsetp.eq.u32 q, t, 31"},
    {false, "", "shl.b32 t, t, 2\nsetp.lt.u32 q, t, 128"},
    {false, "", "sub.s32 t, t, l\nsetp.eq.u32 q, t, 32"},
    {false, "", "s2r l, %ctaid.x\ns2r u, %ntid.x\nmad.lo.u32 t, l, u, t\nsetp.lt.u32 q, t, 256"},
};

/* A comparison parts the lanes of a warp unless its limit lies between warps, of each width that the kernel allows. */
Test(lint, limits_within_a_warp) {
    static const struct {
        const char *text, *warning;
    } uses[] = {
        {"@q bar.sync 0\nexit\n", "warning: barrier under a divergent guard"},
        {"@!q bra skip\nbar.sync 0\nskip: exit\n", "warning: barrier in divergent code"},
    };
    char text[512];
    for (size_t n = 0; n < COUNT_OF(limits) * COUNT_OF(uses); n++) {
        size_t row = n / COUNT_OF(uses), use = n % COUNT_OF(uses);
        snprintf(text, sizeof text,
                 ".kernel k\n%s.param x : u32[]\n.reg t, l, u, p:2\n.pred q\ns2r t, %%tid.x\ns2r l, %%laneid\n"
                 "ld.param.b64 p, [x]\n%s\n%s",
                 limits[row].warp, limits[row].comparison, uses[use].text);
        if (limits[row].parts)
            warns(text, uses[use].warning);
        else
            silent(text);
    }
}

Test(lint, calls_of_functions_with_barriers) {
    const char *head = ".kernel k\ns2r r0, %tid.x\ns2r r1, %warpid\nsetp.lt.u32 p0, r0, 5\nsetp.lt.u32 p1, r1, 5\n";
    const char *tail = "exit\n.func f\ncall g\nret\n.func g\nbar.sync 0\nret\n.func h\nbar.warp\nret\n";
    static const struct piece pieces[] = {
        {"@p0 call f\n", "t.hd:6:1: warning: call of 'f', which has a barrier, under a divergent guard: p0 differs"},
        {"@!p0 bra skip\ncall g\nskip: ", "t.hd:7:1: warning: call of 'g', which has a barrier, in divergent code: the "
                                          "lanes of a warp diverge at the branch on line 6"},
        {"@p1 call f\n", NULL},
        {"@p0 call h\n", NULL},
        {"call f\n", NULL},
        {"@!p0 bra skip\nnop\nskip: call f\n", NULL},
    };
    lints(head, pieces, COUNT_OF(pieces), tail);
}

Test(lint, matrices_of_more_lanes_than_the_warp) {
    warns(".kernel k\n.warp 16, 32\nmov.b64 r2, 0\nmma.m16n8k16.f32.f16 r4, rz, r2, rz\nexit\n",
          "t.hd:4:1: warning: mma.m16n8k16.f32.f16 is a product of 32 lanes, and .warp names 16");
    silent(".kernel k\n.warp 32, 64\nmov.b64 r2, 0\nmma.m16n8k16.f32.f16 r4, rz, r2, rz\nexit\n");
    silent(".kernel k\nmov.b64 r2, 0\nmma.m16n8k16.f32.f16 r4, rz, r2, rz\nexit\n");
    silent(".kernel k\n.warp 8\nmov.b64 r2, 0\nmma.m8n4k8.f32.f16 r4, rz, r2, rz\nexit\n");
}

Test(lint, instructions_that_need_all_lanes) {
    const char *head = ".kernel k\ns2r r0, %laneid\ns2r r1, %warpid\nsetp.lt.u32 p0, r0, 5\nsetp.lt.u32 p1, r1, 5\n"
                       "mov.b64 r2, 0\n";
    static const struct piece pieces[] = {
        {"@p0 mma.m8n4k8.f32.f16 r4, rz, r2, rz\n",
         "t.hd:7:1: warning: mma.m8n4k8.f32.f16, which needs all lanes of the "
         "warp, under a divergent guard: p0 differs between the lanes"},
        {"@!p0 bra skip\nxext r3, x0, 1\nskip: ",
         "t.hd:8:1: warning: xext, which needs all lanes of the warp, in "
         "divergent code: the lanes of a warp diverge at the branch on line 7"},
        {"@p1 mma.m8n4k8.f32.f16 r4, rz, r2, rz\n", NULL},
        {"@p1 xpush x0, r0\n", NULL},
        {"@!p0 bra skip\nnop\nskip: mma.m8n4k8.f32.bf16 r4, rz, r2, rz\n", NULL},
    };
    lints(head, pieces, COUNT_OF(pieces), "exit\n");
}

/* A barrier without a count waits for threads that have exited: a fault. */
Test(lint, exits_before_barriers) {
    const char *head = ".kernel k\n.param n : u32\ns2r r0, %tid.x\nld.param.b32 r1, [n]\nsetp.lt.u32 p0, r0, r1\n"
                       "setp.eq.u32 p1, r1, 0\n";
    static const struct piece pieces[] = {
        {"@!p0 exit\nbar.sync 0\nexit\n", "t.hd:7:1: warning: some threads exit here, and the barrier on line 8 waits"},
        {"@!p0 ret\n@p1 bra a\nnop\na: bar.sync 0\nexit\n", "t.hd:7:1: warning: some threads exit here"},
        {"@p0 bra work\nexit\nwork: bar.sync 0\nexit\n", "t.hd:8:1: warning: some threads exit here, and the barrier "
                                                         "on line 9"},
        {"loop: bar.sync 0\n@p0 exit\nbra loop\n",
         "t.hd:8:1: warning: some threads exit here, and the barrier on line 7"},
        {"@p1 exit\nbar.sync 0\nexit\n", NULL},
        {"@!p0 exit\nbar.sync 0, 32\nexit\n", NULL},
        {"@!p0 exit\nbar.warp\nexit\n", NULL},
        {"bar.sync 0\n@!p0 exit\nst.shared.b32 [r0], r1\nexit\n", NULL},
        {"@!p0 exit\n@p1 bra end\nbar.sync 0\nend: exit\n", NULL},
        {"@p1 bra big\n@!p0 exit\nexit\nbig: bar.sync 0\nexit\n", NULL},
        {"@!p0 trap\nbar.sync 0\nexit\n", NULL},
        {"@p0 bra work\nexit\nwork: nop\nexit\n", NULL},
        {"@p0 bra work\ntrap\nwork: bar.sync 0\nexit\n", NULL},
    };
    lints(head, pieces, COUNT_OF(pieces), "");
}

/* Of many branches that part the warp, each has the barrier that it skips named. */
Test(lint, each_of_many_branches_parts_its_warp) {
    enum { BRANCHES = 40 };
    for (u32 parted = 0; parted < BRANCHES; parted++) {
        SCOPED(buf_free) struct buf text = {0};
        char want[64];
        buf_puts(&text, ".kernel k\ns2r r0, %tid.x\nsetp.lt.u32 p0, r0, 5\n");
        for (u32 i = 0; i < BRANCHES; i++)
            buf_printf(&text, "@p0 bra a%u\n%s\na%u: nop\n", i, i == parted ? "bar.sync 0" : "nop", i);
        buf_puts(&text, "exit\n");
        snprintf(want, sizeof want, "t.hd:%u:1: warning: ", 5 + 3 * parted);
        warns(text.data, want);
    }
}

#define EARLY "warning: r1 is read here before it is written, in the first iteration"

Test(lint, registers_read_before_the_loop_writes_them) {
    static const struct piece pieces[] = {
        {"l: add.s32 r1, r1, r0\nsub.s32 r0, r0, 1\nsetp.ne.s32 p0, r0, 0\n@p0 bra l\nexit\n", EARLY},
        {"l: add.s32 r2, r1, r0\nmov.b32 r1, r2\nsub.s32 r0, r0, 1\nsetp.ne.s32 p0, r0, 0\n@p0 bra l\nexit\n", EARLY},
        {"l: setp.ne.s32 p0, r0, 0\n@!p0 bra out\nfma.f32 r1, r0, r0, r1\nbra l\nout: exit\n", EARLY},
        {"setp.ne.s32 p0, r0, 0\nl: @p0 add.s32 r2, r1, r0\nadd.s32 r1, r1, r0\nbra l\n", EARLY},
        {"mov.b32 r1, 0\nl: add.s32 r1, r1, r0\nbra l\n", NULL},
        {"setp.eq.s32 p0, r0, 1\n@p0 mov.b32 r1, 0\nl: add.s32 r1, r1, r0\nbra l\n", NULL},
        {"l: @p0 add.s32 r2, r1, r0\nmov.b32 r1, 3\nsetp.eq.s32 p0, r0, r0\nbra l\n", NULL},
        {"l: @!p0 bra over\nadd.s32 r2, r1, r0\nover: mov.b32 r1, 3\nsetp.eq.s32 p0, r0, r0\nbra l\n", NULL},
        {"l: xor.b32 r1, r1, r1\nadd.s32 r1, r1, 1\nbra l\n", NULL},
        {"add.s32 r2, r0, r0\nadd.s32 r2, r2, r2\nexit\n", NULL},
        {"bra test\nl: add.s32 r2, r1, 1\ntest: mov.b32 r1, 5\nbra l\n", NULL},
    };
    lints(".kernel k\ns2r r0, %ntid.x\n", pieces, COUNT_OF(pieces), "");
}

Test(lint, accesses_outside_of_a_variable) {
#define DECLARED ".kernel k\n.shared a : u32[4]\n.shared b : u16[3]\n.local l : u64\nmov.b64 r0, 0\n"
    warns(DECLARED "st.shared.b32 [a+16], r0\nexit\n", "the access leaves 'a', which has 16 bytes");
    warns(DECLARED "st.shared.b64 [a+12], r0\nexit\n", "the access leaves 'a', which has 16 bytes");
    warns(DECLARED "st.shared.b32 [b-4], r0\nexit\n", "the access leaves 'b', which has 6 bytes");
    warns(DECLARED "red.shared.add.u32 [b+4], r0\nexit\n", "the access leaves 'b', which has 6 bytes");
    warns(DECLARED "ld.local.b32 r0, [l+8]\nexit\n", "the access leaves 'l', which has 8 bytes");
    silent(DECLARED "st.shared.b32 [a+12], r0\nst.shared.u16 [b+4], r0\nst.local.b64 [l], r0\nexit\n");
    silent(DECLARED "st.shared.b32 [a+16+r0], r0\nst.shared.b32 [16], r0\nst.shared.b32 [b-a], r0\nexit\n");
#undef DECLARED
}

Test(lint, misaligned_accesses) {
    const char *head = ".kernel k\n.param x : f32[]\n.param o : u64\n.shared s : f32[64]\n.reg p:2, q:2, i, v:4, w\n"
                       "s2r i, %tid.x\nld.param.b64 p, [x]\nld.param.b64 q, [o]\n";
    static const struct piece pieces[] = {
        {"ld.global.b32 w, [p+2]\n", "the address is 2 more than a multiple of 4, and 4 bytes are moved"},
        {"ld.global.b64 v, [p+4]\n", "4 more than a multiple of 8, and 8 bytes"},
        {"mad.wide.u32 p, i, 8, p\nld.global.b128 v, [p+4]\n", "4 more than a multiple of 8, and 16 bytes"},
        {"mad.wide.u32 p, i, 4, p\nadd.s64 p, p, 1\nld.global.b32 w, [p]\n", "1 more than a multiple of 4"},
        {"shl.b32 i, i, 4\nadd.s32 i, i, 8\nld.shared.b128 v, [i]\n", "8 more than a multiple of 16"},
        {"ld.shared.b64 v, [s+4]\n", "4 more than a multiple of 8"},
        {"and.b32 i, i, 0xfffffffc\nor.b32 i, i, 2\nld.shared.b32 w, [i]\n", "2 more than a multiple of 4"},
        {"or.b32 i, i, 3\nand.b32 i, i, 0xfffffffe\nld.shared.b32 w, [i]\n", "2 more than a multiple of 4"},
        {"shl.b32 w, i, 2\nand.b32 i, w, i\nld.shared.b32 w, [i+1]\n", "1 more than a multiple of 4"},
        {"shl.b32 w, i, 2\nor.b32 i, w, i\nld.shared.b32 w, [i+1]\n", NULL},
        {"and.b32 i, i, 0xffffffff\nld.shared.b32 w, [i+1]\n", NULL},
        {"or.b32 i, i, 4\nld.shared.b32 w, [i+1]\n", NULL},
        {"and.b32 i, i, 6\nor.b32 i, i, 1\nand.b32 i, i, 5\nld.shared.b32 w, [i]\n", "1 more than a multiple of 4"},
        {"atom.global.add.u64 v, [p+12], q\n", "4 more than a multiple of 8, and 8 bytes"},
        {"red.global.add.u32 [p+2], i\n", "2 more than a multiple of 4, and 4 bytes"},
        {"ld.global.b32 w, [p+4]\n", NULL},
        {"ld.global.b64 v, [q+4]\n", NULL},
        {"mad.wide.u32 p, i, 4, p\nld.global.b64 v, [p]\n", NULL},
        {"mad.wide.u32 p, i, 16, p\nld.global.b128 v, [p+240]\n", NULL},
        {"ld.global.u8 w, [p+3]\n", NULL},
        {"add.s64 p, p, 1\nsub.s64 p, p, 1\nld.global.b32 w, [p]\n", NULL},
        {"setp.eq.s32 p0, i, 0\n@p0 add.s64 p, p, 2\nld.global.b32 w, [p]\n", NULL},
        {"ld.shared.b128 v, [s+16]\n", NULL},
        {"shl.b64 p, p, i\nld.global.b32 w, [p+2]\n", NULL},
    };
    static const struct piece loops[] = {
        {"loop: add.s64 p, p, 4\nld.global.b32 w, [p+1]\nbra loop\n", "1 more than a multiple of 4"},
        {"add.s64 p, p, 2\nloop: ld.global.u16 w, [p]\nadd.s64 p, p, 2\nbra loop\n", NULL},
    };
    lints(head, pieces, COUNT_OF(pieces), "exit\n");
    lints(head, loops, COUNT_OF(loops), "");
}

/* A slash is no comment, and what is known of a number of 64 bits is known of both of its words. */
Test(lint, lines_and_numbers_are_seen_whole) {
    warns(".kernel k\n        st.shared.b32 [4/2], rz// x\n        exit\n",
          "t.hd:2:9: warning: misaligned: the address is 2 more than a multiple of 4, and 4 bytes are moved\n"
          "     2 |         st.shared.b32 [4/2], rz// x\n"
          "       |         ^~~~~~~~~~~~~~~~~~~~~~~\n");
    warns(".kernel k\nmovi.b64 r2, 0x200000004\nst.shared.b32 [r3], rz\nexit\n",
          "misaligned: the address is 2 more than a multiple of 4");
    warns(".kernel k\nmovi.b64 r2, 0x200000004\nmov.b64 r4, r2\nst.shared.b32 [r5], rz\nexit\n",
          "misaligned: the address is 2 more than a multiple of 4");
    silent(".kernel k\nmovi.b64 r2, 0x400000002\nst.shared.b32 [r3], rz\nexit\n");
}

/* ---- warnings that are allowed ---- */

struct asked {
    enum lint_class class;
    u32 pc, times;
};

static bool is_allowed(void *ctx, enum lint_class class, u32 pc) {
    struct asked *a = ctx;
    a->times++;
    return class == a->class && pc == a->pc;
}

Test(lint, a_warning_is_left_out_by_its_class_and_place) {
    static const struct {
        const char *text;
        enum lint_class class;
        u32 pc;
    } row[] = {
        {".kernel k\nbra end\nnop\nend: exit\n", LINT_UNREACHABLE, 1},
        {".kernel k\nadd.s32 r1, r2, 1\nexit\n", LINT_UNWRITTEN, 0},
        {".kernel k\nmov.b32 r3, 4\nl: add.s32 r1, r2, 1\nmov.b32 r2, 1\nsub.u32 r3, r3, 1\nsetp.ne.u32 p0, r3, rz\n"
         "@p0 bra l\nexit\n",
         LINT_ITERATION, 1},
        {".kernel k\n.reg t\n.pred p\ns2r t, %tid.x\nsetp.eq.u32 p, t, 3\n@p bar.sync 0\nexit\n", LINT_DIVERGENT, 2},
        {".kernel k\n.reg t\n.pred p\ns2r t, %tid.x\nsetp.eq.u32 p, t, 3\n@p exit\nbar.sync 0\nexit\n", LINT_EXIT, 2},
        {".kernel k\nst.shared.b32 [2], rz\nexit\n", LINT_MISALIGNED, 0},
        {".kernel k\n.shared a : u32[2]\nst.shared.b32 [a+8], rz\nexit\n", LINT_VARIABLE, 0},
        {".kernel k\n.param n : u32\n.reg i\nmov.b32 i, n\nexit\n", LINT_PARAMETER, 0},
        {".kernel k\n.warp 8, 32\nmov.b32 r0, 0\nmov.b32 r1, 0\nmov.b32 r2, 0\nmov.b32 r3, 0\n"
         "mma.m16n8k16.f32.f16 r4, r0, r0, r0\nexit\n",
         LINT_WIDTH, 4},
    };
    for (u32 i = 0; i < COUNT_OF(row); i++) {
        SCOPED(program_drop) struct program *p = program_of_text(row[i].text);
        struct diag all = {.file = "t.hd"}, some = {.file = "t.hd"}, others = {.file = "t.hd"};
        struct asked asked = {row[i].class, row[i].pc, 0};
        program_lint(p, NULL, &all);
        program_lint(p, &(struct lint_allowed){is_allowed, &asked}, &some);
        cr_expect(all.warnings && asked.times && some.warnings == all.warnings - 1, "%s: %u of %u are left",
                  lint_classes[row[i].class].name, some.warnings, all.warnings);
        asked.pc++;
        program_lint(p, &(struct lint_allowed){is_allowed, &asked}, &others);
        cr_expect_eq(others.warnings, all.warnings, "%s elsewhere", lint_classes[row[i].class].name);
    }
}
