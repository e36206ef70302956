/* Where do lanes that diverge reconverge: loops, breaks, early ends, irreducible and endless code? */
#include "isa/program.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/program_text.h"
#include "tests/lib/samples.h"

enum { NEVER = NO_RECONVERGENCE };

static u32 meets(const struct program *p, u32 pc) {
    cr_assert(p->inst[pc].op == OP_BRA, "instruction %u is no branch", pc);
    return inst_reconvergence(&p->inst[pc]);
}

static void expect(const char *name, const char *body, u32 pc, u32 want) {
    char text[2048] = ".kernel k\n";
    strcat(text, body);
    SCOPED(program_drop) struct program *p = program_of_text(text);
    cr_assert(meets(p, pc) == want, "%s: the branch at %u meets at %u, expected %u", name, pc, meets(p, pc), want);
}

Test(control_flow, if_and_else) {
    const char *text = "@p0 bra else\n" /* 0 */
                       "nop\n"          /* 1 */
                       "bra join\n"     /* 2 */
                       "else: nop\n"    /* 3 */
                       "join: exit\n";  /* 4 */
    expect("if", text, 0, 4);
    expect("unguarded", text, 2, 4);
}

Test(control_flow, loops_and_breaks) {
    const char *text = "outer: nop\n"    /* 0 */
                       "inner: nop\n"    /* 1 */
                       "@p1 bra leave\n" /* 2 break out of both */
                       "@p2 bra next\n"  /* 3 continue the outer one */
                       "@p0 bra inner\n" /* 4 */
                       "next: nop\n"     /* 5 */
                       "@p3 bra outer\n" /* 6 */
                       "leave: exit\n";  /* 7 */
    expect("break", text, 2, 7);
    expect("continue", text, 3, 7); /* a later trip may leave without passing 5 */
    expect("inner", text, 4, 7);
    expect("outer", text, 6, 7);
}

Test(control_flow, nested_loops) {
    const char *text = "outer: nop\n"    /* 0 */
                       "inner: nop\n"    /* 1 */
                       "@p2 bra next\n"  /* 2 break */
                       "@p0 bra inner\n" /* 3 */
                       "next: nop\n"     /* 4 */
                       "@p3 bra outer\n" /* 5 */
                       "exit\n";         /* 6 */
    expect("break", text, 2, 4);
    expect("inner", text, 3, 4);
    expect("outer", text, 5, 6);
}

Test(control_flow, branch_to_itself) {
    expect("self", "here: @p0 bra here\nexit\n", 0, 1);
    expect("next", "@p0 bra next\nnext: exit\n", 0, 1);
}

/* A lane that ends is not waited for. */
Test(control_flow, early_ends) {
    expect("exit on one side", "@p0 bra work\nexit\nwork: nop\nexit\n", 0, 2);
    expect("guarded exit", "loop: nop\n@p1 exit\n@p0 bra loop\nnop\nexit\n", 2, 3);
    expect("guarded exit inside an if", "@p0 bra skip\n@p1 exit\nnop\nskip: exit\n", 0, 3);
    expect("trap is no end to meet at", "@p0 bra bad\nnop\nexit\nbad: trap\n", 0, 1);
    expect("two ways out of a loop", "loop: @p0 bra found\n@p1 bra loop\nexit\nfound: nop\nexit\n", 0, 3);
    expect("the way out that is not the last", "loop: @p0 bra found\n@p1 bra loop\nexit\nfound: nop\nexit\n", 1, 0);
    expect("both sides end", "@p0 bra other\nexit\nother: exit\n", 0, 2);
}

/* Two entries into one loop. */
Test(control_flow, irreducible) {
    const char *text = "@p0 bra second\n" /* 0 */
                       "first: nop\n"     /* 1 */
                       "@p1 bra out\n"    /* 2 */
                       "second: nop\n"    /* 3 */
                       "@p2 bra first\n"  /* 4 */
                       "out: exit\n";     /* 5 */
    expect("entry", text, 0, 5);          /* from 1 one gets out without passing 3 */
    expect("first", text, 2, 5);
    expect("second", text, 4, 5);
}

Test(control_flow, endless_loops) {
    expect("no end", "loop: nop\n@p0 bra a\nnop\na: nop\nbra loop\n", 1, 3);
    expect("guarded end", "loop: @p0 bra a\nnop\na: @p1 exit\nbra loop\n", 0, 2);
    expect("it is its own end", "loop: @p0 bra loop\nbra loop\n", 0, 1);
}

