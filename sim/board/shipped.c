#include "sim/board/shipped.h"

#include <stdio.h>
#include <string.h>

static const char ending[] = ".yaml";

/* The length of a name without the ending of a file. */
static size_t stem(const char *name) {
    size_t len = strlen(name), end = sizeof ending - 1;
    return len > end && strcmp(name + len - end, ending) == 0 ? len - end : len;
}

struct description description_shipped(const char *name) {
    struct description d = {.text = NULL};
    size_t len = stem(name);
    for (u32 i = 0; i < board_shipped_count; i++) {
        const struct board_shipped *s = &board_shipped[i];
        if (strlen(s->name) != len || strncmp(s->name, name, len) != 0)
            continue;
        d = (struct description){.text = s->text, .len = s->len, .shipped = true};
        snprintf(d.file, sizeof d.file, "%s%s", s->name, ending);
    }
    return d;
}

struct description description_device(const char *name) {
    struct description d = {.text = NULL};
    for (u32 i = 0; i < device_text_count; i++)
        if (strcmp(device_texts[i].name, name) == 0) {
            d = (struct description){.text = device_texts[i].text, .len = device_texts[i].len, .shipped = true};
            snprintf(d.file, sizeof d.file, "%s%s", name, ending);
        }
    return d;
}

const char *device_shipped(u32 index) {
    return index < device_text_count ? device_texts[index].name : NULL;
}

struct description description_base(const struct board_source *source, const char *file, const char *name) {
    const char *slash = strrchr(file, '/'), *own = slash ? slash + 1 : file;
    bool itself = stem(own) == stem(name) && strncmp(own, name, stem(own)) == 0;
    struct description d = {.text = NULL};
    if (itself)
        d = description_shipped(name);
    for (u32 i = 0; i < (name[stem(name)] ? 1 : 2) && source && source->read && !d.text; i++) {
        int len = snprintf(d.file, sizeof d.file, "%s%s", name, i ? ending : "");
        if (len < (int)sizeof d.file)
            d.text = source->read(source->ctx, d.file, &d.len);
    }
    return d.text ? d : description_shipped(name);
}

static const char *nth(const void *ctx, size_t i) {
    (void)ctx;
    return board_shipped[i].name;
}

struct description_hint description_hint(const char *name) {
    struct description_hint h = {""};
    const char *near = nearest_name(name, board_shipped_count, nth, NULL);
    size_t len = 0;
    if (near)
        snprintf(h.text, sizeof h.text, "did you mean '%s'?", near);
    for (u32 i = 0; !near && i < board_shipped_count && len < sizeof h.text; i++)
        len +=
            (size_t)snprintf(h.text + len, sizeof h.text - len, "%s%s", i ? ", " : "these do: ", board_shipped[i].name);
    return h;
}
