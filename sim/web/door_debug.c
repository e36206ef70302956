/* Commands of the debugger, on the last launch. */
#include "sim/web/door.h"
#include "sim/api/write.h"

EXPORT(door_debug) bool door_debug(struct door *d, const char *command, u32 block, u32 warp, u32 events);

void door_forget(struct door *d) {
    heddle_debugger_free(d->debugger);
    d->debugger = NULL;
    d->result = (struct heddle_result){0};
}

bool door_debugger(struct door *d) {
    if (!d->debugger && d->result.events)
        d->debugger = heddle_debugger_new(d->h, d->program[0], &d->result);
    return d->debugger != NULL;
}

/*
 * Runs a command and answers with its output and the cursor's place. Before, moves the cursor to a warp after `events`
 * events; UINT32_MAX leaves it where it is.
 */
bool door_debug(struct door *d, const char *command, u32 block, u32 warp, u32 events) {
    const char *text;
    door_begin(d);
    if (!door_debugger(d))
        return door_end(d, d->result.events ? heddle_error(d->h)
                                            : "the last launch has not been recorded: `watch` does that");
    if (events != UINT32_MAX && !heddle_debugger_go(d->debugger, block, warp, events))
        return door_end(d, "there is no such warp in the recording");
    if (!heddle_debugger_command(d->debugger, command, &text))
        return door_end(d, text);
    struct heddle_debugger_place at = heddle_debugger_place(d->debugger);
    write_text(&d->out, "text", text);
    write_whole(&d->out, "block", at.block);
    write_whole(&d->out, "warp", at.warp);
    write_whole(&d->out, "cycle", at.cycle);
    write_whole(&d->out, "event", at.events);
    return door_end(d, NULL);
}
