/* Which buffers may a kernel write to: is every one named that a launch changes, and none that is only read? */
#include "isa/writes.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sim/api/heddle.h"
#include "tests/isa/isa_rig.h"
#include "tests/lib/program_text.h"

#define HEAD \
    ".kernel k\n" \
    ".param x : u32[]\n.param y : u32[]\n.param z : u32[]\n.param i : u32\n.param a : u64\n" \
    ".shared s : u64[64]\n" \
    ".reg p:2, q:2, r:2, v, w, lane\n.pred c, d\n" \
    "        s2r           lane, %laneid\n" \
    "        setp.eq.u32   c, lane, 3\n" \
    "        ld.param.b32  v, [i]\n" \
    "        ld.param.b64  p, [x]\n"

/* The names of the buffers that may be written to; "xyz" are all. */
static void expect(const char *want, const char *what, const char *body) {
    char text[4096], got[4] = "";
    snprintf(text, sizeof text, "%s%s", HEAD, body);
    SCOPED(program_drop) struct program *p = program_of_text(text);
    u64 may = kernel_writes(p, program_kernel(p, "k"));
    for (u32 n = 0, at = 0; n < 3; n++)
        if (may >> n & 1)
            got[at++] = "xyz"[n];
    cr_expect_str_eq(got, want, "%s: '%s' may be written to, expected '%s'", what, got, want);
}

#define STORE "        st.global.b32 [p], v\n        exit\n"

Test(writes, follow_an_address_to_its_buffer) {
    expect("", "nothing is stored", "        ld.global.b32 v, [p]\n        exit\n");
    expect("", "to shared memory", "        st.shared.b32 [s], v\n        exit\n");
    expect("x", "a store", STORE);
    expect("x", "with an offset", "        st.global.b128 [p+64], rz\n        exit\n");
    expect("x", "an atomic", "        atom.add.u32  w, [p], v\n        exit\n");
    expect("x", "a reduction", "        red.add.u32   [p], v\n        exit\n");
    expect("x", "a generic address", "        st.b32        [p], v\n        exit\n");
    expect("y", "a register that is used again", "        ld.global.b32 v, [p]\n        ld.param.b64  p, [y]\n" STORE);
    expect("y", "by halves", "        ld.param.b32  p, [y]\n        ld.param.b32  p+1, [y+4]\n" STORE);
    expect("x", "copies",
           "        mov.b64       q, p\n        mov.b32       r, q\n        mov.b32       r+1, q+1\n"
           "        st.global.b32 [r], v\n        exit\n");
    expect("x", "an index", "        mad.wide.u32  p, v, 4, p\n" STORE);
    expect("x", "an index from memory", "        ld.global.b32 v, [p]\n        mad.wide.s32  p, v, 4, p\n" STORE);
    expect("x", "a sum of 64 bits", "        s2r.b64       q, %clock\n        add.s64       p, q, p\n" STORE);
    expect("x", "a difference", "        sub.s64       p, p, 16\n" STORE);
    expect("x", "through a shuffle",
           "        shfl.idx.b32  q, p, 0\n        shfl.idx.b32  q+1, p+1, 0\n"
           "        mov.b64       p, q\n" STORE);
    expect("x", "in a loop",
           "l:      add.s64       p, p, 4\n        st.global.b32 [p], v\n@c      bra           l\n"
           "        exit\n");
}

Test(writes, name_all_that_it_may_be) {
    const char *select = "        ld.param.b64  q, [z]\n        sel.b64       p, p, q, c\n" STORE;
    expect("xz", "a selection", select);
    expect("xy", "a guarded load", "@c      ld.param.b64  p, [y]\n" STORE);
    expect("xy", "either side of a branch", "@c      bra           l\n        ld.param.b64  p, [y]\nl:\n" STORE);
    expect("xz", "later in a loop",
           "l:      st.global.b32 [p], v\n        ld.param.b64  p, [z]\n@c      bra           l\n"
           "        exit\n");
    expect("xy", "two sums", "        ld.param.b64  q, [y]\n        st.global.b32 [q], v\n" STORE);
    expect("xy", "an index out of an address",
           "        ld.param.b64  q, [y]\n        mad.wide.u32  p, q, 4, p\n" STORE);
}

Test(writes, name_every_buffer_when_an_address_is_not_known) {
    const char *all = "xyz";
    expect(all, "a number", "        movi.b64      p, 4096\n" STORE);
    expect(all, "no register", "        st.global.b32 [4096], v\n        exit\n");
    expect(all, "never written", "        st.global.b32 [r], v\n        exit\n");
    expect(all, "a parameter that is a number", "        ld.param.b64  p, [a]\n" STORE);
    expect(all, "a parameter that is chosen", "        shl.b32       w, lane, 3\n        ld.param.b64  p, [w]\n" STORE);
    expect(all, "a parameter by its generic address",
           "        movi.b64      q, 0x40000000008\n        ld.b64        p, [q]\n" STORE);
    expect(all, "from memory", "        ld.global.b64 p, [p]\n" STORE);
    expect(all, "kept in shared memory", "        st.shared.b64 [s], p\n        ld.shared.b64 p, [s]\n" STORE);
    expect(all, "a half from elsewhere", "        mov.b32       p+1, v\n" STORE);
    expect(all, "arithmetic on a half", "        add.u32       p, p, 4\n" STORE);
    expect(all, "the distance of two", "        ld.param.b64  q, [y]\n        sub.s64       p, q, p\n" STORE);
    expect(all, "a distance added again",
           "        ld.param.b64  q, [y]\n        sub.s64       q, q, p\n"
           "        xor.b64       p, p, q\n" STORE);
    expect(all, "a function that stores",
           "        call          f\n        exit\n"
           ".func f\n        st.global.b32 [r4], r4\n        ret\n");
    expect(all, "what a function leaves",
           "        mov.b64       r10, r0\n        call          f\n"
           "        st.global.b32 [r100], v\n        exit\n"
           ".func f\n        mov.b64       r100, r4\n        ret\n");
    expect("x", "a function without a store", "        call          f\n" STORE ".func f\n        nop\n        ret\n");
}

