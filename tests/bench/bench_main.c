/*
 * How fast heddle runs: `make bench`. Prints two tables and writes the same figures as JSON.
 *
 *   bench HEDDLE ROOT OUTPUT.json [REPETITIONS]           ROOT: of the source tree
 *   bench --checked ROOT OUTPUT.json [REPETITIONS]        only the jobs with checkers
 *   bench --job NAME PART ROOT [CHECKERS]                 a timed job once, a PARTth of its blocks: for profilers
 *
 *   without a clock   every engine and warp width
 *   with a clock      v100, W = 32, one and two threads of the host, and the memory beside the buffers
 *   with checkers     the same with --check=race,init, beside runs without, by turns
 *
 * Each figure is the best of its repetitions, because other work on the machine only slows a run down. This is no test:
 * a slow machine is not a wrong one.
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/api/heddle.h"
#include "tests/bench/job.h"

extern char **environ;

enum { M = 1024, N = 1024, K = 256 }; /* of the matrices */

#define BENCH NULL, NULL, NULL, 0 /* under kernels/bench/, of fp32, a row of threads */

/* clang-format off */
static const struct job functional[] = {
    {"fma",   {32, 1},   256, 60, false, {{"out", 8192}},                   {{"trips", 2000}}, BENCH},
    {"saxpy", {8192, 1}, 256, 20, false, {{"x", 2097152}, {"y", 2097152}}, {{"n", 2097152}, {"a", 2.5}}, BENCH},
};

static const struct job timed[] = {
    {"fma",    {640, 1},          256, 10,  true,  {{"out", 163840}},                        {{"trips", 100}}, BENCH},
    {"copy",   {65536, 1},        256, 2.5, true,  {{"x", 16777216}, {"y", 16777216}},       {{"n", 16777216}}, BENCH},
    {"matmul", {N / 64, M / 64},  256, 5,   true,  {{"a", M * K}, {"b", K * N}, {"c", M * N}},
     {{"n", N}, {"k", K}}, BENCH},
    {"reduce", {65536, 1},        256, 5,   false, {{"x", 16777216}, {"sums", 65536}},       {{"n", 16777216}}, BENCH},
};

/*
 * `target`: times as long as without checkers. `masked_fill` fills a mask of bits in 1024 x 1024 elements, `spconv` is
 * a convolution of 8 channels of 64 x 64 by 16 filters of 3 x 3.
 */
static const struct job checked[] = {
    {"copy",   {8192, 1},  256, 3, true, {{"x", 2097152}, {"y", 2097152}},   {{"n", 2097152}}, BENCH},
    {"saxpy",  {8192, 1},  256, 3, true, {{"x", 2097152}, {"y", 2097152}},   {{"n", 2097152}, {"a", 2.5}}, BENCH},
    {"matmul", {4, 4},     256, 3, true, {{"a", 65536}, {"b", 65536}, {"c", 65536}}, {{"n", 256}, {"k", 256}}, BENCH},
    {"reduce", {8192, 1},  256, 3, true, {{"x", 2097152}, {"sums", 8192}},   {{"n", 2097152}}, BENCH},
    {"matmul_tiled", {16, 16}, 256, 3, true, {{"a", 65536}, {"b", 65536}, {"c", 65536}},
     {{"m", 256}, {"n", 256}, {"k", 256}}, "classic/matmul_tiled.hd", "matmul_tiled", NULL, 16},
    {"masked_fill", {1, 512}, 64, 3, true, {{"x", 1048576}, {"words", 32768}, {"y", 1048576}},
     {{"n", 1}, {"heads", 1}, {"height", 1024}, {"width", 1024}, {"polarity", 1}, {"value", 7}},
     "mask/packed.hd", "packed_g32_b32", "u32", 0},
    {"spconv", {4, 16},    256, 3, true, {{"x", 32768}, {"weight", 1152}, {"bias", 1}, {"y", 65536}},
     {{"biased", 0}, {"filters", 16}, {"channels", 8}, {"outputs", 4096}, {"batch", 1}, {"size_d", 1}, {"size_h", 64},
      {"size_w", 64}, {"out_d", 1}, {"out_h", 64}, {"out_w", 64}, {"kernel_d", 1}, {"kernel_h", 3}, {"kernel_w", 3},
      {"stride_d", 1}, {"stride_h", 1}, {"stride_w", 1}, {"lo_d", 0}, {"lo_h", 1}, {"lo_w", 1}, {"sc", 4096},
      {"sp", 1}, {"ysc", 4096}, {"ysp", 1}}, "spconv/direct.hd", "direct_f32", NULL, 0},
};
/* clang-format on */

