
#include <stdio.h>

#include "sim/cli/resource_dir.h"
#include "sim/cli/script.h"
#include "sim/cli/ui.h"
#include "sim/lua/session.h"

bool page_put(const struct buf *json, const struct buf *changes, struct buf *out) {
    struct heddle_session *s = script_session(0);
    struct buf path = {0}, text = {0}, diff = {0};
    size_t len = 0;
    const char *page = NULL;
    buf_printf(&path, "%s/scripts/report.lua", resources_root() ? resources_root() : ".");
    buf_puts(&text, "--text=");
    buf_append(&text, json->data, json->len);
    buf_puts(&diff, "--changes=");
    if (changes)
        buf_append(&diff, changes->data, changes->len);
    if (s && !path.failed && !text.failed && !diff.failed &&
        lua_session_run(s, path.data, 2, (char *[]){text.data, diff.data}) == 0)
        page = lua_session_returned(s, &len);
    if (page)
        buf_append(out, page, len);
    if (s && !page)
        ui_show(stderr, heddle_session_error(s));
    bool ok = page && !out->failed;
    buf_free(&path);
    buf_free(&text);
    buf_free(&diff);
    heddle_session_free(s);
    return ok;
}
