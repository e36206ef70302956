/*
 * Do loads and stores of every type move the right bytes in every space? Each warp has a region of 16 bytes a lane; the
 * reference keeps it as an array of bytes.
 */
#include "tests/isa/isa_warp.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

const u16 isa_warp_memory_ops[] = {OP_LD, OP_ST, OP_COUNT};

enum region {
    R_GLOBAL,
    R_SHARED,
    R_LOCAL,
    R_GENERIC_GLOBAL,
    R_GENERIC_SHARED,
    R_GENERIC_LOCAL,
    R_CONST,
    R_GENERIC_CONST
};
enum { WRITABLE = R_CONST, REGIONS = R_GENERIC_CONST + 1 };

static const char *const region_mod[] = {".global", ".shared", ".local", "", ".generic", "", ".const", ""};

enum pattern { P_LINEAR, P_RANDOM, P_REVERSED, P_SAME, P_ALMOST_LINEAR, PATTERNS };

struct access {
    enum region region;
    enum pattern pattern;
    const struct isa_mod *type;
    const char *hint;
    s32 offset; /* in the instruction */
    bool over;  /* loads: the destination holds the address */
};

static bool is_wide(enum region r) {
    return r != R_SHARED && r != R_LOCAL && r != R_CONST;
}

static bool is_local(enum region r) {
    return r == R_LOCAL || r == R_GENERIC_LOCAL;
}

static bool is_const(enum region r) {
    return r == R_CONST || r == R_GENERIC_CONST;
}

/* The const region, the same for everyone. */
static u8 const_byte(u32 i) {
    return (u8)(i * 37 + 129);
}

/*
 * r2 (or r2:r3) becomes the address of the warp's region, r4 (r4:r5) that of the lane's own 16 bytes, r6 (r6:r7) the
 * address to use less `offset`; r6 holds an offset in the region.
 */
static void print_setup(const struct access *a, struct buf *out) {
    buf_puts(out, ".shared cells : b32[512]\n.local cell : b32[4]\n"
                  "s2r r0, %laneid\ns2r r1, %warpid\ns2r r3, %warpsize\nmul.lo.s32 r1, r1, r3\n");
    switch (a->region) {
    case R_GLOBAL:
    case R_GENERIC_GLOBAL:
        buf_puts(out, "s2r r2, %ctaid.x\ns2r r3, %ntid.x\nmad.lo.s32 r1, r2, r3, r1\n"
                      "ld.param.b64 r2, [out]\nmad.wide.u32 r2, r1, 48, r2\n");
        break;
    case R_SHARED: buf_puts(out, "shl.b32 r2, r1, 4\nadd.s32 r2, r2, cells\n"); break;
    case R_GENERIC_SHARED: buf_puts(out, "mov.b32 r2, cells\ncvta.shared r2, r2\nmad.wide.u32 r2, r1, 16, r2\n"); break;
    case R_LOCAL: buf_puts(out, "mov.b32 r2, cell\nmov.b32 r0, 0\n"); break;
    case R_GENERIC_LOCAL: buf_puts(out, "mov.b32 r2, cell\ncvta.local r2, r2\nmov.b32 r0, 0\n"); break;
    case R_CONST: buf_puts(out, "mov.b32 r2, table\n"); break;
    case R_GENERIC_CONST: buf_puts(out, "mov.b32 r2, table\ncvta.const r2, r2\n"); break;
    }
    if (is_wide(a->region))
        buf_printf(out, "mad.wide.u32 r4, r0, 16, r2\nmad.wide.u32 r6, r6, 1, r2\nadd.s64 r6, r6, %d\n", -a->offset);
    else
        buf_printf(out, "mad.lo.s32 r4, r0, 16, r2\nadd.s32 r6, r6, r2\nadd.s32 r6, r6, %d\n", -a->offset);
}

static void print_modifiers(const struct access *a, struct buf *out) {
    buf_printf(out, "%s%s.%s", region_mod[a->region], a->hint, a->type->text);
}

