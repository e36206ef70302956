#include "sim/file/computer.h"

#include <dlfcn.h>
#include <stdio.h>

bool self_file(void (*inside)(void), char *path, size_t size) {
    Dl_info module;
    if (!dladdr((void *)(uintptr_t)inside, &module))
        return false;
    int n = snprintf(path, size, "%s", module.dli_fname);
    return n >= 0 && (size_t)n < size;
}
