/*
 * Any text as the first line of a recording: it is refused, or has all that `heddle replay` takes out of it.
 */
#include <stdlib.h>

#include "sim/cli/json.h"
#include "sim/cli/replay/replay.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    json_begin();
    return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    json_t *head = replay_head("k.jsonl", (const char *)data, size);
    const json_t *of = json_object_get(head, "of");
    json_int_t from = json_integer_value(json_object_get(head, "from")),
               to = json_integer_value(json_object_get(head, "to")),
               cycles = json_integer_value(json_object_get(head, "cycles"));
    if (head && (!json_string_value(json_array_get(json_object_get(head, "command"), 0)) ||
                 !json_is_object(json_object_get(of, "buffers")) || from < 0 || from > to || to > cycles))
        abort();
    json_decref(head);
    return 0;
}
