#include "sim/api/printed.h"

#include "sim/arch/printed.h"

_Static_assert((int)HEDDLE_PRINTED_MAX == (int)PRINTED_MAX, "the public number is the machine's");

/* Takes over the lines, whose texts are one after the other, each ended by NUL. */
static bool list(struct heddle *h, const struct launch *l, struct heddle_result *r) {
    const struct printed *p = l->printed;
    const u32 n = printed_count(p);
    struct heddle_printed *to = arena_alloc(&h->result, n * sizeof *to);
    const char *texts = arena_strndup(&h->result, p->texts.data, p->texts.len);
    if (!to || !texts)
        return false;
    for (u32 i = 0; i < n; i++) {
        const struct printed_line *from = printed_at(p, i);
        const struct line_place at = program_place(l->program, from->pc);
        const u64 block = from->key.block, row = block / l->grid[0];
        to[i] = (struct heddle_printed){
            .text = texts + from->at, .file = at.file, .line = at.line, .warp = from->key.warp, .lane = from->lane};
        to[i].block[0] = (u32)(block % l->grid[0]);
        to[i].block[1] = (u32)(row % l->grid[1]);
        to[i].block[2] = (u32)(row / l->grid[1]);
    }
    r->printed = to;
    r->nprinted = n;
    return true;
}

bool printed_list(struct heddle *h, const struct launch *l, struct heddle_result *r) {
    bool ok = true;
    if (l->printed->made > 0) {
        printed_close(l->printed);
        ok = !printed_failed(l->printed) && (printed_count(l->printed) == 0 || list(h, l, r));
        r->printed_dropped = l->printed->made - r->nprinted;
    }
    printed_free(l->printed);
    return ok || context_no_memory(h, "the printed lines");
}
