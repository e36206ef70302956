/* The section `advice`: each rule that applies, then those that do not. */
#include "sim/cli/run/report.h"

#include <stdio.h>
#include <string.h>

static const struct table_column columns[] = {{"rule", "rule", TABLE_WORD},
                                              {"gain", "at most", TABLE_NUMBER},
                                              {"advice", "what to try", TABLE_PROSE}};

static struct short_text times(double gain) {
    struct short_text s;
    snprintf(s.text, sizeof s.text, gain < 10 ? "%.2fx" : "%.1fx", gain);
    return s;
}

static bool applies(const struct heddle_result *s, const char *rule) {
    for (u32 i = 0; i < s->nadvice; i++)
        if (strcmp(s->advice[i].rule, rule) == 0)
            return true;
    return false;
}

void section_advice(struct run_report *r, const struct heddle_result *s) {
    struct table *t = report_table(r, "advice", columns, COUNT_OF(columns));
    const char *name, *action, *doc;
    for (u32 i = 0; i < s->nadvice; i++) {
        table_word(t, s->advice[i].rule);
        table_number(t, s->advice[i].gain, times(s->advice[i].gain));
        table_word(t, s->advice[i].text);
    }
    for (u32 i = 0; heddle_advice_rule(i, &name, &action, &doc); i++)
        if (!applies(s, name)) {
            table_word(t, name);
            table_none(t);
            table_word(t, action);
        }
}
