/* Looking things up in a program, and giving it back. */
#include "isa/program.h"

#include <string.h>

const struct kernel *program_kernel(const struct program *p, const char *name) {
    const struct kernel *found = NULL;
    for (u32 k = 0; k < p->nkernels; k++) {
        if (p->kernel[k].function || (name != NULL && strcmp(p->kernel[k].name, name) != 0)) {
            continue;
        }
        if (found != NULL) {
            return NULL; /* no name, several kernels */
        }
        found = &p->kernel[k];
    }
    return found;
}

const struct kernel *program_at(const struct program *p, u32 pc) {
    u32 low = 0, high = p->nkernels;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (pc >= p->kernel[middle].end) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < p->nkernels && pc >= p->kernel[low].start ? &p->kernel[low] : NULL;
}

void program_free(struct program *p) {
    if (p != NULL) {
        struct arena arena = p->arena; /* the program itself lies in its arena */
        arena_free(&arena);
    }
}
