/* The model: matrix products and special registers. */
#include "tests/isa/isa_ref.h"

#include <stdlib.h>
#include <string.h>

#include "tests/model/private.h"

/* ---- matrix products: "mma.m8n4k8.f32.f16" ---- */

struct matrix {
    struct num at[16][16];
};

struct cell {
    u32 row, column;
};

/* Finds the place of element e of lane l: the layouts of docs/reference/isa.md. */
static struct cell cell(bool big, char matrix, u32 l, u32 e) {
    u32 g = l / 4, t = 2 * (l % 4);
    if (!big)
        return (struct cell){l, e};
    u32 row = matrix == 'a' ? g + 8 * (e / 2 % 2) : matrix == 'b' ? t + e % 2 + 8 * (e / 2) : g + 8 * (e / 2);
    u32 column = matrix == 'a' ? t + e % 2 + 8 * (e / 4) : matrix == 'b' ? g : t + e % 2;
    return (struct cell){row, column};
}

/* Matrix a or b from a register of the lanes that hold it. */
static struct matrix read_halves(const struct model_thread *lane, bool big, u32 reg, char name, const struct fmt *f) {
    struct matrix m;
    for (u32 l = 0; l < (big ? 32 : 8); l++)
        for (u32 e = 0; e < (name == 'a' ? 8 : 4); e++) {
            struct cell c = cell(big, name, l, e);
            m.at[c.row][c.column] = num_unpack(model_word(&lane[l], reg, e / 2) >> e % 2 * 16 & 0xffff, f);
        }
    return m;
}

static void product(struct model_warp *w, const struct inst *i, u32 first) {
    const char *name = isa_rows[i->op].name;
    bool big = strstr(name, "m16n8k16");
    const struct fmt *f = strstr(name, ".bf16") ? &FMT_BF16 : &FMT_F16;
    u32 lanes = big ? 32 : 8, k = big ? 16 : 8;
    struct matrix a = read_halves(&w->thread[first], big, i->a, 'a', f);
    struct matrix b = read_halves(&w->thread[first], big, i->b, 'b', f);
    u64 sum[32][4];
    for (u32 l = 0; l < lanes; l++)
        for (u32 e = 0; e < 4; e++) {
            struct cell c = cell(big, 'c', l, e);
            sum[l][e] = num_pack(num_unpack(model_word(&w->thread[first + l], i->c, e), &FMT_F32), &FMT_F32, RN);
            for (u32 s = 0; s < k; s++)
                sum[l][e] =
                    num_pack(num_add(num_mul(a.at[c.row][s], b.at[s][c.column]), num_unpack(sum[l][e], &FMT_F32)),
                             &FMT_F32, RN);
        }
    for (u32 l = 0; l < lanes; l++)
        for (u32 e = 0; e < 4; e++)
            model_put(&w->thread[first + l], i->d, e, (u32)sum[l][e]);
}

void model_multiply(struct model_block *b, struct model_warp *w, const struct inst *i, u64 lanes) {
    u32 of = strstr(isa_rows[i->op].name, "m16n8k16") ? 32 : 8;
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
