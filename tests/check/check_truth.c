/*
 * Does the race checker find what there is, and nothing else? The truth is the definition: of small random programs
 * each access, fence and barrier of a run becomes a node, what orders two of them an edge, and accesses to one byte
 * that no path connects are a race. The checker has no graph; it must report a race of some pair of instructions that
 * has one, no pair that has none, and nothing when there is none.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/scoped.h"
#include "sim/arch/watch.h"
#include "sim/check/check.h"
#include "tests/lib/samples.h"

enum { W = 8, NODES = 6000, WORDS = NODES / 64 + 1, LANES = 64, PLACES = 4 };

/* ---- random programs ---- */

static u64 state;

static u32 roll(u32 n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (u32)(state >> 33) % n;
}

/* Guards: all lanes, lanes below a number, one warp, the first warps of the block. */
static const char *guard(void) {
    static const char *const some[] = {"    ", "@low ", "@one ", "@mine", "@odd "};
    return some[roll(5)];
}

/* Address registers: the thread's own cell, a neighbour's in its warp, the same lane's in the next warp, cell 0. */
static const char *cell(void) {
    static const char *const some[] = {"own", "next", "over", "rz"};
    return some[roll(4)];
}

static void statement(struct buf *out, bool blocks) {
    bool shared = roll(2);
    const char *space = shared ? "shared" : "global", *at = cell(), *g = guard();
    const char *wide = shared ? "" : "g";
    if (!shared && strcmp(at, "rz") == 0)
        at = "zero", wide = "";
    switch (roll(blocks ? 16 : 13)) {
    case 0:
    case 1: buf_printf(out, "%s st.%s.b32 [%s%s], t\n", g, space, wide, at); break;
    case 2: buf_printf(out, "%s st.%s.u8 [%s%s+%u], t\n", g, space, wide, at, roll(4)); break;
    case 3:
    case 4: buf_printf(out, "%s ld.%s.b32 v, [%s%s]\n", g, space, wide, at); break;
    case 5: buf_printf(out, "%s ld.%s.u16 v, [%s%s+%u]\n", g, space, wide, at, 2 * roll(2)); break;
    case 6: buf_printf(out, "%s red.add.u32.%s [%s%s], t\n", g, space, wide, at); break;
    case 7:
    case 8: buf_puts(out, " bar.warp\n"); break;
    case 9:
    case 10: buf_puts(out, " bar.sync 0\n"); break;
    case 11: buf_puts(out, "@pair bar.sync 1, 16\n"); break;
    case 12: buf_puts(out, "@one2 bar.arrive 2, 16\n@two2 bar.sync 2, 16\n"); break;
    case 13:
        buf_printf(out, "@one  fence.%s\n@one  st.global.b32.volatile [flag], t\n", roll(3) ? "gpu" : "block");
        break;
    case 14: buf_puts(out, "@one  st.global.b32.release [flag], t\n"); break;
    default:
        buf_puts(out, roll(2) ? "@mine ld.global.b32.acquire v, [flag]\n"
                              : "@mine ld.global.b32.volatile v, [flag]\n fence.gpu\n");
        break;
    }
}

static char *program(bool blocks) {
    struct buf out = {0};
    buf_puts(&out,
             ".kernel k\n.param y : u32[64]\n.warp 8\n.shared sm : u32[64]\n"
             ".reg t, b, own, next, over, v, zero:2, gown:2, gnext:2, gover:2, flag:2\n"
             ".pred low, one, mine, odd, pair, one2, two2\n"
             " s2r t, %tid.x\n s2r b, %ctaid.x\n shl.b32 own, t, 2\n xor.b32 next, own, 4\n xor.b32 over, own, 32\n"
             " ld.param.b64 zero, [y]\n mad.wide.u32 gown, t, 4, zero\n mad.wide.u32 gnext, next, 1, zero\n"
             " mad.wide.u32 gover, over, 1, zero\n add.s64 flag, zero, 240\n setp.lt.u32 low, t, 5\n");
    buf_puts(&out, " setp.eq.u32 one, t, 0\n shr.u32 v, t, 3\n setp.eq.u32 mine, v, 1\n and.b32 v, t, 1\n"
                   " setp.ne.u32 odd, v, 0\n shr.u32 v, t, 3\n setp.lt.u32 pair, v, 2\n setp.eq.u32 one2, v, 0\n"
                   " setp.eq.u32 two2, v, 1\n mov.b32 v, 0\n");
    for (u32 n = 4 + roll(9); n--;)
        statement(&out, blocks);
    buf_puts(&out, " exit\n");
    return out.data;
}

/* ---- the truth ---- */

struct node {
    u32 pc, lane;   /* thread of the grid */
    u64 first, end; /* bytes, with the block's number above for shared memory */
    bool access, writes, strong;
};

