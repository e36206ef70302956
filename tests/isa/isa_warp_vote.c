/* Do votes, ballots, matches and reductions see exactly the lanes that execute them? */
#include "tests/isa/isa_warp.h"
#include "tests/isa/isa_num.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum vote { V_ALL, V_ANY, V_UNI, V_BALLOT, V_MATCH_ANY, V_MATCH_ALL, V_ADD, V_MIN, V_MAX, V_AND, V_OR, V_XOR, V_ELECT };

enum { WIDE = 1, FP32 = 2, ABS = 4, NAN_WINS = 8 }; /* types of a: 64 bits, fp32; how fp32 is taken */

struct vote_ref {
    u16 op;
    u8 what;
    bool is_signed;
    const char *operands; /* without the member mask; r14 or p4 is the destination */
    u8 type;              /* WIDE or FP32, and alike */
};

static const struct vote_ref refs[] = {
    {OP_VOTE_ALL, V_ALL, false, "p4, p1", 0},
    {OP_VOTE_ANY, V_ANY, false, "p4, p1", 0},
    {OP_VOTE_UNI, V_UNI, false, "p4, p1", 0},
    {OP_BALLOT_B32, V_BALLOT, false, "r14, p1", 0},
    {OP_BALLOT_B64, V_BALLOT, false, "r14, p1", 0},
    {OP_MATCH_ANY_B32, V_MATCH_ANY, false, "r14, r8", 0},
    {OP_MATCH_ANY_B64, V_MATCH_ANY, false, "r14, r8", WIDE},
    {OP_MATCH_ALL_B32, V_MATCH_ALL, false, "r14|p4, r8", 0},
    {OP_MATCH_ALL_B64, V_MATCH_ALL, false, "r14|p4, r8", WIDE},
    {OP_REDUX_ADD_U32, V_ADD, false, "r14, r8", 0},
    {OP_REDUX_MIN_S32, V_MIN, true, "r14, r8", 0},
    {OP_REDUX_MAX_S32, V_MAX, true, "r14, r8", 0},
    {OP_REDUX_MIN_U32, V_MIN, false, "r14, r8", 0},
    {OP_REDUX_MAX_U32, V_MAX, false, "r14, r8", 0},
    {OP_REDUX_AND_B32, V_AND, false, "r14, r8", 0},
    {OP_REDUX_OR_B32, V_OR, false, "r14, r8", 0},
    {OP_REDUX_XOR_B32, V_XOR, false, "r14, r8", 0},
    {OP_REDUX_MIN_F32, V_MIN, true, "r14, r8", FP32},
    {OP_REDUX_MAX_F32, V_MAX, true, "r14, r8", FP32},
    {OP_REDUX_MIN_NAN_F32, V_MIN, true, "r14, r8", FP32 | NAN_WINS},
    {OP_REDUX_MAX_NAN_F32, V_MAX, true, "r14, r8", FP32 | NAN_WINS},
    {OP_REDUX_MIN_ABS_F32, V_MIN, true, "r14, r8", FP32 | ABS},
    {OP_REDUX_MAX_ABS_F32, V_MAX, true, "r14, r8", FP32 | ABS},
    {OP_REDUX_MIN_ABS_NAN_F32, V_MIN, true, "r14, r8", FP32 | ABS | NAN_WINS},
    {OP_REDUX_MAX_ABS_NAN_F32, V_MAX, true, "r14, r8", FP32 | ABS | NAN_WINS},
    {OP_ELECT, V_ELECT, false, "r14|p4", 0},
};

const u16 isa_warp_vote_ops[] = {OP_VOTE_ALL,
                                 OP_VOTE_ANY,
                                 OP_VOTE_UNI,
                                 OP_BALLOT_B32,
                                 OP_BALLOT_B64,
                                 OP_MATCH_ANY_B32,
                                 OP_MATCH_ANY_B64,
                                 OP_MATCH_ALL_B32,
                                 OP_MATCH_ALL_B64,
                                 OP_REDUX_ADD_U32,
                                 OP_REDUX_MIN_S32,
                                 OP_REDUX_MAX_S32,
                                 OP_REDUX_MIN_U32,
                                 OP_REDUX_MAX_U32,
                                 OP_REDUX_AND_B32,
                                 OP_REDUX_OR_B32,
                                 OP_REDUX_XOR_B32,
                                 OP_ELECT,
                                 OP_REDUX_MIN_F32,
                                 OP_REDUX_MAX_F32,
                                 OP_REDUX_MIN_NAN_F32,
                                 OP_REDUX_MAX_NAN_F32,
                                 OP_REDUX_MIN_ABS_F32,
                                 OP_REDUX_MAX_ABS_F32,
                                 OP_REDUX_MIN_ABS_NAN_F32,
                                 OP_REDUX_MAX_ABS_NAN_F32,
                                 OP_COUNT};

