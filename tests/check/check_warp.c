/* Are bits that come from other lanes undefined exactly where those were? One instruction of a warp in each row. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sim/api/heddle.h"
#include "sim/base/types.h"
#include "tests/lib/scoped.h"

/* u and q were never written, t is the thread's number, z is 0; v is stored. */
static const char frame[] = ".kernel k\n.param y : u32[64]\n.reg t, u, v, w, z, m:4, n:2, c:4, py:2\n.pred p, q\n"
                            "  s2r t, %%tid.x\n  ld.param.b64 py, [y]\n  mad.wide.u32 py, t, 4, py\n"
                            "  mov.b32 z, 0\n%s\n  st.global.b32 [py], v\n  exit\n";

static const struct {
    const char *lines;
    bool found;
} cases[] = {
    {"shfl.up.b32.w8 w, u, 1\n and.b32 v, w, 0", false},
    {"shfl.up.b32 v, u, 1", true},
    {"shfl.down.b32.w16 v, u, 1", true},
    {"shfl.idx.b32.w32 v, u, 3", true},
    {"shfl.idx.b32 v, z, 3", false},
    {"setp.lt.u32 p, t, 9\n mov.b32 w, 0\n@p or.b32 w, w, u\n shfl.idx.b32 v, w, 20", false},
    {"shfl.bfly.b32 rz, u, 1\n mov.b32 v, 1", false},
    {"shfl.bfly.b32 v, rz, 1", false},
    {"xpush x0, u\n xext rz, x0, 3\n mov.b32 v, 1", false},
    {"xpush x0, rz\n xpush x0, rz\n xpush x0, rz\n xpush x0, rz\n xext v, x0, 0", false},
    {"and.b32 w, u, 255\n xpush x0, w\n xpush x0, z\n xpush x0, z\n xpush x0, z\n xext w, x0, 0\n shr.u32 v, w, 8",
     false},
    {"and.b32 w, u, 255\n xpush x0, w\n xpush x0, z\n xpush x0, z\n xpush x0, z\n xext v, x0, 0", true},
    {"setp.eq.u32 p, t, 0\n mov.b32 v, 1\n@p redux.add.u32 v, u", true},
    {"redux.add.u32 rz, u\n mov.b32 v, 1", false},
    {"ballot.b32 rz, q\n mov.b32 v, 1", false},
    {"mov.b64 c, 0\n mov.b64 c+2, 0\n mov.b64 m, 0\n mov.b64 m+2, 0\n mov.b64 n, 0\n"
     " mma.m8n4k8.f32.f16 c, m, n, c\n mov.b32 v, c",
     false},
    {"mov.b64 m, 0\n mov.b64 m+2, 0\n mov.b64 n, 0\n mma.m8n4k8.f32.f16 c, m, n, c\n mov.b32 v, c+1", true},
    /* A guard that is undefined and holds, before operands that are defined. */
    {"setp.ne.u32 q, u, 0\n mov.b32 v, 1\n@q redux.add.u32 v, t", true},
    {"setp.ne.u32 q, u, 0\n mov.b64 m, 1\n@q match.any.b32 m, t\n mov.b32 v, m", true},
    {"setp.ne.u32 q, u, 0\n setp.eq.u32 p, t, t\n@q vote.all p, p\n sel.b32 v, 1, t, p", true},
    {"setp.ne.u32 q, u, 0\n mov.b32 v, 1\n@q shfl.bfly.b32 v, t, 1", true},
    {"mov.b64 c, 0\n mov.b64 c+2, 0\n mov.b64 m, 0\n mov.b64 m+2, 0\n mov.b64 n, 0\n setp.ne.u32 q, u, 0\n"
     "@q mma.m8n4k8.f32.f16 c, m, n, c\n mov.b32 v, c",
     true},
    {"bar.red.popc v, 0, q", true},
    {"bar.red.or p, 0, !q\n mov.b32 v, 1", true}, /* other warps may use it */
    {"setp.lt.u32 p, t, 9\n bar.red.popc v, 0, p", false},
    {"bar.red.and q, 0, pt\n sel.b32 v, t, z, q", false},
    {"redux.min.f32 v, u", true},
    {"setp.eq.u32 p, t, 0\n mov.b32 v, 1\n@p redux.max.abs.f32 v, u", true},
    {"nanosleep u\n mov.b32 v, 1", true},
    {"vote.any p, !q\n sel.b32 v, t, z, p", true},
    {"setp.lt.u32 p, t, 1\n@p vote.any q, !q\n mov.b32 v, 1", false},
    {"setp.lt.u32 p, t, 0\n and.pred q, p, q\n vote.any p, q\n sel.b32 v, t, z, p", false},
};

static u32 findings(const char *lines, bool timed) {
    char text[1000];
    const u64 shape = 64;
    const char *const sms = "sms=1";
    snprintf(text, sizeof text, frame, lines);
    struct heddle *h = heddle_new();
    struct heddle_program *p = heddle_load(h, "k.hd", text, strlen(text));
    struct heddle_result r = {0};
    cr_assert_not_null(p, "%s", heddle_error(h));
    cr_assert(heddle_buffer(h, "y", "u32", 1, &shape) && heddle_board_load(h, NULL, &sms, 1));
    const struct heddle_arg args = {.name = "y", .buffer = "y"};
    struct heddle_launch l = {.block = {64, 1, 1}, .warp = 32, .args = &args, .nargs = 1, .check = "init"};
    l.functional = !timed;
    cr_expect_eq(heddle_launch(h, p, &l, &r), HEDDLE_OK, "%s", heddle_error(h));
    const u32 n = r.nfindings;
    heddle_program_free(p);
    heddle_free(h);
    return n;
}

Test(check_warp, bits_of_other_lanes) {
    for (u32 i = 0; i < 2 * COUNT_OF(cases); i++)
        cr_expect_eq(findings(cases[i / 2].lines, i % 2) > 0, cases[i / 2].found, "%s", cases[i / 2].lines);
}