static struct {
    const struct program *program;
    u32 threads; /* of a block */
    u32 nodes;
    struct node node[NODES];
    u64 before[NODES][WORDS];     /* what happens before each */
    u32 last[LANES];              /* node of each thread, + 1 */
    u64 barrier[LANES][3][WORDS]; /* by block: arrivals at each barrier */
    u32 arrived[LANES][3];
    u64 waits[LANES][3]; /* threads of the block that wait */
    u64 released[WORDS]; /* of the flag */
    u64 narrow[WORDS];   /* for the block only */
    u32 narrow_block;
    u64 seen[LANES][WORDS]; /* read from the flag, acquired by the next fence */
    u64 seen_narrow[LANES][WORDS];
    u32 fence[LANES], wide[LANES]; /* nodes of the thread's last fence, and last that reaches the grid, + 1 */
    bool race[64][64];             /* by instruction */
    bool any;
} truth;

static void join(u64 *to, const u64 *from) {
    for (u32 i = 0; i < WORDS; i++)
        to[i] |= from[i];
}

/* Adds a node after the thread's last. */
static u32 add(u32 thread, struct node what) {
    u32 n = truth.nodes++;
    cr_assert_lt(n, NODES);
    truth.node[n] = what;
    memset(truth.before[n], 0, sizeof truth.before[n]);
    if (truth.last[thread]) {
        join(truth.before[n], truth.before[truth.last[thread] - 1]);
        truth.before[n][(truth.last[thread] - 1) / 64] |= (u64)1 << (truth.last[thread] - 1) % 64;
    }
    truth.last[thread] = n + 1;
    return n;
}

static void compare(u32 n) {
    const struct node *a = &truth.node[n];
    for (u32 i = 0; i < n; i++) {
        const struct node *b = &truth.node[i];
        if (!b->access || a->lane == b->lane || a->first >= b->end || b->first >= a->end || !(a->writes || b->writes) ||
            (a->strong && b->strong) || truth.before[n][i / 64] >> i % 64 & 1)
            continue;
        truth.race[a->pc][b->pc] = truth.race[b->pc][a->pc] = truth.any = true;
    }
}

/* Makes all lanes that execute meet: adds a node for each after the last ones of all. */
static void meet(const struct watched *w, u32 base) {
    u64 all[WORDS] = {0};
    for (u32 l = 0; l < W; l++)
        if (w->exec >> l & 1)
            join(all, truth.before[add(base + l, (struct node){0})]);
    for (u32 l = 0; l < W; l++)
        if (w->exec >> l & 1)
            join(truth.before[truth.last[base + l] - 1], all);
}

static void arrive(const struct watched *w, const struct inst *i, u32 block, u32 base) {
    u32 id = i->a, expected = i->isel ? (u32)i->imm / W : truth.threads / W;
    for (u32 l = 0; l < W; l++)
        join(truth.barrier[block][id], truth.before[add(base + l, (struct node){0})]);
    if (i->op == OP_BAR_SYNC)
        truth.waits[block][id] |= (u64)0xff << w->warp * W;
    if (++truth.arrived[block][id] < expected)
        return;
    for (u32 t = 0; t < truth.threads; t++)
        if (truth.waits[block][id] >> t & 1)
            join(truth.before[truth.last[block * truth.threads + t] - 1], truth.barrier[block][id]);
    memset(truth.barrier[block][id], 0, sizeof truth.barrier[block][id]);
    truth.arrived[block][id] = 0;
    truth.waits[block][id] = 0;
}

static void fence(u32 thread, bool wide) {
    u32 n = add(thread, (struct node){0});
    join(truth.before[n], truth.seen_narrow[thread]);
    if (wide)
        join(truth.before[n], truth.seen[thread]);
    truth.fence[thread] = n + 1;
    truth.wide[thread] = wide ? n + 1 : truth.wide[thread];
}

/* The flag: a strong store releases what was before the fence, or the store itself; a load sees that. */
static void flag(const struct inst *i, u32 thread, u32 block, u32 n) {
    u32 hint = inst_mod_or(i, GROUP_HINT, HINT_NONE);
    if (i->op == OP_ST) {
        bool releases = hint == HINT_RELEASE;
        memset(truth.released, 0, sizeof truth.released);
        memset(truth.narrow, 0, sizeof truth.narrow);
        truth.narrow_block = block;
        if (releases || truth.fence[thread])
            join(truth.narrow, truth.before[releases ? n : truth.fence[thread] - 1]);
        if (releases || truth.wide[thread])
            join(truth.released, truth.before[releases ? n : truth.wide[thread] - 1]);
    } else if (hint == HINT_ACQUIRE) {
        join(truth.before[n], truth.released);
        if (truth.narrow_block == block)
            join(truth.before[n], truth.narrow);
    } else if (hint == HINT_VOLATILE) {
        join(truth.seen[thread], truth.released);
        if (truth.narrow_block == block)
            join(truth.seen_narrow[thread], truth.narrow);
    }
}

