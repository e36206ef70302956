/* Is every mistake of a kernel found at its place, and explained in helpful words? */
#include "tests/lib/launch.h"

#include <criterion/criterion.h>
#include <string.h>

#define HEAD \
    ".kernel t\n.param out : u32[]\n.reg i, v, t, po:2\n.pred p, q\n" \
    "s2r i, %tid.x\nld.param.b64 po, [out]\nmad.wide.u32 po, i, 4, po\nmov.b32 v, 1\n"

static struct outcome_of run(const char *text, u32 block) {
    u32 out[64] = {0};
    return launch_text(text, (struct sizes){32, 1, block}, out, 64);
}

static void faults(const char *text, u32 block, enum fault_kind kind, const char *words) {
    struct outcome_of o = run(text, block);
    cr_assert(o.outcome == RUN_FAULT, "expected a fault in:\n%s\n%s", text, o.text);
    cr_assert(o.fault.kind == kind, "expected %s, got %s: %s", fault_names[kind], fault_names[o.fault.kind], o.text);
    cr_assert(strstr(o.text, words) != NULL, "expected the words: %s\nin: %s", words, o.text);
}

Test(faults, a_whole_message) {
    struct outcome_of o = run(HEAD "st.global.b32 [po+196], v\nexit\n", 32);
    cr_assert(o.outcome == RUN_FAULT);
    cr_assert(
        strcmp(o.text,
               "t.hd:9: fault: out_of_bounds: store of 4 bytes at global address 0x10000100: just past the end of "
               "'out' (256 bytes)\n"
               "     9 | st.global.b32 [po+196], v\n"
               "  kernel t, block (0, 0, 0), warp 0, lane 15 = thread (15, 0, 0), instruction 4\n"
               "  out_of_bounds: an access outside every allocation of its space\n") == 0,
        "%s", o.text);
}

Test(faults, out_of_bounds) {
    faults(HEAD "ld.global.b32 v, [po+273]\nexit\n", 32, FAULT_OUT_OF_BOUNDS, "17 bytes past the end of 'out'");
    faults(HEAD "ld.global.b32 v, [po-8]\nexit\n", 32, FAULT_OUT_OF_BOUNDS, "8 bytes before the start of 'out'");
    faults(HEAD "ld.global.b128 r40, [po+248]\nexit\n", 1, FAULT_OUT_OF_BOUNDS,
           "last 8 of its 16 bytes are past the end");
    faults(HEAD ".shared s : u32[4]\nmul.lo.s32 t, i, 4\nst.shared.b32 [t+s], v\nexit\n", 8, FAULT_OUT_OF_BOUNDS,
           "past the end of the shared memory (16 bytes a block); the address names 's', which has 16 bytes");
    faults(HEAD ".shared s : u32[4]\nmul.lo.s32 t, i, 4\nst.shared.b32 [t], v\nexit\n", 8, FAULT_OUT_OF_BOUNDS,
           "past the end of the shared memory (16 bytes a block)\n");
    faults(HEAD ".local s : u32[4]\nst.local.b32 [s+16], v\nexit\n", 8, FAULT_OUT_OF_BOUNDS,
           "just past the end of the local memory (16 bytes a thread)");
    faults(".const c : u32 = 1, 2\n" HEAD "ld.const.b32 v, [c+8]\nexit\n", 8, FAULT_OUT_OF_BOUNDS, "const memory");
    faults(HEAD "ld.param.b32 v, [out+8]\nexit\n", 8, FAULT_OUT_OF_BOUNDS, "param memory");
    faults(HEAD "movi.b64 po, 0xf0000000000\nld.b32 v, [po]\nexit\n", 8, FAULT_OUT_OF_BOUNDS, "no space's window");
}

Test(faults, null_and_misaligned) {
    faults(HEAD "mov.b64 po, 0\nld.global.b32 v, [po+16]\nexit\n", 8, FAULT_NULL_ADDRESS, "null pointer");
    faults(HEAD "ld.global.b32 v, [po+2]\nexit\n", 8, FAULT_MISALIGNED, "byte 2 of 'out' is not a multiple of 4");
    faults(HEAD "ld.global.b64 r40, [po]\nexit\n", 8, FAULT_MISALIGNED, "byte 4 of 'out' is not a multiple of 8");
    faults(HEAD ".shared s : u32[4]\nst.shared.u16 [s+1], v\nexit\n", 8, FAULT_MISALIGNED,
           "the address is not a multiple of 2; it lies in s[0]\n");
    faults(HEAD ".local a : u64\n.local s : u16[2,3]\nmov.b32 t, s\nst.local.b32 [t+6], v\nexit\n", 8, FAULT_MISALIGNED,
           "the address is not a multiple of 4; it lies in s[1,0]\n");
}

Test(faults, read_only_spaces) {
    faults(".const c : u32 = 1, 2\n" HEAD "st.const.b32 [c], v\nexit\n", 8, FAULT_READ_ONLY,
           "const memory can only be read");
    faults(HEAD "st.param.b32 [out], v\nexit\n", 8, FAULT_READ_ONLY, "param memory can only be read");
    faults(HEAD "cvta.param po, 0\nst.b32 [po], v\nexit\n", 8, FAULT_READ_ONLY, "param memory can only be read");
    faults(HEAD "cvta.local po, 0\natom.add.u32 v, [po], v\nexit\n", 8, FAULT_BAD_SPACE, "no atomics in local memory");
}

