#include "tests/bench/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/api/heddle.h"

enum { FILE_BYTES = 1 << 18 };

static double seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double job_now(void) {
    return seconds(CLOCK_MONOTONIC);
}

uint64_t job_bytes(const struct job *job) {
    uint64_t bytes = 0;
    for (int i = 0; i < JOB_BUFFERS && job->buffer[i].name; i++)
        bytes += job->buffer[i].elements * sizeof(float);
    return bytes;
}

static char *read_file(const char *path, size_t *len) {
    FILE *f = fopen(path, "rb");
    char *text = malloc(FILE_BYTES);
    if (!f || !text) {
        perror(path);
        exit(2);
    }
    *len = fread(text, 1, FILE_BYTES, f);
    fclose(f);
    return text;
}

enum { INCLUDES_MAX = 16 };

/* The files that a kernel includes, kept until it is loaded. */
struct includes {
    char *text[INCLUDES_MAX];
    int count;
};

static const char *read_included(void *ctx, const char *name, size_t *len) {
    struct includes *in = ctx;
    if (in->count == INCLUDES_MAX)
        return NULL;
    return in->text[in->count++] = read_file(name, len);
}

static struct heddle_program *load_kernel(struct heddle *h, const struct job *job, const struct setting *s) {
    char path[4096];
    struct includes in = {.count = 0};
    struct heddle_file file = {.name = path, .read = read_included, .ctx = &in};
    if (job->file)
        snprintf(path, sizeof path, "%s/kernels/%s", s->root, job->file);
    else
        snprintf(path, sizeof path, "%s/kernels/bench/%s.hd", s->root, job->name);
    char *text = read_file(path, &file.len);
    file.text = text;
    struct heddle_program *p = heddle_load_file(h, &file);
    for (int i = 0; i < in.count; i++)
        free(in.text[i]);
    free(text);
    return p;
}

/* Every page is written: untouched pages share one physical page on some hosts, and faster than memory. */
static bool add_buffer(struct heddle *h, const char *name, const char *type, uint64_t elements) {
    struct heddle_tensor t;
    if (!heddle_buffer(h, name, type ? type : "f32", 1, &elements) || !heddle_buffer_get(h, name, &t))
        return false;
    for (uint64_t i = 0; i < elements; i++) {
        float v = (float)(i & 255);
        memcpy(t.data + i * sizeof v, &v, sizeof v);
    }
    return true;
}

static bool load_board(struct heddle *h, const struct setting *s) {
    char path[4096];
    size_t len;
    if (!s->board)
        return true;
    snprintf(path, sizeof path, "%s/configs/%s.yaml", s->root, s->board);
    char *text = read_file(path, &len);
    struct heddle_file file = {.name = path, .text = text, .len = len};
    bool ok = heddle_board_load(h, &file, NULL, 0);
    free(text);
    return ok;
}

static bool launch(struct heddle *h, struct heddle_program *p, const struct job *job, const struct setting *s,
                   struct figure *figure) {
    struct heddle_arg args[JOB_BUFFERS + JOB_SCALARS];
    struct heddle_launch l = {.grid = {job->grid[0], job->grid[1], 1}, .args = args};
    l.block[1] = job->rows ? job->rows : 1;
    l.block[0] = job->block / l.block[1];
    struct heddle_result r;
    l.entry = job->entry;
    l.warp = s->warp;
    l.engine = s->engine;
    l.check = s->check;
    l.threads = s->threads;
    for (int i = 0; i < JOB_BUFFERS && job->buffer[i].name; i++)
        args[l.nargs++] = (struct heddle_arg){.name = job->buffer[i].name, .buffer = job->buffer[i].name};
    for (int i = 0; i < JOB_SCALARS && job->scalar[i].name; i++)
        args[l.nargs++] = (struct heddle_arg){.name = job->scalar[i].name, .number = job->scalar[i].number};
    double start = job_now(), busy = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (heddle_launch(h, p, &l, &r) != HEDDLE_OK)
        return false;
    double took = job_now() - start;
    if (took < figure->seconds)
        figure->seconds = took;
    busy = seconds(CLOCK_PROCESS_CPUTIME_ID) - busy;
    if (busy < figure->cpu)
        figure->cpu = busy;
    figure->instructions = r.warp_instructions;
    figure->cycles = r.cycles;
    figure->shadows = (double)r.check_memory;
    return true;
}

bool job_measure(const struct job *job, const struct setting *s, struct figure *figure) {
    *figure = (struct figure){.seconds = 1e30, .cpu = 1e30};
    struct heddle *h = heddle_new();
    struct heddle_program *p = h ? load_kernel(h, job, s) : NULL;
    bool ok = p && load_board(h, s);
    for (int i = 0; ok && i < JOB_BUFFERS && job->buffer[i].name; i++)
        ok = add_buffer(h, job->buffer[i].name, job->type, job->buffer[i].elements);
    for (int i = 0; ok && i < s->repetitions; i++)
        ok = launch(h, p, job, s, figure);
    if (!ok)
        fputs(h ? heddle_error(h) : "out of memory\n", stderr);
    heddle_program_free(p);
    heddle_free(h);
    return ok;
}

bool job_measure_apart(const struct job *job, const struct setting *s, struct figure *figure) {
    int ends[2], status = 1;
    struct rusage usage;
    fflush(NULL);
    if (pipe(ends) != 0)
        return false;
    pid_t pid = fork();
    if (pid == 0) {
        bool ok = job_measure(job, s, figure);
        fflush(stderr);
        _exit(!ok || write(ends[1], figure, sizeof *figure) != (ssize_t)sizeof *figure);
    }
    close(ends[1]);
    bool ok = pid > 0 && read(ends[0], figure, sizeof *figure) == (ssize_t)sizeof *figure;
    close(ends[0]);
    ok = pid > 0 && wait4(pid, &status, 0, &usage) == pid && status == 0 && ok;
    if (ok)
        figure->resident = 1024.0 * (double)usage.ru_maxrss - (double)job_bytes(job);
    return ok;
}