static void look(void *ctx, const struct watched *w) {
    const struct inst *i = &truth.program->inst[w->pc];
    u32 block = w->block[0], base = block * truth.threads + w->warp * W;
    u32 hint = inst_mod_or(i, GROUP_HINT, HINT_NONE),
        bytes = mtype_bytes((enum mtype)inst_mod_or(i, GROUP_MTYPE, MT_B32));
    u64 space = inst_mod_or(i, GROUP_SPACE, SPACE_GENERIC);
    bool atomic = isa_rows[i->op].kind == ROW_ATOM, access = atomic || i->op == OP_ST || i->op == OP_LD;
    (void)ctx;
    if (!w->after || !w->exec)
        return;
    if (i->op == OP_BAR_WARP)
        meet(w, base);
    else if (isa_rows[i->op].iclass == CLASS_BAR)
        arrive(w, i, block, base);
    for (u32 l = 0; l < W; l++) {
        if (!(w->exec >> l & 1))
            continue;
        if (isa_rows[i->op].iclass == CLASS_FENCE)
            fence(base + l, i->op != OP_FENCE_BLOCK);
        if (!access || (space != SPACE_SHARED && space != SPACE_GLOBAL))
            continue;
        u64 at = w->addr[l] + (space == SPACE_SHARED ? (u64)(block + 1) << 50 : 0);
        struct node what = {w->pc, base + l, at, at + bytes, true, i->op != OP_LD, atomic || hint != HINT_NONE};
        u32 n = add(base + l, what);
        if (hint != HINT_NONE)
            flag(i, base + l, block, n);
        compare(n);
    }
}

/* ---- both ---- */

static void one(u64 seed, bool blocks) {
    static u8 y[256];
    SCOPED(memory_free) struct memory m = {0};
    state = seed * 0x9e3779b97f4a7c15u | 1;
    char *text = program(blocks);
    struct diag diag = {.file = "k.hd", .source = text, .source_len = strlen(text)};
    SCOPED(program_drop) struct program *p = program_assemble("k.hd", text, strlen(text), NULL, &diag);
    cr_assert_not_null(p, "%s", text);
    u64 address = memory_add(&m, "y", y, sizeof y), issues[128] = {0}, lanes[128] = {0};
    struct launch l = {.program = p, .kernel = program_kernel(p, NULL), .memory = &m, .width = W};
    for (u32 k = 0; k < 3; k++)
        l.grid[k] = l.block[k] = 1;
    l.grid[0] = blocks ? 2 : 1;
    l.block[0] = blocks ? 16 : 32;
    l.params = (const u8 *)&address;
    l.issues = issues;
    l.lanes = lanes;
    memset(&truth, 0, sizeof truth);
    truth.program = p;
    truth.threads = l.block[0];
    struct fault fault;
    const struct watch watch = {.first = 0, .count = p->ninst, .see = look};
    bool ran = watch_launch(&l, &watch, &fault) == RUN_OK; /* a barrier may be misused */
    const struct check_setup setup = {.launch = &l, .kinds = 1 << CHECK_RACE};
    struct check *c = check_new(&setup);
    cr_assert_eq(machine_run(check_launch(c), &fault) == RUN_OK, ran);
    cr_assert_not(check_failed(c));
    truth.any &= ran;
    cr_expect(!ran || (check_count(c) > 0) == truth.any, "seed %llu: %u findings, a race: %d\n%s",
              (unsigned long long)seed, check_count(c), truth.any, text);
    for (u32 i = 0; i < check_count(c) && ran; i++) {
        const struct check_finding *f = check_finding(c, i);
        cr_expect(truth.race[f->at[0].pc][f->at[1].pc], "seed %llu: lines %u and %u do not race\n%s",
                  (unsigned long long)seed, p->line[f->at[0].pc], p->line[f->at[1].pc], text);
    }
    check_free(c);
    free(text);
}

Test(check_truth, of_one_block) {
    u32 races = 0, programs = rig_samples(1500);
    for (u64 seed = 1; seed <= programs; seed++) {
        one(seed, false);
        races += truth.any;
    }
    cr_expect(races > programs / 8 && races < programs - programs / 15, "%u of %u programs race", races, programs);
}

Test(check_truth, of_two_blocks) {
    u32 races = 0, programs = rig_samples(1500);
    for (u64 seed = 1; seed <= programs; seed++) {
        one(seed, true);
        races += truth.any;
    }
    cr_expect(races > programs / 8 && races < programs - 1, "%u of %u programs race", races, programs);
}
