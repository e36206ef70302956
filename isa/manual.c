/* Walks over the tables that print them for people. */
#include "isa/manual.h"

#include <string.h>

#include "isa/program.h"

/* ---- one row ---- */

static void puts_lower(const char *text, struct buf *out) {
    for (; *text != '\0'; text++)
        buf_putc(out, *text >= 'A' && *text <= 'Z' ? (char)(*text + ('a' - 'A')) : *text);
}

static const char *const place_names[] = {"d", "a", "b", "c", "imm"};

static void print_operand(const struct operand *o, struct buf *out) {
    const char *place = place_names[o->place];
    switch ((enum operand_kind)o->kind) {
    case K_NONE: break;
    case K_REG:
    case K_REGM:
    case K_REG_IMM: buf_puts(out, place); break;
    case K_REG_IMM_OPT: buf_printf(out, "{, %s}", place); break;
    case K_REG2: buf_printf(out, "%s:2", place); break;
    case K_REG4: buf_printf(out, "%s:4", place); break;
    case K_MASK_OPT: buf_printf(out, "{, %s:2}", place); break;
    case K_PRED: buf_printf(out, "p%s", place); break;
    case K_PRED_OPT: buf_printf(out, "{|p%s}", place); break;
    case K_NUM:
    case K_IMM:
    case K_PHASE:
    case K_BARRIER: buf_printf(out, "#%s", place); break;
    case K_MEM: buf_printf(out, "[%s+n]", place); break;
    case K_TRANSIT: buf_printf(out, "x%s", place); break;
    case K_SREG: buf_puts(out, "%name"); break;
    case K_LABEL: buf_puts(out, "label"); break;
    case K_FUNCTION: buf_puts(out, "function"); break;
    case K_TEXT_OPT: buf_puts(out, "{\"text\"}"); break;
    case K_TEXT: buf_puts(out, "\"text\""); break;
    case K_WORDS: break;
    case K_REGT: buf_printf(out, "{, %s}", place); break;
    }
}

static bool brings_its_comma(const struct operand *o) {
    return o->kind == K_PRED_OPT || o->kind == K_MASK_OPT || o->kind == K_REG_IMM_OPT || o->kind == K_REGT;
}

void isa_syntax(const struct isa_row *row, struct buf *out) {
    buf_puts(out, row->name);
    for (u32 g = 0; g < GROUP_COUNT; g++) {
        if (row->groups >> g & 1) {
            bool must = isa_groups[g].def < 0;
            buf_puts(out, must ? "." : "{.");
            puts_lower(isa_groups[g].name, out);
            buf_puts(out, must ? "" : "}");
        }
    }
    bool first = true;
    for (u32 n = 0; n < OPERANDS_MAX; n++) {
        const struct operand *o = &row->operand[n];
        if (o->kind == K_NONE || o->kind == K_WORDS)
            continue;
        if (first && brings_its_comma(o)) {
            buf_printf(out, " {%s:2}", place_names[o->place]); /* an only operand, that may be left out */
        } else {
            buf_puts(out, first ? " " : brings_its_comma(o) ? "" : ", ");
            print_operand(o, out);
        }
        first = false;
    }
}

/* Other spellings of a row: "add.u32, sub.u32"; nothing when there are none. */
static void print_aliases(const struct isa_row *row, const char *before, const char *after, struct buf *out) {
    bool any = false;
    for (size_t i = 0; i < isa_alias_count; i++) {
        if (strcmp(isa_aliases[i].doc, row->name) == 0) {
            buf_printf(out, "%s%s", any ? ", " : before, isa_aliases[i].name);
            any = true;
        }
    }
    buf_puts(out, any ? after : "");
}

/* Text in a cell of a markdown table. */
static void print_cell(const char *text, size_t len, struct buf *out) {
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '|')
            buf_putc(out, '\\');
        buf_putc(out, text[i]);
    }
}

static void print_code_cell(const char *text, struct buf *out) {
    if (*text != '\0') {
        buf_putc(out, '`');
        print_cell(text, strlen(text), out);
        buf_putc(out, '`');
    }
}

static void print_table_row(const struct isa_row *row, struct buf *out) {
    struct buf syntax = {0};
    isa_syntax(row, &syntax);
    buf_puts(out, "| ");
    print_code_cell(syntax.data != NULL ? syntax.data : "", out);
    buf_puts(out, " | ");
    print_code_cell(row->operation, out);
    buf_puts(out, " | ");
    print_cell(row->doc, strlen(row->doc), out);
    print_aliases(row, " Also ", ".", out);
    buf_printf(out, " | 0x%03x |\n", row->code);
    out->failed = out->failed || syntax.failed;
    buf_free(&syntax);
}

