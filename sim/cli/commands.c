/* The table of all commands. */
#include "sim/cli/command.h"

#include "sim/base/diag.h"
#include "sim/cli/file.h"
#include "sim/cli/ui.h"

const struct command commands[] = {
#define COMMAND(name, doc) {#name, doc, &cmd_##name##_argp, cmd_##name},
#include "sim/cli/commands.def"
};
const size_t command_count = COUNT_OF(commands);

static const char *nth_command(const void *ctx, size_t i) {
    (void)ctx;
    return commands[i].name;
}

void command_unknown(const char *name) {
    const char *near = nearest_name(name, command_count, nth_command, NULL);
    if (file_ends_in(name, ".lua"))
        ui_error("unknown command '%s'; did you mean 'heddle lua %s'?", name, name);
    else if (file_ends_in(name, ".hd") || file_ends_in(name, ".hdo") || file_exists(name))
        ui_error("unknown command '%s'; did you mean 'heddle run %s'?", name, name);
    else if (near)
        ui_error("unknown command '%s'; did you mean '%s'?", name, near);
    else
        ui_error("unknown command '%s'; 'heddle help' lists them", name);
}
