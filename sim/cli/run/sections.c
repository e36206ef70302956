#include "sim/cli/run/options.h"

#include <string.h>

#include "sim/base/diag.h"
#include "sim/cli/ui.h"

/* "time, advice, ..., " */
#define SECTION(name, clock, doc) #name ", "
static const char names[] =
#include "sim/cli/run/sections.def"
    ;

static const struct {
    const char *name;
    bool clock;
} rows[] = {
#define SECTION(name, clock, doc) {#name, clock},
#include "sim/cli/run/sections.def"
    {"all", false},
};

static const char *name_at(const void *ctx, size_t i) {
    (void)ctx;
    return rows[i].name;
}

static void unknown(const char *text, size_t at, size_t len) {
    char word[40];
    size_t shown = len < sizeof word ? len : sizeof word - 1;
    memcpy(word, text + at, shown);
    word[shown] = 0;
    const char *near = nearest_name(word, COUNT_OF(rows), name_at, NULL);
    if (near)
        ui_option_error("--section", text, at, len, "unknown section '%s'; did you mean '%s'?", word, near);
    else
        ui_option_error("--section", text, at, len ? len : 1, "expected %sor all", names);
}

bool run_sections_option(const char *text, struct run_sections *s) {
    for (const char *at = text;; at++) {
        size_t len = strcspn(at, ",");
        u32 i = 0;
        while (i < COUNT_OF(rows) && !(strlen(rows[i].name) == len && strncmp(rows[i].name, at, len) == 0))
            i++;
        if (i == COUNT_OF(rows)) {
            unknown(text, (size_t)(at - text), len);
            return false;
        }
        s->chosen |= i == RUN_SECTIONS ? (1u << RUN_SECTIONS) - 1 : 1u << i;
        if (rows[i].clock && !s->timed)
            s->timed = rows[i].name;
        at += len;
        if (!*at)
            return true;
    }
}
