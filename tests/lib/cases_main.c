/*
 * Runs cases of the Criterion suites in the order given, until one fails; each in a process that is a copy of this one.
 * Criterion begins a program for each, which takes 30 ms: most of the time of thousands of runs.
 *
 *   cases SECONDS SUITE/NAME...      prints the case that failed; exit status 1, or 124 if it used more CPU seconds
 *   cases --times SUITE...           all cases, a line each: microseconds of CPU, SUITE/NAME, ok or failed, and the
 *                                    numbers of its calls of mutant_reached, which scripts/mutants.lua adds
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern struct criterion_test *__start_cr_tst[], *__stop_cr_tst[];
extern struct criterion_suite *__start_cr_sts[], *__stop_cr_sts[];

enum { REACHED_MAX = 1 << 15 };
static unsigned char *reached; /* shared with the copies */

void mutant_reached(unsigned number);

void mutant_reached(unsigned number) {
    if (reached)
        reached[number] = 1;
}

/* Functions that assertions call, in place of Criterion's own. */
void criterion_send_assert(struct criterion_assert_stats *stats) {
    if (!stats->passed)
        _exit(1);
}

void criterion_continue_test(void) {
    _exit(1);
}

void criterion_abort_test(void) {
    _exit(1);
}

void criterion_skip_test(const char *format, ...) {
    (void)format;
    _exit(0);
}

void cr_log(enum criterion_severity severity, const char *format, ...) {
    (void)severity;
    (void)format;
}

void criterion_internal_test_setup(void) {}

void criterion_internal_test_main(void (*test)(void)) {
    test();
}

void criterion_internal_test_teardown(void) {}

static void in_copy(const struct criterion_test *t, unsigned seconds) {
    const struct criterion_test_extra_data *suite = NULL;
    for (struct criterion_suite **s = __start_cr_sts; s < __stop_cr_sts; s++)
        if (!strcmp((*s)->name, t->category))
            suite = (*s)->data;
    setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds + 1});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0});
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
        _exit(1);
    if (suite && suite->init)
        suite->init();
    if (t->data->init)
        t->data->init();
    t->test();
    if (t->data->fini)
        t->data->fini();
    if (suite && suite->fini)
        suite->fini();
    exit(0);
}

/* Runs a case in a copy: 0 if it passes, 124 if it uses too much CPU; what it used, in microseconds. */
static int outcome(const struct criterion_test *t, unsigned seconds, long *used) {
    pid_t child = fork();
    if (child == 0)
        in_copy(t, seconds);
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) < 0)
        return 2;
    *used = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
    if (!WIFSIGNALED(status))
        return t->data->signal || WEXITSTATUS(status) != t->data->exit_code;
    int signal = WTERMSIG(status);
    if (signal == t->data->signal)
        return 0;
    return signal == SIGXCPU || signal == SIGKILL ? 124 : 1;
}

static const struct criterion_test *find(const char *name) {
    for (struct criterion_test **t = __start_cr_tst; t < __stop_cr_tst; t++)
        if (!strcmp((*t)->data->identifier_, name))
            return *t;
    return NULL;
}

static int times(int suites, char **suite) {
    int failed = 0;
    long used = 0;
    reached = mmap(NULL, REACHED_MAX, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (reached == MAP_FAILED)
        return 2;
    for (struct criterion_test **t = __start_cr_tst; t < __stop_cr_tst; t++)
        for (int i = 0; i < suites; i++)
            if (!(*t)->data->disabled && !strcmp((*t)->category, suite[i])) {
                memset(reached, 0, REACHED_MAX);
                int bad = outcome(*t, 600, &used);
                printf("%ld %s %s", used, (*t)->data->identifier_, bad ? "failed" : "ok");
                for (unsigned k = 0; k < REACHED_MAX; k++)
                    if (reached[k])
                        printf(" %u", k);
                putchar('\n');
                fflush(stdout);
                failed += bad != 0;
            }
    return failed != 0;
}

int main(int argc, char **argv) {
    long used;
    if (argc > 1 && !strcmp(argv[1], "--times"))
        return times(argc - 2, argv + 2);
    for (int i = 2; i < argc; i++) {
        const struct criterion_test *t = find(argv[i]);
        int bad = t ? outcome(t, (unsigned)atoi(argv[1]), &used) : 2;
        if (bad) {
            puts(argv[i]);
            return bad;
        }
    }
    return 0;
}
