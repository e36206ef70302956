/* Words of a launch of unknown size that are not known: the size, the numbers of blocks, addresses of buffers. */
#include "sim/prove/sizes.h"

#include <string.h>

#include "sim/prove/linear.h"

enum part sizes_part(const struct site *t) {
    const struct sizes *z = t->s->sizes;
    s64 period = t->block->of->index[z->dim[t->s->side]] / z->blocks[t->s->side];
    return period >= sizes_q(z) ? REST : z->edge ? (enum part)period : INNER;
}

/* factor * word + k, in one word or two. */
static struct number made(struct sizes *z, u32 halves, u32 atom, s64 factor, s64 k) {
    struct number n = number_const(z->e, halves, (u64)k);
    struct number v = {{term_slice(z->e, atom, 0), halves == 2 ? term_const(z->e, 0) : WORD_NONE}};
    return linear_add(z->e, halves, n, v, (u64)factor);
}

u32 sizes_special(const struct site *t) {
    struct sizes *z = t->s->sizes;
    u32 side = t->s->side, dim = z->dim[side];
    s64 blocks = z->blocks[side], number = t->block->of->index[dim];
    if (t->i->a == SREG_NCTAID_X + dim)
        return made(z, 1, z->q, blocks, (s64)t->s->launch.grid[dim] - sizes_q(z) * blocks).word[0];
    if (t->i->a != SREG_CTAID_X + dim || sizes_part(t) == FIRST)
        return WORD_NONE;
    if (sizes_part(t) == INNER)
        return made(z, 1, z->c, blocks, number - z->edge * blocks).word[0];
    return made(z, 1, z->q, blocks, number - sizes_q(z) * blocks).word[0];
}

static void params_begin(struct sizes *z, u32 side, const struct launch *l) {
    const struct kernel *k = l->kernel;
    memset(z->param[side], 0, sizeof z->param[side]);
    for (u32 i = 0; i < k->nparams; i++) {
        const struct param *p = &k->param[i];
        u32 halves = p->buffer || etypes[p->etype].bytes == 8 ? 2 : 1;
        u32 *word = &z->param[side][p->offset / 4];
        u64 address = 0;
        if (!p->buffer && strcmp(p->name, z->name) == 0)
            memcpy(word, made(z, halves, z->q, (s64)z->period, (s64)z->rest).word, halves * sizeof *word);
        if (!p->buffer)
            continue;
        memcpy(&address, l->params + p->offset, sizeof address);
        const struct allocation *a = memory_find(z->memory, address);
        for (u32 h = 0; h < 2 && a; h++)
            word[h] = z->address[2 * (u32)(a - z->memory->list) + h];
    }
}

static bool tables_begin(struct sizes *z) {
    const struct memory *m = z->memory;
    z->reach = arena_alloc(&z->arena, 2 * m->count * SIZES_PARTS * sizeof *z->reach);
    z->address = arena_alloc(&z->arena, 2 * m->count * sizeof *z->address);
    for (u32 part = 0; part < SIZES_PARTS; part++) {
        z->seen[part] = arena_alloc(&z->arena, m->count * sizeof *z->seen[part]);
        if (!z->seen[part])
            return false;
        for (u32 i = 0; i < m->count; i++) {
            z->seen[part][i] = arena_alloc(&z->arena, (m->list[i].size / 4 + 1) * sizeof *z->seen[part][i]);
            if (!z->seen[part][i])
                return false;
        }
    }
    return z->reach && z->address;
}

static u32 unknown(struct terms *e, enum fresh_kind kind, u32 number, u32 value) {
    return term_fresh(e, &(struct fresh){.kind = kind, .number = number, .value = value});
}

static u32 unknown_atom(struct terms *e, u32 number, u32 value) {
    u32 bit[32];
    term_bits(e, unknown(e, FRESH_SIZE, number, value), bit);
    return bit_atom(bit[0]);
}

bool sizes_begin(struct sizes *z, struct terms *e, const struct launch launch[2], const struct memory *m) {
    sizes_free(z);
    z->e = e;
    z->memory = m;
    z->wraps = z->varies = z->open = false;
    z->why = NULL;
    z->q = unknown_atom(e, 0, (u32)sizes_q(z));
    z->c = unknown_atom(e, 1, (u32)z->edge);
    if (!tables_begin(z))
        return false;
    for (u32 i = 0; i < 2 * m->count; i++)
        z->address[i] = unknown(e, FRESH_ADDRESS, i, (u32)(m->list[i / 2].base >> (i & 1 ? 32 : 0)));
    for (u32 side = 0; side < 2; side++)
        params_begin(z, side, &launch[side]);
    return !e->failed;
}

void sizes_free(struct sizes *z) {
    buf_free(&z->forms);
    arena_free(&z->arena);
}
