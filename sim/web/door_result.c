/* The answer of a launch. */
#include <string.h>

#include "sim/web/door.h"
#include "sim/api/write.h"

/* Leaves out what a launch that failed does not have. */
static bool failed_field(const struct heddle_sink *to, const struct heddle_record *of, const struct heddle_field *f,
                         const void *record) {
    static const char *const known[] = {"fault", "checked", "findings", "events", "complete"};
    (void)to, (void)record;
    bool left_out = strcmp(of->name, "heddle_result") == 0;
    for (u32 i = 0; i < COUNT_OF(known); i++)
        left_out &= strcmp(f->name, known[i]) != 0;
    return left_out;
}

void door_put_result(struct door *d, enum heddle_status status) {
    write_whole(&d->out, "status", status);
    write_record(&d->out, "heddle_result", &d->result, status == HEDDLE_OK ? NULL : failed_field);
}
