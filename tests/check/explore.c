/*
 * Are all orders of a launch's warps run that can matter, and no order twice? Numbers of orders that can be worked out
 * by hand, and random programs against an enumeration of every order, which reduces nothing and shares no code.
 */
#include "sim/check/explore.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sim/check/schedule.h"
#include "tests/lib/launch.h"
#include "tests/lib/program_text.h"
#include "tests/lib/samples.h"

enum { WORDS = 16, STATES = 4096 };

/* ---- a launch on one buffer, "y" ---- */

struct rig {
    struct prepared p;
    u32 y[WORDS];
};

static void rig_open(struct rig *r, const char *text, u32 grid, u32 block) {
    memset(r->y, 0, sizeof r->y);
    prepared_begin(&r->p, program_of_text(text), (struct sizes){8, grid, block});
    r->p.params[0] = memory_add(&r->p.memory, "y", (u8 *)r->y, sizeof r->y);
    r->p.launch.max_instructions = 100000;
}

static void rig_close(struct rig *r) {
    prepared_end(&r->p);
}

/* A set of what orders left: the words of y, or a kind of fault in the first. */
struct states {
    u32 count;
    u64 hash[STATES];
};

static void add_hash(struct states *s, u64 hash) {
    for (u32 i = 0; i < s->count; i++)
        if (s->hash[i] == hash)
            return;
    cr_assert(s->count < STATES);
    s->hash[s->count++] = hash;
}

static void add_state(struct states *s, const u32 y[WORDS], const struct fault *f) {
    u64 h = 1;
    for (u32 i = 0; i < WORDS; i++)
        h = (h ^ (f->kind ? 0 : y[i])) * 0x9e3779b97f4a7c15u, h ^= h >> 31;
    add_hash(s, h + (f->kind != FAULT_NONE));
}

static void each_order(void *ctx, const struct memory *m, const struct fault *f) {
    add_state(ctx, (const u32 *)(const void *)m->list[0].bytes, f);
}

static struct explore_result explore(const char *text, u32 grid, u32 block, u64 bound) {
    SCOPED(rig_close) struct rig r;
    struct explore_result result;
    rig_open(&r, text, grid, block);
    struct explore_setup s = {.launch = &r.p.launch, .bound = bound};
    cr_assert_eq(explore_run(&s, &result), RUN_OK);
    for (u32 i = 0; i < WORDS; i++)
        cr_assert_eq(r.y[i], 0, "the launch's own buffer has changed");
    return result;
}

/* ---- numbers of orders ---- */

#define HEAD \
    ".kernel k\n.param y : u32[16]\n.shared s : u32[16]\n.local mine : u32[2]\n.reg w, v, o, one, py:2, own:2\n" \
    ".pred p, q\n" \
    " s2r w, %warpid\n mov.b32 one, 1\n ld.param.b64 py, [y]\n"
#define OWN_WORD " mad.wide.u32 py, w, 4, py\n"
#define BLOCK_WORD " s2r v, %ctaid.x\n mad.wide.u32 py, v, 4, py\n"

static void expect_orders(const char *text, u32 grid, u32 warps, u64 orders, bool same) {
    struct explore_result r = explore(text, grid, 8 * warps, EXPLORE_BOUND);
    cr_expect_eq(r.same, same, "%s", text);
    if (!same)
        return;
    cr_expect(r.all && !r.too_long, "%s", text);
    cr_expect_eq(r.orders, orders, "%llu orders, not %llu, of %u warps in %u blocks:\n%s", (unsigned long long)r.orders,
                 (unsigned long long)orders, warps, grid, text);
}

Test(explore, warps_that_share_nothing_have_one_order) {
    for (u32 n = 1; n <= 8; n++) {
        expect_orders(HEAD OWN_WORD " st.global.b32 [py], w\n ld.global.b32 v, [py]\n st.global.b32 [py], v\n exit\n",
                      1, n, 1, true);
        expect_orders(HEAD BLOCK_WORD " st.global.b32 [py], one\n exit\n", n, 1, 1, true);
        expect_orders(HEAD " ld.global.b32 v, [py]\n ld.global.b32 v, [py+4]\n exit\n", n, 2, 1, true);
        /* shared memory is a block's own */
        expect_orders(HEAD OWN_WORD " cvta.local own, 0\n st.b32 [own], w\n ld.b32 v, [own]\n st.b32 [py], v\n exit\n",
                      1, n, 1, true);
        expect_orders(HEAD BLOCK_WORD " st.shared.b32 [s], w\n ld.shared.b32 v, [s]\n st.global.b32 [py], v\n exit\n",
                      n, 1, 1, true);
    }
}