/* ---- against what launches do ---- */

enum { WORDS = 64, MOST = 24 };

/* A line of a random program over the pairs r2, r4, r6 and r8 of addresses; r10 is a number below 8. */
static void random_line(u64 *state, char *out, size_t room) {
    u32 n = (u32)(rig_random(state) >> 33), d = 2 + 2 * (n % 4), a = 2 + 2 * (n / 4 % 4), b = 2 + 2 * (n / 16 % 4);
    const char *guard = n / 64 % 4 ? "" : n / 256 % 2 ? "@p0 " : "@!p0 ";
    char param = "xyz"[n / 512 % 3];
    switch (n / 2048 % 12) {
    case 0:
    case 1: snprintf(out, room, "%sld.param.b64 r%u, [%c]\n", guard, d, param); break;
    case 2: snprintf(out, room, "%smov.b64 r%u, r%u\n", guard, d, a); break;
    case 3: snprintf(out, room, "%smov.b32 r%u, r%u\n", guard, d, a); break;
    case 4: snprintf(out, room, "%smov.b32 r%u, r%u\n", guard, d + 1, a + 1); break;
    case 5: snprintf(out, room, "%ssel.b64 r%u, r%u, r%u, p0\n", guard, d, a, b); break;
    case 6: snprintf(out, room, "%sadd.s64 r%u, r%u, %u\n", guard, d, a, 4 * (n % 8)); break;
    case 7: snprintf(out, room, "%smad.wide.u32 r%u, r10, 4, r%u\n", guard, d, a); break;
    case 8: snprintf(out, room, "%ssub.s64 r%u, r%u, r%u\n", guard, d, a, b); break;
    case 9: snprintf(out, room, "%sadd.s64 r%u, r%u, r%u\n", guard, d, a, b); break;
    case 10: snprintf(out, room, "%sst.shared.b64 [s], r%u\nld.shared.b64 r%u, [s]\n", guard, a, d); break;
    default: snprintf(out, room, "%sxor.b64 r%u, r%u, r%u\n", guard, d, a, b); break;
    }
}

/* Ends in a store through one of the registers, which faults where it lies in no buffer. */
static void random_program(u64 seed, char *text, size_t room) {
    u64 state = seed;
    u32 lines = 2 + (u32)(rig_random(&state) >> 40) % MOST;
    size_t at = (size_t)snprintf(text, room,
                                 ".kernel k\n.param x : u32[]\n.param y : u32[]\n.param z : u32[]\n"
                                 ".shared s : u64\ns2r r10, %%laneid\nsetp.lt.u32 p0, r10, 3\nmov.b32 r12, 0\n"
                                 "mov.b64 r2, 0\nmov.b64 r4, 0\nmov.b64 r6, 0\nmov.b64 r8, 0\nagain:\n");
    for (u32 n = 0; n < lines; n++) {
        random_line(&state, text + at, room - at);
        at += strlen(text + at);
    }
    snprintf(text + at, room - at,
             "add.u32 r12, r12, 1\nsetp.lt.u32 p1, r12, 2\n@p1 bra again\nst.global.b32 [r%u], r12\nexit\n",
             2 + 2 * (u32)(seed % 4));
}

/* `changed` counts the buffers that the launch wrote to. */
static void try_program(u64 seed, u32 *changed) {
    static const char *const names[] = {"x", "y", "z"};
    char text[4096];
    random_program(seed, text, sizeof text);
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = heddle_load(h, "k.hd", text, strlen(text));
    cr_assert(p, "%s", heddle_error(h));
    struct heddle_arg args[3];
    const uint64_t shape[] = {WORDS};
    for (u32 i = 0; i < 3; i++) {
        cr_assert(heddle_buffer(h, names[i], "u32", 1, shape));
        args[i] = (struct heddle_arg){.name = names[i], .buffer = names[i]};
    }
    struct heddle_result r;
    heddle_launch(h, p, &(struct heddle_launch){.args = args, .nargs = 3, .block = {8}, .warp = 8}, &r);
    for (u32 i = 0; i < 3; i++) {
        struct heddle_tensor t;
        struct heddle_param_info info;
        static const u8 zeros[4 * WORDS];
        cr_assert(heddle_buffer_look(h, names[i], &t) && heddle_param_info(p, 0, i, &info));
        bool wrote = memcmp(t.data, zeros, sizeof zeros) != 0;
        cr_expect(!wrote || info.written, "'%s' was written to, and is not named:\n%s", names[i], text);
        *changed += wrote;
    }
}

Test(writes, leave_out_no_buffer_that_a_launch_changes) {
    u32 changed = 0;
    for (u64 seed = 1; seed <= 2000; seed++)
        try_program(seed, &changed);
    cr_expect(changed >= 400, "%u of 2000 programs store to a buffer", changed);
}
