/* Does the debugger's C interface do what heddle.h promises, and is memory as it shows it what loads then read? */
#include "sim/debug/debug.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sim/api/context.h"
#include "sim/debug/values.h"

/* Threads store bytes, halves, words and pairs to random places of shared and global memory, and read others. */
static const char mix[] = ".kernel mix\n"
                          ".param y : u32[64]\n"
                          ".shared tile : b32[64]\n"
                          ".reg id, a, b, v, w, k, at:2, to:2, pair:2\n"
                          ".pred odd, more\n"
                          "        s2r            id, %tid.x\n"
                          "        ld.param.b64   at, [y]\n"
                          "        shl.b32        a, id, 2\n"
                          "        mul.lo.u32     v, id, 2654435761\n"
                          "        st.shared.b32  [tile + a], v\n"
                          "        mad.wide.u32   to, id, 4, at\n"
                          "        st.global.b32  [to], v\n"
                          "        bar.sync       0\n"
                          "        mov.b32        k, 0\n"
                          "again:\n"
                          "        mad.lo.u32     v, v, 1664525, id\n"
                          "        shr.u32        a, v, 18\n"
                          "        and.b32        a, a, 252\n"
                          "        shr.u32        b, v, 24\n"
                          "        and.b32        b, b, 248\n"
                          "        and.b32        w, v, 0x10000\n"
                          "        setp.ne.u32    odd, w, 0\n"
                          "@odd    st.shared.b8   [tile + a + 1], v\n"
                          "@!odd   st.shared.b16  [tile + a + 2], v\n"
                          "        mov.b32        pair, k\n"
                          "        mov.b32        pair+1, v\n"
                          "@odd    bra            rest\n"
                          "        st.shared.b64  [tile + b], pair\n"
                          "        st.shared.b32  [tile + a], rz\n"
                          "rest:\n"
                          "        ld.shared.b32  w, [tile + a]\n"
                          "        mad.wide.u32   to, b, 1, at\n"
                          "        st.global.b64  [to], pair\n"
                          "        mad.wide.u32   to, a, 1, at\n"
                          "@odd    st.global.b16  [to + 2], v\n"
                          "        ld.global.b32  w, [to]\n"
                          "        add.u32        k, k, 1\n"
                          "        setp.lt.u32    more, k, 12\n"
                          "@more   bra            again\n"
                          "        exit\n";

struct rig {
    struct heddle *h;
    struct heddle_program *p;
    struct heddle_result result;
};

static struct rig launch(const char *text, uint32_t warp, bool watched) {
    static const struct heddle_watch all = {0};
    static const struct heddle_arg args[] = {{.name = "y", .buffer = "y"}};
    static const char *const set[] = {"sms=1"};
    uint64_t shape[] = {64};
    struct rig r = {.h = heddle_new()};
    r.p = heddle_load(r.h, "mix.hd", text, strlen(text));
    cr_assert(r.p && heddle_buffer(r.h, "y", "u32", 1, shape) && heddle_board_load(r.h, NULL, set, 1), "%s",
              heddle_error(r.h));
    cr_assert(heddle_buffer_fill(r.h, "y", "iota"));
    struct heddle_launch l = {
        .block = {64, 1, 1}, .warp = warp, .args = args, .nargs = 1, .watch = watched ? &all : NULL};
    cr_assert_eq(heddle_launch(r.h, r.p, &l, &r.result), HEDDLE_OK, "%s", heddle_error(r.h));
    return r;
}

static void end(struct rig *r) {
    heddle_program_free(r->p);
    heddle_free(r->h);
}

/* A register of the state, by what the source calls it. */
static u32 lane_of(const struct heddle_state *s, struct debug *d, const char *name, u32 lane) {
    char found[8];
    u32 value = 0;
    cr_assert(debug_register(d, s->pc, name, found) && debug_value(s, found, lane, &value), "%s", name);
    return value;
}

/* Compares the values of a load's issue with memory before it: `from` is the address of the array. */
static u32 check_load(struct debug *d, const struct heddle_event *e, const char *space, u64 from) {
    struct heddle_event_row row;
    struct heddle_state s;
    struct memory_view view;
    u32 lanes = 0;
    cr_assert(debug_state(d, &s) && heddle_event_row(d->h, e, 0, &row));
    u32 address[64];
    for (u32 lane = 0; lane < s.width; lane++)
        address[lane] = lane_of(&s, d, "a", lane);
    u32 width = s.width;
    cr_assert(memory_look(d, space, from, 256, &view));
    for (u32 lane = 0; lane < width; lane++) {
        u32 word = 0;
        if (!(e->value[1] >> lane & 1))
            continue;
        for (u32 k = 0; k < 4; k++) {
            const struct memory_cell *c = memory_at(&view, from + address[lane] + k);
            cr_assert(c->known && c->since, "%s byte %u is not known", space, address[lane] + k);
            word |= (u32)c->value << 8 * k;
        }
        cr_assert_eq(word, row.values[lane], "%s byte %u is %08x, and %08x was loaded in cycle %llu by lane %u", space,
                     address[lane], word, row.values[lane], (unsigned long long)e->cycle, lane);
        lanes++;
    }
    buf_free(&view.cells);
    return lanes;
}

