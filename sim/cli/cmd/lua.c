/* heddle lua: scripts and the prompt. */
#include "sim/cli/command.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/option.h"
#include "sim/cli/ui.h"
#include "sim/cli/script.h"

struct lua_options {
    const char *code, *file;
    int argc; /* arguments of the script */
    char **argv;
    u64 max_memory; /* limit of a context, bytes; 0 = none */
};

enum { OPT_MAX_MEMORY = 0x100 };

static const struct argp_option options[] = {{"execute", 'e', "TEXT", 0, "Run the text instead of a file", 1},
                                             {"max-memory", OPT_MAX_MEMORY, "SIZE", 0,
                                              "Most memory that each context may take: 512M, 2G (default no bound)", 1},
                                             OPTION_GROUP(1, "Script:"),
                                             {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct lua_options *o = state->input;
    switch (key) {
    case 'e': o->code = arg; return 0;
    case OPT_MAX_MEMORY: return option_size("--max-memory", arg, &o->max_memory) ? 0 : EINVAL;
    case ARGP_KEY_ARG: return ARGP_ERR_UNKNOWN; /* collected below */
    case ARGP_KEY_ARGS:
        o->argv = state->argv + state->next;
        o->argc = state->argc - state->next;
        if (!o->code) {
            o->file = *o->argv++;
            o->argc--;
        }
        return 0;
    default: return command_keep(state, key, arg);
    }
}

const struct argp cmd_lua_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[SCRIPT.lua [ARGUMENT...]]",
    .doc =
        "Run a Lua script that can load programs, fill buffers and launch kernels through the global `heddle`, which "
        "require \"heddle\" gives as well. Without a script, start a prompt; when standard input is not a terminal, or "
        "the script is -, run what is read from it.",
    .children = command_common};

int cmd_lua(int argc, char **argv) {
    struct lua_options o = {0};
    if (!command_parse_in_order(&cmd_lua_argp, argc, argv, &o))
        return EXIT_INPUT;
    if (o.code || o.file || !isatty(STDIN_FILENO))
        return script_run_bounded(o.max_memory, o.file && strcmp(o.file, "-") != 0 ? o.file : NULL, o.code, o.argc,
                                  o.argv);
    struct heddle_session *s = script_session(o.max_memory);
    int status = s ? prompt_run(s) : EXIT_INPUT;
    heddle_session_free(s);
    return status;
}
