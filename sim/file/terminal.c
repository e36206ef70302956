#include "sim/file/computer.h"

#include <sys/ioctl.h>
#include <unistd.h>

u32 terminal_width(void) {
    enum { LEAST = 60, MOST = 100 };
    struct winsize size;
    bool narrow = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_col < MOST;
    return !narrow ? MOST : size.ws_col < LEAST ? LEAST : size.ws_col;
}
