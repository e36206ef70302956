#include "sim/cli/replay/replay.h"

#include <string.h>

#include "sim/api/heddle.h"
#include "sim/base/buf.h"
#include "sim/cli/ui.h"
#include "sim/file/document.h"

static bool wrong(const char *file, const char *name) {
    return ui_error_as(file, "this is not a recording of 'heddle run --record': '%s' is missing, or is something else",
                       name);
}

static bool is_count(const json_t *of, const char *name) {
    const json_t *v = json_object_get(of, name);
    return json_is_integer(v) && json_integer_value(v) >= 0;
}

static bool check(const char *file, const json_t *head) {
    const char *format = json_string_value(json_object_get(head, "format"));
    const json_t *of = json_object_get(head, "of"), *words = json_object_get(head, "command");
    const char *version = json_string_value(json_object_get(head, "heddle"));
    size_t i;
    json_t *word;
    if (!format || (strcmp(format, "heddle-recording-2") != 0 && strcmp(format, "heddle-recording-1") != 0))
        return wrong(file, "format");
    if (!json_is_array(words) || !json_array_size(words))
        return wrong(file, "command");
    json_array_foreach((json_t *)(uintptr_t)words, i, word) if (!json_is_string(word)) return wrong(file, "command");
    if (!json_is_string(json_object_get(of, "kernel")) || !json_is_string(json_object_get(of, "board")) ||
        !json_is_string(json_object_get(of, "launch")) || !json_is_object(json_object_get(of, "buffers")))
        return wrong(file, "of");
    if (!is_count(head, "cycles") || !is_count(head, "from") || !is_count(head, "to"))
        return wrong(file, "cycles");
    if (json_integer_value(json_object_get(head, "from")) > json_integer_value(json_object_get(head, "to")) ||
        json_integer_value(json_object_get(head, "to")) > json_integer_value(json_object_get(head, "cycles")))
        return wrong(file, "to");
    if (!version || strcmp(version, heddle_version()) != 0)
        return ui_error_as(file, "heddle %s has made it, and this is heddle %s: their clocks may differ",
                           version ? version : "?", heddle_version());
    return true;
}

json_t *replay_head(const char *file, const char *text, size_t len) {
    struct buf why = {0};
    json_t *head = document_read(file, text, len, &why);
    if (!head)
        ui_show(stderr, why.failed || !why.len ? "heddle: error: out of memory\n" : why.data);
    buf_free(&why);
    if (head && check(file, head))
        return head;
    json_decref(head);
    return NULL;
}