static bool is_default(const struct isa_mod *m) {
    return (s32)m->value == isa_groups[m->group].def;
}

static void print_group(u32 group, const char *indent, struct buf *out) {
    const struct isa_group *g = &isa_groups[group];
    buf_puts(out, indent);
    puts_lower(g->name, out);
    buf_printf(out, ": %s%s\n", g->doc, g->def < 0 ? " (one must be given)" : "");
    for (size_t m = 0; m < isa_mod_count; m++) {
        if (isa_mods[m].group == group) {
            buf_printf(out, "%s    .%-9s %s%s\n", indent, isa_mods[m].text, isa_mods[m].doc,
                       is_default(&isa_mods[m]) ? " (default)" : "");
        }
    }
}

/* The long form of one row. */
static void print_entry(const struct isa_row *row, struct buf *out) {
    const struct isa_class *class = &isa_classes[row->iclass];
    isa_syntax(row, out);
    buf_printf(out, "\n    %s\n", row->doc);
    if (*row->operation != '\0')
        buf_printf(out, "    operation   %s\n", row->operation);
    buf_printf(out, "    class       %s: %s (unit %s)\n", class->name, class->doc, isa_units[class->unit].name);
    buf_printf(out, "    opcode      0x%03x\n", row->code);
    print_aliases(row, "    also        ", "\n", out);
    for (u32 g = 0; g < GROUP_COUNT; g++)
        if (row->groups >> g & 1)
            print_group(g, "    ", out);
}

/* ---- lists ---- */

static const char *const legend[] = {
    "d is the destination, a b c are sources: registers; `:2` an even pair (64 bits), `:4` four from a multiple of",
    "4; pd pa pb pc predicates; xd xa transit registers; `#b` a number; `[a+n]` an address, whose register is a pair",
    "for global and generic accesses. What stands in braces may be left out. Of the source registers of an",
    "arithmetic instruction any one may be a number instead.",
};

static void print_legend(struct buf *out) {
    for (size_t i = 0; i < COUNT_OF(legend); i++)
        buf_printf(out, "%s\n", legend[i]);
}

static void print_class(u32 class, bool markdown, struct buf *out) {
    const struct isa_class *c = &isa_classes[class];
    if (markdown) {
        buf_printf(out, "\n### %s: %s\n\n| instruction | operation | what it does | opcode |\n|---|---|---|---|\n",
                   c->name, c->doc);
    } else {
        buf_printf(out, "\n%s: %s\n", c->name, c->doc);
    }
    for (u32 op = 0; op < OP_COUNT; op++) {
        if (isa_rows[op].iclass != class)
            continue;
        if (markdown) {
            print_table_row(&isa_rows[op], out);
            continue;
        }
        size_t start = out->len;
        buf_puts(out, "  ");
        isa_syntax(&isa_rows[op], out);
        do {
            buf_putc(out, ' ');
        } while (out->len < start + 40 && !out->failed);
        buf_printf(out, "%s\n", isa_rows[op].doc);
    }
}

static void print_sregs(bool markdown, struct buf *out) {
    buf_puts(out, markdown ? "\n## Special registers\n\n| name | bits | meaning |\n|---|---|---|\n"
                           : "\nspecial registers\n");
    for (u32 s = 0; s < SREG_COUNT; s++) {
        buf_printf(out, markdown ? "| `%s` | %u | %s |\n" : "  %-13s %u bits  %s\n", isa_sregs[s].name,
                   isa_sregs[s].bits, isa_sregs[s].doc);
    }
}

static void print_mods(bool markdown, struct buf *out) {
    buf_puts(out, markdown ? "\n## Modifiers\n\n| group | modifier | meaning |\n|---|---|---|\n" : "\nmodifiers\n");
    for (u32 g = 0; g < GROUP_COUNT && !markdown; g++)
        print_group(g, "  ", out);
    for (size_t m = 0; m < isa_mod_count && markdown; m++) {
        const struct isa_group *g = &isa_groups[isa_mods[m].group];
        buf_puts(out, "| ");
        puts_lower(g->name, out);
        buf_printf(out, " | `.%s` | %s%s |\n", isa_mods[m].text, isa_mods[m].doc,
                   is_default(&isa_mods[m]) ? " (default)" : "");
    }
}

static void print_etypes(bool markdown, struct buf *out) {
    buf_puts(out, markdown ? "\n## Element types\n\n| name | bytes | npy | meaning |\n|---|---|---|---|\n"
                           : "\nelement types\n");
    for (u32 t = 0; t < ET_COUNT; t++) {
        const struct etype_row *e = &etypes[t];
        const char *descr = e->descr != NULL ? e->descr : "";
        if (markdown) {
            buf_printf(out, "| `%s` | %u | ", e->name, e->bytes);
            print_code_cell(descr, out);
            buf_printf(out, " | %s |\n", e->doc);
        } else {
            buf_printf(out, "  %-5s %u bytes  %-4s %s\n", e->name, e->bytes, descr, e->doc);
        }
    }
}

