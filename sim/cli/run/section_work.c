/* The section `work`: the instructions that a launch executed, by class. */
#include <stdio.h>

#include "sim/cli/format.h"
#include "sim/cli/run/report.h"

static double per(u64 part, u64 whole) {
    return whole ? (double)part / (double)whole : 0;
}

static const struct table_column work_columns[] = {{"fact", "work", TABLE_WORD},
                                                   {"value", "", TABLE_NUMBER},
                                                   {"note", "", TABLE_PROSE}};
static const struct table_column class_columns[] = {{"class", "class", TABLE_WORD},
                                                    {"issued", "issued", TABLE_NUMBER},
                                                    {"percent", "share", TABLE_NUMBER}};

static void put_count(struct table *t, const char *what, u64 count) {
    table_word(t, what);
    table_number(t, (double)count, grouped(count));
    table_word(t, "");
}

void section_work(struct run_report *r, const struct heddle_result *s) {
    struct table *t = report_table(r, "work", work_columns, COUNT_OF(work_columns));
    double lanes = per(s->thread_instructions, s->warp_instructions);
    char note[120];
    put_count(t, "blocks", s->blocks);
    put_count(t, "warps", s->warps);
    put_count(t, "warp-instructions", s->warp_instructions);
    put_count(t, "thread-instructions", s->thread_instructions);
    table_word(t, "lanes per instruction");
    table_number(t, lanes, format_quotient(lanes, 1));
    snprintf(note, sizeof note, "of %u, %s", s->warp, format_share(lanes, s->warp).text);
    table_word(t, note);
    if (s->timed && metric_or_zero(s, "sm.branches") > 0) {
        double branches = metric_or_zero(s, "sm.branches"), divergent = metric_or_zero(s, "sm.divergent_branches");
        table_word(t, "divergent branches");
        table_number(t, divergent, grouped((u64)divergent));
        snprintf(note, sizeof note, "of %s, %s", grouped((u64)branches).text, format_share(divergent, branches).text);
        table_word(t, note);
    }
    t = report_table(r, "classes", class_columns, COUNT_OF(class_columns));
    for (u32 i = 0; i < s->nclasses; i++) {
        double issued = (double)s->classes[i].warp_instructions, all = (double)s->warp_instructions;
        table_word(t, s->classes[i].name);
        table_number(t, issued, grouped(s->classes[i].warp_instructions));
        table_number(t, 100 * per(s->classes[i].warp_instructions, s->warp_instructions), format_share(issued, all));
    }
}
