#include "sim/cli/completion/completion.h"

/* Completes a study: its options, and values of the option before the cursor. */
static const char functions[] = "_heddle_list() { heddle \"$@\" 2>/dev/null | awk '{print $1}'; }\n"
                                "_heddle_study() {\n"
                                "    local name text offers doc\n"
                                "    while IFS=$'\\t' read -r name text offers doc; do\n"
                                "        options+=\"|$name\"\n"
                                "        [ \"$name\" = \"$prev\" ] && [ \"$text\" != - ] && value=$text words=$offers\n"
                                "    done < <(heddle study --options \"${COMP_WORDS[2]}\" 2>/dev/null)\n"
                                "    [ \"$words\" = - ] && words=''\n"
                                "    [ \"$options\" ] && arguments=-\n"
                                "    case $value in *BOARD*) words+=\"|$(_heddle_list board)\" ;; esac\n"
                                "}\n";

/* splits --name=value into three words */
static const char begin[] = "_heddle() {\n"
                            "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
                            "    local command=${COMP_WORDS[1]} options='' value='' words='' prefix='' arguments=FILE\n"
                            "    if [ \"$cur\" = = ]; then\n"
                            "        cur=''\n"
                            "    elif [ \"$prev\" = = ]; then\n"
                            "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
                            "    fi\n"
                            "    [ \"$COMP_CWORD\" -eq 1 ] && prev=''\n"
                            "    if [ \"$command\" = study ] && [ \"$COMP_CWORD\" -gt 2 ]; then\n"
                            "        command=''\n"
                            "        _heddle_study\n"
                            "    fi\n"
                            "    case \"$command $prev\" in\n";

/* Completes an option after a dash, unless a value is expected. Names are listed before files. */
static const char end[] = "    case $cur in -*) [ \"$value\" ] || words=$options value=- ;; esac\n"
                          "    [ \"$value\" ] || value=$arguments words=$names\n"
                          "    case $value$cur in *,...*,*) prefix=${cur%,*}, ;; esac\n"
                          "    case $value in *,... | KEY=VALUE | NAME=*) compopt -o nospace 2>/dev/null ;; esac\n"
                          "    mapfile -t COMPREPLY < <(\n"
                          "        IFS=$'|\\n'\n"
                          "        compgen -P \"$prefix\" -W \"$words\" -- \"${cur#\"$prefix\"}\" &&\n"
                          "            case $value in NAME=* | *'NAME|FILE'* | *BOARD*) exit ;; esac\n"
                          "        case $value in\n"
                          "        *FILE* | *BOARD* | *.[a-z]*) compgen -f -- \"$cur\" ;;\n"
                          "        *DIR*) compgen -d -- \"$cur\" ;;\n"
                          "        esac)\n"
                          "}\n"
                          "complete -o filenames -F _heddle heddle\n";

static void option(const struct command *c, const struct argp_option *o, struct buf *out) {
    (void)c;
    buf_printf(out, "|--%s", o->name);
}

static void words(const struct offer *offer, struct buf *out) {
    if (offer->list)
        buf_printf(out, "$(_heddle_list %s%s)", offer->list, offer->reads_line ? " -- \"${COMP_WORDS[@]}\"" : "");
    else if (offer->words.len)
        buf_printf(out, "'%s'", offer->words.data);
    else
        buf_puts(out, "''");
}

static void value(const struct command *c, const struct argp_option *o, struct buf *out) {
    struct offer offer;
    if (!o->arg || o->flags & OPTION_ARG_OPTIONAL)
        return;
    offer_option(o, &offer);
    buf_printf(out, "    '%s --%s'", c->name, o->name);
    if (offer_letter(o))
        buf_printf(out, " | '%s -%c'", c->name, offer_letter(o));
    buf_printf(out, ") value='%s' words=", o->arg);
    words(&offer, out);
    buf_puts(out, " ;;\n");
    buf_free(&offer.words);
}

static void command(const struct command *c, struct buf *out) {
    struct offer offer;
    offer_argument(c, &offer);
    buf_printf(out, "    %s)\n        options='", c->name);
    offer_each_option(c, option, out);
    buf_printf(out, "' arguments='%s'\n        [ \"$COMP_CWORD\" -eq 2 ] && names=", offer.value);
    words(&offer, out);
    buf_puts(out, "\n        ;;\n");
    buf_free(&offer.words);
}

void completion_bash(struct buf *out) {
    buf_puts(out, functions);
    buf_puts(out, begin);
    for (size_t i = 0; i < command_count; i++)
        offer_each_option(&commands[i], value, out);
    buf_puts(out, "    esac\n    local names=''\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        options='");
    offer_each_option(command_find("help"), option, out);
    buf_puts(out, "' command='' arguments=- names='");
    for (size_t i = 0; i < command_count; i++)
        buf_printf(out, "%s%s", i ? "|" : "", commands[i].name);
    buf_puts(out, "'\n    fi\n    case $command in\n");
    for (size_t i = 0; i < command_count; i++)
        command(&commands[i], out);
    buf_puts(out, "    esac\n");
    buf_puts(out, end);
}
