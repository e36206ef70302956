
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/base/buf.h"
#include "sim/file/computer.h"

enum { DOC_COLUMN = 34 }; /* of an option's description */

/*
 * Appends each line of a text, starting at column `at`, folded at blanks; folded lines begin at column `indent`, plus
 * the indentation of their line.
 */
static void put_text(struct buf *out, const char *text, size_t len, size_t at, size_t indent) {
    const char *end = text + len;
    while (text < end) {
        size_t width = at, blanks = strspn(text, " ");
        for (size_t word; text < end && *text != '\n'; text += word, width += word) {
            size_t gap = strspn(text, " ");
            word = gap + strcspn(text + gap, " \n");
            word = word < (size_t)(end - text) ? word : (size_t)(end - text);
            if (width + word >= terminal_width() && width > indent + blanks) {
                buf_printf(out, "\n%*s", (int)(indent + blanks), "");
                text += gap;
                word -= gap;
                width = indent + blanks;
            }
            buf_append(out, text, word);
        }
        buf_putc(out, '\n');
        text += text < end;
        at = 0;
    }
}

static void put_usage(struct buf *out, const struct argp *argp, const char *name) {
    /* A command without arguments of its own takes those of its launch. */
    const char *ways = argp->args_doc || !argp->children->argp ? argp->args_doc : argp->children->argp->args_doc;
    const char *lead = "Usage:";
    for (const char *way = ways ? ways : "";; way++) {
        size_t len = strcspn(way, "\n");
        buf_printf(out, "%s %s [OPTION...]%s%.*s\n", lead, name, len ? " " : "", (int)len, way);
        way += len;
        if (!*way)
            return;
        lead = "  or: ";
    }
}

static void put_option(struct buf *out, const struct argp_option *o) {
    size_t before = out->len;
    bool letter = o->key > ' ' && o->key < 0x7f, may = o->flags & OPTION_ARG_OPTIONAL;
    buf_printf(out, letter ? "  -%c, " : "      ", o->key);
    buf_printf(out, "--%s%s%s%s%s", o->name, may ? "[" : "", o->arg ? "=" : "", o->arg ? o->arg : "", may ? "]" : "");
    size_t width = out->len - before;
    if (width + 1 > DOC_COLUMN)
        buf_putc(out, '\n');
    buf_printf(out, "%*s", (int)(width + 1 > DOC_COLUMN ? DOC_COLUMN : DOC_COLUMN - width), "");
    put_text(out, o->doc, strlen(o->doc), DOC_COLUMN, DOC_COLUMN);
}

/* Prints the headings, which follow the rows of options, in their order, each with the options of its group. */
static void put_options(struct buf *out, const struct argp_option *rows) {
    const struct argp_option *heading = rows;
    while (heading && heading->name)
        heading++;
    for (; heading && heading->doc; heading++) {
        buf_printf(out, "\n%s\n", heading->doc);
        for (const struct argp_option *o = rows; o->name; o++)
            if (o->group == heading->group && !(o->flags & OPTION_HIDDEN))
                put_option(out, o);
    }
}

/* Prints a command's options, those it shares with another command, and those of every command. */
static void put_parts(struct buf *out, const struct argp *argp) {
    put_options(out, argp->options);
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        put_parts(out, child->argp);
}

void help_print(const struct argp *argp, const char *name, FILE *stream) {
    struct buf out = {0};
    size_t len = strcspn(argp->doc, "\v");
    const char *after = argp->doc[len] ? argp->doc + len + 1 : "";
    char *own = argp->help_filter ? argp->help_filter(ARGP_KEY_HELP_POST_DOC, after, NULL) : NULL;
    put_usage(&out, argp, name);
    put_text(&out, argp->doc, len, 0, 0);
    put_parts(&out, argp);
    after = own ? own : after;
    buf_puts(&out, *after ? "\n" : "");
    put_text(&out, after, strlen(after), 0, 0);
    fputs(out.failed ? "heddle: error: out of memory\n" : out.data, stream);
    free(own);
    buf_free(&out);
}
