/* Output of commands, except for registers and masks: registers.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/ascii.h"
#include "sim/debug/debug.h"

void debug_put_where(struct debug *d) {
    struct heddle_state s;
    char text[160];
    buf_printf(&d->out, "cycle %llu, warp %llu.%u", (unsigned long long)d->cycle, (unsigned long long)d->block,
               d->warp);
    if (!debug_state(d, &s)) {
        buf_puts(&d->out, ": it has not begun\n");
        return;
    }
    if (s.ended || d->at >= d->events) {
        buf_puts(&d->out, d->fault ? ": the launch has ended with a fault\n" : ": it has ended\n");
        return;
    }
    debug_line(d, s.pc, text, sizeof text);
    buf_printf(&d->out, ", %s: %s\n", debug_place(d, s.pc).text, text);
}

bool debug_where(struct debug *d, struct words *w) {
    struct heddle_state s;
    (void)w;
    debug_put_where(d);
    if (debug_state(d, &s) && !s.ended)
        buf_printf(&d->out, "SM %u, sub-core %u; active lanes %llx\n", s.sm, s.sub_core, (unsigned long long)s.active);
    return true;
}

bool debug_warps(struct debug *d, struct words *w) {
    struct heddle_state s;
    const struct warp_of *at = (const struct warp_of *)(const void *)d->warps.data;
    (void)w;
    warps_put_head(&d->out);
    for (size_t n = d->warps.len / sizeof *at; n--; at++)
        if (heddle_state(d->h, at->block, at->warp, d->at, &s) && !s.ended)
            warps_put_line(d->program, at, &s, d->cycle, &d->out);
    return true;
}

/* ---- memory ---- */

bool debug_address(struct debug *d, const char *text, u64 *from, u64 *to) {
    struct heddle_tensor t;
    char name[64], *end;
    *from = strtoull(text, &end, 0);
    *to = *from + 1;
    if (is_digit(*text) && !*end)
        return true;
    snprintf(name, sizeof name, "%s", text);
    char *open = strchr(name, '[');
    u64 element;
    if (!open || !debug_index(open + 1, &element))
        return debug_refuse(d, "'%s' is neither BUFFER[ELEMENT] nor an address nor a name of the kernel", text);
    *open = '\0';
    if (!heddle_buffer_look(d->h, name, &t) || !t.count)
        return debug_refuse(d, "there is no buffer '%s'", name);
    if (element >= t.count)
        return debug_refuse(d, "'%s' has %s elements", name, grouped(t.count).text);
    *from = t.address + element * (t.bytes / t.count);
    *to = *from + t.bytes / t.count;
    return true;
}

u32 debug_banks(const struct debug *d) {
    struct heddle_board_value banks;
    return heddle_board_value(d->h, "shared.banks", &banks) ? (u32)banks.number : 1;
}

/* Prints the target of an access: its bank, or its line and the sector in it. */
static void put_target(struct debug *d, u64 address, bool shared) {
    enum { WORD = 4, SECTOR = 32, LINE = 128 };
    u64 line = address / LINE * LINE;
    if (shared)
        buf_printf(&d->out, "%*s#\n", (int)(address / WORD % debug_banks(d)), "");
    else
        buf_printf(&d->out, "0x%llx  sector %u\n", (unsigned long long)line, (u32)(address % LINE / SECTOR));
}

