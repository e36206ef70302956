#include "sim/cli/completion/completion.h"

/*
 *   __heddle_at COMMAND [COUNT]    true if the cursor is in this command, after COUNT words
 *   __heddle_value VALUE WORD...   completes a value that the tables describe as VALUE
 *   __heddle_study                 completes the options of a study, or the value after one of them
 */
static const char functions[] = "function __heddle_list\n"
                                "    heddle $argv 2>/dev/null | string match -r '\\S+'\n"
                                "end\n"
                                "function __heddle_at\n"
                                "    set -l before (commandline -opc)\n"
                                "    test \"$before[2]\" = $argv[1]; or return 1\n"
                                "    set -q argv[2]; or return 0\n"
                                "    test (count $before) -eq $argv[2]\n"
                                "end\n"
                                "function __heddle_value\n"
                                "    set -l value $argv[1]\n"
                                "    set -e argv[1]\n"
                                "    set -l before ''\n"
                                "    string match -q '*BOARD*' -- $value; and set -a argv (__heddle_list board)\n"
                                "    string match -q '*,...' -- $value\n"
                                "    and set before (string replace -r '[^,]*$' '' -- (commandline -ct))\n"
                                "    set -q argv[1]; and printf '%s\\n' \"$before\"$argv\n"
                                "    string match -qr 'FILE|BOARD|\\.[a-z]' -- $value\n"
                                "    and __fish_complete_path (commandline -ct)\n"
                                "    string match -q '*DIR*' -- $value\n"
                                "    and __fish_complete_directories (commandline -ct)\n"
                                "end\n"
                                "function __heddle_study\n"
                                "    set -l before (commandline -opc)\n"
                                "    set -l rows (heddle study --options $before[3] 2>/dev/null)\n"
                                "    for row in $rows\n"
                                "        set -l cell (string split \\t -- $row)\n"
                                "        if test \"$cell[1]\" = \"$before[-1]\" -a \"$cell[2]\" != -\n"
                                "            test \"$cell[3]\" = -; and set cell[3] ''\n"
                                "            __heddle_value $cell[2] (string split -n '|' -- $cell[3])\n"
                                "            return\n"
                                "        end\n"
                                "    end\n"
                                "    for row in $rows\n"
                                "        set -l cell (string split \\t -- $row)\n"
                                "        printf '%s\\t%s\\n' $cell[1] $cell[4]\n"
                                "    end\n"
                                "    set -q rows[1]; or __fish_complete_path (commandline -ct)\n"
                                "end\n"
                                "complete -c heddle -n '__heddle_at study; and not __heddle_at study 2' -f "
                                "-a '(__heddle_study)'\n";

/* Writes the words, and other completions of the value. */
static void offers(const struct offer *offer, struct buf *out) {
    buf_puts(out, "(__heddle_value \"");
    offer_quoted(offer->value, "", out);
    buf_puts(out, "\"");
    if (offer->list)
        buf_printf(out, " (__heddle_list %s%s)", offer->list, offer->reads_line ? " -- (commandline -opc)" : "");
    for (const char *c = offer->words.len ? offer->words.data : ""; *c; c++) {
        if (c == offer->words.data)
            buf_putc(out, ' ');
        buf_putc(out, *c == '|' ? ' ' : *c);
    }
    buf_putc(out, ')');
}

/* `heddle study NAME` takes the options of the study. */
static void option(const struct command *c, const struct argp_option *o, struct buf *out) {
    struct offer offer;
    bool study = command_find("study") == c;
    offer_option(o, &offer);
    buf_printf(out, "complete -c heddle -n '__heddle_at %s%s' -l %s", c->name, study ? " 2" : "", o->name);
    if (offer_letter(o))
        buf_printf(out, " -s %c", offer_letter(o));
    if (o->arg && !(o->flags & OPTION_ARG_OPTIONAL)) {
        buf_puts(out, " -x -a '");
        offers(&offer, out);
        buf_puts(out, "'");
    }
    buf_puts(out, " -d '");
    offer_quoted(o->doc, "", out);
    buf_puts(out, "'\n");
    buf_free(&offer.words);
}

void completion_fish(struct buf *out) {
    buf_puts(out, functions);
    for (size_t i = 0; i < command_count; i++) {
        buf_printf(out, "complete -c heddle -n __fish_use_subcommand -f -a %s -d '", commands[i].name);
        offer_quoted(commands[i].doc, "", out);
        buf_puts(out, "'\n");
    }
    for (size_t i = 0; i < command_count; i++) {
        struct offer offer;
        offer_argument(&commands[i], &offer);
        buf_printf(out, "complete -c heddle -n '__heddle_at %s 2' -f -a '", commands[i].name);
        offers(&offer, out);
        buf_puts(out, "'\n");
        if (!offer_files(&offer))
            buf_printf(out, "complete -c heddle -n '__heddle_at %s' -f\n", commands[i].name);
        buf_free(&offer.words);
        offer_each_option(&commands[i], option, out);
    }
}
