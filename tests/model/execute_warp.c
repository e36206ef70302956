/* The model: matrix products and special registers. */
#include "tests/isa/isa_ref.h"

#include <stdlib.h>
#include <string.h>

#include "tests/model/private.h"

/* ---- matrix products: "mma.m16n8k8.f32.tf32" ---- */

struct matrix {
    struct num at[16][16];
};

struct product {
    u32 lanes, depth, bits;
    const struct fmt *f;
};

static struct product product_of(const struct inst *i) {
    const char *name = isa_rows[i->op].name, *k = strchr(name, 'k');
    struct product p = {strstr(name, "m8n4") ? 8 : 32, (u32)atoi(k + 1), 16, &FMT_F16};
    if (strstr(name, ".bf16"))
        p.f = &FMT_BF16;
    if (strstr(name, ".tf32"))
        p.f = &FMT_F32, p.bits = 32;
    return p;
}

struct cell {
    u32 row, column;
};

/* Finds the place of element e of lane l: the layouts of docs/reference/isa.md. */
static struct cell cell(const struct product *p, char matrix, u32 l, u32 e) {
    u32 g = l / 4, t = l % 4;
    if (p->lanes == 8)
        return (struct cell){l, e};
    if (matrix == 'c')
        return (struct cell){g + 8 * (e / 2), 2 * t + e % 2};
    if (p->bits == 32)
        return matrix == 'a' ? (struct cell){g + 8 * (e % 2), t + 4 * (e / 2)} : (struct cell){t + 4 * e, g};
    return matrix == 'a' ? (struct cell){g + 8 * (e / 2 % 2), 2 * t + e % 2 + 8 * (e / 4)}
                         : (struct cell){2 * t + e % 2 + 8 * (e / 2), g};
}

/* Matrix a or b from a register of the lanes that hold it. */
static struct matrix read_matrix(const struct model_thread *lane, const struct product *p, u32 reg, char name) {
    struct matrix m;
    u32 count = (name == 'a' ? p->lanes == 8 ? 8 : 16 : p->lanes == 8 ? 4 : 8) * p->depth / p->lanes;
    for (u32 l = 0; l < p->lanes; l++)
        for (u32 e = 0; e < count; e++) {
            struct cell c = cell(p, name, l, e);
            u32 word = model_word(&lane[l], reg, p->bits == 32 ? e : e / 2);
            m.at[c.row][c.column] = num_unpack(p->bits == 32 ? word & 0xffffe000 : word >> e % 2 * 16 & 0xffff, p->f);
        }
    return m;
}

static void product(struct model_warp *w, const struct inst *i, u32 first) {
    struct product p = product_of(i);
    struct matrix a = read_matrix(&w->thread[first], &p, i->a, 'a');
    struct matrix b = read_matrix(&w->thread[first], &p, i->b, 'b');
    u64 sum[32][4];
    for (u32 l = 0; l < p.lanes; l++)
        for (u32 e = 0; e < 4; e++) {
            struct cell c = cell(&p, 'c', l, e);
            sum[l][e] = num_pack(num_unpack(model_word(&w->thread[first + l], i->c, e), &FMT_F32), &FMT_F32, RN);
            for (u32 s = 0; s < p.depth; s++)
                sum[l][e] =
                    num_pack(num_add(num_mul(a.at[c.row][s], b.at[s][c.column]), num_unpack(sum[l][e], &FMT_F32)),
                             &FMT_F32, RN);
        }
    for (u32 l = 0; l < p.lanes; l++)
        for (u32 e = 0; e < 4; e++)
            model_put(&w->thread[first + l], i->d, e, (u32)sum[l][e]);
}

void model_multiply(struct model_block *b, struct model_warp *w, const struct inst *i, u64 lanes) {
    u32 of = product_of(i).lanes;
    if (b->launch->width < of) {
        model_stop(b, MODEL_FAULT, "partial_warp");
        return;
    }
    if (model_whole_warp(b, lanes))
        for (u32 first = 0; first < b->launch->width; first += of)
            product(w, i, first);
}

/* ---- special registers ---- */

static u64 special(struct model_block *b, const struct model_warp *w, u32 l, u64 lanes, const char *name) {
    const struct model_launch *launch = b->launch;
    u64 all = launch->width == 64 ? ~(u64)0 : ((u64)1 << launch->width) - 1, own = (u64)1 << l;
    const char *dot = strchr(name, '.');
    u32 axis = dot ? (u32)(dot[1] - 'x') : 0;
    static const char *const names[] = {"%tid.",        "%ntid.",       "%ctaid.",      "%nctaid.",     "%laneid",
                                        "%warpid",      "%nwarpid",     "%warpsize",    "%lanemask_eq", "%lanemask_lt",
                                        "%lanemask_le", "%lanemask_gt", "%lanemask_ge", "%activemask"};
    const u64 values[] = {w->thread[l].tid[axis],
                          launch->block[axis],
                          b->index[axis],
                          launch->grid[axis],
                          l,
                          w->index,
                          b->warps,
                          launch->width,
                          own,
                          own - 1,
                          own | (own - 1),
                          all & ~(own | (own - 1)),
                          all & ~(own - 1),
                          lanes};
    for (u32 k = 0; k < COUNT_OF(names); k++)
        if (strncmp(name, names[k], strlen(names[k])) == 0)
            return values[k];
    return model_stop(b, MODEL_UNKNOWN, name);
}

void model_read_special(struct model_block *b, struct model_warp *w, const struct inst *i, u64 lanes) {
    for (u32 l = 0; l < WARP_MAX; l++) {
        if (!(lanes >> l & 1))
            continue;
        u64 v = special(b, w, l, lanes, isa_sregs[i->a].name);
        model_put(&w->thread[l], i->d, 0, (u32)v);
        if (strcmp(isa_rows[i->op].name, "s2r.b64") == 0)
            model_put(&w->thread[l], i->d, 1, (u32)(v >> 32));
    }
}