/* Aligned offsets that stay in the region of the existing lanes. */
static void prepare(struct lane_state *lane, const struct warp_view *w, u64 *seed, const void *ctx) {
    const struct access *a = ctx;
    u32 size = mtype_bytes(a->type->value), slots = (is_local(a->region) ? 16 : w->lanes * 16) / size;
    u32 common = (u32)rig_random(seed) % slots;
    u32 odd = w->lanes - 1 - (u32)rig_random(seed) % w->lanes / 2;
    if (is_const(a->region))
        slots = 64 * 16 / size;
    for (u32 l = 0; l < w->lanes; l++) {
        bool linear = a->pattern == P_LINEAR || (a->pattern == P_ALMOST_LINEAR && l != odd);
        u32 slot = linear                     ? l
                   : a->pattern == P_REVERSED ? w->lanes - 1 - l
                   : a->pattern == P_SAME     ? common
                                              : (u32)rig_random(seed);
        lane[l].extra[0] = slot % slots * size;
        lane[l].extra[1] = (u32)rig_random(seed);
        for (u32 k = 0; k < 8; k++)
            if (rig_random(seed) % 4 == 0)
                lane[l].r[k] = lane[l].r[k] % 2 ? 0x7f800001 : 0xffc54321; /* NaNs that arithmetic would change */
    }
}

static void image_of(const struct access *a, const struct warp_view *w, u32 word, u8 image[64 * 16]) {
    for (u32 i = 0; i < 64 * 16 && is_const(a->region); i++)
        image[i] = const_byte(i);
    for (u32 l = 0; l < w->lanes && !is_const(a->region); l++)
        memcpy(image + 16 * l, &w->in[l].r[word], 16);
}

/* Place of a lane's access in the image. */
static u32 place_of(const struct access *a, const struct warp_view *w, u32 l) {
    return w->in[l].extra[0] + (is_local(a->region) ? 16 * l : 0);
}

static void expect_load(const struct warp_view *w, const void *ctx) {
    const struct access *a = ctx;
    u8 image[64 * 16];
    image_of(a, w, 0, image);
    u32 size = mtype_bytes(a->type->value);
    for (u32 l = 0; l < w->lanes; l++) {
        const u8 *p = image + place_of(a, w, l);
        u32 *d = &w->out[l].r[4];
        if (!(w->exec >> l & 1))
            continue;
        if (size >= 4) {
            memcpy(d, p, size);
            continue;
        }
        u32 v = size == 1 ? p[0] : p[0] + 256u * p[1], top = size == 1 ? 0x80 : 0x8000;
        if (a->type->value == MT_S8 || a->type->value == MT_S16)
            v = (v ^ top) - top;
        *d = v;
    }
}

static void expect_store(const struct warp_view *w, const void *ctx) {
    const struct access *a = ctx;
    u8 image[64 * 16];
    image_of(a, w, 4, image);
    for (u32 l = 0; l < w->lanes; l++)
        if (w->exec >> l & 1)
            memcpy(image + place_of(a, w, l), w->in[l].r, mtype_bytes(a->type->value));
    for (u32 l = 0; l < w->lanes; l++)
        memcpy(&w->out[l].r[4], image + 16 * l, 16);
}

static void print_constants(struct buf *out) {
    buf_puts(out, ".const table : u8 = ");
    for (u32 i = 0; i < 64 * 16; i++)
        buf_printf(out, "%s%u", !i ? "" : i % 32 ? ", " : ",\n    ", const_byte(i));
    buf_puts(out, "\n");
}

