#include "sim/cli/table_json.h"

#include <math.h>

static json_t *json_cell(const struct table_cell *cell, const char *text) {
    if (cell->kind == CELL_NONE)
        return json_null();
    if (cell->kind == CELL_WORD)
        return json_text(text);
    return cell->number == floor(cell->number) && fabs(cell->number) < 0x1p53 ? json_s64((s64)cell->number)
                                                                              : json_number(cell->number);
}

json_t *table_json(const struct table *t) {
    json_t *all = t->cells.failed || t->texts.failed ? NULL : json_list();
    for (u32 row = 0; all && row < table_rows(t); row++) {
        json_t *one = json_new();
        if (table_cell(t, row, 0)->launch)
            json_put(one, "launch", json_u64(table_cell(t, row, 0)->launch));
        for (u32 c = 0; c < t->columns; c++)
            if (t->column[c].kind != TABLE_BAR)
                json_put(one, t->column[c].key, json_cell(table_cell(t, row, c), table_cell_text(t, row, c)));
        json_add(all, one);
    }
    return all;
}
