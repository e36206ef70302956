#include "sim/gpu/sample_model.h"

#include <math.h>
#include <string.h>

#include "sim/base/bits.h"

/* Steps of a doubling that distinguish blocks: EXACT, the number itself. */
enum { EXACT = 64 };
static const struct steps {
    u32 instructions, sectors;
} steps_of[] = {{EXACT, EXACT}, {8, 8}, {4, 4}, {2, 2}, {1, 1}, {1, 0}};

/* The number's place among `steps` for each doubling. */
static u64 step_of(u64 n, u32 steps) {
    u32 bits = 0;
    while (n >> bits > 1)
        bits++;
    return steps == EXACT ? n : bits * steps + (n * steps >> bits);
}

static u64 key_of(const struct block_work *w, const struct steps *s) {
    return step_of(w->instructions, s->instructions) << 32 ^ step_of(w->sectors, s->sectors);
}

/* Groups by keys of such steps; false if that makes too many. */
static bool group_by(struct sample_model *m, const struct steps *steps) {
    u32 last = 0;
    m->count = 0;
    memset(m->groups, 0, sizeof m->groups);
    for (u64 b = 0; b < m->blocks; b++) {
        u64 key = key_of(&m->work[b], steps);
        if (!m->count || m->groups[last].key != key)
            for (last = 0; last < m->count && m->groups[last].key != key;)
                last++;
        if (last == SAMPLE_GROUPS)
            return false;
        if (last == m->count)
            m->groups[m->count++].key = key;
        m->groups[last].blocks++;
        m->groups[last].work += b < m->last ? (double)m->work[b].instructions : 0;
        m->group[b] = (u8)last;
    }
    return true;
}

bool sample_group(struct sample_model *m, struct arena *arena) {
    m->group = arena_raw(arena, m->blocks);
    m->free = arena_alloc(arena, m->places * sizeof *m->free);
    if (!m->group || !m->free)
        return false;
    for (u32 i = 0; i < COUNT_OF(steps_of) && !group_by(m, &steps_of[i]);)
        i++;
    return true;
}

struct sums {
    double time, work, blocks; /* of blocks that have ended */
    double off;                /* squares of what differs from the group's time */
    double started;            /* instructions of all that have started */
};

/* Adds up the times of blocks that have ended, by group. */
static void add_times(const struct sample_model *m, const struct sample_times *t, u64 from, u64 to, struct sums *sum) {
    for (u64 i = from; i < to; i++) {
        u64 b = t->order[i];
        struct sums *s = &sum[m->group[b]];
        s->started += (double)m->work[b].instructions;
        if (!t->end[b])
            continue;
        s->time += (double)(t->end[b] - t->start[b]);
        s->work += (double)m->work[b].instructions;
        s->blocks++;
    }
}

/* Adds up the squares of what differs from the time of the group. */
static void add_squares(const struct sample_model *m, const struct sample_times *t, u64 from, u64 to,
                        struct sums *sum) {
    for (u64 i = from; i < to; i++) {
        u64 b = t->order[i];
        double model = m->groups[m->group[b]].rate * (double)m->work[b].instructions;
        double off = t->end[b] ? (double)(t->end[b] - t->start[b]) - model : 0;
        sum[m->group[b]].off += off * off;
    }
}

/* Error of the time of a group: of its mean, relative; all of it where no block has ended. */
static double group_error(const struct sums *s) {
    double n = s->blocks;
    return n > 1 ? sqrt(s->off / (n - 1) * n) / s->time : 1;
}

/* The groups' errors, by how much their shares in the time of what was timed differ from those in the rest. */
static double mix_of(const struct sample_model *m, const struct sums *sum) {
    double timed = 0, rest = 0, square = 0, unseen = 0;
    for (u32 g = 0; g < m->count; g++) {
        timed += m->groups[g].rate * sum[g].started;
        rest += m->groups[g].rate * (m->groups[g].work - sum[g].started);
    }
    for (u32 g = 0; g < m->count && rest > 0; g++) {
        const struct sample_group *group = &m->groups[g];
        double there = group->rate * sum[g].started / timed;
        double left = group->rate * (group->work - sum[g].started) / rest;
        double off = (left - there) * group_error(&sum[g]);
        square += group->timed ? off * off : 0;
        unseen += group->timed ? 0 : left;
    }
    return 2 * sqrt(square) + unseen;
}

void sample_fit(struct sample_model *m, const struct sample_times *t, u64 from, u64 to) {
    struct sums sum[SAMPLE_GROUPS] = {{0}};
    double time = 0, work = 0;
    add_times(m, t, from, to, sum);
    for (u32 g = 0; g < m->count; g++) {
        time += sum[g].time;
        work += sum[g].work;
    }
    for (u32 g = 0; g < m->count; g++) {
        struct sample_group *group = &m->groups[g];
        group->timed = (u64)sum[g].blocks;
        group->rate = sum[g].work > 0 ? sum[g].time / sum[g].work : work > 0 ? time / work : 1;
    }
    add_squares(m, t, from, to, sum);
    m->mix = mix_of(m, sum);
}

/* Lets the place at the top of the heap be free at `time`, and puts the first one there again. */
static void heap_replace(double *heap, u32 n, double time) {
    u32 at = 0;
    for (u32 child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && heap[child + 1] < heap[child];
        if (heap[child] >= time)
            break;
        heap[at] = heap[child];
    }
    heap[at] = time;
}

double sample_play(const struct sample_model *m, const u64 *order, u64 n, double *wave) {
    double end = 0, sum = 0;
    memset(m->free, 0, m->places * sizeof *m->free);
    for (u64 i = 0; i < n; i++) {
        u64 b = order ? order[i] : i;
        double start = m->free[0];
        double over = start + m->groups[m->group[b]].rate * (double)m->work[b].instructions;
        end = over > end ? over : end;
        heap_replace(m->free, m->places, over + (double)m->gap);
        sum += start;
        if (wave && (i + 1) % m->places == 0) {
            wave[i / m->places] = sum / m->places;
            sum = 0;
        }
    }
    return end;
}

struct sample_rate sample_rate(const double *measured, const double *modelled, u32 n) {
    /* Student's t for 95 % by degrees of freedom. */
    static const double quantile[] = {0,    12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23,
                                      2.20, 2.18,  2.16, 2.14, 2.13, 2.12, 2.11, 2.10, 2.09, 2.09};
    double time = 0, model = 0, square = 0, next = 0, before = 0;
    for (u32 i = 0; i < n; i++) {
        time += measured[i];
        model += modelled[i];
    }
    if (n < 2 || time <= 0 || model <= 0)
        return (struct sample_rate){1, 1};
    struct sample_rate r = {.scale = time / model};
    for (u32 i = 0; i < n; i++) {
        double off = (measured[i] - r.scale * modelled[i]) / (time / n);
        square += off * off;
        next += off * before;
        before = off;
    }
    square += next < 0 ? next : 0; /* a wave that is late is followed by one that is early: their sum is more certain */
    r.error = quantile[n <= COUNT_OF(quantile) ? n - 1 : COUNT_OF(quantile) - 1] * sqrt(square / (n - 1) / n);
    return r;
}
