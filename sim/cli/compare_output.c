#include "sim/cli/compare_output.h"

#include <stdio.h>
#include <string.h>

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
    struct buf list = {0}, made[FORMS] = {{0}}, text = {0};
    bool taken = false, ok = true;
    list_forms(o, form);
    buf_append(&list, o->files, o->count * sizeof *o->files);
    for (u32 i = 0; i < o->count; i++)
        taken |= strcmp(o->files[i].path, "-") == 0;
    for (u32 i = 0; i < FORMS && ok; i++) {
        if (!form[i].file)
            continue;
        taken |= strcmp(form[i].file, "-") == 0;
        ok = put(ctx, form[i].form, &made[i]);
        const struct file_output one = {form[i].file, made[i].data, made[i].len};
        buf_append(&list, &one, sizeof one);
    }
    ok = ok && (taken || put(ctx, COMPARE_TEXT, &text)) && !list.failed;
    if (!ok)
        ui_error("out of memory");
    ok = ok && file_write_all((const struct file_output *)(const void *)list.data,
                              (u32)(list.len / sizeof(struct file_output)));
    if (ok && text.len)
        fwrite(text.data, 1, text.len, stdout);
    for (u32 i = 0; i < FORMS; i++)
        buf_free(&made[i]);
    buf_free(&text);
    buf_free(&list);
    return ok;
}
