#include "sim/file/write_place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOOK_MS = 20 }; /* between looks for a reader */

/* Opens a descriptor that is readable once the process should end; -1 if there is none, and waiting continues. */
static int open_asked(void) {
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction old;
    sigset_t set;
    sigemptyset(&set);
    for (u32 i = 0; i < COUNT_OF(ends); i++) {
        sigaction(ends[i], NULL, &old);
        if (old.sa_handler != SIG_IGN)
            sigaddset(&set, ends[i]);
    }
    return signalfd(-1, &set, SFD_CLOEXEC);
}

/* Waits until the file accepts output. */
static bool wait_for(int fd, int asked, int ms) {
    struct pollfd f[] = {{.fd = asked, .events = POLLIN}, {.fd = fd, .events = POLLOUT}};
    int n;
    while ((n = poll(f, COUNT_OF(f), ms)) < 0 && errno == EINTR)
        ;
    if (n > 0 && f[0].revents && !f[1].revents)
        errno = EINTR;
    return n >= 0 && (!f[0].revents || f[1].revents);
}

/* Writes at most PIPE_BUF bytes, which do not block after poll. */
static bool put(int fd, int asked, const char *at, size_t len) {
    while (len) {
        if (!wait_for(fd, asked, -1))
            return false;
        ssize_t n = write(fd, at, len < PIPE_BUF ? len : PIPE_BUF);
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        at += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* Opens a pipe by name, once it has a reader. */
static int open_place(const char *path, int asked) {
    struct stat st;
    bool pipe = stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
    int fd;
    while ((fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0 && errno == ENXIO && pipe)
        if (!wait_for(-1, asked, LOOK_MS))
            break;
    return fd;
}

bool place_write(const char *path, const void *bytes, size_t len) {
    int asked = open_asked(), fd = open_place(path, asked);
    bool ok = fd >= 0 && put(fd, asked, bytes, len);
    int why = errno;
    if (fd >= 0 && close(fd) != 0 && ok) {
        why = errno;
        ok = false;
    }
    if (asked >= 0)
        close(asked);
    errno = why;
    return ok;
}

bool place_write_open(int fd, const void *bytes, size_t len) {
    int asked = open_asked();
    bool ok = put(fd, asked, bytes, len);
    int why = errno;
    if (asked >= 0)
        close(asked);
    errno = why;
    return ok;
}
