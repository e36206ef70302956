/* Messages about loops that nothing is left to end. */
#include "sim/arch/deadlock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/bits.h"

/* "line 15", "line 3 of lock.hd" */
static struct line_name line_of(const struct launch *l, u32 pc) {
    return program_line(l->program, l->program->line[pc]);
}

/* "c[0]", "shared lock", "shared memory" */
static void say_what(struct fault *f, const struct deadlock_access *read, const struct launch *l) {
    u64 at = read->at[first_lane(read->lanes)];
    if (at >= WINDOW_SHARED) {
        struct buf name = {0};
        const struct variable *v = program_variable(l->program, l->kernel, read->pc, SPACE_SHARED, at % WINDOW_SHARED);
        if (v)
            variable_print_element(v, at % WINDOW_SHARED, &name);
        fault_say(f, "shared %.60s", v && !name.failed ? name.data : "memory");
        buf_free(&name);
        return;
    }
    const struct allocation *a = memory_find(l->memory, at);
    for (u32 i = 0; a && i < l->kernel->nparams; i++) {
        const struct param *p = &l->kernel->param[i];
        if (p->buffer && strcmp(p->name, a->name) == 0) {
            fault_say(f, "%.60s[%" PRIu64 "]", p->name, (at - a->base) / etypes[p->etype].bytes);
            return;
        }
    }
    if (a)
        fault_say(f, "byte %" PRIu64 " of '%.60s'", at - a->base, a->name);
    else
        fault_say(f, "memory");
}

static void say_block(struct fault *f, u64 n, const struct launch *l) {
    if (l->grid[1] == 1 && l->grid[2] == 1)
        fault_say(f, "block %" PRIu64, n);
    else
        fault_say(f, "block (%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")", n % l->grid[0], n / l->grid[0] % l->grid[1],
                  n / l->grid[0] / l->grid[1]);
}

static void say_places(struct fault *f, const struct deadlock_loop *loop, const struct deadlock_places *p,
                       const struct launch *l) {
    say_block(f, p->started, l);
    fault_say(
        f,
        " has not started, since its place is taken by blocks that wait in a loop at %s for a value that nobody is "
        "left to change (",
        line_of(l, loop->pc).text);
    say_what(f, &loop->read, l);
    fault_say(f, ")");
    snprintf(f->advice, sizeof f->advice,
             "Of %s blocks %s are resident, %s. A barrier over the grid needs all of them:\n"
             "launch no more, and let each do a share of the work; --cooperative %s.\n",
             grouped(p->blocks).text, grouped(p->resident).text, p->limit, p->together);
}

static void say_lanes(struct fault *f, const struct deadlock_loop *loop, const struct launch *l) {
    u32 lanes = ones_of(loop->lanes);
    fault_say(f, "%u lane%s of the warp wait%s in a loop for ", lanes, lanes == 1 ? "" : "s", lanes == 1 ? "s" : "");
    say_what(f, &loop->read, l);
    fault_say(f, " to change, which lane %u would do at %s, ", loop->holder, line_of(l, loop->writes_at).text);
    fault_say(f, "but it waits for them at %s", line_of(l, loop->waits_at).text);
    snprintf(f->advice, sizeof f->advice,
             "Lanes of a warp advance together here; on chips since Volta, and with --rules hardware, each gets on.\n"
             "Release a lock before the branch that goes round: try to take it; if that worked, do the work\n"
             "and release it; then go round with the lanes that are left.\n");
}

void deadlock_fault(const struct deadlock_loop *loop, const struct deadlock_places *p, const struct launch *l,
                    struct fault *f) {
    *f = (struct fault){.kind = loop->kind == LOOP_ENDLESS ? FAULT_ENDLESS : FAULT_DEADLOCK,
                        .pc = loop->pc,
                        .warp = loop->warp,
                        .lane = first_lane(loop->lanes),
                        .space = SPACE_COUNT};
    memcpy(f->block, loop->block, sizeof f->block);
    switch ((enum loop_kind)loop->kind) {
    case LOOP_NONE:
    case LOOP_ENDLESS:
        fault_say(f, "nothing can end this loop: it reads no memory, and comes back to the same registers");
        break;
    case LOOP_LANES: say_lanes(f, loop, l); break;
    case LOOP_MEMORY:
        if (p->started < p->blocks) {
            say_places(f, loop, p, l);
            break;
        }
        fault_say(f, "the warp waits in a loop for ");
        say_what(f, &loop->read, l);
        fault_say(f, " to change, and nobody is left to change it: all others have ended or wait, too");
        break;
    }
}