Test(explore, stores_to_one_word_have_all_orders) {
    static const u64 factorial[] = {1, 1, 2, 6, 24, 120};
    for (u32 n = 1; n <= 5; n++) {
        expect_orders(HEAD " st.global.b32 [py], one\n exit\n", 1, n, factorial[n], true);
        expect_orders(HEAD " st.global.b32 [py], one\n exit\n", n, 1, factorial[n], true);
        expect_orders(HEAD " st.b32 [py], one\n exit\n", n, 1, factorial[n], true); /* a generic address */
        expect_orders(HEAD OWN_WORD " st.b32 [py], one\n ld.b32 v, [py]\n exit\n", 1, n, 1, true);
        if (n <= 3) /* two words, any order of each */
            expect_orders(HEAD " st.shared.b32 [s], one\n st.shared.b32 [s+4], one\n exit\n", 1, n,
                          factorial[n] * factorial[n], true);
    }
}

Test(explore, reads_may_come_between_the_stores_they_do_not_order) {
    /* one warp stores, n - 1 read: each of them before or after */
    for (u32 n = 2; n <= 6; n++)
        expect_orders(HEAD " setp.eq.u32 p, w, 0\n@p st.global.b32 [py], w\n@!p ld.global.b32 v, [py]\n exit\n", 1, n,
                      (u64)1 << (n - 1), true);
    /* bytes of one word do not conflict */
    expect_orders(HEAD " mad.wide.u32 py, w, 1, py\n st.global.u8 [py], one\n exit\n", 1, 4, 1, true);
    /* nor do reductions of one operation, unlike those of two */
    expect_orders(HEAD " red.global.add.u32 [py], one\n red.global.add.u32 [py], one\n exit\n", 2, 4, 1, true);
    expect_orders(HEAD
                  " setp.eq.u32 p, w, 0\n@p red.global.max.u32 [py], one\n@!p red.global.or.b32 [py], one\n exit\n",
                  1, 2, 2, true);
    expect_orders(HEAD " atom.global.add.u32 v, [py], one\n exit\n", 1, 4, 24, true);
    expect_orders(HEAD " atom.add.u32 v, [py], one\n exit\n", 1, 4, 24, true);
}

Test(explore, barriers_leave_one_order) {
    static const char exchange[] = HEAD " shl.b32 o, w, 2\n st.shared.b32 [s+o], w\n bar.sync 0\n xor.b32 o, o, 4\n"
                                        " ld.shared.b32 v, [s+o]\n" OWN_WORD " st.global.b32 [py], v\n exit\n";
    for (u32 n = 2; n <= 8; n += 2) {
        expect_orders(exchange, 1, n, 1, true);
        cr_expect_eq(explore(exchange, 1, 8 * n, EXPLORE_BOUND).abandoned, 0, "an order of arrivals is begun in vain");
    }
    /* a store before a barrier, another after it: the same as two orders of each */
    expect_orders(HEAD " st.global.b32 [py], one\n bar.sync 0\n st.global.b32 [py], one\n exit\n", 1, 3, 36, true);
    /* the last of a counted barrier continues with its own pair: three ways to pair four warps, in two orders */
    expect_orders(HEAD " bar.sync 1, 16\n exit\n", 1, 4, 6, true);
}

Test(explore, a_warp_that_waits_in_a_loop_has_finitely_many_orders) {
    static const char spin[] = HEAD " setp.eq.u32 p, w, 0\n@p bra write\n"
                                    "wait: ld.global.b32.volatile v, [py]\n setp.eq.u32 p, v, 0\n@p bra wait\n"
                                    " st.global.b32 [py+4], v\n exit\nwrite: st.global.b32 [py], one\n exit\n";
    struct explore_result r = explore(spin, 1, 16, EXPLORE_BOUND);
    cr_expect(r.all && r.same && !r.first.kind);
    cr_expect(r.orders >= 2 && r.orders <= 4, "%llu", (unsigned long long)r.orders);
    static const char lock[] = HEAD " s2r v, %laneid\n setp.ne.u32 q, v, 0\n@q exit\n"
                                    "lock: atom.global.cas.b32 v, [py], rz, one\n setp.ne.u32 p, v, 0\n@p bra lock\n"
                                    " ld.global.b32 v, [py+4]\n add.u32 v, v, 1\n st.global.b32 [py+4], v\n"
                                    " st.global.b32 [py], rz\n exit\n";
    r = explore(lock, 1, 24, EXPLORE_BOUND);
    cr_expect(r.all && r.same && !r.first.kind, "%llu orders, fault %u", (unsigned long long)r.orders, r.first.kind);
    cr_expect(r.orders > 6, "%llu orders", (unsigned long long)r.orders);
    /* without the lock an update is lost */
    r = explore(HEAD " ld.global.b32 v, [py+4]\n add.u32 v, v, 1\n st.global.b32 [py+4], v\n exit\n", 1, 24,
                EXPLORE_BOUND);
    cr_expect(!r.same && r.byte && r.offset == 4);
}