static const double ratio_target = 1.7;      /* of two threads to one, on launches that fill the board */
static const double resident_target = 200e6; /* bytes beside the buffers */

struct report {
    const char *root;
    FILE *json;
    int repetitions;
    int runs; /* written so far */
};

static const char *met(bool ok) {
    return ok ? "met" : "missed";
}

/* The text after "model name : " in /proc/cpuinfo. */
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

/* Start to finish of `heddle run` on a kernel of one block, seconds; negative when it fails. */
static double start_up(char *heddle, const char *root, int repetitions) {
    char file[4096];
    snprintf(file, sizeof file, "%s/kernels/bench/start.hd", root);
    char *argv[] = {heddle, "run", file, "--grid", "1", "--block", "32", "--out", "out=u32[32]:/dev/null", NULL};
    double best = 1e30;
    for (int i = 0; i < repetitions; i++) {
        pid_t pid;
        int status;
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1 /* O_WRONLY */, 0);
        double start = job_now();
        bool ok = posix_spawn(&pid, heddle, &actions, NULL, argv, environ) == 0 && waitpid(pid, &status, 0) == pid;
        double took = job_now() - start;
        posix_spawn_file_actions_destroy(&actions);
        if (!ok || status != 0)
            return -1;
        if (took < best)
            best = took;
    }
    return best;
}

static double rate_of(const struct figure *f) {
    return (double)f->instructions / f->seconds / 1e6;
}

/* ---- without a clock ---- */

static void report_functional(struct report *r, const struct job *job, const struct setting *s,
                              const struct figure *f) {
    double rate = rate_of(f);
    unsigned long long n = f->instructions;
    printf("%-9s %-10s %4u %18llu %8.1f %13.1f %12.2f %9.2f", job->name, s->engine, s->warp, n, 1e3 * f->seconds, rate,
           1e3 / rate, rate * s->warp / 1e3);
    if (s->warp == 32 && strcmp(s->engine, "baseline") != 0)
        printf("  >= %.0f %s", job->target, met(rate >= job->target));
    printf("\n");
    fprintf(r->json, "%s\n  {\"kernel\": \"%s\", \"engine\": \"%s\", \"warp\": %u, ", r->runs++ ? "," : "", job->name,
            s->engine, s->warp);
    fprintf(r->json, "\"warp_instructions\": %llu, \"seconds\": %.6f, \"ns_per_warp_instruction\": %.3f}", n,
            f->seconds, 1e3 / rate);
}

static void run_functional(struct report *r, const struct job *job) {
    static const char *const engines[] = {"x86-64-v3", "baseline"};
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
        for (uint32_t warp = 8; warp <= 64; warp *= 2) {
            struct figure f;
            struct setting s = {r->root, NULL, engines[e], NULL, warp, 1, r->repetitions};
            if (!job_measure(job, &s, &f))
                break; /* an engine that this host cannot run is no failure */
            report_functional(r, job, &s, &f);
        }
    }
}

static void all_functional(struct report *r) {
    printf("without a clock\n\n%-9s %-10s %4s %18s %8s %13s %12s %9s  %s\n", "kernel", "engine", "warp",
           "warp-instructions", "ms", "M warp-i/s", "ns/warp-i", "G lane/s", "target");
    fprintf(r->json, ",\n\"functional\": [");
    for (size_t j = 0; j < sizeof functional / sizeof *functional; j++)
        run_functional(r, &functional[j]);
    fprintf(r->json, "\n]");
}