static void test_load(const struct access *a, bool guarded, u64 seed) {
    SCOPED(buf_free) struct buf text = {0}, tail = {0};
    const char *guard = guarded ? "@p0 " : "";
    print_setup(a, &text);
    if (!is_const(a->region))
        buf_printf(&text, "st%s.b128 [r4], r8\nbar.warp\n", region_mod[a->region]);
    u32 regs = mtype_regs(a->type->value);
    const char *d = !a->over ? "r12" : regs == 4 ? "r4" : "r6";
    buf_printf(&text, "%sld", guard);
    print_modifiers(a, &text);
    buf_printf(&text, " %s, [r6%+d]\n", d, a->offset);
    for (u32 k = 0; k < regs && a->over; k++)
        buf_printf(&text, "%smov.b32 r%u, r%u\n", guard, 12 + k, (regs == 4 ? 4 : 6) + k);
    if (is_const(a->region))
        print_constants(&tail);
    struct warp_test t = {.instruction = text.data, .tail = tail.data, .guarded = guarded, .seed = seed};
    t.prepare = prepare;
    t.expect = expect_load;
    t.ctx = a;
    warp_test(&t);
}

static void test_store(const struct access *a, bool guarded, u64 seed) {
    SCOPED(buf_free) struct buf text = {0};
    const char *mod = region_mod[a->region];
    print_setup(a, &text);
    buf_printf(&text, "st%s.b128 [r4], r12\nbar.warp\n%sst", mod, guarded ? "@p0 " : "");
    print_modifiers(a, &text);
    buf_printf(&text, " [r6%+d], r8\nbar.warp\nld%s.b128 r12, [r4]\n", a->offset, mod);
    struct warp_test t = {.instruction = text.data, .guarded = guarded, .seed = seed};
    t.prepare = prepare;
    t.expect = expect_store;
    t.ctx = a;
    warp_test(&t);
}

Test(isa_warp_memory, every_type_in_every_space) {
    for (size_t m = 0; m < isa_mod_count; m++)
        for (u32 region = 0; isa_mods[m].group == GROUP_MTYPE && region < REGIONS; region++)
            for (u32 pattern = 0; pattern < PATTERNS; pattern++) {
                struct access a = {(enum region)region, (enum pattern)pattern, &isa_mods[m], "", 0, false};
                test_load(&a, false, pattern);
                if (region < WRITABLE)
                    test_store(&a, false, pattern);
                a.offset = pattern % 2 ? 4096 : -16;
                a.over = pattern / 2;
                test_load(&a, true, 10 + pattern);
                if (region < WRITABLE)
                    test_store(&a, true, 10 + pattern);
            }
}

Test(isa_warp_memory, hints_change_no_value) {
    for (size_t m = 0; m < isa_mod_count; m++) {
        char hint[16];
        snprintf(hint, sizeof hint, ".%s", isa_mods[m].text);
        struct access a = {R_GLOBAL, P_RANDOM, isa_mods, hint, 0, false};
        while (a.type->group != GROUP_MTYPE)
            a.type++;
        if (isa_mods[m].group != GROUP_HINT)
            continue;
        /* A load that releases and a store that acquires are illegal: tests/arch/faults.c. */
        if (isa_mods[m].value != HINT_RELEASE)
            test_load(&a, true, m);
        if (isa_mods[m].value != HINT_ACQUIRE)
            test_store(&a, true, m);
    }
}

/* Local memory belongs to the thread: all threads of a block have written before the first reads. */
Test(isa_warp_memory, local_memory_of_every_thread) {
    static const char text[] = ".kernel t\n.param out : b32[]\n.local own : b32[3]\n"
                               "s2r r0, %tid.x\nadd.s32 r1, r0, 7\nst.local.b32 [own+4], r0\nmov.b32 r6, own\n"
                               "cvta.local r4, r6\nst.b32 [r4+8], r1\nbar.sync 0\n"
                               "ld.b32 r2, [r4+4]\nld.local.b32 r3, [r6+8]\nld.param.b64 r4, [out]\n"
                               "mad.wide.u32 r4, r0, 8, r4\nst.global.b64 [r4], r2\nexit\n";
    u32 out[200][2];
    struct rig r = {.text = text, .buffer = {{"out", out, sizeof out}}};
    for (u32 i = 0; rig_next(&i, &r.width, &r.engine);) {
        r.block[0] = 200;
        rig_run(&r);
        for (u32 t = 0; t < 200; t++)
            cr_assert(out[t][0] == t && out[t][1] == t + 7, "width %u, thread %u: %u %u", r.width, t, out[t][0],
                      out[t][1]);
    }
}

