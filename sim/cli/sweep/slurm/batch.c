#include "sim/cli/sweep/slurm/batch.h"

#include <stdio.h>

#include "sim/file/stopwatch.h"

void batch_mark(const struct batch *a, struct collect *c) {
    for (u32 i = 0; i < a->n; i++)
        if (!a->task[i / a->chunk].over && a->point[i] != UINT32_MAX && c->state[a->point[i]] == COLLECT_MISSING)
            collect_set(c, a->point[i], COLLECT_FLYING);
}

bool batch_add(struct batch **first, struct collect *c, const struct array_folder *folder,
               const struct array_points *points) {
    u32 n = array_point_count(points), tasks = (n + points->chunk - 1) / points->chunk;
    struct batch *a = arena_alloc(&c->arena, sizeof *a);
    u32 *point = arena_alloc(&c->arena, n * sizeof *point);
    struct task *task = arena_alloc(&c->arena, tasks * sizeof *task);
    if (!a || !point || !task)
        return sweep_no_memory();
    for (u32 i = 0; i < n; i++)
        point[i] = collect_find(c, array_point_at(points, i)->key.text);
    *a = (struct batch){.folder = *folder,
                        .chunk = points->chunk,
                        .n = n,
                        .tasks = tasks,
                        .open = tasks,
                        .point = point,
                        .task = task,
                        .answered = stopwatch_now(),
                        .waits = tasks,
                        .next = *first};
    *first = a;
    batch_mark(a, c);
    return true;
}

u32 batch_task_end(const struct batch *a, u32 task) {
    u32 left = a->n - task * a->chunk;
    return task * a->chunk + (left < a->chunk ? left : a->chunk);
}

void batch_end_task(struct batch *a, u32 task) {
    array_forget(&a->folder, task);
    a->task[task].over = true;
    a->open--;
}

void batch_drop(struct batch **link, bool leave) {
    struct batch *a = *link;
    *link = a->next;
    if (leave)
        array_leave(&a->folder);
    else
        array_remove(&a->folder);
}

/* ---- squeue ---- */

static void note_task(struct batch *a, const struct slurm_task *t, double now) {
    struct task *mine = t->index < a->tasks ? &a->task[t->index] : NULL;
    if (!mine || mine->over)
        return;
    if (!mine->ended)
        mine->since = now;
    mine->listed = true;
    mine->ended = t->over;
    mine->failed = t->over && !t->completed;
    snprintf(mine->why, sizeof mine->why, "%s", t->why);
    a->runs += t->runs;
    if (!t->runs && !t->over) {
        a->waits++;
        snprintf(a->reason, sizeof a->reason, "%s", t->why);
    }
}

static bool is_believable(const char *answer) {
    struct slurm_task t;
    enum slurm_answer part;
    while ((part = slurm_read_task(&answer, &t)) == SLURM_TASK)
        ;
    return part == SLURM_END;
}

/* That tasks which are not listed have ended is all that Slurm still knows. */
bool batch_read(struct batch *a, const char *answer, double now) {
    struct slurm_task t;
    if (!is_believable(answer))
        return false;
    a->answered = now;
    a->runs = a->waits = 0;
    for (u32 i = 0; i < a->tasks; i++)
        a->task[i].listed = false;
    while (slurm_read_task(&answer, &t) == SLURM_TASK)
        note_task(a, &t, now);
    for (u32 i = 0; i < a->tasks; i++) {
        struct task *mine = &a->task[i];
        if (mine->listed || mine->ended)
            continue;
        mine->ended = true;
        mine->since = now;
        snprintf(mine->why, sizeof mine->why, "Slurm does not know of it");
    }
    return true;
}