Test(control_flow, unreachable_code_has_an_answer) {
    expect("unreachable", "exit\nloop: @p0 bra loop\nexit\n", 1, 2);
}

Test(control_flow, functions_end_at_their_ret) {
    SCOPED(program_drop)
    struct program *p =
        program_of_text(".kernel k\n@p0 bra a\ncall f\na: exit\n.func f\n@p0 bra b\nret\nb: nop\nret\n");
    cr_assert(meets(p, 0) == 2 && meets(p, 3) == 5, "%u %u", meets(p, 0), meets(p, 3));
}

/* ---- against the definition, on random code ---- */

enum { SIZE = 20 };

static u32 successors(const struct inst *i, u32 pc, u32 to[2]) {
    u32 n = 0;
    bool ends = i->op == OP_EXIT && i->guard == PT;
    if (!ends && !(i->op == OP_BRA && i->guard == PT))
        to[n++] = pc + 1;
    if (i->op == OP_BRA)
        to[n++] = inst_target(i);
    return n;
}

/* True if an unguarded exit can be reached from `from` without passing `without`. */
static bool reaches_end(const struct inst *inst, u32 from, u32 without) {
    bool seen[SIZE] = {false};
    u32 stack[2 * SIZE], depth = 0;
    if (from != without)
        stack[depth++] = from;
    while (depth > 0) {
        u32 pc = stack[--depth], to[2];
        if (seen[pc])
            continue;
        seen[pc] = true;
        u32 n = successors(&inst[pc], pc, to);
        if (n == 0)
            return true;
        for (u32 s = 0; s < n; s++)
            if (to[s] != without && !seen[to[s]])
                stack[depth++] = to[s];
    }
    return false;
}

/* The immediate post-dominator by its definition; NEVER when only the end is one. */
static u32 by_definition(const struct inst *inst, u32 pc) {
    u32 nearest = NEVER;
    for (u32 n = 0; n < SIZE; n++) {
        bool dominates = n != pc && !reaches_end(inst, pc, n);
        /* The nearest post-dominator is the one that all others post-dominate. */
        if (dominates && (nearest == NEVER || !reaches_end(inst, n, nearest)))
            nearest = n;
    }
    return nearest;
}

static struct inst random_inst(u32 at) {
    u32 kind = (u32)rand() % 8;
    struct inst i = inst_blank(at + 1 == SIZE || kind == 0 ? OP_EXIT : kind < 5 ? OP_BRA : OP_NOP);
    i.guard = at + 1 == SIZE || rand() % 3 == 0 ? PT : 0;
    if (i.op == OP_BRA)
        i.imm = (u32)rand() % SIZE;
    return i;
}

Test(control_flow, random_code_agrees_with_the_definition) {
    u32 compared = 0;
    srand(7);
    for (u32 round = 0; round < 4000; round++) {
        struct inst inst[SIZE];
        for (u32 pc = 0; pc < SIZE; pc++)
            inst[pc] = random_inst(pc);
        cr_assert(cfg_reconverge(inst, 0, SIZE));
        for (u32 pc = 0; pc < SIZE; pc++) {
            if (inst[pc].op != OP_BRA || !reaches_end(inst, pc, SIZE))
                continue;
            u32 want = by_definition(inst, pc), got = inst_reconvergence(&inst[pc]);
            cr_assert(want == NEVER || want == got, "round %u, branch at %u: %u, expected %u", round, pc, got, want);
            cr_assert(got == NEVER || got < SIZE);
            compared += want != NEVER;
        }
    }
    cr_assert(compared > 10000, "%u", compared);
}

/* A million branches in a second or two, however they are nested. */
Test(control_flow, large_code, .timeout = 60) {
    const u32 N = rig_samples(1u << 20);
    struct inst *inst = malloc(N * sizeof *inst);
    for (u32 shape = 0; shape < 4; shape++) {
        for (u32 pc = 0; pc < N; pc++) {
            inst[pc] = inst_blank(OP_BRA);
            inst[pc].guard = 0;
            u32 mirror = N - 1 - pc;
            inst[pc].imm = shape == 0   ? 0
                           : shape == 1 ? mirror
                           : shape == 2 ? (pc + 2 < N ? pc + 2 : pc)
                                        : (u32)(pc * 2654435761u % N);
        }
        inst[N - 1] = inst_blank(OP_EXIT);
        cr_assert(cfg_reconverge(inst, 0, N));
        cr_assert(shape != 0 || inst_reconvergence(&inst[5]) == 6);
    }
    free(inst);
}
