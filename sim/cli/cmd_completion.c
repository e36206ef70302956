/*
 * heddle completion: scripts for bash, zsh and fish, written from the tables of commands and options. An option whose
 * value is described as "a|b|c" is completed by these words, any other by file names.
 */
#include "sim/cli/command.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/buf.h"
#include "sim/cli/ui.h"

/* ---- what can follow ---- */

/* "8|16|32|64" as "8 16 32 64"; false when the text describes something else. */
static bool choices(const char *text, struct buf *words) {
    size_t len = text ? strcspn(text, " \n") : 0;
    for (size_t i = 0; i < len; i++)
        if (isupper((unsigned char)text[i]) || text[i] == '[')
            return false;
    for (size_t i = 0; i < len; i++)
        buf_putc(words, text[i] == '|' ? ' ' : text[i]);
    return len > 0;
}

/* Names that `heddle study` and `heddle board` list, asked for when they are completed. */
static bool listed(const char *name, struct buf *words) {
    if (strcmp(name, "study") != 0 && strcmp(name, "board") != 0)
        return false;
    buf_printf(words, "$(heddle %s 2>/dev/null | awk {print\\ \\$1})", name);
    return true;
}

/* Words for the first argument of a command; false: files. */
static bool argument_words(const struct command *c, struct buf *words) {
    if (strcmp(c->name, "help") == 0) {
        for (size_t i = 0; i < command_count; i++)
            buf_printf(words, "%s%s", i ? " " : "", commands[i].name);
        return true;
    }
    if (listed(c->name, words))
        return true;
    /* Each line of args_doc is one way to call it: "isa [MNEMONIC]\nfaults". */
    for (const char *line = c->argp->args_doc; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (words->len)
            buf_putc(words, ' ');
        if (!choices(line, words))
            return false;
    }
    return words->len > 0;
}

/* Words for the value of an option; false: files. */
static bool value_words(const struct argp_option *o, struct buf *words) {
    return o->arg && (listed(o->name, words) || choices(o->arg, words));
}

typedef void option_printer(const struct command *c, const struct argp_option *o, struct buf *out);

static void each_option(const struct command *c, option_printer *print, struct buf *out) {
    const struct argp_option *lists[] = {c->argp->options, command_common[0].argp->options};
    for (u32 i = 0; i < COUNT_OF(lists); i++)
        for (const struct argp_option *o = lists[i]; o && o->name; o++)
            if (!(o->flags & OPTION_HIDDEN))
                print(c, o, out);
}

/* Text inside single quotes, with `special` characters behind a backslash. */
static void quoted(const char *text, const char *special, struct buf *out) {
    for (; *text; text++) {
        if (*text == '\'')
            buf_puts(out, "'\\'");
        else if (strchr(special, *text))
            buf_putc(out, '\\');
        buf_putc(out, *text);
    }
}

/* ---- bash ---- */

static void bash_option(const struct command *c, const struct argp_option *o, struct buf *out) {
    (void)c;
    buf_printf(out, " --%s", o->name);
}

static void bash_value(const struct command *c, const struct argp_option *o, struct buf *out) {
    struct buf words = {0};
    if (value_words(o, &words))
        buf_printf(out, "    '%s --%s') words=\"%s\" ;;\n", c->name, o->name, words.data);
    buf_free(&words);
}

static void bash(struct buf *out) {
    buf_puts(out, "_heddle() {\n    local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words options\n"
                  "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W '");
    for (size_t i = 0; i < command_count; i++)
        buf_printf(out, "%s%s", i ? " " : "", commands[i].name);
    buf_puts(out, "' -- \"$cur\"))\n        return\n    fi\n    case $command in\n");
    for (size_t i = 0; i < command_count; i++) {
        struct buf words = {0};
        buf_printf(out, "    %s)\n        options='", commands[i].name);
        each_option(&commands[i], bash_option, out);
        buf_puts(out, "'\n");
        if (argument_words(&commands[i], &words))
            buf_printf(out, "        [ \"$COMP_CWORD\" -eq 2 ] && words=\"%s\"\n", words.data);
        buf_puts(out, "        ;;\n");
        buf_free(&words);
    }
    buf_puts(out, "    esac\n    case \"$command ${COMP_WORDS[COMP_CWORD - 1]}\" in\n");
    for (size_t i = 0; i < command_count; i++)
        each_option(&commands[i], bash_value, out);
    buf_puts(out, "    esac\n    case $cur in\n    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")) ;;\n"
                  "    *) COMPREPLY=($(if [ -n \"$words\" ]; then compgen -W \"$words\" -- \"$cur\"; "
                  "else compgen -f -- \"$cur\"; fi)) ;;\n    esac\n}\ncomplete -o filenames -F _heddle heddle\n");
}

