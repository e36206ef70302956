#include "sim/cli/compare_output.h"

#include <stdio.h>
#include <string.h>

#include "sim/cli/file.h"
#include "sim/cli/ui.h"

enum { FORMS = 3 };

struct form {
    const char *option, *file;
    enum compare_form form;
};

static void list_forms(const struct compare_output *o, struct form form[FORMS]) {
    form[0] = (struct form){"--json", o->json, COMPARE_JSON};
    form[1] = (struct form){"--csv", o->csv, COMPARE_CSV};
    form[2] = (struct form){"--markdown", o->markdown, COMPARE_MARKDOWN};
}

bool compare_output_promise(const struct compare_output *o) {
    struct form form[FORMS];
    bool ok = true;
    list_forms(o, form);
    for (u32 i = 0; i < FORMS && ok; i++)
        ok = !form[i].file || file_promise(form[i].option, form[i].file, form[i].file);
    return ok;
}

bool compare_output_write(const struct compare_output *o, compare_put *put, const void *ctx) {
    struct form form[FORMS];
    struct file_output list[FORMS];
    struct buf made[FORMS] = {{0}}, text = {0};
    bool taken = false, ok = true;
    u32 n = 0;
    list_forms(o, form);
    for (u32 i = 0; i < FORMS && ok; i++) {
        if (!form[i].file)
            continue;
        taken |= strcmp(form[i].file, "-") == 0;
        ok = put(ctx, form[i].form, &made[i]);
        list[n++] = (struct file_output){form[i].file, made[i].data, made[i].len};
    }
    ok = ok && (taken || put(ctx, COMPARE_TEXT, &text));
    if (!ok)
        ui_error("out of memory");
    ok = ok && file_write_all(list, n);
    if (ok && text.len)
        fwrite(text.data, 1, text.len, stdout);
    for (u32 i = 0; i < FORMS; i++)
        buf_free(&made[i]);
    buf_free(&text);
    return ok;
}
