#include "sim/cli/completion/completion.h"

#include <ctype.h>
#include <string.h>

/* Commands and options whose names a command of heddle lists. */
static const struct {
    const char *name, *list;
    bool reads_line;
} lists[] = {
    {"study", "study", false},
    {"sweep", "sweep", false},
    {"board", "board", false},
    {"like", "board", false},
    {"device", "board devices", false},
    {"voxelize", "voxelize --words scans", false},
    {"channels", "voxelize --words channels", false},
    {"set", "completion --words keys", false},
    {"over", "completion --words axes", false},
    {"with", "completion --words axes", false},
    {"bisect", "completion --words axes", false},
    {"columns", "completion --words columns", false},
    {"pareto", "completion --words columns", false},
    {"plot", "completion --words columns", false},
    {"knee", "completion --words columns", false},
    {"objective", "completion --words columns", false},
    {"case", "completion --words cases", true},
    {"in", "completion --words buffers", true},
    {"out", "completion --words buffers", true},
    {"inout", "completion --words buffers", true},
    {"print", "completion --words prints", true},
    {"arg", "completion --words numbers", true},
    {"metrics", "completion --words metrics", false},
    {"run", "completion --words kernels", false},
    {"debug", "completion --words kernels", false},
    {"play", "completion --words kernels", false},
    {"test", "completion --words kernels", false},
    {"lint", "completion --words kernels", false},
    {"prove", "completion --words kernels", false},
    {"asm", "completion --words kernels", false},
    {"doc", "completion --words doc", false},
};

static bool listed(const char *name, struct offer *offer) {
    for (u32 i = 0; i < COUNT_OF(lists); i++)
        if (strcmp(lists[i].name, name) == 0) {
            offer->list = lists[i].list;
            offer->reads_line = lists[i].reads_line;
        }
    return offer->list != NULL;
}

/* Adds the words of "8|16|32|64"; none if the text describes something else. */
static bool choices(const char *text, struct buf *words) {
    size_t len = strcspn(text, " \n");
    for (size_t i = 0; i < len; i++)
        if (isupper((unsigned char)text[i]) || text[i] == '[')
            return false;
    if (words->len)
        buf_putc(words, '|');
    buf_append(words, text, len);
    return true;
}

char offer_letter(const struct argp_option *o) {
    return (char)(o->key > 0 && o->key < 128 && isalpha(o->key) ? o->key : 0);
}

void offer_option(const struct argp_option *o, struct offer *offer) {
    *offer = (struct offer){.value = o->arg};
    if (o->arg && !listed(o->name, offer))
        choices(o->arg, &offer->words);
}

void offer_argument(const struct command *c, struct offer *offer) {
    /* A command without arguments of its own takes those of its launch. */
    const char *own = c->argp->args_doc;
    *offer = (struct offer){.value = own || !c->argp->children ? own : c->argp->children[0].argp->args_doc};
    if (strcmp(c->name, "help") == 0)
        for (size_t i = 0; i < command_count; i++)
            buf_printf(&offer->words, "%s%s", i ? "|" : "", commands[i].name);
    else if (strcmp(c->name, "board") == 0)
        offer->list = "completion --words boards";
    else if (!listed(c->name, offer))
        /* Each line of args_doc is one form of the command: "isa [MNEMONIC]\nfaults". */
        for (const char *line = offer->value; line; line = strchr(line, '\n')) {
            line += *line == '\n';
            if (!choices(line, &offer->words))
                return;
        }
}

bool offer_files(const struct offer *offer) {
    const char *text = offer->value ? offer->value : "";
    for (const char *dot = text; (dot = strchr(dot, '.')); dot++)
        if (islower((unsigned char)dot[1]))
            return true;
    return strstr(text, "FILE");
}

void offer_each_option(const struct command *c, option_printer *print, struct buf *out) {
    /* A sweep has the options of its points as well, the debugger those of its launch. */
    const struct argp_option *launch = c->run == cmd_sweep || c->run == cmd_debug ? cmd_run_argp.options : NULL;
    const struct argp_option *options[] = {c->argp->options, launch, command_common[0].argp->options};
    for (u32 i = 0; i < COUNT_OF(options); i++)
        for (const struct argp_option *o = options[i]; o && o->name; o++)
            if (!(o->flags & OPTION_HIDDEN))
                print(c, o, out);
}

void offer_quoted(const char *text, const char *special, struct buf *out) {
    for (; *text; text++) {
        if (*text == '\'')
            buf_puts(out, "'\\'");
        else if (strchr(special, *text))
            buf_putc(out, '\\');
        buf_putc(out, *text);
    }
}
