#define _GNU_SOURCE /* sched_getaffinity */
#include "sim/api/host.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

u32 host_cores(void) {
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) != 0)
        return 1;
    return (u32)CPU_COUNT(&cores);
}

u64 host_memory(void) {
    struct sysinfo info;
    struct rlimit space;
    u64 bytes = sysinfo(&info) == 0 ? (u64)info.totalram * info.mem_unit : UINT64_MAX;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY && space.rlim_cur < bytes)
        bytes = space.rlim_cur;
    return bytes;
}
