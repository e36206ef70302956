/*
 * The link of the page that opens it with a kernel: what follows the '#' is JSON in base64url, behind the number of
 * its form. scripts/web/page/share.js reads it.
 */
#ifndef HEDDLE_CLI_PLAY_LINK_H
#define HEDDLE_CLI_PLAY_LINK_H

#include "sim/base/buf.h"

/* What the page begins with; NULL, 0: its own choice. */
struct play_start {
    const char *kernel; /* a path; of a kernel that ships, or of the user's */
    const char *board, *which_case;
    u32 warp, lesson;
};

/*
 * Appends the link: the kernel's text with the files that it includes, or where no kernel and no lesson is chosen only
 * the page. The kernel need not assemble, the page says where it does not. False after a message.
 */
bool play_link(const struct play_start *start, const char *page, struct buf *out);

#endif