/* ---- what differs ---- */

static void expect_step(const struct explore_step *s, u32 block, u32 warp, enum way way, u64 word) {
    cr_expect(s->block[0] == block && s->warp == warp && s->way == way, "block %u, warp %u, way %u", s->block[0],
              s->warp, s->way);
    cr_expect(word == 99 || s->at % 64 == 4 * word, "at %llx", (unsigned long long)s->at);
}

Test(explore, the_story_of_a_lost_update) {
    struct explore_result r =
        explore(HEAD " ld.global.b32 v, [py+8]\n add.u32 v, v, 1\n st.global.b32 [py+8], v\n exit\n", 2, 8,
                EXPLORE_BOUND);
    cr_assert(!r.same && r.byte && !r.all);
    cr_expect_eq(r.offset, 8);
    cr_expect_eq(r.story[0].bytes[8], 2);
    cr_expect_eq(r.story[1].bytes[8], 1);
    cr_assert(r.story[0].count == 3 && r.story[1].count == 2);
    expect_step(&r.story[0].step[0], 0, 0, WAY_WRITE, 2);
    expect_step(&r.story[0].step[1], 1, 0, WAY_READ, 2);
    expect_step(&r.story[0].step[2], 1, 0, WAY_WRITE, 2);
    expect_step(&r.story[1].step[0], 1, 0, WAY_READ, 2);
    expect_step(&r.story[1].step[1], 0, 0, WAY_WRITE, 2); /* which is the last, too */
}

/* Lanes that store the same in every order are no part of the story, nor are barriers of other warps. */
Test(explore, a_story_is_of_the_lane_that_differs) {
    struct explore_result r = explore(HEAD " s2r v, %laneid\n mad.wide.u32 py, v, 4, py\n setp.eq.u32 p, v, 7\n"
                                           " mov.b32 v, 5\n@p mov.b32 v, w\n st.global.b32 [py], v\n exit\n",
                                      1, 16, EXPLORE_BOUND);
    cr_assert(!r.same && r.byte);
    cr_expect_eq(r.offset, 28);
    for (u32 i = 0; i < 2; i++) {
        cr_expect_eq(r.story[i].bytes[12], 1 - i, "%u", r.story[i].bytes[12]); /* word 7 */
        for (u32 k = 0; k < r.story[i].count; k++)
            cr_expect_eq(r.story[i].step[k].lane, 7);
    }
    r = explore(HEAD " setp.eq.u32 p, w, 2\n@p bra write\n bar.sync 1, 16\n setp.eq.u32 p, w, 0\n"
                     "@p st.global.b32 [py], one\n exit\nwrite: st.global.b32 [py], w\n exit\n",
                1, 24, EXPLORE_BOUND);
    cr_assert(!r.same && r.byte && r.all);
    cr_expect_eq(r.story[0].bytes[0] + r.story[1].bytes[0], 3); /* of warp 0 and warp 2 */
    for (u32 i = 0; i < 2; i++)
        for (u32 k = 0; k < r.story[i].count; k++)
            cr_expect(r.story[i].step[k].way == WAY_WRITE && r.story[i].step[k].warp != 1);
}

/* What a barrier waits for depends on who comes first: three warps at a barrier of two. */
Test(explore, barriers_that_are_met_in_several_ways) {
    struct explore_result r = explore(HEAD " bar.sync 1, 16\n exit\n", 1, 24, EXPLORE_BOUND);
    cr_expect(r.first.kind == FAULT_DEADLOCK && r.same, "%u", r.first.kind);
    r = explore(HEAD " setp.eq.u32 p, w, 0\n@p st.global.b32 [py], one\n bar.arrive 1, 16\n"
                     " ld.global.b32 v, [py]\n st.global.b32 [py+4], v\n exit\n",
                1, 16, EXPLORE_BOUND);
    cr_expect(!r.same && r.byte && r.offset == 4, "%llu", (unsigned long long)r.offset);
}

