/*
 * Random programs about order in memory: accesses, fences and barriers in any order, and what code makes of them, with
 * parts left out or of the wrong kind:
 *
 *     hand-over   giver:   st data     fence    flag = 1, by a store or an atomic
 *                 bearer:  flag is 1   flag = 2, maybe
 *                 taker:   flag is 1 or 2, read by a load or an atomic, in a loop    fence    ld or st data
 *     ticket      all:     st own      fence    atom.add     fence    the last one: ld of others
 */
#include "tests/check/truth.h"

#include <string.h>

#include "isa/isa.h"
#include "tests/lib/random.h"

static u64 state;
static u32 label;

static u32 roll(u32 n) {
    return random_below(&state, n);
}

#define ONE_OF(...) \
    ((const char *const[]){__VA_ARGS__}[roll(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))])

/* Most of the time. */
static bool mostly(void) {
    return roll(6);
}

/* Any row of atomics, with or without its result. */
static void atomic(struct buf *out, const char *guard, const char *space, const char *at) {
    u32 op = roll(OP_COUNT);
    while (isa_rows[op].kind != ROW_ATOM)
        op = (op + 1) % OP_COUNT;
    const char *name = isa_rows[op].name;
    bool wide = strstr(name, "64"), gives = isa_rows[op].iclass == CLASS_ATOM;
    buf_printf(out, "%s %s.%s %s[%s], %s%s\n", guard, name, space,
               !gives     ? ""
               : !roll(4) ? "rz, "
               : wide     ? "vv, "
                          : "v, ",
               at, wide ? "tt" : "t",
               !strstr(name, "cas") ? ""
               : wide               ? ", tt"
                                    : ", t");
}

static void fence(struct buf *out, const char *guard) {
    buf_printf(out, "%s fence.%s\n", guard, ONE_OF("gpu", "gpu", "gpu", "sys", "block", "block"));
}

/* The thread's own cell, a neighbour's in its warp, the same lane's in the next warp, or cell 0. */
static const char *cell(bool shared) {
    return shared ? ONE_OF("own", "next", "over", "rz") : ONE_OF("gown", "gnext", "gover", "zero");
}

static void access(struct buf *out, const char *guard) {
    bool shared = roll(2);
    const char *space = shared ? "shared" : "global", *at = cell(shared);
    const char *hint = roll(3) ? "" : ONE_OF(".volatile", ".cv");
    switch (roll(8)) {
    case 0:
    case 1: buf_printf(out, "%s st.%s.b32%s [%s], t\n", guard, space, roll(9) ? hint : ".release", at); break;
    case 2: buf_printf(out, "%s st.%s.u8 [%s+%u], t\n", guard, space, at, roll(4)); break;
    case 3:
    case 4: buf_printf(out, "%s ld.%s.b32%s v, [%s]\n", guard, space, roll(9) ? hint : ".acquire", at); break;
    case 5: buf_printf(out, "%s ld.%s.u16 v, [%s+%u]\n", guard, space, at, 2 * roll(2)); break;
    default: atomic(out, guard, space, shared ? ONE_OF("even", "rz") : ONE_OF("geven", "zero")); break;
    }
}

static void statement(struct buf *out, bool blocks) {
    /* All lanes, lanes below a number, one thread of the block, the second warp of each block, odd lanes. */
    const char *guard = ONE_OF("    ", "@low ", "@one ", "@mine", "@odd ");
    switch (roll(12)) {
    case 0:
    case 1: fence(out, guard); break;
    case 2: buf_printf(out, "%s bar.warp\n", ONE_OF("", guard)); break;
    case 3: buf_puts(out, " bar.sync 0\n"); break;
    case 4: buf_puts(out, blocks ? " bar.sync 0\n" : "@pair bar.sync 1, 16\n"); break;
    case 5: buf_puts(out, "@one2 bar.arrive 2, 16\n@two2 bar.sync 2, 16\n"); break;
    default: access(out, guard); break;
    }
}

