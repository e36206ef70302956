/*
 * Who calls whom, and what follows for places of data: a function's local and shared data lie above those of all that
 * may call it, so that a call never changes its caller's.
 *
 * Functions that call each other in a circle form a group (Tarjan's strongly connected components, without recursion,
 * because a file may nest calls as deeply as it likes).
 */
#include "isa/asm/asm.h"
#include "sim/base/bits.h"

/* An open node of the depth-first search. */
struct frame {
    u32 unit;
    u32 call; /* next call to follow */
};

struct search {
    struct assembler *as;
    u32 *seen;  /* [units] discovery number, 0 = undiscovered */
    u32 *low;   /* [units] lowest number reached from here */
    u32 *stack; /* units of incomplete components */
    struct frame *frame;
    u32 nseen, nstack, nframe, norder, ngroups;
};

static void enter(struct search *s, u32 unit) {
    s->seen[unit] = s->low[unit] = ++s->nseen;
    s->stack[s->nstack++] = unit;
    s->frame[s->nframe++] = (struct frame){.unit = unit, .call = asm_unit(s->as, unit)->first_call};
}

static void leave(struct search *s, u32 unit) {
    s->nframe--;
    if (s->nframe > 0) {
        u32 caller = s->frame[s->nframe - 1].unit;
        s->low[caller] = s->low[unit] < s->low[caller] ? s->low[unit] : s->low[caller];
    }
    if (s->low[unit] != s->seen[unit])
        return;
    u32 member;
    do {
        member = s->stack[--s->nstack];
        s->as->group[member] = s->ngroups;
        s->as->order[s->norder++] = member;
        s->low[member] = NONE; /* complete: ignored from now on */
    } while (member != unit);
    s->ngroups++;
}

static void search_from(struct search *s, u32 unit) {
    enter(s, unit);
    while (s->nframe > 0) {
        struct frame *f = &s->frame[s->nframe - 1];
        const struct body *u = asm_unit(s->as, f->unit);
        if (f->call == u->first_call + u->ncalls) {
            leave(s, f->unit);
            continue;
        }
        u32 callee = AT(struct call, s->as->calls, f->call)->callee;
        u32 caller = f->unit;
        f->call++;
        if (callee == NONE)
            continue;
        if (!s->seen[callee])
            enter(s, callee);
        else if (s->low[callee] != NONE && s->seen[callee] < s->low[caller])
            s->low[caller] = s->seen[callee];
    }
}

/* Resolves callees and orders the units, callees first. */
void calls_resolve(struct assembler *as) {
    struct arena scratch = {0};
    u32 n = as->units.count;
    for (u32 i = 0; i < as->calls.count; i++) {
        struct call *c = AT(struct call, as->calls, i);
        u32 unit = names_find(as, NAMES_UNITS, NONE, &c->name);
        c->callee = unit != NONE && asm_unit(as, unit)->function ? unit : NONE;
    }
    struct search s = {.as = as,
                       .seen = arena_alloc(&scratch, n * sizeof(u32)),
                       .low = arena_alloc(&scratch, n * sizeof(u32)),
                       .stack = arena_alloc(&scratch, n * sizeof(u32)),
                       .frame = arena_alloc(&scratch, n * sizeof(struct frame))};
    as->order = arena_alloc(&as->scratch, n * sizeof(u32));
    as->group = arena_alloc(&as->scratch, n * sizeof(u32));
    if (!s.seen || !s.low || !s.stack || !s.frame || !as->order || !as->group)
        as->nomem = true;
    for (u32 i = 0; i < n && !as->nomem; i++)
        if (!s.seen[i])
            search_from(&s, i);
    arena_free(&scratch);
}

/* ---- places of local and shared data ---- */

/* One past the data of the callers. */
struct floor {
    u64 shared, local;
};

/* The data of a unit so far, in one space. */
struct room {
    u64 own; /* end of its last variable, 0: it has none */
    u64 end; /* of all data, that of its callers too */
    bool full;
};

static void place_symbol(struct assembler *as, struct symbol *s, struct room *r) {
    bool shared = s->kind == SYM_SHARED;
    u64 most = shared ? SHARED_MAX : LOCAL_MAX;
    if (s->size == 0)
        return; /* its directive had a mistake */
    if (s->align)
        s->offset = (r->end + s->align - 1) / s->align * s->align;
    else if (s->offset < r->own)
        asm_error(as, token_span(&s->name), "'%.*s' would begin at %s, before the end of what is declared above it",
                  token_shown(&s->name), s->name.text, grouped(s->offset).text);
    if (s->offset + s->size <= most) {
        r->own = s->offset + s->size;
        r->end = max_u64(r->end, r->own);
    } else if (!r->full) {
        r->full = true;
        asm_error(as, token_span(&s->name), "more than %s bytes of %s memory", grouped(most).text,
                  shared ? "shared" : "local");
    }
}