/* ---- addresses without a register, and kernel arguments ---- */

static void fixed_expect(const struct warp_view *w, const void *ctx) {
    (void)ctx;
    for (u32 l = 0; l < w->lanes; l++) {
        w->out[l].r[4] = const_byte(12) + 256u * const_byte(13);
        w->out[l].r[5] = (const_byte(9) ^ 0x80u) - 0x80;
        memcpy(&w->out[l].r[6], &w->in[w->lanes - 1].r[0], 8); /* the highest lane's store stays */
    }
}

Test(isa_warp_memory, addresses_without_a_register) {
    SCOPED(buf_free) struct buf tail = {0};
    print_constants(&tail);
    struct warp_test t = {.instruction = ".shared before : b32[4]\n.shared word : b64[2]\n"
                                         "ld.const.u16 r12, [table+12]\nld.const.s8 r13, [table+9]\n"
                                         "st.shared.b64 [word+8], r8\nld.shared.b64 r14, [word+8]",
                          .tail = tail.data,
                          .expect = fixed_expect};
    warp_test(&t);
}

Test(isa_warp_memory, kernel_arguments) {
    static const char text[] = ".kernel t\n.param out : b32[]\n.param byte : i8\n.param long : u64\n.param half : u16\n"
                               ".param word : f32\n"
                               "s2r r0, %tid.x\nld.param.b64 r2, [out]\nmad.wide.u32 r2, r0, 48, r2\n"
                               "ld.param.b64 r4, [long]\nst.global.b64 [r2], r4\n"
                               "ld.param.s8 r6, [byte]\nld.param.u8 r7, [byte]\nst.global.b64 [r2+8], r6\n"
                               "ld.param.s16 r6, [half]\nld.param.u16 r7, [half]\nst.global.b64 [r2+16], r6\n"
                               "ld.param.f32 r6, [word]\nld.param.u16 r7, [word+2]\nst.global.b64 [r2+24], r6\n"
                               "mov.b32 r6, long\nand.b32 r7, r0, 7\nadd.s32 r7, r7, r6\nld.param.u8 r6, [r7]\n"
                               "cvta.param r8, r7\nld.s8 r7, [r8]\nst.global.b64 [r2+32], r6\n"
                               "cvta.param r8, long\nld.generic.b64 r6, [r8]\nst.global.b64 [r2+40], r6\nexit\n";
    static const u8 bytes[] = {0xff, 0xee, 0xdd, 0xcc, 0xbb, 0x7a, 0x99, 0x88};
    u32 out[70][12];
    struct rig r = {.text = text, .block = {70}, .buffer = {{"out", out, sizeof out}}};
    r.number[0].name = "byte";
    r.number[0].value = 0x81;
    r.number[1].name = "long";
    r.number[1].value = 0x88997abbccddeeff;
    r.number[2].name = "half";
    r.number[2].value = 0x8002;
    r.number[3].name = "word";
    r.number[3].value = 0x7f800001;
    for (u32 i = 0; rig_next(&i, &r.width, &r.engine);) {
        rig_run(&r);
        for (u32 t = 0; t < 70; t++) {
            u32 byte = bytes[t % 8];
            const u32 want[12] = {0xccddeeff, 0x88997abb, 0xffffff81, 0x81, 0xffff8002,
                                  0x8002,     0x7f800001, 0x7f80,     byte, (byte ^ 0x80) - 0x80,
                                  0xccddeeff, 0x88997abb};
            for (u32 k = 0; k < 12; k++)
                cr_assert(out[t][k] == want[k], "width %u, thread %u, word %u: must be %08x, is %08x", r.width, t, k,
                          want[k], out[t][k]);
        }
    }
}