bool debug_access(struct debug *d, struct words *w) {
    struct heddle_event e;
    char text[160];
    uint64_t address;
    u64 i = d->at;
    (void)w;
    do
        i = heddle_event_previous(d->h, d->block, d->warp, i);
    while (i != UINT64_MAX && debug_event(d, i, &e) != EVENT_ACCESS);
    if (i == UINT64_MAX)
        return debug_answer(d, "this warp has not accessed memory before");
    const char *space = heddle_event_word(e.kind, 1, e.value[1]);
    bool shared = strcmp(space, "shared") == 0;
    u32 lane = 0;
    debug_line(d, e.pc, text, sizeof text);
    buf_printf(&d->out, "cycle %llu, %s: %s\n%s %s, %llu bytes a lane, %llu cycle%s of the memory pipe\n",
               (unsigned long long)e.cycle, debug_place(d, e.pc).text, text, space,
               heddle_event_word(e.kind, 2, e.value[2]), (unsigned long long)e.value[3], (unsigned long long)e.value[5],
               e.value[5] == 1 ? "" : "s");
    buf_printf(&d->out, "  lane  address     %s\n", shared ? "bank" : "line");
    for (u32 k = 0; heddle_event_address(&e, k, &address); k++, lane++) {
        while (lane < 64 && !(e.value[4] >> lane & 1))
            lane++;
        buf_printf(&d->out, "  %4u  0x%-8llx  ", lane, (unsigned long long)address);
        put_target(d, address, shared);
    }
    return true;
}

/* ---- pictures ---- */

enum { LEGEND = 32 };

/* Finds a letter for each stall reason: its first, unless another reason begins with it. */
static char letter_of(u64 reason) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    return letters[reason % (sizeof letters - 1)];
}

/* Finds the warp's wait or issue at a cycle, or else its first event: earlier waits have ended. */
static u64 event_in(struct debug *d, u32 warp, u64 cycle) {
    struct heddle_event e;
    u64 i = heddle_event_at(d->h, cycle);
    do
        i = heddle_event_previous(d->h, d->block, warp, i);
    while (i != UINT64_MAX && debug_event(d, i, &e) != EVENT_WAIT && debug_event(d, i, &e) != EVENT_ISSUE);
    return i == UINT64_MAX ? 0 : i;
}

static void put_row(struct debug *d, u32 warp, u64 from, u64 to, u32 *seen) {
    struct heddle_event e;
    char row[256];
    memset(row, ' ', sizeof row);
    for (u64 i = event_in(d, warp, from); (i = heddle_event_next(d->h, d->block, warp, i)) != UINT64_MAX; i++) {
        enum event kind = debug_event(d, i, &e);
        u64 until = kind == EVENT_WAIT ? e.value[0] : e.cycle + 1;
        if (e.cycle >= to)
            break;
        if (kind != EVENT_WAIT && kind != EVENT_ISSUE)
            continue;
        for (u64 c = e.cycle > from ? e.cycle : from; c < until && c < to; c++)
            row[c - from] = kind == EVENT_ISSUE ? '#' : letter_of(e.value[1]);
        if (kind == EVENT_WAIT && until > from)
            *seen |= 1u << e.value[1] % LEGEND;
    }
    buf_printf(&d->out, "%8llu.%-4u |%.*s|\n", (unsigned long long)d->block, warp, (int)(to - from), row);
}

bool debug_timeline(struct debug *d, struct words *w) {
    char word[32], *end;
    u64 cycles = 60;
    if (*words_next(w, word, sizeof word)) {
        cycles = strtoull(word, &end, 10);
        if (*end || cycles < 1 || cycles > 200)
            return debug_refuse(d, "'%s' is not a number of cycles from 1 to 200", word);
    }
    u64 from = d->cycle > cycles / 2 ? d->cycle - cycles / 2 : 0, to = from + cycles;
    u32 seen = 0;
    buf_printf(&d->out, "cycles %llu to %llu; ^ is %llu\n", (unsigned long long)from, (unsigned long long)to - 1,
               (unsigned long long)d->cycle);
    const struct warp_of *of = (const struct warp_of *)(const void *)d->warps.data;
    for (size_t n = d->warps.len / sizeof *of; n--; of++)
        if (of->block == d->block)
            put_row(d, of->warp, from, to, &seen);
    buf_printf(&d->out, "%15s%*s^\n#  issue\n", "", (int)(d->cycle - from), "");
    for (u32 i = 0; i < LEGEND; i++)
        if (seen >> i & 1)
            buf_printf(&d->out, "%c  %s\n", letter_of(i), heddle_stall_name(i, NULL));
    return true;
}
