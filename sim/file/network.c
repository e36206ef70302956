#include "sim/file/computer.h"

#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>

/* magic numbers of linux/magic.h, or of the file systems' sources */
static const u32 types[] = {
    0x6969,     /* NFS */
    0xff534d42, /* CIFS */
    0xfe534d42, /* SMB 2 */
    0x517b,     /* SMB */
    0x5346414f, /* AFS */
    0x6b414653, /* kAFS */
    0x73757245, /* Coda */
    0x00c36400, /* Ceph */
    0x01021997, /* 9p */
    0x0bd00bd0, /* Lustre */
    0x47504653, /* GPFS */
    0x19830326, /* BeeGFS */
    0x7461636f, /* OCFS2 */
    0x01161970, /* GFS2 */
    0x65735546, /* FUSE, which sshfs and others use */
};

bool network_type(u64 type) {
    for (u32 i = 0; i < COUNT_OF(types); i++)
        if ((u32)type == types[i])
            return true;
    return false;
}

bool file_on_network(const char *path) {
    struct statfs st;
    const char *slash = strrchr(path, '/');
    char folder[4096] = ".";
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", slash > path ? (int)(slash - path) : 1, path);
    return (statfs(path, &st) == 0 || statfs(folder, &st) == 0) && network_type((u64)st.f_type);
}
