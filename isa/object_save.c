/* Objects out of programs. */
#include "isa/object.h"

#include <string.h>

const char object_magic[OBJECT_VERSIONS][4] = {{'H', 'D', 'O', '1'},
                                               {'H', 'D', 'O', '2'},
                                               {'H', 'D', 'O', '3'},
                                               {'H', 'D', 'O', '4'}};

const u32 object_header_bytes[OBJECT_VERSIONS] = {HEADER_BYTES, HEADER2_BYTES, HEADER3_BYTES, HEADER4_BYTES};

u32 layout_version(const struct layout *l) {
    return l->nmessages > 0 ? 3 : l->nmodule > 0 ? 2 : l->nvariables > 0;
}

void layout_place(struct layout *l) {
    l->code = object_header_bytes[layout_version(l)];
    l->lines = l->code + (u64)l->ninst * INST_BYTES;
    l->files = l->lines + (u64)l->ninst * LINE_BYTES;
    l->kernels = l->files + (u64)l->nfiles * FILE_BYTES;
    l->params = l->kernels + (u64)l->nkernels * KERNEL_BYTES;
    l->variables = l->params + (u64)l->nparams * PARAM_BYTES;
    l->named = l->variables + (u64)l->nvariables * VARIABLE_BYTES;
    l->module = l->named + (u64)l->nnamed * NAMED_BYTES;
    l->consts = l->module + (u64)l->nmodule * MODULE_BYTES;
    l->data = l->consts + l->const_bytes;
    l->texts = l->data + l->data_bytes;
    l->end = l->texts + l->text_bytes;
}

static void save_text(struct buf *out, const char *text) {
    buf_append(out, text, strlen(text) + 1);
}

static void save_texts(const struct program *p, struct buf *out) {
    save_text(out, p->file);
    for (u32 i = 0; i < p->nincluded; i++)
        save_text(out, p->included[i].file);
    for (u32 k = 0; k < p->nkernels; k++) {
        save_text(out, p->kernel[k].name);
        for (u32 n = 0; n < p->kernel[k].nparams; n++) {
            save_text(out, p->kernel[k].param[n].name);
            save_text(out, p->kernel[k].param[n].extent);
        }
        for (u32 n = 0; n < p->kernel[k].nvariables; n++)
            save_text(out, p->kernel[k].variable[n].name);
    }
    for (u32 i = 0; i < p->nmodule; i++)
        save_text(out, p->module[i].is.name);
    for (u32 i = 0; i < p->nmessages; i++)
        save_text(out, p->message[i]);
}

static void save_header(const struct program *p, u32 text_bytes, struct buf *out) {
    struct layout l = {.ninst = p->ninst,
                       .nkernels = p->nkernels,
                       .const_bytes = p->const_bytes,
                       .text_bytes = text_bytes,
                       .nfiles = p->nincluded,
                       .nmodule = p->nmodule,
                       .data_bytes = p->data_bytes,
                       .nmessages = p->nmessages};
    for (u32 k = 0; k < p->nkernels; k++) {
        l.nparams += p->kernel[k].nparams;
        l.nvariables += p->kernel[k].nvariables;
    }
    for (u32 pc = 0; pc < p->ninst; pc++)
        l.nnamed += p->base[pc] != 0;
    layout_place(&l);
    buf_append(out, object_magic[layout_version(&l)], sizeof object_magic[0]);
    buf_u32(out, ISA_VERSION);
    buf_u64(out, l.end);
    buf_u32(out, l.ninst);
    buf_u32(out, l.nkernels);
    buf_u32(out, l.nparams);
    buf_u32(out, l.const_bytes);
    buf_u32(out, l.text_bytes);
    buf_u32(out, l.nfiles);
    if (layout_version(&l) > 0) {
        buf_u32(out, l.nvariables);
        buf_u32(out, l.nnamed);
    }
    if (layout_version(&l) > 1) {
        buf_u32(out, l.nmodule);
        buf_u32(out, l.data_bytes);
    }
    if (layout_version(&l) > 2)
        buf_u32(out, l.nmessages);
}

static void save_kernel(const struct kernel *k, struct buf *out) {
    buf_u32(out, (k->function ? FLAG_FUNCTION : 0u) | (u32)k->warps << FLAG_WARPS_SHIFT);
    buf_u32(out, k->end - k->start);
    buf_u32(out, k->regs);
    buf_u32(out, k->shared);
    buf_u32(out, k->local);
    buf_u32(out, k->param_bytes);
    buf_u32(out, k->line);
    buf_u32(out, k->nparams);
}

static void save_variable(const struct variable *v, u32 kernel, struct buf *out) {
    buf_u32(out, v->etype | (v->space == SPACE_LOCAL ? FLAG_LOCAL : 0u) | (u32)v->ndim << FLAG_NDIM_SHIFT);
    buf_u32(out, kernel);
    buf_u32(out, v->offset);
    for (u32 d = 0; d < VARIABLE_DIMS_MAX; d++)
        buf_u32(out, d < v->ndim ? v->dim[d] : 0);
}

static void save_module_variable(const struct module_variable *m, struct buf *out) {
    const struct variable *v = &m->is;
    buf_u32(out, v->etype | (v->space == SPACE_GLOBAL ? FLAG_GLOBAL : 0u) | (u32)v->ndim << FLAG_NDIM_SHIFT);
    buf_u32(out, v->offset);
    for (u32 d = 0; d < VARIABLE_DIMS_MAX; d++)
        buf_u32(out, d < v->ndim ? v->dim[d] : 0);
    buf_u32(out, m->data_bytes);
}

void program_save(const struct program *p, struct buf *out) {
    struct buf texts = {0};
    save_texts(p, &texts);
    save_header(p, (u32)texts.len, out);
    for (u32 pc = 0; pc < p->ninst; pc++) {
        u64 word[2];
        inst_encode(&p->inst[pc], word);
        buf_u64(out, word[0]);
        buf_u64(out, word[1]);
    }
    for (u32 pc = 0; pc < p->ninst; pc++)
        buf_u32(out, p->line[pc]);
    for (u32 i = 0; i < p->nincluded; i++)
        buf_u32(out, p->included[i].first);
    for (u32 k = 0; k < p->nkernels; k++)
        save_kernel(&p->kernel[k], out);
    for (u32 k = 0; k < p->nkernels; k++) {
        for (u32 n = 0; n < p->kernel[k].nparams; n++) {
            const struct param *param = &p->kernel[k].param[n];
            buf_u32(out, param->etype | (param->buffer ? FLAG_BUFFER : 0u) | (param->value ? FLAG_VALUE : 0u));
            buf_u32(out, param->offset);
        }
    }
    for (u32 k = 0; k < p->nkernels; k++)
        for (u32 n = 0; n < p->kernel[k].nvariables; n++)
            save_variable(&p->kernel[k].variable[n], k, out);
    for (u32 pc = 0; pc < p->ninst; pc++) {
        if (p->base[pc] != 0) {
            buf_u32(out, pc);
            buf_u32(out, p->base[pc] - 1);
        }
    }
    for (u32 i = 0; i < p->nmodule; i++)
        save_module_variable(&p->module[i], out);
    buf_append(out, p->consts, p->const_bytes);
    buf_append(out, p->data, p->data_bytes);
    buf_append(out, texts.data, texts.len);
    out->failed = out->failed || texts.failed;
    buf_free(&texts);
}
