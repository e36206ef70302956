#include "sim/cli/prove/options.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/cli/file.h"
#include "sim/cli/format.h"
#include "sim/cli/ui.h"

bool prove_replay_folder(const char *path) {
    if (!*path)
        return ui_option_error("--replay", path, 0, 1, "expected a folder");
    DIR *d = mkdir(path, 0777) == 0 || errno == EEXIST ? opendir(path) : NULL;
    bool empty = d != NULL;
    if (!d)
        ui_error_as(path, "cannot be made: %s", strerror(errno));
    for (struct dirent *e; d && (e = readdir(d)) != NULL;)
        empty &= strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
    if (d && !empty)
        ui_error_as(path, "this folder is not empty");
    if (d)
        closedir(d);
    return empty;
}

static void put_word(struct buf *out, const char *text) {
    buf_putc(out, ' ');
    format_shell_word(text, out);
}

static bool has_parameter(const struct side *s, const char *entry, const char *name, size_t len) {
    struct heddle_kernel_info info;
    struct heddle_param_info param;
    for (u32 i = 0; heddle_kernel_info(s->program, i, &info); i++)
        for (u32 k = 0; (!entry || strcmp(info.name, entry) == 0) && heddle_param_info(s->program, i, k, &param); k++)
            if (strlen(param.name) == len && memcmp(param.name, name, len) == 0)
                return true;
    return false;
}

static void put_dims(struct buf *out, const char *option, const u32 dims[3]) {
    if (dims[0])
        buf_printf(out, " --%s %u,%u,%u", option, dims[0], dims[1], dims[2]);
}

/* Appends the option of `heddle run` that binds a buffer, whose result becomes NAME_a.npy or NAME_b.npy. */
static void put_buffer(const struct prove *p, u32 i, const struct named *b, struct buf *out) {
    struct buf word = {0};
    const char side = i ? 'b' : 'a';
    bool zeros = b->role == HEDDLE_ROLE_OUT || b->role == HEDDLE_ROLE_SCRATCH;
    struct heddle_tensor t = {.ndim = 0};
    heddle_buffer_get(p->h, b->name, &t);
    buf_puts(out, zeros ? " --out" : b->role == HEDDLE_ROLE_IN ? " --in" : " --inout");
    buf_printf(&word, "%s=", b->name);
    if (zeros) {
        buf_puts(&word, b->type);
        for (u32 k = 0; k < t.ndim; k++)
            buf_printf(&word, "%s%llu", k ? "," : "[", (unsigned long long)t.shape[k]);
        buf_printf(&word, "]:%s/%s_%c.npy", p->replay, b->name, side);
    } else {
        buf_printf(&word, "%s/%s.npy", p->replay, b->name);
        if (b->role != HEDDLE_ROLE_IN)
            buf_printf(&word, ":%s/%s_%c.npy", p->replay, b->name, side);
    }
    put_word(out, word.data ? word.data : "");
    out->failed |= word.failed;
    buf_free(&word);
}

static void put_command(const struct prove *p, u32 i, const struct heddle_proof *proof, struct buf *out) {
    const struct heddle_proof_sizes *z = &proof->sizes;
    const struct named *list = (const struct named *)(const void *)p->buffers.data;
    const char *const *scalars = (const char *const *)(const void *)p->scalars.data;
    const struct side *s = &p->side[i];
    const char *entry = s->entry ? s->entry : p->entry;
    const u32 *grid = s->grid[0] ? s->grid : p->grid;
    if (z->at) /* a range's grid depends on the size */
        grid = i ? z->grid_b : z->grid_a;
    buf_puts(out, "  heddle run");
    put_word(out, s->path);
    if (entry) {
        buf_puts(out, " --entry");
        put_word(out, entry);
    }
    put_dims(out, "grid", grid);
    put_dims(out, "block", s->block[0] ? s->block : p->block);
    buf_printf(out, " --warp %u", proof->warp);
    if (p->shared_bytes)
        buf_printf(out, " --shared-bytes %llu", (unsigned long long)p->shared_bytes);
    if (z->at && has_parameter(s, entry, z->name, strlen(z->name)))
        buf_printf(out, " --arg %s=%llu", z->name, (unsigned long long)z->at);
    for (size_t k = 0; k < p->scalars.len / sizeof *scalars; k++)
        if (has_parameter(s, entry, scalars[k], strcspn(scalars[k], "="))) {
            buf_puts(out, " --arg");
            put_word(out, scalars[k]);
        }
    for (size_t k = 0; k < p->buffers.len / sizeof *list; k++)
        if (has_parameter(s, entry, list[k].name, strlen(list[k].name)))
            put_buffer(p, i, &list[k], out);
    buf_putc(out, '\n');
}

/* Writes the buffers that begin with data to files; memory is the arena's and the context's. */
static bool replay_write(struct prove *p, const struct heddle_proof *proof) {
    const struct named *list = (const struct named *)(const void *)p->buffers.data;
    size_t count = p->buffers.len / sizeof *list, n = 0;
    struct file_output *files = arena_alloc(&p->arena, count * sizeof *files);
    bool ok = files != NULL;
    if (!ok)
        ui_error("out of memory");
    for (size_t k = 0; k < count && ok; k++) {
        struct heddle_tensor t;
        if (list[k].role == HEDDLE_ROLE_OUT || list[k].role == HEDDLE_ROLE_SCRATCH)
            continue;
        size_t size = strlen(p->replay) + strlen(list[k].name) + 6;
        char *path = arena_alloc(&p->arena, size);
        for (u32 i = 0; i < proof->ndata && heddle_buffer_get(p->h, list[k].name, &t); i++)
            if (strcmp(proof->data[i].buffer, list[k].name) == 0)
                memcpy(t.data, proof->data[i].bytes, proof->data[i].size);
        files[n].bytes = path ? heddle_npy_write(p->h, list[k].name, &files[n].len) : NULL;
        ok = files[n].bytes != NULL;
        if (!ok) {
            ui_error("out of memory");
            break;
        }
        snprintf(path, size, "%s/%s.npy", p->replay, list[k].name);
        files[n++].path = path;
        ok = file_promise("--replay", path, path);
    }
    ok = ok && file_write_all(files, n);
    for (size_t k = 0; k < n; k++)
        heddle_release((void *)(uintptr_t)files[k].bytes);
    return ok;
}

bool prove_replay(struct prove *p, const struct heddle_proof *proof) {
    struct buf out = {0};
    if (!p->replay || p->replayed || proof->verdict != HEDDLE_DIFFERENT)
        return true;
    p->replayed = true;
    if (!replay_write(p, proof))
        return false;
    for (u32 i = 0; i < 2; i++)
        put_command(p, i, proof, &out);
    if (out.data && !out.failed)
        fputs(out.data, p->json && strcmp(p->json, "-") == 0 ? stderr : stdout);
    bool ok = !out.failed;
    buf_free(&out);
    if (!ok)
        ui_error("out of memory");
    return ok;
}
