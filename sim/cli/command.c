#include "sim/cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api/heddle.h"
#include "sim/base/diag.h"
#include "sim/cli/ui.h"

int command_finish(int status) {
    errno = 0; /* the reason of the earlier failure is lost */
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    ui_error("cannot write to standard output%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
    return status ? status : EXIT_INPUT;
}

error_t command_keep(const struct argp_state *state, int key, const char *arg) {
    void *at = (char *)state->input + (key & 0xffff);
    switch (key >> 16) {
    case 1: *(const char **)at = arg; return 0;
    case 2: *(const char **)at = arg ? arg : "-"; return 0;
    case 3: *(bool *)at = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- options of every command ---- */

enum { OPT_USAGE = 0x7f01, OPT_COLOR };

static error_t parse_common(int key, char *arg, struct argp_state *state) {
    switch (key) {
    case 'h': help_print(state->root_argp, state->name, stdout); exit(command_finish(EXIT_OK));
    case OPT_USAGE:
        argp_state_help(state, stdout, ARGP_HELP_USAGE & ~(unsigned)ARGP_HELP_EXIT_OK);
        exit(command_finish(EXIT_OK));
    case 'V': printf("heddle %s\n", heddle_version()); exit(command_finish(EXIT_OK));
    case OPT_COLOR:
        if (ui_set_color(arg))
            return 0;
        ui_option_error("--color", arg, 0, strlen(arg), "expected auto, always or never");
        return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option common_options[] = {{"color", OPT_COLOR, "auto|always|never", 0,
                                                     "Colour messages; auto: on a terminal, unless NO_COLOR is set",
                                                     -1},
                                                    {"help", 'h', NULL, 0, "Print this help", -1},
                                                    {"usage", OPT_USAGE, NULL, OPTION_HIDDEN, NULL, -1},
                                                    {"version", 'V', NULL, 0, "Print the version", -1},
                                                    OPTION_GROUP(-1, "Every command:"),
                                                    {0}};

static const struct argp common_argp = {.options = common_options, .parser = parse_common};

const struct argp_child command_common[] = {{&common_argp, 0, NULL, -1}, {0}};

static error_t parse_again(int key, char *arg, struct argp_state *state) {
    bool help = key == 'h' || key == OPT_USAGE || key == 'V';
    if (!help)
        return parse_common(key, arg, state);
    ui_error("this command line asks for help, not for work");
    return EINVAL;
}

static const struct argp again_argp = {.options = common_options, .parser = parse_again};

const struct argp_child command_again[] = {{&again_argp, 0, NULL, -1}, {0}};

/* ---- misspelt options ---- */

/* Returns one of all options of a command: its own, those of another command that it takes, and the common ones. */
static const struct argp_option *option_at(const struct argp *argp, size_t i) {
    for (const struct argp_option *o = argp->options; o && o->name; o++)
        if (i-- == 0)
            return o;
    const struct argp *other = argp->children && argp->children->argp != &common_argp ? argp->children->argp : NULL;
    for (const struct argp_option *o = other ? other->options : NULL; o && o->name; o++)
        if (i-- == 0)
            return o;
    for (const struct argp_option *o = common_options; o->name; o++)
        if (i-- == 0)
            return o;
    return NULL;
}

static const char *nth_option(const void *ctx, size_t i) {
    const struct argp_option *o = option_at(ctx, i);
    return o->flags & OPTION_HIDDEN ? NULL : o->name;
}

/* True if the option, short or long, takes the next word as its value. */
static bool value_follows(const struct argp_option *o, const char *rest) {
    return o && o->arg && !(o->flags & OPTION_ARG_OPTIONAL) && !*rest;
}

static const struct argp_option *find_long(const struct argp *argp, const char *name, size_t len) {
    const struct argp_option *o, *found = NULL;
    for (size_t i = 0; (o = option_at(argp, i)); i++) {
        if (strncmp(o->name, name, len) != 0)
            continue;
        if (strlen(o->name) == len)
            return o;
        found = o; /* an abbreviation: getopt accepts it if it is unique, and explains it if not */
    }
    return found;
}

static bool unknown_option(const struct argp *argp, const char *name, const char *word, size_t len) {
    char text[64];
    size_t n = 0;
    snprintf(text, sizeof text, "%.*s", len < sizeof text ? (int)len : (int)sizeof text - 1, word);
    while (option_at(argp, n))
        n++;
    const char *near = nearest_name(text, n, nth_option, argp);
    if (near)
        ui_error_as(name, "unknown option '--%s'; did you mean '--%s'?", text, near);
    else
        ui_error_as(name, "unknown option '--%s'; '%s --help' lists them", text, name);
    return false;
}

static bool options_known(const struct argp *argp, int argc, char **argv, bool in_order) {
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        const struct argp_option *o = NULL;
        if (word[0] != '-' || !word[1]) {
            if (in_order)
                return true;
            continue;
        }
        if (word[1] != '-') {
            for (size_t k = 0; option_at(argp, k) && !o; k++)
                o = option_at(argp, k)->key == word[1] ? option_at(argp, k) : NULL;
            i += value_follows(o, word + 2);
            continue;
        }
        if (!word[2])
            return true;
        size_t len = strcspn(word + 2, "=");
        o = find_long(argp, word + 2, len);
        if (!o)
            return unknown_option(argp, argv[0], word + 2, len);
        i += value_follows(o, word + 2 + len);
    }
    return true;
}

/* Parses the line. A parser returns EINVAL after its own message; ENOMEM, also argp's own answer, has none yet. */
static bool parse_line(const struct argp *argp, int argc, char **argv, unsigned flags, void *input) {
    error_t why = argp_parse(argp, argc, argv, ARGP_NO_HELP | flags, NULL, input);
    if (why == ENOMEM)
        ui_error("out of memory");
    return why == 0;
}

bool command_knows(const struct argp *argp, int argc, char **argv) {
    return options_known(argp, argc, argv, false);
}

bool command_parse(const struct argp *argp, int argc, char **argv, void *input) {
    return options_known(argp, argc, argv, false) && parse_line(argp, argc, argv, 0, input);
}

bool command_parse_in_order(const struct argp *argp, int argc, char **argv, void *input) {
    return options_known(argp, argc, argv, true) && parse_line(argp, argc, argv, ARGP_IN_ORDER, input);
}

error_t command_one(struct argp_state *state, const char **kept, const char *arg, const char *rule) {
    if (*kept) {
        argp_error(state, "%s, not '%s' and '%s'", rule, *kept, arg);
        return EINVAL;
    }
    *kept = arg;
    return 0;
}

const struct command *command_find(const char *name) {
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}