Test(debugger, memory_is_what_loads_read) {
    for (u32 warp = 8; warp <= 64; warp *= 2) {
        struct rig r = launch(mix, warp, true);
        struct debug d = {0};
        struct heddle_tensor y;
        struct heddle_event e;
        u32 loads = 0;
        cr_assert(heddle_buffer_look(r.h, "y", &y) && debug_begin(&d, r.h, r.p, &r.result));
        for (u64 i = 0; i < d.events; i++) {
            if (debug_event(&d, i, &e) != EVENT_ISSUE)
                continue;
            const char *text = debug_instruction(&d, e.pc)->text;
            debug_move(&d, i, e.block, e.warp);
            if (strncmp(text, "ld.shared", 9) == 0)
                loads += check_load(&d, &e, "shared", 0);
            else if (strncmp(text, "ld.global", 9) == 0)
                loads += check_load(&d, &e, "global", y.address);
        }
        cr_assert_eq(loads, 64 * 12 * 2, "%u lanes loaded", loads);
        debug_free(&d);
        end(&r);
    }
}

/* ---- heddle.h ---- */

static void prints(struct heddle_debugger *d, const char *line, const char *want) {
    const char *text;
    cr_assert(heddle_debugger_command(d, line, &text), "%s: %s", line, text);
    cr_assert(strstr(text, want), "%s: no '%s' in\n%s", line, want, text);
}

static void refuses(struct heddle_debugger *d, const char *line, const char *want) {
    const char *text;
    cr_assert(!heddle_debugger_command(d, line, &text), "%s is taken", line);
    cr_assert(strstr(text, want), "%s: no '%s' in\n%s", line, want, text);
}

/* A refused command leaves all as it was. */
static void stays(struct heddle_debugger *d, const char *line, const char *want) {
    struct heddle_debugger_place before = heddle_debugger_place(d);
    refuses(d, line, want);
    struct heddle_debugger_place after = heddle_debugger_place(d);
    cr_assert(before.block == after.block && before.warp == after.warp && before.cycle == after.cycle &&
                  before.events == after.events && before.left == after.left,
              "%s: refused, and the cursor is elsewhere", line);
}

Test(debugger, commands_and_places) {
    struct rig r = launch(mix, 8, true);
    struct heddle_debugger *d = heddle_debugger_new(r.h, r.p, &r.result);
    struct heddle_debugger_place at = heddle_debugger_place(d);
    struct heddle_state s;
    cr_assert(at.block == 0 && at.warp == 0 && !at.left);
    prints(d, "print y[0..3]", "0           1           2           3");
    prints(d, "until barrier", "line 13: bar.sync");
    prints(d, "", "");
    prints(d, "print y[0..3]", "0  2654435761  1013904226  3668339987");
    refuses(d, "until 99", "line 99 has no instruction");
    refuses(d, "nonsense", "there is no command");
    at = heddle_debugger_place(d);
    stays(d, "step 2 3", "step takes no '3' here");
    stays(d, "lane 3 4", "lane takes no '4' here");
    stays(d, "warp 0.1 2", "warp takes no '2' here");
    stays(d, "reverse until 9 10", "until takes no '10' here");
    stays(d, "quit now", "quit takes no 'now' here");
    stays(d, "break y[3] if v[0] == 1", "break takes no 'if' here");
    prints(d, "breakpoints", "no breakpoints");
    prints(d, "break y[3]", "breakpoint 1");
    stays(d, "delete 1 2", "delete takes one number");
    prints(d, "breakpoints", "1  y[3]");
    cr_assert(heddle_state(r.h, at.block, at.warp, at.events, &s) && s.width == 8);
    cr_assert(heddle_debugger_go(d, 0, 3, at.events) && heddle_debugger_place(d).warp == 3);
    cr_assert(!heddle_debugger_go(d, 0, 8, at.events) && !heddle_debugger_go(d, 1, 0, at.events));
    cr_assert(heddle_debugger_go(d, 0, 1, UINT64_MAX) && heddle_debugger_place(d).events == r.result.events);
    prints(d, "where", "has ended");
    prints(d, "quit", "");
    cr_assert(heddle_debugger_place(d).left);
    heddle_debugger_free(d);
    heddle_debugger_free(NULL);
    end(&r);
}

