#include "sim/cli/sweep/run/run.h"

#include <stdio.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/cli/ui.h"
#include "sim/file/computer.h"

enum { FAILURES_SHOWN = 5 };
static const double BEAT_SECONDS = 10;

void tally_begin(struct tally *t, const struct sweep *s, const struct sweep_work *w) {
    *t = (struct tally){.s = s, .w = w, .beat = stopwatch_now()};
    progress_begin(&t->progress);
}

bool tally_broken(struct tally *t) {
    t->broken = true;
    return false;
}

/* Shows the first failures on standard error, each with its first line. */
static void show_failure(struct tally *t, u32 point, const char *message) {
    struct buf label = {0};
    sweep_label(t->s, sweep_point_at(t->s, point), &label);
    buf_printf(&label, ": %.*s\n", (int)strcspn(message, "\n"), message);
    progress_hide(&t->progress);
    ui_show(stderr, label.failed ? "" : label.data);
    buf_free(&label);
}

void tally_point(struct tally *t, u32 point, bool present, enum store_state state, const char *message) {
    t->present += present;
    t->done += !present;
    if (state != STORE_DONE && ++t->failed <= FAILURES_SHOWN)
        show_failure(t, point, message ? message : store_state_name(state));
}

bool tally_result(struct tally *t, u32 point, enum store_state state, const json_t *row) {
    if (!store_finish(t->w->store, sweep_point_at(t->s, point)->is.key.text, state, row, &t->why))
        return tally_broken(t);
    tally_point(t, point, false, state, json_string_value(json_object_get(row, "message")));
    return true;
}

bool tally_show(struct tally *t) {
    u32 all = sweep_point_count(t->s), over = t->present + t->done;
    if (!progress_due(&t->progress))
        return false;
    double rate = t->done / progress_seconds(&t->progress);
    fprintf(stderr, "%u of %u points", over, all);
    if (t->failed)
        fprintf(stderr, ", %u failed", t->failed);
    if (t->done)
        fprintf(stderr, ", %.3g points/s, about %.0f s to go", rate, (all - over) / rate);
    return true;
}

void tally_beat(struct tally *t) {
    double now = stopwatch_now();
    if (now - t->beat < BEAT_SECONDS)
        return;
    t->beat = now;
    if (!store_beat(t->w->store, &t->why))
        tally_broken(t);
}

/* Prints the summary; for a stopped sweep also how much is done, and that nothing is lost. */
static void summarise(const struct tally *t, bool interrupted, double seconds) {
    u32 all = sweep_point_count(t->s), over = t->present + t->done;
    if (interrupted)
        printf("%s of %s; the same command continues\n", grouped(over).text, grouped(all).text);
    printf("%s point%s in %s: %s run", grouped(interrupted ? over : all).text,
           (interrupted ? over : all) == 1 ? "" : "s", t->w->path, grouped(t->done).text);
    if (t->present)
        printf(", %s were there", grouped(t->present).text);
    if (t->failed)
        printf(", %s failed", grouped(t->failed).text);
    printf("; %.1f s\n", seconds);
}

int tally_end(struct tally *t) {
    bool interrupted = progress_interrupted();
    double seconds = progress_seconds(&t->progress);
    progress_end(&t->progress);
    if (t->why.failed)
        ui_no_memory();
    else
        ui_show(stderr, t->why.len ? t->why.data : "");
    if (!t->w->part && store_there(t->w->store, NULL))
        summarise(t, interrupted && t->present + t->done < sweep_point_count(t->s), seconds);
    buf_free(&t->why);
    return t->broken ? EXIT_INPUT : interrupted ? EXIT_INTERRUPTED : t->failed ? EXIT_FAULT : EXIT_OK;
}