/* ---- zsh ---- */

static void zsh_option(const struct command *c, const struct argp_option *o, struct buf *out) {
    struct buf words = {0};
    (void)c;
    buf_printf(out, " \\\n            '--%s%s[", o->name, o->arg ? "=" : "");
    quoted(o->doc, "[]:", out);
    buf_puts(out, "]");
    if (value_words(o, &words))
        buf_printf(out, ":%s:(%s)", o->name, words.data);
    else if (o->arg)
        buf_printf(out, ":%s:_files", o->name);
    buf_puts(out, "'");
    buf_free(&words);
}

static void zsh(struct buf *out) {
    buf_puts(out, "#compdef heddle\n_heddle() {\n    local -a commands\n    commands=(\n");
    for (size_t i = 0; i < command_count; i++) {
        buf_printf(out, "        '%s:", commands[i].name);
        quoted(commands[i].doc, ":", out);
        buf_puts(out, "'\n");
    }
    buf_puts(out, "    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n    fi\n"
                  "    shift words\n    ((CURRENT--))\n    case $words[1] in\n");
    for (size_t i = 0; i < command_count; i++) {
        struct buf words = {0};
        buf_printf(out, "    %s)\n        _arguments", commands[i].name);
        each_option(&commands[i], zsh_option, out);
        if (argument_words(&commands[i], &words))
            buf_printf(out, " \\\n            '1:argument:(%s)'", words.data);
        buf_puts(out, " \\\n            '*:file:_files'\n        ;;\n");
        buf_free(&words);
    }
    buf_puts(out, "    esac\n}\n_heddle \"$@\"\n");
}

/* ---- fish ---- */

/* fish has a way of its own to run a command. */
static void fish_words(const char *name, struct buf *words) {
    struct buf ignored = {0};
    if (listed(name, &ignored)) {
        words->len = 0;
        buf_printf(words, "(heddle %s 2>/dev/null | string match -r \"\\\\S+\")", name);
    }
    buf_free(&ignored);
}

static void fish_option(const struct command *c, const struct argp_option *o, struct buf *out) {
    struct buf words = {0};
    buf_printf(out, "complete -c heddle -n '__fish_seen_subcommand_from %s' -l %s", c->name, o->name);
    if (isalpha(o->key))
        buf_printf(out, " -s %c", o->key);
    if (value_words(o, &words)) {
        fish_words(o->name, &words);
        buf_printf(out, " -x -a '%s'", words.data);
    } else if (o->arg)
        buf_puts(out, " -r -F");
    buf_puts(out, " -d '");
    quoted(o->doc, "", out);
    buf_puts(out, "'\n");
    buf_free(&words);
}

static void fish(struct buf *out) {
    for (size_t i = 0; i < command_count; i++) {
        buf_printf(out, "complete -c heddle -n __fish_use_subcommand -f -a %s -d '", commands[i].name);
        quoted(commands[i].doc, "", out);
        buf_puts(out, "'\n");
    }
    for (size_t i = 0; i < command_count; i++) {
        struct buf words = {0};
        if (argument_words(&commands[i], &words)) {
            fish_words(commands[i].name, &words);
            buf_printf(out, "complete -c heddle -n '__fish_seen_subcommand_from %s' -f -a '%s'\n", commands[i].name,
                       words.data);
        }
        buf_free(&words);
        each_option(&commands[i], fish_option, out);
    }
}

/* ---- the command ---- */

static const struct {
    const char *name;
    void (*print)(struct buf *out);
} shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

static error_t parse(int key, char *arg, struct argp_state *state) {
    const char **shell = state->input;
    switch (key) {
    case ARGP_KEY_ARG: return command_one(state, shell, arg, "one shell at a time");
    case ARGP_KEY_NO_ARGS: argp_error(state, "which shell? bash, zsh or fish"); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cmd_completion_argp = {.parser = parse,
                                         .args_doc = "bash|zsh|fish",
                                         .doc =
                                             "Print a completion script. For bash: eval \"$(heddle completion bash)\".",
                                         .children = command_common};

int cmd_completion(int argc, char **argv) {
    const char *shell = NULL;
    struct buf out = {0};
    if (!command_parse(&cmd_completion_argp, argc, argv, &shell))
        return EXIT_INPUT;
    for (u32 i = 0; i < COUNT_OF(shells); i++)
        if (strcmp(shells[i].name, shell) == 0)
            shells[i].print(&out);
    if (!out.data)
        ui_error("unknown shell '%s'; expected bash, zsh or fish", shell);
    else
        fwrite(out.data, 1, out.len, stdout);
    int status = out.data ? EXIT_OK : EXIT_INPUT;
    buf_free(&out);
    return status;
}
