#include "sim/cli/debug/screen.h"

#include <string.h>

#include "sim/cli/debug/screen_state.h"

static const char *const names[PANES] = {
#define PANE(name, wide, narrow, least, share, looks) #name,
#include "sim/cli/debug/screen_panes.def"
};

/* True if the pane's command exists. */
static bool has_command(const char *name) {
    const char *is, *brief, *arguments, *doc;
    for (u32 i = 0; heddle_debugger_row(i, &is, &brief, &arguments, &doc); i++)
        if (strcmp(is, name) == 0)
            return true;
    return false;
}

static void begin(struct screen *s) {
    for (u32 i = 0; i < PANES; i++)
        s->panes[i].exists = has_command(names[i]);
    s->lead[AREA_SOURCE] = PANE_list;
    s->lead[AREA_SIDE] = PANE_masks;
    s->lead[AREA_REST] = PANE_registers;
    s->focus = PANE_registers;
    screen_command(s, "where");
}

bool screen_possible(const char **why) {
    return tty_possible(why);
}

bool screen_run(struct debug *d, const char *title, const char **why) {
    struct screen s = {.d = d, .title = title};
    char key[TTY_KEY_BYTES];
    if (!tty_begin(&s.tty, why))
        return false;
    for (begin(&s); !s.left;) {
        if (!tty_waiting()) /* draws only after the last of keys that arrive faster */
            screen_draw(&s);
        if (!tty_key(&s.tty, key))
            break;
        screen_key(&s, key);
    }
    tty_end(&s.tty);
    canvas_free(&s.canvas);
    buf_free(&s.answer);
    for (u32 i = 0; i < PANES; i++)
        buf_free(&s.panes[i].text);
    return true;
}