struct vote_test {
    const struct vote_ref *ref;
    bool negated; /* !p1 */
};

/* Few different values and long runs of equal predicates; r12:r13 become the member mask. */
static void prepare(struct lane_state *lane, const struct warp_view *w, u64 *seed, const void *ctx) {
    /* NaNs first, which may be all that there is */
    static const u32 corners[] = {0x7fffffff, 0x7f800001, 0xffc00003, 0,          0x80000000, 1,         0x80000001,
                                  0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x3f800000, 0xbf800000};
    const struct vote_test *t = ctx;
    u64 kind = rig_random(seed) % 4, common = rig_random(seed);
    for (u32 l = 0; l < w->lanes; l++) {
        u64 r = rig_random(seed);
        if (kind == 0 || kind == 1)
            lane[l].preds = (lane[l].preds & ~2u) | (u32)kind << 1;
        if (kind == 2 && (lane[l].preds & 1)) /* all that execute, but not the others */
            lane[l].preds |= 2;
        bool redux = t->ref->what >= V_ADD;
        lane[l].r[0] = redux ? (u32)r : (u32)common + (kind == 3 ? (u32)r % 3 : 0);
        lane[l].r[1] = (u32)(common >> 32) + (kind == 2 && r >> 60 == 0);
        if (kind == 0 && redux)
            lane[l].r[0] |= 0x80000001;
        if (t->ref->type & FP32 && kind)
            lane[l].r[0] = corners[r % (kind == 1 ? 3 : COUNT_OF(corners))];
        u64 mask = w->exec | (w->width < 64 ? ~(u64)0 << w->width : 0);
        lane[l].r[4] = (u32)mask;
        lane[l].r[5] = (u32)(mask >> 32);
    }
}

enum { NOT_A_NUMBER = 0x7f800001 }; /* above all keys */

/* The place of an fp32 among all by size, -0 below +0. */
static s128 key_of(u32 bits, bool magnitude) {
    u32 size = bits & 0x7fffffff;
    if (size > 0x7f800000)
        return NOT_A_NUMBER;
    return bits >> 31 && !magnitude ? -1 - (s128)size : (s128)size;
}

static u32 of_key(s128 key) {
    return key == NOT_A_NUMBER ? 0x7fffffff : key < 0 ? 0x80000000 | (u32)(-1 - key) : (u32)key;
}

static s128 value(const struct vote_ref *ref, const struct lane_state *s) {
    u64 v = s->r[0] | (ref->type & WIDE ? (u64)s->r[1] << 32 : 0);
    if (ref->type & FP32)
        return key_of((u32)v, ref->type & ABS);
    return ref->is_signed ? (s128)(s32)(u32)v : (s128)v;
}

static s128 join(const struct vote_ref *ref, s128 sum, s128 v) {
    if (ref->type & FP32 && (sum == NOT_A_NUMBER || v == NOT_A_NUMBER))
        return ref->type & NAN_WINS ? NOT_A_NUMBER : sum == NOT_A_NUMBER ? v : sum;
    switch ((enum vote)ref->what) {
    case V_ADD: return sum + v;
    case V_MIN: return v < sum ? v : sum;
    case V_MAX: return v > sum ? v : sum;
    case V_AND: return sum & v;
    case V_OR: return sum | v;
    default: return sum ^ v;
    }
}

/* Tally of the votes of executing lanes. */
struct tally {
    u32 voters, yes;
    u64 ballot;
    bool same; /* all values are one */
    s128 sum;
};

static struct tally count(const struct warp_view *w, const struct vote_test *t) {
    struct tally c = {.same = true};
    s128 first = 0;
    for (u32 l = 0; l < w->lanes; l++) {
        if (!(w->exec >> l & 1))
            continue;
        bool holds = (w->in[l].preds >> 1 & 1) != t->negated;
        s128 v = value(t->ref, &w->in[l]);
        c.ballot |= (u64)holds << l;
        c.yes += holds;
        first = c.voters ? first : v;
        c.same = c.same && v == first;
        c.sum = c.voters ? join(t->ref, c.sum, v) : v;
        c.voters++;
    }
    return c;
}