Test(faults, a_faulting_store_changes_nothing) {
    u32 out[64] = {0};
    struct outcome_of o = launch_text(HEAD "st.global.b32 [po+196], v\nexit\n", (struct sizes){32, 1, 32}, out, 64);
    cr_assert(o.outcome == RUN_FAULT);
    for (u32 i = 0; i < 64; i++)
        cr_assert(out[i] == 0, "out[%u] was written", i);
}

Test(faults, shuffle_from_an_inactive_lane) {
    faults(HEAD "setp.lt.u32 p, i, 8\n@p shfl.idx.b32 v, i, 9\nexit\n", 32, FAULT_INACTIVE_LANE, "reads lane 9");
    faults(HEAD "shfl.bfly.b32 v, i, 16\nexit\n", 20, FAULT_INACTIVE_LANE, "lane 4 = thread (4, 0, 0)");
    faults(HEAD "mov.b64 r40, 0xff\nshfl.up.b32 v, i, 1, r40\nexit\n", 32, FAULT_INACTIVE_LANE, "leaves out lane 8");
    faults(HEAD "setp.lt.u32 p, i, 8\nmov.b64 r40, 0x1ff\n@p vote.any q, p, r40\nexit\n", 32, FAULT_INACTIVE_LANE,
           "names lane 8, which is not active");
}

Test(faults, transit_without_a_full_warp) {
    faults(HEAD "xpush x0, v\nexit\n", 31, FAULT_PARTIAL_WARP, "lane 31 is not active");
    faults(HEAD "setp.ne.s32 p, i, 3\n@p xext v, x0, 0\nexit\n", 32, FAULT_PARTIAL_WARP, "lane 3 is not active");
}

Test(faults, barriers) {
    faults(HEAD "setp.lt.u32 p, i, 16\n@p bar.sync 0\nexit\n", 32, FAULT_BARRIER, "lane 16 is elsewhere");
    faults(HEAD "setp.lt.u32 p, i, 16\n@p exit\nbar.sync 3\nexit\n", 32, FAULT_BARRIER,
           "lane 0 of this warp has exited");
    faults(HEAD "setp.lt.u32 p, i, 32\n@p exit\nbar.sync 0\nexit\n", 64, FAULT_BARRIER, "32 have exited");
    faults(HEAD "bar.sync 1, 48\nexit\n", 64, FAULT_BARRIER, "multiple of the warp width 32");
    faults(HEAD "and.b32 t, i, 32\nsub.s32 t, 64, t\nbar.sync 2, t\nexit\n", 64, FAULT_BARRIER,
           "wait for 32 threads here, for 64 where other warps wait");
    faults(HEAD "bar.warp r40\nexit\n", 32, FAULT_INACTIVE_LANE, "member mask");
}

Test(faults, a_warp_arrives_once) {
    faults(HEAD "bar.arrive 0, 64\nbar.sync 0, 64\nexit\n", 64, FAULT_BARRIER, "has arrived at barrier 0 before");
}

Test(faults, parts_that_do_not_go_together) {
    faults(HEAD "ld.global.b32.release v, [po]\nexit\n", 8, FAULT_ILLEGAL, "a load cannot release");
    faults(HEAD "st.global.b32.acquire [po], v\nexit\n", 8, FAULT_ILLEGAL, "a store cannot acquire");
}

Test(faults, deadlock_names_who_waits_for_whom) {
    faults(HEAD "setp.lt.u32 p, i, 32\n@p bra a\nbar.sync 1\nbra done\na: bar.sync 2\ndone: exit\n", 64, FAULT_DEADLOCK,
           "barrier 1 has 1 of 2 warps (waiting: warp 1 at line 11); barrier 2 has 1 of 2 warps (waiting: warp 0 at "
           "line 13)");
    faults(HEAD "setp.lt.u32 p, i, 32\n@p bra a\nbar.sync 1\nbra done\na: bar.sync 2\ndone: exit\n", 96, FAULT_DEADLOCK,
           "barrier 1 has 2 of 3 warps (waiting: warp 1 at line 11, warp 2 at line 11); ");
}

Test(faults, endless_loops_and_traps) {
    faults(HEAD "again: bra again\n", 32, FAULT_LIMIT, "its limit");
    faults(HEAD "setp.eq.s32 p, i, 5\n@p trap\nexit\n", 32, FAULT_TRAP, "lane 5");
    faults(HEAD "setp.eq.s32 p, i, 5\n@p brkpt\nexit\n", 32, FAULT_TRAP, "a trap instruction was reached");
    faults(HEAD "setp.lt.s32 p, i, 5\n@p trap \"below 5\"\n@!p trap \"100% \\\"5\\\"\"\nexit\n", 32, FAULT_TRAP,
           "fault: trap: below 5\n");
    faults(HEAD "setp.lt.s32 p, i, 0\n@p trap \"below 0\"\n@!p trap \"100%s \\\"5\\\"\"\nexit\n", 32, FAULT_TRAP,
           "fault: trap: 100%s \"5\"\n");
}

Test(faults, depth_of_calls) {
    faults(HEAD "call f\nexit\n.func f\ncall f\nret\n", 32, FAULT_CALL_DEPTH, "more than 64 nested calls");
    faults(HEAD "setp.ge.u32 p, i, 4\n@p call f\nexit\n.func f\ncall f\nret\n", 32, FAULT_CALL_DEPTH, "lane 4 = ");
}