Test(debugger, a_recording_that_is_gone) {
    struct rig r = launch(mix, 8, true), unwatched = launch(mix, 8, false);
    static const char *const set[] = {"sms=2"};
    struct heddle_debugger *d = heddle_debugger_new(r.h, r.p, &r.result);
    cr_assert(d && heddle_recording(r.h) && !heddle_recording(unwatched.h));
    cr_assert(!heddle_debugger_new(unwatched.h, unwatched.p, &unwatched.result));
    cr_assert(strstr(heddle_error(unwatched.h), "has not been recorded"), "%s", heddle_error(unwatched.h));
    cr_assert(heddle_board_load(r.h, NULL, set, 1));
    refuses(d, "where", "the recording was replaced");
    cr_assert(!heddle_debugger_go(d, 0, 0, 0) && !heddle_recording(r.h));
    cr_assert(!heddle_debugger_new(r.h, r.p, &r.result), "it looks at a recording that is gone");
    cr_assert(strstr(heddle_error(r.h), "has not been recorded"), "%s", heddle_error(r.h));
    heddle_debugger_free(d);
    end(&r);
    end(&unwatched);
}

Test(debugger, what_buffers_held_before) {
    struct rig r = launch(mix, 8, true);
    uint64_t shape[] = {64};
    const u32 *before = (const u32 *)(const void *)heddle_buffer_before(r.h, "y");
    cr_assert(before);
    for (u32 i = 0; i < 64; i++)
        cr_assert_eq(before[i], i);
    cr_assert(!heddle_buffer_before(r.h, "z"));
    cr_assert(heddle_buffer(r.h, "y", "u32", 1, (uint64_t[]){65}) && !heddle_buffer_before(r.h, "y"));
    struct rig plain = launch(mix, 8, false);
    cr_assert(heddle_buffer(plain.h, "y", "u32", 1, shape) && !heddle_buffer_before(plain.h, "y"));
    end(&r);
    end(&plain);
}

Test(debugger, looking_writes_nothing) {
    struct rig r = launch(mix, 8, true);
    struct heddle_debugger *d = heddle_debugger_new(r.h, r.p, &r.result);
    uint64_t shape[] = {64};
    cr_assert(heddle_buffer(r.h, "z", "u32", 1, shape));
    prints(d, "break z[3]", "breakpoint 1");
    prints(d, "print z[3]", "z[3]");
    prints(d, "who z[3]", "nothing that was recorded");
    cr_assert_eq(context_buffer(r.h, "z")->content, CONTENT_MADE, "a buffer that was looked at counts as written");
    heddle_debugger_free(d);
    end(&r);
}

/* ---- words of other debuggers ---- */

static const char *const aliases[][2] = {
#define ALIAS(words, line) {words, line},
#include "sim/debug/commands.def"
};
static const char *const answers[][2] = {
#define INSTEAD(words, answer) {words, answer},
#include "sim/debug/commands.def"
};

/* Calls with each of the words between commas, and what they mean. */
static void each_word(const char *words, const char *means, void (*check)(const char *word, const char *means)) {
    char list[200], *rest = list;
    snprintf(list, sizeof list, "%s", words);
    for (char *word; (word = strtok_r(rest, ",", &rest));)
        check(word + strspn(word, " "), means);
}

/* Two debuggers at the same place, one given the other debugger's word, answer the same and move to the same place. */
static void means_the_same(const char *word, const char *line) {
    const char *const follow[] = {"", " v", " at", " z[3]", " 1", " 0", " 14"}, *star = strchr(line, '*');
    for (size_t i = 0; i < COUNT_OF(follow); i++) {
        struct rig r = launch(mix, 8, true);
        struct heddle_debugger *a = heddle_debugger_new(r.h, r.p, &r.result),
                               *b = heddle_debugger_new(r.h, r.p, &r.result);
        char left[200], right[200];
        const char *said, *wanted;
        snprintf(left, sizeof left, "%s%s", word, follow[i]);
        snprintf(right, sizeof right, "%.*s%s%s", star ? (int)(star - line) : (int)strlen(line), line, follow[i],
                 star ? star + 1 : "");
        prints(a, "until 9", "line 9");
        prints(b, "until 9", "line 9");
        bool did = heddle_debugger_command(a, left, &said);
        cr_assert(did == heddle_debugger_command(b, right, &wanted) && strcmp(said, wanted) == 0, "'%s': %s'%s': %s",
                  left, said, right, wanted);
        struct heddle_debugger_place at = heddle_debugger_place(a), to = heddle_debugger_place(b);
        cr_assert(at.warp == to.warp && at.events == to.events && at.left == to.left, "'%s' is elsewhere", left);
        heddle_debugger_free(a);
        heddle_debugger_free(b);
        end(&r);
    }
}

/* The bytes of y as stores leave them, in any order of the calls. */
struct left {
    u64 from, by[256]; /* issue of the last store of each byte, times 64, plus its lane; 0 = none */
    u8 value[256];
    u32 stores, loads;
};

