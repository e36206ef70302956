#include "sim/cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "sim/file/computer.h"

static volatile sig_atomic_t interrupted;

static void on_interrupt(int sig) {
    (void)sig;
    interrupted = 1;
}

bool progress_interrupted(void) {
    return interrupted != 0;
}

void progress_begin(struct progress *p) {
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    *p = (struct progress){.start = stopwatch_now(), .terminal = isatty(STDERR_FILENO)};
    sigaction(SIGINT, &action, &p->before);
}

void progress_hide(struct progress *p) {
    if (p->shown > 0)
        fputs("\r\033[K", stderr);
}

void progress_end(struct progress *p) {
    sigaction(SIGINT, &p->before, NULL);
    progress_hide(p);
}

double progress_seconds(const struct progress *p) {
    return stopwatch_now() - p->start;
}

bool progress_due(struct progress *p) {
    double now = p->terminal ? stopwatch_now() : 0;
    if (!p->terminal || now - p->start < 1 || now - p->shown < 0.1)
        return false;
    p->shown = now;
    fputs("\r\033[K  ", stderr);
    return true;
}