/* Places a unit's own data above the floor, and raises the floor to its end. One without data needs none. */
static void place_unit(struct assembler *as, u32 unit, struct floor *f) {
    struct body *u = asm_unit(as, unit);
    u32 end = unit + 1 < as->units.count ? asm_unit(as, unit + 1)->first_symbol : as->symbols.count;
    struct room shared = {.end = f->shared}, local = {.end = f->local};
    for (u32 i = u->first_symbol; i < end; i++) {
        struct symbol *s = asm_symbol(as, i);
        if (s->kind == SYM_SHARED || s->kind == SYM_LOCAL)
            place_symbol(as, s, s->kind == SYM_SHARED ? &shared : &local);
    }
    u->shared_end = max_u64(u->shared_min, shared.own);
    u->local_end = max_u64(u->local_min, local.own);
    f->shared = max_u64(shared.end, u->shared_end);
    f->local = max_u64(local.end, u->local_end);
}

/* Shared memory of each unit and of all that it may call, bytes; NULL when out of memory. */
static u64 *shared_needs(struct assembler *as) {
    u64 *need = arena_alloc(&as->scratch, as->units.count * sizeof *need);
    for (u32 i = 0; i < as->units.count && need;) {
        u32 first = i, group = as->group[as->order[i]];
        u64 most = 0;
        for (; i < as->units.count && as->group[as->order[i]] == group; i++) {
            const struct body *u = asm_unit(as, as->order[i]);
            most = max_u64(most, u->shared_end);
            for (u32 c = u->first_call; c < u->first_call + u->ncalls; c++) {
                u32 callee = AT(struct call, as->calls, c)->callee;
                most = callee == NONE ? most : max_u64(most, need[callee]);
            }
        }
        for (u32 m = first; m < i; m++)
            need[as->order[m]] = most;
    }
    return need;
}

/* Places what the launch sizes after all other shared memory of its kernel. */
static void place_dynamic(struct assembler *as) {
    const u64 *need = shared_needs(as);
    as->nomem |= !need;
    for (u32 i = 0, unit = 0; i < as->symbols.count && need; i++) {
        struct symbol *s = asm_symbol(as, i);
        while (unit + 1 < as->units.count && asm_unit(as, unit + 1)->first_symbol <= i)
            unit++;
        if (!s->variable || !s->variable->dynamic)
            continue;
        if (s->align)
            s->offset = (need[unit] + s->align - 1) / s->align * s->align;
        else if (s->offset < need[unit])
            asm_error(as, token_span(&s->name), "'%.*s' would begin at %s, before the end of other shared memory, %s",
                      token_shown(&s->name), s->name.text, grouped(s->offset).text, grouped(need[unit]).text);
        asm_unit(as, unit)->shared_end = s->offset;
    }
}

void calls_place_data(struct assembler *as) {
    u32 n = as->units.count;
    struct floor *floor = arena_alloc(&as->scratch, n * sizeof *floor);
    if (!floor) {
        as->nomem = true;
        return;
    }
    for (u32 i = n; i > 0;) {
        /* A group, callers before those they call. */
        u32 last = i, group = as->group[as->order[i - 1]];
        struct floor f = {0, 0};
        for (; i > 0 && as->group[as->order[i - 1]] == group; i--) {
            f.shared = max_u64(f.shared, floor[as->order[i - 1]].shared);
            f.local = max_u64(f.local, floor[as->order[i - 1]].local);
        }
        for (u32 m = last; m > i; m--)
            place_unit(as, as->order[m - 1], &f);
        for (u32 m = last; m > i; m--) {
            const struct body *u = asm_unit(as, as->order[m - 1]);
            for (u32 c = u->first_call; c < u->first_call + u->ncalls; c++) {
                u32 callee = AT(struct call, as->calls, c)->callee;
                if (callee == NONE)
                    continue;
                floor[callee].shared = max_u64(floor[callee].shared, f.shared);
                floor[callee].local = max_u64(floor[callee].local, f.local);
            }
        }
    }
    place_dynamic(as);
}