Test(explore, a_fault_of_some_orders) {
    /* the index is 0 or, once the other warp has stored it, far away */
    static const char index[] = HEAD " setp.eq.u32 p, w, 1\n@p bra write\n ld.global.b32 v, [py]\n"
                                     " mad.wide.u32 py, v, 4, py\n st.global.b32 [py+4], one\n exit\n"
                                     "write: mov.b32 v, 1000000\n st.global.b32 [py], v\n exit\n";
    struct explore_result r = explore(index, 1, 16, EXPLORE_BOUND);
    cr_assert(!r.same && !r.byte);
    cr_expect_eq(r.story[0].fault.kind, FAULT_NONE);
    cr_expect_eq(r.story[1].fault.kind, FAULT_OUT_OF_BOUNDS);
    expect_step(&r.story[1].step[0], 0, 1, WAY_WRITE, 0);
    expect_step(&r.story[1].step[1], 0, 0, WAY_READ, 0);
    /* the warp that misses the only moment when the word is 1 waits for ever */
    static const char pulse[] = HEAD " setp.eq.u32 p, w, 0\n@p bra write\n"
                                     "wait: ld.global.b32 v, [py]\n setp.eq.u32 p, v, 0\n@p bra wait\n exit\n"
                                     "write: st.global.b32 [py], one\n st.global.b32 [py], rz\n exit\n";
    r = explore(pulse, 1, 16, EXPLORE_BOUND);
    cr_assert(!r.same && !r.byte);
    u32 stuck = r.story[0].fault.kind ? 0 : 1;
    cr_expect_eq(r.story[stuck].fault.kind, FAULT_DEADLOCK);
    cr_expect_eq(r.story[1 - stuck].fault.kind, FAULT_NONE);
}

Test(explore, bounds_hold) {
    struct explore_result r = explore(HEAD " st.global.b32 [py], one\n exit\n", 1, 64, 100);
    cr_expect(!r.all && r.same);
    cr_expect_eq(r.orders + r.abandoned, 100);
    r = explore(HEAD "again: add.u32 v, v, 1\n st.global.b32 [py], v\n bra again\n", 1, 8, 100);
    cr_expect(r.too_long && !r.all);
    r = explore(HEAD "again: bra again\n", 1, 8, 100);
    cr_expect(r.too_long && !r.all);
    SCOPED(rig_close) struct rig endless, big;
    rig_open(&endless, HEAD "again: bra again\n", 1, 8);
    endless.p.launch.max_instructions = 0; /* the launch has no bound of its own */
    struct explore_setup all = {.launch = &endless.p.launch, .bound = 1};
    cr_expect(explore_run(&all, &r) == RUN_OK && r.too_long);
    rig_open(&big, HEAD " exit\n", EXPLORE_WARPS + 1, 8);
    struct explore_setup s = {.launch = &big.p.launch, .bound = 1};
    cr_expect_eq(explore_run(&s, &r), RUN_FAULT);
}

/* ---- against every order ---- */

struct brute {
    struct chooser chooser;
    u32 path[64], width[64], depth, forced; /* which of the ready warps, of how many */
    u32 turns[8];
    struct warp *last;
    struct { /* of a word of y or of a block's shared memory: readers since the last write, and all before */
        u64 reads, past;
    } word[4 * WORDS];
    u32 number[8]; /* accesses of each warp */
};

static void brute_begin(void *ctx) {
    struct brute *b = ctx;
    b->depth = 0;
    b->last = NULL;
    memset(b->word, 0, sizeof b->word);
    memset(b->number, 0, sizeof b->number);
}

/* Notes the accesses of the last turn: conflicting accesses of a word in another order make another class of orders. */
static void brute_note(struct brute *b) {
    struct warp *w = b->last;
    const struct effect *e = w ? w->effect : NULL;
    u32 place;
    if (!e || e->access == ACCESS_NONE || e->space == SPACE_PARAM || !e->mask)
        return;
    u64 at = e->addr[first_lane(e->mask)];
    place = (u32)(at % (4 * WORDS) / 4) + (e->space == SPACE_SHARED ? WORDS * (1 + w->block->index[0]) : 0);
    u32 who = w->block->index[0] * w->block->warps + w->index;
    u64 id = (who * 100 + ++b->number[who]) * 0x9e3779b97f4a7c15u;
    if (e->access == ACCESS_LOAD) {
        b->word[place].reads += id ^ id >> 33;
        return;
    }
    u64 h = (b->word[place].past ^ b->word[place].reads) * 0xbf58476d1ce4e5b9u + id;
    b->word[place].past = h ^ h >> 30;
    b->word[place].reads = 0;
}

