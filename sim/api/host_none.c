/* Replaces host.c in WebAssembly: one thread, and addresses of 32 bits. */
#include "sim/api/host.h"

u32 host_cores(void) {
    return 1;
}

u64 host_memory(void) {
    return UINT32_MAX;
}
