/*
 * How fast heddle runs: `make bench`. Prints a table and writes the same figures as JSON.
 *
 *   bench HEDDLE KERNELS OUTPUT.json [REPETITIONS]
 *
 * Each figure is the best of its repetitions, because other work on the machine only ever makes a run slower. Nothing
 * here is a test: a slow machine is not a wrong one.
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/api/heddle.h"

extern char **environ;

struct job {
    const char *name, *file;
    uint32_t grid, block; /* of the launch */
    uint64_t elements;    /* of each buffer */
    double number;        /* the scalar: trips, or n */
    double target;        /* million warp-instructions/s at W = 32 with the best engine */
};

static const struct job jobs[] = {
    {"fma", "fma.hd", 32, 256, 8192, 2000, 60},
    {"saxpy", "saxpy.hd", 8192, 256, 2097152, 2097152, 20},
};

struct figure {
    uint64_t instructions;
    double seconds;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static char *read_file(const char *folder, const char *name, size_t *len) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    char *text = malloc(1 << 16);
    if (!f || !text) {
        perror(path);
        exit(2);
    }
    *len = fread(text, 1, 1 << 16, f);
    fclose(f);
    return text;
}

/* The text behind "model name : " in /proc/cpuinfo. */
static void cpu_name(char *out, size_t size) {
    snprintf(out, size, "unknown processor");
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (f && fgets(line, sizeof line, f)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            colon[strcspn(colon, "\n")] = 0;
            snprintf(out, size, "%s", colon + 2);
            break;
        }
    }
    if (f)
        fclose(f);
    for (char *c = out; *c; c++)
        if (*c == '"' || *c == '\\')
            *c = '\'';
}

static bool measure(const struct job *job, const char *folder, const char *engine, uint32_t warp, int repetitions,
                    struct figure *best) {
    size_t len;
    char *text = read_file(folder, job->file, &len);
    struct heddle *h = heddle_new();
    struct heddle_program *p = heddle_load(h, job->file, text, len);
    bool fma = strcmp(job->name, "fma") == 0;
    uint64_t shape[] = {job->elements};
    struct heddle_arg args[] = {
        {.name = fma ? "out" : "x", .buffer = "x"},
        {.name = fma ? "trips" : "n", .number = job->number},
        {.name = "y", .buffer = "y"},
        {.name = "a", .number = 2.5},
    };
    struct heddle_launch l = {.grid = {job->grid, 1, 1}, .block = {job->block, 1, 1}, .warp = warp, .engine = engine};
    l.args = args;
    l.nargs = fma ? 2 : 4;
    bool ok = p && heddle_buffer(h, "x", "f32", 1, shape) && heddle_buffer(h, "y", "f32", 1, shape);
    best->seconds = 1e30;
    for (int i = 0; ok && i < repetitions; i++) {
        struct heddle_result r;
        double start = now();
        ok = heddle_launch(h, p, &l, &r) == HEDDLE_OK;
        double took = now() - start;
        best->instructions = r.warp_instructions;
        if (took < best->seconds)
            best->seconds = took;
    }
    if (!ok)
        fputs(heddle_error(h), stderr);
    heddle_program_free(p);
    heddle_free(h);
    free(text);
    return ok;
}

/* Start to finish of `heddle run` on a kernel of one block, seconds; negative when it fails. */
static double start_up(char *heddle, const char *folder, int repetitions) {
    char file[4096];
    snprintf(file, sizeof file, "%s/start.hd", folder);
    char *argv[] = {heddle, "run", file, "--grid", "1", "--block", "32", "--out", "out=u32[32]:/dev/null", NULL};
    double best = 1e30;
    for (int i = 0; i < repetitions; i++) {
        pid_t pid;
        int status;
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1 /* O_WRONLY */, 0);
        double start = now();
        bool ok = posix_spawn(&pid, heddle, &actions, NULL, argv, environ) == 0 && waitpid(pid, &status, 0) == pid;
        double took = now() - start;
        posix_spawn_file_actions_destroy(&actions);
        if (!ok || status != 0)
            return -1;
        if (took < best)
            best = took;
    }
    return best;
}

struct report {
    const char *folder; /* of the kernels */
    FILE *json;
    int repetitions;
    int runs; /* written so far */
};

static void report_figure(struct report *r, const struct job *job, const char *engine, uint32_t warp,
                          const struct figure *f) {
    double rate = (double)f->instructions / f->seconds / 1e6;
    unsigned long long n = f->instructions;
    printf("%-9s %-10s %4u %18llu %8.1f %13.1f %12.2f %9.2f", job->name, engine, warp, n, 1e3 * f->seconds, rate,
           1e3 / rate, rate * warp / 1e3);
    if (warp == 32 && strcmp(engine, "baseline") != 0)
        printf("  >= %.0f %s", job->target, rate >= job->target ? "met" : "missed");
    printf("\n");
    fprintf(r->json, "%s\n  {\"kernel\": \"%s\", \"engine\": \"%s\", \"warp\": %u, ", r->runs ? "," : "", job->name,
            engine, warp);
    fprintf(r->json, "\"warp_instructions\": %llu, \"seconds\": %.6f, \"ns_per_warp_instruction\": %.3f}", n,
            f->seconds, 1e3 / rate);
    r->runs++;
}

static void report_job(struct report *r, const struct job *job) {
    static const char *const engines[] = {"x86-64-v3", "baseline"};
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
        for (uint32_t warp = 8; warp <= 64; warp *= 2) {
            struct figure f;
            if (!measure(job, r->folder, engines[e], warp, r->repetitions, &f))
                break; /* an engine that this host cannot run is no failure */
            report_figure(r, job, engines[e], warp, &f);
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fputs("usage: bench HEDDLE KERNELS OUTPUT.json [REPETITIONS]\n", stderr);
        return 2;
    }
    struct report r = {.folder = argv[2], .json = fopen(argv[3], "w"), .repetitions = argc > 4 ? atoi(argv[4]) : 7};
    if (!r.json || r.repetitions < 1) {
        perror(argv[3]);
        return 2;
    }
    char cpu[200];
    cpu_name(cpu, sizeof cpu);
    printf("%s, %ld cores, heddle %s, best of %d\n\n", cpu, sysconf(_SC_NPROCESSORS_ONLN), heddle_version(),
           r.repetitions);
    printf("%-9s %-10s %4s %18s %8s %13s %12s %9s  %s\n", "kernel", "engine", "warp", "warp-instructions", "ms",
           "M warp-i/s", "ns/warp-i", "G lane/s", "target");
    fprintf(r.json, "{\"machine\": \"%s\", \"heddle\": \"%s\", \"repetitions\": %d, \"runs\": [", cpu, heddle_version(),
            r.repetitions);
    for (size_t j = 0; j < sizeof jobs / sizeof *jobs; j++)
        report_job(&r, &jobs[j]);
    double start = start_up(argv[1], argv[2], 3 * r.repetitions);
    if (start >= 0)
        printf("\nstart-up: heddle run of a kernel of one block, start to finish: %.1f ms (target < 20 ms, %s)\n",
               1e3 * start, start < 0.02 ? "met" : "missed");
    fprintf(r.json, "\n], \"start_up_seconds\": %.6f}\n", start);
    return fclose(r.json) != 0 || r.runs == 0 || start < 0;
}