static void leave(void *ctx, const struct heddle_touch *t) {
    struct left *left = ctx;
    const u64 order = (t->issue << 6 | t->lane) + 1;
    cr_assert(t->access >= t->issue && t->kind != HEDDLE_COMBINED);
    left->loads += t->kind == HEDDLE_LOADED;
    left->stores += t->kind == HEDDLE_STORED;
    for (u32 k = 0; k < t->bytes && t->kind == HEDDLE_STORED; k++) {
        const u64 at = t->address + k - left->from;
        if (at >= sizeof left->value || order < left->by[at])
            continue;
        left->by[at] = order;
        left->value[at] = (u8)(t->value[k / 4] >> k % 4 * 8);
    }
}

Test(debugger, touches_leave_what_the_launch_leaves) {
    struct rig r = launch(mix, 32, true);
    struct heddle_debugger *d = heddle_debugger_new(r.h, r.p, &r.result);
    struct heddle_tensor y;
    cr_assert(d && heddle_buffer_look(r.h, "y", &y));
    struct left left = {.from = y.address};
    struct heddle_range all = {"global", 0, y.address, y.bytes}, other = {"shared", 1, 0, 256};
    struct heddle_range word = {"global", 0, y.address + 12, 4};
    cr_assert(heddle_debugger_touches(d, &all, leave, &left));
    cr_assert_arr_eq(left.value, y.data, y.bytes);
    cr_assert(left.stores > 64 * 12 && left.loads == 64 * 12, "%u stores, %u loads", left.stores, left.loads);
    struct left none = {.from = 0}, third = {.from = y.address + 12};
    cr_assert(heddle_debugger_touches(d, &other, leave, &none) && !none.stores && !none.loads, "there is one block");
    cr_assert(heddle_debugger_touches(d, &word, leave, &third) && third.stores < left.stores);
    cr_assert_arr_eq(third.value, y.data + 12, 4);
    cr_assert(heddle_board_load(r.h, NULL, NULL, 0));
    cr_assert_not(heddle_debugger_touches(d, &all, leave, &left), "another board");
    heddle_debugger_free(d);
    end(&r);
}

Test(debugger, words_of_other_debuggers_mean_the_command_of_their_row) {
    for (size_t i = 0; i < COUNT_OF(aliases); i++)
        each_word(aliases[i][0], aliases[i][1], means_the_same);
}

/* The answer names commands, and each is one. */
static void is_answered(const char *word, const char *answer) {
    struct rig r = launch(mix, 8, true);
    struct heddle_debugger *d = heddle_debugger_new(r.h, r.p, &r.result);
    const char *said;
    char help[200];
    cr_assert(!heddle_debugger_command(d, word, &said) && strstr(said, answer), "'%s': %s", word, said);
    for (const char *at = answer; (at = strchr(at, '`')); at = strchr(at + 1, '`') + 1) {
        snprintf(help, sizeof help, "help %.*s", (int)strcspn(at + 1, " `"), at + 1);
        cr_assert(heddle_debugger_command(d, help, &said), "'%s' speaks of a command that is none: %s", word, said);
    }
    heddle_debugger_free(d);
    end(&r);
}

Test(debugger, words_that_are_not_there_are_answered_by_those_that_are) {
    for (size_t i = 0; i < COUNT_OF(answers); i++)
        each_word(answers[i][0], answers[i][1], is_answered);
    is_answered("x/4fw 0x10000000", "`print y[4..7]`");
    is_answered("info nothing", "`registers`");
}

static void fits(const char *text) {
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        cr_assert(strcspn(line, "\n") <= 100, "longer than 100 columns: %s", line);
}

Test(debugger, rows_and_sources) {
    const char *name, *brief, *arguments, *doc;
    u32 n = 0;
    struct rig r = launch(mix, 8, true);
    struct heddle_debugger *d = heddle_debugger_new(r.h, r.p, &r.result);
    for (; heddle_debugger_row(n, &name, &brief, &arguments, &doc); n++) {
        char help[64];
        snprintf(help, sizeof help, "help %s", name);
        prints(d, help, doc);
    }
    cr_assert(n > 20);
    const char *text;
    cr_assert(heddle_debugger_command(d, "help", &text));
    fits(text);
    cr_assert(heddle_debugger_command(d, "help gdb", &text) && strstr(text, "reverse-step, reverse-stepi, rsi"));
    fits(text);
    size_t len;
    text = heddle_program_source(r.p, NULL, &len);
    cr_assert(text && len == strlen(mix) && memcmp(text, mix, len) == 0);
    cr_assert(!heddle_program_source(r.p, "other.hd", &len));
    heddle_debugger_free(d);
    end(&r);
}
