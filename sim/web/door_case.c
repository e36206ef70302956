/* Scripts, and the cases of kernels: Lua sees the files of the page as the source tree (scripts/web/files.js). */
#include <stdlib.h>
#include <string.h>

#include "sim/lua/session.h"
#include "sim/web/door.h"
#include "sim/api/write.h"

EXPORT(door_lua) bool door_lua(struct door *d, const char *name, const char *text, const char *given);
EXPORT(door_case) bool door_case(struct door *d, const char *which);
EXPORT(door_run) u32 door_run(struct door *d, const struct door_launch *asked);

/* Returns the interpreter, made at the first call; NULL, with the answer begun, when out of memory. */
static struct heddle_session *session(struct door *d) {
    door_begin(d);
    if (!d->session)
        d->session = heddle_session_new("", DOOR_MEMORY);
    if (!d->session)
        write_text(&d->out, "error", "no memory for Lua\n");
    return d->session;
}

/* Ends the answer of a call of Lua, with its error if it has failed. */
static bool ended(struct door *d, bool ok) {
    if (!ok && d->session)
        write_text(&d->out, "error", heddle_session_error(d->session));
    write_close(&d->out, '}');
    return ok;
}

/* Runs a script with one argument; the string that it returns is the answer's "value". */
bool door_lua(struct door *d, const char *name, const char *text, const char *given) {
    struct heddle_session *s = session(d);
    char *arg = strdup(given);
    size_t len;
    bool ok = s && arg && lua_session_run_text(s, name, text, 1, &arg) == 0;
    free(arg);
    if (ok)
        write_text(&d->out, "value", lua_session_returned(s, &len));
    return ended(d, ok);
}

/* Finds a case of the kernel that was loaded last: N, NAME or NAME:K; "" = the first. */
bool door_case(struct door *d, const char *which) {
    struct heddle_session *s = session(d);
    struct heddle_case found;
    struct heddle_file file = {.name = d->path ? d->path : "", .text = d->source ? d->source : ""};
    file.len = strlen(file.text);
    const struct heddle_case_asked asked = {.which = *which ? which : NULL};
    bool ok = s && heddle_case_find(s, d->h, &file, &asked, &found);
    d->cased = ok && found.entry;
    if (ok && found.entry) {
        write_whole(&d->out, "number", found.number);
        write_whole(&d->out, "count", found.count);
        write_text(&d->out, "entry", found.entry);
        write_text(&d->out, "text", found.text);
        write_text(&d->out, "board", found.board);
    }
    return ended(d, ok);
}

/* Adds the verdict on the case's expectations to the answer of its launch. */
static bool put_verdict(struct door *d) {
    struct heddle_case_verdict v;
    if (!heddle_case_check(d->session, &d->result, false, &v))
        return false;
    write_open(&d->out, "expectations", '{');
    write_whole(&d->out, "total", v.total);
    write_whole(&d->out, "met", v.met);
    write_text(&d->out, "text", v.text);
    write_close(&d->out, '}');
    return true;
}

/* Launches the case that door_case has found; with the recording, checks and limits given. */
u32 door_run(struct door *d, const struct door_launch *asked) {
    struct heddle_session *s = session(d);
    struct heddle_board_value width;
    struct heddle_launch l = {0};
    bool ok = s && d->cased && d->program[0] && heddle_board_value(d->h, "warp_width", &width);
    if (ok) {
        const struct heddle_case_given given = {.warp = asked->warp, .board_warp = (u32)width.number};
        ok = heddle_case_fill(s, d->program[0], &given, &l);
    }
    if (!ok) {
        if (!d->cased)
            write_text(&d->out, "error", "there is no case: the kernel has no line ';! run'\n");
        return ended(d, !d->cased), HEDDLE_INPUT;
    }
    if (asked->max_instructions && (!l.max_instructions || l.max_instructions > asked->max_instructions))
        l.max_instructions = asked->max_instructions;
    enum heddle_status status = door_perform(d, &l, asked);
    if (status != HEDDLE_OK)
        write_text(&d->out, "error", heddle_error(d->h));
    if (status == HEDDLE_OK || status == HEDDLE_FAULT)
        ok = put_verdict(d);
    return ended(d, ok), ok ? status : HEDDLE_INPUT;
}