static struct warp *brute_choose(void *ctx, struct block *const *resident, u32 count) {
    struct brute *b = ctx;
    struct warp *can[16], *w;
    u32 n = 0;
    brute_note(b);
    b->last = NULL;
    for (u32 i = 0; i < count; i++)
        for (u32 k = 0; k < resident[i]->warps; k++) {
            w = &resident[i]->warp[k];
            if (!w->done && !w->waiting)
                can[n++] = w;
        }
    if (!n)
        return NULL;
    cr_assert(b->depth < COUNT_OF(b->path));
    if (b->depth >= b->forced)
        b->path[b->depth] = 0;
    b->width[b->depth] = n;
    b->last = w = can[b->path[b->depth++]];
    w->effect->access = ACCESS_NONE;
    return w;
}

/* Called after the turn's access, while its warp exists: after the last turn there is no choice. */
static bool brute_ends(void *ctx, struct warp *w) {
    struct brute *b = ctx;
    if (b->last == w && w->effect->access != ACCESS_NONE) {
        brute_note(b);
        b->last = NULL;
    }
    while (w->pc == w->reconv)
        warp_pop(w);
    const struct inst *i = &w->run->launch->program->inst[w->pc];
    u32 c = isa_rows[i->op].iclass;
    bool param = w->run->code[w->pc].space == SPACE_PARAM;
    return c == CLASS_BAR || ((c == CLASS_LD || c == CLASS_ST || c == CLASS_ATOM || c == CLASS_RED) && !param);
}

enum { BRUTE_MOST = 4000 };

/* Runs every order; how many there are, 0 when there are more than BRUTE_MOST. */
static u64 brute(const char *text, u32 grid, u32 block, struct states *left, struct states *classes) {
    SCOPED(rig_close) struct rig r;
    struct brute b = {.chooser = {brute_begin, brute_choose, brute_ends, NULL, &b}};
    u64 orders = 0;
    rig_open(&r, text, grid, block);
    r.p.launch.chooser = &b.chooser;
    for (bool more = true; more; orders++) {
        struct fault fault;
        if (orders == BRUTE_MOST) {
            orders = 0;
            break;
        }
        memset(r.y, 0, sizeof r.y);
        machine_run(&r.p.launch, &fault);
        u64 h = 0;
        for (u32 i = 0; i < COUNT_OF(b.word); i++)
            h = (h ^ b.word[i].past ^ b.word[i].reads) * 0x94d049bb133111ebu, h ^= h >> 29;
        add_state(left, r.y, &fault);
        add_hash(classes, h);
        while (b.depth && b.path[b.depth - 1] + 1 == b.width[b.depth - 1])
            b.depth--;
        more = b.depth > 0;
        if (more)
            b.path[b.depth - 1]++;
        b.forced = b.depth;
    }
    return orders;
}

static u32 dice(u64 *state, u32 sides) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (u32)(*state >> 33) % sides;
}

/* An access of a random program; `reduce`: reductions too, which are unknown to classes of orders. */
static void random_access(struct buf *out, u64 *seed, u32 words, bool reduce) {
    static const char *const place[] = {"global.%s [py]", "shared.%s [s]", "global.%s [py]", "shared.%s [s+4]"};
    const char *at = place[dice(seed, words)];
    char where[40];
    switch (dice(seed, reduce ? 7 : 6)) {
    case 0:
    case 1:
        snprintf(where, sizeof where, "%s", strstr(at, "[") ? strstr(at, "[") : "");
        buf_printf(out, " ld.%.6s.b32 v, %s\n mad.lo.u32 a, a, 3, v\n", at, where);
        break;
    case 2: buf_printf(out, " add.u32 a, a, %u\n st.%.6s.b32 %s, a\n", dice(seed, 3), at, strstr(at, "[")); break;
    case 3: buf_printf(out, " setp.eq.u32 q, v, 0\n@q st.%.6s.b32 %s, w\n", at, strstr(at, "[")); break;
    case 4: buf_printf(out, " atom.%.6s.exch.b32 v, %s, a\n mad.lo.u32 a, a, 5, v\n", at, strstr(at, "[")); break;
    case 5: buf_printf(out, " atom.%.6s.cas.b32 v, %s, v, one\n", at, strstr(at, "[")); break;
    default: buf_printf(out, " red.%.6s.%s.u32 %s, one\n", at, dice(seed, 2) ? "add" : "max", strstr(at, "[")); break;
    }
}

