/* Does each special register give its thread's place, in three dimensions and in partly full warps? */
#include "tests/isa/isa_warp.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

const u16 isa_warp_sreg_ops[] = {OP_S2R, OP_S2R_B64, OP_COUNT};

struct here {
    u32 grid[3], block[3], width;
    u32 b[3], t[3]; /* of the block, of the thread in it */
    u32 thread;     /* x first */
};

/* Returns the value that the register must hold; `skip` if the documentation does not fix it. */
static u64 expected(enum sreg which, const struct here *h, bool *skip) {
    u32 threads = h->block[0] * h->block[1] * h->block[2], lane = h->thread % h->width, warp = h->thread / h->width;
    u64 full = h->width == 64 ? ~(u64)0 : ((u64)1 << h->width) - 1, own = (u64)1 << lane;
    u32 members = threads - warp * h->width;
    switch (which) {
    case SREG_TID_X: return h->t[0];
    case SREG_TID_Y: return h->t[1];
    case SREG_TID_Z: return h->t[2];
    case SREG_NTID_X: return h->block[0];
    case SREG_NTID_Y: return h->block[1];
    case SREG_NTID_Z: return h->block[2];
    case SREG_CTAID_X: return h->b[0];
    case SREG_CTAID_Y: return h->b[1];
    case SREG_CTAID_Z: return h->b[2];
    case SREG_NCTAID_X: return h->grid[0];
    case SREG_NCTAID_Y: return h->grid[1];
    case SREG_NCTAID_Z: return h->grid[2];
    case SREG_LANEID: return lane;
    case SREG_WARPID: return warp;
    case SREG_NWARPID: return (threads + h->width - 1) / h->width;
    case SREG_WARPSIZE: return h->width;
    case SREG_LANEMASK_EQ: return own;
    case SREG_LANEMASK_LT: return own - 1;
    case SREG_LANEMASK_LE: return own | (own - 1);
    case SREG_LANEMASK_GT: return full & ~(own | (own - 1));
    case SREG_LANEMASK_GE: return full & ~(own - 1);
    case SREG_ACTIVEMASK: return members >= h->width ? full : ((u64)1 << members) - 1;
    case SREG_DYNAMIC_SMEM_SIZE: return 0;
    case SREG_TOTAL_SMEM_SIZE:
    case SREG_CLUSTER_CTARANK: return 0;
    case SREG_CLUSTER_NCTARANK: return 1;
    default: *skip = true; return 0;
    }
}

static void check_thread(enum sreg which, const struct here *h, u64 wide, u32 low, u32 sms) {
    bool skip = false;
    u64 want = expected(which, h, &skip);
    if (which == SREG_SMID)
        cr_assert(low < sms && wide == low, "%%smid is %u of %u", low, sms);
    else if (skip)
        return;
    else
        cr_assert(wide == want && low == (u32)want,
                  "%s, width %u, grid %ux%ux%u, block %ux%ux%u, at block %u,%u,%u thread %u,%u,%u: must be %" PRIx64
                  ", is %" PRIx64 ", low word %" PRIx32,
                  isa_sregs[which].name, h->width, h->grid[0], h->grid[1], h->grid[2], h->block[0], h->block[1],
                  h->block[2], h->b[0], h->b[1], h->b[2], h->t[0], h->t[1], h->t[2], want, wide, low);
}

/*
 * Every thread writes the register in its own words of `out`: found by block and thread index, which the test counts.
 */
