/*
 * The link that opens the page with a kernel: after the '#', the number of its form, then JSON in base64url.
 * scripts/web/page/share.js reads it.
 */
#ifndef HEDDLE_CLI_PLAY_LINK_H
#define HEDDLE_CLI_PLAY_LINK_H

#include "sim/base/buf.h"

/* Start of the page; NULL, 0 = its own choice. */
struct play_start {
    const char *kernel; /* a path: a shipped kernel, or the user's */
    const char *board, *which_case;
    u32 warp, lesson;
};

/*
 * Appends the link: the kernel's text with the files that it includes, or without kernel and lesson only the page. The
 * kernel may have errors, which the page shows. False after a message.
 */
bool play_link(const struct play_start *start, const char *page, struct buf *out);

#endif