/* ---- with a clock ---- */

/* `one`: the figure of one thread. */
static void report_timed(struct report *r, const struct job *job, const struct setting *s, const struct figure *f,
                         const struct figure *one) {
    double rate = rate_of(f), ratio = one->seconds / f->seconds;
    unsigned long long n = f->instructions, cycles = f->cycles;
    printf("%-9s %7u %18llu %12llu %8.0f %11.2f %10.1f %7.2f %12.0f ", job->name, s->threads, n, cycles,
           1e3 * f->seconds, rate, 1e3 / rate, ratio, f->resident / 1e6);
    if (s->threads == 1)
        printf(" >= %.3g %s", job->target, met(rate >= job->target));
    else if (job->fills)
        printf(" >= %.1f x %s", ratio_target, met(ratio >= ratio_target));
    if (f->resident >= resident_target)
        printf(", < %.0f MB missed", resident_target / 1e6);
    printf("\n");
    fprintf(r->json, "%s\n  {\"kernel\": \"%s\", \"board\": \"%s\", \"warp\": %u, \"threads\": %u, ",
            r->runs++ ? "," : "", job->name, s->board, s->warp, s->threads);
    fprintf(r->json, "\"warp_instructions\": %llu, \"cycles\": %llu, \"seconds\": %.6f, ", n, cycles, f->seconds);
    fprintf(r->json, "\"ns_per_warp_instruction\": %.3f, \"target\": %.3g, \"of_one_thread\": %.3f, ", 1e3 / rate,
            job->target, ratio);
    fprintf(r->json, "\"bytes_beside_buffers\": %.0f}", f->resident);
}

static bool all_timed(struct report *r) {
    printf("\nwith a clock: v100, W = 32\n\n%-9s %7s %18s %12s %8s %11s %10s %7s %12s  %s\n", "kernel", "threads",
           "warp-instructions", "cycles", "ms", "M warp-i/s", "ns/warp-i", "ratio", "MB beside", "target");
    fprintf(r->json, ",\n\"timed\": [");
    r->runs = 0;
    for (size_t j = 0; j < sizeof timed / sizeof *timed; j++) {
        struct figure one, two;
        struct setting s = {r->root, "v100", NULL, NULL, 32, 1, (r->repetitions + 1) / 2};
        if (!job_measure_apart(&timed[j], &s, &one))
            return false;
        report_timed(r, &timed[j], &s, &one, &one);
        s.threads = 2;
        if (!job_measure_apart(&timed[j], &s, &two))
            return false;
        report_timed(r, &timed[j], &s, &two, &one);
    }
    fprintf(r->json, "\n]");
    return true;
}

/* ---- with a clock and checkers ---- */

/*
 * Runs with and without checkers by turns, so that what else the machine does slows both down; the best of each, in
 * processor time.
 */
static bool measure_checked(const struct report *r, const struct job *job, struct figure best[2]) {
    for (int i = 0; i < 2 * r->repetitions; i++) {
        struct setting s = {r->root, "v100", NULL, i % 2 ? "race,init" : NULL, 32, 1, 1};
        struct figure f;
        if (!job_measure(job, &s, &f))
            return false;
        if (i < 2 || f.cpu < best[i % 2].cpu)
            best[i % 2] = f;
    }
    return true;
}