/* The lanes that execute and hold the value of lane l. */
static u64 mates(const struct warp_view *w, const struct vote_ref *ref, u32 l) {
    u64 found = 0;
    for (u32 k = 0; k < w->lanes; k++)
        if ((w->exec >> k & 1) && value(ref, &w->in[k]) == value(ref, &w->in[l]))
            found |= (u64)1 << k;
    return found;
}

static void expect(const struct warp_view *w, const void *ctx) {
    const struct vote_test *t = ctx;
    const struct vote_ref *ref = t->ref;
    struct tally c = count(w, t);
    for (u32 l = 0; l < w->lanes; l++) {
        struct lane_state *out = &w->out[l];
        u64 d = 0;
        bool p = false, has_p = ref->what <= V_UNI || ref->what == V_MATCH_ALL || ref->what == V_ELECT;
        if (!(w->exec >> l & 1))
            continue;
        switch ((enum vote)ref->what) {
        case V_ALL: p = c.yes == c.voters; break;
        case V_ANY: p = c.yes > 0; break;
        case V_UNI: p = c.yes == 0 || c.yes == c.voters; break;
        case V_BALLOT: d = c.ballot; break;
        case V_MATCH_ANY: d = mates(w, ref, l); break;
        case V_MATCH_ALL:
            p = c.same;
            d = c.same ? w->exec : 0;
            break;
        case V_ELECT:
            while (!(w->exec >> d & 1))
                d++;
            p = l == d;
            break;
        default: d = ref->type & FP32 ? of_key(c.sum) : (u64)c.sum; break;
        }
        if (has_p)
            out->preds = (out->preds & ~16u) | (u32)p << 4;
        if (ref->what > V_UNI)
            out->r[6] = (u32)d;
        bool pair = ref->op == OP_BALLOT_B64 || ref->what == V_MATCH_ANY || ref->what == V_MATCH_ALL;
        if (pair)
            out->r[7] = (u32)(d >> 32);
    }
}

static void test_vote(const struct vote_ref *ref, bool guarded, bool masked, bool negated) {
    char text[96], operands[32];
    struct vote_test v = {ref, negated};
    snprintf(operands, sizeof operands, "%s", ref->operands);
    if (negated)
        snprintf(strstr(operands, ", ") + 2, 4, "!p1");
    snprintf(text, sizeof text, "%s%s %s%s", guarded ? "@p0 " : "", isa_rows[ref->op].name, operands,
             masked ? ", r12" : "");
    struct warp_test t = {
        .instruction = text, .guarded = guarded, .seed = ref->op, .prepare = prepare, .expect = expect, .ctx = &v};
    warp_test(&t);
}

Test(isa_warp_vote, every_row_masked_and_guarded) {
    for (size_t i = 0; i < COUNT_OF(refs); i++)
        for (u32 k = 0; k < 8; k++)
            if (!(k & 4) || refs[i].what <= V_BALLOT)
                test_vote(&refs[i], k & 1, k & 2, k & 4);
}

Test(isa_warp_vote, the_mask_must_name_the_active_lanes) {
    static const char *const bad[] = {"vote.any p1, p0, r2",      "ballot.b64 r4, p0, r2",
                                      "match.any.b32 r4, r0, r2", "match.all.b64 r4, r2, r2",
                                      "redux.add.u32 r4, r0, r2", "bar.warp r2"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        SCOPED(buf_free) struct buf text = {0};
        buf_printf(&text,
                   ".kernel t\ns2r r0, %%tid.x\nmov.b64 r2, 0x0f\nsetp.lt.u32 p0, r0, 4\n@p0 %s\n"
                   "@!p0 %s\nexit\n",
                   bad[i], bad[i]);
        struct rig r = {.text = text.data, .width = 8, .block = {8}};
        cr_expect(rig_fault(&r) == FAULT_INACTIVE_LANE, "%s", bad[i]);
        r.block[0] = 4; /* then no other block runs there */
        cr_expect(rig_fault(&r) == FAULT_NONE, "%s", bad[i]);
    }
}
