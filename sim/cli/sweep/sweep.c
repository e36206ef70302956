#include "sim/cli/sweep/sweep.h"

#include <string.h>

#include "sim/api/heddle.h"
#include "sim/cli/command.h"
#include "sim/cli/ui.h"

static bool count_points(const struct sweep *s, u64 *n) {
    *n = 1;
    for (u32 i = 0; i < s->naxes; i++) {
        *n *= s->axis[i].leader == i ? s->axis[i].axis.n : 1;
        if (*n > SWEEP_POINTS_MOST)
            return ui_option_error(s->axis[i].given_by, s->axis[i].axis.given, 0, strlen(s->axis[i].axis.given),
                                   "with this axis there are more than %s points", grouped(SWEEP_POINTS_MOST).text);
    }
    return true;
}

/* Reports the point that the messages above are about. */
static int cannot(const struct sweep *s, const struct sweep_point *p) {
    struct buf label = {0};
    sweep_label(s, p, &label);
    if (s->naxes && !s->explained && !label.failed)
        ui_error("this point cannot be built: %s", label.data);
    buf_free(&label);
    return EXIT_INPUT;
}

static bool list_points(struct sweep *s) {
    u64 n;
    if (!count_points(s, &n))
        return false;
    for (u64 i = 0; i < n; i++) {
        struct sweep_point *p = buf_push(&s->points, sizeof *p);
        if (!p)
            return ui_no_memory();
        p->number = i;
    }
    return !s->where || sweep_filter(s);
}

bool sweep_begin(struct sweep *s) {
    s->files = json_new();
    s->kernels = json_new();
    s->boards = json_new();
    s->cases = json_new();
    s->settings = json_new();
    if (hash_program(&s->build))
        return true;
    return ui_error_as("/proc/self/exe", "this program cannot be read");
}

int sweep_plan(struct sweep *s) {
    if (!list_points(s) || !sweep_fit(s) || !sweep_begin(s))
        return EXIT_INPUT;
    for (u32 i = 0; i < sweep_point_count(s); i++)
        if (sweep_identify(s, sweep_point_at(s, i)) != EXIT_OK)
            return cannot(s, sweep_point_at(s, i));
    return EXIT_OK;
}

void sweep_free(struct sweep *s) {
    ui_set_place(NULL, NULL);
    sweep_file_free(&s->file);
    json_decref(s->files);
    json_decref(s->kernels);
    json_decref(s->boards);
    json_decref(s->cases);
    json_decref(s->settings);
    buf_free(&s->points);
    buf_free(&s->intro);
    arena_free(&s->arena);
}