static bool all_checked(struct report *r) {
    printf("\nwith a clock and --check=race,init: v100, W = 32\n\n%-11s %18s %10s %10s %7s %11s  %s\n", "kernel",
           "warp-instructions", "ms without", "ms with", "ratio", "MB shadows", "target");
    fprintf(r->json, ",\n\"checked\": [");
    r->runs = 0;
    for (size_t j = 0; j < sizeof checked / sizeof *checked; j++) {
        const struct job *job = &checked[j];
        struct figure f[2];
        if (!measure_checked(r, job, f))
            return false;
        double ratio = f[1].cpu / f[0].cpu;
        unsigned long long n = f[1].instructions;
        printf("%-11s %18llu %10.0f %10.0f %7.2f %11.1f  <= %.1f x %s\n", job->name, n, 1e3 * f[0].cpu, 1e3 * f[1].cpu,
               ratio, f[1].shadows / 1e6, job->target, met(ratio <= job->target));
        fprintf(r->json, "%s\n  {\"kernel\": \"%s\", \"warp_instructions\": %llu, \"seconds\": %.6f, ",
                r->runs++ ? "," : "", job->name, n, f[0].cpu);
        fprintf(r->json, "\"seconds_checked\": %.6f, \"ratio\": %.3f, \"shadow_bytes\": %.0f}", f[1].cpu, ratio,
                f[1].shadows);
    }
    fprintf(r->json, "\n]");
    return true;
}

/* Prints the warp-instructions: what a profiler counts is divided by them. */
static int run_job(const char *name, int part, const char *root, const char *check) {
    struct setting s = {root, "v100", NULL, check, 32, 1, 1};
    struct figure f;
    const size_t ntimed = sizeof timed / sizeof *timed, nchecked = sizeof checked / sizeof *checked;
    for (size_t j = 0; j < ntimed + nchecked; j++) {
        struct job job = j < ntimed ? timed[j] : checked[j - ntimed];
        if (strcmp(job.name, name) != 0 || part < 1)
            continue;
        job.grid[0] /= (uint32_t)part;
        if (!job_measure(&job, &s, &f))
            return 1;
        printf("%llu\n", (unsigned long long)f.instructions);
        return 0;
    }
    fprintf(stderr, "bench: there is no timed job '%s'\n", name);
    return 2;
}

static void write_head(const struct report *r, const char *cpu) {
    fprintf(r->json, "{\"machine\": \"%s\", \"cores\": %ld, \"heddle\": \"%s\", \"repetitions\": %d", cpu,
            sysconf(_SC_NPROCESSORS_ONLN), heddle_version(), r->repetitions);
}

static int run_checked(const struct report *r, const char *cpu) {
    struct report report = *r;
    write_head(r, cpu);
    bool ok = all_checked(&report);
    fprintf(r->json, "}\n");
    return fclose(r->json) != 0 || !ok;
}

int main(int argc, char **argv) {
    if ((argc == 5 || argc == 6) && strcmp(argv[1], "--job") == 0)
        return run_job(argv[2], atoi(argv[3]), argv[4], argv[5]);
    if (argc < 4) {
        fputs("usage: bench HEDDLE ROOT OUTPUT.json [REPETITIONS]\n"
              "       bench --checked ROOT OUTPUT.json [REPETITIONS]\n"
              "       bench --job NAME PART ROOT [CHECKERS]\n",
              stderr);
        return 2;
    }
    struct report r = {.root = argv[2], .json = fopen(argv[3], "w"), .repetitions = argc > 4 ? atoi(argv[4]) : 7};
    if (!r.json || r.repetitions < 1) {
        perror(argv[3]);
        return 2;
    }
    char cpu[200];
    cpu_name(cpu, sizeof cpu);
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("%s, %ld cores, heddle %s, best of %d, with a clock of %d\n\n", cpu, sysconf(_SC_NPROCESSORS_ONLN),
           heddle_version(), r.repetitions, (r.repetitions + 1) / 2);
    if (strcmp(argv[1], "--checked") == 0)
        return run_checked(&r, cpu);
    write_head(&r, cpu);
    all_functional(&r);
    bool ok = r.runs > 0;
    ok = all_timed(&r) && ok;
    ok = all_checked(&r) && ok;
    double start = start_up(argv[1], argv[2], 3 * r.repetitions);
    if (start >= 0)
        printf("\nstart-up: heddle run of a kernel of one block, start to finish: %.1f ms (target < 20 ms, %s)\n",
               1e3 * start, met(start < 0.02));
    fprintf(r.json, ",\n\"start_up_seconds\": %.6f}\n", start);
    return fclose(r.json) != 0 || !ok || start < 0;
}
