/* Layout: the visible panes, in three areas, each with as many of its panes as fit. */
#include "sim/cli/debug/screen_state.h"

static const struct pane_row {
    enum area areas[2]; /* areas by layout */
    u32 least, share;
} rows[PANES] = {
#define PANE(name, wide, narrow, least, share, looks) {{AREA_##wide, AREA_##narrow}, least, share},
#include "sim/cli/debug/screen_panes.def"
};

/* Rows of the bar above the panes, and of the last answer (two) and the keys below them. */
enum { BAR_ROWS = 1, FOOT_ROWS = 3 };

/* Layouts: the least width, and the edges of the areas in hundredths. */
static const struct layout {
    u32 cols;
    struct {
        u32 left, top, right, bottom;
    } areas[AREAS];
} layouts[] = {
    {110, {[AREA_SOURCE] = {0, 0, 46, 60}, [AREA_SIDE] = {0, 60, 46, 100}, [AREA_REST] = {46, 0, 100, 100}}},
    {0, {[AREA_SOURCE] = {0, 0, 59, 50}, [AREA_SIDE] = {59, 0, 100, 50}, [AREA_REST] = {0, 50, 100, 100}}},
};

/* Returns the least height of a pane with its title. */
static u32 least_of(u32 pane) {
    return rows[pane].least + 1;
}

/* Chooses the panes of the area that fit, the leading one among them; returns the rows that they need. */
static u32 choose(struct screen *s, enum area area, u32 height, bool chosen[PANES]) {
    u32 lead = s->lead[area];
    for (u32 i = 0; s->panes[lead].area != area; i++)
        lead = i; /* which is in another area of this layout */
    u32 used = least_of(lead);
    chosen[lead] = true;
    for (u32 i = 0; i < PANES; i++)
        if (s->panes[i].area == area && i != lead && s->panes[i].exists && used + least_of(i) <= height) {
            chosen[i] = true;
            used += least_of(i);
        }
    return used;
}

static void place_area(struct screen *s, enum area area, const struct box *b) {
    bool chosen[PANES] = {0};
    u32 used = choose(s, area, b->rows, chosen), left = b->rows > used ? b->rows - used : 0, shares = 0, y = b->y;
    for (u32 i = 0; i < PANES; i++)
        shares += chosen[i] ? rows[i].share : 0;
    for (u32 i = 0; i < PANES; i++) {
        if (!chosen[i])
            continue;
        u32 more = left * rows[i].share / shares;
        left -= more;
        shares -= rows[i].share;
        u32 height = used > b->rows ? b->rows : least_of(i) + more;
        s->panes[i].box = (struct box){.x = b->x, .y = y + 1, .cols = b->cols, .rows = height - 1};
        y += height;
    }
}

bool screen_place(struct screen *s) {
    u32 cols = s->canvas.cols, rows_all = s->canvas.rows;
    u32 layout = 0;
    while (cols < layouts[layout].cols)
        layout++;
    for (u32 i = 0; i < PANES; i++) {
        s->panes[i].box = (struct box){0};
        s->panes[i].area = rows[i].areas[layout];
    }
    if (cols < LEAST_COLS || rows_all < LEAST_ROWS)
        return false;
    u32 height = rows_all - BAR_ROWS - FOOT_ROWS;
    const struct layout *l = &layouts[layout];
    s->lead[s->panes[s->focus].area] = s->focus;
    if (s->alone) {
        s->panes[s->focus].box = (struct box){.y = BAR_ROWS + 1, .cols = cols, .rows = height - 1};
        return true;
    }
    for (enum area a = 0; a < AREAS; a++) {
        u32 x = cols * l->areas[a].left / 100, y = height * l->areas[a].top / 100;
        struct box b = {.x = x + (x > 0), .y = BAR_ROWS + y, .rows = height * l->areas[a].bottom / 100 - y};
        b.cols = cols * l->areas[a].right / 100 - b.x;
        place_area(s, a, &b);
    }
    return true;
}
