/*
 * A launch shared out to boards, by rows. A parameter that the extents of buffers begin with counts the rows: with
 * `.param x : f32[n*m]` and `.param w : f32[m]`, n shares x out, and every board gets all of w.
 */
#include "sim/api/launch.h"
#include "sim/api/module.h"
#include "sim/api/scalar.h"
#include "sim/base/bits.h"

#include <string.h>

/* A launch with its arguments. */
struct shared {
    struct heddle *h;
    struct launch launch;
    u64 writes; /* bits of the parameters that the kernel may write to */
    const struct param *by;
    u64 rows; /* its value */
    u8 params[PARAM_BYTES_MAX];
};

#define FAIL(s, fmt, ...) \
    context_fail((s)->h, (s)->launch.program->file, "kernel '%s': " fmt, (s)->launch.kernel->name, __VA_ARGS__)

static bool is_whole(const struct param *p) {
    const enum etype_kind kind = etypes[p->etype].kind;
    return !p->buffer && !p->value && (kind == ETYPE_SIGNED || kind == ETYPE_UNSIGNED || kind == ETYPE_RAW);
}

/* The whole scalar that an extent begins with; NULL if it begins with none, or is a sum. */
static const struct param *first_factor(const struct kernel *k, const struct param *buffer) {
    char name[128];
    size_t len = buffer->buffer && buffer->extent ? strcspn(buffer->extent, "*+") : sizeof name;
    if (len >= sizeof name || strchr(buffer->extent, '+'))
        return NULL;
    memcpy(name, buffer->extent, len);
    name[len] = 0;
    const struct param *p = kernel_param(k, name);
    return p && is_whole(p) ? p : NULL;
}

/* Finds what counts rows, in the first buffer that is written where no name is given. NULL after an error. */
static const struct param *choose_by(struct shared *s, const char *name) {
    const struct kernel *k = s->launch.kernel;
    const struct param *by = name ? kernel_param(k, name) : NULL;
    for (u32 i = 0; i < k->nparams && !by && !name; i++)
        if (s->writes >> i & 1)
            by = first_factor(k, &k->param[i]);
    if (by && is_whole(by))
        return by;
    if (name)
        FAIL(s, "'%s' counts no rows: a whole scalar parameter is expected", name);
    else
        FAIL(s, "%s",
             "no buffer that it writes declares its size by a parameter, as y : f32[n]: name the parameter that counts "
             "rows");
    return NULL;
}

/* Counts how often the extent of a buffer has the parameter as a factor. */
static u32 factors(const char *extent, const char *name) {
    u32 n = 0;
    for (const char *at = extent; at && *at; at += *at == '+' || *at == '*') {
        size_t len = strcspn(at, "+*");
        n += strlen(name) == len && memcmp(at, name, len) == 0;
        at += len;
    }
    return n;
}

/* Finds the elements of a row; 0 = none. */
static bool row_of(struct shared *s, const struct param *buffer, u64 *elements) {
    struct reason why;
    const char *extent = buffer->extent ? buffer->extent : "";
    u32 n = factors(extent, s->by->name);
    *elements = 0;
    if (!buffer->buffer || !n)
        return true;
    if (n > 1 || first_factor(s->launch.kernel, buffer) != s->by)
        return FAIL(s, "'%s : [%s]' has no rows that '%s' counts: it has to be the first factor, as in [%s*m]",
                    buffer->name, extent, s->by->name, s->by->name);
    if (!extent_value(s->launch.kernel, extent, s->params, elements, &why))
        return FAIL(s, "the extent of '%s': %s", buffer->name, why.text);
    *elements /= s->rows;
    return true;
}

static bool prepare(struct shared *s, const struct heddle_program *p, const struct heddle_launch *asked,
                    const char *by) {
    u64 shared = 0;
    if (!launch_prepare(s->h, p, asked, &s->launch, s->params))
        return false;
    s->writes = p->writes[s->launch.kernel - p->program->kernel];
    s->by = choose_by(s, by);
    if (!s->by)
        return false;
    for (u32 i = etypes[s->by->etype].bytes; i-- > 0;)
        s->rows = s->rows << 8 | s->params[s->by->offset + i];
    if (!s->rows || s->rows >> 62)
        return FAIL(s, "'%s' is %s, and counts rows", s->by->name, s->rows ? "negative" : "0");
    for (u32 i = 0; i < s->launch.kernel->nparams; i++) {
        u64 row;
        if (!row_of(s, &s->launch.kernel->param[i], &row))
            return false;
        shared += row;
    }
    return shared || FAIL(s, "no buffer has rows that '%s' counts, as x : f32[%s]", s->by->name, s->by->name);
}

static bool find_axis(struct shared *s, const char *along, u32 *axis) {
    static const char *const names[] = {"x", "y", "z", "all"};
    for (*axis = 0; *axis < COUNT_OF(names); ++*axis)
        if (strcmp(along ? along : names[0], names[*axis]) == 0)
            return true;
    return FAIL(s, "'%s' is no dimension of a grid; expected x, y, z or all", along);
}

const char *heddle_share(struct heddle *h, const struct heddle_program *p, const struct heddle_launch *launch,
                         const struct heddle_share *share, struct heddle_board_part *part) {
    struct shared s = {.h = h};
    u32 axis, n = share->boards;
    context_begin(h);
    if (!n || n > HEDDLE_BOARDS_MAX)
        return context_fail(h, "share", "boards is %u; from 1 to %u", n, HEDDLE_BOARDS_MAX), NULL;
    if (!prepare(&s, p, launch, share->by) || !find_axis(&s, share->along, &axis))
        return NULL;
    const u64 blocks = axis < 3 ? s.launch.grid[axis] : s.rows, of_block = (s.rows + blocks - 1) / blocks;
    const u64 used = (s.rows + of_block - 1) / of_block;
    if (used < n)
        return FAIL(&s, "%s rows in %s blocks cannot be shared out to %u boards", grouped(s.rows).text,
                    grouped(blocks).text, n),
               NULL;
    for (u32 i = 0; i < n; i++) {
        const u64 begin = used * i / n, end = used * (i + 1) / n, first = begin * of_block;
        part[i] = (struct heddle_board_part){.first = first, .rows = min_u64(end * of_block, s.rows) - first};
        memcpy(part[i].grid, s.launch.grid, sizeof part[i].grid);
        if (axis < 3)
            part[i].grid[axis] = (u32)(end - begin);
    }
    return s.by->name;
}

int64_t heddle_share_row(struct heddle *h, const struct heddle_program *p, const struct heddle_launch *launch,
                         const char *by, const char *parameter) {
    struct shared s = {.h = h};
    u64 elements = 0;
    context_begin(h);
    if (!prepare(&s, p, launch, by))
        return -1;
    const struct param *found = kernel_param(s.launch.kernel, parameter);
    bool ok = found ? row_of(&s, found, &elements) : FAIL(&s, "there is no parameter '%s'", parameter);
    return ok ? (int64_t)elements : -1;
}
