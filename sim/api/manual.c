/* The instruction set, as the API shows it. */
#include "isa/manual.h"

#include <stdio.h>
#include <string.h>

#include "sim/api/context.h"

uint32_t heddle_isa_count(void) {
    return OP_COUNT;
}

bool heddle_isa_row(uint32_t index, struct heddle_isa_row *row) {
    if (index >= OP_COUNT)
        return false;
    const struct isa_row *r = &isa_rows[index];
    struct buf syntax = {0};
    *row = (struct heddle_isa_row){.name = r->name,
                                   .class_ = isa_classes[r->iclass].name,
                                   .operation = r->operation,
                                   .doc = r->doc,
                                   .code = r->code};
    isa_syntax(r, &syntax);
    snprintf(row->syntax, sizeof row->syntax, "%s", syntax.data ? syntax.data : r->name);
    buf_free(&syntax);
    return true;
}

bool heddle_special_register(uint32_t index, const char **name, const char **doc) {
    if (index >= SREG_COUNT)
        return false;
    *name = isa_sregs[index].name;
    *doc = isa_sregs[index].doc;
    return true;
}

/* First words of the mnemonics: "shfl". */
struct heads {
    char text[OP_COUNT][16];
};

static const char *nth_head(const void *ctx, size_t i) {
    return ((const struct heads *)ctx)->text[i];
}

/* Suggests the nearest mnemonic, or else the nearest first word of one. */
static struct suggestion suggest_mnemonic(const char *word) {
    const char *near = isa_suggest(word);
    struct heads heads = {0};
    if (near)
        return suggest(near);
    for (u32 i = 0; i < OP_COUNT; i++)
        snprintf(heads.text[i], sizeof heads.text[i], "%.*s", (int)strcspn(isa_rows[i].name, "."), isa_rows[i].name);
    return suggest(nearest_name(word, OP_COUNT, nth_head, &heads));
}

char *heddle_isa_manual(struct heddle *h, const char *mnemonic, bool markdown, size_t *len) {
    struct buf out = {0};
    context_begin(h);
    if (!isa_manual(mnemonic, markdown, &out)) {
        buf_free(&out);
        context_fail(h, "heddle", "there is no instruction '%s'%s", mnemonic ? mnemonic : "",
                     suggest_mnemonic(mnemonic ? mnemonic : "").text);
        return NULL;
    }
    return context_hand_out(h, &out, len);
}
