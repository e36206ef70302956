#include "sim/cli/completion/completion.h"

/*
 *   _heddle_value VALUE WORD...   completes a value that the tables describe as VALUE
 *   _heddle_study                 completes the options of a study and their values; words[1] is its name
 */
static const char functions[] =
    "#compdef heddle\n"
    "_heddle_list() { heddle \"$@\" 2>/dev/null | awk '{print $1}' }\n"
    "_heddle_value() {\n"
    "    local value=$1\n"
    "    shift\n"
    "    [[ $value = *BOARD* ]] && set -- \"$@\" $(_heddle_list board)\n"
    "    if (($#)); then\n"
    "        if [[ $value = *,... ]]; then _sequence compadd - \"$@\"; else compadd -- \"$@\"; fi\n"
    "    fi\n"
    "    [[ $value = (*FILE*|*BOARD*|*.[a-z]*) ]] && _files\n"
    "    [[ $value = *DIR* ]] && _files -/\n"
    "}\n"
    "_heddle_study() {\n"
    "    local -a rows list\n"
    "    local name value offers text mark\n"
    "    while IFS=$'\\t' read -r name value offers text; do\n"
    "        [[ $offers = - ]] && offers=''\n"
    "        list=(${(s:|:)offers})\n"
    "        for mark in '\\' '[' ']' ':'; do text=${text//\"$mark\"/\\\\$mark}; done\n"
    "        if [[ $value = - ]]; then\n"
    "            rows+=(\"${name}[$text]\")\n"
    "        else\n"
    "            rows+=(\"${name}=[$text]:${name#--}: _heddle_value ${(q)value} ${(j: :)${(@q)list}}\")\n"
    "        fi\n"
    "    done < <(heddle study --options \"$words[1]\" 2>/dev/null)\n"
    "    if (($#rows)); then _arguments $rows; else _files; fi\n"
    "}\n";

/* Writes an action of _arguments, where $(...) is evaluated only when needed. */
static void action(const struct offer *offer, struct buf *out) {
    buf_puts(out, " _heddle_value ");
    buf_puts(out, "\"");
    offer_quoted(offer->value, ":", out);
    buf_puts(out, "\"");
    if (offer->list)
        buf_printf(out, " $(_heddle_list %s%s)", offer->list, offer->reads_line ? " -- $words" : "");
    for (const char *c = offer->words.len ? offer->words.data : ""; *c; c++) {
        if (c == offer->words.data)
            buf_putc(out, ' ');
        buf_putc(out, *c == '|' ? ' ' : *c);
    }
}

static void option(const struct command *c, const struct argp_option *o, struct buf *out) {
    struct offer offer;
    (void)c;
    offer_option(o, &offer);
    buf_printf(out, " \\\n            '--%s%s[", o->name, !o->arg ? "" : o->flags & OPTION_ARG_OPTIONAL ? "=-" : "=");
    offer_quoted(o->doc, "[]:", out);
    buf_puts(out, "]");
    if (o->arg) {
        buf_printf(out, o->flags & OPTION_ARG_OPTIONAL ? "::%s:" : ":%s:", o->name);
        action(&offer, out);
    }
    buf_puts(out, "'");
    buf_free(&offer.words);
}

static void command(const struct command *c, struct buf *out) {
    struct offer offer;
    offer_argument(c, &offer);
    buf_printf(out, "    %s)\n        _arguments", c->name);
    offer_each_option(c, option, out);
    buf_puts(out, " \\\n            '1:argument:");
    action(&offer, out);
    buf_puts(out, "'");
    if (offer_files(&offer))
        buf_puts(out, " \\\n            '*:file:_files'");
    buf_puts(out, "\n        ;;\n");
    buf_free(&offer.words);
}

void completion_zsh(struct buf *out) {
    buf_puts(out, functions);
    buf_puts(out, "_heddle() {\n    local -a commands\n    commands=(\n");
    for (size_t i = 0; i < command_count; i++) {
        buf_printf(out, "        '%s:", commands[i].name);
        offer_quoted(commands[i].doc, ":", out);
        buf_puts(out, "'\n");
    }
    buf_puts(out, "    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n    fi\n"
                  "    shift words\n    ((CURRENT--))\n"
                  "    if [[ $words[1] = study ]] && ((CURRENT > 2)); then\n"
                  "        shift words\n        ((CURRENT--))\n        _heddle_study\n        return\n    fi\n"
                  "    case $words[1] in\n");
    for (size_t i = 0; i < command_count; i++)
        command(&commands[i], out);
    buf_puts(out, "    esac\n}\n_heddle \"$@\"\n");
}