static void random_program(struct buf *out, u64 *seed, u32 warps, bool reduce) {
    u32 phases = 1 + dice(seed, 2), words = 1 + dice(seed, 4), label = 0;
    buf_puts(out, ".kernel k\n.param y : u32[16]\n.shared s : u32[16]\n.reg w, b, v, a, one, py:2, po:2\n.pred p, q\n"
                  " s2r w, %warpid\n s2r b, %ctaid.x\n s2r v, %nwarpid\n mad.lo.u32 w, b, v, w\n mov.b32 one, 1\n"
                  " add.u32 a, w, 1\n mov.b32 v, 0\n ld.param.b64 py, [y]\n mad.wide.u32 po, w, 4, py\n");
    for (u32 phase = 0; phase < phases; phase++) {
        if (phase)
            buf_puts(out, " bar.sync 0\n");
        for (u32 i = 0; i < warps; i++) {
            buf_printf(out, " setp.ne.u32 p, w, %u\n@p bra l%u\n", i, ++label);
            for (u32 n = 1 + dice(seed, phases == 1 && warps == 2 ? 4 : 2); n > 0; n--)
                random_access(out, seed, words, reduce);
            buf_printf(out, "l%u:\n", label);
        }
    }
    buf_puts(out, " st.global.b32 [po+32], a\n exit\n");
}

/* The machine's own order is the first of those explored, and random ones are among them. */
static void among(struct rig *r, const struct states *seen) {
    struct states one = {0}, all = *seen;
    struct fault fault;
    for (u32 seed = 0; seed < 4; seed++) {
        struct random_turns turns = {.seed = seed};
        memset(r->y, 0, sizeof r->y);
        r->p.launch.chooser = seed ? schedule_random(&turns) : NULL;
        machine_run(&r->p.launch, &fault);
        add_state(seed ? &all : &one, r->y, &fault);
    }
    cr_expect_eq(one.hash[0], seen->hash[0]);
    cr_expect_eq(all.count, seen->count);
}

static void against_every_order(u32 first, u32 last, bool reduce) {
    static struct states left, seen, classes;
    u32 tried = 0;
    for (u32 n = first; n < last; n++) {
        u64 seed = n * 77777u + 1;
        u32 warps = 2 + n % 2, grid = n % 3 == 0 ? warps : 1;
        SCOPED(buf_free) struct buf text = {0};
        struct rig r;
        struct explore_result result;
        random_program(&text, &seed, warps, reduce);
        left.count = seen.count = classes.count = 0;
        u64 all = brute(text.data, grid, 8 * warps / grid, &left, &classes);
        if (all) {
            tried++;
            rig_open(&r, text.data, grid, 8 * warps / grid);
            struct explore_setup s = {.launch = &r.p.launch, .bound = 100000, .each = each_order, .each_ctx = &seen};
            cr_assert_eq(explore_run(&s, &result), RUN_OK);
            cr_expect(result.all);
            cr_expect(result.orders + result.abandoned <= all, "more orders than there are:\n%s", text.data);
            cr_expect(reduce || result.orders == classes.count, "%llu orders of %u classes:\n%s",
                      (unsigned long long)result.orders, classes.count, text.data);
            cr_expect_eq(seen.count, left.count, "%u of %u results:\n%s", seen.count, left.count, text.data);
            for (u32 i = 0; i < seen.count; i++)
                add_hash(&left, seen.hash[i]);
            cr_expect_eq(seen.count, left.count, "a result that no order leaves:\n%s", text.data);
            among(&r, &seen);
            rig_close(&r);
        }
    }
    cr_expect(2 * tried >= last - first, "%u of %u programs are small enough", tried, last - first);
}

Test(explore, random_programs_have_all_results_and_no_order_twice) {
    against_every_order(0, rig_samples(150), false);
}

Test(explore, random_programs_with_reductions_have_all_results) {
    against_every_order(1000, 1000 + rig_samples(100), true);
}