/* Lets the first lanes of a warp of the grid play a role. */
static void cast(struct buf *out, const char *role, u32 warps) {
    buf_printf(out, " setp.eq.u32 %s, number, %u\n@%s setp.lt.u32 %s, lane, %u\n", role, roll(warps), role, role,
               roll(4) ? 1 : 3);
}

/* Reads the flag; a reduction does not. */
static void read(struct buf *out, const char *guard, const char *flag) {
    switch (roll(10)) {
    case 0: buf_printf(out, "%s ld.%s.acquire v, [%s]\n", guard, ONE_OF("b32", "u32"), flag); break;
    case 1: buf_printf(out, "%s atom.cas.b32 v, [%s], rz, rz\n", guard, flag); break;
    case 2: buf_printf(out, "%s atom.or.b32 %s, [%s], rz\n", guard, mostly() ? "v" : "rz", flag); break;
    case 3: buf_printf(out, "%s atom.exch.b32 v, [%s], rz\n", guard, flag); break;
    case 4: buf_printf(out, "%s atom.add.u32 v, [%s], %s\n", guard, flag, roll(2) ? "rz" : "t"); break;
    case 5: buf_printf(out, "%s red.or.b32 [%s], rz\n", guard, flag); break;
    default: buf_printf(out, "%s ld.b32.%s v, [%s]\n", guard, roll(4) ? "volatile" : "cv", flag); break;
    }
}

/* Reads the flag once, after a while; uses nothing of it. */
static void glance(struct buf *out, const char *guard, const char *flag) {
    label++;
    buf_printf(out, " mov.b32 n, %u\nL%u: sub.u32 n, n, 1\n setp.ne.u32 more, n, 0\n@more bra L%u\n", 1 + roll(100),
               label, label);
    read(out, guard, flag);
    if (!roll(3))
        atomic(out, guard, "global", "flag+32");
    if (mostly())
        fence(out, guard);
}

/* Sets q where the flag was read as it is awaited. */
static void await(struct buf *out, const char *guard, const char *flag, u32 value, bool fences) {
    buf_printf(out, " mov.b32 n, 0\n setp.ne.u32 q, rz, rz\nL%u:\n", ++label);
    read(out, guard, flag);
    bool inside = roll(2);
    if (fences && inside)
        fence(out, guard);
    buf_printf(out,
               "%s setp.%s.u32 q, v, %u\n@q bra M%u\n add.u32 n, n, 1\n setp.lt.u32 more, n, %u\n@more bra L%u\nM%u:\n",
               guard, value ? "eq" : "ne", value, label, 1 + roll(10), label, label);
    if (fences && !inside)
        fence(out, guard);
}

/* Sets the flag by a strong write, mostly. */
static void raise(struct buf *out, const char *guard, const char *flag, u32 value) {
    buf_printf(out, " mov.b32 w, %u\n", value);
    switch (roll(8)) {
    case 0: buf_printf(out, "%s atom.exch.b32 v, [%s], w\n", guard, flag); break;
    case 1: buf_printf(out, "%s red.max.u32 [%s], w\n", guard, flag); break;
    case 2: buf_printf(out, "%s atom.or.b32 v, [%s], w\n", guard, flag); break;
    case 3: buf_printf(out, "%s st.b32.release [%s], w\n", guard, flag); break;
    default: buf_printf(out, "%s st.b32%s [%s], w\n", guard, mostly() ? ".volatile" : "", flag); break;
    }
}