static void test_sreg(enum sreg which, const u32 grid[3], const u32 block[3]) {
    SCOPED(buf_free) struct buf text = {0};
    buf_printf(&text,
               ".kernel t\n.param out : b64[]\n"
               "s2r.b64 r8, %s\ns2r r10, %s\ns2r r11, %%nsmid\n"
               "s2r r0, %%ctaid.z\ns2r r1, %%nctaid.y\ns2r r2, %%ctaid.y\nmad.lo.s32 r0, r0, r1, r2\n"
               "s2r r1, %%nctaid.x\ns2r r2, %%ctaid.x\nmad.lo.s32 r0, r0, r1, r2\n"
               "s2r r1, %%ntid.z\ns2r r2, %%tid.z\nmad.lo.s32 r0, r0, r1, r2\n"
               "s2r r1, %%ntid.y\ns2r r2, %%tid.y\nmad.lo.s32 r0, r0, r1, r2\n"
               "s2r r1, %%ntid.x\ns2r r2, %%tid.x\nmad.lo.s32 r0, r0, r1, r2\n"
               "ld.param.b64 r4, [out]\nmad.wide.u32 r4, r0, 16, r4\nst.global.b128 [r4], r8\nexit\n",
               isa_sregs[which].name, isa_sregs[which].name);
    u32 threads = block[0] * block[1] * block[2], n = grid[0] * grid[1] * grid[2] * threads;
    u32(*out)[4] = calloc(n, sizeof *out);
    struct rig r = {.text = text.data,
                    .grid = {grid[0], grid[1], grid[2]},
                    .block = {block[0], block[1], block[2]},
                    .buffer = {{"out", out, n * sizeof *out}}};
    for (u32 i = 0; rig_next(&i, &r.width, &r.engine);) {
        rig_run(&r);
        for (u32 k = 0; k < n; k++) {
            u32 b = k / threads, t = k % threads;
            struct here h = {{grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, r.width, {0}, {0}, t};
            for (u32 d = 0; d < 3; d++) {
                h.b[d] = b % grid[d];
                b /= grid[d];
                h.t[d] = t % block[d];
                t /= block[d];
            }
            check_thread(which, &h, out[k][0] | (u64)out[k][1] << 32, out[k][2], out[k][3]);
        }
    }
    free(out);
}

Test(isa_warp_sreg, in_three_dimensions) {
    static const u32 shapes[][6] = {
        {1, 1, 1, 1, 1, 1},  {3, 1, 1, 70, 1, 1}, {2, 3, 4, 5, 3, 7},
        {1, 5, 1, 1, 33, 1}, {2, 1, 3, 1, 1, 64}, {7, 2, 1, 16, 16, 1},
    };
    for (u32 which = 0; which < SREG_COUNT; which++)
        for (size_t i = 0; i < COUNT_OF(shapes); i++)
            test_sreg((enum sreg)which, shapes[i], shapes[i] + 3);
}

/* Divergent code: the active mask is that of the instruction; the clock runs on, and is the timer, too. */
Test(isa_warp_sreg, active_mask_and_clock_in_divergent_code) {
    static const char text[] =
        ".kernel t\n.param out : b64[]\n"
        "s2r r0, %laneid\nld.param.b64 r4, [out]\nmad.wide.u32 r4, r0, 32, r4\n"
        "s2r.b64 r12, %clock\nsetp.lt.u32 p0, r0, 3\nand.b32 r1, r0, 1\nsetp.ne.s32 p1, r1, 0\n"
        "@p0 bra few\ns2r.b64 r8, %activemask\n@p1 s2r.b64 r8, %activemask\nbra join\n"
        "few:\ns2r.b64 r8, %activemask\njoin:\ns2r.b64 r10, %activemask\ns2r.b64 r14, %globaltimer\n"
        "st.global.b128 [r4], r8\nst.global.b128 [r4+16], r12\nexit\n";
    u64 out[64][4];
    struct rig r = {.text = text, .buffer = {{"out", out, sizeof out}}};
    for (u32 i = 0; rig_next(&i, &r.width, &r.engine);) {
        u64 full = r.width == 64 ? ~(u64)0 : ((u64)1 << r.width) - 1;
        r.block[0] = r.width;
        rig_run(&r);
        for (u32 l = 0; l < r.width; l++) {
            u64 want = l < 3 ? 7 : l % 2 ? full & 0xaaaaaaaaaaaaaaa8 : full & ~(u64)7;
            cr_assert(out[l][0] == want, "width %u, lane %u: %" PRIx64 ", not %" PRIx64, r.width, l, out[l][0], want);
            cr_assert(out[l][1] == full && out[l][3] > out[l][2]);
        }
    }
}
