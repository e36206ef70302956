/* Draws from the bytes, and writes lines of the program. */
#include "tests/fuzz/program_maker.h"

#include <stdarg.h>
#include <stdio.h>

/* 0 .. n - 1 */
u32 maker_draw(struct maker *m, u32 n) {
    u32 v = 0;
    for (u32 have = 1; have < n && m->left > 0; have <<= 8) {
        v = v << 8 | *m->bytes++;
        m->left--;
    }
    return n ? v % n : 0;
}

u32 maker_draw_word(struct maker *m) {
    static const u32 corners[] = {0,          1,          0xffffffff, 0x80000000, 0x7fffffff, 0x3f800000,
                                  0x7f800000, 0xff800000, 0x7fc00001, 0x00000001, 0x3c003c00, 0x00017fff,
                                  31,         32,         0x33800000, 0xbf000000};
    u32 n = maker_draw(m, 2 * COUNT_OF(corners));
    return n < COUNT_OF(corners) ? corners[n] : (maker_draw(m, 65536) << 16 | maker_draw(m, 65536));
}

void maker_line(struct maker *m, const char *fmt, ...) {
    char text[160];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    buf_printf(m->out, "        %s\n", text);
}

u32 maker_data(struct maker *m) {
    return DATA + maker_draw(m, DATA_COUNT);
}

u32 maker_data_pair(struct maker *m) {
    return DATA + 2 * maker_draw(m, DATA_COUNT / 2);
}

u32 maker_data_quad(struct maker *m) {
    return DATA + 4 * maker_draw(m, DATA_COUNT / 4);
}

/* Draws a register that decides about branches and reads. */
u32 maker_decider(struct maker *m) {
    return m->ask.oblivious ? KNOWN + maker_draw(m, KNOWN_COUNT) : maker_data(m);
}
