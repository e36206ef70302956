#define _GNU_SOURCE /* sched_getaffinity */
#include "sim/api/host.h"

#include <sched.h>
#include <sys/sysinfo.h>

u32 host_cores(void) {
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) != 0)
        return 1;
    return (u32)CPU_COUNT(&cores);
}

u64 host_memory(void) {
    struct sysinfo info;
    return sysinfo(&info) == 0 ? (u64)info.totalram * info.mem_unit : UINT64_MAX;
}