static void hand_over(struct buf *out, u32 warps, bool blocks) {
    static const char *const flags[] = {"flag", "flag+8", "sflag"};
    const char *flag = flags[roll(blocks ? 2 : 3)], *data = blocks || roll(2) ? "flag+16" : "sflag+16";
    bool borne = roll(2);
    cast(out, "gives", warps);
    cast(out, "bears", warps);
    cast(out, "takes", warps);
    buf_printf(out, "@gives %s.b32 [%s], t\n", mostly() ? "st" : "st.volatile", data);
    if (mostly())
        fence(out, "@gives");
    raise(out, "@gives", flag, 1);
    bool glances = roll(2);
    if (borne && glances) {
        glance(out, "@bears", flag);
        raise(out, "@bears", flag = flags[roll(2)], 2);
    } else if (borne) {
        await(out, "@bears", flag, 1, !roll(3));
        raise(out, "@q", flag, 2);
    }
    if (glances)
        glance(out, "@takes", flag);
    else
        await(out, "@takes", flag, borne ? 2 : roll(2), mostly());
    buf_printf(out, roll(3) ? "@%s ld.b32 v, [%s]\n" : "@%s st.b32 [%s], t\n", glances ? "takes" : "q", data);
}

static void ticket(struct buf *out, u32 threads) {
    buf_puts(out, " st.global.b32 [gown], t\n");
    if (mostly())
        fence(out, "");
    buf_puts(out, " mov.b32 w, 1\n atom.global.add.u32 v, [flag+8], w\n");
    if (mostly())
        fence(out, "");
    buf_printf(out, " setp.eq.u32 q, v, %u\n@q ld.global.b32 v, [%s]\n@q ld.global.b32 v, [%s]\n", threads - 1,
               cell(false), cell(false));
}

static void begin(struct buf *out) {
    buf_puts(
        out,
        ".kernel k\n.param y : u32[64]\n.warp 8\n.shared sm : u32[64]\n"
        ".reg t, b, number, lane, own, next, over, even, v, w, n, tt:2, vv:2, zero:2, gown:2, gnext:2, gover:2, "
        "geven:2\n"
        ".reg flag:2, sflag:2\n.pred low, one, mine, odd, pair, one2, two2, gives, bears, takes, q, more\n"
        " s2r t, %tid.x\n s2r b, %ctaid.x\n s2r n, %ntid.x\n mad.lo.u32 number, b, n, t\n and.b32 lane, t, 7\n"
        " shr.u32 number, number, 3\n shl.b32 own, t, 2\n xor.b32 next, own, 4\n xor.b32 over, own, 32\n"
        " and.b32 even, own, 0xfffffff8\n ld.param.b64 zero, [y]\n mad.wide.u32 gown, t, 4, zero\n"
        " mad.wide.u32 gnext, next, 1, zero\n mad.wide.u32 gover, over, 1, zero\n mad.wide.u32 geven, even, 1, zero\n"
        " add.s64 flag, zero, 200\n mov.b32 v, 200\n cvta.shared sflag, v\n mad.wide.u32 tt, t, 1, rz\n");
    buf_puts(out, " setp.lt.u32 low, lane, 5\n setp.eq.u32 one, t, 0\n shr.u32 v, t, 3\n setp.eq.u32 mine, v, 1\n"
                  " setp.lt.u32 pair, v, 2\n setp.eq.u32 one2, v, 0\n setp.eq.u32 two2, v, 1\n and.b32 v, t, 1\n"
                  " setp.ne.u32 odd, v, 0\n mov.b32 v, 0\n");
}

void truth_program(u64 seed, u32 grid, u32 block, struct buf *out) {
    u32 threads = grid * block, warps = threads / TRUTH_WIDTH;
    label = 0;
    state = seed * 0x9e3779b97f4a7c15u | 1;
    u32 meant = roll(3);
    begin(out);
    for (u32 n = roll(meant ? 3 : 12); n--;)
        statement(out, grid > 1);
    for (u32 n = meant ? 1 + roll(2) : 0; n--;)
        if (roll(3))
            hand_over(out, warps, grid > 1);
        else
            ticket(out, threads);
    for (u32 n = roll(meant ? 3 : 6); n--;)
        statement(out, grid > 1);
    buf_puts(out, " exit\n");
}