static void print_classes(bool markdown, struct buf *out) {
    buf_puts(out, markdown ? "\n## Classes\n\n| class | unit | what |\n|---|---|---|\n" : "\nclasses\n");
    for (u32 c = 0; c < CLASS_COUNT; c++) {
        const struct isa_class *k = &isa_classes[c];
        buf_printf(out, markdown ? "| %s | %s | %s |\n" : "  %-9s unit %-6s %s\n", k->name, isa_units[k->unit].name,
                   k->doc);
    }
    buf_puts(out, markdown ? "\n| unit | issues |\n|---|---|\n" : "\nunits\n");
    for (u32 u = 0; u < UNIT_COUNT; u++)
        buf_printf(out, markdown ? "| %s | %s |\n" : "  %-9s %s\n", isa_units[u].name, isa_units[u].doc);
}

static void print_everything(bool markdown, struct buf *out) {
    buf_printf(out, markdown ? "## Instructions\n\n%d instructions. " : "%d instructions\n\n", OP_COUNT);
    print_legend(out);
    for (u32 c = 0; c < CLASS_COUNT; c++)
        print_class(c, markdown, out);
    print_mods(markdown, out);
    print_sregs(markdown, out);
    print_etypes(markdown, out);
    print_classes(markdown, out);
}

/* ---- looking up ---- */

/* True if `name` is `word` or begins with it and a dot. */
static bool begins_with(const char *name, const char *word, size_t len) {
    return strncmp(name, word, len) == 0 && (name[len] == '\0' || name[len] == '.');
}

static bool is_modifier(const char *text) {
    for (size_t m = 0; m < isa_mod_count; m++)
        if (strcmp(isa_mods[m].text, text) == 0)
            return true;
    return false;
}

static void print_found(const struct isa_row *row, bool markdown, u32 *found, struct buf *out) {
    if (markdown) {
        buf_puts(out, *found == 0 ? "| instruction | operation | what it does | opcode |\n|---|---|---|---|\n" : "");
        print_table_row(row, out);
    } else {
        buf_puts(out, *found == 0 ? "" : "\n");
        print_entry(row, out);
    }
    ++*found;
}

static bool print_beginning_with(const char *word, size_t len, bool markdown, struct buf *out) {
    u32 found = 0;
    int exact = isa_find(word, len);
    for (u32 op = 0; op < OP_COUNT; op++)
        if (exact >= 0 ? (u32)exact == op : begins_with(isa_rows[op].name, word, len))
            print_found(&isa_rows[op], markdown, &found, out);
    for (size_t i = 0; i < isa_alias_count && found == 0; i++)
        if (begins_with(isa_aliases[i].name, word, len))
            print_found(&isa_rows[isa_find(isa_aliases[i].doc, strlen(isa_aliases[i].doc))], markdown, &found, out);
    return found > 0;
}

static bool print_sreg(const char *word, struct buf *out) {
    bool found = false;
    for (u32 s = 0; s < SREG_COUNT; s++) {
        if (begins_with(isa_sregs[s].name, word, strlen(word))) {
            buf_printf(out, "%s\n    %s\n    %u bits; read by s2r\n", isa_sregs[s].name, isa_sregs[s].doc,
                       isa_sregs[s].bits);
            found = true;
        }
    }
    return found;
}

bool isa_manual(const char *mnemonic, bool markdown, struct buf *out) {
    if (mnemonic == NULL) {
        print_everything(markdown, out);
        return true;
    }
    size_t len = strlen(mnemonic);
    if (*mnemonic == '%')
        return print_sreg(mnemonic, out);
    while (len > 0 && !print_beginning_with(mnemonic, len, markdown, out)) {
        size_t dot = len;
        while (dot > 0 && mnemonic[dot - 1] != '.')
            dot--;
        char word[16] = "";
        if (dot < 2 || len - dot >= sizeof word)
            return false;
        memcpy(word, mnemonic + dot, len - dot);
        if (!is_modifier(word))
            return false;
        len = dot - 1;
    }
    return len > 0;
}

static const char *name_at(const void *ctx, size_t i) {
    (void)ctx;
    if (i < OP_COUNT)
        return isa_rows[i].name;
    i -= OP_COUNT;
    return i < isa_alias_count ? isa_aliases[i].name : isa_sregs[i - isa_alias_count].name;
}

const char *isa_suggest(const char *word) {
    return nearest_name(word, OP_COUNT + isa_alias_count + SREG_COUNT, name_at, NULL);
}
